"""Claims of section 5 about the meaning of the indices: additive structure, no retraining."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from flint import fmpq

from orca_exact.problem import Problem
from orca_exact.profile import profile

from .. import tensor_kernel as kernel
from ..ledger.claims import SAMPLED, Differs, Equal, Less, Note, claim
from ..ledger.mutants import replacing
from ..ledger.wording import format_value
from ..samples import described, h_polynomial, orca_of, sample_certificate
from .orca import Mode, act


@claim(
    "okc1-large",
    place="section 5, line 645; section 6.1, line 1130",
    title="OKC^(q) = 0 for all q >= 2 exactly if h is a sum of functions of one coordinate each",
    latex=r"\mathrm{OKC}^{(q)}=0\ \forall q\ge2\iff h(\mathbf{x})=\sum_i f_i(x_i)\qquad(h\ne0)",
    plain="This is the checkable core of 'dominated by marginal effects': additive structure. Moreover, the "
    "additive elements of H_n^(d) are the span of the modes with q <= 1, so the sum of the OKC^(q) with q "
    ">= 2 is the squared distance of h from them, relative to ||h||^2 (Family.projection_nearest). The "
    "sample classifier 'additive' (6 points, d = 2) is quadratic in x_1 and has OKC^(2) = 0; 'xor' (the "
    "points (+-1, +-1) with y = x_1 x_2) is a pure interaction and has OKC^(2) = 1.",
    scope="proved for all h in H_n^(d) and all functions f_i (machine-checked); mixed monomials of h "
    "compared with OKC^(q) for the sample classifiers, one of which has d = 2 and no interaction",
    second_route="mixed monomials of the expanded h",
    kills=("swapped-labels", "shifted-order"),
    extent=SAMPLED,
)
def additive_meaning() -> Iterator:
    for name, where in described():
        found = orca_of(name)
        mixed = any(v != 0 for e, v in h_polynomial(name).items() if sum(i > 0 for i in e) >= 2)
        label = f"{where}: interactions according to OKC^(q) and to the monomials of h"
        yield Equal(any(value > 0 for value in found.order[2:]), mixed, label)
    label = "'additive' (6 points, d = 2, n = 2): OKC^(0), OKC^(1), OKC^(2)"
    yield Equal(orca_of("additive").order, [fmpq(0), fmpq(1), fmpq(0)], label)
    label = "'additive': the coefficient of x_1^2 in h is not 0"
    yield Differs(h_polynomial("additive").get((2, 0), fmpq(0)), fmpq(0), label)
    label = "'xor' (the points (+-1, +-1) with y = x_1 x_2): OKC^(0), OKC^(1), OKC^(2)"
    yield Equal(orca_of("xor").order, [fmpq(0), fmpq(0), fmpq(1)], label)
    yield Less(fmpq(0), orca_of("plane").order[1], "'plane' (7 points, d = 2, n = 2): OKC^(1) is positive")
    yield Note("for 'xor', h is a multiple of x_1 x_2")


@claim(
    "practical-advantage",
    place="section 5, line 718; abstract, line 65; section 1, lines 81 to 83; section 7, line 1451",
    title="every index is a function of the c_k of (28), and these of (x_i, alpha_i y_i): no fitting, no "
    "retraining",
    latex=r"\mathrm{OKC}_S=\sum_{\operatorname{act}(\mathbf{k})=S}c_{\mathbf{k}}^2\Big/\sum_{\mathbf{k}}c_{\mathbf{k}}^2,"
    r"\qquad c_{\mathbf{k}}=\sum_i s_i\,p_{\mathbf{k}}(\mathbf{x}_i)",
    plain="The profile is computed from s = alpha y for any s. The vectors used here are not feasible, so "
    "no training could produce them. The result is the quotient of sums of c_k^2.",
    scope="proved for every s (machine-checked: Expansion.h_coefficients and the shares of the modes); "
    "computed exactly for two vectors s",
    second_route="sums over the modes of (28)",
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
    problem, _ = sample_certificate("plane")
    for shift in (3, 5):
        s = [fmpq((shift * i * i + 1) % 7 - 3, 2) for i in range(problem.m)]
        found = profile_of(problem, s)
        c = _squares_of(problem, s)
        total = sum(c.values(), fmpq(0))
        for S in ((), (1,), (2,), (1, 2)):
            share_ = sum((v for k, v in c.items() if act(k) == set(S)), fmpq(0)) / total
            yield Equal(
                found.subset(S),
                share_,
                f"share of the coordinates {format_value(list(S))} for s = {format_value(s)}",
            )


def profile_of(problem: Problem, s: list[fmpq]) -> profile.Profile:
    """Return the profile that belongs to s alone."""
    exact = kernel.arithmetic("exact")
    return profile.Profile(problem, s, exact, problem.lambda_exact)


def _squares_of(problem: Problem, s: list[fmpq]) -> dict[Mode, fmpq]:
    """Return the squares of (28) divided by h_k, by plain loops."""
    h = problem.jacobi.h_ratios(problem.n)
    values = [[problem.jacobi.monic(problem.n, x) for x in row] for row in problem.points]
    out = {}
    for k in product(range(problem.n + 1), repeat=problem.d):
        modes = (prod(v[j][degree] for j, degree in enumerate(k)) for v in values)
        total = sum((a * mode for a, mode in zip(s, modes, strict=True)), fmpq(0))
        out[k] = total * total / prod(h[degree] for degree in k)
    return out


# Use the profile of the trained classifier for every s.
replacing("profile-trains", __name__, "profile_of", lambda problem, s: orca_of("plane"))
