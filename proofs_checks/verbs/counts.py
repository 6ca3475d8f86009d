"""The counts of a run of ``verify`` or ``report``, in words."""

from __future__ import annotations

from typing import Any

from orca_exact.cli.terminal import pluralize
from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

WORDS = {HOLDS: "hold", FAILS: "refuted", UNDECIDED: "undecided", SKIPPED: "skipped"}


def count_words(found: Any) -> str:
    """The counts of a run as a sentence."""
    parts = [f"{found.counts[outcome]} {word}" for outcome, word in WORDS.items() if found.counts[outcome]]
    total = sum(found.counts[outcome] for outcome in WORDS)
    return (
        f"{pluralize(total, 'claim')}: {', '.join(parts)}, {found.counts['unexpected'] or 'none'} unexpected"
    )


def apart(found: Any) -> list[str]:
    """How far what holds reaches, and the errors of the paper, each sentence counted once."""
    lines = [f"what holds: {'; '.join(found.reach)}"] if found.reach else []
    if found.errors:
        kinds = ", ".join(f"{number} {severity}" for severity, number in found.severities.items())
        lines.append(f"errors of the paper, each sentence once: {len(found.errors)} ({kinds})")
    if found.arguable:
        lines.append(
            f"no errors, wrong by another reading only: {pluralize(len(found.arguable), 'sentence')}"
        )
    if found.ours:
        lines.append(f"on our own spiral only, no errors of the paper: {found.ours}")
    return lines


def count_not_judged(left: dict[str, int]) -> list[str]:
    """How many claims were not judged, and why, one sentence for each reason."""
    return [
        f"{pluralize(n, 'claim')} {'were' if n > 1 else 'was'} not judged: {why}" for why, n in left.items()
    ]
