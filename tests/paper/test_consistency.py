"""Rational certificates for and against a printed row of Tables 1 and 2."""

from dataclasses import replace

import pytest
from flint import fmpq

from proofs_checks.ledger.claims import FAILS, HOLDS, UNDECIDED, claims
from proofs_checks.ledger.mutants import patched
from proofs_checks.section6 import consistency, values
from proofs_checks.section6.consistency import conditions, contradiction, masses, modes, satisfied
from proofs_checks.section6.values import S1, S2

ROWS = [(id, n) for id in (S1, S2) for n in values.row_degrees(id)]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_masses_give_the_printed_numbers(row):
    """The proposed masses are nonnegative, sum to 1 and round to every printed share."""
    id, n = row
    found = masses(list(conditions(id, n)), n)
    if row == (S1, 5):
        assert found is None
        return
    assert all(x >= 0 for x in found.values()) and sum(found.values(), fmpq(0)) == 1
    for column, chosen in consistency.SHARES.items():
        low, high = values.interval(values.printed_text(id, n, column))
        assert low <= sum((x for mode, x in found.items() if chosen(mode)), fmpq(0)) < high, column
    degree = [sum((x for (_, N), x in found.items() if k == N), fmpq(0)) for k in range(2 * n + 1)]
    assert degree.index(max(degree)) == int(values.printed_text(id, n, "N*")) or degree.count(max(degree)) > 1
    for column in values.EPS:
        if (text := values.printed_text(id, n, column)) != "--":
            eps, T = fmpq(int(column[4:]), 100), int(text)
            assert sum(degree[: T + 1], fmpq(0)) >= 1 - eps > sum(degree[:T], fmpq(0)), column


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ((S1, 8, "T_0.10"), "16"),
        ((S1, 8, "N*"), "16"),
        ((S1, 8, "OKC_1"), "0.1500"),
        ((S1, 16, "N*"), "30"),
        ((S2, 14, "even"), "0.9000"),
    ],
)
def test_a_wrong_row_is_refuted_by_multipliers(cell, text):
    id, n, _ = cell
    with patched(values, "EDITS", {cell: text}):
        found = list(conditions(id, n))
        assert masses(found, n) is None and contradiction(found, n)


def test_a_strict_bound_matters():
    """Row n = 5 fails only because the upper ends do not round to the printed decimals."""
    found = list(conditions(S1, 5))
    assert contradiction(found, 5)
    assert contradiction([replace(c, strict=False) for c in found], 5) is None
    for mode in modes(5):
        assert not satisfied(consistency.Condition({mode: 1}, fmpq(0), True, ""), {mode: fmpq(0)})


def test_a_failed_proposal_decides_nothing(monkeypatch):
    row = next(c for c in claims() if c.id == f"{S1}/n=8")
    assert row.run().outcome == HOLDS
    monkeypatch.setattr(consistency, "masses", lambda found, n: None)
    assert row.run().outcome == UNDECIDED
    wrong = next(c for c in claims() if c.id == f"{S1}/n=5")
    assert wrong.run().outcome == FAILS
    monkeypatch.setattr(consistency, "contradiction", lambda found, n: None)
    assert wrong.run().outcome == UNDECIDED
