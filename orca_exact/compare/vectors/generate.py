"""Make the conformance vectors: ``python -m orca_exact.compare.vectors.generate``.

Deterministic: one seed per group, only ``Random.random`` (the stream Python promises to keep), and exact
certificates, so that every digit is the problem's own. The flags that name bugs are found by trying each bug.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ... import formats
from ...errors import OrcaError
from ...number import QQ, decimal, real
from ...outcomes import FAILS
from ...problem import Problem
from ...profile.indices import EPSILONS
from ..agreement import Value, middle
from ..bugs import BUGS
from ..crosscheck import crosscheck
from ..making import aggregate, make
from ..pipeline import Pipeline
from ..reference import Reference, plain
from ..result import Result, key_of
from . import DIGITS, FILE, reference_of

Case = tuple[str, Problem, list | None]  # comment, problem, given dual variables
FAMILIES = [
    (0, 0),
    ("1/2", "0"),
    ("2", "0"),
    ("4.3", "1.8"),
    ("-1/2", "1/2"),
    ("-0.9", "3"),
    ("1/3", "5/4"),
    ("0", "1"),
]
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
}


def below(random: Random, n: int) -> int:
    """One of 0 ... n-1."""
    return int(random.random() * n)


def point(random: Random, d: int, steps: int = 64) -> list[str]:
    """Dyadic coordinates inside (-1, 1): the same number in every arithmetic."""
    return [str((2 * below(random, steps) + 1 - steps) / steps) for _ in range(d)]


def labels(random: Random, m: int) -> list[int]:
    """Labels of both classes."""
    y = [1 if random.random() < 0.5 else -1 for _ in range(m)]
    return [*y[:-2], 1, -1]


def draw(random: Random, family: tuple, **fixed: Any) -> Problem:
    """A random problem; whatever is in ``fixed`` is not random."""
    d = fixed.pop("d", None) or 1 + below(random, 3)
    n = fixed.pop("n", None) or 1 + below(random, 4 if d < 3 else 3)
    m = fixed.pop("m", None) or 4 + below(random, 5)
    C = fixed.pop("C", None) or ("1", "10", "0.25")[below(random, 3)]
    X = fixed.pop("X", None) or [point(random, d) for _ in range(m)]
    y = fixed.pop("y", None) or labels(random, len(X))
    alpha, beta = family
    return Problem(X, y, n, alpha, beta, C=C, **fixed)


def from_seed(seed: int, count: int, make_one: Callable[[Random, int], Problem]) -> Iterator[Case]:
    """Problems made one after the other."""
    random = Random(seed)
    for i in range(count):
        yield "", make_one(random, i), None


def duplicated(random: Random, i: int) -> Problem:
    """One point twice, with the same label or the other."""
    d = 1 + i % 3
    X = [point(random, d) for _ in range(4)]
    y = labels(random, 4)
    again = i % 4
    return draw(random, FAMILIES[i % 8], d=d, X=[*X, X[again]], y=[*y, y[again] if i % 3 else -y[again]])


def endpoints(random: Random, i: int) -> Problem:
    """Coordinates 1 and -1."""
    problem = draw(random, FAMILIES[i % 8])
    X = [list(map(str, row)) for row in problem.X]
    X[0][0], X[1][-1] = "1", "-1"
    return problem.with_(X=X)


def rescaled(random: Random, i: int) -> Problem:
    """Columns of different ranges outside [-1, 1]."""
    d, m = 1 + i % 3, 5 + below(random, 4)
    X = [[str(1 + 10 * j + below(random, 900) / 8) for j in range(d)] for _ in range(m)]
    return draw(random, FAMILIES[(i + 3) % 8], d=d, X=X, y=labels(random, m), rescale=True)


def two_points(sigma: str, count: int) -> Iterator[Case]:
    """Chebyshev, n = 2, points x and sigma - x: OKC_2/OKC_1 = 4 sigma^2, for any C."""
    for i in range(count):
        family = (("-1/2", "-1/2"), ("1/2", "1/2"))[i % 2]
        x = QQ("5/8") + QQ(f"{i}/32")
        X = [[str(x)], [str(QQ(sigma) - x)]]
        C = ("1", "100", "1/8")[i % 3]
        yield f"OKC_2/OKC_1 = 4*({sigma})^2", Problem(X, [1, -1], 2, *family, C=C), None


def given(count: int, seed: int, n: int | None = None) -> Iterator[Case]:
    """Dual variables that are nobody's optimum."""
    random = Random(seed)
    for i in range(count):
        problem = draw(random, FAMILIES[i % 8])
        problem = problem if n is None else problem.with_(n=n)
        yield "", problem, [str(below(random, 17) / 16) for _ in range(problem.m)]


def given_tie(count: int) -> Iterator[Case]:
    """d = 2, n = 1, Chebyshev: S_00 = t S_11 and S_10 = S_01 = 0, so OKC_0 : OKC_2 = t^2 : 4."""
    for i in range(count):
        t, name = ((6, "F(0) = 9/10"), (2, "OKC_0 = OKC_2"))[i % 2]
        family, half = ("-1/2", "-1/2"), ("1/2", "1/4", "1/8")[i // 2 % 3]
        X = [[half, half], [f"-{half}", f"-{half}"], [half, f"-{half}"], [f"-{half}", half]]
        # S_00 = 2 (p - q), S_11 = 2 half^2 (p + q) with labels +, +, -, -
        r = {"1/2": 4, "1/4": 16, "1/8": 64}[half]  # (p - q) r = t (p + q)
        p, q = (r + t, r - t) if r > t else (r + t, 0)
        if r <= t:
            continue
        yield name, Problem(X, [1, 1, -1, -1], 1, *family), [str(p)] * 2 + [str(q)] * 2


LEGENDRE, CHEBYSHEV = (0, 0), ("-1/2", "-1/2")
MINUS_ONE = [CHEBYSHEV, ("-1/4", "-3/4"), ("-1/3", "-2/3"), ("-4/5", "-1/5")]
GROUPS: dict[str, Callable[[], Iterator[Case]]] = {
    "legendre": lambda: from_seed(1, 40, lambda r, i: draw(r, LEGENDRE)),
    "jacobi": lambda: from_seed(2, 56, lambda r, i: draw(r, FAMILIES[i % 8])),
    "alpha + beta = -1": lambda: from_seed(3, 24, lambda r, i: draw(r, MINUS_ONE[i % 4])),
    "endpoints": lambda: from_seed(4, 20, endpoints),
    "n = 0": lambda: from_seed(5, 4, lambda r, i: draw(r, FAMILIES[i]).with_(n=0)),
    "n = 1": lambda: from_seed(6, 14, lambda r, i: draw(r, FAMILIES[i % 8], n=1)),
    "d = 1": lambda: from_seed(7, 16, lambda r, i: draw(r, FAMILIES[i % 8], d=1)),
    "three coordinates": lambda: from_seed(8, 16, lambda r, i: draw(r, FAMILIES[i % 8], d=3, n=2)),
    "duplicated points": lambda: from_seed(9, 18, duplicated),
    "more points than modes": lambda: from_seed(10, 10, lambda r, i: draw(r, FAMILIES[i % 8], d=1, n=2, m=8)),
    "hard margin": lambda: from_seed(11, 14, lambda r, i: draw(r, FAMILIES[i % 8], n=4, m=5, C="1e6")),
    "all at bound": lambda: from_seed(
        12, 14, lambda r, i: draw(r, FAMILIES[i % 8], m=4, y=[1, -1, 1, -1], C="1e-4")
    ),
    "rescaling": lambda: from_seed(13, 24, rescaled),
    "tie in N*": lambda: two_points("1/2", 8),
    "T_eps on the threshold": lambda: two_points("1/6", 12),
    "given dual variables": lambda: given(24, 14),
    "given dual variables, n = 0": lambda: given(4, 15, n=0),
    "given dual variables, ties": lambda: given_tie(6),
}  # fmt: skip


ABOUT_ZERO = ("n = 0", "given dual variables, n = 0", "more points than modes")


def build(name: str, first: int = 1, limit: int | None = None) -> dict:
    """One group; without problems that float64 cannot judge (condition above 10^6), and w = 0 only where
    the group is about it."""
    tests: list[dict] = []
    for comment, problem, dual in GROUPS[name]():
        if len(tests) == limit:
            break
        number = first + len(tests)
        problem = problem.with_(id=f"v{number:03d}")
        reference = make(problem) if dual is None else aggregate(problem, dual)
        if reference.condition["w"] <= 1e6 and (reference.okc is not None or name in ABOUT_ZERO):
            tests.append(_test(number, comment, reference, dual))
    aggregation = "dual" in tests[0]["problem"]
    return {"name": name, "type": "aggregation" if aggregation else "pipeline", "tests": tests}


def _test(number: int, comment: str, reference: Reference, dual: list | None) -> dict:
    problem = reference.problem
    test: dict[str, Any] = {"tcId": number, "flags": [], "problem": problem.to_json()}
    if comment:
        test["comment"] = comment
    if dual is not None:
        test["problem"]["dual"] = [str(x) for x in dual]
    test["expected"] = {k: x for k, x in plain(reference, DIGITS).items() if k not in ("schema", "id")}
    test |= {"condition": reference.data["condition"], "alpha_unique": reference.alpha_unique}
    if reference.b is not None and reference.b[0] is not reference.b[1]:
        test["b_interval"] = [decimal(end, DIGITS, False) for end in reference.b]
    if reference.okc is not None:
        test["peaks"] = reference.peaks
    test["flags"] = _corners(problem, reference, dual) + _caught(reference_of(test))
    return test


def _corners(problem: Problem, reference: Reference, dual: list | None) -> list[str]:
    about = reference.data["certificate"]
    holds = {
        "AlphaPlusBetaMinusOne": problem.alpha + problem.beta == -1,
        "Endpoint": any(abs(x) == 1 for x in problem.points.flat),
        "NZero": problem.n == 0,
        "NOne": problem.n == 1,
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
    }
    return [flag for flag, true in holds.items() if true]


def _on_threshold(degree: list[Value]) -> bool:
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
        except (OrcaError, ArithmeticError, ValueError, NotImplementedError):
            continue
        if answer is not None and crosscheck(reference, answer, diagnose=False).outcome == FAILS:
            caught[flag(bug)] = None
    return list(caught)


def flag(bug: type[Pipeline]) -> str:
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
    out["alpha"] = [repr(real(middle(a))) for a in pipe.meant(alpha)]
    if b is not None and pipe.meant_b(b) != b:
        out["b"] = repr(real(middle(pipe.meant_b(b))))
    out["coefficients"] = {key_of(k): show(x) for k, x in c.items()}
    if okc is not None:
        degree = [float(x) for x in okc[0].degree]
        out["okc"] = okc[0].to_json(show)
        out["okc"]["peak"] = pipe.shown_peak(min(pipe.peaks(degree)))
        out["okc"]["threshold"] = {eps: min(pipe.thresholds(degree, eps)) for eps in EPSILONS}
    return out


def document(say: Callable[[str], None] = lambda text: None) -> dict:
    """The file, every group made anew."""
    groups: list[dict] = []
    for name in GROUPS:
        say(name)
        groups.append(build(name, 1 + sum(len(group["tests"]) for group in groups)))
    used = {flag for group in groups for test in group["tests"] for flag in test["flags"]}
    notes = {name: {"kind": "corner", "description": text} for name, text in CORNERS.items() if name in used}
    for bug in BUGS:
        if flag(bug) in used and flag(bug) not in notes:
            notes[flag(bug)] = {"kind": "bug", "description": bug.means, "stage": bug.stage}
    return {
        "schema": "orca-exact/vectors/1",
        "header": [
            "Small problems with certified answers: SVMs on truncated orthogonal-polynomial kernels.",
            "Expected decimals have 20 digits, each right to a unit of its last; shorter ones are exact.",
            "alpha is compared only where unique; any b of b_interval is right; N* is the smallest of peaks.",
        ],
        "generator": "python -m orca_exact.compare.vectors.generate",
        "numberOfTests": sum(len(group["tests"]) for group in groups),
        "notes": notes,
        "groups": groups,
    }  # fmt: skip


def write(data: dict, path: Path) -> None:
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
    write(document(lambda text: print(text, file=sys.stderr)), Path(__file__).with_name(FILE))
