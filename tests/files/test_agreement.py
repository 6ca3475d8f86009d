"""Schemas and readers accept the same files: the shipped ones, and hundreds of files changed at random."""

from __future__ import annotations

import copy
import json
import re
from functools import lru_cache
from random import Random
from typing import Any

import pytest
from command import orca
from here import PROBLEMS
from jsonschema import Draft202012Validator

from orca_exact import Hermite, Jacobi, Laguerre, OrthogonalPolynomials, Problem, certify, checker, path
from orca_exact.conformance import vectors
from orca_exact.conformance.reference import Reference, plain_result
from orca_exact.conformance.reference_maker import make_dual_reference, make_reference
from orca_exact.conformance.result import Result
from orca_exact.errors import BadFile, OrcaError
from orca_exact.files.formats import add_digest, read
from orca_exact.files.validation import schema, validate
from orca_exact.problem import PROBLEM_SCHEMA

EXAMPLES = sorted(PROBLEMS.glob("*.json"))
X = [["-1/2", "1/3"], ["1/4", "-1"], ["1", "1/2"], ["0", "0.3"]]
Y = [1, -1, 1, -1]
PROBLEM = Problem(X, Y, 2, "1/3", "1/4", C=2, id="ratio")
LOOSE = Problem(X, Y, 2, "1/2", 0, C="1/100", id="interval")
LIMITED = [
    Problem(X, Y, kernel=OrthogonalPolynomials(3, order=1), C=2, id="additive"),
    Problem(
        [[*row, "1/5"] for row in X],
        Y,
        kernel=OrthogonalPolynomials([2, 0, 1], [Jacobi("1/2", 0), Hermite(), Laguerre(1)], order=2),
        C=["1", "2", "1/2", "3"],
        names=["a", "b", "c"],
    ),
]
CHANGED = 200


def lines(*words: str) -> list[Any]:
    _, out, _ = orca(*words, "--format", "json")
    return [json.loads(line) for line in out.splitlines()]


def some_vectors() -> dict:
    """Return the shipped document with one test of each type."""
    data = copy.deepcopy(vectors.shipped_document())
    kinds = {group["type"]: group for group in data["groups"]}
    return data | {"groups": [group | {"tests": group["tests"][:1]} for group in kinds.values()]}


def tables() -> dict:
    cell = {"column": "N*", "printed": "2", "value": 2, "verdict": "confirmed"}
    return {"schema": "orca-exact/tables/1", "tables": [{"id": "t", "rows": [{"n": 1, "cells": [cell]}]}]}


def expected() -> list[dict]:
    tests = [test for group in vectors.shipped_document()["groups"] for test in group["tests"]]
    return [test["expected"] | {"id": test["problem"]["id"]} for test in tests]


def problems(version: int) -> list[dict]:
    found = [*map(read, EXAMPLES), *(v.task for v in vectors.vectors()), *(p.to_json() for p in LIMITED)]
    return [data for data in found if data.get("schema", PROBLEM_SCHEMA)[-1] == str(version)]


SHIPPED = {
    "problem": lambda: problems(1),
    "problem-2": lambda: problems(2),
    "problem-3": lambda: problems(3),
    "result": lambda: [*expected(), plain_result(make_reference(PROBLEM))],
    "reference": lambda: [
        *(v.reference.to_json() for v in vectors.vectors()[::20]),
        *(make_reference(p, level).to_json() for p in (PROBLEM, LOOSE) for level in ("exact", "ball")),
        make_dual_reference(PROBLEM, ["1", "1/2", "0", "1/4"]).to_json(),
    ],
    "certificate": lambda: [
        certify(p, level=level).to_json() for p in (PROBLEM, LOOSE) for level in ("exact", "ball", "gap")
    ],
    "certificate-2": lambda: [
        certify(p, level=level).to_json() for p in LIMITED for level in ("exact", "ball", "gap")
    ],
    "path": lambda: [path(p, level="exact").to_json() for p in (PROBLEM, *LIMITED)],
    "vectors": lambda: [vectors.shipped_document(), some_vectors()],
    "verdicts": lambda: lines("verify", "labels-resolve"),
    "tables": lambda: [tables()],
}


@lru_cache
def shipped(name: str) -> list[Any]:
    return sorted(SHIPPED[name](), key=lambda data: len(json.dumps(data)))


def read_reference(data: Any) -> None:
    reference = Reference.from_json(data)
    for name in ("id", "dual", "condition", "alpha", "b", "gram", "coefficients", "norm2", "okc"):
        getattr(reference, name)


def read_certificate(data: Any) -> None:
    try:
        checker.check(data)
    except checker.Rejected as error:
        raise BadFile("certificate", str(error), "-") from None


READERS = {
    "problem": Problem.from_json,
    "problem-2": Problem.from_json,
    "problem-3": Problem.from_json,
    "result": Result.from_json,
    "reference": read_reference,
    "certificate": read_certificate,
    "certificate-2": read_certificate,
    "path": read_certificate,
}
# Errors that no schema can express, or that it leaves to the schema of a part.
EXPONENT = "1e99999999.* has an exponent that is too large"  # larger than QQ accepts
ARITHMETIC = (
    rf"{EXPONENT}|coordinates? (was|were) given instead of|labels? (was|were) given for|both classes"
    r"|is constant|outside \[-1, 1\]|is not greater than -1|C: .* is not positive|is more than"
)
MEASURES = "values? ((was|were) given )?for|is not positive|for .* nodes|occurs .* times|below 0"
PROOF = "format|lambda|dual feasibility|primal feasibility|stationarity|complementarity|claims|sha256"
BEYOND = {
    "problem": ARITHMETIC,
    "problem-2": rf"{ARITHMETIC}|{MEASURES}",
    "problem-3": rf"{ARITHMETIC}|{MEASURES}|order: .* is more than the \d columns|one end was given without"
    r"|upper: .* is not above|coef0: .* is negative|is not a measure (of indices|under which)"
    r"|measures? (was|were) given for|is constant .* and cannot be rescaled",
    "result": rf"{EXPONENT}|the radius is negative|contradicts its",
    "reference": rf"sha256|reference\.problem: |the radius .* is negative|not a number of at least 1"
    rf"|{ARITHMETIC}",
    "certificate": rf"certificate: ({PROOF}): ",
    "certificate-2": rf"certificate: ({PROOF}): ",
    "path": rf"certificate: ({PROOF}|segments|events): ",
}
UNREAD = r"(certificate|certificate-2|path): versions"  # the checker only reads what it proves
PALETTE: tuple[Any, ...] = (
    None, True, 0, -1, 1, 1.5, 2.0, 10**9, "", "x", "1/2", "1/0", "-3", "nan", "٣", " 1 ", "0x1p-2",
    "1e99999999", [], {}, [[]], ["1"], {"exact": "1"}, {"exact": "x"}, {"ball": ["0", "-1"]},
    {"decimal": "0 ± 1e-9"}, {"digits": 3},
)  # fmt: skip


def change_at_random(data: Any, random: Random) -> Any:
    """Return a copy with one random change, mostly near the top: drop, add, rename or change a field."""
    data = copy.deepcopy(data)
    place, key = data, random.choice(list(data))
    while isinstance(place[key], dict | list) and place[key] and random.random() < 0.7:
        place = place[key]
        key = random.choice(list(place)) if isinstance(place, dict) else random.randrange(len(place))
    change = random.randrange(5)
    if change == 0:
        del place[key]
    elif change == 1 and isinstance(place, dict):
        place["more"] = random.choice(PALETTE)
    elif change == 2 and isinstance(place, dict):
        place[random.choice(["typo", "1,2", "schema"])] = place.pop(key)
    else:
        place[key] = random.choice(PALETTE)
    return data


def accepts(check: Any, *args: Any) -> str:
    """Return the error message of ``check(*args)``, or an empty string."""
    try:
        check(*args)
        return ""
    except OrcaError as error:
        assert "\n" not in str(error) and ";" in str(error), "the message is not one line with a hint"
        return str(error)


@lru_cache
def changed(name: str) -> list[Any]:
    random, whole = Random(name), shipped(name)
    smaller = whole[: (len(whole) + 1) // 2]
    found = [change_at_random(random.choice(smaller), random) for _ in range(CHANGED)]
    if name in (
        "reference",
        "certificate",
        "certificate-2",
        "path",
    ):  # with a correct digest, unless the digest was changed
        bodies = [{key: x for key, x in data.items() if key != "sha256"} for data in found]
        found = [
            add_digest(body) if "sha256" in data else data for body, data in zip(bodies, found, strict=True)
        ]
    return found


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_shipped_files_match_their_schema_and_are_read(name):
    for data in shipped(name):
        validate(data, name, name)
        READERS.get(name, lambda data: None)(data)


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_the_fast_validator_agrees_with_jsonschema(name):
    slow = Draft202012Validator(schema(name))  # without jsonschema-rs
    allowed = [slow.is_valid(data) for data in changed(name)]
    assert allowed == [not accepts(validate, data, name, name) for data in changed(name)]
    assert 0.05 < sum(allowed) / CHANGED < 0.95


@pytest.mark.parametrize("name", sorted(READERS))
def test_schema_and_reader_agree(name):
    for data in changed(name):
        by_schema, by_reader = accepts(validate, data, name, name), accepts(READERS[name], data)
        if by_schema:
            read_anyway = re.match(UNREAD, by_schema)
            assert by_reader or read_anyway, (
                f"the reader accepts what the schema rejects ({by_schema}): {json.dumps(data)}"
            )
        elif by_reader:
            assert re.search(BEYOND[name], by_reader), f"{by_reader}: {json.dumps(data)}"
