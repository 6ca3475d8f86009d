"""Three classes, balanced weights, a search over the degree: read at once, then proved pair by pair."""

from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from orca_exact.sklearn import OrcaSVC, audit, explain

iris = load_iris(as_frame=False)
X, y = iris.data[::2], iris.target_names[iris.target[::2]]

# OrcaSVC scales the columns to [-1, 1]; an SVC with OrthogonalPolynomialKernel in a pipeline does as well.
search = GridSearchCV(OrcaSVC(class_weight="balanced"), {"n": [1, 2, 3], "C": [1, 10]}, cv=3).fit(X, y)
print("chosen:", search.best_params_)

print("\n", explain(search), sep="")  # the model as fitted: milliseconds, nothing proved

result = audit(search, X, y, verbose=0)  # the optimum of each pair of classes, with a proof
print("\n", result, sep="")

pair = result["versicolor", "virginica"]
print("\nversicolor against virginica, by columns:")
for name, share in zip(iris.feature_names, pair.profile.marginal.values(), strict=True):
    print(f"  {name} alone: {float(share):6.1%}")

try:  # data that are not those of the fit are noticed
    audit(search, X[::-1], y)
except ValueError as error:
    print("\nanother order of rows:", error)
