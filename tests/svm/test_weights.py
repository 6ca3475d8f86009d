"""Tests of a separate C for each point: the box [0, C_i], from the problem to the checker."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from sklearn.svm import SVC

from orca_exact import QQ, Problem, certify, checker, orca, solve
from orca_exact.errors import BadInput
from orca_exact.files.formats import add_digest
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.svm.dual import best_b
from orca_exact.svm.gram import gram

X = [["-1/2", "0"], ["1/2", "1/3"], ["1", "-1/4"], ["-1/4", "1/5"], ["0.1", "0.9"], ["-0.8", "-0.7"]]
y = [1, -1, 1, 1, -1, -1]
C = ["1", "1/2", "7/3", "1/3", "1/5", "1"]
SHAPES = [{"alpha": 0, "beta": 0}, {"alpha": "1/2", "beta": "1/3"}]  # lambda rational, and not


def weighted(**changes):
    return Problem(X, y, **{"n": 2, "alpha": 0, "beta": 0, "C": C} | changes)


def test_a_list_of_one_number_is_that_number():
    assert weighted(C=["2/3"] * 6) == weighted(C="2/3")
    assert weighted(C="2/3").to_json()["schema"] == "orca-exact/problem/1"


def test_a_file_with_weights_has_version_2():
    problem = weighted()
    data = json.loads(json.dumps(problem.to_json()))
    assert data["schema"] == "orca-exact/problem/2"
    assert Problem.from_json(data) == problem
    assert problem.bounds[2] == problem.C == QQ("7/3")


def test_a_new_C_keeps_the_weights():
    problem = weighted()
    assert problem.replace(C="14/3").bounds == tuple(2 * bound for bound in problem.bounds)
    assert problem.replace(n=3).weights == problem.weights
    assert problem.replace(C=[1] * 6) == weighted(C=1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("level", ["exact", "ball", "gap"])
def test_the_checker_proves_it(shape, level):
    problem = weighted(**shape)
    certificate = certify(problem, level=level, digits=30)
    assert checker.check(certificate.to_json())["level"] == level
    assert level == "gap" or certificate.bound, "no point at its bound: the test does not test the box"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("i", range(6))
@pytest.mark.parametrize("factor", ["1/2", "2"])
def test_another_C_i_is_another_proof(shape, i, factor):
    """A change of C_i is rejected if alpha_i is at its bound."""
    certificate = certify(weighted(**shape))
    data = certificate.to_json()
    data["problem"]["C"][i] = str(Fraction(data["problem"]["C"][i]) * Fraction(factor))
    del data["sha256"]
    if i + 1 in certificate.bound:
        with pytest.raises(checker.Rejected):
            checker.check(add_digest(data))


def test_tampered_weights_that_stay_right_are_accepted():
    """A point with alpha_i = 0 may have any C_i: the certificate proves the changed problem too."""
    problem = Problem([["-1"], ["1"], ["0.9"]], [1, -1, -1], n=1, alpha=0, beta=0, C=[5, 5, 3])
    certificate = certify(problem)
    data = certificate.to_json()
    zero = ({1, 2, 3} - {*certificate.free, *certificate.bound}).pop()
    data["problem"]["C"][zero - 1] = "4"
    del data["sha256"]
    assert checker.check(add_digest(data))["level"] == "exact"


def test_libsvm_agrees():
    problem = weighted(C=["1", "1", "2", "1", "1/2", "3"])
    K = gram(problem, arithmetic("float"))
    weights = [float(Fraction(str(bound))) for bound in problem.bounds]
    svc = SVC(kernel="precomputed", C=1.0, tol=1e-12).fit(K, problem.y, sample_weight=weights)
    alpha = np.zeros(problem.m)
    alpha[svc.support_] = abs(svc.dual_coef_[0])
    certified = [float(a) for a in certify(problem).alpha()]
    np.testing.assert_allclose(alpha, certified, atol=1e-6)
    np.testing.assert_allclose([float(a) for a in solve(problem).alpha], certified, atol=1e-12)


def test_weights_change_the_indices_and_repetition_is_weight():
    """A point of weight 2 is equivalent to that point twice."""
    problem = weighted(C=["1", "2", "1", "1", "1", "1"])
    twice = Problem([*X, X[1]], [*y, y[1]], n=2, alpha=0, beta=0)
    found = [orca(p, certify(p), "exact").order for p in (problem, twice, weighted(C=1))]
    assert list(found[0]) == list(found[1]) != list(found[2])


@pytest.mark.parametrize(
    ("C", "message"),
    [
        ([1, 1, 1], "C: 3 values were given for 6 points"),
        ([1, 1, 0, 1, 1, 1], r"C\[2\]: 0 is not positive"),
        ([1, 1, -1, 1, 1, 1], r"C\[2\]: -1 is not positive"),
        ([1, 1, float("nan"), 1, 1, 1], r"C\[2\]: nan"),
        ([1, 1, "x", 1, 1, 1], r"C\[2\]: .*x"),
        ([], "C: 0 values were given for 6 points"),
        ([[1]] * 6, r"C\[0\]: .* is not a finite number"),
    ],
)
def test_bad_weights(C, message):
    with pytest.raises(BadInput, match=message):
        weighted(C=C)


def test_best_b_weighs_its_kinks():
    f, labels = [0, 0, 0], (1, -1, -1)
    assert best_b(f, labels) == (-1, -1)
    assert best_b(f, labels, [2, 1, 1]) == (-1, 1)
    assert best_b(f, labels, [3, 1, 1]) == (1, 1)


def test_other_points_may_have_another_dimension():
    assert Problem([["0"], ["1"]], [1, -1], n=2, alpha=0, beta=0).replace(
        X=[["0", "0"], ["1", "0"]]
    ).degrees == (2, 2)
