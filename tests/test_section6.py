"""Section 6 as claims: every item of the paper is there, verdicts are the recorded ones."""

from __future__ import annotations

import pytest

from orca_exact.paper.claims import FAILS, HOLDS, UNDECIDED, claims
from orca_exact.paper.experiments import printed_tables
from proofs_checks import section6_separation as separation
from proofs_checks.section6_echocardiogram import REFUTED
from proofs_checks.section6_values import mode_counts, uniform_threshold

LEDGER = {c.id: c for c in claims(section="6")}


def test_every_echocardiogram_cell_is_a_claim():
    for table in printed_tables().values():
        for row in table["rows"]:
            for column in table["columns"]:
                id = f"{table['id']}/n={row['n']}"
                if table["dataset"] == "spiral":
                    assert LEDGER[id].expect == UNDECIDED
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


@pytest.mark.parametrize("id", [id for id in LEDGER if id.endswith("/family")])
def test_sentences_on_our_spiral(id):
    verdict = LEDGER[id].run()
    assert verdict.outcome == verdict.expected, verdict.evidence


@pytest.mark.parametrize("id", [id for id in LEDGER if id.endswith("/certified")])
def test_sentences_on_the_data(id, echocardiogram):
    verdict = LEDGER[id].run()
    assert verdict.outcome == verdict.expected, verdict.evidence


def test_claims_on_absent_data_are_skipped_with_the_command(monkeypatch, tmp_path):
    from orca_exact.paper import experiments

    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    experiments._data.cache_clear()
    experiments.certified_row.cache_clear()
    for id in ("tab-echo-legendre/n=2/OKC^(3)", "echo-m61", "echo-n25-760/certified", "echo-coupling"):
        verdict = LEDGER[id].run()
        assert (verdict.outcome, verdict.as_expected) == ("SKIPPED", True)
        assert "orca-exact data echocardiogram" in verdict.evidence
    experiments._data.cache_clear()


def test_uniform_thresholds_by_enumeration():
    """The mode count by multiplication of polynomials against enumeration of every mode."""
    from itertools import product

    counts = [0] * 11
    for k in product(range(3), repeat=5):
        counts[sum(k)] += any(k)
    assert mode_counts(2, 5) == counts
    assert [uniform_threshold(2, 5, e) for e in ("0.10", "0.05", "0.01")] == [7, 8, 9]


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
    assert LEDGER["disc-coupling"].run().outcome == UNDECIDED
    assert LEDGER["disc-coupling-corrected"].run().outcome == UNDECIDED


def test_two_routes_see_every_ball(monkeypatch, echocardiogram):
    """A block so wide that it proves nothing is not lost beside a narrow one."""
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
    """Two certificates that cannot both exist: each is found exactly where the other is not."""
    arm = separation.first_arm()
    for degree, separable in ((3, False), (5, False), (9, True)):
        features = separation.odd_features(degree, additive=True)
        weights = separation.farkas(features, arm)
        assert (separation.least_value(features, arm) > 0) is separable
        assert (weights is None or min(weights) < 0) is separable
