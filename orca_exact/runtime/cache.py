"""A cache of results on disk, whose keys contain everything that a result depends on, including the code.

Only someone who may write to the folder can put a wrong result there. Therefore the folder and its entries
are only used if they belong to this user and nobody else may write to them. (To check the stored certificate
again would not suffice, as it does not contain the indices, which are most of the work.) This does not
protect against other programs of the same user, but these could change the code as well. Set
``ORCA_EXACT_CACHE`` to an empty folder to ignore the cache. A digest detects damaged entries; damaged and
outdated entries count as absent.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import flint
import platformdirs

from .. import __version__
from ..errors import BadFile, BadInput
from ..files import formats

PACKAGE = Path(__file__).parents[1]
NOT_COMPUTING = ("cli",)  # subpackages that compute nothing
_ENABLED = [True]  # False while a mutant of the library runs

T = TypeVar("T")


def user_folder() -> Path:
    """Return the cache folder of this user: on Linux in ``XDG_CACHE_HOME``, by default ~/.cache."""
    return platformdirs.user_cache_path("orca-exact", appauthor=False)


def cache_folder() -> Path:
    """Return the folder of the results: ``ORCA_EXACT_CACHE``, by default in the cache folder of this user."""
    named = os.environ.get("ORCA_EXACT_CACHE")
    return Path(named) if named else user_folder() / "results"


@lru_cache(maxsize=4)
def code_digest(package: Path = PACKAGE) -> str:
    """Return the versions of the package and of FLINT, and a digest of every module that computes."""
    modules = {file.relative_to(package).as_posix(): file for file in package.rglob("*.py")}
    texts = {
        name: formats.read_bytes(file).decode()
        for name, file in modules.items()
        if name.split("/")[0] not in NOT_COMPUTING
    }
    return f"{__version__}+{formats.digest(texts)[:16]}+flint{flint.__version__}"


@contextmanager
def cache_disabled() -> Iterator[None]:
    """Disable the cache: nothing is read from it or written to it."""
    before, _ENABLED[0] = _ENABLED[0], False
    try:
        yield
    finally:
        _ENABLED[0] = before


def entry_path(key: formats.JsonObject) -> Path:
    """Return the path of the entry with this key."""
    return cache_folder() / f"{formats.digest(key)[:32]}.json"


def load_entry(key: formats.JsonObject, read: Callable[[formats.JsonObject], T]) -> T | None:
    """Return ``read(entry)`` for the entry with this key, or None if it is absent or damaged."""
    if not _ENABLED[0]:
        return None
    try:
        for path in (cache_folder(), entry_path(key)):
            require_own(path)
        entry = formats.read(entry_path(key))
        return read(entry) if entry["key"] == key and formats.has_valid_digest(entry) else None
    except (LookupError, TypeError, ValueError, AttributeError):
        return None


def store_entry(data: formats.JsonObject) -> None:
    """Store ``data`` under ``data["key"]``; do nothing if the folder cannot be used or the disk is full."""
    if not _ENABLED[0]:
        return
    with suppress(BadInput):
        make_cache_folder()
        formats.write(entry_path(data["key"]), json.dumps(formats.add_digest(data)))


def make_cache_folder() -> None:
    """Create the folder, readable by this user only; raise BadFile if others may write to an existing one."""
    formats.make_folder(cache_folder(), mode=0o700)
    require_own(cache_folder())


def why_unusable() -> str:
    """Return why the cache cannot be used and what to do, or an empty string if it can be used."""
    existing = next(path for path in (cache_folder(), *cache_folder().absolute().parents) if path.exists())
    if not (existing.is_dir() and os.access(existing, os.W_OK)):
        return f"{existing}: is not a writable folder; set ORCA_EXACT_CACHE to another folder"
    try:
        if existing == cache_folder():
            require_own(existing)
    except BadInput as error:
        return str(error)
    return ""


def describe_cache() -> str:
    """Describe the cache: its folder, the number of entries, and whether it can be used."""
    usable = f"off: {why}" if (why := why_unusable()) else "usable"
    return f"{cache_folder()}: {len(list(cache_folder().glob('*.json')))} entries; {usable}"


def require_own(path: Path) -> None:
    """Raise BadFile unless this user owns the file or folder and nobody else may write to it."""
    try:
        status = path.stat()
    except OSError as error:
        raise BadFile(path, error.strerror or "cannot be read", "check the path") from None
    if not hasattr(os, "geteuid"):  # Windows: mode bits mean nothing, and the user's folder is protected
        return
    if status.st_uid != os.geteuid():
        raise BadFile(path, "belongs to another user", "set ORCA_EXACT_CACHE to a folder of your own")
    if status.st_mode & 0o022:
        why = f"has mode {status.st_mode & 0o777:04o}, which lets other users write to it"
        raise BadFile(path, why, f"run 'chmod 700 {path}' if its content is yours")
