"""The verb ``certify``: prove optimality and write the certificate, or test a given solution."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from ...cost import duration
from ...errors import BadFile, BadParameter, printable
from ...files.formats import JsonObject, place_of, read, write, write_json
from ...problem import Problem
from ...svm.certify import LEVELS, LONGEST_EXACT, default_level, require_level
from ..coqc import compile_with_progress
from ..page import as_item
from ..parser import add_format, add_output, add_problem, output_path
from ..terminal import Output, certificate_summary, describe_optimality, describe_support

_HARD_MARGIN = {True: "yes, a larger C gives the same classifier", False: "no", None: "not decided"}
_UNIQUE = {True: "unique", False: "not unique", None: "uniqueness not decided"}

EXAMPLES = (
    "orca-exact certify examples/problems/xor.json -o cert.json",
    "orca-exact certify examples/problems/xor.json --level ball --digits 30",
    "orca-exact certify examples/problems/xor.json --solution result.json --repair -o cert.json",
    "orca-exact certify examples/problems/xor.json --rocq xor.v",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_problem(parser)
    add(
        "--level",
        choices=LEVELS,
        help="kind of proof (default exact if that takes about ten seconds at most, else ball)",
    )
    add(
        "--digits",
        type=int,
        help="digits of w to prove (default 50) or to require of a solution (default 4); with --rocq, "
        "decimals of the indices (default 8)",
    )
    add("--solution", metavar="RESULT", help="test alpha and b of a result file; exit with 1 if not optimal")
    add("--repair", action="store_true", help="continue from the given solution to the optimum")
    add(
        "--rocq",
        type=output_path,
        metavar="FILE.v",
        help="write a proof that Rocq (Coq) checks by itself, and compile it if coqc is installed",
    )
    add_output(parser, "CERT", "certificate file to write; a name that ends in .json.gz compresses it")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...svm.certify import certify

    if args.repair and not args.solution:
        raise BadParameter("--repair", "no solution", "is given", "name its file with --solution RESULT")
    problem = Problem.load(args.problem)
    if args.rocq:
        return _certify_in_rocq(args, problem, out)
    asked, args.level = args.level, args.level or default_level(problem)
    level = LEVELS[args.level]
    if asked is None and problem.kernel.rational and not level.exact:
        out.inform(f"level {args.level}, because --level exact can take more than {duration(LONGEST_EXACT)}")
    require_level(level, problem)
    cost = level.cost_of_solved(problem)
    cost = cost if args.output else cost._replace(file=0)
    out.announce(args.level, cost, level.faster_hint(problem))
    facts: JsonObject = {}
    alpha = data = judgement = certificate = None
    if args.solution:
        alpha, judgement = _judge_solution(args, problem, out)
        facts = _judgement_json(judgement)
        if judgement.optimal and args.output and not args.repair:
            data = judgement.certificate.to_json()
    if args.repair or not args.solution:
        out.progress(f"certifying {problem.m} points at level {args.level} ...")
        digits = 50 if args.digits is None else args.digits
        certificate = certify(problem, alpha, args.level, digits, out.progress)
        out.progress("writing the certificate ...")
        data = certificate.to_json()
        given = {"given": facts} if facts else {}
        facts = given | certificate_summary(certificate) | {"proposer": certificate.proposer}
    facts |= {"problem": problem.sha256} | ({"certificate": data["sha256"]} if data else {})
    out.progress("")
    if data and args.output:
        out.report_size(args.output, write_json(args.output, data))
    if certificate and args.digits and not certificate.exact and certificate.digits < args.digits:
        proved = f"level {args.level} proved {certificate.digits} of {args.digits} digits"
        out.inform(f"note: {proved}; use --level ball")
    optimal = facts.get("optimal", True)
    if not problem.has_one_jacobi_weight:
        facts = {"kernel": problem.kernel_description} | facts
    if args.format == "json":
        out.json(facts if args.output or args.solution else data)
    else:
        _show(args, out, _lines(facts, judgement, certificate), optimal, data is not None)
    return 0 if optimal else 1


def _certify_in_rocq(args: argparse.Namespace, problem: Problem, out: Output) -> int:
    """Write a certificate in Rocq, compile it if possible, and print what it proves."""
    from ...rocq.certificate import (
        DIGITS_IN_ROCQ,
        default_rocq_level,
        require_polynomials,
        rocq_certificate,
        rocq_cost,
    )
    from ...rocq.compiler import GET, PATIENCE, compiler
    from ...rocq.proof import describe_claims, statement_json, text_digest
    from ...svm.certify import certify

    if args.solution:
        rule, hint = "cannot be combined with --rocq", "certify the problem itself, without --solution"
        raise BadParameter("--solution", args.solution, rule, hint)
    if not re.fullmatch(r"[A-Za-z_]\w*\.v", Path(args.rocq).name, re.ASCII):
        rule, hint = (
            "is not a name that coqc accepts",
            "use letters, digits and _, not a digit first, and end it in .v",
        )
        raise BadParameter("--rocq", args.rocq, rule, hint)
    require_polynomials(problem)
    level = args.level or default_rocq_level(problem)
    digits = DIGITS_IN_ROCQ if args.digits is None else args.digits
    cost = rocq_cost(problem, level, digits)
    megabytes = cost.file / 1e6
    size = f"a file of {megabytes:.{2 * (megabytes < 10)}f} MB"
    out.inform(f"Rocq: about {duration(cost.seconds)} of coqc, and {size}")
    made = rocq_certificate(problem, level, digits, out.progress)
    text = made.to_rocq()
    written: JsonObject = {
        "file": args.rocq,
        "level": made.level,
        "sha256": text_digest(text),
        "compiled": False,
    }
    facts = {"level": made.level, "problem": problem.sha256, "rocq": written}
    if args.output:
        data = certify(problem, level=args.level or level, progress=out.progress).to_json()
        write_json(args.output, data)
        facts["certificate"] = data["sha256"]
    write(args.rocq, text)
    if compiler() and cost.seconds <= PATIENCE:
        proved = compile_with_progress(made, cost.seconds, out)
        written |= proved.to_json() | {"compiled": True}
    else:
        written |= statement_json(made)
        limit = f"coqc would be stopped after {duration(PATIENCE)}; coqc {printable(args.rocq)} has no limit"
        out.inform(f"not compiled: {limit if compiler() else f'coqc was not found; {GET}'}")
    if args.format == "json":
        out.json(facts)
        return 0
    bullet = "- " if args.format == "markdown" else ""
    done = f"proved by Rocq ({written['assumptions']})" if written["compiled"] else "to be proved by Rocq"
    out.print(as_item(f"{done}, level {made.level}:", args.format))
    for line in describe_claims(made):
        out.print(as_item(line, args.format, "  "))
    if written["compiled"]:
        spent = f"coqc {written['coqc']}: {written['seconds']} s of CPU time"
        out.print(as_item(spent, args.format))
    if args.output:
        out.report_file(
            printable(args.output), f"orca-exact check-certificate {printable(args.output)}", bullet
        )
    path = printable(args.rocq)
    out.report_file(path, f"orca-exact check-certificate {path}", bullet)
    return 0


def _judge_solution(args: argparse.Namespace, problem: Problem, out: Output) -> tuple[Any, Any]:
    """Return the alpha of the given solution and its ``SolutionCheck``."""
    from ...conformance.result import Result
    from ...svm.judge import DIGITS, check_solution

    result = Result.from_json(read(args.solution), place_of(args.solution))
    if result.alpha is None:
        raise BadFile(place_of(args.solution), "no field 'alpha'", "give one number per point")
    out.progress(f"testing the solution for {problem.m} points at level {args.level} ...")
    digits = DIGITS if args.digits is None else args.digits
    return result.alpha, check_solution(problem, result.alpha, result.b, args.level, digits)


def _judgement_json(judgement: Any) -> JsonObject:
    from ...numbers.rationals import format_upper_bound

    exact = judgement.certificate.exact
    return {
        "level": judgement.level,
        "optimal": judgement.optimal,
        "digits": "exact" if exact else judgement.digits,
        **({} if judgement.digits else {"w": judgement.accuracy}),
        "gap": format_upper_bound(judgement.certificate.gap, 3),
        "wrong": [fault.to_json() for fault in judgement.faults],
    }


def _show(args: argparse.Namespace, out: Output, lines: list[str], optimal: bool, has_file: bool) -> None:
    bullet = "- " if args.format == "markdown" else ""
    for line in lines:
        out.print(as_item(line, args.format))
    path = printable(args.output or "")
    if has_file and path:
        out.report_file(path, f"orca-exact check-certificate {path}", bullet)
    if not optimal:
        if path:
            out.print(as_item(f"not written: {path}", args.format))
        if hint := out.unless_quiet(
            "next: repeat with --repair to continue from this solution to the optimum"
        ):
            out.print(as_item(hint, args.format))


def _lines(facts: JsonObject, judgement: Any, certificate: Any) -> list[str]:
    """Return the results as lines for a person."""
    lines = [f"kernel: {facts['kernel']}"] if "kernel" in facts else []
    if judgement is not None:
        lines += _judgement_lines(judgement, facts.get("given", facts)["gap"])
    if certificate is not None:
        lines += [
            describe_optimality(certificate),
            f"proposed by: {certificate.proposer or 'no solver'}",
            f"support vectors: {describe_support(facts['free'], facts['bound'])}",
            f"alpha: {_UNIQUE[facts['alpha_unique']]}",
            f"b: {facts['b']}, {_UNIQUE[facts['b_unique']]}",
            f"hard margin: {_HARD_MARGIN[facts['hard_margin']]}",
        ]
    return lines + [f"{key}: sha256 {facts[key]}" for key in ("problem", "certificate") if key in facts]


def _judgement_lines(judgement: Any, gap: str) -> list[str]:
    accuracy = f"w is known to {judgement.digits} digits" if judgement.digits else judgement.accuracy
    return [
        f"given solution: {'optimal' if judgement.optimal else 'not optimal'} (level {judgement.level})",
        *(f"violated: {fault}" for fault in judgement.faults),
        f"duality gap of the given solution: at most {gap}",
        f"accuracy of the given solution: {'w is exact' if judgement.certificate.exact else accuracy}",
    ]
