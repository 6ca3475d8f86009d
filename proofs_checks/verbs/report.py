"""``report``: one offline page of everything: ledger, tables, figures, certificates, versions."""

from __future__ import annotations

import argparse
from pathlib import Path

from orca_exact.cli.parser import add_format, add_jobs, add_offline, add_paper, output_path
from orca_exact.cli.terminal import Output
from orca_exact.errors import BadFile
from orca_exact.files.formats import write

from .counts import apart, count_words
from .fetch import fetch

EXAMPLES = (
    "orca-exact report -o report.html",
    "orca-exact report --section 7 --no-figures -o section7.html",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=output_path,
        metavar="FILE",
        default="report.html",
        help="(default report.html)",
    )
    parser.add_argument(
        "--section", metavar="N", help="only one section's claims; tables and figures are of section 6"
    )
    parser.add_argument("--no-figures", action="store_true", help="leave the figures out")
    add_paper(parser)
    add_jobs(parser)
    add_offline(parser)
    parser.add_argument("--strict", action="store_true", help="claims recorded as refuted fail the run too")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ..experiments import tables
    from ..ledger.places import source
    from ..ledger.running import exit_code
    from ..ledger.summary import summary
    from ..report.content import gather, has_tables
    from ..report.html import render, require

    require()
    file = Path(args.output)
    if file.is_dir() or not file.parent.is_dir():  # known now, not after minutes
        raise BadFile(file, "is a folder or has none around it", "name a file such as report.html")
    copy = source(args.paper)
    absent = fetch(out, args.offline) if has_tables(args.section) else {}
    content = gather(args.section, args.jobs, not args.no_figures, absent, out.progress, args.scheduler)
    out.progress("setting the page ...")
    write(file, render(content, copy))
    out.progress("")
    number = summary(content.verdicts)
    code = exit_code([v for _, v in content.verdicts], args.strict)
    found = {
        "file": str(file),
        "bytes": file.stat().st_size,
        "claims": number.counts,
        "extents": number.extents,
        "errors": number.to_json()["errors"],
        "cells": tables.counts(content.tables),
        "certificates": len(content.results),
        "figures": len(content.figures),
        "skipped": content.skipped,
        "not_judged": [{"claims": n, "why": why} for why, n in content.not_judged.items()],
    }
    if args.format == "json":
        out.json(found | {"exit_code": code})
        return code
    bullet = "- " if args.format == "markdown" else ""
    for line in _lines(found, [count_words(number), *apart(number)]):
        out.print(bullet + line)
    return code


def _lines(found: dict, counted: list[str]) -> list[str]:
    lines = [
        f"{found['file']}: {found['bytes'] / 1e6:.1f} MB, one page, no network needed; open it in a browser",
        *counted,
    ]
    if found["certificates"]:
        cells = ", ".join(f"{n} {verdict}" for verdict, n in found["cells"].items())
        lines.append(
            f"table cells: {cells}; {found['certificates']} certificates; {found['figures']} figures"
        )
    left = {entry["why"]: [f"{entry['claims']} claims"] for entry in found["not_judged"]}
    for name, why in found["skipped"].items():
        left.setdefault(why, []).append(name)
    return lines + [f"left out: {', '.join(names)}: {why}" for why, names in left.items()]
