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
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ..errors import BadParameter
from ..files.formats import parse
from ..problem import Problem
from ..runtime import cache
from ..runtime.run import run_unordered
from .engine import Engine

REPETITIONS_PER_TASK = 25  # repetitions in one task
PARALLEL_THRESHOLD = 4.0  # seconds of estimated work above which worker processes are started
MAX_REPEATS = 1_000_000
TaskKey = dict[str, Any]


class Work(NamedTuple):
    """Execution options that every study accepts as keyword arguments.

    ``jobs`` is the number of worker processes, ``scheduler`` the address of a Dask scheduler, ``keep``
    whether results are cached, and ``progress`` a function that receives each progress message.
    """

    jobs: int = 1
    scheduler: str | None = None
    keep: bool = True
    progress: Callable[[str], object] = lambda message: None


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


def batches(repeats: int) -> list[tuple[int, int]]:
    """Split the repetitions into the half-open ranges of the tasks."""
    return [
        (first, min(first + REPETITIONS_PER_TASK, repeats))
        for first in range(0, repeats, REPETITIONS_PER_TASK)
    ]


def run_tasks(
    function: Callable[..., Any], keys: Sequence[TaskKey], arguments: Callable[[TaskKey], tuple], work: Work
) -> Iterator[tuple[TaskKey, Any]]:
    """Yield (key, result) for each task in any order: from the cache, or computed and then cached.

    The result of a task is ``function(*arguments(key))``, a JSON value. A key must contain everything that
    the result depends on, except the version of the code.
    """
    missing = []
    count = 0

    def cache_key(key: TaskKey) -> TaskKey:
        return key | {"version": cache.code_digest()}

    def tick() -> None:
        work.progress(f"{count} of {len(keys)}")

    for number, key in enumerate(keys):
        entry = cache.load_entry(cache_key(key), lambda found: [found["result"]]) if work.keep else None
        if entry:
            count += 1
            yield key, entry[0]
        else:
            missing.append(number)

    def compute_missing() -> Generator[tuple[int, Any], None, None]:
        queue, jobs = ((number, arguments(keys[number])) for number in missing), work.jobs
        if jobs > 1 and work.scheduler is None and (first := next(queue, None)):
            start = perf_counter()
            yield first[0], function(*first[1])
            jobs = jobs if (perf_counter() - start) * (len(missing) - 1) > PARALLEL_THRESHOLD else 1
        with closing(run_unordered(function, queue, jobs, work.scheduler, tick)) as results:
            yield from results

    if missing:
        tick()
    with closing(compute_missing()) as results:
        for number, result in results:
            if work.keep:
                cache.store_entry({"key": cache_key(keys[number]), "result": result})
            count += 1
            tick()
            yield keys[number], result
    work.progress("")
