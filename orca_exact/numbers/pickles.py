"""Pickles of FLINT's balls, polynomials and matrices: exact, digit by digit.

python-flint pickles its rationals only. What a worker process returns, and what a user keeps of a result,
holds the other types inside arrays, dictionaries and data classes, so pickle itself is told how to write
them, once: importing this module registers the types with ``copyreg``, which changes nothing else.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from flint import arb, arb_mat, arb_poly, fmpq_mat, fmpq_poly, fmpz_mat


def ball_parts(x: arb) -> tuple:
    """Return the integers that a ball is made of, or the name of what is none."""
    if x.is_finite():
        return tuple(tuple(map(int, part.man_exp())) for part in (x.mid(), x.rad()))
    return ("pos_inf" if x > 0 else "neg_inf" if x < 0 else "nan" if x.is_nan() else "",)


def read_ball(kind: Callable[..., arb], *parts: Any) -> arb:
    """Return a ball from its parts, without rounding."""
    if isinstance(parts[0], str):
        return kind(getattr(arb, parts[0])() if parts[0] else arb("[+/- inf]"))
    middle, (radius, exp) = parts
    if not radius:
        return kind(middle)
    shift = 31 - radius.bit_length()  # FLINT takes the next of 30 bits: give it the one before
    ball = kind(middle, ((radius << shift) - 1, exp - shift))
    return ball if ball.rad() == arb((radius, exp)) else kind(middle, (radius, exp))


def _of_polynomial(p: Any) -> tuple:
    return type(p), (p.coeffs(),)


def _of_matrix(M: Any) -> tuple:
    return type(M), (M.nrows(), M.ncols(), M.entries())


copyreg.pickle(arb, lambda x: (read_ball, (arb, *ball_parts(x))))
for _polynomial in (fmpq_poly, arb_poly):
    copyreg.pickle(_polynomial, _of_polynomial)
for _matrix in (fmpq_mat, fmpz_mat, arb_mat):
    copyreg.pickle(_matrix, _of_matrix)
