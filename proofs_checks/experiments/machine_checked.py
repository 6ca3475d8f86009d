"""Cells of Tables 4 to 6 whose values Rocq proved: stored results, and the command that makes them.

``python -m proofs_checks.experiments.machine_checked`` stores them in ``data/machine_checked.json``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from flint import fmpq

from orca_exact.errors import BadParameter
from orca_exact.files.formats import read_shipped, write
from orca_exact.numbers.rationals import QQ, format_interval, format_rational
from orca_exact.problem import Problem
from orca_exact.rocq.certificate import RocqCertificate, rocq_certificate, theory_digest
from orca_exact.rocq.claims import IndexClaim
from orca_exact.rocq.proof import Proved, prove_in_rocq, text_digest
from orca_exact.runtime.run import run_unordered

from . import datasets
from .optima import certified_row, configuration, printed_tables
from .tables import CONFIRMED, REFUTED, UNSETTLED, column_value, compare_printed, half_unit

FILE = "data/machine_checked.json"
SCHEMA = "orca-exact/machine-checked/1"
COMMAND = "python -m proofs_checks.experiments.machine_checked"
DESCRIPTION = (
    "Write a certificate in Rocq for each row, compile it and store what was proved: enclosures of the "
    "indices, N* and T, the digests of the problem, of the file and of the theory, the version of coqc and "
    "its CPU time. The files themselves contain the data and are not kept. A stored result counts only for "
    "the theory that it names."
)
FAMILIES = ("order", "even", "odd", "degree")  # those of the printed cells
_DIGITS = range(4, 13)  # decimals that are tried
Row = tuple[str, int]


@dataclass(frozen=True)
class MachineChecked:
    """The proved enclosure of one printed cell, and the verdict on the print that follows from it."""

    column: str
    printed: str
    lower: fmpq
    upper: fmpq
    proof: Mapping[str, Any]  # the stored row

    @property
    def verdict(self) -> str:
        """Apply the rounding rule of ``tables`` to the proved enclosure alone."""
        return _compare(self.printed, self.lower, self.upper)

    @property
    def value(self) -> str:
        """The proved enclosure, or the number that was proved."""
        exact = self.lower == self.upper
        return format_rational(self.lower) if exact else format_interval(self.lower, self.upper)

    @property
    def theorem(self) -> str:
        """The statement about the cell in words, and by what it was proved."""
        relation = "=" if self.lower == self.upper else "in"
        version = f"coqc {self.proof['coqc'].split()[0]}"
        return f"{self.column} {relation} {self.value}, proved by Rocq without axioms (stored; {version})"

    def to_json(self) -> dict[str, Any]:
        """Return the proof as it is written beside a cell of an orca-exact/tables/1."""
        keys = ("coqc", "theory", "file", "assumptions")
        return {"verdict": self.verdict, "value": self.value} | {key: self.proof[key] for key in keys}


def _compare(printed: str, lower: fmpq, upper: fmpq) -> str:
    if printed.isdigit():
        return UNSETTLED if lower != upper else CONFIRMED if lower == QQ(printed) else REFUTED
    low, high = QQ(printed) - half_unit(printed), QQ(printed) + half_unit(printed)
    return (
        REFUTED if upper < low or lower > high else CONFIRMED if low <= lower and upper <= high else UNSETTLED
    )


# Stored results.


@lru_cache(maxsize=1)
def stored_file() -> dict[str, Any]:
    """Return the content of FILE."""
    return read_shipped(FILE, "proofs_checks")


def outdated() -> str:
    """Return why the stored results do not count, or "" if they do."""
    if not stored_file()["rows"] or stored_file()["theory"] == theory_digest():
        return ""
    return f"the theory in Rocq has changed since the cells were machine-checked; run: {COMMAND}"


@lru_cache(maxsize=1)
def _rows() -> dict[Row, dict[str, Any]]:
    return {} if outdated() else {(row["table"], row["n"]): row for row in stored_file()["rows"]}


def machine_checked_rows() -> list[Row]:
    """Return the rows whose proofs are stored and belong to the present theory."""
    return list(_rows())


def stored_proof(row: Row) -> dict[str, Any]:
    """Return what is stored of the proof of a row."""
    return _rows()[row]


def machine_checked_cell(id: str, n: int, column: str) -> MachineChecked | None:
    """Return what Rocq proved of a printed cell, or None if its row has not been checked."""
    row = _rows().get((id, n))
    if row is None:
        return None
    wanted = column.rstrip("0") if column.startswith("T_") else column
    claim = next((claim for claim in row["claims"] if claim["index"] == wanted), None)
    if claim is None:
        return None
    ends = (claim.get("lower", claim.get("value")), claim.get("upper", claim.get("value")))
    lower, upper = (QQ(end) for end in ends)
    return MachineChecked(column, _cells((id, n))[column], lower, upper, row)


def find_machine_checked(claim: str) -> MachineChecked | None:
    """Return what Rocq proved of the cell that a claim is about, or None."""
    found = re.match(r"(tab-[\w-]+)/n=(\d+)/([^/]+)", claim)
    return machine_checked_cell(found[1], int(found[2]), found[3]) if found else None


def machine_checked_cells(row: Row) -> Iterator[MachineChecked]:
    """Yield what Rocq proved of the cells of a row."""
    for column in printed_tables()[row[0]]["columns"]:
        if (found := machine_checked_cell(*row, column)) is not None:
            yield found


# Making them.


def echocardiogram_rows() -> list[Row]:
    """Return the rows of Tables 4 to 6: those with a refuted cell first, then by n."""
    tables = {id: table for id, table in printed_tables().items() if table["dataset"] == "echocardiogram"}
    rows = [(id, row["n"]) for id, table in tables.items() for row in table["rows"]]
    return sorted(rows, key=lambda row: (not _has_refuted_cell(row), row[1]))


def _cells(row: Row) -> dict[str, str]:
    table = printed_tables()[row[0]]
    return dict(
        zip(table["columns"], next(r["cells"] for r in table["rows"] if r["n"] == row[1]), strict=True)
    )


def _has_refuted_cell(row: Row) -> bool:
    found = certified_row(*row)
    return any(
        compare_printed(text, column_value(found, column)) == REFUTED for column, text in _cells(row).items()
    )


def row_problem(row: Row) -> Problem:
    """Return the problem of a row."""
    table = printed_tables()[row[0]]
    return configuration(table["dataset"], row[1], table["alpha"], table["beta"], table["C"])


def row_certificate(row: Row) -> RocqCertificate:
    """Return the certificate of a row with the fewest decimals that decide its cells."""
    problem = row_problem(row)
    for digits in _DIGITS:
        found = rocq_certificate(problem, "gap", digits, families=FAMILIES)
        if all(verdict != UNSETTLED for verdict in _verdicts(row, found)):
            break
    return found


def _verdicts(row: Row, certificate: RocqCertificate) -> Iterator[str]:
    claims = {claim.label: claim for claim in certificate.claims}
    for column, printed in _cells(row).items():
        claim = claims.get(column.rstrip("0") if column.startswith("T_") else column)
        if isinstance(claim, IndexClaim):
            yield _compare(printed, claim.lower, claim.upper)
        elif claim is None:
            yield UNSETTLED


def prove_row(table: str, n: int) -> dict[str, Any]:
    """Compile the certificate of a row and return what is stored of it."""
    proved: Proved = prove_in_rocq(row_certificate((table, n)))
    data = proved.to_json()
    del data["assumed"]  # lambda, which follows from the weight of the table
    kept = [claim for claim in data.pop("claims") if not claim["index"].startswith("N=")]
    problem, body = proved.certificate.problem.sha256, proved.certificate.body()
    own = {"file": text_digest(body), "bytes": len(body)}  # without comments, which prove nothing
    return {"table": table, "n": n, "problem": problem} | data | own | {"claims": kept}


def store(rows: Sequence[dict[str, Any]]) -> None:
    """Write FILE, with one line for each row."""
    ordered = sorted(rows, key=lambda row: (printed_tables()[row["table"]]["number"], row["n"]))
    head = {
        "schema": SCHEMA, "command": COMMAND, "data": datasets.echocardiogram().sha256,
        "theory": theory_digest(),
    }  # fmt: skip
    lines = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
    body = ",\n  ".join(json.dumps(row) for row in ordered)
    text = "{" + ",\n ".join(lines) + f',\n "rows": [\n  {body}\n ]}}\n'
    write(Path(str(files("proofs_checks"))) / FILE, text)


def main(argv: Sequence[str] | None = None) -> int:
    """Prove the rows that are not stored yet, and store each as soon as it is proved."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=DESCRIPTION)
    parser.add_argument("--rows", nargs="*", metavar="TABLE/n=N", help="rows such as tab-echo-legendre/n=2")
    parser.add_argument("--up-to", type=int, default=10, metavar="N", help="the largest n (default 10)")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="number of processes (default 1)")
    args = parser.parse_args(argv)
    named = {f"{id}/n={n}": (id, n) for id, n in echocardiogram_rows()}
    if unknown := set(args.rows or ()) - set(named):
        raise BadParameter("--rows", ", ".join(sorted(unknown)), "is no row", f"choose of {', '.join(named)}")
    wanted = [named[name] for name in args.rows or named if args.rows or named[name][1] <= args.up_to]
    done = {row: stored for row, stored in _rows().items() if stored["problem"] == row_problem(row).sha256}
    tasks = {row: row for row in wanted if row not in done}
    print(f"rows that are stored: {len(done)}; to be proved: {len(tasks)}", file=sys.stderr, flush=True)
    with closing(run_unordered(prove_row, tasks, args.jobs)) as results:
        for count, (row, proved) in enumerate(results, 1):
            done[row] = proved
            store(list(done.values()))
            text = f"{row[0]}/n={row[1]}: {proved['seconds']} s of CPU time, {proved['bytes']} bytes"
            print(f"{count} of {len(tasks)}: {text}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
