"""Claims of section 5: the squared norm over modes, blocks, the OKC indices and their sums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from flint import fmpq

from orca_exact.errors import ZeroClassifier
from orca_exact.problem import Problem
from orca_exact.profile import profile
from orca_exact.svm.certify import certify

from .. import tensor_kernel as kernel
from ..ledger.claims import FINITE, SAMPLED, Differs, Equal, Holds, claim
from ..ledger.mutants import replacing
from ..samples import (
    FREE_RECURRENCE,
    Recurrence,
    coefficients,
    described,
    h_polynomial,
    orca_of,
    sample_certificate,
    squared_coefficients,
    tensor,
    tensor_inner,
    weights,
)

Mode = tuple[int, ...]
PROVED: dict[str, Any] = {
    "scope": "proved for all n, d, m (machine-checked); computed exactly for the sample classifiers",
    "extent": SAMPLED,
}


def act(k: Mode) -> frozenset[int]:
    """Return the active coordinates of a mode, counted from 1."""
    return frozenset(i + 1 for i, degree in enumerate(k) if degree > 0)


def share(name: str, chosen: Any) -> fmpq:
    """Return the share of ||h||^2 on the chosen modes, by enumeration of (28)."""
    c = squared_coefficients(name)
    return sum((v for k, v in c.items() if chosen(k)), fmpq(0)) / sum(c.values(), fmpq(0))


@claim(
    "eq-rkhs-norm-sum-tensor",
    place="section 5, eq. (31); line 542; line 570",
    title="||h||^2 is the sum of the c_k^2, without cross terms",
    latex=r"\|h_n^{(d)}\|^2=\sum_{\mathbf{k}}c_{\mathbf{k}}^2",
    plain="Three numbers agree: the sum of squares, s^T K s, and the integral of h^2 over mu^d. The squared "
    "norm is decomposed, where the text says 'norm'.",
    scope="proved for every family and all n, d (machine-checked); computed exactly for the sample "
    "classifiers",
    second_route="the integral of h^2 from the moments, and s^T K s",
    kills=("missing-h", "truncated-early", "alpha-without-y"),
    covers=("norm-decomposes", "no-cross-terms", "orca-purpose"),
    extent=SAMPLED,
)
def norm_sum() -> Iterator:
    for name, where in described():
        problem, found = sample_certificate(name)
        total = sum(squared_coefficients(name).values(), fmpq(0))
        h = h_polynomial(name)
        yield Equal(total, tensor_inner(problem.jacobi, h, h), f"{where}: sum of c_k^2, and integral of h^2")
        s = [u * y for u, y in zip(found.u, problem.y, strict=True)]
        R = kernel.gram_ratio(problem)
        m = range(problem.m)
        label = f"{where}: sum of c_k^2, and s^T R s"
        yield Equal(total, sum((s[i] * s[j] * R[i, j] for i in m for j in m), fmpq(0)), label)


@claim(
    "example-46656",
    place="section 5, line 574",
    title="for n = 5 and d = 6 there are 46,656 modes",
    latex=r"\mathrm{card}(\mathcal{I}_5^{(6)})=6^6=46{,}656",
    plain="The modes are counted one by one. Their number is in the tens of thousands.",
    scope="enumeration",
    second_route="the power 6^6",
    kills=("dropped-tensor-term", "total-degree-truncation"),
    extent=FINITE,
)
def example() -> Iterator:
    yield Equal(len(kernel.modes(5, 6)), 46656, "number of modes counted")
    yield Equal(6**6, 46656, "6^6")


@claim(
    "display-act-q",
    place="section 5, lines 577 to 588; line 654; section 6.1, line 745; line 984; section 6.2, line 1260",
    title="p_k depends on exactly the coordinates in act(k), and N(k) takes every value from 0 to dn",
    latex=r"\operatorname{act}(\mathbf{k})=\{i:k_i>0\},\quad q=\mathrm{card}\,\operatorname{act},\quad "
    r"N=\sum k_i",
    plain="p_j is constant for j = 0 only. The library labels every mode with this (q, N). Only the mode "
    "(n,...,n) has N = dn. OKC_1 collects the modes that are linear in one coordinate, OKC_2 the modes of "
    "total degree 2 (not the monomials of degree 2, which p_4 also contains).",
    scope="all n, d and every infinite domain: the coordinates on which p_k depends, deg p_j = j, and every "
    "degree from 0 to dn occurs (machine-checked); computed with "
    f"{FREE_RECURRENCE} and for five Jacobi weights, (n, d) = (4, 1), (3, 2), (2, 3)",
    reading="linear, quadratic and cubic contributions are those of total degree 1, 2 and 3",
    second_route="degrees taken from expanded polynomials compared with the library's labels",
    kills=("swapped-labels", "missing-degree"),
    covers=(
        "act-depends", "q-meaning", "display-total-degree", "N-range", "okcN-linear-quadratic",
        "spiral-d2", "blocks-d2",
        "echo-five-orders",
    ),
    extent=SAMPLED,
)  # fmt: skip
def orca_labels() -> Iterator:
    for J in (Recurrence(), *weights()):
        for n, d in ((4, 1), (3, 2), (2, 3)):
            p = coefficients(J, n)
            for k in product(range(n + 1), repeat=d):
                F = [e for e, c in tensor([p[i] for i in k]).items() if c != 0]
                yield Equal(max(map(sum, F)), sum(k), f"{J}: total degree of p_{k}")
                depends = [any(e[i] for e in F) for i in range(d)]
                label = f"{J}: coordinates on which p_{k} depends"
                yield Equal(depends, [i + 1 in act(k) for i in range(d)], label)
    for n, d in ((3, 2), (2, 3), (5, 2)):
        modes = kernel.modes(n, d)
        found = [tuple(int(v) for v in row) for row in kernel.mode_labels(n, d)]
        yield Equal(found, [(len(act(k)), sum(k)) for k in modes], f"labels (q, N), n = {n}, d = {d}")
        yield Equal({sum(k) for k in modes}, set(range(d * n + 1)), f"values of N, n = {n}, d = {d}")
        yield Equal([k for k in modes if sum(k) == d * n], [(n,) * d], "the only mode of the highest degree")
        yield Equal({len(act(k)) for k in modes}, set(range(d + 1)), "orders 0 ... d")


@claim(
    "eq-rkhs-block-sum-qN",
    place="section 5, eq. (32); line 594; lines 600 and 614; section 7, line 1449",
    title="the blocks C_N^(q) add up to ||h||^2",
    latex=r"\|h\|^2=\sum_{q=0}^d\sum_{N=0}^{dn}C_N^{(q)}",
    plain="Every mode has exactly one pair (q, N), and a block is empty unless q <= N <= qn.",
    reading="the regularization term is the squared norm, without the factor 1/2 of (5)",
    second_route="blocks from the generating function compared with enumeration of all modes",
    kills=("swapped-labels", "nyquist-twice"),
    covers=("display-CNq", "regularization-factor", "block-reading", "concl-indices"),
    **PROVED,
)
def blocks() -> Iterator:
    for name, where in described():
        found = orca_of(name)
        norm = found.generating.norm
        yield Equal(found.generating.blocks.sum(), norm, f"{where}: sum of all blocks, and ||h||^2")
        by_modes = {(q, N): fmpq(0) for q in range(found.d + 1) for N in range(found.d * found.n + 1)}
        c = squared_coefficients(name)
        total = sum(c.values(), fmpq(0))
        for k, value in c.items():
            by_modes[len(act(k)), sum(k)] += value / total
        label = f"{where}: C_N^(q)/||h||^2"
        yield Equal({key: found.generating.blocks[key] / norm for key in by_modes}, by_modes, label)
        empty = [v for (q, N), v in by_modes.items() if not q <= N <= q * found.n]
        yield Equal(empty, [fmpq(0)] * len(empty), f"{where}: blocks outside q <= N <= qn are 0")


claim(
    "eq-rkhs-block-sum-qN/half",
    place="section 5, lines 570, 600 and 614",
    title="the blocks C_N^(q) add up to the term that (5) penalises, ||w||^2/2",
    latex=r"\tfrac12\|h\|^2=\sum_{q,N}C_N^{(q)}",
    plain="The blocks add up to ||w||^2, and (5) penalises half of it.",
    statement="eq-rkhs-block-sum-qN",
    reading="the regularization term with the factor 1/2 that it has in (5)",
    scope="counterexample: the sample classifier 'plane' (7 points, d = 2, n = 2)",
    second_route="s^T K s",
    kills=("penalty-without-half",),
    expect="FAILS",
    severity="imprecise wording",
    correction="eq-rkhs-block-sum-qN",
)(
    lambda: Equal(
        orca_of("plane").generating.norm * penalty_factor(),
        orca_of("plane").generating.blocks.sum(),
        "the penalty of (5), and the sum of all blocks",
    )
)


def penalty_factor() -> fmpq:
    """Return the factor of ||w||^2 in (5)."""
    return fmpq(1, 2)


replacing("penalty-without-half", __name__, "penalty_factor", lambda: fmpq(1))


@claim(
    "def-OKC-always-defined",
    place="section 5, Definition 5.1, line 616",
    title="OKC_N^(q) is defined for every trained SVM",
    latex=r"\mathrm{OKC}_N^{(q)}=C_N^{(q)}/\sum C_N^{(q)}",
    plain="If w = 0, the quotient is 0/0. The paper does not exclude this case.",
    statement="def-OKC",
    reading="for every training set that contains both labels, also if h = 0",
    scope="counterexample: one point with both labels has alpha = (C, C) and w = 0",
    second_route="the sum in the denominator, computed exactly",
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
    yield Differs(norm, fmpq(0), "one point with the labels +1 and -1: the denominator of OKC")
    try:
        profile.orca(problem, found, "exact")
        yield Holds(True, "the toolkit computes indices")
    except ZeroClassifier:
        yield Holds(False, "the toolkit refuses to compute indices because w = 0")


def degenerate() -> dict:
    """Return a problem with w = 0: one point with both labels."""
    return {"X": [["1/3"], ["1/3"]], "y": [1, -1], "n": 2, "alpha": 0, "beta": 0}


@claim(
    "def-OKC",
    place="section 5, Definition 5.1, eq. (33) and (34), line 625",
    title="for h != 0 the OKC_N^(q), with other letters for the sums in the denominator, are defined, "
    "nonnegative and sum to 1",
    latex=r"\mathrm{OKC}_N^{(q)}:=\frac{C_N^{(q)}}{\sum_{r=0}^{d}\sum_{M=0}^{dn}C_M^{(r)}}\ \ (h\ne0),\qquad"
    r"\sum_{q,N}\mathrm{OKC}_N^{(q)}=1",
    plain="The denominator of (33) is ||h||^2.",
    reading="for h != 0, which a quotient by ||h||^2 presupposes",
    assumptions="w != 0",
    second_route="the library's indices compared with sums over modes",
    kills=("swapped-labels", "nyquist-twice"),
    covers=("eq-OKC-qN", "okc-nonnegative", "eq-OKC-qN-sum1"),
    **PROVED,
)
def okc() -> Iterator:
    for name, where in described():
        block = orca_of(name).block
        yield Equal(sum(block.values(), fmpq(0)), fmpq(1), f"{where}: sum of all indices")
        yield Holds(all(value >= 0 for value in block.values()), f"{where}: all indices are nonnegative")
        for (q, N), value in block.items():
            label = f"{where}: OKC_{N}^({q})"
            yield Equal(value, share(name, lambda k, q=q, N=N: (len(act(k)), sum(k)) == (q, N)), label)


@claim(
    "eq-OKC-q",
    place="section 5, eq. (35), lines 638 to 645",
    title="OKC^(q) = sum_N OKC_N^(q), and the orders sum to 1",
    latex=r"\mathrm{OKC}^{(q)}=\sum_N\mathrm{OKC}_N^{(q)},\qquad\sum_{q=0}^d\mathrm{OKC}^{(q)}=1",
    plain="The library computes the orders as elementary symmetric polynomials of one-dimensional kernels; "
    "they are compared with sums of blocks.",
    reading="the fractions are of the squared norm, as lines 625 and 679 say",
    second_route="sums over blocks and over modes",
    kills=("swapped-labels", "shifted-order"),
    covers=("okcq-meaning", "display-order-sum", "order-profile"),
    **PROVED,
)
def orca_orders() -> Iterator:
    for name, where in described():
        found = orca_of(name)
        for q, value in enumerate(found.order):
            by_block = sum((found.block[q, N] for N in range(found.d * found.n + 1)), fmpq(0))
            yield Equal(value, by_block, f"{where}: OKC^({q}), and the sum of its blocks")
            label = f"{where}: OKC^({q}), and the sum over its modes"
            yield Equal(value, share(name, lambda k, q=q: len(act(k)) == q), label)
        yield Equal(sum(found.order, fmpq(0)), fmpq(1), f"{where}: sum of the orders")


@claim(
    "eq-OKC-N",
    place="section 5, eq. (36), line 654; section 6.1, line 1000",
    title="OKC_N = sum_q OKC_N^(q), the fraction of the squared norm on total degree N, for N = 0 ... dn",
    latex=r"\mathrm{OKC}_N=\sum_{q=0}^d\mathrm{OKC}_N^{(q)}",
    plain="The index is compared with the sum of c_k^2 over all k with k_1 + ... + k_d = N.",
    reading="the fractions are of the squared norm, as lines 625 and 679 say",
    second_route="sums over modes",
    kills=("swapped-labels", "nyquist-twice"),
    covers=("okcN-fraction", "display-okcN-2"),
    **PROVED,
)
def orca_degrees() -> Iterator:
    for name, where in described():
        found = orca_of(name)
        yield Equal(len(found.degree), found.d * found.n + 1, f"{where}: number of degrees 0 ... dn")
        for N, value in enumerate(found.degree):
            yield Equal(value, share(name, lambda k, N=N: sum(k) == N), f"{where}: OKC_{N}")
        yield Equal(sum(found.degree, fmpq(0)), fmpq(1), f"{where}: sum over the degrees")


def norm_exponent() -> int:
    """Return 1 if the fractions are of the norm, 2 if they are of its square."""
    return 1


replacing("fractions-of-square", __name__, "norm_exponent", lambda: 2)
claim(
    "eq-OKC-N/norm",
    place="section 5, lines 638 and 654",
    title="OKC_N is a fraction of the norm: the norm of the part of h of degree N, divided by ||h||",
    latex=r"\mathrm{OKC}_N=\|h_N\|/\|h\|",
    plain="It is a fraction of the squared norm. The norms of the parts do not add up to ||h||.",
    statement="eq-OKC-N",
    reading="of the norm, not of its square, as lines 638 and 654 print",
    scope="counterexample: the sample classifier 'plane' (7 points, d = 2, n = 2)",
    second_route="the sum of the OKC_N is 1, that of their square roots is not",
    kills=("fractions-of-square",),
    expect="FAILS",
    severity="imprecise wording",
    correction="eq-OKC-N",
)(
    lambda: (
        Equal(
            share("plane", lambda k, N=N: sum(k) == N) ** norm_exponent(),
            orca_of("plane").degree[N] ** 2,
            f"square of the fraction at degree {N}, and square of OKC_{N}",
        )
        for N in range(1, 5)
    )
)


@claim(
    "okc-notation-clash",
    place="section 5, line 656",
    title="OKC_1 denotes one quantity",
    latex=r"\mathrm{OKC}_{N}|_{N=1}=\mathrm{OKC}_{i}|_{i=1}",
    reading="the symbol OKC_1, which both (36) and (37) define",
    plain="(36) and (37) define the same symbol OKC_1, for the total degree N = 1 and for the coordinate i "
    "= 1. The two quantities differ. Section 6.1 repeats this (lines 989 and 1000).",
    scope="computed exactly for the sample classifier 'plane' (7 points, d = 2, n = 2)",
    second_route="both quantities by enumeration of modes",
    kills=("one-coordinate",),
    expect="FAILS",
    correction="okc-notation-corrected",
    severity="imprecise wording",
)
def clash() -> Iterator:
    found = orca_of(clashing())
    yield Equal(found.degree[1], found.marginal[1], "OKC_1 of (36), and OKC_1 of (37)")


def clashing() -> str:
    """Return the name of a classifier for which OKC_1 of (36) and OKC_1 of (37) differ."""
    return "plane"


@claim(
    "okc-notation-corrected",
    place="section 5, line 656",
    title="OKC_{N=1} is the share of the d modes e_i, and OKC_{i=1} that of the n modes k e_1",
    latex=r"\mathrm{OKC}_{N=1}=\sum_i "
    r"c_{\mathbf{e}_i}^2/\|h\|^2,\quad\mathrm{OKC}_{\{1\}}=\sum_{k\ge1}c_{k\mathbf{e}_1}^2/\|h\|^2",
    plain="The notations OKC_{N=1} and OKC_{{1}} (with the active set as subscript) distinguish the two.",
    scope="the shares of the modes of degree 1, and of those active on {1}, for all n, d, m "
    "(machine-checked); computed exactly for the sample classifiers",
    second_route="sums over modes",
    kills=("swapped-labels", "coordinates-reversed"),
    extent=SAMPLED,
)
def clash_corrected() -> Iterator:
    for name, where in described():
        found = orca_of(name)
        e = [tuple(int(i == j) for i in range(found.d)) for j in range(found.d)]
        yield Equal(found.degree[1], share(name, lambda k, e=e: k in e), f"{where}: OKC_(N=1)")
        yield Equal(found.marginal[1], share(name, lambda k: act(k) == {1}), f"{where}: OKC_(i=1)")


@claim(
    "eq-OKC-marginal-sum",
    place="section 5, eq. (37) and (38), lines 658 to 679; section 6.1, line 989",
    title="the marginal indices sum to OKC^(1), and M_i has n modes",
    latex=r"\mathrm{OKC}_i=\sum_{\mathbf{k}\in "
    r"M_i}c_{\mathbf{k}}^2/\|h\|^2,\qquad\sum_i\mathrm{OKC}_i=\mathrm{OKC}^{(1)}",
    plain="Both descriptions of M_i agree, and the library's closed form s^T(K_n(x_i,.) - p_0^2)s equals "
    "the sum over M_i.",
    scope="proved for all n, d, m (machine-checked); computed exactly for the sample classifiers; sets "
    "enumerated for n <= 3, d <= 3",
    second_route="closed form in the one-dimensional kernel compared with the sum over modes",
    kills=("coordinates-reversed", "shifted-order"),
    covers=("display-Mi", "Mi-exactly", "eq-OKC-marginal-i", "okci-fraction", "display-marginals-2"),
    extent=SAMPLED,
)
def marginals() -> Iterator:
    for n, d in product((1, 2, 3), (1, 2, 3)):
        for i in range(1, d + 1):
            M = [k for k in kernel.modes(n, d) if act(k) == {i}]
            other = [tuple(v if j == i - 1 else 0 for j in range(d)) for v in range(1, n + 1)]
            yield Equal(M, other, f"M_{i} in two descriptions, n = {n}, d = {d}")
    for name, where in described():
        found = orca_of(name)
        for i, value in found.marginal.items():
            yield Equal(value, share(name, lambda k, i=i: act(k) == {i}), f"{where}: OKC_{i}")
        label = f"{where}: sum of the marginal indices, and OKC^(1)"
        yield Equal(sum(found.marginal.values(), fmpq(0)), found.order[1], label)


@claim(
    "eq-OKC-pair-sum",
    place="section 5, eq. (39) and (40), lines 689 to 706",
    title="the pair indices sum to OKC^(2), and J_ij has n^2 modes",
    latex=r"\mathrm{OKC}_{ij}=\frac1{\|h\|^2}\sum_{\mathbf{k}\in\mathcal{J}_{ij}}c_{\mathbf{k}}^2,\qquad"
    r"\sum_{i<j}\mathrm{OKC}_{ij}=\mathrm{OKC}^{(2)}",
    plain="For d = 1, which the section allows, there are no pairs and no OKC^(2).",
    assumptions="d >= 2",
    scope="proved for all n, d, m (machine-checked); computed exactly for the sample classifiers with d = "
    "2, 3; sets enumerated for n <= 3, d <= 3",
    second_route="closed form compared with the sum over modes",
    kills=("coordinates-reversed", "shifted-order"),
    covers=("display-Jij", "Jij-exactly", "eq-OKC-pair-ij", "okcij-fraction"),
    extent=SAMPLED,
)
def pairs() -> Iterator:
    for n, d in product((1, 2, 3), (2, 3)):
        for i, j in combinations(range(1, d + 1), 2):
            label = f"number of modes in J_{i}{j}, n = {n}, d = {d}"
            yield Equal(sum(act(k) == {i, j} for k in kernel.modes(n, d)), n * n, label)
    for name, where in described():
        found = orca_of(name)
        if found.d == 1:
            continue
        for (i, j), value in found.pair.items():
            yield Equal(value, share(name, lambda k, i=i, j=j: act(k) == {i, j}), f"{where}: OKC_{i}{j}")
        label = f"{where}: sum of the pair indices, and OKC^(2)"
        yield Equal(sum(found.pair.values(), fmpq(0)), found.order[2], label)


@claim(
    "subset-indices",
    place="section 5, line 713",
    title="the indices of all subsets of size q sum to OKC^(q)",
    latex=r"\sum_{|S|=q}\mathrm{OKC}_S=\mathrm{OKC}^{(q)}",
    plain="This holds for every q; triples need d >= 3.",
    scope="proved for all n, d, m (machine-checked); computed exactly for all 8 subsets of the sample "
    "classifier 'space' (6 points, d = 3, n = 2)",
    second_route="closed form compared with the sum over modes",
    kills=("coordinates-reversed", "shifted-order"),
    extent=SAMPLED,
)
def subsets() -> Iterator:
    found = orca_of("space")
    for q in range(4):
        total = fmpq(0)
        for S in combinations((1, 2, 3), q):
            value = found.subset(S)
            label = f"OKC_{S}, closed form and sum over modes"
            yield Equal(value, share("space", lambda k, S=S: act(k) == set(S)), label)
            total = total + value
        yield Equal(total, found.order[q], f"sum over the subsets of size {q}, and OKC^({q})")
