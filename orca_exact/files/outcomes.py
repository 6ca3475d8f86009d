"""The outcomes of a claim or a comparison, and the symbol of each."""

from __future__ import annotations

HOLDS, FAILS, UNDECIDED, SKIPPED = "HOLDS", "FAILS", "UNDECIDED", "SKIPPED"
SYMBOLS = {HOLDS: "✓", FAILS: "✗", UNDECIDED: "?", SKIPPED: "–"}
