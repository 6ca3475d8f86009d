"""What work will cost, said before it starts, and whether the machine has the memory for it.

Seconds are of one core of 2024, fitted to runs with 15 to 400 points (level float: to 20,000), d = 2 to 64,
n = 1 to 25; they and the sizes are upper estimates, within a factor of three or so. Every point may be a
support vector, and of the free ones min(m, modes + 1) are independent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from math import inf, prod
from pathlib import PurePosixPath
from typing import NamedTuple

from .errors import BadFile, NotEnoughMemory
from .files.formats import LARGE, read_bytes
from .numbers.arithmetic import Arithmetic, Ball, Exact
from .numbers.rationals import bits
from .problem import Problem

SOLVE = 1.8e-8  # a solver in float64, by m^3
_FLOAT = (1.5e-6, 4e-10)  # solved and proved there, by m k and m k^2, k = min(m, modes)
SCORE, PIVOT = 1.6e-5, 8e-8  # in balls: of a point, a support vector and a coordinate; of a pivot
_EXACT = 2.2e-10  # of a pivot, by bits^1.5
_WIDE = 256  # products of rows of two halves, for one row of the whole, that are still worth it
KEPT = 2**19  # numbers in the rows of pairs of points that are kept at one time
COPIES = 3  # of a Gram matrix while it is made
SOLVER_BYTES = 160.0  # bytes of an entry of it in a solver
UNASKED = 2**26  # bytes that any machine has
LONG_SECONDS = 10.0  # seconds of work that are announced


class Cost(NamedTuple):
    """Seconds, bytes of memory, and bytes of the file that holds the result."""

    seconds: float
    memory: float = 0.0
    file: float = 0.0

    @property
    def notable(self) -> bool:
        """Whether a person wants to know before it starts."""
        return self.seconds > LONG_SECONDS or self.file > LARGE

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
    return f"{seconds:.0f} seconds" if seconds > LONG_SECONDS else "seconds"


def entry_bits(problem: Problem) -> int:
    """Bits of an entry of R, in its numerator and its denominator: sum_l 2 n_l times those of x_l."""
    columns = zip(problem.degrees, problem.points.T, strict=True)
    return sum(2 * n * max(int(x.q).bit_length() for x in column) for n, column in columns)


def number_bytes(A: Arithmetic, size: int) -> float:
    """Bytes of a number of so many bits in an array of an arithmetic."""
    constant, by_bit = A.number_bytes
    return constant + by_bit * size


# Proofs of optimality; ``support`` and ``free`` points where they are known.


def float_proof(problem: Problem) -> Cost:
    """Estimate a proof at level float."""
    m, k = problem.m, min(problem.m, problem.modes)
    return Cost(_FLOAT[0] * m * k + _FLOAT[1] * m * k**2, 64.0 * m * k)


def gap_proof(problem: Problem, support: int | None = None) -> Cost:
    """Estimate a bound of the duality gap, with so many support vectors."""
    m = problem.m
    scores = SCORE * m * (m if support is None else support) * problem.d
    return Cost(SOLVE * m**3 + scores, SOLVER_BYTES * m * min(m, problem.modes))


def ball_proof(problem: Problem, support: int | None = None, free: int | None = None) -> Cost:
    """Estimate a proof at level ball, with so many support vectors, so many of them free."""
    some = problem.m if support is None else support
    pivots = min(some, problem.modes + 1) if free is None else free
    balls = Cost(PIVOT * pivots**3, 2 * number_bytes(Ball(100), bits(100)) * problem.m * some)
    return gap_proof(problem, support) + balls


def exact_proof(problem: Problem, support: int | None = None, free: int | None = None) -> Cost:
    """Estimate a proof at level exact, with so many support vectors, so many of them free."""
    pivots = min(problem.m, problem.modes + 1) if free is None else free
    long = entry_bits(problem)
    rationals = Cost(_EXACT * pivots**3 * long**1.5, gram_bytes(problem, Exact()), pivots**2 * long / 2)
    return ball_proof(problem, support, free) + rationals


def profile_cost(problem: Problem, A: Arithmetic, support: int | None = None) -> Cost:
    """Estimate the computation of all indices in an arithmetic."""
    m, d = problem.m if support is None else support, problem.d
    n = sum(problem.degrees) / d
    share, block = A.pair_seconds
    rows = d / 2 + d**2 * (n - 1) / 8
    fewer = min(1.0, problem.modes / max(1, m))
    halved = A.exact or split(_tops(problem), A) < len(_tops(problem))
    seconds = share * m**2 * d * n + m**2 * (block * rows**2 if halved else A.whole_seconds * d**3 * n**2 / 6)
    long = min(m, problem.modes + 1) * entry_bits(problem) if A.exact else 0
    memory = pairs_bytes(problem, A, m, long) + blocks_bytes(problem, A, m)
    return Cost(fewer * seconds, fewer * memory)


def certified_profile_cost(problem: Problem, support: int, free: int) -> Cost:
    """Estimate a certificate and all indices in balls."""
    return ball_proof(problem, support, free) + profile_cost(problem, Ball(30), support)


def gram_bytes(problem: Problem, A: Arithmetic) -> float:
    """Bytes of memory that a Gram matrix takes."""
    return COPIES * problem.m**2 * number_bytes(A, entry_bits(problem) if A.exact else A.bits)


def pairs_bytes(problem: Problem, A: Arithmetic, support: int, long: int = 0) -> float:
    """Bytes of memory that a profile takes by pairs of points: their weights and, kept, factors and sums.

    Exact ones also keep the rows of C_N^(q), and have weights from coefficients of ``long`` bits.
    """
    d, count = problem.d, support * (support + 1) / 2
    if A.exact:
        rows = d * (sum(problem.degrees) + d) / 2
        return count * (40 + long / 2 + (2 * d + 3 + 2 * rows) * number_bytes(A, entry_bits(problem) // 2))
    kept = min(count, A.pairs_kept or count)
    return 40 * count + (2 * d + 3) * kept * number_bytes(A, A.bits)


def blocks_bytes(problem: Problem, A: Arithmetic, support: int) -> float:
    """Bytes of memory that all C_N^(q) take beside: the rows of some pairs, twice, and their products."""
    if A.exact:
        return 0.0  # kept with the pairs
    tops, count = _tops(problem), support * (support + 1) / 2
    left, right = (1 + sum(row_lengths(part)) for part in _halves(tops, A))
    kept = min(count, pairs_at_once(tops, A)) * (left + right)
    table = (problem.d + 1) * (sum(problem.degrees) + 1)
    return (2 * kept + 2 * left * right + table) * number_bytes(A, A.bits)


# Sums over pairs of points: C_N^(q) from its rows for one half of the coordinates and for the other.


def row_lengths(tops: Sequence[int]) -> list[int]:
    """How many degrees N have a C_N^(q) other than 0, for q = 1 ... d and coordinates of these n_l >= 1."""
    return [top - q + 1 for q, top in enumerate(accumulate(sorted(tops, reverse=True)), 1)]


def split(tops: Sequence[int], A: Arithmetic) -> int:
    """How many coordinates go to the left half: all of them if two halves have too many products of rows.

    So it is in exact arithmetic: the weights carry 10^5 bits, the kernels 10^3, and are kept in one vector.
    """
    half = (len(tops) + 1) // 2
    products = prod(1 + sum(row_lengths(part)) for part in (tops[:half], tops[half:]))
    return len(tops) if A.exact or products > _WIDE * sum(row_lengths(tops)) else half


def pairs_at_once(tops: Sequence[int], A: Arithmetic) -> float:
    """Pairs of points whose rows are kept at one time; exact ones have one denominator for all."""
    if A.exact:
        return inf
    return max(1, KEPT // sum(1 + sum(row_lengths(part)) for part in _halves(tops, A)))


def _halves(tops: Sequence[int], A: Arithmetic) -> tuple[Sequence[int], Sequence[int]]:
    half = split(tops, A)
    return tops[:half], tops[half:]


def _tops(problem: Problem) -> list[int]:
    """The degrees of the coordinates that have any but 0."""
    return [n for n in problem.degrees if n]


# Memory.


def require_memory(needed: float, what: str, hint: str) -> None:
    """NotEnoughMemory, before anything is begun, where the machine has less."""
    if needed > UNASKED and needed > (free := available_memory()):
        raise NotEnoughMemory(what, needed, free, hint)


def available_memory() -> float:
    """Return how many bytes the machine, control groups and the limit of this process leave to it."""
    import psutil

    return min([float(psutil.virtual_memory().available), *_left_by_groups(), *_left_of_address_space()])


def _left_by_groups() -> Iterator[float]:
    """Read the limits of containers and batch jobs (cgroup v2), of which psutil knows nothing."""
    own = re.search(r"^0::(.*)$", _text("/proc/self/cgroup"), re.MULTILINE)
    folder = PurePosixPath("/sys/fs/cgroup" + (own[1] if own else ""))
    for group in (folder, *folder.parents):
        limit = re.match(r"\d+", _text(f"{group}/memory.max"))
        used = re.search(r"^anon (\d+)", _text(f"{group}/memory.stat"), re.MULTILINE)  # the rest is cache
        if limit and used:
            yield float(int(limit[0]) - int(used[1]))


def _left_of_address_space() -> Iterator[float]:
    with suppress(ImportError):  # no such limits on this system
        import resource

        import psutil

        if (limit := resource.getrlimit(resource.RLIMIT_AS)[0]) != resource.RLIM_INFINITY:
            yield float(limit - psutil.Process().memory_info().vms)


def _text(path: str) -> str:
    try:
        return read_bytes(path).decode()
    except (BadFile, UnicodeDecodeError):
        return ""
