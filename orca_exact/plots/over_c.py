"""Figure of a path: orders, N* and T_eps, and the number of support vectors over C."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from textwrap import wrap
from typing import Any

from flint import arb

from ..errors import BadParameter
from ..files.escaping import for_matplotlib
from ..numbers.rationals import to_float
from .style import STYLE, import_matplotlib, palette_of, require_axes

_EPSILONS = (("0.1", ":"), ("0.05", "--"), ("0.01", "-."))
POINTS, _MOST = 12, 240  # points on each segment, and at most on all segments
VISIBLE = 5e-4  # a smaller share is left out of the legend
_NARROW = 1.000001  # smallest ratio of the ends of an interval of C that can be drawn
_CHARACTERS = 80  # in a line below the figure
EXTENSION = 4.0  # factor of C by which an unbounded segment extends beyond its breakpoint


def sample_C(breakpoints: Sequence[float], low: float, high: float) -> list[list[float]]:
    """Return points of C for each segment, equidistant in log C; an open end is 0 or inf."""
    inner = [x for x in breakpoints if low < x < high]
    first = low or (inner[0] if inner else min(high, 1.0)) / EXTENSION
    last = high if high < float("inf") else (inner[-1] if inner else max(low, 1.0)) * EXTENSION
    if not 0 < first * _NARROW < last < float("inf"):
        rule = "is too narrow to be drawn"
        raise BadParameter("figure", f"C from {low:g} to {high:g}", rule, "use a wider interval")
    found, points = [], max(1, min(POINTS, _MOST // (len(inner) + 1)))
    for left, right in pairwise([first, *inner, last]):
        ratio = right / left
        found.append([left * ratio ** (k / points) for k in range(points + 1)])
    return found


def draw_path(path: Any, steps: bool = True, ax: Any = None) -> Any:
    """Draw a path over C: the orders stacked, N* and T_eps as steps, and the support vectors.

    Breakpoints are marked at the top.

    Parameters
    ----------
    path : Path
        The path.
    steps : bool
        Whether to draw N* and T_eps, which need the indices of every degree.
    ax : matplotlib.axes.Axes, optional
        Axes for the orders only; a new figure with all panels is made by default.

    Returns
    -------
    matplotlib.figure.Figure
        The figure of the axes.
    """
    mpl, ax = import_matplotlib(), require_axes(ax)
    low = to_float(path.C_from)
    high = float("inf") if path.C_to is None else to_float(path.C_to)
    ends = [float(arb(path.C(segment.upper))) for segment in path.segments[:-1]]
    pieces = sample_C(ends, low, high)
    first, last = pieces[0][0], pieces[-1][-1]
    if ax is not None:
        _orders(mpl.colormaps["viridis_r"], ax, path, pieces)
        ax.set(xscale="log", xlim=(first, last), xlabel=_axis_label(path))
        return ax.figure
    from matplotlib.ticker import MaxNLocator

    from .picture import Picture

    with mpl.rc_context(STYLE):
        heights = [3.2, 1.6, 1.2] if steps else [3.2, 1.2]
        figure = Picture(6.6, sum(heights) + 0.5)
        axes = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
        axes[-1].set(
            xscale="log", xlim=(first, last), xlabel=_axis_label(path)
        )  # before the ticks of the rug
        _orders(mpl.colormaps["viridis_r"], axes[0], path, pieces)
        rug = axes[0].secondary_xaxis("top")
        rug.set_xticks(ends, [""] * len(ends))
        rug.minorticks_off()
        rug.tick_params(length=5, width=0.5)
        if steps:
            _steps(axes[1], path, first, last)
        _counts(axes[-1], path, [first, *ends, last])
        for axis in axes[1:]:
            axis.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4, min_n_ticks=2))
            axis.spines[["top", "right"]].set_visible(False)
            axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    return figure


def _axis_label(path: Any) -> str:
    """Return C, and the measure of the indices if it is not that of the kernel."""
    under = path.under_description
    return "\n".join(["$C$", *wrap(for_matplotlib(f"under {under}") * bool(under), _CHARACTERS)])


def _orders(colours_of: Any, axis: Any, path: Any, pieces: list[list[float]]) -> None:
    d = path.problem.d
    colours = colours_of([(q + 0.5) / (d + 1) for q in range(d + 1)])
    C = [x for piece in pieces for x in piece]
    shares = []
    for q in range(d + 1):
        index, row = path.order(q), []
        for k, piece in enumerate(pieces):
            row += index.float_values(k, piece)
        shares.append(row)
    axis.stackplot(C, shares, colors=colours, linewidth=0, step=None)
    for q in reversed(range(d + 1)):
        if max((x for x in shares[q] if x == x), default=0) > VISIBLE:
            axis.plot([], [], color=colours[q], lw=5, label=rf"$\mathrm{{OKC}}^{{({q})}}$")
    axis.set(ylim=(0, 1), ylabel="orders, stacked")
    if axis.get_legend_handles_labels()[1]:
        axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    else:
        axis.text(0.5, 0.5, "$w=0$: no index is defined", transform=axis.transAxes, ha="center")


def _steps(axis: Any, path: Any, first: float, last: float) -> None:
    lines = [("$N^*$", path.peak(), "-")]
    lines += [(f"$T_{{{eps}}}$", path.threshold(eps), line) for eps, line in _EPSILONS]
    for k, (label, found, line) in enumerate(lines):
        C: list[float] = []
        values: list[float] = []
        for step in found:
            ends = (first if not C else C[-1], last if step.upper is None else float(arb(step.upper)))
            C += ends
            values += [float("nan") if step.value is None else step.value] * 2
        C[-1] = last
        colour = palette_of(axis).best if k == 0 else palette_of(axis).bar
        axis.plot(C, values, ls=line, lw=1.4 if k == 0 else 1, color=colour, label=label)
    axis.set_ylabel("degree")


def _counts(axis: Any, path: Any, ends: list[float]) -> None:
    for name, line, colour in (("free", "-", "#1b9e57"), ("bound", "--", palette_of(axis).median)):
        counts = [len(getattr(segment, name)) for segment in path.segments]
        axis.stairs(counts, ends, baseline=None, ls=line, color=colour, lw=1.2, label=name)
    axis.set(ylim=(0, None), ylabel="points")
