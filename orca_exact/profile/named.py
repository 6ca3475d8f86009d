"""Coordinates in results: counted from 1, as in the paper, or called by their columns' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ..errors import BadParameter, UnknownKey

V = TypeVar("V")


class Named(dict[Any, V]):
    """OKC_i or OKC_ij. Keys are names where the columns have some, else 1 ... d; both are understood, and a
    pair in either order.

    >>> pair = Named({(1, 2): 0.5, (1, 3): 0.25, (2, 3): 0.0}, ["age", "epss", "lvdd"], "OKC_ij")
    >>> pair["epss", "age"], pair[3, 1], list(pair)[0]
    (0.5, 0.25, ('age', 'epss'))
    """

    def __init__(self, family: Mapping[tuple[int, ...], V], names: Sequence[str] = (), label: str = "index"):
        self.names, self.label = distinct(names), label
        super().__init__((self._shown(key), x) for key, x in family.items())

    def _shown(self, numbers: Sequence[int]) -> Any:
        key = tuple(self.names[i - 1] if self.names else i for i in numbers)
        return key if len(key) > 1 else key[0]

    def _found(self, key: Any) -> Any:
        """The key as it is kept, or None."""
        try:
            wanted = [coordinate(part, self.names) for part in (key if isinstance(key, tuple) else (key,))]
            found = self._shown(sorted(wanted))
        except (BadParameter, IndexError):
            return None
        return found if super().__contains__(found) else None

    def __missing__(self, key: Any) -> V:
        found = self._found(key)
        if found is None:
            first, last = ((list(self) or ["nothing"])[k] for k in (0, -1))
            raise UnknownKey(self.label, repr(key), "is no key of it", f"take {first!r} to {last!r}")
        return self[found]

    def __contains__(self, key: object) -> bool:
        return self._found(key) is not None

    def get(self, key: Any, default: Any = None) -> Any:
        """The value, or the default."""
        found = self._found(key)
        return default if found is None else self[found]


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, if each is another's."""
    return tuple(names) if len(set(names)) == len(names) else ()


def coordinate(key: Any, names: Sequence[str]) -> int:
    """The number, from 1, of a coordinate that is given by it or by its name."""
    if isinstance(key, str) and key in names:
        return list(names).index(key) + 1
    if isinstance(key, bool) or not hasattr(key, "__index__") or key < 1:
        known = f"or one of {', '.join(map(repr, names))}" if names else "as no names are known"
        raise BadParameter("coordinate", repr(key), "is no coordinate", f"count from 1, {known}")
    return int(key)
