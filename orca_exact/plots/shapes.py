"""Figures of functions of one or two columns, and waterfalls of single rows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import numpy as np

from ..files.escaping import for_matplotlib
from .style import STYLE, import_matplotlib, palette_of, require_axes

FEW_VALUES = 10  # a column with at most so many values is drawn as points
WATERFALL = 10  # columns of a waterfall; the others are added up
_VISIBLE = 0.004  # a band is drawn if its width is at least this part of the range
_ACROSS, _WIDTH, _HEIGHT = 2, 3.2, 2.2  # panels in a row, and inches of a panel
_MANY = 100  # so many rows are drawn as pixels, also in vector graphics
_LETTERS = 15  # per inch, of the sentence below the panels


@dataclass(frozen=True)
class Shape:
    """The values of a component on a grid and the data, both in the units of the axes of a figure.

    ``names`` are the labels of the columns for matplotlib.
    """

    names: list[str]
    axes: list[np.ndarray]
    data: list[np.ndarray]
    values: np.ndarray
    share: float
    error: float

    @property
    def title(self) -> str:
        """The names of the columns, and the share."""
        return f"{' × '.join(self.names)}: {format_part(self.share)}"

    @property
    def reach(self) -> float:
        """The largest absolute value."""
        return float(abs(self.values).max()) + self.error


def format_part(share: float) -> str:
    """Format a share as a percentage.

    >>> format_part(0.1634), format_part(0.0001), format_part(1.0), format_part(0.9999)
    ('16.3%', '<0.1%', '100%', '>99.9%')
    """
    if share < 5e-4:
        return "<0.1%"
    if 0.9995 <= share < 1 - 1e-9:
        return ">99.9%"
    return f"{100 * share:.1f}%" if share < 0.9995 else "100%"


def draw_shapes(shapes: Sequence[Shape], sentence: str = "", under: str = "", ax: Any = None) -> Any:
    """Draw functions of one column as curves and of two columns as heat maps, and return the figure.

    Parameters
    ----------
    shapes : sequence of Shape
        The functions; all curves get the same range, and all heat maps the same colours.
    sentence, under : str
        A sentence below the panels, and its beginning.
    ax : matplotlib.axes.Axes, optional
        Axes for a single panel.

    Returns
    -------
    matplotlib.figure.Figure
    """
    mpl = import_matplotlib()
    from .picture import Picture

    reach = max(shape.reach for shape in shapes) or 1.0
    with mpl.rc_context(STYLE) if require_axes(ax) is None else nullcontext():
        if ax is not None:
            figure, panels = ax.figure, [ax]
        else:
            columns = min(_ACROSS, len(shapes))
            rows = -(-len(shapes) // columns)
            width = max(columns * _WIDTH, 3.6)
            lines = wrap(for_matplotlib(under + sentence), int(_LETTERS * width)) if sentence else []
            figure = Picture(width, rows * _HEIGHT + 0.2 * len(lines))
            panels = list(figure.subplots(rows, columns, squeeze=False).flat)
            figure.supxlabel("\n".join(lines), fontsize=9) if lines else None
        for panel, shape in zip(panels, shapes, strict=False):
            _draw_shape(panel, shape, reach)
        for panel in panels[len(shapes) :]:
            panel.set_axis_off()
    return figure


def _draw_shape(axis: Any, shape: Shape, reach: float) -> None:
    axis.set_title(shape.title, fontsize=9)
    if len(shape.axes) == 2:
        _draw_surface(axis, shape, reach)
        return
    (x,), (data,), colours = shape.axes, shape.data, palette_of(axis)
    axis.axhline(0, color=colours.line, lw=0.6, zorder=1)
    if shape.error > _VISIBLE * reach:
        axis.fill_between(
            x, shape.values - shape.error, shape.values + shape.error, color=colours.band, lw=0, zorder=1
        )
    few = len(x) <= FEW_VALUES
    axis.plot(
        x, shape.values, "o--" if few else "-", color=colours.bar, lw=0.8 if few else 1.6, ms=4, zorder=3
    )
    axis.plot(
        data,
        np.full(len(data), 0.02),
        "|",
        transform=axis.get_xaxis_transform(),
        **_rug(len(data), colours.ink),
    )
    if few:
        axis.set_xticks(x, [f"{value:.4g}" for value in x])
        axis.margins(x=0.15)
    axis.set_ylim(-1.12 * reach, 1.08 * reach)
    axis.set(xlabel=shape.names[0], ylabel="adds to $h$")
    axis.spines[["top", "right"]].set_visible(False)


def _rug(count: int, colour: str) -> dict[str, Any]:
    return {
        "color": colour,
        "ms": 5,
        "mew": 0.6,
        "alpha": max(0.12, min(0.6, 40 / count)),
        "zorder": 2,
        "rasterized": count > _MANY,
    }


def _draw_surface(axis: Any, shape: Shape, reach: float) -> None:
    (x, z), (first, second) = shape.axes, shape.data
    image = axis.pcolormesh(
        x,
        z,
        shape.values.T,
        cmap="PuOr_r",
        vmin=-reach,
        vmax=reach,
        rasterized=True,
        shading="nearest",
    )
    look: dict[str, Any] = {"ms": 2, "mew": 0, "alpha": max(0.15, min(0.7, 60 / len(first)))}
    axis.plot(first, second, "o", color="0.1", rasterized=len(first) > _MANY, **look)
    for name, values in (("x", x), ("y", z)):
        if len(values) <= FEW_VALUES:
            getattr(axis, f"set_{name}ticks")(values, [f"{value:.4g}" for value in values])
    axis.set(xlabel=shape.names[0], ylabel=shape.names[1])
    bar = axis.figure.colorbar(image, ax=axis, pad=0.02, aspect=18)
    bar.outline.set_visible(False)
    bar.set_label("adds to $h$")


def draw_waterfall(
    values: Sequence[float],
    names: Sequence[str],
    shown: Sequence[float],
    base: float,
    function: str = "h",
    sentence: str = "",
    ax: Any = None,
) -> Any:
    """Draw what each column adds to the value at one row, from the mean upwards, and return the figure.

    Parameters
    ----------
    values : sequence of float
        What each column adds.
    names : sequence of str
        The labels of the columns for matplotlib, see ``label_columns``.
    shown : sequence of float
        The values of the columns in the row.
    base : float
        Where the waterfall begins.
    function : str
        The name of the function: h, or g if the constant is included.
    sentence : str
        What the row is compared with.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure is made by default.

    Returns
    -------
    matplotlib.figure.Figure
    """
    mpl = import_matplotlib()
    from .picture import Picture

    largest = sorted(range(len(values)), key=lambda i: -abs(values[i]))
    few = largest if len(largest) <= WATERFALL else largest[: WATERFALL - 1]
    steps = [(f"{names[i]} = {shown[i]:.4g}", values[i]) for i in few]
    rest = largest[len(few) :]
    if rest:
        steps.append((f"{len(rest)} other columns", sum(values[i] for i in rest)))
    with mpl.rc_context(STYLE) if require_axes(ax) is None else nullcontext():
        width = 5.4 if ax is None else ax.get_window_extent().width / ax.figure.dpi
        lines = wrap(for_matplotlib(sentence), max(20, int(_LETTERS * (width - 1.6)))) if sentence else []
        axis = Picture(width, 1.1 + 0.26 * len(steps) + 0.2 * len(lines)).subplots() if ax is None else ax
        ends = base + np.concatenate([[0.0], np.cumsum([step for _, step in steps])])
        span, colours = float(ends.max() - ends.min()) or 1.0, palette_of(axis)
        box = {"fc": axis.get_facecolor(), "ec": "none", "pad": 0.3}
        for k, (_, step) in enumerate(steps):
            axis.barh(
                k,
                step,
                left=ends[k],
                height=0.7,
                color=colours.best if step > 0 else colours.bar,
                lw=0,
                zorder=2,
            )
            axis.plot(
                [ends[k + 1]] * 2, [k - 0.35, min(k + 1.35, len(steps) - 0.4)], color=colours.line, lw=0.6
            )
            right = max(ends[k], ends[k + 1])
            text = f"{step:+.3g}".replace("-", "−")
            look: dict[str, Any] = {"va": "center", "fontsize": 7.5, "bbox": box, "zorder": 4}
            axis.annotate(text, (right, k), (3, 0), textcoords="offset points", **look)
        axis.axvline(base, color=colours.line, lw=0.6, zorder=0)
        if ends.min() <= 0 <= ends.max():
            axis.axvline(0, color=colours.ink, lw=0.8, zorder=1)
        axis.set_yticks(range(len(steps)), [label for label, _ in steps])
        axis.tick_params(axis="y", length=0)
        axis.set(ylim=(len(steps) - 0.4, -0.6), xlim=(ends.min() - 0.03 * span, ends.max() + 0.14 * span))
        axis.set_title(f"mean of ${function}$: ${base:.4g}$     ${function}(x)={ends[-1]:.4g}$", fontsize=9)
        axis.set_xlabel("\n".join([f"${function}$", *lines]))
        axis.spines[["top", "right", "left"]].set_visible(False)
    return axis.figure
