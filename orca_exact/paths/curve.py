"""An index as a function of C."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key, reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import arb, fmpq

from ..errors import BadParameter, Undecided, ZeroClassifier
from ..numbers.quantity import to_quantity
from ..numbers.rationals import format_decimal, precision_digits
from ..svm.tau import Tau
from .places import INDEX_DIGITS, NARROW, compare, enclose, place_bounds, place_in_tau, refine_until
from .quadratics import Quadratic, QuadraticSums, derivative_numerator, quadratic_roots, quotient, sign_at

if TYPE_CHECKING:
    from .path import Path


class Extremum(NamedTuple):
    """A least or greatest value, and the places where it is attained: each one C, or the ends of an interval.

    ``value`` is a rational, or a ball that contains it. At C = 0, as C grows without bound (None), and if w =
    0, the value is a limit. At level exact it is attained at each of these places and nowhere else. At level
    ball it is attained at one or more of them and nowhere else.
    """

    value: Any
    where: tuple[Any, ...]

    @property
    def place_text(self) -> str:
        """The first place in words.

        For example 'at C = 1.50000', 'for C from 2.00000 to 3.00000', 'as C falls to 0' or 'as C grows
        without end'.
        """
        C = self.where[0]
        if isinstance(C, tuple):
            return "for C from {} to {}".format(
                *("oo" if end is None else format_decimal(end, 6) for end in C)
            )
        if C is None:
            return "as C grows without end"
        return "as C falls to 0" if isinstance(C, fmpq) and C == 0 else f"at C = {format_decimal(C, 6)}"


class ExtremumCandidate(NamedTuple):
    """A value of an index, and the ends of the interval in tau where it has it, equal for a single place."""

    value: Any
    lower: Any
    upper: Any


class IndexCurve:
    """An index as a function of C: on each segment a quotient of two quadratics in tau.

    ``curve(C)`` is a rational, or exact in lambda*C, on an exact path, and a ball on another one. It is a
    ball if C is a ball, and a float if C is a float.
    """

    def __init__(self, path: Path, label: str, name: str, place: int, share: int | None = None):
        self.path, self.label, self._name, self._place = path, label, name, place
        self._share = share  # 0 or 1 if the index is this on the whole path

    def __repr__(self) -> str:
        return f"<{self.label} along {len(self.path)} segments>"

    def quadratics(self, k: int) -> tuple[Quadratic, Quadratic] | None:
        """Return numerator and denominator in tau on segment k, or None if w = 0 there."""
        sums = self.path.sums(k, self.path.exact)
        return None if sums is None else (self._numerator(sums), sums.norm)

    def _numerator(self, sums: QuadraticSums) -> Quadratic:
        if self._share is None:
            return sums.family(self._name)[self._place]
        return sums.norm if self._share else sums.norm.times(0)

    def _defined_quotient(self, k: int) -> tuple[Quadratic, Quadratic]:
        if (piece := self.quadratics(k)) is None:
            raise ZeroClassifier
        return piece

    def __call__(self, C: Any) -> Any:
        """Return the value at one C, or an enclosure of all values in a ball of C.

        Raise ZeroClassifier if w = 0, and BadParameter if C is not on the path.
        """
        if isinstance(C, arb):
            return self._enclose_over(C)
        tau, k = self.path.locate(C)
        value = self.path.evaluate_segment(k, lambda sums, *ends: self._value_at(sums, tau))
        if value is None:
            raise ZeroClassifier
        return float(value) if isinstance(C, float) else to_quantity(value)

    def _value_at(self, sums: QuadraticSums, tau: Tau) -> Any:
        """Return the value at one C, as a narrow ball unless the path is exact, or None if w = 0 there."""
        f, g = self._numerator(sums), sums.norm
        if not sign_at(g, place_in_tau(self.path.problem, tau.C)):
            return None
        value = quotient(f, g, tau if tau.exact is None else tau.exact)
        return value if self.path.exact else refine_until(lambda: _narrow(arb(enclose(value))), value)

    def _enclose_over(self, C: arb) -> arb:
        """Enclose the values for all C of a ball."""
        with precision_digits(INDEX_DIGITS):
            tau = C * self.path.problem.lambda_ball()
            path = self.path.segments
            if not (tau > 0 and tau >= path[0].lower and (path[-1].upper is None or tau <= path[-1].upper)):
                rule = "is not proved to be on the path"
                raise BadParameter("C", format_decimal(C, 6), rule, "take a smaller ball")
            outside = [tau < s.lower or (s.upper is not None and tau > s.upper) for s in path]
            found = [k for k, out in enumerate(outside) if not out]
            result: arb = to_quantity(_hull([f(tau) / g(tau) for f, g in map(self._defined_quotient, found)]))
            return result

    def float_values(self, k: int, points: Sequence[float]) -> list[float]:
        """Return rounded values at these C of segment k, for a plot; nan if w = 0."""
        piece = self.quadratics(k)
        if piece is None:
            return [float("nan")] * len(points)
        f, g = piece
        with precision_digits(INDEX_DIGITS):
            lam = self.path.problem.lambda_ball()
            return [float(f(tau) / g(tau)) for tau in (arb(C) * lam for C in points)]

    def extrema(self) -> tuple[Extremum, Extremum]:
        """Return the least and the greatest value on the path, leaving out every C with w = 0.

        The candidates are the ends of the segments and the roots of the derivative.

        Returns
        -------
        tuple of Extremum
            The minimum and the maximum, each with the places where it is attained.

        Raises
        ------
        ZeroClassifier
            If w = 0 on the whole path.
        """
        found: list[ExtremumCandidate] = []
        with precision_digits(INDEX_DIGITS):
            for k in self.path.segment_range:
                found += self.path.evaluate_segment(k, self._candidates) or []
            if not found:
                raise ZeroClassifier
            return self._best(found, -1), self._best(found, 1)

    def _candidates(self, sums: QuadraticSums, lower: Any, upper: Any) -> list[ExtremumCandidate]:
        """Return the values that may be extreme on a segment, in the order of their places."""
        f, g = self._numerator(sums), sums.norm
        turning = derivative_numerator(f, g)
        if turning.is_zero:
            found = [ExtremumCandidate(quotient(f, g, None), lower, upper)]
        else:
            inner = sorted(quadratic_roots(turning, lower, upper), key=cmp_to_key(compare))
            found = [ExtremumCandidate(quotient(f, g, x), x, x) for x in (lower, *inner, upper)]
        if any(isinstance(x.value, arb) and _narrow(x.value) is None for x in found):
            raise Undecided("The enclosure of an index is too wide at this precision.")
        return found

    def _best(self, found: list[ExtremumCandidate], side: int) -> Extremum:
        """Return the greatest value, or the least if side is -1, with every place not proved to be worse."""
        top = max((x.value for x in found), key=lambda value: place_bounds(value)[0] * side)  # a guess
        for x in found:
            top = x.value if _order(x.value, top) == side else top
        best = [x for x in found if _order(x.value, top) != -side]
        one = not isinstance(top, arb) and all(_order(x.value, top) == 0 for x in best)
        where: list[tuple[Any, Any]] = []
        for x in best:
            if not where or not _meet(where[-1][1], x.lower):
                where.append((x.lower, x.upper))
                continue
            (low, high), place = where[-1], _joint(where[-1][1], x.lower)
            where[-1] = place if low is high else low, place if x.upper is x.lower else x.upper
        return Extremum(
            to_quantity(enclose(top) if one else _hull([arb(enclose(x.value)) for x in best])),
            tuple(self._in_C(*ends) for ends in where),
        )

    def _in_C(self, lower: Any, upper: Any) -> Any:
        low, high = to_quantity(self.path.C(lower)), to_quantity(self.path.C(upper))
        return low if lower is upper else (low, high)


def _narrow(index: arb) -> arb | None:
    """Return an enclosure of an index if it is narrow enough, else None."""
    return index if index.rad() < NARROW else None


def _order(x: Any, y: Any) -> int | None:
    """Return the sign of x - y, or None if it is undecided."""
    try:
        return compare(x, y)
    except Undecided:
        return None


def _meet(x: Any, y: Any) -> bool:
    """Return whether two ends may be the same place; None stands for no end."""
    return x is y or (x is not None and y is not None and not _order(x, y))


def _joint(x: Any, y: Any) -> Any:
    """Return the place of two ends that meet: x if they are proved equal, else a ball that contains both."""
    return x if x is y or _order(x, y) == 0 else _hull([arb(enclose(x)), arb(enclose(y))])


def _hull(values: list[Any]) -> Any:
    return reduce(lambda one, other: one.union(other), values)
