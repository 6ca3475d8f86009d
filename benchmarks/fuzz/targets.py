"""What is fuzzed: readers, the checker, paths, fitted models and tables.

A trial returns its outcome, or raises ``Finding``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from orca_exact import Problem, certify, checker, orca, path
from orca_exact.conformance.reference import load_references
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.conformance.result import Result
from orca_exact.errors import OrcaError, Undecided, ZeroClassifier
from orca_exact.files.formats import read_documents
from orca_exact.numbers.rationals import is_less
from orca_exact.table import Table

from ..oracle.certificates import CertificateJudge
from ..oracle.problems import Drawn, draw
from ..oracle.reading import read_model
from ..oracle.tally import Tally
from .changes import Finding, change, spoil, to_bytes
from .models import draw_model, explain_model
from .tables import draw_table, make_problem

BASES = (0, 1, 5, 6, 8, 10, 13, 17, 19, 21, 34, 43)
"""Seeds of the oracle's problems from which inputs are made."""


# Readers


def read_problem(file: Path) -> None:
    """Read a problem, and read again what it writes."""
    problem = Problem.load(file)
    if Problem.from_json(json.loads(json.dumps(problem.to_json()))) != problem:
        raise Finding("a problem changes when it is written and read again")


def read_result(file: Path) -> None:
    for place, data in read_documents(file):
        Result.from_json(data, place)


def read_table(file: Path) -> None:
    table = Table.read(file)
    table.problem(table.header[-1], n=1)


READERS: dict[str, Callable[[Path], Any]] = {
    "problem": read_problem,
    "reference": load_references,
    "result": read_result,
    "table": read_table,
    "certificate": lambda file: checker.check(checker.reading.load(str(file))),
}
ALLOWED = (OrcaError, checker.Rejected)
UNREADABLE = (OSError, EOFError, ValueError, RecursionError)  # of ``checker.reading.load``: exit code 4


@cache
def honest(kind: str, base: int) -> Any:
    """Return a valid input of this kind: JSON data, or the text of a table."""
    problem = draw(base).problem
    if kind == "problem":
        return problem.to_json()
    if kind == "table":
        rows = [
            [*(str(x) for x in row), "a" if t > 0 else "b"]
            for row, t in zip(problem.X, problem.y, strict=True)
        ]
        return "\n".join(map(",".join, [[*(f"x{i}" for i in range(problem.d)), "kind"], *rows]))
    if kind == "certificate":
        level = "exact" if problem.kernel.rational else "ball"
        return certify(problem, level=level, digits=15).to_json()
    reference = make_reference(problem, digits=15)
    if kind == "reference":
        return reference.to_json()
    certificate = certify(problem, level="gap")
    alpha = [str(x.mid()) for x in certificate.alpha(15)]
    return {"schema": "orca-exact/result/1", "id": problem.id, "alpha": alpha, "b": "0.5", "norm2": 1.5}


def draw_file(random: Random) -> tuple[str, bytes]:
    """Return the kind and the bytes of a changed file."""
    kind = random.choice(list(READERS))
    data = honest(kind, random.choice(BASES))
    if kind == "table":
        raw = data.encode()
        for _ in range(random.randint(1, 3)):
            raw = spoil(raw, random)
        return kind, raw
    if random.random() < 0.8:
        data = change(data, random)
    raw = to_bytes(data)
    return kind, spoil(raw, random) if random.random() < 0.3 else raw


def read(kind: str, raw: bytes) -> str:
    """Return how a reader answers: "accepted", or the name of one of the library's own exceptions."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / ("input.csv" if kind == "table" else "input.json")
        file.write_bytes(raw)
        try:
            READERS[kind](file)
        except Finding:
            raise
        except ALLOWED as error:
            text = str(error)
            if len(text.splitlines()) != 1 or len(text) > 1000:
                raise Finding(f"a message of {len(text)} characters: {text[:200]!r}") from error
            return type(error).__name__
        except Exception as error:
            if kind == "certificate" and isinstance(error, UNREADABLE):
                return "unreadable"
            raise Finding(f"{type(error).__name__}: {error}"[:300]) from error
    return "accepted"


# The checker


def small_enough(data: dict) -> bool:
    """Return whether the oracle can judge a certificate in a second."""
    problem = data["problem"]
    kernel = problem.get("kernel", problem)
    degrees = [kernel.get("n", 1), kernel.get("degree", 1)]
    flat = [n for x in degrees for n in (x if isinstance(x, list) else [x])]
    return (
        max(flat) <= 6
        and len(problem["X"]) <= 8
        and len(problem["X"][0]) <= 4
        and len(json.dumps(data)) < 20_000
    )


def judge(data: dict) -> list[str]:
    """Return what the oracle finds wrong in a certificate, which it reads itself."""
    tally = Tally()
    with checker.reading.unlimited_digits():
        model, C = read_model(data["problem"])
        drawn = Drawn(0, "fuzz", data["level"], None, model, C)  # type: ignore[arg-type]
        CertificateJudge(drawn, tally).compare_file(data["level"], data, C, model.solve(C))
    return tally.failures


def draw_certificate(random: Random) -> dict:
    """Return a changed certificate with the right digest."""
    data = change(honest("certificate", random.choice(BASES)), random)
    if isinstance(data, dict):
        data.pop("sha256", None)
        data["sha256"] = checker.digest(data)
    return data


def check(data: Any) -> str:
    """Return how the checker answers; an accepted certificate must be true."""
    try:
        checker.check(data)
    except checker.Rejected as rejection:
        return rejection.condition
    except Exception as error:
        raise Finding(f"{type(error).__name__}: {error}"[:300]) from error
    if not small_enough(data):
        return "accepted, not judged"
    if wrong := judge(data):
        raise Finding("accepted although " + "; ".join(wrong)[:500])
    return "accepted"


# Paths


def draw_place(random: Random) -> dict:
    """Return a problem, a level and a C."""
    seed = random.randrange(10**6)
    problem = draw(seed).problem
    C = Fraction(random.randint(1, 300), random.choice((1, 7, 30, 400)))
    level = random.choice(("exact", "ball")) if problem.kernel.rational else "ball"
    return {
        "problem": problem.to_json(),
        "level": level,
        "C": str(C),
        "eps": random.choice(("0.1", "0.05", "1/3")),
    }


def differ(x: Any, y: Any) -> bool:
    """Return whether two numbers are certainly different."""
    return (
        is_less(x, y) is True or is_less(y, x) is True
        if type(x) is type(y)
        else abs(float(x) - float(y)) > 1e-9
    )


def follow(data: dict) -> str:
    """Compare what a path states at one C with a certificate of the problem with that C."""
    problem = Problem.from_json(data["problem"])
    there = problem.replace(C=data["C"])
    try:
        found = path(problem, level=data["level"])
        certificate = certify(there, level=data["level"], digits=20)
    except Undecided:
        return "undecided"
    outcome = "equal"
    try:
        expected = orca(there, certificate, data["level"], 20)
    except ZeroClassifier:
        try:
            found.at(data["C"])
        except ZeroClassifier:
            return "w = 0"
        raise Finding("the path has a profile although w = 0") from None
    except (Undecided, OrcaError):
        return "undecided"
    got = found.at(data["C"])
    for name in ("order", "marginal", "total", "shapley"):
        for key, value in expected.family(name).items():
            curve = found.index(name, key)(data["C"])
            for other in (got.family(name)[key], curve):
                if abs(float(other) - float(value)) > 1e-12 or differ(other, value):
                    raise Finding(f"{name}[{key}] is {other} on the path, {value} in the certificate")
    if expected.has_degrees:
        try:
            steps = [
                (found.peak(), expected.peak),
                (found.threshold(data["eps"]), expected.threshold(data["eps"])[0]),
            ]
        except Undecided:
            return "steps undecided"
        for listed, value in steps:
            around = [step.value for step in listed if holds_at(step, data["C"])]
            if value not in around:
                raise Finding(f"the steps have {around}, the certificate {value}")
    proof = found.certificate(data["C"])
    for name in ("hard_margin", "alpha_unique", "b_unique"):
        ours, theirs = getattr(proof, name), getattr(certificate, name)
        if ours is not None and theirs is not None and ours != theirs:
            raise Finding(f"{name} is {ours} on the path, {theirs} in the certificate")
    return outcome


def holds_at(step: Any, C: str) -> bool:
    """Return whether C may lie in the closed interval of a step."""
    place = float(Fraction(C))
    slack = 1e-12 * place
    return float(step.lower) - slack <= place and (step.upper is None or place <= float(step.upper) + slack)


def pack(raw: bytes) -> str:
    """Return bytes as text, one character for each byte."""
    return raw.decode("latin-1")


def unpack(text: str) -> bytes:
    """Return the bytes of ``pack``."""
    return text.encode("latin-1")


def read_packed(data: dict) -> str:
    """Read the file that a corpus entry contains."""
    return read(data["kind"], unpack(data["raw"]))


def draw_packed(random: Random) -> dict:
    """Return a file as a corpus entry."""
    kind, raw = draw_file(random)
    return {"kind": kind, "raw": pack(raw)}


TARGETS: dict[str, tuple[Callable[[Random], Any], Callable[[Any], str]]] = {
    "readers": (draw_packed, read_packed),
    "checker": (draw_certificate, check),
    "paths": (draw_place, follow),
    "models": (draw_model, explain_model),
    "tables": (draw_table, make_problem),
}
