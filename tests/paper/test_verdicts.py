"""One rule for the verdicts: what may refute a sentence, and what a correction must be about."""

import re

import pytest
from paper_places import places

from proofs_checks.ledger.claims import FAILS, HOLDS, OUR_SPIRAL, OUR_THRESHOLD, claims
from proofs_checks.ledger.coverage import paper_items
from proofs_checks.ledger.verdict import SEVERITIES, SLIP

REFUTED = [c for c in claims() if c.expect == FAILS and c.subject != OUR_SPIRAL]
OURS = ("our threshold", "our statistic", "chosen after the data")


@pytest.mark.parametrize("claim", REFUTED, ids=lambda c: c.id)
def test_no_threshold_of_ours_refutes_a_sentence(claim):
    """A bound or statistic that we chose may support a vague word; it never makes a sentence wrong."""
    assert OUR_THRESHOLD not in claim.reading
    for text in (claim.title, claim.reading, claim.plain, claim.scope):
        assert not any(word in text for word in OURS), text


def test_a_threshold_of_ours_supports_vague_words_only():
    """A sentence's own claim with a threshold of ours holds, and names the vague word that it is for."""
    marked = [c for c in claims() if OUR_THRESHOLD in c.reading and c.sentence == c.id]
    assert {c.id for c in marked} == {"echo-okc2-negligible", "echo-even-odd", "echo-continuous"}
    for c in marked:
        assert c.expect == HOLDS and re.match("'[^']+' means", c.reading), c.id


def test_a_conclusion_is_refuted_by_the_sentence_s_own_words():
    """Every refuted conclusion says how it is read, and is a sentence of the discussion."""
    wrong = {c.id for c in REFUTED if c.severity == SEVERITIES[0]}
    assert wrong == {"disc-imbalance-persistent", "echo-coupling", "echo-low-order"}
    assert all(c.reading for c in REFUTED if c.id in wrong)


def test_a_correction_stands_at_the_place_of_its_sentence():
    """It names a line, or a numbered item, that the refuted claim names."""
    known = {c.id: c for c in claims()}
    for c in REFUTED:
        (lines, names), (others, other_names) = places(c.place), places(known[c.correction].place)
        assert lines & others or names & other_names, (c.id, c.place, known[c.correction].place)


def test_no_title_pretends_to_be_the_paper_s_words():
    assert not [c.id for c in claims() if re.match("as printed|corrected", c.title)]


def test_a_slip_shows_the_printed_words():
    slips = [c for c in REFUTED if c.severity == SLIP and c.sentence == c.id]
    assert len(slips) > 10
    assert not [c.id for c in slips if not re.match("printed: «.+?»", c.plain)]


def test_every_refuted_sentence_says_how_it_is_read():
    """Slips, cells and corrections of cells need no reading."""
    own = [c for c in REFUTED if c.sentence == c.id and c.severity != SLIP and "/n=" not in c.id]
    assert not [c.id for c in own if not c.reading]


def test_equations_and_definitions_are_items_once():
    """An equation within a definition or proposition, or a step of a proof, repeats another item."""
    kinds = {item["id"]: item["kind"] for item in paper_items()}
    counted = [item.get("number") for item in paper_items() if item["kind"] != "repetition"]
    numbers = [number for number in counted if number]
    assert len(numbers) == len(set(numbers))
    assert {"(11)", "(22)", "(24)", "(25)", "(27)", "(28)", "(29)", "(33)"}.isdisjoint(numbers)
    assert all(kinds[id] == "repetition" for id in kinds if id.startswith("proof-"))
    assert all(kinds[id] == "proposal" for id in kinds if id.startswith("concl-") and id != "concl-exact"
               and id not in ("concl-indices", "concl-post-training"))  # fmt: skip
