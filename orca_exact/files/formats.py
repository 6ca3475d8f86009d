"""Files: how they are read, sealed, and written whole or not at all.

Whatever is wrong with a file is a BadFile of one line: the place, what is there, the next thing to try.
JSON may be packed by gzip: what is read is known by its first bytes, what is written by its name, ``.gz``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES
from gzip import GzipFile
from importlib.resources import files
from io import BytesIO
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from ..errors import BadFile

CHECK, CHOOSE = "check the path", "choose another path"
LONGEST_INTEGER = 4000  # digits that Python reads unasked; a longer one stays text
SHOWN = 60  # characters of a value in a message
GZIP = b"\x1f\x8b"  # no JSON text begins so
_MOST = 2**27  # bytes that are read of a file, packed or not
_CHUNK = 2**20  # bytes that are read at once
LARGE = 10**7  # bytes of a file that is announced
STDIN = "-"  # the name of standard input
STREAMS = ("/dev/std", "/dev/fd/", "/proc/")  # names of open files: nothing may be renamed over them

PathLike = str | os.PathLike[str]


# Reading.


def read_bytes(path: PathLike, hint: str = CHECK, most: int | None = None) -> bytes:
    """Return all of a file; "-" is standard input, which can be read once.

    Raise BadFile, without reading on, if it has more than ``most`` bytes (``_MOST`` unless given).
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
    limit = _MOST if most is None else most
    parts: list[bytes] = []
    left = limit + 1
    while left > 0 and (part := file.read(min(left, _CHUNK))):
        parts.append(part.encode() if isinstance(part, str) else part)
        left -= len(parts[-1])
    if left <= 0:
        size = f"{limit >> 20} MB" if limit >> 20 else f"{limit} bytes"
        raise BadFile(place_of(path), f"{verb} {size}, and no more is read", "give a smaller file")
    return b"".join(parts)


def place_of(path: PathLike) -> str:
    """Return the name of a file in error messages."""
    return "standard input" if path == STDIN else str(path)


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
    """Unpack data that begin like gzip, whatever the file is called; return other data as they are."""
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

_UNFINISHED: list[PathLike] = []


def writing() -> bool:
    """Return whether a file is being written in this process: who ends the process waits until it is done."""
    return bool(_UNFINISHED)


@contextmanager
def _unfinished(path: PathLike, hint: str) -> Iterator[None]:
    """Mark a file as being written, and raise BadFile if it cannot be."""
    _UNFINISHED.append(path)
    try:
        yield
    except (OSError, ValueError) as error:
        raise BadFile(path, _why(error, "cannot be written"), hint) from None
    finally:
        _UNFINISHED.remove(path)


def write(path: PathLike, content: str | bytes, hint: str = CHOOSE) -> int:
    """Whole or absent: written beside its place and renamed, so that a failure leaves what was there.

    A link is followed; a device, a pipe or a name of an open file such as /dev/stdout is written to as it is.
    What is called .gz is packed, the same content to the same bytes. Returns how many these are.
    """
    with _unfinished(path, hint):
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


def _packed(raw: bytes) -> bytes:
    """Compress by gzip, without a name or a time, so that equal data give equal bytes."""
    out = BytesIO()
    with GzipFile(filename="", mode="wb", compresslevel=6, fileobj=out, mtime=0) as packed:
        packed.write(raw)
    return out.getvalue()


def write_json(path: PathLike, *documents: Any) -> int:
    """One document, indented, or JSON lines where there are several; returns the bytes written."""
    indent = 1 if len(documents) == 1 else None
    return write(path, "".join(json.dumps(data, indent=indent) + "\n" for data in documents))


def make_folder(path: PathLike, hint: str = CHOOSE, mode: int = 0o777) -> None:
    """Make a folder, and those above it; the umask takes from its ``mode``."""
    try:
        Path(path).mkdir(mode, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise BadFile(path, f"cannot be made ({_why(error, 'no folder')})", hint) from None


def open_null(mode: str) -> IO[str]:
    """An open stream that holds nothing, or forgets everything."""
    return open(os.devnull, mode, encoding="utf-8")


def _is_regular(path: Path) -> bool:
    """Return whether a path is a regular file, or will be one because nothing is there yet."""
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


def seal(data: dict) -> dict:
    """With its own digest in it."""
    return data | {"sha256": digest(data)}


def is_sealed(data: dict) -> bool:
    """Whether its sha256 is that of the rest."""
    return digest({key: value for key, value in data.items() if key != "sha256"}) == data["sha256"]
