"""Size and power of the comparison with shuffled labels, on random data.

``python -m benchmarks.shuffled_labels noise --rows 40 --columns 3 --sets 400`` draws 400 data sets without
signal and prints how often something is found at the level 0.05: by the test of ``explain(..., null=99)``
and, for comparison, by a two-sided test of the shares.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from orca_exact import RBF, Problem
from orca_exact.sklearn.shuffled import SHOWN_FAMILIES, compare_with_shuffled
from orca_exact.studies.null import Null

DESCRIPTION = "Measure size and power of the comparison with shuffled labels, on random data."
SIGNALS = {
    "noise": lambda X: 0 * X[:, 0],
    "sign": lambda X: 50 * X[:, 0],
    "linear": lambda X: 2 * X[:, 0],
    "xor": lambda X: 4 * X[:, 0] * X[:, 1],
}
LEVEL, LEAST = 0.05, 4


def draw(signal: str, rows: int, columns: int, seed: int) -> Problem | None:
    """Return a data set with logistic labels, or None if a class is too small."""
    random = np.random.default_rng([seed, rows, columns])
    X = random.normal(size=(rows, columns))
    y = np.where(SIGNALS[signal](X) + random.logistic(size=rows) > 0, 1, -1)
    if min((y > 0).sum(), (y < 0).sum()) < LEAST:
        return None
    return Problem(X.tolist(), y.tolist(), kernel=RBF(1 / columns))


def share_found(found: Null) -> bool:
    """Return whether some share differs from shuffled labels in a two-sided test of all of them."""
    return min(row["p_family"] for _, row in found.select(*SHOWN_FAMILIES)) <= LEVEL


def main() -> None:
    """Print one line of figures."""
    parser = argparse.ArgumentParser(description=DESCRIPTION)
    parser.add_argument("signal", choices=SIGNALS)
    for name, default in (("rows", 60), ("columns", 5), ("sets", 60), ("repeats", 99)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    start, hits = time.process_time(), []
    for seed in range(args.sets):
        if (problem := draw(args.signal, args.rows, args.columns, seed)) is not None:
            found = compare_with_shuffled(problem, args.repeats)
            assert found.prediction is not None
            p, p_accuracy = found.prediction.p_columns, found.prediction.p_accuracy
            hits.append(
                [min(p_accuracy, *p) <= LEVEL, p_accuracy <= LEVEL, p[0] <= LEVEL,
                 min(p[2:], default=1.0) <= LEVEL, share_found(found)]
            )  # fmt: skip
    shares = dict(
        zip(("some", "accuracy", "column 1", "columns 3 ...", "shares"), np.mean(hits, axis=0), strict=True)
    )
    figures = ", ".join(f"{name} {x:.3f}" for name, x in shares.items())
    print(f"{args.signal}, m = {args.rows}, d = {args.columns}, {len(hits)} data sets: {figures}")
    print(f"{time.process_time() - start:.0f} s of CPU time")


if __name__ == "__main__":
    main()
