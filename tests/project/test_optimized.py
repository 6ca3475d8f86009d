"""``python -OO``, which removes docstrings and assertions, prints the same texts."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys

import pytest
from here import ROOT

from orca_exact.conformance.bugs import BUGS

FOLDERS = ("orca_exact", "proofs_checks", "benchmarks")
HELP = """
from orca_exact.cli.parser import leaf_parsers, list_verbs, make_parser
top = make_parser()
print(top.format_help())
choices = top._subparsers._group_actions[0].choices
for verb in list_verbs():
    for leaf in dict.fromkeys([choices[verb], *leaf_parsers(choices[verb])]):
        print(leaf.prog, leaf.description, leaf.epilog, leaf.format_help())
"""
BUG_TEXTS = """
from orca_exact.conformance.bugs import BUGS
for bug in BUGS:
    print(bug.name, bug.flag, bug.stage, bug.means)
from proofs_checks.experiments.tables import RULE
print(RULE)
"""


def printed(*words: str) -> str:
    """Return what Python prints, which must succeed."""
    environment = os.environ | {"COLUMNS": "100", "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("program", [HELP, BUG_TEXTS], ids=["help", "bugs"])
def test_texts_without_docstrings(program):
    text = printed("-c", program)
    assert len(text) > 1000
    assert printed("-OO", "-c", program) == text


def test_a_likely_bug_is_explained_without_docstrings(tmp_path):
    problem, reference, wrong = (str(tmp_path / name) for name in ("p.json", "ref.json", "wrong.json"))
    data = {"schema": "orca-exact/problem/1", "id": "p", "X": [["-1"], ["0"], ["1/2"]], "y": [1, -1, 1]}
    data |= {"n": 2, "alpha": "0", "beta": "0", "C": "10"}
    with open(problem, "w", encoding="utf-8") as file:
        json.dump(data, file)
    command = ("-m", "orca_exact")
    result = json.loads(printed(*command, "profile", problem, "--format", "json"))
    printed(*command, "reference", problem, "-o", reference, "--quiet")
    threshold = result["okc"]["threshold"]
    result["okc"]["threshold"] = {eps: value + 1 for eps, value in threshold.items()}
    with open(wrong, "w", encoding="utf-8") as file:
        json.dump(result, file)
    words = ("crosscheck", reference, wrong)
    text = printed(*command, *words)
    assert "likely bug" in text
    assert printed("-OO", *command, *words) == text


def test_every_bug_has_its_own_explanation():
    texts = [bug.means for bug in BUGS]
    assert all(text.endswith(".") for text in texts)
    assert len({*texts}) == len(texts)


def test_no_program_reads_a_docstring():
    readers = []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                name = getattr(node, "attr", None) or getattr(node, "id", None)
                if name in ("__doc__", "getdoc"):
                    readers.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert readers == []
