"""Sums by residues are those in rationals, for every family of indices."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from flint import fmpq

from orca_exact import Hermite, Jacobi, OrthogonalPolynomials, Problem, certify, cost, orca
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.profile import modular
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.modular import ModularSums, modular_sums
from orca_exact.profile.support import Support

KERNELS = {
    "product": OrthogonalPolynomials(2),
    "degrees": OrthogonalPolynomials([3, 0, 1], [Jacobi("1/2", 2), Jacobi(0, 0), Hermite()]),
    "order": OrthogonalPolynomials(3, order=2),
    "constant": OrthogonalPolynomials(0),
    "high": OrthogonalPolynomials([20, 4, 30]),
}


def make_support(
    kernel: OrthogonalPolynomials, m: int = 40, bits: int = 900, denominator: int = 999, d: int = 3
) -> Support:
    """Return points that are not float64, and long coefficients of either sign with denominators."""
    pick = np.random.default_rng(3)
    X = [[fmpq(int(k), denominator) for k in row] for row in pick.integers(-999, 1000, (m, d))]
    X[0] = [fmpq(0)] * d
    y = [1 if i % 3 else -1 for i in range(m)]
    s = [fmpq(int.from_bytes(pick.bytes(bits // 8), "little"), 7 + i) * y[i] for i in range(m)]
    problem = Problem(X, y, kernel=kernel)
    return Support.from_coefficients(problem, arithmetic("exact"), np.array(s, dtype=object))


def every_sum(sums: GeneratingFunction) -> list:
    sets = [(), (1,), (3,), (1, 2), (1, 3), (1, 2, 3)]
    whole = [sums.norm, sums.orders, sums.subsets(sets), sums.by_coordinate]
    return [*whole, sums.parities, sums.blocks.tolist(), sums.degrees]


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("limbs", "nodes"), [((24, 24), 2), (modular._LIMBS, modular._NODES)])
def test_sums_are_those_in_rationals(name, limbs, nodes, monkeypatch):
    monkeypatch.setattr(modular, "_LIMBS", limbs)
    monkeypatch.setattr(modular, "_NODES", nodes)
    support = make_support(KERNELS[name])
    assert every_sum(ModularSums(support)) == every_sum(GeneratingFunction(support))


def test_blocks_are_those_of_all_modes():
    """Compare with the second route of profiles, which has no pairs of points."""
    X, y = [[f"{(7 * i * (k + 3)) % 41 - 20}/21" for k in range(2)] for i in range(24)], [1, -1] * 12
    problem = Problem(X, y, 3, 0, 0, 10**6)
    profile = orca(problem, certify(problem, level="exact"), "exact")
    found = ModularSums(profile.generating.support)
    assert (found.blocks == profile.enumeration.blocks()).all()
    assert found.norm == profile.enumeration.blocks().sum()


def test_one_prime_less_is_not_enough(monkeypatch):
    """With equal points and the longest weights the sums come close to their bound."""
    m, n = 50, 6
    problem = Problem([["1/3"] * 2] * m, [1, -1] * (m // 2), n, 0, 0)
    s = np.array([fmpq(2**1200 - 1)] * m, dtype=object)
    support = Support.from_coefficients(problem, arithmetic("exact"), s)
    wanted = GeneratingFunction(support).norm
    assert ModularSums(support).norm == wanted
    primes = ModularSums(support).primes
    monkeypatch.setattr(ModularSums, "primes", primes[:-2])
    assert ModularSums(support).norm != wanted


@pytest.mark.parametrize("bits", [100, 8000])
def test_memory_is_about_what_was_required(bits, monkeypatch):
    """Only the factors modulo one prime are kept, and only some of the forms."""
    required: list[float] = []
    monkeypatch.setattr(cost, "require_memory", lambda needed, *_: required.append(needed))
    kernel = OrthogonalPolynomials(2, [Jacobi(0, 0)] * 12, order=2)
    sums, pairs = ModularSums(make_support(kernel, bits=bits, d=12)), list(combinations(range(1, 13), 2))
    tracemalloc.start()
    try:
        sums.limbs, sums.norm, sums.subsets(pairs), sums.by_coordinate
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert required[0] / 2 < most < 1.2 * required[0]  # the results are not counted


def test_long_coefficients_are_summed_by_residues():
    support = make_support(KERNELS["product"], bits=8000)
    assert isinstance(modular_sums(support), ModularSums)
    assert modular_sums(make_support(KERNELS["product"], 10)) is None


@pytest.mark.parametrize(("degrees", "digits"), [([500, 20, 1], 3), ([300, 200, 1], 20), ([1, 1, 1], 20_000)])
def test_long_kernels_are_summed_in_rationals(degrees, digits, monkeypatch):
    """There are too many terms in a sum, or too few primes, or too many are needed."""
    monkeypatch.setattr(modular, "_MIN_BITS", 0)
    assert modular_sums(make_support(OrthogonalPolynomials(degrees), 4, denominator=10**digits)) is None
    assert modular_sums(make_support(OrthogonalPolynomials([300, 200, 1]), 4)) is not None
