from .kernels.kernel import Kernel as Kernel
from .kernels.orthogonal import OrthogonalPolynomials as OrthogonalPolynomials
from .kernels.polynomial import Linear as Linear
from .kernels.polynomial import Polynomial as Polynomial
from .kernels.rbf import RBF as RBF
from .measures.christoffel_darboux import christoffel_darboux as christoffel_darboux
from .measures.families import Discrete as Discrete
from .measures.families import Hermite as Hermite
from .measures.families import Laguerre as Laguerre
from .measures.jacobi import Jacobi as Jacobi
from .measures.jacobi import chebyshev1 as chebyshev1
from .measures.jacobi import chebyshev2 as chebyshev2
from .measures.jacobi import gegenbauer as gegenbauer
from .measures.jacobi import legendre as legendre
from .measures.measure import Measure as Measure
from .measures.probability import Empirical as Empirical
from .measures.probability import Normal as Normal
from .measures.probability import Uniform as Uniform
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

__version__: str
__author__: str
