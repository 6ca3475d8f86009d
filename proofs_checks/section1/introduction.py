"""Abstract, section 1 and section 7: what is announced, what the source says, what no computation decides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from orca_exact.files.formats import shipped
from orca_exact.kernels import orthogonal as kernel

from ..ledger.claims import (
    FAILS,
    FINITE,
    SAMPLED,
    Differs,
    Equal,
    Holds,
    Less,
    Note,
    claim,
    mutant,
    not_checkable,
    patched,
)
from ..ledger.coverage import paper_items

SOURCE = "the paper's source, from the first to the last line"
AGAIN = "the same read again from the source by the tests"


def introduction_facts() -> dict[str, Any]:
    """Labels, references, citations and misprints of the paper's source; a test compares them with it."""
    return shipped("data/paper_items.json", "proofs_checks")


def spoilt(name: str, slips: dict) -> None:
    """A mutant: the source has no such slip."""

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
    title="every label is unique and every reference resolves",
    plain="The sections announced in the introduction exist, and no reference dangles.",
    scope="all labels and references of the source",
    second_route=AGAIN,
    kills=("label-renamed",),
    extent=FINITE,
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
    yield Equal(len(labels), len(set(labels)), "labels, counted with and without repetition")
    yield Equal(len(set(known["references"]) - set(labels)), 0, "references without a label")
    listed = {name for item in paper_items() if "label" in item for name in item["label"].split(", ")}
    yield Equal(len(set(labels) - listed), 0, "labels the ledger does not know")


@claim(
    "bibliography-missing",
    place="section 1, line 75",
    title="works are cited, and the source has no bibliography: none can be looked up",
    plain="A fact about the source, no sentence of it: every citation is printed as undefined.",
    scope="all citations of the source",
    second_route=AGAIN,
    kills=("bibliography-added",),
    extent=FINITE,
)
def bibliography() -> Iterator:
    known = introduction_facts()
    yield Equal(known["bibliography_entries"], 0, "entries of the bibliography")
    yield Less(0, len(set(known["cited"])), "works cited")
    yield Note(f"{len(set(known['cited']))} works are cited")


# Slips of the pen.


@claim(
    "sec4-pn-slip",
    place="section 4, line 356",
    title="as printed: the tensor product of the multi-index k is written p_n",
    plain="k is introduced, p_n(x) is defined with it: the bold n was never introduced and n is the "
    "truncation level. Lines 384 and 386 use bold n as a running index, which is right.",
    scope=SOURCE,
    second_route=AGAIN,
    kills=("index-letter-set",),
    expect=FAILS,
    severity="typographical",
    correction="display-tensor-basis-elements",
)
def index_letter() -> Iterator:
    slip = introduction_facts()["slips"]["multi-index"]
    yield Equal(slip["printed"], slip["introduced"], "index of p, and the multi-index just introduced")


spoilt("index-letter-set", slips={"multi-index": {"introduced": "k", "printed": "k"}})


@claim(
    "Nd-undefined",
    place="section 4, line 407",
    title="as printed: N_d(n), the number of columns of the design matrix, is defined",
    plain="It occurs in Proposition 4.1 and its proof, and nowhere else.",
    scope=SOURCE,
    second_route=AGAIN,
    kills=("Nd-defined",),
    expect=FAILS,
    severity="typographical",
    correction="Nd-corrected",
)
def undefined_symbol() -> Iterator:
    symbol = introduction_facts()["slips"]["N_d(n)"]
    yield Holds(symbol["defined"] > 0, f"N_d(n) is used {symbol['used']} times and defined nowhere")


spoilt("Nd-defined", slips={"N_d(n)": {"used": 3, "defined": 1}})


@claim(
    "Nd-corrected",
    place="section 4, line 407",
    title="corrected: N_d(n) = (n+1)^d, one column for each multi-index",
    latex=r"N_d(n)=\mathrm{card}\,\mathcal{I}_n^{(d)}=(n+1)^d",
    plain="The design matrix has a column for every mode.",
    scope="for all n, d (dim-tensor); the library's features at a point, n <= 3, d <= 3, counted",
    second_route="columns of the library's own design matrix",
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
            yield Equal(used, (n + 1) ** d, f"n = {n}, d = {d}: columns that are not 0")
            yield Equal(len(kernel.modes(n, d)), (n + 1) ** d, f"n = {n}, d = {d}: modes")


@claim(
    "okc-bound-letters",
    place="section 5, line 618",
    title="as printed: in (33) q and N name the block, and the sums that run over all blocks",
    latex=r"\mathrm{OKC}_{N}^{(q)}:=\frac{C_{N}^{(q)}}{\sum_{q=0}^{d}\sum_{N=0}^{dn}C_{N}^{(q)}}",
    plain="Other letters are needed in the denominator, which is ||h||^2.",
    scope=SOURCE,
    second_route=AGAIN,
    kills=("other-letters",),
    expect=FAILS,
    severity="typographical",
    correction="def-OKC",
)
def bound_letters() -> Iterator:
    letters = introduction_facts()["slips"]["(33)"]
    both = sorted({*letters["free"]} & {*letters["bound"]})
    yield Equal(len(both), 0, f"letters that are free and bound in (33): {', '.join(both)}; how many")


spoilt("other-letters", slips={"(33)": {"free": ["q", "N"], "bound": ["r", "M"]}})


@claim(
    "interval-letter",
    place="section 6.1, line 766",
    title="as printed: the domain of the rescaled inputs has the letter of the multi-index set",
    plain="The interval is I in section 3; the calligraphic I is the set of multi-indices in sections 4, 5 "
    "and 6.2, and here the interval.",
    scope=SOURCE,
    second_route=AGAIN,
    kills=("interval-letter-set",),
    expect=FAILS,
    severity="typographical",
    correction="interval-letter-corrected",
)
def interval_letter() -> Iterator:
    letters = introduction_facts()["slips"]["interval"]
    yield Equal(letters["section 6.1"], letters["section 3"], "letter of the interval")


@claim(
    "interval-letter-corrected",
    place="section 6.1, line 766",
    title="corrected: the rescaled inputs lie in I^2, with the letter of section 3, which no index set has",
    latex=r"I^2=[-1,1]^2,\qquad\mathcal{I}_n^{(d)}=\{0,\dots,n\}^d",
    plain="The interval of section 3 and the set of multi-indices have different letters.",
    scope=SOURCE,
    second_route=AGAIN,
    kills=("one-letter-for-both",),
    extent=FINITE,
)
def interval_letter_corrected() -> Iterator:
    letters = introduction_facts()["slips"]["interval"]
    yield Differs(
        letters["section 3"], letters["multi-indices"], "letters of the interval and of the index set"
    )


INDICES = {"multi-indices": r"\mathcal{I}"}
spoilt("interval-letter-set", slips={"interval": {"section 3": "I", "section 6.1": "I"} | INDICES})
spoilt("one-letter-for-both", slips={"interval": {"section 3": r"\mathcal{I}"} | INDICES})


WHY = "a statement about {}, which no computation decides"
for _id, _place, _title, _what in (
    ("abs-accuracy", "abstract, line 65", "the indices reveal what predictive accuracy does not",
     "accuracy, but no accuracy is reported anywhere in the paper"),
    ("intro-not-new-kernel", "section 1, line 77", "no new kernel family is introduced", "the literature"),
    ("multiindex-explicit", "section 3.2, line 332", "(24) makes the structure explicit", "presentation"),
    ("novelty", "section 4, line 379", "the decomposition has not been used systematically before",
     "the literature"),
    ("concl-overfitting", "section 7, line 1454", "a shift of the norm may signal overfitting",
     "future work"),
    ("concl-stability", "section 7, line 1456", "stability of the indices under resampling", "future work"),
    ("concl-tiebreak", "section 7, line 1458", "the indices as a tie-breaking criterion", "future work"),
    ("concl-message", "section 7, line 1460", "interpretability can be built from the classifier", "purpose"),
):  # fmt: skip
    not_checkable(_id, _place, _title, WHY.format(_what))
