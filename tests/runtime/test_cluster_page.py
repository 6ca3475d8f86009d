"""Tests that the commands of docs/cluster.md work on a Dask cluster of real processes."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from here import ROOT

PAGE = (ROOT / "docs" / "cluster.md").read_text(encoding="utf-8")
MARK = "<!-- run by tests/runtime/test_cluster_page.py -->"
(COMMANDS,) = re.findall(rf"^{MARK}\n```sh\n(.*?)^```$", PAGE, re.M | re.S)
(SHOWN,) = re.findall(rf"^{MARK}\n```text\n(.*?)^```$", PAGE, re.M | re.S)
TIMEOUT = 120  # seconds, much more than a start needs


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(port: int, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the scheduler did not start")


@pytest.mark.slow
def test_the_page_shows_what_two_workers_compute(tmp_path):
    """The port of the page is replaced by a free one; the last command waits for the workers."""
    pytest.importorskip("distributed")
    port = free_port()
    *background, command = COMMANDS.replace("8786", str(port)).splitlines()
    assert len(background) == 2 and all(line.endswith(" &") for line in background)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "XDG_CACHE_HOME": str(tmp_path), "COLUMNS": "120"}
    environment["PYTHONPATH"] = str(ROOT)  # the workers must have this code
    started: list[subprocess.Popen] = []
    try:
        for line in background:
            started.append(
                subprocess.Popen(
                    shlex.split(line.removesuffix(" &")),
                    cwd=tmp_path,
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
            wait_for(port, started[0])
        words = [sys.executable, "-m", "orca_exact", *shlex.split(command)[1:], "--no-cache"]
        deadline = time.monotonic() + TIMEOUT
        while True:  # a scheduler without a worker is refused after some seconds
            done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8")
            if done.returncode == 0 or time.monotonic() > deadline:
                break
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait(TIMEOUT)
    assert done.returncode == 0, done.stderr
    assert [line.rstrip() for line in done.stdout.splitlines()] == SHOWN.splitlines()
