"""Seconds and memory against m, d, n and digits, for this package and for alternatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .contenders import OURS, UNREAD
from .measure import fitted
from .point import measured

SECONDS, GIBIBYTES = 60.0, 4.0  # limits for one point
RISE = 4.0  # least MiB above the imports for a point to count in a memory exponent
FIT, MODES, LINEAR = "SVC.fit + Gram", "SVC.fit + Gram + modes", "LinearSVC + modes"
BY_DIGITS = (OURS, "orca-exact, mpmath", "orca-exact, exact", "mpmath", "SymPy")


@dataclass(frozen=True)
class Sweep:
    """Sizes in which one variable grows and the others are fixed."""

    title: str
    variable: str
    sizes: tuple[int, ...]
    fixed: dict[str, int]
    routes: tuple[str, ...]

    def exponential(self, route: str) -> bool:
        """Return whether the cost is exponential, because all (n+1)^d modes are enumerated."""
        return self.variable == "d" and route == MODES


def sweeps(quick: bool = False) -> list[Sweep]:
    """Return the sweeps by m with few and with many modes, by d, by n and by digits; small ones if quick."""

    def upto(most: int, *sizes: int) -> tuple[int, ...]:
        return tuple(size for size in sizes if not quick or size <= most)

    few = upto(1000, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
    return [
        Sweep("few modes", "m", few, {"d": 2, "n": 5}, (OURS, FIT, MODES, LINEAR)),
        Sweep("many modes", "m", upto(400, 100, 200, 400, 800, 1600, 3200), {"d": 12, "n": 3},
              (OURS, FIT, MODES)),
        Sweep("by coordinates", "d", upto(12, 2, 4, 6, 8, 10, 12, 25, 50, 100), {"m": 200, "n": 3},
              (OURS, FIT, MODES)),
        Sweep("by degree", "n", upto(8, 1, 2, 4, 8, 15, 30, 50), {"m": 200, "d": 4},
              (OURS, FIT, MODES)),
        Sweep("by digits", "digits", upto(100, 8, 15, 30, 100, 300, 1000),
              {"m": 40, "d": 2, "n": 5}, BY_DIGITS),
    ]  # fmt: skip


def run(
    chosen: list[Sweep],
    progress: Callable[[str], Any] = lambda text: None,
    seconds: float = SECONDS,
    gibibytes: float = GIBIBYTES,
) -> dict:
    """Run every sweep, size by size; a route that fails at a size is not run for larger ones."""
    return {
        "cap": {"seconds": seconds, "gibibytes": gibibytes},
        "sweeps": [swept(sweep, progress, seconds, gibibytes) for sweep in chosen],
    }


def swept(sweep: Sweep, progress: Callable[[str], Any], seconds: float, gibibytes: float) -> dict:
    routes: dict[str, dict] = {name: {"points": [], "stopped": None} for name in sweep.routes}
    for size in sweep.sizes:
        reference = None
        for name, route in routes.items():
            if route["stopped"]:
                continue
            progress(f"{sweep.title}, {sweep.variable} = {size:,}: {name} ...")
            whole = {"digits": 8} | sweep.fixed | {sweep.variable: size}
            point = measured(name, whole, seconds, gibibytes)
            if "failed" in point:
                route["stopped"] = {"size": size, "why": point["failed"]}
                continue
            order = point.pop("order")
            reference = order if name == OURS else reference
            point["differs"] = None
            if name != OURS and reference and order:
                point["differs"] = float(np.max(np.abs(np.subtract(order, reference))))
            route["points"].append({"size": size} | point)
    for name, route in routes.items():
        route |= growth(route["points"], sweep.exponential(name))
    return {"title": sweep.title, "variable": sweep.variable, "fixed": sweep.fixed} | {
        "routes": [{"name": name} | route for name, route in routes.items()]
    }


def growth(points: list[dict], exponential: bool = False) -> dict:
    """Return the exponents of seconds and memory as defined by ``fitted``, or None if points are too few."""
    risen = [p for p in points if p["peak"] - p["base"] >= RISE]

    def exponent(some: list[dict], values: list[float]) -> float | None:
        return fitted([p["size"] for p in some], values, exponential) if len(some) >= 3 else None

    return {
        "exponential": exponential,
        "time": exponent(points, [p["seconds"] for p in points]),
        "memory": exponent(risen, [p["peak"] - p["base"] for p in risen]),
    }


def compared(data: dict) -> list[tuple[float, str, str]]:
    """Return (ratio of seconds, other route, size) for the routes that compute indices.

    The size is the largest that both reached.
    """
    found = []
    for sweep in data["sweeps"]:
        own, *others = sweep["routes"]
        ours = {p["size"]: p["seconds"] for p in own["points"]}
        for route in others:
            theirs = {p["size"]: p["seconds"] for p in route["points"]}
            if route["name"] in UNREAD or route["name"].startswith(OURS) or not ours.keys() & theirs.keys():
                continue
            size = max(ours.keys() & theirs.keys())
            place = setting(sweep["fixed"] | {sweep["variable"]: size})
            found.append((ours[size] / theirs[size], route["name"], place))
    return found


def setting(size: dict[str, int]) -> str:
    """Return a size as text, such as 'm = 100,000, d = 2, n = 5'."""
    return ", ".join(f"{name} = {size[name]:,}" for name in ("m", "d", "n", "digits") if name in size)


def verdict(data: dict) -> str:
    """State where this package is slower or faster than routes to the same indices without a proof."""
    parts: dict[str, list[str]] = {"slower": [], "faster": []}
    for ratio, name, place in sorted(compared(data), reverse=True):
        word, times = ("slower", ratio) if ratio > 1 else ("faster", 1 / ratio)
        parts[word].append(f"{times:.{0 if times >= 10 else 1}f} times {word} than {name} ({place})")
    return " ".join(f"orca-exact is {', '.join(items)}." for items in parts.values() if items)


def rate(value: float | None, variable: str, exponential: bool) -> str:
    """Return a rate of growth as text, such as 'm^1.1' or '4.0^d'."""
    if value is None:
        return "–"
    value = round(value, 1) + 0.0  # no -0.0
    return f"{value:.1f}^{variable}" if exponential else f"{variable}^{value:.1f}"
