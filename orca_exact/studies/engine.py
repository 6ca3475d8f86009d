"""Certified indices of many classifiers on the same points, with varying labels and weights.

The measure of the indices stays that of all points, also for a classifier of some of them.

The Gram matrix, and the coefficient of each pair of points (or of each mode, if these are fewer) in each sum,
are computed once in verified float64. Each classifier then takes one small system, one proof and one product.

``Engine.read`` *rounds every share correctly* to ``DECIMALS`` decimals; ball arithmetic is used if float64
does not decide. So a share is the same integer on every machine and with any number of threads, and
comparisons are exact. ``labellings.read_labellings`` computes many classifiers at once, rounds to the nearest
and keeps a bound for each number instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, cast

import numpy as np
from flint import arb, fmpq

from .. import cost
from ..errors import BadInput, SolverFailed, Undecided, ZeroClassifier
from ..kernels.kernel import Decomposition
from ..kernels.product import ProductDecomposition
from ..numbers.arithmetic import arithmetic
from ..numbers.midrad import UNIT_ROUNDOFF, MidRad
from ..numbers.rationals import QQ, midpoint
from ..problem import Problem
from ..profile.forms import FORM_FAMILIES, BoundedForms
from ..profile.generating import PairSummands
from ..profile.indices import EPSILONS, INDICES, Summary, UndecidedSummary
from ..profile.profile import orca, widen_share
from ..profile.support import Support
from ..svm.active import Degenerate
from ..svm.certificate import Certificate
from ..svm.certify import certify
from ..svm.verified import VerifiedDual, certify_in_float64

DECIMALS = 6
UNIT = 10**DECIMALS
MISSING = -1  # undecided, or undefined because w = 0
UNTESTED_INDICES = (
    "cumulative",
    "block",
)  # indices with too many keys to test: F(T) sums OKC_N, C_N^(q) splits it
BALL_DIGITS = (20, 60)  # digits of the balls that are tried; the last ones round to the nearest
_ENTRIES = 2**25  # matrix entries that are kept in memory: half a gigabyte
MAX_GRAM_POINTS = 2_000  # largest number of points whose Gram matrix is kept
EXPECTED_FAILURES = (Undecided, SolverFailed, np.linalg.LinAlgError, BadInput)


class Column(NamedTuple):
    """One number of a profile: an index by its key, N* ("peak") or T_eps ("threshold")."""

    name: str
    key: tuple[Any, ...] = ()

    @property
    def unit(self) -> int:
        """Number of units in 1: shares count in units of the last decimal, degrees in ones."""
        return UNIT if self.name in INDICES else 1

    @property
    def label(self) -> str:
        """Symbol of the number, as in OKC^(2)."""
        return self.label_with(())

    def label_with(self, names: Sequence[str]) -> str:
        """Return the symbol with the names of columns, if there are any, as in 'OKC of age, income'."""
        if self.name in INDICES:
            return INDICES[self.name].label_of(self.key, names)
        return f"T_{self.key[0]}" if self.key else "N*"

    @property
    def identifier(self) -> str:
        """Name and key joined by underscores, as in pair_1_2 or threshold_0.1."""
        return "_".join([self.name, *map(str, self.key)])


def study_columns(problem: Problem) -> tuple[Column, ...]:
    """Return the numbers that are computed for every classifier: most indices, then N* and T_eps.

    Indices by degree, N* and T_eps are left out if the kernel does not have them.
    """
    top = problem.kernel.top_degree
    shares = [
        Column(name, key)
        for name, index in INDICES.items()
        if name not in UNTESTED_INDICES and not (index.by_degree and top is None)
        for key in index.keys(top or 0, problem.d)
    ]
    if top is None:
        return tuple(shares)
    return (*shares, Column("peak"), *(Column("threshold", (eps,)) for eps in EPSILONS))


def with_measures(problem: Problem, **changes: Any) -> Problem:
    """Return the problem with other points and the measures of the indices that it has now."""
    if problem.kernel.own_measures is None:
        changes["under"] = problem.index_measures
    return problem.replace(**changes)


@dataclass(frozen=True)
class Reading:
    """The numbers of one classifier as integers, and how they were proved.

    ``proof`` is "float", "ball", "undecided" or "zero"; only the first two have a certificate. ``errors`` has
    for each value a bound of its distance from the correctly rounded one; without it, all are 0.
    """

    values: list[int]
    proof: str
    certificate: Certificate | None = field(default=None, compare=False)
    errors: list[int] | None = None

    @property
    def active(self) -> list[list[int]] | None:
        """Numbers of the free and of the bound points, counted from 1."""
        proof = self.certificate
        return None if proof is None else [list(proof.free), list(proof.bound)]


def round_to_unit(x: arb | fmpq, nearest: bool = False) -> int:
    """Round to units of the last decimal; return MISSING if the ball contains numbers that round differently.

    ``nearest`` rounds the midpoint instead.
    """
    middle, radius = (midpoint(x), midpoint(x.rad())) if isinstance(x, arb) else (x, fmpq(0))
    radius = fmpq(0) if nearest else radius
    low, high = ((end * UNIT + fmpq(1, 2)).floor() for end in (middle - radius, middle + radius))
    return int(low) if low == high else MISSING


class Engine:
    """Certified indices of classifiers on one set of points.

    ``single_use`` skips precomputations that pay off only for several classifiers.
    """

    def __init__(self, problem: Problem, single_use: bool = False):
        self.single_use = single_use
        given = with_measures(problem, X=problem.points, rescale=False) if problem.rescale else problem
        self.problem, self.columns = given, study_columns(problem)
        self.shares = [c for c in self.columns if c.name in INDICES]

    @cached_property
    def dual(self) -> VerifiedDual:
        dual = VerifiedDual(self.problem)
        if self.problem.m <= MAX_GRAM_POINTS:
            for factors in (dual.R, dual.plain):
                factors.matrix  # noqa: B018  (fills the cached property)
        if dual.in_range and not self.single_use:
            dual.rows  # noqa: B018
        return dual

    @cached_property
    def alpha(self) -> tuple[fmpq, ...] | None:
        """Approximate alpha of the given labels, as a starting point; None if it was not found."""
        try:
            proof = certify_in_float64(self.dual)
        except EXPECTED_FAILURES:
            return None
        return tuple(midpoint(x) for x in proof.alpha(BALL_DIGITS[0]))

    def read(
        self, y: Sequence[int], bounds: Sequence[fmpq] | None = None, start: Sequence[fmpq] | None = None
    ) -> Reading:
        """Certify the classifier of these labels and return its numbers.

        A point whose bound C_i is 0 is left out. ``start`` is an approximate alpha.
        """
        C = self.problem.bounds if bounds is None else bounds
        with np.errstate(all="ignore"):
            try:
                rows, proof = self.certify(y, C, start)
                values = self._read_in_float64(proof.problem, rows, proof)
                if MISSING not in values:
                    return Reading(values, "float", proof)
            except EXPECTED_FAILURES:
                pass
        return self.read_in_balls(y, C)

    def certify(
        self, y: Sequence[int], C: Sequence[fmpq], start: Sequence[fmpq] | None = None
    ) -> tuple[np.ndarray, Certificate]:
        """Certify the classifier of these labels in float64; return the points with C_i > 0 as well."""
        rows = np.array([i for i, bound in enumerate(C) if bound > 0])
        given = None if start is None else [min(start[i], C[i]) for i in rows]
        some = rows if len(rows) < self.problem.m else None
        return rows, _certify_from(self.dual.with_labels(self._problem(rows, y, C), some), given)

    def read_in_balls(self, y: Sequence[int], C: Sequence[fmpq]) -> Reading:
        """Return the numbers of the classifier of these labels in balls."""
        rows = np.array([i for i, bound in enumerate(C) if bound > 0])
        return read_in_balls(self._problem(rows, y, C), self.columns)

    def _problem(self, rows: np.ndarray, y: Sequence[int], C: Sequence[fmpq]) -> Problem:
        p = self.problem
        under = p.index_measures if p.kernel.own_measures is None else None
        X, labels = p.points[rows], [y[i] for i in rows]
        return Problem(X, labels, kernel=p.kernel, C=[C[i] for i in rows], under=under)

    def _read_in_float64(self, problem: Problem, rows: np.ndarray, proof: Certificate) -> list[int]:
        if self._forms is None:
            return _round_profile(orca(problem, proof, "verified"), self.columns)
        A = arithmetic("verified")
        with A.scope():
            expansion = proof.expansion(A)
            s: Any = MidRad.zeros((self.problem.m, 1))
            s[rows, 0] = expansion.s
            sums = self.sums(s)[:, 0]
            norm = sums[-1]
            sine = self.sine(proof, norm, expansion.scale)
            shares = (sums[:-1] / MidRad.from_balls(norm)).balls()
            values = [round_to_unit(widen_share(x, sine)) for x in shares]
            return values + self.decide_summaries(shares, sine)

    def sine(self, proof: Certificate, norm: arb, scale: Any) -> arb:
        """Bound the sine of the angle between the certified h and the optimum, from the sum ``norm``.

        Raise Undecided unless it is less than 1.
        """
        variance = norm * scale * self.dual.lam * arb(4) ** self.parts.exponent
        sine: arb = arb(proof.w_error) * (arb(self.parts.embedding) / variance).sqrt()
        if not (norm > 0 and sine < 1):
            raise Undecided("||w||^2 is not separated from 0 in float64")
        return sine

    def decide_summaries(self, shares: Sequence[arb], sine: arb) -> list[int]:
        """Return N* and each T_eps, if the kernel has them, from all shares of the certified h."""
        if self.problem.kernel.top_degree is None:
            return []
        spectrum = [x for x, c in zip(shares, self.shares, strict=True) if c.name == "degree"]
        return list(decide_summaries(spectrum, sine))

    def sums(self, s: MidRad) -> MidRad:
        """Return every sum, ||h||^2 last, for signed coefficients s of all points.

        Each column of s and of the result belongs to one function.
        """
        if self._by_modes:
            if self.parts.by_pairs:  # orthogonal polynomials, whose features are the modes
                M, weights = self.dual.R.features
                a, g = M @ s, weights.reshape(-1)
            else:
                columns, g = [], None
                for k in range(s.shape[1]):
                    amplitudes, g = self.parts.amplitudes(s[:, k])
                    columns.append(amplitudes)
                a = MidRad.stack(columns).T
            return cast(MidRad, self._forms @ (a * a * g.reshape(-1, 1)))
        t = MidRad.stack([self.parts.scale(s[:, k]) for k in range(s.shape[1])]).T
        i, j = np.triu_indices(len(s))
        weights = t[i] * t[j] * np.where(i == j, 1.0, 2.0).reshape(-1, 1)
        return cast(MidRad, self._forms @ weights)

    @property
    def has_sums(self) -> bool:
        """Whether ``sums`` can be used: its coefficients are kept in memory."""
        return self._forms is not None

    @cached_property
    def pair_forms(self) -> BoundedForms | None:
        """Forms with a bound for each sum, for product kernels of all orders; None if they do not exist."""
        parts = self.parts
        if not (isinstance(parts, ProductDecomposition) and {c.name for c in self.columns} <= FORM_FAMILIES):
            return None
        m, d = self.problem.m, self.problem.d
        needed = 16.0 * (d * m**2 + len(self.columns) * m)  # of the covariances, and of the bounds
        cost.require_memory(needed, f"the indices of many labellings of {m} points", "take fewer points")
        with arithmetic("verified").scope():
            found = BoundedForms(parts, m)
        return found if found.is_suitable else None

    @cached_property
    def parts(self) -> Decomposition:
        """The decomposition of functions under the measures of the indices."""
        return self.dual.R.at.decompose(self.problem.index_measures)

    @property
    def _by_modes(self) -> bool:
        m, modes = self.problem.m, self.problem.modes
        few = modes <= m * (m + 1) // 4 and modes * m <= _ENTRIES
        return few or not self.parts.by_pairs

    @cached_property
    def _forms(self) -> Any:
        """Coefficients of every mode, or every pair, in every sum, ||h||^2 last; None if too many to keep."""
        m = self.problem.m
        count = self.parts.modes.count if self._by_modes and self.parts.modes else m * (m + 1) // 2
        if (len(self.shares) + 1) * count > _ENTRIES:
            return None
        if self._by_modes:
            counts = self._membership()
            return MidRad(
                counts, np.where(counts == counts.round(), 0.0, counts * UNIT_ROUNDOFF)
            )  # 1/q is rounded
        A = arithmetic("verified")
        with A.scope():
            forms = PairSummands(Support(self.problem, A, A.elements([arb(1)] * m), self.dual.R.at))
            names = dict.fromkeys(c.name for c in self.shares)
            rows = [row for name in names for row in INDICES[name].sums(forms)]
            return MidRad.stack([*rows, forms.norm])

    def _membership(self) -> np.ndarray:
        """Return the factor of each mode in each sum, from the definition of the indices: 1, or 1/q, or 0."""
        rows = {(c.name, c.key): row for row, c in enumerate(self.shares)}
        modes: Any = self.parts.modes
        counts = np.zeros((len(rows) + 1, modes.count))
        for column, k in enumerate(modes):
            if not (any(k) or self.parts.has_constant):
                continue
            counts[-1, column] = 1.0
            for name in dict.fromkeys(c.name for c in self.shares):
                for key in INDICES[name].keys_of(k, modes.top_degree):
                    counts[rows[name, key], column] = 1.0 / INDICES[name].divisor(k)
        return counts


def _certify_from(dual: VerifiedDual, start: Sequence[fmpq] | None) -> Certificate:
    """Certify from a starting point, or from scratch if that fails."""
    if start is not None:
        try:
            return certify_in_float64(dual, start)
        except EXPECTED_FAILURES:
            pass
    return certify_in_float64(dual)


def decide_summaries(spectrum: Sequence[arb], sine: arb) -> Iterator[int]:
    """Yield N* and each T_eps, or MISSING if the enclosures do not decide it."""
    inside = [widen_share(x, sine) for x in spectrum]
    best = max(range(len(spectrum)), key=lambda N: float(spectrum[N].mid()))
    yield best if all(inside[N] < inside[best] for N in range(len(inside)) if best != N) else MISSING
    F = list(accumulate(spectrum))
    for eps in EPSILONS:
        level = arb(1 - QQ(eps))
        T = next((T for T, x in enumerate(F[:-1]) if float(x.mid()) >= float(level.mid())), len(F) - 1)
        reached = len(F) - 1 == T or widen_share(F[T], sine) > level
        yield T if reached and (T == 0 or widen_share(F[T - 1], sine) < level) else MISSING


def read_single(problem: Problem, start: Sequence[fmpq] | None = None) -> Reading:
    """Return the numbers of a problem that does not share its points with another one."""
    return Engine(problem, single_use=True).read(problem.y, start=start)


def read_in_balls(problem: Problem, wanted: Sequence[Column]) -> Reading:
    """Return the numbers of a problem in balls, with more digits if needed.

    A number that 60 digits cannot round is rounded to the nearest.
    """
    values: list[int] = [MISSING] * len(wanted)
    for digits in BALL_DIGITS:
        try:
            proof = certify(problem, level="ball", digits=digits)
            profile = orca(problem, proof, "ball", digits)
            values = _round_profile(profile, wanted, digits == BALL_DIGITS[-1])
        except ZeroClassifier:
            return Reading(values, "zero")
        except Degenerate:
            break
        except EXPECTED_FAILURES:
            continue
        if MISSING not in values:
            return Reading(values, "ball", proof)
    return Reading(values, "undecided")


def _round_profile(profile: Any, wanted: Sequence[Column], nearest: bool = False) -> list[int]:
    summary: Summary = profile.summary()
    stated: Mapping[Column, int | UndecidedSummary | None] = {
        Column("peak"): summary.peak,
        **{Column("threshold", (eps,)): T for eps, T in summary.threshold.items()},
    }
    found = []
    for column in wanted:
        if column in stated:
            x = stated[column]
            found.append(x if isinstance(x, int) else MISSING)
        else:
            found.append(round_to_unit(profile.family(column.name)[column.key], nearest))
    return found
