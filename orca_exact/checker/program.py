"""The function ``check`` and the command line of the checker."""

import sys
import zlib
from collections.abc import Callable
from typing import Any

from .conditions import check_certificate
from .limits import Rejected
from .paths import check_path
from .reading import PATH, load


def check(certificate: dict[str, Any], progress: Callable[[str], object] = str) -> dict[str, Any]:
    """Check a certificate or a path.

    Parameters
    ----------
    certificate
        The JSON object of the file.
    progress
        Called with a line of text whenever a new step begins.

    Returns
    -------
    dict
        The problem, the level, the evidence for each condition, and the claims, all proved.

    Raises
    ------
    Rejected
        If a condition is not proved; its attribute ``condition`` names it.
    """
    if isinstance(certificate, dict) and certificate.get("schema") == PATH:
        return check_path(certificate, progress)
    return check_certificate(certificate, progress)


def main(argv: list[str] | None = None) -> int:
    """Check a file; return 0 if accepted, 1 if rejected, 2 for wrong usage, 4 if it is not a certificate."""
    arguments = sys.argv[1:] if argv is None else argv
    if len(arguments) != 1:
        print("usage: python -m orca_exact.checker CERT.json[.gz]", file=sys.stderr)
        return 2
    try:
        certificate = load(arguments[0])
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        print(f"{ascii(arguments[0])[1:-1]}: not a certificate: {ascii(str(error))[1:-1]}", file=sys.stderr)
        return 4
    try:
        summary = check(certificate)
    except Rejected as rejection:
        print(f"rejected: {rejection}", file=sys.stderr)
        return 1
    print("problem: " + ", ".join(f"{key} = {value}" for key, value in summary["problem"].items()))
    for condition, evidence in summary["conditions"].items():
        print(f"{condition}: {evidence}")
    print(f"accepted at level {summary['level']}: |w - w*| <= {summary['w_error']}")
    return 0
