"""Certify a fitted scikit-learn SVC: its correct digits, and the ORCA profile of the true optimum."""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from orca_exact.sklearn import OrthogonalPolynomialKernel, audit

# Example data: the label depends on the product of two columns, the third column is noise.
rng = np.random.default_rng(7)
X = rng.normal(size=(80, 3))
y = np.where(X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=80) > 0, "yes", "no")

# An ordinary pipeline with the kernel of orca-exact, which needs columns in [-1, 1].
kernel = OrthogonalPolynomialKernel(n=4, alpha=0, beta=0)
model = make_pipeline(MinMaxScaler((-1, 1)), SVC(kernel=kernel, C=1.0)).fit(X, y)

result = audit(model, X, y)
print(result)

print("\nshares of the pairs of columns:")
for (one, other), share in result.pair.items():
    print(f"  {one} and {other} together: {float(share):6.1%}")
peak, (T, F) = result.peak, result.threshold("0.1")
print(f"The largest share has total degree {peak}; degrees up to {T} have {float(F):.1%} together.")
