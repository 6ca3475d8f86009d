"""``simplest``: the refit of a search chooses the model of lowest complexity and explains the choice."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from flint import arb

sklearn = pytest.importorskip("sklearn")

from sklearn.base import clone  # noqa: E402
from sklearn.datasets import load_iris  # noqa: E402
from sklearn.model_selection import GridSearchCV, StratifiedKFold  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import MinMaxScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402

from orca_exact.errors import BadInput  # noqa: E402
from orca_exact.numbers.values import from_json_value  # noqa: E402
from orca_exact.sklearn import OrcaSVC, OrthogonalPolynomialKernel, simplest  # noqa: E402
from orca_exact.sklearn.simplest import effective_pairs  # noqa: E402

rng = np.random.default_rng(2)
X = np.round(rng.uniform(-1, 1, (40, 2)), 3)
Y = np.where(X[:, 0] + 0.5 * X[:, 1] + 0.1 * rng.normal(size=40) > 0, "yes", "no")
FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)


def results(*scores: float, spread: float = 0.2, params: list | None = None, name: str = "score") -> dict:
    """Return the ``cv_results_`` of five splits; the standard error of each score is spread/2."""
    given = params or [{"n": k} for k in range(1, len(scores) + 1)]
    splits = {f"split{k}_test_{name}": np.array(scores) for k in range(5)}
    found = {f"mean_test_{name}": np.array(scores), f"std_test_{name}": np.full(len(scores), spread)}
    return {"params": given} | splits | found


def decimals(choose) -> list[list[float]]:
    names = ("mean_order", "mean_degree", "effective_pairs")
    return [
        [float(from_json_value(row[name], name)) for name in names]
        for row in choose.comparison_["candidates"]
    ]


def test_a_search_takes_the_lowest_mass_within_a_standard_error():
    model = OrcaSVC(C=2)
    plain = GridSearchCV(model, {"n": [4, 3, 2, 1]}, cv=FOLDS).fit(X, Y)
    choose = simplest(model, X, Y)
    search = GridSearchCV(model, {"n": [4, 3, 2, 1]}, cv=FOLDS, refit=choose).fit(X, Y)
    found, scores = choose.comparison_, search.cv_results_["mean_test_score"]
    assert found["best"] == plain.best_index_
    splits = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(4)])[:, found["best"]]
    assert found["standard_error"] == pytest.approx(splits.std(ddof=1) / 2)
    asked = [row["candidate"] for row in found["candidates"]]
    assert asked == np.flatnonzero(scores >= scores.max() - found["standard_error"]).tolist()
    orders = [row[0] for row in decimals(choose)]
    assert found["chosen"] == asked[int(np.argmin(orders))] == search.best_index_
    assert search.best_params_ == search.cv_results_["params"][found["chosen"]]
    assert search.best_estimator_.predict(X).shape == (40,)
    json.dumps(found)


def test_the_criteria_are_those_of_an_audit():
    choose = simplest(OrcaSVC(), X, Y)
    choose(results(0.8, 0.8, 0.8))
    for row, (order, degree, pairs) in zip(choose.comparison_["candidates"], decimals(choose), strict=True):
        model = OrcaSVC(**row["params"]).fit(X, Y)
        profile = model.audit(X, Y, digits=12).profile
        assert order == pytest.approx(float(profile.order[1] + 2 * profile.order[2]), abs=1e-9)
        assert degree == pytest.approx(sum(N * float(x) for N, x in enumerate(profile.degree)), abs=1e-9)
        assert pairs == pytest.approx(1)  # there is one pair
        assert row["notes"][0].endswith("digits of w are proved")


def test_effective_pairs():
    class Some:
        def __init__(self, *shares):
            self.pair = dict(enumerate(map(arb, shares)))

    assert effective_pairs(Some(0.25, 0.25, 0)) == 2
    assert effective_pairs(Some(0.5, 0, 0)) == 1
    assert effective_pairs(Some()) == 0 == effective_pairs(Some(0, 0))
    assert effective_pairs(Some(0.4, 0.2, 0.1)) < 3


def test_only_those_within_one_standard_error_are_asked():
    choose = simplest(OrcaSVC(), X, Y)
    chosen = choose(results(0.79, 0.9, 0.85))
    assert chosen == (1 if decimals(choose)[0][0] < decimals(choose)[1][0] else 2)
    assert [row["candidate"] for row in choose.comparison_["candidates"]] == [1, 2]
    assert choose(results(0.79, 0.9, 0.85, spread=0.0)) == 1
    assert choose.comparison_["by"] == "score" and choose.comparison_["steps"] == []
    assert choose(results(0.8, 0.9, float("nan"))) == 0  # exactly one standard error below 0.9


def test_a_duplicate_cannot_be_decided_and_the_first_is_taken():
    choose = simplest(OrcaSVC(), X, Y)
    same = [{"n": 3}, {"n": 2}, {"n": 2}, {"n": 2, "cache_size": 100}]
    assert choose(results(0.8, 0.8, 0.9, 0.85, params=same)) == 1
    found = choose.comparison_
    assert found["by"] == "place in the grid"
    assert [step["criterion"] for step in found["steps"]] == ["mean_order", "mean_degree", "effective_pairs"]
    first = found["steps"][0]
    assert (
        first["dropped"] == {0: 1} and first["equal"] == [[1, 2], [1, 3], [2, 3]] and not first["undecided"]
    )


def test_what_balls_leave_open_goes_on():
    """C and C + 10^-13 give two models that 12 digits cannot distinguish."""
    choose = simplest(OrcaSVC(n=2), X, Y)
    near = [{"C": 1.0 + 1e-13}, {"C": 1.0}]
    assert choose(results(0.8, 0.8, params=near)) == 0
    assert [step["undecided"] for step in choose.comparison_["steps"]] == [[[0, 1]]] * 3


def test_a_model_that_is_not_certified_wins_nothing(monkeypatch):
    from orca_exact.errors import Undecided
    from orca_exact.sklearn import simplest as function

    module = __import__("sys").modules[function.__module__]
    proper = module.audit

    def audit(model, *rest, **more):
        if model.n == 1:
            raise Undecided("not today")
        return proper(model, *rest, **more)

    monkeypatch.setattr(module, "audit", audit)
    choose = simplest(OrcaSVC(), X, Y)
    assert choose(results(0.8, 0.8, 0.8)) == 1  # not n = 1, which is not certified
    assert choose.comparison_["candidates"][0]["notes"] == ["not certified: not today"]
    assert choose.comparison_["steps"][0]["undecided"] == [[0, 1], [0, 2]]


@pytest.mark.slow
def test_pipelines_and_kernels():
    pipe = make_pipeline(MinMaxScaler((-1, 1)), SVC(kernel=OrthogonalPolynomialKernel(1), tol=1e-8))
    choose = simplest(pipe, X, Y)
    grid = {"svc__kernel__n": [1, 2], "svc__C": [1, 5]}
    search = GridSearchCV(pipe, grid, cv=FOLDS, refit=choose, n_jobs=2).fit(X, Y)
    chosen = search.best_params_
    asked = [row["candidate"] for row in choose.comparison_["candidates"]]
    assert search.best_index_ in asked and set(chosen) == set(grid)
    plain = simplest(OrcaSVC(order=None), X, Y)
    points = MinMaxScaler((-1, 1)).fit_transform(X)
    mean = {n: OrthogonalPolynomialKernel(n).mean_diagonal(points) for n in (1, 2)}  # C is relative to it
    given = [(p["svc__kernel__n"], p["svc__C"]) for p in search.cv_results_["params"]]
    params = [{"n": n, "C": C * mean[n]} for n, C in given]
    assert plain(search.cv_results_ | {"params": params}) == search.best_index_
    assert np.allclose(decimals(plain), decimals(choose), atol=1e-7)


def test_several_classes_are_summed():
    iris = load_iris()
    rows = np.arange(0, 150, 3)
    A, b = iris.data[rows], iris.target[rows]
    choose = simplest(OrcaSVC(), A, b)
    choose(results(0.9, 0.9))
    model = OrcaSVC(n=2).fit(A, b)
    parts = model.audit(A, b).values()
    total = sum(q * float(x) for part in parts for q, x in enumerate(part.profile.order))
    assert decimals(choose)[1][0] == pytest.approx(total, abs=1e-7)
    assert len(choose.comparison_["candidates"][1]["notes"]) == 3


def test_clone_and_pickle():
    choose = simplest(OrcaSVC(C=2), X, Y, digits=10)
    choose(results(0.8, 0.8))
    again = pickle.loads(pickle.dumps(choose))
    assert (
        again.comparison_ == choose.comparison_ and again(results(0.8, 0.8)) == choose.comparison_["chosen"]
    )
    fresh = clone(choose)
    assert not hasattr(fresh, "comparison_") and fresh.digits == 10
    search = clone(GridSearchCV(OrcaSVC(C=2), {"n": [1, 2]}, cv=FOLDS, refit=choose)).fit(X, Y)
    assert search.refit is not choose and search.refit.comparison_["chosen"] == search.best_index_
    assert repr(choose) == "simplest(OrcaSVC, 40 rows)"


def test_one_of_several_metrics():
    choose = simplest(OrcaSVC(), X, Y, metric="f1_macro")
    grid = GridSearchCV(OrcaSVC(), {"n": [1, 2]}, cv=FOLDS, scoring=["accuracy", "f1_macro"], refit=choose)
    assert grid.fit(X, Y).best_index_ == choose.comparison_["chosen"]
    with pytest.raises(BadInput, match="metric: 'score' was not scored; pass one of f1"):
        simplest(OrcaSVC(), X, Y)(results(0.5, name="f1"))


def test_bad_input():
    with pytest.raises(BadInput, match="has no fit"):
        simplest("svc", X, Y)
    with pytest.raises(BadInput, match="do not have the same number of rows"):
        simplest(OrcaSVC(), X, Y[:-1])
    with pytest.raises(BadInput, match="is not the name of a score"):
        simplest(OrcaSVC(), X, Y, metric=["accuracy"])
    with pytest.raises(BadInput, match="every score is nan"):
        simplest(OrcaSVC(), X, Y)(results(float("nan")))
    with pytest.raises(BadInput, match=r"candidate 0, .*'sigmoid' is not positive definite"):
        simplest(SVC(kernel="sigmoid"), X, Y)(results(0.5, params=[{"C": 1.0}]))
