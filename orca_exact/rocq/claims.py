"""The claims of a certificate in Rocq about the indices, as terms of ``Claims.v`` and in words.

A claim is one of ``index = q``, ``lower <= index <= upper``, ``N* = N`` and ``T_eps = T``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any

from flint import fmpq, fmpz

from ..numbers.rationals import QQ, format_interval, format_rational
from ..profile.index import Key
from ..profile.indices import EPSILONS, INDICES, UndecidedSummary

# The families of indices that Claims.v defines, as its constructors.
CONSTRUCTORS: dict[str, Callable[[Key], str]] = {
    "order": lambda key: f"(Order {key[0]})",
    "marginal": lambda key: f"(Subset [:: {key[0]}%N])",
    "pair": lambda key: f"(Subset [:: {key[0]}%N; {key[1]}%N])",
    "even": lambda key: "Even",
    "odd": lambda key: "Odd",
    "degree": lambda key: f"(Degree {key[0]})",
}
# The same indices of w as Claims.v and Expansion.v define them.
_VALUES: dict[str, Callable[[Key, int], str]] = {
    "order": lambda key, d: f"okc_order w {key[0]}",
    "marginal": lambda key, d: f"okc_subset w (column_set {d} [:: {key[0]}%N])",
    "pair": lambda key, d: f"okc_subset w (column_set {d} [:: {key[0]}%N; {key[1]}%N])",
    "even": lambda key, d: "okc_even w",
    "odd": lambda key, d: "okc_odd w",
    "degree": lambda key, d: f"okc_degree w {key[0]}",
}
_MAX_DECIMALS = 64
_LONG = Context(1000)
_INTEGER = r"\d+|\(-\d+\)"
FRACTION = rf"\(Qmake (?:{_INTEGER}) \d+\)|\(-\d+\.\d+\)|\d+\.\d+"
_FORMS = {  # how each claim is written
    "between": rf"Between (\([^()]*\)|\w+) ({FRACTION}) ({FRACTION})",
    "equal": rf"Equal (\([^()]*\)|\w+) ({FRACTION})",
    "peak": r"Peak (\d+)",
    "threshold": rf"Threshold ({FRACTION}) (\d+)",
}


def write_integer(z: Any) -> str:
    """Write an integer as Rocq reads it as an argument."""
    return f"({z})" if z < 0 else str(z)


def write_fraction(q: fmpq) -> str:
    """Write a fraction as a term of type Q: as a decimal if it is one, for the reader."""
    if decimals := _count_decimals(q):
        return _decimal_text(q, decimals) if q >= 0 else f"({_decimal_text(q, decimals)})"
    return write_quotient(q)


def write_quotient(q: fmpq) -> str:
    """Write a fraction as a term of type Q that can be an element of a list."""
    return f"(Qmake {write_integer(q.p)} {q.q})"


def write_number(q: fmpq) -> str:
    """Write a fraction without loss, as a decimal if it is one."""
    decimals = _count_decimals(q)
    return _decimal_text(q, decimals) if decimals else str(q)


def _count_decimals(q: fmpq) -> int:
    """Return the number of decimals of a decimal fraction; 0 if it is an integer or has too many."""
    return next((k for k in range(_MAX_DECIMALS) if fmpz(10) ** k % q.q == 0), 0)


def _decimal_text(q: fmpq, decimals: int) -> str:
    return f"{Decimal(int(q.p * (fmpz(10) ** decimals / q.q))).scaleb(-decimals, _LONG):f}"


def read_integer(text: str) -> fmpz:
    """Read what ``write_integer`` wrote; any number of digits."""
    return fmpz(text.strip("()"))


def read_fraction(text: str) -> fmpq:
    """Read what ``write_fraction`` wrote; any number of digits."""
    numbers = re.findall(r"-?[\d.]+", text)
    if len(numbers) == 2:
        return fmpq(read_integer(numbers[0]), max(read_integer(numbers[1]), fmpz(1)))
    whole, _, decimals = numbers[0].partition(".")
    return fmpq(read_integer(whole + decimals), fmpz(10) ** len(decimals))


@dataclass(frozen=True)
class IndexClaim:
    """The claim that an index lies between two fractions; equal ones state its value."""

    family: str
    key: Key
    lower: fmpq
    upper: fmpq

    @property
    def label(self) -> str:
        """The index as the paper writes it, such as 'OKC^(2)'."""
        return INDICES[self.family].label_of(self.key)

    def to_rocq(self) -> str:
        """Return the claim as a term."""
        index, ends = CONSTRUCTORS[self.family](self.key), [self.lower, self.upper]
        if self.lower == self.upper:
            return f"Equal {index} {write_fraction(self.lower)}"
        return f"Between {index} {' '.join(map(write_fraction, ends))}"

    def statement(self, d: int) -> str:
        """Return what the claim states of w in d columns, as Rocq reads it."""
        value, lower, upper = (
            _VALUES[self.family](self.key, d),
            *map(write_fraction, (self.lower, self.upper)),
        )
        return f"{value} = Q2F R {lower}" if lower == upper else f"Q2F R {lower} <= {value} <= Q2F R {upper}"

    def __str__(self) -> str:
        if self.lower == self.upper:
            return f"{self.label} = {format_rational(self.lower)}"
        return f"{self.label} in {format_interval(self.lower, self.upper)}"

    def to_json(self) -> dict[str, Any]:
        """Return the claim as JSON data; the ends are written without loss."""
        return {"index": self.label, "lower": write_number(self.lower), "upper": write_number(self.upper)}


@dataclass(frozen=True)
class PeakClaim:
    """The claim that N* = N, and that no other degree has an index as large."""

    N: int
    label = "N*"

    def to_rocq(self) -> str:
        """Return the claim as a term."""
        return f"Peak {self.N}"

    def statement(self, d: int) -> str:
        """Return what the claim states of w, as Rocq reads it."""
        return f"is_peak w {self.N}"

    def __str__(self) -> str:
        return f"N* = {self.N}"

    def to_json(self) -> dict[str, Any]:
        """Return the claim as JSON data."""
        return {"index": self.label, "value": self.N}


@dataclass(frozen=True)
class ThresholdClaim:
    """The claim that T_eps = T."""

    eps: fmpq
    T: int

    @property
    def label(self) -> str:
        """The threshold as the paper writes it, such as 'T_0.05'."""
        return f"T_{write_number(self.eps)}"

    def to_rocq(self) -> str:
        """Return the claim as a term."""
        return f"Threshold {write_fraction(self.eps)} {self.T}"

    def statement(self, d: int) -> str:
        """Return what the claim states of w, as Rocq reads it."""
        return f"is_threshold w (Q2F R {write_fraction(self.eps)}) {self.T}"

    def __str__(self) -> str:
        return f"{self.label} = {self.T}"

    def to_json(self) -> dict[str, Any]:
        """Return the claim as JSON data."""
        return {"index": self.label, "value": self.T}


RocqClaim = IndexClaim | PeakClaim | ThresholdClaim


def index_keys(top: int, d: int, families: Iterable[str] = tuple(CONSTRUCTORS)) -> Iterator[tuple[str, Key]]:
    """Yield the family and the key of every index that a certificate in Rocq claims."""
    for family in families:
        for key in INDICES[family].keys(top, d):
            yield family, key


def summary_claims(profile: Any) -> list[RocqClaim]:
    """Return the claims about N* and T_eps that the enclosures of a profile decide."""
    found = profile.summary()
    claims: list[RocqClaim] = []
    if isinstance(found.peak, int) and len(profile.peaks) == 1:
        claims.append(PeakClaim(found.peak))
    for eps in EPSILONS:
        if not isinstance(T := found.threshold[eps], UndecidedSummary):
            claims.append(ThresholdClaim(QQ(eps), T))
    return claims


def read_claim(text: str, names: dict[str, tuple[str, Key]]) -> RocqClaim | None:
    """Return the claim that ``to_rocq`` wrote, or None; ``names`` are the known indices by constructor."""
    for form, pattern in _FORMS.items():
        if not (found := re.fullmatch(pattern, text)):
            continue
        if form == "peak":
            return PeakClaim(int(found[1][:9]))
        if form == "threshold":
            return ThresholdClaim(read_fraction(found[1]), int(found[2][:9]))
        if found[1] not in names:
            return None
        lower = read_fraction(found[2])
        return IndexClaim(*names[found[1]], lower, lower if form == "equal" else read_fraction(found[3]))
    return None
