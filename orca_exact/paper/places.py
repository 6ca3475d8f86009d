"""Where a claim's sentence stands: in a printed copy by section, paragraph and its first and last words, and
in the reader's own copy of the TeX source by line. The sentences themselves are not ours to ship.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import BadFile
from ..formats import read_bytes, shipped
from .claims import Claim, paper_items

VARIABLE = "ORCA_EXACT_PAPER"  # names the reader's copy
NUMBERED = re.compile(r"((?:Table|Figure|Definition|Proposition)s?) (\d+(?:\.\d+)?)|(\(\d+\))")
LINES = r"lines? \d+(?:(?: to |, | and )\d+)*"
HINT = "give the paper's own TeX source (arXiv offers it under 'Other formats')"
BEFORE, AFTER = 1, 5  # lines of context


@lru_cache(maxsize=1)
def _print() -> dict[str, Any]:
    return shipped("paper/data/paragraphs.json")


def lines(c: Claim) -> tuple[int, int] | None:
    """The first and the last line of the source that its place names."""
    line = re.search(LINES, c.place)
    found = [int(number) for number in re.findall(r"\d+", line[0])] if line else []
    numbers = {item.get("number"): item["line"] for item in paper_items()}
    for word, number, equation in NUMBERED.findall(c.place):
        name = equation or f"{word.removesuffix('s')} {number}"
        found += [numbers[name]] if name in numbers else []
    return (min(found), max(found)) if found else None


def _row(c: Claim) -> dict[str, Any] | None:
    first = (lines(c) or (0,))[0]
    rows = (row for row in _print()["paragraphs"] if row["section"] == c.section)
    return next((row for row in rows if row["from"] <= first <= row["to"]), None)


def paragraph(c: Claim) -> str:
    """'paragraph 3, from “We begin with” to “in the plane.”', or nothing for a table or figure."""
    row = _row(c)
    return f"paragraph {row['paragraph']}, from “{row['first']}” to “{row['last']}”" if row else ""


def printed(c: Claim) -> str:
    """Its place for a reader of a printed copy; lines are those of the source, and said to be."""
    line = re.search(LINES, c.place)
    place = re.sub(f",? ?{LINES}(?: and |; )?", ", ", c.place).strip(", ")
    source = f" ({line[0]} of the source)" if line else ""
    return ", ".join(filter(None, (place, paragraph(c)))) + source


@dataclass(frozen=True)
class Source:
    """The reader's own copy of the paper's TeX source."""

    lines: tuple[str, ...]
    same: bool  # byte by byte the one whose lines the ledger names

    def around(self, c: Claim) -> list[tuple[int, bool, str]]:
        """(line, whether the claim names it, text) of its place, with a little of its paragraph."""
        span = lines(c)
        if not span:
            return []
        row = _row(c) or {"from": 1, "to": len(self.lines)}
        first = max(span[0] - BEFORE, row["from"])
        last = min(max(span[1], min(span[1] + AFTER, row["to"])), len(self.lines))
        return [(k, span[0] <= k <= span[1], self.lines[k - 1].expandtabs(2)) for k in range(first, last + 1)]


def source(path: str | None) -> Source | None:
    """The copy at ``path``, or where the environment says one is; None without both."""
    name = path or os.environ.get(VARIABLE)
    if not name:
        return None
    raw = read_bytes(Path(name), HINT)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise BadFile(name, "is no text", HINT) from None
    if r"\begin{document}" not in text:
        raise BadFile(name, "is no LaTeX document", HINT)
    return Source(tuple(text.splitlines()), sha256(raw).hexdigest() == _print()["sha256"])
