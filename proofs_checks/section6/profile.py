"""Claims of section 6 about orders, N*, T_eps, and even and odd mass, for d = 2 and 5. No data are needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from flint import fmpq, fmpq_poly

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem

from .. import tensor_kernel as kernel
from ..ledger.claims import FINITE, FOR_ALL, SAMPLED, Differs, Equal, Holds, Less, Note, claim
from ..ledger.mutants import replacing
from ..samples import described, h_polynomial, orca_exactly, orca_of, sample_certificate, squared_coefficients
from .geometry import odd_problem


def spectrum(name: str) -> list[fmpq]:
    """Return all OKC_N by plain loops over the modes of (28), without the library's profile."""
    problem, c = sample_certificate(name)[0], squared_coefficients(name)
    total = sum(c.values(), fmpq(0))
    return [
        sum((v for k, v in c.items() if sum(k) == N), fmpq(0)) / total
        for N in range(problem.d * problem.n + 1)
    ]


@claim(
    "display-norm-okc-2",
    place="section 6.1, line 979",
    title="||h||^2 = OKC^(0) + OKC^(1) + OKC^(2)",
    latex=r"\|h\|^2=\mathrm{OKC}^{(0)}+\mathrm{OKC}^{(1)}+\mathrm{OKC}^{(2)}",
    plain="The indices of (35) are normalised, so their sum is 1. The formula holds only if ||h|| = 1.",
    reading="the equation as printed, with the normalised indices of (35)",
    scope="counterexample: the sample classifier 'plane' (7 points, d = 2, n = 2)",
    second_route="||h||^2 = s^T K s",
    kills=("unit-norm",),
    expect="FAILS",
    correction="display-norm-okc-corrected",
    severity="wrong statement",
)
def norm_is_sum() -> Iterator:
    found = orca_of("plane")
    yield Equal(found.norm2, sum(found.order, fmpq(0)), "||h||^2, and the sum of the OKC^(q)")


@claim(
    "display-norm-okc-5",
    place="section 6.2, line 1255",
    title="||h||^2 = OKC^(0) + ... + OKC^(5)",
    latex=r"\|h\|^2=\mathrm{OKC}^{(0)}+\cdots+\mathrm{OKC}^{(5)}",
    plain="This is the error of line 979 again, with five orders.",
    statement="display-norm-okc-2",
    reading="the equation as printed, with the normalised indices of (35)",
    scope="counterexample: a trained classifier with 7 points, d = 5, n = 1",
    second_route="||h||^2 = s^T K s",
    kills=("unit-norm",),
    expect="FAILS",
    severity="wrong statement",
    correction="display-norm-okc-corrected",
)
def norm_is_sum_of_five() -> Iterator:
    found = orca_exactly(corner_problem())
    yield Equal(found.norm2, sum(found.order, fmpq(0)), "||h||^2, and the sum of the OKC^(q)")


def corner_problem() -> Problem:
    """Return a problem with seven points of a grid with two values per coordinate, in dimension 5."""
    corners = list(product(("-1", "1/2"), repeat=5))[::5]
    return Problem([list(row) for row in corners], [1, -1, 1, -1, 1, -1, 1], 1, 0, 0)


@claim(
    "display-norm-okc-corrected",
    place="section 6.1, line 979; section 6.2, line 1255",
    title="||h||^2 (OKC^(0) + ... + OKC^(d)) = sum c_k^2 = ||h||^2",
    latex=r"\sum_{q=0}^d\mathrm{OKC}^{(q)}=1,\qquad\|h\|^2=\sum_{q,N}C_N^{(q)}",
    plain="This holds for d = 2 and for d = 5.",
    scope="proved for all n, d, m (machine-checked); computed exactly for the sample classifiers and one "
    "with d = 5",
    second_route="sums over modes",
    kills=("shifted-norm", "nyquist-twice"),
    extent=SAMPLED,
)
def norm_sum_corrected() -> Iterator:
    profiles = [(where, orca_of(name)) for name, where in described()]
    for where, found in (*profiles, ("seven points, d = 5, n = 1", orca_exactly(corner_problem()))):
        yield Equal(sum(found.order, fmpq(0)), fmpq(1), f"{where}: sum of the orders")
        label = f"{where}: sum of the blocks divided by ||h||^2"
        yield Equal(found.generating.blocks.sum() / found.generating.norm, fmpq(1), label)
        by_mode = found.enumeration.blocks()
        yield Equal(found.generating.blocks, by_mode, f"{where}: blocks, generating function and enumeration")
        yield Equal(len(found.order), found.d + 1, f"{where}: number of orders 0 ... d")


@claim(
    "display-peak",
    place="section 6.1, line 1007",
    title="N* is a degree with the largest OKC_N; it exists but need not be unique",
    latex=r"N^*\in\arg\max_{0\le N\le dn}\mathrm{OKC}_N\ne\emptyset",
    plain="A maximum over finitely many degrees exists. The paper gives no rule for ties, and ties occur: x "
    "= 1 and -1/2 with Chebyshev's weight, n = 2, have OKC_1 = OKC_2 = 1/2. In a tie the toolkit returns "
    "the smallest degree if it computes exactly, and reports N* as undecided otherwise.",
    scope="all profiles, since the set of degrees is finite; the library's N* computed exactly for the "
    "sample classifiers and one tie",
    second_route="degrees summed over the modes of (28), compared one by one",
    kills=("peak-of-order", "nyquist-twice-peak"),
    extent=FOR_ALL,
)
def peak() -> Iterator:
    for name, where in described():
        found, F = orca_of(name), spectrum(name)
        best = [N for N, value in enumerate(F) if all(value >= other for other in F)]
        yield Equal(found.peak, best[0], f"{where}: N*")
        yield Note(
            f"{where}: N* = {found.peak}" + (f", a tie of the degrees {best}" if len(best) > 1 else "")
        )
    tie = orca_exactly(Problem([["1"], ["-1/2"]], [1, -1], 2, "-1/2", "-1/2", C=10**6))
    yield Equal(tie.degree, [fmpq(0), fmpq(1, 2), fmpq(1, 2)], "OKC_0, OKC_1, OKC_2 of a problem with a tie")
    yield Equal((tie.peak, tie.peaks), (1, [1, 2]), "N* of the problem with a tie, and all maximal degrees")


@claim(
    "def-threshold",
    place="section 6.1, line 1011; line 1193",
    title="T_eps is the smallest T with F(T) >= 1 - eps, and it exists for every eps in [0, 1)",
    latex=r"T_\varepsilon=\min\{T:F(T)\ge1-\varepsilon\},\quad F(T)=\sum_{N\le T}\mathrm{OKC}_N",
    plain="F(dn) = 1, so T_eps always exists (Table 1 prints '--' once).",
    scope="all n, d, m, because the degrees sum to 1 (machine-checked); the library's T_eps computed "
    "exactly for the sample classifiers, with eps = 1/10, 1/20, 1/100, 0 and one value for which F(T) = 1 "
    "- eps exactly",
    second_route="cumulative sums over the modes of (28)",
    kills=("strict-threshold", "nyquist-twice"),
    covers=("disc-threshold-def",),
    extent=SAMPLED,
)
def threshold() -> Iterator:
    for name, where in described():
        found, okc = orca_of(name), spectrum(name)
        F = [sum(okc[: T + 1], fmpq(0)) for T in range(found.d * found.n + 1)]
        yield Equal(F[-1], fmpq(1), f"{where}: F(dn)")
        exact_tie = next((1 - f for f in F if 0 < f < 1), fmpq(0))
        for eps in ("1/10", "1/20", "1/100", "0/1", f"{exact_tie.p}/{exact_tie.q}"):
            level = 1 - kernel.QQ(eps)
            T = next(T for T, value in enumerate(F) if value >= level)
            yield Equal(found.threshold(eps), (T, F[T]), f"{where}: T_{eps[:12]} and F(T)")


@claim(
    "disc-both-needed",
    place="section 6.1, line 1196",
    title="two configurations can have the same T_eps and different F(T_eps)",
    latex=r"T_{1/10}=T'_{1/10},\qquad F(T_{1/10})\ne F'(T'_{1/10})",
    plain="The sample classifiers 'chebyshev' (7 points, d = 2, n = 3) and 'space' (6 points, d = 3, n = 2) "
    "both have T_0.10 = 5, with F(5) = 0.946 and 0.971.",
    scope="two trained classifiers, computed exactly",
    second_route="cumulative sums over the modes of (28)",
    kills=("same-configuration",),
    extent=FINITE,
)
def both_needed() -> Iterator:
    (T, F), (U, G) = (orca_of(name).threshold("1/10") for name in configurations())
    yield Equal(T, U, "T_0.10 of the two classifiers")
    yield Differs(F, G, "F(T_0.10) of the two classifiers differ")
    for (name, where), value in zip(described(configurations()), (F, G), strict=True):
        yield Equal(sum(spectrum(name)[: T + 1], fmpq(0)), value, f"{where}: F(T_0.10) as a sum over modes")


def configurations() -> tuple[str, str]:
    """Return the names of two classifiers with the same T_0.10."""
    return "chebyshev", "space"


# Compare a classifier with itself.
replacing("same-configuration", __name__, "configurations", lambda: ("space", "space"))


@claim(
    "display-even-odd",
    place="section 6.1, line 1018",
    title="the even and the odd mass are the sums over even and odd N, and add up to 1",
    latex=r"\mathrm{even}+\mathrm{odd}=1",
    plain="The library evaluates the generating function at z = -1; here the modes are summed.",
    scope="all n, d, m: the degrees sum to 1, and even - odd is the value at z = -1 (machine-checked); "
    "computed exactly for the sample classifiers",
    second_route="sums over the modes of (28)",
    kills=("even-odd-exchanged",),
    extent=SAMPLED,
)
def even_odd() -> Iterator:
    for name, where in described():
        found, okc = orca_of(name), spectrum(name)
        yield Equal(found.even, sum(okc[::2], fmpq(0)), f"{where}: even mass")
        yield Equal(found.odd, sum(okc[1::2], fmpq(0)), f"{where}: odd mass")
        yield Equal(found.even + found.odd, fmpq(1), f"{where}: even + odd")


@claim(
    "disc-nonlinear-marker",
    place="section 6.1, line 1130",
    title="OKC^(2) > 0 implies nonlinear structure: an affine h has OKC^(2) = 0",
    latex=r"\mathrm{OKC}^{(2)}>0\Rightarrow h\text{ is not affine}",
    plain="An affine h is a sum of functions of one coordinate, so OKC^(q) = 0 for q >= 2 (okc1-large).",
    reading="'a marker' means that interaction mass implies nonlinear structure",
    scope="proved for all n, d and h (machine-checked: Additive.additive_any); computed exactly for the "
    "sample classifiers",
    second_route="monomials of the expanded h",
    kills=("shifted-order",),
    extent=SAMPLED,
)
def nonlinear_marker() -> Iterator:
    for name, where in described():
        found = orca_of(name)
        if found.d > 1 and found.order[2] > 0:
            bends = any(v != 0 and sum(e) > 1 for e, v in h_polynomial(name).items())
            yield Equal(bends, True, f"{where}: OKC^(2) > 0, and h has a monomial of degree 2 or more")
    line = orca_exactly(odd_problem(1, 0, 0))
    yield Equal((line.order[1], line.order[2]), (fmpq(1), fmpq(0)), "OKC^(1), OKC^(2) of a linear classifier")


@claim(
    "disc-nonlinear-marker-converse",
    place="section 6.1, line 1130",
    title="OKC^(2) measures the nonlinear structure learned",
    latex=r"h\text{ not affine}\Rightarrow\mathrm{OKC}^{(2)}>0",
    plain="OKC^(2) measures the structure that is not additive. The sample classifier 'additive' (6 points, "
    "d = 2, n = 2) is quadratic in x_1 and has OKC^(2) = 0.",
    statement="disc-nonlinear-marker",
    reading="'a quantitative marker' of the nonlinear structure means that it misses none of it",
    scope="counterexample: a trained SVM on six points, d = 2, n = 2, weight (1/2, 1/2), computed exactly",
    second_route="monomials of h",
    kills=("interacting-classifier",),
    expect="FAILS",
    severity="imprecise wording",
    correction="okc1-large",
)
def nonlinear_converse() -> Iterator:
    h = h_polynomial(nonlinear_classifier())
    yield Holds(any(v != 0 and sum(e) > 1 for e, v in h.items()), "h has a monomial of degree 2 or more")
    label = "OKC^(2) of a classifier that is quadratic in x_1 and does not depend on x_2"
    yield Less(fmpq(0), orca_of(nonlinear_classifier()).order[2], label)


def nonlinear_classifier() -> str:
    """Return the name of a nonlinear classifier without interactions."""
    return "additive"


# Use a classifier with interactions instead.
replacing("interacting-classifier", __name__, "nonlinear_classifier", lambda: "plane")


@claim(
    "echo-five-times",
    place="section 6.2, line 1421",
    title="the maximum degree 5n grows five times faster than for d = 2",
    latex=r"5n=5\cdot2n",
    plain="The maximum degrees are 5n and 2n, so the factor is 5/2.",
    reading="the maximum degrees for d = 5 and d = 2 at the same n",
    scope="counterexample: n = 1, 2",
    second_route="enumeration of the degrees for n = 1, 2",
    kills=("dimension-one",),
    expect="FAILS",
    correction="echo-five-times-corrected",
    severity="wrong number",
)
def five_times() -> Iterator:
    for n in (1, 2):
        label = f"n = {n}: 5n and 5 * 2n"
        yield Equal(highest_degree(n, 5), 5 * highest_degree(n, reference_dimension()), label)


def reference_dimension() -> int:
    """Return the number of coordinates of the spiral, with which d = 5 is compared."""
    return 2


def highest_degree(n: int, d: int) -> int:
    """Return the largest total degree among the modes."""
    return max(map(sum, kernel.modes(n, d)))


@claim(
    "echo-five-times-corrected",
    place="section 6.2, line 1421",
    title="5n is 5/2 times 2n; at n = 25 the largest total degrees are 125 and 50",
    latex=r"5n=\tfrac52\cdot2n",
    plain="The degrees of all multi-indices are counted.",
    scope="the largest total degree is dn for all n, d (machine-checked); modes counted for n = 1, 2, 3; n "
    "= 25 from the degree of a kernel section",
    second_route="degrees of kernel sections, also for n = 1, 2, 3",
    kills=("total-degree-truncation", "dropped-tensor-term"),
    extent=SAMPLED,
)
def five_halves() -> Iterator:
    for n in (1, 2, 3):
        label = f"n = {n}: twice the largest degree for d = 5, and five times that for d = 2"
        yield Equal(2 * highest_degree(n, 5), 5 * highest_degree(n, 2), label)
        label = f"n = {n}: largest degree among the modes and of a kernel section"
        yield Equal(highest_degree(n, 5), section_degree(n, 5), label)
    label = "largest degrees at n = 25 for d = 5 and d = 2"
    yield Equal((section_degree(25, 5), section_degree(25, 2)), (125, 50), label)


def section_degree(n: int, d: int) -> int:
    """Return the total degree of K(x, .) at x = (1/3, ..., 1/3), a product over the coordinates."""
    section = kernel.cd_sum(Jacobi(0, 0), n, fmpq_poly([fmpq(1, 3)]), fmpq_poly([0, 1]))
    return sum(section.degree() for _ in range(d))
