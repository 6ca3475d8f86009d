"""Results for each pair of classes, and their display on one screen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ..errors import OrcaError, Undecided, ZeroClassifier, printable, shorten
from ..numbers.quantity import structurally_equal
from ..numbers.rationals import bounds, decimal, rounded_up
from ..plots import draw_panels
from ..plots.tables import html_table, text_table, to_dataframe
from ..problem import Problem
from ..profile.indices import IndexTable, V
from ..profile.profile import Profile
from .wrappers import PairKey

_ROWS = 12  # rows of a table or list
ORDERS = 5  # columns for orders in a table
NOTES = 6  # notes below a table
_LONGEST = 60  # characters of a column name


@dataclass(frozen=True, repr=False, eq=False)
class PairResult(IndexTable[V]):
    """Base class of the results for one pair of classes.

    ``rows`` are the row numbers of the points of ``problem`` in the data of the fit; the second class of
    ``key`` is y = 1.
    """

    problem: Problem
    profile: Profile[V]
    names: tuple[str, ...]
    rows: np.ndarray
    key: PairKey
    notes: tuple[str, ...]

    __eq__ = structurally_equal

    def __hash__(self) -> int:
        return hash((self.problem.sha256, self.key))

    @abstractmethod
    def row(self) -> dict[str, Any]:
        """Return the entries of the summary table before the indices."""

    def family(self, name: str) -> Mapping[tuple[int, ...], V]:
        return self.profile.family(name)

    @abstractmethod
    def __str__(self) -> str: ...

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        facts = str(self).split("\nOKC_")[0]
        return html_table(f"{pair_title(self.key)}\n{facts}", self.listed(), self.notes)


P = TypeVar("P", bound=PairResult[Any])


class ByClassPair(Mapping[PairKey, P]):
    """Mapping of pairs of classes to results: ``results["setosa", "virginica"]``, in either order.

    Pairs without a result are listed separately with the reason: in ``undefined`` if w = 0, so that the
    indices are 0/0, and in ``undecided`` if w could not be proved to differ from 0.
    """

    title = ""

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
        """Return a row for each pair: accuracy, OKC^(q) and N*; pairs without indices come last."""
        rows = []
        for key, part in self.items():
            orders = {f"OKC^({q})": float(x) for q, x in enumerate(part.profile.order)}
            rows.append({"pair": pair_title(key)} | part.row() | orders | {"N*": peak_text(part.profile)})
        for word, keys in (("undefined", self.undefined), ("undecided", self.undecided)):
            rows += [{"pair": pair_title(key), "N*": word} for key in keys]
        return rows

    def plot(self, kind: str = "orders", names: Sequence[str] | None = None) -> Any:
        """Draw one panel for each pair of classes; ``results[pair].plot`` draws a single one."""
        return draw_panels(kind, {pair_title(key): part for key, part in self.items()}, names)

    def __str__(self) -> str:
        rows = self.summary()
        lines = text_table(keep_largest_orders(rows)[:_ROWS])
        more = [f"and {len(rows) - _ROWS} more: see summary()"] if len(rows) > _ROWS else []
        return "\n".join([self.title.format(len(rows)), *lines, *more, *self._notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = self.summary()
        return html_table(self.title.format(len(rows)), keep_largest_orders(rows), self._notes())

    def to_frame(self) -> Any:
        """Return the summary as a pandas.DataFrame."""
        return to_dataframe(self.summary())

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """Return the ``to_dict`` of each pair under its title."""
        return {pair_title(key): part.to_dict(number) for key, part in self.items()}

    def _notes(self) -> list[str]:
        """Return the notes common to all pairs, then the others with their pair."""
        first, *others = self.values()
        common = [note for note in first.notes if all(note in part.notes for part in others)]
        own = [f"{pair_title(key)}: {x}" for key, part in self.items() for x in part.notes if x not in common]
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
    """Keep the columns of the largest orders, and add the sum of the others as ``rest``."""
    labels = dict.fromkeys(key for row in rows for key in row if key.startswith("OKC"))
    mass = {label: sum(row.get(label, 0.0) for row in rows) for label in labels}
    left = set(sorted(labels, key=lambda label: -mass[label])[ORDERS:])
    out = []
    for row in rows:
        kept = {key: x for key, x in row.items() if key not in left}
        if left and len(kept) < len(row):
            peak = kept.pop("N*")
            kept |= {"rest": sum(x for key, x in row.items() if key in left), "N*": peak}
        out.append(kept)
    return out


def pair_title(key: PairKey) -> str:
    """Return a title such as 'fold 1: setosa against virginica'."""
    *folds, a, b = (str(part) for part in key or ("first", "second"))
    return ": ".join([*folds, f"{a} against {b}"])


def peak_text(profile: Profile[Any]) -> str:
    """Return N* as text, or all candidates if it is undecided."""
    try:
        return str(profile.peak)
    except Undecided as error:
        return "/".join(map(str, error.candidates))


def shares_by_column(profile: Profile[Any], names: tuple[str, ...]) -> list[str]:
    """Return lines with OKC by column and by order; only the largest ones if there are many."""
    labels = (printable(shorten(label, _LONGEST)) for label in names)
    columns = [(f"OKC_{label}", x) for label, x in zip(labels, profile.marginal.values(), strict=True)]
    orders = [(f"OKC^({q})", x) for q, x in enumerate(profile.order)]
    lines = []
    for family in (columns, orders):
        kept, rest = family, []
        if len(family) > _ROWS // 2:
            ranked = sorted(family, key=lambda item: -float(item[1]))
            kept, rest = ranked[: _ROWS // 2], ranked[_ROWS // 2 :]
        lines += [f"{label} = {_share(x)}" for label, x in kept]
        if rest:
            most = max(bounds(x, _ROWS)[1] for _, x in rest)
            lines.append(f"and {len(rest)} more, none above {rounded_up(most)}")
    return lines


def _share(x: Any) -> str:
    return f"{abs(x):.6f}" if isinstance(x, float) else decimal(x, 12)
