"""Only the data of the fit are accepted: rows, order, labels, weights and precision."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC, NuSVC

from orca_exact import QQ
from orca_exact.errors import BadParameter
from orca_exact.measures.probability import Normal, Uniform
from orca_exact.sklearn import OrcaSVC, audit, explain

M, D = 30, 4
RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(M, D))
Y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * RANDOM.normal(size=M) > 0, "yes", "no")
THREE = np.where(X[:, 3] > 0.5, "maybe", Y)
FOREIGN = RANDOM.normal(size=(M, D)) + 5
MODELS = {
    "rbf": lambda: SVC(C=3),
    "linear": lambda: SVC(kernel="linear", C=3),
    "nu": lambda: NuSVC(nu=0.4),
    "scaled": lambda: make_pipeline(StandardScaler(), SVC(C=3)),
    "components": lambda: make_pipeline(StandardScaler(), PCA(svd_solver="full"), SVC(C=3)),
    "chosen": lambda: make_pipeline(StandardScaler(), SelectKBest(k=3), SVC(C=3)),
    "orca": lambda: OrcaSVC(n=2, C=10),
    "rest": lambda: OneVsRestClassifier(SVC(C=3)),
}


def each_way(model, X_, y_):
    """Return the calls that are given the data."""
    return (lambda: audit(model, X_, y_, cv=None), lambda: explain(model, X_, y_, cv=None))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("scale", [1e-10, 10.0])
def test_reordered_rows_are_refused_whatever_their_size(name, scale):
    points = X * scale
    model = MODELS[name]().fit(points, Y)
    explain(model, points, Y, cv=None)
    order = np.roll(np.arange(M), 1)
    for call in each_way(model, points[order], Y[order]):
        with pytest.raises(BadParameter, match=r"pass the rows of the fit in the same order|y\[\d+\]"):
            call()


@pytest.mark.parametrize("name", MODELS)
def test_more_and_fewer_rows_are_refused(name):
    model = MODELS[name]().fit(X, Y)
    more, labels = np.vstack([X, FOREIGN]), np.concatenate([Y, Y])
    for points, y in ((more, labels), (X[:-1], Y[:-1])):
        for call in (*each_way(model, points, y), lambda points=points: explain(model, points)):
            with pytest.raises(BadParameter, match=rf"{len(points)} rows .* do not match the {M} rows"):
                call()


def test_a_refusal_says_what_the_model_keeps():
    model = SVC(C=3).fit(X, Y)
    row = int(model.support_[0])
    changed = X.copy()
    changed[row, 2] += 1e-6
    kept = rf"keeps only its support vectors \({len(model.support_)} of {M} rows\), so that no other rows"
    for call in each_way(model, changed, Y):
        with pytest.raises(BadParameter, match=rf"X\[{row}\]: .*column 3 .*{kept}"):
            call()


def test_labels_of_balanced_classes_are_counted():
    model = SVC(C=3, class_weight="balanced").fit(X, Y)
    audit(model, X, Y, cv=None)
    free = np.setdiff1d(np.arange(M), model.support_)
    changed = Y.copy()
    changed[free[0]] = "no" if Y[free[0]] == "yes" else "yes"
    for call in each_way(model, X, changed):
        with pytest.raises(BadParameter, match=r"y: \d+ rows of the class 'no' were \d+ in the fit"):
            call()


def test_explain_compares_the_labels():
    model = SVC(C=3).fit(X, Y)
    with pytest.raises(BadParameter, match=r"y\[\d+\]: .* in the fit"):
        explain(model, X, Y[::-1], cv=None)


@pytest.mark.parametrize(
    ("solver", "dtype"), [("full", np.float32), ("full", np.float64), ("auto", np.float32)]
)
@pytest.mark.parametrize("offset", [0, 100])
def test_pipelines_in_single_precision_accept_their_own_data(solver, dtype, offset):
    points = np.hstack([X, X[:, :1]]).astype(dtype) + dtype(offset)  # the last component is rounding only
    model = make_pipeline(StandardScaler(), PCA(svd_solver=solver), SVC(C=3)).fit(points, Y)
    audit(model, points, Y, cv=None)
    explain(model, points, Y, cv=None)
    order = np.roll(np.arange(M), 1)
    for call in each_way(model, points[order], Y[order]):
        with pytest.raises(BadParameter, match="in the fit"):
            call()


@pytest.mark.parametrize("size", [1e-7, 1e-3])
def test_columns_are_compared_each_in_its_own_scale(size):
    """A column of small numbers beside large ones is compared too, also in single precision."""
    points = (X * [1, 1, 1, size]).astype(np.float32)
    for steps in ([], [StandardScaler()], [MinMaxScaler()]):
        model = make_pipeline(*steps, SVC(C=3)).fit(points, Y)
        explain(model, points, Y, cv=None)
        changed = points.copy()
        changed[:, 3] = np.roll(changed[:, 3], 1)
        for call in each_way(model, changed, Y):
            with pytest.raises(BadParameter, match=r"column 4 as seen|column x?\w+ as seen"):
                call()


def test_data_of_another_precision_are_named():
    for steps in ([], [StandardScaler()]):
        model = make_pipeline(*steps, SVC(C=3)).fit(X, Y)
        with pytest.raises(BadParameter, match="one of the two was float32"):
            audit(model, X.astype(np.float32), Y, cv=None)


def test_without_X_the_support_vectors_are_taken_and_nothing_is_proved():
    model = SVC(C=3).fit(X, Y)
    found, whole = explain(model), explain(model, X, Y, cv=None)
    note = f"no X was given: the measure of the indices is that of the {len(model.support_)} support vectors"
    assert any(x.startswith(note) for x in found.notes) and note in str(found) and note in found._repr_html_()
    assert not any("no X was given" in x for x in whole.notes)
    assert found.profile.order != whole.profile.order
    points = model.support_vectors_
    direct = explain(SVC(C=3, gamma=model._gamma).fit(X, Y), under=Normal())
    assert not direct.notes
    assert explain(model, under=Uniform()).problem.under[0].lower == QQ(min(points[:, 0]))
    for part in explain(SVC(C=3).fit(X, THREE)).values():
        assert "no X was given" in part.notes[0]


@pytest.mark.parametrize(("given", "missing"), [((None, Y), "X"), ((X, None), "y"), ((None, None), "X")])
def test_a_proof_needs_the_rows(given, missing):
    model = SVC(C=3).fit(X, Y)
    with pytest.raises(BadParameter, match=rf"{missing}: None was passed, but a proof is about all rows"):
        audit(model, *given)


def test_labels_without_rows_are_refused():
    with pytest.raises(BadParameter, match="X: None was passed together with y"):
        explain(SVC(C=3).fit(X, Y), None, Y)
