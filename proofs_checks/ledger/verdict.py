"""Verdicts: the outcome of a claim, how far it reaches, and evidence that a referee can quote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from orca_exact.errors import DataMissing, Undecided
from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

from .relations import Note, Relation

# How far a claim that holds was shown to hold.
FOR_ALL, UNCOMPILED, FINITE, SAMPLED, TRANSCRIBED = EXTENTS = (
    "for all", "uncompiled", "finite", "sampled", "transcribed",
)  # fmt: skip
# How bad a refuted claim is, by consequence: conclusions first, then what prevents readers from computing the
# results again. Slips of print and grammar are listed apart and are not counted as errors.
SEVERITIES = (
    "wrong conclusion", "not reproducible", "wrong number", "wrong statement", "imprecise wording",
    "typographical",
)  # fmt: skip
SLIP = SEVERITIES[-1]
MANY = 4  # relations that hold are shown in the evidence up to this number
COMPUTED, STORED = "computed", "stored"
WORDS = {HOLDS: "holds", FAILS: "refuted", UNDECIDED: "undecided", SKIPPED: "skipped"}


@dataclass(frozen=True)
class Verdict:
    """The outcome of one claim, beside the outcome that the ledger records."""

    claim: str
    title: str
    place: str
    outcome: str
    expected: str
    evidence: str
    scope: str
    seconds: float
    correction: str = ""
    crashed: bool = False
    general: str = ""  # whether the machine-checked theorem behind the claim was compiled here
    extent: str = ""  # one of EXTENTS if the claim holds
    severity: str = ""  # one of SEVERITIES if the claim fails
    statement: str = ""  # the id of the sentence that the claim is about
    reading: str = ""
    plain: str = ""  # the claim in words
    formula: tuple[str, str] = ("", "")  # a formula in the evidence, as plain text and in LaTeX
    counterexample: str = ""  # the first relation that fails, for errata
    source: str = COMPUTED  # or STORED: judged from certified values that were stored elsewhere
    ours: bool = False  # about our own spiral only, so that nothing follows for the paper's

    @property
    def word(self) -> str:
        """The outcome, with what it rests on: our spiral, stored values, or less than a proof."""
        if self.ours:
            return f"{self.outcome} (our spiral)"
        if self.source == STORED:
            return f"{self.outcome} ({STORED})"
        return (
            f"{HOLDS} ({self.extent})" if self.extent in (SAMPLED, UNCOMPILED, TRANSCRIBED) else self.outcome
        )

    @property
    def as_expected(self) -> bool:
        """Whether the outcome is the recorded one, or the claim was skipped because data are missing."""
        return self.outcome in (self.expected, SKIPPED) and not self.crashed

    def to_json(self) -> dict:
        """Return the verdict as an entry of an orca-exact/verdicts/1."""
        keys = ("claim", "title", "place", "outcome", "expected", "evidence", "scope")
        data = {key: getattr(self, key) for key in keys}
        data |= {"seconds": round(self.seconds, 3), "as_expected": self.as_expected, "source": self.source}
        optional = ("extent", "severity", "statement", "reading", "plain", "correction", "general")
        return data | {key: value for key in optional if (value := getattr(self, key))}


class Judgement(NamedTuple):
    """The outcome that the relations of a claim decide, with its evidence."""

    outcome: str
    evidence: str
    formula: tuple[str, str] = ("", "")  # of a failure: the formula in the evidence, plain and in LaTeX
    counterexample: str = ""  # of a failure


def judge(relations: Iterable[Relation]) -> Judgement:
    """Decide all relations of a claim."""
    outcomes, notes, first_bad = Counter[str](), [], {FAILS: "", UNDECIDED: ""}
    formula, counterexample = ("", ""), ""
    places: list[str] = []
    last: Relation | None = None
    try:
        for relation in relations:
            if not isinstance(relation, Relation):
                raise TypeError(f"a claim yields relations, not {type(relation).__name__}")
            if isinstance(relation, Note):
                notes.append(relation.text)
                continue
            outcome = relation.decide()
            outcomes[outcome] += 1
            places += [relation.shown()] if outcome == HOLDS and len(places) < MANY else []
            last = relation if relation.where else last
            if outcome in first_bad and not first_bad[outcome]:
                first_bad[outcome] = relation.evidence(outcome)
                if outcome == FAILS:
                    formula, counterexample = relation.formula(), relation.counterexample()
    except (DataMissing, Undecided) as error:
        if not outcomes[FAILS]:
            raise
        notes.append(f"the check stopped after this: {error}")  # the claim stays refuted
    count = outcomes.total()
    if outcomes[FAILS]:
        tail = f" ({outcomes[FAILS]} of {count} relations fail)" if count > 1 else ""
        return Judgement(FAILS, "; ".join([first_bad[FAILS] + tail, *notes]), formula, counterexample)
    if outcomes[UNDECIDED] or not count:
        return Judgement(UNDECIDED, "; ".join([first_bad[UNDECIDED] or "nothing was checked", *notes]))
    named = [place for place in dict.fromkeys(places) if place]
    named = named if len(named) < 4 else [*named[:2], "...", last.shown() if last else ""]
    counted = f"{count} relation{'s hold' if count > 1 else ' holds'}"
    return Judgement(HOLDS, "; ".join([f"{counted}: {' | '.join(named)}" if named else counted, *notes]))
