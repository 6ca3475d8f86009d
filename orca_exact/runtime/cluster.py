"""Connections to a Dask cluster, for use by joblib."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from time import monotonic
from typing import Any

from ..errors import BadParameter, OrcaError, SolverFailed, install_command, shorten

CONNECT_TIMEOUT = 5.0  # seconds in which a scheduler must answer, and must have a worker
LOST_TIMEOUT = 60.0  # seconds without any worker after which a run fails
START_SCHEDULER = "start 'dask scheduler' and give the address that it prints, such as tcp://127.0.0.1:8786"


def require_cluster(address: str) -> None:
    """Raise an error if there is no working cluster at the address."""
    with connect(address):
        pass


@contextmanager
def connect(address: str, on_failure: Callable[[OrcaError], object] = id) -> Iterator[Any]:
    """Connect to a scheduler and yield a client; ``on_failure`` is called with an error if a task is lost."""
    try:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port
        from distributed.utils import silence_logging_cmgr
    except ImportError:
        hint = f"run {install_command('orca-exact[distributed]')}"
        raise BadParameter("--scheduler", address, "needs the package distributed", hint) from None

    def report_failure(future: Any) -> None:
        if future.status not in ("error", "cancelled"):  # "lost": the result was on a worker that died
            return
        why = "the connection was lost"
        if future.status == "error":
            cause = future.exception().__cause__ or future.exception()
            why = shorten(" ".join(f"{type(cause).__name__}: {cause}".split()), 160)
        on_failure(_error(address, why, "read the logs of the scheduler and its workers"))

    class MonitoredClient(Client):
        """A client that reports lost tasks, which joblib does not notice."""

        last_seen = 0.0  # when there were workers

        def submit(self, *args: Any, **options: Any) -> Any:
            future = super().submit(*args, **options)
            future.add_done_callback(report_failure)  # type: ignore[no-untyped-call]
            return future

        def ncores(self, *args: Any, **options: Any) -> dict[str, int]:
            """Return at least 2, as joblib would otherwise run the tasks in this process."""
            return {"processes": max(2, self.count_workers())}

        def count_workers(self) -> int:
            workers: Any = self.nthreads()  # type: ignore[no-untyped-call]
            return len(workers)

        def require_workers(self) -> None:
            """Raise an error if there have been no workers for ``LOST_TIMEOUT`` seconds."""
            with suppress(OSError):  # in that case the tasks are lost, which is reported
                if self.count_workers():
                    self.last_seen = monotonic()
            if monotonic() - self.last_seen > LOST_TIMEOUT:
                why = f"it has had no workers for {LOST_TIMEOUT:g} s"
                raise _error(address, why, "start workers and run this again")

        def __del__(self) -> None:
            """Do nothing: ``connect`` closes the client, and one that never connected cannot be closed."""

    with silence_logging_cmgr("CRITICAL"):
        try:
            get_address_host_port(address or " ")
        except ValueError as error:
            raise BadParameter(
                "--scheduler", repr(address), f"is not an address ({error})", START_SCHEDULER
            ) from None
        client = _with_timeout(
            lambda: MonitoredClient(  # type: ignore[no-untyped-call]
                address, timeout=CONNECT_TIMEOUT, set_as_default=False
            ),
            address,
        )
        try:
            with suppress(TimeoutError):
                client.wait_for_workers(1, timeout=CONNECT_TIMEOUT)
            if not client.count_workers():
                raise _error(address, "it has no workers", f"start 'dask worker {address}'")
            client.require_workers()
            yield client
        finally:
            client.close()


def _with_timeout(connect: Callable[[], Any], address: str) -> Any:
    """Return the client, or raise an error if no scheduler answers in time.

    The thread is needed because distributed waits without a limit for the first message of a server.
    """
    clients: list[Any] = []

    def attempt() -> None:
        with suppress(Exception):
            clients.append(connect())

    thread = Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(CONNECT_TIMEOUT + 1)
    if clients:
        return clients[0]
    raise _error(address, "no scheduler answers", START_SCHEDULER)


def _error(address: str, why: str, hint: str) -> OrcaError:
    return SolverFailed(f"--scheduler: {address}: {why}; {hint}")
