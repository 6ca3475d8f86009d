"""Certified indices of many classifiers on the same points: labels and weights change, the points do not.

The Gram matrix, and what each sum takes of each pair of points (or of each mode, where these are fewer), are
computed once, in float64 with bounds. A classifier is then a small system, a proof and one product.

Every share is *correctly rounded* to ``DECIMALS`` decimals, by proof: where float64 does not tell, balls do.
So it is the same integer on any machine, with any number of threads, and comparing two of them is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from ..errors import BadInput, SolverFailed, Undecided, ZeroClassifier
from ..numbers.arithmetic import arithmetic
from ..numbers.midrad import MidRad
from ..numbers.rationals import QQ, midpoint
from ..problem import Problem
from ..profile.generating import PairForms
from ..profile.indices import EPSILONS, INDICES, OpenSummary, Summary
from ..profile.profile import orca, widen_share
from ..profile.support import Support
from ..svm.active import Degenerate
from ..svm.certificate import Certificate
from ..svm.certify import certify
from ..svm.verified import VerifiedDual, certify_in_float64

DECIMALS = 6
UNIT = 10**DECIMALS
MISSING = -1  # undecided, or undefined because w = 0
FINE = ("cumulative", "block")  # too many to test each: F(T) is a sum of OKC_N, C_N^(q) a part of it
BALL_DIGITS = (20, 60)  # of balls, where float64 does not tell; the last takes the nearest
_ENTRIES = 2**25  # of what is kept: half a gigabyte
WHOLE = 2_000  # points whose Gram matrix is kept
_NORMAL = (Undecided, SolverFailed, np.linalg.LinAlgError)


class Column(NamedTuple):
    """One number of a profile: an index by its key, N* ("peak") or T_eps ("threshold")."""

    name: str
    key: tuple[Any, ...] = ()

    @property
    def unit(self) -> int:
        """What one is: shares count in units of the last decimal, degrees in ones."""
        return UNIT if self.name in INDICES else 1

    @property
    def label(self) -> str:
        """As a table prints it."""
        if self.name in INDICES:
            return INDICES[self.name].labelled(self.key)
        return f"T_{self.key[0]}" if self.key else "N*"


def study_columns(problem: Problem) -> tuple[Column, ...]:
    """What is read off every classifier: each index but the finest, then N* and T_eps."""
    shares = [
        Column(name, key)
        for name, index in INDICES.items()
        if name not in FINE
        for key in index.keys(problem.degrees, problem.d)
    ]
    return (*shares, Column("peak"), *(Column("threshold", (eps,)) for eps in EPSILONS))


@dataclass(frozen=True)
class Reading:
    """The columns of one classifier as integers, and how it was proved: float, ball, undecided or zero."""

    values: list[int]
    proof: str
    certificate: Certificate | None = field(default=None, compare=False)  # where that is float or ball

    @property
    def active(self) -> list[list[int]] | None:
        """Its free and its bound points, from 1."""
        proof = self.certificate
        return None if proof is None else [list(proof.free), list(proof.bound)]


def round_to_unit(x: arb | fmpq, nearest: bool = False) -> int:
    """x in units of the last decimal if all of the ball rounds to it, else MISSING; or the nearest."""
    middle, radius = (midpoint(x), midpoint(x.rad())) if isinstance(x, arb) else (x, fmpq(0))
    radius = fmpq(0) if nearest else radius
    low, high = ((end * UNIT + fmpq(1, 2)).floor() for end in (middle - radius, middle + radius))
    return int(low) if low == high else MISSING


class Engine:
    """One set of points; ``read`` takes labels, and how often each point counts."""

    def __init__(self, problem: Problem, once: bool = False):
        self.once = once  # only one classifier is asked for
        given = problem.replace(X=problem.points, rescale=False) if problem.rescale else problem
        self.problem, self.columns = given, study_columns(problem)
        self.shares = [c for c in self.columns if c.name in INDICES]

    @cached_property
    def _dual(self) -> VerifiedDual:
        dual = VerifiedDual(self.problem)
        if self.problem.m <= WHOLE:
            for factors in (dual.R, dual.plain):
                factors.whole  # noqa: B018  (kept)
        if dual.holds and not self.once:
            dual.rows  # noqa: B018
        return dual

    @cached_property
    def alpha(self) -> tuple[fmpq, ...] | None:
        """Of the labels as given, near enough to start from."""
        try:
            proof = certify_in_float64(self._dual)
        except (*_NORMAL, BadInput):
            return None
        return tuple(midpoint(x) for x in proof.alpha(BALL_DIGITS[0]))

    def read(
        self, y: Sequence[int], bounds: Sequence[fmpq] | None = None, start: Sequence[fmpq] | None = None
    ) -> Reading:
        """The classifier of these labels; a point whose C_i is 0 is left out. ``start``: alpha nearby."""
        C = self.problem.bounds if bounds is None else bounds
        rows = np.array([i for i, bound in enumerate(C) if bound > 0])
        one = self._problem(rows, y, C)
        with np.errstate(all="ignore"):
            try:
                given = None if start is None else [min(start[i], C[i]) for i in rows]
                proof = _warmly(
                    self._dual.relabelled(one, rows if len(rows) < self.problem.m else None), given
                )
                values = self._quickly(one, rows, proof)
                if MISSING not in values:
                    return Reading(values, "float", proof)
            except (*_NORMAL, BadInput):
                pass
        return read_in_balls(one, self.columns)

    def _problem(self, rows: np.ndarray, y: Sequence[int], C: Sequence[fmpq]) -> Problem:
        p = self.problem
        X, labels = p.points[rows], [y[i] for i in rows]
        return Problem(X, labels, list(p.degrees), C=[C[i] for i in rows], measures=list(p.measures))

    # In float64 with bounds.

    def _quickly(self, problem: Problem, rows: np.ndarray, proof: Certificate) -> list[int]:
        if self._forms is None:
            return _all(orca(problem, proof, "verified"), self.columns)
        A = arithmetic("verified")
        with A.scope():
            expansion = proof.expansion(A)
            s: Any = MidRad.zeros(self.problem.m)
            s[rows] = expansion.s
            sums = self._sums(s)
            norm = sums[-1]
            sine = arb(proof.w_error) / (norm * expansion.scale).sqrt()
            if not (norm > 0 and sine < 1):
                raise Undecided("||w||^2 is not separated from 0 in float64")
            shares = (sums[:-1] / MidRad.from_balls(norm)).balls()
            values = [round_to_unit(widen_share(x, sine)) for x in shares]
            spectrum = [x for x, c in zip(shares, self.shares, strict=True) if c.name == "degree"]
            return values + list(decide_summaries(spectrum, sine))

    def _sums(self, s: MidRad) -> MidRad:
        """Every sum, ||h||^2 last, for signed coefficients s of all points."""
        if self._by_modes:
            M, g = self._dual.R.modes
            c = M @ s
            return self._forms @ (c * c * g.reshape(-1))
        i, j = np.triu_indices(len(s))
        return self._forms @ (s[i] * s[j] * np.where(i == j, 1.0, 2.0))

    @property
    def _by_modes(self) -> bool:
        m, modes = self.problem.m, self.problem.modes
        return modes <= m * (m + 1) // 4 and modes * m <= _ENTRIES

    @cached_property
    def _forms(self) -> Any:
        """The factor of every mode, or of every pair, in every sum, ||h||^2 last; None: too many."""
        m, modes = self.problem.m, self.problem.modes
        count = modes if self._by_modes else m * (m + 1) // 2
        if (len(self.shares) + 1) * count > _ENTRIES:
            return None
        if self._by_modes:
            return MidRad(self._membership())
        A = arithmetic("verified")
        with A.scope():
            R = self._dual.R
            forms = PairForms(Support(self.problem, A, A.elements([arb(1)] * m), R.values, R.weights))
            names = dict.fromkeys(c.name for c in self.shares)
            rows = [row for name in names for row in INDICES[name].sums(forms)]
            return MidRad.stack([*rows, forms.norm])

    def _membership(self) -> np.ndarray:
        """By the definition: 1 where a mode counts."""
        from ..kernels.orthogonal import modes

        rows = {(c.name, c.key): row for row, c in enumerate(self.shares)}
        counts = np.zeros((len(rows) + 1, self.problem.modes))
        counts[-1] = 1.0
        for column, k in enumerate(modes(self.problem.degrees, self.problem.d)):
            for name in dict.fromkeys(c.name for c in self.shares):
                for key in INDICES[name].keys_of(k, self.problem.degrees):
                    counts[rows[name, key], column] = 1.0
        return counts


def _warmly(dual: VerifiedDual, start: Sequence[fmpq] | None) -> Certificate:
    """From what is near, and where that leads nowhere from a proposal of its own."""
    if start is not None:
        try:
            return certify_in_float64(dual, start)
        except _NORMAL:
            pass
    return certify_in_float64(dual)


def decide_summaries(spectrum: Sequence[arb], sine: arb) -> Iterator[int]:
    """N* and T_eps where the enclosures decide them."""
    inside = [widen_share(x, sine) for x in spectrum]
    best = max(range(len(spectrum)), key=lambda N: float(spectrum[N].mid()))
    yield best if all(inside[N] < inside[best] for N in range(len(inside)) if best != N) else MISSING
    F = list(accumulate(spectrum))
    for eps in EPSILONS:
        level = arb(1 - QQ(eps))
        T = next((T for T, x in enumerate(F[:-1]) if float(x.mid()) >= float(level.mid())), len(F) - 1)
        reached = len(F) - 1 == T or widen_share(F[T], sine) > level
        yield T if reached and (T == 0 or widen_share(F[T - 1], sine) < level) else MISSING


# One by one.


def read_single(problem: Problem, start: Sequence[fmpq] | None = None) -> Reading:
    """Of a problem that shares its points with no other."""
    return Engine(problem, once=True).read(problem.y, start=start)


def read_in_balls(problem: Problem, wanted: Sequence[Column]) -> Reading:
    """In balls, more digits where these do not tell; a number that is a tie to 60 digits is the nearest."""
    values: list[int] = [MISSING] * len(wanted)
    for digits in BALL_DIGITS:
        try:
            proof = certify(problem, level="ball", digits=digits)
            profile = orca(problem, proof, "ball", digits)
            values = _all(profile, wanted, digits == BALL_DIGITS[-1])
        except ZeroClassifier:
            return Reading(values, "zero")
        except Degenerate:
            break
        except _NORMAL:
            continue
        if MISSING not in values:
            return Reading(values, "ball", proof)
    return Reading(values, "undecided")


def _all(profile: Any, wanted: Sequence[Column], nearest: bool = False) -> list[int]:
    summary: Summary = profile.summary()
    stated: Mapping[Column, int | OpenSummary | None] = {
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
