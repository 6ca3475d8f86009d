"""What work will cost, said before it starts, and whether the machine has the memory for it.

Seconds are of one core of 2024, fitted to runs with 15 to 400 points (level float: to 20,000), d = 2 to 64,
n = 1 to 25; they and the sizes are upper estimates, within a factor of three or so. Every point may be a
support vector, and of the free ones min(m, modes + 1) are independent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from math import inf, prod
from typing import NamedTuple

from .errors import BadFile, NotEnoughMemory
from .files.formats import LARGE, read_bytes
from .numbers.rationals import bits
from .problem import Problem

SOLVE = 1.8e-8  # a solver in float64, by m^3
FLOAT = (1.5e-6, 4e-10)  # solved and proved there, by m k and m k^2, k = min(m, modes)
SCORE, PIVOT = 1.6e-5, 8e-8  # in balls: of a point, a support vector and a coordinate; of a pivot
EXACT = 2.2e-10  # of a pivot, by bits^1.5
# Of a pair of points: by coordinate and degree; by two rows of C_N^(q), one of each half of the coordinates.
PAIR = {
    "float": (3e-8, 3e-9), "verified": (1e-8, 5e-10), "ball": (4.2e-6, 3.9e-8), "mp": (1.2e-5, 6.5e-7),
    "exact": (8e-6, 4e-7),
}  # fmt: skip
# Of a pair of points, by a product in polynomials of all coordinates, d^3 n^2 / 6 of them.
WHOLE = {"float": 1e-8, "verified": 2e-8, "ball": 1e-7, "mp": 4e-7}
# Bytes of a number in an array: a constant, and by its bits.
NUMBER = {
    "float": (8, 0.0), "verified": (16, 0.0), "ball": (140, 0.25), "mp": (320, 0.25), "exact": (90, 0.4),
}  # fmt: skip
WIDE = 256  # products of rows of two halves, for one row of the whole, that are still worth it
KEPT = 2**19  # numbers in the rows of pairs of points that are kept at one time
COPIES = 3  # of a Gram matrix while it is made
SOLVER = 160.0  # bytes of an entry of it in a solver
UNASKED = 2**26  # bytes that any machine has
LONG = 10.0  # seconds of work that are announced


class Cost(NamedTuple):
    """Seconds, bytes of memory, and bytes of the file that holds the result."""

    seconds: float
    memory: float = 0.0
    file: float = 0.0

    @property
    def notable(self) -> bool:
        """Whether a person wants to know before it starts."""
        return self.seconds > LONG or self.file > LARGE

    def __add__(self, other: Cost) -> Cost:  # type: ignore[override]
        """One after the other."""
        return Cost(*map(sum, zip(self, other, strict=True)))

    def __str__(self) -> str:
        """In plain words, the file only where it is large."""
        file = f" and a file of {self.file / 1e6:.0f} MB" if self.file > LARGE else ""
        return f"about {duration(self.seconds)}{file}"


def duration(seconds: float) -> str:
    """In the unit that fits."""
    for unit, count in (("hours", 3600.0), ("minutes", 60.0)):
        if seconds > 1.5 * count:
            return f"{seconds / count:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds > LONG else "seconds"


def quicker(problem: Problem, level: str) -> str:
    """What to try instead of a certificate of this level."""
    if level == "float":
        return "fewer points take less"
    other = {"exact": "ball"}.get(level, "float")
    return f"--level {other} takes {duration(certificate(problem, other).seconds)}"


def length(problem: Problem) -> int:
    """Bits of an entry of R, in its numerator and its denominator: sum_l 2 n_l times those of x_l."""
    columns = zip(problem.degrees, problem.points.T, strict=True)
    return sum(2 * n * max(int(x.q).bit_length() for x in column) for n, column in columns)


def number(name: str, size: int) -> float:
    """Bytes of a number of so many bits in an array of an arithmetic."""
    constant, by_bit = NUMBER.get(name, NUMBER["exact"])
    return constant + by_bit * size


def certificate(problem: Problem, level: str, support: int | None = None, free: int | None = None) -> Cost:
    """Of a proof of optimality; ``support`` and ``free`` points where they are known."""
    m, d = problem.m, problem.d
    if level == "float":
        k = min(m, problem.modes)
        return Cost(FLOAT[0] * m * k + FLOAT[1] * m * k**2, 64.0 * m * k)
    support = m if support is None else support
    free = min(support, problem.modes + 1) if free is None else free
    seconds, memory = SOLVE * m**3 + SCORE * m * support * d, SOLVER * m * min(m, problem.modes)
    if level == "gap":
        return Cost(seconds, memory)
    seconds, memory = seconds + PIVOT * free**3, memory + 2 * number("ball", bits(100)) * m * support
    if level == "ball":
        return Cost(seconds, memory)
    long = length(problem)
    return Cost(seconds + EXACT * free**3 * long**1.5, memory + gram(problem, "exact"), free**2 * long / 2)


def profile(problem: Problem, name: str, digits: int = 30, support: int | None = None) -> Cost:
    """Of all indices in an arithmetic."""
    m, d = problem.m if support is None else support, problem.d
    n = sum(problem.degrees) / d
    share, block = PAIR[name]
    rows = d / 2 + d**2 * (n - 1) / 8
    fewer = min(1.0, problem.modes / max(1, m))
    halved = name == "exact" or split(_tops(problem), name) < len(_tops(problem))
    seconds = share * m**2 * d * n + m**2 * (block * rows**2 if halved else WHOLE[name] * d**3 * n**2 / 6)
    long = min(m, problem.modes + 1) * length(problem) if name == "exact" else 0
    memory = pairs(problem, name, digits, m, long) + blocks(problem, name, digits, m)
    return Cost(fewer * seconds, fewer * memory)


def certified(problem: Problem, support: int, free: int) -> Cost:
    """Of a certificate and all indices, in balls."""
    return certificate(problem, "ball", support, free) + profile(problem, "ball", support=support)


def gram(problem: Problem, name: str, digits: int = 30) -> float:
    """Bytes of memory that a Gram matrix takes."""
    return COPIES * problem.m**2 * number(name, length(problem) if name == "exact" else bits(digits))


def pairs(problem: Problem, name: str, digits: int, support: int, long: int = 0) -> float:
    """Bytes of memory that a profile takes by pairs of points: their weights and, kept, factors and sums.

    Exact ones also keep the rows of C_N^(q), and have weights from coefficients of ``long`` bits.
    """
    d, count = problem.d, support * (support + 1) / 2
    if name == "exact":
        rows = d * (sum(problem.degrees) + d) / 2
        return count * (40 + long / 2 + (2 * d + 3 + 2 * rows) * number(name, length(problem) // 2))
    kept = min(count, 2**17) if name == "verified" else count
    return 40 * count + (2 * d + 3) * kept * number(name, bits(digits))


def blocks(problem: Problem, name: str, digits: int, support: int) -> float:
    """Bytes of memory that all C_N^(q) take beside: the rows of some pairs, twice, and their products."""
    if name == "exact":
        return 0.0  # kept with the pairs
    tops, count = _tops(problem), support * (support + 1) / 2
    left, right = (1 + sum(row_lengths(part)) for part in _halves(tops, name))
    kept = min(count, pairs_at_once(tops, name)) * (left + right)
    table = (problem.d + 1) * (sum(problem.degrees) + 1)
    return (2 * kept + 2 * left * right + table) * number(name, bits(digits))


# Sums over pairs of points: C_N^(q) from its rows for one half of the coordinates and for the other.


def row_lengths(tops: Sequence[int]) -> list[int]:
    """How many degrees N have a C_N^(q) other than 0, for q = 1 ... d and coordinates of these n_l >= 1."""
    return [top - q + 1 for q, top in enumerate(accumulate(sorted(tops, reverse=True)), 1)]


def split(tops: Sequence[int], name: str) -> int:
    """How many coordinates go to the left half: all of them if two halves have too many products of rows.

    So it is in exact arithmetic: the weights carry 10^5 bits, the kernels 10^3, and are kept in one vector.
    """
    half = (len(tops) + 1) // 2
    products = prod(1 + sum(row_lengths(part)) for part in (tops[:half], tops[half:]))
    return len(tops) if name == "exact" or products > WIDE * sum(row_lengths(tops)) else half


def pairs_at_once(tops: Sequence[int], name: str) -> float:
    """Pairs of points whose rows are kept at one time; exact ones have one denominator for all."""
    if name == "exact":
        return inf
    return max(1, KEPT // sum(1 + sum(row_lengths(part)) for part in _halves(tops, name)))


def _halves(tops: Sequence[int], name: str) -> tuple[Sequence[int], Sequence[int]]:
    half = split(tops, name)
    return tops[:half], tops[half:]


def _tops(problem: Problem) -> list[int]:
    """The degrees of the coordinates that have any but 0."""
    return [n for n in problem.degrees if n]


# Memory.


def require(needed: float, what: str, hint: str) -> None:
    """NotEnoughMemory, before anything is begun, where the machine has less."""
    if needed > UNASKED and needed > (free := available()):
        raise NotEnoughMemory(what, needed, free, hint)


def available() -> float:
    """Bytes that this process can still take: the machine's, its control group's, its own limit's; or inf."""
    return min(_found(), default=inf)


def _found() -> Iterator[float]:
    fields = dict(line.split(":", 1) for line in _lines("/proc/meminfo") if ":" in line)
    if "MemAvailable" in fields:
        yield 1024.0 * int(fields["MemAvailable"].split()[0])
    elif hasattr(os, "sysconf") and "SC_AVPHYS_PAGES" in os.sysconf_names:
        yield float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for folder, most, used in _groups():
        limit, taken = (_lines(f"{folder}/{name}")[:1] for name in (most, used))
        if limit and taken and limit[0].isdecimal():
            stat = dict(line.split(" ", 1) for line in _lines(f"{folder}/memory.stat"))
            cached = stat.get("total_inactive_file", stat.get("inactive_file", "0"))  # given back when asked
            yield float(int(limit[0]) - int(taken[0]) + int(cached))
    with suppress(ImportError):  # no such limits on this system
        import resource

        limit_of_space = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit_of_space != resource.RLIM_INFINITY:
            taken_pages = _lines("/proc/self/statm")
            used_space = int(taken_pages[0].split()[0]) * resource.getpagesize() if taken_pages else 0
            yield float(limit_of_space - used_space)


def _groups() -> Iterator[tuple[str, str, str]]:
    """Each control group that this process is in: its folder, and the files of its limit and its use."""
    root = "/sys/fs/cgroup"
    yield f"{root}/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
    for line in _lines("/proc/self/cgroup"):
        path = line.split(":", 2)[-1] if line.startswith("0::") else ""
        while path:
            path = path.rstrip("/")
            yield f"{root}{path}", "memory.max", "memory.current"
            path = path.rpartition("/")[0]


def _lines(path: str) -> list[str]:
    try:
        return read_bytes(path).decode().splitlines()
    except (BadFile, UnicodeDecodeError):
        return []
