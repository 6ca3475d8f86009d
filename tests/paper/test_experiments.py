"""Certified configurations and their cache, which is lossless and recomputes damaged entries."""

from __future__ import annotations

import json

import pytest
from flint import fmpq

from orca_exact.numbers.rationals import QQ, to_text
from orca_exact.problem import Problem
from orca_exact.runtime import cache
from orca_exact.svm.certify import certify
from proofs_checks.experiments import optima as experiments
from proofs_checks.experiments.datasets import double_spiral
from proofs_checks.experiments.optima import (
    cached,
    certified_index,
    certified_optimum,
    certify_all,
    compute_entry,
    configuration,
)


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def problem():
    X, y = double_spiral(12)
    return Problem(X, y, 3, "2.5", "1.2", rescale=True, id="twelve")


def entry(folder):
    (file,) = folder.glob("*.json")
    return file


def balls(result):
    lists = [*result.order, *result.degree, *result.cumulative, *result.alpha]
    return [to_text(v) for v in (*lists, result.even, result.norm2, result.b)]


def same(read, computed):
    """Return whether two balls agree; FLINT rounds a radius up by one unit when it reads it."""
    (mid, rad), (other, radius) = ([QQ(x) for x in to_text(v)] for v in (read, computed))
    return mid == other and radius <= rad <= radius * (1 + fmpq(1, 2**28))


def test_second_time_from_the_cache_without_loss(problem, own_cache, monkeypatch):
    first = certified_optimum(problem)
    monkeypatch.setattr(experiments, "compute_entry", None)  # must not be called again
    second = certified_optimum(problem)
    assert balls(first) == balls(second)
    assert (first.indices.stated_summary, first.facts) == (second.indices.stated_summary, second.facts)
    assert json.loads(entry(own_cache).read_text())["certificate"]["schema"] == "orca-exact/certificate/1"


def test_the_cache_holds_what_was_computed(problem):
    """Every stored ball is the computed one."""
    from orca_exact.profile.profile import orca
    from orca_exact.svm.certify import certify

    profile = orca(problem, certify(problem, level="ball", digits=50), "ball", 50)
    result = certified_optimum(problem)
    assert all(same(v, w) for v, w in zip(result.order, profile.order, strict=True))
    assert all(same(v, w) for v, w in zip(result.degree, profile.degree, strict=True))
    assert same(result.pair[1, 2], profile.pair[1, 2]) and same(result.norm2, profile.norm2)
    assert profile.peak == result.peak
    assert result.indices.stated_summary == result.summary() == profile.summary()


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: raw[: len(raw) // 2],
        lambda raw: raw.replace(b'"peak": ', b'"peak": 1', 1),
        lambda raw: b"[]",
        lambda raw: b"\xff" + raw,
        lambda raw: raw.replace(b"cache/1", b"cache/2"),
    ],
)
def test_a_damaged_entry_is_computed_again(problem, own_cache, damage):
    good = certified_optimum(problem)
    file = entry(own_cache)
    file.write_bytes(damage(file.read_bytes()))
    assert cached(problem) is None
    assert balls(certified_optimum(problem)) == balls(good)
    assert cached(problem) is not None


@pytest.mark.parametrize(("level", "C"), [("ball", 1), ("exact", 10**6)])
def test_a_single_index_is_kept_without_loss_and_computed_again_if_damaged(
    problem, own_cache, monkeypatch, level, C
):
    problem = problem.replace(C=C)
    value = certified_index(problem, "order", (1,), level, 20)
    raw = entry(own_cache).read_bytes()
    monkeypatch.setattr(experiments, "certify", None)  # must not be called again
    read = certified_index(problem, "order", (1,), level, 20)
    assert read == value if level == "exact" else same(read, value)
    for other in (("order", (2,), level, 20), ("order", (1,), level, 30), ("even", (), level, 20)):
        with pytest.raises(TypeError):  # each has an entry of its own
            certified_index(problem, *other)
    entry(own_cache).write_bytes(raw.replace(b'"value"', b'"other"'))
    with pytest.raises(TypeError):
        certified_index(problem, "order", (1,), level, 20)
    monkeypatch.setattr(experiments, "certify", certify)
    again = certified_index(problem, "order", (1,), level, 20)
    assert to_text(again) == to_text(value)


def test_another_problem_s_entry_is_refused(problem, own_cache):
    other = problem.replace(n=2)
    certified_optimum(other)
    entry(own_cache).rename(cache.entry_path(experiments._key(problem, 50)))
    assert cached(problem) is None


def test_other_code_other_entry(problem, own_cache, monkeypatch):
    certified_optimum(problem)
    monkeypatch.setattr(experiments, "code_digest", lambda *_: "0.0.0+other")
    assert cached(problem) is None


def test_a_spoilt_library_neither_reads_nor_writes(problem, own_cache):
    from proofs_checks.ledger.mutants import mutants

    with mutants()["even-odd-exchanged"]():
        spoilt = certified_optimum(problem)
        assert not own_cache.exists() and cached(problem) is None
    right = certified_optimum(problem)
    assert to_text(right.even) == to_text(spoilt.odd) != to_text(spoilt.even)
    with mutants()["even-odd-exchanged"]():
        assert cached(problem) is None
        assert to_text(certified_optimum(problem).even) == to_text(spoilt.even)
    assert to_text(cached(problem).even) == to_text(right.even)


@pytest.mark.parametrize(
    "change",
    [
        {"peak": 77},
        {"peak": 0},
        {"threshold": {"0.1": 0, "0.05": 0, "0.01": 0}},
        {"threshold": {"0.1": 6, "0.05": 6, "0.01": 6}},
        {"b": {"decimal": "0.9"}},
        {"b": {"ball": ["1/2", "-1"]}},
    ],
)
def test_an_entry_that_contradicts_itself_is_refused_though_it_is_ours(problem, own_cache, change):
    certified_optimum(problem)
    file = entry(own_cache)
    body = json.loads(file.read_text())
    for key, value in change.items():
        (body if key == "b" else body["okc"])[key] = value
    del body["sha256"]
    cache.store_entry(body)
    assert json.loads(file.read_text())["sha256"] and cached(problem) is None


def test_no_cache_leaves_nothing(problem, own_cache):
    certified_optimum(problem, cache=False)
    assert not own_cache.exists()


def test_a_folder_that_cannot_be_written_costs_only_time(problem, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path / "file"))
    assert certified_optimum(problem).problem is problem


def test_processes_give_what_one_gives(problem, own_cache):
    problems = [problem.replace(n=n) for n in (1, 2, 1)]
    said = []
    two = certify_all(problems, jobs=2, cache=False, progress=said.append)
    one = certify_all(problems, jobs=1, cache=False)
    assert [balls(r) for r in two] == [balls(r) for r in one]
    assert [m for m in said if m][-1].startswith("certified 2 of 2")


def test_the_papers_configurations():
    tables = experiments.printed_tables()
    assert [len(t["rows"]) for t in tables.values()] == [8, 8, 9, 9, 9]
    p = configuration("spiral", 12, "2.5", "1.2")
    assert (p.m, p.d, p.n, p.C, p.rescale) == (300, 2, 12, 1, True)
    assert len(set(experiments.FIGURE_2)) == 12


def test_entry_is_what_compute_returns(problem):
    assert json.loads(json.dumps(compute_entry(problem)))["key"]["problem"] == problem.sha256
