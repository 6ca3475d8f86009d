"""Indices and their summaries; a new index in INDICES appears in every output."""

from __future__ import annotations

import json

import pytest
from command import orca as command
from flint import arb, fmpq
from hypothesis import given
from problems import classifiers, exact_profile

from orca_exact import Problem, certify, orca
from orca_exact.conformance.crosscheck import crosscheck
from orca_exact.conformance.reference import load_references, plain_result, save_references
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.errors import NotANumber, Undecided
from orca_exact.files import validation
from orca_exact.files.outcomes import FAILS, HOLDS
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, format_decimal, is_less
from orca_exact.profile import support
from orca_exact.profile.indices import INDICES, Index, Indices, Summary, UndecidedSummary
from proofs_checks.experiments.optima import certified_optimum
from proofs_checks.report.content import Content

X = [["-1/2", "1/3"], ["1/4", "-1"], ["1", "1/2"], ["0", "0.3"]]
PROBLEM = Problem(X, [1, -1, 1, -1], 2, "1/2", 0, C=2, id="four")
TAIL = Index(
    "tail", "beyond n",
    description="the share of degrees above n",
    keys=lambda top, d: [()],
    keys_of=lambda k, top: [()] if sum(k) > top // len(k) else [],
    sums=lambda g: [g.blocks[:, g.blocks.shape[1] // 2 + 1 :].sum()],
    shape="one",
)  # fmt: skip


@pytest.fixture
def tail(monkeypatch):
    """Add an index to INDICES and return its expected value."""
    monkeypatch.setitem(INDICES, "tail", TAIL)
    validation._validator.cache_clear()
    yield sum(orca(PROBLEM, certify(PROBLEM), "exact").degree[PROBLEM.n + 1 :])
    validation._validator.cache_clear()


@pytest.mark.parametrize("strip", [1, 2, 3])
def test_the_quadratic_form_is_added_up_in_strips(strip, monkeypatch):
    A, s = arithmetic("exact"), [fmpq(x) for x in (1, -2, 3, -2)]
    R = PROBLEM.values_at(range(4), A).block(slice(None), slice(None))
    monkeypatch.setattr(support, "_STRIP", strip)
    found = support.Support.from_coefficients(PROBLEM, A, s).form
    assert found == sum(s[i] * R[i, j] * s[j] for i in range(4) for j in range(4))


def output(*words: str) -> str:
    code, out, err = command(*words)
    assert code == 0, err
    return out


def test_a_new_index_is_in_the_profile(tail, tmp_path):
    profile = orca(PROBLEM, certify(PROBLEM), "exact")
    assert 0 < profile.family("tail")[()] == profile.indices.family("tail")[()] == tail
    path = tmp_path / "four.json"
    path.write_text(json.dumps(PROBLEM.to_json()))
    words = ("profile", str(path), "--arithmetic", "exact", "--digits", "12")
    assert ["beyond", "n", format_decimal(tail, 12)] in [
        line.split()[:3] for line in output(*words).splitlines()
    ]
    result = json.loads(output(*words, "--format", "json"))
    validation.validate(result, "result", "stdout")
    assert QQ(result["okc"]["tail"]["exact"]) == tail


def test_a_new_index_is_in_references_and_comparisons(tail, tmp_path):
    save_references([make_reference(PROBLEM)], tmp_path / "reference.json")
    (reference,) = load_references(tmp_path / "reference.json")
    assert reference.okc.family("tail")[()] == tail
    right = plain_result(reference, 17)
    assert right["okc"]["tail"] == format_decimal(tail, 17)
    report = crosscheck(reference, right)
    sources = {line.source for line in report.lines if line.quantity == "okc.tail"}
    assert report.outcome == HOLDS and sources == {"its own coefficients", "the optimum"}
    right["okc"]["tail"] = "0.125"
    report = crosscheck(reference, right)
    assert report.outcome == FAILS and report.stage == "aggregation"
    assert {(line.quantity, line.where) for line in report.failed} == {("okc.tail", "beyond n")}


def test_an_index_that_is_not_listed_is_refused():
    reference = make_reference(PROBLEM)
    answer = {"id": "four", "okc": {"order": ["0", "1", "0"], "tail": "0.125"}}
    report = crosscheck(reference, answer)
    assert report.outcome == FAILS and "'tail'" in report.failure


# Conversions.


@given(classifiers())
def test_two_routes_to_every_index(classifier):
    profile = exact_profile(*classifier)
    amplitudes, weights = profile.enumeration.amplitudes()
    squares = amplitudes * amplitudes * weights / profile.generating.norm
    shares = dict(zip(profile.problem.kernel.modes, squares, strict=True))
    assert (
        Indices.from_modes(shares, sum(profile.problem.degrees), profile.d, fmpq(0)).table
        == profile.indices.table
    )


@given(classifiers())
def test_json_and_back(classifier):
    indices = exact_profile(*classifier).indices
    data = json.loads(json.dumps(indices.to_json(str)))
    assert Indices.from_json(data, QQ, "okc") == indices
    assert {INDICES[name].shape for name in indices.table} == {"one", "list", "rows", "map"}


def test_some_indices_from_json():
    data = {"pair": {"1,3": "1/2"}, "marginal": ["1/4", "0", "1/8"], "threshold": {"0.1": 2}}
    indices = Indices.from_json(data, QQ, "okc")
    assert indices.pair == {(1, 3): fmpq(1, 2)} and indices.marginal == {1: fmpq(1, 4), 2: 0, 3: fmpq(1, 8)}
    assert list(indices) == [
        ("marginal", (1,), fmpq(1, 4)),
        ("marginal", (2,), 0),
        ("marginal", (3,), fmpq(1, 8)),
        ("pair", (1, 3), fmpq(1, 2)),
    ]
    assert indices.stated_summary == Summary(None, {"0.1": 2}) and not Indices({})
    with pytest.raises(NotANumber, match=r"okc\.pair\[1, 3\]"):
        Indices.from_json({"pair": {"1,3": "x"}}, QQ, "okc")


def test_map_keeps_keys_and_summaries():
    indices = orca(PROBLEM, certify(PROBLEM), "exact").indices
    doubled = indices.map(lambda x: 2 * x)
    assert [(name, key, 2 * x) for name, key, x in indices] == list(doubled)
    assert doubled.stated_summary == indices.stated_summary != Summary()


# N* and T_eps.


def spectrum(*degree) -> Indices:
    return Indices({
        "degree": {(N,): x for N, x in enumerate(degree)},
        "cumulative": {(T,): sum(degree[: T + 1]) for T in range(len(degree))},
    })  # fmt: skip


def test_a_tie_has_the_smallest_degree():
    for value in (fmpq(3, 8), arb(fmpq(3, 8))):  # a dyadic number, which a ball represents exactly
        tied = spectrum(0 * value, value, value / 2, value)
        assert (tied.peak, tied.peaks) == (1, [1, 3])
        assert is_less(value, value) is False


@pytest.mark.parametrize(
    ("balls", "candidates"),
    [
        ([(0.5, 0.1), (0.45, 0.1), (0.1, 0.05)], (0, 1)),
        (
            [(0.15, 0.15), (0.375, 0.125), (0.5, 0.1)],
            (1, 2),
        ),  # the first overlaps the second, but not the third
        ([(0.25, 2**-40)] * 4, (0, 1, 2, 3)),  # equal balls may enclose different numbers
    ],
)
def test_balls_that_overlap_are_undecided(balls, candidates):
    degree = [arb(middle, radius) for middle, radius in balls]
    i, j = candidates[-2:]
    assert is_less(degree[i], degree[j]) is None
    with pytest.raises(Undecided) as error:
        _ = spectrum(*degree).peak
    assert error.value.candidates == candidates
    summary = spectrum(*degree).summary()
    assert isinstance(summary.peak, UndecidedSummary) and summary.peak.candidates == candidates


def test_separate_balls_are_decided():
    degree = [arb(0.25, 0.01), arb(0.5, 0.1), arb(0.25, 0.01)]
    assert is_less(degree[0], degree[1]) is True and is_less(degree[1], degree[0]) is False
    assert spectrum(*degree).peaks == [1]


def test_a_ball_on_the_level_leaves_the_threshold_open():
    exact = spectrum(fmpq(9, 10), fmpq(1, 20), fmpq(1, 20))
    assert exact.threshold("0.1") == (0, fmpq(9, 10)) and exact.threshold("0.05")[0] == 1
    balls = spectrum(arb(0.9, 1e-9), arb(0.09, 1e-9), arb(0.01, 1e-9))
    with pytest.raises(Undecided) as error:
        balls.threshold("0.1")
    assert error.value.candidates == (0, 1)
    assert balls.threshold("0.05")[0] == 1


def test_undecided_summaries_are_written_and_read():
    stated = spectrum(arb(0.9, 1e-9), arb(0.09, 1e-9), arb(0.01, 1e-9)).summary()
    assert stated.peak == 0 and isinstance(stated.threshold["0.1"], UndecidedSummary)
    data = json.loads(json.dumps(Indices({}, stated).to_json(str)))
    assert data["threshold"]["0.1"]["undecided"] == [0, 1] and data["threshold"]["0.05"] == 1
    validation.validate({"id": "", "okc": data}, "result", "open")
    assert Indices.from_json(data, QQ, "okc").stated_summary == stated


@pytest.mark.slow
def test_a_new_index_is_in_the_report(tail):
    html = pytest.importorskip("proofs_checks.report.html")
    html.require_packages()
    result = certified_optimum(PROBLEM, cache=False)
    page = html.render(Content([], results=[result]))
    assert f"beyond n = {format_decimal(result.family('tail')[()], 12)}" in page
