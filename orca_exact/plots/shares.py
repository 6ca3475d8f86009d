"""Figures of the indices of one classifier: by order, by degree, by pair of variables, by block.

``values`` is any object whose ``family(name)`` maps keys to indices. ``band`` maps some keys to (low, median,
high), for instance of a null distribution; it is drawn behind the bars.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from textwrap import wrap
from typing import Any

import numpy as np
from flint import arb, fmpq

from ..errors import BadParameter
from ..files.escaping import for_matplotlib, short_names
from ..numbers.rationals import to_float
from .style import STYLE, Palette, import_matplotlib, palette_of, require_axes

_Key = tuple[int, ...]
Band = Mapping[_Key, Sequence[Any]]  # low, median, high
_LEVELS = (("0.1", ":"), ("0.05", "--"), ("0.01", "-."))
MAX_LABELS = 10  # largest number of coordinates or orders whose values are printed in the figure
NAME = 24  # characters of the name of a column
BARS = 20  # largest number of pairs that are drawn as bars
DECADES = 6  # decades of a logarithmic colour bar
RADIUS = 1e-3  # a ball with a larger radius gets an error bar
_SHORT = 8  # longest name that is written horizontally, as "$x_{12}$" is
SLANTED: dict[str, Any] = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}
_CAPTION, _LINE = 12, 0.2  # of the measure below a figure: characters per inch, and height of a line
_ABOVE_LEGEND = 24  # points between the axes and a title above a legend
_NARROW = 3.8  # inches up to which the entries of a legend are below each other
PANELS, _WIDE = 12, 12  # largest number of panels in a figure, and largest width of a row in inches


def plotted_number(x: Any) -> float:
    """Convert an index to float for plotting."""
    return to_float(x) if isinstance(x, fmpq) else float(x)


def draw_indices(
    kind: str,
    values: Any,
    ax: Any = None,
    names: Sequence[str] | None = None,
    band: Band | None = None,
    degrees: Sequence[int] | None = None,
    meaning: str = "null",
) -> Any:
    """Draw the indices of one classifier and return the figure.

    Parameters
    ----------
    kind : {"orders", "spectrum", "cumulative", "pairs", "columns", "blocks"}
        What to draw.
    values : object
        A profile, an audit or any other object with ``family(name)``.
    ax : matplotlib.axes.Axes, optional
        Axes to draw into; a new figure is made by default.
    names : sequence of str, optional
        Names of the columns; those of ``values`` by default.
    band : mapping of keys to (low, median, high), optional
        Band to draw behind the bars.
    degrees : sequence of int, optional
        Degrees of the columns, from which the blocks without modes follow.
    meaning : str
        Label of the band in the legend.

    Returns
    -------
    matplotlib.figure.Figure
        The figure of the axes.
    """
    if kind not in PICTURES:
        raise BadParameter("kind", repr(kind), "is unknown", "pass one of " + ", ".join(PICTURES))
    if band is not None and kind == "blocks":
        raise BadParameter(
            "band", "it", "cannot be drawn behind blocks", "use orders, spectrum, pairs or columns"
        )
    mpl = import_matplotlib()
    from .picture import Picture

    labels = _names(values, names)
    with mpl.rc_context(STYLE) if require_axes(ax) is None else nullcontext():
        width, height = _size(kind, values, band)
        if ax is not None:
            width = ax.get_window_extent().width / ax.figure.dpi
        caption = _caption(values, width)
        ax = Picture(width, height + _LINE * len(caption)).subplots() if ax is None else ax
        options: dict[str, Any] = {"degrees": degrees or _degrees(values), "order": _order(values)}
        options = options if kind == "blocks" else {"band": band}
        PICTURES[kind](ax, values, labels, **options)
        if band is not None:
            ax.legend(
                *_legend(palette_of(ax), _fill(meaning, width), kind != "cumulative"),
                loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3 if width > _NARROW else 1, frameon=False,
                handlelength=1.2, columnspacing=1,
            )  # fmt: skip
        ax.set_xlabel("\n".join([*filter(None, [_fill(ax.get_xlabel(), width)]), *caption]))
    return ax.figure


def draw_panels(kind: str, parts: Mapping[str, Any], names: Sequence[str] | None = None) -> Any:
    """Draw one panel for each result under its title, for at most the first twelve."""
    mpl = import_matplotlib()
    from .picture import Picture

    few = list(parts.items())[:PANELS]
    width, height = _size(kind, few[0][1], None)
    height += _LINE * len(_caption(few[0][1], width))
    columns = max(1, min(len(few), int(_WIDE / width)))
    rows = -(-len(few) // columns)
    with mpl.rc_context(STYLE):
        figure = Picture(columns * width, rows * (height + 0.2))
        axes = list(figure.subplots(rows, columns, squeeze=False).flat)
        for axis, (title, values) in zip(axes, few, strict=False):
            draw_indices(kind, values, axis, names)
            axis.set_title(for_matplotlib(title), pad=_ABOVE_LEGEND if axis.get_legend() else None)
        for axis in axes[len(few) :]:
            axis.set_axis_off()
    return figure


def label_columns(names: Sequence[str], d: int) -> list[str]:
    """Return labels of columns for matplotlib: their names, escaped and not too long, or x_1 ... x_d."""
    known = short_names([*map(str, names)], NAME)
    return [for_matplotlib(name) for name in known] or [f"$x_{{{i}}}$" for i in range(1, d + 1)]


def _names(values: Any, names: Sequence[str] | None) -> list[str]:
    d = len(values.family("order")) - 1
    known = names if names is not None else getattr(values, "names", ())
    if names is not None and (isinstance(names, str) or not hasattr(names, "__len__")):
        raise BadParameter("names", repr(names), "is not a list of names", "pass one for each column")
    if names is not None and len(names) != d:
        raise BadParameter("names", f"{len(names)} names", f"do not match {d} columns", "pass one for each")
    if names is not None and len({*map(str, names)}) < d:
        raise BadParameter("names", list(names), "has duplicates", "pass a different name for each column")
    return label_columns(known, d)


def _degrees(values: Any) -> Sequence[int] | None:
    kernel = getattr(getattr(values, "problem", None), "kernel", None)
    return getattr(kernel, "n", None)


def _order(values: Any) -> int | None:
    kernel = getattr(getattr(values, "problem", None), "kernel", None)
    return getattr(kernel, "order", None)


def _caption(values: Any, width: float) -> list[str]:
    """Return lines that state the measure of the indices, unless it is that of the kernel."""
    kernel = getattr(getattr(values, "problem", None), "kernel", None)
    own = getattr(kernel, "own_measures", None) is not None
    known = "" if own else getattr(values, "under_description", "")
    return wrap(f"under {for_matplotlib(known)}", max(10, int(_CAPTION * width))) if known else []


def _fill(text: str, width: float) -> str:
    """Break a text into lines for narrow axes."""
    return text if width > _NARROW else "\n".join(wrap(text, max(10, int(_CAPTION * width))))


def _size(kind: str, values: Any, band: Band | None) -> tuple[float, float]:
    d = len(values.family("order")) - 1
    top = len(values.family("degree")) if getattr(values, "has_degrees", True) else 0
    if kind == "blocks":
        return min(3.2 + 0.16 * top, 8.0), min(1.3 + 0.3 * d, 7.0)
    if kind == "pairs" and band is None:
        return max(3.4, min(2.2 + 0.5 * d, 9.0)), max(2.8, min(1.6 + 0.42 * d, 7.6))
    if kind in ("pairs", "columns"):
        return 5.4, 0.9 + 0.22 * min(len(band or ()) if kind == "pairs" else max(d, 2), BARS)
    return (4.0 if top <= 30 or kind == "orders" else 6.0), 2.6


def _bars(
    axis: Any,
    family: Mapping[_Key, Any],
    band: Band | None,
    best: int | None,
    across: bool = False,
    colour: str = "",
) -> list[float]:
    """Draw one bar for each key in front of the band, with error bars for wide balls, and return the shares.

    ``best`` is the position of a highlighted bar; ``across`` makes the bars horizontal.
    """
    shares, places = [plotted_number(x) for x in family.values()], range(len(family))
    colours = palette_of(axis)
    bar = axis.barh if across else axis.bar
    size, start = ("height", "left") if across else ("width", "bottom")
    if band is not None:
        at = [k for k, key in enumerate(family) if key in band]
        low, median, high = (
            [plotted_number(band[key][e]) for key in family if key in band] for e in range(3)
        )
        spans = [b - a for a, b in zip(low, high, strict=True)]
        bar(at, spans, **{size: 0.92, start: low}, color=colours.band, linewidth=0, label="band", zorder=1)
        for k, middle in zip(at, median, strict=True):
            ends = [middle, middle], [k - 0.46, k + 0.46]
            axis.plot(*(ends if across else reversed(ends)), color=colours.median, lw=1, zorder=1.5)
    radii = [ball_radius(x) for x in family.values()]
    error = {"xerr" if across else "yerr": radii} if max(radii, default=0) > RADIUS else {}
    each = [colours.best if k == best else colour or colours.bar for k in places]
    bar(places, shares, **{size: 0.8 if band is None else 0.5}, color=each, linewidth=0, zorder=2, **error)
    axis.spines[["top", "right"]].set_visible(False)
    return shares


def ball_radius(x: Any) -> float:
    """Return the radius of a ball, and 0 for any other number."""
    return float(x.rad()) if isinstance(x, arb) else 0.0


def _legend(colours: Palette, meaning: str, has_bars: bool) -> tuple[list[Any], list[str]]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    mine: Any = Patch(color=colours.bar) if has_bars else Line2D([], [], color=colours.bar, lw=1.6)
    handles: list[Any] = [mine, Patch(color=colours.band), Line2D([], [], color=colours.median, lw=1)]
    return handles, ["this classifier", for_matplotlib(meaning), "its median"]


def draw_orders(axis: Any, values: Any, names: Sequence[str], band: Band | None = None) -> None:
    """Draw OKC^(q) over q."""
    family = values.family("order")
    shares = _bars(axis, family, band, None)
    if len(shares) <= MAX_LABELS + 1 and band is None:
        for q, x in enumerate(shares):
            axis.annotate(
                format_share(x), (q, x), (0, 2), textcoords="offset points", ha="center", fontsize=8
            )
    _whole(axis.xaxis)
    axis.margins(y=0.1)
    axis.set_xlim(-0.6, len(shares) - 0.4)
    axis.set(xlabel="order $q$: variables that act together", ylabel=r"$\mathrm{OKC}^{(q)}$", ylim=(0, None))


def draw_spectrum(axis: Any, values: Any, names: Sequence[str], band: Band | None = None) -> None:
    """Draw OKC_N over N, with N* highlighted if it is decided."""
    peak = values.summary().peak if hasattr(values, "summary") else None
    best = peak if isinstance(peak, int) else None
    _bars(axis, values.family("degree"), band, best)
    _whole(axis.xaxis)
    if best is not None:
        axis.text(
            0.98,
            0.97,
            f"$N^*={best}$",
            transform=axis.transAxes,
            ha="right",
            va="top",
            color=palette_of(axis).best,
        )
        axis.margins(y=0.12)
    axis.set(xlabel="total degree $N$", ylabel=r"$\mathrm{OKC}_N$", ylim=(0, None))


def format_share(x: float) -> str:
    """Format a share for a label in a figure."""
    return "0" if abs(x) < 5e-11 else "<0.001" if abs(x) < 5e-4 else f"{x:.3f}"


def _whole(axis: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, nbins=12))


def draw_cumulative(axis: Any, values: Any, names: Sequence[str], band: Band | None = None) -> None:
    """Draw F(T) over T, and mark each T_eps that is decided."""
    family = values.family("cumulative")
    F, T = [plotted_number(x) for x in family.values()], list(range(len(family)))
    colours = palette_of(axis)
    if band is not None:
        at = [t for (t,) in family if (t,) in band]
        low, median, high = ([plotted_number(band[t,][e]) for t in at] for e in range(3))
        axis.fill_between(at, low, high, step="post", color=colours.band, linewidth=0, zorder=1)
        axis.step(at, median, where="post", color=colours.median, lw=1, zorder=1.5)
    axis.step(T, F, where="post", color=colours.bar, lw=1.6, zorder=2)
    thresholds = values.summary().threshold if hasattr(values, "summary") else {}
    for eps, line in _LEVELS:
        level, t = 1 - float(eps), thresholds.get(eps)
        axis.axhline(level, color=colours.line, lw=0.6, ls=line, zorder=0)
        if isinstance(t, int):
            axis.plot([t], [F[t]], "o", ms=4, color=colours.best, zorder=3)
    found = [f"$T_{{{eps}}}={t}$" for eps, t in thresholds.items() if isinstance(t, int)]
    place = {"transform": axis.transAxes, "ha": "right", "va": "bottom"}
    axis.text(0.98, 0.04, "\n".join(found), **place, color=colours.best)
    _whole(axis.xaxis)
    axis.set(xlabel="total degree $T$", ylabel="$F(T)$", ylim=(0, 1.04), xlim=(-0.2, len(T) - 0.8))
    axis.spines[["top", "right"]].set_visible(False)


def draw_pairs(axis: Any, values: Any, names: Sequence[str], band: Band | None = None) -> None:
    """Draw OKC_i on the diagonal of a matrix and OKC_ij below it; with a band, the largest ones as bars."""
    alone, together = values.family("marginal"), values.family("pair")
    if band is not None:
        return _ranked(axis, {**alone, **together}, names, band)
    d = len(names)
    matrix = np.full((d, d), np.nan)
    for (i,), x in alone.items():
        matrix[i - 1, i - 1] = abs(plotted_number(x))
    for (i, j), x in together.items():
        matrix[j - 1, i - 1] = abs(plotted_number(x))
    top = max(float(np.nanmax(matrix)), 1e-300)
    image = axis.imshow(matrix, cmap=palette_of(axis).cells, vmin=0, vmax=top)
    if d <= MAX_LABELS:
        for (j, i), x in np.ndenumerate(matrix):
            if not np.isnan(x):
                red, green, blue, _ = image.cmap(image.norm(x))
                shade = "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else "white"
                axis.text(i, j, format_share(x), ha="center", va="center", color=shade, fontsize=7.5)
    small = {"fontsize": 8 if d <= 20 else 6}
    level = max(map(len, names)) <= _SHORT and (d <= MAX_LABELS or names[0].startswith("$x_"))
    slanted = {} if level else SLANTED
    axis.set_xticks(range(d), names, **slanted, **small)
    axis.set_yticks(range(d), names, **small)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    bar = axis.figure.colorbar(image, ax=axis, shrink=0.85, aspect=25, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label(r"$\mathrm{OKC}_i$ (diagonal) and $\mathrm{OKC}_{ij}$")
    held = sum(map(plotted_number, [*alone.values(), *together.values()]))
    if d > 1:  # a single cell already shows its value
        share = format_share(held) if held > 5e-4 else f"{held:.1e}"
        label = f"sum of orders 1 and 2:\n{share}"  # in the corner that is empty
        axis.text(0.99, 0.99, label, transform=axis.transAxes, ha="right", va="top", fontsize=7)


def _ranked(axis: Any, family: Mapping[_Key, Any], names: Sequence[str], band: Band) -> None:
    known = [key for key in family if key in band]
    largest = sorted(known, key=lambda key: -plotted_number(family[key]))[:BARS]
    _bars(axis, {key: family[key] for key in largest}, band, None, across=True)
    axis.set_yticks(range(len(largest)), [" × ".join(names[i - 1] for i in key) for key in largest])
    axis.invert_yaxis()
    some = f"the largest {len(largest)} of {len(known)}: " if len(largest) < len(known) else ""
    axis.set(xlabel=some + r"$\mathrm{OKC}_i$, $\mathrm{OKC}_{ij}$", xlim=(0, None))


def draw_columns(axis: Any, values: Any, names: Sequence[str], band: Band | None = None) -> None:
    """Draw the total index of each column, the largest first; without a band, with OKC_i inside the bar."""
    from matplotlib.patches import Patch

    total, alone = values.family("total"), values.family("marginal")
    largest = sorted(total, key=lambda key: -plotted_number(total[key]))[:BARS]
    family, places, colours = {key: total[key] for key in largest}, range(len(largest)), palette_of(axis)
    shares = _bars(axis, family, band, None, across=True, colour=colours.light if band is None else "")
    axis.set_yticks(places, [names[i - 1] for (i,) in largest])
    axis.tick_params(axis="y", length=0)
    some = f"the largest {len(largest)} of {len(total)}: " if len(largest) < len(total) else ""
    axis.set(xlabel=some + "total index, the share of the modes that use the column")
    axis.set(xlim=(0, None), ylim=(len(largest) - 0.4, -0.6))
    if band is not None:
        return
    own = [plotted_number(alone[key]) for key in largest]
    axis.barh(places, own, height=0.8, color=colours.bar, lw=0, zorder=3)
    for k, x in enumerate(shares):
        label = format_share(x)
        axis.annotate(label, (x, k), (3, 0), textcoords="offset points", va="center", fontsize=7.5)
    axis.set_xlim(0, 1.12 * max(shares))
    axis.legend(
        [Patch(color=colours.bar), Patch(color=colours.light)],
        [r"the column alone: $\mathrm{OKC}_i$", "with others"],
        loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False,
        handlelength=1.2, columnspacing=1,
    )  # fmt: skip


def draw_blocks(
    axis: Any,
    values: Any,
    names: Sequence[str],
    degrees: Sequence[int] | None = None,
    order: int | None = None,
) -> None:
    """Draw OKC_N^(q) as a matrix with rows q and columns N; blocks without modes are grey."""
    from matplotlib.colors import LogNorm
    from matplotlib.patches import Rectangle

    family, colours = values.family("block"), palette_of(axis)
    shape = tuple(max(part) + 1 for part in zip(*family, strict=True))
    cells = np.full(shape, np.nan)
    for key, x in family.items():
        if has_mode(key, degrees, order) if degrees else plotted_number(x):
            cells[key] = abs(plotted_number(x))
            if not cells[key]:
                q, N = key
                axis.add_patch(
                    Rectangle(
                        (N - 0.5, q - 0.5),
                        1,
                        1,
                        facecolor=axis.get_facecolor(),
                        edgecolor=colours.line,
                        hatch="////",
                        lw=0,
                    )
                )
    top = max(float(np.nanmax(cells)), 1e-300)
    image = axis.imshow(
        np.maximum(cells, top * 1e-300), aspect="auto", origin="lower", cmap="viridis",
        interpolation="nearest", norm=LogNorm(top * 10**-DECADES, top),
    )  # fmt: skip
    _whole(axis.xaxis)
    _whole(axis.yaxis)
    axis.set(xlabel="total degree $N$", ylabel="order $q$", facecolor=colours.empty)
    bar = axis.figure.colorbar(image, ax=axis, extend="min", pad=0.02, aspect=20)
    bar.outline.set_visible(False)
    bar.set_label(r"$\mathrm{OKC}_N^{(q)}$")
    grey = "grey: no mode has this order and degree" + "; hatched: 0" * bool((cells == 0).any())
    axis.text(
        0.99, 0.02, grey, transform=axis.transAxes, ha="right", va="bottom", fontsize=7, color=colours.ink
    )


def has_mode(block: _Key, degrees: Sequence[int], order: int | None = None) -> bool:
    """Return whether a mode has order q and degree N: q coordinates with degrees >= 1 and sum N.

    ``order`` is the limit of q, if there is one.
    """
    q, N = block
    largest = sorted((n for n in degrees if n), reverse=True)[:q]
    return len(largest) == q and q <= N <= sum(largest) and (order is None or q <= order)


PICTURES: dict[str, Callable[..., None]] = {
    "orders": draw_orders,
    "spectrum": draw_spectrum,
    "cumulative": draw_cumulative,
    "pairs": draw_pairs,
    "columns": draw_columns,
    "blocks": draw_blocks,
}
