"""``null``: what the indices are for labels that mean nothing.

Labels are permuted among the points (each with its C_i; within strata where these are given), every index is
computed again with proof, and the observed one is compared to them. Beside it stands a baseline in closed
form: what an index would be if all modes but the constant one weighed the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, ClassVar

import numpy as np
from flint import fmpq

from ..errors import BadParameter
from ..problem import Problem
from ..profile.indices import INDICES, Indices
from .engine import MISSING, study_columns
from .statistics import QUANTILES, family_wise, mean_sd, p_values, quantile
from .study import Resampled, StudyRow, describe_problem
from .work import (
    PIECE,
    Tasks,
    Work,
    check_repeats,
    encode_problem,
    generator,
    run_tasks,
    task_starts,
    worker_engine,
)

REPEATS = 1_000
_SHOWN = 10  # digits of the baseline


class Counting:
    """The sums over modes where each weighs 1, the constant one 0: what ``Index.sums`` asks for."""

    def __init__(self, degrees: Sequence[int]):
        self._degrees, self.n, self.d = degrees, max(degrees), len(degrees)

    @cached_property
    def blocks(self) -> np.ndarray:
        """The coefficients of prod_l (1 + t (z + ... + z^n_l)) - 1."""
        C = np.zeros((self.d + 1, sum(self._degrees) + 1), dtype=object)
        C[0, 0] = 1
        for n in self._degrees:
            grown = C.copy()
            for k in range(1, n + 1):
                grown[1:, k:] += C[:-1, : C.shape[1] - k]
            C = grown
        C[0, 0] = 0
        return C

    @property
    def orders(self) -> np.ndarray:
        """By order."""
        return self.blocks.sum(axis=1)

    @property
    def degrees(self) -> np.ndarray:
        """By degree."""
        return self.blocks.sum(axis=0)

    @property
    def parities(self) -> tuple[int, int]:
        """Even and odd."""
        return self.degrees[::2].sum(), self.degrees[1::2].sum()

    def subsets(self, sets: Sequence[Sequence[int]]) -> list[int]:
        """By set of coordinates, from 1."""
        return [prod(self._degrees[i - 1] for i in S) if S else 0 for S in sets]


def equal_modes(problem: Problem) -> Indices[fmpq]:
    """Every index if all modes but the constant one had the same c_k^2: fractions of numbers of modes.

    >>> problem = Problem([["0", "0"], ["1", "1"]], [1, -1], n=3, alpha=0, beta=0)
    >>> equal_modes(problem).order  # 6 and 9 of 15
    [0, 2/5, 3/5]
    """
    counting: Any = Counting(problem.degrees)
    total = max(1, problem.modes - 1)
    table = {}
    for name, index in INDICES.items():
        keys = index.keys(problem.degrees, problem.d)
        shares = (fmpq(int(x), total) for x in index.sums(counting))
        table[name] = dict(zip(keys, shares, strict=True))
    return Indices(table)


@dataclass(frozen=True, repr=False, eq=False)
class Null(Resampled):
    """The observed indices beside those of shuffled labels."""

    others: ClassVar[str] = "shuffled labels"
    equal: tuple[float | None, ...] = ()

    def statistics(self) -> list[StudyRow]:
        p_family = family_wise(self.observed, self.samples)
        rows = []
        for j, (column, observed) in enumerate(zip(self.columns, self.observed, strict=True)):
            known = sorted(self.sample(column))
            mean, sd = mean_sd(known) if known else (0.0, 0.0)
            shown = {q: self.value(column, quantile(known, q)) for q in QUANTILES} if known else {}
            rows.append(
                {
                    "observed": self.value(column, observed),
                    "mean": self.value(column, mean) if known else None,
                    "sd": self.value(column, sd) if known else None,
                    "z": (observed - mean) / sd if sd and observed != MISSING else None,
                    **p_values(observed, self.samples[:, j]),
                    "p_family": p_family[j],
                    "equal_modes": self.equal[j],
                    "quantiles": shown,
                }
            )
        return rows


def null(
    problem: Problem,
    repeats: int = REPEATS,
    seed: int = 1,
    strata: Sequence[Hashable] | None = None,
    **work: Any,
) -> Null:
    """The indices of ``repeats`` permutations of the labels, and what the observed ones are among them.

    ``strata``: one for each point; labels are permuted within each. ``jobs``, ``scheduler``, ``keep``,
    ``progress``: see ``Work``.

    >>> problem = Problem([["-0.9"], ["-0.4"], ["0.1"], ["0.8"]], [1, 1, -1, -1], n=1, alpha=0, beta=0)
    >>> study = null(problem, repeats=19, seed=1, keep=False)
    >>> study["order", 1]["observed"], study["order", 1]["p"]  # n = 1: all is of order 1, whatever the labels
    (1.0, 1.0)
    """
    check_repeats(repeats, seed)
    groups = _groups(strata, problem)
    settings = {"repeats": repeats, "seed": seed, "method": "permutation" + " within strata" * bool(strata)}
    base = {"study": "null", "problem": problem.sha256, "seed": seed, "strata": groups}
    text, read = encode_problem(problem), study_columns(problem)

    def task(first: int) -> tuple[StudyRow, tuple]:
        last = min(first + PIECE, repeats) if first >= 0 else 0
        return base | {"first": first, "last": last}, (text, seed, groups, first, last)

    samples, observed, proofs = np.empty((repeats, len(read)), dtype=np.int64), [], Counter[str]()
    for key, (rows, how) in run_tasks(
        compute_permutations, Tasks([-1, *task_starts(repeats)], task), Work(**work)
    ):
        if key["first"] < 0:
            (observed,) = rows
        else:
            samples[key["first"] : key["last"]] = rows
            proofs.update(how)
    equal = equal_modes(problem)
    summary = equal.summary()
    baseline: list[Any] = [float(equal.family(c.name)[c.key]) for c in read if c.name in INDICES]
    baseline += [summary.peak, *summary.threshold.values()]
    return Null(
        "null", describe_problem(problem), settings, read, tuple(observed), samples,
        {"proofs": dict(sorted(proofs.items()))}, tuple(baseline),
    )  # fmt: skip


def compute_permutations(
    problem: str, seed: int, groups: list[list[int]], first: int, last: int
) -> tuple[list[list[int]], list[str]]:
    """Some permutations, each with its own seed; number -1 is the observed labels."""
    here = worker_engine(problem)
    y, bounds = np.array(here.problem.y), np.array(here.problem.bounds, dtype=object)
    readings = []
    for repetition in range(first, last):
        order = np.arange(len(y))
        if repetition >= 0:
            random = generator(seed, repetition)
            for group in groups:
                order[group] = random.permutation(group)
        readings.append(here.read(y[order].tolist(), bounds[order].tolist()))
    return [reading.values for reading in readings], [reading.proof for reading in readings]


def _groups(strata: Sequence[Hashable] | None, problem: Problem) -> list[list[int]]:
    """The points of each stratum."""
    m, y = problem.m, problem.y
    if strata is None:
        return [list(range(m))]
    if len(strata) != m:
        raise BadParameter("strata", f"{len(strata)} values", f"for {m} points", "give one for each point")
    found: dict[Hashable, list[int]] = {}
    for i, stratum in enumerate(strata):
        found.setdefault(stratum, []).append(i)
    if all(len({y[i] for i in group}) == 1 for group in found.values()):
        raise BadParameter("strata", "each", "has one class only", "no permutation would change a label")
    return list(found.values())
