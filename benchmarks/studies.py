"""Cost of certified profiles of shuffled labels, and the stored study of the paper's tables.

``python -m benchmarks signal -o proofs_checks/data`` writes the file that is part of the package.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from orca_exact import Problem, Solution, certify, orca
from orca_exact.numbers.rationals import QQ
from orca_exact.studies import overfit, sweep
from orca_exact.studies.engine import Engine
from proofs_checks.experiments.optima import configuration
from proofs_checks.experiments.signal import compute_signal, signal_degrees

from .contenders import data, read
from .measure import Race, race

LEGENDRE = {"echocardiogram": "tab-echo-legendre", "spiral": "tab-spiral-legendre"}
DATASETS = tuple(LEGENDRE)
KEPT = (
    "n",
    "train",
    "cv",
    "cv_error",
    "cv_low",
    "cv_high",
    "mean_order",
    "high",
    "interactions",
    "peak",
    "undecided",
)


def shuffled(count: int = 20, m: int = 61, d: int = 5, n: int = 25, budget: float = 5) -> Race:
    """Compare the cost of profiles of shuffled labels, at the size of the paper's largest row."""
    X, y = data(m, d)
    labels = [np.random.default_rng(seed).permutation(y).tolist() for seed in range(count)]

    def ours() -> None:
        engine = Engine(Problem(X, labels[0], n, 0, 0))
        for each in labels:
            engine.read(each)

    def scratch(level: str, arithmetic: str) -> None:
        for each in labels:
            problem = Problem(X, each, n, 0, 0)
            read(orca(problem, certify(problem, level=level, digits=20), arithmetic, 20))

    contenders: dict[str, Callable[[], Any]] = {
        "Engine.read": ours,
        "from scratch, float64 with bounds": partial(scratch, "float", "verified"),
        "from scratch, balls of 20 digits": partial(scratch, "ball", "ball"),
        "from scratch, libsvm and float64, nothing proved": lambda: [_libsvm(X, each, n) for each in labels],
    }
    return race(
        f"{count} certified profiles of shuffled labels, m = {m}, d = {d}, n = {n}", contenders, budget
    )


def _libsvm(X: np.ndarray, y: list[int], n: int) -> None:
    from sklearn.svm import SVC

    from orca_exact import OrthogonalPolynomials

    model = SVC(kernel="precomputed", C=1.0, max_iter=100_000).fit(OrthogonalPolynomials(n)(X, X), y)
    alpha = np.zeros(len(y))
    alpha[model.support_] = abs(model.dual_coef_[0])
    problem = Problem(X, y, n, 0, 0)
    read(orca(problem, Solution(problem, tuple(map(QQ, alpha.tolist()))), "float"))


def signal(progress: Callable[[str], Any], quick: bool = False) -> dict:
    """Compute the study: shuffled labels and resamples of the paper's rows, overfitting, a sweep over C."""
    repeats, resamples = (20, 10) if quick else (1_000, 200)
    return compute_signal(DATASETS, repeats, resamples, progress=progress) | structure(progress, quick)


def structure(progress: Callable[[str], Any], quick: bool = False) -> dict:
    """Compute accuracy and orders for five data sets, and the paper's Legendre rows for five values of C."""
    tops, repeats, C = ((1, 2), 1, ["1"]) if quick else (None, 3, ["0.01", "0.1", "1", "10", "100"])
    sets = {name: (configuration(name, 1), tops or signal_degrees(table)) for name, table in LEGENDRE.items()}
    sets |= {name: (problem, tops or (1, 2, 3, 4, 5)) for name, problem in known().items()}
    accuracy = []
    for name, (problem, n) in sets.items():
        study = overfit(problem, n, repeats=repeats, progress=progress)
        rows = [
            {key: _short(row[key]) for key in row if key in KEPT or key.startswith("order_")}
            for row in study.rows()
        ]
        share = max(problem.y.count(1), problem.y.count(-1)) / problem.m
        accuracy.append(
            {"name": name, "problem": study.problem, "majority": _short(share), "says": study.conclusion,
             "finding": study.finding, **study.settings, "rows": rows}
        )  # fmt: skip
    echo = configuration("echocardiogram", 1)
    table = sweep([echo], tops or signal_degrees(LEGENDRE["echocardiogram"]), C=C, progress=progress).rows()
    keep = ("n", "C", "peak", "accuracy", "free", "bound", "proof")
    rows = [
        {key: _short(row[key]) for key in row if key in keep or key.startswith("order_")} for row in table
    ]
    return {"overfit": accuracy, "sweep": {"problem": echo.id, "rows": rows}}


def known() -> dict[str, Problem]:
    """Return problems from three data sets of scikit-learn, with two classes and some of the columns."""
    from sklearn.datasets import load_breast_cancer, load_iris, load_wine

    chosen = {
        "iris (versicolor, virginica)": (load_iris(), (1, 2), [0, 1, 2, 3]),
        "wine (classes 0 and 1)": (load_wine(), (0, 1), [0, 6, 9, 12]),
        "breast cancer": (load_breast_cancer(), (0, 1), [0, 1, 4, 6]),
    }
    found = {}
    for name, (table, labels, columns) in chosen.items():
        rows = np.flatnonzero(np.isin(table.target, labels))
        X = [[repr(float(x)) for x in row] for row in table.data[rows][:, columns]]
        y = [1 if label == labels[1] else -1 for label in table.target[rows]]
        found[name] = Problem(X, y, 1, 0, 0, rescale=True, id=name)
    return found


def _short(x: Any) -> Any:
    return float(f"{x:.6g}") if isinstance(x, float) else x
