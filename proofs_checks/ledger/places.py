"""Places of sentences in the paper.

In a printed copy a place is given by section, equation or table, or by the paragraph, with its first words,
and the number of the sentence in it; in the reader's own copy of the TeX source by line. The text of the
paper itself is not part of this package.
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
from orca_exact.files.formats import read_bytes, read_shipped

from .claims import Claim, claims
from .coverage import paper_items

VARIABLE = "ORCA_EXACT_PAPER"  # environment variable with the path of the reader's copy
NUMBERED = re.compile(r"((?:Table|Figure|Definition|Proposition)s?) (\d+(?:\.\d+)?)|(\(\d+\))")
LINES = r"lines? \d+(?:(?: to |, | and )\d+)*"
SENTENCE = re.compile(r",? ?sentence (\d+)")  # in the place of a claim, if its line has parts of several
HINT = "pass the TeX source of the paper (arXiv offers it under 'Other formats')"
# Parts of the source that are no words: labels, and the ends of an environment around a sentence.
ORPHAN = re.compile(r"\\label\{[^}]*\}|\\(?:begin|end)\{(?:definition|proposition|proof)\}(?:\[[^]]*\])?")
BEFORE, AFTER, MOST = 1, 5, 30  # lines of context before and after, and the most lines of one place


@lru_cache(maxsize=1)
def _printed_copy() -> dict[str, Any]:
    return read_shipped("data/paragraphs.json", "proofs_checks")


def _parts(c: Claim) -> Iterator[tuple[str, str, list[tuple[int, int]]]]:
    """Yield each part of the claim's place: its section, its text, and the line ranges it names."""
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
                continue  # the line is a row of the table or the caption
            name = equation or f"{word.removesuffix('s')} {number}"
            spans += [(numbers[name],) * 2] if name in numbers else []
        yield section, part, sorted(spans)


def section_at(line: int) -> str:
    """Return the section of a line of the source: that of the last paragraph that begins before it."""
    rows = [row for row in _printed_copy()["paragraphs"] if row["from"] <= line]
    return str(rows[-1]["section"]) if rows else "0"


def _rows(section: str, spans: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Return the paragraphs of a section that contain some of these lines."""
    rows = [row for row in _printed_copy()["paragraphs"] if row["section"] == section]
    return [row for row in rows if any(row["from"] <= last and first <= row["to"] for first, last in spans)]


def paragraphs(
    section: str, spans: list[tuple[int, int]], sentence: int | None = None, words: bool = True
) -> str:
    """Return such as 'paragraph 3 (“We begin with …”), sentence 2'; empty for a table or figure.

    Without ``words`` the first words of the paragraph are left out.
    """
    if not (rows := _rows(section, spans)):
        return ""
    first, last = rows[0], rows[-1]
    if last is not first:
        ends = f", from “{first['first']}” to “{last['last']}”"
        return f"paragraphs {first['paragraph']} to {last['paragraph']}{ends * words}"
    begins = f" (“{first['first'].removesuffix(' …')} …”)"
    named = f"paragraph {first['paragraph']}{begins * words}"
    numbers = [sentence] if sentence else _sentences(first, spans)
    if not numbers or numbers == list(range(1, len(first["sentences"]) + 1)) != [1]:
        return named  # the whole paragraph
    return f"{named}, sentence{'s' * (len(numbers) > 1)} {_numbered(numbers)}"


def _sentences(row: dict[str, Any], spans: list[tuple[int, int]]) -> list[int]:
    """Return the numbers of the sentences that have a part on one of these lines."""
    starts = [tuple(start) for start in row["sentences"]]
    ends = [*starts[1:], (row["to"] + 1, 1)]
    return [
        number
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1)
        if any(start[0] <= last and end > (first, 1) for first, last in spans)
    ]


def _numbered(numbers: list[int]) -> str:
    """Return '2', '2 and 3' or '2 to 5'."""
    return (
        " to ".join(map(str, (numbers[0], numbers[-1])))
        if len(numbers) > 2
        else " and ".join(map(str, numbers))
    )


def printed_place(c: Claim, words: bool = True) -> str:
    """Return the claim's place for a reader of a printed copy; line numbers are marked as the source's."""
    found = []
    for section, part, spans in _parts(c):
        line, sentence = re.search(LINES, part), SENTENCE.search(part)
        bare = re.sub(f",? ?{LINES}(?: and |, )?", ", ", SENTENCE.sub("", part)).strip(", ")
        source = f" ({line[0]} of the source)" if line else ""
        number = int(sentence[1]) if sentence else None
        found.append(", ".join(filter(None, (bare, paragraphs(section, spans, number, words)))) + source)
    return "; ".join(found)


def sentence_numbers(c: Claim) -> list[int]:
    """Return the numbers of the sentences at the first place of a claim; [] for a table or figure."""
    for section, part, spans in _parts(c):
        if stated := SENTENCE.search(part):
            return [int(stated[1])]
        for row in _rows(section, spans):
            return _sentences(row, spans)
    return []


QUERIES = {
    "line": re.compile(r"lines? (\d+)"),
    "equation": re.compile(r"(?:eq(?:uation|\.)? ?)?\((\d+)\)|eq(?:uation|\.)? ?(\d+)"),
    "row": re.compile(r"table (\d), ?n ?= ?(\d+)"),
    "item": re.compile(r"(table|figure|definition|proposition) (\d+(?:\.\d+)?)"),
}
EQUATIONS = re.compile(r"\((\d+)\)(?: to \((\d+)\))?")


def claims_at(query: str) -> list[Claim] | None:
    """Return the claims about a place such as 'eq. (30)' or 'Table 4, n = 2'; None if the text is no place.

    >>> [c.id for c in claims_at("line 1421")]
    ['echo-five-times', 'echo-five-times-corrected']
    """
    text = " ".join(query.lower().split())
    kind, found = next(((k, m) for k, q in QUERIES.items() if (m := q.fullmatch(text))), ("", None))
    if found is None:
        return None
    if kind == "line":
        return _claims_at_line(int(found[1]))
    if kind == "equation":
        number = int(found[1] or found[2])
        return [c for c in claims() if any(a <= number <= b for a, b in _equations(c))]
    if kind == "row":
        return [c for c in claims() if re.search(rf"Table {found[1]}, n = {found[2]}(?!\d)", c.place)]
    name = f"{found[1].capitalize()} {found[2]}"
    begins = [
        c for item in paper_items() if item.get("number") == name for c in _claims_at_line(item["line"])
    ]
    return [c for c in claims() if c in begins or re.search(rf"{re.escape(name)}(?![\d.]*\d)", c.place)]


def _claims_at_line(number: int) -> list[Claim]:
    return [c for c in claims() if any(a <= number <= b for _, _, s in _parts(c) for a, b in s)]


def _equations(c: Claim) -> list[tuple[int, int]]:
    """Return the ranges of equation numbers that a claim's place names."""
    return [(int(a), int(b or a)) for part in c.place.split("; ") for a, b in EQUATIONS.findall(part)]


@dataclass(frozen=True)
class Source:
    """The reader's own copy of the paper's TeX source."""

    lines: tuple[str, ...]
    same: bool  # whether it is byte by byte the file that the ledger refers to

    def sentence(self, c: Claim) -> str:
        """Return the sentence at the first place of a claim, or its lines; empty if this is another file."""
        for section, _, spans in _parts(c) if self.same else ():
            rows, numbers = _rows(section, spans), sentence_numbers(c)
            if not rows or not numbers:
                named = dict.fromkeys(line for a, b in spans for line in self.lines[a - 1 : b])
                return " ".join(" ".join(named).split())
            starts = [*map(tuple, rows[0]["sentences"]), (rows[0]["to"] + 1, 1)]
            (top, left), (bottom, right) = starts[numbers[0] - 1], starts[numbers[-1]]
            lines = [*self.lines[top - 1 : bottom - 1], self.lines[bottom - 1][: right - 1]]
            lines[0] = lines[0][left - 1 :]
            return " ".join(ORPHAN.sub(" ", " ".join(lines)).split())
        return ""

    def quote(self, c: Claim) -> list[tuple[int, bool, str]]:
        """Return (line number, whether the claim names the line, text) for the place and some context."""
        found: dict[int, bool] = {}
        for section, _, spans in _parts(c):
            for first, last in spans:
                rows = _rows(section, [(first, last)]) or [{"from": 1, "to": len(self.lines)}]
                begin = max(first - BEFORE, rows[0]["from"])
                end = min(last + AFTER, max(last, rows[-1]["to"]))
                for k in range(begin, min(end, begin + MOST, len(self.lines)) + 1):
                    found[k] = found.get(k, False) or first <= k <= last
        return [(k, found[k], self.lines[k - 1].expandtabs(2)) for k in sorted(found)]


def read_source(path: str | None) -> Source | None:
    """Read the copy at ``path``, else the one named by ORCA_EXACT_PAPER; None if neither is given."""
    name = path or os.environ.get(VARIABLE)
    if not name:
        return None
    raw = read_bytes(name, HINT)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise BadFile(name, "the file is not text in UTF-8", HINT) from None
    if r"\begin{document}" not in text:
        raise BadFile(name, "the file is not a LaTeX document", HINT)
    return Source(tuple(text.splitlines()), sha256(raw).hexdigest() == _printed_copy()["sha256"])
