"""Parts of ``verify`` and ``report``: the summary table, claims that were not judged, and options."""

from __future__ import annotations

import argparse

from orca_exact.cli.page import Grid
from orca_exact.errors import pluralize
from orca_exact.files.outcomes import SYMBOLS

from ..ledger.summary import Summary
from ..ledger.verdict import WORDS


def add_formal(parser: argparse.ArgumentParser) -> None:
    """Add the option --formal."""
    text = "first compile the general proofs (needs coqc), unless the cache has the result"
    parser.add_argument("--formal", action="store_true", help=text)


def add_strict(parser: argparse.ArgumentParser) -> None:
    """Add the option --strict."""
    text = "exit with 1 if a claim is refuted, else with 3 if one is not judged"
    parser.add_argument("--strict", action="store_true", help=text)


def summary_table(found: Summary) -> Grid:
    """Return the summary as a table with one row for each kind of result."""
    rows, last = [], ""
    for row in found.rows:
        outcome = f"{SYMBOLS[row.outcome]} {WORDS[row.outcome]}" if row.outcome != last else ""
        sentences = "" if row.sentences is None else str(row.sentences)
        rows.append((outcome, row.kind, str(row.claims), sentences))
        last = row.outcome
    rows.append(("total", "", str(sum(row.claims for row in found.rows)), ""))
    return Grid(("result", "kind", "claims", "sentences"), rows, left=(0, 1), wraps=1)


def count_not_judged(left: dict[str, int]) -> list[str]:
    """Return one sentence for each reason why claims were not judged."""
    return [
        f"{pluralize(n, 'claim')} {'were' if n > 1 else 'was'} not judged: {why}" for why, n in left.items()
    ]
