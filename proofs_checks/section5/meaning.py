"""Section 5, what the indices mean: additive structure, and nothing but the trained classifier."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from math import prod

from flint import fmpq

from orca_exact.kernels import orthogonal as kernel
from orca_exact.problem import Problem
from orca_exact.profile import profile

from ..ledger.claims import SAMPLED, Differs, Equal, Less, Note, claim, mutant, patched
from ..samples import CLASSIFIERS, h_polynomial, orca_of, trained
from .orca import Mode, act


@claim(
    "okc1-large",
    place="section 5, line 645",
    title="OKC^(q) = 0 for q >= 2 exactly when h is a sum of functions of one coordinate",
    latex=r"\mathrm{OKC}^{(q)}=0\ \forall q\ge2\iff h(\mathbf{x})=\sum_i f_i(x_i)\qquad(h\ne0)",
    plain="The checkable core of 'dominated by marginal effects': additive structure. More than that: the "
    "additive "
    "members of H_n^(d) are the span of the modes with q <= 1, so the sum of the OKC^(q), q >= 2, is the "
    "squared "
    "distance of h from them, relative to ||h||^2 (Family.projection_nearest). The trained classifier "
    "'additive' (d = 2) bends in x_1 and has OKC^(2) = 0; 'xor', a pure interaction, has OKC^(2) = 1.",
    scope="for all h in H_n^(d) and whatever functions f_i, machine-checked; mixed monomials of h beside "
    "OKC^(q), "
    "the sample classifiers, one with d = 2 and none",
    second_route="mixed monomials of the expanded h",
    kills=("swapped-labels", "shifted-order"),
    extent=SAMPLED,
)
def additive_meaning() -> Iterator:
    for name in CLASSIFIERS:
        found = orca_of(name)
        mixed = any(v != 0 for e, v in h_polynomial(name).items() if sum(i > 0 for i in e) >= 2)
        yield Equal(any(value > 0 for value in found.order[2:]), mixed, f"{name!r}: interactions")
    yield Equal(
        orca_of("additive").order, [fmpq(0), fmpq(1), fmpq(0)], "'additive': OKC^(0), OKC^(1), OKC^(2)"
    )
    yield Differs(h_polynomial("additive").get((2, 0), fmpq(0)), fmpq(0), "'additive': x_1^2 in h")
    yield Equal(orca_of("xor").order, [fmpq(0), fmpq(0), fmpq(1)], "'xor': (OKC^(0), OKC^(1), OKC^(2))")
    yield Less(fmpq(0), orca_of("plane").order[1], "'plane': OKC^(1)")
    yield Note("'xor' is h = c x_1 x_2")


@claim(
    "practical-advantage",
    place="section 5, line 718; abstract, line 65; section 1, lines 81 to 83; section 7, line 1451",
    title="every index is a function of the c_k of (28), and they of (x_i, alpha_i y_i): no fitting, no "
    "retraining",
    latex=r"\mathrm{OKC}_S=\sum_{\operatorname{act}(\mathbf{k})=S}c_{\mathbf{k}}^2\Big/\sum_{\mathbf{k}}c_{\mathbf{k}}^2,"
    r"\qquad c_{\mathbf{k}}=\sum_i s_i\,p_{\mathbf{k}}(\mathbf{x}_i)",
    plain="The profile is computed from s = alpha y, whatever s is: here vectors that no training gives, "
    "since they "
    "are not feasible. The result is the aggregated quotient.",
    scope="for every s, machine-checked (Expansion.h_coefficients and the shares of the modes); exact, two "
    "vectors s",
    second_route="sums over modes of (28)",
    kills=("coordinates-reversed", "profile-trains"),
    extent=SAMPLED,
    covers=(
        "abs-post-training",
        "concl-post-training",
        "intro-no-optimization",
        "abs-indices",
        "intro-indices",
    ),
)
def post_training() -> Iterator:
    problem, _ = trained("plane")
    for shift in (3, 5):
        s = [fmpq((shift * i * i + 1) % 7 - 3, 2) for i in range(problem.m)]
        found = profile_of(problem, s)
        c = _squares_of(problem, s)
        total = sum(c.values(), fmpq(0))
        for S in ((), (1,), (2,), (1, 2)):
            share_ = sum((v for k, v in c.items() if act(k) == set(S)), fmpq(0)) / total
            yield Equal(found.subset(S), share_, f"OKC_{S} of s = {tuple(map(str, s))}")


def profile_of(problem: Problem, s: list[fmpq]) -> profile.Profile:
    """From s alone."""
    exact = kernel.arithmetic("exact")
    return profile.Profile(problem, s, exact, problem.lambda_exact)


def _squares_of(problem: Problem, s: list[fmpq]) -> dict[Mode, fmpq]:
    """(28), squared, over h_k: plain loops."""
    h = problem.jacobi.h_ratios(problem.n)
    values = [[problem.jacobi.monic(problem.n, x) for x in row] for row in problem.points]
    out = {}
    for k in product(range(problem.n + 1), repeat=problem.d):
        modes = (prod(v[j][degree] for j, degree in enumerate(k)) for v in values)
        total = sum((a * mode for a, mode in zip(s, modes, strict=True)), fmpq(0))
        out[k] = total * total / prod(h[degree] for degree in k)
    return out


@mutant("profile-trains")
def profile_trains() -> Iterator[None]:
    """The profile is that of the trained classifier, whatever s is given."""
    with patched(sys.modules[__name__], "profile_of", lambda problem, s: orca_of("plane")):
        yield
