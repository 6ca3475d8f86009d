"""A tiny run of every benchmark: contenders agree, results are written and shown. Nothing is timed here."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.fixture
def tiny(monkeypatch):
    """Every part that ``python -m benchmarks --full`` has, at sizes of a second."""
    from benchmarks import __main__ as main
    from benchmarks import certificates, polynomials, profiles

    def parts(quick: bool, full: bool) -> dict:
        known = original(quick, full)
        small = {
            "races": lambda: [
                polynomials.values(50, 4, budget=0),
                polynomials.digits(3, 4, 30, budget=0),
                *polynomials.exact(3, budget=0),
            ],
            "curves": lambda: [
                profiles.curve(variable, [2, 3, 4], 2, route, 6, 1)
                for variable in "nd"
                for route in profiles.ROUTES
            ],
            "single": lambda: main._timed(certificates.largest(8, 2, 2)),
            "certificates": lambda: certificates.by_size([6, 8], d=2, n=2),
            "whole": lambda: main._timed(certificates.whole("schema problem")),
        }
        assert small.keys() == known.keys()
        return small

    pytest.importorskip("scipy")
    original = main.parts
    monkeypatch.setattr(main, "parts", parts)
    return main


def test_every_benchmark_runs_and_its_results_are_written(tiny, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert tiny.main(["--full", "-o", str(tmp_path)]) == 0
    data = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    for race in data["races"]:
        for other in race["others"]:
            assert other["ratio"] == pytest.approx(other["seconds"] / race["ours"]["seconds"])
    assert {row["level"] for row in data["certificates"]} == {"gap", "ball", "exact"}
    assert all(row["peak"] >= 0 for row in data["single"] + data["certificates"])
    assert data["whole"][0]["name"] == "exit 0" and data["whole"][0]["peak"] > 1
    assert (tmp_path / "results.png").read_bytes().startswith(b"\x89PNG")
    assert "SymPy, jacobi_normalized" in capsys.readouterr().out


def test_contenders_that_disagree_do_not_race():
    from benchmarks.polynomials import agree

    agree([1.0, 2.0], [1.0, 2.0 + 1e-14], 1e-12)
    with pytest.raises(AssertionError, match="differ by"):
        agree([1.0, 2.0], [1.0, 2.1], 1e-12)
    with pytest.raises(AssertionError):
        agree([float("nan")], [1.0], 1e-12)


def test_growth_is_recovered():
    from benchmarks.measure import fitted

    sizes = [1, 2, 4, 8, 16, 32]
    assert fitted(sizes, [3 * n**2.5 for n in sizes]) == pytest.approx(2.5)
    assert fitted(sizes, [0.1 * 6.0**n for n in sizes], exponential=True) == pytest.approx(6)


def test_tables_fit_a_narrow_terminal(tiny):
    from rich.console import Console

    from benchmarks import show

    text = StringIO()
    curve = {
        "task": "d = 2",
        "route": "enumeration",
        "variable": "d",
        "sizes": [1, 2],
        "seconds": [0.001, 12.0],
    }
    show.tables({"curves": [curve | {"growth": 3.04}]}, Console(file=text, width=60))
    assert "3.0^d" in text.getvalue() and "1 ms" in text.getvalue()
    assert max(map(len, text.getvalue().splitlines())) <= 60


def test_the_judges_of_mutants_exist():
    """Each module that proves something has tests that judge it, and each test that is left out is one."""
    from benchmarks.mutation import judges

    rooms = (ROOT / "orca_exact" / name for name in ("svm", "profile"))
    inside = {file.relative_to(ROOT).as_posix() for room in rooms for file in room.glob("[a-z]*.py")}
    assert inside | {"orca_exact/midrad.py", "orca_exact/checker.py"} <= judges().keys()
    for arguments in judges().values():
        for argument in arguments:
            file, _, test = argument.removeprefix("--deselect=").partition("::")
            text = (ROOT / file).read_text(encoding="utf-8")
            assert not test or f"def {test.split('[')[0]}(" in text
