"""The outcomes of a claim or a comparison, and the symbol of each."""

from __future__ import annotations

HOLDS, FAILS, UNDECIDED, SKIPPED = "HOLDS", "FAILS", "UNDECIDED", "SKIPPED"
MARKS = {HOLDS: "✓", FAILS: "✗", UNDECIDED: "?", SKIPPED: "–"}
