"""A verdict: what came of the relations of one claim, how far it reaches, and what a referee can quote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from orca_exact.errors import DataMissing, Undecided
from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

from .relations import Note, Relation

FOR_ALL, UNCOMPILED, FINITE, SAMPLED = EXTENTS = (
    "for all",
    "uncompiled",
    "finite",
    "sampled",
)  # of what HOLDS
SEVERITIES = ("wrong number", "wrong statement", "imprecise wording", "typographical")  # of what FAILS


@dataclass(frozen=True)
class Verdict:
    """What came of one claim, and what the ledger expects."""

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
    general: str = ""  # whether a machine-checked theorem behind it was checked here
    extent: str = ""  # of EXTENTS, where it holds
    severity: str = ""  # of SEVERITIES, where it fails
    statement: str = ""  # the name of the sentence it judges
    reading: str = ""
    plain: str = ""  # the claim in words
    formula: tuple[str, str] = ("", "")  # the mathematics of its evidence: as it stands there, and in LaTeX

    @property
    def word(self) -> str:
        """The outcome as it is said: what is not proved here says so."""
        return f"{HOLDS} ({self.extent})" if self.extent in (SAMPLED, UNCOMPILED) else self.outcome

    @property
    def as_expected(self) -> bool:
        """The outcome the ledger records, or none for want of data."""
        return self.outcome in (self.expected, SKIPPED) and not self.crashed

    def to_json(self) -> dict:
        """One line of an orca-exact/verdicts/1."""
        keys = ("claim", "title", "place", "outcome", "expected", "evidence")
        data = {key: getattr(self, key) for key in keys}
        data |= {"scope": self.scope, "seconds": round(self.seconds, 3), "as_expected": self.as_expected}
        names = ("extent", "severity", "statement", "reading", "plain", "correction", "general")
        more = {name: getattr(self, name) for name in names}
        return data | {key: value for key, value in more.items() if value}


def judge(relations: Iterable[Relation]) -> tuple[str, str, tuple[str, str]]:
    """The outcome of all relations together, text a referee can quote, and the mathematics in it."""
    outcomes, notes, bad, places = Counter[str](), [], {FAILS: "", UNDECIDED: ""}, []
    formula = ("", "")
    try:
        for relation in relations:
            if not isinstance(relation, Relation):
                raise TypeError(f"a claim yields relations, not {type(relation).__name__}")
            if isinstance(relation, Note):
                notes.append(relation.text)
                continue
            outcome = relation.decide()
            outcomes[outcome] += 1
            places.append(getattr(relation, "where", ""))
            if outcome in bad and not bad[outcome]:
                bad[outcome] = relation.evidence(outcome)
                formula = relation.formula() if outcome == FAILS else formula
    except (DataMissing, Undecided) as error:
        if not outcomes[FAILS]:
            raise
        notes.append(f"stopped after it: {error}")  # what is refuted stays refuted
    count = sum(outcomes.values())
    if outcomes[FAILS]:
        tail = f" ({outcomes[FAILS]} of {count} relations fail)" if count > 1 else ""
        return FAILS, "; ".join([bad[FAILS] + tail, *notes]), formula
    if outcomes[UNDECIDED] or not count:
        return UNDECIDED, "; ".join([bad[UNDECIDED] or "nothing was checked", *notes]), ("", "")
    named = [place for place in dict.fromkeys(places) if place]
    named = named if len(named) < 4 else [*named[:2], "...", named[-1]]
    counted = f"{count} relation{'s hold' if count > 1 else ' holds'}"
    return HOLDS, "; ".join([f"{counted}: {' | '.join(named)}" if named else counted, *notes]), ("", "")
