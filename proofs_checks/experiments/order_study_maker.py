"""Making of the stored study of the orders: ``python -m proofs_checks.experiments.order_study_maker``.

It takes about 20 minutes of CPU time. Finished rows are kept in the cache folder, so that an interrupted run
continues where it was. ``--fresh`` computes everything again, as is needed after a change of the fits.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from orca_exact import __version__, certify, orca
from orca_exact.errors import Undecided
from orca_exact.files.formats import write
from orca_exact.studies.statistics import step_down_counts
from orca_exact.studies.work import generator

from . import datasets
from .label_fits import LabelFits
from .label_prediction import DEGREES, DRAWS, FOLDS, predictions, totals
from .label_prediction import SHUFFLINGS as LABEL_SHUFFLINGS
from .labellings import PLANTED, SCORES, SEEDS, SHUFFLINGS, plant
from .optima import certified_row
from .order_statements import STATEMENTS
from .order_study import FILE, LEVEL, SCHEMA
from .order_values import ECHO, RowOrders, row_fits, row_orders, rows, study_folder

COMMAND = "python -m proofs_checks.experiments.order_study_maker"
BAND = (0.025, 0.5, 0.975)
CERTIFIED = 20  # shufflings of each row that are certified
_SAMPLE_SEED = 200
_DIGITS = 6
_NEAR = 1e-9  # quotients of integers in float64 that are closer are equal


class Table:
    """All 135 orders, observed and for shuffled labels."""

    def __init__(self, parts: list[RowOrders]):
        self.parts = parts
        self.observed = np.array([_observed(part.table, part.n) for part in parts]).ravel()
        self.error = np.concatenate([part.error for part in parts])

    def shuffled(self, seeds: tuple[int, ...], some: slice = slice(None)) -> np.ndarray:
        """Return the orders of some rows for the shufflings of some seeds, an array (orders, shufflings)."""
        return np.concatenate(
            [np.concatenate([part.values[f"seed {seed}"] for seed in seeds]).T for part in self.parts[some]]
        )

    def named(self, name: str) -> np.ndarray:
        """Return the orders for some labellings, an array (orders, labellings)."""
        return np.concatenate([part.values[name].T for part in self.parts])

    def counts(self, seeds: tuple[int, ...]) -> dict[str, list[int]]:
        """Return the adjusted p-values times B + 1 by family; B is the number of shufflings."""
        table = np.concatenate([self.observed[:, None], self.shuffled(seeds)], axis=1)
        return count_all(table, self.error, len(self.parts))


def count_all(table: np.ndarray, error: np.ndarray, groups: int) -> dict[str, list[int]]:
    """Return the p-values times the entries of a row: among all numbers, among a group, and alone."""

    def count(families: list[np.ndarray]) -> list[int]:
        found = np.zeros(len(table), dtype=int)
        for family in families:
            found[family] = step_down_counts(table[family], two_sided=True, error=error[family].tolist())
        return found.tolist()

    every = np.arange(len(table))
    return {
        "family": count([every]),
        "row": count(np.split(every, groups)),
        "single": count(np.split(every, len(table))),
    }


def _observed(table: str, n: int) -> list[float]:
    """Return the certified orders of a row."""
    row = certified_row(table, n)
    return [float(row.order[q]) for q in range(1, row.problem.d + 1)]


def make_rows(table: Table) -> list[dict[str, Any]]:
    """Return what is stored of each row."""
    tests = [table.counts((seed,)) for seed in SEEDS] + [table.counts(SEEDS)]
    found, k = [], 0
    for number, part in enumerate(table.parts):
        orders = []
        shuffled = table.shuffled(SEEDS, slice(number, number + 1))
        for q, values in enumerate(shuffled, 1):
            orders.append(
                {"q": q, "observed": _digits(table.observed[k]), "mean": _digits(values.mean()),
                 "sd": _digits(values.std()), "band": [_digits(x) for x in np.quantile(values, BAND)],
                 "error": _rounded_up(table.error[k])}
                | {name: [test[name][k] for test in tests] for name in ("family", "row", "single")}
            )  # fmt: skip
            k += 1
        found.append({"table": part.table, "n": part.n, "orders": orders})
    return found


def make_statements(table: Table) -> list[dict[str, Any]]:
    """Return for how many shufflings each statement is true."""
    given = {(part.table, part.n): part.values["given"] for part in table.parts}
    shuffled = {
        (part.table, part.n): np.concatenate([part.values[f"seed {seed}"] for seed in SEEDS])
        for part in table.parts
    }
    return [
        {
            "kind": asked.kind,
            "observed": bool(asked.true(given)[0]),
            "shuffled": int(asked.true(shuffled).sum()),
        }
        for asked in STATEMENTS
    ]


def reject(null: np.ndarray, planted: np.ndarray, groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Return which labellings have an order that differs, among all and for each group of orders.

    Each labelling is tested in the place of the given labels: the least adjusted p-value of the step-down
    method is that of the single-step method.
    """
    count = null.shape[1]
    sums, squares = null.sum(axis=1), (null * null).sum(axis=1)
    whole, parts = [], []
    for x in planted.T:
        mean = (sums + x) / (count + 1)
        sd = np.sqrt(((squares + x * x) / (count + 1) - mean * mean).clip(0))
        away = np.abs(null - mean[:, None]) / sd[:, None]
        largest = away.reshape(groups, -1, count).max(axis=1)
        own = (np.abs(x - mean) / sd).reshape(groups, -1).max(axis=1)
        p = ((largest >= own[:, None] - 1e-9).sum(axis=1) + 1) / (count + 1)
        parts.append(p <= LEVEL)
        whole.append((largest.max(axis=0) >= own.max() - 1e-9).sum() + 1 <= LEVEL * (count + 1))
    return np.array(whole), np.array(parts).T


def make_power(table: Table) -> list[dict[str, Any]]:
    """Return how many labellings of each kind have an order that differs from the shufflings of a seed."""
    null, found = table.shuffled(SEEDS[:1]), []
    problem = row_fits(*rows()[0]).problem
    points, positives = problem.points.astype(float), problem.y.count(1)
    for kind in SCORES:
        whole, parts = reject(null, table.named(kind), len(table.parts))
        counts: dict[str, dict[str, int]] = {id: {} for id in ECHO}
        for part, rejected in zip(table.parts, parts, strict=True):
            counts[part.table][str(part.n)] = int(rejected.sum())
        distinct = len(np.unique(plant(kind, points, positives), axis=0))
        found.append(
            {"kind": kind, "labellings": PLANTED, "distinct": distinct, "family": int(whole.sum()),
             "rows": counts}
        )  # fmt: skip
    return found


def make_certified(table: Table) -> dict[str, Any]:
    """Certify a sample of the shuffled fits of each row and return the largest differences of the orders.

    Raise ArithmeticError if a difference exceeds the bound that the test uses.
    """
    random = generator(_SAMPLE_SEED, 0)
    largest = share = 0.0
    for part in table.parts:
        fits = row_fits(part.table, part.n)
        y = np.array(fits.problem.y)
        for seed, k in zip(
            random.choice(SEEDS, CERTIFIED), random.integers(SHUFFLINGS, size=CERTIFIED), strict=True
        ):
            labels = generator(int(seed), int(k)).permutation(y)
            off = difference(fits, labels, part.values[f"seed {seed}"][k])
            if (off > part.error).any():
                raise ArithmeticError(
                    f"{part.table}, n = {part.n}: an order is wrong by {off}, not {part.error}"
                )
            largest, share = max(largest, off.max()), max(share, (off / part.error).max())
    return {
        "per_row": CERTIFIED,
        "fits": CERTIFIED * len(table.parts),
        "difference": _rounded_up(largest),
        "share": _rounded_up(share),
    }


def difference(fits: LabelFits, labels: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return how far orders are from those of the certified classifier of these labels, at most."""
    problem = fits.problem.replace(y=labels.astype(int).tolist())
    try:
        profile = orca(problem, certify(problem, level="float"), "verified")
    except Undecided:
        profile = orca(problem, certify(problem, level="ball"), "ball")
    balls = [profile.order[q] for q in range(1, problem.d + 1)]
    return np.array([float((abs(ball - float(x))).upper()) for ball, x in zip(balls, values, strict=True)])


def make_prediction(folder: Path | None, shufflings: int = LABEL_SHUFFLINGS) -> dict[str, Any]:
    """Return the cross-validated scores of the Legendre classifiers and those of shuffled labels."""
    shares = []
    for n in DEGREES:
        fits = row_fits(ECHO[0], n)
        of = totals(np.array(fits.problem.y, dtype=float))
        positives, negatives, pairs = predictions(fits, shufflings, folder).T
        shares += [
            (positives + negatives) / (of.positives + of.negatives),
            (positives * of.negatives + negatives * of.positives) / (2 * of.positives * of.negatives),
            pairs / of.pairs,
        ]
    joint = iter(step_down_counts(np.array(shares)))
    scores = iter(shares)
    found = [
        {"n": n} | {name: _score(next(scores), next(joint)) for name in ("accuracy", "balanced", "auc")}
        for n in DEGREES
    ]
    return {"table": ECHO[0], "folds": FOLDS, "draws": DRAWS, "shufflings": shufflings, "rows": found}


def _score(shares: np.ndarray, family: int) -> dict[str, Any]:
    return {
        "observed": _digits(shares[0]),
        "mean": _digits(shares[1:].mean()),
        "sd": _digits(shares[1:].std()),
        "count": int((shares >= shares[0] - _NEAR).sum()),
        "family": family,
    }


def _digits(x: float) -> float:
    return float(f"{x:.{_DIGITS}g}")


def _rounded_up(x: float) -> float:
    return float(f"{x * (1 + 10.0 ** (1 - _DIGITS)):.{_DIGITS}g}")


def make(say: Any) -> dict[str, Any]:
    """Return the content of FILE, from the data."""
    folder, parts = study_folder(), []
    for id, n in rows():
        say(f"orders of all labellings: {id}, n = {n}")
        parts.append(row_orders(id, n, folder))
    table = Table(parts)
    problem = row_fits(*rows()[0]).problem
    found: dict[str, Any] = {
        "schema": SCHEMA,
        "command": COMMAND,
        "version": __version__,
        "packages": {name: version(name) for name in ("numpy", "scikit-learn")},
        "data": datasets.echocardiogram().sha256,
        "design": {
            "seeds": list(SEEDS), "shufflings": SHUFFLINGS, "points": problem.m,
            "positives": problem.y.count(1),
        },
    }  # fmt: skip
    for name, work in (
        ("certified", lambda: make_certified(table)),
        ("rows", lambda: make_rows(table)),
        ("statements", lambda: make_statements(table)),
        ("power", lambda: make_power(table)),
        ("prediction", lambda: make_prediction(folder)),
    ):
        say(name)
        found[name] = work()
    return found


def main() -> None:
    """Write the study to its place in the package."""
    parser = argparse.ArgumentParser(
        description="Compute the study of the orders of the tables and store it."
    )
    parser.add_argument("--fresh", action="store_true", help="do not use what former runs have kept")
    if parser.parse_args().fresh:
        shutil.rmtree(study_folder(), ignore_errors=True)
    found = make(lambda line: print(line, file=sys.stderr, flush=True))
    lines = [f'"{key}": {_lines(value)}' for key, value in found.items()]
    write(str(files("proofs_checks") / FILE), "{" + ",\n ".join(lines) + "}\n")


def _lines(value: Any) -> str:
    """Return JSON with one line for each entry of a list of objects."""
    if isinstance(value, list):
        return "[\n  " + ",\n  ".join(json.dumps(entry) for entry in value) + "\n ]"
    return json.dumps(value)


if __name__ == "__main__":
    main()
