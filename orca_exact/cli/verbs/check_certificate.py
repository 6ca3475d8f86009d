"""The verb ``check-certificate``: run the independent checker on a file."""

from __future__ import annotations

import argparse

from ...errors import BadFile, Rejected, printable
from ...files.formats import place_of, read
from ..parser import add_format
from ..terminal import Output

EXAMPLES = (
    "orca-exact check-certificate cert.json",
    "orca-exact path examples/problems/xor.json --format json | orca-exact check-certificate -",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "certificate", metavar="CERT", help="certificate or path file, plain or .gz; - is standard input"
    )
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ... import checker
    from ..limited import LimitReached, check_in_process

    place, data = place_of(args.certificate), read(args.certificate, checker.SIZE)
    schemas = checker.SCHEMA, checker.SCHEMA_2, checker.PATH
    if not isinstance(data, dict) or data.get("schema") not in schemas:
        hint = "the field 'schema' must be one of " + ", ".join(map(repr, schemas))
        raise BadFile(place, "not a certificate", hint)
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
    bullet = "- " if args.format == "markdown" else "  "
    out.print(f"accepted at level {proved['level']}")
    problem = dict(proved["problem"])
    out.print(f"{bullet}problem: sha256 {problem.pop('sha256')}")
    out.print(f"{bullet}parameters: " + ", ".join(f"{key} = {value}" for key, value in problem.items()))
    for condition, evidence in proved["conditions"].items():
        out.print(f"{bullet}{condition}: {evidence}")
    return 0
