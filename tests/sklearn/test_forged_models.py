"""Models whose attributes were changed after the fit are refused with a sentence, not with a traceback."""

from __future__ import annotations

import copy

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.svm import SVC, NuSVC

from orca_exact.errors import BadParameter
from orca_exact.sklearn import OrthogonalPolynomialKernel, audit, explain

POINTS = np.array([[-1.0], [-1], [1], [1], [-3], [3], [0], [0]])
LABELS = np.array([0, 0, 1, 1, 0, 1, 0, 1])
MODELS = {
    "linear": lambda: SVC(kernel="linear", C=2),
    "rbf": lambda: SVC(C=2),
    "poly": lambda: SVC(kernel="poly", degree=2, coef0=1),
    "nu": lambda: NuSVC(nu=0.5),
    "callable": lambda: SVC(kernel=OrthogonalPolynomialKernel(2), C=2),
}
FORGERIES = {
    "dual_coef_": [
        lambda a: a[:, :-1],
        lambda a: a * np.nan,
        lambda a: a.tolist(),
        lambda a: a[0],
        lambda a: np.vstack([a, a]),
    ],
    "support_": [lambda a: a + 100, lambda a: -a - 1, lambda a: a * 0, lambda a: a * 1.0, lambda a: a[:-1]],
    "_n_support": [lambda a: a * 1.0, lambda a: a - 100, lambda a: "x", lambda a: a[:1]],
    "intercept_": [lambda a: a + np.inf, lambda a: a[:0], lambda a: None, lambda a: float(a[0])],
    "classes_": [lambda a: a.tolist(), lambda a: a[:1], lambda a: a * 0, lambda a: None],
    "class_weight_": [lambda a: a[:1], lambda a: a * np.nan, lambda a: object()],
    "shape_fit_": [lambda a: (), lambda a: None, lambda a: (8, 1, 1), lambda a: (0, 1)],
    "fit_status_": [lambda a: np.array([]), lambda a: None, lambda a: "x"],
    "tol": [lambda a: [a, a], lambda a: None, lambda a: 0, lambda a: np.nan],
}


@pytest.fixture(params=MODELS)
def model(request):
    """Return a fitted model that is accepted as it is."""
    points = POINTS / 3
    fitted = MODELS[request.param]().fit(points, LABELS)
    explain(fitted, points, LABELS, cv=None)
    return fitted


def require_refused(model, match):
    points = POINTS / 3
    for call in (audit, explain):
        with pytest.raises(BadParameter, match=match):
            call(model, points, LABELS, cv=None)


@pytest.mark.parametrize(
    ("name", "k"), [(name, k) for name in FORGERIES for k in range(len(FORGERIES[name]))]
)
def test_attributes_that_no_fit_leaves_are_named(model, name, k):
    setattr(model, name, FORGERIES[name][k](getattr(model, name)))
    require_refused(model, f"^{name}: .*fit the model again: its attributes were changed")


@pytest.mark.parametrize("name", FORGERIES)
def test_a_missing_attribute_is_named(model, name):
    del model.__dict__[name]
    require_refused(model, "is not fitted" if name == "dual_coef_" else f"^{name}: the attribute is missing")


@pytest.mark.parametrize("gamma", [0, -1, np.nan, None, "1/2", [1, 2]])
def test_a_gamma_is_a_positive_number(gamma):
    fitted = SVC(C=2).fit(POINTS / 3, LABELS)
    fitted._gamma = gamma
    require_refused(fitted, "^_?gamma: ")


@pytest.mark.parametrize("kernel", [np.array([]), np.array(["linear", "rbf"]), None, 3])
def test_a_kernel_that_is_none_is_refused(kernel):
    fitted = SVC(C=2).fit(POINTS / 3, LABELS)
    fitted.kernel = kernel
    require_refused(fitted, "^kernel: ")


def test_coefficients_that_do_not_sum_to_zero_are_refused():
    """Such coefficients may have the same w, so that only their sum shows that they were changed."""
    fitted = SVC(kernel="linear", C=2).fit(POINTS, LABELS)
    forged = copy.deepcopy(fitted)
    ends = [int(np.flatnonzero(fitted.support_vectors_[:, 0] == x)[0]) for x in (-1, 1)]
    forged.dual_coef_ = fitted.dual_coef_.copy()
    forged.dual_coef_[0, ends] += 0.3
    assert np.allclose(
        forged.dual_coef_ @ fitted.support_vectors_, fitted.dual_coef_ @ fitted.support_vectors_
    )
    audit(fitted, POINTS, LABELS, cv=None)
    with pytest.raises(BadParameter, match=r"^dual_coef_: sum alpha_i y_i = 0\.12 of sum alpha_i is not 0"):
        audit(forged, POINTS, LABELS, cv=None)
    with pytest.warns(UserWarning, match="may not be the coefficients that libsvm found: sum alpha_i y_i is"):
        explain(forged, POINTS, LABELS, cv=None)
