"""The suite is the same suite on every worker: whatever the clock, the time zone and the hash seed.

pytest-xdist refuses to run when two workers collect different tests or another order.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COLLECT = """
import sys, time, pytest

shift, now, local = int(sys.argv[1]), time.time, time.localtime
time.time = lambda: now() + shift
time.time_ns = lambda: int(time.time() * 10**9)
time.localtime = lambda seconds=None: local(time.time() if seconds is None else seconds)
quick = ["-p", "no:cacheprovider", "--assert=plain"]
sys.exit(pytest.main(["--collect-only", "-q", *quick]))
"""


def start(seed: str, zone: str, shift: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", COLLECT, str(shift)], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONHASHSEED": seed, "TZ": zone, "PYTEST_ADDOPTS": ""},
    )  # fmt: skip


def test_two_clocks_and_two_hash_seeds_collect_the_same_tests():
    runs = [start("1", "UTC", 0), start("2", "UTC-9", 12_345_678)]
    first, second = ([line for line in run.communicate()[0].splitlines() if "::" in line] for run in runs)
    assert [run.returncode for run in runs] == [0, 0]
    assert len(first) > 1000
    assert first == second
