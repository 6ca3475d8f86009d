"""Figures of results, drawn with matplotlib.

``draw_indices`` draws any object with indices, ``draw_path`` a path, ``draw_shapes`` functions of one or two
columns, ``draw_waterfall`` what the columns add to one value; ``save_figure`` writes reproducible
files. The colours can be distinguished by colour-blind readers and in greyscale. If ``ax`` is given, it is
drawn into; no window is opened, and the global state of matplotlib does not change.
"""

from .over_c import draw_path
from .shapes import draw_shapes, draw_waterfall
from .shares import PICTURES, draw_indices, draw_panels, label_columns
from .style import FIGURE_FORMATS, STYLE, figure_format, import_matplotlib, import_pyplot, save_figure

__all__ = [
    "FIGURE_FORMATS",
    "PICTURES",
    "STYLE",
    "draw_indices",
    "draw_panels",
    "draw_path",
    "draw_shapes",
    "draw_waterfall",
    "figure_format",
    "import_matplotlib",
    "import_pyplot",
    "label_columns",
    "save_figure",
]  # fmt: skip
