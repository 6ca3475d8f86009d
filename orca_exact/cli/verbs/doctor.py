"""``doctor``: what is installed, which solvers answer, which data sets are found."""

from __future__ import annotations

import argparse
import platform
from importlib.metadata import PackageNotFoundError, version

from ... import __version__
from ...errors import OrcaError
from .. import Output, add_format

HELP = "versions, solvers and data sets found"
PACKAGES = (
    "python-flint",
    "mpmath",
    "sympy",
    "numpy",
    "cvxpy",
    "scikit-learn",
    "matplotlib",
    "rich",
    "jsonschema",
    "Jinja2",
    "latex2mathml",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    found = facts()
    if args.format == "json":
        out.json(found)
        return 0
    width = max(map(len, found))
    for name, value in found.items():
        out.print(f"| {name} | {value} |" if args.format == "markdown" else f"{name.ljust(width)}  {value}")
    return 0


def facts() -> dict[str, str]:
    """Versions, solvers and data sets by name."""
    import cvxpy

    found = {"orca-exact": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    found["solvers"] = ", ".join(cvxpy.installed_solvers())
    try:
        from ...paper.datasets import echocardiogram

        table = echocardiogram()
        found["echocardiogram"] = f"{len(table.y)} complete records, sha256 {table.sha256[:16]}"
    except OrcaError as error:
        found["echocardiogram"] = str(error)
    return found
