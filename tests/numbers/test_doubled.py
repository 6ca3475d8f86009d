"""Two float64 numbers for each value enclose the exact values, more narrowly than one."""

from __future__ import annotations

import random

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact import Hermite, Jacobi, Laguerre
from orca_exact.numbers.arithmetic import Ball, arithmetic
from orca_exact.numbers.doubled import Doubled, two_product, two_sum
from orca_exact.numbers.midrad import MidRad
from orca_exact.numbers.rationals import QQ, contains

EXPONENTS = {"plain": (-8, 8), "wide": (-140, 140), "subnormal": (-1074, -1000), "huge": (900, 1023)}


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield


def numbers(seed: str, count: int, low: int, high: int) -> list[fmpq]:
    """Return rationals, every other one a float64."""
    pick = random.Random(seed)
    found = [QQ(pick.uniform(-1, 1)) * fmpq(2) ** pick.randint(low, high) for _ in range(count)]
    return [x if i % 2 else x / pick.choice([3, 7, 1001]) for i, x in enumerate(found)]


def parts(x: Doubled) -> list[tuple[fmpq, fmpq] | None]:
    """Return the exact midpoint and radius of each number, or None for an infinite ball."""
    columns = zip(x.high.tolist(), x.low.mid.tolist(), x.low.rad.tolist(), strict=True)
    return [(QQ(a) + QQ(b), QQ(r)) if np.isfinite([a, b, r]).all() else None for a, b, r in columns]


def encloses(x: Doubled, truth: list[fmpq]) -> bool:
    pairs = zip(parts(x), truth, strict=True)
    return all(part is None or abs(part[0] - q) <= part[1] for part, q in pairs)


@pytest.mark.parametrize("kind", EXPONENTS)
def test_operations_enclose(kind):
    p, q = (numbers(f"{kind}{name}", 400, *EXPONENTS[kind]) for name in "pq")
    x, y = (Doubled.from_rationals(np.array(values, dtype=object)) for values in (p, q))
    third = fmpq(1, 3)
    for found, truth in (
        (x, p),
        (x + y, [a + b for a, b in zip(p, q, strict=True)]),
        (x - y, [a - b for a, b in zip(p, q, strict=True)]),
        (x * y, [a * b for a, b in zip(p, q, strict=True)]),
        (third * x + 1, [third * a + 1 for a in p]),
    ):
        assert encloses(found, truth)
        assert encloses(Doubled(found.to_midrad().mid, MidRad(0 * x.high, found.to_midrad().rad)), truth)
    if kind == "plain":
        assert all(r <= abs(m) * fmpq(2) ** -98 for m, r in parts(x * y) if m)  # type: ignore[misc]


def test_errors_of_sums_and_products_are_exact():
    pick = np.random.default_rng(0)
    a, b = (pick.normal(size=1000) * np.exp2(pick.integers(-60, 60, 1000)) for _ in "ab")
    for operation, exact in ((two_sum, lambda x, y: x + y), (two_product, lambda x, y: x * y)):
        found = zip(*operation(a, b), a, b, strict=True)
        assert all(QQ(s) + QQ(e) == exact(QQ(x), QQ(y)) for s, e, x, y in found)


def test_overflow_proves_nothing():
    big = Doubled.from_rationals(np.array([fmpq(10) ** 400, fmpq(2) ** 1020], dtype=object))
    assert not (big.to_midrad().lower() > -np.inf)[0]
    assert not np.isfinite((big * big).to_midrad().rad).any()


@pytest.mark.parametrize("measure", [Jacobi(0, 0), Jacobi("1/2", 3), Hermite(), Laguerre(2)])
@pytest.mark.parametrize("n", [3, 12, 60])
def test_recurrences_are_as_sharp_as_from_balls(measure, n):
    x = np.array([fmpq(k, 37) for k in range(0, 37, 4)], dtype=object)
    found = arithmetic("verified").evaluate(lambda x: measure.monic(n, x), x)
    with Ball(60).scope():
        truth = measure.monic(n, x)
    for mids, rads, row in zip(found.mid, found.rad, truth, strict=True):
        balls = [arb(m, r) for m, r in zip(mids.tolist(), rads.tolist(), strict=True)]
        assert all(contains(ball, q) for ball, q in zip(balls, row, strict=True))
        assert (rads <= 2.0**-51 * abs(mids).max()).all()
