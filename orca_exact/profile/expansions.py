"""Parts of many functions h = sum_i s_i K(x_i, .) on the same points at once, in float64.

The values of the parts are linear in s, so that many vectors s, such as those of shuffled labels, take one
matrix product. Nothing is proved here.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..numbers.arithmetic import arithmetic
from ..problem import Problem
from .components import without_one
from .support import Support

_ENTRIES = 2**20  # numbers of one strip of points: points, times support vectors, times columns


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
