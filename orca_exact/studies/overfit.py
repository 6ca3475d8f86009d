"""``overfit``: accuracy beside structure over n. Does the onset of high orders foretell the loss of accuracy?

Definitions, all over the degrees n that are tried, in their order:

best    the n of the highest cross-validated accuracy (the first of them)
loss    the first n beyond it whose accuracy is lower by more than a standard error, the larger of the two
onset   the first n at which more than half of the mass has an order above d/2. (Of all modes of {0, ..., n}^d
        the mean order is dn/(n+1), for n > 1 above d/2: so a kernel spreads its mass where the labels ask for
        nothing else.)

The loss is *foretold* if best < onset <= loss: no alarm while accuracy still grew, and one by the time it had
fallen. That is a fact about one data set, its folds and its C: no verdict, and no theorem.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from math import factorial, sqrt
from typing import Any

import numpy as np
from flint import fmpq

from ..errors import BadInput, BadParameter, SolverFailed, TooLarge, Undecided
from ..files.formats import parse
from ..measures.measure import check_degree
from ..numbers.rationals import real
from ..problem import Problem
from ..profile.indices import INDICES
from ..svm.certificate import Certificate
from ..svm.certify import certify
from .engine import DECIMALS, MISSING, UNIT, read_single, study_columns
from .predict import predicted_signs
from .statistics import wilson
from .study import STUDY_SCHEMA, Study, StudyRow, describe_problem
from .work import Work, check_repeats, encode_problem, generator, run_tasks

_DEGREES = (1, 2, 3, 4, 5, 6, 7, 8)
_LEVEL = 0.95
_EVERY = 8  # numbers whose permutations are all tried
PERMUTATIONS = 10_000


@dataclass(frozen=True, repr=False, eq=False)
class Overfit(Study):
    """A row for each n, and what they say together: ``says`` in words, ``finding`` in numbers."""

    problem: StudyRow
    settings: StudyRow
    table: tuple[StudyRow, ...]
    finding: StudyRow
    kind = "overfit"

    @property
    def says(self) -> str:
        """'foretold', 'not foretold' or 'no loss seen', and by what."""
        found = self.finding
        best, loss, onset = (found[key] for key in ("best", "loss", "onset"))
        high = f"high orders set in at n = {onset}" if onset is not None else "high orders never set in"
        if loss is None:
            return f"no loss seen: accuracy is highest at n = {best}; {high}"
        return f"{found['outcome']}: accuracy is highest at n = {best} and lost at n = {loss}; {high}"

    def rows(self) -> list[StudyRow]:
        return [dict(row) for row in self.table]

    def to_json(self) -> StudyRow:
        return {
            "schema": STUDY_SCHEMA, "kind": self.kind, "problem": self.problem, **self.settings,
            "decimals": DECIMALS, "rows": self.rows(), "finding": self.finding, "says": self.says,
        }  # fmt: skip

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """ "accuracy" over n with its intervals, and below it, for "orders", the orders stacked."""
        from ..plots import STYLE, matplotlib
        from .sweep import draw_stacked_orders

        if kind not in ("orders", "accuracy"):
            raise BadParameter("kind", repr(kind), "is not drawn of this", "take orders or accuracy")
        if ax is not None and kind == "orders":
            raise BadParameter(
                "ax", "one", "is given for two panels", "take kind='accuracy', or leave it out"
            )
        mpl = matplotlib()
        from matplotlib.figure import Figure

        with mpl.rc_context(STYLE):
            if ax is None:
                panels = 2 if kind == "orders" else 1
                figure = Figure(figsize=(5, 2.4 * panels + 0.4), layout="constrained")
                axes = figure.subplots(panels, 1, squeeze=False, sharex=True).ravel()
            else:
                axes, figure = np.array([ax]), ax.figure
            at = [str(row["n"]) for row in self.table]
            for name, colour, line in (("train", "0.35", "--"), ("cv", "#5e3c99", "-")):
                axes[0].plot(
                    at, [row[name] for row in self.table], color=colour, ls=line, marker="o", ms=3, label=name
                )
                low, high = ([row[f"{name}_{end}"] for row in self.table] for end in ("low", "high"))
                axes[0].fill_between(at, low, high, color=colour, alpha=0.15, lw=0)
            for name, colour in (("loss", "#e66101"), ("onset", "#1b7837")):
                if self.finding[name] is not None:
                    axes[0].axvline(str(self.finding[name]), color=colour, lw=1, ls=":", label=name)
            axes[0].set(xlabel="$n$", ylabel="accuracy")
            axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
            if kind == "orders":
                draw_stacked_orders(mpl, axes[1], self.table, "")
        return figure


def overfit(
    problem: Problem,
    n: Iterable[int] | None = None,
    folds: int = 10,
    repeats: int = 3,
    seed: int = 1,
    level: float = _LEVEL,
    whole_scale: bool = False,
    **work: Any,
) -> Overfit:
    """Training and cross-validated accuracy, and the indices of the model of all points, for n = 1 ... 8 or
    those given.

    Folds are stratified, drawn ``repeats`` times, and the same for every n. Each machine is certified; a side
    that is not proved counts as wrong (``undecided``). Columns are scaled by the training part of each fold,
    and test points clipped to its ends; ``whole_scale`` scales them once by all points, as the paper does.
    ``train`` and ``cv`` are shares of points, with Wilson's interval for as many trials as there are points:
    drawing folds again adds no data. ``cv_error`` is the standard error over the folds of one draw.

    ``spearman`` is that of mean order and cv over n, its p by permutations: it describes, as neighbouring n
    are not exchangeable. ``jobs``, ``scheduler``, ``keep``, ``progress``: see ``Work``.

    >>> X = [[x / 8, y / 8] for x in (-7, -4, -2, 1, 3, 6) for y in (-5, -3, -1, 2, 5, 7)]
    >>> problem = Problem(X, [1 if x + y > 0 else -1 for x, y in X], n=1, alpha=0, beta=0, C=10)
    >>> study = overfit(problem, n=[1, 2, 3], folds=3, repeats=1, keep=False)
    >>> study.says
    'not foretold: accuracy is highest at n = 1 and lost at n = 2; high orders set in at n = 3'
    """
    check_repeats(repeats, seed)
    degrees = _degrees(_DEGREES if n is None else n)
    _check(problem, folds, level)
    settings: StudyRow = {
        "n": degrees, "folds": folds, "repeats": repeats, "seed": seed, "level": level,
        "whole_scale": bool(whole_scale),
    }  # fmt: skip
    text, tasks = encode_problem(problem), list[tuple[StudyRow, tuple]]()
    for top in degrees:
        base = {"study": "overfit", "problem": problem.sha256, "n": top}
        tasks.append((base | {"part": "whole"}, (text, top, seed, folds, whole_scale, None)))
        more = {"seed": seed, "folds": folds, "whole_scale": bool(whole_scale)}
        tasks += [
            (base | more | {"part": k}, (text, top, seed, folds, whole_scale, k)) for k in range(repeats)
        ]
    found: dict[Any, Any] = {}
    for key, result in run_tasks(compute_folds, tasks, Work(**work)):
        found[key["n"], key["part"]] = result
    drawn = {top: [found[top, k] for k in range(repeats)] for top in degrees}
    table = [_row(problem, top, found[top, "whole"], drawn[top], level) for top in degrees]
    right = [sum(sum(each["right"]) for each in drawn[top]) for top in degrees]
    error = [_variance(drawn[top]) for top in degrees]
    return Overfit(
        describe_problem(problem),
        settings,
        tuple(table),
        find_overfitting(table, right, error, problem.m * repeats, seed),
    )


def compute_folds(
    problem: str, n: int, seed: int, folds: int, whole_scale: bool, repetition: int | None
) -> StudyRow:
    """All points at once, or one draw of the folds: how many of each are right."""
    given = Problem.from_json(parse(problem, "problem")).replace(n=n)
    if repetition is None:
        reading = read_single(given)
        sides = predicted_signs(given, given.points.tolist(), reading.certificate)
        right = sum(side == label for side, label in zip(sides, given.y, strict=True))
        return {"values": reading.values, "proof": reading.proof, "right": right, "undecided": sides.count(0)}
    part = assign_folds(given.y, folds, generator(seed, repetition))
    rights, sizes, undecided = [], [], 0
    for fold in range(folds):
        inside, outside = np.flatnonzero(part != fold), np.flatnonzero(part == fold)
        train, test = split_problem(given, inside.tolist(), outside.tolist(), whole_scale)
        sides = predicted_signs(train, test, certify_quickly(train))
        rights.append(sum(side == given.y[i] for side, i in zip(sides, outside.tolist(), strict=True)))
        sizes.append(len(outside))
        undecided += sides.count(0)
    return {"right": rights, "of": sizes, "undecided": undecided}


def certify_quickly(problem: Problem) -> Certificate | None:
    """In float64 with bounds, where that decides."""
    with suppress(Undecided, SolverFailed, TooLarge, np.linalg.LinAlgError), np.errstate(all="ignore"):
        return certify(problem, level="float")
    return None


def assign_folds(y: Sequence[int], folds: int, random: np.random.Generator) -> np.ndarray:
    """The fold of each point: each class dealt out one by one, where the last one ended."""
    part, dealt = np.empty(len(y), dtype=int), 0
    for label in (1, -1):
        mine = random.permutation(np.flatnonzero(np.array(y) == label))
        part[mine] = (dealt + np.arange(len(mine))) % folds
        dealt += len(mine)
    return part


def split_problem(
    problem: Problem, inside: Sequence[int], outside: Sequence[int], whole_scale: bool
) -> tuple[Problem, list[list[fmpq]]]:
    """The problem of some points, and the others on its scale, clipped to the ends of the domain."""
    C, y = ([values[i] for i in inside] for values in (problem.bounds, problem.y))
    if whole_scale or not problem.rescale:
        X, test = ([problem.points[i].tolist() for i in rows] for rows in (inside, outside))
        return problem.replace(X=X, y=y, C=C, rescale=False), test
    try:
        train = problem.replace(X=[problem.X[i] for i in inside], y=y, C=C)
    except BadInput as error:
        raise BadParameter(
            "fold", str(error).partition(";")[0], "without the points left out", "take whole_scale=True"
        ) from None
    test = [list(problem.X[i]) for i in outside]
    for j, measure in enumerate(problem.measures):
        if measure.domain == (-1, 1):
            column = [row[j] for row in train.X]
            low, high = min(column), max(column)
            for row in test:
                row[j] = min(max((row[j] - low) * 2 / (high - low) - 1, fmpq(-1)), fmpq(1))
    return train, test


def _row(problem: Problem, n: int, whole: StudyRow, drawn: Sequence[StudyRow], level: float) -> StudyRow:
    m, repeats = problem.m, len(drawn)
    right = sum(sum(each["right"]) for each in drawn)
    row: StudyRow = {"n": n}
    for name, share in (("train", whole["right"] / m), ("cv", right / (m * repeats))):
        low, high = wilson(share, m, level)
        row |= {name: share, f"{name}_low": low, f"{name}_high": high}
    row["cv_error"] = sqrt(real(_variance(drawn)))
    values = dict(zip(study_columns(problem.replace(n=n)), whole["values"], strict=True))
    by = {name: {c.key[0]: x for c, x in values.items() if c.name == name} for name in ("order", "degree")}
    known = MISSING not in by["order"].values()
    orders = by["order"]
    row |= {
        "mean_order": _mean(by["order"]),
        "mean_degree": _mean(by["degree"]),
        "interactions": sum(x for q, x in orders.items() if q >= 2) / UNIT if known else None,
        "high": sum(x for q, x in orders.items() if 2 * q > problem.d) / UNIT if known else None,
    }
    for column, x in values.items():
        if column.name == "order" or column.name not in INDICES:
            name = "_".join([column.name, *map(str, column.key)])
            row[name] = None if x == MISSING else x if column.unit == 1 else x / UNIT
    return row | {
        "proof": whole["proof"],
        "undecided": whole["undecided"] + sum(each["undecided"] for each in drawn),
    }


def _mean(shares: dict[int, int]) -> float | None:
    """sum_q q OKC^(q)."""
    return None if MISSING in shares.values() else sum(q * x for q, x in shares.items()) / UNIT


def _variance(drawn: Sequence[StudyRow]) -> fmpq:
    """The squared standard error over the folds of one draw, its mean over the draws."""
    total = fmpq(0)
    for each in drawn:
        shares = [fmpq(a, b) for a, b in zip(each["right"], each["of"], strict=True)]
        mean = sum(shares, fmpq(0)) / len(shares)
        total += sum(((x - mean) ** 2 for x in shares), fmpq(0)) / (len(shares) - 1) / len(shares)
    return total / len(drawn)


def find_overfitting(
    table: Sequence[StudyRow], right: Sequence[int], error: Sequence[fmpq], of: int, seed: int
) -> StudyRow:
    """best, loss and onset, from how many were right at each n and the squares of their standard errors.

    Every comparison is of integers or fractions. Beside the onset of high orders stands that of interactions,
    the first n at which more than half of the mass has an order of 2 or more.
    """
    best = right.index(max(right))

    def lost(k: int) -> bool:
        return right[k] < right[best] and fmpq(right[best] - right[k], of) ** 2 > max(error[best], error[k])

    loss = next((k for k in range(best + 1, len(table)) if lost(k)), None)
    found: StudyRow = {"best": table[best]["n"], "loss": None if loss is None else table[loss]["n"]}
    for onset, outcome, share in (
        ("onset", "outcome", "high"),
        ("onset_interactions", "outcome_interactions", "interactions"),
    ):
        at = next((k for k, row in enumerate(table) if row[share] is not None and row[share] > 0.5), None)
        found[onset] = None if at is None else table[at]["n"]
        foretold = loss is not None and at is not None and best < at <= loss
        found[outcome] = "no loss seen" if loss is None else "foretold" if foretold else "not foretold"
    both = zip((row["mean_order"] for row in table), right, strict=True)
    return found | {"spearman": spearman([pair for pair in both if pair[0] is not None], seed)}


def spearman(pairs: Sequence[tuple[float, float]], seed: int = 1) -> StudyRow | None:
    """Of ranks, ties in the middle; p two-sided, over all permutations or 10,000 drawn. None: no variation.

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
    """Twice the ranks, in the middle for ties, less their mean: integers."""
    return [sum((x > other) - (x < other) for other in values) for x in values]


def _degrees(n: Any) -> list[int]:
    if isinstance(n, str | bytes) or not hasattr(n, "__iter__"):
        raise BadParameter("n", repr(n)[:40], "is not a list of degrees", "write n=[1, 2, 3]")
    found = [check_degree(x) for x in n]
    if len(found) < 2 or sorted(set(found)) != found:
        raise BadParameter("n", found, "does not grow", "give two degrees or more, from low to high")
    return found


def _check(problem: Problem, folds: Any, level: Any) -> None:
    least = min(problem.y.count(1), problem.y.count(-1))
    if isinstance(folds, bool) or not isinstance(folds, int) or not 2 <= folds <= least:
        rule = f"is not from 2 to {least}, the points of the smaller class"
        raise BadParameter("folds", folds, rule, "take fewer folds, or more points")
    if not isinstance(level, float) or not 0 < level < 1:
        raise BadParameter("level", level, "is not between 0 and 1", "take 0.95")
