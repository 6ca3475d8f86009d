"""Make the conformance vectors: ``python -m orca_exact.conformance.vectors.generate``.

Deterministic: ``cases`` draws the problems, and certificates are exact, so that every digit is the problem's
own. The flags that name bugs are found by trying each bug.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from ...errors import BadInput, OrcaError
from ...files import formats
from ...files.outcomes import FAILS
from ...measures.families import Discrete, Hermite, Laguerre
from ...measures.jacobi import Jacobi
from ...measures.measure import Measure
from ...numbers.rationals import QQ, decimal, real
from ...problem import PROBLEM_SCHEMA_2, Problem
from ...profile.indices import EPSILONS
from ..bugs import BUGS
from ..comparison import ComparedValue, midpoint_of
from ..crosscheck import crosscheck
from ..pipeline import Pipeline
from ..reference import Reference, plain_result
from ..reference_maker import aggregate_reference, make_reference
from ..result import Result, mode_key
from . import VECTOR_DIGITS, VECTOR_FILE, digest_of, reference_of
from .cases import GROUPS
from .extremes import EXTREMES

CORNERS = {
    "AlphaPlusBetaMinusOne": "alpha + beta = -1: the general recurrence and the Gamma formula are 0/0 there",
    "Endpoint": "a coordinate is exactly -1 or 1",
    "NZero": "n = 0: the kernel is constant",
    "NOne": "n = 1: affine modes only",
    "DOne": "d = 1: no interactions, no pairs",
    "DuplicatedPoints": "the same point twice: alpha need not be unique",
    "SingularGram": "more points than modes",
    "HardMargin": "no dual variable at C",
    "AllAtBound": "every dual variable is 0 or C: b is an interval",
    "BiasInterval": "b is not unique: any value of the interval is right",
    "AlphaNotUnique": "alpha is not unique: only w is compared",
    "PeakTie": "two degrees carry the same largest share: the smallest is N*",
    "ThresholdTie": "F(T) is exactly 9/10: T_0.1 = T",
    "ZeroClassifier": "w = 0: the indices are 0/0, give null or nothing",
    "Rescale": "the columns are to be rescaled to [-1, 1]",
    "GivenDual": "dual variables are given: no solving, only coefficients and indices",
    "VersionTwo": "an orca-exact/problem/2: C or n is a list, or the measure is not one Jacobi weight",
    "Weighted": "the C_i differ",
    "Hermite": "a coordinate has Hermite's measure",
    "Laguerre": "a coordinate has Laguerre's measure",
    "Discrete": "a coordinate has a discrete measure",
    "MixedMeasures": "the coordinates have different measures",
    "DegreesByCoordinate": "the coordinates have different degrees",
    "HighDegree": "a coordinate has degree 5 or more",
    "FarPoint": "a coordinate beyond 3 with Hermite's measure, or beyond 6 with Laguerre's",
    "ExtremeParameter": "an alpha or beta above 5 or below -0.9",
    "UnsortedNodes": "the nodes of a discrete measure are not in ascending order; each keeps its weight",
    "DefaultWeights": "a discrete measure without weights: each is 1/(number of nodes)",
    "SmallWeight": "a node carries less than 1/1000 of the weight",
    "FormsOfNumbers": "JSON numbers, exponents or hexadecimal floats",
    "AbsentFields": "C or rescale is absent",
    "ManyCoordinates": "four coordinates or more",
    "EqualPointsWeighted": "equal points with different C_i",
}


ABOUT_ZERO = ("n = 0", "given dual variables, n = 0", "more points than modes", "extremes of dual variables")


def build_group(name: str, first: int = 1, limit: int | None = None) -> dict:
    """One group; without problems that float64 cannot judge (condition above 10^6), and w = 0 only where
    the group is about it."""
    tests: list[dict] = []
    for comment, problem, dual in GROUPS[name]():
        if len(tests) == limit:
            break
        number = first + len(tests)
        asked = (problem.to_json() if isinstance(problem, Problem) else problem) | {"id": f"v{number:03d}"}
        problem = Problem.from_json(asked)
        reference = make_reference(problem) if dual is None else aggregate_reference(problem, dual)
        if reference.condition["w"] <= 1e6 and (reference.okc is not None or name in ABOUT_ZERO):
            tests.append(_test(number, comment, reference, asked, dual))
        elif name in EXTREMES:
            raise BadInput(f"{asked}: w = 0, or float64 cannot judge it; change this problem")
    aggregation = "dual" in tests[0]["problem"]
    return {"name": name, "type": "aggregation" if aggregation else "pipeline", "tests": tests}


def _test(number: int, comment: str, reference: Reference, asked: dict, dual: list | None) -> dict:
    given = {} if dual is None else {"dual": dual}
    test: dict[str, Any] = {"tcId": number, "flags": [], "problem": asked | given}
    if comment:
        test["comment"] = comment
    test["expected"] = {
        k: x for k, x in plain_result(reference, VECTOR_DIGITS).items() if k not in ("schema", "id")
    }
    test |= {"condition": reference.data["condition"], "alpha_unique": reference.alpha_unique}
    if reference.b is not None and reference.b[0] is not reference.b[1]:
        test["b_interval"] = [decimal(end, VECTOR_DIGITS, False) for end in reference.b]
    if reference.okc is not None:
        test["peaks"] = reference.peaks
    if (own := reference.problem.sha256) != digest_of(test["problem"]):
        test["problem_sha256"] = own
    test["flags"] = _corners(test["problem"], reference) + _caught(reference_of(test))
    return test


def _corners(asked: dict, reference: Reference) -> list[str]:
    problem, dual, about = reference.problem, reference.dual, reference.data["certificate"]
    measures = problem.measures
    families = set(map(type, measures))
    holds = {
        "AlphaPlusBetaMinusOne": any(J.alpha + J.beta == -1 for J in measures if isinstance(J, Jacobi)),
        "Endpoint": any(x in measures[j].domain for row in problem.points for j, x in enumerate(row)),
        "NZero": problem.n == 0,
        "NOne": set(problem.degrees) == {1},
        "DOne": problem.d == 1,
        "DuplicatedPoints": len(set(problem.X)) < problem.m,
        "SingularGram": problem.m > problem.modes,
        "HardMargin": bool(about.get("hard_margin")),
        "AllAtBound": dual is None and not about["free"],
        "BiasInterval": about.get("b_unique") is False,
        "AlphaNotUnique": not reference.alpha_unique,
        "PeakTie": reference.okc is not None and len(reference.peaks) > 1,
        "ThresholdTie": reference.okc is not None and _on_threshold(reference.okc.degree),
        "ZeroClassifier": reference.okc is None,
        "Rescale": problem.rescale,
        "GivenDual": dual is not None,
        "VersionTwo": problem.to_json()["schema"] == PROBLEM_SCHEMA_2,
        "Weighted": problem.is_weighted,
        "Hermite": Hermite in families,
        "Laguerre": Laguerre in families,
        "Discrete": Discrete in families,
        "MixedMeasures": len(set(measures)) > 1,
        "DegreesByCoordinate": len(set(problem.degrees)) > 1,
        "HighDegree": problem.n > 4,
        "FarPoint": any(_is_far(J, x) for J, x in zip(measures, problem.points.T, strict=True)),
        "ExtremeParameter": any(
            not -0.9 <= real(getattr(J, name)) <= 5
            for J in measures
            for name in ("alpha", "beta")
            if hasattr(J, name)
        ),
        "UnsortedNodes": any(x != sorted(x, key=QQ) for x in _found(asked, "nodes")),
        "DefaultWeights": any(True for J in _found(asked, "nodes"))
        and not any(True for J in _found(asked, "weights")),
        "SmallWeight": any(
            min(J.weights) * 1000 < sum(J.weights, fmpq(0)) for J in measures if isinstance(J, Discrete)
        ),
        "FormsOfNumbers": any(
            _is_unusual(asked.get(key)) for key in ("X", "C", "alpha", "beta", "measures", "dual")
        ),
        "AbsentFields": not {"C", "rescale"} <= asked.keys(),
        "ManyCoordinates": problem.d > 3,
        "EqualPointsWeighted": len(set(problem.X)) < len(set(zip(problem.X, problem.bounds, strict=True))),
    }
    return [flag for flag, true in holds.items() if true]


def _is_far(measure: Measure, x: np.ndarray) -> bool:
    """Whether a coordinate is where polynomials on the line are large."""
    limit = {Hermite: 3, Laguerre: 6}.get(type(measure))
    return limit is not None and any(abs(value) > limit for value in x)


def _found(data: Any, name: str) -> Iterator[Any]:
    """Every value of that name in the measures of a problem as it is written."""
    given = data.get("measures", [])
    return (J[name] for J in (given if isinstance(given, list) else [given]) if name in J)


def _is_unusual(data: Any) -> bool:
    """Whether a number in it is not written as an integer, a fraction or a plain decimal in a string."""
    if isinstance(data, list | dict):
        return any(map(_is_unusual, data.values() if isinstance(data, dict) else data))
    return (
        data is not None
        and re.fullmatch(r"-?[0-9./]+|[a-z]+", str(data) if isinstance(data, str) else "") is None
    )


def _on_threshold(degree: list[ComparedValue]) -> bool:
    """F(T) = 9/10 exactly, for some T; irrational shares are no such case."""
    total = fmpq(0)
    for share in degree:
        if not isinstance(share, fmpq):
            return False
        total += share
        if total == fmpq(9, 10):
            return True
    return False


def _caught(reference: Reference) -> list[str]:
    """The bugs that this vector catches: those whose result, all stages given, fails."""
    caught: dict[str, None] = {}
    truth = Pipeline(reference.problem, dual=reference.dual)
    for bug in BUGS:
        pipe = bug(reference.problem, dual=reference.dual)
        if pipe.stage in ("coefficients", "aggregation"):
            pipe.gram, pipe.solution = truth.gram, truth.solution  # the same up to there
        try:
            with np.errstate(all="ignore"):
                answer = answer_of(pipe, reference)
        except (OrcaError, ArithmeticError, ValueError):
            continue
        if answer is not None and crosscheck(reference, answer, diagnose=False).outcome == FAILS:
            caught[flag_name(bug)] = None
    return list(caught)


def flag_name(bug: type[Pipeline]) -> str:
    """'swapped alpha and beta' -> 'SwappedAlphaAndBeta'."""
    words = (
        bug.name.replace(">=", "or equal").replace(">", "greater").replace("_", " ").replace("-", " ").split()
    )
    return "".join(word[:1].upper() + word[1:] for word in words)


def answer_of(pipe: Pipeline, reference: Reference) -> dict | None:
    """What a program with this bug would write: its own Gram matrix, alpha, coefficients, indices."""
    problem = reference.problem
    if pipe.loose is not None or pipe.stage == "format":
        return None  # losses of digits: caught everywhere or nowhere
    if not pipe.applies(Result(problem.id)):
        return None
    alpha, b = pipe.solution
    c = pipe.coefficients(alpha, b)
    okc = pipe.indices(c)
    show = lambda x: repr(float(x))  # noqa: E731
    K = np.asarray(pipe.gram, dtype=float)
    out: dict[str, Any] = {"id": problem.id, "gram": [[show(x) for x in row] for row in K]}
    out["alpha"] = [repr(real(midpoint_of(a))) for a in pipe.meant(alpha)]
    if b is not None and pipe.meant_b(b) != b:
        out["b"] = repr(real(midpoint_of(pipe.meant_b(b))))
    out["coefficients"] = {mode_key(k): show(x) for k, x in c.items()}
    if okc is not None:
        degree = [float(x) for x in okc[0].degree]
        out["okc"] = okc[0].to_json(show)
        out["okc"]["peak"] = pipe.shown_peak(min(pipe.peaks(degree)))
        out["okc"]["threshold"] = {eps: min(pipe.thresholds(degree, eps)) for eps in EPSILONS}
    return out


def build_document(say: Callable[[str], None] = lambda text: None) -> dict:
    """The file, every group made anew."""
    groups: list[dict] = []
    for name in GROUPS:
        say(name)
        groups.append(build_group(name, 1 + sum(len(group["tests"]) for group in groups)))
    return assemble(groups)


def assemble(groups: list[dict]) -> dict:
    """The file of these groups."""
    used = {flag for group in groups for test in group["tests"] for flag in test["flags"]}
    notes = {name: {"kind": "corner", "description": text} for name, text in CORNERS.items() if name in used}
    for bug in BUGS:
        if flag_name(bug) in used and flag_name(bug) not in notes:
            notes[flag_name(bug)] = {"kind": "bug", "description": bug.means, "stage": bug.stage}
    return {
        "schema": "orca-exact/vectors/1",
        "header": [
            "Small problems with certified answers: SVMs on truncated orthogonal-polynomial kernels.",
            "Expected decimals have 20 digits, each right to a unit of its last; shorter ones are exact.",
            "alpha is compared only where unique; any b of b_interval is right; N* is the smallest of peaks.",
        ],
        "generator": "python -m orca_exact.conformance.vectors.generate",
        "numberOfTests": sum(len(group["tests"]) for group in groups),
        "notes": notes,
        "groups": groups,
    }  # fmt: skip


def write_vectors(data: dict, path: Path) -> None:
    """One test per line: readable differences, and a fifth of the size of indented JSON."""
    head = {key: x for key, x in data.items() if key != "groups"}
    lines = [json.dumps(head, indent=1, ensure_ascii=False)[:-2] + ',\n "groups": [']
    for g, group in enumerate(data["groups"]):
        about = json.dumps({key: x for key, x in group.items() if key != "tests"})[:-1]
        lines.append(f'  {about}, "tests": [')
        tests = [json.dumps(test, separators=(",", ":")) for test in group["tests"]]
        lines.append("   " + ",\n   ".join(tests))
        lines.append("  ]}" + ("," if g + 1 < len(data["groups"]) else ""))
    formats.write(path, "\n".join([*lines, " ]\n}"]) + "\n")


if __name__ == "__main__":
    write_vectors(
        build_document(lambda text: print(text, file=sys.stderr)), Path(__file__).with_name(VECTOR_FILE)
    )
