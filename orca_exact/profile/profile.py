"""Orthogonal Representation Contribution Analysis (section 5): c_k and every OKC index of one classifier.

From signed dual coefficients s_i = alpha_i y_i, in any arithmetic, by two routes: ``generating`` and, where
the modes are few enough, ``enumeration``; ``sums`` takes the cheaper. Indices are quotients of their sums:
lambda drops out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, Literal, overload

from flint import arb, fmpq

from ..errors import BadParameter, Undecided, ZeroClassifier
from ..kernels.orthogonal import modes
from ..numbers.arithmetic import Arithmetic
from ..numbers.arithmetic import arithmetic as make_arithmetic
from ..numbers.quantity import quantity, structurally_equal
from ..numbers.rationals import bits, nonnegative_sqrt, sign
from ..plots.tables import html_table
from ..problem import Problem
from ..svm.certificate import Certificate, Solution
from ..svm.tau import Ratio
from .enumeration import Enumeration
from .generating import GeneratingFunction
from .indices import INDICES, IndexTable, Indices, Key, V
from .sums import ModeSums
from .support import Support
from .views import find_coordinate

ExactNumber = fmpq | Ratio
MAX_DICT = 1_000_000


class Profile(IndexTable[V]):
    """The ORCA profile of one classifier. Coordinates are 1-based, as in the paper.

    ``s`` are the signed coefficients up to a common factor; ``scale`` turns s^T R s into ||h||^2.
    ``w_error`` bounds the distance from w to the optimal w; every index is widened to hold the optimum's.
    ``centred``: sum s_i = 0 is proved, so that c_0 = 0 and no arithmetic that rounds need compute it.
    ``generating`` and ``enumeration`` hold the sums, not normalised, by two routes; ``sums`` by the cheaper.

    >>> from orca_exact import Problem, certify, orca
    >>> X = [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1/2"]]
    >>> problem = Problem(X, [1, 1, -1, -1], n=1, alpha=0, beta=0, C=10)
    >>> profile = orca(problem, certify(problem), "exact")
    >>> profile.marginal[1], profile.pair[2, 1], profile.peak, profile.norm2
    (3/55, 49/55, 2, 55/81)
    >>> f"{profile.pair[1, 2]:.3f}", profile.named("age", "epss").pair["epss", "age"]
    ('0.891', 49/55)
    """

    def __init__(
        self, problem: Problem, s: Any, A: Arithmetic, scale: Any, w_error: arb | None = None,
        centred: bool = False,
    ):  # fmt: skip
        self.problem, self.arithmetic, self.w_error = problem, A, w_error
        self.centred = centred and not A.exact
        self.n, self.d, self.names = problem.n, problem.d, problem.names
        self._families: dict[str, dict[Key, V]] = {}
        with A.scope():
            s, self.scale = A.reduced(A.elements(s), scale)
            support = Support.of(problem, A, s)
            if not len(support.s):
                raise self._nothing()
            self.generating, self.enumeration = GeneratingFunction(support), Enumeration(support)
            self.sums = ModeSums(self.generating, self.enumeration)
            self._check_norm()

    def _made_of(self) -> tuple:
        support = self.generating.support
        parts = repr(self.arithmetic), support.s, support.values, self.scale, self.w_error, self.centred
        return self.problem, *parts, self.names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and structurally_equal(self._made_of(), other._made_of())

    def __hash__(self) -> int:
        return hash((self.problem.sha256, repr(self.arithmetic)))

    def __repr__(self) -> str:
        return f"<Profile d={self.d} n={self.n} {self.arithmetic!r}>"

    def _repr_html_(self) -> str:
        return html_table(repr(self), [{"index": "||h||^2", "value": self.norm2}, *self.listed()])

    def named(self, *names: str) -> Profile[V]:
        """The same, its coordinates called by these names."""
        if len(names) != self.d:
            raise BadParameter("names", f"{len(names)} names", f"for {self.d} columns", "give one for each")
        other = copy(self)
        other.names = tuple(map(str, names))
        return other

    def _nothing(self) -> Exception:
        """What a vanishing w means: w = 0, unless only a bound on its error is known."""
        if self.w_error is None or self.w_error.is_zero():
            return ZeroClassifier()
        return Undecided(
            "the certificate's w is 0 within its error bound: no index is decided; certify again"
        )

    def _check_norm(self) -> None:
        norm = self.sums.norm
        if norm == 0 and not (self.arithmetic.exact or self.arithmetic.encloses):
            raise Undecided(
                "||w||^2 is 0 as this arithmetic rounds it: w = 0, or too small; take 'ball' or 'exact'"
            )
        if norm == 0:
            raise self._nothing()
        if self.arithmetic.encloses and not sign(norm) > 0:
            raise Undecided(
                "||w||^2 is not separated from 0 at this precision; certify with more digits, or exactly"
            )

    def _index(self, numerator: Any) -> V:
        """numerator/||h||^2, widened by the angle between w and the optimum where only a bound is known."""
        index: Any = self.arithmetic.quotient(numerator, self.sums.norm)
        if not (self.arithmetic.exact or self.arithmetic.encloses) and index < 0:
            index = abs(index * 0)  # a sum of squares: rounding alone makes it negative
        return quantity(index if self.w_error is None else self._widened(index))

    def _widened(self, index: Any) -> Any:
        return widen_share(index, self._sine)

    @cached_property
    def _sine(self) -> arb:
        sine = self.w_error / (self.sums.norm * self.scale).sqrt()
        if not sine < 1:
            raise Undecided(
                "the error bound on w is as large as w itself: every index is undecided; certify again"
            )
        return sine

    @cached_property
    def norm2(self) -> V:
        """||h||^2 in the RKHS."""
        with self.arithmetic.scope():
            norm2 = self.scale * self.sums.norm
            if self.w_error is not None:
                size: Any = nonnegative_sqrt(norm2) + arb(0, self.w_error)
                norm2 = size * size  # not size**2: python-flint's power of a ball around 0 is nan
            return quantity(norm2)

    def family(self, name: str) -> Mapping[Key, V]:
        if name not in self._families:
            index = INDICES[name]
            with self.arithmetic.scope():
                shares = (self._index(x) for x in index.sums(self.sums))
                keys = index.keys(self.problem.degrees, self.d)
                family = self._families[name] = dict(zip(keys, shares, strict=True))
                if self.centred and index.constant is not None:
                    family[index.constant] = quantity(self.arithmetic(0))
        return self._families[name]

    @property
    def indices(self) -> Indices[V]:
        """All of them, as one value."""
        return self.collected()

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        return {"id": self.problem.id, "norm2": number(self.norm2)} | super().to_dict(number)

    def subset(self, S: Sequence[int | str]) -> V:
        """The index of the modes whose active coordinates, by number from 1 or by name, are exactly S."""
        wanted = sorted(find_coordinate(i, self.names) for i in S)
        if any(i > self.d for i in wanted) or len(set(wanted)) < len(wanted):
            raise BadParameter("S", S, f"is not a set of coordinates from 1 to {self.d}", "count from 1")
        if not wanted:
            return self.family("order")[0,]  # the constant
        with self.arithmetic.scope():
            return self._index(self.sums.subsets([wanted])[0])

    def coefficients(self) -> dict[tuple[int, ...], Any]:
        """c_k by multi-index: elements of the arithmetic; in exact arithmetic, SymPy expressions."""
        self.enumeration.require(MAX_DICT)
        a, g = self.enumeration.amplitudes()
        with self.arithmetic.scope():
            c = self.arithmetic.roots(a, g, self.scale)
            if self.w_error is not None:  # |c_k - c*_k| <= ||w - w*||
                c = c + arb(0, self.w_error)
            if self.centred:
                c[0] = self.arithmetic(0)
            return dict(zip(modes(self.problem.degrees, self.d), map(quantity, c), strict=True))


def widen_share(index: arb, sine: arb) -> arb:
    """cos^2 of an angle phi, for all angles within arcsin(sine) of it."""
    index = index.max(arb(0)).min(arb(1))
    c, s, cosine = nonnegative_sqrt(index), nonnegative_sqrt(1 - index), (1 - sine * sine).sqrt()
    low, high = c * cosine - s * sine, c * cosine + s * sine
    low = low.max(arb(0))
    high = arb(1) if not s > sine else (high * high).min(arb(1))
    return (low * low).union(high)


@overload
def orca(
    problem: Problem, result: Solution | Certificate, arithmetic: Literal["float"] = ..., digits: int = ...
) -> Profile[float]: ...
@overload
def orca(
    problem: Problem, result: Solution | Certificate, arithmetic: Literal["ball"], digits: int = ...
) -> Profile[arb]: ...
@overload
def orca(
    problem: Problem, result: Solution | Certificate, arithmetic: Literal["exact"], digits: int = ...
) -> Profile[ExactNumber]: ...
@overload
def orca(  # mpmath has no types
    problem: Problem, result: Solution | Certificate, arithmetic: str, digits: int = ...
) -> Profile[Any]: ...
def orca(
    problem: Problem, result: Solution | Certificate, arithmetic: str = "float", digits: int = 50
) -> Profile[Any]:
    """The profile of a ``Solution`` (its own alpha, nothing claimed) or a ``Certificate`` (the optimum's).

    Balls hold the true indices of the optimal classifier, to ``digits`` digits of ||h||^2 where the
    certificate carries them. Exact needs a certificate of level exact, or a Solution.

    >>> from orca_exact import Problem, certify, orca
    >>> X = [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1/2"]]
    >>> problem = Problem(X, [1, 1, -1, -1], n=1, alpha=0, beta=0, C=10)
    >>> orca(problem, certify(problem), "exact").order
    [0, 6/55, 49/55]
    """
    if result.problem.sha256 != problem.sha256:
        raise BadParameter(
            "result", "another problem's", "solution was given", "solve or certify this problem"
        )
    if isinstance(result, Certificate) and result.is_zero:
        raise ZeroClassifier
    working = digits
    while True:
        A = make_arithmetic(arithmetic, working)
        with A.scope():
            found = result.expansion(A)
            A = found.arithmetic
            profile: Profile[Any] = Profile(problem, found.s, A, found.scale, found.w_error, found.centred)
        norm = profile.sums.norm
        if not A.sharpens or norm.rel_accuracy_bits() >= bits(digits) - 32 or working > 8 * digits:
            return profile
        working *= 2
