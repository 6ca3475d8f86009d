"""The indices of section 5, listed once: what each is called, which modes it sums, how it is written.

``INDICES`` is the list. An index is a family of shares of ||h||^2, one for each of its keys: OKC^(q) has the
keys (0,) ... (d,), OKC_ij the keys (1, 2), (1, 3) ...; ``keys_of`` says in which of them a mode k counts: the
definition. ``sums`` has the same sums by whichever route costs less. Everything that lists
indices (profiles, files, comparisons, tables, the terminal, the page) goes through this list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any, Generic, TypeVar

import numpy as np

from ..errors import BadParameter, Undecided
from ..kernels.orthogonal import degrees_by_coordinate
from ..numbers.quantity import structurally_equal
from ..numbers.rationals import QQ, embed_rational, less
from ..plots.tables import html_table, split_radius, to_dataframe
from .index import Degrees, Index, Key, Mode, active_coordinates
from .views import KeyedView, ListView, NamedView

V = TypeVar("V")
W = TypeVar("W")
EPSILONS = ("0.1", "0.05", "0.01")
_MANY = 8  # of one family, on a screen


def _pairs(n: Degrees, d: int) -> list[Key]:
    return list(combinations(range(1, d + 1), 2))


def _degrees(n: Degrees, d: int) -> list[Key]:
    return [(N,) for N in range(sum(degrees_by_coordinate(n, d)) + 1)]


INDICES: dict[str, Index] = {
    index.name: index
    for index in (
        Index(
            "order", "OKC^({})",
            what="OKC^(q), q = 0 ... d",
            constant=(0,),
            keys=lambda n, d: [(q,) for q in range(d + 1)],
            keys_of=lambda k, n: [(len(active_coordinates(k)),)],
            sums=lambda g: g.orders,
        ),
        Index(
            "marginal", "OKC_{}",
            what="OKC_i, i = 1 ... d",
            of_columns=True,
            keys=lambda n, d: [(i,) for i in range(1, d + 1)],
            keys_of=lambda k, n: [active_coordinates(k)] if len(active_coordinates(k)) == 1 else [],
            sums=lambda g: g.subsets([(i,) for i in range(1, g.d + 1)]),
            first=1,
            listed=lambda d: d <= 12,
        ),
        Index(
            "pair", "OKC_{}{}",
            what="OKC_ij by 'i,j', 1 <= i < j <= d: coordinates count from 1",
            of_columns=True,
            keys=_pairs,
            keys_of=lambda k, n: [active_coordinates(k)] if len(active_coordinates(k)) == 2 else [],
            sums=lambda g: g.subsets(_pairs(g.n, g.d)) if g.d > 1 else [],
            shape="map",
            listed=lambda d: d <= 6,
        ),
        Index(
            "even", "even",
            what="the share of even total degrees",
            keys=lambda n, d: [()],
            keys_of=lambda k, n: [()] if sum(k) % 2 == 0 else [],
            sums=lambda g: [g.parities[0]],
            shape="one",
        ),
        Index(
            "odd", "odd",
            what="the share of odd total degrees",
            keys=lambda n, d: [()],
            keys_of=lambda k, n: [()] if sum(k) % 2 else [],
            sums=lambda g: [g.parities[1]],
            shape="one",
        ),
        Index(
            "degree", "N={}",
            what="OKC_N, N = 0 ... dn (the sum of the degrees)",
            constant=(0,),
            keys=_degrees,
            keys_of=lambda k, n: [(sum(k),)],
            sums=lambda g: g.degrees,
            listed=lambda d: False,
        ),
        Index(
            "cumulative", "F({})",
            what="F(T) = sum of OKC_N over N <= T, T = 0 ... dn",
            constant=(0,),
            keys=_degrees,
            keys_of=lambda k, n: _degrees(n, len(k))[sum(k) :],
            sums=lambda g: np.cumsum(g.degrees, axis=0),
            listed=lambda d: False,
        ),
        Index(
            "block", "OKC_{1}^({0})",
            what="OKC_N^(q), row q, column N",
            constant=(0, 0),
            keys=lambda n, d: [(q, *N) for q in range(d + 1) for N in _degrees(n, d)],
            keys_of=lambda k, n: [(len(active_coordinates(k)), sum(k))],
            sums=lambda g: chain.from_iterable(g.blocks),
            shape="rows",
            listed=lambda d: False,
        ),
    )
}  # fmt: skip


class IndexTable(ABC, Generic[V]):
    """Whatever holds every index: by name, with the summaries N* and T_eps that follow from them.

    ``names`` are the columns', where they are known.
    """

    names: tuple[str, ...]

    @abstractmethod
    def family(self, name: str) -> Mapping[Key, V]:
        """One index by key."""

    @property
    def order(self) -> list[V]:
        """OKC^(q), q = 0 ... d."""
        return ListView(self.family("order").values(), "order")

    @property
    def marginal(self) -> NamedView[V]:
        """OKC_i, i = 1 ... d, or by name."""
        return self._named("marginal")

    @property
    def pair(self) -> NamedView[V]:
        """OKC_ij, 1 <= i < j <= d, or by names, in either order."""
        return self._named("pair")

    def _named(self, name: str) -> NamedView[V]:
        return NamedView(self.family(name), getattr(self, "names", ()), name)

    @property
    def even(self) -> V:
        """The share of even total degrees."""
        return self.family("even")[()]

    @property
    def odd(self) -> V:
        """The share of odd total degrees."""
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

    def labelled(self, d: int) -> Iterator[tuple[str, V]]:
        """What a page lists: every index but the finest, each with its label."""
        for index in INDICES.values():
            if index.listed(d):
                for key, x in self.family(index.name).items():
                    yield index.labelled(key), x

    @property
    def peaks(self) -> list[int]:
        """Every degree that attains the maximum of OKC_N; Undecided if the enclosures do not tell."""
        spectrum = self.degree
        best = 0
        for N, x in enumerate(spectrum):
            best = N if less(spectrum[best], x) else best
        rest = [N for N, x in enumerate(spectrum) if not less(x, spectrum[best])]
        rest = [N for N in rest if not any(less(spectrum[N], spectrum[M]) for M in rest)]
        if not all(rest[0] == N or spectrum[N] == spectrum[rest[0]] for N in rest):
            raise Undecided(f"N* is one of {tuple(rest)}: raise digits, or it is a tie", tuple(rest))
        return rest

    @property
    def peak(self) -> int:
        """N*, the smallest degree that carries most; Undecided if the enclosures do not tell."""
        return self.peaks[0]

    def threshold(self, eps: Any) -> tuple[int, V]:
        """(T_eps, F(T_eps)): the smallest T with F(T) >= 1 - eps."""
        level = 1 - QQ(eps, "eps")
        if not 0 <= level <= 1:
            raise BadParameter("eps", eps, "is not between 0 and 1", "try 0.05")
        for T, F in enumerate(self.cumulative[:-1]):
            short = less(F, embed_rational(F)(level))
            if short is None:
                raise Undecided(f"T_{eps} is {T} or more: F({T}) = {F} meets 1 - {eps}", (T, T + 1))
            if not short:
                return T, F
        return len(self.cumulative) - 1, self.cumulative[-1]  # F(dn) = 1

    def plot(self, kind: str = "orders", ax: Any = None, names: Sequence[str] | None = None) -> Any:
        """A picture, of kind "orders", "spectrum", "cumulative", "pairs" or "blocks": matplotlib's figure.

        An ``ax`` is drawn into; ``names`` are the columns'.
        """
        from ..plots import draw_indices

        return draw_indices(kind, self, ax, names)

    # For other programs.

    def collected(self) -> Indices[V]:
        """All of them, as one value."""
        names = getattr(self, "names", ())
        return Indices({name: self.family(name) for name in INDICES}, self.summary(), names)

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        """Every index, N* and T_eps in the shape of ``orca-exact/result/1``, with plain numbers for JSON.

        ``number`` makes them: float64, of a ball its midpoint, unless you say ``str``; or ``shown.rounded``,
        which has a radius too; or ``values.to_json_value``, which loses nothing. Where they are balls, each
        index is within ``radius`` of its float64. Columns count from 1, as in files; ``names`` has theirs.
        """
        found = self.collected()
        radii = [split_radius(x).get("radius") for _, _, x in found] if number is float else []
        within = (
            {"radius": max(r for r in radii if r is not None)} if any(r is not None for r in radii) else {}
        )
        return ({"names": list(found.names)} if found.names else {}) | within | found.to_json(number)

    def to_frame(self) -> Any:
        """A pandas frame, a row for each index: its name, key, label, value, and for a ball a radius:
        the true index is within it of the value, a float64."""
        names = getattr(self, "names", ())
        rows = []
        for name, key, x in self.collected():
            index = INDICES[name]
            row = {"index": name, "key": index.shown(key, names), "label": index.labelled(key, names)}
            rows.append(row | split_radius(x))
        return to_dataframe(rows)

    def listed(self) -> list[dict[str, Any]]:
        """Rows of the indices that a page lists, the largest of a long family, then N*."""
        names, d, rows = getattr(self, "names", ()), len(self.order) - 1, []
        for index in INDICES.values():
            family = self.family(index.name) if index.listed(d) or index.of_columns else {}
            largest = sorted(family, key=lambda key: -float(family[key]))[:_MANY]  # type: ignore[arg-type]
            for key in [key for key in family if key in largest]:
                rows.append({"index": index.labelled(key, names), "value": family[key]})
            if len(family) > _MANY:
                rows.append({"index": f"and {len(family) - _MANY} more", "value": ""})
        peak = self.summary().peak
        return [*rows, {"index": "N*", "value": "/".join(map(str, getattr(peak, "candidates", (peak,))))}]

    def _repr_html_(self) -> str:
        return html_table(repr(self).splitlines()[0], self.listed())

    def summary(self) -> Summary:
        """N* and T_eps as far as they are decided."""
        thresholds = {eps: decide_or_leave_open(lambda eps=eps: self.threshold(eps)[0]) for eps in EPSILONS}  # type: ignore[misc]
        return Summary(decide_or_leave_open(lambda: self.peak), thresholds)


@dataclass(frozen=True)
class OpenSummary:
    """A summary that the enclosures leave open."""

    candidates: tuple[int, ...]
    why: str


def decide_or_leave_open(question: Callable[[], int]) -> int | OpenSummary:
    """What a peak or threshold is, or the candidates an enclosure leaves."""
    try:
        return question()
    except Undecided as error:
        return OpenSummary(error.candidates, str(error))


@dataclass(frozen=True)
class Summary:
    """N* and T_eps by eps, as computed or as somebody states them."""

    peak: int | OpenSummary | None = None
    threshold: Mapping[str, int | OpenSummary] = field(default_factory=dict)

    def to_json(self) -> dict:
        """As in the "okc" field of ``orca-exact/result/1``."""
        return {
            "peak": summary_json(self.peak),
            "threshold": {eps: summary_json(T) for eps, T in self.threshold.items()},
        }


def summary_json(x: int | OpenSummary | None) -> Any:
    """A summary, or what is left of it."""
    return {"undecided": list(x.candidates), "why": x.why} if isinstance(x, OpenSummary) else x


def _read(x: Any) -> int | OpenSummary:
    return OpenSummary(tuple(x["undecided"]), x.get("why", "")) if isinstance(x, dict) else int(x)


@dataclass(frozen=True, repr=False, eq=False)
class Indices(IndexTable[V]):
    """Every index as a value: all of a profile's, or those that a file gives."""

    table: Mapping[str, Mapping[Key, V]]
    stated: Summary = Summary()  # as a file states them, true or not
    names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Indices: {', '.join(f'{name} {len(family)}' for name, family in self.table.items())}>"

    __eq__, __hash__ = structurally_equal, None  # type: ignore[assignment]

    def family(self, name: str) -> Mapping[Key, V]:
        return self.table[name]

    def collected(self) -> Indices[V]:
        return self

    def __bool__(self) -> bool:
        """Whether anything is given."""
        return bool(self.table) or self.stated != Summary()

    def __iter__(self) -> Iterator[tuple[str, Key, V]]:
        """(name, key, value) for every value."""
        for name, family in self.table.items():
            for key, x in family.items():
                yield name, key, x

    def map(self, f: Callable[[V], W]) -> Indices[W]:
        """The same indices of other values."""
        table = {name: {k: f(x) for k, x in family.items()} for name, family in self.table.items()}
        return Indices(table, self.stated, self.names)

    def to_json(self, put: Callable[[V], Any]) -> dict[str, Any]:
        """The "okc" field of ``orca-exact/result/1``; ``put`` writes one value."""
        written = self.map(put).table
        return {
            name: INDICES[name].to_json(family) for name, family in written.items()
        } | self.stated.to_json()

    @staticmethod
    def from_json(data: Mapping[str, Any], read: Callable[[Any, str], W], place: str) -> Indices[W]:
        """Back from it; a program need not give every index. ``read`` takes one value and its place."""
        table = {}
        for name, index in INDICES.items():
            if name in data:
                found = index.from_json(data[name])
                table[name] = {k: read(x, f"{place}.{name}{list(k) or ''}") for k, x in found.items()}
        stated = {eps: _read(T) for eps, T in data.get("threshold", {}).items()}
        return Indices(table, Summary(_read(data["peak"]) if "peak" in data else None, stated))

    @classmethod
    def of_modes(cls, squares: Mapping[Mode, V], n: Degrees, d: int, zero: V) -> Indices[V]:
        """By the definition: each mode's share, added where it counts."""
        table: dict[str, dict[Key, V]] = {}
        for name, index in INDICES.items():
            family = table[name] = dict.fromkeys(index.keys(n, d), zero)
            for k, x in squares.items():
                for key in index.keys_of(k, n):
                    if key in family:
                        family[key] = family[key] + x  # type: ignore[operator]
        return cls(table)


def okc_properties() -> dict:
    """The properties that an "okc" field may have; ``#/$defs/value`` is one value."""
    left_open = {
        "type": "object",
        "required": ["undecided"],
        "additionalProperties": False,
        "properties": {
            "undecided": {
                "type": "array",
                "items": {"type": "integer"},
                "description": "what it may be, as far as enclosures tell",
            },
            "why": {"type": "string", "description": "which comparison they leave open"},
        },
    }
    number = {"anyOf": [{"type": "integer"}, left_open]}
    return {name: index.schema() for name, index in INDICES.items()} | {
        "peak": number | {"description": "N*, the smallest degree of largest OKC_N"},
        "peaks": {"type": "array", "items": {"type": "integer"}, "description": "all that attain it"},
        "threshold": {
            "type": "object",
            "propertyNames": {"pattern": r"^(0|1|0?\.\d{1,20})$"},
            "additionalProperties": number,
            "description": "T_eps by eps: the smallest T with F(T) >= 1 - eps",
        },
    }
