"""The words of an outcome, and the mark of each on a terminal and on a page."""

from __future__ import annotations

HOLDS, FAILS, UNDECIDED, SKIPPED = "HOLDS", "FAILS", "UNDECIDED", "SKIPPED"  # of a claim or a comparison
MARKS = {HOLDS: "✓", FAILS: "✗", UNDECIDED: "?", SKIPPED: "–"}
