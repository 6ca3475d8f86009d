"""Tests of certificate files: a change of any value is rejected, with and without a fresh digest."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction

import pytest
from flint import arb, fmpq
from marks import quick
from problems import blobs

from orca_exact import checker
from orca_exact.files.formats import digest
from orca_exact.numbers.rationals import QQ, format_upper_bound, precision_digits
from orca_exact.problem import Problem
from orca_exact.svm.certificate import lambda_bounds, norm2_bounds
from orca_exact.svm.certify import certify

CERTIFICATES = {
    "exact, lambda rational": lambda: certify(blobs(m=8, n=2)),
    "exact, lambda irrational, bound vectors": lambda: certify(blobs(m=8, n=1, alpha="4.3", beta="1.8")),
    "exact, b an interval": lambda: certify(
        Problem([["-0.5"], ["0.5"], ["-0.6"], ["0.6"]], [1, -1, 1, -1], 1, "1/3", "1/2", C="1/1000")
    ),
    "ball": lambda: certify(blobs(m=8, n=2, alpha="4.3", beta="1.8"), level="ball", digits=30),
    "gap": lambda: certify(blobs(m=8, n=2), level="gap"),
}
# With a fresh digest, a file with one of these changed is another true statement.
HARMLESS = ("versions", "sha256", "id", "claims", "bits")


def leaves(data, path=()) -> Iterator[tuple]:
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*path, key))
    else:
        yield path


def changed(value):
    """Return a value of the same kind, one digit or one step away."""
    if isinstance(value, bool):
        return not value
    if value is None:
        return True
    if isinstance(value, int):
        return value + 1
    for position in reversed(range(len(value))):
        if value[position].isdigit():
            digit = str((int(value[position]) + 1) % 10)
            return value[:position] + digit + value[position + 1 :]
    return value + "x"


def tampered(data: dict, path: tuple, fresh: bool) -> dict:
    data = copy.deepcopy(data)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = changed(place[path[-1]])
    if fresh:
        data["sha256"] = digest({key: value for key, value in data.items() if key != "sha256"})
    return data


@pytest.mark.parametrize("name", quick(CERTIFICATES, ("ball",)))
def test_every_leaf(name):
    data = json.loads(json.dumps(CERTIFICATES[name]().to_json()))
    assert checker.check(data)["level"] == data["level"]
    for path in leaves(data):
        with pytest.raises(checker.Rejected):
            checker.check(tampered(data, path, fresh=False))
        support = data["active"]["free"] + data["active"]["bound"]
        idle = path[:2] == ("problem", "X") and path[2] + 1 not in support
        if data["level"] == "exact" and not idle and not set(path) & set(HARMLESS):
            with pytest.raises(checker.Rejected) as caught:
                checker.check(tampered(data, path, fresh=True))
            assert caught.value.condition != "sha256", path


def test_lambda_bounds_are_neighbours():
    p = blobs(m=4, alpha="4.3", beta="1.8")
    bounds = lambda_bounds(p, 64)
    low, high = (Fraction(bounds[end]) for end in ("lower", "upper"))
    assert low < high
    assert (high - low) / low < Fraction(1, 2**62)


def test_upper_decimals_are_upper_and_near():
    with precision_digits(60):
        for value in ("1e-150", "0.1", "7", "123456789.5"):
            for x in (arb(value), arb(value, "1e-160"), arb(value) / 3):
                assert 1 <= QQ(format_upper_bound(x, 12)) / arb(x.upper()) < 1 + 1e-10
    assert format_upper_bound(arb(0)) == "0"


@pytest.mark.parametrize("norm, error", [("3", "0"), ("3", "1e-3"), ("1e-30", "1e-20"), ("1e-30", "1")])
def test_norms_lie_between_their_decimals_and_these_are_near(norm, error):
    """The decimals enclose (||w|| -+ error)^2, with 0 if the error is larger than w."""
    with precision_digits(60):
        root, near = arb(norm).sqrt(), fmpq(1, 10**25)
        found = {end: QQ(text) for end, text in norm2_bounds(arb(norm), error).items()}
        least, most = (root - arb(error)).max(arb(0)), root + arb(error)
        assert least * least * (1 - near) <= found["lower"] <= least * least
        assert most * most <= found["upper"] <= most * most * (1 + near)
