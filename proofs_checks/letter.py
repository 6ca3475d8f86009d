"""The referee's letter: the headline, the errors of the paper by consequence, slips, and remarks.

The report and the documentation show this text. Counterexamples come from the verdicts that are passed in.
"""

from __future__ import annotations

from dataclasses import dataclass

from orca_exact.errors import pluralize

from .ledger.claims import claims
from .ledger.errata import Erratum, errata
from .ledger.headline import headline
from .ledger.places import Source
from .ledger.summary import Pairs, summary
from .ledger.wording import Paragraph

RULE = (
    "A sentence is an error if it fails in the most favourable reading that keeps every quantifier and every "
    "number of the sentence. A threshold or a statistic that the sentence does not contain never makes it "
    "wrong; a "
    "vague word is understood in favour of the sentence."
)
HOW = (
    "Errors are ordered by consequence. Each entry names the place in a printed copy, and in parentheses the "
    "line of the source; then it says how we read the sentence, why it fails so read, and a form in which it "
    "holds. Words of the paper stand only in a line 'The paper', in “ ” in a place, and in « » for a slip. A "
    "printed decimal is wrong if the certified value lies more than half a unit of its last digit away; N* "
    "and T must be equal."
)
KINDS = {
    "wrong conclusion": (
        "Wrong conclusions",
        "The paper concludes this from its tables or data, and it does not follow from them.",
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
class Chapter:
    """Errata of one kind."""

    id: str
    title: str
    text: str
    entries: tuple[Erratum, ...]


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


def opening(pairs: Pairs) -> list[Paragraph]:
    """Return the first paragraphs: what was found, what counts as an error, and how to read an entry.

    >>> opening([])
    [Paragraph(title='Errors', text='No sentence that was checked is refuted.', members=())]
    """
    pairs = list(pairs)
    number = len(summary(pairs).errors)
    if not number:
        return [Paragraph("Errors", "No sentence that was checked is refuted.")]
    if len(pairs) < len(claims()):
        checked = f"{pluralize(len(pairs), 'claim')} of {len(claims())} were checked, and "
        found = [Paragraph("Errors", f"{checked}{pluralize(number, 'error')} of the paper found.")]
    else:
        found = headline(pairs).paragraphs()
    return [*found, Paragraph("Rule", RULE), Paragraph("Entries", HOW)]


def chapters(pairs: Pairs, copy: Source | None = None) -> list[Chapter]:
    """Return the errors by severity, then the slips."""
    pairs = list(pairs)
    found = errata(summary(pairs), {c.id: v for c, v in pairs}, copy)
    made = [
        Chapter(title.lower().replace(" ", "-"), title, text, tuple(e for e in found if e.severity == kind))
        for kind, (title, text) in KINDS.items()
    ]
    return [chapter for chapter in made if chapter.entries]
