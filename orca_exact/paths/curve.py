"""One index as a function of C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import arb, fmpq, fmpq_poly

from ..errors import BadParameter, Undecided, ZeroClassifier
from ..numbers.quantity import quantity
from ..numbers.rationals import decimal, precision
from ..svm.tau import Ratio
from .quadratics import DIGITS, Mark, Quadratic, Sums, limit, marks, slope, span
from .segments import Segment

if TYPE_CHECKING:
    from .path import Path


class Extremum(NamedTuple):
    """A least or greatest value, and the C where it is attained: one, or a pair, the ends of an interval.

    0 and None (no end) are no such C: the value is a limit, for w = 0 at C = 0. ``said`` says so.
    """

    value: Any
    where: tuple[Any, ...]

    @property
    def said(self) -> str:
        """The first place in words: 'at C = 1.50000', 'as C falls to 0', 'as C grows without end'."""
        C = self.where[0]
        if C is None:
            return "as C grows without end"
        return "as C falls to 0" if isinstance(C, fmpq) and C == 0 else f"at C = {decimal(C, 6)}"


class Along:
    """One index as a function of C: on each segment a quotient of two quadratics in tau.

    ``f(C)`` is a rational, or exact in lambda*C, on an exact path; a ball for a ball, a float for a float.
    """

    def __init__(self, path: Path, label: str, name: str, place: int, constant: bool = False):
        self.path, self.label, self._name, self._place = path, label, name, place
        self._constant = constant  # 0, for sum_i alpha_i y_i = 0 all along

    def __repr__(self) -> str:
        return f"<{self.label} along {len(self.path)} segments>"

    def on(self, segment: Segment) -> tuple[Quadratic, Quadratic] | None:
        """Numerator and denominator in tau; None where w = 0."""
        sums = self.path.sums(segment, self.path.exact)
        return None if sums is None else (self._numerator(sums), sums.norm)

    def _numerator(self, sums: Sums) -> Quadratic:
        found = sums.family(self._name)[self._place]
        balls = self._constant and any(isinstance(x, arb) for x in found)
        return Quadratic(*(x * 0 for x in found)) if balls else found

    def _pieces(self, found: list[Segment]) -> list[tuple[Quadratic, Quadratic]]:
        pieces = [self.on(segment) for segment in found]
        if None in pieces:
            raise ZeroClassifier
        return [piece for piece in pieces if piece is not None]

    def __call__(self, C: Any) -> Any:
        """At one C; ``ZeroClassifier`` where w = 0."""
        if isinstance(C, arb):
            return self._over(C)
        tau, found = self.path.locate(C)
        pieces = self._pieces(found)
        if not self.path.exact:
            with precision(DIGITS):
                value: Any = _hull([f(tau.ball()) / g(tau.ball()) for f, g in pieces])
        else:
            ((f, g),) = pieces
            if tau.exact is None:
                value = Ratio(fmpq_poly(list(f)), fmpq_poly(list(g)), tau).reduced()
            elif g(tau.exact) == 0:
                raise ZeroClassifier
            else:
                value = f(tau.exact) / g(tau.exact)
        return float(value) if isinstance(C, float) else quantity(value)

    def _over(self, C: arb) -> arb:
        """For all C of a ball at once."""
        with precision(DIGITS):
            tau = C * self.path.problem.lambda_ball()
            path = self.path.segments
            if not (tau > 0 and tau >= path[0].lower and (path[-1].upper is None or tau <= path[-1].upper)):
                raise BadParameter(
                    "C", decimal(C, 6), "is not proved to be on the path", "take a smaller ball"
                )
            found = [s for s in path if not (tau < s.lower or (s.upper is not None and tau > s.upper))]
            return quantity(_hull([f(tau) / g(tau) for f, g in self._pieces(found)]))

    def drawn(self, segment: Segment, points: Sequence[float]) -> list[float]:
        """Rounded, at C of one segment, for a picture; nan where w = 0."""
        piece = self.on(segment)
        if piece is None:
            return [float("nan")] * len(points)
        f, g = piece
        with precision(DIGITS):
            lam = self.path.problem.lambda_ball()
            return [float(f(tau) / g(tau)) for tau in (arb(C) * lam for C in points)]

    def extrema(self) -> tuple[Extremum, Extremum]:
        """The least and the greatest value on the path, where w is not 0.

        Candidates are the ends of the segments and the roots of the derivative; those whose values are not
        told apart are all given.
        """
        found: list[tuple[Any, Any]] = []
        with precision(DIGITS):
            for segment in self.path.segments:
                if not self.path.exact:
                    found += self.path.decided(segment, lambda sums: self._candidates(segment, sums)) or []  # noqa: B023
                elif sums := self.path.sums(segment, True):
                    found += self._candidates(segment, sums)
            if not found:
                raise ZeroClassifier
            return _best(found, -1), _best(found, 1)

    def _candidates(self, segment: Segment, sums: Sums) -> list[tuple[Any, Any]]:
        """Values that may be extreme, each with its C."""
        f, g = self._numerator(sums), sums.norm
        turning = [mark.at for mark in marks([slope(f, g)], *span(segment))]
        ends = [(tau, self.path.C(tau)) for tau in (segment.lower, *turning, segment.upper)]
        found = [(limit(f, g, self._tau(tau, C)), C) for tau, C in ends]
        if any(isinstance(value, arb) and not value.is_finite() for value, _ in found):
            raise Undecided("balls do not tell ||w|| from 0 at an end of a segment")
        return found

    def _tau(self, tau: Any, C: Any) -> Any:
        """The outer ends of a path are exact in C."""
        outer = tau is self.path.segments[0].lower or tau is self.path.segments[-1].upper
        if not outer or not tau or self.path.problem.lambda_is_rational:
            return tau
        return C * self.path.problem.lambda_ball()


def _best(found: list[tuple[Any, Any]], side: int) -> Extremum:
    """The greatest, or for side -1 the least, and where."""
    top = max((value for value, _ in found), key=lambda x: side * Mark(x).low)
    near = [(value, C) for value, C in found if not value * side < top * side]
    value = top if all(x == top for x, _ in near) else _hull([arb(x) for x, _ in near])
    where: list[Any] = []
    for _, C in near:
        if not where or not _same(where[-1], C):
            where.append(C)
    return Extremum(quantity(value), tuple(map(quantity, where)))


def _same(C: Any, D: Any) -> bool:
    return C is D or (C is not None and D is not None and not C < D)


def _hull(values: list[Any]) -> Any:
    found = values[0]
    for value in values[1:]:
        found = found.union(value)
    return found
