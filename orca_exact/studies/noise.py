"""``noise``: change of the indices if each coordinate is known only to within +-delta.

It is bounded in two ways. ``enclose_box`` proves bounds for all points of the box at once, if delta is so
small that the active set cannot change. Random draws from the box, each certified, work for every delta.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from flint import arb, fmpq, fmpz

from ..errors import BadParameter, OrcaError, Undecided, pluralize, wrong_count
from ..numbers.rationals import QQ, Number, midpoint, to_float, to_text
from ..problem import Problem, require_problem
from ..profile.indices import INDICES
from ..profile.profile import widen_share
from .box import MovableProblem, bound_displacements
from .engine import MISSING, UNIT, Engine, decide_summaries, read_single, study_columns, with_measures
from .study import Resampled, StudyRow, describe_problem
from .subject import takes_models
from .work import Work, batches, check_repeats, encode_problem, generator, run_tasks, worker_engine

HALVINGS = 60  # delta is halved at most so often
PLACES = 12  # largest number of decimals from which delta is guessed
GRID = 2**30  # grid steps of a draw to either side


@dataclass(frozen=True, repr=False, eq=False)
class Noise(Resampled):
    """The observed indices, proved enclosures over a box, and their distribution over random draws."""

    kind: ClassVar[str] = "noise"
    samples_label: ClassVar[str] = "the draws"
    by_column: ClassVar[tuple[str, ...]] = ("enclosures",)
    enclosures: tuple[Any, ...] = ()  # [low, high] or None for each column

    def rows(self) -> list[StudyRow]:
        without: StudyRow = {"enclosure_low": None, "enclosure_high": None}
        rows = [row if "enclosure" not in row else row | without for row in super().rows()]
        return [{key: x for key, x in row.items() if key != "enclosure"} for row in rows]

    def _complete(self, row: StudyRow, j: int, known: list[int], mean: float, sd: float) -> StudyRow:
        column, inside = self.columns[j], self.enclosures[j]
        enclosure = inside and [self.value(column, end) for end in inside]
        first = {"observed": row["observed"], "enclosure": enclosure}
        return first | row | {"quantiles": self._quantiles(column, known)}


@takes_models
def noise(
    problem: Problem,
    delta: Number | Sequence[Number] | None = None,
    repeats: int = 200,
    seed: int = 1,
    **work: Any,
) -> Noise:
    """Bound and sample the indices if each coordinate of each point is known only to within delta.

    Parameters
    ----------
    problem : Problem, audit or fitted model
        The problem whose points are moved. If it asks for rescaling, the points are rescaled after the move;
        otherwise a point that leaves the domain of its measure is moved back to the edge. Measures of the
        indices that come from the data, such as the empirical one, stay those of the points as given. A
        fitted model is followed by its data, as in ``noise(model, X, y)``; the result has one study for each
        pair of classes if there are several.
    delta : number or sequence of numbers, optional
        One for all columns or one for each, in the units of the data. The default for a column is half a unit
        of its last decimal.
    repeats : int
        Number of draws.
    seed : int
        Seed of the random numbers.
    **work
        Execution options ``jobs``, ``scheduler``, ``keep`` and ``progress``, see ``Work``.

    Returns
    -------
    Noise
        ``enclosure`` contains the index for all points in the box of delta/2^k, where k, ``halvings`` in
        ``counts``, is the smallest number for which the active set is proved not to change. It is None if no
        k up to 60 works. Enclosures are proved, not optimal: their ends may differ between machines. All
        other numbers come from draws that are uniform in the whole box, each certified; ``changed`` in
        ``counts`` is the number of draws with another active set.

    Examples
    --------
    >>> X = [["-0.9"], ["-0.4"], ["0.1"], ["0.8"], ["0.9"]]
    >>> problem = Problem(X, [1, 1, -1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> study = noise(problem, delta="0.001", repeats=20, keep=False)
    >>> study.counts["halvings"], study.counts["changed"]  # proved for delta itself
    (0, 0)
    >>> low, high = study["degree", 2]["enclosure"]
    >>> low <= study["degree", 2]["observed"] <= high
    True
    """
    require_problem(problem)
    check_repeats(repeats, seed)
    around = _delta(problem, delta)
    for j, d in enumerate(around):
        if problem.rescale and problem.kernel.is_rescaled(j):
            column = [row[j] for row in problem.X]
            if 2 * d >= max(column) - min(column):
                raise BadParameter(
                    f"delta[{j}]",
                    to_text(d),
                    "is at least half the range of its column",
                    "pass a smaller one",
                )
    given = [to_text(d) for d in around]
    settings = {"repeats": repeats, "seed": seed, "method": "uniform in the box", "delta": given}
    base: StudyRow = {"study": "noise", "problem": problem.sha256, "delta": given}
    encoded = encode_problem(problem)
    keys = [base | {"part": "box"}]
    for first, last in [(-1, 0), *batches(repeats, problem)]:
        keys.append(base | {"seed": seed, "first": first, "last": last})

    def arguments(key: StudyRow) -> tuple[Any, ...]:
        return encoded, given, seed, key.get("first"), key.get("last")

    found: dict[Any, Any] = {}
    for key, result in run_tasks(compute_draws, keys, arguments, Work(**work)):
        found[key.get("first")] = result
    inside, [observed] = found.pop(None), found.pop(-1)
    drawn = [row for first in sorted(found) for row in found[first]]
    proofs, sets = [row[1] for row in drawn], [row[2] for row in drawn if row[2] is not None]
    counts = {
        "proofs": {kind: proofs.count(kind) for kind in sorted(set(proofs))},
        "changed": None if observed[2] is None else sum(active != observed[2] for active in sets),
        **{key: inside[key] for key in ("halvings", "proved_delta", "why")},
    }
    return Noise(
        describe_problem(problem), settings, study_columns(problem), tuple(observed[0]),
        np.array([row[0] for row in drawn], dtype=np.int64), counts, tuple(inside["enclosures"]),
    )  # fmt: skip


def compute_draws(problem: str, delta: list[str], seed: int, first: int | None, last: int | None) -> Any:
    """Return indices, proof and active set of some draws; number -1 is the points as given.

    Without numbers, return the enclosures instead.
    """
    given, around = Problem.from_json(json.loads(problem)), [QQ(d) for d in delta]
    if first is None or last is None:
        return enclose_box(given, around)
    start, rows = worker_engine(problem).alpha, []
    for repetition in range(first, last):
        moved = given if repetition < 0 else draw_points(given, around, generator(seed, repetition))
        reading = read_single(moved, start)
        rows.append([reading.values, reading.proof, reading.active])
    return rows


def draw_points(problem: Problem, delta: Sequence[fmpq], random: np.random.Generator) -> Problem:
    """Move each point at random, uniformly on a fine grid; clip it to the domain if it is not rescaled."""
    steps = random.integers(-GRID, GRID, size=(problem.m, problem.d), endpoint=True).tolist()
    X = []
    for row, moves in zip(problem.X, steps, strict=True):
        moved = [x + d * fmpq(k, GRID) for x, d, k in zip(row, delta, moves, strict=True)]
        for j in range(problem.d):
            low, high = problem.kernel.domain(j)
            if not (problem.rescale and problem.kernel.is_rescaled(j)):
                moved[j] = moved[j] if low is None else max(moved[j], fmpq(low))
                moved[j] = moved[j] if high is None else min(moved[j], fmpq(high))
        X.append(moved)
    return with_measures(problem, X=X)


def enclose_box(problem: Problem, delta: Sequence[fmpq]) -> StudyRow:
    """Enclose the indices over the box of delta/2^k, for the smallest k for which that can be proved."""
    wanted = study_columns(problem)
    nothing: StudyRow = {
        "halvings": None,
        "proved_delta": None,
        "why": None,
        "enclosures": [None] * len(wanted),
    }
    try:
        moving = MovableProblem(Engine(problem).problem)
        profile = moving.profile
    except (OrcaError, np.linalg.LinAlgError) as error:
        return nothing | {"why": str(error)}

    def turn(k: int) -> arb | None:
        try:
            return moving.bound_turn(bound_displacements(problem, [d / fmpq(2) ** k for d in delta]))
        except Undecided:
            return None

    low, high, sine = -1, HALVINGS, turn(0)  # not proved at low, proved at high
    if sine is not None:
        high = 0
    elif (sine := turn(HALVINGS)) is None:
        why = f"the active set could not be proved constant, not even within delta/2^{HALVINGS}"
        return nothing | {"why": why}
    else:
        low = 0
    while high - low > 1:
        k = (low + high) // 2
        closer = turn(k)
        low, high, sine = (k, high, sine) if closer is None else (low, k, closer)
    shares = [
        _ends(arb(0) if INDICES[name].constant == key else widen_share(profile.family(name)[key], sine))
        for name, key in wanted
        if name in INDICES
    ]
    summary = []
    if profile.has_degrees:
        summary = [None if N == MISSING else [N, N] for N in decide_summaries(profile.degree, sine)]
    found = [to_text(d / fmpq(2) ** high) for d in delta]
    return {"halvings": high, "proved_delta": found, "why": None, "enclosures": [*shares, *summary]}


def _ends(x: arb) -> list[int]:
    """Round the ends of a share outwards to units of the last decimal."""
    middle, radius = midpoint(x), midpoint(x.rad())
    low, high = ((middle - radius) * UNIT).floor(), ((middle + radius) * UNIT).ceil()
    return [max(0, int(low)), min(UNIT, int(high))]


def _delta(problem: Problem, given: Any) -> list[fmpq]:
    """Return the delta of each column."""
    if given is None:
        return [_last_place([row[j] for row in problem.X], j) for j in range(problem.d)]
    is_list = hasattr(given, "__iter__") and not isinstance(given, str | bytes)
    values = list(given) if is_list else [given] * problem.d
    if len(values) != problem.d:
        hint = "pass one for all columns, or one for each"
        raise wrong_count("delta", len(values), "value", f"for {pluralize(problem.d, 'column')}", hint)
    found = [QQ(x, f"delta[{j}]" if is_list else "delta") for j, x in enumerate(values)]
    for j, x in enumerate(found):
        if x < 0:
            raise BadParameter(f"delta[{j}]", to_text(x), "is negative", "pass a positive distance")
    if not any(found):
        raise BadParameter("delta", 0, "moves no point", "pass a positive distance")
    return found


def _last_place(column: Sequence[fmpq], j: int) -> fmpq:
    """Return half a unit of the last decimal that occurs in a column."""
    for places in range(PLACES + 1):
        if all(fmpz(10) ** places % x.q == 0 for x in column):
            return fmpq(1, 2 * 10**places)
    raise BadParameter(
        f"X[:][{j}]", f"{to_float(next(x for x in column if fmpz(10) ** PLACES % x.q != 0)):.17g}",
        f"is not a decimal of at most {PLACES} places", "pass delta, or write the numbers as text: '0.1'",
    )  # fmt: skip
