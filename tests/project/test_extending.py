"""Tests that the examples of docs/extending.md work: they are applied to a copy of the project and run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from here import ROOT

PAGE = ROOT / "docs" / "extending.md"
BLOCK = re.compile(r"^<!-- run by tests/project/test_extending.py -->\n```(\w+)\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"# ([\w/]+\.py)\n")


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(PAGE.read_text(encoding="utf-8"))


def test_every_block_is_a_change_a_file_a_command_or_its_output():
    kinds = [kind for kind, _ in blocks()]
    assert set(kinds) == {"diff", "python", "console", "text"}
    assert kinds.count("console") >= 4
    for kind, text in blocks():
        assert kind != "python" or FILE.match(text), text[:80]
        assert kind != "console" or re.fullmatch(r"\$ python -m .*\n", text), text


@pytest.mark.slow
def test_the_examples_work_in_a_copy(tmp_path):
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    pytest.importorskip("sklearn")
    copy = tmp_path / "copy"
    unwanted = shutil.ignore_patterns(".*", "build", "dist", "site", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, copy, ignore=unwanted)
    environment = os.environ | {"PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(tmp_path), "COLUMNS": "120"}
    environment.pop("ORCA_EXACT_PAPER", None)
    printed = ""

    def run(*words: str, given: str | None = None) -> str:
        done = subprocess.run(
            words, cwd=copy, env=environment, input=given, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == 0, f"{shlex.join(words)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    for kind, text in blocks():
        if kind == "diff":
            run("git", "apply", "-", given=text)
        elif kind == "python":
            file = copy / FILE.match(text)[1]
            assert not file.exists()
            file.write_text(FILE.sub("", text, count=1), encoding="utf-8")
        elif kind == "console":
            words = shlex.split(text.removeprefix("$ python "))
            quick = ["-p", "no:cacheprovider", "-q"] if words[1] == "pytest" else []
            printed = run(sys.executable, *words, *quick)
        else:
            assert text.splitlines() == [line.rstrip() for line in printed.splitlines()]
    where = run(sys.executable, "-c", "import orca_exact; print(orca_exact.__file__, orca_exact.Poisson(2))")
    assert where.startswith(str(copy)), "the copy was not tested"
