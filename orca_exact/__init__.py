"""orca-exact: exact and rigorous verification of ORCA.

A ``Problem`` is solved by ``solve``; ``certify`` proves that a solution is optimal, ``orca`` computes the
indices of the classifier, and ``path`` does so for all C. ``Jacobi`` and the other classes of ``Measure``
define the ``Kernel``, and ``QQ`` converts numbers to exact rationals. Names are listed in ``__init__.pyi``
and imported on first use, because CVXPY and SymPy are slow to load.

>>> import orca_exact
>>> orca_exact.legendre.polynomial(2)
Poly(x**2 - 1/3, x, domain='QQ')
"""

from __future__ import annotations

from lazy_loader import attach_stub

__version__ = "0.2.0"  # the only place with the version number
__author__ = "The orca-exact developers"  # also in pyproject.toml and CITATION.cff; a test compares them
__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
