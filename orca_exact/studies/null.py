"""``null``: permutation test of the indices against random labels.

The labels are permuted among the points (each label with its C_i; within strata if these are given), every
index is computed again with proof, and the observed index is compared with the permuted ones. Each index is
kept with a bound of its error; a comparison that the bounds do not decide counts against significance. A
baseline in closed form is given as well: the value of each index if all modes except the constant one had
equal weight. There is none for kernels with infinitely many modes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any, ClassVar

import numpy as np
from flint import fmpq

from ..errors import BadParameter, pluralize, wrong_count
from ..kernels.modes import Modes, extend_symmetric, leave_one_out
from ..problem import Problem, require_problem
from ..profile.indices import INDICES, Indices
from .engine import MISSING, study_columns
from .labellings import read_labellings
from .left_out import LeftOutPrediction
from .statistics import family_wise, p_values
from .study import Resampled, StudyRow, describe_problem
from .subject import takes_models
from .work import Work, check_repeats, encode_problem, generator, run_tasks, worker_engine

REPEATS = 1_000
LABELLINGS_PER_TASK = 50  # that share the matrices, which take about as long as so many certificates


class ModeCounts:
    """Number of modes in each sum, without the constant mode, as ``Index.sums`` expects."""

    def __init__(self, modes: Modes):
        self._modes, self._degrees, self._order = modes, modes.degrees, modes.order
        self.d = len(modes.degrees)

    @cached_property
    def blocks(self) -> np.ndarray:
        """Number of modes by order and degree."""
        return self._count(self._degrees)

    def _count(self, degrees: Sequence[int]) -> np.ndarray:
        """Return the coefficients of prod_l (1 + t (z + ... + z^n_l)) - 1 up to the limits of the modes."""
        top = self._modes.top_degree
        C = np.zeros((self.d + 1, top + 1), dtype=object)
        C[0, 0] = 1
        for n in degrees:
            grown = C.copy()
            for k in range(1, min(n, top) + 1):
                grown[1:, k:] += C[:-1, : top + 1 - k]
            C = grown
        C[0, 0] = 0
        C[self._order + 1 :] = 0
        return C

    @property
    def orders(self) -> np.ndarray:
        """Number of modes of each order."""
        found: np.ndarray = self.blocks.sum(axis=1)
        return found

    @property
    def degrees(self) -> np.ndarray:
        """Number of modes of each total degree."""
        found: np.ndarray = self.blocks.sum(axis=0)
        return found

    @property
    def parities(self) -> tuple[int, int]:
        """Number of modes of even and of odd degree."""
        return self.degrees[::2].sum(), self.degrees[1::2].sum()

    def subsets(self, sets: Sequence[Sequence[int]]) -> list[int]:
        """Return the number of modes of each set of coordinates, which count from 1."""
        if self._modes.total is not None:
            return [self._count([self._degrees[i - 1] for i in S])[len(S)].sum() for S in sets]
        return [prod(self._degrees[i - 1] for i in S) if 0 < len(S) <= self._order else 0 for S in sets]

    @property
    def by_coordinate(self) -> tuple[list[int], list[fmpq]]:
        """Number of modes in which each coordinate is active; the same with modes divided by their order."""
        if self._modes.total is not None:
            parts = [self._degrees[:i] + self._degrees[i + 1 :] for i in range(self.d)]
            active = [self.orders - self._count(rest).sum(axis=1) for rest in parts]
            return (
                [int(each.sum()) for each in active],
                [sum((fmpq(int(x), q) for q, x in enumerate(each[1:], 1)), fmpq(0)) for each in active],
            )

        def extend(e: list[Any], rest: Sequence[int]) -> list[Any]:
            return extend_symmetric(e, rest, self._order - 1)

        others = [[1, *e[1:]] for e in leave_one_out(self._degrees, [None], extend)]
        pairs = list(zip(self._degrees, others, strict=True))
        shared = [sum((fmpq(n * x, k) for k, x in enumerate(e, 1)), fmpq(0)) for n, e in pairs]
        return [n * sum(e) for n, e in pairs], shared


def equal_modes(problem: Problem) -> Indices[fmpq]:
    """Return every index for a classifier whose c_k^2 are equal for all modes except the constant one.

    Parameters
    ----------
    problem : Problem
        Only the modes of its kernel matter. A measure of the indices with k nodes has degrees below k only.

    Returns
    -------
    Indices of fmpq
        Each index is the share of the modes that it counts.

    Raises
    ------
    BadParameter
        If the kernel has infinitely many modes.

    Examples
    --------
    >>> problem = Problem([["0", "0"], ["1", "1"]], [1, -1], n=3, alpha=0, beta=0)
    >>> equal_modes(problem).order  # 6 and 9 of 15
    [0, 2/5, 3/5]
    """
    modes = problem.kernel.modes
    if modes is None:
        rule = "has infinitely many modes, which cannot all have the same share"
        raise BadParameter("kernel", problem.kernel_description, rule, "compare with shuffled labels alone")
    sizes = zip(modes.degrees, problem.index_measures, strict=True)
    limited = (n if measure.size is None else min(n, measure.size - 1) for n, measure in sizes)
    modes = replace(modes, degrees=tuple(limited))
    counting: Any = ModeCounts(modes)
    total = max(1, modes.count - 1)
    table = {}
    for name, index in INDICES.items():
        keys = index.keys(problem.kernel.top_degree or 0, problem.d)
        shares = (x / total if isinstance(x, fmpq) else fmpq(int(x), total) for x in index.sums(counting))
        table[name] = dict(zip(keys, shares, strict=True))
    return Indices(table)


@dataclass(frozen=True, repr=False, eq=False)
class Null(Resampled):
    """The observed indices and those of shuffled labels.

    ``equal`` has the baseline of each column. ``errors`` has a row for the observed labels and one for each
    shuffling: the correctly rounded number is within so many units of the stored one. ``prediction`` compares
    the prediction of rows that were left out, without proof; only ``explain`` and ``audit`` compute it.
    """

    kind: ClassVar[str] = "null"
    samples_label: ClassVar[str] = "shuffled labels"
    by_column: ClassVar[tuple[str, ...]] = ("equal", "errors")
    equal: tuple[float | None, ...] = ()
    errors: np.ndarray | None = None
    prediction: LeftOutPrediction | None = None

    @cached_property
    def _p_family(self) -> list[float]:
        return family_wise(self.observed, self.samples, self.errors)

    def to_json(self) -> StudyRow:
        largest = 0 if self.errors is None else int(self.errors.max(initial=0))
        return super().to_json() | {"largest_error": largest}

    def _complete(self, row: StudyRow, j: int, known: list[int], mean: float, sd: float) -> StudyRow:
        observed = self.observed[j]
        errors = None if self.errors is None else self.errors[:, j]
        bounds = () if errors is None else (errors[1:], int(errors[0]))
        return row | {
            "z": (observed - mean) / sd if known and sd and observed != MISSING else None,
            **p_values(observed, self.samples[:, j], *bounds),
            "p_family": self._p_family[j],
            "equal_modes": self.equal[j],
            "quantiles": self._quantiles(self.columns[j], known),
        }


@takes_models
def null(
    problem: Problem,
    repeats: int = REPEATS,
    seed: int = 1,
    strata: Sequence[Hashable] | None = None,
    **work: Any,
) -> Null:
    """Compare the indices with those of randomly permuted labels.

    Parameters
    ----------
    problem : Problem, audit or fitted model
        The problem whose labels are permuted. A fitted model is followed by its data, as in ``null(model, X,
        y)``; the result has one study for each pair of classes if there are several.
    repeats : int
        Number of permutations.
    seed : int
        Seed of the random numbers.
    strata : sequence, optional
        One value for each point; labels are permuted within equal values.
    **work
        Execution options ``jobs``, ``scheduler``, ``keep`` and ``progress``, see ``Work``.

    Returns
    -------
    Null
        For each number the observed value, its p-values, and mean, sd and quantiles over the permutations.
        ``ties`` counts the permutations that are equal or undecided, and ``open`` those of them whose
        comparison the proved bounds of the values do not decide; all count against significance.
        ``equal_modes`` is None if the kernel has infinitely many modes.

    Examples
    --------
    >>> problem = Problem([["-0.9"], ["-0.4"], ["0.1"], ["0.8"]], [1, 1, -1, -1], n=1, alpha=0, beta=0)
    >>> study = null(problem, repeats=19, seed=1, keep=False)
    >>> study["order", 1]["observed"], study["order", 1]["p"]  # d = 1: only order 1 exists
    (1.0, 1.0)
    """
    require_problem(problem)
    check_repeats(repeats, seed)
    groups = _groups(strata, problem)
    settings = {"repeats": repeats, "seed": seed, "method": "permutation" + " within strata" * bool(strata)}
    base = {"study": "null", "problem": problem.sha256, "seed": seed, "strata": groups}
    text, read = encode_problem(problem), study_columns(problem)
    step = LABELLINGS_PER_TASK
    ends = ((first, min(first + step, repeats)) for first in range(-1, repeats, step))
    keys = [base | {"first": first, "last": last} for first, last in ends]

    def arguments(key: StudyRow) -> tuple[Any, ...]:
        return text, seed, groups, key["first"], key["last"]

    values, errors = (np.zeros((repeats + 1, len(read)), dtype=np.int64) for _ in range(2))
    proofs = [""] * (repeats + 1)
    for key, (rows, bounds, how) in run_tasks(compute_permutations, keys, arguments, Work(**work)):
        some = slice(key["first"] + 1, key["last"] + 1)
        values[some], errors[some], proofs[some] = rows, bounds, how
    baseline: list[Any] = [None] * len(read)
    if problem.kernel.modes is not None:
        equal = equal_modes(problem)
        summary = equal.summary()
        baseline = [float(equal.family(c.name)[c.key]) for c in read if c.name in INDICES]
        baseline += [summary.peak, *summary.threshold.values()]
    return Null(
        describe_problem(problem), settings, read, tuple(values[0].tolist()), values[1:],
        {"proofs": dict(sorted(Counter(proofs[1:]).items()))}, tuple(baseline), errors,
    )  # fmt: skip


def compute_permutations(
    problem: str, seed: int, groups: list[list[int]], first: int, last: int
) -> tuple[list[list[int]], list[list[int]], list[str]]:
    """Return the numbers of some permutations, the bounds of their errors, and how each was proved.

    Number -1 is the observed labels.
    """
    here = worker_engine(problem)
    y, bounds = np.array(here.problem.y), np.array(here.problem.bounds, dtype=object)
    labellings = []
    for repetition in range(first, last):
        order = np.arange(len(y))
        if repetition >= 0:
            random = generator(seed, repetition)
            for group in groups:
                order[group] = random.permutation(group)
        labellings.append((y[order].tolist(), bounds[order].tolist()))
    readings = read_labellings(here, labellings)
    errors = [reading.errors or [0] * len(reading.values) for reading in readings]
    return [reading.values for reading in readings], errors, [reading.proof for reading in readings]


def _groups(strata: Sequence[Hashable] | None, problem: Problem) -> list[list[int]]:
    """Return the points of each stratum."""
    m, y = problem.m, problem.y
    if strata is None:
        return [list(range(m))]
    if len(strata) != m:
        wanted = f"for {pluralize(m, 'point')}"
        raise wrong_count("strata", len(strata), "value", wanted, "pass one for each point")
    found: dict[Hashable, list[int]] = {}
    for i, stratum in enumerate(strata):
        found.setdefault(stratum, []).append(i)
    if all(len({y[i] for i in group}) == 1 for group in found.values()):
        rule = "has points of one class only, so that no permutation changes a label"
        raise BadParameter("strata", "each stratum", rule, "pass larger strata, or none")
    return list(found.values())
