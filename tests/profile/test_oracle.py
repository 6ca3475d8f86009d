"""The library compared with an oracle that shares no formula with it, on difficult problems of a few points.

There are fifty problems in every run and two hundred with ``-m slow``; ``ORACLE=5000 pytest tests/profile``
tries more.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace
from fractions import Fraction as Q

import pytest
from by_hand import LAMBDA
from flint import arb, fmpq
from marks import quick
from oracle import Oracle

from orca_exact import Discrete, Hermite, Jacobi, Laguerre, checker
from orca_exact.checker import conditions
from orca_exact.numbers.rationals import QQ, midpoint
from orca_exact.problem import Problem
from orca_exact.profile.profile import orca
from orca_exact.svm.certify import certify
from orca_exact.svm.solvers import proposed_alpha

COUNT, BATCHES = int(os.environ.get("ORACLE", "200")), 12
COORDINATES = ["-1", "1", "0", "1/2", "-1/2", "1/3", "-1/3", "0.999999", "-1e-9", "0.1"]
PARAMETERS = [
    ("0", "0"), ("1", "2"), ("-1/2", "-1/2"), ("-1/4", "-3/4"), ("-0.999999", "0"), ("1/2", "1/3"),
    ("4.3", "1.8"), ("-1/3", "-2/3"), ("0", "-1/2"), ("7", "1/2"), ("-0.9", "3"), ("1/2", "1/2"),
]  # fmt: skip
MEASURES = [
    Hermite(), Laguerre(0), Laguerre("-1/2"), Laguerre("1/3"), Jacobi(0, 0), Jacobi("1/2", 0),
    Jacobi("-1/2", "1/3"), Discrete(["-1", "0", "1/2"]),
    Discrete(["0", "1/3", "7", "-2"], ["1", "1e-3", "2/7", "5"]),
]  # fmt: skip
COSTS = ["1", "7/3", "1/3", "1e-6", "1e-20", "1e6", "1e12", "2/3", "4/3", "1/1000", "50"]


def difficult(seed: int) -> Problem:
    """Return a problem with difficult features; a third of them have a C for each point.

    The features are duplicates, ties, ends of the interval, alpha + beta = -1, n = 0, tiny and huge C.
    """
    pick = random.Random(seed)
    m, d = pick.choice([2, 3, 3, 4, 4, 4, 5, 5, 6]), pick.choice([1, 1, 2])
    pool = [[pick.choice(COORDINATES) for _ in range(d)] for _ in range(pick.randint(1, m))]
    X = [pick.choice(pool) for _ in range(m)]
    y = [1, -1] + [pick.choice([1, -1]) for _ in range(m - 2)]
    pick.shuffle(y)
    C = [pick.choice(COSTS) for _ in X] if seed % 3 == 0 else pick.choice(COSTS)
    if seed % 3 == 1 or seed % 6 == 0:
        return mixed(pick, X, y, C)
    return Problem(X, y, pick.choice([0, 1, 1, 2, 3]), *pick.choice(PARAMETERS), C=C)


def mixed(pick: random.Random, X: list, y: list, C: str | list) -> Problem:
    """Return a problem with a measure and a degree for each coordinate, shifted to x >= 0 for Laguerre."""
    measures = [pick.choice(MEASURES) for _ in X[0]]
    n = [pick.choice([0, 1, 2]) for _ in X[0]]
    move = [(1 if isinstance(measure, Laguerre) else 0) for measure in measures]
    X = [[QQ(x) + by for x, by in zip(row, move, strict=True)] for row in X]
    return Problem(X, y, n, measures=measures, C=C)


def holds(ball: arb, truth: Q, slack: Q = Q(1, 10**150)) -> bool:
    """Return whether a ball contains the truth, up to the error of tau in the oracle."""
    middle, radius = (Q(int(x.p), int(x.q)) for x in (midpoint(ball), midpoint(ball.rad())))
    return abs(truth - middle) <= radius + slack * max(1, abs(truth))


def enclosed(x, truth: Q) -> bool:
    if isinstance(x, fmpq | int):
        return abs(Q(int(fmpq(x).p), int(fmpq(x).q)) - truth) <= Q(1, 10**150)
    return holds(x if isinstance(x, arb) else x.ball(60), truth)


def compare(problem: Problem, truth: Oracle) -> int:
    """Compare exact and ball certificates and their indices; return how many numbers were compared."""
    start, _ = proposed_alpha(problem)
    exact, ball = certify(problem, start), certify(problem, start, level="ball", digits=30)
    for certificate in (exact, ball):
        claims = checker.check(certificate.to_json())
        low, high = (Q(claims["norm2"][end]) for end in ("lower", "upper"))
        assert low <= truth.norm2 * (1 + Q(1, 10**150))
        assert truth.norm2 <= high * (1 + Q(1, 10**150))
        assert certificate.alpha_unique in (None, truth.alpha_unique)
    assert exact.hard_margin is truth.hard_margin
    assert ball.hard_margin in (None, truth.hard_margin)
    assert exact.b_unique is (truth.b[0] == truth.b[1])
    ends = exact.bias_ends(60)
    assert holds(ends[0], truth.b[0])
    assert holds(ends[-1], truth.b[1])
    if ball.enclosure:
        assert (ball.free, ball.bound) == (exact.free, exact.bound)
        assert holds(ball.enclosure.b, truth.b[0])
    assert exact.is_zero is truth.is_zero
    if truth.is_zero:
        assert ball.digits == 0 or ball.w_error == 0
        return 4
    count = 4
    assert ball.digits >= 30
    shares = truth.shares()
    for found in (orca(problem, exact, "exact"), orca(problem, ball, "ball", 30)):
        assert enclosed(found.norm2, truth.norm2)
        for name, family in shares.items():
            for key, share in family.items():
                assert enclosed(found.family(name)[key], share), (name, key)
                count += 1
    return count


@pytest.fixture(autouse=True)
def lambda_is_computed_once(monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)


@pytest.mark.parametrize("batch", quick(range(BATCHES), range(3)))
def test_difficult_problems(batch):
    for seed in range(batch, COUNT, BATCHES):
        problem = difficult(seed)
        try:
            assert compare(problem, Oracle(problem)) >= 4
        except Exception as error:
            error.add_note(f"seed {seed}: {problem.to_json()}")
            raise


def limited(seed: int) -> Problem:
    """Return a problem of two or three coordinates, with a degree and a measure each, and a limited order."""
    pick = random.Random(f"limited {seed}")
    m, d = pick.choice([3, 4, 4, 5]), pick.choice([2, 3, 3])
    X = [[pick.choice(COORDINATES) for _ in range(d)] for _ in range(m)]
    y = [1, -1] + [pick.choice([1, -1]) for _ in range(m - 2)]
    C = [pick.choice(COSTS) for _ in X] if seed % 3 == 0 else pick.choice(COSTS)
    problem = mixed(pick, X, y, C)
    return problem.replace(kernel=replace(problem.kernel, order=pick.randint(1, d - 1)))


@pytest.mark.parametrize("batch", quick(range(BATCHES), range(2)))
def test_problems_of_limited_order(batch):
    for seed in range(batch, COUNT // 2, BATCHES):
        problem = limited(seed)
        try:
            assert compare(problem, Oracle(problem)) >= 4
        except Exception as error:
            error.add_note(f"seed {seed}: {problem.to_json()}")
            raise
