"""The result in terms of the paper, the screen of ``verify``, places and errata."""

import csv
import io
import json
import re
from dataclasses import replace
from datetime import date

import pytest
from command import orca

from orca_exact.cli.terminal import Output
from orca_exact.errors import BadParameter
from proofs_checks.ledger import stored_study
from proofs_checks.ledger.claims import CELL, FAILS, HOLDS, OUR_THRESHOLD, claims
from proofs_checks.ledger.coverage import paper_items
from proofs_checks.ledger.errata import citation, errata, evidence_digest
from proofs_checks.ledger.headline import NOT_SENTENCES, ROW, headline, item_outcome, roles
from proofs_checks.ledger.places import ORPHAN, claims_at
from proofs_checks.ledger.summary import recorded, summary
from proofs_checks.ledger.verdict import SLIP
from proofs_checks.samples import CLASSIFIERS, define
from proofs_checks.verbs.errors import HEADINGS, latex
from proofs_checks.verbs.writers import TextWriter, writer


@pytest.fixture(scope="module")
def whole():
    return headline((c, c.recorded()) for c in claims())


def test_every_item_is_counted_once(whole):
    items = [item for item in paper_items() if item["kind"] not in NOT_SENTENCES]
    assert sum(whole.sentences.values()) == len(items) and whole.slips == len(recorded().slips)
    assert sum(sum(own.values()) for own in whole.sections.values()) == len(items)
    assert (whole.cells[HOLDS], whole.cells[FAILS]) == (283, 14)
    assert (whole.rows[HOLDS], whole.rows[FAILS]) == (14, 2)


def test_every_wrong_sentence_is_an_error():
    role, verdicts = roles(claims()), {c.id: c.recorded() for c in claims()}
    wrong = {
        item["id"] for item in paper_items()
        if item["kind"] not in NOT_SENTENCES and item_outcome(item["id"], role, verdicts) == FAILS
    }  # fmt: skip
    found = recorded()
    refuted = (*found.errors, *found.slips)
    listed = {id for error in refuted for c in error.claims for id in (c.id, *c.covers)}
    assert wrong <= listed


def test_every_error_is_a_wrong_sentence_cell_or_row():
    """An error that is no cell and no row belongs to an item of the paper that is counted as wrong."""
    role, verdicts = roles(claims()), {c.id: c.recorded() for c in claims()}
    for error in recorded().errors:
        if error.first.subject != CELL and not any(role[c.id] == ROW for c in error.claims):
            assert item_outcome(error.first.id, role, verdicts) == FAILS, error.first.id


def test_what_is_checked_on_our_spiral_only_is_undecided_for_the_paper():
    role, verdicts = roles(claims()), {c.id: c.recorded() for c in claims()}
    assert item_outcome("n8-clean", role, verdicts) == "UNDECIDED"
    assert item_outcome("disc-monotone", role, verdicts) == FAILS


def test_the_headline_names_each_conclusion_and_counts_cells_apart_from_numbers(whole):
    theory, conclusions, tables, errors = whole.paragraphs()
    wrong = [e for e in whole.errata if e.severity == "wrong conclusion"]
    assert conclusions.text.startswith(f"{len(wrong)} conclusion") and len(conclusions.members) == len(wrong)
    for e, said in zip(wrong, conclusions.members, strict=True):
        assert said.startswith("Section 6") and "sentence" in said and said.endswith(e.failure)
    assert f"{sum(whole.formal.values())} definitions, propositions and formulas" in theory.text
    assert "283 are right and 14 are wrong" in tables.text and "entries of the errata" in tables.text
    entries = sum(e.in_table for e in whole.errata if e.severity == "wrong number")
    assert entries > sum(e.entry for e in whole.errata)  # a row of Table 1 that contradicts itself
    assert f"({entries} of them in tables)" in errors.text and f"{len(whole.errata)} errors" in errors.text
    assert not any(e.slip for e in whole.errata)


def test_a_failure_of_the_theory_is_in_the_headline(whole):
    broken = replace(whole, formal=whole.formal | {FAILS: 1, HOLDS: whole.formal[HOLDS] - 1})
    assert "1 fail" in broken.paragraphs()[0].text and "All" not in broken.paragraphs()[0].text


def test_a_note_says_if_shuffled_labels_give_the_same():
    known = {c.id: c for c in claims()}
    evidence = known["echo-coupling/used"].run().evidence
    assert "100,000 of 100,000 shufflings" in evidence and "says nothing about the data" in evidence
    for row in stored_study.asked():
        if row.claim:
            (note, *_) = (n for n in stored_study.shuffled_notes(row.claim) if row.words in n.text)
            assert f"{row.shuffled:,} of {row.repeats:,}" in note.text


def test_the_remark_states_size_and_power_and_rounds_p_up():
    said = stored_study.remark()
    s = stored_study.published()
    assert f"Of the {len(s.orders)} printed orders {len(s.significant)} can be told" in said.members[0]
    assert len(s.orders) == 135 and [o.label for o in s.significant] == ["OKC^(1)"]
    null = next(row for row in s.power if row.kind == "null")
    assert f"{null.family} of {null.labellings} random labellings" in said.members[1]
    assert stored_study._up(0.03012) == "0.031" and stored_study._up(0.5) == "0.5"
    assert "contradict no sentence" in said.text


def test_a_threshold_of_ours_is_marked():
    marked = {c.id for c in claims() if OUR_THRESHOLD in c.reading}
    assert {"echo-even-odd", "echo-okc2-negligible", "disc-concentrates/half", "echo-continuous"} <= marked


@pytest.mark.parametrize(
    ("query", "some"),
    [
        ("eq. (30)", "eq-sec4-2-constant-bias"),
        ("(27)", "prop-finite-expansion"),  # 'eq. (26) to (28)'
        ("Table 4, n = 2", "tab-echo-legendre/n=2/OKC^(3)"),
        ("line 1421", "echo-five-times"),
        ("Proposition 4.1", "prop-finite-expansion"),
        ("figure 1", "fig1"),
    ],
)
def test_a_place_finds_its_claims(query, some):
    found = [c.id for c in claims_at(query)]
    assert some in found and len(found) < 40
    code, out, _ = orca("claim", query)
    assert code == 0 and some in out


def test_a_row_is_not_another_row():
    assert not {c.id for c in claims_at("Table 4, n = 1")} & {c.id for c in claims_at("Table 4, n = 10")}
    assert claims_at("echo-label") is None


def test_a_place_without_a_claim_is_an_error():
    code, _, err = orca("claim", "line 1")
    assert code == BadParameter.exit_code and "names a place without a claim" in err


def test_explain_names_mutants_only_if_asked():
    assert "faults detected" not in orca("claim", "example-46656")[1]
    assert "faults detected" in orca("claim", "example-46656", "-v")[1]


def test_explain_defines_the_test_problems():
    out = orca("claim", "bias-unregularized")[1]
    assert "test problems" not in out
    fields = json.loads(orca("claim", "eq-decision", "--format", "json")[1])
    named = [name for name in CLASSIFIERS if f"'{name}'" in f"{fields['in words']} {fields['evidence']}"]
    assert named and fields["test problems"] == "\n".join(map(define, named))


def test_errata_in_every_format(paper, monkeypatch):
    monkeypatch.delenv("ORCA_EXACT_PAPER", raising=False)
    found = errata(recorded())
    assert len(found) == len(recorded().errors) + len(recorded().slips)
    rows = list(csv.reader(io.StringIO(orca("errors", "--format", "csv")[1])))
    assert tuple(rows[0]) == HEADINGS and [row[-1] for row in rows[1:]] == [e.claim.id for e in found]
    assert not any(row[2] for row in rows[1:])  # without a copy the paper is not quoted
    quoted = list(csv.reader(io.StringIO(orca("errors", "--format", "csv", "--paper", str(paper))[1])))
    raw = " ".join(ORPHAN.sub(" ", paper.read_text(encoding="utf-8")).split())
    for row in quoted[1:]:
        assert row[2] and row[2] in raw, row[-1]
    assert orca("errors", "--format", "markdown")[1].count("\n| wrong number |") == 14
    data = json.loads(orca("errors", "--format", "json")[1])
    assert all(entry["holds"] and entry["read as"] and entry["place"] for entry in data)


def test_the_sentence_of_each_error_is_one(paper):
    """A referee finds the sentence: one sentence of a paragraph, or a row of a table, or a definition."""
    for e in errata(recorded()):
        first = e.place.split(";")[0]
        assert re.search(r"sentence \d|Table|Definition|caption|Figure", first), (e.claim.id, e.place)
        assert not re.search("sentences", first), (e.claim.id, e.place)


def test_slips_come_last_and_are_no_errors():
    kinds = [e.severity for e in errata(recorded())]
    first = kinds.index(SLIP)
    assert set(kinds[first:]) == {SLIP} and SLIP not in kinds[:first]


def test_every_replacement_is_a_claim_that_holds_and_is_about_the_same_place():
    for e in errata(recorded()):
        assert e.replacements, e.claim.id
        for c, said in e.replacements:
            assert c.expect == HOLDS and said.text.endswith((".", "…")), (e.claim.id, c.id)


def test_latex_has_its_mathematics_between_dollars():
    text = latex(errata(recorded()))
    assert text.count("\\item") == len(errata(recorded()))
    outside = re.sub(r"\$[^$]*\$|\\\[.*?\\\]", "", text)
    assert not re.search(r"(?<!\\)[_^&%#]", outside) and r"\^" not in outside
    assert "$\\mathrm{OKC}^{(1)}$" in text and "The paper states" not in text
    e = replace(errata(recorded())[0], failure=r"100 % of x^2 & \y. a_b = 1 < 2.")
    assert r"It fails: 100 \% of $x^{2}$ \& \textbackslash{}$y$. $a_{b} = 1 < 2$." in latex([e])


def test_a_citation_depends_on_the_evidence():
    v = claims(["echo-five-times"])[0].run()
    line = citation(v, date(2026, 1, 2))
    assert "2026-01-02" in line and "echo-five-times" in line and evidence_digest(v) in line and FAILS in line
    assert evidence_digest(replace(v, evidence=v.evidence + " ")) != evidence_digest(v)
    assert evidence_digest(replace(v, outcome=HOLDS)) != evidence_digest(v)
    code, out, _ = orca("claim", "echo-five-times", "--cite")
    assert code == 0 and evidence_digest(v) in out and out.count("\n") == 1


def test_verify_prints_one_line_for_each_error_and_section():
    """All claims at once are shown on a screen: nothing about a single claim that holds."""
    stream, known = io.StringIO(), claims()
    write = writer("text", Output(stream, io.StringIO()), known, False, short=True)
    verdicts = [c.recorded() for c in known]
    for verdict in verdicts:
        write.verdict(verdict)
    found = summary(zip(known, verdicts, strict=True))
    write.end(verdicts, found, {}, 1.0, 0)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "Theory" and "Conclusions" in lines
    assert len(lines) < 120 and sum(line.startswith("✗ ") for line in lines) == len(found.errors)
    assert sum(bool(re.match(r"(abstract|\d(\.\d)?) +\d+ ", line)) for line in lines) == 11
    assert "eq-data" not in stream.getvalue()
    assert isinstance(writer("text", Output(stream, io.StringIO()), known, False), TextWriter)
