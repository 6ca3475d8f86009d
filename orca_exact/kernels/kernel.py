"""The kernel protocol: what certificates, profiles, studies and files need to know about a kernel.

A kernel is K = lambda R with a positive number lambda and, if it is ``rational``, values R(x, z) that are
rational at rational points. ``Kernel`` describes it; ``KernelValues`` holds it at the points of one problem,
in one arithmetic. Nothing else asks which kernel it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..measures.measure import Mass
from ..numbers.arithmetic import Arithmetic
from .modes import Modes


class Kernel(ABC):
    """A kernel on points with d columns.

    Examples
    --------
    >>> from orca_exact import Kernel, OrthogonalPolynomials
    >>> kernel = OrthogonalPolynomials(2, order=1)
    >>> isinstance(kernel, Kernel), kernel.for_columns(3).modes.count
    (True, 7)
    """

    family: ClassVar[str]  # its name in files
    rational: ClassVar[bool]  # whether R is rational at rational points, so that level exact exists
    has_degrees: ClassVar[bool]  # whether it is a sum over modes, so that indices by degree exist

    @abstractmethod
    def for_columns(self, d: int) -> Kernel:
        """Return the same kernel with every parameter given for each of d columns."""

    @property
    @abstractmethod
    def mass(self) -> Mass:
        """1/lambda, after ``for_columns``."""

    @property
    @abstractmethod
    def lambda_is_rational(self) -> bool | None:
        """Whether lambda is rational, after ``for_columns``; None if this is not known."""

    @property
    @abstractmethod
    def modes(self) -> Modes:
        """The modes of the kernel, after ``for_columns``."""

    @abstractmethod
    def at(self, points: np.ndarray, A: Arithmetic) -> KernelValues:
        """Evaluate the kernel at rational points, an array (m, d), in an arithmetic."""

    @abstractmethod
    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """Return K(x, z) in float64 for all rows x of X and z of Z."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the field ``kernel`` of ``orca-exact/problem/3``."""


class KernelValues(ABC):
    """R = K/lambda between m points, in one arithmetic."""

    arithmetic: Arithmetic
    modes: Modes
    m: int

    @abstractmethod
    def block(self, rows: Any, columns: Any) -> Any:
        """Return R between some points and others."""

    @cached_property
    @abstractmethod
    def diagonal(self) -> Any:
        """R_ii for each point."""

    @abstractmethod
    def select(self, rows: Any) -> KernelValues:
        """Return the same for some of the points."""

    @abstractmethod
    def midpoints(self) -> KernelValues:
        """Return values with error bounds as plain float64."""

    @cached_property
    @abstractmethod
    def features(self) -> tuple[Any, Any]:
        """M and g with R = M^T diag(g) M: a row of M for each mode, a column for each point."""
