"""The classifier and its indices as functions of C, proved on each segment of the path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, TypeVar

from flint import arb, ctx, fmpq

from ..errors import BadParameter, TooLarge, Undecided, ZeroClassifier
from ..files.formats import JsonObject, add_digest
from ..numbers.arithmetic import arithmetic
from ..numbers.quantity import structurally_equal, to_quantity
from ..numbers.rationals import (
    QQ,
    format_decimal,
    midpoint,
    precision_bits,
    precision_digits,
    to_float,
    working_bits,
)
from ..plots import draw_path
from ..plots.tables import html_table, to_dataframe
from ..problem import Problem, require_problem
from ..profile.index import Index, Key
from ..profile.indices import INDICES
from ..profile.profile import Profile, orca
from ..profile.under import describe_under
from ..svm.certificate import Certificate, lambda_bounds, library_versions
from ..svm.certify import LEVELS, certify, find_level, require_level
from ..svm.exact import prove_exactly
from ..svm.tau import Tau
from .curve import IndexCurve
from .pivot import Field, Rationals, mirror_points
from .places import INDEX_DIGITS, MOST_DIGITS, compare, enclose, is_narrow, place_in_tau, rational_between
from .quadratics import (
    IndexStep,
    Quadratic,
    QuadraticForms,
    QuadraticSums,
    Value,
    chain_cells,
    join_steps,
    peak_differences,
    quadratic_forms,
    sign_at,
    split_interval,
    threshold_differences,
)
from .segments import (
    MOST_PIVOT_DIGITS,
    DistinctPoints,
    Segment,
    finest_field,
    finest_segment,
    follow_segments,
)

PATH_SCHEMA = "orca-exact/path/1"
_MOST = 2000**2  # limit of the number of points times that of points or modes, whichever is less
_SHOWN = 20  # segments that repr shows
T = TypeVar("T")


def path(problem: Problem, C_from: Any = 0, C_to: Any = None, level: str = "ball") -> Path:
    """Compute the optimum for every C from C_from to C_to.

    The weights C_i/C of the points stay the same.

    Parameters
    ----------
    problem : Problem
        The problem; its own C is not used.
    C_from : number
        The lower end, which is not included if it is 0.
    C_to : number, optional
        The upper end. By default the path has no end.
    level : {"ball", "exact"}
        Whether numbers are balls or exact. The values of an RBF kernel are transcendental, so that its path
        has level ball only.

    Returns
    -------
    Path
        The segments of the path, and the indices as functions of C.

    Raises
    ------
    Undecided
        If the kernel is not rational and balls do not decide which event comes first. Then two events may
        coincide.

    Examples
    --------
    >>> from orca_exact import Problem, path
    >>> X = [["-0.9", "-0.8"], ["-0.7", "0.6"], ["0.3", "0.4"], ["0.5", "-0.9"]]
    >>> found = path(Problem(X, [1, -1, 1, -1], n=3, alpha=0, beta=0), level="exact")
    >>> found
    <Path exact: 4 segments>
      C 0 to 0.172915: 0 free, 4 bound; then point 1 reaches its margin, point 4 reaches its margin
      C 0.172915 to 0.294435: 2 free, 2 bound; then point 2 leaves its bound
      C 0.294435 to 0.413165: 3 free, 1 bound; then point 3 leaves its bound
      C 0.413165 to oo: 4 free, 0 bound
    >>> found.certificate("1/4"), format_decimal(found.at("1/4").order[2], 6)
    (<Certificate exact: 4 points, 2 free, 2 bound; w is exact>, '0.907456')
    """
    require_problem(problem)
    chosen = find_level(level, lambda known: known.has_path)
    require_level(chosen, problem, lambda known: known.has_path)
    if problem.m * min(problem.m, problem.modes) > _MOST:
        most = max(int(_MOST**0.5), int(_MOST / problem.modes))
        raise TooLarge("X", f"{problem.m} points", most, "take a sample of the points")
    low, high = QQ(C_from, "lower end of C"), None if C_to is None else QQ(C_to, "upper end of C")
    if low < 0:
        raise BadParameter(
            "lower end of C", format_decimal(low, 6), "is negative", "take 0 or a positive number"
        )
    if high is not None and high <= low:
        ends = f"{format_decimal(low, 6)} to {format_decimal(high, 6)}"
        raise BadParameter("C", ends, "is not an interval", "take a lower end below the upper end")
    bounds = lambda_bounds(problem)
    start, stop = QQ(bounds["lower"]) * low, None if high is None else QQ(bounds["upper"]) * high
    return Path(problem, level, low, high, follow_segments(problem, start, stop, chosen.exact))


class Path:
    """The optimum for every C from ``C_from`` to ``C_to`` (None: no end), as segments without gaps.

    At level ball the breakpoints are enclosed by balls. If lambda is irrational, the two outer ends of the
    segments in tau are rationals just outside the path.

    Examples
    --------
    >>> from orca_exact import Problem, path
    >>> X = [["-1"], ["-1/2"], ["0"], ["1/2"], ["1"]]
    >>> found = path(Problem(X, [1, -1, 1, -1, -1], n=3, alpha=0, beta=0), level="exact")
    >>> found.peak()  # N*
    [<3 for C from 0 to 0.440539>, <1 for C from 0.440539 to 8.20533>, <2 for C from 8.20533 to oo>]
    >>> found.index("degree", 2).extrema()
    (Extremum(value=0, where=(428/315,)), Extremum(value=84/191, where=((1168/105, None),)))
    """

    def __init__(
        self, problem: Problem, level: str, C_from: fmpq, C_to: fmpq | None, segments: tuple[Segment, ...]
    ):
        self.problem, self.level, self.exact = problem, level, LEVELS[level].exact
        self.C_from, self.C_to, self.segments = C_from, C_to, segments
        self._known_forms: dict[bool, QuadraticForms] = {}
        self._known_sums: dict[tuple[int, bool], QuadraticSums | None] = {}
        self._finest_segments: dict[int, Segment] = {}

    def __repr__(self) -> str:
        few = self.segments if len(self.segments) <= _SHOWN else self.segments[: _SHOWN - 1]
        rows = [self._row(segment) for segment in few]
        if len(few) < len(self.segments):
            rows.append(f"  and {len(self.segments) - len(few)} more segments")
        return "\n".join([f"<Path {self.level}: {len(self)} segments>", *rows])

    def _row(self, segment: Segment) -> str:
        low, high = ("oo" if end is None else format_decimal(end, 6) for end in self.bounds(segment))
        sizes = f"{len(segment.free)} free, {len(segment.bound)} bound"
        then = "; then " * bool(segment.events) + ", ".join(map(str, segment.events))
        return f"  C {low} to {high}: {sizes}{then}"

    def _fields(self) -> tuple[Any, ...]:
        return self.problem, self.level, self.C_from, self.C_to, self.segments

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and structurally_equal(self._fields(), other._fields())

    def __hash__(self) -> int:
        return hash((self.problem.sha256, self.level))

    def __reduce__(self) -> tuple[Any, ...]:
        return Path, self._fields()

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """Return the segments with plain numbers.

        Parameters
        ----------
        number : callable
            Converts each C; float by default. ``to_json`` keeps the exact values.

        Returns
        -------
        dict
            The id of the problem, the level, and for each segment its ends in C, its points and its events.
        """
        rows = []
        for segment in self.segments:
            low, high = (None if end is None else number(to_quantity(end)) for end in self.bounds(segment))
            events = [str(event) for event in segment.events]
            points = {"free": list(segment.free), "bound": list(segment.bound)}
            rows.append({"C_from": low, "C_to": high, **points, "events": events})
        return {"id": self.problem.id, "level": self.level, "segments": rows}

    def to_frame(self, C: Sequence[Any] | None = None) -> Any:
        """Return a pandas DataFrame of the segments, or of the orders at given C.

        Parameters
        ----------
        C : sequence, optional
            If given, there is a row with OKC^(q) for each of these C; by default, a row for each segment.

        Returns
        -------
        pandas.DataFrame
            The table.
        """
        if C is None:
            return to_dataframe([row | _sizes(row) for row in self.to_dict()["segments"]])
        labels = [INDICES["order"].label_of((q,)) for q in range(self.problem.d + 1)]
        orders = [self.order(q) for q in range(self.problem.d + 1)]
        shares = ({label: float(f(x)) for label, f in zip(labels, orders, strict=True)} for x in C)
        return to_dataframe([{"C": to_float(QQ(x, "C"))} | row for x, row in zip(C, shares, strict=True)])

    def _repr_html_(self) -> str:
        rows = self.to_dict(lambda x: format_decimal(x, 6))["segments"]
        shown = [row | _sizes(row) | {"events": "; ".join(row["events"])} for row in rows]
        return html_table(repr(self).splitlines()[0], shown)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    def C(self, tau: Any) -> Any:
        """Return tau/lambda: a rational if both are rational, else a ball; None for no end."""
        if any(tau is end for end in (self.segments[0].lower, self._places[0])):  # exact in C
            return self.C_from
        if any(tau is end for end in (self.segments[-1].upper, self._places[1])):
            return self.C_to
        with precision_bits(max(ctx.prec, working_bits(INDEX_DIGITS))):
            known = self.problem.lambda_is_rational
            return enclose(tau) / (self.problem.lambda_exact if known else self.problem.lambda_ball())

    def bounds(self, segment: Segment) -> tuple[Any, Any]:
        """Return the lower and the upper C of a segment."""
        return self.C(segment.lower), self.C(segment.upper)

    @cached_property
    def _places(self) -> tuple[Any, Any]:
        """Exact lambda*C_from and lambda*C_to."""
        low, high = self.C_from, self.C_to
        return (
            place_in_tau(self.problem, low) if low else fmpq(0),
            None if high is None else place_in_tau(self.problem, high),
        )

    @cached_property
    def _distinct(self) -> DistinctPoints:
        return DistinctPoints(self.problem)

    @cached_property
    def _field(self) -> Field:
        """The numbers that decide what balls with few digits leave open: rationals, if R is rational."""
        return finest_field(self._distinct.problem)

    def _finest_segment(self, k: int) -> Segment:
        """Return segment k with u, v and the upper end in the numbers of ``_field``."""
        if k not in self._finest_segments:
            self._finest_segments[k] = finest_segment(self._field, self._distinct, self.segments[k])
        return self._finest_segments[k]

    def _side_of_end(self, place: Any, k: int) -> int:
        """Return the sign of a place minus the upper end of segment k.

        The last segment counts as if it had no end.
        """
        if k == len(self) - 1:
            return -1
        try:
            return compare(place, self.segments[k].upper)
        except Undecided:
            return compare(place, self._finest_segment(k).upper)

    @cached_property
    def segment_range(self) -> range:
        """Range of the segments between C_from and C_to, as others may lie just outside."""
        low, high = self._places
        first, last = 0, len(self) - 1
        while low and self._side_of_end(low, first) >= 0:
            first += 1
        while high is not None and last > first and self._side_of_end(high, last - 1) <= 0:
            last -= 1
        return range(first, last + 1)

    def _ends(self, k: int, exact: bool) -> tuple[Any, Any]:
        """Return the lower and the upper end of segment k between C_from and C_to, in tau."""
        low, high = self._places
        if k != self.segment_range[0]:
            low = self._finest_segment(k - 1).upper if exact else self.segments[k].lower
        if k != self.segment_range[-1]:
            high = (self._finest_segment(k) if exact else self.segments[k]).upper
        return low, high

    def _middle(self, k: int) -> fmpq:
        """Return a rational tau inside segment k, between C_from and C_to."""
        try:
            return rational_between(*self._ends(k, False))
        except Undecided:
            return rational_between(*self._ends(k, True))

    def locate(self, C: Any) -> tuple[Tau, int]:
        """Return lambda*C and the number of the segment that contains it, the lower one at a breakpoint.

        Raise ZeroClassifier at C = 0, and BadParameter if C is not on the path.
        """
        q = QQ(C, "C")
        if q == 0 == self.C_from:
            raise ZeroClassifier("at C = 0, ", "take a C > 0; extrema() has the limit as C falls to 0")
        if q <= 0 or q < self.C_from or (self.C_to is not None and q > self.C_to):
            ends = " to ".join(
                "oo" if end is None else format_decimal(end, 6) for end in (self.C_from, self.C_to)
            )
            raise BadParameter("C", format_decimal(q, 6), f"is not on the path from {ends}", "take a C on it")
        place = place_in_tau(self.problem, q)
        return Tau(self.problem.replace(C=q)), next(
            k for k in self.segment_range if self._side_of_end(place, k) <= 0
        )

    def certificate(self, C: Any) -> Certificate:
        """Prove the optimum at one C from the solution of its segment, at the level of the path.

        Parameters
        ----------
        C : number
            A C on the path.

        Returns
        -------
        Certificate
            The certificate of the problem with this C.
        """
        tau, k = self.locate(C)
        segment = self.segments[k]
        if self.exact:
            return self._prove(tau, segment)
        with precision_digits(INDEX_DIGITS):
            lam, enclosed = tau.problem.lambda_ball(), tau.ball()
            a = [arb(x) for x in segment.u + segment.v * enclosed]
            alpha = [midpoint((x / lam).max(arb(0))) for x in a]
        return certify(tau.problem, alpha, level="ball")

    def _prove(self, tau: Tau, segment: Segment) -> Certificate:
        assert isinstance(self._field, Rationals)
        return prove_exactly(tau.problem, self._field.R, tau.affine(segment.u, segment.v))

    def at(self, C: Any) -> Profile[Any]:
        """Return the indices at one C, at the level of the path: exact or in balls.

        Parameters
        ----------
        C : number
            A C on the path.

        Returns
        -------
        Profile
            The indices of the problem with this C.

        Raises
        ------
        ZeroClassifier
            If w = 0 at this C.
        """
        tau, k = self.locate(C)
        if self.exact:
            return orca(tau.problem, self.certificate(C), "exact")
        try:
            return orca(tau.problem, self.certificate(C), "ball")
        except (Undecided, TooLarge):  # TooLarge also comes from float64, where the proof starts
            if not self.problem.kernel.rational:
                if self.sums(k, False) is None:
                    raise ZeroClassifier from None
                raise
            proof, digits = self._prove(tau, self._finest_segment(k)), INDEX_DIGITS
        sums = self.sums(k, True)
        if sums is None or not sign_at(sums.norm, place_in_tau(self.problem, tau.C)):
            raise ZeroClassifier
        while True:  # ends, because w is not 0
            try:
                return orca(tau.problem, proof, "ball", digits)
            except Undecided:
                digits *= 2

    @property
    def hard_margin(self) -> bool | None:
        """Whether the last segment has no slack, so that a larger C changes nothing.

        It is None if that is not proved, or if the path ends at a finite C_to.
        """
        return None if self.segments[-1].upper is not None else self.certificate(self._last_C).hard_margin

    @cached_property
    def _last_C(self) -> fmpq:
        """A C on the last segment."""
        last = self.C(self.segments[-1].lower)
        return 2 * (last if isinstance(last, fmpq) else midpoint(last)) + 1

    def to_json(self) -> JsonObject:
        """Return the content of the path file, with its digest; ``checker`` verifies it independently.

        Raise BadParameter unless the path is exact.
        """
        if not self.exact:
            rule = "does not give the exact breakpoints that a file needs"
            hint = "compute the path with level='exact'"
            if not self.problem.kernel.rational:
                hint = "use to_dict; the breakpoints of this kernel are transcendental"
            raise BadParameter("level", self.level, rule, hint)
        data: dict[str, Any] = {
            "schema": PATH_SCHEMA,
            "problem": self.problem.to_json(names=False),
            "lambda": lambda_bounds(self.problem),
            "C": {"lower": str(self.C_from), "upper": None if self.C_to is None else str(self.C_to)},
            "segments": [segment.to_json() for segment in self.segments],
            "claims": {"hard_margin": self.hard_margin},
            "versions": library_versions(),
        }
        return add_digest(data)

    def sums(self, k: int, exact: bool) -> QuadraticSums | None:
        """Return the sums over modes on segment k, in balls or, if ``exact``, in the numbers of ``_field``.

        It is None if w = 0 on all of the segment. Balls that hardly separate ||w|| from 0 are replaced.
        """
        if (k, exact) not in self._known_sums:
            segment = self._finest_segment(k) if exact else self.segments[k]
            sums = QuadraticSums(self._forms(exact), segment, self._parity)
            if not (exact or is_narrow(sums.norm(self._middle(k)))):
                return self.sums(k, True)
            self._known_sums[k, exact] = None if sums.norm.is_zero else sums
        return self._known_sums[k, exact]

    @cached_property
    def _parity(self) -> int | None:
        """0 or 1 if h is an even or an odd function by symmetry, for every C; None if that is not known.

        w is unique. So if x -> -x maps the problem to itself, it maps h to h or, if it exchanges the classes,
        to -h. Under the own measures of an even kernel each mode is an even or an odd function.
        """
        mirror = mirror_points(self.problem) if self.problem.kernel.own_measures else None
        return None if mirror is None else int(self.problem.y[0] != self.problem.y[mirror[0]])

    def _forms(self, exact: bool) -> QuadraticForms:
        if exact not in self._known_forms:
            name = "exact" if exact and self.problem.kernel.rational else "ball"
            self._known_forms[exact] = quadratic_forms(self.problem, arithmetic(name, self._digits(exact)))
        return self._known_forms[exact]

    def _digits(self, exact: bool) -> int:
        """Return the digits of the balls in which sums and their quotients are computed."""
        return MOST_PIVOT_DIGITS if exact and not self.problem.kernel.rational else INDEX_DIGITS

    def evaluate_segment(
        self, k: int, ask: Callable[[QuadraticSums, Any, Any], T], exact: bool = False
    ) -> T | None:
        """Evaluate ``ask`` with the sums and the ends of segment k; return None if w = 0.

        An exact path uses rationals. Another one uses balls first and, if ``ask`` raises Undecided,
        the numbers of ``_field``.
        """
        exact = exact or self.exact
        with precision_digits(self._digits(exact)):
            try:
                sums = self.sums(k, exact)
                return None if sums is None else ask(sums, *self._ends(k, exact))
            except Undecided:
                if exact:
                    raise
                return self.evaluate_segment(k, ask, True)

    def index(self, name: str, key: Any = ()) -> IndexCurve:
        """Return an index as a function of C.

        Parameters
        ----------
        name : str
            The name of an index family, such as "order", "degree" or "pair".
        key : optional
            The member of the family: a number, a column name, or a tuple of them.

        Returns
        -------
        IndexCurve
            The index; call it with a C, or use its ``extrema``.

        Examples
        --------
        >>> from orca_exact import Problem, path
        >>> found = path(Problem([["-1"], ["1/2"]], [1, -1], n=2, alpha=0, beta=0), level="exact")
        >>> found.index("degree", 2)(1)
        15/31
        """
        if name not in INDICES:
            raise BadParameter("index", repr(name), "is unknown", "choose one of " + ", ".join(INDICES))
        if INDICES[name].by_degree:
            self._require_degrees(repr(name))
        keys = list(INDICES[name].keys(self.problem.kernel.top_degree or 0, self.problem.d))
        wanted = INDICES[name].find_key(key, keys, self.problem.names)
        label, share = INDICES[name].label_of(wanted), self._known_share(INDICES[name], wanted)
        return IndexCurve(self, label, name, keys.index(wanted), share)

    def _known_share(self, index: Index, key: Key) -> int | None:
        """Return 0 or 1 if an index has this value for every classifier, else None.

        A column has no share if its measure is a single point. The constant has none, because sum_i alpha_i
        y_i = 0 or by convention. No mode has a degree above the highest one.
        """
        measures = enumerate(self.problem.index_measures, 1)
        varying = {i for i, measure in measures if measure.size != 1}
        most = min(self.problem.highest_order, len(varying))
        columns = set(key) if index.keys_are_columns else set()
        if index.constant == key or index.least_order(key) > most or columns - varying:
            return 0
        if (index.name, key) == ("cumulative", (self.problem.kernel.top_degree,)):
            return 1
        whole = columns == varying or (index.name, key) == ("order", (1,))
        return 1 if most == 1 and whole else None

    @property
    def under_description(self) -> str:
        """The measure of the indices in words; empty if it is that of the kernel."""
        return "" if self.problem.kernel.own_measures else describe_under(self.problem)

    @property
    def has_degrees(self) -> bool:
        """Whether there are indices by degree."""
        return self.problem.kernel.top_degree is not None

    def _require_degrees(self, what: str) -> None:
        if not self.has_degrees:
            rule = f"does not exist for the {self.problem.kernel_description}"
            raise BadParameter("index", what, rule, "use the indices by order and by column")

    def order(self, q: int) -> IndexCurve:
        """Return OKC^(q) as a function of C."""
        return self.index("order", q)

    def threshold(self, eps: Any) -> list[IndexStep]:
        """Return T_eps, the smallest T with F(T) >= 1 - eps, on intervals of C.

        Parameters
        ----------
        eps : number
            A number from 0 to 1.

        Returns
        -------
        list of IndexStep
            The values, from C_from to C_to.
        """
        self._require_degrees("T_eps")
        level = 1 - QQ(eps, "eps")
        if not 0 <= level <= 1:
            raise BadParameter("eps", eps, "is not between 0 and 1", "take for example 0.05")
        return self._steps(lambda sums, *ends: threshold_differences(sums, level))

    def peak(self) -> list[IndexStep]:
        """Return N*, the smallest degree with the largest share, on intervals of C.

        Returns
        -------
        list of IndexStep
            The values, from C_from to C_to.
        """
        self._require_degrees("N*")
        return self._steps(peak_differences)

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None, steps: bool = True) -> Any:
        """Plot the orders, N* and T_eps, and the number of support vectors over C.

        Parameters
        ----------
        kind : str
            "orders" is the only kind.
        ax : matplotlib.axes.Axes, optional
            Axes that get the orders alone.
        names : optional
            Not used; accepted as in other ``plot`` methods.
        steps : bool
            Whether to include N* and T_eps, if the kernel has degrees.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.
        """
        if kind != "orders":
            hint = "take 'orders', or path.at(C).plot(kind) at one C"
            raise BadParameter("kind", repr(kind), "is not a kind of plot over C", hint)
        return draw_path(self, steps and self.has_degrees, ax)

    def interval_around(
        self, C: Any, conditions: Callable[[QuadraticSums], Sequence[Quadratic]]
    ) -> IndexStep:
        """Return the largest interval around C, ends included, in which these conditions are at least 0.

        Its value is 1. If they do not hold at C, return the interval around C in which they do not hold, with
        value 0, or None if w = 0.
        """

        def ask(sums: QuadraticSums, *ends: Any) -> tuple[Sequence[Quadratic], Value]:
            return conditions(sums), lambda signs: int(all(s >= 0 for s in signs))

        place, (_, k) = place_in_tau(self.problem, QQ(C, "C")), self.locate(C)

        def located(sums: QuadraticSums, lower: Any, upper: Any) -> tuple[list[IndexStep], int]:
            found = self._split_segment(k, ask, sums, lower, upper)
            return found, next(j for j, cell in enumerate(found) if _contains(cell, place))

        here, j = self.evaluate_segment(k, located) or (self._undefined_cells(k), 0)
        later = (cell for n in self.segment_range if n > k for cell in self._cells(n, ask))
        earlier = (
            cell for n in reversed(self.segment_range) if n < k for cell in reversed(self._cells(n, ask))
        )
        value = here[j].value
        *_, first = takewhile(lambda cell: cell.value == value, chain(reversed(here[: j + 1]), earlier))
        *_, last = takewhile(lambda cell: cell.value == value, chain(here[j:], later))
        (found,) = self._in_C([IndexStep(first.lower, last.upper, value)])
        return found

    def _split_segment(
        self, k: int, ask: Callable[..., Any], sums: QuadraticSums, lower: Any, upper: Any
    ) -> list[IndexStep]:
        """Split segment k into cells, with its lower end if that is C_from and not 0."""
        closed = k == self.segment_range[0] and self.C_from != 0
        functions, value = ask(sums, lower, upper, closed)
        of_norm: Value = lambda signs: value(signs[1:]) if signs[0] else None  # noqa: E731
        found = split_interval(lower, upper, closed, [sums.norm, *functions], of_norm)
        if not all(is_narrow(cell.upper) for cell in found):
            raise Undecided("The enclosure of a place where an index changes is too wide at this precision.")
        return found

    def _cells(self, k: int, ask: Callable[..., Any]) -> list[IndexStep]:
        return self.evaluate_segment(
            k, lambda *given: self._split_segment(k, ask, *given)
        ) or self._undefined_cells(k)

    def _undefined_cells(self, k: int) -> list[IndexStep]:
        """Return the cells of a segment where w = 0."""
        lower, upper = self._ends(k, True)
        return [IndexStep(lower, upper, None), *([] if upper is None else [IndexStep(upper, upper, None)])]

    def _steps(self, ask: Callable[..., Any]) -> list[IndexStep]:
        return self._in_C(join_steps(chain_cells(self._cells(k, ask) for k in self.segment_range)))

    def _in_C(self, steps: list[IndexStep]) -> list[IndexStep]:
        """Return the steps with their ends in C, with enough digits to separate them."""
        digits = INDEX_DIGITS
        while True:
            with precision_digits(digits):
                known: dict[int, Any] = {id(end): self.C(end) for step in steps for end in step[:2]}
            found = [IndexStep(known[id(step.lower)], known[id(step.upper)], step.value) for step in steps]
            separated = all(step.is_single or step.upper is None or step.lower < step.upper for step in found)
            if separated or digits > MOST_DIGITS:  # fixed balls may overlap
                return found
            digits *= 2


def _sizes(row: dict[str, Any]) -> dict[str, int]:
    return {key: len(row[key]) for key in ("free", "bound")}


def _contains(cell: IndexStep, place: Any) -> bool:
    """Return whether a place lies on a cell."""
    if cell.is_single:
        return compare(place, cell.lower) == 0
    return compare(place, cell.lower) > 0 and (cell.upper is None or compare(place, cell.upper) < 0)
