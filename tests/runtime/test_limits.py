"""Limits of the operating system, and what happens on systems without them."""

import os
import signal
import subprocess
import sys
from multiprocessing import resource_tracker
from unittest.mock import Mock

import psutil
import pytest
from joblib.externals import loky
from marks import not_windows

from orca_exact.conformance import foreign
from orca_exact.conformance.foreign import split_command
from orca_exact.cost import available_memory
from orca_exact.runtime import limits, run


def test_without_resource_limits_nothing_is_limited(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "resource", None)
    limits.set_limits(1, 2**20)
    assert available_memory() > 2**20


@not_windows
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
def test_a_limited_command_keeps_output_and_exit_code(monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    program = [sys.executable, "-c", "import sys; print('done'); sys.exit(7)"]
    command = limits.limited_command(program, 60, 2**33)
    assert (command == program) == (platform == "win32")  # which has no limits, and no exec
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert (done.stdout.strip(), done.returncode) == ("done", 7)


def test_a_program_is_kept_from_ctrl_c(monkeypatch):
    options = limits.own_group()
    assert subprocess.run([sys.executable, "-c", ""], **options).returncode == 0
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    assert limits.own_group() == {"creationflags": 512}


def test_workers_start_on_windows(monkeypatch):
    """It has few signals, and cannot start the tracker of the standard library."""
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("pthread_sigmask", "SIGALRM", "setitimer"):
        monkeypatch.delattr(signal, name, raising=False)
    monkeypatch.setattr(resource_tracker, "ensure_running", lambda: pytest.fail("it cannot be started"))
    monkeypatch.setattr(loky.backend.resource_tracker, "ensure_running", lambda: None)
    monkeypatch.setattr(run._Run, "start", lambda self, config, **options: self._work())
    this = run._Run(pow, iter(()))
    monkeypatch.setattr(loky, "get_reusable_executor", Mock())
    with run._processes(this, 2):
        assert this.finished
    assert this.next_result() is None

    start, handle = Mock(), Mock()
    monkeypatch.setattr(run, "Thread", start)
    monkeypatch.setattr(signal, "signal", handle)
    run._initialize_worker(1)
    handle.assert_called_once_with(signal.SIGINT, signal.SIG_IGN)
    start.assert_called_once_with(target=run._follow_parent, args=(1,), daemon=True)


def test_processors_are_counted_without_affinity(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)  # as on macOS and Windows
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert run.count_processors() == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert run.count_processors() == 1


def test_without_process_groups_a_program_and_its_children_are_killed(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert foreign._guard() is None
    sleep = "import time; time.sleep(600)"
    code = (
        f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {sleep!r}]).pid, flush=True)"
    )
    program = subprocess.Popen([sys.executable, "-c", f"{code}; {sleep}"], stdout=subprocess.PIPE)
    with program.stdout:
        child = psutil.Process(int(program.stdout.readline()))
        foreign._kill(None, program)
    assert program.returncode not in (None, 0)
    psutil.wait_procs([child], timeout=60)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_commands_of_windows_keep_their_backslashes():
    command = r'"C:\Program Files\svm.exe" --kernel my\kernel.txt'
    wanted = [r"C:\Program Files\svm.exe", "--kernel", r"my\kernel.txt"]
    assert split_command(command, posix=False) == wanted
    assert split_command("python3 'my program.py'", posix=True) == ["python3", "my program.py"]
    with pytest.raises(ValueError, match="No closing quotation"):
        split_command('"C:\\svm.exe', posix=False)
