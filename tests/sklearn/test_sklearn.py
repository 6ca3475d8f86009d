"""Audits of two classes: pipelines, precomputed kernels, labels, column names and rejected input."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from orca_exact import Problem, certify, orca
from orca_exact.errors import BadParameter, install_command
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.svm.gram import gram

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.indices import INDICES
from orca_exact.sklearn import Audit, OrthogonalPolynomialKernel, audit, cost

K = OrthogonalPolynomialKernel(3, "1/2", "-1/4")
random = np.random.default_rng(7)
RAW = random.normal(size=(24, 2)) * [1, 30] + [5, 0]
X = MinMaxScaler((-1, 1)).fit_transform(RAW)
Y = np.where(X[:, 0] * X[:, 1] + X[:, 0] ** 3 > 0, "yes", "no")


def test_kernel_is_the_papers_and_survives_pickling_and_cloning():
    problem = Problem(X.clip(-1, 1), [1, -1] * 12, 3, "1/2", "-1/4")
    exact = gram(problem, arithmetic("ball", 30)).astype(float)
    assert np.abs(pickle.loads(pickle.dumps(K))(X, X) - exact).max() < 1e-12 * np.abs(exact).max()
    assert clone(SVC(kernel=K)).fit(X, Y).predict(X).shape == (24,)


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1), (-1, 1), (9, 4)])
def test_any_two_labels(labels):
    y = np.where(Y == "yes", labels[1], labels[0])
    found = audit(SVC(kernel=K, C=5, tol=1e-8).fit(X, y), X, y)
    assert found.digits > 5
    positive = max(labels)
    assert found.problem.y == tuple(1 if label == positive else -1 for label in y.tolist())


def test_audit_of_a_pipeline_is_about_what_the_svc_saw():
    pipe = make_pipeline(MinMaxScaler((-1, 1)), SVC(kernel=K, C=5, tol=1e-8)).fit(RAW, Y)
    found = audit(pipe, RAW, Y, digits=25)
    by_hand = certify(found.problem, level="exact")
    exact = orca(found.problem, by_hand, "ball", 30)
    for q, value in enumerate(found.profile.order):
        assert value.overlaps(exact.order[q]) and float(value.rad()) < 1e-25
    assert 0 < float(found.distance) <= float(found.gap.w_error)  # the bound from the gap is valid
    assert found.proved_digits <= found.digits
    assert found.index_error <= found.index_bound < 1e-5
    assert "digits of w are correct" in str(found)


def test_a_loose_tolerance_shows():
    tight, loose = (audit(SVC(kernel=K, C=5, tol=tol).fit(X, Y), X, Y).digits for tol in (1e-9, 1e-1))
    assert loose + 2 < tight


def test_precomputed_needs_the_kernel():
    svc = SVC(kernel="precomputed", C=5, tol=1e-8).fit(K(X, X), Y)
    with pytest.raises(BadParameter, match=r"'precomputed' does not say how .*; pass kernel=RBF\(gamma\)"):
        audit(svc, X, Y)
    assert audit(svc, X, Y, kernel=K).digits > 5


def test_columns_keep_their_names():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(RAW, columns=["age", "epss"])
    pipe = make_pipeline(MinMaxScaler((-1, 1)), SVC(kernel=K, C=5)).fit(frame, Y)
    assert set(audit(pipe, frame, Y).marginal) == {"age", "epss"}


def test_names_without_pandas():
    class Frame(np.ndarray):
        columns = ("age", "epss")

    found = audit(SVC(kernel=K, C=5).fit(X, Y), X.view(Frame), Y)
    assert tuple(found.marginal) == ("age", "epss")
    assert tuple(audit(SVC(kernel=K, C=5).fit(X, Y), X, Y).marginal) == ("x1", "x2")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda svc, y: (svc, y[:-1]), "shape"),
        (lambda svc, y: (svc, np.where(y == "yes", "no", "yes")), r"y\[1\]: 'yes' was 'no' in the fit"),
        (lambda svc, y: (svc, np.where(y == "yes", "maybe", y)), "is not a class of the fit"),
        (lambda svc, y: (SVC(kernel="sigmoid").fit(X, y), y), "'sigmoid' is not positive definite"),
        (lambda svc, y: (SVC(kernel=K), y), "SVC is not fitted; call its fit"),
        (
            lambda svc, y: (SVC(kernel=K).fit(X, y, [9.0] * 24), y),
            r"sample_weight\[\d+\]: .* exceeds its bound",
        ),
    ],
)
def test_what_cannot_be_audited_is_said_in_one_line(change, message):
    svc, y = change(SVC(kernel=K, C=1).fit(X, Y), Y)
    with pytest.raises(BadParameter, match=message) as error:
        audit(svc, X, y)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (csr_matrix(X), r"X: csr_matrix is sparse; pass X\.toarray\(\)"),
        (X[:5], "shape .24,. does not match the 5 rows"),
        (X[:, :1], "X: 24 rows of 1 columns do not match the 24 rows of 2"),
        ([["a", "b"]] * 24, "X: list is not a table of numbers"),
        ([[1, 2], [3]] * 12, "X: list is not a table of numbers"),
    ],
    ids=["sparse", "rows", "columns", "text", "ragged"],
)
def test_points_that_fit_cannot_have_seen(points, message):
    with pytest.raises(BadParameter, match=message) as error:
        audit(SVC(kernel=K).fit(X, Y), points, Y)
    assert "\n" not in str(error.value)


def test_a_kernel_is_named_for_a_precomputed_matrix_only():
    with pytest.raises(
        BadParameter, match=r"OrthogonalPolynomialKernel\(.* is not Linear\(\), the kernel of"
    ):
        audit(SVC(kernel="linear").fit(X, Y), X, Y, kernel=K)


def test_points_outside_the_domain_are_refused_but_rounding_is_not():
    with pytest.raises(BadParameter, match=r"X\[\d+\]\[1\]: .* lies outside \[-1, 1\]; put MinMaxScaler"):
        SVC(kernel=K).fit(RAW, Y)  # libsvm would not terminate
    beyond = X.copy()
    beyond[0, 0] = np.nextafter(1, 2)
    found = audit(SVC(kernel=K, C=5).fit(beyond, Y), beyond, Y)
    assert "by rounding" in found.notes[0]


def test_eight_digits_come_from_float64_and_more_from_balls():
    svc = SVC(kernel=K, C=5, tol=1e-8).fit(X, Y)
    quick, ball = audit(svc, X, Y), audit(svc, X, Y, digits=20)
    assert (quick.optimum.level, ball.optimum.level) == ("float", "ball")
    assert quick.optimum.digits >= 8 and ball.optimum.digits >= 20
    assert (quick.optimum.free, quick.optimum.bound) == (ball.optimum.free, ball.optimum.bound)
    support = len(quick.optimum.free) + len(quick.optimum.bound)  # points with alpha = 0 cost nothing
    assert len(quick.profile.generating.support.s) == len(ball.profile.generating.support.s) == support
    for name in INDICES:
        for key, value in quick.profile.family(name).items():
            assert value.overlaps(ball.profile.family(name)[key]) and float(value.rad()) < 1e-7
    assert quick.gap.gap.overlaps(ball.gap.gap) or abs(float(quick.gap.gap / ball.gap.gap) - 1) < 1e-6
    assert abs(float(quick.distance / ball.distance) - 1) < 1e-3
    assert quick.index_error == pytest.approx(ball.index_error, abs=1e-7)
    assert quick.index_error <= quick.index_bound


RECTANGLE = np.array([[-0.5, -0.25], [-0.5, 0.25], [0.5, -0.25], [0.5, 0.25]])
SIDES = np.array(["no", "no", "yes", "yes"])
ADDITIVE = SVC(kernel=OrthogonalPolynomialKernel(1, order=1), C=50)


def test_dependent_points_are_decided_by_balls():
    """Four support vectors in a space of dimension 3: alpha is not unique."""
    found = audit(ADDITIVE.fit(RECTANGLE, SIDES), RECTANGLE, SIDES)
    assert found.optimum.level == "ball" and found.optimum.digits >= 8 and found.digits > 5


def test_equal_rows_are_decided():
    twice, y = np.vstack([X[:8], X[:8]]), np.append(Y[:8], Y[:8])
    found = audit(SVC(kernel=K, C=5, tol=1e-8).fit(twice, y), twice, y)
    once = audit(SVC(kernel=K, C=10, tol=1e-8).fit(X[:8], Y[:8]), X[:8], Y[:8])  # the same w
    assert found.optimum.digits >= 8 and found.digits > 5
    assert all(a.overlaps(b) for a, b in zip(found.profile.order, once.profile.order, strict=True))


def test_printing_computes_no_more_than_it_shows(monkeypatch):
    found = audit(SVC(kernel=K, C=5, tol=1e-8).fit(X, Y), X, Y)
    monkeypatch.setattr(GeneratingFunction, "blocks", property(lambda self: pytest.fail("degrees")))
    monkeypatch.setattr(Audit, "fitted_profile", property(lambda self: pytest.fail("the fitted profile")))
    found.profile.sums.is_enumeration_cheaper = lambda *_: False
    assert "OKC^(2)" in str(found)


def test_where_balls_cost_too_much_float64_says_what_it_proves(monkeypatch):
    monkeypatch.setattr(cost, "_MAX_BALL_BYTES", 0.0)
    monkeypatch.setattr(sys.modules["orca_exact.sklearn.audit"], "certify", None)  # no ball arithmetic
    svc = SVC(kernel=K, C=5, tol=1e-8).fit(X, Y)
    found = audit(svc, X, Y, digits=20)
    assert found.optimum.level == "float" and 8 <= found.optimum.digits < 20
    assert "20 digits were requested; proving them in balls would take" in str(found)
    found = audit(ADDITIVE.fit(RECTANGLE, SIDES), RECTANGLE, SIDES)
    assert found.optimum.level == "gap" and found.optimum.digits >= 2
    monkeypatch.undo()
    truth = audit(ADDITIVE.fit(RECTANGLE, SIDES), RECTANGLE, SIDES, digits=20)
    assert all(x.overlaps(truth.profile.order[q]) for q, x in enumerate(found.profile.order))
    assert float(truth.distance) <= float(found.distance)


def test_without_scikit_learn():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "try: from orca_exact.sklearn import audit\n"
        "except ImportError as error: print(error)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    assert told.strip() == f"scikit-learn is not installed; run {install_command('orca-exact[sklearn]')}"
