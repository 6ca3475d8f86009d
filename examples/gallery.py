"""Every kind of figure once, on well-known data sets.

python examples/gallery.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_swiss_roll
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

from orca_exact import RBF, Jacobi, OrthogonalPolynomials, Problem, certify, orca, path
from orca_exact.plots import STYLE, import_matplotlib, import_pyplot, save_figure
from orca_exact.sklearn import OrcaSVC, OrthogonalPolynomialKernel, audit, explain

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "gallery")
folder.mkdir(exist_ok=True)


def keep(figure, name):
    save_figure(figure, folder / f"{name}.svg")
    print(folder / f"{name}.svg")


# Iris: two overlapping species, certified, with all orders; then all three pairs of species, of order 2.
# The first picture says how many columns act together: no order dominates, so this classifier is not a sum of
# curves. The second divides each order by total degree; grey cells have no mode. The third has one panel for
# each pair of species: a tall first bar would be a nearly linear classifier, and N* is the largest bar.
iris = load_iris(as_frame=True)
species = iris.target_names[iris.target]
some = species != "setosa"
model = OrcaSVC(n=3, order=None).fit(iris.data[some], species[some])
certified = audit(model, iris.data[some], species[some])
keep(certified.plot("orders"), "iris-orders")
keep(certified.plot("blocks"), "iris-blocks")
keep(explain(OrcaSVC(n=3).fit(iris.data, species)).plot("spectrum"), "iris-spectrum")

# All values of C at once: the orders of the classifier as the regularisation decreases.
# Read it from left (strong regularisation) to right. A band that stays as wide over a wide range of C is a
# property of the data and the kernel; one that changes is a choice of C. The marks on top are breakpoints,
# between which the classifier is an explicit function of C. Below: how many points determine it.
keep(path(certified.problem.replace(n=1), "0.05", 2).plot(steps=False), "iris-path")

# Wine: thirteen measurements and their pairs, for an SVC in a pipeline. The kernel has the factor 2^-13.
# The diagonal is what a column does alone, a cell below it what two columns do together and neither does
# alone. Here proline matters most, alone and together with magnesium and color_intensity; most pairs do
# nothing.
wine = load_wine(as_frame=True)
kernel = OrthogonalPolynomialKernel(n=1, order=2)
model = make_pipeline(MinMaxScaler((-1, 1)), SVC(kernel=kernel, C=100))
keep(explain(model.fit(wine.data, wine.target == 0)).plot("pairs"), "wine-pairs")

# Breast cancer: thirty measurements, cumulated by total degree.
# The curve is the share of all degrees up to T. The dots are the degrees that are needed for 90, 95 and 99 %
# of the norm. Two columns of degree 3 at most have degree 6 together, and this classifier uses all of it.
cancer = load_breast_cancer(as_frame=True)
model = OrcaSVC(n=3).fit(cancer.data, cancer.target_names[cancer.target])
keep(explain(model).plot("cumulative"), "cancer-cumulative")

# Breast cancer, pairs only: the total index of each column, for a kernel of order 2, certified.
# Dark is what a column does alone, light what it does together with another one. With this large C almost all
# is interaction, a sign that the model follows single rows: compare the cross-validated accuracy before you
# read it.
kernel = OrthogonalPolynomials(2, order=2)
signs = [1 if label else -1 for label in cancer.target]
problem = Problem(cancer.data, signs, kernel=kernel, C=10**6, rescale=True)
keep(orca(problem, certify(problem, level="float"), "verified").plot("columns"), "cancer-columns")

# Wine, shapes: what the leading pairs of columns add to h, for a kernel of order 2; the dots are the data.
# Orange speaks for the class and purple against it. Look at the colours where there are dots; elsewhere the
# model extrapolates. The titles state the share of each part, the last line that of all parts shown.
signs = [1 if label == 1 else -1 for label in wine.target]
problem = Problem(wine.data, signs, kernel=OrthogonalPolynomials(2, order=2), C=1000, rescale=True)
keep(orca(problem, certify(problem, level="float"), "verified").plot("shapes"), "wine-shapes")

# Breast cancer, shapes: what the leading columns add to h for an RBF kernel, in the data's own units.
# A falling curve means that larger values speak against the class +1 (benign). The marks at the bottom are
# the data: where there are few, the curve says little. The six shapes have less than half of the variance, so
# they are not the whole model.
scaler = StandardScaler().set_output(transform="pandas").fit(cancer.data)
signs = [1 if label else -1 for label in cancer.target]
problem = Problem(scaler.transform(cancer.data), signs, kernel=RBF("1/30"), C=1)
certificate = certify(problem, level="float")
profile = orca(problem, certificate, "float")
keep(profile.plot("shapes", units=scaler), "cancer-shapes")

# Breast cancer, one row: what each column adds to the decision value of the first row.
# Start at the mean of g, the dotted line, and add the bars from top to bottom: the end is g of this row. Bars
# to the left speak for malignant. They describe the model; they do not say what would happen if a value
# changed.
row = profile.attributions(problem.points[0], bias=certificate.bias())
keep(row.plot(units=scaler), "cancer-row")

# A model that is not worth reading: five columns of the wine data, and the same with labels in random order.
# Both pictures look reasonable, and the second means nothing: its model predicts no better than a constant
# answer. A picture of indices never shows this; print the explanation first.
columns = wine.data[["alcohol", "color_intensity", "hue", "proline", "ash"]]
model = make_pipeline(StandardScaler(), SVC()).fit(columns, wine.target == 1)
keep(explain(model, columns).plot("columns"), "wine-columns")
shuffled = np.random.default_rng(2).permutation(wine.target == 1)
keep(explain(model.fit(columns, shuffled), columns).plot("columns"), "wine-shuffled")

# Two models of one table: light and dark stripes on a rolled sheet, by RBF and by a model of order 2.
# The colour is the answer in the plane through the middle of the third column, the dots are the data. Both
# models follow the stripes. They differ most where there are few dots, at the upper edge for instance.
points, where = make_swiss_roll(500, noise=0.5, random_state=0)
roll = pd.DataFrame(points, columns=["east", "along", "north"])
stripes = np.where(where % 4 < 2, "light", "dark")
rbf = make_pipeline(StandardScaler(), SVC(C=10)).fit(roll, stripes)
pairs = OrcaSVC(n=3, order=2, C=10).fit(roll, stripes)
with import_matplotlib().rc_context(STYLE):
    figure, axes = import_pyplot().subplots(1, 2, figsize=(6.4, 3), sharey=True, layout="constrained")
    x, z = np.meshgrid(*(np.linspace(roll[name].min(), roll[name].max(), 160) for name in ("east", "north")))
    plane = pd.DataFrame({"east": x.ravel(), "along": roll.along.median(), "north": z.ravel()})
    for ax, name, model in zip(axes, ("RBF", "order 2, n = 3"), (rbf, pairs), strict=True):
        answer = model.decision_function(plane).reshape(x.shape)  # positive for light
        ax.contourf(x, z, answer, levels=[-np.inf, 0, np.inf], colors=["#b2abd2", "#fdd0a2"])
        for label, colour in (("dark", "#5e3c99"), ("light", "#e66101")):
            ax.scatter(*roll[stripes == label][["east", "north"]].T.values, s=4, c=colour, label=label)
        ax.set(title=name, xlabel="east")
    axes[0].set_ylabel("north")
    axes[0].legend(loc="upper left")
    keep(figure, "roll-models")

# A model without a rest: every part of the model of order 2 of the rolled sheet, each with its share.
# Three curves and three surfaces, and a constant: these six pictures are the whole classifier. Orange speaks
# for light and purple for dark. Read a surface where there are dots. Most of what the model does is in the
# first two pictures, and the column along, which says nothing about the stripes, has almost no part in it.
keep(audit(pairs, roll, stripes).plot("shapes"), "roll-shapes")

# Which order, which n: accuracy for new rows of all thirteen columns of the wine data, in five folds.
# The order decides, not the degree: models of order 1 and of order 2 are good for every n and hardly differ,
# so the simpler one is enough. The kernel of all orders has so many modes that from n = 3 on it learns
# nothing from 178 rows. A bar is one standard error.
folds = StratifiedKFold(5, shuffle=True, random_state=1)
with import_matplotlib().rc_context(STYLE):
    figure, ax = import_pyplot().subplots(figsize=(5, 3), layout="constrained")
    for order, colour in ((1, "#e66101"), (2, "#5e3c99"), (None, "0.5")):
        scores = [cross_val_score(OrcaSVC(n, order), wine.data, wine.target, cv=folds) for n in range(1, 6)]
        means, errors = np.mean(scores, 1), np.std(scores, 1, ddof=1) / 5**0.5
        ax.errorbar(
            range(1, 6),
            means,
            errors,
            color=colour,
            marker="o",
            ms=3,
            label=f"order {order}" if order else "all orders",
        )
    ax.axhline((wine.target == 1).mean(), color="0.5", ls=":", label="a constant answer")
    ax.set(xlabel="n", ylabel="accuracy for new rows", ylim=(0, 1.05), xticks=range(1, 6))
    ax.legend(loc="lower left", ncols=2)
    keep(figure, "wine-orders")

# Polynomials and their kernel: p_0 to p_4 of the weight sqrt(1 - x), and K_n(x, 1/3) for three values of n.
# Left: p_k has k zeros. It is larger on the right, where the weight is small. Right: the larger n is, the
# higher and narrower the kernel is at 1/3. An SVM with a large n can therefore treat neighbours differently.
jacobi, x = Jacobi("1/2", 0), np.linspace(-1, 1, 400)
with import_matplotlib().rc_context(STYLE):
    figure, (left, right) = import_pyplot().subplots(1, 2, figsize=(6.4, 2.8), layout="constrained")
    for k, values in enumerate(jacobi.values(4, x)):
        left.plot(x, values, color=str(0.75 - 0.18 * k), label=f"$p_{k}$")
    for n, colour in ((2, "0.7"), (5, "#b2abd2"), (10, "#5e3c99")):
        right.plot(x, jacobi.values(n, x).T @ jacobi.values(n, [1 / 3]), color=colour, label=f"n = {n}")
    left.set(title="orthonormal polynomials", xlabel="x")
    right.set(title="$K_n(x, 1/3)$", xlabel="x")
    left.legend(loc="upper center", ncols=3)
    right.legend(loc="upper left")
    keep(figure, "polynomials")
