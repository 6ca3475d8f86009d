"""The indices of section 5 of the paper, and tables of their values.

``INDICES`` is the only list of the indices: profiles, files, comparisons, tables and reports all use it. An
index is a family of shares of ||h||^2, one for each key: OKC^(q) has the keys (0,) ... (d,), OKC_ij the keys
(1, 2), (1, 3), and so on. ``keys_of`` is the definition: it returns the keys to which a mode k contributes.
``sums`` computes the same sums by the cheaper route.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any, Generic, TypeVar

import numpy as np

from ..errors import BadParameter, Undecided
from ..files.escaping import short_names
from ..files.formats import JsonObject
from ..numbers.quantity import structurally_equal
from ..numbers.rationals import QQ, embed_rational, is_less
from ..plots.tables import html_table, split_radius, to_dataframe
from .index import Index, Key, Mode, active_coordinates
from .views import KeyedView, ListView, NamedView

V = TypeVar("V")
W = TypeVar("W")
EPSILONS = ("0.1", "0.05", "0.01")
_MAX_LISTED = 8  # members of one family in a summary
_NAME = 50  # characters of a name in a summary


def _pairs(d: int) -> list[Key]:
    return list(combinations(range(1, d + 1), 2))


def _degrees(top: int) -> list[Key]:
    return [(N,) for N in range(top + 1)]


INDICES: dict[str, Index] = {
    index.name: index
    for index in (
        Index(
            "order", "OKC^({})",
            description="OKC^(q), q = 0 ... d",
            constant=(0,),
            keys=lambda top, d: [(q,) for q in range(d + 1)],
            keys_of=lambda k, top: [(len(active_coordinates(k)),)],
            sums=lambda g: g.orders,
            least_order=lambda key: key[0],
        ),
        Index(
            "marginal", "OKC_{}",
            description="OKC_i, i = 1 ... d",
            keys_are_columns=True,
            keys=lambda top, d: [(i,) for i in range(1, d + 1)],
            keys_of=lambda k, top: [active_coordinates(k)] if len(active_coordinates(k)) == 1 else [],
            sums=lambda g: g.subsets([(i,) for i in range(1, g.d + 1)]),
            first=1,
            is_listed=lambda d: d <= 12,
        ),
        Index(
            "pair", "OKC_{}{}",
            description="OKC_ij by 'i,j', 1 <= i < j <= d; coordinates are counted from 1",
            keys_are_columns=True,
            keys=lambda top, d: _pairs(d),
            keys_of=lambda k, top: [active_coordinates(k)] if len(active_coordinates(k)) == 2 else [],
            sums=lambda g: g.subsets(_pairs(g.d)) if g.d > 1 else [],
            least_order=lambda key: 2,
            shape="map",
            is_listed=lambda d: d <= 6,
        ),
        Index(
            "total", "total_{}",
            description="the total index of each coordinate i = 1 ... d: the share of the modes that depend "
            "on it",
            keys_are_columns=True,
            keys=lambda top, d: [(i,) for i in range(1, d + 1)],
            keys_of=lambda k, top: [(i,) for i in active_coordinates(k)],
            sums=lambda g: g.by_coordinate[0],
            first=1,
            is_listed=lambda d: d <= 12,
        ),
        Index(
            "shapley", "Shapley_{}",
            description="the Shapley effect of each coordinate i = 1 ... d: the share of a mode is divided "
            "equally among its active coordinates",
            keys_are_columns=True,
            keys=lambda top, d: [(i,) for i in range(1, d + 1)],
            keys_of=lambda k, top: [(i,) for i in active_coordinates(k)],
            sums=lambda g: g.by_coordinate[1],
            first=1,
            is_listed=lambda d: d <= 12,
            divisor=lambda k: len(active_coordinates(k)),
        ),
        Index(
            "even", "even",
            description="the share of even total degrees",
            by_degree=True,
            keys=lambda top, d: [()],
            keys_of=lambda k, top: [()] if sum(k) % 2 == 0 else [],
            sums=lambda g: [g.parities[0]],
            shape="one",
        ),
        Index(
            "odd", "odd",
            description="the share of odd total degrees",
            by_degree=True,
            keys=lambda top, d: [()],
            keys_of=lambda k, top: [()] if sum(k) % 2 else [],
            sums=lambda g: [g.parities[1]],
            shape="one",
        ),
        Index(
            "degree", "N={}",
            description="OKC_N, N = 0 ... dn (the sum of the degrees)",
            constant=(0,),
            keys=lambda top, d: _degrees(top),
            by_degree=True,
            keys_of=lambda k, top: [(sum(k),)],
            sums=lambda g: g.degrees,
            is_listed=lambda d: False,
        ),
        Index(
            "cumulative", "F({})",
            description="F(T) = sum of OKC_N over N <= T, T = 0 ... dn",
            constant=(0,),
            keys=lambda top, d: _degrees(top),
            by_degree=True,
            keys_of=lambda k, top: _degrees(top)[sum(k) :],
            sums=lambda g: np.cumsum(g.degrees, axis=0),
            is_listed=lambda d: False,
        ),
        Index(
            "block", "OKC_{1}^({0})",
            description="OKC_N^(q) in row q and column N",
            constant=(0, 0),
            by_degree=True,
            keys=lambda top, d: [(q, *N) for q in range(d + 1) for N in _degrees(top)],
            keys_of=lambda k, top: [(len(active_coordinates(k)), sum(k))],
            least_order=lambda key: key[0],
            sums=lambda g: chain.from_iterable(g.blocks),
            shape="rows",
            is_listed=lambda d: False,
        ),
    )
}  # fmt: skip


class IndexTable(ABC, Generic[V]):
    """Base class of objects that hold the value of every index.

    ``names`` are the names of the columns, or empty if they are unknown. The summaries N* and T_eps are
    derived from the indices.
    """

    names: tuple[str, ...]
    has_degrees = True  # whether there are indices by degree
    under_description = ""  # the measure under which they are computed, if it is known

    @property
    def available(self) -> list[Index]:
        """The families of indices that the kernel has."""
        return [index for index in INDICES.values() if self.has_degrees or not index.by_degree]

    @abstractmethod
    def family(self, name: str) -> Mapping[Key, V]:
        """Return the values of one family of ``INDICES`` by key."""

    @property
    def order(self) -> list[V]:
        """OKC^(q), q = 0 ... d."""
        return ListView(self.family("order").values(), "order")

    @property
    def marginal(self) -> NamedView[V]:
        """OKC_i by coordinate, i = 1 ... d, or by column name."""
        return self._named("marginal")

    @property
    def pair(self) -> NamedView[V]:
        """OKC_ij by pair of coordinates or of column names, in either order."""
        return self._named("pair")

    def _named(self, name: str) -> NamedView[V]:
        return NamedView(self.family(name), self.names, name)

    @property
    def total(self) -> NamedView[V]:
        """Total index of each coordinate, by number from 1 or by name: the share of all modes that use it."""
        return self._named("total")

    @property
    def shapley(self) -> NamedView[V]:
        """Shapley effect of each coordinate, by number from 1 or by name; they add up to 1."""
        return self._named("shapley")

    @property
    def even(self) -> V:
        """Share of the even total degrees."""
        return self.family("even")[()]

    @property
    def odd(self) -> V:
        """Share of the odd total degrees."""
        return self.family("odd")[()]

    @property
    def degree(self) -> list[V]:
        """OKC_N, N = 0 ... dn."""
        return ListView(self.family("degree").values(), "degree")

    @property
    def cumulative(self) -> list[V]:
        """F(T) = sum_{N <= T} OKC_N, T = 0 ... dn."""
        return ListView(self.family("cumulative").values(), "cumulative")

    @property
    def block(self) -> dict[tuple[int, int], V]:
        """OKC_N^(q) by (q, N)."""
        return KeyedView(self.family("block"), "block")

    def listed_values(self, d: int) -> Iterator[tuple[str, V]]:
        """Yield the label and the value of each index that is listed in d dimensions."""
        for index in self.available:
            if index.is_listed(d):
                for key, x in self.family(index.name).items():
                    yield index.label_of(key), x

    @property
    def peaks(self) -> list[int]:
        """All degrees at which OKC_N is largest; raises Undecided if the enclosures overlap."""
        spectrum = self.degree
        best = 0
        for N, x in enumerate(spectrum):
            best = N if is_less(spectrum[best], x) else best
        rest = [N for N, x in enumerate(spectrum) if not is_less(x, spectrum[best])]
        rest = [N for N in rest if not any(is_less(spectrum[N], spectrum[M]) for M in rest)]
        if not all(rest[0] == N or spectrum[N] == spectrum[rest[0]] for N in rest):
            why = "their enclosures overlap; use more digits, which helps unless the values are equal"
            raise Undecided(f"N* is one of the degrees {tuple(rest)}: {why}", tuple(rest))
        return rest

    @property
    def peak(self) -> int:
        """N*, the smallest degree at which OKC_N is largest; raises Undecided if the enclosures overlap."""
        return self.peaks[0]

    def threshold(self, eps: Any) -> tuple[int, V]:
        """Return T_eps, the smallest T with F(T) >= 1 - eps, and F(T_eps).

        Parameters
        ----------
        eps : number or str
            The share of ||h||^2 that may be left out, between 0 and 1.

        Returns
        -------
        tuple
            T_eps and the cumulative index F(T_eps).

        Raises
        ------
        Undecided
            If the enclosure of some F(T) contains 1 - eps.
        """
        level = 1 - QQ(eps, "eps")
        if not 0 <= level <= 1:
            raise BadParameter("eps", eps, "is not between 0 and 1", "pass a number such as 0.05")
        for T, F in enumerate(self.cumulative[:-1]):
            short = is_less(F, embed_rational(F)(level))
            if short is None:
                why = f"the enclosure F({T}) = {F} contains 1 - {eps}; use more digits"
                raise Undecided(f"T_{eps} is {T} or larger: {why}", (T, T + 1))
            if not short:
                return T, F
        return len(self.cumulative) - 1, self.cumulative[-1]  # F(dn) = 1

    def plot(self, kind: str = "orders", ax: Any = None, names: Sequence[str] | None = None) -> Any:
        """Draw the indices.

        Parameters
        ----------
        kind : {"orders", "spectrum", "cumulative", "pairs", "columns", "blocks"}
            Which indices to draw.
        ax : matplotlib.axes.Axes, optional
            The axes to draw into; by default a new figure is made.
        names : sequence of str, optional
            Names of the columns; by default those of the table.

        Returns
        -------
        matplotlib.figure.Figure
            The figure that contains the axes.
        """
        from ..plots import draw_indices

        return draw_indices(kind, self, ax, names)

    # Export.

    def to_indices(self) -> Indices[V]:
        """Return all indices as one ``Indices`` object."""
        return Indices(
            {index.name: self.family(index.name) for index in self.available}, self.summary(), self.names
        )

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """Return every index, N* and T_eps as a dictionary that can be written as JSON.

        Parameters
        ----------
        number : callable, optional
            Converts one value. The default, ``float``, takes the midpoint of a ball; ``str`` and
            ``values.to_json_value``, which loses nothing, can be passed instead.

        Returns
        -------
        dict
            The "okc" field of ``orca-exact/result/1``, in which columns are counted from 1. ``names`` is
            added if the columns have names. ``radius`` is added if the values are balls and ``number`` is
            ``float``: each true index is within ``radius`` of its float64.
        """
        found = self.to_indices()
        radii = [x["radius"] for *_, value in found if "radius" in (x := split_radius(value))]
        names = {"names": list(found.names)} if found.names else {}
        return names | ({"radius": max(radii)} if radii and number is float else {}) | found.to_json(number)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each index.

        Returns
        -------
        pandas.DataFrame
            The columns are index, key, label and value, a float64. If the values are balls, there is also a
            column radius: the true index is within the radius of the value.
        """
        rows = []
        for name, key, x in self.to_indices():
            index = INDICES[name]
            labels = {"key": index.display_key(key, self.names), "label": index.label_of(key, self.names)}
            rows.append({"index": name} | labels | split_radius(x))
        return to_dataframe(rows)

    def summary_rows(self) -> list[dict[str, Any]]:
        """Return rows for a summary: the listed indices, the largest ones of a long family, and N*."""
        d, rows, names = len(self.order) - 1, [], short_names(self.names, _NAME)
        for index in self.available:
            family = self.family(index.name) if index.is_listed(d) or index.keys_are_columns else {}
            largest = sorted(family, key=lambda key: -float(family[key]))[:_MAX_LISTED]  # type: ignore[arg-type]
            rows += [
                {"index": index.label_of(key, names), "value": x}
                for key, x in family.items()
                if key in largest
            ]
            if len(family) > _MAX_LISTED:
                rows.append({"index": f"and {len(family) - _MAX_LISTED} more", "value": ""})
        if not self.has_degrees:
            return rows
        peak = self.summary().peak
        return [*rows, {"index": "N*", "value": "/".join(map(str, getattr(peak, "candidates", (peak,))))}]

    def _repr_html_(self) -> str:
        return html_table(repr(self).splitlines()[0], self.summary_rows())

    def summary(self) -> Summary:
        """Return N* and T_eps, each as a number or, if it is undecided, as an ``UndecidedSummary``."""
        if not self.has_degrees:
            return Summary()
        thresholds = {eps: value_or_undecided(lambda eps=eps: self.threshold(eps)[0]) for eps in EPSILONS}  # type: ignore[misc]
        return Summary(value_or_undecided(lambda: self.peak), thresholds)


@dataclass(frozen=True)
class UndecidedSummary:
    """A peak or threshold that is undecided, with the candidates that remain."""

    candidates: tuple[int, ...]
    why: str


def value_or_undecided(question: Callable[[], int]) -> int | UndecidedSummary:
    """Return the number that ``question`` computes, or an ``UndecidedSummary`` if it raises Undecided."""
    try:
        return question()
    except Undecided as error:
        return UndecidedSummary(error.candidates, str(error))


@dataclass(frozen=True)
class Summary:
    """N*, and T_eps by eps, as computed or as stated in a file."""

    peak: int | UndecidedSummary | None = None
    threshold: Mapping[str, int | UndecidedSummary] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """Return the fields "peak" and "threshold" of ``orca-exact/result/1``."""
        peak = {} if self.peak is None else {"peak": summary_to_json(self.peak)}
        thresholds = {eps: summary_to_json(T) for eps, T in self.threshold.items()}
        return peak | ({"threshold": thresholds} if thresholds else {})


def summary_to_json(x: int | UndecidedSummary | None) -> Any:
    """Return a peak or threshold as JSON: an integer, null, or an object if it is undecided."""
    return {"undecided": list(x.candidates), "why": x.why} if isinstance(x, UndecidedSummary) else x


def _read_summary(x: Any) -> int | UndecidedSummary:
    return UndecidedSummary(tuple(x["undecided"]), x.get("why", "")) if isinstance(x, dict) else int(x)


@dataclass(frozen=True, repr=False, eq=False)
class Indices(IndexTable[V]):
    """The values of all indices of a profile, or of those that a file contains."""

    table: Mapping[str, Mapping[Key, V]]
    stated_summary: Summary = Summary()  # as stated in a file, whether true or not
    names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Indices: {', '.join(f'{name} {len(family)}' for name, family in self.table.items())}>"

    __eq__, __hash__ = structurally_equal, None  # type: ignore[assignment]

    @property
    def has_degrees(self) -> bool:  # type: ignore[override]
        return "degree" in self.table

    def family(self, name: str) -> Mapping[Key, V]:
        return self.table[name]

    def to_indices(self) -> Indices[V]:
        return self

    def __bool__(self) -> bool:
        """Return whether there is any index, peak or threshold."""
        return bool(self.table) or self.stated_summary != Summary()

    def __iter__(self) -> Iterator[tuple[str, Key, V]]:
        """Yield (name, key, value) for every value."""
        for name, family in self.table.items():
            for key, x in family.items():
                yield name, key, x

    def map(self, f: Callable[[V], W]) -> Indices[W]:
        """Return the indices with ``f`` applied to every value."""
        table = {name: {k: f(x) for k, x in family.items()} for name, family in self.table.items()}
        return Indices(table, self.stated_summary, self.names)

    def to_json(self, put: Callable[[V], Any]) -> dict[str, Any]:
        """Return the "okc" field of ``orca-exact/result/1``; ``put`` converts one value to JSON."""
        table = self.map(put).table
        return {name: INDICES[name].to_json(table[name]) for name in table} | self.stated_summary.to_json()

    @staticmethod
    def from_json(data: Mapping[str, Any], read: Callable[[Any, str], W], place: str) -> Indices[W]:
        """Return the indices of an "okc" field, which need not contain every index.

        ``read`` converts one value from JSON; its second argument is the place of the value in the file.
        """
        table = {}
        for name, index in INDICES.items():
            if name in data:
                found = index.from_json(data[name])
                table[name] = {k: read(x, f"{place}.{name}{list(k) or ''}") for k, x in found.items()}
        thresholds = {eps: _read_summary(T) for eps, T in data.get("threshold", {}).items()}
        return Indices(table, Summary(_read_summary(data["peak"]) if "peak" in data else None, thresholds))

    @classmethod
    def from_modes(cls, squares: Mapping[Mode, V], top: int, d: int, zero: V) -> Indices[V]:
        """Return the indices by their definition: add the share of each mode to the keys it belongs to."""
        table: dict[str, dict[Key, V]] = {}
        for name, index in INDICES.items():
            family = table[name] = dict.fromkeys(index.keys(top, d), zero)
            for k, x in squares.items():
                for key in index.keys_of(k, top):
                    if key in family:
                        part: Any = x if (q := index.divisor(k)) == 1 else x / q  # type: ignore[operator]
                        family[key] = family[key] + part
        return cls(table)


def okc_properties() -> JsonObject:
    """Return the JSON schema of the properties of an "okc" field; ``#/$defs/value`` is one value."""
    left_open = {
        "type": "object",
        "required": ["undecided"],
        "additionalProperties": False,
        "properties": {
            "undecided": {
                "type": "array",
                "items": {"type": "integer"},
                "description": "the numbers that the enclosures leave possible",
            },
            "why": {"type": "string", "description": "the comparison that is undecided"},
        },
    }
    number = {"anyOf": [{"type": "integer"}, left_open]}
    return {name: index.schema() for name, index in INDICES.items()} | {
        "peak": number | {"description": "N*, the smallest degree N at which OKC_N is largest"},
        "peaks": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "all degrees N at which OKC_N is largest",
        },
        "threshold": {
            "type": "object",
            "propertyNames": {"pattern": r"^(0|1|0?\.\d{1,20})$"},
            "additionalProperties": number,
            "description": "T_eps by eps: the smallest T with F(T) >= 1 - eps",
        },
    }
