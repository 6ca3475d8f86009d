"""Lists and mappings of indices, whose keys are numbers (from 1 for coordinates) or column names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ..errors import BadParameter, UnknownKey

V = TypeVar("V")


def unknown_key_error(label: str, key: Any, keys: Sequence[Any]) -> UnknownKey:
    """Return the error for a key that an index does not have; ``keys`` are those that it has."""
    hint = f"use a key from {keys[0]!r} to {keys[-1]!r}" if keys else "it has no keys"
    return UnknownKey(label, repr(key), "is not a key of this index", hint)


class ListView(list[V]):
    """A list of OKC^(q), OKC_N or F(T), counted from 0."""

    def __init__(self, values: Iterable[V] = (), label: str = "index"):
        super().__init__(values)
        self.label = label

    def __getitem__(self, k: Any) -> Any:
        try:
            return super().__getitem__(k)
        except IndexError:
            raise unknown_key_error(self.label, k, range(len(self))) from None


class KeyedView(dict[Any, V]):
    """A mapping from (q, N) to OKC_N^(q)."""

    def __init__(self, family: Mapping[Any, V], label: str = "index"):
        super().__init__(family)
        self.label = label

    def __missing__(self, key: Any) -> V:
        raise unknown_key_error(self.label, key, list(self))


class NamedView(KeyedView[V]):
    """A mapping from coordinates to OKC_i, or from pairs of coordinates to OKC_ij.

    Its keys are the names of the columns if there are any, else the numbers 1 ... d. A lookup accepts both,
    and a pair in either order.

    >>> pair = NamedView({(1, 2): 0.5, (1, 3): 0.25, (2, 3): 0.0}, ["age", "epss", "lvdd"], "OKC_ij")
    >>> pair["epss", "age"], pair[3, 1], list(pair)[0]
    (0.5, 0.25, ('age', 'epss'))
    """

    def __init__(self, family: Mapping[tuple[int, ...], V], names: Sequence[str] = (), label: str = "index"):
        self.names = distinct_or_empty(names)
        super().__init__({self._display_key(key): x for key, x in family.items()}, label)

    def _display_key(self, numbers: Sequence[int]) -> Any:
        key = tuple(self.names[i - 1] if self.names else i for i in numbers)
        first, *others = key
        return key if others else first

    def _stored_key(self, key: Any) -> Any:
        """Return the key under which the value is stored, or None."""
        parts = key if isinstance(key, tuple) else (key,)
        try:
            found = self._display_key(sorted(find_coordinate(part, self.names) for part in parts))
        except (BadParameter, IndexError):
            return None
        return found if super().__contains__(found) else None

    def __missing__(self, key: Any) -> V:
        found = self._stored_key(key)
        return super().__missing__(key) if found is None else self[found]

    def __contains__(self, key: object) -> bool:
        return self._stored_key(key) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value for a key, or the default."""
        found = self._stored_key(key)
        return default if found is None else self[found]


def distinct_or_empty(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, or an empty tuple if two of them are equal."""
    return tuple(names) if len(set(names)) == len(names) else ()


def find_coordinate(key: Any, names: Sequence[str]) -> int:
    """Return the number, from 1, of a coordinate given by its number or its name."""
    if isinstance(key, str) and key in names:
        return list(names).index(key) + 1
    if isinstance(key, bool | str) or not hasattr(key, "__index__") or key < 1:
        known = f", or one of the names {', '.join(map(repr, names))}" if names else ""
        raise BadParameter(
            "coordinate", repr(key), "is not a coordinate", f"pass its number, counted from 1{known}"
        )
    return int(key)
