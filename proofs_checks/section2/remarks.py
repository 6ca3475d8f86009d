"""Claims about the remarks of section 2 on (5) to (8): convexity, hinge loss, kernel matrix."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from .. import samples as common
from .. import tensor_kernel as kernel
from ..ledger.claims import FOR_ALL, SAMPLED, Equal, Holds, claim
from ..ledger.mutants import replacing
from ..samples import described, sample_certificate
from .svm_rkhs import RATIONAL


@claim(
    "intro-convex",
    place="section 1, line 75",
    title="with a positive semidefinite kernel the dual is a concave problem and the primal a convex one",
    latex=r"D(t\alpha+(1-t)\alpha')-tD(\alpha)-(1-t)D(\alpha')"
    r"=\tfrac12t(1-t)\,(\mathbf{s}-\mathbf{s}')^{\top}K(\mathbf{s}-\mathbf{s}')\ge0",
    plain="The left side measures the concavity of the dual objective; the right side is >= 0 for 0 <= t <= "
    "1 because K is positive semidefinite (def-psd).",
    scope="a polynomial identity in t, alpha, alpha' and a free symmetric K with m = 3; it involves two "
    "points at a time, so it holds for every m",
    second_route="strong convexity of the primal (machine-checked theorem Svm.strong_convexity)",
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
    label = "D(t alpha + (1-t) alpha') - t D(alpha) - (1-t) D(alpha'), and t(1-t)/2 times the quadratic form"
    yield Equal(left, half * t * (1 - t) * (difference.T * K * difference)[0], label)


def weight_of_norm() -> int:
    """Return 1, the factor of half the squared norm in the objectives; a mutant returns 2."""
    return 1


@claim(
    "regularized-risk",
    place="section 2, line 112",
    title="(5) is a regularised empirical risk: the optimal slacks are the hinge losses",
    latex=r"\min_{\xi}\;C\sum\xi_i=C\sum_i\max(0,1-y_ig(\mathbf{x}_i))",
    plain="For fixed w and b every admissible slack xi_i is at least max(0, 1 - y_i g(x_i)), and these "
    "values are admissible.",
    scope="proved for every number of points (machine-checked); computed exactly for four sample classifiers",
    second_route="slacks of the certified classifiers, checked point by point",
    kills=("slack-forgotten",),
    extent=SAMPLED,
)
def hinge() -> Iterator:
    for name, where in described(RATIONAL):
        problem, found = sample_certificate(name)
        g = kernel.gram_ratio(problem) @ common.signed_dual(name) + found.b.lower.p
        for i, y in enumerate(problem.y):
            best = slack(y * g[i])
            label = f"{where}: the hinge loss of point {i + 1} is an admissible slack"
            yield Holds(best >= 0 and y * g[i] >= 1 - best, label)
            smaller = best - fmpq(1, 10**9)
            label = f"{where}: no smaller slack of point {i + 1} is admissible"
            yield Holds(smaller < 0 or y * g[i] < 1 - smaller, label)


def slack(margin: fmpq) -> fmpq:
    """Return the hinge loss of a margin."""
    return max(fmpq(0), 1 - margin)


@claim(
    "kernel-matrix-remark",
    place="section 2, lines 140 and 141",
    title="the dual depends on the features through the kernel matrix only, and an expansion of K gives one "
    "of g",
    latex=r"\langle U\Phi(\mathbf{x}),U\Phi(\mathbf{z})\rangle=K(\mathbf{x},\mathbf{z})\ (U^{\top}U=1),"
    r"\qquad K=\sum_{\mathbf{k}}p_{\mathbf{k}}\otimes p_{\mathbf{k}}\Rightarrow "
    r"g=\sum_{\mathbf{k}}c_{\mathbf{k}}p_{\mathbf{k}}+b",
    plain="Features rotated by an orthogonal matrix have the same Gram matrix, hence the same objective, "
    "the same alpha and the same g. Section 4 makes precise how the expansion describes g "
    "(prop-finite-expansion).",
    scope="proved for every feature map (machine-checked: Svm.dual_kernel, Svm.decision_kernel); computed "
    "exactly for the sample classifier 'plane' (7 points, d = 2, n = 2), features reflected over the "
    "rationals",
    second_route="the Gram matrix of the reflected features, entry by entry",
    kills=("reflection-not-orthogonal",),
    extent=SAMPLED,
)
def through_kernel() -> Iterator:
    problem = sample_certificate("plane")[0]
    P = kernel.tensor_rows(kernel.basis(problem, kernel.arithmetic("exact"))[0]).T  # monic features
    for row, R in zip(P, (_reflected(row) for row in P), strict=True):
        for other in P:
            label = "inner product of two reflected feature vectors, and of the original ones"
            yield Equal(_dot(R, _reflected(other)), _dot(row, other), label)


def _reflected(v: Any) -> list[fmpq]:
    """Return v - 2 u <u, v>/<u, u> with u = (1, 2, 3, ...), the reflection of v."""
    u = [fmpq(k + 1) for k in range(len(v))]
    step = mirror_factor() * _dot(u, v) / _dot(u, u)
    return [a - step * b for a, b in zip(v, u, strict=True)]


def mirror_factor() -> int:
    """Return 2, the factor that makes the map of ``_reflected`` orthogonal; a mutant returns 1."""
    return 2


def _dot(u: Any, v: Any) -> fmpq:
    return sum((a * b for a, b in zip(u, v, strict=True)), fmpq(0))


# Use ||w||^2 instead of ||w||^2/2 in the dual objective.
replacing("norm-not-halved", __name__, "weight_of_norm", lambda: 2)
replacing("slack-forgotten", __name__, "slack", lambda margin: fmpq(0))  # set every slack to 0
# Replace the reflection by a projection.
replacing("reflection-not-orthogonal", __name__, "mirror_factor", lambda: 1)
