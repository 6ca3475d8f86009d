"""Linear systems in balls, solved by an inverse in float64 and residuals in balls.

Gaussian elimination in balls takes n^3 products of long numbers. Here they are products in float64, and each
round of refinement takes n^2 products of long numbers and gains as many digits as float64 has beyond the
condition of the matrix.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from flint import arb, arb_mat

from .midrad import MidRad, enlarge_radius

_LARGEST_REST = 2.0**-4  # bound of ||I - Y M|| above which the refinement would be slow
_LEAST_GAIN = 4.0  # factor by which a round of refinement must reduce the residual


class _Residual(NamedTuple):
    """A column of balls: |column - 2^exponent * middle| <= 2^exponent * radius."""

    middle: np.ndarray
    radius: np.ndarray
    exponent: int

    @classmethod
    def from_balls(cls, column: list[arb]) -> _Residual:
        """Enclose balls in float64, divided by a power of two near the largest of them."""
        exponent = max(max(_exponent(x.mid()), _exponent(x.rad())) for x in column)
        unit = arb(2) ** -exponent
        scaled = [x * unit for x in column]
        middle = np.array([float(x.mid()) for x in scaled], dtype=np.float64)
        radius = np.array([float(x.rad()) for x in scaled], dtype=np.float64)
        return cls(middle, enlarge_radius(radius + 2.0**-52 * abs(middle)), exponent)

    @property
    def size(self) -> float:
        return float((abs(self.middle) + self.radius).max())


def _exponent(x: arb) -> int:
    """Return e with |x| <= 2^e for a ball of radius 0; a very small number if x = 0."""
    mantissa, exponent = x.man_exp()
    return int(exponent) + mantissa.bit_length() if mantissa else -(2**20)


def refine_solution(A: arb_mat, b: arb_mat, M: MidRad, scale: np.ndarray) -> arb_mat | None:
    """Enclose the solution of A x = b, or return None if float64 does not show that M is regular enough.

    Parameters
    ----------
    A, b : arb_mat
        Matrix and right-hand sides.
    M : MidRad
        An enclosure of S A S with S = diag(scale).
    scale : ndarray
        Powers of two that make the entries of M comparable.

    Returns
    -------
    arb_mat or None
        Balls that contain the solution for every A and b in the balls.

    Notes
    -----
    Let Y be an approximate inverse of M, E = I - Y M with row sums e_i of |E| and e = max e_i < 1, and rho =
    S (b - A x) the residual of an approximate solution x = S z. Then the exact z* satisfies
    |z* - z|_i <= |Y rho|_i + e_i max|Y rho| / (1 - e).
    """
    try:
        Y = np.linalg.inv(M.mid)
    except np.linalg.LinAlgError:
        return None
    count = len(Y)
    rest = enlarge_radius((MidRad(np.eye(count)) - MidRad(Y) @ M).abs_upper().sum(axis=1), count)
    if not rest.max() < _LARGEST_REST:
        return None
    S, columns = [arb(x) for x in scale.tolist()], []
    for k in range(b.ncols()):
        right = arb_mat([[b[i, k]] for i in range(count)])
        x = arb_mat(count, 1)
        last = np.inf
        while True:
            rho = _Residual.from_balls([s * r for s, r in zip(S, (right - A * x).entries(), strict=True)])
            bits = rho.exponent + np.log2(rho.size) if rho.size else -np.inf
            if not bits < last - np.log2(_LEAST_GAIN):
                break
            last, unit = bits, arb(2) ** rho.exponent
            steps = (Y @ rho.middle).tolist()
            x = arb_mat(
                [[(old + s * step * unit).mid()] for old, s, step in zip(x.entries(), S, steps, strict=True)]
            )
        reach = enlarge_radius(abs(Y) @ (abs(rho.middle) + rho.radius), count)
        error = enlarge_radius(reach + rest * reach.max() / (1 - _LARGEST_REST))
        unit = arb(2) ** rho.exponent
        columns.append(
            [arb(mid, s * unit * e) for mid, s, e in zip(x.entries(), S, error.tolist(), strict=True)]
        )
    return arb_mat([list(row) for row in zip(*columns, strict=True)])
