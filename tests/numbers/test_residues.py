"""Residues in float64 give the integers that Python computes."""

from __future__ import annotations

from functools import reduce
from operator import mul
from random import Random

import numpy as np
import pytest
from flint import fmpq, fmpz
from sympy import isprime

from orca_exact.numbers.residues import (
    TERMS,
    Residues,
    find_primes,
    from_residues,
    integer_residues,
    limb_residues,
    rational_residue,
    root_of_unity,
)


@pytest.mark.parametrize("order", [1, 2, 128, 512])
def test_primes_have_roots_of_unity(order):
    primes = find_primes(500, order)
    product = reduce(mul, primes)
    assert product.bit_length() > 500 >= (product // primes[-1]).bit_length()
    assert len({*primes}) == len(primes)
    for p in primes:
        root = root_of_unity(order, p)
        assert isprime(p) and p < 2**23
        assert len({pow(root, k, p) for k in range(order)}) == order and pow(root, order, p) == 1


def test_primes_do_not_divide():
    first, second, *_ = find_primes(500, 128)
    assert find_primes(500, 128, first)[0] == second


@pytest.mark.parametrize(("bits", "order"), [(2**16, 2**20), (23 * 2**11, 1), (2**20, 2)])
def test_primes_do_not_suffice(bits, order):
    """There are too few of them, or more than integers are computed from."""
    with pytest.raises(OverflowError, match="fewer than"):
        find_primes(bits, order)


@pytest.mark.parametrize("bits", [1, 23, 24, 25, 500, 5000])
def test_integers_come_back(bits):
    pick, primes = Random(bits), find_primes(bits + 1, 64)
    integers = [fmpz(pick.getrandbits(bits) * (-1) ** k) for k in range(300)]
    integers += [fmpz(0), fmpz(2) ** bits - 1, 1 - fmpz(2) ** bits]
    residues = integer_residues(integers, primes)
    assert abs(residues).max() < 2**22
    assert from_residues(residues, primes) == integers


def test_integer_out_of_range_comes_back_as_another():
    primes = find_primes(100, 64)
    modulus = reduce(mul, primes)
    beyond = [fmpz(modulus // 2 + 1), fmpz(-(modulus // 2) - 1), fmpz(modulus // 2)]
    assert from_residues(integer_residues(beyond, primes), primes) == [
        beyond[0] - modulus, beyond[1] + modulus, beyond[2],
    ]  # fmt: skip


@pytest.mark.parametrize("bits", [24, 240, 24 * 130])
def test_limbs_add_up(bits):
    pick, primes = Random(bits), find_primes(bits + 1, 1)
    integers = [fmpz(pick.getrandbits(7000) * (-1) ** k) for k in range(20)]
    residues = limb_residues(integers, bits, primes)
    for x, limbs in zip(integers, residues.transpose(1, 0, 2), strict=True):
        parts = from_residues(limbs, primes)
        assert all(abs(part) < fmpz(2) ** bits for part in parts)
        assert sum((part << (bits * k) for k, part in enumerate(parts)), fmpz(0)) == x


@pytest.mark.parametrize("p", [find_primes(1, 1)[0], find_primes(1, 512)[0], 2097169])
def test_the_longest_sums_are_exact(p):
    """All residues are as large as they may be: float64 holds the sum of their products."""
    largest = p // 2 + 3
    row = Residues(np.full((1, TERMS), float(largest)), p, p / 2 + 4)
    found = (row @ row.T).reduce().values[0, 0]
    assert (found - TERMS * largest**2) % p == 0
    assert abs(found) <= p / 2 + 4


def test_operations_agree_with_integers():
    """Apply random operations; float64 would round most of them without a reduction."""
    pick, p = Random(5), find_primes(1, 1)[0]
    values = [pick.randrange(p) for _ in range(50)]
    known = [(Residues(np.array([float(x - p if 2 * x > p else x)]), p, p / 2), x) for x in values]
    for _ in range(3000):
        (a, x), (b, y) = pick.choice(known), pick.choice(known)
        number = fmpq(pick.randrange(-99, 99), pick.randrange(1, 99))
        residue = number.p * pow(int(number.q), -1, p)
        found, wanted = pick.choice(
            [(a + b, x + y), (a * b, x * y), (a * number, x * residue), (number + a, x + residue)]
        )
        assert abs(found.values[0]) <= found.size <= 2**53 - 2**24
        assert (int(found.values[0]) - int(wanted)) % p == 0
        known[pick.randrange(50)] = found, int(wanted % p)


def test_residue_of_a_rational():
    p = find_primes(1, 1)[0]
    found = rational_residue(fmpq(-7, 12), p)
    assert (12 * found + 7) % p == 0 and abs(found) <= p // 2
