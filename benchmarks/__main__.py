"""The command ``python -m benchmarks [WHAT] [--quick | --full] [-o DIR]``; see ``--help``."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from . import (
    certificates,
    cluster,
    comparison,
    draw,
    growth,
    paths,
    peers,
    polynomials,
    profiles,
    show,
    studies,
    targets,
)
from .measure import Timing

PACKAGES = ("orca-exact", "python-flint", "numpy", "scipy", "scikit-learn", "sympy", "mpmath", "cvxpy")
WHOLE = ("verify", "tables spiral --no-cache")


def parts(quick: bool, full: bool) -> dict[str, Callable[[], Iterable]]:
    """Return the measurements by their names in results.json; ``quick`` has small sizes, ``full`` all."""
    budget = 1 if quick else 10
    whole = (*WHOLE, *(("tables echocardiogram --no-cache",) if _echocardiogram() else ()))
    return {
        "races": lambda: [
            polynomials.values(budget=budget),
            polynomials.digits(40 if quick else 100, budget=budget),
            *polynomials.exact(15 if quick else 30, budget=budget),
            studies.shuffled(5 if quick else 20, budget=budget),
        ],
        "curves": lambda: profiles.curves(quick),
        "single": lambda: _timed(profiles.single(quick) + (certificates.largest() if full else [])),
        "certificates": lambda: certificates.by_size([20, 40, 80] if quick else [25, 50, 100, 200]),
        "whole": lambda: _timed(certificates.whole(*whole) if full else []),
    }


def _timed(pairs: list[tuple[str, Timing]]) -> list[dict]:
    return [{"task": task} | asdict(timing) for task, timing in pairs]


def _echocardiogram() -> bool:
    from orca_exact.errors import OrcaError
    from proofs_checks.experiments.datasets import echocardiogram

    try:
        echocardiogram()
    except OrcaError:
        return False
    return True


def machine() -> dict:
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
    } | {name: version(name) for name in PACKAGES}


def run(quick: bool = False, full: bool = False, progress: Callable[[str], Any] = lambda text: None) -> dict:
    data: dict[str, Any] = {"mode": "full" if full else "quick" if quick else "normal", "machine": machine()}
    start = time.perf_counter()
    for name, measure in parts(quick, full).items():
        progress(f"measuring {name} ...")
        data[name] = [row if isinstance(row, dict) else row.to_json() for row in measure()]
    return data | {"seconds": round(time.perf_counter() - start, 1)}


def by_size(what: str, quick: bool, progress: Callable[[str], Any]) -> dict:
    """Measure ``growth`` or ``targets``, each point in a process with limits, or one of the others."""
    command = f"python -m benchmarks {what}" + " --quick" * quick
    start = time.perf_counter()
    if what == "growth":
        found = growth.run(growth.sweeps(quick), progress)
        progress("paths in C ...")
        found["paths"] = paths.by_size([10, 20, 40] if quick else [20, 40, 80, 160])
    elif what == "targets":
        found = targets.run(progress, quick=quick)
    elif what == "cluster":
        found = cluster.run(progress, quick)
    elif what == "peers":
        found = peers.run(progress, quick)
    else:
        found = comparison.run(progress, quick)
    mode = "quick" if quick else "normal"
    spent = round(time.perf_counter() - start, 1)
    return {"command": command, "mode": mode, "machine": machine()} | found | {"seconds": spent}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure this package against alternatives; print tables and write JSON and pictures.",
    )
    parser.add_argument(
        "what",
        nargs="?",
        choices=("results", "growth", "targets", "cluster", "peers", "comparison"),
        default="results",
        help="what to measure (default: results)",
    )
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument(
        "--quick",
        action="store_true",
        help="measure small sizes only (half a minute; growth and targets take some minutes)",
    )
    depth.add_argument(
        "--full", action="store_true", help="also measure the paper's largest size and complete commands"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("build/benchmarks"),
        metavar="DIR",
        help="folder for JSON and pictures",
    )
    args = parser.parse_args(argv)

    def progress(text: str) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{text}")

    whole = args.what == "results"
    data = run(args.quick, args.full, progress) if whole else by_size(args.what, args.quick, progress)
    progress("")
    args.output.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, ensure_ascii=False, indent=1)
    (args.output / f"{args.what}.json").write_text(text + "\n", encoding="utf-8")
    if whole:
        show.plot(data, args.output / "results.png")
    elif args.what == "growth":
        draw.draw(data, args.output)
    from rich.console import Console

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 140)
    show.tables(data, console)
    if args.what == "growth":
        console.print(growth.verdict(data))
    console.print(f"{show.METHOD[args.what]} The run took {data['seconds']:.0f} s. Written: {args.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
