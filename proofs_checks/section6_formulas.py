"""Section 6, formulas that need no data: rescaling, the Jacobi weight, h_k."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from orca_exact import kernel
from orca_exact.errors import BadParameter
from orca_exact.jacobi import Jacobi
from orca_exact.paper.claims import Differs, Equal, Holds, Less, claim
from orca_exact.problem import Problem

from .common import (
    coefficients,
    delta,
    symbols,
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


def inner_products(problem: Problem) -> list[list]:
    """<p_i, p_j>, i, j <= n, for the problem's polynomials, by the moments of its weight."""
    J = problem.jacobi
    p, h = coefficients(J, problem.n), J.h_ratios(problem.n)
    return [[J.inner_ratio(a, b) / h[j] for j, b in enumerate(p)] for a in p]


@claim(
    "rescale-orthonormality",
    place="section 6.1, line 777",
    title="as printed: rescaling the data ensures that the orthonormality conditions hold",
    latex=r"\int p_kp_j\,d\mu=\delta_{kj}\ \text{by rescaling}",
    plain="Orthonormality is a property of mu alone: with raw data, out of the domain, the p_k are as "
    "orthonormal.",
    scope="counterexample: data in [-1/10, 7/10], not rescaled, (1/2, -1/3), p_0 ... p_3, exact",
    second_route="moments of the weight; the recurrence's h_k",
    kills=("data-in-weight",),
    expect="FAILS",
    correction="rescale-orthonormality-corrected",
)
def rescale_orthonormality() -> Iterator:
    data = Problem([["0.3"], ["-0.1"], ["0.7"]], [1, -1, 1], 3, "1/2", "-1/3", rescale=False)
    yield Differs(inner_products(data), delta(3), "<p_i, p_j>, data not rescaled")


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
    plain="Its total mass is h_0 = 2^(alpha+beta+1) B(alpha+1, beta+1); its moments match SymPy's "
    "integration; "
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
        except BadParameter as error:
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
        yield Equal(
            simplify(gammasimp(printed_h(m, a, b) / Jacobi(a, b).h_classical(m))), 1, f"library's h_{m}"
        )
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
        yield Equal(
            expand(Jacobi(0, 0).orthonormal(k) ** 2 * (printed_h(k, 0, 0))), expand(P**2), f"Legendre P_{k}"
        )
    for k in range(5):
        value = expand(Jacobi(1, 2).orthonormal(k) ** 2 * printed_h(k, 1, 2))
        yield Equal(value, expand(jacobi(k, 1, 2, x) ** 2), f"(1, 2): P_{k}")
        yield Less(0, Jacobi(1, 2).leading_classical(k), f"(1, 2): leading coefficient of P_{k}")
