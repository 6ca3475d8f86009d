"""Tests of the contents of figures, not of their appearance."""

import subprocess
import sys
from io import BytesIO

import numpy as np
import pytest
from command import orca
from flint import arb
from here import XOR

from orca_exact import RBF, OrthogonalPolynomials, Polynomial, Problem, Uniform, certify, path
from orca_exact import orca as profile_of
from orca_exact.errors import BadParameter, OrcaError
from orca_exact.profile.indices import Indices

pytest.importorskip("matplotlib")
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from orca_exact import plots
from orca_exact.plots import PICTURES, draw_indices, draw_panels, draw_waterfall, save_figure
from orca_exact.plots.style import ON_DARK, ON_LIGHT, STYLE, render_figure

X = [["-0.9", "-0.8", "0.3"], ["-0.7", "0.6", "-0.2"], ["0.3", "0.4", "0.9"], ["0.5", "-0.9", "-1"]]
PROBLEM = Problem(X, [1, -1, 1, -1], n=2, alpha=0, beta=0, C=10)
PROFILE = profile_of(PROBLEM, certify(PROBLEM), "exact")
NAMES = ["age", "cost in $", "epss_"]


def texts(axis):
    return [text.get_text() for text in axis.texts]


def bars(axis):
    return [bar for bar in axis.patches if isinstance(bar, Rectangle)]


def labels(axis):
    return [tick.get_text() for tick in axis.get_yticklabels()]


def test_a_layout_is_the_same_without_a_second_drawing():
    """The SVG has the bytes that matplotlib writes if it draws once for the layout and once for the file."""

    def figure():
        found, axes = plt.subplots(2, 2, layout="constrained")
        image = axes[0, 0].imshow([[1, 2], [3, 4]])
        found.colorbar(image, ax=axes, label="$N^*$")
        axes[1, 1].set(xlabel="total degree", title="a title")
        return found

    drawn, by_matplotlib = [], BytesIO()
    with plt.rc_context(STYLE):
        figure().savefig(by_matplotlib, format="svg", metadata={"Date": None})
        once = figure()
        once.canvas.mpl_connect("draw_event", drawn.append)
        assert render_figure(once, "svg") == by_matplotlib.getvalue()
    assert len(drawn) == 1
    assert render_figure(once, "png")
    plt.close("all")


def test_orders_are_bars():
    (axis,) = PROFILE.plot("orders").axes
    assert [bar.get_height() for bar in bars(axis)] == [float(x) for x in PROFILE.order]
    assert texts(axis)[0] == "0"
    assert texts(axis)[1] == f"{float(PROFILE.order[1]):.3f}"
    assert "order $q$" in axis.get_xlabel()


def test_the_spectrum_marks_N_star():
    (axis,) = PROFILE.plot("spectrum").axes
    assert [bar.get_height() for bar in bars(axis)] == [float(x) for x in PROFILE.degree]
    colours = [bar.get_facecolor() for bar in bars(axis)]
    assert [N for N, colour in enumerate(colours) if colours.count(colour) == 1] == [PROFILE.peak]
    assert texts(axis) == [f"$N^*={PROFILE.peak}$"]


def test_the_cumulative_curve_and_its_thresholds():
    (axis,) = PROFILE.plot("cumulative").axes
    curve = axis.lines[0]
    assert list(curve.get_ydata()) == [float(x) for x in PROFILE.cumulative]
    marked = [line.get_xdata()[0] for line in axis.lines if line.get_marker() == "o"]
    assert marked == [PROFILE.threshold(eps)[0] for eps in ("0.1", "0.05", "0.01")]


def test_pairs_are_a_matrix_with_a_colour_bar():
    axis, bar = PROFILE.plot("pairs", names=NAMES).axes
    matrix = axis.images[0].get_array()
    assert matrix[0, 0] == float(PROFILE.marginal[1])
    assert matrix[2, 1] == float(PROFILE.pair[2, 3])
    assert np.ma.getmaskarray(matrix)[1, 2] or np.isnan(matrix[1, 2])
    assert labels(axis) == ["age", r"cost in \$", "epss_"]
    assert "OKC" in bar.get_ylabel()
    assert "sum of orders 1 and 2" in texts(axis)[-1]


def test_blocks_are_grey_where_no_mode_is():
    uneven = PROBLEM.replace(n=[1, 2, 0])
    for problem in (PROBLEM, uneven):
        profile = profile_of(problem, certify(problem), "ball", 20)
        axis, bar = profile.plot("blocks").axes
        cells = axis.images[0].get_array()
        drawn = {key for key in profile.block if not (np.ma.is_masked(cells[key]) or np.isnan(cells[key]))}
        modes = np.array(np.meshgrid(*(range(n + 1) for n in problem.degrees))).reshape(problem.d, -1).T
        assert drawn == {(int((k > 0).sum()), int(k.sum())) for k in modes}
        assert (axis.get_xlabel(), axis.get_ylabel()) == ("total degree $N$", "order $q$")
        assert any(text.startswith("grey: no mode") for text in texts(axis))
        assert "OKC" in bar.get_ylabel()


def band_of(*names):
    found = {}
    for name in names:
        found |= {k: (float(x) / 2, float(x) * 0.75, float(x) + 0.1) for k, x in PROFILE.family(name).items()}
    return found


@pytest.mark.parametrize(("kind", "name"), [("orders", "order"), ("spectrum", "degree")])
def test_a_band_lies_behind_the_bars(kind, name):
    band = band_of(name)
    (axis,) = draw_indices(kind, PROFILE, band=band, meaning="shuffled labels").axes
    grey = [bar for bar in bars(axis) if bar.get_facecolor()[0] == pytest.approx(float(ON_LIGHT.band))]
    assert [bar.get_y() for bar in grey] == [low for low, _, _ in band.values()]
    tops = [bar.get_y() + bar.get_height() for bar in grey]
    assert tops == pytest.approx([high for _, _, high in band.values()])
    assert len(bars(axis)) == 2 * len(band)
    assert max(bar.get_zorder() for bar in grey) < min(b.get_zorder() for b in bars(axis) if b not in grey)
    assert "shuffled labels" in [text.get_text() for text in axis.get_legend().get_texts()]


def test_columns_are_sorted_by_their_total_index_with_the_marginal_inside():
    (axis,) = PROFILE.plot("columns", names=NAMES).axes
    totals = sorted((float(x), i) for i, x in PROFILE.total.items())[::-1]
    widths = [bar.get_width() for bar in bars(axis)]
    assert widths[:3] == [x for x, _ in totals]
    assert widths[3:] == [float(PROFILE.marginal[i]) for _, i in totals]
    assert all(0 <= inner <= outer for outer, inner in zip(widths[:3], widths[3:], strict=True))
    assert [label.replace("\\$", "$") for label in labels(axis)] == [NAMES[i - 1] for _, i in totals]
    assert texts(axis) == [f"{x:.3f}" for x, _ in totals]
    many = Problem(np.random.default_rng(0).uniform(-1, 1, (12, 25)), [1, -1] * 6, n=1, alpha=0, beta=0)
    (axis,) = profile_of(many, certify(many, level="float"), "verified").plot("columns").axes
    assert len(labels(axis)) == 20 and "the largest 20 of 25" in axis.get_xlabel()
    (axis,) = draw_indices("columns", PROFILE, band=band_of("total")).axes
    assert len(bars(axis)) == 2 * 3


def test_blocks_beyond_the_order_have_no_mode():
    kernel = OrthogonalPolynomials(2, order=2)
    problem = Problem(X, [1, -1, 1, -1], kernel=kernel, C=10)
    axis, _ = profile_of(problem, certify(problem), "exact").plot("blocks").axes
    cells = axis.images[0].get_array()
    assert np.ma.getmaskarray(np.ma.masked_invalid(cells))[3].all()


def test_a_band_of_some_keys():
    (axis,) = draw_indices("orders", PROFILE, band={(2,): (0.1, 0.2, 0.3)}).axes
    assert len(bars(axis)) == len(PROFILE.order) + 1


def test_bands_of_the_curve_and_of_pairs():
    (axis,) = draw_indices("cumulative", PROFILE, band=band_of("cumulative")).axes
    assert len(axis.collections) == 1
    (axis,) = draw_indices("pairs", PROFILE, names=NAMES, band=band_of("pair", "marginal")).axes
    assert len(bars(axis)) == 2 * 6
    largest = max(PROFILE.pair.values(), default=0)
    assert labels(axis)[0].count("×") == (largest > max(PROFILE.marginal.values()))
    with pytest.raises(BadParameter, match="band"):
        draw_indices("blocks", PROFILE, band=band_of("block"))


@pytest.mark.parametrize("kind", PICTURES)
def test_an_ax_is_used_and_plain_values_are_enough(kind):
    values = Indices({name: PROFILE.family(name) for name in PROFILE.indices.table})
    figure = Figure()
    axis = figure.subplots()
    assert draw_indices(kind, values.map(float), axis, NAMES, degrees=PROBLEM.degrees) is figure
    assert axis.has_data()


@pytest.mark.parametrize("arithmetic", ["float", "mp", "ball", "verified", "exact"])
def test_every_arithmetic_is_drawn(arithmetic):
    problem = PROBLEM.replace(alpha="1/2", beta="1/3", C="0.1")
    profile = profile_of(problem, certify(problem), arithmetic, 20)
    for kind in PICTURES:
        assert profile.plot(kind).axes


def test_a_wide_ball_shows_its_radius():
    profile = profile_of(PROBLEM, certify(PROBLEM), "ball", 20)
    wide = profile.indices.map(lambda x: x + arb(0, 0.01))
    (axis,) = draw_indices("orders", wide).axes
    assert len(axis.collections) == 1  # of the error bars
    (axis,) = draw_indices("orders", profile).axes
    assert not axis.collections


def box_of(figure, artist):
    figure.draw_without_rendering()
    return artist.get_window_extent()


@pytest.mark.parametrize(("kind", "name"), [("spectrum", "degree"), ("cumulative", "cumulative")])
def test_a_legend_covers_nothing(kind, name):
    figure = draw_indices(kind, PROFILE, band=band_of(name), meaning="shuffled labels")
    (axis,) = figure.axes
    legend = box_of(figure, axis.get_legend())
    assert not legend.overlaps(axis.get_window_extent().shrunk(1, 0.98)) and legend.y1 <= figure.bbox.y1


def of_columns(d, n=1):
    rows = [[str((-1) ** (i * (j + 1)) * (j + 1) / 30) for j in range(d)] for i in range(4)]
    rows[2][0] = "1"
    problem = Problem(rows, [1, -1, 1, -1], n=n, alpha=0, beta=0)
    return profile_of(problem, certify(problem), "float")


def test_no_order_is_named_that_does_not_exist():
    (axis,) = of_columns(13).plot("orders").axes
    low, high = axis.get_xlim()
    assert all(0 <= x <= 13 for x in axis.get_xticks() if low <= x <= high)
    axis, _ = of_columns(1, 3).plot("pairs").axes
    assert texts(axis) == ["1.000"]


def test_short_names_are_level():
    for names, turned in ((None, 0), (["age", "sex", "bmi"], 0), (["age", "fractional shortening", "c"], 40)):
        axis, _ = PROFILE.plot("pairs", names=names).axes
        assert {tick.get_rotation() for tick in axis.get_xticklabels()} == {turned}


def test_a_block_that_is_0_is_hatched():
    corners = Problem([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1], n=2, alpha=0, beta=0)
    profile = profile_of(corners, certify(corners), "exact")
    axis, _ = profile.plot("blocks").axes
    hatched = {(round(bar.get_y() + 0.5), round(bar.get_x() + 0.5)) for bar in bars(axis) if bar.get_hatch()}
    drawn = {(0, 0), (1, 1), (1, 2), (2, 2), (2, 3), (2, 4)}
    assert hatched == {key for key in drawn if profile.block[key] == 0} and (1, 1) in hatched
    assert texts(axis)[-1].endswith("hatched: 0")


def test_many_coordinates():
    d = 25
    rows = [[str((-1) ** (i * (j + 1)) * (j + 1) / 30) for j in range(d)] for i in range(4)]
    rows[2][0] = rows[3][1] = "1"
    problem = Problem(rows, [1, -1, 1, -1], n=1, alpha=0, beta=0)
    profile = profile_of(problem, certify(problem), "float")
    for kind in PICTURES:
        profile.plot(kind)
    keys = [*profile.family("pair"), *profile.family("marginal")]
    (axis,) = draw_indices("pairs", profile, band=dict.fromkeys(keys, (0, 0, 1e-3))).axes
    assert len(labels(axis)) == 20
    assert "the largest 20 of 325" in axis.get_xlabel()


def test_panels():
    figure = draw_panels("orders", {"a against b": PROFILE, "a against $c": PROFILE, "b against $c": PROFILE})
    assert [axis.get_title() for axis in figure.axes] == ["a against b", r"a against \$c", r"b against \$c"]


def test_of_models():
    sklearn = pytest.importorskip("orca_exact.sklearn")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    frame = pandas.DataFrame(rng.uniform(-1, 1, (30, 2)), columns=["age", "epss"])
    y = np.where(frame.age * frame.epss > 0, "yes", "no")
    model = sklearn.OrcaSVC(n=2).fit(frame, y)
    for found in (sklearn.explain(model), sklearn.audit(model, frame, y)):
        for kind in PICTURES:
            assert found.plot(kind).axes
        assert labels(found.plot("pairs").axes[0]) == ["age", "epss"]
        assert labels(found.profile.plot("pairs").axes[0]) == ["age", "epss"]
        assert labels(found.plot("pairs", names=["a", "b"]).axes[0]) == ["a", "b"]
    y[:9] = "perhaps"
    three = sklearn.explain(sklearn.OrcaSVC(n=2).fit(frame, y)).plot("spectrum")
    assert len([axis for axis in three.axes if axis.get_title()]) == 3


def test_a_path_in_an_ax():
    figure = Figure()
    axis = figure.subplots()
    assert path(Problem.load(XOR), "0.1", 1).plot(ax=axis) is figure
    found = path(Problem.load(XOR), "0.1", 1)
    assert found.plot("orders", steps=False).axes
    with pytest.raises(BadParameter, match="'banana' is not a kind of plot over C; take 'orders'"):
        found.plot("banana")
    for bad in ("x", [axis]):
        with pytest.raises(BadParameter, match="not a matplotlib Axes"):
            found.plot(ax=bad)
        with pytest.raises(BadParameter, match="not a matplotlib Axes"):
            PROFILE.plot(ax=bad)
    assert axis.get_xlabel() == "$C$"
    assert len(axis.collections) >= 2


def test_the_same_bytes_each_time_and_no_state(tmp_path):
    import matplotlib

    before = dict(matplotlib.rcParams)
    for kind in PICTURES:
        for end in "ab":
            save_figure(PROFILE.plot(kind), tmp_path / f"{end}.svg")
        assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert dict(matplotlib.rcParams) == before
    assert PROFILE.plot()._repr_svg_().startswith("<?xml")  # the display in a notebook


def test_nothing_is_shown():
    code = (
        "import sys, orca_exact.plots; assert 'matplotlib' not in sys.modules\n"
        "from orca_exact import Problem, certify, orca\n"
        "p = Problem([['-1/2'], ['1/2']], [1, -1], n=1, alpha=0, beta=0)\n"
        "orca(p, certify(p)).plot(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_bad_arguments(monkeypatch):
    with pytest.raises(
        BadParameter, match="pass one of orders, spectrum, cumulative, pairs, columns, blocks"
    ):
        PROFILE.plot("pie")
    with pytest.raises(BadParameter, match="2 names do not match 3 columns"):
        PROFILE.plot("pairs", names=["a", "b"])
    with pytest.raises(BadParameter, match="has duplicates"):
        PROFILE.plot("pairs", names=["a"] * 3)
    with pytest.raises(BadParameter, match="'abc' is not a list of names"):
        PROFILE.plot("pairs", names="abc")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OrcaError, match=r"pip install 'orca-exact\[plots\]'"):
        PROFILE.plot()
    assert plots.FIGURE_FORMATS == ("svg", "png", "pdf")


def test_the_verb_draws(tmp_path):
    for kind in PICTURES:
        file = tmp_path / f"{kind}.svg"
        code, out, _ = orca("profile", XOR, "--figure", str(file), "--kind", kind)
        assert code == 0
        assert f"written: {file}" in out.replace("\n", "")
        assert file.read_bytes().startswith(b"<?xml")
    assert orca("profile", XOR, "--figure", str(tmp_path / "x.png"), "--format", "json")[0] == 0
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    for words, told in (
        (("--figure", "x.bmp"), "use one of the suffixes .svg"),
        (("--kind", "pairs"), "without --figure"),
        (("--figure", "x.svg", "--check"), "with --check"),
    ):
        code, _, err = orca("profile", XOR, *words)
        assert code == 4
        assert told in err


@pytest.mark.parametrize("kind", ["orders", "pairs", "columns"])
def test_the_measure_is_below_the_figure(kind):
    problem = Problem(X, [1, -1, 1, -1], kernel=RBF(1), under=Uniform(-1, 1))
    figure = profile_of(problem, certify(problem, level="ball", digits=15), "float").plot(kind)
    assert "under uniform on [-1, 1] in each column" in " ".join(figure.axes[0].get_xlabel().split("\n"))
    assert "under" not in PROFILE.plot(kind).axes[0].get_xlabel()


def test_blocks_of_a_polynomial_kernel():
    problem = Problem(X, [1, -1, 1, -1], kernel=Polynomial(2, 1, 1))
    figure = profile_of(problem, certify(problem), "exact").plot("blocks")
    assert "under the empirical distribution of each column" in " ".join(
        figure.axes[0].get_xlabel().split("\n")
    )


def luminance(colour):
    red, green, blue = to_rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.mark.parametrize("kind", sorted(PICTURES))
def test_a_dark_background_has_its_own_colours(kind):
    """Bars, lines and texts differ clearly from the background, or from the cell they are in."""
    with plt.style.context("dark_background"):
        figure = PROFILE.plot(kind, names=NAMES)
        axis = figure.axes[0]
        figure.canvas.draw()
        assert luminance(figure.get_facecolor()) < 0.1
        for bar in bars(axis):
            assert luminance(bar.get_facecolor()[:3]) > 0.3 or bar.get_hatch()
        for text in [*axis.get_xticklabels(), *axis.get_yticklabels(), axis.xaxis.label, axis.yaxis.label]:
            assert luminance(text.get_color()) > 0.5
        for line in axis.lines:
            assert luminance(line.get_color()) > 0.4
        if kind == "pairs":
            image = axis.images[0]
            for text in axis.texts[:-1]:
                column, row = map(round, text.get_position())
                cell = image.cmap(image.norm(image.get_array()[row, column]))[:3]
                assert abs(luminance(cell) - luminance(text.get_color())) > 0.35
    assert ON_DARK != ON_LIGHT and not set(ON_DARK[:5]) & set(ON_LIGHT[:5])


def test_the_numbers_of_a_waterfall_can_be_read_on_a_dark_background():
    with plt.style.context("dark_background"):
        axis = draw_waterfall([0.5, -0.2], ["a", "b"], [1, 2], 0.1).axes[0]
    for text in axis.texts:
        assert luminance(text.get_bbox_patch().get_facecolor()[:3]) < 0.1 < 0.5 < luminance(text.get_color())


@pytest.mark.parametrize("width", [3.0, 8.0])
def test_nothing_is_cut_off_at_two_widths(width):
    figure, axis = plt.subplots(figsize=(width, 3.5), layout="constrained")
    draw_indices(
        "columns", PROFILE, axis, band=band_of("total"), meaning="95 % of shuffled labels, all at once"
    )
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    for part in (axis.get_legend(), axis.xaxis.label, axis.title):
        box = part.get_window_extent(renderer)
        assert box.x0 >= -1 and box.x1 <= width * figure.dpi + 1
    plt.close(figure)
