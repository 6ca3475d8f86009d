"""Comparison of alpha: relative to its own size, and by its dual value."""

import pytest

from orca_exact import Problem, certify, checker
from orca_exact.conformance.crosscheck import crosscheck
from orca_exact.conformance.reference import Reference
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.conformance.vectors import vectors
from orca_exact.files.outcomes import FAILS, HOLDS

TWICE = make_reference(Problem([["-0.5"], ["0.5"], ["0.5"]], [1, -1, -1], 2, 0, 0, C="1e6", id="twice"))
CANCEL = make_reference(
    Problem([["-0.5"], ["0.5"], ["0.25"], ["0.25"]], [1, -1, 1, -1], 2, 0, 0, C="1/100", id="cancel")
)


def test_feasibility_is_on_the_scale_of_alpha():
    total = sum(float(x.p) / float(x.q) for x in TWICE.alpha) / 2
    right, wrong = [total, total / 4, total * 3 / 4], [total, total + 50, -50.0]
    assert crosscheck(TWICE, {"id": "twice", "alpha": right}).outcome == HOLDS
    for alpha in (wrong, [-50, 51.3, 1.33]):
        report = crosscheck(TWICE, {"id": "twice", "alpha": alpha})
        failed = {(line.quantity, line.source) for line in report.failed}
        assert report.outcome == FAILS and report.stage == "solver" and ("alpha", "its constraints") in failed


def test_two_points_that_cancel_in_w_do_not_cancel_in_the_dual():
    """Only D distinguishes (C, C, 0, 0) from the optimum (C, C, C, C): w is the same."""
    C = "0.01"
    assert crosscheck(CANCEL, {"id": "cancel", "alpha": [C] * 4}).outcome == HOLDS
    undecided = Reference(CANCEL.data | {"values": CANCEL.data["values"] | {"alpha_unique": None}})
    for reference in (CANCEL, undecided):
        report = crosscheck(reference, {"id": "cancel", "alpha": [C, C, "0", "0"]})
        assert report.outcome == FAILS and "D" in {line.quantity for line in report.failed}
        assert {x.quantity: x.digits for x in report.lines if x.source == "the optimum"}["w"] > 20


def test_alpha_is_unique_if_nothing_is_free_and_b_is_an_interval():
    problem = CANCEL.problem
    certificate = certify(problem)
    assert not certificate.free and certificate.alpha_unique and CANCEL.alpha_unique
    assert checker.check(certificate.to_json())["alpha_unique"] is True
    again = problem.replace(
        X=[["-0.5"], ["0.5"], ["-0.5"], ["0.5"]], C="2/3"
    )  # at the bound, where the multiplier is 0
    assert certify(again).alpha_unique is None


SOLVED = [v.reference for v in vectors() if v.reference.dual is None]


@pytest.mark.parametrize("reference", SOLVED[::7], ids=lambda reference: reference.id)
def test_the_dual_value_is_compared_wherever_alpha_is(reference):
    made = make_reference(reference.problem)
    alpha = [str(x) if hasattr(x, "p") else x.str(30, radius=False) for x in made.alpha]
    lines = crosscheck(reference, {"id": reference.id, "alpha": alpha}).lines
    assert [line.digits > 15 for line in lines if line.quantity == "D"] == [True]


def test_each_point_has_its_own_box():
    weighted = make_reference(CANCEL.problem.replace(C=["1/100", "1/100", "1/200", "1/200"], id="weighted"))
    for alpha, outcome in (
        (["0.01", "0.01", "0.005", "0.005"], HOLDS),
        (["0.01", "0.01", "0.01", "0.01"], FAILS),
    ):
        assert crosscheck(weighted, {"id": "weighted", "alpha": alpha}, diagnose=False).outcome == outcome
