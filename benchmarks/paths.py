"""The whole path in C against one certification: segments by m, seconds by segments."""

from __future__ import annotations

from functools import partial

from orca_exact import Problem, certify, path

from .contenders import data
from .measure import fitted, measured


def by_size(sizes: list[int], d: int = 3, n: int = 3) -> dict:
    """Segments and CPU seconds of the path from C = 0 without end, in balls, beside one certificate."""
    rows = []
    for m in [24, *sizes]:  # the first pays for imports and is dropped
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
