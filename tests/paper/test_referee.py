"""The referee's letter has the counts of the summary, and each entry has what a referee needs."""

from __future__ import annotations

import re

import pytest
from here import ROOT

from orca_exact.files.outcomes import FAILS
from proofs_checks.ledger import claims as ledger
from proofs_checks.ledger.claims import Claim, Equal, claims
from proofs_checks.ledger.headline import answer, headline
from proofs_checks.ledger.summary import recorded
from proofs_checks.letter import REMARKS, chapters, opening, statement_text


@pytest.fixture(scope="module")
def letter():
    return chapters((c, c.recorded()) for c in claims())


def test_it_counts_what_the_summary_counts(letter):
    found = recorded()
    assert sum(len(chapter.entries) for chapter in letter if chapter.errors) == len(found.errors)
    other, ours = (chapter for chapter in letter if not chapter.errors)
    assert (len(other.entries), len(ours.entries)) == (len(found.arguable_errors), found.spiral_failures)
    assert all(chapter.title.startswith("Not errors: ") for chapter in (other, ours))
    numbers = [len(chapter.entries) for chapter in letter if chapter.errors]
    assert numbers == list(found.severities.values())
    first, items, *rest = opening((c, c.recorded()) for c in claims())
    whole = headline((c, c.recorded()) for c in claims())
    assert first == answer(whole) and items == " ".join(whole.lines())
    assert re.findall(r"\d+", " ".join(rest)) == [
        str(n) for n in (len(found.errors), *numbers, len(found.arguable_errors), found.spiral_failures)
    ]


def test_each_error_says_what_is_true_and_where_it_stands(letter):
    for chapter in letter:
        for entry in chapter.entries:
            labels = [line.label for line in entry.lines]
            assert labels[-2:] == ["Where", "Evidence"], entry.claim
            where = entry.lines[-2].text
            assert re.match(r"Section \d|Abstract", where), where
            assert re.search("paragraph|Table|Figure|Definition|eq\\.", where), where  # not by a line alone
            assert entry.lines[-1].claims, entry.claim
            if chapter.errors:
                assert "What is true" in labels, entry.claim
                truth = next(line.text for line in entry.lines if line.label == "What is true")
                assert truth.endswith(".") and "A printed decimal stands" not in truth
            assert labels.count("Counterexample") <= 1


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
    assert (chapter.title, entry.states) == ("Wrong statements", "d = 2: all is one")
    assert [(line.label, line.text) for line in entry.lines[:3]] == [
        ("What is true", "It is three."),
        ("Counterexample", "The share: 2 ≠ 3."),
        ("Correction", "All is three. This holds."),
    ]
    assert entry.lines[1].formula == ("2 ≠ 3", r"2 \ne 3") and entry.lines[2].display == "x=3"
    assert statement_text(made["right"]) == "All is three"
    (chapter,) = chapters((c, c.recorded()) for c in made.values())
    assert "Counterexample" not in [line.label for line in chapter.entries[0].lines]  # nothing was computed


def test_the_documentation_says_the_same(letter, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import generate

    from proofs_checks.report.html import math_text_to_html

    page = generate.paper_errors()
    for chapter in letter:
        assert f"## {chapter.title} ({len(chapter.entries)})" in page
        for entry in chapter.entries:
            assert math_text_to_html(entry.states).replace("*", "\\*") in page  # typeset as in the report
            for line in entry.lines:
                assert generate.cell(line.text) in page, line.text
    for remark in REMARKS:
        assert f"## {remark.title}" in page and generate.cell(remark.text) in page
    assert "5 ≠ 10" in page and "n = 1: 5n" in page  # computed here
