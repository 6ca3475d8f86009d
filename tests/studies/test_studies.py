"""Permutation tests and resampling: certified, correctly rounded, reproducible and statistically valid."""

import json
import pickle
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact import QQ, RBF, Discrete, Hermite, Jacobi, Problem, certify, orca
from orca_exact.errors import BadParameter
from orca_exact.files.validation import validate
from orca_exact.profile.indices import INDICES
from orca_exact.studies import bootstrap, engine, equal_modes, noise, null
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
from orca_exact.studies.null import compute_permutations
from orca_exact.studies.statistics import bca, family_wise, mean_sd, p_values, percentile, quantile
from orca_exact.studies.work import batches, generator
from orca_exact.svm.active import Degenerate


def problem_of(m=14, d=2, n=3, seed=5, C=1, **more):
    random = np.random.default_rng(seed)
    X = random.integers(-99, 100, (m, d))
    y = [1 if i % 2 else -1 for i in range(m)]
    more = more or {"alpha": "1/2", "beta": 0}
    return Problem([[QQ(int(x)) / 100 for x in row] for row in X], y, n, C=C, **more)


def limited(problem, order):
    return problem.replace(kernel=replace(problem.kernel, order=order))


def exactly(problem):
    """Return every column from a profile of 60 digits."""
    profile = orca(problem, certify(problem, level="ball", digits=60), "ball", 60)
    summary, found = profile.summary(), []
    for c in study_columns(problem):
        if c.name in INDICES:
            x = profile.family(c.name)[c.key]
            found.append(int((arb(x).mid() * UNIT + arb("0.5")).floor().unique_fmpz()))
        else:
            found.append(summary.threshold[c.key[0]] if c.key else summary.peak)
    return found


PROBLEMS = [
    problem_of(),
    problem_of(C=["1", "2"] * 7),
    problem_of(d=3, n=4),  # 125 modes for 105 pairs
    problem_of(d=3, n=[1, 0, 2]),
    problem_of(d=1, n=2),
    problem_of(d=2, n=2, measures=[Hermite(), Jacobi("0.8", "2.7")]),
    problem_of(m=12, d=1, n=3, measures=Discrete([QQ(k) / 100 for k in range(-99, 100)], [1] * 199)),
    limited(problem_of(d=3, n=4), 1),  # 13 modes for 105 pairs
    limited(problem_of(d=4, n=3), 2),
    limited(problem_of(d=4, n=[3, 0, 2, 4]), 3),  # the same modes as without a limit
    limited(problem_of(d=5, n=[3, 0, 2, 4, 1], m=8), 3),
    limited(problem_of(d=3, n=3, measures=[Hermite(), Jacobi("0.8", "2.7"), Jacobi(0, 0)]), 2),
]


@pytest.mark.parametrize("number", range(len(PROBLEMS)))
def test_a_reading_is_the_certified_profile_correctly_rounded(number):
    problem = PROBLEMS[number]
    shared = Engine(problem)
    for labels in (problem.y, problem.y[3:] + problem.y[:3]):
        expected = exactly(problem.replace(y=labels))
        assert shared.read(labels).values == expected
        assert read_in_balls(problem.replace(y=labels), shared.columns).values == expected


@pytest.mark.parametrize("order", [None, 2])
def test_modes_and_pairs_are_two_routes(order, monkeypatch):
    problem = limited(PROBLEMS[2], order)
    labels = problem.y[1:] + problem.y[:1]
    monkeypatch.setattr(Engine, "_by_modes", False)
    by_pairs = Engine(problem)
    expected = by_pairs.read(labels)
    assert expected.proof == "float" and by_pairs._forms.shape[1] == 105
    monkeypatch.setattr(Engine, "_by_modes", True)
    by_modes = Engine(problem)
    assert by_modes.read(labels) == expected
    assert by_modes._forms.shape[1] == (125 if order is None else 1 + 12 + 48)
    monkeypatch.setattr(engine, "_ENTRIES", 10)  # too small to keep the matrices
    neither = Engine(problem)
    assert neither.read(labels) == expected
    assert neither._forms is None


@pytest.mark.parametrize("problem", PROBLEMS[7:], ids=lambda p: p.kernel_description)
def test_limited_orders_by_brute_force_over_modes(problem):
    """Every index is summed from the exact c_k of the modes, by its definition."""
    labels = problem.y[3:] + problem.y[:3]
    changed = problem.replace(y=labels)
    squares = {
        k: float(c) ** 2
        for k, c in orca(changed, certify(changed, level="ball"), "ball").coefficients().items()
    }
    assert max(sum(degree > 0 for degree in k) for k in squares) == problem.kernel.modes.order
    shares: Counter = Counter()
    for k, square in squares.items():
        for name, index in INDICES.items():
            for key in index.keys_of(k, sum(problem.degrees)):
                shares[name, key] += square / index.divisor(k) / sum(squares.values())
    engine = Engine(problem)
    for column, x in zip(engine.columns, engine.read(labels).values, strict=True):
        if column.name in INDICES:
            assert x == pytest.approx(UNIT * shares[column.name, column.key], abs=0.501)


def test_rounding_is_proved_or_missing():
    half = fmpq(1, 2 * UNIT)
    assert round_to_unit(fmpq(1, 3)) == UNIT // 3
    assert round_to_unit(arb(fmpq(1, 4), 1e-9)) == UNIT // 4
    assert round_to_unit(arb(half, 1e-12)) == MISSING
    assert round_to_unit(arb(3 * half, 1e-12), nearest=True) in (1, 2)
    assert round_to_unit(arb(0, 1e-12)) == 0


def test_a_point_drawn_twice_is_a_point_with_twice_its_C():
    problem = problem_of(m=10, n=2)
    times = np.array([2, 0, 1, 1, 3, 0, 1, 2, 0, 1])
    doubled = [i for i, k in enumerate(times) for _ in range(k)]
    apart = problem.replace(X=[problem.X[i] for i in doubled], y=[problem.y[i] for i in doubled], C=1)
    bounds = [b * int(k) for b, k in zip(problem.bounds, times, strict=True)]
    shared = Engine(problem)
    assert shared.read(problem.y, bounds).values == exactly(apart)
    assert shared.read(problem.y, bounds, shared.alpha).values == exactly(apart)
    assert read_single(resampled_problem(problem, times)).values == exactly(apart)


def test_shuffled_labels_with_w_0_take_no_balls(monkeypatch):
    """All free points are linearly dependent, which would take minutes in balls."""
    random = np.random.default_rng(1)
    problem = Problem(random.uniform(-1, 1, (150, 3)), [1, -1, -1] * 50, n=1, alpha=0, beta=0, C=10)
    monkeypatch.setattr("orca_exact.svm.certify.BallDual", None)
    assert Engine(problem).read(problem.y).proof == "zero"


def test_dependent_points_are_undecided_at_once(monkeypatch):
    asked = []

    def degenerate(problem, level, digits):
        asked.append(digits)
        raise Degenerate("too many")

    monkeypatch.setattr(engine, "certify", degenerate)
    assert read_in_balls(PROBLEMS[0], Engine(PROBLEMS[0]).columns).proof == "undecided"
    assert asked == [20]


def test_w_0_and_ties_are_missing_not_numbers():
    same = Problem([["0.5"], ["0.5"], ["0.5"], ["0.5"]], [1, -1, 1, -1], n=2, alpha=0, beta=0)
    reading = Engine(same).read(same.y)
    assert reading.proof == "zero" and set(reading.values) == {MISSING}
    study = null(same, repeats=9, keep=False)
    assert {row["p"] for _, row in study} == {1.0} == {row["p_family"] for _, row in study}
    assert study.to_json()["undecided"] == 9 * len(study.columns)


# Permutation tests.


def test_the_permutations_are_those_of_the_definition():
    """Child b of the seed permutes the labels; the result is compared with exact profiles."""
    problem = problem_of(m=8, n=2, C=["1", "1", "2", "1", "1", "3", "1", "1"])
    study = null(problem, repeats=5, seed=3, keep=False)
    for b, child in enumerate(np.random.SeedSequence(3).spawn(5)):
        order = np.random.default_rng(child).permutation(8)
        labels, C = [problem.y[i] for i in order], [problem.bounds[i] for i in order]
        assert study.samples[b].tolist() == exactly(problem.replace(y=labels, C=C))
    assert list(study.observed) == exactly(problem)


def test_pieces_do_not_matter(monkeypatch):
    problem = problem_of(m=8, n=2)
    whole = null(problem, repeats=12, seed=4, keep=False)
    text = json.dumps(problem.to_json())
    parts = [compute_permutations(text, 4, [list(range(8))], first, first + 3)[0] for first in (9, 3, 0, 6)]
    assert parts[2] + parts[1] + parts[3] + parts[0] == whole.samples.tolist()
    assert batches(60) == [(0, 25), (25, 50), (50, 60)]
    large = Problem(
        np.linspace(-1, 1, 357 * 64).reshape(357, 64).tolist(), [1] * 300 + [-1] * 57, kernel=RBF(1)
    )
    assert batches(3, large) == [(0, 1), (1, 2), (2, 3)]  # each takes seconds, and progress is seen
    more = null(problem, repeats=20, seed=4, keep=False)
    assert (more.samples[:12] == whole.samples).all()


def test_strata_keep_their_labels():
    problem = problem_of(m=12, n=1)
    strata = ["a"] * 6 + ["b"] * 6
    study = null(problem, repeats=3, seed=1, strata=strata, keep=False)
    random = generator(1, 2)
    order = np.r_[random.permutation(range(6)), random.permutation(range(6, 12))]
    assert study.samples[2].tolist() == exactly(problem.replace(y=[problem.y[i] for i in order]))
    assert study.settings["method"] == "permutation within strata"
    for bad in (strata[:-1], problem.y):
        with pytest.raises(BadParameter, match="strata"):
            null(problem, strata=bad, keep=False)


def test_an_interaction_is_found_and_noise_is_not():
    random = np.random.default_rng(2)
    X = random.integers(-99, 100, (40, 2)) / 100
    xor = Problem(X, np.where(X[:, 0] * X[:, 1] > 0, 1, -1), 2, 0, 0)
    found = null(xor, repeats=199, seed=1, keep=False)
    assert found["order", 2]["p"] < 0.05 and found["pair", 1, 2]["observed"] > 0.8
    noise = xor.replace(y=random.permutation(xor.y).tolist())
    study = null(noise, repeats=199, seed=1, keep=False)
    assert min(row["p_family"] for _, row in study) > 0.05


def test_equal_modes_by_counting_the_modes():
    for problem in PROBLEMS:
        total, equal = problem.modes - 1, equal_modes(problem)
        for name, index in INDICES.items():
            counted: Counter = Counter()
            for k in problem.kernel.modes:
                for key in index.keys_of(k, sum(problem.degrees)) if any(k) else ():
                    counted[key] += fmpq(1, index.divisor(k))
            for key, share in equal.family(name).items():
                assert share == fmpq(1, total) * counted[key]


# Statistics.


def test_p_values_count_ties_and_what_is_missing_against():
    samples = np.array([1, 2, 2, 3, MISSING])
    assert p_values(2, samples) == {"p": 1.0, "p_high": 5 / 6, "p_low": 5 / 6, "ties": 3, "open": 0}
    assert p_values(4, samples) == {"p": 4 / 6, "p_high": 2 / 6, "p_low": 1.0, "ties": 1, "open": 0}
    assert p_values(MISSING, samples)["p"] == 1.0


def test_comparisons_that_the_bounds_leave_open_count_against():
    samples, errors = np.array([1, 2, 4, 9]), np.array([0, 0, 1, 0])
    assert p_values(5, samples, errors) == {"p": 1.0, "p_high": 0.6, "p_low": 0.8, "ties": 1, "open": 1}
    assert p_values(5, samples, errors * 0, 1)["open"] == 1 and p_values(5, samples, errors * 0)["open"] == 0
    assert p_values(5, samples, errors * 9)["open"] == 1 and p_values(6, samples, errors)["open"] == 0
    for seed in range(50):  # whatever the true values within the bounds are, p is not smaller for them
        random = np.random.default_rng(seed)
        table, bounds = random.integers(5, 90, (20, 5)), random.integers(0, 3, (20, 5))
        for _ in range(5):
            true = table + random.integers(-1, 2, table.shape) * bounds
            for j in range(5):
                stated, exact = (
                    p_values(table[0, j], table[1:, j], bounds[1:, j], bounds[0, j]),
                    p_values(true[0, j], true[1:, j]),
                )
                assert all(stated[name] >= exact[name] for name in ("p", "p_high", "p_low"))
            stated, exact = family_wise(table[0], table[1:], bounds), family_wise(true[0], true[1:])
            assert all(x >= y for x, y in zip(stated, exact, strict=True))


def test_family_wise_p_without_errors_are_those_of_the_definition():
    table = np.random.default_rng(4).integers(0, 50, (30, 6))
    table[3, 2] = MISSING
    assert family_wise(table[0], table[1:], np.zeros_like(table)) == family_wise(table[0], table[1:])
    noisy = np.hstack([table, np.array([[1], [0]] * 15)])  # a column of which nothing is known
    errors = np.zeros_like(noisy)
    errors[:, -1] = 5
    assert family_wise(noisy[0], noisy[1:], errors)[:-1] == family_wise(table[0], table[1:])
    assert family_wise(noisy[0], noisy[1:], errors)[-1] == 1.0


def test_family_wise_p_are_valid_whatever_the_dependence():
    """With each exchangeable row as the observed one, at most a share a of the smallest p is <= a."""
    random = np.random.default_rng(7)
    rows = random.integers(0, 40, (60, 5))
    rows[:, 1] = rows[:, 0] // 2  # dependent
    rows[:, 4] = 3  # never varies
    rows[9, 2] = 400  # an outlier
    rows[4, 2] = MISSING
    least = []
    for k in range(60):
        p = family_wise(rows[k].tolist(), np.delete(rows, k, axis=0))
        assert p[4] == 1.0
        least.append(min(p))
    for a in (0.02, 0.05, 0.1, 0.25, 0.5):
        assert sum(p <= a for p in least) <= a * 60
    assert min(least) <= 2 / 60  # and they can be small
    alone = [family_wise(rows[k, :1].tolist(), np.delete(rows, k, axis=0)[:, :1])[0] for k in range(60)]
    assert any(a < b for a, b in zip(alone, least, strict=True))  # one column gives smaller p than five


def test_means_and_quantiles_are_exact():
    values = [UNIT - 3, UNIT - 1, UNIT - 1, UNIT]
    mean, sd = mean_sd(values)
    assert mean == float(Fraction(sum(values), 4))
    assert sd == pytest.approx(np.std(values, ddof=1), rel=1e-12)
    assert [quantile(sorted(values), q) for q in (0, 0.25, 0.26, 0.5, 1)] == [
        values[0], values[0], values[1], values[1], values[3]
    ]  # fmt: skip
    for q in (0.1, 0.3, 0.77):
        data = sorted(np.random.default_rng(1).integers(0, 99, 31).tolist())
        assert quantile(data, q) == np.quantile(data, q, method="inverted_cdf")


def test_bca_is_scipys():
    from scipy.stats import bootstrap as scipy_bootstrap

    random = np.random.default_rng(3)
    data = (random.exponential(size=40) * 10_000).astype(int)
    resamples = [round(x.mean() * 1000) for x in random.choice(data, (2000, 40))]
    left = [round(np.delete(data, i).mean() * 1000) for i in range(40)]
    given = SimpleNamespace(bootstrap_distribution=np.array(resamples, dtype=float))
    found = scipy_bootstrap(
        (data * 1000.0,), np.mean, n_resamples=0, bootstrap_result=given, method="BCa"
    ).confidence_interval  # fmt: skip
    low, high = bca(round(data.mean() * 1000), resamples, left, 0.95)
    spread = percentile(resamples, 0.95)
    assert (low, high) != spread  # skewed
    for mine, theirs in ((low, found.low), (high, found.high)):
        assert abs(mine - theirs) < 0.01 * (spread[1] - spread[0])
    assert bca(0, resamples, left, 0.95) is None
    ends = min(resamples), max(resamples)
    assert bca(round(data.mean() * 1000), resamples, left, 1 - 2**-53) == ends


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.98, 0.99, "0.999", np.float64(0.95)])
def test_an_interval_leaves_out_what_its_level_says(level):
    """At most a share (1 - level)/2 of the samples lies below the interval, and as many above it."""
    tail = (1 - Fraction(str(level))) / 2
    for size in (1, 7, 39, 40, 41, 80, 199, 200, 201, 1000):
        low, high = percentile(range(size), level)
        assert sum(k <= low for k in range(size)) >= tail * size > sum(k < low for k in range(size))
        assert sum(k <= high for k in range(size)) >= (1 - tail) * size > sum(k < high for k in range(size))


def test_bca_without_bias_and_acceleration_is_the_percentile_interval():
    for level in (0.5, 0.9, 0.95, 0.99):
        for size in (40, 80, 200, 400, 1000):
            balanced = [x for x in range(-(size // 2), size // 2 + 1) if x]
            assert bca(0, balanced, [3, 3, 3], level) == percentile(balanced, level), (level, size)


# Resamples.


def test_resamples_are_those_of_the_definition():
    problem = problem_of(m=9, n=2)
    study = bootstrap(problem, repeats=4, seed=2, keep=False)
    how = {"method": "bootstrap", "size": 9, "stratified": False}
    for b in range(4):
        times, _ = draw_resample(generator(2, b), np.array(problem.y), how)
        assert times.sum() == 9
        assert study.samples[b].tolist() == exactly(resampled_problem(problem, times))
    left = study.left_out
    assert left[3].tolist() == exactly(resampled_problem(problem, np.array([1, 1, 1, 0, 1, 1, 1, 1, 1])))
    jackknife = bootstrap(problem, method="jackknife", keep=False)
    assert (jackknife.samples == left).all()
    values = [x / UNIT for x in left[:, 1].tolist()]
    row = jackknife["order", 1]
    assert row["standard_error"] == pytest.approx(
        (8 / 9 * sum((v - np.mean(values)) ** 2 for v in values)) ** 0.5
    )
    assert row["bias"] == pytest.approx(8 * (np.mean(values) - row["observed"]))


def test_a_jackknife_that_is_not_whole_has_no_standard_error():
    X = [["-0.5"], ["0.5"], ["-0.25"], ["0.25"]]
    problem = Problem(X, [1, 1, -1, -1], 1, 0, 0, C="1/10")  # w = 0 without some of the points
    study = bootstrap(problem, method="jackknife", keep=False)
    assert study.to_json()["undecided"] > 0
    assert study["degree", 1]["standard_error"] is None and study["degree", 1]["bias"] is None


def test_the_scale_is_the_samples_or_each_resamples_own():
    X = [[str(x)] for x in (0, 1, 3, 4, 7, 9, 10, 20)]
    problem = Problem(X, [1, -1, 1, -1, 1, 1, -1, -1], 2, 0, 0, rescale=True)
    kept, again = (bootstrap(problem, 6, 1, rescale_again=r, keep=False) for r in (False, True))
    how = {"method": "bootstrap", "size": 8, "stratified": False}
    times, _ = draw_resample(generator(1, 0), np.array(problem.y), how)
    assert again.samples[0].tolist() == exactly(resampled_problem(problem, times))
    whole = problem.replace(X=problem.points, rescale=False)
    assert kept.samples[0].tolist() == exactly(resampled_problem(whole, times))
    assert (kept.samples != again.samples).any()


def test_redrawn_until_there_are_two_of_each_class_and_it_is_said():
    problem = problem_of(m=10, n=1).replace(y=[1, 1] + [-1] * 8)
    study = bootstrap(problem, repeats=20, seed=1, keep=False)
    assert study.counts["redrawn"] > 0
    stratified = bootstrap(problem, repeats=20, seed=1, stratified=True, keep=False)
    assert 0 < stratified.counts["redrawn"] < study.counts["redrawn"]
    y = np.array(problem.y)
    for b in range(20):
        times, _ = draw_resample(generator(1, b), y, {"method": "bootstrap", "size": 10, "stratified": True})
        assert times[y == 1].sum() == 2 and np.count_nonzero(times[y == 1]) == 2
    with pytest.raises(BadParameter, match="one of the classes has only one point"):
        bootstrap(problem.replace(y=[1] + [-1] * 9), keep=False)
    half = bootstrap(problem_of(), repeats=3, method="subsample", keep=False)
    assert half.settings["size"] == 7


@pytest.mark.parametrize(
    "bad",
    [
        {"repeats": 0}, {"repeats": 2.5}, {"repeats": True}, {"seed": -1}, {"seed": "x"}, {"method": "m"},
        {"level": 1}, {"size": 1}, {"size": 99, "method": "subsample"},
    ],
)  # fmt: skip
def test_bad_settings_are_refused(bad):
    with pytest.raises(BadParameter, match=next(iter(bad))):
        bootstrap(problem_of(), keep=False, **bad)


# The study object.


def test_a_study_is_a_value():
    problem = problem_of(m=8, n=2)
    study = null(problem, repeats=9, keep=False)
    again = pickle.loads(pickle.dumps(study))
    assert again.to_json() == study.to_json() == json.loads(json.dumps(study.to_dict()))
    assert "X" not in json.dumps(study.to_json())  # its digest, not its data
    assert len(repr(study)) < 200
    frame = study.to_frame()
    assert len(frame) == len(study.columns)
    assert frame.set_index("label").loc["OKC^(1)", "observed"] == study["order", 1]["observed"]
    assert again == study != null(problem, repeats=9, seed=7, keep=False) and hash(again) == hash(study)
    with pytest.raises(BadParameter, match="it has order, marginal, pair"):
        study["banana"]
    for wrong, told in (
        (("order", 7), "use a key from 0 to 2"),
        (("pair", 1), r"use a key from \(1, 2\)"),
        (("threshold", 1), "0.1"),
    ):
        with pytest.raises(KeyError, match=told):
            study[wrong]


@pytest.mark.parametrize("study", [null, bootstrap, noise])
def test_some_numbers_of_a_study(study):
    whole = study(limited(problem_of(m=10, d=3, n=2), 2), repeats=19, keep=False)
    assert (
        whole["total", 3]["observed"] >= whole["shapley", 3]["observed"] >= whole["marginal", 3]["observed"]
    )
    assert sum(whole["shapley", i]["observed"] for i in (1, 2, 3)) == pytest.approx(1, abs=1e-5)
    assert whole["order", 3]["observed"] == 0
    some = whole.select("order", "total", "peak")
    assert {column.name for column in some.columns} == {"order", "total", "peak"}
    assert some.samples.shape == (19, 4 + 3 + 1)
    for column, row in some:
        before = whole[column.name, *column.key]
        assert row | {"p_family": None} == before | {"p_family": None}
        assert row.get("p_family", 0) <= before.get("p_family", 0)
    validate(some.to_json(), "orca-exact/study/1", "study")
    validate(whole.select("threshold").to_json(), "orca-exact/study/1", "study")
    assert some.select("order", "total", "peak") == some
    with pytest.raises(BadParameter, match="it has order, total, peak"):
        some.select("order", "pair")


def test_a_study_knows_its_columns_by_name():
    study = null(problem_of(m=8, n=2).replace(names=["a", "b"]), repeats=9, keep=False)
    pair = study["pair", 1, 2]
    assert (
        pair
        is study["pair", (1, 2)]
        is study["pair", 2, 1]
        is study["pair", ("b", "a")]
        is study["pair", "a", 2]
    )
    assert study["marginal", "a"] is study["marginal", 1] is not study["marginal", "b"]
    assert study.to_json()["problem"]["names"] == ["a", "b"]
    validate(study.to_json(), "orca-exact/study/1", "study")
    pytest.importorskip("matplotlib")
    assert "a × b" in [tick.get_text() for tick in study.plot("pairs").axes[0].get_yticklabels()]


def test_what_is_kept_is_taken_up_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path))
    problem = problem_of(m=8, n=2)
    first = null(problem, repeats=130, seed=1)
    files = sorted(tmp_path.glob("*.json"))
    assert len(files) == 3  # of 50 labellings, one of them the observed one
    calls = []
    module = sys.modules["orca_exact.studies.null"]  # the module, not the function of the same name
    monkeypatch.setattr(
        module, "compute_permutations", lambda *task: calls.append(task) or compute_permutations(*task)
    )
    assert (null(problem, repeats=130, seed=1).samples == first.samples).all()
    assert not calls
    files[0].write_text(files[0].read_text()[:-20])  # truncated
    forged = json.loads(files[1].read_text())
    forged["result"][0][0][0] += 1
    files[1].write_text(json.dumps(forged))
    assert (null(problem, repeats=130, seed=1).samples == first.samples).all()
    assert len(calls) == 2
    assert null(problem, repeats=30, seed=2).samples.tolist() != first.samples.tolist()
