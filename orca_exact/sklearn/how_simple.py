"""How simple a model could be: its accuracy if fewer columns interact and curves are simpler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import ceil
from textwrap import wrap
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC, NuSVC

from ..errors import BadInput, BadParameter, Undecided, ZeroClassifier, pluralize, printable, shorten
from ..files.escaping import for_html
from ..kernels.modes import elementary_symmetric
from ..numbers.rationals import to_float
from ..plots.tables import html_table, text_table, to_dataframe
from ..profile.components import Parts
from ..profile.profile import orca
from ..runtime.progress import SlowProgress
from ..studies.accuracy import Scores
from .estimator import OrcaSVC
from .explain import Explanation, explain
from .reading import BinaryProblem, reconstruct_problems
from .worth import LIMITS, WIDTH, find_majority, gather_evidence, make_folds, score_folds
from .wrappers import SUPPORTED_MODELS_HINT, TrainingData, unwrap_machines

CHOICES_OF_C = (0.1, 1.0, 10.0)  # relative, as in OrcaSVC
INNER_FOLDS = 3
_TRUNCATED = 4  # orders at which the fitted model is truncated
_WORDS = {1: "single columns", 2: "pairs of columns"}


@dataclass(frozen=True)
class SimpleModel:
    """A model of limited order and degree, refitted to the data.

    ``accuracy`` is the mean over the folds, in each of which C was chosen from the rows of the fit; ``C`` is
    the choice from all rows. ``shares`` has OKC^(1), OKC^(2), ... of the refitted model, ``leading`` the
    column with the largest total index and ``leading_total`` that index, all as means over the pairs of
    classes; they are None if w = 0.
    """

    order: int
    n: int
    modes: int
    accuracy: float
    standard_error: float
    training: float
    C: float
    shares: tuple[float, ...] | None
    leading: str | None
    leading_total: float | None
    estimator: Any

    @property
    def title(self) -> str:
        """The model in words."""
        return f"order {self.order}, n = {self.n}"

    @property
    def meaning(self) -> str:
        """The functions that the model can express, in words."""
        if self.order == 1:
            return "a linear model" if self.n == 1 else "a sum of one curve for each column"
        words = _WORDS.get(self.order, f"groups of up to {self.order} columns")
        return f"curves of single columns and interactions of {words}"

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as a dictionary that can be written as JSON."""
        own = {key: x for key, x in vars(self).items() if key != "estimator"}
        return own | {"shares": None if self.shares is None else list(self.shares)}

    def row(self) -> dict[str, Any]:
        """Return the entries of the table."""
        shares = {f"OKC^({q})": x for q, x in enumerate(self.shares or (), 1)}
        leading = "-" if self.leading is None else f"{shorten(self.leading, 20)} {self.leading_total:.3f}"
        return {
            "order": str(self.order), "n": self.n, "modes": self.modes, "accuracy": f"{self.accuracy:.3f}",
            "error": f"{self.standard_error:.3f}", "training": f"{self.training:.3f}", "C": f"{self.C:g}",
            **{label: shares.get(label, "-") for label in ("OKC^(1)", "OKC^(2)", "OKC^(3)")},
            "largest total": leading,
        }  # fmt: skip


@dataclass(frozen=True)
class Truncated:
    """The fitted model without its parts above an order: a diagnostic, not a model to use."""

    order: int
    accuracy: float  # on the rows of the fit, the mean over the pairs of classes


@dataclass(frozen=True, repr=False)
class HowSimple:
    """Accuracy of simpler models of the same data, and the simplest one that is good enough.

    ``models`` has one entry for each order and n, ``recommended`` the choice among them: the lowest order,
    and then the lowest n, whose accuracy is within one standard error of the best. ``given`` is the accuracy
    of the model itself, or the reason why it is unknown. ``truncated`` has the accuracy of the fitted model
    without its parts of higher order, on the rows of the fit. It need not increase with the order, because
    columns are correlated, and says nothing about a model that is refitted with that order.
    """

    models: tuple[SimpleModel, ...]
    recommended: SimpleModel
    given: Scores | str
    most_frequent: Any
    majority: float
    truncated: tuple[Truncated, ...]

    @property
    def best(self) -> SimpleModel:
        """The model with the highest accuracy; the simpler one of equals."""
        return max(self.models, key=lambda model: (model.accuracy, -model.order, -model.n))

    @property
    def learned(self) -> bool:
        """Whether the best accuracy exceeds that of the majority by more than three standard errors."""
        return self.best.accuracy > self.majority + LIMITS.standard_errors * self.best.standard_error

    @property
    def sentence(self) -> str:
        """The recommendation in plain words."""
        best, chosen = self.best, self.recommended
        always = f"always answering {shorten(self.most_frequent)} gives {100 * self.majority:.1f} %"
        if not self.learned:
            return (
                f"None of these models is clearly better than chance: the best one classifies "
                f"{_percent(best)} of new rows correctly, and {always}."
            )
        said = f"{chosen.title} is enough ({chosen.meaning}): {_percent(chosen)} of new rows are classified "
        said += "correctly"
        if chosen is not best:
            said += f", within one standard error of the best ({best.title}: {_percent(best)})"
        else:
            said += f", standard error {100 * best.standard_error:.1f} %; no simpler one is within it"
        return f"{said[:1].upper()}{said[1:]}; {always}.{self._given_sentence()}"

    def _given_sentence(self) -> str:
        if isinstance(self.given, str):
            return f" Your model: {self.given}." if self.given else ""
        own, best = self.given.accuracy, self.best
        said = f" Your model: {100 * own:.1f} %"
        if own > best.accuracy + best.standard_error:
            return said + ", more than every model here: keep it, or try more orders and degrees."
        return said + "."

    def rows(self) -> list[dict[str, Any]]:
        """Return the table with one row for each model."""
        return [
            {"": "*" if self.learned and model is self.recommended else ""} | model.row()
            for model in sorted(self.models, key=lambda model: (model.order, model.n))
        ]

    @property
    def notes(self) -> list[str]:
        """Sentences below the table."""
        found = [
            "* recommended: the lowest order, then the lowest n, within one standard error of the best; "
            * self.learned
            + f"C was chosen among {', '.join(f'{C:g}' for C in CHOICES_OF_C)} inside each fold"
        ]
        if self.truncated:
            cut = ", ".join(f"order {x.order}: {x.accuracy:.3f}" for x in self.truncated)
            found.append(
                "diagnostic: accuracy of your fitted model on its own rows if only its parts up to an order "
                f"are kept: {cut}; a low number does not mean that a model refitted with that order is bad"
            )
        return found

    def __str__(self) -> str:
        said = wrap(printable(self.sentence), WIDTH, break_on_hyphens=False)
        notes = [line for x in self.notes for line in wrap(printable(x), WIDTH, break_on_hyphens=False)]
        return "\n".join([*said, *text_table(self.rows()), *notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<div><b>{for_html(self.sentence)}</b></div>" + html_table("", self.rows(), self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dictionary that can be written as JSON."""
        given = {"reason": self.given} if isinstance(self.given, str) else {"accuracy": self.given.accuracy}
        return {
            "sentence": self.sentence,
            "recommended": {"order": self.recommended.order, "n": self.recommended.n},
            "models": [model.to_dict() for model in self.models],
            "given": given,
            "majority": self.majority,
            "truncated": [asdict(x) for x in self.truncated],
        }

    def to_frame(self) -> Any:
        """Return a pandas.DataFrame with one row for each model."""
        return to_dataframe([model.to_dict() for model in self.models])


def _percent(model: SimpleModel) -> str:
    return f"{100 * model.accuracy:.1f} %"


def how_simple(
    model: Any, X: Any, y: Any, *, orders: Sequence[int] = (1, 2, 3), degrees: Sequence[int] = (1, 2, 3),
    cv: Any = 5,
) -> HowSimple:  # fmt: skip
    """Refit a model with fewer interactions and simpler curves, and recommend the simplest good one.

    Each model is an ``OrcaSVC`` in place of the SVC, after the same steps of a pipeline. Its accuracy comes
    from nested cross-validation: C is chosen by three folds within the rows of each fit.

    Parameters
    ----------
    model : estimator
        A fitted model as for ``audit``.
    X, y : array
        The data of the fit.
    orders : sequence of int
        Highest numbers of columns that interact. Those above the number of columns are left out.
    degrees : sequence of int
        Degrees n of the curves.
    cv : int or splitter
        Folds, as for ``audit``.

    Returns
    -------
    HowSimple
        ``print`` shows the recommendation and one table; ``recommended.estimator`` is fitted to all rows.

    Examples
    --------
    >>> X = [[7 * k % 31 / 15 - 1, 11 * k % 29 / 14 - 1] for k in range(40)]
    >>> y = [a + b / 3 > 0.1 for a, b in X]
    >>> found = how_simple(OrcaSVC().fit(X, y), X, y, orders=(1, 2), degrees=(1, 2))
    >>> found.recommended.title
    'order 1, n = 1'
    """
    data = TrainingData.from_caller(X, y, None)
    assert data.y is not None
    for place, values in (("orders", orders), ("degrees", degrees)):
        if not values or any(isinstance(q, bool) or not isinstance(q, int) or q < 1 for q in values):
            raise BadParameter(
                place, repr(values)[:60], "is not a list of positive integers", "pass (1, 2, 3)"
            )
    machines = list(unwrap_machines(model, data))  # raises BadParameter if the model is not fitted
    template, prefix = replace_svc(model)
    folds = make_folds(cv, data.y)
    inner = make_folds(_inner_folds(data.y, folds.get_n_splits(data.X, data.y)), data.y)
    width = np.shape(machines[0].data.X)[1]
    orders = sorted({min(q, width) for q in orders})
    grid = [(q, n) for q in orders for n in sorted(set(degrees))]
    found = []
    with SlowProgress() as progress:
        for k, (q, n) in enumerate(grid, 1):
            title = f"how_simple: model {k} of {len(grid)}, order {q}, n = {n}"
            progress(title)
            one = clone(template).set_params(**{f"{prefix}order": q, f"{prefix}n": n})
            search = GridSearchCV(one, {f"{prefix}C": list(CHOICES_OF_C)}, cv=inner, error_score="raise")
            scores = score_folds(search, data, folds, partial(_report, progress, title))
            found.append(_refit(search, data, scores, q, n, prefix))
        progress("how_simple: your model")
        given = gather_evidence(model, data, cv).scores
        truncated = _truncate(machines)
    best = max(found, key=lambda x: x.accuracy)
    enough = [x for x in found if x.accuracy >= best.accuracy - best.standard_error]
    recommended = min(enough, key=lambda x: (x.order, x.n))
    return HowSimple(tuple(found), recommended, given, *find_majority(data.y), truncated)


def _inner_folds(y: np.ndarray, outer: int) -> int:
    """Return the number of folds within the rows of a fit; at least two rows of each class are needed."""
    labels, counts = np.unique(y, return_counts=True)
    least = int(counts.min())
    inside = least - ceil(least / outer)
    if inside < 2:
        rule = f"has only {pluralize(least, 'row')}, too few for nested cross-validation"
        raise BadParameter("y", f"the class {labels[counts.argmin()]}", rule, "add rows")
    return min(INNER_FOLDS, inside)


def _report(progress: SlowProgress, title: str, line: str) -> None:
    progress(f"{title}, {line}")


def replace_svc(model: Any) -> tuple[Any, str]:
    """Return an unfitted copy of a model with OrcaSVC as its SVC, and the prefix of the parameters of it."""
    if hasattr(model, "best_estimator_"):
        return replace_svc(model.best_estimator_)
    if hasattr(model, "steps"):
        last, prefix = replace_svc(model.steps[-1][1])
        return Pipeline([*((name, clone(step)) for name, step in model.steps[:-1]), ("orca", last)]), (
            f"orca__{prefix}"
        )
    if isinstance(model, OrcaSVC):
        return clone(model), ""
    if isinstance(model, SVC | NuSVC):
        return OrcaSVC(class_weight=model.class_weight), ""
    if hasattr(model, "estimator"):
        return replace_svc(model.estimator)
    raise BadParameter("model", type(model).__name__, "contains no SVC", SUPPORTED_MODELS_HINT)


def _refit(search: Any, data: TrainingData, scores: Scores, q: int, n: int, prefix: str) -> SimpleModel:
    """Fit a model to all rows, with C chosen by cross-validation, and read its indices."""
    fitted = clone(search).fit(data.X, data.y).best_estimator_
    shares, leading, total, modes = None, None, None, 0
    try:
        done = explain(fitted, data.X, data.y, cv=None)
        parts = [done] if isinstance(done, Explanation) else list(done.values())
        by_order = np.mean([[float(x) for x in part.order] for part in parts], axis=0)
        shares = tuple(map(float, by_order[1 : q + 1]))
        first = done.columns[0]
        leading, total, modes = first["column"], float(first["total"]), int(parts[0].problem.modes)
    except (ZeroClassifier, Undecided):
        pass
    return SimpleModel(
        q, n, modes, scores.accuracy, scores.standard_error, float(np.mean(scores.training)),
        float(fitted.get_params()[f"{prefix}C"]), shares, leading, total, fitted,
    )  # fmt: skip


def _truncate(machines: Sequence[Any]) -> tuple[Truncated, ...]:
    """Return the accuracy of the fitted model on its own rows if only parts up to an order are kept.

    The result is empty if the model cannot be read, or has one order only.
    """
    by_pair = []
    try:
        for machine in machines:
            for part in reconstruct_problems(machine):
                if isinstance(part, BinaryProblem):
                    by_pair.append(truncated_accuracies(part))
    except (BadInput, Undecided, ZeroClassifier):
        return ()
    most = max((len(each) for each in by_pair), default=0)
    if most < 2:
        return ()
    padded = [each + [each[-1]] * (most - len(each)) for each in by_pair]
    means = np.mean(padded, axis=0)
    return tuple(
        Truncated(q, float(means[q - 1])) for q in sorted({*range(1, min(most, _TRUNCATED) + 1), most})
    )


def truncated_accuracies(binary: BinaryProblem) -> list[float]:
    """Return the accuracies of g without its parts above order 1, 2, ... on the rows of two classes."""
    problem, points = binary.problem, binary.problem.points
    parts = Parts(orca(problem, binary.solution, "float"))
    orders = parts.by_forms(points, lambda factors: elementary_symmetric(factors, parts.order)[1:])
    X = np.array([[to_float(x) for x in row] for row in points])
    s = np.array([to_float(a) for a in binary.solution.alpha]) * problem.y
    support = s != 0
    g = problem.kernel(X, X[support]) @ s[support] + to_float(binary.solution.b)
    constant = g - np.sum(orders, axis=0)  # the same for all rows, up to rounding
    values = constant + np.cumsum(orders, axis=0)
    return [float(np.mean(np.where(row > 0, 1, -1) == np.array(problem.y))) for row in values]
