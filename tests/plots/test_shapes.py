"""Figures of components and waterfalls: what they contain."""

from __future__ import annotations

import numpy as np
import pytest
from command import orca as run
from here import XOR

from orca_exact import RBF, Jacobi, Normal, OrthogonalPolynomials, Polynomial, Problem, certify, orca
from orca_exact.errors import BadParameter, OrcaError, Undecided

pytest.importorskip("matplotlib")
from orca_exact.plots.shapes import format_part

rng = np.random.default_rng(4)
X = np.column_stack([rng.uniform(20, 80, 24), rng.integers(0, 2, 24), rng.uniform(0, 1, 24)]).round(3)
Y = [1 if (row[0] > 50) != (row[1] > 0) else -1 for row in X]
NAMES = ["age", "smoker", "dose in $"]


def profile_of(kernel, arithmetic="float", **more):
    problem = Problem(X, Y, kernel=kernel, C=100, names=NAMES, **more)
    return orca(problem, certify(problem, level="float"), arithmetic)


PAIRS = profile_of(OrthogonalPolynomials(2, order=2), "verified", rescale=True)
RADIAL = profile_of(RBF("0.01"))


def test_a_curve_shows_the_component_in_own_units_with_the_data():
    (axis,) = PAIRS.component(["age"]).plot().axes
    curve = next(line for line in axis.lines if len(line.get_xdata()) == 201)
    low, high = X[:, 0].min(), X[:, 0].max()
    assert curve.get_xdata()[[0, -1]] == pytest.approx([low, high])
    scaled = 2 * (curve.get_xdata() - low) / (high - low) - 1
    expected = PAIRS.component(["age"])(scaled[[0, 50, 200]].clip(-1, 1).tolist())
    assert curve.get_ydata()[[0, 50, 200]] == pytest.approx([float(x) for x in expected], abs=1e-9)
    rug = next(line for line in axis.lines if line.get_marker() == "|")
    assert sorted(rug.get_xdata()) == pytest.approx(sorted(X[:, 0]))
    assert axis.get_xlabel() == "age" and axis.get_title().startswith("age: ")


@pytest.mark.parametrize(
    "problem",
    [
        Problem(X, Y, kernel=Polynomial(2, "1/1000", 1), C=1, rescale=True),
        Problem(X, Y, n=1, measures=Jacobi("1/3", 0), C="1/20", rescale=True),
    ],
    ids=["polynomial", "irrational lambda"],
)
def test_exact_components_are_drawn_in_float64(problem):
    profile = orca(problem, certify(problem, level="exact"), "exact")
    (axis,) = profile.component([1]).plot().axes
    curve = next(line for line in axis.lines if len(line.get_xdata()) == 201)
    expected = [float(x) for x in profile.component([1])([-1, 1])]
    assert curve.get_ydata()[[0, -1]] == pytest.approx(expected, rel=1e-9)


def test_what_float64_cannot_represent_is_refused():
    rows = [[-90, 3], [80, 7], [5, -60], [10, 10]]
    problem = Problem(rows, [1, -1, 1, -1], kernel=RBF(100), C=5, under=Normal(0, "1/2"))
    profile = orca(problem, certify(problem, level="ball", digits=20), "ball", 20)
    with pytest.raises(Undecided, match="beyond the range of float64"):
        profile.component([1]).plot()


def test_few_values_are_points():
    (axis,) = PAIRS.component(["smoker"]).plot().axes
    points = next(line for line in axis.lines if line.get_marker() == "o")
    assert points.get_xdata() == pytest.approx([0, 1])
    assert [tick.get_text() for tick in axis.get_xticklabels()] == ["0", "1"]


def test_a_pair_is_a_heat_map_around_zero():
    axis, bar = PAIRS.component(["age", "dose in $"]).plot().axes
    (mesh,) = axis.collections
    values = mesh.get_array().reshape(61, 61)
    corner = float(PAIRS.component([1, 3])([[-1, -1]])[0])
    assert values[0, 0] == pytest.approx(corner, abs=1e-9)
    assert mesh.norm.vmin == -mesh.norm.vmax == pytest.approx(-abs(values).max(), abs=1e-6)
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("age", r"dose in \$")
    assert bar.get_ylabel() == "adds to $h$"


def test_units_of_a_scaler_are_undone():
    pytest.importorskip("sklearn")
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(X)
    problem = Problem(scaler.transform(X), Y, kernel=RBF("1/2"), C=10, names=NAMES)
    profile = orca(problem, certify(problem, level="float"), "float")
    for units in (scaler, scaler.inverse_transform):
        (axis,) = profile.component(["age"]).plot(units=units).axes
        curve = next(line for line in axis.lines if len(line.get_xdata()) == 201)
        assert curve.get_xdata()[[0, -1]] == pytest.approx([X[:, 0].min(), X[:, 0].max()])
    with pytest.raises(BadParameter, match="mix several columns"):
        profile.component(["age"]).plot(units=PCA(3).fit(X))
    with pytest.raises(BadParameter, match="are not monotone in a column"):
        profile.component(["age"]).plot(units=np.square)
    with pytest.raises(BadParameter, match="cannot be called"):
        profile.component(["age"]).plot(units="metres")
    labels = profile.attributions(problem.points[0]).plot(units=scaler).axes[0].get_yticklabels()
    assert f"age = {X[0, 0]:.4g}" in [label.get_text() for label in labels]


def sentence(figure):
    return " ".join(figure.get_supxlabel().split())


def test_the_leading_shapes_are_on_one_page():
    figure = PAIRS.plot("shapes")
    shares = {**PAIRS.marginal, **PAIRS.pair}
    largest = sorted((float(x) for x in shares.values()), reverse=True)
    assert len([axis for axis in figure.axes if axis.get_title()]) == 6 == len(shares)
    titles = [axis.get_title() for axis in figure.axes if axis.get_title()]
    assert [title.rpartition(": ")[2] for title in titles] == [f"{100 * x:.1f}%" for x in largest]
    assert sentence(figure) == (
        "Under the measures of the kernel, the parts shown have 100% of the variance of h: together with a "
        "constant they are the model"
    )
    parts = RADIAL.leading_components()
    shown = sum(float(RADIAL.subset(part.columns)) for part in parts)
    assert f"have {format_part(shown)} of" in sentence(RADIAL.plot("shapes"))
    assert sentence(RADIAL.plot("shapes")).endswith("all other parts have the rest")


def test_many_columns_say_how_many_functions_the_model_has():
    wide = rng.uniform(-1, 1, (20, 5)).round(3)
    problem = Problem(wide, [1, -1] * 10, kernel=OrthogonalPolynomials(1, order=2), C=10)
    found = orca(problem, certify(problem, level="float"), "float")
    assert "a constant plus 15 functions of one or two columns" in sentence(found.plot("shapes"))
    additive = problem.replace(kernel=OrthogonalPolynomials(1, order=1))
    found = orca(additive, certify(additive, level="float"), "float")
    assert "a constant plus 5 functions of one column," in sentence(found.plot("shapes"))


def test_a_large_error_is_a_band():
    from flint import arb

    from orca_exact.profile.profile import Profile

    support = PAIRS.generating.support
    s = np.zeros(24)
    s[list(support.rows)] = support.s.mid
    A = PAIRS.arithmetic
    with A.scope():
        wide = Profile(PAIRS.problem, A.elements([arb(x) for x in s]), A, PAIRS.scale, arb("0.05"))
    (axis,) = wide.component(["age"]).plot().axes
    assert axis.collections and not PAIRS.component(["age"]).plot().axes[0].collections


def test_a_waterfall_leads_from_the_mean_to_the_value():
    found = RADIAL.attributions(RADIAL.problem.points[:2], bias="1/4")
    (axis,) = found.plot(1).axes
    bars = axis.patches
    order = sorted(range(3), key=lambda i: -abs(found.values[1, i]))
    assert [bar.get_width() for bar in bars] == pytest.approx([found.values[1, i] for i in order])
    assert bars[0].get_x() == pytest.approx(found.base)
    assert bars[-1].get_x() + bars[-1].get_width() == pytest.approx(found.decision[1])
    labels = [label.get_text() for label in axis.get_yticklabels()]
    assert labels[order.index(0)] == f"age = {X[1, 0]:.4g}"
    assert "g(x)" in axis.get_title() and "empirical distribution" in " ".join(axis.get_xlabel().split())
    with pytest.raises(BadParameter, match="row: 2 is not a row"):
        found.plot(2)


def test_rows_in_own_units():
    points, rows = PAIRS.problem.points, PAIRS.problem.X
    own = PAIRS.attributions(rows[:2], rows[3:5], own_units=True)
    scaled = PAIRS.attributions(points[:2], points[3:5])
    assert np.all(own.points == scaled.points) and np.all(own.background == scaled.background)
    assert not np.all(PAIRS.attributions(rows[:2]).points == scaled.points)


def test_a_long_waterfall_adds_up_the_smallest():
    wide = rng.uniform(-1, 1, (20, 14)).round(3)
    problem = Problem(wide, [1, -1] * 10, kernel=RBF("0.1"), C=10)
    found = orca(problem, certify(problem, level="float"), "float").attributions(wide[0])
    (axis,) = found.plot().axes
    assert len(axis.patches) == 10
    assert axis.get_yticklabels()[-1].get_text() == "5 other columns"
    assert sum(bar.get_width() for bar in axis.patches) == pytest.approx(found.values.sum())


def test_what_cannot_be_drawn():
    with pytest.raises(BadParameter, match="the set of 3 columns cannot be drawn"):
        RADIAL.component([1, 2, 3]).plot()
    with pytest.raises(BadParameter, match="cannot hold several panels"):
        RADIAL.plot("shapes", ax=RADIAL.plot("orders").axes[0])
    with pytest.raises(BadParameter, match="do not matter for the picture 'orders'"):
        RADIAL.plot("orders", units=np.square)
    with pytest.raises(OrcaError, match="unknown"):
        RADIAL.indices.plot("shapes")


def test_the_command_draws_shapes(tmp_path):
    code, _, _ = run("profile", str(XOR), "--figure", str(tmp_path / "a.svg"), "--picture", "shapes")
    assert code == 0 and (tmp_path / "a.svg").read_text().startswith("<?xml")


def test_the_command_explains_a_row(tmp_path):
    code, out, _ = run("profile", str(XOR), "--row", "1", "--figure", str(tmp_path / "row.svg"))
    assert code == 0 and (tmp_path / "row.svg").exists()
    problem = Problem.load(XOR)
    found = orca(problem, certify(problem), "float").attributions(problem.points[0])
    lines = [line.split() for line in out.splitlines()]
    for name, x in zip(("x_1", "x_2"), found.values[0], strict=True):
        (adds,) = [words[2] for words in lines if words[:1] == [name]]
        assert float(adds) == pytest.approx(x, abs=1e-6)
    assert "value of the classifier g = 1.00000" in out
    code, out, _ = run("profile", str(XOR), "--row", "1", "--level", "gap", "--arithmetic", "verified")
    assert code == 0 and "the constant b of g = h + b is not proved here" in " ".join(out.split())
    for words, why in (
        (["9"], "9 is not a row; pass a number from 1 to 8"),
        (["1", "--format", "json"], "cannot be printed as JSON"),
        (["1", "--check"], "is given with --check"),
    ):
        code, _, said = run("profile", str(XOR), "--row", *words)
        assert code == 4 and why in said
