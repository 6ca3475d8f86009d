"""``data``: download a data set that is not part of the package, and verify it."""

from __future__ import annotations

import argparse
from pathlib import Path

from orca_exact.cli.page import as_item
from orca_exact.cli.parser import add_format
from orca_exact.cli.terminal import Output

from ..experiments import datasets

EXAMPLES = (
    "orca-exact data echocardiogram",
    "orca-exact data echocardiogram --folder data",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", choices=["echocardiogram"])
    parser.add_argument("--url", default=datasets.UCI_URL, help="another address of the UCI archive")
    parser.add_argument("--folder", metavar="DIR", help="where to keep the file (default: the user's cache)")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    def progress(done: int, total: int | None) -> None:
        out.progress(f"downloaded {done // 1024} KiB" + (f" of {total // 1024} KiB" if total else ""))

    file: Path = datasets.download_echocardiogram(args.url, args.folder, progress)
    out.progress("")
    table = datasets.echocardiogram(file)
    found = {"file": str(file), "sha256": table.sha256, "records": len(table.y), "notes": list(table.notes)}
    if args.format == "json":
        out.json(found)
        return 0
    for line in (f"file: {file}", f"verified by SHA-256: {table.sha256}", *table.notes):
        out.print(as_item(line, args.format))
    if args.folder:
        use = f"To use this file, set ORCA_EXACT_DATA={args.folder} or pass --data {args.folder}"
        out.print(as_item(use, args.format))
    return 0
