"""Certified values of the echocardiogram data, for machines that do not have the data.

``data/certified.json`` contains an enclosure of every index of the paper for the 27 rows of Tables 4 to 6,
the checksum of the data, the version, and the command that made it:
``python -m proofs_checks.experiments.stored``. ``data/certified_facts.json`` contains what the claims need to
know of the records themselves, such as how many are complete; ``python -m proofs_checks.section6.facts``
makes it. The files have neither records nor certificates. A verdict that rests on them has the source
``stored``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, wraps
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
FACTS_FILE = "data/certified_facts.json"
FACTS_COMMAND = "python -m proofs_checks.section6.facts"
Fact = Callable[[], Any]
_ALLOWED = [False]  # whether stored values may be used where the data are missing
_FACTS: dict[str, Fact] = {}


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


def certified_fact(compute: Fact) -> Fact:
    """Let a function of the records return its stored value where the data are missing."""
    _FACTS[compute.__name__] = compute

    @wraps(compute)
    def fact() -> Any:
        try:
            return compute()
        except DataMissing:
            if not _ALLOWED[0]:
                raise
            return stored_facts()[compute.__name__]

    return fact


@lru_cache(maxsize=1)
def stored_facts() -> dict[str, Any]:
    """Return the stored facts by the names of the functions that compute them."""
    return {name: _take(value) for name, value in read_shipped(FACTS_FILE, "proofs_checks")["facts"].items()}


def _take(value: Any) -> Any:
    """Return a fact from JSON: numbers are tagged, integers and texts are not."""
    if isinstance(value, list):
        return [_take(member) for member in value]
    if isinstance(value, dict):
        if value.keys() & {"exact", "ball"}:
            with precision_digits(2 * DIGITS):
                return from_json_value(value, FACTS_FILE)
        return {key: _take(member) for key, member in value.items()}
    return value


def _put(value: Any) -> Any:
    """Return a fact as JSON; balls are rounded outwards."""
    if isinstance(value, arb):
        with precision_digits(DIGITS):
            return {"ball": to_json_value(value * arb(1), DIGITS)["ball"]}
    if isinstance(value, fmpq):
        return {"exact": str(value)}
    if isinstance(value, list | tuple):
        return [_put(member) for member in value]
    if isinstance(value, dict):
        return {str(key): _put(member) for key, member in value.items()}
    return value


def make_facts() -> dict[str, Any]:
    """Return the content of FACTS_FILE, from the data."""
    return _header("orca-exact/certified-facts/1", FACTS_COMMAND) | {
        "facts": {name: _put(compute()) for name, compute in sorted(_FACTS.items())}
    }


def write_facts() -> None:
    """Write FACTS_FILE."""
    made = make_facts()
    facts = ",\n  ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in made["facts"].items())
    _write(FACTS_FILE, made, "facts", "{\n  " + facts + "\n }")


def make_rows() -> dict[str, Any]:
    """Return the content of FILE, from the data."""
    rows = []
    for id, table in printed_tables().items():
        for row in table["rows"] if table["dataset"] == "echocardiogram" else ():
            found = certified_row(id, row["n"]).indices
            kept = Indices({name: found.table[name] for name in FAMILIES}, found.stated_summary)
            rows.append({"table": id, "n": row["n"], "okc": kept.to_json(lambda value: _put(value * arb(1)))})
    return _header("orca-exact/certified-rows/1", COMMAND) | {"rows": rows}


def _header(schema: str, command: str) -> dict[str, Any]:
    data = datasets.echocardiogram().sha256
    return {"schema": schema, "command": command, "version": __version__, "data": data}


def _write(file: str, made: dict[str, Any], last: str, text: str) -> None:
    """Write a file whose last field, given as JSON text, has one line for each member."""
    lines = [f'"{key}": {json.dumps(value)}' for key, value in made.items() if key != last]
    write(str(files("proofs_checks") / file), "{" + ",\n ".join(lines) + f',\n "{last}": {text}}}\n')


if __name__ == "__main__":
    made = make_rows()
    _write(FILE, made, "rows", "[\n  " + ",\n  ".join(map(json.dumps, made["rows"])) + "\n ]")
