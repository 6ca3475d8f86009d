"""The result of an implementation (``orca-exact/result/1``), validated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flint import arb, fmpq

from ..errors import BadFile, printable
from ..files.formats import JsonObject
from ..files.validation import validate
from ..numbers.rationals import QQ, midpoint, precision_digits
from ..profile.index import Mode
from ..profile.indices import Indices
from .comparison import COMPARISON_DIGITS

ResultNumber = fmpq | arb  # a ball if a radius was given
RESULT_SCHEMA = "orca-exact/result/1"


@dataclass(frozen=True, repr=False)
class Result:
    """The values that a program computed for one problem.

    A field is None if it was not given. ``okc_is_null`` is true if okc was given as null (w = 0), and ``raw``
    is the JSON.
    """

    id: str
    alpha: list[ResultNumber] | None = None
    b: ResultNumber | None = None
    gram: list[list[ResultNumber]] | None = None
    coefficients: dict[Mode, ResultNumber] | None = None
    norm2: ResultNumber | None = None
    okc: Indices[ResultNumber] | None = None
    okc_is_null: bool = False
    skipped: str | None = None
    raw: JsonObject = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return f"<Result {printable(self.id)!r}: {', '.join(self.given) or 'nothing'}>"

    @classmethod
    def from_json(cls, data: Any, place: str = "result") -> Result:
        """Read a result; raise BadInput, with a message of one line, if it is not valid."""
        validate(data, RESULT_SCHEMA, place)
        names = [name for name in ("alpha", "b", "gram", "norm2") if name in data]
        read = {name: _numbers(data[name], f"{place}.{name}") for name in names}
        if "coefficients" in data:
            read["coefficients"] = {
                parse_mode(key): _numbers(x, f"{place}.coefficients.{key}")
                for key, x in data["coefficients"].items()
            }
        okc = data.get("okc")
        return cls(
            id=data["id"], okc=None if okc is None else Indices.from_json(okc, _numbers, f"{place}.okc"),
            skipped=data.get("skipped"), raw=data, okc_is_null="okc" in data and okc is None, **read,
        )  # fmt: skip

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the fields with something that can be compared."""
        values = {name: getattr(self, name) for name in ("alpha", "b", "gram", "coefficients", "norm2")}
        found = [name for name, value in values.items() if value is not None]
        return (*found, *["okc"] * (self.okc_is_null or bool(self.okc)))

    @cached_property
    def written_digits(self) -> int:
        """Number of significant digits of the longest number."""
        numbers = (self.raw.get(key) for key in ("alpha", "gram", "coefficients", "okc", "norm2"))
        return max((_significant(x) for part in numbers for x in _leaves(part)), default=0)

    @cached_property
    def share_error(self) -> fmpq:
        """Bound on the error of the sums of OKC_N: their radii, and the rounding in the output."""
        digits = self.written_digits
        degrees = self.okc.table.get("degree", {}) if self.okc else {}
        radii = (midpoint(x.rad()) for x in degrees.values() if isinstance(x, arb))
        return sum(radii, fmpq(0) if digits >= 16 else fmpq(10) ** (1 - digits))


@dataclass(frozen=True)
class Failure:
    """The reason for a missing result.

    ``kind`` is timeout, crash, ``foreign.INVALID``, flood, silent, twice or not run.
    """

    kind: str
    why: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.why}"


def parse_mode(key: str) -> Mode:
    """Parse the key of a coefficient: '1,0,2' -> (1, 0, 2)."""
    return tuple(int(k) for k in key.split(","))


def format_mode(k: Mode) -> str:
    """Format the key of a coefficient: (1, 0, 2) -> '1,0,2'."""
    return ",".join(map(str, k))


def _numbers(data: Any, place: str) -> Any:
    if isinstance(data, list):
        return [_numbers(x, f"{place}[{i}]") for i, x in enumerate(data)]
    return _tagged(data, place) if isinstance(data, dict) else QQ(data, place)


def _tagged(data: JsonObject, place: str) -> ResultNumber:
    """Read the first of exact, ball and decimal; raise BadFile if the others contradict it."""
    forms: dict[str, tuple[fmpq, fmpq, fmpq]] = {}  # midpoint, radius, rounding error
    if isinstance(data.get("exact"), str):
        forms["exact"] = QQ(data["exact"], place), fmpq(0), fmpq(0)
    if "ball" in data:
        mid, rad = (QQ(x, place) for x in data["ball"])
        forms["ball"] = mid, rad, fmpq(0)
    if "decimal" in data:
        text, _, radius = (part.strip() for part in data["decimal"].partition("±"))
        value, unit = QQ(text, place), _last_place(text)
        rounding = max(unit / 2, min(unit, abs(value) / 10**9))  # long decimals may be off by a unit
        forms["decimal"] = value, QQ(radius or 0, place), rounding
    (first, (mid, rad, _)), *others = forms.items()
    for name, (other, radius, rounding) in others:
        if abs(other - mid) > rad + radius + rounding:
            raise BadFile(place, f"its {name} contradicts its {first}", "write only one of them")
    if min(radius for _, radius, _ in forms.values()) < 0:
        raise BadFile(place, "the radius is negative", "write a radius of at least 0")
    with precision_digits(COMPARISON_DIGITS):
        return arb(mid, rad) if rad else mid


def _last_place(text: str) -> fmpq:
    """Return one unit of the last digit of a decimal, and 0 for other forms of numbers."""
    if "/" in text or "x" in text.lower():
        return fmpq(0)
    mantissa, _, exponent = text.lower().partition("e")
    return fmpq(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def _leaves(data: Any) -> Iterator[Any]:
    if isinstance(data, dict | list):
        for x in data.values() if isinstance(data, dict) else data:
            yield from _leaves(x)
    elif isinstance(data, str | float):
        yield data


def _significant(x: str | float) -> int:
    text = x if isinstance(x, str) else repr(x)
    if "/" in text or "x" in text.lower():
        return 17
    return len(re.sub(r"[eE].*|[^0-9]", "", text).strip("0"))
