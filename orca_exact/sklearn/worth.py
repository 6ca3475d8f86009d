"""Whether a model is worth reading: its accuracy on new rows, and whether its indices describe the data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log10
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import get_tags

from ..errors import BadParameter, OrcaError, pluralize, printable
from ..files.escaping import for_html
from ..runtime.progress import SlowProgress
from ..studies.accuracy import STANDARD_ERRORS, Scores, as_percent, describe_accuracy
from ..studies.null import equal_modes
from .kernel import require_finite_rows
from .shuffled import SHOWN_FAMILIES
from .wrappers import TrainingData

if TYPE_CHECKING:
    from .class_pairs import PairResult

SEED = 0  # of the folds
WIDTH = 100  # characters of a line
_REFUSED = (ValueError, TypeError, AttributeError, ArithmeticError, NotFittedError, OrcaError)


class Limits(NamedTuple):
    """The limits of the verdicts; ``dataclasses.replace(found.worth, limits=Limits(...))`` applies others.

    Parameters
    ----------
    standard_errors : float
        By so many standard errors must the accuracy exceed that of the majority. The folds share rows, so
        that 2 are exceeded by 6 % of the models of shuffled labels instead of 2.5 %.
    gap_errors, least_gap : float
        A model may overfit if the accuracies on training and on new rows differ by more than so many
        standard errors, and by at least so much, which is a convention: smaller gaps matter to few users.
    modes_per_row : float
        Columns are compared with those of equal modes only if there are more modes for each row, a
        convention: with few modes, the data determine the coefficients, and the shares describe the data.
    same_columns : float
        Columns count as those of equal modes if no total index differs by this part of it, a convention: then
        no column stands out.
    same_orders : float
        Orders count as those of equal modes up to this distance in total variation, a convention.
    significant : float
        The level of all tests together.
    """

    standard_errors: float = STANDARD_ERRORS
    gap_errors: float = 2.0
    least_gap: float = 0.05
    modes_per_row: float = 10
    same_columns: float = 0.25
    same_orders: float = 0.05
    significant: float = 0.05


LIMITS = Limits()


def make_folds(cv: Any, y: np.ndarray, place: str = "cv") -> Any:
    """Return a splitter: for a number, stratified folds in a fixed random order.

    There are fewer folds if the smallest class has fewer rows.
    """
    splitter = hasattr(cv, "split") or isinstance(cv, Iterable)
    if isinstance(cv, bool | str) or not (isinstance(cv, int) or splitter):
        rule = "is neither a number of folds nor a splitter of scikit-learn"
        raise BadParameter(place, repr(cv)[:60], rule, "pass 5, or None to skip the cross-validation")
    if not isinstance(cv, int):
        return check_cv(cv, y, classifier=True)
    if cv < 2:
        raise BadParameter(place, cv, "is fewer than 2 folds", "pass 5, or None to skip the cross-validation")
    labels, counts = np.unique(y, return_counts=True)
    if counts.min() < 2:
        rule = "has only one row, which cannot be both in the fit and left out"
        hint = "add rows, or pass cv=None to skip the cross-validation"
        raise BadParameter("y", f"the class {labels[counts.argmin()]}", rule, hint)
    return StratifiedKFold(min(cv, int(counts.min())), shuffle=True, random_state=SEED)


def score_folds(
    model: Any, data: TrainingData, folds: Any, progress: Callable[[str], None] = lambda line: None
) -> Scores:
    """Fit a clone of a model to each fold and score it."""
    assert data.y is not None
    pairwise = get_tags(model).input_tags.pairwise
    new: list[float] = []
    training: list[float] = []
    splits = list(folds.split(data.X, data.y))
    for k, (train, test) in enumerate(splits):
        progress(f"cross-validation: {k} of {len(splits)} folds")
        inside, outside = (_select(data, rows, train if pairwise else None) for rows in (train, test))
        weights = {} if inside.weights is None else _fit_weights(model, inside.weights)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = clone(model).fit(inside.X, inside.y, **weights)
            for part, scores in ((outside, new), (inside, training)):
                scores.append(float(np.mean(np.asarray(fitted.predict(part.X)) == part.y)))
    return Scores(tuple(new), tuple(training), len(data.y))


def _select(data: TrainingData, rows: np.ndarray, columns: np.ndarray | None) -> TrainingData:
    """Select rows, and of a matrix of kernel values the columns of the rows of the fit."""
    part = data.take(rows)
    if columns is not None:
        part = TrainingData(np.asarray(part.X)[:, columns], part.y, part.weights, part.rows)
    return part


def _fit_weights(model: Any, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Return the argument of ``fit`` that passes the weights to the SVC, also in a pipeline."""
    name = "sample_weight"
    while hasattr(model, "steps"):
        step, model = model.steps[-1]
        name = f"{step}__{name}"
    return {name: weights}


@dataclass(frozen=True)
class Evidence:
    """An unfitted clone of a model and its data; the accuracy is computed when it is first asked for.

    ``reason`` says why there is none.
    """

    model: Any = None
    data: TrainingData = field(default_factory=TrainingData)
    cv: Any = None
    reason: str = ""

    @cached_property
    def scores(self) -> Scores | str:
        """The scores, or the reason why there are none."""
        if self.model is None:
            return self.reason
        assert self.data.y is not None
        with SlowProgress() as progress:
            try:
                return score_folds(self.model, self.data, make_folds(self.cv, self.data.y), progress)
            except _REFUSED as error:
                why = str(error).strip().splitlines() or [type(error).__name__]
                return f"the model could not be cross-validated: {why[0].rstrip('.')}"


NO_LABELS = "pass X and y as well to learn whether the model is worth reading"


def gather_evidence(model: Any, data: TrainingData, cv: Any, kernel: Any = None) -> Evidence:
    """Keep what a cross-validation needs; ``kernel`` is the one of a precomputed matrix."""
    if cv is None:
        return Evidence(data=data)
    if data.y is None or data.X is None:
        return Evidence(data=data, reason=NO_LABELS)
    make_folds(cv, np.repeat([0, 1], 9))  # raises BadParameter for a cv that is not valid
    if reason := _unfittable(model):
        return Evidence(data=data, reason=reason)
    if data.weights is not None:
        data = data.take(np.flatnonzero(data.weights > 0))
    try:
        if get_tags(model).input_tags.pairwise and kernel is not None:
            points = require_finite_rows(data.X)
            data = TrainingData(np.asarray(kernel(points, points)), data.y, data.weights, data.rows)
        return Evidence(clone(_search_or_best(model)), data, cv)
    except _REFUSED as error:
        return Evidence(data=data, reason=f"the model cannot be cloned ({str(error).splitlines()[0]})")


def _unfittable(model: Any) -> str:
    """Return why a clone of the model would not be fitted anew, or an empty string."""
    params = model.get_params(deep=True).values() if hasattr(model, "get_params") else ()
    if any(type(x).__name__ == "FrozenEstimator" or x == "prefit" for x in (model, *_scalars(params))):
        return "the model contains a part that was fitted before, so that it cannot be cross-validated"
    return ""


def _scalars(params: Iterable[Any]) -> list[Any]:
    return [x for x in params if isinstance(x, str) or type(x).__name__ == "FrozenEstimator"]


def _search_or_best(model: Any) -> Any:
    """Return a search as it is, unless its ``refit`` is a function, which may hold all of the data."""
    return model.best_estimator_ if callable(getattr(model, "refit", None)) else model


class Shuffled(NamedTuple):
    """Comparison with ``repeats`` shufflings of the labels.

    Of ``shown`` numbers those count as ``different`` whose family-wise p-value is at most ``level``, which is
    0.05 divided by the number of pairs of classes. They are the columns, tested for whether they help to
    predict new rows together with the accuracy on new rows, whose p-value is ``p_accuracy``; or, for a study
    of the kind null, the indices that are shown, and then it is None. Of several pairs of classes it is the
    smallest one, times the number of ``pairs``; a column counts once, as different if it is so in a pair.
    """

    repeats: int
    shown: int
    different: int
    level: float
    p_accuracy: float | None = None
    pairs: int = 1


@dataclass(frozen=True)
class Worth:
    """Answer to the question whether the indices of a model are worth reading.

    ``verdict`` is the short answer and ``sentence`` the plain one; ``str`` adds what else should be known.

    Parameters
    ----------
    rows : int, optional
        Rows of the data.
    modes : int, optional
        Modes of the kernel, the functions that it combines; None if there are infinitely many.
    majority : float, optional
        Share of the most frequent class, which is ``most_frequent``.
    scores : Scores, optional
        Accuracy by fold; None if it is not known, and then ``reason`` says why.
    columns_distance : float, optional
        Largest relative difference of a total index from that of equal modes; None if the modes are infinite.
    orders_distance : float, optional
        Distance in total variation of the shares by order from those of equal modes.
    shuffled : Shuffled, optional
        Comparison with shuffled labels.
    limits : Limits
        The limits of the verdicts.
    """

    rows: int | None
    modes: int | None
    most_frequent: Any = None
    majority: float | None = None
    scores: Scores | None = None
    reason: str = ""
    columns_distance: float | None = None
    orders_distance: float | None = None
    shuffled: Shuffled | None = None
    limits: Limits = LIMITS

    @property
    def accuracy(self) -> float | None:
        """Cross-validated accuracy of the whole model."""
        return self.scores.accuracy if self.scores else None

    @property
    def standard_error(self) -> float | None:
        """Standard error of the accuracy."""
        return self.scores.standard_error if self.scores else None

    @property
    def training(self) -> float | None:
        """Accuracy on the rows of the fit, the mean over the folds."""
        return float(np.mean(self.scores.training)) if self.scores else None

    @property
    def learned(self) -> bool | None:
        """Whether the accuracy exceeds that of the majority by more than ``limits.standard_errors``."""
        if self.scores is None or self.majority is None:
            return None
        return self.scores.exceeds(self.majority, self.limits.standard_errors)

    @property
    def overfits(self) -> bool | None:
        """Whether the errors on new rows are more than twice those in training, beyond chance."""
        if self.scores is None or self.training is None:
            return None
        gap = self.training - self.scores.accuracy
        least = max(
            self.limits.least_gap,
            self.limits.gap_errors * self.scores.standard_error,
            1 - self.training,
        )
        return gap > least

    @property
    def describes_kernel(self) -> bool | None:
        """Whether there are ten modes for each row, and every column has about the index of equal modes."""
        if self.columns_distance is None or self.rows is None or self.modes is None:
            return None
        return (
            self.modes > self.limits.modes_per_row * self.rows
            and self.columns_distance < self.limits.same_columns
        )

    @property
    def like_shuffled(self) -> bool | None:
        """Whether nothing that was tested differs from shuffled labels; None if nothing was."""
        if self.shuffled is None:
            return None
        p = self.shuffled.p_accuracy
        return self.shuffled.different == 0 and (p is None or p > self.limits.significant)

    @property
    def verdict(self) -> str:
        """Short answer.

        One of "nothing learned", "describes the kernel", "like shuffled labels", "overfitted", "worth
        reading" and "not known".
        """
        checks = (
            (self.learned is False, "nothing learned"),
            (self.describes_kernel, "describes the kernel"),
            (self.like_shuffled, "like shuffled labels"),
            (self.overfits, "overfitted"),
            (self.scores is not None, "worth reading"),
        )
        return next((answer for holds, answer in checks if holds), "not known")

    @property
    def sentence(self) -> str:
        """The answer in plain words."""
        start = {
            "nothing learned": "Not worth reading: ",
            "describes the kernel": "Not worth reading: ",
            "like shuffled labels": "Read with care: ",
            "overfitted": "Read with care: ",
            "worth reading": "Worth reading: ",
        }.get(self.verdict, "")
        said = {
            "nothing learned": self._accuracy_sentence,
            "describes the kernel": self._kernel_sentence,
            "like shuffled labels": self._shuffled_sentence,
            "overfitted": self._overfit_sentence,
            "worth reading": self._accuracy_sentence,
        }.get(self.verdict)
        return start + said() if said else _capital(self.reason)

    @property
    def remarks(self) -> list[str]:
        """Further sentences: what else holds besides the answer."""
        found = []
        if self.scores and self.verdict not in ("nothing learned", "worth reading"):
            found.append(_capital(self._accuracy_sentence()))
        if self.describes_kernel and self.verdict != "describes the kernel":
            found.append(_capital(self._kernel_sentence()))
        elif self._same_orders:
            found.append(
                f"{self._modes_and_rows()}: the shares by order are nearly those of equal modes, so that "
                "they describe the kernel; the columns do not."
            )
        if self.shuffled and self.verdict != "like shuffled labels":
            found.append(_capital(self._shuffled_sentence()))
        if self.overfits and self.verdict != "overfitted":
            found.append(_capital(self._overfit_sentence()))
        return found

    @property
    def _same_orders(self) -> bool:
        if self.orders_distance is None or self.rows is None or self.modes is None:
            return False
        return self.modes > self.rows and self.orders_distance < self.limits.same_orders

    def _accuracy_sentence(self) -> str:
        assert self.scores is not None and self.majority is not None
        return describe_accuracy(self.scores, self.majority, self.most_frequent, bool(self.learned))

    def _overfit_sentence(self) -> str:
        assert self.scores is not None and self.training is not None
        return (
            f"the model overfits: {as_percent(self.training)} of the training rows of the folds are right, "
            f"but {as_percent(self.scores.accuracy)} of new rows. Part of what the indices describe is "
            "noise; a simpler model may be better: try how_simple."
        )

    def _kernel_sentence(self) -> str:
        return (
            f"{self._modes_and_rows()}: every column has about the index that it would have if all modes "
            "had equal weight, so that the indices describe the kernel and not the data; "
            "how_simple looks for a model with fewer modes."
        )

    def _shuffled_sentence(self) -> str:
        assert self.shuffled is not None
        repeats, shown, different, level, p_accuracy, pairs = self.shuffled
        least = 1 / (repeats + 1)
        which = str(different) if different else "none"
        sharp = f"{pluralize(repeats, 'shuffling')} of the labels cannot show p < {least:.2g}"
        if least > level:
            sharp += ", so that none could be: repeat more often"
        corrected = f"p <= {level:.2g} after correction for {shown + (p_accuracy is not None)}; {sharp}"
        if p_accuracy is None:
            found = f"{which} of {shown} indices can be distinguished from those of shuffled labels"
            chance = ""
            if self.learned and not different:
                chance = (
                    " Such shares also arise by chance: not they, but the accuracy shows that it learned."
                )
            return f"{found} ({corrected}).{chance}"
        beyond = p_accuracy <= self.limits.significant
        accuracy = f"the accuracy is {'beyond' if beyond else 'not shown to be beyond'} chance"
        found = f"{which} of {pluralize(shown, 'column')} can be shown to help to predict new rows"
        bound = f", and no smaller one than {min(1.0, pairs * least):.2g} can be shown" * (pairs > 1)
        return f"{found} ({corrected}); {accuracy} (p = {p_accuracy:.2g}{bound})."

    def _modes_and_rows(self) -> str:
        return f"{_large(self.modes)} modes, {pluralize(self.rows or 0, 'row')}"

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as a dictionary that can be written as JSON."""
        label = self.most_frequent
        return {
            "verdict": self.verdict,
            "sentence": self.sentence,
            "remarks": self.remarks,
            "accuracy": self.accuracy,
            "standard_error": self.standard_error,
            "training": self.training,
            "folds": list(self.scores.new) if self.scores else None,
            "majority": self.majority,
            "most_frequent": label if isinstance(label, str | int | float | bool | None) else str(label),
            "rows": self.rows,
            "modes": self.modes,
            "columns_distance": self.columns_distance,
            "orders_distance": self.orders_distance,
            "shuffled": self.shuffled._asdict() if self.shuffled else None,
            "limits": self.limits._asdict(),
        }

    @property
    def lines(self) -> list[str]:
        """The sentences, in lines of at most 100 characters."""
        return [
            line
            for said in (self.sentence, *self.remarks)
            for line in wrap(printable(said), WIDTH, break_on_hyphens=False)
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _repr_html_(self) -> str:
        said = [part for part in (self.sentence, *self.remarks) if part]
        return "".join(
            f"<div>{'<b>' * (k == 0)}{for_html(x)}{'</b>' * (k == 0)}</div>" for k, x in enumerate(said)
        )


def judge_worth(parts: Sequence[PairResult[Any]], evidence: Evidence) -> Worth:
    """Return whether the results for all pairs of classes of a model are worth reading."""
    scores, y, X = evidence.scores, evidence.data.y, evidence.data.X
    rows = None if X is None else len(y) if y is not None else np.shape(X)[0]
    most_frequent, majority = (None, None) if y is None else find_majority(y)
    distances = [distances_from_equal_modes(part) for part in parts]
    known = [found for found in distances if found is not None]
    columns, orders = (max(x) for x in zip(*known, strict=True)) if len(known) == len(parts) else (None, None)
    modes = [part.problem.modes for part in parts]
    return Worth(
        rows,
        int(max(modes)) if known and max(modes) < float("inf") else None,
        most_frequent,
        majority,
        scores if isinstance(scores, Scores) else None,
        "" if isinstance(scores, Scores) else scores,
        columns,
        orders,
        _compare_shuffled([part for part in parts if part.null]),
    )


def find_majority(y: np.ndarray) -> tuple[Any, float]:
    """Return the most frequent class and its share."""
    labels, counts = np.unique(y, return_counts=True)
    return labels.tolist()[counts.argmax()], float(counts.max() / counts.sum())


def distances_from_equal_modes(part: PairResult[Any]) -> tuple[float, float] | None:
    """Return the distances of the columns and of the orders from equal modes; None for infinitely many."""
    if (baseline := part.equal_modes) is None:
        return None
    pairs = [
        (float(x), float(baseline["total"][key]))
        for key, x in part.family("total").items()
        if baseline["total"][key]
    ]
    columns = max((abs(x - y) / y for x, y in pairs), default=0.0)
    orders = sum(abs(float(x) - float(baseline["order"][key])) for key, x in part.family("order").items()) / 2
    only_order = part.problem.highest_order < 2  # then every share is of order 1
    return columns, 1.0 if only_order else orders


def equal_modes_of(part: PairResult[Any]) -> Mapping[str, Mapping[tuple[int, ...], Any]] | None:
    """Return orders and totals of equal modes; None if there are infinitely many modes."""
    if part.problem.kernel.modes is None:
        return None
    found = equal_modes(part.problem)
    return {name: found.family(name) for name in SHOWN_FAMILIES}


def _compare_shuffled(parts: Sequence[PairResult[Any]]) -> Shuffled | None:
    """Count what differs from shuffled labels; a column or index counts once for all pairs of classes."""
    if not parts:
        return None
    level = LIMITS.significant / len(parts)  # each pair corrects for its own columns or indices only
    least: dict[Any, float] = {}  # the smallest p-value of each column or index over the pairs
    repeats, accuracies = [], []
    for part in parts:
        study = part.null
        assert study is not None
        repeats.append(study.settings["repeats"])
        if study.prediction:
            found: list[tuple[Any, float]] = list(zip(part.names, study.prediction.p_columns, strict=True))
            accuracies.append(study.prediction.p_accuracy)
        else:
            found = [((c.name, c.key), row["p_family"]) for c, row in study.select(*SHOWN_FAMILIES)]
        for what, p in found:
            least[what] = min(p, least.get(what, 1.0))
    return Shuffled(
        min(repeats),
        len(least),
        sum(p <= level for p in least.values()),
        level,
        min(1.0, len(parts) * min(accuracies)) if len(accuracies) == len(parts) else None,
        len(parts),
    )


def _large(number: int | None) -> str:
    """Return a number as 1,801, or as 10^18 if it is long."""
    if number is None:
        return "infinitely many"
    return f"{number:,}" if number < 10**7 else f"10^{int(log10(number))}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
