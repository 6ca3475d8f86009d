"""The Gram matrix by features has the entries and products of the whole matrix."""

import numpy as np
import pytest

from orca_exact import OrthogonalPolynomials, Polynomial, Problem, certify
from orca_exact.numbers.rationals import QQ
from orca_exact.svm import exact
from orca_exact.svm.gram import FeatureGram, exact_gram, gram_ratio
from orca_exact.svm.tau import Tau

X = np.random.default_rng(3).integers(-20, 21, (24, 2))
Y = [1 if a * b > 0 or a > 10 else -1 for a, b in X.tolist()]
POINTS = [[QQ(x) / 21 for x in row] for row in X.tolist()]
KERNELS = [
    OrthogonalPolynomials(2),
    OrthogonalPolynomials(3, order=1),
    Polynomial(2, "1/2", 1),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("C", [1, "1/50"])
def test_few_features_give_the_same_certificate(kernel, C, monkeypatch):
    problem = Problem(POINTS, Y, kernel=kernel, C=C)
    R, whole = exact_gram(problem), gram_ratio(problem)
    assert isinstance(R, FeatureGram)
    some = [0, 5, 11]
    assert (R[np.ix_(some, some)] == whole[np.ix_(some, some)]).all()
    s = Tau(problem).affine(np.array([QQ(i) / 7 for i in range(24)], dtype=object))
    assert all((R @ s - whole @ s).zeros()) and all((R @ (s * 0)).zeros())
    found = certify(problem, level="exact")
    monkeypatch.setattr(exact, "exact_gram", gram_ratio)
    assert certify(problem, level="exact") == found


def test_many_features_give_the_whole_matrix():
    assert isinstance(exact_gram(Problem(POINTS, Y, kernel=OrthogonalPolynomials(4))), np.ndarray)
