"""Tasks in one process, in several and on a cluster give the same results, and all processes end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from unittest.mock import patch

import psutil
import pytest
from here import ROOT
from marks import not_windows, quick

from orca_exact.errors import BadParameter, SolverFailed, Undecided
from orca_exact.numbers.rationals import precision_digits
from orca_exact.problem import Problem
from orca_exact.runtime import run
from orca_exact.runtime.cache import code_digest
from orca_exact.runtime.run import run_unordered
from proofs_checks.experiments.optima import certify_all
from proofs_checks.ledger.running import verify

TIMEOUT = 120  # seconds, much more than these tests need


def third(digits: int) -> str:
    """Return 1/3 as a ball; the precision of balls is a global of the process."""
    from flint import arb

    with precision_digits(digits):
        time.sleep(0.01)  # two threads would interfere here
        return (arb(1) / 3).str(digits, more=True)


XOR = Problem([["0.9", "0.8"], ["-0.7", "0.6"], ["-0.5", "-0.4"], ["0.3", "-0.2"]], [1, -1, 1, -1], 2, 0, 0)
THIRDS = {digits: (digits,) for digits in range(10, 40)}


def refuse(x: int) -> None:
    raise Undecided(f"{x}?", (x,))


def die(x: int) -> None:
    psutil.Process().kill()


def only_0_ends(x: int) -> int:
    """Return 0 at once; any other task does not end."""
    if x:
        time.sleep(3600)
    return x


AT_ONCE = 4  # tasks that the cluster starts at once: two in each of two workers


def square_slowly(folder: str, x: int) -> int:
    """Record the process in a file name, then wait for the file "go"; the first tasks do not wait."""
    Path(folder, f"{x} {os.getpid()}").touch()
    deadline = time.monotonic() + TIMEOUT
    while x >= AT_ONCE and not Path(folder, "go").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return x * x


@pytest.fixture(autouse=True)
def no_worker_is_left():
    yield
    assert not [child for child in active_children() if child.name.startswith("Loky")]


def local_cluster(**options):
    """Start a Dask cluster on the loopback interface."""
    distributed = pytest.importorskip("distributed")
    address = "127.0.0.1"
    options = {"processes": True, "silence_logs": 50} | options
    return distributed.LocalCluster(host=address, dashboard_address=f"{address}:0", **options)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Start two workers of two threads each that have no data and their own cache, as on another machine."""
    home = str(tmp_path_factory.mktemp("worker"))
    elsewhere = {"ORCA_EXACT_DATA": "", "ORCA_EXACT_CACHE": home, "XDG_CACHE_HOME": home}
    with patch.dict(os.environ, elsewhere):
        made = local_cluster(n_workers=2, threads_per_worker=2)
    with made:
        yield made


# Equal results.


@pytest.mark.parametrize("jobs", [2, 3])
def test_every_task_is_done(jobs):
    assert dict(run_unordered(third, THIRDS, jobs)) == dict(run_unordered(third, THIRDS))


def test_every_task_is_done_on_a_cluster(cluster):
    assert dict(run_unordered(third, THIRDS, 1, cluster.scheduler_address)) == dict(
        run_unordered(third, THIRDS)
    )


@pytest.mark.slow
def test_certified_rows_are_the_same(cluster, monkeypatch, tmp_path):
    """The stored entries are the same too, and the workers store nothing."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    kept = {}
    for name, how in {"one": (1, None), "two": (2, None), "cluster": (1, cluster.scheduler_address)}.items():
        monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / name))
        certify_all([XOR.replace(n=n) for n in (1, 2, 3)], how[0], scheduler=how[1])
        kept[name] = {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
    assert kept["one"] == kept["two"] == kept["cluster"] and len(kept["one"]) == 3


@pytest.mark.slow
def test_verdicts_are_the_same(cluster, echocardiogram):
    names = ["eq-data", "display-rescale", "echo-label", "echo-m61", "example-46656"]
    one, two, three = (
        [replace(verdict, seconds=0.0) for verdict in verify(names, jobs=jobs, scheduler=scheduler)]
        for jobs, scheduler in ((1, None), (2, None), (1, cluster.scheduler_address))
    )
    assert one == two == three
    assert {verdict.outcome for verdict in one} == {"HOLDS", "FAILS"}


@pytest.mark.slow
def test_without_data_here_claims_are_skipped_there(cluster, monkeypatch, tmp_path):
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    verdicts = list(verify(["eq-data", "echo-two-routes"], scheduler=cluster.scheduler_address))
    assert [verdict.outcome for verdict in verdicts] == ["HOLDS", "SKIPPED"]
    assert str(tmp_path) in verdicts[1].evidence


def test_nothing_to_do():
    assert list(run_unordered(third, {}, 2)) == list(run_unordered(third, {}, 1, "tcp://nowhere")) == []


def test_one_process_needs_no_joblib():
    words = (
        "import sys; from orca_exact.runtime.run import run_unordered; list(run_unordered(abs, {1: (1,)}));"
        "print('joblib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_tasks_are_taken_when_they_are_needed(monkeypatch, jobs):
    monkeypatch.setattr(run, "MAX_PENDING", 20)
    taken = read = 0

    def tasks():
        nonlocal taken
        for x in range(200):
            taken += 1
            assert taken - read <= 20 + 1
            yield x, (-x,)

    for x, value in run_unordered(abs, tasks(), jobs):
        assert x == value
        read += 1
    assert read == taken == 200


def test_an_endless_supply_of_tasks():
    results = run_unordered(abs, ((x, (x,)) for x in iter(int, 1)), 2)
    assert [next(results) for _ in range(3)] == [(0, 0)] * 3
    results.close()


# Errors.


def scheduler_of(request, name):
    return request.getfixturevalue("cluster").scheduler_address if name == "cluster" else None


@pytest.mark.parametrize("where", quick(["processes", "cluster"], ["processes"]))
def test_an_error_is_passed_on_completely(request, where):
    with pytest.raises(Undecided, match=r"\?") as caught:
        list(run_unordered(refuse, {"a": (7,), "b": (8,)}, 2, scheduler_of(request, where)))
    assert caught.value.candidates in ((7,), (8,)) and caught.value.exit_code == 3
    assert "in refuse" in caught.value.__notes__[0]


@pytest.mark.parametrize("where", quick(["processes", "cluster"], ["processes"]))
def test_an_error_in_the_iterable_of_tasks(request, where):
    def tasks():
        yield 1, (1,)
        raise Undecided("which?")

    with pytest.raises(Undecided, match=r"which\?"):
        list(run_unordered(abs, tasks(), 2, scheduler_of(request, where)))


def test_a_killed_process_is_reported():
    with pytest.raises(SolverFailed, match=r"-9.*try -j 1"):
        list(run_unordered(die, {"a": (1,), "b": (1,)}, 2))


@pytest.mark.parametrize("where", quick(["processes", "cluster"], ["processes"]))
def test_closing_ends_busy_workers(request, where, tmp_path):
    tasks = {x: (str(tmp_path), x) for x in range(12)}
    results = run_unordered(square_slowly, tasks, 2, scheduler_of(request, where))
    x, square = next(results)
    assert x < AT_ONCE and square == x * x
    results.close()
    (tmp_path / "go").touch()
    assert list(results) == []


def started(folder: Path) -> dict[int, int]:
    """Return the process of each task that has started."""
    return {int(task): int(pid) for task, pid in (file.name.split() for file in folder.glob("* *"))}


def test_tick_is_called_while_waiting():
    def tick():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(run_unordered(only_0_ends, {1: (1,), 2: (2,)}, 2, tick=tick))


@pytest.mark.slow
def test_a_killed_worker_of_a_cluster_is_replaced(cluster, tmp_path):
    """If one of two busy workers is killed, its task runs again elsewhere."""
    killed = []

    def tick():
        busy = {pid for x, pid in started(tmp_path).items() if x >= AT_ONCE}
        if not killed and len(busy) == 2:
            killed.append(busy.pop())
            psutil.Process(killed[0]).kill()
            (tmp_path / "go").touch()

    results = run_unordered(
        square_slowly, {x: (str(tmp_path), x) for x in range(10)}, 1, cluster.scheduler_address, tick
    )
    assert dict(results) == {x: x * x for x in range(10)}
    assert len(killed) == 1


@pytest.mark.slow
def test_a_task_that_kills_every_worker_is_reported():
    dask = pytest.importorskip("dask")
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        local_cluster(n_workers=1) as one,
        pytest.raises(SolverFailed, match=r"KilledWorker.*read the logs"),
    ):
        list(run_unordered(die, {"a": (1,)}, 1, one.scheduler_address))


@pytest.mark.slow
def test_a_cluster_that_loses_its_workers(monkeypatch, tmp_path):
    monkeypatch.setattr("orca_exact.runtime.cluster.LOST_TIMEOUT", 0.0)
    tasks = {AT_ONCE: (str(tmp_path), AT_ONCE)}
    with local_cluster(n_workers=1) as one:
        tick = lambda: started(tmp_path) and one.scale(0)  # noqa: E731
        with pytest.raises(SolverFailed, match="has had no workers for"):
            list(run_unordered(square_slowly, tasks, 1, one.scheduler_address, tick))


@pytest.mark.slow
def test_a_worker_with_other_code_is_refused(cluster, monkeypatch):
    monkeypatch.setattr("orca_exact.runtime.cache.code_digest", lambda: "9.9")
    with pytest.raises(
        SolverFailed, match=rf"orca-exact {code_digest()[:5]}.* instead of 9\.9; install the same"
    ):
        list(run_unordered(abs, {"a": (1,)}, 1, cluster.scheduler_address))


def test_a_worker_that_is_a_thread_here_is_refused():
    with (
        local_cluster(n_workers=1, processes=False, protocol="tcp") as cluster,
        pytest.raises(SolverFailed, match="is a thread of this process"),
    ):
        list(run_unordered(abs, {"a": (1,)}, 1, cluster.scheduler_address))


@pytest.mark.slow
def test_a_cluster_without_workers():
    with (
        local_cluster(n_workers=0) as none,
        pytest.raises(SolverFailed, match="it has no workers; start 'dask worker tcp://"),
    ):
        list(run_unordered(abs, {"a": (1,)}, 1, none.scheduler_address))


@pytest.mark.parametrize(
    "address", ["", "nonsense", "tcp://127.0.0.1", "tcp://127.0.0.1:x", "no://127.0.0.1:1"]
)
def test_invalid_addresses(address):
    with pytest.raises(BadParameter, match=r"--scheduler.*is not an address.*dask scheduler"):
        list(run_unordered(abs, {"a": (1,)}, 1, address))


@pytest.mark.slow
@pytest.mark.parametrize("silent", [False, True])
def test_no_scheduler_answers(silent):
    """The port is bound, but either refuses connections or accepts them and stays silent."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        if silent:
            deaf.listen()
        address = f"tcp://127.0.0.1:{deaf.getsockname()[1]}"
        words = [sys.executable, "-m", "orca_exact", "crosscheck", "--run", "no-such-program"]
        done = subprocess.run(
            [*words, "--scheduler", address, "--quiet"],
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT,
        )
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr.startswith(
        f"orca-exact: --scheduler: {address}: no scheduler answers; start 'dask scheduler'"
    )
    assert done.stderr.count("\n") == 1


@not_windows
@pytest.mark.slow
def test_workers_exit_if_their_parent_is_killed(tmp_path):
    """The workers keep its standard output open, so that it ends when the last of them exits."""
    (tmp_path / "driver.py").write_text(
        "import os, time\n"
        "from orca_exact.runtime.run import run_unordered\n"
        "def work(x):\n"
        "    os.write(1, b'busy\\n')\n"
        "    time.sleep(3600)\n"
        "if __name__ == '__main__':\n"
        "    list(run_unordered(work, {1: (1,), 2: (2,)}, 2))\n"
    )
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "driver.py")],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, start_new_session=True,
    ) as parent:  # fmt: skip
        try:
            assert [parent.stdout.readline() for _ in range(2)] == [b"busy\n"] * 2
            parent.kill()
            assert parent.communicate(timeout=TIMEOUT)[0] == b""
        except BaseException:
            os.killpg(parent.pid, signal.SIGKILL)
            raise


def test_a_worker_ends_with_its_parent_where_getppid_does_not_change(monkeypatch):
    """It finishes the file that it is writing first."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    writing, events = [True, True, False], []
    monkeypatch.setattr(os, "getppid", lambda: gone.pid)  # as on Windows
    monkeypatch.setattr(run.formats, "is_writing", lambda: events.append("asked") or writing.pop(0))
    monkeypatch.setattr(os, "_exit", events.append)
    run._follow_parent(gone.pid)
    assert events == ["asked"] * 3 + [0]
