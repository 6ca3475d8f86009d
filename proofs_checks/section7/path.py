"""What the paper says of C: that it regularises, and that the indices can be followed as it varies."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from flint import fmpq

from orca_exact.paths import path as paths
from orca_exact.profile.profile import orca
from orca_exact.svm.certify import certify

from ..ledger.claims import FINITE, FOR_ALL, Equal, Holds, Less, Note, claim, mutant, patched
from ..samples import trained
from ..section2.svm_rkhs import RATIONAL


@lru_cache(maxsize=8)
def followed(name: str) -> paths.Path:
    """The exact path of a sample problem, from C = 0 without end."""
    return paths.path(trained(name)[0], level="exact")


def price(C: Any) -> Any:
    """Of a unit of slack in the primal objective."""
    return C


@claim(
    "C-regularizes",
    place="section 2, line 120",
    title="the larger C > 0, the larger ||w|| and the smaller the slacks of the optimum",
    latex=r"0<C<C'\Rightarrow\textstyle\sum_i\xi_i'\le\sum_i\xi_i,\quad\|\mathbf{w}\|\le\|\mathbf{w}'\|",
    plain="Each optimum is compared with the other at its own C; the two inequalities, added, leave "
    "(C' - C)(sum xi - sum xi') >= 0, and the first one alone the norms.",
    scope="for all data, kernels and C: an identity in the norms, the sums of the slacks and both C",
    second_route="||w||^2 on every segment of the exact paths of the sample problems, for every C at once",
    kills=("slack-for-nothing",),
    extent=FOR_ALL,
)
def regularizes() -> Iterator:
    from sympy import symbols

    C, D, w, v, xi, eta = symbols("C C' w v xi eta")  # ||w||^2 and sum xi at C, ||v||^2 and sum eta at C'

    def P(C: Any, norm2: Any, slack: Any) -> Any:
        return norm2 / 2 + price(C) * slack

    worse, better = P(C, v, eta) - P(C, w, xi), P(D, w, xi) - P(D, v, eta)  # both >= 0
    yield Equal(worse + better, (D - C) * (xi - eta), "what both optima lose in each other's place")
    yield Equal(2 * worse, v - w - 2 * C * (xi - eta), "twice what the second loses at the first C")
    for name in RATIONAL:
        for k, segment in enumerate(followed(name)):
            sums = followed(name).sums(k, True)
            assert sums is not None
            _, p, q = sums.norm
            for tau in (segment.lower, segment.upper):
                rise = p + 2 * q * tau if tau is not None else q
                yield Holds(rise >= 0, f"{name!r}: d||w||^2/dC is {rise} at an end of a segment")


@claim(
    "concl-along-C",
    place="section 7, line 1454",
    title="the profile can be followed as C varies: on each of finitely many segments an index is a quotient",
    latex=r"\mathrm{OKC}(C)=\frac{a_0+a_1\tau+a_2\tau^2}{b_0+b_1\tau+b_2\tau^2},\qquad\tau=\lambda C",
    plain="The path of each sample problem is a list of intervals without a gap from C = 0 to the last, "
    "which has no end; inside each the orders by the quotient are those of a classifier certified there.",
    scope="the sample problems, exact, all C > 0; whether a shift foretells overfitting is concl-overfitting",
    second_route="a certificate and a profile of their own at a C inside each segment",
    kills=("path-with-a-gap",),
    extent=FINITE,
)
def along_C() -> Iterator:
    count = 0
    for name in RATIONAL:
        found, problem = followed(name), trained(name)[0]
        segments = found.segments
        yield Equal(segments[0].lower, fmpq(0), f"{name!r}: begins at")
        yield Holds(segments[-1].upper is None, f"{name!r}: the last segment has no end")
        for left, right in pairwise(segments):
            yield Equal(left.upper, right.lower, f"{name!r}: neighbours meet")
        for segment in segments:
            low, high = found.bounds(segment)
            C = (low + high) / 2 if high is not None else 2 * low + 1
            yield Less(low, C, f"{name!r}: a C inside")
            beside = problem.replace(C=C)
            orders = orca(beside, certify(beside), "exact").order
            yield Equal([found.order(q)(C) for q in range(problem.d + 1)], list(orders), f"{name!r}: C = {C}")
            count += 1
    yield Note(f"{count} segments of {len(RATIONAL)} paths")


@mutant("slack-for-nothing")
def slack_for_nothing() -> Iterator[None]:
    """Slack costs the same at every C."""
    with patched(sys.modules[__name__], "price", lambda C: 1):
        yield


@mutant("path-with-a-gap")
def path_with_a_gap() -> Iterator[None]:
    """The second segment is left out."""
    own = paths.follow_segments

    def some(*given: Any) -> Any:
        found = own(*given)
        return found[:1] + found[2:]

    with patched(paths, "follow_segments", some):
        yield
