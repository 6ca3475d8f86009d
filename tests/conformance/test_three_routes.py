"""``profile --check``: float64 and mpmath against ball arithmetic, and that an error in one is detected."""

from __future__ import annotations

import json

import command
import pytest
from here import PROBLEMS, XOR
from orca_exact.conformance.witnesses import UNLISTED_INDICES, compare_arithmetics

from orca_exact import Problem, certify
from orca_exact.files.validation import validate
from orca_exact.profile.indices import INDICES
from orca_exact.profile.profile import Profile

MIXED = str(PROBLEMS / "mixed.json")


def spoil(monkeypatch, name, by):
    """Make OKC^(1) wrong in one arithmetic."""
    family = Profile.family

    def spoiled(self, which):
        found = dict(family(self, which))
        if self.arithmetic.name == name and which == "order":
            found[1,] = found[1,] * (1 + self.arithmetic(by))
        return found

    monkeypatch.setattr(Profile, "family", spoiled)


@pytest.mark.parametrize("level", ["gap", "ball", "exact"])
@pytest.mark.parametrize("path", [XOR, MIXED])
def test_all_three_agree(path, level):
    problem = Problem.load(path)
    found = compare_arithmetics(problem, certify(problem, level=level), 20)
    listed = [index for index in INDICES.values() if index.name not in UNLISTED_INDICES]
    keys = [(index.name, key) for index in listed for key in index.keys(sum(problem.degrees), problem.d)]
    assert [(row.name, row.key) for row in found.rows] == keys
    assert found.agrees
    for row in found.rows:
        assert all(
            t.decimals <= row.decimals for t in row.approximations.values()
        )  # none is nearer than is proved
    if level != "gap":
        assert found.least_accurate("float").approximations["float"].decimals > 13
        assert found.least_accurate("mp").approximations["mp"].decimals > 20


@pytest.mark.parametrize(("name", "by", "wrong"), [
    ("float", "1e-8", {"float"}), ("mp", "1e-8", {"mp"}), ("mp", "1e-24", {"mp"}),
    ("ball", "1e-8", {"float", "mp"}), ("float", "1e-16", set()), ("mp", "1e-35", set()),
])  # fmt: skip
def test_an_error_is_detected(name, by, wrong, monkeypatch):
    problem = Problem.load(XOR)
    spoil(monkeypatch, name, by)
    found = compare_arithmetics(problem, certify(problem), 30)
    for arithmetic in ("float", "mp"):
        assert [row.label for row in found.inaccurate(arithmetic)] == ["OKC^(1)"] * (arithmetic in wrong)


def test_the_verb(monkeypatch):
    code, out, err = command.orca("profile", XOR, "--check")
    words = " ".join(out.split())
    assert (code, err) == (0, "") and "OKC_12 0.719773711785287" in words
    assert "float64 agrees with the proved value of every index to at least 15 decimals; the fewest" in words
    assert (
        "mpmath at 30 digits agrees with the proved value of every index to at least 37 decimals (" in words
    )
    code, out, _ = command.orca("profile", XOR, "--check", "--format", "markdown")
    assert code == 0 and "\n| OKC_12 | 0.719773711785287 | " in out and "\n- float64 agrees" in out
    code, out, _ = command.orca("profile", XOR, "--check", "--format", "json")
    validate(json.loads(out), "orca-exact/check/1", "profile --check")
    assert code == 0 and json.loads(out)["agrees"] is True
    code, _, err = command.orca("profile", XOR, "--check", "--arithmetic", "float")
    assert code == 4 and err.startswith("orca-exact: --arithmetic: float is given with --check; leave it out")
    spoil(monkeypatch, "float", "1e-6")
    code, out, _ = command.orca("profile", XOR, "--check")
    assert code == 1 and "\nOKC^(1) <-  0.28" in out
    wrong = "float64 is wrong in 1 of 19 indices (OKC^(1)): 6.5 correct decimals at OKC^(1), 10 expected"
    assert wrong in " ".join(out.split())
    code, out, _ = command.orca("profile", XOR, "--check", "--format", "json")
    assert code == 1 and json.loads(out)["witnesses"]["float"]["misses"] == ["OKC^(1)"]
