"""Versions of the installed packages, and the available solvers."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from .. import __version__

PACKAGES = (
    "python-flint", "mpmath", "sympy", "numpy", "cvxpy", "scikit-learn", "matplotlib", "rich", "jsonschema",
    "Jinja2", "latex2mathml",
)  # fmt: skip


def installation_facts() -> dict[str, str]:
    """Return the versions of the packages, the solvers and the state of the cache by name."""
    import cvxpy

    from .cache import describe_cache

    found = {"orca-exact": __version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    found["solvers"] = ", ".join(cvxpy.installed_solvers())  # type: ignore[no-untyped-call]
    found["cache"] = describe_cache()
    return found
