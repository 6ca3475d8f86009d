"""The path in C as a finite list of segments in tau = lambda*C, each proved for every C in it.

On a segment a = u + tau*v, and b is affine too (an interval with two affine ends if no point is free), so
each condition of optimality is affine in tau: it holds on the segment because it holds at both ends. R and
the box are rational in tau whatever lambda is, and so is the path. ``pivot`` finds the active set beyond each
end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from flint import fmpq

from ..errors import OrcaError, Undecided
from ..files.formats import JsonObject
from ..numbers.arithmetic import arithmetic, object_vector
from ..numbers.rationals import QQ, format_decimal
from ..problem import Problem
from ..svm.active import find_active_set
from ..svm.certify import FAILURES
from ..svm.dual import BallDual
from ..svm.solvers import proposed_alpha
from ..svm.verified import find_start
from .margins import AffineBounds, Pair
from .pivot import Balls, Basis, BasisSolution, Conditions, Field, Rationals, find_basis
from .places import is_narrow

PIVOT_DIGITS = (80, 320)  # digits of the balls that are tried before rationals
MOST_PIVOT_DIGITS = 1280  # digits of the balls that are used instead of rationals if R is not rational
_MEET = ("meet", -1)  # the key of the condition that the interval of b is not empty
_FEW = 20  # points up to which the criss-cross method needs no proposal
T = TypeVar("T")


_EVENT_TEXT = {  # the other kinds read as they are
    "enters": "becomes a support vector",
    "leaves": "stops being a support vector",
    "holds b": "now limits b",
    "meets b": "reaches its margin",
}


class Event(NamedTuple):
    """An event that ends a segment: what happens (``kind``), and to which point (from 1).

    ``enters``: a_i, which was 0, becomes free. ``leaves``: it becomes 0. ``reaches its bound`` and ``leaves
    its bound``: a_i reaches or leaves tau_i. If no point is free, b may lie in an interval; ``holds b``: the
    point now determines an end of it, ``meets b``: the interval shrinks to one number, at which the point is
    on its margin. A point that goes from 0 to its bound at once enters and reaches it, and the other way
    round.
    """

    kind: str
    point: int

    def __str__(self) -> str:
        return f"point {self.point} {_EVENT_TEXT.get(self.kind, self.kind)}"


@dataclass(frozen=True, eq=False)
class Segment:
    """An interval lower <= tau <= upper (None: no end) with its active set, a = u + tau*v, and b.

    Points are counted from 1. ``b`` has one pair (p, q), for p + q*tau, or two for the ends of an interval.
    ``events`` are those at the upper end: every condition that becomes tight there, and every point whose
    status (free, at its bound, or 0) differs on the next segment; there are none if the path is cut off
    there. Numbers are rationals or balls; they follow from ``state``. ``constant`` states that w is proved
    not to depend on tau.

    A path has about as many segments as points. Therefore u and v are stored for the free points of the basis
    only (``values``, counted from 0), and sets of points have one bit for each point.
    """

    lower: Any
    upper: Any
    free: tuple[int, ...]
    bits: bytes  # the points at their bound
    values: dict[int, Pair]
    b: tuple[Pair, ...]
    events: tuple[Event, ...]
    packed_state: PackedState
    constant: bool
    weights: Sequence[fmpq]  # C_i/C

    @property
    def bound(self) -> tuple[int, ...]:
        """The points at their bound."""
        return tuple(i + 1 for i in unpack_points(self.bits))

    def status(self, i: int) -> str:
        """Return "free", "bound" or "zero" for point i."""
        place, bit = divmod(i - 1, 8)
        return "free" if i in self.free else "bound" if self.bits[place] >> (7 - bit) & 1 else "zero"

    @property
    def u(self) -> np.ndarray:
        """The part of a that does not depend on tau."""
        found = object_vector([fmpq(0)] * len(self.weights))
        for i, (u, _) in self.values.items():
            found[i] = u
        return found

    @property
    def v(self) -> np.ndarray:
        """The slope of a."""
        found = object_vector([fmpq(0)] * len(self.weights))
        for i in unpack_points(self.bits):
            found[i] = self.weights[i]
        for i, (_, v) in self.values.items():
            found[i] = v
        return found

    @property
    def state(self) -> State:
        """The basis, and the points that determine b if no point is free."""
        free, bits, holders = self.packed_state
        bound = frozenset(unpack_points(bits))
        if not holders:
            return State(Basis(free, bound))
        return _held_state(*holders, bound)

    def __repr__(self) -> str:
        upper = "oo" if self.upper is None else format_decimal(self.upper, 6)
        sizes = f"{len(self.free)} free, {len(self.bound)} bound"
        why = ", ".join(map(str, self.events))
        return f"<Segment tau {format_decimal(self.lower, 6)} to {upper}: {sizes}{'; ' if why else ''}{why}>"

    def to_json(self) -> JsonObject:
        """Return the segment as a path file has it, with u and v of the free points only."""
        values = [self.values[i - 1] for i in self.free]
        return {
            "lower": str(self.lower),
            "upper": None if self.upper is None else str(self.upper),
            "free": list(self.free),
            "bound": list(self.bound),
            "u": [str(u) for u, _ in values],
            "v": [str(v) for _, v in values],
            "b": [{"u": str(p), "v": str(q)} for p, q in self.b],
            "events": [{"kind": event.kind, "point": event.point} for event in self.events],
        }


class DistinctPoints:
    """A problem in which equal points with the same label are merged if R is not rational.

    Without merging, their conditions become tight together, which balls cannot prove. A merged point has the
    sum of the C_i, and its a is divided among its ``members`` in proportion to these.
    """

    def __init__(self, problem: Problem):
        groups: dict[Any, list[int]] = {}
        for i, (x, label) in enumerate(zip(problem.points.tolist(), problem.y, strict=True)):
            groups.setdefault(i if problem.kernel.rational else (*x, label), []).append(i)
        self.members = list(groups.values())
        sums = [sum((problem.weights[i] for i in group), fmpq(0)) for group in self.members]
        self.factor = max(sums)  # tau of the merged problem, divided by tau
        self.problem, self.weights = problem, problem.weights
        if len(groups) < problem.m:
            first = [group[0] for group in self.members]
            X, y, C = problem.points[first], [problem.y[i] for i in first], [problem.C * x for x in sums]
            self.problem = Problem(X, y, kernel=problem.kernel, C=C)
        shares = {i: (k, problem.weights[i] / sums[k]) for k, group in enumerate(self.members) for i in group}
        self._shares = [shares[i] for i in range(problem.m)]

    def divide(self, values: dict[int, Pair]) -> dict[int, Pair]:
        """Return u and v of the points, given those of the merged points."""
        if self.problem.m == len(self._shares):
            return values
        found = {}
        for k, (u, v) in values.items():
            for i in self.members[k]:
                share = self._shares[i][1]
                found[i] = u * share, v * self.factor * share
        return found

    def expand(self, segment: Segment) -> Segment:
        """Return a segment of the merged problem as one of the problem; its ``state`` stays merged."""
        if self.problem.m == len(self._shares):
            return segment
        f, members = self.factor, self.members
        upper = None if segment.upper is None else segment.upper / f
        free, bound = (
            sorted(i for k in points for i in members[k - 1]) for points in (segment.free, segment.bound)
        )
        return replace(
            segment,
            lower=segment.lower / f,
            upper=upper,
            free=tuple(i + 1 for i in free),
            bits=pack_points(bound, len(self._shares)),
            values=self.divide(segment.values),
            b=tuple((p, q * f) for p, q in segment.b),
            events=tuple(Event(e.kind, i + 1) for e in segment.events for i in members[e.point - 1]),
            weights=self.weights,
        )


def finest_field(problem: Problem) -> Field:
    """Return the rationals or, if R is not rational, balls with many digits."""
    return Rationals(problem) if problem.kernel.rational else Balls(problem, MOST_PIVOT_DIGITS)


def finest_segment(field: Field, distinct: DistinctPoints, segment: Segment) -> Segment:
    """Return the same segment with u, v and the upper end as exact as the finest field has them."""
    numbers = [x for pair in segment.values.values() for x in pair]
    if all(isinstance(x, fmpq) for x in (*numbers, segment.upper or fmpq(0))):
        return segment
    with field.scope():
        state, upper = segment.state, segment.upper
        line = field.solution(state.basis)
        if upper is not None and not isinstance(upper, fmpq):
            end, _ = field.first_zero(_conditions(field, state))
            upper = end / distinct.factor
        return replace(segment, upper=upper, values=distinct.divide(_values(line)))


def _values(line: BasisSolution) -> dict[int, Pair]:
    return {i: (line.u[i], line.v[i]) for i in line.u}


class BiasHolders(NamedTuple):
    """The points that determine the ends of b if no point is free, and the points at their bound."""

    lower: int
    upper: int
    bound: frozenset[int]


class State(NamedTuple):
    """A basis and, if no point is free, the points that determine b."""

    basis: Basis
    held: BiasHolders | None = None


class PackedState(NamedTuple):
    """A state with one bit for each point at its bound.

    If no point is free, ``holders`` are the points that determine b, and one of them may be at its bound.
    """

    free: tuple[int, ...]
    bits: bytes
    holders: tuple[int, int] | None


def pack_points(points: Iterable[int], m: int) -> bytes:
    """Return a set of points, counted from 0, in one bit for each of m points."""
    chosen = np.zeros(m, dtype=bool)
    chosen[[*points]] = True
    return np.packbits(chosen).tobytes()


def unpack_points(bits: bytes) -> list[int]:
    """Return the points of a set made by ``pack_points``."""
    found: list[int] = np.flatnonzero(np.unpackbits(np.frombuffer(bits, dtype=np.uint8))).tolist()
    return found


def follow_segments(problem: Problem, start: fmpq, stop: fmpq | None, exact: bool) -> tuple[Segment, ...]:
    """Return the segments from tau = ``start`` to ``stop`` or, if that is None, without end.

    Balls are used first unless ``exact``; rationals decide what balls leave open, or balls with more digits
    if R is not rational.
    """
    distinct = DistinctPoints(problem)
    problem, f = distinct.problem, distinct.factor
    fields: list[Field] = [] if exact else [Balls(problem, digits) for digits in PIVOT_DIGITS]
    fields.append(finest_field(problem))
    found: list[Segment] = []
    stop = None if stop is None else stop * f
    try:
        for segment, _ in _steps(problem, fields, start * f, stop):
            found.append(segment)
    except Undecided as error:
        if problem.kernel.rational:
            raise
        tau = found[-1].upper if found else start * f
        place = "The start of the path" if tau == 0 else f"The path beyond C = {format_decimal(tau / f, 6)}"
        why = "values of this kernel are transcendental, so that no tie can be settled exactly"
        hint = "certify at single C, at level 'gap' if need be"
        raise Undecided(f"{place} is undecided: {error} The {why}; {hint}.") from None
    complete = (replace(one, events=_all_events(one, other)) for one, other in pairwise(found))
    return tuple(distinct.expand(segment) for segment in (*complete, found[-1]))


def _steps(
    problem: Problem, fields: Sequence[Field], start: fmpq, stop: fmpq | None
) -> Iterator[tuple[Segment, State]]:
    """Yield each segment from tau = ``start`` to ``stop``, with its state."""
    tau: Any = start
    following: State | None = _start(problem, fields, start)
    while following is not None:
        state, at = following, tau
        segment, following = _first_decided(fields, lambda field: _step(field, state, at, stop))  # noqa: B023
        yield segment, state
        tau = segment.upper


def _start(problem: Problem, fields: Sequence[Field], tau: fmpq) -> State:
    """Return the state just beyond tau, from a solver's proposal if possible.

    Otherwise follow the path from the limit C -> 0: for a distant tau this takes far fewer pivots than going
    there at once.
    """
    proposed = _proposed(problem, tau) if problem.m > _FEW else None
    if proposed is not None:
        with suppress(Undecided):  # the proposed points may be dependent
            return _first_decided(fields, lambda field: _state_beyond(field, proposed, tau, ()))
    basis = _initial_basis(problem)
    if tau > 0:
        for _, state in _steps(problem, fields, fmpq(0), tau):
            basis = state.basis
    return _first_decided(fields, lambda field: _state_beyond(field, basis, tau, ()))


def _first_decided(fields: Sequence[Field], attempt: Callable[[Field], T]) -> T:
    """Return the result of the first field that decides the attempt."""
    for field in fields[:-1]:
        try:
            with field.scope():
                return attempt(field)
        except Undecided:
            continue
    with fields[-1].scope():
        return attempt(fields[-1])


def _proposed(problem: Problem, tau: fmpq) -> Basis | None:
    """Return a solver's active set at tau, or at a small tau if tau = 0; None if there is none."""
    A = arithmetic("ball", PIVOT_DIGITS[0])
    with A.scope():
        dual = BallDual(problem, A)
        reach = tau or 1 / (4 * problem.m * QQ(max(dual.scale)) ** 2)
        try:
            dual = BallDual(problem.replace(C=QQ(float(reach / dual.lam))), A)
            alpha = _quickly_proposed(dual.problem)
            active = find_active_set(dual, [x * dual.lam for x in alpha])
        except OrcaError:
            return None
        if active is None:
            return None
        values, weights = active.values, problem.weights
        bound = frozenset([*active.bound, *(i for i in active.fixed if 2 * values[i] > reach * weights[i])])
        free = active.basis or [_lower_holder(dual, bound)]
        return Basis(tuple(free), bound - {*free})


def _quickly_proposed(problem: Problem) -> tuple[fmpq, ...]:
    """Return a solution in float64, or one of CVXPY if that fails."""
    with suppress(*FAILURES):
        return find_start(problem).alpha
    return proposed_alpha(problem)[0]


def _lower_holder(dual: BallDual, bound: frozenset[int]) -> int:
    """Return the point that seems to determine the lower end of b if no point is free."""
    y = dual.problem.y
    scores = dual.scores({i: dual.upper_bound[i] * y[i] for i in bound})
    return max(_sides(dual.problem, bound)[0], key=lambda i: float(y[i] - scores[i]))


def _initial_basis(problem: Problem) -> Basis:
    """Return a basis near the limit C -> 0: the lighter class at its bound, and as much of the other one."""
    y, weights = problem.y, problem.weights
    balance = sum((w * label for w, label in zip(weights, y, strict=True)), fmpq(0))
    heavy = 1 if balance >= 0 else -1
    bound, over = set(range(problem.m)), abs(balance)
    for i in (i for i, label in enumerate(y) if label == heavy):
        bound.discard(i)
        if weights[i] >= over:
            return Basis((i,), frozenset(bound))
        over -= weights[i]
    raise AssertionError("the weights of the heavier class do not exceed those of the other")


def _inside(problem: Problem, basis: Basis, line: BasisSolution) -> tuple[list[int], frozenset[int]]:
    """Return the points that are free, and those at their bound, on the whole segment."""
    still = [i for i in basis.free if line.u[i] == 0 and line.v[i] in (0, problem.weights[i])]
    free = [i for i in basis.free if i not in still]
    return free, basis.bound | {i for i in still if line.v[i] != 0}


def _state_beyond(field: Field, basis: Basis, tau: Any, zeros: Collection[int]) -> State:
    """Return the state just beyond tau."""
    basis, line = find_basis(field, basis, tau, zeros)
    free, bound = _inside(field.problem, basis, line)
    return State(basis) if free else _state_without_free(field, line, bound, tau)


def _state_without_free(field: Field, line: BasisSolution, bound: frozenset[int], tau: Any) -> State:
    """Return the state just beyond tau if no point is free."""
    problem = field.problem
    ends: list[int] = []
    limits = _limit_bounds(problem, line)
    for side, points in zip((1, -1), _sides(problem, bound), strict=True):
        if limits is not None:
            points = limits.times(np.full(problem.m, side)).may_be_largest(points, tau)
        best = points[0]
        for i in points[1:]:
            p, q = _difference(_limit(problem, line, i), _limit(problem, line, best))
            best = i if field.sign((p * side, q * side), tau) > 0 else best
        ends.append(best)
    return _held_state(ends[0], ends[1], bound)


def _held_state(lower: int, upper: int, bound: frozenset[int]) -> State:
    return State(Basis((lower,), bound - {lower}), BiasHolders(lower, upper, bound))


def _limit(problem: Problem, line: BasisSolution, i: int) -> Pair:
    """Return the b at which y_i g(x_i) = 1."""
    p, q = line.margins[i]
    return line.b[0] - p * problem.y[i], line.b[1] - q * problem.y[i]


def _limit_bounds(problem: Problem, line: BasisSolution) -> AffineBounds | None:
    """Enclose ``_limit`` for all points in float64: minus y_i times the margin, plus b."""
    if (bounds := line.margins.bounds) is None:
        return None
    return bounds.times(-np.array(problem.y, dtype=float)).minus((-line.b[0], -line.b[1]))


def _difference(x: Pair, y: Pair) -> Pair:
    return x[0] - y[0], x[1] - y[1]


def _sides(problem: Problem, bound: frozenset[int]) -> tuple[list[int], list[int]]:
    """Return the points that bound b from below, and from above, if no point is free."""
    below = [i for i, label in enumerate(problem.y) if (i not in bound) == (label > 0)]
    return below, sorted({*range(problem.m)} - {*below})


def _conditions(field: Field, state: State) -> Conditions:
    """Return the conditions of a state: those of its basis, or those of the points that determine b."""
    held, problem, line = state.held, field.problem, field.solution(state.basis)
    if held is None:
        return field.conditions(state.basis)
    low, high = _limit(problem, line, held.lower), _limit(problem, line, held.upper)
    lower, upper = _sides(problem, held.bound)
    above = {*upper}

    def others(i: int) -> dict[Any, Pair]:
        """Return the condition of a point that does not determine b."""
        if i in (held.lower, held.upper):
            return {}
        limit = _limit(problem, line, i)
        return (
            {("upper", i): _difference(limit, high)}
            if i in above
            else {("lower", i): _difference(low, limit)}
        )

    found: dict[Any, Pair] = {_MEET: _difference(high, low)}
    if (limits := _limit_bounds(problem, line)) is None:
        for i in (*lower, *upper):
            found |= others(i)
        return Conditions(found)
    bounds, below = limits.minus(high), limits.minus(low).times(np.full(problem.m, -1.0))
    for part, of_below in zip(bounds, below, strict=True):
        part[lower] = of_below[lower]
    return Conditions(found, others, bounds.leave_out([held.lower, held.upper]))


def _step(field: Field, state: State, tau: Any, stop: fmpq | None) -> tuple[Segment, State | None]:
    """Return the segment from tau on, and the state beyond it, or None if it ends the path."""
    problem, line = field.problem, field.solution(state.basis)
    end, keys = field.first_zero(_conditions(field, state))
    if not is_narrow(end):
        raise Undecided("The enclosure of a breakpoint is too wide at this precision.")
    last = end is None or (stop is not None and _reached(stop, end))
    free, bound = _inside(problem, state.basis, line)
    holders = (state.held.lower, state.held.upper) if state.held else None
    b = tuple(_limit(problem, line, i) for i in holders or ()) or (line.b,)
    events = () if last else _events(state, keys)
    segment = Segment(
        tau,
        stop if last else end,
        tuple(i + 1 for i in sorted(free)),
        pack_points(bound, problem.m),
        _values(line),
        b,
        events,
        PackedState(state.basis.free, pack_points((state.held or state.basis).bound, problem.m), holders),
        line.constant,
        problem.weights,
    )
    return segment, None if last else _next(field, state, line, end, keys)


def _reached(stop: fmpq, end: Any) -> bool:
    if stop <= end:
        return True
    if stop > end:
        return False
    raise Undecided("Whether a breakpoint lies before the end of the path is undecided at this precision.")


def _next(field: Field, state: State, line: BasisSolution, tau: Any, keys: list[Any]) -> State:
    """Return the state beyond tau, where these conditions are 0."""
    held = state.held
    if held is None:
        return _state_beyond(field, state.basis, tau, set(keys))
    if _MEET in keys:
        zeros = {2 * i + (i in held.bound) for i in (held.lower, held.upper)}
        return _state_beyond(field, state.basis, tau, zeros)
    if len(keys) > 1:
        new = _state_without_free(field, line, held.bound, tau)
    else:
        ((side, i),) = keys
        new = _held_state(*held._replace(**{side: i}))
    assert new.held is not None
    low, high = (_limit(field.problem, line, i) for i in new.held[:2])
    if field.sign(_difference(high, low), tau) < 0:  # the interval of b was a single number and is now empty
        return _state_beyond(field, new.basis, tau, ())
    return new


def _events(state: State, keys: list[Any]) -> tuple[Event, ...]:
    if state.held is None:
        free, kinds = set(state.basis.free), (("enters", "leaves its bound"), ("leaves", "reaches its bound"))
        return tuple(Event(kinds[key // 2 in free][key % 2], key // 2 + 1) for key in keys)
    if _MEET in keys:
        return tuple(Event("meets b", i + 1) for i in sorted({state.held.lower, state.held.upper}))
    return tuple(Event("holds b", i + 1) for i in sorted({i for _, i in keys}))


STATUS_EVENTS = {
    ("zero", "free"): ("enters",),
    ("free", "zero"): ("leaves",),
    ("free", "bound"): ("reaches its bound",),
    ("bound", "free"): ("leaves its bound",),
    ("zero", "bound"): ("enters", "reaches its bound"),
    ("bound", "zero"): ("leaves its bound", "leaves"),
}


def _all_events(one: Segment, other: Segment) -> tuple[Event, ...]:
    """Return the events of a segment, with every point whose status differs on the next one.

    At a tie, or for dependent points, the next basis may differ in points whose conditions did not become
    tight.
    """
    bits, bits_next = (np.frombuffer(x.bits, dtype=np.uint8) for x in (one, other))
    crossed = {i + 1 for i in unpack_points((bits ^ bits_next).tobytes())}
    found, tight = list(one.events), {event.point for event in one.events}
    for i in sorted({*one.free} ^ {*other.free} | crossed):
        before, after = one.status(i), other.status(i)
        if one.free or i not in tight:  # else it is on its margin and becomes free
            found += [
                event for kind in STATUS_EVENTS[before, after] if (event := Event(kind, i)) not in found
            ]
    return tuple(found)
