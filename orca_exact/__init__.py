"""orca-exact: exact and rigorous verification of ORCA.

``Problem`` says what is to be solved, ``solve`` proposes, ``certify`` proves, ``orca`` reads the proved
classifier, ``path`` does it for every C at once; ``Jacobi`` or another ``Measure`` and ``Kernel`` are what
they stand on, ``QQ`` is the door for numbers. Names are listed in ``__init__.pyi`` and imported when they are
first used: CVXPY and SymPy are slow to load.

>>> import orca_exact
>>> orca_exact.legendre.polynomial(2)
Poly(x**2 - 1/3, x, domain='QQ')
"""

from __future__ import annotations

from lazy_loader import attach_stub

__version__ = "0.2.0"  # here and nowhere else
__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
