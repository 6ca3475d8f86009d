"""Interface to scikit-learn: a kernel for ``SVC``, an estimator, and the analysis of fitted models.

>>> from sklearn.svm import SVC
>>> X, y = [[-0.9], [-0.2], [0.3], [0.8]], ["no", "yes", "yes", "no"]
>>> svc = SVC(kernel=OrthogonalPolynomialKernel(3), C=10).fit(X, y)
>>> explain(svc).profile.peak  # of the model as fitted, in float64
2
>>> audit(svc, X, y).profile.peak  # of the exact optimum, proved
2
"""

from ..errors import PackageMissing

try:
    import sklearn  # noqa: F401
except ImportError:
    raise PackageMissing("scikit-learn", "orca-exact[sklearn]") from None

from .audit import Audit, Audits, audit
from .estimator import OrcaSVC
from .explain import Explanation, Explanations, explain
from .how_simple import HowSimple, how_simple
from .kernel import OrthogonalPolynomialKernel
from .simplest import Simplest, simplest
from .worth import Limits, Worth

__all__ = [
    "Audit",
    "Audits",
    "Explanation",
    "Explanations",
    "HowSimple",
    "Limits",
    "OrcaSVC",
    "OrthogonalPolynomialKernel",
    "Simplest",
    "Worth",
    "audit",
    "explain",
    "how_simple",
    "simplest",
]
