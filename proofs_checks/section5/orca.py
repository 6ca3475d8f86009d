"""Section 5: the squared norm over modes, blocks, OKC indices and their sums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from flint import fmpq

from orca_exact.errors import ZeroClassifier
from orca_exact.kernels import orthogonal as kernel
from orca_exact.problem import Problem
from orca_exact.profile import enumeration, profile
from orca_exact.svm.certify import certify

from ..ledger.claims import (
    FINITE,
    SAMPLED,
    Differs,
    Equal,
    Holds,
    claim,
)
from ..samples import (
    CLASSIFIERS,
    FREE,
    Recurrence,
    coefficients,
    h_polynomial,
    orca_of,
    squares,
    tensor,
    tensor_inner,
    trained,
    weights,
)

Mode = tuple[int, ...]


def act(k: Mode) -> frozenset[int]:
    """Active coordinates, 1-based."""
    return frozenset(i + 1 for i, degree in enumerate(k) if degree > 0)


def share(name: str, chosen: Any) -> fmpq:
    """The part of ||h||^2 on the chosen modes, by enumeration of (28)."""
    c = squares(name)
    return sum((v for k, v in c.items() if chosen(k)), fmpq(0)) / sum(c.values(), fmpq(0))


@claim(
    "eq-rkhs-norm-sum-tensor",
    place="section 5, eq. (31); line 542; line 570",
    title="||h||^2 is the sum of the c_k^2: no cross terms",
    latex=r"\|h_n^{(d)}\|^2=\sum_{\mathbf{k}}c_{\mathbf{k}}^2",
    plain="Three numbers agree: the sum of squares, s^T K s, and the integral of h^2 over mu^d. It is the "
    "squared norm "
    "that decomposes, where the text says 'norm'.",
    scope="for every family and all n, d, machine-checked; exact, the sample classifiers",
    second_route="the integral of h^2 by moments, and s^T K s",
    kills=("missing-h", "truncated-early", "alpha-without-y"),
    covers=("norm-decomposes", "no-cross-terms", "orca-purpose"),
    extent=SAMPLED,
)
def norm_sum() -> Iterator:
    for name in CLASSIFIERS:
        problem, found = trained(name)
        total = sum(squares(name).values(), fmpq(0))
        h = h_polynomial(name)
        yield Equal(total, tensor_inner(problem.jacobi, h, h), f"{name!r}: integral of h^2")
        s = [u * y for u, y in zip(found.u, problem.y, strict=True)]
        R = kernel.gram_ratio(problem)
        m = range(problem.m)
        yield Equal(total, sum((s[i] * s[j] * R[i, j] for i in m for j in m), fmpq(0)), f"{name!r}: s^T R s")


@claim(
    "example-46656",
    place="section 5, line 574",
    title="n = 5, d = 6: 46,656 modes",
    latex=r"\mathrm{card}(\mathcal{I}_5^{(6)})=6^6=46{,}656",
    plain="Counted one by one; tens of thousands.",
    scope="enumeration",
    second_route="the power 6^6",
    kills=("dropped-tensor-term", "total-degree-truncation"),
    extent=FINITE,
)
def example() -> Iterator:
    yield Equal(len(kernel.modes(5, 6)), 46656, "modes counted")
    yield Equal(6**6, 46656, "6^6")


@claim(
    "display-act-q",
    place="section 5, lines 577 to 588; line 654; section 6.1, line 745; line 984; section 6.2, line 1260",
    title="act(k) are the coordinates p_k depends on; N(k) takes every value 0 ... dn",
    latex=r"\operatorname{act}(\mathbf{k})=\{i:k_i>0\},\quad q=\mathrm{card}\,\operatorname{act},\quad "
    r"N=\sum k_i",
    plain="p_j is constant exactly for j = 0. The library labels every mode with this (q, N). Only the "
    "mode (n,...,n) "
    "has N = dn; OKC_1 collects modes linear in one coordinate, OKC_2 modes of total degree 2 (not the "
    "monomials "
    "of degree 2, which p_4 contains too).",
    scope="for all n, d: deg p_j = j, and every degree from 0 to dn occurs (machine-checked); "
    f"{FREE} and five weights, (n, d) = (4, 1), (3, 2), (2, 3)",
    reading="linear, quadratic, cubic contributions: of total degree 1, 2, 3",
    second_route="degrees read off expanded polynomials beside the library's labels",
    kills=("swapped-labels", "missing-degree"),
    covers=(
        "act-depends", "q-meaning", "display-total-degree", "N-range", "okcN-linear-quadratic",
        "spiral-d2", "blocks-d2",
        "echo-five-orders",
    ),
    extent=SAMPLED,
)  # fmt: skip
def orca_labels() -> Iterator:
    for J in (Recurrence(4), *weights()):
        for n, d in ((4, 1), (3, 2), (2, 3)):
            p = coefficients(J, n)
            for k in product(range(n + 1), repeat=d):
                F = [e for e, c in tensor([p[i] for i in k]).items() if c != 0]
                yield Equal(max(map(sum, F)), sum(k), f"{J}: total degree of p_{k}")
                depends = [any(e[i] for e in F) for i in range(d)]
                yield Equal(depends, [i + 1 in act(k) for i in range(d)], f"{J}: coordinates of p_{k}")
    for n, d in ((3, 2), (2, 3), (5, 2)):
        modes = kernel.modes(n, d)
        found = [tuple(int(v) for v in row) for row in enumeration.mode_labels(n, d)]
        yield Equal(found, [(len(act(k)), sum(k)) for k in modes], f"labels (q, N), n = {n}, d = {d}")
        yield Equal({sum(k) for k in modes}, set(range(d * n + 1)), f"values of N, n = {n}, d = {d}")
        yield Equal([k for k in modes if sum(k) == d * n], [(n,) * d], "the one mode of the highest degree")
        yield Equal({len(act(k)) for k in modes}, set(range(d + 1)), "orders 0 ... d")


@claim(
    "eq-rkhs-block-sum-qN",
    place="section 5, eq. (32); line 594; line 614; section 7, line 1449",
    title="the blocks C_N^(q) add up to ||h||^2",
    latex=r"\|h\|^2=\sum_{q=0}^d\sum_{N=0}^{dn}C_N^{(q)}",
    plain="Every mode has one (q, N); blocks are empty unless q <= N <= qn.",
    scope="for all n, d, m, machine-checked; exact, the sample classifiers",
    second_route="blocks by the generating function beside enumeration of all modes",
    kills=("swapped-labels", "nyquist-twice"),
    covers=("display-CNq", "block-reading", "concl-indices"),
    extent=SAMPLED,
)
def blocks() -> Iterator:
    for name in CLASSIFIERS:
        found = orca_of(name)
        norm = found.generating.norm
        yield Equal(found.generating.blocks.sum(), norm, f"{name!r}: sum of all blocks")
        by_modes = {(q, N): fmpq(0) for q in range(found.d + 1) for N in range(found.d * found.n + 1)}
        c = squares(name)
        total = sum(c.values(), fmpq(0))
        for k, value in c.items():
            by_modes[len(act(k)), sum(k)] += value / total
        yield Equal(
            {key: found.generating.blocks[key] / norm for key in by_modes},
            by_modes,
            f"{name!r}: C_N^(q)/||h||^2",
        )
        empty = [v for (q, N), v in by_modes.items() if not q <= N <= q * found.n]
        yield Equal(empty, [fmpq(0)] * len(empty), f"{name!r}: blocks outside q <= N <= qn")


@claim(
    "def-OKC-always-defined",
    place="section 5, Definition 5.1",
    title="as printed: OKC_N^(q) is defined for every trained SVM",
    latex=r"\mathrm{OKC}_N^{(q)}=C_N^{(q)}/\sum C_N^{(q)}",
    plain="When w = 0 the quotient is 0/0, and the paper does not exclude it.",
    reading="for every training set with both labels",
    scope="counterexample: one point with both labels: alpha = (C, C), w = 0",
    second_route="the sum in the denominator, exactly",
    kills=("two-different-points",),
    expect="FAILS",
    correction="def-OKC",
    severity="imprecise wording",
)
def okc_undefined() -> Iterator:
    problem = Problem(**degenerate())
    found = certify(problem, [problem.C / 2] * problem.m)
    s = [u * y for u, y in zip(found.u, problem.y, strict=True)]
    R = kernel.gram_ratio(problem)
    norm = sum((s[i] * s[j] * R[i, j] for i in range(2) for j in range(2)), fmpq(0))
    yield Differs(norm, fmpq(0), "the same point with labels +1 and -1: denominator of OKC")
    try:
        profile.orca(problem, found, "exact")
        yield Holds(True, "the toolkit gives indices")
    except ZeroClassifier:
        yield Holds(False, "the toolkit refuses: w = 0")


def degenerate() -> dict:
    """One point with both labels: w = 0."""
    return {"X": [["1/3"], ["1/3"]], "y": [1, -1], "n": 2, "alpha": 0, "beta": 0}


@claim(
    "def-OKC",
    place="section 5, Definition 5.1, eq. (33) and (34), line 625",
    title="corrected: for w != 0 the OKC_N^(q) are defined, nonnegative and sum to 1",
    latex=r"\mathrm{OKC}_N^{(q)}=\frac{C_N^{(q)}}{\|h\|^2}\ (h\ne0),\qquad\sum_{q,N}\mathrm{OKC}_N^{(q)}=1",
    plain="The denominator of (33) is ||h||^2.",
    assumptions="w != 0",
    scope="for all n, d, m, machine-checked; exact, the sample classifiers",
    second_route="indices of the library beside sums over modes",
    kills=("swapped-labels", "nyquist-twice"),
    covers=("eq-OKC-qN", "okc-nonnegative", "eq-OKC-qN-sum1"),
    extent=SAMPLED,
)
def okc() -> Iterator:
    for name in CLASSIFIERS:
        block = orca_of(name).block
        yield Equal(sum(block.values(), fmpq(0)), fmpq(1), f"{name!r}: sum of all indices")
        yield Holds(all(value >= 0 for value in block.values()), f"{name!r}: nonnegative")
        for (q, N), value in block.items():
            yield Equal(
                value, share(name, lambda k, q=q, N=N: (len(act(k)), sum(k)) == (q, N)), f"OKC_{N}^({q})"
            )


@claim(
    "eq-OKC-q",
    place="section 5, eq. (35), lines 638 to 645",
    title="OKC^(q) = sum_N OKC_N^(q), and the orders sum to 1",
    latex=r"\mathrm{OKC}^{(q)}=\sum_N\mathrm{OKC}_N^{(q)},\qquad\sum_{q=0}^d\mathrm{OKC}^{(q)}=1",
    plain="The library's orders (elementary symmetric sums of one-dimensional kernels) against sums of "
    "blocks.",
    scope="for all n, d, m, machine-checked; exact, the sample classifiers",
    second_route="sums over blocks and over modes",
    kills=("swapped-labels", "shifted-order"),
    covers=("okcq-meaning", "display-order-sum", "order-profile"),
    extent=SAMPLED,
)
def orca_orders() -> Iterator:
    for name in CLASSIFIERS:
        found = orca_of(name)
        for q, value in enumerate(found.order):
            by_block = sum((found.block[q, N] for N in range(found.d * found.n + 1)), fmpq(0))
            yield Equal(value, by_block, f"{name!r}: OKC^({q})")
            yield Equal(
                value, share(name, lambda k, q=q: len(act(k)) == q), f"{name!r}: OKC^({q}) over modes"
            )
        yield Equal(sum(found.order, fmpq(0)), fmpq(1), f"{name!r}: sum of the orders")


@claim(
    "eq-OKC-N",
    place="section 5, eq. (36); section 6.1, line 1000",
    title="OKC_N = sum_q OKC_N^(q), N = 0 ... dn",
    latex=r"\mathrm{OKC}_N=\sum_{q=0}^d\mathrm{OKC}_N^{(q)}",
    plain="Against sums of c_k^2 over k_1 + ... + k_d = N.",
    scope="for all n, d, m, machine-checked; exact, the sample classifiers",
    second_route="sums over modes",
    kills=("swapped-labels", "nyquist-twice"),
    covers=("display-okcN-2",),
    extent=SAMPLED,
)
def orca_degrees() -> Iterator:
    for name in CLASSIFIERS:
        found = orca_of(name)
        yield Equal(len(found.degree), found.d * found.n + 1, f"{name!r}: degrees 0 ... dn")
        for N, value in enumerate(found.degree):
            yield Equal(value, share(name, lambda k, N=N: sum(k) == N), f"{name!r}: OKC_{N}")
        yield Equal(sum(found.degree, fmpq(0)), fmpq(1), f"{name!r}: sum over degrees")


@claim(
    "okc-notation-clash",
    place="section 5, line 656",
    title="as printed: OKC_1 names one quantity",
    latex=r"\mathrm{OKC}_{N}|_{N=1}=\mathrm{OKC}_{i}|_{i=1}",
    reading="the symbol OKC_1, which both (36) and (37) define",
    plain="(36) and (37) give the same symbol OKC_1 to the total degree N = 1 and to the coordinate i = 1. "
    "They differ. "
    "Repeated in section 6.1 (lines 989 and 1000).",
    scope="exact, classifier 'plane'",
    second_route="both by enumeration of modes",
    kills=("one-coordinate",),
    expect="FAILS",
    correction="okc-notation-corrected",
    severity="imprecise wording",
)
def clash() -> Iterator:
    found = orca_of(clashing())
    yield Equal(found.degree[1], found.marginal[1], "OKC_1 of (36) against OKC_1 of (37)")


def clashing() -> str:
    """The classifier on which OKC_1 of (36) and OKC_1 of (37) differ."""
    return "plane"


@claim(
    "okc-notation-corrected",
    place="section 5, line 656",
    title="corrected: OKC_{N=1} is the mass of the d modes e_i; OKC_{i=1} of the n modes k e_1",
    latex=r"\mathrm{OKC}_{N=1}=\sum_i "
    r"c_{\mathbf{e}_i}^2/\|h\|^2,\quad\mathrm{OKC}_{\{1\}}=\sum_{k\ge1}c_{k\mathbf{e}_1}^2/\|h\|^2",
    plain="Write OKC_{N=1} and OKC_{{1}} (the active set) to keep them apart.",
    scope="for all n, d, m, machine-checked (shares of the modes of degree 1, and active on {1}); exact, "
    "the sample "
    "classifiers",
    second_route="sums over modes",
    kills=("swapped-labels", "coordinates-reversed"),
    extent=SAMPLED,
)
def clash_corrected() -> Iterator:
    for name in CLASSIFIERS:
        found = orca_of(name)
        e = [tuple(int(i == j) for i in range(found.d)) for j in range(found.d)]
        yield Equal(found.degree[1], share(name, lambda k, e=e: k in e), f"{name!r}: OKC_(N=1)")
        yield Equal(found.marginal[1], share(name, lambda k: act(k) == {1}), f"{name!r}: OKC_(i=1)")


@claim(
    "eq-OKC-marginal-sum",
    place="section 5, eq. (37) and (38), lines 658 to 679; section 6.1, line 989",
    title="marginal indices sum to OKC^(1); M_i has n modes",
    latex=r"\mathrm{OKC}_i=\sum_{\mathbf{k}\in "
    r"M_i}c_{\mathbf{k}}^2/\|h\|^2,\qquad\sum_i\mathrm{OKC}_i=\mathrm{OKC}^{(1)}",
    plain="Both descriptions of M_i agree; the library's closed form s^T(K_n(x_i,.) - p_0^2)s equals the "
    "sum over M_i.",
    scope="for all n, d, m, machine-checked; exact, the sample classifiers; sets enumerated for n <= 3, d "
    "<= 3",
    second_route="closed form in the one-dimensional kernel beside the sum over modes",
    kills=("coordinates-reversed", "shifted-order"),
    covers=("display-Mi", "Mi-exactly", "eq-OKC-marginal-i", "okci-fraction", "display-marginals-2"),
    extent=SAMPLED,
)
def marginals() -> Iterator:
    for n, d in product((1, 2, 3), (1, 2, 3)):
        for i in range(1, d + 1):
            M = [k for k in kernel.modes(n, d) if act(k) == {i}]
            other = [tuple(v if j == i - 1 else 0 for j in range(d)) for v in range(1, n + 1)]
            yield Equal(M, other, f"M_{i}, n = {n}, d = {d}")
    for name in CLASSIFIERS:
        found = orca_of(name)
        for i, value in found.marginal.items():
            yield Equal(value, share(name, lambda k, i=i: act(k) == {i}), f"{name!r}: OKC_{i}")
        yield Equal(sum(found.marginal.values(), fmpq(0)), found.order[1], f"{name!r}: sum of the marginals")


@claim(
    "eq-OKC-pair-sum",
    place="section 5, eq. (39) and (40), lines 689 to 706",
    title="pair indices sum to OKC^(2); J_ij has n^2 modes",
    latex=r"\mathrm{OKC}_{ij}=\frac1{\|h\|^2}\sum_{\mathbf{k}\in\mathcal{J}_{ij}}c_{\mathbf{k}}^2,\qquad"
    r"\sum_{i<j}\mathrm{OKC}_{ij}=\mathrm{OKC}^{(2)}",
    plain="For d = 1, which the section allows, there are no pairs and no OKC^(2).",
    assumptions="d >= 2",
    scope="for all n, d, m, machine-checked; exact, the sample classifiers with d = 2, 3; sets enumerated "
    "for "
    "n <= 3, d <= 3",
    second_route="closed form beside the sum over modes",
    kills=("coordinates-reversed", "shifted-order"),
    covers=("display-Jij", "Jij-exactly", "eq-OKC-pair-ij", "okcij-fraction"),
    extent=SAMPLED,
)
def pairs() -> Iterator:
    for n, d in product((1, 2, 3), (2, 3)):
        for i, j in combinations(range(1, d + 1), 2):
            yield Equal(
                sum(act(k) == {i, j} for k in kernel.modes(n, d)), n * n, f"card J_{i}{j}, n = {n}, d = {d}"
            )
    for name in CLASSIFIERS:
        found = orca_of(name)
        if found.d == 1:
            continue
        for (i, j), value in found.pair.items():
            yield Equal(value, share(name, lambda k, i=i, j=j: act(k) == {i, j}), f"{name!r}: OKC_{i}{j}")
        yield Equal(sum(found.pair.values(), fmpq(0)), found.order[2], f"{name!r}: sum of the pairs")


@claim(
    "subset-indices",
    place="section 5, line 713",
    title="indices of all subsets of size q sum to OKC^(q)",
    latex=r"\sum_{|S|=q}\mathrm{OKC}_S=\mathrm{OKC}^{(q)}",
    plain="For every subset of the coordinates; d >= 3 for triples.",
    scope="for all n, d, m, machine-checked; exact, 'space' (d = 3): all 8 subsets",
    second_route="closed form beside the sum over modes",
    kills=("coordinates-reversed", "shifted-order"),
    extent=SAMPLED,
)
def subsets() -> Iterator:
    found = orca_of("space")
    for q in range(4):
        total = fmpq(0)
        for S in combinations((1, 2, 3), q):
            value = found.subset(S)
            yield Equal(value, share("space", lambda k, S=S: act(k) == set(S)), f"OKC_{S}")
            total = total + value
        yield Equal(total, found.order[q], f"subsets of size {q}")
