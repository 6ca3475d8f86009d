"""Claims of section 3.2: tensor-product kernel, multi-index expansion and RKHS on I^d."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from flint import fmpq, fmpq_mat

from orca_exact.problem import Problem

from .. import tensor_kernel as kernel
from ..ledger.claims import SAMPLED, Equal, Holds, Note, claim
from ..rational_functions import free
from ..samples import (
    CLASSIFIERS,
    FREE_RECURRENCE,
    SAMPLE_MEASURES,
    Recurrence,
    coefficients,
    delta,
    described,
    ldl,
    measures,
    multiply_ldl,
    tensor,
    tensor_inner,
    weights,
)


@claim(
    "eq-tensor-inner",
    place="section 3.2, eq. (19) to (21), line 234; section 4, line 356",
    title="the tensor inner product is that of L2(mu^d), and factorises on products",
    latex=r"\langle\bigotimes f_i,\bigotimes g_i\rangle=\prod_i\langle f_i,g_i\rangle",
    plain="On separable products the L2(mu x ... x mu) integral, computed term by term over monomials, is "
    "the product of the one-dimensional integrals: a product of sums is a sum over multi-indices, for any "
    "moments. Section 3.2 fixes d >= 2; everything also holds for d = 1, which sections 4 and 5 use.",
    scope="all d: the product of the moments gives the only form with (21) (machine-checked); "
    f"computed for d = 2 with free coefficients and moments; exactly for d = 1, 2, 3 and {SAMPLE_MEASURES}",
    second_route="integration of the expanded polynomial, monomial by monomial",
    kills=("moment-off-by-one-inner",),
    covers=("eq-Hn-tensor-def", "eq-tensor-simple", "d-at-least-2", "sec4-d1"),
    extent=SAMPLED,
)
def tensor_inner_product() -> Iterator:
    from sympy import symbols

    mu = symbols("m:3")
    f1, f2, g1, g2 = (symbols(f"{name}:2") for name in ("f1_", "f2_", "g1_", "g2_"))
    one = [sum(a * b * mu[i + j] for i, a in enumerate(F) for j, b in enumerate(G))
           for F, G in ((f1, g1), (f2, g2))]  # fmt: skip
    left = tensor([list(f1), list(f2)]), tensor([list(g1), list(g2)])
    both = sum(
        a * b * mu[d[0] + e[0]] * mu[d[1] + e[1]] for d, a in left[0].items() for e, b in left[1].items()
    )
    yield Equal(both, one[0] * one[1], "d = 2, arbitrary coefficients of degree 1 and arbitrary moments")
    f = [[1, 2, 0], [0, 1, -1], [3, 0, 1]]
    g = [[2, 0, 1], [1, 1, 1], [0, -1, 2]]
    for J in measures():
        for d in (1, 2, 3):
            F, G = ([[fmpq(c) for c in row] for row in rows[:d]] for rows in (f, g))
            value = fmpq(1)
            for a, b in zip(F, G, strict=True):
                value = value * J.inner_ratio(a, b)
            label = f"{J}, d = {d}: the integral of a product and the product of integrals"
            yield Equal(tensor_inner(J, tensor(F), tensor(G)), value, label)


@claim(
    "display-tensor-basis-elements",
    place="section 3.2, eq. (23), lines 275 to 278; section 4, line 511",
    title="the products p_k = p_{k_1}...p_{k_d} are an orthonormal basis of H_n^(d)",
    latex=r"p_{\mathbf{k}}(\mathbf{t})=\prod_{i=1}^d p_{k_i}(t_i),\qquad \mathbf{k}\in\{0,\dots,n\}^d",
    plain="Their Gram matrix in L2(mu^d), computed from the moments, is the identity. There are as many of "
    "them as monomials t^k with max k_i <= n, so they span the space.",
    scope="proved for all n, d and every family (machine-checked); computed "
    f"with {FREE_RECURRENCE}, (n, d) = (1, 2); "
    f"exactly for (n, d) = (2, 2), (1, 3) and {SAMPLE_MEASURES}",
    second_route="moments of the product measure applied to expanded polynomials",
    kills=("swapped-parameters", "missing-h", "total-degree-truncation"),
    covers=("eq-tensor-basis", "multiindex", "basis-orthonormal-L2"),
    extent=SAMPLED,
)
def tensor_basis() -> Iterator:
    for J in [Recurrence(), *measures()]:
        for n, d in ((2, 2), (1, 3)) if J.is_rational else ((1, 2),):
            p, h = coefficients(J, n), J.h_ratios(n)
            indices = kernel.modes(n, d)
            P = [tensor([p[i] for i in k]) for k in indices]
            norms = [prod((h[i] for i in k), start=J.one) for k in indices]
            gram = [[tensor_inner(J, F, G) / norm for G in P] for F, norm in zip(P, norms, strict=True)]
            yield Equal(gram, delta(len(indices) - 1), f"{J}: Gram matrix of the p_k, n = {n}, d = {d}")
            label = f"number of the p_k and of the monomials, n = {n}, d = {d}"
            yield Equal(len(indices), len(tensor([[1] * (n + 1)] * d)), label)


@claim(
    "contains-exactly",
    place="section 3.2, line 290; section 4, line 385",
    title="H_n^(d) is the span of the products of polynomials of degree <= n in each coordinate",
    latex=r"\mathcal{H}_n^{(d)}=\mathrm{span}\{t_1^{k_1}\cdots t_d^{k_d}:k_i\le n\}",
    plain="pi_k is monic of degree k, so the products of 1 ... t^n and the products of pi_0 ... pi_n have "
    "the same span. Not every element is a product: t_1 + t_2 is not, because its coefficient matrix has "
    "rank 2.",
    reading="the products span the space; as a set of functions the space contains more than the products",
    scope="all n, d: the p_k and the monomials have the same span (machine-checked); ranks for "
    f"n = 1, 2, d = 2; with {FREE_RECURRENCE}, n = 1, d = 2, the change of basis is triangular with "
    "ones on the diagonal",
    second_route="ranks of coefficient matrices",
    kills=("total-degree-truncation",),
    covers=("display-H-span",),
    extent=SAMPLED,
)
def span() -> Iterator:
    J = weights()[0]
    for n in (1, 2):
        p = coefficients(J, n)
        rows = [tensor([p[i] for i in k]) for k in kernel.modes(n, 2)]
        monomials = list(product(range(n + 1), repeat=2))
        matrix = fmpq_mat([[row.get(e, fmpq(0)) for e in monomials] for row in rows])
        yield Equal(int(matrix.rank()), (n + 1) ** 2, f"n = {n}: rank of the p_k over the monomials")
    any_ = Recurrence()
    p = coefficients(any_, 1)
    for k in kernel.modes(1, 2):
        F = tensor([p[i] for i in k])
        yield Equal(F[k], any_.one, f"{any_}: coefficient of t^{k} in pi_{k}")
        yield Equal(set(F), set(product(*(range(i + 1) for i in k))), f"{any_}: monomials of pi_{k}")
    label = "rank of the coefficient matrix of t_1 + t_2, which is 1 for a product"
    yield Equal(int(fmpq_mat([[0, 1], [1, 0]]).rank()), 2, label)


@claim(
    "prop-multiindex",
    place="section 3.2, Proposition 3.4, eq. (24); Definition 3.3, eq. (22); lines 306 to 321; "
    "section 4, line 354; section 6.1, line 816",
    title="the product of one-dimensional sums is the sum over all multi-indices",
    latex=r"\prod_{i=1}^dK_n(x_i,z_i)=\sum_{\mathbf{k}\in\{0,\dots,n\}^d}p_{\mathbf{k}}(\mathbf{x})p_{\mathbf{k}}(\mathbf{z})",
    plain="Proof by induction on d: the product of a sum over {0..n}^(d-1) and a sum over {0..n} is the sum "
    "over {0..n}^d (distributive law, checked with free symbols for every term). The library's two ways to "
    "compute the kernel are then compared.",
    scope="proved for all n, d and every family (machine-checked); computed as an identity in free symbols "
    "for (n, d) = (2, 2), (1, 3), (2, 3); exact Gram matrices of the sample problems",
    second_route="the Gram matrix as a product of one-dimensional kernels compared with the sum over all "
    "modes",
    kills=("dropped-tensor-term", "total-degree-truncation", "sum-of-kernels"),
    covers=(
        "eq-CD-multiindex", "eq-CD-tensor-def", "def-tensor-kernel", "proof-multiindex-1",
        "proof-multiindex-2",
        "proof-multiindex-3", "display-K2-jacobi", "sec4-structure",
    ),
    extent=SAMPLED,
)  # fmt: skip
def multiindex() -> Iterator:
    from sympy import symbols

    for n, d in ((2, 2), (1, 3), (2, 3)):
        u = [symbols(f"u{i}_:{n + 1}") for i in range(d)]  # u[i][k] = p_k(x_i) p_k(z_i)
        left = prod([sum(row) for row in u])
        right = sum(prod([u[i][k[i]] for i in range(d)]) for k in kernel.modes(n, d))
        label = f"free symbols, n = {n}, d = {d}: product of sums and sum over multi-indices"
        yield Equal(left, right, label)
    for name, where in described():
        problem = Problem(**CLASSIFIERS[name])
        h, J = problem.jacobi.h_ratios(problem.n), problem.jacobi
        values = [[J.monic(problem.n, x) for x in row] for row in problem.points]
        R = kernel.gram_ratio(problem)
        for i, j in ((0, 0), (0, 1), (1, 3)):
            total = sum((_term(values, h, k, i, j) for k in kernel.modes(problem.n, problem.d)), fmpq(0))
            yield Equal(R[i, j], total, f"{where}: entry ({i + 1}, {j + 1}) of the Gram matrix in two ways")


def _term(values: Any, h: list, k: tuple[int, ...], i: int, j: int) -> fmpq:
    out = fmpq(1)
    for coordinate, degree in enumerate(k):
        out = out * values[i][coordinate][degree] * values[j][coordinate][degree] / h[degree]
    return out


@claim(
    "tensor-psd",
    place="section 3.2, line 271",
    title="K_n^(d) is symmetric and positive semidefinite",
    latex=r"K_n^{(d)}\succeq 0",
    plain="It is a product of positive semidefinite kernels (Schur). Exact L D L^T factorisations confirm "
    "it, also for repeated points, which make the matrix singular.",
    scope="proved for all points and every family (machine-checked); exact factorisations for the sample "
    "problems and for one of them with every point repeated",
    second_route="L D L^T over the rationals compared with the symmetry of the matrix",
    kills=("negative-norms",),
    extent=SAMPLED,
)
def tensor_psd() -> Iterator:
    plane = CLASSIFIERS["plane"]
    problems = [(where, CLASSIFIERS[name]) for name, where in described()]
    doubled = plane | {"X": plane["X"] * 2, "y": plane["y"] * 2}
    for where, fields in (*problems, ("'plane' with every point given twice", doubled)):
        R = kernel.gram_ratio(Problem(**fields)).tolist()
        L, D = ldl(R)
        good = all(p is not None and p >= 0 for p in D)
        yield Holds(good, f"{where}: the pivots of L D L^T are >= 0")
        if good:
            yield Equal(multiply_ldl(L, D), R, f"{where}: L D L^T equals the Gram matrix")
        yield Equal(R, [list(column) for column in zip(*R, strict=True)], f"{where}: the transposed matrix")


@claim(
    "prop-CD-RKHS-tensor",
    place="section 3.2, Proposition 3.5 and eq. (25)",
    title="H_n^(d) is an RKHS with kernel K_n^(d)",
    latex=r"f(\mathbf{x})=\langle f,K_n^{(d)}(\mathbf{x},\cdot)\rangle_{\mathcal{H}_n^{(d)}}",
    plain="The paper states this without proof. Integrating K_n^(d)(x,.) against every monomial of the "
    "space gives the value of the monomial at x, for free x.",
    scope="proved for all n, d, x and every family (machine-checked); computed "
    f"with {FREE_RECURRENCE}, x free, d = 2, "
    "n = 1, for all monomials (by linearity all f); exactly at one x for d = 2, n = 2 and d = 3, n = 1 and "
    f"{SAMPLE_MEASURES}",
    second_route="moments of the product measure",
    kills=("truncated-early", "swapped-parameters", "missing-h"),
    covers=("eq-reproducing-tensor",),
    extent=SAMPLED,
)
def tensor_rkhs() -> Iterator:
    from flint import fmpq_poly

    any_, (x1, x2, t1, t2) = Recurrence(), free("x1", "x2", "t1", "t2")
    K = kernel.cd_sum(any_, 1, x1, t1) * kernel.cd_sum(any_, 1, x2, t2)
    mu = any_.moment_ratios(2)
    for e in product(range(2), repeat=2):
        value = sum(c * mu[i + e[0]] * mu[j + e[1]] for (i, j), c in K.terms("t1", "t2"))
        yield Equal(value, x1 ** e[0] * x2 ** e[1], f"{any_}: <t^{e}, K(x, .)> = x^{e}, x free")
    t = fmpq_poly([0, 1])
    for J in measures():
        for n, point in ((2, (fmpq(1, 3), fmpq(-1, 2))), (1, (fmpq(1, 5), fmpq(1), fmpq(-2, 3)))):
            K = tensor([kernel.cd_sum(J, n, fmpq_poly([x]), t).coeffs() for x in point])
            for e in product(range(n + 1), repeat=len(point)):
                value = fmpq(1)
                for x, power in zip(point, e, strict=True):
                    value = value * x**power
                yield Equal(tensor_inner(J, {e: fmpq(1)}, K), value, f"{J}: <t^{e}, K({point}, .)>")


@claim(
    "dim-tensor",
    place="section 3.2, lines 342 to 347; section 4, lines 354 and 381; section 5, line 572; section 6.1, "
    "line 825; section 6.2, line 1249",
    title="the dimension of H_n^(d) is (n+1)^d",
    latex=r"\dim(\mathcal{H}_n^{(d)})=(n+1)^d",
    plain="The dimension is the number of multi-indices, by induction on d: (n+1)^(d-1) of them, times n+1. "
    "It is a polynomial in n of degree d, so for d = 2 it grows quadratically. The SVM is linear in these "
    "features.",
    scope="proved for all n, d (machine-checked); enumerated for n <= 4, d <= 4",
    second_route="enumeration",
    kills=("dropped-tensor-term", "total-degree-truncation"),
    covers=("capacity", "sec4-complexity", "card-I", "count-modes", "dim-quadratic", "echo-dim"),
    extent=SAMPLED,
)
def dimension() -> Iterator:
    from sympy import symbols

    n, d = symbols("n d", integer=True, positive=True)
    yield Equal((n + 1) ** (d - 1) * (n + 1), (n + 1) ** d, "induction step: (n+1)^(d-1) (n+1) = (n+1)^d")
    for n_, d_ in product(range(5), range(1, 5)):
        yield Equal(len(kernel.modes(n_, d_)), (n_ + 1) ** d_, f"n = {n_}, d = {d_}: number of modes")
    yield Note("d = 2: (n+1)^2 = 4, 9, 16, 81, 169 for n = 1, 2, 3, 8, 12; d = 5, n = 25: 11881376")
