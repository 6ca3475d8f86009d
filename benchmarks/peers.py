"""Attributions against the explainers of shap, and indices against SALib: errors and times for the same h.

shap and SALib are not needed by the package; what is not installed is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from orca_exact import RBF, Problem, Uniform, certify, orca

Row = dict[str, Any]


def run(progress: Callable[[str], Any], quick: bool = False) -> dict[str, Any]:
    """Return one row for each program and task."""
    rows: list[Row] = []
    for name, measure in {"shap": attributions, "SALib": indices}.items():
        try:
            title = f"{name} {version(name)}"
        except PackageNotFoundError:
            continue
        progress(f"comparing with {title} ...")
        rows += [row | {"task": f"{title}: {row['task']}"} for row in measure(quick)]
    return {"peers": rows}


def _timed(compute: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    return compute(), time.process_time() - start


def attributions(quick: bool = False) -> list[Row]:
    """Compare Shapley values of an RBF classifier against a background sample, for a few rows."""
    import shap
    from sklearn.datasets import load_breast_cancer
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    d, count, size = (6, 1, 10) if quick else (30, 3, 100)
    X = StandardScaler().fit_transform(data.data[:, :d])
    problem = Problem(X, [1 if label else -1 for label in data.target], kernel=RBF(1 / d), C=1)
    proof = certify(problem, level="float")
    pick = np.random.default_rng(0).permutation(len(X))
    some, background = X[pick[:count]], X[pick[count : count + size]]
    plain, proved = orca(problem, proof, "float"), orca(problem, proof, "verified")
    support = plain.generating.support
    centres = X[list(support.rows)]

    def h(Z: Any) -> np.ndarray:
        return problem.kernel(Z, centres) @ support.s

    task = (
        f"Shapley values, breast cancer, RBF, d = {d}, {len(centres)} support vectors, {size} background rows"
    )
    enclosures, seconds = _timed(lambda: proved.attributions(some, background).values)
    exact = enclosures.astype(float)
    most = float(abs(exact).max())
    found = [
        _row(task, "orca-exact, proved", seconds / count, max(float(x.rad()) for x in enclosures.flat) / most)
    ]

    def add(name: str, compute: Callable[[], Any]) -> None:
        values, seconds = _timed(compute)
        error = float(abs(np.asarray(values, dtype=float).reshape(exact.shape) - exact).max()) / most
        found.append(_row(task, name, seconds / count, error))

    add("orca-exact, float64", lambda: plain.attributions(some, background).values)
    small = shap.maskers.Independent(background, max_samples=2)
    shap.PermutationExplainer(h, small, seed=0)(some[:1], silent=True)  # compiles its code
    masker = shap.maskers.Independent(background, max_samples=size)
    np.random.seed(0)  # shap draws from the global state
    add(
        "shap.PermutationExplainer",
        lambda: shap.PermutationExplainer(h, masker, seed=0)(some, silent=True).values,
    )
    add(
        "shap.SamplingExplainer", lambda: shap.SamplingExplainer(h, background).shap_values(some, silent=True)
    )
    kernel = shap.KernelExplainer(h, background)
    add("shap.KernelExplainer", lambda: kernel.shap_values(some, silent=True))
    add("the same, l1_reg=False", lambda: kernel.shap_values(some, l1_reg=False, silent=True))
    return found


def indices(quick: bool = False) -> list[Row]:
    """Compare total and first-order indices of an RBF classifier under uniform measures."""
    from SALib.analyze import sobol as analyze
    from SALib.sample import sobol as sample

    m, d = (40, 3) if quick else (120, 8)
    X = np.random.default_rng(0).uniform(-1, 1, (m, d)).round(4)
    y = [1 if row[0] * row[1] + row[2] > 0 else -1 for row in X]
    problem = Problem(X, y, kernel=RBF("2/5"), C=10, under=Uniform(-1, 1))
    proof, before = _timed(lambda: certify(problem, level="float"))
    profile, seconds = _timed(lambda: orca(problem, proof, "verified"))
    (total, first), more = _timed(lambda: (list(profile.total.values()), list(profile.marginal.values())))
    task = f"total and first-order indices, RBF, d = {d}, {m} rows, uniform measures"
    radius = max(float(x.rad()) for x in [*total, *first])
    found = [_row(task, "orca-exact, proved", before + seconds + more, radius)]
    support = orca(problem, proof, "float").generating.support
    centres = X[list(support.rows)]
    unit = {"num_vars": d, "names": [f"x{i}" for i in range(d)], "bounds": [[-1, 1]] * d}
    for power in (6,) if quick else (8, 12, 16):

        def estimate(power: int = power) -> Any:
            points = sample.sample(unit, 2**power, calc_second_order=False, seed=1)
            values = problem.kernel(points, centres) @ support.s
            return analyze.analyze(unit, values, calc_second_order=False, num_resamples=100, seed=1)

        result, seconds = _timed(estimate)
        pairs = [*zip(result["ST"], total, strict=True), *zip(result["S1"], first, strict=True)]
        error = max(abs(float(x) - float(z)) for x, z in pairs)
        found.append(_row(task, f"SALib, {2**power * (d + 2):,} points", seconds, error))
    return found


def _row(task: str, name: str, seconds: float, error: float) -> Row:
    return {"task": task, "name": name, "seconds": float(f"{seconds:.3g}"), "error": float(f"{error:.2g}")}
