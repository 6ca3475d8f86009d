"""Ctrl-C and its like: the first is answered at once and ends the run; no other is heard meanwhile.

Until ``listen`` is called Python's own handler raises KeyboardInterrupt, which the code at hand may ignore.
So this module is imported first, and imports nothing of the package at its top.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from _thread import interrupt_main, start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "the terminal is gone"}
HEARD = {getattr(signal, name): word for name, word in WORDS.items() if hasattr(signal, name)}
_GRACE = 0.5  # seconds to end the workers and to remove unfinished files
_CODE: list[int] = []  # once stopped: what a shell makes of the signal
Busy = Callable[[], bool]


@contextmanager
def stoppable() -> Iterator[None]:
    """A signal ends what runs here, and the program."""
    try:
        listen()
        yield
    finally:
        if _CODE:
            with suppress(Exception):
                sys.stdout.flush()
            os._exit(_CODE[0])  # what libraries do at exit may fail where they were stopped
        for number in HEARD:  # it is done: a signal now would only hide the exit code
            signal.signal(number, signal.SIG_IGN)


def listen(kept: Callable[[], str] | None = None) -> None:
    """The first signal is answered by a line that ends in ``kept()``, then KeyboardInterrupt is raised.

    Without ``kept`` nothing has been done yet that would have to be put in order, and the program ends there.
    """
    busy: Busy = bool
    if kept is not None:
        from ..files.formats import writing as busy
    for number, word in HEARD.items():
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, partial(_stop, word, kept, busy))


def _stop(
    word: str, kept: Callable[[], str] | None, busy: Busy, number: int, frame: FrameType | None
) -> None:
    if not _CODE:
        _CODE.append(128 + number)
        sys.unraisablehook = lambda unraisable: None  # where nothing can be raised, the time runs out
        start_new_thread(_leave, (number,))
        with suppress(OSError):
            told = f"orca-exact: {word}{_told(kept) if kept else ''}\n"
            os.write(2, ("\r\x1b[K" * os.isatty(2) + told).encode())
        if kept is None:
            os._exit(_CODE[0])
    if not busy() and not _importing(frame):
        for other in HEARD:
            signal.signal(other, signal.SIG_IGN)
        raise KeyboardInterrupt


def _told(kept: Callable[[], str]) -> str:
    """Return nothing if the module that knows is only half loaded."""
    try:
        return kept()
    except Exception:
        return ""


def _importing(frame: FrameType | None) -> bool:
    """An extension module that is stopped while it is loaded may crash Python."""
    while frame is not None and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


def _leave(number: int) -> None:
    """In good order as soon as that is possible, else without."""
    end = time.monotonic() + _GRACE
    while time.monotonic() < end:
        time.sleep(0.05)
        interrupt_main(signal.Signals(number))
    os._exit(_CODE[0])
