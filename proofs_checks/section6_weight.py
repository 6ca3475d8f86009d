"""Section 6: what the weight does at the endpoints, to parity and to the two sides. No data are needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from flint import fmpq, fmpq_poly

from orca_exact import kernel
from orca_exact.jacobi import Jacobi
from orca_exact.paper.claims import FOR_ALL, Differs, Equal, Less, Note, claim, mutant, patched
from orca_exact.problem import Problem
from orca_exact.svm.certify import certify

from .common import coefficients, gram_schmidt, orca_exactly, symbolic, symbols
from .section3_one_dimension import recurrence
from .section6_geometry import odd_problem


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


# Left and right.


@claim(
    "weight-asymmetric",
    place="section 6.1, lines 945 and 1166",
    title="p_k(-x) of (alpha, beta) is (-1)^k p_k(x) of (beta, alpha): parity holds exactly when alpha = "
    "beta",
    latex=r"K_n^{(\alpha,\beta)}(x,z)=K_n^{(\beta,\alpha)}(-x,-z)",
    plain="So exchanging alpha and beta reflects the kernel through the origin (both coordinates: a "
    "rotation by 180 "
    "degrees), and alpha != beta breaks the parity of the inner product: a_0 = 0 only for alpha = beta.",
    scope="for all k: a_k(alpha,beta) = -a_k(beta,alpha), b_k symmetric (symbolic k); kernels in "
    "Q(alpha,beta), n <= 3",
    second_route="kernels evaluated at (x, z) and (-x, -z)",
    kills=("wrong-a", "asymmetric-kernel"),
    extent=FOR_ALL,
    covers=("disc-parity-broken",),
)
def parity() -> Iterator:
    from sympy import Symbol
    from sympy.polys.rings import ring

    a, b = symbols()
    k = Symbol("k")
    for degree in (0, 1, k):
        one, other = recurrence(degree, a, b), recurrence(degree, b, a)
        yield Equal(one[0], -other[0], f"a_k, k = {degree}")
        yield Equal(one[1], other[1], f"b_k, k = {degree}")
    yield Equal(recurrence(0, a, b)[0], (b - a) / (a + b + 2), "a_0, minus the constant of pi_1")
    J, swapped = symbolic(), Jacobi(b, a)
    _, x, z = ring("x z", J.field)
    for n in range(4):
        left = kernel.cd_sum(J, n, x, z)
        right = kernel.cd_sum(swapped, n, -x, -z)
        yield Equal(left.as_expr(), right.as_expr(), f"n = {n}")
    p = coefficients(Jacobi("5/2", "6/5"), 3)
    yield Differs(p[1][0], fmpq(0), "(2.5, 1.2): p_1 is not odd")
    yield Equal([c[j] for c in coefficients(Jacobi(2, 2), 5) for j in range(len(c)) if (len(c) - 1 - j) % 2],
                [fmpq(0)] * 9, "(2, 2): coefficients of the other parity")  # fmt: skip


@claim(
    "disc-left-endpoint",
    place="section 6.1, line 1144",
    title="for alpha > beta the weight is heavier on the left; it treats the two coordinates alike",
    latex=r"\frac{w(-x)}{w(x)}=\Big(\frac{1+x}{1-x}\Big)^{\alpha-\beta}>1\quad(0<x<1,\ \alpha>\beta)",
    plain="By itself it moves no mass from one coordinate to the other: K_n^(2) is unchanged when both "
    "arguments "
    "exchange their coordinates, so data with exchanged coordinates exchange OKC_1 and OKC_2, for every "
    "alpha, beta. "
    "What re-allocates mass between them is the data under another weight.",
    scope="for all alpha > beta and 0 < x < 1; exchanged coordinates: an exact classifier, (2, 1)",
    second_route="OKC_1 and OKC_2 of a classifier trained with exchanged coordinates",
    kills=("coordinates-told-apart",),
    extent=FOR_ALL,
)
def left_endpoint() -> Iterator:
    from sympy import Symbol, diff, log, simplify

    x, gap, b = Symbol("x", positive=True), Symbol("g", positive=True), Symbol("beta")  # alpha = beta + g

    def log_weight(x: Any) -> Any:
        return (b + gap) * log(1 - x) + b * log(1 + x)

    excess = log_weight(-x) - log_weight(x)
    yield Equal(excess.subs(x, 0), 0, "log w(-x)/w(x) at 0")
    yield Equal(
        simplify(diff(excess, x)), simplify(2 * gap / (1 - x**2)), "its derivative, positive for 0 < x < 1"
    )
    one = orca_exactly(odd_problem(2, 2, 1)).marginal
    other = orca_exactly(exchanged(odd_problem(2, 2, 1))).marginal
    yield Equal(
        (one[1], one[2]), (other[2], other[1]), "OKC_1, OKC_2 and, coordinates exchanged, OKC_2, OKC_1"
    )
    yield Differs(one[1], one[2], "OKC_1 and OKC_2 of the data as they are")


def exchanged(problem: Problem) -> Problem:
    """The same data with their coordinates exchanged."""
    return problem.with_(X=[list(reversed(row)) for row in problem.X])


@claim(
    "gradient-kernel",
    place="section 6.1, lines 949 to 953",
    title="for alpha > beta the kernel, and so the largest |h|, is larger on the right; exchanged, on the "
    "left",
    latex=r"K_n^{(\alpha,\beta)}(1,1)>K_n^{(\alpha,\beta)}(-1,-1)\iff\alpha>\beta\quad(n\ge1),\qquad"
    r"|h(x)|^2\le\|h\|^2K_n(x,x)",
    plain="|p_{k+1}(1)/p_{k+1}(-1)| is |p_k(1)/p_k(-1)| times (k+alpha+1)/(k+beta+1). The weight does so in "
    "both "
    "coordinates: what grows from left to right grows from bottom to top as well.",
    reading="what the weight can do to the gradient; the figure itself is not in the source",
    scope="for all k, alpha, beta (rational identity); K_n at both ends for four pairs of Figure 2 or the "
    "text, n = 12",
    second_route="K_12(1, 1) and K_12(-1, -1) summed",
    kills=("swapped-parameters", "truncated-at-once"),
    extent=FOR_ALL,
)
def gradient() -> Iterator:
    from sympy import Symbol

    a, b = symbols()
    k = Symbol("k")

    def ends(k: Any, a: Any, s: Any) -> Any:  # pi_{k+1}(1)/pi_k(1); at -1 with beta for alpha, and a sign
        return 2 * (k + a + 1) * (k + s + 1) / ((2 * k + s + 1) * (2 * k + s + 2))

    first = recurrence(0, a, b)[0]
    yield Equal((1 - first, -1 - first), (ends(0, a, a + b), -ends(0, b, a + b)), "pi_1 at the ends")
    for degree in (1, k):
        ak, bk = recurrence(degree, a, b)
        right, left = (ends(degree - 1, c, a + b) for c in (a, b))
        yield Equal(ends(degree, a, a + b), 1 - ak - bk / right, f"pi_(k+1)(1)/pi_k(1), k = {degree}")
        yield Equal(-ends(degree, b, a + b), -1 - ak + bk / left, f"pi_(k+1)(-1)/pi_k(-1), k = {degree}")
    yield Equal(ends(k, a, a + b) / ends(k, b, a + b), (k + a + 1) / (k + b + 1), "right over left")
    for pair in (("2", "0"), ("3", "1/2"), ("0", "2"), ("1", "3")):
        J = Jacobi(*pair)
        right, left = (kernel.cd_sum(J, top_level(), x, x) for x in (fmpq(1), fmpq(-1)))
        if kernel.QQ(pair[0]) < kernel.QQ(pair[1]):
            right, left = left, right
        yield Less(left, right, f"({', '.join(pair)}): h_0 K_12 at the ends")


def top_level() -> int:
    """The n of Figure 2."""
    return 12


@claim(
    "disc-rotation",
    place="section 6.1, line 1156",
    title="data that rotation by 180 degrees maps to itself with labels exchanged give an odd h when alpha "
    "= beta",
    latex=r"h(-\mathbf{x})=-h(\mathbf{x})\iff\mathrm{even}=0\qquad(\alpha=\beta)",
    plain="w is unique, so it has the symmetry of the data: the even mass is exactly 0, for every n, and "
    "the interval "
    "of b is symmetric about 0. g = h + b is odd if b = 0 as well; even = 0 alone does not make it so: x = "
    "-1 and "
    "x = 0 with y = -1 and 1, n = 1, have even = 0 and b = 1. When alpha != beta the inner product lacks "
    "the symmetry "
    "and the even mass is positive, on the same data.",
    scope="for every isometry that permutes the points and reverses the labels, machine-checked; exact, an "
    "odd data "
    "set of 6 points, n = 1, 2, 3, (0,0), (1,1) and (2,1)",
    second_route="parity sums at z = -1 beside sums over even degrees",
    kills=("even-odd-exchanged", "wrong-a"),
    extent=FOR_ALL,
)
def odd_data() -> Iterator:
    for n in (1, 2, 3):
        for a in (0, 1):
            problem = odd_problem(n, a, a)
            found = orca_exactly(problem)
            yield Equal(found.even, fmpq(0), f"n = {n}, alpha = beta = {a}: even mass")
            yield Equal(sum(found.degree[::2], fmpq(0)), fmpq(0), f"n = {n}: sum over even N")
            b = certify(problem, [problem.C / 2] * problem.m, level="exact").b
            upper = b.lower if b.upper is None else b.upper
            yield Equal(b.lower.p, -upper.p, f"n = {n}, alpha = beta = {a}: ends of the interval of b")
    yield Less(fmpq(0), orca_exactly(odd_problem(2, 2, 1)).even, "n = 2, (2, 1): even mass")
    two = Problem([["-1"], ["0"]], [-1, 1], 1, 0, 0, C=10)
    b = certify(two, [two.C / 2] * 2, level="exact").b
    yield Equal((orca_exactly(two).even, b.lower.p), (fmpq(0), fmpq(1)), "two points: even mass and b")
    yield Note("an odd h is not an odd g: b")


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


@mutant("coordinates-told-apart")
def coordinates_told_apart() -> Iterator[None]:
    """Exchanging the coordinates leaves the data as they are."""
    with patched(sys.modules[__name__], "exchanged", lambda problem: problem):
        yield


@mutant("truncated-at-once")
def truncated_at_once() -> Iterator[None]:
    """n = 0: the kernel is constant."""
    with patched(sys.modules[__name__], "top_level", lambda: 0):
        yield
