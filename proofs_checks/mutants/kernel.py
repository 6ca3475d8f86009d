"""Mutants of the weight, its polynomials and the kernel (sections 2 and 3). A claim names those it kills."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from flint import fmpq

from orca_exact.kernels import orthogonal as kernel
from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.measure import Measure
from orca_exact.problem import Problem
from orca_exact.profile import enumeration

from ..ledger.claims import mutant, patched

# The weight and its polynomials.


@mutant("swapped-parameters")
def swapped_parameters() -> Iterator[None]:
    """The recurrence of (beta, alpha)."""
    right = Jacobi.recurrence

    def wrong(self: Any, k: Any) -> Any:
        a, b = self.parameters
        return right(SimpleNamespace(parameters=(b, a)), k)  # type: ignore[arg-type]

    with patched(Jacobi, "recurrence", wrong):
        yield


@mutant("wrong-b")
def wrong_b() -> Iterator[None]:
    """b_k with (t + 1) where (t - 1) belongs: still a three-term recurrence, of another weight."""
    right = Jacobi.recurrence

    def wrong(self: Any, k: Any) -> Any:
        a, b = right(self, k)
        t = self.parameters[0] + self.parameters[1] + 2 * k
        return a, b * (t - 1) / (t + 1) if k != 0 and k != 1 else b

    with patched(Jacobi, "recurrence", wrong):
        yield


@mutant("b-doubled-from-9")
def b_doubled() -> Iterator[None]:
    """2 b_k for b_k, k = 9 and more."""
    right = Jacobi.recurrence

    def wrong(self: Any, k: Any) -> Any:
        a, b = right(self, k)
        return a, 2 * b if isinstance(k, int) and k >= 9 else b

    with patched(Jacobi, "recurrence", wrong):
        yield


@mutant("h-doubled-from-9")
def h_doubled() -> Iterator[None]:
    """2 h_k for h_k, k = 9 and more."""
    right = Measure.h_ratios

    def wrong(self: Any, n: int) -> list:
        return [2 * h if k >= 9 else h for k, h in enumerate(right(self, n))]

    with patched(Measure, "h_ratios", wrong):
        yield


@mutant("shifted-h")
def shifted_h() -> Iterator[None]:
    """h_{k+1} for h_k."""
    right = Measure.h_ratios
    with patched(Measure, "h_ratios", lambda self, n: right(self, n + 1)[1:]):
        yield


@mutant("missing-h")
def missing_h() -> Iterator[None]:
    """Monic polynomials taken for orthonormal ones."""
    with patched(Measure, "h_ratios", lambda self, n: [self.one] * (n + 1)):
        yield


@mutant("negative-norms")
def negative_norms() -> Iterator[None]:
    """Every other h_k is negative."""
    right = Measure.h_ratios
    with patched(Measure, "h_ratios", lambda self, n: [h * (-1) ** k for k, h in enumerate(right(self, n))]):
        yield


@mutant("wrong-moment")
def wrong_moment() -> Iterator[None]:
    """Moments of the weight with alpha and beta exchanged."""
    right = Jacobi.moment_ratios

    def wrong(self: Any, n: int) -> list:
        return [m * (-1) ** j for j, m in enumerate(right(self, n))]

    with patched(Jacobi, "moment_ratios", wrong):
        yield


@mutant("moment-off-by-one")
def moment_off_by_one() -> Iterator[None]:
    """The j-th moment is divided by 1 + j."""
    right = Jacobi.moment_ratios
    with patched(
        Jacobi, "moment_ratios", lambda self, n: [m / (1 + j) for j, m in enumerate(right(self, n))]
    ):
        yield


@mutant("classical-h-off-by-one")
def classical_h_off_by_one() -> Iterator[None]:
    """(2k + alpha + beta + 2) for (2k + alpha + beta + 1) in h_k."""
    from ..section6 import formulas as section6_formulas

    right = section6_formulas.printed_h

    def wrong(k: Any, a: Any, b: Any) -> Any:
        return right(k, a, b) * (2 * k + a + b + 1) / (2 * k + a + b + 2)

    with patched(section6_formulas, "printed_h", wrong):
        yield


@mutant("derivative-not-shifted")
def derivative_not_shifted() -> Iterator[None]:
    """pi_k' = k pi_{k-1}, as for Hermite's."""

    def wrong(self: Any, n: int, x: Any, order: int = 1) -> list:
        return [0 * x] + [value * (k + 1) for k, value in enumerate(self.monic(n, x)[:n])]

    with patched(Measure, "derivatives", wrong):
        yield


# The kernel.


@mutant("truncated-early")
def truncated_early() -> Iterator[None]:
    """The sum stops at n - 1."""
    right = kernel.cd_sum
    with patched(kernel, "cd_sum", lambda J, n, x, z: right(J, n - 1, x, z) if n else right(J, n, x, z)):
        yield


@mutant("asymmetric-kernel")
def asymmetric_kernel() -> Iterator[None]:
    """x is added to K_n(x, z)."""
    right = kernel.cd_sum
    with patched(kernel, "cd_sum", lambda J, n, x, z: right(J, n, x, z) + x):
        yield


@mutant("cd-wrong-sign")
def cd_wrong_sign() -> Iterator[None]:
    """The closed form of the kernel with the opposite sign."""
    right = kernel.cd_closed
    with patched(kernel, "cd_closed", lambda J, n, x, z: -right(J, n, x, z)):
        yield


@mutant("wrong-kappa")
def wrong_kappa() -> Iterator[None]:
    """kappa_{n+1}/kappa_{n+2} for kappa_n/kappa_{n+1}."""
    right = Measure.h_ratio
    with patched(Measure, "h_ratio", lambda self, k: right(self, k + 1)):
        yield


@mutant("sum-of-kernels")
def sum_of_kernels() -> Iterator[None]:
    """Coordinates added instead of multiplied."""

    def wrong(p: Problem, A: Any = None) -> np.ndarray:
        A = A or kernel.arithmetic("exact")
        with A.scope():
            pairs = zip(*kernel.basis(p, A), strict=True)
            return sum(A.matmul((P * w[:, None]).T, P) for P, w in pairs)

    with patched(kernel, "gram_ratio", wrong):
        yield


@mutant("dropped-tensor-term")
def dropped_tensor_term() -> Iterator[None]:
    """The last mode (n, ..., n) is forgotten."""
    right_fold, right_modes = kernel.tensor_rows, kernel.modes

    def wrong(columns: np.ndarray) -> np.ndarray:
        out = right_fold(columns).copy()
        out[-1] = out[-1] * 0
        return out

    modes = patched(kernel, "modes", lambda n, d: right_modes(n, d)[:-1])
    with patched(kernel, "tensor_rows", wrong), patched(enumeration, "tensor_rows", wrong), modes:
        yield


@mutant("total-degree-truncation")
def total_degree_truncation() -> Iterator[None]:
    """Modes with k_1 + ... + k_d <= n instead of max k_i <= n."""
    right_fold, right_modes = kernel.tensor_rows, kernel.modes

    def wrong(columns: np.ndarray) -> np.ndarray:
        keep = [sum(k) <= len(columns[0]) - 1 for k in right_modes(len(columns[0]) - 1, len(columns))]
        return right_fold(columns) * np.array([[fmpq(int(good))] for good in keep], dtype=object)

    modes = patched(kernel, "modes", lambda n, d: [k for k in right_modes(n, d) if sum(k) <= n])
    with patched(kernel, "tensor_rows", wrong), patched(enumeration, "tensor_rows", wrong), modes:
        yield
