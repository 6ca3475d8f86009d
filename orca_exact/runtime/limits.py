"""Limits on CPU time and memory, set by the operating system for this process or for a program."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def set_limits(seconds: int, memory: int) -> None:
    """Limit the CPU time and the address space of this process if the operating system supports it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, limit in (("RLIMIT_CORE", 0), ("RLIMIT_CPU", seconds), ("RLIMIT_AS", memory)):
        with suppress(ValueError, OSError):  # macOS rejects some limits
            hard = resource.getrlimit(getattr(resource, name))[1]
            resource.setrlimit(getattr(resource, name), (limit, hard))


def limited_command(command: list[str], seconds: int, memory: int) -> list[str]:
    """Return a command that runs ``command`` with limits on its CPU time and its address space."""
    return [sys.executable, "-P", __file__, str(seconds), str(memory), *command]


def end_with_parent() -> None:
    """Let the operating system kill this process when its parent ends, if it is Linux."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


if __name__ == "__main__":
    end_with_parent()
    set_limits(int(sys.argv[1]), int(sys.argv[2]))
    os.execvp(sys.argv[3], sys.argv[3:])
