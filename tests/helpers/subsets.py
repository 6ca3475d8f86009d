"""Indices of a function of a few columns by brute force: its variance is split among all sets of columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np


def all_subsets(d: int) -> list[tuple[int, ...]]:
    return [S for q in range(d + 1) for S in combinations(range(1, d + 1), q)]


def parts_on_grid(values: Any, weights: Sequence[Any]) -> dict[tuple[int, ...], Any]:
    """Return f_S for every set S (from 1) on a grid, from the values of h there and the weights of each axis.

    f_S is E[h | x_S] minus all f_T with T inside S, averaged over the other axes.
    """
    d, found = len(weights), {}
    for S in all_subsets(d):
        mean = values
        for axis in range(d):
            if axis + 1 not in S:
                shape = [1] * d
                shape[axis] = -1
                mean = (mean * weights[axis].reshape(shape)).sum(axis=axis, keepdims=True)
        found[S] = mean - sum(found[T] for T in all_subsets(d) if set(T) < set(S) and T in found)
    return found


def variances(values: Any, weights: Sequence[Any]) -> dict[tuple[int, ...], Any]:
    """Return the variance of f_S for every non-empty set S."""
    out = {}
    for S, part in parts_on_grid(values, weights).items():
        if S:
            square = np.broadcast_to(part * part, values.shape)
            for axis in reversed(range(len(weights))):
                square = square * weights[axis].reshape([-1 if a == axis else 1 for a in range(square.ndim)])
                square = square.sum(axis=axis)
            out[S] = square
    return out


def shares(found: dict[tuple[int, ...], Any], d: int) -> dict[str, dict[tuple[int, ...], Any]]:
    """Return the indices by their definition as sums of variances over sets."""
    total = sum(found.values())
    columns = range(1, d + 1)
    return {
        "order": {(q,): sum(v for S, v in found.items() if len(S) == q) / total for q in range(1, d + 1)},
        "marginal": {(i,): found[i,] / total for i in columns},
        "pair": {S: v / total for S, v in found.items() if len(S) == 2},
        "total": {(i,): sum(v for S, v in found.items() if i in S) / total for i in columns},
        "shapley": {(i,): sum(v / len(S) for S, v in found.items() if i in S) / total for i in columns},
    }


def on_grid(h: Callable[[np.ndarray], Any], nodes: Sequence[Any]) -> Any:
    """Return the values of h, a function of points in rows, on a grid."""
    grid = np.stack(np.meshgrid(*nodes, indexing="ij"), -1)
    return np.asarray(h(grid.reshape(-1, len(nodes)))).reshape(grid.shape[:-1])
