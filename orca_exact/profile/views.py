"""Coordinates in results: counted from 1, as in the paper, or called by their columns' names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ..errors import BadParameter, UnknownKey

V = TypeVar("V")


def unknown_key(label: str, key: Any, keys: Sequence[Any]) -> UnknownKey:
    """What is told of a key that there is not."""
    first, last = ((keys or ["nothing"])[k] for k in (0, -1))
    return UnknownKey(label, repr(key), "is no key of it", f"take {first!r} to {last!r}")


class ListView(list[V]):
    """OKC^(q), OKC_N or F(T), counted from 0."""

    def __init__(self, values: Iterable[V] = (), label: str = "index"):
        super().__init__(values)
        self.label = label

    def __getitem__(self, k: Any) -> Any:
        try:
            return super().__getitem__(k)
        except IndexError:
            raise unknown_key(self.label, k, range(len(self))) from None


class KeyedView(dict[Any, V]):
    """OKC_N^(q) by (q, N)."""

    def __init__(self, family: Mapping[Any, V], label: str = "index"):
        super().__init__(family)
        self.label = label

    def __missing__(self, key: Any) -> V:
        raise unknown_key(self.label, key, list(self))


class NamedView(KeyedView[V]):
    """OKC_i or OKC_ij. Keys are names where the columns have some, else 1 ... d; both are understood, and a
    pair in either order.

    >>> pair = NamedView({(1, 2): 0.5, (1, 3): 0.25, (2, 3): 0.0}, ["age", "epss", "lvdd"], "OKC_ij")
    >>> pair["epss", "age"], pair[3, 1], list(pair)[0]
    (0.5, 0.25, ('age', 'epss'))
    """

    def __init__(self, family: Mapping[tuple[int, ...], V], names: Sequence[str] = (), label: str = "index"):
        self.names = require_distinct(names)
        super().__init__({self._shown(key): x for key, x in family.items()}, label)

    def _shown(self, numbers: Sequence[int]) -> Any:
        key = tuple(self.names[i - 1] if self.names else i for i in numbers)
        return key if len(key) > 1 else key[0]

    def _found(self, key: Any) -> Any:
        """The key as it is kept, or None."""
        try:
            wanted = [
                find_coordinate(part, self.names) for part in (key if isinstance(key, tuple) else (key,))
            ]
            found = self._shown(sorted(wanted))
        except (BadParameter, IndexError):
            return None
        return found if super().__contains__(found) else None

    def __missing__(self, key: Any) -> V:
        found = self._found(key)
        return super().__missing__(key) if found is None else self[found]

    def __contains__(self, key: object) -> bool:
        return self._found(key) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """The value, or the default."""
        found = self._found(key)
        return default if found is None else self[found]


def require_distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, if each is another's."""
    return tuple(names) if len(set(names)) == len(names) else ()


def find_coordinate(key: Any, names: Sequence[str]) -> int:
    """The number, from 1, of a coordinate that is given by it or by its name."""
    if isinstance(key, str) and key in names:
        return list(names).index(key) + 1
    if isinstance(key, bool) or not hasattr(key, "__index__") or key < 1:
        known = f"or one of {', '.join(map(repr, names))}" if names else "as no names are known"
        raise BadParameter("coordinate", repr(key), "is no coordinate", f"count from 1, {known}")
    return int(key)
