"""``verify``: check the claims of the paper and print verdicts with evidence."""

from __future__ import annotations

import argparse
import time

from orca_exact.cli.parser import add_format, add_jobs, list_item
from orca_exact.cli.terminal import Output

from ..ledger.outcomes import KINDS
from .counts import add_formal, add_strict
from .fetch import download_if_missing
from .options import add_offline

EXAMPLES = (
    "orca-exact verify -j 2",
    "orca-exact verify --all -j 2",
    "orca-exact verify eq-data 'prop-*'",
    "orca-exact verify --section 3 --quiet",
    "orca-exact verify --only refuted --list",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claims", metavar="CLAIM", nargs="*", type=list_item,
        help="names, prefixes or glob patterns of claims (default: all)",
    )  # fmt: skip
    parser.add_argument("--only", choices=list(KINDS), help="only claims with this recorded outcome")
    add_formal(parser)
    parser.add_argument("--section", metavar="N", help="only one section, such as 3 or 3.1 (0: abstract)")
    add_jobs(parser)
    add_offline(parser)
    add_strict(parser)
    parser.add_argument(
        "--all", action="store_true",
        help="print every verdict; otherwise text about all claims is one screen (json, which is JSON lines, "
        "markdown and junit are always complete)",
    )  # fmt: skip
    parser.add_argument("-v", "--verbose", action="store_true", help="print all evidence of every claim")
    parser.add_argument("--list", action="store_true", help="list the claims and check nothing")
    parser.add_argument("--coverage", action="store_true", help="print the claims for each item of the paper")
    add_format(parser, "junit")


def run(args: argparse.Namespace, out: Output) -> int:
    from ..ledger import claims as ledger
    from ..ledger import running
    from ..ledger import theorems as formal
    from ..ledger.summary import count_skipped, summary
    from . import writers

    if args.coverage:
        return _coverage(out, args.format)
    chosen = ledger.claims(args.claims, args.section, args.only or "")
    if args.list:
        return _list(out, chosen, args.format)
    absent = download_if_missing(out, args.offline) if any(c.needs for c in chosen) else {}
    if args.formal:
        formal.compile_all(out.progress, args.jobs)
        out.progress("")
    short = not (args.all or args.verbose or args.claims or args.section or args.only)
    write = writers.writer(args.format, out, chosen, args.verbose, short)
    start, verdicts = time.perf_counter(), []
    for verdict in running.verify(
        args.claims, args.section, args.jobs, out.progress, args.only or "", args.scheduler
    ):
        out.progress("")
        verdicts.append(verdict)
        write.verdict(verdict)
    out.progress("")
    code, left = running.exit_code(verdicts, args.strict), count_skipped(verdicts, absent)
    found = summary(zip(chosen, verdicts, strict=True))
    write.end(verdicts, found, left, time.perf_counter() - start, code)
    return code


def _list(out: Output, chosen: list, format: str) -> int:
    if format == "json":
        out.json([{"claim": c.id, "place": c.place, "title": c.title, "expected": c.expect} for c in chosen])
        return 0
    width = max((len(c.id) for c in chosen), default=0)
    for c in chosen:
        row = (c.id, c.place, c.title) if format == "markdown" else (c.id.ljust(width), c.title)
        out.print("| " + " | ".join(row) + " |" if format == "markdown" else "  ".join(row))
    return 0


def _coverage(out: Output, format: str) -> int:
    from ..ledger.coverage import coverage

    rows = coverage()
    missing = [item for item, by in rows if not by]
    if format == "json":
        out.json([item | {"claims": by} for item, by in rows])
    elif format == "markdown":
        out.print("| item of the paper | kind | line | claims |\n|---|---|---|---|")
        for item, by in rows:
            out.print(f"| {_name(item)} | {item['kind']} | {item['line']} | {', '.join(by) or 'none'} |")
    else:
        width = max(len(_name(item)) for item, _ in rows)
        for item, by in rows:
            out.print(
                f"{item['line']:>5}  {item['kind']:<11} {_name(item).ljust(width)}  {', '.join(by) or 'NONE'}"
            )
        out.print(f"\n{len(rows)} items of the paper; {len(missing)} are not covered by a claim.")
    return 1 if missing else 0


def _name(item: dict) -> str:
    return " ".join(filter(None, (item.get("number"), item.get("label") or item["id"])))
