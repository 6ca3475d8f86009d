"""Fuzz the readers, the checker, paths, fitted models and tables, for a number of trials or of seconds."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from .targets import TARGETS, Finding

CORPUS = Path(__file__).resolve().parents[2] / "tests" / "project" / "corpus"
DESCRIPTION = "Fuzz readers, the checker, paths, models and tables, for a number of trials or of seconds."
LONGEST = 20  # seconds of CPU time of a trial
LARGEST = 3000  # characters of an input that is stored


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise Finding if the block takes more CPU time."""

    def stop(*_: object) -> None:
        raise Finding(f"it takes more than {seconds} s of CPU time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def attempt(target: str, data: Any) -> str:
    """Return the outcome of one trial, or "FINDING: ..."."""
    try:
        with limited(LONGEST):
            return TARGETS[target][1](data)
    except Exception as error:
        return f"FINDING: {type(error).__name__}: {error}"


def load_corpus(target: str) -> list[dict]:
    """Return the stored inputs of a target, each with its outcome."""
    file = CORPUS / f"{target}.jsonl"
    return (
        [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Return 0 if nothing was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=DESCRIPTION)
    parser.add_argument("targets", nargs="*", help=f"what to fuzz: {', '.join(TARGETS)} (default all)")
    parser.add_argument("--count", type=int, default=300, help="trials of each target (default 300)")
    parser.add_argument("--seconds", type=float, help="CPU seconds of each target, instead of a count")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    parser.add_argument("--save", action="store_true", help="store one small input for each new outcome")
    args = parser.parse_args(argv)
    if unknown := {*args.targets} - {*TARGETS}:
        parser.error(f"there is no target {', '.join(sorted(unknown))}")
    found = 0
    for target in args.targets or TARGETS:
        corpus = load_corpus(target)
        known = {(entry["input"].get("kind"), entry["outcome"]) for entry in corpus}
        outcomes, start, seed = Counter[str](), time.process_time(), args.first
        while time.process_time() - start < args.seconds if args.seconds else seed < args.first + args.count:
            data = TARGETS[target][0](Random(f"{target} {seed}"))
            outcome = attempt(target, data)
            if outcome.startswith("FINDING"):
                found += 1
                print(f"{target}, seed {seed}: {outcome}", flush=True)
            outcomes[outcome.partition(":")[0]] += 1
            kind = data.get("kind") if isinstance(data, dict) else None
            text = json.dumps({"outcome": outcome, "input": data})
            if (kind, outcome) not in known and len(text) < LARGEST:
                known.add((kind, outcome))
                corpus.append(json.loads(text))
            seed += 1
        spent = time.process_time() - start
        listed = ", ".join(f"{name} {count}" for name, count in outcomes.most_common())
        print(f"{target}: {seed - args.first} trials in {spent:.0f} s of CPU time: {listed}", flush=True)
        if args.save:
            CORPUS.mkdir(parents=True, exist_ok=True)
            lines = [json.dumps(entry) for entry in corpus]
            (CORPUS / f"{target}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
