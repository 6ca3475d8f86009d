"""Limits on CPU time and memory, set by the operating system for this process or for a program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Any


def set_limits(seconds: int, memory: int) -> None:
    """Limit the CPU time and the address space of this process if the operating system supports it."""
    if sys.platform == "win32":
        return
    import resource

    for name, limit in (("RLIMIT_CORE", 0), ("RLIMIT_CPU", seconds), ("RLIMIT_AS", memory)):
        with suppress(AttributeError, ValueError, OSError):  # macOS rejects some limits
            hard = resource.getrlimit(getattr(resource, name))[1]
            resource.setrlimit(getattr(resource, name), (limit, hard))


def limited_command(command: list[str], seconds: int, memory: int) -> list[str]:
    """Return a command that runs ``command`` with limits on its CPU time and its address space."""
    if sys.platform == "win32":  # it has no limits, and does not replace a process by a program
        return command
    return [sys.executable, "-P", __file__, str(seconds), str(memory), *command]


def exceeded_cpu_time(code: int) -> bool:
    """Return whether an exit code means that the limit of ``set_limits`` on CPU time was exceeded."""
    return hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU


def own_group() -> dict[str, Any]:
    """Return options of Popen, so that Ctrl-C stops only this process, which then ends the program."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


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
