"""``schema``: print one of the shipped JSON schemas."""

from __future__ import annotations

import argparse
import json
from importlib.resources import files
from typing import Any

from ...errors import BadParameter
from ..terminal import Output

HELP = "print a JSON schema (problem, result, reference, certificate, ...)"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="such as problem or orca-exact/problem/1")


def names() -> list[str]:
    folder = files("orca_exact") / "schemas"
    return sorted(
        entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")
    )


def load(name: str) -> Any:
    short = name.removeprefix("orca-exact/").split("/")[0]
    if short not in names():
        raise BadParameter("schema", repr(name), "is unknown", "take " + ", ".join(names()))
    return json.loads((files("orca_exact") / "schemas" / f"{short}.json").read_text(encoding="utf-8"))


def run(args: argparse.Namespace, out: Output) -> int:
    if args.name is None:
        for name in names():
            out.print(f"{name}: {load(name)['title']}")
    else:
        out.json(load(args.name))
    return 0
