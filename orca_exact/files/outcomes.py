"""The words of a verdict, and the mark of each on a terminal and on a page."""

from __future__ import annotations

HOLDS, FAILS, UNDECIDED, SKIPPED = "HOLDS", "FAILS", "UNDECIDED", "SKIPPED"  # of a claim or a comparison
CONFIRMED, REFUTED, UNSETTLED = "confirmed", "refuted", "undecided"  # of a printed cell
MARKS = {HOLDS: "✓", FAILS: "✗", UNDECIDED: "?", SKIPPED: "–", CONFIRMED: "✓", REFUTED: "✗", UNSETTLED: "?"}
KINDS = {"refuted": FAILS, "undecided": UNDECIDED, "sampled": HOLDS, "holds": HOLDS}  # of claims
