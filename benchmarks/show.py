"""Tables of the results for the terminal, and one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .growth import rate, setting

METHOD = {
    "results": "Times are CPU seconds of one thread, the best of several alternating runs.",
    "growth": "Times are CPU seconds of one thread after the imports, memory is the peak of the process.",
    "targets": "Times are CPU seconds of one thread after the imports, memory is the peak of the process.",
    "cluster": "Times are wall times, the least of three runs that take turns; needs two idle cores.",
    "peers": "Times are CPU seconds of one thread; shap's and ours are those of one row.",
    "comparison": "Times are CPU seconds of one thread.",
}


def seconds(s: float) -> str:
    if s < 0.1:
        return f"{s * 1000:.3g} ms"
    return f"{s:.3g} s" if s < 100 else f"{s:.0f} s"


def number(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def growth(curve: dict) -> str:
    """Return a rate of growth as text, such as 'n^1.9' or '5.7^d'."""
    g, v = curve["growth"], curve["variable"]
    return f"{g:.1f}^d" if (v, curve["route"]) == ("d", "enumeration") else f"{v}^{g:.1f}"


def rows(data: dict) -> dict[str, list[tuple[str, ...]]]:
    """Return tables by title, each with its head as first row, for the terminal and the documentation."""
    tables: dict[str, list[tuple[str, ...]]] = {}
    head: tuple[str, ...]
    if races := data.get("races"):
        head = ("task", "orca-exact", "other library", "takes", "ratio")
        tables["Compared with other libraries"] = [head] + [
            (race["task"], seconds(race["ours"]["seconds"]), other["name"], seconds(other["seconds"]),
             f"{other['ratio']:.1f}x")
            for race in races for other in race["others"]
        ]  # fmt: skip
    if curves := data.get("curves"):
        head = ("profile", "route", "from", "to", "grows like")
        tables["Two-way profile, float64"] = [head] + [
            (f"{c['variable']} = {c['sizes'][0]} ... {c['sizes'][-1]}, {c['task']}", c["route"],
             seconds(c["seconds"][0]), seconds(c["seconds"][-1]), growth(c))
            for c in curves
        ]  # fmt: skip
    if single := data.get("single"):
        tables["Single tasks"] = [("task", "arithmetic", "takes", "memory")] + [
            (row["task"], row["name"], seconds(row["seconds"]), f"{row['peak']:.0f} MiB") for row in single
        ]
    if certificates := data.get("certificates"):
        head = ("m", "level", "solve", "certify", "check", "digits of w", "file", "memory")
        tables["Certificates, d = 3, n = 5, (α, β) = (1/2, 0), C = 10"] = [head] + [
            (str(c["m"]), c["level"], seconds(c["solve"]), seconds(c["certify"]), seconds(c["check"]),
             "all" if c["digits"] is None else str(c["digits"]), f"{c['kilobytes']} KiB",
             f"{c['peak']:.0f} MiB")
            for c in certificates
        ]  # fmt: skip
    if whole := data.get("whole"):
        tables["Complete commands (wall time, memory of the process)"] = [
            ("command", "takes", "memory", "")
        ] + [(row["task"], seconds(row["seconds"]), f"{row['peak']:.0f} MiB", row["name"]) for row in whole]
    for sweep in data.get("sweeps", []):
        title = f"Growth with {sweep['variable']}, {sweep['title']}: {setting(sweep['fixed'])}"
        head = ("route", "from", "to", "memory", "time", "memory grows", "differs by", "ended")
        tables[title] = [head] + [_route(route, sweep["variable"]) for route in sweep["routes"]]
    if paths := data.get("paths"):
        title = (
            f"The path in C, in balls: {setting({name: paths[name] for name in 'dn'})}; segments grow like "
        )
        title += f"m^{paths['segments']:.1f}, seconds like segments^{paths['seconds']:.1f}"
        tables[title] = [
            ("m", "segments", "path", "one certificate", "path over it", "memory")
        ] + [
            (str(row["m"]), str(row["segments"]), seconds(row["path"]), seconds(row["certify"]),
             f"{row['path'] / row['certify']:.1f}", f"{row['peak']:.0f} MiB")
            for row in paths["rows"]
        ]  # fmt: skip
    if targets := data.get("targets"):
        tables["Targets"] = [("target", "measured", "wanted", "met", "note")] + [
            (row["target"], number(row["value"], row["unit"]),
             row["wanted"] or "–", {None: "–", True: "yes", False: "no"}[row["met"]], row["note"])
            for row in targets
        ]  # fmt: skip
    for task in dict.fromkeys(row["task"] for row in data.get("peers", [])):
        tables[task] = [("program", "takes", "largest error")] + [
            (row["name"], seconds(row["seconds"]), f"{row['error']:.1e}")
            for row in data["peers"] if row["task"] == task
        ]  # fmt: skip
    if uses := data.get("uses"):
        tables["Which columns does the SVC use?"] = [
            ("program", "what it computes", "takes", "largest error", "first three columns")
        ] + [
            (row["program"], row["answer"], seconds(row["seconds"]),
             "–" if row["error"] is None else f"{row['error']:.1e}", ", ".join(row["first"]))
            for row in uses
        ]  # fmt: skip
    if said := data.get("no signal"):
        tables["Labels in random order"] = [("program", "what it says")] + [
            (row["program"], row["says"]) for row in said
        ]
    if readable := data.get("readable"):
        models = list(dict.fromkeys(row["model"] for row in readable))
        found = {(row["data"], row["model"]): row for row in readable}
        tables["Readable models: accuracy on new rows, and the time of the fit"] = [("data", *models)] + [
            (name, *(f"{found[name, model]['accuracy']:.3f}, {seconds(found[name, model]['seconds'])}"
                     for model in models))
            for name in dict.fromkeys(row["data"] for row in readable)
        ]  # fmt: skip
    if peers := data.get("peer versions"):
        tables["Versions"] = [("package", "version"), *peers.items()]
    if sentences := data.get("sentences"):
        tables["Sentences that are also true for shuffled labels"] = [
            ("sentence", "observed", "shuffled", "of")
        ] + [
            (row["words"], "yes" if row["observed"] else "no", str(row["shuffled"]), str(row["repeats"]))
            for row in sentences
        ]
    return tables


def _route(route: dict, variable: str) -> tuple[str, ...]:
    """One line of a growth table."""
    stopped = route["stopped"]
    ended = f"{stopped['size']:,}: {stopped['why']}" if stopped else ""
    if not (points := route["points"]):
        return (route["name"], *["–"] * 6, ended)
    first, last = (f"{point['size']:,}: {seconds(point['seconds'])}" for point in (points[0], points[-1]))
    differing = [point["differs"] for point in points if point["differs"] is not None]
    grows = (rate(route[kind], variable, route["exponential"]) for kind in ("time", "memory"))
    differs = f"{max(differing):.0e}" if differing else "–"
    return (route["name"], first, last, f"{points[-1]['peak']:.0f} MiB", *grows, differs, ended)


def tables(data: dict, console: Any) -> None:
    from rich.table import Table

    left = {"task", "other library", "profile", "route", "arithmetic", "level", "command"}
    left |= {
        "target",
        "ended",
        "note",
        "sentence",
        "program",
        "what it computes",
        "what it says",
        "data",
        "package",
    }
    left |= {"first three columns"}
    for title, (head, *body) in rows(data).items():
        table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        for name in head:
            table.add_column(name, justify="left" if name in left else "right", overflow="fold")
        for row in body:
            table.add_row(*row)
        console.print(table)
        console.print()


def plot(data: dict, path: Path) -> None:
    """Draw ratios as bars, the two routes as curves, and certificates by size."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    _bars(axes[0, 0], data.get("races", []))
    for axis, variable in ((axes[0, 1], "n"), (axes[1, 0], "d")):
        _curves(axis, [c for c in data.get("curves", []) if c["variable"] == variable])
    _certificates(axes[1, 1], data.get("certificates", []))
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def _bars(axis: Any, races: list) -> None:
    pairs = [
        (f"{race['task']}\n{other['name']}", other["ratio"]) for race in races for other in race["others"]
    ]
    labels, ratios = zip(*reversed(pairs), strict=True) if pairs else ((), ())
    bars = axis.barh(range(len(ratios)), ratios, color="#3465a4")
    axis.set_yticks(range(len(labels)), labels, fontsize=7)
    axis.bar_label(bars, [f" {r:.1f}x" for r in ratios], fontsize=8)
    axis.set(xscale="log", title="times the CPU seconds of orca-exact")
    axis.axvline(1, color="black", linewidth=0.8)
    axis.margins(x=0.2)


def _curves(axis: Any, curves: list) -> None:
    for c, mark in zip(curves, "os", strict=False):
        axis.plot(c["sizes"], c["seconds"], mark + "-", label=f"{c['route']}, ~ {growth(c)}")
        axis.set(
            title=f"two-way profile, {c['task']}", xlabel=c["variable"], ylabel="CPU seconds", yscale="log"
        )
    axis.legend(fontsize=8)
    axis.grid(alpha=0.3)


def _certificates(axis: Any, rows: list) -> None:
    from matplotlib.ticker import NullLocator

    for level, mark in (("gap", "o"), ("ball", "s"), ("exact", "^")):
        chosen = [row for row in rows if row["level"] == level]
        sizes = [row["m"] for row in chosen]
        (line,) = axis.plot(sizes, [row["certify"] for row in chosen], mark + "-", label=f"certify, {level}")
        axis.plot(
            sizes,
            [row["check"] for row in chosen],
            mark + ":",
            color=line.get_color(),
            label=f"check, {level}",
        )
    axis.set(title="certificates", xlabel="points m", ylabel="CPU seconds", xscale="log", yscale="log")
    axis.set_xticks(sorted({row["m"] for row in rows}), sorted({str(row["m"]) for row in rows}, key=int))
    axis.xaxis.set_minor_locator(NullLocator())
    axis.legend(fontsize=8)
    axis.grid(alpha=0.3)
