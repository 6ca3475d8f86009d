"""Orthogonal Representation Contribution Analysis (section 5): the c_k and all OKC indices of a classifier.

The input consists of the signed dual coefficients s_i = alpha_i y_i in any arithmetic. There are two
independent routes to the sums of c_k^2, ``generating`` and, if there are few enough modes, ``enumeration``;
``sums`` takes the cheaper one. An index is a quotient of two such sums, so that lambda cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import combinations
from math import comb, inf
from typing import Any, Literal, overload

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter, Undecided, ZeroClassifier
from ..kernels.kernel import Decomposition
from ..measures.measure import Measure
from ..numbers.arithmetic import Arithmetic
from ..numbers.arithmetic import arithmetic as make_arithmetic
from ..numbers.quantity import structurally_equal, to_quantity
from ..numbers.rationals import certain_sign, nonnegative_sqrt, working_bits
from ..plots.shapes import format_part
from ..plots.tables import html_table
from ..problem import Problem, require_problem
from ..svm.certificate import Certificate, Solution
from ..svm.tau import Ratio, Tau
from .attributions import Attributions
from .bounded import sum_pairs
from .components import Component, Covariances, Parts
from .enumeration import Enumeration
from .generating import in_scope
from .index import Key
from .indices import INDICES, IndexTable, Indices, V
from .spectrum import Spectrum, compute_spectrum
from .sums import ModeSums
from .support import Support
from .under import describe_under, empty_measure_warning, under_to_json
from .views import find_coordinate

ExactNumber = fmpq | Ratio
MAX_LISTED_MODES = 1_000_000
_NO_DEGREES = "use the indices by order and by column, or profile.spectrum(n)"
_PAIRED, _SMALL_SHARE = 20, 1e-3  # columns whose pairs may be drawn, and the least share
_MOST_TRIED = 1000  # digits up to which the precision is doubled until ||w||^2 is separated from 0
_LEAST_GAIN = 16  # bits of ||w||^2 that twice the digits must add
_ROUNDING = 1e-3  # by which a share may exceed 1 if it is rounded


class NotSeparated(Undecided):
    """||w||^2 or the variance of h may be 0 at this precision; more digits may separate it from 0."""


class Profile(IndexTable[V]):
    """The ORCA profile of one classifier: all its OKC indices. ``orca`` makes it.

    Coordinates are counted from 1, as in the paper.

    Parameters
    ----------
    problem : Problem
        The problem that the classifier solves.
    s : array_like
        The signed coefficients s_i = alpha_i y_i up to a common factor.
    A : Arithmetic
        The arithmetic of ``s`` and of the indices.
    scale : number
        The factor for which scale * s^T R s = ||h||^2.
    w_error : arb, optional
        A bound on the distance of w from the optimal w; every index is widened to enclose the true one.
    centred : bool, optional
        Whether sum s_i = 0 is proved, so that c_0 = 0 holds exactly.

    Attributes
    ----------
    generating, enumeration, sums
        The unnormalised sums by two routes, and by the cheaper of the two.

    Examples
    --------
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
        self._top = problem.kernel.top_degree
        self.d, self.names = problem.d, problem.names
        self._families: dict[str, dict[Key, V]] = {}
        with A.scope():
            s, self.scale = A.simplify_scale(A.elements(s), scale)
            self._given_scale = scale
            support = Support.from_coefficients(problem, A, s)
            if not len(support.s):
                raise self._zero_error()
            self.generating, self.enumeration = sum_pairs(support), Enumeration(support)
            self.sums = ModeSums(self.generating, self.enumeration)
            self._check_norm()

    def _state(self) -> tuple[Any, ...]:
        support = self.generating.support
        parts = repr(self.arithmetic), support.s, self.scale, self.w_error, self.centred
        return self.problem, *parts, self.names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Profile) and structurally_equal(self._state(), other._state())

    def __hash__(self) -> int:
        return hash((self.problem.sha256, repr(self.arithmetic)))

    def __repr__(self) -> str:
        return f"<Profile d={self.d} {self.problem.kernel.label} {self.arithmetic!r}>"

    def _repr_html_(self) -> str:
        rows = [{"index": "||h||^2", "value": self.norm2}, *self.summary_rows()]
        return html_table(repr(self), rows, [f"under {self.under_description}", *self.warnings])

    def named(self, *names: str) -> Profile[V]:
        """Return a copy of the profile with these names for the columns.

        Parameters
        ----------
        *names : str
            One name for each column.

        Returns
        -------
        Profile
        """
        if len(names) != self.d:
            rule = f"were given for {self.d} columns"
            raise BadParameter("names", f"{len(names)} names", rule, "give one name for each column")
        other = copy(self)
        other.names = tuple(map(str, names))
        return other

    def _zero_error(self) -> Exception:
        """Return the error for w = 0: the optimum may differ from 0 if only a bound on the error is known."""
        if self.w_error is None or self.w_error.is_zero():
            return ZeroClassifier()
        why = "w of the certificate is 0 within its error bound, so that every index is undecided"
        return Undecided(f"{why}; certify with more digits")

    @property
    def n(self) -> int:
        """Largest degree of a column, for a kernel of orthogonal polynomials."""
        return self.problem.n

    @property
    def has_degrees(self) -> bool:  # type: ignore[override]
        return self._top is not None

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measure of each column under which the indices are computed."""
        return self.problem.index_measures

    @property
    def under_description(self) -> str:  # type: ignore[override]
        """The measure under which the indices are computed, in words."""
        return describe_under(self.problem)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on what may make the indices misleading."""
        found = empty_measure_warning(self)
        return () if found is None else (found,)

    @property
    def _parts(self) -> Decomposition:
        return self.generating.support.parts

    def _check_norm(self) -> None:
        own = self._parts.has_constant
        if not own and all(measure.size == 1 for measure in self.measures):
            rule = "makes h constant, so that its indices are 0/0, undefined"
            raise BadParameter("under", self.under_description, rule, "take a measure with more values")
        norm = self.sums.norm
        if not (self.arithmetic.exact or self.arithmetic.encloses) and not norm > 0:
            why = "||w||^2 is 0 or negative after rounding in this arithmetic: w is 0 or has lost all digits"
            raise Undecided(
                f"{why}; use the arithmetic 'ball'" + " or 'exact'" * self.problem.kernel.rational
            )
        if norm == 0 and not own and self.generating.support.form != 0:
            rule = "makes h constant, so that its indices are 0/0, undefined"
            raise BadParameter("under", self.under_description, rule, "take another measure")
        if norm == 0:
            raise self._zero_error()
        if self.arithmetic.encloses and not certain_sign(norm) > 0:
            what = "||w||^2" if own else "The variance of h under the measure of the indices"
            raise NotSeparated(f"{what} is not separated from 0")

    def _index(self, numerator: Any) -> V:
        """Return numerator/norm, widened if w is only known up to an error bound."""
        if self.w_error is not None and numerator == 0:
            return self._widened_zero
        index: Any = self.arithmetic.quotient(numerator, self.sums.norm)
        if not (self.arithmetic.exact or self.arithmetic.encloses):
            if index > 1 + _ROUNDING:
                why = f"a share is {float(index):.3g} after rounding in this arithmetic, but cannot exceed 1"
                raise Undecided(
                    f"{why}; use the arithmetic 'ball'" + " or 'exact'" * self.problem.kernel.rational
                )
            if index < 0:
                index = abs(index * 0)  # a sum of squares: only rounding makes it negative
        found: V = to_quantity(index if self.w_error is None else widen_share(index, self._sine))
        return found

    @cached_property
    def _widened_zero(self) -> V:
        """The index of a sum that is exactly 0, as many are if the order is limited."""
        found: V = to_quantity(widen_share(arb(0), self._sine))
        return found

    @cached_property
    def _sine(self) -> arb:
        """A bound on the sine of the angle between h and the optimal h, both without their means, in L^2.

        Under the own measures of a kernel this is also the angle between w and the optimal w.
        """
        sine: arb = self.w_error * (arb(self._parts.embedding) / self._variance).sqrt()
        if not sine < 1:
            why = "the error bound on w is as large as w, so that every index is undecided"
            raise Undecided(f"{why}; certify with more digits")
        return sine

    @cached_property
    def norm2(self) -> V:
        """||h||^2, the squared norm in the RKHS."""
        with self.arithmetic.scope():
            own = self._parts.has_constant
            norm2 = self.scale * (self.sums.norm if own else self.generating.support.form)
            if self.w_error is not None:
                size: Any = nonnegative_sqrt(norm2) + arb(0, self.w_error)
                norm2 = size * size  # not size**2: python-flint's power of a ball around 0 is nan
            found: V = to_quantity(norm2)
            return found

    @cached_property
    def variance(self) -> V:
        """Variance of h(x) if the columns of x are independent, each with the measure of the indices.

        For an orthogonal-polynomial kernel and its own measures it is lambda ||h||^2, because the
        p_k/sqrt(lambda) are orthonormal to these measures as probabilities.
        """
        with self.arithmetic.scope():
            variance = self._variance
            if self.w_error is not None:
                error = self.w_error * arb(self._parts.embedding).sqrt()
                size: Any = nonnegative_sqrt(variance) + arb(0, error.upper())
                variance = size * size
            found: V = to_quantity(variance)
            return found

    @cached_property
    @in_scope
    def _variance(self) -> Any:
        """The variance of h for the given coefficients."""
        exact, A = self.arithmetic.exact, self.arithmetic
        lam: Any = Tau(self.problem).scale() if exact else self.problem.lambda_in(A)
        common: Any = A(fmpq(4) ** self._parts.exponent) if self._parts.exponent else 1
        return self.sums.norm * self.scale * lam * common

    def family(self, name: str) -> Mapping[Key, V]:
        if name not in self._families:
            index = INDICES[name]
            if index.by_degree and self._top is None:
                kernel = self.problem.kernel_description
                raise BadParameter("index", repr(name), f"does not exist for the {kernel}", _NO_DEGREES)
            with self.arithmetic.scope():
                shares = (self._index(x) for x in index.sums(self.sums))
                keys = index.keys(self._top or 0, self.d)
                family = self._families[name] = dict(zip(keys, shares, strict=True))
                empty = [key for key in keys if index.least_order(key) > self._parts.order]
                if (self.centred or not self._parts.has_constant) and index.constant is not None:
                    empty.append(index.constant)
                family |= dict.fromkeys(empty, to_quantity(self.arithmetic(0)))
        return self._families[name]

    def to_indices(self) -> Indices[V]:
        if self.has_degrees:
            self.family("block")  # first, since the sums by degree are sums of blocks
        return super().to_indices()

    @property
    def indices(self) -> Indices[V]:
        """All indices as one ``Indices`` object."""
        return self.to_indices()

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        under = {} if self.problem.kernel.own_measures else {"under": under_to_json(self.problem)}
        return {"id": self.problem.id, **under, "norm2": number(self.norm2)} | super().to_dict(number)

    def subset(self, S: Sequence[int | str]) -> V:
        """Return OKC_S, the share of the part that depends on exactly the coordinates in S.

        Parameters
        ----------
        S : sequence of int or str
            Coordinates, by number from 1 or by name.

        Returns
        -------
        number
            A share of the variance of h.
        """
        wanted = self._find_set(S)
        if not wanted:
            return self.family("order")[0,]  # the share of the constant mode
        with self.arithmetic.scope():
            return self._index(self.sums.subsets([wanted])[0])

    def _find_set(self, S: Sequence[int | str]) -> list[int]:
        """Return the numbers of a set of coordinates in increasing order; one may be given by itself."""
        members = [S] if isinstance(S, int | str) else S
        wanted = sorted(find_coordinate(i, self.names) for i in members)
        if any(i > self.d for i in wanted) or len(set(wanted)) < len(wanted):
            rule = f"is not a set of coordinates from 1 to {self.d}"
            raise BadParameter("S", S, rule, "give each coordinate once")
        return wanted

    def component(self, S: Sequence[int | str]) -> Component:
        """Return f_S, the part of h that depends on exactly the coordinates in S, as a function.

        All parts together add up to h minus its mean under the measure of the indices.

        Parameters
        ----------
        S : sequence of int or str
            Coordinates, by number from 1 or by name; at least one.

        Returns
        -------
        Component
            A function of these coordinates, with values in the arithmetic of the profile.

        Examples
        --------
        >>> from orca_exact import Polynomial, Problem, certify, orca
        >>> X = [[0, 0], [1, 1], [0, 1], [1, 0]]
        >>> problem = Problem(X, [1, 1, -1, -1], kernel=Polynomial(2, 1, 1), C=10)
        >>> profile = orca(problem, certify(problem), "exact")
        >>> profile.component([1, 2])([[0, 0], [0, 1]]), profile.component([1])([0, 1])
        (array([1, -1], dtype=object), array([0, 0], dtype=object))
        """
        wanted = self._find_set(S)
        if not wanted:
            raise BadParameter("S", "the empty set", "has no component", "pass at least one coordinate")
        return Component(self, wanted)

    @cached_property
    def plain_parts(self) -> Parts:
        """The parts of h in float64, for figures."""
        return Parts.in_float64(self)

    def leading_components(self, most: int = 6) -> list[Component]:
        """Return the components of one or two columns with the largest shares, the largest first.

        Pairs are looked for among the twenty columns with the largest total indices.

        Parameters
        ----------
        most : int
            The largest number of components. Those with a share below 0.001 are left out.

        Returns
        -------
        list of Component
        """
        totals: Mapping[Key, Any] = self.family("total")
        alone: Mapping[Key, Any] = self.family("marginal")
        first = sorted(sorted(totals, key=lambda key: -float(totals[key]))[:_PAIRED])
        shares = {key: float(x) for key, x in alone.items()}
        if self._parts.order > 1:
            pairs = [(i, j) for (i,), (j,) in combinations(first, 2)]
            with self.arithmetic.scope():
                found: list[Any] = [self._index(x) for x in self.sums.subsets(pairs)] if pairs else []
            shares |= dict(zip(pairs, map(float, found), strict=True))
        largest = sorted(shares, key=lambda key: -shares[key])[:most]
        kept = [key for key in largest if shares[key] >= _SMALL_SHARE] or largest[:1]
        return [Component(self, key) for key in kept]

    def plot(
        self, kind: str = "orders", ax: Any = None, names: Sequence[str] | None = None, units: Any = None
    ) -> Any:
        """Draw the indices, or the components with the largest shares.

        Parameters
        ----------
        kind : {"orders", "spectrum", "cumulative", "pairs", "columns", "blocks", "shapes"}
            What to draw; "shapes" are the leading components as curves and heat maps on one page.
        ax : matplotlib.axes.Axes, optional
            The axes to draw into; by default a new figure is made. "shapes" needs a figure of its own.
        names : sequence of str, optional
            Names of the columns; by default those of the table.
        units : transformer or callable, optional
            For "shapes", how to show columns in the data's own units; see ``Component.plot``.

        Returns
        -------
        matplotlib.figure.Figure
        """
        if kind != "shapes":
            if units is not None:
                hint = "leave them out"
                raise BadParameter("units", repr(units)[:60], f"do not matter for the picture {kind!r}", hint)
            return super().plot(kind, ax, names)
        if ax is not None:
            raise BadParameter("ax", repr(ax), "cannot hold several panels", "leave it out")
        from ..plots import draw_shapes

        named = self if names is None else self.named(*names)
        components = named.leading_components()
        under = f"Under {self.under_description}, "
        return draw_shapes([each.sample(units) for each in components], self._sum_of_parts(components), under)

    def _sum_of_parts(self, components: Sequence[Component]) -> str:
        """Return a sentence on how much of h some of its components are."""
        shares: list[Any] = [self.subset(each.columns) for each in components]
        share = float(sum(map(float, shares)))
        d, order = self.d, self._parts.order
        kinds = sum(comb(d, q) for q in range(1, order + 1)) if order <= 2 else 0
        shown = f"the parts shown have {format_part(share)} of the variance of h"
        if kinds == len(components):
            return f"{shown}: together with a constant they are the model"
        if order <= 2:
            what = "functions of one column" if order == 1 else "functions of one or two columns"
            return f"{shown}; the model is a constant plus {kinds} {what}, of which these are the largest"
        return f"{shown}; all other parts have the rest"

    def attributions(
        self, x: Any, background: Any = None, bias: Any = None, own_units: bool = False
    ) -> Attributions:
        """Return how much each column adds to the value of h at a row: exact Shapley values.

        A column is compared with what it would be on average: with its measure, independent of the other
        columns, or with the rows of ``background``, as SHAP's interventional explainers do.

        Parameters
        ----------
        x : array_like
            One row, or several, in the units of ``problem.points``: rescaled if the problem is rescaled.
        background : array_like, optional
            Rows to compare with, in the same units.
        bias : number, optional
            The constant b of the classifier g = h + b, as ``certificate.bias()``, which is proved unless
            ``certificate.b_unique`` is None; it changes no attribution.
        own_units : bool, optional
            Whether the rows are in the units of ``problem.X``, before the rescaling of the problem.

        Returns
        -------
        Attributions

        Examples
        --------
        >>> from orca_exact import Polynomial, Problem, certify, orca
        >>> X = [[0, 0], [1, 1], [0, 1], [1, 0]]
        >>> problem = Problem(X, [1, 1, -1, -1], kernel=Polynomial(2, 1, 1), C=10)
        >>> profile = orca(problem, certify(problem), "exact")
        >>> found = profile.attributions([0, 1], bias=1)
        >>> found.row(), found.base, found.decision[0]
        ({1: -1/2, 2: -1/2}, 0, -1)
        """
        return Attributions(self, x, background, bias, own_units)

    def covariances(self) -> Covariances:
        """Return Cov(f_S, h)/Var(h) over the rows of the data, by order, column and pair.

        Shares assume that the columns are independent; these do not, and may be negative.

        Returns
        -------
        Covariances

        Examples
        --------
        >>> from orca_exact import Linear, Problem, certify, orca
        >>> X = [[4, 5], [6, 7], [1, 1], [0, 1], [0, 1], [2, 2]]
        >>> problem = Problem(X, [1, -1, -1, -1, 1, -1], kernel=Linear(), C=100)
        >>> profile = orca(problem, certify(problem), "exact")
        >>> profile.covariances().marginal
        {1: 798/293, 2: -505/293}
        """
        return Covariances(self)

    def spectrum(self, n: int) -> Spectrum:
        """Return the shares of the total degrees 0 ... n of an RBF classifier, and that of all others.

        Parameters
        ----------
        n : int
            The highest degree.

        Returns
        -------
        Spectrum

        Raises
        ------
        BadParameter
            If the kernel has finitely many degrees, or a measure has no polynomials of every degree.
        """
        return compute_spectrum(self, n)

    def _check_mode(self, k: Sequence[int]) -> None:
        """Raise BadParameter unless k is a mode of the kernel."""
        listed = self.enumeration.modes
        inside = len(k) == self.d and all(0 <= j <= n for j, n in zip(k, listed.degrees, strict=True))
        if not (inside and sum(map(bool, k)) <= listed.order and sum(k) <= listed.top_degree):
            hint = "pass tuples of one degree for each column"
            raise BadParameter("modes", k, "is not a mode of the kernel", hint)

    def coefficients(self, modes: Sequence[tuple[int, ...]] | None = None) -> dict[tuple[int, ...], Any]:
        """Return the coefficients c_k by multi-index k.

        Parameters
        ----------
        modes : sequence of tuple of int, optional
            Multi-indices of the kernel; by default all of them. Only a kernel of orthogonal polynomials can
            do without the others.

        Returns
        -------
        dict
            Elements of the arithmetic; SymPy expressions if it is exact.

        Raises
        ------
        TooLarge
            If there are more than a million modes.
        """
        for k in modes or ():
            self._check_mode(k)
        plain = isinstance(self.generating.support.s, np.ndarray)
        if modes is None or not (self.problem.kernel.own_measures and plain):
            self.enumeration.require_at_most(MAX_LISTED_MODES)
            a, g, listed = *self.enumeration.amplitudes(), list(self.enumeration.modes)
        else:
            a, g, listed = *self.enumeration.amplitudes_of(modes), list(modes)
        with self.arithmetic.scope():
            scale = self.scale
            if isinstance(scale, fmpq):  # SymPy must not factor the square that was moved to the scale
                square, scale = self._given_scale / scale, self._given_scale
                a = a / fmpq(square.p.isqrt(), square.q.isqrt())
            c = self.arithmetic.roots(a, g, scale)
            if self.w_error is not None:  # |c_k - c*_k| <= ||w - w*||, or the same in L^2
                own = self._parts.has_constant
                factor = arb(1) if own else arb(self._parts.embedding).sqrt()
                c = c + arb(0, (self.w_error * factor).upper())
            found = dict(zip(listed, map(to_quantity, c), strict=True))
            constant = (0,) * self.d
            if self.centred and self._parts.has_constant and constant in found:
                found[constant] = to_quantity(self.arithmetic(0))
            return found if modes is None else {k: found[k] for k in modes}


def widen_share(index: arb, sine: arb) -> arb:
    """Enclose cos^2 of all angles within arcsin(sine) of an angle phi, where ``index`` is cos^2(phi)."""
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
    """Compute the ORCA profile of a solution or of a certified optimum.

    Parameters
    ----------
    problem : Problem
        The problem that was solved.
    result : Solution or Certificate
        A ``Solution`` gives the profile of its own alpha, which is not claimed to be optimal; a
        ``Certificate`` gives that of the optimum.
    arithmetic : {"float", "mp", "ball", "verified", "exact"}
        Balls enclose the true indices. "exact" needs a ``Solution`` or a certificate of level exact.
    digits : int
        The number of digits of ||h||^2, as far as the certificate determines them.

    Returns
    -------
    Profile

    Raises
    ------
    ZeroClassifier
        If w = 0, so that the indices are undefined.
    Undecided
        If the precision does not suffice to separate w from 0.

    Examples
    --------
    >>> from orca_exact import Problem, certify, orca
    >>> X = [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1/2"]]
    >>> problem = Problem(X, [1, 1, -1, -1], n=1, alpha=0, beta=0, C=10)
    >>> orca(problem, certify(problem), "exact").order
    [0, 6/55, 49/55]
    """
    require_problem(problem)
    if not isinstance(result, Solution | Certificate):
        hint = "pass certify(problem) or solve(problem)"
        raise BadParameter("result", f"a value of type {type(result).__name__}", "is not a solution", hint)
    if result.problem is not problem and result.problem.sha256 != problem.sha256:
        rule = "belongs to another problem"
        raise BadParameter("result", f"the {type(result).__name__}", rule, "solve or certify this problem")
    if isinstance(result, Certificate) and result.is_zero:
        raise ZeroClassifier
    working, before = digits, -inf
    while True:
        A = make_arithmetic(arithmetic, working)
        with A.scope():
            found = result.expansion(A)
            A = found.arithmetic
            try:
                profile: Profile[Any] = Profile(
                    problem, found.s, A, found.scale, found.w_error, found.centred
                )
            except NotSeparated as error:
                if A.sharpens and working < max(_MOST_TRIED, 8 * digits):
                    working *= 2
                    continue
                raise Undecided(f"{error} with {working} digits; {_remedy(result)}") from None
            except ZeroClassifier:
                if isinstance(result, Certificate) and not result.exact:
                    why = "w of the certificate is 0 within its error bound, so that every index is undecided"
                    raise Undecided(f"{why}; certify with level='ball' and more digits") from None
                raise
        bits = profile.sums.norm.rel_accuracy_bits() if A.sharpens else inf
        exhausted = bits < before + _LEAST_GAIN or working > 8 * digits  # the certificate has no more digits
        if bits >= working_bits(digits) - 32 or exhausted:
            return profile
        working, before = 2 * working, bits


def _remedy(result: Solution | Certificate) -> str:
    """Return what may help if no precision separates the norm from 0, other than what was done."""
    rational = result.problem.kernel.rational
    if isinstance(result, Certificate) and not result.exact:
        return "certify with more digits" + ", or at level 'exact'" * rational
    return "use the arithmetic 'exact'" if rational else "w may be 0, so that there are no indices"
