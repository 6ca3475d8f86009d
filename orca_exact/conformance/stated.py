"""The numbers that a problem file states, and the values that an independent route computes from them.

Nothing here or in ``float_route`` and ``mpmath_route`` uses the rest of the library.

>>> read_number("0x1.8p-1"), read_number("0.1")
(Fraction(3, 4), Fraction(1, 10))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

SHARES_LEFT_OUT = ("0.1", "0.05", "0.01")  # of the thresholds T_eps
_ROUNDING = 1e-9  # error of shares that rounding in float64 explains
SCALAR_FIELDS = ("alpha", "beta", "lower", "upper", "mean", "sd")  # of a measure
MultiIndex = tuple[int, ...]


def read_number(value: Any) -> Fraction:
    """Return the exact value of a number in a problem file: an integer, p/q, a decimal or a hex float."""
    if not isinstance(value, str) or "x" not in value.lower():
        return Fraction(value)
    mantissa, _, power = value.strip().lower().partition("p")
    whole, _, part = mantissa.lstrip("+-")[2:].partition(".")
    size = Fraction(int(whole + part, 16), 16 ** len(part)) * Fraction(2) ** int(power or 0)
    return -size if mantissa.startswith("-") else size


@dataclass(frozen=True)
class StatedProblem:
    """The numbers of a problem file as it states them, before any rescaling."""

    X: list[list[Fraction]]
    y: list[int]
    C: list[Fraction]
    family: str  # of the kernel: orthogonal, polynomial (also for a linear kernel) or rbf
    gamma: Fraction
    coef0: Fraction
    degrees: list[int]  # the highest degree of each column
    total: int  # the highest total degree
    order: int  # the highest number of active columns
    measures: list[dict[str, Any]]  # of the indices, one for each column
    rescaled: list[bool]  # whether a column is mapped to [-1, 1]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> StatedProblem:
        """Read the JSON data of a valid problem file of any version."""
        X = [[read_number(x) for x in row] for row in data["X"]]
        m, d = len(X), len(X[0])

        def each(value: Any, count: int = d) -> list[Any]:
            return list(value) if isinstance(value, list) else [value] * count

        kernel = data.get("kernel", {"family": "orthogonal"} | data)
        family = "polynomial" if kernel["family"] == "linear" else kernel["family"]
        jacobi = {"family": "jacobi"} | {name: data[name] for name in ("alpha", "beta") if name in data}
        own, power = family == "orthogonal", int(kernel.get("degree", 1))
        degrees = [int(n) for n in each(kernel["n"])] if own else [power] * d
        measures = each(kernel.get("measures", jacobi) if own else data.get("under", {"family": "empirical"}))
        rescaled = [
            bool(data.get("rescale")) and (not own or each["family"] == "jacobi") for each in measures
        ]
        total = power if family == "polynomial" else sum(degrees)
        return cls(
            X, [int(read_number(label)) for label in data["y"]],
            [read_number(c) for c in each(data.get("C", 1), m)],
            family, read_number(kernel.get("gamma", 1)), read_number(kernel.get("coef0", 0)),
            degrees, total, min(int(kernel.get("order") or d), d, max(total, 1)), measures, rescaled,
        )  # fmt: skip

    @property
    def own(self) -> bool:
        """Whether the indices are taken under the kernel's own measures."""
        return self.family == "orthogonal"


@dataclass
class RouteValues:
    """The values of a route, each with a bound on its error; indices by family and key."""

    coefficients: dict[MultiIndex, tuple[Any, Any]] = field(default_factory=dict)
    indices: dict[tuple[str, MultiIndex], tuple[Any, Any]] = field(default_factory=dict)

    def summaries(self) -> dict[str, int]:
        """Return N* and T_eps by their definition; values within their errors count as equal.

        A number that depends on how large the errors are is left out.
        """
        degree = [estimate for (family, _), estimate in self.indices.items() if family == "degree"]
        if not degree:
            return {}
        values, slack = [value for value, _ in degree], 2 * sum(error for _, error in degree)
        wide, narrow = _summaries_within(values, slack), _summaries_within(values, min(slack, _ROUNDING))
        return {label: N for label, N in narrow.items() if wide[label] == N}


def _summaries_within(values: list[Any], slack: float) -> dict[str, int]:
    """Return N* and T_eps if shares that differ by at most ``slack`` count as equal."""
    found = {"N*": next(N for N, value in enumerate(values) if value >= max(values) - slack)}
    for eps in SHARES_LEFT_OUT:
        reached, level = 0 * values[0], 1 - Fraction(eps)
        for N, value in enumerate(values):
            reached += value
            if (reached + slack) * level.denominator >= level.numerator or len(values) - 1 == N:
                found[f"T_{eps}"] = N
                break
    return found
