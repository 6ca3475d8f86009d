"""Conformance vectors: small problems with certified answers, shipped as JSON (``orca-exact/vectors/1``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ...files.formats import digest, seal, shipped
from ...files.validation import validate
from ...numbers.rationals import QQ, text
from ...problem import PROBLEM_SCHEMA_2
from ..reference import REFERENCE_SCHEMA, Reference

VECTOR_FILE = "vectors.json"
VECTOR_DIGITS = 20  # of an expected decimal; shorter ones are exact


@dataclass(frozen=True)
class Vector:
    """One test: what a program is asked (``task``), and the certified answer (``reference``)."""

    number: int
    group: str
    type: str
    flags: tuple[str, ...]
    test: dict

    @property
    def task(self) -> dict:
        """The problem that a program is asked to solve."""
        return self.test["problem"]

    @property
    def id(self) -> str:
        """The problem's name, such as v002."""
        return self.task["id"]

    @cached_property
    def reference(self) -> Reference:
        """The certified answer."""
        return reference_of(self.test)

    @property
    def version(self) -> int:
        """Of the problem format that says it."""
        return 2 if self.task["schema"] == PROBLEM_SCHEMA_2 else 1


@lru_cache(maxsize=1)
def shipped_document() -> dict:
    """The shipped file."""
    data = shipped(f"conformance/vectors/{VECTOR_FILE}")
    validate(data, "orca-exact/vectors/1", VECTOR_FILE)
    return data


@lru_cache(maxsize=1)
def vectors() -> tuple[Vector, ...]:
    """All shipped vectors, in order."""
    return tuple(_vectors(shipped_document()))


def _vectors(data: dict) -> Iterator[Vector]:
    for group in data["groups"]:
        for test in group["tests"]:
            yield Vector(test["tcId"], group["name"], group["type"], tuple(test["flags"]), test)


def reference_of(test: dict) -> Reference:
    """A test's plain decimals as a reference: balls of a unit of the last digit."""
    expected = test["expected"]
    values = {
        k: _tagged(expected[k]) for k in ("alpha", "b", "gram", "norm2", "coefficients") if k in expected
    }
    values |= {"alpha_unique": test["alpha_unique"]}
    if "b_interval" in test:
        values["b"] = dict(zip(("lower", "upper"), map(_tagged, test["b_interval"]), strict=True))
    okc = expected["okc"]
    if okc is not None:
        plain = ("peak", "threshold")
        okc = {k: x if k in plain else _tagged(x) for k, x in okc.items()} | {"peaks": test["peaks"]}
    problem = {key: x for key, x in test["problem"].items() if key != "dual"}
    data: dict[str, Any] = {"schema": REFERENCE_SCHEMA, "problem": problem}
    if "dual" in test["problem"]:
        data["dual"] = [x if isinstance(x, str) else text(QQ(x)) for x in test["problem"]["dual"]]
    data |= {"certificate": {"level": "exact"}, "condition": test["condition"], "versions": {}}
    data["values"] = values | {"okc": okc}
    data["problem_sha256"] = test.get("problem_sha256") or digest_of(problem)
    return Reference(seal(data))


def digest_of(problem: dict) -> str:
    """The digest of a problem that is written as ``Problem.to_json`` writes it."""
    return digest({key: x for key, x in problem.items() if key not in ("id", "dual")})


def _tagged(x: Any) -> Any:
    if x is None:
        return None
    if isinstance(x, list):
        return [_tagged(item) for item in x]
    if isinstance(x, dict):
        return {key: _tagged(item) for key, item in x.items()}
    mantissa, _, exponent = x.partition("e")
    if len(mantissa.lstrip("-0.").replace(".", "")) < VECTOR_DIGITS:
        return {"decimal": x, "exact": x}
    places = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return {"decimal": x, "ball": [x, f"1e{-places}"]}
