"""The pictures of orca.md, from certified profiles: ``python docs/pictures.py`` draws them again.

They show two problems of ``examples/problems``: the tilted XOR, which has only 16 modes, and, for pairs, a
problem with four coordinates. Text is grey on a transparent background, which is legible on light and dark
pages. Each file contains the digest of the numbers that it shows.
"""

from __future__ import annotations

import hashlib
import json
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from orca_exact import Problem, certify, legendre, orca
from orca_exact.kernels.modes import Modes
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.profile.indices import INDICES

ROOT = Path(__file__).resolve().parents[1]
GREY, LINE = "#7a7f87", "#9aa0a8"
KEYS = ("#3b6fb6", "#d9822b", "#3f9c6b", "#b0568f", "#8a7440", "#5d9fb0", "#c0504d")  # one for each key
STYLE: dict[str, Any] = {
    "svg.fonttype": "none",  # store text as text, not as paths
    "svg.hashsalt": "orca",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": LINE,
    **{f"{name}.color": GREY for name in ("text", "xtick", "ytick")},
    **{f"axes.{name}color": GREY for name in ("label", "title")},
}


@lru_cache(maxsize=1)
def computed() -> dict[str, Any]:
    """Return all numbers that the pictures show; they are proved to more digits than a picture has."""
    xor = Problem.load(ROOT / "examples" / "problems" / "xor.json")
    mixed = Problem.load(ROOT / "examples" / "problems" / "mixed.json")
    proof = certify(xor)
    profile, four = orca(xor, proof, "exact"), orca(mixed, certify(mixed), "ball")
    return {
        "n": xor.n,
        "points": [[float(x) for x in row] for row in xor.points],
        "y": list(xor.y),
        "bias": float(proof.bias()),
        "c": [float(c) for c in profile.coefficients().values()],
        "peak": profile.peak,
        "threshold": profile.threshold("0.05")[0],
        **{name: [float(x) for x in profile.family(name).values()] for name in INDICES},
        "four": {name: [float(x) for x in four.family(name).values()] for name in ("marginal", "pair")},
    }


def digest() -> str:
    """Return the digest of the numbers, rounded so that it is the same on every platform."""
    text = json.dumps(json.loads(json.dumps(computed()), parse_float=lambda x: f"{float(x):.9e}"))
    return hashlib.sha256(text.encode()).hexdigest()


def parts() -> tuple[np.ndarray, np.ndarray]:
    """Return a grid of one coordinate, and the values of c_k p_k on the square for each mode."""
    data, grid = computed(), np.linspace(-1, 1, 41)
    p = legendre.values(data["n"], grid, arithmetic("float"))
    each = zip(Modes((data["n"],) * 2, 2), data["c"], strict=True)
    return grid, np.array([c * np.outer(p[k[1]], p[k[0]]) for k, c in each])


def share(name: str, place: int = 0) -> str:
    return f"{100 * computed()[name][place]:.1f} %"


# Each of the following functions draws one picture.


def classifier(plt: Any) -> Any:
    """Draw g, and the parts of h of order 1 and 2."""
    data, (grid, terms) = computed(), parts()
    q = np.array([sum(degree > 0 for degree in k) for k in Modes((data["n"],) * 2, 2)])
    shown = {
        "g = h + b": terms.sum(axis=0) + data["bias"],
        f"order 1: {share('order', 1)} of ‖h‖²": terms[q == 1].sum(axis=0),
        f"order 2: {share('order', 2)} of ‖h‖²": terms[q == 2].sum(axis=0),
    }
    figure, axes = plt.subplots(1, 3, figsize=(6.6, 2.6), layout="constrained")
    levels = np.linspace(-3, 3, 9)
    for axis, (title, values) in zip(axes, shown.items(), strict=True):
        axis.contourf(grid, grid, np.clip(values, -3, 3), levels, cmap="RdBu")
        axis.contour(grid, grid, values, [0], colors="black", linewidths=1.2)
        for sign, marker in ((1, "o"), (-1, "s")):
            own = [x for x, y in zip(data["points"], data["y"], strict=True) if y == sign]
            colour = "#2166ac" if sign > 0 else "#b2182b"
            axis.plot(
                *zip(*own, strict=True), marker, color=colour, markeredgecolor="white", ms=7, clip_on=False
            )
        axis.set(title=title, aspect="equal", xlabel="x1", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
        axis.title.set_fontsize(9)
    axes[0].set_ylabel("x2")
    return figure


def spectrum(plt: Any) -> Any:
    """Draw the share of every mode."""
    figure, axis = plt.subplots(figsize=(3.6, 3.3), layout="constrained")
    squares = np.array(computed()["c"]) ** 2
    shares = squares / squares.sum()
    for k, x in zip(Modes((computed()["n"],) * 2, 2), shares, strict=True):
        _weighed(axis, k, KEYS[0], x, max(shares))
    _grid(axis, "the share of every mode in ‖h‖², in %")
    return figure


def family(plt: Any, name: str, what: str) -> Any:
    """Draw which modes belong to which member of a family of indices, and the values of the indices."""
    data, index = computed(), INDICES[name]
    figure, left, right = _two(plt)
    keys = list(index.keys(2 * data["n"], 2))
    colours = {key: KEYS[i % len(KEYS)] for i, key in enumerate(keys)}
    for k in Modes((data["n"],) * 2, 2):
        own = next(iter(index.keys_of(k, 2 * data["n"])), ())
        _cell(left, k, colours.get(own), ", ".join(map(str, own)))
    _grid(left, "which modes")
    _bars(right, [index.label_of(key) for key in keys], data[name], [colours[key] for key in keys])
    right.set_title(what)
    return figure


def degree(plt: Any) -> Any:
    figure = family(plt, "degree", "OKC_N: the share of total degree N")
    bars, peak = figure.axes[1], computed()["peak"]
    top = peak, computed()["degree"][peak]
    bars.annotate(f"N* = {peak}", top, (0, 12), textcoords="offset points", ha="center")
    return figure


def block(plt: Any) -> Any:
    """Draw the blocks, with q against N."""
    data = computed()
    figure, left, right = _two(plt)
    for k in Modes((data["n"],) * 2, 2):
        ((q, N),) = INDICES["block"].keys_of(k, 2 * data["n"])
        _cell(left, k, KEYS[q], f"{q}, {N}")
    _grid(left, "which modes: q, N")
    keys = INDICES["block"].keys(2 * data["n"], 2)
    for (q, N), x in zip(keys, data["block"], strict=True):
        _weighed(right, (N, q), KEYS[q], x, max(data["block"]))
    right.set(xlim=(-0.5, 2 * data["n"] + 0.5), ylim=(-0.5, 2.5), aspect="equal", xlabel="N", ylabel="q")
    right.set(yticks=range(3), title="OKC_N^(q), in %")
    _bare(right)
    return figure


def parity(plt: Any) -> Any:
    """Draw the indices even and odd."""
    figure, left, right = _two(plt)
    for k in Modes((computed()["n"],) * 2, 2):
        _cell(left, k, KEYS[sum(k) % 2], ("even", "odd")[sum(k) % 2])
    _grid(left, "which modes")
    _bars(right, ["even", "odd"], [computed()[name][0] for name in ("even", "odd")], KEYS[:2])
    right.set_title("the shares of even and odd total degree")
    return figure


def pair(plt: Any) -> Any:
    """Draw the pair index of two coordinates, and the pair indices of four coordinates."""
    figure, left, right = _two(plt)
    index, four = INDICES["pair"], computed()["four"]
    for k in Modes((computed()["n"],) * 2, 2):
        inside = bool(list(index.keys_of(k, 2 * computed()["n"])))
        _cell(left, k, KEYS[0] if inside else None, "1, 2")
    _grid(left, f"two coordinates: OKC_12 = {share('pair')}")
    most = max(four["marginal"] + four["pair"])
    right.set(xlim=(0.5, 4.5), ylim=(4.5, 0.5), aspect="equal", xticks=range(1, 5), yticks=range(1, 5))
    for (i, j), x in zip(index.keys(2, 4), four["pair"], strict=True):
        _weighed(right, (j, i), KEYS[0], x, most)
    for i, x in enumerate(four["marginal"], 1):
        _weighed(right, (i, i), KEYS[1], x, most)
    right.set(title="four coordinates: OKC_ij and OKC_i, in %", xlabel="j", ylabel="i")
    _bare(right)
    return figure


def cumulative(plt: Any) -> Any:
    """Draw F(T), and the point where it exceeds 1 - eps."""
    data = computed()
    figure, axis = plt.subplots(figsize=(6.2, 2.7), layout="constrained")
    F, T = data["cumulative"], data["threshold"]
    axis.step(range(len(F)), F, where="post", color=KEYS[0], lw=2)
    axis.plot(range(len(F)), F, "o", color=KEYS[0], ms=5)
    axis.axhline(0.95, color=KEYS[1], ls="--", lw=1)
    axis.axvline(T, color=KEYS[1], ls="--", lw=1)
    axis.annotate("1 − ε = 0.95", (0, 0.95), (2, -11), textcoords="offset points", color=KEYS[1])
    axis.annotate(f"T_0.05 = {T}", (T, 0), (5, 5), textcoords="offset points", color=KEYS[1])
    axis.set(title="F(T): the share of degrees up to T", xlabel="T", ylabel="F(T)", ylim=(0, 1.05))
    return figure


def _two(plt: Any) -> tuple[Any, Any, Any]:
    """Return a figure with an axis for the modes on the left and one for the indices on the right."""
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(6.2, 2.7), layout="constrained", width_ratios=[1, 1.6]
    )
    return figure, left, right


def _box(axis: Any, k: tuple[int, ...], side: float, up: float, **style: Any) -> None:
    from matplotlib.patches import Rectangle

    axis.add_patch(Rectangle((k[0] - side / 2, k[1] - side / 2 + up), side, side, lw=0.6, **style))


def _cell(axis: Any, k: tuple[int, ...], colour: str | None, text: str) -> None:
    """Draw the square of mode k = (k_1, k_2), coloured if the index contains the mode."""
    _box(axis, k, 0.92, 0, facecolor=colour or "none", edgecolor=LINE)
    if colour:
        axis.text(*k, text, ha="center", va="center", fontsize=9, color="white")


def _weighed(axis: Any, k: tuple[int, ...], colour: str, x: float, most: float) -> None:
    """Draw a square whose area is proportional to the share, above the number."""
    up = -0.12 if axis.yaxis_inverted() else 0.12
    _box(axis, k, 0.92, 0, facecolor="none", edgecolor=LINE)
    _box(axis, k, 0.6 * (x / most) ** 0.5, up, facecolor=colour)
    axis.text(k[0], k[1] - 2.7 * up, f"{100 * x:.1f}", ha="center", va="center", fontsize=7)


def _grid(axis: Any, title: str) -> None:
    n = computed()["n"]
    axis.set(xlim=(-0.5, n + 0.5), ylim=(-0.5, n + 0.5), aspect="equal", title=title)
    axis.set(xticks=range(n + 1), yticks=range(n + 1), xlabel="k₁, the degree in x1", ylabel="k₂, in x2")
    _bare(axis)


def _bare(axis: Any) -> None:
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def _bars(axis: Any, labels: list[str], values: list[float], colours: Any) -> None:
    axis.bar(range(len(values)), values, color=colours, width=0.7)
    for i, x in enumerate(values):
        axis.annotate(
            f"{100 * x:.1f} %", (i, x), (0, 2), textcoords="offset points", ha="center", fontsize=7.5
        )
    axis.set(xticks=range(len(labels)), ylim=(0, 1.2 * max(values)), yticks=[])
    axis.set_xlim(-0.6, max(len(labels), 4) - 0.4)
    axis.set_xticklabels(labels, fontsize=8)
    axis.spines["left"].set_visible(False)
    axis.tick_params(length=0)


PICTURES = {
    "classifier": classifier,
    "modes": spectrum,
    "order": lambda plt: family(plt, "order", "OKC^(q): the share of order q"),
    "degree": degree,
    "block": block,
    "marginal": lambda plt: family(plt, "marginal", "OKC_i: the share of coordinate i alone"),
    "pair": pair,
    "parity": parity,
    "cumulative": cumulative,
}


def draw(folder: Path) -> list[Path]:
    """Write every picture as orca-NAME.svg and return the paths."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    paths = []
    for name, make in PICTURES.items():
        with plt.rc_context(STYLE):
            figure = make(plt)
            paths.append(folder / f"orca-{name}.svg")
            metadata = {"Date": None, "Creator": None, "Description": digest()}
            figure.savefig(paths[-1], transparent=True, metadata=metadata)
            plt.close(figure)
    return paths


if __name__ == "__main__":
    for path in draw(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"):
        print(path)
