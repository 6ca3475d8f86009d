"""Tests of Ctrl-C at critical times: one line, the exit code, no process left, finished work kept."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from here import ROOT
from marks import not_windows

from orca_exact.files.formats import has_valid_digest, read
from proofs_checks.experiments.optima import certify_all, configuration

pytestmark = not_windows
HANG = 120  # seconds; every test ends much earlier
IGNORED = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)  # as a shell does for background jobs

# The command line with computations that hang: in the first claim, or in the second (empty) result.
STUCK = """
import os, time
from orca_exact.runtime import run
from proofs_checks.experiments import optima as experiments

def spoil(*given, begin=run._initialize_worker):
    import os, time
    from proofs_checks.experiments import optima as experiments
    from proofs_checks.ledger import claims
    done = []
    def stuck(*rest):
        os.write(1, b"stuck\\n")
        time.sleep(3600)
    def compute(problem, digits):
        done.append(problem)
        return {"key": experiments._key(problem, digits)} if len(done) == 1 else stuck()
    experiments.compute_entry = compute
    claims.Claim.run = stuck
    if given:
        begin(*given)

run._initialize_worker = spoil
experiments._read = lambda problem, data: None
if __name__ == "__main__":
    from orca_exact.__main__ import main
    spoil()
    main()
"""

# Four problems; the largest one never ends.
UNFINISHED = """
from orca_exact.runtime import run
def spoil(*given, begin=run._initialize_worker):
    import os, time
    from proofs_checks.experiments import optima as experiments
    def compute(problem, digits, compute=experiments.compute_entry):
        if problem.n == 4:
            os.write(1, b"stuck\\n")
            time.sleep(3600)
        return compute(problem, digits)
    experiments.compute_entry = compute
    begin(*given)
run._initialize_worker = spoil
if __name__ == "__main__":
    from orca_exact.cli.signals import install_handlers, handle_signals
    from proofs_checks.experiments.optima import certify_all, configuration
    with handle_signals():
        install_handlers(str)
        certify_all([configuration("spiral", n) for n in (1, 2, 3, 4)], jobs=2)
"""

# Ctrl-C comes while flint is imported; interrupting that would crash Python.
LOADING = """
import signal, sys, time
class Finder:
    def find_spec(self, name, *rest):
        if name == "flint.pyflint":
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                print("halfway")
sys.meta_path.insert(0, Finder())
"""
EARLY = """
from orca_exact.__main__ import main
from orca_exact.cli.verbs import doctor
def run(args, out):
    import flint
    time.sleep(3600)
doctor.run = run
main()
"""
LATER = """
from orca_exact.cli.signals import install_handlers, handle_signals
with handle_signals():
    install_handlers(str)
    import flint
    time.sleep(3600)
"""

# Ctrl-C comes during the import of the module that knows the cache, or of one that it needs.
ASKED = """
import signal, sys
asked = [sys.argv.pop()]
class Finder:
    def find_spec(self, name, *rest):
        if [name] == asked:
            asked.clear()
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
from orca_exact.__main__ import main
main()
"""

# The modules that are imported when the first handler is set.
FIRST = """
import signal, sys
before = set(sys.modules)
def record(number, handler, given=signal.signal):
    print(*sorted(set(sys.modules) - before), flush=True)
    signal.signal = given
    sys.exit()
signal.signal = record
from orca_exact.__main__ import main
main()
"""

# Ctrl-C comes at a time when Python cannot raise an exception.
SWALLOWED = """
import signal, time
from orca_exact.cli.signals import install_handlers, handle_signals
class Last:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
with handle_signals():
    install_handlers(str)
    Last()
    time.sleep(3600)
"""

# Ctrl-C comes while a file is written, and again at the end of the program.
WRITING = """
import pathlib, signal, sys, time
from orca_exact.files import formats
from orca_exact.cli.signals import install_handlers, handle_signals
class Part(type(pathlib.Path())):
    def replace(self, target):
        signal.raise_signal(signal.SIGINT)
        return super().replace(target)
formats.Path = Part
with handle_signals():
    install_handlers(str)
    formats.write(sys.argv[1], "whole")
    time.sleep(3600)
"""
ENDING = """
import atexit, signal, sys
from orca_exact.cli.signals import install_handlers, handle_signals
with handle_signals():
    install_handlers(str)
atexit.register(signal.raise_signal, signal.SIGTERM)
sys.exit(3)
"""


# A signal comes during a call that Python cannot interrupt, such as one of FLINT that takes minutes. Here it
# is a system call that the kernel restarts. The second thread runs only when the first has begun this call.
NATIVE = """
import os, signal, sys
from _thread import start_new_thread
from orca_exact.cli.signals import HANDLED, install_handlers, handle_signals
with handle_signals():
    install_handlers(str)
    for number in HANDLED:
        signal.siginterrupt(number, False)
    silent, _ = os.pipe()
    sys.setswitchinterval(3600)
    start_new_thread(os.write, (1, b"stuck\\n"))
    os.read(silent, 1)
"""

# A forked worker gets a signal; its parent goes on for longer than the watching process waits.
WORKER = """
import os, signal, time
from orca_exact.cli import signals
with signals.handle_signals():
    signals.install_handlers(str)
    ready, begin = os.pipe()
    if not (worker := os.fork()):
        print("stuck", flush=True)
        os.write(begin, b"\\0")
        time.sleep(3600)
    os.read(ready, 1)
    os.kill(worker, signal.SIGTERM)
    os.waitpid(worker, 0)
    time.sleep(signals._DEAF + 1)
    print("alive", flush=True)
"""

# Ctrl-C comes when a function is called in this process; its place is the last argument.
PLANTED = """
import importlib, signal, sys
def plant(place):
    module, path = place.split(":")
    owner = importlib.import_module(module)
    *parts, name = path.split(".")
    for part in parts:
        owner = getattr(owner, part)
    def interrupted(*given, call=getattr(owner, name), **options):
        if given[1:] != ("",):  # no progress
            signal.raise_signal(signal.SIGINT)
        return call(*given, **options)
    setattr(owner, name, interrupted)
if __name__ == "__main__":
    plant(sys.argv.pop())
    from orca_exact.__main__ import main
    main()
"""
IN_PYTHON = """
import signal, sys
from sklearn.svm import SVC
from orca_exact.runtime import progress
from orca_exact.sklearn import audit, explain
def interrupted(self, line):
    signal.raise_signal(signal.SIGINT)
progress.SlowProgress.__call__ = interrupted
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    X = [[i % 5 / 5, i % 7 / 7] for i in range(30)]
    y = [int(a + b > 1) for a, b in X]
    ask = {"audit": audit, "explain": explain}[sys.argv[1]]
    try:
        ask(SVC().fit(X, y), X, y, null=9)
    except KeyboardInterrupt:
        sys.exit(130)
"""


def stopped(
    tmp_path: Path,
    driver: str,
    words: str = "",
    stuck: int = 0,
    send: Callable[[int], object] = id,
    kept: int = 0,
) -> tuple[int, str, str]:
    """Run a driver, call ``send(pid)`` when its processes hang; return exit code, stdout and stderr.

    Every process holds the streams, so their end shows that no process is left.
    """
    file = tmp_path / "driver.py"
    file.write_text(driver)
    environment = {"PYTHONPATH": str(ROOT), "ORCA_EXACT_CACHE": str(tmp_path / "cache")}
    with subprocess.Popen(
        [sys.executable, str(file), *shlex.split(words)], env=os.environ | environment, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, preexec_fn=IGNORED,
    ) as process:  # fmt: skip
        try:
            assert [process.stdout.readline() for _ in range(stuck)] == ["stuck\n"] * stuck
            wait_until(lambda: len(entries(tmp_path)) == kept)
            send(process.pid)
            out, err = process.communicate(timeout=HANG)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, out, err


def entries(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache").glob("*.json"))


def wait_until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG
    while not there():
        assert time.monotonic() < end
        time.sleep(0.02)


def as_a_terminal_does(group: int) -> None:
    os.killpg(group, signal.SIGINT)


def twice(group: int) -> None:
    as_a_terminal_does(group)
    as_a_terminal_does(group)


def terminate(process: int) -> None:
    os.kill(process, signal.SIGTERM)


@pytest.mark.parametrize(
    ("jobs", "send", "code", "word"),
    [
        (1, as_a_terminal_does, 130, "interrupted"),
        (2, as_a_terminal_does, 130, "interrupted"),
        pytest.param(2, twice, 130, "interrupted", marks=pytest.mark.slow),
        pytest.param(2, terminate, 143, "terminated", marks=pytest.mark.slow),
    ],
)
def test_what_was_certified_is_kept(tmp_path, jobs, send, code, word):
    words = f"tables spiral --offline --quiet -j {jobs}"
    kept = f"finished work is kept in {tmp_path / 'cache'}, and the same command continues from there"
    assert stopped(tmp_path, STUCK, words, jobs, send, jobs) == (code, "", f"orca-exact: {word}; {kept}\n")
    assert len(entries(tmp_path)) == jobs and all(
        has_valid_digest(read(entry)) for entry in entries(tmp_path)
    )
    assert sorted((tmp_path / "cache").iterdir()) == entries(tmp_path)


@pytest.mark.slow
def test_a_second_run_goes_on(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    expected = 130, "", "orca-exact: interrupted\n"
    assert stopped(tmp_path, UNFINISHED, "", 1, as_a_terminal_does, 3) == expected
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "cache"))
    said: list[str] = []
    certify_all([configuration("spiral", n) for n in (1, 2, 3, 4)], progress=said.append)
    assert said == ["certified 1 of 1: spiral-n4-(0,0)", ""]


@pytest.mark.parametrize("jobs", [1, 2])
def test_claims(tmp_path, jobs):
    words = f"verify eq-data example-46656 quadratic-modes --offline --quiet -j {jobs}"
    expected = 130, "", "orca-exact: interrupted\n"
    assert stopped(tmp_path, STUCK, words, jobs, as_a_terminal_does) == expected


@pytest.mark.parametrize(
    "driver", [LOADING + EARLY, LOADING + LATER, SWALLOWED], ids=["early", "later", "swallowed"]
)
def test_at_odd_moments(tmp_path, driver):
    assert stopped(tmp_path, driver, "doctor") == (130, "", "orca-exact: interrupted\n")


@pytest.mark.parametrize(
    ("send", "word"), [(as_a_terminal_does, "interrupted"), (terminate, "terminated")], ids=["Ctrl-C", "TERM"]
)
def test_during_a_long_call_of_a_library(tmp_path, send, word):
    expected = -signal.SIGKILL, "", f"orca-exact: {word}\n"
    assert stopped(tmp_path, NATIVE, "", 1, send) == expected


def test_a_worker_that_is_stopped_does_not_stop_the_run(tmp_path):
    code, out, err = stopped(tmp_path, WORKER, "", 1)
    assert (code, out) == (0, "alive\n") and err == "orca-exact: terminated\n"


@pytest.mark.parametrize(
    "module",
    ["orca_exact.cli.parser", "orca_exact.files.formats", "orca_exact.runtime.run",
     "orca_exact.runtime.cache", "proofs_checks.verbs.report", "argparse", "platformdirs", "flint", "joblib"],
)  # fmt: skip
def test_while_a_module_is_asked_for(tmp_path, module):
    words = f"report -j 2 --offline --quiet --no-figures -o {tmp_path / 'report.html'} {module}"
    assert stopped(tmp_path, ASKED, words) == (130, "", "orca-exact: interrupted\n")
    assert not (tmp_path / "report.html").exists()


def test_signals_are_heard_before_anything_else_is_loaded(tmp_path):
    code, out, _ = stopped(tmp_path, FIRST, "report")
    loaded = set(out.split())
    assert {name for name in loaded if name.startswith("orca_exact")} == {
        "orca_exact", "orca_exact.__main__", "orca_exact.cli", "orca_exact.cli.signals"
    }  # fmt: skip
    assert not loaded & {"argparse", "hashlib", "json", "numpy", "pathlib", "tempfile"} and code == 0


def test_a_file_that_is_being_written_is_written_whole(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    assert stopped(tmp_path, WRITING, str(folder / "file")) == (130, "", "orca-exact: interrupted\n")
    assert [(f.name, f.read_text()) for f in folder.iterdir()] == [("file", "whole")]


def test_a_signal_after_the_end_does_not_hide_the_exit_code(tmp_path):
    assert stopped(tmp_path, ENDING) == (3, "", "")


REPORTED = "orca_exact.cli.terminal:ProgressLine.__call__"
XOR = "examples/problems/xor.json"
LONG = {
    f"certify {XOR}": REPORTED,
    f"certify {XOR} --level float": REPORTED,
    f"profile {XOR} --arithmetic exact": REPORTED,
    f"profile {XOR} --check": "orca_exact.cli.verbs.profile:compare_routes",
    f"path {XOR}": REPORTED,
    f"reference {XOR}": REPORTED,
    f"solve {XOR}": "orca_exact.svm.forms:solve_forms",
    "polynomials --n 2": "orca_exact.measures.identities:check_identities",
    f"study null {XOR} -B 99 -j 1 --no-cache": REPORTED,
    f"study null {XOR} -B 99 -j 2 --no-cache": REPORTED,
    f"study bootstrap {XOR} -B 9 -j 2 --no-cache": REPORTED,
    "crosscheck --run 'python examples/implementations/orca_sklearn.py' --flag NZero": REPORTED,
    "verify eq-data example-46656 -j 2": REPORTED,
    "report --section 3 --no-figures -j 2 -o OUT": REPORTED,
    "tables spiral -j 2 --no-cache": REPORTED,
    "figures --only fig1 -j 2 --no-cache -o OUT": REPORTED,
}


@pytest.mark.parametrize("command", LONG)
def test_every_long_command(tmp_path, command):
    """Check the exit code and the one line of each command that is interrupted while it works."""
    words = f"{command.replace('OUT', str(tmp_path / 'out'))} --quiet {LONG[command]}"
    code, out, err = stopped(tmp_path, PLANTED, words)
    assert (code, out, err.partition(";")[0].strip()) == (130, "", "orca-exact: interrupted")
    assert err.count("\n") == 1


@pytest.mark.parametrize("function", ["audit", "explain"])
def test_functions_of_python(tmp_path, function):
    """Check that KeyboardInterrupt reaches the caller of a permutation test."""
    assert stopped(tmp_path, IN_PYTHON, function) == (130, "", "")
