"""Results kept on disk, each under a key that names all it was computed from, the code among it.

An entry carries its key and an HMAC under a secret of 0600 in the user's cache, made on first use: only a
program that this user ran here can have written it. (To check the stored certificate again would not do: the
indices are not in it, and they are most of the work.) It does not protect against this user's other programs,
or whoever else reads the user's files: ``ORCA_EXACT_CACHE`` at a new folder believes nobody. An entry that is
damaged, foreign or old counts as absent; where no secret can be kept there is no cache.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from secrets import token_bytes
from typing import TypeVar

import flint
import platformdirs

from . import __version__, formats
from .errors import BadInput

PACKAGE = Path(__file__).parent
SECRET = 32  # bytes
SPEAKING = ("cli", "report")  # they compute nothing
_DISK = [True]  # off while the library is deliberately spoilt

T = TypeVar("T")


def user_folder() -> Path:
    """The user's cache, by the custom of the system: on Linux ``XDG_CACHE_HOME``, else ~/.cache."""
    return platformdirs.user_cache_path("orca-exact", appauthor=False)


def folder() -> Path:
    """Where results are kept: ``ORCA_EXACT_CACHE``, else in the user's cache."""
    named = os.environ.get("ORCA_EXACT_CACHE")
    return Path(named) if named else user_folder() / "results"


@lru_cache(maxsize=1)
def code(package: Path = PACKAGE) -> str:
    """The versions, and a digest of every module of the package that computes."""
    modules = {file.relative_to(package).as_posix(): file for file in package.rglob("*.py")}
    texts = {
        name: formats.read_bytes(file).decode()
        for name, file in modules.items()
        if name.split("/")[0] not in SPEAKING
    }
    return f"{__version__}+{formats.digest(texts)[:16]}+flint{flint.__version__}"


@contextmanager
def no_disk() -> Iterator[None]:
    """Nothing is read from the cache, nothing written to it."""
    before, _DISK[0] = _DISK[0], False
    try:
        yield
    finally:
        _DISK[0] = before


def file(key: dict) -> Path:
    """Where an entry of this key is kept."""
    return folder() / f"{formats.digest(key)[:32]}.json"


def load(key: dict, read: Callable[[dict], T]) -> T | None:
    """What was stored under the key, as ``read`` understands it; None where it is not there, or not whole."""
    if not _DISK[0]:
        return None
    try:
        entry = formats.read(file(key))
        mac = entry.pop("mac")
        known = entry["key"] == key and hmac.compare_digest(mac, _mac(entry, _secret()))
        return read(entry) if known else None
    except (BadInput, KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None


def store(data: dict) -> None:
    """Under ``data["key"]``. A full disk, or a folder that cannot be written, loses only time."""
    if not _DISK[0]:
        return
    try:
        mac = _mac(data, _made_secret())
        formats.make_folder(folder())
        formats.write(file(data["key"]), json.dumps(data | {"mac": mac}))
    except BadInput:
        return


def obstacle() -> str:
    """Say why nothing can be kept or believed, and what to do; nothing if the cache can be used."""
    try:
        if os.path.lexists(user_folder() / "secret"):
            _secret()
    except BadInput as error:
        return str(error)
    for place in (folder(), user_folder()):
        there = next(path for path in (place, *place.absolute().parents) if path.exists())
        if not (there.is_dir() and os.access(there, os.W_OK)):
            return f"{there}: is not a folder that can be written; set ORCA_EXACT_CACHE to another one"
    return ""


def state() -> str:
    """Describe the cache: its folder, its entries, its secret, and whether it can be used."""
    entries, secret = len(list(folder().glob("*.json"))), user_folder() / "secret"
    mode = f"mode {secret.stat().st_mode & 0o777:04o}" if secret.exists() else "made on first use"
    usable = f"off: {why}" if (why := obstacle()) else "usable"
    return f"{folder()}: {entries} entries; secret {mode}; {usable}"


def _mac(entry: dict, secret: bytes) -> str:
    return hmac.digest(secret, formats.digest(entry).encode(), "sha256").hex()


def _secret() -> bytes:
    return formats.read_private(user_folder() / "secret", SECRET)


def _made_secret() -> bytes:
    try:
        return _secret()
    except BadInput:  # as a rule, not there yet
        formats.make_folder(user_folder())
        formats.write_private(user_folder() / "secret", token_bytes(SECRET))
        return _secret()
