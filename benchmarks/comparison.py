"""The page docs/comparison.md: shap, interpret, SALib, OpenTURNS and permutation importance on the same data.

None of them is needed by the package. What is not installed is left out; the versions are in the result.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

import numpy as np

Row = dict[str, Any]
PEERS = {"shap": "shap", "interpret": "interpret-core", "SALib": "SALib", "openturns": "openturns"}


def run(progress: Callable[[str], Any], quick: bool = False) -> dict[str, Any]:
    """Return the versions of the peers and the rows of each table."""
    found: dict[str, Any] = {"peer versions": versions()}
    for name, measure in {"uses": uses, "no signal": no_signal, "readable": readable}.items():
        progress(f"comparing: {name} ...")
        found[name] = measure(quick)
    return found


def versions() -> dict[str, str]:
    """Return the installed peers and their versions."""
    found = {}
    for module, name in PEERS.items():
        if find_spec(module):
            try:
                found[name] = version(name)
            except PackageNotFoundError:
                found[name] = version(module)
    return found


def timed(compute: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = compute()
    return found, float(f"{time.process_time() - start:.3g}")


# One fitted SVC, and the same with labels in random order.


def cancer(quick: bool, shuffled: bool = False) -> tuple[Any, ...]:
    """Return a pipeline with an RBF SVC, fitted to two thirds of the rows, and both parts of the data."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    data = load_breast_cancer(as_frame=True)
    X, y = data.data.iloc[:, : 5 if quick else None], data.target.to_numpy()
    if shuffled:
        y = np.random.default_rng(0).permutation(y)
    X, new, y, new_y = train_test_split(X, y, test_size=1 / 3, random_state=0, stratify=y)
    return make_pipeline(StandardScaler(), SVC()).fit(X, y), X, y, new, new_y


def uses(quick: bool = False) -> list[Row]:
    """Compare answers to the question which columns a fitted SVC uses."""
    from sklearn.inspection import permutation_importance

    from orca_exact.sklearn import audit, explain

    model, X, y, new, new_y = cancer(quick)
    names = list(X.columns)
    proved, cost = timed(lambda: audit(model, X, y, cv=None))
    total = proved.profile.total
    exact = np.array([float(total[name]) for name in names])
    quickly, less = timed(lambda: explain(model, X, y, cv=None))
    plain = [float(quickly.total[name]) for name in names]
    rows = [
        use("orca-exact, audit", "total index of the optimum, proved", cost, exact, names,
            max(float(x.rad()) for x in total.values())),
        use("orca-exact, explain", "total index of the fitted model", less, plain, names,
            error(plain, exact)),
    ]  # fmt: skip
    for name, measure in {"SALib": salib, "openturns": openturns}.items():
        if find_spec(name):
            rows += measure(model, X, plain, names, quick)
    if find_spec("shap"):
        values, cost = timed(lambda: mean_shap(model, X, new, quick))
        rows.append(use("shap, PermutationExplainer", "mean size of the Shapley values", cost, values, names))
    repeats = 2 if quick else 30
    result, cost = timed(
        lambda: permutation_importance(model, new, new_y, n_repeats=repeats, random_state=0, n_jobs=1)
    )
    what = "loss of accuracy on new rows"
    rows.append(use("scikit-learn, permutation importance", what, cost, result.importances_mean, names))
    return rows


def use(program: str, what: str, cost: float, values: Any, names: list[str], off: float | None = None) -> Row:
    best = np.argsort(-np.asarray(values), kind="stable")[:3]
    return {
        "program": program, "answer": what, "seconds": cost,
        "error": None if off is None else float(f"{off:.2g}"), "first": [names[i] for i in best],
    }  # fmt: skip


def error(values: Any, exact: Any) -> float:
    return float(np.abs(np.asarray(values, dtype=float) - exact).max())


def mean_shap(model: Any, X: Any, new: Any, quick: bool) -> np.ndarray:
    """Return the mean absolute Shapley value of each column for some new rows."""
    import shap

    count, size = (5, 10) if quick else (100, 100)
    masker = shap.maskers.Independent(X.to_numpy(), max_samples=size)

    def decide(Z: np.ndarray) -> np.ndarray:
        return model[-1].decision_function((Z - model[0].mean_) / model[0].scale_)

    explainer = shap.PermutationExplainer(decide, masker, seed=0)
    return np.abs(explainer(new.to_numpy()[:count], silent=True).values).mean(axis=0)


def by_quantiles(model: Any, X: Any) -> Callable[[np.ndarray], np.ndarray]:
    """Return the decision function on the unit cube: u_j is mapped to the quantile of column j."""
    ordered = np.sort(X.to_numpy(), axis=0)

    def decide(u: np.ndarray) -> np.ndarray:
        place = np.minimum((u * len(ordered)).astype(int), len(ordered) - 1)
        Z = np.take_along_axis(ordered, place, axis=0)
        return model[-1].decision_function((Z - model[0].mean_) / model[0].scale_)

    return decide


def salib(model: Any, X: Any, exact: Any, names: list[str], quick: bool) -> list[Row]:
    """Estimate the total indices under the empirical distributions with SALib."""
    from SALib.analyze import sobol as analyze
    from SALib.sample import sobol as sample

    d, decide, rows = len(names), by_quantiles(model, X), []
    unit = {"num_vars": d, "names": names, "bounds": [[0, 1]] * d}
    for power in (6,) if quick else (10, 14):

        def estimate(power: int = power) -> Any:
            points = sample.sample(unit, 2**power, calc_second_order=False, seed=1)
            return analyze.analyze(unit, decide(points), calc_second_order=False, num_resamples=100, seed=1)[
                "ST"
            ]

        found, cost = timed(estimate)
        what = f"total index of the fitted model, from {2**power * (d + 2):,} values"
        rows.append(use("SALib", what, cost, found, names, error(found, exact)))
    return rows


def openturns(model: Any, X: Any, exact: Any, names: list[str], quick: bool) -> list[Row]:
    """Estimate the same with the pick-freeze method of OpenTURNS."""
    import openturns as ot

    d, decide = len(names), by_quantiles(model, X)
    size = 2 ** (6 if quick else 14)

    def estimate() -> Any:
        ot.RandomGenerator.SetSeed(1)
        cube = ot.JointDistribution([ot.Uniform(0, 1)] * d)
        inputs = ot.SobolIndicesExperiment(cube, size, False).generate()
        outputs = ot.Sample(decide(np.array(inputs)).reshape(-1, 1))
        return ot.SaltelliSensitivityAlgorithm(inputs, outputs, size).getTotalOrderIndices()

    found, cost = timed(estimate)
    what = f"total index of the fitted model, from {size * (d + 2):,} values"
    return [use("OpenTURNS, Saltelli", what, cost, list(found), names, error(list(found), exact))]


def no_signal(quick: bool = False) -> list[Row]:
    """Return what each program says about a model of labels in random order."""
    from sklearn.inspection import permutation_importance

    from orca_exact.sklearn import explain

    model, X, y, new, new_y = cancer(quick, shuffled=True)
    found = explain(model, X, y)
    top = max(found.total, key=lambda name: found.total[name])
    rows = [
        said(
            "orca-exact, explain",
            f"{found.worth.verdict}; total index of {top}: {float(found.total[top]):.2f}",
        )
    ]
    for where, data, labels in (("the rows of the fit", X, y), ("new rows", new, new_y)):
        result = permutation_importance(
            model, data, labels, n_repeats=2 if quick else 30, random_state=0, n_jobs=1
        )
        i = int(result.importances_mean.argmax())
        most, spread = result.importances_mean[i], result.importances_std[i]
        text = f"accuracy falls by {most:.3f} ± {spread:.3f} without {X.columns[i]}"
        rows.append(said(f"permutation importance, {where}", text))
    if find_spec("shap"):
        values = mean_shap(model, X, new, quick)
        i = int(values.argmax())
        share = values[i] / values.sum()
        rows.append(
            said("shap", f"{X.columns[i]} has {share:.1%} of the sum of all mean sizes, the largest share")
        )
    if find_spec("interpret"):
        from interpret.glassbox import ExplainableBoostingClassifier

        fewer = {"outer_bags": 2, "max_rounds": 50} if quick else {}
        boosted = ExplainableBoostingClassifier(n_jobs=1, random_state=0, **fewer).fit(X, y)
        data = boosted.explain_global().data()
        i = int(np.argmax(data["scores"]))
        text = f"{data['names'][i]} has the largest score, {data['scores'][i]:.2f}; "
        right = [f"{boosted.score(*part):.0%}" for part in ((X, y), (new, new_y))]
        text += f"{right[0]} of the rows of the fit and {right[1]} of new rows are right"
        rows.append(said("interpret, EBM", text))
    return rows


def said(program: str, text: str) -> Row:
    return {"program": program, "says": text}


# Readable models.


def tables_of_data(quick: bool) -> dict[str, tuple[Any, ...]]:
    """Return data sets by name, each split into rows of the fit and new rows: X, new X, y, new y."""
    from sklearn.datasets import load_breast_cancer, load_diabetes
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    patients, progress = load_diabetes(return_X_y=True)
    real = {"breast cancer": (X, y), "diabetes": (patients, (progress > np.median(progress)).astype(int))}
    if quick:
        real = {"breast cancer": (X[::8, :3], y[::8])}
    found = {
        name: tuple(train_test_split(X, y, test_size=1 / 3, random_state=0, stratify=y))
        for name, (X, y) in real.items()
    }
    few, many, new = (40, 60, 40) if quick else (500, 5000, 5000)
    for kind, m in (("smooth", few), ("steps", few), ("steps", many)):
        X, y = drawn(kind, m + new)
        found[f"{kind}, {m:,} rows"] = X[:m], X[m:], y[:m], y[m:]
    return found


def drawn(kind: str, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return eight columns of which three matter, and labels of which one in twenty is wrong."""
    draw = np.random.default_rng(0)
    X = draw.uniform(-1, 1, (m, 8))
    if kind == "smooth":
        value = np.sin(2 * X[:, 0]) + 2 * X[:, 1] * X[:, 2]
    else:
        value = np.where(X[:, 0] > 0.3, 1, -1) + 2 * np.where((X[:, 1] > 0.5) != (X[:, 2] > -0.2), 1, -1)
    return X, ((value > 0) != (draw.random(m) < 0.05)).astype(int)


def readable(quick: bool = False) -> list[Row]:
    """Compare accuracy and cost of models that consist of curves and surfaces; an SVC for comparison."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    from orca_exact.sklearn import OrcaSVC

    models: dict[str, Any] = {
        "OrcaSVC()": OrcaSVC(),
        "OrcaSVC(n=6)": OrcaSVC(n=6),
        "SVC(), scaled": make_pipeline(StandardScaler(), SVC()),
    }
    if find_spec("interpret"):
        from interpret.glassbox import ExplainableBoostingClassifier

        fewer = {"outer_bags": 2, "max_rounds": 50} if quick else {}
        models["EBM"] = ExplainableBoostingClassifier(n_jobs=1, random_state=0, **fewer)
    rows = []
    for data, (X, new, y, new_y) in tables_of_data(quick).items():
        for name, model in models.items():
            _, cost = timed(lambda model=model, X=X, y=y: model.fit(X, y))
            accuracy = round(float(model.score(new, new_y)), 3)
            row = {"data": data, "columns": X.shape[1], "new": len(new), "model": name}
            rows.append(row | {"seconds": cost, "accuracy": accuracy})
    return rows
