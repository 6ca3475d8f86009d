"""Whether a model predicts rows that were left out, compared with shuffled labels: evidence, not a proof.

Under the hypothesis that the labels do not depend on the rows, all permutations of the labels are equally
likely, so that p = (r + 1)/(B + 1) is valid. The accuracy and the columns are one family, whose p-values are
corrected by the step-down maxT method of Westfall and Young; only larger values than those of shuffled
labels count.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .statistics import step_down


@dataclass(frozen=True, eq=False)
class LeftOutPrediction:
    """Accuracies and predictive parts of columns on rows that were left out, computed in plain float64.

    Parameters
    ----------
    accuracies : ndarray
        Accuracy on rows that were left out: of the given labels first, then of each shuffling.
    agreement : ndarray
        For each column a row with the mean of y f over the rows that were left out, in the same order.
    """

    accuracies: np.ndarray
    agreement: np.ndarray

    @cached_property
    def _p_values(self) -> tuple[float, ...]:
        return step_down(np.vstack([self.accuracies, self.agreement]))

    @property
    def p_accuracy(self) -> float:
        """The p-value of the accuracy on new rows, corrected for all columns."""
        return self._p_values[0]

    @property
    def p_columns(self) -> tuple[float, ...]:
        """The p-value of each column for the prediction of new rows, corrected for all columns."""
        return self._p_values[1:]
