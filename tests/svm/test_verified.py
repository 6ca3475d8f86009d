"""Tests of level float: what it proves is true, on degenerate small problems and on ordinary ones.

``VERIFIED=3000 pytest tests/svm/test_verified.py`` tries as many small problems.
"""

from __future__ import annotations

import os
import pickle
import random

import numpy as np
import pytest
from flint import arb, fmpq
from marks import quick
from problems import blobs

from orca_exact import QQ, Problem, Solution, certify, checker, orca
from orca_exact.errors import TooLarge, Undecided, ZeroClassifier
from orca_exact.kernels.polynomial import Linear
from orca_exact.kernels.rbf import RBF
from orca_exact.measures.families import Discrete, Hermite, Laguerre
from orca_exact.measures.jacobi import Jacobi
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import precision_digits
from orca_exact.profile.indices import INDICES
from orca_exact.svm import certify as certifying
from orca_exact.svm import interior, verified
from orca_exact.svm.dual import BallDual, best_b
from orca_exact.svm.float_gap import float_distance, float_gap
from orca_exact.svm.interior import solve_all
from orca_exact.svm.judge import w_distance
from orca_exact.svm.verified import VerifiedDual, _prove_at_bounds, middle_b, propose_in_float64

COUNT, BATCHES = int(os.environ.get("VERIFIED", "120")), 6
COORDINATES = ["0", "1/2", "1/3", "0.999999", "1", "1e-9", "0.1", "0.7", "1/5", "0.9"]
MEASURES = [
    Jacobi(0, 0), Jacobi("-1/2", "-1/2"), Jacobi("1/2", "1/3"), Jacobi("-0.999", 0), Hermite(),
    Laguerre("1/2"), Discrete(["0", "1/2", "1", "2", "3"], [1, 2, 3, 1, 1]),
]  # fmt: skip
COSTS = ["1", "7/3", "1/3", "1e-6", "1e6", "50", "1e-3"]


def small_problem(seed: int) -> Problem:
    pick = random.Random(seed)
    m, d = pick.randint(2, 7), pick.choice([1, 2, 3])
    X = [[pick.choice(COORDINATES) for _ in range(d)] for _ in range(m)]
    y = [1, -1] + [pick.choice([1, -1]) for _ in range(m - 2)]
    C = [pick.choice(COSTS) for _ in range(m)] if seed % 2 else pick.choice(COSTS)
    n = [pick.randint(1, 3) for _ in range(d)]
    return Problem(X, y, n, C=C, measures=[pick.choice(MEASURES) for _ in range(d)])


def float_w_distance(problem: Problem, alpha, other) -> float:
    """Return ||w - w'||, to many digits."""
    A = arithmetic("ball", 80)
    with A.scope():
        return float(w_distance(BallDual(problem, A), alpha, other))


def compare_given(problem: Problem, pick: random.Random) -> None:
    """Compare the duality gap of a random alpha, and its distance from the optimum, with balls."""
    alpha = [C * QQ(pick.choice([0, 0, 1, pick.random(), 1e-17, 1 - 1e-16])) for C in problem.bounds]
    exact, dual = certify(problem), VerifiedDual(problem)
    try:
        found = float_gap(dual, alpha)
    except Undecided:
        return
    truth = exact.alpha(80)
    assert float_w_distance(problem, found.alpha(80), truth) <= float(found.w_error) * (1 + 1e-12)
    assert checker.check(found.to_json())["level"] == "gap"
    own = Solution(problem, tuple(alpha))
    bound, true = float(float_distance(dual, own, exact)), float_w_distance(problem, alpha, truth)
    size = float(sum(abs(x) for x in truth)) + float(max(problem.bounds))
    assert true <= bound * (1 + 1e-12)
    assert bound <= true * 1.001 + 1e-5 * size * max(float(x) for x in dual.D) / float(dual.lam) ** 0.5


def compare(problem: Problem) -> bool:
    """Return whether level float decides the problem, after checking its result in exact arithmetic."""
    try:
        quick = certify(problem, level="float")
    except Undecided:
        return False
    exact = certify(problem)
    if quick.is_zero:
        assert quick.exact and exact.is_zero
        return True
    if quick.alpha_unique:
        assert (quick.free, quick.bound) == (exact.free, exact.bound)
    assert quick.hard_margin is exact.hard_margin
    sums: dict = {}  # of equal points with equal labels, which are unique
    for point, label, ball, true in zip(problem.X, problem.y, quick.alpha(40), exact.alpha(40), strict=True):
        own = sums.setdefault((label, *point), [0, 0])
        own[:] = own[0] + ball, own[1] + true
    assert all(found.overlaps(true) for found, true in sums.values())
    assert quick.bias(40).overlaps(exact.bias(40))
    assert checker.check(quick.to_json())["level"] == "gap"
    with precision_digits(80):
        nearby = [x / problem.lambda_ball() for x in quick.a.ball()]
    away = float_w_distance(problem, nearby, exact.alpha(80)) - 1e-70  # its own error, with 80 digits
    assert away <= float(quick.w_error) * (1 + 1e-12)
    try:
        found, truth = orca(problem, quick, "verified"), orca(problem, exact, "ball", 40)
    except (ZeroClassifier, Undecided):
        return True
    for name in INDICES:
        for key, value in found.family(name).items():
            assert value.overlaps(truth.family(name)[key]), (name, key)
    return True


@pytest.mark.parametrize("batch", quick(range(BATCHES), range(2)))
def test_small_problems(batch):
    decided = 0
    for seed in range(batch, COUNT, BATCHES):
        problem = small_problem(seed)
        try:
            decided += compare(problem)
            compare_given(problem, random.Random(seed))
        except Exception as error:
            error.add_note(f"seed {seed}: {problem.to_json()}")
            raise
    assert decided


def smooth_problem(m: int, d: int, n: int, C: float = 1.0) -> Problem:
    rng = np.random.default_rng(m + d)
    X = rng.uniform(-1, 1, (m, d))
    y = np.where(np.sin(3 * X[:, 0]) + X[:, -1] ** 2 - 0.4 + 0.3 * rng.normal(size=m) > 0, 1, -1)
    return Problem(X, y.tolist(), n, 0, 0, C=C)


@pytest.mark.parametrize(("m", "d", "n"), [(50, 2, 4), (60, 5, 2), (40, 12, 2), (400, 1, 6)])
def test_ordinary_problems_have_six_digits_and_two_routes_agree(m, d, n):
    problem = smooth_problem(m, d, n)
    quick = certify(problem, level="float")
    assert quick.digits >= 6
    ball = certify(problem, level="ball", digits=30)
    assert (quick.free, quick.bound) == (ball.free, ball.bound)
    found, truth = orca(problem, quick, "verified"), orca(problem, ball, "ball", 30)
    for name in INDICES:
        for key, value in found.family(name).items():
            assert value.overlaps(truth.family(name)[key])
            assert float(value.rad()) < 1e-6
    if problem.modes < 10**5:
        away = found.enumeration.blocks() - found.generating.blocks
        assert all(x.contains(0) for x in away.flat)


def test_radii_of_0_are_caught(monkeypatch):
    """With radii of 0, the mutant, some enclosure misses the true value."""
    from orca_exact.numbers import midrad

    monkeypatch.setattr(midrad, "enlarge_radius", lambda radius, k=0: radius * 0)
    with pytest.raises((AssertionError, Undecided, checker.Rejected)):
        for seed in range(60):
            compare(small_problem(seed))


def test_the_interior_point_method_proposes_the_optimum():
    problem = smooth_problem(300, 2, 3, C=5.0)
    dual = VerifiedDual(problem)
    assert dual.plain.by_modes
    a, solver = propose_in_float64(dual)
    assert solver == "interior point"
    exact = [float(x) for x in certify(problem, level="ball", digits=20).alpha()]
    np.testing.assert_allclose(a / float(dual.lam), exact, atol=1e-4)


def test_only_many_points_and_many_modes_are_too_many_to_solve(monkeypatch):
    for name in ("MAX_GRAM", "_FEW"):
        monkeypatch.setattr(verified, name, 20)
    assert propose_in_float64(VerifiedDual(blobs(40, 2, 2)))[1] == "interior point"
    with pytest.raises(TooLarge, match="40 points"):
        propose_in_float64(VerifiedDual(blobs(40, 2, 9)))


@pytest.mark.parametrize("C", [0.01, 1.0, 300.0])
def test_points_far_from_the_margin_are_fixed(C, monkeypatch):
    """The parts give what the whole gives; the points of one part are too few at first."""
    dual = VerifiedDual(smooth_problem(3000, 2, 4, C=C))
    whole, _ = propose_in_float64(dual)
    monkeypatch.setattr(interior, "_MANY", 100)
    monkeypatch.setattr(interior, "_SAMPLE", 500)
    sizes = []
    monkeypatch.setattr(interior, "solve_all", lambda *args: sizes.append(len(args[1])) or solve_all(*args))
    parts, _ = propose_in_float64(dual)
    np.testing.assert_allclose(parts, whole, atol=1e-4 * dual.upper_bound.mid.max())
    assert max(sizes) < 1000


@pytest.mark.parametrize(("name", "value"), [("_SMOOTH_STEPS", 1), ("_PARTS", 1)])
def test_all_points_are_solved_for_if_parts_do_not_settle(name, value, monkeypatch):
    dual = VerifiedDual(smooth_problem(3000, 2, 4, C=1.0))
    whole, _ = propose_in_float64(dual)
    monkeypatch.setattr(interior, "_MANY", 100)
    monkeypatch.setattr(interior, "_PART", 200)
    monkeypatch.setattr(interior, name, value)
    assert (propose_in_float64(dual)[0] == whole).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_middle_b_is_that_of_rationals(seed):
    """With integers and few different values both ends of the interval differ often."""
    pick = np.random.default_rng(seed)
    f, y = pick.integers(-5, 6, 12) / 4, np.array([1.0, -1.0] * 6)
    for weights in ([fmpq(1)] * 12, [fmpq(int(w), 4) for w in pick.integers(1, 5, 12)]):
        low, high = best_b([fmpq(int(4 * x), 4) for x in f], y.astype(int).tolist(), weights)
        assert middle_b(f, y, np.array([float(w) for w in weights])) == pytest.approx(float(low + high) / 2)


def test_values_in_float64_are_computed_once():
    problem = smooth_problem(40, 2, 3)
    A = arithmetic("verified")
    alone = problem.values_at([3, 1], A)
    proof = certify(problem, level="float")
    assert "verified_values" in problem.__dict__ and "features" not in problem.verified_values.__dict__
    for one, other in zip(alone.values, problem.values_at([3, 1], A).values, strict=True):
        assert (one.mid == other.mid).all() and (one.rad == other.rad).all()
    assert pickle.loads(pickle.dumps(problem)) == proof.problem


def test_ties_are_left_to_balls():
    """With the points at their bounds the margins are exactly 1, so that no inequality is strict."""
    tied = Problem([["1/2"], ["-1/2"]], [1, -1], 1, 0, 0, "4/3")
    with pytest.raises(Undecided):
        certify(tied, level="float")
    assert certify(tied, level="exact").bound == (1, 2)


@pytest.mark.parametrize("seed", range(6))
def test_without_free_points_alpha_is_exact(seed):
    """The points of both classes are at their bounds, whose sums are equal; compare with level ball."""
    rng = np.random.default_rng(seed)
    half = int(rng.integers(2, 9))
    X = rng.normal(size=(2 * half, 3)) + np.repeat([[1.0], [-1.0]], half, axis=0)
    C = [fmpq(int(k), 10_000) for k in rng.integers(1, 20, half)] * 2
    kernel = RBF(0.3) if seed % 2 else Linear()
    problem = Problem(X.tolist(), [1] * half + [-1] * half, kernel=kernel, C=C)
    quick, truth = certify(problem, level="float"), certify(problem, level="ball", digits=30)
    assert not quick.free and (quick.free, quick.bound) == (truth.free, truth.bound)
    assert quick.w_error.is_zero() and quick.alpha_unique and not quick.hard_margin
    assert quick.norm2.overlaps(truth.norm2) and quick.norm2.rel_accuracy_bits() > 30
    found, expected = orca(problem, quick, "verified"), orca(problem, truth, "ball", 30)
    for x, y in zip(found.total, expected.total, strict=True):
        assert (arb(x) - arb(y)).contains(0) and float(arb(x).rad()) < 1e-9


def test_without_free_points_wrong_sets_prove_nothing():
    """Bounds that do not balance, and margins on the wrong side, are no proof."""
    X = [["1"], ["2"], ["-1"], ["-2"]]
    problem = Problem(X, [1, 1, -1, -1], kernel=Linear(), C="1/100")
    dual = VerifiedDual(problem)
    full = dual.upper_bound.mid
    assert _prove_at_bounds(dual, full).bound == (1, 2, 3, 4)
    for wrong in (full * [1, 0, 1, 0], full * [1, 0, 1, 1], 0 * full):
        with pytest.raises(Undecided):
            _prove_at_bounds(dual, wrong)
    unequal = problem.replace(C=["1/100", "1/100", "1/100", "1/100000000000000000000"])
    with pytest.raises(Undecided):
        _prove_at_bounds(VerifiedDual(unequal), VerifiedDual(unequal).upper_bound.mid)
    separable = VerifiedDual(problem.replace(C=100))
    with pytest.raises(Undecided):
        _prove_at_bounds(separable, separable.upper_bound.mid)


def test_many_points_in_few_modes_are_decided():
    """The margins far from the free points are known better than the alphas of these."""
    problem = smooth_problem(400, 1, 6, C=100.0)
    quick = certify(problem, level="float")
    assert quick.digits >= 7
    ball = certify(problem, level="ball", digits=20)
    assert (quick.free, quick.bound) == (ball.free, ball.bound)
    found, truth = orca(problem, quick, "verified"), orca(problem, ball, "ball", 20)
    for N, value in enumerate(found.degree):
        assert value.overlaps(truth.degree[N]) and float(value.rad()) < 1e-6


def test_numbers_outside_float64_are_undecided():
    """The sum of pi_k^2/h_k at x = 10^60 with n = 6 exceeds 1e308."""
    problem = Problem([["1e60"], ["-1e60"], ["1"]], [1, -1, 1], 6, measures=Hermite())
    for alpha in (None, ["1/2", "1/2", "0"]):
        with pytest.raises(Undecided, match="outside the range of float64"):
            certify(problem, alpha, level="float")


def test_a_rational_point_that_left_its_bounds_proves_nothing():
    """Without alpha_3, which is tiny beside C_3, balancing moves the others off their bounds, and w."""
    X = [["0", "0"], ["1/3", "1"], ["0", "-2/3"], ["2/3", "-1"], ["-1", "0"]]
    C = ["1e-20", "1e-10", "1e20", "1e-10", "1e-20"]
    problem = Problem(X, [1, -1, 1, 1, 1], n=1, alpha=0, beta=0, C=C)
    exact = orca(problem, certify(problem), "exact").norm2
    try:
        found = orca(problem, certify(problem, level="float"), "verified").norm2
    except Undecided:
        return
    assert found.contains(arb(exact))


def test_w_zero_with_many_more_free_points_than_modes_takes_little_memory(monkeypatch):
    """One point in a hundred is positive, so that w = 0; no matrix of all free points is made."""
    random = np.random.default_rng(0)
    problem = Problem(random.uniform(-1, 1, (3000, 1)), np.where(np.arange(3000) % 100, -1, 1), 2, 0, 0)
    sizes, make = [], verified.FreeSystem
    monkeypatch.setattr(verified, "FreeSystem", lambda R, D: sizes.append(len(D)) or make(R, D))
    assert certify(problem, level="float").is_zero
    assert max(sizes, default=0) <= 2000
    monkeypatch.setattr(certifying, "zero_certificate", lambda problem, alpha: None)
    with pytest.raises(Undecided, match="more free points than modes"):
        certify(problem, level="float")
