"""What is installed, and which solvers answer."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from .. import __version__

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
    """Return versions and solvers by name."""
    import cvxpy

    from .cache import state

    found = {"orca-exact": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    found["solvers"] = ", ".join(cvxpy.installed_solvers())
    found["cache"] = state()
    return found
