"""Targets of the project, as ratios measured in one run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

from .contenders import OURS
from .point import ROOT, measured
from .show import seconds

SECONDS, GIBIBYTES = 150.0, 6.0  # limits for one point
BEFORE = 292.0  # seconds of the audit at m = 800, d = 12, n = 3 when the target was set
MB = 2**20 / 10**6
FIT, MODES = "SVC.fit + Gram", "SVC.fit + Gram + modes"
LINEAR, HINGE = "LinearSVC + modes", "LinearSVC, hinge + modes"
LIMITED, LIMITED_LINEAR = "orca-exact, order 2", "LinearSVC + modes, order 2"
CANCER, CANCER_FIT = "orca-exact, order 2, breast cancer", "SVC.fit, order 2, breast cancer"
GAUSSIAN, GAUSSIAN_FIT = "orca-exact, RBF", "SVC.fit, RBF"
PRINTED, SHUFFLED = "audit and print, RBF", "null, RBF, shuffled"
IMPORT = "<= 3"
STARTS = {"--help": "<= 0.3", "profile examples/problems/xor.json": "<= 1"}
WHOLE = {
    "verify -j 1 --offline --quiet": {"empty": "<= 20", "full": "<= 6"},
    "report -j 1 --offline --quiet -o OUT": {"empty": "<= 40"},
}
SIZES = {  # full size, and size with --quick
    "first": ((800, 12, 3), (60, 5, 3)),
    "wide": ((1500, 30, 3), (60, 8, 3)),
    "long": ((5000, 8, 3), (90, 4, 3)),
    "few": ((100_000, 2, 5), (500, 2, 5)),
    "small": ((61, 5, 5), (30, 3, 3)),
    "cancer": ((569, 30, 3), (60, 8, 2)),
    "tall": ((20_000, 12, 3), (300, 5, 2)),
    "middle": ((5000, 12, 0), (90, 4, 0)),
    "rows": ((1000, 10, 0), (60, 4, 0)),
    "columns": ((20, 400, 0), (12, 70, 0)),
    "audit": ((3000, 12, 2), (60, 5, 2)),
    "echo": ((61, 5, 25), (20, 5, 3)),
    "spiral5": ((300, 2, 5), (30, 2, 3)),
    "spiral16": ((300, 2, 16), (30, 2, 4)),
    "long2": ((5000, 2, 1), (60, 2, 1)),
    "null": ((426, 5, 1), (30, 3, 1)),
    "null25": ((61, 5, 25), (30, 3, 2)),
    "million": ((1_000_000, 2, 5), (700, 2, 5)),
    **{f"broad{n}": ((200, 100, n), (30, 10, n)) for n in (1, 2, 3)},
}
Value = tuple[str, Callable[..., float]]
RATIO: Value = ("times", lambda mine, theirs: mine["seconds"] / theirs["seconds"])
BEYOND: Value = ("times", lambda mine, theirs: (mine["seconds"] - 2) / theirs["seconds"])
SINCE: Value = ("times", lambda mine: BEFORE / mine["seconds"])
TIME: Value = ("s", lambda mine: mine["seconds"])
MEMORY: Value = ("MB", lambda mine: mine["peak"] * MB)
RATE: Value = ("per second", lambda mine: 1 / mine["seconds"])
ROWS: tuple[tuple[str, tuple[str, ...], str, Value, str], ...] = (
    ("audit over SVC.fit + Gram", ("audit", FIT), "first", RATIO, "<= 25"),
    (f"audit, faster than the {BEFORE:g} s it took", ("audit",), "first", SINCE, ">= 20"),
    ("audit, memory", ("audit",), "wide", MEMORY, "<= 2000"),
    ("audit", ("audit",), "long", TIME, "completes"),
    ("profile over LinearSVC on the features", (OURS, LINEAR), "few", RATIO, "<= 4"),
    ("the same, with the hinge loss of the SVM", (OURS, HINGE), "few", RATIO, ""),
    ("profile, memory", (OURS,), "few", MEMORY, "<= 2000"),
    ("certified profiles", (OURS,), "small", RATE, ""),
    ("profiles by libsvm and modes in NumPy, unproved", (MODES,), "small", RATE, ""),
    ("order 2, breast cancer: every index over SVC.fit", (CANCER, CANCER_FIT), "cancer", RATIO, "<= 150"),
    (
        "order 2: every index over LinearSVC on the features",
        (LIMITED, LIMITED_LINEAR),
        "tall",
        RATIO,
        "<= 20",
    ),
    ("order 2: every index, memory", (LIMITED,), "tall", MEMORY, "<= 2000"),
    *(("order 2: every index", (LIMITED,), f"broad{n}", TIME, "completes") for n in (1, 2, 3)),
    (
        "RBF, breast cancer: every index over SVC.fit",
        (f"{GAUSSIAN}, breast cancer", f"{GAUSSIAN_FIT}, breast cancer"),
        "cancer",
        RATIO,
        "<= 150",
    ),
    ("RBF: every index over SVC.fit", (GAUSSIAN, GAUSSIAN_FIT), "middle", RATIO, "<= 200"),
    ("RBF: every index, memory", (GAUSSIAN,), "middle", MEMORY, ""),
    ("audit without 2 s, over SVC.fit + Gram", ("audit", FIT), "audit", BEYOND, "<= 5"),
    ("every index, exact, echocardiogram", ("exact, echocardiogram",), "echo", TIME, "<= 10"),
    ("every index, 50 digits, echocardiogram", ("balls, echocardiogram",), "echo", TIME, "<= 0.6"),
    *(
        (text, tasks, name, value, wanted)
        for name in ("spiral5", "spiral16")
        for text, tasks, value, wanted in (
            ("path of our spiral over all C", ("path, spiral",), TIME, "<= 60"),
            ("the same over SVC.fit at 100 C", ("path, spiral", "SVC.fit at 100 C, spiral"), RATIO, ""),
        )
    ),
    ("path over all C: every index", ("path, every index",), "long2", TIME, "completes"),
    *(
        (text, tasks, name, value, wanted)
        for name, most in (("null", "<= 30"), ("null25", "<= 15"))
        for text, tasks, value, wanted in (
            ("study null, 1,000 shufflings", ("null, shuffled",), TIME, most),
            ("the same over SVC.fit for each", ("null, shuffled", "SVC.fit, shuffled"), RATIO, ""),
        )
    ),
    ("study null, RBF, 99 shufflings", ("null, RBF, shuffled",), "cancer", TIME, "<= 8"),
    (
        "the same over SVC.fit for each",
        ("null, RBF, shuffled", "SVC.fit, RBF, shuffled"),
        "cancer",
        RATIO,
        "",
    ),
    ("RBF, audit and print, many columns", (PRINTED,), "columns", TIME, "<= 1.5"),
    ("RBF, audit and print", (PRINTED,), "rows", TIME, "<= 1"),
    ("RBF, audit and print over SVC.fit", (PRINTED, GAUSSIAN_FIT), "middle", RATIO, "<= 40"),
    ("RBF, audit and print, memory", (PRINTED,), "middle", MEMORY, "<= 1000"),
    ("profile, memory", (OURS,), "million", MEMORY, "<= 4000"),
)


def met(value: float | None, wanted: str) -> bool | None:
    """Return whether '<= 300', '>= 20' or 'completes' is met; None if there is no target."""
    if not wanted:
        return None
    if value is None or wanted == "completes":
        return value is not None
    sign, limit = wanted.split()
    return value <= float(limit) if sign == "<=" else value >= float(limit)


def row(target: str, unit: str, value: float | None, wanted: str, note: str) -> dict[str, Any]:
    return {"target": target, "value": value, "unit": unit, "wanted": wanted, "met": met(value, wanted),
            "note": note}  # fmt: skip


def row_of_points(
    target: str, unit: str, value: Callable[..., float], wanted: str, points: list[dict]
) -> dict:
    """Return a row from measured points, with the reason if one of them failed."""
    if why := [point["failed"] for point in points if "failed" in point]:
        return row(target, unit, None, wanted, why[0])
    mine, *others = points
    note = f"{seconds(mine['seconds'])}, {mine['peak'] * MB:.0f} MB"
    note += "".join(f"; {seconds(other['seconds'])}" for other in others)
    return row(target, unit, value(*points), wanted, note)


def started(command: str, wanted: str, repeat: int = 5) -> dict:
    """Measure the wall time of a command with all imports, and its CPU seconds."""
    found, target = [], f"orca-exact {command}"
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), _children()
        arguments = [sys.executable, "-m", "orca_exact", *command.split()]
        done = subprocess.run(arguments, cwd=ROOT, capture_output=True)
        found.append((time.perf_counter() - wall, _children() - cpu))
        if done.returncode:
            return row(target, "s", None, wanted, f"exit code {done.returncode}")
    wall, cpu = (min(column) for column in zip(*found, strict=True))
    return row(target, "s", wall, wanted, f"wall time, the least of {repeat} runs; CPU time {seconds(cpu)}")


def completed(command: str, wanted: dict[str, str]) -> list[dict]:
    """Measure the CPU seconds of a command of the paper in one process, for each state of the cache."""
    rows = []
    with TemporaryDirectory() as cache:
        for state, limit in wanted.items():
            before, target = _children(), f"orca-exact {command}, {state} cache"
            arguments = [sys.executable, "-m", "orca_exact", *command.replace("OUT", f"{cache}/out").split()]
            done = subprocess.run(
                arguments, cwd=ROOT, env=os.environ | {"ORCA_EXACT_CACHE": cache}, capture_output=True
            )
            if done.returncode:
                rows.append(row(target, "s", None, limit, f"exit code {done.returncode}"))
            else:
                rows.append(row(target, "s", _children() - before, limit, "CPU time with the imports"))
    return rows


def imported(wanted: str, repeat: int = 5) -> dict:
    """Measure the CPU seconds to import the library relative to those to import NumPy, which it needs."""
    lines = ("from orca_exact import Problem, certify, orca, path", "import numpy")
    found: tuple[list[float], ...] = ([], [])
    for _ in range(repeat):
        for line, seconds_of in zip(lines, found, strict=True):
            before = _children()
            subprocess.run([sys.executable, "-c", line], cwd=ROOT, check=True)
            seconds_of.append(_children() - before)
    mine, theirs = map(min, found)
    note = (
        f"{seconds(mine)}, NumPy {seconds(theirs)}, both with the start of Python; the least of {repeat} runs"
    )
    return row(f"{lines[0]}, over {lines[1]}", "times", mine / theirs, wanted, note)


def compile_packages() -> None:
    """Write the bytecode of the packages, as pip does when it installs them."""
    packages = [str(ROOT / name) for name in ("orca_exact", "proofs_checks")]
    subprocess.run([sys.executable, "-m", "compileall", "-q", *packages], check=True)


def _children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def run(
    progress: Callable[[str], Any] = lambda text: None,
    cap: float = SECONDS,
    gibibytes: float = GIBIBYTES,
    quick: bool = False,
) -> dict:
    """Measure every row, and each point only once; with ``quick``, small sizes without targets."""
    known: dict[tuple, dict] = {}

    def point(task: str, m: int, d: int, n: int) -> dict:
        if (key := (task, m, d, n)) not in known:
            progress(f"{task}, m = {m:,}, d = {d}, n = {n} ...")
            known[key] = measured(task, {"m": m, "d": d, "n": n, "digits": 8}, cap, gibibytes)
        return known[key]

    rows = []
    for target, tasks, name, (unit, value), wanted in ROWS:
        if quick and value is SINCE[1]:
            continue  # holds for one size only
        m, d, n = SIZES[name][quick]
        points, wanted = [point(task, m, d, n) for task in tasks], "" if quick else wanted
        rows.append(row_of_points(f"{target}: m = {m:,}, d = {d}, n = {n}", unit, value, wanted, points))
    compile_packages()
    rows += [started(command, wanted, 1 if quick else 5) for command, wanted in STARTS.items()]
    if not quick:
        for command, limits in WHOLE.items():
            progress(f"orca-exact {command} ...")
            rows += completed(command, limits)
    rows.append(imported("" if quick else IMPORT, 1 if quick else 5))
    return {"cap": {"seconds": cap, "gibibytes": gibibytes}, "targets": rows}
