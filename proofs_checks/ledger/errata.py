"""Errata: one record for each refuted sentence of the paper, which every output shows.

A record never gives our words as those of the paper. It has the place of the sentence, the sentence itself
if the reader has a copy of the source, how we read it, why it fails, and a form in which it holds. Every form
that holds is a claim of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from orca_exact import __version__

from .claims import CELL, Claim, claims
from .places import Source, printed_place, sentence_numbers
from .summary import Error, Summary
from .verdict import SLIP, Verdict
from .wording import as_sentence, statement_text


@dataclass(frozen=True)
class Said:
    """A statement in words with plain formulas, and as a displayed formula in LaTeX, which may be empty."""

    text: str
    latex: str = ""


@dataclass(frozen=True)
class Line:
    """One labelled line of an erratum: a sentence, a displayed formula, and the claims it cites."""

    label: str
    text: str
    formula: tuple[str, str] = ("", "")  # a part of the text, and the same part in LaTeX
    display: str = ""  # LaTeX
    claims: tuple[str, ...] = ()
    quoted: bool = False  # whether the text is LaTeX from the reader's copy


@dataclass(frozen=True)
class Erratum:
    """A refuted sentence, table entry or slip of the paper."""

    claim: Claim  # the claim about the sentence as printed
    claims: tuple[Claim, ...]  # all claims that refute it
    severity: str
    place: str  # for a reader of a printed copy; the line of the source stands in parentheses
    words: str  # the sentence in LaTeX from the reader's copy, or empty
    reading: Said
    failure: str
    counterexample: str  # the evidence of the verdict, if it was computed
    formula: tuple[str, str]  # a part of the counterexample, and the same part in LaTeX
    replacements: tuple[tuple[Claim, Said], ...]  # claims that hold

    @property
    def slip(self) -> bool:
        """Whether it is a slip of print or grammar, which is not counted as an error."""
        return self.severity == SLIP

    @property
    def entry(self) -> bool:
        """Whether it is about cells of a table."""
        return self.claim.subject == CELL

    @property
    def in_table(self) -> bool:
        """Whether it is about printed figures and not about a sentence."""
        return not sentence_numbers(self.claim)

    @property
    def short(self) -> str:
        """Why it fails, or for a cell what holds."""
        return self.failure or " ".join(said.text for _, said in self.replacements) or self.reading.text

    def lines(self) -> list[Line]:
        """Return what every output shows below the place."""
        lines = [Line("The paper", self.words, quoted=True)] if self.words else []
        label = "It prints" if self.entry else "We read this as"
        lines.append(Line(label, self.reading.text, display=self.reading.latex))
        if self.failure:
            lines.append(Line("It fails", self.failure))
        if self.counterexample:
            lines.append(Line("Counterexample", self.counterexample, self.formula))
        for c, said in self.replacements:
            lines.append(Line("It holds in this form", said.text, display=said.latex, claims=(c.id,)))
        return [*lines, Line("Evidence", "", claims=tuple(c.id for c in self.claims))]

    def to_json(self) -> dict:
        """Return the record as it is written in JSON."""
        return {
            "claim": self.claim.id,
            "kind": self.severity,
            "place": self.place,
            "words": self.words,
            "read as": self.reading.text,
            "latex": self.reading.latex,
            "fails because": " ".join(filter(None, (self.failure, self.counterexample))),
            "holds": [
                {"claim": c.id, "text": said.text, "latex": said.latex} for c, said in self.replacements
            ],
        }


def errata(
    found: Summary, verdicts: Mapping[str, Verdict] | None = None, copy: Source | None = None
) -> list[Erratum]:
    """Return the errors of a summary by consequence, then the slips.

    ``verdicts`` by claim give computed counterexamples, ``copy`` the words of the paper.
    """
    return [_erratum(error, verdicts or {}, copy) for error in (*found.errors, *found.slips)]


def _erratum(error: Error, verdicts: Mapping[str, Verdict], copy: Source | None) -> Erratum:
    c, cited = error.first, error.cells or (error.first,)
    known = {own.id: own for own in claims()}
    replacements = dict.fromkeys(known[own.correction] for own in cited if own.correction in known)
    place = printed_place(c)
    same = any(own.plain == c.plain for own in replacements)  # cells share the rule of rounding
    counterexample, formula = ("", ("", "")) if error.severity == SLIP else _counterexample(c, verdicts)
    return Erratum(
        c,
        error.claims,
        error.severity,
        place[0].upper() + place[1:],
        copy.sentence(c) if copy else "",
        _reading(c, cited),
        as_sentence(c.plain) if c.plain and not same else "",
        counterexample,
        formula,
        tuple((own, Said(as_sentence(statement_text(own)), own.latex)) for own in replacements),
    )


def _reading(c: Claim, cited: tuple[Claim, ...]) -> Said:
    """Return how the sentence is read; of several cells of one row all are named."""
    text = "; ".join(statement_text(own) for own in cited)
    how = f" ({c.reading})" if c.reading else ""
    return Said(as_sentence(text + how), "" if c.subject == CELL else c.latex)


def _counterexample(c: Claim, verdicts: Mapping[str, Verdict]) -> tuple[str, tuple[str, str]]:
    """Return the computed counterexample of a claim and the formula in it."""
    if c.id not in verdicts or not (shown := verdicts[c.id].counterexample):
        return "", ("", "")
    text, latex = verdicts[c.id].formula
    latex = latex or (text.replace("≠", r"\ne") if "\\" in text else "")
    capital = shown[0].upper() + shown[1:] if shown[1:2].islower() else shown
    return as_sentence(capital), (text, latex) if text in shown else ("", "")


def evidence_digest(v: Verdict) -> str:
    """Return the SHA-256 of what a verdict rests on: claim, outcome, evidence and scope."""
    content = [v.claim, v.outcome, v.evidence, v.scope, v.source]
    return sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


def citation(v: Verdict, when: date) -> str:
    """Return one line that cites a verdict: tool, version, date, claim, verdict, digest of the evidence."""
    return (
        f"orca-exact {__version__}, {when.isoformat()}: claim {v.claim} ({v.place}), verdict {v.word}; "
        f"SHA-256 of the evidence {evidence_digest(v)}"
    )
