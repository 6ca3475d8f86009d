"""Cost of all blocks by generating function and by enumeration, for growing n and d."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from orca_exact import Problem, Profile
from orca_exact.kernels.modes import MAX_MODES
from orca_exact.numbers.arithmetic import arithmetic

from .measure import Timing, fitted, measured
from .polynomials import agree

ROUTES: dict[str, Callable[[Profile], Any]] = {
    "generating function": lambda profile: profile.generating.blocks,
    "enumeration": lambda profile: profile.enumeration.blocks(),
}


def points(m: int, d: int, seed: int = 0) -> tuple[list, list]:
    """Return m random points of [-1, 1]^d with three decimals, and labels by an oscillating function."""
    X = np.random.default_rng(seed).integers(-1000, 1001, (m, d))
    wave = np.sin(3 * X / 1000).sum(axis=1) + (X[:, 0] * X[:, -1]) / 10**6
    labels = np.where(wave >= np.median(wave), 1, -1)
    return [[f"{v}/1000" for v in row] for row in X.tolist()], labels.tolist()


def classifier(m: int, d: int, n: int, name: str = "float", digits: int = 50) -> Profile:
    """Return a profile of random dual coefficients, which costs the same as that of an optimum."""
    X, y = points(m, d)
    problem, A = Problem(X, y, n, "0", "0"), arithmetic(name, digits)
    alpha = np.random.default_rng(1).integers(1, 1000, m).tolist()
    s = [f"{label * a}/1000" for label, a in zip(y, alpha, strict=True)]
    return Profile(problem, A.array(s), A, problem.lambda_in(A))


@dataclass(frozen=True)
class Curve:
    """CPU seconds against n or d.

    ``growth`` is the fitted exponent, or the factor for each coordinate if enumeration is exponential in d.
    """

    task: str
    route: str
    variable: str
    sizes: list[int]
    seconds: list[float]
    peaks: list[float]
    growth: float

    def to_json(self) -> dict:
        return asdict(self)


def curve(variable: str, sizes: list[int], fixed: int, route: str, m: int, limit: float) -> Curve:
    """Measure one route for growing n or d, up to the first size that takes ``limit`` seconds."""
    done, seconds, peaks = [], [], []
    for size in sizes:
        n, d = (size, fixed) if variable == "n" else (fixed, size)
        if route == "enumeration" and (n + 1) ** d > MAX_MODES:
            break
        runs = []
        for _ in range(3):
            profile = classifier(m, d, n)
            runs.append(measured(partial(ROUTES[route], profile)))
            if runs[-1][0] > limit / 3:
                break
        done.append(size)
        seconds.append(min(time for time, _ in runs))
        peaks.append(max(peak for _, peak in runs))
        if seconds[-1] > limit:
            break
    other = "d" if variable == "n" else "n"
    growth = fitted(done, seconds, exponential=(variable, route) == ("d", "enumeration"))
    return Curve(f"{other} = {fixed}, m = {m}", route, variable, done, seconds, peaks, growth)


def curves(quick: bool = False, m: int = 60) -> list[Curve]:
    """Measure both routes for growing n at d = 4 and for growing d at n = 5."""
    ns = [5, 10, 15, 20] if quick else [5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100]
    ds = [2, 3, 4, 5] if quick else [2, 3, 4, 5, 6, 7, 8, 9, 12, 20, 30, 50]
    limit = 1 if quick else 5
    agreement = classifier(12, 3, 4)
    agree(agreement.generating.blocks, agreement.enumeration.blocks(), 1e-12)
    jobs: list[tuple[str, list[int], int]] = [("n", ns, 3 if quick else 4), ("d", ds, 5)]
    return [
        curve(variable, sizes, fixed, route, m, limit) for variable, sizes, fixed in jobs for route in ROUTES
    ]


def _modes(n: int, d: int) -> str:
    count = (n + 1) ** d
    return f"{count:,}" if count < 10**9 else f"{count:.1e}"


def single(quick: bool = False) -> list[tuple[str, Timing]]:
    """Measure the generating function for sizes of the paper and larger ones."""
    cases: list[tuple[int, int, int, str, Any]] = [(61, 5, 25, "float", 15), (61, 50, 5, "float", 15)]
    if quick:
        cases = [(30, 5, 10, "float", 15), (30, 3, 8, "ball", 50), (30, 3, 5, "exact", None)]
    else:
        cases += [(61, 5, 25, "ball", 50), (61, 3, 10, "exact", None)]
    rows = []
    for m, d, n, name, digits in cases:
        profile = classifier(m, d, n, name, digits or 50)
        seconds, peak = measured(partial(ROUTES["generating function"], profile))
        shown = f"{digits} digits" if name == "ball" else {"float": "float64", "exact": "exact"}[name]
        modes = _modes(n, d)
        task = f"all blocks (q, N), d = {d}, n = {n}, m = {m}: {modes} modes"
        rows.append((task, Timing(shown, seconds, 1, peak)))
    return rows
