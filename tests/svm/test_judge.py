"""Tests of ``check_solution``: a given alpha is optimal, or the violated conditions are named."""

from __future__ import annotations

from itertools import product

import pytest
from flint import arb, fmpq

from orca_exact import QQ, Problem, certify, checker
from orca_exact.errors import BadParameter, NotANumber
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.svm.dual import BallDual
from orca_exact.svm.judge import check_solution, w_distance

THREE = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0, C=10)
OPTIMUM = ("244/135", "124/45", "128/135")
TWICE = Problem([["-1/2"], ["1/2"], ["1/2"]], [1, -1, -1], n=1, alpha=0, beta=0, C=10**6)
IRRATIONAL = {"n": 1, "alpha": "1/3", "beta": "1/5"}
LEVELS = ("gap", "ball", "exact")


@pytest.mark.parametrize("level", LEVELS)
def test_the_optimum_passes(level):
    found = check_solution(THREE, OPTIMUM, "1/3", level, 30)
    assert found.optimal and found.digits >= 30
    assert found.certificate.level == ("exact" if level == "exact" else "gap")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("problem", "alpha", "b", "condition", "point"),
    [
        (TWICE, ["4/3", "154/3", "-50"], None, "box", 3),  # w is right, and C is large
        (TWICE, [2 * 10**6, 10**6, 10**6], None, "box", 1),
        (THREE, ["1.8", "2.7556", "1"], None, "balance", None),
    ],
    ids=["negative", "beyond", "unbalanced"],
)
def test_infeasible(level, problem, alpha, b, condition, point):
    found = check_solution(problem, alpha, b, level)
    assert not found.optimal
    assert (found.faults[0].condition, found.faults[0].point) == (condition, point)


def test_the_size_of_each_violation():
    fault = check_solution(TWICE, ["4/3", "154/3", "-50"]).faults
    assert [str(f) for f in fault] == ["box: alpha_3 = -50.0000 is below 0, off by 50.0"]
    (fault,) = check_solution(THREE, OPTIMUM, "1/2").faults
    assert str(fault) == "margin: y_1 g(x_1) = 1.16667 should be at most 1, off by 0.167"
    assert fault.point == 1
    (fault,) = check_solution(THREE, OPTIMUM, "1/2", "ball").faults
    assert str(fault) == "bias: b = 0.500000, but the best b for this w is 0.333333, off by 0.167"
    (fault,) = check_solution(THREE, OPTIMUM, "1/2", "gap").faults
    assert fault.condition == "accuracy"


def test_the_distance_of_two_alphas():
    """For s = (2, -2) at -1/2 and 1/2, K = (1 + 3xz)/2: ||w||^2 = 4 (7/8 + 7/8 - 2/8) = 6."""
    problem, A = Problem([["-1/2"], ["1/2"]], [1, -1], n=1, alpha=0, beta=0), arithmetic("ball", 40)
    with A.scope():
        far, none = (w_distance(BallDual(problem, A), [3, 3], [a, a]) for a in (1, 3))
        assert abs(far * far - 6) < arb("1e-30") and none < arb("1e-30")


@pytest.mark.parametrize("level", LEVELS)
def test_no_support_vector_is_not_optimal(level):
    """The zero alpha is feasible, and w = 0."""
    found = check_solution(THREE, [0, 0, 0], level=level)
    assert not found.optimal and found.digits == 0


def test_the_required_digits():
    """The duality gap of a rounded alpha proves about half of the digits that it has."""
    rounded = [round(float(QQ(x)), 9) for x in OPTIMUM]
    assert check_solution(THREE, rounded, level="gap").optimal
    gap, ball = (check_solution(THREE, rounded, level=level, digits=7) for level in ("gap", "ball"))
    assert not gap.optimal and ball.optimal and gap.digits < 7 <= ball.digits
    assert not check_solution(THREE, rounded, level="ball", digits=12).optimal
    assert [fault.condition for fault in check_solution(THREE, rounded).faults] == ["balance", "margin"]


@pytest.mark.parametrize("level", LEVELS)
def test_w_zero(level):
    """With both labels at one place, w = 0 for every balanced alpha, but only alpha = C is optimal."""
    problem = Problem([["0"], ["0"]], [1, -1], n=2, alpha=0, beta=0, C=1)
    assert check_solution(problem, [1, 1], level=level).optimal
    found = check_solution(problem, [0, 0], level=level)
    assert not found.optimal
    assert found.faults[0].condition == {"gap": "accuracy", "ball": "objective", "exact": "margin"}[level]


@pytest.mark.parametrize("C", ["1/100", "100"])
def test_an_irrational_lambda(C):
    """At its bound a rational alpha may be optimal; a free one can only be close."""
    problem = Problem([["-1/2"], ["1/2"]], [1, -1], C=C, **IRRATIONAL)
    alpha = [QQ(x.str(70, radius=False)) for x in certify(problem).alpha(80)]
    found = check_solution(problem, alpha)
    assert found.optimal == (C == "1/100")
    if found.optimal:
        assert found.certificate.b.bounds() == certify(problem).b.bounds()
        assert checker.check(found.certificate.to_json())["b_unique"] is False
    else:
        assert 0 < found.faults[0].by < arb("1e-60")
    assert check_solution(problem, alpha, level="gap", digits=20).optimal


@pytest.mark.parametrize("m", [2, 3])
def test_every_point_of_a_grid(m):
    """Among the alphas of a grid, exactly those with the largest dual objective are optimal."""
    X, y = [["-1/2"], ["1/2"], ["1/2"]][:m], [1, -1, -1][:m]
    problem = Problem(X, y, n=1, alpha=0, beta=0, C=2)
    grid = [fmpq(k, 3) for k in range(-1, 8)]
    K = [[(1 + 3 * QQ(x[0]) * QQ(z[0])) / 2 for z in X] for x in X]

    def dual(alpha):
        s = [a * label for a, label in zip(alpha, y, strict=True)]
        return sum(alpha) - sum(s[i] * s[j] * K[i][j] for i, j in product(range(m), repeat=2)) / 2

    feasible = [
        alpha for alpha in product(grid, repeat=m)
        if all(0 <= a <= 2 for a in alpha) and sum(a * label for a, label in zip(alpha, y, strict=True)) == 0
    ]  # fmt: skip
    best = max(map(dual, feasible))
    optimal = {alpha for alpha in feasible if dual(alpha) == best}
    found = {alpha for alpha in product(grid, repeat=m) if check_solution(problem, alpha).optimal}
    assert {tuple(map(str, a)) for a in found} == {tuple(map(str, a)) for a in optimal}
    assert len(optimal) == (1 if m == 2 else 5)


@pytest.mark.parametrize("parameters", [{"alpha": 0, "beta": 0}, {"alpha": "1/3", "beta": "1/5"}])
def test_a_bound_for_each_point(parameters):
    """At (C_1, C_2, C_3) = (1, 1/3, 2/3)/10 every point is at its bound."""
    C = ["1/10", "1/30", "1/15"]
    problem = Problem([["-1/2"], ["1/2"], ["1"]], [1, -1, -1], n=1, C=C, **parameters)
    found = check_solution(problem, C)
    assert found.optimal and found.certificate.bound == (1, 2, 3)
    assert checker.check(found.certificate.to_json())["level"] == "exact"
    assert (
        check_solution(problem, C, level="gap").optimal and check_solution(problem, C, level="ball").optimal
    )
    over = check_solution(problem, ["1/10", "1/15", "1/30"])
    assert str(over.faults[0]) == "box: alpha_2 = 0.0666667 is above C_2 = 0.0333333, off by 0.0333"


def test_bad_solutions_are_refused():
    with pytest.raises(BadParameter, match="2 values were given for 3 points"):
        check_solution(THREE, [1, 1])
    with pytest.raises(NotANumber, match=r"alpha\[1\]"):
        check_solution(THREE, [1, "one", 1])
    with pytest.raises(BadParameter, match="level"):
        check_solution(THREE, OPTIMUM, level="good")


def test_nothing_free_and_alpha_not_unique():
    """Each point occurs twice, and C is what one copy needs, so alpha can be split in many ways."""
    X = [["-1/2"], ["-1/2"], ["1/2"], ["1/2"]]
    problem = Problem(X, [1, 1, -1, -1], n=1, alpha=0, beta=0, C="4/3")
    judged = check_solution(problem, ["4/3", "0", "4/3", "0"])
    assert judged.optimal and check_solution(problem, ["2/3"] * 4).optimal
    assert not judged.certificate.free
    assert judged.certificate.alpha_unique is None
    assert checker.check(judged.certificate.to_json())["level"] == "exact"
