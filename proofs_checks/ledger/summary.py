"""Counting: how far what holds reaches, and the errors of the paper, each sentence once, the worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

from .claims import CELL, OUR_SPIRAL, Claim, claims
from .verdict import EXTENTS, FINITE, FOR_ALL, SAMPLED, SEVERITIES, UNCOMPILED, Verdict

Pairs = Iterable[tuple[Claim, Verdict]]
REACH = {  # of one claim, and of several
    FOR_ALL: ("for all that it speaks of", "for all that they speak of"),
    UNCOMPILED: (
        "for all by a machine-checked proof, not compiled here",
        "for all by machine-checked proofs, not compiled here",
    ),
    FINITE: ("finite statement decided in every case", "finite statements decided in every case"),
    SAMPLED: ("only in samples, which is no proof",) * 2,
}


@dataclass(frozen=True)
class Error:
    """A sentence of the paper that is refuted, by one claim or by several."""

    claims: tuple[Claim, ...]

    @property
    def first(self) -> Claim:
        """The claim that speaks for it: the sentence as printed, where that is among them."""
        return next((c for c in self.claims if c.id == c.sentence), self.claims[0])

    @property
    def severity(self) -> str:
        """The worst of its claims."""
        return min((c.severity for c in self.claims), key=_rank)

    @property
    def arguable(self) -> bool:
        """Whether only another reading fails, and the claim of the bare id, which takes the strongest its
        authors could mean, is recorded otherwise.
        """
        bare = self.first.sentence
        return all(c.id != bare for c in self.claims) and any(
            c.id == bare and c.expect != FAILS for c in claims()
        )

    @property
    def cells(self) -> tuple[Claim, ...]:
        """The printed numbers among them: a row whose columns are exchanged has two."""
        return tuple(c for c in self.claims if c.subject == CELL)


@dataclass(frozen=True)
class Summary:
    """The numbers of a run, or of the ledger as recorded; everything that counts claims counts here."""

    counts: dict[str, int]  # by outcome, and "unexpected"
    extents: dict[str, int]  # of what holds
    errors: list[Error] = field(default_factory=list)
    arguable: list[Error] = field(default_factory=list)  # sentences that only another reading refutes
    ours: int = 0  # claims that fail on our own spiral: no errors of the paper
    compiled: int = 0  # of what holds for all: by a machine-checked theorem, and otherwise only sampled

    @property
    def severities(self) -> dict[str, int]:
        """How many errors of each severity, the worst first."""
        found = Counter(error.severity for error in self.errors)
        return {severity or "not graded": found[severity] for severity in sorted(found, key=_rank)}

    @property
    def reach(self) -> list[str]:
        """How far what holds reaches, in words."""
        said = {extent: f"{n} {REACH[extent][n > 1]}" for extent, n in self.extents.items() if n}
        if self.compiled:
            said[FOR_ALL] += f" (of them {self.compiled} by machine-checked proofs)"
        return list(said.values())

    def to_json(self) -> dict:
        """The fields of a footer."""
        errors = {"sentences": len(self.errors), **self.severities}
        errors |= {"wrong by another reading only": len(self.arguable), "on our own spiral": self.ours}
        return {"counts": self.counts, "extents": self.extents, "errors": errors}


def summary(pairs: Pairs) -> Summary:
    """What came of these claims."""
    pairs = list(pairs)
    found, reach = Counter(v.outcome for _, v in pairs), Counter(v.extent for _, v in pairs)
    by_outcome = {outcome: found[outcome] for outcome in (HOLDS, FAILS, UNDECIDED, SKIPPED)}
    unexpected = sum(not v.as_expected for _, v in pairs)
    refuted = [c for c, v in pairs if v.outcome == FAILS]
    sentences = errors(refuted)
    return Summary(
        by_outcome | {"unexpected": unexpected},
        {extent: reach[extent] for extent in EXTENTS},
        [error for error in sentences if not error.arguable],
        [error for error in sentences if error.arguable],
        sum(c.subject == OUR_SPIRAL for c in refuted),
        sum(v.extent == FOR_ALL != c.extent for c, v in pairs),
    )


def errors(refuted: Iterable[Claim]) -> list[Error]:
    """The sentences of the paper among refuted claims, each once, by severity, then in the paper's order.

    Of one severity cells of tables come last. What fails on our own spiral says nothing about the paper's.
    """
    by_sentence: dict[str, list[Claim]] = {}
    for c in refuted:
        if c.subject != OUR_SPIRAL:
            by_sentence.setdefault(c.sentence, []).append(c)
    found = [Error(tuple(own)) for own in by_sentence.values()]
    return sorted(found, key=lambda error: (_rank(error.severity), error.first.subject == CELL))


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity) if severity else len(SEVERITIES)


def recorded() -> Summary:
    """The summary that the ledger records."""
    return summary((c, c.recorded()) for c in claims())


def also(c: Claim) -> list[Claim]:
    """The other claims about the same sentence: by another reading, or on other figures of the same kind.

    A correction is none of them, unless it is a reading; nor is our spiral where the paper's data are judged.
    """
    own = [other for other in claims() if other.sentence == c.sentence]
    corrections = {other.correction for other in own}
    return [
        other
        for other in own
        if other is not c
        and (other.reading or other.id not in corrections)
        and (other.subject == OUR_SPIRAL) == (c.subject == OUR_SPIRAL)
    ]


def not_judged(verdicts: Iterable[Verdict], absent: Mapping[str, str]) -> dict[str, int]:
    """Why claims were skipped, and how many for each reason; ``absent`` puts some reasons better."""
    return dict(Counter(absent.get(v.evidence, v.evidence) for v in verdicts if v.outcome == SKIPPED))
