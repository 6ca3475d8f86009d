"""The paper's figures and additional ones, drawn in floating point from certified classifiers.

The diverging map PuOr and the sequential map viridis are safe for colour-blind readers. Classes also differ
by marker and thresholds by line style, so that every figure can be read in greyscale. The report replaces
black, white and greys by the colours of its theme; INK and PALE, which are used on colour maps, stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb

from orca_exact.errors import BadParameter, DataMissing
from orca_exact.files.formats import make_folder
from orca_exact.numbers.rationals import midpoint, to_float
from orca_exact.plots import STYLE, import_pyplot, save_figure
from orca_exact.profile.indices import INDICES
from orca_exact.profile.profile import orca
from orca_exact.svm.certificate import Solution

from .datasets import FEATURES
from .optima import (
    FIGURE_1,
    FIGURE_2,
    Certified,
    certify_all,
    configuration,
    printed_tables,
    table_problems,
)

GRID = 241
CLIP = 2  # the value of |g| at which the colour saturates
INK, PALE = "#111110", "#f7f7f6"
PURPLE, ORANGE = "#5e3c99", "#e66101"
SERIES = ("#46085c", "#424186", "#2b758e", "#20a486", "#6ece58")  # from viridis, for growing n
NO_MODE = "0.88"
LEVELS = (("0.1", "0.90", ":"), ("0.05", "0.95", "--"), ("0.01", "0.99", "-."))
SHORT = dict(zip(FEATURES, ("age", "shortening", "epss", "lvdd", "wall motion"), strict=True))


def decision_function(result: Certified, Z: Any) -> np.ndarray:
    """Return g(z) = sum_i alpha_i y_i K(x_i, z) + b in float64, from the certified alpha and b."""
    s, X = _support(result)
    return s @ result.problem.kernel(X, Z) + float(result.b)


def _support(result: Certified) -> tuple[np.ndarray, np.ndarray]:
    """Return alpha_i y_i and x_i for the support vectors, in float64."""
    p, support = result.problem, [i for i, a in enumerate(result.alpha) if float(a)]
    s = np.array([float(result.alpha[i]) * p.y[i] for i in support])
    return s, np.array([[to_float(x) for x in p.points[i]] for i in support])


def grid_values(result: Certified, size: int = GRID) -> tuple[np.ndarray, np.ndarray]:
    """Return an axis of [-1, 1] and g on the square grid, with x2 by row and x1 by column.

    g is evaluated by its modes p_j(x1) p_k(x2): (n+1)^2 numbers instead of a kernel for each support vector.
    """
    (s, X), p, axis = _support(result), result.problem, np.linspace(-1, 1, size)
    first, second, on_axis = (p.jacobi.values(p.n, t) for t in (X[:, 0], X[:, 1], axis))
    coefficients = second * s @ first.T
    return axis, on_axis.T @ coefficients @ on_axis + float(result.b)


def block_shares(result: Certified) -> np.ndarray:
    """Return OKC_N^(q) with q by row and N by column, in float64 from the certified alpha."""
    alpha = tuple(midpoint(arb(a)) for a in result.alpha)
    profile = orca(result.problem, Solution(result.problem, alpha), "float")
    return np.array(INDICES["block"].to_json(profile.family("block")))


def _pair(result: Certified) -> str:
    p = result.problem
    return f"({to_float(p.alpha):g}, {to_float(p.beta):g})"


# Figures 1 and 2.


def boundaries(plt: Any, results: Sequence[Certified], titles: Sequence[str], rows: int) -> Any:
    """Draw panels of g: colour, bold line g = 0, thin lines g = -1 and 1, points by class."""
    from contourpy import contour_generator

    columns = len(results) // rows
    figure, axes = plt.subplots(
        rows, columns, figsize=(1.85 * columns, 1.78 * rows + 0.55), sharex=True, sharey=True,
        layout="constrained",
    )  # fmt: skip
    for axis, result, title in zip(axes.flat, results, titles, strict=True):
        t, g = grid_values(result)
        image = axis.imshow(
            np.clip(g, -CLIP, CLIP), cmap="PuOr_r", vmin=-CLIP, vmax=CLIP, origin="lower",
            extent=(-1, 1, -1, 1), interpolation="bilinear",
        )  # fmt: skip
        lines: Any = contour_generator(t, t, g)
        for level, width in ((-1, 0.4), (1, 0.4), (0, 1.7)):
            for x in lines.lines(level):  # matplotlib simplifies lines, but not contours
                axis.plot(*x.T, color=INK, lw=width, solid_joinstyle="round")
        X = np.array([[to_float(x) for x in row] for row in result.problem.points])
        y = np.array(result.problem.y)
        axis.scatter(*X[y == 1].T, s=5, marker="o", c="#e08214", edgecolors=INK, linewidths=0.35, zorder=3)
        axis.scatter(*X[y == -1].T, s=6, marker="^", c=PALE, edgecolors="#2d004b", linewidths=0.5, zorder=3)
        axis.set(
            title=title, aspect="equal", xticks=[-1, 0, 1], yticks=[-1, 0, 1], xlim=(-1, 1), ylim=(-1, 1)
        )
    for axis in axes[-1, :]:
        axis.set_xlabel("$x_1$")
    for axis in axes[:, 0]:
        axis.set_ylabel("$x_2$", rotation=0)
    bar = figure.colorbar(image, ax=axes, shrink=0.85, aspect=35, extend="both", pad=0.01)
    bar.set_label(f"$g(x)$, colour saturates at $\\pm{CLIP}$")
    bar.set_ticks([-2, -1, 0, 1, 2])
    handles = [
        plt.Line2D([], [], color=INK, lw=1.7, label="$g=0$"),
        plt.Line2D([], [], color=INK, lw=0.5, label="$g=\\pm1$"),
        plt.Line2D([], [], ls="", marker="o", ms=4, mfc="#e08214", mec=INK, mew=0.4, label="$y=+1$"),
        plt.Line2D([], [], ls="", marker="^", ms=4, mfc=PALE, mec="#2d004b", mew=0.6, label="$y=-1$"),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, facecolor=PALE, labelcolor=INK,
                  edgecolor=PALE, framealpha=1)  # fmt: skip
    return figure


def figure_1(plt: Any, results: Sequence[Certified]) -> Any:
    """Draw Figure 1: the Legendre classifier as n grows."""
    return boundaries(plt, results, [f"$n={r.problem.n}$" for r in results], 2)


def figure_2(plt: Any, results: Sequence[Certified]) -> Any:
    """Draw Figure 2: n = 12 and twelve pairs (alpha, beta)."""
    return boundaries(plt, results, [rf"$(\alpha,\beta)={_pair(r)}$" for r in results], 3)


# Spectra.


def uniform_spectrum(n: int, d: int) -> np.ndarray:
    """Return OKC_N for equal c_k^2 on all modes except the constant one: the share of modes by degree."""
    count = np.ones(1)
    for _ in range(d):
        count = np.convolve(count, np.ones(n + 1))
    count[0] = 0
    return count / count.sum()


def spectra(plt: Any, groups: Sequence[Sequence[Certified]]) -> Any:
    """Draw OKC_N against N, one row for each n, with N* marked and the share of modes as a grey line."""
    from matplotlib.ticker import MaxNLocator

    rows = len(groups[0])
    figure, axes = plt.subplots(
        rows, len(groups), figsize=(2.6 * len(groups) + 0.5, 0.78 * rows + 0.7), layout="constrained",
        sharex="row", squeeze=False,
    )  # fmt: skip
    for column, group in enumerate(groups):
        for axis, result in zip(axes[:, column], group, strict=True):
            mass = [float(v) for v in result.degree]
            N = range(len(mass))
            _bars(axis, N, mass, PURPLE)
            uniform = uniform_spectrum(result.problem.n, result.problem.d)
            axis.plot(N, uniform, color="0.45", lw=1, marker="." if len(mass) < 30 else "", ms=3)
            peak = result.indices.stated_summary.peak
            if isinstance(peak, int):
                _bars(axis, [peak], [mass[peak]], ORANGE)
                axis.text(1, 0.97, f"$N^*={peak}$", transform=axis.transAxes, ha="right", va="top")
            axis.set(ylim=(0, 1.15 * max(*mass, *uniform)), xlim=(-0.7, len(mass) - 0.3))
            axis.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
            axis.yaxis.set_major_locator(MaxNLocator(nbins=2))
            axis.spines[["top", "right"]].set_visible(False)
            if not column:
                axis.set_ylabel(f"$n={result.problem.n}$", rotation=0, ha="right", va="center")
        axes[0, column].set_title(rf"$(\alpha,\beta)={_pair(group[0])}$")
        axes[-1, column].set_xlabel("total degree $N$")
    figure.supylabel(r"$\mathrm{OKC}_N$")
    handles = [
        plt.Line2D([], [], color=ORANGE, lw=4, label="$N^*$"),
        plt.Line2D(
            [], [], color="0.45", lw=1, marker=".", ms=3, label="equal $c_k^2$ on all modes $k\\neq 0$"
        ),
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False)
    return figure


def _bars(axis: Any, N: Iterable[int], heights: Iterable[float], color: str) -> None:
    """Draw bars of width 0.8 as one artist; ``bar`` makes one for each, which takes longer."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(x - 0.4, 0), (x - 0.4, y), (x + 0.4, y), (x + 0.4, 0)] for x, y in zip(N, heights, strict=True)
    ]
    axis.add_collection(PolyCollection(corners, facecolors=color, linewidths=0), autolim=False)


def heat_maps(plt: Any, results: Sequence[Certified]) -> Any:
    """Draw OKC_N^(q) as a logarithmic map over (q, N), grey if no mode has that q and N."""
    from matplotlib.colors import LogNorm

    d = results[0].problem.d
    figure, axes = plt.subplots(
        len(results), 1, figsize=(7.2, (0.22 * d + 0.82) * len(results) + 0.5), layout="constrained"
    )
    for axis, result in zip(axes, results, strict=True):
        values = np.maximum(block_shares(result), 1e-300)
        q, N = np.indices(values.shape)
        values[(q > N) | (q * result.problem.n < N)] = np.nan
        values = values[1:]
        image = axis.imshow(
            values, aspect="auto", origin="lower", cmap="viridis", norm=LogNorm(1e-5, 0.3),
            interpolation="nearest", extent=(-0.5, values.shape[1] - 0.5, 0.5, d + 0.5),
        )  # fmt: skip
        axis.set(yticks=range(1, d + 1), ylabel="order $q$", xlabel="total degree $N$", facecolor=NO_MODE)
        axis.set_title(rf"$n={result.problem.n}$, $(\alpha,\beta)={_pair(result)}$", loc="left")
    figure.colorbar(image, ax=axes, extend="both", pad=0.01, aspect=30, label=r"$\mathrm{OKC}_N^{(q)}$")
    grey = plt.Rectangle((0, 0), 1, 1, fc=NO_MODE, ec="0.5", lw=0.5, label="no such mode: $N<q$ or $N>qn$")
    figure.legend(handles=[grey], loc="outside lower center", frameon=False)
    return figure


def pair_matrices(plt: Any, groups: Sequence[Sequence[Certified]]) -> Any:
    """Draw OKC_i on the diagonal and OKC_ij below it, in per cent, on one logarithmic scale."""
    from matplotlib.colors import LogNorm

    names = [SHORT[name] for name in FEATURES]
    d, least = len(names), 0.01
    scale = LogNorm(least, 100)
    figure, axes = plt.subplots(
        len(groups), len(groups[0]), figsize=(2.55 * len(groups[0]) + 1.1, 2.4 * len(groups) + 0.4),
        sharex=True, sharey=True, layout="constrained",
    )  # fmt: skip
    for row, group in zip(axes, groups, strict=True):
        for axis, result in zip(row, group, strict=True):
            matrix = np.full((d, d), np.nan)
            for i, value in result.marginal.items():
                matrix[i - 1, i - 1] = 100 * float(value)
            for (i, j), value in result.pair.items():
                matrix[j - 1, i - 1] = 100 * float(value)
            image = axis.imshow(np.maximum(matrix, least), cmap="viridis", norm=scale)
            for (i, j), value in np.ndenumerate(matrix):
                if not np.isnan(value):
                    axis.text(j, i, f"{value:.2f}" if value >= 0.005 else "<0.01", ha="center", va="center",
                              color=INK if scale(value) > 0.5 else PALE, fontsize=7)  # fmt: skip
            axis.set_xticks(range(d), names, rotation=40, ha="right", rotation_mode="anchor")
            axis.set_yticks(range(d), names)
            axis.tick_params(length=0)
            axis.spines[:].set_visible(False)
            part = 100 * float(result.order[1] + result.order[2])
            axis.set_title(
                rf"$n={result.problem.n}$, $(\alpha,\beta)={_pair(result)}$" + f"\n$q\\leq 2$: {part:.1f} %"
            )
    bar = figure.colorbar(image, ax=axes, extend="min", pad=0.02, aspect=40, shrink=0.8)
    bar.set_label(r"$\mathrm{OKC}_i$ (diagonal) and $\mathrm{OKC}_{ij}$ (below it), per cent of $\|h\|^2$")
    bar.set_ticks(ticks := [0.01, 0.1, 1, 10, 100], labels=[f"{tick:g}" for tick in ticks])
    return figure


def cumulative(plt: Any, groups: Sequence[Sequence[Certified]]) -> Any:
    """Draw F(T) against T/(dn) with T_eps marked at three levels, and F for equal c_k^2."""
    figure, axes = plt.subplots(
        1, len(groups), figsize=(2.7 * len(groups) + 0.5, 3.6), sharey=True, layout="constrained"
    )
    markers = "osD^vP*Xh"
    for axis, group in zip(axes, groups, strict=True):
        for result, colour, marker in zip(group, SERIES, markers, strict=False):
            top = result.problem.d * result.problem.n
            F = [float(v) for v in result.cumulative]
            axis.step(
                np.arange(top + 1) / top, F, where="post", color=colour, lw=1.1, label=f"{result.problem.n}"
            )
            thresholds = (result.indices.stated_summary.threshold[eps] for eps, _, _ in LEVELS)
            T = [t for t in thresholds if isinstance(t, int)]
            axis.plot([t / top for t in T], [F[t] for t in T], ls="", marker=marker, ms=3.5, color=colour,
                      mec="black", mew=0.3)  # fmt: skip
        last = group[-1].problem
        uniform = np.cumsum(uniform_spectrum(last.n, last.d))
        axis.step(
            np.arange(len(uniform)) / (len(uniform) - 1), uniform, where="post", color="0.5", lw=1.2, ls="--"
        )
        for _, level, line in LEVELS:
            axis.axhline(float(level), color="0.3", lw=0.6, ls=line)
        axis.set(
            xlabel="$T/(dn)$", xlim=(0, 1.02), ylim=(0, 1.03), title=rf"$(\alpha,\beta)={_pair(group[0])}$"
        )
        axis.set_yticks(
            [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99], ["0", "0.25", "0.5", "0.75", "0.90", "0.95", "0.99"]
        )
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("$F(T)$")
    handles = [
        plt.Line2D([], [], color=c, lw=1, marker=m, ms=3.5, mec="black", mew=0.3, label=f"${r.problem.n}$")
        for r, c, m in zip(groups[0], SERIES, markers, strict=False)
    ] + [plt.Line2D([], [], color="0.5", lw=1.2, ls="--", label=f"equal $c_k^2$, $n={last.n}$")]
    figure.legend(handles=handles, title="$n$ (markers: $T_{0.10}, T_{0.05}, T_{0.01}$)", ncols=len(handles),
                  loc="outside lower center", frameon=False, columnspacing=1, handlelength=1.5)  # fmt: skip
    return figure


# The list of figures.


def _by_table(dataset: str, path: str | None) -> list[list]:
    return [table_problems(t, path) for t in printed_tables().values() if t["dataset"] == dataset]


def _some(dataset: str, ns: Sequence[int], path: str | None) -> list[list]:
    return [[p for p in group if p.n in ns] for group in _by_table(dataset, path)]


def _echo(ns: Iterable[int], path: str | None) -> list[list]:
    pairs = [(t["alpha"], t["beta"]) for t in printed_tables().values() if t["dataset"] == "echocardiogram"]
    return [[configuration("echocardiogram", n, a, b, path=path) for a, b in pairs] for n in ns]


# name: (drawing function, problems in groups, whether there is one group that is passed by itself)
PLANS: dict[str, tuple[Callable, Callable, bool]] = {
    "fig1": (figure_1, lambda p: [[configuration("spiral", n) for n in FIGURE_1]], True),
    "fig2": (figure_2, lambda p: [[configuration("spiral", 12, a, b) for a, b in FIGURE_2]], True),
    "spectra-spiral": (spectra, lambda p: _by_table("spiral", p), False),
    "spectra-echocardiogram": (spectra, lambda p: _by_table("echocardiogram", p), False),
    "blocks-spiral": (heat_maps, lambda p: [[group[-1] for group in _by_table("spiral", p)]], True),
    "blocks-echocardiogram": (heat_maps, lambda p: _echo([10], p), True),
    "pairs-echocardiogram": (pair_matrices, lambda p: _echo([1, 2, 10], p), False),
    "cumulative-spiral": (cumulative, lambda p: _some("spiral", (1, 2, 5, 8, 16), p), False),
    "cumulative-echocardiogram": (cumulative, lambda p: _some("echocardiogram", (1, 2, 5, 10, 25), p), False),
}


def draw_figures(
    folder: str | Path,
    only: Sequence[str] | None = None,
    path: str | None = None,
    jobs: int = 1,
    cache: bool = True,
    progress: Callable[[str], object] | None = None,
    scheduler: str | None = None,
    kinds: Sequence[str] = ("png", "svg"),
) -> tuple[list[Path], dict[str, str]]:
    """Write figures in the formats ``kinds``.

    Returns the files and, by name, the reason why a figure was skipped because its data are missing.
    """
    for name in only or ():
        if name not in PLANS:
            raise BadParameter("figure", repr(name), "is unknown", "choose among " + ", ".join(PLANS))
    groups, skipped = {}, {}  # type: dict[str, list], dict[str, str]
    for name in only or PLANS:
        try:
            groups[name] = PLANS[name][1](path)
        except DataMissing as error:
            skipped[name] = str(error)
    everything = [p for plan in groups.values() for group in plan for p in group]
    found = {r.problem.sha256: r for r in certify_all(everything, jobs, cache, progress, scheduler=scheduler)}
    folder = Path(folder)
    make_folder(folder, "name another folder")
    made = []
    plt = import_pyplot()
    for count, (name, problems) in enumerate(groups.items(), 1):
        if progress:
            progress(f"drawing {count} of {len(groups)}: {name}")
        function, _, flat = PLANS[name]
        results = [[found[p.sha256] for p in group] for group in problems]
        with plt.rc_context(STYLE):
            figure = function(plt, results[0] if flat else results)
            for kind in kinds:
                file = folder / f"{name}.{kind}"
                save_figure(figure, file)
                made.append(file)
            plt.close(figure)
    return made, skipped
