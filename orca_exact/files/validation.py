"""JSON schemas of the file formats, and validation against them.

The schemas in ``schemas/`` are the only definition of the formats.

>>> validate({"X": [["0"], ["1"]], "y": [1, 0], "n": 1, "alpha": "0", "beta": "0"}, "problem", "p.json")
Traceback (most recent call last):
    ...
orca_exact.errors.BadFile: p.json: y[1]: 0 is not a label; write 1 or -1
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from pkgutil import resolve_name
from typing import Any

from ..errors import BadFile, BadParameter, shorten
from .formats import MAX_SHOWN, TOO_DEEP, JsonObject, read_shipped

KINDS = {
    "object": "an object", "array": "a list", "string": "a string", "number": "a number",
    "integer": "an integer", "boolean": "true or false", "null": "null",
}  # fmt: skip
MAX_ERRORS = 100  # errors among which the one to report is chosen
MAX_DEPTH = 20  # of nested lists and objects; the formats need fewer than ten

# Schemas.


def schema_names() -> list[str]:
    """Return the short names of the schemas."""
    found = (entry.name for entry in (files(__package__ or "") / "schemas").iterdir())
    return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))


def schema(name: str) -> JsonObject:
    """Return a schema by its short or full name: 'problem' or 'orca-exact/problem/1'."""
    short = _short_name(name)
    found: JsonObject | None = _complete(_shipped_schema(short)) if short in schema_names() else None
    if found is None or name not in (short, found["$id"]):
        raise BadParameter("schema", repr(name), "is unknown", "use one of " + ", ".join(schema_names()))
    return found


def _short_name(name: str) -> str:
    """Return 'problem' for 'orca-exact/problem/1' and 'problem-2' for 'orca-exact/problem/2'."""
    return name.removeprefix("orca-exact/").removesuffix("/1").replace("/", "-")


def _shipped_schema(short: str) -> JsonObject:
    """Read a schema; one with "$base" states only how it differs from the schema of that name."""
    rule = read_shipped(f"files/schemas/{short}.json")
    return _merge(_shipped_schema(rule.pop("$base")), rule) if "$base" in rule else rule


def _merge(base: JsonObject, changes: JsonObject) -> JsonObject:
    """Return a copy of nested dicts with some values replaced; None removes one."""
    merged = base.copy()
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(base.get(key), dict)
        merged[key] = _merge(base[key], value) if both else value
    return {key: value for key, value in merged.items() if value is not None}


def _complete(rule: Any) -> Any:
    """Replace each {"$part": "MODULE:FUNCTION"} by the value that the function returns.

    A "#/$defs/..." in that value refers to the enclosing schema.
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
    """Raise BadFile at the first violation of a schema.

    Parameters
    ----------
    data : JSON value
        The content of the file.
    name : str
        The name of the schema.
    place : object
        The name of the file, for the message.
    """
    if _accepts(_validator(name), data):
        return
    if _is_deep(data):  # jsonschema would take long to print it, or exceed the limit of recursion
        raise BadFile(place, *TOO_DEEP)
    validator = _explainer(name)
    errors = list(islice(validator.iter_errors(data), MAX_ERRORS))
    if not errors:
        return
    first = min(errors, key=lambda e: (list(e.absolute_path) != ["schema"], len(e.absolute_path)))
    error = _relevant(first, validator.schema)
    where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path).lstrip(".")
    if where == "schema":
        raise BadFile(place, *_explain_schema(error.instance, name))
    what, hint = _explain(error, "title" in error.schema and error.schema is not validator.schema)
    hint = hint or f"see 'orca-exact schema {_short_name(name)}'"
    raise BadFile(f"{place}: {where}" if where else place, what, hint)


def _is_deep(data: Any) -> bool:
    """Return whether lists and objects are nested more than ``MAX_DEPTH`` times; parts may be shared."""
    level = {id(data): data}
    for _ in range(MAX_DEPTH):
        level = {id(x): x for item in level.values() for x in _items(item)}
    return any(isinstance(item, list | dict) for item in level.values())


def _items(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _explain_schema(given: Any, name: str) -> tuple[str, str]:
    """Return what is wrong with the field "schema" of a file that should match the schema ``name``."""
    wanted, _, version = _short_name(name).partition("-")
    names = f"orca-exact/{wanted}/" + ("1, 2 or 3" if wanted == "problem" else version or "1")
    kind = given.split("/")[1] if isinstance(given, str) and given.startswith("orca-exact/") else ""
    if kind in ("", wanted):
        return f"schema: {_display(given)} is not supported", f"this version of orca-exact reads {names}"
    return f"this is a {shorten(kind, 30)}", f"a {wanted} file is needed ({names})"


def _explain(error: Any, titled: bool) -> tuple[str, str]:
    """Return what is wrong, and a hint, which is empty if the schema itself is the best one."""
    rule, shown = error.validator_value, _display(error.instance)
    if error.validator in ("required", "additionalProperties"):
        return _explain_fields(error.instance, error.schema)
    if titled and (found := _explain_family(error)):
        return found
    if titled:
        return f"{shown} is not {error.schema['title']}", f"write {error.schema['description']}"
    if error.validator == "const":
        return f"{shown} is not supported", f"this version reads {json.dumps(rule)}"
    if error.validator == "type":
        kinds = [rule] if isinstance(rule, str) else rule
        return f"{shown} is not {' or '.join(KINDS[k] for k in kinds)}", ""
    if error.validator == "minItems":
        return f"{shown} is too short: at least {rule} items are required", ""
    if error.validator in ("anyOf", "oneOf", "not"):
        return f"{shown} has none of the allowed forms", ""
    return error.message if len(error.message) <= 2 * MAX_SHOWN else error.message[
        : 2 * MAX_SHOWN - 3
    ] + "...", ""


def _explain_family(error: Any) -> tuple[str, str] | None:
    """Return what is wrong if an object has no family or one that none of the alternatives has, else None."""
    known = list(filter(None, _families(error)))
    if not known or not isinstance(error.instance, dict):
        return None
    given = error.instance.get("family")
    what = f"the family {_display(given)} is unknown" if given else "the field 'family' is missing"
    return what, f"use one of {', '.join(known)}"


def _explain_fields(value: JsonObject, rule: JsonObject) -> tuple[str, str]:
    """Return which field is missing or unknown, and a hint if it may be misspelt."""
    known = rule.get("properties", {})
    unknown = [key for key in value if key not in known] if rule.get("additionalProperties") is False else []
    missing = [key for key in rule.get("required", ()) if key not in value]
    for key in unknown:
        if meant := get_close_matches(key, missing or known.keys() - value.keys(), 1):
            return f"the field {shorten(repr(key), MAX_SHOWN)} is unknown", f"did you mean {meant[0]!r}?"
    if missing:
        return f"the field {missing[0]!r} is missing", ""
    return f"the field {shorten(repr(unknown[0]), MAX_SHOWN)} is unknown", "remove it"


def _relevant(error: Any, root: dict[str, Any], outer: Any = None) -> Any:
    """Return the innermost error that has a title, in the alternative that the family of an object names."""
    from jsonschema.exceptions import best_match

    error = best_match([error])  # descends into the alternatives of anyOf and oneOf
    titled = [e for e in _ancestors(error, outer) if "title" in e.schema and e.schema is not root]
    error = titled[0] if titled else error
    given = error.instance.get("family") if isinstance(error.instance, dict) else None
    chosen = [i for i, family in enumerate(_families(error)) if family is not None and family == given]
    inside = [e for e in error.context if e.relative_schema_path[0] in chosen]
    return _relevant(min(inside, key=lambda e: len(e.absolute_path)), root, error) if inside else error


def _families(error: Any) -> list[Any]:
    """Return the family that each alternative of the violated rule requires, None for other alternatives."""
    rules = error.schema.get("anyOf", ())
    return [rule.get("properties", {}).get("family", {}).get("const") for rule in rules]


def _ancestors(error: Any, outer: Any) -> Iterator[Any]:
    """Yield an error and those that contain it, up to ``outer``."""
    while error is not outer:
        yield error
        error = error.parent


def _display(value: Any) -> str:
    if isinstance(value, list | dict):
        items = "item" if len(value) == 1 else "items"
        return "an object" if isinstance(value, dict) else f"a list of {len(value)} {items}"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 3] + "..."


@lru_cache(maxsize=16)
def _validator(name: str) -> Any:
    """Return the validator of jsonschema-rs, which explains nothing but is 1000 times faster."""
    from jsonschema_rs import Draft202012Validator

    return Draft202012Validator(schema(name))


def _accepts(validator: Any, data: Any) -> bool:
    try:
        return bool(validator.is_valid(data))
    except ValueError:  # not valid JSON, such as half a surrogate pair; jsonschema explains it
        return False


def _explainer(name: str) -> Any:
    """Return the validator of jsonschema, which skips lists and objects whose items jsonschema-rs accepts.

    This is for speed: jsonschema takes 70 us for a number, and a matrix may have 10^5 of them.
    """
    import jsonschema_rs
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    root, own = schema(name), Draft202012Validator.VALIDATORS
    fast: dict[tuple[str, int], Any] = {}

    def skipping(word: str) -> Callable[..., Iterator[Any]]:
        def keyword(validator: Any, rule: Any, instance: Any, parent: JsonObject) -> Iterator[Any]:
            if (word, id(rule)) not in fast:
                properties = dict.fromkeys(parent.get("properties", ()), True)
                only = {"$defs": root.get("$defs", {}), "properties": properties, word: rule}
                fast[word, id(rule)] = jsonschema_rs.Draft202012Validator(only)
            if not _accepts(fast[word, id(rule)], instance):
                yield from own[word](validator, rule, instance, parent)

        return keyword

    words = "items", "additionalProperties", "propertyNames"
    return extend(Draft202012Validator, {word: skipping(word) for word in words})(root)
