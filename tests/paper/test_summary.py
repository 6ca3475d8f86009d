"""The summary counts each sentence once, the most severe first, and separates samples from proofs."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from command import orca

from orca_exact.cli.terminal import Output
from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED
from proofs_checks.ledger import claims as ledger
from proofs_checks.ledger import theorems as formal
from proofs_checks.ledger.claims import CELL, FINITE, FOR_ALL, OUR_SPIRAL, SAMPLED, Claim, Equal
from proofs_checks.ledger.summary import errors, other_claims, recorded, summary
from proofs_checks.ledger.verdict import TRANSCRIBED, UNCOMPILED
from proofs_checks.verbs.counts import summary_table
from proofs_checks.verbs.writers import writer


def made(id: str, holds: bool = False, **fields) -> Claim:
    place = fields.pop("place", "section 9.1, line 1")
    expect = fields.pop("expect", HOLDS if holds else FAILS)
    return Claim(id, place, id, lambda: Equal(1, 1 if holds else 2), expect=expect, **fields)


PRINT = made("sums", severity="wrong statement")
DATA = made("sums/certified", severity="wrong number", statement="sums")
TYPO = made("typo", severity="typographical")
OURS = made("sums/family", statement="sums", scope=f"{OUR_SPIRAL}: nothing follows")
OTHER = made("word", severity="imprecise wording", reading="as printed")
KIND = made("word/kind", True, statement="word", reading="as meant", extent=SAMPLED)
NUMBER = made("tab/n=1/even", group="tab/n=1")
EVERY = made("every", True, extent=FOR_ALL)
ALL = [TYPO, PRINT, DATA, OURS, OTHER, KIND, NUMBER, EVERY]


@pytest.fixture
def registry(monkeypatch):
    ledger.claims()
    monkeypatch.setattr(ledger, "_CLAIMS", {c.id: c for c in ALL})


def test_a_sentence_counts_once_and_the_worst_leads():
    found = errors(c for c in ALL if c.expect == FAILS)
    assert [(e.first.id, e.severity) for e in found] == [
        ("tab/n=1/even", "wrong number"),
        ("sums", "wrong statement"),  # of the sentence as printed, not of its other claims
        ("word", "imprecise wording"),
        ("typo", "typographical"),
    ]
    assert not any(error.arguable for error in found)
    assert [c.id for c in found[1].claims] == ["sums", "sums/certified"]
    assert errors([OURS]) == []
    later = made("zz", severity="wrong number")
    assert [e.first.id for e in errors([NUMBER, later])] == ["zz", "tab/n=1/even"]  # sentences before cells


def test_a_cell_is_a_finite_statement_or_a_wrong_number():
    assert NUMBER.subject == CELL and NUMBER.severity == "wrong number"
    assert made("tab/n=1/odd", True, group="tab/n=1").extent == FINITE
    assert not made("open", group="open", expect=UNDECIDED).extent


def rows(found) -> dict[str, tuple]:
    return {row.kind: row[2:] for row in found.rows}


def test_samples_are_counted_separately():
    found = summary((c, c.run()) for c in ALL)
    assert found.counts == {HOLDS: 2, FAILS: 6, UNDECIDED: 0, "SKIPPED": 0, "unexpected": 0}
    assert found.extents == {FOR_ALL: 1, UNCOMPILED: 0, FINITE: 0, SAMPLED: 1, TRANSCRIBED: 0}
    assert (len(found.errors), len(found.slips), found.spiral_failures) == (3, 1, 1)
    assert found.severities == {"wrong number": 1, "wrong statement": 1, "imprecise wording": 1}
    assert KIND.run().word == "HOLDS (sampled)" and EVERY.run().word == HOLDS
    assert rows(found) == {
        "for all cases: exact identity": (1, None),
        "checked on samples only, which is not a proof": (1, None),
        "error of the paper: wrong statement": (2, 1),
        "error of the paper: wrong number": (1, 1),
        "error of the paper: imprecise wording": (1, 1),
        "slip of print or grammar, not counted as an error": (1, 1),
        "not an error: fails on our own spiral": (1, None),
    }
    assert sum(row.claims for row in found.rows) == len(ALL)
    table = summary_table(found).markdown()
    assert "|  | error of the paper: wrong statement | 2 | 1 |" in table
    assert table.endswith(f"| total |  | {len(ALL)} |  |")


def test_an_unexpected_failure_is_not_an_error_of_the_paper():
    found = summary((c, c.run()) for c in [PRINT, made("ours", expect=HOLDS)])
    assert (len(found.errors), found.counts["unexpected"]) == (1, 1)
    assert rows(found) == {
        "error of the paper: wrong statement": (1, 1),
        "not as recorded: probably an error of this program; please report it": (1, None),
    }


def test_a_theorem_checked_here_makes_it_for_all(monkeypatch):
    known = formal.theorems()[0].covers[0]
    c, kinds = replace(KIND, id=known, statement="", extent=SAMPLED), []
    for said, extent, word in (
        (formal.CHECKED, FOR_ALL, HOLDS), (formal.NOT_CHECKED, UNCOMPILED, "HOLDS (uncompiled)"),
    ):  # fmt: skip
        monkeypatch.setattr(formal, "general", lambda claim, said=said: said)
        verdict = c.verdict(HOLDS, "", 0.0)
        assert (verdict.extent, verdict.word) == (extent, word)
        assert replace(c, extent=FINITE).verdict(HOLDS, "", 0.0).extent == FINITE  # no theorem makes it more
        assert replace(c, extent=FOR_ALL).verdict(HOLDS, "", 0.0).extent == FOR_ALL
        found = summary([(c, verdict), (EVERY, EVERY.verdict(HOLDS, "", 0.0))])
        assert (found.extents[extent], found.compiled) == ((2, 1) if extent == FOR_ALL else (1, 0))
        kinds.append(list(rows(found)))
    assert kinds == [
        ["for all cases: machine-checked proof", "for all cases: exact identity"],
        ["for all cases: proof not compiled here", "for all cases: exact identity"],
    ]
    assert c.verdict(FAILS, "", 0.0).extent == ""
    assert c.recorded().extent == FOR_ALL


def test_both_readings_stand_together(registry):
    assert [c.id for c in other_claims(OTHER)] == ["word/kind"] and other_claims(EVERY) == other_claims(
        OURS
    ) == []
    assert [c.id for c in ledger.claims()][:3] == ["typo", "sums", "sums/certified"]
    stream = io.StringIO()
    for format in ("text", "markdown"):
        write = writer(format, Output(stream, io.StringIO()), ALL, False)
        for c in (OTHER, KIND):
            write.verdict(c.run())
    text = " ".join(stream.getvalue().split())
    for said in (
        "reading: as printed same", "same sentence, HOLDS (sampled) (word/kind), reading: as meant",
        "reading: as meant same", "same sentence, FAILS (word), reading: as printed",
    ):  # fmt: skip
        assert text.replace("; same", " same").count(said) == 2, said
    assert "✓ HOLDS (sampled)" in text and "| HOLDS (sampled) |" in text
    assert "[imprecise wording]" in text and "| FAILS (imprecise wording) |" in text


def test_a_correction_is_no_reading(registry, monkeypatch):
    right = made("sums-corrected", True, statement="sums")
    wrong = replace(PRINT, correction="sums-corrected")
    monkeypatch.setattr(ledger, "_CLAIMS", {c.id: c for c in (wrong, DATA, right)})
    assert [c.id for c in other_claims(wrong)] == ["sums/certified"]
    monkeypatch.setitem(ledger._CLAIMS, "sums-corrected", replace(right, reading="as meant"))
    assert [c.id for c in other_claims(wrong)] == ["sums/certified", "sums-corrected"]
    assert not errors([wrong, DATA])[0].arguable  # the sentence itself fails


def test_a_sentence_that_only_another_reading_refutes_is_no_error(registry, monkeypatch):
    meant = made("zeal", True, extent=FINITE, reading="as meant")
    other = made("zeal/other", statement="zeal", severity="imprecise wording", reading="to the letter")
    for c in (meant, other):
        monkeypatch.setitem(ledger._CLAIMS, c.id, c)
    found = summary((c, c.run()) for c in (OTHER, meant, other))
    assert [e.first.id for e in found.errors] == ["word"]
    assert [e.first.id for e in found.arguable_errors] == ["zeal/other"]
    more = replace(DATA, correction="zeal")
    assert not errors([more])[0].arguable  # judged alone, and the bare id is recorded as refuted
    assert rows(found)["not an error: only another reading fails"] == (1, 1)


def test_only_what_is_asked_for(registry):
    chosen = {}
    for kind in ("refuted", "undecided", "sampled", "holds"):
        code, out, _ = orca("verify", "--only", kind, "--format", "json", "-j", "1")
        *_, footer = lines = [json.loads(line) for line in out.splitlines()]
        chosen[kind] = {line["claim"] for line in lines[1:-1]}
        assert code == 0 and footer["extents"][SAMPLED] == len(chosen[kind] & {"word/kind"})
    assert chosen == {
        "refuted": {c.id for c in ALL} - {"word/kind", "every"}, "undecided": set(),
        "sampled": {"word/kind"}, "holds": {"word/kind", "every"},
    }  # fmt: skip
    assert "Summary: 0 claims" in orca("verify", "--only", "undecided", "-j", "1")[1]


def test_the_hint_names_the_most_severe_error(registry):
    code, out, _ = orca("verify", "-j", "1")
    assert code == 0 and "orca-exact claim 'tab/n=1/even'" in " ".join(out.split())


def test_explain_runs_both_readings(registry):
    told = json.loads(orca("claim", "word", "--format", "json")[1])
    assert told["verdict"] == "FAILS (imprecise wording)" and told["read as"] == "as printed"
    assert told["same sentence"] == "HOLDS (sampled), reading: as meant [word/kind]"


def test_the_ledger_is_sound():
    known = {c.id: c for c in ledger.claims()}
    for c in known.values():
        assert not c.statement or c.statement in known, c.id
        assert c.sentence == known[c.sentence].sentence, c.id
    found = recorded()
    assert sum(found.severities.values()) == len(found.errors) <= found.counts[FAILS]
    assert not any(c.subject == OUR_SPIRAL for e in found.errors for c in e.claims)
