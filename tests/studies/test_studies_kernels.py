"""Studies of linear, polynomial and RBF kernels: readings, measures, baselines, sweeps and overfitting."""

from __future__ import annotations

import json
from itertools import combinations, product

import numpy as np
import pytest
from command import orca as run
from flint import arb, fmpq

from orca_exact import (
    QQ,
    RBF,
    Discrete,
    Empirical,
    Linear,
    Normal,
    Polynomial,
    Problem,
    Uniform,
    certify,
    orca,
)
from orca_exact.errors import BadParameter
from orca_exact.files.formats import write_json
from orca_exact.files.validation import validate
from orca_exact.profile.indices import INDICES
from orca_exact.profile.under import describe_under
from orca_exact.studies import bootstrap, engine, equal_modes, noise, null, overfit, sweep
from orca_exact.studies.bootstrap import draw_resample, resampled_problem
from orca_exact.studies.engine import (
    MISSING,
    UNIT,
    Engine,
    read_in_balls,
    read_single,
    round_to_unit,
    study_columns,
)
from orca_exact.studies.overfit import assign_folds
from orca_exact.studies.predict import predict_signs
from orca_exact.studies.work import generator


def problem_of(kernel, m=16, d=3, seed=4, C=2, **more) -> Problem:
    """Return points of which the last column is 0 or 1, with an interaction of the first two."""
    random = np.random.default_rng(seed)
    X = [[QQ(int(x)) / 100 for x in row] for row in random.integers(-99, 100, (m, d - 1))]
    X = [[*row, int(bit)] for row, bit in zip(X, random.integers(0, 2, m), strict=True)]
    y = [1 if 15 * row[0] * row[-2] + 5 * row[0] + row[-1] > 0 else -1 for row in X]
    y[:2] = [1, -1]
    return Problem(X, y, kernel=kernel, C=C, **more)


MIXED = [Uniform(), Normal("1/10", "1/2"), Discrete([0, 1], ["1/4", "3/4"])]
PROBLEMS = {
    "rbf": problem_of(RBF("3/4")),
    "rbf, measures": problem_of(RBF(2), under=MIXED),
    "rbf, small gamma": problem_of(RBF("1/1000"), C=100, under=Uniform()),
    "rbf, large gamma": problem_of(RBF(30), C=["1", "2"] * 8, under=Normal(0, 1)),
    "linear": problem_of(Linear()),
    "quadratic": problem_of(Polynomial(2, "1/2", 1), under=MIXED),
    "cubic": problem_of(Polynomial(3, "1/3", 0), C=["1", "3"] * 8),
    "rescaled": problem_of(RBF("1/2"), rescale=True),
}


def rounded(problem: Problem) -> list[int]:
    """Return every column from a profile of 60 digits."""
    profile = orca(problem, certify(problem, level="ball", digits=60), "ball", 60)
    summary, found = profile.summary(), []
    for c in study_columns(problem):
        if c.name in INDICES:
            found.append(round_to_unit(arb(profile.family(c.name)[c.key]), nearest=True))
        else:
            found.append(summary.threshold[c.key[0]] if c.key else summary.peak)
    return found


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_reading_is_the_certified_profile_correctly_rounded(name, monkeypatch):
    problem = PROBLEMS[name]
    shared = Engine(problem)
    for labels in (problem.y, problem.y[3:] + problem.y[:3]):
        expected = rounded(problem.replace(y=labels))
        reading = shared.read(labels)
        assert reading.values == expected and MISSING not in expected
        assert reading.proof == "float" or problem.kernel.family == "rbf"
        assert read_in_balls(problem.replace(y=labels), shared.columns).values == expected
    monkeypatch.setattr(engine, "_ENTRIES", 10)  # too small to keep the coefficients of the sums
    few = Engine(problem)
    assert few.read(labels).values == expected and few._forms is None


def shares_on_the_grid(problem: Problem, weights: np.ndarray) -> dict[tuple[int, ...], float]:
    """Return the share of each set of columns, from the values of h on the grid of all nodes."""
    measures, d = problem.index_measures, problem.d
    nodes = [[float(arb(x)) for x in measure.nodes] for measure in measures]
    masses = [np.array([float(arb(w)) for w in measure.weights]) for measure in measures]
    masses = [w / w.sum() for w in masses]
    X = np.array([[float(arb(x)) for x in row] for row in problem.points])
    h = (problem.kernel(list(product(*nodes)), X) @ weights).reshape([len(x) for x in nodes])
    means = {}
    for k in range(d + 1):
        for S in combinations(range(d), k):
            part = h
            for j in range(d):
                if j not in S:
                    part = np.expand_dims(np.tensordot(part, masses[j], ([j], [0])), j)
            means[S] = part
    found = {}
    for S in means:
        part = sum((-1) ** (len(S) - k) * means[T] for k in range(len(S) + 1) for T in combinations(S, k))
        square = np.broadcast_to(part, h.shape) ** 2
        for j in reversed(range(d)):
            square = np.tensordot(square, masses[j], ([j], [0]))
        found[S] = float(square)
    total = sum(x for S, x in found.items() if S)
    return {S: x / total for S, x in found.items() if S}


@pytest.mark.parametrize("kernel", [RBF("3/4"), Polynomial(3, "1/2", "1/3")], ids=str)
def test_readings_by_brute_force_over_all_sets_of_columns(kernel):
    problem = problem_of(kernel, m=12)
    alpha = [float(x) for x in certify(problem, level="ball").alpha()]
    shares = shares_on_the_grid(problem, np.array(alpha) * np.array(problem.y))
    found = dict(zip(study_columns(problem), Engine(problem).read(problem.y).values, strict=True))
    compared = 0
    for (name, key), value in found.items():
        if name == "order":
            expected = sum(x for S, x in shares.items() if len(S) == key[0])
        elif name in ("marginal", "pair"):
            expected = shares[tuple(i - 1 for i in key)]
        elif name in ("total", "shapley"):
            active = {S: x for S, x in shares.items() if key[0] - 1 in S}
            expected = sum(x / (len(S) if name == "shapley" else 1) for S, x in active.items())
        else:
            continue
        assert value / UNIT == pytest.approx(expected, abs=2 / UNIT), (name, key)
        compared += 1
    assert compared == 4 + 3 + 3 + 3 + 3


@pytest.mark.parametrize("name", ["rbf", "quadratic"])
def test_resamples_have_the_measure_of_the_whole_sample(name):
    problem = PROBLEMS[name]
    study = bootstrap(problem, repeats=3, seed=2, keep=False)
    times, _ = draw_resample(generator(2, 1), np.array(problem.y), study.settings)
    alone = resampled_problem(problem, times)
    fixed = alone.replace(X=alone.X, under=problem.index_measures)
    assert study.samples[1].tolist() == rounded(fixed)
    if problem.under[0] == Empirical():
        assert rounded(alone) != rounded(fixed)  # the measure matters


def test_a_resample_that_is_rescaled_has_its_own_measure_of_the_given_family():
    problem = problem_of(RBF(1), rescale=True, under=[Uniform(), Normal(), Empirical()])
    study = bootstrap(problem, repeats=2, seed=3, rescale_again=True, keep=False)
    times, _ = draw_resample(generator(3, 0), np.array(problem.y), study.settings)
    alone = resampled_problem(problem, times)
    assert alone.under == problem.under
    assert study.samples[0].tolist() == rounded(alone)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Polynomial(4), Polynomial(7)], ids=str)
def test_equal_modes_by_counting_the_modes(kernel):
    problem = problem_of(
        kernel, under=[Empirical(), Normal(), Discrete([0, 1, 3])]
    )  # at most degree 2 in the last
    modes = [k for k in problem.kernel.modes if any(k) and k[2] <= 2]
    equal, top = equal_modes(problem), problem.kernel.top_degree
    for name, index in INDICES.items():
        for key, value in equal.family(name).items():
            count = sum((fmpq(1, index.divisor(k)) for k in modes if key in index.keys_of(k, top)), fmpq(0))
            assert value == count / len(modes), (name, key)


def test_an_rbf_kernel_has_no_degrees_and_no_equal_modes(tmp_path):
    problem = PROBLEMS["rbf"]
    with pytest.raises(BadParameter, match="infinitely many modes"):
        equal_modes(problem)
    study = null(problem, repeats=5, keep=False)
    assert {c.name for c in study.columns} == {"order", "marginal", "pair", "total", "shapley"}
    data = study.to_json()
    validate(data, "orca-exact/study/1", "study")
    assert data["indices"]["order"][1]["equal_modes"] is None and "peak" not in data
    assert data["problem"]["under"] == "the empirical distribution of each column"
    with pytest.raises(BadParameter, match="by degree"):
        study.plot("spectrum")
    assert "under the empirical distribution" in study.plot("columns").axes[0].get_xlabel()
    write_json(tmp_path / "rbf.json", problem.to_json())
    code, out, _ = run("study", "null", str(tmp_path / "rbf.json"), "-B", "5", "--no-cache")
    words = " ".join(out.split())  # however wide the terminal is
    assert code == 0 and "p family equal modes" not in words
    assert "There is no baseline of equal modes, because the kernel has infinitely many modes." in words
    assert "indices under the empirical distribution" in words


@pytest.mark.parametrize("name", ["rbf", "cubic"])
def test_every_study_fits_the_schema_and_has_a_page(name, tmp_path):
    problem, file = PROBLEMS[name], tmp_path / "problem.json"
    write_json(file, problem.to_json())
    for words in (
        "null -B 3",
        "bootstrap -B 3",
        "noise -B 3 --delta 0.001",
        "sweep --C 1 2",
        "overfit --folds 2",
    ):
        kind, *options = words.split()
        code, out, err = run(
            "study", kind, str(file), *options, "--no-cache", "-o", str(tmp_path / "out.json")
        )
        assert code == 0 and "OKC^(2)" in out, err
        data = json.loads((tmp_path / "out.json").read_text())
        validate(data, "orca-exact/study/1", "study")
        assert ("N*" in out) == (name == "cubic")


def test_noise_keeps_the_measure_of_the_given_points():
    problem = PROBLEMS["rbf"]
    study = noise(problem, delta=["0.001", "0.001", 0], repeats=2, keep=False)
    for row in study.samples.tolist():
        assert all(abs(x - y) < UNIT / 100 for x, y in zip(row, study.observed, strict=True))
    low, high = study["order", 2]["enclosure"]
    assert low < study["order", 2]["observed"] < high and study["order", 0]["enclosure"] == [0.0, 0.0]


# Sweeps and overfitting.


def test_a_sweep_over_gamma_and_C():
    problem = problem_of(RBF(1), under=MIXED, id="mixed")
    rows = sweep(problem, gamma=["1/10", 3], C=[1, 5], keep=False).rows()
    assert [(row["gamma"], row["C"]) for row in rows] == [("0.1", "1"), ("3", "1"), ("0.1", "5"), ("3", "5")]
    for row in rows:
        model = problem_of(RBF(row["gamma"]), under=MIXED, C=row["C"])
        assert [round(row[c.identifier] * UNIT) for c in study_columns(model)] == rounded(model)
        assert row["kernel"] == "rbf" and row["modes"] is None and "n" not in row
        assert row["under"] == describe_under(model)
        signs = np.sign(orca_scores(model))
        assert row["accuracy"] == np.mean(signs == np.array(model.y))


def orca_scores(problem: Problem) -> np.ndarray:
    """Return g at the points in float64, from a certificate."""
    proof = certify(problem, level="ball")
    X = np.array([[float(arb(x)) for x in row] for row in problem.points])
    s = np.array([float(x) for x in proof.alpha()]) * np.array(problem.y)
    return problem.kernel(X, X) @ s + float(proof.bias())


def test_a_sweep_of_several_kernels_and_what_it_refuses():
    named = {
        "r": PROBLEMS["rbf"],
        "p": PROBLEMS["cubic"],
        "o": Problem([[0], [1]], [1, -1], n=1, alpha=0, beta=0),
    }
    study = sweep(named, keep=False)
    rows = study.rows()
    assert [row["kernel"] for row in rows] == ["rbf", "polynomial", "orthogonal"]
    assert [row["n"] for row in rows] == [None, None, 1] and rows[1]["modes"] == 10
    assert rows[0]["peak"] is None and isinstance(rows[1]["peak"], int)
    assert len(study.plot().axes) == 3
    with pytest.raises(BadParameter, match=r"degree: 2 was given, but the kernel .*RBF.* does not have it"):
        sweep(PROBLEMS["rbf"], degree=[2], keep=False)
    with pytest.raises(BadParameter, match="not a kernel of orthogonal polynomials"):
        sweep(PROBLEMS["rbf"], n=[1], keep=False)
    with pytest.raises(BadParameter, match="gamma"):
        sweep(PROBLEMS["rbf"], gamma=[0], keep=False)


def test_overfitting_over_gamma_has_the_accuracies_of_libsvm():
    svm = pytest.importorskip("sklearn.svm")
    problem = problem_of(RBF(1), m=24, C=5)
    study = overfit(problem, gamma=["1/4", 4], folds=3, repeats=1, seed=3, keep=False)
    X, y = np.array([[float(arb(x)) for x in row] for row in problem.points]), np.array(problem.y)
    assert study.parameter == "gamma" and "gamma = " in study.conclusion
    for row in study.rows():

        def right(inside, outside, row=row):
            svc = svm.SVC(gamma=float(row["gamma"]), C=5, tol=1e-7).fit(X[inside], y[inside])
            return int((svc.predict(X[outside]) == y[outside]).sum())

        part = assign_folds(problem.y, 3, generator(3, 0))
        counts = [right(*(np.flatnonzero(x) for x in (part != f, part == f))) for f in range(3)]
        assert row["cv"] == sum(counts) / 24
        model = problem_of(RBF(row["gamma"]), m=24, C=5)
        assert row["order_2"] == read_single(model).values[2] / UNIT
        assert row["mean_degree"] is None and "peak" not in row
    assert study.plot().axes[1].get_xlabel() == r"$\gamma$"


def test_overfitting_over_the_degree_and_what_it_refuses():
    study = overfit(PROBLEMS["quadratic"], degree=[1, 2, 3], folds=2, repeats=1, keep=False)
    assert [row["degree"] for row in study.rows()] == [1, 2, 3] and study.rows()[0]["order_2"] == 0
    for problem, more, message in (
        (PROBLEMS["linear"], {}, "has no degree or gamma that could be varied"),
        (PROBLEMS["rbf"], {"n": [1, 2]}, r"varies gamma; pass gamma"),
        (PROBLEMS["rbf"], {"gamma": [2, 1]}, "is not an ascending list"),
        (PROBLEMS["rbf"], {"gamma": [-1, 1]}, "is not positive"),
        (PROBLEMS["quadratic"], {"degree": [0, 1]}, "is not an integer of at least 1"),
    ):
        with pytest.raises(BadParameter, match=message):
            overfit(problem, folds=2, repeats=1, keep=False, **more)


def test_predictions_outside_the_sample():
    problem = PROBLEMS["rbf"]
    points = [[fmpq(k, 3), fmpq(-k, 4), fmpq(k % 2)] for k in range(-6, 7)]
    X = np.array([[float(arb(x)) for x in row] for row in problem.points])
    proof = certify(problem, level="ball")
    s = np.array([float(x) for x in proof.alpha()]) * np.array(problem.y)
    g = problem.kernel([[float(arb(x)) for x in row] for row in points], X) @ s + float(proof.bias())
    assert predict_signs(problem, points) == np.sign(g).astype(int).tolist()
