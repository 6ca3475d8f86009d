"""Section 6, formulas and statements that need no data: rescaling, h_k, summaries, weight, dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from flint import fmpq, fmpq_poly

from orca_exact import kernel, profile
from orca_exact.claims import Differs, Equal, Holds, Less, Note, claim
from orca_exact.jacobi import Jacobi
from orca_exact.problem import Problem

from .common import (
    CLASSIFIERS,
    coefficients,
    gram_schmidt,
    h_polynomial,
    orca_of,
    symbolic,
    symbols,
    trained,
    weights,
)


@claim(
    "display-rescale",
    place="section 6.1, line 769",
    title="min-max rescaling maps every column onto [-1, 1]",
    latex=r"x_j=2\frac{\tilde x_j-\min\tilde x_j}{\max\tilde x_j-\min\tilde x_j}-1",
    plain="Exact over the rationals; a constant column, 0/0 in the formula, is refused.",
    scope="exact; affine for every column with two different values",
    second_route="the affine map through (min, -1) and (max, 1)",
    kills=("rescale-to-unit",),
    covers=("rescale-intro",),
)
def rescaling() -> Iterator:
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


def gram_of_weight(J: Jacobi, data: Any) -> list[list]:
    """<p_i, p_j> by moments. The data do not enter: there is no place for them."""
    p, h = coefficients(J, 3), J.h_ratios(3)
    return [[J.inner_ratio(a, b) / h[j] for j, b in enumerate(p)] for a in p]


@claim(
    "rescale-orthonormality",
    place="section 6.1, line 777",
    title="as printed: rescaling the data ensures that the orthonormality conditions hold",
    latex=r"\int p_kp_j\,d\mu=\delta_{kj}\ \text{by rescaling}",
    plain="Orthonormality is a property of mu alone: with raw data, out of the domain, the p_k are as orthonormal.",
    scope="exact: Gram matrices of p_0 ... p_3 with rescaled and with raw data",
    second_route="moments of the weight",
    kills=("data-in-weight",),
    expect="FAILS",
    correction="rescale-orthonormality-corrected",
)
def rescale_orthonormality() -> Iterator:
    J = weights()[3]
    yield Differs(
        gram_of_weight(J, "raw"), gram_of_weight(J, "rescaled"), "orthonormality without and with rescaling"
    )


@claim(
    "rescale-orthonormality-corrected",
    place="section 6.1, line 777",
    title="corrected: rescaling puts the data into the domain; orthonormality comes from the weight",
    latex=r"x_j\in[-1,1]",
    plain="Every rescaled value lies in [-1, 1].",
    scope="exact; orthonormality itself is eq-OP-orthonormality",
    second_route="largest absolute value after rescaling",
    kills=("rescale-too-far",),
)
def rescale_domain() -> Iterator:
    points = Problem([["3"], ["-8"], ["100"]], [1, -1, 1], 1, 0, 0, rescale=True).points
    yield Equal(max(abs(x) for x in points[:, 0]), fmpq(1), "largest |x|")


@claim(
    "display-jacobi-weight",
    place="section 6.1, line 786",
    title="the Jacobi weight is a finite measure exactly for alpha, beta > -1",
    latex=r"w(x)=(1-x)^\alpha(1+x)^\beta,\quad\alpha,\beta>-1",
    plain="Its total mass is h_0 = 2^(alpha+beta+1) B(alpha+1, beta+1); its moments match SymPy's integration; "
    "alpha = -1 is refused.",
    scope="exact: SymPy integrals for integer parameters, moments up to 5",
    second_route="SymPy integrate()",
    kills=("moment-off-by-one", "wrong-moment"),
)
def weight() -> Iterator:
    from sympy import Symbol, integrate

    x = Symbol("x")
    for a, b in ((0, 0), (1, 2), (3, 0)):
        J = Jacobi(a, b)
        for j in range(6):
            integral = integrate(((1 - x) ** a * (1 + x) ** b * x**j).expand(), (x, -1, 1))
            yield Equal(J.moment(j), integral, f"moment {j} of ({a}, {b})")
    for bad in ((-1, 0), (0, -1), (-2, 5)):
        try:
            Jacobi(*bad)
            yield Holds(False, f"{bad} is refused")
        except ValueError:
            raise
        except Exception as error:
            yield Holds("greater than -1" in str(error), f"{bad} is refused")


def printed_h(k: Any, a: Any, b: Any) -> Any:
    """h_k as the paper prints it."""
    from sympy import gamma

    return 2 ** (a + b + 1) * gamma(k + a + 1) * gamma(k + b + 1) / (
        (2 * k + a + b + 1) * gamma(k + 1) * gamma(k + a + b + 1)
    )  # fmt: skip


@claim(
    "display-h-k",
    place="section 6.1, line 799",
    title="as printed: the formula for h_k holds for all k >= 0 and alpha, beta > -1",
    latex=r"h_k=\frac{2^{\alpha+\beta+1}\Gamma(k+\alpha+1)\Gamma(k+\beta+1)}{(2k+\alpha+\beta+1)\Gamma(k+1)\Gamma(k+\alpha+\beta+1)}",
    plain="At k = 0 and alpha + beta = -1 (Chebyshev among them) the denominator is 0 * Gamma(0).",
    scope="counterexample: k = 0, alpha = beta = -1/2, where h_0 = pi",
    second_route="h_0 = integral of the weight = pi",
    kills=("h0-restored",),
    expect="FAILS",
    correction="display-h-k-corrected",
)
def h_formula_everywhere() -> Iterator:
    from sympy import Rational, pi

    value = h_at_zero(Rational(-1, 2), Rational(-1, 2))
    yield Holds(bool(value.is_finite), f"h_0 at (-1/2, -1/2) by the formula: {value}, true value {pi}")


def h_at_zero(a: Any, b: Any) -> Any:
    return printed_h(0, a, b)


@claim(
    "display-h-k-corrected",
    place="section 6.1, line 799",
    title="corrected: the printed h_k for k >= 1; at k = 0 write Gamma(alpha+beta+2)",
    latex=r"h_0=2^{\alpha+\beta+1}\frac{\Gamma(\alpha+1)\Gamma(\beta+1)}{\Gamma(\alpha+\beta+2)}",
    plain="The ratio h_k/h_{k-1} of the printed formula is b_k (lead_k/lead_{k-1})^2 with the recurrence's b_k, for "
    "symbolic k; and h_0 is the integral of the weight. By induction it is right for every k.",
    assumptions="h_k = b_k h_{k-1} for the monic polynomials (eq-OP-orthonormality)",
    scope="for all k >= 2 (symbolic), k = 1 apart, alpha, beta free",
    second_route="SymPy's integrals of P_k^2 w for (1, 2), k <= 3; the library's h_classical for k <= 4",
    kills=("classical-h-off-by-one", "swapped-h"),
)
def h_formula() -> Iterator:
    from sympy import Symbol, gamma, gammasimp, integrate, jacobi, simplify

    from .section3_one_dimension import recurrence

    a, b = symbols()
    k, x = Symbol("k", positive=True), Symbol("x")

    def lead(m: Any) -> Any:
        return gamma(2 * m + a + b + 1) / (2**m * gamma(m + 1) * gamma(m + a + b + 1))

    for m in (k, 1):
        ratio = simplify(gammasimp(printed_h(m, a, b) / printed_h(m - 1, a, b)))
        leads = simplify(gammasimp(lead(m) / lead(m - 1)))
        yield Equal(ratio, recurrence(m, a, b)[1] * leads**2, f"h_k/h_(k-1), k = {m}")
    for m in range(1, 5):
        yield Equal(simplify(gammasimp(printed_h(m, a, b) / Jacobi(a, b).h_classical(m))), 1, f"library's h_{m}")
    for m in range(4):
        integral = integrate((jacobi(m, 1, 2, x) ** 2 * (1 - x) * (1 + x) ** 2).expand(), (x, -1, 1))
        yield Equal(printed_h(m, 1, 2), integral, f"integral of P_{m}^2 w, (1, 2)")


@claim(
    "jacobi-normalised",
    place="section 6.1, line 805",
    title="p_k = P_k/sqrt(h_k); alpha = beta = 0 gives the (normalised) Legendre polynomials",
    latex=r"p_k=P_k/\sqrt{h_k}",
    plain="P_k has a positive leading coefficient, so the sign agrees with kappa_k > 0.",
    scope="Legendre k <= 5, (1, 2) k <= 4, exact in SymPy",
    second_route="SymPy's legendre and jacobi",
    kills=("shifted-h", "swapped-parameters"),
)
def normalised() -> Iterator:
    from sympy import Symbol, expand, jacobi, legendre

    x = Symbol("x")
    for k in range(6):
        P = legendre(k, x)
        yield Equal(expand(Jacobi(0, 0).orthonormal(k) ** 2 * (printed_h(k, 0, 0))), expand(P**2), f"Legendre P_{k}")
    for k in range(5):
        value = expand(Jacobi(1, 2).orthonormal(k) ** 2 * printed_h(k, 1, 2))
        yield Equal(value, expand(jacobi(k, 1, 2, x) ** 2), f"(1, 2): P_{k}")
        yield Less(0, Jacobi(1, 2).leading_classical(k), f"(1, 2): leading coefficient of P_{k}")


# Dimensions and shapes at small n.


@claim(
    "n1-dim4",
    place="section 6.1, line 861",
    title="as printed: at n = 1 the space of dimension 4 spans only the constant and linear monomials",
    latex=r"\mathcal{H}_1^{(2)}=\mathrm{span}\{1,x_1,x_2\}",
    plain="These are three; the fourth is x_1 x_2.",
    scope="enumeration",
    second_route="expanded basis functions",
    kills=("total-degree-truncation",),
    expect="FAILS",
    correction="n1-dim4-corrected",
)
def n1_dimension() -> Iterator:
    yield Equal(len(kernel.modes(1, 2)), len([(0, 0), (1, 0), (0, 1)]), "modes at n = 1, and 1, x_1, x_2")


@claim(
    "n1-dim4-corrected",
    place="section 6.1, line 861",
    title="corrected: H_1^(2) is spanned by 1, x_1, x_2, x_1 x_2; dimensions 4, 9, 16, 81, 169 for n = 1, 2, 3, 8, 12",
    latex=r"\mathcal{H}_1^{(2)}=\mathrm{span}\{1,x_1,x_2,x_1x_2\}",
    plain="The interaction x_1 x_2 is there at n = 1 already, not first at n = 2; the dimension does not depend on "
    "alpha, beta.",
    scope="enumeration",
    second_route="(n+1)^2",
    kills=("total-degree-truncation", "dropped-tensor-term"),
    covers=("n2-dim9", "n12-dim169", "two-sources"),
)
def n1_dimension_corrected() -> Iterator:
    yield Equal(kernel.modes(1, 2), [(0, 0), (0, 1), (1, 0), (1, 1)], "modes at n = 1")
    for n, dimension in ((1, 4), (2, 9), (3, 16), (8, 81), (12, 169)):
        yield Equal(len(kernel.modes(n, 2)), dimension, f"n = {n}")
        yield Equal(max(map(max, kernel.modes(n, 2))), n, f"n = {n}: highest degree in one coordinate")


@claim(
    "n1-straight-line",
    place="section 6.1, line 862",
    title="as printed: at n = 1 the decision boundary is a straight line",
    latex=r"n=1\Rightarrow\{g=0\}\text{ is a line}",
    plain="g has a term in x_1 x_2 unless c_(1,1) = 0; then the boundary is a hyperbola. Tables 1 and 2 print "
    "OKC^(2) = 0.0001 at n = 1, so c_(1,1) != 0 on the paper's data too.",
    scope="counterexample: four points (+-1, +-1), y = x_1 x_2, Legendre, n = 1, exact SVM",
    second_route="monomials of h beside OKC^(2)",
    kills=("separable-data",),
    expect="FAILS",
    correction="n1-straight-line-corrected",
)
def straight_line() -> Iterator:
    h = h_polynomial(bilinear())
    yield Equal(h.get((1, 1), fmpq(0)), fmpq(0), "coefficient of x_1 x_2 in g")
    yield Equal(orca_of(bilinear()).order[2], fmpq(0), "OKC^(2)")


def bilinear() -> str:
    return "xor"


@claim(
    "n1-straight-line-corrected",
    place="section 6.1, line 862",
    title="corrected: at n = 1 the boundary is a line if c_(1,1) = 0, else a hyperbola or two lines",
    latex=r"g=A+Bx_1+Cx_2+Dx_1x_2",
    plain="D g = (D x_1 + C)(D x_2 + B) + (A D - B C): for D != 0 a hyperbola, degenerate when A D = B C.",
    scope="identity in A, B, C, D; an exact classifier with D = 0 and one with D != 0",
    second_route="trained classifiers",
    kills=("separable-data",),
)
def hyperbola() -> Iterator:
    from sympy import symbols as make

    A, B, C, D, x, y = make("A B C D x y")
    yield Equal(D * (A + B * x + C * y + D * x * y), (D * x + C) * (D * y + B) + A * D - B * C, "completed product")
    yield Differs(h_polynomial(bilinear()).get((1, 1), fmpq(0)), fmpq(0), "'xor': D")
    odd = odd_problem(1, 0, 0)
    yield Equal(orca_exactly(odd).order[2], fmpq(0), "odd data: D = 0, a line")


def odd_problem(n: int, alpha: Any, beta: Any) -> Problem:
    """Data that change sign with x: rotation by 180 degrees exchanges the classes."""
    half = [["1", "1/2"], ["1/3", "-1"], ["-2/5", "3/4"]]
    other = [[f"-{v}".replace("--", "") for v in row] for row in half]
    return Problem(half + other, [1, -1, 1, -1, 1, -1], n, alpha, beta, C=10**6)


def orca_exactly(problem: Problem) -> profile.Profile:
    from orca_exact.svm.certify import certify

    return profile.orca(problem, certify(problem, [problem.C / 2] * problem.m), "exact")


@claim(
    "n3-closed-loop",
    place="section 6.1, line 868",
    title="as printed: a closed loop needs n = 3",
    latex=r"x_1^2+x_2^2-\tfrac14\notin\mathcal{H}_2^{(2)}",
    plain="A circle is the zero set of x_1^2 + x_2^2 - 1/4, which has degree 2 in each coordinate.",
    scope="exact: the circle's polynomial and its projection on H_2^(2)",
    second_route="projection by moments",
    kills=("total-degree-one",),
    expect="FAILS",
    correction="n3-closed-loop-corrected",
)
def closed_loop() -> Iterator:
    yield Less(level_of_loops(), max(max(e) for e in CIRCLE), "degree per coordinate of x_1^2 + x_2^2 - 1/4, and n = 2")


CIRCLE = {(2, 0): fmpq(1), (0, 2): fmpq(1), (0, 0): fmpq(-1, 4)}


def level_of_loops() -> int:
    """The n at which the paper says a loop is not yet possible."""
    return 2


@claim(
    "n3-closed-loop-corrected",
    place="section 6.1, line 868",
    title="corrected: closed loops are possible from n = 2 on, and not at n = 1",
    latex=r"x_1^2+x_2^2-\tfrac14\in\mathcal{H}_2^{(2)}",
    plain="The circle's polynomial is its own projection on H_2^(2). At n = 1, g is of degree 1 in x_2 for fixed x_1, "
    "so a vertical line meets {g = 0} once or lies in it: no loop.",
    scope="exact, three weights",
    second_route="projection by moments",
    kills=("truncated-early",),
)
def closed_loop_corrected() -> Iterator:
    t = fmpq_poly([0, 1])
    for J in weights()[:3]:
        for n, inside in ((2, True), (1, False)):
            power = []
            for j in range(3):  # Pi_n t^j by integration of sections at three points
                image = [J.inner_ratio(kernel.cd_sum(J, n, fmpq_poly([x]), t).coeffs(), [fmpq(0)] * j + [fmpq(1)])
                         for x in (fmpq(-1), fmpq(0), fmpq(1))]  # fmt: skip
                power.append(image == [fmpq(-1) ** j, fmpq(int(j == 0)), fmpq(1)])
            yield Equal(all(power[i] for e in CIRCLE for i in e), inside, f"{J}: the circle lies in H_{n}^(2)")


# The weight's influence.


@claim(
    "measure-interior",
    place="section 6.1, line 934",
    title="for large alpha = beta the measure concentrates in the interior",
    latex=r"\int x^2\,d\mu/\mu(I)=\frac1{2\alpha+3}",
    plain="The variance of the normalised measure, 1/(2 alpha + 3), decreases to 0.",
    scope="for all alpha = beta > -1",
    second_route="h_1/h_0 of the recurrence",
    kills=("moment-off-by-one", "wrong-b-1"),
)
def interior() -> Iterator:
    from sympy import Symbol, diff

    a = Symbol("alpha")
    J = Jacobi(a, a)
    for value, name in ((J.moment_ratios(2)[2], "second moment"), (J.h_ratio(1), "h_1/h_0")):
        yield Equal(J.field.to_sympy(value), 1 / (2 * a + 3), name)
    yield Equal(diff(1 / (2 * a + 3), a), -2 / (2 * a + 3) ** 2, "derivative: negative")


def endpoint_growth(k: Any, a: Any) -> Any:
    """p_k(1)^2/p_{k-1}(1)^2 for alpha = beta = a, from P_k(1) = (a+1)_k/k! and the printed h_k."""
    return ((a + k) / k) ** 2 * k * (2 * k + 2 * a + 1) * (k + 2 * a) / ((2 * k + 2 * a - 1) * (k + a) ** 2)


@claim(
    "suppress-endpoints",
    place="section 6.1, line 935",
    title="as printed: large alpha = beta suppresses high-degree components near the endpoints",
    latex=r"p_k^{(2,2)}(1)^2/p_0^{(2,2)}(1)^2<p_k^{(0,0)}(1)^2/p_0^{(0,0)}(1)^2",
    plain="The direction is wrong: a weight that vanishes at the endpoints makes the orthonormal p_k larger there "
    "(p_k(1)^2 grows like k^(2 alpha+1)), so high degrees are amplified in the kernel, penalised less.",
    scope="exact, alpha = beta = 0 and 2, k = 1 ... 5",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials",
    kills=("exchanged-weights",),
    covers=("echo-larger-attenuate",),
    expect="FAILS",
    correction="suppress-endpoints-corrected",
)
def suppress() -> Iterator:
    low, high = (_endpoint_squares(*pair) for pair in compared())
    for k in range(1, 6):
        yield Less(high[k], low[k], f"p_{k}(1)^2/p_0(1)^2 for alpha = beta = 2 and 0")


def compared() -> tuple[tuple[int, int], tuple[int, int]]:
    return (0, 0), (2, 2)


def _endpoint_squares(a: int, b: int) -> list[fmpq]:
    basis, norms = gram_schmidt(Jacobi(a, b), 5)
    return [sum(p, fmpq(0)) ** 2 / h for p, h in zip(basis, norms, strict=True)]


@claim(
    "suppress-endpoints-corrected",
    place="section 6.1, line 935",
    title="corrected: larger alpha = beta amplifies high degrees at the endpoints",
    latex=r"\frac{p_k(1)^2}{p_{k-1}(1)^2}=\frac{(2k+2\alpha+1)(k+2\alpha)}{k(2k+2\alpha-1)}\ \text{increases with }\alpha",
    plain="The growth factor from degree k-1 to k, for alpha = beta. Its derivative in alpha is positive for all "
    "k >= 1 and alpha > -1/2 (numerator with positive coefficients in k-1 and alpha+1/2).",
    scope="for all k >= 1, alpha = beta > -1/2; the formula against Gram-Schmidt for k <= 5",
    second_route="p_k(1)^2 from Gram-Schmidt polynomials",
    kills=("exchanged-growth",),
)
def amplify() -> Iterator:
    from sympy import Poly, diff, together
    from sympy import symbols as make

    m, u = make("m u", positive=True)  # k = m + 1, alpha = u - 1/2
    from sympy import Rational

    k, a = make("k alpha")
    numerator, denominator = together(diff(endpoint_growth(k, a), a)).as_numer_denom()
    shifted = {k: m + 1, a: u - Rational(1, 2)}
    for part, side in ((numerator, "numerator"), (denominator, "denominator")):
        signs = {c > 0 for c in Poly(part.subs(shifted).expand(), m, u).coeffs()}
        yield Equal(signs, {True}, f"{side} of the derivative: coefficients all positive")
    for alpha in (0, 1, 2):
        values = _endpoint_squares(alpha, alpha)
        for degree in range(1, 6):
            growth = endpoint_growth(fmpq(degree), fmpq(alpha))
            yield Equal(values[degree] / values[degree - 1], growth, f"alpha = {alpha}, k = {degree}")


@claim(
    "weight-asymmetric",
    place="section 6.1, line 945",
    title="p_k(-x) of (alpha, beta) is (-1)^k p_k(x) of (beta, alpha): parity holds exactly when alpha = beta",
    latex=r"K_n^{(\alpha,\beta)}(x,z)=K_n^{(\beta,\alpha)}(-x,-z)",
    plain="So exchanging alpha and beta reflects the kernel through the origin (both coordinates: a rotation by 180 "
    "degrees), and alpha != beta breaks the parity of the inner product. For alpha > beta the weight is heavier "
    "on the left: w(-x)/w(x) = ((1+x)/(1-x))^(alpha-beta) > 1 for 0 < x < 1.",
    scope="for all k: a_k(alpha,beta) = -a_k(beta,alpha), b_k symmetric (symbolic k); kernels in Q(alpha,beta), n <= 3",
    second_route="kernels evaluated at (x, z) and (-x, -z)",
    kills=("wrong-a", "asymmetric-kernel"),
    covers=("disc-parity-broken", "disc-left-endpoint"),
)
def parity() -> Iterator:
    from sympy import Symbol
    from sympy.polys.rings import ring

    from .section3_one_dimension import recurrence

    a, b = symbols()
    k = Symbol("k")
    for degree in (0, 1, k):
        one, other = recurrence(degree, a, b), recurrence(degree, b, a)
        yield Equal(one[0], -other[0], f"a_k, k = {degree}")
        yield Equal(one[1], other[1], f"b_k, k = {degree}")
    J, swapped = symbolic(), Jacobi(b, a)
    _, x, z = ring("x z", J.field)
    for n in range(3):
        left = kernel.cd_sum(J, n, x, z)
        right = kernel.cd_sum(swapped, n, -x, -z)
        yield Equal(left.as_expr(), right.as_expr(), f"n = {n}")
    p = coefficients(Jacobi("5/2", "6/5"), 3)
    yield Differs(p[1][0], fmpq(0), "(2.5, 1.2): p_1 is not odd")
    yield Equal([c[j] for c in coefficients(Jacobi(2, 2), 5) for j in range(len(c)) if (len(c) - 1 - j) % 2],
                [fmpq(0)] * 9, "(2, 2): coefficients of the other parity")  # fmt: skip


@claim(
    "disc-rotation",
    place="section 6.1, line 1156",
    title="data that rotation by 180 degrees maps to itself with labels exchanged give an odd h when alpha = beta",
    latex=r"g(-\mathbf{x})=-g(\mathbf{x})\iff\mathrm{even}=0",
    plain="w is unique, so it has the symmetry of the data: the even mass is exactly 0, for every n. When "
    "alpha != beta the inner product lacks the symmetry and the even mass is positive, on the same data.",
    scope="exact, an odd data set of 6 points, n = 1, 2, 3, (0,0), (1,1) and (2,1)",
    second_route="parity sums at z = -1 beside sums over even degrees",
    kills=("even-odd-exchanged", "wrong-a"),
)
def odd_data() -> Iterator:
    for n in (1, 2, 3):
        for a in (0, 1):
            found = orca_exactly(odd_problem(n, a, a))
            yield Equal(found.even, fmpq(0), f"n = {n}, alpha = beta = {a}: even mass")
            yield Equal(sum(found.degree[::2], fmpq(0)), fmpq(0), f"n = {n}: sum over even N")
    yield Less(fmpq(0), orca_exactly(odd_problem(2, 2, 1)).even, "n = 2, (2, 1): even mass")


# ORCA profile at d = 2 and 5.


@claim(
    "display-norm-okc-2",
    place="section 6.1, line 979",
    title="as printed: ||h||^2 = OKC^(0) + OKC^(1) + OKC^(2)",
    latex=r"\|h\|^2=\mathrm{OKC}^{(0)}+\mathrm{OKC}^{(1)}+\mathrm{OKC}^{(2)}",
    plain="The indices of (35) are normalised: their sum is 1. It holds only when ||h|| = 1. Repeated at line 1255 "
    "with five orders.",
    scope="counterexample: classifier 'plane'",
    second_route="||h||^2 = s^T K s",
    kills=("unit-norm",),
    covers=("display-norm-okc-5",),
    expect="FAILS",
    correction="display-norm-okc-corrected",
)
def norm_is_sum() -> Iterator:
    found = orca_of("plane")
    yield Equal(found.norm2, sum(found.order, fmpq(0)), "||h||^2 and the sum of the OKC^(q)")


@claim(
    "display-norm-okc-corrected",
    place="section 6.1, line 979",
    title="corrected: ||h||^2 (OKC^(0) + ... + OKC^(d)) = sum c_k^2 = ||h||^2",
    latex=r"\sum_{q=0}^d\mathrm{OKC}^{(q)}=1,\qquad\|h\|^2=\sum_{q,N}C_N^{(q)}",
    plain="For d = 2 and 5 alike, n = 1.",
    scope="exact, six trained classifiers and one with d = 5",
    second_route="sums over modes",
    kills=("shifted-norm", "nyquist-twice"),
)
def norm_sum_corrected() -> Iterator:
    corners = list(product(("-1", "1/2"), repeat=5))[::5]
    five = Problem([list(row) for row in corners], [1, -1, 1, -1, 1, -1, 1], 1, 0, 0)
    for name in (*CLASSIFIERS, "five"):
        problem = five if name == "five" else trained(name)[0]
        found = orca_exactly(five) if name == "five" else orca_of(name)
        yield Equal(sum(found.order, fmpq(0)), fmpq(1), f"{name!r}: sum of the orders")
        yield Equal(found.blocks.sum() / found._norm, fmpq(1), f"{name!r}: blocks over ||h||^2")
        by_mode = found.blocks_by_enumeration()
        yield Equal(found.blocks, by_mode, f"{name!r}: blocks, two routes")
        yield Equal(len(found.order), problem.d + 1, f"{name!r}: orders 0 ... d")


@claim(
    "display-peak",
    place="section 6.1, line 1007",
    title="N* is the degree with the largest OKC_N",
    latex=r"N^*=\arg\max_N\mathrm{OKC}_N",
    plain="No rule is given for ties; the toolkit takes the smallest such degree (exactly) or calls it undecided.",
    scope="exact, six trained classifiers",
    second_route="comparison of all degrees, one by one",
    kills=("peak-of-order", "nyquist-twice-peak"),
)
def peak() -> Iterator:
    for name in CLASSIFIERS:
        found = orca_of(name)
        best = [N for N, value in enumerate(found.degree) if all(value >= other for other in found.degree)]
        yield Equal(found.peak, best[0], f"{name!r}: N*")
        yield Note(f"{name}: N* = {found.peak}" + (f", a tie of {best}" if len(best) > 1 else ""))


@claim(
    "def-threshold",
    place="section 6.1, line 1011",
    title="T_eps is the smallest T with F(T) >= 1 - eps; it exists for every eps in [0, 1)",
    latex=r"T_\varepsilon=\min\{T:F(T)\ge1-\varepsilon\},\quad F(T)=\sum_{N\le T}\mathrm{OKC}_N",
    plain="F(dn) = 1, so T always exists (Table 1 prints '--' once). Two classifiers can share T and differ in F(T).",
    scope="exact, six trained classifiers; eps = 1/10, 1/20, 1/100, 0 and one where F(T) = 1 - eps exactly",
    second_route="cumulative sums over modes",
    kills=("strict-threshold", "nyquist-twice"),
    covers=("disc-threshold-def", "disc-both-needed"),
)
def threshold() -> Iterator:
    seen: dict[tuple[str, int], set] = {}
    for name in CLASSIFIERS:
        found = orca_of(name)
        F = [sum(found.degree[: T + 1], fmpq(0)) for T in range(found.d * found.n + 1)]
        yield Equal(F[-1], fmpq(1), f"{name!r}: F(dn)")
        exact_tie = next((1 - f for f in F if 0 < f < 1), fmpq(0))
        for eps in ("1/10", "1/20", "1/100", "0/1", f"{exact_tie.p}/{exact_tie.q}"):
            level = 1 - kernel.QQ(eps)
            T = next(T for T, value in enumerate(F) if value >= level)
            yield Equal(found.threshold(eps), (T, F[T]), f"{name!r}: T_{eps[:12]}")
            seen.setdefault((eps, T), set()).add(F[T])
    yield Holds(any(len(values) > 1 for values in seen.values()), "the same T with different F(T) occurs")


@claim(
    "display-even-odd",
    place="section 6.1, line 1018",
    title="even and odd masses sum over even and odd N, and add up to 1",
    latex=r"\mathrm{even}+\mathrm{odd}=1",
    plain="The library evaluates the generating function at z = -1; here the degrees are summed.",
    scope="exact, six trained classifiers",
    second_route="sums over degrees",
    kills=("even-odd-exchanged", "nyquist-twice"),
)
def even_odd() -> Iterator:
    for name in CLASSIFIERS:
        found = orca_of(name)
        yield Equal(found.even, sum(found.degree[::2], fmpq(0)), f"{name!r}: even")
        yield Equal(found.odd, sum(found.degree[1::2], fmpq(0)), f"{name!r}: odd")
        yield Equal(found.even + found.odd, fmpq(1), f"{name!r}: even + odd")


@claim(
    "disc-nonlinear-marker",
    place="section 6.1, line 1130",
    title="as printed: OKC^(2) marks nonlinear structure",
    latex=r"h\text{ nonlinear}\Rightarrow\mathrm{OKC}^{(2)}>0",
    plain="It marks non-additive structure. h = p_2(x_1) is nonlinear and has OKC^(2) = 0.",
    scope="counterexample: h = p_2(x_1), d = 2, from the definition",
    second_route="degrees of the counterexample",
    kills=("product-mode",),
    expect="FAILS",
    correction="okc1-large",
)
def nonlinear_marker() -> Iterator:
    k = nonlinear_mode()
    yield Less(1, max(k) + (len([i for i in k if i]) - 1), f"p_{k} is nonlinear")
    yield Less(0, int(sum(i > 0 for i in k) == 2), f"OKC^(2) of h = p_{k}")


def nonlinear_mode() -> tuple[int, int]:
    return (2, 0)


@claim(
    "echo-five-times",
    place="section 6.2, line 1421",
    title="as printed: the maximum degree 5n expands five times faster than for d = 2",
    latex=r"5n=5\cdot2n",
    plain="The maximum degrees are 5n and 2n: 5/2 times.",
    scope="for all n",
    second_route="enumeration of degrees for n = 1, 2",
    kills=("dimension-one",),
    expect="FAILS",
    correction="echo-five-times-corrected",
)
def five_times() -> Iterator:
    for n in (1, 2):
        yield Equal(highest_degree(n, 5), 5 * highest_degree(n, reference_dimension()), f"n = {n}: 5n and 5 * 2n")


def reference_dimension() -> int:
    return 2


def highest_degree(n: int, d: int) -> int:
    return max(map(sum, kernel.modes(n, d)))


@claim(
    "echo-five-times-corrected",
    place="section 6.2, line 1421",
    title="corrected: 5n is 5/2 times 2n; at n = 25 the maximum total degrees are 125 and 50",
    latex=r"5n=\tfrac52\cdot2n",
    plain="Degrees counted over all multi-indices.",
    scope="enumeration for n = 1, 2, 3; n = 25 from max N = dn (display-act-q)",
    second_route="d times n",
    kills=("total-degree-truncation", "dropped-tensor-term"),
)
def five_halves() -> Iterator:
    for n in (1, 2, 3):
        yield Equal(2 * highest_degree(n, 5), 5 * highest_degree(n, 2), f"n = {n}")
    yield Equal((5 * 25, 2 * 25), (125, 50), "n = 25")
