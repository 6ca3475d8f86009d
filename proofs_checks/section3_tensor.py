"""Section 3.2: tensor-product kernel, multi-index expansion, RKHS on I^d."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from flint import fmpq, fmpq_mat

from orca_exact import kernel
from orca_exact.paper.claims import Equal, Holds, Note, claim
from orca_exact.problem import Problem

from .common import (
    ANY,
    CLASSIFIERS,
    coefficients,
    delta,
    ldl,
    measures,
    tensor,
    tensor_inner,
    times,
    weights,
)


@claim(
    "eq-tensor-inner",
    place="section 3.2, eq. (19) to (21)",
    title="the tensor inner product is that of L2(mu^d), and factorises on products",
    latex=r"\langle\bigotimes f_i,\bigotimes g_i\rangle=\prod_i\langle f_i,g_i\rangle",
    plain="On separable products the L2(mu x ... x mu) integral, term by term over monomials, is the "
    "product of the "
    "one-dimensional integrals. Everything holds for d = 1 too, which sections 4 and 5 use.",
    scope=f"exact, d = 1, 2, 3, {ANY}; bilinearity extends it to sums",
    second_route="integration of the expanded polynomial, monomial by monomial",
    kills=("moment-off-by-one-inner",),
    covers=("eq-Hn-tensor-def", "eq-tensor-simple", "d-at-least-2", "single-truncation", "sec4-d1"),
)
def tensor_inner_product() -> Iterator:
    f = [[1, 2, 0], [0, 1, -1], [3, 0, 1]]
    g = [[2, 0, 1], [1, 1, 1], [0, -1, 2]]
    for J in measures():
        for d in (1, 2, 3):
            F, G = ([[fmpq(c) for c in row] for row in rows[:d]] for rows in (f, g))
            value = fmpq(1)
            for a, b in zip(F, G, strict=True):
                value = value * J.inner_ratio(a, b)
            yield Equal(tensor_inner(J, tensor(F), tensor(G)), value, f"{J}, d = {d}")


@claim(
    "display-tensor-basis-elements",
    place="section 3.2, line 278 and eq. (23)",
    title="the p_k = p_{k_1}...p_{k_d} are an orthonormal basis of H_n^(d)",
    latex=r"p_{\mathbf{k}}(\mathbf{t})=\prod_{i=1}^d p_{k_i}(t_i),\qquad \mathbf{k}\in\{0,\dots,n\}^d",
    plain="Their Gram matrix in L2(mu^d), by moments, is the identity; they are as many as the monomials "
    "t^k with max k_i <= n, so they span.",
    scope=f"exact, (n, d) = (2, 2), (1, 3), {ANY}; for all n, d from eq-tensor-inner and orthonormality",
    second_route="moments of the product measure on expanded polynomials",
    kills=("swapped-parameters", "missing-h", "total-degree-truncation"),
    covers=("eq-tensor-basis", "multiindex", "basis-orthonormal-L2"),
)
def tensor_basis() -> Iterator:
    for J in measures():
        for n, d in ((2, 2), (1, 3)):
            p, h = coefficients(J, n), J.h_ratios(n)
            indices = kernel.modes(n, d)
            P = [tensor([p[i] for i in k]) for k in indices]
            gram = []
            for k, F in zip(indices, P, strict=True):
                norm = fmpq(1)
                for i in k:
                    norm = norm * h[i]
                gram.append([tensor_inner(J, F, G) / norm for G in P])
            yield Equal(gram, delta(len(indices) - 1), f"{J}: Gram matrix, n = {n}, d = {d}")
            yield Equal(
                len(indices), len(tensor([[1] * (n + 1)] * d)), f"as many as monomials, n = {n}, d = {d}"
            )


@claim(
    "contains-exactly",
    place="section 3.2, line 290",
    title="H_n^(d) is the span of the products of polynomials of degree <= n per coordinate",
    latex=r"\mathcal{H}_n^{(d)}=\mathrm{span}\{t_1^{k_1}\cdots t_d^{k_d}:k_i\le n\}",
    plain="'contains exactly all products' must be read as the span: t_1 + t_2 belongs to it and is no "
    "product "
    "(its coefficient matrix has rank 2).",
    scope="exact, n = 1, 2 for d = 2",
    second_route="ranks of coefficient matrices",
    kills=("total-degree-truncation",),
    covers=("display-H-span",),
)
def span() -> Iterator:
    J = weights()[0]
    for n in (1, 2):
        p = coefficients(J, n)
        rows = [tensor([p[i] for i in k]) for k in kernel.modes(n, 2)]
        monomials = list(product(range(n + 1), repeat=2))
        matrix = fmpq_mat([[row.get(e, fmpq(0)) for e in monomials] for row in rows])
        yield Equal(int(matrix.rank()), (n + 1) ** 2, f"n = {n}: rank of the p_k over the monomials")
    yield Equal(
        int(fmpq_mat([[0, 1], [1, 0]]).rank()), 2, "t_1 + t_2: rank of its coefficients, 1 for a product"
    )


@claim(
    "prop-multiindex",
    place="section 3.2, Proposition 3.4 and eq. (24)",
    title="the product of sums is the sum over all multi-indices",
    latex=r"\prod_{i=1}^dK_n(x_i,z_i)=\sum_{\mathbf{k}\in\{0,\dots,n\}^d}p_{\mathbf{k}}(\mathbf{x})p_{\mathbf{k}}(\mathbf{z})",
    plain="Induction on d: the product of a sum over {0..n}^(d-1) and one over {0..n} is the sum over "
    "{0..n}^d "
    "(distributive law, proved with free symbols for every term); then the library's two routes.",
    scope="universal identity in free symbols, (n, d) = (2, 2), (1, 3), (2, 3); induction gives all n, d; "
    "exact Gram matrices of six problems",
    second_route="Gram matrix as a product of one-dimensional kernels beside the sum over all modes",
    kills=("dropped-tensor-term", "total-degree-truncation", "sum-of-kernels"),
    covers=(
        "eq-CD-multiindex", "eq-CD-tensor-def", "def-tensor-kernel", "proof-multiindex-1",
        "proof-multiindex-2",
        "proof-multiindex-3", "display-K2-jacobi", 
    ),
)  # fmt: skip
def multiindex() -> Iterator:
    from sympy import prod, symbols

    for n, d in ((2, 2), (1, 3), (2, 3)):
        u = [symbols(f"u{i}_:{n + 1}") for i in range(d)]  # u[i][k] = p_k(x_i) p_k(z_i)
        left = prod([sum(row) for row in u])
        right = sum(prod([u[i][k[i]] for i in range(d)]) for k in kernel.modes(n, d))
        yield Equal(left, right, f"free symbols, n = {n}, d = {d}")
    for name, fields in CLASSIFIERS.items():
        problem = Problem(**fields)
        h, J = problem.jacobi.h_ratios(problem.n), problem.jacobi
        values = [[J.monic(problem.n, x) for x in row] for row in problem.points]
        R = kernel.gram_ratio(problem)
        for i, j in ((0, 0), (0, 1), (1, 3)):
            total = sum((_term(values, h, k, i, j) for k in kernel.modes(problem.n, problem.d)), fmpq(0))
            yield Equal(R[i, j], total, f"{name!r}: R_{i + 1}{j + 1}")


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
    plain="A product of positive semidefinite kernels (Schur); here with exact L D L^T certificates, also "
    "where points "
    "are repeated and the matrix is singular.",
    scope="exact certificates: six problems, and twice the points of one of them",
    second_route="LDL^T over Q beside symmetry of the matrix",
    kills=("negative-norms",),
)
def tensor_psd() -> Iterator:
    doubled = CLASSIFIERS["plane"] | {"X": CLASSIFIERS["plane"]["X"] * 2, "y": CLASSIFIERS["plane"]["y"] * 2}
    for name, fields in (*CLASSIFIERS.items(), ("plane, every point twice", doubled)):
        R = kernel.gram_ratio(Problem(**fields)).tolist()
        L, D = ldl(R)
        good = all(p is not None and p >= 0 for p in D)
        yield Holds(good, f"{name!r}: pivots >= 0")
        if good:
            yield Equal(times(L, D), R, f"{name!r}: L D L^T")
        yield Equal(R, [list(column) for column in zip(*R, strict=True)], f"{name!r}: symmetric")


@claim(
    "prop-CD-RKHS-tensor",
    place="section 3.2, Proposition 3.5 and eq. (25)",
    title="H_n^(d) is an RKHS with kernel K_n^(d)",
    latex=r"f(\mathbf{x})=\langle f,K_n^{(d)}(\mathbf{x},\cdot)\rangle_{\mathcal{H}_n^{(d)}}",
    plain="Stated without proof. Integrating K_n^(d)(x,.) against every monomial of the space gives its "
    "value at x.",
    scope=f"exact, d = 2 with n = 2 and d = 3 with n = 1, {ANY}, all monomials (so all f by linearity)",
    second_route="moments of the product measure",
    kills=("truncated-early", "swapped-parameters", "missing-h"),
    covers=("eq-reproducing-tensor",),
)
def tensor_rkhs() -> Iterator:
    from flint import fmpq_poly

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
    place="section 3.2, line 342",
    title="dim H_n^(d) = (n+1)^d",
    latex=r"\dim(\mathcal{H}_n^{(d)})=(n+1)^d",
    plain="The number of multi-indices, by induction on d: (n+1)^(d-1) of them, times n+1. As a polynomial "
    "in n of "
    "degree d it grows quadratically for d = 2. The SVM is linear in these features.",
    scope="for all n, d (induction step symbolic); enumerated for n <= 4, d <= 4",
    second_route="enumeration",
    kills=("dropped-tensor-term", "total-degree-truncation"),
    covers=("capacity", "card-I", "count-modes", "dim-quadratic", "echo-dim"),
)
def dimension() -> Iterator:
    from sympy import symbols

    n, d = symbols("n d", integer=True, positive=True)
    yield Equal((n + 1) ** (d - 1) * (n + 1), (n + 1) ** d, "induction step")
    for n_, d_ in product(range(5), range(1, 5)):
        yield Equal(len(kernel.modes(n_, d_)), (n_ + 1) ** d_, f"n = {n_}, d = {d_}")
    yield Note("d = 2: (n+1)^2 = 4, 9, 16, 81, 169 for n = 1, 2, 3, 8, 12; d = 5, n = 25: 11881376")
