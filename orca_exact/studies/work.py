"""How a study is computed: in pieces that do not depend on who computes them, kept as they are done.

A piece is some repetitions, each with a seed of its own (``SeedSequence`` with the number of the repetition
as its key), so that results are the same for any number of workers, any backend, and after an interruption.
Finished pieces are in the cache; what is there but damaged, or of another version, is computed again.
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

PIECE = 25  # repetitions
WORTH = 4.0  # seconds of work for which processes are started
MAX_REPEATS = 1_000_000


class Work(NamedTuple):
    """Where to compute, what to keep, whom to tell."""

    jobs: int = 1
    scheduler: str | None = None
    keep: bool = True
    progress: Callable[[str], object] = lambda message: None


def generator(seed: int, repetition: int) -> np.random.Generator:
    """The random numbers of one repetition: those of its own child of the seed."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(repetition,)))


def check_repeats(repeats: Any, seed: Any, least: int = 1) -> None:
    """BadParameter where these are no numbers of repetitions and no seed."""
    for name, value, low, high in (("repeats", repeats, least, MAX_REPEATS), ("seed", seed, 0, 2**63)):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            hint = "take 1000" if name == "repeats" else "take 1"
            raise BadParameter(name, value, f"is not an integer from {low} to {high}", hint)


@lru_cache(maxsize=2)
def worker_engine(problem: str) -> Engine:
    """In a worker: the parts that do not depend on the labels are computed once for all its pieces."""
    return Engine(Problem.from_json(parse(problem, "problem")))


def encode_problem(problem: Problem) -> str:
    """A problem as it is sent."""
    return json.dumps(problem.to_json(names=False))


def task_starts(repeats: int) -> range:
    """Where each piece begins."""
    return range(0, repeats, PIECE)


class Tasks(Sequence):
    """Made when they are asked for: a million of them take no memory."""

    def __init__(self, of: Sequence[Any], make: Callable[[Any], tuple[dict[str, Any], tuple]]):
        self._of, self._make = of, make

    def __len__(self) -> int:
        return len(self._of)

    def __getitem__(self, number: Any) -> Any:
        return self._make(self._of[number])


def run_tasks(
    function: Callable[..., Any], tasks: Sequence[tuple[dict[str, Any], tuple]], work: Work
) -> Iterator[tuple[dict[str, Any], Any]]:
    """(key, result) for each task, in no order: from the cache, or computed and kept there.

    A key names all that the result depends on but the code; results are JSON.
    """
    missing = []
    count = 0

    def full(key: dict[str, Any]) -> dict[str, Any]:
        return key | {"version": cache.code_digest()}

    def tick() -> None:
        work.progress(f"{count} of {len(tasks)}")

    for number, (key, _) in enumerate(tasks):
        entry = cache.load_entry(full(key), lambda found: [found["result"]]) if work.keep else None
        if entry:
            count += 1
            yield key, entry[0]
        else:
            missing.append(number)

    def worked() -> Generator[tuple[int, Any], None, None]:
        queue, jobs = ((number, tasks[number][1]) for number in missing), work.jobs
        if jobs > 1 and work.scheduler is None and (first := next(queue, None)):
            start = perf_counter()
            yield first[0], function(*first[1])
            jobs = jobs if (perf_counter() - start) * (len(missing) - 1) > WORTH else 1
        with closing(run_unordered(function, queue, jobs, work.scheduler, tick)) as results:
            yield from results

    if missing:
        tick()
    with closing(worked()) as results:
        for number, result in results:
            key = tasks[number][0]
            if work.keep:
                cache.store_entry({"key": full(key), "result": result})
            count += 1
            tick()
            yield key, result
    work.progress("")
