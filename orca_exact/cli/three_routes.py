"""Output of ``profile --check``: how far three routes to the c_k and the indices agree."""

from __future__ import annotations

from math import inf

from ..conformance.three_routes import (
    COEFFICIENTS,
    FLOAT,
    MODES,
    MP,
    PROOF,
    ROUTES,
    RouteCheck,
    RoutesValue,
)
from ..errors import pluralize, printable
from ..numbers.rationals import format_decimal, format_digits_down, format_upper_bound
from .page import Grid, Page
from .terminal import Output

VALUE = 12  # digits of a value in a sentence
_FLOAT_DIGITS = 17  # digits that tell float64 numbers apart
_SHOWN = 8  # rows of the table of c_k
_STRICT = 1e-3  # tolerance of y_i g(x_i) above which a violation of the KKT conditions proves little
_WEAK = ", which is so much that this check proves little; --arithmetic ball allows less"
_NAMES = {  # of the families
    COEFFICIENTS: "c_k", "order": "OKC^(q)", "marginal": "OKC_i", "pair": "OKC_ij", "total": "total index",
    "shapley": "Shapley effect", "even": "even degrees", "odd": "odd degrees", "degree": "OKC_N",
}  # fmt: skip


def write_comparison(found: RouteCheck, out: Output, form: str) -> int:
    """Write the comparison; return 1 if the routes disagree or alpha is not optimal, else 0."""
    if form == "json":
        out.json(found.to_json())
        return 0 if found.agrees else 1
    facts = [
        "c_k and every index by three routes that share only the numbers of the problem and alpha:",
        "float64 (NumPy), mpmath (the formulas of the paper), and the library, whose values are proved",
        "float64, mpmath: the fewest correct decimals of the values of each kind",
    ]
    sentences = [describe_largest_difference(found), describe_optimality_check(found)]
    sentences += [*describe_limits(found), *describe_disagreements(found), describe_verdict(found)]
    grids = [_families(found)]
    if found.family(COEFFICIENTS):
        grids.append(_coefficients(found))
    Page(printable(found.problem.id) or "problem", facts, grids, [x for x in sentences if x]).show(out, form)
    return 0 if found.agrees else 1


def _families(found: RouteCheck) -> Grid:
    """Return the table of families, with the fewest correct decimals by each route."""
    rows: list[list[str]] = []
    red: list[int] = []
    for name in found.families:
        values = found.family(name)
        worst = max(values, key=lambda row: row.difference)
        wrong = any(row.odd for row in values)
        red += [len(rows)] * wrong
        size = _shown_size(worst.difference) if MP in worst.values else "-"
        decimals = [_shown(_fewest(values, route)) for route in (FLOAT, MP)]
        at = worst.label if size not in ("0", "-") else ""
        rows.append([_NAMES[name] + " <-" * wrong, str(len(values)), *decimals, size, at])
    if found.summaries:
        wrong = any(each.odd for each in found.summaries)
        red += [len(rows)] * wrong
        equal = "differ" if wrong else "equal"
        known = [
            equal if any(route in each.values for each in found.summaries) else "-" for route in (FLOAT, MP)
        ]
        rows.append(["N*, T_eps" + " <-" * wrong, str(len(found.summaries)), *known, "", ""])
    headings = ["quantity", "number", "float64", "mpmath", "largest |float64 - mpmath|", "at"]
    return Grid(headings, rows, left=(0, 5), wraps=5, red=red)


def _coefficients(found: RouteCheck) -> Grid:
    """Return the table of the c_k with the largest differences between float64 and mpmath."""
    values = sorted(found.family(COEFFICIENTS), key=lambda row: (not row.odd, -row.difference))
    rows = [
        [
            row.label + " <-" * bool(row.odd),
            *(_value(row, route, _FLOAT_DIGITS) for route in (FLOAT, MP)),
            _shown_size(row.difference) if MP in row.values else "-",
        ]
        for row in values[:_SHOWN]
    ]
    headings = ["largest differences", "float64", "mpmath", "|float64 - mpmath|"]
    return Grid(
        headings, rows, left=(0,), wraps=0, red=[i for i, row in enumerate(values[:_SHOWN]) if row.odd]
    )


def describe_largest_difference(found: RouteCheck) -> str:
    """Return a sentence on the largest difference between float64 and mpmath among the c_k."""
    values = found.family(COEFFICIENTS)
    if not values:
        none = "The RBF kernel has infinitely many modes, so that there are no c_k to compare."
        return none if found.plan.every_mode else ""
    worst = max(values, key=lambda row: row.difference)
    number = "the only c_k" if len(values) == 1 else f"the {len(values)} c_k"
    size = _shown_size(worst.difference)
    if size == "0":
        return f"float64 and mpmath have the same values of {number}."
    return f"The largest difference between float64 and mpmath among {number} is {size}, at {worst.label}."


def describe_optimality_check(found: RouteCheck) -> str:
    """Return a sentence on the KKT conditions of alpha."""
    check, points = found.optimality, len(found.plan.points)
    at = "all points" if points == found.problem.m else f"{points} of the {found.problem.m} points"
    if check.balance > check.rounding:
        size = _shown_size(check.balance)
        return f"alpha violates the KKT conditions: sum alpha_i y_i is {size} of the largest alpha_i, not 0."
    size, allowed = _shown_size(check.violation), _shown_size(found.tolerance)
    if found.is_optimal:
        return (
            f"alpha satisfies the KKT conditions at {at}, by mpmath's own Gram matrix: the largest violation "
            f"is {size}, and {allowed} is allowed" + _WEAK * (found.tolerance > _STRICT) + "."
        )
    return (
        f"alpha violates the KKT conditions by {size} at point {check.point} (of {at}), by mpmath's own Gram "
        f"matrix, and only {allowed} is allowed: the library solved another problem than the one stated."
    )


def describe_limits(found: RouteCheck) -> list[str]:
    """Return sentences on what was not compared, or only a sample of it."""
    plan, said = found.plan, []
    if not found.in_balls:
        said.append(
            "The library's values are proved in float64, because balls take long; --arithmetic ball proves "
            "more digits."
        )
    if not plan.every_mode:
        modes = f"{int(found.problem.modes)} modes are more than are enumerated ({MODES} at most)"
        sample = f"a fixed sample of {len(plan.modes)} is compared" if plan.modes else "no c_k is compared"
        said.append(f"{modes}; {sample}.")
    if plan.sets is not None and not plan.in_mpmath:
        compared = "only in float64" if plan.sets else "not at all"
        said.append(f"There are too many pairs of points for mpmath; the indices are compared {compared}.")
    elif plan.sets is not None and len(plan.sizes) <= found.problem.d:
        orders = pluralize(max(plan.sizes), "column")
        said.append(f"There are too many sets of columns; the indices of up to {orders} are compared.")
    elif plan.sets is not None and found.problem.kernel.top_degree is not None:
        said.append("The indices by degree are not compared, because they need every mode.")
    return said


def describe_disagreements(found: RouteCheck) -> list[str]:
    """Return sentences on what the routes disagree: which route is odd, where, and the worst value."""
    said = []
    for name in found.families:
        values = found.family(name)
        for odd in dict.fromkeys(row.odd for row in values if row.odd):
            wrong = [row for row in values if row.odd == odd]
            worst = min(wrong, key=lambda row: min(row.decimals[route] for route in row.values))
            shown = [
                f"{_value(worst, route)} ({title})"
                for route, title in ROUTES.items()
                if route in worst.decimals
            ]
            said.append(
                f"{_NAMES[name]}: {_describe_odd(odd)} in {len(wrong)} of {pluralize(len(values), 'value')}; "
                f"the worst is {worst.label} = {', '.join(shown)}."
            )
    for each in found.summaries:
        if each.odd:
            shown = [f"{number} ({ROUTES[route]})" for route, number in each.values.items()]
            shown.append(f"{' or '.join(map(str, each.proved))} ({ROUTES[PROOF]})")
            said.append(f"{each.label} = {', '.join(shown)}: {_describe_odd(each.odd)}.")
    return said


def _describe_odd(odd: tuple[str, ...]) -> str:
    """Return a clause on the routes that are wrong."""
    names = [ROUTES[route] for route in ROUTES if route in odd]
    if len(names) == 1:
        return f"{names[0]} contradicts the other two routes"
    return f"{', '.join(names[:-1])} and {names[-1]} contradict each other"


def describe_verdict(found: RouteCheck) -> str:
    """Return the sentence that tells whether the routes agree."""
    if not found.agrees:
        return ""
    promised = _whole(found.expected(FLOAT))
    reached = {route: found.least_accurate(route).decimals[route] for route in found.compared}
    said = f"The routes agree: float64 to at least {_whole(reached[FLOAT])} decimals, where its error bounds "
    said += f"promise {promised}"
    if MP in reached:
        said += f", and mpmath to at least {_whole(reached[MP])}"
        said += ", as far as the values are proved" * (found.proved_decimals >= found.expected(FLOAT))
    if found.proved_decimals < found.expected(FLOAT):
        said += f"; the values themselves are proved to at least {_whole(found.proved_decimals)}"
    return said + "."


def _fewest(values: list[RoutesValue], route: str) -> float | None:
    return min((row.decimals[route] for row in values if route in row.values), default=None)


def _whole(decimals: float) -> str:
    """Return a number of decimals without a fraction."""
    return "all" if decimals == inf else str(int(max(decimals, 0.0)))


def _shown(decimals: float | None) -> str:
    if decimals is None:
        return "-"
    return "all" if decimals == inf else format_digits_down(max(decimals, 0.0))


def _shown_size(size: float) -> str:
    """Return a difference rounded up to two digits."""
    return "0" if size == 0 else format_upper_bound(size, 2)


def _value(row: RoutesValue, route: str, digits: int = VALUE) -> str:
    if route == PROOF:
        return format_decimal(row.proved, digits)
    return format_decimal(row.values[route][0], digits) if route in row.values else "-"
