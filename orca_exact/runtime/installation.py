"""Versions of the installed packages, how to install those that are missing, and the available solvers."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from .. import __version__
from ..errors import install_command

PACKAGES = (
    "python-flint", "mpmath", "sympy", "numpy", "cvxpy", "highspy", "scikit-learn", "matplotlib", "rich",
    "jsonschema", "Jinja2", "latex2mathml", "distributed",
)  # fmt: skip
EXTRAS = {
    "scikit-learn": "sklearn",
    "matplotlib": "plots",
    "Jinja2": "report",
    "latex2mathml": "report",
    "distributed": "distributed",
}


def installation_facts(solvers: bool = True) -> dict[str, str]:
    """Return the versions of the packages, the state of the cache and, if wanted, the solvers by name."""
    from .cache import describe_cache

    found = {"orca-exact": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            wanted = f"orca-exact[{EXTRAS[package]}]" if package in EXTRAS else package
            found[package] = f"not installed; run {install_command(wanted)}"
    if solvers:
        import cvxpy  # takes a second

        found["solvers"] = ", ".join(cvxpy.installed_solvers())  # type: ignore[no-untyped-call]
    found["cache"] = describe_cache()
    return found
