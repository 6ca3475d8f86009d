"""Random problems for several test files."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import fmpq
from hypothesis import assume
from hypothesis import strategies as st

from orca_exact.errors import ZeroClassifier
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ
from orca_exact.problem import Problem
from orca_exact.profile.profile import Profile

rational = st.fractions(min_value=-1, max_value=1, max_denominator=12)
parameter = st.fractions(min_value=Fraction(-9, 10), max_value=4, max_denominator=10)


@st.composite
def classifiers(draw):
    """Draw a problem and signed coefficients s, which need not be feasible."""
    d, n, m = draw(st.integers(1, 4)), draw(st.integers(0, 4)), draw(st.integers(2, 4))
    X = [[draw(rational) for _ in range(d)] for _ in range(m)]
    s = [QQ(draw(st.fractions(min_value=-3, max_value=3, max_denominator=9))) for _ in range(m)]
    return Problem(X, [1, -1, 1, -1][:m], n, draw(parameter), draw(parameter)), s


def exact_profile(p, s):
    try:
        return Profile(p, s, arithmetic("exact"), fmpq(1))
    except ZeroClassifier:
        assume(False)


def blobs(m=24, d=2, n=3, alpha="0", beta="0", C="1", seed=3):
    generator = np.random.default_rng(seed)
    X = [[f"{v:.3f}" for v in row] for row in generator.uniform(-1, 1, (m, d))]
    y = np.where(generator.uniform(size=m) < 0.5, 1, -1)
    y[:2] = (1, -1)
    return Problem(X, y, n, alpha, beta, C)
