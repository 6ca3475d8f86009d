"""Tests of pages: the same content on a terminal and in Markdown."""

from __future__ import annotations

from io import StringIO

import pytest

from orca_exact.cli.page import Grid, Page
from orca_exact.cli.terminal import Output

PAGE = Page(
    "title",
    ["a fact"],
    [
        Grid(("index", "value"), [("OKC_1", "0.25"), ("OKC_2", "0.75")], (0, 1), 1, [0.25, 0.75]),
        Grid(("n", "T"), [("1", "10"), ("2", "5")]),
    ],
    ["the end"],
    "next: nothing",
)
TEXT = """\
title
a fact

index  value
OKC_1  0.25   ████████
OKC_2  0.75   ████████████████████████

n   T
1  10
2   5

the end
next: nothing
"""
MARKDOWN = """\
## title

- a fact

| index | value |
|---|---|
| OKC_1 | 0.25 |
| OKC_2 | 0.75 |

| n | T |
|---|--:|
| 1 | 10 |
| 2 | 5 |

- the end
"""


@pytest.mark.parametrize(("format", "expected"), [("text", TEXT), ("markdown", MARKDOWN)])
def test_one_page_two_formats(format, expected):
    out = StringIO()
    PAGE.show(Output(out, StringIO()), format)
    assert out.getvalue() == expected


def test_a_quiet_page_has_no_hint():
    out = StringIO()
    PAGE.show(Output(out, StringIO(), quiet=True), "text")
    assert out.getvalue() == TEXT.replace("next: nothing\n", "")
