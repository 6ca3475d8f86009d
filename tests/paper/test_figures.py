"""Figures show the certified classifier, and every file is written."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from command import orca
from flint import fmpq

from orca_exact import certify
from orca_exact import orca as profile_of
from orca_exact.plots import import_pyplot
from proofs_checks.experiments.datasets import FEATURES
from proofs_checks.experiments.figures import (
    INK,
    PLANS,
    PURPLE,
    _bars,
    block_shares,
    decision_function,
    grid_values,
    heat_maps,
    pair_matrices,
    uniform_spectrum,
)
from proofs_checks.experiments.optima import certified_optimum, configuration

mpl = pytest.importorskip("matplotlib")


@pytest.mark.parametrize(("n", "alpha", "beta"), [(8, "0", "0"), (12, "3", "0.5")])
def test_g_meets_the_margins(n, alpha, beta):
    """The floating-point g has y g >= 1 at every point and y g = 1 at support vectors."""
    result = certified_optimum(configuration("spiral", n, alpha, beta))
    p = result.problem
    X = np.array([[int(x.p) / int(x.q) for x in row] for row in p.points])
    margins = np.array(p.y) * decision_function(result, X)
    assert margins.min() > 1 - 1e-8
    free = [i for i, a in enumerate(result.alpha) if float(a) > 0]
    assert np.abs(margins[free] - 1).max() < 1e-8


def test_grid_is_x1_across_x2_up():
    result = certified_optimum(configuration("spiral", 3))
    axis, g = grid_values(result, 5)
    assert g[1, 4] == pytest.approx(decision_function(result, [[axis[4], axis[1]]])[0])
    assert np.abs(g + g[::-1, ::-1]).max() < 1e-9  # odd data, alpha = beta: g(-x) = -g(x)


def test_uniform_spectrum_counts_modes():
    assert uniform_spectrum(1, 2).tolist() == pytest.approx([0, 2 / 3, 1 / 3])
    assert uniform_spectrum(25, 5).sum() == pytest.approx(1)


def test_blocks_are_those_of_the_certified_optimum():
    problem = configuration("spiral", 5)
    proved = profile_of(problem, certify(problem, level="ball"), "ball").block
    found = block_shares(certified_optimum(problem))
    assert found.shape == (3, 11)
    assert max(abs(found[key] - float(value)) for key, value in proved.items()) < 1e-12


def test_blocks_name_their_axes_and_explain_grey():
    plt = import_pyplot()
    figure = heat_maps(plt, [certified_optimum(configuration("spiral", n)) for n in (1, 2)])
    for axis in figure.axes[:2]:
        assert (axis.get_xlabel(), axis.get_ylabel()) == ("total degree $N$", "order $q$")
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["no such mode: $N<q$ or $N>qn$"]
    values = figure.axes[0].images[0].get_array()
    assert np.ma.getmaskarray(np.ma.masked_invalid(values)).tolist() == [
        [True, False, True],
        [True, True, False],
    ]
    plt.close(figure)


def test_pairs_share_one_scale_and_its_bar():
    """A share has the same colour in every matrix, with digits in a contrasting colour."""
    plt = import_pyplot()
    d = len(FEATURES)

    def result(n: int, share: float) -> SimpleNamespace:
        problem = SimpleNamespace(n=n, alpha=fmpq(0), beta=fmpq(0), d=d)
        pair = {(i, j): share for i in range(1, d + 1) for j in range(i + 1, d + 1)}
        return SimpleNamespace(
            problem=problem, marginal=dict.fromkeys(range(1, d + 1), 0.25), pair=pair, order=[0, 1, 0]
        )

    figure = pair_matrices(plt, [[result(1, 0.5), result(1, 1e-3)], [result(2, 1e-6), result(2, 0.02)]])
    *matrices, bar = figure.axes
    images = [axis.images[0] for axis in matrices]
    assert len({tuple(image.cmap(image.norm(25.0))) for image in images}) == 1
    assert len({image.get_clim() for image in images}) == 1
    assert "per cent" in bar.get_ylabel() and bar.get_yticklabels()[0].get_text() == "0.01"
    for axis, image in zip(matrices, images, strict=True):
        assert len(axis.texts) == d * (d + 1) // 2
        for text in axis.texts:
            column, row = map(round, text.get_position())
            lightness = np.dot(
                image.cmap(image.norm(image.get_array()[row, column]))[:3], (0.2126, 0.7152, 0.0722)
            )
            assert (text.get_color() == INK) == (lightness > 0.35)
    assert any(text.get_text() == "<0.01" for text in matrices[2].texts)
    plt.close(figure)


def test_bars_are_one_artist_with_the_heights():
    figure, axis = import_pyplot().subplots()
    _bars(axis, [0, 1, 3], [0.5, 0.25, 1.0], PURPLE)
    (bars,) = axis.collections
    boxes = [path.get_extents().bounds for path in bars.get_paths()]
    assert [box[:2] for box in boxes] == [(-0.4, 0), (0.6, 0), (2.6, 0)]
    assert [box[3] for box in boxes] == [0.5, 0.25, 1.0]
    import_pyplot().close(figure)


@pytest.mark.slow
def test_verb_writes_png_and_svg(tmp_path):
    code, out, _ = orca("figures", "-o", str(tmp_path / "new"), "--only", "blocks-spiral")
    assert code == 0
    png, svg = (tmp_path / "new" / f"blocks-spiral.{kind}" for kind in ("png", "svg"))
    assert png.read_bytes().startswith(b"\x89PNG") and "<svg" in svg.read_text()[:2000]
    assert out.splitlines() == [str(png), str(svg)]
    first = svg.read_bytes()
    orca("figures", "-o", str(tmp_path / "new"), "--only", "blocks-spiral")
    assert svg.read_bytes() == first  # reproducible


@pytest.mark.slow
def test_echocardiogram_figures(echocardiogram, tmp_path):
    code, _, _ = orca("figures", "-o", str(tmp_path), "--only", "pairs-echocardiogram")
    assert code == 0 and (tmp_path / "pairs-echocardiogram.png").stat().st_size > 10_000


def test_absent_data_are_skipped_with_the_reason(monkeypatch, tmp_path):
    from proofs_checks.experiments import optima as experiments

    experiments._data.cache_clear()
    experiments.configuration.cache_clear()
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    code, out, _ = orca("figures", "-o", str(tmp_path / "f"), "--only", "blocks-echocardiogram")
    assert (
        code == 0 and "blocks-echocardiogram was skipped" in out and "orca-exact data echocardiogram" in out
    )
    experiments._data.cache_clear()
    experiments.configuration.cache_clear()


def test_unknown_figure_and_bad_folder(tmp_path):
    code, _, err = orca("figures", "-o", str(tmp_path), "--only", "fig9")
    assert code == 4 and "fig9" in err and all(name in err for name in PLANS)
    (tmp_path / "file").write_text("")
    code, _, err = orca("figures", "-o", str(tmp_path / "file" / "x"), "--only", "blocks-spiral")
    assert code == 4 and err.count("\n") == 1
