"""The kernel protocol: what certificates, profiles, studies and files need to know about a kernel.

A kernel is K = lambda R with a positive number lambda and, if it is ``rational``, values R(x, z) that are
rational at rational points; a negative constant in K, which changes no classifier, is dropped from R.
``Kernel`` describes it; ``KernelValues`` holds it at the points of one problem, in one arithmetic;
``Decomposition`` splits functions h = sum_i s_i R(x_i, .) into parts that are orthogonal under a product of
measures. Nothing else asks which kernel it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter, wrong_count
from ..measures.measure import Mass, Measure
from ..measures.probability import Empirical, IndexMeasure
from ..numbers.arithmetic import Arithmetic
from ..numbers.arithmetic import arithmetic as make_arithmetic
from ..numbers.rationals import QQ, to_sympy
from .modes import Modes


class Kernel(ABC):
    """A kernel on points with d columns.

    Examples
    --------
    >>> from orca_exact import Kernel, OrthogonalPolynomials
    >>> kernel = OrthogonalPolynomials(2, order=1)
    >>> isinstance(kernel, Kernel), kernel.for_columns(3).dimension
    (True, 7)
    """

    family: ClassVar[str]  # its name in files
    rational: ClassVar[bool] = True  # whether R is rational at rational points, so that level exact exists
    mass: Mass = Mass()  # 1/lambda, after ``for_columns``
    lambda_is_rational: bool | None = True  # after ``for_columns``; None if this is not known
    own_measures: tuple[Measure, ...] | None = None  # under which alone the indices are defined, if any
    is_even: bool = False  # whether R(-x, -z) = R(x, z) is known for all x and z, after ``for_columns``

    @abstractmethod
    def for_columns(self, d: int) -> Kernel:
        """Return the same kernel with every parameter given for each of d columns."""

    @abstractmethod
    def degrees_in(self, d: int) -> tuple[int, ...] | None:
        """Return the degree of K in each column, for estimates of costs; None if it is not a polynomial."""

    @property
    @abstractmethod
    def dimension(self) -> int | float:
        """Dimension of the space of the functions K(x, .), after ``for_columns``; it may be infinite."""

    @property
    def dropped_constant(self) -> fmpq:
        """K - lambda R, a constant of at most 0."""
        return fmpq(0)

    @property
    def modes(self) -> Modes | None:
        """The modes of the functions K(x, .), after ``for_columns``; None if they cannot be listed."""
        return None

    @property
    @abstractmethod
    def order(self) -> int | None:
        """The highest number of columns that act together, if it is limited."""

    @property
    @abstractmethod
    def top_degree(self) -> int | None:
        """The highest total degree, after ``for_columns``; None if there are no indices by degree."""

    @property
    @abstractmethod
    def description(self) -> str:
        """The parameters in words."""

    @property
    @abstractmethod
    def label(self) -> str:
        """The main parameter, as in n=2."""

    def domain(self, column: int) -> tuple[int | None, int | None]:
        """Return the interval in which a column must lie; None stands for no bound."""
        return None, None

    def is_rescaled(self, column: int) -> bool:
        """Return whether ``rescale`` maps this column to [-1, 1]."""
        return True

    def check_under(self, under: Sequence[IndexMeasure] | None, d: int) -> tuple[IndexMeasure, ...]:
        """Return the measure of the indices for each of d columns, or raise BadParameter."""
        if self.own_measures is not None:
            if under is not None and tuple(under) != self.own_measures:
                rule = "is not the measure of the kernel, the only one under which its indices are computed"
                raise BadParameter("under", repr(under[0])[:60], rule, "leave it out")
            return self.own_measures
        if under is None:
            return (Empirical(),) * d
        if len(under) != d:
            hint = "pass one measure for all columns, or one for each"
            raise wrong_count("under", len(under), "measure", f"for {d} columns", hint)
        for j, measure in enumerate(under):
            self.check_index_measure(measure, f"under[{j}]")
        return tuple(under)

    def check_index_measure(self, measure: Any, place: str) -> None:
        """Raise BadParameter unless indices can be computed under this measure."""
        if not isinstance(measure, Measure | Empirical) or not getattr(measure, "is_rational", True):
            hint = "pass Empirical(), Uniform(), Normal(mean, sd) or a measure with rational parameters"
            raise BadParameter(place, repr(measure)[:40], "is not a measure of indices", hint)

    def require_indices(self) -> None:
        """Raise TooLarge if there are too many modes for the indices, after ``for_columns``."""
        return

    @abstractmethod
    def at(self, points: np.ndarray, A: Arithmetic) -> KernelValues:
        """Evaluate the kernel at rational points, an array (m, d), in an arithmetic."""

    def at_some(self, points: np.ndarray, rows: list[int], A: Arithmetic) -> KernelValues:
        """Evaluate the kernel at some of the points, as accurately as at all of them."""
        return self.at(points[rows], A)

    def zero_features(self, points: np.ndarray, A: Arithmetic) -> np.ndarray:
        """Return a matrix F with F s = 0 iff sum_i s_i K(x_i, .) = 0: features or, if fewer, Gram matrix."""
        at = self.at(points, A)
        found: np.ndarray = (
            at.block(slice(None), slice(None)) if self.dimension > len(points) else at.features[0]
        )
        return found

    @abstractmethod
    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        """Return K(x, z) in float64 for all rows x of X and z of Z."""

    def values(self, X: Any, Z: Any, arithmetic: str = "exact", digits: int = 50) -> np.ndarray:
        """Return K(x, z) for all rows x of X and z of Z in any arithmetic.

        Parameters
        ----------
        X, Z : sequences of points
            Each point is a list of numbers or texts such as "1/3", one for each column.
        arithmetic : str, default "exact"
            "exact" (for kernels with rational R), "ball", "mp", "verified" or "float".
        digits : int, default 50
            The number of digits, if ``arithmetic`` is "mp" or "ball".

        Returns
        -------
        ndarray of shape (len(X), len(Z))
            Exact values are rational numbers or, if lambda is irrational, SymPy expressions.

        Examples
        --------
        >>> from orca_exact import OrthogonalPolynomials, chebyshev1
        >>> OrthogonalPolynomials(2).values([["1/3", 0]], [["1/2", 1]])[0, 0]
        -41/64
        >>> OrthogonalPolynomials(2, chebyshev1).values([["1/3"]], [["1/2"]])[0, 0]
        19/(9*pi)
        """
        rows = [[QQ(x, f"{name}[{i}][{j}]") for j, x in enumerate(point)]
                for name, points in (("X", X), ("Z", Z)) for i, point in enumerate(points)]  # fmt: skip
        if len({len(row) for row in rows}) != 1:
            hint = "pass two lists of points [[x_1, ..., x_d], ...]"
            raise BadParameter("X, Z", "the points", "have different numbers of columns", hint)
        kernel, A = self.for_columns(len(rows[0])), make_arithmetic(arithmetic, digits).scalar_arithmetic()
        if A.exact and not kernel.rational:
            rule, hint = "has no values of a kernel that is not rational", "use 'ball'"
            raise BadParameter("arithmetic", repr(arithmetic), rule, hint)
        with A.scope():
            m = len(rows) - len(Z)
            found = kernel.at(np.array(rows, dtype=object), A).block(slice(0, m), slice(m, None))
            if A.exact and kernel.mass.is_rational is not True:
                scale = 1 / kernel.mass.to_sympy()
                return np.array([[to_sympy(value) * scale for value in row] for row in found], dtype=object)
            return A.to_user(found / kernel.mass.to_arithmetic(A) + A(kernel.dropped_constant))

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the field ``kernel`` of ``orca-exact/problem/3``."""


class KernelValues(ABC):
    """R = K/lambda between m points, in one arithmetic."""

    arithmetic: Arithmetic
    m: int
    dimension: int | float

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
        """M and g with R = M^T diag(g) M and g > 0: a row of M for each feature, a column for each point."""

    @abstractmethod
    def decompose(self, measures: Sequence[Measure]) -> Decomposition:
        """Return the decomposition of functions under a product of measures, one for each column."""


class Decomposition(ABC):
    """The parts of h = sum_i s_i R(x_i, .) that depend on exactly the columns in S, for each set S.

    The squared norms of the parts are known by pairs of points, by modes, or by both. By pairs, that of S is
    sum_ij t_i t_j prod_{l in S} B_l(i, j), with t = ``scale(s)`` and B = ``factors``. By modes, it is the
    sum of a_k^2 g_k over the modes k whose active columns are S, with a and g = ``amplitudes(s)``. In either
    case it is the variance of the part under the probability measures, times 4^-``exponent``; under the own
    measures of a kernel, this is also the squared norm in the RKHS, divided by lambda.
    """

    arithmetic: Arithmetic
    modes: Modes | None = None  # None: there are no modes
    by_pairs = True  # whether ``factors`` exist
    has_constant = False  # whether the constant part counts; by convention it belongs to the bias
    exponent = 0
    order: int  # the highest number of columns that act together
    d: int

    def scale(self, s: Any) -> Any:
        """Return the coefficients t_i of the points for sums over pairs."""
        return s

    def factors(self, i: np.ndarray, j: np.ndarray) -> list[Any]:
        """Return B_l for each column l, an array over the pairs (i, j) of points."""
        raise NotImplementedError

    def amplitudes(self, s: Any) -> tuple[Any, Any]:
        """Return a and g for each mode, in the order of ``modes``."""
        raise NotImplementedError

    def column_at(self, column: int, x: np.ndarray) -> Any:
        """Return F_l(x_j, i) for rational values x_j of column l (from 0) and each point i, an array.

        The part of a set S is f_S(x) = ``collect``(``part_weights``(s), prod_{l in S} F_l(x_l, .)). The
        elements need not be numbers, but can be added and multiplied.
        """
        raise NotImplementedError

    def part_weights(self, s: Any) -> Any:
        """Return the factors of the points for ``collect``."""
        return (self.scale(s) * self.arithmetic(fmpq(2) ** self.exponent)).reshape(-1, 1)

    def collect(self, weights: Any, products: Any) -> Any:
        """Return the values of a part of h, from products of ``column_at`` of its columns or sums of them."""
        return self.arithmetic.matmul(products, weights).reshape(-1)

    @abstractmethod
    def diagonal_bound(self, values: Sequence[Sequence[fmpq]]) -> arb:
        """Bound the mean of K(z, z) if column l of z is one of values[l], or random with its measure."""

    def part_bound(self, values: Sequence[Sequence[fmpq]]) -> arb:
        """Bound c with f_S(x)^2 <= c ||h||^2, from [x_l] for the columns l of S and [] for the others.

        f_S is a sum of 2^|S| means of h(z), with signs, each with some columns of z fixed to those of x.
        """
        return self.diagonal_bound(values) * int(4 ** sum(map(bool, values)))

    @cached_property
    @abstractmethod
    def embedding(self) -> arb | fmpq:
        """A bound c with var(h) <= c ||h||^2 for every h in the RKHS."""
