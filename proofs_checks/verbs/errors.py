"""``errors``: the errors of the paper as errata for its authors or an editor; nothing is computed."""

from __future__ import annotations

import argparse
import csv
import io

from orca_exact.cli.page import Grid, Page
from orca_exact.cli.parser import add_format
from orca_exact.cli.terminal import Output
from orca_exact.files.escaping import for_csv, for_latex

EXAMPLES = (
    "orca-exact errors",
    "orca-exact errors --format csv",
    "orca-exact errors --format latex",
)
HEADINGS = ("kind", "place", "the paper states", "correct is", "why", "claim")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_format(parser, "csv", "latex")


def run(args: argparse.Namespace, out: Output) -> int:
    rows = errata()
    if args.format == "json":
        out.json([dict(zip(HEADINGS, row, strict=True)) for row in rows])
    elif args.format == "csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([HEADINGS, *(map(for_csv, row) for row in rows)])
        out.print(stream.getvalue().removesuffix("\n"))
    elif args.format == "latex":
        out.print(latex(rows))
    elif args.format == "markdown":
        grid = Grid(HEADINGS[:4], [row[:4] for row in rows], left=range(4))
        Page(f"{len(rows)} errors of the paper", [], [grid]).show(out, args.format)
    else:
        _text(out, rows)
    return 0


def errata() -> list[tuple[str, ...]]:
    """Return the errors by consequence: kind, place, statement, correction, reason and claim."""
    from ..ledger.claims import claims
    from ..ledger.summary import recorded
    from ..letter import statement_text

    known = {c.id: c for c in claims()}
    rows: list[tuple[str, ...]] = []
    for error in recorded().errors:
        cited = error.cells or (error.first,)
        states = "; ".join(statement_text(c) for c in cited)
        right = "; ".join(dict.fromkeys(statement_text(known[c.correction]) for c in cited))
        first = error.first
        rows.append((error.severity, first.place, states, right, first.plain, first.id))
    return rows


def _text(out: Output, rows: list[tuple[str, ...]]) -> None:
    for number, (kind, place, states, right, _, id) in enumerate(rows, 1):
        out.print(f"{number}. {place} [{kind}]")
        out.print(f"   states:  {states}")
        out.print(f"   correct: {right}")
        out.print(f"   orca-exact explain '{id}'")


def latex(rows: list[tuple[str, ...]]) -> str:
    """Return the errata as an enumerate environment, with all signs escaped."""
    items = [
        rf"\item \textbf{{{for_latex(place)}}} ({kind}). The paper states: {for_latex(states)}. "
        rf"Correct is: {for_latex(right)}. {for_latex(why)}"
        for kind, place, states, right, why, _ in rows
    ]
    return "\n".join([r"\begin{enumerate}", *items, r"\end{enumerate}"])
