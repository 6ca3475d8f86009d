"""Generator of the conformance vectors: ``python -m orca_exact.conformance.vectors.generate``.

It is deterministic: ``cases`` makes the problems, and exact certificates make their values. The flags of the
bugs that a vector detects are found by trying each bug.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from ...errors import BadInput, OrcaError
from ...files import formats
from ...files.formats import JsonObject
from ...files.outcomes import FAILS
from ...kernels.polynomial import Linear, Polynomial
from ...kernels.rbf import RBF
from ...measures.families import FAMILIES, Discrete, Hermite, Laguerre
from ...measures.jacobi import Jacobi
from ...measures.measure import Measure
from ...measures.probability import Empirical, Normal, Uniform
from ...numbers.rationals import QQ, format_decimal, to_float
from ...problem import PROBLEM_SCHEMA_2, PROBLEM_SCHEMA_3, Problem
from ...profile.indices import EPSILONS
from ..bugs import BUGS
from ..comparison import ComparedValue, to_rational
from ..crosscheck import crosscheck
from ..pipeline import Pipeline
from ..reference import Reference, plain_result
from ..reference_maker import make_dual_reference, make_reference
from ..result import Result, format_mode
from . import VECTOR_DIGITS, VECTOR_FILE, digest_of, reference_of, version_of
from .cases import GROUPS
from .extremes import EXTREMES
from .standard_cases import STANDARD

_OTHER_FAMILIES = [kind for kind in FAMILIES.values() if kind is not Jacobi]
CORNER_CASES = {
    "AlphaPlusBetaMinusOne": "alpha + beta = -1: the general recurrence and the Gamma formula give 0/0.",
    "Endpoint": "A coordinate is an endpoint of its domain: -1 or 1, or 0 for a Laguerre measure.",
    "NZero": "n = 0: the kernel is constant.",
    "NOne": "n = 1: the polynomials are affine.",
    "DOne": "d = 1: there are no interactions and no pairs.",
    "DuplicatedPoints": "Two points are equal: alpha need not be unique.",
    "SingularGram": "There are more points than modes: the Gram matrix is singular.",
    "HardMargin": "No dual variable is at its bound C.",
    "AllAtBound": "Every dual variable is 0 or C: b is an interval.",
    "BiasInterval": "b is not unique: any value of the interval is right.",
    "AlphaNotUnique": "alpha is not unique: only w is compared.",
    "PeakTie": "Two degrees have the same largest OKC_N: N* is the smaller one.",
    "ThresholdTie": "F(T) is exactly 9/10: T_0.1 = T.",
    "ZeroClassifier": "w = 0: every index is 0/0; write null, or leave okc out.",
    "Rescale": "The columns must be rescaled to [-1, 1].",
    "GivenDual": "The dual variables are given: only coefficients and indices are to be computed.",
    "VersionTwo": "The problem has version 2: C or n is a list, or the measure is not one Jacobi weight.",
    "Weighted": "The C_i differ.",
    **{kind.__name__: f"A coordinate has a {kind.__name__} measure." for kind in _OTHER_FAMILIES},
    "MixedMeasures": "The coordinates have different measures.",
    "DegreesByCoordinate": "The coordinates have different degrees.",
    "HighDegree": "A coordinate has degree 5 or more.",
    "FarPoint": "A coordinate is beyond 3 with a Hermite measure, or beyond 6 with a Laguerre measure.",
    "ExtremeParameter": "An alpha or beta is above 5 or below -0.9.",
    "UnsortedNodes": "The nodes of a discrete measure are not in ascending order; each keeps its weight.",
    "DefaultWeights": "A discrete measure has no weights: each is 1/(number of nodes).",
    "SmallWeight": "A node has less than 1/1000 of the total weight.",
    "FormsOfNumbers": "Some numbers are JSON numbers, have exponents or are hexadecimal floats.",
    "AbsentFields": "C or rescale is absent.",
    "ManyCoordinates": "There are four coordinates or more.",
    "EqualPointsWeighted": "Equal points have different C_i.",
    "VersionThree": "The problem has version 3: degrees, measures and the order are fields of the kernel.",
    "OrderLimit": "Only modes with at most 'order' active columns are summed.",
    "OrderOne": "The order is at most 1: no mode depends on two columns.",
    "OrderWithoutEffect": "The order is null, absent, or not less than the number of columns with n > 0.",
    "BinaryColumn": "A column contains only 0 and 1, and its measure has these two nodes.",
    "LinearKernel": "The kernel is linear.",
    "PolynomialKernel": "The kernel is a power of gamma x.z + coef0.",
    "RBFKernel": "The kernel is the Gaussian one; there are no degrees and no coefficients.",
    "UnderEmpirical": "A measure of the indices is the empirical one.",
    "UnderUniform": "A measure of the indices is uniform.",
    "UnderNormal": "A measure of the indices is normal.",
    "UnderByColumn": "The columns have different measures of the indices.",
    "SmallGamma": "gamma is at most 0.0001: the covariances are small differences.",
    "LargeGamma": "gamma is at least 1000: the kernel is almost 0 between different points.",
    "ConstantColumn": "A column is constant.",
    "Coef0Zero": "The constant of the polynomial kernel is 0.",
    "FewValues": "A column has fewer different values than the polynomial kernel has degrees.",
}
# Groups that may contain problems with w = 0.
MAY_BE_ZERO = (
    "n = 0", "given dual variables, n = 0", "more points than modes", "extremes of dual variables",
    "order limits, extremes", "linear kernel",
)  # fmt: skip


def build_group(name: str, first: int = 1, limit: int | None = None) -> JsonObject:
    """Return one group, whose first vector has the number ``first``.

    Problems that are too ill-conditioned for float64 (condition number above 10^6) are left out, and those
    with w = 0 unless the group is in ``MAY_BE_ZERO``.
    """
    tests: list[JsonObject] = []
    for comment, problem, dual in GROUPS[name]():
        if len(tests) == limit:
            break
        number = first + len(tests)
        asked = (problem.to_json() if isinstance(problem, Problem) else problem) | {"id": f"v{number:03d}"}
        problem = Problem.from_json(asked)
        reference = make_reference(problem) if dual is None else make_dual_reference(problem, dual)
        if reference.condition["w"] <= 1e6 and (reference.okc is not None or name in MAY_BE_ZERO):
            tests.append(_test(number, comment, reference, asked, dual))
        elif name in EXTREMES or name in STANDARD:
            raise BadInput(f"{asked}: w = 0, or the problem is too ill-conditioned for float64; change it")
    aggregation = "dual" in tests[0]["problem"]
    return {"name": name, "type": "aggregation" if aggregation else "pipeline", "tests": tests}


def _test(
    number: int, comment: str, reference: Reference, asked: JsonObject, dual: list[Any] | None
) -> JsonObject:
    given = {} if dual is None else {"dual": dual}
    test: dict[str, Any] = {"tcId": number, "flags": [], "problem": asked | given}
    if comment:
        test["comment"] = comment
    test["expected"] = {
        k: x for k, x in plain_result(reference, VECTOR_DIGITS).items() if k not in ("schema", "id")
    }
    test |= {"condition": reference.data["condition"], "alpha_unique": reference.alpha_unique}
    if reference.b is not None and reference.b[0] is not reference.b[1]:
        test["b_interval"] = [format_decimal(end, VECTOR_DIGITS, False) for end in reference.b]
    if reference.okc is not None and reference.okc.has_degrees:
        test["peaks"] = reference.peaks
    if not reference.alpha_unique and reference.problem.kernel.own_measures is None and dual is None:
        alpha = [format_decimal(x, VECTOR_DIGITS, False) for x in reference.alpha or ()]
        test["expected"] = {"alpha": alpha} | test["expected"]  # the optimal value follows from it
    problem = reference.problem
    if problem.sha256 != digest_of(test["problem"]):
        test["problem_sha256"] = problem.sha256
    bugs = [bug for bug in BUGS if bug.since <= version_of(asked) and bug.concerns(problem)]
    test["flags"] = _corners(test["problem"], reference) + _caught(reference_of(test), bugs)
    return test


def _corners(asked: JsonObject, reference: Reference) -> list[str]:
    problem, dual, about = reference.problem, reference.dual, reference.data["certificate"]
    own = problem.kernel.own_measures is not None
    measures = problem.measures if own else ()
    degrees = problem.degrees if own else ()
    families = set(map(type, measures))
    modes = problem.kernel.modes
    has_degrees = reference.okc is not None and reference.okc.has_degrees
    holds = {
        "AlphaPlusBetaMinusOne": any(J.alpha + J.beta == -1 for J in measures if isinstance(J, Jacobi)),
        "Endpoint": own and any(x in measures[j].domain for row in problem.points for j, x in enumerate(row)),
        "NZero": set(degrees) == {0},
        "NOne": set(degrees) == {1},
        "DOne": problem.d == 1,
        "DuplicatedPoints": len(set(problem.X)) < problem.m,
        "SingularGram": problem.m > problem.modes,
        "HardMargin": bool(about.get("hard_margin")),
        "AllAtBound": dual is None and not about["free"],
        "BiasInterval": about.get("b_unique") is False,
        "AlphaNotUnique": not reference.alpha_unique,
        "PeakTie": has_degrees and len(reference.peaks) > 1,
        "ThresholdTie": has_degrees and reference.okc is not None and _on_threshold(reference.okc.degree),
        "ZeroClassifier": reference.okc is None,
        "Rescale": problem.rescale,
        "GivenDual": dual is not None,
        "VersionTwo": problem.to_json()["schema"] == PROBLEM_SCHEMA_2,
        "Weighted": problem.is_weighted,
        **{kind.__name__: kind in families for kind in _OTHER_FAMILIES},
        "MixedMeasures": len(set(measures)) > 1,
        "DegreesByCoordinate": len(set(degrees)) > 1,
        "HighDegree": max(degrees, default=0) > 4,
        "FarPoint": any(_is_far(J, x) for J, x in zip(measures, problem.points.T, strict=False)),
        "ExtremeParameter": any(
            not -0.9 <= to_float(getattr(J, name)) <= 5
            for J in measures
            for name in ("alpha", "beta")
            if hasattr(J, name)
        ),
        "UnsortedNodes": any(x != sorted(x, key=QQ) for x in _found(asked, "nodes")),
        "DefaultWeights": bool(_found(asked, "nodes")) and not _found(asked, "weights"),
        "SmallWeight": any(
            min(J.weights) * 1000 < sum(J.weights, fmpq(0)) for J in measures if isinstance(J, Discrete)
        ),
        "FormsOfNumbers": any(
            _is_unusual((asked | asked.get("kernel", {})).get(key))
            for key in ("X", "C", "alpha", "beta", "measures", "dual", "gamma", "coef0")
        ),
        "AbsentFields": not {"C", "rescale"} <= asked.keys(),
        "ManyCoordinates": problem.d > 3,
        "EqualPointsWeighted": len(set(problem.X)) < len(set(zip(problem.X, problem.bounds, strict=True))),
        "VersionThree": asked["schema"] == PROBLEM_SCHEMA_3,
        "OrderLimit": own and modes is not None and not modes.is_product,
        "OrderOne": own and problem.kernel.order == 1,
        "OrderWithoutEffect": own
        and asked["schema"] == PROBLEM_SCHEMA_3
        and modes is not None
        and modes.is_product,
        "BinaryColumn": any(
            set(J.nodes) == {0, 1} for J in problem.index_measures if isinstance(J, Discrete)
        ),
    }
    if not own:
        holds |= _standard_corners(problem)
    return [flag for flag, true in holds.items() if true]


def _standard_corners(problem: Problem) -> dict[str, bool]:
    """Return the corner cases of a linear, polynomial or RBF kernel."""
    kernel, gamma = problem.kernel, getattr(problem.kernel, "gamma", fmpq(1))
    kinds, values = set(map(type, problem.under)), [len(set(column)) for column in problem.points.T]
    return {
        "LinearKernel": isinstance(kernel, Linear),
        "PolynomialKernel": isinstance(kernel, Polynomial),
        "RBFKernel": isinstance(kernel, RBF),
        "UnderEmpirical": Empirical in kinds,
        "UnderUniform": Uniform in kinds,
        "UnderNormal": Normal in kinds,
        "UnderByColumn": len(set(problem.under)) > 1,
        "SmallGamma": gamma <= fmpq(1, 10**4),
        "LargeGamma": gamma >= 1000,
        "ConstantColumn": 1 in values,
        "Coef0Zero": isinstance(kernel, Polynomial) and kernel.coef0 == 0,
        "FewValues": isinstance(kernel, Polynomial) and min(values) <= kernel.degree,
    }


def _is_far(measure: Measure, x: np.ndarray) -> bool:
    """Return whether a coordinate is so large that the values of unbounded polynomials are."""
    limit = {Hermite: 3, Laguerre: 6}.get(type(measure))
    return limit is not None and any(abs(value) > limit for value in x)


def _found(asked: JsonObject, name: str) -> list[Any]:
    """Return every value of a field in the measures of a problem."""
    given = asked.get("kernel", asked).get("measures", [])
    return [J[name] for J in (given if isinstance(given, list) else [given]) if name in J]


def _is_unusual(data: Any) -> bool:
    """Return whether a number is not a string with an integer, a fraction or a plain decimal."""
    if isinstance(data, list | dict):
        return any(map(_is_unusual, data.values() if isinstance(data, dict) else data))
    plain = isinstance(data, str) and re.fullmatch(r"-?[0-9./]+|[a-z]+", data)
    return data is not None and not plain


def _on_threshold(degree: list[ComparedValue]) -> bool:
    """Return whether F(T) = 9/10 exactly for some T; shares that are not rational do not count."""
    rational = takewhile(lambda share: isinstance(share, fmpq), degree)
    return fmpq(9, 10) in accumulate(rational)


def _caught(reference: Reference, bugs: Iterable[type[Pipeline]]) -> list[str]:
    """Return the flags of those bugs that this vector detects if a program gives all stages."""
    caught: dict[str, None] = {}
    truth = Pipeline(reference.problem, dual=reference.dual)
    for bug in bugs:
        pipe = bug(reference.problem, dual=reference.dual)
        if pipe.stage in ("coefficients", "aggregation"):
            pipe.gram, pipe.solution = truth.gram, truth.solution  # these stages are the same
        try:
            with np.errstate(all="ignore"):
                answer = answer_of(pipe, reference)
        except (OrcaError, ArithmeticError, ValueError):
            continue
        if answer is not None and crosscheck(reference, answer, diagnose=False).outcome == FAILS:
            caught[bug.flag] = None
    return list(caught)


def answer_of(pipe: Pipeline, reference: Reference) -> JsonObject | None:
    """Return the result of a program with this bug: Gram matrix, alpha, coefficients, indices.

    Return None if the bug does not apply to the problem, or is a loss of digits.
    """
    problem = reference.problem
    if pipe.needed_digits is not None or pipe.stage == "format" or not pipe.applies(Result(problem.id)):
        return None
    alpha, b = pipe.solution
    c = pipe.coefficients(alpha, b)
    okc = pipe.indices(c)

    def show(x: Any) -> str:
        return repr(float(x))

    K = np.asarray(pipe.gram, dtype=float)
    out: dict[str, Any] = {"id": problem.id, "gram": [[show(x) for x in row] for row in K]}
    out["alpha"] = [repr(to_float(to_rational(a))) for a in pipe.true_alpha(alpha)]
    if b is not None and pipe.true_b(b) != b:
        out["b"] = repr(to_float(to_rational(pipe.true_b(b))))
    if problem.kernel.modes is not None:
        out["coefficients"] = {format_mode(k): show(x) for k, x in c.items()}
    if okc is not None:
        out["okc"] = okc[0].to_json(show)
    if okc is not None and okc[0].has_degrees:
        degree = [float(x) for x in okc[0].degree]
        out["okc"]["peak"] = pipe.written_peak(min(pipe.peaks(degree)))
        out["okc"]["threshold"] = {eps: min(pipe.thresholds(degree, eps)) for eps in EPSILONS}
    return out


def build_document(progress: Callable[[str], None] = lambda text: None) -> JsonObject:
    """Make all groups and return the content of the file."""
    groups: list[JsonObject] = []
    for name in GROUPS:
        progress(name)
        groups.append(build_group(name, 1 + sum(len(group["tests"]) for group in groups)))
    return assemble(groups)


def assemble(groups: list[JsonObject]) -> JsonObject:
    """Return the content of the file with these groups."""
    used = {flag for group in groups for test in group["tests"] for flag in test["flags"]}
    notes = {
        name: {"kind": "corner", "description": text} for name, text in CORNER_CASES.items() if name in used
    }
    for bug in BUGS:
        if bug.flag in used and bug.flag not in notes:
            notes[bug.flag] = {"kind": "bug", "description": bug.means, "stage": bug.stage}
    return {
        "schema": "orca-exact/vectors/1",
        "header": [
            "Small problems with certified values: SVMs with truncated orthogonal-polynomial kernels,",
            "and with linear, polynomial and RBF kernels.",
            "Expected decimals of 20 digits are right to one unit of the last digit; shorter ones are exact.",
            "alpha is compared only if unique; any b in b_interval is right; N* is the smallest of peaks.",
        ],
        "generator": "python -m orca_exact.conformance.vectors.generate",
        "numberOfTests": sum(len(group["tests"]) for group in groups),
        "notes": notes,
        "groups": groups,
    }  # fmt: skip


def write_vectors(data: JsonObject, path: Path) -> None:
    """Write one test per line: a small file, and readable differences between versions."""
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
