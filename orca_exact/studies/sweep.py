"""``sweep``: a table with one row for each model of a grid, every model certified."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from io import BytesIO, StringIO
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from ..errors import BadInput, BadParameter, PackageMissing, TooLarge
from ..files.escaping import csv_row, for_matplotlib
from ..files.formats import parse, write
from ..measures.measure import Measure
from ..numbers.rationals import to_text
from ..problem import Problem, require_problem
from ..profile.indices import INDICES
from ..profile.under import describe_under
from .engine import MISSING, read_single, study_columns
from .predict import predict_signs
from .study import Study, StudyRow
from .subject import takes_models_jointly
from .text import PARAMETERS
from .work import Work, encode_problem, run_tasks

MODELS = 1_000_000  # largest number of models in a grid
KERNEL_FIELDS = ("order", "gamma", "degree", "coef0")


@dataclass(frozen=True, repr=False, eq=False)
class Sweep(Study):
    """A tidy table of models: the problem, the parameters, how it was proved, and all listed indices."""

    settings: StudyRow
    table: tuple[StudyRow, ...]
    kind = "sweep"

    def rows(self) -> list[StudyRow]:
        """Return one row for each model, all with the same columns; a number that it lacks is None."""
        names = dict.fromkeys(name for row in self.table for name in row)
        without = {"kernel": "orthogonal"}  # which is stated if other rows have another kernel
        return [{name: row.get(name, without.get(name)) for name in names} for row in self.table]

    def to_json(self) -> StudyRow:
        return self._header() | {"rows": self.rows()}

    def to_csv(self, path: str | Path | None = None) -> str:
        """Return the table as comma-separated values, and write it to ``path`` if one is given."""
        rows, out = self.rows(), StringIO()
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(csv_row, rows))
        return _save(out.getvalue(), path)

    def to_jsonl(self, path: str | Path | None = None) -> str:
        """Return the table as JSON lines, and write it to ``path`` if one is given."""
        return _save("".join(json.dumps(row) + "\n" for row in self.rows()), path)

    def to_parquet(self, path: str | Path) -> None:
        """Write the table to a Parquet file; this needs pandas and pyarrow."""
        out = BytesIO()
        try:
            self.to_frame().to_parquet(out)
        except ImportError:
            raise PackageMissing("pyarrow", "pandas", "pyarrow") from None
        write(path, out.getvalue())

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """Draw the table over n or, for other kernels, over the degree or gamma.

        ``kind="orders"`` stacks the orders, with one panel for each data set and value of the other
        parameters. The name of a numeric column ("peak", "threshold_0.05", "order_2", "total_1", "accuracy")
        draws one line for each of these.
        """
        from ..plots import STYLE, import_matplotlib

        groups: dict[str, list[StudyRow]] = {}
        rows = self.rows()
        differing = [key for key in PARAMETERS if len({row.get(key) for row in rows}) > 1]
        known = [key for key in ("n", "degree", "gamma", "kernel") if rows[0].get(key) is not None]
        across = next((key for key in known if key in differing), known[0])
        if "kernel" in differing:  # each kernel has a place of its own
            across, differing = "kernel", [key for key in differing if key in ("id", "C")]
        varied = [key for key in differing if key != across]
        names = {key: f"{key} = " for key in ("C", "gamma", "degree", "coef0")} | {"order": "order at most "}
        for row in rows:
            label = ", ".join(f"{names.get(key, '')}{row[key]}" for key in varied)
            groups.setdefault(label, []).append(row)
        if kind != "orders" and not any(isinstance(row.get(kind), int | float) for row in rows):
            known = [key for key, x in rows[0].items() if isinstance(x, int | float)]
            raise BadParameter(
                "kind", repr(kind), "is not a numeric column", "pass one of orders, " + ", ".join(known)
            )
        panels = len(groups) if kind == "orders" else 1
        if ax is not None and panels > 1:
            raise BadParameter(
                "ax", "one", f"was given for {panels} panels", "leave it out, or sweep over n alone"
            )
        mpl = import_matplotlib()
        from ..plots.picture import Picture

        with mpl.rc_context(STYLE):
            if ax is None:
                wide = min(3, panels)
                down = -(-panels // wide)
                figure: Any = Picture(3.2 * wide + 1, 2.4 * down + 0.4)
                axes: Any = figure.subplots(down, wide, squeeze=False).ravel()
                for unused in axes[panels:]:
                    unused.set_visible(False)
                axes = axes[:panels]
            else:
                axes, figure = [ax], ax.figure
            if kind == "orders":
                for axis, (label, some) in zip(axes, groups.items(), strict=True):
                    draw_stacked_orders(mpl, axis, some, label, across)
            else:
                for label, some in groups.items():
                    values = [float("nan") if row[kind] is None else row[kind] for row in some]
                    at = [_place(row, across) for row in some]
                    shown = for_matplotlib(label)  # a legend leaves out labels that begin with "_"
                    shown = f" {shown}" if shown.startswith("_") else shown
                    axes[0].plot(at, values, marker="o", ms=3, lw=1, label=shown)
                axes[0].set(xlabel=axis_label(across), ylabel=kind)
                if varied:
                    axes[0].legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
        return figure


def axis_label(parameter: str) -> str:
    """Return a parameter as the label of an axis."""
    return {"n": "$n$", "gamma": r"$\gamma$", "kernel": ""}.get(parameter, parameter)


def _place(row: StudyRow, parameter: str) -> str:
    """Return the place of a row on the axis of a parameter; the kernel is stated with its parameters."""
    if parameter != "kernel":
        return for_matplotlib(row[parameter])
    own = (f"{key} = {row[key]}" for key in ("n", "degree", "gamma", "coef0") if row.get(key) is not None)
    return "\n".join(map(for_matplotlib, [row["kernel"], *own]))


def draw_stacked_orders(
    mpl: Any, axis: Any, rows: Sequence[StudyRow], label: str, parameter: str = "n"
) -> None:
    """Draw the orders over n, or over another parameter, as stacked bars."""
    orders = [key for key in rows[0] if key.startswith("order_") and rows[0][key] is not None]
    colours = mpl.colormaps["viridis_r"]([(q + 0.5) / len(orders) for q in range(len(orders))])
    at, base = [_place(row, parameter) for row in rows], [0.0] * len(rows)
    for key, colour in zip(orders, colours, strict=True):
        heights = [row[key] or 0.0 for row in rows]
        axis.bar(at, heights, bottom=base, color=colour, width=0.85, label=key.removeprefix("order_"))
        base = [a + b for a, b in zip(base, heights, strict=True)]
    axis.set(ylim=(0, 1), xlabel=axis_label(parameter), ylabel="orders, stacked")
    axis.set_title(for_matplotlib(label))
    axis.legend(title="order", loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)


@takes_models_jointly
def sweep(
    problems: Problem | Iterable[Problem] | Mapping[str, Problem],
    n: Iterable[Any] | None = None,
    measures: Iterable[Any] | None = None,
    C: Iterable[Any] | None = None,
    order: Iterable[Any] | None = None,
    gamma: Iterable[Any] | None = None,
    degree: Iterable[Any] | None = None,
    coef0: Iterable[Any] | None = None,
    on_row: Callable[[StudyRow], object] | None = None,
    **work: Any,
) -> Sweep:
    """Certify every problem with every combination of the given parameters.

    ``n``, ``measures`` and ``order`` are parameters of orthogonal-polynomial kernels, ``degree`` and
    ``coef0`` of polynomial kernels, and ``gamma`` of polynomial and RBF kernels.

    Parameters
    ----------
    problems : Problem, iterable of Problem, mapping of names to Problem, audit, or fitted model
        The data sets, with the parameters that are not varied. A fitted model is followed by its data, as in
        ``sweep(model, X, y)``; each pair of its classes is a data set.
    n : iterable, optional
        Degrees; a member may be a list with one degree for each column.
    measures : iterable, optional
        Measures; a member may be a list with one measure for each column.
    C : iterable, optional
        Values of C.
    order : iterable, optional
        Limits of the order of the kernel, from 1 to the number of columns, which means no limit.
    gamma, degree, coef0 : iterable, optional
        Parameters of ``RBF`` and ``Polynomial``.
    on_row : callable, optional
        Called with each row of the table as soon as it and those before it are computed.
    **work
        Execution options ``jobs``, ``scheduler``, ``keep`` and ``progress``, see ``Work``.

    Returns
    -------
    Sweep
        One row for each model, with correctly rounded indices. ``accuracy`` is the training accuracy; a point
        whose side of the boundary is not proved counts as misclassified. ``modes`` is None if there are
        infinitely many.

    Examples
    --------
    >>> from orca_exact import Jacobi
    >>> X = [[x / 8, y / 8] for x in (-7, -2, 1, 6) for y in (-5, -3, 2, 7)]
    >>> problem = Problem(X, [1 if x * y > 0 else -1 for x, y in X], n=1, alpha=0, beta=0, id="xor")
    >>> study = sweep(problem, n=[1, 2], measures=[Jacobi(0, 0), Jacobi(1, 1)], C=[1, 10], keep=False)
    >>> len(study.rows()), study.rows()[0]["measure"], study.rows()[0]["peak"]
    (8, 'Jacobi(0, 0)', 2)
    >>> [(row["order"], row["modes"]) for row in sweep(problem, order=[1, 2], keep=False).rows()]
    [(1, 3), (2, 4)]
    >>> from orca_exact import RBF
    >>> rows = sweep(Problem(problem.X, problem.y, kernel=RBF(1)), gamma=["1/2", 2], keep=False).rows()
    >>> [(row["kernel"], row["gamma"], row["under"]) for row in rows]
    [('rbf', '0.5', 'the empirical distribution of each column'), ('rbf', '2', 'the empirical ... column')]
    """
    named = _named(problems)
    given_axes = {"measures": measures, "n": n, "C": C, "order": order}
    given_axes |= {"gamma": gamma, "degree": degree, "coef0": coef0}
    axes = {key: _axis(values, key) for key, values in given_axes.items()}
    count = len(named) * prod(map(len, axes.values()))
    if count > MODELS:
        raise TooLarge("sweep", f"{count} models", MODELS, "use a coarser grid")
    models = []
    for name, problem in named.items():
        for changes in product(*axes.values()):
            given = {key: x for key, x in zip(axes, changes, strict=True) if x is not None}
            try:
                changed = {key: given.pop(key) for key in KERNEL_FIELDS if key in given}
                models.append((name, replace_kernel(problem.replace(**given), changed)))
            except BadInput as error:
                error.args = (f"{name}: {error}",)
                raise
    different = {model.sha256: model for _, model in models}
    keys = [{"study": "sweep", "problem": digest} for digest in different]

    def arguments(key: StudyRow) -> tuple[Any, ...]:
        return (encode_problem(different[key["problem"]]),)

    found: dict[str, StudyRow] = {}
    table: list[StudyRow] = []
    for key, result in run_tasks(compute_model, keys, arguments, Work(**work)):
        found[key["problem"]] = result
        while len(table) < len(models) and models[len(table)][1].sha256 in found:
            name, model = models[len(table)]
            table.append(_row(name, model, found[model.sha256]))
            if on_row:
                on_row(table[-1])
    return Sweep({"models": len(table)}, tuple(table))


def replace_kernel(problem: Problem, changes: Mapping[str, Any]) -> Problem:
    """Return the problem with other values of some parameters of its kernel."""
    kernel: Any = problem.kernel
    for key, value in changes.items():
        if key not in {field.name for field in fields(kernel)}:
            rule = f"was given, but the kernel of the problem ({problem.kernel_description}) does not have it"
            raise BadParameter(key, value, rule, "leave it out")
    if not changes:
        return problem
    under = {} if kernel.own_measures is not None else {"under": problem.under}
    return problem.replace(kernel=replace(kernel, **changes), **under)


def compute_model(problem: str) -> StudyRow:
    """Return the numbers of one model, how it was proved, its active set and its correct predictions."""
    given = Problem.from_json(parse(problem, "problem"))
    reading = read_single(given)
    signs = predict_signs(given, given.points.tolist(), reading.certificate)
    right = sum(sign == label for sign, label in zip(signs, given.y, strict=True))
    return {"values": reading.values, "proof": reading.proof, "active": reading.active, "right": right}


def _row(name: str, model: Problem, found: StudyRow) -> StudyRow:
    free, bound = found["active"] or (None, None)
    row: StudyRow = {
        "id": name, "m": model.m, "d": model.d, **_kernel_fields(model), "order": model.highest_order,
        "C": to_text(model.C), "modes": None if model.kernel.modes is None else model.modes,
        "proof": found["proof"],
        "free": None if free is None else len(free), "bound": None if bound is None else len(bound),
        "support": None if free is None or bound is None else len(free) + len(bound),
        "accuracy": found["right"] / model.m,
    }  # fmt: skip
    for column, x in zip(study_columns(model), found["values"], strict=True):
        if column.name not in INDICES or INDICES[column.name].is_listed(model.d):
            value = x if column.unit == 1 else x / column.unit
            row[column.identifier] = None if x == MISSING else value
    return row


def _kernel_fields(model: Problem) -> StudyRow:
    """Return the parameters of the kernel, and the measure of the indices if it is not that of the kernel."""
    if model.kernel.own_measures is not None:
        return {"measure": _joined([repr(each) for each in model.measures]), "n": _joined(model.degrees)}
    known = model.kernel.to_json()
    return {"kernel": known.pop("family"), **known, "under": describe_under(model)}


def _joined(values: Sequence[Any]) -> Any:
    return values[0] if len(set(values)) == 1 else ", ".join(map(str, values))


def _named(problems: Any) -> dict[str, Problem]:
    """Name the problems: as given, by their ids if these are distinct, or by number."""
    if not isinstance(problems, Iterable) or isinstance(problems, str):
        require_problem(problems)
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
                "problems", f"{name} is a {type(problem).__name__},", "not a Problem", "pass only Problems"
            )
    if not found:
        raise BadParameter("problems", "the list", "is empty", "pass at least one problem")
    return found


def _axis(values: Any, name: str) -> list[Any]:
    """Return the values along one axis of the grid; None stands for the problem's own value."""
    if values is None:
        return [None]
    if isinstance(values, str | bytes | Measure) or not hasattr(values, "__iter__"):
        raise BadParameter(name, repr(values)[:40], "is not a list", f"write {name}=[...]")
    listed = list(values)
    if not listed:
        raise BadParameter(name, "the list", "is empty", "leave it out, or pass at least one value")
    return listed


def _save(content: str, path: str | Path | None) -> str:
    if path is not None:
        write(path, content)
    return content
