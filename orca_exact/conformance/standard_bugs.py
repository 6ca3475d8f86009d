"""Known bugs of linear, polynomial and RBF kernels, and in the measures of their indices (see ``bugs``)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import log10
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..kernels.kernel import Kernel
from ..kernels.polynomial import Linear, Polynomial
from ..kernels.rbf import RBF, squared_distances
from ..measures.families import Discrete
from ..measures.probability import Empirical, IndexMeasure, Normal, Uniform
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, to_float
from ..problem import Problem
from ..profile.index import Mode, active_coordinates
from ..svm.gram import gram
from .comparison import to_rational
from .pipeline import Pipeline
from .result import Result, ResultNumber

Families = tuple[str, ...]
_GAUSSIAN: Families = (RBF.family,)
_POLYNOMIAL: Families = (Polynomial.family,)
_LINEAR: Families = (Linear.family,)


class OtherKernel(Pipeline):
    """The kernel has other parameters."""

    kernels, stage, since = _GAUSSIAN, "Gram", 3

    @property
    def given(self) -> Any:
        """The kernel of the problem."""
        return self.problem.kernel

    def used(self) -> Kernel:
        """Return the kernel that the program uses."""
        found: Kernel = self.given
        return found

    def understood(self) -> Problem:
        return self.problem.replace(kernel=self.used(), under=self.problem.under)

    def applies(self, result: Result) -> bool:
        return self.used() != self.problem.kernel


class HalvedGamma(OtherKernel):
    means = "The kernel is exp(-gamma |x - z|^2/2) instead of exp(-gamma |x - z|^2)."
    name, flag = "gamma halved", "GammaHalved"

    def used(self) -> Kernel:
        return RBF(self.given.gamma / 2).for_columns(self.d)


class GammaAsSigma(OtherKernel):
    means = "The parameter gamma is taken for sigma in exp(-|x - z|^2/(2 sigma^2)); it is 1/(2 sigma^2)."
    name, flag = "gamma taken for sigma", "GammaTakenForSigma"

    def used(self) -> Kernel:
        return RBF(1 / (2 * self.given.gamma**2)).for_columns(self.d)


class ScaledGamma(OtherKernel):
    means = 'The given gamma is ignored: it is 1/(d var(X)), as gamma="scale" in scikit-learn.'

    name, flag, kernels = "gamma not the given one", "GammaRecomputed", _GAUSSIAN + _POLYNOMIAL

    def used(self) -> Kernel:
        gamma = self._other_gamma()
        return self.given if gamma <= 0 else self._with(gamma)

    def _with(self, gamma: fmpq) -> Kernel:
        if isinstance(self.given, RBF):
            return RBF(gamma).for_columns(self.d)
        return Polynomial(self.given.degree, gamma, self.given.coef0).for_columns(self.d)

    def _other_gamma(self) -> fmpq:
        values = self.problem.points.ravel()
        mean = sum(values, fmpq(0)) / len(values)
        total = sum(((x - mean) ** 2 for x in values), fmpq(0))
        return len(values) / (self.d * total) if total else fmpq(0)


class AutomaticGamma(ScaledGamma):
    means = 'The given gamma is ignored: it is 1/d, as gamma="auto" in scikit-learn.'

    def _other_gamma(self) -> fmpq:
        return fmpq(1, self.d)


class GammaOne(ScaledGamma):
    means = "The given gamma is not applied: it is 1."
    name, flag = "gamma not applied", "GammaNotApplied"

    def _other_gamma(self) -> fmpq:
        return fmpq(1)


class GammaOutside(ScaledGamma):
    means = "The kernel is gamma (x.z + coef0)^p instead of (gamma x.z + coef0)^p."
    name, flag, kernels = "gamma not applied inside the power", "GammaOutsideThePower", _POLYNOMIAL

    def _other_gamma(self) -> fmpq:
        return fmpq(1)

    @cached_property
    def gram(self) -> np.ndarray:
        found: np.ndarray = gram(self.model, self.A) * self.A(self.given.gamma)
        return found

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        c = super().coefficients(alpha, b)
        return {k: x * to_float(self.given.gamma) for k, x in c.items()}


class PlainDistance(Pipeline):
    means = "The kernel is exp(-gamma |x - z|): the distance is not squared."
    name, flag, stage, since = "distance not squared", "DistanceNotSquared", "Gram", 3
    kernels = _GAUSSIAN

    @cached_property
    def gram(self) -> np.ndarray:
        return np.exp(-to_float(self.problem.kernel.gamma) * self._distances())  # type: ignore[attr-defined]

    def _distances(self) -> np.ndarray:
        X = self.points()
        found: np.ndarray = np.sqrt(squared_distances(X, X, arithmetic("float")))
        return found


class SumOfDistances(PlainDistance):
    means = "The kernel is exp(-gamma sum |x_l - z_l|): the distances are not squared."

    def _distances(self) -> np.ndarray:
        return sum((np.abs(np.subtract.outer(x, x)) for x in self.points().T), np.zeros(()))


class WithoutCoef0(OtherKernel):
    means = "The constant coef0 is forgotten: (gamma x.z)^p instead of (gamma x.z + coef0)^p."
    name, flag, kernels = "coef0 not the given one", "Coef0Forgotten", _POLYNOMIAL
    constant = fmpq(0)

    def used(self) -> Kernel:
        return Polynomial(self.given.degree, self.given.gamma, self.constant).for_columns(self.d)


class Coef0One(WithoutCoef0):
    means = "The constant coef0 is 1 instead of the given one."

    constant = fmpq(1)


class LinearWithConstant(OtherKernel):
    means = "The linear kernel is x.z + 1 instead of x.z."
    name, flag, kernels = "constant added to the linear kernel", "ConstantInLinearKernel", _LINEAR

    def used(self) -> Kernel:
        return Polynomial(1, 1, 1).for_columns(self.d)


class PowerOneLess(OtherKernel):
    means = "The power of the kernel is one too small."
    name, flag, kernels = "degree off by one", "DegreeOffByOne", _POLYNOMIAL
    change = -1

    def used(self) -> Kernel:
        degree = max(self.given.degree + self.change, 1)
        return Polynomial(degree, self.given.gamma, self.given.coef0).for_columns(self.d)


class PowerOneMore(PowerOneLess):
    means = "The power of the kernel is one too large."

    change = 1


class OtherMeasure(Pipeline):
    """The indices are computed under another measure."""

    kernels, stage, since = _GAUSSIAN + _POLYNOMIAL + _LINEAR, "coefficients", 3

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        """Return the measure that the program uses for a column."""
        return measure

    def used(self) -> list[IndexMeasure]:
        """Return the measure of each column that the program uses."""
        columns = zip(self.problem.under, self.problem.points.T, strict=True)
        return [self.instead(measure, column) for measure, column in columns]

    def understood(self) -> Problem:
        return self.problem.replace(under=self.used())

    def applies(self, result: Result) -> bool:
        return tuple(self.used()) != self.problem.under


class UniformOnMinusOneToOne(OtherMeasure):
    means = "The uniform measure is on [-1, 1] instead of the given interval or the range of the column."
    name, flag = "uniform measure on a fixed interval", "UniformOnFixedInterval"
    ends = (-1, 1)

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        return Uniform(*self.ends) if isinstance(measure, Uniform) else measure


class UniformOnZeroToOne(UniformOnMinusOneToOne):
    means = "The uniform measure is on [0, 1] instead of the given interval or the range of the column."

    ends = (0, 1)


class UniformOnTheRange(OtherMeasure):
    means = "The uniform measure is on the range of the column although an interval is given."
    name, flag = "interval of the uniform measure ignored", "IgnoredInterval"

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        return Uniform() if isinstance(measure, Uniform) else measure


class IgnoredMeasure(OtherMeasure):
    means = "The indices are computed under the empirical measure although another one is given."
    name, flag = "measure of the indices ignored", "MeasureOfIndicesIgnored"

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        return Empirical()


class AlwaysUniform(OtherMeasure):
    means = "The indices are computed under the uniform measure on the ranges although another one is given."
    name, flag = "measure of the indices ignored", "MeasureOfIndicesIgnored"

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        return Uniform()


class FirstOfTheMeasures(OtherMeasure):
    means = "The measure of the indices of the first column is used for every column."
    name, flag = "one measure for all coordinates", "OneMeasureForAllCoordinates"

    def used(self) -> list[IndexMeasure]:
        return [self.problem.under[0]] * self.d


class SdAsVariance(OtherMeasure):
    means = "The standard deviation of the normal measure is taken for its variance."
    name, flag = "standard deviation and variance confused", "SdAndVarianceConfused"

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        return Normal(measure.mean, self.sd(measure)) if isinstance(measure, Normal) else measure

    def sd(self, measure: Normal) -> fmpq:
        """Return the standard deviation that the program uses."""
        return QQ(to_float(measure.sd) ** 0.5)


class VarianceAsSd(SdAsVariance):
    means = "The square of the standard deviation of the normal measure is used as its standard deviation."

    def sd(self, measure: Normal) -> fmpq:
        found: fmpq = measure.sd**2
        return found


class StandardNormal(OtherMeasure):
    means = "The mean and the standard deviation of the normal measure are 0 and 1 instead of the given ones."
    name, flag = "standard normal measure", "StandardNormal"

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        return Normal(0, 1) if isinstance(measure, Normal) else measure


class DistinctValues(OtherMeasure):
    means = "The empirical measure counts each distinct value of a column once instead of each row."
    name, flag = "repeated values counted once", "DistinctValuesOnly"

    def instead(self, measure: IndexMeasure, column: np.ndarray) -> IndexMeasure:
        return Discrete(sorted(set(column))) if isinstance(measure, Empirical) else measure


class SampleCovariance(Pipeline):
    means = "The covariances of the empirical measure are divided by m - 1 instead of m."
    name, flag, stage, since = "covariances divided by m - 1", "SampleCovariances", "coefficients", 3
    kernels = _GAUSSIAN

    def applies(self, result: Result) -> bool:
        return any(isinstance(measure, Empirical) for measure in self.problem.under)

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        factor = self.problem.m / (self.problem.m - 1)
        empirical = [isinstance(measure, Empirical) for measure in self.problem.under]
        return {
            k: x * factor ** sum(empirical[i - 1] for i in active_coordinates(k))
            for k, x in super().coefficients(alpha, b).items()
        }


class ConstantKept(Pipeline):
    means = (
        "The constant part of h is not removed: shares are divided by the mean of h^2, not by its variance."
    )
    name, flag = "constant not removed from the variance", "ConstantInVariance"
    stage, since, kernels = "aggregation", 3, _GAUSSIAN + _POLYNOMIAL + _LINEAR
    counts_constant = True


class Cancellation(Pipeline):
    means = "The covariances are differences of two almost equal numbers, A - m m^T, and lost their digits."
    name, flag = "cancellation in the covariances", "CancelledCovariances"
    stage, since, kernels = "coefficients", 3, _GAUSSIAN
    needed_digits_kinds = ("okc",)

    def applies(self, result: Result) -> bool:
        if result.okc is None or (alpha := result.alpha or self.dual) is None:
            return False
        digits = self._digits(np.array([to_float(to_rational(x)) for x in self.signed(alpha)]))
        self.needed_digits = max(digits - 2, 0.5)
        return digits < 12

    def _digits(self, s: np.ndarray) -> float:
        """Estimate the digits that remain: an error of 2^-53 in A against the variance of h."""
        i, j = np.indices((self.problem.m, self.problem.m))
        parts = self.problem.kernel.at(self.problem.points, self.A).decompose(self.measures)
        t = parts.scale(s)
        total = np.expm1(sum(np.log1p(B) for B in parts.factors(i, j)))
        return 53 * log10(2) - log10(float(np.sum(np.abs(t)) ** 2 / abs(t @ total @ t)))
