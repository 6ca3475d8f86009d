"""The method stage by stage, and each stage of a foreign program recomputed from its own previous one.

``Pipeline`` is the method once more, in any arithmetic: basis, Gram, solver, coefficients, aggregation. In
balls it is the truth; a known bug (``diagnose``) is the same pipeline with one thing changed, in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import inf, log10
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..arithmetic import Arithmetic, arithmetic
from ..kernel import fold, gram, modes
from ..numbers import QQ, precision
from ..problem import Problem
from ..profile.indices import Indices
from ..profile.profile import orca
from ..svm.certificate import Solution
from ..svm.dual import best_b
from ..svm.solvers import finite, run
from .reference import DIGITS, MAX_COEFFICIENTS, ball
from .result import Result

STAGES = ("format", "basis", "Gram", "solver", "coefficients", "aggregation")
NOISE = 1e-5  # below this share of sum alpha_i sqrt(K_ii), ||w|| may be a solver's noise
SOLVED = 1.5  # digits of w that a duality gap must prove of alpha on its own or a suspected Gram matrix


@dataclass(frozen=True)
class Line:
    """One comparison. ``digits`` agree, ``attainable`` could have, ``needed`` must."""

    quantity: str
    source: str
    stage: str
    digits: float
    needed: float
    attainable: float = inf
    where: str = ""

    @property
    def passes(self) -> bool:
        return self.digits >= self.needed

    @property
    def hopeless(self) -> bool:
        """Below one digit nothing can be judged, but for a wrong shape (digits -inf)."""
        return self.needed < 1 and self.attainable < inf and self.digits > -inf

    @property
    def fails(self) -> bool:
        return not self.passes and not self.hopeless


def digits_of(error: arb) -> float:
    """-log10 of a relative error's upper bound, at most 99; -inf where there is no finite bound."""
    top = arb(error.upper())
    if not top.is_finite():
        return -inf
    return 99.0 if top <= 0 else min(99.0, -float(top.log() / arb(10).log()))


def agreement(own: Any, expected: Any, scale: Any = 1, pad: bool = False) -> tuple[float, str]:
    """Digits of agreement, -log10(max |own - expected| / scale), and where the worst one is.

    Lists, lists of lists and dicts; another shape has no digits (``pad``: what is missing counts as 0).
    """
    a, b = _flat(own), _flat(expected)
    if len(a) != len(b) or a.keys() != b.keys():
        if not pad:
            return -inf, f"{len(a)} values where {len(b)} were expected"
        a, b = ({k: part.get(k, fmpq(0)) for k in a | b} for part in (a, b))
    with precision(DIGITS):
        worst, where = arb(0), ""
        for key, x in a.items():
            size = ball(scale[key]) if isinstance(scale, dict) else ball(_plain(scale))
            error = arb((abs(x - ball(_plain(b[key]))) / size).upper())
            if not error.is_finite():
                return -inf, str(key)
            if error > worst:
                worst, where = error, str(key)
        return digits_of(worst), where


def square_sum(values: Iterable[Any]) -> arb:
    """Not by ``**``: FLINT's arb(0, r)**2 is nan."""
    balls = [ball(_plain(x)) for x in values]
    total = sum((x * x for x in balls), arb(0))
    if not total.is_finite():
        raise ArithmeticError("a sum of squares beyond any arithmetic")
    return total


def _plain(x: Any) -> Any:
    return arb(float(x)) if isinstance(x, float | np.floating | int) else x


def _flat(data: Any) -> dict:
    if isinstance(data, dict):
        return data
    if not isinstance(data, list | np.ndarray):
        return {"": data}
    if len(data) and isinstance(data[0], list | np.ndarray):
        return {(i, j): x for i, row in enumerate(data) for j, x in enumerate(row)}
    return dict(enumerate(data))


class Pipeline:
    """The method. A subclass is a bug: ``name``, the ``stage`` it sits in, and one method that differs."""

    name = stage = means = ""
    C_factor: Any = 1
    loose: float | None = None  # digits to ask for, where the bug is a loss of digits

    def __init__(self, problem: Problem, A: Arithmetic | None = None):
        self.problem, self.A = problem, A or arithmetic("float")
        self.d, self.n, self.jacobi = problem.d, problem.n, problem.jacobi
        self.setup()

    def setup(self) -> None:
        """Where a bug changes n or the parameters."""

    def applies(self, result: Result) -> bool:
        return True

    # basis

    def points(self) -> np.ndarray:
        return self.A.array(self.problem.points)

    def norms(self, values: np.ndarray) -> np.ndarray:
        """Orthonormal values (n+1, d, m); a bug may scale them by degree."""
        return values

    def keep(self, k: tuple[int, ...]) -> bool:
        return True

    @cached_property
    def modes(self) -> list[tuple[int, ...]]:
        return [k for k in modes(self.n, self.d) if self.keep(k)]

    @cached_property
    def values(self) -> np.ndarray:
        return self.jacobi.values(self.n, self.points().T, self.A)

    def _fold(self, values: np.ndarray) -> np.ndarray:
        kept = [i for i, k in enumerate(modes(self.n, self.d)) if self.keep(k)]
        return fold(np.moveaxis(values, 0, 1))[kept]

    @cached_property
    def features(self) -> np.ndarray:
        """p_k(x_i), one row per mode."""
        with self.A.scope():
            return self._fold(self.norms(self.values))

    # Gram

    @cached_property
    def gram(self) -> np.ndarray:
        with self.A.scope():
            if type(self) is Pipeline:
                return gram(self.problem, self.A)
            return self.A.matmul(self.features.T, self.features)

    # solver

    @property
    def C(self) -> float:
        return float(arb(self.problem.C)) * self.C_factor

    @cached_property
    def solution(self) -> tuple[list[fmpq], fmpq]:
        """alpha and b of this pipeline's own Gram matrix, by CVXPY: a witness."""
        alpha, b = solve_dual(
            np.asarray(self.gram, dtype=float), np.array(self.problem.y, dtype=float), self.C
        )
        return [QQ(float(x)) for x in alpha], QQ(float(b))

    # coefficients

    def signed(self, alpha: list[fmpq]) -> list[fmpq]:
        return [a * label for a, label in zip(alpha, self.problem.y, strict=True)]

    def coefficients(self, alpha: list[fmpq], b: fmpq | None) -> dict[tuple[int, ...], Any]:
        with self.A.scope():
            s = self.A.array(self.signed(alpha))
            return dict(zip(self.modes, self.A.matmul(self.features, s[:, None])[:, 0], strict=True))

    # aggregation

    def indices(self, c: dict[tuple[int, ...], Any]) -> tuple[Indices[arb], arb] | None:
        """Every index from c_k, and ||h||^2; None where they are 0/0, or w cannot be told from 0."""
        with precision(DIGITS):
            squares = {k: square_sum([x]) for k, x in c.items()}
            total = sum(squares.values(), arb(0))
            if not total > 0:
                return None
            shares = {k: x / total for k, x in squares.items()}
            return self.present(Indices.of_modes(shares, self.n, self.d, arb(0))), total

    def present(self, okc: Indices[arb]) -> Indices[arb]:
        """Where a bug writes down something else than it computed."""
        return okc

    def peaks(self, degree: list[Any]) -> set[int]:
        """Degrees that may be called N*: the largest, rounding apart."""
        numbers = [float(x) for x in degree]
        return {N for N, x in enumerate(numbers) if x >= max(numbers) * (1 - 1e-12)}

    def reaches(self, F: Any, level: Any) -> bool:
        return level <= F

    def thresholds(self, degree: list[Any], eps: str, slack: float = 0.0) -> set[int]:
        """T_eps of these very numbers, summed exactly and in float64; ``slack``: how far print rounds F."""
        exact = list(accumulate(QQ(float(x)) if isinstance(x, arb | float) else x for x in degree))
        rough = list(accumulate(float(arb(x)) for x in degree))
        cases = [(exact, 1 - QQ(eps)), (rough, 1 - float(eps))]
        cases += [(rough, 1 - float(eps) + sign * slack) for sign in (1, -1) if slack]
        first = lambda F, level: next((T for T, x in enumerate(F) if self.reaches(x, level)), len(F) - 1)  # noqa: E731
        return {self.shown(first(F, level)) for F, level in cases}

    def shown(self, T: int) -> int:
        return T

    def shown_peak(self, N: int) -> int:
        return N


def solve_dual(K: np.ndarray, y: np.ndarray, C: float) -> tuple[np.ndarray, float]:
    """A witness for any Gram matrix: Clarabel on the scaled dual; b from the best kink."""
    import cvxpy as cp

    D = np.sqrt(np.maximum(np.diag(K), 1e-300))
    values, vectors = np.linalg.eigh(K * np.outer(y / D, y / D))
    keep = values > max(values[-1], 0) * 1e-15
    factor = np.sqrt(values[keep])[:, None] * vectors[:, keep].T
    z = cp.Variable(len(y))
    objective = cp.Minimize((cp.sum_squares(factor @ z) if keep.any() else 0) / 2 - (1 / D) @ z)
    run(cp.Problem(objective, [z >= 0, z <= C * D, (y / D) @ z == 0]), "CLARABEL")
    alpha = np.clip(finite(z.value, "CLARABEL") / D, 0, C)
    low, high = best_b(list(K @ (y * alpha)), tuple(int(label) for label in y))
    return alpha, (low + high) / 2


@np.errstate(all="ignore")  # what overflows has no digits
def gap_digits(K: Any, y: Any, C: float, alpha: list[fmpq], off: float = 1e-6) -> float:
    """Digits of w that the duality gap of alpha proves on this Gram matrix (float64: a witness).

    ``off``: how far, relatively, alpha may miss its constraints.
    """
    K, y = (
        np.array([[float(arb(x)) if isinstance(x, fmpq) else float(x) for x in row] for row in K]),
        np.array(y),
    )
    a = np.array([float(arb(x)) for x in alpha])
    if (
        K.shape != (len(y), len(y))
        or len(a) != len(y)
        or not np.isfinite(K).all()
        or not np.isfinite(a).all()
    ):
        return -inf
    outside = max(0.0, float(-a.min()), float(a.max() - C)) / C
    if not (outside <= off and abs(y @ a) <= off * (a.sum() + 1e-300)):
        return 0.0
    s, a = y * np.clip(a, 0, C), np.clip(a, 0, C)
    f = K @ s
    low, high = best_b(list(f), tuple(int(label) for label in y))
    xi = np.maximum(0, 1 - y * (f + (low + high) / 2))
    gap, norm = s @ f + C * xi.sum() - a.sum(), s @ f
    scale = norm if norm > 1e-14 * a.sum() else a.sum()
    if not (0 < scale < inf and abs(gap) < inf):
        return 0.0
    return -log10(max(abs(gap) / scale, 1e-30)) / 2


# The stages, each from the program's own previous one.

Needs = Callable[[str], tuple[float, float]]


def stages(problem: Problem, result: Result, pipe: Pipeline, needs: Needs, solve: bool = False) -> list[Line]:
    """``needs(kind)`` -> (needed, attainable). ``solve``: where no alpha was given, the pipeline's own."""
    bug, lines = type(pipe) is not Pipeline, []
    small = problem.modes <= MAX_COEFFICIENTS

    def line(quantity: str, source: str, stage: str, own: Any, expected: Any, scale: Any, kind: str) -> None:
        digits, where = agreement(own, expected, scale, pad=bug)
        needed, attainable = needs(kind)
        needed = needed if pipe.loose is None else min(needed, pipe.loose)
        lines.append(Line(quantity, source, stage, digits, needed, attainable, where))

    if result.gram is not None and len({len(row) for row in result.gram} | {problem.m}) == 1:
        with precision(DIGITS):
            diagonal = [ball(_plain(pipe.gram[i][i])).sqrt() for i in range(problem.m)]
            scale = {(i, j): p * q for i, p in enumerate(diagonal) for j, q in enumerate(diagonal)}
        line("gram", "the points", "Gram", result.gram, pipe.gram, scale, "gram")
    elif result.gram is not None:
        lines.append(Line("gram", "the points", "Gram", -inf, 0, inf, "not an m x m matrix"))
    alpha, b = result.alpha, result.b
    if alpha is not None and len(alpha) != problem.m:
        lines.append(Line("alpha", "its length", "solver", -inf, 0, inf, f"{len(alpha)} values"))
        return lines
    wrong_gram = any(not x.passes for x in lines)
    if alpha is not None and (bug or wrong_gram):  # a right Gram matrix has a sharper test: the optimum
        K, source = (result.gram, "its own Gram") if result.gram is not None else (pipe.gram, "this Gram")
        off, needed = (
            (1e-6, SOLVED) if pipe.loose is None else (10.0**-pipe.loose, min(SOLVED, pipe.loose / 2))
        )
        lines.append(Line("alpha", source, "solver", gap_digits(K, problem.y, pipe.C, alpha, off), needed))
    if solve and alpha is None:
        alpha, b = pipe.solution[0], b if b is not None else pipe.solution[1]
    if not small:
        return lines + _large(problem, result, line)
    c, own = None, "its own alpha" if result.alpha is not None else "this solution"
    if alpha is not None:
        c = pipe.coefficients(alpha, b)
    if result.coefficients is not None:
        if c is not None:
            norm = _size(pipe, c, alpha or [])
            own_c = {k: result.coefficients.get(k, fmpq(0)) for k in c} | result.coefficients
            line("coefficients", own, "coefficients", own_c, c, norm, "coefficients")
        c, own = result.coefficients, "its own coefficients"
        if any(len(k) != problem.d for k in c):
            lines.append(Line("coefficients", "their keys", "coefficients", -inf, 0, inf, "wrong length"))
            return lines
    if c is not None:
        lines += _aggregation(result, pipe, c, own, line)
    return lines + _summaries(result, pipe)


def _size(pipe: Pipeline, c: dict, alpha: list[fmpq]) -> arb:
    """||w||, or sum alpha_i sqrt(K_ii) where w is nothing but the rounding of that sum."""
    with precision(DIGITS):
        norm = square_sum(c.values())
        spread = sum((abs(a) * ball(_plain(pipe.gram[i][i])).sqrt() for i, a in enumerate(alpha)), arb(0))
        if norm > NOISE * spread * NOISE * spread:
            return norm.sqrt()
        return spread if spread > 0 else arb(1)


def _aggregation(result: Result, pipe: Pipeline, c: dict, own: str, line: Any) -> list[Line]:
    expected = pipe.indices(c)
    kind = "squares" if own == "its own coefficients" else "okc"
    if expected is None and not result.okc:
        return []
    if expected is None and not all(ball(_plain(x)).is_zero() for x in c.values()):  # balls around 0
        return [Line("okc", own, "aggregation", 0, 0.5, 0, "w cannot be told from 0")]
    if expected is None:
        return [Line("okc", own, "aggregation", -inf, 0, inf, "given, but w = 0")]
    indices, norm2 = expected
    if result.norm2 is not None:
        line("norm2", own, "aggregation", result.norm2, norm2, norm2, kind)
    for name, family in (result.okc.table if result.okc else {}).items():
        line(f"okc.{name}", own, "aggregation", family, indices.family(name), 1, kind)
    return []


def _summaries(result: Result, pipe: Pipeline) -> list[Line]:
    """N* and T_eps from the program's own degree spectrum."""
    if result.okc is None or not result.okc.table.get("degree"):
        return []
    degree, stated, out = result.okc.degree, result.okc.stated, []
    if isinstance(stated.peak, int):
        fine = stated.peak in {pipe.shown_peak(N) for N in pipe.peaks(degree)}
        out.append(
            Line("okc.peak", "its own degrees", "aggregation", 99 if fine else -inf, 0, inf, str(stated.peak))
        )
    digits = result.written_digits
    slack = 0.0 if digits >= 16 else 10.0 ** (1 - digits)
    for eps, T in stated.threshold.items():
        if isinstance(T, int):
            fine = T in pipe.thresholds(degree, eps, slack)
            where = f"T_{eps} = {T}"
            out.append(
                Line("okc.threshold", "its own degrees", "aggregation", 99 if fine else -inf, 0, inf, where)
            )
    return out


def _large(problem: Problem, result: Result, line: Any) -> list[Line]:
    """Too many modes to enumerate: the indices of its own alpha by the generating function, in balls."""
    if result.alpha is None or not result.okc or not any(result.alpha):
        return []
    profile = orca(problem, Solution(problem, tuple(result.alpha)), "ball", 30)
    for name, family in result.okc.table.items():
        line(f"okc.{name}", "its own alpha", "aggregation", family, profile.family(name), 1, "okc")
    return []
