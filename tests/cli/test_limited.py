"""Tests of the checker in a process of its own with limits."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from by_hand import CASES, SOFT, changed
from command import orca

from orca_exact.checker import Rejected, check
from orca_exact.cli import limited
from orca_exact.cli.limited import LimitReached, check_in_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems enforce other limits")


def slow():
    """Return a certificate of 2 kB that takes seconds: moments of 60 long nodes up to degree 25."""
    nodes = [str(3**36 + 7**k % 10**17) for k in range(60)]
    measure = {"family": "discrete", "nodes": nodes, "weights": ["1"] * 60}
    new = changed(CASES["discrete"](), ("problem", "measures"), measure)
    new = changed(new, ("lambda",), {"bits": 128, "lower": "1/60", "upper": "1/60"})
    return changed(new, ("problem", "n"), 25)


def test_the_answer_and_the_progress_are_the_same():
    here: list[str] = []
    there: list[str] = []
    assert check(SOFT, here.append) == check_in_process(SOFT, there.append)
    assert here == there and len(here) > 3
    bad = changed(SOFT, ("b", "u"), "2")
    with pytest.raises(Rejected) as first:
        check(bad)
    with pytest.raises(Rejected) as second:
        check_in_process(bad, str)
    assert str(first.value) == str(second.value) and first.value.condition == second.value.condition


def test_cpu_time_is_limited():
    with pytest.raises(LimitReached, match="took more than 1 s of CPU time"):
        check_in_process(slow(), str, seconds=1)


def test_memory_is_limited():
    large = changed(SOFT, ("versions",), [0] * 10**7)
    with pytest.raises(LimitReached, match=r"needed more than 0\.125 GiB of memory"):
        check_in_process(large, str, memory=2**27)


def test_reaching_a_limit_is_neither_accepted_nor_rejected(tmp_path, monkeypatch):
    monkeypatch.setattr(limited, "check_in_process", partial(check_in_process, seconds=1))
    file = tmp_path / "slow.json"
    file.write_text(json.dumps(slow()))
    code, out, err = orca("check-certificate", str(file))
    assert (code, out, err.count("\n")) == (4, "", 1)
    assert "took more than 1 s of CPU time; it is neither accepted nor rejected" in err


def children(pid: int) -> list[int]:
    return [
        int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    ]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0, 3])
def test_ctrl_c_ends_both_processes_at_once(seconds, tmp_path):
    file = tmp_path / "slow.json"
    file.write_text(json.dumps(slow()))
    words = [sys.executable, "-m", "orca_exact", "check-certificate", str(file)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    while not (found := children(process.pid)):
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "orca-exact: interrupted\n")
    end = (
        time.monotonic() + 30
    )  # a process that was stopped before it had read the certificate ends by itself
    while alive(found[0]):
        assert time.monotonic() < end
        time.sleep(0.05)
