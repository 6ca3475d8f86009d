"""Section 4: the exact expansion of the trained SVM."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from flint import fmpq, fmpq_poly

from orca_exact import kernel
from orca_exact.jacobi import Jacobi
from orca_exact.paper.claims import Differs, Equal, claim
from orca_exact.problem import Problem
from orca_exact.profile import profile

from . import common
from .common import (
    CLASSIFIERS,
    coefficients,
    gram_schmidt,
    h_polynomial,
    tensor,
    tensor_inner,
    trained,
    weights,
)


def coordinates(name: str) -> dict[tuple[int, ...], fmpq]:
    """c_k sqrt(h_k) = sum_i s_i pi_k(x_i), eq. (28) with the square root of h_k cleared."""
    problem, _ = trained(name)
    s = common.signed(name)
    values = [[problem.jacobi.monic(problem.n, x) for x in row] for row in problem.points]
    out = {}
    for k in kernel.modes(problem.n, problem.d):
        total = fmpq(0)
        for i, row in enumerate(values):
            term = s[i]
            for coordinate, degree in enumerate(k):
                term = term * row[coordinate][degree]
            total = total + term
        out[k] = total
    return out


@claim(
    "prop-finite-expansion",
    place="section 4, Proposition 4.1, eq. (26) to (29)",
    title="h = sum_k c_k p_k with c_k = sum_i alpha_i y_i p_k(x_i)",
    latex=r"h_n^{(d)}=\sum_{\mathbf{k}}c_{\mathbf{k}}p_{\mathbf{k}},\quad "
    r"c_{\mathbf{k}}=\sum_{i=1}^m\alpha_iy_ip_{\mathbf{k}}(\mathbf{x}_i)",
    plain="h, expanded into monomials from its kernel sections, is integrated against each p_k (found by "
    "Gram-Schmidt "
    "on the moments): the result is c_k of (28). Then sum c_k p_k is h again, monomial by monomial. N_d(n) "
    "of the "
    "paper is (n+1)^d. The steps of the proof are those of prop-multiindex and an exchange of finite sums.",
    scope="exact, six trained classifiers, d = 1, 2, 3, every mode",
    second_route="<h, p_k> by exact integration with the weight's moments",
    kills=("alpha-without-y-28", "truncated-early", "swapped-parameters", "total-degree-truncation"),
    covers=(
        "eq-sec4-2-score", "eq-sec4-2-expansion", "eq-sec4-2-coeffs", "h-in-span", "unique-expansion",
        "h-penalized",
        "proof-expansion-1", "proof-expansion-2", "proof-expansion-3", "proof-expansion-4",
        "proof-expansion-5",
        "proof-expansion-6", "proof-expansion-7", "proof-expansion-8", "ck-measures", "abs-finite-exact",
        "concl-exact", "sec4-pn-slip",
    ),
)  # fmt: skip
def expansion() -> Iterator:
    for name in CLASSIFIERS:
        problem, _ = trained(name)
        h, c = h_polynomial(name), coordinates(name)
        basis, norms = gram_schmidt(problem.jacobi, problem.n)
        parts = []
        for k in product(range(problem.n + 1), repeat=problem.d):
            p = tensor([basis[i] for i in k])
            integral = tensor_inner(problem.jacobi, h, p)
            yield Equal(c.get(k, fmpq(0)), integral, f"{name!r}: c_{k} sqrt(h_{k})")
            norm = fmpq(1)
            for i in k:
                norm = norm * norms[i]
            parts.append((integral / norm, p))
        again = common.combine(parts)
        yield Equal(
            {e: again[e] for e in sorted(again)},
            {e: h.get(e, fmpq(0)) for e in sorted(again)},
            f"{name!r}: h",
        )


@claim(
    "eq-sec4-2-matrix-form",
    place="section 4, eq. (29)",
    title="c = P^T s with the design matrix P_{i,k} = p_k(x_i)",
    latex=r"\mathbf{c}=P^\top\mathbf{s},\quad s_i=\alpha_iy_i",
    plain="The library's tensor features at the data, times s, squared, against (28), h_k by Gram-Schmidt; "
    "and the profile's own coefficients.",
    scope="exact: squares of all coefficients of three trained classifiers, lambda rational and irrational",
    second_route="the profile's own coefficients() (SymPy radicals)",
    kills=("alpha-without-y", "bias-in-c0", "dropped-tensor-term"),
    covers=("display-design-matrix", "proof-expansion-9", "proof-expansion-10", "proof-expansion-11"),
)
def matrix_form() -> Iterator:
    for name in ("line", "plane", "space"):
        problem, _ = trained(name)
        squares = _squares(name)
        h0 = problem.jacobi.h0**problem.d
        c = {k: value**2 / h0 for k, value in common.orca_of(name).coefficients().items()}
        yield Equal(c, squares, f"{name!r}: lambda c_k^2 of the profile")
        values, weights_ = kernel.basis(problem, kernel.arithmetic("exact"))
        amplitudes = (kernel.fold(values) * common.signed(name)).sum(axis=1)  # P^T s, roots of h_k cleared
        for k, a in zip(product(range(problem.n + 1), repeat=problem.d), amplitudes, strict=True):
            norm = fmpq(1)
            for w, degree in zip(weights_, k, strict=True):
                norm = norm * w[degree]
            yield Equal(a * a * norm, squares[k], f"{name!r}: (P^T s)_{k} squared")


def _plain_signed(name: str) -> list[fmpq]:
    problem, found = trained(name)
    return [u * y for u, y in zip(found.u, problem.y, strict=True)]


def _squares(name: str) -> dict[tuple[int, ...], fmpq]:
    """(28) squared, h_k by Gram-Schmidt: independent of kernel and profile."""
    problem, _ = trained(name)
    basis, norms = gram_schmidt(problem.jacobi, problem.n)
    s = _plain_signed(name)
    out = {}
    for k in product(range(problem.n + 1), repeat=problem.d):
        total, norm = fmpq(0), fmpq(1)
        for i, row in enumerate(problem.points):
            term = s[i]
            for x, degree in zip(row, k, strict=True):
                term = term * common.at(basis[degree], x)
            total = total + term
        for degree in k:
            norm = norm * norms[degree]
        out[k] = total * total / norm
    return out


@claim(
    "intro-coordinates-exact",
    place="section 1, line 83",
    title="the coordinates c_k do not depend on which dual solution was found",
    latex=r"\mathbf{c}=P^\top\mathbf{s}",
    plain="'The dual coefficients' need not be unique: with a point given twice its weight can be split at "
    "will. "
    "Every c_k is the same, because w is unique.",
    scope="exact, a repeated point: two dual optima, one c",
    second_route="objective and c_k of both optima, summed as printed",
    kills=("alpha-without-y-28",),
)
def dual_not_unique() -> Iterator:
    problem = Problem([["-1"], ["1/2"], ["1/2"]], [1, -1, -1], n=1, alpha=0, beta=0, C=10)
    R = kernel.gram_ratio(problem)
    optimum = 2 / (R[0, 0] - 2 * R[0, 1] + R[1, 1])  # a_1 = sum of the other two
    seen = []
    for share in (fmpq(0), fmpq(1, 3), fmpq(1)):
        a = [optimum, optimum * share, optimum * (1 - share)]
        s = sign_them(a, problem.y)
        seen.append([sum((s[i] * v[k] for i, v in enumerate(_monic(problem))), fmpq(0)) for k in (0, 1)])
        dual = sum(a, fmpq(0)) - sum((s[i] * s[j] * R[i, j] for i in range(3) for j in range(3)), fmpq(0)) / 2
        yield Equal(dual, optimum, f"share {share}: lambda D is the optimum")
    yield Equal(seen[1:], seen[:-1], "c_0, c_1 of the three dual optima")
    yield Equal(seen[0][0], fmpq(0), "c_0")


def sign_them(a: list, y: Any) -> list:
    """s_i = a_i y_i."""
    return [value * label for value, label in zip(a, y, strict=True)]


def _monic(problem: Problem) -> list[list]:
    return [problem.jacobi.monic(problem.n, row[0]) for row in problem.points]


@claim(
    "example-31",
    place="section 4, lines 512 to 521",
    title="modes: (3,1) is p_3(x_1)p_1(x_2); 0 is constant, one entry 1 affine, (1,1) bilinear; groups "
    "orthogonal",
    latex=r"p_{(3,1)}(x_1,x_2)=p_3(x_1)p_1(x_2)",
    plain="Degrees of p_k in each coordinate are the entries of k; modes of different active coordinates are "
    "orthogonal in L2(mu^d).",
    scope="exact, five weights, n = 3, d = 2",
    second_route="integration by moments; degrees read off expanded polynomials",
    kills=("wrong-moment", "swapped-parameters"),
    covers=("constant-mode", "affine-modes", "bilinear-modes", "orthogonal-groups"),
)
def examples_of_modes() -> Iterator:
    for J in weights():
        p = coefficients(J, 3)
        mode = {k: tensor([p[i] for i in k]) for k in product(range(4), repeat=2)}
        for k, F in mode.items():
            degrees = tuple(max(e[i] for e, c in F.items() if c != 0) for i in (0, 1))
            yield Equal(degrees, k, f"{J}: degrees of p_{k}")
        groups: dict[tuple[bool, ...], list] = {}
        for k in mode:
            groups.setdefault(tuple(i > 0 for i in k), []).append(k)
        for one, other in product(groups, repeat=2):
            if one < other:
                values = [
                    tensor_inner(J, mode[k], mode[m]) for k in groups[one][:3] for m in groups[other][:3]
                ]
                yield Equal(values, [fmpq(0)] * len(values), f"{J}: groups {one} and {other}")


@claim(
    "low-degree-large-scale",
    place="section 4, line 515",
    title="p_k has k simple zeros in (-1, 1): higher degrees oscillate more",
    latex=r"\#\{x\in(-1,1):p_k(x)=0\}=k",
    plain="The checkable part of 'progressively finer oscillatory components'; 'typically' is not a "
    "statement.",
    scope="exact (Sturm sequences), five weights, k <= 7",
    second_route="the count over the whole line is k as well: all zeros are real and distinct, none outside",
    kills=("negative-b",),
)
def zeros() -> Iterator:
    from sympy import Poly, Rational, Symbol

    x = Symbol("x")
    for J in weights():
        for k in range(1, 8):
            p = Poly([Rational(int(c.p), int(c.q)) for c in reversed(coefficients(J, k)[k])], x)
            yield Equal(int(p.count_roots(-1, 1)), k, f"{J}: zeros of p_{k} in [-1, 1]")
            yield Equal(int(p.count_roots()), k, f"{J}: real zeros of p_{k}")
            for end in (-1, 1):
                yield Differs(p.eval(end), 0, f"{J}: p_{k}({end})")


@claim(
    "quadratic-modes",
    place="section 4, line 520",
    title="as printed: multi-indices with one entry equal to 2 are univariate",
    latex=r"\#\{i:k_i=2\}=1\Rightarrow q(\mathbf{k})=1",
    plain="As printed the clause 'with the remaining entries 0' is missing.",
    scope="enumeration, n = 2, d = 2",
    second_route="the corrected statement, and the coordinates on which p_(2,1) depends",
    kills=("remaining-entries-zero",),
    expect="FAILS",
    correction="quadratic-modes-corrected",
)
def quadratic() -> Iterator:
    for k in quadratic_modes(2):
        yield Equal(sum(i > 0 for i in k), 1, f"active coordinates of k = {k}: p_{k} = " + "*".join(
            f"p_{i}(x_{c + 1})" for c, i in enumerate(k)))  # fmt: skip


def quadratic_modes(d: int, others_zero: bool = False) -> list[tuple[int, ...]]:
    """Modes with one entry 2; with ``others_zero`` all their other entries are 0."""
    found = [k for k in product(range(3), repeat=d) if k.count(2) == 1]
    return [k for k in found if k.count(0) == d - 1] if others_zero else found


@claim(
    "quadratic-modes-corrected",
    place="section 4, line 520",
    title="corrected: one entry 2 and the others 0 gives univariate quadratic curvature",
    latex=r"\mathbf{k}=2\mathbf{e}_i\Rightarrow p_{\mathbf{k}}=p_0^{d-1}\,p_2(x_i)",
    plain="Then p_k depends on x_i alone and has degree 2 in it.",
    scope="enumeration, d = 2, 3",
    second_route="expanded polynomials",
    kills=("others-not-zero",),
)
def quadratic_corrected() -> Iterator:
    p = coefficients(weights()[0], 2)
    for d in (2, 3):
        modes = univariate_modes(d)
        yield Equal(len(modes), d, f"d = {d}: one for each coordinate")
        for k in modes:
            F = {e for e, c in tensor([p[i] for i in k]).items() if c != 0}
            yield Equal([max(e[i] for e in F) for i in range(d)], list(k), f"degrees of p_{k}")
            yield Equal(sum(i > 0 for i in k), 1, f"active coordinates of {k}")


def univariate_modes(d: int) -> list[tuple[int, ...]]:
    """Modes of degree two in one coordinate and zero in the others."""
    return quadratic_modes(d, others_zero=True)


# The constant.


# h = sum s_i K(x_i, .) with sum s_i = 1: an expansion that no equality constraint binds, and b = 0.
FREE, SIGNED = Problem([["-1/2"], ["1/3"]], [1, -1], 2, 0, 0), (fmpq(2), fmpq(-1))


def c_0() -> Any:
    """As the library's profile has it."""
    exact = kernel.arithmetic("exact")
    return profile.Profile(FREE, list(SIGNED), exact, FREE.lambda_exact).coefficients()[0,]


def constant_part() -> Any:
    """The mean of h over mu, from its kernel sections and the moments: no c_k, no p_0."""
    J, t = FREE.jacobi, fmpq_poly([0, 1])
    rows = zip(SIGNED, FREE.points, strict=True)
    h = sum((s * kernel.cd_sum(J, FREE.n, fmpq_poly([x]), t) for s, (x,) in rows), fmpq_poly([0]))
    return FREE.lambda_exact * J.inner_ratio(h.coeffs(), [fmpq(1)])


@claim(
    "eq-sec4-2-constant-bias",
    place="section 4, eq. (30)",
    title="as printed: the constant term of g is c_0 + b",
    latex=r"g=(c_{\mathbf 0}+b)+\sum_{\mathbf{k}\ne\mathbf 0}c_{\mathbf{k}}p_{\mathbf{k}}",
    plain="The constant is c_0 p_0 + b; the factor p_0 = h_0^(-d/2) is forgotten. Harmless for the SVM "
    "with bias, "
    "where c_0 = 0.",
    assumptions="as an identity for any coefficients, which is how (30) is stated",
    scope="counterexample: Legendre, d = 1, n = 2, h = 2 K(-1/2, .) - K(1/3, .), b = 0: its constant is 1/2",
    second_route="the mean of h over mu, by moments",
    kills=("p0-restored",),
    expect="FAILS",
    correction="eq-sec4-2-constant-bias-corrected",
)
def constant_bias() -> Iterator:
    yield Equal(printed_constant(), constant_part(), "c_0 + b against the constant of g")


def printed_constant() -> Any:
    """The constant of h as the paper has it: c_0."""
    return c_0()


@claim(
    "eq-sec4-2-constant-bias-corrected",
    place="section 4, eq. (30)",
    title="corrected: the constant term of g is c_0 p_0 + b",
    latex=r"g=(c_{\mathbf 0}p_{\mathbf 0}+b)+\sum_{\mathbf{k}\ne\mathbf 0}c_{\mathbf{k}}p_{\mathbf{k}}",
    plain="With p_0 = h_0^(-d/2); only the sum of the two constants matters for g.",
    scope="exact: the counterexample of eq. (30), and the six classifiers, where both constants are b",
    second_route="g - sum_{k != 0} c_k p_k in monomials",
    kills=("p0-forgotten", "alpha-without-y-28"),
    covers=("constant-offsets",),
)
def constant_bias_corrected() -> Iterator:
    yield Equal(right_constant(), constant_part(), "c_0 p_0 + b against the constant of g")
    for name in CLASSIFIERS:
        problem, _ = trained(name)
        h, c = h_polynomial(name), coordinates(name)
        basis, norms = gram_schmidt(problem.jacobi, problem.n)
        parts = [(fmpq(1), h)]
        for k, value in c.items():
            if any(k):
                norm = fmpq(1)
                for i in k:
                    norm = norm * norms[i]
                parts.append((-value / norm, tensor([basis[i] for i in k])))
        rest = {e: v for e, v in common.combine(parts).items() if v != 0}
        zero = (0,) * problem.d
        yield Equal({zero: fmpq(0)} | rest, {zero: c[zero]}, f"{name!r}: h - sum of the non-constant modes")


def right_constant() -> Any:
    """The constant of h: c_0 p_0."""
    return c_0() * FREE.jacobi.orthonormal(0)


@claim(
    "display-c0-zero",
    place="section 4, line 532",
    title="c_0 = p_0 sum alpha_i y_i = 0 for every dual-feasible alpha",
    latex=r"c_{\mathbf 0}=p_{\mathbf 0}\sum_{i=1}^m\alpha_iy_i=0",
    plain="pi_0 = 1, so c_0 is a multiple of the sum in the constraint of (8).",
    scope="for all feasible alpha (pi_0 = 1 identically); six trained classifiers",
    second_route="the integral of h against 1",
    kills=("alpha-without-y", "alpha-without-y-28"),
    covers=("bias-unregularized", "disc-okc0-reason", "echo-okc0"),
)
def c0_zero() -> Iterator:
    from sympy import Symbol

    yield Equal(Jacobi(0, 0).monic(0, Symbol("x"))[0], 1, "pi_0")
    for name in CLASSIFIERS:
        problem, _ = trained(name)
        zero = (0,) * problem.d
        yield Equal(coordinates(name)[zero], fmpq(0), f"{name!r}: c_0")
        yield Equal(
            tensor_inner(problem.jacobi, h_polynomial(name), {zero: fmpq(1)}), fmpq(0), f"{name!r}: <h, 1>"
        )
        yield Equal(common.orca_of(name).order[0], fmpq(0), f"{name!r}: OKC^(0)")


@claim(
    "offset-variants",
    place="section 4, line 535",
    title="as printed: without an explicit bias the offset is c_0 + b",
    latex=r"\text{offset}=c_{\mathbf 0}+b",
    plain="Without a bias there is no b, and the offset is c_0 p_0.",
    scope="counterexample: Legendre, d = 1, n = 2, h = 2 K(-1/2, .) - K(1/3, .), no bias: offset 1/2",
    second_route="the mean of h over mu, by moments",
    kills=("p0-restored",),
    expect="FAILS",
    correction="offset-variants-corrected",
)
def offset() -> Iterator:
    yield Equal(printed_constant(), constant_part(), "c_0 + 0 against the constant of h")


@claim(
    "offset-variants-corrected",
    place="section 4, line 535",
    title="corrected: the offset is b with a bias and c_0 p_0 without one",
    latex=r"\text{offset}=b\quad\text{or}\quad c_{\mathbf 0}p_{\mathbf 0}",
    plain="For the SVM without bias the constraint sum alpha_i y_i = 0 is absent and c_0 need not vanish.",
    scope="exact: h = 2 K(-1/2, .) - K(1/3, .) without bias; c_0 = 0 with bias is display-c0-zero",
    second_route="the mean of h over mu, by moments",
    kills=("p0-forgotten",),
)
def offset_corrected() -> Iterator:
    yield Equal(right_constant(), constant_part(), "c_0 p_0 against the constant of h")
