"""What is installed, which solvers answer, which data sets are found."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from . import __version__
from .errors import OrcaError

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


def facts() -> dict[str, str]:
    """Versions, solvers and data sets by name."""
    import cvxpy

    from .cache import state
    from .paper import formal
    from .paper.datasets import echocardiogram

    found = {"orca-exact": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    found["solvers"] = ", ".join(cvxpy.installed_solvers())
    found["cache"] = state()
    found["coqc"] = formal.compiler() or f"not found; {formal.GET}"
    try:
        table = echocardiogram()
        found["echocardiogram"] = f"{len(table.y)} complete records, sha256 {table.sha256[:16]}"
    except OrcaError as error:
        found["echocardiogram"] = str(error).removeprefix("echocardiogram: ")
    return found
