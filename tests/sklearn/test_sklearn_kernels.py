"""Fitted SVCs with the kernels "rbf", "poly" and "linear": audits, explanations and their measures."""

from __future__ import annotations

import sys
from itertools import combinations

import numpy as np
import pytest
from flint import arb

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC

from orca_exact import RBF, Empirical, Jacobi, Linear, Normal, Polynomial, Problem, Uniform, certify, orca
from orca_exact.cost import measures_cost
from orca_exact.errors import BadParameter, Undecided, ZeroClassifier
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, precision_digits
from orca_exact.sklearn import Audits, OrcaSVC, OrthogonalPolynomialKernel, audit, explain, simplest

IRIS = load_iris()
SOME = np.arange(0, 150, 3)
RAW, SPECIES = IRIS.data[SOME], IRIS.target_names[IRIS.target[SOME]].astype(object)
X = StandardScaler().fit_transform(RAW)
TWO = SPECIES != "setosa"
RAW2, X2, Y2 = RAW[TWO], StandardScaler().fit_transform(RAW[TWO]), SPECIES[TWO]
W = np.random.default_rng(3).uniform(0.2, 3, len(X))
MODELS = {
    "rbf": {"kernel": "rbf"},
    "rbf auto": {"kernel": "rbf", "gamma": "auto"},
    "rbf 0.7": {"kernel": "rbf", "gamma": 0.7},
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly"},
    "poly 2": {"kernel": "poly", "degree": 2, "gamma": 0.3, "coef0": 1.5},
}


def svm(**options):
    return SVC(**{"C": 2.0, "tol": 1e-8} | options)


def brute_force(model, points, under):
    """Return OKC^(q), total and Shapley of a model by quadrature of h over the product of the measures."""
    vectors, s = model.support_vectors_, model.dual_coef_[0]
    nodes, weights = [], []
    for column, measure in zip(points.T, under, strict=True):
        if isinstance(measure, Normal):
            x, w = np.polynomial.hermite_e.hermegauss(20)
            x = float(arb(measure.mean)) + float(arb(measure.sd)) * x
        elif isinstance(measure, Uniform):
            x, w = np.polynomial.legendre.leggauss(20)
            x = column.min() + np.ptp(column) * (x + 1) / 2
        else:
            x, w = np.unique(column, return_counts=True)
        nodes.append(x)
        weights.append(w / w.sum())
    d = len(nodes)
    grid = np.stack(np.meshgrid(*nodes, indexing="ij"), -1).reshape(-1, d)
    inner = vectors @ grid.T
    if model.kernel == "rbf":
        K = np.exp(-model._gamma * ((vectors**2).sum(1)[:, None] + (grid**2).sum(1)[None, :] - 2 * inner))
    else:
        K = inner if model.kernel == "linear" else (model._gamma * inner + model.coef0) ** model.degree
    h = (s @ K).reshape([len(x) for x in nodes])

    def explained(S):
        """Return the variance of the mean of h given the columns in S."""
        mean, W = h, np.ones(())
        for column in reversed(range(d)):
            if column not in S:
                mean = np.tensordot(mean, weights[column], ([column], [0]))
        for column in S:
            W = np.multiply.outer(W, weights[column])
        return (W * mean**2).sum() - (W * mean).sum() ** 2

    sets = [S for q in range(d + 1) for S in combinations(range(d), q)]
    closed = {S: explained(S) for S in sets}
    part = {
        S: sum((-1) ** (len(S) - len(T)) * closed[T] for q in range(len(S) + 1) for T in combinations(S, q))
        for S in sets
    }
    V = closed[tuple(range(d))]
    order = [sum(part[S] for S in sets if len(S) == q) / V for q in range(d + 1)]
    total = [sum(part[S] for S in sets if i in S) / V for i in range(d)]
    shapley = [sum(part[S] / len(S) for S in sets if i in S) / V for i in range(d)]
    return order, total, shapley


# Indices and optima against independent computations.


@pytest.mark.parametrize("under", [None, Normal(0, "1/2"), Uniform()], ids=str)
@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS)
def test_indices_by_brute_force(options, under):
    points = X2[:, 1:]
    model = svm(**options).fit(points, Y2)
    own, proved = explain(model, points, under=under), audit(model, points, Y2, under=under)
    expected = brute_force(model, points, [under] * 3)
    for family, values in zip(("order", "total", "shapley"), expected, strict=True):
        assert list(own.family(family).values()) == pytest.approx(values, abs=1e-9), family
        assert [float(x) for x in proved.family(family).values()] == pytest.approx(values, abs=1e-4), family
    assert proved.optimum.digits >= 8 and proved.digits > 4


@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS)
def test_the_scores_of_scikit_learn_are_in_our_enclosures(options):
    """Compare libsvm's g in balls with decision_function, and with the optimal g by the proved distance."""
    model = svm(tol=1e-3, **options).fit(X2, Y2)
    found, A = audit(model, X2, Y2), arithmetic("ball", 40)
    optimal = certify(found.problem, level="ball")
    with A.scope():
        R = found.problem.kernel.at(found.problem.points, A).block(slice(None), slice(None))
        y = found.problem.signs
        own = R @ (np.array([arb(a) for a in found.solution.alpha]) * y) + arb(found.solution.b)
        best = R @ (np.array(optimal.alpha(40)) * y) + optimal.bias()
        for score, g, true, row in zip(model.decision_function(X2), own, best, range(len(X2)), strict=True):
            assert abs(float(g) - score) < 1e-11 * max(1.0, abs(score))
            apart = found.distance * R[row, row].sqrt() + abs(optimal.bias() - arb(found.solution.b))
            assert abs(g - true) <= apart and float(apart) < 0.05


@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS)
def test_the_problem_is_the_one_that_libsvm_solved(options):
    model = svm(**options).fit(X2, Y2)
    problem = audit(model, X2, Y2).problem
    expected = {"linear": Linear(), "poly": None, "rbf": RBF(float(model._gamma))}[model.kernel]
    if model.kernel == "poly":
        expected = Polynomial(model.degree, float(model._gamma), model.coef0)
    assert problem.kernel == expected.for_columns(4) and problem.C == 2
    assert [list(row) for row in problem.X] == [[QQ(x) for x in row] for row in X2.tolist()]
    assert problem.under == (Empirical(),) * 4


def test_gamma_is_the_one_of_the_fit():
    model = svm(gamma="scale").fit(X2, Y2)
    before = audit(model, X2, Y2)
    assert audit(model.set_params(gamma=17.0), X2, Y2).problem == before.problem  # SVC ignores it, too
    assert before.problem.kernel.gamma == QQ(1 / (4 * X2.var()))


@pytest.mark.parametrize(
    "changes", [{"C": 9.0}, {"kernel": "linear"}, {"degree": 2}, {"coef0": 1.0}], ids=str
)
def test_a_parameter_that_was_changed_after_the_fit_is_noticed(changes):
    model = svm(kernel="poly").fit(X2, Y2).set_params(**changes)
    with pytest.raises(BadParameter, match="do not change C and kernel after it"):
        audit(model, X2, Y2)


def test_indices_of_the_fit_are_within_the_bound():
    for options in MODELS.values():
        for under in (None, Normal(), Uniform(-3, 3)):
            found = audit(svm(tol=0.1, **options).fit(X2, Y2), X2, Y2, under=under)
            assert 0 < found.index_error <= found.index_bound < 1


# Several classes, weights and meta-estimators.


@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear"])
def test_three_classes_with_weights(kernel):
    model = svm(kernel=kernel, class_weight={"virginica": 2.0}, decision_function_shape="ovo")
    scores = model.fit(X, SPECIES, W).decision_function(X)
    found, own = audit(model, X, SPECIES, W), explain(model, X, SPECIES)
    assert isinstance(found, Audits) and len(found) == 3
    for column, (pair, part) in enumerate(found.items()):
        expected = [2.0 * W[row] * (1 + (SPECIES[row] == "virginica")) for row in part.rows]
        assert [float(C) for C in part.problem.bounds] == pytest.approx(expected, rel=1e-14)
        s = [float(a) * label for a, label in zip(part.solution.alpha, part.problem.y, strict=True)]
        points = part.problem.points.astype(float)
        g = part.problem.kernel(points, points) @ s + float(part.solution.b)
        assert g == pytest.approx(-scores[part.rows, column], abs=1e-9)
        assert part.digits > 4
        for family in ("order", "total"):  # the measure is that of the rows of both classes
            values = [float(x) for x in part.family(family).values()]
            assert list(own[pair].family(family).values()) == pytest.approx(values, abs=1e-4)
    assert found.to_dict()["setosa against virginica"]["under"] == {"family": "empirical"}


def test_rows_of_weight_0_are_left_out():
    weights = np.where(np.arange(len(X2)) % 4, 1.0, 0.0)
    kept = weights > 0
    model = svm(gamma=0.5).fit(X2, Y2, weights)
    found = audit(model, X2, Y2, weights)
    alone = audit(svm(gamma=0.5).fit(X2[kept], Y2[kept]), X2[kept], Y2[kept])
    assert found.problem == alone.problem and "9 rows of weight 0 were left out" in found.notes
    assert not any("SVC.predict" in note for note in found.notes)  # which is right for a named kernel
    with pytest.raises(BadParameter, match=r"was .* in the fit; .* had the weight 0, pass sample_weight"):
        explain(model, X2)
    with pytest.raises(BadParameter, match=r"24 rows .* not match the 33 rows .* rows of weight 0"):
        explain(model, X2[kept])
    own = explain(model, X2, Y2, sample_weight=weights)
    assert own.profile.order == pytest.approx([float(x) for x in found.order], abs=1e-4)


WRAPPED = {
    "pipeline": lambda: make_pipeline(StandardScaler(), svm()),
    "search": lambda: GridSearchCV(
        WRAPPED["pipeline"](), {"svc__kernel": ["rbf", "poly"], "svc__gamma": [0.1, "scale"]}, cv=2
    ),
    "calibrated": lambda: CalibratedClassifierCV(WRAPPED["pipeline"](), ensemble=False, cv=2),
    "nu": lambda: make_pipeline(StandardScaler(), NuSVC(nu=0.3, tol=1e-8)),
}  # fmt: skip


@pytest.mark.parametrize("make", WRAPPED.values(), ids=WRAPPED)
def test_wrappers_of_two_classes(make):
    model = make().fit(RAW2, Y2)
    found, own = audit(model, RAW2, Y2), explain(model, RAW2)
    assert found.digits > 4 and found.optimum.digits >= 8
    assert own.profile.order == pytest.approx([float(x) for x in found.order], abs=1e-4)
    seen = np.array([[float(x) for x in row] for row in found.problem.X])
    np.testing.assert_allclose(seen, X2, rtol=1e-12, atol=1e-12)  # the columns that the SVC saw
    with pytest.raises(BadParameter, match=r"X\[\d+\]: .* as seen by the SVC\) was"):
        audit(model, RAW2[::-1], Y2)


@pytest.mark.parametrize(
    "wrap", [OneVsOneClassifier, OneVsRestClassifier, lambda x: CalibratedClassifierCV(x, cv=2)]
)
def test_wrappers_of_three_classes(wrap):
    model = wrap(svm()).fit(X, SPECIES)
    found, own = audit(model, X, SPECIES), explain(model, X, SPECIES)
    assert list(found) == list(own) and found.digits > 4
    for pair, part in found.items():
        assert own[pair].profile.order == pytest.approx([float(x) for x in part.order], abs=1e-4)


def test_names_are_those_of_the_frame():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame(RAW2, columns=["sl", "sw", "pl", "pw"])
    plain, piped = svm().fit(frame, Y2), make_pipeline(StandardScaler(), svm()).fit(frame, Y2)
    for model in (plain, piped):
        for found in (audit(model, frame, Y2), explain(model, frame), explain(model, under=Normal())):
            assert tuple(found.total) == found.names == ("sl", "sw", "pl", "pw")


def test_kernels_that_differ_between_the_pairs_are_not_printed_as_one():
    said = "the parameters differ between the pairs"
    assert said in str(audit(OneVsOneClassifier(svm(gamma="scale")).fit(X, SPECIES), X, SPECIES))
    assert said not in str(audit(svm(gamma="scale").fit(X, SPECIES), X, SPECIES))


def _other_row(row):
    return np.where(np.arange(len(X2))[:, None] == row, X2 + 0.5, X2)


SUPPORT = int(svm().fit(X2, Y2).support_[0])
NOT_THE_FIT = {
    "a support vector": (None, lambda: (_other_row(SUPPORT), Y2), rf"X\[{SUPPORT}\]: .* by the SVC\) was"),
    "a column": (None, lambda: (X2[:, [1, 0, 2, 3]], Y2), "as seen by the SVC"),
    "fewer rows": (None, lambda: (X2[:-1], Y2[:-1]), "32 rows of 4 columns do not match the 33 rows of 4"),
    "fewer columns": (None, lambda: (X2[:, :3], Y2), "33 rows of 3 columns do not match the 33 rows of 4"),
    "labels": (None, lambda: (X2, Y2[::-1]), r"y\[\d+\]: .* was .* in the fit"),
    "weights": (W[TWO], lambda: (X2, Y2), r"\[\d+\]: .*(exceeds its bound|its label or weight)"),
    "weights not used": (None, lambda: (X2, Y2, W[TWO]), r"\[\d+\]: .*(exceeds its bound|or weight)"),
    "float32": (None, lambda: (X2.astype(np.float32), Y2), "was float32"),
    "points for their matrix": (None, lambda: (rbf_kernel(X2), Y2), "33 rows of 33 columns do not match"),
}  # fmt: skip


@pytest.mark.parametrize(("weights", "given", "message"), NOT_THE_FIT.values(), ids=NOT_THE_FIT)
def test_data_that_are_not_those_of_the_fit_are_noticed(weights, given, message):
    with pytest.raises(BadParameter, match=message):
        audit(svm().fit(X2, Y2, weights), *given())


def test_every_label_is_noticed():
    model = svm().fit(X2, Y2)
    for row in range(len(X2)):
        y = Y2.copy()
        y[row] = "versicolor" if y[row] == "virginica" else "virginica"
        with pytest.raises(BadParameter, match=rf"\[{row}\]:"):
            audit(model, X2, y)


# The measure of the indices.


def test_the_measure_is_stated():
    model = svm().fit(X2, Y2)
    for under, said in (
        (None, "the empirical distribution of each column"),
        (Uniform(), "the uniform distribution on the range of each column"),
        (Normal(), "normal (mean 0, sd 1) in each column"),
        (
            [Normal(), Empirical(), Uniform(), Uniform(-1, 2)],
            "normal (mean 0, sd 1), empirical, uniform on its range, uniform on [-1, 2]",
        ),
    ):
        for found in (explain(model, X2, under=under), audit(model, X2, Y2, under=under)):
            assert (
                f"indices under {said}\n" in str(found)
                and f"<div>indices under {said}<" in found._repr_html_()
            )
    both = audit(svm().fit(X, SPECIES), X, SPECIES, under=Normal())
    assert "indices under normal (mean 0, sd 1) in each column" in str(both)
    assert both.to_dict()["setosa against virginica"]["under"] == Normal().to_json()
    own = OrcaSVC().fit(X2, Y2)
    assert "indices under" not in str(explain(own)) and "under" not in explain(own).to_dict()


def test_a_measure_that_the_data_leave_nearly_empty_is_warned_of():
    model, three = svm().fit(X2, Y2), svm().fit(X, SPECIES)
    said = "warning: under this measure the variance of h is about"
    for found in (audit(model, X2, Y2, under=Uniform(-9, 9)), audit(three, X, SPECIES, under=Uniform(-9, 9))):
        assert said in str(found) and said in found._repr_html_()
    for found in (
        audit(model, X2, Y2),
        explain(model, X2),
        audit(three, X, SPECIES),
        explain(three, X, SPECIES),
    ):
        assert "warning" not in str(found)


def test_there_is_no_degree_of_an_rbf_kernel():
    found = audit(svm().fit(X2, Y2), X2, Y2)
    assert (
        not found.has_degrees
        and "N*" not in str(found) + found._repr_html_()
        and "degree" not in found.to_dict()
    )
    assert "N*" not in audit(svm().fit(X, SPECIES), X, SPECIES).summary()[0]
    assert "N* = 1" in str(audit(svm(kernel="linear").fit(X2, Y2), X2, Y2))


def test_explain_asks_for_the_data_that_it_needs():
    two, three = svm().fit(X2, Y2), svm().fit(X, SPECIES)
    pairs = OneVsOneClassifier(svm()).fit(X, SPECIES)
    for model in (three, pairs):
        with pytest.raises(BadParameter, match="explain needs the X and y of the fit for them; pass"):
            explain(model, X)
        with pytest.raises(BadParameter, match="explain needs the X and y of the fit"):
            explain(model, X, under=Uniform())  # its range is that of the data
    for model in (two, three, pairs):
        found = explain(model, under=Normal())
        assert not [note for part in getattr(found, "values", lambda f=found: [f])() for note in part.notes]
    for X_, message in (
        (X2[::-1], "was .* in the fit"),
        (X2[:3], "3 rows of 4 columns do not match the 33 rows of 4 columns of the fit"),
        (X2[:, :2], "rows of 2 col"),
    ):
        with pytest.raises(BadParameter, match=message):
            explain(two, X_)


def test_measures_that_do_not_fit():
    model = svm().fit(X2, Y2)
    for judge in (
        lambda under: explain(model, X2, under=under),
        lambda under: audit(model, X2, Y2, under=under),
    ):
        for under, message in (
            (Jacobi(0, 0), "is not a measure under which indices of the RBF kernel"),
            ([Normal()] * 3, "3 measures were given for 4 columns"),
            ("normal", "'normal' is not a measure"),
        ):
            with pytest.raises(BadParameter, match=message):
                judge(under)
    own = OrcaSVC().fit(X2, Y2)
    with pytest.raises(BadParameter, match="is not the measure of the kernel"):
        explain(own, under=Normal())
    with pytest.raises(BadParameter, match="is not the measure of the kernel"):
        audit(own, X2, Y2, under=Normal())


def test_a_measure_far_from_the_data():
    """Far from the data the RBF kernel is nearly 0, and so is the variance of h."""
    model = svm(gamma=1).fit(X2, Y2)
    found = audit(model, X2, Y2, under=Uniform(6, 8))
    assert 0 < float(found.profile.variance) < 1e-15 and found.optimum.level == "ball"
    assert [float(x) for x in found.order] == pytest.approx(
        explain(model, X2, under=Uniform(6, 8)).order, abs=1e-3
    )
    with pytest.raises(Undecided, match="h cannot be distinguished from a constant in float64: its variance"):
        explain(model, X2, under=Uniform(60, 80))
    farther = audit(model, X2, Y2, under=Uniform(60, 80))  # a variance of 1e-11688; the shares by mpmath
    expected = [0, 2.564495e-9, 4.4561685e-6, 0.0034413066, 0.99655423]
    assert [float(x) for x in farther.order] == pytest.approx(expected, rel=1e-6)


# Kernels that are passed, and what cannot be decided.


def test_kernels_of_the_library():
    K = rbf_kernel(X2, gamma=0.25)
    given = svm(kernel="precomputed").fit(K, Y2)
    named, own = svm(gamma=0.25).fit(X2, Y2), svm(kernel=RBF("1/4")).fit(X2, Y2)
    expected = audit(named, X2, Y2)
    assert audit(own, X2, Y2).problem == audit(given, X2, Y2, kernel=RBF(0.25)).problem == expected.problem
    for found in (explain(own), explain(given, X2, kernel=RBF("1/4"))):  # a callable kernel stores its points
        assert found.profile.order == pytest.approx([float(x) for x in expected.order], abs=1e-4)
    assert audit(named, X2, Y2, kernel=RBF(0.25)).problem == expected.problem
    for kernel in (RBF(1), "rbf", OrthogonalPolynomialKernel(2)):
        with pytest.raises(BadParameter, match=r"is not RBF\(.*\), the kernel of the fit"):
            audit(named, X2, Y2, kernel=kernel)
    with pytest.raises(BadParameter, match="optimality is violated"):
        audit(given, X2, Y2, kernel=RBF(1))
    with pytest.raises(BadParameter, match="kernel: 'rbf' is not a kernel of this package"):
        audit(given, X2, Y2, kernel="rbf")


def test_what_balls_leave_open_is_bounded_by_the_gap(monkeypatch):
    def undecided(*args, **options):
        raise Undecided("a tie")

    expected = audit(svm().fit(X2, Y2), X2, Y2)
    module = sys.modules["orca_exact.sklearn.audit"]
    monkeypatch.setattr(module, "certify_in_float64", undecided)
    monkeypatch.setattr(module, "certify", undecided)
    found = audit(svm().fit(X2, Y2), X2, Y2)
    assert found.optimum.level == "gap" and found.optimum.digits >= 3
    assert "8 digits were requested, but balls do not prove them: a tie" in str(found)
    assert all(a.overlaps(b) for a, b in zip(found.order, expected.order, strict=True))


def test_equal_rows_of_both_classes():
    twice = np.vstack([X2, X2])
    model = svm().fit(twice, np.repeat([0, 1], len(X2)))
    with pytest.raises(ZeroClassifier):
        explain(model, twice)
    with pytest.raises((ZeroClassifier, Undecided)):
        audit(model, twice, np.repeat([0, 1], len(X2)))


@pytest.mark.parametrize("kernel", ["linear", "poly"])
def test_a_row_of_zeros_has_no_features(kernel):
    """K(x, x) = 0 for x = 0, so that nothing can be divided by it."""
    points = np.where(np.arange(len(X2))[:, None] % 16 == 3, 0.0, X2)
    found = audit(svm(kernel=kernel).fit(points, Y2), points, Y2)
    assert found.optimum.digits >= 8 and found.digits > 4
    exact = orca(found.problem, certify(found.problem, level="exact"), "exact")
    for x, true in zip(found.total.values(), exact.total.values(), strict=True):
        assert x.contains(true)


def test_points_far_from_the_origin_are_not_called_other_data():
    """The squared distance of libsvm comes from |x|^2, |z|^2 and x.z, which loses digits."""
    far = X2 + 1e7
    found, near = (
        audit(SVC(gamma=0.25).fit(far, Y2), far, Y2),
        audit(svm(gamma=0.25, C=1).fit(X2, Y2), X2, Y2),
    )
    assert found.digits < 3 < near.digits
    assert [float(x) for x in found.order] == pytest.approx([float(x) for x in near.order], abs=1e-6)


def test_the_estimate_counts_the_values_of_the_columns():
    """A busy machine took 2.6 s for 400 x 30 (325 support vectors), 85 s and 3 GB for 5,000 x 12 (2,134)."""
    problem = audit(svm().fit(X2, Y2), X2, Y2).problem
    few = measures_cost(problem.replace(under=Normal()), arithmetic("verified"), 20)
    many = measures_cost(problem, arithmetic("verified"), 20)
    assert (
        measures_cost(problem, arithmetic("ball"), 20).seconds
        > many.seconds
        > measures_cost(problem, arithmetic("verified"), 10).seconds
    )
    assert (
        few.seconds > 0 == measures_cost(problem.replace(kernel=Linear()), arithmetic("verified"), 20).seconds
    )
    large = Problem(np.random.default_rng(0).normal(size=(500, 30)), [1, -1] * 250, kernel=RBF(1))
    assert 0.5 < measures_cost(large, arithmetic("verified"), 350).seconds < 5


# simplest.


def test_simplest_compares_kernels_under_one_measure():
    pipe = make_pipeline(StandardScaler(), svm())
    grid = {"svc__kernel": ["rbf", "poly", "linear"], "svc__C": [1.0]}
    choose = simplest(pipe, RAW2, Y2)
    scores = {
        "mean_test_score": np.full(3, 0.9),
        "std_test_score": np.full(3, 0.1),
        "split0_test_score": np.full(3, 0.9),
    }
    params = [{"svc__kernel": kernel, "svc__C": 1.0} for kernel in grid["svc__kernel"]]
    assert choose(scores | {"params": params}) == 2 and choose.comparison_["by"] == "mean_order"
    rows = choose.comparison_["candidates"]
    assert rows[0]["mean_degree"] is None and rows[0]["degrees"] is None and rows[2]["degrees"] == 4
    assert choose(scores | {"params": [params[0]] * 2 + params[:1]}) == 0
    search = GridSearchCV(pipe, grid, cv=3, refit=simplest(pipe, RAW2, Y2, under=Normal())).fit(RAW2, Y2)
    assert search.best_params_["svc__kernel"] in grid["svc__kernel"]


@pytest.mark.slow
def test_breast_cancer():
    data = load_breast_cancer()
    for kernel in ("rbf", "poly", "linear"):
        model = make_pipeline(StandardScaler(), SVC(kernel=kernel)).fit(data.data, data.target)
        found = audit(model, data.data, data.target)
        assert found.optimum.level == "float" and found.optimum.digits >= 8 and 3 <= found.digits < 6
        ball = orca(
            found.problem, certify(found.problem, found.solution, level="ball", digits=20), "ball", 20
        )
        for family in ("order", "total", "shapley", "marginal"):
            pairs = zip(found.family(family).values(), ball.family(family).values(), strict=True)
            assert all(a.overlaps(b) for a, b in pairs), (kernel, family)
        with precision_digits(30):
            assert abs(sum(found.shapley.values(), arb(0)) - 1) < 1e-6
