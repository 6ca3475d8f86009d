"""Pictures of results: plain values in, matplotlib's figure out.

``draw_indices`` draws whatever has the indices, ``draw_path`` a path; ``save_figure`` writes the same bytes
each time. Colours are told apart by the colour-blind and in greyscale. An ``ax`` that is given is drawn into;
nothing is shown, and nothing of matplotlib's state is changed.
"""

from .over_c import draw_path
from .shares import PICTURES, draw_indices, draw_panels
from .style import FIGURE_KINDS, STYLE, figure_kind, matplotlib, pyplot, save_figure

__all__ = [
    "FIGURE_KINDS",
    "PICTURES",
    "STYLE",
    "draw_indices",
    "draw_panels",
    "draw_path",
    "figure_kind",
    "matplotlib",
    "pyplot",
    "save_figure",
]  # fmt: skip
