"""Results on one screen: rows as text, as an HTML table for a notebook, as a pandas frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import inf, isfinite
from typing import Any

from flint import arb

from ..errors import PackageMissing, printable
from ..numbers.rationals import QQ, decimal, float_above, midpoint

_ROWS = 24  # of a table on one screen
CELL = 32  # characters
_NOISE = 1e-12  # a share that is less is 0 but for rounding
Rows = Sequence[dict[str, Any]]


def format_cell(x: Any) -> str:
    """A value as a table has it; of a ball what is proved."""
    if isinstance(x, float):
        text = f"{x:.3g}" if _NOISE < abs(x) < 1e-4 or abs(x) > 1e6 else f"{abs(x):.4f}"
    else:
        text = printable(str(x)) if isinstance(x, str | int | tuple) or x is None else decimal(x, 8)
    return text if len(text) <= CELL else text[: CELL - 3] + "..."


def split_radius(x: Any) -> dict[str, float]:
    """The nearest float64 as ``value``, and for a ball the ``radius`` around it that holds the ball."""
    value = float(x)
    if not isinstance(x, arb):
        return {"value": value}
    if not (x.is_finite() and isfinite(value)):
        return {"value": value, "radius": inf}
    radius = midpoint(x.rad()) + abs(midpoint(x) - QQ(value))
    return {"value": value, "radius": float_above(radius)}


def text_table(rows: Rows) -> list[str]:
    """Columns under their names, the first to the left."""
    labels = list(rows[0])
    cells = [labels, *([format_cell(row.get(label, "-")) for label in labels] for row in rows)]
    widths = [max(len(line[j]) for line in cells) for j in range(len(cells[0]))]
    return [
        "  ".join(
            x.ljust(width) if j == 0 else x.rjust(width)
            for j, (x, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def html_table(title: str, rows: Rows, notes: Iterable[str] = ()) -> str:
    """A small table under its title, the first rows where there are many."""
    labels = list(rows[0]) if rows else []
    head = "".join(f"<th>{escape(label)}</th>" for label in labels)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(format_cell(row.get(label, '-')))}</td>" for label in labels) + "</tr>"
        for row in rows[:_ROWS]
    )
    more = [f"and {len(rows) - _ROWS} more"] if len(rows) > _ROWS else []
    below = "".join(f"<div>{escape(printable(note))}</div>" for note in [*more, *notes])
    lines = "".join(f"<div>{escape(line)}</div>" for line in title.splitlines())
    return f"<div>{lines}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"


def to_dataframe(rows: Rows) -> Any:
    """As pandas has it."""
    try:
        import pandas
    except ImportError:
        raise PackageMissing("pandas", "pandas") from None
    return pandas.DataFrame(list(rows))
