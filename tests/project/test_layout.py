"""Tests of the folders: tests are where their package is, and few modules are outside a package."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from importlib.metadata import packages_distributions
from sys import stdlib_module_names

from here import ROOT

TESTS, LIBRARY = ROOT / "tests", ROOT / "orca_exact"
PACKAGES = {file.parent.name for file in LIBRARY.glob("*/__init__.py")}
LOOSE = {file.stem for file in LIBRARY.glob("[a-z]*.py")}


def test_every_test_is_in_the_folder_of_what_it_tests():
    """The tests of a package are in the folder of its name, those of a single module in ``tests``."""
    for file in TESTS.rglob("*.py"):
        folder, shared = file.relative_to(TESTS).parent.as_posix(), not file.name.startswith("test_")
        if shared:
            assert folder == "helpers" or file == TESTS / "conftest.py", file
        elif folder == ".":
            assert file.stem.removeprefix("test_") in LOOSE, file
        else:
            assert folder in PACKAGES | LOOSE | {"paper", "project"}, file


def test_every_package_and_every_loose_module_has_tests():
    assert not [name for name in PACKAGES if not list(TESTS.glob(f"{name}/test_*.py"))]
    assert not [name for name in LOOSE if not {TESTS / f"test_{name}.py", TESTS / name} & {*TESTS.iterdir()}]


def test_few_modules_are_outside_a_package():
    assert len(LOOSE) <= 5, LOOSE


def test_no_helper_has_the_name_of_a_library():
    """The helpers are on the import path of every test."""
    taken = {*stdlib_module_names, *packages_distributions()}
    assert not [file.stem for file in TESTS.glob("helpers/*.py") if file.stem in taken]


def test_every_module_can_be_imported_on_windows():
    """Modules that exist on POSIX systems only are imported in functions."""
    absent = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"}
    for folder in ("orca_exact", "proofs_checks", "tests", "benchmarks", "examples", "docs"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.parse(file.read_bytes()).body:
                names = [node.module] if isinstance(node, ast.ImportFrom) else []
                names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
                assert not absent.intersection(names), file


def test_slow_tests_run_last():
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith("pytest -n auto -m slow")


def test_the_picture_of_the_layers_shows_every_layer_and_the_verbs_of_the_page(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    module = importlib.import_module("from_code")
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (header,) = re.findall(r"^\| step \|.*$", page, re.MULTILINE)
    assert [verb for verb in re.findall(r"`([\w-]+)`", header) if verb != "check-certificate"] == [
        *module.WAYS
    ]
    for steps in module.WAYS.values():
        taken = {number for numbers in steps.values() for number in numbers.split()}
        assert taken - {"✓"} == set("12345") - ({"4"} if "checker" in steps else set()), (
            "certify computes no indices"
        )
    shown = re.findall(r">([\w.]+)</text>", module.layers())
    parts = {path.stem for path in (ROOT / "orca_exact").iterdir() if path.suffix in ("", ".py")}
    assert parts - {"__init__", "__main__", "__pycache__"} <= {*shown}


def test_every_library_has_a_reason(monkeypatch):
    """The page "How it is built" takes the reasons from the comments in pyproject.toml."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    page = importlib.import_module("from_code").dependencies()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [x for extra in project["optional-dependencies"].values() for x in extra]
    reasons = {
        name: why
        for libraries, _, why in re.findall(r"^\| (.*) \| (.*) \| (.*) \|$", page, re.MULTILINE)
        for name in re.findall(r"`([\w-]+)`", libraries)
    }
    wanted = {line.partition(">=")[0] for line in [*project["dependencies"], *extras] if ">=" in line}
    assert reasons.keys() == wanted, "the page lists each library, and nothing else"
    assert not [name for name, why in reasons.items() if not why.strip()], "say in pyproject.toml why"
