"""Problems are exact and immutable, and errors are described in one line."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from orca_exact import certify, path, solve
from orca_exact.errors import BadFile, BadInput, BadParameter, NotANumber, OutsideDomain, TooLarge
from orca_exact.problem import Problem
from orca_exact.studies import bootstrap, noise, null, overfit, sweep

GOOD = {"X": [["0"], ["1/2"], ["1"]], "y": [1, -1, 1], "n": 2, "alpha": "0", "beta": "0"}


def test_rescaling_is_exact():
    p = Problem([["0.1", 5], ["0.2", 7], ["0.7", 6]], [1, -1, 1], 1, 0, 0, rescale=True)
    assert p.points.tolist() == [[fmpq(-1), fmpq(-1)], [fmpq(-2, 3), fmpq(1)], [fmpq(1), fmpq(0)]]


def test_immutable_and_typed():
    p = Problem(**GOOD)
    with pytest.raises(dataclasses.FrozenInstanceError):
        p.n = 3
    assert (p.m, p.d, p.modes, p.C, p.lambda_exact) == (3, 1, 3, 1, fmpq(1, 2))
    assert Problem(np.array([[0.0], [0.5]]), np.array([1, -1]), np.int64(2), 0, 0).points[1, 0] == fmpq(1, 2)


decimals = st.decimals(-1, 1, places=3, allow_nan=False).map(str)


@given(st.lists(st.tuples(decimals, decimals), min_size=2, max_size=6), st.integers(0, 9))
def test_json_is_lossless(X, n):
    y = [1, -1] * len(X)
    p = Problem(X, y[: len(X)], n, "4.3", "-1/3", C="1/7", id="πρόβλημα")
    again = Problem.from_json(json.loads(json.dumps(p.to_json())))
    assert again == p
    assert again.sha256 == p.sha256
    assert p.replace(C=2).sha256 != p.sha256 == p.replace(id="other").sha256


BAD = [
    ({"X": []}, BadParameter, "X.*points"),
    ({"X": [[]]}, BadParameter, "coordinates"),
    ({"X": "abc"}, BadParameter, "X"),
    ({"X": [1, 2, 3]}, BadParameter, r"X\[0\]"),
    ({"X": [["0"], ["1", "0"], ["1"]]}, BadParameter, r"X\[1\]: 2 coordinates"),
    ({"X": [["0"], ["x"], ["1"]]}, NotANumber, r"X\[1\]\[0\]"),
    ({"X": [["0"], [float("nan")], ["1"]]}, NotANumber, r"X\[1\]\[0\].*nan"),
    ({"X": [["0"], [float("inf")], ["1"]]}, NotANumber, "inf"),
    ({"X": [["0"], [None], ["1"]]}, NotANumber, "None"),
    ({"X": [["0"], ["1.5"], ["1"]]}, OutsideDomain, r"X\[1\]\[0\]: 1.5 .*rescale"),
    (
        {"X": [["0"], [1 + 2**-52], ["1"]]},
        OutsideDomain,
        r"\]: 1.0000000000000002 lies outside \[-1, 1\] by a rounding error.*rescale=True.*clip\(X, -1, 1\)",
    ),
    ({"X": [["0"], ["1e-30"], ["1"]], "C": "-1e-30"}, BadParameter, "C: -1e-30 is not positive;"),
    ({"X": [["1"], ["1"], ["1"]], "rescale": True}, BadParameter, "the column is constant"),
    ({"X": [["0"]] * 1_000_001, "y": [1, -1]}, TooLarge, "1000001 points"),
    ({"X": [["0"] * 20_000] * 3}, TooLarge, "20000 coordinates"),
    ({"y": [1, -1]}, BadParameter, "2 labels were given for 3 points"),
    ({"y": [1, 0, 1]}, BadParameter, r"y\[1\]: 0 is neither"),
    ({"y": [1, True, -1]}, BadParameter, r"y\[1\]"),
    ({"y": [1, 1, 1]}, BadParameter, "both classes"),
    ({"y": "+-+"}, BadParameter, "y"),
    ({"n": -1}, BadParameter, "n: -1 is negative"),
    ({"n": 2.5}, BadParameter, "n: 2.5 is not an integer"),
    ({"n": "2"}, BadParameter, "not an integer"),
    ({"n": 10**7}, TooLarge, "10000000"),
    ({"alpha": "-1"}, BadParameter, "alpha: -1 is not greater"),
    ({"beta": "-2"}, BadParameter, "beta: -2"),
    ({"alpha": "x"}, NotANumber, "alpha"),
    ({"C": "0"}, BadParameter, "C: 0 is not positive"),
    ({"C": "-1"}, BadParameter, "C: -1"),
    ({"C": "nan"}, NotANumber, "C"),
    ({"rescale": "yes"}, BadParameter, "rescale"),
    ({"id": 7}, BadParameter, "id"),
]


@pytest.mark.parametrize("change, error, says", BAD, ids=[str(i) for i in range(len(BAD))])
def test_bad_problems(change, error, says):
    with pytest.raises(error, match=says) as caught:
        Problem(**(GOOD | change))
    assert "\n" not in str(caught.value)
    assert ";" in str(caught.value), "the next thing to try is missing"


FILES = [
    (b"", "is empty; check the path"), (b"{", "not JSON.*truncated"), (b"\xff\xfe{}", "not UTF-8"),
    (b"[]", "list.* is not an object"),
    (b"null", "not an object"), (b'{"schema": "orca-exact/problem/9"}', "problem/9"), (b"{}", "is missing"),
    (json.dumps(GOOD | {"typo": 1}).encode(), "the field 'typo' is unknown"),
    (b'{"n": NaN}', "NaN"), (b'{"n": 1, "n": 2}', "twice"), (b"[" * 100_000, "nested|not JSON"),
    (json.dumps(GOOD).encode()[:-9], "truncated"),
    (json.dumps(GOOD | {"n": None}).encode(), "not an integer"),
]  # fmt: skip


@pytest.mark.parametrize("content, says", FILES, ids=[str(i) for i in range(len(FILES))])
def test_bad_files(tmp_path, content, says):
    path = tmp_path / "problem.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=says):
        Problem.load(path)


def test_given_dual_variables_are_not_part_of_the_problem():
    assert Problem.from_json(GOOD | {"dual": ["1", "1/2", "0"]}) == Problem.from_json(GOOD | {"n": 2.0})
    with pytest.raises(BadFile, match=r"dual\[0\]: \"x\" is not a number"):
        Problem.from_json(GOOD | {"dual": ["x"]})


def test_missing_file_and_folder(tmp_path):
    for missing in (tmp_path / "none.json", tmp_path):
        with pytest.raises(BadFile, match="check the path"):
            Problem.load(missing)


@pytest.mark.parametrize("function", [certify, solve, path, null, bootstrap, noise, overfit, sweep])
def test_functions_say_how_to_get_a_problem(function):
    class Model:
        fit = None

    model = r"type Model is not a Problem; for a fitted model use audit\(model, X, y\).problem"
    if function not in (certify, solve, path):
        model = r"a fitted Model was given without its data; pass \(model, X, y\), or audit\(model, X, y\)"
    for value, says in (
        ("x.json", r"problem: 'x.json' is not a Problem; use Problem.load\('x.json'\)"),
        (Model(), model),
        (certify(Problem(**GOOD)), "type Certificate is not a Problem; use its attribute 'problem'"),
    ):
        with pytest.raises(BadParameter, match=says):
            function(value)


def test_messages_about_labels_sparse_points_and_weights():
    class Sparse:
        toarray = None

    for change, says in (
        ({"y": ["yes", "no", "yes"]}, r"y\[0\]: 'yes' is neither 1 nor -1; encode the two classes"),
        ({"X": Sparse()}, r"X: the matrix is sparse; pass X.toarray\(\)"),
        ({"alpha": None}, "pass alpha=0 and beta=0 for Legendre polynomials, or measures"),
    ):
        with pytest.raises(BadParameter, match=says):
            Problem(**(GOOD | change))
