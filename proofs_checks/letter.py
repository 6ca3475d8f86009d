"""The referee's letter: the errors of the paper, the most severe first, then what is not an error, remarks.

The report and the documentation show this text. Texts from the claims are plain, such as 'OKC^(2) <= 1', with
LaTeX beside them. Counterexamples come from the verdicts that are passed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from orca_exact.files.outcomes import FAILS

from .ledger.claims import OUR_SPIRAL, Claim, Verdict, claims
from .ledger.headline import answer, headline
from .ledger.places import printed_place
from .ledger.summary import Error, Pairs, other_claims, summary
from .ledger.verdict import WORDS

RULE = (
    "A sentence is an error if it fails in the most favourable reading that keeps every quantifier and every "
    "number of the sentence. Other readings are recorded and do not change the verdict."
)
WHERE = "Where"  # the label of the line with the place in the paper
COUNTED = re.compile(r" \(\d+ of \d+ (?:relations? fails?|entries differ)\)")
KINDS = {
    "wrong conclusion": (
        "Wrong conclusions",
        "The paper concludes this from its results, and it does not follow.",
    ),
    "not reproducible": (
        "Not reproducible",
        "The results cannot be computed again from what the sentence says.",
    ),
    "wrong number": ("Wrong numbers", "A printed number differs from the true value."),
    "wrong statement": ("Wrong statements", "The sentence is false."),
    "imprecise wording": (
        "Imprecise wording",
        "The sentence is false as printed, but a precise version of what it means holds.",
    ),
    "typographical": (
        "Slips of print and grammar",
        "Nothing else depends on these; they are not counted as errors.",
    ),
    "": ("Not graded", ""),
}


@dataclass(frozen=True)
class Line:
    """One labelled line of an entry: a sentence, a displayed formula, and the claims it cites."""

    label: str
    text: str
    formula: tuple[str, str] = ("", "")  # a part of the text, and the same part in LaTeX
    display: str = ""  # LaTeX
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One sentence of the paper: what it states, in our words, and the lines about it."""

    claim: str
    states: str
    display: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Chapter:
    """Entries of one kind; ``errors`` is whether they are errors of the paper."""

    id: str
    title: str
    text: str
    entries: tuple[Entry, ...]
    errors: bool = True


@dataclass(frozen=True)
class Remark:
    """A suggestion to the authors; it is not about an error."""

    id: str
    title: str
    text: str
    display: str  # LaTeX


REMARKS = (
    Remark(
        "remark-sobol",
        "Remark: OKC indices are Sobol' indices",
        "Normalise the weight of each coordinate to a probability measure, and let V be the variance of h "
        "under the product measure mu and V_S the partial variance of the set S of coordinates. The "
        "functions p_k/p_0 are an orthonormal basis of their span in L2(mu), so by Parseval's identity V is "
        "the sum of c_k^2 over k other than 0, times lambda = p_0^2, and V_S the same sum over the modes "
        "whose active coordinates are S. Since c_0 = 0 for a trained SVM, ||h||^2 = V/lambda and OKC_S = "
        "V_S/V. So OKC_i is the first-order Sobol' index of coordinate i, and OKC_S that of the group S. The "
        "paper does not say this. Two indices that are usual in sensitivity analysis are missing: the total "
        "index T_i, the share of all modes that depend on coordinate i, and the Shapley effect Sh_i, which "
        "divides the share of each mode equally among its active coordinates, so that the effects sum to 1. "
        "The marginal index of a coordinate that acts only through interactions is 0, but its total index is "
        "positive.",
        r"\mathrm{OKC}_S=\frac{V_S}{V},\qquad T_i=\sum_{S\ni i}\mathrm{OKC}_S,\qquad "
        r"\mathrm{Sh}_i=\sum_{S\ni i}\frac{\mathrm{OKC}_S}{|S|}",
    ),
)


def opening(pairs: Pairs) -> list[str]:
    """Return the first paragraphs: whether a conclusion changes, what was found, and what counts as an error.

    >>> opening([])
    ['No sentence that was checked is refuted.']
    """
    pairs = list(pairs)
    found = summary(pairs)
    number, other = len(found.errors), len(found.arguable_errors)
    kinds = ", ".join(f"{n} {severity}{_s(n, severity)}" for severity, n in found.severities.items())
    whole = headline(pairs) if len(pairs) == len(claims()) else None
    paragraphs = [answer(whole), " ".join(whole.lines())] if whole else []
    if not number:
        return [*paragraphs, "No sentence that was checked is refuted."]
    errors = f"{number} error{'s' * (number > 1)} of the paper {'are' if number > 1 else 'is'} listed"
    paragraphs += [
        f"{errors}, each sentence once: {kinds}.",
        f"{RULE} Errors are ordered by consequence. Each entry begins with what the paper states, in our "
        "words, and gives a counterexample or a certified value and a correction that holds. A place refers "
        "to a printed copy: section, paragraph, and the first and last words of the paragraph, in which … "
        "stands for a formula.",
    ]
    separate = [f"{_sentences(other)} that only another reading refutes"] * bool(other)
    separate += [
        f"{found.spiral_failures} claims that fail on our own spiral, which is not the paper's"
    ] * bool(found.spiral_failures)
    return paragraphs + [f"Listed separately, because they are not errors: {'; '.join(separate)}."] * bool(
        separate
    )


def chapters(pairs: Pairs) -> list[Chapter]:
    """Return the errors by severity, then the sentences that fail in another reading, then our spiral."""
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
            "Not errors: only another reading fails",
            "These sentences hold, or cannot be decided, in the most favourable reading that keeps every "
            "quantifier and every number; another reading fails.",
            tuple(_arguable(error, known) for error in found.arguable_errors),
            errors=False,
        )
    )
    ours = [c for c, v in pairs if v.outcome == FAILS and c.subject == OUR_SPIRAL]
    made.append(
        Chapter(
            "our-spiral",
            "Not errors: our own spiral",
            "The paper does not say how its double spiral was generated. These statements fail on our own "
            "spiral, which proofs_checks.experiments.datasets.double_spiral documents. Nothing follows about "
            "the paper's spiral.",
            tuple(
                Entry(
                    c.id,
                    statement_text(c),
                    c.latex,
                    (*_counterexample([c], known), _where(c), _evidence([c])),
                )
                for c in ours
            ),
            errors=False,
        )
    )
    return [chapter for chapter in made if chapter.entries]


def statement_text(c: Claim) -> str:
    """Return the title of a claim without 'as printed' or 'corrected', capitalised unless it is a symbol.

    >>> from proofs_checks.ledger.claims import claims
    >>> print(statement_text(*claims(["offset-variants"])))
    Without an explicit bias the offset is c_0 + b
    >>> print(statement_text(*claims(["echo-d2-dominates"])))
    d = 2, n >= 12: OKC^(2) is above 0.85 for Legendre
    """
    text = c.title.removeprefix("as printed: ").removeprefix("corrected: ")
    text = text.removesuffix("(our spiral)").strip()
    return text[0].upper() + text[1:] if re.match(r"(?:a|[a-z]{2,})[ ,:]", text) else text


def verdict_words(c: Claim, v: Verdict) -> str:
    """Return a verdict in words, such as 'holds (for all, machine-checked)' or 'refuted (wrong number)'."""
    how = v.extent or v.severity
    how = v.general if how != c.extent and v.general else how
    return WORDS[v.outcome] + (f" ({how})" if how else "")


# The lines of an entry.


def _entry(error: Error, known: dict[str, Verdict]) -> Entry:
    c, cells = error.first, error.cells
    fixed = [f for o in cells or (c,) for f in _corrections(o)]
    lines = [Line("Reading", _stop(c.reading))] if c.reading else []
    if cells:
        plain = "" if any(f.plain == c.plain for f in fixed) else f" {c.plain}"
        lines.append(Line("What is true", _stop("; ".join(map(_of_row, fixed))) + plain))
    elif c.plain:
        lines.append(Line("What is true", c.plain))
    lines += _counterexample(error.claims, known)
    for f in [] if cells else fixed:
        text = f"{_stop(statement_text(f))} This {verdict_words(f, known.get(f.id) or f.recorded())}."
        lines.append(Line("Correction", text, display=f.latex * (f.latex != c.latex), claims=(f.id,)))
    others = [o for o in other_claims(c) if o.reading and o not in error.claims]
    lines += _readings([o for o in others if o.reading not in {f.reading for f in fixed}], known)
    states = "; ".join([statement_text(c), *(_of_row(o) for o in cells if o is not c)])
    return Entry(c.id, states, "" if cells else c.latex, (*lines, _where(c), _evidence(error.claims)))


def _arguable(error: Error, known: dict[str, Verdict]) -> Entry:
    c, meant = error.first, next(o for o in claims() if o.id == error.first.sentence)
    lines = [
        Line("Most favourable reading", _stop(meant.reading or meant.title), claims=(meant.id,)),
        Line("Reading that fails", f"{_stop(c.reading)} {c.plain}", display=c.latex),
        *_counterexample(error.claims, known),
        _where(c),
        _evidence(error.claims),
    ]
    return Entry(c.id, statement_text(meant), meant.latex, tuple(lines))


def _counterexample(cited: Iterable[Claim], known: dict[str, Verdict]) -> list[Line]:
    """Return the first computed counterexample, without the number of relations, or no line."""
    for v in (known[c.id] for c in cited if c.id in known and known[c.id].evidence):
        text, latex = v.formula
        evidence = COUNTED.sub("", v.evidence)
        if text and text in evidence:
            before, _, after = evidence.partition(text)
            claimed = re.match(r", but .{1,2} is claimed", after)
            evidence = before + text + (claimed[0] if claimed and " = " in text else "")
            latex = latex or (text.replace("≠", r"\ne") if "\\" in text else "")
        capital = evidence[0].upper() + evidence[1:] if evidence[1:2].islower() else evidence
        return [Line("Counterexample", _stop(capital), (text, latex))]
    return []


def _readings(others: Iterable[Claim], known: dict[str, Verdict]) -> list[Line]:
    texts: dict[str, list[Claim]] = {}
    for o in others:
        texts.setdefault(f"{o.reading}: {verdict_words(o, known.get(o.id) or o.recorded())}.", []).append(o)
    return [Line("Other reading", text, claims=_ids(own)) for text, own in texts.items()]


def _where(c: Claim) -> Line:
    place = re.sub(r"(Table \d+), n = ", r"\1, row n = ", printed_place(c))
    return Line(WHERE, _stop(place[0].upper() + place[1:]))


def _evidence(cited: Iterable[Claim]) -> Line:
    return Line("Evidence", "", claims=_ids(cited))


def _corrections(c: Claim) -> list[Claim]:
    return [o for o in claims() if o.id == c.correction]


def _of_row(c: Claim) -> str:
    """Return 'even = 0.506' for a claim with the title 'Table 4, n = 6: even = 0.506'."""
    return c.title.split(": ", 1)[-1]


def _ids(cited: Iterable[Claim]) -> tuple[str, ...]:
    return tuple(c.id for c in cited)


def _stop(text: str) -> str:
    return text if text.endswith((".", "…")) else text + "."


def _sentences(number: int) -> str:
    return f"{number} sentence{'s' * (number > 1)}"


def _s(number: int, severity: str) -> str:
    return "s" * (number > 1 and severity.startswith("wrong"))
