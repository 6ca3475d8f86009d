"""Is it signal? Statistics on certified indices: nulls, resamples, noise, sweeps, overfitting.

Each function returns a ``Study`` (``plot``, ``to_frame``, ``to_json``). Studies are statistical statements:
they never become HOLDS or FAILS.
"""

from .bootstrap import bootstrap
from .null import equal_modes, null
from .study import Study

__all__ = ["Study", "bootstrap", "equal_modes", "null"]
