"""Claims of section 4: the exact expansion of the trained SVM and its modes (constant term: constant.py)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from flint import fmpq

from orca_exact.problem import Problem

from .. import samples as common
from .. import tensor_kernel as kernel
from ..ledger.claims import FOR_ALL, SAMPLED, Differs, Equal, Less, claim
from ..samples import (
    FREE_RECURRENCE,
    Recurrence,
    coefficients,
    described,
    gram_schmidt,
    h_polynomial,
    sample_certificate,
    tensor,
    tensor_inner,
    weights,
)
from ..section3.one_dimension import recurrence


def coordinates(name: str) -> dict[tuple[int, ...], fmpq]:
    """Return c_k sqrt(h_k) = sum_i s_i pi_k(x_i), that is, eq. (28) multiplied by the square root of h_k."""
    problem, _ = sample_certificate(name)
    s = common.signed_dual(name)
    values = [[problem.jacobi.monic(problem.n, x) for x in row] for row in problem.points]
    out = {}
    for k in kernel.modes(problem.n, problem.d):
        products = (prod(row[c][degree] for c, degree in enumerate(k)) for row in values)
        out[k] = sum((a * p for a, p in zip(s, products, strict=True)), fmpq(0))
    return out


@claim(
    "prop-finite-expansion",
    place="section 4, Proposition 4.1, eq. (26) to (28); lines 367 to 481; line 513; abstract, line 65; "
    "section 1, line 79; section 7, line 1447",
    title="h = sum_k c_k p_k with c_k = sum_i alpha_i y_i p_k(x_i)",
    latex=r"h_n^{(d)}=\sum_{\mathbf{k}}c_{\mathbf{k}}p_{\mathbf{k}},\quad "
    r"c_{\mathbf{k}}=\sum_{i=1}^m\alpha_iy_ip_{\mathbf{k}}(\mathbf{x}_i)",
    plain="h, expanded into monomials from its kernel sections, is integrated against each p_k (from "
    "Gram-Schmidt on the moments); the result is c_k of (28). The sum of the c_k p_k then equals h, "
    "monomial by monomial. The proof in the paper uses prop-multiindex and an exchange of finite sums.",
    scope="proved for every family and all n, d, m (machine-checked); computed exactly for every mode of "
    "the sample classifiers, d = 1, 2, 3",
    second_route="<h, p_k> by exact integration with the moments of the weight",
    kills=("alpha-without-y-28", "truncated-early", "swapped-parameters", "total-degree-truncation"),
    covers=(
        "eq-sec4-2-score", "eq-sec4-2-expansion", "eq-sec4-2-coeffs", "h-in-span", "unique-expansion",
        "h-penalized",
        "proof-expansion-1", "proof-expansion-2", "proof-expansion-3", "proof-expansion-4",
        "proof-expansion-5",
        "proof-expansion-6", "proof-expansion-7", "proof-expansion-8", "ck-measures", "abs-finite-exact",
        "concl-exact", "intro-explicit-basis",
    ),
    extent=SAMPLED,
)  # fmt: skip
def expansion() -> Iterator:
    for name, where in described():
        problem, _ = sample_certificate(name)
        h, c = h_polynomial(name), coordinates(name)
        basis, norms = gram_schmidt(problem.jacobi, problem.n)
        parts = []
        for k in product(range(problem.n + 1), repeat=problem.d):
            p = tensor([basis[i] for i in k])
            integral = tensor_inner(problem.jacobi, h, p)
            yield Equal(c.get(k, fmpq(0)), integral, f"{where}: c_{k} sqrt(h_{k}), (28) and by integration")
            parts.append((integral / prod(norms[i] for i in k), p))
        rebuilt = dict(sorted(common.linear_combination(parts).items()))
        yield Equal(rebuilt, {e: h.get(e, fmpq(0)) for e in rebuilt}, f"{where}: h and its expansion")


@claim(
    "eq-sec4-2-matrix-form",
    place="section 4, eq. (29); lines 408 to 412; lines 487 to 503",
    title="c = P^T s with the design matrix P_{i,k} = p_k(x_i)",
    latex=r"\mathbf{c}=P^\top\mathbf{s},\quad s_i=\alpha_iy_i",
    plain="The squares of the entries of P^T s, with the library's tensor features as P, and the squares of "
    "the profile's own coefficients are compared with (28), with h_k from Gram-Schmidt.",
    scope="proved for all n, d, m (machine-checked); squares of all coefficients computed for three sample "
    "classifiers, with rational and irrational lambda",
    second_route="the profile's own coefficients() (SymPy radicals)",
    kills=("alpha-without-y", "bias-in-c0", "dropped-tensor-term"),
    covers=("display-design-matrix", "proof-expansion-9", "proof-expansion-10", "proof-expansion-11"),
    extent=SAMPLED,
)
def matrix_form() -> Iterator:
    for name, where in described(("line", "plane", "space")):
        problem, _ = sample_certificate(name)
        squares = _squares(name)
        h0 = problem.jacobi.h0**problem.d
        c = {k: value**2 / h0 for k, value in common.orca_of(name).coefficients().items()}
        yield Equal(c, squares, f"{where}: lambda c_k^2 of the profile, and by (28)")
        values, weights_ = kernel.basis(problem, kernel.arithmetic("exact"))
        # P^T s, multiplied by the square roots of h_k
        amplitudes = (kernel.tensor_rows(values) * common.signed_dual(name)).sum(axis=1)
        for k, a in zip(product(range(problem.n + 1), repeat=problem.d), amplitudes, strict=True):
            norm = prod(w[degree] for w, degree in zip(weights_, k, strict=True))
            yield Equal(a * a * norm, squares[k], f"{where}: (P^T s)_{k} squared, and by (28)")


def _squares(name: str) -> dict[tuple[int, ...], fmpq]:
    """Return the squares of (28) with h_k from Gram-Schmidt, independent of kernel and profile."""
    problem, found = sample_certificate(name)
    basis, norms = gram_schmidt(problem.jacobi, problem.n)
    s = [u * y for u, y in zip(found.u, problem.y, strict=True)]
    out = {}
    for k in product(range(problem.n + 1), repeat=problem.d):
        rows = (zip(row, k, strict=True) for row in problem.points)
        products = (prod(common.evaluate(basis[degree], x) for x, degree in row) for row in rows)
        total = sum((a * p for a, p in zip(s, products, strict=True)), fmpq(0))
        out[k] = total * total / prod(norms[degree] for degree in k)
    return out


@claim(
    "intro-coordinates-exact",
    place="section 1, line 83",
    title="the coordinates c_k are the same for every solution of the dual",
    latex=r"\mathbf{s},\mathbf{s}'\text{ optimal}\Rightarrow P^\top\mathbf{s}=P^\top\mathbf{s}'",
    plain="The dual coefficients need not be unique: if a point is given twice, its weight can be split "
    "arbitrarily between the two copies. Every c_k stays the same, because w is unique.",
    scope="proved for every trained SVM (machine-checked); computed exactly for a repeated point with three "
    "dual optima",
    second_route="objective and c_k of the optima, summed as printed",
    kills=("alpha-without-y-28",),
    extent=SAMPLED,
)
def dual_not_unique() -> Iterator:
    problem = Problem([["-1"], ["1/2"], ["1/2"]], [1, -1, -1], n=1, alpha=0, beta=0, C=10)
    R = kernel.gram_ratio(problem)
    optimum = 2 / (R[0, 0] - 2 * R[0, 1] + R[1, 1])  # a_1 = sum of the other two
    seen = []
    for share in (fmpq(0), fmpq(1, 3), fmpq(1)):
        a = [optimum, optimum * share, optimum * (1 - share)]
        s = signed_weights(a, problem.y)
        seen.append([sum((s[i] * v[k] for i, v in enumerate(_monic(problem))), fmpq(0)) for k in (0, 1)])
        dual = sum(a, fmpq(0)) - sum((s[i] * s[j] * R[i, j] for i in range(3) for j in range(3)), fmpq(0)) / 2
        yield Equal(dual, optimum, f"weight split in the ratio {share}: lambda D is the optimum")
    yield Equal(seen[1:], seen[:-1], "c_0 and c_1 of the three dual optima")
    yield Equal(seen[0][0], fmpq(0), "c_0")


def signed_weights(a: list, y: Any) -> list:
    """Return s_i = a_i y_i."""
    return [value * label for value, label in zip(a, y, strict=True)]


def _monic(problem: Problem) -> list[list]:
    return [problem.jacobi.monic(problem.n, row[0]) for row in problem.points]


@claim(
    "example-31",
    place="section 4, lines 511 to 521",
    title="the mode (3,1) is p_3(x_1)p_1(x_2); 0 is constant, one entry 1 affine, (1,1) bilinear; the "
    "groups are orthogonal",
    latex=r"p_{(3,1)}(x_1,x_2)=p_3(x_1)p_1(x_2)",
    plain="The degrees of p_k in the coordinates are the entries of k. Modes with different active "
    "coordinates are orthogonal in L2(mu^d).",
    scope="all n, d: p_k is the product of the p_{k_i}, deg p_j = j, on which coordinates p_k "
    "depends, and that the modes are orthonormal (machine-checked); "
    f"degrees computed with {FREE_RECURRENCE}, n = 3, d = 2; integrals for five Jacobi weights, n = 3, d = 2",
    second_route="integration with the moments; degrees taken from expanded polynomials",
    kills=("wrong-moment", "swapped-parameters"),
    covers=("constant-mode", "affine-modes", "bilinear-modes", "orthogonal-groups"),
    extent=SAMPLED,
)
def examples_of_modes() -> Iterator:
    for J in (Recurrence(), *weights()):
        p = coefficients(J, 3)
        mode = {k: tensor([p[i] for i in k]) for k in product(range(4), repeat=2)}
        for k, F in mode.items():
            degrees = tuple(max(e[i] for e, c in F.items() if c != 0) for i in (0, 1))
            yield Equal(degrees, k, f"{J}: degrees of p_{k} in each coordinate")
        if not J.is_rational:
            continue
        groups: dict[tuple[bool, ...], list] = {}
        for k in mode:
            groups.setdefault(tuple(i > 0 for i in k), []).append(k)
        for one, other in product(groups, repeat=2):
            if one < other:
                values = [
                    tensor_inner(J, mode[k], mode[m]) for k in groups[one][:3] for m in groups[other][:3]
                ]
                label = f"{J}: inner products between modes with the active coordinates {one} and {other}"
                yield Equal(values, [fmpq(0)] * len(values), label)


@claim(
    "low-degree-large-scale",
    place="section 4, line 515",
    title="p_k has k simple real zeros, so higher degrees oscillate more",
    latex=r"\#\{x\in\mathbb R:p_k(x)=0\}=k",
    plain="This is the checkable part of 'progressively finer oscillatory components'. For every measure "
    "pi_k, ..., pi_0 is a Sturm chain: pi_k' pi_{k-1} - pi_{k-1}' pi_k > 0 (eq-CD-diagonal), and pi_{j+1}, "
    "pi_{j-1} have opposite signs at a zero of pi_j, because b_j > 0. The pi_j are monic, so between -oo and "
    "oo the chain loses k changes of sign. For the Jacobi weights all pi_j(1) are positive and, by "
    "reflection, the pi_j(-1) alternate in sign, so the zeros lie in (-1, 1).",
    assumptions="Sturm's theorem; for the interval (-1, 1): alpha, beta > -1",
    reading="'finer' means more zeros. 'Typically' is not a precise statement",
    scope="every measure, by eq-CD-diagonal and op-degree-sign; zeros in (-1, 1) for all k, alpha, beta (a "
    "rational identity for pi_{k+1}(1)/pi_k(1)); zeros counted for five Jacobi weights, k <= 7",
    second_route="SymPy counts the zeros in the interval and on the whole line",
    kills=("negative-b", "wrong-b"),
    extent=FOR_ALL,
)
def zeros() -> Iterator:
    from sympy import Poly, Rational, Symbol, together
    from sympy import symbols as make

    a, s, k_ = make("alpha s k")
    ratio = 2 * (k_ + a + 1) * (k_ + s + 1) / ((2 * k_ + s + 1) * (2 * k_ + s + 2))  # pi_{k+1}(1)/pi_k(1)
    yield Equal(1 - recurrence(0, a, s - a)[0], 2 * (a + 1) / (s + 2), "pi_1(1)/pi_0(1)")
    for degree in (1, k_):
        ak, bk = recurrence(degree, a, s - a)
        below = 2 * (a + 1) / (s + 2) if degree == 1 else ratio.subs(k_, k_ - 1)
        yield Equal(ratio.subs(k_, degree), 1 - ak - bk / below, f"pi_(k+1)(1)/pi_k(1), k = {degree}")
    u, v, m = make("u v m", positive=True)  # alpha = u - 1, beta = v - 1, k = m + 1
    positive = together(ratio.subs({k_: m + 1, a: u - 1, s: u + v - 2})).as_numer_denom()
    signs = {c > 0 for part in positive for c in Poly(part.expand(), u, v, m).coeffs()}
    yield Equal(signs, {True}, "pi_(k+1)(1)/pi_k(1): all coefficients are positive")
    x = Symbol("x")
    for J in weights():
        for k in range(1, 8):
            p = Poly([Rational(int(c.p), int(c.q)) for c in reversed(coefficients(J, k)[k])], x)
            yield Equal(int(p.count_roots(-1, 1)), k, f"{J}: number of zeros of p_{k} in [-1, 1]")
            yield Equal(int(p.count_roots()), k, f"{J}: number of real zeros of p_{k}")
            for end in (-1, 1):
                yield Differs(p.eval(end), 0, f"{J}: p_{k}({end}) is not 0")


@claim(
    "quadratic-modes",
    place="section 4, line 520",
    title="a multi-index with one entry 2 and the others 0 describes univariate quadratic curvature",
    latex=r"\mathbf{k}=2\mathbf{e}_i\Rightarrow p_{\mathbf{k}}(\mathbf{x})=p_0^{d-1}\,p_2(x_i)",
    plain="p_k depends on x_i alone and has degree 2 in it, because p_0 is constant and pi_2 is monic of "
    "degree 2.",
    reading="'likewise' refers to the sentence before, so that the remaining entries are 0",
    scope="all n, d: p_k is the product of the p_{k_i}, deg p_j = j, and p_k depends on x_i alone "
    f"(machine-checked); expanded for d = 2, 3 with {FREE_RECURRENCE}",
    second_route="expanded polynomials",
    kills=("others-not-zero",),
    extent=SAMPLED,
)
def quadratic() -> Iterator:
    p = coefficients(Recurrence(), 2)
    for d in (2, 3):
        modes = univariate_modes(d)
        yield Equal(len(modes), d, f"d = {d}: one such mode for each coordinate")
        for k in modes:
            F = {e for e, c in tensor([p[i] for i in k]).items() if c != 0}
            yield Equal([max(e[i] for e in F) for i in range(d)], list(k), f"degrees of p_{k} by coordinate")
            yield Equal(sum(i > 0 for i in k), 1, f"number of active coordinates of {k}")


def quadratic_modes(d: int, others_zero: bool = False) -> list[tuple[int, ...]]:
    """Return the modes with exactly one entry 2, optionally only those whose other entries are 0."""
    found = [k for k in product(range(3), repeat=d) if k.count(2) == 1]
    return [k for k in found if k.count(0) == d - 1] if others_zero else found


def univariate_modes(d: int) -> list[tuple[int, ...]]:
    """Return the modes of degree two in one coordinate and zero in the others."""
    return quadratic_modes(d, others_zero=True)


@claim(
    "quadratic-modes-literal",
    place="section 4, line 520",
    title="every multi-index with one entry equal to 2 is univariate",
    latex=r"\#\{i:k_i=2\}=1\Rightarrow q(\mathbf{k})=1",
    plain="p_(2,1) = p_2(x_1) p_1(x_2) has one entry 2 and is an interaction.",
    statement="quadratic-modes",
    reading="word for word: the sentence does not restrict the remaining entries",
    scope="all multi-indices for n = 2, d = 2",
    second_route="the other reading, and the coordinates on which p_(2,1) depends",
    kills=("remaining-entries-zero",),
    expect="FAILS",
    severity="imprecise wording",
    correction="quadratic-modes",
)
def quadratic_literal() -> Iterator:
    for k in quadratic_modes(2):
        yield Equal(sum(i > 0 for i in k), 1, f"number of active coordinates of k = {k}, p_{k} = " + "*".join(
            f"p_{i}(x_{c + 1})" for c, i in enumerate(k)))  # fmt: skip


@claim(
    "boundary-level-set",
    place="section 4, lines 370 to 377",
    title="sign(g) partitions the domain along {g = 0}, and the affine functions are a proper subspace",
    latex=r"\dim\{h\in\mathcal{H}_n^{(d)}\text{ affine}\}=d+1<(n+1)^d\qquad(n,d\ge1,\ nd>1)",
    plain="g is continuous, so it changes sign only at its zeros. 'Typically nonlinear': the affine "
    "functions are a proper subspace, because (n+1)^d >= 2^d >= d+1 with equality for n = d = 1 only. (A g "
    "that is not affine can still have a straight boundary, for example x_1 + x_1^3.)",
    reading="'typically' means for all g outside a proper subspace",
    scope="all n, d (by induction on d); modes counted for n, d <= 4; one trained classifier that takes "
    "both signs",
    second_route="number of modes of total degree <= 1 compared with the number of all modes",
    kills=("total-degree-truncation",),
    extent=FOR_ALL,
    covers=("geometry-determines",),
)
def level_set() -> Iterator:
    from sympy import symbols

    n, d = symbols("n d", positive=True)
    yield Equal(2 * (d + 1) - (d + 2), d, "induction step: 2^(d+1) >= 2(d+1) = (d+2) + d > d+2")
    yield Equal((n + 1) - 2, n - 1, "d = 1: n + 1 > 2 for n > 1")
    for n_, d_ in product(range(1, 5), repeat=2):
        affine = [k for k in kernel.modes(n_, d_) if sum(k) <= 1]
        yield Equal(len(affine), d_ + 1, f"n = {n_}, d = {d_}: number of affine modes")
        if n_ * d_ > 1:
            yield Less(d_ + 1, len(kernel.modes(n_, d_)), f"n = {n_}, d = {d_}: d + 1, and number of modes")
    problem, found = sample_certificate("plane")
    g = kernel.gram_ratio(problem) @ common.signed_dual("plane") + found.b.lower.p
    label = "'plane' (7 points, d = 2, n = 2): signs of g at the data points"
    yield Equal({value > 0 for value in g}, {True, False}, label)
