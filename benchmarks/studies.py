"""Shuffled labels: certified profiles of the same points against refitting; and the study that is stored.

``python -m benchmarks signal -o orca_exact/paper/data`` makes the file that the package carries.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from orca_exact import Problem, Solution, certify, orca
from orca_exact.number import QQ
from orca_exact.paper.signal import compute
from orca_exact.studies.engine import Engine

from .contenders import data, read
from .measure import Race, race

DATASETS = ("echocardiogram", "spiral")


def shuffled(count: int = 20, m: int = 61, d: int = 5, n: int = 25, budget: float = 5) -> Race:
    """The size of the paper's largest row; the labels are shuffled, the points are not."""
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

    from orca_exact import Kernel

    model = SVC(kernel="precomputed", C=1.0, max_iter=100_000).fit(Kernel(n)(X, X), y)
    alpha = np.zeros(len(y))
    alpha[model.support_] = abs(model.dual_coef_[0])
    problem = Problem(X, y, n, 0, 0)
    read(orca(problem, Solution(problem, tuple(map(QQ, alpha.tolist()))), "float"))


def signal(say: Callable[[str], Any], quick: bool = False) -> dict:
    """Nulls and resamples of every row of the paper's tables, and its sentences asked of shuffled labels."""
    repeats, resamples = (20, 10) if quick else (1_000, 200)
    return compute(DATASETS, repeats, resamples, progress=say)
