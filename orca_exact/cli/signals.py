"""Handlers of SIGINT, SIGTERM and SIGHUP: the first signal ends the run, later ones are ignored.

Before ``install_handlers`` is called, Python's own handler raises KeyboardInterrupt, which running code may
catch. Therefore this module is imported first and imports nothing else of the package at the top.

A handler in Python does not run during a long call of a library such as FLINT. But C writes each signal to a
pipe at once, and a child process that reads it kills this one if nothing hears the signal.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from _thread import interrupt_main, start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import FrameType

WORDS = {
    "SIGINT": "interrupted",
    "SIGTERM": "terminated",
    "SIGHUP": "the terminal was closed",
    "SIGBREAK": "interrupted",  # Ctrl-Break, or the window was closed, on Windows
}
HANDLED = {getattr(signal, name): word for name, word in WORDS.items() if hasattr(signal, name)}
_GRACE = 0.5  # seconds to stop the workers and to remove unfinished files
_DEAF, _SLOW = 1.5, 10.0  # seconds until a process is killed that has not heard a signal, or has heard it
_HEARD = b"\0"  # tells the watching process that the handler runs
_PIPE: list[int] = []  # its end to write to, if there is a watching process
_CODE: list[int] = []  # after a signal: the exit code, 128 + its number
Busy = Callable[[], bool]


@contextmanager
def handle_signals() -> Iterator[None]:
    """Install the handlers; after a signal, exit when the block ends."""
    try:
        _start_watching()
        install_handlers()
        yield
    finally:
        if _CODE:
            with suppress(Exception):
                sys.stdout.flush()
            os._exit(_CODE[0])  # the exit handlers of interrupted libraries may fail
        for number in HANDLED:  # the run has ended: a signal would only change the exit code
            signal.signal(number, signal.SIG_IGN)


def _start_watching() -> None:
    """Start the process that kills this one if it does not hear a signal, where processes can be forked."""
    if not hasattr(os, "fork"):
        return
    own, (read, write) = os.getpid(), os.pipe()
    if not os.fork():
        os.close(write)
        _watch(read, own)
    os.close(read)
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    os.register_at_fork(after_in_child=_leave_unwatched)
    _PIPE.append(write)


def _leave_unwatched() -> None:
    """Close the pipe in a forked worker: only this process is watched."""
    if _PIPE:
        signal.set_wakeup_fd(-1)
        os.close(_PIPE.pop())


def _watch(read: int, parent: int) -> None:
    """Read the signals of another process until it ends, and kill it if it does not end after one."""
    try:
        for number in HANDLED:
            signal.signal(number, signal.SIG_IGN)
        os.close(0)
        os.close(1)  # a pipeline waits for all that may write to it
        word, end = "", None
        while select.select([read], [], [], None if end is None else max(0, end - time.monotonic()))[0]:
            if not (signals := os.read(read, 64)):
                return
            if _HEARD in signals:
                end = time.monotonic() + _SLOW
            elif words := [HANDLED[number] for number in signals if number in HANDLED]:
                word, end = words[0], end or time.monotonic() + _DEAF
        os.write(2, f"orca-exact: {word}\n".encode())
        os.kill(parent, signal.SIGKILL)
    finally:
        os._exit(0)


def install_handlers(kept: Callable[[], str] | None = None) -> None:
    """Install handlers that print a line ending in ``kept()`` and raise KeyboardInterrupt.

    Without ``kept`` no work has begun that would need cleaning up, and the process exits at once.
    """
    busy: Busy = bool
    if kept is not None:
        from ..files.formats import is_writing as busy
    for number, word in HANDLED.items():
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:  # nohup
            signal.signal(number, partial(_stop, word, kept, busy))


def _stop(
    word: str, kept: Callable[[], str] | None, busy: Busy, number: int, frame: FrameType | None
) -> None:
    if not _CODE:
        _CODE.append(128 + number)
        if _PIPE:
            os.write(_PIPE[0], _HEARD)
        sys.unraisablehook = lambda unraisable: None  # ignored: _leave exits after the grace period
        start_new_thread(_leave, (number,))
        with suppress(OSError):
            line = f"orca-exact: {word}{_kept_text(kept) if kept else ''}\n"
            os.write(2, ((erase_line() if os.isatty(2) else "") + line).encode())
        if kept is None:
            os._exit(_CODE[0])
    if not busy() and not _importing(frame):
        for other in HANDLED:
            signal.signal(other, signal.SIG_IGN)
        raise KeyboardInterrupt


def erase_line(columns: int = 80) -> str:
    """Return the text that erases a line of a terminal; a console of Windows may not know escape codes."""
    return f"\r{' ' * (columns - 1)}\r" if sys.platform == "win32" else "\r\x1b[K"


def _kept_text(kept: Callable[[], str]) -> str:
    """Return ``kept()``, or "" if it fails because a module is only partly imported."""
    try:
        return kept()
    except Exception:
        return ""


def _importing(frame: FrameType | None) -> bool:
    """Return whether an import is running; interrupting an extension module there may crash Python."""
    while frame is not None and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


def _leave(number: int) -> None:
    """Raise KeyboardInterrupt in the main thread again and again; after the grace period, exit at once."""
    end = time.monotonic() + _GRACE
    while time.monotonic() < end:
        time.sleep(0.05)
        interrupt_main(signal.Signals(number))
    os._exit(_CODE[0])
