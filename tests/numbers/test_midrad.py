"""Midpoint-radius arrays contain the exact values.

``MIDRAD=5000 pytest tests/numbers/test_midrad.py`` runs so many rounds of each test.
"""

from __future__ import annotations

import os
import random
from fractions import Fraction as Q
from itertools import product

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact.numbers.midrad import MidRad, convolve, reciprocal, rounding_gamma, row_products, solve_linear

ROUNDS = int(os.environ.get("MIDRAD", "60"))
EXPONENTS = {"plain": (-8, 8), "wide": (-300, 300), "subnormal": (-1074, -1000), "huge": (900, 1023)}


def ball(pick: random.Random, kind: str) -> tuple[float, float, Q]:
    """Return a midpoint, a radius and a rational in the ball, often at its boundary."""
    low, high = EXPONENTS[kind]
    mid = pick.choice([-1, 1]) * pick.random() * 2.0 ** pick.randint(low, high)
    rad = pick.choice([0.0, abs(mid) * 2.0 ** -pick.randint(1, 60), 2.0 ** pick.randint(low, high)])
    place = pick.choice([Q(-1), Q(1), Q(0), Q(pick.random())])
    return mid, rad, Q(mid) + Q(rad) * place


def balls(pick: random.Random, shape: tuple[int, ...], kind: str) -> tuple[MidRad, np.ndarray]:
    found = [ball(pick, kind) for _ in range(int(np.prod(shape)))]
    mid, rad = (np.reshape([x[k] for x in found], shape) for k in (0, 1))
    truth = np.empty(len(found), dtype=object)
    truth[:] = [x[2] for x in found]
    return MidRad(mid, rad), truth.reshape(shape)


def holds(found: MidRad, truth: np.ndarray) -> bool:
    """Return whether the balls contain the true values; an infinite or nan ball contains all."""
    for mid, rad, x in zip(found.mid.flat, found.rad.flat, truth.flat, strict=True):
        if np.isfinite(mid) and np.isfinite(rad) and abs(Q(mid) - x) > Q(rad):
            return False
    return True


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize("kind", EXPONENTS)
@pytest.mark.parametrize("seed", range(4))
def test_operations(kind, seed):
    for round_ in range(ROUNDS):
        pick = random.Random(f"{kind}{seed}{round_}")
        (x, p), (y, q) = (balls(pick, (3, 4), kind) for _ in "xy")
        (z, r) = balls(pick, (4, 2), kind)
        assert holds(x + y, p + q)
        assert holds(x - y, p - q)
        assert holds(x * y, p * q)
        assert holds(1.5 - x, Q(3, 2) - p)
        assert holds(x @ z, p @ r)
        assert holds(x.sum(axis=0), p.sum(axis=0))
        assert holds(x.T @ y, p.T @ q)
        product = np.array([[Q(0)] * 4 for _ in range(5)], dtype=object)
        for i in range(3):
            for j in range(3):
                product[i + j] += p[i] * q[j]
        assert holds(convolve(x, y), product)
        assert all(Q(low) <= t for low, t in zip(x.lower().flat, p.flat, strict=True) if np.isfinite(low))
        uppers = zip(x.abs_upper().flat, p.flat, strict=True)
        assert all(Q(up) >= abs(t) for up, t in uppers if np.isfinite(up))
        inverse = reciprocal(x)
        for mid, rad, t in zip(inverse.mid.flat, inverse.rad.flat, p.flat, strict=True):
            assert not np.isfinite(rad) or abs(Q(mid) - 1 / t) <= Q(rad)


@pytest.mark.parametrize("small", [(-560, -530), (-1074, -990)])
def test_factors_that_enlarge_an_underflow(small):
    """Check sums of products whose rounding errors are normal numbers but gamma_k |y|, or y^2, is not."""
    for round_ in range(ROUNDS):
        pick = random.Random(f"{small}{round_}")
        x, y = (
            np.array([[(1 + pick.random()) * 2.0 ** pick.randint(*ends) for _ in range(4)] for _ in range(3)])
            for ends in ((450, 500) if small[0] > -600 else (900, 1000), small)
        )
        p, q = (np.vectorize(Q, otypes=[object])(z) for z in (x, y))
        assert holds(MidRad(x) @ MidRad(y.T), p @ q.T)
        rows, both = np.vstack([x, y]), np.vstack([p, q])
        assert holds(row_products(MidRad(rows)), both @ both.T)
        product = np.array([[Q(0)] * 4 for _ in range(5)], dtype=object)
        for i in range(3):
            for j in range(3):
                product[i + j] += p[i] * q[j]
        assert holds(convolve(MidRad(x), MidRad(y)), product)


def test_cancellation_and_long_sums():
    pick = random.Random(1)
    for _ in range(ROUNDS):
        x = [pick.random() * 2.0 ** pick.randint(-20, 20) for _ in range(300)]
        x += [-t * (1 + 2.0**-50 * pick.randint(-3, 3)) for t in x]
        pick.shuffle(x)
        truth, row = sum(map(Q, x)), MidRad([x])
        assert holds(row.sum(axis=1), np.array([truth], dtype=object))
        assert holds(row @ np.ones((600, 1)), np.array([[truth]], dtype=object))
        total = row.sum()
        assert abs(Q(float(total.mid())) - truth) <= Q(float(total.rad()) * 1.000001)


@pytest.mark.parametrize("count", [64, 65, 130, 700])
@pytest.mark.parametrize("kind", ["plain", "cancelling", "wide", "subnormal"])
def test_sums_in_two_levels(count, kind):
    """Check long sums and products, whose terms are added in groups, against rationals."""
    low, high = EXPONENTS.get(kind, (-2, 2))
    for seed in range(2):
        rng = np.random.default_rng([count, seed])
        x, y = (rng.normal(size=(3, count)) * 2.0 ** rng.integers(low, high, (3, count)) for _ in "xy")
        if kind == "cancelling":  # the second half is the first one with the opposite sign, nearly
            x[:, count // 2 : count // 2 * 2] = -x[:, : count // 2] * (1 + 2.0**-50 * rng.integers(-3, 3))
        rad = abs(x) * 2.0 ** -rng.integers(40, 60)
        p, q = (np.vectorize(Q, otypes=[object])(z) for z in (x, y))
        for balls_, truth in ((MidRad(x), p), (MidRad(x, rad), p + np.vectorize(Q, otypes=[object])(rad))):
            assert holds(balls_.sum(axis=1), truth.sum(axis=1))
            assert holds(MidRad(balls_.T.mid.copy(), balls_.T.rad).sum(axis=0), truth.sum(axis=1))
            whole = balls_.sum()
            assert abs(exactly(whole.mid()) - truth.sum()) <= exactly(whole.rad())
            assert holds(balls_ @ MidRad(y[0].reshape(-1, 1)), truth @ q[0].reshape(-1, 1))
            assert holds(balls_ @ MidRad(y[0]), truth @ q[0])
            assert holds(balls_ @ MidRad(y.T), truth @ q.T)
            assert holds(row_products(balls_), truth @ truth.T)


def test_the_radius_of_a_long_sum_grows_with_the_root_of_its_length():
    x = MidRad(np.ones(250_000))
    assert float(x.sum().rad()) < 250_000 * 1_100 * 2.0**-53
    assert (x.reshape(1, -1) @ np.ones((250_000, 1))).rad.max() < 250_000 * 1_100 * 2.0**-53


def exactly(x: arb) -> Q:
    """Return an exact ball as a rational."""
    value = x.fmpq()
    return Q(int(value.p), int(value.q))


def test_a_bound_that_forgets_gamma_is_caught(monkeypatch):
    """Check that the tests above fail if the rounding error of a sum is ignored."""
    from orca_exact.numbers import midrad

    monkeypatch.setattr(midrad, "rounding_gamma", lambda k: 0.0)
    monkeypatch.setattr(midrad, "UNIT_ROUNDOFF", 0.0)
    with pytest.raises(AssertionError):
        test_cancellation_and_long_sums()
    with pytest.raises(AssertionError):
        test_sums_in_two_levels(130, "cancelling")


def test_gamma():
    for k in (1, 10, 10**4, 10**7):
        assert Q(k, 2**53) / (1 - Q(k, 2**53)) <= Q(rounding_gamma(k)) < Q(k + 3, 2**53)


def test_a_vector_times_a_matrix():
    found = MidRad([1.0, 2.0], [0.5, 0.0]) @ MidRad([[3.0], [4.0]])
    assert found.shape == (1,)
    assert holds(found, np.array([Q(19, 2)])) and holds(found, np.array([Q(25, 2)]))


def test_a_long_sum_of_products_is_split():
    assert (MidRad(np.ones((1, 2048))) @ np.ones((2048, 1))).rad < 600 * 2048 * 2.0**-53


def test_conversions():
    third = MidRad.from_rationals([fmpq(1, 3), fmpq(1, 2)])
    assert third.rad[0] > 0 == third.rad[1]
    assert abs(Q(third.mid[0]) - Q(1, 3)) <= Q(third.rad[0]) < 2.1 * 2.0**-53 * third.mid[0]
    wide = MidRad.from_balls([arb(1) / 3, arb(2, 1)])
    assert wide[0].contains(fmpq(1, 3))
    assert wide[1].contains(1)
    assert wide[1].contains(3)
    assert (fmpq(1, 3) + third)[0].contains(fmpq(2, 3))
    assert (third * (arb(1) / 3))[0].contains(fmpq(1, 9))


def test_shapes():
    x = MidRad([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]], [[0.0, 0.5, 0.0], [0.25, 0.0, 0.0]])
    assert (x.shape, x.size, len(x), x.T.shape, x.reshape(3, 2).shape) == ((2, 3), 6, 2, (3, 2), (3, 2))
    assert x.balls()[0, 1].contains(fmpq(5, 2)) and x.balls()[1, 2] == 32
    assert [row[1].contains(fmpq(3, 2)) for row in x] == [True, False]
    twice = MidRad.concatenate([x, MidRad.stack([x[1], x[0]])])
    assert (twice.mid[:, 0].tolist(), twice.rad[:, 0].tolist()) == ([1, 8, 8, 1], [0, 0.25, 0.25, 0])
    y = x.copy()
    y[0] = MidRad.zeros(3)
    assert not y.rad[0].any() and not y.mid[0].any() and x.mid[0].all() and x.rad[0].any()
    sums = x.sum_groups(np.array([0, 2]))
    for edge in (-1, 1):
        truth = [[3 + edge * Q(1, 2), Q(4)], [24 + edge * Q(1, 4), Q(32)]]
        assert holds(sums, np.array(truth, dtype=object))
    assert sums.rad.max() < 0.5 * (1 + 1e-12)
    quotient, inverse = x / MidRad([[2.0], [4.0]]), 1 / MidRad([4.0], [1.0])
    assert holds(quotient, np.array([[Q(1, 2), Q(5, 4), Q(2)], [Q(33, 16), Q(4), Q(8)]], dtype=object))
    assert (
        holds(inverse, np.array([Q(1, 3)])) and holds(inverse, np.array([Q(1, 5)])) and inverse.rad < 0.0834
    )


def hilbert(size: int) -> np.ndarray:
    return np.array([[fmpq(1, i + j + 1) for j in range(size)] for i in range(size)], dtype=object)


@pytest.mark.parametrize("size", range(1, 13))
def test_solve_where_the_answer_is_known(size):
    """Solve Hilbert systems of condition 10^1 to 10^16: the result contains 1 ... n, or is None."""
    H = hilbert(size)
    truth = np.array([fmpq(k + 1) for k in range(size)], dtype=object)
    found = solve_linear(MidRad.from_rationals(H), MidRad.from_rationals(H @ truth))
    if found is None:
        assert size > 8
    else:
        assert holds(found.x, np.array([Q(int(x.p)) for x in truth], dtype=object))
        assert size < 8 or found.error.max() > 1e-9, "an error bound that does not know the condition"


def test_solve_is_tight():
    """Check a ball that contains x/8 = 1 and, with a radius above 1, the singular system 0 x = 1."""
    found = solve_linear(MidRad([[1.0]], [[0.875]]), MidRad([1.0])).x
    assert holds(found, np.array([Q(8)])) and holds(found, np.array([Q(8, 15)]))
    assert found.rad[0] < 7 * (1 + 2.0**-40)
    assert solve_linear(MidRad([[1.0]], [[1.0625]]), MidRad([1.0])) is None


@pytest.mark.parametrize("radius", [2.0**-20, 0.25])
def test_solve_contains_every_corner(radius):
    pick = random.Random(2)
    for _ in range(ROUNDS // 10):
        mid = np.array([[1, pick.random() / 8], [pick.random() / 8, -1]])
        found = solve_linear(MidRad(mid, np.full((2, 2), radius)), MidRad([1.0, 2.0], [radius, 0.0])).x
        for signs in product((-1, 1), repeat=5):
            (a, b, c, d), r = (Q(x) + s * Q(radius) for x, s in zip(mid.flat, signs, strict=False)), signs[4]
            p, q = 1 + r * Q(radius), Q(2)
            truth = [(p * d - b * q) / (a * d - b * c), (a * q - c * p) / (a * d - b * c)]
            assert holds(found, np.array(truth, dtype=object))


@pytest.mark.parametrize("seed", range(3))
def test_solve_random(seed):
    from flint import fmpq_mat

    pick = random.Random(seed)
    for _ in range(max(ROUNDS // 4, 1)):
        size = pick.randint(1, 7)
        near = pick.choice([1, 10**6, 10**12])
        A = [[fmpq(pick.randint(-9, 9)) for _ in range(size)] for _ in range(size)]
        A[-1] = [x + fmpq(pick.randint(-9, 9), near) for x in A[0]] if size > 1 else A[-1]
        b = [[fmpq(pick.randint(-9, 9), 7)] for _ in range(size)]
        found = solve_linear(MidRad.from_rationals(A), MidRad.from_rationals([x for (x,) in b]))
        if fmpq_mat(A).det() == 0:
            assert found is None
        elif found is not None:
            x = fmpq_mat(A).solve(fmpq_mat(b))
            truth = np.array([Q(int(x[i, 0].p), int(x[i, 0].q)) for i in range(size)], dtype=object)
            assert holds(found.x, truth)
            rows, exact = balls(pick, (3, size), pick.choice(["plain", "wide"]))
            near, full = found.matvec(rows)
            assert holds(full, exact @ truth)
            assert holds(near, exact @ np.array([Q(t) for t in found.near], dtype=object))


def test_functionals_of_a_solution_are_tight():
    """Check that for a Hilbert matrix H, H x is enclosed far better than each x_i."""
    H = MidRad.from_rationals(hilbert(8))
    found = solve_linear(H, MidRad.from_rationals(hilbert(8) @ np.array([fmpq(1)] * 8, dtype=object)))
    _, full = found.matvec(H)
    naive = H @ found.x
    assert holds(full, np.array([sum(Q(1, i + j + 1) for j in range(8)) for i in range(8)], dtype=object))
    assert (full.rad < 1e-3 * naive.rad).all()


@pytest.mark.parametrize("kind", EXPONENTS)
def test_a_matrix_applied_to_a_long_vector(kind):
    for round_ in range(ROUNDS):
        pick = random.Random(f"{kind}{round_}")
        (A, p), (x, q) = balls(pick, (2, 40), kind), balls(pick, (40,), kind)
        assert holds(A.matvec(x), p @ q)
    ones = MidRad(np.ones((1, 10**5)))
    assert ones.matvec(MidRad(np.full(10**5, 0.1))).rad[0] < 1e-11 < (ones @ np.full(10**5, 0.1)).rad[0] * 100
