"""Work in one process, in several, or on a cluster, by joblib: the same results from each.

A terminal sends Ctrl-C to all processes: only the one who asked hears it, and ends the others. If that one is
killed, they see it and leave. Workers of a cluster are only asked: they stay when the work is done.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from traceback import format_exc
from types import FrameType
from typing import Any, TypeVar

from ..errors import SolverFailed
from ..files import formats
from .cluster import connect

TICK = 1.0  # seconds
POLL = 0.02  # seconds
_GRACE = 0.1  # seconds in which a worker finishes the file that it writes
AHEAD = 10_000  # results that nobody has read yet; beyond, no task is begun

K = TypeVar("K")
T = TypeVar("T")


def run_unordered(
    function: Callable[..., T],
    tasks: Iterable[tuple[K, tuple]] | Mapping[K, tuple],
    jobs: int = 1,
    scheduler: str | None = None,
    tick: Callable[[], object] = lambda: None,
) -> Generator[tuple[K, T], None, None]:
    """(key, function(*task)) for every task as it is done; closing this ends the workers.

    Tasks are taken when they are needed, not before. ``scheduler`` is the address of a Dask cluster, which
    works instead of ``jobs`` processes. ``tick`` is called every second in which nothing is done.

    >>> sorted(run_unordered(pow, {"a": (2, 3), "b": (3, 2)}))
    [('a', 8), ('b', 9)]
    """
    queue = iter(tasks.items() if isinstance(tasks, Mapping) else tasks)
    number = len(tasks) if isinstance(tasks, Sized) else jobs
    if not number or (scheduler is None and min(jobs, number) <= 1):
        for key, task in queue:
            yield key, function(*task)
        return
    run = _Run(function, queue)
    with _processes(run, min(jobs, number)) if scheduler is None else _cluster(run, scheduler) as watch:
        while (answer := run.next(watch, tick)) is not None:
            yield answer


def processors() -> int:
    """How many processes can work at once here."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class _Run:
    """joblib works in a thread of its own: Ctrl-C interrupts waiting, never what is between its locks."""

    def __init__(self, function: Callable, queue: Iterator[tuple[Any, tuple]]):
        self.function, self.queue, self.code = function, queue, ""
        self.answers: SimpleQueue[tuple[Any, Any, BaseException | None] | None] = SimpleQueue()
        self.over, self.done = Event(), False
        self.begun = self.read = 0
        self.thread = Thread(target=self._work, daemon=True)

    def start(self, config: Any, **how: Any) -> None:
        """Within a ``joblib.parallel_config``."""
        from joblib import Parallel

        with config:
            self.parallel = Parallel(return_as="generator_unordered", batch_size=1, max_nbytes=None, **how)
        self.thread.start()

    def next(self, *waiting: Callable[[], object]) -> tuple[Any, Any] | None:
        """The next answer, None at the end."""
        while True:
            try:
                answer = self.answers.get(timeout=TICK)
            except Empty:
                for call in waiting:
                    call()
                continue
            if answer is None:
                return None
            self.read += 1
            key, value, error = answer
            if error is not None:
                raise error
            return key, value

    def fail(self, error: BaseException) -> None:
        """The next answer."""
        self.answers.put((None, None, error))

    def end(self) -> None:
        """joblib gives up what it waits for, and kills the processes that it started."""
        self.over.set()
        if self.thread.ident:
            self.parallel.timeout = 0
            self.thread.join()

    def _work(self) -> None:
        if hasattr(signal, "pthread_sigmask"):  # processes started from this thread never hear Ctrl-C
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            while not self.over.is_set() and (task := next(self.queue, None)) is not None:
                for answer in self.parallel(self._some(task)):
                    self.answers.put(answer)
                while self.begun - self.read > AHEAD // 2 and not self.over.is_set():
                    time.sleep(POLL)
            self.done = True
            self.answers.put(None)
        except BaseException as error:
            self.fail(_told(error))

    def _some(self, task: tuple[Any, tuple] | None) -> Iterator[Any]:
        """joblib does not wait for whoever reads: it is given no more than can be kept."""
        from joblib import delayed

        while task is not None:
            self.begun += 1
            yield delayed(_answer)((*task, self.function, self.code))  # one tuple: Dask scatters no tuples
            last = self.over.is_set() or self.begun - self.read >= AHEAD
            task = None if last else next(self.queue, None)


def _told(error: BaseException) -> BaseException:
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    if not isinstance(error, TerminatedWorkerError):
        return error
    codes = ", ".join(re.findall(r"\w+\(-?\d+\)", str(error)))
    return SolverFailed(f"a worker process was ended (exit codes: {codes or 'unknown'}); try -j 1")


# Processes of this machine.


@contextmanager
def _processes(run: _Run, jobs: int) -> Iterator[Callable[[], object]]:
    from multiprocessing import active_children, resource_tracker

    from joblib import parallel_config
    from joblib.externals import loky

    sys.warnoptions.append("ignore:resource_tracker")  # they tidy up after us; who is killed need not hear it
    resource_tracker.ensure_running()  # else they are started within, and lift the mask
    loky.backend.resource_tracker.ensure_running()
    sys.warnoptions.pop()
    before = set(active_children())
    try:
        run.start(
            parallel_config(
                "loky", n_jobs=jobs, inner_max_num_threads=1, initializer=_begin, initargs=(os.getpid(),)
            )
        )
        yield run.over.is_set
    finally:
        run.over.set()
        if not run.done:
            for worker in set(active_children()) - before:
                worker.terminate()
            time.sleep(_GRACE)
        run.end()
        if run.done:
            loky.get_reusable_executor(reuse=True).shutdown(kill_workers=True)


def _begin(parent: int) -> None:
    """In a worker, first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in {signal.SIGTERM, getattr(signal, "SIGALRM", signal.SIGTERM)}:
        signal.signal(number, partial(_leave, parent))
    Thread(target=_follow, args=(parent,), daemon=True).start()


def _leave(parent: int, number: int, frame: FrameType | None) -> None:
    """When no file is being written: wait to be killed. (When one leaves, loky kills the others at once.)"""
    if formats.writing():
        signal.setitimer(signal.ITIMER_REAL, POLL)
        return
    while os.getppid() == parent:
        time.sleep(POLL)
    os._exit(0)


def _follow(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(10 * POLL)
    os.kill(os.getpid(), signal.SIGTERM)


# A cluster.

_ASKING: set[_Run] = set()


@contextmanager
def _cluster(run: _Run, address: str) -> Iterator[Callable[[], object]]:
    from joblib import parallel_config

    from .cache import code_digest

    with connect(address, run.fail) as client:
        try:
            run.code = code_digest()
            _ASKING.add(run)
            run.start(parallel_config("dask", client=client), pre_dispatch="100 + 2*n_jobs")
            yield client.watch
        finally:
            _ASKING.discard(run)
            run.end()


# In a worker.

_ALONE = Lock()  # the precision of balls belongs to a process, and a Dask worker has threads


def _answer(given: tuple) -> tuple[Any, Any, Exception | None]:
    key, task, function, asked = given
    try:
        if asked:
            from .cache import code_digest  # and flint with it

            if asked != code_digest():
                raise SolverFailed(
                    f"a worker has orca-exact {code_digest()}, not {asked}; install the same there"
                )
        if asked and _ASKING:
            raise SolverFailed("a worker is a thread of this process; start it as a process of its own")
        with _ALONE:
            return key, function(*task), None
    except Exception as error:
        error.add_note(format_exc())
        return key, None, error
