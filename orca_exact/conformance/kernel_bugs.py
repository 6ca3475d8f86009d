"""Known bugs before the solver: in the points, the polynomials, the kernel. See ``bugs``."""

from __future__ import annotations

import numpy as np
from flint import arb, fmpq

from ..measures.families import Discrete, Hermite, Laguerre
from ..measures.jacobi import Jacobi
from ..measures.measure import Measure
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, real
from ..profile.indices import Mode
from .comparison import midpoint_of
from .pipeline import Pipeline
from .result import Result


class Float64(Pipeline):
    """no bug: the true pipeline in float64"""

    name, stage = "none", "format"


class Unnormalised(Pipeline):
    """the kernel sums the classical P_k instead of the orthonormal p_k = P_k/sqrt(h_k)"""

    name, stage = "unnormalised polynomials", "basis"

    def norms(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values * self.roots(measure, len(values) - 1)[:, None]

    def roots(self, measure: Measure, n: int) -> np.ndarray:
        """sqrt(h_k) of the classical polynomials: multiples of the monic ones."""
        return self.monic_roots(measure, n) * np.array(measure.classical_leads(n))

    def monic_roots(self, measure: Measure, n: int) -> np.ndarray:
        """sqrt(h_k) of the monic pi_k."""
        h0 = measure.h0_in(arithmetic("float"))
        return np.sqrt([real(h) * h0 for h in measure.h_ratios(n)])


class Monic(Unnormalised):
    """the kernel sums the monic pi_k instead of the orthonormal p_k = pi_k/sqrt(h_k)"""

    def roots(self, measure: Measure, n: int) -> np.ndarray:
        return self.monic_roots(measure, n)


class UnnormalisedRatio(Unnormalised):
    """polynomials normalised for the weight's probability measure: h_0 is taken as 1"""

    def norms(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values * measure.h0_in(arithmetic("float")) ** 0.5


class MissingRoot(Unnormalised):
    """P_k is divided by h_k instead of sqrt(h_k)"""

    name = "missing sqrt h_k"

    def norms(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values / self.roots(measure, len(values) - 1)[:, None]


class Swapped(Pipeline):
    """the weight is taken as (1-x)^beta (1+x)^alpha"""

    name, stage = "swapped alpha and beta", "basis"

    def setup(self) -> None:
        swap = lambda J: Jacobi(J.beta, J.alpha) if isinstance(J, Jacobi) else J  # noqa: E731
        self.measures = tuple(map(swap, self.measures))


class FirstMeasure(Pipeline):
    """every coordinate has the measure of the first"""

    name, stage = "one measure for all coordinates", "basis"

    def setup(self) -> None:
        self.measures = self.measures[:1] * self.d

    def applies(self, result: Result) -> bool:
        return self.measures != self.problem.measures


class EqualNodes(FirstMeasure):
    """the nodes of a discrete measure weigh the same"""

    name = "ignored node weights"

    def setup(self) -> None:
        equal = lambda J: Discrete(J.nodes) if isinstance(J, Discrete) else J  # noqa: E731
        self.measures = tuple(map(equal, self.measures))


class PhysicistsHermite(Pipeline):
    """Hermite's weight is taken as e^(-x^2)"""

    name, stage = "Hermite of physics", "basis"

    def applies(self, result: Result) -> bool:
        return Hermite() in self.measures

    def points(self) -> np.ndarray:
        return super().points() * [2**0.5 if isinstance(J, Hermite) else 1.0 for J in self.measures]

    def norms(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return (
            values * 2**0.25 if isinstance(measure, Hermite) else values
        )  # of mass sqrt(pi), not sqrt(2 pi)


class LaguerreSign(Pipeline):
    """p_k of Laguerre's measure has the sign of L_k; its leading coefficient is to be positive, as all are"""

    name, stage = "sign of Laguerre", "basis"

    def applies(self, result: Result) -> bool:
        return any(isinstance(J, Laguerre) for J in self.measures)

    def norms(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        return values * (-1.0) ** np.arange(len(values))[:, None] if isinstance(measure, Laguerre) else values


class Misscaled(Pipeline):
    """p_1 is a multiple of what it should be, the other polynomials are right"""

    name, stage = "p_1 mis-scaled", "basis"
    factor = 1.0

    def applies(self, result: Result) -> bool:
        if min(self.degrees):
            self.factor = self.by_gram(result) if result.gram else self.by_coefficients(result)
        return 1e-3 < self.factor < 1e3 and abs(self.factor - 1) > 1e-8

    def by_gram(self, result: Result) -> float:
        """From the K_ii to which p_1 gives most: prod_l (rest + factor^2 p_1(x_il)^2)."""
        squares = [values**2 for values in self.values]
        with np.errstate(all="ignore"):
            i = int(np.argmax(sum(square[1] / square.sum(axis=0) for square in squares)))
        product = np.poly1d([1.0])
        for square in squares:
            product *= np.poly1d([square[1, i], square[:, i].sum() - square[1, i]])
        given = result.gram or []
        if len(given) != self.problem.m or len(given[i]) != self.problem.m:
            return 1.0
        found = [
            x.real for x in (product - real(midpoint_of(given[i][i]))).roots if x.real > 0 and not x.imag
        ]
        return float(max(found)) ** 0.5 if found else 1.0

    def by_coefficients(self, result: Result) -> float:
        """From the largest of the c_k that have p_1 once, and no other p_k."""
        if not (result.coefficients and result.alpha) or len(result.alpha) != self.problem.m:
            return 1.0
        c = Pipeline(self.problem).coefficients(result.alpha, None)
        k = max((k for k in c if sum(k) == 1), key=lambda k: abs(float(c[k])))
        return float(arb(midpoint_of(result.coefficients.get(k, 0)))) / float(c[k]) if c[k] else 1.0

    def norms(self, values: np.ndarray, measure: Measure) -> np.ndarray:
        scaled = values.copy()
        scaled[1] *= self.factor
        return scaled


class OneFewer(Pipeline):
    """degrees 0 ... n-1 instead of 0 ... n"""

    name, stage = "n off by one", "basis"

    def setup(self) -> None:
        self.degrees = tuple(max(n - 1, 0) for n in self.degrees)


class OneMore(OneFewer):
    """degrees 0 ... n+1 instead of 0 ... n"""

    def setup(self) -> None:
        self.degrees = tuple(n + 1 for n in self.degrees)


class TotalDegree(Pipeline):
    """modes with k_1 + ... + k_d <= n instead of the tensor product max k_i <= n"""

    name, stage = "total-degree truncation", "Gram"

    def keep(self, k: Mode) -> bool:
        return sum(k) <= max(self.degrees)


class DroppedTop(Pipeline):
    """the mode (n, ..., n) is missing, from the kernel and from c_k"""

    name, stage = "top mode dropped", "basis"

    def keep(self, k: Mode) -> bool:
        return k != self.degrees


class Float32(Pipeline):
    """every entry of the Gram matrix is a single-precision number"""

    name, stage = "float32 kernel", "Gram"
    loose, loosened = 4.5, ("gram",)

    def applies(self, result: Result) -> bool:
        entries = [midpoint_of(x) for row in result.gram or () for x in row]
        return bool(entries) and all(self.single(x) for x in entries) and result.written_digits > 7

    @staticmethod
    def single(x: fmpq) -> bool:
        """Whether it is a single-precision number, or the shortest decimal of one."""
        nearest = np.float32(real(x))
        return bool(np.isfinite(nearest)) and x in (QQ(float(nearest)), QQ(str(nearest)))


class Float32Basis(Pipeline):
    """the polynomials are computed in single precision: seven digits of them, and of all that follows"""

    name, stage = "float32", "basis"
    loose = 3.5

    def applies(self, result: Result) -> bool:
        if not result.gram or {len(row) for row in result.gram} | {len(result.gram)} != {self.problem.m}:
            return False
        own = np.array([[float(arb(midpoint_of(x))) for x in row] for row in result.gram])
        root = np.sqrt(np.diag(self.gram))
        return 1e-9 < float(np.max(np.abs(own - self.gram) / np.outer(root, root))) < 1e-5


class Rescaled(Pipeline):
    """the columns were rescaled in another way"""

    name, stage = "wrong rescaling", "basis"

    def applies(self, result: Result) -> bool:
        return self.problem.rescale

    def points(self) -> np.ndarray:
        X = np.array([[real(x) for x in row] for row in self.problem.X])
        there = [measure.domain == (-1, 1) for measure in self.measures]
        X[:, there] = self.scaled(X[:, there])
        return X

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


class RescaledEverywhere(Rescaled):
    """columns whose measure is not on [-1, 1] were rescaled too"""

    def points(self) -> np.ndarray:
        X = np.array([[real(x) for x in row] for row in self.problem.X])
        return 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1


class RescaledUnasked(Rescaled):
    """the columns were rescaled although the problem does not ask for it"""

    def applies(self, result: Result) -> bool:
        X = np.array([[real(x) for x in row] for row in self.problem.X])
        return not self.problem.rescale and bool(np.all(X.max(axis=0) > X.min(axis=0)))

    def scaled(self, X: np.ndarray) -> np.ndarray:
        return 2 * (X - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1
