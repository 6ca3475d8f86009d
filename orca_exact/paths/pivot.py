"""Active sets as tau = lambda*C grows: the linear system that holds just beyond a given tau, and its range.

A basis is a set of free points and the points at their bound. The free points are affinely independent in
feature space and never empty (one of them may be at an end of its box). The system of a basis gives a, b and
the margins as affine functions of tau; it is optimal as long as its conditions hold. The criss-cross method
(Klafszky and Terlaky; den Hertog, Roos and Terlaky) goes from any basis to an optimal one by signs alone, the
least index first. It is finite over every ordered field, hence over Q with an infinitesimal, even with ties,
duplicated points and dependent kernels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from flint import arb, fmpq, fmpq_mat

from ..errors import Undecided
from ..numbers.arithmetic import arithmetic, object_vector
from ..numbers.rationals import certain_sign, midpoint
from ..problem import Problem
from ..svm.dual import BallDual
from ..svm.exact import bordered_matrix, proves_nonsingular
from ..svm.gram import FeatureGram, exact_gram
from .margins import AffineBounds, FeatureMargins, Features, Margins, Pair

PIVOTS = 100_000  # limit of the number of pivots
_ZERO = fmpq(0)


@dataclass(frozen=True)
class Basis:
    """Free points and points at their bound, counted from 0; the others have a_i = 0."""

    free: tuple[int, ...]
    bound: frozenset[int]

    def move(self, i: int, to: str) -> Basis:
        """Return the basis with point i moved to "free", "bound" or "zero"."""
        free = {*self.free} - {i} | ({i} if to == "free" else set())
        return Basis(tuple(sorted(free)), self.bound - {i} | ({i} if to == "bound" else set()))


class BasisSolution(NamedTuple):
    """Solution of a basis: a_i = u_i + tau*v_i of the free points, b = b[0] + tau*b[1], and the margins.

    ``constant`` states that w is proved not to depend on tau. ``tied`` is (i, j, r) if a_j = a_i + r*tau is
    known, because i and j are the only free points. ``mirror`` maps each point to one with the same a and
    margin if that is known by symmetry.
    """

    u: dict[int, Any]
    v: dict[int, Any]
    b: Pair
    margins: Margins
    constant: bool = False
    tied: tuple[int, int, fmpq] | None = None
    mirror: list[int] | None = None


class Conditions(Mapping[Any, Pair]):
    """Conditions of optimality of a state: pairs (p, q), by key, whose values must not be negative.

    If there are enclosures in float64 of the conditions of the points that are not free, those pairs are
    computed when they are needed.
    """

    def __init__(self, pairs: dict[Any, Pair], others: Callable[[int], dict[Any, Pair]] | None = None,
                 bounds: AffineBounds | None = None):  # fmt: skip
        self._pairs, self._others, self._bounds = pairs, others, bounds

    def _all(self) -> dict[Any, Pair]:
        return self._pairs if self._bounds is None else self._with(range(len(self._bounds.p)))

    def __getitem__(self, key: Any) -> Pair:
        return self._all()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _with(self, points: Collection[int]) -> dict[Any, Pair]:
        """Return the pairs of free points and of these points, in the order of their keys."""
        assert self._others is not None
        found = dict(self._pairs)
        for i in points:
            found |= self._others(i)
        return dict(sorted(found.items()))

    def undecided_at(self, tau: Any) -> dict[Any, Pair]:
        """Return the pairs without those that float64 proves to be positive at tau."""
        return self._pairs if self._bounds is None else self._with(self._bounds.not_positive(tau).tolist())

    def first_zero(self, decide: Callable[[dict[Any, Pair]], tuple[Any, list[Any]]]) -> tuple[Any, list[Any]]:
        """Return what ``decide`` returns for all pairs: the first zero, or None, and the keys there.

        It is given some of the pairs, then also those that float64 does not prove to be positive at their
        first zero, or to rise if there is none.
        """
        if self._bounds is None:
            return decide(self._pairs)
        near = {*self._bounds.near_first_zero(self._pairs.values()).tolist()}
        while True:
            end, keys = decide(self._with(near))
            rest = self._bounds.not_rising() if end is None else self._bounds.not_positive(end)
            if near.issuperset(rest.tolist()):
                return end, keys
            near |= {*rest.tolist()}


class Field(ABC):
    """The numbers in which systems are solved: rationals or balls."""

    def __init__(self, problem: Problem):
        self.problem, self._last = problem, (Basis((), frozenset()), cast(BasisSolution, None))
        self._conditions: Conditions | None = None  # those of the last solution, if they are known

    def solution(self, basis: Basis) -> BasisSolution:
        """Return the solution of a basis; raise Undecided if it is not proved to have one."""
        if self._last[0] is not basis and self._last[0] != basis:
            self._last, self._conditions = (basis, self._solve(basis)), None
        return self._last[1]

    def conditions(self, basis: Basis) -> Conditions:
        """Return the conditions of a basis, see ``basis_conditions``."""
        line = self.solution(basis)
        if self._conditions is None:
            self._conditions = basis_conditions(self.problem, basis, line)
        return self._conditions

    @cached_property
    @abstractmethod
    def features(self) -> Features | None:
        """The features of the kernel if they are fewer than half the points, else None."""

    @abstractmethod
    def _solve(self, basis: Basis) -> BasisSolution: ...

    @abstractmethod
    def affine_combination(self, free: tuple[int, ...], k: int) -> list[Any] | None:
        """Return the affine combination of free points that equals point k in feature space, or None."""

    @abstractmethod
    def sign(self, pair: Pair, tau: Any, zero: bool = False) -> int:
        """Return the sign of p + q*tau just beyond tau; ``zero`` states that it vanishes at tau."""

    def first_zero(self, conditions: Conditions) -> tuple[Any, list[Any]]:
        """Return the least tau where one of these conditions becomes 0, and the keys of those that do.

        Return None and [] if none does.
        """
        return conditions.first_zero(self._first_zero)

    @abstractmethod
    def _first_zero(self, pairs: dict[Any, Pair]) -> tuple[Any, list[Any]]: ...

    def scope(self) -> AbstractContextManager[None]:
        """Return a context in which the precision of this field holds."""
        return nullcontext()


def mirror_points(problem: Problem) -> list[int] | None:
    """Return the point j with x_j = -x_i for each i, if that leaves R, the C_i and the classes as they are.

    The two classes may be exchanged: then s_j = -s_i and b = 0, but a_j = a_i and the margins are equal.
    """
    points = problem.points.tolist()
    places = {tuple(x): i for i, x in enumerate(points)}
    if not problem.kernel.is_even or len(places) < problem.m:
        return None
    found = [places.get(tuple(-t for t in x), -1) for x in points]
    if -1 in found or len({problem.y[i] * problem.y[j] for i, j in enumerate(found)}) > 1:
        return None
    return found if all(problem.weights[i] == problem.weights[j] for i, j in enumerate(found)) else None


def basis_conditions(problem: Problem, basis: Basis, line: BasisSolution) -> Conditions:
    """Return what must not be negative for the basis to be optimal.

    Key 2i is for a_i of a free point, or for its margin; key 2i + 1 for tau_i - a_i, or for minus the margin.
    """
    found: dict[int, Pair] = {}
    for i in basis.free:
        u, v = line.u[i], line.v[i]
        found |= {2 * i: (u, v), 2 * i + 1: (-u, problem.weights[i] - v)}
    # Equal conditions become the same object, by which ``first_zero`` knows them.
    mirror = line.mirror or range(problem.m)
    for i in basis.free:
        if i < (j := mirror[i]):
            found |= {2 * j: found[2 * i], 2 * j + 1: found[2 * i + 1]}
    if line.tied:
        i, j, r = line.tied
        if r == 0:
            found[2 * j] = found[2 * i]
        if problem.weights[j] - r == problem.weights[i]:
            found[2 * j + 1] = found[2 * i + 1]
    free, known = {*basis.free}, dict[int, Pair]()

    def others(i: int) -> dict[int, Pair]:
        """Return the conditions of a point that is not free, and of the point with an equal one."""
        if i in free:
            return {}
        top, first = i in basis.bound, min(i, mirror[i])
        if first not in known:
            p, q = line.margins[first]
            known[first] = (-p, -q) if top else (p, q)
        return {2 * j + top: known[first] for j in (i, mirror[i])}

    if (bounds := line.margins.bounds) is None:
        for i in range(problem.m):
            found |= others(i)
        return Conditions(dict(sorted(found.items())))
    side = np.ones(problem.m)
    side[[*basis.bound]] = -1
    return Conditions(found, others, bounds.times(side).leave_out(list(basis.free)))


def find_basis(field: Field, basis: Basis, tau: Any, zeros: Collection[int]) -> tuple[Basis, BasisSolution]:
    """Return the basis that is optimal just beyond tau, and its solution.

    ``zeros`` are the keys of conditions known to be 0 at tau.
    """
    for _ in range(PIVOTS):
        line = field.solution(basis)
        for key, pair in field.conditions(basis).undecided_at(tau).items():
            if field.sign(pair, tau, key in zeros) < 0:
                break
        else:
            return basis, line
        moves = key not in zeros  # then the solution at tau changes, and conditions may no longer be 0 there
        basis, zeros = _pivot(field, basis, key, zeros)
        zeros = () if moves else zeros
    raise Undecided(f"The active set was not found within {PIVOTS} pivots.")


def _pivot(field: Field, basis: Basis, key: int, zeros: Collection[int]) -> tuple[Basis, Collection[int]]:
    """Return the basis after one pivot that repairs condition ``key``, and the conditions known to be 0."""
    k, top = divmod(key, 2)
    y, free, ends = field.problem.y, basis.free, ("zero", "bound")
    if free == (k,):  # the only free point is replaced by one of the right class
        others = set(range(len(y))) - {k}
        same = {j for j in others if y[j] == y[k]}
        r = min(
            2 * j + (j in basis.bound) for j in others if (j in same) == ((j in basis.bound) != bool(top))
        )
        return basis.move(k, ends[top]).move(r // 2, "free"), {r}
    if k in free:
        return basis.move(k, ends[top]), zeros
    combination = field.affine_combination(free, k)
    if combination is None:
        return basis.move(k, "free"), zeros
    # a_k moves together with the a_j at constant w until one of them, or a_k, reaches an end of its box
    rising = (
        (j, (c * y[j] * y[k] > 0) == bool(top)) for j, c in zip(free, combination, strict=True) if c != 0
    )
    r = min([2 * j + up for j, up in rising] + [key ^ 1])
    if r == key ^ 1:
        return basis.move(k, ends[1 - top]), zeros
    return basis.move(k, "free").move(r // 2, ends[r % 2]), zeros


class Rationals(Field):
    """Exact solutions over Q."""

    @cached_property
    def R(self) -> np.ndarray | FeatureGram:
        """Gram matrix divided by lambda."""
        return exact_gram(self.problem)

    @cached_property
    def features(self) -> Features | None:
        return Features(self.problem, *self.R.features) if isinstance(self.R, FeatureGram) else None

    def _solve(self, basis: Basis) -> BasisSolution:
        F, U = list(basis.free), sorted(basis.bound)
        y, weights, few = self.problem.signs, self.problem.weights, self.features
        if few:
            w_U, off = few.sum_at_bounds(basis.bound) * few.g, few.balance(basis.bound)
            known = {i: few.dot(i, w_U) for i in F}
        else:
            s_U = [[y[j] * weights[j]] for j in U]
            off = sum((x for (x,) in s_U), _ZERO)
            known = dict(enumerate(self._columns_times(U, s_U).entries()))
        rhs = [[y[i], -known[i]] for i in F] + [[_ZERO, -off]]
        try:
            x = bordered_matrix(self.R, F).solve(fmpq_mat(rhs))
        except ZeroDivisionError:
            raise Undecided("The free points are dependent.") from None
        s_u, s_v = ([x[row, column] for row in range(len(F))] for column in (0, 1))
        u, v = ({i: s * y[i] for i, s in zip(F, part, strict=True)} for part in (s_u, s_v))
        b = x[len(F), 0], x[len(F), 1]
        if few:
            w_u, w_v = (few.combine(dict(zip(F, part, strict=True))) * few.g for part in (s_u, s_v))
            w_v = w_v + w_U
            return BasisSolution(u, v, b, FeatureMargins(few, (w_u, w_v), b), all(x == 0 for x in w_v))
        f = self._columns_times(F, [list(row) for row in zip(s_u, s_v, strict=True)])
        p = object_vector(y[i] * (f[i, 0] + b[0]) - 1 for i in range(len(y)))
        q = object_vector(y[i] * (f[i, 1] + known[i] + b[1]) for i in range(len(y)))
        return BasisSolution(u, v, b, Margins(p, q))

    def _columns_times(self, columns: list[int], x: list[list[fmpq]]) -> fmpq_mat:
        if not columns:
            return fmpq_mat(self.problem.m, 1)
        assert isinstance(self.R, np.ndarray)
        return fmpq_mat(self.R[:, columns].tolist()) * fmpq_mat(x)

    def affine_combination(self, free: tuple[int, ...], k: int) -> list[Any] | None:
        if proves_nonsingular(bordered_matrix(self.R, [*free, k])):
            return None
        *column, square = self.R[np.ix_([*free, k], [k])][:, 0]
        column.append(fmpq(1))
        x = bordered_matrix(self.R, free).solve(fmpq_mat([[value] for value in column])).entries()
        distance2 = square - sum((c * value for c, value in zip(x, column, strict=True)), _ZERO)
        return x[:-1] if distance2 == 0 else None

    def sign(self, pair: Pair, tau: fmpq, zero: bool = False) -> int:
        return certain_sign(pair[0] + pair[1] * tau) or certain_sign(pair[1])

    def _first_zero(self, conditions: dict[Any, Pair]) -> tuple[fmpq | None, list[Any]]:
        roots = {key: -p / q for key, (p, q) in conditions.items() if q < 0}
        hi = min(roots.values(), default=None)
        return hi, [key for key, root in roots.items() if root == hi]


class Balls(Field):
    """Enclosures in balls; raise Undecided if these do not decide."""

    def __init__(self, problem: Problem, digits: int):
        super().__init__(problem)
        self.A = arithmetic("ball", digits)
        self.dual = BallDual(problem, self.A)
        self._summed, self._bound_sums = frozenset[int](), dict[int, fmpq]()

    def scope(self) -> AbstractContextManager[None]:
        return self.A.scope()

    def _solve(self, basis: Basis) -> BasisSolution:
        """Enclose the solution of a basis; parts that need no linear system are exact.

        The unknowns are the sums of s at the places of the free points. So what points of both classes at
        one place contribute cancels exactly.
        """
        F, few, zeros = list(basis.free), self.features, object_vector([_ZERO] * self.problem.m)
        y, signs = self.problem.y, self.problem.signs
        s_U = self._sums_at_bounds(basis.bound)
        here = [s_U.pop(self._first_equal[i], _ZERO) for i in F]
        known: Any
        if few:
            w_U = few.sum_at_bounds(basis.bound) - few.combine(
                {i: s for i, s in zip(F, here, strict=True) if s}
            )
            known = {i: few.dot(i, w_U * few.g) for i in F}
            off = few.balance(basis.bound) - sum(here, _ZERO)
        else:
            known, off = self.dual.scores(s_U), sum(s_U.values(), _ZERO)
        rhs = [[y[i], -known[i]] for i in F] + [[0, -off]]
        if one_class := len({y[i] for i in F}) == 1:  # u = 0, b_u = y without a linear system
            rhs = [row[1:] for row in rhs]
        try:
            x = self.dual.bordered(F, rhs)
        except ZeroDivisionError:
            raise Undecided("The free points are not proved independent at this precision.") from None
        s_u = [_ZERO if one_class else x[row, 0] for row in range(len(F))]
        s_v = [x[row, -1] if s_U else _ZERO for row in range(len(F))]
        if len(F) == 1:
            s_v = [-off]
        u = {i: s * y[i] for i, s in zip(F, s_u, strict=True)}
        v = {i: (s - at_bound) * y[i] for i, s, at_bound in zip(F, s_v, here, strict=True)}
        b = signs[F[0]] if one_class else x[-1, 0], x[-1, -1] if s_U else _ZERO
        tied = None
        if len(F) == 2 and not one_class:  # the dual constraint
            tied = F[0], F[1], -(off + sum(here, _ZERO)) * y[F[1]]
            u[F[1]], v[F[1]] = u[F[0]], v[F[0]] + tied[2]
        if few:
            # g_v = 0 at the free points, so that w_v = 0 and b_v = 0 if no more points can be independent
            constant = not s_U or len(F) == few.most_independent
            w_u, w_v = (few.combine({} if none else dict(zip(F, part, strict=True)))
                        for none, part in ((one_class, s_u), (constant, s_v)))  # fmt: skip
            b = b[0], _ZERO if constant else b[1]
            w = w_u * few.g, (w_v if constant else w_v + w_U) * few.g
            return BasisSolution(u, v, b, FeatureMargins(few, w, b), constant, tied, self._mirror_of(basis))
        f_u = zeros if one_class else self.dual.scores(dict(zip(F, s_u, strict=True)))
        f_v = self.dual.scores(dict(zip(F, s_v, strict=True))) + known if s_U else zeros
        margins = Margins(signs * (f_u + b[0]) - 1, signs * (f_v + b[1]))
        return BasisSolution(u, v, b, margins, not s_U, tied, self._mirror_of(basis))

    @cached_property
    def features(self) -> Features | None:
        return Features(self.problem, *self.dual.features) if self.dual.few_features else None

    def _mirror_of(self, basis: Basis) -> list[int] | None:
        """Return ``_mirror`` if it maps the basis to itself, so that it maps its only solution to itself."""
        mirror = self._mirror
        if mirror is None or any({mirror[i] for i in part} != {*part} for part in (basis.free, basis.bound)):
            return None
        return mirror

    @cached_property
    def _mirror(self) -> list[int] | None:
        return mirror_points(self.problem)

    def _sums_at_bounds(self, bound: frozenset[int]) -> dict[int, fmpq]:
        """Return s_i/tau of the points at their bound, added up over equal points, without zeros."""
        found, kept = self._bound_sums, self._summed
        for j in kept ^ bound:
            i, s = self._first_equal[j], self.problem.signs[j] * self.problem.weights[j]
            found[i] = found.get(i, _ZERO) + (s if j in bound else -s)
            if found[i] == 0:
                del found[i]
        self._summed = bound
        return dict(found)

    @cached_property
    def _first_equal(self) -> list[int]:
        """For each point, the first point that is equal to it."""
        first: dict[Any, int] = {}
        return [first.setdefault(tuple(x), i) for i, x in enumerate(self.problem.points.tolist())]

    def affine_combination(self, free: tuple[int, ...], k: int) -> list[Any] | None:
        """Return the free point that equals point k, as a combination, or None.

        If there are other combinations, ``solution`` raises Undecided.
        """
        same = [int(self._first_equal[i] == self._first_equal[k]) for i in free]
        return same if any(same) else None

    def sign(self, pair: Pair, tau: Any, zero: bool = False) -> int:
        p, q = pair
        value = p + q * tau
        if found := certain_sign(value):
            return found
        if not (zero or value == 0):
            raise Undecided("The sign of a condition is undecided at this precision.")
        if found := certain_sign(q):
            return found
        if q == 0:
            return 0
        raise Undecided("The slope of a condition is undecided at this precision.")

    def _first_zero(self, conditions: dict[Any, Pair]) -> tuple[arb | None, list[Any]]:
        roots = {key: -p / q for key, (p, q) in conditions.items() if q < 0}
        if not roots:
            if not all(q >= 0 for _, q in conditions.values()):
                raise Undecided("The slope of a condition is undecided at this precision.")
            return None, []
        first = min(roots, key=lambda k: midpoint(arb(roots[k])))
        hi = roots[first]
        keys = [key for key, pair in conditions.items() if pair is conditions[first]]
        if not all(
            p + q * hi > 0 for key, (p, q) in conditions.items() if key not in keys and not (p == q == 0)
        ):
            raise Undecided("The condition that becomes 0 first is undecided at this precision.")
        return hi, keys
