"""``overfit``: folds, certified predictions and the conclusion from the table."""

from __future__ import annotations

import json

import numpy as np
import pytest
from flint import fmpq

from orca_exact import Discrete, Jacobi, Problem
from orca_exact.errors import BadInput
from orca_exact.files.validation import validate
from orca_exact.kernels.orthogonal import OrthogonalPolynomials
from orca_exact.studies import overfit
from orca_exact.studies.engine import UNIT
from orca_exact.studies.overfit import assign_folds, find_overfitting, spearman, split_problem
from orca_exact.studies.statistics import wilson
from orca_exact.studies.work import generator

X = [[f"{x:.3f}" for x in row] for row in np.random.default_rng(8).normal(0, 2, (40, 2))]
Y = [1 if float(a) + float(b) / 2 + 0.3 * np.sin(7 * i) > 0 else -1 for i, (a, b) in enumerate(X)]


def cloud(**changes) -> Problem:
    return Problem(**{"X": X, "y": Y, "n": 1, "alpha": 0, "beta": 0, "C": 5, "rescale": True} | changes)


def test_folds_are_stratified_and_of_the_seed():
    y = [1] * 23 + [-1] * 38
    part = assign_folds(y, 10, generator(1, 0))
    for label in (1, -1):
        counts = np.bincount(part[np.array(y) == label], minlength=10)
        assert counts.max() - counts.min() <= 1
    sizes = np.bincount(part, minlength=10)
    assert sizes.max() - sizes.min() <= 1 and sizes.sum() == 61
    assert (part == assign_folds(y, 10, generator(1, 0))).all()
    assert (part != assign_folds(y, 10, generator(1, 1))).any()


def test_the_scale_is_that_of_the_training_part():
    problem = Problem([["0"], ["1"], ["2"], ["10"]], [1, -1, 1, -1], n=1, alpha=0, beta=0, rescale=True)
    train, test = split_problem(problem, [1, 2], [0, 3], False)
    assert train.points[:, 0].tolist() == [-1, 1]
    assert test == [[-1], [1]]  # clipped to the training range
    train, test = split_problem(problem, [0, 1, 3], [2], False)
    assert test == [[fmpq(-3, 5)]]
    train, test = split_problem(problem, [1, 2], [0, 3], True)
    assert train.points[:, 0].tolist() == [fmpq(-4, 5), fmpq(-3, 5)] and test == [[-1], [1]]
    constant = problem.replace(X=[["0"], ["0"], ["0"], ["1"]])
    with pytest.raises(BadInput, match="whole_scale=True"):
        split_problem(constant, [0, 1], [2, 3], False)


@pytest.mark.parametrize("whole_scale", [False, True])
def test_the_accuracies_are_those_that_libsvm_has(whole_scale):
    """The accuracies agree with those of libsvm for the same folds and scale."""
    svm = pytest.importorskip("sklearn.svm")
    problem, n = cloud(), [1, 3]
    study = overfit(problem, n=n, folds=5, repeats=2, seed=3, whole_scale=whole_scale, keep=False)
    raw = np.array(problem.X, dtype=object).astype(float)
    y = np.array(problem.y)
    for row in study.rows():

        def right(inside, outside, row=row):
            ends = raw if whole_scale else raw[inside]
            low, high = ends.min(axis=0), ends.max(axis=0)
            points = np.clip((raw - low) / (high - low) * 2 - 1, -1, 1)
            svc = svm.SVC(kernel=OrthogonalPolynomials(row["n"]), C=5, tol=1e-7).fit(
                points[inside], y[inside]
            )
            return int((svc.predict(points[outside]) == y[outside]).sum())

        every = np.arange(problem.m)
        assert row["train"] == right(every, every) / problem.m
        parts = [assign_folds(problem.y, 5, generator(3, k)) for k in range(2)]
        counts = [[right(*(np.flatnonzero(x) for x in (p != f, p == f))) for f in range(5)] for p in parts]
        assert row["cv"] == sum(map(sum, counts)) / (2 * problem.m)
        errors = [np.std(np.array(some) / 8, ddof=1) / 5**0.5 for some in counts]
        assert row["cv_error"] == pytest.approx(np.mean(np.square(errors)) ** 0.5, rel=1e-12)
        assert row["cv_low"] < row["cv"] < row["cv_high"] and row["undecided"] == 0


def test_structure_is_that_of_all_points():
    from orca_exact import certify, orca

    study = overfit(cloud(), n=[1, 2], folds=2, repeats=1, keep=False)
    for row in study.rows():
        problem = cloud(n=row["n"])
        profile = orca(problem, certify(problem), "exact")
        assert [row[f"order_{q}"] for q in range(3)] == pytest.approx(
            [float(x) for x in profile.order], abs=0.51 / UNIT
        )
        assert row["mean_order"] == pytest.approx(
            float(profile.order[1] + 2 * profile.order[2]), abs=2 / UNIT
        )
        degrees = sum((N * x for N, x in enumerate(profile.degree)), fmpq(0))
        assert row["mean_degree"] == pytest.approx(float(degrees), abs=20 / UNIT)
        assert row["high"] == row["interactions"] == row["order_2"] and row["peak"] == profile.peak


def test_a_side_that_is_not_proved_is_wrong():
    """All points are equal with both labels: w = 0, and b is the midpoint 0 of [-1, 1]."""
    problem = Problem([["0.5"]] * 8, [1, -1] * 4, n=1, alpha=0, beta=0)
    study = overfit(problem, n=[1, 2], folds=2, repeats=1, keep=False)
    for row in study.rows():
        assert row["cv"] == row["train"] == 0 and row["undecided"] == 16
        assert row["mean_order"] is None and row["proof"] == "zero"
    assert study.finding["spearman"] is None and study.finding["onset"] is None
    assert study.conclusion == (
        "Accuracy in cross-validation is highest at n = 1, and not lower by more than a standard error after "
        "it. Interactions of more than half of the columns never prevail."
    )


def rows(*high: float) -> list[dict]:
    return [
        {"n": k, "high": x, "interactions": min(1.0, 2 * x), "mean_order": x} for k, x in enumerate(high, 1)
    ]


@pytest.mark.parametrize(
    ("high", "right", "best", "loss", "onset", "outcome"),
    [
        ((0.1, 0.2, 0.6, 0.9), (80, 90, 90, 70), 2, 4, 3, "predicted"),
        ((0.1, 0.2, 0.4, 0.6), (80, 90, 90, 70), 2, 4, 4, "predicted"),  # at the same time
        ((0.1, 0.6, 0.7, 0.9), (80, 90, 90, 70), 2, 4, 2, "not predicted"),  # the onset is at the best n
        ((0.6, 0.1, 0.6, 0.9), (80, 90, 90, 70), 2, 4, 1, "not predicted"),  # the first onset counts
        ((0.1, 0.2, 0.3, 0.5), (80, 90, 90, 70), 2, 4, None, "not predicted"),  # exactly half is not an onset
        ((0.1, 0.2, 0.6, 0.9), (80, 90, 85, 85), 2, None, 3, "no loss"),  # one standard error is 5
        ((0.1, 0.2, 0.6, 0.9), (80, 90, 84, 90), 2, 3, 3, "predicted"),
    ],
)
def test_the_finding(high, right, best, loss, onset, outcome):
    found = find_overfitting(rows(*high), right, [fmpq(5, 100) ** 2] * 4, 100, 1)
    assert (found["best"], found["loss"], found["onset"], found["outcome"]) == (best, loss, onset, outcome)


def test_the_larger_standard_error_counts():
    right = (100, 99)
    assert find_overfitting(rows(0.1, 0.2), right, [fmpq(0), fmpq(0)], 100, 1)["loss"] == 2
    assert find_overfitting(rows(0.1, 0.2), right, [fmpq(0), fmpq(1, 100) ** 2], 100, 1)["loss"] is None


def test_spearman_is_scipys():
    stats = pytest.importorskip("scipy.stats")
    for pairs in ([(1, 3), (2, 1), (3, 4), (4, 4), (5, 9)], [(k, (k * 7) % 12 // 2) for k in range(12)]):
        a, b = zip(*pairs, strict=True)
        found = spearman(pairs)
        assert found["rho"] == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-12)
        if len(pairs) < 8:
            test = stats.permutation_test(
                (a,),
                lambda x, b=b: stats.spearmanr(x, b).statistic,
                permutation_type="pairings",
                n_resamples=10**6,
            )
            assert found["p"] == pytest.approx(test.pvalue) and found["permutations"] == 120
        else:
            assert found["permutations"] == 10_000
            assert found["p"] == pytest.approx(stats.spearmanr(a, b).pvalue, abs=0.02)
    assert spearman([(1, 1), (2, 1), (3, 1)]) is None
    assert spearman([]) is None


def test_wilson_is_scipys():
    stats = pytest.importorskip("scipy.stats")
    for k, n, level in ((0, 10, 0.95), (7, 61, 0.9), (61, 61, 0.99)):
        true = stats.binomtest(k, n).proportion_ci(level, method="wilson")
        assert wilson(k / n, n, level) == pytest.approx((true.low, true.high), abs=1e-12)


def test_kept_pieces_and_json(tmp_path, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path))
    first = overfit(cloud(), n=[1, 2], folds=3, repeats=2)
    assert len(list(tmp_path.glob("*.json"))) == 6
    data = first.to_json()
    validate(data, "orca-exact/study/1", "overfit")
    assert data["kind"] == "overfit" and data["says"] == first.conclusion and len(data["rows"]) == 2
    assert json.dumps(overfit(cloud(), n=[1, 2], folds=3, repeats=2).to_json()) == json.dumps(data)
    more = overfit(cloud(), n=[1, 2, 3], folds=3, repeats=2)  # six of the nine tasks are cached
    assert more.rows()[:2] == first.rows()
    assert len(list(tmp_path.glob("*.json"))) == 9


def test_pictures():
    pytest.importorskip("matplotlib")
    study = overfit(cloud(), n=[1, 2, 3], folds=2, repeats=1, keep=False)
    top, below = study.plot().axes
    assert top.get_lines()[1].get_ydata().tolist() == [row["cv"] for row in study.rows()]
    assert sum(patch.get_height() for patch in below.patches) == pytest.approx(3)
    (alone,) = study.plot("accuracy").axes
    assert alone.get_ylabel() == "accuracy"
    for arguments, words in ((("peak",), "is unknown"), (("orders", alone), "two panels")):
        with pytest.raises(BadInput, match=words):
            study.plot(*arguments)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"n": 3}, "n: 3 is not a list of values"),
        ({"n": [3]}, "is not an ascending list"),
        ({"n": [2, 1]}, "is not an ascending list"),
        ({"n": ["1", 2]}, "n: '1' is not an integer"),
        ({"folds": 1}, "folds: 1 is not an integer from 2 to"),
        ({"folds": 30}, "the size of the smaller class"),
        ({"repeats": 0}, "repeats"),
        ({"level": 1.5}, "level: 1.5 is not between 0 and 1"),
    ],
)
def test_bad_input(changes, words):
    with pytest.raises(BadInput) as error:
        overfit(cloud(), **changes, keep=False)
    assert words in str(error.value)


def test_the_papers_data(echocardiogram):
    """For n = 1, 49 of 61 training points are correct; orders above 5/2 dominate first at n = 2."""
    problem = Problem(echocardiogram.X, echocardiogram.y, 1, 0, 0, rescale=True)
    study = overfit(problem, n=[1, 2, 5], folds=5, repeats=1, whole_scale=True, keep=False)
    assert study.rows()[0]["train"] == 49 / 61
    assert study.rows()[2]["train"] == 1
    assert study.finding["onset"] == 2


def test_a_column_of_text_has_at_most_the_degrees_of_its_values():
    points = [[x / 8, float(k % 2)] for k, x in enumerate(range(-7, 9))]
    kernel = OrthogonalPolynomials((2, 1), (Jacobi(0, 0), Discrete([0, 1], ["1/2", "1/2"])))
    problem = Problem(points, [1 if x > 0 else -1 for x, _ in points], kernel=kernel)
    rows = overfit(problem, n=[1, 3], folds=3, repeats=1, keep=False).rows()
    assert [row["n"] for row in rows] == [1, 3] and rows[1]["peak"] <= 4  # degrees 3 and 1
