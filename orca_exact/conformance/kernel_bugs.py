"""Known bugs before the solver: in the points, the polynomials and the kernel (see ``bugs``)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from flint import arb, fmpq

from ..kernels.modes import Modes
from ..kernels.orthogonal import OrthogonalPolynomials
from ..measures.families import Discrete, Hermite, Laguerre
from ..measures.jacobi import Jacobi
from ..measures.measure import Measure
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, to_float
from ..problem import Problem
from ..profile.index import Mode, active_coordinates
from ..svm.gram import gram
from .comparison import to_rational
from .pipeline import Pipeline
from .reference import MAX_COEFFICIENTS
from .result import Result, ResultNumber


class Float64(Pipeline):
    """The correct pipeline in float64."""

    name, flag, stage = "none", "", "format"


class PolynomialBug(Pipeline):
    """A bug of kernels of orthogonal polynomials."""

    kernels = (OrthogonalPolynomials.family,)


class Unnormalised(PolynomialBug):
    means = "The kernel sums the classical P_k instead of the orthonormal p_k = P_k/sqrt(h_k)."
    name, flag, stage = "unnormalised polynomials", "UnnormalisedPolynomials", "basis"

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        found: np.ndarray = values * self.roots(measure, len(values) - 1)[:, None]
        return found

    def roots(self, measure: Measure, n: int) -> np.ndarray:
        """Return sqrt(h_k) of the classical polynomials, which are multiples of the monic ones."""
        found: np.ndarray = self._monic_roots(measure, n) * np.array(measure.classical_leads(n))
        return found

    def _monic_roots(self, measure: Measure, n: int) -> np.ndarray:
        h0 = measure.h0_in(arithmetic("float"))
        return np.sqrt([to_float(h) * h0 for h in measure.h_ratios(n)])


class Monic(Unnormalised):
    means = "The kernel sums the monic pi_k instead of the orthonormal p_k = pi_k/sqrt(h_k)."

    def roots(self, measure: Measure, n: int) -> np.ndarray:
        return self._monic_roots(measure, n)


class UnnormalisedRatio(Unnormalised):
    means = "The polynomials are orthonormal for the weight divided by its integral: h_0 is taken as 1."

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        found: np.ndarray = values * measure.h0_in(arithmetic("float")) ** 0.5
        return found


class MissingRoot(Unnormalised):
    means = "P_k is divided by h_k instead of sqrt(h_k)."
    name, flag = "wrong power of h_k", "MissingSqrtHK"

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        found: np.ndarray = values / self.roots(measure, len(values) - 1)[:, None]
        return found


class MonicMissingRoot(MissingRoot):
    means = "The monic pi_k is divided by h_k instead of sqrt(h_k)."

    def roots(self, measure: Measure, n: int) -> np.ndarray:
        return self._monic_roots(measure, n)


class Swapped(PolynomialBug):
    means = "The Jacobi weight is taken as (1-x)^beta (1+x)^alpha instead of (1-x)^alpha (1+x)^beta."
    name, flag, stage = "alpha and beta swapped", "SwappedAlphaAndBeta", "basis"

    def setup(self) -> None:
        self.measures = tuple(Jacobi(J.beta, J.alpha) if isinstance(J, Jacobi) else J for J in self.measures)


class FirstMeasure(PolynomialBug):
    means = "The measure of the first coordinate is used for every coordinate."
    name, flag, stage = "one measure for all coordinates", "OneMeasureForAllCoordinates", "basis"

    def setup(self) -> None:
        self.measures = self.measures[:1] * self.d

    def applies(self, result: Result) -> bool:
        return self.measures != self.problem.measures


class EqualWeights(FirstMeasure):
    means = "The nodes of a discrete measure are given equal weights."
    name, flag = "node weights ignored", "IgnoredNodeWeights"

    def setup(self) -> None:
        self.measures = tuple(Discrete(J.nodes) if isinstance(J, Discrete) else J for J in self.measures)


class PhysicistsHermite(PolynomialBug):
    means = "The Hermite weight is taken as exp(-x^2) instead of exp(-x^2/2)."
    name, flag, stage = "physicists' Hermite polynomials", "HermiteOfPhysics", "basis"

    def applies(self, result: Result) -> bool:
        return Hermite() in self.measures

    def points(self) -> np.ndarray:
        return super().points() * [2**0.5 if isinstance(J, Hermite) else 1.0 for J in self.measures]

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        factor = 2**0.25 if isinstance(measure, Hermite) else 1.0  # h_0 = sqrt(pi) instead of sqrt(2 pi)
        return values * factor


class LaguerreSign(PolynomialBug):
    means = "The Laguerre p_k has the sign of L_k; the leading coefficient of every p_k must be positive."
    name, flag, stage = "sign of the Laguerre polynomials", "SignOfLaguerre", "basis"

    def applies(self, result: Result) -> bool:
        return any(isinstance(J, Laguerre) for J in self.measures)

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values * (-1.0) ** np.arange(len(values))[:, None] if isinstance(measure, Laguerre) else values


class WrongScaleOfP1(PolynomialBug):
    means = "The polynomial p_1 is multiplied by a wrong constant; the other polynomials are right."
    name, flag, stage = "p_1 wrongly scaled", "P1MisScaled", "basis"
    factor = 1.0

    def applies(self, result: Result) -> bool:
        if min(self.degrees):
            self.factor = self._from_gram(result) if result.gram else self._from_coefficients(result)
        return 1e-3 < self.factor < 1e3 and abs(self.factor - 1) > 1e-8

    def _from_gram(self, result: Result) -> float:
        """Solve K_ii = prod_l (rest_l + factor^2 p_1(x_il)^2) where the share of p_1 is largest."""
        squares = [values**2 for values in self.values]
        with np.errstate(all="ignore"):
            i = int(np.argmax(sum(square[1] / square.sum(axis=0) for square in squares)))
        product = np.poly1d([1.0])
        for square in squares:
            product *= np.poly1d([square[1, i], square[:, i].sum() - square[1, i]])
        given = result.gram or []
        if len(given) != self.problem.m or len(given[i]) != self.problem.m:
            return 1.0
        roots = (product - to_float(to_rational(given[i][i]))).roots
        return float(max((x.real for x in roots if x.real > 0 and not x.imag), default=1.0) ** 0.5)

    def _from_coefficients(self, result: Result) -> float:
        """Compare the largest of the c_k that contain p_1 once and no other p_k to its correct value."""
        if not (result.coefficients and result.alpha) or len(result.alpha) != self.problem.m:
            return 1.0
        c = Pipeline(self.problem).coefficients(result.alpha, None)
        k = max((k for k in c if sum(k) == 1), key=lambda k: abs(float(c[k])))
        return float(arb(to_rational(result.coefficients.get(k, 0)))) / float(c[k]) if c[k] else 1.0

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        scaled = values.copy()
        scaled[1] *= self.factor
        return scaled


class OneFewer(PolynomialBug):
    means = "The degrees are 0 ... n-1 instead of 0 ... n."
    name, flag, stage = "n off by one", "NOffByOne", "basis"

    def setup(self) -> None:
        self.degrees = tuple(max(n - 1, 0) for n in self.degrees)


class OneMore(OneFewer):
    means = "The degrees are 0 ... n+1 instead of 0 ... n."

    def setup(self) -> None:
        self.degrees = tuple(n + 1 for n in self.degrees)


class TotalDegree(PolynomialBug):
    means = "The kernel sums the modes with k_1 + ... + k_d <= n instead of all with k_i <= n for each i."
    name, flag, stage = "total-degree truncation", "TotalDegreeTruncation", "Gram"

    def has_mode(self, k: Mode) -> bool:
        return sum(k) <= max(self.degrees)


class MissingTopMode(PolynomialBug):
    means = "The mode (n, ..., n) is missing, both in the kernel and among the c_k."
    name, flag, stage = "mode (n, ..., n) missing", "TopModeDropped", "basis"

    def has_mode(self, k: Mode) -> bool:
        return k != self.degrees


class IgnoredOrder(PolynomialBug):
    means = "The limit of the order is ignored: every mode with k_l <= n_l is summed."
    name, flag, stage, since = "order limit ignored", "OrderLimitIgnored", "Gram", 3

    def setup(self) -> None:
        self.order = self.d

    def applies(self, result: Result) -> bool:
        kernel = self.problem.polynomials
        every = Modes(kernel.n, self.d).count
        return kernel.modes.count < every <= MAX_COEFFICIENTS


class IgnoredOrderInKernel(IgnoredOrder):
    means = "The kernel sums the modes of every order, but there are c_k only for the orders up to the limit."

    def coefficients(self, alpha: Sequence[ResultNumber], b: ResultNumber | None) -> dict[Mode, arb | float]:
        limit = self.problem.polynomials.modes.order
        found = super().coefficients(alpha, b)
        return {k: x for k, x in found.items() if len(active_coordinates(k)) <= limit}


class IgnoredOrderLater(IgnoredOrder):
    means = "The kernel is right, but there are c_k for modes of every order, also above the limit."
    stage = "coefficients"

    @cached_property
    def gram(self) -> np.ndarray:
        return gram(self.problem, self.A)


class OrderOfDegrees(PolynomialBug):
    means = "The modes have k_1 + ... + k_d <= order; the order limits the number of k_l that are not 0."
    name, flag, stage, since = "order limit applied to the total degree", "OrderTakenForDegree", "Gram", 3

    def applies(self, result: Result) -> bool:
        return not self.problem.polynomials.modes.is_product

    def has_mode(self, k: Mode) -> bool:
        return sum(k) <= self.order


class OrderOneFewer(PolynomialBug):
    means = "The modes have fewer active columns than the order; as many as the order are allowed."
    name, flag, stage, since = "order off by one", "OrderOffByOne", "Gram", 3
    change = -1

    def setup(self) -> None:
        self.order += self.change

    def applies(self, result: Result) -> bool:
        limited = self.problem.kernel.order is not None
        return limited and self.order > 0 and Modes(self.degrees, self.order).count <= MAX_COEFFICIENTS


class OrderOneMore(OrderOneFewer):
    means = "The modes have up to one active column more than the order allows."

    change = 1


class ConstantsLeftOut(PolynomialBug):
    means = (
        "Columns that are not active have the factor 1 instead of p_0; lambda does not depend on the mode."
    )
    name, flag, stage, since = "lambda of the limited kernel rescaled", "LimitedKernelRescaled", "basis", 3

    def applies(self, result: Result) -> bool:
        return self.problem.kernel.order is not None

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return np.vstack([np.ones_like(values[:1]), values[1:]])


class DividedByMeanDiagonal(ConstantsLeftOut):
    means = (
        "The Gram matrix is divided by the mean of its diagonal; lambda is that of the kernel of all orders."
    )
    stage = "Gram"

    def scale_values(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values

    @cached_property
    def gram(self) -> np.ndarray:
        K = gram(self.problem, self.A)
        found: np.ndarray = K / np.mean(np.diag(K))
        return found


class Float32(Pipeline):
    means = "Every entry of the Gram matrix is a single-precision number."
    name, flag, stage = "Gram matrix in float32", "Float32Kernel", "Gram"
    needed_digits, needed_digits_kinds = 4.5, ("gram",)

    def applies(self, result: Result) -> bool:
        entries = [to_rational(x) for row in result.gram or () for x in row]
        return bool(entries) and all(map(self._is_single, entries)) and result.written_digits > 7

    @staticmethod
    def _is_single(x: fmpq) -> bool:
        """Return whether x is a single-precision number, or the shortest decimal of one."""
        nearest = np.float32(to_float(x))
        return bool(np.isfinite(nearest)) and x in (QQ(float(nearest)), QQ(str(nearest)))


class Float32Basis(PolynomialBug):
    means = "The polynomials are computed in single precision, so that all results have about seven digits."
    name, flag, stage = "polynomials in float32", "Float32", "basis"
    needed_digits = 3.5

    def applies(self, result: Result) -> bool:
        if not result.gram or {len(row) for row in result.gram} | {len(result.gram)} != {self.problem.m}:
            return False
        own = np.array([[float(arb(to_rational(x))) for x in row] for row in result.gram])
        root = np.sqrt(np.diag(self.gram))
        return 1e-9 < float(np.max(np.abs(own - self.gram) / np.outer(root, root))) < 1e-5


class Rescaled(Pipeline):
    """The columns were rescaled in a wrong way."""

    name, flag, stage = "wrong rescaling", "WrongRescaling", "basis"

    def applies(self, result: Result) -> bool:
        return self.problem.rescale

    def points(self) -> np.ndarray:
        X = self._given_points()
        mapped = [self.problem.kernel.is_rescaled(j) for j in range(self.d)]
        X[:, mapped] = self._scaled(X[:, mapped])
        return X

    def understood(self) -> Problem:
        return self.problem.replace(X=self.points(), rescale=False, under=self.problem.under)

    def _given_points(self) -> np.ndarray:
        return np.array([[to_float(x) for x in row] for row in self.problem.X])

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        """Return the columns as a program with the bug scales them."""
        found: np.ndarray = 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1
        return found


class ToUnitInterval(Rescaled):
    means = "The columns were rescaled to [0, 1] instead of [-1, 1]."

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        found: np.ndarray = (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0))
        return found


class ByLargest(Rescaled):
    means = "The columns were divided by their largest absolute value instead of rescaled to [-1, 1]."

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        found: np.ndarray = X / np.abs(X).max(axis=0)
        return found


class Standardised(Rescaled):
    means = "The columns were standardised to mean 0 and variance 1 instead of rescaled to [-1, 1]."

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        found: np.ndarray = (X - X.mean(axis=0)) / X.std(axis=0)
        return found


class TogetherNotByColumn(Rescaled):
    means = "The columns were rescaled with one common minimum and maximum instead of each with its own."

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        found: np.ndarray = 2 * (X - X.min()) / (X.max() - X.min()) - 1
        return found


class NotRescaled(Rescaled):
    means = "The columns were not rescaled although the problem asks for it."

    def _scaled(self, X: np.ndarray) -> np.ndarray:
        return X


class RescaledEverywhere(Rescaled):
    means = "All columns were rescaled, also those whose measure is not on [-1, 1]."

    def points(self) -> np.ndarray:
        return self._scaled(self._given_points())


class RescaledUnasked(Rescaled):
    means = "The columns were rescaled although the problem does not ask for it."

    def applies(self, result: Result) -> bool:
        X = self._given_points()
        return not self.problem.rescale and bool(np.all(X.max(axis=0) > X.min(axis=0)))
