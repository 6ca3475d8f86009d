"""Claims of section 2: kernels, the reproducing property, the soft-margin SVM and its dual."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from flint import fmpq, fmpq_mat

from orca_exact.errors import BadInput
from orca_exact.problem import Problem

from .. import samples as common
from .. import tensor_kernel as kernel
from ..ledger.claims import FINITE, SAMPLED, Differs, Equal, Holds, Less, Note, claim
from ..ledger.mutants import replacing
from ..rational_functions import free
from ..samples import (
    CLASSIFIERS,
    POINTS,
    Recurrence,
    described,
    h_polynomial,
    ldl,
    multiply_ldl,
    sample_certificate,
    weights,
)

RATIONAL = ("line", "plane", "skew", "xor")  # integer alpha, beta: lambda rational, everything over Q


@claim(
    "eq-data",
    place="section 2, eq. (1); section 4, line 359",
    title="a definition: the data are pairs (x_i, y_i) with y_i = -1 or +1, and the toolkit accepts no "
    "other data",
    latex=r"\{(\mathbf{x}_i, y_i)\}_{i=1}^m,\ \mathbf{x}_i\in\mathcal{X},\ y_i\in\{-1,+1\}",
    plain="A definition needs no proof. The check is finite: it accepts the well-formed data sets and "
    "rejects the malformed ones listed.",
    scope="the seven sample problems are accepted and five malformed data sets rejected",
    second_route="rejection of five malformed data sets in addition to acceptance of the well-formed ones",
    kills=("any-label",),
    covers=("display-data-Id",),
    extent=FINITE,
)
def data() -> Iterator:
    for name, where in described():
        yield Equal(set(Problem(**CLASSIFIERS[name]).y), {-1, 1}, f"labels of {where}")
    good = CLASSIFIERS["line"]
    for y in ([0, 1, -1, 1, 1], [1, 1, 1, 1, 1], [1, -1], [2, -1, 1, 1, 1]):
        yield Holds(_refused(**(good | {"y": y})), f"the toolkit rejects the labels {y}")
    label = "the toolkit rejects x = 2, which lies outside [-1, 1]"
    yield Holds(_refused(**(good | {"X": [["-1"], ["0"], ["1"], ["2"], ["0"]]})), label)


def _refused(**fields: Any) -> bool:
    try:
        Problem(**fields)
    except BadInput:
        return True
    return False


@claim(
    "eq-kerneldef",
    place="section 2, eq. (2)",
    title="the truncated kernel is symmetric",
    latex=r"K(\mathbf{x},\mathbf{z})=K(\mathbf{z},\mathbf{x})",
    plain="Symmetry is part of a definition. K_n satisfies it as a polynomial in x and z for every "
    "three-term recurrence.",
    scope="proved for every family (machine-checked); computed with free symbols a_k, b_k, x and z for n = "
    "0 ... 3",
    second_route="transposed Gram matrices of the sample problems",
    kills=("asymmetric-kernel",),
    extent=SAMPLED,
)
def symmetric() -> Iterator:
    J, (x, z) = Recurrence(), free("x", "z")
    for n in range(4):
        yield Equal(kernel.cd_sum(J, n, x, z), kernel.cd_sum(J, n, z, x), f"{J}, n = {n}")
    for fields in CLASSIFIERS.values():
        problem = Problem(**fields)
        R = [
            [kernel.cd_sum(problem.jacobi, problem.n, a[0], b[0]) for b in problem.points]
            for a in problem.points
        ]
        yield Equal(R, [list(column) for column in zip(*R, strict=True)], "Gram matrix and its transpose")


@claim(
    "def-psd",
    place="section 2, line 101",
    title="the Gram matrices of the kernel are positive semidefinite",
    latex=r"[K(\mathbf{x}_i,\mathbf{x}_j)]_{i,j=1}^m \succeq 0",
    plain="Every Gram matrix equals P D P^T with D = diag(h_0/h_k) > 0, so it is positive semidefinite.",
    assumptions="h_k > 0 (op-degree-sign)",
    scope="proved for all points (machine-checked); exact factorisations L D L^T of the sample problems",
    second_route="symmetric elimination over the rationals (L D L^T) compared with the factorisation "
    "through the design matrix",
    kills=("negative-norms", "dropped-tensor-term"),
    extent=SAMPLED,
)
def psd() -> Iterator:
    for name, where in described():
        problem = Problem(**CLASSIFIERS[name])
        R = kernel.gram_ratio(problem).tolist()
        L, D = ldl(R)
        yield Holds(all(p is not None and p >= 0 for p in D), f"{where}: the pivots of L D L^T are >= 0")
        if all(p is not None for p in D):
            yield Equal(multiply_ldl(L, D), R, f"{where}: L D L^T equals the Gram matrix")
        yield Equal(_through_features(problem), R, f"{where}: P D P^T equals the Gram matrix")
        yield Holds(all(h > 0 for h in problem.jacobi.h_ratios(problem.n)), f"{where}: h_k > 0")


def _through_features(problem: Problem) -> list[list[fmpq]]:
    """Return P D P^T over all modes, computed from the library's tensor features."""
    values, h = kernel.basis(problem, kernel.arithmetic("exact"))
    P = kernel.tensor_rows(values)
    D = kernel.tensor_rows([w[:, None] for w in h])
    return (fmpq_mat((P * D).T.tolist()) * fmpq_mat(P.tolist())).tolist()


@claim(
    "moore-aronszajn",
    place="section 2, line 101, eq. (3) and (4)",
    title="every positive semidefinite kernel has a unique RKHS with the reproducing property, and the "
    "feature map x -> K(x, .)",
    latex=r"f(\mathbf{x})=\langle f,K(\mathbf{x},\cdot)\rangle,\qquad "
    r"K(\mathbf{x},\mathbf{z})=\langle K(\mathbf{x},\cdot),K(\mathbf{z},\cdot)\rangle",
    plain="This is a theorem of Aronszajn (1950), which the paper quotes correctly. On finite sums of kernel "
    "sections the inner product is determined by the kernel, reproduces, and is positive definite: values "
    "are bounded by the norm. The completion of an infinite-dimensional space is quoted, not proved again.",
    assumptions="the completion (Aronszajn 1950)",
    scope="every kernel on any set, finite sums of sections (machine-checked); computed as identities for "
    "K = B^T B with a free matrix B of 2 rows and 3 columns; the kernels of the paper are "
    "moore-aronszajn/K_n",
    reading="for every positive semidefinite kernel, as printed; the theorem is quoted",
    second_route="the bound of f(x)^2 by Lagrange's identity",
    kills=("form-without-cross-terms",),
    covers=("eq-reproducing", "eq-featuremap"),
    extent=SAMPLED,
)
def reproducing_spaces() -> Iterator:
    from sympy import Matrix, expand, symbols

    B, a = Matrix(2, 3, symbols("b:6")), symbols("a:3")
    K = B.T * B
    features = B * Matrix(a)
    at = [sum(a[j] * K[j, i] for j in range(3)) for i in range(3)]
    for i in range(3):
        section = [int(i == j) for j in range(3)]
        yield Equal(
            expand(form_on_sections(K, a, section)), expand(at[i]), f"<f, K(x_{i + 1}, .)> and f(x_{i + 1})"
        )
        yield Equal(form_on_sections(K, section, section), expand(K[i, i]), f"the feature map at x_{i + 1}")
    norm = form_on_sections(K, a, a)
    yield Equal(expand(norm), expand(features.dot(features)), "<f, f> is a sum of squares")
    gap = expand(K[0, 0] * norm - at[0] ** 2)
    wedge = B[0, 0] * features[1] - B[1, 0] * features[0]
    yield Equal(gap, expand(wedge**2), "K(x_1, x_1) <f, f> - f(x_1)^2 is a square")


def form_on_sections(K: Any, a: Any, b: Any) -> Any:
    """Return the inner product of sum a_i K(x_i, .) and sum b_j K(x_j, .)."""
    return sum(a[i] * b[j] * K[i, j] for i in range(3) for j in range(3)).expand()


# Drop the terms with i != j.
replacing(
    "form-without-cross-terms", __name__, "form_on_sections",
    lambda K, a, b: sum(a[i] * b[i] * K[i, i] for i in range(3)) + 0 * K[0, 0],
)  # fmt: skip


@claim(
    "moore-aronszajn/K_n",
    place="section 2, line 101",
    title="the RKHS of K_n is unique: the kernel sections span the polynomials of degree <= n",
    latex=r"\mathcal{H}_n^{(1)}=\mathrm{span}\{K_n(x,\cdot):x\in I\}",
    plain="Kernel sections at n+1 distinct points are linearly independent: if sum c_i K(x_i,.) = 0, then "
    "sum c_i f(x_i) = 0 for every f of degree <= n by the reproducing property, so every c_i = 0 by "
    "Lagrange interpolation. Hence the sections span the space, and the reproducing property determines "
    "the inner product on them.",
    assumptions="uniqueness needs K(x,.) in H",
    statement="moore-aronszajn",
    reading="for the kernels of this paper",
    scope="all n, d and every measure: sections at n + 1 points span the space, no other kernel in it "
    "reproduces, and no other space of functions has this kernel (machine-checked); computed "
    "with free symbols for n <= 2, and for five Jacobi weights with n <= 4",
    second_route="the determinant of the Gram matrix of the sections: the square of Vandermonde's, divided "
    "by prod h_k",
    kills=("truncated-early",),
    extent=SAMPLED,
)
def sections_span() -> Iterator:
    from flint import fmpq_poly

    any_, points = Recurrence(), free("x", "y", "z")
    for n in (1, 2):
        rows = [any_.monic(n, point) for point in points[: n + 1]]
        steps = [points[j] - points[i] for j in range(n + 1) for i in range(j)]
        label = f"{any_}, n = {n}: the determinant of pi_k(x_i), and Vandermonde's determinant"
        yield Equal(_determinant(rows), prod(steps), label)
    t = fmpq_poly([0, 1])
    for J in weights():
        for n in range(1, 5):
            sections = [kernel.cd_sum(J, n, fmpq_poly([x]), t) for x in POINTS[: n + 1]]
            matrix = fmpq_mat([[p[k] for k in range(n + 1)] for p in sections])
            yield Equal(int(matrix.rank()), n + 1, f"{J}, n = {n}: rank of n+1 kernel sections")
            R = fmpq_mat([[kernel.cd_sum(J, n, x, z) for x in POINTS[: n + 1]] for z in POINTS[: n + 1]])
            yield Differs(R.det(), fmpq(0), f"{J}, n = {n}: the Gram determinant is not 0")


def _determinant(rows: list[list]) -> Any:
    """Return the determinant by expansion along the first row."""
    if len(rows) == 1:
        return rows[0][0]
    minors = (_determinant([row[:j] + row[j + 1 :] for row in rows[1:]]) for j in range(len(rows)))
    return sum(((-1) ** j * rows[0][j] * minor for j, minor in enumerate(minors)), rows[0][0] * 0)


# The SVM. In the units a = lambda*alpha, tau = lambda*C, R = K/lambda.


def objectives(name: str) -> tuple[fmpq, fmpq]:
    """Return lambda*P and lambda*D of (5) and (8) at the certified point, summed as printed."""
    problem, found = sample_certificate(name)
    R, y = kernel.gram_ratio(problem), problem.signs
    lam = problem.lambda_exact
    alpha = [u / lam for u in found.u]
    K = R * lam
    m = range(problem.m)
    quadratic = sum((alpha[i] * alpha[j] * y[i] * y[j] * K[i, j] for i in m for j in m), fmpq(0))
    dual = sum(alpha, fmpq(0)) - quadratic / 2
    b = found.b.lower.p
    g = [sum((alpha[j] * y[j] * K[i, j] for j in m), fmpq(0)) + b for i in m]
    xi = [max(fmpq(0), 1 - y[i] * g[i]) for i in m]
    return quadratic / 2 + problem.C * sum(xi, fmpq(0)), dual


@claim(
    "eq-svm-dual",
    place="section 2, eq. (5) and (8), line 120; section 4, line 367",
    title="(8) is the dual of (5): both attain the same optimal value",
    latex=r"\min\tfrac12\|\mathbf w\|^2+C\sum\xi_i \;=\; \max\sum\alpha_i-\tfrac12\sum\alpha_i\alpha_j "
    r"y_iy_jK_{ij}",
    plain="At certified optima the primal and the dual objective, summed as printed, are equal.",
    scope="proved for every SVM, solutions included (machine-checked); computed in exact rationals for four "
    "sample classifiers, with and without bound support vectors",
    second_route="the objectives summed as printed, compared with the toolkit's KKT certificate",
    kills=("primal-doubled",),
    covers=("eq-svm-primal", "primal-parameters", "dual-solution"),
    extent=SAMPLED,
)
def strong_duality() -> Iterator:
    for name, where in described(RATIONAL):
        problem, found = sample_certificate(name)
        alpha = [u / problem.lambda_exact for u in found.u]
        yield Holds(all(0 <= a <= problem.C for a in alpha), f"{where}: 0 <= alpha_i <= C")
        label = f"{where}: sum of alpha_i y_i"
        yield Equal(sum((a * y for a, y in zip(alpha, problem.y, strict=True)), fmpq(0)), fmpq(0), label)
        P, D = objectives(name)
        yield Equal(P, D, f"{where}: primal and dual objective")
        yield Note(f"for {where}, P = D = {P}")


@claim(
    "weak-duality",
    place="section 2, eq. (5) and (8)",
    title="for every feasible pair P - D is a sum of products of nonnegative terms",
    latex=r"P-D=\tfrac12\|\mathbf w-\mathbf w(\alpha)\|^2+\sum\alpha_i(y_ig_i-1+\xi_i)+\sum(C-\alpha_i)\xi_i"
    r"\quad\big(\textstyle\sum\alpha_iy_i=0\big)",
    plain="The paper leaves out this step from (5) to (8). With it, equality of the two objectives proves "
    "optimality.",
    assumptions="sum alpha_i y_i = 0",
    scope="proved for every number of points (machine-checked); computed as a polynomial identity for m = 3 "
    "points and 4 features",
    second_route="the certified optima of eq-svm-dual, at which every product vanishes",
    kills=("half-forgotten", "constraint-forgotten"),
    extent=SAMPLED,
)
def weak_duality() -> Iterator:
    from sympy import Rational, symbols

    m, features = 3, 4
    a, xi = symbols(f"a:{m}"), symbols(f"xi:{m}")
    w = symbols(f"w:{features}")
    C, b = symbols("C b")
    phi = [symbols(f"p{i}_:{features}") for i in range(m)]
    y = (1, -1, 1)
    a = (*a[:2], constraint(a))
    v = [sum(a[i] * y[i] * phi[i][k] for i in range(m)) for k in range(features)]
    g = [sum(w[k] * phi[i][k] for k in range(features)) + b for i in range(m)]
    half = Rational(1, 2) * (2 if drops_half() else 1)
    P = half * sum(t * t for t in w) + C * sum(xi)
    D = sum(a) - Rational(1, 2) * sum(t * t for t in v)
    products = sum(a[i] * (y[i] * g[i] - 1 + xi[i]) + (C - a[i]) * xi[i] for i in range(m))
    yield Equal(
        P - D,
        Rational(1, 2) * sum((s - t) ** 2 for s, t in zip(w, v, strict=True)) + products,
        "P - D, and the sum of products",
    )


def constraint(a: Any) -> Any:
    """Return a_3 from the constraint a_1 - a_2 + a_3 = 0."""
    return a[1] - a[0]


def drops_half() -> bool:
    """Return whether the factor 1/2 of the objectives is left out; a mutant returns True."""
    return False


@claim(
    "eq-representer",
    place="section 2, eq. (6), lines 112 and 122",
    title="the minimiser lies in the span of the kernel sections",
    latex=r"\mathbf{w}=\sum_{i=1}^m \alpha_i y_i\,\Phi(\mathbf{x}_i)",
    plain="A direction f that vanishes at all data points does not change any margin and adds ||f||^2/2 to "
    "the objective. So the part of a minimiser that is orthogonal to the span is 0. The function in H of "
    "line 112 is w; the separating function is w + b, by (7).",
    scope="proved for every minimiser (machine-checked); computed exactly for the sample classifier 'space' "
    "(6 points, d = 3, n = 2, 27 modes): all 21 directions of the orthogonal complement, and a combination "
    "of them",
    second_route="the null space of the design matrix compared with the certified w, with norms computed "
    "through the modes",
    kills=("not-orthogonal",),
    covers=("representer", "separating-in-H"),
    extent=SAMPLED,
)
def representer() -> Iterator:

    problem, _ = sample_certificate("space")
    values, weights_ = kernel.basis(problem, kernel.arithmetic("exact"))
    P = kernel.tensor_rows(values)  # modes x points
    D = kernel.tensor_rows([w[:, None] for w in weights_])[:, 0]
    w = (P * common.signed_dual("space")).sum(axis=1) * D  # coefficients of sum s_i R(x_i, .) on pi_k
    basis = null_space(fmpq_mat(P.T.tolist()))
    yield Equal(len(basis), len(P) - problem.m, "dimension of the orthogonal complement")

    def norm2(c: Any) -> fmpq:
        return sum(c * c / D, fmpq(0))  # <pi_k, pi_k> = h_k

    for k, f in enumerate([*basis, sum((i + 1) * f for i, f in enumerate(basis))]):
        at = [sum(f * P[:, i], fmpq(0)) for i in range(problem.m)]
        yield Equal(at, [fmpq(0)] * problem.m, f"direction {k + 1}: f vanishes at every data point")
        yield Equal(norm2(w + f) - norm2(w), norm2(f), f"direction {k + 1}: gain of ||w||^2, and ||f||^2")
        yield Less(fmpq(0), norm2(f), f"direction {k + 1}: ||f||^2 is positive")
    s, R = common.signed_dual("space"), kernel.gram_ratio(problem)
    label = "||w||^2 from the modes, and s^T K s"
    yield Equal(norm2(w), sum((s[i] * s[j] * R[i, j] for i in range(6) for j in range(6)), fmpq(0)), label)


def null_space(A: fmpq_mat) -> list[Any]:
    """Return a basis of the null space of A, exactly."""
    import numpy as np

    reduced, rank = A.rref()
    pivots = [next(j for j in range(A.ncols()) if reduced[i, j] != 0) for i in range(rank)]
    found = []
    for column in sorted(set(range(A.ncols())) - set(pivots)):
        out = [fmpq(0)] * A.ncols()
        out[column] = fmpq(1)
        for i, p in enumerate(pivots):
            out[p] = -reduced[i, column]
        found.append(np.array(out, dtype=object))
    return found


@claim(
    "eq-decision",
    place="section 2, eq. (7), line 131",
    title="g = sum alpha_i y_i K(x_i, .) + b satisfies the margin conditions, and its sign is the classifier",
    latex=r"g(\mathbf{x})=\sum_{i=1}^m \alpha_i y_i K(\mathbf{x}_i,\mathbf{x})+b,\qquad f=\mathrm{sign}(g)",
    plain="y g = 1 at free support vectors, y g <= 1 at bound ones, and y g >= 1 elsewhere. The paper does "
    "not define sign(0), so f is undefined on the boundary g = 0. For 'xor' (the points (+-1, +-1) with y "
    "= x_1 x_2) the boundary contains the origin.",
    scope="proved for every trained SVM (machine-checked); computed exactly for the sample classifiers, "
    "with b at an end of its interval",
    second_route="g from the monomials of h (expanded kernel sections) compared with g from the Gram matrix",
    kills=("alpha-without-y", "truncated-early"),
    covers=("classifier-sign",),
    extent=SAMPLED,
)
def decision() -> Iterator:
    for name, where in described():
        problem, found = sample_certificate(name)
        s, h = common.signed_dual(name), h_polynomial(name)
        b = found.b.lower.p
        through_gram = kernel.gram_ratio(problem) @ s + b
        for i, row in enumerate(problem.points):
            powers = (prod(x**e for x, e in zip(row, exponents, strict=True)) for exponents in h)
            g = sum((c * power for c, power in zip(h.values(), powers, strict=True)), fmpq(0)) + b
            yield Equal(g, through_gram[i], f"{where}: g(x_{i + 1}) in two ways")
            margin = problem.y[i] * g
            if i + 1 in found.free:
                yield Equal(margin, fmpq(1), f"{where}: y g at the free support vector {i + 1}")
            elif i + 1 in found.bound:
                yield Less(margin, fmpq(1), f"{where}: y g <= 1 at the bound point {i + 1}", strict=False)
            else:
                yield Less(fmpq(1), margin, f"{where}: y g >= 1 at point {i + 1}", strict=False)
    h, b = h_polynomial("xor"), sample_certificate("xor")[1].b.lower.p
    label = "'xor' (the points (+-1, +-1) with y = x_1 x_2): g(0) = 0, where sign(g) is not defined"
    yield Equal(h.get((0, 0), fmpq(0)) + b, fmpq(0), label)
