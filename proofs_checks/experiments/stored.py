"""Certified values of the echocardiogram rows, for machines that do not have the data.

``data/certified.json`` contains an enclosure of every index of the paper for the 27 rows of Tables 4 to 6,
the checksum of the data, the version, and the command that made it:
``python -m proofs_checks.experiments.stored``. It has neither records nor certificates. A verdict that rests
on it has the source ``stored``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from flint import arb, fmpq

from orca_exact import __version__
from orca_exact.errors import DataMissing
from orca_exact.files.formats import read_shipped, write
from orca_exact.numbers.rationals import precision_digits
from orca_exact.numbers.values import from_json_value, to_json_value
from orca_exact.profile.index import Key
from orca_exact.profile.indices import IndexTable, Indices

from . import datasets
from .optima import certified_row, printed_tables

FILE = "data/certified.json"
COMMAND = "python -m proofs_checks.experiments.stored"
DIGITS = 12
FAMILIES = ("order", "marginal", "pair", "even", "odd", "degree")  # those of the paper
_ALLOWED = [False]  # whether stored values may be used where the data are missing


@dataclass(frozen=True, repr=False)
class StoredRow(IndexTable[arb | fmpq]):
    """The stored indices of one row, as balls that contain them; a family that is not stored is empty."""

    indices: Indices[arb | fmpq]
    names = ()  # the columns have none

    def family(self, name: str) -> Mapping[Key, arb | fmpq]:
        return self.indices.table.get(name, {})


@contextmanager
def stored_values_allowed() -> Iterator[None]:
    """Use stored values within the context where the data are missing."""
    before, _ALLOWED[0] = _ALLOWED[0], True
    try:
        yield
    finally:
        _ALLOWED[0] = before


@lru_cache(maxsize=1)
def _rows() -> dict[tuple[str, int], StoredRow]:
    found = read_shipped(FILE, "proofs_checks")
    with precision_digits(2 * DIGITS):
        return {
            (row["table"], row["n"]): StoredRow(Indices.from_json(row["okc"], from_json_value, FILE))
            for row in found["rows"]
        }


def stored_row(id: str, n: int) -> StoredRow:
    """Return the stored indices of one row of Tables 4 to 6."""
    return _rows()[id, n]


def stored_row_if_allowed(id: str, n: int, error: DataMissing) -> StoredRow:
    """Return the stored indices of a row within ``stored_values_allowed``, else raise the error."""
    if not _ALLOWED[0]:
        raise error
    return stored_row(id, n)


def make_rows() -> dict[str, Any]:
    """Return the content of FILE, from the data."""

    def put(value: Any) -> dict:
        with precision_digits(DIGITS):
            return {"ball": to_json_value(value * arb(1), DIGITS)["ball"]}  # rounded outwards

    rows = []
    for id, table in printed_tables().items():
        for row in table["rows"] if table["dataset"] == "echocardiogram" else ():
            found = certified_row(id, row["n"]).indices
            kept = Indices({name: found.table[name] for name in FAMILIES}, found.stated_summary)
            rows.append({"table": id, "n": row["n"], "okc": kept.to_json(put)})
    return {
        "schema": "orca-exact/certified-rows/1",
        "command": COMMAND,
        "version": __version__,
        "data": datasets.echocardiogram().sha256,
        "rows": rows,
    }


if __name__ == "__main__":
    import json

    made = make_rows()
    lines = [f'"{key}": {json.dumps(value)}' for key, value in made.items() if key != "rows"]
    rows = ",\n  ".join(json.dumps(row) for row in made["rows"])
    text = "{" + ",\n ".join(lines) + f',\n "rows": [\n  {rows}\n ]}}\n'
    write(str(files("proofs_checks") / FILE), text)
