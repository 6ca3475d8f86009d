"""Sentences on the stored study of shuffled labels.

The study is statistical: it decides no claim, and it contradicts no sentence of the paper. It stands under a
heading of its own, and claims about the orders cite it as a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, Context, Decimal
from functools import lru_cache

from ..experiments import table_sentences
from ..experiments.optima import printed_tables
from ..experiments.order_statements import STATEMENTS
from ..experiments.order_study import LEVEL, Order, Power, Study, published
from ..experiments.table_sentences import Asked
from .relations import Note
from .wording import Paragraph

TITLE = "Remark: labels that mean nothing"
PLANTED = {
    "column": "one column",
    "linear": "a linear rule",
    "noisy": "a linear rule with noise of equal variance",
    "product": "a product of two columns",
}
SCORES = {"accuracy": "accuracy", "balanced": "balanced accuracy", "auc": "AUC"}


@lru_cache(maxsize=1)
def asked() -> list[Asked]:
    """Return how often each sentence about the tables is true for shuffled labels."""
    counts = {statement.kind: statement for statement in published().statements}
    orders = [
        Asked(
            sentence.claim or "", "echocardiogram", sentence.words, counts[sentence.kind].observed,
            counts[sentence.kind].shuffled, 0, counts[sentence.kind].shufflings,
        )
        for sentence in STATEMENTS
    ]  # fmt: skip
    return [*orders, *table_sentences.stored()]


def says_nothing(row: Asked) -> bool:
    """Return whether a sentence is also true for nearly all shuffled labels."""
    return row.shuffled + row.undecided >= (1 - LEVEL) * row.repeats


def conclusion(row: Asked) -> str:
    """Return what follows from the counts of a sentence."""
    if not row.observed:
        return "false for the given labels"
    if says_nothing(row):
        return "also true for nearly all shuffled labels: no evidence about the data"
    if row.shuffled + row.undecided <= LEVEL * row.repeats:
        return "rarely true for shuffled labels: evidence about the data"
    return "often true for shuffled labels: weak evidence"


def shuffled_notes(claim: str) -> Iterator[Note]:
    """Yield how often what a claim reads off the tables is also true for shuffled labels."""
    for row in asked():
        if row.claim == claim:
            yield Note(
                f"stored study, '{row.words}': also true for {row.shuffled:,} of {row.repeats:,} shufflings "
                f"of the labels{', so it says nothing about the data' if says_nothing(row) else ''}"
            )


def remark() -> Paragraph:
    """Return what the study found of the 135 orders, its size and power, and whether the model predicts."""
    s = published()
    return Paragraph(
        TITLE,
        "These are statistics. They contradict no sentence of the paper and decide no claim.",
        (_orders(s), _power(s), _rows(s), _shift(s), _predictions(s)),
    )


def short_remark() -> Paragraph:
    """Return the remark for a first screen: what the study found, and its size and power."""
    return remark()._replace(members=remark().members[:2])


def _orders(s: Study) -> str:
    found = s.significant
    said = (
        f"Of the {len(s.orders)} printed orders {len(found)} can be told from those of shuffled labels at "
        f"the 5 % level with each of {len(s.seeds)} seeds (two-sided step-down max-T test over all of them, "
        f"fixed after the data had been seen; {s.shufflings:,} shufflings a seed, the same in all rows)"
    )
    listed = "; ".join(map(_order, found))
    some = f" With some of the seeds only: {'; '.join(map(_order, s.undecided))}." if s.undecided else ""
    return f"{said}{': ' * bool(found)}{listed}.{some}"


def _order(o: Order) -> str:
    return (
        f"{o.label} in Table {printed_tables()[o.table]['number']} at n = {o.n}, {o.observed:.3f} where "
        f"shuffled labels give {o.mean:.3f} ± {o.sd:.3f} (p = {_up(o.family.p)})"
    )


def _power(s: Study) -> str:
    kinds = {row.kind: row for row in s.power}
    null = kinds["null"]
    planted = ", ".join(
        f"{kinds[kind].family} that follow {words}{_distinct(kinds[kind])}" for kind, words in PLANTED.items()
    )
    return (
        f"Size and power of that test for labels with {s.positives} positives among {s.points}: it finds "
        f"some order for {null.family} of {null.labellings} random labellings, and of {null.labellings} "
        f"planted ones each for {planted}. An order that is not found may be there."
    )


def _distinct(row: Power) -> str:
    return f" (of which {row.distinct} differ)" if row.distinct < row.labellings / 2 else ""


def _rows(s: Study) -> str:
    rows = {(o.table, o.n) for o in s.orders}
    found = {(o.table, o.n) for o in s.significant_in_row}
    listed = ", ".join(f"Table {printed_tables()[table]['number']}, n = {n}" for table, n in sorted(found))
    return (
        "Tested among the five orders of its row only, which is not corrected for the number of rows, some "
        f"order differs with each seed in {len(found)} of {len(rows)} rows ({listed})."
    )


def _shift(s: Study) -> str:
    words = {asked.kind: asked.words for asked in STATEMENTS}["shift"]
    found = next(row for row in s.statements if row.kind == "shift")
    return (
        f"The rise of the high orders does not depend on the labels: {words}, is true for "
        f"{found.shuffled:,} of {found.shufflings:,} shufflings."
    )


def _predictions(s: Study) -> str:
    said = []
    for row in s.predictions:
        scores = {name: getattr(row, name) for name in SCORES}
        shown = ", ".join(f"{SCORES[name]} {x.observed:.2f} (p = {_up(x.p)})" for name, x in scores.items())
        said.append(f"n = {row.n}: {shown}")
    return (
        f"The classifiers of Table {printed_tables()[s.table]['number']} in {s.draws} repetitions of "
        f"stratified {s.folds}-fold cross-validation, with the p of {s.label_shufflings} shufflings of the "
        f"labels under the same design, not corrected over n: {'; '.join(said)}."
    )


def _up(p: float) -> str:
    """Return a p-value with two digits, rounded up."""
    return f"{Context(2, ROUND_CEILING).create_decimal(Decimal(p)):f}"
