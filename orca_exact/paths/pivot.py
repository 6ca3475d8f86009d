"""Active sets as tau = lambda*C grows: which linear system holds just beyond a given tau, and how far.

A basis is a set of free points, affinely independent in feature space and never empty (one of them may sit
at an end of its box), and the points at their bound. Its system gives a, b and the margins affine in tau; it
is optimal where its conditions hold. The criss-cross method (Klafszky and Terlaky; den Hertog, Roos and
Terlaky) goes from any basis to an optimal one by signs alone, the least index first: finite over every
ordered field, hence over Q with an infinitesimal, whatever ties, duplicated points and dependent kernels
there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpz_mat, nmod_mat

from ..errors import Undecided
from ..kernels.orthogonal import gram_ratio
from ..numbers.arithmetic import arithmetic, object_vector
from ..numbers.rationals import midpoint, sign
from ..problem import Problem
from ..svm.dual import BallDual

PRIME = 2**61 - 1
PIVOTS = 100_000
_ZERO = fmpq(0)
Pair = tuple[Any, Any]  # (p, q) is p + q*tau


@dataclass(frozen=True)
class Basis:
    """Points from 0. The others have a_i = 0."""

    free: tuple[int, ...]
    bound: frozenset[int]

    def moved(self, i: int, to: str) -> Basis:
        """Point i made free, bound or zero."""
        free = {*self.free} - {i} | ({i} if to == "free" else set())
        return Basis(tuple(sorted(free)), self.bound - {i} | ({i} if to == "bound" else set()))


class BasisSolution(NamedTuple):
    """a = u + tau*v, b = b[0] + tau*b[1] and the margins y g - 1 = p + tau*q of a basis."""

    u: np.ndarray
    v: np.ndarray
    b: Pair
    p: np.ndarray
    q: np.ndarray

    def margin(self, i: int, side: int = 1) -> Pair:
        """Of point i, or its negative."""
        return self.p[i] * side, self.q[i] * side


class Field(ABC):
    """The numbers that systems are solved in: rationals, or balls."""

    def __init__(self, problem: Problem):
        self.problem, self._last = problem, (Basis((), frozenset()), cast(BasisSolution, None))

    def line(self, basis: Basis) -> BasisSolution:
        """The solution of a basis; ``Undecided`` where balls do not see that it has one."""
        if self._last[0] != basis:
            self._last = basis, self._solved(basis)
        return self._last[1]

    @abstractmethod
    def _solved(self, basis: Basis) -> BasisSolution: ...

    @abstractmethod
    def affine(self, free: tuple[int, ...], k: int) -> list | None:
        """The affine combination of the free points that point k is in feature space, or None."""

    @abstractmethod
    def sign(self, pair: Pair, tau: Any, zero: bool = False) -> int:
        """Of p + q*tau just beyond tau; ``zero``: it is known to vanish at tau."""

    @abstractmethod
    def first(self, conditions: dict[Any, Pair]) -> tuple[Any, list]:
        """The least tau where one of what was positive before is 0, or None, and which are."""

    def scope(self) -> AbstractContextManager[None]:
        """Where its precision holds."""
        return nullcontext()


def basis_conditions(problem: Problem, basis: Basis, line: BasisSolution) -> dict[int, Pair]:
    """What is to be at least 0: by 2i a_i or its margin, by 2i + 1 the room above a_i or minus the margin."""
    found: dict[int, Pair] = {}
    free = set(basis.free)
    for i, weight in enumerate(problem.weights):
        if i in free:
            found[2 * i] = line.u[i], line.v[i]
            found[2 * i + 1] = -line.u[i], weight - line.v[i]
        elif i in basis.bound:
            found[2 * i + 1] = line.margin(i, -1)
        else:
            found[2 * i] = line.margin(i)
    return found


def find_basis(field: Field, basis: Basis, tau: Any, zeros: Collection[int]) -> tuple[Basis, BasisSolution]:
    """The basis that is optimal just beyond tau. ``zeros``: keys of conditions known to be 0 at tau."""
    for _ in range(PIVOTS):
        line = field.line(basis)
        for key, pair in basis_conditions(field.problem, basis, line).items():
            if field.sign(pair, tau, key in zeros) < 0:
                break
        else:
            return basis, line
        known = key in zeros  # then nothing moves at tau; else what was 0 there may not be
        basis, zeros = _pivot(field, basis, key, zeros)
        zeros = zeros if known else ()
    raise Undecided(f"no active set was found within {PIVOTS} pivots")


def _pivot(field: Field, basis: Basis, key: int, zeros: Collection[int]) -> tuple[Basis, Collection[int]]:
    """Mend one condition; where its point cannot move alone, another one does with it."""
    k, top = divmod(key, 2)
    y, free, ends = field.problem.y, basis.free, ("zero", "bound")
    if free == (k,):  # nobody else is free: a point of the right class takes its place
        others = set(range(len(y))) - {k}
        same = {j for j in others if y[j] == y[k]}
        r = min(
            2 * j + (j in basis.bound) for j in others if (j in same) == ((j in basis.bound) != bool(top))
        )
        return basis.moved(k, ends[top]).moved(r // 2, "free"), {r}
    if k in free:
        return basis.moved(k, ends[top]), zeros
    combination = field.affine(free, k)
    if combination is None:
        return basis.moved(k, "free"), zeros
    # a_k moves with the a_j at constant w, until one of them, or a_k itself, is at an end of its box
    rising = (
        (j, (c * y[j] * y[k] > 0) == bool(top)) for j, c in zip(free, combination, strict=True) if c != 0
    )
    r = min([2 * j + up for j, up in rising] + [key ^ 1])
    if r == key ^ 1:
        return basis.moved(k, ends[1 - top]), zeros
    return basis.moved(k, "free").moved(r // 2, ends[r % 2]), zeros


class Rationals(Field):
    """Everything exact."""

    @cached_property
    def R(self) -> np.ndarray:
        """The Gram matrix over lambda."""
        return gram_ratio(self.problem)

    def _solved(self, basis: Basis) -> BasisSolution:
        F, U = list(basis.free), sorted(basis.bound)
        y, weights = self.problem.signs, self.problem.weights
        s_U = [[y[j] * weights[j]] for j in U]
        known = self._times(list(range(len(y))), U, s_U)
        off = sum((x for (x,) in s_U), _ZERO)
        rhs = [[y[i], -known[i, 0]] for i in F] + [[_ZERO, -off]]
        matrix = [[*(self.R[i, j] for j in F), fmpq(1)] for i in F] + [[fmpq(1)] * len(F) + [_ZERO]]
        try:
            x = fmpq_mat(matrix).solve(fmpq_mat(rhs))
        except ZeroDivisionError:
            raise Undecided("the free points are dependent") from None
        u, v = (object_vector([_ZERO] * len(y)) for _ in "uv")
        for j in U:
            v[j] = weights[j]
        for row, i in enumerate(F):
            u[i], v[i] = x[row, 0] * y[i], x[row, 1] * y[i]
        b = x[len(F), 0], x[len(F), 1]
        f = self._times(list(range(len(y))), F, [[x[r, 0], x[r, 1]] for r in range(len(F))])
        p = object_vector(y[i] * (f[i, 0] + b[0]) - 1 for i in range(len(y)))
        q = object_vector(y[i] * (f[i, 1] + known[i, 0] + b[1]) for i in range(len(y)))
        return BasisSolution(u, v, b, p, q)

    def _times(self, rows: list[int], columns: list[int], x: list[list[fmpq]]) -> fmpq_mat:
        if not columns:
            return fmpq_mat(len(rows), 1)
        return fmpq_mat([[self.R[i, j] for j in columns] for i in rows]) * fmpq_mat(x)

    def affine(self, free: tuple[int, ...], k: int) -> list | None:
        """By the bordered matrix: first modulo a prime, then over Q."""
        F = [*free, k]
        bordered = fmpq_mat(
            [[*(self.R[i, j] for j in F), fmpq(1)] for i in F] + [[fmpq(1)] * len(F) + [_ZERO]]
        )
        integers, _ = bordered.numer_denom()
        assert isinstance(integers, fmpz_mat)
        if nmod_mat(integers, PRIME).det() != 0:
            return None
        inner = fmpq_mat(
            [[*(self.R[i, j] for j in free), fmpq(1)] for i in free] + [[fmpq(1)] * len(free) + [_ZERO]]
        )
        x = inner.solve(fmpq_mat([[self.R[i, k]] for i in free] + [[fmpq(1)]]))
        c = [x[r, 0] for r in range(len(free))]
        left = (
            self.R[k, k]
            - sum((a * self.R[i, k] for a, i in zip(c, free, strict=True)), _ZERO)
            - x[len(free), 0]
        )
        return c if left == 0 else None

    def sign(self, pair: Pair, tau: fmpq, zero: bool = False) -> int:
        """Of the value at tau, or else of the slope."""
        return sign(pair[0] + pair[1] * tau) or sign(pair[1])

    def first(self, conditions: dict[Any, Pair]) -> tuple[fmpq | None, list]:
        """Every tie."""
        roots = {key: -p / q for key, (p, q) in conditions.items() if q < 0}
        hi = min(roots.values(), default=None)
        return hi, [key for key, root in roots.items() if root == hi]


class Balls(Field):
    """Enclosures; what they do not decide is Undecided."""

    def __init__(self, problem: Problem, digits: int):
        super().__init__(problem)
        self.A = arithmetic("ball", digits)
        self.dual = BallDual(problem, self.A)

    def scope(self) -> AbstractContextManager[None]:
        return self.A.scope()

    def _solved(self, basis: Basis) -> BasisSolution:
        """What the system tells without solving is exact."""
        F, U, m = list(basis.free), sorted(basis.bound), self.problem.m
        y, signs, weights = self.problem.y, self.problem.signs, self.problem.weights
        known = self.dual.scores({j: signs[j] * weights[j] for j in U})
        off = sum((signs[j] * weights[j] for j in U), _ZERO)
        if len({y[i] for i in F}) == 1:  # u = 0, b_u = y: nothing to solve
            rhs = [[-known[i]] for i in F] + [[-off]]
        else:
            rhs = [[y[i], -known[i]] for i in F] + [[0, -off]]
        try:
            x = self.dual.bordered(F, rhs)
        except ZeroDivisionError:
            raise Undecided("the free points are not proved independent") from None
        u, v = (object_vector([_ZERO] * m) for _ in "uv")
        for j in U:
            v[j] = weights[j]
        for row, i in enumerate(F):
            u[i], v[i] = (x[row, 0] * y[i] if x.shape[1] == 2 else _ZERO), x[row, -1] * y[i] if U else _ZERO
        if len(F) == 1:
            v[F[0]] = -off * signs[F[0]]
        f_u = (
            self.dual.scores({i: x[row, 0] for row, i in enumerate(F)})
            if x.shape[1] == 2
            else object_vector([_ZERO] * m)
        )
        f_v = self.dual.scores({i: v[i] * y[i] for i in F}) + known if U else object_vector([_ZERO] * m)
        b = (x[-1, 0] if x.shape[1] == 2 else signs[F[0]]), (x[-1, -1] if U else _ZERO)
        return BasisSolution(u, v, b, signs * (f_u + b[0]) - 1, signs * (f_v + b[1]))

    def affine(self, free: tuple[int, ...], k: int) -> None:
        """Never: ``line`` says whether the points are seen to be independent."""

    def sign(self, pair: Pair, tau: Any, zero: bool = False) -> int:
        """Where it is certain."""
        p, q = pair
        value = p + q * tau
        if found := sign(value):
            return found
        if not (zero or value == 0):
            raise Undecided("a condition is not told from 0")
        if found := sign(q):
            return found
        if q == 0:
            return 0
        raise Undecided("the slope of a condition is not told from 0")

    def first(self, conditions: dict[Any, Pair]) -> tuple[arb | None, list]:
        """One, and the others are proved to be later."""
        roots = {key: -p / q for key, (p, q) in conditions.items() if q < 0}
        if not roots:
            if not all(q >= 0 for _, q in conditions.values()):
                raise Undecided("the slope of a condition is not told from 0")
            return None, []
        key = min(roots, key=lambda k: midpoint(arb(roots[k])))
        hi = roots[key]
        if not all(
            p + q * hi > 0 for other, (p, q) in conditions.items() if other != key and not (p == q == 0)
        ):
            raise Undecided("two conditions are not told apart where they are 0")
        return hi, [key]
