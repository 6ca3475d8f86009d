"""Several classes, weights, meta-estimators, and data that are not those of the fit."""

from __future__ import annotations

import re
import sys
import warnings

import numpy as np
import pytest
from flint import arb

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    GroupKFold,
    KFold,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, OneClassSVM

from orca_exact import Problem, certify, checker
from orca_exact.cost import ball_profile_cost
from orca_exact.errors import BadInput, BadParameter, Undecided, ZeroClassifier
from orca_exact.numbers.rationals import QQ, make_dyadic, precision_digits
from orca_exact.sklearn import Audit, Audits, OrcaSVC, OrthogonalPolynomialKernel, audit, cost, explain

K = OrthogonalPolynomialKernel(2)
IRIS = load_iris()
SOME = np.arange(0, 150, 3)
RAW, SPECIES = IRIS.data[SOME], IRIS.target_names[IRIS.target[SOME]].astype(object)
X = MinMaxScaler((-1, 1)).fit_transform(RAW)
TWO = SPECIES != "setosa"
X2, Y2 = X[TWO], SPECIES[TWO]
ORDER = np.random.default_rng(0).permutation(len(X2))
W = np.random.default_rng(3).uniform(0.2, 3, len(X))


def svm(**options):
    return SVC(kernel=K, **{"C": 2.0, "tol": 1e-6} | options)


def pipe(final):
    return make_pipeline(MinMaxScaler((-1, 1)), final)


def fitted_scores(found, binary):
    """Return g at the points of an audited problem, computed from libsvm's alpha."""
    problem = found.problem
    s = np.array([float(a) * label for a, label in zip(found.solution.alpha, problem.y, strict=True)])
    points = problem.points.astype(float)
    return binary(points, points) @ s + float(found.solution.b)


# Several classes and weights.


def test_three_classes_balanced_are_three_certified_problems():
    rows = SOME[:-10]  # unequal classes: balanced weights differ
    raw, y = IRIS.data[rows], SPECIES[:-10]
    model = pipe(svm(class_weight="balanced", decision_function_shape="ovo")).fit(raw, y)
    found = audit(model, raw, y)
    assert isinstance(found, Audits)
    assert list(found) == [("setosa", "versicolor"), ("setosa", "virginica"), ("versicolor", "virginica")]
    assert found["virginica", "setosa"] is found["setosa", "virginica"]
    scores = model.decision_function(raw)
    for column, (pair, part) in enumerate(found.items()):
        assert part.digits > 4 and part.optimum.digits >= 8
        assert part.problem.is_weighted == ("virginica" in pair)
        assert [y[row] for row in part.rows] == [pair[label > 0] for label in part.problem.y]
        # decision_function counts the first class of a pair as positive
        np.testing.assert_allclose(fitted_scores(part, K), -scores[part.rows, column], rtol=1e-9, atol=1e-9)
    worst = min(found.values(), key=lambda part: part.digits)
    assert found.digits == worst.digits and found.index_error >= worst.index_error
    assert len(found.summary()) == 3 and {"pair", "points", "OKC^(2)", "N*"} <= set(found.summary()[0])
    assert {"digits", "proved"} <= set(found.summary()[0])
    assert "libsvm digits  by gap alone" in str(found) and "by gap alone" in found._repr_html_()


def test_a_pair_of_classes_is_the_fit_of_those_two_alone():
    """Check the one-against-one problems of libsvm and the layout of dual_coef_."""
    found = audit(svm().fit(X, SPECIES), X, SPECIES)["versicolor", "virginica"]
    alone = audit(svm().fit(X2, Y2), X2, Y2)
    assert isinstance(alone, Audit)
    assert found.problem == alone.problem.replace(id=found.problem.id)
    assert all(a.overlaps(b) for a, b in zip(found.profile.order, alone.profile.order, strict=True))
    assert abs(float(found.solution.b - alone.solution.b)) < 1e-4


def test_the_certificate_of_a_weighted_pair_is_accepted_by_the_checker():
    model = svm(class_weight={"setosa": 3}).fit(X, SPECIES, W)
    part = audit(model, X, SPECIES, W)["setosa", "virginica"]
    assert part.problem.is_weighted
    assert checker.check(part.optimum.to_json())["level"] == "gap"  # level float is written as gap


@pytest.mark.parametrize("weights", [W, W * 1e-3, np.where(np.arange(len(X)) % 5, W, 0.0)])
def test_sample_weights_are_the_boxes(weights):
    found = audit(svm(class_weight={"virginica": 2.0}).fit(X, SPECIES, weights), X, SPECIES, weights)
    for part in found.values():
        expected = [2.0 * weights[row] * (1 + (SPECIES[row] == "virginica")) for row in part.rows]
        assert [float(C) for C in part.problem.bounds] == pytest.approx(expected, rel=1e-14)
        assert part.digits > 3
    assert any("weight 0" in note for note in part.notes) == (weights.min() == 0)


def test_a_class_with_one_point():
    y = np.where(np.arange(33) == 5, "alone", Y2)
    found = audit(svm().fit(X2, y), X2, y)
    assert sum(label < 0 for label in found["alone", "virginica"].problem.y) == 1 and found.digits > 4


def test_nu_svc_is_the_svc_with_its_c():
    nu = NuSVC(kernel=K, nu=0.2, tol=1e-8).fit(X2, Y2)
    found = audit(nu, X2, Y2)
    assert found.digits > 4 and "NuSVC with nu = 0.2" in found.notes[-1]
    assert len(found.optimum.bound) > 0
    same = svm(C=float(found.problem.C), tol=1e-8).fit(X2, Y2)
    np.testing.assert_allclose(same.decision_function(X2), nu.decision_function(X2), atol=1e-5)


def test_nu_svc_with_weights_and_three_classes():
    found = audit(
        NuSVC(kernel=K, nu=0.1, tol=1e-8, class_weight="balanced").fit(X, SPECIES, W), X, SPECIES, W
    )
    assert len(found) == 3 and found.digits > 4


def test_nu_svc_that_fitted_noise_is_named():
    rng = np.random.default_rng(0)
    points, y = rng.uniform(-1, 1, (40, 1)), rng.integers(0, 2, 40)  # not separable by a line
    model = NuSVC(kernel=OrthogonalPolynomialKernel(1), nu=0.5).fit(points, y)
    with pytest.raises(Undecided, match=r"nu: with 0\.5, w is 0 within the tolerance of libsvm"):
        audit(model, points, y)


# Meta-estimators: the audit is about the SVC inside and its own training data.

BINARY = {
    "pipeline": lambda: pipe(svm()),
    "nested": lambda: make_pipeline(StandardScaler(), Pipeline([("a", MinMaxScaler((-1, 1))), ("b", svm())])),
    "one step": lambda: make_pipeline(MinMaxScaler((-1, 1)), "passthrough", make_pipeline(svm())),
    "pca": lambda: make_pipeline(PCA(2), MinMaxScaler((-1, 1)), svm()),
    "columns": lambda: make_pipeline(
        ColumnTransformer([("petals", MinMaxScaler((-1, 1)), [2, 3])]), FunctionTransformer(), svm()
    ),
    "search": lambda: GridSearchCV(pipe(svm()), {"svc__kernel__n": [1, 3], "svc__C": [1, 4]}, cv=2),
    "random": lambda: RandomizedSearchCV(pipe(svm()), {"svc__kernel__n": [1, 2]}, n_iter=1, cv=2),
    "calibrated": lambda: CalibratedClassifierCV(pipe(svm()), ensemble=False, cv=2),
    "rest": lambda: OneVsRestClassifier(pipe(svm())),
    "estimator": lambda: OrcaSVC(2, C=2.0),
    "estimator in a search": lambda: GridSearchCV(OrcaSVC(2), {"n": [1, 2], "alpha": [0, "1/2"]}, cv=2),
}  # fmt: skip


@pytest.mark.parametrize("make", BINARY.values(), ids=BINARY)
def test_wrappers_of_two_classes(make):
    raw = RAW[TWO]
    model = make().fit(raw, Y2)
    found, shown = audit(model, raw, Y2), explain(model)
    assert isinstance(found, Audit)
    assert found.digits > 4
    assert set(found.key) <= {"versicolor", "virginica", "rest"}
    assert shown.profile.order == pytest.approx([float(x) for x in found.profile.order], abs=1e-4)
    with pytest.raises(BadInput):
        audit(model, raw[::-1], Y2)


def test_threshold_wrappers():
    y, tuned = Y2 == "virginica", {"cv": 2, "thresholds": 5}
    assert audit(FixedThresholdClassifier(svm()).fit(X2, y), X2, y).digits > 4
    assert audit(TunedThresholdClassifierCV(svm(), **tuned).fit(X2, y), X2, y).digits > 4
    part = TunedThresholdClassifierCV(svm(), **tuned | {"cv": 0.5, "refit": False}).fit(X2, y)
    with pytest.raises(BadParameter, match=r"with refit=False; pass model\.estimator_"):
        audit(part, X2, y)


def test_a_frozen_model_in_a_calibration():
    frozen = pytest.importorskip("sklearn.frozen")
    model = CalibratedClassifierCV(frozen.FrozenEstimator(svm().fit(X2, Y2))).fit(X2, Y2)
    assert audit(model, X2, Y2).digits > 4


def test_a_calibrated_ensemble_is_audited_fold_by_fold():
    model = CalibratedClassifierCV(pipe(svm()), cv=3).fit(RAW, SPECIES)
    found = audit(model, RAW, SPECIES)
    assert len(found) == 9
    part = found["fold 3", "virginica", "setosa"]
    assert part.problem.m < (SPECIES != "versicolor").sum() and part.digits > 4
    assert set(SPECIES[part.rows]) == {"setosa", "virginica"}
    assert len(str(found).splitlines()) <= 26
    assert len(explain(model)) == 9


@pytest.mark.parametrize("cv", [KFold(3, shuffle=True), GroupKFold(3), iter(list(KFold(3).split(X2)))])
def test_folds_that_cannot_be_made_again(cv):
    if isinstance(cv, GroupKFold):  # the folds depend on groups that the model does not store
        model = CalibratedClassifierCV(svm(), cv=KFold(3)).fit(X2[ORDER], Y2[ORDER]).set_params(cv=cv)
    else:
        model = CalibratedClassifierCV(svm(), cv=cv).fit(X2[ORDER], Y2[ORDER])
    with pytest.raises(BadParameter, match="does not store its folds"):
        audit(model, X2[ORDER], Y2[ORDER])
    assert len(explain(model)) == 3


def test_one_against_the_rest():
    model = OneVsRestClassifier(pipe(svm())).fit(RAW, SPECIES)
    found = audit(model, RAW, SPECIES)
    assert list(found) == [("rest", label) for label in ("setosa", "versicolor", "virginica")]
    part = found["versicolor", "rest"]
    assert part.problem.m == len(RAW)
    scores = model.decision_function(RAW)[:, 1]
    np.testing.assert_allclose(fitted_scores(part, K), scores, rtol=1e-9, atol=1e-9)


def test_one_against_one_by_a_wrapper_is_that_of_svc():
    wrapped = audit(OneVsOneClassifier(svm()).fit(X, SPECIES), X, SPECIES)
    own = audit(svm().fit(X, SPECIES), X, SPECIES)
    assert list(wrapped) == list(own)
    assert [part.problem.sha256 for part in wrapped.values()] == [
        part.problem.sha256 for part in own.values()
    ]


def test_columns_have_the_names_that_the_steps_give_them():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(RAW, columns=["sl", "sw", "pl", "pw"])
    petals = ColumnTransformer(
        [("petals", MinMaxScaler((-1, 1)), ["pw", "pl"])], verbose_feature_names_out=False
    )
    model = make_pipeline(petals, svm()).fit(frame, SPECIES)
    assert all(set(part.marginal) == {"pw", "pl"} for part in audit(model, frame, SPECIES).values())
    assert all(part.names == ("pw", "pl") for part in explain(model).values())
    own = OrcaSVC(2).fit(frame, SPECIES)
    assert own.explain()["setosa", "virginica"].names == ("sl", "sw", "pl", "pw")
    assert own.audit(frame, SPECIES)["setosa", "virginica"].names == ("sl", "sw", "pl", "pw")
    framed = pipe(svm()).set_output(transform="pandas").fit(frame, pandas.Series(SPECIES, dtype="category"))
    assert audit(framed, frame, pandas.Series(SPECIES)).digits > 3
    reduced = make_pipeline(PCA(2), MinMaxScaler((-1, 1)), svm()).fit(frame, SPECIES)
    assert explain(reduced)["setosa", "virginica"].names == ("pca0", "pca1")


@pytest.mark.parametrize("labels", [(0, 1, 2), (-1.0, 0.0, 7.0), ("a", "b", "c"), (2, 10, 30)])
def test_any_labels(labels):
    y = np.array(labels)[IRIS.target[SOME]]
    found = audit(svm().fit(X, y), X, y.tolist())
    assert list(found) == [(labels[0], labels[1]), (labels[0], labels[2]), (labels[1], labels[2])]


def test_true_and_false():
    y = SPECIES == "virginica"
    assert audit(svm().fit(X, y), X, y).key == (False, True)


@pytest.mark.parametrize(("load", "n", "columns"), [(load_wine, 1, 13), (load_breast_cancer, 2, 6)])
def test_other_data(load, n, columns):
    raw, y = load(return_X_y=True)
    raw, y = raw[::8, :columns], y[::8]
    model = OrcaSVC(n).fit(raw, y)
    found = model.audit(raw, y)
    assert found.digits > 4
    assert len(str(found).splitlines()) <= 24 and max(map(len, str(found).splitlines())) <= 130


# explain.


def test_explain_is_the_model_as_fitted_and_says_so():
    model = pipe(svm(tol=0.1)).fit(RAW, SPECIES)
    found, shown = audit(model, RAW, SPECIES), explain(model)
    assert "nothing is proved" in str(shown)
    for pair, part in shown.items():
        assert "nothing is proved" in " ".join(repr(part).split())
        own = [float(x) for x in found[pair].fitted_profile.order]
        assert part.profile.order == pytest.approx(own, abs=1e-12)
        assert part.marginal.keys() == found[pair].marginal.keys()
    assert found.index_error > 1e-6  # the fitted model is not the optimum


def test_explain_of_a_precomputed_kernel_needs_its_points():
    svc = svm().set_params(kernel="precomputed").fit(K(X2, X2), Y2)
    with pytest.raises(BadParameter, match="precomputed kernel does not store its points"):
        explain(svc, kernel=K)
    with pytest.raises(BadParameter, match="pass kernel="):
        explain(svc, X2)
    expected = explain(svm().fit(X2, Y2)).profile.order
    assert explain(svc, X2, kernel=K).profile.order == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("judge", [explain, lambda model: audit(model, X2, Y2)])
def test_a_constant_classifier_has_no_indices(judge):
    with pytest.raises(ZeroClassifier, match="versicolor against virginica: w = 0"):
        judge(SVC(kernel=OrthogonalPolynomialKernel(0)).fit(X2, Y2))


# Data that are not those of the fit.


def other(rows, change):
    changed = rows.copy()
    changed[7] = change(changed[7])
    return changed


NOT_THE_FIT = {
    "another row": (lambda: (svm(), None), lambda: (other(X2, lambda row: -row), Y2, None), r"X\[7\]: "),
    "a column": (lambda: (svm(), None), lambda: (X2[:, [1, 0, 2, 3]], Y2, None), r"X\[0\]: .*column 1"),
    "fewer rows": (lambda: (svm(), None), lambda: (X2[:-1], Y2[:-1], None), "X: 32 rows of 4"),
    "fewer columns": (lambda: (svm(), None), lambda: (X2[:, :3], Y2, None), "do not match the 33 rows of 4"),
    "shuffled labels": (
        lambda: (svm(), None),
        lambda: (X2, np.random.default_rng(0).permutation(Y2), None),
        r"y\[\d+\]: .* was .* in the fit",
    ),
    "forgotten weights": (lambda: (svm(), W[TWO]), lambda: (X2, Y2, None), r"\[\d+\]: "),
    "weights up to 1": (lambda: (svm(), W[TWO] / 3), lambda: (X2, Y2, None), r"\[\d+\]: .* label or weight"),
    "weights not used": (lambda: (svm(), None), lambda: (X2, Y2, W[TWO]), r"\[\d+\]: "),
    "zero weights forgotten": (
        lambda: (svm(), np.arange(33) % 2), lambda: (X2, Y2, None), r"\[\d+\]: ",
    ),
    "nu, weights forgotten": (
        lambda: (NuSVC(kernel=K, nu=0.2, tol=1e-6), W[TWO]), lambda: (X2, Y2, None), r"\[\d+\]: ",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("make", "given", "message"), NOT_THE_FIT.values(), ids=NOT_THE_FIT)
def test_data_that_are_not_those_of_the_fit_are_noticed(make, given, message):
    model, weights = make()
    with pytest.raises(BadParameter, match=message) as error:
        audit(model.fit(X2, Y2, weights), *given())
    assert "pass" in str(error.value) and "libsvm: 0.0" not in str(error.value)


@pytest.mark.parametrize("row", range(0, 33, 4))
def test_one_label_is_noticed_whether_it_supports_or_not(row):
    y = Y2.copy()
    y[row] = "versicolor" if y[row] == "virginica" else "virginica"
    with pytest.raises(BadParameter, match=rf"\[{row}\]:"):
        audit(svm().fit(X2, Y2), X2, y)


def test_without_the_points_of_the_fit_its_optimality_tells():
    """A precomputed kernel stores no points, but the solution is not optimal for other points."""
    svc = svm().set_params(kernel="precomputed").fit(K(X2, X2), Y2)
    assert audit(svc, X2, Y2, kernel=K).digits > 3
    for given, kernel in ((other(X2, lambda row: -row), K), (X2, OrthogonalPolynomialKernel(3))):
        with pytest.raises(BadParameter, match=r"optimality is violated by .* more than libsvm's tol"):
            audit(svc, given, Y2, kernel=kernel)


def test_another_c_or_kernel_after_the_fit_is_noticed():
    for changes in ({"C": 0.1}, {"C": 20.0}, {"kernel__n": 3}):
        model = clone(svm()).fit(X2, Y2)  # its own kernel
        with pytest.raises(BadParameter, match="do not change C and kernel after it"):
            audit(model.set_params(**changes), X2, Y2)


def test_libsvm_stopped_early_is_a_note_and_not_an_accusation():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = svm(max_iter=3).fit(X2, Y2)
    found = audit(model, X2, Y2)
    assert "max_iter" in found.notes[-1] and found.digits < 2
    assert "only the labels and weights of support vectors could be checked" in found.notes[-1]
    assert "stopped at max_iter" in str(explain(model))


def test_notes_stand_once_below_the_table():
    weights = np.where(np.arange(len(X)) % 5, 1.0, 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = svm(max_iter=5).fit(X, SPECIES, weights)
    told = str(audit(model, X, SPECIES, weights))
    assert told.count("10 rows of weight 0 were left out") == told.count("libsvm stopped at max_iter") == 1
    nu = str(audit(NuSVC(kernel=K, nu=0.1, tol=1e-8).fit(X, SPECIES), X, SPECIES))
    assert (
        nu.count("against virginica: NuSVC with nu = 0.1 is equivalent to the SVC with C =") == 2
    )  # each its own C


def test_explain_says_that_rows_of_weight_0_moved_the_support_vectors():
    """With a callable kernel scikit-learn picks wrong support vectors if rows of weight 0 were dropped."""
    weights = np.where(np.arange(len(X)) % 3, 1.0, 0.0)
    for make in (SVC(kernel=K), NuSVC(kernel=K, nu=0.1)):
        with pytest.warns(UserWarning, match="not the support vectors that libsvm found: y g"):
            found = explain(make.fit(X, SPECIES == "setosa", weights))
        assert "fit without these" in str(found)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for model in (svm(), SVC(kernel=K, tol=0.1), NuSVC(kernel=K, nu=0.2)):
            assert not any(part.notes for part in explain(model.fit(X, SPECIES, W)).values())


def test_a_pair_without_indices_does_not_hide_the_others():
    points, y = np.array([[0], [0], [0.5], [0.5], [0.9], [0.8]]), [0, 1, 0, 1, 2, 2]
    model = SVC(kernel=OrthogonalPolynomialKernel(1)).fit(points, y)
    for found in (explain(model), audit(model, points, y)):
        assert list(found) == [(0, 2), (1, 2)] and list(found.undefined) == [(0, 1)]
        assert found.summary()[-1] == {"pair": "0 against 1", "N*": "undefined"}
        assert "0 against 1: w = 0" in str(found)
    profiles = OrcaSVC(1).fit(points, y).profile_
    assert profiles[0, 1] is None and profiles[0, 2].peak == 1


def grid(seed, rows=18, labels=3):
    """Return points of a small grid with random labels: many pairs have w = 0."""
    rng = np.random.default_rng(seed)
    return rng.integers(-2, 3, (rows, 2)) / 2.5, rng.integers(0, labels, rows)


def test_a_pair_with_w_0_does_not_stop_an_audit():
    """The w of libsvm is only nearly 0; over the rationals the w of the optimum is proved to be 0."""
    one, two = grid(1)[0], grid(2, rows=6)[0]
    points, y = np.concatenate([one, one, two]), np.repeat([0, 1, 2], [18, 18, 6])
    model = SVC(kernel=OrthogonalPolynomialKernel(2), C=0.7).fit(points, y)
    found = audit(model, points, y)
    assert list(found) == [(0, 2), (1, 2)] and "w = 0" in found.undefined[0, 1] and not found.undecided
    points, y = grid(4)
    found = audit(NuSVC(kernel=OrthogonalPolynomialKernel(1), nu=0.3).fit(points, y), points, y)
    assert "nu: with 0.3, w is 0 within" in found.undecided[0, 1] and (0, 1) not in found
    assert {"pair": "0 against 1", "N*": "undecided"} in found.summary()


def test_explain_does_not_call_a_small_w_0():
    """The positive ||w||^2 = 1.7e-14 is not called 0: it is undecided within rounding errors."""
    points, y = np.array([[-0.5], [0.5], [-0.5 + 2.0**-24], [0.5]]), [0, 0, 1, 1]
    model = SVC(kernel=OrthogonalPolynomialKernel(1), C=1).fit(points, y)
    assert audit(model, points, y).profile.norm2 > 0
    with pytest.raises(Undecided, match=r"w cannot be distinguished from 0 in float64: \|\|w\|\|\^2 is"):
        explain(model)


def test_explain_notes_changed_coefficients():
    model = svm().fit(X2, Y2)
    assert not explain(model).notes
    model._dual_coef_ = model.dual_coef_ = model.dual_coef_ * 0.9
    with pytest.warns(UserWarning, match="may not be the coefficients that libsvm found: y g"):
        found = explain(model)
    assert "was changed after the fit" in str(found)


def test_audit_says_which_weights_are_verified():
    weights = np.linspace(1, 2, len(X2))
    found = audit(svm().fit(X2, Y2, weights), X2, Y2, weights)
    other = np.where(np.isin(np.arange(len(X2)), svm().fit(X2, Y2, weights).support_), weights, 9.0)
    again = audit(svm().fit(X2, Y2, weights), X2, Y2, other)  # not detected, but the optimum is the same
    assert "weights are verified where alpha is at its bound" in str(found) and str(again) == str(found)
    assert "weights are verified" not in str(audit(svm().fit(X2, Y2), X2, Y2))


def test_printed_bounds_are_rounded_up_and_digits_down():
    for seed in range(40):
        points, y = grid(seed, rows=8, labels=2)
        try:
            tol = 10.0 ** np.random.default_rng(seed).uniform(-6, -2)
            found = audit(SVC(kernel=OrthogonalPolynomialKernel(2), C=2, tol=tol).fit(points, y), points, y)
        except (Undecided, ZeroClassifier):
            continue
        digits, bound = (
            QQ(re.search(pattern, str(found))[1])
            for pattern in (r"libsvm: (\S+) digits", r"correct to within (\S+)")
        )
        assert found.summary_row()["indices within"] == str(found).split("to within ")[1].split("\n")[0]
        with precision_digits(80):
            relative = arb(found.distance.upper()) / arb(found.optimum.norm_lower_bound.lower())
            assert bound == 0 == relative or not arb(bound) < relative.asin()
            assert digits == 99 or arb(10) ** arb(-digits) >= relative or digits == 0
            page = re.search(r"gap, at most</td><td>([^<]+)<", found.gap._repr_html_())[1]
            assert QQ(page) >= make_dyadic(*map(int, found.gap.gap.upper().man_exp()))


def test_libsvm_that_did_nothing_is_said():
    model = SVC(kernel=K, tol=10).fit(X, SPECIES)
    for judge in (explain, lambda model: audit(model, X, SPECIES)):
        with pytest.raises(BadParameter, match="libsvm made no progress; fit with tol < 2, not 10"):
            judge(model)


def test_a_table_shows_the_orders_with_mass_and_the_rest():
    rng = np.random.default_rng(0)
    found = explain(OrcaSVC(2, None).fit(rng.uniform(-1, 1, (30, 20)), np.arange(30) % 3))
    _, _, kernel, *table = str(found).splitlines()
    assert kernel == f"20 columns, n = 2, (alpha, beta) = (0, 0): {3**20} modes"
    header, *rows = (line.split() for line in table[: table.index("columns, means over the pairs:")])
    shown = header[2:-4]
    assert header[-4:] == ["rest", "N*", "largest", "total"] and len(shown) == 5 and "OKC^(0)" not in shown
    for row, full in zip(rows, found.summary(), strict=True):
        *_, rest, _, leading, total = row
        assert sum(map(float, row[-9:-3])) == pytest.approx(1, abs=1e-3)
        assert float(rest) == pytest.approx(1 - sum(full[q] for q in shown), abs=1e-3)
        assert float(total) == round(full[f"total_{leading}"], 4)
    assert "rest" not in str(explain(svm().fit(X, SPECIES)))  # all orders are shown


def test_the_columns_are_printed_by_their_total_index():
    model = OrcaSVC().fit(X2, Y2)
    for found in (explain(model), model.audit(X2, Y2)):
        lines = str(found).splitlines()
        assert "4 columns, n = 2, (alpha, beta) = (0, 0), order at most 2: 33 modes" in str(found)
        table = [line.split() for line in lines[lines.index(next(x for x in lines if x[:6] == "column")) :]]
        assert table[0] == ["column", "total", "Shapley", "marginal"]
        printed = {row[0]: [float(x) for x in row[1:]] for row in table[1:5]}
        assert list(printed) == sorted(printed, key=lambda name: -printed[name][0]) and len(printed) == 4
        for name, values in printed.items():
            families = (found.total, found.shapley, found.marginal)
            assert values == pytest.approx([float(family[name]) for family in families], abs=1e-6)
        assert [row[0] for row in table[5:7]] == ["OKC^(1)", "OKC^(2)"]
        assert "OKC^(0)" not in str(found) and "OKC^(3)" not in str(found)


def test_many_columns_are_printed_as_the_leading_ones():
    rng = np.random.default_rng(0)
    points = rng.uniform(-1, 1, (90, 14))
    y = points[:, 3] * points[:, 5] > 0
    model = OrcaSVC(C=0.1).fit(points, y)
    for found in (explain(model), model.audit(points, y)):
        text = str(found)
        rows = [line for line in text.splitlines() if line.startswith("x")]
        assert len(rows) == 10 and {"x4", "x6"} == {row.split()[0] for row in rows[:2]}
        bound = float(re.search(r"and 4 more columns, each with a total of at most (\S+)", text)[1])
        assert bound >= sorted(map(float, found.total.values()))[3] >= 0.9 * bound
        assert "0.000000" not in text and "±" not in text
    one_column = np.where(np.arange(14) == 3, points, 0.25)  # the others are constant
    assert "and 13 more columns, each with a total of at most 0" in str(explain(OrcaSVC().fit(one_column, y)))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_models_of_limited_order_of_every_kind(order):
    K = OrthogonalPolynomialKernel(2, order=order)
    models = {
        "three classes": (SVC(kernel=K, C=3, tol=1e-8), X, SPECIES, None),
        "weights": (SVC(kernel=K, C=3, tol=1e-8), X2, Y2, 1.0 + np.arange(33) % 4),
        "nu": (NuSVC(kernel=K, nu=0.2, tol=1e-8), X2, Y2, None),
        "pipeline": (pipe(SVC(kernel=K, C=3, tol=1e-8)), X2, Y2, None),
        "search": (GridSearchCV(OrcaSVC(order=order), {"C": [1, 3]}, cv=2), X2, Y2, None),
        "rest": (OneVsRestClassifier(SVC(kernel=K, C=3, tol=1e-8)), X, SPECIES, None),
    }
    for name, (model, points, y, weights) in models.items():
        model.fit(points, y) if weights is None else model.fit(points, y, weights)
        certified, fitted = audit(model, points, y, weights), explain(model)
        pairs = certified.values() if hasattr(certified, "undefined") else [certified]
        assert certified.digits > 3, name
        for part in pairs:
            own = fitted if fitted is not None and not hasattr(fitted, "undefined") else fitted[part.key]
            assert part.problem.kernel.modes.order == order, name
            assert all(float(x) < 1e-12 for x in part.profile.order[order + 1 :])
            for index in ("order", "total", "shapley", "marginal"):
                values = [float(x) for x in part.family(index).values()]
                assert list(own.family(index).values()) == pytest.approx(values, abs=1e-3), (name, index)
            if order == 1:  # an additive model: every share of a column is its own
                assert all(abs(part.total[j] - part.marginal[j]) < 1e-9 for j in part.names)


def test_studies_of_a_model_of_limited_order():
    from orca_exact import studies

    problem = OrcaSVC().fit(X2, Y2).audit(X2, Y2).problem
    for study in (
        studies.null(problem, repeats=3),
        studies.bootstrap(problem, repeats=3),
        studies.noise(problem, "1/100", repeats=2),
    ):
        assert study.to_json()["problem"]["kernel"].endswith("order at most 2")
        assert study["order", 3]["observed"] == 0 < study["order", 2]["observed"]
    assert studies.sweep(problem, n=[1, 2]).rows()[1]["modes"] == 33
    assert studies.overfit(problem, n=[1, 2], folds=2, repeats=1).rows()[0]["order_3"] == 0


def test_another_kernel_than_that_of_the_fit_is_refused():
    model = svm().fit(X2, Y2)
    for judge in (lambda **kernel: audit(model, X2, Y2, **kernel), lambda **kernel: explain(model, **kernel)):
        for other in (OrthogonalPolynomialKernel(3), "rbf", OrthogonalPolynomialKernel):
            with pytest.raises(BadParameter, match=r"is not Orth\w+\(n=2\), the kernel of the fit"):
                judge(kernel=other)
        assert judge(kernel=OrthogonalPolynomialKernel(2)).profile.peak


def test_a_search_over_several_metrics_without_refit():
    metrics = ["accuracy", "f1_macro"]
    model = GridSearchCV(svm(), {"C": [1, 2]}, scoring=metrics, refit=False, cv=2).fit(X2, Y2)
    with pytest.raises(BadParameter, match=r"\*\*search\.cv_results_\['params'\]\[k\]\)\.fit"):
        audit(model, X2, Y2)
    chosen = clone(model.estimator).set_params(**model.cv_results_["params"][1]).fit(X2, Y2)
    assert audit(chosen, X2, Y2).problem.C == 2


def test_single_precision_is_named_where_the_points_differ_by_it():
    with pytest.raises(
        BadParameter, match=r"0\.2121212184\d+ .* 0\.2121212121\d+ in the fit; .* was float32"
    ):
        audit(svm().fit(X2, Y2), X2.astype(np.float32), Y2)


def test_a_negative_weight_is_named_by_its_own_row():
    weights = np.ones(33)
    weights[7] = -1
    with pytest.raises(BadParameter, match=r"sample_weight\[7\]: -1\.0 is negative; pass 0"):
        audit(svm().fit(X2, Y2), X2, Y2, weights)


def test_a_gap_that_proves_no_digit_is_a_sentence():
    told = str(audit(svm(tol=1.0).fit(X2, Y2), X2, Y2))
    assert "; by its duality gap, no digit of w is proved: ||w - w*|| is at most " in told


# Errors for models that cannot be audited.

search = lambda refit: GridSearchCV(pipe(svm()), {"svc__C": [1, 2]}, refit=refit, cv=2)  # noqa: E731
REFUSED = {
    "SVR": (lambda: SVR().fit(X2, np.arange(33)), "SVR is a regression"),
    "OneClassSVM": (lambda: OneClassSVM().fit(X2), "OneClassSVM has one class"),
    "LinearSVC": (lambda: LinearSVC().fit(X2, Y2), r"squared hinge .*; fit SVC\(kernel='linear'\)"),
    "sigmoid": (lambda: SVC(kernel="sigmoid").fit(X2, Y2), "'sigmoid' is not positive definite"),
    "a function": (lambda: SVC(kernel=rbf_kernel).fit(X2, Y2), "kernel: rbf_kernel is not a kernel of"),
    "sparse": (lambda: SVC().fit(csr_array(X2), Y2), r"was fitted to a sparse matrix; fit it to X\.toarray"),
    "gamma 0": (lambda: SVC(gamma=0.0).fit(X2, Y2), "gamma: 0 is not positive"),
    "coef0": (lambda: SVC(kernel="poly", coef0=-1).fit(X2, Y2), "coef0: -1 is negative, so that the kernel"),
    "degree 0": (lambda: SVC(kernel="poly", degree=0).fit(X2, Y2), "degree: 0 is not an integer"),
    "other model": (lambda: LogisticRegression().fit(X2, Y2), "LogisticRegression is not an SVC"),
    "search without refit": (lambda: search(False).fit(X2, Y2), "was fitted with refit=False; pass clone"),
    "bagging": (lambda: BaggingClassifier(svm(), 2).fit(X2, Y2), "is an ensemble; pass one of"),
    "not fitted": (lambda: svm(), "SVC is not fitted; call its fit"),
    "search not fitted": (lambda: search(True), "GridSearchCV is not fitted"),
    "pipeline not fitted": (lambda: pipe(svm()), "is not fitted"),
    "estimator not fitted": (lambda: OrcaSVC(2), "OrcaSVC is not fitted"),
    "a class": (lambda: SVC, "SVC is a class; pass a fitted model"),
    "nothing": (lambda: None, "NoneType is not an SVC"),
    "infinite C": (lambda: svm(C=np.inf).fit(X2, Y2), "fit with a finite positive C"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_audited_is_named(make, message):
    with pytest.raises(BadParameter, match=message) as error:
        audit(make(), X2, Y2)
    text = str(error.value)
    assert "\n" not in text and "hex" not in text and "JSON" not in text
    assert "fitted; call" not in text or "is not fitted" in text


def bad_inputs():
    nan = X2.copy()
    nan[3, 1] = np.nan
    words = X2.astype(object)
    words[0, 0] = "hex"
    yield from ([None, Y2], [[], []], [X2, None], [X2, 3], [X2[0], Y2], [X2[0, 0], Y2], ["text", Y2])
    yield from ([nan, Y2], [np.where(np.isnan(nan), np.inf, X2), Y2], [words, Y2], [csr_array(X2), Y2])
    yield from ([X2, np.eye(33)], [X2, Y2[:, None][:, [0, 0]]], [X2, ["no"] * 33], [X2, np.full(33, np.nan)])
    yield from ([X2, Y2, w] for w in (np.zeros(33), -W[TWO], W[:5], [np.nan] * 33, "text", [[1]] * 33, {}))
    yield from ([X2, Y2, [np.inf] * 33], [X2[:, :, None], Y2], [{}, Y2], [X2, {}], [X2.tolist()[:-1], Y2])


@pytest.mark.parametrize("model", [svm(), pipe(svm()), OrcaSVC(2)], ids=lambda model: type(model).__name__)
def test_bad_input_is_one_line(model):
    model.fit(X2, Y2)
    for given in bad_inputs():
        with pytest.raises(BadInput) as error:
            audit(model, *given)
        text = str(error.value)
        assert "\n" not in text and "hex float" not in text and len(text) < 300, text


def test_a_column_vector_of_labels_and_lists_are_what_fit_got():
    model = svm().fit(X2, Y2)
    assert audit(model, X2.tolist(), Y2[:, None]).problem == audit(model, X2, list(Y2)).problem


# Progress and cost.


def test_verbose_reports_each_problem(capsys):
    audit(svm().fit(X, SPECIES), X, SPECIES, verbose=1)
    told = capsys.readouterr()
    assert told.out == "" and "3 of 3, versicolor against virginica: 33 points" in told.err
    audit(svm().fit(X2, Y2), X2, Y2)
    assert capsys.readouterr().err == ""


def test_what_takes_long_is_said_before_it_starts(monkeypatch):
    model = svm().fit(X, SPECIES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        audit(model, X, SPECIES)
    monkeypatch.setattr(cost, "MINUTE", 1e-6)
    monkeypatch.setattr(
        sys.modules["orca_exact.sklearn.audit"], "VerifiedDual", None
    )  # the warning comes before any work
    with (
        pytest.warns(UserWarning, match="about 0 min .*3 problems, the largest with"),
        pytest.raises(TypeError),
    ):
        audit(model, X, SPECIES)


def test_the_estimate_grows_with_everything():
    problem = audit(svm().fit(X2, Y2), X2, Y2).problem
    base = ball_profile_cost(problem, 20, 10)
    larger = [ball_profile_cost(problem.replace(n=9), 20, 10), ball_profile_cost(problem, 30, 10)]
    assert all(x.seconds > base.seconds and x.memory >= base.memory for x in larger)


def test_the_estimate_of_wide_problems():
    rng = np.random.default_rng(0)
    wide = Problem(rng.uniform(-1, 1, (27, 64)), [1] * 13 + [-1] * 14, 2, 0, 0)
    assert 5 < ball_profile_cost(wide, 27, 27)[0] < 20  # measured: 9.6 s
    assert 0.5 < ball_profile_cost(wide.replace(n=1), 27, 27)[0] < 2.5  # 1.2 s


def test_the_audited_problem_is_a_problem_like_any_other():
    part = audit(svm(C=0.5).fit(X, SPECIES), X, SPECIES)["setosa", "versicolor"]
    exact = certify(part.problem, level="exact")
    assert part.optimum.bound == exact.bound and part.optimum.free == exact.free


@pytest.mark.parametrize(
    ("field", "change", "says"),
    [
        ("dual_coef_", lambda x: -x, "dual_coef_: .* has the sign of the other class"),
        ("intercept_", lambda x: x + 5, "intercept_: .* is off by 5"),
        ("intercept_", lambda x: -x, "intercept_: .* is off by"),
    ],
)
def test_audit_notices_a_changed_model(field, change, says):
    generator = np.random.default_rng(0)
    X = generator.integers(-9, 10, (12, 2)) / 10
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    model = SVC(kernel=OrthogonalPolynomialKernel(n=2), C=1, tol=1e-8).fit(X, y)
    audit(model, X, y)
    for name in (field, f"_{field}"):
        setattr(model, name, change(getattr(model, name)))
    with pytest.raises(BadParameter, match=says):
        audit(model, X, y)
