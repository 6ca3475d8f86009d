"""The style of all figures, and their files. matplotlib is imported only when something is drawn."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BadParameter, PackageMissing
from ..files.formats import write

STYLE = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "axes.linewidth": 0.6,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "font.family": "STIXGeneral",
    "svg.hashsalt": "orca-exact",
    "mathtext.fontset": "stix",
}


class Palette(NamedTuple):
    """Colours of a figure: two kinds of bars, a highlight, a band and its median, lines, and marks."""

    bar: str
    light: str
    best: str
    band: str
    median: str
    line: str
    ink: str
    empty: str  # of cells in which nothing can be
    cells: str  # the colour map of shares, from the colour of the background


ON_LIGHT = Palette("#5e3c99", "#b2abd2", "#e66101", "0.83", "0.45", "0.6", "0.25", "0.93", "Purples")
ON_DARK = Palette("#b39ddb", "#6b5b95", "#fdae61", "0.32", "0.7", "0.5", "0.85", "0.2", "Purples_r")
FIGURE_FORMATS = ("svg", "png", "pdf")


def import_matplotlib() -> Any:
    """Import matplotlib; raise PackageMissing if it is not installed."""
    try:
        import matplotlib
    except ImportError:
        raise PackageMissing("matplotlib", "orca-exact[plots]") from None
    return matplotlib


def palette_of(axis: Any) -> Palette:
    """Return colours that can be seen on the background: those for a dark one if the labels are bright.

    ``plt.style.context("dark_background")`` makes such axes.
    """
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(axis.xaxis.label.get_color())
    return ON_DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else ON_LIGHT


def require_axes(ax: Any) -> Any:
    """Return ``ax`` if it is None or a matplotlib Axes; raise BadParameter otherwise."""
    if ax is None or (hasattr(ax, "figure") and hasattr(ax, "transAxes")):
        return ax
    rule = f"is of type {type(ax).__name__}, not a matplotlib Axes"
    raise BadParameter("ax", repr(ax), rule, "pass figure.subplots(), or one of several axes")


def import_pyplot() -> Any:
    """Return matplotlib.pyplot with a backend that opens no window."""
    import_matplotlib().use("Agg")
    import matplotlib.pyplot as plt

    return plt


def figure_format(file: str | Path) -> str:
    """Return the format of a figure file from its suffix: svg, png or pdf."""
    kind = Path(file).suffix.removeprefix(".").lower()
    if kind not in FIGURE_FORMATS:
        hint = "use one of the suffixes ." + ", .".join(FIGURE_FORMATS)
        raise BadParameter("figure", str(file), "does not have the suffix of a figure format", hint)
    return kind


def render_figure(figure: Any, kind: str) -> bytes:
    """Return the bytes of a figure file; equal figures give equal bytes."""
    out = BytesIO()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}
    with import_matplotlib().rc_context(STYLE):
        if kind == "svg":
            _fix_layout(figure)
        figure.savefig(out, format=kind, metadata=undated[kind])
    return out.getvalue()


def _fix_layout(figure: Any) -> None:
    """Run the layout engine of a figure as for an SVG file, and remove it.

    ``savefig`` would draw a figure that has one twice, the first time only for the layout.
    """
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    if (engine := figure.get_layout_engine()) is not None:
        canvas, dpi = figure.canvas, figure.dpi
        FigureCanvasSVG(figure)
        figure.dpi = FigureCanvasSVG.fixed_dpi
        engine.execute(figure)
        figure.set_canvas(canvas)
        figure.dpi = dpi
        figure.set_layout_engine(None)


def save_figure(figure: Any, file: str | Path) -> None:
    """Write a figure to a file whose suffix names the format; equal figures give equal bytes."""
    write(file, render_figure(figure, figure_format(file)))
