"""Three classes, balanced weights and a grid search: explain the model, then certify each pair of classes."""

from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from orca_exact.sklearn import OrcaSVC, audit, explain

iris = load_iris(as_frame=False)
X, y = iris.data[::2], iris.target_names[iris.target[::2]]

# OrcaSVC scales the columns to [-1, 1]; a pipeline of a scaler and an SVC with the kernel would do as well.
# With order 1 it is an additive model, with order 2 it has interactions of two columns.
grid = {"n": [1, 2, 3], "order": [1, 2], "C": [1, 10]}
search = GridSearchCV(OrcaSVC(class_weight="balanced"), grid, cv=3).fit(X, y)
print("chosen:", search.best_params_)

print("\n", explain(search), sep="")  # the model as fitted, in milliseconds and without proof

result = audit(search, X, y, verbose=0)  # the certified optimum of each pair of classes
print("\n", result, sep="")

pair = result["versicolor", "virginica"]
print("\nversicolor against virginica, total index of each column and its share without the others:")
both = zip(pair.profile.total.values(), pair.profile.marginal.values(), strict=True)
for name, (total, alone) in zip(iris.feature_names, both, strict=True):
    print(f"  {name}: {float(total):6.1%} {float(alone):6.1%}")

try:  # data that are not those of the fit are detected
    audit(search, X[::-1], y)
except ValueError as error:
    print("\nwith the rows in another order:", error)
