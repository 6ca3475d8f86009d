"""Where a claim's sentence stands: in a printed copy by section, paragraph and its first and last words, and
in the reader's own copy of the TeX source by line. The sentences themselves are not ours to ship.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from orca_exact.errors import BadFile
from orca_exact.files.formats import read_bytes, shipped

from .claims import Claim
from .coverage import paper_items

VARIABLE = "ORCA_EXACT_PAPER"  # names the reader's copy
NUMBERED = re.compile(r"((?:Table|Figure|Definition|Proposition)s?) (\d+(?:\.\d+)?)|(\(\d+\))")
LINES = r"lines? \d+(?:(?: to |, | and )\d+)*"
HINT = "give the paper's own TeX source (arXiv offers it under 'Other formats')"
BEFORE, AFTER, MOST = 1, 5, 30  # lines of context, and of one place


@lru_cache(maxsize=1)
def _print() -> dict[str, Any]:
    return shipped("data/paragraphs.json", "proofs_checks")


def _parts(c: Claim) -> Iterator[tuple[str, str, list[tuple[int, int]]]]:
    """Each part of its place, with its section, and from which to which lines of the source."""
    numbers = {item.get("number"): item["line"] for item in paper_items()}
    section = c.section
    for part in c.place.split("; "):
        if match := re.match(r"section (\d+(?:\.\d+)?)|abstract", part):
            section = match[1] or "0"
        line = re.search(LINES, part)
        found = re.findall(r"(\d+)(?: to (\d+))?", line[0]) if line else []
        spans = [(int(first), int(last or first)) for first, last in found]
        for word, number, equation in NUMBERED.findall(part):
            if line and word.startswith(("Table", "Figure")):
                continue  # the line is a row or a caption of it
            name = equation or f"{word.removesuffix('s')} {number}"
            spans += [(numbers[name],) * 2] if name in numbers else []
        yield section, part, sorted(spans)


def _rows(section: str, spans: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """The paragraphs of a section that these lines touch."""
    rows = [row for row in _print()["paragraphs"] if row["section"] == section]
    return [row for row in rows if any(row["from"] <= last and first <= row["to"] for first, last in spans)]


def paragraphs(section: str, spans: list[tuple[int, int]]) -> str:
    """'paragraph 3, from “We begin with” to “in the plane.”', or nothing for a table or figure."""
    if not (rows := _rows(section, spans)):
        return ""
    first, last = rows[0], rows[-1]
    more = f"s {first['paragraph']} to" if last is not first else ""
    return f"paragraph{more} {last['paragraph']}, from “{first['first']}” to “{last['last']}”"


def printed(c: Claim) -> str:
    """Its place for a reader of a printed copy; lines are those of the source, and said to be."""
    found = []
    for section, part, spans in _parts(c):
        line = re.search(LINES, part)
        bare = re.sub(f",? ?{LINES}(?: and |, )?", ", ", part).strip(", ")
        source = f" ({line[0]} of the source)" if line else ""
        found.append(", ".join(filter(None, (bare, paragraphs(section, spans)))) + source)
    return "; ".join(found)


@dataclass(frozen=True)
class Source:
    """The reader's own copy of the paper's TeX source."""

    lines: tuple[str, ...]
    same: bool  # byte by byte the one whose lines the ledger names

    def around(self, c: Claim) -> list[tuple[int, bool, str]]:
        """(line, whether the claim names it, text) of its place, with a little of its paragraph."""
        found: dict[int, bool] = {}
        for section, _, spans in _parts(c):
            for first, last in spans:
                rows = _rows(section, [(first, last)]) or [{"from": 1, "to": len(self.lines)}]
                begin, end = (
                    max(first - BEFORE, rows[0]["from"]),
                    min(last + AFTER, max(last, rows[-1]["to"])),
                )
                for k in range(begin, min(end, begin + MOST, len(self.lines)) + 1):
                    found[k] = found.get(k, False) or first <= k <= last
        return [(k, found[k], self.lines[k - 1].expandtabs(2)) for k in sorted(found)]


def source(path: str | None) -> Source | None:
    """The copy at ``path``, or where the environment says one is; None without both."""
    name = path or os.environ.get(VARIABLE)
    if not name:
        return None
    raw = read_bytes(name, HINT)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise BadFile(name, "is no text", HINT) from None
    if r"\begin{document}" not in text:
        raise BadFile(name, "is no LaTeX document", HINT)
    return Source(tuple(text.splitlines()), sha256(raw).hexdigest() == _print()["sha256"])
