"""The verb ``profile``: solve and certify a problem, and print its indices."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ... import cost
from ...conformance.three_routes import PROVED_ARITHMETIC, ROUTES, compare_routes, routes_cost
from ...errors import BadInput, BadParameter, Undecided, printable, shorten
from ...files.formats import place_of, read
from ...kernels.polynomial import readable
from ...numbers.arithmetic import ARITHMETICS, Ball, arithmetic
from ...numbers.rationals import format_decimal
from ...plots import PICTURES, save_figure
from ...problem import Problem
from ...profile.indices import INDICES, UndecidedSummary
from ...svm.certify import LEVELS, default_level, require_level
from ..automatic import Choice, choose_arithmetic, describe_choice
from ..page import Grid, Page
from ..parser import add_figure, add_format, add_problem, check_figure
from ..terminal import Output, describe_optimality, describe_support, result_json

SHOWN_DEGREES, SHOWN_COLUMNS = 40, 12
_DIGITS, _JSON_DIGITS = 6, 30
_NAME_WIDTH = 24  # characters of the name of a coordinate
_FOLDS, _FEW = 5, 20  # folds, and points below which they say nothing
_QUICK = (
    0.5  # seconds of a proof in float64 up to which points are cross-validated unasked: about 10 s in all
)
_CHECK_SECONDS = 30.0  # of a proof in balls up to which --check compares with balls
_MORE_DIGITS = (4, 16)  # factors of the digits of a certificate that are tried if the profile is undecided
_ROW_DIGITS = 6  # largest number of digits of an explained row

EXAMPLES = (
    "orca-exact profile examples/problems/xor.json",
    "orca-exact profile examples/problems/xor.json --arithmetic exact --format json",
    "orca-exact profile examples/problems/xor.json --check",
    "orca-exact profile examples/problems/xor.json --row 1",
    "cat examples/problems/xor.json | orca-exact profile -",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_problem(parser)
    text = "arithmetic of the indices (default ball, or verified if ball takes long); float, mp prove nothing"
    add("--arithmetic", choices=ARITHMETICS, help=text)
    add(
        "--digits", type=int, help=f"digits to print (default {_DIGITS}; {_JSON_DIGITS} for JSON and --check)"
    )
    add("--level", choices=LEVELS, help="kind of proof of optimality (default: by arithmetic)")
    add(
        "--check",
        action="store_true",
        help="compare c_k and indices by three routes; exit with 1 if one is wrong",
    )
    text = "explain the value of the classifier at this row, counted from 1, instead of printing indices"
    add("--row", type=int, metavar="N", help=text)
    text = (
        f"folds of a cross-validation, 0 for none (default {_FOLDS} from {_FEW} points on, if that is quick)"
    )
    add("--cv", type=int, metavar="FOLDS", help=text)
    add("--exact-fractions", action="store_true", help="write fractions of any length to JSON")
    add_figure(parser, [*PICTURES, "shapes"], "--kind")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...profile.profile import orca

    if args.digits is None:
        args.digits = _JSON_DIGITS if args.check or args.format == "json" else _DIGITS
    if args.digits < 1:
        raise BadParameter("--digits", args.digits, "is not positive", "pass a positive number, such as 30")
    if args.check and args.arithmetic not in (None, PROVED_ARITHMETIC):
        hint = "leave it out, because --check compares float64, mpmath and balls"
        raise BadParameter("--arithmetic", args.arithmetic, "is given with --check", hint)
    check_figure(args.figure)
    if (args.check and args.figure is not None) or (args.picture and args.figure is None):
        if args.check and args.figure is not None:
            raise BadParameter("--figure", printable(args.figure), "is given with --check", "leave it out")
        raise BadParameter(
            "--picture", printable(args.picture), "is given without --figure", "add --figure FILE"
        )
    stated = read(args.problem)
    problem = Problem.from_json(stated, place_of(args.problem))
    if args.row is not None:
        _check_row(args, problem)
    if args.arithmetic and ARITHMETICS[args.arithmetic].exact and not problem.kernel.rational:
        rule = f"cannot represent the {problem.kernel_description}: its values are transcendental"
        raise BadParameter("--arithmetic", args.arithmetic, rule, "use ball, verified, mp or float")
    if args.level:
        require_level(LEVELS[args.level], problem)
    problem.kernel.require_indices()
    seconds = _CHECK_SECONDS if args.check else None
    if args.arithmetic is None:
        choice = choose_arithmetic(problem, args.digits, args.level, seconds)
    else:
        choice = describe_choice(problem, args.arithmetic, args.digits, args.level)
    _check_folds(args, problem)
    if args.check:
        total = choice.cost + routes_cost(problem)
        out.announce(", ".join(ROUTES.values()), total, _more_digits(problem, choice, args))
    else:
        out.announce(choice.arithmetic, choice.cost, _faster(problem, choice, args))
    out.progress(f"certifying {problem.m} points, {problem.size_description} ...")
    certificate, choice = _certify(problem, choice, args, out)
    if args.check:
        from ..three_routes import write_comparison

        out.progress("computing c_k and the indices in float64, in mpmath and by the library ...")
        comparison, _ = _with_exact_fallback(
            lambda proof: compare_routes(problem, proof, args.digits, stated, choice.arithmetic),
            problem,
            certificate,
            args.digits,
        )
        out.progress("")
        return write_comparison(comparison, out, args.format)
    out.progress("computing the profile ...")
    profile, certificate = _with_exact_fallback(
        lambda proof: orca(problem, proof, choice.arithmetic, args.digits), problem, certificate, args.digits
    )
    if args.row is not None:
        return _explain_row(args, profile, certificate, out)
    if args.figure:
        save_figure(profile.plot(args.picture or "orders"), args.figure)
    if args.format == "json":
        result = result_json(profile, certificate, choice.arithmetic, args.digits, args.exact_fractions)
        out.progress("")
        for warning in profile.warnings:
            out.inform(warning)
        out.json(result)
        return 0
    path = "PROBLEM" if args.problem == "-" else printable(args.problem)
    level = _level_within_seconds(problem)
    hint = f"next: orca-exact certify {path}{level} -o certificate.json (a proof that anybody can check)"
    page = describe_profile(problem, certificate, profile, args.digits, hint, _worth(args, problem, out))
    out.progress("")
    page.show(out, args.format)
    if args.figure:
        out.report_file(args.figure)
    return 0


def _check_folds(args: argparse.Namespace, problem: Problem) -> None:
    """Raise BadParameter if the points cannot be cross-validated as the option asks."""
    fewest = min(problem.y.count(1), problem.y.count(-1))
    if args.cv is not None and args.cv != 0 and not 2 <= args.cv <= fewest:
        rule = f"is not from 2 to {fewest}, the points of the smaller class"
        raise BadParameter("--cv", args.cv, rule, "pass 5, for example, or 0 for no cross-validation")
    if args.cv and (args.format == "json" or args.row is not None or args.check):
        raise BadParameter("--cv", args.cv, "is for the table of indices only", "leave it out")


def _worth(args: argparse.Namespace, problem: Problem, out: Output) -> list[str]:
    """Return whether the model predicts points that were left out, as lines before the indices.

    Unless ``--cv`` asks for it, there is nothing for few points, and one line for many.
    """
    folds = args.cv
    if folds is None:
        fewest = min(problem.y.count(1), problem.y.count(-1))
        if problem.m < _FEW or fewest < _FOLDS:
            return []
        if LEVELS["float"].cost(problem).seconds > _QUICK:
            return ["whether the model predicts new rows was not checked, which takes long; --cv 5 does it"]
        folds = _FOLDS
    if not folds:
        return []
    from ...studies.accuracy import describe_accuracy
    from ...studies.overfit import cross_validate

    try:
        scores = cross_validate(problem, folds, progress=out.progress)
    except BadInput as error:
        return [f"the model could not be cross-validated: {error}"]
    positive = problem.y.count(1)
    label, majority = ("+1", positive) if 2 * positive >= problem.m else ("-1", problem.m - positive)
    learned = scores.exceeds(majority / problem.m)
    said = describe_accuracy(scores, majority / problem.m, label, learned)
    return [f"{'Worth' if learned else 'Not worth'} reading: {said}"]


def _check_row(args: argparse.Namespace, problem: Problem) -> None:
    """Raise BadParameter unless the row exists and no other option contradicts it."""
    if not 1 <= args.row <= problem.m:
        raise BadParameter("--row", args.row, "is not a row", f"pass a number from 1 to {problem.m}")
    for name, given in (("--check", args.check), ("--picture", args.picture)):
        if given:
            raise BadParameter("--row", args.row, f"is given with {name}", "leave one of them out")
    if args.format == "json":
        hint = "use text or markdown, or profile.attributions in Python"
        raise BadParameter("--row", args.row, "cannot be printed as JSON", hint)


def _explain_row(args: argparse.Namespace, profile: Any, certificate: Any, out: Output) -> int:
    """Print what each column adds to the value of one row, and draw it."""
    problem, row = profile.problem, args.row - 1
    bias = None if certificate.b_unique is None else certificate.bias()  # None: b is not proved
    found = profile.attributions(problem.points[row], bias=bias)
    if args.figure:
        save_figure(found.plot(), args.figure)
    page = describe_row(problem, certificate, found, args.row, min(args.digits, _ROW_DIGITS))
    out.progress("")
    page.show(out, args.format)
    if args.figure:
        out.report_file(args.figure)
    return 0


def describe_row(problem: Problem, certificate: Any, found: Any, number: int, digits: int) -> Page:
    """Return a page with what each column adds to the value of one row, the largest first."""
    order = sorted(range(problem.d), key=lambda i: -abs(float(found.values[0][i])))
    names = [shorten(printable(name), _NAME_WIDTH) for name in problem.names]
    rows = [
        (
            names[i] if names else f"x_{i + 1}",
            readable(problem.X[number - 1][i]).removesuffix(" (rounded)"),
            format_decimal(found.values[0][i], digits),
        )
        for i in order
    ]
    value, mean = (format_decimal(x, digits) for x in (found.decision[0], found.base))
    if certificate.b_unique is None:
        shown = f"h = {value} at this row, mean of h = {mean}; the constant b of g = h + b is not proved here"
    else:
        shown = f"value of the classifier g = {value}, mean of g = {mean}"
    facts = [
        f"the label of this row is {problem.y[number - 1]:+d}",
        shown,
        *["the constant b of g is not unique, so that both are intervals"] * (certificate.b_unique is False),
        f"compared with {found.reference_description}",
        describe_optimality(certificate),
    ]
    tail = ["together the columns add the difference between the value and the mean"]
    grid = Grid(("column", "value", "adds"), rows, (0,), 0)
    return Page(f"{printable(problem.id) or 'problem'}, row {number}", facts, [grid], tail, "")


def _faster(problem: Problem, choice: Choice, args: argparse.Namespace) -> str:
    """Return a hint at a faster arithmetic, if there is one."""
    name = ARITHMETICS[choice.arithmetic].faster_arithmetic
    if name is None:
        return ""
    other = describe_choice(problem, name, args.digits).cost
    return f"--arithmetic {name} {other.as_alternative}" if other.seconds < choice.cost.seconds else ""


def _more_digits(problem: Problem, choice: Choice, args: argparse.Namespace) -> str:
    """Return a hint that --check compares with values that are proved in float64, if it does."""
    if choice.arithmetic == PROVED_ARITHMETIC:
        return ""
    seconds = describe_choice(problem, PROVED_ARITHMETIC, args.digits, args.level).cost.seconds
    return (
        f"the library proves its values in float64, to fewer digits than in balls, which --arithmetic "
        f"{PROVED_ARITHMETIC} uses and which take up to {cost.duration(seconds)}"
    )


def _level_within_seconds(problem: Problem) -> str:
    """Return the option for the strongest level that takes seconds; none if it is the default."""
    default = default_level(problem)
    levels = [name for name in (default, "ball", "float") if not LEVELS[name].cost(problem).notable]
    return "" if default in levels else f" --level {(*levels, 'float')[0]}"


def _certify(problem: Problem, choice: Choice, args: argparse.Namespace, out: Output) -> tuple[Any, Choice]:
    """Return a certificate; if float64 was our choice and does not decide, one in balls."""
    from ...svm.certify import certify

    def at_level(level: str) -> Any:
        return certify(problem, level=level, digits=args.digits, progress=out.progress)

    try:
        return at_level(choice.level), choice
    except Undecided:
        given = args.arithmetic is not None and arithmetic(args.arithmetic).proves
        slower = describe_choice(problem, args.arithmetic or Ball.name, args.digits, Ball.level)
        if args.level or given or choice.level == slower.level:
            raise
        out.announce("float64 does not decide; continuing in balls", slower.cost)
        return at_level(slower.level), slower


def _with_exact_fallback(
    compute: Callable[[Any], Any], problem: Problem, certificate: Any, digits: int
) -> tuple[Any, Any]:
    """Return the result of ``compute`` and the certificate it used.

    If this one is undecided, certificates with more digits are tried, and then an exact one.
    """
    from ...svm.certify import certify

    try:
        return compute(certificate), certificate
    except Undecided:
        if certificate.exact:
            raise
        for factor in () if certificate.in_float64 else _MORE_DIGITS:
            with suppress(Undecided):
                better = certify(problem, level=certificate.level, digits=factor * digits)
                return compute(better), better
        if not problem.kernel.rational or LEVELS["exact"].cost(problem).notable:
            raise
        exact = certify(problem, level="exact")
        return compute(exact), exact


def describe_profile(
    problem: Problem, certificate: Any, profile: Any, digits: int, hint: str, worth: Sequence[str] = ()
) -> Page:
    """Return a page with the indices and the degrees, each with its share as a bar; ``worth`` comes first."""

    def shown(value: Any) -> str:
        return format_decimal(value, digits)

    facts = [
        *worth,
        f"{problem.m} points in {_space(problem)}, {problem.kernel_description}, "
        f"C = {problem.C}{' at most' * problem.is_weighted}, {problem.size_description}",
        describe_optimality(certificate),
        f"support vectors: {describe_support(len(certificate.free), len(certificate.bound))}",
        *["hard margin: a larger C gives the same classifier"] * bool(certificate.hard_margin),
        f"||h||^2 = {shown(profile.norm2)}",
        *[f"indices under {profile.under_description}"] * (problem.kernel.own_measures is None),
        *profile.warnings,
    ]
    if not profile.arithmetic.proves:
        facts.append(f"computed in {profile.arithmetic!r}: the digits of the indices are not proved")
    names = _names(problem)
    above = {INDICES["order"].label_of((q,)) for q in range(problem.highest_order + 1, problem.d + 1)}
    rows = [
        (label + names.get(label, ""), x)
        for label, x in profile.listed_values(problem.d)
        if label not in above or len(above) == 1
    ]
    degrees = profile.family("degree") if profile.has_degrees else {}
    highest = sum(sorted(cost.column_degrees(problem))[-problem.highest_order :])
    spectrum = [(INDICES["degree"].label_of(N), x) for N, x in degrees.items() if N[0] <= highest]
    hidden = [
        f"{len(profile.family(name))} {label}"
        for name, label in (
            ("marginal", "OKC_i"),
            ("pair", "OKC_ij"),
            ("total", "total_i"),
            ("shapley", "Shapley_i"),
        )
        if not INDICES[name].is_listed(problem.d)
    ]
    if len(spectrum) > SHOWN_DEGREES:
        largest = sorted(range(len(spectrum)), key=lambda N: -float(profile.degree[N]))[:SHOWN_DEGREES]
        hidden.append(f"{len(spectrum) - SHOWN_DEGREES} smaller OKC_N")
        spectrum = [spectrum[N] for N in sorted(largest)]
    summary = profile.summary()
    if isinstance(summary.peak, UndecidedSummary):
        tail = [summary.peak.why]
    else:
        tail = [f"N* = {summary.peak}: this degree has the largest share"] * profile.has_degrees
    for eps, T in summary.threshold.items():
        if isinstance(T, UndecidedSummary):
            tail.append(T.why)
        else:
            tail.append(
                f"T_{eps:0<4} = {T}: degrees up to {T} have a share of "
                f"{format_decimal(profile.cumulative[T], 6)}"
            )
    if len(above) > 1:
        tail.append(f"OKC^(q) = 0 for q > {problem.highest_order}, the order of the kernel")
    if hidden:
        tail.append(f"not shown: {', '.join(hidden)}; --format json prints them")
    grids = [
        Grid(
            (heading, "value"), [(label, shown(x)) for label, x in listed], (0, 1), 1, [x for _, x in listed]
        )
        for heading, listed in (("index", rows), *_leading(problem, profile), ("degree", spectrum))
        if listed
    ]
    return Page(printable(problem.id) or "problem", facts, grids, tail, hint)


def _leading(problem: Problem, profile: Any) -> list[tuple[str, list[tuple[str, Any]]]]:
    """Return the columns with the largest total indices, if there are too many columns to list them all."""
    if INDICES["total"].is_listed(problem.d):
        return []
    totals = profile.family("total")
    largest = sorted(totals, key=lambda key: -float(totals[key]))[:SHOWN_COLUMNS]
    names = [shorten(printable(name), _NAME_WIDTH) for name in problem.names]
    rows = [(names[key[0] - 1] if names else f"column {key[0]}", totals[key]) for key in largest]
    return [(f"largest total_i of {problem.d} columns", rows)]


def _names(problem: Problem) -> dict[str, str]:
    """Return the names of the coordinates of an index, by the label of the index."""
    names = [shorten(printable(name), _NAME_WIDTH) for name in problem.names]
    return {
        index.label_of(key): "  " + " × ".join(names[i - 1] for i in key)
        for index in INDICES.values()
        if names and index.keys_are_columns and index.is_listed(problem.d)
        for key in index.keys(problem.kernel.top_degree or 0, problem.d)
    }


def _space(problem: Problem) -> str:
    own = problem.kernel.own_measures
    inside = own is not None and all(measure.domain == (-1, 1) for measure in own)
    return f"{'[-1,1]' if inside else 'R'}^{problem.d}"
