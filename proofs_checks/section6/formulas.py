"""Section 6, formulas that need no data: rescaling, the Jacobi weight, h_k."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from orca_exact.kernels import orthogonal as kernel
from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem

from ..ledger.claims import FOR_ALL, Equal, Holds, Less, claim
from ..samples import (
    coefficients,
    delta,
    symbolic,
    symbols,
)


@claim(
    "display-rescale",
    place="section 6.1, lines 764 to 769",
    title="min-max rescaling maps every column onto [-1, 1]",
    latex=r"x_j=2\frac{\tilde x_j-\min\tilde x_j}{\max\tilde x_j-\min\tilde x_j}-1",
    plain="Exact over the rationals; a constant column, 0/0 in the formula, is refused.",
    scope="for every column with two different values: identities in x~, min, max; two columns, exact",
    second_route="the affine map through (min, -1) and (max, 1)",
    kills=("rescale-to-unit",),
    covers=("rescale-intro",),
    extent=FOR_ALL,
)
def rescaling() -> Iterator:
    from sympy import symbols as make

    x, low_, high_ = make("x low high")
    scaled = 2 * (x - low_) / (high_ - low_) - 1
    yield Equal((scaled.subs(x, low_), scaled.subs(x, high_)), (-1, 1), "min and max")
    yield Equal(1 + scaled, 2 * (x - low_) / (high_ - low_), "x + 1 >= 0 where x~ >= min")
    yield Equal(1 - scaled, 2 * (high_ - x) / (high_ - low_), "1 - x >= 0 where x~ <= max")
    X = [["0.3", "17"], ["1.1", "-2"], ["0.7", "5/3"], ["0.35", "0"]]
    points = Problem(X, [1, -1, 1, -1], 1, 0, 0, rescale=True).points
    for j, (low, high) in enumerate(((fmpq(3, 10), fmpq(11, 10)), (fmpq(-2), fmpq(17)))):
        yield Equal((min(points[:, j]), max(points[:, j])), (fmpq(-1), fmpq(1)), f"range of column {j + 1}")
        raw = [kernel.QQ(row[j]) for row in X]
        line = [-(high - x) / (high - low) + (x - low) / (high - low) for x in raw]
        yield Equal(list(points[:, j]), line, f"column {j + 1}")
    from orca_exact.errors import BadParameter

    try:
        Problem([["1", "0"], ["1", "1"]], [1, -1], 1, 0, 0, rescale=True)
        yield Holds(False, "a constant column is refused")
    except BadParameter:
        yield Holds(True, "a constant column is refused")


def inner_products(problem: Problem) -> list[list]:
    """<p_i, p_j>, i, j <= n, for the problem's polynomials, by the moments of its weight."""
    J = problem.jacobi
    p, h = coefficients(J, problem.n), J.h_ratios(problem.n)
    return [[J.inner_ratio(a, b) / h[j] for j, b in enumerate(p)] for a in p]


@claim(
    "rescale-orthonormality",
    place="section 6.1, line 777",
    title="rescaling puts the data into the domain on which the p_k are orthonormal",
    latex=r"-1\le2\frac{\tilde x-\min}{\max-\min}-1\le1\qquad(\min\le\tilde x\le\max)",
    plain="Every rescaled value lies in [-1, 1], where the p_k are orthonormal with respect to mu, whatever "
    "the data are.",
    reading="rescaling ensures that the inputs lie where the orthonormality conditions are stated",
    scope="for every column: identities in x~, min, max; orthonormality for all k is eq-OP-orthonormality; "
    "three points, (1/2, -1/3), p_0 ... p_3, exact",
    second_route="largest absolute value after rescaling; inner products by the moments of the weight",
    kills=("rescale-too-far", "moment-off-by-one"),
    extent=FOR_ALL,
)
def rescale_domain() -> Iterator:
    from sympy import symbols as make

    x, low, high = make("x low high")
    scaled = 2 * (x - low) / (high - low) - 1
    yield Equal(
        1 - scaled**2, 4 * (x - low) * (high - x) / (high - low) ** 2, "1 - x^2 >= 0: min <= x~ <= max"
    )
    problem = small(rescale=True)
    yield Equal(max(abs(x) for x in problem.points[:, 0]), fmpq(1), "largest |x|")
    yield Equal(inner_products(problem), delta(3), "<p_i, p_j>, i, j <= 3")


def small(rescale: bool) -> Problem:
    """Three points on a line, rescaled or not."""
    return Problem([["3"], ["-8"], ["100"]], [1, -1, 1], 3, "1/2", "-1/3", rescale=rescale)


@claim(
    "rescale-orthonormality-literal",
    place="section 6.1, line 777",
    title="as printed: rescaling the data is what makes the p_k orthonormal",
    latex=r"\frac1m\sum_{i=1}^mp_k(x_i)\,p_j(x_i)=\delta_{kj}\ \text{after rescaling}",
    plain="Orthonormality is a property of mu alone. The data can enter only by means over them in the place "
    "of integrals, and by these the p_k are not orthonormal after rescaling.",
    statement="rescale-orthonormality",
    reading="word for word: a step that changes the data ensures orthonormality, so that it depends on them",
    scope="counterexample: three rescaled points, (1/2, -1/3), p_0 ... p_3, exact",
    second_route="the moments of the weight (rescale-orthonormality)",
    kills=("weight-for-data",),
    expect="FAILS",
    correction="rescale-orthonormality",
    severity="imprecise wording",
)
def rescale_orthonormality() -> Iterator:
    yield Equal(means(small(rescale=True)), delta(3), "means of p_i p_j over the rescaled data")


def means(problem: Problem) -> list[list]:
    """Means of p_i p_j over the points in the place of integrals."""
    J, n = problem.jacobi, problem.n
    h, values = J.h_ratios(n), [J.monic(n, x) for x in problem.points[:, 0]]
    mean = lambda i, j: sum((p[i] * p[j] for p in values), fmpq(0)) / (len(values) * h[j])  # noqa: E731
    return [[mean(i, j) for j in range(n + 1)] for i in range(n + 1)]


@claim(
    "display-jacobi-weight",
    place="section 6.1, line 786",
    title="the Jacobi weight is a finite measure exactly for alpha, beta > -1",
    latex=r"\int_{-1}^1(1-x)^\alpha(1+x)^\beta\,dx<\infty\iff\alpha,\beta>-1",
    plain="Near 1 the factor (1+x)^beta is bounded above and away from 0, and (1-x)^alpha integrates to "
    "(1 - e^(alpha+1))/(alpha+1) up to 1 - e: finite in the limit if alpha > -1, infinite if not; likewise "
    "near -1. "
    "With t = (1-x)/2 the integral of d(t^(alpha+1+i) (1-t)^(beta+1)) is 0, which gives the moments "
    "L(t^i) = (alpha+1)_i/(alpha+beta+2)_i, those of the library.",
    scope="for all alpha, beta, and all moments (symbolic i); SymPy integrals for integer parameters, "
    "moments up to 5",
    second_route="SymPy integrate()",
    kills=("moment-off-by-one", "wrong-moment"),
    extent=FOR_ALL,
)
def weight() -> Iterator:
    from sympy import Symbol, binomial, diff, integrate, limit, log, oo, rf

    p, e = Symbol("p", positive=True), Symbol("e", positive=True)
    yield Equal(diff(e**p / p, e), e**p / e, "antiderivative of e^(p-1), p = alpha + 1 > 0")
    yield Equal(limit(e**p / p, e, 0, "+"), 0, "alpha > -1: the limit at the endpoint is finite")
    for value, case in ((e**-p, "alpha < -1"), (-log(e), "alpha = -1")):
        yield Holds(limit(value, e, 0, "+") is oo, f"{case}: the limit at the endpoint is infinite")
    a_, b_ = symbols()
    i, t = Symbol("i"), Symbol("t")
    ratio = (a_ + 1 + i) / (a_ + b_ + 2 + i)  # L(t^(i+1))/L(t^i)
    total = (a_ + 1 + i) * (1 - t) - (b_ + 1) * t  # d(t^(a+1+i) (1-t)^(b+1)) over t^(a+i) (1-t)^b dt
    yield Equal(total.subs(t, ratio), 0, "L((a+1+i) t^i (1-t) - (b+1) t^(i+1)) = 0, every i")
    J = symbolic()
    for j in range(1, 5):  # x = 1 - 2t
        by_t = sum(binomial(j, k) * (-2) ** k * rf(a_ + 1, k) / rf(a_ + b_ + 2, k) for k in range(j + 1))
        yield Equal(J.moment(j), by_t * J.h0, f"the library's moment {j}, alpha and beta free")
    x = Symbol("x")
    for a, b in ((0, 0), (1, 2), (3, 0)):
        J = Jacobi(a, b)
        for j in range(6):
            integral = integrate(((1 - x) ** a * (1 + x) ** b * x**j).expand(), (x, -1, 1))
            yield Equal(J.moment(j), integral, f"moment {j} of ({a}, {b})")


def printed_h(k: Any, a: Any, b: Any) -> Any:
    """h_k as the paper prints it."""
    from sympy import gamma

    return 2 ** (a + b + 1) * gamma(k + a + 1) * gamma(k + b + 1) / (
        (2 * k + a + b + 1) * gamma(k + 1) * gamma(k + a + b + 1)
    )  # fmt: skip


@claim(
    "display-h-k",
    place="section 6.1, line 799",
    title="h_k for all k >= 0 and alpha, beta > -1, at k = 0 and alpha + beta = -1 as a limit",
    latex=r"h_k=\frac{2^{\alpha+\beta+1}\Gamma(k+\alpha+1)\Gamma(k+\beta+1)}{(2k+\alpha+\beta+1)\Gamma(k+1)\Gamma(k+\alpha+\beta+1)}",
    plain="s Gamma(s) = Gamma(s+1) with s = alpha + beta + 1 takes the printed h_0 into the integral of the "
    "weight, and the only 0 * Gamma(0), at s = 0, into a limit. For k >= 1 as in display-h-k-corrected.",
    assumptions="h_k = b_k h_{k-1} for the monic polynomials (eq-OP-orthonormality); Euler's Beta integral "
    "(h_0 for general alpha, beta)",
    reading="where the denominator is 0 * Gamma(0) the limit is meant",
    scope="for all k >= 0, alpha, beta > -1, symbolic; the limit for every alpha + beta = -1",
    second_route="SymPy's limit towards (-1/2, -1/2), where h_0 = pi; what display-h-k-corrected compares",
    kills=("classical-h-off-by-one", "swapped-h"),
    extent=FOR_ALL,
)
def h_formula_as_limit() -> Iterator:
    from sympy import Rational, Symbol, gamma, gammasimp, limit, pi, simplify

    a, b = symbols()
    s = Symbol("s")
    yield Equal(limit(s * gamma(s), s, 0), 1, "s Gamma(s) at s = alpha + beta + 1 = 0")
    h0 = Jacobi(a, b).h0
    yield Equal(
        simplify(gammasimp(printed_h(0, a, b) / h0)), 1, "printed h_0 over the integral of the weight"
    )
    half = Rational(-1, 2)
    yield Equal(limit(printed_h(0, half + s, half), s, 0), pi, "limit of the printed h_0 at (-1/2, -1/2)")
    yield from h_formula()


@claim(
    "display-h-k-literal",
    place="section 6.1, line 799",
    title="as printed: the formula for h_k can be evaluated for all k >= 0 and alpha, beta > -1",
    latex=r"h_0^{(-1/2,-1/2)}=\frac{2^0\,\Gamma(\frac12)\Gamma(\frac12)}{0\cdot\Gamma(1)\Gamma(0)}",
    plain="At k = 0 and alpha + beta = -1 (Chebyshev among them) the denominator is 0 * Gamma(0). The limit "
    "alpha + beta -> -1 is right (display-h-k), and would have to be taken.",
    statement="display-h-k",
    reading="as a formula to be evaluated, for every k >= 0 and alpha, beta > -1 that the section admits",
    scope="counterexample: k = 0, alpha = beta = -1/2, where h_0 = pi",
    second_route="h_0 = integral of the weight = pi",
    kills=("h0-restored",),
    expect="FAILS",
    correction="display-h-k-corrected",
    severity="imprecise wording",
)
def h_formula_everywhere() -> Iterator:
    from sympy import Rational, nan, zoo

    half = Rational(-1, 2)
    value, true = h_at_zero(half, half), Jacobi(half, half).moment(0)
    where = "h_0 at (-1/2, -1/2) by the formula"
    if value is nan or value is zoo:
        yield Holds(False, f"{where}: {value}, true value {true}")
    else:
        yield Equal(value, true, where)


def h_at_zero(a: Any, b: Any) -> Any:
    """The printed h_0."""
    return printed_h(0, a, b)


@claim(
    "display-h-k-corrected",
    place="section 6.1, line 799",
    title="corrected: the printed h_k for k >= 1; at k = 0 write Gamma(alpha+beta+2)",
    latex=r"h_0=2^{\alpha+\beta+1}\frac{\Gamma(\alpha+1)\Gamma(\beta+1)}{\Gamma(\alpha+\beta+2)}",
    plain="The ratio h_k/h_{k-1} of the printed formula is b_k (lead_k/lead_{k-1})^2 with the recurrence's "
    "b_k, for "
    "symbolic k; and h_0 is the integral of the weight. By induction it is right for every k.",
    assumptions="h_k = b_k h_{k-1} for the monic polynomials (eq-OP-orthonormality); Euler's Beta integral "
    "(h_0 for general alpha, beta)",
    scope="for all k >= 2 (symbolic), k = 1 apart, alpha, beta free",
    second_route="SymPy's integrals of P_k^2 w for (1, 2), k <= 3; the library's h_classical for k <= 4",
    kills=("classical-h-off-by-one", "swapped-h"),
    extent=FOR_ALL,
)
def h_formula() -> Iterator:
    from sympy import Symbol, gamma, gammasimp, integrate, jacobi, simplify

    from ..section3.one_dimension import recurrence

    a, b = symbols()
    k, x = Symbol("k", positive=True), Symbol("x")

    def lead(m: Any) -> Any:
        return gamma(2 * m + a + b + 1) / (2**m * gamma(m + 1) * gamma(m + a + b + 1))

    for m in (k, 1):
        ratio = simplify(gammasimp(printed_h(m, a, b) / printed_h(m - 1, a, b)))
        leads = simplify(gammasimp(lead(m) / lead(m - 1)))
        yield Equal(ratio, recurrence(m, a, b)[1] * leads**2, f"h_k/h_(k-1), k = {m}")
    for m in range(1, 5):
        yield Equal(
            simplify(gammasimp(printed_h(m, a, b) / Jacobi(a, b).h_classical(m))), 1, f"library's h_{m}"
        )
    for m in range(4):
        integral = integrate((jacobi(m, 1, 2, x) ** 2 * (1 - x) * (1 + x) ** 2).expand(), (x, -1, 1))
        yield Equal(printed_h(m, 1, 2), integral, f"integral of P_{m}^2 w, (1, 2)")


def lead_ratio(k: Any, s: Any) -> Any:
    """Of the leading coefficients of P_k and P_{k-1}, s = alpha + beta."""
    return (2 * k + s) * (2 * k + s - 1) / (2 * k * (k + s))


@claim(
    "jacobi-normalised",
    place="section 6.1, line 805",
    title="p_k = P_k/sqrt(h_k); alpha = beta = 0 gives the (normalised) Legendre polynomials",
    latex=r"p_k=P_k/\sqrt{h_k}",
    plain="P_k has a positive leading coefficient, so the sign agrees with kappa_k > 0.",
    scope="for all k: P_k = lead_k pi_k with lead_k > 0 and h_k = lead_k^2 ||pi_k||^2 "
    "(display-h-k-corrected); SymPy's "
    "own, Legendre k <= 5, (1, 2) k <= 4",
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
    yield Equal(signs, {True}, "lead_k/lead_(k-1): coefficients all positive")
    yield Equal(Jacobi(a, b).leading_classical(1), (a + b + 2) / 2, "lead_1, positive")
    x = Symbol("x")
    for k in range(6):
        P = legendre(k, x)
        yield Equal(
            expand(Jacobi(0, 0).orthonormal(k) ** 2 * (printed_h(k, 0, 0))), expand(P**2), f"Legendre P_{k}"
        )
    for k in range(5):
        value = expand(Jacobi(1, 2).orthonormal(k) ** 2 * printed_h(k, 1, 2))
        yield Equal(value, expand(jacobi(k, 1, 2, x) ** 2), f"(1, 2): P_{k}")
        yield Less(0, Jacobi(1, 2).leading_classical(k), f"(1, 2): leading coefficient of P_{k}")
