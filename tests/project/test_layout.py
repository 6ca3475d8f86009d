"""The place of a test follows from what it tests, and few modules stand outside a package."""

from __future__ import annotations

from importlib.metadata import packages_distributions
from sys import stdlib_module_names

from here import ROOT

TESTS, LIBRARY = ROOT / "tests", ROOT / "orca_exact"
PACKAGES = {file.parent.name for file in LIBRARY.glob("*/__init__.py")}
LOOSE = {file.stem for file in LIBRARY.glob("[a-z]*.py")}


def test_every_test_is_in_the_folder_of_what_it_tests():
    """A package's in the folder of its name, those of a loose module beside the folders."""
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


def test_few_modules_stand_outside_a_package():
    assert len(LOOSE) <= 5, LOOSE


def test_a_helper_is_named_like_no_library():
    """Helpers are on the path of every test."""
    taken = {*stdlib_module_names, *packages_distributions()}
    assert not [file.stem for file in TESTS.glob("helpers/*.py") if file.stem in taken]


def test_what_is_slow_is_run_after_the_rest():
    assert (ROOT / ".ci" / "run").read_text(encoding="utf-8").rstrip().endswith("pytest -n auto -m slow")
