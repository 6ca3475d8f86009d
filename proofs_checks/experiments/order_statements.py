"""Statements of the paper about the orders of its tables, asked of every shuffling of the labels.

A statement that is also true for nearly all shufflings says nothing about the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .order_values import ECHO, rows

LEGENDRE, JACOBI_A, JACOBI_B = ECHO
Orders = Mapping[tuple[str, int], np.ndarray]  # (table, n) -> array (labellings, orders)
Truth = np.ndarray  # for each labelling


@dataclass(frozen=True)
class AskedStatement:
    """A statement about the orders; ``claim`` is the claim of the ledger that makes it, if there is one."""

    kind: str
    claim: str | None
    words: str
    true: Callable[[Orders], Truth]


def _sum(orders: Orders, table: str, n: int, *some: int) -> np.ndarray:
    found: np.ndarray = sum(orders[table, n][:, q - 1] for q in some)  # type: ignore[assignment]
    return found


def _degrees(table: str) -> list[int]:
    return [n for id, n in rows() if id == table]


def _shifts(table: str, every_step: bool) -> Callable[[Orders], Truth]:
    """Return whether the low orders fall and the high orders rise, from first to last n or at every step."""

    def true(orders: Orders) -> Truth:
        degrees = _degrees(table)
        steps = list(pairwise(degrees)) if every_step else [(degrees[0], degrees[-1])]
        return np.all(
            [
                (_sum(orders, table, b, 1, 2) < _sum(orders, table, a, 1, 2))
                & (_sum(orders, table, b, 4, 5) > _sum(orders, table, a, 4, 5))
                for a, b in steps
            ],
            axis=0,
        )

    return true


def _in_all(make: Callable[[str], Callable[[Orders], Truth]]) -> Callable[[Orders], Truth]:
    def true(orders: Orders) -> Truth:
        return np.all([make(table)(orders) for table in ECHO], axis=0)

    return true


def _mean_rises(table: str) -> Callable[[Orders], Truth]:
    def true(orders: Orders) -> Truth:
        means = [orders[table, n] @ np.arange(1, 6) for n in _degrees(table)]
        return np.all([a <= b for a, b in pairwise(means)], axis=0) & (means[0] < means[-1])

    return true


def _negligible(table: str) -> Callable[[Orders], Truth]:
    def true(orders: Orders) -> Truth:
        low = [(_sum(orders, table, n, 1) < 0.001) & (_sum(orders, table, n, 2) < 0.01) for n in (15, 25)]
        return np.all(low, axis=0)

    return true


def _descending(orders: Orders) -> Truth:
    x = orders[LEGENDRE, 25]
    return (x[:, 4] > x[:, 3]) & (x[:, 3] > x[:, :3].max(axis=1))


STATEMENTS = (
    AskedStatement(
        "shift-legendre", None,
        "Legendre: OKC^(1) + OKC^(2) is smaller and OKC^(4) + OKC^(5) is larger at n = 25 than at n = 1",
        _shifts(LEGENDRE, False),
    ),
    AskedStatement(
        "shift", None,
        "OKC^(1) + OKC^(2) is smaller and OKC^(4) + OKC^(5) is larger at n = 25 than at n = 1, in all three "
        "tables",
        _in_all(lambda table: _shifts(table, False)),
    ),
    AskedStatement(
        "shift-steps-legendre", None,
        "Legendre: OKC^(1) + OKC^(2) falls and OKC^(4) + OKC^(5) rises from each n to the next",
        _shifts(LEGENDRE, True),
    ),
    AskedStatement(
        "shift-steps", None,
        "OKC^(1) + OKC^(2) falls and OKC^(4) + OKC^(5) rises from each n to the next, in all three tables",
        _in_all(lambda table: _shifts(table, True)),
    ),
    AskedStatement(
        "five-then-four", None,
        "Legendre, n = 25: order 5 is the largest block, then order 4",
        _descending,
    ),
    AskedStatement(
        "five-760", "echo-n25-760",
        "Legendre, n = 25: order 5 is the largest block, with 0.760 to within 0.01, then order 4",
        lambda orders: _descending(orders) & (abs(orders[LEGENDRE, 25][:, 4] - 0.76) <= 0.01),
    ),
    AskedStatement(
        "high-orders", "echo-coupling/used",
        "n = 25: more than 0.9 of the norm lies on four and five variables at once, in all three tables",
        lambda orders: np.all([_sum(orders, table, 25, 4, 5) > 0.9 for table in ECHO], axis=0),
    ),
    AskedStatement(
        "mean-order", "echo-disperses/upward",
        "the mean interaction order grows with n, in all three tables",
        _in_all(_mean_rises),
    ),
    AskedStatement(
        "low-negligible", "echo-okc2-negligible",
        "Legendre: OKC^(1) is below 0.001, and OKC^(2) below 0.01, from n = 15 on",
        _negligible(LEGENDRE),
    ),
    AskedStatement(
        "weights", "echo-legendre-strongest",
        "n = 25: OKC^(5) is largest for Legendre, least for (4.3, 1.8), between for (0.8, 2.7)",
        lambda orders: (_sum(orders, LEGENDRE, 25, 5) > _sum(orders, JACOBI_B, 25, 5))
        & (_sum(orders, JACOBI_B, 25, 5) > _sum(orders, JACOBI_A, 25, 5)),
    ),
)  # fmt: skip
