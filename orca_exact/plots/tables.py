"""Tables of results as text, as HTML for notebooks, and as pandas.DataFrame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isfinite
from typing import Any

from flint import arb

from ..errors import PackageMissing, printable, shorten
from ..files.escaping import for_html
from ..numbers.rationals import QQ, float_upper_bound, format_decimal, midpoint

_ROWS = 24  # rows of an HTML table
CELL = 32  # characters of a cell of text
_HTML_CELL = 120  # characters of a cell of HTML, which breaks lines
_NOISE = 1e-12  # a smaller share is printed as 0
Rows = Sequence[dict[str, Any]]


def format_cell(x: Any, most: int = CELL) -> str:
    """Format a value for a table, in at most so many characters; a ball shows only proved digits."""
    if isinstance(x, float):
        text = f"{x:.3g}" if _NOISE < abs(x) < 1e-4 or abs(x) > 1e6 else f"{x:.4f}"
        text = "0.0000" if text == "-0.0000" else text
    else:
        text = printable(str(x)) if isinstance(x, str | int | tuple) or x is None else format_decimal(x, 8)
    return shorten(text, most)


def split_radius(x: Any) -> dict[str, float]:
    """Return the nearest float64 as ``value``, and for a ball a ``radius`` around it that covers the ball."""
    value = float(x)
    if not isinstance(x, arb):
        return {"value": value}
    if not (x.is_finite() and isfinite(value)):
        return {"value": value, "radius": inf}
    radius = midpoint(x.rad()) + abs(midpoint(x) - QQ(value))
    return {"value": value, "radius": float_upper_bound(radius)}


def text_table(rows: Rows) -> list[str]:
    """Return the lines of a text table; the first column is aligned to the left, the others to the right."""
    labels = list(rows[0])
    cells = [[printable(label) for label in labels]]
    cells += [[format_cell(row.get(label, "-")) for label in labels] for row in rows]
    widths = [max(len(line[j]) for line in cells) for j in range(len(cells[0]))]
    return [
        "  ".join(
            x.ljust(width) if j == 0 else x.rjust(width)
            for j, (x, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def html_table(title: str, rows: Rows, notes: Iterable[str] = ()) -> str:
    """Return an HTML table with a title and notes; only the first rows if there are many."""
    labels = list(rows[0]) if rows else []
    head = "".join(f"<th>{for_html(label)}</th>" for label in labels)
    body = "".join(f"<tr>{_html_cells(row, labels)}</tr>" for row in rows[:_ROWS])
    more = [f"and {len(rows) - _ROWS} more"] if len(rows) > _ROWS else []
    below = "".join(f"<div>{for_html(note)}</div>" for note in [*more, *notes])
    lines = "".join(f"<div>{for_html(line)}</div>" for line in title.split("\n") if title)
    return f"<div>{lines}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"


def _html_cells(row: dict[str, Any], labels: Sequence[str]) -> str:
    return "".join(f"<td>{for_html(format_cell(row.get(label, '-'), _HTML_CELL))}</td>" for label in labels)


def to_dataframe(rows: Rows) -> Any:
    """Return the rows as a pandas.DataFrame."""
    try:
        import pandas
    except ImportError:
        raise PackageMissing("pandas") from None
    return pandas.DataFrame(list(rows))
