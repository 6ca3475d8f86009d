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
    claim,
    not_checkable,
)
from ..ledger.coverage import paper_items
from ..ledger.mutants import mutant, patched

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


not_checkable(
    "bibliography-missing",
    "section 1, line 75",
    "every work that the paper cites has an entry in its bibliography",
    "our copy of the source cites twelve works and has no bibliography; it may be in a file of its own",
)


# Misprints.


@claim(
    "sec4-pn-slip",
    place="section 4, line 356, sentence 4",
    title="the subscript of p is the multi-index k that the sentence introduces",
    plain="printed: «p_n(x)», with a bold n. The text introduces k and then defines the tensor product with "
    "n. The bold n was never introduced, and n is "
    "the truncation level. Lines 384 and 386 use the bold n as a summation index, which is correct.",
    scope=SOURCE,
    second_route=SECOND_READING,
    kills=("index-letter-set",),
    expect=FAILS,
    severity="typographical",
    correction="sec4-pn-slip-corrected",
)
def index_letter() -> Iterator:
    slip = introduction_facts()["slips"]["multi-index"]
    yield Equal(slip["printed"], slip["introduced"], "subscript of p, and the multi-index just introduced")


claim(
    "sec4-pn-slip-corrected",
    place="section 4, line 356, sentence 4",
    title="p_k(x) with the bold k that the sentence introduces is the tensor-product orthonormal polynomial",
    latex=r"p_{\boldsymbol k}(\boldsymbol x)=\prod_{i=1}^dp_{k_i}(x_i)",
    plain="The printed letter n is replaced by k.",
    scope=SOURCE,
    second_route="display-tensor-basis-elements, which proves that these are orthonormal",
    kills=("index-letter-set",),
    extent=TRANSCRIBED,
)(
    lambda: Differs(
        introduction_facts()["slips"]["multi-index"]["printed"],
        introduction_facts()["slips"]["multi-index"]["introduced"],
        "subscript as printed, and multi-index",
    )
)
register_source_mutant("index-letter-set", slips={"multi-index": {"introduced": "k", "printed": "k"}})


@claim(
    "Nd-undefined",
    place="section 4, line 407, sentence 3",
    title="N_d(n), the number of columns of the design matrix, is defined",
    plain="printed: «R^{m x N_d(n)}». N_d(n) occurs in Proposition 4.1 and in its proof only; neither "
    "defines it.",
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
    place="section 4, line 407, sentence 3",
    title="N_d(n) = (n+1)^d, one column for each multi-index",
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
    place="section 5, eq. (33), line 618",
    title="each letter of (33) has one meaning",
    latex=r"\mathrm{OKC}_{N}^{(q)}:=\frac{C_{N}^{(q)}}{\sum_{q=0}^{d}\sum_{N=0}^{dn}C_{N}^{(q)}}",
    plain="printed: «C_N^(q) / sum_q sum_N C_N^(q)». In (33) q and N name the block and also run over all "
    "blocks in the sums. The denominator needs other letters. It equals ||h||^2.",
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
    place="section 6.1, line 766, sentence 1",
    title="the letter of the interval is the same in sections 3 and 6.1",
    plain="printed: «I^2» with a calligraphic I. Section 3 calls the interval I. Sections 4, 5 and 6.2 use "
    "the calligraphic I for the set of "
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
    place="section 6.1, line 766, sentence 1",
    title="the rescaled inputs lie in I^2, with the letter I of section 3 for the interval",
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
    ("grammar-scalars", "section 3.1, line 152", "the sentence that introduces x and z has one finite verb",
     "It has two, 'we write' and 'are'.", "in one dimension the inputs are scalars x, z"),
    ("card-parenthesis", "section 4, line 383", "the parentheses around the argument of card match in size",
     "The closing one is larger.", "card(I_n^(d)) = (n+1)^d with parentheses of one size"),
    ("grammar-groups", "section 4, line 521", "the clause on main effects and interactions has a participle",
     "After 'with' the verb must be 'appearing'.", "main effects and interactions appear as distinct groups"),
    ("ack-placeholder", "section 7, acknowledgements, line 1464", "the first acknowledgement names its grant",
     "This is a placeholder.", "the grant of the programme is to be named"),
    ("ack-february", "section 7, acknowledgements, line 1470, sentence 1",
     "the first month of the stay is spelled 'February'", "A letter is too many.",
     "the stay lasted from February to July of 2026"),
):  # fmt: skip
    _shared: dict[str, Any] = {"place": _place, "scope": SOURCE, "second_route": SECOND_READING}
    register_source_mutant(f"{_id}-repaired", slips={_id: {"printed": "x", "meant": "x"}})
    claim(
        _id,
        title=_title,
        plain=f"printed: «{slip(_id)['printed']}». {_plain}",
        kills=(f"{_id}-repaired",),
        expect=FAILS,
        severity="typographical",
        correction=f"{_id}-corrected",
        **_shared,
    )(lambda key=_id: Equal(slip(key)["printed"], slip(key)["meant"], "printed words, and words meant"))
    claim(
        f"{_id}-corrected",
        title=_correct,
        plain="The printed words are replaced.",
        kills=(f"{_id}-repaired",),
        extent=TRANSCRIBED,
        **_shared,
    )(lambda key=_id: Differs(slip(key)["printed"], slip(key)["meant"], "printed words, and words meant"))


WHY = "no computation can decide this statement about {}"
for _id, _place, _title, _what in (
    ("intro-not-new-kernel", "section 1, line 77", "the paper does not introduce a new "
    "kernel family", "the literature"),
    ("single-truncation", "section 3.2, line 237", "one truncation level for all coordinates is common "
    "practice",
     "the literature"),
    ("multiindex-explicit", "section 3.2, line 332", "(24) makes the structure of the "
    "kernel explicit", "presentation"),
    ("sec4-truncation", "section 4, line 354", "orthogonal polynomial kernels are typically employed with a "
     "finite truncation level", "the literature"),
    ("novelty", "section 4, line 379", "the decomposition has not been used systematically before",
     "the literature"),
    ("concl-tiebreak", "section 7, line 1458", "the indices can serve as a tie-breaking "
    "criterion", "future work"),
    ("concl-message", "section 7, line 1460", "interpretability can be built from the "
    "classifier itself", "purpose"),
):  # fmt: skip
    not_checkable(_id, _place, _title, WHY.format(_what))
not_checkable(
    "okc-compact", "section 5, line 716",
    "taken together, the indices are a compact description of the classifier",
    "the paper names no measure of 'compact'; at d = 5, n = 25 all indices of section 5 are 147 numbers (6 "
    "orders, 126 degrees, 5 coordinates, 10 pairs) in place of 11,881,376 modes, and at d = 2, n = 1 they "
    "are 9 in place of 4",
)  # fmt: skip
not_checkable(
    "concl-overfitting", "section 7, line 1454",
    "a shift of the squared norm towards high degrees or orders may signal overfitting",
    "this is a proposal for future work",
)  # fmt: skip
not_checkable(
    "concl-stability", "section 7, line 1456", "the stability of the indices under resampling deserves study",
    "this is a proposal for future work",
)  # fmt: skip
