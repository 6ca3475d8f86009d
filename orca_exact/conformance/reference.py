"""Reference values: every quantity of ``orca-exact/result/1``, certified, in a file anybody can compare to.

``Reference`` reads the file without loss; ``making`` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from flint import arb, fmpq

from ..errors import BadFile
from ..files.formats import documents, is_sealed, write_json
from ..files.validation import validate
from ..numbers.rationals import QQ, decimal
from ..problem import Problem
from ..profile.indices import Indices, Mode
from ..svm.tau import Tau, read_value
from .comparison import COMPARISON_DIGITS, ComparedValue
from .condition import KAPPAS
from .result import RESULT_SCHEMA as RESULT
from .result import mode_key, parse_mode

REFERENCE_SCHEMA = "orca-exact/reference/1"
MAX_COEFFICIENTS = 10_000  # c_k that a file carries unasked, and that comparisons enumerate


@dataclass(frozen=True, repr=False)
class Reference:
    """One problem with its certified values; ``data`` is the file's own JSON."""

    data: dict

    def __repr__(self) -> str:
        return f"<Reference: {', '.join(self.data['values'])} of {self.problem!r}>"

    @classmethod
    def from_json(cls, data: Any, place: str = "reference") -> Reference:
        """Whatever it is: a Reference, or BadFile with one line about what is wrong."""
        validate(data, REFERENCE_SCHEMA, place)
        if not is_sealed(data):
            raise BadFile(place, "its sha256 is not that of its text", "it was altered: make it again")
        reference = cls(data)
        if reference.problem.sha256 != data["problem_sha256"]:
            raise BadFile(place, "problem_sha256 is another problem's", "it was altered: make it again")
        return reference

    def to_json(self) -> dict:
        """``orca-exact/reference/1``."""
        return self.data

    @cached_property
    def problem(self) -> Problem:
        """The problem whose values these are."""
        return Problem.from_json(self.data["problem"], "reference.problem")

    @cached_property
    def _tau(self) -> Tau:
        return Tau(self.problem)

    @property
    def id(self) -> str:
        """The problem's; results are matched by it."""
        return self.problem.id

    @cached_property
    def dual(self) -> tuple[fmpq, ...] | None:
        """Given dual variables, where the values are of them and not of an optimum."""
        given = self.data.get("dual")
        return None if given is None else tuple(QQ(x, f"dual[{i}]") for i, x in enumerate(given))

    @property
    def condition(self) -> dict[str, float]:
        """How much each stage magnifies the rounding of a kernel value."""
        place = "reference.condition"
        found = {key: float(arb(QQ(x, f"{place}.{key}"))) for key, x in self.data["condition"].items()}
        if not {"gram", *KAPPAS} <= found.keys() or min(found.values()) < 1:
            raise BadFile(place, "not a number from 1 for each of gram, c_k, w, alpha, b", "make it again")
        return found

    def _read(self, data: Any, place: str) -> Any:
        if isinstance(data, list):
            return [self._read(item, f"{place}[{i}]") for i, item in enumerate(data)]
        return read_value(data, place, self._tau, COMPARISON_DIGITS)

    def _values(self, name: str) -> Any:
        data = self.data["values"].get(name)
        return None if data is None else self._read(data, f"values.{name}")

    @cached_property
    def alpha(self) -> list[ComparedValue] | None:
        """An optimal alpha; the only one where ``alpha_unique``."""
        return self._values("alpha")

    @property
    def alpha_unique(self) -> bool:
        """Whether no other alpha is optimal, proved."""
        return bool(self.data["values"].get("alpha_unique"))

    @cached_property
    def b(self) -> tuple[ComparedValue, ComparedValue] | None:
        """(lower, upper), equal where b is a point; None where it is not decided."""
        data = self.data["values"].get("b")
        if data is None:
            return None
        if isinstance(data, dict) and "lower" in data:
            return self._read(data["lower"], "values.b.lower"), self._read(data["upper"], "values.b.upper")
        return (self._values("b"),) * 2

    @cached_property
    def gram(self) -> list[list[ComparedValue]] | None:
        """The Gram matrix; None where the file does not carry it."""
        return self._values("gram")

    @cached_property
    def coefficients(self) -> dict[Mode, ComparedValue] | None:
        """c_k; None where the file does not carry them, none of them where w = 0."""
        data = self.data["values"].get("coefficients")
        if data is None:
            return None
        return {parse_mode(k): self._read(x, f"values.coefficients.{k}") for k, x in data.items()}

    @cached_property
    def norm2(self) -> ComparedValue:
        """||h||^2."""
        return self._values("norm2")

    @cached_property
    def okc(self) -> Indices[ComparedValue] | None:
        """The indices; None where w = 0 makes them 0/0."""
        data = self.data["values"].get("okc")
        return None if data is None else Indices.from_json(data, self._read, "okc")

    @property
    def peaks(self) -> list[int]:
        """Every degree that attains the maximum of OKC_N; empty where that is not decided."""
        return self.data["values"]["okc"]["peaks"]


def load_references(path: str | Path) -> list[Reference]:
    """From a file of one document or of JSON lines."""
    return [Reference.from_json(data, place) for place, data in documents(path)]


def save_references(references: list[Reference], path: str | Path) -> int:
    """One document, or JSON lines where there are several."""
    return write_json(path, *(reference.to_json() for reference in references))


def plain_result(reference: Reference, digits: int = 20) -> dict:
    """The values as ``orca-exact/result/1`` in plain decimals, correctly rounded."""
    show = lambda x: decimal(x, digits, False)  # noqa: E731
    out: dict[str, Any] = {"schema": RESULT, "id": reference.id}
    if reference.dual is None and reference.alpha_unique and reference.alpha is not None:
        out["alpha"] = [show(x) for x in reference.alpha]
    if reference.b is not None and reference.b[0] is reference.b[1]:
        out["b"] = show(reference.b[0])
    if reference.gram is not None:
        out["gram"] = [[show(x) for x in row] for row in reference.gram]
    if reference.coefficients is not None:
        out["coefficients"] = {mode_key(k): show(c) for k, c in reference.coefficients.items()}
    out["norm2"] = show(reference.norm2)
    if (okc := reference.okc) is None:
        return out | {"okc": None}
    return out | {"okc": okc.to_json(show)}
