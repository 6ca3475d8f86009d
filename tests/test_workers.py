"""Work in several processes: what comes back, and that they end whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from orca_exact.errors import SolverFailed, Undecided
from orca_exact.paper.workers import unordered

ROOT = Path(__file__).resolve().parents[1]


def square(x: int) -> int:
    return x * x


def refuse(x: int) -> None:
    raise Undecided(f"{x}?", (x,))


def die(x: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def first_of_all(x: int) -> int:
    """Only this one ends."""
    if x:
        time.sleep(3600)
    return x


@pytest.fixture(autouse=True)
def nobody_is_left():
    before = set(active_children())
    yield
    assert set(active_children()) <= before


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_every_task_is_done(jobs):
    assert dict(unordered(square, {str(x): (x,) for x in range(5)}, jobs)) == {
        "0": 0, "1": 1, "2": 4, "3": 9, "4": 16,
    }  # fmt: skip


def test_nothing_to_do():
    assert list(unordered(square, {}, 2)) == []


def test_an_error_comes_back_whole():
    with pytest.raises(Undecided, match=r"7\?") as caught:
        list(unordered(refuse, {"a": (7,)}, 2))
    assert caught.value.candidates == (7,)
    assert "in refuse" in caught.value.__notes__[0]


def test_a_worker_that_is_killed_is_said():
    with pytest.raises(SolverFailed, match=r"-9.*try -j 1"):
        list(unordered(die, {"a": (1,)}, 2))


def test_closing_ends_those_that_are_busy():
    results = unordered(first_of_all, {x: (x,) for x in range(4)}, 2)
    assert next(results) == (0, 0)
    results.close()


def test_it_ticks_while_it_waits():
    def tick():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(unordered(first_of_all, {1: (1,)}, 2, tick))


def test_they_follow_a_parent_that_is_killed(tmp_path):
    """They hold its standard output: it ends when the last of them has left."""
    (tmp_path / "driver.py").write_text(
        "import os, time\n"
        "from orca_exact.paper.workers import unordered\n"
        "def work(x):\n"
        "    os.write(1, b'busy\\n')\n"
        "    time.sleep(3600)\n"
        "if __name__ == '__main__':\n"
        "    list(unordered(work, {1: (1,), 2: (2,)}, 2))\n"
    )
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "driver.py")],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, start_new_session=True,
    ) as parent:  # fmt: skip
        try:
            assert [parent.stdout.readline() for _ in range(2)] == [b"busy\n"] * 2
            parent.kill()
            assert parent.communicate(timeout=120)[0] == b""
        except BaseException:
            os.killpg(parent.pid, signal.SIGKILL)
            raise
