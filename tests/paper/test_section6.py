"""The claims of Section 6: all items are covered, and the verdicts are the recorded ones."""

from __future__ import annotations

import re

import pytest
from flint import fmpq
from marks import quick

from orca_exact.errors import Undecided
from proofs_checks import linear_program
from proofs_checks.experiments.optima import printed_tables
from proofs_checks.ledger.claims import (
    EXTENTS,
    FAILS,
    HOLDS,
    OUR_SPIRAL,
    SEVERITIES,
    UNDECIDED,
    Less,
    claims,
)
from proofs_checks.linear_program import (
    excludes,
    farkas_weights,
    least_margin,
    positive_combination,
    smallest_value,
)
from proofs_checks.section6 import arms, separation
from proofs_checks.section6.consistency import CONTRADICTORY
from proofs_checks.section6.echocardiogram import REFUTED
from proofs_checks.section6.values import (
    E1,
    cell_rounds_to,
    flat_threshold,
    interval,
    mode_counts,
    printed_value,
    uniform_threshold,
)

LEDGER = {c.id: c for c in claims(section="6")}
OWN = (
    "print", "captions", "spiral", "echocardiogram", "records", "decision", "arms", "low_order",
    "parity_tool", "separation",
)  # fmt: skip


def module(claim):
    return getattr(getattr(claim.check, "func", claim.check), "__module__", "").rpartition("section6.")[2]


MINE = [c for c in LEDGER.values() if module(c).startswith(OWN)]


def test_how_far_how_bad_and_whose_sentence():
    assert {module(c) for c in MINE} >= set(OWN)
    for claim in MINE:
        assert (claim.extent in EXTENTS) is (claim.expect == HOLDS), claim.id
        assert (claim.severity in SEVERITIES) is (claim.expect == FAILS), claim.id
        if claim.statement:
            first = LEDGER[claim.statement]
            assert not first.statement, f"{claim.id}: a sentence is judged under one id"
            if first.expect != claim.expect and not claim.id.endswith("/family"):
                assert claim.reading and first.reading, f"{claim.id}: two verdicts come of two readings"


def test_a_sentence_is_refuted_once():
    """Other readings, our spiral, certified values and repeated cells are not counted as errors."""
    refuted = {c.id for c in MINE if c.expect == FAILS and not c.statement and c.subject != OUR_SPIRAL}
    cells = {"/".join((id, f"n={n}", column)) for id, n, column in REFUTED if column != "odd"}
    assert refuted == cells | {
        "tab-spiral-legendre/parity", "tab-spiral-legendre/degrees", "exp-subsections", "swap-pairs-shown",
        "tables-report-all", "caption-F-parentheses", "disc-imbalance-persistent", "disc-monotone",
        "disc-n8-compact", "disc-okc2-grows", "disc-decrease-together", "disc-even-055", "echo-m61",
        "echo-disperses", "echo-okc1-n10", "echo-coupling", "echo-parity-tool",
    }  # fmt: skip


RELATION = re.compile(r"[<>=]|\\(le|ge|ne|in|notin|iff|uparrow|downarrow|leftrightarrow)(?![a-z])")


def test_a_display_says_something_and_says_it_once():
    """A formula has a relation sign, and none belongs to a true and a false claim, except for tables."""
    own = [c for c in MINE if c.latex and c.subject != OUR_SPIRAL and not c.id.startswith("tab-")]
    assert not [c.id for c in own if not RELATION.search(c.latex)]
    true, false = ({c.latex: c.id for c in own if c.expect == outcome} for outcome in (HOLDS, FAILS))
    assert not [(true[display], false[display]) for display in true.keys() & false.keys()]


def test_exchanged_columns_are_one_error(echocardiogram):
    for id, n, column in REFUTED:
        if column in ("even", "odd"):
            assert "even and odd are exchanged in this row" in LEDGER[f"{id}/n={n}/{column}"].run().evidence
        if column == "odd":
            assert LEDGER[f"{id}/n={n}/odd"].statement == f"{id}/n={n}/even"
    assert LEDGER["tab-echo-legendre/orders"].statement == "tab-echo-legendre/n=2/OKC^(3)"


def test_a_refuted_cell_says_both_numbers_first(echocardiogram):
    said = LEDGER["tab-echo-legendre/n=2/OKC^(3)"].run().evidence
    assert said.startswith("Certified 0.366022, printed 0.360; ")
    assert (
        LEDGER["tab-echo-jacobi-a/n=5/T_0.05"].run().evidence.startswith("Certified T_0.05 = 16, printed 19")
    )


def test_words_for_readers_name_no_table_by_its_id():
    """The place of a failing identity names its row."""
    for c in MINE:
        if c.scope.startswith("the printed"):
            assert not re.search(r"tab-(spiral|echo)-[\w-]+[:,]", c.run().evidence), c.id
    assert LEDGER["tab-spiral-legendre/parity"].place == "section 6.1, Table 1, n = 5, line 1060"
    assert "0.9999" in LEDGER["tab-spiral-legendre/parity"].plain


def test_a_printed_decimal_is_an_interval():
    assert interval("0.001") == (fmpq(5, 10000), fmpq(15, 10000))
    assert Less(printed_value(E1, 10, "OKC^(1)"), fmpq(1, 1000)).decide() == UNDECIDED
    assert Less(printed_value(E1, 10, "OKC^(1)"), fmpq(16, 10000)).decide() == HOLDS
    assert (
        Less(printed_value(E1, 15, "OKC^(1)"), printed_value(E1, 25, "OKC^(1)")).decide() == UNDECIDED
    )  # both 0.000
    assert cell_rounds_to(printed_value, E1, 25, "OKC^(5)", "0.76").decide() == HOLDS
    assert (
        cell_rounds_to(printed_value, E1, 25, "OKC^(5)", "0.7600").decide() == FAILS
    )  # more than is printed
    assert LEDGER["echo-okc1-n10/print"].run().outcome == UNDECIDED


def test_decision_function_by_floats():
    """The decision function in balls agrees with the kernel expansion in float64."""
    from proofs_checks.experiments.figures import decision_function
    from proofs_checks.experiments.optima import certified_optimum, configuration
    from proofs_checks.section6.decision import edges, restrict_to_segment, upper_bound, value_at

    points = [(fmpq(1, 4), fmpq(0)), (fmpq(-3, 5), fmpq(1)), (fmpq(1, 7), fmpq(-2, 3))]
    Z = [[float(x.p) / float(x.q) for x in point] for point in points]
    for pair in (("0", "0"), ("2.5", "1.2")):
        expected = decision_function(certified_optimum(configuration("spiral", 8, *pair)), Z)
        assert [float(value_at(p, 8, *pair)) for p in points] == pytest.approx(expected, rel=1e-9)
    centre, sides = (fmpq(-1, 20), fmpq(1, 5)), (fmpq(1, 10), fmpq(1, 20))
    for edge in edges(centre, sides, 3):
        g = restrict_to_segment(edge, 8)
        for t in (-1, 0, 1):
            x, z = (p(fmpq(t)) for p in edge)
            assert g(t).overlaps(value_at((x, z), 8)) and value_at((x, z), 8) < upper_bound(g) + fmpq(
                1, 10**9
            )


def test_every_echocardiogram_cell_is_a_claim():
    for table in printed_tables().values():
        for row in table["rows"]:
            for column in table["columns"]:
                id = f"{table['id']}/n={row['n']}"
                if table["dataset"] == "spiral":
                    assert LEDGER[id].expect == (FAILS if (table["id"], row["n"]) in CONTRADICTORY else HOLDS)
                    continue
                claim = LEDGER[f"{id}/{column}"]
                wrong = (table["id"], row["n"], column) in REFUTED
                assert claim.expect == (FAILS if wrong else HOLDS)
                assert not wrong or LEDGER[claim.correction].expect == HOLDS


@pytest.mark.parametrize(
    "id",
    [c.id for c in LEDGER.values() if c.scope.startswith("the printed") or c.id.startswith("spiral-odd")],
)
def test_claims_that_need_no_data(id):
    verdict = LEDGER[id].run()
    assert verdict.as_expected and verdict.outcome == verdict.expected, verdict.evidence


FAMILY = [id for id in LEDGER if id.endswith("/family")]


@pytest.mark.parametrize("id", quick(FAMILY, set(FAMILY) - {"disc-okc0-exact/family"}))
def test_sentences_on_our_spiral(id):
    verdict = LEDGER[id].run()
    assert verdict.outcome == verdict.expected, verdict.evidence


CERTIFIED = [id for id in LEDGER if id.endswith("/certified")]


@pytest.mark.parametrize("id", quick(CERTIFIED, CERTIFIED[::3]))
def test_sentences_on_the_data(id, echocardiogram):
    verdict = LEDGER[id].run()
    assert verdict.outcome == verdict.expected, verdict.evidence


def test_claims_on_absent_data_use_stored_values_or_are_skipped(monkeypatch, tmp_path):
    from proofs_checks.experiments import optima as experiments

    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    experiments._data.cache_clear()
    experiments.configuration.cache_clear()
    experiments.certified_row.cache_clear()
    for id in ("tab-echo-legendre/n=2/OKC^(3)", "tab-echo-legendre/n=2/even", "echo-n25-760/certified"):
        verdict = LEDGER[id].run()
        assert (verdict.outcome, verdict.source, verdict.extent) == (LEDGER[id].expect, "stored", "")
        assert verdict.as_expected and verdict.word.endswith("(stored)")
    for id in ("echo-m61", "echo-coupling", "echo-parity-tool-corrected", "tab-echo-features"):
        assert (LEDGER[id].run().outcome, LEDGER[id].run().source) == (LEDGER[id].expect, "stored")
    for id in ("echo-two-routes", "echo-stored-values"):  # about the data and the stored values themselves
        verdict = LEDGER[id].run()
        assert (verdict.outcome, verdict.as_expected, verdict.source) == ("SKIPPED", True, "computed")
        assert "orca-exact data echocardiogram" in verdict.evidence
    assert LEDGER["disc-monotone"].run().source == "computed"
    experiments._data.cache_clear()
    experiments.configuration.cache_clear()


def test_uniform_thresholds_by_enumeration():
    """The mode count by multiplication of polynomials agrees with enumeration of every mode."""
    from itertools import product

    counts = [0] * 11
    for k in product(range(3), repeat=5):
        counts[sum(k)] += any(k)
    assert mode_counts(2, 5) == counts
    assert [uniform_threshold(2, 5, e) for e in ("0.10", "0.05", "0.01")] == [7, 8, 9]
    assert [flat_threshold(25, 5, e) for e in ("0.10", "0.05", "0.01")] == [113, 119, 124]


@pytest.mark.parametrize("proposal", [None, "rounded"])
def test_a_failed_proposal_decides_nothing(monkeypatch, proposal):
    """A linear program that fails, or whose weights do not certify, refutes nothing."""
    right = separation.farkas

    def wrong(features, arm):
        weights = right(features, arm)
        return [v + 1 for v in weights] if proposal and weights else None

    monkeypatch.setattr(separation, "farkas", wrong)
    assert LEDGER["spiral-low-degree"].run().outcome == UNDECIDED
    monkeypatch.setattr(separation, "separator", lambda features, arm: None)
    assert LEDGER["spiral-low-degree"].run().outcome == UNDECIDED


@pytest.mark.parametrize("proposal", [None, [fmpq(0)] * 8, [fmpq(1)] * 8])
def test_a_polynomial_that_does_not_separate_decides_nothing(monkeypatch, proposal):
    monkeypatch.setattr(arms, "additive_polynomial", lambda arm: proposal)
    assert LEDGER["disc-coupling/every"].run().outcome == UNDECIDED
    assert LEDGER["disc-coupling-corrected"].run().outcome == UNDECIDED


def test_a_closed_path_is_proved_by_newton_s_method():
    """Angles that are not near a path prove none; the path of an arm is no path of a shorter one."""
    arm, near = arms.paths()["two turns from the angle pi/2"]
    assert arms.closed_path(near, arm, "").decide() == HOLDS
    assert arms.closed_path((near[0],) * 4, arm, "").decide() == UNDECIDED
    assert arms.closed_path(near, arms.one_and_a_half(fmpq(1, 2)), "").decide() == FAILS


def test_the_points_of_a_closed_path_in_floats():
    """Neighbours share a coordinate by turns, and the points are alternately on the two arms."""
    import math

    for near in (arms.FOUR_POINTS, arms.SIX_POINTS):
        points = [((-1) ** i * t * math.cos(t), (-1) ** i * t * math.sin(t)) for i, t in enumerate(near)]
        for i, point in enumerate(points):
            following = points[(i + 1) % len(points)]
            assert point[1 - i % 2] == pytest.approx(following[1 - i % 2], abs=1e-12)


def test_two_routes_see_every_ball(monkeypatch, echocardiogram):
    """A block that is too wide makes the claim undecided, even if other blocks are narrow."""
    from flint import arb

    from orca_exact.profile.enumeration import Enumeration

    right = Enumeration.blocks

    def wide(self):
        C = right(self)
        C[1, 1] = C[1, 1] + arb(0, 1000)
        return C

    monkeypatch.setattr(Enumeration, "blocks", wide)
    assert LEDGER["echo-two-routes"].run().outcome == UNDECIDED


def test_farkas_weights_refute_and_a_separator_separates():
    """Farkas weights and separators exclude each other: one exists exactly if the other does not."""
    arm = separation.first_arm()
    for degree, separable in ((3, False), (5, False), (9, True)):
        rows = [[v**k for v in point for k in range(1, degree + 1, 2)] for point in arm]
        found, weights = positive_combination(rows), farkas_weights(rows)
        assert (smallest_value(found, rows) > 0) is separable
        assert (weights is None or not excludes(weights, rows)) is separable
        assert (least_margin(rows) > 0) is separable


def test_a_margin_that_neither_certificate_confirms_is_undecided(monkeypatch):
    monkeypatch.setattr(linear_program, "positive_combination", lambda values: None)
    monkeypatch.setattr(linear_program, "farkas_weights", lambda values: [fmpq(-1), fmpq(2)])
    with pytest.raises(Undecided):
        least_margin([[fmpq(1)], [fmpq(2)]])
