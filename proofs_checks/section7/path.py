"""Claims about C: it regularises, and the indices can be computed as functions of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from flint import fmpq

from orca_exact.paths import path as paths
from orca_exact.paths.segments import follow_segments
from orca_exact.profile.profile import orca
from orca_exact.svm.certify import certify

from ..ledger.claims import FINITE, FOR_ALL, Equal, Holds, Less, Note, claim
from ..ledger.mutants import mutant, patched, replacing
from ..samples import described, sample_certificate
from ..section2.svm_rkhs import RATIONAL


@lru_cache(maxsize=8)
def exact_path(name: str) -> paths.Path:
    """Return the exact path of a sample problem from C = 0 to infinity."""
    return paths.path(sample_certificate(name)[0], level="exact")


def slack_cost(C: Any) -> Any:
    """Return the cost of a unit of slack in the primal objective; a mutant makes it constant."""
    return C


@claim(
    "C-regularizes",
    place="section 2, line 120",
    title="as C > 0 grows, ||w|| does not fall and the sum of the slacks does not rise",
    latex=r"0<C<C'\Rightarrow\textstyle\sum_i\xi_i'\le\sum_i\xi_i,\quad\|\mathbf{w}\|\le\|\mathbf{w}'\|",
    plain="Each optimum is compared with the other one at its own C. The sum of the two inequalities is (C' "
    "- C)(sum xi - sum xi') >= 0, and the first one then gives the inequality of the norms.",
    scope="all data, kernels and C: an identity in the norms, the sums of the slacks and both values of C",
    second_route="||w||^2 on every segment of the exact paths of four sample problems, for all C at once",
    kills=("slack-for-nothing",),
    extent=FOR_ALL,
)
def regularizes() -> Iterator:
    from sympy import symbols

    C, D, w, v, xi, eta = symbols("C C' w v xi eta")  # ||w||^2 and sum xi at C, ||v||^2 and sum eta at C'

    def P(C: Any, norm2: Any, slack: Any) -> Any:
        return norm2 / 2 + slack_cost(C) * slack

    worse, better = P(C, v, eta) - P(C, w, xi), P(D, w, xi) - P(D, v, eta)  # both >= 0
    yield Equal(worse + better, (D - C) * (xi - eta), "sum of the losses of each optimum at the other C")
    yield Equal(2 * worse, v - w - 2 * C * (xi - eta), "twice the loss of the second optimum at the first C")
    for name, where in described(RATIONAL):
        for k, segment in enumerate(exact_path(name)):
            sums = exact_path(name).sums(k, True)
            assert sums is not None
            _, p, q = sums.norm
            for tau in (segment.lower, segment.upper):
                rise = p + 2 * q * tau if tau is not None else q
                yield Holds(rise >= 0, f"{where}: d||w||^2/dC >= 0 at an end of a segment: {rise}")


@claim(
    "concl-along-C",
    place="section 7, line 1454",
    title="the profile can be followed as C varies: on each of finitely many segments an index is a "
    "quotient of quadratics",
    latex=r"\mathrm{OKC}(C)=\frac{a_0+a_1\tau+a_2\tau^2}{b_0+b_1\tau+b_2\tau^2},\qquad\tau=\lambda C",
    plain="The path of each sample problem is a list of adjacent intervals from C = 0 to infinity. Inside "
    "each interval the orders from the quotient agree with those of a classifier certified at that C.",
    scope="four sample problems ('line', 'plane', 'skew', 'xor'), computed exactly for all C > 0; whether a "
    "shift indicates overfitting is concl-overfitting",
    second_route="a separate certificate and profile at one C inside each segment",
    kills=("path-with-a-gap",),
    extent=FINITE,
)
def along_C() -> Iterator:
    count = 0
    for name, where in described(RATIONAL):
        found, problem = exact_path(name), sample_certificate(name)[0]
        segments = found.segments
        yield Equal(segments[0].lower, fmpq(0), f"{where}: start of the path")
        yield Holds(segments[-1].upper is None, f"{where}: the last segment is unbounded")
        for left, right in pairwise(segments):
            yield Equal(left.upper, right.lower, f"{where}: end of a segment, and start of the next")
        for segment in segments:
            low, high = found.bounds(segment)
            C = (low + high) / 2 if high is not None else 2 * low + 1
            yield Less(low, C, f"{where}: the chosen C lies inside the segment")
            at_C = problem.replace(C=C)
            orders = orca(at_C, certify(at_C), "exact").order
            label = f"{where}: orders at C = {C} from the path, and from a new certificate"
            yield Equal([found.order(q)(C) for q in range(problem.d + 1)], list(orders), label)
            count += 1
    yield Note(f"{len(RATIONAL)} paths have {count} segments in total")


replacing("slack-for-nothing", __name__, "slack_cost", lambda C: 1)  # make the cost of slack independent of C


@mutant("path-with-a-gap")
def path_with_a_gap() -> Iterator[None]:
    """Remove the second segment."""

    def some(*given: Any) -> Any:
        found = follow_segments(*given)
        return found[:1] + found[2:]

    with patched(paths, "follow_segments", some):
        yield
