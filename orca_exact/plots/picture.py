"""A figure that a notebook shows as the value of its cell; imported when something is drawn."""

from __future__ import annotations

from matplotlib.figure import Figure

from .style import render_figure


class Picture(Figure):
    """matplotlib's figure, in inches, known to no pyplot."""

    def __init__(self, width: float, height: float):
        super().__init__(figsize=(width, height), layout="constrained")

    def _repr_svg_(self) -> str:
        return render_figure(self, "svg").decode()
