"""Tests of solvers, proved digits and certificates: primal and dual, all levels, degenerate problems."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from flint import arb, fmpq, fmpq_poly, fmpz
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import blobs

from orca_exact import checker
from orca_exact.checker import conditions, limits
from orca_exact.errors import BadInput, BadParameter, SolverFailed, TooLarge, Undecided, ZeroClassifier
from orca_exact.files.formats import add_digest
from orca_exact.measures.families import Hermite
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, contains, midpoint, precision_digits
from orca_exact.problem import Problem
from orca_exact.profile.profile import orca
from orca_exact.svm import active, exact, solvers
from orca_exact.svm import certify as certifying
from orca_exact.svm.certificate import MOST_BITS, Solution
from orca_exact.svm.certify import certify, solve
from orca_exact.svm.dual import FloatDual, best_b
from orca_exact.svm.tau import Ratio, Tau
from orca_exact.svm.verified import find_start
from orca_exact.svm.zero import zero_certificate

PARAMETERS = [("0", "0"), ("-1/2", "-1/2"), ("4.3", "1.8"), ("1", "2")]


# Solving.


@pytest.mark.parametrize("alpha, beta", PARAMETERS)
def test_primal_agrees_with_dual(alpha, beta):
    p = blobs(alpha=alpha, beta=beta)
    dual, primal = solve(p, form="dual", digits=25), solve(p, form="primal", digits=25)
    assert dual.digits >= 25
    assert primal.digits >= 25
    for a, b in zip(dual.alpha, primal.alpha, strict=True):
        assert abs(float(a - b)) < 1e-20
    assert abs(float(dual.b - primal.b)) < 1e-20
    assert dual.objective == pytest.approx(primal.objective, rel=1e-12)


def test_strong_duality_in_floats():
    """P(w) = D(alpha) at the optimum, with b from the dual."""
    p = blobs()
    data, s = FloatDual(p), solve(p, digits=16)
    a = np.array([float(x) for x in s.alpha]) * data.lam
    xi = np.maximum(0, -data.margins(a, float(s.b)))
    w2 = (data.y * a) @ data.R @ (data.y * a) / data.lam
    assert w2 / 2 + float(p.C) * xi.sum() == pytest.approx(s.objective, rel=1e-10)


@pytest.mark.parametrize(
    "form, solver", [("dual", "CLARABEL"), ("primal", "CLARABEL"), ("dual", "OSQP"), ("dual", "SCS")]
)
def test_solvers_are_close_and_their_digits_are_certified(form, solver):
    p = blobs(C="10")
    s = solve(p, form=form, solver=solver, digits=0)
    assert (s.form, s.solver) == (form, solver)
    truth = certify(p, level="exact")
    error = max(abs(float(a) - float(t)) for a, t in zip(s.alpha, truth.alpha(), strict=True))
    assert error < 1e-2
    assert s.digits >= 2
    data = FloatDual(p)
    assert abs(solvers.relative_gap(data, np.array([float(x) for x in s.alpha]) * data.lam)) < 1e-3


def test_libsvm_may_return_numbers_that_are_not_finite():
    """Check the error if scikit-learn refuses them: a polynomial of degree 7 far from 0."""
    X = [[-9e11], [-9e11], [-3.7e11], [-1], [-9e10], [-7.3e11], [-0.5]]
    p = Problem(X, [1, -1, -1, -1, 1, -1, 1], n=7, measures=Hermite(), C="7e-7")
    with pytest.raises(SolverFailed, match=r"libsvm failed: .* not finite"):
        solve(p, solver="libsvm")


def test_libsvm_is_limited_by_single_precision():
    pytest.importorskip("sklearn")
    p = blobs(m=40, n=6, alpha="0.8", beta="2.7")
    s = solve(p, solver="libsvm", digits=0)
    assert 1 <= s.digits <= 9


def test_primal_beyond_the_explicit_feature_space():
    p = blobs(m=10, d=5, n=6)  # 16,807 modes
    assert solve(p, form="primal", digits=0).digits >= 3
    assert solve(p, form="primal", digits=20).digits >= 20


def test_an_unknown_solver_or_form():
    with pytest.raises(SolverFailed, match="not installed"):
        solve(blobs(), solver="GUROBI9000")
    with pytest.raises(BadParameter, match="form"):
        solve(blobs(), form="tertiary")


def test_progress_is_reported():
    lines = []
    solve(blobs(alpha="4.3", beta="1.8", n=6), solver="CLARABEL", digits=40, progress=lines.append)
    assert any("round" in line for line in lines)


def test_fewer_digits_raise_undecided(monkeypatch):
    import orca_exact.svm.refine as refine

    monkeypatch.setattr(refine, "_ROUNDS", 1)
    monkeypatch.setattr(refine, "find_active_set", lambda *_: None)
    with pytest.raises(Undecided, match="of 60 digits"):
        solve(blobs(), solver="CLARABEL", digits=60)


def test_by_default_cvxpy_is_not_used_and_alpha_has_exact_zeros(monkeypatch):
    """A proposal is 0 if a point is not a support vector, and C if it is at its bound."""
    monkeypatch.setattr(solvers, "run_solver", None)
    p = blobs(m=30, C="1/2")
    truth = certify(p)
    for digits in (0, 20):
        found = solve(p, digits=digits)
        assert found.solver == "interior point + active set" and found.digits >= max(digits, 6)
        support = {i for i, x in enumerate(found.alpha, 1) if x != 0}
        assert support == {*truth.free, *truth.bound} != set(range(1, p.m + 1))
        assert all(found.alpha[i - 1] == p.C for i in truth.bound)


def test_balls_and_then_cvxpy_are_tried_after_float64(monkeypatch):
    tied = Problem([["1/2"], ["1/2"], ["-1/2"], ["-1/2"]], [1, -1, 1, -1], 1, 0, 0)
    assert find_start(tied).proved is None and certify(tied, level="exact").is_zero
    monkeypatch.setattr(certifying, "find_start", _undecided)
    assert certify(blobs(), level="ball").digits >= 50
    found = solve(blobs()).solver
    assert "rounds" in found and "active set" not in found


def _undecided(*_):
    raise Undecided("The problem is outside the range of float64.")


def test_best_b_minimises_the_slack():
    y = (1, -1, 1, -1, -1)
    f = [fmpq(v) for v in (2, -3, 1, 4, 0)]
    low, high = best_b(f, y)
    cost = lambda b: sum(max(1 - label * (v + b), fmpq(0)) for v, label in zip(f, y, strict=True))  # noqa: E731
    least = min(cost(fmpq(k, 7)) for k in range(-60, 60))
    assert cost(low) == cost(high) == cost((low + high) / 2) <= least
    assert cost(low - 1) > cost(low)
    assert cost(high + 1) > cost(high)


# Certificates agree with each other.


@pytest.mark.parametrize("alpha, beta", PARAMETERS)
@pytest.mark.parametrize("C", ["1/100", "1", "1000"])
def test_three_levels_agree(alpha, beta, C):
    p = blobs(alpha=alpha, beta=beta, C=C)
    exact, ball, gap = (certify(p, level=level, digits=40) for level in ("exact", "ball", "gap"))
    assert ball.digits >= 40
    assert exact.hard_margin == ball.hard_margin
    for certificate in (exact, ball, gap):
        checker.check(certificate.to_json())
    E, B, G = orca(p, exact, "exact"), orca(p, ball, "ball", 40), orca(p, gap, "ball", 20)
    for q, (e, b, g) in enumerate(zip(E.order, B.order, G.order, strict=True)):
        if isinstance(e, fmpq):
            assert contains(b, e), q
            assert contains(g, e), q
        else:
            assert b.overlaps(e.ball(60))
            assert g.overlaps(e.ball(60))
        assert float(b.rad()) < 1e-35
    assert E.order[0] == 0  # the dual's equality constraint
    assert E.peak == B.peak


def test_exact_numbers_by_hand():
    """Two points -1, 1 in d = 1, n = 1, Legendre: K = 1/2 + 3/2 xz; w = h with h(1) = -h(-1) = 1, b = 0.

    K(1,1) - K(1,-1) = 3, alpha = 2/(K11 - 2 K12 + K22) = 2/6 = 1/3; ||w||^2 = 2/3.
    """
    p = Problem([["-1"], ["1"]], [-1, 1], 1, 0, 0, C=1000)
    c = certify(p, level="exact")
    assert [u + v * 500 for u, v in zip(c.u, c.v, strict=True)] == [fmpq(1, 6), fmpq(1, 6)]  # lambda = 1/2
    profile = orca(p, c, "exact")
    assert profile.norm2 == fmpq(2, 3)
    assert profile.order == [0, 1]
    assert c.b.lower == 0
    assert c.hard_margin
    assert c.alpha_unique


def test_hard_margin_indices_do_not_depend_on_C():
    profiles = [orca(p, certify(p), "exact").order for p in (blobs(n=6, C="1000"), blobs(n=6, C="2000"))]
    assert profiles[0] == profiles[1]
    assert all(isinstance(value, fmpq) for value in profiles[0])


# Accuracy claims are proved.


def test_digits_are_of_the_optimum():
    """At C = 1e-20 ||w*|| is about 1e-20, and the digits are relative to that."""
    p = blobs(m=6, n=2, C="1e-20")
    truth = certify(p)
    gap = certify(
        p, [x * (1 + fmpq(1, 1000)) for x in solve(p, solver="CLARABEL", digits=0).alpha], level="gap"
    )
    assert gap.w_error > truth.norm2.sqrt()
    assert gap.digits == 0
    assert repr(gap).endswith(", and ||w*|| may be smaller than that>")
    for digits in (16, 40):
        assert solve(p, digits=digits).digits == digits
        assert certify(p, level="ball", digits=digits).digits >= digits


def test_indices_are_widened_where_only_a_bound_on_w_is_known():
    p, A = blobs(m=6, n=2), arithmetic("ball", 30)
    for level, bounded in (("exact", False), ("ball", False), ("gap", True)):
        found = certify(p, level=level)
        with A.scope():
            assert (found.expansion(A).w_error is not None) == bounded
        assert isinstance(orca(p, found, "float").order[1], float)
    assert Solution(p, (fmpq(1),) * 6).digits == 0  # nothing is proved about it


def test_w_zero_has_no_digits():
    p = blobs(m=6, n=2)
    c = certify(p, [0] * 6, level="gap")
    assert (c.digits, c.norm_lower_bound) == (0, 0)
    assert c.accuracy.startswith("no digit of w is proved: ||w - w*|| is at most ")
    zero = Problem([["0.1"], ["0.1"]], [1, -1], 2, "1/2", "1/3")
    assert solve(zero).digits == 0
    assert certify(zero, level="ball").w_error < arb("1e-50")


def shuffled(m=150, d=3, C="10", seed=1):
    """Return a problem with random labels and one class twice as large: w = 0, and two thirds are free."""
    generator = np.random.default_rng(seed)
    return Problem(generator.uniform(-1, 1, (m, d)), [1, -1, -1] * (m // 3), 1, "0", "0", C)


@pytest.fixture
def in_balls(monkeypatch):
    """Return a list that receives the precision of every problem that is solved in balls."""
    found = []

    class Counted(certifying.BallDual):
        def __init__(self, problem, A):
            found.append(A.digits)
            super().__init__(problem, A)

    monkeypatch.setattr(certifying, "BallDual", Counted)
    return found


@pytest.mark.parametrize("level", ["ball", "exact"])
@pytest.mark.parametrize("alpha", ["0", "1/3"])
def test_w_zero_is_decided_without_balls(in_balls, level, alpha):
    p = shuffled().replace(alpha=alpha)
    found = certify(p, level=level)
    assert found.is_zero and not in_balls
    assert len(found.free) == 100 and found.alpha_unique is None and found.b_unique
    assert checker.check(found.to_json())["level"] == "exact"
    rough = [min(x * fmpq(999, 1000), p.C) for x in find_start(p).alpha]
    assert certify(p, rough, level=level).is_zero and not in_balls


def test_w_zero_agrees_with_trying_every_active_set():
    """The linear system over Q agrees with all active sets, also for equal points and with weights."""
    generator, zeros = np.random.default_rng(4), 0
    for number in range(40):
        m = int(generator.integers(3, 6))
        X = generator.integers(-1, 2, (m, 1 + number % 2))
        C = [str(c) for c in generator.integers(1, 4, m)]
        p = Problem(X.tolist(), [1, -1, *generator.choice([1, -1], m - 2).tolist()], 1, "0", "0", C)
        truth = exact.try_all_active_sets(p).is_zero
        assert (zero_certificate(p, find_start(p).alpha) is not None) == truth
        zeros += truth
    assert 5 < zeros < 35


def test_w_is_not_0_if_the_classes_nearly_balance():
    balanced = Problem([["0"], ["-1/2"], ["1/2"]], [1, -1, -1], n=1, alpha=0, beta=0)
    half = [fmpq(1), fmpq(1, 2), fmpq(1, 2)]
    assert zero_certificate(balanced, half).is_zero
    outside = balanced.replace(X=[["0.51"], ["-1/2"], ["1/2"]])
    assert zero_certificate(outside, half) is None
    assert zero_certificate(balanced.replace(X=[["1e-9"], ["-1/2"], ["1/2"]]), half).is_zero
    assert zero_certificate(balanced.replace(n=2), half) is None  # x^2 separates them
    equal = Problem([["0"], ["1e-30"]], [1, -1], n=1, alpha=0, beta=0)
    assert zero_certificate(equal, [fmpq(1), fmpq(1)]) is None
    assert not certify(equal, level="ball").norm_lower_bound.is_zero()


def test_dependent_points_are_refused_at_once(in_balls, monkeypatch):
    """More digits do not help, so each proposal is tried at one precision."""
    monkeypatch.setattr(certifying, "zero_certificate", lambda problem, alpha: None)
    monkeypatch.setattr(active, "MAX_DEPENDENT_WORK", 10**6)
    with pytest.raises(Undecided, match="free points depend on the others"):
        certify(shuffled(m=60, d=2), level="ball")
    assert len(in_balls) == len(set(in_balls)) + 1 == 2  # one for our proposal, one for CVXPY's


def test_rounding_errors_near_a_bound_are_not_free(monkeypatch):
    """Scaling a class to balance moves its bound points by 1e-10; moving each of them back took minutes."""
    p = blobs(m=40, n=1)
    optimum = certify(p, level="ball", digits=20)
    near = [x.mid() * p.lambda_ball() * (1 - arb("1e-10")) for x in optimum.alpha()]
    begun = []
    split = active.split_free
    monkeypatch.setattr(active, "split_free", lambda dual, free: begun.append(len(free)) or split(dual, free))
    A = arithmetic("ball", 60)
    with A.scope():
        found = active._active_set_method(certifying.BallDual(p, A), near)
    assert begun[0] == len(optimum.free) < len(optimum.bound)
    assert [i + 1 for i in found.bound] == list(optimum.bound)


def test_no_free_point_needs_one_precision(in_balls):
    p = shuffled(m=60, C="1e-6").replace(y=[1, -1] * 30)
    found = certify(p, level="ball", digits=20)
    assert not found.free and len(found.bound) == 60 and found.digits >= 20
    assert len(in_balls) == 1


@pytest.mark.parametrize("level", ["gap", "ball"])
def test_the_norm_claimed_is_that_of_the_optimum(level):
    p = blobs(m=8, n=2)
    rough = [float(a) * (1 + (-1) ** i * 1e-3) for i, a in enumerate(solve(p).alpha)]
    claimed = certify(p, rough, level=level).to_json()["claims"]["norm2"]
    assert QQ(claimed["lower"]) <= orca(p, certify(p), "exact").norm2 <= QQ(claimed["upper"])


@pytest.mark.parametrize("sign, free, bound", [(1, (1, 2), ()), (-1, (), (1, 2))])
def test_a_ball_certificate_reports_its_strict_enclosure(sign, free, bound):
    """C is just above or just below 4/3, where both points reach their bound."""
    p = Problem([["-1/2"], ["1/2"]], [-1, 1], 1, 0, 0, C=fmpq(4, 3) * (1 + sign * fmpq(1, 10**60)))
    exact, ball = certify(p), certify(p, level="ball", digits=30)
    assert (exact.free, exact.bound, exact.hard_margin) == (free, bound, sign > 0)
    if ball.enclosure:
        assert (ball.free, ball.bound, ball.hard_margin) == (free, bound, sign > 0)
    else:
        assert ball.hard_margin is None
    checker.check(ball.to_json())


def test_hard_margin_does_not_depend_on_the_choice_of_alpha():
    """For two points twice each at C = 1, alpha may be (1, 1/3, 1, 1/3) or 2/3 everywhere."""
    X, y = [["-1/2"], ["-1/2"], ["1/2"], ["1/2"]], [-1, -1, 1, 1]
    p = Problem(X, y, 1, 0, 0)
    certificates = [certify(p, alpha) for alpha in (None, ["1", "1/3", "1", "1/3"], ["2/3"] * 4)]
    assert all(c.hard_margin for c in certificates)
    skew = certificates[0].to_json() | {"u": ["1/2", "1/6", "1/2", "1/6"], "v": ["0"] * 4}
    skew |= {"active": {"free": [2, 4], "bound": [1, 3]}}
    skew["claims"]["alpha_unique"] = None
    del skew["sha256"]
    assert checker.check(add_digest(skew))["hard_margin"] is True
    skew["claims"]["hard_margin"] = False
    with pytest.raises(checker.Rejected, match="slack"):
        checker.check(add_digest(skew))
    assert certify(p.replace(C="2/3")).hard_margin  # all at the bound, and without slack
    assert certify(p.replace(C="3/5")).hard_margin is False


def test_lambda_is_written_to_the_bits_that_the_signs_need():
    """C is within 1e-120 of a breakpoint: 256 bits of lambda do not decide on which side."""
    assert MOST_BITS == limits.BITS
    p = Problem([["-1/2"], ["1/2"]], [-1, 1], 1, "1/2", "1/3")
    with precision_digits(200):
        meeting = midpoint(certify(p.replace(C=100)).alpha(200)[0])
    for side in (1, -1):
        c = certify(p.replace(C=meeting + side * fmpq(1, 10**120)))
        assert c.hard_margin is (side > 0)
        assert checker.check(c.to_json())["hard_margin"] is (side > 0)
    for n in (1, 3):
        near = Problem([["-1"], ["1/2"], ["1"]], [1, -1, 1], n, "-0.999999", 0, C="7/3")
        checker.check(certify(near).to_json())


@pytest.mark.parametrize(
    "X, y, n, parameters, C",
    [
        ([["0"]] * 3, [-1, -1, 1], 2, (0, 0), "7/3"),
        ([["-1/3"], ["-1/3"], ["0.999999"]], [1, 1, -1], 1, ("0.5", "0.333"), "7/3"),
        ([["1/2"], ["1/2"], ["0.999999"]], [-1, -1, 1], 6, ("0.5", "0.333"), "1e9"),
        ([["-1"], ["-1"], ["0"], ["0"], ["-1"], ["-1"]], [-1, -1, 1, 1, 1, -1], 6, ("-0.999999", 0), "1e9"),
    ],
)
def test_a_few_points_are_always_certified(X, y, n, parameters, C):
    c = certify(Problem(X, y, n, *parameters, C=C))
    assert checker.check(c.to_json())["level"] == "exact"


# Degenerate problems.

GRID = [(f"{i}/4", f"{j}/4") for i, j in itertools.product(range(-4, 5), repeat=2)]
XOR = [1 if QQ(a) * QQ(b) > 0 else -1 for a, b in GRID]
DISC = [1 if QQ(a) ** 2 + QQ(b) ** 2 < fmpq(1, 2) else -1 for a, b in GRID]
TIES = {
    "xor-1": (GRID, XOR, 1), "xor-4": (GRID, XOR, 4), "disc-1": (GRID, DISC, 1), "disc-2": (GRID, DISC, 2),
    "duplicates": ([["0.1"], ["0.1"], ["0.5"], ["0.5"], ["-0.3"]], [1, 1, -1, -1, 1], 2),
    "opposite labels on one point": ([["0.1"], ["0.1"], ["0.5"], ["-0.5"]], [1, -1, -1, 1], 2),
    "only opposite labels": ([["0.1"], ["0.1"]], [1, -1], 2),
    "constants": ([["0.1"], ["0.3"], ["0.7"]], [1, -1, 1], 0),
    "many points, few modes": ([[f"{k}/20"] for k in range(-20, 21)], [1, 1, -1] * 13 + [1, -1], 1),
}  # fmt: skip


@pytest.mark.parametrize("alpha, beta", [("0", "0"), ("1/2", "1/3")])
@pytest.mark.parametrize("name", TIES)
def test_degenerate_problems_are_certified(name, alpha, beta):
    X, y, n = TIES[name]
    p = Problem(X, y, n, alpha, beta)
    exact, ball = certify(p, level="exact"), certify(p, level="ball", digits=40)
    assert ball.digits >= 40 or (exact.is_zero and ball.w_error < arb("1e-40"))
    assert checker.check(exact.to_json())["level"] == "exact"
    assert checker.check(ball.to_json())["level"] == ("exact" if exact.is_zero else "ball")
    if exact.is_zero:
        with pytest.raises(ZeroClassifier):
            orca(p, exact, "exact")
    else:
        E, B = orca(p, exact, "exact"), orca(p, ball, "ball", 40)
        for e, b in zip(E.order, B.order, strict=True):
            assert b.overlaps(e.ball(60)) if not isinstance(e, fmpq) else contains(b, e)


def test_no_free_support_vector_leaves_b_an_interval():
    p = Problem([["-0.5"], ["0.5"], ["-0.6"], ["0.6"]], [1, -1, 1, -1], 1, 0, 0, C="1/1000")
    c = certify(p)
    assert (c.free, c.bound) == ((), (1, 2, 3, 4))
    assert not c.b.is_point
    assert c.b_unique is False
    assert c.b.lower < c.b.upper
    checker.check(c.to_json())


def test_b_is_an_interval_whatever_the_start():
    """A basis whose variables all are at 0 or C does not determine b."""
    p = Problem([["-1"], ["-1/2"]], [-1, 1], 1, 0, 0)
    for begin in (None, ["1/3", "1/2"]):
        c = certify(p, begin)
        assert c.b.lower == fmpq(-1, 4) and c.b.upper == fmpq(11, 8)
        assert c.b_unique is False
        checker.check(c.to_json())


def test_b_can_be_unique_without_a_free_support_vector():
    X = [["0", "1"], ["1/2", "1"], ["1/2", "1"]]
    c = certify(Problem(X, [1, -1, 1], 1, "1/2", "1/2", C=1000))
    assert checker.check(c.to_json())["level"] == "exact"


def test_alpha_has_a_value_for_each_point():
    p = Problem([[fmpq(k, 300)] for k in range(300)], [1, -1] * 150, 1, 0, 0)
    assert certifying.parse_alpha(p, ["1/2"] * 300) == (fmpq(1, 2),) * 300
    with pytest.raises(BadInput, match=r"alpha.* 299 values"):
        certifying.parse_alpha(p, ["1/2"] * 299)


def test_alpha_at_the_edge_of_the_box_stays_feasible():
    """At C (1 - k 2^-364) with irrational lambda the checker proves that alpha lies in [0, C]."""
    p = Problem([["-1/2"], ["1/3"], ["1/4"], ["0.9"]], [1, -1, 1, -1], 1, "4.3", "1.8", C="1/100")
    for k in range(4):
        alpha = [p.C * (1 - fmpq(k, 2**364))] * 4
        checker.check(certify(p, alpha, level="gap").to_json())


def test_tiny_values_beside_bounds_are_projected():
    """Next to balanced bounds a free value of 1e-130 counts as 0, as no other point can balance it."""
    p = Problem([["-1/2"], ["1/3"], ["1/4"], ["0.9"], ["0"]], [1, -1, 1, -1, 1], 1, "4.3", "1.8", C="1/100")
    for dust in (fmpq(1, 10**130), fmpq(1, 10**20), fmpq(1, 3)):
        c = certify(p, [p.C, p.C, p.C, p.C, p.C * dust], level="gap")
        checker.check(c.to_json())
    assert certify(p, [p.C, p.C, p.C, p.C, p.C * fmpq(1, 10**130)], level="gap").bound == (1, 2, 3, 4)


def test_a_gap_certificate_does_not_claim_a_hard_margin():
    p = Problem([["-1"], ["1"], ["1/4"]], [-1, 1, 1], 2, 0, 0)
    c = certify(p, [0, 0, 0], level="gap")
    assert c.hard_margin is None
    assert c.to_json()["claims"]["hard_margin"] is None
    with pytest.raises(Undecided, match="within its error bound"):
        orca(p, c, "ball")


@pytest.mark.parametrize(
    "change",
    [{"C": "1e400"}, {"C": "1e-400"}, {"n": 2000}, {"alpha": "1e5"}, {"alpha": "1e9", "beta": "1/2"}],
)
def test_beyond_float64_is_refused(change):
    with pytest.raises(TooLarge):
        certify(Problem([["-1"], ["1"]], [1, -1], **({"n": 1, "alpha": 0, "beta": 0} | change)))


def test_many_dimensions_beyond_float64():
    with pytest.raises(TooLarge):
        solve(Problem([["-1"] * 1100, ["1"] * 1100], [1, -1], 1, 0, 0))


@pytest.mark.parametrize("primes", [exact.PRIMES, conditions.PRIMES])
def test_determinants_are_taken_modulo_primes(primes):
    """Elimination modulo a composite number may be wrong."""
    assert all(fmpz(p).is_prime() for p in primes) and len(set(primes)) == 3


def test_uniqueness_is_claimed_only_with_proof():
    assert certify(blobs(n=6)).alpha_unique is True
    twice = Problem([["0.1"], ["0.1"], ["0.5"]], [1, 1, -1], 2, 0, 0, C=100)
    assert certify(twice).alpha_unique is None  # the two copies can share their alpha in any way


def test_a_gap_certificate_encloses_everything_of_the_optimum():
    """From a rough alpha, the balls contain norm, coefficients and indices of the true classifier."""
    p = blobs(m=12, n=2)
    rough = [float(a) * (1 + (-1) ** i * 1e-4) for i, a in enumerate(solve(p, digits=16).alpha)]
    gap = orca(p, certify(p, rough, level="gap"), "ball", 20)
    truth = orca(p, certify(p, level="exact"), "ball", 40)
    assert gap.norm2.overlaps(truth.norm2)
    assert 1e-9 < float(gap.norm2.rad()) < 0.1 * float(truth.norm2)
    c, exact = gap.coefficients(), truth.coefficients()
    assert all(c[k].overlaps(exact[k]) for k in exact)
    assert all(a.overlaps(b) for a, b in zip(gap.degree, truth.degree, strict=True))


# Bad proposals are repaired or refused.


@pytest.mark.parametrize("alpha, beta", [("0", "0"), ("4.3", "1.8")])
def test_adversarial_proposals(alpha, beta):
    p = blobs(m=16, alpha=alpha, beta=beta)
    truth = orca(p, certify(p), "ball", 40).order
    generator = np.random.default_rng(0)
    good = solve(p, digits=0)
    C = float(p.C)
    proposals = {
        "random": generator.uniform(0, C, p.m),
        "permuted": generator.permutation([float(a) for a in good.alpha]),
        "zeros": np.zeros(p.m), "all at bound": np.full(p.m, C), "huge": np.full(p.m, 1e12),
        "negative": -np.ones(p.m), "tiny": np.full(p.m, 1e-300),
    }  # fmt: skip
    for name, values in proposals.items():
        for level in ("gap", "ball", "exact"):
            c = certify(p, list(values), level=level, digits=30)
            checker.check(c.to_json())
            if level == "gap":
                try:
                    order = orca(p, c, "ball", 20).order
                except (Undecided, ZeroClassifier):
                    continue  # no index is claimed
            else:
                order = orca(p, c, "ball", 30).order
            assert all(a.overlaps(b) for a, b in zip(order, truth, strict=True)), (name, level)
    other = p.replace(y=[-label for label in p.y])
    c = certify(other, good, level="exact")
    assert c.b.lower == -certify(p).b.lower


@pytest.mark.parametrize("bad", [[float("nan")] * 24, ["x"] * 24, [0.5] * 3, [None] * 24])
def test_proposals_that_are_not_numbers(bad):
    with pytest.raises(BadInput, match="alpha"):
        certify(blobs(), bad)


def test_a_solution_of_another_problem_is_refused():
    p = blobs()
    with pytest.raises(BadParameter, match="another problem"):
        orca(p.replace(n=2), solve(p, digits=0), "float")


def test_unknown_level():
    with pytest.raises(BadParameter, match="level"):
        certify(blobs(), level="faith")


def test_profile_of_a_solution_in_four_arithmetics():
    p = blobs(n=5)
    s = solve(p, digits=20)
    assert isinstance(s, Solution)
    exact = orca(p, s, "exact")
    for name in ("float", "mp", "ball"):
        P = orca(p, s, name, 30)
        for a, b in zip(P.order, exact.order, strict=True):
            assert abs(float(a) - float(b)) < 1e-12
    assert abs(float(orca(p, s, "mp", 30).norm2) - float(exact.norm2)) < 1e-12 * float(exact.norm2)


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=2, max_size=9),
    st.lists(st.booleans(), min_size=9, max_size=9),
    st.integers(0, 3),
    st.sampled_from(["1/20", "1", "50"]),
    st.sampled_from([("0", "0"), ("1/2", "-1/3")]),
)
def test_any_small_grid_problem_is_certified_and_checked(points, coins, n, C, parameters):
    """Small grids are full of ties; the independent checker must accept each certificate."""
    y = [1 if coin else -1 for coin in coins[: len(points)]]
    y[:2] = (1, -1)
    p = Problem([[fmpq(a, 4), fmpq(b, 4)] for a, b in points], y, n, *parameters, C=C)
    exact = certify(p)
    assert checker.check(exact.to_json())["level"] == "exact"


def test_quotients_in_tau_are_equal_only_where_they_are():
    tau, other = (Tau(Problem([["-1/2"], ["1/2"]], [1, -1], 1, "1/2", "1/3", C)) for C in (1, 2))
    one, two, t = fmpq_poly([1]), fmpq_poly([2]), fmpq_poly([0, 1])
    assert Ratio(one, one, tau) != Ratio(two, one, tau)
    assert Ratio(one, one, tau) == Ratio(two, two, other)
    assert Ratio(t, one, tau) != Ratio(two, one, tau)
    assert Ratio(t, t * t, tau) == Ratio(one, t, tau)
    assert Ratio(t, one, tau) != Ratio(t, one, other)
