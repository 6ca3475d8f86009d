"""The referee's letter: each error of the paper in sentences, the worst first, and apart what is none.

The report and the documentation set this one text. What comes from the claims is plain text such as
'OKC^(2) <= 1', with LaTeX beside it; the counterexamples are those of the verdicts given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED

from .ledger.claims import OUR_SPIRAL, Claim, Verdict, claims
from .ledger.places import printed
from .ledger.summary import Error, Pairs, also, summary
from .ledger.verdict import SEVERITIES

COUNTED = re.compile(r" \(\d+ of \d+ (?:relations? fails?|entries differ)\)")
KINDS = {
    SEVERITIES[0]: ("Wrong numbers", "A printed number is not the true one."),
    SEVERITIES[1]: ("Wrong statements", "The sentence says what is not the case."),
    SEVERITIES[2]: ("Imprecise wording", "What is meant can be said and holds; what is printed does not."),
    SEVERITIES[3]: ("Typographical", "A slip of notation or of print, on which nothing rests."),
    "": ("Not graded", ""),
}
SAID = {HOLDS: "holds", FAILS: "refuted", UNDECIDED: "undecided"}


@dataclass(frozen=True)
class Line:
    """A sentence under its label, the mathematics in it, a displayed formula, and the claims it cites."""

    label: str
    text: str
    formula: tuple[str, str] = ("", "")  # a part of the text, and the same in LaTeX
    display: str = ""  # LaTeX
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One sentence of the paper: what it states in our words, and what is to be said of it."""

    claim: str
    states: str
    display: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Chapter:
    """Entries of one kind; whether they are errors of the paper."""

    id: str
    title: str
    text: str
    entries: tuple[Entry, ...]
    errors: bool = True


def opening(pairs: Pairs) -> list[str]:
    """The first paragraphs: how many errors of which kind, when a sentence is one, and what is none.

    >>> opening([])
    ['No sentence that was judged is refuted.']
    """
    found = summary(pairs)
    number, other = len(found.errors), len(found.arguable)
    kinds = ", ".join(f"{n} {severity}{_s(n, severity)}" for severity, n in found.severities.items())
    told = ["No sentence that was judged is refuted."]
    if number:
        told = [f"{_sentences(number)} of the paper {'are' if number > 1 else 'is'} refuted: {kinds}."]
        told.append(
            "Each sentence is counted once, and is an error if it fails in the strongest reading that its "
            "authors could mean. The worst come first, each under what the paper states, in our words; each "
            "has a counterexample or a certified value, and a correction that holds. Places are those of a "
            "printed copy, by the first and last words of the paragraph, where … stands for a formula."
        )
    apart = [f"{_sentences(other)} that only another reading refutes"] * bool(other)
    apart += [f"{found.ours} claims that fail on our own spiral, which is not the paper's"] * bool(found.ours)
    return [*told, f"Kept apart, and no errors: {'; '.join(apart)}."] if apart else told


def chapters(pairs: Pairs) -> list[Chapter]:
    """Errors by severity, then the sentences that only another reading refutes, then our own spiral."""
    pairs = list(pairs)
    known = {c.id: v for c, v in pairs}
    found = summary(pairs)
    made = []
    for severity, (title, text) in KINDS.items():
        own = tuple(_entry(error, known) for error in found.errors if error.severity == severity)
        made.append(Chapter(title.lower().replace(" ", "-"), title, text, own))
    made.append(
        Chapter(
            "another-reading",
            "No errors: refuted by another reading only",
            "These sentences hold as their authors could mean them. Another reading fails.",
            tuple(_arguable(error, known) for error in found.arguable),
            errors=False,
        )
    )
    ours = [c for c, v in pairs if v.outcome == FAILS and c.subject == OUR_SPIRAL]
    made.append(
        Chapter(
            "our-spiral",
            "No errors: our own spiral",
            "The paper does not say how its double spiral was made. These statements do not hold on the one "
            "that proofs_checks.experiments.datasets.double_spiral documents, which says nothing of the "
            "paper's.",
            tuple(
                Entry(c.id, bare(c), c.latex, (*_shown([c], known), *_where(c), _evidence([c]))) for c in ours
            ),
            errors=False,
        )
    )
    return [chapter for chapter in made if chapter.entries]


def bare(c: Claim) -> str:
    """What a claim states, without what it is: a sentence, whose first letter is no symbol's.

    >>> from proofs_checks.ledger.claims import claims
    >>> print(bare(*claims(["eq-sec4-2-constant-bias"])))
    The constant term of g is c_0 + b
    >>> print(bare(*claims(["echo-d2-dominates/legendre"])))
    d = 2, n >= 12: OKC^(2) is above 0.85 for Legendre
    """
    text = c.title.removeprefix("as printed: ").removeprefix("corrected: ")
    text = text.removesuffix("(our spiral)").strip()
    return text[0].upper() + text[1:] if re.match(r"(?:a|[a-z]{2,})[ ,:]", text) else text


def judged_claims(c: Claim, v: Verdict) -> str:
    """'holds (for all, machine-checked)', 'refuted (wrong number)', 'undecided'."""
    how = v.extent or v.severity
    how = v.general if how != c.extent and v.general else how
    return SAID.get(v.outcome, v.outcome.lower()) + (f" ({how})" if how else "")


# An entry, line by line.


def _entry(error: Error, known: dict[str, Verdict]) -> Entry:
    c, cells = error.first, error.cells
    fixed = [f for o in cells or (c,) for f in _corrections(o)]
    lines = [Line("Read as", _stop(c.reading))] if c.reading else []
    if cells:
        plain = "" if any(f.plain == c.plain for f in fixed) else f" {c.plain}"
        lines.append(Line("In truth", _stop("; ".join(map(_of_row, fixed))) + plain))
    elif c.plain:
        lines.append(Line("In truth", c.plain))
    lines += _shown(error.claims, known)
    for f in [] if cells else fixed:
        text = f"{_stop(bare(f))} This {judged_claims(f, known.get(f.id) or f.recorded())}."
        lines.append(Line("Corrected", text, display=f.latex * (f.latex != c.latex), claims=(f.id,)))
    others = [o for o in also(c) if o.reading and o not in error.claims]
    lines += _readings([o for o in others if o.reading not in {f.reading for f in fixed}], known)
    states = "; ".join([bare(c), *(_of_row(o) for o in cells if o is not c)])
    return Entry(c.id, states, "" if cells else c.latex, (*lines, *_where(c), _evidence(error.claims)))


def _arguable(error: Error, known: dict[str, Verdict]) -> Entry:
    c, meant = error.first, next(o for o in claims() if o.id == error.first.sentence)
    lines = [
        Line("Holds", _stop(f"read as: {meant.reading}"), claims=(meant.id,)),
        Line("Fails", f"read as: {_stop(c.reading)} {c.plain}", display=c.latex),
        *_shown(error.claims, known),
        *_where(c),
        _evidence(error.claims),
    ]
    return Entry(c.id, bare(meant), meant.latex, tuple(lines))


def _shown(cited: Iterable[Claim], known: dict[str, Verdict]) -> list[Line]:
    """The first counterexample that is computed, without how many relations were tried."""
    for v in (known[c.id] for c in cited if c.id in known and known[c.id].evidence):
        text, latex = v.formula
        said = COUNTED.sub("", v.evidence)
        if text and text in said:
            before, _, after = said.partition(text)
            claimed = re.match(r", where .{1,2} is claimed", after)
            said = before + text + (claimed[0] if claimed and " = " in text else "")
            latex = latex or (text.replace("≠", r"\ne") if "\\" in text else "")
        return [
            Line(
                "Counterexample",
                _stop(said[0].upper() + said[1:] if said[1:2].islower() else said),
                (text, latex),
            )
        ]
    return []


def _readings(others: Iterable[Claim], known: dict[str, Verdict]) -> list[Line]:
    said: dict[str, list[Claim]] = {}
    for o in others:
        said.setdefault(f"{o.reading}: {judged_claims(o, known.get(o.id) or o.recorded())}.", []).append(o)
    return [Line("Otherwise read", text, claims=_ids(own)) for text, own in said.items()]


def _where(c: Claim) -> list[Line]:
    place = re.sub(r"(Table \d+), n = ", r"\1, row n = ", printed(c))
    return [Line("Find it", _stop(place[0].upper() + place[1:]))]


def _evidence(cited: Iterable[Claim]) -> Line:
    return Line("Evidence", "", claims=_ids(cited))


def _corrections(c: Claim) -> list[Claim]:
    return [o for o in claims() if o.id == c.correction]


def _of_row(c: Claim) -> str:
    """'even = 0.506' of 'Table 4, n = 6: even = 0.506'."""
    return c.title.split(": ", 1)[-1]


def _ids(cited: Iterable[Claim]) -> tuple[str, ...]:
    return tuple(c.id for c in cited)


def _stop(text: str) -> str:
    return text if text.endswith((".", "…")) else text + "."


def _sentences(number: int) -> str:
    return f"{number} sentence{'s' * (number > 1)}"


def _s(number: int, severity: str) -> str:
    return "s" * (number > 1 and severity.startswith("wrong"))
