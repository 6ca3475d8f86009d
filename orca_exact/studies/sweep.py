"""``sweep``: one row for each model of a grid, every model certified.

>>> from orca_exact import Jacobi
>>> X = [[x / 8, y / 8] for x in (-7, -2, 1, 6) for y in (-5, -3, 2, 7)]
>>> problem = Problem(X, [1 if x * y > 0 else -1 for x, y in X], n=1, alpha=0, beta=0, id="xor")
>>> study = sweep(problem, n=[1, 2], measures=[Jacobi(0, 0), Jacobi(1, 1)], C=[1, 10], keep=False)
>>> len(study.rows()), study.rows()[0]["measure"], study.rows()[0]["peak"]
(8, 'Jacobi(0, 0)', 2)
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from ..errors import BadInput, BadParameter, PackageMissing, TooLarge
from ..files.formats import parse, write
from ..measures.measure import Measure
from ..numbers.rationals import text
from ..problem import Problem
from ..profile.indices import INDICES
from .engine import DECIMALS, MISSING, Column, read_single, study_columns
from .predict import predicted_signs
from .study import STUDY_SCHEMA, Study, StudyRow
from .work import Tasks, Work, encode_problem, run_tasks

MODELS = 1_000_000


@dataclass(frozen=True, repr=False, eq=False)
class Sweep(Study):
    """A tidy table: who it is, what was fitted, how it was proved, every index that a page lists."""

    settings: StudyRow
    table: tuple[StudyRow, ...]
    kind = "sweep"

    def rows(self) -> list[StudyRow]:
        """One for each model, all with the same names; None where it has no such number."""
        names = dict.fromkeys(name for row in self.table for name in row)
        return [{name: row.get(name) for name in names} for row in self.table]

    def to_json(self) -> StudyRow:
        return {
            "schema": STUDY_SCHEMA,
            "kind": self.kind,
            **self.settings,
            "decimals": DECIMALS,
            "rows": self.rows(),
        }

    def to_csv(self, path: str | Path | None = None) -> str:
        """As comma-separated values; into a file where one is named."""
        rows, out = self.rows(), StringIO()
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return _kept(out.getvalue(), path)

    def to_jsonl(self, path: str | Path | None = None) -> str:
        """As JSON, a line for each row; into a file where one is named."""
        return _kept("".join(json.dumps(row) + "\n" for row in self.rows()), path)

    def to_parquet(self, path: str | Path) -> None:
        """Into a Parquet file; needs pandas and pyarrow."""
        out = BytesIO()
        try:
            self.to_frame().to_parquet(out)
        except ImportError:
            raise PackageMissing("pyarrow", "pandas pyarrow, or take to_csv") from None
        write(path, out.getvalue())

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """Over n: "orders" stacked, a panel for each data set, measure and C; or a line for each, of one
        column of the table: "peak", "threshold_0.05", "order_2", "accuracy"."""
        from ..plots import STYLE, matplotlib

        groups: dict[str, list[StudyRow]] = {}
        rows = self.rows()
        varied = [key for key in ("id", "measure", "C") if len({row[key] for row in rows}) > 1]
        for row in rows:
            label = ", ".join(f"C = {row[key]}" if key == "C" else str(row[key]) for key in varied)
            groups.setdefault(label, []).append(row)
        if kind != "orders" and not any(isinstance(row.get(kind), int | float) for row in rows):
            known = [key for key, x in rows[0].items() if isinstance(x, int | float)]
            raise BadParameter(
                "kind", repr(kind), "is no number of the table", "take orders, " + ", ".join(known)
            )
        panels = len(groups) if kind == "orders" else 1
        if ax is not None and panels > 1:
            raise BadParameter(
                "ax", "one", f"is given for {panels} panels", "leave it out, or sweep over n alone"
            )
        mpl = matplotlib()
        from matplotlib.figure import Figure

        with mpl.rc_context(STYLE):
            if ax is None:
                across = min(3, panels)
                down = -(-panels // across)
                figure = Figure(figsize=(3.2 * across + 1, 2.4 * down + 0.4), layout="constrained")
                axes: Any = figure.subplots(down, across, squeeze=False).ravel()[:panels]
            else:
                axes, figure = [ax], ax.figure
            if kind == "orders":
                for axis, (label, some) in zip(axes, groups.items(), strict=True):
                    draw_stacked_orders(mpl, axis, some, label)
            else:
                for label, some in groups.items():
                    values = [float("nan") if row[kind] is None else row[kind] for row in some]
                    axes[0].plot([str(row["n"]) for row in some], values, marker="o", ms=3, lw=1, label=label)
                axes[0].set(xlabel="$n$", ylabel=kind)
                if varied:
                    axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        return figure


def draw_stacked_orders(mpl: Any, axis: Any, rows: Sequence[StudyRow], label: str) -> None:
    """Orders on top of each other over n."""
    orders = [key for key in rows[0] if key.startswith("order_") and rows[0][key] is not None]
    colours = mpl.colormaps["viridis_r"]([(q + 0.5) / len(orders) for q in range(len(orders))])
    at, base = [str(row["n"]) for row in rows], [0.0] * len(rows)
    for key, colour in zip(orders, colours, strict=True):
        heights = [row[key] or 0.0 for row in rows]
        axis.bar(at, heights, bottom=base, color=colour, width=0.85, label=key.removeprefix("order_"))
        base = [a + b for a, b in zip(base, heights, strict=True)]
    axis.set(ylim=(0, 1), xlabel="$n$", ylabel="orders, stacked", title=label)
    axis.legend(title="order", loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)


def sweep(
    problems: Problem | Iterable[Problem] | Mapping[str, Problem],
    n: Iterable[Any] | None = None,
    measures: Iterable[Any] | None = None,
    C: Iterable[Any] | None = None,
    **work: Any,
) -> Sweep:
    """Every problem with every one of these measures, degrees and C; without them, with its own.

    ``problems``: one, several, or by name. A member of ``n`` or ``measures`` may be a list, one for each
    column. Each model is certified and its indices correctly rounded; ``accuracy`` is that on its own points,
    where a side that is not proved counts as wrong. ``jobs``, ``scheduler``, ``keep``, ``progress``: see
    ``Work``.
    """
    named = _named(problems)
    axes = {"measures": _axis(measures, "measures"), "n": _axis(n, "n"), "C": _axis(C, "C")}
    count = len(named) * prod(map(len, axes.values()))
    if count > MODELS:
        raise TooLarge("sweep", f"{count} models", MODELS, "take a coarser grid")
    models = []
    for name, problem in named.items():
        for changes in product(*axes.values()):
            given = {key: x for key, x in zip(axes, changes, strict=True) if x is not None}
            try:
                models.append((name, problem.replace(**given)))
            except BadInput as error:
                error.args = (f"{name}: {error}",)
                raise
    different = {model.sha256: model for _, model in models}
    tasks = Tasks(
        list(different),
        lambda digest: ({"study": "sweep", "problem": digest}, (encode_problem(different[digest]),)),
    )
    found = {key["problem"]: result for key, result in run_tasks(compute_model, tasks, Work(**work))}
    table = tuple(_row(name, model, found[model.sha256]) for name, model in models)
    return Sweep({"models": len(table)}, table)


def compute_model(problem: str) -> StudyRow:
    """One model."""
    given = Problem.from_json(parse(problem, "problem"))
    reading = read_single(given)
    sides = predicted_signs(given, given.points.tolist(), reading.certificate)
    right = sum(side == label for side, label in zip(sides, given.y, strict=True))
    return {"values": reading.values, "proof": reading.proof, "active": reading.active, "right": right}


def _row(name: str, model: Problem, found: StudyRow) -> StudyRow:
    free, bound = found["active"] or (None, None)
    row: StudyRow = {
        "id": name, "m": model.m, "d": model.d, "measure": _one([repr(each) for each in model.measures]),
        "n": _one(model.degrees), "C": text(model.C), "modes": model.modes, "proof": found["proof"],
        "free": None if free is None else len(free), "bound": None if bound is None else len(bound),
        "support": None if free is None or bound is None else len(free) + len(bound),
        "accuracy": found["right"] / model.m,
    }  # fmt: skip
    for column, x in zip(study_columns(model), found["values"], strict=True):
        if column.name not in INDICES or INDICES[column.name].listed(model.d):
            value = x if column.unit == 1 else x / column.unit
            row[_called(column)] = None if x == MISSING else value
    return row


def _called(column: Column) -> str:
    """'order_2', 'pair_1_2', 'even', 'peak', 'threshold_0.1'."""
    return "_".join([column.name, *map(str, column.key)])


def _one(values: Sequence[Any]) -> Any:
    return values[0] if len(set(values)) == 1 else ", ".join(map(str, values))


def _named(problems: Any) -> dict[str, Problem]:
    """By name: as given, their ids, or numbers."""
    if isinstance(problems, Problem):
        problems = [problems]
    if isinstance(problems, Mapping):
        found = {str(name): problem for name, problem in problems.items()}
    else:
        listed = _axis(problems, "problems")
        ids = [getattr(problem, "id", "") for problem in listed]
        named = all(ids) and len(set(ids)) == len(ids)
        found = {ids[k] if named else f"problem {k + 1}": p for k, p in enumerate(listed)}
    for name, problem in found.items():
        if not isinstance(problem, Problem):
            raise BadParameter(
                "problems", f"{name} is a {type(problem).__name__}", "and no Problem", "give Problems"
            )
    if not found:
        raise BadParameter("problems", "none", "are given", "give at least one")
    return found


def _axis(values: Any, name: str) -> list[Any]:
    """The members of one side of the grid; one that is None leaves the problem's own."""
    if values is None:
        return [None]
    if isinstance(values, str | bytes | Measure) or not hasattr(values, "__iter__"):
        raise BadParameter(name, repr(values)[:40], "is not a list of them", f"write {name}=[...]")
    listed = list(values)
    if not listed:
        raise BadParameter(name, "none", "are given", "leave it out, or give at least one")
    return listed


def _kept(content: str, path: str | Path | None) -> str:
    if path is not None:
        write(path, content)
    return content
