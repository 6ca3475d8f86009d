"""``noise``: enclosures over a box hold at its corners, and draws are reproducible."""

from __future__ import annotations

import json

import numpy as np
import pytest
from flint import fmpq

from orca_exact import (
    RBF,
    Hermite,
    Jacobi,
    Laguerre,
    Linear,
    Normal,
    OrthogonalPolynomials,
    Polynomial,
    Problem,
    Uniform,
)
from orca_exact.errors import BadInput, Undecided
from orca_exact.files.validation import validate
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ
from orca_exact.studies import noise
from orca_exact.studies.box import MovableProblem, MovedKernel, Series, bound_displacements, shift_polynomials
from orca_exact.studies.engine import UNIT, Engine, read_single, with_measures
from orca_exact.studies.noise import draw_points, enclose_box
from orca_exact.svm.gram import gram_ratio


def plane(m: int = 14, **changes) -> Problem:
    X = [[f"{x:.2f}" for x in row] for row in np.random.default_rng(3).uniform(-0.95, 0.95, (m, 2))]
    y = [1 if QQ(a) * QQ(b) + QQ(a) / 3 > 0 else -1 for a, b in X]
    y[0] = -y[0]
    short = {} if "kernel" in changes else {"n": 3, "alpha": "1/2", "beta": 0}
    return Problem(**{"X": X, "y": y, "C": 2} | short | changes)


def solid(n: list[int], order: int) -> Problem:
    """Four columns, of which one has degree 0."""
    X = np.random.default_rng(8).integers(-95, 96, (14, 4))
    y = [1 if a * b + 30 * c > 0 else -1 for a, b, c, _ in X.tolist()]
    kernel = OrthogonalPolynomials(n, [Jacobi(0, 1), Hermite(), Jacobi(0, 0), Jacobi(0, 0)], order)
    return Problem([[QQ(x) / 100 for x in row] for row in X.tolist()], y, kernel=kernel, C=2)


PROBLEMS = {
    "plain": plane(),
    "rescaled": plane(rescale=True, n=2),
    "measures": plane(alpha=None, beta=None, measures=[Hermite(), Jacobi(0, 1)], n=[2, 3]),
    "weighted": plane(C=[1 + i % 3 for i in range(14)]),
    "bound": plane(C="1/20", n=1),
    "additive": plane(kernel=OrthogonalPolynomials(3, Jacobi("1/2", 0), order=1)),
    "pairs": solid([3, 2, 0, 2], 2),
    "rbf": plane(kernel=RBF("3/4"), C=20),
    "rbf uniform": plane(kernel=RBF("1/10"), rescale=True, under=Uniform(), C=20),
    "linear": plane(kernel=Linear()),
    "quadratic": plane(kernel=Polynomial(2, "1/3", "1/7"), under=Normal(0, "1/2")),
    "homogeneous": plane(kernel=Polynomial(3, 1, 0), C=[1 + i % 3 for i in range(14)]),
}


DRAWN = [
    [0, 192403, 807597],
    [0, 196765, 803235],
    [0, 200385, 799615],
]  # OKC^(0), OKC^(1), OKC^(2) of three draws


def corner(problem: Problem, delta: list[fmpq], random: np.random.Generator) -> Problem:
    signs = random.integers(0, 2, (problem.m, problem.d)).tolist()
    X = [
        [x + d * (2 * k - 1) for x, d, k in zip(row, delta, some, strict=True)]
        for row, some in zip(problem.X, signs, strict=True)
    ]
    return with_measures(problem, X=X)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_enclosures_hold_at_corners_and_inside(name):
    problem = PROBLEMS[name]
    delta = [fmpq(1, 100)] * problem.d
    found = enclose_box(problem, delta)
    assert found["halvings"] is not None, found["why"]
    delta = [QQ(x) for x in found["proved_delta"]]
    here, random = read_single(problem), np.random.default_rng(5)
    moved = [corner(problem, delta, random) for _ in range(25)] + [
        draw_points(problem, delta, random) for _ in range(5)
    ]
    some = 0
    for other in moved:
        reading = read_single(other)
        assert reading.active == here.active
        for x, observed, inside in zip(reading.values, here.values, found["enclosures"], strict=True):
            if inside is not None:
                assert inside[0] <= x <= inside[1] and inside[0] <= observed <= inside[1]
                some += x != observed
    assert some  # the points did move


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_box_where_the_active_set_changes_is_not_proved(name):
    problem, random = PROBLEMS[name], np.random.default_rng(1)
    here, moving = read_single(problem), MovableProblem(Engine(problem).problem)
    for k in range(12):
        delta = [fmpq(1, 4 * 2**k)] * problem.d
        if read_single(draw_points(problem, delta, random)).active == here.active:
            break
        with pytest.raises(Undecided):
            moving.bound_turn(bound_displacements(problem, delta))
    assert k  # it changes at 1/4


def test_the_proof_is_not_far_from_the_truth():
    """A box of 64 times the proved size contains points with another active set."""
    for problem in PROBLEMS.values():
        found = enclose_box(problem, [fmpq(1, 100)] * problem.d)
        delta, random = [64 * QQ(x) for x in found["proved_delta"]], np.random.default_rng(2)
        here = read_single(problem)
        if max(delta) > fmpq(1, 30):
            continue
        assert any(read_single(draw_points(problem, delta, random)).active != here.active for _ in range(30))


def test_enclosures_shrink_with_delta():
    problem = plane()
    widths = []
    for denominator in (10**4, 10**5, 10**6):
        inside = enclose_box(problem, [fmpq(1, denominator)] * 2)["enclosures"]
        widths.append(max(high - low for low, high in (x for x in inside if x is not None)))
    assert widths[0] > 8 * widths[1] > 64 * widths[2] > 0
    assert widths[2] < UNIT / 1000


@pytest.mark.parametrize("measure", [Jacobi("1/2", "3/2"), Hermite(), Laguerre("1/3")])
def test_series_hold_and_are_attained(measure):
    x, r = [fmpq(1, 3), fmpq(2, 5)], [fmpq(1, 7), fmpq(1, 1000)]
    series = Series.of(shift_polynomials(measure, 5, x), r)
    for i in range(2):
        for h in (r[i], -r[i], r[i] / 3):
            for k, true in enumerate(measure.monic(5, x[i] + h)):
                value, slope = (part.mid[k, i] for part in (series.value, series.slope))
                off = abs(float(true) - value - slope * float(h))
                assert off <= series.rest[k, i] + 1e-13 * (1 + abs(float(true)))
    assert series.rest[2, 0] == pytest.approx(float(r[0]) ** 2, rel=1e-12)  # the remainder of pi_2 is h^2


@pytest.mark.parametrize("name", ["measures", "additive", "pairs", "rbf", "quadratic", "homogeneous"])
def test_kernels_hold_at_moved_points(name):
    problem = PROBLEMS[name]
    moving = MovableProblem(problem)
    delta = [fmpq(1, 200), fmpq(1, 50), fmpq(1, 60), fmpq(1, 90)][: problem.d]
    K, random = MovedKernel(moving, bound_displacements(problem, delta)), np.random.default_rng(4)
    for _ in range(10):
        other = corner(problem, delta, random)
        true = gram_ratio(other, arithmetic("float"))
        h = np.array(
            [
                [float(b - a) for a, b in zip(p, q, strict=True)]
                for p, q in zip(problem.X, other.X, strict=True)
            ]
        )
        linear = sum(V.mid * h[:, [j]] + (V.mid * h[:, [j]]).T for j, V in enumerate(K.U))
        assert (abs(linear) <= K.lin * (1 + 1e-12)).all()
        off = abs(true - K.R.mid - linear)
        assert (off <= K.Q + 1e-10).all()
        assert (off > K.Q / 100).any()  # the bound of the remainder is not far too large


@pytest.mark.parametrize("name", ["measures", "additive", "pairs", "rbf", "quadratic", "homogeneous"])
def test_how_far_an_expansion_moves(name):
    """The exact norm ||sum s_j (phi(x_j + h_j) - phi(x_j))|| is compared with its bound."""
    problem = PROBLEMS[name]
    delta, m = [fmpq(1, 200), fmpq(1, 50), fmpq(1, 60), fmpq(1, 90)][: problem.d], problem.m
    K, random = (
        MovedKernel(MovableProblem(problem), bound_displacements(problem, delta)),
        np.random.default_rng(6),
    )
    s, A = random.integers(-9, 10, m), arithmetic("ball", 60)
    size = abs(s).astype(float)
    bound = (size @ K.both @ size) ** 0.5 + size @ K.moved
    largest = 0.0
    for _ in range(20):
        other = corner(problem, delta, random)
        joint = problem.replace(X=[*problem.X, *other.X], y=[*problem.y, *problem.y], C=[1] * 2 * m)
        signed = np.array([fmpq(int(x)) for x in [*-s, *s]], dtype=object)
        true = float(signed @ gram_ratio(joint, A) @ signed) ** 0.5
        assert true <= bound
        largest = max(largest, true)
    assert largest > bound / 5


def test_reach_of_a_rescaled_column():
    """The ends of a column stay at -1 and 1 only if no other point can overtake them."""
    X = [["0"], ["0.001"], ["0.5"], ["0.7"], ["1"]]
    problem = Problem(X, [1, -1, 1, -1, 1], n=1, alpha=0, beta=0, rescale=True)
    radii = bound_displacements(problem, [fmpq(1, 1000)])[:, 0]
    assert radii[4] == 0 and radii[0] > 0
    assert bound_displacements(problem, [fmpq(1, 10_000)])[0, 0] == 0
    random = np.random.default_rng(0)
    largest = [fmpq(0)] * 5
    for _ in range(300):
        moved = corner(problem, [fmpq(1, 1000)], random).points[:, 0]
        for i, x in enumerate(abs(moved - problem.points[:, 0])):
            assert x <= radii[i]
            largest[i] = max(largest[i], x)
    assert largest[1:] == radii[1:].tolist()  # attained at a corner
    with pytest.raises(Undecided, match="may become constant"):
        bound_displacements(problem, [fmpq(1, 2)])


# The study.


def test_the_draws_are_these_integers_anywhere():
    """Draws are exact rationals from the stream of their repetition, and indices are correctly rounded."""
    study = noise(plane(), delta="0.005", repeats=3, seed=11, keep=False)
    assert study.samples[:, :3].tolist() == DRAWN
    again = noise(plane(), delta=["0.005", "0.005"], repeats=30, seed=11, keep=False)
    assert again.samples[:3].tolist() == study.samples.tolist()  # a draw does not depend on the others
    assert (
        noise(plane(), delta="0.005", repeats=3, seed=12, keep=False).samples.tolist()
        != study.samples.tolist()
    )


def test_kept_pieces_are_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path))
    first = noise(plane(), delta="0.005", repeats=30)
    assert len(list(tmp_path.glob("*.json"))) == 4  # the box, the observed points and two batches
    assert json.dumps(noise(plane(), delta="0.005", repeats=30).to_json()) == json.dumps(first.to_json())


def test_what_it_says():
    study = noise(plane(), delta="0.2", repeats=20, keep=False)
    assert study.counts["changed"] > 0
    assert study.counts["halvings"] > 0
    row = study["order", 2]
    low, high = row["enclosure"]
    assert low <= row["observed"] <= high
    assert row["quantiles"]["0.025"] <= row["quantiles"]["0.5"] <= row["quantiles"]["0.975"]
    frame = study.rows()
    assert {"enclosure_low", "enclosure_high", "quantiles_0.5"} <= frame[0].keys()
    data = study.to_json()
    assert data["kind"] == "noise" and data["delta"] == ["0.2", "0.2"]
    validate(data, "orca-exact/study/1", "noise")


def test_delta_by_default_is_half_of_the_last_place():
    problem = plane(X=[["0.5", "1.25"], ["2", "3.5"], ["1", "2"], ["0", "4"]], y=[1, -1, 1, -1], rescale=True)
    assert noise(problem, repeats=1, keep=False).settings["delta"] == ["0.05", "0.005"]


def test_an_optimum_without_a_strict_active_set_is_drawn_and_not_enclosed():
    """Every support vector is bound, so that no free one determines b."""
    X = [["-0.9"], ["-0.3"], ["0.3"], ["0.9"]]
    problem = Problem(X, [1, -1, 1, -1], n=1, alpha=0, beta=0, C="0.01")
    study = noise(problem, repeats=2, keep=False)
    assert study.counts["why"] and study.counts["halvings"] is None
    assert study["order", 1]["enclosure"] is None and study["order", 1]["observed"] == 1.0
    row = study.rows()[1]
    assert row["enclosure_low"] is None and "enclosure" not in row


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"delta": [1]}, "delta: 1 value was given for 2 columns"),
        ({"delta": -1}, "delta[0]: -1 is negative"),
        ({"delta": 0}, "moves no point"),
        ({"delta": "a"}, "delta: 'a' is not a finite number"),
        ({"delta": ["0.1", None]}, "delta[1]: None is not a finite number"),
        ({"delta": 1, "repeats": 0}, "repeats"),
        ({"delta": 1, "seed": -1}, "seed"),
    ],
)
def test_bad_input(changes, words):
    with pytest.raises(BadInput) as error:
        noise(plane(), **changes)
    assert words in str(error.value)


def test_bad_deltas_of_the_data():
    floats = plane(X=[[0.1, 0.2], [0.3, 0.4]], y=[1, -1])
    with pytest.raises(BadInput, match="pass delta"):
        noise(floats)
    with pytest.raises(BadInput, match="half the range"):
        noise(plane(rescale=True), delta=2)
