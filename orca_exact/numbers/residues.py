"""Residues of integers modulo many primes, in float64 arrays, and integers from their residues.

The primes are below 2^23 and residues are between -p/2 and p/2, so that a sum of ``TERMS`` products of two
of them is an integer below 2^53: every operation here, a matrix product by BLAS included, is exact. A
computation with long integers becomes one with float64 matrices for each prime. The result is the only
integer in a proved range with the residues that were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import count
from operator import mul
from typing import Any

import numpy as np
from flint import fmpq, fmpz

TERMS = 512  # of a sum of products of two residues
_LARGEST = 2**23 - 64
_MAX_PRIMES = 2**11  # with more of them, the matrix in ``from_residues`` has more than 48 MB
_EXACT = 2.0**53 - 2.0**24  # up to here an integer and its nearest multiple of p are float64 numbers
_DIGIT = 24  # bits of a digit of a long integer
_DIGITS = 128  # that are multiplied by residues at a time: 2^24 2^22 128 = 2^53
_INTEGERS = 256  # whose residues are computed at a time


@lru_cache(maxsize=8)
def find_primes(bits: int, order: int, besides: int = 1) -> tuple[int, ...]:
    """Return primes that do not divide ``besides`` and whose product has more than so many bits.

    Each is 1 modulo ``order``, so that it has a root of unity of this order. Raise OverflowError if there are
    not enough of them, or more than ``_MAX_PRIMES`` are needed.
    """
    found: list[int] = []
    product = fmpz(1)
    for p in range(_LARGEST // order * order + 1 - order, 2**21, -order):
        if fmpz(p).is_prime() and besides % p:
            found.append(p)
            product *= p
            if product.bit_length() > bits:
                return tuple(found)
            if len(found) == _MAX_PRIMES:
                break
    raise OverflowError(f"fewer than {bits} bits in the {len(found)} primes that are 1 modulo {order}")


def root_of_unity(order: int, p: int) -> int:
    """Return a number of this order, a power of 2, modulo a prime that is 1 modulo the order."""
    for g in count(2):
        root = pow(g, (p - 1) // order, p)
        if order == 1 or pow(root, order // 2, p) == p - 1:
            return root
    raise AssertionError("there is always one")


class Residues:
    """An array of integers modulo p.

    ``size`` bounds the absolute values; sums and products are reduced only if float64 could not hold the next
    one.
    """

    def __init__(self, values: np.ndarray, p: int, size: float = _EXACT):
        self.values, self.p, self.size = values, p, size

    def reduce(self) -> Residues:
        """Reduce these residues in place to absolute values below p/2 + 4, and return them.

        Rounding may add the 4.
        """
        half = self.p / 2 + 4
        if self.size > half:
            self.values, self.size = reduce_modulo(self.values, self.p), half
        return self

    def __add__(self, other: Any) -> Residues:
        other = self._operand(other)
        if self.size + other.size > _EXACT:
            self.reduce()
            other.reduce()
        return Residues(self.values + other.values, self.p, self.size + other.size)

    def __mul__(self, other: Any) -> Residues:
        other = self._operand(other)
        for longer in sorted((self, other), key=lambda x: -x.size):
            if self.size * other.size > _EXACT:
                longer.reduce()
        return Residues(self.values * other.values, self.p, self.size * other.size)

    __radd__, __rmul__ = __add__, __mul__

    def _operand(self, other: Any) -> Residues:
        if isinstance(other, Residues):
            return other
        return Residues(np.array(float(rational_residue(other, self.p))), self.p, self.p / 2)

    def __matmul__(self, other: Residues) -> Residues:
        """Return the matrix product, with at most ``TERMS`` terms in a sum."""
        a, b = self.reduce(), other.reduce()
        assert a.values.shape[-1] <= TERMS
        return Residues(a.values @ b.values, self.p)

    def __getitem__(self, key: Any) -> Residues:
        return Residues(self.values[key], self.p, self.size)

    @property
    def T(self) -> Residues:
        """The transpose."""
        return Residues(self.values.T, self.p, self.size)


def reduce_modulo(values: np.ndarray, p: Any) -> np.ndarray:
    """Return integers of at most ``_EXACT`` modulo p, with absolute values below p/2 + 4."""
    multiples: np.ndarray = values * (1 / p)
    np.rint(multiples, out=multiples)
    multiples *= p
    np.subtract(values, multiples, out=multiples)
    return multiples


def rational_residue(q: Any, p: int) -> int:
    """Return the residue of a rational whose denominator p does not divide, between -p/2 and p/2."""
    q = fmpq(q)
    return _balanced(int(q.p % p) * pow(int(q.q % p), -1, p) % p, p)


def _balanced(x: int, p: int) -> int:
    return x - p if 2 * x > p else x


def limb_residues(integers: Sequence[fmpz], bits: int, primes: Sequence[int]) -> np.ndarray:
    """Return the residues of the limbs of integers, an array (primes, integers, limbs) of float32 numbers.

    An integer is the sum of its limbs times powers of 2^bits; ``bits`` is a multiple of 24. A residue has at
    most 23 bits, which float32 holds.
    """
    count = max((abs(x).bit_length() for x in integers), default=0) // bits + 1
    digits = _digits(integers, count * bits // _DIGIT).reshape(-1, bits // _DIGIT)
    signs = np.repeat([-1.0 if x < 0 else 1.0 for x in integers], count)
    p = np.array(primes, dtype=float)[:, None]
    places = range(bits // _DIGIT)
    powers = np.array([[_balanced(pow(2, _DIGIT * k, q), q) for k in places] for q in primes], dtype=float)
    out = np.empty((len(primes), len(integers) * count), dtype=np.float32)
    for start in range(0, len(digits), _INTEGERS):
        some = slice(start, start + _INTEGERS)
        columns = (digits[some] * signs[some, None]).T
        total = np.zeros((len(primes), columns.shape[1]))
        for first in range(0, len(columns), _DIGITS):
            part = slice(first, first + _DIGITS)
            total += reduce_modulo(powers[:, part] @ columns[part], p)
        out[:, some] = reduce_modulo(total, p)
    return out.reshape(len(primes), len(integers), count)


def integer_residues(integers: Sequence[fmpz], primes: Sequence[int]) -> np.ndarray:
    """Return the residues of integers, an array (primes, integers) of float32 numbers."""
    longest = max((abs(x).bit_length() for x in integers), default=0)
    return limb_residues(integers, (longest // _DIGIT + 1) * _DIGIT, primes)[:, :, 0]


def _digits(integers: Sequence[fmpz], count: int) -> np.ndarray:
    """Return the digits of |x|, the lowest first, a row for each integer."""
    length = count * (_DIGIT // 8)
    data = b"".join(int(abs(x)).to_bytes(length, "little") for x in integers) + b"\0"
    words: np.ndarray = np.ndarray((len(integers), count), "<u4", data, strides=(length, _DIGIT // 8))
    return words & np.uint32(2**_DIGIT - 1)


def from_residues(residues: np.ndarray, primes: Sequence[int]) -> list[fmpz]:
    """Return the integers of least absolute value with these residues, a row of them for each prime.

    An integer is sum_p y_p M/p modulo the product M of the primes, with 0 <= y_p < p. The sums are computed
    for the digits of M/p, 16 bits each, by one matrix product; with so many bits 2^14 primes are possible.
    """
    assert len(primes) <= _MAX_PRIMES <= 2**14
    modulus = reduce(mul, map(fmpz, primes), fmpz(1))
    cofactors = [modulus // p for p in primes]
    scaled = np.empty(residues.shape)
    for row, p, cofactor in zip(range(len(primes)), primes, cofactors, strict=True):
        scaled[row] = residues[row].astype(np.int64) * pow(int(cofactor % p), -1, p) % p
    length = (modulus.bit_length() + 15) // 16
    data = b"".join(int(cofactor).to_bytes(2 * length, "little") for cofactor in cofactors)
    digits = np.frombuffer(data, "<u2").reshape(len(primes), length)
    sums = (digits.T.astype(float) @ scaled).astype(np.int64)
    words, carry = np.empty((sums.shape[1], length + 4), "<u2"), np.zeros(sums.shape[1], np.int64)
    for place in range(length + 4):
        carry += sums[place] if place < length else 0
        words[:, place] = carry & 0xFFFF
        carry >>= 16
    half = modulus // 2
    found = (fmpz(int.from_bytes(row.tobytes(), "little")) for row in words)
    return [(x + half) % modulus - half for x in found]
