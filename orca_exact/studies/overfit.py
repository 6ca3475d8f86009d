"""``overfit``: accuracy and structural indices over n, to see whether high orders predict overfitting.

For polynomial kernels, the degree takes the place of n, and gamma for RBF kernels. Definitions, over the
values that are tried, in ascending order:

- best: the first n with the highest cross-validated accuracy
- loss: the first n after it whose accuracy is lower by more than the larger of the two standard errors
- onset: the first n at which more than half of the mass has an order above d/2. (The mean order of all modes
  in {0, ..., n}^d is dn/(n+1), which exceeds d/2 for n > 1: this is where a kernel puts its mass if the
  labels do not matter.)

The loss is *predicted* if best < onset <= loss: there is no alarm while the accuracy still grows, and there
is one by the time it has dropped. This describes one data set, its folds and its C; it is not a theorem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from math import factorial, sqrt
from typing import Any

import numpy as np
from flint import fmpq

from ..errors import BadInput, BadParameter, SolverFailed, TooLarge, Undecided
from ..files.formats import parse
from ..kernels.orthogonal import OrthogonalPolynomials
from ..kernels.polynomial import Polynomial, check_gamma
from ..kernels.rbf import RBF
from ..measures.measure import check_degree
from ..numbers.rationals import QQ, to_float, to_text
from ..problem import Problem, require_problem
from ..profile.indices import INDICES
from ..svm.certificate import Certificate
from ..svm.certify import certify
from .accuracy import Scores
from .engine import MISSING, UNIT, read_single, study_columns
from .predict import predict_signs
from .statistics import wilson
from .study import Study, StudyRow, describe_problem
from .subject import takes_models
from .sweep import replace_kernel
from .work import Work, check_repeats, encode_problem, generator, run_tasks

_DEGREES = (1, 2, 3, 4, 5, 6, 7, 8)
_POWERS = (1, 2, 3, 4, 5)
_FACTORS = tuple(fmpq(4) ** k for k in range(-3, 4))  # of gamma
_LEVEL = 0.95
_EVERY = 8  # longest list of which all permutations are tried
PERMUTATIONS = 10_000  # drawn for a longer list


@dataclass(frozen=True, repr=False, eq=False)
class Overfit(Study):
    """A table with one row for each n, a ``conclusion`` in words and a ``finding`` in numbers."""

    problem: StudyRow
    settings: StudyRow
    table: tuple[StudyRow, ...]
    finding: StudyRow
    kind = "overfit"

    @property
    def conclusion(self) -> str:
        """The finding in words."""
        return describe_finding(self.finding, self.parameter)

    @property
    def parameter(self) -> str:
        """The parameter that is varied: "n", "degree" or "gamma"."""
        return next(name for name in ("n", "degree", "gamma") if name in self.settings)

    def rows(self) -> list[StudyRow]:
        return [dict(row) for row in self.table]

    def to_json(self) -> StudyRow:
        found = {"rows": self.rows(), "finding": self.finding, "says": self.conclusion}
        return self._header(problem=self.problem) | found

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """Draw the accuracies over n with their intervals.

        ``kind="orders"`` adds a second panel with the orders as stacked bars, ``kind="accuracy"`` does not.
        """
        from ..plots import STYLE, import_matplotlib
        from .sweep import axis_label, draw_stacked_orders

        if kind not in ("orders", "accuracy"):
            raise BadParameter("kind", repr(kind), "is unknown", "pass orders or accuracy")
        if ax is not None and kind == "orders":
            raise BadParameter(
                "ax", "one", "was given for two panels", "leave it out, or pass kind='accuracy'"
            )
        mpl = import_matplotlib()
        from ..plots.picture import Picture

        with mpl.rc_context(STYLE):
            if ax is None:
                panels = 2 if kind == "orders" else 1
                figure: Any = Picture(5, 2.4 * panels + 0.4)
                axes = figure.subplots(panels, 1, squeeze=False, sharex=True).ravel()
            else:
                axes, figure = np.array([ax]), ax.figure
            at = [str(row[self.parameter]) for row in self.table]
            for name, colour, line in (("train", "0.35", "--"), ("cv", "#5e3c99", "-")):
                axes[0].plot(
                    at, [row[name] for row in self.table], color=colour, ls=line, marker="o", ms=3, label=name
                )
                low, high = ([row[f"{name}_{end}"] for row in self.table] for end in ("low", "high"))
                axes[0].fill_between(at, low, high, color=colour, alpha=0.15, lw=0)
            for name, colour in (("loss", "#e66101"), ("onset", "#1b7837")):
                if self.finding[name] is not None:
                    axes[0].axvline(str(self.finding[name]), color=colour, lw=1, ls=":", label=name)
            axes[0].set(xlabel=axis_label(self.parameter), ylabel="accuracy")
            axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
            if kind == "orders":
                draw_stacked_orders(mpl, axes[1], self.table, "", self.parameter)
        return figure


@takes_models
def overfit(
    problem: Problem,
    n: Iterable[int] | None = None,
    folds: int = 10,
    repeats: int = 3,
    seed: int = 1,
    level: float = _LEVEL,
    whole_scale: bool = False,
    degree: Iterable[int] | None = None,
    gamma: Iterable[Any] | None = None,
    **work: Any,
) -> Overfit:
    r"""Compute training accuracy, cross-validated accuracy and the indices for several kernels of one family.

    Every model is certified; a point whose side of the boundary is not proved counts as misclassified (and in
    ``undecided``).

    Parameters
    ----------
    problem : Problem, audit or fitted model
        The data; its own degree or gamma is replaced. A fitted model is followed by its data, as in
        ``overfit(model, X, y)``; the result has one study for each pair of classes if there are several.
    n : iterable of int, optional
        Degrees of orthogonal polynomials in ascending order; 1 to 8 by default.
    folds : int
        Number of folds. They are stratified, and the same for every n.
    repeats : int
        How often the folds are drawn.
    seed : int
        Seed of the random numbers.
    level : float
        Level of the confidence intervals.
    whole_scale : bool
        Whether to scale the columns once by all points, as the paper does. By default the training part of
        each fold sets the scale, and test points are clipped to its range if the kernel needs that.
    degree : iterable of int, optional
        Degrees of a polynomial kernel, in ascending order; 1 to 5 by default.
    gamma : iterable of numbers, optional
        Values for an RBF kernel, in ascending order; by default 4^k times that of the problem, |k| <= 3.
    **work
        Execution options ``jobs``, ``scheduler``, ``keep`` and ``progress``, see ``Work``.

    Returns
    -------
    Overfit
        One row for each value. ``train`` and ``cv`` are accuracies with Wilson intervals for as many trials
        as there are points, since drawing the folds again adds no data. ``cv_error`` is the standard error
        over the folds of one draw. ``finding["spearman"]`` is the rank correlation of mean order and ``cv``
        with a permutation p-value; it is descriptive only, because neighbouring n are not exchangeable.

    Examples
    --------
    >>> X = [[x / 8, y / 8] for x in (-7, -4, -2, 1, 3, 6) for y in (-5, -3, -1, 2, 5, 7)]
    >>> problem = Problem(X, [1 if x + y > 0 else -1 for x, y in X], n=1, alpha=0, beta=0, C=10)
    >>> study = overfit(problem, n=[1, 2, 3], folds=3, repeats=1, keep=False)
    >>> print(study.conclusion.replace(". ", ".\n"))
    Accuracy in cross-validation is highest at n = 1, and lower by more than a standard error at n = 2.
    Interactions of more than half of the columns prevail from n = 3 on: they did not predict the loss.
    """
    require_problem(problem)
    check_repeats(repeats, seed)
    name, values = _values(problem, {"n": n, "degree": degree, "gamma": gamma})
    _check(problem, folds, level)
    settings: StudyRow = {
        name: values, "folds": folds, "repeats": repeats, "seed": seed, "level": level,
        "whole_scale": bool(whole_scale),
    }  # fmt: skip
    text, keys = encode_problem(problem), list[StudyRow]()
    for value in values:
        base = {"study": "overfit", "problem": problem.sha256, name: value}
        keys.append(base | {"part": "whole"})
        base |= {"seed": seed, "folds": folds, "whole_scale": bool(whole_scale)}
        keys += [base | {"part": k} for k in range(repeats)]

    def arguments(key: StudyRow) -> tuple[Any, ...]:
        repetition = None if key["part"] == "whole" else key["part"]
        return text, {name: key[name]}, seed, folds, whole_scale, repetition

    found: dict[Any, Any] = {}
    for key, result in run_tasks(compute_folds, keys, arguments, Work(**work)):
        found[key[name], key["part"]] = result
    drawn = {n: [found[n, k] for k in range(repeats)] for n in values}
    table = [_row(problem, {name: n}, found[n, "whole"], drawn[n], level) for n in values]
    right = [sum(sum(each["right"]) for each in drawn[n]) for n in values]
    error = [_variance(drawn[n]) for n in values]
    return Overfit(
        describe_problem(problem),
        settings,
        tuple(table),
        find_overfitting(table, right, error, problem.m * repeats, seed, name),
    )


def compute_folds(
    problem: str, changes: StudyRow, seed: int, folds: int, whole_scale: bool, repetition: int | None
) -> StudyRow:
    """Count the correct predictions of one draw of the folds, or of all points if there is no repetition."""
    given = _changed(Problem.from_json(parse(problem, "problem")), changes)
    if repetition is None:
        reading = read_single(given)
        signs = predict_signs(given, given.points.tolist(), reading.certificate)
        right = sum(sign == label for sign, label in zip(signs, given.y, strict=True))
        return {"values": reading.values, "proof": reading.proof, "right": right, "undecided": signs.count(0)}
    part = assign_folds(given.y, folds, generator(seed, repetition))
    rights, sizes, undecided = zip(
        *(_score_fold(given, part == k, whole_scale) for k in range(folds)), strict=True
    )
    return {"right": list(rights), "of": list(sizes), "undecided": sum(undecided)}


def _score_fold(problem: Problem, left_out: np.ndarray, whole_scale: bool) -> tuple[int, int, int]:
    """Return how many points that were left out are predicted correctly, of how many, and the undecided."""
    inside, outside = np.flatnonzero(~left_out).tolist(), np.flatnonzero(left_out).tolist()
    train, test = split_problem(problem, inside, outside, whole_scale)
    signs = predict_signs(train, test, certify_quickly(train))
    right = sum(sign == problem.y[i] for sign, i in zip(signs, outside, strict=True))
    return right, len(outside), signs.count(0)


def cross_validate(
    problem: Problem, folds: int = 5, seed: int = 1, progress: Callable[[str], object] = lambda line: None
) -> Scores:
    """Return the accuracy on points that were left out, by verified predictions; an undecided one is wrong.

    Examples
    --------
    >>> X = [[x / 8, y / 8] for x in (-7, -2, 1, 6) for y in (-5, -3, 2, 7)]
    >>> problem = Problem(X, [1 if x + y > 0 else -1 for x, y in X], n=1, alpha=0, beta=0, C=10)
    >>> cross_validate(problem, folds=4).accuracy
    0.875
    """
    fewest = min(problem.y.count(1), problem.y.count(-1))
    if not 2 <= folds <= fewest:
        hint = "pass 5, for example" if folds < 2 else "pass fewer folds, or 0 for none"
        raise BadParameter("folds", folds, f"is not from 2 to the {fewest} points of the smaller class", hint)
    part = assign_folds(problem.y, folds, generator(seed, 0))
    shares = []
    for k in range(folds):
        progress(f"cross-validation: {k} of {folds} folds ...")
        right, size, _ = _score_fold(problem, part == k, whole_scale=False)
        shares.append(right / size)
    return Scores(tuple(shares), (), problem.m)


def certify_quickly(problem: Problem) -> Certificate | None:
    """Return a certificate in verified float64, or None if it does not decide."""
    with suppress(Undecided, SolverFailed, TooLarge, np.linalg.LinAlgError), np.errstate(all="ignore"):
        return certify(problem, level="float")
    return None


def assign_folds(y: Sequence[int], folds: int, random: np.random.Generator) -> np.ndarray:
    """Return the fold of each point; the points of each class are dealt out to the folds in turn."""
    part, dealt = np.empty(len(y), dtype=int), 0
    for label in (1, -1):
        mine = random.permutation(np.flatnonzero(np.array(y) == label))
        part[mine] = (dealt + np.arange(len(mine))) % folds
        dealt += len(mine)
    return part


def split_problem(
    problem: Problem, inside: Sequence[int], outside: Sequence[int], whole_scale: bool
) -> tuple[Problem, list[list[fmpq]]]:
    """Return the training problem, and the test points on its scale, clipped to the domain."""
    C, y = ([values[i] for i in inside] for values in (problem.bounds, problem.y))
    if whole_scale or not problem.rescale:
        X, test = ([problem.points[i].tolist() for i in rows] for rows in (inside, outside))
        return problem.replace(X=X, y=y, C=C, rescale=False), test
    try:
        train = problem.replace(X=[problem.X[i] for i in inside], y=y, C=C)
    except BadInput as error:
        raise BadParameter(
            "fold", str(error).partition(";")[0], "in the training part", "pass whole_scale=True"
        ) from None
    test = [list(problem.X[i]) for i in outside]
    for j in range(problem.d):
        if problem.kernel.is_rescaled(j):
            column = [row[j] for row in train.X]
            low, high = min(column), max(column)
            for row in test:
                row[j] = (row[j] - low) * 2 / (high - low) - 1
                if problem.kernel.domain(j) == (-1, 1):
                    row[j] = min(max(row[j], fmpq(-1)), fmpq(1))
    return train, test


def _row(
    problem: Problem, changes: StudyRow, whole: StudyRow, drawn: Sequence[StudyRow], level: float
) -> StudyRow:
    m, repeats = problem.m, len(drawn)
    right = sum(sum(each["right"]) for each in drawn)
    row: StudyRow = dict(changes)
    for name, share in (("train", whole["right"] / m), ("cv", right / (m * repeats))):
        low, high = wilson(share, m, level)
        row |= {name: share, f"{name}_low": low, f"{name}_high": high}
    row["cv_error"] = sqrt(to_float(_variance(drawn)))
    values = dict(zip(study_columns(_changed(problem, changes)), whole["values"], strict=True))
    orders, degrees = (
        {c.key[0]: x for c, x in values.items() if c.name == name} for name in ("order", "degree")
    )
    known = MISSING not in orders.values()
    row |= {
        "mean_order": _mean(orders),
        "mean_degree": _mean(degrees) if degrees else None,
        "interactions": sum(x for q, x in orders.items() if q >= 2) / UNIT if known else None,
        "high": sum(x for q, x in orders.items() if 2 * q > problem.d) / UNIT if known else None,
    }
    for column, x in values.items():
        if column.name == "order" or column.name not in INDICES:
            row[column.identifier] = None if x == MISSING else x if column.unit == 1 else x / UNIT
    return row | {
        "proof": whole["proof"],
        "undecided": whole["undecided"] + sum(each["undecided"] for each in drawn),
    }


def _mean(shares: dict[int, int]) -> float | None:
    """Return sum_q q OKC^(q), or sum_N N OKC_N; None if a share is missing."""
    return None if MISSING in shares.values() else sum(q * x for q, x in shares.items()) / UNIT


def _variance(drawn: Sequence[StudyRow]) -> fmpq:
    """Return the squared standard error over the folds of one draw, averaged over the draws."""
    total = fmpq(0)
    for each in drawn:
        shares = [fmpq(a, b) for a, b in zip(each["right"], each["of"], strict=True)]
        mean = sum(shares, fmpq(0)) / len(shares)
        total += sum(((x - mean) ** 2 for x in shares), fmpq(0)) / (len(shares) - 1) / len(shares)
    return total / len(drawn)


def find_overfitting(
    table: Sequence[StudyRow], right: Sequence[int], error: Sequence[fmpq], of: int, seed: int,
    parameter: str = "n",
) -> StudyRow:  # fmt: skip
    """Determine best, loss and onset from the correct predictions and squared standard errors at each n.

    All comparisons are exact. The onset of interactions, the first n at which more than half of the mass has
    order 2 or more, is determined as well.
    """
    best = right.index(max(right))

    def lost(k: int) -> bool:
        return right[k] < right[best] and fmpq(right[best] - right[k], of) ** 2 > max(error[best], error[k])

    loss = next((k for k in range(best + 1, len(table)) if lost(k)), None)
    at_loss = None if loss is None else table[loss][parameter]
    found: StudyRow = {"best": table[best][parameter], "loss": at_loss}
    for onset, outcome, share in (
        ("onset", "outcome", "high"),
        ("onset_interactions", "outcome_interactions", "interactions"),
    ):
        at = next((k for k, row in enumerate(table) if row[share] is not None and row[share] > 0.5), None)
        found[onset] = None if at is None else table[at][parameter]
        predicted = loss is not None and at is not None and best < at <= loss
        found[outcome] = "no loss" if loss is None else "predicted" if predicted else "not predicted"
    both = zip((row["mean_order"] for row in table), right, strict=True)
    return found | {"spearman": spearman([pair for pair in both if pair[0] is not None], seed)}


def describe_finding(finding: StudyRow, parameter: str = "n") -> str:
    r"""Return a finding in two sentences.

    Only its numbers are used: earlier versions stored the outcome in other words.

    >>> print(describe_finding({"best": 1, "loss": None, "onset": None}).replace(". ", ".\n"))
    Accuracy in cross-validation is highest at n = 1, and not lower by more than a standard error after it.
    Interactions of more than half of the columns never prevail.
    """
    best, loss, onset = (finding[key] for key in ("best", "loss", "onset"))
    lower = "not lower by more than a standard error after it"
    predicts = ""
    if loss is not None:
        lower = f"lower by more than a standard error at {parameter} = {loss}"
        predicted = onset is not None and QQ(best) < QQ(onset) <= QQ(loss)
        predicts = ": they predicted the loss" if predicted else ": they did not predict the loss"
    prevail = "never prevail" if onset is None else f"prevail from {parameter} = {onset} on"
    return (
        f"Accuracy in cross-validation is highest at {parameter} = {best}, and {lower}. "
        f"Interactions of more than half of the columns {prevail}{predicts}."
    )


def spearman(pairs: Sequence[tuple[float, float]], seed: int = 1) -> StudyRow | None:
    """Return Spearman's rank correlation with a two-sided permutation p-value; None if a side is constant.

    Ties get the mean of their ranks. Long lists use 10,000 random permutations, short ones all permutations.

    >>> spearman([(1, 10), (2, 20), (3, 15), (4, 40)])
    {'rho': 0.8, 'p': 0.333..., 'permutations': 24}
    """
    a, b = (np.array(_centred([pair[k] for pair in pairs]), dtype=int) for k in (0, 1))
    size = sqrt(float((a @ a) * (b @ b))) if len(pairs) > 2 else 0.0
    if not size:
        return None
    observed, count = abs(int(a @ b)), len(pairs)
    if count <= _EVERY:
        tried = factorial(count)
        far = sum(abs(int(a[list(order)] @ b)) >= observed for order in permutations(range(count)))
        return {"rho": int(a @ b) / size, "p": far / tried, "permutations": tried}
    random = generator(seed, 0)
    far = sum(abs(int(random.permutation(a) @ b)) >= observed for _ in range(PERMUTATIONS))
    return {"rho": int(a @ b) / size, "p": (far + 1) / (PERMUTATIONS + 1), "permutations": PERMUTATIONS}


def _centred(values: Sequence[float]) -> list[int]:
    """Return twice the centred ranks, which are integers even with ties."""
    return [sum((x > other) - (x < other) for other in values) for x in values]


def _changed(problem: Problem, changes: StudyRow) -> Problem:
    """Return the problem with another n, degree or gamma.

    A column whose measure has k nodes, such as one of text with k values, has at most the degree k - 1.
    """
    if "n" not in changes:
        return replace_kernel(problem, changes)
    sizes = [measure.size for measure in problem.measures]
    if not any(sizes):
        return problem.replace(**changes)
    return problem.replace(
        n=[changes["n"] if size is None else min(changes["n"], size - 1) for size in sizes]
    )


def _values(problem: Problem, given: dict[str, Any]) -> tuple[str, list[Any]]:
    """Return the parameter that is varied and its values: integers, or gamma as a string."""
    kernel = problem.kernel
    if isinstance(kernel, RBF):
        name, default = "gamma", [kernel.gamma * factor for factor in _FACTORS]
    elif isinstance(kernel, Polynomial):
        name, default = "degree", list(_POWERS)
    elif isinstance(kernel, OrthogonalPolynomials):
        name, default = "n", list(_DEGREES)
    else:
        rule = "has no degree or gamma that could be varied"
        raise BadParameter("kernel", problem.kernel_description, rule, "use Polynomial(degree, gamma, coef0)")
    for other, value in given.items():
        if value is not None and other != name:
            rule = f"was given, but the study of this kernel ({problem.kernel_description}) varies {name}"
            raise BadParameter(other, "a list", rule, f"pass {name}")
    values = default if given[name] is None else given[name]
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise BadParameter(name, repr(values)[:40], "is not a list of values", f"write {name}=[1, 2, 3]")
    values = list(values)
    found: list[Any] = [check_gamma(x) if name == "gamma" else check_degree(x, name) for x in values]
    if len(found) < 2 or sorted(set(found)) != found:
        shown = [str(x) for x in values]
        raise BadParameter(name, shown, "is not an ascending list", "pass at least two values, lowest first")
    for value in found:
        _changed(problem, {name: value})
    return name, [to_text(x) for x in found] if name == "gamma" else found


def _check(problem: Problem, folds: Any, level: Any) -> None:
    least = min(problem.y.count(1), problem.y.count(-1))
    if isinstance(folds, bool) or not isinstance(folds, int) or not 2 <= folds <= least:
        rule = f"is not an integer from 2 to {least}, the size of the smaller class"
        hint = f"pass 2 to {least}" if least >= 2 else "add points"
        raise BadParameter("folds", folds, rule, hint)
    if not isinstance(level, float) or not 0 < level < 1:
        raise BadParameter("level", level, "is not between 0 and 1", "pass 0.95, for example")
