"""Does the onset of high orders predict the loss of accuracy? Three data sets of scikit-learn are tried.

Every model of every fold is certified. Each answer is about its own data set only.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from orca_exact import Problem
from orca_exact.studies import overfit


def two_classes(data, labels, columns, rows=None):
    """Return the problem of two classes and some columns, with the decimals of the table as exact numbers."""
    keep = np.flatnonzero(np.isin(data.target, labels))[:rows]
    X = [[repr(float(x)) for x in row] for row in data.data[keep][:, columns]]
    y = [1 if label == labels[1] else -1 for label in data.target[keep]]
    return Problem(X, y, n=1, alpha=0, beta=0, C=10, rescale=True)


SETS = {
    "iris, versicolor and virginica": two_classes(load_iris(), (1, 2), [0, 1, 2, 3]),
    "wine, classes 0 and 1": two_classes(load_wine(), (0, 1), [0, 6, 9, 12]),
    "breast cancer, the first 120": two_classes(load_breast_cancer(), (0, 1), [0, 1, 4, 6], 120),
}
for name, problem in SETS.items():
    study = overfit(problem, n=[1, 2, 3, 4], folds=5, repeats=1, seed=1, keep=False)
    print(f"{name} ({problem.m} points, {problem.d} columns)")
    print("  n  train     cv  +-      mean order  above d/2")
    for row in study.rows():
        print(
            f"{row['n']:3}  {row['train']:.3f}  {row['cv']:.3f}  {row['cv_error']:.3f}"
            f"{row['mean_order']:13.3f}  {row['high']:9.3f}"
        )
    rank = study.finding["spearman"]
    print(f"  {study.conclusion}")
    if rank:
        print(f"  Spearman correlation of mean order and cv: {rank['rho']:.2f}, p = {rank['p']:.2f}")
    else:
        print("  There is no rank correlation: mean order or cv is constant.")
