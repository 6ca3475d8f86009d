"""Claims of section 3.1: orthonormal polynomials, the Christoffel-Darboux kernel and its RKHS.

The section treats every measure with infinite support, that is, every three-term recurrence with b_k > 0.
Its theorems are machine-checked for all of them (orca_exact/rocq) and are checked here with the
coefficients of the recurrence as free symbols. Jacobi weights are a special case, once their recurrence is
known to be the library's. Two proofs cover all degrees at once. With t = (1-x)/2 the library's monic pi_k has
the coefficients M(k, j) = (-2)^k c(k, j)/c(k, k), c(k, j) = (-k)_j (k+alpha+beta+1)_j / ((alpha+1)_j j!), and
the moments of the weight are L(t^i) = (alpha+1)_i / (alpha+beta+2)_i. Both proofs are identities of rational
functions in k, j, i, alpha and beta, so they hold for every degree.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from flint import fmpq, fmpq_poly

from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.measure import Measure

from .. import tensor_kernel as kernel
from ..ledger.claims import FOR_ALL, SAMPLED, Differs, Equal, Holds, Less, Note, claim
from ..rational_functions import free
from ..samples import (
    FREE_RECURRENCE,
    POINTS,
    SAMPLE_MEASURES,
    FreeJacobi,
    Recurrence,
    coefficients,
    delta,
    evaluate,
    gram_matrix,
    gram_schmidt,
    measures,
    symbolic,
    symbols,
    weights,
)


def recurrence(k: Any, alpha: Any, beta: Any) -> tuple[Any, Any]:
    """Return the library's own (a_k, b_k) for symbolic k, alpha and beta."""
    stub: Any = SimpleNamespace(parameters=(alpha, beta))
    return Jacobi.recurrence(stub, k)


def coefficient_ratios(k: Any, j: Any, a: Any, s: Any) -> tuple[Any, Any, Any, Any]:
    """Return M(k+1,j), M(k,j), M(k,j-1) and M(k-1,j), each divided by M(k,j)/(k+1-j); s = alpha+beta.

    No division by zero occurs for j = 0 ... k+1, where some of the four vanish, so the identity covers them.
    """

    def lead(m: Any) -> Any:  # c(m+1,m+1)/c(m,m)
        return -(2 * m + s + 1) * (2 * m + s + 2) / ((m + s + 1) * (m + a + 1))

    def step(m: Any) -> Any:  # c(m+1,j)/c(m,j) times (m+1-j)
        return (m + 1) * (m + s + 1 + j) / (m + s + 1)

    here = k + 1 - j
    above = -2 * step(k) / lead(k)
    left = -j * (a + j) / (k + s + j)
    below = here * (k - j) * lead(k - 1) / (-2 * step(k - 1))
    return above, here, left, below


@claim(
    "jacobi-explicit-form",
    place="section 3.1, eq. (10)",
    title="the three-term recurrence generates the Jacobi polynomials of every degree",
    latex=r"\pi_{k+1}=(x-a_k)\pi_k-b_k\pi_{k-1},\quad "
    r"\pi_k\propto{}_2F_1(-k,k+\alpha+\beta+1;\alpha+1;\tfrac{1-x}2)",
    plain="The explicit hypergeometric coefficients satisfy the library's three-term recurrence, "
    "coefficient by coefficient, with symbolic k and j. The cases k = 0 and k = 1, in which the library "
    "uses other formulas, are checked separately.",
    assumptions="alpha, beta > -1, so that no denominator vanishes",
    scope="all k, alpha, beta: an identity of rational functions in k, j, alpha, beta",
    second_route="SymPy's own jacobi(k, alpha, beta, x) for k = 0 ... 4",
    kills=("swapped-parameters", "wrong-b"),
    extent=FOR_ALL,
)
def explicit_form() -> Iterator:
    from sympy import Poly, Symbol, jacobi

    a, s, k, j = free("alpha", "s", "k", "j")
    for degree in (k, 1):
        ak, bk = recurrence(degree, a, s - a)
        above, here, left, below = coefficient_ratios(degree, j, a, s)
        label = f"coefficient of t^j in both sides of the recurrence, k = {degree}"
        yield Equal(above, (1 - ak) * here - 2 * left - bk * below, label)
    yield Equal(recurrence(0, a, s - a)[1], 0, "b_0")
    J, x = symbolic(), Symbol("x")
    for degree in range(5):
        classical = Poly(jacobi(degree, *symbols(), x), x, domain=J.field)
        ours = J.polynomial(degree) * Poly(J.leading_classical(degree), x, domain=J.field)
        yield Equal(ours, classical, f"the toolkit's P_{degree}, and SymPy's")


@claim(
    "eq-OP-orthonormality",
    place="section 3.1, eq. (9) and (10), line 153; section 6.1, line 791",
    title="the polynomials p_n of every degree are orthonormal",
    latex=r"\int_I p_n(t)\,p_m(t)\,d\mu(t)=\delta_{nm}",
    plain="The sums S(i) = L(t^i pi_k)/L(t^i) satisfy (i+1-k)(k+s+2+i) S(i+1) = (i+1)(s+2+i) S(i) with s = "
    "alpha+beta, by the telescoping certificate G(j) = (s+2+i) j (alpha+j)/(alpha+1+i) F(i,j). At i = k-1 "
    "the left side is 0, so S(k-1) = 0, then S(k-2) = 0, and so on down to S(0) = 0. From x p_k = p_{k+1} "
    "+ a_k p_k + b_k p_{k-1} it follows that h_k = b_k h_{k-1}. The letter m in (10) is a degree; "
    "elsewhere it is the number of points.",
    assumptions="the moments of the Jacobi weight (display-jacobi-weight); jacobi-explicit-form",
    scope="proved for every positive definite functional (machine-checked); computed "
    f"with {FREE_RECURRENCE}, n <= 3; "
    "Jacobi weights for all n, alpha, beta (a rational identity in k, i, j); Gram matrices from moments "
    f"over Q(alpha,beta), n <= 5, and for {SAMPLE_MEASURES}, n <= 16",
    second_route="Gram matrices computed from the moments of the weight, without the recurrence",
    kills=("swapped-parameters", "wrong-b", "shifted-h", "missing-h", "wrong-moment", "moment-off-by-one"),
    covers=("display-jacobi-orthonormal", "eq-L2-inner", "one-d-measure"),
    extent=SAMPLED,
)
def orthonormality() -> Iterator:
    a, s, i, j, k = free("alpha", "s", "i", "j", "k")
    shift_i = (a + 1 + i + j) * (s + 2 + i) / ((a + 1 + i) * (s + 2 + i + j))  # F(i+1,j)/F(i,j)
    shift_j = (j - k) * (k + s + 1 + j) * (a + 1 + i + j) / ((a + 1 + j) * (s + 2 + i + j) * (j + 1))

    def G(j: Any) -> Any:
        return (s + 2 + i) * j * (a + j) / (a + 1 + i)

    left = (i + 1 - k) * (k + s + 2 + i) * shift_i - (i + 1) * (s + 2 + i)
    yield Equal(left, G(j + 1) * shift_j - G(j), "telescoping identity for L(t^i pi_k), all k and i")
    some: list[tuple[Measure, int]] = [(Recurrence(), 3), (FreeJacobi(*symbols()), 5)]
    for J, n in some + [(J, 16) for J in measures()]:
        h, inner = J.h_ratios(n), gram_matrix(J, coefficients(J, n))
        gram = [[x / norm for x, norm in zip(row, h, strict=True)] for row in inner]
        yield Equal(gram, delta(n), f"{J}: Gram matrix <p_r, p_c>, r, c <= {n}")


@claim(
    "op-existence",
    place="section 3.1, line 161",
    title="the orthonormal sequence exists and is unique",
    latex=r"\exists!\,\{p_n\}:\ \langle p_n,p_m\rangle=\delta_{nm},\ \deg(p_n)=n,\ \kappa_n>0",
    plain="Gram-Schmidt on 1, t, t^2, ... with the moments of the weight never divides by zero and gives "
    "the polynomials of the recurrence.",
    assumptions="the measure has infinite support, so the integral of p^2 is positive for every p except 0",
    scope="proved for every positive definite functional (machine-checked); computed "
    f"with {FREE_RECURRENCE}, n <= 3; "
    f"over Q(alpha,beta), n <= 3; for {SAMPLE_MEASURES}, n <= 8",
    second_route="Gram-Schmidt on the moments compared with the recurrence",
    kills=("swapped-parameters", "wrong-b", "wrong-moment"),
    extent=SAMPLED,
)
def existence() -> Iterator:
    some: list[tuple[Measure, int]] = [(Recurrence(), 3), (FreeJacobi(*symbols()), 3)]
    for J, n in some + [(J, 8) for J in measures()]:
        basis, norms = gram_schmidt(J, n)
        yield Equal(coefficients(J, n), basis, f"{J}: pi_0 ... pi_{n}, recurrence and Gram-Schmidt")
        yield Equal(J.h_ratios(n), norms, f"{J}: h_k/h_0 from the recurrence and by Gram-Schmidt")


@claim(
    "op-degree-sign",
    place="section 3.1, line 166",
    title="p_n has degree n and a positive leading coefficient kappa_n, for every n",
    latex=r"p_n(t)=\kappa_n t^n+\cdots,\ \kappa_n>0",
    plain="pi_n is monic of degree n, and b_k = h_k/h_{k-1} > 0 for all k >= 1: with alpha = u-1, beta = "
    "v-1 and k = l+2 the numerator and the denominator of b_k have positive coefficients only.",
    assumptions="alpha, beta > -1 for Jacobi weights; for other measures h_k is an integral of pi_k^2",
    scope="proved for every positive definite functional (machine-checked); degree and leading coefficient "
    f"computed with {FREE_RECURRENCE}, k <= 5; for Jacobi weights b_k > 0 for all k and alpha, beta > -1",
    second_route=f"signs of h_k for {SAMPLE_MEASURES}, n <= 8",
    kills=("negative-b", "negative-norms"),
    extent=SAMPLED,
)
def degree_and_sign() -> Iterator:
    from sympy import Poly, together
    from sympy import symbols as make

    u, v, m = make("u v l", positive=True)
    for k, name in ((m + 2, "k >= 2"), (1, "k = 1")):
        value = together(recurrence(k, u - 1, v - 1)[1])
        for part, side in zip(value.as_numer_denom(), ("numerator", "denominator"), strict=True):
            signs = {c > 0 for c in Poly(part.expand(), u, v, m).coeffs()}
            yield Equal(len(signs), 1, f"{name}: the coefficients of the {side} of b_k have one sign")
        yield Less(0, value.subs({u: 1, v: 1, m: 1}), f"{name}: b_k > 0 at one point")
    any_ = Recurrence()
    for k, p in enumerate(coefficients(any_, 5)):
        yield Equal((len(p) - 1, p[-1]), (k, any_.one), f"{any_}: degree and leading coefficient of pi_{k}")
    for J in measures():
        yield Holds(all(h > 0 for h in J.h_ratios(8)), f"{J}: h_k > 0")
        for k, p in enumerate(coefficients(J, 8)):
            yield Equal((len(p) - 1, p[-1]), (k, fmpq(1)), f"{J}: degree and leading coefficient of pi_{k}")


@claim(
    "eq-CD-def",
    place="section 3.1, Definition 3.1 and eq. (11); section 6.1, line 810",
    title="the weight determines the Christoffel-Darboux kernel",
    latex=r"K_n(x,z):=\sum_{k=0}^{n} p_k(x)\,p_k(z)",
    plain="K_n depends neither on the signs of the p_k nor on how they were computed; h_0 K_n is rational "
    "for rational arguments.",
    scope="proved for every positive definite functional (machine-checked); computed "
    f"with {FREE_RECURRENCE} and over "
    f"Q(alpha,beta), x and z free, n <= 3; for {SAMPLE_MEASURES}, at rational points, n <= 6",
    second_route="p_k by Gram-Schmidt on the moments",
    kills=("truncated-early", "shifted-h", "missing-h", "swapped-parameters"),
    covers=("def-CD-1D", "display-K-jacobi"),
    extent=SAMPLED,
)
def cd_definition() -> Iterator:
    x, z = free("x", "z")
    free_measures: tuple[Measure, ...] = (Recurrence(), FreeJacobi(*symbols()))
    for J in free_measures:
        basis, norms = gram_schmidt(J, 3)
        total: Any = 0
        for n in range(4):
            total = total + evaluate(basis[n], x) * evaluate(basis[n], z) / norms[n]
            label = f"{J}, n = {n}: the kernel from the recurrence and by Gram-Schmidt"
            yield Equal(kernel.cd_sum(J, n, x, z), total, label)
    for J in measures():
        basis, norms = gram_schmidt(J, 6)
        for p, q in pairwise(POINTS):
            value = sum(
                (evaluate(f, p) * evaluate(f, q) / h for f, h in zip(basis, norms, strict=True)), fmpq(0)
            )
            label = f"{J}: h_0 K_6({p}, {q}) from the recurrence and by Gram-Schmidt"
            yield Equal(kernel.cd_sum(J, 6, p, q), value, label)


@claim(
    "eq-CD-identity",
    place="section 3.1, eq. (13), line 198",
    title="the Christoffel-Darboux identity holds for every n",
    latex=r"K_n(x,z)=\frac{\kappa_n}{\kappa_{n+1}}\frac{p_{n+1}(x)p_n(z)-p_n(x)p_{n+1}(z)}{x-z}"
    r"\quad(x\ne z)",
    plain="Proof by induction: D_n = pi_{n+1}(x)pi_n(z) - pi_n(x)pi_{n+1}(z) satisfies D_n = "
    "(x-z)pi_n(x)pi_n(z) + b_n D_{n-1} for any a_n, b_n; divide by h_n = b_n h_{n-1}. The kernel of the "
    "weight is then compared with its value from the moments.",
    scope="all n and every three-term recurrence (by induction here, and machine-checked); K_n from moments "
    f"with {FREE_RECURRENCE} and over Q(alpha,beta), n <= 3, x and z free; "
    f"for {SAMPLE_MEASURES}, at rational points, n <= 6",
    second_route="K_n summed from Gram-Schmidt polynomials",
    kills=("cd-wrong-sign", "wrong-kappa", "swapped-parameters", "induction-without-b"),
    covers=("closed-form-remark",),
    extent=FOR_ALL,
)
def cd_identity() -> Iterator:
    from sympy import Symbol, sqrt
    from sympy import symbols as make

    x, z, a, b = make("x z a b")
    px, pz, qx, qz = make("px pz qx qz")  # pi_n and pi_{n-1} at x and z
    up = induction_step(x, a, b, px, qx), induction_step(z, a, b, pz, qz)
    yield Equal(up[0] * pz - px * up[1], (x - z) * px * pz + b * (px * qz - qx * pz), "induction step")
    yield Equal((x - a) - (z - a), x - z, "base n = 0")
    h, H = Symbol("h", positive=True), Symbol("H", positive=True)  # h_n, h_{n+1}; kappa = 1/sqrt(h)
    label = "kappa_n/kappa_{n+1} p_{n+1} p_n, in terms of monic polynomials"
    yield Equal((sqrt(H) / sqrt(h)) / (sqrt(H) * sqrt(h)), 1 / h, label)
    X, Z = free("x", "z")
    free_measures: tuple[Measure, ...] = (Recurrence(), FreeJacobi(*symbols()))
    for J in free_measures:
        basis, norms = gram_schmidt(J, 4)
        total: Any = 0
        for n in range(4):
            total = total + evaluate(basis[n], X) * evaluate(basis[n], Z) / norms[n]
            difference = evaluate(basis[n + 1], X) * evaluate(basis[n], Z) - evaluate(basis[n], X) * evaluate(
                basis[n + 1], Z
            )
            label = f"{J}, n = {n}: h_n (x - z) K_n and the difference of products"
            yield Equal(total * (X - Z) * norms[n], difference, label)
    for J in measures():
        basis, norms = gram_schmidt(J, 6)
        for p, q in pairwise(POINTS):
            value = sum(
                (evaluate(f, p) * evaluate(f, q) / h for f, h in zip(basis, norms, strict=True)), fmpq(0)
            )
            yield Equal(kernel.cd_closed(J, 6, p, q), value, f"{J}: h_0 K_6({p}, {q}), identity and sum")


def induction_step(x: Any, a: Any, b: Any, p: Any, q: Any) -> Any:
    """Return pi_{n+1} from pi_n = p and pi_{n-1} = q."""
    return (x - a) * p - b * q


@claim(
    "eq-CD-diagonal",
    place="section 3.1, eq. (14)",
    title="the confluent form (14) of the identity holds for every n",
    latex=r"K_n(x,x)=\frac{\kappa_n}{\kappa_{n+1}}\big(p_{n+1}'(x)p_n(x)-p_n'(x)p_{n+1}(x)\big)",
    plain="Proof by induction on W_n = pi_{n+1}' pi_n - pi_n' pi_{n+1} = pi_n^2 + b_n W_{n-1}. (14) is the "
    "limit of (13).",
    scope="all n and every three-term recurrence (by induction here, and machine-checked); computed for "
    f"{SAMPLE_MEASURES}, at rational points, n <= 6",
    second_route="K_n(x,x) summed from Gram-Schmidt polynomials, with derivatives from their coefficients",
    kills=("derivative-not-shifted", "wrong-kappa", "induction-without-b"),
    extent=FOR_ALL,
)
def cd_diagonal() -> Iterator:
    from sympy import symbols as make

    x, a, b, p, q, dp, dq = make("x a b p q dp dq")
    up = induction_step(x, a, b, p, q)
    dup = p + induction_step(x, a, b, dp, dq)
    yield Equal(dup * p - dp * up, p**2 + b * (dp * q - dq * p), "induction step")
    for J in measures():
        basis, norms = gram_schmidt(J, 6)
        for t in POINTS:
            value = sum((evaluate(f, t) ** 2 / h for f, h in zip(basis, norms, strict=True)), fmpq(0))
            yield Equal(kernel.cd_confluent(J, 6, t), value, f"{J}: h_0 K_6({t}, {t}), by (14) and as a sum")
        for k, f in enumerate(basis):
            derivative = [c * i for i, c in enumerate(f)][1:] or [fmpq(0)]
            label = f"{J}: derivative of pi_{k}"
            yield Equal(J.derivatives(k, POINTS[1])[k], evaluate(derivative, POINTS[1]), label)


@claim(
    "eq-projection-kernel",
    place="section 3.1, eq. (12), line 185",
    title="K_n is the integral kernel of the orthogonal projection Pi_n, and Pi_n^2 = Pi_n",
    latex=r"(\Pi_n f)(x)=\int_I K_n(x,t)\,f(t)\,d\mu(t),\qquad \Pi_n^2=\Pi_n",
    plain="Integrating K_n(x,.) against t^j gives t^j for j <= n, and for j > n a polynomial whose "
    "difference from t^j is orthogonal to 1 ... t^n. Integrating K_n(x,.) against K_n(.,z) gives K_n(x,z). "
    "Evaluation at x is used for elements of the span of p_0 ... p_n only, never for f itself.",
    scope="proved for every f in a space of functions with a symmetric form, in which p_0 ... p_n are "
    "orthonormal, such as the polynomials (machine-checked); not for classes of functions in L2(mu), which "
    f"have no value at x; computed for {SAMPLE_MEASURES}, n <= 4, j <= 7 (by linearity all polynomials of "
    "degree <= 7)",
    second_route="integrals of kernel sections from the moments, compared with the library's project()",
    kills=("truncated-early", "swapped-parameters", "missing-h", "wrong-moment"),
    covers=("projection-idempotent",),
    extent=SAMPLED,
)
def projection() -> Iterator:
    x = fmpq_poly([0, 1])
    for J in measures():
        for n in (0, 2, 4):
            sections = _sections(J, n)
            for j in range(8):
                power = [fmpq(0)] * j + [fmpq(1)]
                image = _integrate(J, sections, power)
                rest = [(power[i] if i <= j else fmpq(0)) - image[i] for i in range(max(j, n) + 1)]
                for i in range(n + 1):
                    value = J.inner_ratio(rest, [fmpq(0)] * i + [fmpq(1)])
                    yield Equal(value, fmpq(0), f"{J}, n = {n}: inner product of t^{j} - Pi t^{j} and t^{i}")
                if j <= n:
                    yield Equal(image, fmpq_poly(power), f"{J}, n = {n}: Pi t^{j} = t^{j}")
                ours = fmpq_poly(
                    [
                        fmpq(int(c.p), int(c.q))
                        for c in kernel.project_polynomial(J, n, _x() ** j).all_coeffs()[::-1]
                    ]
                )
                yield Equal(ours, image, f"{J}, n = {n}: the library's Pi t^{j}")
            for z in POINTS:
                section = kernel.cd_sum(J, n, x, fmpq_poly([z]))
                yield Equal(_integrate(J, sections, section.coeffs()), section, f"{J}, n = {n}: Pi K(., {z})")


def _x() -> Any:
    from sympy import Symbol

    return Symbol("x")


def _sections(J: Measure, n: int) -> list[tuple[fmpq_poly, list]]:
    """Return, for n + 1 nodes x_i, Lagrange's polynomial of x_i and the coefficients in t of K_n(x_i, t)."""
    nodes = [fmpq(2 * i, n) - 1 for i in range(n + 1)] if n else [fmpq(0)]
    t, out = fmpq_poly([0, 1]), []
    for i, x in enumerate(nodes):
        lagrange = fmpq_poly([1])
        for node in nodes[:i] + nodes[i + 1 :]:
            lagrange = lagrange * fmpq_poly([-node, 1]) / (x - node)
        out.append((lagrange, kernel.cd_sum(J, n, fmpq_poly([x]), t).coeffs()))
    return out


def _integrate(J: Measure, sections: list[tuple[fmpq_poly, list]], f: list) -> fmpq_poly:
    """Return the integral of K_n(x,t) f(t) dmu(t) as a polynomial in x, from values of K_n and moments."""
    return sum((lagrange * J.inner_ratio(section, f) for lagrange, section in sections), fmpq_poly([]))


@claim(
    "prop-CD-RKHS-1D",
    place="section 3.1, Proposition 3.2, lines 191 to 195; section 2, line 110",
    title="the polynomials of degree <= n form an RKHS with kernel K_n and dimension n+1",
    latex=r"f(x)=\langle f,K_n(x,\cdot)\rangle,\quad \dim(\mathcal{H}_n^{(1)})=n+1",
    plain="The paper states this without proof. <p_k,p_l> = delta_kl gives <sum c_l p_l, sum p_k(x) p_k> = "
    "sum c_k p_k(x) for all n. The reproduction of every t^j, j <= n, is then checked with the moments.",
    assumptions="orthonormality (eq-OP-orthonormality)",
    scope="proved for all n and every functional (machine-checked); computed from moments "
    f"with {FREE_RECURRENCE} and "
    f"over Q(alpha,beta), n <= 2; for {SAMPLE_MEASURES}, n <= 6",
    second_route="integration with the moments",
    kills=("truncated-early", "swapped-parameters", "shifted-h", "wrong-moment"),
    covers=("display-H1-inner", "dim-H1", "mercer-remark"),
    extent=SAMPLED,
)
def rkhs() -> Iterator:
    from sympy import IndexedBase, KroneckerDelta, Sum
    from sympy import symbols as make

    n, k, m = make("n k l", integer=True, nonnegative=True)
    c = IndexedBase("c")
    inner = Sum(c[m] * KroneckerDelta(k, m), (m, 0, n)).doit()
    yield Equal(inner.args[0][0] if inner.args else inner, c[k], "<f, p_k> = c_k for 0 <= k <= n, all n")
    (x,) = free("x")
    free_measures: tuple[Measure, ...] = (Recurrence(), FreeJacobi(*symbols()))
    for J in free_measures:
        for degree in range(3):
            section = _section(J, degree)
            for j in range(degree + 1):
                mu = J.moment_ratios(degree + j)
                value = sum((coefficient * mu[i + j] for i, coefficient in enumerate(section)), 0 * x)
                yield Equal(value, x**j, f"{J}, n = {degree}: <t^{j}, K(x,.)> = x^{j}")
    t = fmpq_poly([0, 1])
    for J in measures():
        for point in POINTS:
            section = kernel.cd_sum(J, 6, fmpq_poly([point]), t).coeffs()
            for j in range(7):
                value = J.inner_ratio(section, [fmpq(0)] * j + [fmpq(1)])
                yield Equal(value, point**j, f"{J}: <t^{j}, K_6({point}, .)>")
        yield Equal(len({len(p) for p in coefficients(J, 6)}), 7, f"{J}: number of different degrees")


def _section(J: Measure, n: int) -> list:
    """Return the coefficients in t of h_0 K_n(x, t), x free."""
    x, t = free("x", "t")
    found = dict(kernel.cd_sum(J, n, x, t).terms("t"))
    return [found.get((j,), 0 * x) for j in range(n + 1)]


@claim(
    "eq-CD-inner-product",
    place="section 3.1, eq. (15) and (16)",
    title="the kernel is the Euclidean inner product of the features (p_0(x), ..., p_n(x))",
    latex=r"K_n(x,z)=\langle\Phi_n(x),\Phi_n(z)\rangle_{\mathbb{R}^{n+1}}",
    plain="The features with their square roots, as SymPy radicals, are compared with the rational kernel. "
    "The existence of a feature map is equivalent to positive semidefiniteness, not to the reproducing "
    "property of a given space.",
    scope="proved for every family (machine-checked); computed with SymPy radicals for two weights, n = 3, "
    "one pair of points",
    second_route="p_k^2 from Gram-Schmidt polynomials",
    kills=("missing-h", "truncated-early"),
    covers=("eq-feature-map-1D",),
    extent=SAMPLED,
)
def feature_map() -> Iterator:
    from sympy import Rational, expand

    for J in (weights()[0], weights()[1]):
        x, z = Rational(-2, 3), Rational(1, 7)
        p = [J.orthonormal(k) for k in range(4)]
        value = expand(sum(f.subs("x", x) * f.subs("x", z) for f in p) * J.h0)
        yield Equal(value, kernel.cd_sum(J, 3, fmpq(-2, 3), fmpq(1, 7)), f"{J}: <Phi(x), Phi(z)>, and kernel")
        basis, norms = gram_schmidt(J, 3)
        for k in range(4):
            yield Equal(
                expand(p[k].subs("x", x) ** 2 * J.h0),
                evaluate(basis[k], fmpq(-2, 3)) ** 2 / norms[k],
                f"p_{k}^2 from the recurrence and by Gram-Schmidt",
            )


@claim(
    "eq-norm-1D",
    place="section 3.1, eq. (17) and (18), line 229",
    title="every polynomial has a unique expansion in p_0 ... p_n, and ||f||^2 = sum c_k^2",
    latex=r"f=\sum_{k=0}^{n} c_k\,p_k,\qquad \|f\|^2=\sum_{k=0}^{n} c_k^{2}",
    plain="The change of basis from 1 ... t^n is triangular with ones on the diagonal, and the sum of "
    "squared coordinates is the integral of f^2. So the penalty acts on the coordinates of each degree.",
    scope="proved for all n and every functional (machine-checked); computed for three polynomials from the "
    f"moments of {SAMPLE_MEASURES}",
    second_route="the integral of f^2 from the moments",
    kills=("missing-h", "swapped-parameters", "wrong-moment"),
    covers=("eq-expansion-1D", "regularization-degree"),
    extent=SAMPLED,
)
def norm_1d() -> Iterator:
    for J in measures():
        p, h = coefficients(J, 5), J.h_ratios(5)
        for f in ([1, -2, 0, 3, 0, 1], [0, 0, 1, 1, 1, 5], [7, 0, 0, 0, 0, -1]):
            F = [fmpq(c) for c in f]
            rest, c = list(F), []
            for k in range(5, -1, -1):  # coordinates by elimination of the highest power: no integral is used
                c.append(rest[k])
                rest = [r - rest[k] * (p[k][i] if i <= k else 0) for i, r in enumerate(rest)]
            c.reverse()
            yield Equal(rest, [fmpq(0)] * 6, f"{J}: remainder of {f} after subtracting its expansion")
            yield Equal(
                sum((a * a * b for a, b in zip(c, h, strict=True)), fmpq(0)),
                J.inner_ratio(F, F),
                f"{J}: sum of squared coordinates and squared norm of {f}",
            )
        yield Differs(J.inner_ratio(p[5], p[5]), fmpq(0), "the squared norm of p_5 is not 0")
    yield Note("the c_k^2 are computed as (coordinate on pi_k)^2 h_k")
