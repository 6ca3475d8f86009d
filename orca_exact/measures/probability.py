"""The measures under which indices are computed: uniform, normal and empirical distributions of one column.

They have mass 1 and are not measures of kernels. ``Uniform()`` and ``Empirical()`` without parameters depend
on the data: ``for_column`` returns the measure of a given column.

>>> Uniform().for_column([QQ(0), QQ(3), QQ(1)])
Uniform(0, 3)
>>> Normal(1, 2).recurrence(3)               # of (x - mean)/sd: Hermite polynomials
(1, 12)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flint import fmpq

from ..errors import BadInput, BadParameter
from ..files.formats import JsonObject
from ..numbers.rationals import QQ, to_text
from .families import FAMILIES, Discrete, Hermite, read_measure
from .jacobi import legendre
from .measure import NUMBER_SCHEMA, Mass, Measure, check_degree, python_literal, to_latex


class Probability(Measure):
    """A probability measure of which the polynomials of a classical weight are shifted and scaled copies."""

    @property
    def mass(self) -> Mass:
        return Mass()

    @property
    def h0(self) -> Any:
        from sympy import Integer

        return Integer(1)

    def _moments(self, classical: Measure, centre: fmpq, scale: fmpq, n: int) -> list[fmpq]:
        """Return the moments of centre + scale t for t with the moments of a classical measure."""
        from math import comb

        own = classical.moment_ratios(n)
        return [
            sum((comb(j, i) * centre ** (j - i) * scale**i * own[i] for i in range(j + 1)), fmpq(0))
            for j in range(n + 1)
        ]


@dataclass(frozen=True, repr=False)
class Uniform(Probability):
    """The uniform distribution on an interval; without limits, on the range of the column.

    Parameters
    ----------
    lower, upper : number or str, optional
        The ends of the interval.

    Examples
    --------
    >>> Uniform(0, 1).moment_ratios(3)
    [1, 1/2, 1/3, 1/4]
    """

    lower: Any = None
    upper: Any = None
    family, weight_description = "uniform", "the uniform distribution on an interval"
    fields: ClassVar = {
        "lower": NUMBER_SCHEMA | {"description": "the lower end; by default the least value of the column"},
        "upper": NUMBER_SCHEMA | {"description": "the upper end; by default the largest value of the column"},
    }
    optional = frozenset({"lower", "upper"})

    def __post_init__(self) -> None:
        if (self.lower is None) != (self.upper is None):
            raise BadParameter("Uniform", "one end", "was given without the other", "pass both, or none")
        if self.lower is not None:
            lower, upper = QQ(self.lower, "lower"), QQ(self.upper, "upper")
            if not lower < upper:
                raise BadParameter(
                    "upper", to_text(upper), f"is not above {to_text(lower)}", "pass a larger one"
                )
            object.__setattr__(self, "lower", lower)
            object.__setattr__(self, "upper", upper)

    def __repr__(self) -> str:
        ends = () if self.lower is None else (self.lower, self.upper)
        return f"Uniform({', '.join(map(python_literal, ends))})"

    __str__ = __repr__

    def _repr_latex_(self) -> str:
        return rf"uniform on $[{to_latex(self.lower)}, {to_latex(self.upper)}]$"

    def for_column(self, column: Sequence[fmpq]) -> Measure:
        """Return the measure with the range of the column as its limits, if it has none."""
        if self.lower is not None:
            return self
        low, high = min(column), max(column)
        return Uniform(low, high) if low < high else Discrete([low])

    @property
    def centre(self) -> fmpq:
        """The middle of the interval."""
        return (QQ(self.lower) + QQ(self.upper)) / 2

    @property
    def half_width(self) -> fmpq:
        """Half the length of the interval."""
        return (QQ(self.upper) - QQ(self.lower)) / 2

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        return self.centre, legendre.recurrence(k)[1] * self.half_width**2

    def moment_ratios(self, n: int) -> list[fmpq]:
        return self._moments(legendre, self.centre, self.half_width, check_degree(n))

    def to_json(self) -> JsonObject:
        return {"family": self.family} if self.lower is None else super().to_json()


@dataclass(frozen=True, repr=False)
class Normal(Probability):
    """The normal distribution.

    Parameters
    ----------
    mean, sd : number or str
        Mean and standard deviation.

    Examples
    --------
    >>> Normal(0, 2).moment_ratios(4)
    [1, 0, 4, 0, 48]
    """

    mean: Any = 0
    sd: Any = 1
    family, weight_description = "normal", "the normal distribution"
    fields: ClassVar = {
        "mean": NUMBER_SCHEMA | {"description": "the mean"},
        "sd": NUMBER_SCHEMA | {"description": "the standard deviation, which is positive"},
    }

    def __post_init__(self) -> None:
        mean, sd = QQ(self.mean, "mean"), QQ(self.sd, "sd")
        if sd <= 0:
            raise BadParameter("sd", to_text(sd), "is not positive", "pass a standard deviation above 0")
        object.__setattr__(self, "mean", mean)
        object.__setattr__(self, "sd", sd)

    def _repr_latex_(self) -> str:
        return rf"normal, mean ${to_latex(self.mean)}$, standard deviation ${to_latex(self.sd)}$"

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        return self.mean, Hermite().recurrence(k)[1] * self.sd**2

    def moment_ratios(self, n: int) -> list[fmpq]:
        return self._moments(Hermite(), self.mean, self.sd, check_degree(n))


@dataclass(frozen=True)
class Empirical:
    """The distribution of the values that a column has in the data, each row with the same weight.

    Examples
    --------
    >>> Empirical().for_column([QQ(1), QQ(2), QQ(1)])
    Discrete([1, 2], ['2/3', '1/3'])
    """

    family: ClassVar[str] = "empirical"
    weight_description: ClassVar[str] = "the values of the column, each row with the same weight"

    def for_column(self, column: Sequence[fmpq]) -> Measure:
        """Return the empirical measure of the column."""
        return Discrete.empirical(column)

    def to_json(self) -> JsonObject:
        """Return the measure in the form that problem files use."""
        return {"family": self.family}

    @classmethod
    def schema(cls) -> JsonObject:
        """Return the JSON schema of the family in problem files."""
        family = {"const": cls.family, "description": cls.weight_description}
        return {
            "type": "object",
            "required": ["family"],
            "additionalProperties": False,
            "properties": {"family": family},
        }


IndexMeasure = Measure | Empirical
_OWN: dict[str, Any] = {kind.family: kind for kind in (Uniform, Normal, Empirical)}


def index_measure_schema() -> JsonObject:
    """Return the JSON schema of the field ``under`` of a problem: one measure, or one for each column."""
    one = {
        "title": "a measure of the indices",
        "description": '{"family": "empirical"}, {"family": "uniform"}, {"family": "normal", "mean": "...", '
        '"sd": "..."} or a measure of a kernel',
        "anyOf": [kind.schema() for kind in (*_OWN.values(), *FAMILIES.values())],
    }
    return {
        "description": "the measure under which the indices are computed: one for all columns, or one for "
        "each; by default that of the kernel, or the empirical one for kernels without a measure",
        "anyOf": [one, {"type": "array", "items": one, "minItems": 1}],
    }


def read_index_measure(data: JsonObject, place: str = "under") -> IndexMeasure:
    """Return the measure of the indices that a problem file describes."""
    if data["family"] not in _OWN:
        return read_measure(data, place)
    try:
        kind: Callable[..., IndexMeasure] = _OWN[data["family"]]
        return kind(**{key: value for key, value in data.items() if key != "family"})
    except BadInput as error:
        error.args = (f"{place}.{error}",)
        raise


def measure_for_column(measure: IndexMeasure, column: Sequence[fmpq]) -> Measure:
    """Return the measure of the indices of one column."""
    return measure.for_column(column) if isinstance(measure, Uniform | Empirical) else measure
