"""The description of one family of indices: name, keys, modes, labels and JSON form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadParameter
from ..files.formats import JsonObject
from .generating import PairSummands
from .sums import ModeSums
from .views import find_coordinate, unknown_key_error

Key = tuple[int, ...]
Mode = tuple[int, ...]
KEY_PATTERN = r"^(0|[1-9][0-9]{0,4})(,(0|[1-9][0-9]{0,4}))*$"  # each key can be written in one way only


@dataclass(frozen=True)
class Index:
    """A family of indices, such as OKC^(q) or OKC_ij, with one member for each key."""

    name: str
    label: str  # the format string for the label of a member
    keys: Callable[[int, int], Sequence[Key]]  # all keys, for the highest total degree and d
    keys_of: Callable[[Mode, int], Iterable[Key]]  # the keys to which a mode contributes: the definition
    sums: Callable[
        [ModeSums | PairSummands], Iterable[Any]
    ]  # the unnormalised sums, in the order of the keys
    description: str = ""  # the description in the schema
    shape: str = "list"  # in JSON: "list", "rows" (a list of lists), "map" (by key) or "one"
    first: int = 0  # the key of the first item of a list
    constant: Key | None = None  # the key to which only the constant mode contributes
    keys_are_columns: bool = False  # whether the keys are coordinates
    by_degree: bool = False  # whether only kernels of polynomials have it
    is_listed: Callable[[int], bool] = lambda d: True  # whether summaries list it in d dimensions
    divisor: Callable[[Mode], int] = lambda k: 1  # by which the share of a mode is divided
    least_order: Callable[[Key], int] = lambda key: 0  # the least order of a mode that contributes to a key

    def label_of(self, key: Key, names: Sequence[str] = ()) -> str:
        """Return the label of a member: 'OKC^(2)', 'OKC_13', 'OKC_{1,12}', 'even' or 'OKC of age, epss'."""
        family = self.label.partition("_")[0]
        if self.keys_are_columns and names:
            return f"{family} of " + ", ".join(names[i - 1] for i in key)
        if self.keys_are_columns and max(key) > 9:  # OKC_12 means the columns 1 and 2
            return family + "_{" + ",".join(map(str, key)) + "}"
        return self.label.format(*key)

    def display_key(self, key: Key, names: Sequence[str] = ()) -> Any:
        """Return the key as tables show it: 2, 'age', (1, 3)."""
        parts = tuple(names[i - 1] for i in key) if self.keys_are_columns and names else key
        return parts[0] if len(parts) == 1 else parts

    def find_key(self, wanted: Any, keys: Collection[Key], names: Sequence[str] = ()) -> Key:
        """Return the key among ``keys`` for ``wanted``: 2, (2,), (2, 1), "age" or ("epss", "age")."""
        parts = tuple(wanted) if isinstance(wanted, tuple | list) else (wanted,)
        try:
            key = tuple(sorted(find_coordinate(i, names) for i in parts)) if self.keys_are_columns else parts
            if key in keys:
                return key
        except (BadParameter, TypeError):
            pass
        raise unknown_key_error(self.name, wanted, [self.display_key(key, names) for key in keys])

    def to_json(self, family: Mapping[Key, Any]) -> Any:
        """Return the family in the form that files use."""
        if self.shape == "one":
            return family[()]
        if self.shape == "map":
            return {",".join(map(str, key)): x for key, x in family.items()}
        if self.shape == "list":
            return list(family.values())
        rows: dict[int, list[Any]] = {}
        for (row, _), x in family.items():
            rows.setdefault(row, []).append(x)
        return list(rows.values())

    def from_json(self, data: Any) -> dict[Key, Any]:
        """Return the members by key from the form that files use."""
        if self.shape == "one":
            return {(): data}
        if self.shape == "map":
            return {tuple(int(i) for i in key.split(",")): x for key, x in data.items()}
        if self.shape == "list":
            return {(i,): x for i, x in enumerate(data, self.first)}
        return {(i, j): x for i, row in enumerate(data) for j, x in enumerate(row)}

    def schema(self) -> JsonObject:
        """Return the JSON schema of the family."""
        number: dict[str, Any] = {"$ref": "#/$defs/value"}
        row = {"type": "array", "items": number}
        keyed = {"type": "object", "propertyNames": {"pattern": KEY_PATTERN}, "additionalProperties": number}
        shapes = {"one": number, "list": row, "rows": {"type": "array", "items": row}, "map": keyed}
        return shapes[self.shape] | {"description": self.description}


def active_coordinates(k: Mode) -> Key:
    """Return the coordinates, counted from 1, on which a mode depends."""
    return tuple(i for i, degree in enumerate(k, 1) if degree)
