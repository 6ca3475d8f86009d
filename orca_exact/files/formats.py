"""Reading, writing and digests of files.

Every problem with a file raises BadFile, with a message of one line: the place, what is wrong, what to do.
JSON may be compressed by gzip. When a file is read, gzip is recognised by its first bytes; when a file is
written, it is compressed if its name ends in ``.gz``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from errno import EACCES
from gzip import GzipFile
from importlib.resources import files
from io import BytesIO
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from ..errors import BadFile

CHECK_PATH, CHOOSE_PATH = "check the path", "choose another path"
LONGEST_INTEGER = 4000  # digits that Python converts by default; a longer integer stays a string
MAX_SHOWN = 60  # characters of a value in a message
GZIP = b"\x1f\x8b"  # a JSON text never begins with these bytes
_MAX_BYTES = 2**27  # the largest file that is read, both compressed and decompressed
_CHUNK = 2**20  # bytes read at once
LARGE_BYTES = 10**7  # bytes above which the command line announces the size of a file
STDIN = "-"  # the name of standard input
STREAM_PREFIXES = ("/dev/std", "/dev/fd/", "/proc/")  # names of open files, which must not be replaced

TOO_DEEP = "is nested too deeply", "give a file in one of the formats of orca-exact"

PathLike = str | os.PathLike[str]
JsonObject = dict[str, Any]


# Reading.


def read_bytes(path: PathLike, hint: str = CHECK_PATH, limit: int | None = None) -> bytes:
    """Return the content of a file; "-" is standard input, which can be read once.

    Raise BadFile if it has more than ``limit`` bytes (by default ``_MAX_BYTES``), without reading the rest.
    """
    hint = "give the name of a file" if path == STDIN else hint
    try:
        with _open(path) as file:
            raw = _read_limited(file, path, limit)
    except BadFile:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        raise BadFile(place_of(path), _reason(error, "cannot be read"), hint) from None
    if path == STDIN and not raw:
        raise BadFile(place_of(path), "is empty or has been read already", hint)
    return raw


def _open(path: PathLike) -> Any:
    return nullcontext(getattr(sys.stdin, "buffer", sys.stdin)) if path == STDIN else open(path, "rb")


def _read_limited(file: Any, path: PathLike, limit: int | None, verb: str = "is longer than") -> bytes:
    """Return the content of an open file; raise BadFile if it has more than ``limit`` bytes."""
    limit = _MAX_BYTES if limit is None else limit
    parts: list[bytes] = []
    left = limit + 1
    while left > 0 and (part := file.read(min(left, _CHUNK))):
        parts.append(part.encode() if isinstance(part, str) else part)
        left -= len(parts[-1])
    if left <= 0:
        size = f"{limit >> 20} MB" if limit >> 20 else f"{limit} bytes"
        raise BadFile(place_of(path), f"{verb} the limit of {size}", "give a smaller file")
    return b"".join(parts)


def place_of(path: PathLike) -> str:
    """Return the name of a file for error messages."""
    return "standard input" if path == STDIN else str(path)


def read(path: PathLike, limit: int | None = None) -> Any:
    """Return the JSON value in a file of at most ``limit`` bytes."""
    return parse(read_unpacked(path, limit), place_of(path))


def read_unpacked(path: PathLike, limit: int | None = None) -> bytes:
    """Return the content of a file of at most ``limit`` bytes, decompressed if it is a gzip file."""
    return _decompress(read_bytes(path, limit=limit), path, limit)


def read_documents(path: PathLike) -> list[tuple[str, Any]]:
    """Return (place, value) for each JSON value in a file of one JSON document or of JSON lines."""
    raw, path = _decompress(read_bytes(path), path), place_of(path)
    lines = [(f"{path}:{i}", line) for i, line in enumerate(raw.splitlines(), 1) if line.strip()]
    if len(lines) > 1:
        try:
            parse(lines[0][1], path)
        except BadFile:
            pass  # one document of several lines
        else:
            return [(place, parse(line, place)) for place, line in lines]
    return [(path, parse(raw, path))]


def _decompress(raw: bytes, path: PathLike, limit: int | None = None) -> bytes:
    """Decompress data that begin like gzip, whatever the file is called; return other data unchanged."""
    if not raw.startswith(GZIP):
        return raw
    try:
        with GzipFile(fileobj=BytesIO(raw)) as packed:
            return _read_limited(packed, path, limit, "decompresses to more than")
    except (OSError, EOFError, zlib.error):
        why = "begins like a gzip file but is damaged or truncated"
        raise BadFile(place_of(path), why, "create or copy it again") from None


def read_shipped(path: str, package: str = "orca_exact") -> Any:
    """Return the JSON value in a file that a package ships."""
    return parse(read_shipped_bytes(path, package), path)


def read_shipped_bytes(path: str, package: str = "orca_exact") -> bytes:
    """Return the content of a file that a package ships."""
    return (files(package) / path).read_bytes()


def parse(raw: bytes | str, place: object) -> Any:
    """Return the JSON value in a text; raise BadFile for duplicate fields, NaN, infinities and 1e999."""

    def pairs(items: list[tuple[str, Any]]) -> JsonObject:
        found = dict(items)
        if len(found) < len(items):
            names = [name for name, _ in items]
            twice = next(name for name in names if names.count(name) > 1)
            raise BadFile(place, f"the field {twice!r} occurs twice", "keep one of them")
        return found

    def constant(name: str) -> Any:
        raise BadFile(place, f"{name} is not a finite number", "remove or correct the value")

    def real(text: str) -> float:
        if not isfinite(value := float(text)):
            raise BadFile(place, f"{text[:MAX_SHOWN]} is too large for a JSON number", "write it as a string")
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
        raise BadFile(place, f"is not UTF-8 (byte {error.start})", "save it as UTF-8") from None
    except json.JSONDecodeError as error:
        if not raw.strip():
            raise BadFile(place, "is empty", "check the path, or create the file again") from None
        if str(place).lower().endswith(".csv"):
            hint = f"make a problem of it: orca-exact problem {place} --label COLUMN --n 2 -o NAME.json"
            raise BadFile(place, "is a table, not JSON", hint) from None
        why = f"is not JSON: {error.msg} at line {error.lineno} column {error.colno}"
        raise BadFile(place, why, "check whether it is truncated") from None
    except RecursionError:
        raise BadFile(place, *TOO_DEEP) from None


# Writing.

_UNFINISHED: list[PathLike] = []  # the files that are being written


def is_writing() -> bool:
    """Return whether this process is writing a file, so that it should not be killed now."""
    return bool(_UNFINISHED)


@contextmanager
def _unfinished(path: PathLike, hint: str) -> Iterator[None]:
    """Mark a file as being written; turn errors into BadFile."""
    _UNFINISHED.append(path)
    try:
        yield
    except (OSError, ValueError) as error:
        raise BadFile(path, _reason(error, "cannot be written"), hint) from None
    finally:
        _UNFINISHED.remove(path)


def require_folder(path: PathLike) -> None:
    """Raise BadFile if the folder of a file that is to be written does not exist."""
    folder = Path(path).parent
    if not folder.is_dir():
        if folder.exists():
            raise BadFile(path, f"{folder} is not a folder", CHOOSE_PATH)
        raise BadFile(path, "its folder does not exist", "create the folder or choose another path")


def write(path: PathLike, content: str | bytes, hint: str = CHOOSE_PATH) -> int:
    """Write a file atomically and return the number of bytes written.

    The content is written to a temporary file, which then replaces the old one, so that a failure leaves the
    old file unchanged. A symbolic link is followed. A device, a pipe or a name of an open file such as
    /dev/stdout is written to directly. If the name ends in .gz, the content is compressed.
    """
    require_folder(path)
    with _unfinished(path, hint):
        raw, target = content.encode() if isinstance(content, str) else content, Path(path)
        raw = _compress(raw) if target.suffix.lower() == ".gz" else raw
        exists = target.exists()
        if str(path).startswith(STREAM_PREFIXES) or (exists and not target.is_file()):
            return target.write_bytes(raw)
        target = target.resolve()
        if exists and not os.access(target, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
        with TemporaryDirectory(prefix=".orca-exact-", dir=target.parent) as folder:
            temporary = Path(folder) / target.name
            temporary.write_bytes(raw)
            if exists:
                shutil.copymode(target, temporary)
            temporary.replace(target)
        return len(raw)


def _compress(raw: bytes) -> bytes:
    """Compress by gzip, without a name or a time, so that equal data give equal bytes."""
    out = BytesIO()
    with GzipFile(filename="", mode="wb", compresslevel=6, fileobj=out, mtime=0) as packed:
        packed.write(raw)
    return out.getvalue()


def append_text(path: PathLike, text: str, first: bool, hint: str = CHOOSE_PATH) -> None:
    """Append text to a file, or start a new file with it; a row at a time survives an interruption."""
    with _unfinished(path, hint), open(path, "w" if first else "a", encoding="utf-8", newline="") as file:
        file.write(text)


def write_json(path: PathLike, *documents: Any) -> int:
    """Write one indented JSON document, or several as JSON lines, and return the number of bytes written."""
    indent = 1 if len(documents) == 1 else None
    return write(path, "".join(json.dumps(data, indent=indent) + "\n" for data in documents))


def make_folder(path: PathLike, hint: str = CHOOSE_PATH, mode: int = 0o777) -> None:
    """Create a folder and its parents; the umask is applied to ``mode``."""
    try:
        Path(path).mkdir(mode, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadFile(path, f"cannot be created ({_reason(error, 'not a folder')})", hint) from None


def require_empty(path: PathLike) -> None:
    """Raise BadFile if a folder has files or cannot be read."""
    try:
        empty = not os.listdir(path)
    except OSError as error:
        raise BadFile(path, f"cannot be read ({_reason(error, 'not a folder')})", CHOOSE_PATH) from None
    if not empty:
        raise BadFile(path, "is not empty", "choose a new folder, or remove its files")


def open_null(mode: str) -> IO[str]:
    """Open the null device, which is always empty and discards what is written to it."""
    return open(os.devnull, mode, encoding="utf-8")


def _reason(error: Exception, default: str) -> str:
    return getattr(error, "strerror", None) or default


# Digests.


def digest(data: Any) -> str:
    """Return the SHA-256 of a value as canonical JSON: sorted keys, no spaces, ASCII."""
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()


def add_digest(data: JsonObject) -> JsonObject:
    """Return the object with its digest added as the field "sha256"."""
    return data | {"sha256": digest(data)}


def has_valid_digest(data: JsonObject) -> bool:
    """Return whether the field "sha256" is the digest of the other fields."""
    return bool(digest({key: value for key, value in data.items() if key != "sha256"}) == data["sha256"])
