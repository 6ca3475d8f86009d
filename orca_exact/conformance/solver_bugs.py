"""Known bugs from the solver on: in alpha, b, the coefficients, the indices and the output (see ``bugs``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..measures.measure import Measure
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import precision_digits, to_float
from ..profile.index import Key, Mode, active_coordinates
from ..profile.indices import EPSILONS, Indices
from ..svm.dual import best_b
from .comparison import COMPARISON_DIGITS, ComparedNumber, to_rational
from .kernel_bugs import PolynomialBug, Unnormalised
from .pipeline import ZERO, Pipeline
from .result import Result, ResultNumber


class CTimesM(Pipeline):
    means = "The bounds are 0 <= alpha_i <= m C instead of 0 <= alpha_i <= C."
    name, flag, stage = "C scaled by m", "CScaledByM", "solver"

    def setup(self) -> None:
        self.bounds = [bound * self.problem.m for bound in self.bounds]


class COverM(CTimesM):
    means = "The bounds are 0 <= alpha_i <= C/m instead of 0 <= alpha_i <= C."

    def setup(self) -> None:
        self.bounds = [bound / self.problem.m for bound in self.bounds]


class LargestC(Pipeline):
    means = "The largest C_i is used as the bound of every alpha_i."
    name, flag, stage = "individual C_i ignored", "IgnoredWeights", "solver"

    def setup(self) -> None:
        self.bounds = [self._common_bound()] * self.problem.m

    def _common_bound(self) -> fmpq:
        return max(self.problem.bounds)

    def applies(self, result: Result) -> bool:
        return self.problem.is_weighted


class FirstC(LargestC):
    means = "The first C_i is used as the bound of every alpha_i."

    def _common_bound(self) -> fmpq:
        return self.problem.bounds[0]


class NoC(LargestC):
    means = "The default bound 1 is used for every alpha_i, as if no C_i were given."

    def _common_bound(self) -> fmpq:
        return fmpq(1)


class UnweightedB(LargestC):
    means = (
        "The C_i are ignored in b, which minimises the sum of the losses instead of the sum weighted by C_i."
    )

    def setup(self) -> None:
        pass

    def optimal_b(self, f: list[float]) -> tuple[float, float]:
        return best_b(f, self.problem.y)


class SignedAlpha(Pipeline):
    means = "The alpha written is y_i alpha_i (scikit-learn's dual_coef_); alpha_i itself is never negative."
    name, flag, stage = "alpha multiplied by y", "SignedAlpha", "solver"

    def applies(self, result: Result) -> bool:
        return result.alpha is None or any(to_rational(a) < 0 for a in result.alpha)

    def true_alpha(self, alpha: Sequence[ResultNumber]) -> Sequence[ResultNumber]:
        return [a * label for a, label in zip(alpha, self.problem.y, strict=True)]


class SignOfB(Pipeline):
    means = "The sign of b is wrong: g = h - b instead of g = h + b."
    name, flag, stage = "wrong sign of b", "SignOfB", "solver"

    def true_b(self, b: ResultNumber) -> ResultNumber:
        return -b


class IgnoredDual(Pipeline):
    means = "The problem gives the dual variables, but the program solved for others."
    name, flag, stage = "given dual variables ignored", "DualIgnored", "solver"

    def setup(self) -> None:
        self.given, self.dual = self.dual, None

    def applies(self, result: Result) -> bool:
        return self.given is not None


class CoefficientsWithoutRoot(Unnormalised):
    means = "The kernel is right, but c_k is summed with P_k instead of P_k/sqrt(h_k)."
    name, flag, stage = "wrong power of h_k", "MissingSqrtHK", "coefficients"
    power = 1

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        c = super().coefficients(alpha, b)
        roots = [self.roots(J, n) ** self.power for J, n in zip(self.measures, self.degrees, strict=True)]
        return {k: x * prod(float(root[j]) for root, j in zip(roots, k, strict=True)) for k, x in c.items()}


class CoefficientsWithSquaredRoot(CoefficientsWithoutRoot):
    means = "The kernel is right, but c_k is summed with P_k/h_k instead of P_k/sqrt(h_k)."

    power = -1


class MonicCoefficientsWithoutRoot(CoefficientsWithoutRoot):
    means = "The kernel is right, but c_k is summed with the monic pi_k instead of pi_k/sqrt(h_k)."

    def roots(self, measure: Measure, n: int) -> np.ndarray:
        return self._monic_roots(measure, n)


class MonicCoefficientsWithSquaredRoot(MonicCoefficientsWithoutRoot):
    means = "The kernel is right, but c_k is summed with pi_k/h_k, pi_k monic, instead of pi_k/sqrt(h_k)."

    power = -1


class BiasInConstant(Pipeline):
    means = "The bias b was added to c_0; it is not part of h."

    kernels: tuple[str, ...] | None = ("orthogonal", "linear", "polynomial")
    name, flag, stage = "b added to c_0", "BiasInC0", "coefficients"

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        c = super().coefficients(alpha, b)
        zero = (0,) * self.d
        return c | {zero: c[zero] + self._scale() * to_float(to_rational(b or 0))}

    def _scale(self) -> float:
        return 1.0


class BiasProjected(BiasInConstant):
    means = "The coefficient of the constant function b was added to c_0; b is not part of h."
    kernels = ("orthogonal",)

    def _scale(self) -> float:
        return float(prod(J.h0_in(arithmetic("float")) for J in self.measures) ** 0.5)


class WithoutY(Pipeline):
    means = "The coefficient c_k sums alpha_i p_k(x_i) instead of alpha_i y_i p_k(x_i)."
    name, flag, stage = "y_i missing in c_k", "AlphaWithoutY", "coefficients"

    def signed(self, alpha: Sequence[ResultNumber]) -> Sequence[ResultNumber]:
        return alpha


class CoefficientsWithoutTopMode(PolynomialBug):
    means = "The kernel is right, but the mode (n, ..., n) is missing among the c_k."
    name, flag, stage = "mode (n, ..., n) missing", "TopModeDropped", "coefficients"

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        return {k: x for k, x in super().coefficients(alpha, b).items() if k != tuple(self.degrees)}


class ReversedModes(Pipeline):
    means = "The last coordinate is taken for the first, in the keys of c_k and in the indices."
    name, flag, stage = "coordinates in reverse order", "ReversedMultiIndex", "coefficients"

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        return {k[::-1]: x for k, x in super().coefficients(alpha, b).items()}


class ReversedKeys(ReversedModes):
    means = "The key of c_k is written 'k_d,...,k_1'; the first number must be the degree in x_1."

    def indices(self, c: Mapping[Mode, ComparedNumber]) -> tuple[Indices[arb], arb] | None:
        return super().indices({k[::-1]: x for k, x in c.items()})


class CountedFromZero(Pipeline):
    means = "The keys of the pairs are '0,1', ...; coordinates are counted from 1."
    name, flag, stage = "coordinates counted from 0", "CoordinatesCountedFrom0", "aggregation"

    def written_indices(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        shifted: dict[Key, arb] = {(i - 1, j - 1): x for (i, j), x in okc.pair.items()}
        return Indices({**okc.table, "pair": shifted})


class MarginalsShifted(Pipeline):
    means = "OKC_i stands one place too late in the list: a 0-based index was confused with a 1-based one."
    name, flag, stage = "coordinates counted from 0", "CoordinatesCountedFrom0", "aggregation"
    turn = 1

    def written_indices(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        M = list(okc.marginal.values())
        turned = M[-self.turn :] + M[: -self.turn]
        return Indices({**okc.table, "marginal": {(i,): x for i, x in enumerate(turned, 1)}})


class MarginalsShiftedBack(MarginalsShifted):
    means = "OKC_i stands one place too early in the list: a 0-based index was confused with a 1-based one."

    turn = -1


class TotalMarginals(Pipeline):
    means = "OKC_i sums every mode with k_i > 0; it must sum only those that depend on x_i and nothing else."
    name, flag, stage = "OKC_i includes interactions", "TotalInsteadOfPureMarginals", "aggregation"
    summed: tuple[str, ...] = ("marginal",)

    def written_indices(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        def total(S: Key) -> arb:
            return sum((x for k, x in shares.items() if all(k[i - 1] for i in S)), arb(0))

        totals = {name: {S: total(S) for S in okc.table[name]} for name in self.summed}
        return Indices({**okc.table, **totals})


class TotalPairs(TotalMarginals):
    means = (
        "OKC_ij sums every mode with k_i, k_j > 0; it must sum only those that depend on x_i and x_j alone."
    )
    name, flag = "OKC_ij includes higher orders", "HigherOrdersAddedToPairs"
    summed = ("pair",)


class TotalBoth(TotalMarginals):
    means = (
        "OKC_i and OKC_ij sum every mode that depends on x_i (and x_j), also together with other coordinates."
    )

    summed = ("marginal", "pair")


class MarginalAsTotal(Pipeline):
    means = (
        "The total index sums the modes that depend on its column alone; it must sum all that depend on it."
    )
    name, flag, stage, since = "total index without interactions", "MarginalInsteadOfTotal", "aggregation", 3

    def written_indices(self, okc: Indices[arb], shares: Mapping[Mode, arb]) -> Indices[arb]:
        return Indices({**okc.table, **self._wrong(shares)})

    def _wrong(self, shares: Mapping[Mode, arb]) -> dict[str, dict[Key, arb]]:
        """Return the indices that differ."""
        return {"total": self._by_column({k: x for k, x in shares.items() if len(active_coordinates(k)) < 2})}

    def _by_column(self, parts: Mapping[Mode, arb]) -> dict[Key, arb]:
        """Sum over the modes in which a column is active, for each column."""
        return {(i + 1,): sum((x for k, x in parts.items() if k[i]), arb(0)) for i in range(self.d)}


class PairsAsTotal(MarginalAsTotal):
    means = (
        "The total index sums the modes of orders 1 and 2 only; it must sum all that depend on the column."
    )
    name, flag = "total index without higher orders", "HigherOrdersMissingInTotal"

    def _wrong(self, shares: Mapping[Mode, arb]) -> dict[str, dict[Key, arb]]:
        return {"total": self._by_column({k: x for k, x in shares.items() if len(active_coordinates(k)) < 3})}


class UndividedTotal(MarginalAsTotal):
    means = "The total index sums c_k^2 and is not divided by ||h||^2."
    name, flag = "total index not divided by ||h||^2", "UndividedTotal"

    def indices(self, c: Mapping[Mode, ComparedNumber]) -> tuple[Indices[arb], arb] | None:
        found = super().indices(c)
        if found is None:
            return None
        okc, norm2 = found
        with precision_digits(COMPARISON_DIGITS):
            total = {key: x * norm2 for key, x in okc.family("total").items()}
        return Indices({**okc.table, "total": total}), norm2

    def _wrong(self, shares: Mapping[Mode, arb]) -> dict[str, dict[Key, arb]]:
        return {}


class ShapleyByColumns(MarginalAsTotal):
    means = (
        "The share of a mode is divided by d in the Shapley effects; it must be divided by the mode's order."
    )
    name, flag = "Shapley effect divided by d", "ShapleyDividedByD"

    def _wrong(self, shares: Mapping[Mode, arb]) -> dict[str, dict[Key, arb]]:
        return {"shapley": self._by_column({k: x / self.d for k, x in shares.items()})}


class ShapleyUndivided(MarginalAsTotal):
    means = "The Shapley effect is the total index; the share of a mode must be divided by the mode's order."
    name, flag = "Shapley effect equal to the total index", "ShapleyNotDivided"

    def _wrong(self, shares: Mapping[Mode, arb]) -> dict[str, dict[Key, arb]]:
        return {"shapley": self._by_column(shares)}


class ThresholdLate(Pipeline):
    means = "T_eps is one too large: the number of degrees, or a 1-based index, instead of the degree."
    name, flag, stage = "T_eps off by one", "TEpsOffByOne", "aggregation"

    def written_threshold(self, T: int) -> int:
        return T + 1


class ThresholdEarly(ThresholdLate):
    means = (
        "T_eps is one too small: the last T with F(T) < 1 - eps instead of the first with F(T) >= 1 - eps."
    )

    def written_threshold(self, T: int) -> int:
        return T - 1


class PeakFromOne(Pipeline):
    means = "N* is one too large: degrees start at 0."
    name, flag, stage = "degrees counted from 1", "DegreesCountedFrom1", "aggregation"

    def written_peak(self, N: int) -> int:
        return N + 1


class BothFromOne(PeakFromOne):
    means = "N* and T_eps are one too large: degrees start at 0."

    def written_threshold(self, T: int) -> int:
        return T + 1


class LastPeak(Pipeline):
    means = "N* is the largest degree that attains the maximum; it must be the smallest."
    name, flag, stage = "last instead of first maximum for N*", "LastOfEqualPeaks", "aggregation"

    def peaks(self, degree: list[Any], slack: fmpq = ZERO) -> set[int]:
        shares = [to_rational(x) for x in degree]
        return {max(N for N, x in enumerate(shares) if x >= max(shares) * (1 - fmpq(1, 10**9)))}


class Strict(Pipeline):
    means = "T_eps is the smallest T with F(T) > 1 - eps; it must be the smallest with F(T) >= 1 - eps."
    name, flag, stage = "> instead of >= in T_eps", "GreaterInsteadOfOrEqual", "aggregation"

    def reaches(self, F: Any, level: Any) -> bool:
        return bool(level < F)


class OtherEps(Pipeline):
    """T_eps was computed with another eps."""

    name, flag, stage = "T_eps with another eps", "TEpsWithAnotherEps", "aggregation"
    used: Mapping[str, str]  # for each eps, the one that was used instead

    def thresholds(self, degree: list[Any], eps: str, slack: fmpq = ZERO) -> set[int]:
        return super().thresholds(degree, self.used.get(eps, eps), slack)


def _other_eps(subject: str, other: str, replaced: tuple[str, ...]) -> type[OtherEps]:
    means = f"{subject} was computed with eps = {other}."
    return type("OtherEps", (OtherEps,), {"used": dict.fromkeys(replaced, other), "means": means})


OTHER_EPS = tuple(
    _other_eps(f"T_{eps}", other, (eps,)) for eps in EPSILONS for other in EPSILONS if eps != other
) + tuple(_other_eps("Every T_eps", other, tuple(EPSILONS)) for other in EPSILONS)


class IndicesOfZero(Pipeline):
    means = "Indices were given although w = 0, where each of them is 0/0; write null instead."
    name, flag, stage = "indices given although w = 0", "IndicesOfW=0", "aggregation"

    def applies(self, result: Result) -> bool:
        return False  # ``crosscheck`` decides it by the reference: in float64 w is rounding noise, not 0


class FewDigits(Pipeline):
    means = "The numbers were written with too few digits; write 17 significant digits."
    name, flag, stage = "too few digits written", "TooFewDigitsWritten", "format"

    def applies(self, result: Result) -> bool:
        self.needed_digits = max(result.written_digits - 3.0, 0.5)
        return 2 <= result.written_digits <= 12
