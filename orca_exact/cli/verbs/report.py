"""``report``: one offline page of everything: ledger, tables, figures, certificates, versions."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...errors import BadFile, BadParameter
from ...formats import write
from .. import Output, add_format

HELP = "write one self-contained HTML page: ledger, tables, figures, certificates"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html", help="(default report.html)")
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument("--quick", action="store_true", help="the default")
    depth.add_argument("--full", action="store_true", help="higher degrees, deep checks")
    parser.add_argument(
        "--section", metavar="N", help="only one section's claims; tables and figures are of section 6"
    )
    parser.add_argument("--no-figures", action="store_true", help="leave the figures out")
    parser.add_argument("-j", "--jobs", type=int, default=2, metavar="N", help="processes (default 2)")
    parser.add_argument("--strict", action="store_true", help="claims recorded as refuted fail the run too")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...paper import claims as ledger
    from ...paper import tables
    from ...report.content import gather
    from ...report.html import render, require
    from .doctor import facts

    if args.jobs < 1:
        raise BadParameter("--jobs", args.jobs, "is not positive", "try -j 2")
    require()
    file = Path(args.output)
    if file.is_dir() or not file.parent.is_dir():  # known now, not after minutes
        raise BadFile(file, "is a folder or has none around it", "name a file such as report.html")
    content = gather(args.section, args.full, args.jobs, not args.no_figures, facts(), out.progress)
    out.progress("setting the page ...")
    write(file, render(content))
    out.progress("")
    verdicts = [v for _, v in content.verdicts]
    code, number = ledger.exit_code(verdicts, args.strict), ledger.counts(verdicts)
    found = {
        "file": str(file),
        "bytes": file.stat().st_size,
        "claims": number,
        "cells": tables.counts(content.tables),
        "certificates": len(content.results),
        "figures": len(content.figures),
        "skipped": content.skipped,
    }
    if args.format == "json":
        out.json(found | {"exit_code": code})
        return code
    bullet = "- " if args.format == "markdown" else ""
    for line in _lines(found):
        out.print(bullet + line)
    return code


def _lines(found: dict) -> list[str]:
    from .verify import words

    lines = [
        f"{found['file']}: {found['bytes'] / 1e6:.1f} MB, one page, no network needed; open it in a browser",
        words(found["claims"]),
    ]
    if found["certificates"]:
        cells = ", ".join(f"{n} {verdict}" for verdict, n in found["cells"].items())
        lines.append(
            f"table cells: {cells}; {found['certificates']} certificates; {found['figures']} figures"
        )
    for why in dict.fromkeys(found["skipped"].values()):
        names = ", ".join(name for name, reason in found["skipped"].items() if reason == why)
        lines.append(f"left out: {names}: {why}")
    return lines
