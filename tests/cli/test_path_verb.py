"""Tests of ``orca-exact path``: the table, the file, the picture, and bad input."""

import json

import pytest
from command import orca
from flint import fmpq
from here import XOR

from orca_exact import Problem, certify
from orca_exact import orca as profile_of
from orca_exact import path as path_of
from orca_exact.files.validation import validate
from orca_exact.numbers.rationals import QQ


def test_the_table_and_the_sentences():
    code, out, err = orca("path", XOR)
    assert (code, err) == (0, "")
    assert "optimality: proved for every C from 0 to infinity (level ball), in 8 segments" in out
    assert "point 6 leaves its bound" in out
    assert "T_0.01: 5 for C from 0 to 0.191634; 6 for C from 0.191634 to infinity" in out
    problem = Problem.load(XOR)
    for C, T in (("0.19", 5), ("0.192", 6)):  # certify agrees on both sides
        beside = problem.replace(C=C)
        assert profile_of(beside, certify(beside), "exact").threshold("0.01")[0] == T
    code, out, _ = orca("path", XOR, "--format", "markdown", "--from", "0.2", "--to", "0.3")
    assert code == 0
    assert "| 0.200000 | 0.203965 | 4 | 4 | point 7 leaves its bound |" in out


def test_a_file_that_is_checked_and_cannot_be_changed(tmp_path):
    file = tmp_path / "path.json"
    assert orca("path", XOR, "-o", str(file))[0] == 0
    assert orca("check-certificate", str(file))[0] == 0
    data = json.loads(orca("path", XOR, "--format", "json")[1])
    assert data == json.loads(file.read_text())
    data["segments"][2]["upper"] = data["segments"][3]["upper"]
    file.write_text(json.dumps(data))
    assert orca("check-certificate", str(file))[0] == 1


@pytest.mark.parametrize("level", ["ball", "exact"])
def test_the_indices_at_some_C(level):
    problem = Problem.load(XOR)
    code, out, err = orca("path", XOR, "--at", "0.1", "1/2", "--level", level)
    assert (code, err) == (0, "")
    assert "C = 0.1" in out and "C = 0.5" in out and f"level {level}" in out
    code, table, _ = orca("path", XOR, "--at", "0.1", "1/2", "--level", level, "--format", "markdown")
    assert code == 0 and "| index | C = 0.1 | C = 0.5 |" in table
    code, written, _ = orca("path", XOR, "--at", "0.1", "1/2", "--level", level, "--format", "json")
    results = json.loads(written)
    assert [result["C"] for result in results] == ["0.1", "0.5"]
    for result in results:
        validate(result, "orca-exact/result/1", "path --at")
        beside = problem.replace(C=result["C"])
        profile = profile_of(beside, certify(beside), "exact")
        assert result["problem"] == beside.sha256 and result["okc"]["peak"] == profile.peak
        for q, value in enumerate(profile.order):
            assert abs(QQ(result["okc"]["order"][q]["decimal"]) - value) < fmpq(1, 10**25)
            assert f"| OKC^({q}) | " in table
        assert path_of(problem, level=level).at(result["C"]).peak == profile.peak
    assert "| T_0.01 | 5 | 6 |" in table


def test_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    for kind, magic in (("svg", b"<?xml"), ("png", b"\x89PNG")):
        files = [tmp_path / f"{name}.{kind}" for name in "ab"]
        for file in files:
            assert orca("path", XOR, "--to", "0.3", "--figure", str(file))[0] == 0
        first, second = (file.read_bytes() for file in files)
        assert first.startswith(magic)
        assert first == second


def test_the_picture_has_the_indices():
    pytest.importorskip("matplotlib")
    problem = Problem.load(XOR)
    found = path_of(problem, "0.1", 1)
    C = 0.15
    shown = found.order(2).float_values(2, [C])[0]
    beside = problem.replace(C=C)
    assert shown == pytest.approx(float(profile_of(beside, certify(beside), "exact").order[2]), abs=1e-12)
    axes = found.plot().axes
    assert axes[0].get_xlim() == pytest.approx((0.1, 1))
    marks = axes[0].child_axes[0].get_xticks()
    assert len(marks) == len(found) - 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--from", "3", "--to", "2"), "is not an interval"),
        (("--from", "-1"), "is negative"),
        (("--to", "nan"), "is not a finite number"),
        (("--level", "ball", "-o", "x.json"), "cannot be written to a file"),
        (("--figure", "x.bmp"), "use one of the suffixes .svg"),
        (("--at", "2", "--to", "1"), "C: 2.00000 is not on the path from 0 to 1.00000"),
        (("--at", "x"), "--at: 'x' is not a finite number"),
        (("--at", "0"), "--at 0: w = 0"),
    ],
)
def test_bad_input(words, said):
    code, out, err = orca("path", XOR, *words)
    assert (code, out) == (4, "")
    assert said in err
    assert err.count("\n") == 1


def test_no_index_where_w_is_0(tmp_path):
    file = tmp_path / "same.json"
    problem = Problem([["1/2"], ["1/2"]], [1, -1], n=2, alpha=0, beta=0)
    file.write_text(json.dumps(problem.to_json()))
    code, out, _ = orca("path", str(file))
    assert code == 0
    assert "No index is defined, because w = 0 for every C." in out
    pytest.importorskip("matplotlib")
    assert orca("path", str(file), "--figure", str(tmp_path / "zero.png"))[0] == 0
