"""Section 2, what the text says of (5) to (8): convexity, the hinge loss, the kernel matrix."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from flint import fmpq

from orca_exact.kernels import orthogonal as kernel

from .. import samples as common
from ..ledger.claims import FOR_ALL, SAMPLED, Equal, Holds, claim, mutant, patched
from ..samples import trained
from .svm_rkhs import RATIONAL


@claim(
    "intro-convex",
    place="section 1, line 75",
    title="with a positive semidefinite kernel the dual stays a concave problem, the primal a convex one",
    latex=r"D(t\alpha+(1-t)\alpha')-tD(\alpha)-(1-t)D(\alpha')"
    r"=\tfrac12t(1-t)\,(\mathbf{s}-\mathbf{s}')^{\top}K(\mathbf{s}-\mathbf{s}')\ge0",
    plain="The left side measures concavity; the right side is >= 0 for 0 <= t <= 1 because K is positive "
    "semidefinite (def-psd).",
    scope="polynomial identity in t, alpha, alpha', K free and symmetric, m = 3; the identity is quadratic, "
    "of "
    "two points at a time: any m",
    second_route="strong convexity of the primal (Svm.strong_convexity)",
    kills=("norm-not-halved",),
    extent=FOR_ALL,
)
def convex() -> Iterator:
    from sympy import Matrix, Rational, Symbol, symbols

    t, half = Symbol("t"), Rational(1, 2)
    a, c = Matrix(symbols("a:3")), Matrix(symbols("c:3"))
    K = Matrix(3, 3, lambda i, j: Symbol(f"K{min(i, j)}{max(i, j)}"))
    y = Matrix([1, -1, 1])

    def dual(v: Any) -> Any:
        s = v.multiply_elementwise(y)
        return sum(v) - half * weight_of_norm() * (s.T * K * s)[0]

    difference = (a - c).multiply_elementwise(y)
    left = dual(t * a + (1 - t) * c) - t * dual(a) - (1 - t) * dual(c)
    yield Equal(left, half * t * (1 - t) * (difference.T * K * difference)[0], "concavity")


def weight_of_norm() -> int:
    """1: the objectives have half of the squared norm."""
    return 1


@claim(
    "regularized-risk",
    place="section 2, line 112",
    title="(5) is a regularised empirical risk: the best slacks are the hinge losses",
    latex=r"\min_{\xi}\;C\sum\xi_i=C\sum_i\max(0,1-y_ig(\mathbf{x}_i))",
    plain="For fixed w and b any admissible xi is at least max(0, 1 - y g), and those are admissible.",
    scope="for every number of points, machine-checked; the sample classifiers, exact",
    second_route="admissible slacks of the certified classifiers, one by one",
    kills=("slack-forgotten",),
    extent=SAMPLED,
)
def hinge() -> Iterator:
    for name in RATIONAL:
        problem, found = trained(name)
        g = kernel.gram_ratio(problem) @ common.signed(name) + found.b.lower.p
        for i, y in enumerate(problem.y):
            best = slack(y * g[i])
            yield Holds(best >= 0 and y * g[i] >= 1 - best, f"{name!r}: slack {i + 1} is admissible")
            smaller = best - fmpq(1, 10**9)
            yield Holds(smaller < 0 or y * g[i] < 1 - smaller, f"{name!r}: no smaller slack {i + 1} is")


def slack(margin: fmpq) -> fmpq:
    """The hinge loss."""
    return max(fmpq(0), 1 - margin)


@claim(
    "kernel-matrix-remark",
    place="section 2, lines 140 and 141",
    title="the dual sees the features through the kernel matrix only; an expansion of K is one of g",
    latex=r"\langle U\Phi(\mathbf{x}),U\Phi(\mathbf{z})\rangle=K(\mathbf{x},\mathbf{z})\ (U^{\top}U=1),"
    r"\qquad K=\sum_{\mathbf{k}}p_{\mathbf{k}}\otimes p_{\mathbf{k}}\Rightarrow "
    r"g=\sum_{\mathbf{k}}c_{\mathbf{k}}p_{\mathbf{k}}+b",
    plain="Features rotated by an orthogonal matrix have the same Gram matrix, so the same objective, the "
    "same "
    "alpha and the same g. That g becomes readable is what section 4 makes precise (prop-finite-expansion).",
    scope="for every feature map, machine-checked (Svm.dual_kernel, Svm.decision_kernel); 'plane', features "
    "rotated by a reflection over Q",
    second_route="Gram matrix of the rotated features, entry by entry",
    kills=("reflection-not-orthogonal",),
    extent=SAMPLED,
)
def through_kernel() -> Iterator:
    problem = trained("plane")[0]
    P = kernel.tensor_rows(kernel.basis(problem, kernel.arithmetic("exact"))[0]).T  # monic features
    for row, R in zip(P, (_reflected(row) for row in P), strict=True):
        for other in P:
            yield Equal(_dot(R, _reflected(other)), _dot(row, other), "inner product of rotated features")


def _reflected(v: Any) -> list[fmpq]:
    """v - 2 u <u, v>/<u, u>, u = (1, 2, 3, ...): an orthogonal map."""
    u = [fmpq(k + 1) for k in range(len(v))]
    step = mirror_factor() * _dot(u, v) / _dot(u, u)
    return [a - step * b for a, b in zip(v, u, strict=True)]


def mirror_factor() -> int:
    """2 makes a reflection of it."""
    return 2


def _dot(u: Any, v: Any) -> fmpq:
    return sum((a * b for a, b in zip(u, v, strict=True)), fmpq(0))


@mutant("norm-not-halved")
def norm_not_halved() -> Iterator[None]:
    """||w||^2 for ||w||^2/2 in the dual."""
    with patched(sys.modules[__name__], "weight_of_norm", lambda: 2):
        yield


@mutant("slack-forgotten")
def slack_forgotten() -> Iterator[None]:
    """No point has slack."""
    with patched(sys.modules[__name__], "slack", lambda margin: fmpq(0)):
        yield


@mutant("reflection-not-orthogonal")
def reflection_not_orthogonal() -> Iterator[None]:
    """A projection for the reflection."""
    with patched(sys.modules[__name__], "mirror_factor", lambda: 1):
        yield
