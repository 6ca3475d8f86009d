"""``report``: one HTML page with verdicts, tables, figures, certificates and versions."""

from __future__ import annotations

import argparse
from pathlib import Path

from orca_exact.cli.page import Page
from orca_exact.cli.parser import add_format, add_jobs, output_path
from orca_exact.cli.terminal import Output
from orca_exact.errors import BadFile, pluralize
from orca_exact.files.formats import write

from .counts import add_formal, add_strict
from .fetch import download_if_missing
from .options import add_offline, add_paper

EXAMPLES = (
    "orca-exact report -o report.html",
    "orca-exact report --section 7 --no-figures -o section7.html",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    name = "report.html"
    parser.add_argument(
        "-o",
        "--output",
        type=output_path,
        metavar="FILE",
        default=name,
        help=f"file to write (default {name})",
    )
    parser.add_argument(
        "--section", metavar="N", help="only the claims of one section (tables and figures: section 6)"
    )
    parser.add_argument("--no-figures", action="store_true", help="omit the figures")
    add_formal(parser)
    add_paper(parser)
    add_jobs(parser)
    add_offline(parser)
    add_strict(parser)
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ..experiments import tables
    from ..ledger.places import read_source
    from ..ledger.running import exit_code
    from ..ledger.summary import summary
    from ..ledger.theorems import compile_all
    from ..report.content import compute_content, has_tables
    from ..report.html import render, require_packages
    from .counts import summary_table

    require_packages()
    file = Path(args.output)
    if file.is_dir() or not file.parent.is_dir():  # checked before minutes of work
        why = "this is a folder" if file.is_dir() else "its folder does not exist"
        raise BadFile(file, why, "name a file in an existing folder, such as report.html")
    copy = read_source(args.paper)
    if args.formal:
        compile_all(out.progress, args.jobs)
    absent = download_if_missing(out, args.offline) if has_tables(args.section) else {}
    content = compute_content(
        args.section, args.jobs, not args.no_figures, absent, out.progress, args.scheduler
    )
    out.progress("writing the page ...")
    write(file, render(content, copy))
    out.progress("")
    counted = summary(content.verdicts)
    code = exit_code([v for _, v in content.verdicts], args.strict)
    found = {
        "file": str(file),
        "bytes": file.stat().st_size,
        "claims": counted.counts,
        "extents": counted.extents,
        "errors": counted.to_json()["errors"],
        "stored": counted.stored,
        "cells": tables.count_verdicts(content.tables),
        "certificates": len(content.results),
        "figures": len(content.figures),
        "skipped": content.skipped,
        "not_judged": [{"claims": n, "why": why} for why, n in content.not_judged.items()],
    }
    if args.format == "json":
        out.json(found | {"exit_code": code})
        return code
    size = f"{found['bytes'] / 1e6:.1f} MB"
    facts = [f"{file}: one page of {size}, which needs no network; open it in a browser"]
    title = f"Report: {pluralize(len(content.verdicts), 'claim')}"
    Page(title, facts, [summary_table(counted)], _tail(found)).show(out, args.format)
    return code


def _tail(found: dict) -> list[str]:
    unexpected = found["claims"]["unexpected"]
    as_recorded = f"{pluralize(unexpected, 'verdict')} not as recorded; the page names them"
    lines = [as_recorded if unexpected else "Every verdict is as recorded."]
    if found["certificates"]:
        cells = ", ".join(f"{n} {verdict}" for verdict, n in found["cells"].items())
        parts = (pluralize(found[key], key.removesuffix("s")) for key in ("certificates", "figures"))
        lines += [f"Table cells: {cells}.", f"Also on the page: {' and '.join(parts)}."]
    if found["stored"]:
        lines.append(f"{pluralize(found['stored'], 'claim')} judged from stored certified values.")
    omitted: dict[str, list[str]] = {}
    for name, why in found["skipped"].items():
        omitted.setdefault(why, []).append(name)
    for entry in found["not_judged"]:
        omitted.setdefault(entry["why"], []).append(pluralize(entry["claims"], "claim"))
    return lines + [f"Omitted: {', '.join(names)}: {why}" for why, names in omitted.items()]
