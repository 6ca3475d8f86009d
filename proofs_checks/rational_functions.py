"""Rational functions over Q in free symbols: quotients of FLINT's polynomials, in lowest terms.

SymPy has the same fields; its greatest common divisors in several variables take a hundred times as long.

>>> a0, x = free("a0", "x")
>>> (x * x - a0 * a0) / (x - a0) == x + a0, x / (2 * a0)
(True, (x)/(2*a0))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import Ordering, fmpq, fmpz, fmpz_mpoly, fmpz_mpoly_ctx

TOP = 5  # the highest degree of a recurrence with free coefficients
NAMES = (
    *(f"a{k}" for k in range(TOP + 1)),
    *(f"b{k}" for k in range(1, TOP + 1)),
    *("alpha", "beta", "s", "i", "j", "k", "x", "y", "z", "t", "x1", "x2", "t1", "t2"),
)
_RING = fmpz_mpoly_ctx.get(NAMES, Ordering.lex)


class RationalFunction:
    """A quotient of two polynomials without a common factor, the leading coefficient below positive."""

    __slots__ = ("above", "below")
    is_number = False  # the library asks SymPy's symbols this

    def __init__(self, above: fmpz_mpoly, below: fmpz_mpoly):
        if below != 1:
            common = above.gcd(below)
            if below.leading_coefficient() < 0:
                common = -common
            above, below = above // common, below // common
        self.above, self.below = above, below

    def __add__(self, other: Any) -> RationalFunction:
        other = _embed(other)
        if self.below == other.below:
            return RationalFunction(self.above + other.above, self.below)
        return RationalFunction(self.above * other.below + other.above * self.below, self.below * other.below)

    def __mul__(self, other: Any) -> RationalFunction:
        other = _embed(other)
        return RationalFunction(self.above * other.above, self.below * other.below)

    def __truediv__(self, other: Any) -> RationalFunction:
        other = _embed(other)
        if not other:
            raise ZeroDivisionError("division of a rational function by 0")
        return RationalFunction(self.above * other.below, self.below * other.above)

    def __rtruediv__(self, other: Any) -> RationalFunction:
        return _embed(other) / self

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.above, self.below)

    def __sub__(self, other: Any) -> RationalFunction:
        return self + -_embed(other)

    def __rsub__(self, other: Any) -> RationalFunction:
        return _embed(other) - self

    def __pow__(self, exponent: int) -> RationalFunction:
        return RationalFunction(self.above**exponent, self.below**exponent)

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalFunction | int | fmpz | fmpq):
            return NotImplemented
        other = _embed(other)
        return bool(self.above * other.below == other.above * self.below)

    __hash__ = None  # type: ignore[assignment]  # equal to an integer, but not with its hash

    def __bool__(self) -> bool:
        return bool(self.above != 0)

    def __repr__(self) -> str:
        return str(self.above) if self.below == 1 else f"({self.above})/({self.below})"

    def terms(self, *names: str) -> Iterator[tuple[tuple[int, ...], RationalFunction]]:
        """Yield (exponents, coefficient) of a polynomial in some symbols over the field of the others."""
        places = [NAMES.index(name) for name in names]
        if any(self.below.degrees()[place] for place in places):
            raise ValueError(f"{self} is not a polynomial in {', '.join(names)}")
        parts: dict[tuple[int, ...], dict[tuple[int, ...], fmpz]] = {}
        for exponents, c in self.above.to_dict().items():
            rest = tuple(0 if place in places else e for place, e in enumerate(exponents))
            parts.setdefault(tuple(int(exponents[place]) for place in places), {})[rest] = c
        for key, part in parts.items():
            yield key, RationalFunction(_RING.from_dict(part), self.below)


def _embed(value: Any) -> RationalFunction:
    if isinstance(value, RationalFunction):
        return value
    if isinstance(value, fmpq):
        return RationalFunction(_RING.constant(value.p), _RING.constant(value.q))
    return RationalFunction(_RING.constant(value), _RING.constant(1))


def free(*names: str) -> tuple[RationalFunction, ...]:
    """Return the free symbols with these names, which are among ``NAMES``."""
    generators = dict(zip(NAMES, _RING.gens(), strict=True))
    return tuple(RationalFunction(generators[name], _RING.constant(1)) for name in names)
