"""What an audit will cost, said before it starts, and how far it is."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterable

import numpy as np

from ..cost import certified
from .reading import Binary

MINUTE, GIGABYTE = 60.0, 1e9


def foretell(found: Iterable[Binary]) -> None:
    """A warning where all of it takes more than a minute or a gigabyte."""
    seconds, most, largest, count = 0.0, 0.0, 0, 0
    for binary in found:
        alpha = np.array([float(a) for a in binary.solution.alpha])
        free = (alpha > 0) & (alpha < np.array([float(C) for C in binary.problem.bounds]))
        proof = certified(binary.problem, int((alpha > 0).sum()), int(free.sum()))
        seconds, most = seconds + proof.seconds, max(most, proof.memory)
        largest, count = max(largest, binary.problem.m), count + 1
    if seconds > MINUTE or most > GIGABYTE:
        problems = f"{count} problems, the largest of" if count > 1 else "a problem of"
        warnings.warn(
            f"this audit will take about {seconds / 60:.0f} min and {most / 1e9:.1f} GB ({problems} "
            f"{largest} points); verbose=1 shows how far it is, explain(model) is at once, without a proof",
            UserWarning,
            stacklevel=3,
        )


class Progress:
    """Lines on stderr, with the seconds since the start, where ``verbose`` asks for them."""

    def __init__(self, verbose: bool | int):
        self.verbose, self.start = verbose, time.monotonic()

    def __call__(self, line: str) -> None:
        if self.verbose:
            print(f"[{time.monotonic() - self.start:7.1f} s] {line}", file=sys.stderr, flush=True)
