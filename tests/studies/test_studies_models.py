"""Tests of studies of audits and fitted models, of names of columns, and of printed studies."""

import numpy as np
import pytest

from orca_exact import Problem
from orca_exact.errors import BadParameter, UnknownKey
from orca_exact.studies import Studies, bootstrap, noise, null, overfit, sweep
from orca_exact.studies.overfit import describe_finding
from orca_exact.studies.text import compare_with_random
from orca_exact.studies.work import Work, run_tasks

pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")

from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import MinMaxScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

from orca_exact.sklearn import audit, explain  # noqa: E402

random = np.random.default_rng(5)
X = pandas.DataFrame(random.integers(0, 40, (36, 2)), columns=["age", "blood pressure"])
TWO = np.where(X["age"] + random.integers(0, 9, 36) > 22, "ill", "well")
THREE = np.where(X["blood pressure"] > 30, "dead", TWO)


def model(y):
    return make_pipeline(MinMaxScaler(), SVC(gamma=1.0)).fit(X, y)


@pytest.mark.parametrize(
    "study, options",
    [
        (null, {"repeats": 3}),
        (bootstrap, {"repeats": 3, "method": "subsample"}),
        (noise, {"repeats": 2, "delta": "0.001"}),
        (overfit, {"folds": 2, "repeats": 1, "gamma": [1, 2]}),
        (sweep, {"gamma": [1, 2]}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_a_model_an_audit_and_their_problem_give_the_same_study(study, options):
    fitted, found = model(TWO), audit(model(TWO), X, TWO)
    named = found.problem.replace(names=X.columns.tolist())
    expected = study(named, keep=False, **options)
    assert study(found, keep=False, **options) == expected
    assert study(fitted, X, TWO, keep=False, **options) == expected
    assert study(fitted, X=X, y=TWO, keep=False, **options) == expected
    other = study(found.problem.replace(C=2), keep=False, **options)
    assert other != expected  # the comparison can fail


def test_names_are_in_the_text_the_table_and_the_frame():
    study = null(audit(model(TWO), X, TWO), repeats=19, keep=False)
    text = str(study)
    for label in ("OKC of age, blood pressure ", "total of blood pressure ", "Shapley of age "):
        assert f"\n{label}" in text
    assert "pair_1_2" not in text and "OKC_12" not in text
    frame = study.to_frame().set_index("label")
    observed = frame.loc["OKC of age, blood pressure", "observed"]
    assert observed == study["pair", "age", "blood pressure"]["observed"] > 0
    assert "<td>total of age</td>" in study._repr_html_()


def test_several_classes_have_one_study_for_each_pair():
    fitted = model(THREE)
    studies = null(fitted, X, THREE, repeats=2, keep=False, strata=[0] * 18 + [1] * 18)
    assert isinstance(studies, Studies) and len(studies) == 3
    one = studies["well", "dead"]
    found = audit(fitted, X, THREE)["dead", "well"]
    strata = [int(i >= 18) for i in found.rows]
    named = found.problem.replace(names=X.columns.tolist())
    assert one == null(named, repeats=2, keep=False, strata=strata) != studies["ill", "well"]
    assert str(studies).count("study null: ") == len({row["pair"] for row in studies.rows()}) == 3
    with pytest.raises(UnknownKey, match=r"has .'dead', 'ill'."):
        studies["dead", "alive"]
    with pytest.raises(BadParameter, match="strata: 3 values were given for at least"):
        null(fitted, X, THREE, strata=[1, 2, 3])
    rows = sweep(fitted, X, THREE, keep=False).rows()
    assert [row["id"] for row in rows] == ["dead against ill", "dead against well", "ill against well"]


def test_models_without_their_data_are_refused():
    fitted = model(TWO)
    for call, says in (
        (lambda: null(fitted), r"a fitted Pipeline was given without its data; pass \(model, X, y\)"),
        (lambda: null(fitted, X), "without its data"),
        (lambda: null(explain(fitted, X, TWO)), r"does not have the data of the fit; pass audit\(model"),
        (lambda: null(audit(fitted, X, TWO), X=X), "leave it out"),
        (lambda: null(fitted, X + 1, TWO), "X"),  # not the data of the fit
        (lambda: sweep(fitted, X), "without its data"),
    ):
        with pytest.raises(BadParameter, match=says):
            call()


def test_sentences_about_random_labels():
    points = [[x / 8, y / 8] for x in (-7, -2, 1, 6) for y in (-5, -3, 2, 7)]
    problem = Problem(points, [1, 1, -1, 1, -1, -1, 1, -1] * 2, n=2, alpha=0, beta=0)
    assert "\n9 permutations cannot show a difference from random labels.\n" in str(
        null(problem, 9, keep=False)
    )
    study = null(problem, 39, keep=False)
    least = min(row["p_family"] for _, row in study)
    assert least > 0.05 and compare_with_random(least, 39) in " ".join(str(study).split())
    assert "in about 5.1 % of the cases: taken together, the indices are not shown" in compare_with_random(
        0.051, 999
    )
    assert "in about 5 % of the cases: this is evidence" in compare_with_random(0.05, 19)
    assert compare_with_random(1 / 19, 18).startswith("18 permutations cannot")


def test_findings_of_earlier_versions_are_described_by_their_numbers():
    old = {"best": 1, "loss": 5, "onset": 2, "outcome": "foretold"}
    assert describe_finding(old).endswith("prevail from n = 2 on: they predicted the loss.")
    late = old | {"best": "1/4", "loss": "2", "onset": "10"}  # "10" < "2" as texts
    assert describe_finding(late, "gamma").endswith("gamma = 10 on: they did not predict the loss.")


def test_small_tasks_are_sent_in_batches(monkeypatch):
    """Every task is computed once, also the last ones, which do not fill a batch."""
    monkeypatch.setattr("orca_exact.studies.work.PARALLEL_THRESHOLD", -1.0)
    sent = []

    def run_unordered(function, queue, jobs, scheduler, tick):
        for some, arguments in queue:
            sent.append(len(some))
            yield some, function(*arguments)

    monkeypatch.setattr("orca_exact.studies.work.run_unordered", run_unordered)
    keys = [{"k": k} for k in range(100)]
    found = run_tasks(pow, keys, lambda key: (key["k"], 2), Work(jobs=2, keep=False))
    assert {key["k"]: value for key, value in found} == {k: k * k for k in range(100)}
    assert sent == [12] * 8 + [3]
