"""Mutants of the problem, the trained classifier, its indices, and their statements (sections 2 to 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq

from orca_exact import problem
from orca_exact.kernels.modes import Modes
from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.measure import Measure
from orca_exact.numbers.rationals import QQ
from orca_exact.problem import Problem
from orca_exact.profile.enumeration import Enumeration
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.indices import IndexTable
from orca_exact.profile.sums import ModeSums
from orca_exact.svm.certificate import Certificate

from .. import samples
from ..ledger.mutants import mutant, patched, replacement

# Problem, certificate, profile.


@replacement("any-label", problem, "_read_labels")
def any_label(right: Callable, y: Any, m: int) -> tuple:
    """Accept any labels without a check."""
    return tuple(y)


@mutant("rescale-to-unit")
def rescale_to_unit() -> Iterator[None]:
    """Rescale to [0, 1] instead of [-1, 1]."""
    right = Problem.__dict__["points"].func

    def wrong(self: Any) -> np.ndarray:
        points = right(self)
        return (points + 1) / 2 if self.rescale else points

    with patched(Problem, "points", property(wrong)):
        yield


@mutant("alpha-without-y")
def alpha_without_y() -> Iterator[None]:
    """Use s_i = alpha_i instead of alpha_i y_i."""
    right = Certificate.expansion

    def wrong(self: Any, A: Any) -> Any:
        found = right(self, A)
        return found._replace(s=found.s * found.arithmetic.array(self.problem.signs))

    with patched(Certificate, "expansion", wrong), _unsigned():
        yield


def _unsigned() -> AbstractContextManager:
    """Let ``samples.signed_dual`` return a_i instead of a_i y_i."""
    return patched(
        samples, "signed_dual", lambda name: np.array(samples.sample_certificate(name)[1].u, dtype=object)
    )


@replacement("bias-in-c0", Enumeration, "amplitudes")
def bias_in_c0(right: Callable, self: Any) -> Any:
    """Add a bias to the amplitude of the constant mode."""
    a, g = right(self)
    a = a.copy()
    a[0] = a[0] + 1
    return a, g


@mutant("primal-doubled")
def primal_doubled() -> Iterator[None]:
    """Double the primal objective: ||w||^2 + 2 C sum xi."""
    from ..section2 import svm_rkhs as section2

    right = section2.objectives

    def wrong(name: str) -> tuple:
        P, D = right(name)
        return 2 * P, D

    with patched(section2, "objectives", wrong):
        yield


@mutant("half-forgotten")
def half_forgotten() -> Iterator[None]:
    """Use ||w||^2 instead of ||w||^2/2 in the primal."""
    from ..section2 import svm_rkhs as section2

    with patched(section2, "drops_half", lambda: True):
        yield


@mutant("not-orthogonal")
def not_orthogonal() -> Iterator[None]:
    """Use a direction that does not vanish at the data."""
    from ..section2 import svm_rkhs as section2

    right = section2.null_space
    with patched(section2, "null_space", lambda A: [f + fmpq(1) for f in right(A)]):
        yield


@mutant("constraint-forgotten")
def constraint_forgotten() -> Iterator[None]:
    """Leave a_3 free instead of deriving it from sum a_i y_i = 0."""
    from ..section2 import svm_rkhs as section2

    with patched(section2, "constraint", lambda a: a[2]):
        yield


# Statements.


@replacement("negative-b", Jacobi, "recurrence")
def negative_b(right: Callable, self: Any, k: Any) -> Any:
    """Change the sign of b_k in the recurrence."""
    a, b = right(self, k)
    return a, -b


@mutant("induction-without-b")
def induction_without_b() -> Iterator[None]:
    """Omit b_n in the induction step: pi_{n+1} = (x - a_n) pi_n - pi_{n-1}."""
    from ..section3 import one_dimension as section3

    with patched(section3, "induction_step", lambda x, a, b, p, q: (x - a) * p - q):
        yield


@replacement("moment-off-by-one-inner", Measure, "inner_ratio")
def moment_off_by_one_inner(right: Callable, self: Any, f: Any, g: Any) -> Any:
    """Use the next moment in one-dimensional integrals."""
    return right(self, [f[0] * 0, *f], g)


@mutant("alpha-without-y-28")
def alpha_without_y_28() -> Iterator[None]:
    """Use c_k = sum alpha_i p_k(x_i) in (28), without changing the classifier."""
    from ..section4 import expansion as section4

    right = section4.coordinates

    def wrong(name: str) -> dict:
        with _unsigned():
            return right(name)

    with patched(section4, "coordinates", wrong), patched(section4, "signed_weights", lambda a, y: a):
        yield


@mutant("remaining-entries-zero")
def remaining_entries_zero() -> Iterator[None]:
    """Assume that the other entries of a quadratic mode are zero."""
    from ..section4 import expansion as section4

    right = section4.quadratic_modes
    with patched(section4, "quadratic_modes", lambda d: right(d, others_zero=True)):
        yield


@mutant("others-not-zero")
def others_not_zero() -> Iterator[None]:
    """Allow any other entries in a univariate mode."""
    from ..section4 import expansion as section4

    with patched(section4, "univariate_modes", lambda d: section4.quadratic_modes(d)):
        yield


# ORCA.


@mutant("swapped-labels")
def swapped_labels() -> Iterator[None]:
    """Exchange q and N, and shift blocks and orders."""

    def wrong(self: Any, C: np.ndarray) -> np.ndarray:
        return np.vstack([C[:1], np.roll(C[1:], 1, axis=1)])[::-1]

    with _replace_labels([1, 0]), _replace_sums("blocks", wrong), _replace_sums("orders", _rolled):
        yield


@contextmanager
def _replace_sums(name: str, wrong: Callable[[Any, Any], Any]) -> Iterator[None]:
    """Replace a cached property of the generating function by ``wrong(self, original value)``.

    Profiles then take every sum from the generating function, and degrees from its blocks.
    """
    right = GeneratingFunction.__dict__[name].func
    lazy = cached_property(lambda self: wrong(self, right(self)))
    lazy.__set_name__(GeneratingFunction, name)
    by_pairs = patched(ModeSums, "is_enumeration_cheaper", lambda self, *work: not self._parts.by_pairs)
    degrees = patched(ModeSums, "degrees", property(lambda self: self.blocks.sum(axis=0)))
    with patched(GeneratingFunction, name, lazy), by_pairs, degrees:
        yield


def _rolled(self: Any, C: list) -> list:
    return [*C[1:], C[0]]


@mutant("shifted-order")
def shifted_order() -> Iterator[None]:
    """Return OKC^(q+1) for OKC^(q)."""
    with _replace_sums("orders", _rolled):
        yield


@mutant("missing-degree")
def missing_degree() -> Iterator[None]:
    """Count active coordinates instead of degrees in N."""
    with _replace_labels([0, 0]):
        yield


def _replace_labels(columns: list[int]) -> AbstractContextManager:
    """Replace the labels (q, N) of all modes by two columns of them."""
    right = Modes.__dict__["labels"].func
    return patched(Modes, "labels", property(lambda self: right(self)[:, columns]))


@mutant("nyquist-twice")
def nyquist_twice() -> Iterator[None]:
    """Count the block of the highest degree twice."""

    def wrong(self: Any, C: np.ndarray) -> np.ndarray:
        C[-1, -1] = C[-1, -1] * 2
        return C

    with _replace_sums("blocks", wrong):
        yield


@replacement("coordinates-reversed", GeneratingFunction, "subsets")
def coordinates_reversed(right: Callable, self: Any, sets: Any) -> Any:
    """Shift the numbers of the coordinates by one."""
    return right(self, [[i % self.d + 1 for i in S] for S in sets])


@replacement("pairs-exchanged-from-d-4", GeneratingFunction, "subsets")
def pairs_exchanged(right: Callable, self: Any, sets: Any) -> Any:
    """Exchange the pairs {1, 2} and {2, 3} for d >= 4."""
    other = {(1, 2): (2, 3), (2, 3): (1, 2)}
    return right(self, [other.get(tuple(S), S) for S in sets] if self.d >= 4 else sets)


@mutant("orders-exchanged-from-d-4")
def orders_exchanged() -> Iterator[None]:
    """Exchange OKC^(2) and OKC^(3) for d >= 4."""
    with _replace_sums("orders", lambda self, C: [*C[:2], C[3], C[2], *C[4:]] if self.d >= 4 else C):
        yield


@mutant("degrees-shifted-from-n-4")
def degrees_shifted() -> Iterator[None]:
    """Return the block of N + 1 for N if n >= 4."""
    with _replace_sums(
        "blocks", lambda self, C: np.roll(C, -1, axis=1) if self.support.problem.n >= 4 else C
    ):
        yield


@mutant("every-index-off")
def every_index_off() -> Iterator[None]:
    """Add ||h||^2/100 to each order and parity, and return the block of N + 1 for N."""

    def more(self: Any, right: list) -> list:
        return [x + self.norm * self.arithmetic(fmpq(1, 100)) for x in right]

    degrees = _replace_sums("blocks", lambda self, right: np.roll(right, -1, axis=1))
    with degrees, _replace_sums("orders", more), _replace_sums("parities", more):
        yield


@replacement("T-of-2-percent", IndexTable, "threshold")
def threshold_of_two_percent(right: Callable, self: Any, eps: Any) -> Any:
    """Return T_0.02 for T_0.01."""
    return right(self, "0.02" if QQ(eps) == fmpq(1, 100) else eps)


@replacement("strict-threshold", IndexTable, "threshold")
def strict_threshold(right: Callable, self: Any, eps: Any) -> Any:
    """Require F(T) > 1 - eps instead of F(T) >= 1 - eps."""
    T, F = right(self, eps)
    tie = 1 - fmpq(*map(int, eps.split("/"))) == F and self.d * self.n > T
    return (T + 1, self.cumulative[T + 1]) if tie else (T, F)


@mutant("two-different-points")
def two_different_points() -> Iterator[None]:
    """Give the degenerate classifier two different points."""
    from ..section5 import orca as section5

    right = section5.degenerate
    with patched(section5, "degenerate", lambda: right() | {"X": [["1/3"], ["1/2"]]}):
        yield


@mutant("one-coordinate")
def one_coordinate() -> Iterator[None]:
    """Use a classifier for which the two quantities agree: xor, both 0."""
    from ..section5 import orca as section5

    with patched(section5, "clashing", lambda: "xor"):
        yield
