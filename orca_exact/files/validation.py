"""Schemas, and files checked against them.

The schemas of ``schemas/`` are the only description of the formats: ``validate`` asks them and nothing else.

>>> validate({"X": [["0"], ["1"]], "y": [1, 0], "n": 1, "alpha": "0", "beta": "0"}, "problem", "p.json")
Traceback (most recent call last):
    ...
orca_exact.errors.BadFile: p.json: y[1]: 0 is not a label; write 1 or -1
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from pkgutil import resolve_name
from typing import Any

from ..errors import BadFile, BadParameter
from .formats import SHOWN, shipped

KINDS = {
    "object": "an object", "array": "a list", "string": "text", "number": "a number", "integer": "an integer",
    "boolean": "true or false", "null": "null",
}  # fmt: skip
ENOUGH = 100  # errors to choose the one from that is told

# Schemas.


def schema_names() -> list[str]:
    """Of the schemas, in short."""
    found = (entry.name for entry in (files(__package__) / "schemas").iterdir())
    return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))


def schema(name: str) -> dict:
    """A shipped schema by its name in short or in full: 'problem' or 'orca-exact/problem/1'."""
    short = _short(name)
    found = _complete(_shipped_schema(short)) if short in schema_names() else None
    if found is None or name not in (short, found["$id"]):
        raise BadParameter("schema", repr(name), "is unknown", "take " + ", ".join(schema_names()))
    return found


def _short(name: str) -> str:
    """'problem' of 'orca-exact/problem/1', 'problem-2' of 'orca-exact/problem/2'."""
    return name.removeprefix("orca-exact/").removesuffix("/1").replace("/", "-")


def _shipped_schema(short: str) -> dict:
    """Read a schema; one with "$base" states only how it differs from the schema of that name."""
    rule = shipped(f"files/schemas/{short}.json")
    return _merge(_shipped_schema(rule.pop("$base")), rule) if "$base" in rule else rule


def _merge(base: dict, changes: dict) -> dict:
    """Return a copy of nested dicts with some values replaced; None removes one."""
    merged = base | {
        key: _merge(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
        for key, value in changes.items()
    }
    return {key: value for key, value in merged.items() if value is not None}


def _complete(rule: Any) -> Any:
    """Replace each {"$part": "MODULE:FUNCTION"} by what that function returns.

    The "#/$defs/..." in it are those of the schema around it.
    """
    if isinstance(rule, list):
        return [_complete(item) for item in rule]
    if not isinstance(rule, dict):
        return rule
    if (part := rule.get("$part")) is not None:
        return _complete(resolve_name(part)())
    return {key: _complete(item) for key, item in rule.items()}


# Validation.


def validate(data: Any, name: str, place: object) -> None:
    """Nothing, if the schema allows it; else BadFile about the first thing that it does not."""
    if _accepts(_validator(name), data):
        return
    from jsonschema.exceptions import best_match

    validator = _explainer(name)
    try:
        errors = list(islice(validator.iter_errors(data), ENOUGH))
    except RecursionError:
        raise BadFile(place, "nested too deeply", "this is not one of our files") from None
    if not errors:
        return
    first = min(errors, key=lambda e: (list(e.absolute_path) != ["schema"], len(e.absolute_path)))
    error = best_match([first])  # of its alternatives
    named = [e for e in _up(error) if "title" in e.schema and e.schema is not validator.schema]
    error = named[0] if named else error
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
    what, hint = _told(error, bool(named))
    short = _short(name)
    raise BadFile(f"{place}: {where}" if where else place, what, hint or f"see 'orca-exact schema {short}'")


def _told(error: Any, named: bool) -> tuple[str, str]:
    """What is wrong, and the hint where it is not simply to read the schema."""
    rule, shown = error.validator_value, _shown(error.instance)
    if error.validator in ("required", "additionalProperties"):
        return _fields(error.instance, error.schema)
    if named:
        return f"{shown} is not {error.schema['title']}", f"write {error.schema['description']}"
    if error.validator == "const":
        return f"{shown} is not known", f"this version reads {json.dumps(rule)}"
    if error.validator == "type":
        return f"{shown} is not {' or '.join(KINDS[k] for k in _listed(rule))}", ""
    if error.validator == "minItems":
        return f"{shown} where at least {rule} items are asked", ""
    if error.validator in ("anyOf", "oneOf", "not"):
        return f"{shown} is of none of the forms asked for", ""
    return error.message if len(error.message) <= 2 * SHOWN else error.message[: 2 * SHOWN - 3] + "...", ""


def _fields(value: dict, rule: dict) -> tuple[str, str]:
    """A field that is missing, or one that is not known, which may be the same field misspelt."""
    known = rule.get("properties", {})
    unknown = [key for key in value if key not in known] if rule.get("additionalProperties") is False else []
    missing = [key for key in rule.get("required", ()) if key not in value]
    for key in unknown:
        if meant := get_close_matches(key, missing or known.keys() - value.keys(), 1):
            return f"unknown field {key!r}", f"did you mean {meant[0]!r}?"
    if missing:
        return f"no field {missing[0]!r}", ""
    return f"unknown field {unknown[0]!r}", "remove it"


def _up(error: Any) -> Iterator[Any]:
    while error is not None:
        yield error
        error = error.parent


def _shown(value: Any) -> str:
    if isinstance(value, list | dict):
        items = "item" if len(value) == 1 else "items"
        return "an object" if isinstance(value, dict) else f"a list of {len(value)} {items}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _listed(value: Any) -> list:
    return value if isinstance(value, list) else [value]


@lru_cache(maxsize=16)
def _validator(name: str) -> Any:
    """Return jsonschema-rs's validator, which is asked for yes or no, 1000 times faster than jsonschema."""
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(schema(name))


def _accepts(validator: Any, data: Any) -> bool:
    try:
        return validator.is_valid(data)
    except ValueError:  # what has no JSON, such as half a surrogate pair: jsonschema explains
        return False


def _explainer(name: str) -> Any:
    """Return jsonschema's validator, made to skip lists and objects if jsonschema-rs accepts each member.

    jsonschema takes 70 us for a number, and a matrix has 10^5.
    """
    import jsonschema_rs
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    root, own = schema(name), Draft202012Validator.VALIDATORS
    quick: dict[tuple[str, int], Any] = {}

    def skipping(word: str) -> Callable:
        def keyword(validator: Any, rule: Any, instance: Any, around: dict) -> Any:
            if (word, id(rule)) not in quick:
                named = dict.fromkeys(around.get("properties", ()), True)
                alone = {"$defs": root.get("$defs", {}), "properties": named, word: rule}
                quick[word, id(rule)] = jsonschema_rs.Draft202012Validator(alone)
            if not _accepts(quick[word, id(rule)], instance):
                yield from own[word](validator, rule, instance, around)

        return keyword

    words = "items", "additionalProperties", "propertyNames"
    return extend(Draft202012Validator, {word: skipping(word) for word in words})(root)
