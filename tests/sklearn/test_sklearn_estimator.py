"""The parameters and domain of the kernel, and scikit-learn's estimator checks for OrcaSVC."""

from __future__ import annotations

import json
import pickle
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from orca_exact import Discrete, Hermite, Laguerre
from orca_exact.errors import BadInput, BadParameter, ZeroClassifier
from orca_exact.numbers.rationals import QQ
from orca_exact.sklearn import OrcaSVC, OrthogonalPolynomialKernel, audit, explain

RAW, Y = load_iris(return_X_y=True)
RAW, Y = RAW[::3], Y[::3]
X = MinMaxScaler((-1, 1)).fit_transform(RAW)


@parametrize_with_checks([OrcaSVC(), OrcaSVC(3, None, 3, alpha="1/2"), OrcaSVC(order=1)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# The kernel.


def test_a_grid_search_reaches_the_kernel():
    pipe = make_pipeline(MinMaxScaler((-1, 1), clip=True), SVC(kernel=OrthogonalPolynomialKernel(1)))
    grid = {"svc__kernel__n": [1, 2, 4], "svc__kernel__alpha": [0, "1/2"]}
    search = GridSearchCV(pipe, grid, cv=3, error_score="raise").fit(RAW, Y)
    assert search.best_estimator_[-1].kernel.n == search.best_params_["svc__kernel__n"]
    assert np.ptp(search.cv_results_["mean_test_score"]) > 0  # the scores depend on the degree
    assert pipe[-1].kernel.n == 1


def test_kernel_parameters():
    K = OrthogonalPolynomialKernel(3, beta="1/2")
    assert K.get_params() == {"n": 3, "alpha": 0, "beta": "1/2", "measures": None, "order": None}
    copy = clone(K)
    assert copy is not K and copy.get_params() == K.get_params()
    assert copy.set_params(n=4).n == 4 and K.n == 3
    SVC(kernel=K).fit(X, Y)
    assert len(pickle.dumps(K)) < 300  # it stores nothing of a fit
    assert pickle.loads(pickle.dumps(K)).get_params() == K.get_params()


NONSENSE = [
    {"n": -1}, {"n": 2.5}, {"n": True}, {"n": "3"}, {"n": None}, {"n": 10**9}, {"n": [3, -1]},
    {"alpha": -1}, {"alpha": "x"}, {"alpha": float("nan")}, {"alpha": 10**6}, {"alpha": None}, {"beta": "-1"},
    {"beta": float("inf")}, {"beta": [0]}, {"n": []}, {"n": np.array([2, 0.5])}, {"n": np.zeros((2, 2), int)},
    {"order": 0}, {"order": -1}, {"order": 1.5}, {"order": "2"}, {"order": True}, {"order": [1]},
]  # fmt: skip


@pytest.mark.parametrize("params", NONSENSE, ids=str)
def test_nonsense_is_refused_when_made(params):
    K = OrthogonalPolynomialKernel(2)
    for make in (lambda: OrthogonalPolynomialKernel(**{"n": 2} | params), lambda: K.set_params(**params)):
        with pytest.raises(BadInput, match=next(iter(params))) as error:
            make()
        assert "\n" not in str(error.value) and "hex" not in str(error.value)
    assert K.get_params() == {"n": 2, "alpha": 0, "beta": 0, "measures": None, "order": None}  # unchanged
    with pytest.raises(BadInput):
        OrcaSVC(**params).fit(X, Y)


def test_a_prediction_outside_the_domain_warns_with_column_and_value():
    svc = SVC(kernel=OrthogonalPolynomialKernel(5)).fit(X, Y)
    far = X[:3].copy()
    far[1, 2] = 40.0
    with pytest.warns(UserWarning, match=r"X\[1\]\[2\]: 40 lies outside \[-1, 1\]"):
        svc.decision_function(far)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svc.decision_function(np.nextafter(X, 2))  # rounding errors do not warn
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    with pytest.warns(UserWarning, match=r"X\[1\], column pl: 40 lies"):
        svc.predict(pandas.DataFrame(far, columns=["sl", "sw", "pl", "pw"]))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.where(X.max() == X, np.nan, X), r"X\[\d+\]\[\d\]: nan is not"),
        (X * 2, "lies outside"),
        (X[0], "is not a table"),
        (X[:0], "is not a table"),
        ([["a"]], "table of numbers"),
    ],
)
def test_a_kernel_of_what_is_no_point(given, message):
    with pytest.raises(BadParameter, match=message):
        OrthogonalPolynomialKernel(2)(given, given)


def test_a_kernel_of_a_sparse_matrix():
    from scipy.sparse import csr_array

    with pytest.raises(BadParameter, match=r"csr_array is sparse; pass X.toarray\(\)"):
        SVC(kernel=OrthogonalPolynomialKernel(2)).fit(csr_array(X), Y)


def test_a_measure_for_each_column_brings_its_domain():
    K = OrthogonalPolynomialKernel([2, 1], measures=[Hermite(), Laguerre(0)])
    points, y = RAW[:, 2:], Y == 1
    points = (points - points.mean(axis=0)) * [1, 0] + points * [0, 1]  # one column centred, one positive
    model = SVC(kernel=clone(K), C=2, tol=1e-8).fit(points, y)
    found = audit(model, points, y)
    assert found.problem.measures == (Hermite(), Laguerre(0)) and found.digits > 3
    assert explain(model).profile.order == pytest.approx([float(x) for x in found.profile.order], abs=1e-3)
    with pytest.warns(UserWarning, match=r"X\[\d+\]\[1\]: -3 .* outside \[0, oo\).*; correct the point"):
        model.predict([[50.0, -3.0]])
    with pytest.raises(BadParameter, match=r"lies outside \[0, oo\); shift the column"):
        K(-points, -points)
    with pytest.raises(BadParameter, match="3 columns do not match 2 measures"):
        K(RAW[:, :3], RAW[:, :3])
    for nonsense in (3, "Hermite", [Hermite(), 1]):
        with pytest.raises(BadParameter, match="measures"):
            OrthogonalPolynomialKernel(2, measures=nonsense)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"measures": []}, "measures: 0 values"),
        ({"n": 5, "measures": Discrete([1, 2, 3])}, "n.*: 5 is more than 2, the largest degree for"),
        ({"n": [1, 2], "measures": [Hermite()]}, "measures: 1 value was given for 2 columns"),
        ({"n": 2, "alpha": 1, "measures": Hermite()}, "measures: a value was given together with"),
    ],
    ids=str,
)
def test_measures_that_do_not_go_with_the_rest_are_refused_when_made(params, message):
    with pytest.raises(BadInput, match=message):
        OrthogonalPolynomialKernel(**{"n": 2} | params)


def test_degrees_and_measures_may_be_numpys():
    own = OrthogonalPolynomialKernel(2, measures=np.array([Hermite(), Laguerre(0)]))
    assert own.clip_to_domain(RAW[:, :2])[1] == 0 and own(RAW[:, :2], RAW[:, :2]).shape == (50, 50)
    for given, plain in ((np.array([1, 2]), [1, 2]), (np.int64(2), 2)):
        K = OrthogonalPolynomialKernel(given)
        expected = OrthogonalPolynomialKernel(plain)(X[:, :2], X[:, :2])
        np.testing.assert_array_equal(clone(K)(X[:, :2], X[:, :2]), expected)
        model = SVC(kernel=K).fit(X[:, :2], Y == 1)
        assert audit(model, X[:, :2], Y == 1).problem.degrees == ((1, 2) if plain == [1, 2] else (2, 2))


def test_a_grid_search_over_the_order():
    pipe = make_pipeline(MinMaxScaler((-1, 1), clip=True), SVC(kernel=OrthogonalPolynomialKernel(2)))
    grid = {"svc__kernel__order": np.arange(1, 5), "svc__C": [1, 100]}
    search = GridSearchCV(pipe, grid, cv=3, error_score="raise").fit(RAW, Y)
    best = search.best_estimator_[-1].kernel
    assert best.order == search.best_params_["svc__kernel__order"] and pipe[-1].kernel.order is None
    found = audit(search, RAW, Y)[0, 1].problem
    assert found.kernel.modes.order == best.order and json.loads(json.dumps(found.to_json()))


def test_the_order_is_kept_by_copies_and_checked_against_the_columns():
    K = OrthogonalPolynomialKernel(2, order=3)
    for copy in (clone(K), pickle.loads(pickle.dumps(K)), OrthogonalPolynomialKernel(2).set_params(order=3)):
        assert copy.get_params() == K.get_params() and copy.order == 3
    with pytest.raises(BadParameter, match="order: 3 is more than the 2 columns; pass at most 2"):
        SVC(kernel=K).fit(X[:, :2], Y)
    with pytest.raises(BadParameter, match="order: 3 is more than the 2 columns"):
        OrthogonalPolynomialKernel([1, 2], order=3)
    full, limited = OrthogonalPolynomialKernel(2), OrthogonalPolynomialKernel(2, order=4)
    np.testing.assert_allclose(limited(X, X), full(X, X), rtol=1e-12)


# The estimator.


def test_it_is_the_pipeline_it_replaces():
    own = OrcaSVC(3, 2, C=5, alpha="1/2", class_weight="balanced").fit(RAW, Y)
    kernel = OrthogonalPolynomialKernel(3, "1/2", order=2)
    assert pytest.approx(5 / np.diag(kernel(X, X)).mean(), rel=1e-12) == own.C_
    svc = SVC(kernel=kernel, C=own.C_, class_weight="balanced", tol=1e-8)
    by_hand = make_pipeline(MinMaxScaler((-1, 1)), svc).fit(RAW, Y)
    np.testing.assert_allclose(own.decision_function(RAW), by_hand.decision_function(RAW), rtol=1e-6)
    assert own.score(RAW, Y) > 0.95


def test_outside_the_training_range():
    far = RAW + 20
    clipped, not_clipped = OrcaSVC(4).fit(RAW, Y), OrcaSVC(4, clip=False).fit(RAW, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        edge = clipped.decision_function(np.tile(RAW.max(axis=0), (len(far), 1)))
        np.testing.assert_allclose(clipped.decision_function(far), edge)
    with pytest.warns(UserWarning, match="lies outside"):
        not_clipped.decision_function(far)


def test_profile_is_by_pair_or_of_the_two():
    several = OrcaSVC(2).fit(RAW, Y)
    assert set(several.profile_) == {(0, 1), (0, 2), (1, 2)}
    two = OrcaSVC(2).fit(RAW, Y == 1)
    assert sum(two.profile_.order) == pytest.approx(1)
    assert two.audit(RAW, Y == 1).profile.order[2].overlaps(two.audit(RAW, Y == 1).profile.order[2])
    assert not hasattr(OrcaSVC(), "profile_")


def test_rows_of_weight_0_are_as_if_they_were_not_there():
    weights = np.where(np.arange(len(RAW)) % 4, 1.0, 0.0)
    wild = RAW + (weights == 0)[:, None] * 100  # outliers that would change the scaling
    weighted = OrcaSVC(2).fit(wild, Y, weights)
    without = OrcaSVC(2).fit(RAW[weights > 0], Y[weights > 0])
    np.testing.assert_array_equal(weighted.decision_function(RAW), without.decision_function(RAW))
    found = weighted.audit(wild, Y, weights)
    assert found.digits > 4 and 0 not in found[0, 1].rows


# The order and the relative C.


def test_the_order_is_at_most_the_number_of_columns():
    assert [OrcaSVC(order=q).fit(RAW, Y).order_ for q in (1, 2, 9, None, np.int64(3))] == [1, 2, 4, 4, 3]
    model = OrcaSVC().fit(RAW[:, :1], Y)
    assert (
        model.order_ == 1
        and model.order == 2
        and model.audit(RAW[:, :1], Y)[0, 2].problem.kernel.order is None
    )


@pytest.mark.parametrize("C", [0, -1.0, np.inf, np.nan, "1", None], ids=str)
def test_a_relative_c_that_is_not_positive_is_refused(C):
    with pytest.raises(BadParameter, match=r"C: .* is not a positive finite number; pass C=1\.0"):
        OrcaSVC(C=C).fit(RAW, Y)


def test_the_audited_problem_has_the_absolute_c_of_the_model():
    model = OrcaSVC(3, C=7.3).fit(RAW, Y)
    found = model.audit(RAW, Y)
    assert all(QQ(model.C_) == part.problem.C for part in found.values())  # one mean for all classes
    for part in found.values():
        assert part.optimum.digits >= 8 and part.digits > 4
        fitted = explain(model)[part.key]
        assert fitted.profile.norm2 == pytest.approx(float(part.profile.norm2), rel=1e-4)
        assert fitted.problem.kernel == part.problem.kernel
    assert audit(model, RAW, Y, kernel=OrthogonalPolynomialKernel(3, order=2)).digits == found.digits
    with pytest.raises(BadParameter, match="the kernel of the fit; leave it out"):
        audit(model, RAW, Y, kernel=OrthogonalPolynomialKernel(3))


def test_a_row_of_weight_2_is_two_rows():
    weights = 1.0 + np.arange(len(RAW)) % 3
    weighted = OrcaSVC(C=2).fit(RAW, Y, weights)
    rows = np.repeat(np.arange(len(RAW)), weights.astype(int))
    repeated = OrcaSVC(C=2).fit(RAW[rows], Y[rows])
    assert pytest.approx(repeated.C_) == weighted.C_ and weighted.C_ != OrcaSVC(C=2).fit(RAW, Y).C_
    np.testing.assert_allclose(weighted.decision_function(RAW), repeated.decision_function(RAW), atol=1e-5)
    found = weighted.audit(RAW, Y, weights)
    assert found.digits > 4 and QQ(3 * weighted.C_) == found[0, 1].problem.C


def test_constant_columns_have_no_influence():
    wide = np.column_stack([np.full(len(RAW), 7.0), RAW, np.zeros(len(RAW))])
    model, without = OrcaSVC().fit(wide, Y), OrcaSVC().fit(RAW, Y)
    np.testing.assert_allclose(model.decision_function(wide), without.decision_function(RAW), atol=1e-5)
    np.testing.assert_array_equal(model.predict(wide + np.array([9, 0, 0, 0, 0, 9])), without.predict(RAW))
    part, other = model.audit(wide, Y)[1, 2], without.audit(RAW, Y)[1, 2]
    assert part.problem.degrees == (0, 2, 2, 2, 2, 0) and part.profile.variance.overlaps(
        other.profile.variance
    )
    assert [float(x) for x in part.total.values()] == pytest.approx([0, *map(float, other.total.values()), 0])
    with pytest.raises(ZeroClassifier):
        explain(OrcaSVC().fit(np.ones((4, 2)), [0, 1, 0, 1]))


def test_many_columns_do_not_underflow_in_single_precision():
    """The kernel has the factor 2^-200 here, and libsvm keeps it in single precision."""
    rng = np.random.default_rng(0)
    wide, y = rng.uniform(-1, 1, (40, 200)), np.arange(40) % 2
    model = OrcaSVC(order=1).fit(wide, y)
    points = model.pipeline_[:-1].transform(wide)
    assert model.C_ > 1e50 and 0.7 < np.diag(model.pipeline_[-1].kernel(points, points)).mean() < 1.5
    found = model.audit(wide, y)
    assert QQ(model.C_) == found.problem.C and found.digits > 4
    assert model.profile_.norm2 == pytest.approx(float(found.profile.norm2), rel=1e-4)
    with pytest.raises(BadParameter, match="X: 1200 columns are too many for float64"):
        OrcaSVC().fit(rng.uniform(-1, 1, (4, 1200)), [0, 1, 0, 1])


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_iris])
def test_the_defaults_predict_as_well_as_the_rbf_kernel(load):
    points, y = load(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    own, rbf = (
        cross_val_score(model, points, y, cv=folds).mean()
        for model in (OrcaSVC(), make_pipeline(StandardScaler(), SVC()))
    )
    assert own >= rbf - 0.01
