"""The result in terms of the paper: what of its sentences, displays, cells and rows holds.

Several claims can be about one sentence, and some claims are not about the paper at all: corrections, other
readings, checks on our own spiral and of this toolkit. They are counted on lines of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

from . import theorems as formal
from .claims import CELL, OUR_SPIRAL, Claim, Verdict, claims
from .coverage import paper_items
from .stored_study import LEVEL, best_accuracy, order_tests
from .summary import Pairs, summary
from .verdict import STORED, TRANSCRIBED

CORRECTED, READING, ROW, STATEMENT, TOOLKIT = "correction", "reading", "row", "statement", "toolkit"
NOT_SENTENCES = ("label", "table")  # kinds of items; the cells and rows of tables are counted by themselves
SPIRAL_ROW = "tab-spiral"
NOT_CONSISTENT = " (in Table 1 the row n = 5 contradicts itself, and T_0.01 is missing in the row n = 12)"
# The files of theorems about checkers of certificates.
CHECKERS = ["Checker", "Checks", "Certified", "Weights", "IntegerGram", "Inverse", "Files", "Extracted"]
PARTS = {"2", "3.1", "3.2", "4", "5"}  # the sections with the theory


def roles(known: Iterable[Claim]) -> dict[str, str]:
    """Return what each claim is about."""
    known = list(known)
    items = {item["id"] for item in paper_items()}
    corrections = {c.correction for c in known}

    def role(c: Claim) -> str:
        if c.subject == CELL:
            return CORRECTED if c.id in corrections else CELL
        if c.id.startswith(SPIRAL_ROW) and "/n=" in c.id:
            return ROW
        if c.subject == OUR_SPIRAL:
            return OUR_SPIRAL
        if c.sentence != c.id:
            return READING
        if c.id in items or items.intersection(c.covers):
            return STATEMENT
        return CORRECTED if {c.id, f"{c.id}/certified"} & corrections else TOOLKIT

    return {c.id: role(c) for c in known}


@dataclass(frozen=True)
class Headline:
    """Numbers of the paper's own items by outcome, and of the claims that are not about them."""

    sentences: dict[str, int]
    cells: dict[str, int]
    rows: dict[str, int]
    others: dict[str, int]  # by role
    errors: int
    conclusions: int  # of the errors
    stored: int  # verdicts judged from stored values

    def lines(self) -> list[str]:
        """Return one line for each kind of item of the paper, then one for what is ours."""
        s, c, r, o = self.sentences, self.cells, self.rows, self.others
        found = [
            f"Of {sum(s.values())} sentences and displays {s[HOLDS]} hold, {s[FAILS]} are wrong, "
            f"{s[UNDECIDED]} cannot be decided{_not_judged(s)}.",
            f"Of {sum(c.values())} cells of the echocardiogram tables {c[HOLDS]} are right and {c[FAILS]} "
            f"wrong{_not_judged(c)}.",
            f"Of {sum(r.values())} rows of the spiral tables {r[HOLDS]} are consistent and {r[FAILS]} are not"
            f"{NOT_CONSISTENT if r[FAILS] else ''}; none can be recomputed, because the points are not "
            "given.",
            f"Beside these: {o[CORRECTED]} corrections, {o[READING]} other readings or data, "
            f"{o[OUR_SPIRAL]} checks on our own spiral, {o[TOOLKIT]} checks of tables and of this toolkit. "
            "FAILS and UNDECIDED in JSON count all these claims, and a sentence that is checked on our own "
            "spiral only is undecided here whatever its claim says.",
        ]
        if self.stored:
            found.append(
                f"{self.stored} claims were judged from stored certified values, because data are missing."
            )
        return found


def _not_judged(counts: dict[str, int]) -> str:
    return f", {counts[SKIPPED]} were not judged" if counts[SKIPPED] else ""


def headline(pairs: Pairs) -> Headline:
    """Count the verdicts of all claims in terms of the paper."""
    pairs = list(pairs)
    role, verdicts = roles(claims()), {c.id: v for c, v in pairs}

    def count(kind: str) -> dict[str, int]:
        found = Counter(v.outcome for c, v in pairs if role[c.id] == kind)
        return {outcome: found[outcome] for outcome in (HOLDS, FAILS, UNDECIDED, SKIPPED)}

    sentences = Counter(item_outcome(item["id"], role, verdicts) for item in _sentences())
    refuted = summary(pairs)
    return Headline(
        {outcome: sentences[outcome] for outcome in (HOLDS, FAILS, UNDECIDED, SKIPPED)},
        count(CELL),
        count(ROW),
        Counter(role[c.id] for c, _ in pairs),
        len(refuted.errors),
        refuted.severities.get("wrong conclusion", 0),
        sum(v.source == STORED for _, v in pairs),
    )


def _sentences() -> list[dict]:
    return [item for item in paper_items() if item["kind"] not in NOT_SENTENCES]


def item_outcome(id: str, role: dict[str, str], verdicts: dict[str, Verdict]) -> str:
    """Return the outcome of one sentence or display: that of its own claim, else of the claims that cover it.

    What was checked on our own spiral only is undecided: nothing follows for the paper's spiral.
    """
    by = [c for c in claims() if c.id == id] or [c for c in claims() if id in c.covers]
    if all(role[c.id] == OUR_SPIRAL for c in by):
        return UNDECIDED
    outcomes = {verdicts[c.id].outcome for c in by if role[c.id] != OUR_SPIRAL and c.id in verdicts}
    return next((o for o in (FAILS, SKIPPED, UNDECIDED) if o in outcomes), HOLDS if outcomes else SKIPPED)


def answer(found: Headline) -> str:
    """Return the answer to 'Does a conclusion of the paper change?'."""
    tested, differ = order_tests()
    best, error, constant = best_accuracy()
    return (
        f"Does a conclusion of the paper change? Yes: {found.conclusions} of its conclusions are refuted. "
        f"At the {100 * LEVEL:.0f} % level {differ or 'none'} of {tested} orders in 27 rows of the "
        f"echocardiogram tables differ{'s' * (differ < 2)} from what shuffled labels give (all numbers of a "
        "row tested jointly), and the best cross-validated accuracy, "
        f"{best:.3f} ± {error:.3f}, is within one standard error of a constant answer, {constant:.3f}. The "
        "wrong cells change no conclusion, and they are not the solver's: libsvm at its default tolerance "
        "gives the certified values in every row that has a wrong cell."
    )


def formal_line() -> str:
    """Return which claims of sections 2 to 5 theorems prove, and what the other theorems are about."""
    held = [c for c in claims() if c.section in PARTS and c.expect == HOLDS and c.sentence == c.id]
    theory = [c for c in held if c.extent != TRANSCRIBED]
    whole = [c for c in theory if formal.covering(c.id) and c.id not in formal.parts()]
    covering = sum(bool(t.covers) for t in formal.theorems())
    checker = sum(t.file.removesuffix(".v") in CHECKERS and not t.covers for t in formal.theorems())
    rest = len(formal.theorems()) - covering - checker
    return (
        f"Of {len(theory)} claims of sections 2 to 5 that hold, {len(whole)} are proved for all cases in "
        f"Rocq, without axioms. {covering} theorems are about claims of the ledger, {checker} about "
        f"checkers of certificates, {rest} are lemmas."
    )
