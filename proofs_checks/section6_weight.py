"""Section 6: what the weight does at the endpoints. No data are needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from flint import fmpq, fmpq_poly

from orca_exact import kernel
from orca_exact.jacobi import Jacobi
from orca_exact.paper.claims import FOR_ALL, Differs, Equal, Less, claim, mutant, patched

from .common import gram_schmidt
from .section3_one_dimension import recurrence


@claim(
    "measure-interior",
    place="section 6.1, line 934",
    title="for large alpha = beta the measure concentrates in the interior",
    latex=r"\int x^2\,d\mu\Big/\int d\mu=\frac1{2\alpha+3}\qquad(\alpha=\beta)",
    plain="The variance of the normalised measure, 1/(2 alpha + 3), decreases to 0.",
    scope="for all alpha = beta > -1",
    second_route="h_1/h_0 of the recurrence",
    kills=("moment-off-by-one", "wrong-b-1"),
    extent=FOR_ALL,
)
def interior() -> Iterator:
    from sympy import Symbol, diff, limit, oo

    a = Symbol("alpha")
    J = Jacobi(a, a)
    for value, name in ((J.moment_ratios(2)[2], "second moment"), (J.h_ratio(1), "h_1/h_0")):
        yield Equal(J.field.to_sympy(value), 1 / (2 * a + 3), name)
    yield Equal(diff(1 / (2 * a + 3), a), -2 / (2 * a + 3) ** 2, "derivative: negative")
    yield Equal(limit(1 / (2 * a + 3), a, oo), 0, "limit")


# The endpoints.


def endpoint_growth(k: Any, a: Any) -> Any:
    """p_k(1)^2/p_{k-1}(1)^2 for alpha = beta = a."""
    return (2 * k + 2 * a + 1) * (k + 2 * a) / (k * (2 * k + 2 * a - 1))


def endpoint_squares(a: Any, b: Any) -> list[fmpq]:
    """p_k(1)^2/p_0^2, k <= 5, by Gram-Schmidt."""
    basis, norms = gram_schmidt(Jacobi(a, b), 5)
    return [sum(p, fmpq(0)) ** 2 / h for p, h in zip(basis, norms, strict=True)]


def tail(a: int, k: int, start: fmpq) -> fmpq:
    """The share of the integral of p_k^2 w that lies in [start, 1], alpha = beta = a."""
    q = Jacobi(a, a).monic(k, fmpq_poly([0, 1]))[k]
    I = (q * q * fmpq_poly([1, 0, -1]) ** a).integral()  # noqa: E741
    return (I(fmpq(1)) - I(start)) / (I(fmpq(1)) - I(fmpq(-1)))


def compared() -> tuple[int, ...]:
    """The alpha = beta that are compared, smallest first."""
    return 0, 1, 2


@claim(
    "suppress-endpoints",
    place="section 6.1, line 935",
    title="a larger alpha = beta suppresses what every p_k contributes to integrals near the endpoints",
    latex=r"\lim_{x\to1}w(x)\,p_k(x)^2=0\ (\alpha=\beta>0),\qquad=\tfrac{2k+1}2\ (\alpha=\beta=0)",
    plain="p_k is continuous and (1-x)^alpha tends to 0; Legendre's p_k(1)^2 = (2k+1)/2 by induction. The "
    "mass of "
    "p_k^2 w in [0.99, 1] decreases from alpha = 0 to 1 to 2, k <= 8.",
    reading="the contribution of a component near the endpoint is the mass of p_k^2 w there",
    scope="the limits for all k; the masses, exact, alpha = beta = 0, 1, 2, k <= 8",
    second_route="masses by integration of polynomials",
    kills=("exchanged-weights",),
    extent=FOR_ALL,
)
def suppress() -> Iterator:
    from sympy import Symbol, limit

    e, p = Symbol("e", positive=True), Symbol("p", positive=True)
    yield Equal(limit(e**p, e, 0, "+"), 0, "(1-x)^alpha at 1, alpha > 0")
    k = Symbol("k")
    yield Equal(endpoint_growth(k, 0), (2 * k + 1) / (2 * k - 1), "Legendre: p_k(1)^2/p_(k-1)(1)^2")
    legendre = endpoint_squares(0, 0)
    yield Equal(legendre, [fmpq(2 * j + 1) for j in range(6)], "Legendre: p_k(1)^2/p_0^2, k <= 5")
    for degree in range(9):
        masses = [tail(a, degree, fmpq(99, 100)) for a in compared()]
        for (a, more), (b, less) in pairwise(zip(compared(), masses, strict=True)):
            yield Less(less, more, f"k = {degree}: mass in [0.99, 1] for alpha = beta = {b} and {a}")


def mean_square(a: int, k: int) -> fmpq:
    """The mean of p_k^2 over [-1, 1], over that of p_0^2."""
    J = Jacobi(a, a)
    q = J.monic(k, fmpq_poly([0, 1]))[k]
    I = (q * q).integral()  # noqa: E741
    return (I(fmpq(1)) - I(fmpq(-1))) / 2 / J.h_ratio(k)


@claim(
    "rkhs-de-emphasis",
    place="section 6.1, lines 936 to 938",
    title="as printed: in the RKHS this de-emphasises modes of high degree",
    latex=r"\frac{p_k^{(2,2)}(1)^2}{p_0^{(2,2)}(1)^2}<\frac{p_k^{(0,0)}(1)^2}{p_0^{(0,0)}(1)^2}",
    plain="The other way round where the weight was made small: what is small in w is large in the "
    "orthonormal "
    "p_k, and the kernel is the sum of p_k p_k without w. At the endpoints, and in the mean over the "
    "domain, modes "
    "of high degree weigh more the larger alpha = beta is. Only near the centre can they weigh less, as p_2 "
    "does "
    "(rkhs-de-emphasis-corrected).",
    reading="the weight of degree k in the kernel, relative to degree 0: at the endpoints, of which the "
    "sentence "
    "speaks, and in the mean over [-1, 1]",
    scope="counterexample: alpha = beta = 0 and 2, k = 1 ... 5, exact",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials; means of p_k^2 over the domain",
    kills=("exchanged-weights",),
    expect="FAILS",
    severity="wrong statement",
    correction="rkhs-de-emphasis-corrected",
)
def de_emphasis() -> Iterator:
    low, *_, high = compared()
    ends = endpoint_squares(low, low), endpoint_squares(high, high)
    for k in range(1, 6):
        yield Less(ends[1][k], ends[0][k], f"p_{k}(1)^2/p_0(1)^2 for alpha = beta = {high} and {low}")
        means = mean_square(high, k), mean_square(low, k)
        yield Less(*means, f"mean of p_{k}^2 over that of p_0^2 for alpha = beta = {high} and {low}")


@claim(
    "rkhs-de-emphasis-corrected",
    place="section 6.1, lines 936 to 938",
    title="corrected: larger alpha = beta amplifies high degrees at the endpoints",
    latex=r"\frac{p_k(1)^2}{p_{k-1}(1)^2}=\frac{(2k+2\alpha+1)(k+2\alpha)}{k(2k+2\alpha-1)}\ "
    r"\text{increases with }\alpha\quad(\alpha=\beta>-\tfrac12,\ k\ge1)",
    plain="The growth factor from degree k-1 to k, for alpha = beta. Its derivative in alpha is positive "
    "for all "
    "k >= 1 and alpha > -1/2 (numerator with positive coefficients in k-1 and alpha+1/2).",
    scope="for all k >= 1, alpha = beta > -1/2; the formula against Gram-Schmidt for k <= 5; at the centre "
    "p_2 "
    "for all alpha = beta",
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
        yield Equal(signs, {True}, f"{side} of the derivative: coefficients all positive")
    ends = 2 * (k + a) * (k + 2 * a) / ((2 * k + 2 * a - 1) * (2 * k + 2 * a))  # pi_k(1)/pi_(k-1)(1)
    b_k = recurrence(k, a, a)[1]
    yield Equal(endpoint_growth(k, a), ends**2 / b_k, "from pi_k(1)/pi_(k-1)(1) and h_k/h_(k-1) = b_k")
    centre = recurrence(1, a, a)[1] / recurrence(2, a, a)[1]  # pi_2(0)^2 h_0/h_2 = b_1/b_2
    yield Equal(centre, (2 * a + 5) / (4 * a + 4), "p_2(0)^2/p_0^2, which decreases")
    for alpha in (0, 1, 2):
        values = endpoint_squares(alpha, alpha)
        for degree in range(1, 6):
            step = endpoint_growth(fmpq(degree), fmpq(alpha))
            yield Equal(values[degree] / values[degree - 1], step, f"alpha = {alpha}, k = {degree}")


SECTION_62 = (("43/10", "9/5"), ("4/5", "27/10"))


@claim(
    "echo-larger-attenuate",
    place="section 6.2, line 1400",
    title="larger alpha and beta attenuate what every p_k contributes to integrals near the endpoints",
    latex=r"\lim_{x\to1}w(x)p_k(x)^2=0\ (\alpha>0),\qquad\lim_{x\to-1}w(x)p_k(x)^2=0\ (\beta>0)",
    plain="As in suppress-endpoints, at each end for its own exponent; of the paper's three weights only "
    "Legendre's leaves p_k(1)^2 > 0 there.",
    reading="the contribution of a mode near the endpoint is the mass of p_k^2 w there",
    scope="for all k, alpha, beta > 0; p_k(1) is not 0 (low-degree-large-scale)",
    second_route="p_k(1)^2 of the paper's weights, which the factor (1-x)^alpha takes to 0",
    kills=("weights-without-exponent",),
    extent=FOR_ALL,
)
def attenuate() -> Iterator:
    from sympy import Symbol, limit

    from orca_exact.number import symbolic as exact

    e = Symbol("e", positive=True)
    for a, b in exponents():
        for exponent, end in ((a, 1), (b, -1)):
            at_end = limit(e ** exact(kernel.QQ(exponent)), e, 0, "+")
            yield Equal(at_end, 0, f"({a}, {b}): the weight's factor at {end}")
        yield Differs(endpoint_squares(a, b)[5], fmpq(0), f"({a}, {b}): p_5(1)^2")
    yield Equal(endpoint_squares("0", "0")[5], fmpq(11), "(0, 0): p_5(1)^2/p_0^2, with factor 1")


def exponents() -> tuple[tuple[str, str], ...]:
    """Those of section 6.2 that are not Legendre's."""
    return SECTION_62


@claim(
    "echo-larger-attenuate-kernel",
    place="section 6.2, line 1400",
    title="as printed: larger alpha and beta attenuate the modes of high degree in the RKHS geometry",
    latex=r"\frac{p_k^{(\alpha,\beta)}(1)^2}{p_0^{(\alpha,\beta)}(1)^2}<\frac{p_k^{(0,0)}(1)^2}{p_0^{(0,0)}(1)^2}",
    plain="In the kernel they are amplified at the endpoints (rkhs-de-emphasis).",
    statement="echo-larger-attenuate",
    reading="the weight of degree k in the kernel at the endpoints, relative to degree 0",
    scope="counterexample: (4.3, 1.8) and (0.8, 2.7) against (0, 0), both ends, k = 1 ... 5, exact",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials",
    kills=("weights-negative",),
    expect="FAILS",
    severity="wrong statement",
    correction="rkhs-de-emphasis-corrected",
)
def attenuate_kernel() -> Iterator:
    low = endpoint_squares("0", "0")
    for a, b in exponents():
        for pair, end in (((a, b), 1), ((b, a), -1)):  # p_k(-1)^2 of (a, b) is p_k(1)^2 of (b, a)
            high = endpoint_squares(*pair)
            for k in range(1, 6):
                yield Less(high[k], low[k], f"p_{k}({end})^2/p_0^2 for ({a}, {b}) and (0, 0)")


@mutant("exchanged-weights")
def exchanged_weights() -> Iterator[None]:
    """The weights that are compared change places."""
    with patched(sys.modules[__name__], "compared", lambda: (2, 1, 0)):
        yield


@mutant("exchanged-growth")
def exchanged_growth() -> Iterator[None]:
    """Growth at the endpoint is inverted."""
    right = endpoint_growth
    with patched(sys.modules[__name__], "endpoint_growth", lambda k, a: 1 / right(k, a)):
        yield


@mutant("weights-without-exponent")
def weights_without_exponent() -> Iterator[None]:
    """Legendre's weight among those that vanish at the ends."""
    with patched(sys.modules[__name__], "exponents", lambda: (("0", "0"),)):
        yield


@mutant("weights-negative")
def weights_negative() -> Iterator[None]:
    """Exponents below 0: the weight grows towards the ends."""
    with patched(sys.modules[__name__], "exponents", lambda: (("-2/5", "-2/5"),)):
        yield
