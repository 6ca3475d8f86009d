"""What an implementation computed (``orca-exact/result/1``): read with suspicion, kept as it was written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from ..errors import BadFile
from ..formats import validate
from ..number import QQ
from ..profile.indices import Indices, Mode

SCHEMA = "orca-exact/result/1"


@dataclass(frozen=True)
class Result:
    """Every field but ``id`` may be None: it was not given. ``undefined``: okc was given as null (w = 0)."""

    id: str
    alpha: list[fmpq] | None = None
    b: fmpq | None = None
    gram: list[list[fmpq]] | None = None
    coefficients: dict[Mode, fmpq] | None = None
    norm2: fmpq | None = None
    okc: Indices[fmpq] | None = None
    undefined: bool = False
    skipped: str | None = None
    raw: dict = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def from_json(cls, data: Any, place: str = "result") -> Result:
        """Whatever it is: a Result, or BadInput with one line about what is wrong."""
        validate(data, SCHEMA, place)
        at = lambda name: f"{place}.{name}"  # noqa: E731
        read = {
            name: _numbers(data[name], at(name)) for name in ("alpha", "b", "gram", "norm2") if name in data
        }
        if "coefficients" in data:
            read["coefficients"] = {
                mode(key): _numbers(x, at(f"coefficients.{key}")) for key, x in data["coefficients"].items()
            }
        okc = data.get("okc")
        return cls(
            id=data["id"], okc=None if okc is None else Indices.from_json(okc, _numbers, at("okc")),
            skipped=data.get("skipped"), raw=data, undefined="okc" in data and okc is None, **read,
        )  # fmt: skip

    @property
    def is_empty(self) -> bool:
        """Whether nothing is given that could be compared."""
        given = (self.alpha, self.coefficients, self.norm2, self.okc or None)
        return not self.undefined and all(x is None for x in given)

    @property
    def written_digits(self) -> int:
        """The most significant digits that any number was written with."""
        numbers = (self.raw.get(key) for key in ("alpha", "gram", "coefficients", "okc", "norm2"))
        return max((_significant(x) for part in numbers for x in _leaves(part)), default=0)


def mode(key: str) -> Mode:
    """'1,0,2' -> (1, 0, 2)."""
    return tuple(int(k) for k in key.split(","))


def key_of(k: Mode) -> str:
    """(1, 0, 2) -> '1,0,2'."""
    return ",".join(map(str, k))


def _numbers(data: Any, place: str) -> Any:
    if isinstance(data, list):
        return [_numbers(x, f"{place}[{i}]") for i, x in enumerate(data)]
    if isinstance(data, dict):  # tagged: the value that stands for it
        for key in ("exact", "ball", "decimal"):
            if isinstance(data.get(key), str):
                return QQ(data[key].split("±")[0].strip(), place)
            if isinstance(data.get(key), list):
                return QQ(data[key][0], place)
        raise BadFile(place, "no single number in it", "write 'exact', 'ball' or 'decimal'")
    return QQ(data, place)


def _leaves(data: Any) -> Iterator[Any]:
    if isinstance(data, dict | list):
        for x in data.values() if isinstance(data, dict) else data:
            yield from _leaves(x)
    elif isinstance(data, str | float):
        yield data


def _significant(x: str | float) -> int:
    text = repr(x) if isinstance(x, float) else x
    if "/" in text or "x" in text.lower():
        return 17
    return len(re.sub(r"[eE].*|[^0-9]", "", text).strip("0"))
