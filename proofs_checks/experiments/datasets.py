"""The paper's two data sets (Section 6): a double spiral, made here, and the UCI echocardiogram, read.

Both return decimal strings, so that the numbers of a problem are the ones written down.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from http.client import HTTPException
from pathlib import Path
from queue import Empty, Queue
from random import Random
from threading import Thread
from time import monotonic
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import mpmath

from orca_exact.errors import BadFile, BadParameter, DataMissing, NotANumber, OrcaError
from orca_exact.files.formats import make_folder, read_bytes, write
from orca_exact.runtime.cache import user_folder

FILE = "echocardiogram.data"
UCI_URL = "https://archive.ics.uci.edu/static/public/38/echocardiogram.zip"
COMMAND = "orca-exact data echocardiogram"
LARGEST = 2**24  # bytes; the data are 7 KB
WRITABLE = "name a folder that can be written"
COLUMNS = (
    "survival",
    "still-alive",
    "age-at-heart-attack",
    "pericardial-effusion",
    "fractional-shortening",
    "epss",
    "lvdd",
    "wall-motion-score",
    "wall-motion-index",
    "mult",
    "name",
    "group",
    "alive-at-1",
)
FEATURES = ("age-at-heart-attack", "fractional-shortening", "epss", "lvdd", "wall-motion-index")
LABEL = "still-alive"
# Of the canonical text of the 61 complete records, see _parse.
SHA256 = "4b57f1c6ce59d29c2e86c37d26d1b22d3141c083b9798f015899a9724505eb84"
_SENT: list[bytes] = []  # the file, where this process works for another machine
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)", re.ASCII)


def double_spiral(
    m: int = 300, turns: Any = "3/2", noise: Any = 0, seed: int = 0
) -> tuple[list[list[str]], list[int]]:
    """Two interleaved Archimedean spirals of m/2 points each, labelled +1 and -1.

    The first arm is r (cos θ, sin θ), r = θ/θ_max, at m/2 equally spaced angles from θ = π/2 to
    θ_max = π/2 + 2π turns; the second is its negative. The arms start at radius ±(π/2)/θ_max, apart.
    Without noise the data are odd, (x, y) ↦ (-x, -y) maps them onto themselves, and min–max
    rescaling keeps that. ``noise`` is the standard deviation of a Gaussian added to every
    coordinate: Box–Muller on ``Random(seed).random()``, the one stream Python promises to keep.
    Everything is computed to 40 digits, then rounded to 12 decimals: the same text everywhere.

    >>> X, y = double_spiral(4)
    >>> list(zip(X, y))[::2]
    [(['0.000000000000', '0.142857142857'], 1), (['0.000000000000', '-0.142857142857'], -1)]
    """
    if not isinstance(m, int) or m < 4 or m % 2:
        raise BadParameter("m", m, "is not an even number of at least 4 points", "each arm gets m/2")
    turn, sigma = _fraction(turns, "turns"), _fraction(noise, "noise")
    if turn <= 0:
        raise BadParameter("turns", turns, "is not positive", "the paper takes 3/2")
    if sigma < 0:
        raise BadParameter("noise", noise, "is negative", "it is a standard deviation")
    mp = mpmath.MPContext()
    mp.dps = 40
    stream, half = Random(seed), m // 2

    def gauss() -> Any:
        radius = mp.sqrt(-2 * mp.log(1 - mp.mpf(stream.random())))
        return radius * mp.expjpi(2 * mp.mpf(stream.random()))

    def point(sign: int, i: int) -> list[str]:
        theta = Fraction(1, 2) + 2 * turn * Fraction(i, half - 1)  # in units of π
        z = sign * _mpf(mp, theta / (Fraction(1, 2) + 2 * turn)) * mp.expjpi(_mpf(mp, theta))
        if sigma:
            z += _mpf(mp, sigma) * gauss()
        return [f"{Decimal(f'{int(mp.nint(v * 10**12))}e-12'):f}" for v in (z.real, z.imag)]

    X = [point(sign, i) for sign in (1, -1) for i in range(half)]
    return X, [1] * half + [-1] * half


def _fraction(value: Any, place: str) -> Fraction:
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise NotANumber(value, place) from None


def _mpf(mp: Any, value: Fraction) -> Any:
    return mp.mpf(value.numerator) / value.denominator


@dataclass(frozen=True)
class Table:
    """Features and labels of the complete records; ``records`` are their numbers in the file, from 1."""

    X: tuple[tuple[str, ...], ...]
    y: tuple[int, ...]
    names: tuple[str, ...]
    records: tuple[int, ...]
    sha256: str
    notes: tuple[str, ...]


def echocardiogram(path: str | os.PathLike[str] | None = None) -> Table:
    """The 61 complete records of the UCI echocardiogram data, features x1..x5 in the paper's order.

    Looked for at ``path`` (a file or its folder), else where ``ORCA_EXACT_DATA`` points, else in
    the user's cache. A record counts when every column but ``name`` is there; y = +1 is
    still-alive = 1.
    """
    return _parse(content(path), FILE if path is None and _SENT else find(path))


def content(path: str | os.PathLike[str] | None = None) -> bytes:
    """The file as it is."""
    if path is None and _SENT:
        return _SENT[0]
    return read_bytes(find(path), f"name another file, or run `{COMMAND}`")


def to_send() -> bytes | None:
    """The file, for a machine that may lack it; None where it is missing, or not what it should be."""
    try:
        return content() if echocardiogram() else None
    except OrcaError:
        return None


@contextmanager
def sent(raw: bytes | None) -> Iterator[None]:
    """On such a machine: the data are these."""
    _SENT.extend([raw] if raw else [])
    try:
        yield
    finally:
        _SENT.clear()


def find(path: str | os.PathLike[str] | None) -> Path:
    """The file: named, where ORCA_EXACT_DATA points, or in the user's cache."""
    if path is not None:
        return _inside(Path(path))
    if named := os.environ.get("ORCA_EXACT_DATA"):
        file = _inside(Path(named))
        if not file.is_file():
            raise DataMissing(
                f"ORCA_EXACT_DATA: no {FILE} at {named}; correct it, or unset it and run `{COMMAND}`"
            )
        return file
    file = user_folder() / FILE
    if not file.is_file():
        raise DataMissing(
            f"echocardiogram: no {FILE} here; run `{COMMAND}`, or set ORCA_EXACT_DATA to its folder"
        )
    return file


def _inside(path: Path) -> Path:
    return path / FILE if path.is_dir() else path


def _parse(content: bytes, source: object) -> Table:
    """Read, keep the complete records, and compare the SHA-256 of their canonical text.

    Canonical: one line per complete record in file order, its twelve columns but ``name`` as
    shortest plain decimals (``.260`` is ``0.26``, ``4.000`` is ``4``) joined by commas, each line
    ended by a line feed. Line ends, spaces and the incomplete records of the file do not matter.
    """
    lines = [line for line in content.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    complete, malformed = {}, []
    for number, line in enumerate(lines, 1):
        fields = [field.strip() for field in line.split(",")]
        record = dict(zip(COLUMNS, fields, strict=False))
        record.pop("name", None)
        known = {column: text for column, text in record.items() if text != "?"}
        if len(fields) != len(COLUMNS) or not all(_DECIMAL.fullmatch(text) for text in known.values()):
            malformed.append(number)
        elif len(known) == len(record):
            complete[number] = {column: _plain(text) for column, text in known.items()}
    canonical = "".join(",".join(record.values()) + "\n" for record in complete.values())
    found = hashlib.sha256(canonical.encode()).hexdigest()
    if found != SHA256:
        raise BadFile(
            source,
            f"its {len(complete)} complete records of {len(lines)} have SHA-256 {found}, expected {SHA256}",
            f"get the original with `{COMMAND}`",
        )
    y = tuple(1 if record[LABEL] == "1" else -1 for record in complete.values())
    notes = [f"{len(complete)} of {len(lines)} records are complete in every column, name aside"]
    notes += [f"record {number} is malformed and counts as incomplete" for number in malformed]
    notes += [f"{LABEL} = 1 is y = +1: {y.count(1)} of {len(y)}"]
    X = tuple(tuple(record[column] for column in FEATURES) for record in complete.values())
    return Table(X, y, FEATURES, tuple(complete), found, tuple(notes))


def _plain(text: str) -> str:
    text = f"{Decimal(text):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def download_echocardiogram(
    url: str = UCI_URL,
    folder: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int | None], object] | None = None,
    deadline: float = 20,
) -> Path:
    """Fetch the UCI archive, verify the data in it and put them into the cache (or ``folder``).

    ``progress(done, total)`` counts bytes; ``total`` is None when the server does not say. After
    ``deadline`` seconds it is given up, whatever the network does.
    """
    by_hand = f"download {UCI_URL} by hand, unzip it and set ORCA_EXACT_DATA to its folder"
    try:
        archive = _fetch(url, progress or (lambda done, total: None), deadline)
    except (OSError, HTTPException, ValueError) as error:  # ValueError: not a URL
        why = error if isinstance(error, HTTPError) else getattr(error, "reason", error)
        raise DataMissing(f"{url}: {why}; {by_hand}") from None
    content = _unpacked(archive, url, by_hand)
    _parse(content, url)
    target = Path(folder or user_folder()) / FILE
    make_folder(target.parent, WRITABLE)
    write(target, content, WRITABLE)
    return target


def _unpacked(archive: bytes, url: str, hint: str) -> bytes:
    """FILE; encrypted, packed in an unknown way, damaged or endless is not the archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed, packed.open(FILE) as inside:
            content = inside.read(LARGEST + 1)
    except Exception as error:  # zipfile has no class for all that may be wrong
        why = (
            f"the answer is not a zip archive with a readable {FILE} in it ({error or type(error).__name__})"
        )
        raise BadFile(url, why, hint) from None
    if len(content) > LARGEST:
        raise BadFile(url, f"{FILE} in the answer is larger than {LARGEST} bytes", hint)
    return content


def _fetch(url: str, progress: Callable[[int, int | None], object], deadline: float) -> bytes:
    """In a thread of its own: names, handshakes and the drops of an answer have no timeout in common."""
    came: Queue[tuple[bytes, int | None] | Exception] = Queue()

    def read() -> None:
        try:
            with urlopen(url, timeout=2 * deadline) as response:
                length = response.headers.get("Content-Length")
                chunk = None
                while chunk != b"":
                    chunk = response.read1(1 << 16)
                    came.put((chunk, int(length) if length else None))
        except Exception as error:
            came.put(error)

    Thread(target=read, daemon=True).start()
    archive, end = bytearray(), monotonic() + deadline
    while True:
        try:
            item = came.get(timeout=end - monotonic())
        except (Empty, ValueError):  # ValueError: the time is over, though bytes keep coming
            raise TimeoutError(f"no whole answer within {deadline:g} s") from None
        if isinstance(item, Exception):
            raise item
        if not item[0]:
            return bytes(archive)
        archive += item[0]
        if len(archive) > LARGEST:
            raise OSError(f"the answer is larger than {LARGEST} bytes")
        progress(len(archive), item[1])
