"""The bordered system of the free points, which determines the optimum with a given active set.

With R between the free points, A = R/(D D^T) and e = 1/D, it is A z + e b = r, e.z = q for z = D s. A is
positive definite if the free points are independent. Systems of many points are factored by Cholesky's
method, and a bound of the least eigenvalue of A bounds the errors; for few points, an approximate inverse of
the whole matrix gives sharper bounds.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..numbers.cholesky import CholeskyFactor, bound_least_eigenvalue
from ..numbers.midrad import LinearEnclosure, MidRad, enlarge_radius, row_norms, solve_linear

_FEW = 256  # free points up to which the inverse is used
_ENOUGH = 1e-9  # relative error of the norm of h with which the bound by the least eigenvalue suffices


def bordered_system(A: Any, D: np.ndarray) -> Any:
    """Return [[R, 1], [1^T, 0]] with rows and columns divided by D_i; the unknowns are D_i s_i and b."""
    size = len(D)
    zeros: Any = MidRad.zeros if isinstance(A, MidRad) else np.zeros
    out = zeros((size + 1, size + 1))
    out[:size, :size] = A
    out[:size, size] = out[size, :size] = 1 / D
    return out


def divide_by_scale(R: Any, D: np.ndarray) -> Any:
    """Return R_ij/(D_i D_j), which is exact, as the D_i are powers of two."""
    if isinstance(R, MidRad):
        return MidRad(divide_by_scale(R.mid, D), divide_by_scale(R.rad, D))
    divided = R / D[:, None]
    divided /= D
    return divided


class ByInverse(NamedTuple):
    """An enclosure |x - near| <= error of the unknowns D_i s_i and b, by an approximate inverse."""

    linear: LinearEnclosure

    @property
    def near(self) -> np.ndarray:
        return self.linear.near

    @property
    def error(self) -> np.ndarray:
        return self.linear.error

    @property
    def residual(self) -> MidRad:
        """Right side minus the matrix times ``near``."""
        return self.linear.residual

    @property
    def energy(self) -> float:
        """An upper bound of ds^T R ds for the error ds of s.

        It is dx.rho - 2 db rho_0, where M dx = rho is the residual and rho_0 its last entry.
        """
        errors = np.append(self.error[:-1], 3 * self.error[-1])
        terms = errors * self.residual.abs_upper()
        return float(enlarge_radius(terms.sum(), len(terms)))

    def scores(self, rows: MidRad, sizes: np.ndarray) -> tuple[MidRad, MidRad]:
        """Enclose R s + b at other points, with the s and b of ``near`` and with the true ones.

        ``rows`` has the entries of R divided by D_i, and ``sizes`` bounds the roots of the diagonal of R.
        """
        border = MidRad(np.ones((len(rows), 1)))
        whole = MidRad(np.hstack([rows.mid, border.mid]), np.hstack([rows.rad, border.rad]))
        return self.linear.matvec(whole)


class ByEigenvalue(NamedTuple):
    """An enclosure of the unknowns by a bound of the least eigenvalue.

    For the errors dz and db, A dz + e db = rho and e.dz = rho_0. Let l be the least eigenvalue of A and
    S = e.A^-1 e. Then dz.A dz = rho.A^-1 rho - (e.A^-1 rho)^2/S + rho_0^2/S <= |rho|^2/l + rho_0^2/S, and it
    is at least l |dz|^2; |db| <= |rho|/sqrt(l S) + |rho_0|/S. A score changes by at most
    sqrt(dz.A dz) sqrt(R(x, x)) + |db|.
    """

    near: np.ndarray
    error: np.ndarray
    residual: MidRad
    energy: float

    def scores(self, rows: MidRad, sizes: np.ndarray) -> tuple[MidRad, MidRad]:
        first = rows @ MidRad(self.near[:-1]) + self.near[-1]
        change = enlarge_radius(np.sqrt(self.energy) * sizes + self.error[-1])
        return first, first + MidRad(np.zeros(len(change)), change)


SystemEnclosure = ByInverse | ByEigenvalue


class FreeSystem:
    """The system of the free points in plain float64, without error bounds."""

    def __init__(self, R: np.ndarray, D: np.ndarray):
        self._A, self._D, self._e = divide_by_scale(R, D), D, 1 / D

    @cached_property
    def _factor(self) -> CholeskyFactor | None:
        if len(self._D) <= _FEW:
            return None
        try:
            return CholeskyFactor(self._A)
        except np.linalg.LinAlgError:
            return None

    @cached_property
    def _across(self) -> np.ndarray:
        """A^-1 e."""
        assert self._factor is not None
        return self._factor.solve(self._e)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """Return z and b; raise LinAlgError if the matrix is singular."""
        if self._factor is None:
            return np.linalg.solve(bordered_system(self._A, self._D), right)
        x = np.zeros(len(right))
        for _ in "ab":  # the second time, the residual of the first solution is the right side
            rest = right[:-1] - self._A @ x[:-1] - self._e * x[-1]
            z, v = self._factor.solve(rest), self._across
            b = (self._e @ z - (right[-1] - self._e @ x[:-1])) / (self._e @ v)
            x = x + np.append(z - v * b, b)
        return x

    def enclose(self, R: MidRad, right: MidRad) -> SystemEnclosure | None:
        """Return an enclosure of the unknowns with the true R, or None if nothing is proved."""
        A = divide_by_scale(R, self._D)
        if self._factor is not None:
            found = self._enclose_by_eigenvalue(A, right, self._factor)
            if found is not None:
                return found
        linear = solve_linear(bordered_system(A, self._D), right)
        return None if linear is None else ByInverse(linear)

    def _enclose_by_eigenvalue(self, A: MidRad, right: MidRad, factor: CholeskyFactor) -> ByEigenvalue | None:
        error = float(row_norms(A.rad.reshape(1, -1))[0])
        least = bound_least_eigenvalue(A.mid, error, factor.estimate_least_eigenvalue())
        x, e, v = self.solve(right.mid), MidRad(self._e), MidRad(self._across)
        inner = ((e * 2.0 - A @ v) * v).sum()  # at most S, and equal to it for v = A^-1 e
        schur = float(inner.lower()) * (1 - 2.0**-50)
        if not (least > 0 and schur > 0):
            return None
        rho = right[:-1] - A @ MidRad(x[:-1]) - e * x[-1]
        last = right[-1:] - e.reshape(1, -1).matvec(MidRad(x[:-1]))
        first = row_norms(rho.abs_upper().reshape(1, -1))[0]
        second = last.abs_upper()[0]
        energy = float(enlarge_radius((first / np.sqrt(least)) ** 2 + (second / np.sqrt(schur)) ** 2))
        near_norm = float(np.sqrt(max(x[:-1] @ (self._A @ x[:-1]), 0)))
        if not np.sqrt(energy) <= _ENOUGH * near_norm:
            return None
        bound_b = float(enlarge_radius(first / np.sqrt(least * schur) + second / schur))
        bound_z = float(enlarge_radius(np.sqrt(energy / least)))
        errors = np.append(np.full(len(e), bound_z), bound_b)
        return ByEigenvalue(x, errors, MidRad.concatenate([rho, last]), energy)
