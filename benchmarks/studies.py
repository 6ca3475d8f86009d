"""Cost of certified profiles of shuffled labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from orca_exact import Problem, Solution, certify, orca
from orca_exact.numbers.rationals import QQ
from orca_exact.studies.engine import Engine

from .contenders import data, read
from .measure import Race, race


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
