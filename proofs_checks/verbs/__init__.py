"""Verbs of the command line about the paper, registered through the entry point ``orca_exact.verbs``."""

from __future__ import annotations

from collections.abc import Callable

VERBS = {
    "verify": "check the claims of the paper and print verdicts with evidence",
    "claim": "show and check one claim, or find the claims about an equation, a table row or a line",
    "errors": "list the errors of the paper as errata, also in CSV or LaTeX",
    "tables": "recompute the paper's tables and check every printed cell",
    "figures": "draw the paper's figures and additional spectra from certified classifiers",
    "report": "write one self-contained HTML page: verdicts, tables, figures, certificates",
    "data": "download the echocardiogram data from the UCI archive and verify them",
}
RENAMED = {"explain": "claim"}
FIRST_EXAMPLES = ("orca-exact verify --section 3",)
CACHING = ("verify", "claim", "tables", "figures", "report")


def facts() -> dict[str, str]:
    """Return whether Rocq and the echocardiogram data were found, for ``orca-exact doctor``."""
    from orca_exact.errors import OrcaError

    from ..experiments.datasets import echocardiogram
    from ..ledger import theorems

    found = {"coqc": theorems.compiler() or f"not found; {theorems.GET}"}
    try:
        table = echocardiogram()
        found["echocardiogram"] = f"{len(table.y)} complete records, SHA-256 {table.sha256[:16]}"
    except OrcaError as error:
        found["echocardiogram"] = str(error).removeprefix("echocardiogram: ")
    return found


def completions() -> dict[str, Callable[[], list[str]]]:
    """Return functions that list the names of claims and figures, for shell completion."""
    return {"CLAIM": _claims, "FIGURE": _figures}


def _claims() -> list[str]:
    from ..ledger.claims import claims

    return [claim.id for claim in claims()]


def _figures() -> list[str]:
    from ..experiments.figures import PLANS

    return list(PLANS)
