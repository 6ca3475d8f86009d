"""Compare the library with the oracle on many problems, and print what was compared and what is wrong."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from .compare import Tally, compare

DESCRIPTION = (
    "Compare the library with the oracle on many problems, and print what was compared and what is wrong."
)
CHUNK = 50  # problems that a process gets at a time


def report(tally: Tally) -> str:
    """Return the counts as text."""
    lines = [f"{sum(tally.problems.values())} problems:"]
    lines += [f"  {kind}: {count}" for kind, count in sorted(tally.problems.items())]
    lines.append(f"{sum(tally.compared.values())} values and verdicts compared:")
    lines += [f"  {what}: {count}" for what, count in tally.compared.most_common()]
    lines.append("not decided:")
    lines += [f"  {what}: {count}" for what, count in tally.undecided.most_common()]
    lines.append(f"{len(tally.failures)} wrong")
    return "\n".join([*lines, *tally.failures])


def main(argv: Sequence[str] | None = None) -> int:
    """Return 0 if nothing is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.oracle", description=DESCRIPTION)
    parser.add_argument("--problems", type=int, default=10_000, help="how many problems (default 10000)")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first problem (default 0)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes (default 1)")
    parser.add_argument(
        "-o", "--output", type=Path, help="file for the counts as JSON, written as the run goes on"
    )
    args = parser.parse_args(argv)
    seeds = range(args.first, args.first + args.problems)
    tally, start = Tally(), time.monotonic()
    # not by fork, which may block if there are threads
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        for done, found in enumerate(pool.map(compare, seeds, chunksize=CHUNK), 1):
            tally.update(found)
            for failure in found.failures:
                print(failure, flush=True)
            if done % CHUNK and done < len(seeds):
                continue
            counts = f"{done} of {len(seeds)} problems, {len(tally.failures)} wrong"
            print(f"{counts}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
            if args.output:
                args.output.write_text(json.dumps(vars(tally), indent=1), encoding="utf-8")
    print(report(tally))
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
