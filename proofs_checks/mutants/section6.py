"""Mutants of the formulas of section 6 and of facts about the paper's source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from flint import fmpq

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.indices import IndexTable
from orca_exact.profile.profile import Profile
from orca_exact.profile.sums import ModeSums

from .. import samples
from ..ledger.mutants import mutant, patched, replacement
from ..section1 import introduction as section1
from ..section6 import formulas, geometry
from ..section6 import profile as section6


@replacement("label-renamed", section1, "introduction_facts")
def label_renamed(right: Callable) -> dict:
    """Rename a label of the paper."""
    return right() | {"labels": ["eq:other", *right()["labels"][1:]]}


@replacement("weight-for-data", formulas, "data_means")
def weight_for_data(right: Callable, *args: Any) -> Any:
    """Use integrals against the weight instead of means over the data."""
    return formulas.inner_products(*args)


@mutant("rescale-too-far")
def rescale_too_far() -> Iterator[None]:
    """Rescale to [-2, 2] instead of [-1, 1]."""
    right = Problem.__dict__["points"].func
    with patched(Problem, "points", property(lambda self: right(self) * (2 if self.rescale else 1))):
        yield


@replacement("h0-restored", formulas, "h_at_zero")
def h0_restored(right: Callable, a: Any, b: Any) -> Any:
    """Use the correct h_0 where the printed formula is 0 * infinity."""
    return Jacobi(a, b).h0


@replacement("swapped-h", Jacobi, "recurrence")
def swapped_h(right: Callable, self: Any, k: Any) -> Any:
    """Divide b_k of the recurrence by k + 1."""
    a, b = right(self, k)
    return a, b / (k + 1)


@replacement("wrong-b-1", Jacobi, "recurrence")
def wrong_b_1(right: Callable, self: Any, k: Any) -> Any:
    """Use t + 2 instead of t + 1 in b_1."""
    a, b = right(self, k)
    t = self.parameters[0] + self.parameters[1] + 2
    return (a, b * (t + 1) / (t + 2)) if k == 1 else (a, b)


@replacement("wrong-a", Jacobi, "recurrence")
def wrong_a(right: Callable, self: Any, k: Any) -> Any:
    """Add 1/3 to a_k, which must change its sign if alpha and beta are exchanged."""
    a, b = right(self, k)
    return a + a * 0 + (self.parameters[0] * 0 + 1) / 3, b


@mutant("separable-data")
def separable_data() -> Iterator[None]:
    """Use an odd data set, for which c_(1,1) = 0."""
    odd = geometry.odd_problem(1, 0, 0)
    fields = {key: getattr(odd, key) for key in ("X", "y", "n", "alpha", "beta", "C")}
    with patched(geometry, "bilinear_classifier", lambda: "odd"):
        samples.CLASSIFIERS["odd"] = fields
        try:
            yield
        finally:
            del samples.CLASSIFIERS["odd"]


@replacement("total-degree-one", geometry, "level_of_loops")
def total_degree_one(right: Callable) -> int:
    """Require a loop at n = 1."""
    return 1


@mutant("even-odd-exchanged")
def even_odd_exchanged() -> Iterator[None]:
    """Exchange even and odd mass."""
    right = ModeSums.__dict__["parities"].func
    with patched(ModeSums, "parities", property(lambda self: right(self)[::-1])):
        yield


@mutant("unit-norm")
def unit_norm() -> Iterator[None]:
    """Set ||h||^2 to 1."""
    with patched(Profile, "norm2", property(lambda self: fmpq(1))):
        yield


@mutant("shifted-norm")
def shifted_norm() -> Iterator[None]:
    """Add ||h||^2 to the constant block of the generating function."""
    right = GeneratingFunction.__dict__["blocks"].func

    def wrong(self: Any) -> np.ndarray:
        C = right(self).copy()
        C[0, 0] = C[0, 0] + self.norm
        return C

    with patched(GeneratingFunction, "blocks", property(wrong)):
        yield


@mutant("peak-of-order")
def peak_of_order() -> Iterator[None]:
    """Take N* over orders instead of degrees."""
    with patched(IndexTable, "peak", property(lambda self: self.order.index(max(self.order)))):
        yield


@mutant("nyquist-twice-peak")
def last_peak() -> Iterator[None]:
    """Return the last degree with a positive share as N*."""

    def wrong(self: Any) -> int:
        return max(N for N, value in enumerate(self.degree) if value > 0)

    with patched(IndexTable, "peak", property(wrong)):
        yield


@replacement("dimension-one", section6, "reference_dimension")
def dimension_one(right: Callable) -> int:
    """Compare with one coordinate."""
    return 1
