"""Errors are subclasses of Python's own, and can be pickled."""

from __future__ import annotations

import pickle
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

import pytest
from here import ROOT
from marks import not_windows

from orca_exact import errors

EXAMPLES = [
    errors.BadInput("x"),
    errors.BadUsage("reference: no problem file is given"),
    errors.NotANumber("one", "C"),
    errors.BadParameter("C", -1, "is not positive", "pass a positive number"),
    errors.UnknownKey("pair", (1, 7), "is not a key", "use (1, 2)"),
    errors.OutsideDomain("3", "X[0][0]"),
    errors.BadFile("a.json", "not JSON", "write JSON"),
    errors.TooLarge("n", 7, 5, "take less"),
    errors.NotEnoughMemory("a matrix", 3e9, 1e9, "take less"),
    errors.DataMissing("no data"),
    errors.PackageMissing("matplotlib", "orca-exact[plots]"),
    errors.ZeroClassifier(),
    errors.Undecided("a tie", (1, 2)),
    errors.Rejected("format", "no"),
    errors.SolverFailed("no solver"),
]


def test_every_class_has_an_example():
    classes = {value for value in vars(errors).values() if isinstance(value, type)}
    ours = {kind for kind in classes if issubclass(kind, errors.OrcaError)} - {errors.OrcaError}
    assert {type(error) for error in EXAMPLES} == ours


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_are_pickled(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and vars(again) == vars(error)
    made, args, *_ = error.__reduce__()  # some libraries call it directly
    assert type(made(*args)) is type(error) and str(made(*args)) == str(error)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_base_classes(error):
    assert isinstance(error, ValueError) == isinstance(error, errors.BadInput)
    assert isinstance(error, ZeroDivisionError) == isinstance(error, errors.ZeroClassifier)
    assert isinstance(error, ImportError) == isinstance(error, errors.PackageMissing)
    assert isinstance(error, MemoryError) == isinstance(error, errors.NotEnoughMemory)
    assert not isinstance(error, OSError)  # it must not be handled as a failed write


@not_windows
def test_an_installation_is_for_the_python_that_runs(monkeypatch, tmp_path):
    ours, others = tmp_path / "our own" / "bin", tmp_path / "others"
    for folder, names in ((ours, ("python", "pip")), (others, ("pip", "uv"))):
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).touch(0o755)
    monkeypatch.setattr(sys, "executable", str(ours / "python"))
    monkeypatch.setenv("PATH", str(ours))
    assert errors.install_command("orca-exact[plots]") == "pip install 'orca-exact[plots]'"
    monkeypatch.setenv("PATH", str(others))  # the environment is not active
    assert errors.install_command("pandas", "pyarrow") == f"'{ours}/python' -m pip install pandas pyarrow"
    monkeypatch.setattr(errors, "find_spec", lambda name: None)  # uv makes environments without pip
    assert errors.install_command("pandas") == f"uv pip install --python '{ours}/python' pandas"


@not_windows
@pytest.mark.slow
def test_the_command_for_an_extra_works():
    """The package itself is not on an index; that it is installed suffices."""
    try:
        version("orca-exact"), version("matplotlib")
    except PackageNotFoundError as error:
        pytest.skip(f"{error.name} is not installed")
    if not find_spec("pip"):
        pytest.skip("pip is not installed")
    command = errors.install_command("orca-exact[plots]")
    done = subprocess.run(
        f"{command} --dry-run --no-index --quiet", shell=True, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    assert subprocess.run(f"{command}x --dry-run --no-index", shell=True, capture_output=True).returncode


def test_the_extras_of_hints_exist():
    from orca_exact.runtime.installation import EXTRAS

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    for package, extra in EXTRAS.items():
        assert any(wanted.startswith(f"{package}>=") for wanted in extras[extra]), package


def test_the_library_raises_them():
    from orca_exact import QQ, Jacobi, Problem

    for call in (
        lambda: QQ("one"),
        lambda: Jacobi(-1, 0),
        lambda: Problem([["2"], ["0"]], [1, -1], 1, 0, 0),
        lambda: Problem([["1"], ["0"]], [1, 1], 1, 0, 0),
    ):
        with pytest.raises(ValueError):
            call()


def test_long_values_are_shortened():
    from orca_exact import Problem

    with pytest.raises(errors.BadInput) as error:
        Problem([["9" * 6000], ["0"]], [1, -1], 1, 0, 0)
    assert len(str(error.value)) < 300
