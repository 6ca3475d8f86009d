"""Markdown for the generated pages: cells, tables, formulas."""

from __future__ import annotations

import re
from collections.abc import Sequence


def formula(latex: str) -> str:
    """Return a displayed formula, or a code block if it contains a command such as a citation."""
    from latex2mathml.converter import convert

    left = "\\" in re.sub("<[^>]+>", "", convert(latex))
    return f"<!-- not run: a formula -->\n```latex\n{latex}\n```\n" if left else f"$$\n{latex}\n$$\n"


def cell(text: str) -> str:
    """Return text that is escaped for a cell of a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
