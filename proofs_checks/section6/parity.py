"""Claims of section 6 about the effect of the weight on parity and on left and right. No data are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem
from orca_exact.svm.certify import certify

from .. import tensor_kernel as kernel
from ..ledger.claims import FOR_ALL, SAMPLED, Differs, Equal, Less, Note, claim
from ..ledger.mutants import replacing
from ..rational_functions import free
from ..samples import FreeJacobi, coefficients, orca_exactly, symbols
from ..section3.one_dimension import recurrence
from .geometry import odd_problem


@claim(
    "weight-asymmetric",
    place="section 6.1, line 945; line 1166",
    title="p_k(-x) for (alpha, beta) is (-1)^k p_k(x) for (beta, alpha), so the p_k have a parity exactly "
    "if alpha = beta",
    latex=r"K_n^{(\alpha,\beta)}(x,z)=K_n^{(\beta,\alpha)}(-x,-z)",
    plain="Exchanging alpha and beta therefore reflects the kernel through the origin (in two coordinates, "
    "a rotation by 180 degrees). alpha != beta breaks the parity of the inner product, because a_0 = 0 "
    "only for alpha = beta.",
    scope="all k: a_k(alpha,beta) = -a_k(beta,alpha) and b_k symmetric (symbolic k); kernels over "
    "Q(alpha,beta), n <= 3",
    second_route="kernels evaluated at (x, z) and (-x, -z)",
    kills=("wrong-a", "asymmetric-kernel"),
    extent=FOR_ALL,
    covers=("disc-parity-broken",),
)
def parity() -> Iterator:
    from sympy import Symbol

    a, b = symbols()
    k = Symbol("k")
    for degree in (0, 1, k):
        one, other = recurrence(degree, a, b), recurrence(degree, b, a)
        yield Equal(one[0], -other[0], f"a_k(alpha, beta) and -a_k(beta, alpha), k = {degree}")
        yield Equal(one[1], other[1], f"b_k(alpha, beta) and b_k(beta, alpha), k = {degree}")
    yield Equal(recurrence(0, a, b)[0], (b - a) / (a + b + 2), "a_0, minus the constant term of pi_1")
    J, swapped, (x, z) = FreeJacobi(a, b), FreeJacobi(b, a), free("x", "z")
    for n in range(4):
        left = kernel.cd_sum(J, n, x, z)
        right = kernel.cd_sum(swapped, n, -x, -z)
        label = f"n = {n}: K(x, z) and the kernel with alpha and beta exchanged at (-x, -z)"
        yield Equal(left, right, label)
    p = coefficients(Jacobi("5/2", "6/5"), 3)
    yield Differs(p[1][0], fmpq(0), "weight (2.5, 1.2): p_1 is not odd")
    yield Equal([c[j] for c in coefficients(Jacobi(2, 2), 5) for j in range(len(c)) if (len(c) - 1 - j) % 2],
                [fmpq(0)] * 9, "weight (2, 2): the coefficients of the other parity are 0")  # fmt: skip


@claim(
    "disc-left-endpoint",
    place="section 6.1, line 1144",
    title="for alpha > beta the weight is larger on the left, and it treats the two coordinates alike",
    latex=r"\frac{w(-x)}{w(x)}=\Big(\frac{1+x}{1-x}\Big)^{\alpha-\beta}>1\quad(0<x<1,\ \alpha>\beta)",
    plain="The weight alone does not move mass from one coordinate to the other: K_n^(2) is unchanged if "
    "both arguments exchange their coordinates. So exchanging the coordinates of the data exchanges OKC_1 "
    "and OKC_2, for every alpha, beta. A change of the weight can shift mass between the coordinates only "
    "through the data.",
    scope="all alpha > beta and 0 < x < 1; exchanged coordinates for one exact classifier, weight (2, 1)",
    second_route="OKC_1 and OKC_2 of a classifier trained with exchanged coordinates",
    kills=("coordinates-told-apart",),
    extent=FOR_ALL,
)
def left_endpoint() -> Iterator:
    from sympy import Symbol, cancel, diff, log

    x, gap, b = Symbol("x", positive=True), Symbol("g", positive=True), Symbol("beta")  # alpha = beta + g

    def log_weight(x: Any) -> Any:
        return (b + gap) * log(1 - x) + b * log(1 + x)

    excess = log_weight(-x) - log_weight(x)
    yield Equal(excess.subs(x, 0), 0, "log of w(-x)/w(x) at x = 0")
    label = "the derivative of log w(-x)/w(x), which is positive for 0 < x < 1"
    yield Equal(cancel(diff(excess, x)), cancel(2 * gap / (1 - x**2)), label)
    one = orca_exactly(odd_problem(2, 2, 1)).marginal
    other = orca_exactly(exchanged(odd_problem(2, 2, 1))).marginal
    label = "OKC_1, OKC_2 of the data, and OKC_2, OKC_1 after exchanging the coordinates"
    yield Equal((one[1], one[2]), (other[2], other[1]), label)
    yield Differs(one[1], one[2], "OKC_1 and OKC_2 of the original data differ")


def exchanged(problem: Problem) -> Problem:
    """Return the same data with exchanged coordinates."""
    return problem.replace(X=[list(reversed(row)) for row in problem.X])


@claim(
    "gradient-kernel",
    place="section 6.1, lines 949 to 953",
    title="for alpha > beta the kernel, and so the bound of |h|, is larger on the right, and for alpha < "
    "beta on the left",
    latex=r"K_n^{(\alpha,\beta)}(1,1)>K_n^{(\alpha,\beta)}(-1,-1)\iff\alpha>\beta\quad(n\ge1),\qquad"
    r"|h(x)|^2\le\|h\|^2K_n(x,x)",
    plain="|p_{k+1}(1)/p_{k+1}(-1)| is |p_k(1)/p_k(-1)| times (k+alpha+1)/(k+beta+1). The weight acts in "
    "the same way in both coordinates, so what grows from left to right also grows from bottom to top.",
    statement="gradient-left-right",
    reading="the possible effect of the weight on the gradient; the figure itself is not in the source",
    scope="all k, alpha, beta (a rational identity); K_n at both ends for four pairs of Figure 2 or the "
    "text, n = 12",
    second_route="K_12(1, 1) and K_12(-1, -1) summed directly",
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
    yield Equal((1 - first, -1 - first), (ends(0, a, a + b), -ends(0, b, a + b)), "pi_1 at 1 and at -1")
    for degree in (1, k):
        ak, bk = recurrence(degree, a, b)
        right, left = (ends(degree - 1, c, a + b) for c in (a, b))
        yield Equal(ends(degree, a, a + b), 1 - ak - bk / right, f"pi_(k+1)(1)/pi_k(1), k = {degree}")
        yield Equal(-ends(degree, b, a + b), -1 - ak + bk / left, f"pi_(k+1)(-1)/pi_k(-1), k = {degree}")
    label = "ratio of the growth factors at 1 and at -1"
    yield Equal(ends(k, a, a + b) / ends(k, b, a + b), (k + a + 1) / (k + b + 1), label)
    for pair in (("2", "0"), ("3", "1/2"), ("0", "2"), ("1", "3")):
        J = Jacobi(*pair)
        right, left = (kernel.cd_sum(J, top_level(), x, x) for x in (fmpq(1), fmpq(-1)))
        if kernel.QQ(pair[0]) < kernel.QQ(pair[1]):
            right, left = left, right
        yield Less(left, right, f"({', '.join(pair)}): h_0 K_12 at the smaller end and at the larger end")


def top_level() -> int:
    """Return the n of Figure 2."""
    return 12


@claim(
    "disc-rotation",
    place="section 6.1, line 1156",
    title="if a rotation by 180 degrees maps the data to itself with exchanged labels and alpha = beta, "
    "then h is odd",
    latex=r"h(-\mathbf{x})=-h(\mathbf{x})\iff\mathrm{even}=0\qquad(\alpha=\beta)",
    plain="w is unique, so it has the symmetry of the data: the even mass is exactly 0 for every n, and the "
    "interval of b is symmetric about 0. g = h + b is odd if also b = 0. Even mass 0 alone is not enough: "
    "x = -1 and x = 0 with y = -1 and 1, n = 1, have even mass 0 and b = 1. If alpha != beta, the inner "
    "product does not have the symmetry, and the even mass is positive on the same data.",
    scope="proved for every isometry that permutes the points and reverses the labels (machine-checked); x "
    "-> -x is one for every alpha = beta and n (a_k = 0, symbolic k); computed exactly for an odd data set "
    "of 6 points, n = 1, 2, 3, weights (0,0), (1,1) and (2,1)",
    second_route="parity sums at z = -1 compared with sums over even degrees",
    kills=("even-odd-exchanged", "wrong-a"),
    extent=SAMPLED,
)
def odd_data() -> Iterator:
    from sympy import Symbol

    alpha = symbols()[0]
    for degree in (0, 1, Symbol("k")):
        label = f"a_k(alpha, alpha) = 0, k = {degree}, so x -> -x is an isometry"
        yield Equal(recurrence(degree, alpha, alpha)[0], 0, label)
    for n in (1, 2, 3):
        for a in (0, 1):
            problem = odd_problem(n, a, a)
            found = orca_exactly(problem)
            yield Equal(found.even, fmpq(0), f"n = {n}, alpha = beta = {a}: even mass")
            yield Equal(sum(found.degree[::2], fmpq(0)), fmpq(0), f"n = {n}, alpha = beta = {a}: even N")
            b = certify(problem, [problem.C / 2] * problem.m, level="exact").b
            upper = b.lower if b.upper is None else b.upper
            label = f"n = {n}, alpha = beta = {a}: the interval of b is symmetric about 0"
            yield Equal(b.lower.p, -upper.p, label)
    yield Less(fmpq(0), orca_exactly(odd_problem(2, 2, 1)).even, "n = 2, weight (2, 1): positive even mass")
    two = Problem([["-1"], ["0"]], [-1, 1], 1, 0, 0, C=10)
    b = certify(two, [two.C / 2] * 2, level="exact").b
    yield Equal((orca_exactly(two).even, b.lower.p), (fmpq(0), fmpq(1)), "two points: even mass and b")
    yield Note("h can be odd without g being odd, because of b")


# Leave the coordinates of the data unchanged.
replacing("coordinates-told-apart", __name__, "exchanged", lambda problem: problem)
# Use n = 0, for which the kernel is constant.
replacing("truncated-at-once", __name__, "top_level", lambda: 0)
