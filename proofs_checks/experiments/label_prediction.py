"""Whether the paper's Legendre classifiers predict labels that were left out: repeated cross-validation.

The design is the same for the given labels and for each shuffling: 20 draws of 10 stratified folds, the
columns rescaled once by all points as in the paper (which does not use the labels), C = 1, libsvm. Three
numbers are read off: the accuracy, the balanced accuracy (the mean of the shares of both classes that are
predicted correctly), and the AUC (the share of pairs of a +1 and a -1 left out together whose decision values
have the right order). All are counts, so that comparisons with shuffled labels are exact.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from orca_exact.files.formats import digest
from orca_exact.studies.overfit import assign_folds
from orca_exact.studies.work import generator

from .label_fits import LabelFits, propose
from .labellings import shuffle

DEGREES = (1, 2, 5, 10, 25)
FOLDS = 10
DRAWS = 20
SHUFFLINGS = 999
SEED = 6  # of the shufflings
_FOLD_SEED = 7
_TOLERANCE = 1e-6


class Counts(NamedTuple):
    """The scores of the predictions over all draws of the folds."""

    positives: int  # points with label +1
    negatives: int
    pairs: int  # twice the pairs in the right order; a tie counts one


def draw_folds(y: np.ndarray) -> list[np.ndarray]:
    """Return the fold of each point in each draw, stratified by the labels."""
    return [assign_folds(y.tolist(), FOLDS, generator(_FOLD_SEED, k)) for k in range(DRAWS)]


def totals(y: np.ndarray) -> Counts:
    """Return the largest possible counts."""
    positives, pairs = int((y > 0).sum()), 0
    for fold in draw_folds(y):
        for k in range(FOLDS):
            inside = y[fold == k] > 0
            pairs += 2 * int(inside.sum()) * int((~inside).sum())
    return Counts(DRAWS * positives, DRAWS * (len(y) - positives), pairs)


def cross_validate(gram: np.ndarray, y: np.ndarray, C: float) -> Counts:
    """Return the counts of correct predictions for one labelling."""
    positives = negatives = pairs = 0
    for fold in draw_folds(y):
        for k in range(FOLDS):
            left, train = np.flatnonzero(fold == k), np.flatnonzero(fold != k)
            s, b = propose(np.ascontiguousarray(gram[train[:, None], train]), y[train], C, _TOLERANCE)
            scores = gram[left[:, None], train] @ s + b
            high, low = scores[y[left] > 0], scores[y[left] < 0]
            positives, negatives = positives + int((high > 0).sum()), negatives + int((low < 0).sum())
            pairs += int(np.sign(high[:, None] - low).sum()) + high.size * low.size
    return Counts(positives, negatives, pairs)


def predictions(fits: LabelFits, shufflings: int, folder: Path | None = None) -> np.ndarray:
    """Return the counts of the given labels and of each shuffling; read the file if there is one."""
    y = np.array(fits.problem.y, dtype=float)
    design = [FOLDS, DRAWS, shufflings, SEED, _FOLD_SEED, _TOLERANCE]
    about = digest({"problem": fits.problem.sha256, "design": design})
    path = folder / f"prediction-{about[:16]}.npy" if folder else None
    if path and path.exists():
        kept: np.ndarray = np.load(path)
        return kept
    found = np.array([cross_validate(fits.gram, z, fits.C) for z in (y, *shuffle(y, SEED, shufflings))])
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, found)
    return found
