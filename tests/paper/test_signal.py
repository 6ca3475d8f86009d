"""The stored permutation study of the paper's tables agrees with what is computed."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from orca_exact.studies.engine import MISSING, UNIT, Column
from proofs_checks.experiments.optima import certified_row, configuration, printed_tables
from proofs_checks.experiments.signal import (
    ECHO,
    SENTENCES,
    Sentence,
    compute_signal,
    conclusions,
    load_study,
    run_permutation_test,
    signal_degrees,
)
from proofs_checks.ledger.claims import claims

ROWS = [(id, row["n"]) for id, table in printed_tables().items() for row in table["rows"]]


def test_every_row_of_the_tables_is_there_and_no_data():
    found = load_study()
    assert {(row["table"], row["n"]) for row in found["rows"]} == set(ROWS)
    assert (found["repeats"], found["resamples"], found["seed"]) == (1000, 200, 1)
    assert found["command"] == "python -m benchmarks signal"
    for row in found["rows"]:
        assert set(row["problem"]) == {"id", "sha256", "m", "d", "kernel", "C"}
        for number in row["numbers"].values():
            low, median, high = number["band"]
            assert low <= median <= high
            assert 1 / 1001 <= number["p"] <= 1 and 1 / 1001 <= number["p_family"] <= 1


def test_sentences_are_those_of_the_ledger():
    known = {claim.id for claim in claims()}
    assert {sentence.claim for sentence in SENTENCES} <= known
    kept = {row["words"]: row for row in load_study()["sentences"]}
    assert len(kept) == len(SENTENCES)
    for sentence in SENTENCES:
        row = kept[sentence.words]
        assert (row["claim"], row["dataset"]) == (sentence.claim, sentence.dataset)
        assert row["repeats"] == 1000 and 0 <= row["shuffled"] <= 1000


@pytest.mark.parametrize("id, n", [(ECHO[0], 1), (ECHO[1], 2), (ECHO[2], 25)])
def test_observed_values_are_the_certified_ones(echocardiogram, id, n):
    row = next(row for row in load_study()["rows"] if (row["table"], row["n"]) == (id, n))
    certified = certified_row(id, n)
    assert row["problem"]["sha256"] == certified.problem.sha256
    known = [
        (label, x) for label, x in certified.listed_values(5) if not label.startswith(("total", "Shapley"))
    ]
    assert {label for label, _ in known} == {x for x in row["numbers"] if x[:2] not in ("N*", "T_")}
    for label, value in known:
        assert abs(row["numbers"][label]["observed"] - float(value)) <= 0.51 / UNIT
    assert row["numbers"]["N*"]["observed"] == certified.peak
    for eps in ("0.1", "0.05", "0.01"):
        assert row["numbers"][f"T_{eps}"]["observed"] == certified.threshold(eps)[0]


@pytest.mark.slow
def test_the_stored_numbers_come_out_again(echocardiogram, monkeypatch):
    """One row and a count of a sentence are reproduced bit for bit."""
    import proofs_checks.experiments.signal as signal

    problem = configuration("echocardiogram", 1)
    monkeypatch.setattr(signal, "problems", lambda dataset: {(ECHO[0], 1): problem})
    one = Sentence(
        "x", "echocardiogram", "OKC^(1) is above one half", lambda v: v(ECHO[0], 1, "OKC^(1)") > 0.5
    )
    monkeypatch.setattr(signal, "SENTENCES", (one,))
    made = compute_signal(["echocardiogram"], 1000, 200, 1, keep=False)
    assert made["rows"] == [
        next(row for row in load_study()["rows"] if (row["table"], row["n"]) == (ECHO[0], 1))
    ]
    assert made["sentences"][0]["observed"] and made["sentences"][0]["shuffled"] < 10


def test_it_is_said_plainly():
    number = {"observed": 0.5, "band": [0.6, 0.7, 0.8], "p": 0.01, "p_family": 0.5}
    row = {"table": ECHO[0], "n": 25, "problem": {"d": 5}}
    rows = [row | {"numbers": {"OKC^(5)": number, "even": number}}]
    rows += [
        row
        | {
            "table": "tab-spiral-legendre",
            "n": 8,
            "problem": {"d": 2},
            "numbers": {"OKC^(2)": number | {"observed": 0.9, "p_family": 0.01}},
        }
    ]
    good, poor = (
        {"name": "x", "majority": m, "rows": [{"n": 1, "cv": 0.7, "cv_error": 0.1}]} for m in (0.5, 0.65)
    )
    lines = conclusions({"rows": rows, "overfit": [good, poor]})
    assert "None of them differs" in lines[0] and "1 if each is tested singly" in lines[0]
    assert "OKC^(5), lies below the 95 % band of shuffled labels in tab-echo-legendre n = 25" in lines[1]
    assert "1 of them differs" in lines[2] and "lies above" in lines[3]
    assert len(lines) == 5 and "constant classifier, 0.650" in lines[4]


def test_a_sentence_is_asked_of_each_permutation():
    columns = (Column("order", (1,)), Column("peak"))
    study = SimpleNamespace(
        columns=columns,
        observed=(UNIT // 2, 3),
        samples=np.array([[UNIT, 3], [0, 3], [MISSING, 3], [UNIT, 2]]),
    )
    sentence = Sentence("c", "d", "w", lambda v: v("t", 1, "OKC^(1)") > 0.4 and v("t", 1, "N*") == 3)
    found = run_permutation_test({("t", 1): study}, sentence)
    assert (found["observed"], found["shuffled"], found["undecided"], found["repeats"]) == (True, 1, 1, 4)


def test_the_words_name_tables_that_exist():
    assert signal_degrees(ECHO[0]) == [1, 2, 5, 6, 7, 8, 10, 15, 25]
    for sentence in SENTENCES:
        for n in re.findall(r"n = (\d+)", sentence.words):
            assert int(n) in {n for _, n in ROWS}
