"""One style, and how a figure becomes a file. matplotlib is imported where something is drawn."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

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
FIGURE_KINDS = ("svg", "png", "pdf")


def matplotlib() -> Any:
    """The package, or what to install."""
    try:
        import matplotlib
    except ImportError:
        raise PackageMissing("matplotlib", "'orca-exact[plots]'") from None
    return matplotlib


def require_axes(ax: Any) -> Any:
    """One of matplotlib's axes, or None."""
    if ax is None or (hasattr(ax, "figure") and hasattr(ax, "transAxes")):
        return ax
    rule = f"is {type(ax).__name__}, not one of matplotlib's axes"
    raise BadParameter("ax", repr(ax), rule, "take figure.subplots(), one of them where these are several")


def pyplot() -> Any:
    """matplotlib's, without a window."""
    matplotlib().use("Agg")
    import matplotlib.pyplot as plt

    return plt


def figure_kind(file: str | Path) -> str:
    """svg, png or pdf, by the end of its name."""
    kind = Path(file).suffix.removeprefix(".").lower()
    if kind not in FIGURE_KINDS:
        raise BadParameter(
            "figure", str(file), "has no kind that is drawn", "end it in ." + ", .".join(FIGURE_KINDS)
        )
    return kind


def render_figure(figure: Any, kind: str) -> bytes:
    """A figure as a file of this kind, the same bytes each time."""
    out = BytesIO()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}
    with matplotlib().rc_context(STYLE):
        figure.savefig(out, format=kind, metadata=undated[kind])
    return out.getvalue()


def save_figure(figure: Any, file: str | Path) -> None:
    """Write a figure, the same bytes each time."""
    write(file, render_figure(figure, figure_kind(file)))
