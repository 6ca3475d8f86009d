"""The RBF kernel in float64: squared distances in one pass, and moments by interpolation."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact.kernels import rbf
from orca_exact.kernels.rbf import RBF, column_moments, squared_distances
from orca_exact.measures.families import Discrete
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.midrad import MidRad

VERIFIED = arithmetic("verified")


def rational(x: float) -> fmpq:
    return fmpq(*float(x).as_integer_ratio())


@pytest.mark.parametrize("kind", ["plain", "near", "tiny", "huge", "mixed", "subnormal"])
def test_squared_distances_contain_the_exact_ones(kind):
    for seed in range(20):
        random = np.random.default_rng([seed, len(kind)])
        d = int(random.integers(1, 7))
        mids = [random.normal(size=(n, d)) for n in (4, 3)]
        if kind == "near":  # points that differ in their last digits only
            mids[1] = mids[0][:3] * (1 + 2.0**-50 * random.integers(-2, 3, (3, d)))
        scale = {"tiny": 1e-170, "huge": 1e150, "subnormal": 1e-310}.get(kind, 1.0)
        if kind == "mixed":
            scale = 10.0 ** random.integers(-200, 100, d)
        mids = [mid * scale for mid in mids]
        rads = [abs(mid) * 2.0 ** -random.integers(3, 60) * random.integers(0, 2) for mid in mids]
        signs = [random.choice([-1, 0, 1], mid.shape) for mid in mids]
        balls = [MidRad(mid, rad) for mid, rad in zip(mids, rads, strict=True)]
        found = squared_distances(*balls, VERIFIED)
        x, z = (
            [
                [rational(a) + rational(r) * int(k) for a, r, k in zip(*row, strict=True)]
                for row in zip(mid, rad, sign, strict=True)
            ]
            for mid, rad, sign in zip(mids, rads, signs, strict=True)
        )
        for i, p in enumerate(x):
            for j, q in enumerate(z):
                truth = sum(((a - b) ** 2 for a, b in zip(p, q, strict=True)), fmpq(0))
                if np.isfinite(found.mid[i, j]) and np.isfinite(found.rad[i, j]):
                    assert abs(truth - rational(found.mid[i, j])) <= rational(found.rad[i, j])
                else:
                    assert kind in ("huge", "mixed")


def test_squared_distances_without_their_bound_are_noticed(monkeypatch):
    monkeypatch.setattr(rbf, "rounding_gamma", lambda k: 0.0)
    with pytest.raises(AssertionError):
        test_squared_distances_contain_the_exact_ones("plain")


def test_strips_do_not_matter(monkeypatch):
    points = np.random.default_rng(1).normal(size=(30, 3))
    at = RBF("1/3").at(np.vectorize(rational, otypes=[object])(points), VERIFIED)
    whole = at.block(slice(None), slice(0, 7))
    monkeypatch.setattr(rbf, "_STRIP_VALUES", 20)
    parts = at.block(slice(None), slice(0, 7))
    assert (parts.mid == whole.mid).all() and (parts.rad == whole.rad).all()


def moments(x: np.ndarray, nodes: np.ndarray, gamma: str, A, convert):
    measure = Discrete([rational(t) for t in nodes], [1] * len(nodes))
    with A.scope():
        return column_moments(convert(x), fmpq(*map(int, gamma.split("/"))), measure, A)


@pytest.mark.parametrize("shape", ["normal", "far from 0", "tiny", "outside", "equal"])
@pytest.mark.parametrize("gamma", ["1/1000000", "1/12", "1/1", "7/2"])
def test_interpolated_moments_contain_those_in_balls(monkeypatch, shape, gamma):
    random = np.random.default_rng(len(shape))
    nodes, x = np.unique(random.normal(size=220)), random.normal(size=150)
    if shape == "far from 0":
        nodes, x = nodes + 1000, x + 1000
    elif shape == "tiny":
        nodes, x = nodes * 1e-6, x * 1e-6
    elif shape == "outside":
        x = x + 3
    elif shape == "equal":
        x = np.repeat(x[:5], 30)
    monkeypatch.setattr(rbf, "_MANY_VALUES", 1)
    used = []
    original = rbf._moments_by_interpolation
    monkeypatch.setattr(
        rbf, "_moments_by_interpolation", lambda *args: used.append(original(*args)) or used[-1]
    )
    means, covariances = moments(x, nodes, gamma, VERIFIED, MidRad)
    expected = gamma in ("1/1000000", "1/12") and shape in ("normal", "far from 0", "tiny", "equal")
    assert used[0] is not None or not expected
    few = random.permutation(len(x))[:12]
    balls = arithmetic("ball", 40)
    true_means, true = moments(
        x[few], nodes, gamma, balls, lambda x: np.array([arb(rational(t)) for t in x], dtype=object)
    )
    for i, k in enumerate(few):
        assert abs(true_means[i] - arb(means.mid[k])) <= arb(means.rad[k])
        for j, l_ in enumerate(few):
            assert abs(true[i, j] - arb(covariances.mid[k, l_])) <= arb(covariances.rad[k, l_])
    if used[0] is not None:
        size = float(np.sqrt(covariances.mid.diagonal().max()))
        assert means.rad.max() < 1e-12 and covariances.rad.max() < 1e-9 * size


def test_interpolation_with_a_forgotten_error_is_noticed(monkeypatch):
    """With a rule of 8 nodes, the error of the interpolation is what counts."""
    monkeypatch.setattr(rbf, "_interpolation_error", lambda size, count, small: 0.0)
    with pytest.raises(AssertionError):
        test_interpolated_moments_contain_those_in_balls(monkeypatch, "normal", "1/12")


def test_the_bound_of_the_interpolation_holds():
    """Compare with the largest error on a grid; the bound is not far from it."""
    z = np.linspace(-1, 1, 400)
    for size in (1e-3, 0.1, 0.24, 0.5, 2.0, 8.0):
        small = 4 * size < 1
        for count in (8, 12, 16, 24):
            nodes = np.cos(np.pi * (2 * np.arange(count) + 1) / (2 * count))
            weights = np.array([1 / np.prod(a - np.delete(nodes, i)) for i, a in enumerate(nodes)])
            basis = np.stack(
                [np.prod(z[:, None] - np.delete(nodes, i), axis=1) * w for i, w in enumerate(weights)]
            )
            f = (np.expm1 if small else np.exp)(-size * (nodes[:, None] - z) ** 2)
            truth = (np.expm1 if small else np.exp)(-size * (z[:, None] - z) ** 2)
            error = abs(basis.T @ f - truth).max()
            bound = rbf._interpolation_error(size, count, small)
            assert error <= bound + 1e-13
            assert bound < 1e4 * error + 1e-11
