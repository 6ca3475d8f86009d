"""The orders of every row of Tables 4 to 6 for every labelling of the study, kept in files while it runs.

A row takes from 10 seconds to 5 minutes of CPU time; rows that a former run has finished are read again. A
file is only used if it is about the same problem and labellings; the program may have changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from orca_exact.files.formats import digest
from orca_exact.runtime.cache import cache_folder

from .label_fits import LabelFits
from .labellings import all_labellings
from .optima import configuration, printed_tables

ECHO = ("tab-echo-legendre", "tab-echo-jacobi-a", "tab-echo-jacobi-b")


@dataclass(frozen=True, eq=False)
class RowOrders:
    """OKC^(1) ... OKC^(5) of one row of a table for every labelling."""

    table: str
    n: int
    values: dict[str, np.ndarray]  # by the name of the labellings: an array (labellings, orders)
    error: np.ndarray  # a bound for each order over all labellings, from the duality gaps in float64


def rows() -> list[tuple[str, int]]:
    """Return the rows of the echocardiogram tables as (table, n)."""
    return [(id, row["n"]) for id in ECHO for row in printed_tables()[id]["rows"]]


def row_fits(table: str, n: int) -> LabelFits:
    """Return the points, kernel and C of a row."""
    t = printed_tables()[table]
    return LabelFits(configuration(t["dataset"], n, t["alpha"], t["beta"], t["C"]))


@lru_cache(maxsize=1)
def _labellings() -> dict[str, np.ndarray]:
    problem = row_fits(*rows()[0]).problem
    return dict(all_labellings(np.array(problem.y, dtype=float), problem.points.astype(float)))


def study_folder() -> Path:
    """Return the folder of the files."""
    return cache_folder().parent / "order-study"


def row_orders(table: str, n: int, folder: Path) -> RowOrders:
    """Return the orders of one row for every labelling, from its file if there is one."""
    fits = row_fits(table, n)
    labels = _labellings()
    about = digest(
        {"problem": fits.problem.sha256, **{k: digest(Y.tobytes().hex()) for k, Y in labels.items()}}
    )
    path = folder / f"{table}-{n}.npz"
    if path.exists():
        with np.load(path) as kept:
            if str(kept["about"]) == about:
                return RowOrders(table, n, {name: kept[name] for name in labels}, kept["error"])
    values, errors = {}, []
    for name, Y in labels.items():
        values[name], error = fits.orders(fits.fit(Y))
        errors.append(error.max(axis=0))
    found = RowOrders(table, n, values, np.max(errors, axis=0))
    folder.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp.npz")
    contents: dict[str, Any] = {"about": about, "error": found.error, **values}
    np.savez(temporary, **contents)
    temporary.replace(path)
    return found
