"""Results kept on disk, each under a key that names all it was computed from, the code among it.

Who could put a wrong result there? Only someone who may write to the folder: so it is used only if it belongs
to this user and nobody else may write to it, and neither to the entry. (To check the stored certificate again
would not do: the indices are not in it, and they are most of the work.) That does not protect against this
user's other programs, which could alter the code as well: set ``ORCA_EXACT_CACHE`` to an empty folder to
ignore what is stored. A seal finds entries that are damaged; these and old ones count as absent.
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
SPEAKING = ("cli",)  # computes nothing
_DISK = [True]  # off while the library is deliberately spoilt

T = TypeVar("T")


def user_folder() -> Path:
    """The user's cache, by the custom of the system: on Linux ``XDG_CACHE_HOME``, else ~/.cache."""
    return platformdirs.user_cache_path("orca-exact", appauthor=False)


def folder() -> Path:
    """Where results are kept: ``ORCA_EXACT_CACHE``, else in the user's cache."""
    named = os.environ.get("ORCA_EXACT_CACHE")
    return Path(named) if named else user_folder() / "results"


@lru_cache(maxsize=4)
def code_digest(package: Path = PACKAGE) -> str:
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


def entry_path(key: dict) -> Path:
    """Where an entry of this key is kept."""
    return folder() / f"{formats.digest(key)[:32]}.json"


def load_entry(key: dict, read: Callable[[dict], T]) -> T | None:
    """Return what was stored under the key, as ``read`` understands it; None if it is absent or damaged."""
    if not _DISK[0]:
        return None
    try:
        for path in (folder(), entry_path(key)):
            _require_own(path)
        entry = formats.read(entry_path(key))
        return read(entry) if entry["key"] == key and formats.is_sealed(entry) else None
    except (BadInput, KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None


def store_entry(data: dict) -> None:
    """Keep ``data`` under ``data["key"]``. A full disk, or a folder that cannot be used, loses only time."""
    if not _DISK[0]:
        return
    with suppress(BadInput):
        make_cache_folder()
        formats.write(entry_path(data["key"]), json.dumps(formats.seal(data)))


def make_cache_folder() -> None:
    """Make the folder for this user alone; raise BadFile if others may write to the one that is there."""
    formats.make_folder(folder(), mode=0o700)
    _require_own(folder())


def obstacle() -> str:
    """Say why nothing can be kept or believed, and what to do; nothing if the cache can be used."""
    there = next(path for path in (folder(), *folder().absolute().parents) if path.exists())
    if not (there.is_dir() and os.access(there, os.W_OK)):
        return f"{there}: is not a folder that can be written; set ORCA_EXACT_CACHE to another one"
    try:
        if there == folder():
            _require_own(there)
    except BadInput as error:
        return str(error)
    return ""


def state() -> str:
    """Describe the cache: its folder, its entries, and whether it can be used."""
    usable = f"off: {why}" if (why := obstacle()) else "usable"
    return f"{folder()}: {len(list(folder().glob('*.json')))} entries; {usable}"


def _require_own(path: Path) -> None:
    """Raise BadFile unless this user owns the file or folder and nobody else may write to it."""
    try:
        about = path.stat()
    except OSError as error:
        raise BadFile(path, error.strerror or "cannot be read", "check the path") from None
    if about.st_uid != os.geteuid():
        raise BadFile(path, "belongs to another user", "set ORCA_EXACT_CACHE to a folder of your own")
    if about.st_mode & 0o022:
        mode = f"has mode {about.st_mode & 0o777:04o}, so that others may write there"
        raise BadFile(path, mode, f"chmod 700 {path} if its content is yours")
