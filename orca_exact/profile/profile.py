"""Orthogonal Representation Contribution Analysis (section 5): c_k, blocks, and every OKC index.

From signed dual coefficients s_i = alpha_i y_i, in any arithmetic, by two routes:

- the generating function, at any d: C_N^(q) is the coefficient of t^q z^N in
  sum_ij s_i s_j prod_l (1 + t sum_{k=1}^n z^k pi_k(x_il) pi_k(x_jl) h_0/h_k), times lambda;
- enumeration of the (n+1)^d modes, where they are few enough.

Indices are ratios of such sums, so lambda drops out of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, wraps
from itertools import combinations
from typing import Any

import numpy as np
from flint import arb, fmpq, fmpq_poly

from ..arithmetic import QQ, Arithmetic, bits, over_common_denominator, vector
from ..arithmetic import arithmetic as make_arithmetic
from ..errors import BadParameter, Undecided, ZeroClassifier
from ..kernel import basis
from ..problem import Problem
from ..svm.tau import Ratio
from .enumeration import Enumeration, _gather

PAIRS = 1024  # pairs (i, j) at a time: the left and right factors stay in cache


def elementary(A: Sequence) -> list:
    """[1, e_1, ..., e_d]: the coefficients of t^q in prod_l (1 + t A_l), e_0 left implicit as None."""
    e: list = [None]
    for a in A:
        grown = [None, *e[1:], None]
        for q in range(1, len(e) + 1):
            term = a if q == 1 else e[q - 1] * a
            grown[q] = term if q == len(e) else e[q] + term
        e = grown
    return e


def scoped(method: Any) -> Any:
    """A lazily computed attribute, at the precision of the profile's arithmetic."""

    @wraps(method)
    def compute(self: Profile) -> Any:
        with self.arithmetic.scope():
            return method(self)

    return compute


class Profile(Enumeration):
    """The ORCA profile of one classifier. Coordinates are 1-based, as in the paper.

    ``s`` are the signed coefficients up to a common factor; ``scale`` turns s^T R s into ||h||^2.
    ``w_error`` bounds the distance from w to the optimal w; every index is widened to hold the optimum's.
    """

    def __init__(self, problem: Problem, s: Any, A: Arithmetic, scale: Any, w_error: arb | None = None):
        self.problem, self.arithmetic, self.scale = problem, A, scale
        self.n, self.d = problem.n, problem.d
        with A.scope():
            support = [i for i, value in enumerate(s) if not _is_zero(value)]
            self._w_error = w_error
            if not support:
                raise self._nothing()
            values, self.weights = basis(problem, A)
            s = np.asarray(s, dtype=float) if A.name == "float" else vector(s)
            self.values, self.s = values[:, :, support], s[support]
            if A.name == "exact" and not any(isinstance(x, fmpq_poly) for x in self.s):
                # one denominator, moved to the scale: fractions of 10^5 bits should not meet a gcd again
                denominator, numerators = over_common_denominator(self.s)
                self.s, self.scale = vector(map(fmpq, numerators)), _over(scale, denominator)
            i, j = np.triu_indices(len(support))
            self._i, self._j = i, j
            twice = A.array([fmpq(1 if a == b else 2) for a, b in zip(i, j, strict=True)])
            self._w = self.s[i] * self.s[j] * twice
            self._check_norm()

    def __repr__(self) -> str:
        return f"<Profile d={self.d} n={self.n} {self.arithmetic!r}>"

    # Bilinear forms: everything that needs no degrees.

    @cached_property
    @scoped
    def _factors(self) -> list:
        """A_l(1) = sum_{k>=1} pi_k(x_il) pi_k(x_jl) h_0/h_k for each coordinate, over the pairs."""
        return [self._factor(P, 1) for P in self.values]

    def _factor(self, P: np.ndarray, z: int) -> np.ndarray:
        total = 0 * P[0][self._i]
        for k in range(1, self.n + 1):
            total = total + P[k][self._i] * (P[k] * (self.weights[k] * z**k))[self._j]
        return total

    def _sum(self, form: np.ndarray | None) -> Any:
        """sum_ij s_i s_j F_ij; F = 1 where form is None."""
        return self._w.sum() if form is None else self.arithmetic.dot(self._w, form)

    @cached_property
    @scoped
    def _orders(self) -> list:
        e = elementary(self._factors if self.n else [])
        forms = [self._sum(form) for form in e]
        return forms + [0 * self._norm] * (self.d + 1 - len(forms))

    @cached_property
    @scoped
    def _norm(self) -> Any:
        """||h||^2 / scale."""
        return self._sum(self._product(self._factors))

    @staticmethod
    def _product(factors: list) -> Any:
        out: Any = 1
        for factor in factors:
            out = out * (factor + 1)
        return out

    def _nothing(self) -> Exception:
        """What a vanishing w means: w = 0, unless only a bound on its error is known."""
        if self._w_error is None or self._w_error.is_zero():
            return ZeroClassifier()
        return Undecided(
            "the certificate's w is 0 within its error bound: no index is decided; certify again"
        )

    def _check_norm(self) -> None:
        if _is_zero(self._norm):
            raise self._nothing()
        if isinstance(self._norm, arb) and not self._norm > 0:
            raise Undecided(
                "||w||^2 is not separated from 0 at this precision; certify with more digits, or exactly"
            )

    def _index(self, numerator: Any) -> Any:
        """numerator/||h||^2, widened by the angle between w and the optimum where only a bound is known."""
        if isinstance(numerator, fmpq_poly) or isinstance(self._norm, fmpq_poly):
            ratio = Ratio(fmpq_poly(numerator), fmpq_poly(self._norm), self.problem)
            a, b = ratio.numerator, ratio.denominator
            c = a[a.degree()] / b[b.degree()] if a.degree() == b.degree() >= 0 else fmpq(0)
            return c if a == b * c else ratio
        index = numerator / self._norm
        return index if self._w_error is None else _widen(index, self._sine)

    @cached_property
    @scoped
    def _sine(self) -> arb:
        sine = self._w_error / (self._norm * self.scale).sqrt()
        if not sine < 1:
            raise Undecided(
                "the error bound on w is as large as w itself: every index is undecided; certify again"
            )
        return sine

    @cached_property
    @scoped
    def norm2(self) -> Any:
        """||h||^2 in the RKHS."""
        if isinstance(self._norm, fmpq_poly) or isinstance(self.scale, Ratio):
            scale = self.scale
            return Ratio(self._norm * scale.numerator, scale.denominator, self.problem)
        norm2 = self._norm * self.scale
        if self._w_error is None:
            return norm2
        root = _root(norm2) + arb(0, self._w_error)
        return root * root  # not root**2: python-flint's power of a ball around 0 is nan

    @cached_property
    @scoped
    def order(self) -> list:
        """OKC^(q), q = 0 ... d."""
        return [self._index(value) for value in self._orders]

    @cached_property
    @scoped
    def marginal(self) -> dict[int, Any]:
        """OKC_i, i = 1 ... d."""
        return {i: self.subset((i,)) for i in range(1, self.d + 1)}

    @cached_property
    @scoped
    def pair(self) -> dict[tuple[int, int], Any]:
        """OKC_ij, 1 <= i < j <= d."""
        return {ij: self.subset(ij) for ij in combinations(range(1, self.d + 1), 2)}

    def subset(self, S: Sequence[int]) -> Any:
        """The index of the modes whose active coordinates are exactly S."""
        S = sorted(S)
        if any(not isinstance(i, int) or not 1 <= i <= self.d for i in S) or len(set(S)) < len(S):
            raise BadParameter("S", S, f"is not a set of coordinates from 1 to {self.d}", "count from 1")
        with self.arithmetic.scope():
            form: Any = None
            for i in S:
                factor = self._factors[i - 1]
                form = factor if form is None else form * factor
            return self._index(self._sum(form))

    @cached_property
    @scoped
    def _parities(self) -> tuple[Any, Any]:
        """At z = -1 the generating function is even - odd."""
        alternating = self._sum(self._product([self._factor(P, -1) for P in self.values]))
        half = self.arithmetic(fmpq(1, 2))
        return (self._norm + alternating) * half, (self._norm - alternating) * half

    @property
    def even(self) -> Any:
        with self.arithmetic.scope():
            return self._index(self._parities[0])

    @property
    def odd(self) -> Any:
        with self.arithmetic.scope():
            return self._index(self._parities[1])

    # The two-way profile.

    @cached_property
    @scoped
    def blocks(self) -> np.ndarray:
        """C_N^(q) / scale as a (d+1, dn+1) array, by the generating function."""
        A, n = self.arithmetic, self.n
        zero = 0 * self._norm
        C = np.empty((self.d + 1, self.d * n + 1), dtype=self.s.dtype)
        C.fill(zero)
        if n == 0:
            C[0, 0] = self._norm
            return C
        h = A.split(self.d)
        chunk = len(self._i) if A.name == "exact" else PAIRS
        product: Any = 0
        for start in range(0, len(self._i), chunk):
            piece = slice(start, start + chunk)
            i, j = self._i[piece], self._j[piece]
            factors = [  # A_l(z)/z: the coefficient of z^(k-1) belongs to degree k
                A.polynomials(P[1:, i] * (P[1:] * self.weights[1:, None])[:, j]) for P in self.values
            ]
            (rows, left), (columns, right) = (
                self._stack(half, len(i)) for half in (factors[:h], factors[h:])
            )
            product = product + A.contract(left, self._w[piece], right)
        return _gather(C, rows, columns, product)

    def _stack(self, factors: list, count: int) -> tuple[np.ndarray, Any]:
        """The labels (q, N) and, row by row over the pairs, the coefficients of t^q z^N."""
        lengths = [q * (self.n - 1) + 1 for q in range(1, len(factors) + 1)]
        labels = [(0, 0)] + [(q, q + k) for q, length in enumerate(lengths, 1) for k in range(length)]
        return np.array(labels), self.arithmetic.stack(elementary(factors)[1:], lengths, count)

    @cached_property
    @scoped
    def block(self) -> dict[tuple[int, int], Any]:
        """OKC_N^(q)."""
        return {(q, N): self._index(value) for (q, N), value in np.ndenumerate(self.blocks)}

    @cached_property
    @scoped
    def degree(self) -> list:
        """OKC_N, N = 0 ... dn."""
        return [self._index(value) for value in self.blocks.sum(axis=0)]

    @cached_property
    @scoped
    def cumulative(self) -> list:
        """F(T) = sum_{N <= T} OKC_N."""
        return [self._index(value) for value in np.cumsum(self.blocks.sum(axis=0))]

    @property
    def peak(self) -> int:
        """N*, the smallest degree that carries most; Undecided if the enclosures do not tell."""
        with self.arithmetic.scope():
            spectrum = [_comparable(value) for value in self.degree]
            if any(isinstance(value, arb) for value in spectrum):
                spectrum = [arb(value) for value in spectrum]
                best = max(value.lower() for value in spectrum)
                candidates = tuple(N for N, value in enumerate(spectrum) if not value < best)
                if len(candidates) > 1:
                    raise Undecided(f"N* is one of {candidates}: raise digits, or it is a tie", candidates)
                return candidates[0]
            return spectrum.index(max(spectrum))

    def threshold(self, eps: Any) -> tuple[int, Any]:
        """(T_eps, F(T_eps)): the smallest T with F(T) >= 1 - eps."""
        level = 1 - QQ(eps, "eps")
        if not 0 <= level <= 1:
            raise BadParameter("eps", eps, "is not between 0 and 1", "try 0.05")
        with self.arithmetic.scope():
            for T, F in enumerate(self.cumulative):
                value, bound = _comparable(F), self.arithmetic(level)
                if self.d * self.n == T or value >= bound:  # F(dn) = 1
                    return T, F
                if isinstance(value, arb) and not value < bound:
                    raise Undecided(f"T_{eps} is {T} or more: F({T}) = {value} meets 1 - {eps}", (T, T + 1))
        raise AssertionError("F(dn) = 1")


def _over(scale: Any, denominator: Any) -> Any:
    square = denominator * denominator
    if isinstance(scale, Ratio):
        return Ratio(scale.numerator, scale.denominator * square, scale.problem)
    return scale / square


def _is_zero(value: Any) -> bool:
    return value.is_zero() if isinstance(value, arb) else value == 0


def _comparable(value: Any) -> Any:
    return value.ball() if isinstance(value, Ratio) else value


def _widen(index: arb, sine: arb) -> arb:
    """cos^2 of an angle phi, for all angles within arcsin(sine) of it."""
    index = index.max(arb(0)).min(arb(1))
    c, s, cosine = _root(index), _root(1 - index), (1 - sine * sine).sqrt()
    low, high = c * cosine - s * sine, c * cosine + s * sine
    low = low.max(arb(0))
    high = arb(1) if not s > sine else (high * high).min(arb(1))
    return (low * low).union(high)


def _root(x: arb) -> arb:
    """The square root of a number >= 0 whose ball may reach below 0."""
    low, high = (arb(end).max(arb(0)).sqrt() for end in (x.lower(), x.upper()))
    return low.union(high)


def orca(problem: Problem, result: Any, arithmetic: str = "float", digits: int = 50) -> Profile:
    """The profile of a ``Solution`` (its own alpha, nothing claimed) or a ``Certificate`` (the optimum's).

    Balls hold the true indices of the optimal classifier, to ``digits`` digits of ||h||^2 where the
    certificate carries them. Exact needs a certificate of level exact, or a Solution.
    """
    working = digits
    while True:
        A = make_arithmetic(arithmetic, working)
        with A.scope():
            s, scale, w_error = _signed(problem, result, A)
            profile = Profile(problem, s, A, scale, w_error)
            wide = isinstance(profile._norm, arb) and profile._norm.rel_accuracy_bits() < bits(digits) - 32
        if not wide or working > 8 * digits:
            return profile
        working *= 2


def _signed(problem: Problem, result: Any, A: Arithmetic) -> tuple[np.ndarray, Any, arb | None]:
    """s, the factor that turns s^T R s into ||h||^2, and the bound on w where there is one."""
    if result.problem.sha256 != problem.sha256:
        raise BadParameter(
            "result", "another problem's", "solution was given", "solve or certify this problem"
        )
    y = problem.signs
    if not hasattr(result, "level"):
        s = A.array([a * label for a, label in zip(result.alpha, y, strict=True)])
        return s, _scale(problem, A), None
    if A.name == "exact":
        if result.level != "exact":
            raise BadParameter(
                "arithmetic", "exact", f"needs more than a {result.level} certificate", "certify exactly"
            )
        parts = [(p * label, q * label) for p, q, label in zip(result.u, result.v, y, strict=True)]
        return (
            vector(fmpq_poly([p, q]) if q != 0 else p for p, q in parts),
            _scale(problem, A, inverse=True),
            None,
        )
    if A.name == "ball":
        tau = problem.lambda_ball() * problem.C
        if result.enclosure:
            s = vector(result.enclosure[0].get(i, arb(0)) for i in range(problem.m))
        else:
            s = vector((p + q * tau) * label for p, q, label in zip(result.u, result.v, y, strict=True))
        bound = None if result.level == "exact" or result.enclosure else result.w_error
        return s, 1 / problem.lambda_ball(), bound
    tau = problem.lambda_in(A) * A(problem.C)
    s = A.array(result.u) + A.array(result.v) * tau
    return s * A.array(y), 1 / problem.lambda_in(A), None


def _scale(problem: Problem, A: Arithmetic, inverse: bool = False) -> Any:
    """lambda, or 1/lambda, as an element; where it is irrational, exactly, as tau/C or C/tau."""
    if A.name != "exact" or problem.lambda_is_rational:
        lam = problem.lambda_in(A)
        return 1 / lam if inverse else lam
    tau, C = fmpq_poly([0, 1]), fmpq_poly([problem.C])
    return Ratio(C, tau, problem) if inverse else Ratio(tau, C, problem)
