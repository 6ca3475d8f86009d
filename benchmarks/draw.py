"""Pictures of growth: seconds and peak memory, one panel for each sweep, drawn from stored results.

``python -m benchmarks.draw docs/measured`` draws them again.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from math import ceil, floor, inf, log10
from pathlib import Path
from typing import Any

from .contenders import OURS
from .growth import rate, setting

KINDS = {"seconds": ("seconds", "time", "CPU seconds"), "memory": ("peak", "memory", "peak memory, MiB")}
COLOURS = {  # by route, the same in all panels; the markers differ too
    OURS: ("#0b559f", "o"),
    "orca-exact, mpmath": ("#5aa0d8", "v"),
    "orca-exact, exact": ("#08306b", "P"),
    "SVC.fit + Gram": ("#8a8a8a", "x"),
    "SVC.fit + Gram + modes": ("#d95f02", "s"),
    "LinearSVC + modes": ("#1b8a5a", "^"),
    "mpmath": ("#8e44ad", "D"),
    "SymPy": ("#c0392b", "*"),
}


def digest(data: dict) -> str:
    """Return the digest of the results that a picture shows; the picture contains it."""
    return hashlib.sha256(json.dumps(data["sweeps"], sort_keys=True).encode()).hexdigest()


def draw(data: dict, folder: Path) -> list[Path]:
    """Write growth-seconds.svg and growth-memory.svg, with a white background for dark pages."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    paths = []
    spines: dict[Any, Any] = {"axes.spines.top": False, "axes.spines.right": False}
    style = spines | {"svg.hashsalt": "growth", "font.size": 9}
    for kind, (field, growing, label) in KINDS.items():
        with plt.rc_context(style):
            figure, axes = plt.subplots(2, 3, figsize=(11, 6.4), layout="constrained", facecolor="white")
            *panels, last = axes.flat
            for axis, sweep in zip(panels, data["sweeps"], strict=True):
                _panel(axis, sweep, field, growing)
            for axis in axes[:, 0]:
                axis.set_ylabel(label)
            _legend(last, data)
            paths.append(folder / f"growth-{kind}.svg")
            metadata = {"Date": None, "Creator": None, "Description": digest(data)}
            figure.savefig(paths[-1], metadata=metadata)
            plt.close(figure)
    return paths


def _panel(axis: Any, sweep: dict, field: str, growing: str) -> None:
    from matplotlib.ticker import NullFormatter, NullLocator

    sizes = sorted({point["size"] for route in sweep["routes"] for point in route["points"]})
    heights = [point[field] for route in sweep["routes"] for point in route["points"]]
    low, high = floor(log10(min(heights))), ceil(log10(max(heights)))
    axis.set(xscale="log", yscale="log", xlabel=sweep["variable"], ylim=(10.0**low, 10.0**high))
    axis.set_title(f"{sweep['title']}: {setting(sweep['fixed'])}", fontsize=10)
    axis.set_xticks(shown := sizes[::-2] if len(sizes) > 6 else sizes, [f"{size:,}" for size in shown])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_yticks(ticks := [10.0**k for k in range(low, high + 1)], [f"{tick:,g}" for tick in ticks])
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.grid(alpha=0.25, linewidth=0.6)
    axis.margins(x=0.2)
    ends = []
    for route in sweep["routes"]:
        colour, marker = COLOURS[route["name"]]
        x, y = ([point[key] for point in route["points"]] for key in ("size", field))
        front = {"linewidth": 2, "zorder": 3} if route["name"] == OURS else {"linewidth": 1.2}
        axis.plot(x, y, marker + "-", color=colour, ms=4.5, **front)
        if route[growing] is not None:
            text = rate(route[growing], sweep["variable"], route["exponential"])
            ends.append((x[-1], y[-1], "$" + re.sub(r"\^(.*)", r"^{\1}", text) + "$", colour))
    _label(axis, ends, high - low)


def _label(axis: Any, ends: list[tuple[float, float, str, str]], decades: int) -> None:
    """Write the exponents at the ends of their lines, moved up if they would overlap."""
    lowest: dict[float, float] = {}
    for x, y, text, colour in sorted(ends):
        place = max(log10(y), lowest.get(x, -inf) + 0.065 * decades)
        lowest[x] = place
        axis.annotate(text, (x, 10**place), (6, 0), textcoords="offset points", color=colour, va="center")


def _legend(axis: Any, data: dict) -> None:
    from matplotlib.lines import Line2D

    names = [name for name in COLOURS if any(name == r["name"] for s in data["sweeps"] for r in s["routes"])]
    proved = {OURS: " (proved)", "orca-exact, exact": " (proved)"}
    handles = [
        Line2D([], [], color=COLOURS[name][0], marker=COLOURS[name][1], label=name + proved.get(name, ""))
        for name in names
    ]
    axis.legend(handles=handles, loc="center", frameon=False)
    axis.set_axis_off()


if __name__ == "__main__":
    where = Path(sys.argv[1])
    draw(json.loads((where / "growth.json").read_text(encoding="utf-8")), where)
