"""Cost of the path in C relative to one certificate, and its number of segments."""

from __future__ import annotations

from functools import partial

from orca_exact import Problem, certify, path

from .contenders import data
from .measure import fitted, measured


def by_size(sizes: list[int], d: int = 3, n: int = 3) -> dict:
    """Measure segments and CPU seconds of the path for all C in balls, and those of one certificate."""
    rows = []
    for m in [24, *sizes]:  # the first run loads libraries and is discarded
        X, y = data(m, d)
        problem = Problem(X, y, n, 0, 0)
        one, _ = measured(partial(certify, problem, level="ball"))
        all_, peak = measured(partial(path, problem))
        rows.append({"m": m, "segments": len(path(problem)), "certify": one, "path": all_, "peak": peak})
    rows = rows[1:]
    segments = [row["segments"] for row in rows]
    return {
        "d": d,
        "n": n,
        "rows": rows,
        "segments": fitted(sizes, segments),
        "seconds": fitted(segments, [row["path"] for row in rows]),
    }
