"""Sums of c_k^2 by whichever route is cheaper: the pairs of points or the modes.

Work is counted in single products of two numbers; ``MATMUL_SPEEDUP`` products within a matrix product count
as one. If the pairs take at most ``NEGLIGIBLE_SECONDS``, they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf, prod
from typing import Any, cast

import numpy as np

from ..kernels.modes import MAX_MODES
from .enumeration import Enumeration
from .generating import GeneratingFunction, in_scope

MATMUL_SPEEDUP = 10
NEGLIGIBLE_SECONDS = 0.1


class ModeSums:
    """The numerators of the indices: sums over modes by order, by degree and by set of coordinates.

    Sums of balls round at the precision in force, and are kept: so each enters that of its arithmetic.
    """

    def __init__(self, generating: GeneratingFunction, enumeration: Enumeration):
        self.generating, self.enumeration, self.d = generating, enumeration, generating.d
        support = generating.support
        self.arithmetic = A = generating.arithmetic
        self._parts, self._points = support.parts, len(support.s)
        self._modes: float = inf if self._parts.modes is None else self._parts.modes.count
        self._degrees = support.problem.kernel.degrees_in(self.d) or (1,) * self.d
        self._negligible = NEGLIGIBLE_SECONDS / A.pair_seconds[0]
        self._prefers_modes = A.encloses and not A.sharpens  # sums of c_k^2 are more accurate

    def is_enumeration_cheaper(self, work: int, modes: int | None = None) -> bool:
        """Return whether it is cheaper to enumerate ``modes`` modes (None: all) than to sum over the pairs.

        ``work`` is the number of products for each pair of points.
        """
        if not self._parts.by_pairs or self._parts.modes is None:
            return not self._parts.by_pairs
        count, m = self._modes if modes is None else modes, self._points
        pairs = work * m * (m + 1) // 2 // self.generating.speedup
        worthwhile = self._prefers_modes or pairs > self._negligible
        return worthwhile and count <= MAX_MODES and count * (m / MATMUL_SPEEDUP + 1) < pairs

    @cached_property
    @in_scope
    def norm(self) -> Any:
        """||h||^2 without the common factor."""
        if self.is_enumeration_cheaper(sum(self._degrees) + self.d):
            return self.blocks.sum()
        return self.generating.norm

    @cached_property
    @in_scope
    def orders(self) -> Sequence[Any]:
        """sum_N C_N^(q) for q = 0 ... d."""
        if self.is_enumeration_cheaper(sum(self._degrees) + self.d**2 // 2):
            return cast(Sequence[Any], self.blocks.sum(axis=1))
        return cast(Sequence[Any], self.generating.orders)

    @in_scope
    def subsets(self, sets: Sequence[Sequence[int]]) -> list[Any]:
        """Return, for each set S of coordinates, the sum over the modes whose active coordinates are S."""
        modes = sum(prod(self._degrees[i - 1] for i in S) for S in sets)
        factors = 0 if self.generating.has_factors else sum(self._degrees)
        if self.is_enumeration_cheaper(factors + sum(map(len, sets)), modes):
            return [self.enumeration.subset(S) for S in sets]
        found: list[Any] = self.generating.subsets(sets)
        return found

    @cached_property
    @in_scope
    def by_coordinate(self) -> tuple[Sequence[Any], Sequence[Any]]:
        """For each coordinate the sum over the modes in which it is active, and its Shapley part."""
        if self.is_enumeration_cheaper(sum(self._degrees) + self.d**2):
            return self.enumeration.by_coordinate()
        found: tuple[Sequence[Any], Sequence[Any]] = self.generating.by_coordinate
        return found

    @cached_property
    @in_scope
    def parities(self) -> tuple[Any, Any]:
        """The sums over even and over odd degrees."""
        if self.is_enumeration_cheaper(sum(self._degrees) + self.d):
            return self.blocks[:, ::2].sum(), self.blocks[:, 1::2].sum()
        found: tuple[Any, Any] = self.generating.parities
        return found

    @cached_property
    @in_scope
    def degrees(self) -> Sequence[Any]:
        """sum_q C_N^(q) for N = 0 ... dn."""
        work = self._points**2 * sum(self._degrees)
        if (
            not self._parts.by_pairs
            or "blocks" in self.__dict__
            or work <= self._negligible
            or self._blocks_by_modes
        ):
            return cast(Sequence[Any], self.blocks.sum(axis=0))
        return cast(Sequence[Any], self.generating.degrees)

    @property
    def _blocks_by_modes(self) -> bool:
        rows = [self.d + sum(half) for half in (self._degrees[::2], self._degrees[1::2])]
        return self.is_enumeration_cheaper(sum(rows) + prod(rows) // MATMUL_SPEEDUP)

    @cached_property
    @in_scope
    def blocks(self) -> np.ndarray:
        """C_N^(q) as a (d+1, dn+1) array."""
        return self.enumeration.blocks() if self._blocks_by_modes else self.generating.blocks
