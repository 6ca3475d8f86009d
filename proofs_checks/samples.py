"""Samples that the checks share: weights, methods without the recurrence, and small classifiers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly

from orca_exact.measures.families import Discrete, Hermite, Laguerre
from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.measure import Mass, Measure
from orca_exact.problem import Problem
from orca_exact.profile import profile
from orca_exact.svm import certificate
from orca_exact.svm.certify import certify

from . import tensor_kernel as kernel
from .rational_functions import TOP, free

# alpha + beta = 0, -1 (twice, because the recurrence has 0/0 there), 1/6, and the paper's (2.5, 1.2)
WEIGHTS = (("0", "0"), ("-1/2", "-1/2"), ("-1/3", "-2/3"), ("1/2", "-1/3"), ("5/2", "6/5"))
SAMPLE_MEASURES = "five Jacobi weights, Hermite's, Laguerre's with alpha = 1/2, one of 18 nodes"
FREE_RECURRENCE = "the recurrence's own a_k, b_k free symbols"
POINTS = tuple(fmpq(p, q) for p, q in ((-1, 1), (-2, 3), (1, 7), (1, 2), (1, 1)))


@lru_cache(maxsize=1)
def symbols() -> tuple[Any, Any]:
    """Return alpha and beta as free SymPy symbols."""
    from sympy import Symbol

    return Symbol("alpha"), Symbol("beta")


@lru_cache(maxsize=1)
def symbolic() -> Jacobi:
    """Return the Jacobi weight with free alpha and beta, over SymPy's field Q(alpha, beta)."""
    return Jacobi(*symbols())


class FreeJacobi(Jacobi):
    """The Jacobi weight with symbols as parameters, over FLINT's field of rational functions."""

    @cached_property
    def parameters(self) -> tuple[Any, Any]:
        alpha, beta = free(str(self.alpha), str(self.beta))
        return alpha, beta

    def __str__(self) -> str:
        return f"Jacobi({self.alpha}, {self.beta})"


@dataclass(frozen=True)
class Recurrence(Measure):
    """A functional L of mass 1 whose recurrence coefficients a_k, b_k are free symbols.

    The moment L(x^j) is the coefficient of pi_0 in x^j, expanded in pi_0, pi_1, ... by the recurrence.
    """

    is_rational = False

    def __str__(self) -> str:
        return "any recurrence"

    @property
    def one(self) -> Any:
        return 0 * free("a0")[0] + 1

    def recurrence(self, k: int) -> tuple[Any, Any]:
        return free(f"a{k}")[0], free(f"b{k}")[0] if k else 0 * self.one

    @property
    def mass(self) -> Mass:
        return Mass()

    @property
    def h0(self) -> Any:
        return 1

    def moment_ratios(self, n: int) -> list:
        assert n <= 2 * TOP + 1, "higher moments need more recurrence coefficients"
        part, out = {0: self.one}, []
        for _ in range(n + 1):
            out.append(part.get(0, 0 * self.one))
            following: dict[int, Any] = {}
            for k, c in part.items():  # x pi_k = pi_{k+1} + a_k pi_k + b_k pi_{k-1}
                a, b = self.recurrence(k)
                for j, factor in ((k + 1, self.one), (k, a), (k - 1, b)):
                    following[j] = following.get(j, 0) + factor * c
            part = {k: c for k, c in following.items() if 0 <= k <= TOP}
        return out

    def to_json(self) -> dict:
        return {"family": "any"}


def weights() -> list[Jacobi]:
    """Return the sample Jacobi weights."""
    return [Jacobi(*pair) for pair in WEIGHTS]


def measures() -> list[Measure]:
    """Return sample measures for statements about any measure: the Jacobi weights and three others."""
    nodes = Discrete([fmpq(k * k, 9) - 1 for k in range(18)], range(1, 19))
    return [*weights(), Hermite(), Laguerre("1/2"), nodes]


def coefficients(J: Measure, n: int) -> list[list]:
    """Return the coefficients of the library's pi_0 ... pi_n, lowest degree first."""
    if J.is_rational:
        return [p.coeffs() for p in J.monic(n, fmpq_poly([0, 1]))]
    (x,) = free("x")
    terms = [dict(p.terms("x")) for p in J.monic(n, x)]
    return [[found.get((i,), 0 * x) for i in range(k + 1)] for k, found in enumerate(terms)]


def gram_matrix(J: Measure, polynomials: list[list]) -> list[list]:
    """Return <f, g>/h_0 for polynomials of degrees 0, 1, ..., given by coefficients, from the moments."""
    mu = J.moment_ratios(2 * len(polynomials) - 2)
    zero, out = mu[0] * 0, []
    for g in polynomials:
        powers = [sum((b * mu[i + j] for j, b in enumerate(g) if b), zero) for i in range(len(g))]  # <x^i, g>
        lower = polynomials[: len(g)]
        out.append([sum((a * m for a, m in zip(f, powers, strict=False) if a), zero) for f in lower])
    return [[out[max(r, c)][min(r, c)] for c in range(len(out))] for r in range(len(out))]


@lru_cache(maxsize=64)
def gram_schmidt(J: Measure, n: int) -> tuple[list[list], list]:
    """Return monic orthogonal polynomials and h_k/h_0 from the moments alone, without a recurrence."""
    mu = J.moment_ratios(2 * n)
    basis: list[list] = []
    norms: list = []

    def inner(f: list, g: list) -> Any:
        terms = (a * b * mu[i + j] for i, a in enumerate(f) if a for j, b in enumerate(g) if b)
        return sum(terms, mu[0] * 0)

    for k in range(n + 1):
        p = [mu[0] * 0] * k + [mu[0]]
        for q, h in zip(basis, norms, strict=True):
            c = inner([mu[0] * 0] * k + [mu[0]], q) / h
            p = [a - c * b for a, b in zip(p, q + [0] * (k + 1 - len(q)), strict=True)]
        basis.append(p)
        norms.append(inner(p, p))
    return basis, norms


def evaluate(coefficients: list, x: Any) -> Any:
    """Evaluate a polynomial, given by its coefficients, at x by Horner's rule."""
    total = 0 * x
    for c in reversed(coefficients):
        total = total * x + c
    return total


def delta(n: int) -> list[list[int]]:
    """Return Kronecker's delta, the Gram matrix of an orthonormal family p_0 ... p_n."""
    return [[int(i == j) for j in range(n + 1)] for i in range(n + 1)]


# Polynomials in d variables as {exponents: coefficient}; inner products in L2(mu^d) are divided by h_0^d.


def tensor(factors: list[list]) -> dict[tuple[int, ...], Any]:
    """Return the product of univariate polynomials, one in each variable."""
    out: dict[tuple[int, ...], Any] = {}
    for exponents in product(*(range(len(f)) for f in factors)):
        value: Any = 1
        for f, e in zip(factors, exponents, strict=True):
            value = value * f[e]
        out[exponents] = value
    return out


def tensor_inner(J: Measure, F: dict, G: dict) -> Any:
    """Return <F, G> in L2(mu^d) divided by h_0^d, from the moments."""
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


def linear_combination(parts: list[tuple[Any, dict]]) -> dict:
    """Return a linear combination of polynomials."""
    out: dict[tuple[int, ...], Any] = {}
    for c, F in parts:
        for e, value in F.items():
            out[e] = out.get(e, 0) + c * value
    return out


# Small classifiers with exact certificates. With a = lambda*alpha, s_i = a_i y_i is rational in all of them.

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
    # x_2 takes both zeros of pi_2 for each x_1, so that h is a nonlinear function of x_1 alone
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


def define(name: str) -> str:
    """Return the definition of a sample problem in words: points, labels, weight, n and C.

    >>> define("xor")
    "'xor': y = 1 at (1, 1) and (-1, -1), y = -1 at (1, -1) and (-1, 1); weight (0, 0), n = 1, C = 1"
    """
    given = {"C": 1} | CLASSIFIERS[name]
    places = [row[0] if len(row) == 1 else f"({', '.join(row)})" for row in given["X"]]
    classes = []
    for label in (1, -1):
        *most, last = (place for place, y in zip(places, given["y"], strict=True) if y == label)
        classes.append(f"y = {label} at {', '.join(most)}{' and ' * bool(most)}{last}")
    weight = f"weight ({given['alpha']}, {given['beta']})"
    return f"{name!r}: {', '.join(classes)}; {weight}, n = {given['n']}, C = {given['C']}"


def definitions(text: str) -> str:
    """Return the definitions of the sample problems that a text names, one on each line."""
    return "\n".join(define(name) for name in CLASSIFIERS if f"{name!r}" in text)


@lru_cache(maxsize=16)
def sample_certificate(name: str) -> tuple[Problem, certificate.Certificate]:
    """Return a sample problem and its exact certificate, computed from an uninformed start."""
    problem = Problem(**CLASSIFIERS[name])
    return problem, certify(problem, [problem.C / 2] * problem.m, level="exact")


def signed_dual(name: str) -> np.ndarray:
    """Return the exact s_i = a_i y_i with a = lambda*alpha."""
    problem, found = sample_certificate(name)
    assert not any(found.v), "s is rational only without bound support vectors or with rational lambda"
    return np.array(found.u, dtype=object) * problem.signs


def orca_of(name: str) -> profile.Profile:
    """Return the exact profile of a sample classifier."""
    problem, found = sample_certificate(name)
    return profile.orca(problem, found, "exact")


def orca_exactly(problem: Problem) -> profile.Profile:
    """Train and certify a small problem and return its exact profile."""
    return profile.orca(problem, certify(problem, [problem.C / 2] * problem.m), "exact")


def squared_coefficients(name: str) -> dict[tuple[int, ...], fmpq]:
    """Return (sum_i s_i pi_k(x_i))^2 prod h_0/h_k for every mode k, by plain loops.

    This is c_k^2 up to a power of lambda.
    """
    problem, _ = sample_certificate(name)
    s, J = signed_dual(name), problem.jacobi
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
    """Return h = sum_i s_i prod_l R(x_il, t_l) in monomials, from the sections of the kernel."""
    problem, _ = sample_certificate(name)
    t = fmpq_poly([0, 1])
    parts = []
    for s, row in zip(signed_dual(name), problem.points, strict=True):
        sections = [kernel.cd_sum(problem.jacobi, problem.n, fmpq_poly([x]), t).coeffs() for x in row]
        parts.append((s, tensor(sections)))
    return linear_combination(parts)


def ldl(G: Any) -> tuple[list[list[fmpq]], list[fmpq]]:
    """Return L and D with G = L D L^T over Q, by symmetric elimination.

    D has None at a zero pivot whose column is not zero: there is no such factorisation.
    """
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


def multiply_ldl(L: list[list[fmpq]], D: list[fmpq]) -> list[list[fmpq]]:
    """Return L D L^T."""
    m = len(L)
    left = fmpq_mat([[L[i][k] * D[k] for k in range(m)] for i in range(m)])
    return (left * fmpq_mat(L).transpose()).tolist()
