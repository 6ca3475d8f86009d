"""The result in terms of the paper, the screen of ``verify``, places and errata."""

import csv
import io
import json
import re

import pytest
from command import orca

from orca_exact.cli.terminal import Output
from orca_exact.errors import BadParameter
from proofs_checks.ledger import stored_study
from proofs_checks.ledger.claims import CELL, FAILS, HOLDS, OUR_THRESHOLD, claims
from proofs_checks.ledger.coverage import paper_items
from proofs_checks.ledger.headline import NOT_SENTENCES, ROW, answer, headline, item_outcome, roles
from proofs_checks.ledger.places import claims_at
from proofs_checks.ledger.summary import recorded, summary
from proofs_checks.samples import CLASSIFIERS, define
from proofs_checks.verbs.errors import errata, latex
from proofs_checks.verbs.writers import TextWriter, writer


@pytest.fixture(scope="module")
def whole():
    return headline((c, c.recorded()) for c in claims())


def test_every_item_is_counted_once(whole):
    items = [item for item in paper_items() if item["kind"] not in NOT_SENTENCES]
    assert sum(whole.sentences.values()) == len(items)
    assert (whole.cells[HOLDS], whole.cells[FAILS]) == (283, 14)
    assert (whole.rows[HOLDS], whole.rows[FAILS]) == (14, 2)
    assert sum(whole.others.values()) == len(claims())


def test_every_wrong_sentence_is_an_error():
    role, verdicts = roles(claims()), {c.id: c.recorded() for c in claims()}
    wrong = {
        item["id"] for item in paper_items()
        if item["kind"] not in NOT_SENTENCES and item_outcome(item["id"], role, verdicts) == FAILS
    }  # fmt: skip
    listed = {id for error in recorded().errors for c in error.claims for id in (c.id, *c.covers)}
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


def test_the_answer_says_what_the_study_found(whole):
    tested, differ = stored_study.order_tests()
    best, error, constant = stored_study.best_accuracy()
    assert (tested, differ) == (135, 0) and best - error < constant < best
    assert answer(whole).startswith("Does a conclusion of the paper change? Yes: ")


def test_a_note_says_if_shuffled_labels_give_the_same():
    known = {c.id: c for c in claims()}
    assert "1,000 of 1,000 shufflings" in known["echo-coupling/used"].run().evidence
    assert "says nothing about the data" in known["echo-coupling/used"].run().evidence
    (note,) = stored_study.shuffled_notes("echo-okc2-negligible")
    assert "1,000 of 1,000" in str(note)
    assert {row["claim"] for row in stored_study._study()["sentences"]} <= known.keys()


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
    code, out, _ = orca("explain", query)
    assert code == 0 and some in out


def test_a_row_is_not_another_row():
    assert not {c.id for c in claims_at("Table 4, n = 1")} & {c.id for c in claims_at("Table 4, n = 10")}
    assert claims_at("echo-label") is None


def test_a_place_without_a_claim_is_an_error():
    code, _, err = orca("explain", "line 1")
    assert code == BadParameter.exit_code and "names a place without a claim" in err


def test_explain_names_mutants_only_if_asked():
    assert "faults detected" not in orca("explain", "example-46656")[1]
    assert "faults detected" in orca("explain", "example-46656", "-v")[1]


def test_explain_defines_the_test_problems():
    out = orca("explain", "bias-unregularized")[1]
    assert "test problems" not in out
    fields = json.loads(orca("explain", "eq-decision", "--format", "json")[1])
    named = [name for name in CLASSIFIERS if f"'{name}'" in f"{fields['in words']} {fields['evidence']}"]
    assert named and fields["test problems"] == "\n".join(map(define, named))


def test_errata_in_every_format():
    rows = errata()
    assert len(rows) == len(recorded().errors)
    text = orca("errors", "--format", "csv")[1]
    assert [tuple(row) for row in csv.reader(io.StringIO(text))][1:] == rows
    assert latex(rows).count("\\item") == len(rows) and "\\_" in latex(rows)
    assert orca("errors", "--format", "markdown")[1].count("\n| wrong number |") == 14
    assert "orca-exact explain 'echo-coupling'" in orca("errors")[1].split("2. ")[0]


def test_errata_escape_latex():
    row = ("kind", "a_b", r"100 % of x^2 & \y", "right", "why", "id")
    assert latex([row]).splitlines()[1] == (
        r"\item \textbf{a\_b} (kind). The paper states: 100 \% of x\^{}2 \& \textbackslash{}y. "
        "Correct is: right. why"
    )


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
    assert lines[0].startswith("Does a conclusion of the paper change? Yes")
    assert len(lines) < 110 and sum(line.startswith("✗ ") for line in lines) == len(found.errors)
    assert sum(bool(re.match(r"(abstract|\d(\.\d)?) +\d+ hold", line)) for line in lines) == 11
    assert "eq-data" not in stream.getvalue()
    assert isinstance(writer("text", Output(stream, io.StringIO()), known, False), TextWriter)
