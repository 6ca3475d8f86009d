"""``report``: one offline page of everything: ledger, tables, figures, certificates, versions."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...errors import BadFile
from ...formats import write
from ..fetch import fetch
from ..parser import add_format, add_jobs, add_offline
from ..terminal import Output, words


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html", help="(default report.html)")
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument("--quick", action="store_true", help="the default")
    depth.add_argument("--full", action="store_true", help="higher degrees, deep checks")
    parser.add_argument(
        "--section", metavar="N", help="only one section's claims; tables and figures are of section 6"
    )
    parser.add_argument("--no-figures", action="store_true", help="leave the figures out")
    add_jobs(parser)
    add_offline(parser)
    parser.add_argument("--strict", action="store_true", help="claims recorded as refuted fail the run too")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...paper import claims as ledger
    from ...paper import tables
    from ...report.content import gather, has_tables
    from ...report.html import render, require

    require()
    file = Path(args.output)
    if file.is_dir() or not file.parent.is_dir():  # known now, not after minutes
        raise BadFile(file, "is a folder or has none around it", "name a file such as report.html")
    absent = fetch(out, args.offline) if has_tables(args.section) else {}
    content = gather(args.section, args.full, args.jobs, not args.no_figures, absent, out.progress)
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
        "not_judged": [{"claims": n, "why": why} for why, n in content.not_judged.items()],
    }
    if args.format == "json":
        out.json(found | {"exit_code": code})
        return code
    bullet = "- " if args.format == "markdown" else ""
    for line in _lines(found):
        out.print(bullet + line)
    return code


def _lines(found: dict) -> list[str]:
    lines = [
        f"{found['file']}: {found['bytes'] / 1e6:.1f} MB, one page, no network needed; open it in a browser",
        words(found["claims"]),
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
