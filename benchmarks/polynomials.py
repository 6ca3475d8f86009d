"""Cost of values and exact polynomials relative to SciPy, mpmath and SymPy, after a check that all agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from orca_exact import Jacobi
from orca_exact.numbers.arithmetic import arithmetic

from .measure import Race, race, timings

ALPHA, BETA = "43/10", "9/5"


def values(points: int = 100_000, n: int = 25, budget: float = 5) -> Race:
    """Compare p_0 ... p_n in float64 with one call of ``eval_jacobi`` for each degree."""
    from scipy.special import eval_jacobi

    x = np.random.default_rng(0).uniform(-1, 1, points)

    def ours() -> np.ndarray:
        return Jacobi(ALPHA, BETA).values(n, x, arithmetic("float"))

    def scipy() -> np.ndarray:
        a, b = 4.3, 1.8
        return np.array([eval_jacobi(k, a, b, x) / np.sqrt(_h(k, a, b)) for k in range(n + 1)])

    agree(ours(), scipy(), 1e-11)
    return race(f"p_0..p_{n} at {points:,} points, float64", {"orca-exact": ours, "SciPy": scipy}, budget)


def _h(k: int, a: float, b: float) -> float:
    """Return the squared norm of the classical P_k, for SciPy and mpmath, which do not normalise."""
    from math import exp, lgamma, log

    logs = lgamma(k + a + 1) + lgamma(k + b + 1) - lgamma(k + 1) - lgamma(k + a + b + 1)
    return exp((a + b + 1) * log(2) + logs) / (2 * k + a + b + 1)


def digits(points: int = 100, n: int = 25, digits: int = 50, budget: float = 5) -> Race:
    """Compare p_0 ... p_n in balls and in mpmath numbers with ``mpmath.jacobi``, to many digits."""
    import mpmath

    x = [f"{t}/1000003" for t in np.random.default_rng(1).integers(-(10**6), 10**6, points)]

    def ours(name: str) -> np.ndarray:
        A = arithmetic(name, digits)
        return Jacobi(ALPHA, BETA).values(n, A.array(x), A)

    def by_mpmath() -> list:
        mp = mpmath.MPContext()
        mp.dps = digits
        a, b = mp.mpf(43) / 10, mp.mpf(9) / 5
        h = [
            mp.mpf(2) ** (a + b + 1) / (2 * k + a + b + 1)
            * mp.gammaprod([k + a + 1, k + b + 1], [k + 1, k + a + b + 1])
            for k in range(n + 1)
        ]  # fmt: skip
        t = [mp.mpf(int(p)) / int(q) for p, q in (text.split("/") for text in x)]
        return [[mp.jacobi(k, a, b, u) / mp.sqrt(h[k]) for u in t] for k in range(n + 1)]

    contenders = {"orca-exact, balls": lambda: ours("ball"), "orca-exact, mp": lambda: ours("mp"),
                  "mpmath": by_mpmath}  # fmt: skip
    reference = np.array(by_mpmath(), dtype=float)
    for name in ("ball", "mp"):
        agree(ours(name), reference, 1e-13)
    return race(f"p_0..p_{n} at {points:,} points, {digits} digits", contenders, budget, "balls are proved")


def exact(n: int = 30, budget: float = 5) -> tuple[Race, Race]:
    """Compare exact p_0 ... p_n with SymPy: as pairs (π_k, h_k), and with the square roots written out."""
    import sympy

    x = sympy.Symbol("x")
    a, b = sympy.Rational(43, 10), sympy.Rational(9, 5)

    def pairs() -> list:
        J = Jacobi(ALPHA, BETA)
        return [(J.polynomial(k), J.h(k)) for k in range(n + 1)]

    def expressions() -> list:
        J = Jacobi(ALPHA, BETA)
        return [J.orthonormal(k) for k in range(n + 1)]

    def by_sympy() -> list:
        return [sympy.jacobi_normalized(k, a, b, x).expand() for k in range(n + 1)]

    def classical() -> list:
        return [sympy.jacobi_poly(k, a, b, x, polys=True) for k in range(n + 1)]

    point = sympy.Rational(1, 3)
    theirs = [float(p.subs(x, point)) for p in by_sympy()]
    agree([float(p.subs(x, point)) for p in expressions()], theirs, 1e-12)
    agree([float(p.eval(point)) / float(h) ** 0.5 for p, h in pairs()], theirs, 1e-12)
    contenders = {"orca-exact": pairs, "written out": expressions, "SymPy, jacobi_normalized": by_sympy,
                  "SymPy, jacobi_poly": classical}  # fmt: skip
    ours, written, normalized, unnormalized = timings(contenders, budget).values()
    weight = f"at ({ALPHA}, {BETA})"
    return (
        Race(f"exact (π_k, h_k), k = 0..{n}, {weight}", ours, (normalized, unnormalized),
             "jacobi_poly gives no norms"),
        Race(f"exact p_k, k = 0..{n}, {weight}", replace(written, name="orca-exact"), (normalized,),
             "roots written out"),
    )  # fmt: skip


def agree(ours: Any, theirs: Any, tolerance: float) -> None:
    """Raise AssertionError unless the results of two programs agree."""
    ours, theirs = np.array(ours, dtype=float), np.array(theirs, dtype=float)
    worst = float(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))
    if not worst <= tolerance:
        raise AssertionError(f"results differ by {worst:.1e} of the largest value, more than {tolerance:.0e}")
