"""The library against an oracle that shares no code with it, on a sample of random problems."""

from __future__ import annotations

from fractions import Fraction as Q

import pytest

from benchmarks.oracle import __main__ as program
from benchmarks.oracle import compare, moments, truth
from benchmarks.oracle.models import Model, PolynomialClassifier
from benchmarks.oracle.problems import KINDS, draw
from benchmarks.oracle.quadratic import best_bias, lemke, solve_dual

ONCE_WRONG = [55]  # seeds of problems in which a past version of the library was wrong


@pytest.mark.parametrize("seed", [*range(len(KINDS)), *ONCE_WRONG])
def test_every_proved_number_is_right(seed):
    found = compare.compare(seed)
    assert not found.failures and sum(found.compared.values()) > 30


@pytest.mark.slow
def test_more_problems(capsys):
    assert program.main(["--problems", "300", "--first", "13"]) == 0
    assert "300 problems" in (printed := capsys.readouterr().out) and printed.endswith("0 wrong\n")


def spoil(value):
    """Change one number in a nested list or dictionary."""
    if isinstance(value, dict):
        name = max(value)
        return {**value, name: spoil(value[name])}
    return [*value[:-1], spoil(value[-1])] if isinstance(value, list) else value + Q(1, 10**9)


@pytest.mark.parametrize("family", ["order", "marginal", "pair", "total", "shapley", "subset"])
def test_a_wrong_share_is_found(family, monkeypatch):
    original = truth.truths
    monkeypatch.setattr(truth, "truths", lambda c: {**(t := original(c)), family: spoil(t[family])})
    assert any(f"{family}:" in line for line in compare.compare(17).failures)


@pytest.mark.parametrize("family", ["block", "degree", "cumulative", "even", "odd", "peaks"])
def test_a_wrong_share_of_a_degree_is_found(family, monkeypatch):
    original = truth.degree_truths
    wrong = (lambda t: [9]) if family == "peaks" else (lambda t: spoil(t[family]))
    monkeypatch.setattr(truth, "degree_truths", lambda c, n: {**(t := original(c, n)), family: wrong(t)})
    assert any(f"{family}:" in line for line in compare.compare(17).failures)


@pytest.mark.parametrize("seed", [10, 17, 34])
def test_another_optimum_is_found(seed, monkeypatch):
    """An a that is wrong in the tenth digit contradicts a certificate of level ball."""
    original = Model.solve

    def solve(self, C):
        optimum = original(self, C)
        a = [x * (1 + Q(1, 10**9)) for x in optimum.a]
        return type(optimum)(a, optimum.values, optimum.b, optimum.alpha_unique, optimum.hard_margin)

    monkeypatch.setattr(Model, "solve", solve)
    assert any("ball: w_error" in line for line in compare.compare(seed).failures)


def test_an_exception_is_a_failure(monkeypatch):
    monkeypatch.setattr(compare, "certify", lambda *_, **__: 1 / 0)
    assert "ZeroDivisionError" in compare.compare(0).failures[0]


def test_the_oracle_by_hand():
    """Two points at distance 2 on a line: w = 1 and b = 0 from C = 1/2 on; below that, b is not unique."""
    R = [[Q(1), Q(-1)], [Q(-1), Q(1)]]
    hard, soft = (solve_dual(R, [1, -1], [Q(C)] * 2) for C in (1, "1/4"))
    assert hard.a == [Q(1, 2)] * 2 and hard.b == (0, 0) and hard.alpha_unique and hard.hard_margin
    assert soft.a == [Q(1, 4)] * 2 and soft.b == (Q(-1, 2), Q(1, 2)) and not soft.hard_margin
    twice = solve_dual(
        [[Q(1), Q(1), Q(-1)], [Q(1), Q(1), Q(-1)], [Q(-1), Q(-1), Q(1)]], [1, 1, -1], [Q(1)] * 3
    )
    assert not twice.alpha_unique and sum(twice.a) == 1
    assert best_bias([Q(0), Q(0)], [1, 1], [Q(1)] * 2) == (1, None)
    with pytest.raises(ArithmeticError, match="ray"):
        lemke([[Q(-1)]], [Q(-1)])


def test_moments_by_hand():
    legendre = moments.Distribution("jacobi", (Q(0), Q(0)))
    assert [legendre.moment(j) for j in range(5)] == [1, 0, Q(1, 3), 0, Q(1, 5)] and legendre.mass == 2
    assert moments.Distribution("laguerre", (Q(3),)).mass == 6
    assert abs(float(moments.Distribution("jacobi", (Q(-1, 2), Q(-1, 2))).mass) - 3.141592653589793) < 1e-15
    assert moments.decompose(legendre, 2)[1] == [1, Q(1, 3), Q(4, 45)]
    h = PolynomialClassifier({(1, 1): Q(1), (1, 0): Q(2)}, [legendre, legendre])
    assert h.parts == {(0,): Q(4, 3), (1,): 0, (0, 1): Q(1, 9)}


def test_kinds_and_twists_all_occur():
    drawn = [draw(seed) for seed in range(130)]
    assert {d.kind for d in drawn} == {*KINDS}
    assert {len(d.C) == len(set(d.C)) for d in drawn} == {True, False}
    assert {d.problem.rescale for d in drawn} == {d.problem.is_weighted for d in drawn} == {True, False}
