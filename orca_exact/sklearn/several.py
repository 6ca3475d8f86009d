"""One result for each pair of classes, and how results are shown: on one screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ..errors import Undecided
from ..number import decimal
from ..problem import Problem
from ..profile.profile import Profile
from .wrappers import Key

ROWS = 12  # of a table or list on one screen
ORDERS = 4  # columns of them


class Part(Protocol):
    """What is known of one pair of classes."""

    @property
    def problem(self) -> Problem:
        """What was solved, or its support vectors."""

    @property
    def profile(self) -> Profile[Any]:
        """Its indices."""

    def row(self) -> dict[str, Any]:
        """Its line of the summary table, before the indices."""


P = TypeVar("P", bound=Part)


class Several(Mapping[Key, P]):
    """One result for each pair of classes: ``found["setosa", "virginica"]``, in either order."""

    title = ""

    def __init__(self, parts: dict[Key, P]):
        self._parts = parts

    def __getitem__(self, key: Key) -> P:
        key = key if isinstance(key, tuple) else (key,)
        swapped = (*key[:-2], *reversed(key[-2:]))
        return self._parts[key if key in self._parts else swapped]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def summary(self) -> list[dict[str, Any]]:
        """A row for each pair, for ``pandas.DataFrame``: who, how exact, OKC^(q), N*."""
        rows = []
        for key, part in self.items():
            orders = {f"OKC^({q})": float(x) for q, x in enumerate(part.profile.order)}
            rows.append({"pair": name(key)} | part.row() | orders | {"N*": peak(part.profile)})
        return rows

    def __str__(self) -> str:
        rows = self.summary()
        shown = [
            {k: v for k, v in row.items() if not k.startswith("OKC") or int(k[5:-1]) <= ORDERS}
            for row in rows[:ROWS]
        ]
        lines = table(shown)
        more = [f"and {len(rows) - ROWS} more: see summary()"] if len(rows) > ROWS else []
        return "\n".join([self.title.format(len(rows)), *lines, *more])

    __repr__ = __str__


def name(key: Key) -> str:
    """'fold 1: setosa against virginica'."""
    *folds, a, b = (str(part) for part in key)
    return ": ".join([*folds, f"{a} against {b}"])


def peak(profile: Profile[Any]) -> str:
    """N*, or what is left of it."""
    try:
        return str(profile.peak)
    except Undecided as error:
        return "/".join(map(str, error.candidates))


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Columns under their names, the first to the left."""
    cells = [list(rows[0]), *([_cell(x) for x in row.values()] for row in rows)]
    widths = [max(len(line[j]) for line in cells) for j in range(len(cells[0]))]
    return [
        "  ".join(
            x.ljust(width) if j == 0 else x.rjust(width)
            for j, (x, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def _cell(x: Any) -> str:
    text = f"{abs(x):.4f}" if isinstance(x, float) else str(x)  # a share, perhaps 0 but for rounding
    return text if len(text) <= 32 else text[:29] + "..."


def shares(profile: Profile[Any], names: tuple[str, ...]) -> list[str]:
    """OKC by column and by order: all of them, or the largest where there are many."""
    columns = [(f"OKC_{label}", x) for label, x in zip(names, profile.marginal.values(), strict=True)]
    orders = [(f"OKC^({q})", x) for q, x in enumerate(profile.order)]
    lines = []
    for family in (columns, orders):
        kept = family
        if len(family) > ROWS // 2:
            kept = sorted(family, key=lambda item: -float(item[1]))[: ROWS // 2]
        lines += [f"{label} = {_share(x)}" for label, x in kept]
        if len(kept) < len(family):
            lines.append(f"and {len(family) - len(kept)} more, none above {float(kept[-1][1]):.2g}")
    return lines


def _share(x: Any) -> str:
    return f"{abs(x):.6f}" if isinstance(x, float) else decimal(x, 12)
