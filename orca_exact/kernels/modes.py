"""Sets of modes, and elementary symmetric polynomials, which sum over them without listing them.

A mode is a multi-index k = (k_1, ..., k_d): one degree for each column. A column is active in it if k_l > 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import add, mul
from typing import Any

import numpy as np

MAX_MODES = 20_000_000  # that are enumerated at most


@dataclass(frozen=True)
class Modes:
    """The modes with k_l <= n_l and at most ``order`` active columns, in lexicographic order.

    Parameters
    ----------
    degrees : tuple of int
        n_l, the highest degree of each column.
    order : int
        The highest number of active columns.
    total : int, optional
        The highest sum of the degrees of a mode; by default that of all n_l.

    Examples
    --------
    >>> list(Modes((2, 1), 1))
    [(0, 0), (0, 1), (1, 0), (2, 0)]
    >>> Modes((3,) * 30, 2).count, Modes((3,) * 30, 3, total=3).count
    (4006, 5456)
    """

    degrees: tuple[int, ...]
    order: int
    total: int | None = None

    @property
    def is_product(self) -> bool:
        """Whether every combination of degrees is a mode."""
        return self.total is None and self.order >= sum(n > 0 for n in self.degrees)

    @property
    def top_degree(self) -> int:
        """The highest sum of the degrees of a mode, or an upper bound of it if the order is limited."""
        return sum(self.degrees) if self.total is None else self.total

    @cached_property
    def count(self) -> int:
        """Number of modes."""
        if self.total is None:
            return int(sum(elementary_symmetric(self.degrees, self.order)[1:], start=1))
        counts = np.zeros((self.order + 1, self.total + 1), dtype=object)  # by order and by sum of degrees
        counts[0, 0] = 1
        for n in self.degrees:
            grown = counts.copy()
            for k in range(1, min(n, self.total) + 1):
                grown[1:, k:] += counts[:-1, : self.total + 1 - k]
            counts = grown
        return int(counts.sum())

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        ranges = [range(n + 1) for n in self.degrees]
        return product(*ranges) if self.is_product else map(tuple, self.table.tolist())

    @cached_property
    def table(self) -> np.ndarray:
        """The modes, one in each row."""
        table: np.ndarray = self._fold([np.arange(n + 1)[:, None] for n in self.degrees], _side_by_side)
        return table

    @cached_property
    def labels(self) -> np.ndarray:
        """The order q(k) and the total degree N(k) of each mode, an array of two columns."""
        columns = [np.array([[k > 0, k] for k in range(n + 1)], dtype=int) for n in self.degrees]
        labels: np.ndarray = self._fold(columns, add)
        return labels

    @cached_property
    def active(self) -> np.ndarray:
        """Whether a column is active in a mode, a boolean array with one row for each mode."""
        return self.table > 0

    def products(self, columns: Sequence[Any]) -> Any:
        """Return prod_l columns[l][k_l] for each mode, one row each; columns[l] has n_l + 1 rows."""
        return self._fold(columns, mul)

    def _fold(self, columns: Sequence[Any], combine: Callable[[Any, Any], Any]) -> Any:
        """Combine one row of each column for each mode."""
        if not self.is_product:
            return self._fold_limited(columns, combine, 0, len(columns))
        out = columns[0]
        for column in columns[1:]:
            grown = combine(out[:, None, :], column[None, :, :])
            out = grown.reshape(-1, grown.shape[-1])
        return out

    def _fold_limited(
        self, columns: Sequence[Any], combine: Callable[[Any, Any], Any], start: int, stop: int
    ) -> Any:
        """Combine the rows of some of the columns for each mode of these columns alone.

        The columns are halved again and again, since most of the modes have few active columns: column by
        column, each mode would be computed again for each inactive column that follows.
        """
        if stop - start == 1:
            return columns[start]
        middle = (start + stop) // 2
        left, right = (
            self._fold_limited(columns, combine, *ends) for ends in ((start, middle), (middle, stop))
        )
        rows, others = self._pairs[start, stop]
        return combine(left[rows], right[others])

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
        """For each range of columns that is halved, the modes of its halves that form its modes."""
        found: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

        limit = np.array([self.order, self.top_degree])

        def labels(start: int, stop: int) -> np.ndarray:
            """Return the order and the sum of the degrees of each mode of some of the columns."""
            if stop - start == 1:
                k = np.arange(self.degrees[start] + 1)
                return np.stack([np.minimum(k, 1), k], axis=1)
            middle = (start + stop) // 2
            first, second = labels(start, middle), labels(middle, stop)
            fitting = {
                left: np.flatnonzero((second <= limit - left).all(axis=1)) for left in set(map(tuple, first))
            }
            rows = np.repeat(np.arange(len(first)), [len(fitting[tuple(left)]) for left in first])
            others = np.concatenate([fitting[tuple(left)] for left in first])
            found[start, stop] = rows, others
            combined: np.ndarray = first[rows] + second[others]
            return combined

        labels(0, len(self.degrees))
        return found


def _side_by_side(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    shape = np.broadcast_shapes(left.shape[:-1], right.shape[:-1])
    parts = [np.broadcast_to(part, (*shape, part.shape[-1])) for part in (left, right)]
    return np.concatenate(parts, axis=-1)


def elementary_symmetric(factors: Sequence[Any], order: int | None = None) -> list[Any]:
    """Return [None, e_1, ..., e_q]: the coefficients of t^1 ... t^q in prod_l (1 + t b_l).

    The constant e_0 = 1 is left out, because it need not be an element of the same kind. ``order`` limits q,
    which is the number of factors otherwise.

    Examples
    --------
    >>> elementary_symmetric([2, 3, 5])
    [None, 10, 31, 30]
    >>> elementary_symmetric([2, 3, 5], 2)
    [None, 10, 31]
    """
    return extend_symmetric((None,), factors, len(factors) if order is None else order)


def leave_one_out(
    factors: Sequence[Any], start: Any, extend: Callable[[Any, Sequence[Any]], Any]
) -> Iterator[Any]:
    """Yield, for each factor in turn, what ``extend`` makes of ``start`` and all the other factors.

    The factors are halved again and again, so that each of d factors is used about log d times d/2.

    Examples
    --------
    >>> list(leave_one_out([2, 3, 5], 0, lambda total, rest: total + sum(rest)))
    [8, 7, 5]
    """
    if len(factors) == 1:
        yield start
        return
    half = len(factors) // 2
    for own, rest in ((factors[:half], factors[half:]), (factors[half:], factors[:half])):
        yield from leave_one_out(own, extend(start, rest), extend)


def extend_symmetric(e: Sequence[Any], factors: Sequence[Any], order: int) -> list[Any]:
    """Multiply the polynomial with the coefficients e by prod_l (1 + t b_l), up to t^order."""
    for b in factors:
        terms = [None, b, *(x * b for x in e[1:order])][: order + 1]
        e = [None, *(x + y for x, y in zip(e[1:], terms[1:], strict=False)), *terms[len(e) :]]
    return list(e)
