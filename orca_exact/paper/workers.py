"""Work in several processes, which end with whoever asked for it.

A terminal sends Ctrl-C to all of them: only the one who asked hears it, and ends the others. If that one is
killed, they see it and leave. What they stored in the cache by then stays.
"""

from __future__ import annotations

import os
import signal
from _thread import start_new_thread
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from time import monotonic
from traceback import format_exc
from types import FrameType
from typing import Any, TypeVar

from ..errors import SolverFailed
from ..formats import write

TICK = 1.0  # seconds
GRACE = 0.3  # seconds in which a worker leaves by itself

K = TypeVar("K")
T = TypeVar("T")


def unordered(
    function: Callable[..., T],
    tasks: Mapping[K, tuple],
    jobs: int,
    tick: Callable[[], object] = lambda: None,
) -> Generator[tuple[K, T], None, None]:
    """(key, function(*task)) for every task as it is done; closing this ends the workers.

    ``tick`` is called every second in which nothing is done.
    """
    context, queue = get_context("spawn"), iter(tasks.items())
    workers: dict[Any, Any] = {}
    doing: dict[Any, K] = {}

    def give(line: Connection) -> None:
        if (task := next(queue, None)) is not None:
            doing[line], given = task
            line.send(given)

    try:
        for _ in range(min(jobs, len(tasks))):
            line, end = context.Pipe()
            process = context.Process(target=_work, args=(end, function), daemon=True)
            with _deaf(), end:
                process.start()
            workers[line] = process
            give(line)
        while doing:
            ready: list[Any] = wait(list(doing), TICK)
            if not ready:
                tick()
            for line in ready:
                key, (done, value) = doing.pop(line), line.recv()
                if not done:
                    raise value
                give(line)
                yield key, value
    except (EOFError, ConnectionError):
        _end(workers.values())
        codes = ", ".join(str(process.exitcode) for process in workers.values())
        raise SolverFailed(f"a worker process was ended (exit codes {codes}); try -j 1") from None
    finally:
        _end(workers.values())


@contextmanager
def _deaf() -> Iterator[None]:
    """A process started here never hears Ctrl-C; who starts it hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # else it is started within, and lifts the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(workers: Any) -> None:
    for worker in workers:
        worker.terminate()
    deadline = monotonic() + GRACE
    for worker in workers:
        worker.join(max(0, deadline - monotonic()))
        worker.kill()
        worker.join()


# In a worker.


def _work(line: Connection, function: Callable) -> None:
    signal.signal(signal.SIGTERM, _leave)
    start_new_thread(_follow, ())
    with suppress(EOFError, ConnectionError, SystemExit):
        while True:
            given = line.recv()
            try:
                answer = True, function(*given)
            except Exception as error:
                error.add_note(format_exc())
                answer = False, error
            line.send(answer)
    os._exit(0)


def _leave(number: int, frame: FrameType | None) -> None:
    """At once, but for a file that is being written: its part is removed first."""
    signal.signal(number, signal.SIG_IGN)
    while frame is not None and frame.f_code is not write.__code__:
        frame = frame.f_back
    if frame is None:
        os._exit(0)
    raise SystemExit


def _follow() -> None:
    wait([parent_process().sentinel])  # type: ignore[union-attr]
    os.kill(os.getpid(), signal.SIGTERM)
