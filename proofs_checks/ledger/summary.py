"""Counts of verdicts, and the errors of the paper: each sentence once, the most severe first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

from .claims import CELL, OUR_SPIRAL, Claim, claims
from .verdict import (
    EXTENTS,
    FINITE,
    FOR_ALL,
    SAMPLED,
    SEVERITIES,
    SLIP,
    STORED,
    TRANSCRIBED,
    UNCOMPILED,
    Verdict,
)

Pairs = Iterable[tuple[Claim, Verdict]]


@dataclass(frozen=True)
class Error:
    """A refuted sentence of the paper, with the claims that refute it."""

    claims: tuple[Claim, ...]

    @property
    def first(self) -> Claim:
        """The claim about the sentence as printed if it is among them, else the first claim."""
        return next((c for c in self.claims if c.id == c.sentence), self.claims[0])

    @property
    def severity(self) -> str:
        """The severity of the sentence as printed."""
        return self.first.severity

    @property
    def arguable(self) -> bool:
        """Whether only another reading of the sentence fails.

        The claim whose id is the sentence's own takes the most favourable reading. The error is arguable if
        that claim is recorded with another outcome than FAILS.
        """
        sentence = self.first.sentence
        return all(c.id != sentence for c in self.claims) and any(
            c.id == sentence and c.expect != FAILS for c in claims()
        )

    @property
    def cells(self) -> tuple[Claim, ...]:
        """The claims about single printed numbers; a row with exchanged columns has two of them."""
        return tuple(c for c in self.claims if c.subject == CELL)


class SummaryRow(NamedTuple):
    """One row of the summary table; ``sentences`` is None if no sentences of the paper are counted."""

    outcome: str
    kind: str
    claims: int
    sentences: int | None = None


@dataclass(frozen=True)
class Summary:
    """The counts of a run, or of the ledger as recorded."""

    counts: dict[str, int]  # by outcome, and "unexpected"
    extents: dict[str, int]  # claims that hold, by extent
    errors: list[Error] = field(default_factory=list)
    slips: list[Error] = field(default_factory=list)  # of print and grammar; not counted as errors
    arguable_errors: list[Error] = field(default_factory=list)  # sentences that only another reading refutes
    spiral_failures: int = 0  # claims that fail on our own spiral: not errors of the paper
    unexpected_failures: int = 0  # claims that are not recorded as refuted: not errors of the paper
    compiled: int = 0  # claims that hold for all cases only by a machine-checked theorem
    stored: int = 0  # claims judged from stored values, whatever their outcome
    stored_held: int = 0  # those that hold

    @property
    def severities(self) -> dict[str, int]:
        """Number of errors by severity, the worst first."""
        found = Counter(error.severity for error in self.errors)
        return {severity or "not graded": found[severity] for severity in sorted(found, key=_rank)}

    @property
    def rows(self) -> list[SummaryRow]:
        """The rows of the summary table, without those that count nothing."""
        proof, number = "for all cases: machine-checked proof", self.extents
        rows = [
            SummaryRow(HOLDS, proof, self.compiled),
            SummaryRow(HOLDS, "for all cases: proof not compiled here", number[UNCOMPILED]),
            SummaryRow(HOLDS, "for all cases: exact identity", number[FOR_ALL] - self.compiled),
            SummaryRow(HOLDS, "finite statement, decided in every case", number[FINITE]),
            SummaryRow(HOLDS, "checked on samples only, which is not a proof", number[SAMPLED]),
            SummaryRow(HOLDS, "read off the paper's text, which is not a proof", number[TRANSCRIBED]),
            SummaryRow(HOLDS, "judged from stored values, because data are missing", self.stored_held),
            SummaryRow(
                HOLDS, "extent not recorded", self.counts[HOLDS] - sum(number.values()) - self.stored_held
            ),
        ]
        for severity in self.severities:
            own = [error for error in self.errors if (error.severity or "not graded") == severity]
            rows.append(_row(f"error of the paper: {severity}", own))
        rows += [
            _row("slip of print or grammar, not counted as an error", self.slips),
            _row("not an error: only another reading fails", self.arguable_errors),
            SummaryRow(FAILS, "not an error: fails on our own spiral", self.spiral_failures),
            SummaryRow(
                FAILS,
                "not as recorded: probably an error of this program; please report it",
                self.unexpected_failures,
            ),
            SummaryRow(UNDECIDED, "the evidence of each claim gives the reason", self.counts[UNDECIDED]),
            SummaryRow(SKIPPED, "the data are missing", self.counts[SKIPPED]),
        ]
        return [row for row in rows if row.claims]

    def to_json(self) -> dict:
        """Return the counts as fields of a verdicts/1 footer."""
        errors = {"sentences": len(self.errors), **self.severities}
        errors |= {
            "slips of print and grammar": len(self.slips),
            "wrong by another reading only": len(self.arguable_errors),
            "on our own spiral": self.spiral_failures,
        }
        return {"counts": self.counts, "extents": self.extents, "errors": errors, "stored": self.stored}


def _row(kind: str, errors: list[Error]) -> SummaryRow:
    return SummaryRow(FAILS, kind, sum(len(error.claims) for error in errors), len(errors))


def summary(pairs: Pairs) -> Summary:
    """Count the verdicts of these claims."""
    pairs = list(pairs)
    outcomes, extents = Counter(v.outcome for _, v in pairs), Counter(v.extent for _, v in pairs)
    failed = [c for c, v in pairs if v.outcome == FAILS]
    refuted = [c for c, v in pairs if v.outcome == FAILS and v.as_expected]
    sentences = errors(refuted)
    own = [error for error in sentences if not error.arguable]
    return Summary(
        {outcome: outcomes[outcome] for outcome in (HOLDS, FAILS, UNDECIDED, SKIPPED)}
        | {"unexpected": sum(not v.as_expected for _, v in pairs)},
        {extent: extents[extent] for extent in EXTENTS},
        [error for error in own if error.severity != SLIP],
        [error for error in own if error.severity == SLIP],
        [error for error in sentences if error.arguable],
        sum(c.subject == OUR_SPIRAL for c in refuted),
        len(failed) - len(refuted),
        sum(v.extent == FOR_ALL != c.extent for c, v in pairs),
        sum(v.source == STORED for _, v in pairs),
        sum(v.source == STORED and v.outcome == HOLDS for _, v in pairs),
    )


def errors(refuted: Iterable[Claim]) -> list[Error]:
    """Return the sentences of the paper among refuted claims, each once, ordered by severity.

    Within one severity the order is that of the paper, with table cells last. Claims that fail on our own
    spiral are left out: they say nothing about the paper's spiral.
    """
    by_sentence: dict[str, list[Claim]] = {}
    for c in refuted:
        if c.subject != OUR_SPIRAL:
            by_sentence.setdefault(c.sentence, []).append(c)
    found = [Error(tuple(own)) for own in by_sentence.values()]
    return sorted(found, key=_by_consequence)


def _by_consequence(error: Error) -> tuple:
    """Order by severity; conclusions about the real data come first, and cells last."""
    first = error.first
    real = error.severity == SEVERITIES[0] and first.section == "6.2"
    return _rank(error.severity), not real, not (real and first.needs), first.subject == CELL


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity else len(SEVERITIES)


def recorded() -> Summary:
    """Return the summary of the recorded outcomes; nothing is computed."""
    return summary((c, c.recorded()) for c in claims())


def other_claims(c: Claim) -> list[Claim]:
    """Return the other claims about the same sentence: another reading, or other data.

    A correction is included only if it is a reading too. Claims about our own spiral are listed only for
    claims about our own spiral.
    """
    own = _by_sentence(tuple(claims())).get(c.sentence, [])
    corrections = {other.correction for other in own}
    return [
        other
        for other in own
        if other is not c
        and (other.reading or other.id not in corrections)
        and (other.subject == OUR_SPIRAL) == (c.subject == OUR_SPIRAL)
    ]


@lru_cache(maxsize=1)
def _by_sentence(known: tuple[Claim, ...]) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for c in known:
        found.setdefault(c.sentence, []).append(c)
    return found


def count_skipped(verdicts: Iterable[Verdict], absent: Mapping[str, str]) -> dict[str, int]:
    """Return the number of skipped claims by reason; ``absent`` replaces reasons by better ones."""
    return dict(Counter(absent.get(v.evidence, v.evidence) for v in verdicts if v.outcome == SKIPPED))
