"""Results for each pair of classes, and their display on one screen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import nan
from textwrap import wrap
from typing import Any, ClassVar, TypeVar

import numpy as np
from flint import fmpq

from ..errors import BadParameter, OrcaError, Undecided, ZeroClassifier, printable
from ..files.escaping import distinct, short_names
from ..measures.probability import IndexMeasure
from ..numbers.quantity import structurally_equal
from ..numbers.rationals import bounds, format_upper_bound
from ..plots import draw_indices, draw_panels
from ..plots.tables import CELL, html_table, text_table, to_dataframe
from ..problem import Problem
from ..profile.indices import IndexTable, Indices, V
from ..profile.profile import Profile
from ..profile.under import describe_under
from ..studies.bootstrap import Bootstrap
from ..studies.null import Null
from .shuffled import SHOWN_FAMILIES, IndexBand, shuffled_band
from .worth import (
    NO_LABELS,
    WIDTH,
    Evidence,
    Worth,
    equal_modes_of,
    judge_worth,
)
from .wrappers import PairKey

_ROWS = 12  # rows of a table; of the columns of X, 10 are shown if there are more
_LEADING = 10
_LINES = 6  # lines for orders
_VISIBLE = 5e-7  # a smaller share is 0.000000
ORDERS = 5  # columns for orders in a table
NOTES = 6  # notes below a table
SHARE_DECIMALS = 6  # decimals of a share; those of a ball are proved
_FEW = 6  # columns in the table of all pairs
_MATTERS, _ALONE = (
    0.05,
    0.1,
)  # a total that matters, and the part of it below which a column does little alone
_PAIRED = 60  # columns up to which the pairs of a column are compared
_BY_COLUMN = {"total": "total", "Shapley": "shapley", "marginal": "marginal"}  # label and name of each index


@dataclass(frozen=True, repr=False, eq=False)
class PairResult(IndexTable[V]):
    """Base class of the results for one pair of classes.

    ``rows`` are the row numbers of the points of ``problem`` in the data of the fit; the second class of
    ``key`` is y = 1. ``under`` has the measure of the indices for each column. ``null`` is the comparison
    with shuffled labels and ``bootstrap`` the study that were asked for. ``steps`` are the fitted
    transformers before the SVC.
    """

    problem: Problem
    profile: Profile[V]
    names: tuple[str, ...]
    rows: np.ndarray
    key: PairKey
    notes: tuple[str, ...]
    under: tuple[IndexMeasure, ...]
    evidence: Evidence = field(default_factory=Evidence, compare=False, kw_only=True)
    null: Null | None = field(default=None, compare=False, kw_only=True)
    bootstrap: Bootstrap | None = field(default=None, compare=False, kw_only=True)
    steps: tuple[Any, ...] = field(default=(), compare=False, kw_only=True)

    __eq__ = structurally_equal

    def __hash__(self) -> int:
        return hash((self.problem.sha256, self.key))

    @abstractmethod
    def summary_row(self) -> dict[str, Any]:
        """Return the entries of the summary table before the indices."""

    def family(self, name: str) -> Mapping[tuple[int, ...], V]:
        return self.profile.family(name)

    @property
    def has_degrees(self) -> bool:  # type: ignore[override]
        return self.profile.has_degrees

    @abstractmethod
    def facts(self) -> list[str]:
        """Return the lines before the indices: the size of the problem, and the kernel."""

    @abstractmethod
    def certainty(self) -> list[str]:
        """Return the lines after the indices: how certain the numbers are."""

    @cached_property
    def stated_problem(self) -> Problem:
        """The problem with the measures as they were given, such as ``Empirical()``."""
        return self.problem if self.under == self.problem.under else self.problem.replace(under=self.under)

    @property
    def under_description(self) -> str:  # type: ignore[override]
        """The measure under which the indices are computed, in words."""
        return describe_under(self.stated_problem)

    @cached_property
    def worth(self) -> Worth:
        """Whether the indices are worth reading; the model is cross-validated on first access."""
        return judge_worth([self], self.evidence)

    @cached_property
    def equal_modes(self) -> Mapping[str, Mapping[tuple[int, ...], Any]] | None:
        """The indices if all modes had the same weight; None if there are infinitely many."""
        return equal_modes_of(self)

    @cached_property
    def band(self) -> IndexBand:
        """Simultaneous 95 % band of the indices of shuffled labels; empty if there are none."""
        return shuffled_band(self.null) if self.null else {}

    @cached_property
    def columns(self) -> list[dict[str, Any]]:
        """A row for each column, the largest total index first.

        Each has the name, total index, Shapley effect and marginal; the band of the total index of shuffled
        labels and a corrected p-value with ``null``; its 95 % interval with a bootstrap. The p-value is that
        of the column for the prediction of new rows, or that of its total index for a study of the kind null.
        """
        rows = []
        for j, name in enumerate(self.names, 1):
            row: dict[str, Any] = {"column": name}
            row |= {family: self.family(family)[j,] for family in _BY_COLUMN.values()}
            if self.null:
                low, _, high = self.band.get(("total", (j,)), (nan, nan, nan))
                row |= {"shuffled_low": low, "shuffled_high": high, "p": self._p_values["total", (j,)]}
            if self.bootstrap:
                ends = self.bootstrap["total", j].get("percentile") or (None, None)
                row |= dict(zip(("bootstrap_low", "bootstrap_high"), ends, strict=True))
            rows.append(row)
        return sorted(rows, key=lambda row: -float(row["total"]))

    @cached_property
    def short_names(self) -> Mapping[str, str]:
        """The names of the columns as tables of text show them, by name."""
        return dict(zip(self.names, short_names(self.names, CELL), strict=True))

    @cached_property
    def _p_values(self) -> dict[Any, float]:
        """Corrected p-values: of the columns, or of the indices that are shown."""
        assert self.null is not None
        if self.null.prediction:
            return {("total", (j,)): p for j, p in enumerate(self.null.prediction.p_columns, 1)}
        return {(c.name, c.key): row["p_family"] for c, row in self.null.select(*SHOWN_FAMILIES)}

    @property
    def units(self) -> Callable[[np.ndarray], Any] | None:
        """The map from rows that the SVC saw to rows of X, or None if a step cannot be inverted."""
        if not self.steps or not all(hasattr(step, "inverse_transform") for step in self.steps):
            return None
        return lambda rows: reduce(lambda found, step: step.inverse_transform(found), self.steps[::-1], rows)

    def plot(
        self, kind: str = "orders", ax: Any = None, names: Sequence[str] | None = None, units: Any = None
    ) -> Any:
        """Draw the indices as ``Profile.plot`` does; with ``null`` in front of the band of shuffled labels.

        "shapes" has the units of X if the steps before the SVC can be inverted column by column, and those
        of the SVC otherwise; ``units`` replaces them.
        """
        if kind == "shapes" or units is not None:
            try:
                return self.profile.plot(kind, ax, names, self.units if units is None else units)
            except (ValueError, TypeError):
                if units is not None or self.units is None:
                    raise
                return self.profile.plot(kind, ax, names)
        family = {"orders": "order", "columns": "total"}.get(kind)
        if not self.band or family is None:
            return super().plot(kind, ax, names)
        band = {key: ends for (name, key), ends in self.band.items() if name == family}
        return draw_indices(
            kind, self, ax, names, band, meaning="95 % of shuffled labels, all indices at once"
        )

    @property
    def heading(self) -> list[str]:
        """The facts, and the measure of the indices."""
        return [*self.facts(), *under_line(self)]

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and what may make the indices misleading."""
        return self.notes

    def __str__(self) -> str:
        peak = [f"N* = {format_peak(self.profile)}"] if self.has_degrees else []
        worth, hint = split_hint(self.worth)
        columns = [*column_table(self), *_explain_band(self), *order_lines(self), *peak, *explain_total(self)]
        lines = [*worth, *self.heading, *columns, *self.certainty(), *self.remarks, *hint]
        return "\n".join(map(printable, lines))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        title = "\n".join([pair_title(self.key), *self.heading])
        notes = [*_explain_band(self), *explain_total(self), *self.certainty(), *self.remarks]
        columns = [{"column": row["column"]} | _column_cells(row) for row in self.columns]
        return (
            self.worth._repr_html_() + html_table(title, columns) + html_table("", self.summary_rows(), notes)
        )


P = TypeVar("P", bound=PairResult[Any])


class ByClassPair(Mapping[PairKey, P]):
    """Mapping of pairs of classes to results: ``results["setosa", "virginica"]``, in either order.

    Pairs without a result are listed separately with the reason: in ``undefined`` if w = 0, so that the
    indices are 0/0, and in ``undecided`` if w could not be proved to differ from 0.
    """

    title = ""
    headings: ClassVar[Mapping[str, str]] = {}  # of the printed table, if not the keys of the summary

    def __init__(self, parts: dict[PairKey, P], undefined: dict[PairKey, str], undecided: dict[PairKey, str]):
        self._parts, self.undefined, self.undecided = parts, undefined, undecided

    @cached_property
    def worth(self) -> Worth:
        """Whether the indices are worth reading; the whole model is cross-validated on first access."""
        parts = list(self.values())
        return judge_worth(parts, parts[0].evidence)

    @cached_property
    def columns(self) -> list[dict[str, Any]]:
        """A row for each column of X: its indices as means over the pairs, the largest mean total first.

        ``largest`` is its largest total index, in the pair ``pair``. ``results[pair].columns`` has the
        indices of one pair.
        """
        by_name: dict[str, list[tuple[PairKey, dict[str, Any]]]] = {}
        for key, part in self.items():
            for row in part.columns:
                by_name.setdefault(row["column"], []).append((key, row))
        rows = []
        for name, found in by_name.items():
            means = {
                family: sum(float(row[family]) for _, row in found) / len(self)
                for family in _BY_COLUMN.values()
            }
            key, largest = max(found, key=lambda item: float(item[1]["total"]))
            rows.append(
                {"column": name, **means, "largest": float(largest["total"]), "pair": pair_title(key)}
            )
        return sorted(rows, key=lambda row: -row["total"])

    def __getitem__(self, key: PairKey) -> P:
        key = key if isinstance(key, tuple) else (key,)
        swapped = (*key[:-2], *reversed(key[-2:]))
        return self._parts[key if key in self._parts else swapped]

    def __iter__(self) -> Iterator[PairKey]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def summary(self) -> list[dict[str, Any]]:
        """Return a row for each pair: accuracy, OKC^(q), N*, and total, Shapley effect and OKC_i by column.

        Pairs without indices come last.
        """
        return self._rows(_columns)

    def _rows(self, more: Callable[[P], dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the rows of the summary, with ``more`` instead of the indices by column."""
        rows = []
        for key, part in self.items():
            orders = {f"OKC^({q})": float(x) for q, x in enumerate(limited_orders(part.profile))}
            peak = {"N*": format_peak(part.profile)} if part.has_degrees else {}
            rows.append({"pair": pair_title(key)} | part.summary_row() | orders | peak | more(part))
        label = "N*" if any("N*" in row for row in rows) else "indices"
        for word, keys in (("undefined", self.undefined), ("undecided", self.undecided)):
            rows += [{"pair": pair_title(key), label: word} for key in keys]
        return rows

    @cached_property
    def means(self) -> Indices[float]:
        """The indices by order and by column as means over the pairs, whose columns must be the same."""
        first, *others = self.values()
        if any(part.names != first.names for part in others):
            raise BadParameter("columns", "those of the pairs", "differ", "use one pair: results[pair]")
        table = {
            family: {
                key: sum(float(part.family(family)[key]) for part in self.values()) / len(self)
                for key in first.family(family)
            }
            for family in SHOWN_FAMILIES
        }
        return Indices(table, names=first.names)

    def plot(self, kind: str = "orders", names: Sequence[str] | None = None) -> Any:
        """Draw one panel for each pair of classes; ``results[pair].plot`` draws a single one.

        "orders" and "columns" begin with a panel of the means over the pairs.
        """
        if kind == "shapes":
            key = ", ".join(map(repr, next(iter(self))))
            hint = f"use one of them, such as results[{key}].plot('shapes')"
            raise BadParameter("kind", repr(kind), "is drawn for one pair of classes", hint)
        panels: dict[str, Any] = self._by_title()
        if kind in ("orders", "columns") and len(self) > 1:
            panels = {f"mean over {len(self)} pairs": self.means} | panels
        return draw_panels(kind, panels, names)

    def __str__(self) -> str:
        rows = self._table()
        lines = text_table(rows[:_ROWS])
        more = [f"and {len(rows) - _ROWS} more: see summary()"] if len(rows) > _ROWS else []
        worth, hint = split_hint(self.worth)
        by_column = ["columns, means over the pairs:", *self._column_lines()] if len(self) > 1 else []
        heading = self._heading(len(rows)).split("\n")
        shown = [*worth, *heading, *lines, *more, *by_column, *self._notes(), *hint]
        return "\n".join(map(printable, shown))

    def _column_lines(self) -> list[str]:
        """Return the table of the leading columns."""
        labels = {family: label for label, family in _BY_COLUMN.items()}
        labels |= {"largest": "largest total", "pair": "in"}
        kept = self.columns[:_FEW]
        short = next(iter(self.values())).short_names
        kept = [row | {"column": short.get(row["column"], row["column"])} for row in kept]
        rows = [{labels.get(key, key): x for key, x in row.items()} for row in kept]
        more = [f"and {len(self.columns) - _FEW} more: see .columns"] if len(self.columns) > _FEW else []
        return [*text_table(rows), *more]

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = self._table()
        return self.worth._repr_html_() + html_table(self._heading(len(rows)), rows, self._notes())

    def _heading(self, count: int) -> str:
        first = next(iter(self.values()))
        kernel = describe_kernel(first.problem)
        if any(describe_kernel(part.problem) != kernel for part in self.values()):
            kernel += " (the first one; the parameters differ between the pairs)"
        return "\n".join([self.title.format(count), kernel, *under_line(first)])

    def _table(self) -> list[dict[str, Any]]:
        """Return the rows to print, with the largest orders and the column with the largest total index."""
        rows = keep_largest_orders(self._rows(_leading_column))
        return [{self.headings.get(key, key): x for key, x in row.items()} for row in rows]

    def _by_title(self) -> dict[str, P]:
        """Return each result under the title of its pair; equal titles of two pairs get a number."""
        return dict(zip(distinct([pair_title(key) for key in self]), self.values(), strict=True))

    def to_frame(self) -> Any:
        """Return the summary as a pandas.DataFrame."""
        return to_dataframe(self.summary())

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """Return the ``to_dict`` of each pair under its title."""
        return {title: part.to_dict(number) for title, part in self._by_title().items()}

    def _notes(self) -> list[str]:
        """Return the notes common to all pairs, then the others with their pair."""
        remarks = {key: part.remarks for key, part in self.items()}
        first, *others = remarks.values()
        common = [note for note in first if all(note in each for each in others)]
        own = [f"{pair_title(key)}: {x}" for key, each in remarks.items() for x in each if x not in common]
        own = [f"{pair_title(key)}: {why}" for key, why in (self.undefined | self.undecided).items()] + own
        more = [f"and {len(own) - NOTES} more notes: see .notes of each pair"] if len(own) > NOTES else []
        return [*common, *own[:NOTES], *more]


def for_each_pair(
    found: Iterable[Any], work: Callable[[Any], P], several: type[ByClassPair[P]]
) -> P | ByClassPair[P]:
    """Apply ``work`` to every pair and return the single result, or all of them as ``several``.

    A pair with w = 0, or whose result is undecided, does not stop the others.
    """
    done: dict[PairKey, P] = {}
    undefined: dict[PairKey, str] = {}
    undecided: dict[PairKey, str] = {}
    errors = []
    for part in found:
        try:
            done[part.key] = work(part)
        except OrcaError as error:
            why, error.args = str(error), (f"{pair_title(part.key)}: {error}",)
            if not isinstance(error, ZeroClassifier | Undecided):
                raise
            (undefined if isinstance(error, ZeroClassifier) else undecided)[part.key] = why
            errors.append(error)
    if not done:
        raise errors[0]
    return several(done, undefined, undecided) if len(done) + len(errors) > 1 else next(iter(done.values()))


def keep_largest_orders(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Keep the largest orders, without those that are 0, and add the sum of the others as ``rest``."""
    labels = dict.fromkeys(key for row in rows for key in row if key.startswith("OKC"))
    mass = {label: sum(row.get(label, 0.0) for row in rows) for label in labels}
    ranked = sorted((label for label in labels if mass[label] > _VISIBLE), key=lambda label: -mass[label])
    dropped, left = labels.keys() - set(ranked[:ORDERS]), ranked[ORDERS:]
    out = []
    for row in rows:
        kept = {key: x for key, x in row.items() if key not in dropped}
        if left and left[0] in row:
            end = max(k for k, key in enumerate(kept) if key.startswith("OKC")) + 1
            items, rest = list(kept.items()), sum(row.get(key, 0.0) for key in left)
            kept = dict([*items[:end], ("rest", rest), *items[end:]])
        out.append(kept)
    return out


def pair_title(key: PairKey) -> str:
    """Return a title such as 'fold 1: setosa against virginica'."""
    *folds, a, b = (printable(str(part)) for part in key or ("first", "second"))
    return ": ".join([*folds, f"{a} against {b}"])


def format_peak(profile: Profile[Any]) -> str:
    """Return N* as text, or all candidates if it is undecided."""
    try:
        return str(profile.peak)
    except Undecided as error:
        return "/".join(map(str, error.candidates))


def describe_kernel(problem: Problem) -> str:
    """Return the number of columns, the kernel and its number of modes in words."""
    return f"{problem.d} columns, {problem.kernel_description}: {problem.size_description}"


def under_line(part: PairResult[Any]) -> list[str]:
    """Return the line that states the measure of the indices, if the kernel does not have its own."""
    return [] if part.problem.kernel.own_measures else [f"indices under {part.under_description}"]


def limited_orders(profile: Profile[V]) -> list[V]:
    """Return OKC^(q) for the orders that the kernel has."""
    return profile.order[: profile.problem.highest_order + 1]


def split_hint(worth: Worth) -> tuple[list[str], list[str]]:
    """Return the lines before a result, and those after it if all that is missing are the labels."""
    return ([], worth.lines) if worth.reason == NO_LABELS and not worth.remarks else (worth.lines, [])


def column_table(part: PairResult[Any]) -> list[str]:
    """Return a table of total index, Shapley effect and OKC_i, with the leading columns if there are many."""
    rows = part.columns
    kept = rows if len(rows) <= _ROWS else rows[:_LEADING]
    kept = [row for row in kept if _is_visible(row["total"])]
    cells = [{"column": part.short_names[row["column"]]} | _column_cells(row) for row in kept]
    lines = text_table(cells) if kept else []
    if rest := rows[len(kept) :]:
        most = format_upper_bound(max(_upper(row["total"]) for row in rest))
        lines.append(f"and {len(rest)} more columns, each with a total of at most {most}")
    return lines


def _column_cells(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of one column of X as text."""
    cells = {label: _share(row[family]) for label, family in _BY_COLUMN.items()}
    if "p" in row:
        cells["shuffled labels"] = f"{row['shuffled_low']:.3f} to {row['shuffled_high']:.3f}"
        cells["p"] = f"{row['p']:.3f}"
    if "bootstrap_low" in row:
        ends = row["bootstrap_low"], row["bootstrap_high"]
        cells["bootstrap 95 %"] = "-" if None in ends else "{:.4f} to {:.4f}".format(*ends)
    return cells


def _explain_band(part: PairResult[Any]) -> list[str]:
    """Return a sentence on the band and the p-values of shuffled labels."""
    if part.null is None or part.null.prediction is None:
        return []
    repeats, proofs = part.null.settings["repeats"], part.null.counts["proofs"]
    defined = repeats - proofs.get("zero", 0) - proofs.get("undecided", 0)
    few = f", of which {defined} have indices that are defined and decided," if defined < repeats else ""
    said = (
        f"shuffled labels: 95 % of {repeats} certified shufflings{few} have all indices within these "
        "limits; p: whether the column helps to predict new rows, corrected for the number of columns "
        "(fits of libsvm in float64, not proved)"
    )
    return wrap(said, WIDTH, break_on_hyphens=False)


def explain_total(part: PairResult[Any]) -> list[str]:
    """Return a sentence on the column that does least alone compared with its total, if it does little."""
    if len(part.names) < 2 or part.worth.sentence.startswith("Not"):
        return []
    acts = [row for row in part.columns if float(row["total"]) >= _MATTERS]
    quiet = [row for row in acts if float(row["marginal"]) < _ALONE * float(row["total"])]
    if not quiet:
        return []
    name, total, alone = quiet[0]["column"], float(quiet[0]["total"]), float(quiet[0]["marginal"])
    j, others = part.names.index(name) + 1, ""
    if len(part.names) <= _PAIRED:
        pair = part.family("pair")
        key = max((key for key in pair if j in key), key=lambda key: float(pair[key]))
        other = part.names[next(i for i in key if i != j) - 1]
        if (most := float(pair[key])) >= _ALONE * total:
            others = f", most with {other} ({most:.6f})"
    said = (
        f"The column {name} does almost nothing alone (marginal {alone:.6f}), but it acts together with "
        f"other columns{others}: its total of {total:.6f} counts both, so judge a column by its total."
    )
    return wrap(printable(said), WIDTH, break_on_hyphens=False)


def order_lines(part: PairResult[Any]) -> list[str]:
    """Return a line for each OKC^(q) that is not 0; only the largest ones if there are many.

    Beside it is the share if all modes had equal weight, and the band of shuffled labels.
    """
    profile = part.profile
    orders = [(q, x) for q, x in enumerate(limited_orders(profile)) if q or _is_visible(x)]
    if len(orders) > _LINES:
        orders.sort(key=lambda item: -float(item[1]))
    kept = [(q, x) for q, x in orders[:_LINES] if _is_visible(x)]
    lines = [f"OKC^({q}) = {_share(x)}{_beside_order(part, q)}" for q, x in kept]
    shown = {q for q, _ in kept}
    if rest := [x for q, x in orders if q not in shown]:
        lines.append(f"and {len(rest)} more orders, none above {format_upper_bound(max(map(_upper, rest)))}")
    return lines


def _beside_order(part: PairResult[Any], q: int) -> str:
    """Return what the share of an order is compared with."""
    words = {1: "single columns", 2: "pairs"}.get(q, f"{q} columns together")
    found = [] if q == 0 else [words]
    if part.equal_modes is not None:
        found.append(f"equal modes: {float(part.equal_modes['order'][q,]):.6f}")
    if ends := part.band.get(("order", (q,))):
        p = part._p_values.get(("order", (q,)))
        tested = "" if p is None else f", p = {p:.3f}"
        found.append(f"shuffled labels: {ends[0]:.3f} to {ends[2]:.3f}{tested}")
    return f"  ({'; '.join(found)})" if found else ""


def _columns(part: PairResult[Any]) -> dict[str, float]:
    """Return total, Shapley effect and OKC_i of every column."""
    return {
        f"{label}_{name}": float(x)
        for label, family in _BY_COLUMN.items()
        for name, x in zip(part.names, part.family(family).values(), strict=True)
    }


def _leading_column(part: PairResult[Any]) -> dict[str, str]:
    """Return the name of the column with the largest total index, and that index."""
    names = short_names(part.names, CELL - 7)
    x, name = max((float(x), name) for x, name in zip(part.family("total").values(), names, strict=True))
    return {"largest total": f"{name} {x:.4f}"}


def _upper(x: Any) -> fmpq:
    return bounds(x, _ROWS)[1]


def _is_visible(x: Any) -> bool:
    """Return whether a share may round to more than 0.000000."""
    return float(_upper(x)) > _VISIBLE


def _share(x: Any) -> str:
    return f"{abs(x) if isinstance(x, float) else x:.{SHARE_DECIMALS}f}"
