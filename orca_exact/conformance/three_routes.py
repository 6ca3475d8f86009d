"""Comparison of the c_k and the OKC indices by three routes (``profile --check``).

The routes share nothing but the numbers of the problem file and one alpha, that of the certificate:
``float_route`` (NumPy), ``mpmath_route`` (the formulas of the paper), and the library, whose balls enclose
the values of the optimum. Two values disagree if they differ by more than the sum of their error bounds.
``mpmath_route`` also checks that alpha is optimal for the problem in the file, since a library that solves
another problem agrees with itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, product
from math import comb, inf, isfinite, sqrt
from random import Random
from typing import Any, NoReturn

from flint import arb

from ..cost import Cost
from ..errors import BadParameter, TooLarge
from ..files.formats import JsonObject
from ..numbers.arithmetic import Ball
from ..numbers.quantity import mpmath_context
from ..numbers.rationals import QQ, float_lower_bound, format_digits_down, midpoint, precision_digits
from ..numbers.values import to_json_value
from ..problem import Problem
from ..profile.index import Key
from ..profile.indices import INDICES, UndecidedSummary
from ..profile.profile import orca
from ..svm.certificate import Certificate
from .float_route import FloatRoute
from .mpmath_route import MpmathRoute, OptimalityCheck
from .stated import SHARES_LEFT_OUT, MultiIndex, RouteValues, StatedProblem

FLOAT, MP, PROOF = "float", "mp", "proof"
ROUTES = {FLOAT: "float64", MP: "mpmath", PROOF: "the library"}
COEFFICIENTS = "c_k"
MODES, SAMPLE = 10_000, 1_000  # modes up to which all are enumerated, and the sample of more
PRODUCTS = 4_000_000  # products of mpmath numbers that one step may take, about 2e-6 s each
FLOAT_PRODUCTS = 400_000_000  # the same in float64, if it is too much for mpmath, about 2e-8 s each
POLYNOMIALS = 300_000  # values of polynomials in mpmath, about 1e-4 s each
CHECK_SCHEMA = "orca-exact/check/1"
PROVED_ARITHMETIC = Ball.name  # the arithmetic of the library's values, unless it takes long
_MOST_LISTED = 8  # degrees in the name of a c_k
_FEWER = "fewer rows or columns, or leave --check out"
_MAX_ENTRIES = 20_000_000  # numbers in the arrays of pairs of points


@dataclass(frozen=True)
class RoutesValue:
    """A c_k or an index by the three routes.

    ``proved`` encloses it, and ``values`` are those of the other routes, with bounds on their errors.
    ``decimals`` is -log10 of the largest possible distance of each from the true value (inf if it is 0), and
    ``difference`` is |float64 - mpmath|, 0 if mpmath has no value. ``odd`` are the routes that are wrong: one
    if the other two agree, or else those that contradict each other.
    """

    family: str  # of INDICES, or c_k
    key: Key
    proved: arb
    values: Mapping[str, tuple[Any, float]]
    decimals: Mapping[str, float]
    difference: float
    odd: tuple[str, ...]

    @property
    def label(self) -> str:
        """Name of the value, such as 'OKC_13' or 'c_(2,1)'."""
        if self.family == COEFFICIENTS:
            return label_of_mode(self.key)
        return INDICES[self.family].label_of(self.key)

    def to_json(self, digits: int) -> JsonObject:
        """Return the fields that coefficients and indices have in common."""
        found = {
            route: to_json_value(value, digits) | {"decimals": shown_decimals(self.decimals[route])}
            for route, (value, _) in self.values.items()
        }
        common = {"label": self.label, "key": list(self.key), "value": to_json_value(self.proved, digits)}
        return common | {"decimals": shown_decimals(self.decimals[PROOF]), "odd": list(self.odd)} | found


@dataclass(frozen=True)
class ComparedSummary:
    """N* or a threshold T_eps by the three routes; the library may leave several numbers possible."""

    label: str
    proved: tuple[int, ...]
    values: Mapping[str, int]
    odd: tuple[str, ...]

    def to_json(self) -> JsonObject:
        """Return the item of the field ``summaries``."""
        return {"label": self.label, "value": list(self.proved), "odd": list(self.odd)} | dict(self.values)


@dataclass(frozen=True)
class Plan:
    """The modes whose c_k are compared, and whether indices are summed over modes or over sets."""

    modes: list[MultiIndex]
    every_mode: bool
    sets: (
        list[MultiIndex] | None
    )  # sets of columns as modes of zeros and ones; None: the indices are sums over modes
    sizes: set[int]  # the orders of which every term is computed
    in_mpmath: bool  # whether mpmath computes the indices too
    points: list[int]  # at which the KKT conditions are checked

    @classmethod
    def for_problem(cls, stated: StatedProblem, support: Sequence[int]) -> Plan:
        """Return what can be computed for these support vectors; raise TooLarge if it is too little."""
        d, order, m = len(stated.degrees), stated.order, len(stated.X)
        pairs, every, most, modes = len(support) * (len(support) + 1) // 2, True, 0, []
        if stated.family != "rbf":
            most = max(1, min(MODES, PRODUCTS // (2 * len(support)), PRODUCTS // d))
            modes = list(islice(list_modes(stated.degrees, order, stated.total), most + 1))
            every = len(modes) <= most
        if not every:
            modes = _sample(stated, most) if stated.own else []
        _check_polynomials(stated, support)
        sets, sizes, in_mpmath = None, set(range(d + 1)), True
        if stated.family == "rbf" or not every:
            sets, sizes, in_mpmath = _choose_sets(stated, pairs)
        if not modes and not sets:
            _refuse(stated, len(support), most)
        products = d * (1 if order == d else 2 * order + 1)
        each = len(support) * (sum(stated.degrees) + products if stated.own else 3 * d)
        count = max(1, min(m, PRODUCTS // max(each, 1), POLYNOMIALS // (10 * _values_per_point(stated))))
        return cls(modes, every, sets, sizes, in_mpmath, sorted({i * m // count for i in range(count)}))


def _refuse(stated: StatedProblem, support: int, most: int) -> NoReturn:
    """Raise TooLarge, because neither a c_k nor an index can be computed for so many support vectors."""
    d = len(stated.degrees)
    if stated.family == "polynomial":
        size = f"the number of modes up to degree {stated.total} in {d} columns"
        hint = f"a polynomial kernel needs every mode, so use a smaller degree or {_FEWER}"
        raise TooLarge("--check", size, f"the {most} that float64 and mpmath can sum", hint)
    size = f"the number of pairs of {support} support vectors in {d} columns"
    raise TooLarge(
        "--check", size, "what float64 compares", "use fewer rows or columns, or leave --check out"
    )


def _choose_sets(stated: StatedProblem, pairs: int) -> tuple[list[MultiIndex], set[int], bool]:
    """Return sets of columns by their size, the sizes of which all are listed, and whether mpmath is used."""
    d, order = len(stated.degrees), stated.order
    if stated.family == "polynomial" or pairs * d > _MAX_ENTRIES:
        return [], set(), False
    integrals = sum(_integral_cost(stated, measure) for measure in stated.measures)
    for limit, in_mpmath in ((PRODUCTS, True), (FLOAT_PRODUCTS, False)):
        room, total, last = (limit - pairs * integrals * (1 if in_mpmath else 0)) // (3 * pairs), 1, 0
        while last < order and total + comb(d, last + 1) <= min(room, MODES):
            last += 1
            total += comb(d, last)
        if last:
            sizes = set(range(d + 1 if last == order else last + 1))
            return list(list_modes([1] * d, last, d)), sizes, in_mpmath
    return [], set(), False


def _integral_cost(stated: StatedProblem, measure: JsonObject) -> int:
    """Return the products that the integrals over one column take for a pair of points."""
    if stated.own:
        return 2
    if measure["family"] == "discrete":
        return 2 * len(measure["nodes"])
    return 2 * len(stated.X) if measure["family"] == "empirical" else 500


def _values_per_point(stated: StatedProblem) -> int:
    """Return how many values of polynomials a point needs; those of high degree count more."""
    return sum((n + 1) * (1 + n // 200) for n in stated.degrees) if stated.own else 1


def _check_polynomials(stated: StatedProblem, support: Sequence[int]) -> None:
    """Raise TooLarge if mpmath would compute for more than about a minute."""
    count = len(support) * _values_per_point(stated)
    if count > POLYNOMIALS:
        hint = "use fewer rows or lower degrees, or leave --check out"
        size = f"the number of values of polynomials at the {len(support)} support vectors, {count},"
        raise TooLarge("--check", size, f"the {POLYNOMIALS} that mpmath computes in a minute", hint)


def list_modes(degrees: Sequence[int], order: int, total: int) -> Iterator[MultiIndex]:
    """Yield the modes with k_j <= n_j, at most ``order`` active columns and |k| <= total, by their order."""
    columns = [j for j, n in enumerate(degrees) if n]
    for q in range(order + 1):
        for S in combinations(columns, q):
            for k in product(*(range(1, degrees[j] + 1) for j in S)):
                if sum(k) <= total:
                    place = dict(zip(S, k, strict=True))
                    yield tuple(place.get(j, 0) for j in range(len(degrees)))


def _sample(stated: StatedProblem, most: int) -> list[MultiIndex]:
    """Return modes of every order, drawn in a fixed way, and the first of the order 0 and 1."""
    draw, columns = Random(1), [j for j, n in enumerate(stated.degrees) if n]
    count = min(SAMPLE, most) // 2
    found = dict.fromkeys(islice(list_modes(stated.degrees, 1, stated.total), count))
    for i in range(count):
        active = set(draw.sample(columns, 1 + i % min(stated.order, len(columns))))
        found[tuple(draw.randint(1, n) if j in active else 0 for j, n in enumerate(stated.degrees))] = None
    return list(found)


def routes_cost(problem: Problem) -> Cost:
    """Estimate the time of float64 and mpmath, if every point is a support vector.

    Raise TooLarge if they can compare nothing, however few the support vectors are.
    """
    stated = StatedProblem.from_json(problem.to_json())
    Plan.for_problem(stated, range(2))
    polynomials = min(POLYNOMIALS, problem.m * _values_per_point(stated)) * stated.own
    products = min(PRODUCTS, 2 * problem.m * min(problem.modes, MODES))
    pairs = min(PRODUCTS, problem.m**2 * sum(_integral_cost(stated, each) for each in stated.measures))
    gram = min(PRODUCTS, problem.m**2 * sum(stated.degrees))
    in_mpmath = 1e-4 * polynomials + 2e-6 * (products + gram + (0 if stated.own else pairs))
    by_sets = stated.family == "rbf" or problem.modes > MODES  # see ``_choose_sets``
    in_float64 = min(FLOAT_PRODUCTS, 2 * problem.m**2 * MODES) if by_sets else 0
    return Cost(in_mpmath + 2e-8 * in_float64)


@dataclass(frozen=True, repr=False)
class RouteCheck:
    """The comparison of everything that the three routes computed."""

    problem: Problem
    digits: int
    rows: list[RoutesValue]  # the c_k first
    summaries: list[ComparedSummary]
    optimality: OptimalityCheck
    tolerance: float  # violation of the KKT conditions that the proof of optimality allows
    plan: Plan
    in_balls: bool = True  # whether the library's values are balls; if not, they are proved in float64

    def __repr__(self) -> str:
        wrong = len(self.disagreeing)
        found = f"they disagree on {wrong}" if wrong else "they agree"
        return f"<Check of {len(self.rows)} values by three routes: {found}>"

    @property
    def families(self) -> list[str]:
        """The families of values that were compared, c_k first."""
        return list(dict.fromkeys(row.family for row in self.rows))

    @property
    def compared(self) -> list[str]:
        """The routes that have values, besides the library."""
        return [route for route in (FLOAT, MP) if any(route in row.values for row in self.rows)]

    def family(self, name: str) -> list[RoutesValue]:
        """Return the values of one family."""
        return [row for row in self.rows if row.family == name]

    @property
    def disagreeing(self) -> list[RoutesValue]:
        """Return the values on which the routes disagree."""
        return [row for row in self.rows if row.odd]

    @property
    def is_optimal(self) -> bool:
        """Whether alpha satisfies the KKT conditions as well as was proved."""
        found = self.optimality
        return found.violation <= self.tolerance and found.balance <= found.rounding

    @property
    def agrees(self) -> bool:
        """Whether no value differs by more than its error bounds, and alpha is optimal."""
        return not self.disagreeing and not any(each.odd for each in self.summaries) and self.is_optimal

    def least_accurate(self, route: str) -> RoutesValue:
        """Return the value with the fewest correct decimals by this route."""
        return min((row for row in self.rows if route in row.values), key=lambda row: row.decimals[route])

    @property
    def proved_decimals(self) -> float:
        """The decimals to which every value is proved."""
        return min(row.decimals[PROOF] for row in self.rows)

    def expected(self, route: str) -> float:
        """Return the decimals that every value should have by this route, from its error bounds."""
        errors = (row.values[route][1] for row in self.rows if route in row.values)
        return min(_decimals(arb(error)) for error in errors)

    def to_json(self) -> JsonObject:
        """Return the JSON (``orca-exact/check/1``)."""
        found, plan = self.optimality, self.plan
        with precision_digits(3 * self.digits + 60):
            return {
                "schema": CHECK_SCHEMA,
                "id": self.problem.id,
                "problem": self.problem.sha256,
                "digits": self.digits,
                "agrees": self.agrees,
                "witnesses": {
                    route: {
                        "expected": shown_decimals(self.expected(route)),
                        "decimals": shown_decimals(self.least_accurate(route).decimals[route]),
                        "worst": self.least_accurate(route).label,
                        "misses": [row.label for row in self.disagreeing if route in row.odd],
                    }
                    for route in self.compared
                },
                "kkt": {
                    "violation": found.violation,
                    "point": found.point,
                    "balance": found.balance,
                    "tolerance": self.tolerance,
                    "points": len(plan.points),
                    "agrees": self.is_optimal,
                },
                "every_mode": plan.every_mode,
                "coefficients": [row.to_json(self.digits) for row in self.family(COEFFICIENTS)],
                "indices": [
                    {"index": row.family} | row.to_json(self.digits)
                    for row in self.rows
                    if row.family != COEFFICIENTS
                ],
                "summaries": [each.to_json() for each in self.summaries],
            }


def compare_routes(
    problem: Problem,
    certificate: Certificate,
    digits: int = 30,
    stated: JsonObject | None = None,
    arithmetic: str = PROVED_ARITHMETIC,
) -> RouteCheck:
    """Compare the c_k and indices by three routes that share nothing but the problem and one alpha.

    Parameters
    ----------
    problem : Problem
    certificate : Certificate
        The proof of optimality, which states alpha.
    digits : int, default 30
        Digits of the proved values; mpmath uses more.
    stated : dict, optional
        The JSON data that the problem was read from; by default ``problem.to_json()``.
    arithmetic : {"ball", "verified"}
        The arithmetic of the library's values; "verified", which is float64 with proved error bounds, is
        faster and proves fewer digits.

    Returns
    -------
    RouteCheck

    Raises
    ------
    TooLarge
        If the problem is too large for mpmath.

    Examples
    --------
    >>> from orca_exact import Problem, certify
    >>> X = [["1", "1"], ["-1", "-1"], ["1", "-1"], ["-1", "1/2"]]
    >>> problem = Problem(X, [1, 1, -1, -1], n=1, alpha=0, beta=0, C=10)
    >>> found = compare_routes(problem, certify(problem))
    >>> found, found.least_accurate("float").decimals["float"] > 14
    (<Check of 19 values by three routes: they agree>, True)
    """
    try:
        raw = StatedProblem.from_json(problem.to_json() if stated is None else stated)
    except ValueError:  # the limit of Python, of SymPy numbers, ...
        rule, hint = "has a number that only this library reads", "write shorter rational numbers"
        raise BadParameter("problem", repr(problem.id), rule, hint) from None
    working = 3 * digits + 60
    balls = certificate.alpha(working + 20)
    alpha = [Fraction(int(a.p), int(a.q)) for a in map(midpoint, balls)]
    plan = Plan.for_problem(raw, [i for i, a in enumerate(alpha) if a])  # before the profile takes long
    profile: Any = orca(problem, certificate, arithmetic, digits)
    mp = MpmathRoute(raw, alpha, [float(a.rad()) for a in balls], working)
    routes = {
        FLOAT: FloatRoute(raw, alpha).compute(plan.modes, plan.sets, plan.sizes),
        MP: mp.compute(plan.modes, plan.sets if plan.in_mpmath or plan.sets is None else [], plan.sizes),
    }
    optimality = mp.check_optimality(plan.points)
    allowed = sqrt(float(arb(certificate.gap).upper()) / optimality.largest_alpha) + optimality.rounding
    proved = {(COEFFICIENTS, k): x for k, x in _coefficients(profile, plan).items()}
    found = {route: _label(values) for route, values in routes.items()}
    for family, key in found[FLOAT]:
        if family != COEFFICIENTS:
            proved[family, key] = profile.family(family)[key]
    with precision_digits(working):
        rows = [
            _compare(*name, ball, {route: values[name] for route, values in found.items() if name in values})
            for name, ball in proved.items()
        ]
    summaries = list(_compare_summaries(profile.summary() if routes[FLOAT].summaries() else None, routes))
    in_balls = arithmetic == PROVED_ARITHMETIC
    return RouteCheck(problem, digits, rows, summaries, optimality, allowed, plan, in_balls)


def _coefficients(profile: Any, plan: Plan) -> dict[MultiIndex, arb]:
    """Return the proved c_k that are compared."""
    if not plan.modes:
        return {}
    found: dict[MultiIndex, arb] = profile.coefficients(None if plan.every_mode else plan.modes)
    return found


def _label(values: RouteValues) -> dict[tuple[str, Key], tuple[Any, float]]:
    found = {(COEFFICIENTS, k): x for k, x in values.coefficients.items()} | values.indices
    return {name: (_own_number(value), error) for name, (value, error) in found.items()}


def _own_number(value: Any) -> Any:
    """Return a number of the route's mpmath context in one of this library, which can be pickled."""
    if isinstance(value, float):
        return value
    context: Any = mpmath_context(value.context.prec)
    return context.make_mpf(value._mpf_)


def _compare(family: str, key: Key, ball: arb, values: dict[str, tuple[Any, float]]) -> RoutesValue:
    """Return the value by all routes, with those that are odd."""
    known: dict[str, tuple[arb, Any]]
    known = {route: (_to_arb(value), error) for route, (value, error) in values.items()}
    known = {route: x for route, x in known.items() if x[0].is_finite() and isfinite(x[1])}
    known[PROOF] = arb(ball.mid()), ball.rad()
    differ = [
        {left, right}
        for left, right in combinations(known, 2)
        if arb((abs(known[left][0] - known[right][0])).lower()) > arb(known[left][1]) + arb(known[right][1])
    ]
    if MP in values and MP not in known:  # mpmath cannot overflow: such an error bound is a fault
        differ.append({MP})
    decimals = {route: _decimals(abs(ball - _to_arb(value))) for route, (value, _) in values.items()}
    difference = float(abs(known[FLOAT][0] - known[MP][0])) if {FLOAT, MP} <= set(known) else 0.0
    decimals[PROOF] = _decimals(ball.rad())
    return RoutesValue(family, key, ball, values, decimals, difference, find_odd(differ, known))


def label_of_mode(k: MultiIndex) -> str:
    """Return the name of c_k, such as 'c_(2,1)', or for many columns 'c_(k_3=2,k_17=1)'."""
    if len(k) <= _MOST_LISTED:
        return f"c_({','.join(map(str, k))})"
    return f"c_({','.join(f'k_{j}={degree}' for j, degree in enumerate(k, 1) if degree) or 'k=0'})"


def find_odd(differ: Sequence[set[str]], routes: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the route that differs from all others, or else all routes that differ from another."""
    involved = [route for route in (*routes, MP) if any(route in pair for pair in differ)]
    alone = [route for route in involved if len(differ) > 1 and all(route in pair for pair in differ)]
    return tuple(dict.fromkeys(alone or involved))


def _compare_summaries(proved: Any, routes: Mapping[str, RouteValues]) -> Iterator[ComparedSummary]:
    """Compare N* and T_eps, which are integers, if the kernel has degrees."""
    if proved is None:
        return
    stated = {"N*": proved.peak} | {f"T_{eps}": proved.threshold[eps] for eps in SHARES_LEFT_OUT}
    found = {route: values.summaries() for route, values in routes.items()}
    for label, value in stated.items():
        possible = value.candidates if isinstance(value, UndecidedSummary) else (value,)
        values = {route: each[label] for route, each in found.items() if label in each}
        differ = [{route, PROOF} for route, number in values.items() if number not in possible]
        if len(set(values.values())) > 1:
            differ.append({FLOAT, MP})
        yield ComparedSummary(label, possible, values, find_odd(differ, {**values, PROOF: possible}))


def _to_arb(value: Any) -> arb:
    """Return a float64 or a number of mpmath without rounding."""
    if isinstance(value, float) and not isfinite(value):
        return arb("nan")
    return arb(QQ(value))


def _decimals(error: arb) -> float:
    """Return -log10 of an upper bound of the error, rounded down; -inf if it is not finite."""
    if not arb(error).is_finite():
        return -inf
    upper = arb(error.upper())
    return inf if upper <= 0 else float_lower_bound(-(upper.log() / arb(10).log()))


def shown_decimals(x: float) -> float | None:
    """Return a number of decimals for JSON; null stands for all."""
    return None if x == inf else float(format_digits_down(max(x, 0.0)))
