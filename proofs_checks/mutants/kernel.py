"""Mutants of the weight, its polynomials and the kernel (sections 2 and 3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from orca_exact.kernels.modes import Modes
from orca_exact.measures.jacobi import Jacobi
from orca_exact.measures.measure import Measure
from orca_exact.problem import Problem

from .. import tensor_kernel as kernel
from ..ledger.mutants import mutant, patched, replacement

# The weight and its polynomials.


@replacement("swapped-parameters", Jacobi, "recurrence")
def swapped_parameters(right: Callable, self: Any, k: Any) -> Any:
    """Exchange alpha and beta in the recurrence."""
    a, b = self.parameters
    return right(SimpleNamespace(parameters=(b, a)), k)


@replacement("wrong-b", Jacobi, "recurrence")
def wrong_b(right: Callable, self: Any, k: Any) -> Any:
    """Divide b_k by (t + 1) instead of (t - 1): a valid recurrence, but of another weight."""
    a, b = right(self, k)
    t = self.parameters[0] + self.parameters[1] + 2 * k
    return a, b * (t - 1) / (t + 1) if k != 0 and k != 1 else b


@replacement("b-doubled-from-9", Jacobi, "recurrence")
def b_doubled(right: Callable, self: Any, k: Any) -> Any:
    """Double b_k for k >= 9."""
    a, b = right(self, k)
    return a, 2 * b if isinstance(k, int) and k >= 9 else b


@replacement("h-doubled-from-9", Measure, "h_ratios")
def h_doubled(right: Callable, self: Any, n: int) -> list:
    """Double h_k for k >= 9."""
    return [2 * h if k >= 9 else h for k, h in enumerate(right(self, n))]


@replacement("shifted-h", Measure, "h_ratios")
def shifted_h(right: Callable, self: Any, n: int) -> Any:
    """Return h_{k+1} for h_k."""
    return right(self, n + 1)[1:]


@replacement("missing-h", Measure, "h_ratios")
def missing_h(right: Callable, self: Any, n: int) -> list:
    """Set all h_k to h_0, as if the monic polynomials were orthonormal."""
    return [self.one] * (n + 1)


@replacement("negative-norms", Measure, "h_ratios")
def negative_norms(right: Callable, self: Any, n: int) -> Any:
    """Make every other h_k negative."""
    return [h * (-1) ** k for k, h in enumerate(right(self, n))]


@replacement("wrong-moment", Jacobi, "moment_ratios")
def wrong_moment(right: Callable, self: Any, n: int) -> list:
    """Exchange alpha and beta in the moments."""
    return [m * (-1) ** j for j, m in enumerate(right(self, n))]


@replacement("moment-off-by-one", Jacobi, "moment_ratios")
def moment_off_by_one(right: Callable, self: Any, n: int) -> Any:
    """Divide the j-th moment by 1 + j."""
    return [m / (1 + j) for j, m in enumerate(right(self, n))]


@mutant("classical-h-off-by-one")
def classical_h_off_by_one() -> Iterator[None]:
    """Use 2k + alpha + beta + 2 instead of 2k + alpha + beta + 1 in the printed h_k."""
    from ..section6 import formulas as section6_formulas

    right = section6_formulas.printed_h

    def wrong(k: Any, a: Any, b: Any) -> Any:
        return right(k, a, b) * (2 * k + a + b + 1) / (2 * k + a + b + 2)

    with patched(section6_formulas, "printed_h", wrong):
        yield


@replacement("derivative-not-shifted", Measure, "derivatives")
def derivative_not_shifted(right: Callable, self: Any, n: int, x: Any, order: int = 1) -> list:
    """Use pi_k' = k pi_{k-1}, which holds for Hermite polynomials only."""
    return [0 * x] + [value * (k + 1) for k, value in enumerate(self.monic(n, x)[:n])]


# The kernel.


@replacement("truncated-early", kernel, "cd_sum")
def truncated_early(right: Callable, J: Any, n: int, x: Any, z: Any) -> Any:
    """Stop the sum at n - 1."""
    return right(J, n - 1, x, z) if n else right(J, n, x, z)


@replacement("asymmetric-kernel", kernel, "cd_sum")
def asymmetric_kernel(right: Callable, J: Any, n: int, x: Any, z: Any) -> Any:
    """Add x to K_n(x, z)."""
    return right(J, n, x, z) + x


@replacement("cd-wrong-sign", kernel, "cd_closed")
def cd_wrong_sign(right: Callable, J: Any, n: int, x: Any, z: Any) -> Any:
    """Change the sign of the closed form of the kernel."""
    return -right(J, n, x, z)


@replacement("wrong-kappa", Measure, "h_ratio")
def wrong_kappa(right: Callable, self: Any, k: int) -> Any:
    """Use kappa_{n+1}/kappa_{n+2} instead of kappa_n/kappa_{n+1}."""
    return right(self, k + 1)


@replacement("sum-of-kernels", kernel, "gram_ratio")
def sum_of_kernels(right: Callable, p: Problem, A: Any = None) -> np.ndarray:
    """Add the kernels of the coordinates instead of multiplying them."""
    A = A or kernel.arithmetic("exact")
    with A.scope():
        pairs = zip(*kernel.basis(p, A), strict=True)
        return sum(A.matmul((P * w[:, None]).T, P) for P, w in pairs)


@mutant("dropped-tensor-term")
def dropped_tensor_term() -> Iterator[None]:
    """Omit the last mode (n, ..., n)."""
    right_products, right_modes = Modes.products, kernel.modes

    def wrong(self: Modes, columns: Any) -> Any:
        out = right_products(self, columns).copy()
        out[-1] = out[-1] * 0
        return out

    modes = patched(kernel, "modes", lambda n, d: right_modes(n, d)[:-1])
    with patched(Modes, "products", wrong), modes:
        yield


@mutant("total-degree-truncation")
def total_degree_truncation() -> Iterator[None]:
    """Keep the modes with k_1 + ... + k_d <= n instead of max k_i <= n."""
    right_products, right_modes = Modes.products, kernel.modes

    def wrong(self: Modes, columns: Any) -> Any:
        out, beyond = right_products(self, columns).copy(), [sum(k) > self.degrees[0] for k in self]
        out[beyond] = out[beyond] * 0
        return out

    modes = patched(kernel, "modes", lambda n, d: [k for k in right_modes(n, d) if sum(k) <= n])
    with patched(Modes, "products", wrong), modes:
        yield
