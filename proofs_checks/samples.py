"""What the checks share: sample weights, the recurrence-free routes, and small trained classifiers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly

from orca_exact.kernels import orthogonal as kernel
from orca_exact.measures.families import Discrete, Hermite, Laguerre
from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.measure import Mass, Measure
from orca_exact.problem import Problem
from orca_exact.profile import profile
from orca_exact.svm import certificate
from orca_exact.svm.certify import certify

# alpha + beta = 0, -1 (twice: the recurrence's own 0/0), 1/6, and the paper's (2.5, 1.2)
WEIGHTS = (("0", "0"), ("-1/2", "-1/2"), ("-1/3", "-2/3"), ("1/2", "-1/3"), ("5/2", "6/5"))
ANY = "five Jacobi weights, Hermite's, Laguerre's with alpha = 1/2, one of 18 nodes"
FREE = "the recurrence's own a_k, b_k free symbols"
POINTS = tuple(fmpq(p, q) for p, q in ((-1, 1), (-2, 3), (1, 7), (1, 2), (1, 1)))


@lru_cache(maxsize=1)
def symbols() -> tuple[Any, Any]:
    """alpha and beta as free SymPy symbols."""
    from sympy import Symbol

    return Symbol("alpha"), Symbol("beta")


@lru_cache(maxsize=1)
def symbolic() -> Jacobi:
    """The weight with free alpha, beta: everything over the field Q(alpha, beta)."""
    return Jacobi(*symbols())


@dataclass(frozen=True)
class Recurrence(Measure):
    """Any functional with orthogonal polynomials: a_k, b_k of its recurrence are free, its mass is 1.

    Its moments come from the powers of the recurrence's matrix: x^j on the basis pi_0, pi_1, ...; its part on
    pi_0 is L(x^j).
    """

    top: int
    is_rational = False

    def __repr__(self) -> str:
        return "any recurrence"

    @property
    def field(self) -> Any:
        from sympy import QQ
        from sympy import symbols as make

        names = make(f"a:{self.top + 1} b1:{self.top + 1}")
        return QQ.frac_field(*names)

    @property
    def one(self) -> Any:
        return self.field.one

    def recurrence(self, k: int) -> tuple[Any, Any]:
        g = self.field.gens
        return g[k], g[self.top + k] if k else self.field.zero

    @property
    def mass(self) -> Mass:
        return Mass()

    @property
    def h0(self) -> Any:
        return 1

    def moment_ratios(self, n: int) -> list:
        assert n <= 2 * self.top + 1, "a path to pi_(top+1) and back is longer"
        part, out = {0: self.one}, []
        for _ in range(n + 1):
            out.append(part.get(0, self.field.zero))
            following: dict[int, Any] = {}
            for k, c in part.items():  # x pi_k = pi_{k+1} + a_k pi_k + b_k pi_{k-1}
                a, b = self.recurrence(k)
                for j, factor in ((k + 1, self.one), (k, a), (k - 1, b)):
                    following[j] = following.get(j, self.field.zero) + factor * c
            part = {k: c for k, c in following.items() if 0 <= k <= self.top}
        return out

    def to_json(self) -> dict:
        return {"family": "any"}


def weights() -> list[Jacobi]:
    """The sample weights."""
    return [Jacobi(*pair) for pair in WEIGHTS]


def measures() -> list[Measure]:
    """For what section 3 says of any measure: the sample weights, and three that are not Jacobi's."""
    nodes = Discrete([fmpq(k * k, 9) - 1 for k in range(18)], range(1, 19))
    return [*weights(), Hermite(), Laguerre("1/2"), nodes]


def coefficients(J: Measure, n: int) -> list[list]:
    """Of the library's pi_0 ... pi_n, lowest degree first, in the field of the parameters."""
    if J.is_rational:
        return [p.coeffs() for p in J.monic(n, fmpq_poly([0, 1]))]
    from sympy.polys.rings import ring

    _, x = ring("x", J.field)
    return [[p.coeff(x**i) if i else p.coeff(1) for i in range(k + 1)] for k, p in enumerate(J.monic(n, x))]


def gram_schmidt(J: Measure, n: int) -> tuple[list[list], list]:
    """Monic orthogonal polynomials and their h_k/h_0 from the weight's moments alone, no recurrence."""
    mu = J.moment_ratios(2 * n)
    basis: list[list] = []
    norms: list = []

    def inner(f: list, g: list) -> Any:
        return sum((a * b * mu[i + j] for i, a in enumerate(f) for j, b in enumerate(g)), mu[0] * 0)

    for k in range(n + 1):
        p = [mu[0] * 0] * k + [mu[0]]
        for q, h in zip(basis, norms, strict=True):
            c = inner([mu[0] * 0] * k + [mu[0]], q) / h
            p = [a - c * b for a, b in zip(p, q + [0] * (k + 1 - len(q)), strict=True)]
        basis.append(p)
        norms.append(inner(p, p))
    return basis, norms


def at(coefficients: list, x: Any) -> Any:
    """A polynomial, given by its coefficients, at x: Horner."""
    total = 0 * x
    for c in reversed(coefficients):
        total = total * x + c
    return total


def delta(n: int) -> list[list[int]]:
    """The Gram matrix of an orthonormal family p_0 ... p_n: Kronecker's delta."""
    return [[int(i == j) for j in range(n + 1)] for i in range(n + 1)]


# Polynomials in d variables: {exponents: coefficient}, and their L2(mu^d) inner product over h_0^d.


def tensor(factors: list[list]) -> dict[tuple[int, ...], Any]:
    """The product of univariate polynomials, one in each variable."""
    out: dict[tuple[int, ...], Any] = {}
    for exponents in product(*(range(len(f)) for f in factors)):
        value: Any = 1
        for f, e in zip(factors, exponents, strict=True):
            value = value * f[e]
        out[exponents] = value
    return out


def tensor_inner(J: Measure, F: dict, G: dict) -> Any:
    """<F, G> in L2(mu^d) over h_0^d, from the moments."""
    top = max(max(a) for a in F) + max(max(b) for b in G)
    mu = J.moment_ratios(top)
    total = mu[0] * 0
    for a, f in F.items():
        for b, g in G.items():
            term = f * g
            for i, j in zip(a, b, strict=True):
                term = term * mu[i + j]
            total = total + term
    return total


def combine(parts: list[tuple[Any, dict]]) -> dict:
    """A linear combination of polynomials."""
    out: dict[tuple[int, ...], Any] = {}
    for c, F in parts:
        for e, value in F.items():
            out[e] = out.get(e, 0) + c * value
    return out


# Small classifiers, certified exactly. a = lambda*alpha; s_i = a_i y_i is rational in all of them.

_GRID = [["-1", "-1"], ["-1", "1/2"], ["-1/3", "1"], ["0", "-1/2"], ["1/2", "1/3"], ["2/3", "-1"], ["1", "1"]]
_CUBE = [["-1", "0", "1/2"], ["1", "1/3", "-1"], ["0", "-1", "1"], ["1/2", "1", "0"], ["-1/2", "-1/3", "-1"],
         ["1/3", "1/2", "1"]]  # fmt: skip
_LABELS = [1, -1, 1, -1, 1, -1, 1]
CLASSIFIERS: dict[str, dict] = {
    "line": {
        "X": [["-1"], ["-1/2"], ["0"], ["1/3"], ["1"]],
        "y": [1, -1, 1, -1, -1],
        "n": 2,
        "alpha": 0,
        "beta": 0,
    },
    "plane": {"X": _GRID, "y": _LABELS, "n": 2, "alpha": 0, "beta": 0, "C": 1},
    "skew": {"X": _GRID, "y": _LABELS, "n": 2, "alpha": 1, "beta": 2, "C": "1/2"},
    "chebyshev": {"X": _GRID, "y": _LABELS, "n": 3, "alpha": "-1/2", "beta": "-1/2", "C": 10**6},
    "space": {"X": _CUBE, "y": _LABELS[:6], "n": 2, "alpha": "1/2", "beta": "-1/3", "C": 10**6},
    # x_2 at the zeros of pi_2, each x_1 at both: h is a function of x_1 alone, and bends
    "additive": {
        "X": [[x, z] for x in ("-1", "0", "1") for z in ("-1/2", "1/2")],
        "y": [1, 1, -1, -1, 1, 1],
        "n": 2,
        "alpha": "1/2",
        "beta": "1/2",
        "C": 10**6,
    },
    "xor": {
        "X": [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1"]],
        "y": [1, 1, -1, -1],
        "n": 1,
        "alpha": 0,
        "beta": 0,
    },
}


def described(names: Iterable[str] = CLASSIFIERS) -> list[tuple[str, str]]:
    """Return each name with a description, such as ('line', "'line' (5 points, d = 1, n = 2)")."""
    sizes = [(name, CLASSIFIERS[name]["X"], CLASSIFIERS[name]["n"]) for name in names]
    return [(name, f"{name!r} ({len(X)} points, d = {len(X[0])}, n = {n})") for name, X, n in sizes]


@lru_cache(maxsize=16)
def trained(name: str) -> tuple[Problem, certificate.Certificate]:
    """A classifier with an exact certificate: KKT proved over Q, from an uninformed start."""
    problem = Problem(**CLASSIFIERS[name])
    return problem, certify(problem, [problem.C / 2] * problem.m, level="exact")


def signed(name: str) -> np.ndarray:
    """s_i = a_i y_i, a = lambda*alpha, exact."""
    problem, found = trained(name)
    assert not any(found.v), "rational lambda, or no bound support vector"
    return np.array(found.u, dtype=object) * problem.signs


def orca_of(name: str) -> profile.Profile:
    """The exact profile of a small classifier."""
    problem, found = trained(name)
    return profile.orca(problem, found, "exact")


def orca_exactly(problem: Problem) -> profile.Profile:
    """Train, certify and analyse one small problem exactly."""
    return profile.orca(problem, certify(problem, [problem.C / 2] * problem.m), "exact")


def squares(name: str) -> dict[tuple[int, ...], fmpq]:
    """lambda-free c_k^2 = (sum_i s_i pi_k(x_i))^2 prod h_0/h_k for every mode: plain loops."""
    problem, _ = trained(name)
    s, J = signed(name), problem.jacobi
    h = J.h_ratios(problem.n)
    values = [[J.monic(problem.n, x) for x in row] for row in problem.points]
    out = {}
    for k in product(range(problem.n + 1), repeat=problem.d):
        total, weight = fmpq(0), fmpq(1)
        for i, row in enumerate(values):
            term = s[i]
            for coordinate, degree in enumerate(k):
                term = term * row[coordinate][degree]
            total = total + term
        for degree in k:
            weight = weight / h[degree]
        out[k] = total * total * weight
    return out


def h_polynomial(name: str) -> dict[tuple[int, ...], fmpq]:
    """sum_i s_i prod_l R(x_il, t_l), the RKHS part h in monomials, from the kernel sections."""
    problem, _ = trained(name)
    t = fmpq_poly([0, 1])
    parts = []
    for s, row in zip(signed(name), problem.points, strict=True):
        sections = [kernel.cd_sum(problem.jacobi, problem.n, fmpq_poly([x]), t).coeffs() for x in row]
        parts.append((s, tensor(sections)))
    return combine(parts)


def ldl(G: Any) -> tuple[list[list[fmpq]], list[fmpq]]:
    """G = L D L^T over Q by symmetric elimination; a zero pivot needs a zero column (else D has None)."""
    m = len(G)
    A = [[G[i][j] for j in range(m)] for i in range(m)]
    L = [[fmpq(int(i == j)) for j in range(m)] for i in range(m)]
    D: list = []
    for k in range(m):
        pivot = A[k][k]
        if pivot == 0:
            D.append(fmpq(0) if all(A[i][k] == 0 for i in range(k, m)) else None)
            continue
        D.append(pivot)
        for i in range(k + 1, m):
            L[i][k] = A[i][k] / pivot
        for i in range(k + 1, m):
            for j in range(k + 1, m):
                A[i][j] = A[i][j] - L[i][k] * A[k][j]
    return L, D


def times(L: list[list[fmpq]], D: list[fmpq]) -> list[list[fmpq]]:
    """L D L^T."""
    m = len(L)
    left = fmpq_mat([[L[i][k] * D[k] for k in range(m)] for i in range(m)])
    return (left * fmpq_mat(L).transpose()).tolist()
