"""Sentences about degrees and parity, asked of shuffled labels."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from orca_exact.studies.engine import MISSING, UNIT, Column
from proofs_checks.experiments import table_sentences
from proofs_checks.experiments.optima import configuration, printed_tables
from proofs_checks.experiments.table_sentences import ECHO, REPEATS, SENTENCES, Sentence, ask, degrees, stored
from proofs_checks.ledger.claims import claims
from proofs_checks.ledger.stored_study import asked, conclusion, says_nothing

ROWS = [(id, row["n"]) for id, table in printed_tables().items() for row in table["rows"]]


def test_sentences_are_those_of_the_ledger():
    known = {claim.id for claim in claims()}
    assert {sentence.claim for sentence in SENTENCES} <= known
    assert {row.claim for row in asked() if row.claim} <= known
    assert [(row.claim, row.dataset, row.words) for row in stored()] == [
        (sentence.claim, sentence.dataset, sentence.words) for sentence in SENTENCES
    ]
    assert all(row.repeats == REPEATS and 0 <= row.shuffled <= REPEATS for row in stored())


def test_the_conclusion_follows_from_the_counts():
    row = stored()[0]
    for observed, shuffled, undecided, said in (
        (True, 960, 0, "no evidence"), (True, 940, 10, "no evidence"), (True, 30, 0, "rarely"),
        (True, 500, 0, "often"), (False, 960, 0, "false"),
    ):  # fmt: skip
        made = table_sentences.Asked(row.claim, row.dataset, row.words, observed, shuffled, undecided, 1000)
        assert said in conclusion(made)
        assert says_nothing(made) == (shuffled + undecided >= 950)


@pytest.mark.slow
def test_a_count_comes_out_again(echocardiogram, monkeypatch):
    """A sentence about one row: the permutations are those of the study of the orders."""
    problem = configuration("echocardiogram", 1)
    monkeypatch.setattr(table_sentences, "problems", lambda dataset: {(ECHO[0], 1): problem})
    one = Sentence("x", "echocardiogram", "w", lambda v: v(ECHO[0], 1, "OKC^(1)") > 0.5)
    monkeypatch.setattr(table_sentences, "SENTENCES", (one,))
    (made,) = table_sentences.compute(["echocardiogram"], keep=False)
    assert made.observed and made.shuffled < 10 and made.repeats == REPEATS


def test_a_sentence_is_asked_of_each_permutation():
    columns = (Column("order", (1,)), Column("peak"))
    study = SimpleNamespace(
        columns=columns,
        observed=(UNIT // 2, 3),
        samples=np.array([[UNIT, 3], [0, 3], [MISSING, 3], [UNIT, 2]]),
    )
    sentence = Sentence("c", "d", "w", lambda v: v("t", 1, "OKC^(1)") > 0.4 and v("t", 1, "N*") == 3)
    found = ask({("t", 1): study}, sentence)
    assert (found.observed, found.shuffled, found.undecided, found.repeats) == (True, 1, 1, 4)


def test_the_words_name_tables_that_exist():
    assert degrees(ECHO[0]) == [1, 2, 5, 6, 7, 8, 10, 15, 25]
    for sentence in SENTENCES:
        for n in re.findall(r"n = (\d+)", sentence.words):
            assert int(n) in {n for _, n in ROWS}
