"""Sentences of the paper about degrees and parity, asked of shuffled labels.

Permutation b of the labels depends only on the seed and b, so that it is the same for every row of a data
set. Therefore a sentence about several rows can be tested on each permutation. The results are counts, not
verdicts; ``python -m proofs_checks.experiments.table_sentences`` computes them (hours) and writes FILE.
Sentences about the orders alone are in ``order_statements``, with more shufflings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import pairwise
from typing import Any

from orca_exact.errors import Undecided
from orca_exact.files.formats import read_shipped, write
from orca_exact.problem import Problem
from orca_exact.studies.engine import MISSING
from orca_exact.studies.null import Null, null

from .optima import configuration, printed_tables

FILE = "data/table_sentences.json"
COMMAND = "python -m proofs_checks.experiments.table_sentences"
REPEATS, SEED = 1_000, 1
NEEDED = ("order", "even", "odd", "peak", "threshold")  # the indices that the sentences read
ECHO = ("tab-echo-legendre", "tab-echo-jacobi-a", "tab-echo-jacobi-b")
SPIRAL = ("tab-spiral-legendre", "tab-spiral-jacobi")
Value = Callable[[str, int, str], float]  # (table, n, column) -> number


@dataclass(frozen=True)
class Sentence:
    """A sentence of the paper about its tables, as a condition on their numbers."""

    claim: str  # the id of the claim in the ledger
    dataset: str
    words: str  # the sentence in our words
    true: Callable[[Value], bool]


@dataclass(frozen=True)
class Asked:
    """How often a sentence is true for shuffled labels; undecided permutations count as true."""

    claim: str
    dataset: str
    words: str
    observed: bool
    shuffled: int
    undecided: int
    repeats: int


def degrees(table: str) -> list[int]:
    """Return the values of n in a printed table."""
    return [row["n"] for row in printed_tables()[table]["rows"]]


def _rises(values: Sequence[float]) -> bool:
    """Return whether the values never decrease and the last is larger than the first."""
    return all(a <= b for a, b in pairwise(values)) and values[0] < values[-1]


SENTENCES = (
    Sentence(
        "echo-even-odd", "echocardiogram",
        "the even mass is within 0.015 of one half for every n >= 2, in all three tables",
        lambda v: all(abs(v(t, n, "even") - 0.5) <= 0.015 for t in ECHO for n in degrees(t)[1:]),
    ),
    Sentence(
        "echo-even-odd", "echocardiogram",
        "the same for every n >= 5: the even mass is within 0.015 of one half",
        lambda v: all(abs(v(t, n, "even") - 0.5) <= 0.015 for t in ECHO for n in degrees(t)[2:]),
    ),
    Sentence(
        "echo-peak-grows", "echocardiogram",
        "N* never falls as n grows, and rises, in all three tables",
        lambda v: all(_rises([v(t, n, "N*") for n in degrees(t)]) for t in ECHO),
    ),
    Sentence(
        "echo-well-before/large-n", "echocardiogram",
        "n >= 5: T_0.01 is below 0.85 of 5n, in all three tables",
        lambda v: all(v(t, n, "T_0.01") < 0.85 * 5 * n for t in ECHO for n in degrees(t)[2:]),
    ),
    Sentence(
        "disc-okc2-grows", "spiral",
        "OKC^(2) is above one half from n = 5 on, in both tables",
        lambda v: all(v(t, n, "OKC^(2)") > 0.5 for t in SPIRAL for n in degrees(t) if n >= 5),
    ),
    Sentence(
        "disc-odd-near-1", "spiral",
        "Legendre: the even mass is below 0.02 for every n",
        lambda v: all(v(SPIRAL[0], n, "even") < 0.02 for n in degrees(SPIRAL[0])),
    ),
    Sentence(
        "spiral-parity-broken", "spiral",
        "(2.5, 1.2): the even mass is above 0.14 for every n >= 2",
        lambda v: all(v(SPIRAL[1], n, "even") > 0.14 for n in degrees(SPIRAL[1]) if n >= 2),
    ),
    Sentence(
        "disc-lower-degrees", "spiral",
        "T_0.10 is no larger under (2.5, 1.2) than for Legendre, for every n >= 8",
        lambda v: all(v(SPIRAL[1], n, "T_0.1") <= v(SPIRAL[0], n, "T_0.1") for n in (8, 12, 14, 16)),
    ),
)  # fmt: skip


def problems(dataset: str) -> dict[tuple[str, int], Problem]:
    """Return the problems of all table rows of a data set, by table and n."""
    return {
        (id, n): configuration(dataset, n, table["alpha"], table["beta"], table["C"])
        for id, table in printed_tables().items()
        if table["dataset"] == dataset
        for n in degrees(id)
    }


def ask(studies: Mapping[tuple[str, int], Null], sentence: Sentence) -> Asked:
    """Test a sentence on the given labels and on each permutation."""
    places = {id: {c.label: (j, c.unit) for j, c in enumerate(s.columns)} for id, s in studies.items()}

    def value(row: int | None) -> Value:
        def of(table: str, n: int, label: str) -> float:
            study, (j, unit) = studies[table, n], places[table, n][label]
            x = study.observed[j] if row is None else int(study.samples[row, j])
            if x == MISSING:
                raise Undecided(label)
            return x / unit

        return of

    count = undecided = 0
    repeats = len(next(iter(studies.values())).samples)
    for row in range(repeats):
        try:
            count += sentence.true(value(row))
        except Undecided:
            undecided += 1
    observed = sentence.true(value(None))
    return Asked(sentence.claim, sentence.dataset, sentence.words, observed, count, undecided, repeats)


def compute(datasets: Sequence[str], repeats: int = REPEATS, seed: int = SEED, **work: Any) -> list[Asked]:
    """Shuffle the labels of every row, certify each classifier, and ask the sentences."""
    found = []
    for dataset in datasets:
        nulls = {
            place: null(problem, repeats, seed, **work).select(*NEEDED)
            for place, problem in problems(dataset).items()
        }
        found += [ask(nulls, sentence) for sentence in SENTENCES if sentence.dataset == dataset]
    return found


def stored() -> list[Asked]:
    """Return the stored counts."""
    return [Asked(**row) for row in read_shipped(FILE, "proofs_checks")["sentences"]]


if __name__ == "__main__":
    import json

    rows = [asdict(row) for row in compute(("echocardiogram", "spiral"), progress=print)]
    content = {"schema": "orca-exact/table-sentences/1", "command": COMMAND, "seed": SEED, "sentences": rows}
    write(str(files("proofs_checks") / FILE), json.dumps(content, indent=1) + "\n")
