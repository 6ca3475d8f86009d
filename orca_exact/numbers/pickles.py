"""Exact pickling of python-flint's balls, polynomials and matrices.

python-flint supports pickling of rationals only. Results contain the other types inside arrays, dictionaries
and data classes, so importing this module registers these types with ``copyreg``.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from flint import arb, arb_mat, arb_poly, fmpq_mat, fmpq_poly, fmpz_mat


def ball_parts(x: arb) -> tuple[Any, ...]:
    """Return midpoint and radius as pairs (mantissa, exponent), or the name of a ball that is not finite."""
    if x.is_finite():
        return tuple(tuple(map(int, part.man_exp())) for part in (x.mid(), x.rad()))
    return ("pos_inf" if x > 0 else "neg_inf" if x < 0 else "nan" if x.is_nan() else "",)


def read_ball(kind: Callable[..., arb], *parts: Any) -> arb:
    """Return the ball with these parts, without rounding."""
    if isinstance(parts[0], str):
        return kind(getattr(arb, parts[0])() if parts[0] else arb("[+/- inf]"))
    middle, (radius, exp) = parts
    if not radius:
        return kind(middle)
    shift = 31 - radius.bit_length()  # FLINT rounds a radius up to the next one with 30 bits
    ball = kind(middle, ((radius << shift) - 1, exp - shift))
    return ball if ball.rad() == arb((radius, exp)) else kind(middle, (radius, exp))


def _reduce_polynomial(p: Any) -> tuple[type, tuple[Any, ...]]:
    return type(p), (p.coeffs(),)


def _reduce_matrix(M: Any) -> tuple[type, tuple[Any, ...]]:
    return type(M), (M.nrows(), M.ncols(), M.entries())


copyreg.pickle(arb, lambda x: (read_ball, (arb, *ball_parts(x))))
for _polynomial in (fmpq_poly, arb_poly):
    copyreg.pickle(_polynomial, _reduce_polynomial)
for _matrix in (fmpq_mat, fmpz_mat, arb_mat):
    copyreg.pickle(_matrix, _reduce_matrix)
