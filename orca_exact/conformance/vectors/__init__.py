"""Conformance vectors: small problems with certified values, shipped as JSON (``orca-exact/vectors/1``)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ...files.formats import JsonObject, add_digest, digest, parse, read_shipped_bytes
from ...files.validation import validate
from ...kernels.registry import KERNELS
from ...numbers.rationals import QQ, to_text
from ..reference import REFERENCE_SCHEMA, Reference

VECTOR_FILE = "vectors.json"
_SHIPPED = f"conformance/vectors/{VECTOR_FILE}"
VECTOR_DIGITS = 20  # digits of an expected decimal; a shorter one is exact


@dataclass(frozen=True)
class Vector:
    """A test: the problem that a program gets (``task``), and its certified values (``reference``)."""

    number: int
    group: str
    type: str
    flags: tuple[str, ...]
    test: JsonObject

    @property
    def task(self) -> JsonObject:
        """Problem that a program gets."""
        found: JsonObject = self.test["problem"]
        return found

    @property
    def id(self) -> str:
        """Name of the problem, such as v002."""
        return str(self.task["id"])

    @cached_property
    def reference(self) -> Reference:
        """Certified values of the problem."""
        return reference_of(self.test)

    @property
    def version(self) -> int:
        """Version of the problem format: 1, 2 or 3."""
        return version_of(self.task)


def version_of(problem: JsonObject) -> int:
    """Return the version of the format of a problem."""
    return int(problem["schema"].rpartition("/")[2])


@lru_cache(maxsize=1)
def shipped_document() -> JsonObject:
    """Return the shipped file."""
    data = parse(shipped_bytes(), VECTOR_FILE)
    validate(data, "orca-exact/vectors/1", VECTOR_FILE)
    found: JsonObject = data
    return found


def shipped_bytes() -> bytes:
    """Return the shipped file as bytes."""
    return read_shipped_bytes(_SHIPPED)


def vectors_sha256() -> str:
    """Return the SHA-256 of the shipped file, by which a version of the vectors is named."""
    return hashlib.sha256(shipped_bytes()).hexdigest()


@lru_cache(maxsize=1)
def vectors() -> tuple[Vector, ...]:
    """Return all shipped vectors, in order."""
    return tuple(
        Vector(test["tcId"], group["name"], group["type"], tuple(test["flags"]), test)
        for group in shipped_document()["groups"]
        for test in group["tests"]
    )


def reference_of(test: JsonObject) -> Reference:
    """Return the expected values of a test as a reference.

    Decimals that are not exact become balls whose radius is a unit of the last digit.
    """
    expected = test["expected"]
    names = ("alpha", "b", "gram", "norm2", "coefficients")
    values = {name: _tagged(expected[name]) for name in names if name in expected}
    values["alpha_unique"] = test["alpha_unique"]
    if "b_interval" in test:
        values["b"] = dict(zip(("lower", "upper"), map(_tagged, test["b_interval"]), strict=True))
    okc = expected["okc"]
    if okc is not None:
        plain = ("peak", "threshold")
        peaks = {"peaks": test["peaks"]} if "peaks" in test else {}
        okc = {k: x if k in plain else _tagged(x) for k, x in okc.items()} | peaks
    problem = {key: x for key, x in test["problem"].items() if key != "dual"}
    data: dict[str, Any] = {"schema": REFERENCE_SCHEMA, "problem": problem}
    if "dual" in test["problem"]:
        data["dual"] = [x if isinstance(x, str) else to_text(QQ(x)) for x in test["problem"]["dual"]]
    rational = KERNELS[problem.get("kernel", {"family": "orthogonal"})["family"]].rational
    certificate = {"level": "exact" if rational else "ball"}
    data |= {"certificate": certificate, "condition": test["condition"], "versions": {}}
    data["values"] = values | {"okc": okc}
    data["problem_sha256"] = test.get("problem_sha256") or digest_of(problem)
    return Reference(add_digest(data))


def digest_of(problem: JsonObject) -> str:
    """Return the digest of a problem in the form of ``Problem.to_json``."""
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
