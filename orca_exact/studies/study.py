"""A study: statistics on certified indices. It is no verdict: nothing here HOLDS or FAILS.

>>> from orca_exact import Problem
>>> from orca_exact.studies import null
>>> X = [[x / 8, y / 8] for x in (-7, -2, 1, 6) for y in (-5, -3, 2, 7)]
>>> problem = Problem(X, [1 if x * y > 0 else -1 for x, y in X], n=2, alpha=0, beta=0)
>>> study = null(problem, repeats=99, seed=1, keep=False)
>>> study["order", 2]["p"] < 0.05  # an interaction that shuffled labels do not have
True
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..errors import UnknownKey
from ..numbers.quantity import structurally_equal
from ..problem import Problem
from ..profile.indices import INDICES, Indices
from ..profile.views import unknown_key
from .engine import DECIMALS, MISSING, Column
from .statistics import quantile, rational

STUDY_SCHEMA = "orca-exact/study/1"
StudyRow = dict[str, Any]


def describe_problem(problem: Problem) -> StudyRow:
    """Which problem it was: its digest, not its data."""
    found = {
        "id": problem.id,
        "sha256": problem.sha256,
        "m": problem.m,
        "d": problem.d,
        "kernel": problem.about,
        "C": str(problem.C) + " at most" * problem.is_weighted,
    }
    return found | ({"names": list(problem.names)} if problem.names else {})


class Study(ABC):
    """What every study can do."""

    kind: str
    settings: StudyRow  # repeats, seed, method: all it takes to do it again

    @abstractmethod
    def rows(self) -> list[StudyRow]:
        """A tidy table: a row for each number, or for each model."""

    @abstractmethod
    def to_json(self) -> StudyRow:
        """As an orca-exact/study/1."""

    @abstractmethod
    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """A picture of it."""

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and structurally_equal(self, other)

    def __hash__(self) -> int:
        return hash((self.kind, str(self.settings)))

    def __repr__(self) -> str:
        return f"<Study {self.kind}: {', '.join(f'{k} {v}' for k, v in self.settings.items())}>"

    def to_dict(self) -> StudyRow:
        """The same as ``to_json``."""
        return self.to_json()

    def to_frame(self) -> Any:
        """The table as a pandas.DataFrame."""
        from pandas import DataFrame

        return DataFrame(self.rows())


@dataclass(frozen=True, repr=False, eq=False)
class Resampled(Study):
    """The same columns of one classifier as observed, and of many others."""

    others: ClassVar[str] = "the repetitions"  # what they are, in a legend
    kind: str
    problem: StudyRow
    settings: StudyRow
    columns: tuple[Column, ...]
    observed: tuple[int, ...]  # in units of each column; MISSING where nothing is decided
    samples: np.ndarray  # a row for each repetition
    counts: StudyRow  # how the repetitions were proved, and what was redrawn

    @abstractmethod
    def statistics(self) -> list[StudyRow]:
        """For each column."""

    @cached_property
    def _statistics(self) -> dict[Column, StudyRow]:
        return dict(zip(self.columns, self.statistics(), strict=True))

    def __getitem__(self, key: Any) -> StudyRow:
        """``study["order", 2]``, ``study["pair", 1, 2]``, ``study["peak"]``, ``study["threshold", "0.1"]``;
        columns also by name, ``study["pair", ("age", "epss")]``."""
        name, *rest = key if isinstance(key, tuple) else (key,)
        wanted = tuple(rest[0]) if len(rest) == 1 and isinstance(rest[0], tuple | list) else tuple(rest)
        keys = [c.key for c in self.columns if c.name == name]
        if not keys:
            known = ", ".join(dict.fromkeys(c.name for c in self.columns))
            raise UnknownKey("study", repr(key), "is none of its numbers", f"it has {known}")
        if name in INDICES:
            return self._statistics[Column(name, INDICES[name].found(wanted, keys, self.names))]
        if wanted not in keys:
            raise unknown_key(name, rest, [part for (part,) in keys])
        return self._statistics[Column(name, wanted)]

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns, where the problem has some."""
        return tuple(self.problem.get("names", ()))

    def __iter__(self) -> Iterator[tuple[Column, StudyRow]]:
        return iter(self._statistics.items())

    def rows(self) -> list[StudyRow]:
        return [
            {"index": c.name, "key": ",".join(map(str, c.key)), "label": c.label} | _flat(found)
            for c, found in self
        ]

    def sample(self, column: Column) -> list[int]:
        """Of one column, without what is missing."""
        found = self.samples[:, self.columns.index(column)]
        return found[found != MISSING].tolist()

    def value(self, column: Column, x: float | None) -> float | int | None:
        """In the units of the table; None where it is missing."""
        if x is None or x == MISSING:
            return None
        return x if column.unit == 1 else round(x / column.unit, DECIMALS + 2)

    def to_json(self) -> StudyRow:
        found: StudyRow = {}
        for name, index in INDICES.items():
            family = {c.key: row for c, row in self if c.name == name}
            if family:
                found[name] = index.to_json(family)
        return {
            "schema": STUDY_SCHEMA,
            "kind": self.kind,
            "problem": self.problem,
            **self.settings,
            "decimals": DECIMALS,
            "undecided": int((self.samples == MISSING).sum()),
            **self.counts,
            "indices": found,
            "peak": self["peak"],
            "threshold": {c.key[0]: row for c, row in self if c.name == "threshold"},
        }

    # Pictures: the observed values, and the band of the others behind them.

    @property
    def values(self) -> Indices[float]:
        """As observed; what is not decided is nan."""
        table: dict[str, dict] = {}
        for c, x in zip(self.columns, self.observed, strict=True):
            if c.name in INDICES:
                table.setdefault(c.name, {})[c.key] = float("nan") if x == MISSING else x / c.unit
        if "degree" in table:
            total = np.cumsum(list(table["degree"].values())).tolist()
            table["cumulative"] = dict(zip(table["degree"], total, strict=True))
        return Indices(table, names=self.names)

    def band(self, name: str, tail: float = 0.025) -> Mapping[Any, tuple[float, float, float]]:
        """By key the two quantiles and the median of an index over the repetitions."""
        wanted = [
            j for j, c in enumerate(self.columns) if c.name == ("degree" if name == "cumulative" else name)
        ]
        known = self.samples[(self.samples[:, wanted] != MISSING).all(axis=1)][:, wanted]
        if name == "cumulative":
            known = np.cumsum(known, axis=1)
        share = rational(tail)
        found = {}
        for j, values in zip(wanted, np.sort(known, axis=0).T.tolist(), strict=True):
            low, middle, high = (
                quantile(values, q) / self.columns[j].unit for q in (share, "0.5", 1 - share)
            )
            found[self.columns[j].key] = low, middle, high
        return found

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """``orders``, ``spectrum``, ``cumulative`` or ``pairs``; behind the bars 95 % of the repetitions."""
        from ..plots import draw_indices

        families = {"orders": ("order",), "spectrum": ("degree",), "pairs": ("marginal", "pair")}
        band = {key: ends for name in families.get(kind, (kind,)) for key, ends in self.band(name).items()}
        return draw_indices(
            kind, self.values, ax=ax, names=names, band=band, meaning=f"95 % of {self.others}"
        )


def _flat(row: StudyRow) -> StudyRow:
    """Nested values under joined names."""
    flat: StudyRow = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat |= {f"{key}_{inner}": x for inner, x in value.items()}
        elif isinstance(value, list | tuple):
            flat |= {f"{key}_{end}": x for end, x in zip(("low", "high"), value, strict=False)}
        else:
            flat[key] = value
    return flat
