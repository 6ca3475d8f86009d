"""Limits of the operating system, and what happens on systems without them."""

import os
import signal
import subprocess
import sys

import psutil  # noqa: F401  (before a test removes resource, which psutil imports)
import pytest

from orca_exact.conformance import foreign
from orca_exact.conformance.foreign import split_command
from orca_exact.cost import available_memory
from orca_exact.files import formats
from orca_exact.runtime import limits, run


def test_without_resource_limits_nothing_is_limited(monkeypatch):
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    limits.set_limits(1, 2**20)
    assert available_memory() > 2**20


def test_a_limit_that_the_system_does_not_know_is_left_out(monkeypatch):
    class Resource:
        RLIM_INFINITY = -1
        RLIMIT_CPU = "cpu"

        def __init__(self):
            self.known = {"cpu": (5, 7)}

        def getrlimit(self, name):
            return self.known[name]

        def setrlimit(self, name, limit):
            self.known[name] = limit

    system = Resource()
    monkeypatch.setitem(sys.modules, "resource", system)
    limits.set_limits(3, 2**20)
    assert system.known == {"cpu": (3, 7)}
    assert available_memory() > 2**20


def test_exit_codes_of_cpu_time(monkeypatch):
    if hasattr(signal, "SIGXCPU"):
        assert limits.exceeded_cpu_time(-signal.SIGXCPU)
        monkeypatch.delattr(signal, "SIGXCPU")  # as on Windows, where success must not look like a limit
    assert not limits.exceeded_cpu_time(0) and not limits.exceeded_cpu_time(1)


@pytest.mark.parametrize("platform", [sys.platform, "win32"])
def test_a_limited_command_keeps_output_and_exit_code(platform):
    program = "import sys; print('done'); sys.exit(7)"
    words = [sys.executable, "-c", program]
    code = (
        f"import sys; sys.platform = {platform!r}; from orca_exact.runtime.limits import replace_process; "
        f"replace_process({words!r})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert (done.stdout.strip(), done.returncode) == ("done", 7)


def test_a_worker_without_interval_timers_waits_for_its_file(monkeypatch):
    monkeypatch.delattr(signal, "setitimer", raising=False)  # as on Windows
    calls = []
    monkeypatch.setattr(run, "Timer", lambda seconds, *call: calls.append(call) or Started())
    monkeypatch.setattr(formats, "is_writing", lambda: True)
    run._exit_after_writing(os.getppid(), signal.SIGTERM, None)
    assert calls == [(signal.raise_signal, (signal.SIGTERM,))]


class Started:
    def start(self):
        pass


def test_processors_are_counted_without_affinity(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)  # as on macOS and Windows
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert run.count_processors() == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert run.count_processors() == 1


def test_a_program_without_process_groups_is_killed_itself(monkeypatch):
    monkeypatch.delattr(os, "killpg", raising=False)  # as on Windows
    assert foreign._guard() is None
    program = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    foreign._kill(None, program)
    program.stdin.close()
    assert program.returncode not in (None, 0)


def test_commands_of_windows_keep_their_backslashes():
    command = r'"C:\Program Files\svm.exe" --kernel my\kernel.txt'
    wanted = [r"C:\Program Files\svm.exe", "--kernel", r"my\kernel.txt"]
    assert split_command(command, posix=False) == wanted
    assert split_command("python3 'my program.py'", posix=True) == ["python3", "my program.py"]
    with pytest.raises(ValueError, match="No closing quotation"):
        split_command('"C:\\svm.exe', posix=False)
