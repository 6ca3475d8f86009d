r"""Texts from outside (names of columns, labels, ids, names of files) in every format that is written.

Each format has one function, through which every such text passes. All of them show control characters and
bidirectional marks as escapes.

>>> name = "length [mm] | <b>$x_1$</b>"
>>> for_markdown(name)
'length [mm] \\| &lt;b>\\$x_1\\$&lt;/b>'
>>> for_html(name)
'length [mm] | &lt;b&gt;$x_1$&lt;/b&gt;'
>>> print(for_latex(name))
length [mm] \textbar{} \textless{}b\textgreater{}\$x\_1\$\textless{}/b\textgreater{}
>>> print(for_matplotlib(name))
length [mm] | <b>\$x_1\$</b>
>>> for_csv("=1+1"), for_csv("-1/2"), for_csv("tea")
("'=1+1", '-1/2', 'tea')
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..errors import printable

_FORMULA = ("=", "+", "-", "@")  # a cell that begins with one of these is a formula in a spreadsheet
_NUMBER = re.compile(r"[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?(?:/[0-9]+)?")
_LATEX = str.maketrans(
    {c: rf"\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}
    | {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}"}
)  # fmt: skip
_ANYWHERE = re.compile(
    r"""
    \\(?=[!-/:-@\[-`{-~])              # a backslash before punctuation, which it would escape
    | [*`|$~]                          # emphasis, code, cells, formulas
    | (?<![^\W_])_ | _(?![^\W_])       # an underscore, unless it is within a word
    | \](?=[(\[]) | \[(?=\^)           # a link, a footnote
    """,
    re.VERBOSE,
)
_TAG, _ENTITY = re.compile(r"<(?=[A-Za-z/!?])"), re.compile(r"&(?=\#?\w+;)")
_AT_START = re.compile(r"(?:#{1,6}|[-+]|>|\[[ xX]\])(?=\s|$)|>|(?=[-=]{2,}|\[.*\]:)|(\d+)(?=[.)](?:\s|$))")


class Markdown(str):
    """Text that is Markdown already, which ``for_markdown`` does not change."""

    __slots__ = ()


def for_markdown(text: str) -> Markdown:
    r"""Return a text as it is to be shown by Markdown: in a paragraph, a heading, an item or a cell.

    >>> for_markdown("a | b *c* OKC_1"), for_markdown("1. first"), for_markdown("[x](y)")
    ('a \\| b \\*c\\* OKC_1', '1\\. first', '[x\\](y)')
    """
    if isinstance(text, Markdown):
        return text
    shown = printable(text).strip()
    shown = _ENTITY.sub("&amp;", _ANYWHERE.sub(r"\\\g<0>", shown))
    shown = _TAG.sub("&lt;", shown)
    if start := _AT_START.match(shown):
        at = len(start[1] or "")
        shown = f"{shown[:at]}\\{shown[at:]}"
    return Markdown(re.sub(r"(?<=\s)(#+)$", r"\\\1", shown))


def markdown_code(text: str) -> Markdown:
    """Return a text as code in a paragraph or a cell of Markdown.

    >>> markdown_code("a`b")
    '``a`b``'
    """
    text = printable(text).replace("|", r"\|")
    longest = max(map(len, re.findall("`+", text)), default=0)
    blank = " " * (text[:1] == "`" or text[-1:] == "`")
    return Markdown(f"{'`' * (longest + 1)}{blank}{text}{blank}{'`' * (longest + 1)}")


def markdown_block(text: str) -> Markdown:
    """Return lines as a block of code in Markdown."""
    text = printable(text, "\n")
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markdown(f"{fence}text\n{text}\n{fence}")


def for_html(text: str) -> str:
    """Return a text for the content or an attribute of HTML or SVG."""
    return escape(printable(text))


def for_latex(text: str) -> str:
    """Return a text for a paragraph of LaTeX."""
    return printable(text).translate(_LATEX)


def for_csv(text: str) -> str:
    """Return a text for a cell of a table of comma-separated values; a formula begins with an apostrophe.

    Spreadsheets compute a cell that begins with one of = + - @. Numbers stay as they are.
    """
    shown = printable(text)
    return f"'{shown}" if shown.startswith(_FORMULA) and not _NUMBER.fullmatch(shown) else shown


def csv_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a table of comma-separated values with its texts escaped."""
    return {key: for_csv(x) if isinstance(x, str) else x for key, x in row.items()}


def for_matplotlib(text: object) -> str:
    """Return a text for a label of matplotlib, in which a dollar sign would begin a formula."""
    return printable(str(text)).replace("$", r"\$")


def distinct(texts: Sequence[str]) -> list[str]:
    """Return texts that can be told apart: later ones that differ from an earlier one by blanks get a number.

    >>> distinct(["a", "b", "a ", "a"])
    ['a', 'b', 'a (2)', 'a (3)']
    """
    found: list[str] = []
    for text in texts:
        shown, number = text.strip(), 1
        while shown in found:
            number += 1
            shown = f"{text.strip()} ({number})"
        found.append(shown)
    return found


def short_names(names: Sequence[str], most: int) -> list[str]:
    """Return names cut to a number of characters; those that are equal then get their number, from 1.

    >>> short_names(["mean of the radius", "mean of the area", "age"], 10)
    ['mean of… 1', 'mean of… 2', 'age']
    """
    shown = [printable(name) for name in names]
    cut = [name if len(name) <= most else name[: most - 1] + "…" for name in shown]
    counts = Counter(cut)
    rest = most - 2 - len(str(len(names)))
    return [
        short if counts[short] == 1 else f"{name[:rest]}… {number}"
        for number, (name, short) in enumerate(zip(shown, cut, strict=True), 1)
    ]
