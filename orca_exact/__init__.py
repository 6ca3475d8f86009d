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

__version__ = "0.2.0"  # here and nowhere else

_HOME = {
    "Jacobi": "measures.jacobi", "legendre": "measures.jacobi", "chebyshev1": "measures.jacobi",
    "chebyshev2": "measures.jacobi", "gegenbauer": "measures.jacobi", "Measure": "measures.measure",
    "Hermite": "measures.families", "Laguerre": "measures.families", "Discrete": "measures.families",
    "Problem": "problem", "Kernel": "kernels.orthogonal", "solve": "svm.certify",
    "Solution": "svm.certificate", "certify": "svm.certify", "Certificate": "svm.certificate",
    "orca": "profile.profile", "Profile": "profile.profile", "path": "paths.path",
    "Path": "paths.path", "QQ": "numbers.rationals",
}  # fmt: skip
__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:
    from .kernels.orthogonal import Kernel as Kernel
    from .measures.families import Discrete as Discrete
    from .measures.families import Hermite as Hermite
    from .measures.families import Laguerre as Laguerre
    from .measures.jacobi import Jacobi as Jacobi
    from .measures.jacobi import chebyshev1 as chebyshev1
    from .measures.jacobi import chebyshev2 as chebyshev2
    from .measures.jacobi import gegenbauer as gegenbauer
    from .measures.jacobi import legendre as legendre
    from .measures.measure import Measure as Measure
    from .numbers.rationals import QQ as QQ
    from .paths.path import Path as Path
    from .paths.path import path as path
    from .problem import Problem as Problem
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
