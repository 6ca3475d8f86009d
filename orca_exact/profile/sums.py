"""The cheaper route to each sum: through the pairs of points, or through the modes.

Work is counted in products of two numbers, one by one; in a matrix product ``BLOCKED`` of them cost as much.
Where all that is nothing to speak of, it is the pairs. Either route can be asked by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from ..kernels.orthogonal import MAX_MODES
from .enumeration import Enumeration
from .generating import GeneratingFunction

BLOCKED = 10
LITTLE = 10**7


class ModeSums:
    """What the indices are quotients of: sums over modes, by order, by degree, by set of coordinates."""

    def __init__(self, generating: GeneratingFunction, enumeration: Enumeration):
        self.generating, self.enumeration = generating, enumeration
        self.n, self.d = generating.n, generating.d
        self._degrees = generating.support.problem.degrees
        self._m, self._modes = len(generating.support.s), generating.support.problem.modes
        A = generating.arithmetic
        self._little = 0 if A.encloses and not A.sharpens else LITTLE  # squares of c_k do not cancel

    def by_modes(self, work: int, modes: int | None = None) -> bool:
        """Whether enumerating so many modes (None: all) costs less than so much work for each pair."""
        count = self._modes if modes is None else modes
        pairs = work * self._m * (self._m + 1) // 2
        return pairs > self._little and count <= MAX_MODES and count * (self._m / BLOCKED + 1) < pairs

    @cached_property
    def norm(self) -> Any:
        """||h||^2 over the scale."""
        if self.by_modes(sum(self._degrees) + self.d):
            return self.blocks.sum()
        return self.generating.norm

    @cached_property
    def orders(self) -> Sequence:
        """sum_N C_N^(q), q = 0 ... d."""
        if self.by_modes(sum(self._degrees) + self.d**2 // 2):
            return self.blocks.sum(axis=1)
        return self.generating.orders

    def subsets(self, sets: Sequence[Sequence[int]]) -> list:
        """The sums over modes whose active coordinates are exactly S, counted from 1, for several S."""
        modes = sum(prod(self._degrees[i - 1] for i in S) for S in sets)
        if self.by_modes(sum(self._degrees) + sum(map(len, sets)), modes):
            return [self.enumeration.subset(S) for S in sets]
        return self.generating.subsets(sets)

    @cached_property
    def parities(self) -> tuple[Any, Any]:
        """The sums over even and over odd degrees."""
        if self.by_modes(sum(self._degrees) + self.d):
            return self.blocks[:, ::2].sum(), self.blocks[:, 1::2].sum()
        return self.generating.parities

    @cached_property
    def degrees(self) -> Sequence:
        """sum_q C_N^(q), N = 0 ... dn."""
        work = self._m**2 * sum(self._degrees)
        if "blocks" in self.__dict__ or work <= LITTLE or self._blocks_by_modes:
            return self.blocks.sum(axis=0)
        return self.generating.degrees

    @property
    def _blocks_by_modes(self) -> bool:
        rows = [self.d + sum(half) for half in (self._degrees[::2], self._degrees[1::2])]
        return self.by_modes(sum(rows) + prod(rows) // BLOCKED)

    @cached_property
    def blocks(self) -> np.ndarray:
        """C_N^(q) as a (d+1, dn+1) array."""
        return self.enumeration.blocks() if self._blocks_by_modes else self.generating.blocks
