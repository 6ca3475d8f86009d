"""Claims of section 6 about the effect of the weight at the endpoints. No data are needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from flint import arb, arb_poly, fmpq, fmpq_poly

from orca_exact.measures.jacobi import Jacobi

from .. import tensor_kernel as kernel
from ..ledger.claims import FINITE, FOR_ALL, Equal, Less, claim, not_checkable
from ..ledger.mutants import mutant, patched, replacing
from ..samples import gram_schmidt
from ..section3.one_dimension import recurrence


@claim(
    "measure-interior",
    place="section 6.1, line 934",
    title="for large alpha = beta the measure concentrates in the interior",
    latex=r"\int x^2\,d\mu\Big/\int d\mu=\frac1{2\alpha+3}\qquad(\alpha=\beta)",
    plain="The variance of the normalised measure, 1/(2 alpha + 3), decreases to 0.",
    scope="all alpha = beta > -1",
    second_route="h_1/h_0 from the recurrence",
    kills=("moment-off-by-one", "wrong-b-1"),
    extent=FOR_ALL,
)
def interior() -> Iterator:
    from sympy import Symbol, diff, limit, oo

    a = Symbol("alpha")
    J = Jacobi(a, a)
    for value, name in ((J.moment_ratios(2)[2], "second moment"), (J.h_ratio(1), "h_1/h_0")):
        yield Equal(J.field.to_sympy(value), 1 / (2 * a + 3), name)
    yield Equal(diff(1 / (2 * a + 3), a), -2 / (2 * a + 3) ** 2, "the (negative) derivative of the variance")
    yield Equal(limit(1 / (2 * a + 3), a, oo), 0, "the limit for large alpha")


# The endpoints.


def endpoint_growth(k: Any, a: Any) -> Any:
    """Return p_k(1)^2/p_{k-1}(1)^2 for alpha = beta = a."""
    return (2 * k + 2 * a + 1) * (k + 2 * a) / (k * (2 * k + 2 * a - 1))


def endpoint_squares(a: Any, b: Any) -> list[fmpq]:
    """Return p_k(1)^2/p_0^2 for k <= 5, by Gram-Schmidt."""
    basis, norms = gram_schmidt(Jacobi(a, b), 5)
    return [sum(p, fmpq(0)) ** 2 / h for p, h in zip(basis, norms, strict=True)]


def mass_near_one(a: int, k: int, start: fmpq) -> fmpq:
    """Return the share of the integral of p_k^2 w over [start, 1], for alpha = beta = a."""
    q = Jacobi(a, a).monic(k, fmpq_poly([0, 1]))[k]
    I = (q * q * fmpq_poly([1, 0, -1]) ** a).integral()  # noqa: E741
    return (I(fmpq(1)) - I(start)) / (I(fmpq(1)) - I(fmpq(-1)))


def compared_exponents() -> tuple[int, ...]:
    """Return the values of alpha = beta that are compared, smallest first."""
    return 0, 1, 2


@claim(
    "suppress-endpoints",
    place="section 6.1, line 935",
    title="as x -> 1 the weighted density w p_k^2 for a larger alpha = beta becomes negligible against that "
    "for a smaller one",
    latex=r"\lim_{x\to1}\frac{w^{(\alpha',\alpha')}(x)\,p_k^{(\alpha',\alpha')}(x)^2}"
    r"{w^{(\alpha,\alpha)}(x)\,p_k^{(\alpha,\alpha)}(x)^2}=0\qquad(\alpha'>\alpha)",
    plain="p_k is continuous and not 0 at 1, and the quotient of the weights, (1-x^2)^(alpha'-alpha), tends "
    "to 0. Compared with Legendre, for which p_k(1)^2 = (2k+1)/2 by induction, w p_k^2 itself tends to 0. "
    "How near to 1 this begins depends on k: the statement is not true for the mass in a fixed "
    "neighbourhood (suppress-endpoints/mass).",
    assumptions="p_k(1) is not 0 (low-degree-large-scale)",
    reading="'near the endpoints' means in the limit x -> 1 (by symmetry x -> -1), for each component "
    "separately",
    scope="all k and alpha' > alpha > -1; Legendre's p_k(1)^2 also by Gram-Schmidt, k <= 5",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials",
    kills=("exchanged-growth", "moment-off-by-one"),
    extent=FOR_ALL,
)
def suppress() -> Iterator:
    from sympy import Symbol

    yield from vanishing()
    k = Symbol("k")
    yield Equal(endpoint_growth(k, 0), (2 * k + 1) / (2 * k - 1), "Legendre: p_k(1)^2/p_(k-1)(1)^2")
    legendre = endpoint_squares(0, 0)
    yield Equal(legendre, [fmpq(2 * j + 1) for j in range(6)], "Legendre: p_k(1)^2/p_0^2, k <= 5")


def vanishing() -> Iterator:
    """Yield that (1-x)^(alpha'-alpha) tends to 0 at 1 for any alpha' > alpha."""
    from sympy import Symbol, limit

    e, more = Symbol("e", positive=True), Symbol("p", positive=True)
    yield Equal(limit(e**more, e, 0, "+"), 0, "limit of (1-x)^(alpha'-alpha) at 1, alpha' > alpha")


@claim(
    "suppress-endpoints/mass",
    place="section 6.1, line 935",
    title="for a larger alpha = beta the mass of p_k^2 w in a neighbourhood of 1 is smaller",
    latex=r"\int_{9/10}^1(p_5^{(1,1)})^2w^{(1,1)}\,dx<\int_{9/10}^1(p_5^{(0,0)})^2w^{(0,0)}\,dx",
    plain="From alpha = beta = 0 to 1 the mass on [0.9, 1] falls up to k = 4, and the mass on [0.99, 1] up "
    "to k = 16. At k = 5 and k = 17 it grows: there p_k^2 has grown by more than w has fallen.",
    statement="suppress-endpoints",
    reading="the mass of p_k^2 w in a fixed neighbourhood of 1, for every k",
    scope="counterexamples: alpha = beta = 0 and 1, [0.9, 1] with k = 5 and [0.99, 1] with k = 17, exact "
    "integrals",
    second_route="two neighbourhoods; in each also the k below the counterexample",
    kills=("lower-degrees",),
    expect="FAILS",
    severity="imprecise wording",
    correction="suppress-endpoints",
)
def suppress_mass() -> Iterator:
    for start, top in neighbourhoods():
        for k in range(1, top + 1):
            less, more = mass_near_one(1, k, start), mass_near_one(0, k, start)
            yield Less(less, more, f"k = {k}: mass in [{start}, 1] for alpha = beta = 1 and 0")


def neighbourhoods() -> tuple[tuple[fmpq, int], ...]:
    """Return the start of each neighbourhood of 1, and the largest k considered."""
    return (fmpq(9, 10), 5), (fmpq(99, 100), 17)


def mean_square(a: int, k: int, reach: fmpq) -> fmpq:
    """Return the mean of p_k^2 over [-reach, reach], divided by that of p_0^2."""
    J = Jacobi(a, a)
    q = J.monic(k, fmpq_poly([0, 1]))[k]
    I = (q * q).integral()  # noqa: E741
    return (I(reach) - I(-reach)) / (2 * reach) / J.h_ratio(k)


def share_smaller(low: int, high: int, k: int) -> arb:
    """Return a lower bound of the share of [-1, 1] on which p_k^2/p_0^2 is smaller for high than for low."""
    relative = []
    for J in (Jacobi(low, low), Jacobi(high, high)):
        relative.append(J.monic(k, fmpq_poly([0, 1]))[k] ** 2 / J.h_ratio(k))
    rise = relative[1] - relative[0]
    zeros = sorted((z.real for z, _ in rise.numer().complex_roots() if z.imag == 0), key=float)
    ends = [arb(-1), *(z for z in zeros if -1 < z < 1), arb(1)]
    return sum((b - a for a, b in pairwise(ends) if arb_poly(rise)((a + b) / 2) < 0), arb(0)) / 2


not_checkable(
    "rkhs-de-emphasis",
    "section 6.1, lines 936 to 938",
    "a larger alpha = beta de-emphasises modes of high degree in the RKHS",
    "the paper names no measure of 'emphasis'; relative to degree 0, modes of high degree have less weight "
    "in the kernel in the interior (rkhs-de-emphasis/interior) and more at the endpoints and in the mean "
    "(rkhs-de-emphasis/endpoints)",
    reading="in the RKHS, without a place of [-1, 1], as printed",
)


@claim(
    "rkhs-de-emphasis/endpoints",
    statement="rkhs-de-emphasis",
    place="section 6.1, lines 936 to 938",
    title="at the endpoints and in the mean over [-1, 1], modes of high degree have less weight in the "
    "kernel for alpha = beta = 2 than for alpha = beta = 0",
    latex=r"\frac{p_k^{(2,2)}(1)^2}{p_0^{(2,2)}(1)^2}<\frac{p_k^{(0,0)}(1)^2}{p_0^{(0,0)}(1)^2}",
    plain="The opposite is true where the weight is small: if w is small, the orthonormal p_k are large, "
    "and the kernel is the sum of p_k p_k without w. At the endpoints, and in the mean over the domain, "
    "modes of high degree have more weight for alpha = beta = 2 than for alpha = beta = 0 "
    "(rkhs-de-emphasis-corrected); only in the interior they have less (rkhs-de-emphasis/interior).",
    reading="the weight of degree k in the kernel relative to degree 0, at the endpoints, which the "
    "sentence before is about, and in the mean over [-1, 1]",
    scope="counterexample: alpha = beta = 0 and 2, k = 1 ... 5, computed exactly",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials; means of p_k^2 over the domain",
    kills=("exchanged-weights",),
    expect="FAILS",
    severity="imprecise wording",
    correction="rkhs-de-emphasis-corrected",
)
def de_emphasis_endpoints() -> Iterator:
    low, *_, high = compared_exponents()
    ends = endpoint_squares(low, low), endpoint_squares(high, high)
    for k in range(1, 6):
        yield Less(ends[1][k], ends[0][k], f"p_{k}(1)^2/p_0(1)^2 for alpha = beta = {high} and {low}")
        means = mean_square(high, k, fmpq(1)), mean_square(low, k, fmpq(1))
        yield Less(*means, f"mean of p_{k}^2 divided by that of p_0^2 for alpha = beta = {high} and {low}")


@claim(
    "rkhs-de-emphasis/interior",
    statement="rkhs-de-emphasis",
    place="section 6.1, lines 936 to 938",
    title="in the interior, modes of degree k >= 2 have less weight in the kernel for alpha = beta = 2 than "
    "for alpha = beta = 0",
    latex=r"\int_{-1/2}^{1/2}\frac{p_k^{(2,2)}(x)^2}{(p_0^{(2,2)})^2}dx<"
    r"\int_{-1/2}^{1/2}\frac{p_k^{(0,0)}(x)^2}{(p_0^{(0,0)})^2}dx\qquad(k=2,\dots,12)",
    plain="The mean of p_k^2/p_0^2 over |x| < 1/2 falls from alpha = beta = 0 to 2 for every k from 2 to "
    "12, although not at every step between (k = 4 rises from 1 to 2); p_1 is an exception and rises. "
    "Pointwise these modes have less weight on more than 39 per cent of [-1, 1]. The other half of the "
    "sentence, the effect on the indices, is okcN-upward-shift.",
    reading="the weight of degree k in the kernel relative to degree 0, in the interior, where the measure "
    "concentrates",
    scope="n = 12, alpha = beta = 0 and 2 (the ends of the range of Figure 2), k = 2 ... 12, computed "
    "exactly",
    second_route="the length of the set on which p_k^2/p_0^2 falls, between its real zeros",
    kills=("exchanged-weights",),
    extent=FINITE,
)
def de_emphasis() -> Iterator:
    low, *_, high = compared_exponents()
    for k in range(2, 13):
        means = mean_square(high, k, fmpq(1, 2)), mean_square(low, k, fmpq(1, 2))
        yield Less(*means, f"mean of p_{k}^2/p_0^2 over |x| < 1/2 for alpha = beta = {high} and {low}")
        share = share_smaller(low, high, k)
        label = f"0.39, and the share of [-1, 1] on which p_{k}^2/p_0^2 is smaller for alpha = beta = {high}"
        yield Less(fmpq(39, 100), share, label)


@claim(
    "rkhs-de-emphasis-corrected",
    place="section 6.1, lines 936 to 938",
    title="a larger alpha = beta amplifies high degrees at the endpoints",
    latex=r"\frac{p_k(1)^2}{p_{k-1}(1)^2}=\frac{(2k+2\alpha+1)(k+2\alpha)}{k(2k+2\alpha-1)}\ "
    r"\text{increases with }\alpha\quad(\alpha=\beta>-\tfrac12,\ k\ge1)",
    plain="The formula gives the growth factor from degree k-1 to k for alpha = beta. Its derivative in "
    "alpha is positive for all k >= 1 and alpha > -1/2, because its numerator has positive coefficients in "
    "k-1 and alpha+1/2.",
    scope="all k >= 1 and alpha = beta > -1/2; the formula compared with Gram-Schmidt for k <= 5; p_2 at "
    "the centre for all alpha = beta",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials",
    kills=("exchanged-growth",),
    extent=FOR_ALL,
)
def amplify() -> Iterator:
    from sympy import Poly, Rational, diff, together
    from sympy import symbols as make

    m, u = make("m u", positive=True)  # k = m + 1, alpha = u - 1/2
    k, a = make("k alpha")
    numerator, denominator = together(diff(endpoint_growth(k, a), a)).as_numer_denom()
    shifted = {k: m + 1, a: u - Rational(1, 2)}
    for part, side in ((numerator, "numerator"), (denominator, "denominator")):
        signs = {c > 0 for c in Poly(part.subs(shifted).expand(), m, u).coeffs()}
        yield Equal(signs, {True}, f"{side} of the derivative: all coefficients are positive")
    ends = 2 * (k + a) * (k + 2 * a) / ((2 * k + 2 * a - 1) * (2 * k + 2 * a))  # pi_k(1)/pi_(k-1)(1)
    b_k = recurrence(k, a, a)[1]
    label = "p_k(1)^2/p_(k-1)(1)^2 from pi_k(1)/pi_(k-1)(1) and h_k/h_(k-1) = b_k"
    yield Equal(endpoint_growth(k, a), ends**2 / b_k, label)
    centre = recurrence(1, a, a)[1] / recurrence(2, a, a)[1]  # pi_2(0)^2 h_0/h_2 = b_1/b_2
    yield Equal(centre, (2 * a + 5) / (4 * a + 4), "p_2(0)^2/p_0^2, which decreases with alpha")
    for alpha in (0, 1, 2):
        values = endpoint_squares(alpha, alpha)
        for degree in range(1, 6):
            step = endpoint_growth(fmpq(degree), fmpq(alpha))
            label = f"alpha = beta = {alpha}, k = {degree}: growth of p_k(1)^2"
            yield Equal(values[degree] / values[degree - 1], step, label)


SECTION_62 = (("43/10", "9/5"), ("4/5", "27/10"))


@claim(
    "echo-larger-attenuate",
    place="section 6.2, line 1400",
    title="as x -> 1 the weighted density w p_k^2 for a larger alpha becomes negligible against that for a "
    "smaller one (as x -> -1: beta)",
    latex=r"\lim_{x\to1}\frac{w^{(\alpha',\beta')}(x)\,p_k^{(\alpha',\beta')}(x)^2}"
    r"{w^{(\alpha,\beta)}(x)\,p_k^{(\alpha,\beta)}(x)^2}=0\qquad(\alpha'>\alpha)",
    plain="The proof is that of suppress-endpoints, at each end with its own exponent: p_k is continuous "
    "and not 0 there. Among the paper's three weights only Legendre's has w p_k^2 > 0 at the ends. In a "
    "fixed neighbourhood of an end the statement is not true for every k (suppress-endpoints/mass).",
    assumptions="p_k(1) is not 0 (low-degree-large-scale)",
    reading="'near the endpoints' means in the limit x -> 1 or x -> -1, for each mode separately",
    scope="all k and all alpha' > alpha > -1, and at -1 for beta; the paper's weights compared with "
    "Legendre's, k <= 5",
    second_route="p_k(1)^2 of the paper's weights from Gram-Schmidt, which the factor (1-x)^alpha takes to 0",
    kills=("weights-without-exponent",),
    extent=FOR_ALL,
)
def attenuate() -> Iterator:
    from sympy import Symbol, limit

    from orca_exact.numbers.rationals import to_sympy as exact

    yield from vanishing()
    e = Symbol("e", positive=True)
    for a, b in exponents():
        for exponent, end in ((a, 1), (b, -1)):
            at_end = limit(e ** exact(kernel.QQ(exponent)), e, 0, "+")
            yield Equal(at_end, 0, f"({a}, {b}): limit of the weight's factor at {end}")
        for k, value in enumerate(endpoint_squares(a, b)):
            yield Less(fmpq(0), value, f"({a}, {b}): p_{k}(1)^2/p_0^2 is positive")
    yield Equal(endpoint_squares("0", "0")[5], fmpq(11), "(0, 0): p_5(1)^2/p_0^2, with weight factor 1")


def exponents() -> tuple[tuple[str, str], ...]:
    """Return the pairs (alpha, beta) of section 6.2 other than Legendre's."""
    return SECTION_62


@claim(
    "echo-larger-attenuate-kernel",
    place="section 6.2, line 1400",
    title="in the kernel, larger alpha and beta attenuate the modes of high degree near the endpoints",
    latex=r"\frac{p_k^{(\alpha,\beta)}(1)^2}{p_0^{(\alpha,\beta)}(1)^2}<\frac{p_k^{(0,0)}(1)^2}{p_0^{(0,0)}(1)^2}",
    plain="In the kernel they are amplified at the endpoints (rkhs-de-emphasis/endpoints).",
    statement="echo-larger-attenuate",
    reading="the weight of degree k in the kernel at the endpoints, relative to degree 0",
    scope="counterexample: (4.3, 1.8) and (0.8, 2.7) compared with (0, 0), both ends, k = 1 ... 5, computed "
    "exactly",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials",
    kills=("weights-negative",),
    expect="FAILS",
    severity="imprecise wording",
    correction="echo-larger-attenuate-kernel-corrected",
)
def attenuate_kernel() -> Iterator:
    low = endpoint_squares("0", "0")
    for a, b in exponents():
        for pair, end in (((a, b), 1), ((b, a), -1)):  # p_k(-1)^2 of (a, b) is p_k(1)^2 of (b, a)
            high = endpoint_squares(*pair)
            for k in range(1, 6):
                yield Less(high[k], low[k], f"p_{k}({end})^2/p_0^2 for ({a}, {b}) and for (0, 0)")


@claim(
    "echo-larger-attenuate-kernel-corrected",
    place="section 6.2, line 1400",
    title="in the kernel, (4.3, 1.8) and (0.8, 2.7) amplify the modes of degree 1 to 5 at the endpoints, "
    "compared with Legendre",
    latex=r"\frac{p_k^{(\alpha,\beta)}(\pm1)^2}{p_0^2}>\frac{p_k^{(0,0)}(1)^2}{p_0^2}",
    plain="The weight w is small there, so the orthonormal p_k are large.",
    scope="(4.3, 1.8) and (0.8, 2.7) compared with (0, 0), both ends, k = 1 ... 5, computed exactly",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials",
    kills=("weights-negative",),
    extent=FINITE,
)
def amplified() -> Iterator:
    low = endpoint_squares("0", "0")
    for a, b in exponents():
        for pair, end in (((a, b), 1), ((b, a), -1)):
            high = endpoint_squares(*pair)
            for k in range(1, 6):
                yield Less(low[k], high[k], f"p_{k}({end})^2/p_0^2 for (0, 0) and for ({a}, {b})")


# Exchange the weights that are compared.
replacing("exchanged-weights", __name__, "compared_exponents", lambda: (2, 1, 0))


@mutant("lower-degrees")
def lower_degrees() -> Iterator[None]:
    """Consider only the k for which the mass falls."""
    right = neighbourhoods()
    with patched(sys.modules[__name__], "neighbourhoods", lambda: [(start, k - 1) for start, k in right]):
        yield


@mutant("exchanged-growth")
def exchanged_growth() -> Iterator[None]:
    """Invert the growth at the endpoint."""
    right = endpoint_growth
    with patched(sys.modules[__name__], "endpoint_growth", lambda k, a: 1 / right(k, a)):
        yield


# Put Legendre's weight among those that vanish at the ends.
replacing("weights-without-exponent", __name__, "exponents", lambda: (("0", "0"),))
# Use exponents below 0, so that the weight grows towards the ends.
replacing("weights-negative", __name__, "exponents", lambda: (("-2/5", "-2/5"),))
