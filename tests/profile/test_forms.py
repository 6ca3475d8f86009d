"""The sums of many functions at once lie within their proved bounds of the sums in balls of 60 digits."""

from __future__ import annotations

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact import RBF, Normal, Problem, Uniform
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.midrad import MidRad
from orca_exact.profile import forms as forms_module
from orca_exact.profile.forms import BoundedForms
from orca_exact.profile.generating import GeneratingFunction
from orca_exact.profile.indices import INDICES
from orca_exact.profile.support import Support

POINTS, FUNCTIONS = 9, 4
GAMMAS = ["1e-12", "1/1000", "1/3", "2", "40"]
COEFFICIENTS = ["plain", "cancelling", "around zero", "tiny", "huge", "sparse"]


def random_problem(gamma: str, d: int, under, random: np.random.Generator) -> Problem:
    X = random.normal(size=(POINTS, d)).round(3)
    X[-1] = X[0]  # equal points
    if d > 2:
        X[:, 2] = 1.0  # a constant column
    return Problem(X.tolist(), [1, -1, 1] * 3, kernel=RBF(gamma), under=under)


def random_coefficients(kind: str, random: np.random.Generator) -> tuple[MidRad, np.ndarray]:
    """Return balls for the coefficients, one column for each function, and rationals at their ends."""
    mid = random.normal(size=(POINTS, FUNCTIONS))
    rad = abs(mid) * 2.0 ** -random.integers(30, 53, mid.shape)
    if kind == "cancelling":  # the function is nearly 0: point 0 and the last one are equal
        mid[1:-1] *= 1e-9
        mid[-1] = -mid[0] * (1 + 2.0**-40)
        rad = abs(mid) * 2.0**-52
    elif kind == "around zero":
        mid[::2] = 0.0
        rad[::2] = 10.0 ** -random.integers(1, 12, rad[::2].shape)
    elif kind in ("tiny", "huge"):
        mid, rad = (x * (1e-160 if kind == "tiny" else 1e120) for x in (mid, rad))
    elif kind == "sparse":
        mid[random.random(mid.shape) < 0.7] = 0.0
        rad[mid == 0] = 0.0
    ends = random.choice([-1, 0, 1], mid.shape)
    truth = np.empty(mid.shape, dtype=object)
    for i, x in np.ndenumerate(mid):
        truth[i] = fmpq(*x.as_integer_ratio()) + fmpq(*rad[i].as_integer_ratio()) * int(ends[i])
    return MidRad(mid, rad), truth


def true_sums(problem: Problem, s: np.ndarray, wanted, exponent: int) -> list[arb]:
    """Return the sums of one function in balls, divided by 4^exponent."""
    A = arithmetic("ball", 60)
    with A.scope():
        support = Support(problem, A, A.array(s.tolist()), problem.kernel.at(problem.points, A))
        generating = GeneratingFunction(support)
        keys = [
            (name, key)
            for name in dict.fromkeys(n for n, _ in wanted)
            for key in INDICES[name].keys(0, problem.d)
        ]
        rows = [row for name in dict.fromkeys(n for n, _ in wanted) for row in INDICES[name].sums(generating)]
        found = dict(zip(keys, rows, strict=True))
        factor = arb(4) ** (support.parts.exponent - exponent)
        return [arb(x) * factor for x in (*(found[key] for key in wanted), generating.norm)]


def is_enclosed(problem: Problem, s: MidRad, truth: np.ndarray) -> bool:
    """Return whether all sums are within their bounds; fail if there are no bounds."""
    with arithmetic("verified").scope():
        parts = problem.verified_values.decompose(problem.index_measures)
        forms = BoundedForms(parts, problem.m)
        assert forms.is_suitable
        near, error = forms.sums(s)
    wanted = sorted(forms.rows, key=forms.rows.__getitem__)
    assert np.isfinite(error).all()
    for k in range(s.shape[1]):
        exact = true_sums(problem, truth[:, k], wanted, parts.exponent)
        for x, y, bound in zip(exact, near[:, k].tolist(), error[:, k].tolist(), strict=True):
            if not abs(x - arb(y)) <= arb(bound):
                return False
    return True


@pytest.mark.parametrize("kind", COEFFICIENTS)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_the_bounds_hold(gamma, kind):
    for seed, (d, under) in enumerate([(1, None), (2, Normal(0, 1)), (3, Uniform(-3, 3)), (6, None)]):
        random = np.random.default_rng([seed, len(kind), len(gamma)])
        problem = random_problem(gamma, d, under, random)
        assert is_enclosed(problem, *random_coefficients(kind, random))


@pytest.mark.parametrize("fault", ["rounding", "coefficients", "covariances"])
def test_a_bound_that_forgets_something_is_noticed(monkeypatch, fault):
    random = np.random.default_rng(3)
    problem = random_problem("1/3", 5, None, random)
    s, truth = random_coefficients("plain", random)
    if fault == "coefficients":
        s = MidRad(s.mid)
    else:
        s, truth = MidRad(s.mid), np.vectorize(lambda x: fmpq(*x.as_integer_ratio()), otypes=[object])(s.mid)
        assert is_enclosed(problem, s, truth)
        original = BoundedForms.__init__

        def forget(self, parts, m):
            original(self, parts, m)
            self.relative = 0.0

        if fault == "rounding":
            monkeypatch.setattr(BoundedForms, "__init__", forget)
            s = MidRad(s.mid, 0 * s.rad)
            exact_scale = MidRad.__mul__

            def without_radius(self, other):
                found = exact_scale(self, other)
                return MidRad(found.mid)

            monkeypatch.setattr(MidRad, "__mul__", without_radius)
        else:
            wrong = forms_module._forms
            monkeypatch.setattr(forms_module, "_forms", lambda B: wrong([b * (1 + 1e-9) for b in B]))
    assert not is_enclosed(problem, s, truth)


def test_bounds_are_close():
    """The bound of each sum is a few thousand roundings of the sum of the absolute values of its terms."""
    random = np.random.default_rng(1)
    problem = random_problem("1/3", 6, None, random)
    s = MidRad(random.normal(size=(POINTS, 1)))
    with arithmetic("verified").scope():
        forms = BoundedForms(problem.verified_values.decompose(problem.index_measures), problem.m)
        near, error = forms.sums(s)
    assert (
        error <= 1e-12 * (forms._magnitudes @ abs((s * forms.scale.reshape(-1, 1)).mid)) ** 2 + 1e-280
    ).all()
    assert error[-1] <= 1e-10 * near[-1]


def test_covariances_that_float64_does_not_know_are_not_suitable():
    problem = Problem([["1000"], ["1001"], ["-999"]], [1, -1, 1], kernel=RBF(3), under=Uniform(0, 1))
    with arithmetic("verified").scope(), np.errstate(all="ignore"):
        parts = problem.verified_values.decompose(problem.index_measures)
        assert not BoundedForms(parts, 3).is_suitable
