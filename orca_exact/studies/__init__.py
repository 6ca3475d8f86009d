"""Statistics on certified indices: permutation tests, resampling, noise, parameter sweeps and overfitting.

Each function returns a ``Study`` (``plot``, ``to_frame``, ``to_json``). A study makes a statistical
statement; it never yields a verdict such as HOLDS or FAILS.
"""

from .bootstrap import bootstrap
from .noise import noise
from .null import equal_modes, null
from .overfit import overfit
from .study import Studies, Study
from .sweep import sweep

__all__ = ["Studies", "Study", "bootstrap", "equal_modes", "noise", "null", "overfit", "sweep"]

STUDIES = {study.__name__: study for study in (null, bootstrap, noise, sweep, overfit)}


def study_kinds() -> list[str]:
    """Return the names that a study file may have as its kind."""
    return list(STUDIES)
