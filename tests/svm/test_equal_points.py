"""Merging of equal points at level float, and levels that need rational values."""

import random

import pytest
from flint import fmpq

from orca_exact import (
    RBF,
    Discrete,
    Hermite,
    Linear,
    Normal,
    OrthogonalPolynomials,
    Polynomial,
    Problem,
    Uniform,
    certify,
    orca,
)
from orca_exact.checker import check
from orca_exact.cli.terminal import describe_optimality
from orca_exact.errors import BadParameter, Undecided, ZeroClassifier
from orca_exact.svm.judge import check_solution

KERNELS = [RBF("1/2"), Polynomial(2, 1, 1), Linear()]


def repeated(seed: int, kernel: object) -> Problem:
    """Return a problem in which points occur up to three times, each time with a C of its own."""
    pick = random.Random(seed)
    rows = [[pick.randint(-9, 9) / 4 for _ in range(2)] for _ in range(9)]
    times = [pick.randint(1, 3) for _ in rows]
    y = [pick.choice([1, -1]) for _ in rows]
    y[:2] = 1, -1
    X = [row for row, count in zip(rows, times, strict=True) for _ in range(count)]
    labels = [label for label, count in zip(y, times, strict=True) for _ in range(count)]
    return Problem(X, labels, kernel=kernel, C=[pick.choice(["1", "2.5", "40"]) for _ in labels])


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_merged_optima_are_those_of_balls(kernel):
    decided = 0
    for seed in range(12):
        problem = repeated(seed, kernel)
        truth = certify(problem, level="ball", digits=15)
        try:
            found = certify(problem, level="float")
        except Undecided:
            continue
        decided += not found.alpha_unique
        assert found.norm2.overlaps(truth.norm2)
        if found.is_zero:
            continue
        alpha = found.alpha(30)
        assert all(x >= 0 and x <= C + fmpq(1, 10**9) for x, C in zip(alpha, problem.bounds, strict=True))
        assert abs(sum(x * label for x, label in zip(alpha, problem.y, strict=True))) < 1e-9
        first, second = (orca(problem, proof, "ball", 20) for proof in (found, truth))
        assert all(a.overlaps(b) for a, b in zip(first.order, second.order, strict=True))
        assert sorted(found.free + found.bound) == sorted(set(found.free + found.bound))
        assert check_solution(problem, [float(x) for x in alpha], level="gap").digits >= 4
    assert decided >= 2  # merging was needed and succeeded


def test_all_values_of_the_gap_of_a_merged_problem_are_proved():
    problem = Problem([[0, 1], [0, 1], [1, 0], [1, 0], [2, 2]], [1, 1, -1, -1, 1], kernel=RBF(1), C=10)
    found = certify(problem, level="float")
    assert found.alpha_unique is None and set(found.free) == {1, 2, 3, 4, 5}
    assert certify(problem, [float(x) for x in found.alpha(30)], level="gap").gap < 1e-9


def test_level_exact_needs_rational_values():
    problem = Problem([[0, 1], [1, 0]], [1, -1], kernel=RBF("0.5"))
    for call, others in (
        (certify, "'ball' or 'float' or 'gap'"),
        (lambda p, level: check_solution(p, [1, 1], level=level), "'ball' or 'gap'"),
    ):
        with pytest.raises(BadParameter, match=f"level: 'exact' does not exist for the RBF.*take {others}$"):
            call(problem, level="exact")
    with pytest.raises(BadParameter, match="arithmetic: 'exact' cannot represent the RBF kernel"):
        orca(problem, certify(problem), "exact")
    assert certify(problem).level == "ball"
    assert certify(Problem([[0, 1], [1, 0]], [1, -1], kernel=Linear())).level == "exact"


def test_other_kernels_have_no_degrees_and_measures():
    problem = Problem([[0, 1], [1, 0]], [1, -1], kernel=RBF("0.5"))
    with pytest.raises(BadParameter, match="is not a kernel of orthogonal polynomials"):
        problem.degrees  # noqa: B018
    with pytest.raises(BadParameter, match="is not a kernel of orthogonal polynomials"):
        problem.replace(n=3)
    with pytest.raises(BadParameter, match="is not a measure under which indices of the RBF"):
        Problem([[0, 1], [1, 0]], [1, -1], kernel=RBF("0.5"), under=Hermite())


def test_a_measure_on_one_value_leaves_no_variance():
    for kernel in (RBF(1), Linear()):
        problem = Problem([[0, 1], [1, 0], [2, 2]], [1, -1, 1], kernel=kernel, under=Discrete([1]))
        for arithmetic in ("float", "mp", "ball"):
            with pytest.raises(BadParameter, match=r"under: .* makes h constant"):
                orca(problem, certify(problem), arithmetic)


def test_a_copy_keeps_the_measure_of_the_indices():
    under = (Normal(1, 2), Uniform())
    problem = Problem([[0, 1], [1, 0]], [1, -1], kernel=Linear(), under=under)
    for changes in ({"C": 3}, {"X": [[1, 2], [3, 4]]}, {"kernel": RBF(1)}):
        assert problem.replace(**changes).under == under
    assert problem.replace(kernel=OrthogonalPolynomials(2, Hermite())).under == (Hermite(), Hermite())
    one = Problem([[0, 1], [1, 0]], [1, -1], kernel=Linear(), under=Normal(1, 2))
    assert one.replace(X=[[0], [1]]).under == (Normal(1, 2),)


def test_tiny_and_distant_values_stay_small_in_memory():
    X, y = [[0, 1], [10**9, 0], [5, 10**8], [-(10**9), 3]], [1, -1, 1, -1]
    for level in ("gap", "ball"):
        problem = Problem(X, y, kernel=RBF(1000), C=2)
        assert certify(problem, level=level, digits=20).digits >= 20
    far = Problem([[0], [1], [3]], [1, -1, 1], kernel=RBF(50), under=Uniform(5, 7))
    shares = [orca(far, certify(far), arithmetic, 20).total[1] for arithmetic in ("ball", "mp")]
    assert all(abs(float(share) - 1) < 1e-15 for share in shares)


@pytest.mark.parametrize(
    ("X", "y", "C"),
    [
        ([[0], [0]], [1, -1], 1),
        ([[0], [0], [1], [1]], [1, -1, 1, -1], 2),
        ([[0], [0], [1]], [1, -1, 1], 2),
        ([[0], [0], [0]], [1, -1, -1], [2, 1, 1]),
    ],
)
def test_points_of_both_classes_at_one_place_give_w_0(X, y, C):
    """The Gaussian kernels of different points are independent, so that w = 0 is decided over Q."""
    found = certify(Problem(X, y, kernel=RBF(1), C=C), level="ball")
    assert found.is_zero and found.level == "ball" and check(found.to_json())["level"] == "ball"
    assert describe_optimality(found) == "optimality: proved (level ball); w is exact"
    with pytest.raises(ZeroClassifier):
        orca(found.problem, found, "ball")


def test_a_measure_under_which_h_is_constant_does_not_make_w_0():
    problem = Problem([[0], [2]], [1, -1], kernel=Polynomial(2), under=Discrete([-1, 1]))
    with pytest.raises(BadParameter, match="makes h constant"):
        orca(problem, certify(problem), "exact")
    tiny = Problem([[10**12], [-(10**12)]], [1, -1], kernel=Linear())
    with pytest.raises(Undecided, match="within its error bound"):
        orca(tiny, certify(tiny, level="float"), "float")
    assert orca(tiny, certify(tiny), "float").order == [0, 1]


def test_a_point_far_from_the_interval_of_a_measure():
    X, y = [[0, 0], ["1/2", 1], [1, 0], [40, 1]], [1, -1, 1, -1]
    problem = Problem(X, y, kernel=RBF(1), under=Uniform(0, 1))
    found = [orca(problem, certify(problem), name, 30).order[1] for name in ("ball", "verified", "mp")]
    assert all(abs(float(x) - 0.9973594070196319) < 1e-12 for x in found)
