"""One result for each pair of classes, and how results are shown: on one screen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ..errors import OrcaError, Undecided, ZeroClassifier, printable, short
from ..number import bounds, decimal, rounded_up
from ..plots import panels
from ..problem import Problem
from ..profile.profile import Profile
from ..shown import frame, html, table
from .wrappers import Key

ROWS = 12  # of a table or list on one screen
ORDERS = 5  # columns of them
NOTES = 6
LONGEST = 60  # characters of a column's name


class Part(Protocol):
    """What is known of one pair of classes."""

    @property
    def problem(self) -> Problem:
        """What was solved, or its support vectors."""

    @property
    def profile(self) -> Profile[Any]:
        """Its indices."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be known with it."""

    def row(self) -> dict[str, Any]:
        """Its line of the summary table, before the indices."""

    def to_dict(self, number: Callable[[Any], Any] = ...) -> dict[str, Any]:
        """Its indices as plain numbers."""


P = TypeVar("P", bound=Part)


class Several(Mapping[Key, P]):
    """One result for each pair of classes: ``found["setosa", "virginica"]``, in either order.

    ``undefined`` has the pairs with w = 0, whose indices are 0/0, ``undecided`` those of which too little is
    proved, each with the reason; they are not in the mapping.
    """

    title = ""

    def __init__(self, parts: dict[Key, P], undefined: dict[Key, str], undecided: dict[Key, str]):
        self._parts, self.undefined, self.undecided = parts, undefined, undecided

    def __getitem__(self, key: Key) -> P:
        key = key if isinstance(key, tuple) else (key,)
        swapped = (*key[:-2], *reversed(key[-2:]))
        return self._parts[key if key in self._parts else swapped]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def summary(self) -> list[dict[str, Any]]:
        """A row for each pair, for ``pandas.DataFrame``: who, how exact, OKC^(q), N*; no indices: last."""
        rows = []
        for key, part in self.items():
            orders = {f"OKC^({q})": float(x) for q, x in enumerate(part.profile.order)}
            rows.append({"pair": name(key)} | part.row() | orders | {"N*": peak(part.profile)})
        for word, keys in (("undefined", self.undefined), ("undecided", self.undecided)):
            rows += [{"pair": name(key), "N*": word} for key in keys]
        return rows

    def plot(self, kind: str = "orders", names: Sequence[str] | None = None) -> Any:
        """A picture for each pair of classes, in one figure; ``found[pair].plot`` draws one."""
        return panels(kind, {name(key): part for key, part in self.items()}, names)

    def __str__(self) -> str:
        rows = self.summary()
        lines = table(largest(rows)[:ROWS])
        more = [f"and {len(rows) - ROWS} more: see summary()"] if len(rows) > ROWS else []
        return "\n".join([self.title.format(len(rows)), *lines, *more, *self._notes()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = self.summary()
        return html(self.title.format(len(rows)), largest(rows), self._notes())

    def to_frame(self) -> Any:
        """The summary as a pandas frame."""
        return frame(self.summary())

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """That of each pair, by its name."""
        return {name(key): part.to_dict(number) for key, part in self.items()}

    def _notes(self) -> list[str]:
        """Each once: of all pairs, or with the pair it is about."""
        first, *others = self.values()
        common = [note for note in first.notes if all(note in part.notes for part in others)]
        own = [f"{name(key)}: {x}" for key, part in self.items() for x in part.notes if x not in common]
        own = [f"{name(key)}: {why}" for key, why in (self.undefined | self.undecided).items()] + own
        more = [f"and {len(own) - NOTES} more notes: see the notes of each pair"] if len(own) > NOTES else []
        return [*common, *own[:NOTES], *more]


def each(found: Iterable[Any], work: Callable[[Any], P], several: type[Several[P]]) -> P | Several[P]:
    """Do the work for every pair: return the result of one alone, or all of them.

    A pair with w = 0, or of which too little is proved, does not stop the others.
    """
    done: dict[Key, P] = {}
    undefined: dict[Key, str] = {}
    undecided: dict[Key, str] = {}
    errors = []
    for part in found:
        try:
            done[part.key] = work(part)
        except OrcaError as error:
            why, error.args = str(error), (f"{name(part.key)}: {error}",)
            if not isinstance(error, ZeroClassifier | Undecided):
                raise
            (undefined if isinstance(error, ZeroClassifier) else undecided)[part.key] = why
            errors.append(error)
    if not done:
        raise errors[0]
    return several(done, undefined, undecided) if len(done) + len(errors) > 1 else next(iter(done.values()))


def largest(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With the orders alone that have most of the mass, and the sum of the others as ``rest``."""
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


def name(key: Key) -> str:
    """'fold 1: setosa against virginica'."""
    *folds, a, b = (str(part) for part in key or ("first", "second"))
    return ": ".join([*folds, f"{a} against {b}"])


def peak(profile: Profile[Any]) -> str:
    """N*, or what is left of it."""
    try:
        return str(profile.peak)
    except Undecided as error:
        return "/".join(map(str, error.candidates))


def shares(profile: Profile[Any], names: tuple[str, ...]) -> list[str]:
    """OKC by column and by order: all of them, or the largest where there are many."""
    labels = (printable(short(label, LONGEST)) for label in names)
    columns = [(f"OKC_{label}", x) for label, x in zip(labels, profile.marginal.values(), strict=True)]
    orders = [(f"OKC^({q})", x) for q, x in enumerate(profile.order)]
    lines = []
    for family in (columns, orders):
        kept, rest = family, []
        if len(family) > ROWS // 2:
            ranked = sorted(family, key=lambda item: -float(item[1]))
            kept, rest = ranked[: ROWS // 2], ranked[ROWS // 2 :]
        lines += [f"{label} = {_share(x)}" for label, x in kept]
        if rest:
            most = max(bounds(x, ROWS)[1] for _, x in rest)
            lines.append(f"and {len(rest)} more, none above {rounded_up(most)}")
    return lines


def _share(x: Any) -> str:
    return f"{abs(x):.6f}" if isinstance(x, float) else decimal(x, 12)
