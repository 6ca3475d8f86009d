"""``figures``: the paper's two figures and additional ones, as PNG and SVG."""

from __future__ import annotations

import argparse

from orca_exact.cli.page import as_item
from orca_exact.cli.parser import add_format, output_path
from orca_exact.cli.terminal import Output

from .fetch import download_if_missing
from .options import add_experiments

EXAMPLES = (
    "orca-exact figures -o figures",
    "orca-exact figures -o figures --only spectra-spiral",
)
_FIGURES = (  # the keys of experiments.figures.PLANS, which is slow to import
    "fig1",
    "fig2",
    "spectra-spiral",
    "spectra-echocardiogram",
    "blocks-spiral",
    "blocks-echocardiogram",
    "pairs-echocardiogram",
    "cumulative-spiral",
    "cumulative-echocardiogram",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", type=output_path, metavar="DIR", required=True, help="folder for PNG and SVG files"
    )
    text = f"draw these figures only: {', '.join(_FIGURES)}"
    parser.add_argument("--only", nargs="+", metavar="FIGURE", help=text)
    add_experiments(parser)
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ..experiments.figures import PLANS, draw_figures

    absent = {}
    if not args.data and any(name.endswith("echocardiogram") for name in args.only or PLANS):
        absent = download_if_missing(out, args.offline)
    made, skipped = draw_figures(
        args.output, args.only, args.data, args.jobs, not args.no_cache, out.progress, args.scheduler
    )
    out.progress("")
    skipped = {name: absent.get(why, why) for name, why in skipped.items()}
    if args.format == "json":
        out.json({"files": [str(file) for file in made], "skipped": skipped})
        return 0
    for file in made:
        out.print(as_item(str(file), args.format))
    for name, why in skipped.items():
        out.print(as_item(f"{name} was skipped: {why}", args.format))
    return 0
