"""Limits on CPU time and memory, set by the operating system for this process or for a program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress


def set_limits(seconds: int, memory: int) -> None:
    """Limit the CPU time and the address space of this process if the operating system supports it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, limit in (("RLIMIT_CORE", 0), ("RLIMIT_CPU", seconds), ("RLIMIT_AS", memory)):
        with suppress(AttributeError, ValueError, OSError):  # macOS rejects some limits
            hard = resource.getrlimit(getattr(resource, name))[1]
            resource.setrlimit(getattr(resource, name), (limit, hard))


def limited_command(command: list[str], seconds: int, memory: int) -> list[str]:
    """Return a command that runs ``command`` with limits on its CPU time and its address space."""
    return [sys.executable, "-P", __file__, str(seconds), str(memory), *command]


def exceeded_cpu_time(code: int) -> bool:
    """Return whether an exit code means that the limit of ``set_limits`` on CPU time was exceeded."""
    return hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU


def replace_process(command: list[str]) -> None:
    """Run a command instead of this process; on Windows, run it and exit with its code."""
    if sys.platform != "win32":
        os.execvp(command[0], command)
    sys.exit(subprocess.call(command))  # execvp of Windows would exit before the command has ended


def end_with_parent() -> None:
    """Let the operating system kill this process when its parent ends, if it is Linux."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


if __name__ == "__main__":
    end_with_parent()
    set_limits(int(sys.argv[1]), int(sys.argv[2]))
    replace_process(sys.argv[3:])
