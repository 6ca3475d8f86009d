"""Known bugs, each the true pipeline with one thing changed, and the one that explains a program's numbers.

A bug's docstring says what it means, as a report prints it.

A bug is likely where its pipeline, stage by stage from the program's own numbers, passes every comparison
that the true pipeline does not. Bugs are witnesses in float64; only the true pipeline judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from flint import arb

from ..arithmetic import arithmetic
from ..errors import OrcaError
from ..jacobi import Jacobi
from ..number import QQ, real
from ..problem import Problem
from ..profile.indices import Indices, Key, Mode
from .agreement import middle
from .pipeline import Pipeline
from .reference import MAX_COEFFICIENTS
from .result import Given, Result
from .stages import Needs, stages


class Float64(Pipeline):
    """no bug: the true pipeline in float64"""

    name, stage = "none", "format"


class Unnormalised(Pipeline):
    """the kernel sums the classical P_k instead of the orthonormal p_k = P_k/sqrt(h_k)"""

    name, stage = "unnormalised polynomials", "basis"

    def norms(self, values: np.ndarray) -> np.ndarray:
        return values * self.roots()[:, None, None]

    def roots(self) -> np.ndarray:
        """sqrt(h_k) of the classical P_k = leading_k pi_k."""
        a, b = (real(x) for x in (self.jacobi.alpha, self.jacobi.beta))
        lead = [1.0]
        for k in range(1, self.n + 1):
            lead.append(float(np.prod([(a + b + k + j) / (2 * j) for j in range(1, k + 1)])))
        return self.monic_roots() * np.array(lead)

    def monic_roots(self) -> np.ndarray:
        """sqrt(h_k) of the monic pi_k."""
        h0 = self.jacobi.h0_in(arithmetic("float"))
        return np.sqrt([real(h) * h0 for h in self.jacobi.h_ratios(self.n)])


class Monic(Unnormalised):
    """the kernel sums the monic pi_k instead of the orthonormal p_k = pi_k/sqrt(h_k)"""

    def roots(self) -> np.ndarray:
        return self.monic_roots()


class UnnormalisedRatio(Unnormalised):
    """polynomials normalised for the weight's probability measure: h_0 is taken as 1"""

    def norms(self, values: np.ndarray) -> np.ndarray:
        return values * self.jacobi.h0_in(arithmetic("float")) ** 0.5


class MissingRoot(Unnormalised):
    """P_k is divided by h_k instead of sqrt(h_k)"""

    name = "missing sqrt h_k"

    def norms(self, values: np.ndarray) -> np.ndarray:
        return values / self.roots()[:, None, None]


class MissingRootLater(Unnormalised):
    """the kernel is right, but c_k is summed with P_k, not divided by sqrt(h_k)"""

    name, stage = "missing sqrt h_k", "coefficients"
    power = 1

    def norms(self, values: np.ndarray) -> np.ndarray:
        return values

    def coefficients(self, alpha: Sequence[Given], b: Given | None) -> dict[Mode, arb | float]:
        c = super().coefficients(alpha, b)
        root = self.roots() ** self.power
        return {k: x * float(np.prod(root[list(k)])) for k, x in c.items()}


class MissingRootTwice(MissingRootLater):
    """the kernel is right, but c_k is divided by h_k instead of sqrt(h_k)"""

    power = -1


class Swapped(Pipeline):
    """the weight is taken as (1-x)^beta (1+x)^alpha"""

    name, stage = "swapped alpha and beta", "basis"

    def setup(self) -> None:
        self.jacobi = Jacobi(self.problem.beta, self.problem.alpha)


class TotalDegree(Pipeline):
    """modes with k_1 + ... + k_d <= n instead of the tensor product max k_i <= n"""

    name, stage = "total-degree truncation", "Gram"

    def keep(self, k: Mode) -> bool:
        return sum(k) <= self.n


class OneFewer(Pipeline):
    """degrees 0 ... n-1 instead of 0 ... n"""

    name, stage = "n off by one", "basis"

    def setup(self) -> None:
        self.n = max(self.n - 1, 0)


class OneMore(OneFewer):
    """degrees 0 ... n+1 instead of 0 ... n"""

    def setup(self) -> None:
        self.n += 1


class BiasInside(Pipeline):
    """the bias b was added to c_0; it is not part of h"""

    name, stage = "bias in c_0", "coefficients"

    def coefficients(self, alpha: Sequence[Given], b: Given | None) -> dict[Mode, arb | float]:
        c = super().coefficients(alpha, b)
        zero = (0,) * self.d
        return c | {zero: c[zero] + self.share(real(middle(b or 0)))}

    def share(self, b: float) -> float:
        """What of b is added to c_0."""
        return b


class BiasProjected(BiasInside):
    """the bias b was added to c_0, as the coefficient of the constant b; it is not part of h"""

    def share(self, b: float) -> float:
        return b * self.jacobi.h0_in(arithmetic("float")) ** (self.d / 2)


class WithoutY(Pipeline):
    """c_k sums alpha_i p_k(x_i) instead of alpha_i y_i p_k(x_i)"""

    name, stage = "alpha without y", "coefficients"

    def signed(self, alpha: Sequence[Given]) -> Sequence[Given]:
        return alpha


class CTimesM(Pipeline):
    """the box is [0, m C]"""

    name, stage = "C scaled by m", "solver"

    def setup(self) -> None:
        self.C_factor = float(self.problem.m)


class COverM(CTimesM):
    """the box is [0, C/m]"""

    def setup(self) -> None:
        self.C_factor = 1 / self.problem.m


class Float32(Pipeline):
    """every entry of the Gram matrix is a single-precision number"""

    name, stage = "float32 kernel", "Gram"
    loose = 4.5

    def applies(self, result: Result) -> bool:
        entries = [x for row in result.gram or () for x in row]
        return bool(entries) and all(QQ(float(np.float32(real(middle(x))))) == x for x in entries)


class FewDigits(Pipeline):
    """the numbers were printed with too few digits; write 17 significant ones"""

    name, stage = "too few digits written", "format"

    def applies(self, result: Result) -> bool:
        self.loose = max(result.written_digits - 3.0, 0.5)
        return 2 <= result.written_digits <= 12


class Rescaled(Pipeline):
    """the columns were rescaled in another way"""

    name, stage = "wrong rescaling", "basis"

    def applies(self, result: Result) -> bool:
        return self.problem.rescale

    def points(self) -> np.ndarray:
        X = np.array([[real(x) for x in row] for row in self.problem.X])
        return self.scaled(X)

    def scaled(self, X: np.ndarray) -> np.ndarray:
        """The columns as the bug scales them."""
        raise NotImplementedError


class ToUnitInterval(Rescaled):
    """the columns were rescaled to [0, 1] instead of [-1, 1]"""

    def scaled(self, X: np.ndarray) -> np.ndarray:
        return (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))


class ByLargest(Rescaled):
    """the columns were divided by their largest absolute value"""

    def scaled(self, X: np.ndarray) -> np.ndarray:
        return X / np.abs(X).max(axis=0)


class Standardised(Rescaled):
    """the columns were standardised instead of min-max rescaled"""

    def scaled(self, X: np.ndarray) -> np.ndarray:
        return (X - X.mean(axis=0)) / X.std(axis=0)


class TogetherNotByColumn(Rescaled):
    """all columns were rescaled with one minimum and one maximum"""

    def scaled(self, X: np.ndarray) -> np.ndarray:
        return 2 * (X - X.min()) / (X.max() - X.min()) - 1


class NotRescaled(Rescaled):
    """the columns were not rescaled although the problem asks for it"""

    def scaled(self, X: np.ndarray) -> np.ndarray:
        return X


class RescaledUnasked(Rescaled):
    """the columns were rescaled although the problem does not ask for it"""

    def applies(self, result: Result) -> bool:
        X = np.array([[real(x) for x in row] for row in self.problem.X])
        return not self.problem.rescale and bool(np.all(X.max(axis=0) > X.min(axis=0)))

    def scaled(self, X: np.ndarray) -> np.ndarray:
        return 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1


class CountedFromZero(Pipeline):
    """pairs are keyed '0,1', ...; the paper counts coordinates from 1"""

    name, stage = "coordinates counted from 0", "aggregation"

    def present(self, okc: Indices[arb]) -> Indices[arb]:
        shifted: dict[Key, arb] = {(i - 1, j - 1): x for (i, j), x in okc.pair.items()}
        return Indices({**okc.table, "pair": shifted})


class MarginalsShifted(Pipeline):
    """OKC_i is listed one place too late: a 1-based index used as a 0-based one, or the reverse"""

    name, stage = "coordinates counted from 0", "aggregation"
    turn = 1

    def present(self, okc: Indices[arb]) -> Indices[arb]:
        M = list(okc.marginal.values())
        turned = M[-self.turn :] + M[: -self.turn]
        return Indices({**okc.table, "marginal": {(i,): x for i, x in enumerate(turned, 1)}})


class MarginalsShiftedBack(MarginalsShifted):
    """OKC_i is listed one place too early: a 1-based index used as a 0-based one, or the reverse"""

    turn = -1


class ThresholdLate(Pipeline):
    """T_eps is one too large: a count of degrees, or a 1-based index, instead of the degree"""

    name, stage = "T_eps off by one", "aggregation"

    def shown(self, T: int) -> int:
        return T + 1


class ThresholdEarly(ThresholdLate):
    """T_eps is one too small: the last T with F(T) < 1 - eps"""

    def shown(self, T: int) -> int:
        return T - 1


class PeakFromOne(Pipeline):
    """N* is a 1-based index: one too large"""

    name, stage = "degrees counted from 1", "aggregation"

    def shown_peak(self, N: int) -> int:
        return N + 1


class BothFromOne(PeakFromOne):
    """N* and T_eps are 1-based indices: one too large"""

    def shown(self, T: int) -> int:
        return T + 1


class Strict(Pipeline):
    """T_eps is the smallest T with F(T) > 1 - eps; F(T) = 1 - eps already counts"""

    name, stage = "> instead of >=", "aggregation"

    def reaches(self, F: Any, level: Any) -> bool:
        return level < F


BUGS: tuple[type[Pipeline], ...] = (
    Unnormalised, Monic, UnnormalisedRatio, MissingRoot, MissingRootLater, MissingRootTwice, Swapped,
    TotalDegree, OneFewer, OneMore, BiasInside, BiasProjected, WithoutY, CTimesM, COverM, Float32, FewDigits,
    ToUnitInterval, ByLargest, Standardised, TogetherNotByColumn, NotRescaled, RescaledUnasked,
    CountedFromZero, MarginalsShifted, MarginalsShiftedBack, ThresholdLate, ThresholdEarly, PeakFromOne,
    BothFromOne, Strict,
)  # fmt: skip


def likely_bugs(problem: Problem, result: Result, needs: Needs) -> list[type[Pipeline]]:
    """The bugs that explain every number given; to be called where the true pipeline fails."""
    if problem.modes > MAX_COEFFICIENTS:
        return []
    if _explains(Float64, problem, result, needs):
        return []  # the true pipeline in float64 agrees: a matter of digits, not of a bug
    return [bug for bug in BUGS if _explains(bug, problem, result, needs)]


def _explains(bug: type[Pipeline], problem: Problem, result: Result, needs: Needs) -> bool:
    pipe = bug(problem)
    if not pipe.applies(result):
        return False
    solve = result.alpha is None
    softer: Needs = (lambda kind: (3.0, needs(kind)[1])) if solve else needs  # two solvers meet: fewer digits
    try:
        with np.errstate(all="ignore"):
            lines = list(stages(result, pipe, softer, solve))
    except (OrcaError, ArithmeticError, ValueError, np.linalg.LinAlgError):
        return False  # this bug cannot even be carried out here
    return bool(lines) and all(line.passes for line in lines)


def vote(found: Iterable[Iterable[type[Pipeline]]]) -> Iterator[tuple[type[Pipeline], int]]:
    """Bugs by the number of failed vectors that they explain, most first; each name once."""
    counts = Counter(bug for bugs in found for bug in bugs)
    seen = set()
    for bug, count in sorted(counts.items(), key=lambda item: (-item[1], BUGS.index(item[0]))):
        if bug.name not in seen:
            seen.add(bug.name)
            yield bug, count
