"""The checker in a process of its own, with limits on CPU time and memory set by the operating system.

The checker itself refuses large certificates because of their sizes. These limits are a second safeguard:
a certificate that reaches them is neither accepted nor rejected.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..checker import Rejected, check
from ..runtime.limits import exceeded_cpu_time, own_group, set_limits

SECONDS = 600  # of CPU time
MEMORY = 4 * 2**30  # bytes of address space


class LimitReached(Exception):
    """The process was stopped by a limit before it had a result."""


def check_in_process(
    certificate: Any, progress: Callable[[str], object], seconds: int = SECONDS, memory: int = MEMORY
) -> dict[str, Any]:
    """Return ``check(certificate, progress)``, computed in another process.

    Raises
    ------
    checker.Rejected
        As ``check`` does.
    LimitReached
        If the process exceeds its CPU time or memory.
    """
    try:
        text = json.dumps(certificate)
    except RecursionError:
        raise Rejected("format", "the certificate is not JSON") from None
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, str(seconds), str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": path},
        encoding="utf-8",
        **own_group(),
    )
    assert process.stdin is not None and process.stdout is not None
    message: dict[str, Any] = {}
    try:
        with suppress(BrokenPipeError), process.stdin as stdin:
            stdin.write(text)
        for line in process.stdout:
            message = json.loads(line)
            if "progress" in message:
                progress(message["progress"])
    finally:
        process.kill()
        process.stdout.close()
        process.wait()
    if "proved" in message:
        found: dict[str, Any] = message["proved"]
        return found
    if "condition" in message:
        raise Rejected(message["condition"], message["message"])
    if exceeded_cpu_time(process.returncode):
        raise LimitReached(f"took more than {seconds} s of CPU time")
    raise LimitReached(f"needed more than {memory / 2**30:.3g} GiB of memory, or was stopped from outside")


def check_standard_input(seconds: str, memory: str) -> None:
    """Check the certificate on standard input; write progress and the result as lines of JSON."""

    def write(**line: Any) -> None:
        print(json.dumps(line), flush=True)

    set_limits(int(seconds), int(memory))
    with suppress(MemoryError):
        try:
            certificate = json.load(sys.stdin)
        except ValueError:  # the parent was stopped while it wrote
            return
        try:
            write(proved=check(certificate, lambda stage: write(progress=stage)))
        except Rejected as error:
            write(condition=error.condition, message=str(error).removeprefix(f"{error.condition}: "))


if __name__ == "__main__":
    check_standard_input(*sys.argv[1:])
