"""The accuracy on rows that were left out, and what it says about a model, in words."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from ..errors import shorten

STANDARD_ERRORS = 3.0  # by which the accuracy of a model that has learned exceeds that of the majority: 2 are
# exceeded by 6 % of the models of shuffled labels, because the folds share rows


@dataclass(frozen=True)
class Scores:
    """Accuracy on the rows that were left out, and on the rows of the fit, for each fold."""

    new: tuple[float, ...]
    training: tuple[float, ...]
    rows: int

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.new))

    @property
    def standard_error(self) -> float:
        """Larger one of the standard error over the folds and that of a share of so many rows.

        The share is (right + 1)/(rows + 2), so that the error is not 0 if every row is right.
        """
        share = (self.accuracy * self.rows + 1) / (self.rows + 2)
        over_folds = float(np.std(self.new, ddof=1)) / sqrt(len(self.new)) if len(self.new) > 1 else 0.0
        return max(over_folds, sqrt(share * (1 - share) / self.rows))

    def exceeds(self, majority: float, errors: float = STANDARD_ERRORS) -> bool:
        """Return whether the accuracy exceeds the share of the majority by so many standard errors."""
        return self.accuracy > majority + errors * self.standard_error


def describe_accuracy(scores: Scores, majority: float, most_frequent: Any, learned: bool) -> str:
    """Return a sentence that compares the accuracy with that of a constant answer."""
    right = f"{as_percent(scores.accuracy)} of new rows are classified correctly"
    folds = f"{len(scores.new)}-fold cross-validation"
    error = f"standard error {as_percent(scores.standard_error)}, {folds}"
    always = f"always answering {shorten(most_frequent)!s} gives {as_percent(majority)}"
    if learned:
        return f"{right} ({error}); {always}."
    return f"{right} ({error}), not clearly more than by chance: {always}. The indices may mean nothing."


def as_percent(share: float) -> str:
    """Return a share in percent with one decimal.

    >>> as_percent(0.997)
    '99.7 %'
    """
    return f"{100 * share:.1f} %"
