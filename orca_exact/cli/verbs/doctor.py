"""The verb ``doctor``: show installed packages, working solvers and data sets."""

from __future__ import annotations

import argparse

from ...files.escaping import for_markdown
from ..parser import add_format, list_plugins
from ..terminal import Output

EXAMPLES = ("orca-exact doctor", "orca-exact doctor --format json")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...runtime.installation import installation_facts

    found = installation_facts()
    for plugin in list_plugins():
        found |= plugin.facts()
    if args.format == "json":
        out.json(found)
        return 0
    width = max(map(len, found))
    for name, value in found.items():
        row = f"| {for_markdown(name)} | {for_markdown(value)} |"
        out.print(row if args.format == "markdown" else f"{name.ljust(width)}  {value}")
    return 0
