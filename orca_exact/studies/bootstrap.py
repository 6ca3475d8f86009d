"""``bootstrap``: variation of the indices, N* and T_eps over resamples of the data.

A point that is drawn k times enters once, with k times its C_i: the classifier is the same, and the points
stay distinct. The coordinates are scaled by the whole sample, or by each resample with ``rescale_again``. The
jackknife leaves each point out once; a subsample is drawn without replacement. A measure of the indices that
comes from the data, such as the empirical one, is that of the whole sample for every resample: only the
classifier varies. With ``rescale_again`` it is that of each resample, like the scale.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import BadInput, BadParameter
from ..problem import Problem, require_problem
from .engine import MISSING, Reading, read_single, study_columns
from .statistics import bca, percentile
from .study import Resampled, StudyRow, describe_problem
from .subject import takes_models
from .work import Work, batches, check_repeats, encode_problem, generator, run_tasks, worker_engine

METHODS = ("bootstrap", "subsample", "jackknife")
_LEVEL = 0.95
MIN_PER_CLASS = 2  # points of each class that a resample must have
MAX_ATTEMPTS = 1_000  # attempts for one resample


@dataclass(frozen=True, repr=False, eq=False)
class Bootstrap(Resampled):
    """The observed indices and their distribution over resamples."""

    kind: ClassVar[str] = "bootstrap"
    samples_label: ClassVar[str] = "the resamples"
    by_column: ClassVar[tuple[str, ...]] = ("left_out",)
    left_out: np.ndarray | None = None  # the jackknife samples: one row for each point left out

    def _complete(self, row: StudyRow, j: int, known: list[int], mean: float, sd: float) -> StudyRow:
        column, observed, level = self.columns[j], self.observed[j], self.settings["level"]
        if self.settings["method"] == "jackknife":
            m, all_known = len(self.samples), len(known) == len(self.samples) and observed != MISSING
            return row | {
                "bias": (m - 1) * (mean - observed) / column.unit if all_known else None,
                "standard_error": sd * (m - 1) / m**0.5 / column.unit if all_known else None,
            }
        intervals = {"percentile": percentile(known, level)}
        if self.left_out is not None and observed != MISSING:
            jackknife = [x for x in self.left_out[:, j].tolist() if x != MISSING]
            intervals["bca"] = bca(observed, known, jackknife, level)
        return row | {
            name: None if ends is None else [self.value(column, end) for end in ends]
            for name, ends in intervals.items()
        }


@takes_models
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
    """Compute the indices of resamples, with percentile and BCa intervals.

    Parameters
    ----------
    problem : Problem, audit or fitted model
        The problem whose points are resampled. A fitted model is followed by its data, as in
        ``bootstrap(model, X, y)``; the result has one study for each pair of classes if there are several.
    repeats : int
        Number of resamples; the jackknife has one for each point.
    seed : int
        Seed of the random numbers.
    method : {"bootstrap", "subsample", "jackknife"}
        Draw with replacement, draw without replacement, or leave each point out once.
    size : int, optional
        Points in a resample; all of them by default, half of them for a subsample.
    stratified : bool
        Whether each class keeps its share of the points.
    rescale_again : bool
        Whether each resample is rescaled by its own points. Then also a measure of the indices that comes
        from the data is that of the resample; otherwise it is that of the whole sample.
    level : float
        Level of the intervals. It is read as the decimal that it is written as: 0.95 means 19/20.
    **work
        Execution options ``jobs``, ``scheduler``, ``keep`` and ``progress``, see ``Work``.

    Returns
    -------
    Bootstrap
        For each number the observed value, mean, sd and intervals; for the jackknife bias and standard error.

    Examples
    --------
    >>> X = [[x / 8] for x in (-7, -5, -4, -2, 1, 2, 5, 7)]
    >>> problem = Problem(X, [1, 1, 1, 1, -1, -1, 1, -1], n=2, alpha=0, beta=0)
    >>> study = bootstrap(problem, repeats=50, seed=1, keep=False)
    >>> low, high = study["degree", 1]["percentile"]
    >>> 0 <= low <= high <= 1
    True
    """
    require_problem(problem)
    if method not in METHODS:
        raise BadParameter("method", repr(method), "is unknown", "pass one of " + ", ".join(METHODS))
    if not isinstance(level, float) or not 0 < level < 1:
        raise BadParameter("level", repr(level), "is not between 0 and 1", "pass 0.95, for example")
    repeats = problem.m if method == "jackknife" else repeats
    check_repeats(repeats, seed)
    if min(problem.y.count(1), problem.y.count(-1)) < MIN_PER_CLASS:
        rule = f"has only one point, and a resample needs {MIN_PER_CLASS} of each class"
        raise BadParameter("y", "one of the classes", rule, "add points")
    size = _size(size, method, problem.m)
    how: StudyRow = {"method": method, "size": size, "stratified": stratified, "rescale_again": rescale_again}
    base = {"study": "bootstrap", "problem": problem.sha256, "seed": seed, **how}
    text, read = encode_problem(problem), study_columns(problem)
    counts = {method: repeats} | ({"jackknife": problem.m} if method == "bootstrap" else {})
    parts = [
        ("observed", -1, 0),
        *((part, *batch) for part, k in counts.items() for batch in batches(k, problem)),
    ]
    keys = [base | {"part": part, "first": first, "last": last} for part, first, last in parts]

    def arguments(key: StudyRow) -> tuple[Any, ...]:
        return text, seed, key["part"], how, key["first"], key["last"]

    tables = {part: np.empty((count, len(read)), dtype=np.int64) for part, count in counts.items()}
    observed, proofs, redrawn = [], Counter[str](), 0
    for key, (rows, each, again) in run_tasks(compute_resamples, keys, arguments, Work(**work)):
        if key["part"] == "observed":
            (observed,) = rows
            continue
        tables[key["part"]][key["first"] : key["last"]] = rows
        if key["part"] == method:
            proofs.update(each)
            redrawn += again
    return Bootstrap(
        describe_problem(problem), {"repeats": repeats, "seed": seed, "level": level} | how,
        read, tuple(observed), tables[method],
        {"proofs": dict(sorted(proofs.items())), "redrawn": redrawn},
        tables["jackknife"] if method == "bootstrap" else None,
    )  # fmt: skip


def _size(size: int | None, method: str, m: int) -> int:
    if method == "jackknife":
        return m - 1
    if size is None:
        return m if method == "bootstrap" else m // 2
    most = m if method == "subsample" else 10 * m
    if isinstance(size, bool) or not isinstance(size, int) or not 2 * MIN_PER_CLASS <= size <= most:
        least = 2 * MIN_PER_CLASS
        hint = f"pass at most {most}" if isinstance(size, int) and size > most else "leave it out"
        raise BadParameter("size", size, f"is not an integer from {least} to {most}", hint)
    return size


def compute_resamples(
    problem: str, seed: int, part: str, how: StudyRow, first: int, last: int
) -> tuple[list[list[int]], list[str], int]:
    """Return the numbers of some resamples, how each was proved, and how many were redrawn."""
    engine, again = worker_engine(problem), 0
    given, base = Problem.from_json(json.loads(problem)), engine.problem
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
                readings.append(engine.read(base.y, bounds, engine.alpha))
                break
            try:
                readings.append(read_single(resampled_problem(given, times)))
                break
            except BadInput:  # a column is constant in this resample and cannot be rescaled
                if part != how["method"] or part == "jackknife":
                    raise
                again += 1
    return [reading.values for reading in readings], [reading.proof for reading in readings], again


def resampled_problem(problem: Problem, times: np.ndarray) -> Problem:
    """Return the problem of a resample: the points that were drawn, each with ``times`` its C_i."""
    rows = np.flatnonzero(times).tolist()
    C = [problem.bounds[i] * int(times[i]) for i in rows]
    X, y = [problem.X[i] for i in rows], [problem.y[i] for i in rows]
    return problem.replace(X=X, y=y, C=C, under=problem.under)


def draw_resample(random: np.random.Generator, y: np.ndarray, how: StudyRow) -> tuple[np.ndarray, int]:
    """Draw a resample with at least two points of each class.

    Returns how often each point was drawn, and the number of resamples that were rejected before.
    """
    for tries in range(MAX_ATTEMPTS):
        times = np.zeros(len(y), dtype=int)
        groups = (
            [np.flatnonzero(y == label) for label in (1, -1)] if how["stratified"] else [np.arange(len(y))]
        )
        for group in groups:
            size = round(how["size"] * len(group) / len(y))
            chosen = random.choice(group, size, replace=how["method"] == "bootstrap")
            np.add.at(times, chosen, 1)
        if min(np.count_nonzero(times[y == label]) for label in (1, -1)) >= MIN_PER_CLASS:
            return times, tries
    raise BadParameter(
        "resample",
        f"{MAX_ATTEMPTS} attempts in a row",
        f"gave fewer than {MIN_PER_CLASS} points of a class",
        "draw stratified resamples (stratified=True, --stratified)",
    )
