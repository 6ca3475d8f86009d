"""``bootstrap``: how the indices, N* and T_eps move with the sample.

A point drawn k times is one point with k times its C_i: the classifier is the same, and the points stay
apart. The scale of the coordinates is that of the whole sample, unless ``rescale_again`` asks for each
resample's own. The jackknife leaves each point out once; a subsample draws without repetition.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import BadInput, BadParameter
from ..problem import Problem
from .engine import MISSING, Column, Reading, read_single, study_columns
from .statistics import bca, mean_sd, percentile
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

METHODS = ("bootstrap", "subsample", "jackknife")
_LEVEL = 0.95
LEAST = 2  # of each class in a resample
REDRAWN = 1_000  # times for one resample


@dataclass(frozen=True, repr=False, eq=False)
class Bootstrap(Resampled):
    """The observed indices, and their distribution over resamples."""

    others: ClassVar[str] = "the resamples"
    left_out: np.ndarray | None = None  # the jackknife: a row for each point left out

    def statistics(self) -> list[StudyRow]:
        return [self._one(j, column) for j, column in enumerate(self.columns)]

    def _one(self, j: int, column: Column) -> StudyRow:
        known, observed, level = self.sample(column), self.observed[j], self.settings["level"]
        mean, sd = mean_sd(known) if known else (0.0, 0.0)
        row: StudyRow = {
            "observed": self.value(column, observed),
            "mean": self.value(column, mean) if known else None,
            "sd": self.value(column, sd) if known else None,
        }
        if self.settings["method"] == "jackknife":
            m, all_known = len(self.samples), len(known) == len(self.samples) and observed != MISSING
            return row | {
                "bias": (m - 1) * (mean - observed) / column.unit if all_known else None,
                "standard_error": sd * (m - 1) / m**0.5 / column.unit if all_known else None,
            }
        intervals = {"percentile": percentile(known, level)}
        if self.left_out is not None and observed != MISSING:
            others = [x for x in self.left_out[:, j].tolist() if x != MISSING]
            intervals["bca"] = bca(observed, known, others, level)
        return row | {
            name: None if ends is None else [self.value(column, end) for end in ends]
            for name, ends in intervals.items()
        }


def bootstrap(
    problem: Problem,
    repeats: int = 200,
    seed: int = 1,
    method: str = "bootstrap",
    size: int | None = None,
    stratified: bool = False,
    rescale_again: bool = False,
    level: float = _LEVEL,
    **work: Any,
) -> Bootstrap:
    """The indices of ``repeats`` resamples, with percentile and BCa intervals.

    ``method``: bootstrap, subsample (of ``size`` points, by default half of them), jackknife (each point
    left out once). ``stratified``: each class keeps its size. ``level``: of the intervals, as the decimal it
    is written as, so that 0.95 means 19/20. ``jobs``, ``scheduler``, ``keep``,
    ``progress``: see ``Work``.

    >>> X = [[x / 8] for x in (-7, -5, -4, -2, 1, 2, 5, 7)]
    >>> problem = Problem(X, [1, 1, 1, 1, -1, -1, 1, -1], n=2, alpha=0, beta=0)
    >>> study = bootstrap(problem, repeats=50, seed=1, keep=False)
    >>> low, high = study["degree", 1]["percentile"]
    >>> 0 <= low <= high <= 1
    True
    """
    if method not in METHODS:
        raise BadParameter("method", repr(method), "is unknown", "take " + ", ".join(METHODS))
    if not 0 < level < 1:
        raise BadParameter("level", level, "is not between 0 and 1", "take 0.95")
    repeats = problem.m if method == "jackknife" else repeats
    check_repeats(repeats, seed)
    if min(problem.y.count(1), problem.y.count(-1)) < LEAST:
        raise BadParameter("y", "one point", f"is all of a class, where {LEAST} are needed", "add points")
    size = _size(size, method, problem.m)
    how: StudyRow = {"method": method, "size": size, "stratified": stratified, "rescale_again": rescale_again}
    base = {"study": "bootstrap", "problem": problem.sha256, "seed": seed, **how}
    text, read = encode_problem(problem), study_columns(problem)
    sizes = {method: repeats} | ({"jackknife": problem.m} if method == "bootstrap" else {})

    def task(part: tuple[str, int]) -> tuple[StudyRow, tuple]:
        name, first = part
        last = min(first + PIECE, sizes[name]) if first >= 0 else 0
        key = {"part": name if first >= 0 else "observed", "first": first, "last": last}
        return base | key, (text, seed, key["part"], how, first, last)

    starts = [(method, -1), *((name, first) for name, size in sizes.items() for first in task_starts(size))]
    tables = {name: np.empty((size, len(read)), dtype=np.int64) for name, size in sizes.items()}
    observed, proofs, redrawn = [], Counter[str](), 0
    for key, (rows, each, again) in run_tasks(compute_resamples, Tasks(starts, task), Work(**work)):
        if key["part"] == "observed":
            (observed,) = rows
            continue
        tables[key["part"]][key["first"] : key["last"]] = rows
        if key["part"] == method:
            proofs.update(each)
            redrawn += again
    counts = {"proofs": dict(sorted(proofs.items())), "redrawn": redrawn}
    return Bootstrap(
        "bootstrap", describe_problem(problem), {"repeats": repeats, "seed": seed, "level": level} | how,
        read, tuple(observed), tables[method], counts, tables["jackknife"] if method == "bootstrap" else None,
    )  # fmt: skip


def _size(size: int | None, method: str, m: int) -> int:
    if method == "jackknife":
        return m - 1
    if size is None:
        return m if method == "bootstrap" else m // 2
    most = m if method == "subsample" else 10 * m
    if isinstance(size, bool) or not isinstance(size, int) or not 2 * LEAST <= size <= most:
        raise BadParameter("size", size, f"is not from {2 * LEAST} to {most}", "leave it out")
    return size


def compute_resamples(
    problem: str, seed: int, part: str, how: StudyRow, first: int, last: int
) -> tuple[list[list[int]], list[str], int]:
    """Some resamples, each with its own seed, and how often one was drawn again."""
    here, again = worker_engine(problem), 0
    given, base = Problem.from_json(json.loads(problem)), here.problem
    y, m = np.array(base.y), base.m
    readings: list[Reading] = []
    for repetition in range(first, last):
        random = generator(seed, max(0, repetition))
        while True:
            if part == "observed":
                times = np.ones(m, dtype=int)
            elif part == "jackknife":
                times = (np.arange(m) != repetition).astype(int)
            else:
                times, tries = draw_resample(random, y, how)
                again += tries
            if not how["rescale_again"]:
                bounds = [bound * int(k) for bound, k in zip(base.bounds, times, strict=True)]
                readings.append(here.read(base.y, bounds, here.alpha))
                break
            try:
                readings.append(read_single(resampled_problem(given, times)))
                break
            except BadInput:  # a column that is constant in this resample has no scale
                if part != how["method"] or part == "jackknife":
                    raise
                again += 1
    return [reading.values for reading in readings], [reading.proof for reading in readings], again


def resampled_problem(problem: Problem, times: np.ndarray) -> Problem:
    """The points that are in a resample, each with as many times its C_i."""
    rows = np.flatnonzero(times).tolist()
    C = [problem.bounds[i] * int(times[i]) for i in rows]
    return problem.replace(X=[problem.X[i] for i in rows], y=[problem.y[i] for i in rows], C=C)


def draw_resample(random: np.random.Generator, y: np.ndarray, how: StudyRow) -> tuple[np.ndarray, int]:
    """How often each point is in the resample; and how many were drawn before one with two of each class."""
    for tries in range(REDRAWN):
        times = np.zeros(len(y), dtype=int)
        groups = (
            [np.flatnonzero(y == label) for label in (1, -1)] if how["stratified"] else [np.arange(len(y))]
        )
        for group in groups:
            size = round(how["size"] * len(group) / len(y))
            chosen = random.choice(group, size, replace=how["method"] == "bootstrap")
            np.add.at(times, chosen, 1)
        if min(np.count_nonzero(times[y == label]) for label in (1, -1)) >= LEAST:
            return times, tries
    raise BadParameter(
        "resample", f"{REDRAWN} in a row", f"have fewer than {LEAST} points of a class", "take --stratified"
    )
