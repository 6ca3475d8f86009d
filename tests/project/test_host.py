"""The files for a public host: they are well formed and name only what exists."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from orca_exact import __author__
from orca_exact.cli.parser import make_parser

ROOT = Path(__file__).parents[2]
HOST = ROOT / ".github"
WORKFLOWS = sorted((HOST / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def sessions() -> set[str]:
    """Return the names that nox accepts after -s."""
    text = (ROOT / "noxfile.py").read_text()
    (pythons,) = re.findall(r"^PYTHONS = (\[.*\])$", text, re.MULTILINE)
    names = re.findall(r"^@nox\.session(\(python=PYTHONS\))?.*\ndef (\w+)", text, re.MULTILINE)
    versions = yaml.safe_load(pythons)
    return {name for _, name in names} | {f"{name}-{v}" for every, name in names if every for v in versions}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_run_sessions_and_files_that_exist(path):
    text = path.read_text()
    for job in yaml.safe_load(text)["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        assert set(matrix.get("session", ())) <= sessions()
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            for name in re.findall(r"nox -s ([\w. -]+?)(?: -- |$)", step.get("run", "")):
                assert set(name.split()) <= sessions(), name
            for file in re.findall(r"bash (\S+)", step.get("run", "")):
                assert (ROOT / file).is_file(), file
            for words in re.findall(r"^orca-exact (.+)$", step.get("run", ""), re.MULTILINE):
                make_parser(words.split()[0]).parse_args(words.split())


def test_workflows_and_metadata_name_the_same_pythons():
    quick = yaml.safe_load((HOST / "workflows" / "tests.yml").read_text())["jobs"]["quick"]
    tested = quick["strategy"]["matrix"]["python"]
    stated = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if "Python :: 3." in c]
    assert tested == stated
    assert {f"tests-{python}" for python in tested} <= sessions()


def test_issue_forms_have_what_the_host_requires():
    for path in (HOST / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text())
        if path.stem != "config":
            assert form["name"] and form["description"]
            assert all({"type", "id", "attributes"} <= part.keys() for part in form["body"])


def test_the_authors_are_the_same_everywhere():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())["authors"]
    persons = [each.get("name") or f"{each['given-names']} {each['family-names']}" for each in cited]
    assert __author__ == ", ".join(persons) == ", ".join(each["name"] for each in PROJECT["authors"])
    found = subprocess.run(
        ["git", "grep", "-l", "-i", "-F", __author__], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    places = {"CITATION.cff", "LICENSE", "orca_exact/__init__.py", "pyproject.toml"}
    assert set(found.stdout.split()) <= places  # nothing if this is not a clone


def test_only_pyproject_has_the_address_of_the_project():
    address = PROJECT["urls"]["Homepage"]
    found = subprocess.run(
        ["git", "grep", "-l", "-F", address], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert set(found.stdout.split()) <= {"pyproject.toml"}
