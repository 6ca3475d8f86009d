"""Pictures of results: plain values in, matplotlib's figure out.

``draw`` draws whatever has the indices, ``along_C`` a path; ``save`` writes the same bytes each time. Colours
are told apart by the colour-blind and in greyscale. An ``ax`` that is given is drawn into; nothing is shown,
and nothing of matplotlib's state is changed.
"""

from .over_c import along_C
from .shares import PICTURES, draw, panels
from .style import KINDS, STYLE, kind_of, matplotlib, pyplot, save

__all__ = [
    "KINDS", "PICTURES", "STYLE", "along_C", "draw", "kind_of", "matplotlib", "panels", "pyplot", "save",
]  # fmt: skip
