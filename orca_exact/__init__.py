"""orca-exact: exact and rigorous verification of ORCA.

``Problem`` says what is to be solved, ``solve`` proposes, ``certify`` proves, ``orca`` reads the proved
classifier, ``path`` does it for every C at once; ``Jacobi`` or another ``Measure`` and ``Kernel`` are what
they stand on, ``QQ`` is the door for numbers. Names are imported when they are first used: CVXPY and SymPy
are slow to load.

>>> import orca_exact
>>> orca_exact.legendre.polynomial(2)
Poly(x**2 - 1/3, x, domain='QQ')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"  # here and nowhere else

_HOME = {
    "Jacobi": "jacobi", "legendre": "jacobi", "chebyshev1": "jacobi", "chebyshev2": "jacobi",
    "gegenbauer": "jacobi", "Measure": "measure", "Hermite": "families", "Laguerre": "families",
    "Discrete": "families", "Problem": "problem", "Kernel": "kernel", "solve": "svm.certify",
    "Solution": "svm.certificate", "certify": "svm.certify", "Certificate": "svm.certificate",
    "orca": "profile.profile", "Profile": "profile.profile", "path": "profile.path",
    "Path": "profile.path", "QQ": "number",
}  # fmt: skip
__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from .families import Discrete as Discrete
    from .families import Hermite as Hermite
    from .families import Laguerre as Laguerre
    from .jacobi import Jacobi as Jacobi
    from .jacobi import chebyshev1 as chebyshev1
    from .jacobi import chebyshev2 as chebyshev2
    from .jacobi import gegenbauer as gegenbauer
    from .jacobi import legendre as legendre
    from .kernel import Kernel as Kernel
    from .measure import Measure as Measure
    from .number import QQ as QQ
    from .problem import Problem as Problem
    from .profile.path import Path as Path
    from .profile.path import path as path
    from .profile.profile import Profile as Profile
    from .profile.profile import orca as orca
    from .svm.certificate import Certificate as Certificate
    from .svm.certificate import Solution as Solution
    from .svm.certify import certify as certify
    from .svm.certify import solve as solve


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'orca_exact' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
