"""``profile``: solve, certify, and show how the classifier's norm is distributed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from ... import cost
from ...conformance.witnesses import JUDGE, WITNESSES, compare_arithmetics
from ...errors import BadParameter, Undecided, printable, shorten
from ...numbers.arithmetic import ARITHMETICS, arithmetic
from ...numbers.rationals import decimal
from ...plots import PICTURES, save_figure
from ...problem import Problem
from ...profile.indices import INDICES, OpenSummary
from ...svm.certify import LEVELS
from ..page import Grid, Page
from ..parser import add_figure, add_format, check_figure
from ..terminal import Output, certificate_summary

SHOWN_DEGREES = 40
_LONGEST = 24  # characters of a coordinate's name

EXAMPLES = (
    "orca-exact profile examples/problems/xor.json",
    "orca-exact profile examples/problems/xor.json --arithmetic exact --format json",
    "orca-exact profile examples/problems/xor.json --check",
    "cat examples/problems/xor.json | orca-exact profile -",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem", metavar="PROBLEM", help="a problem file, plain or .gz; - is standard input"
    )
    parser.add_argument(
        "--arithmetic", choices=list(ARITHMETICS), default="ball",
        help="of the indices; float and mp prove nothing (default ball)",
    )  # fmt: skip
    parser.add_argument("--digits", type=int, default=30, help="digits to prove and to print (default 30)")
    parser.add_argument("--level", choices=list(LEVELS), help="certificate (default: what fits)")
    parser.add_argument(
        "--check", action="store_true",
        help="instead, on how many decimals float64, mpmath and balls agree; exit 1 if one is wrong",
    )  # fmt: skip
    parser.add_argument(
        "--exact-fractions", action="store_true", help="write fractions of any length to JSON"
    )
    add_figure(parser, list(PICTURES), "--kind")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...profile.profile import orca
    from ...svm.certify import certify

    if args.digits < 1:
        raise BadParameter("--digits", args.digits, "is not positive", "try 30")
    if args.check and args.arithmetic != JUDGE:
        hint = "leave it out: float64, mpmath and balls are compared"
        raise BadParameter("--arithmetic", args.arithmetic, "is given with --check", hint)
    check_figure(args.figure)
    if (args.check and args.figure is not None) or (args.picture and args.figure is None):
        option, other = ("--figure", "with --check") if args.check else ("--picture", "without --figure")
        given = printable(args.figure or args.picture)
        raise BadParameter(option, given, f"is given {other}", "leave it out")
    problem = Problem.load(args.problem)
    chosen = ARITHMETICS[args.arithmetic]
    level = args.level or chosen.level
    names = (*WITNESSES, JUDGE) if args.check else (args.arithmetic,)
    work = [cost.profile_cost(problem, arithmetic(name, args.digits)) for name in names]
    foreseen = sum(work, LEVELS[level].cost(problem)._replace(file=0))
    instead = f"--arithmetic {chosen.quicker} takes less" if chosen.quicker else ""
    out.announce(", ".join(names), foreseen, instead)
    out.progress(f"certifying {problem.m} points, {problem.modes} modes ...")
    certificate = certify(problem, level=level, digits=args.digits, progress=out.progress)
    if args.check:
        from ..witnesses import write_comparison

        out.progress("computing the profile in float64, mpmath and balls ...")
        found, _ = _settled(
            lambda proof: compare_arithmetics(problem, proof, args.digits), problem, certificate
        )
        out.progress("")
        return write_comparison(found, out, args.format)
    out.progress("computing the profile ...")
    profile, certificate = _settled(
        lambda proof: orca(problem, proof, args.arithmetic, args.digits), problem, certificate
    )
    if args.figure:
        save_figure(profile.plot(args.picture or "orders"), args.figure)
    if args.format == "json":
        from ...numbers.values import to_json_value

        okc = profile.indices.to_json(lambda x: to_json_value(x, args.digits, args.exact_fractions))
        out.progress("")
        out.json(
            {
                "schema": "orca-exact/result/1",
                "id": problem.id,
                "problem": problem.sha256,
                "certificate": certificate_summary(certificate),
                "arithmetic": args.arithmetic,
                "norm2": to_json_value(profile.norm2, args.digits, args.exact_fractions),
                "okc": okc,
            }
        )
        return 0
    path = "PROBLEM" if args.problem == "-" else printable(args.problem)
    hint = f"next: orca-exact certify {path} -o certificate.json (a proof anybody can check)"
    page = describe_profile(problem, certificate, profile, args.digits, hint)
    out.progress("")
    page.show(out, args.format)
    if args.figure:
        out.file(args.figure)
    return 0


def _settled(read: Callable[[Any], Any], problem: Problem, certificate: Any) -> tuple[Any, Any]:
    """What is read of a certificate, and the certificate: the exact one where the other leaves w = 0 open."""
    try:
        return read(certificate), certificate
    except Undecided:
        if certificate.exact or LEVELS["exact"].cost(problem).notable:
            raise
        from ...svm.certify import certify

        exact = certify(problem, level="exact")
        return read(exact), exact


def describe_profile(problem: Problem, certificate: Any, profile: Any, digits: int, hint: str) -> Page:
    """Return what is shown: the indices, then the degrees, each with its share as a bar."""

    def shown(value: Any) -> str:
        return decimal(value, digits)

    of_w = "exact over Q of w" if certificate.exact else certificate.accuracy
    facts = [
        f"{problem.m} points in {_space(problem)}, {problem.about}, C = {problem.C}: {problem.modes} modes",
        f"{'duality gap bounded' if certificate.only_gap else 'optimality proved'}: "
        f"level {certificate.level} ({of_w}); "
        f"{len(certificate.free)} free and {len(certificate.bound)} bound support vectors"
        + ("; no larger C changes it (hard margin)" if certificate.hard_margin else ""),
        f"||h||^2 = {shown(profile.norm2)}",
    ]
    if not profile.arithmetic.judges:
        facts.append(f"computed in {profile.arithmetic!r}: a witness, not a proof")
    beside = _names(problem)
    rows = [(label + beside.get(label, ""), x) for label, x in profile.labelled(problem.d)]
    spectrum = [(INDICES["degree"].labelled(N), x) for N, x in profile.family("degree").items()]
    hidden = [
        f"{len(profile.family(name))} {label}"
        for name, label in (("marginal", "OKC_i"), ("pair", "OKC_ij"))
        if not INDICES[name].listed(problem.d)
    ]
    if len(spectrum) > SHOWN_DEGREES:
        largest = sorted(range(len(spectrum)), key=lambda N: -float(profile.degree[N]))[:SHOWN_DEGREES]
        hidden.append(f"{len(spectrum) - SHOWN_DEGREES} smaller OKC_N")
        spectrum = [spectrum[N] for N in sorted(largest)]
    summary = profile.summary()
    tail = [f"N* = {summary.peak.why if isinstance(summary.peak, OpenSummary) else summary.peak}"]
    for eps, T in summary.threshold.items():
        if isinstance(T, OpenSummary):
            tail.append(T.why)
        else:
            tail.append(f"T_{eps:0<4} = {T}  with F = {decimal(profile.cumulative[T], 6)}")
    if hidden:
        tail.append(f"not shown: {', '.join(hidden)}; --format json has them")
    grids = [
        Grid(
            (heading, "value"), [(label, shown(x)) for label, x in listed], (0, 1), 1, [x for _, x in listed]
        )
        for heading, listed in (("index", rows), ("degree", spectrum))
    ]
    return Page(printable(problem.id) or "problem", facts, grids, tail, hint)


def _names(problem: Problem) -> dict[str, str]:
    """Of the coordinates that an index is of, by its label."""
    names = [shorten(printable(name), _LONGEST) for name in problem.names]
    return {
        index.labelled(key): "  " + " × ".join(names[i - 1] for i in key)
        for index in (INDICES["marginal"], INDICES["pair"])
        if names and index.listed(problem.d)
        for key in index.keys(problem.degrees, problem.d)
    }


def _space(problem: Problem) -> str:
    inside = all(measure.domain == (-1, 1) for measure in problem.measures)
    return f"{'[-1,1]' if inside else 'R'}^{problem.d}"
