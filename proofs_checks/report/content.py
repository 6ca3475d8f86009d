"""The content of a report: verdicts, tables, certificates, figures and versions."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory

from orca_exact.errors import DataMissing
from orca_exact.files.formats import read_bytes
from orca_exact.runtime.installation import installation_facts

from ..experiments.optima import Certified, certify_all, printed_tables, table_problems
from ..experiments.stored import StoredRow, stored_row
from ..experiments.tables import Cell, PrintIntervals, judge_table, same_print_intervals
from ..ledger.claims import Claim, Verdict, claims
from ..ledger.running import verify
from ..ledger.summary import count_skipped


@dataclass(frozen=True)
class Figure:
    """A figure as an SVG file written by matplotlib."""

    name: str
    svg: bytes


@dataclass(frozen=True)
class Content:
    """Everything that the page shows."""

    verdicts: list[tuple[Claim, Verdict]]
    tables: list[tuple[dict, list[list[Cell]]]] = field(default_factory=list)
    results: list[Certified] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)  # the reason, by table or figure
    not_judged: dict[str, int] = field(default_factory=dict)  # the number of claims, by reason
    versions: dict[str, str] = field(default_factory=dict)
    section: str | None = None
    seconds: float = 0.0
    same: PrintIntervals = field(default_factory=dict)  # interval of C with the same printed row, by row


def compute_content(
    section: str | None = None,
    jobs: int = 1,
    figures: bool = True,
    absent: Mapping[str, str] | None = None,
    progress: Callable[[str], None] | None = None,
    scheduler: str | None = None,
) -> Content:
    """Compute the content of a report, or the part of it that belongs to one section.

    Tables and figures belong to section 6. ``absent`` replaces reasons why something is omitted by better
    ones: {reason: better reason}.
    """
    report = progress or (lambda message: None)
    start = time.perf_counter()
    chosen = {c.id: c for c in claims(section=section)}
    judged, results, pictures, skipped = [], [], [], {}  # type: ignore[var-annotated]
    same: PrintIntervals = {}
    if has_tables(section):
        judged, results, skipped = _tables(jobs, scheduler, report)
        if any(r.problem.id.startswith("echocardiogram") for r in results):
            same = same_print_intervals("echocardiogram", None, jobs, True, report, scheduler)
        if figures:
            pictures, undrawn = _figures(jobs, scheduler, report)
            skipped |= undrawn
    verdicts = [(chosen[v.claim], v) for v in verify((), section, jobs, report, scheduler=scheduler)]
    better = absent or {}
    return Content(
        verdicts,
        judged,
        results,
        pictures,
        {name: better.get(why, why) for name, why in skipped.items()},
        count_skipped([v for _, v in verdicts], better),
        installation_facts(solvers=False),
        section,
        time.perf_counter() - start,
        same,
    )


def has_tables(section: str | None) -> bool:
    """Return whether tables and figures belong to the section."""
    return section is None or section.startswith("6")


def _tables(
    jobs: int, scheduler: str | None, report: Callable[[str], None]
) -> tuple[list, list[Certified], dict[str, str]]:
    """Judge the printed tables; where the data are missing, from stored certified values."""
    problems, skipped = {}, {}
    for id, table in printed_tables().items():
        try:
            problems[id] = table_problems(table)
        except DataMissing as error:
            skipped[f"certificates of Table {table['number']}"] = str(error)
    everything = [p for group in problems.values() for p in group]
    results = certify_all(everything, jobs, progress=report, scheduler=scheduler)
    certified, judged = iter(results), []
    for id, table in printed_tables().items():
        rows: list[Certified | StoredRow] = [
            next(certified) if id in problems else stored_row(id, row["n"]) for row in table["rows"]
        ]
        judged.append((table, judge_table(table, rows)))
    return judged, results, skipped


def _figures(
    jobs: int, scheduler: str | None, report: Callable[[str], None]
) -> tuple[list[Figure], dict[str, str]]:
    from ..experiments.figures import draw_figures

    with TemporaryDirectory() as folder:
        made, skipped = draw_figures(folder, jobs=jobs, progress=report, scheduler=scheduler, kinds=("svg",))
        return [Figure(file.stem, read_bytes(file)) for file in made], skipped
