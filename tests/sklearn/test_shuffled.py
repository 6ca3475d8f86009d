"""Comparison with shuffled labels in float64: the statistics, their p-values, and what is printed."""

import numpy as np
import pytest

from orca_exact import RBF, Linear, OrthogonalPolynomials, Polynomial, Problem
from orca_exact.errors import BadParameter
from orca_exact.profile.expansions import Expansions
from orca_exact.studies import null
from orca_exact.studies.null import Null
from orca_exact.studies.statistics import step_down
from orca_exact.studies.work import generator

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from orca_exact.sklearn import OrcaSVC, audit, explain
from orca_exact.sklearn.shuffled import (
    compare_with_shuffled,
    predict_left_out,
    simultaneous_band,
)

rng = np.random.default_rng(8)
X = rng.uniform(-1, 1, (48, 3))
NOISE = rng.permutation(np.arange(48) % 2 * 2 - 1)
FIRST = np.where(X[:, 0] > 0, 1, -1)
XOR = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
KERNELS = [
    RBF("1/2"),
    Linear(),
    Polynomial(2, "1/2", 1),
    OrthogonalPolynomials(2),
    OrthogonalPolynomials(2, order=2),
    OrthogonalPolynomials(2, order=1),
]


def problem_of(y, kernel, C=1):
    return Problem(X.tolist(), y.tolist(), kernel=kernel, C=C)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_the_indices_are_those_of_the_proved_study(kernel):
    problem = problem_of(XOR, kernel)
    found, study = compare_with_shuffled(problem, 6), null(problem, 6, keep=False)
    assert found.prediction is not None and study.prediction is None
    assert (found.samples == study.samples).all() and found.observed == study.observed
    assert (found.errors == study.errors).all() and found.counts == study.counts


def test_prediction_and_indices_have_the_same_labellings(monkeypatch):
    """Compare the labels of the fits to four folds with those that are certified."""
    from orca_exact.sklearn import shuffled

    problem, fitted = problem_of(XOR, RBF(1)), []
    original = shuffled._fit
    monkeypatch.setattr(shuffled, "_fit", lambda K, y, C: fitted.append(y) or original(K, y, C))
    shuffled.predict_left_out(problem, 3)
    train, _ = next(shuffled.KFold(shuffled.FOLDS, shuffle=True, random_state=1).split(X))
    for k, labels in enumerate(fitted[1:4]):
        order = generator(1, k).permutation(list(range(48)))
        assert labels.tolist() == [problem.y[i] for i in order[train]]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_the_part_of_a_column_is_h_minus_its_mean_over_the_column(kernel):
    problem, rows = problem_of(XOR, kernel), np.array([0, 7, 20])
    s = rng.normal(size=(48, 2))
    if problem.kernel.own_measures:  # uniform on [-1, 1]
        nodes, weights = np.polynomial.legendre.leggauss(8)
        measures = [(nodes, weights / 2)] * 3
    else:
        measures = [(X[:, j], np.full(48, 1 / 48)) for j in range(3)]
    factor = None
    for j, part in enumerate(Expansions(problem).column_parts(rows, s)):
        values = problem.kernel(X[rows], X) @ s
        for node, weight in zip(*measures[j], strict=True):
            moved = X[rows].copy()
            moved[:, j] = node
            values = values - weight * (problem.kernel(moved, X) @ s)
        factor = factor or part[0, 0] / values[0, 0]  # lambda, the same for all
        np.testing.assert_allclose(part, factor * values, atol=1e-9 * np.abs(part).max())


def test_a_clear_signal_has_the_smallest_p():
    x = np.linspace(-1, 1, 40)[:, None]
    y = np.where(x[:, 0] > 0, 1, -1)
    for kernel in (RBF(1), OrthogonalPolynomials(2)):
        found = predict_left_out(Problem(x.tolist(), y.tolist(), kernel=kernel), 99)
        assert found.p_columns == (0.01,) and found.p_accuracy == 0.01 and found.accuracies[0] >= 0.9


def test_a_column_that_acts_only_in_a_pair_is_found():
    found = predict_left_out(problem_of(XOR, RBF(1)), 99)
    assert found.p_columns[0] <= 0.05 and found.p_columns[1] <= 0.05 < found.p_columns[2]


@pytest.mark.slow
def test_the_size_is_right():
    """Of 200 data sets without signal, 5 % may be rejected: at most 17 with probability 0.98."""
    some = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        points, y = random.normal(size=(30, 3)), random.permutation(np.arange(30) % 2 * 2 - 1)
        found = predict_left_out(Problem(points.tolist(), y.tolist(), kernel=RBF("1/3")), 19)
        some += min(found.p_accuracy, *found.p_columns) <= 0.05
    assert some <= 17


def test_step_down_is_between_single_p_values_and_bonferroni():
    table = rng.normal(size=(6, 200))
    table[0, 0] = 9
    raw = [float((row[1:] >= row[0]).sum() + 1) / 200 for row in table]
    adjusted = step_down(table)
    assert adjusted[0] == raw[0] == 0.005
    assert all(a >= r for a, r in zip(adjusted, raw, strict=True))
    same = step_down(np.vstack([table[1], table[1]]))  # a copy of a row costs nothing
    assert same[0] == same[1] == step_down(table[1:2])[0]


def test_repeating_gives_the_same_and_weights_go_with_the_labels():
    problem = problem_of(XOR, RBF(1), [2 if y > 0 else 1 for y in XOR])
    first, second = predict_left_out(problem, 9), predict_left_out(problem, 9)
    assert first.p_columns == second.p_columns and (first.accuracies == second.accuracies).all()


@pytest.mark.parametrize("examine", [explain, audit])
def test_what_is_printed(examine):
    y = np.array(["no", "yes"])[(FIRST > 0).astype(int)]
    model = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    found = examine(model, X, y, null=39)
    assert isinstance(found.null, Null) and found.worth.shuffled.p_accuracy == 0.025
    text = " ".join(str(found).split())
    assert (
        "1 of 3 columns can be shown to help to predict new rows (p <= 0.05 after correction for 4;" in text
    )
    assert (
        "39 shufflings of the labels cannot show p < 0.025); the accuracy is beyond chance (p = 0.025)"
        in text
    )
    assert (
        "whether the column helps to predict new rows, corrected for the number of columns (fits of" in text
    )
    assert "libsvm in float64, not proved)" in text and "39 shufflings, each certified have" not in text
    assert "by libsvm in float64 and without proof: p = 0.025 for the accuracy" in " ".join(
        str(found.null).split()
    )
    first, *others = found.columns
    assert first["column"] == "x1" and first["p"] == 0.025 and all(row["p"] > 0.05 for row in others)
    assert found.worth.verdict == "worth reading" and "shuffled labels: " in found._repr_html_()
    assert found.plot("columns").axes[0].get_legend() is not None


def test_several_classes_share_the_level():
    points, species = load_iris(return_X_y=True)
    found = explain(make_pipeline(StandardScaler(), SVC()).fit(points, species), points, species, null=99)
    shuffled = found.worth.shuffled
    assert shuffled.shown == 4 and shuffled.level == pytest.approx(0.05 / 3)
    assert shuffled.p_accuracy == pytest.approx(0.03) and shuffled.different == 4
    assert set(found[0, 1].columns[0]) >= {"shuffled_low", "shuffled_high", "p"}


def test_the_rounding_of_a_constant_index_does_not_widen_the_bands():
    """The order of an additive model is 1 for all labels, but for rounding, which has a few huge z-values."""
    share = rng.uniform(0.4, 0.6, 99)
    rounding = np.full(99, 1.0)
    rounding[:20] -= np.linspace(1e-16, 3e-15, 20)
    alone = simultaneous_band({("total", 1): share})
    both = simultaneous_band({("total", 1): share, ("order", 1): rounding})
    assert both["total", 1] == pytest.approx(alone["total", 1], rel=1e-12)


def test_too_few_rows_are_refused():
    few, y = X[:9], np.array([1, 1, 1, -1, -1, -1, -1, -1, -1])
    with pytest.raises(BadParameter, match="null: the smaller class has fewer than 4 rows"):
        explain(OrcaSVC().fit(few, y), few, y, null=9)
    with pytest.raises(BadParameter, match="repeats"):
        explain(OrcaSVC().fit(X, XOR), X, XOR, null=0)


def test_a_level_that_falls_says_why_and_what_it_takes(monkeypatch):
    from orca_exact.sklearn import audit as auditing

    module = __import__("sys").modules["orca_exact.sklearn.audit"]
    model = SVC().fit(X, XOR)
    assert auditing(model, X, XOR, cv=None).notes == ()
    monkeypatch.setattr(module, "_certify_in_float64", lambda dual, solution: None)
    found = auditing(model, X, XOR, cv=None)
    why = "float64 does not prove the optimum, so that the optimum was computed in balls, which takes seconds"
    assert found.optimum.level == "ball" and found.notes == (why,)
