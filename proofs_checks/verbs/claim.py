"""``claim``: one claim in full: what the paper states, what is checked, how, and the verdict."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import Any

from orca_exact.cli.parser import add_format
from orca_exact.cli.terminal import STYLES, Output
from orca_exact.errors import BadParameter, printable
from orca_exact.files.outcomes import SYMBOLS
from orca_exact.rocq.compiler import one_line

from .fetch import download_if_missing
from .options import add_offline, add_paper

OTHER_COPY = "this is not the file that the ledger refers to; its line numbers may differ"

EXAMPLES = (
    "orca-exact claim offset-variants",
    "orca-exact claim 'eq. (30)'",
    "orca-exact claim 'Table 4, n = 2'",
    "orca-exact claim eq-data --format markdown",
    "orca-exact claim eq-data --cite",
)
LABELS = {  # what a person reads instead of a field name
    "source": "TeX source",
    "read as": "reading",
    "in words": "in plain words",
    "same sentence": "other verdicts",
    "in general": "general proof",
    "second route": "second method",
    "mutants killed": "faults detected",
    "also covers": "covers",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claim", metavar="CLAIM",
        help="the name of a claim (verify --list lists them), or a place such as 'eq. (30)', 'Table 4, n "
        "= 2', 'line 1421' or 'Proposition 4.1'",
    )  # fmt: skip
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="also print the faults that the check must detect"
    )
    parser.add_argument(
        "--cite", action="store_true", help="print one line that cites the verdict: version, date, digest"
    )
    add_paper(parser)
    add_offline(parser)
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ..experiments.machine_checked import find_machine_checked
    from ..ledger import claims as ledger
    from ..ledger import places
    from ..ledger import theorems as formal
    from ..ledger.errata import citation
    from ..ledger.running import exit_code
    from ..ledger.summary import other_claims
    from ..ledger.verdict import STORED
    from ..samples import definitions
    from .writers import difference

    copy = places.read_source(args.paper)
    at = places.claims_at(args.claim)
    if at is not None and len(at) != 1:
        return _list(out, args.claim, at, args.format)
    found = at or ledger.claims([args.claim])
    if len(found) > 1:
        some = ", ".join(c.id for c in found[:4])
        raise BadParameter("claim", repr(args.claim), f"matches {len(found)} claims", f"name one: {some} ...")
    c = found[0]
    absent = download_if_missing(out, args.offline) if c.needs else {}
    out.progress(f"checking {c.id} ...")
    verdict = c.run()
    if args.cite:
        out.progress("")
        cited = citation(verdict, datetime.now(UTC).date())
        out.json({"claim": c.id, "cite": cited}) if args.format == "json" else out.print(cited)
        return exit_code([verdict])
    others = [(other, other.run()) for other in other_claims(c)]
    out.progress("")
    how = verdict.severity or (verdict.extent if verdict.word == verdict.outcome else "")
    fields = {
        "place": places.printed_place(c),
        "source": "\n".join(_quoted(copy, c)) if copy else "",
        "statement": c.title,
        "read as": c.reading,
        "LaTeX": c.latex,
        "verdict": verdict.word
        + (f" ({how})" if how else "")
        + ("" if verdict.as_expected else f" (UNEXPECTED: the recorded outcome is {c.expect})"),
        "in words": c.plain,
        "evidence": absent.get(verdict.evidence, verdict.evidence),
        "test problems": definitions(f"{c.plain} {c.scope} {verdict.evidence}"),
        "same sentence": "\n".join(f"{v.word}, {difference(other)} [{other.id}]" for other, v in others),
        "correction": c.correction and f"{c.correction} (orca-exact claim '{c.correction}')",
        "assumptions": c.assumptions,
        "scope": c.scope,
        "source of the values": "stored certified values, because the data are missing here"
        * (verdict.source == STORED),
        "machine-checked": cell.theorem if (cell := find_machine_checked(c.id)) else "",
        "in general": "\n".join(
            f"{t.says} [{t.name}]: {one_line(t.statement)}" for t in formal.covering(c.id)
        ),
        "second route": c.second_route,
        "mutants killed": ", ".join(c.kills) if args.verbose or args.format == "json" else "",
        "also covers": ", ".join(c.covers),
    }
    fields = {key: value for key, value in fields.items() if value}
    if args.format == "json":
        out.json({"claim": c.id} | fields | {"seconds": round(verdict.seconds, 3)})
    elif args.format == "markdown":
        out.print(f"## {c.id}\n")
        for key, value in fields.items():
            label = LABELS.get(key, key)
            if key == "source":
                out.print(f"- **{label}**:\n\n```latex\n{value}\n```\n")
            else:
                out.print(f"- **{label}**: {f'${value}$' if key == 'LaTeX' else value}")
    else:
        _terminal(out, c.id, fields, verdict.outcome, verdict.seconds)
    return exit_code([verdict])


def _list(out: Output, query: str, found: list, format: str) -> int:
    """Print the claims about a place, each with its recorded outcome."""
    if not found:
        hint = "try another place, or run 'orca-exact verify --coverage' for all places"
        raise BadParameter("claim", repr(query), "names a place without a claim", hint)
    if format == "json":
        out.json([{"claim": c.id, "place": c.place, "title": c.title, "expected": c.expect} for c in found])
        return 0
    bullet = "- " if format == "markdown" else ""
    out.print(f"{bullet}{len(found)} claims are about {query}; show one of them by its name:")
    width = max(len(c.id) for c in found)
    for c in found:
        name = f"`{c.id}`" if format == "markdown" else c.id.ljust(width)
        out.print(f"{bullet}{SYMBOLS[c.expect]} {name}  {c.title}")
    return 0


def _quoted(copy: Any, c: Any) -> list[str]:
    """Return lines of the reader's copy, escaped; '>' marks those that the place names."""
    lines = [f"{'>' if named else ' '} {k:>4}  {printable(text)}" for k, named, text in copy.quote(c)]
    return lines if copy.same else [OTHER_COPY, *lines]


def _terminal(out: Output, id: str, fields: dict[str, str], outcome: str, seconds: float) -> None:
    from rich.table import Table
    from rich.text import Text

    out.console.print(Text(id, style="bold"))
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in fields.items():
        verdict = key == "verdict"
        shown = Text(f"{SYMBOLS[outcome]} {value}", style=STYLES[outcome]) if verdict else Text(value)
        table.add_row(LABELS.get(key, key), shown)
    table.add_row("seconds", f"{seconds:.2f}")
    out.console.print(table)
