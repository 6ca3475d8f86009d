"""CPU seconds and memory of functions, run alternately so that other load affects all of them equally."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

MIB = 2**20


@dataclass(frozen=True)
class Timing:
    """The least CPU seconds of ``runs``, and the increase of resident memory in the first run, in MiB."""

    name: str
    seconds: float
    runs: int
    peak: float


@dataclass(frozen=True)
class Race:
    """The timings of this package and of others for the same task in the same run."""

    task: str
    ours: Timing
    others: tuple[Timing, ...]
    note: str = ""

    def ratio(self, other: Timing) -> float:
        return other.seconds / self.ours.seconds

    def to_json(self) -> dict:
        others = [asdict(other) | {"ratio": self.ratio(other)} for other in self.others]
        return {"task": self.task, "note": self.note, "ours": asdict(self.ours), "others": others}


def timings(
    contenders: dict[str, Callable[[], Any]], budget: float = 5, rounds: int = 25
) -> dict[str, Timing]:
    """Run all alternately, each at least once, for ``budget`` seconds or at most ``rounds`` rounds."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    start = time.perf_counter()
    for count in range(rounds):
        for name, contender in contenders.items():
            runs[name].append(measured(contender, memory=count == 0))
        if time.perf_counter() - start > budget:
            break
    return {
        name: Timing(name, min(s for s, _ in found), len(found), max(peak for _, peak in found))
        for name, found in runs.items()
    }


def race(task: str, contenders: dict[str, Callable[[], Any]], budget: float = 5, note: str = "") -> Race:
    ours, *others = timings(contenders, budget).values()
    return Race(task, ours, tuple(others), note)


def measured(function: Callable[[], Any], memory: bool = True) -> tuple[float, float]:
    """Return the CPU seconds and the increase of resident memory in MiB; caches are emptied first."""
    forget()
    gc.collect()
    before = _reset_peak() if memory else _peak()
    start = time.process_time()
    function()
    seconds = time.process_time() - start
    return seconds, max(0.0, _peak() - before)


def forget() -> None:
    """Empty the caches of SymPy and of this package, so that every run does all of its work."""
    from sympy.core.cache import clear_cache

    from proofs_checks.ledger.mutants import clear_caches

    clear_cache()
    clear_caches()


def _reset_peak() -> float:
    """Return freed memory to the system and reset the peak of resident memory, if this is Linux."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    return _peak()


def _peak() -> float:
    """Return the peak of resident memory, in MiB."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.split("VmHWM:")[1].split()[0]) / 1024
    except (OSError, IndexError):
        import resource
        import sys

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (MIB if sys.platform == "darwin" else 1024)


def fitted(sizes: list[int], seconds: list[float], exponential: bool = False) -> float:
    """Return p of seconds ~ size^p, or f of seconds ~ f^size if ``exponential``, by least squares.

    Only the larger half of the sizes counts (at least three), because small sizes measure overhead.
    """
    import numpy as np

    keep = max(3, (len(sizes) + 1) // 2)
    x = np.array(sizes[-keep:], dtype=float)
    slope = np.polyfit(x if exponential else np.log(x), np.log(seconds[-keep:]), 1)[0]
    return float(np.exp(slope) if exponential else slope)
