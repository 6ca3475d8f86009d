"""The choice of an arithmetic by the size of a problem, and the default number of digits."""

from __future__ import annotations

import json

import pytest
from command import orca
from here import ROOT

from orca_exact import OrthogonalPolynomials, Problem, cost
from orca_exact.cli.automatic import choose_arithmetic, describe_choice

XOR = str(ROOT / "examples/problems/xor.json")
TIE = Problem([[1, 0], [-1, 0], [1, 1]], [1, -1, 1], 1, 0, 0, C=10)  # y g = 1 at a point with alpha = 0


def write(tmp_path, problem):
    file = tmp_path / "p.json"
    file.write_text(json.dumps(problem.to_json()))
    return str(file)


def test_balls_for_few_points_and_float64_for_many():
    points = [[f"{i * j % 997}/997" for j in range(1, 6)] for i in range(1, 3001)]
    many = Problem(points, [(-1) ** i for i in range(3000)], kernel=OrthogonalPolynomials(2, order=2))
    few = many.replace(X=many.X[:30], y=many.y[:30])
    assert choose_arithmetic(few, 6)[:2] == ("ball", "ball")
    assert choose_arithmetic(many, 6)[:2] == ("verified", "float")
    assert choose_arithmetic(many, 6, "ball")[:2] == ("ball", "ball")
    verified, plain = (describe_choice(many, name, 6) for name in ("verified", "float"))
    assert plain.level == verified.level == "float"  # plain float64 does not wait for a slower proof


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_the_same_six_digits_in_either_arithmetic(seconds, monkeypatch):
    monkeypatch.setattr(cost, "LONG_SECONDS", seconds)
    code, out, _ = orca("profile", XOR, "--quiet")
    assert code == 0 and ("level ball" in out) == (seconds > 0)
    assert "OKC^(1)    0.280226  " in out and "OKC_12     0.719774  " in out


def test_digits_on_request():
    assert "OKC^(1)    0.280226288214713  " in orca("profile", XOR, "--digits", "15")[1]
    decimal = json.loads(orca("profile", XOR, "--format", "json")[1])["okc"]["order"][1]["decimal"]
    assert decimal == "0.280226288214713495792611599312"


@pytest.mark.parametrize("options", [(), ("--arithmetic", "float")])
def test_balls_decide_what_float64_does_not(tmp_path, monkeypatch, options):
    monkeypatch.setattr(cost, "LONG_SECONDS", 0.0)
    code, out, err = orca("profile", write(tmp_path, TIE), *options)
    assert code == 0 and "(level ball)" in out
    assert "float64 does not decide; continuing in balls: this can take long\n" in err
    code, _, err = orca("profile", write(tmp_path, TIE), "--arithmetic", "verified")
    assert code == 3 and "take level='ball'" in err


def test_the_leading_columns_of_a_wide_table(tmp_path):
    numbers = [[(i * j) % 11 - 5 for j in range(1, 15)] for i in range(1, 12)]
    points, labels = (
        [[f"{x}/5" for x in row] for row in numbers],
        [1 if row[6] > 0 else -1 for row in numbers],
    )
    wide = Problem(
        points, labels, kernel=OrthogonalPolynomials(1, order=2), names=[f"c{j}" for j in range(1, 15)]
    )
    code, out, _ = orca("profile", write(tmp_path, wide))
    lines = out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("largest total_i of 14 columns"))
    values = [float(line.split()[1]) for line in lines[first + 1 : first + 13]]
    assert code == 0 and values == sorted(values, reverse=True) and lines[first + 1].startswith("c")
    assert "OKC^(2)" in out and "OKC^(3)" not in out and "N=2" in out and "N=3" not in out
    assert "OKC^(q) = 0 for q > 2, the order of the kernel" in out
