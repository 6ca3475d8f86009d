"""The stored proofs in Rocq of printed cells: they belong to the present theory and agree with the ledger."""

from __future__ import annotations

import pytest

from orca_exact.numbers.rationals import bounds
from orca_exact.rocq.certificate import theory_digest
from orca_exact.rocq.claims import IndexClaim
from orca_exact.rocq.compiler import CLOSED
from orca_exact.rocq.proof import text_digest
from proofs_checks.experiments import machine_checked as proofs
from proofs_checks.experiments import stored
from proofs_checks.experiments.tables import REFUTED, UNSETTLED, column_value, compare_printed
from proofs_checks.ledger.claims import claims

ROWS = proofs.machine_checked_rows()


def test_the_proofs_belong_to_the_present_theory():
    assert proofs.outdated() == ""
    assert {row["theory"] for row in proofs.stored_file()["rows"]} == {theory_digest()}


def test_no_axiom_was_used():
    assert {proofs.stored_proof(row)["assumptions"] for row in ROWS} == {CLOSED}


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_rocq_and_the_ledger_agree(row):
    """The verdict from the proved enclosure alone is that of the certified value, and no cell is open."""
    certified, known = stored.stored_row(*row), {claim.id: claim for claim in claims()}
    found = list(proofs.machine_checked_cells(row))
    assert len(found) == 11
    for cell in found:
        value = column_value(certified, cell.column)
        assert cell.verdict == compare_printed(cell.printed, value) != UNSETTLED
        claim = known[f"{row[0]}/n={row[1]}/{cell.column}"]
        assert (claim.expect == "FAILS") == (cell.verdict == REFUTED)
        if not isinstance(value, int):
            low, high = bounds(value, 12)
            assert cell.lower <= low and high <= cell.upper


def test_the_verdict_depends_on_the_enclosure():
    compare = proofs._compare
    assert [compare("0.360", *map(proofs.QQ, ends)) for ends in (
        ("0.3595", "0.3605"), ("0.366", "0.367"), ("0.3604", "0.3606"), ("0.3", "0.4"),
    )] == ["confirmed", "refuted", "undecided", "undecided"]  # fmt: skip
    assert [compare("19", proofs.QQ(T), proofs.QQ(T)) for T in (19, 16)] == ["confirmed", "refuted"]


def test_stored_proofs_of_another_theory_do_not_count(monkeypatch):
    monkeypatch.setattr(proofs, "theory_digest", lambda: "0" * 64)
    proofs._rows.cache_clear()
    try:
        assert proofs.COMMAND in proofs.outdated()
        assert proofs.machine_checked_rows() == []
        assert proofs.find_machine_checked("tab-echo-legendre/n=2/OKC^(3)") is None
    finally:
        proofs._rows.cache_clear()


def test_the_file_has_no_records():
    kept = {key for row in proofs.stored_file()["rows"] for key in row}
    assert kept == {"table", "n", "problem", "level", "file", "theory", "coqc", "seconds", "assumptions",
                    "bytes", "claims"}  # fmt: skip


@pytest.mark.parametrize("row", [row for row in ROWS if row[1] <= 2], ids=str)
def test_the_stored_file_is_the_one_that_is_written_now(row, echocardiogram):
    """The same data, theory and claims give the commands that were compiled, byte by byte."""
    certificate = proofs.row_certificate(row)
    stored_row = proofs.stored_proof(row)
    assert text_digest(certificate.body()) == stored_row["file"]
    assert len(certificate.body()) == stored_row["bytes"]
    assert certificate.problem.sha256 == stored_row["problem"]
    assert proofs.stored_file()["data"] == echocardiogram.sha256
    listed = [
        c.to_json() for c in certificate.claims if not (isinstance(c, IndexClaim) and c.family == "degree")
    ]
    assert listed == stored_row["claims"]
