"""Limits on sizes; a file that exceeds one is refused before the computation that would be too large.

Every limit concerns sizes that follow from the file: bytes, items, bits, and products of numbers counted as
bits times bits. Time and free memory are not measured, so the result is the same on every machine. The
largest certificates of this project are far below; a small file that reaches the limits takes about a minute.
"""

from collections.abc import Iterable
from math import lcm

SIZE = 2**26  # bytes of a file, after unpacking
DEPTH = 20  # nested lists and objects; a certificate needs fewer than ten, and Python's own limit varies
ITEMS = 2**20  # items of a list
DEGREE = 1000  # largest n, degree, alpha and beta
SHORT, LONG, LONGEST = 2**13, 2**18, 2**21  # bits of a number of the problem; of a claim; of u, v, b, tau
BITS = 2**14  # largest lambda.bits
LAMBDA = 2**23  # bits of lambda times bits of the parameters of the different measures
COMMON = 2**20  # bits of a common denominator
MEMORY = 2**32  # bits of the Gram matrix, and of the points over a common denominator
PRODUCTS = 2**46  # bits times bits, over all products of numbers
TIGHT = 1000  # points with y_i g(x_i) = 1 if alpha is claimed to be unique


class Rejected(Exception):
    """The certificate does not prove what it claims; ``condition`` names the condition that failed."""

    def __init__(self, condition: str, message: str):
        super().__init__(f"{condition}: {message}")
        self.condition = condition


def require(holds: bool, condition: str, message: str) -> None:
    """Raise Rejected with the name of the condition if it does not hold."""
    if not holds:
        raise Rejected(condition, message)


def require_at_most(size: int, limit: int, what: str, unit: str = "bits") -> None:
    """Reject the certificate if a size is above its limit."""
    require(size <= limit, "format", f"{what} too large: {size} {unit}, at most {limit} are allowed")


def common_multiple(numbers: Iterable[int], what: str) -> int:
    """Return the least common multiple; reject the certificate as soon as it is longer than COMMON bits."""
    common = 1
    for q in set(numbers):
        common = lcm(common, q)
        require_at_most(common.bit_length(), COMMON, what)
    return common


class Products:
    """The total cost of the multiplications for one certificate, in bits times bits."""

    def __init__(self) -> None:
        self.total = 0

    def add(self, count: int, a: int, b: int, what: str) -> None:
        """Add the cost of ``count`` products of a-bit by b-bit numbers; reject if the limit is exceeded.

        256 bits are added to both lengths because a product of short numbers takes time, too.
        """
        self.total += count * (a + 2**8) * (b + 2**8)
        cost = f"products of {self.total:.1e} bits times bits, at most {PRODUCTS:.1e} are allowed"
        require(self.total <= PRODUCTS, "format", f"{what} too large: {cost}")
