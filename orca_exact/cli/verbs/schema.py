"""The verb ``schema``: print one of the shipped JSON schemas."""

from __future__ import annotations

import argparse

from ...files.validation import schema, schema_names
from ...profile import indices  # noqa: F401  (builds a part of the schemas)
from ..terminal import Output

EXAMPLES = ("orca-exact schema", "orca-exact schema problem-2")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="name of a schema, such as problem; without it, all names are listed",
    )


def run(args: argparse.Namespace, out: Output) -> int:
    if args.name is None:
        for name in schema_names():
            out.print(f"{name}: {schema(name)['title']}")
    else:
        out.json(schema(args.name))
    return 0
