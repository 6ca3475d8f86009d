"""Mutants of the problem, the trained classifier, its indices and statements about them (sections 4, 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq

from orca_exact import problem
from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.measure import Measure
from orca_exact.numbers.rationals import QQ
from orca_exact.problem import Problem
from orca_exact.profile import enumeration
from orca_exact.profile.enumeration import Enumeration
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.indices import IndexTable
from orca_exact.svm.certificate import Certificate

from ..ledger.claims import mutant, patched

# Problem, certificate, profile.


@mutant("any-label")
def any_label() -> Iterator[None]:
    """Labels are taken as they are given, without a check."""
    with patched(problem, "_labels", lambda y, m: tuple(y)):
        yield


@mutant("rescale-to-unit")
def rescale_to_unit() -> Iterator[None]:
    """Min-max rescaling to [0, 1]."""
    right = Problem.__dict__["points"].func

    def wrong(self: Any) -> np.ndarray:
        points = right(self)
        return (points + 1) / 2 if self.rescale else points

    with patched(Problem, "points", property(wrong)):
        yield


@mutant("alpha-without-y")
def alpha_without_y() -> Iterator[None]:
    """s_i = alpha_i."""
    from .. import samples as common

    right = Certificate.expansion

    def wrong(self: Any, A: Any) -> Any:
        found = right(self, A)
        return found._replace(s=found.s * found.arithmetic.array(self.problem.signs))

    unsigned = patched(common, "signed", lambda name: np.array(common.trained(name)[1].u, dtype=object))
    with patched(Certificate, "expansion", wrong), unsigned:
        yield


@mutant("bias-in-c0")
def bias_in_c0() -> Iterator[None]:
    """The constant mode takes b as well."""
    right = Enumeration.amplitudes

    def wrong(self: Any) -> Any:
        a, g = right(self)
        a = a.copy()
        a[0] = a[0] + 1
        return a, g

    with patched(Enumeration, "amplitudes", wrong):
        yield


@mutant("primal-doubled")
def primal_doubled() -> Iterator[None]:
    """2 P for P: ||w||^2 + 2 C sum xi."""
    from ..section2 import svm_rkhs as section2

    right = section2.objectives

    def wrong(name: str) -> tuple:
        P, D = right(name)
        return 2 * P, D

    with patched(section2, "objectives", wrong):
        yield


@mutant("half-forgotten")
def half_forgotten() -> Iterator[None]:
    """||w||^2 for ||w||^2/2 in the primal."""
    from ..section2 import svm_rkhs as section2

    with patched(section2, "forgotten_half", lambda: True):
        yield


@mutant("not-orthogonal")
def not_orthogonal() -> Iterator[None]:
    """A direction that does not vanish at the data."""
    from ..section2 import svm_rkhs as section2

    right = section2.null_space
    with patched(section2, "null_space", lambda A: [f + fmpq(1) for f in right(A)]):
        yield


@mutant("constraint-forgotten")
def constraint_forgotten() -> Iterator[None]:
    """a_3 is free instead of following from sum a_i y_i = 0."""
    from ..section2 import svm_rkhs as section2

    with patched(section2, "constraint", lambda a: a[2]):
        yield


# Statements.


@mutant("negative-b")
def negative_b() -> Iterator[None]:
    """The recurrence's b_k with the opposite sign."""
    right = Jacobi.recurrence

    def wrong(self: Any, k: Any) -> Any:
        a, b = right(self, k)
        return a, -b

    with patched(Jacobi, "recurrence", wrong):
        yield


@mutant("induction-without-b")
def induction_without_b() -> Iterator[None]:
    """pi_{n+1} = (x - a_n) pi_n - pi_{n-1} in the induction step."""
    from ..section3 import one_dimension as section3

    with patched(section3, "induction_step", lambda x, a, b, p, q: (x - a) * p - q):
        yield


@mutant("moment-off-by-one-inner")
def moment_off_by_one_inner() -> Iterator[None]:
    """One-dimensional integrals with the next moment."""
    right = Measure.inner_ratio
    with patched(Measure, "inner_ratio", lambda self, f, g: right(self, [f[0] * 0, *f], g)):
        yield


@mutant("alpha-without-y-28")
def alpha_without_y_28() -> Iterator[None]:
    """c_k = sum alpha_i p_k(x_i) in (28), the classifier itself untouched."""
    from .. import samples as common
    from ..section4 import expansion as section4

    right = section4.coordinates

    def wrong(name: str) -> dict:
        with patched(common, "signed", lambda name: np.array(common.trained(name)[1].u, dtype=object)):
            return right(name)

    with patched(section4, "coordinates", wrong), patched(section4, "sign_them", lambda a, y: a):
        yield


@mutant("remaining-entries-zero")
def remaining_entries_zero() -> Iterator[None]:
    """The other entries of a quadratic mode are taken as zero."""
    from ..section4 import expansion as section4

    right = section4.quadratic_modes
    with patched(section4, "quadratic_modes", lambda d: right(d, others_zero=True)):
        yield


@mutant("others-not-zero")
def others_not_zero() -> Iterator[None]:
    """The other entries of a univariate mode may be anything."""
    from ..section4 import expansion as section4

    with patched(section4, "univariate_modes", lambda d: section4.quadratic_modes(d)):
        yield


# ORCA.


@mutant("swapped-labels")
def swapped_labels() -> Iterator[None]:
    """(N, q) for (q, N), and blocks and orders in the wrong places."""
    right = enumeration.mode_labels

    def wrong(self: Any, C: np.ndarray) -> np.ndarray:
        return np.vstack([C[:1], np.roll(C[1:], 1, axis=1)])[::-1]

    labels = patched(enumeration, "mode_labels", lambda n, d: right(n, d)[:, ::-1])
    with labels, _spoilt("blocks", wrong), _spoilt("orders", _rolled):
        yield


def _spoilt(name: str, wrong: Callable[[Any, Any], Any]) -> AbstractContextManager:
    """wrong(self, the right sums) for sums of the generating function; computed once, as they are."""
    right = GeneratingFunction.__dict__[name].func
    lazy = cached_property(lambda self: wrong(self, right(self)))
    lazy.__set_name__(GeneratingFunction, name)
    return patched(GeneratingFunction, name, lazy)


def _rolled(self: Any, C: list) -> list:
    return [*C[1:], C[0]]


@mutant("shifted-order")
def shifted_order() -> Iterator[None]:
    """OKC^(q+1) for OKC^(q)."""
    with _spoilt("orders", _rolled):
        yield


@mutant("missing-degree")
def missing_degree() -> Iterator[None]:
    """N counts active coordinates, not degrees."""
    right = enumeration.mode_labels
    with patched(enumeration, "mode_labels", lambda n, d: right(n, d)[:, [0, 0]]):
        yield


@mutant("nyquist-twice")
def nyquist_twice() -> Iterator[None]:
    """The block of the highest degree is counted twice."""

    def wrong(self: Any, C: np.ndarray) -> np.ndarray:
        C[-1, -1] = C[-1, -1] * 2
        return C

    with _spoilt("blocks", wrong):
        yield


@mutant("coordinates-reversed")
def coordinates_reversed() -> Iterator[None]:
    """Coordinates counted from the other end: 0-based mistakes and their like."""
    right = GeneratingFunction.subsets

    def wrong(self: Any, sets: Any) -> Any:
        return right(self, [[i % self.d + 1 for i in S] for S in sets])

    with patched(GeneratingFunction, "subsets", wrong):
        yield


@mutant("pairs-exchanged-from-d-4")
def pairs_exchanged() -> Iterator[None]:
    """{1, 2} and {2, 3} change places, in four dimensions and more."""
    right, other = GeneratingFunction.subsets, {(1, 2): (2, 3), (2, 3): (1, 2)}

    def wrong(self: Any, sets: Any) -> Any:
        return right(self, [other.get(tuple(S), S) for S in sets] if self.d >= 4 else sets)

    with patched(GeneratingFunction, "subsets", wrong):
        yield


@mutant("orders-exchanged-from-d-4")
def orders_exchanged() -> Iterator[None]:
    """OKC^(2) and OKC^(3) change places, in four dimensions and more."""
    with _spoilt("orders", lambda self, C: [*C[:2], C[3], C[2], *C[4:]] if self.d >= 4 else C):
        yield


@mutant("degrees-shifted-from-n-4")
def degrees_shifted() -> Iterator[None]:
    """The block of N + 1 at N, for n = 4 and more."""
    with _spoilt("blocks", lambda self, C: np.roll(C, -1, axis=1) if self.n >= 4 else C):
        yield


@mutant("every-index-off")
def every_index_off() -> Iterator[None]:
    """A hundredth of ||h||^2 more in each order and parity, and the block of N + 1 at N."""

    def more(self: Any, right: list) -> list:
        return [x + self.norm * self.arithmetic(fmpq(1, 100)) for x in right]

    degrees = _spoilt("blocks", lambda self, right: np.roll(right, -1, axis=1))
    with degrees, _spoilt("orders", more), _spoilt("parities", more):
        yield


@mutant("T-of-2-percent")
def threshold_of_two_percent() -> Iterator[None]:
    """T_0.01 read as T_0.02."""
    right = IndexTable.threshold

    def wrong(self: Any, eps: Any) -> Any:
        return right(self, "0.02" if QQ(eps) == fmpq(1, 100) else eps)

    with patched(IndexTable, "threshold", wrong):
        yield


@mutant("strict-threshold")
def strict_threshold() -> Iterator[None]:
    """F(T) > 1 - eps for F(T) >= 1 - eps."""
    right = IndexTable.threshold

    def wrong(self: Any, eps: Any) -> Any:
        T, F = right(self, eps)
        tie = 1 - fmpq(*map(int, eps.split("/"))) == F and self.d * self.n > T
        return (T + 1, self.cumulative[T + 1]) if tie else (T, F)

    with patched(IndexTable, "threshold", wrong):
        yield


@mutant("two-different-points")
def two_different_points() -> Iterator[None]:
    """The degenerate classifier gets two points that can be told apart."""
    from ..section5 import orca as section5

    right = section5.degenerate
    with patched(section5, "degenerate", lambda: right() | {"X": [["1/3"], ["1/2"]]}):
        yield


@mutant("one-coordinate")
def one_coordinate() -> Iterator[None]:
    """A classifier for which the two quantities happen to agree: xor, both 0."""
    from ..section5 import orca as section5

    with patched(section5, "clashing", lambda: "xor"):
        yield
