"""``figures``: the paper's two figures and what it lacks, as PNG and SVG."""

from __future__ import annotations

import argparse

from .. import Output, add_format
from .tables import add_running

HELP = "draw the paper's figures, and the spectra it lacks, from certified classifiers"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="folder for PNG and SVG")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="draw these figures only")
    parser.add_argument("--data", metavar="FILE", help="the echocardiogram data, or their folder")
    add_running(parser)
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...paper.figures import draw

    made, skipped = draw(args.output, args.only, args.data, args.jobs, not args.no_cache, out.progress)
    out.progress("")
    if args.format == "json":
        out.json({"files": [str(file) for file in made], "skipped": skipped})
        return 0
    bullet = "- " if args.format == "markdown" else ""
    for file in made:
        out.print(f"{bullet}{file}")
    for name, why in skipped.items():
        out.print(f"{bullet}{name}: skipped, {why}")
    return 0
