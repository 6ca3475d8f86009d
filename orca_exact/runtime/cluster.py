"""A Dask cluster behind an address, as joblib needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from time import monotonic
from typing import Any

from ..errors import BadParameter, OrcaError, SolverFailed, shorten

CONNECT = 5.0  # seconds in which a scheduler answers, and has a worker
LOST = 60.0  # seconds without any worker, once there was one
INSTALL = "pip install 'orca-exact[distributed]'"
EXAMPLE = "start 'dask scheduler' and give the address that it prints, such as tcp://127.0.0.1:8786"


def require_cluster(address: str) -> None:
    """An error of one line where no cluster works: before anything long is begun."""
    with connect(address):
        pass


@contextmanager
def connect(address: str, failed: Callable[[OrcaError], object] = id) -> Iterator[Any]:
    """A client; ``failed`` hears of tasks that are lost."""
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
        from distributed.utils import silence_logging_cmgr
    except ImportError:
        raise BadParameter("--scheduler", address, "needs the package distributed", INSTALL) from None

    def look(future: Any) -> None:
        if future.status not in ("error", "cancelled"):  # lost: the result was on a worker that died
            return
        why = "the connection is lost"
        if future.status == "error":
            cause = future.exception().__cause__ or future.exception()
            why = shorten(" ".join(f"{type(cause).__name__}: {cause}".split()), 160)
        failed(_wrong(address, why, "look at what it and its workers log"))

    class Watched(Client):
        """joblib never hears of a task that fails outside its function, and works here if it counts one."""

        def submit(self, *given: Any, **named: Any) -> Any:
            future = super().submit(*given, **named)
            future.add_done_callback(look)
            return future

        def ncores(self, *given: Any, **named: Any) -> dict:
            return {"processes": max(2, len(self.nthreads()))}

        seen = 0.0  # when there were workers

        def watch(self) -> None:
            """An error where workers have been missing for long."""
            with suppress(OSError):  # then the tasks are lost, and failed() hears of it
                if self.nthreads():
                    self.seen = monotonic()
            if monotonic() - self.seen > LOST:
                raise _wrong(address, f"all its workers are gone ({LOST:g} s)", "start some, and this again")

        def __del__(self) -> None:
            """It is closed below; one that never connected cannot be."""

    with silence_logging_cmgr("CRITICAL"):
        try:
            get_address_host_port(address or " ")
        except ValueError as error:
            raise BadParameter("--scheduler", repr(address), f"is no address ({error})", EXAMPLE) from None
        client = _answered(lambda: Watched(address, timeout=CONNECT, set_as_default=False), address)
        try:
            with suppress(TimeoutError):
                client.wait_for_workers(1, timeout=CONNECT)
            if not client.nthreads():
                raise _wrong(address, "it has no workers", f"start 'dask worker {address}'")
            client.watch()
            yield client
        finally:
            client.close()


def _answered(connect: Callable[[], Any], address: str) -> Any:
    """What listens there may send anything, or nothing: distributed itself would wait for its first word."""
    found: list[Any] = []

    def ask() -> None:
        try:
            found.append(connect())
        except Exception as error:
            found.append(error)

    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(CONNECT + 1)
    if found and not isinstance(found[0], Exception):
        return found[0]
    raise _wrong(address, "no scheduler answers", EXAMPLE)


def _wrong(address: str, why: str, hint: str) -> OrcaError:
    return SolverFailed(f"--scheduler: {address}: {why}; {hint}")
