"""Many labellings at once: every number is within its bound of the correctly rounded one."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from orca_exact import RBF, Linear, Normal, OrthogonalPolynomials, Polynomial, Problem
from orca_exact.errors import NotEnoughMemory
from orca_exact.studies import null
from orca_exact.studies.engine import MISSING, UNIT, Engine
from orca_exact.studies.labellings import read_labellings, round_with_bounds

KERNELS = [
    (RBF("1/5"), None),
    (RBF(3), None),
    (RBF("1/1000"), None),
    (RBF(1), Normal(0, 1)),
    (Linear(), None),
    (Polynomial(2, "1/5", 1), None),
    (OrthogonalPolynomials(3), None),
    (OrthogonalPolynomials(2, order=2), None),
]


def data(kernel, under=None, m=40, d=4, seed=0) -> tuple[Problem, list]:
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, (m, d)).round(6)
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * random.normal(size=m) > 0, 1, -1)
    C = [str(k) for k in random.choice([1, 1, 1, 2], m)]
    problem = Problem(X.tolist(), y.tolist(), kernel=kernel, C=C, under=under)
    bounds = np.array(problem.bounds, dtype=object)
    orders = [np.arange(m), *(random.permutation(m) for _ in range(7))]
    return problem, [(y[order].tolist(), bounds[order].tolist()) for order in orders]


@pytest.mark.parametrize(("kernel", "under"), KERNELS, ids=repr)
def test_numbers_are_within_their_bounds(kernel, under):
    """Compare with ``Engine.read``, which rounds correctly, in balls if need be."""
    problem, labellings = data(kernel, under)
    engine = Engine(problem)
    for found, labelling in zip(read_labellings(engine, labellings), labellings, strict=True):
        truth = engine.read(*labelling)
        assert found.proof in (truth.proof, "float") and found.active == truth.active
        errors = found.errors or [0] * len(found.values)
        assert len(found.values) == len(truth.values) == len(errors)
        for x, exact, error in zip(found.values, truth.values, errors, strict=True):
            assert abs(x - exact) <= error and (x == MISSING) == (exact == MISSING)


def test_wide_bounds_contain_the_true_numbers(monkeypatch):
    """Widen the errors of the covariances: the bounds grow, and still hold."""
    problem, labellings = data(RBF("1/5"))
    engine = Engine(problem)
    truth = np.array([engine.read(*each).values for each in labellings])
    assert engine.pair_forms is not None
    engine.pair_forms.relative = 1e-6
    readings = read_labellings(engine, labellings)
    values, errors = (np.array([getattr(r, name) for r in readings]) for name in ("values", "errors"))
    assert errors.max() >= 2 and (abs(values - truth) <= errors).all()


def test_no_number_is_rounded_in_balls(monkeypatch):
    """With wide bounds, some numbers are not rounded correctly, and balls are not asked."""
    problem, labellings = data(RBF("1/5"))
    monkeypatch.setattr("orca_exact.studies.engine.read_in_balls", None)
    engine = Engine(problem)
    assert engine.pair_forms is not None
    engine.pair_forms.relative = 1e-6
    assert all(max(reading.errors or [0]) > 0 for reading in read_labellings(engine, labellings))


def test_the_study_states_the_bounds(monkeypatch):
    problem, _ = data(RBF("1/5"))
    exact = null(problem, repeats=19, keep=False)
    assert exact.errors is not None and exact.errors.shape == (20, len(exact.columns))
    original = Engine.pair_forms.func

    def wide(self):
        forms = original(self)
        forms.relative = 1e-3
        return forms

    monkeypatch.setattr(sys.modules["orca_exact.studies.work"], "worker_engine", None)
    module = sys.modules["orca_exact.studies.null"]
    engine = Engine(problem)
    engine.__dict__["pair_forms"] = wide(engine)
    monkeypatch.setattr(module, "worker_engine", lambda text: engine)
    study = null(problem, repeats=19, keep=False)
    assert study.errors.max() > 9 and (abs(study.samples - exact.samples) <= study.errors[1:]).all()
    rows = [(row, row_exact) for (_, row), (_, row_exact) in zip(study, exact, strict=True)]
    assert any(row["open"] for row, _ in rows) and all(row["p"] >= other["p"] for row, other in rows)
    text = " ".join(str(study).split())
    assert "because the bounds of the values do not decide the comparison" in text
    assert f"and the others to differ from that by at most {study.errors.max()} units of the last" in text
    assert study.to_json()["largest_error"] == study.errors.max()
    some = study.select("order")
    assert some.errors.shape == (20, 5) and some["order", 1]["open"] == study["order", 1]["open"]


def test_labels_with_w_0_are_left_to_the_exact_proof():
    same = Problem([["0.5"], ["0.5"], ["0.5"], ["0.5"]], [1, -1, 1, -1], kernel=RBF(1), under=Normal(0, 1))
    (reading,) = read_labellings(Engine(same), [(same.y, same.bounds)])
    assert reading.proof == "zero" and set(reading.values) == {MISSING}


def test_rounding_with_bounds():
    random = np.random.default_rng(5)
    shares = np.concatenate(
        [random.random(500), random.integers(0, UNIT, 500) / UNIT + 0.5 / UNIT, [0, 1, -1e-9]]
    )
    for bound in (1e-15, 1e-9, 1e-6, 1e-3, 2.0):
        nearest, errors = (np.array(x) for x in round_with_bounds(shares, np.full(len(shares), bound)))
        for _ in range(5):
            true = np.clip(shares + bound * random.choice([-1, -0.5, 0.5, 1], len(shares)), 0, 1)
            rounded = [int((x * UNIT + 0.5) // 1) for x in true]
            assert (abs(nearest - rounded) <= errors).all()
        assert bound > 1e-4 or errors.max() <= 2 * bound * UNIT + 1
    assert round_with_bounds(np.array([0.25]), np.array([1e-9])) == ([250_000], [0])


def test_too_many_points_are_refused(monkeypatch):
    monkeypatch.setattr("orca_exact.cost.available_memory", lambda: 1e8)
    random = np.random.default_rng(0)
    problem = Problem(random.normal(size=(2_000, 30)).tolist(), [1, -1] * 1_000, kernel=RBF(1))
    with pytest.raises(NotEnoughMemory, match="many labellings of 2000 points"):
        Engine(problem).pair_forms  # noqa: B018
