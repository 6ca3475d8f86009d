"""The path against what certify proves at single C: anywhere, at breakpoints and a hair beside them."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from flint import fmpq

from orca_exact import Problem, certify, path
from orca_exact.kernel import gram_ratio
from orca_exact.number import midpoint

HAIR = fmpq(1, 10**9)
GRIDS = (1, 2, 4, 50)


def drawn(seed: int) -> Problem:
    """Few points on a coarse or fine grid: duplicates, both labels at a point, unequal classes, weights."""
    draw = Random(seed)
    d, n, m, grid = draw.choice((1, 1, 2)), draw.randint(0, 3), draw.randint(2, 6), draw.choice(GRIDS)
    X = [[fmpq(draw.randint(-grid, grid), grid) for _ in range(d)] for _ in range(m)]
    y = [1, -1] + [draw.choice((1, -1)) for _ in range(m - 2)]
    C = [draw.choice((1, 2, fmpq(1, 2))) for _ in y] if draw.random() < 0.3 else 1
    alpha = draw.choice(("0", "0", "0", "1/2"))
    return Problem(X, y, n=n, alpha=alpha, beta="0", C=C, id=f"drawn {seed}")


def same_w(R, one, other) -> bool:
    """w and w' lie in the span of the points: they are equal where their values there are."""
    signs = one.problem.signs
    return all((R @ ((one.a - other.a) * signs)).zeros())


@pytest.mark.parametrize("first", range(0, 240, 20))
def test_the_path_has_at_every_C_what_certify_proves_there(first):
    for seed in range(first, first + 20):
        problem, draw = drawn(seed), Random(-seed)
        R, found = gram_ratio(problem), path(problem, level="exact")
        assert found.segments[0].lower == 0 and found.segments[-1].upper is None
        assert all(one.upper == other.lower > one.lower for one, other in pairwise(found))
        ends = [C if isinstance(C, fmpq) else midpoint(C) for C in breakpoints(found)]
        near = [C * factor for C in ends for factor in (1, 1 - HAIR, 1 + HAIR)]
        for C in [fmpq(draw.randint(1, 10**4), 10**3), *draw.sample(near, min(1, len(near)))]:
            ours, theirs = found.at(C), certify(problem.with_(C=C))
            assert same_w(R, ours, theirs), (problem.id, C)
            assert ours.hard_margin == theirs.hard_margin
            assert all(ours.b.ends()[end] == theirs.b.ends()[end] for end in (0, -1))
            if theirs.alpha_unique:
                assert (ours.free, ours.bound) == (theirs.free, theirs.bound)


def breakpoints(found):
    return [found.C(segment.upper) for segment in found.segments[:-1]]
