"""The referee's letter has the counts of the summary, and each entry has what a referee needs."""

from __future__ import annotations

import re

import pytest
from here import ROOT

from orca_exact.files.outcomes import FAILS
from proofs_checks.ledger import claims as ledger
from proofs_checks.ledger.claims import OUR_SPIRAL, Claim, Equal, claims
from proofs_checks.ledger.headline import headline
from proofs_checks.ledger.summary import recorded
from proofs_checks.ledger.wording import statement_text
from proofs_checks.letter import REMARKS, chapters, opening


@pytest.fixture(scope="module")
def letter():
    return chapters((c, c.recorded()) for c in claims())


def test_it_counts_what_the_summary_counts(letter):
    found = recorded()
    numbers = [len(chapter.entries) for chapter in letter]
    assert numbers == [*found.severities.values(), len(found.slips)]
    assert letter[-1].title == "Slips of print and grammar"
    pairs = [(c, c.recorded()) for c in claims()]
    assert opening(pairs)[:-2] == headline(pairs).paragraphs()


def test_readings_that_fail_and_our_own_spiral_are_not_in_the_letter(letter):
    shown = {e.claim.id for chapter in letter for e in chapter.entries}
    found = recorded()
    assert not shown & {error.first.id for error in found.arguable_errors}
    assert not shown & {c.id for c in claims() if c.subject == OUR_SPIRAL}
    assert not any("our spiral" in e.failure for chapter in letter for e in chapter.entries)


def test_each_error_says_how_it_is_read_why_it_fails_and_what_holds(letter):
    for chapter in letter:
        for e in chapter.entries:
            labels = [line.label for line in e.lines()]
            assert labels[0] in ("We read this as", "It prints") and labels[-1] == "Evidence", e.claim.id
            assert "It holds in this form" in labels and (e.failure or e.entry), e.claim.id
            assert re.match(r"Section \d|Abstract", e.place), e.place
            assert re.search("paragraph|Table|Figure|Definition|eq\\.", e.place)  # not by a line alone
            assert "The paper" not in labels  # without a copy nothing is quoted


def test_the_counterexample_is_the_verdict_s_and_symbols_stay_small(monkeypatch):
    claims()
    made = {
        c.id: c
        for c in (
            Claim("said", "section 1, eq. (1)", "as printed: d = 2: all is one",
                  lambda: Equal(2, 3, "the share"),
                  expect=FAILS, severity="wrong statement", correction="right", plain="It is three."),
            Claim("right", "section 1, eq. (1)", "corrected: all is three", lambda: Equal(3, 3), latex="x=3"),
        )
    }  # fmt: skip
    monkeypatch.setattr(ledger, "_CLAIMS", made)
    (chapter,) = chapters((c, c.run()) for c in made.values())
    (entry,) = chapter.entries
    lines = entry.lines()
    assert chapter.title == "Wrong statements"
    assert [(line.label, line.text) for line in lines[:4]] == [
        ("We read this as", "d = 2: all is one."),
        ("It fails", "It is three."),
        ("Counterexample", "The share: 2 ≠ 3."),
        ("It holds in this form", "All is three."),
    ]
    assert lines[2].formula == ("2 ≠ 3", r"2 \ne 3") and lines[3].display == "x=3"
    assert statement_text(made["right"]) == "All is three"
    (chapter,) = chapters((c, c.recorded()) for c in made.values())
    assert "Counterexample" not in [line.label for line in chapter.entries[0].lines()]  # nothing was computed


def test_the_documentation_says_the_same(letter, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import generate

    from proofs_checks.mathtext import to_html

    page = generate.paper_errors()
    for chapter in letter:
        assert f"## {chapter.title} ({len(chapter.entries)})" in page
        for entry in chapter.entries:
            assert to_html(entry.place).replace("*", "\\*") in page  # typeset as in the report
            for line in entry.lines():
                assert generate.cell(line.text) in page, line.text
    for remark in REMARKS:
        assert f"## {remark.title}" in page and generate.cell(remark.text) in page
    assert "5 ≠ 10" in page and "n = 1: 5n" in page  # computed here
