"""Claims of section 6.2 about the 61 records: columns, labels and features."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from orca_exact.numbers.rationals import QQ, format_decimal

from ..experiments import datasets, tables
from ..experiments import optima as experiments
from ..ledger.claims import (
    FAILS,
    FINITE,
    OUR_THRESHOLD,
    TRANSCRIBED,
    Equal,
    Holds,
    Less,
    Note,
    claim,
    not_checkable,
)
from ..ledger.mutants import mutant, patched, replacing
from . import facts
from .values import E1, interval, printed_text

PLACE = "section 6.2, line 1223"
FILE: dict[str, Any] = {"scope": "the UCI file, verified by its checksum", "needs": "echocardiogram"}


@mutant("columns-of-interest")
def columns_of_interest() -> Iterator[None]:
    """Use the wrong columns: all instead of the paper's six, and the label alone instead of all."""
    all_columns = facts.every_column()
    with (
        patched(facts, "paper_columns", lambda: all_columns),
        patched(facts, "every_column", lambda: ("survival",)),
    ):
        yield


claim(
    "echo-m61",
    place=f"{PLACE}, sentence 2",
    title="after removing records with missing values in the label or the five features, 61 remain",
    plain="The text does not define 'variables of interest'. With the label and the five features, the only "
    "columns that it keeps, 108 of 132 records remain; 61 are used. They remain if survival and alive-at-1 "
    "must "
    "be present too, which the text discards (echo-m61/survival). The tables can be computed again only from "
    "these 61.",
    second_route="the toolkit's reader counts 61 records that are complete in all columns",
    kills=("columns-of-interest",),
    reading="the variables of interest are the label and the features; the other columns are discarded",
    expect=FAILS,
    severity="not reproducible",
    correction="echo-m61-corrected",
    **FILE,
)(
    lambda: Equal(
        facts.complete_counts()["label and features"],
        61,
        "number of records with the label and five features",
    )
)
claim(
    "echo-m61-corrected",
    place=PLACE,
    title="after removing records with missing values in any column except the name, 61 remain",
    plain="So m = 61 is correct, but the stated reason is not.",
    second_route="the toolkit's reader of the data set, which checks the checksum",
    kills=("columns-of-interest",),
    statement="echo-m61",
    reading="the variables of interest are all columns except the name",
    extent=FINITE,
    **FILE,
)(
    lambda: [
        Equal(facts.complete_counts()["every column"], 61, "number of records complete in every column"),
        Equal(facts.complete_counts()["read"], 61, "number of records that the toolkit reads"),
    ]
)


# Leave out one-year survival.
replacing(
    "without-alive-at-1", "proofs_checks.section6.facts", "with_survival",
    lambda: (*facts.paper_columns(), "survival"),
)  # fmt: skip
claim(
    "echo-m61/survival",
    place=PLACE,
    title="61 records have the label, the five features, survival and alive-at-1",
    plain="So 61 follows if the survival variables count as of interest; the text discards both.",
    second_route="the 61 records complete in every column are the same",
    kills=("without-alive-at-1",),
    statement="echo-m61",
    reading="the variables of interest are the label, the features, survival and alive-at-1",
    extent=FINITE,
    **FILE,
)(lambda: Equal(facts.complete_counts()["with survival"], 61, "number of records with these eight values"))


@mutant("labels-reversed")
def labels_reversed() -> Iterator[None]:
    """Exchange the two classes."""
    right = facts.labels()
    with patched(facts, "labels", lambda: tuple(-y for y in right)):
        yield


@claim(
    "echo-label",
    place=PLACE,
    title="y = +1 means still-alive = 1, and 21 of the 61 records have it",
    plain="The records are counted; that still-alive = 1 means alive is the data source's statement. It is "
    "doubtful: the median survival is 1 month if still-alive = 1 and 26.5 months if it is 0, and alive-at-1 "
    "= 1 exactly if still-alive = 1 and survival is under 12 months (echo-derived), so still-alive = 1 may "
    "in fact mean dead. No index changes under y -> -y.",
    second_route="the raw column of the file",
    kills=("labels-reversed",),
    extent=FINITE,
    **FILE,
)
def label_count() -> Iterator:
    found = facts.label_counts()
    yield Equal(found["positive"], 21, "number of records with y = +1")
    yield Equal(found["still alive"], 21, "number of records with still-alive = 1 in the file")
    median = {y: format_decimal(value, 4) for y, value in found["median survival"].items()}
    yield Note(
        f"the median survival in months is {median['1']} for still-alive = 1 and {median['0']} for "
        "still-alive = 0"
    )


claim(
    "echo-derived",
    place=PLACE,
    title="one-year survival is a derived column: alive-at-1 follows from still-alive and survival",
    plain="In each of the 61 records alive-at-1 = 1 if still-alive = 1 and survival is under 12 months, and "
    "0 otherwise.",
    second_route="the raw columns, counted by hand",
    kills=("labels-reversed",),
    extent=FINITE,
    **FILE,
)(lambda: Equal(facts.not_derived(), 0, "records whose alive-at-1 does not follow from the other columns"))
not_checkable(
    "echo-discarded-why",
    PLACE,
    "some columns were discarded as redundant, unreliable or non-predictive",
    "the text does not say which reason applies to which column. Redundant are alive-at-1 (echo-derived) and "
    "the wall-motion score beside the index (echo-wall-index), and the data source calls the group "
    "meaningless; no test is named for the survival time",
)


# The features.


@mutant("another-feature")
def another_feature() -> Iterator[None]:
    """Replace the wall-motion index by pericardial effusion, which is 0 or 1."""
    with patched(datasets, "FEATURES", (*datasets.FEATURES[:4], "pericardial-effusion")):
        yield


@claim(
    "tab-echo-features",
    place="section 6.2, Table 3",
    title="Table 3 names the columns used: replacing one of them contradicts Table 4",
    latex=r"\left|\mathrm{OKC}^{(1)}-0.616\right|\le 0.0005",
    plain="Age, fractional shortening, epss, lvdd and wall-motion index give OKC^(1) = 0.616 at n = 1, as "
    "printed; none of the 30 choices in which another column replaces one of them does. The order of the "
    "features cannot be confirmed, because no printed index changes if features are permuted.",
    scope="Legendre, n = 1; the 30 choices in which one of six other columns replaces one of the five",
    second_route="the cells of Tables 4 to 6 that the certified values confirm",
    kills=("another-feature",),
    needs="echocardiogram",
    extent=FINITE,
)
def features() -> Iterator:
    words = ("age", "fractional shortening", "epss", "lvdd", "wall-motion index")
    for i, word in enumerate(words, 1):
        yield Holds(word in experiments.printed_features()[f"x{i}"].lower(), f"Table 3 names x{i} as {word}")
    (_, used), *others = facts.first_orders().items()
    print_ = printed_text(E1, 1, "OKC^(1)")
    low, high = interval(print_)
    label = "the lower end of the printed OKC^(1) at n = 1, and its value with the five features"
    yield Less(low, used, label, strict=False)
    label = "OKC^(1) at n = 1 with the five features, and the upper end of the printed value"
    yield Less(used, high, label, strict=False)
    yield Equal(len(others), 30, "number of choices in which another column replaces one of the five")
    for columns, found in others:
        yield Less(
            tables.half_unit(print_),
            abs(found - QQ(print_)),
            f"half a unit, and the distance of OKC^(1) from {print_} with the columns {columns}",
        )


def described_features() -> dict[str, tuple[str, ...]]:
    """Return the words of UCI's description of each feature, which Table 3 must use.

    The source is the file 'echocardiogram.names' of the data set.
    """
    return {
        "x2": ("contracti", "abnormal"),
        "x3": ("contractility", "larger", "abnormal"),
        "x4": ("size of the heart", "end-diastole"),
    }


# Exchange the descriptions of lvdd and epss.
replacing(
    "features-exchanged", __name__, "described_features",
    lambda: {"x3": ("size of the heart",), "x4": ("contractility",)},
)  # fmt: skip
claim(
    "tab-echo-meaning",
    place="section 6.2, Table 3, lines 1234 to 1240",
    title="Table 3 describes what the features measure as the data source does",
    plain="The data source calls fractional shortening and epss measures of contractility, and lvdd the size "
    "of the heart at end-diastole. Whether that is right is a question of medicine.",
    reading="the descriptions are those of the data source",
    scope="the words of Table 3, compared with those of the file 'echocardiogram.names' of the data source",
    second_route="none: the check compares two transcriptions",
    kills=("features-exchanged",),
    extent=TRANSCRIBED,
)(
    lambda: (
        Holds(word in experiments.printed_features()[x].lower(), f"Table 3 describes {x} with '{word}'")
        for x, words in described_features().items()
        for word in words
    )
)


@claim(
    "echo-continuous",
    place="section 6.2, line 1247",
    title="each feature takes more than 20 different values, not all of them integers, in the 61 records",
    plain="The numbers of different values are 28, 37, 52, 55 and 35; the discarded columns that are codes "
    "take two.",
    second_route="the raw columns, counted by hand",
    kills=("another-feature",),
    extent=FINITE,
    reading=f"'continuous' means a measurement with more than 20 values, not a code {OUR_THRESHOLD}",
    **FILE,
)
def continuous() -> Iterator:
    for name, (count, fractional) in facts.feature_values().items():
        yield Less(20, count, f"{name}: number of different values")
        yield Holds(fractional, f"{name}: not all values are integers")


@mutant("index-of-mult")
def index_of_mult() -> Iterator[None]:
    """Use the column mult instead of the index."""
    wrong = [(QQ(r["wall-motion-score"]), QQ(r["mult"])) for r in facts.complete_records()]
    with patched(facts, "wall_motion", lambda: wrong):
        yield


claim(
    "echo-wall-index",
    place="section 6.2, Table 3, line 1241",
    title="the wall-motion index is score/segments: an integer number of segments fits 60 of the 61 records",
    latex=r"\left|\mathrm{score}/s-\mathrm{index}\right|\le 0.005,\ s\in\mathbb N",
    plain="It fits to the two decimals that most records have. In one record (score 14, index 1.7) no "
    "integer fits.",
    second_route="the column mult, which is segments/14 in those records",
    kills=("index-of-mult",),
    extent=FINITE,
    **FILE,
)(
    lambda: Equal(
        facts.without_segments(),
        [[QQ("14"), QQ("1.7")]],
        "score and index of the records for which no integer number of segments fits",
    )
)
claim(
    "echo-rescaled",
    place="section 6.2, line 1247",
    title="the rescaled features have minimum -1 and maximum 1",
    plain="This holds exactly for each of the five features.",
    scope="the 61 records, exact rationals",
    second_route="display-rescale",
    kills=("rescale-to-unit",),
    extent=FINITE,
    latex=r"\min_i x_j^{(i)}=-1,\ \max_i x_j^{(i)}=1",
    needs="echocardiogram",
)(lambda: (Equal(ends, [fmpq(-1), fmpq(1)], name) for name, ends in facts.rescaled_ranges().items()))


@mutant("records-odd")
def records_odd() -> Iterator[None]:
    """Add the antipodes of the records to them."""
    right = facts.rescaled_records()
    odd = right | {tuple(-v for v in record) for record in right}
    with patched(facts, "rescaled_records", lambda: odd):
        yield


claim(
    "echo-no-symmetry",
    place="section 6.2, line 1410",
    title="for no record is the opposite point with the opposite label also a record",
    latex=r"(x,y)\in D\Rightarrow(-x,-y)\notin D",
    plain="The data do not have the symmetry of the spiral, not even for one record.",
    scope="the 61 records, exact rationals",
    second_route="the medians of the rescaled features, which are not near 0",
    kills=("records-odd",),
    needs="echocardiogram",
    extent=FINITE,
)(
    lambda: Equal(
        facts.opposite_records(), 0, "records whose opposite point with the opposite label is a record"
    )
)
