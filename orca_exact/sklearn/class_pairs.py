"""Results for each pair of classes, and their display on one screen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeVar

import numpy as np
from flint import fmpq

from ..errors import OrcaError, Undecided, ZeroClassifier, shorten
from ..measures.probability import IndexMeasure
from ..numbers.quantity import structurally_equal
from ..numbers.rationals import bounds, format_decimal, format_upper_bound
from ..plots import draw_panels
from ..plots.tables import CELL, html_table, text_table, to_dataframe
from ..problem import Problem
from ..profile.indices import IndexTable, V
from ..profile.profile import Profile
from ..profile.under import describe_under
from .wrappers import PairKey

_ROWS = 12  # rows of a table; of the columns of X, 10 are shown if there are more
_LEADING = 10
_LINES = 6  # lines for orders
_VISIBLE = 5e-7  # a smaller share is 0.000000
ORDERS = 5  # columns for orders in a table
NOTES = 6  # notes below a table
_BY_COLUMN = {"total": "total", "Shapley": "shapley", "marginal": "marginal"}  # label and name of each index


@dataclass(frozen=True, repr=False, eq=False)
class PairResult(IndexTable[V]):
    """Base class of the results for one pair of classes.

    ``rows`` are the row numbers of the points of ``problem`` in the data of the fit; the second class of
    ``key`` is y = 1. ``under`` has the measure of the indices for each column.
    """

    problem: Problem
    profile: Profile[V]
    names: tuple[str, ...]
    rows: np.ndarray
    key: PairKey
    notes: tuple[str, ...]
    under: tuple[IndexMeasure, ...]

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
        """Return the lines before the indices: the kernel, and how the result was computed."""

    @cached_property
    def stated_problem(self) -> Problem:
        """The problem with the measures as they were given, such as ``Empirical()``."""
        return self.problem if self.under == self.problem.under else self.problem.replace(under=self.under)

    @property
    def under_description(self) -> str:  # type: ignore[override]
        """The measure under which the indices are computed, in words."""
        return describe_under(self.stated_problem)

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
        return "\n".join(
            [*self.heading, *column_table(self.profile), *order_lines(self.profile), *peak, *self.remarks]
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html_table("\n".join([pair_title(self.key), *self.heading]), self.summary_rows(), self.remarks)


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

    def plot(self, kind: str = "orders", names: Sequence[str] | None = None) -> Any:
        """Draw one panel for each pair of classes; ``results[pair].plot`` draws a single one."""
        return draw_panels(kind, {pair_title(key): part for key, part in self.items()}, names)

    def __str__(self) -> str:
        rows = self._table()
        lines = text_table(rows[:_ROWS])
        more = [f"and {len(rows) - _ROWS} more: see summary()"] if len(rows) > _ROWS else []
        return "\n".join([self._heading(len(rows)), *lines, *more, *self._notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = self._table()
        return html_table(self._heading(len(rows)), rows, self._notes())

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

    def to_frame(self) -> Any:
        """Return the summary as a pandas.DataFrame."""
        return to_dataframe(self.summary())

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """Return the ``to_dict`` of each pair under its title."""
        return {pair_title(key): part.to_dict(number) for key, part in self.items()}

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
    *folds, a, b = (str(part) for part in key or ("first", "second"))
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


def column_table(profile: Profile[Any]) -> list[str]:
    """Return a table of total index, Shapley effect and OKC_i, with the leading columns if there are many."""
    total = list(profile.family("total").values())
    ranked = sorted(range(len(total)), key=lambda j: -float(total[j]))
    kept = ranked if len(ranked) <= _ROWS else ranked[:_LEADING]
    kept = [j for j in kept if _is_visible(total[j])]
    names = profile.names or [f"x{j}" for j in range(1, profile.d + 1)]
    families = {label: list(profile.family(name).values()) for label, name in _BY_COLUMN.items()}
    lines = text_table(
        [{"column": names[j]} | {label: _share(x[j], 8) for label, x in families.items()} for j in kept]
    )
    if rest := ranked[len(kept) :]:
        most = format_upper_bound(max(_upper(total[j]) for j in rest))
        lines.append(f"and {len(rest)} more columns, each with a total of at most {most}")
    return lines


def order_lines(profile: Profile[Any]) -> list[str]:
    """Return a line for each OKC^(q) that is not 0; only the largest ones if there are many."""
    orders = [(q, x) for q, x in enumerate(limited_orders(profile)) if q or _is_visible(x)]
    if len(orders) > _LINES:
        orders.sort(key=lambda item: -float(item[1]))
    kept = [(q, x) for q, x in orders[:_LINES] if _is_visible(x)]
    lines = [f"OKC^({q}) = {_share(x, 12)}" for q, x in kept]
    shown = {q for q, _ in kept}
    if rest := [x for q, x in orders if q not in shown]:
        lines.append(f"and {len(rest)} more orders, none above {format_upper_bound(max(map(_upper, rest)))}")
    return lines


def _columns(part: PairResult[Any]) -> dict[str, float]:
    """Return total, Shapley effect and OKC_i of every column."""
    return {
        f"{label}_{name}": float(x)
        for label, family in _BY_COLUMN.items()
        for name, x in zip(part.names, part.family(family).values(), strict=True)
    }


def _leading_column(part: PairResult[Any]) -> dict[str, str]:
    """Return the name of the column with the largest total index, and that index."""
    x, name = max((float(x), name) for x, name in zip(part.family("total").values(), part.names, strict=True))
    return {"largest total": f"{shorten(name, CELL - 7)} {x:.4f}"}


def _upper(x: Any) -> fmpq:
    return bounds(x, _ROWS)[1]


def _is_visible(x: Any) -> bool:
    """Return whether a share may round to more than 0.000000."""
    return float(_upper(x)) > _VISIBLE


def _share(x: Any, digits: int) -> str:
    return f"{abs(x):.6f}" if isinstance(x, float) else format_decimal(x, digits, radius=False)
