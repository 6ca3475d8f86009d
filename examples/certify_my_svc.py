"""Certify a fitted scikit-learn SVC: how many digits of it are right, and what its ORCA profile truly is."""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from orca_exact.sklearn import OrthogonalPolynomialKernel, audit

# Any data: two columns matter here through their product, the third is noise.
rng = np.random.default_rng(7)
X = rng.normal(size=(80, 3))
y = np.where(X[:, 0] * X[:, 1] + 0.1 * rng.normal(size=80) > 0, "yes", "no")

# Your model, as you would fit it anyway; only the kernel is ours. It needs columns in [-1, 1].
kernel = OrthogonalPolynomialKernel(n=4, alpha=0, beta=0)
model = make_pipeline(MinMaxScaler((-1, 1)), SVC(kernel=kernel, C=1.0)).fit(X, y)

result = audit(model, X, y)
print(result)

print("\nwhere the classifier lives:")
for (one, other), share in result.pair.items():
    print(f"  {one} and {other} together: {float(share):6.1%}")
peak, (T, F) = result.peak, result.threshold("0.1")
print(f"most of it at total degree {peak}; degrees up to {T} carry {float(F):.1%}")
