"""Claims of the abstract, section 1 and section 7, and claims about the LaTeX source of the paper."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from orca_exact.files.formats import read_shipped

from .. import tensor_kernel as kernel
from ..ledger.claims import (
    FAILS,
    SAMPLED,
    TRANSCRIBED,
    Differs,
    Equal,
    Holds,
    Note,
    claim,
    not_checkable,
)
from ..ledger.coverage import paper_items
from ..ledger.mutants import mutant, patched
from ..ledger.stored_study import overfitting_study, stability_study

SOURCE = "a stored inventory of the LaTeX source, which a test compares with the source"
SECOND_READING = "a test reads the same facts from the source again"


def introduction_facts() -> dict[str, Any]:
    """Return labels, references, citations and misprints of the source; a test compares them with it."""
    return read_shipped("data/paper_items.json", "proofs_checks")


def register_source_mutant(name: str, slips: dict) -> None:
    """Register a mutant under which the source does not have the given slips."""

    def wrong() -> Iterator[None]:
        right = introduction_facts()
        with patched(
            sys.modules[__name__], "introduction_facts", lambda: right | {"slips": right["slips"] | slips}
        ):
            yield

    mutant(name)(wrong)


@claim(
    "labels-resolve",
    place="section 1, line 87; all labels",
    title="every label is unique, and every reference has a label",
    plain="The sections that the introduction announces exist, and every reference points to a label.",
    scope=f"all labels and references; {SOURCE}",
    second_route=SECOND_READING,
    kills=("label-renamed",),
    extent=TRANSCRIBED,
    covers=(
        "intro-organisation", "label-sec-introduction", "label-sec-svm-rkhs", "label-sec-OP-CD",
        "label-subsec-1D-orthogonality", "label-subsec-tensor-product", "label-sec-exact-expansion",
        "label-sec-orca",
        "label-sec-experiments", "label-subsec-spiral", "label-subsec-echo", "label-sec-conclusions",
    ),
)  # fmt: skip
def labels_resolve() -> Iterator:
    known = introduction_facts()
    labels = known["labels"]
    yield Equal(len(labels), len(set(labels)), "number of labels, and number of different labels")
    yield Equal(len(set(known["references"]) - set(labels)), 0, "references that have no label")
    listed = {name for item in paper_items() if "label" in item for name in item["label"].split(", ")}
    yield Equal(len(set(labels) - listed), 0, "labels that the ledger does not know")


_CITATIONS: dict[str, Any] = {
    "place": "section 1, line 75",
    "scope": f"all citations; {SOURCE}",
    "second_route": SECOND_READING,
    "kills": ("bibliography-added",),
}
claim(
    "bibliography-missing",
    title="every work that the paper cites has an entry in its bibliography",
    plain="The source cites twelve works and has no bibliography: every citation is printed as undefined.",
    expect=FAILS,
    severity="typographical",
    correction="bibliography-corrected",
    **_CITATIONS,
)(
    lambda: Equal(
        introduction_facts()["bibliography_entries"],
        len(set(introduction_facts()["cited"])),
        "number of entries in the bibliography, and number of works cited",
    )
)


@claim(
    "bibliography-corrected",
    title="corrected: a bibliography needs entries for the twelve works cited; the source has none",
    plain="The twelve keys are listed in the evidence.",
    extent=TRANSCRIBED,
    **_CITATIONS,
)
def bibliography() -> Iterator:
    known = introduction_facts()
    yield Equal(known["bibliography_entries"], 0, "number of entries in the bibliography")
    yield Equal(len(set(known["cited"])), 12, "number of works cited")
    yield Note(", ".join(sorted(set(known["cited"]))))


# Misprints.


@claim(
    "sec4-pn-slip",
    place="section 4, line 356",
    title="as printed: the subscript of p is the multi-index k, to which the tensor product belongs",
    plain="The text introduces k and then defines p_n(x) with it. The bold n was never introduced, and n is "
    "the truncation level. Lines 384 and 386 use the bold n as a summation index, which is correct.",
    scope=SOURCE,
    second_route=SECOND_READING,
    kills=("index-letter-set",),
    expect=FAILS,
    severity="typographical",
    correction="display-tensor-basis-elements",
)
def index_letter() -> Iterator:
    slip = introduction_facts()["slips"]["multi-index"]
    yield Equal(slip["printed"], slip["introduced"], "subscript of p, and the multi-index just introduced")


register_source_mutant("index-letter-set", slips={"multi-index": {"introduced": "k", "printed": "k"}})


@claim(
    "Nd-undefined",
    place="section 4, line 407",
    title="as printed: N_d(n), the number of columns of the design matrix, is defined",
    plain="N_d(n) occurs in Proposition 4.1 and in its proof only; neither defines it.",
    scope=SOURCE,
    second_route=SECOND_READING,
    kills=("Nd-defined",),
    expect=FAILS,
    severity="typographical",
    correction="Nd-corrected",
)
def undefined_symbol() -> Iterator:
    symbol = introduction_facts()["slips"]["N_d(n)"]
    yield Holds(symbol["defined"] > 0, f"N_d(n) is used {symbol['used']} times and is not defined anywhere")


register_source_mutant("Nd-defined", slips={"N_d(n)": {"used": 3, "defined": 1}})


@claim(
    "Nd-corrected",
    place="section 4, line 407",
    title="corrected: N_d(n) = (n+1)^d, one column for each multi-index",
    latex=r"N_d(n)=\mathrm{card}\,\mathcal{I}_n^{(d)}=(n+1)^d",
    plain="The design matrix has one column for each mode.",
    scope="all n and d (by dim-tensor); columns of the toolkit's design matrix counted at one point for n "
    "<= 3, d <= 3",
    second_route="count the columns of the toolkit's own design matrix",
    kills=("dropped-tensor-term", "total-degree-truncation"),
    extent=SAMPLED,
)
def columns() -> Iterator:
    from orca_exact.problem import Problem

    for n in range(1, 4):
        for d in range(1, 4):
            problem = Problem([["1/3"] * d, ["-1/2"] * d], [1, -1], n, 0, 0)
            values, _ = kernel.basis(problem, kernel.arithmetic("exact"))
            used = sum(any(value != 0 for value in row) for row in kernel.tensor_rows(values))
            yield Equal(used, (n + 1) ** d, f"n = {n}, d = {d}: number of columns that are not 0")
            yield Equal(len(kernel.modes(n, d)), (n + 1) ** d, f"n = {n}, d = {d}: number of modes")


@claim(
    "okc-bound-letters",
    place="section 5, line 618",
    title="as printed: no letter of (33) is both free and bound",
    latex=r"\mathrm{OKC}_{N}^{(q)}:=\frac{C_{N}^{(q)}}{\sum_{q=0}^{d}\sum_{N=0}^{dn}C_{N}^{(q)}}",
    plain="In (33) q and N name the block and also run over all blocks in the sums. The denominator needs "
    "other letters. It equals ||h||^2.",
    scope=SOURCE,
    second_route=SECOND_READING,
    kills=("other-letters",),
    expect=FAILS,
    severity="typographical",
    correction="def-OKC",
)
def bound_letters() -> Iterator:
    letters = introduction_facts()["slips"]["(33)"]
    both = sorted({*letters["free"]} & {*letters["bound"]})
    yield Equal(len(both), 0, f"number of letters that are both free and bound in (33) ({', '.join(both)})")


register_source_mutant("other-letters", slips={"(33)": {"free": ["q", "N"], "bound": ["r", "M"]}})


@claim(
    "interval-letter",
    place="section 6.1, line 766",
    title="as printed: the letter of the interval is the same in sections 3 and 6.1",
    plain="Section 3 calls the interval I. Sections 4, 5 and 6.2 use the calligraphic I for the set of "
    "multi-indices; section 6.1 uses it for the interval.",
    scope=SOURCE,
    second_route=SECOND_READING,
    kills=("interval-letter-set",),
    expect=FAILS,
    severity="typographical",
    correction="interval-letter-corrected",
)
def interval_letter() -> Iterator:
    letters = introduction_facts()["slips"]["interval"]
    yield Equal(letters["section 6.1"], letters["section 3"], "letter of the interval in both sections")


@claim(
    "interval-letter-corrected",
    place="section 6.1, line 766",
    title="corrected: the rescaled inputs lie in I^2, with the letter I of section 3 for the interval",
    latex=r"I^2=[-1,1]^2,\qquad\mathcal{I}_n^{(d)}=\{0,\dots,n\}^d",
    plain="The interval of section 3 and the set of multi-indices have different letters.",
    scope=SOURCE,
    second_route=SECOND_READING,
    kills=("one-letter-for-both",),
    extent=TRANSCRIBED,
)
def interval_letter_corrected() -> Iterator:
    letters = introduction_facts()["slips"]["interval"]
    label = "letter of the interval, and letter of the set of multi-indices"
    yield Differs(letters["section 3"], letters["multi-indices"], label)


INDICES = {"multi-indices": r"\mathcal{I}"}
register_source_mutant(
    "interval-letter-set", slips={"interval": {"section 3": "I", "section 6.1": "I"} | INDICES}
)
register_source_mutant("one-letter-for-both", slips={"interval": {"section 3": r"\mathcal{I}"} | INDICES})


# Wording.


def slip(key: str) -> dict[str, str]:
    """Return the printed words of a slip and the words that are meant."""
    return introduction_facts()["slips"][key]


for _id, _place, _title, _plain, _correct in (
    ("grammar-scalars", "section 3.1, line 152", "the sentence that introduces x and z is grammatical",
     "It has two finite verbs: 'we write' and 'are'.", "in one dimension the inputs are scalars x, z"),
    ("grammar-groups", "section 4, line 521", "the sentence on main effects and interactions is grammatical",
     "After 'with' the verb must be 'appearing'.", "main effects and interactions appear as distinct groups"),
    ("ack-placeholder", "section 7, acknowledgements, line 1464", "the first acknowledgement is complete",
     "It contains a placeholder, '[details to be added]'.", "the grant of the programme is to be named"),
    ("ack-february", "section 7, acknowledgements, line 1470", "the months of the research stay are spelled "
     "correctly", "'February' is misspelled.", "the stay lasted from February to July of 2026"),
):  # fmt: skip
    _shared: dict[str, Any] = {"place": _place, "scope": SOURCE, "second_route": SECOND_READING}
    register_source_mutant(f"{_id}-repaired", slips={_id: {"printed": "x", "meant": "x"}})
    claim(
        _id,
        title=_title,
        plain=_plain,
        kills=(f"{_id}-repaired",),
        expect=FAILS,
        severity="typographical",
        correction=f"{_id}-corrected",
        **_shared,
    )(lambda key=_id: Equal(slip(key)["printed"], slip(key)["meant"], "printed words, and words meant"))
    claim(
        f"{_id}-corrected",
        title=f"corrected: {_correct}",
        plain="The printed words are replaced.",
        kills=(f"{_id}-repaired",),
        extent=TRANSCRIBED,
        **_shared,
    )(lambda key=_id: Differs(slip(key)["printed"], slip(key)["meant"], "printed words, and words meant"))


WHY = "no computation can decide this statement about {}"
for _id, _place, _title, _what in (
    ("intro-not-new-kernel", "section 1, line 77", "the paper does not introduce a new "
    "kernel family", "the literature"),
    ("multiindex-explicit", "section 3.2, line 332", "(24) makes the structure of the "
    "kernel explicit", "presentation"),
    ("novelty", "section 4, line 379", "the decomposition has not been used systematically before",
     "the literature"),
    ("concl-tiebreak", "section 7, line 1458", "the indices can serve as a tie-breaking "
    "criterion", "future work"),
    ("concl-message", "section 7, line 1460", "interpretability can be built from the "
    "classifier itself", "purpose"),
):  # fmt: skip
    not_checkable(_id, _place, _title, WHY.format(_what))
not_checkable(
    "concl-overfitting", "section 7, line 1454",
    "a shift of the squared norm towards high degrees or orders may signal overfitting",
    "this is a proposal for future work. Stored study of the echocardiogram data (Legendre, n = 1 ... 25): "
    f"{overfitting_study()}",
)  # fmt: skip
not_checkable(
    "concl-stability", "section 7, line 1456", "the stability of the indices under resampling deserves study",
    f"this is a proposal for future work. Stored study: {stability_study()}",
)  # fmt: skip
