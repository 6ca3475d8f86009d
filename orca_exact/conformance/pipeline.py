"""The method in any arithmetic, stage by stage: basis, Gram matrix, solver, coefficients, indices.

In ball arithmetic it gives the correct values; a known bug (see ``bugs``) is a subclass that changes one
thing and runs in float64. For orthogonal polynomials everything follows from the values of the modes. For
other kernels a bug changes the problem (``understood``), and the profile of the changed problem is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, product
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..errors import Undecided, ZeroClassifier
from ..kernels.modes import Modes
from ..kernels.orthogonal import OrthogonalPolynomials
from ..measures.measure import Measure
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..numbers.rationals import QQ, precision_digits, to_float
from ..problem import Problem
from ..profile.index import Mode
from ..profile.indices import INDICES, Indices
from ..profile.profile import orca
from ..svm.certificate import Solution
from ..svm.dual import best_b, positive_sizes
from ..svm.gram import design_matrix, gram
from ..svm.solvers import require_finite, run_solver
from .comparison import COMPARISON_DIGITS, ComparedNumber, sum_of_squares, to_ball, to_rational
from .reference import MAX_COEFFICIENTS
from .result import Result, ResultNumber

ZERO = fmpq(0)
_MAX_SETS = 64  # sets of columns that are listed, if there are no modes
_PlainIndices = tuple[Indices[arb] | None, dict[Mode, arb], arb]
STAGES = ("format", "basis", "Gram", "solver", "coefficients", "aggregation")


class Pipeline:
    """The correct method; a subclass is a known bug.

    A bug has a ``name`` and an explanation ``means`` for reports, the ``stage`` at fault, and the ``flag`` of
    the conformance vectors that detect it. Flags are published with the vectors and do not
    change; names may. Vectors whose problem format is older than ``since`` do not have the flag.
    """

    name = flag = stage = means = ""
    since = 1  # the version of the problem format with which the bug was added
    kernels: tuple[str, ...] | None = None  # the families of kernels that can have the bug; None: all
    counts_constant = False  # whether the constant part counts although the kernel has no measure of its own
    needed_digits: float | None = None  # digits needed, if the bug is a loss of digits
    needed_digits_kinds: tuple[str, ...] | None = (
        None  # kinds of quantities for which ``loose`` holds; None: all
    )

    def __init__(
        self,
        problem: Problem,
        A: Arithmetic | None = None,
        dual: Sequence[fmpq] | None = None,
        correct: Pipeline | None = None,
    ):
        """Prepare the stages; a bug that keeps the kernel takes its values from ``correct``."""
        self.problem, self.A, self.dual = problem, A or arithmetic("float"), dual
        self._plain: tuple[Mapping[Mode, ComparedNumber], _PlainIndices] | None = None
        self.computed = correct if correct is not None and self.keeps_kernel() else None
        self.d, self.measures = problem.d, problem.index_measures
        self.is_orthogonal = isinstance(problem.kernel, OrthogonalPolynomials)
        if self.is_orthogonal:
            self.degrees = problem.degrees
            self.order = problem.polynomials.modes.order  # the highest number of active coordinates
        self.bounds: Sequence[fmpq] = problem.bounds  # 0 <= alpha_i <= C_i
        self.setup()

    @property
    def is_bug(self) -> bool:
        """Whether this is a subclass, if only one that changes the arithmetic."""
        return type(self) is not Pipeline

    def setup(self) -> None:
        """Change the degrees, the measures or the bounds, if the bug is in these."""

    @classmethod
    def concerns(cls, problem: Problem) -> bool:
        """Return whether the kernel of a problem can have the bug."""
        return cls.kernels is None or problem.kernel.family in cls.kernels

    @classmethod
    def changes_parts(cls) -> bool:
        """Return whether the bug is in the parts of h or their sums, so that the parts must be listed."""
        names = ("signed", "coefficients", "squares", "indices", "written_indices")
        return cls.counts_constant or any(getattr(cls, name) is not getattr(Pipeline, name) for name in names)

    @classmethod
    def keeps_kernel(cls) -> bool:
        """Return whether the values p_k(x_il) and the Gram matrix are those of the correct pipeline."""
        names = ("setup", "points", "scale_values", "has_mode", "gram", "understood")
        return all(getattr(cls, name) is getattr(Pipeline, name) for name in names)

    def applies(self, result: Result) -> bool:
        """Return whether a program that wrote this result may have the bug."""
        return True

    def understood(self) -> Problem:
        """Return the problem as a program with this bug understands it, if the kernel is not orthogonal."""
        return self.problem

    @cached_property
    def model(self) -> Problem:
        """The problem of ``understood``."""
        return self.understood()

    @property
    def parts(self) -> int | float:
        """Number of the parts of h that ``coefficients`` lists: modes, or sets of columns."""
        modes = self.problem.kernel.modes
        return 2.0**self.d if modes is None else modes.count

    @property
    def lists_parts(self) -> bool:
        """Whether the parts are few enough to be listed."""
        return self.parts <= (MAX_COEFFICIENTS if self.problem.kernel.modes is not None else _MAX_SETS)

    # basis

    def points(self) -> np.ndarray:
        """Return the points, rescaled if the problem asks for it."""
        return self.A.array(self.problem.points)

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        """Return the values p_k(x_il) of a coordinate, shape (n+1, m); a bug may scale them by degree."""
        return values

    def has_mode(self, k: Mode) -> bool:
        """Return whether the kernel sums this mode."""
        return True

    @cached_property
    def modes(self) -> list[Mode]:
        """Modes that the kernel sums."""
        return [k for k in Modes(self.degrees, self.order) if self.has_mode(k)]

    @cached_property
    def values(self) -> list[np.ndarray]:
        """Values p_k(x_il) for each coordinate, shape (n+1, m)."""
        columns = zip(self.measures, self.degrees, self.points().T, strict=True)
        return [measure.values(degree, x, self.A) for measure, degree, x in columns]

    @cached_property
    def features(self) -> np.ndarray:
        """Values p_k(x_i), one row for each mode."""
        if self.computed is not None:
            return self.computed.features
        if not self.is_bug:
            return design_matrix(self.problem, self.A).T
        modes = Modes(self.degrees, self.order)
        kept = [i for i, k in enumerate(modes) if self.has_mode(k)]
        with self.A.scope():
            columns = [self.scale_values(*pair) for pair in zip(self.values, self.measures, strict=True)]
            found: np.ndarray = modes.products(columns)[kept]
            return found

    # Gram

    @cached_property
    def gram(self) -> np.ndarray:
        """Gram matrix K_n^(d)(x_i, x_j)."""
        if self.computed is not None:
            return self.computed.gram
        with self.A.scope():
            if not (self.is_bug and self.is_orthogonal):
                return gram(self.model, self.A)
            return self.A.matmul(self.features.T, self.features)

    @cached_property
    def sizes(self) -> list[arb]:
        """The numbers sqrt(K_ii); for a point at which K_ii is not positive, that of the largest K_jj."""
        if self.computed is not None:
            return self.computed.sizes
        with precision_digits(COMPARISON_DIGITS):
            diagonal = [to_ball(self.gram[i][i]) for i in range(self.problem.m)]
            largest = max(diagonal, key=float)
            return [(x if x > largest * arb(2) ** -40 else largest).sqrt() for x in diagonal]

    # solver

    @cached_property
    def solution(self) -> tuple[Sequence[fmpq], fmpq | None]:
        """Dual variables and b: the given ones, or a float64 solution for this pipeline's Gram matrix."""
        if self.dual is not None:
            return self.dual, None
        alpha, b = solve_dual(np.asarray(self.gram, dtype=float), self.problem.y, self.bounds)
        return [QQ(float(x)) for x in alpha], QQ(float(b))

    def optimal_b(self, f: list[float]) -> tuple[float, float]:
        """Return the interval of the optimal b for f(x_i) = g(x_i) - b."""
        return best_b(f, self.problem.y, self.bounds)

    def true_alpha(self, alpha: Sequence[ResultNumber]) -> Sequence[ResultNumber]:
        """Convert the alpha that a program writes to the true one, and the reverse."""
        return alpha

    def true_b(self, b: ResultNumber) -> ResultNumber:
        """Convert the b that a program writes to the true one, and the reverse."""
        return b

    # coefficients

    def signed(self, alpha: Sequence[ResultNumber]) -> Sequence[ResultNumber]:
        """Return s_i = alpha_i y_i."""
        return [a * label for a, label in zip(alpha, self.problem.y, strict=True)]

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        """Return c_k = sum_i s_i p_k(x_i).

        For other kernels they are the coefficients in the orthonormal polynomials of the measures of the
        indices or, if there are no modes, the squared norm of the part of each set of columns.
        """
        if not self.is_orthogonal:
            return self._parts(alpha)
        with self.A.scope():
            s = self.A.elements(to_ball(x) for x in self.signed(alpha))
            return dict(zip(self.modes, self.A.matmul(self.features, s[:, None])[:, 0], strict=True))

    def _parts(self, alpha: Sequence[ResultNumber]) -> dict[Mode, arb | float]:
        """Return the parts of h for a kernel that is not one of orthogonal polynomials; none if h = 0."""
        pairs = zip(self.signed(alpha), self.problem.y, strict=True)
        solution = Solution(self.model, tuple(to_rational(x) * label for x, label in pairs))
        try:
            profile = orca(self.model, solution, self.A.name, COMPARISON_DIGITS)
        except ZeroClassifier:
            return {}
        except Undecided:
            if self.A.encloses and _is_zero(solution):
                return {}
            raise
        if self.model.kernel.modes is not None:
            return profile.coefficients()
        constant, *sets = product((0, 1), repeat=self.d)
        with profile.arithmetic.scope():
            mean = profile.generating.support.t.sum()
            sums = profile.sums.subsets([[i for i, active in enumerate(k, 1) if active] for k in sets])
            return dict(zip((constant, *sets), (mean * mean, *sums), strict=True))

    def form(self, alpha: Sequence[ResultNumber]) -> arb:
        """Return ||h||^2 = s^T K s."""
        with precision_digits(COMPARISON_DIGITS):
            s = [to_ball(x) for x in self.signed(alpha)]
            scores = [sum((to_ball(k) * x for k, x in zip(row, s, strict=True)), arb(0)) for row in self.gram]
            return sum((x * f for x, f in zip(s, scores, strict=True)), arb(0))

    # aggregation

    def squares(self, c: Mapping[Mode, ComparedNumber]) -> dict[Mode, arb]:
        """Return the square of each coefficient that counts; the variances if there are no modes."""
        constant = self.is_orthogonal or self.counts_constant
        counted = {k: x for k, x in c.items() if constant or any(k)}
        if self.problem.kernel.modes is None:
            return {k: to_ball(x) for k, x in counted.items()}
        return {k: sum_of_squares([x]) for k, x in counted.items()}

    def indices(self, c: Mapping[Mode, ComparedNumber]) -> tuple[Indices[arb], arb] | None:
        """Return all indices and the sum of the c_k^2; None if that is not proved to be positive.

        The sum is ||h||^2 for orthogonal polynomials, and the variance of h for other kernels.
        """
        with precision_digits(COMPARISON_DIGITS):
            okc, shares, total = self._plain_indices(c)
            return None if okc is None else (self.written_indices(okc, shares), total)

    def _plain_indices(self, c: Mapping[Mode, ComparedNumber]) -> _PlainIndices:
        """Return the indices before a bug changes them, the share of each mode, and the sum of the c_k^2."""
        own = type(self)
        if self.computed and own.squares is Pipeline.squares and not own.counts_constant:
            return self.computed._plain_indices(c)
        if self._plain is None or self._plain[0] is not c:  # many bugs have the same coefficients
            self._plain = c, self._sum_squares(c)
        return self._plain[1]

    def _sum_squares(self, c: Mapping[Mode, ComparedNumber]) -> _PlainIndices:
        squares = self.squares(c)
        total = sum(squares.values(), arb(0))
        if not total > 0:
            return None, {}, total
        shares = {k: x / total for k, x in squares.items()}
        top = sum(self.degrees) if self.is_orthogonal else self.model.kernel.top_degree
        okc = Indices.from_modes(shares, top or 0, self.d, arb(0))
        if top is None:
            okc = Indices({name: x for name, x in okc.table.items() if not INDICES[name].by_degree})
        return okc, shares, total

    def written_indices(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        """Return the indices as the program writes them; a bug may change them."""
        return okc

    def peaks(self, degree: list[Any], slack: fmpq = ZERO) -> set[int]:
        """Return the possible N* of these shares, the smallest degree that attains the maximum.

        ``slack`` is the largest error of a share.
        """
        shares = [to_rational(x) for x in degree]
        top = max(shares)
        return {shares.index(top)} | {N for N, x in enumerate(shares) if slack and x >= top - slack}

    def reaches(self, F: Any, level: Any) -> bool:
        """Return whether F(T) reaches the level 1 - eps."""
        return bool(level <= F)

    def thresholds(self, degree: list[Any], eps: str, slack: fmpq = ZERO) -> set[int]:
        """Return the possible T_eps of these shares.

        F is summed exactly, in float64, and exactly with one rounding at the end (as R does). ``slack`` is
        the largest error of the exact F, which makes every T possible between those of the two ends.
        """
        exact, level = list(accumulate(map(to_rational, degree))), 1 - QQ(eps)
        rough = list(accumulate(to_float(to_rational(x)) for x in degree))
        cases: list[tuple[list[Any], Any]] = [(exact, level)]
        cases += [(F, 1 - float(eps)) for F in (rough, list(map(to_float, exact)))]

        def first(F: list[Any], level: Any) -> int:
            return next((T for T, x in enumerate(F) if self.reaches(x, level)), len(F) - 1)

        found = {first(F, level) for F, level in cases}
        if slack:
            found |= set(range(first(exact, level - slack), first(exact, level + slack) + 1))
        return set(map(self.written_threshold, found))

    def written_threshold(self, T: int) -> int:
        """Return T_eps as the program writes it."""
        return T

    def written_peak(self, N: int) -> int:
        """Return N* as the program writes it."""
        return N


def _is_zero(solution: Solution) -> bool:
    """Return whether h is exactly constant, or 0, for given dual variables."""
    problem = solution.problem
    if problem.kernel.rational:
        try:
            orca(problem, solution, "exact")
        except ZeroClassifier:
            return True
        return False
    sums: dict[Any, fmpq] = {}  # distinct points are independent
    for x, a, label in zip(problem.X, solution.alpha, problem.y, strict=True):
        sums[x] = sums.get(x, ZERO) + a * label
    return not any(sums.values())


def solve_dual(K: np.ndarray, labels: Sequence[int], bounds: Sequence[fmpq]) -> tuple[np.ndarray, float]:
    """Solve the dual for any Gram matrix in float64.

    Clarabel solves the dual scaled to a unit diagonal; b is the middle of its optimal interval.
    """
    import cvxpy as cp

    y, C = np.array(labels, dtype=float), np.array([to_float(bound) for bound in bounds])
    D = np.sqrt(positive_sizes(np.diag(K)))
    values, vectors = np.linalg.eigh(K * np.outer(y / D, y / D))
    keep = values > max(values[-1], 0) * 1e-15
    factor = np.sqrt(values[keep])[:, None] * vectors[:, keep].T
    z = cp.Variable(len(y))
    objective = cp.Minimize((cp.sum_squares(factor @ z) if keep.any() else 0) / 2 - (1 / D) @ z)  # type: ignore[attr-defined]
    run_solver(cp.Problem(objective, [z >= 0, z <= C * D, (y / D) @ z == 0]), "CLARABEL")
    alpha = np.clip(require_finite(z.value, "CLARABEL") / D, 0, C)
    low, high = best_b(list(K @ (y * alpha)), labels, bounds)
    return alpha, (low + high) / 2
