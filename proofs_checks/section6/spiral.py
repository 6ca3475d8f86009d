"""Section 6.1 on our own double spiral: what symmetry proves, what a polynomial of low degree cannot do.

The paper does not give its generator, so that its printed cells stay undecided; every statement here is
about ``double_spiral(300, 3/2)``, noise-free, whose points are odd: (x, y) -> (-x, -y) maps them onto
themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem

from ..experiments import optima as experiments
from ..experiments import tables
from ..experiments.optima import SYMMETRIC, Certified, configuration
from ..ledger.claims import (
    FAILS,
    FINITE,
    FOR_ALL,
    UNDECIDED,
    Equal,
    Holds,
    Less,
    Note,
    Unknown,
    claim,
    mutant,
    not_checkable,
    patched,
)  # fmt: skip
from ..samples import coefficients, symbolic, symbols
from .values import EPS, FAMILY, S1, S2, SPIRAL, called, certified_value, edit, ns, place, table, text

LARGE = (8, 12, 14, 16)
TINY = fmpq(1, 10**30)


def points() -> list[tuple[fmpq, fmpq, int]]:
    """The rescaled spiral, exactly, with its labels."""
    p = configuration("spiral", 1)
    return [(row[0], row[1], y) for row, y in zip(p.points, p.y, strict=True)]


def antipode(point: tuple) -> tuple:
    """The point rotated by 180 degrees, label reversed."""
    return -point[0], -point[1], -point[2]


def mirror(point: tuple) -> tuple:
    """Left and right exchanged, labels reversed."""
    return -point[0], point[1], -point[2]


@mutant("spiral-mirrored")
def spiral_mirrored() -> Iterator[None]:
    """Points symmetric under left-right reflection, not under rotation."""
    import sys

    half = [(fmpq(k + 1, 9), fmpq(k, 7) - fmpq(1, 3), 1) for k in range(5)]
    with patched(sys.modules[__name__], "points", lambda: half + [mirror(p) for p in half]):
        yield


claim(
    "spiral-odd-data", place="section 6.1, line 1156", title="the rescaled spiral is odd: (x, y) -> (-x, -y)",
    plain="Rotation by 180 degrees exchanges the arms and reverses the labels, exactly, after rescaling too.",
    scope=FAMILY, second_route="tests/paper/test_datasets.py, before rescaling", kills=("spiral-mirrored",),
    extent=FINITE, latex=r"(x,y)\in D\iff(-x,-y)\in D",
)(lambda: Equal({antipode(p) for p in points()}, set(points()), "points with labels"))  # fmt: skip
claim(
    "left-right-symmetry/mirror",
    place="section 6.1, line 953",
    title="the data have left-right symmetry: x_1 -> -x_1 exchanges the classes",
    plain="A reflection reverses the handedness of a spiral: there is no such symmetry to lose. What "
    "alpha = beta gives on odd data is the point symmetry g(-x) = -g(x).",
    scope=FAMILY,
    second_route="Figure 1: the pictures are point-symmetric only",
    kills=("spiral-mirrored",),
    statement="left-right-symmetry",
    reading="left and right exchanged by a reflection",
    expect=FAILS,
    severity="imprecise wording",
    correction="spiral-odd-data",
)(lambda: Equal({mirror(p) for p in points()}, set(points()), "points with labels"))


@mutant("recurrence-off-centre")
def recurrence_off_centre() -> Iterator[None]:
    """a_k = 1/10 where alpha = beta asks for 0."""
    right = Jacobi.recurrence
    with patched(Jacobi, "recurrence", lambda self, k: (right(self, k)[0] + fmpq(1, 10), right(self, k)[1])):
        yield


@claim(
    "spiral-even-mass-zero",
    place="section 6.1, line 1154",
    title="alpha = beta: the even mass is exactly 0, by symmetry",
    plain="Proof: the data are odd (spiral-odd-data). For alpha = beta every a_k of the recurrence is 0, so "
    "p_k(-x) = (-1)^k p_k(x) and w -> -w(-x) keeps the norm. If (w, b) is optimal, so is (-w(-x), -b); w is "
    "unique, hence odd, and every c_k with k_1 + ... + k_d even vanishes.",
    assumptions="uniqueness of w: the primal is strictly convex in w",
    scope=f"a proof for every n up to 16 and the four alpha = beta of Figure 2; {FAMILY}",
    second_route="exact certificates (spiral-even-mass-exact) and balls (spiral-even-mass-balls)",
    kills=("spiral-mirrored", "recurrence-off-centre"),
    extent=FINITE,
    latex=r"\mathrm{even}=0",
)
def even_mass_zero() -> Iterator:
    yield Equal({antipode(p) for p in points()}, set(points()), "points with labels")
    for a, b in SYMMETRIC:
        J = Jacobi(a, b)
        yield Equal([J.recurrence(k)[0] for k in range(17)], [fmpq(0)] * 17, f"a_0 ... a_16, alpha = {a}")


@mutant("parities-exchanged")
def parities_exchanged() -> Iterator[None]:
    """Even and odd mass change places."""
    from orca_exact.profile.generating import GeneratingFunction

    right = GeneratingFunction.__dict__["parities"]
    with patched(GeneratingFunction, "parities", property(lambda self: right.func(self)[::-1])):
        yield


@claim(
    "spiral-even-mass-exact",
    place="section 6.1, line 1154",
    title="Legendre: exact certificates give even mass 0",
    plain="The KKT system solved over Q; the even mass is the rational number 0.",
    scope=f"n = 8; with --full n = 1, 2, 3, 5, 8; {FAMILY}",
    second_route="the symmetry argument (spiral-even-mass-zero)",
    kills=("parities-exchanged",),
    extent=FINITE,
    latex=r"\mathrm{even}=0",
)
def even_mass_exact(full: bool = False) -> Iterator:
    for n in (1, 2, 3, 5, 8) if full else (8,):
        yield Equal(exact_profile(n, "0", "0").even, fmpq(0), f"even mass at n = {n}")


edit("even-mass-off", {(S1, n, "even"): "0.0001" for n in ns(S1)})


@claim(
    "spiral-even-mass-balls",
    place="section 6.1, line 1154",
    title="Legendre: balls for the even mass hold 0 and are tiny",
    plain="Below 1e-30 in all eight rows of Table 1, at 50 digits.",
    scope=FAMILY,
    second_route="the symmetry argument (spiral-even-mass-zero)",
    kills=("even-mass-off",),
    extent=FINITE,
    latex=r"\mathrm{even}<10^{-30}",
    group="spiral-family",
)
def even_mass_balls() -> Iterator:
    for n in ns(S1):
        even = certified_value(S1, n, "even")
        yield Less(abs(even), TINY, f"even mass at n = {n}")


def exact_profile(n: int, alpha: str, beta: str) -> Any:
    """The profile of our spiral over the rationals."""
    from orca_exact.profile.profile import orca
    from orca_exact.svm.certify import certify

    problem = configuration("spiral", n, alpha, beta)
    return orca(problem, certify(problem, level="exact"), "exact")


def of_figure_2(alpha: str, beta: str) -> Certified:
    """The certified profile of one picture of Figure 2: n = 12."""
    return experiments.certified_optimum(configuration("spiral", 12, alpha, beta))


@mutant("orders-exchanged")
def spiral_orders_exchanged() -> Iterator[None]:
    """OKC^(1) and OKC^(2) exchanged."""
    from orca_exact.profile.generating import GeneratingFunction

    right = GeneratingFunction.__dict__["orders"]
    with patched(
        GeneratingFunction, "orders", property(lambda self: [right.func(self)[q] for q in (0, 2, 1)])
    ):
        yield


@claim(
    "spiral-n1-line",
    place="section 6.1, line 862",
    title="n = 1: on this spiral the boundary is a straight line",
    plain="The space at n = 1 holds x_1 x_2, so a line is not a consequence of n = 1 (n1-straight-line); "
    "here the four free support vectors are two antipodal pairs, which forces the coefficient of x_1 x_2 "
    "to 0, exactly, for both choices of (alpha, beta). Print has OKC^(2) = 0.0001 at n = 1: no line there.",
    scope=f"exact certificates, Legendre; with --full (2.5, 1.2) too; {FAMILY}",
    second_route="Figure 1, n = 1",
    kills=("orders-exchanged",),
    extent=FINITE,
    latex=r"\mathrm{OKC}^{(2)}=0,\ n=1",
)
def n1_line(full: bool = False) -> Iterator:
    for alpha, beta in (("0", "0"), ("2.5", "1.2"))[: 2 if full else 1]:
        order = exact_profile(1, alpha, beta).order
        yield Equal(_rational(order[2]), fmpq(0), f"OKC^(2) at n = 1, ({alpha}, {beta})")
        yield Equal(_rational(order[1]), fmpq(1), f"OKC^(1) at n = 1, ({alpha}, {beta})")


def _rational(value: Any) -> Any:
    """A Ratio with numerator 0 is 0."""
    return fmpq(0) if hasattr(value, "numerator") and value.numerator == 0 else value


def mean_degree(r: Certified) -> Any:
    """The mean of N under OKC_N."""
    return sum((N * value for N, value in enumerate(r.degree)), arb(0))


def growing() -> tuple:
    """The pairs alpha = beta of Figure 2, growing."""
    return SYMMETRIC


@mutant("weights-reversed")
def weights_reversed() -> Iterator[None]:
    """alpha = beta falls instead of growing."""
    import sys

    with patched(sys.modules[__name__], "growing", lambda: SYMMETRIC[::-1]):
        yield


@claim(
    "okcN-upward-shift",
    place="section 6.1, line 936",
    title="n = 12: the mean degree falls as alpha = beta grows",
    plain="0, 1/2, 1, 2: mean degree 9.92, 9.57, 9.11, 8.33.",
    scope=FAMILY,
    second_route="T_0.01 = 19, 17, 17, 15",
    kills=("weights-reversed",),
    group="spiral-family",
    extent=FINITE,
    latex=r"\sum_N N\,\mathrm{OKC}_N\downarrow",
    reading="toward lower degrees; 'upward' is of the mass at low degrees",
)
def shift_down() -> Iterator:
    found = [of_figure_2(a, b) for a, b in growing()]
    for r, s in pairwise(found):
        yield Less(mean_degree(s), mean_degree(r), f"{r.name} to {s.name}")
        yield Holds(s.threshold("0.01")[0] <= r.threshold("0.01")[0], "T_0.01 does not grow")


# Reflection of the parameters.


def reflect(X: list) -> list:
    """Every coordinate with the opposite sign."""
    return [[-x for x in row] for row in X]


@mutant("reflect-one-coordinate")
def reflect_one_coordinate() -> Iterator[None]:
    """Only the first coordinate changes its sign."""
    import sys

    with patched(sys.modules[__name__], "reflect", lambda X: [[-row[0], *row[1:]] for row in X]):
        yield


@claim(
    "swap-mirrored",
    place="section 6.1, line 948",
    title="swapping alpha and beta is reflecting x -> -x in all coordinates",
    latex=r"K_n^{(\alpha,\beta)}(x,z)=K_n^{(\beta,\alpha)}(-x,-z)",
    plain="a_k(alpha, beta) = -a_k(beta, alpha) and b_k(alpha, beta) = b_k(beta, alpha), so that "
    "pi_k^(beta,alpha)(x) = (-1)^k pi_k^(alpha,beta)(-x) with the same h_k. On odd data swapping alpha and "
    "beta therefore changes g to -g(-x) and leaves every OKC index unchanged; nothing "
    "singles out left-right from bottom-top.",
    scope="every alpha, beta, n, d: both identities are of rational functions of k, of degree 8 at most, "
    "checked at nineteen k with free alpha and beta, and k = 0, 1 apart; Gram matrices and indices on "
    "twelve points",
    second_route="profiles of (0, 2) and (2, 0), certified separately",
    kills=("reflect-one-coordinate", "wrong-a"),
    extent=FOR_ALL,
    reading="mirrored: by the half turn, which reflects both coordinates",
)
def swapped() -> Iterator:
    from orca_exact.kernels.orthogonal import gram_ratio
    from orca_exact.profile.profile import orca
    from orca_exact.svm.certify import certify

    alpha, beta = symbols()
    straight, crossed = Jacobi(alpha, beta), Jacobi(beta, alpha)
    for k in range(21):
        (a, b), (c, d) = straight.recurrence(k), crossed.recurrence(k)
        yield Holds(bool(a == -c and b == d), f"a_{k} changes its sign, b_{k} stays")
    some = points()[:12]
    X, y = [[p[0], p[1]] for p in some], [(-1) ** i for i in range(12)]
    for first, second in (("0", "2"), ("1.5", "0.3"), ("3", "0.5")):
        left, right = Problem(X, y, 4, first, second), Problem(reflect(X), y, 4, second, first)
        yield Equal(gram_ratio(left), gram_ratio(right), f"Gram matrix, ({first}, {second})")
    odd = points()[:150:25]
    odd += [antipode(p) for p in odd]
    found = []
    for first, second in (("0", "2"), ("2", "0")):
        problem = Problem([p[:2] for p in odd], [p[2] for p in odd], 3, first, second)
        found.append(orca(problem, certify(problem, level="exact"), "exact"))
    yield Equal(found[0].order, found[1].order, "OKC^(q) of (0, 2) and (2, 0), twelve points of the spiral")
    yield Equal(found[0].degree, found[1].degree, "OKC_N of (0, 2) and (2, 0)")


# Corrections for sentences that fail on this spiral.

edit("spiral-certified-off", {
    **{(id, n, "OKC^(2)"): "0.5000" for id in SPIRAL for n in LARGE},
    **{(id, n, "OKC_1"): "0.9000" for id in SPIRAL for n in LARGE},
    **{(id, n, "N*"): "9" for id in SPIRAL for n in LARGE},
    (S2, 8, "T_0.10"): "16", (S2, 2, "even"): "0.0001",
})  # fmt: skip


def _family(id: str, line: int, latex: str, title: str, plain: str, check: Any) -> None:
    claim(
        id, place=f"section 6.1, line {line}", title=title, plain=plain, scope=FAMILY, latex=latex,
        second_route="orca-exact tables spiral", kills=("spiral-certified-off",), extent=FINITE,
        group="spiral-family",
    )(check)  # fmt: skip


_family(
    "spiral-okc2-values",
    1123,
    r"\mathrm{OKC}^{(2)}_{(0,0)}>0.8,\ \mathrm{OKC}^{(2)}_{(2.5,1.2)}>0.73,\ n\ge8",
    "OKC^(2) is above 0.8 (Legendre, n >= 8) and above 0.73 ((2.5, 1.2), n >= 8)",
    "Dominant, though below the printed levels 0.85 and 0.75.",
    lambda: [
        *(Less(fmpq(8, 10), certified_value(S1, n, "OKC^(2)"), f"Legendre, n = {n}") for n in LARGE),
        *(Less(fmpq(73, 100), certified_value(S2, n, "OKC^(2)"), f"(2.5, 1.2), n = {n}") for n in LARGE),
    ],
)
_family(
    "spiral-same-order",
    1137,
    r"\tfrac14<\mathrm{OKC}_1/\mathrm{OKC}_2<4,\ n\ge8",
    "OKC_1 and OKC_2 are within a factor of four of each other for n >= 8",
    "Same order of magnitude, not within a factor of two.",
    lambda: (
        Less(certified_value(id, n, a), 4 * certified_value(id, n, b), f"{called(id)}, n = {n}: {a} < 4 {b}")
        for id in SPIRAL
        for n in LARGE
        for a, b in (("OKC_1", "OKC_2"), ("OKC_2", "OKC_1"))
    ),
)
_family(
    "spiral-peak-moves",
    1178,
    r"N^*=7,9,9,13",
    "N* moves with n for Legendre (7, 9, 9, 13), and stays at 9 for (2.5, 1.2)",
    "For n = 8, 12, 14, 16: a regular spiral of one and a half turns does not fix N*.",
    lambda: [
        Equal([certified_value(S1, n, "N*") for n in LARGE], [7, 9, 9, 13], "Legendre"),
        Equal([certified_value(S2, n, "N*") for n in LARGE], [9, 9, 9, 9], "(2.5, 1.2)"),
    ],
)
_family(
    "spiral-lower-thresholds",
    1211,
    r"T_{0.10}^{(2.5,1.2)}\le T_{0.10}^{(0,0)}",
    "T_0.10 and T_0.05 under (2.5, 1.2) never exceed those of Legendre",
    "T_0.01 does, at n = 3 and 14.",
    lambda: (
        Holds(certified_value(S2, n, c) <= certified_value(S1, n, c), f"n = {n}, {c}")
        for n in ns(S1)
        for c in EPS[:2]
    ),
)
_family(
    "spiral-parity-broken",
    1166,
    r"\mathrm{even}>0.14,\ n\ge2",
    "(2.5, 1.2): the even mass is above 0.14 for every n >= 2",
    "The same data have even mass 0 for alpha = beta: the weight breaks the parity. At n = 1 it is 0 too.",
    lambda: (Less(fmpq(14, 100), certified_value(S2, n, "even"), f"n = {n}") for n in ns(S2) if n >= 2),
)


@claim(
    "disc-linear-q1",
    place="section 6.1, line 1128",
    title="a linear function has no mode with two active coordinates",
    latex=r"x_l=\pi_1(x_l)+a_0",
    plain="Every measure has pi_1 = x - a_0, so x_l = pi_1(x_l) + a_0: a linear function is a sum of modes "
    "with q <= 1, and by orthonormality of no others: OKC^(2) = 0. OKC^(2) = 0 means additive, not linear "
    "(disc-nonlinear-marker).",
    scope="every Jacobi weight, alpha and beta free; orthogonality to constants from the moments, j <= 6, "
    "for three weights",
    second_route="orthogonality of the p_j to constants",
    kills=("wrong-moment",),
    extent=FOR_ALL,
)
def linear() -> Iterator:
    J = symbolic()
    yield Equal(coefficients(J, 1)[1], [-J.recurrence(0)[0], J.field(1)], "pi_1 in powers of x")
    for a, b in (("0", "0"), ("2.5", "1.2"), ("1", "3")):
        for j, p in enumerate(coefficients(Jacobi(a, b), 6)[1:], 1):
            yield Equal(Jacobi(a, b).inner_ratio([fmpq(1)], p), fmpq(0), f"<1, pi_{j}>, ({a}, {b})")


# Undecided: what the paper does not give, or does not define.


def row(id: str, n: int) -> Iterator:
    """A printed row, which stays undecided, beside the certified values of our spiral."""
    shown = [f"{c} {tables.rounded(certified_value(id, n, c), 4)}" for c in table(id)["columns"]]
    yield Unknown(
        f"{tables.NO_GENERATOR}; printed: " + ", ".join(text(id, n, c) for c in table(id)["columns"])
    )
    yield Note("certified on our spiral: " + ", ".join(shown))


for _id in SPIRAL:
    for _n in ns(_id):
        claim(
            f"{_id}/n={_n}",
            place=place(_id, _n),
            title=f"{called(_id)}, row n = {_n}",
            expect=UNDECIDED,
            covers=(_id,),
            scope=FAMILY,
            plain="The paper does not give the points nor their generator: the row cannot be recomputed.",
            second_route="none: the data are not given",
            group="spiral-family",
        )(partial(row, _id, _n))

NOT_GIVEN = "neither the points nor a formula, radius law, noise level or seed are given; ours is documented"
PICTURE = "the image file name is blank; 'orca-exact figures' draws it for our spiral"
for _item, _line, _title, _why in (
    ("spiral-dataset", 753, "the paper's 300 points, 150 per class", NOT_GIVEN),
    ("spiral-turns", 755, "the paper's spirals make about one and a half turns", NOT_GIVEN),
    ("fig1", 839, "Figure 1", PICTURE),
    ("n5-transition", 874, "a qualitative phase transition near n = 5", "'phase transition' is not defined"),
    ("n12-oscillatory", 880, "n = 12, 14, 16: more oscillatory", "no measure of oscillation is given"),
    ("fig2", 899, "Figure 2", PICTURE),
    ("symmetric-topology", 924, "the four symmetric boundaries are topologically equivalent",
     "the images are not given; on our spiral small loops at the edge differ between the pictures"),
    ("symmetric-smoother", 928, "the boundary becomes smoother as alpha = beta grows",
     "no measure of smoothness is given"),
    ("gradient-left-right", 948, "alpha > beta: a stronger gradient from left to right",
     "the images are not given, nor a measure; the same weight acts on both coordinates, so that the "
     "kernel does not single out left-right from bottom-top (swap-mirrored)"),
    ("asymmetric-spiral", 953, "for alpha != beta the zero level set remains a recognisable spiral",
     "the images are not given, and 'recognisable' is not defined"),
    ("disc-coordinate-symmetry", 1138, "the spiral is approximately symmetric between its two coordinates",
     "no measure of it is given; exact symmetry would make OKC_1 = OKC_2, and at n = 1 the tables print "
     "0.31 and 0.69; " + NOT_GIVEN),
    ("disc-not-imposed", 1161, "the symmetry is discovered, not imposed", "an interpretation"),
    ("disc-peak-capacity", 1181, "a stable N* signals sufficient capacity", "an interpretation, from four n"),
    ("disc-borderline", 1206, "n = 16: F(19) = 0.950, barely crossing", "F is not printed; " + NOT_GIVEN),
):  # fmt: skip
    not_checkable(_item, f"section 6.1, line {_line}", _title, _why)
