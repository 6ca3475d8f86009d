"""Indices and parts of many functions h = sum_i s_i K(x_i, .) on the same points at once, in float64.

The squared norms of the parts are quadratic forms in s whose matrices depend on the points only, and the
values of the parts are linear in s. So many vectors s, such as those of shuffled labels, take one matrix
product for each index. Nothing is proved here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import Undecided, ZeroClassifier
from ..numbers.arithmetic import arithmetic
from ..problem import Problem
from .components import without_one
from .generating import GeneratingFunction, PairBatch
from .index import Key
from .indices import INDICES
from .profile import Profile
from .support import Support

_PAIRS = 2**13  # pairs of points at a time
_ENTRIES = 2**20  # numbers of one strip of points: points, times support vectors, times columns


class _SimultaneousSums(GeneratingFunction):
    """The sums over all pairs of points for several vectors of coefficients, one in each column."""

    def __init__(self, support: Support, S: np.ndarray, progress: Callable[[], None]):
        super().__init__(support)
        self._coefficients, self._progress = support.t[:, None] * S, progress

    def _batches(self) -> Iterator[PairBatch]:
        t = self._coefficients
        for start in range(0, len(self._pairs[0]), _PAIRS):
            i, j = (part[start : start + _PAIRS] for part in self._pairs)
            self._progress()
            yield PairBatch(self.support, i, j, t[i] * t[j] * np.where(i == j, 1.0, 2.0)[:, None])

    def _sums(self, forms: Callable[[PairBatch], Iterable[Any]]) -> list[Any]:
        total: Any = 0.0
        for batch in self._batches():
            rows = [np.ones(len(batch.i)) if form is None else form for form in forms(batch)]
            total = total + np.stack(rows) @ batch.weights
        return list(total)


class Expansions:
    """Many functions on the points of one problem; each column of ``S`` has the s_i of one of them.

    Parameters
    ----------
    problem : Problem
        The points, the kernel and the measures of the indices; its labels do not matter.
    """

    def __init__(self, problem: Problem):
        self.problem, self._A = problem, arithmetic("float")
        ones = self._A.elements([1.0] * problem.m)
        with self._A.scope():
            self._support = Support.from_coefficients(problem, self._A, ones)
            self._parts = self._support.parts
            self._weights = self._parts.part_weights(ones)

    def shares(
        self, S: np.ndarray, families: Sequence[str], progress: Callable[[], None] = lambda: None
    ) -> dict[tuple[str, Key], np.ndarray]:
        """Return the indices of some families by name and key, each with one entry for each column of S.

        An entry is nan if h has no variance.
        """
        top = self.problem.kernel.top_degree or 0
        keys = [(name, key) for name in families for key in INDICES[name].keys(top, self.problem.d)]
        with self._A.scope():
            if self._parts.by_pairs:
                sums = _SimultaneousSums(self._support, S, progress)
                rows = [row for name in families for row in INDICES[name].sums(sums)]  # type: ignore[arg-type]
                norm = np.where(S.any(axis=0) & (sums.norm > 0), sums.norm, np.nan)
                return {key: row / norm for key, row in zip(keys, rows, strict=True)}
            found = []
            for s in S.T:
                progress()
                found.append(self._one_by_one(s, keys))
        return dict(zip(keys, np.array(found).T, strict=True))

    def _one_by_one(self, s: np.ndarray, keys: Sequence[tuple[str, Key]]) -> list[float]:
        """Return the indices of one function by way of its modes."""
        try:
            profile: Profile[float] = Profile(self.problem, s, self._A, 1.0)
            return [profile.family(name)[key] for name, key in keys]
        except (Undecided, ZeroClassifier):
            return [np.nan] * len(keys)

    def column_parts(self, rows: np.ndarray, S: np.ndarray) -> Iterator[np.ndarray]:
        """Yield for each column j what it adds to h at some points, an array (rows, functions).

        That is h minus its mean over column j: the sum of the parts of all sets that contain j.
        """
        weights = self._weights
        scaled = [w * S for w in weights] if isinstance(weights, list) else weights * S
        step = max(1, _ENTRIES // (self.problem.m * self.problem.d))
        found: list[list[np.ndarray]] = [[] for _ in range(self.problem.d)]
        modes = self._parts.modes
        is_product = modes is None or modes.is_product or not self._parts.by_pairs
        with self._A.scope():
            for start in range(0, len(rows), step):
                points = self.problem.points[rows[start : start + step]]
                factors = [self._parts.column_at(j, points[:, j]) for j in range(self.problem.d)]
                others = without_one(factors, self._parts.order, is_product)
                for j, (own, rest) in enumerate(zip(factors, others, strict=True)):
                    values = self._parts.collect(scaled, own if rest is None else own * rest)
                    found[j].append(values.reshape(len(points), -1))
        return (np.concatenate(parts) for parts in found)
