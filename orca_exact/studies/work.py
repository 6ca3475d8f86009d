"""Parallel, cached execution of the tasks of a study.

A task covers a batch of repetitions. Each repetition has its own random stream (``SeedSequence`` with the
number of the repetition as its spawn key), so results do not depend on the number of workers, on the
scheduler or on interruptions. Results of finished tasks are cached; a cache entry that is damaged, or was
written by another version of the code, is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ..errors import BadParameter
from ..files.formats import parse
from ..problem import Problem
from ..runtime import cache
from ..runtime.progress import SlowProgress
from ..runtime.run import run_unordered
from .engine import Engine

REPETITIONS_PER_TASK = 25  # repetitions in one task
MAX_TASK = 10**9  # repetitions of a task times the square of points times columns, so that progress is seen
PARALLEL_THRESHOLD = 4.0  # seconds of estimated work above which worker processes are started
BATCH_SECONDS = 1.0  # of work that a worker gets at once, so that sending it costs little in comparison
MAX_REPEATS = 1_000_000
TaskKey = dict[str, Any]


class Work(NamedTuple):
    """Execution options that every study accepts as keyword arguments.

    ``jobs`` is the number of worker processes, ``scheduler`` the address of a Dask scheduler, ``keep``
    whether results are cached, and ``progress`` a function that receives each progress message; without it,
    work that takes longer than five seconds writes lines to stderr.
    """

    jobs: int = 1
    scheduler: str | None = None
    keep: bool = True
    progress: Callable[[str], object] | None = None


def generator(seed: int, repetition: int) -> np.random.Generator:
    """Return the random generator of one repetition: that of its own child of the seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(repetition,)))


def check_repeats(repeats: Any, seed: Any, least: int = 1) -> None:
    """Raise BadParameter unless both are integers in their ranges."""
    for name, value, low, high in (("repeats", repeats, least, MAX_REPEATS), ("seed", seed, 0, 2**63)):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            hint = "pass 1000, for example" if name == "repeats" else "pass 1, for example"
            raise BadParameter(name, value, f"is not an integer from {low} to {high}", hint)


@lru_cache(maxsize=2)
def worker_engine(problem: str) -> Engine:
    """Return the engine of a problem, cached so that a worker process builds it once for all its tasks."""
    return Engine(Problem.from_json(parse(problem, "problem")))


def encode_problem(problem: Problem) -> str:
    """Serialize a problem for a worker process."""
    return json.dumps(problem.to_json(names=False))


def batches(repeats: int, problem: Problem | None = None) -> list[tuple[int, int]]:
    """Split the repetitions into the half-open ranges of the tasks, which are shorter for a large problem."""
    step = REPETITIONS_PER_TASK
    if problem is not None:
        step = max(1, min(step, MAX_TASK // (problem.m * problem.d) ** 2))
    return [(first, min(first + step, repeats)) for first in range(0, repeats, step)]


def tasks_per_batch(seconds: float, count: int, jobs: int) -> int:
    """Return how many tasks to send to a worker at once.

    A batch takes about ``BATCH_SECONDS``, judging by the time of one task, unless that would leave less than
    four batches for a worker; a cluster has at least two.

    >>> tasks_per_batch(0.01, 1000, 2), tasks_per_batch(0.01, 80, 2), tasks_per_batch(60, 1000, 2)
    (100, 10, 1)
    """
    return max(1, min(round(BATCH_SECONDS / max(seconds, 1e-3)), count // (4 * max(2, jobs))))


def compute_batch(function: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return the results of several tasks in their order."""
    return [function(*each) for each in tasks]


def run_tasks(
    function: Callable[..., Any],
    keys: Sequence[TaskKey],
    arguments: Callable[[TaskKey], tuple[Any, ...]],
    work: Work,
) -> Iterator[tuple[TaskKey, Any]]:
    """Yield (key, result) for each task in any order: from the cache, or computed and then cached.

    The result of a task is ``function(*arguments(key))``, a JSON value. A key must contain everything that
    the result depends on, except the version of the code.
    """
    if work.progress is None:
        with SlowProgress() as slow:
            yield from run_tasks(function, keys, arguments, work._replace(progress=slow))
        return
    report = work.progress
    missing = []
    count = 0

    def cache_key(key: TaskKey) -> TaskKey:
        return key | {"version": cache.code_digest()}

    def tick() -> None:
        report(f"{count} of {len(keys)}")

    for number, key in enumerate(keys):
        entry = cache.load_entry(cache_key(key), lambda found: [found["result"]]) if work.keep else None
        if entry:
            count += 1
            yield key, entry[0]
        else:
            missing.append(number)

    def compute_missing() -> Generator[tuple[int, Any], None, None]:
        left, seconds, jobs = missing, inf, work.jobs
        if left and (jobs > 1 or work.scheduler):
            start = perf_counter()
            yield left[0], function(*arguments(keys[left[0]]))
            seconds, left = perf_counter() - start, left[1:]
            if seconds * len(left) <= PARALLEL_THRESHOLD and not work.scheduler:
                jobs = 1
        size = tasks_per_batch(seconds, len(left), jobs)
        queue = (
            (some, (function, [arguments(keys[number]) for number in some]))
            for some in (left[k : k + size] for k in range(0, len(left), size))
        )
        with closing(run_unordered(compute_batch, queue, jobs, work.scheduler, tick)) as results:
            for some, values in results:
                yield from zip(some, values, strict=True)

    if missing:
        tick()
    with closing(compute_missing()) as results:
        for number, result in results:
            if work.keep:
                cache.store_entry({"key": cache_key(keys[number]), "result": result})
            count += 1
            tick()
            yield keys[number], result
    report("")
