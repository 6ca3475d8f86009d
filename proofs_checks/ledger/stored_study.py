"""What the stored study of shuffled labels says, in words.

The study is statistical: it decides no claim, and it contradicts no sentence of the paper. It stands under a
heading of its own, and claims about the orders cite it as a note.
"""

from __future__ import annotations

from collections.abc import Iterator

from orca_exact.errors import pluralize

from ..experiments.optima import printed_tables
from ..experiments.order_statements import STATEMENTS
from ..experiments.order_study import LEVEL, Order, Study, published
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


def shuffled_notes(claim: str) -> Iterator[Note]:
    """Yield how often what a claim reads off the tables is also true for shuffled labels."""
    counts = {statement.kind: statement for statement in published().statements}
    for asked in STATEMENTS:
        if asked.claim == claim:
            found = counts[asked.kind]
            same = (1 - LEVEL) * found.shufflings <= found.shuffled
            yield Note(
                f"stored study, '{asked.words}': also true for {found.shuffled:,} of {found.shufflings:,} "
                f"shufflings of the labels{', so it says nothing about the data' if same else ''}"
            )


def remark() -> Paragraph:
    """Return what the study found of the 135 orders, its size and power, and whether the model predicts."""
    s = published()
    return Paragraph(
        TITLE,
        "These are statistics. They contradict no sentence of the paper and decide no claim.",
        (_orders(s), _power(s), _rows(s), _shift(s), _predictions(s)),
    )


def _orders(s: Study) -> str:
    found = s.significant
    test = (
        "two-sided step-down max-T test over all of them at the 5 % level, a test that was fixed after the data had "
        f"been seen; {s.shufflings:,} shufflings of the labels for each of {len(s.seeds)} seeds, the same in all rows"
    )
    said = (
        f"Of the {len(s.orders)} printed orders {len(found)} can be told from those of shuffled labels with every "
        f"seed ({test})"
    )
    listed = "; ".join(map(_order, found))
    open_ = f" With some of the seeds only: {'; '.join(map(_order, s.undecided))}." if s.undecided else ""
    return f"{said}{': ' * bool(found)}{listed}.{open_}"


def _order(o: Order) -> str:
    table = printed_tables()[o.table]
    return (
        f"{o.label} in Table {table['number']} at n = {o.n}, {o.observed:.3g} where shuffled labels give "
        f"{o.mean:.2g} ± {o.sd:.1g} (p = {_up(o.family.p)}, with single seeds {_up(min(o.family.p_by_seed))} to "
        f"{_up(max(o.family.p_by_seed))})"
    )


def _power(s: Study) -> str:
    kinds = {row.kind: row for row in s.power}
    planted = ", ".join(f"{kinds[kind].family} if {words} decides" for kind, words in PLANTED.items())
    one = next(iter(kinds.values()))
    return (
        f"Size and power of that test: of {one.labellings} labellings with {s.positives} positive labels it finds "
        f"some order in {kinds['null'].family} if the labels are random, and in {planted}. An order that is not "
        "found may be there."
    )


def _rows(s: Study) -> str:
    rows = {(o.table, o.n) for o in s.orders}
    found = {(o.table, o.n) for o in s.significant_in_row}
    return (
        f"Tested among the five orders of its row only, which is not corrected for the number of rows, some order "
        f"differs in {len(found)} of {len(rows)} rows."
    )


def _shift(s: Study) -> str:
    asked = {a.kind: a for a in STATEMENTS}
    found = next(row for row in s.statements if row.kind == "shift")
    return (
        f"What the paper reads off the growth of the high orders does not depend on the labels: that "
        f"{asked['shift'].words}, is true for {found.shuffled:,} of {found.shufflings:,} shufflings."
    )


def _predictions(s: Study) -> str:
    said = []
    for row in s.predictions:
        scores = {name: getattr(row, name) for name in SCORES}
        shown = ", ".join(f"{SCORES[name]} {x.observed:.2f} (p = {_up(x.p)})" for name, x in scores.items())
        said.append(f"n = {row.n}: {shown}")
    return (
        f"Predictions for Table {printed_tables()[s.table]['number']}, {s.draws} repetitions of stratified "
        f"{s.folds}-fold cross-validation, compared with {pluralize(s.label_shufflings, 'shuffling')} of the labels "
        f"under the same design, not corrected over n: {'; '.join(said)}."
    )


def _up(p: float) -> str:
    """Return a p-value with two digits, rounded up."""
    from decimal import ROUND_CEILING, Context, Decimal

    return f"{Context(2, ROUND_CEILING).create_decimal(Decimal(p)):f}"
