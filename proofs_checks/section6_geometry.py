"""Section 6: dimensions, shapes of the boundary, endpoints and symmetry of the weight. No data are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq, fmpq_poly

from orca_exact import kernel
from orca_exact.jacobi import Jacobi
from orca_exact.paper.claims import Differs, Equal, Less, claim
from orca_exact.problem import Problem

from .common import (
    coefficients,
    gram_schmidt,
    h_polynomial,
    orca_exactly,
    orca_of,
    symbolic,
    symbols,
    weights,
)


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
    title="corrected: H_1^(2) is spanned by 1, x_1, x_2, x_1 x_2; dimensions 4, 9, 16, 81, 169 for n = 1, "
    "2, 3, 8, 12",
    latex=r"\mathcal{H}_1^{(2)}=\mathrm{span}\{1,x_1,x_2,x_1x_2\}",
    plain="The interaction x_1 x_2 is there at n = 1 already, not first at n = 2; the dimension does not "
    "depend on "
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
    plain="g has a term in x_1 x_2 unless c_(1,1) = 0; then the boundary is a hyperbola. Tables 1 and 2 "
    "print "
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
    """The classifier whose g has a term in x_1 x_2."""
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
    yield Equal(
        D * (A + B * x + C * y + D * x * y), (D * x + C) * (D * y + B) + A * D - B * C, "completed product"
    )
    yield Differs(h_polynomial(bilinear()).get((1, 1), fmpq(0)), fmpq(0), "'xor': D")
    odd = odd_problem(1, 0, 0)
    yield Equal(orca_exactly(odd).order[2], fmpq(0), "odd data: D = 0, a line")


def odd_problem(n: int, alpha: Any, beta: Any) -> Problem:
    """Data that change sign with x: rotation by 180 degrees exchanges the classes."""
    half = [["1", "1/2"], ["1/3", "-1"], ["-2/5", "3/4"]]
    other = [[f"-{v}".replace("--", "") for v in row] for row in half]
    return Problem(half + other, [1, -1, 1, -1, 1, -1], n, alpha, beta, C=10**6)


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
    yield Less(
        level_of_loops(),
        max(max(e) for e in CIRCLE),
        "n = 2 < degree per coordinate of x_1^2 + x_2^2 - 1/4",
    )


CIRCLE = {(2, 0): fmpq(1), (0, 2): fmpq(1), (0, 0): fmpq(-1, 4)}


def level_of_loops() -> int:
    """The n at which the paper says a loop is not yet possible."""
    return 2


@claim(
    "n3-closed-loop-corrected",
    place="section 6.1, line 868",
    title="corrected: closed loops are possible from n = 2 on, and not at n = 1",
    latex=r"x_1^2+x_2^2-\tfrac14\in\mathcal{H}_2^{(2)}",
    plain="The circle's polynomial is its own projection on H_2^(2). At n = 1, g is of degree 1 in x_2 for "
    "fixed x_1, "
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
                monomial = [fmpq(0)] * j + [fmpq(1)]
                sections = [kernel.cd_sum(J, n, fmpq_poly([x]), t).coeffs() for x in (-1, 0, 1)]
                image = [J.inner_ratio(section, monomial) for section in sections]
                power.append(image == [fmpq(-1) ** j, fmpq(int(j == 0)), fmpq(1)])
            yield Equal(
                all(power[i] for e in CIRCLE for i in e), inside, f"{J}: the circle lies in H_{n}^(2)"
            )


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
    plain="The direction is wrong: a weight that vanishes at the endpoints makes the orthonormal p_k "
    "larger there "
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
    """The two (alpha, beta) whose weights are compared."""
    return (0, 0), (2, 2)


def _endpoint_squares(a: int, b: int) -> list[fmpq]:
    basis, norms = gram_schmidt(Jacobi(a, b), 5)
    return [sum(p, fmpq(0)) ** 2 / h for p, h in zip(basis, norms, strict=True)]


@claim(
    "suppress-endpoints-corrected",
    place="section 6.1, line 935",
    title="corrected: larger alpha = beta amplifies high degrees at the endpoints",
    latex=r"\frac{p_k(1)^2}{p_{k-1}(1)^2}=\frac{(2k+2\alpha+1)(k+2\alpha)}{k(2k+2\alpha-1)}\ "
    r"\text{increases with }\alpha",
    plain="The growth factor from degree k-1 to k, for alpha = beta. Its derivative in alpha is positive "
    "for all "
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
    title="p_k(-x) of (alpha, beta) is (-1)^k p_k(x) of (beta, alpha): parity holds exactly when alpha = "
    "beta",
    latex=r"K_n^{(\alpha,\beta)}(x,z)=K_n^{(\beta,\alpha)}(-x,-z)",
    plain="So exchanging alpha and beta reflects the kernel through the origin (both coordinates: a "
    "rotation by 180 "
    "degrees), and alpha != beta breaks the parity of the inner product. For alpha > beta the weight is "
    "heavier "
    "on the left: w(-x)/w(x) = ((1+x)/(1-x))^(alpha-beta) > 1 for 0 < x < 1.",
    scope="for all k: a_k(alpha,beta) = -a_k(beta,alpha), b_k symmetric (symbolic k); kernels in "
    "Q(alpha,beta), n <= 3",
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
    title="data that rotation by 180 degrees maps to itself with labels exchanged give an odd h when alpha "
    "= beta",
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
