"""Pages of results, written once for a terminal and for Markdown: title, facts, tables, closing sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .terminal import Output, split_table

_BAR = 32  # characters of a share of 1


class Grid(NamedTuple):
    """A table of texts; columns are numbers, on the right, but for those in ``left``."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Sequence[int] = (0,)
    wraps: int | None = None  # the column that may be broken; without one, a wide table becomes several
    shares: Sequence[Any] = ()  # of each row, drawn as a bar on a terminal

    def markdown(self) -> str:
        """Return the lines of a Markdown table."""
        rule = "|".join("---" if j in self.left else "--:" for j in range(len(self.headings)))
        rows = (f"| {' | '.join(row)} |" for row in (self.headings, *self.rows))
        return "\n".join([next(rows), f"|{rule}|", *rows])

    def tables(self, width: int) -> list[Any]:
        """Return rich's tables, no wider than this."""
        from rich.table import Table

        if self.wraps is None:
            return split_table(self.headings, self.rows, width)
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for j, heading in enumerate(self.headings):
            table.add_column(
                heading, justify="left" if j in self.left else "right", no_wrap=j != self.wraps,
                overflow="fold" if j == self.wraps else "ellipsis",
                style="cyan" if self.shares and j == 0 else "",
            )  # fmt: skip
        if self.shares:
            table.add_column("", style="blue", no_wrap=True)
        taken = sum(max(map(len, column)) for column in zip(*self.rows, strict=True)) + 6
        for i, row in enumerate(self.rows):
            room = max(0, min(_BAR, width - taken))
            table.add_row(*row, *(bar(share, room) for share in self.shares[i : i + 1]))
        return [table]


@dataclass(frozen=True)
class Page:
    """A page of results. ``hint`` says what to do next, on a terminal only."""

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
        console.print(Text(self.title, style="bold"))
        for fact in self.facts:
            console.print(Text(fact, style="green" if "optimality" in fact else ""))
        for table in (table for grid in self.grids for table in grid.tables(console.width)):
            console.print()
            console.print(table)
        if self.tail:
            console.print()
        for line in self.tail:
            console.print(Text(line))
        if hint := out.hint(self.hint):
            console.print(Text(hint, style="dim"))

    def _markdown(self, out: Output) -> None:
        out.print(f"## {self.title}\n")
        for fact in self.facts:
            out.print(f"- {fact}")
        for grid in self.grids:
            out.print(f"\n{grid.markdown()}")
        if self.tail:
            out.print()
        for line in self.tail:
            out.print(f"- {line}")


def bar(share: Any, width: int = _BAR) -> str:
    """Return a share as a bar, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, float(share))) * width * 8)
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")
