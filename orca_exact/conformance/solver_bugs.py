"""Known bugs from the solver on: in alpha and b, the coefficients, the indices, print. See ``bugs``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..measures.measure import Measure
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import real
from ..profile.indices import EPSILONS, Indices, Key, Mode
from ..svm.dual import best_b
from .comparison import ComparedNumber, midpoint_of
from .kernel_bugs import Unnormalised
from .pipeline import ZERO, Pipeline
from .result import Given, Result


class CTimesM(Pipeline):
    """the box is [0, m C]"""

    name, stage = "C scaled by m", "solver"

    def setup(self) -> None:
        self.bounds = [bound * self.problem.m for bound in self.bounds]


class COverM(CTimesM):
    """the box is [0, C/m]"""

    def setup(self) -> None:
        self.bounds = [bound / self.problem.m for bound in self.bounds]


class LargestC(Pipeline):
    """every box is [0, C] with the largest C_i for C"""

    name, stage = "ignored weights", "solver"

    def setup(self) -> None:
        self.bounds = [self.one()] * self.problem.m

    def one(self) -> fmpq:
        """The C of all."""
        return max(self.problem.bounds)

    def applies(self, result: Result) -> bool:
        return self.problem.is_weighted


class FirstC(LargestC):
    """every box is [0, C_1]"""

    def one(self) -> fmpq:
        return self.problem.bounds[0]


class NoC(LargestC):
    """every box is [0, 1], as if no C were given"""

    def one(self) -> fmpq:
        return fmpq(1)


class UnweightedB(LargestC):
    """alpha is right, but b minimises the sum of the losses without C_i"""

    def setup(self) -> None:
        pass

    def biases(self, f: list[float]) -> tuple[float, float]:
        return best_b(f, self.problem.y)


class SignedAlpha(Pipeline):
    """alpha is written with the sign y_i (scikit-learn's dual_coef_); alpha_i itself is not negative"""

    name, stage = "signed alpha", "solver"

    def applies(self, result: Result) -> bool:
        return result.alpha is None or any(midpoint_of(a) < 0 for a in result.alpha)

    def meant(self, alpha: Sequence[Given]) -> Sequence[Given]:
        return [a * label for a, label in zip(alpha, self.problem.y, strict=True)]


class SignOfB(Pipeline):
    """b has the other sign: g = h - b instead of g = h + b"""

    name, stage = "sign of b", "solver"

    def meant_b(self, b: Given) -> Given:
        return -b


class IgnoredDual(Pipeline):
    """the problem gives dual variables, and was solved all the same"""

    name, stage = "dual ignored", "solver"

    def setup(self) -> None:
        self.given, self.dual = self.dual, None

    def applies(self, result: Result) -> bool:
        return self.given is not None


class MissingRootLater(Unnormalised):
    """the kernel is right, but c_k is summed with P_k, not divided by sqrt(h_k)"""

    name, stage = "missing sqrt h_k", "coefficients"
    power = 1

    def norms(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values

    def coefficients(self, alpha: Sequence[Given], b: Given | None) -> dict[Mode, arb | float]:
        c = super().coefficients(alpha, b)
        roots = [self.roots(J, n) ** self.power for J, n in zip(self.measures, self.degrees, strict=True)]
        return {k: x * prod(float(root[j]) for root, j in zip(roots, k, strict=True)) for k, x in c.items()}


class MissingRootTwice(MissingRootLater):
    """the kernel is right, but c_k is divided by h_k instead of sqrt(h_k)"""

    power = -1


class BiasInside(Pipeline):
    """the bias b was added to c_0; it is not part of h"""

    name, stage = "bias in c_0", "coefficients"

    def coefficients(self, alpha: Sequence[Given], b: Given | None) -> dict[Mode, arb | float]:
        c = super().coefficients(alpha, b)
        zero = (0,) * self.d
        return c | {zero: c[zero] + self.share(real(midpoint_of(b or 0)))}

    def share(self, b: float) -> float:
        """What of b is added to c_0."""
        return b


class BiasProjected(BiasInside):
    """the bias b was added to c_0, as the coefficient of the constant b; it is not part of h"""

    def share(self, b: float) -> float:
        return b * prod(J.h0_in(arithmetic("float")) for J in self.measures) ** 0.5


class WithoutY(Pipeline):
    """c_k sums alpha_i p_k(x_i) instead of alpha_i y_i p_k(x_i)"""

    name, stage = "alpha without y", "coefficients"

    def signed(self, alpha: Sequence[Given]) -> Sequence[Given]:
        return alpha


class DroppedTopLater(Pipeline):
    """the kernel is right, but c_k lacks the mode (n, ..., n)"""

    name, stage = "top mode dropped", "coefficients"

    def coefficients(self, alpha: Sequence[Given], b: Given | None) -> dict[Mode, arb | float]:
        return {k: x for k, x in super().coefficients(alpha, b).items() if k != tuple(self.degrees)}


class ReversedKeys(Pipeline):
    """c_k is keyed 'k_d,...,k_1'; the first is the degree in x_1"""

    name, stage = "reversed multi-index", "coefficients"

    def coefficients(self, alpha: Sequence[Given], b: Given | None) -> dict[Mode, arb | float]:
        return {k[::-1]: x for k, x in super().coefficients(alpha, b).items()}

    def indices(self, c: Mapping[Mode, ComparedNumber]) -> tuple[Indices[arb], arb] | None:
        return super().indices({k[::-1]: x for k, x in c.items()})


class ReversedModes(ReversedKeys):
    """the last coordinate is taken for the first, in c_k and in all that follows"""

    def indices(self, c: Mapping[Mode, ComparedNumber]) -> tuple[Indices[arb], arb] | None:
        return Pipeline.indices(self, c)


class CountedFromZero(Pipeline):
    """pairs are keyed '0,1', ...; the paper counts coordinates from 1"""

    name, stage = "coordinates counted from 0", "aggregation"

    def present(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        shifted: dict[Key, arb] = {(i - 1, j - 1): x for (i, j), x in okc.pair.items()}
        return Indices({**okc.table, "pair": shifted})


class MarginalsShifted(Pipeline):
    """OKC_i is listed one place too late: a 1-based index used as a 0-based one, or the reverse"""

    name, stage = "coordinates counted from 0", "aggregation"
    turn = 1

    def present(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        M = list(okc.marginal.values())
        turned = M[-self.turn :] + M[: -self.turn]
        return Indices({**okc.table, "marginal": {(i,): x for i, x in enumerate(turned, 1)}})


class MarginalsShiftedBack(MarginalsShifted):
    """OKC_i is listed one place too early: a 1-based index used as a 0-based one, or the reverse"""

    turn = -1


class TotalMarginals(Pipeline):
    """OKC_i sums every mode with k_i > 0; it is the share of those that depend on x_i alone"""

    name, stage = "total instead of pure marginals", "aggregation"
    summed: tuple[str, ...] = ("marginal",)

    def present(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        def total(S: Key) -> arb:
            return sum((x for k, x in shares.items() if all(k[i - 1] for i in S)), arb(0))

        totals = {name: {S: total(S) for S in okc.table[name]} for name in self.summed}
        return Indices({**okc.table, **totals})


class TotalPairs(TotalMarginals):
    """OKC_ij sums every mode with k_i, k_j > 0; it is the share of those that depend on x_i and x_j alone"""

    name = "higher orders added to pairs"
    summed = ("pair",)


class TotalBoth(TotalMarginals):
    """OKC_i and OKC_ij sum every mode that depends on x_i (and x_j), of whatever order"""

    summed = ("marginal", "pair")


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


class LastPeak(Pipeline):
    """N* is the last of equal peaks; it is the smallest degree that carries most"""

    name, stage = "last of equal peaks", "aggregation"

    def peaks(self, degree: list[Any], slack: fmpq = ZERO) -> set[int]:
        shares = [midpoint_of(x) for x in degree]
        return {max(N for N, x in enumerate(shares) if x >= max(shares) * (1 - fmpq(1, 10**9)))}


class Strict(Pipeline):
    """T_eps is the smallest T with F(T) > 1 - eps; F(T) = 1 - eps already counts"""

    name, stage = "> instead of >=", "aggregation"

    def reaches(self, F: Any, level: Any) -> bool:
        return level < F


class OtherEps(Pipeline):
    """T_eps was computed with another eps"""

    name, stage = "T_eps with another eps", "aggregation"
    used: Mapping[str, str]  # eps -> the one that was taken for it

    def applies(self, result: Result) -> bool:
        return bool(self.used)

    def thresholds(self, degree: list[Any], eps: str, slack: fmpq = ZERO) -> set[int]:
        return super().thresholds(degree, self.used.get(eps, eps), slack)


OTHER_EPS = tuple(
    type(
        "OtherEps", (OtherEps,), {"used": {eps: other}, "__doc__": f"T_{eps} was computed with eps = {other}"}
    )
    for eps in EPSILONS
    for other in EPSILONS
    if eps != other
) + tuple(
    type("OtherEps", (OtherEps,), {"used": used, "__doc__": f"every T_eps was computed with eps = {other}"})
    for other in EPSILONS
    for used in [dict.fromkeys(EPSILONS, other)]
)


class IndicesOfZero(Pipeline):
    """w = 0, every index is 0/0, and indices were given all the same; write null"""

    name, stage = "indices of w = 0", "aggregation"

    def applies(self, result: Result) -> bool:
        return False  # ``crosscheck`` knows it from the reference: to a pipeline w is rounding, not 0


class FewDigits(Pipeline):
    """the numbers were printed with too few digits; write 17 significant ones"""

    name, stage = "too few digits written", "format"

    def applies(self, result: Result) -> bool:
        self.loose = max(result.written_digits - 3.0, 0.5)
        return 2 <= result.written_digits <= 12
