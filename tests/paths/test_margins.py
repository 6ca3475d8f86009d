"""Conditions that float64 proves to be positive, and paths of many points with few modes."""

from __future__ import annotations

import pickle
from contextlib import suppress
from itertools import pairwise, product

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact import OrthogonalPolynomials, Polynomial, Problem, path
from orca_exact.errors import Undecided, ZeroClassifier
from orca_exact.measures.families import Jacobi
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.midrad import MidRad
from orca_exact.paths.margins import AffineBounds, BoundSum, FeatureMargins, Features
from orca_exact.paths.pivot import Balls, Basis, Rationals
from orca_exact.paths.segments import _step, pack_points, unpack_points
from orca_exact.svm.dual import BallDual
from orca_exact.svm.gram import gram_ratio


def drawn(m, d, seed, step=8):
    """Return points of a coarse grid, so that some are equal, and labels, one in ten of them wrong."""
    random = np.random.default_rng(seed)
    X = [[fmpq(int(k), step) for k in row] for row in random.integers(-step, step + 1, (m, d))]
    return X, [1 if (2 * x[0] + x[-1] + x[0] * x[-1] > 0) == (random.random() < 0.9) else -1 for x in X]


def problems():
    """Yield problems with few modes: ties by symmetry, equal points of both classes, balanced classes."""
    X, y = drawn(40, 2, 1)
    yield "plain", Problem(X, y, 1, 0, 0)
    yield "weights", Problem(X, y, 1, 0, 0, C=[fmpq(1 + i % 3, 3) for i in range(40)])
    yield "equal", Problem(X[:12] * 2, y[:12] + [-label for label in y[:6]] + y[6:12], 1, 0, 0)
    yield "balanced", Problem([*X, *([-s, -t] for s, t in X)], [*y, *(-label for label in y)], 1, "1/2", 0)
    yield "w = 0", Problem(X, [1 if i % 5 else -1 for i in range(40)], 1, 0, 0)
    grid = [[fmpq(a, 2), fmpq(b, 2)] for a, b in product(range(-2, 3), repeat=2)]
    yield "symmetric", Problem(grid, [1 if a * b >= 0 else -1 for a, b in grid], 1, 0, 0)
    yield "opposite", Problem(grid, [1 if a + 2 * b > 0 or a > b == 0 else -1 for a, b in grid], 1, 0, 0)
    X, y = drawn(44, 3, 2)
    limited = OrthogonalPolynomials(1, [Jacobi(0, 0)] * 3, order=2)
    yield "order 2", Problem(X, y, kernel=limited)
    yield "polynomial", Problem(X, y, kernel=Polynomial(2, 1, 1))
    X, y = drawn(30, 2, 3, step=1)
    yield "contradictory", Problem(X, y, 1, 0, 0)


PROBLEMS = dict(problems())


def statements(problem, level):
    """Return what a path states: segments with their ends and events, and two indices."""
    found = path(problem, level=level)
    segments = [(s.free, s.bound, s.events, len(s.b), s.u, s.v) for s in found]
    numbers = [s.upper for s in found.segments[:-1]] + [c for s in found for pair in s.b for c in pair]
    for name, key in (("total", 1), ("order", 1), ("cumulative", problem.kernel.top_degree)):
        with suppress(ZeroClassifier):
            numbers += [extremum.value for extremum in found.index(name, key).extrema()]
    return segments, numbers


def agree(ours, theirs):
    """Return whether two paths state the same; balls must overlap."""
    (segments, numbers), (others, values) = ours, theirs
    if [s[:4] for s in segments] != [s[:4] for s in others] or len(numbers) != len(values):
        return False
    pairs = [*zip(numbers, values, strict=True)]
    for one, other in zip(segments, others, strict=True):
        pairs += [*zip(one[4], other[4], strict=True), *zip(one[5], other[5], strict=True)]
    return all(arb(x).overlaps(arb(y)) for x, y in pairs)


@pytest.fixture
def by_gram(monkeypatch):
    """Return a function that computes statements with the Gram matrix and without float64."""

    def compute(problem, level):
        with monkeypatch.context() as patch:
            patch.setattr(BallDual, "few_features", False)
            patch.setattr("orca_exact.paths.pivot.exact_gram", gram_ratio)
            return statements(problem, level)

    return compute


@pytest.mark.parametrize("level", ["ball", "exact"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_features_and_gram_matrix_give_the_same_path(name, level, by_gram):
    problem = PROBLEMS[name]
    assert Balls(problem, 30).features and Rationals(problem).features
    assert agree(statements(problem, level), by_gram(problem, level))


MUTANTS = {
    "every sign is proved": ("not_positive", lambda self, tau: np.empty(0, int)),
    "a bound above the value": (
        "not_positive",
        lambda self, tau: np.flatnonzero(~((self.p + self.q * tau).mid + 0.05 > 0)),
    ),
    "the slope is forgotten": ("not_positive", lambda self, tau: np.flatnonzero(~(self.p.lower() > 0))),
    "the last point limits b": ("may_be_largest", lambda self, points, tau: points[-1:]),
}


def wrong_steps(problem, truth):
    """Count the segments of an exact path whose upper end, or the state beyond it, is found otherwise."""
    field, count = Rationals(problem), 0
    for one, other in pairwise(truth):
        try:
            segment, state = _step(field, one.state, one.lower, None)
        except Undecided:
            count += 1
        else:
            count += (segment.upper, state) != (other.lower, other.state)
    return count


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_wrong_bound_is_found(mutant, monkeypatch):
    truths = [(PROBLEMS[name], path(PROBLEMS[name], level="exact")) for name in ("plain", "balanced")]
    monkeypatch.setattr("orca_exact.paths.pivot.PIVOTS", 50)
    assert [wrong_steps(*pair) for pair in truths] == [0, 0]
    monkeypatch.setattr(AffineBounds, *MUTANTS[mutant])
    assert any(wrong_steps(*pair) for pair in truths)


def test_a_wrong_claim_that_w_is_constant_is_found(monkeypatch):
    problem = PROBLEMS["plain"]
    basis = next(s.state.basis for s in path(problem) if len(s.free) == 3)
    i = min(set(range(problem.m)) - {*basis.free})
    _, slope = Rationals(problem).solution(basis).margins[i]
    for most, right in ((4, True), (3, False)):
        monkeypatch.setattr(Features, "most_independent", most)
        field = Balls(problem, 30)
        with field.scope():
            assert arb(field.solution(basis).margins[i][1]).overlaps(arb(slope)) is right


def test_w_is_constant_if_no_more_points_can_be_independent():
    problem = PROBLEMS["plain"]
    balls, exact = path(problem), path(problem, level="exact")
    marked = [k for k, segment in enumerate(balls) if segment.constant]
    assert marked == [k for k, segment in enumerate(balls) if len(segment.free) == 4] != []
    M, _ = problem.kernel.at(problem.points, arithmetic("exact")).features
    for k, segment in enumerate(exact):
        slope = M @ (segment.v * problem.signs)
        assert all(x == 0 for x in slope) == (k in marked)


@pytest.mark.parametrize("name", ["plain", "weights", "order 2", "polynomial"])
def test_bounds_contain_the_margins(name):
    problem = PROBLEMS[name]
    basis = Basis((0, 1), frozenset(range(5, 20)))
    line = Rationals(problem).solution(basis)
    assert isinstance(line.margins, FeatureMargins)
    for part, enclosed in enumerate(line.margins.bounds):
        for i, ball in enumerate(enclosed):
            exact = line.margins[i][part]
            assert ball.contains(arb(exact).mid()) and ball.rad() < 1e-9 * (1 + abs(float(exact)))


def test_conditions_beyond_float64_are_computed():
    bounds = AffineBounds(MidRad([1.0, 1.0, np.nan]), MidRad([np.inf, -0.5, 1.0]))
    assert bounds.not_positive(fmpq(1)).tolist() == [0, 2]
    assert bounds.not_positive(arb(2)).tolist() == [0, 1, 2]
    assert bounds.may_be_largest([0, 1, 2], fmpq(1)) == [0, 1, 2]
    exact = AffineBounds(MidRad([1.0, 2.0, 0.0]), MidRad([0.0, 0.0, 1.0]))
    assert exact.may_be_largest([0, 1, 2], fmpq(1)) == [1]
    assert exact.may_be_largest([0, 1, 2], fmpq(2)) == [1, 2]
    assert exact.not_rising().tolist() == [0, 1]


def test_sums_at_bounds_are_updated_and_renewed():
    problem, calls = PROBLEMS["weights"], []

    def combine(s):
        calls.append(len(s))
        return sum(s.values(), fmpq(0))

    total, random = BoundSum(problem, combine), np.random.default_rng(0)
    for _ in range(20):
        bound = frozenset(random.choice(40, 10, replace=False).tolist())
        assert total(bound) == sum((problem.y[i] * problem.weights[i] for i in bound), fmpq(0))
    assert calls.count(0) > 1


def test_a_segment_is_stored_in_few_bytes():
    assert unpack_points(pack_points([0, 7, 8, 40], 41)) == [0, 7, 8, 40]
    X, y = drawn(300, 2, 5, step=2**20)
    found = path(Problem(X, y, 1, 0, 0))
    assert len(found) > 50
    assert max(len(pickle.dumps(segment.values)) + len(segment.bits) for segment in found) < 4000
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.segments[3].state == found.segments[3].state


def test_bounds_beyond_float64_prove_nothing_without_a_warning():
    """Check each comparison of infinite and undefined bounds; warnings are errors here."""
    wide = MidRad([np.inf, np.nan, -np.inf], [np.inf, 1.0, np.nan])
    bounds = AffineBounds(wide, wide)
    for found in (bounds, bounds.minus((arb(1), fmpq(10) ** 400)), bounds.times(np.array([-1.0, 0.0, 1.0]))):
        assert found.not_rising().tolist() == found.not_positive(fmpq(1)).tolist() == [0, 1, 2]
        assert found.may_be_largest([0, 1, 2], fmpq(1)) == [0, 1, 2]
        found.near_first_zero([(fmpq(1), fmpq(-1))])
