"""Random changes of JSON values and of bytes."""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any


class Finding(Exception):
    """The library did something that it must not do."""


JUNK: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 1001, 10**400, 1.5, 1e300, "", " ", "x", "1/0", "-1/-2", "1e99999"),
    *(
        "1e-99999",
        "nan",
        "inf",
        "0x1p-3",
        "0x",
        "٣",
        "1_0",
        "\ud800",
        "1\x00",
        "9" * 5000,
        [],
        {},
        [[]],
        [["0"]],
    ),
    *(
        ["1/3"] * 5,
        {"family": "rbf"},
        {"family": "x"},
        {"lower": "0"},
        "orca-exact/problem/3",
        "exact",
        "gap",
    ),
]
LETTERS = "0123456789.-+/eExp_ \x00é٣"


def places(value: Any, way: tuple = ()) -> Iterator[tuple]:
    """Yield the way to every value inside a JSON value."""
    if way:
        yield way
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*way, key))


def respell(text: str, random: Random) -> str:
    """Change one character, the sign, the notation or the last digits of a number."""
    k = random.randrange(len(text) + 1)
    tail = random.choice(("e1", "e-1", "/1", "/7", ".0", "0" * 30, "e99999", "p-3"))
    return random.choice(
        (text[:k] + random.choice(LETTERS) + text[k:], text[:k] + text[k + 1 :], "-" + text, text + tail)
    )


def nudge(text: str, random: Random) -> str:
    """Return a slightly different number, if the text is one."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return respell(text, random)
    step = Fraction(random.choice((1, -1)), 10 ** random.choice((0, 1, 3, 9, 30)))
    changed = random.choice((value + step, value * (1 + step), -value, value * 2, Fraction(0)))
    try:
        return str(changed)
    except ValueError:  # more digits than Python writes
        return respell(text, random)


def change(data: Any, random: Random) -> Any:
    """Return a copy with one to three changes."""
    data = copy.deepcopy(data)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        ways = list(places(data))
        if not ways:
            break
        *way, last = random.choice(ways)
        place = data
        for step in way:
            place = place[step]
        leaf, choice = place[last], random.randrange(9)
        if isinstance(leaf, str) and choice < 3:
            place[last] = nudge(leaf, random)
        elif isinstance(leaf, str) and choice < 5:
            place[last] = respell(leaf, random)
        elif choice == 5:
            del place[last]
        elif choice == 6 and isinstance(place, list):
            place.insert(last, copy.deepcopy(random.choice(place)))
        elif choice == 7 and isinstance(place, list) and len(place) > 1:
            other = random.randrange(len(place))
            place[last], place[other] = place[other], place[last]
        elif isinstance(leaf, int) and not isinstance(leaf, bool) and choice < 5:
            place[last] = leaf + random.choice((-1, 1))
        else:
            place[last] = copy.deepcopy(random.choice(JUNK))
    return data


def spoil(raw: bytes, random: Random) -> bytes:
    """Return bytes that may not be what they were."""
    k = random.randrange(len(raw) + 1)
    deep = random.choice((10, 500, 5000))
    changed = bytearray(raw)
    if changed:
        changed[random.randrange(len(changed))] = random.randrange(256)
    return random.choice(
        (
            raw[:k],
            bytes(changed),
            raw[:k] + bytes([random.randrange(256)]) + raw[k:],
            raw[:k] + b"[" * deep + raw[k:],
            b"\xef\xbb\xbf" + raw,
            raw + b"\n" + raw,
            raw.replace(b'"', b"'", 1),
            raw.replace(b":", b": NaN,", 1),
            raw.replace(b",", b"\n", 1),
            raw.replace(b"\n", b"\r", 1),
            gzip.compress(raw, mtime=0)[: random.randrange(10, 60)],
            gzip.compress(raw, mtime=0),
        )
    )


def to_bytes(data: Any) -> bytes:
    """Return a JSON value as the bytes of a file."""
    return json.dumps(data).encode("utf-8", "surrogatepass")
