"""Pages of results for a terminal and in Markdown: a title, facts, tables and closing sentences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import printable
from ..files.escaping import for_markdown
from .terminal import Output, bar, split_table

_BAR = 32  # characters of a share of 1


def as_item(text: str, format: str, indent: str = "") -> str:
    """Return a line of text, or in Markdown an item of a list; ``indent`` comes before it."""
    return f"{indent}- {for_markdown(text)}" if format == "markdown" else f"{indent}{text}"


class Grid(NamedTuple):
    """A table of texts; the columns in ``left`` are aligned left, the others right."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = (0,)
    wraps: int | None = None  # the column whose cells may wrap; if None, a wide table is split
    shares: Sequence[Any] = ()  # one for each row, drawn as a bar on a terminal
    red: Collection[int] = ()  # rows with an error, red on a terminal if a column wraps

    def markdown(self) -> str:
        """Return the lines of a Markdown table."""
        rule = "|".join("---" if j in self.left else "--:" for j in range(len(self.headings)))
        rows = (f"| {' | '.join(map(for_markdown, row))} |" for row in (self.headings, *self.rows))
        return "\n".join([next(rows), f"|{rule}|", *rows])

    def tables(self, width: int) -> list[Any]:
        """Return rich tables that are at most ``width`` characters wide."""
        from rich.table import Table

        if self.wraps is None:
            return split_table(self.headings, self.rows, width)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for j, heading in enumerate(self.headings):
            table.add_column(
                heading, justify="left" if j in self.left else "right", no_wrap=j != self.wraps,
                overflow="fold" if j == self.wraps else "ellipsis",
                style="cyan" if j == 0 and not self.red else "",
            )  # fmt: skip
        if self.shares:
            table.add_column("", style="blue", no_wrap=True)
        used = sum(max(map(len, column)) for column in zip(*self.rows, strict=True)) + 6
        bar_width = max(0, min(_BAR, width - used))
        for i, row in enumerate(self.rows):
            bars = (bar(share, bar_width) for share in self.shares[i : i + 1])
            table.add_row(*row, *bars, style="bold red" if i in self.red else "")
        return [table]


@dataclass(frozen=True)
class Page:
    """A page of results; ``hint``, the next thing to do, is not written in Markdown."""

    title: str
    facts: Sequence[str]
    grids: Sequence[Grid]
    tail: Sequence[str] = ()
    hint: str = ""

    def show(self, out: Output, format: str) -> None:
        """Print the page as text or as Markdown."""
        (self._markdown if format == "markdown" else self._text)(out)

    def _text(self, out: Output) -> None:
        from rich.text import Text

        console = out.console
        console.print(Text(printable(self.title), style="bold"))
        for fact in self.facts:
            console.print(Text(printable(fact), style="green" if "optimality" in fact else ""))
        for table in (table for grid in self.grids for table in grid.tables(console.width)):
            console.print()
            console.print(table)
        if self.tail:
            console.print()
        for line in self.tail:
            console.print(Text(printable(line)))
        if hint := out.unless_quiet(self.hint):
            console.print(Text(printable(hint, "\n"), style="dim"))

    def _markdown(self, out: Output) -> None:
        out.print(f"## {for_markdown(self.title)}\n")
        for fact in self.facts:
            out.print(as_item(fact, "markdown"))
        for grid in self.grids:
            out.print(f"\n{grid.markdown()}")
        if self.tail:
            out.print()
        for line in self.tail:
            out.print(as_item(line, "markdown"))
