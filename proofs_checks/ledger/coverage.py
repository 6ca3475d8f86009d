"""The items of the paper, and the claims that cover each."""

from __future__ import annotations

from functools import lru_cache

from orca_exact.files.formats import read_shipped

from .claims import claims


@lru_cache(maxsize=1)
def paper_items() -> tuple[dict, ...]:
    """Return every label, numbered equation, definition, proposition, table, figure and assertion."""
    return tuple(read_shipped("data/paper_items.json", "proofs_checks")["items"])


def coverage() -> list[tuple[dict, list[str]]]:
    """Return each item of the paper with the ids of the claims that cover it."""
    by_item: dict[str, list[str]] = {}
    for c in claims():
        for item in dict.fromkeys((c.id, *c.covers)):
            by_item.setdefault(item, []).append(c.id)
    return [(item, by_item.get(item["id"], [])) for item in paper_items()]
