"""Files: how they are read, checked against their JSON schema, sealed, and written whole or not at all.

The schemas of ``schemas/`` are the only description of the formats: ``validate`` asks them and nothing else.
Whatever is wrong with a file is a BadFile of one line: the place, what is there, the next thing to try.
JSON may be packed by gzip: what is read is known by its first bytes, what is written by its name, ``.gz``.

>>> validate({"X": [["0"], ["1"]], "y": [1, 0], "n": 1, "alpha": "0", "beta": "0"}, "problem", "p.json")
Traceback (most recent call last):
    ...
orca_exact.errors.BadFile: p.json: y[1]: 0 is not a label; write 1 or -1
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from errno import EACCES
from functools import lru_cache, reduce
from gzip import GzipFile
from importlib.resources import files
from io import BytesIO
from itertools import islice
from math import isfinite
from operator import getitem
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import IO, Any

from ..errors import BadFile, BadParameter

CHECK, CHOOSE = "check the path", "choose another path"
LONGEST_INTEGER = 4000  # digits that Python reads unasked; a longer one stays text
KINDS = {
    "object": "an object", "array": "a list", "string": "text", "number": "a number", "integer": "an integer",
    "boolean": "true or false", "null": "null",
}  # fmt: skip
SHOWN = 60  # characters of a value in a message
ENOUGH = 100  # errors to choose the one from that is told
GZIP = b"\x1f\x8b"  # no JSON text begins so
MOST = 2**27  # bytes that are read of a file, packed or not
CHUNK = 2**20  # bytes that are read at once
LARGE = 10**7  # bytes of a file that is announced
STDIN = "-"  # the name of standard input
STREAMS = ("/dev/std", "/dev/fd/", "/proc/")  # names of open files: nothing may be renamed over them

PathLike = str | os.PathLike[str]


# Reading.


def read_bytes(path: PathLike, hint: str = CHECK, most: int | None = None) -> bytes:
    """Return all of a file; "-" is standard input, which can be read once.

    Raise BadFile, without reading on, if it has more than ``most`` bytes (``MOST`` unless given).
    """
    if path == STDIN:
        return _standard_input(most)
    try:
        with open(path, "rb") as file:
            return _whole(file, path, most)
    except BadFile:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise BadFile(path, _why(error, "cannot be read"), hint) from None


def _standard_input(most: int | None) -> bytes:
    try:
        raw = _whole(getattr(sys.stdin, "buffer", sys.stdin), STDIN, most)
    except OSError as error:
        raise BadFile(place_of(STDIN), _why(error, "cannot be read"), "name a file") from None
    if not raw:
        raise BadFile(place_of(STDIN), "is empty, or has been read already", "name a file")
    return raw


def _whole(file: Any, path: PathLike, most: int | None, verb: str = "is longer than") -> bytes:
    """Return all that a file has, if it is not more than ``most`` bytes."""
    limit = MOST if most is None else most
    parts: list[bytes] = []
    left = limit + 1
    while left > 0 and (part := file.read(min(left, CHUNK))):
        parts.append(part.encode() if isinstance(part, str) else part)
        left -= len(parts[-1])
    if left <= 0:
        size = f"{limit >> 20} MB" if limit >> 20 else f"{limit} bytes"
        raise BadFile(place_of(path), f"{verb} {size}, and no more is read", "give a smaller file")
    return b"".join(parts)


def place_of(path: PathLike) -> str:
    """What an error calls it."""
    return "standard input" if path == STDIN else str(path)


def read_private(path: PathLike, size: int) -> bytes:
    """A file of this size, if it is this user's and nobody else may read or write it."""
    try:
        with open(
            path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
        ) as file:
            about, raw = os.fstat(file.fileno()), file.read(size + 1)
    except (OSError, ValueError) as error:
        raise BadFile(path, _why(error, "cannot be read"), CHECK) from None
    again = "remove it; it will be made again"
    if about.st_mode & 0o077:
        raise BadFile(path, f"has mode {about.st_mode & 0o777:04o}, so that others may use it", again)
    if about.st_uid != os.geteuid() or len(raw) != size:
        raise BadFile(path, "is not this user's, or not whole", again)
    return raw


def read(path: PathLike, most: int | None = None) -> Any:
    """The JSON value in a file of at most so many bytes."""
    return parse(_unpacked(read_bytes(path, most=most), path, most), place_of(path))


def documents(path: PathLike) -> list[tuple[str, Any]]:
    """The JSON values in a file, one document or JSON lines, each with its place."""
    raw, path = _unpacked(read_bytes(path), path), place_of(path)
    lines = [(f"{path}:{i}", line) for i, line in enumerate(raw.splitlines(), 1) if line.strip()]
    if len(lines) > 1:
        try:
            parse(lines[0][1], path)
        except BadFile:
            pass  # one document over many lines
        else:
            return [(place, parse(line, place)) for place, line in lines]
    return [(str(path), parse(raw, path))]


def _unpacked(raw: bytes, path: PathLike, most: int | None = None) -> bytes:
    """What gzip has packed, whatever the file is called; the rest as it is."""
    if not raw.startswith(GZIP):
        return raw
    try:
        with GzipFile(fileobj=BytesIO(raw)) as packed:
            return _whole(packed, path, most, "unpacks to more than")
    except (OSError, EOFError, zlib.error):
        raise BadFile(
            place_of(path), "begins like gzip but is damaged or truncated", "make or copy it again"
        ) from None


def shipped(path: str, package: str = "orca_exact") -> Any:
    """Return the JSON value in a file that a package ships."""
    return parse((files(package) / path).read_bytes(), path)


def parse(raw: bytes | str, place: object) -> Any:
    """The JSON value in a text; what JSON leaves open (fields given twice, NaN, 1e999) is refused."""

    def pairs(items: list[tuple[str, Any]]) -> dict:
        found = dict(items)
        if len(found) < len(items):
            names = [name for name, _ in items]
            twice = next(name for name in names if names.count(name) > 1)
            raise BadFile(place, f"the field {twice!r} occurs twice", "keep one of them")
        return found

    def constant(name: str) -> Any:
        raise BadFile(place, f"{name} is not a number", "remove or repair the value")

    def real(text: str) -> float:
        if not isfinite(value := float(text)):
            raise BadFile(place, f"{text[:SHOWN]} is too large for a JSON number", "write it as a string")
        return value

    try:
        return json.loads(
            raw.decode("utf-8-sig") if isinstance(raw, bytes) else raw,
            object_pairs_hook=pairs,
            parse_constant=constant,
            parse_float=real,
            parse_int=lambda digits: int(digits) if len(digits) < LONGEST_INTEGER else digits,
        )
    except UnicodeDecodeError as error:
        raise BadFile(place, f"not UTF-8 (byte {error.start})", "save it as UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise BadFile(place, f"not JSON: {error.msg} at {where}", "is the file truncated?") from None
    except RecursionError:
        raise BadFile(place, "nested too deeply", "this is not one of our files") from None


# Writing.


def write(path: PathLike, content: str | bytes, hint: str = CHOOSE) -> int:
    """Whole or absent: written beside its place and renamed, so that a failure leaves what was there.

    A link is followed; a device, a pipe or a name of an open file such as /dev/stdout is written to as it is.
    What is called .gz is packed, the same content to the same bytes. Returns how many these are.
    """
    try:
        raw, target = content.encode() if isinstance(content, str) else content, Path(path)
        raw = _packed(raw) if target.suffix.lower() == ".gz" else raw
        if str(path).startswith(STREAMS) or not _is_regular(target):
            return target.write_bytes(raw)
        target = target.resolve()
        there = target.exists()
        if there and not os.access(target, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
        with TemporaryDirectory(prefix=".orca-exact-", dir=target.parent) as beside:
            part = Path(beside) / target.name
            part.write_bytes(raw)
            if there:
                shutil.copymode(target, part)
            part.replace(target)
        return len(raw)
    except (OSError, ValueError) as error:
        raise BadFile(path, _why(error, "cannot be written"), hint) from None


def _packed(raw: bytes) -> bytes:
    """By gzip, without a name or a time."""
    out = BytesIO()
    with GzipFile(filename="", mode="wb", compresslevel=6, fileobj=out, mtime=0) as packed:
        packed.write(raw)
    return out.getvalue()


def write_private(path: PathLike, raw: bytes) -> None:
    """For this user alone, whole, and only where nothing is yet: of two that write, the first is kept."""
    try:
        with TemporaryDirectory(prefix=".orca-exact-", dir=Path(path).parent) as beside:
            part = Path(beside) / "part"
            part.touch(0o600)
            part.write_bytes(raw)
            with suppress(FileExistsError):
                os.link(part, path)
    except (OSError, ValueError) as error:
        raise BadFile(path, _why(error, "cannot be written"), CHOOSE) from None


def write_json(path: PathLike, *documents: Any) -> int:
    """One document, indented, or JSON lines where there are several; returns the bytes written."""
    indent = 1 if len(documents) == 1 else None
    return write(path, "".join(json.dumps(data, indent=indent) + "\n" for data in documents))


def make_folder(path: PathLike, hint: str = CHOOSE) -> None:
    """A folder, and those above it."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadFile(path, f"cannot be made ({_why(error, 'no folder')})", hint) from None


def nowhere(mode: str) -> IO[str]:
    """An open stream that holds nothing, or forgets everything."""
    return open(os.devnull, mode, encoding="utf-8")


def _is_regular(path: Path) -> bool:
    """Or absent: then it will be."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def _why(error: Exception, otherwise: str) -> str:
    return getattr(error, "strerror", None) or otherwise


# Digests.


def digest(data: Any) -> str:
    """SHA-256 of the canonical text: keys in order, no blanks, ASCII."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def sealed(data: dict) -> dict:
    """With its own digest in it."""
    return data | {"sha256": digest(data)}


def is_sealed(data: dict) -> bool:
    """Whether its sha256 is that of the rest."""
    return digest({key: value for key, value in data.items() if key != "sha256"}) == data["sha256"]


# Schemas.


def names() -> list[str]:
    """Of the schemas, in short."""
    found = (entry.name for entry in (files(__package__) / "schemas").iterdir())
    return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))


def schema(name: str) -> dict:
    """A shipped schema by its name in short or in full: 'problem' or 'orca-exact/problem/1'."""
    short = _short(name)
    found = _complete(shipped(f"files/schemas/{short}.json")) if short in names() else None
    if found is None or name not in (short, found["$id"]):
        raise BadParameter("schema", repr(name), "is unknown", "take " + ", ".join(names()))
    return found


def _short(name: str) -> str:
    """'problem' of 'orca-exact/problem/1', 'problem-2' of 'orca-exact/problem/2'."""
    return name.removeprefix("orca-exact/").removesuffix("/1").replace("/", "-")


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
    from jsonschema.exceptions import best_match

    validator = _validator(name)
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
    """jsonschema's, but for what is surely allowed: it takes 70 us for a number, and a matrix has 10^5."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    root, own = schema(name), Draft202012Validator.VALIDATORS

    def passing_over(word: str, members: Callable[[Any], Iterable]) -> Callable:
        def keyword(validator: Any, rule: Any, instance: Any, around: Any) -> Any:
            sure = _scalars(rule, root) if isinstance(rule, dict) else {}
            if not all(type(x) in sure and all(s(x) for s in sure[type(x)]) for x in members(instance)):
                yield from own[word](validator, rule, instance, around)

        return keyword

    keys = lambda x: x if isinstance(x, dict) else ()  # noqa: E731
    members = {
        "items": lambda x: x if isinstance(x, list) else (),
        "additionalProperties": lambda x: (x[key] for key in keys(x)),
        "propertyNames": keys,
    }
    quick = {word: passing_over(word, of) for word, of in members.items()}
    return extend(Draft202012Validator, quick)(root)


OF_OBJECTS = {"properties", "additionalProperties", "minProperties", "required", "title", "description"}
SCALARS: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float), "integer": (int,)}


def _scalars(rule: dict, root: dict) -> dict[type, tuple[Callable, ...]]:
    """The types of texts and numbers that a rule surely allows, each with the searches that must succeed."""
    found: dict[type, tuple[Callable, ...]] = {str: (), int: (), float: ()}
    for word, value in rule.items():
        part: dict[type, tuple[Callable, ...]] = {}
        if word == "$ref":
            part = _scalars(reduce(getitem, value.removeprefix("#/").split("/"), root), root)
        elif word == "anyOf":
            for choice in value:
                part = _scalars(choice, root) | part
        elif word == "type":
            part = {kind: () for name in _listed(value) for kind in SCALARS.get(name, ())}
        elif word == "pattern":
            part = {str: (re.compile(value).search,), int: (), float: ()}
        elif word in OF_OBJECTS:
            continue
        found = {kind: found[kind] + part[kind] for kind in found.keys() & part.keys()}
    return found
