"""The verbs problem, certify and profile with linear, polynomial and RBF kernels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import orca
from here import ROOT

from orca_exact import RBF, Normal, Polynomial, Problem, Uniform
from orca_exact.conformance.result import Result
from orca_exact.numbers.rationals import QQ, to_float
from orca_exact.table import scale_gamma

TEA = str(ROOT / "examples" / "tea.csv")
MAKE = ("problem", TEA, "--label", "taste")


def made(tmp_path: Path, *options: str) -> tuple[str, str]:
    """Write a problem of the tea table and return its path and the lines that were printed."""
    path = str(tmp_path / "tea.json")
    code, out, err = orca(*MAKE, *options, "-o", path)
    assert code == 0, err
    return path, out


def test_rbf_with_the_scale_of_the_data(tmp_path):
    path, out = made(tmp_path, "--kernel", "rbf")
    problem = Problem.load(path)
    X = [[to_float(x) for x in row] for row in problem.points]
    numpy = pytest.importorskip("numpy")
    variance = numpy.array(X).var()
    assert problem.kernel.gamma == scale_gamma(problem.points)
    assert to_float(problem.kernel.gamma) == pytest.approx(1 / (problem.d * variance), rel=1e-14)
    assert QQ(to_float(problem.kernel.gamma)) == problem.kernel.gamma  # a float64, stored exactly
    assert "columns: rescaled to [-1, 1]\n" in out
    assert "indices: under the empirical distribution of each column\n" in out
    assert "(rounded), infinitely many modes" in out


def test_a_constant_table_has_the_scale_one():
    assert scale_gamma(Problem([[2, 2], [2, 2]], [1, -1], kernel=RBF(1)).points) == 1


def test_polynomial_with_its_options(tmp_path):
    options = ("--kernel", "polynomial", "--degree", "2", "--gamma", "1/3", "--coef0", "0.5")
    path, out = made(tmp_path, *options, "--under", "normal:0,1/2", "--no-rescale")
    problem = Problem.load(path)
    assert problem.kernel == Polynomial(2, "1/3", "1/2").for_columns(3)
    assert problem.under == (Normal(0, "1/2"),) * 3
    assert "columns: used as they are\n" in out
    assert "indices: under normal (mean 0, sd 0.5) in each column\n" in out


def test_one_measure_for_each_column(tmp_path):
    path, _ = made(tmp_path, "--kernel", "linear", "--under", "uniform", "empirical", "uniform:-1,2")
    assert [measure.to_json()["family"] for measure in Problem.load(path).under] == [
        "uniform", "empirical", "uniform",
    ]  # fmt: skip
    assert Problem.load(path).under[2] == Uniform(-1, 2)


def test_facts_as_json(tmp_path):
    path = str(tmp_path / "tea.json")
    code, out, _ = orca(*MAKE, "--kernel", "rbf", "--gamma", "2", "--format", "json", "-o", path)
    facts = json.loads(out)
    assert code == 0 and facts["modes"] is None and facts["rescaled"] is True
    assert facts["kernel"] == {"family": "rbf", "gamma": "2"}
    assert facts["under"] == {"family": "empirical"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--kernel", "rbf", "--n", "2"), "--n: it is not an option of the kernel rbf"),
        (("--kernel", "rbf", "--degree", "2"), "--degree: it is not an option of the kernel rbf"),
        (("--n", "2", "--gamma", "1"), "leave it out, or use --kernel polynomial or rbf"),
        (("--n", "2", "--under", "uniform"), "--under: it is not an option of the kernel orthogonal"),
        (("--kernel", "linear", "--gamma", "1"), "--gamma: it is not an option of the kernel linear"),
        (("--kernel", "rbf", "--gamma", "0"), "gamma: 0 is not positive"),
        (("--kernel", "rbf", "--gamma", "auto"), "gamma: 'auto' is not a finite number"),
        (("--kernel", "polynomial", "--coef0=-1"), "coef0: -1 is negative"),
        (("--kernel", "polynomial", "--degree", "0"), "degree: 0 is not an integer of at least 1"),
        (("--kernel", "rbf", "--under", "normal"), "--under: 'normal' is not a measure of indices; pass"),
        (("--kernel", "rbf", "--under", "normal:0,0"), "--under.sd: 0 is not positive"),
        (("--kernel", "rbf", "--under", "uniform:2,1"), "--under.upper: 1 is not above 2"),
        (("--kernel", "rbf", "--under", "gauss"), "--under: 'gauss' is not a measure of indices"),
        (("--kernel", "rbf", "--under", "uniform", "uniform"), "under: 2 measures were given for 3 columns"),
    ],
)  # fmt: skip
def test_bad_options(options, message):
    code, out, err = orca(*MAKE, *options)
    assert code == 4 and out == ""
    assert message in err and err.count("\n") == 1


def test_a_degree_that_is_no_integer_is_a_usage_error(capsys):
    assert orca(*MAKE, "--kernel", "polynomial", "--degree", "2.5")[0] == 2
    assert "'2.5' is not an integer" in capsys.readouterr().err


def test_profile_states_the_measure(tmp_path):
    path, _ = made(tmp_path, "--kernel", "rbf", "--gamma", "0.5", "--under", "uniform")
    code, out, _ = orca("profile", path, "--digits", "8")
    assert code == 0
    assert "indices under the uniform distribution on the range of each column\n" in out
    assert "optimality: proved (level ball)" in out
    assert "N* =" not in out and "N=1" not in out and "OKC^(3)" in out
    code, out, _ = orca("profile", path, "--digits", "8", "--format", "markdown")
    assert code == 0 and "- indices under the uniform distribution" in out
    code, out, _ = orca("profile", path, "--format", "json")
    data = json.loads(out)
    assert data["under"] == {"family": "uniform"} and "degree" not in data["okc"]
    assert float(Result.from_json(data).okc.order[1]) == pytest.approx(0.18126160, abs=1e-8)


def test_exact_is_refused_for_rbf(tmp_path):
    path, _ = made(tmp_path, "--kernel", "rbf", "--gamma", "0.5")
    code, _, err = orca("certify", path, "--level", "exact")
    assert code == 4 and "level: 'exact' does not exist for the RBF kernel" in err
    code, _, err = orca("profile", path, "--arithmetic", "exact")
    assert code == 4 and "--arithmetic: exact cannot represent the RBF kernel" in err
    assert "its values are transcendental" in err
    code, out, _ = orca("certify", path)
    assert code == 0 and "(level ball)" in out


def test_polynomial_is_exact(tmp_path):
    path, _ = made(tmp_path, "--kernel", "polynomial", "--degree", "2", "--gamma", "1", "--coef0", "1")
    code, out, _ = orca("certify", path)
    assert code == 0 and "(level exact)" in out and "kernel: polynomial kernel of degree 2" in out
    code, out, _ = orca("profile", path, "--arithmetic", "exact", "--format", "json")
    okc = Result.from_json(json.loads(out)).okc
    assert code == 0 and sum(okc.order) == sum(okc.degree) == 1


def test_a_warning_goes_to_standard_error_with_json(tmp_path):
    table = tmp_path / "line.csv"
    rows = [f"{i},{i},{i},{i},{'ab'[i // 3 % 2]}" for i in range(16)]
    table.write_text("p,q,r,s,y\n" + "\n".join(rows) + "\n")
    path = str(tmp_path / "line.json")
    options = ("--kernel", "rbf", "--gamma", "8", "--C", "10", "--under", "uniform", "-o", path)
    assert orca("problem", str(table), "--label", "y", *options)[0] == 0
    code, out, err = orca("profile", path, "--format", "json")
    assert code == 0 and "times smaller than over the rows of the data (an estimate)" in err
    json.loads(out)
    code, out, _ = orca("profile", path, "--digits", "5")
    assert code == 0 and "warning: under this measure the variance of h is about" in out


def test_the_figure_states_the_measure(tmp_path):
    pytest.importorskip("matplotlib")
    path, _ = made(tmp_path, "--kernel", "rbf", "--gamma", "0.5", "--under", "uniform")
    target = tmp_path / "orders.svg"
    assert orca("profile", path, "--figure", str(target), "--digits", "8")[0] == 0
    assert target.stat().st_size > 1000
    code, _, err = orca("profile", path, "--figure", str(target), "--kind", "spectrum")
    assert code == 4 and "'degree' does not exist for the RBF kernel" in err
