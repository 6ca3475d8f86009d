"""Reference values: certified values of every quantity of ``orca-exact/result/1``, and their files.

``reference_maker`` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from flint import arb, fmpq

from ..errors import BadFile
from ..files.formats import JsonObject, has_valid_digest, read_documents, write_json
from ..files.validation import validate
from ..numbers.rationals import QQ, format_decimal
from ..problem import Problem
from ..profile.index import Mode
from ..profile.indices import Indices
from ..svm.tau import Tau, read_value
from .comparison import COMPARISON_DIGITS, ComparedValue
from .condition import CONDITION_NAMES
from .result import RESULT_SCHEMA, format_mode, parse_mode

REFERENCE_SCHEMA = "orca-exact/reference/1"
MAX_COEFFICIENTS = 10_000  # c_k that a file contains by default, and that comparisons enumerate


@dataclass(frozen=True, repr=False)
class Reference:
    """A problem with its certified values; ``data`` is the JSON of the file."""

    data: JsonObject

    def __repr__(self) -> str:
        return f"<Reference: {', '.join(self.data['values'])} of {self.problem!r}>"

    @classmethod
    def from_json(cls, data: Any, place: str = "reference") -> Reference:
        """Read a reference; raise BadFile, with a message of one line, if it is not valid."""
        validate(data, REFERENCE_SCHEMA, place)
        if not has_valid_digest(data):
            raise BadFile(
                place, "its sha256 does not match its content", "the file was altered: make it again"
            )
        reference = cls(data)
        if reference.problem.sha256 != data["problem_sha256"]:
            raise BadFile(
                place, "its problem_sha256 does not match its problem", "the file was altered: make it again"
            )
        return reference

    def to_json(self) -> JsonObject:
        """Return the JSON (``orca-exact/reference/1``)."""
        return self.data

    @cached_property
    def problem(self) -> Problem:
        """Problem whose values these are."""
        return Problem.from_json(self.data["problem"], "reference.problem")

    @cached_property
    def _tau(self) -> Tau:
        return Tau(self.problem)

    @property
    def id(self) -> str:
        """Name of the problem, by which results are matched."""
        return self.problem.id

    @cached_property
    def dual(self) -> tuple[fmpq, ...] | None:
        """Given dual variables, if the values belong to these and not to an optimum."""
        given = self.data.get("dual")
        return None if given is None else tuple(QQ(x, f"dual[{i}]") for i, x in enumerate(given))

    @property
    def condition(self) -> dict[str, float]:
        """Condition number of each quantity."""
        place = "reference.condition"
        found = {key: float(arb(QQ(x, f"{place}.{key}"))) for key, x in self.data["condition"].items()}
        if not {"gram", *CONDITION_NAMES} <= found.keys() or min(found.values()) < 1:
            why = f"not a number of at least 1 for each of gram, {', '.join(CONDITION_NAMES)}"
            raise BadFile(place, why, "make the reference again")
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
        """An optimal alpha; the only one if ``alpha_unique`` is true."""
        found: list[ComparedValue] | None = self._values("alpha")
        return found

    @property
    def alpha_unique(self) -> bool:
        """Whether alpha is proved to be the only optimal one."""
        return bool(self.data["values"].get("alpha_unique"))

    @cached_property
    def b(self) -> tuple[ComparedValue, ComparedValue] | None:
        """Bounds of the optimal b, the same object twice if b is unique; None if that is undecided."""
        data = self.data["values"].get("b")
        if data is None:
            return None
        if isinstance(data, dict) and "lower" in data:
            return self._read(data["lower"], "values.b.lower"), self._read(data["upper"], "values.b.upper")
        return (self._values("b"),) * 2

    @cached_property
    def gram(self) -> list[list[ComparedValue]] | None:
        """Gram matrix; None if the file does not contain it."""
        found: list[list[ComparedValue]] | None = self._values("gram")
        return found

    @cached_property
    def coefficients(self) -> dict[Mode, ComparedValue] | None:
        """Coefficients c_k; None if the file does not contain them, an empty dict if w = 0."""
        data = self.data["values"].get("coefficients")
        if data is None:
            return None
        return {parse_mode(k): self._read(x, f"values.coefficients.{k}") for k, x in data.items()}

    @cached_property
    def norm2(self) -> ComparedValue:
        """Squared norm ||h||^2."""
        found: ComparedValue = self._values("norm2")
        return found

    @cached_property
    def okc(self) -> Indices[ComparedValue] | None:
        """Indices; None if w = 0, since each of them is 0/0."""
        data = self.data["values"].get("okc")
        return None if data is None else Indices.from_json(data, self._read, "okc")

    @property
    def peaks(self) -> list[int]:
        """Every degree that attains the maximum of OKC_N; empty if that is undecided."""
        found: list[int] = self.data["values"]["okc"]["peaks"]
        return found


def load_references(path: str | Path) -> list[Reference]:
    """Read the references of a file, one JSON document or JSON lines."""
    return [Reference.from_json(data, place) for place, data in read_documents(path)]


def save_references(references: list[Reference], path: str | Path) -> int:
    """Write references to a file, as one JSON document or, if there are several, as JSON lines."""
    return write_json(path, *(reference.to_json() for reference in references))


def plain_result(reference: Reference, digits: int = 20) -> JsonObject:
    """Return the values as ``orca-exact/result/1`` in correctly rounded decimals."""

    def show(x: ComparedValue) -> str:
        return format_decimal(x, digits, False)

    out: dict[str, Any] = {"schema": RESULT_SCHEMA, "id": reference.id}
    if reference.dual is None and reference.alpha_unique and reference.alpha is not None:
        out["alpha"] = [show(x) for x in reference.alpha]
    if reference.b is not None and reference.b[0] is reference.b[1]:
        out["b"] = show(reference.b[0])
    if reference.gram is not None:
        out["gram"] = [[show(x) for x in row] for row in reference.gram]
    if reference.coefficients is not None:
        out["coefficients"] = {format_mode(k): show(c) for k, c in reference.coefficients.items()}
    out["norm2"] = show(reference.norm2)
    if (okc := reference.okc) is None:
        return out | {"okc": None}
    return out | {"okc": okc.to_json(show)}
