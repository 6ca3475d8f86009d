"""The verb ``check-certificate``: run the independent checker on a file."""

from __future__ import annotations

import argparse
from typing import Any

from ...cost import duration
from ...errors import BadFile, BadParameter, Rejected, Undecided, printable
from ...files.formats import parse, place_of, read_unpacked
from ..coqc import compile_with_progress
from ..page import as_item
from ..parser import add_format
from ..terminal import Output

EXAMPLES = (
    "orca-exact check-certificate cert.json",
    "orca-exact check-certificate xor.v",
    "orca-exact path examples/problems/xor.json --format json | orca-exact check-certificate -",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "certificate",
        metavar="CERT",
        help="certificate or path file, plain or .gz, or a certificate in Rocq (.v); - is standard input",
    )
    parser.add_argument(
        "--extracted",
        action="store_true",
        help="use the checker that is extracted from the proofs in Rocq; it is built once, by coqc and OCaml",
    )
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ... import checker
    from ..limited import LimitReached, check_in_process

    place, raw = place_of(args.certificate), read_unpacked(args.certificate, checker.SIZE)
    if raw.startswith(b"(*") or place.endswith(".v"):
        if args.extracted:
            rule, hint = "is not a certificate in JSON", "leave out --extracted: coqc checks the file itself"
            raise BadParameter("--extracted", place, rule, hint)
        return _check_in_rocq(args, raw, place, out)
    data = parse(raw, place)
    schemas = checker.SCHEMA, checker.SCHEMA_2, checker.PATH
    if not isinstance(data, dict) or data.get("schema") not in schemas:
        hint = "the field 'schema' must be one of " + ", ".join(map(repr, schemas))
        raise BadFile(place, "not a certificate", hint)
    if args.extracted:
        return _check_extracted(args, raw, data, place, out)
    try:
        proved = check_in_process(data, lambda stage: out.progress(f"checking: {stage} ..."))
    except checker.Rejected as error:
        why = str(error).removeprefix(f"{error.condition}: ")
        rejected = Rejected(error.condition, f"{why}; the file does not prove its claims")
        rejected.args = (f"{printable(place)}: rejected: {rejected}",)
        raise rejected from None
    except LimitReached as error:
        hint = "it is neither accepted nor rejected; python -m orca_exact.checker checks it without limits"
        raise BadFile(place, f"the check {error}", hint) from None
    out.progress("")
    if args.format == "json":
        out.json({"accepted": True} | proved)
        return 0
    indent = "" if args.format == "markdown" else "  "
    out.print(f"accepted at level {proved['level']}")
    problem = dict(proved["problem"])
    out.print(as_item(f"problem: sha256 {problem.pop('sha256')}", args.format, indent))
    parameters = ", ".join(f"{key} = {value}" for key, value in problem.items())
    out.print(as_item(f"parameters: {parameters}", args.format, indent))
    for condition, evidence in proved["conditions"].items():
        out.print(as_item(f"{condition}: {evidence}", args.format, indent))
    return 0


def _check_extracted(args: argparse.Namespace, raw: bytes, data: Any, place: str, out: Output) -> int:
    """Run the extracted checker; the digest, which is no part of the proof, is compared here."""
    from ... import checker
    from ...rocq.extracted import build_checker, check_extracted

    try:
        program = build_checker(lambda step: out.progress(f"building: {step} ..."))
        out.progress("checking ...")
        found = check_extracted(raw, place, program)
        if data["sha256"] != checker.digest(data, "sha256"):
            raise Rejected("sha256", "the digest does not match the other fields")
    except Rejected as error:
        error.args = (f"{printable(place)}: rejected: {error}; the file does not prove its claims",)
        raise
    finally:
        out.progress("")
    evidence = {
        "theorem": f"{found.theorem} of Extracted.v, which rests on no axiom",
        "lambda": "its bounds are those that the driver computed; the theorem assumes them",
        "sha256": "matches the other fields",
    }
    if args.format == "json":
        out.json({"accepted": True, "level": found.level, "checker": "extracted", "conditions": evidence})
        return 0
    out.print(f"accepted at level {found.level} by the extracted checker")
    indent = "" if args.format == "markdown" else "  "
    for name, text in evidence.items():
        out.print(as_item(f"{name}: {text}", args.format, indent))
    return 0


def _check_in_rocq(args: argparse.Namespace, raw: bytes, place: str, out: Output) -> int:
    """Compare a certificate in Rocq with what orca-exact writes for its numbers, and compile that."""
    from ...rocq.certificate import rocq_cost
    from ...rocq.compiler import PATIENCE
    from ...rocq.proof import describe_claims
    from ...rocq.reader import read_certificate

    try:
        found = read_certificate(raw, place)
        cost = rocq_cost(found.problem, found.level)
        out.announce("coqc", cost)
        if cost.seconds > PATIENCE:
            limit = f"coqc is stopped after {duration(PATIENCE)} of CPU time"
            out.inform(f"{limit}; coqc {printable(place)} has no limit")
        proved = compile_with_progress(found, cost.seconds, out)
    except Rejected as error:
        error.args = (f"{printable(place)}: rejected: {error}; the file does not prove its claims",)
        raise
    except Undecided as error:
        hint = f"it is neither accepted nor rejected; coqc {place} checks it without limits"
        raise BadFile(place, str(error).partition(";")[0], hint) from None
    if args.format == "json":
        out.json({"accepted": True, "problem": found.problem.sha256} | proved.to_json())
        return 0
    indent = "" if args.format == "markdown" else "  "
    out.print(f"accepted at level {found.level} by Rocq: {proved.assumptions}")
    out.print(as_item(f"problem: sha256 {found.problem.sha256}", args.format, indent))
    for line in describe_claims(found):
        out.print(as_item(line, args.format, indent))
    out.print(as_item(f"coqc {proved.coqc}: {proved.seconds:.1f} s of CPU time", args.format, indent))
    return 0
