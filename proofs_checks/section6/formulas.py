"""Claims about the formulas of section 6: rescaling, the Jacobi weight and h_k. No data are needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from flint import fmpq

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem

from .. import tensor_kernel as kernel
from ..ledger.claims import FOR_ALL, Equal, Holds, Less, claim
from ..samples import coefficients, delta, symbolic, symbols


@claim(
    "display-rescale",
    place="section 6.1, lines 764 to 769",
    title="min-max rescaling maps every column onto [-1, 1]",
    latex=r"x_j=2\frac{\tilde x_j-\min\tilde x_j}{\max\tilde x_j-\min\tilde x_j}-1",
    plain="The computation is exact over the rationals. A constant column, for which the formula is 0/0, is "
    "rejected.",
    scope="every column with two different values, by identities in x~, min and max; two columns computed "
    "exactly",
    second_route="the affine map through (min, -1) and (max, 1)",
    kills=("rescale-to-unit",),
    covers=("rescale-intro",),
    extent=FOR_ALL,
)
def rescaling() -> Iterator:
    from sympy import symbols as make

    x, low_, high_ = make("x low high")
    scaled = 2 * (x - low_) / (high_ - low_) - 1
    yield Equal((scaled.subs(x, low_), scaled.subs(x, high_)), (-1, 1), "images of minimum and maximum")
    yield Equal(1 + scaled, 2 * (x - low_) / (high_ - low_), "x + 1 is nonnegative if x~ >= min")
    yield Equal(1 - scaled, 2 * (high_ - x) / (high_ - low_), "1 - x is nonnegative if x~ <= max")
    X = [["0.3", "17"], ["1.1", "-2"], ["0.7", "5/3"], ["0.35", "0"]]
    points = Problem(X, [1, -1, 1, -1], 1, 0, 0, rescale=True).points
    for j, (low, high) in enumerate(((fmpq(3, 10), fmpq(11, 10)), (fmpq(-2), fmpq(17)))):
        label = f"minimum and maximum of the rescaled column {j + 1}"
        yield Equal((min(points[:, j]), max(points[:, j])), (fmpq(-1), fmpq(1)), label)
        raw = [kernel.QQ(row[j]) for row in X]
        line = [-(high - x) / (high - low) + (x - low) / (high - low) for x in raw]
        yield Equal(list(points[:, j]), line, f"rescaled column {j + 1}, and the affine map")
    from orca_exact.errors import BadParameter

    try:
        Problem([["1", "0"], ["1", "1"]], [1, -1], 1, 0, 0, rescale=True)
        yield Holds(False, "the toolkit rejects a constant column")
    except BadParameter:
        yield Holds(True, "the toolkit rejects a constant column")


def inner_products(problem: Problem) -> list[list]:
    """Return <p_i, p_j>, i, j <= n, for the problem's polynomials, from the moments of its weight."""
    J = problem.jacobi
    p, h = coefficients(J, problem.n), J.h_ratios(problem.n)
    return [[J.inner_ratio(a, b) / h[j] for j, b in enumerate(p)] for a in p]


@claim(
    "rescale-orthonormality",
    place="section 6.1, line 777",
    title="rescaling maps the data into the domain on which the p_k are orthonormal",
    latex=r"-1\le2\frac{\tilde x-\min}{\max-\min}-1\le1\qquad(\min\le\tilde x\le\max)",
    plain="Every rescaled value lies in [-1, 1], where the p_k are orthonormal with respect to mu, for any "
    "data.",
    reading="rescaling ensures that the inputs lie in the domain on which orthonormality is stated",
    scope="every column, by identities in x~, min and max; orthonormality for all k is "
    "eq-OP-orthonormality; computed exactly for three points, the weight (1/2, -1/3) and p_0 ... p_3",
    second_route="the largest absolute value after rescaling; inner products from the moments of the weight",
    kills=("rescale-too-far", "moment-off-by-one"),
    extent=FOR_ALL,
)
def rescale_domain() -> Iterator:
    from sympy import symbols as make

    x, low, high = make("x low high")
    scaled = 2 * (x - low) / (high - low) - 1
    label = "1 - x^2 is nonnegative if min <= x~ <= max"
    yield Equal(1 - scaled**2, 4 * (x - low) * (high - x) / (high - low) ** 2, label)
    problem = three_point_problem(rescale=True)
    yield Equal(max(abs(x) for x in problem.points[:, 0]), fmpq(1), "largest |x| after rescaling")
    yield Equal(inner_products(problem), delta(3), "<p_i, p_j>, i, j <= 3")


def three_point_problem(rescale: bool) -> Problem:
    """Return a problem with three points on a line, rescaled or not."""
    return Problem([["3"], ["-8"], ["100"]], [1, -1, 1], 3, "1/2", "-1/3", rescale=rescale)


@claim(
    "rescale-orthonormality-literal",
    place="section 6.1, line 777",
    title="rescaling the data makes the p_k orthonormal",
    latex=r"\frac1m\sum_{i=1}^mp_k(x_i)\,p_j(x_i)=\delta_{kj}\ \text{after rescaling}",
    plain="Orthonormality is a property of mu alone. The data could matter only if means over them replaced "
    "the integrals, and with respect to these means the p_k are not orthonormal after rescaling.",
    statement="rescale-orthonormality",
    reading="word for word: a step that changes the data ensures orthonormality, so orthonormality depends "
    "on the data",
    scope="counterexample: three rescaled points, the weight (1/2, -1/3), p_0 ... p_3, computed exactly",
    second_route="the moments of the weight (rescale-orthonormality)",
    kills=("weight-for-data",),
    expect="FAILS",
    correction="rescale-orthonormality",
    severity="imprecise wording",
)
def rescale_orthonormality() -> Iterator:
    yield Equal(
        data_means(three_point_problem(rescale=True)),
        delta(3),
        "means of p_i p_j over the data, and identity matrix",
    )


def data_means(problem: Problem) -> list[list]:
    """Return the means of p_i p_j over the points."""
    J, n = problem.jacobi, problem.n
    h, values = J.h_ratios(n), [J.monic(n, x) for x in problem.points[:, 0]]
    mean = lambda i, j: sum((p[i] * p[j] for p in values), fmpq(0)) / (len(values) * h[j])  # noqa: E731
    return [[mean(i, j) for j in range(n + 1)] for i in range(n + 1)]


@claim(
    "display-jacobi-weight",
    place="section 6.1, line 786",
    title="the Jacobi weight is a finite measure exactly for alpha, beta > -1",
    latex=r"\int_{-1}^1(1-x)^\alpha(1+x)^\beta\,dx<\infty\iff\alpha,\beta>-1",
    plain="Near 1 the factor (1+x)^beta is bounded above and away from 0, and the integral of (1-x)^alpha "
    "up to 1 - e is (1 - e^(alpha+1))/(alpha+1): finite in the limit if alpha > -1, infinite otherwise. "
    "The argument near -1 is the same. With t = (1-x)/2 the integral of d(t^(alpha+1+i) (1-t)^(beta+1)) is "
    "0, which gives the moments L(t^i) = (alpha+1)_i/(alpha+beta+2)_i, as in the library.",
    scope="all alpha, beta and all moments (symbolic i); SymPy integrals for integer parameters, moments up "
    "to 5",
    second_route="integration by SymPy",
    kills=("moment-off-by-one", "wrong-moment"),
    extent=FOR_ALL,
)
def weight() -> Iterator:
    from sympy import Symbol, binomial, diff, limit, log, oo, rf

    p, e = Symbol("p", positive=True), Symbol("e", positive=True)
    yield Equal(diff(e**p / p, e), e**p / e, "derivative of e^p/p, and e^(p-1), with p = alpha + 1 > 0")
    yield Equal(limit(e**p / p, e, 0, "+"), 0, "alpha > -1: the integral near the endpoint tends to 0")
    for value, case in ((e**-p, "alpha < -1"), (-log(e), "alpha = -1")):
        yield Holds(limit(value, e, 0, "+") is oo, f"{case}: the integral near the endpoint is infinite")
    a_, b_ = symbols()
    i, t = Symbol("i"), Symbol("t")
    ratio = (a_ + 1 + i) / (a_ + b_ + 2 + i)  # L(t^(i+1))/L(t^i)
    total = (a_ + 1 + i) * (1 - t) - (b_ + 1) * t  # d(t^(a+1+i) (1-t)^(b+1)) over t^(a+i) (1-t)^b dt
    yield Equal(total.subs(t, ratio), 0, "L((a+1+i) t^i (1-t) - (b+1) t^(i+1)) = 0 for every i")
    J = symbolic()
    for j in range(1, 5):  # x = 1 - 2t
        by_t = sum(binomial(j, k) * (-2) ** k * rf(a_ + 1, k) / rf(a_ + b_ + 2, k) for k in range(j + 1))
        yield Equal(J.moment(j), by_t * J.h0, f"moment {j} of the library, alpha and beta free")
    x = Symbol("x")
    for a, b in ((0, 0), (1, 2), (3, 0)):
        J = Jacobi(a, b)
        for j in range(6):
            integral = integrate((1 - x) ** a * (1 + x) ** b * x**j, x)
            yield Equal(J.moment(j), integral, f"moment {j} of the weight ({a}, {b})")


def integrate(polynomial: Any, x: Any) -> Any:
    """Return the integral of a polynomial in x over [-1, 1], by SymPy."""
    from sympy import Poly

    F = Poly(polynomial, x).integrate(x)
    return F(1) - F(-1)


def printed_h(k: Any, a: Any, b: Any) -> Any:
    """Return h_k as the paper prints it."""
    from sympy import gamma

    return 2 ** (a + b + 1) * gamma(k + a + 1) * gamma(k + b + 1) / (
        (2 * k + a + b + 1) * gamma(k + 1) * gamma(k + a + b + 1)
    )  # fmt: skip


@claim(
    "display-h-k",
    place="section 6.1, line 799",
    title="the formula for h_k holds for all k >= 0 and alpha, beta > -1, as a limit if k = 0 and alpha + "
    "beta = -1",
    latex=r"h_k=\frac{2^{\alpha+\beta+1}\Gamma(k+\alpha+1)\Gamma(k+\beta+1)}{(2k+\alpha+\beta+1)\Gamma(k+1)\Gamma(k+\alpha+\beta+1)}",
    plain="With s = alpha + beta + 1, the identity s Gamma(s) = Gamma(s+1) turns the printed h_0 into the "
    "integral of the weight, and the only expression 0 * Gamma(0), at s = 0, into a limit. For k >= 1 see "
    "display-h-k-corrected.",
    assumptions="h_k = b_k h_{k-1} for the monic polynomials (eq-OP-orthonormality); Euler's Beta integral "
    "(h_0 for general alpha, beta)",
    reading="the limit is meant where the denominator is 0 * Gamma(0)",
    scope="all k >= 0 and alpha, beta > -1, symbolically; the limit for every alpha + beta = -1",
    second_route="SymPy's limit at (-1/2, -1/2), where h_0 = pi; the comparisons of display-h-k-corrected",
    kills=("classical-h-off-by-one", "swapped-h"),
    extent=FOR_ALL,
)
def h_formula_as_limit() -> Iterator:
    from sympy import Rational, Symbol, gamma, gammasimp, limit, pi

    a, b = symbols()
    s = Symbol("s")
    yield Equal(limit(s * gamma(s), s, 0), 1, "s Gamma(s) in the limit s = alpha + beta + 1 = 0")
    h0 = Jacobi(a, b).h0
    yield Equal(gammasimp(printed_h(0, a, b) / h0), 1, "printed h_0 divided by the correct h_0")
    half = Rational(-1, 2)
    yield Equal(limit(printed_h(0, half + s, half), s, 0), pi, "limit of the printed h_0 at (-1/2, -1/2)")
    yield from h_formula()


@claim(
    "display-h-k-literal",
    place="section 6.1, line 799",
    title="the formula for h_k can be evaluated for all k >= 0 and alpha, beta > -1",
    latex=r"h_0^{(-1/2,-1/2)}=\frac{2^0\,\Gamma(\frac12)\Gamma(\frac12)}{0\cdot\Gamma(1)\Gamma(0)}",
    plain="For k = 0 and alpha + beta = -1 (for example Chebyshev's weight) the denominator is 0 * "
    "Gamma(0). The limit alpha + beta -> -1 is correct (display-h-k), but the formula does not mention it.",
    statement="display-h-k",
    reading="as a formula to be evaluated, for every k >= 0 and alpha, beta > -1 that the section admits",
    scope="counterexample: k = 0, alpha = beta = -1/2, where h_0 = pi",
    second_route="h_0 is the integral of the weight, which is pi",
    kills=("h0-restored",),
    expect="FAILS",
    correction="display-h-k-corrected",
    severity="imprecise wording",
)
def h_formula_everywhere() -> Iterator:
    from sympy import Rational, nan, zoo

    half = Rational(-1, 2)
    value, true = h_at_zero(half, half), Jacobi(half, half).moment(0)
    where = "h_0 at (-1/2, -1/2) from the printed formula"
    if value is nan or value is zoo:
        yield Holds(False, f"{where} is {value}; the correct value is {true}")
    else:
        yield Equal(value, true, where)


def h_at_zero(a: Any, b: Any) -> Any:
    """Return the printed h_0."""
    return printed_h(0, a, b)


@claim(
    "display-h-k-corrected",
    place="section 6.1, line 799",
    title="the printed h_k for k >= 1, and Gamma(alpha+beta+2) in the denominator for k = 0",
    latex=r"h_0=2^{\alpha+\beta+1}\frac{\Gamma(\alpha+1)\Gamma(\beta+1)}{\Gamma(\alpha+\beta+2)}",
    plain="The ratio h_k/h_{k-1} of the printed formula equals b_k (lead_k/lead_{k-1})^2 with the b_k of "
    "the recurrence, for symbolic k, and h_0 is the integral of the weight. By induction the formula is "
    "correct for every k.",
    assumptions="h_k = b_k h_{k-1} for the monic polynomials (eq-OP-orthonormality); Euler's Beta integral "
    "(h_0 for general alpha, beta)",
    scope="all k >= 2 (symbolic k) and k = 1 separately, alpha and beta free",
    second_route="SymPy's integrals of P_k^2 w for (1, 2), k <= 3; the library's h_classical for k <= 4",
    kills=("classical-h-off-by-one", "swapped-h"),
    extent=FOR_ALL,
)
def h_formula() -> Iterator:
    yield from _norm_relations()  # display-h-k uses them too


@lru_cache(maxsize=1)
def _norm_relations() -> list[Equal]:
    from sympy import Symbol, gamma, gammasimp, jacobi

    from ..section3.one_dimension import recurrence

    a, b = symbols()
    k, x, found = Symbol("k", positive=True), Symbol("x"), []

    def lead(m: Any) -> Any:
        return gamma(2 * m + a + b + 1) / (2**m * gamma(m + 1) * gamma(m + a + b + 1))

    for m in (k, 1):
        ratio = gammasimp(printed_h(m, a, b) / printed_h(m - 1, a, b))
        leads = gammasimp(lead(m) / lead(m - 1))
        found.append(Equal(ratio, recurrence(m, a, b)[1] * leads**2, f"h_k/h_(k-1), k = {m}"))
    for m in range(1, 5):
        ratio = gammasimp(printed_h(m, a, b) / Jacobi(a, b).h_classical(m))
        found.append(Equal(ratio, 1, f"printed h_{m} divided by the library's"))
    for m in range(4):
        integral = integrate(jacobi(m, 1, 2, x) ** 2 * (1 - x) * (1 + x) ** 2, x)
        label = f"printed h_{m} and the integral of P_{m}^2 w for (1, 2)"
        found.append(Equal(printed_h(m, 1, 2), integral, label))
    return found


def lead_ratio(k: Any, s: Any) -> Any:
    """Return the ratio of the leading coefficients of P_k and P_{k-1}, with s = alpha + beta."""
    return (2 * k + s) * (2 * k + s - 1) / (2 * k * (k + s))


@claim(
    "jacobi-normalised",
    place="section 6.1, line 805",
    title="p_k = P_k/sqrt(h_k), and alpha = beta = 0 gives the normalised Legendre polynomials",
    latex=r"p_k=P_k/\sqrt{h_k}",
    plain="P_k has a positive leading coefficient, so its sign agrees with kappa_k > 0.",
    scope="all k: P_k = lead_k pi_k with lead_k > 0 and h_k = lead_k^2 ||pi_k||^2 (display-h-k-corrected); "
    "compared with SymPy for Legendre, k <= 5, and (1, 2), k <= 4",
    second_route="SymPy's legendre and jacobi",
    kills=("shifted-h", "swapped-parameters"),
    extent=FOR_ALL,
)
def normalised() -> Iterator:
    from sympy import Poly, Symbol, expand, jacobi, legendre, together
    from sympy import symbols as make

    a, b = symbols()
    for k in range(2, 5):
        ratio = Jacobi(a, b).leading_classical(k) / Jacobi(a, b).leading_classical(k - 1)
        yield Equal(ratio, lead_ratio(k, a + b), f"lead_{k}/lead_{k - 1}")
    u, m = make("u m", positive=True)  # alpha + beta = u - 2, k = m + 2
    parts = together(lead_ratio(m + 2, u - 2)).as_numer_denom()
    signs = {c > 0 for part in parts for c in Poly(part.expand(), u, m).coeffs()}
    yield Equal(signs, {True}, "lead_k/lead_(k-1): all coefficients are positive")
    yield Equal(Jacobi(a, b).leading_classical(1), (a + b + 2) / 2, "lead_1, which is positive")
    x = Symbol("x")
    for k in range(6):
        P = legendre(k, x)
        label = f"P_{k} of Legendre, squared"
        yield Equal(expand(Jacobi(0, 0).orthonormal(k) ** 2 * (printed_h(k, 0, 0))), expand(P**2), label)
    for k in range(5):
        value = expand(Jacobi(1, 2).orthonormal(k) ** 2 * printed_h(k, 1, 2))
        yield Equal(value, expand(jacobi(k, 1, 2, x) ** 2), f"(1, 2): P_{k} squared")
        yield Less(0, Jacobi(1, 2).leading_classical(k), f"(1, 2): leading coefficient of P_{k}, positive")
