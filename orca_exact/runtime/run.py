"""Parallel execution of tasks in one process, in several processes or on a cluster, by joblib.

The results are the same in each case. A terminal sends SIGINT to all processes: only the parent process
handles it, and ends the workers. If the parent is killed, the workers notice it and exit. The workers of a
cluster keep running when the tasks are done.
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
from typing import Any, TypeVar, cast

from ..errors import SolverFailed
from ..files import formats
from .cluster import connect

TICK = 1.0  # seconds between two calls of ``tick``
POLL = 0.02  # seconds
_GRACE = 0.1  # seconds in which a worker can finish the file that it is writing
MAX_PENDING = 10_000  # the largest number of tasks that are started but whose results are not consumed yet

K = TypeVar("K")
T = TypeVar("T")


def run_unordered(
    function: Callable[..., T],
    tasks: Iterable[tuple[K, tuple[Any, ...]]] | Mapping[K, tuple[Any, ...]],
    jobs: int = 1,
    scheduler: str | None = None,
    tick: Callable[[], object] = lambda: None,
) -> Generator[tuple[K, T], None, None]:
    """Yield (key, function(*arguments)) for every task, in the order in which they finish.

    Closing the generator ends the workers.

    Parameters
    ----------
    function : callable
        The function to call, which the workers must be able to import.
    tasks : mapping or iterable of pairs
        The arguments by key. An iterable is only consumed as far as needed, and may be endless.
    jobs : int
        The number of processes.
    scheduler : str, optional
        The address of a Dask cluster, which is used instead of ``jobs`` processes.
    tick : callable
        Called after every second without a result.

    Yields
    ------
    tuple
        The key of a task and the value that the function returned.

    Examples
    --------
    >>> sorted(run_unordered(pow, {"a": (2, 3), "b": (3, 2)}))
    [('a', 8), ('b', 9)]
    """
    given = tasks.items() if isinstance(tasks, Mapping) else tasks
    queue = iter(cast(Iterable[tuple[K, tuple[Any, ...]]], given))
    number = len(tasks) if isinstance(tasks, Sized) else jobs
    if not number or (scheduler is None and min(jobs, number) <= 1):
        for key, arguments in queue:
            yield key, function(*arguments)
        return
    run = _Run(function, queue)
    with _processes(run, min(jobs, number)) if scheduler is None else _cluster(run, scheduler) as check:
        while (result := run.next_result(check, tick)) is not None:
            yield result


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


class _Run:
    """One parallel run.

    joblib runs in a thread of its own, so that Ctrl-C interrupts the waiting main thread and never joblib
    while it holds a lock.
    """

    def __init__(self, function: Callable[..., Any], queue: Iterator[tuple[Any, tuple[Any, ...]]]):
        self.function, self.queue, self.code = function, queue, ""
        self.results: SimpleQueue[tuple[Any, Any, BaseException | None] | None] = SimpleQueue()
        self.stopped, self.finished = Event(), False
        self.started = self.consumed = 0  # numbers of tasks
        self.thread = Thread(target=self._work, daemon=True)

    def start(self, config: Any, **options: Any) -> None:
        """Start joblib with a ``joblib.parallel_config``."""
        from joblib import Parallel

        with config:
            self.parallel = Parallel(
                return_as="generator_unordered", batch_size=1, max_nbytes=None, **options
            )
        self.thread.start()

    def next_result(self, *while_waiting: Callable[[], object]) -> tuple[Any, Any] | None:
        """Return the next (key, value), or None at the end; call ``while_waiting`` every second."""
        while True:
            try:
                result = self.results.get(timeout=TICK)
            except Empty:
                for call in while_waiting:
                    call()
                continue
            if result is None:
                return None
            self.consumed += 1
            key, value, error = result
            if error is not None:
                raise error
            return key, value

    def fail(self, error: BaseException) -> None:
        """Raise an error as the next result."""
        self.results.put((None, None, error))

    def stop(self) -> None:
        """Let joblib cancel the remaining tasks and kill the processes that it started."""
        self.stopped.set()
        if self.thread.ident:
            self.parallel.timeout = 0
            self.thread.join()

    def _work(self) -> None:
        if sys.platform != "win32":  # processes started from this thread never receive SIGINT
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            while not self.stopped.is_set() and (task := next(self.queue, None)) is not None:
                for result in self.parallel(self._tasks(task)):
                    self.results.put(result)
                while self.started - self.consumed > MAX_PENDING // 2 and not self.stopped.is_set():
                    time.sleep(POLL)
            self.finished = True
            self.results.put(None)
        except BaseException as error:
            self.fail(_explain(error))

    def _tasks(self, task: tuple[Any, tuple[Any, ...]] | None) -> Iterator[Any]:
        """Yield tasks until ``MAX_PENDING`` results wait for the consumer, for which joblib does not wait."""
        from joblib import delayed

        while task is not None:
            self.started += 1
            yield delayed(_run_task)((*task, self.function, self.code))  # Dask does not scatter a tuple
            last = self.stopped.is_set() or self.started - self.consumed >= MAX_PENDING
            task = None if last else next(self.queue, None)


def _explain(error: BaseException) -> BaseException:
    """Return SolverFailed if a worker process ended unexpectedly, else the error itself."""
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    if not isinstance(error, TerminatedWorkerError):
        return error
    codes = ", ".join(re.findall(r"\w+\(-?\d+\)", str(error)))
    return SolverFailed(f"a worker process ended unexpectedly (exit codes: {codes or 'unknown'}); try -j 1")


# Processes of this machine.


@contextmanager
def _processes(run: _Run, jobs: int) -> Iterator[Callable[[], object]]:
    from multiprocessing import active_children, resource_tracker

    from joblib import parallel_config
    from joblib.externals import loky

    sys.warnoptions.append("ignore:resource_tracker")  # no warning when a tracker cleans up after a kill
    if sys.platform != "win32":  # where joblib does not use this tracker, and Python cannot start it
        resource_tracker.ensure_running()  # otherwise joblib starts the trackers, which unblock SIGINT
    loky.backend.resource_tracker.ensure_running()
    sys.warnoptions.pop()
    before = set(active_children())
    workers = {"initializer": _initialize_worker, "initargs": (os.getpid(),)}
    try:
        run.start(parallel_config("loky", n_jobs=jobs, inner_max_num_threads=1, **workers))
        yield run.stopped.is_set
    finally:
        run.stopped.set()
        if not run.finished:
            for worker in set(active_children()) - before:
                worker.terminate()
            time.sleep(_GRACE)
        run.stop()
        if run.finished:
            loky.get_reusable_executor(reuse=True).shutdown(kill_workers=True)


def _initialize_worker(parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":  # where terminate() ends a process without calling a handler
        for number in (signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, partial(_exit_after_writing, parent))
    Thread(target=_follow_parent, args=(parent,), daemon=True).start()


def _exit_after_writing(parent: int, number: int, frame: FrameType | None) -> None:
    """Handle SIGTERM in a worker: finish the file that is being written, then wait to be killed.

    The worker does not exit while the parent lives, as loky would then kill the other workers at once.
    """
    if sys.platform != "win32" and formats.is_writing():
        signal.setitimer(signal.ITIMER_REAL, POLL)
        return
    while os.getppid() == parent:
        time.sleep(POLL)
    os._exit(0)


def _follow_parent(parent: int) -> None:
    """End this worker when its parent has ended (on Windows, getppid does not change then).

    The file that is being written is finished first. A signal would not do on Windows: os.kill ends a
    process at once, and a main thread that waits for a task does not run a handler.
    """
    import psutil

    while os.getppid() == parent and psutil.pid_exists(parent):
        time.sleep(10 * POLL)
    while formats.is_writing():
        time.sleep(POLL)
    os._exit(0)


# A cluster.

_CLUSTER_RUNS: set[_Run] = set()


@contextmanager
def _cluster(run: _Run, address: str) -> Iterator[Callable[[], object]]:
    from joblib import parallel_config

    from .cache import code_digest

    with connect(address, run.fail) as client:
        try:
            run.code = code_digest()
            _CLUSTER_RUNS.add(run)
            run.start(parallel_config("dask", client=client), pre_dispatch="100 + 2*n_jobs")
            yield client.require_workers
        finally:
            _CLUSTER_RUNS.discard(run)
            run.stop()


# In a worker.

_LOCK = Lock()  # the precision of balls is a global of the process, and a Dask worker has several threads


def _run_task(
    task: tuple[Any, tuple[Any, ...], Callable[..., Any], str],
) -> tuple[Any, Any, Exception | None]:
    """Return the key of a task, its value, and the exception that it raised or None."""
    key, arguments, function, expected_code = task
    try:
        if expected_code:
            from .cache import code_digest  # imports flint

            if expected_code != code_digest():
                versions = f"{code_digest()} instead of {expected_code}"
                raise SolverFailed(f"a worker has orca-exact {versions}; install the same version there")
            if _CLUSTER_RUNS:
                raise SolverFailed("a worker is a thread of this process; start it as a separate process")
        with _LOCK:
            return key, function(*arguments), None
    except Exception as error:
        error.add_note(format_exc())
        return key, None, error
