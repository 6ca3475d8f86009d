"""The result in terms of the paper, in the words that README, ``verify``, report and letter share.

Several claims can be about one sentence, and some claims are not about the paper at all: corrections, other
readings, checks on our own spiral and of this toolkit. They are not counted here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from orca_exact.errors import pluralize
from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

from . import theorems as formal
from .claims import CELL, OUR_SPIRAL, Claim, Verdict, claims
from .coverage import paper_items
from .errata import Erratum, errata
from .places import printed_place, section_at
from .summary import Pairs, summary
from .verdict import SAMPLED, SEVERITIES, TRANSCRIBED
from .wording import Paragraph

CORRECTED, READING, ROW, STATEMENT, TOOLKIT = "correction", "reading", "row", "statement", "toolkit"
# Kinds of items that are not counted as sentences; the cells and rows of tables are counted by themselves.
NOT_SENTENCES = ("label", "table", "proposal", "assumption", "repetition", "slip")
FORMAL = ("definition", "proposition", "equation", "proof-step")  # kinds of items
SPIRAL_ROW = "tab-spiral"
# The files of theorems about checkers of certificates.
CHECKERS = ["Checker", "Checks", "Certified", "Weights", "IntegerGram", "Inverse", "Files", "Extracted"]
THEORY = ("2", "3", "3.1", "3.2", "4", "5")  # the sections with the theory
Words = tuple[str, str]  # after one and after several
HOLD, IMPRECISE = ("holds", "hold"), ("is wrong or imprecise", "are wrong or imprecise")
IS_RIGHT, IS_WRONG = ("is right", "are right"), ("is wrong", "are wrong")
CONSISTENT, NOT_CONSISTENT = (
    ("is consistent in itself", "are consistent in themselves"),
    ("is not", "are not"),
)
OPEN, NOT_JUDGED = ("cannot be decided",) * 2, ("was not judged", "were not judged")
CONCLUSION, NUMBER, OBSTACLE = SEVERITIES[0], "wrong number", "not reproducible"
ONE = {OBSTACLE: "obstacle to computing the results again"}
PLURALS = {kind: f"{kind}s" for kind in SEVERITIES} | {OBSTACLE: "obstacles to computing the results again"}


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
    """Numbers of the paper's own items by outcome, and its errors."""

    formal: dict[str, int]  # definitions, propositions and formulas of the sections with the theory
    in_part: tuple[str, ...]  # those of them that are proved in part, or checked on samples, only
    sentences: dict[str, int]  # statements and displays of the whole paper
    slips: int  # of print and grammar, which are not among the statements
    cells: dict[str, int]
    rows: dict[str, int]
    errata: tuple[Erratum, ...]  # the errors, without slips
    sections: dict[str, dict[str, int]]  # statements and displays by section and outcome
    stored: int  # verdicts judged from stored values

    def paragraphs(self) -> list[Paragraph]:
        """Return the headline."""
        return [self._theory(), self._conclusions(), self._tables(), self._errors()]

    def by_section(self) -> list[tuple[str, str]]:
        """Return each section with the outcomes of its statements and displays in words."""
        return [(section, _outcomes(own, HOLD, IMPRECISE)) for section, own in self.sections.items()]

    def _theory(self) -> Paragraph:
        number, f = sum(self.formal.values()), self.formal
        what = "definitions, propositions and formulas of sections 2 to 5"
        if f[HOLDS] == number:
            text = f"All {number} {what} hold"
            if self.in_part:
                text += (
                    f" ({len(self.in_part)} of them are proved in part or checked on samples only: "
                    f"{', '.join(self.in_part)})"
                )
        else:
            text = f"Of {number} {what}, {_outcomes(f, HOLD, ('fails', 'fail'))}"
        wrong = [e for e in self.errata if e.claim.section in THEORY]
        if not wrong:
            return Paragraph("Theory", f"{text}.")
        places = "1 place there is" if len(wrong) == 1 else f"{len(wrong)} places there are"
        said = f"{text}. {places} wrong or imprecise; the correct form is:"
        return Paragraph("Theory", said, tuple(map(_corrected, wrong)))

    def _conclusions(self) -> Paragraph:
        wrong = [e for e in self.errata if e.severity == CONCLUSION]
        if not wrong:
            return Paragraph("Conclusions", "No conclusion about the experiments was refuted.")
        text = (
            f"{pluralize(len(wrong), 'conclusion')} about the experiments "
            f"{'does' if len(wrong) == 1 else 'do'} not follow from the paper's own tables or data:"
        )
        return Paragraph("Conclusions", text, tuple(map(_concluded, wrong)))

    def _tables(self) -> Paragraph:
        c, r = self.cells, self.rows
        wrong = [e for e in self.errata if e.entry]
        cells = sum(len([own for own in e.claims if own.subject == CELL]) for e in wrong)
        entries = f" (in {len(wrong)} entries of the errata, because two exchanged cells are one)"
        text = f"Of {sum(c.values())} cells of Tables 4 to 6, {_outcomes(c, IS_RIGHT, IS_WRONG)}"
        text += entries * (cells == c[FAILS] > len(wrong))
        text += (
            ". Tables 1 and 2 cannot be computed again, because the points of the spiral are not given; of "
            f"their {sum(r.values())} rows {_outcomes(r, CONSISTENT, NOT_CONSISTENT)}."
        )
        return Paragraph("Tables", text)

    def _errors(self) -> Paragraph:
        kinds = Counter(e.severity for e in self.errata)
        entries = sum(e.in_table for e in self.errata if e.severity == NUMBER)
        parts = [
            f"{kinds[kind]} {PLURALS[kind] if kinds[kind] > 1 else ONE.get(kind, kind)}"
            + f" ({entries} of them in tables)" * (kind == NUMBER and entries > 0)
            for kind in SEVERITIES
            if kinds[kind]
        ]
        said = self.sentences
        text = (
            f"Of {sum(said.values())} statements and displays of the paper, "
            f"{_outcomes(said, HOLD, IMPRECISE)}. The errata have "
            f"{pluralize(len(self.errata), 'error')} (an error can be about several statements): "
            f"{'; '.join(parts)}. "
            f"{pluralize(self.slips, 'slip')} of print and grammar are listed apart."
        )
        return Paragraph("Errors", text)


def _outcomes(counts: Mapping[str, int], hold: Words, fail: Words) -> str:
    """Return the counts of outcomes in words, without those that are 0."""
    words = {HOLDS: hold, FAILS: fail, UNDECIDED: OPEN, SKIPPED: NOT_JUDGED}
    parts = [f"{n} {said[n > 1]}" for outcome, said in words.items() if (n := counts.get(outcome, 0))]
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))) if parts else "none was judged"


def _extents(id: str) -> set[str]:
    """Return how far the claims about an item of the paper are shown to hold, theorems taken as compiled."""
    return {c.recorded().extent for c in _claims_of(id)}


def _claims_of(id: str) -> list[Claim]:
    """Return the claim of an item of the paper, else those that cover it."""
    return [c for c in claims() if c.id == id] or [c for c in claims() if id in c.covers]


def _concluded(e: Erratum) -> str:
    return f"{_short_place(e)}. We read this as: {e.reading.text} It fails: {e.failure}"


def _corrected(e: Erratum) -> str:
    said = " ".join(said.text for _, said in e.replacements)
    return f"{_short_place(e)}: {said}"


def _short_place(e: Erratum) -> str:
    place = printed_place(e.claim, words=False).replace(" of the source)", ")")
    return place[0].upper() + place[1:]


def headline(pairs: Pairs) -> Headline:
    """Count the verdicts of all claims in terms of the paper."""
    pairs = list(pairs)
    role, verdicts = roles(claims()), {c.id: v for c, v in pairs}
    found = summary(pairs)
    outcomes = {item["id"]: item_outcome(item["id"], role, verdicts) for item in _sentences()}
    section = {item["id"]: section_at(item["line"]) for item in _sentences()}
    formal_ids = {
        item["id"]: item.get("number", f"the display in line {item['line']}")
        for item in _sentences()
        if item["kind"] in FORMAL and section[item["id"]] in THEORY
    }
    sections: dict[str, Counter[str]] = {}
    for id, outcome in outcomes.items():
        sections.setdefault(section[id], Counter())[outcome] += 1

    def count(kind: str) -> dict[str, int]:
        return _all(v.outcome for c, v in pairs if role[c.id] == kind)

    return Headline(
        _all(outcomes[id] for id in formal_ids),
        tuple(name for id, name in formal_ids.items() if SAMPLED in _extents(id)),
        _all(outcomes.values()),
        len(found.slips),
        count(CELL),
        count(ROW),
        tuple(e for e in errata(found, verdicts) if not e.slip),
        dict(sorted(sections.items(), key=lambda row: tuple(map(int, row[0].split("."))))),
        found.stored,
    )


def _all(outcomes: Iterable[str]) -> dict[str, int]:
    found = Counter(outcomes)
    return {outcome: found[outcome] for outcome in (HOLDS, FAILS, UNDECIDED, SKIPPED)}


def _sentences() -> list[dict]:
    return [item for item in paper_items() if item["kind"] not in NOT_SENTENCES]


def item_outcome(id: str, role: dict[str, str], verdicts: dict[str, Verdict]) -> str:
    """Return the outcome of one sentence or display: that of its own claim, else of the claims that cover it.

    What was checked on our own spiral only is undecided: nothing follows for the paper's spiral.
    """
    by = _claims_of(id)
    if all(role[c.id] == OUR_SPIRAL for c in by):
        return UNDECIDED
    outcomes = {verdicts[c.id].outcome for c in by if role[c.id] != OUR_SPIRAL and c.id in verdicts}
    return next((o for o in (FAILS, SKIPPED, UNDECIDED) if o in outcomes), HOLDS if outcomes else SKIPPED)


def formal_line() -> str:
    """Return which claims of sections 2 to 5 theorems prove, and what the other theorems are about."""
    held = [c for c in claims() if c.section in THEORY and c.expect == HOLDS and c.sentence == c.id]
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
