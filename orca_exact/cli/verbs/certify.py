"""``certify``: prove optimality and write the proof to a file anybody can check; judge a given solution."""

from __future__ import annotations

import argparse
from typing import Any

from ...errors import BadFile, BadParameter, printable
from ...files.formats import place_of, read, write_json
from ...problem import Problem
from ...svm.certify import LEVELS
from ..parser import add_format, output_path
from ..terminal import Output, certificate_summary

EXAMPLES = (
    "orca-exact certify examples/problems/xor.json -o cert.json",
    "orca-exact certify examples/problems/xor.json --level ball --digits 30",
    "orca-exact certify examples/problems/xor.json --solution result.json --repair -o cert.json",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "problem", metavar="PROBLEM", help="a problem file, plain or .gz; - is standard input"
    )
    parser.add_argument(
        "--level", choices=list(LEVELS), default="exact",
        help="how: a duality gap, or the optimum in float64, in balls, over Q (default exact)",
    )  # fmt: skip
    parser.add_argument(
        "--digits", type=int,
        help="of w: to prove at level ball (default 50), or asked of a given solution (default 4)",
    )  # fmt: skip
    parser.add_argument(
        "--solution", metavar="RESULT",
        help="judge the alpha, and b if there, of a result file; exit 1 if it is not optimal at this level",
    )  # fmt: skip
    parser.add_argument("--repair", action="store_true", help="then go on to the optimum, and certify that")
    parser.add_argument(
        "-o",
        "--output",
        type=output_path,
        metavar="CERT",
        help="where to write the certificate; .json.gz packs it",
    )
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...svm.certify import certify

    if args.repair and not args.solution:
        raise BadParameter("--repair", "no solution", "is given", "name its file: --solution RESULT")
    problem = Problem.load(args.problem)
    level = LEVELS[args.level]
    foreseen = level.cost(problem)
    foreseen = foreseen if args.output else foreseen._replace(file=0)
    out.announce(args.level, foreseen, level.instead(problem))
    facts: dict = {}
    alpha = data = None
    if args.solution:
        alpha, judged = _judged(args, problem, out)
        facts = _worth(judged)
        if judged.optimal and args.output and not args.repair:
            data = judged.certificate.to_json()
    if args.repair or not args.solution:
        out.progress(f"certifying {problem.m} points at level {args.level} ...")
        digits = 50 if args.digits is None else args.digits
        certificate = certify(problem, alpha, args.level, digits, out.progress)
        out.progress("writing the certificate ...")
        data = certificate.to_json()
        facts = ({"given": facts} if facts else {}) | certificate_summary(certificate)
    facts |= {"problem": problem.sha256} | ({"certificate": data["sha256"]} if data else {})
    out.progress("")
    if data and args.output:
        out.written(args.output, write_json(args.output, data))
    if not problem.is_plain:
        facts = {"kernel": problem.about} | facts
    if args.format == "json":
        out.json(facts if args.output or args.solution else data)
    else:
        _show(args, out, facts, data is not None)
    return 0 if facts.get("optimal", True) else 1


def _judged(args: argparse.Namespace, problem: Problem, out: Output) -> tuple[Any, Any]:
    """The alpha of the file, and what is thought of it."""
    from ...conformance.result import Result
    from ...svm.judge import DIGITS, judge

    result = Result.from_json(read(args.solution), place_of(args.solution))
    if result.alpha is None:
        raise BadFile(place_of(args.solution), "no field 'alpha'", "give one number per point")
    out.progress(f"judging {problem.m} points at level {args.level} ...")
    digits = DIGITS if args.digits is None else args.digits
    return result.alpha, judge(problem, result.alpha, result.b, args.level, digits)


def _worth(judged: Any) -> dict:
    """Of a given solution."""
    from ...numbers.rationals import rounded_up

    exact = judged.certificate.exact
    return {
        "level": judged.level,
        "optimal": judged.optimal,
        "digits": "exact" if exact else judged.digits,
        **({} if judged.digits else {"w": judged.accuracy}),
        "gap": rounded_up(judged.certificate.gap, 3),
        "wrong": [fault.to_json() for fault in judged.faults],
    }


def _show(args: argparse.Namespace, out: Output, facts: dict, written: bool) -> None:
    bullet = "- " if args.format == "markdown" else ""
    given = {f"given {key}": value for key, value in facts.pop("given", {}).items()}
    for key, value in (given | facts).items():
        for item in value if isinstance(value, list) else [value]:
            shown = "{condition}: {found}, off by {by}".format_map(item) if isinstance(item, dict) else item
            out.print(f"{bullet}{key.replace('_', ' ')}: {'not decided' if item is None else shown}")
    path = printable(args.output or "")
    if written and path:
        out.file(path, f"; check it with: orca-exact check-certificate {path}", bullet)
    if not facts.get("optimal", True):
        unwritten = f"{path} is not written" if path else ""
        hint = out.hint("next: --repair goes on from here to the optimum")
        if line := "; ".join(filter(None, (unwritten, hint))):
            out.print(bullet + line)
