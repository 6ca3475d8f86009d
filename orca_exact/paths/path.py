"""Every C at once: the classifier and its indices as functions of C, proved on each segment of the path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

from flint import arb, fmpq

from ..errors import BadParameter, TooLarge, Undecided, ZeroClassifier
from ..files.formats import sealed
from ..kernels.orthogonal import gram_ratio
from ..numbers.arithmetic import arithmetic
from ..numbers.quantity import quantity, same
from ..numbers.rationals import QQ, decimal, midpoint, precision, real, sign
from ..plots import along_C
from ..plots.tables import frame, html
from ..problem import Problem
from ..profile.indices import INDICES
from ..svm.certificate import Certificate, lambda_bounds, versions
from ..svm.certify import LEVELS, certify, find_level
from ..svm.exact import prove
from ..svm.tau import Tau
from .curve import Along
from .quadratics import (
    DIGITS,
    Masses,
    Quadratic,
    Step,
    Sums,
    at_least_0,
    inside,
    joined,
    peak,
    span,
    steps,
    threshold,
)
from .segments import Segment, rational, segments

SCHEMA = "orca-exact/path/1"
MOST = 2000  # points
SHOWN = 20  # segments on a screen
T = TypeVar("T")


def path(problem: Problem, C_from: Any = 0, C_to: Any = None, level: str = "ball") -> Path:
    """The optimum for every C in (C_from, C_to], C_to = None: without end. The weights C_i/C stay.

    >>> from orca_exact import Problem, path
    >>> X = [["-0.9", "-0.8"], ["-0.7", "0.6"], ["0.3", "0.4"], ["0.5", "-0.9"]]
    >>> found = path(Problem(X, [1, -1, 1, -1], n=3, alpha=0, beta=0), level="exact")
    >>> found
    <Path exact: 4 segments>
      C 0 to 0.172915: 0 free, 4 bound; 1 meets b; 4 meets b
      C 0.172915 to 0.294435: 2 free, 2 bound; 2 leaves its bound
      C 0.294435 to 0.413165: 3 free, 1 bound; 3 leaves its bound
      C 0.413165 to oo: 4 free, 0 bound
    >>> found.at("1/4"), decimal(found.order(2)("1/4"), 6)
    (<Certificate exact: 2 free, 2 bound of 4, exact>, '0.907456')
    """
    find_level(level, lambda known: known.follows)
    if problem.m > MOST:
        raise TooLarge("X", f"{problem.m} points", MOST, "take a sample: it has as many segments")
    low, high = QQ(C_from, "C_from"), None if C_to is None else QQ(C_to, "C_to")
    if low < 0:
        raise BadParameter("C_from", decimal(low, 6), "is negative", "take 0 or a positive number")
    if high is not None and high <= low:
        ends = f"{decimal(low, 6)} to {decimal(high, 6)}"
        raise BadParameter("C_from, C_to", ends, "is not an interval", "take C_from < C_to")
    bounds = lambda_bounds(problem)
    start, stop = QQ(bounds["lower"]) * low, None if high is None else QQ(bounds["upper"]) * high
    return Path(problem, level, low, high, segments(problem, start, stop, LEVELS[level].exact))


class Path:
    """Segments that follow one another without a gap from ``C_from`` to ``C_to`` (None: no end).

    Where lambda is irrational the two outer ends are rationals in tau just outside. At level ball the other
    ends are enclosed.

    >>> from orca_exact import Problem, path
    >>> X = [["-1"], ["-1/2"], ["0"], ["1/2"], ["1"]]
    >>> found = path(Problem(X, [1, -1, 1, -1, -1], n=3, alpha=0, beta=0), level="exact")
    >>> found.peak()  # N*
    [<3 for C from 0 to 0.440539>, <1 for C from 0.440539 to 8.20533>, <2 for C from 8.20533 to oo>]
    >>> found.index("degree", 2).extrema()
    (Extremum(value=0, where=(428/315,)), Extremum(value=84/191, where=(1168/105, None)))
    """

    def __init__(
        self, problem: Problem, level: str, C_from: fmpq, C_to: fmpq | None, segments: tuple[Segment, ...]
    ):
        self.problem, self.level, self.exact = problem, level, LEVELS[level].exact
        self.C_from, self.C_to, self.segments = C_from, C_to, segments
        self._made: dict[bool, Masses] = {}
        self._sums: dict[tuple[int, bool], Sums | None] = {}

    def __repr__(self) -> str:
        few = self.segments if len(self.segments) <= SHOWN else self.segments[: SHOWN - 1]
        rows = [self._row(segment) for segment in few]
        if len(few) < len(self.segments):
            rows.append(f"  and {len(self.segments) - len(few)} more")
        return "\n".join([f"<Path {self.level}: {len(self)} segments>", *rows])

    def _row(self, segment: Segment) -> str:
        low, high = ("oo" if end is None else decimal(end, 6) for end in self.ends(segment))
        sizes = f"{len(segment.free)} free, {len(segment.bound)} bound"
        return f"  C {low} to {high}: {sizes}" + "".join(f"; {event}" for event in segment.events)

    def _made_of(self) -> tuple[Any, ...]:
        return self.problem, self.level, self.C_from, self.C_to, self.segments

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and same(self._made_of(), other._made_of())

    def __hash__(self) -> int:
        return hash((self.problem.sha256, self.level))

    def __reduce__(self) -> tuple[Any, ...]:
        return Path, self._made_of()

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """The segments with plain numbers, float64 unless you say otherwise; ``to_json`` loses nothing."""
        rows = [
            {"C_from": low, "C_to": high, "free": list(segment.free), "bound": list(segment.bound),
             "events": [str(event) for event in segment.events]}
            for segment, (low, high) in ((s, self._plain(s, number)) for s in self.segments)
        ]  # fmt: skip
        return {"id": self.problem.id, "level": self.level, "segments": rows}

    def _plain(self, segment: Segment, number: Callable[[Any], Any]) -> tuple[Any, Any]:
        low, high = (None if end is None else number(quantity(end)) for end in self.ends(segment))
        return low, high

    def to_frame(self, C: Sequence[Any] | None = None) -> Any:
        """A pandas frame, a row for each segment; or for each of these C, with OKC^(q) there."""
        if C is None:
            rows = self.to_dict()["segments"]
            return frame([row | {"free": len(row["free"]), "bound": len(row["bound"])} for row in rows])
        labels = [INDICES["order"].labelled((q,)) for q in range(self.problem.d + 1)]
        orders = [self.order(q) for q in range(self.problem.d + 1)]
        shares = ({label: float(f(x)) for label, f in zip(labels, orders, strict=True)} for x in C)
        return frame([{"C": real(QQ(x, "C"))} | row for x, row in zip(C, shares, strict=True)])

    def _repr_html_(self) -> str:
        rows = self.to_dict(lambda x: decimal(x, 6))["segments"]
        counts = ({key: len(row[key]) for key in ("free", "bound")} for row in rows)
        events = ({"events": "; ".join(row["events"])} for row in rows)
        few = [row | count | event for row, count, event in zip(rows, counts, events, strict=True)]
        return html(repr(self).splitlines()[0], few)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    # From tau to C and back.

    def C(self, tau: Any) -> Any:
        """tau/lambda: a rational where both are, else a ball; None for no end."""
        if tau is self.segments[0].lower or tau is self.segments[-1].upper:  # known in C
            return self.C_from if tau is self.segments[0].lower else self.C_to
        with precision(DIGITS):
            known = self.problem.lambda_is_rational
            return tau / (self.problem.lambda_exact if known else self.problem.lambda_ball())

    def ends(self, segment: Segment) -> tuple[Any, Any]:
        """The lower and the upper C of a segment. (The ends of a step are in C.)"""
        return self.C(segment.lower), self.C(segment.upper)

    def locate(self, C: Any) -> tuple[Tau, list[Segment]]:
        """lambda*C, and the segment it lies on; more than one where balls do not tell."""
        q = QQ(C, "C")
        if q == 0 == self.C_from:
            raise ZeroClassifier("at C = 0, ", "take a C > 0; extrema() has the limit as C falls to 0")
        if q <= 0 or q < self.C_from or (self.C_to is not None and q > self.C_to):
            ends = " to ".join("oo" if end is None else decimal(end, 6) for end in (self.C_from, self.C_to))
            raise BadParameter("C", decimal(q, 6), f"is not on the path from {ends}", "take another C")
        tau, found = Tau(self.problem.with_(C=q)), []
        for segment in self.segments:
            side = -1 if segment is self.segments[-1] else _side(tau, segment.upper)
            if side <= 0:
                found.append(segment)
            if side < 0 or (side == 0 and isinstance(segment.upper, fmpq)):
                break
        return tau, found

    def at(self, C: Any) -> Certificate:
        """The optimum at one C, proved once more from the solution of its segment, at the path's level."""
        tau, found = self.locate(C)
        segment = found[0]
        if self.exact:
            return prove(tau.problem, self._R, tau.affine(segment.u, segment.v))
        with precision(DIGITS):
            lam, enclosed = tau.problem.lambda_ball(), tau.ball()
            a = [arb(x) for x in segment.u + segment.v * enclosed]
            alpha = [midpoint((x / lam).max(arb(0))) for x in a]
        return certify(tau.problem, alpha, level="ball")

    @cached_property
    def _R(self) -> Any:
        return gram_ratio(self.problem)

    @property
    def hard_margin(self) -> bool | None:
        """Whether the last segment has no slack, and nothing changes. None: not proved, or C_to ends it."""
        return None if self.segments[-1].upper is not None else self.at(self._beyond).hard_margin

    @cached_property
    def _beyond(self) -> fmpq:
        """A C on the last segment."""
        last = self.C(self.segments[-1].lower)
        return 2 * (last if isinstance(last, fmpq) else midpoint(last)) + 1

    def to_json(self) -> dict:
        """The file, sealed by its digest; ``checker`` proves it independently. Only of an exact path."""
        if not self.exact:
            raise BadParameter(
                "level", self.level, "has enclosed breakpoints", "for a file take level='exact'"
            )
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "problem": self.problem.to_json(names=False),
            "lambda": lambda_bounds(self.problem),
            "C": {"lower": str(self.C_from), "upper": None if self.C_to is None else str(self.C_to)},
            "segments": [segment.to_json() for segment in self.segments],
            "claims": {"hard_margin": self.hard_margin},
            "versions": versions(),
        }
        return sealed(data)

    # Indices.

    def sums(self, segment: Segment, exact: bool) -> Sums | None:
        """Over modes, on one segment, in rationals or in balls; None where w = 0 all along."""
        if (id(segment), exact) not in self._sums:
            sums = Sums(self._masses(exact), rational(self.problem, segment) if exact else segment)
            if not (exact or sums.norm(inside(*span(segment))) > 0):
                return self.sums(segment, True)
            self._sums[id(segment), exact] = None if sums.norm.is_zero else sums
        return self._sums[id(segment), exact]

    def _masses(self, exact: bool) -> Masses:
        if exact not in self._made:
            self._made[exact] = Masses(self.problem, arithmetic("exact" if exact else "ball", DIGITS))
        return self._made[exact]

    def decided(self, segment: Segment, ask: Callable[[Sums], T]) -> T | None:
        """What is asked of the sums: in balls or, where these leave it open, in rationals. None: w = 0."""
        with precision(DIGITS):
            try:
                return None if (sums := self.sums(segment, False)) is None else ask(sums)
            except Undecided:
                return None if (sums := self.sums(segment, True)) is None else ask(sums)

    def index(self, name: str, key: Any = ()) -> Along:
        """An index as a function of C: ``path.index("degree", 3)``, ``path.index("pair", ("a", "b"))``."""
        if name not in INDICES:
            raise BadParameter("index", repr(name), "is unknown", "take " + ", ".join(INDICES))
        keys = list(INDICES[name].keys(self.problem.degrees, self.problem.d))
        wanted = INDICES[name].found(key, keys, self.problem.names)
        label, constant = INDICES[name].labelled(wanted), INDICES[name].constant == wanted
        return Along(self, label, name, keys.index(wanted), constant)

    def order(self, q: int) -> Along:
        """OKC^(q) as a function of C."""
        return self.index("order", q)

    def threshold(self, eps: Any) -> list[Step]:
        """T_eps on intervals of C: the smallest T with F(T) >= 1 - eps."""
        level = 1 - QQ(eps, "eps")
        if not 0 <= level <= 1:
            raise BadParameter("eps", eps, "is not between 0 and 1", "try 0.05")
        return self._steps(lambda sums, low, high: threshold(sums, level))

    def peak(self) -> list[Step]:
        """N* on intervals of C: the smallest degree that carries most."""
        return self._steps(peak)

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None, steps: bool = True) -> Any:
        """matplotlib's figure: orders over C, N* and T_eps (not with ``steps=False``), support vectors.

        An ``ax`` gets the orders alone. There is this one kind, which has no use for ``names``.
        """
        if kind != "orders":
            hint = "take 'orders', or orca(problem, path.at(C)).plot(kind) at one C"
            raise BadParameter("kind", repr(kind), "is not drawn over C", hint)
        return along_C(self, steps, ax)

    def around(self, C: Any, conditions: Callable[[Sums], Sequence[Quadratic]]) -> Step:
        """The largest interval around C in which these stay at least 0; value 0 if they are not at C."""

        def ask(sums: Sums, *ends: Any) -> tuple[Sequence[Quadratic], Callable[[fmpq], int]]:
            functions = conditions(sums)
            return functions, lambda tau: int(all(at_least_0(f(tau)) for f in functions))

        tau, found = self.locate(C)
        first = last = self.segments.index(found[0])
        parts = self._parts(found[0], ask)
        while parts[-1][0].value and last + 1 < len(self):
            last += 1
            parts += self._parts(self.segments[last], ask)
        while parts[0][0].value and first > 0:
            first -= 1
            parts = self._parts(self.segments[first], ask) + parts
        steps = joined(parts)
        with precision(DIGITS):
            inside = [step for step in steps if step.upper is None or not step.upper < tau.ball()]
        return self._in_C(inside[0])

    def _parts(self, segment: Segment, ask: Callable) -> list[tuple[Step, bool]]:
        ends = span(segment)
        found = self.decided(segment, lambda sums: steps(segment, *ask(sums, *ends)))
        return [(Step(segment.lower, segment.upper, None), True)] if found is None else found

    def _steps(self, ask: Callable) -> list[Step]:
        parts = [part for segment in self.segments for part in self._parts(segment, ask)]
        return [self._in_C(step) for step in joined(parts)]

    def _in_C(self, step: Step) -> Step:
        return Step(self.C(step.lower), self.C(step.upper), step.value)


def _side(tau: Tau, end: Any) -> int:
    """Of tau from a breakpoint; 0 where they are equal, or not told apart."""
    if isinstance(end, fmpq):
        return tau.sign(lambda t: t - end)
    with precision(DIGITS):
        return sign(tau.ball() - end)
