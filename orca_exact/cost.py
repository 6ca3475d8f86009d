"""Estimates of time, memory and file sizes before a computation starts, and checks of the free memory.

Times are seconds on one core of 2024, fitted to runs with 15 to 400 points (level float: up to 20,000),
d = 2 to 64 and n = 1 to 25. Times and sizes are upper estimates, mostly within a factor of three. If the
support vectors are not known, every point counts as one, and min(m, modes + 1) of them as free.

A proof at level exact is estimated within a factor of two if its free points are known, and there are at
most ``_MOST_FREE`` of them and ``_MOST_BITS`` bits of an entry of R: runs with 20 to 200 free points and 300
to 5,400 bits. Other times in exact arithmetic and in balls were up to 70 times as long or as short as their
estimate: they choose between levels and arithmetics, and no figure is announced.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from math import inf, prod
from pathlib import PurePosixPath
from typing import NamedTuple

from .errors import BadFile, NotEnoughMemory
from .files.formats import LARGE_BYTES, read_bytes
from .numbers.arithmetic import Arithmetic, Ball, Exact, Verified
from .numbers.rationals import working_bits
from .problem import Problem

SOLVE_SECONDS = 1.8e-8  # seconds of a float64 solver, times m^3
_FLOAT = (1.5e-6, 4e-10)  # seconds to solve and prove in float64, times m k and m k^2, k = min(m, modes)
FLOP_SECONDS, MEMBER_SECONDS = (
    1e-10,
    1e-8,
)  # seconds of an operation in a matrix product, and of one on a single MidRad entry
SCORE_SECONDS, PIVOT_SECONDS = 1.6e-5, 8e-8  # seconds in balls, times m * support * d, and times pivots^3
_EXACT = 1.4e-10  # seconds of a pivot in rationals, times bits^1.5
_MOST_FREE, _MOST_BITS = 200, 6000  # up to here the estimate of a proof at level exact was compared with runs
_MAX_PRODUCTS = 256  # products of rows of two halves, for each row of the whole, up to which halves are used
MAX_KEPT_NUMBERS = 2**19  # numbers in the rows of pairs of points that are kept at a time
GRAM_COPIES = 3  # copies of a Gram matrix while it is computed
SOLVER_BYTES = 160.0  # bytes of an entry of the Gram matrix in a solver
ASSUMED_FREE_BYTES = 2**26  # bytes that are assumed to be free
_QUADRATURE_NODES = 64  # assumed for a measure that is not discrete
LONG_SECONDS = 5.0  # longer computations are announced


class Cost(NamedTuple):
    """Estimated seconds, bytes of memory, and bytes of the file with the result.

    The seconds are only announced if they are ``reliable``.
    """

    seconds: float
    memory: float = 0.0
    file: float = 0.0
    reliable: bool = True

    @property
    def notable(self) -> bool:
        """Whether the computation is long, or its file large, and therefore announced."""
        return self.seconds > LONG_SECONDS or self.file > LARGE_BYTES

    @property
    def as_alternative(self) -> str:
        """The words on the cost of a faster computation."""
        return f"takes {duration(self.seconds)}" if self.reliable or not self.notable else "is faster"

    def __add__(self, other: Cost) -> Cost:  # type: ignore[override]
        """Return the cost of two computations, one after the other."""
        reliable = self.reliable and other.reliable
        return Cost(
            self.seconds + other.seconds, self.memory + other.memory, self.file + other.file, reliable
        )

    def __str__(self) -> str:
        file = f"a file of {self.file / 1e6:.0f} MB" if self.file > LARGE_BYTES else ""
        if not self.reliable:
            return "this can take long" + f", with {file}" * bool(file)
        return f"about {duration(self.seconds)}" + f" and {file}" * bool(file)


def duration(seconds: float) -> str:
    """Write a duration in seconds, minutes or hours."""
    for unit, count in (("hours", 3600.0), ("minutes", 60.0)):
        if seconds > 1.5 * count:
            return f"{seconds / count:.0f} {unit}"
    return f"{seconds:.0f} seconds" if seconds > LONG_SECONDS else "seconds"


def entry_bits(problem: Problem) -> int:
    """Estimate the bits of an entry of R, numerator and denominator: sum_l 2 n_l bits(x_l)."""
    columns = zip(column_degrees(problem), problem.points.T, strict=True)
    return sum(2 * n * max(int(x.q).bit_length() for x in column) for n, column in columns)


def column_degrees(problem: Problem) -> tuple[int, ...]:
    """Return the degree of the kernel in each column; 1 for a kernel that is not a polynomial."""
    return problem.kernel.degrees_in(problem.d) or (1,) * problem.d


def number_bytes(A: Arithmetic, size: int) -> float:
    """Estimate the bytes of a number with so many bits in an array of an arithmetic."""
    constant, by_bit = A.number_bytes
    return constant + by_bit * size


# Proofs of optimality and profiles, for so many support vectors, so many of them free, if that is known.


def float_proof_cost(problem: Problem, support: int | None = None, free: int | None = None) -> Cost:
    """Estimate a proof at level float; the problem is solved first if the support vectors are not known."""
    m, d = problem.m, problem.d
    if support is None or free is None:
        k = min(m, problem.modes)
        return Cost(_FLOAT[0] * m * k + _FLOAT[1] * m * k**2, 64.0 * m * k)
    seconds = FLOP_SECONDS * (20 * free**3 + 6 * (m - free) * free**2) + MEMBER_SECONDS * m * support * d
    return Cost(seconds, 150.0 * free**2 + 200.0 * m * d * (max(column_degrees(problem)) + 1))


def gap_proof_cost(problem: Problem, support: int | None = None) -> Cost:
    """Estimate the computation of a bound of the duality gap."""
    m = problem.m
    scores = SCORE_SECONDS * m * (m if support is None else support) * problem.d
    memory = SOLVER_BYTES * m * min(m, problem.modes)
    return Cost(SOLVE_SECONDS * m**3 + scores, memory, reliable=False)


def ball_proof_cost(problem: Problem, support: int | None = None, free: int | None = None) -> Cost:
    """Estimate a proof at level ball."""
    vectors = problem.m if support is None else support
    pivots = min(vectors, problem.modes + 1) if free is None else free
    balls = Cost(
        PIVOT_SECONDS * pivots**3, 2 * number_bytes(Ball(100), working_bits(100)) * problem.m * vectors
    )
    return gap_proof_cost(problem, support) + balls


def exact_proof_cost(problem: Problem, support: int | None = None, free: int | None = None) -> Cost:
    """Estimate a proof at level exact."""
    pivots = min(problem.m, problem.modes + 1) if free is None else free
    long = entry_bits(problem)
    rationals = Cost(_EXACT * pivots**3 * long**1.5, gram_bytes(problem, Exact()), pivots**2 * long / 2)
    balls = ball_proof_cost(problem, support, free)
    compared = free is not None and free <= _MOST_FREE and long <= _MOST_BITS
    return (balls + rationals)._replace(reliable=compared and rationals.seconds > balls.seconds)


def profile_cost(problem: Problem, A: Arithmetic, support: int | None = None) -> Cost:
    """Estimate the computation of all indices in an arithmetic."""
    m, d = problem.m if support is None else support, problem.d
    n = sum(column_degrees(problem)) / d
    share, block = A.pair_seconds
    rows = min(d / 2 + d**2 * (n - 1) / 8, problem.highest_order * d * n / 2)
    factor = min(1.0, problem.modes / max(1, m))  # few modes are enumerated instead
    degrees, order = _positive_degrees(problem), problem.highest_order
    halved = A.exact or left_half_size(degrees, order, A) < len(degrees)
    seconds = share * m**2 * d * n + m**2 * (block * rows**2 if halved else A.whole_seconds * d**3 * n**2 / 6)
    long = int(min(m, problem.modes + 1)) * entry_bits(problem) if A.exact else 0
    memory = pairs_bytes(problem, A, m, long) + blocks_bytes(problem, A, m)
    indices = Cost(
        factor * seconds, factor * memory, reliable=not (A.exact or (A.encloses and A.takes_digits))
    )
    return indices + measures_cost(problem, A, m)


def measures_cost(problem: Problem, A: Arithmetic, support: int) -> Cost:
    """Estimate the means and covariances under the measures of the indices, for a kernel without modes."""
    if problem.kernel.modes is not None:
        return Cost(0.0)
    counts = [measure.size or _QUADRATURE_NODES for measure in problem.index_measures]
    value, product = A.node_seconds
    memory = number_bytes(A, A.bits) * (2 * problem.d * support**2 + 6 * support * max(counts))
    return Cost((value + product * support) * support * sum(counts), memory)


def ball_profile_cost(problem: Problem, support: int, free: int) -> Cost:
    """Estimate a certificate of level ball and all indices in balls."""
    return ball_proof_cost(problem, support, free) + profile_cost(problem, Ball(30), support)


def float_profile_cost(problem: Problem, support: int, free: int) -> Cost:
    """Estimate a certificate of level float and all indices in float64 with error bounds."""
    return float_proof_cost(problem, support, free) + profile_cost(problem, Verified(), support)


def gram_bytes(problem: Problem, A: Arithmetic) -> float:
    """Estimate the bytes of memory of a Gram matrix."""
    return GRAM_COPIES * problem.m**2 * number_bytes(A, entry_bits(problem) if A.exact else A.bits)


def pairs_bytes(problem: Problem, A: Arithmetic, support: int, long: int = 0) -> float:
    """Estimate the bytes of memory of a profile for pairs of points: weights, factors and sums.

    In exact arithmetic the rows of C_N^(q) are kept too, and the weights come from coefficients of ``long``
    bits.
    """
    d, count = problem.d, support * (support + 1) / 2
    if A.exact:
        rows = d * (sum(column_degrees(problem)) + d) / 2
        return count * (40 + long / 2 + (2 * d + 3 + 2 * rows) * number_bytes(A, entry_bits(problem) // 2))
    kept = min(count, A.pairs_kept or count)
    return 40 * count + (2 * d + 3) * kept * number_bytes(A, A.bits)


def blocks_bytes(problem: Problem, A: Arithmetic, support: int) -> float:
    """Estimate the further bytes of memory of all C_N^(q): rows of some pairs, twice, and products."""
    if A.exact:
        return 0.0  # kept with the pairs
    degrees, count = _positive_degrees(problem), support * (support + 1) / 2
    order = problem.highest_order
    left, right = (1 + sum(row_lengths(part, order)) for part in _split_halves(degrees, order, A))
    kept = min(count, pairs_per_step(degrees, order, A)) * (left + right)
    table = (problem.d + 1) * (sum(column_degrees(problem)) + 1)
    return (2 * kept + 2 * left * right + table) * number_bytes(A, A.bits)


# Sums over pairs of points: C_N^(q) is computed from its rows for the two halves of the coordinates.


def row_lengths(degrees: Sequence[int], order: int) -> list[int]:
    """Return for q = 1 ... order the number of N with C_N^(q) != 0, for coordinates of degree >= 1."""
    tops = accumulate(sorted(degrees, reverse=True)[:order])
    return [top - q + 1 for q, top in enumerate(tops, 1)]


def left_half_size(degrees: Sequence[int], order: int, A: Arithmetic) -> int:
    """Return the number of coordinates in the left half; all of them if halves are not worthwhile.

    In exact arithmetic they never are: weights have 10^5 bits, kernels 10^3, and are kept in one vector.
    """
    half = (len(degrees) + 1) // 2
    products = prod(1 + sum(row_lengths(part, order)) for part in (degrees[:half], degrees[half:]))
    return len(degrees) if A.exact or products > _MAX_PRODUCTS * sum(row_lengths(degrees, order)) else half


def pairs_per_step(degrees: Sequence[int], order: int, A: Arithmetic) -> float:
    """Return for how many pairs of points rows are kept at a time; exact rows have a common denominator."""
    if A.exact:
        return inf
    return max(
        1,
        MAX_KEPT_NUMBERS
        // sum(1 + sum(row_lengths(part, order)) for part in _split_halves(degrees, order, A)),
    )


def _split_halves(degrees: Sequence[int], order: int, A: Arithmetic) -> tuple[Sequence[int], Sequence[int]]:
    half = left_half_size(degrees, order, A)
    return degrees[:half], degrees[half:]


def _positive_degrees(problem: Problem) -> list[int]:
    return [n for n in column_degrees(problem) if n]


# Free memory.


def require_memory(needed: float, what: str, hint: str) -> None:
    """Raise NotEnoughMemory if fewer than ``needed`` bytes of memory are free."""
    if needed > ASSUMED_FREE_BYTES and needed > (free := available_memory()):
        raise NotEnoughMemory(what, needed, free, hint)


def available_memory() -> float:
    """Return the free bytes of memory within the limits of machine, control groups and process."""
    import psutil

    return min([float(psutil.virtual_memory().available), *_free_in_groups(), *_free_address_space()])


def _free_in_groups() -> Iterator[float]:
    """Yield the free bytes within the limits of containers and batch jobs (cgroup v2), unknown to psutil."""
    own = re.search(r"^0::(.*)$", _read_text("/proc/self/cgroup"), re.MULTILINE)
    folder = PurePosixPath("/sys/fs/cgroup" + (own[1] if own else ""))
    for group in (folder, *folder.parents):
        limit = re.match(r"\d+", _read_text(f"{group}/memory.max"))
        statistics = _read_text(f"{group}/memory.stat")
        used = re.search(r"^anon (\d+)", statistics, re.MULTILINE)  # the rest is cache
        if limit and used:
            yield float(int(limit[0]) - int(used[1]))


def _free_address_space() -> Iterator[float]:
    if sys.platform == "win32":  # it has no such limit
        return
    import resource

    import psutil

    with suppress(AttributeError):  # a system without this limit
        if (limit := resource.getrlimit(resource.RLIMIT_AS)[0]) != resource.RLIM_INFINITY:
            yield float(limit - psutil.Process().memory_info().vms)


def _read_text(path: str) -> str:
    try:
        return read_bytes(path).decode()
    except (BadFile, UnicodeDecodeError):
        return ""
