"""Kernels that are a product of one kernel k over the columns, with k(x, x) <= 1.

A subclass states its parameters and k. Its indices exist under discrete measures, such as the empirical one;
a subclass that knows integrals of k may offer more.

Let m_l(i) be the mean of k(x_il, t) under the measure of t, and B_l(i, j) the covariance of k(x_il, t) and
k(x_jl, t). The part of a set S of columns has the variance sum_ij s_i s_j prod_{l in S} B_l(i, j) prod_{l not
in S} m_l(i) m_l(j). If m_l > 0, this is sum_ij t_i t_j prod_{l in S} B_l(i, j)/(m_l(i) m_l(j)) with
t_i = s_i prod_l m_l(i).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property, reduce
from math import inf
from operator import mul
from typing import Any, ClassVar, Self

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter
from ..measures.families import Discrete
from ..measures.measure import NUMBER_SCHEMA, Measure
from ..measures.probability import Empirical
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..numbers.rationals import to_text
from .kernel import Decomposition, Kernel, KernelValues
from .polynomial import readable, with_columns


class ProductKernel(Kernel):
    """A kernel prod_l k(x_l, z_l) with k > 0 and k(x, x) <= 1.

    A subclass is a frozen dataclass (``repr=False``) with rational parameters and a field ``columns`` that is
    not a parameter of its constructor. It defines ``family``, ``name``, ``formula``, ``fields``, ``factor``.
    """

    columns: int | None
    name: ClassVar[str]  # in words, such as "RBF kernel"
    formula: ClassVar[str]  # for the schema of files
    fields: ClassVar[dict[str, str]]  # the parameters, each with its description in the schema

    @abstractmethod
    def factor(self, x: Any, z: Any, A: Arithmetic) -> Any:
        """Return k(x, z) for arrays of an arithmetic that broadcast."""

    def for_columns(self, d: int) -> Self:
        return with_columns(self, d)

    def degrees_in(self, d: int) -> None:
        return None

    @property
    def dimension(self) -> float:
        return inf

    @property
    def order(self) -> None:
        return None

    @property
    def top_degree(self) -> None:
        return None

    @property
    def _parameters(self) -> dict[str, fmpq]:
        return {name: getattr(self, name) for name in self.fields}

    @property
    def label(self) -> str:
        return ", ".join(f"{name}={readable(x).partition(' ')[0]}" for name, x in self._parameters.items())

    @property
    def description(self) -> str:
        """The parameters in words."""
        return ", ".join([self.name, *(f"{name} = {readable(x)}" for name, x in self._parameters.items())])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(to_text(x)) for x in self._parameters.values())})"

    def check_index_measure(self, measure: Any, place: str) -> None:
        if not isinstance(measure, Empirical | Discrete):
            rule = f"is not a measure under which indices of the {self.name} are computed"
            raise BadParameter(
                place, repr(measure)[:40], rule, "pass Empirical() or Discrete(nodes, weights)"
            )

    def at(self, points: np.ndarray, A: Arithmetic) -> ProductValues:
        return ProductValues(self, A, A.array(points))

    def __call__(self, X: Any, Z: Any) -> np.ndarray:
        X, Z = (np.atleast_2d(np.asarray(points, dtype=float)) for points in (X, Z))
        return np.asarray(multiply_factors(self, X, Z, arithmetic("float")))

    def to_json(self) -> dict[str, Any]:
        return {"family": self.family} | {name: to_text(x) for name, x in self._parameters.items()}

    @classmethod
    def rule(cls) -> dict[str, Any]:
        """Return the JSON schema of ``to_json``."""
        fields = {name: NUMBER_SCHEMA | {"description": text} for name, text in cls.fields.items()}
        return {
            "type": "object",
            "required": ["family", *cls.fields],
            "additionalProperties": False,
            "properties": {"family": {"const": cls.family, "description": cls.formula}} | fields,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Return the kernel that the field ``kernel`` of a valid ``orca-exact/problem/3`` describes."""
        return cls(*(data[name] for name in cls.fields))


def multiply_factors(kernel: ProductKernel, x: Any, z: Any, A: Arithmetic) -> Any:
    """Return the kernel between points in the rows of x and of z, from its factors."""
    columns = range(x.shape[1])
    return reduce(mul, (kernel.factor(x[:, [column]], z[:, [column]].T, A) for column in columns))


class ProductValues(KernelValues):
    """A product kernel between the points of one problem, in one arithmetic."""

    dimension = inf

    def __init__(self, kernel: ProductKernel, A: Arithmetic, x: Any):
        self.kernel, self.arithmetic, self.x, self.m = kernel, A, x, len(x)

    def block(self, rows: Any, columns: Any) -> Any:
        return multiply_factors(self.kernel, self.x[rows], self.x[columns], self.arithmetic)

    @cached_property
    def diagonal(self) -> Any:
        A = self.arithmetic
        return reduce(mul, (self.kernel.factor(column, column, A) for column in self.x.T))

    def select(self, rows: Any) -> ProductValues:
        return type(self)(self.kernel, self.arithmetic, self.x[rows])

    def midpoints(self) -> ProductValues:
        return type(self)(self.kernel, arithmetic("float"), self.x.mid)

    @cached_property
    def features(self) -> tuple[Any, Any]:
        what = f"the {self.kernel.name}"
        raise BadParameter("kernel", what, "has infinitely many features", "use the Gram matrix instead")

    def decompose(self, measures: Sequence[Measure]) -> ProductDecomposition:
        return ProductDecomposition(self, measures)


class ProductDecomposition(Decomposition):
    """The decomposition of functions with a product kernel, by pairs of points."""

    def __init__(self, at: ProductValues, measures: Sequence[Measure]):
        self.at, self.arithmetic, self.measures = at, at.arithmetic, measures
        self.d = self.order = len(measures)

    def moments(self, x: Any, measure: Measure) -> tuple[Any, Any]:
        """Return the means m of k(x_i, t) under a measure, and the covariances divided by m m^T."""
        assert isinstance(measure, Discrete)  # see ``check_index_measure``
        A = self.arithmetic
        weights = probabilities(measure, A).reshape(-1, 1)
        k = self.at.kernel.factor(x.reshape(-1, 1), A.array(measure.nodes).reshape(1, -1), A)
        means = A.matmul(k, weights)
        k = k - means
        inverse = 1 / means
        return means.reshape(-1), A.matmul(k * weights.reshape(1, -1), k.T) * inverse * inverse.reshape(1, -1)

    @cached_property
    def _columns(self) -> list[tuple[Any, Any]]:
        """For each column l the means m_l(i), and B_l(i, j)/(m_l(i) m_l(j))."""
        with self.arithmetic.scope():
            return [self.moments(x, mu) for x, mu in zip(self.at.x.T, self.measures, strict=True)]

    @cached_property
    def _exponents(self) -> list[int]:
        """Exponents of powers of two near the largest mean of each column, to avoid underflow."""
        with self.arithmetic.scope():
            return [int(np.frexp(max(float(x) for x in means))[1]) for means, _ in self._columns]

    @property
    def exponent(self) -> int:  # type: ignore[override]
        return sum(self._exponents)

    def scale(self, s: Any) -> Any:
        A = self.arithmetic
        with A.scope():
            for (means, _), exponent in zip(self._columns, self._exponents, strict=True):
                s = s * (means * A(fmpq(2) ** -exponent))
            return s

    def factors(self, i: np.ndarray, j: np.ndarray) -> list[Any]:
        return [covariances[i, j] for _, covariances in self._columns]

    def column_at(self, column: int, x: np.ndarray) -> Any:
        """Return k(x_j, x_il)/m_l(i) - 1."""
        A, means = self.arithmetic, self._columns[column][0].reshape(1, -1)
        points = self.at.x[:, column].reshape(1, -1)
        return (self.at.kernel.factor(A.array(x).reshape(-1, 1), points, A) - means) / means

    def diagonal_bound(self, values: Sequence[Sequence[fmpq]]) -> arb:
        return arb(1)

    def part_bound(self, values: Sequence[Sequence[fmpq]]) -> arb:
        """2^|S|: with the mean m of k(t, .), |k(x, .) - m|^2 = k(x, x) - 2 m(x) + |m|^2 <= 2 and |m| <= 1."""
        return arb(2) ** sum(map(bool, values))

    @cached_property
    def embedding(self) -> arb:
        """1, because h(t)^2 <= K(t, t) ||h||^2 <= ||h||^2."""
        return arb(1)


def probabilities(measure: Discrete, A: Arithmetic) -> Any:
    """Return the weights of the nodes, divided by their sum; most of them are equal."""
    keys = [(int(w.p), int(w.q)) for w in measure.weights]
    kinds = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    total = measure.mass.rational
    return A.array([fmpq(*key) / total for key in kinds])[[kinds[key] for key in keys]]
