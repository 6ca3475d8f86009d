"""Hermite's, Laguerre's and finitely many points' measures, and how a problem file names any of them.

>>> Hermite().polynomial(3)                  # of standardised data: He_3
Poly(x**3 - 3*x, x, domain='QQ')
>>> Laguerre("1/2").h0                       # of positive data
sqrt(pi)/2
>>> Discrete([0, 1, 3]).polynomial(1)        # of the data themselves
Poly(x - 4/3, x, domain='QQ')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import factorial
from typing import Any, ClassVar

import numpy as np
from flint import fmpq

from ..errors import BadInput, BadParameter, TooLarge
from ..numbers.rationals import QQ, Number, symbolic, text
from .jacobi import Jacobi
from .measure import NUMBER_RULE, Mass, Measure, check_degree, latex_exponent, python_literal

MAX_NODES = 20_000
_SHOWN = 12  # nodes
NUMBERS_RULE = {"type": "array", "items": NUMBER_RULE, "minItems": 1}


@dataclass(frozen=True)
class Hermite(Measure):
    """The weight e^(-x^2/2) on the line, of mass sqrt(2 pi): the monic He_k, with h_k/h_0 = k!.

    >>> Hermite().recurrence(4), Hermite().h0
    ((0, 4), sqrt(2)*sqrt(pi))
    """

    family, weight = "hermite", "weight exp(-x^2/2) on the line"

    def __repr__(self) -> str:
        return "Hermite()"

    def _repr_latex_(self) -> str:
        return r"$e^{-x^2/2}\,dx$ on $\mathbb{R}$"

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        return fmpq(0), fmpq(check_degree(k, "k"))

    @property
    def mass(self) -> Mass:
        return Mass(two=fmpq(1, 2)) * Mass.gamma("1/2")

    @property
    def h0(self) -> Any:
        from sympy import pi, sqrt

        return sqrt(2 * pi)

    def moment_ratios(self, n: int) -> list:
        """1, 0, 1, 0, 3, 0, 15, ...: (j-1)!! for even j."""
        return [
            fmpq(factorial(j), factorial(j // 2) * 2 ** (j // 2)) if j % 2 == 0 else fmpq(0)
            for j in range(check_degree(n) + 1)
        ]


@dataclass(frozen=True)
class Laguerre(Measure):
    """The weight x^alpha e^(-x) on x >= 0, alpha > -1, of mass Gamma(alpha+1).

    >>> Laguerre(0).polynomial(2), Laguerre(2).h0
    (Poly(x**2 - 4*x + 2, x, domain='QQ'), 2)
    """

    alpha: Any
    family, weight = "laguerre", "weight x^alpha exp(-x) on x >= 0"
    fields: ClassVar = {"alpha": NUMBER_RULE | {"description": "> -1, the power of x"}}
    domain = (0, None)

    def __post_init__(self) -> None:
        alpha = QQ(self.alpha, "alpha")
        if alpha <= -1:
            raise BadParameter(
                "alpha", alpha, "is not greater than -1", "the weight is integrable only above"
            )
        object.__setattr__(self, "alpha", alpha)

    def __repr__(self) -> str:
        return f"Laguerre({python_literal(self.alpha)})"

    def __str__(self) -> str:
        return f"Laguerre({self.alpha})"

    def _repr_latex_(self) -> str:
        return rf"$x^{{{latex_exponent(self.alpha)}}}\,e^{{-x}}\,dx$ on $[0,\infty)$"

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        k = check_degree(k, "k")
        return 2 * k + self.alpha + 1, k * (k + self.alpha)

    @cached_property
    def mass(self) -> Mass:
        return Mass.gamma(self.alpha + 1)

    @property
    def h0(self) -> Any:
        from sympy import gamma

        return gamma(symbolic(self.alpha) + 1)

    def moment_ratios(self, n: int) -> list:
        """(alpha+1)_j."""
        factors = (self.alpha + j for j in range(1, check_degree(n) + 1))
        return list(accumulate(factors, lambda a, b: a * b, initial=fmpq(1)))

    def classical_leads(self, n: int) -> list[float]:
        return [(-1) ** k / factorial(k) for k in range(n + 1)]


@dataclass(frozen=True)
class Discrete(Measure):
    """Weights at nodes: everything is rational, the mass too. Without weights they are 1/(number of nodes).

    Of N nodes there are N polynomials that are not 0, so n < N. Points may lie anywhere: the polynomials are
    defined between and beyond the nodes, and only what is orthonormal refers to them.

    >>> Discrete.empirical(["0.5", "2", "0.5", "-1"])
    Discrete([-1, '1/2', 2], ['1/4', '1/2', '1/4'])
    >>> Discrete([-1, 0, 1], [1, 2, 1]).h_ratios(2)
    [1, 1/2, 1/4]
    """

    nodes: tuple[fmpq, ...]
    weights: tuple[fmpq, ...]
    family = "discrete"
    weight = "weights at distinct nodes, more of them than n; points may lie anywhere"
    fields: ClassVar = {
        "nodes": NUMBERS_RULE | {"description": "where the weights are, each once"},
        "weights": NUMBERS_RULE
        | {"description": "positive, one for each node; 1/(number of nodes) if absent"},
    }
    optional = frozenset({"weights"})

    def __init__(self, nodes: Iterable[Number], weights: Iterable[Number] | None = None):
        found = _numbers(nodes, "nodes")
        if not found:
            raise BadParameter("nodes", "none", "are given", "give as many as the degree and one more")
        masses = [fmpq(1, len(found))] * len(found) if weights is None else _numbers(weights, "weights")
        if len(masses) != len(found):
            raise BadParameter("weights", f"{len(masses)} values", f"for {len(found)} nodes", "give one each")
        for x, count in Counter(found).items():
            if count > 1:
                raise BadParameter(
                    "nodes", text(x), f"occurs {count} times", "give it once, its weights summed"
                )
        for i, w in enumerate(masses):
            if w <= 0:
                raise BadParameter(f"weights[{i}]", text(w), "is not positive", "leave the node out")
        pairs = sorted(zip(found, masses, strict=True))  # one measure, one form
        object.__setattr__(self, "nodes", tuple(x for x, _ in pairs))
        object.__setattr__(self, "weights", tuple(w for _, w in pairs))

    @classmethod
    def empirical(cls, column: Iterable[Number]) -> Discrete:
        """The measure of a sample: each value with its share of the sample."""
        counts = Counter(values := _numbers(column, "column"))
        return cls(counts, [fmpq(count, len(values)) for count in counts.values()])

    def __repr__(self) -> str:
        if len(self.nodes) > _SHOWN:
            return f"<{self}>"
        nodes, weights = (", ".join(map(python_literal, part)) for part in (self.nodes, self.weights))
        return f"Discrete([{nodes}], [{weights}])"

    def _repr_latex_(self) -> str:
        first, last = (latex_exponent(self.nodes[k]) for k in (0, -1))
        return rf"$\sum_{{i=1}}^{{{self.size}}} w_i\,\delta_{{x_i}}$, $x_i$ from ${first}$ to ${last}$"

    def __str__(self) -> str:
        return f"Discrete({len(self.nodes)} nodes from {text(self.nodes[0])} to {text(self.nodes[-1])})"

    @property
    def size(self) -> int:  # type: ignore[override]
        """The number of nodes."""
        return len(self.nodes)

    def recurrence(self, k: int) -> tuple[fmpq, fmpq]:
        """By Stieltjes: a_k = <x pi_k, pi_k>/h_k and b_k = h_k/h_{k-1}, summed over the nodes."""
        if check_degree(k, "k") >= self.size:
            raise TooLarge("k", k, f"{self.size - 1}, for {self.size} nodes", "take a smaller degree")
        steps, previous, current, last = self.__dict__.get("_known") or ((), 0, self._one, None)
        while len(steps) <= k:
            squares = current * current * self._w
            h = squares.sum()
            a, b = (squares * self._x).sum() / h, fmpq(0) if last is None else h / last
            previous, current, last = current, (self._x - a) * current - b * previous, h
            steps = (*steps, (a, b))
            self.__dict__["_known"] = steps, previous, current, last
        return steps[k]

    @property
    def _x(self) -> np.ndarray:
        return np.array(self.nodes, dtype=object)

    @property
    def _w(self) -> np.ndarray:
        return np.array(self.weights, dtype=object)

    @property
    def _one(self) -> np.ndarray:
        return np.array([fmpq(1)] * self.size, dtype=object)

    @cached_property
    def mass(self) -> Mass:
        return Mass(sum(self.weights, fmpq(0)))

    @property
    def h0(self) -> Any:
        return symbolic(self.mass.rational)

    def moment_ratios(self, n: int) -> list:
        """sum_i w_i x_i^j over the mass."""
        out, powers = [], self._one
        for _ in range(check_degree(n) + 1):
            out.append((powers * self._w).sum() / self.mass.rational)
            powers = powers * self._x
        return out


def _numbers(values: Any, name: str) -> list[fmpq]:
    values = values.tolist() if isinstance(values, np.ndarray) else values
    if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
        raise BadParameter(name, repr(values)[:40], "is not a list of numbers", "write [x_1, x_2, ...]")
    found = [QQ(x, f"{name}[{i}]") for i, x in enumerate(values)]
    if len(found) > MAX_NODES and name != "column":
        raise TooLarge(name, f"{len(found)} nodes", MAX_NODES, "take a sample")
    return found


FAMILIES: dict[str, type[Measure]] = {kind.family: kind for kind in (Jacobi, Hermite, Laguerre, Discrete)}


def measure_rule() -> dict:
    """Return the schema of a measure in a problem file."""

    def form(kind: type[Measure]) -> str:
        values = {name: "..." if "$ref" in rule else "[...]" for name, rule in kind.fields.items()}
        fields = [f'"family": "{kind.family}"', *(f'"{name}": {value}' for name, value in values.items())]
        return "{" + ", ".join(fields) + "}"

    *others, last = map(form, FAMILIES.values())
    return {
        "title": "a measure",
        "description": f"{', '.join(others)} or {last}",
        "anyOf": [kind.schema() for kind in FAMILIES.values()],
    }


def read_measure(data: dict, place: str = "measures") -> Measure:
    """The measure that a problem file names, at this place of it."""
    try:
        return FAMILIES[data["family"]](**{key: value for key, value in data.items() if key != "family"})
    except BadInput as error:
        error.args = (f"{place}.{error}",)
        raise
