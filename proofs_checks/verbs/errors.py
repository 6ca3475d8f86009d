"""``errors``: the errors of the paper as errata for its authors or an editor; nothing is computed."""

from __future__ import annotations

import argparse
import csv
import io
from datetime import UTC, datetime
from textwrap import wrap

from orca_exact.cli.page import Grid, Page
from orca_exact.cli.parser import add_format
from orca_exact.cli.terminal import Output
from orca_exact.files.escaping import for_csv, for_latex

from ..ledger.errata import Erratum, citation, errata
from ..letter import KINDS
from ..mathtext import to_latex
from .options import add_paper

EXAMPLES = (
    "orca-exact errors",
    "orca-exact errors --cite",
    "orca-exact errors --format csv",
    "orca-exact errors --format latex",
)
HEADINGS = ("kind", "place", "the paper", "we read this as", "it fails", "it holds in this form", "claim")
QUOTED_WIDTH = 80  # characters of a line of the paper's source
OTHER_COPY = "the file is not the source that the ledger refers to, so no sentence is quoted"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cite", action="store_true", help="check each sentence and print a line that cites its verdict"
    )
    add_paper(parser)
    add_format(parser, "csv", "latex")


def run(args: argparse.Namespace, out: Output) -> int:
    from ..ledger.places import read_source
    from ..ledger.summary import recorded

    copy = read_source(args.paper)
    found = errata(recorded(), copy=copy)
    cited = _cite(found, out) if args.cite else {}
    if copy and not copy.same:
        out.inform(OTHER_COPY)
    if args.format == "json":
        out.json([e.to_json() | ({"cite": cited[e.claim.id]} if cited else {}) for e in found])
    elif args.format == "csv":
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows([HEADINGS, *(map(for_csv, _row(e)) for e in found)])
        out.print(stream.getvalue().removesuffix("\n"))
    elif args.format == "latex":
        out.print(latex(found))
    elif args.format == "markdown":
        chosen = (0, 1, 3, 5)
        grid = Grid(
            [HEADINGS[k] for k in chosen], [[_row(e)[k] for k in chosen] for e in found], left=range(4)
        )
        Page(_title(found), [], [grid]).show(out, args.format)
    else:
        _text(out, found, cited)
    return 0


def _cite(found: list[Erratum], out: Output) -> dict[str, str]:
    """Return the line that cites the verdict of each sentence, by claim."""
    cited, today = {}, datetime.now(UTC).date()
    for number, e in enumerate(found, 1):
        out.progress(f"checking sentence {number} of {len(found)} ...")
        cited[e.claim.id] = citation(e.claim.run(), today)
    out.progress("")
    return cited


def _title(found: list[Erratum]) -> str:
    slips = sum(e.slip for e in found)
    return f"{len(found) - slips} errors of the paper, and {slips} slips of print and grammar"


def _row(e: Erratum) -> tuple[str, ...]:
    holds = " ".join(said.text for _, said in e.replacements)
    return (e.severity, e.place, e.words, e.reading.text, e.failure, holds, e.claim.id)


def _text(out: Output, found: list[Erratum], cited: dict[str, str]) -> None:
    kind = ""
    for number, e in enumerate(found, 1):
        if e.severity != kind:
            kind = e.severity
            title, text = KINDS[kind]
            out.print("\n" * (number > 1) + f"{title}. {text}")
        out.print(f"\n{number}. {e.place}")
        for line in e.lines():
            if line.text:
                out.print(f"   {line.label}: {line.text}")
        out.print("   " + cited.get(e.claim.id, f"orca-exact claim '{e.claim.id}'"))


def latex(found: list[Erratum]) -> str:
    """Return the errata as an enumerate environment, with formulas between dollars."""
    return "\n".join([r"\begin{enumerate}", *map(_item, found), r"\end{enumerate}"])


def quote_latex(text: str) -> str:
    """Return lines of the paper's source so that they are shown, and not typeset, by LaTeX."""
    lines = "\n".join(wrap(text.replace(r"\end{verbatim}", ""), QUOTED_WIDTH, break_on_hyphens=False))
    return f"\n\\begin{{verbatim}}\n{lines}\n\\end{{verbatim}}"


def _item(e: Erratum) -> str:
    lines = [rf"\item \textbf{{{to_latex(e.place)}}} ({e.severity})."]
    for line in e.lines():
        if not line.text:
            continue
        said = quote_latex(line.text) if line.quoted else to_latex(line.text)
        display = f" \\[{line.display}\\]" if line.display else ""
        lines.append(f"  {for_latex(line.label)}: {said}{display}")
    return "\n".join(lines)
