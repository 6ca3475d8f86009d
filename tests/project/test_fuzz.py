"""The stored inputs of ``python -m benchmarks.fuzz``, and a few new ones."""

from __future__ import annotations

import pytest

pytest.importorskip("sklearn")

from benchmarks.fuzz import __main__ as program
from benchmarks.fuzz import targets

STORED = [
    (target, k, entry) for target in targets.TARGETS for k, entry in enumerate(program.load_corpus(target))
]


@pytest.mark.parametrize(("target", "entry"), [pytest.param(t, e, id=f"{t}-{k}") for t, k, e in STORED])
def test_stored_inputs_have_the_same_outcome(target, entry):
    assert program.attempt(target, entry["input"]) == entry["outcome"]


def test_there_are_stored_inputs_of_every_target():
    assert {target for target, _, _ in STORED} == {*targets.TARGETS}


@pytest.mark.parametrize("target", ["models", "tables"])
def test_a_small_share_of_the_forgeries(target, capsys):
    """Seeded, so that each run tests the same ones."""
    assert program.main([target, "--count", "60", "--first", "500"]) == 0, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("target", targets.TARGETS)
def test_more_inputs(target, capsys):
    assert program.main([target, "--count", "40", "--first", "1000"]) == 0
    assert capsys.readouterr().out.endswith("0 findings\n")


def test_a_false_certificate_that_is_accepted_is_a_finding(monkeypatch):
    data = dict(targets.honest("certificate", 13))
    data["claims"] = {**data["claims"], "norm2": {"lower": "1e9", "upper": "2e9"}}
    assert targets.check(data) in ("claims", "sha256")
    monkeypatch.setattr(targets.checker, "check", lambda data: {})
    outcome = program.attempt("checker", data)
    assert outcome.startswith("FINDING: Finding: accepted although") and "norm2" in outcome


def test_a_foreign_exception_and_a_long_run_are_findings(monkeypatch):
    monkeypatch.setitem(targets.READERS, "problem", lambda file: 1 / 0)
    entry = {"kind": "problem", "raw": "{}"}
    assert program.attempt("readers", entry) == "FINDING: Finding: ZeroDivisionError: division by zero"

    def forever(file):
        while True:
            pass

    monkeypatch.setattr(program, "LONGEST", 0.1)
    monkeypatch.setitem(targets.READERS, "problem", forever)
    assert "CPU time" in program.attempt("readers", entry)
