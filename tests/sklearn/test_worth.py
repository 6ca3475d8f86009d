"""Whether a model is worth reading, which columns it uses, and how simple it could be."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from orca_exact import RBF
from orca_exact.errors import BadParameter
from orca_exact.studies import bootstrap, null

pytest.importorskip("sklearn", reason="scikit-learn is not installed")
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.decomposition import PCA
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

from orca_exact.sklearn import OrcaSVC, OrthogonalPolynomialKernel, audit, explain, how_simple
from orca_exact.sklearn.how_simple import replace_svc, truncated_accuracies
from orca_exact.sklearn.reading import reconstruct_problems
from orca_exact.sklearn.worth import NO_LABELS, Evidence, Limits, Scores, Shuffled, Worth, make_folds
from orca_exact.sklearn.wrappers import TrainingData, unwrap_machines

rng = np.random.default_rng(3)
X = rng.uniform(-1, 1, (90, 3))
NOISE = rng.permutation(np.arange(90) % 2)
XOR = (X[:, 0] * X[:, 1] > 0).astype(int)
CANCER, LABELS = (rows[::3] for rows in load_breast_cancer(return_X_y=True))
IRIS, SPECIES = load_iris(return_X_y=True)
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def worth(**fields):
    known = {"rows": 100, "modes": 10, "most_frequent": "no", "majority": 0.6}
    return Worth(**known | fields)


def scores(new, training, rows=400):
    return Scores((new,) * 5, (training,) * 5, rows)


@pytest.mark.parametrize(
    ("fields", "verdict", "said"),
    [
        ({"scores": scores(0.95, 0.97)}, "worth reading", "Worth reading: 95.0 % of new rows"),
        ({"scores": scores(0.62, 0.63)}, "nothing learned", "Not worth reading: 62.0 % of new rows"),
        ({"scores": scores(0.80, 1.0)}, "overfitted", "Read with care: the model overfits: 100.0 %"),
        (
            {"scores": scores(0.95, 0.97), "modes": 4**30, "columns_distance": 0.2, "orders_distance": 0.2},
            "describes the kernel",
            "Not worth reading: 10^18 modes, 100 rows: every column",
        ),
        (
            {"scores": scores(0.95, 0.97), "shuffled": Shuffled(99, 12, 0, 0.05)},
            "like shuffled labels",
            "Read with care: none of 12 indices can be distinguished from those of shuffled labels (p <= "
            "0.05 after correction for 12; 99 shufflings of the labels cannot show p < 0.01).",
        ),
        (
            {"scores": scores(0.95, 0.97), "shuffled": Shuffled(99, 3, 0, 0.05, 0.2)},
            "like shuffled labels",
            "Read with care: none of 3 columns can be shown to help to predict new rows (p <= 0.05 after "
            "correction for 4; 99 shufflings of the labels cannot show p < 0.01); the accuracy is not shown "
            "to be beyond chance (p = 0.2).",
        ),
        (
            {"scores": scores(0.95, 0.97), "shuffled": Shuffled(99, 3, 0, 0.05, 0.01)},
            "worth reading",  # the accuracy is beyond chance, though no single column is
            "Worth reading: 95.0 %",
        ),
        ({"reason": NO_LABELS}, "not known", "Pass X and y as well"),
    ],
)
def test_verdicts(fields, verdict, said):
    found = worth(**fields)
    assert found.verdict == verdict and found.sentence.startswith(said)
    assert found.to_dict()["verdict"] == verdict and json.dumps(found.to_dict())
    assert max(map(len, str(found).splitlines())) <= 100
    assert " ".join(str(found).splitlines()) == " ".join([found.sentence, *found.remarks])


def test_the_limits_of_a_verdict():
    error = scores(0.7, 0.7).standard_error
    assert error == pytest.approx((0.7 * 0.3 / 400) ** 0.5, rel=0.01)
    assert worth(scores=scores(0.7, 0.7), majority=0.7 - 3.1 * error).learned
    assert not worth(scores=scores(0.7, 0.7), majority=0.7 - 2.9 * error).learned
    assert not worth(scores=scores(0.96, 1.0)).overfits  # 4 % is not much
    assert not worth(scores=scores(0.7, 0.85, 20)).overfits  # within two standard errors
    assert not worth(scores=scores(0.75, 0.85)).overfits  # the training errors are as many as the others
    assert worth(modes=1001, columns_distance=0.2).describes_kernel
    assert not worth(modes=1000, columns_distance=0.2).describes_kernel
    assert not worth(modes=1001, columns_distance=0.3).describes_kernel
    spread = Scores((0.5, 0.9), (1.0, 1.0), 10_000)
    assert spread.standard_error == pytest.approx(0.2)  # over the folds
    few = worth(shuffled=Shuffled(9, 12, 0, 0.05), scores=scores(0.95, 0.97))
    assert "cannot show p < 0.1, so that none could be" in few.sentence


def test_the_limits_can_be_changed():
    found = worth(scores=scores(0.66, 0.7), majority=0.6)
    assert found.verdict == "nothing learned" and found.to_dict()["limits"]["standard_errors"] == 3
    assert replace(found, limits=Limits(standard_errors=2)).verdict == "worth reading"
    assert replace(found, limits=Limits(standard_errors=1, least_gap=0.01, gap_errors=1)).overfits is False
    gap = worth(scores=scores(0.93, 0.97))
    assert not gap.overfits and replace(gap, limits=Limits(least_gap=0.01)).overfits
    kernel = worth(modes=1001, columns_distance=0.2)
    assert kernel.describes_kernel and not replace(kernel, limits=Limits(modes_per_row=20)).describes_kernel
    assert not replace(kernel, limits=Limits(same_columns=0.1)).describes_kernel


def test_both_remarks_follow_if_two_things_are_wrong():
    found = worth(scores=scores(0.61, 1.0), modes=10**9, columns_distance=0.1)
    assert found.verdict == "nothing learned" and len(found.remarks) == 2
    assert found.remarks[0].startswith("10^9 modes") and found.remarks[1].startswith("The model overfits")
    assert found._repr_html_().startswith("<div><b>Not worth reading: ")


def test_accuracy_is_that_of_scikit_learn():
    model = make_pipeline(StandardScaler(), SVC()).fit(IRIS, SPECIES)
    found = explain(model, IRIS, SPECIES)
    reference = cross_val_score(model, IRIS, SPECIES, cv=FOLDS)
    assert found.worth.scores.new == pytest.approx(reference) and found.worth.majority == pytest.approx(1 / 3)
    assert found[0, 1].worth.accuracy == found.worth.accuracy  # of the whole model
    assert str(found).startswith("Worth reading: 9")
    other = explain(model, IRIS, SPECIES, cv=KFold(3, shuffle=True, random_state=1)).worth
    assert len(other.scores.new) == 3 and other.scores.new != found.worth.scores.new[:3]


def test_models_that_are_not_worth_reading():
    full = OrcaSVC(3, None).fit(CANCER, LABELS)
    found = explain(full, CANCER, LABELS)
    assert found.worth.verdict == "nothing learned" and found.worth.describes_kernel
    assert "10^18 modes, 190 rows" in str(found) and str(found).startswith("Not worth reading")
    rbf = make_pipeline(StandardScaler(), SVC(gamma=1)).fit(CANCER, LABELS)
    overfit = explain(rbf, CANCER, LABELS).worth
    assert overfit.overfits and overfit.training > 0.99 and overfit.describes_kernel is None
    good = explain(OrcaSVC().fit(CANCER, LABELS), CANCER, LABELS).worth
    assert good.verdict == "worth reading" and "the shares by order are nearly those" in good.remarks[0]


def test_the_model_is_cross_validated_only_if_it_is_used(monkeypatch):
    calls = []
    monkeypatch.setattr(OrcaSVC, "predict", lambda self, X: calls.append(1) or np.zeros(len(X)))
    model = OrcaSVC().fit(X, XOR)
    found = audit(model, X, XOR)
    found.total, found.plot("columns")
    assert not calls
    found.worth, str(found), found.to_dict()
    assert len(calls) == 10  # five folds, on the rows inside and outside
    assert "new rows" not in str(audit(model, X, XOR, cv=None)) and len(calls) == 10


def test_without_labels_the_last_line_asks_for_them():
    model = OrcaSVC().fit(X, XOR)
    assert str(explain(model)).splitlines()[-1].startswith("Pass X and y")
    assert explain(model).worth.verdict == "not known"
    assert "Pass X and y" not in str(explain(model, cv=None))


@pytest.mark.parametrize("cv", [1, True, "five", 2.5])
def test_folds_that_are_none(cv):
    with pytest.raises(BadParameter, match=r"cv: .*; pass 5, or None to skip"):
        audit(OrcaSVC().fit(X, XOR), X, XOR, cv=cv)


def test_small_classes_have_fewer_folds():
    y = np.array([0] * 87 + [1] * 3)
    assert make_folds(5, y).n_splits == 3
    y[-2:] = 0
    found = Evidence(SVC(), TrainingData.from_caller(X, y, None), 5).scores
    assert "the class 1 has only one row" in found


def test_weights_and_pipelines_and_searches():
    weights = 1.0 + np.arange(90) % 3
    model = make_pipeline(MinMaxScaler((-1, 1)), SVC(C=3)).fit(X, XOR, svc__sample_weight=weights)
    assert audit(model, X, XOR, weights).worth.accuracy is not None
    search = GridSearchCV(SVC(), {"C": [1, 100]}, cv=3).fit(X, XOR)
    reference = cross_val_score(search, X, XOR, cv=FOLDS)
    assert explain(search, X, XOR).worth.scores.new == pytest.approx(reference)


def test_rows_of_weight_0_do_not_count():
    weights = np.r_[np.zeros(20), np.ones(70)]
    found = audit(OrcaSVC().fit(X, XOR, weights), X, XOR, weights).worth
    assert found.scores.rows == 70
    assert found.accuracy == explain(OrcaSVC().fit(X[20:], XOR[20:]), X[20:], XOR[20:]).worth.accuracy


def test_a_precomputed_matrix_is_cut_by_rows_and_columns():
    K = OrthogonalPolynomialKernel(2, order=2)
    model, plain = SVC(kernel="precomputed").fit(K(X, X), XOR), SVC(kernel=K).fit(X, XOR)
    found = [explain(model, X, XOR, kernel=K).worth, explain(plain, X, XOR).worth]
    assert found[0].scores == found[1].scores is not None
    rbf = SVC(kernel="precomputed").fit(RBF(2)(X, X), XOR)
    points = X.tolist()
    found = [explain(rbf, points, XOR, kernel=RBF(2)), explain(SVC(gamma=2).fit(X, XOR), X, XOR)]
    assert found[0].worth.scores == found[1].worth.scores is not None


def test_a_model_that_cannot_be_refitted_says_why():
    frozen = FrozenEstimator(SVC().fit(X, XOR))
    for model in (frozen, make_pipeline(frozen)):
        assert "fitted before" in explain(model, X, XOR).worth.sentence


def test_results_survive_pickling_with_their_worth():
    found = audit(OrcaSVC().fit(X, XOR), X, XOR)
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.worth == found.worth


# Columns.


def test_columns_are_sorted_and_the_quiet_one_is_explained():
    model = OrcaSVC().fit(X, XOR)
    found = explain(model, X, XOR)
    assert [row["total"] for row in found.columns] == sorted(found.total.values(), reverse=True)
    assert {row["column"] for row in found.columns[:2]} == {"x1", "x2"}
    row = found.columns[0]
    said = " ".join(str(found).split())
    other = ({"x1", "x2"} - {row["column"]}).pop()
    assert f"The column {row['column']} does almost nothing alone (marginal {row['marginal']:.6f})" in said
    assert f"most with {other} ({found.pair['x1', 'x2']:.6f})" in said
    additive = OrcaSVC(order=1).fit(X, X[:, 0] > 0)
    assert "almost nothing alone" not in str(explain(additive, X, X[:, 0] > 0))


def test_columns_of_three_classes_are_means_over_the_pairs():
    found = explain(OrcaSVC().fit(IRIS, SPECIES), IRIS, SPECIES)
    first = found.columns[0]
    totals = {key: part.total[first["column"]] for key, part in found.items()}
    assert first["total"] == pytest.approx(np.mean(list(totals.values())))
    a, b = max(totals, key=totals.get)
    assert first["pair"] == f"{a} against {b}" and first["largest"] == max(totals.values())
    assert "columns, means over the pairs:" in str(found)
    figure = found.plot("columns")
    figure.draw_without_rendering()
    for axis in figure.axes[:3]:
        assert not axis.title.get_window_extent().overlaps(axis.get_legend().get_window_extent())


def test_orders_have_the_share_of_equal_modes_beside_them():
    found = explain(OrcaSVC(n=2, order=2).fit(X, XOR))  # 6 single modes and 12 of pairs
    assert "(single columns; equal modes: 0.333333)" in str(found)
    assert "(pairs; equal modes: 0.666667)" in str(found)
    assert "equal modes" not in str(explain(SVC().fit(X, XOR), X, XOR))


def test_shuffled_labels_and_intervals():
    model = OrcaSVC().fit(X, XOR)
    study = null(model, X, XOR, repeats=59)
    found = audit(model, X, XOR, null=study, bootstrap=20)
    assert found.null == study and found.worth.shuffled.repeats == 59
    assert found.worth.shuffled.p_accuracy is None
    row = found.columns[0]
    chosen = study.select("order", "total", "shapley", "marginal")
    assert row["p"] == chosen["total", int(row["column"][1:])]["p_family"]
    assert row["bootstrap_low"] <= row["total"] <= row["bootstrap_high"]
    inside = []
    for column in chosen.columns:
        low, _, high = found.band[column.name, column.key]
        sample = study.samples[:, study.columns.index(column)] / column.unit
        inside.append((sample >= low - 1e-12) & (sample <= high + 1e-12))
    share = np.all(inside, axis=0).mean()
    assert 0.95 <= share < 1  # the band holds for all indices at once
    text = str(found)
    assert (
        "shuffled labels" in text
        and "bootstrap 95 %" in text
        and "59 shufflings of the labels cannot" in text
    )
    given = explain(model, X, XOR, null=study, bootstrap=bootstrap(found.problem, 20))
    assert given.band == found.band and given.columns[0]["p"] == row["p"]
    assert found.plot("columns").axes[0].get_legend() is not None
    with pytest.raises(BadParameter, match="null: the study belongs to other data"):
        audit(OrcaSVC().fit(X, NOISE), X, NOISE, null=study)
    with pytest.raises(BadParameter, match="is neither a number of repetitions nor a study of the kind null"):
        audit(model, X, XOR, null="many")
    with pytest.raises(BadParameter, match="null: it needs the labels of the fit"):
        explain(model, null=9)


# How simple.


@pytest.mark.slow
def test_how_simple_finds_the_interaction():
    found = how_simple(SVC().fit(X, XOR), X, XOR, orders=(1, 2, 9), degrees=(1,))
    assert [(m.order, m.n) for m in found.models] == [(1, 1), (2, 1), (3, 1)]  # of three columns
    assert found.recommended.order == 2 and found.learned
    assert "is enough" in found.sentence and "interactions of pairs of columns" in found.sentence
    best = found.best
    enough = [m for m in found.models if m.accuracy >= best.accuracy - best.standard_error]
    assert found.recommended is min(enough, key=lambda m: (m.order, m.n))
    assert found.recommended.estimator.order_ == 2
    assert str(found).count("\n*") == 2  # the row and the note
    assert len(found.to_dict()["models"]) == 3 and json.dumps(found.to_dict())
    assert "<b>Order 2" in found._repr_html_()


@pytest.mark.slow
def test_accuracies_of_how_simple_are_those_of_nested_cross_validation():
    model = make_pipeline(StandardScaler(), SVC(class_weight="balanced")).fit(X, XOR)
    template, prefix = replace_svc(model)
    assert prefix == "orca__" and template[-1].class_weight == "balanced"
    found = how_simple(model, X, XOR, orders=(2,), degrees=(1,)).models[0]
    one = clone(template).set_params(orca__order=2, orca__n=1)
    inner = StratifiedKFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(one, {"orca__C": [0.1, 1, 10]}, cv=inner)
    assert found.accuracy == pytest.approx(cross_val_score(search, X, XOR, cv=FOLDS).mean())
    assert search.fit(X, XOR).best_params_["orca__C"] == found.C


def test_how_simple_says_when_there_is_nothing():
    found = how_simple(OrcaSVC().fit(X, NOISE), X, NOISE, orders=(1,), degrees=(1, 2))
    assert found.sentence.startswith("None of these models is clearly better than chance")
    assert "*" not in str(found)


def test_how_simple_needs_rows_for_both_cross_validations():
    y = np.array([0] * 87 + [1] * 3)
    assert how_simple(SVC().fit(X, y), X, y, orders=(1,), degrees=(1,)).models[0].accuracy > 0.9
    y[-1] = 0
    with pytest.raises(
        BadParameter, match="the class 1 has only 2 rows, too few for nested cross-validation"
    ):
        how_simple(SVC().fit(X, y), X, y)


@pytest.mark.parametrize("orders", [(), (0,), (True,), (1.5,)])
def test_how_simple_wants_orders(orders):
    with pytest.raises(BadParameter, match=r"orders: .* is not a list of positive integers"):
        how_simple(OrcaSVC().fit(X, XOR), X, XOR, orders=orders)


@pytest.mark.parametrize(
    "model",
    [OrcaSVC(3, None), SVC(gamma=2.0), SVC(kernel="poly", degree=3, coef0=1)],
    ids=["own", "rbf", "poly"],
)
def test_a_model_truncated_at_its_highest_order_is_the_model(model):
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
    model = model.fit(X, y)
    (machine,) = unwrap_machines(model, TrainingData.from_caller(X, y, None))
    (binary,) = reconstruct_problems(machine)
    accuracies = truncated_accuracies(binary)
    assert accuracies[-1] == model.score(X, y) and len(accuracies) == 3
    assert accuracies[0] < accuracies[-1]


def test_how_simple_of_other_models():
    several = OneVsRestClassifier(OrcaSVC()).fit(IRIS, SPECIES)
    assert isinstance(replace_svc(several)[0], OrcaSVC)
    search = GridSearchCV(make_pipeline(MinMaxScaler(), SVC()), {"svc__C": [1, 2]}, cv=2).fit(X, XOR)
    assert replace_svc(search)[1] == "orca__"


def test_shapes_are_in_the_units_of_the_data():
    model = make_pipeline(StandardScaler(), SVC()).fit(100 * X, XOR)
    for found in (explain(model, 100 * X, XOR, cv=None), audit(model, 100 * X, XOR, cv=None)):
        low, high = found.plot("shapes").axes[0].get_xlim()
        assert high - low > 100  # the SVC saw columns with standard deviation 1
        low, high = found.profile.plot("shapes").axes[0].get_xlim()
        assert high - low < 10
    both = make_pipeline(StandardScaler(), OrcaSVC()).fit(100 * X, XOR)  # two scalers, one inside the other
    low, high = explain(both, 100 * X, XOR, cv=None).plot("shapes").axes[0].get_xlim()
    assert 150 < high - low < 300
    mixed = make_pipeline(PCA(2), SVC()).fit(X, XOR)
    assert explain(mixed, X, XOR, cv=None).plot("shapes").axes  # in the units of the SVC
    assert explain(SVC().fit(X, XOR), X, XOR, cv=None).units is None


def test_the_columns_of_several_classes_are_averaged():
    found = explain(OrcaSVC().fit(IRIS, SPECIES), IRIS, SPECIES, cv=None)
    for row in found.columns:
        assert row["total"] == pytest.approx(found.means.family("total")[int(row["column"][1:]),])
    figure = found.plot("columns")
    assert figure.axes[0].get_title() == "mean over 3 pairs" and len(figure.axes) == 4
    largest = max(bar.get_width() for bar in figure.axes[0].patches)
    assert largest == pytest.approx(found.columns[0]["total"])


def test_a_column_counts_once_for_all_pairs_of_classes():
    model = make_pipeline(MinMaxScaler((-1, 1)), SVC(C=3)).fit(IRIS, SPECIES)
    found = explain(model, IRIS, SPECIES, null=19, cv=None)
    shuffled = found.worth.shuffled
    assert shuffled.shown == IRIS.shape[1] and shuffled.pairs == 3
    assert 0 <= shuffled.different <= IRIS.shape[1]
    assert shuffled.p_accuracy >= 3 / 20 - 1e-12
    assert "and no smaller one than 0.15 can be shown" in found.worth.sentence
    with pytest.raises(BadParameter, match=r"drawn for one pair of classes; .* results\[0, 1\]\.plot"):
        found.plot("shapes")
