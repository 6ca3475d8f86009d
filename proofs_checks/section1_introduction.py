"""Abstract, section 1 and section 7: what is announced, and what no computation can decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from orca_exact.formats import shipped
from orca_exact.paper.claims import Equal, claim, not_checkable, paper_items


def facts() -> dict[str, Any]:
    """Labels, references and citations of the paper's source; a test compares them with the source."""
    return shipped("paper/data/paper_items.json")


@claim(
    "labels-resolve",
    place="section 1, line 87",
    title="every label is unique and every reference resolves",
    latex=r"\ref{\cdot},\ \eqref{\cdot}",
    plain="The sections announced in the introduction exist, and no reference dangles.",
    scope="all labels and references of the source",
    second_route="the same lists read again from the source by the tests",
    kills=("label-renamed",),
    covers=(
        "intro-organisation", "label-sec-introduction", "label-sec-svm-rkhs", "label-sec-OP-CD",
        "label-subsec-1D-orthogonality", "label-subsec-tensor-product", "label-sec-exact-expansion",
        "label-sec-orca",
        "label-sec-experiments", "label-subsec-spiral", "label-subsec-echo", "label-sec-conclusions",
    ),
)  # fmt: skip
def labels_resolve() -> Iterator:
    known = facts()
    labels = known["labels"]
    yield Equal(len(labels), len(set(labels)), "labels, counted with and without repetition")
    yield Equal(len(set(known["references"]) - set(labels)), 0, "references without a label")
    listed = {name for item in paper_items() if "label" in item for name in item["label"].split(", ")}
    yield Equal(len(set(labels) - listed), 0, "labels the ledger does not know")


@claim(
    "bibliography-missing",
    place="section 1, line 75",
    title="as printed: the works cited can be looked up",
    latex=r"\cite{\cdot}",
    plain="The source has no bibliography: every citation is undefined.",
    scope="all citations of the source",
    second_route="citations and bibliography entries read again from the source by the tests",
    kills=("bibliography-added",),
    expect="FAILS",
    correction="bibliography-corrected",
)
def bibliography() -> Iterator:
    known = facts()
    yield Equal(
        known["bibliography_entries"], len(known["cited"]), "entries of the bibliography, works cited"
    )


@claim(
    "bibliography-corrected",
    place="section 1, line 75",
    title="corrected: twelve works are cited and need entries",
    latex=r"\cite{\cdot}",
    plain="The twelve keys, to be supplied with entries.",
    scope="all citations of the source",
    second_route="the same list read again from the source by the tests",
    kills=("bibliography-added",),
)
def citations() -> Iterator:
    yield Equal(len(set(facts()["cited"])), 12, "works cited")


WHY = "a statement about {}, which no computation decides"
for _id, _place, _title, _what in (
    ("abs-accuracy", "abstract, line 65", "the indices reveal what predictive accuracy does not",
     "accuracy, but no accuracy is reported anywhere in the paper"),
    ("intro-not-new-kernel", "section 1, line 77", "no new kernel family is introduced", "the literature"),
    ("intro-no-optimization", "section 1, line 83", "no additional optimisation step is needed", "method"),
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
