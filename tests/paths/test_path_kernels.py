"""Paths of linear, polynomial and RBF kernels against ``certify`` and ``orca`` at single C."""

from __future__ import annotations

from random import Random

import pytest
from flint import arb, fmpq

from orca_exact import (
    RBF,
    Empirical,
    Linear,
    Normal,
    Polynomial,
    Problem,
    Uniform,
    certify,
    orca,
    path,
)
from orca_exact.errors import BadParameter, Undecided, ZeroClassifier
from orca_exact.numbers.rationals import midpoint
from orca_exact.profile.under import describe_under

KERNELS = (
    Linear(),
    Polynomial(2, "1/2", 1),
    Polynomial(3, "1/3", 0),
    RBF("1/100"),
    RBF("1/2"),
    RBF(3),
    RBF(100),
)
MEASURES = (Empirical(), Uniform(), Normal("1/10", "1/2"), Uniform(-2, 2))
NEAR = fmpq(1, 10**9)


def random_problem(seed: int, grid: int | None = None) -> Problem:
    """Return points of which some may be equal, with both labels, at the origin, or with a weight."""
    draw = Random(seed)
    d, m, grid = draw.randint(1, 3), draw.randint(4, 12), grid or draw.choice((50, 1000))
    X = [[fmpq(draw.randint(-grid, grid), grid) for _ in range(d)] for _ in range(m)]
    X[1] = [fmpq(0)] * d
    if seed % 3 == 0:
        X[-1] = X[0]
    y = [1, -1] + [draw.choice((1, -1)) for _ in range(m - 2)]
    C = [draw.choice((1, 2, fmpq(1, 2))) for _ in y] if seed % 2 else 1
    under = [draw.choice(MEASURES) for _ in range(d)] if seed % 4 else None
    return Problem(X, y, kernel=KERNELS[seed % len(KERNELS)], C=C, under=under, id=f"random {seed}")


def places(found, draw: Random) -> list[fmpq]:
    """Return a random C and two C around a breakpoint."""
    ends = [found.C(segment.upper) for segment in found.segments[:-1]]
    near = [C if isinstance(C, fmpq) else midpoint(C) for C in draw.sample(ends, min(1, len(ends)))]
    return [fmpq(draw.randint(1, 10**4), 10 ** draw.randint(1, 4))] + [
        C * side for C in near for side in (1 - NEAR, 1 + NEAR)
    ]


@pytest.mark.parametrize("first", range(0, 28, 7))
def test_indices_along_the_path_are_those_of_certify_at_each_C(first):
    compared = 0
    for seed in range(first, first + 7):
        problem = random_problem(seed)
        for level in ("ball", "exact")[: 1 + problem.kernel.rational]:
            found = path(problem, level=level)
            assert found.segments[-1].upper is None
            for C in places(found, Random(-seed)):
                there = problem.replace(C=C)
                try:
                    expected = orca(there, certify(there), "ball", 40)
                except (ZeroClassifier, Undecided):  # w = 0, which certify cannot prove for RBF kernels
                    with pytest.raises(ZeroClassifier):
                        found.at(C)
                    continue
                profile = found.at(C)
                for index in expected.available:
                    for key, value in expected.family(index.name).items():
                        curve = found.index(index.name, key)(C)
                        assert isinstance(curve, fmpq) or curve.rad() < 1e-19
                        assert arb(curve).overlaps(value), (seed, level, index.name, key)
                        assert arb(profile.family(index.name)[key]).overlaps(value)
                        assert level == "ball" or curve == profile.family(index.name)[key]
                        compared += 1
    assert compared > 200


@pytest.mark.parametrize("seed", [1, 2, 8, 9, 15, 16])
def test_balls_and_rationals_give_the_same_steps(seed):
    """The degrees of polynomial kernels: N* and T_eps at both levels, and by the profile at single C."""
    problem = random_problem(seed)
    paths = path(problem), path(problem, level="exact")
    for steps in ([found.peak() for found in paths], [found.threshold("0.1") for found in paths]):
        assert [step.value for step in steps[0]] == [step.value for step in steps[1]]
    for step in paths[1].peak():
        low = midpoint(arb(step.lower))
        high = 2 * low + 1 if step.upper is None else midpoint(arb(step.upper))
        if step.value is not None and not step.is_single:
            assert paths[1].at((low + high) / 2).peak == step.value


@pytest.mark.parametrize("kernel", [RBF("1/2"), Polynomial(2, 1, 1)], ids=str)
def test_extrema_bound_every_value_and_are_attained(kernel):
    problem = random_problem(13).replace(kernel=kernel)
    found = path(problem)
    for name, key in (("order", 1), ("total", 1), ("shapley", 2), ("pair", (1, 2))):
        f = found.index(name, key)
        least, most = f.extrema()
        values = [f(fmpq(k * k + 1, 100)) for k in range(60)]
        assert not any(x < least.value or x > most.value for x in values)
        inner = [C for end in (least, most) for C in end.where if isinstance(C, arb)]
        assert all(min(abs(f(C) - end.value) for end in (least, most)) < 1e-15 for C in inner)
        assert most.value - least.value > 0.01  # they do vary


def test_equal_points_are_one_point_with_the_sum_of_their_C():
    X = [["0.1", "0.3"], ["-0.4", "0.2"], ["0.7", "-0.6"], ["-0.5", "-0.9"], ["0.3", "0.8"]]
    y, rows = [1, -1, 1, -1, 1], [0, 1, 1, 2, 3, 0, 4]
    merged = Problem(X, y, kernel=RBF(1), C=[3, 2, 1, 1, 1])
    several = Problem([X[i] for i in rows], [y[i] for i in rows], kernel=RBF(1), C=[2, 1, 1, 1, 1, 1, 1],
                      under=merged.index_measures)  # fmt: skip
    one, other = path(merged), path(several)
    assert len(one) == len(other) > 2
    for a, b in zip(one, other, strict=True):
        assert a.upper is None or (arb(a.upper) * 2 / 3).overlaps(
            arb(b.upper)
        )  # tau is that of the largest C_i
        assert [rows[i - 1] + 1 for i in b.free if i not in (3, 6)] == list(a.free)
    for C in ("1/2", 2, 30):
        for q in (1, 2):
            assert other.order(q)(C).overlaps(one.order(q)(fmpq(3, 2) * fmpq(C)))
        assert other.certificate(C).digits > 40


def test_points_of_both_classes_at_one_place_cancel():
    """At a place with both labels the slope of a is known exactly, and so is a vanishing w."""
    X, y = [["-1"], ["-1"], ["-2/3"], ["0"], ["2/3"]], [1, -1, -1, -1, 1]
    found = path(Problem(X, y, kernel=RBF(100), C=[1, 1, "1/2", 1, "1/2"]))
    assert found.segments[-1].v[:2].tolist() == [1, 1]
    assert all(x == 0 for x in found.segments[-1].v[2:])
    zero = path(Problem([["-1"], ["-2/3"], ["-2/3"]], [1, -1, 1], kernel=RBF(100)))
    with pytest.raises(ZeroClassifier):
        zero.at(1)
    with pytest.raises(ZeroClassifier):
        zero.order(1).extrema()


def test_a_tie_is_undecided_and_never_guessed():
    square = Problem([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1], kernel=RBF(1))
    with pytest.raises(Undecided, match=r"The start of the path is undecided.*transcendental.*level 'gap'"):
        path(square)
    exact = path(Problem(square.X, square.y, kernel=Polynomial(2, 1, 1)))
    assert exact.at(1).order[2] > fmpq(99, 100)  # rationals settle the same tie


def test_shares_that_cannot_vary_are_exact():
    X = [["0.1", 5], ["-0.4", 5], ["0.7", 5], ["-0.5", 5], ["0.3", 5]]
    found = path(Problem(X, [1, -1, 1, -1, 1], kernel=RBF(1)))  # the two free points become 0 at once
    for name, key, value in (
        ("order", 1, 1),
        ("order", 2, 0),
        ("total", 1, 1),
        ("total", 2, 0),
        ("pair", (1, 2), 0),
    ):
        least, most = found.index(name, key).extrema()
        assert least.value == most.value == value
    line = path(Problem([["0.1", "0.5"], ["-0.4", "0.2"], ["0.3", "-0.7"]], [1, -1, 1], kernel=Linear()))
    assert [end.value for end in line.order(1).extrema()] == [1, 1]
    assert 0 < line.index("total", 1)(1) < 1


def test_an_rbf_kernel_has_no_exact_path_and_no_degrees(tmp_path):
    problem = random_problem(4)
    with pytest.raises(BadParameter, match=r"'exact' does not exist for the RBF kernel.*; take 'ball'$"):
        path(problem, level="exact")
    found = path(problem, C_to=2)
    for question in (found.peak, lambda: found.threshold("0.1"), lambda: found.index("degree", 1)):
        with pytest.raises(BadParameter, match="does not exist for the RBF kernel"):
            question()
    with pytest.raises(BadParameter, match="transcendental"):
        found.to_json()
    figure = found.plot()
    assert len(figure.axes) == 2  # the orders and the points, without N* and T_eps
    assert " ".join(figure.axes[1].get_xlabel().split()) == f"$C$ under {describe_under(problem)}"


def test_a_small_gamma_needs_many_digits():
    """The values of the kernel differ by little, so that balls of 80 digits do not separate w from 0."""
    X, kernel = [[fmpq(k * k, 70), fmpq(k, 9)] for k in range(7)], RBF(fmpq(1, 10**8))
    problem = Problem(X, [1, -1, -1, 1, -1, 1, -1], kernel=kernel, under=Normal())
    found = path(problem)
    last = 2 * midpoint(found.C(found.segments[-1].lower))
    assert len(found.segments[-1].free) > 4
    there = problem.replace(C=last)
    for q, value in enumerate(orca(there, certify(there, digits=100), "ball", 100).order[1:], 1):
        assert found.order(q)(last).overlaps(value)
