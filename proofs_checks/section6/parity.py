"""Section 6: what the weight does to parity and to the two sides. No data are needed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from flint import fmpq

from orca_exact.kernels import orthogonal as kernel
from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem
from orca_exact.svm.certify import certify

from ..ledger.claims import FOR_ALL, SAMPLED, Differs, Equal, Less, Note, claim, mutant, patched
from ..samples import coefficients, orca_exactly, symbolic, symbols
from ..section3.one_dimension import recurrence
from .geometry import odd_problem


@claim(
    "weight-asymmetric",
    place="section 6.1, line 945; line 1166",
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
    return problem.replace(X=[list(reversed(row)) for row in problem.X])


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
    statement="gradient-left-right",
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
    scope="for every isometry that permutes the points and reverses the labels, machine-checked; x -> -x is "
    "one for every alpha = beta and n (a_k = 0, symbolic k); exact, an odd data "
    "set of 6 points, n = 1, 2, 3, (0,0), (1,1) and (2,1)",
    second_route="parity sums at z = -1 beside sums over even degrees",
    kills=("even-odd-exchanged", "wrong-a"),
    extent=SAMPLED,
)
def odd_data() -> Iterator:
    from sympy import Symbol

    alpha = symbols()[0]
    for degree in (0, 1, Symbol("k")):
        yield Equal(
            recurrence(degree, alpha, alpha)[0], 0, f"a_k(alpha, alpha), k = {degree}: x -> -x is an isometry"
        )
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
