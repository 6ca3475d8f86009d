"""The kernels that files can name."""

from __future__ import annotations

from typing import Any

from .kernel import Kernel
from .orthogonal import OrthogonalPolynomials
from .polynomial import Linear, Polynomial
from .rbf import RBF

KERNELS: dict[str, Any] = {
    kernel.family: kernel for kernel in (OrthogonalPolynomials, Linear, Polynomial, RBF)
}


def read_kernel(data: dict[str, Any]) -> Kernel:
    """Return the kernel in the field ``kernel`` of a valid ``orca-exact/problem/3``."""
    kernel: Kernel = KERNELS[data["family"]].from_json(data)
    return kernel


def kernel_rule() -> dict[str, Any]:
    """Return the JSON schema of a kernel."""
    return {
        "title": "a kernel",
        "description": "an object with the field 'family' and the parameters of that family",
        "anyOf": [kernel.rule() for kernel in KERNELS.values()],
    }
