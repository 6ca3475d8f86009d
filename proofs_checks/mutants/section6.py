"""Mutants of the formulas of section 6 and of the facts about the paper's source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import fmpq

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.indices import IndexTable
from orca_exact.profile.profile import Profile

from ..ledger.claims import mutant, patched
from ..section1 import introduction as section1
from ..section6 import formulas, geometry
from ..section6 import profile as section6


@mutant("label-renamed")
def label_renamed() -> Iterator[None]:
    """A label of the paper is another one."""
    right = section1.introduction_facts
    with patched(
        section1, "introduction_facts", lambda: right() | {"labels": ["eq:other", *right()["labels"][1:]]}
    ):
        yield


@mutant("bibliography-added")
def bibliography_added() -> Iterator[None]:
    """The paper cites thirteen works."""
    right = section1.introduction_facts
    changed = {"bibliography_entries": 13, "cited": [f"key{i}" for i in range(13)]}
    with patched(section1, "introduction_facts", lambda: right() | changed):
        yield


@mutant("weight-for-data")
def weight_for_data() -> Iterator[None]:
    """Integrals against the weight in the place of means over the data."""
    with patched(formulas, "means", formulas.inner_products):
        yield


@mutant("rescale-too-far")
def rescale_too_far() -> Iterator[None]:
    """Rescaling ends at -2 and 2."""
    right = Problem.__dict__["points"].func
    with patched(Problem, "points", property(lambda self: right(self) * (2 if self.rescale else 1))):
        yield


@mutant("h0-restored")
def h0_restored() -> Iterator[None]:
    """h_0 by its own formula where the printed one is 0 * infinity."""
    with patched(formulas, "h_at_zero", lambda a, b: Jacobi(a, b).h0):
        yield


@mutant("swapped-h")
def swapped_h() -> Iterator[None]:
    """The recurrence's b_k without its factor k."""
    right = Jacobi.recurrence

    def wrong(self: Any, k: Any) -> Any:
        a, b = right(self, k)
        return a, b / (k + 1)

    with patched(Jacobi, "recurrence", wrong):
        yield


@mutant("wrong-b-1")
def wrong_b_1() -> Iterator[None]:
    """The branch k = 1 of b_k with (t + 2) for (t + 1)."""
    right = Jacobi.recurrence

    def wrong(self: Any, k: Any) -> Any:
        a, b = right(self, k)
        t = self.parameters[0] + self.parameters[1] + 2
        return (a, b * (t + 1) / (t + 2)) if k == 1 else (a, b)

    with patched(Jacobi, "recurrence", wrong):
        yield


@mutant("wrong-a")
def wrong_a() -> Iterator[None]:
    """a_k + 1/3: not odd under the exchange of alpha and beta."""
    right = Jacobi.recurrence

    def wrong(self: Any, k: Any) -> Any:
        a, b = right(self, k)
        return a + a * 0 + (self.parameters[0] * 0 + 1) / 3, b

    with patched(Jacobi, "recurrence", wrong):
        yield


@mutant("separable-data")
def separable_data() -> Iterator[None]:
    """An odd data set, for which c_(1,1) = 0."""
    from .. import samples as common

    odd = geometry.odd_problem(1, 0, 0)
    fields = {key: getattr(odd, key) for key in ("X", "y", "n", "alpha", "beta", "C")}
    with patched(geometry, "bilinear", lambda: "odd"):
        common.CLASSIFIERS["odd"] = fields
        try:
            yield
        finally:
            del common.CLASSIFIERS["odd"]


@mutant("total-degree-one")
def total_degree_one() -> Iterator[None]:
    """A loop is asked for at n = 1."""
    with patched(geometry, "level_of_loops", lambda: 1):
        yield


@mutant("even-odd-exchanged")
def even_odd_exchanged() -> Iterator[None]:
    """Even and odd mass change names."""
    right = GeneratingFunction.__dict__["parities"].func
    with patched(GeneratingFunction, "parities", property(lambda self: right(self)[::-1])):
        yield


@mutant("unit-norm")
def unit_norm() -> Iterator[None]:
    """||h||^2 is always 1."""
    with patched(Profile, "norm2", property(lambda self: fmpq(1))):
        yield


@mutant("shifted-norm")
def shifted_norm() -> Iterator[None]:
    """One block too many in the generating function."""
    right = GeneratingFunction.__dict__["blocks"].func

    def wrong(self: Any) -> np.ndarray:
        C = right(self).copy()
        C[0, 0] = C[0, 0] + self.norm
        return C

    with patched(GeneratingFunction, "blocks", property(wrong)):
        yield


@mutant("peak-of-order")
def peak_of_order() -> Iterator[None]:
    """argmax over orders for argmax over degrees."""
    with patched(IndexTable, "peak", property(lambda self: self.order.index(max(self.order)))):
        yield


@mutant("nyquist-twice-peak")
def last_peak() -> Iterator[None]:
    """The last degree that carries anything."""

    def wrong(self: Any) -> int:
        return max(N for N, value in enumerate(self.degree) if value > 0)

    with patched(IndexTable, "peak", property(wrong)):
        yield


@mutant("dimension-one")
def dimension_one() -> Iterator[None]:
    """The comparison is with one coordinate."""
    with patched(section6, "reference_dimension", lambda: 1):
        yield
