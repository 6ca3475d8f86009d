"""``sweep``: a certified row for each model; the paper's tables are an example of such a grid."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from flint import fmpq

from orca_exact import Hermite, Jacobi, Laguerre, OrthogonalPolynomials, Problem, certify, orca
from orca_exact.errors import BadInput, OrcaError
from orca_exact.files.validation import validate
from orca_exact.studies import sweep
from orca_exact.studies.engine import UNIT, round_to_unit
from orca_exact.studies.predict import predict_signs

X = [[x / 8, y / 8] for x in (-7, -2, 1, 6) for y in (-5, -3, 2, 7)]
Y = [1 if x * y > 0 else -1 for x, y in X]


def xor(**changes) -> Problem:
    return Problem(**{"X": X, "y": Y, "n": 1, "alpha": 0, "beta": 0, "C": 1, "id": "xor"} | changes)


def exactly(value) -> float:
    """Return a rational number correctly rounded to the decimals of a study."""
    return int((fmpq(value) * UNIT + fmpq(1, 2)).floor()) / UNIT


def test_every_row_is_that_of_an_exact_proof():
    study = sweep(xor(), n=[1, 2, 3], measures=[Jacobi(0, 0)], C=["1/10", 10], keep=False)
    rows = study.rows()
    assert [(row["n"], row["C"]) for row in rows] == [(n, C) for n in (1, 2, 3) for C in ("0.1", "10")]
    for row in rows:
        problem = xor(n=row["n"], C=row["C"])
        proof = certify(problem)
        profile = orca(problem, proof, "exact")
        assert [row[f"order_{q}"] for q in range(3)] == [exactly(x) for x in profile.order]
        assert row["pair_1_2"] == exactly(profile.pair[1, 2]) and row["even"] == exactly(profile.even)
        assert row["marginal_2"] == exactly(profile.marginal[2])
        assert (row["peak"], row["threshold_0.05"]) == (profile.peak, profile.threshold("0.05")[0])
        assert row["m"] == 16 and row["d"] == 2 and row["modes"] == (row["n"] + 1) ** 2
        assert row["proof"] in ("float", "ball")
        g = [float(x) for x in margins(problem, proof)]
        assert row["accuracy"] == sum(x > 1e-12 for x in g) / 16
    assert len({row["order_1"] for row in rows}) > 2  # the parameters matter


def test_the_order_is_an_axis_of_the_grid():
    solid = Problem([[*row, (-1) ** i * 0.5] for i, row in enumerate(X)], Y, n=1, alpha=0, beta=0, id="solid")
    rows = sweep(solid, n=[1, 2], order=[1, 2, 3], keep=False).rows()
    assert [(row["n"], row["order"], row["modes"]) for row in rows] == [
        (1, 1, 4), (1, 2, 7), (1, 3, 8), (2, 1, 7), (2, 2, 19), (2, 3, 27)
    ]  # fmt: skip
    for row in rows:
        kernel = OrthogonalPolynomials(row["n"], order=row["order"])
        problem = Problem(solid.X, Y, kernel=kernel)
        proof = certify(problem)
        if proof.is_zero:
            assert row["proof"] == "zero"
            continue
        profile = orca(problem, proof, "exact")
        assert [row[f"order_{q}"] for q in range(4)] == [exactly(x) for x in profile.order]
        assert [row[f"total_{i}"] for i in (1, 2, 3)] == [exactly(x) for x in profile.total.values()]
        assert [row[f"shapley_{i}"] for i in (1, 2, 3)] == [exactly(x) for x in profile.shapley.values()]
    (row,) = sweep(limited := solid.replace(kernel=OrthogonalPolynomials(2, order=2)), keep=False).rows()
    assert row["order"] == 2 and sweep(limited, n=[1], keep=False).rows()[0]["modes"] == 7  # the order stays
    with pytest.raises(BadInput, match="solid: order: 4 is more than the 3 columns"):
        sweep(solid, order=[1, 4], keep=False)


def margins(problem, proof):
    """Return y g(x) at each point, in ordinary float64."""
    s = np.array([float(a) * label for a, label in zip(proof.alpha(), problem.y, strict=True)])
    P = problem.points.astype(float)
    return np.array(problem.y) * (problem.kernel(P, P) @ s + float(proof.bias().mid()))


def test_what_is_not_asked_for_is_the_problems_own():
    weighted = xor(C=[1 + i % 2 for i in range(16)], n=[1, 2])
    (row,) = sweep({"mine": weighted}, keep=False).rows()
    assert (row["id"], row["n"], row["C"]) == ("mine", "1, 2", "2")
    again = sweep({"mine": weighted}, n=[[2, 1]], C=[4], keep=False).rows()[0]
    assert (again["n"], again["C"]) == ("2, 1", "4")
    direct = xor(C=[2 + 2 * (i % 2) for i in range(16)], n=[2, 1])  # weights are kept
    assert again["order_1"] == sweep(direct, keep=False).rows()[0]["order_1"]


def test_sets_of_other_sizes_share_a_table():
    line = Problem([["1"], ["2"], ["4"], ["5"]], [1, -1, -1, 1], n=2, measures=Laguerre(0), id="line")
    mixed = xor(alpha=None, beta=None, measures=[Hermite(), Jacobi(1, 0)])
    rows = sweep([line, mixed], n=[1, 2], keep=False).rows()
    assert [row["id"] for row in rows] == ["line", "line", "xor", "xor"]
    assert rows[0].keys() == rows[2].keys()
    assert rows[0]["pair_1_2"] is None and rows[2]["pair_1_2"] is not None
    assert rows[2]["measure"] == "Hermite(), Jacobi(1, 0)"
    assert [row["id"] for row in sweep([mixed, mixed], keep=False).rows()] == ["problem 1", "problem 2"]


def test_a_classifier_that_vanishes_has_a_row():
    """Every point occurs with both labels, so that w = 0."""
    problem = Problem([["0.5"], ["0.5"], ["-0.5"], ["-0.5"]], [1, -1, 1, -1], n=1, alpha=0, beta=0)
    (row,) = sweep(problem, keep=False).rows()
    assert (
        row["proof"] == "zero" and row["order_1"] is None and row["peak"] is None and row["support"] is None
    )


def test_files(tmp_path):
    study = sweep(xor(), n=[1, 2], keep=False)
    rows = study.rows()
    lines = study.to_csv(tmp_path / "a.csv").splitlines()
    assert (tmp_path / "a.csv").read_text() == study.to_csv()
    assert lines[0].split(",")[:3] == ["id", "m", "d"] and len(lines) == 3
    frame = study.to_frame()
    import pandas

    back = pandas.read_csv(tmp_path / "a.csv")
    assert back["order_2"].tolist() == frame["order_2"].tolist() == [row["order_2"] for row in rows]
    study.to_jsonl(tmp_path / "a.jsonl")
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()] == rows
    data = study.to_json()
    validate(data, "orca-exact/study/1", "sweep")
    assert data["kind"] == "sweep" and data["rows"] == rows and data["models"] == 2
    with pytest.raises(BadInput, match=r"a\.csv: "):
        study.to_csv(tmp_path / "no" / "a.csv")


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    import pandas

    study = sweep(xor(), n=[1, 2], keep=False)
    study.to_parquet(tmp_path / "a.parquet")
    assert pandas.read_parquet(tmp_path / "a.parquet").to_dict("records") == study.rows()


def test_parquet_without_pyarrow(tmp_path, monkeypatch):
    for name in ("pyarrow", "fastparquet"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(OrcaError, match="pip install"):
        sweep(xor(), keep=False).to_parquet(tmp_path / "a.parquet")
    assert not (tmp_path / "a.parquet").exists()


def test_pictures():
    pytest.importorskip("matplotlib")
    study = sweep(xor(), n=[1, 2, 3], C=[1, 10], keep=False)
    panels = study.plot().axes
    assert [axis.get_title() for axis in panels] == ["C = 1", "C = 10"]
    bars = [patch.get_height() for patch in panels[0].patches]
    assert sum(bars) == pytest.approx(3)  # three bars of height 1
    (axis,) = study.plot("peak").axes
    assert len(axis.lines) == 2
    assert axis.lines[0].get_ydata().tolist() == [row["peak"] for row in study.rows() if row["C"] == "1"]
    with pytest.raises(BadInput, match="is not a numeric column"):
        study.plot("colour")
    with pytest.raises(BadInput, match="2 panels"):
        study.plot("orders", ax=axis)


def test_kept_models_are_not_computed_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path))
    first = sweep(xor(), n=[1, 2]).rows()
    monkeypatch.setattr("orca_exact.studies.engine.Engine.read", None)
    assert sweep(xor(id="other"), n=[2, 1]).rows()[::-1] == [row | {"id": "other"} for row in first]
    with pytest.raises(TypeError):
        sweep(xor(), n=[3])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([],), "problems: the list is empty"),
        ((["a"],), "problem 1 is a str, not a Problem"),
        ((xor(), 3), "n: 3 is not a list"),
        ((xor(), []), "n: the list is empty"),
        ((xor(), [1, -1]), "xor: n: -1 is negative"),
        ((xor(), None, Jacobi(0, 0)), "measures: Jacobi(0, 0) is not a list"),
        ((xor(), None, [Laguerre(0)]), "lies outside [0, oo)"),
        ((xor(), None, None, [0]), "xor: C: 0 is not positive"),
    ],
)
def test_bad_input(arguments, words):
    with pytest.raises(BadInput) as error:
        sweep(*arguments, keep=False)
    assert words in str(error.value)


def test_signs_where_float64_does_not_tell():
    """A symmetric problem has g = 0 in the middle and a tiny g near it."""
    problem = Problem([["-1/2"], ["1/2"]], [-1, 1], n=1, alpha=0, beta=0, C=10)
    near = fmpq(1, 10**30)
    found = predict_signs(problem, [[near], [-near], [fmpq(0)], [fmpq(1)]], certify(problem, level="float"))
    assert found == [1, -1, 0, 1]


def test_the_middle_of_an_interval_of_b():
    """Every support vector is bound, so that b is any number of an interval around 0."""
    problem = Problem([["-3/4"], ["1/2"]], [-1, 1], n=1, alpha=0, beta=0, C="1/100")
    low, high = (float(x) for x in certify(problem).bias_ends())
    assert low < -0.9 < 0.9 < high
    assert predict_signs(problem, [[fmpq(-1)], [fmpq(1)]]) == [-1, 1]


def test_the_papers_tables_are_such_a_grid(echocardiogram):
    """Compare rows of tables 4, 5 and 6 with the certified values."""
    from proofs_checks.experiments.optima import certified_row

    base = Problem(echocardiogram.X, echocardiogram.y, 1, 0, 0, rescale=True, id="echocardiogram")
    legendre = sweep(base, n=[1, 2, 5], keep=False)
    a = sweep(base, n=[2, 5], measures=[Jacobi("4.3", "1.8")], keep=False)
    b = sweep(base, n=[1, 6], measures=[Jacobi("0.8", "2.7")], keep=False)
    for table, study in (("tab-echo-legendre", legendre), ("tab-echo-jacobi-a", a), ("tab-echo-jacobi-b", b)):
        for row in study.rows():
            certified = certified_row(table, row["n"])
            assert row["peak"] == certified.peak
            assert [row[f"threshold_{eps}"] for eps in ("0.1", "0.05", "0.01")] == [
                certified.threshold(eps)[0] for eps in ("0.1", "0.05", "0.01")
            ]
            for family in ("order", "marginal", "pair", "even", "odd"):
                for key, ball in certified.family(family).items():
                    found = row["_".join([family, *map(str, key)])]
                    assert round_to_unit(ball) == round(found * UNIT)
