"""Hermite, Laguerre and discrete measures, and the measures of problem files.

>>> Hermite().polynomial(3)                  # for standardised data: He_3
Poly(x**3 - 3*x, x, domain='QQ')
>>> Laguerre("1/2").h0                       # for positive data
sqrt(pi)/2
>>> Discrete([0, 1, 3]).polynomial(1)        # for the data themselves
Poly(x - 4/3, x, domain='QQ')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby
from math import factorial
from operator import mul
from typing import Any, ClassVar

import numpy as np
from flint import fmpq

from ..errors import BadInput, BadParameter, TooLarge, pluralize, wrong_count
from ..files.formats import JsonObject
from ..numbers.rationals import QQ, Number, to_sympy, to_text
from .jacobi import Jacobi
from .measure import (
    INTEGRABLE,
    NUMBER_SCHEMA,
    Mass,
    Measure,
    check_degree,
    python_literal,
    to_latex,
    warn_of_float,
)  # fmt: skip

MAX_NODES = 20_000
_MAX_SHOWN = 12  # nodes in a repr
NUMBERS_SCHEMA = {"type": "array", "items": NUMBER_SCHEMA, "minItems": 1}


@dataclass(frozen=True, repr=False)
class Hermite(Measure):
    """The measure e^(-x^2/2) dx on the real line, of mass sqrt(2 pi).

    Its monic polynomials are the He_k, with h_k/h_0 = k!.

    Examples
    --------
    >>> Hermite().recurrence(4), Hermite().h0
    ((0, 4), sqrt(2)*sqrt(pi))
    """

    family, weight_description = "hermite", "weight exp(-x^2/2) on the line"

    def _repr_latex_(self) -> str:
        return r"$e^{-x^2/2}\,dx$ on $\mathbb{R}$"

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        return fmpq(0), fmpq(check_degree(k, "k"))

    @property
    def mass(self) -> Mass:
        return Mass(exponent_of_two=fmpq(1, 2)) * Mass.gamma("1/2")

    @property
    def h0(self) -> Any:
        from sympy import pi, sqrt

        return sqrt(2 * pi)

    def moment_ratios(self, n: int) -> list[fmpq]:
        """Return 1, 0, 1, 0, 3, 0, 15, ...: (j-1)!! for even j, else 0."""
        return [
            fmpq(factorial(j), factorial(j // 2) * 2 ** (j // 2)) if j % 2 == 0 else fmpq(0)
            for j in range(check_degree(n) + 1)
        ]


@dataclass(frozen=True, repr=False)
class Laguerre(Measure):
    """The measure x^alpha e^(-x) dx on x >= 0, of mass Gamma(alpha+1).

    Parameters
    ----------
    alpha : number or str
        A rational number greater than -1.

    Examples
    --------
    >>> Laguerre(0).polynomial(2), Laguerre(2).h0
    (Poly(x**2 - 4*x + 2, x, domain='QQ'), 2)
    """

    alpha: Any
    family, weight_description = "laguerre", "weight x^alpha exp(-x) on x >= 0"
    fields: ClassVar = {"alpha": NUMBER_SCHEMA | {"description": "the exponent of x, greater than -1"}}
    domain = (0, None)

    def __post_init__(self) -> None:
        warn_of_float(self.alpha, "alpha")
        alpha = QQ(self.alpha, "alpha")
        if alpha <= -1:
            raise BadParameter("alpha", alpha, "is not greater than -1", INTEGRABLE)
        object.__setattr__(self, "alpha", alpha)

    def _repr_latex_(self) -> str:
        from sympy import Symbol, exp

        x = Symbol("x")
        return rf"${to_latex(x ** to_sympy(self.alpha) * exp(-x))}\,dx$ on $[0,\infty)$"

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        k = check_degree(k, "k")
        return 2 * k + self.alpha + 1, k * (k + self.alpha)

    @cached_property
    def mass(self) -> Mass:
        return Mass.gamma(self.alpha + 1)

    @property
    def h0(self) -> Any:
        from sympy import gamma

        return gamma(to_sympy(self.alpha) + 1)

    def moment_ratios(self, n: int) -> list[fmpq]:
        """Return the Pochhammer symbols (alpha+1)_j for j = 0 ... n."""
        factors = (self.alpha + j for j in range(1, check_degree(n) + 1))
        return list(accumulate(factors, mul, initial=fmpq(1)))

    def classical_leads(self, n: int) -> list[float]:
        return [(-1) ** k / factorial(k) for k in range(n + 1)]


@dataclass(frozen=True, repr=False)
class Discrete(Measure):
    """The measure with given weights at finitely many nodes, for which everything is rational.

    For N nodes there are N orthogonal polynomials, so that n < N. The points of a problem may lie anywhere:
    the polynomials are defined between and beyond the nodes.

    Parameters
    ----------
    nodes : iterable of number or str
        Distinct rational numbers.
    weights : iterable of number or str, optional
        One positive weight for each node; by default each is 1/(number of nodes).

    Examples
    --------
    >>> Discrete.empirical(["0.5", "2", "0.5", "-1"])
    Discrete([-1, '1/2', 2], ['1/4', '1/2', '1/4'])
    >>> Discrete([-1, 0, 1], [1, 2, 1]).h_ratios(2)
    [1, 1/2, 1/4]
    """

    nodes: tuple[fmpq, ...]
    weights: tuple[fmpq, ...]
    family = "discrete"
    weight_description = "weights at more than n distinct nodes; points may lie anywhere"
    fields: ClassVar = {
        "nodes": NUMBERS_SCHEMA | {"description": "the distinct nodes"},
        "weights": NUMBERS_SCHEMA
        | {"description": "one positive weight for each node; by default 1/(number of nodes)"},
    }
    optional = frozenset({"weights"})

    def __init__(self, nodes: Iterable[Number], weights: Iterable[Number] | None = None):
        found = _numbers(nodes, "nodes")
        if not found:
            raise BadParameter("nodes", "the list", "is empty", "give at least n + 1 nodes for the degree n")
        masses = [fmpq(1, len(found))] * len(found) if weights is None else _numbers(weights, "weights")
        if len(masses) != len(found):
            wanted = f"for {pluralize(len(found), 'node')}"
            raise wrong_count("weights", len(masses), "value", wanted, "give one weight for each node")
        for x, count in Counter(found).items():
            if count > 1:
                hint = "give it once, with the sum of its weights"
                raise BadParameter("nodes", to_text(x), f"occurs {count} times", hint)
        for i, w in enumerate(masses):
            if w <= 0:
                raise BadParameter(f"weights[{i}]", to_text(w), "is not positive", "leave out this node")
        pairs = sorted(zip(found, masses, strict=True))  # equal measures are equal objects
        object.__setattr__(self, "nodes", tuple(x for x, _ in pairs))
        object.__setattr__(self, "weights", tuple(w for _, w in pairs))

    @classmethod
    def empirical(cls, column: Iterable[Number]) -> Discrete:
        """Return the empirical measure of a sample: the weight of a value is its relative frequency.

        Parameters
        ----------
        column : iterable of number or str
            The sample, in which values may be repeated.

        Returns
        -------
        Discrete
        """
        values = sorted(_numbers(column, "column"))
        if not values:
            raise BadParameter("column", "the list", "is empty", "give at least one value")
        nodes = [(value, sum(1 for _ in equal)) for value, equal in groupby(values)]
        measure = object.__new__(cls)  # the nodes are distinct and sorted
        object.__setattr__(measure, "nodes", tuple(value for value, _ in nodes))
        object.__setattr__(measure, "weights", tuple(fmpq(count, len(values)) for _, count in nodes))
        return measure

    def __repr__(self) -> str:
        if self.size > _MAX_SHOWN:
            return f"<{self}>"
        nodes, weights = (", ".join(map(python_literal, part)) for part in (self.nodes, self.weights))
        return f"Discrete([{nodes}], [{weights}])"

    def _repr_latex_(self) -> str:
        first, last = (to_latex(self.nodes[k]) for k in (0, -1))
        return rf"$\sum_{{i=1}}^{{{self.size}}} w_i\,\delta_{{x_i}}$, $x_i$ from ${first}$ to ${last}$"

    def __str__(self) -> str:
        return f"Discrete({self.size} nodes from {to_text(self.nodes[0])} to {to_text(self.nodes[-1])})"

    @property
    def size(self) -> int:  # type: ignore[override]
        """Number of nodes."""
        return len(self.nodes)

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        """Return a_k = <x pi_k, pi_k>/h_k and b_k = h_k/h_{k-1} by the Stieltjes procedure."""
        k = self.check_degree(k)
        known = vars(self)
        steps: tuple[tuple[fmpq, fmpq], ...]
        steps, previous, current, last = known.get("_known") or ((), 0, self._ones, None)
        while len(steps) <= k:
            x, w = (np.array(part, dtype=object) for part in (self.nodes, self.weights))
            squares = current * current * w
            h = squares.sum()
            a, b = (squares * x).sum() / h, fmpq(0) if last is None else h / last
            previous, current, last = current, (x - a) * current - b * previous, h
            steps = (*steps, (a, b))
            known["_known"] = steps, previous, current, last
        return steps[k]

    @property
    def _ones(self) -> np.ndarray:
        return np.array([fmpq(1)] * self.size, dtype=object)

    @cached_property
    def mass(self) -> Mass:
        return Mass(sum(self.weights, fmpq(0)))

    @property
    def h0(self) -> Any:
        return to_sympy(self.mass.rational)

    def moment_ratios(self, n: int) -> list[fmpq]:
        """Return sum_i w_i x_i^j, divided by the mass, for j = 0 ... n."""
        out, terms = [], np.array(self.weights, dtype=object)
        for _ in range(check_degree(n) + 1):
            out.append(terms.sum() / self.mass.rational)
            terms = terms * np.array(self.nodes, dtype=object)
        return out


def _numbers(values: Any, name: str) -> list[fmpq]:
    values = values.tolist() if isinstance(values, np.ndarray) else values
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise BadParameter(name, repr(values)[:40], "is not a list of numbers", "pass a list [x_1, x_2, ...]")
    found = [QQ(x, f"{name}[{i}]") for i, x in enumerate(values)]
    if len(found) > MAX_NODES and name != "column":
        raise TooLarge(f"number of {name}", len(found), MAX_NODES, "use a sample of them")
    return found


FAMILIES: dict[str, type[Measure]] = {kind.family: kind for kind in (Jacobi, Hermite, Laguerre, Discrete)}


def measure_schema() -> JsonObject:
    """Return the JSON schema of a measure in problem files."""

    def example(kind: type[Measure]) -> str:
        values = {name: "..." if "$ref" in rule else "[...]" for name, rule in kind.fields.items()}
        fields = [f'"family": "{kind.family}"', *(f'"{name}": {value}' for name, value in values.items())]
        return "{" + ", ".join(fields) + "}"

    *others, last = map(example, FAMILIES.values())
    return {
        "title": "a measure",
        "description": f"{', '.join(others)} or {last}",
        "anyOf": [kind.schema() for kind in FAMILIES.values()],
    }


def read_measure(data: JsonObject, place: str = "measures") -> Measure:
    """Return the measure that a problem file describes; ``place`` is used in error messages."""
    try:
        return FAMILIES[data["family"]](**{key: value for key, value in data.items() if key != "family"})
    except BadInput as error:
        error.args = (f"{place}.{error}",)
        raise
