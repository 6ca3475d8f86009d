"""A figure that a notebook displays as the value of a cell; imported only when something is drawn."""

from __future__ import annotations

from matplotlib.figure import Figure

from .style import render_figure


class Picture(Figure):
    """A matplotlib figure of this size in inches, independent of pyplot."""

    def __init__(self, width: float, height: float):
        super().__init__(figsize=(width, height), layout="constrained")

    def _repr_svg_(self) -> str:
        return render_figure(self, "svg").decode()
