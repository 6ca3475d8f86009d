"""Every kind of figure once, on well-known data sets.

python examples/gallery.py [FOLDER]
"""

import sys
from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

from orca_exact import RBF, OrthogonalPolynomials, Problem, certify, orca, path
from orca_exact.plots import save_figure
from orca_exact.sklearn import OrcaSVC, OrthogonalPolynomialKernel, audit, explain

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "gallery")
folder.mkdir(exist_ok=True)


def keep(figure, name):
    save_figure(figure, folder / f"{name}.svg")
    print(folder / f"{name}.svg")


# Iris: two overlapping species, certified. Then all three pairs of species, as fitted.
iris = load_iris(as_frame=True)
species = iris.target_names[iris.target]
some = species != "setosa"
model = OrcaSVC(n=3, order=None).fit(iris.data[some], species[some])
certified = audit(model, iris.data[some], species[some])
keep(certified.plot("orders"), "iris-orders")
keep(certified.plot("blocks"), "iris-blocks")
keep(explain(OrcaSVC(n=3).fit(iris.data, species)).plot("spectrum"), "iris-spectrum")

# All values of C at once: the orders of the classifier as the regularisation decreases.
keep(path(certified.problem.replace(n=1), "0.05", 2).plot(steps=False), "iris-path")

# Wine: thirteen measurements and their pairs, for an SVC in a pipeline. The kernel has the factor 2^-13.
wine = load_wine(as_frame=True)
kernel = OrthogonalPolynomialKernel(n=1, order=2)
model = make_pipeline(MinMaxScaler((-1, 1)), SVC(kernel=kernel, C=100))
keep(explain(model.fit(wine.data, wine.target == 0)).plot("pairs"), "wine-pairs")

# Breast cancer: thirty measurements, cumulated by total degree.
cancer = load_breast_cancer(as_frame=True)
model = OrcaSVC(n=3).fit(cancer.data, cancer.target_names[cancer.target])
keep(explain(model).plot("cumulative"), "cancer-cumulative")

# Breast cancer, pairs only: the total index of each column, for a kernel of order 2, certified.
kernel = OrthogonalPolynomials(2, order=2)
signs = [1 if label else -1 for label in cancer.target]
problem = Problem(cancer.data, signs, kernel=kernel, C=10**6, rescale=True)
keep(orca(problem, certify(problem, level="float"), "verified").plot("columns"), "cancer-columns")

# Wine, shapes: what the leading pairs of columns add to h, for a kernel of order 2; the dots are the data.
signs = [1 if label == 1 else -1 for label in wine.target]
problem = Problem(wine.data, signs, kernel=OrthogonalPolynomials(2, order=2), C=1000, rescale=True)
keep(orca(problem, certify(problem, level="float"), "verified").plot("shapes"), "wine-shapes")

# Breast cancer, shapes: what the leading columns add to h for an RBF kernel, in the data's own units.
scaler = StandardScaler().set_output(transform="pandas").fit(cancer.data)
signs = [1 if label else -1 for label in cancer.target]
problem = Problem(scaler.transform(cancer.data), signs, kernel=RBF("1/30"), C=1)
certificate = certify(problem, level="float")
profile = orca(problem, certificate, "float")
keep(profile.plot("shapes", units=scaler), "cancer-shapes")

# Breast cancer, one row: what each column adds to the decision value of the first row.
row = profile.attributions(problem.points[0], bias=certificate.bias())
keep(row.plot(units=scaler), "cancer-row")
