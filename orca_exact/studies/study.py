"""Results of studies: statistics on certified indices, not verdicts.

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
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from ..errors import BadParameter, UnknownKey, printable
from ..numbers.quantity import structurally_equal
from ..plots.tables import html_table, to_dataframe
from ..problem import Problem
from ..profile.indices import INDICES, Indices
from ..profile.under import describe_under
from ..profile.views import unknown_key_error
from .engine import DECIMALS, MISSING, Column
from .statistics import QUANTILES, mean_sd, quantile, read_decimal

STUDY_SCHEMA = "orca-exact/study/1"
StudyRow = dict[str, Any]


def describe_problem(problem: Problem) -> StudyRow:
    """Return the description of a problem in a study file: its digest and sizes, not its data."""
    found = {
        "id": problem.id,
        "sha256": problem.sha256,
        "m": problem.m,
        "d": problem.d,
        "kernel": problem.kernel_description,
        "C": str(problem.C) + " at most" * problem.is_weighted,
    }
    if problem.kernel.own_measures is None:
        found["under"] = describe_under(problem)
    return found | ({"names": list(problem.names)} if problem.names else {})


class Study(ABC):
    """Base class of the results of all studies.

    ``kind`` is the name of the study, ``settings`` everything that is needed to repeat it (repeats, seed,
    method and so on).
    """

    kind: ClassVar[str]
    settings: StudyRow

    @abstractmethod
    def rows(self) -> list[StudyRow]:
        """Return a tidy table with one row for each number, or for each model."""

    @abstractmethod
    def to_json(self) -> StudyRow:
        """Return the study in the format orca-exact/study/1."""

    def _header(self, **about: Any) -> StudyRow:
        own = {"schema": STUDY_SCHEMA, "kind": self.kind}
        return own | about | self.settings | {"decimals": DECIMALS}

    @abstractmethod
    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """Draw the study and return the matplotlib figure.

        Parameters
        ----------
        kind : str
            What to draw; each study lists its own kinds.
        ax : matplotlib.axes.Axes, optional
            Axes to draw into; a new figure is made by default.
        names : sequence of str, optional
            Names of the columns; those of the problem by default.
        """

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and structurally_equal(self, other)

    def __hash__(self) -> int:
        return hash((self.kind, str(self.settings)))

    def __repr__(self) -> str:
        return f"<Study {self.kind}: {', '.join(f'{k} {v}' for k, v in self.settings.items())}>"

    def __str__(self) -> str:
        """Return the table of the command line."""
        from .text import describe_study

        return str(describe_study(self))

    def _repr_html_(self) -> str:
        from .text import describe_study

        text = describe_study(self)
        rows = [dict(zip(text.headings, row, strict=True)) for row in text.rows]
        return html_table("\n".join([text.title, *text.facts]), rows, text.closing)

    def to_dict(self) -> StudyRow:
        """Return the same as ``to_json``."""
        return self.to_json()

    def to_frame(self) -> Any:
        """Return ``rows()`` as a pandas.DataFrame."""
        return to_dataframe(self.rows())


S = TypeVar("S", bound=Study)


class Studies(Mapping[tuple[Any, ...], S]):
    """One study for each pair of classes: ``studies["setosa", "virginica"]``, in either order.

    ``left_out`` says by pair why there is no study, for instance because w = 0.
    """

    def __init__(self, parts: Mapping[tuple[Any, ...], S], left_out: Mapping[tuple[Any, ...], str]):
        self._parts, self.left_out = dict(parts), dict(left_out)

    def __getitem__(self, key: Any) -> S:
        key = key if isinstance(key, tuple) else (key,)
        swapped = (*key[:-2], *reversed(key[-2:]))
        if key not in self._parts and swapped not in self._parts:
            known = ", ".join(map(str, self._parts))
            raise UnknownKey("studies", repr(key), "is not a pair of classes with a study", f"it has {known}")
        found: S = self._parts[key if key in self._parts else swapped]
        return found

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def __str__(self) -> str:
        without = [f"{_title(key)}: no study: {why}" for key, why in self.left_out.items()]
        return "\n\n".join([*map(str, self._parts.values()), *without])

    def __repr__(self) -> str:
        return f"<Studies of {', '.join(map(_title, self._parts))}>"

    def _repr_html_(self) -> str:
        return "".join(part._repr_html_() for part in self._parts.values())

    def rows(self) -> list[StudyRow]:
        """Return the rows of all studies, each with its pair of classes."""
        return [{"pair": _title(key)} | row for key, part in self.items() for row in part.rows()]

    def to_frame(self) -> Any:
        """Return ``rows()`` as a pandas.DataFrame."""
        return to_dataframe(self.rows())

    def to_json(self) -> list[StudyRow]:
        """Return every study in the format orca-exact/study/1."""
        return [part.to_json() for part in self.values()]


def _title(key: tuple[Any, ...]) -> str:
    return " against ".join(printable(str(part)) for part in key)


@dataclass(frozen=True, repr=False, eq=False)
class ObservedIndices(Indices[float]):
    """The observed indices of a study, with the measure under which they are computed."""

    under_description: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class Resampled(Study):
    """A study that compares the numbers of one classifier with those of many repetitions.

    ``observed`` has one integer for each of ``columns``, in the units of the column (MISSING if undecided),
    and ``samples`` one row of such integers for each repetition. ``counts`` says how the repetitions were
    proved and how many were redrawn.
    """

    samples_label: ClassVar[str]  # the repetitions, as a legend names them
    by_column: ClassVar[tuple[str, ...]] = ()  # further fields with one entry for each column
    problem: StudyRow
    settings: StudyRow
    columns: tuple[Column, ...]
    observed: tuple[int, ...]
    samples: np.ndarray
    counts: StudyRow

    @cached_property
    def _statistics(self) -> dict[Column, StudyRow]:
        rows = {}
        for j, (column, observed) in enumerate(zip(self.columns, self.observed, strict=True)):
            known = sorted(self.sample(column))
            mean, sd = mean_sd(known) if known else (MISSING, MISSING)
            named = {"observed": observed, "mean": mean, "sd": sd}
            row = {name: self.value(column, x) for name, x in named.items()}
            rows[column] = self._complete(row, j, known, mean, sd)
        return rows

    def _complete(self, row: StudyRow, j: int, known: list[int], mean: float, sd: float) -> StudyRow:
        """Add the statistics of this study to the row of column j: quantiles, if nothing else is defined.

        ``known`` are the decided samples in ascending order; without any, mean and sd are MISSING.
        """
        return row | {"quantiles": self._quantiles(self.columns[j], known)}

    def _quantiles(self, column: Column, known: list[int]) -> StudyRow:
        return {q: self.value(column, quantile(known, q)) for q in QUANTILES} if known else {}

    def __getitem__(self, key: Any) -> StudyRow:
        """Return the statistics of one number.

        Keys are such as ``study["order", 2]``, ``study["pair", 1, 2]``, ``study["pair", ("age", "epss")]``,
        ``study["peak"]`` and ``study["threshold", "0.1"]``.
        """
        name, *rest = key if isinstance(key, tuple) else (key,)
        wanted = tuple(rest[0]) if len(rest) == 1 and isinstance(rest[0], tuple | list) else tuple(rest)
        keys = [c.key for c in self.columns if c.name == name]
        if not keys:
            known = ", ".join(dict.fromkeys(c.name for c in self.columns))
            raise UnknownKey("study", repr(key), "is not a number of this study", f"it has {known}")
        if name in INDICES:
            return self._statistics[Column(name, INDICES[name].find_key(wanted, keys, self.names))]
        if wanted not in keys:
            raise unknown_key_error(name, rest, [part for (part,) in keys])
        return self._statistics[Column(name, wanted)]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of the problem; empty if it has none."""
        return tuple(self.problem.get("names", ()))

    def __iter__(self) -> Iterator[tuple[Column, StudyRow]]:
        return iter(self._statistics.items())

    def select(self, *names: str) -> Self:
        """Return the study of some of its numbers only.

        Family-wise p-values are computed again: they account for the numbers that are left.

        Parameters
        ----------
        *names : str
            Names of indices, ``"peak"`` or ``"threshold"``.

        Raises
        ------
        UnknownKey
            If the study does not have one of them.

        Examples
        --------
        >>> from orca_exact import Problem
        >>> from orca_exact.studies import null
        >>> problem = Problem([["-0.9"], ["-0.4"], ["0.1"], ["0.8"]], [1, 1, -1, -1], n=1, alpha=0, beta=0)
        >>> study = null(problem, repeats=19, seed=1, keep=False)
        >>> [column.label for column in study.select("order", "peak").columns]
        ['OKC^(0)', 'OKC^(1)', 'N*']
        """
        known = dict.fromkeys(c.name for c in self.columns)
        for name in names:
            if name not in known:
                hint = f"it has {', '.join(known)}"
                raise UnknownKey("study", repr(name), "is not a number of this study", hint)
        kept = [j for j, c in enumerate(self.columns) if c.name in names]
        names_of_fields = ("columns", "observed", "samples", *self.by_column)
        return replace(self, **{name: _take_columns(getattr(self, name), kept) for name in names_of_fields})

    def rows(self) -> list[StudyRow]:
        return [
            {"index": c.name, "key": ",".join(map(str, c.key)), "label": c.label_with(self.names)}
            | _flat(found)
            for c, found in self
        ]

    def sample(self, column: Column) -> list[int]:
        """Return the samples of one column without the missing ones."""
        found = self.samples[:, self.columns.index(column)]
        result: list[int] = found[found != MISSING].tolist()
        return result

    def value(self, column: Column, x: float | None) -> float | int | None:
        """Convert from units of the column to a number of the table; MISSING becomes None."""
        if x is None or x == MISSING:
            return None
        return x if column.unit == 1 else round(x / column.unit, DECIMALS + 2)

    def to_json(self) -> StudyRow:
        found: StudyRow = {}
        for name, index in INDICES.items():
            family = {c.key: row for c, row in self if c.name == name}
            if family:
                found[name] = index.to_json(family)
        return self._header(problem=self.problem) | {
            "undecided": int((self.samples == MISSING).sum()),
            **self.counts,
            "indices": found,
            **{c.name: row for c, row in self if c.name == "peak"},
            "threshold": {c.key[0]: row for c, row in self if c.name == "threshold"},
        }

    @property
    def values(self) -> Indices[float]:
        """Observed indices; nan if undecided."""
        table: dict[str, dict[tuple[int, ...], float]] = {}
        for c, x in zip(self.columns, self.observed, strict=True):
            if c.name in INDICES:
                table.setdefault(c.name, {})[c.key] = float("nan") if x == MISSING else x / c.unit
        if "degree" in table:
            total = np.cumsum(list(table["degree"].values())).tolist()
            table["cumulative"] = dict(zip(table["degree"], total, strict=True))
        return ObservedIndices(table, names=self.names, under_description=self.problem.get("under", ""))

    def band(self, name: str, tail: float = 0.025) -> Mapping[Any, tuple[float, float, float]]:
        """Return for each key of an index its lower quantile, median and upper quantile in the samples."""
        wanted = [
            j for j, c in enumerate(self.columns) if c.name == ("degree" if name == "cumulative" else name)
        ]
        known = self.samples[(self.samples[:, wanted] != MISSING).all(axis=1)][:, wanted]
        if name == "cumulative":
            known = np.cumsum(known, axis=1)
        share = read_decimal(tail)
        found = {}
        for j, values in zip(wanted, np.sort(known, axis=0).T.tolist(), strict=True):
            low, middle, high = (
                quantile(values, q) / self.columns[j].unit for q in (share, "0.5", 1 - share)
            )
            found[self.columns[j].key] = low, middle, high
        return found

    def plot(self, kind: str = "orders", ax: Any = None, names: Any = None) -> Any:
        """Draw the observed indices in front of the central 95 % of the samples.

        ``kind`` is ``"orders"``, ``"spectrum"``, ``"cumulative"``, ``"pairs"`` or ``"columns"``.
        """
        from ..plots import draw_indices

        if kind in ("spectrum", "cumulative") and not any(c.name == "degree" for c in self.columns):
            rule = "needs indices by degree, which this study does not have"
            raise BadParameter("kind", repr(kind), rule, "pass orders, pairs or columns")
        families = {
            "orders": ("order",),
            "spectrum": ("degree",),
            "pairs": ("marginal", "pair"),
            "columns": ("total",),
        }
        band = {key: ends for name in families.get(kind, (kind,)) for key, ends in self.band(name).items()}
        return draw_indices(
            kind, self.values, ax=ax, names=names, band=band, meaning=f"95 % of {self.samples_label}"
        )


def _take_columns(values: Any, kept: list[int]) -> Any:
    """Select entries of a tuple, or columns of an array; None stays None."""
    if isinstance(values, tuple):
        return tuple(values[j] for j in kept)
    return None if values is None else values[:, kept]


def _flat(row: StudyRow) -> StudyRow:
    """Flatten nested values under joined names."""
    flat: StudyRow = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat |= {f"{key}_{inner}": x for inner, x in value.items()}
        elif isinstance(value, list | tuple):
            flat |= {f"{key}_{end}": x for end, x in zip(("low", "high"), value, strict=False)}
        else:
            flat[key] = value
    return flat
