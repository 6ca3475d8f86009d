"""What one family of indices is: its name, its keys, the modes it sums, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadParameter
from .generating import PairForms
from .sums import ModeSums
from .views import find_coordinate, unknown_key

Key = tuple[int, ...]
Mode = tuple[int, ...]
Degrees = int | Sequence[int]
KEY = r"^(0|[1-9][0-9]{0,4})(,(0|[1-9][0-9]{0,4}))*$"  # one way to write each


def is_always_listed(d: int) -> bool:
    """In any number of dimensions."""
    return True


@dataclass(frozen=True)
class Index:
    """One family of indices."""

    name: str
    label: str  # of one member, its key inserted
    keys: Callable[[Degrees, int], Sequence[Key]]  # of n, one or one for each coordinate, and d
    keys_of: Callable[[Mode, Degrees], Iterable[Key]]  # of a mode and n: the definition
    sums: Callable[
        [ModeSums | PairForms], Iterable[Any]
    ]  # over the scale of ||h||^2, in the order of the keys
    what: str = ""  # in words
    shape: str = "list"  # in JSON: "list", "rows" (a list of lists), "map" (by key) or "one"
    first: int = 0  # the key that a list begins with
    constant: Key | None = None  # whose only mode is the constant
    of_columns: bool = False  # whether its keys are coordinates
    listed: Callable[[int], bool] = is_always_listed  # whether a page lists it, in d dimensions

    def labelled(self, key: Key, names: Sequence[str] = ()) -> str:
        """'OKC^(2)', 'OKC_13', 'OKC_{1,12}', 'even'; of columns with names, 'OKC of age, epss'."""
        if self.of_columns and names:
            return "OKC of " + ", ".join(names[i - 1] for i in key)
        if self.of_columns and max(key) > 9:  # OKC_12 is of the columns 1 and 2
            return "OKC_{" + ",".join(map(str, key)) + "}"
        return self.label.format(*key)

    def shown(self, key: Key, names: Sequence[str] = ()) -> Any:
        """The key as a table has it: 2, 'age', (1, 3)."""
        parts = tuple(names[i - 1] for i in key) if self.of_columns and names else key
        return parts[0] if len(parts) == 1 else parts

    def found(self, wanted: Any, keys: Collection[Key], names: Sequence[str] = ()) -> Key:
        """The key, of these, that is asked for: 2, (2,), (2, 1), "age", ("epss", "age")."""
        parts = tuple(wanted) if isinstance(wanted, tuple | list) else (wanted,)
        try:
            key = tuple(sorted(find_coordinate(i, names) for i in parts)) if self.of_columns else parts
            if key in keys:
                return key
        except (BadParameter, TypeError):
            pass
        raise unknown_key(self.name, wanted, [self.shown(key, names) for key in keys])

    def to_json(self, family: Mapping[Key, Any]) -> Any:
        """In the shape that files have."""
        if self.shape == "one":
            return family[()]
        if self.shape == "map":
            return {",".join(map(str, key)): x for key, x in family.items()}
        if self.shape == "list":
            return list(family.values())
        rows: dict[int, list] = {}
        for (row, _), x in family.items():
            rows.setdefault(row, []).append(x)
        return list(rows.values())

    def from_json(self, data: Any) -> dict[Key, Any]:
        """By key, however many there are."""
        if self.shape == "one":
            return {(): data}
        if self.shape == "map":
            return {tuple(int(i) for i in key.split(",")): x for key, x in data.items()}
        if self.shape == "list":
            return {(i,): x for i, x in enumerate(data, self.first)}
        return {(i, j): x for i, row in enumerate(data) for j, x in enumerate(row)}

    def schema(self) -> dict:
        """Its JSON schema."""
        number: dict[str, Any] = {"$ref": "#/$defs/value"}
        row = {"type": "array", "items": number}
        keyed = {"type": "object", "propertyNames": {"pattern": KEY}, "additionalProperties": number}
        shapes = {"one": number, "list": row, "rows": {"type": "array", "items": row}, "map": keyed}
        return shapes[self.shape] | {"description": self.what}


def active_coordinates(k: Mode) -> Key:
    """The coordinates, from 1, that a mode depends on."""
    return tuple(i for i, degree in enumerate(k, 1) if degree)
