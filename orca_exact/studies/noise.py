"""``noise``: how far the indices move if each x is known only to +-delta.

Twice: proved, for every point of the box at once (``enclose_box``), where delta is small enough for the
support vectors to stay what they are; and by certified draws from the box, whatever happens there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from flint import arb, fmpq, fmpz

from ..errors import BadParameter, OrcaError, Undecided
from ..numbers.rationals import QQ, Number, midpoint, text
from ..problem import Problem
from ..profile.indices import INDICES
from ..profile.profile import orca, widen_share
from .box import Moving, reach_of_points
from .engine import MISSING, UNIT, Engine, decide_summaries, read_single, study_columns
from .statistics import QUANTILES, mean_sd, quantile
from .study import Resampled, StudyRow, describe_problem
from .work import PIECE, Work, check_repeats, encode_problem, generator, run_tasks, task_starts, worker_engine

HALVINGS = 60
PLACES = 12  # decimals that a table prints, at most
GRID = 2**30  # steps of a draw to either side


@dataclass(frozen=True, repr=False, eq=False)
class Noise(Resampled):
    """The observed indices, what encloses them all over a box, and their distribution in the whole box."""

    others: ClassVar[str] = "the draws"
    enclosures: tuple[Any, ...] = ()  # for each column [low, high] or None

    def rows(self) -> list[StudyRow]:
        without: StudyRow = {"enclosure_low": None, "enclosure_high": None}
        rows = [row if "enclosure" not in row else row | without for row in super().rows()]
        return [{key: x for key, x in row.items() if key != "enclosure"} for row in rows]

    def statistics(self) -> list[StudyRow]:
        rows = []
        for column, observed, inside in zip(self.columns, self.observed, self.enclosures, strict=True):
            known = sorted(self.sample(column))
            mean, sd = mean_sd(known) if known else (0.0, 0.0)
            rows.append(
                {
                    "observed": self.value(column, observed),
                    "enclosure": inside and [self.value(column, end) for end in inside],
                    "mean": self.value(column, mean) if known else None,
                    "sd": self.value(column, sd) if known else None,
                    "quantiles": {q: self.value(column, quantile(known, q)) for q in QUANTILES}
                    if known
                    else {},
                }
            )
        return rows


def noise(
    problem: Problem,
    delta: Number | Sequence[Number] | None = None,
    repeats: int = 200,
    seed: int = 1,
    **work: Any,
) -> Noise:
    """The indices where each coordinate of each point lies within delta of what is given.

    ``delta``: one number, or one for each column, in the units of the data; by default half a unit of the
    last decimal that the column is written with. Points are rescaled after they have moved, as the problem
    asks; without that, what leaves its measure's domain is moved back to its edge.

    ``enclosure`` holds an index everywhere in the box of delta/2^k, where the active set is proved to stay:
    k is the least such, ``halvings`` in the counts, and the enclosure is null where there is none up to 60.
    It is proved, but not the closest: another machine may round its ends elsewhere. All other numbers are of
    draws, uniform in the whole box, each certified; ``changed`` counts those with another active set.
    ``jobs``, ``scheduler``, ``keep``, ``progress``: see ``Work``.

    >>> X = [["-0.9"], ["-0.4"], ["0.1"], ["0.8"], ["0.9"]]
    >>> problem = Problem(X, [1, 1, -1, -1, 1], n=2, alpha=0, beta=0, C=10)
    >>> study = noise(problem, delta="0.001", repeats=20, keep=False)
    >>> study.counts["halvings"], study.counts["changed"]  # proved for delta itself
    (0, 0)
    >>> low, high = study["degree", 2]["enclosure"]
    >>> low <= study["degree", 2]["observed"] <= high
    True
    """
    check_repeats(repeats, seed)
    around = _delta(problem, delta)
    for j, (d, measure) in enumerate(zip(around, problem.measures, strict=True)):
        if problem.rescale and measure.domain == (-1, 1):
            column = [row[j] for row in problem.X]
            if 2 * d >= max(column) - min(column):
                raise BadParameter(
                    f"delta[{j}]", text(d), "is half the range of its column or more", "take a smaller one"
                )
    given = [text(d) for d in around]
    settings = {"repeats": repeats, "seed": seed, "method": "uniform in the box", "delta": given}
    base: StudyRow = {"study": "noise", "problem": problem.sha256, "delta": given}
    sent = encode_problem(problem)
    tasks: list[tuple[StudyRow, tuple]] = [(base | {"part": "box"}, (sent, given, seed, None, None))]
    tasks += [
        (base | {"seed": seed, "first": first, "last": last}, (sent, given, seed, first, last))
        for first, last in [(-1, 0), *((k, min(k + PIECE, repeats)) for k in task_starts(repeats))]
    ]
    found: dict[Any, Any] = {}
    for key, result in run_tasks(compute_draws, tasks, Work(**work)):
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
        "noise", describe_problem(problem), settings, study_columns(problem), tuple(observed[0]),
        np.array([row[0] for row in drawn], dtype=np.int64), counts, tuple(inside["enclosures"]),
    )  # fmt: skip


def compute_draws(problem: str, delta: list[str], seed: int, first: int | None, last: int | None) -> Any:
    """Some draws, each with its own seed: indices, proof, active set. Number -1 is the points as given;
    no number: the enclosures."""
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
    """Each point moved, uniformly on a fine grid, and kept in the domain where it is not rescaled."""
    steps = random.integers(-GRID, GRID, size=(problem.m, problem.d), endpoint=True).tolist()
    X = []
    for row, moves in zip(problem.X, steps, strict=True):
        moved = [x + d * fmpq(k, GRID) for x, d, k in zip(row, delta, moves, strict=True)]
        for j, measure in enumerate(problem.measures):
            low, high = measure.domain
            if not (problem.rescale and measure.domain == (-1, 1)):
                moved[j] = moved[j] if low is None else max(moved[j], fmpq(low))
                moved[j] = moved[j] if high is None else min(moved[j], fmpq(high))
        X.append(moved)
    return problem.replace(X=X)


def enclose_box(problem: Problem, delta: Sequence[fmpq]) -> StudyRow:
    """What holds all over the box of delta/2^k, for the least k that is proved."""
    wanted = study_columns(problem)
    nothing: StudyRow = {
        "halvings": None,
        "proved_delta": None,
        "why": None,
        "enclosures": [None] * len(wanted),
    }
    try:
        moving = Moving(Engine(problem).problem)
        profile = orca(moving.problem, moving.proof, "verified")
    except (OrcaError, np.linalg.LinAlgError) as error:
        return nothing | {"why": str(error)}

    def turned(k: int) -> arb | None:
        try:
            return moving.turn_bound(reach_of_points(problem, [d / fmpq(2) ** k for d in delta]))
        except Undecided:
            return None

    low, high, sine = -1, HALVINGS, turned(0)  # not proved at low, proved at high
    if sine is not None:
        high = 0
    elif (sine := turned(HALVINGS)) is None:
        return nothing | {"why": f"the active set is not proved to stay, not even within delta/2^{HALVINGS}"}
    else:
        low = 0
    while high - low > 1:
        k = (low + high) // 2
        closer = turned(k)
        low, high, sine = (k, high, sine) if closer is None else (low, k, closer)
    shares = [_ends(widen_share(profile.family(c.name)[c.key], sine)) for c in wanted if c.name in INDICES]
    summary = [None if N == MISSING else [N, N] for N in decide_summaries(profile.degree, sine)]
    found = [text(d / fmpq(2) ** high) for d in delta]
    return {"halvings": high, "proved_delta": found, "why": None, "enclosures": [*shares, *summary]}


def _ends(x: arb) -> list[int]:
    """Around a share, in units of the last decimal."""
    middle, radius = midpoint(x), midpoint(x.rad())
    low, high = ((middle - radius) * UNIT).floor(), ((middle + radius) * UNIT).ceil()
    return [max(0, int(low)), min(UNIT, int(high))]


def _delta(problem: Problem, given: Any) -> list[fmpq]:
    """One for each column."""
    if given is None:
        return [_last_place([row[j] for row in problem.X], j) for j in range(problem.d)]
    is_list = hasattr(given, "__iter__") and not isinstance(given, str | bytes)
    values = list(given) if is_list else [given] * problem.d
    if len(values) != problem.d:
        hint = "give one for all, or one for each"
        raise BadParameter("delta", f"{len(values)} values", f"for {problem.d} columns", hint)
    found = [QQ(x, f"delta[{j}]" if is_list else "delta") for j, x in enumerate(values)]
    for j, x in enumerate(found):
        if x < 0:
            raise BadParameter(f"delta[{j}]", text(x), "is negative", "it is a distance")
    if not any(found):
        raise BadParameter("delta", 0, "leaves every point where it is", "take a positive distance")
    return found


def _last_place(column: Sequence[fmpq], j: int) -> fmpq:
    """Half a unit of the last decimal that a column is written with."""
    for places in range(PLACES + 1):
        if all(fmpz(10) ** places % x.q == 0 for x in column):
            return fmpq(1, 2 * 10**places)
    raise BadParameter(
        f"X[:][{j}]", text(next(x for x in column if fmpz(10) ** PLACES % x.q != 0)),
        f"is no decimal of {PLACES} places or fewer", "give delta, or the numbers as text: '0.1'",
    )  # fmt: skip
