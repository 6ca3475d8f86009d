"""Indices agree with those of SALib and OpenTURNS: they are Sobol' indices."""

from __future__ import annotations

import numpy as np
import pytest

from orca_exact import (
    QQ,
    RBF,
    Hermite,
    Jacobi,
    OrthogonalPolynomials,
    Polynomial,
    Problem,
    Uniform,
    certify,
    orca,
)

LEGENDRE, WEIGHT = Jacobi(0, 0), Jacobi("3/2", "1/2")
KERNELS = {
    "all orders": OrthogonalPolynomials(2, [LEGENDRE, WEIGHT, Hermite()]),
    "order 2": OrthogonalPolynomials([3, 2, 2], [LEGENDRE, WEIGHT, Hermite()], order=2),
    "additive": OrthogonalPolynomials(3, [LEGENDRE, WEIGHT, Hermite()], order=1),
    "polynomial": Polynomial(3, "1/2", 1),
}
MEASURES = [LEGENDRE, WEIGHT, Hermite()]


def trained(kernel, under=None):
    """Return the profile of a small classifier, and h as a function of the rows of an array."""
    X = np.random.default_rng(3).integers(-90, 91, (18, 3))
    y = [1 if a * b + 40 * c + a > 0 else -1 for a, b, c in X.tolist()]
    points = [[QQ(x) / 100 for x in row] for row in X.tolist()]
    problem = Problem(points, y, kernel=kernel, C=100, under=under)
    proof = certify(problem, level="ball", digits=20)
    s = np.array([float(a) * label for a, label in zip(proof.alpha(), problem.y, strict=True)])
    P = problem.points.astype(float)
    return orca(problem, proof, "ball", 20), lambda Z: problem.kernel(Z, P) @ s


@pytest.mark.parametrize("name", [*KERNELS, "RBF"])
def test_salib_agrees_within_its_confidence_intervals(name):
    sample = pytest.importorskip("SALib.sample.sobol")
    analyze = pytest.importorskip("SALib.analyze.sobol")
    stats = pytest.importorskip("scipy.stats")
    if name == "RBF":
        profile, h = trained(RBF(2), Uniform(-1, 1))
    else:
        profile, h = trained(KERNELS[name], MEASURES)
    unit = {"num_vars": 3, "names": ["1", "2", "3"], "bounds": [[0, 1]] * 3}
    U = sample.sample(unit, 2**12, calc_second_order=True, seed=1)
    U = np.clip(U, 1e-12, 1 - 1e-12)
    columns = [  # quantiles of the measures as probabilities
        2 * U[:, 0] - 1,
        2 * stats.beta(1 + 0.5, 1 + 1.5).ppf(U[:, 1]) - 1,
        stats.norm.ppf(U[:, 2]),
    ]
    if name == "RBF":
        columns = [2 * column - 1 for column in U.T]
    values = h(np.column_stack(columns))
    found = analyze.analyze(unit, values / values.std(), calc_second_order=True, seed=1)
    for i in (1, 2, 3):
        for mine, theirs in ((profile.marginal, "S1"), (profile.total, "ST")):
            error = 3 * found[f"{theirs}_conf"][i - 1] + 1e-3
            assert abs(float(mine[i]) - found[theirs][i - 1]) < error < 0.3, (i, theirs)
    for i, j in profile.pair:
        assert (
            abs(float(profile.pair[i, j]) - found["S2"][i - 1, j - 1])
            < 3 * found["S2_conf"][i - 1, j - 1] + 1e-3
        )


@pytest.mark.parametrize("name", KERNELS)
def test_a_polynomial_chaos_expansion_of_openturns_agrees(name):
    """Least squares on enough points recover the expansion of h, a polynomial, up to rounding."""
    ot = pytest.importorskip("openturns")
    profile, h = trained(KERNELS[name], MEASURES)
    joint = ot.JointDistribution([ot.Uniform(-1, 1), ot.Beta(1.5, 2.5, -1, 1), ot.Normal(0, 1)])
    degree = 6
    enumerate_modes = ot.LinearEnumerateFunction(3)
    families = [ot.StandardDistributionPolynomialFactory(joint.getMarginal(i)) for i in range(3)]
    basis = ot.OrthogonalProductPolynomialFactory(families, enumerate_modes)
    size = enumerate_modes.getStrataCumulatedCardinal(degree)
    ot.RandomGenerator.SetSeed(1)
    inputs = joint.getSample(6 * size)
    outputs = ot.Sample(h(np.array(inputs))[:, None])
    algorithm = ot.FunctionalChaosAlgorithm(
        inputs, outputs, joint, ot.FixedStrategy(basis, size), ot.LeastSquaresStrategy()
    )
    algorithm.run()
    found = ot.FunctionalChaosSobolIndices(algorithm.getResult())
    for i in range(3):
        assert float(profile.marginal[i + 1]) == pytest.approx(found.getSobolIndex(i), abs=1e-8)
        assert float(profile.total[i + 1]) == pytest.approx(found.getSobolTotalIndex(i), abs=1e-8)
    for i, j in profile.pair:
        assert float(profile.pair[i, j]) == pytest.approx(found.getSobolIndex([i - 1, j - 1]), abs=1e-8)
    coefficients = np.array(algorithm.getResult().getCoefficients())  # in an orthonormal basis
    assert float(profile.variance) == pytest.approx((coefficients[1:] ** 2).sum(), rel=1e-8)
