"""Ctrl-C and its like: the first is answered at once and ends the run; no other is heard meanwhile."""

from __future__ import annotations

import os
import signal
import sys
import time
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "the terminal is gone"}
HEARD = {getattr(signal, name): word for name, word in WORDS.items() if hasattr(signal, name)}
GRACE = 0.8  # seconds to end the workers and to remove unfinished files
_CODE: list[int] = []  # once stopped: what a shell makes of the signal


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


def listen(kept: Callable[[], str] = str) -> None:
    """The first signal is answered with a line that ends in ``kept()``, and raises KeyboardInterrupt."""
    for number, word in HEARD.items():
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, partial(_stop, word, kept))


def _stop(word: str, kept: Callable[[], str], number: int, frame: Any) -> None:
    for other in HEARD:
        signal.signal(other, signal.SIG_IGN)
    _CODE.append(128 + number)
    sys.unraisablehook = lambda unraisable: None  # what cannot be raised there: the time runs out
    start_new_thread(_leave, ())
    with suppress(OSError):
        os.write(2, ("\r\x1b[K" * os.isatty(2) + f"orca-exact: {word}{kept()}\n").encode())
    raise KeyboardInterrupt


def _leave() -> None:
    time.sleep(GRACE)
    os._exit(_CODE[0])
