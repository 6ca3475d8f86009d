"""Claims of section 6.2 about the 61 records: columns, labels, and fits by additive functions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from flint import fmpq, nmod_mat

from orca_exact.numbers.rationals import QQ, format_decimal
from orca_exact.problem import Problem

from ..experiments import datasets, tables
from ..experiments import optima as experiments
from ..ledger.claims import FAILS, FINITE, Equal, Holds, Less, Note, claim, not_checkable
from ..ledger.mutants import mutant, patched, replacing
from .values import E1, interval, printed_text

PLACE = "section 6.2, line 1223"
FILE: dict[str, Any] = {"scope": "the UCI file, verified by its checksum", "needs": "echocardiogram"}


def records() -> list[dict[str, str]]:
    """Return every well-formed record of the file, with '?' for a missing value."""
    lines = datasets.read_file().decode("utf-8", "replace").splitlines()
    rows = [[field.strip() for field in line.split(",")] for line in lines if line.strip()]
    return [
        dict(zip(datasets.COLUMNS, row, strict=True)) for row in rows if len(row) == len(datasets.COLUMNS)
    ]


def paper_columns() -> tuple[str, ...]:
    """Return the variables that the paper uses: the label and five features."""
    return (datasets.LABEL, *datasets.FEATURES)


def every_column() -> tuple[str, ...]:
    """Return all columns except the name."""
    return tuple(c for c in datasets.COLUMNS if c != "name")


def complete(columns: tuple[str, ...]) -> int:
    """Count the records that have a value in each of these columns."""
    return sum(all(record[c] != "?" for c in columns) for record in records())


@mutant("columns-of-interest")
def columns_of_interest() -> Iterator[None]:
    """Use the wrong columns: all instead of the paper's six, and the label alone instead of all."""
    here, all_columns = sys.modules[__name__], every_column()
    with (
        patched(here, "paper_columns", lambda: all_columns),
        patched(here, "every_column", lambda: ("survival",)),
    ):
        yield


claim(
    "echo-m61",
    place=PLACE,
    title="61 records are complete in the variables of interest",
    plain="The label and the five features are present in 108 of 132 records, not in 61. The other 47 of "
    "these records lack values in columns that the paper does not use, mostly alive-at-1. m = 61 cannot be "
    "reproduced from the text: it needs survival and alive-at-1 as further variables of interest "
    "(echo-m61/survival), or all columns except the name (echo-m61-corrected), and the text discards these.",
    second_route="the toolkit's reader counts 61 records that are complete in all columns",
    kills=("columns-of-interest",),
    reading="the variables of interest are the label and the features; the other columns are discarded",
    expect=FAILS,
    severity="not reproducible",
    correction="echo-m61-corrected",
    **FILE,
)(lambda: Equal(complete(paper_columns()), 61, "number of records with the label and five features"))
claim(
    "echo-m61-corrected",
    place=PLACE,
    title="61 records are complete in every column except the name",
    plain="So m = 61 is correct, but the stated reason is not.",
    second_route="the toolkit's reader of the data set, which checks the checksum",
    kills=("columns-of-interest",),
    statement="echo-m61",
    reading="the variables of interest are all columns except the name",
    extent=FINITE,
    **FILE,
)(
    lambda: [
        Equal(complete(every_column()), 61, "number of records complete in every column"),
        Equal(len(datasets.echocardiogram().y), 61, "number of records that the toolkit reads"),
    ]
)


def with_survival() -> tuple[str, ...]:
    """Return the paper's variables with survival and one-year survival."""
    return (*paper_columns(), "survival", "alive-at-1")


# Leave out one-year survival.
replacing("without-alive-at-1", __name__, "with_survival", lambda: (*paper_columns(), "survival"))
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
)(lambda: Equal(complete(with_survival()), 61, "number of records with these eight values"))


@mutant("labels-reversed")
def labels_reversed() -> Iterator[None]:
    """Exchange the two classes."""
    right = labels()
    with patched(sys.modules[__name__], "labels", lambda: tuple(-y for y in right)):
        yield


def labels() -> tuple[int, ...]:
    """Return the labels of the complete records."""
    return datasets.echocardiogram().y


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
    yield Equal(labels().count(1), 21, "number of records with y = +1")
    label = "number of records with still-alive = 1 in the file"
    yield Equal(sum(r[datasets.LABEL] == "1" for r in complete_records()), 21, label)
    median = {y: format_decimal(median_survival(y), 4) for y in ("1", "0")}
    yield Note(
        f"the median survival in months is {median['1']} for still-alive = 1 and {median['0']} for "
        "still-alive = 0"
    )


def median_survival(label: str) -> fmpq:
    """Return the median survival in months of the complete records with this value of still-alive."""
    found = sorted(QQ(r["survival"]) for r in complete_records() if r[datasets.LABEL] == label)
    return (found[len(found) // 2] + found[(len(found) - 1) // 2]) / 2


def complete_records() -> list[dict[str, str]]:
    """Return the records that are complete in every column except the name."""
    return [r for r in records() if all(r[c] != "?" for c in every_column())]


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
)(
    lambda: Equal(
        [int(r["alive-at-1"]) for r in complete_records()],
        [int(y == 1 and QQ(r["survival"]) < 12) for r, y in zip(complete_records(), labels(), strict=True)],
        "alive-at-1 of the 61 records, and its value computed from the other columns",
    )
)
not_checkable(
    "echo-discarded-why",
    PLACE,
    "some columns were discarded as redundant, unreliable or non-predictive",
    "the text does not say which reason applies to which column; alive-at-1 is redundant (echo-derived), "
    "and so is the wall-motion score next to the index (echo-wall-index)",
)


# The features.


@mutant("another-feature")
def another_feature() -> Iterator[None]:
    """Replace the wall-motion index by pericardial effusion, which is 0 or 1."""
    with patched(datasets, "FEATURES", (*datasets.FEATURES[:4], "pericardial-effusion")):
        yield


def first_order(columns: tuple[str, ...]) -> Any:
    """Return OKC^(1) of the classifier on these columns for Legendre, n = 1."""
    X = [[r[c] for c in columns] for r in complete_records()]
    problem = Problem(X, labels(), 1, 0, 0, 1, rescale=True)
    return experiments.certified_index(problem, "order", (1,), digits=15)


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
    chosen = tuple(datasets.FEATURES)
    print_ = printed_text(E1, 1, "OKC^(1)")
    low, high = interval(print_)
    used = first_order(chosen)
    label = "the lower end of the printed OKC^(1) at n = 1, and its value with the five features"
    yield Less(low, used, label, strict=False)
    label = "OKC^(1) at n = 1 with the five features, and the upper end of the printed value"
    yield Less(used, high, label, strict=False)
    every = [c for c in every_column() if c != datasets.LABEL]
    others = [c for c in combinations(every, 5) if len({*c} & {*chosen}) == 4]
    for columns in others:
        away = abs(first_order(columns) - QQ(print_))
        yield Less(
            tables.half_unit(print_),
            away,
            f"half a unit, and the distance of OKC^(1) from {print_} with the columns {', '.join(columns)}",
        )


not_checkable(
    "tab-echo-meaning",
    "section 6.2, Table 3, lines 1234 to 1240",
    "the features measure contractility, abnormality and the size of the heart",
    "these are statements about medicine; the file has no column of abnormality with which to compare them",
)


@claim(
    "echo-continuous",
    place="section 6.2, line 1247",
    title="each feature takes more than 20 different values, not all of them integers, in the 61 records",
    plain="The numbers of different values are 28, 49, 52, 59 and 38; the discarded columns that are codes "
    "take two.",
    second_route="the raw columns, counted by hand",
    kills=("another-feature",),
    extent=FINITE,
    reading="'continuous' means a measurement, not a code",
    **FILE,
)
def continuous() -> Iterator:
    for name in datasets.FEATURES:
        found = {QQ(r[name]) for r in complete_records()}
        yield Less(20, len(found), f"{name}: number of different values")
        yield Holds(any(v.q != 1 for v in found), f"{name}: not all values are integers")


def wall_motion() -> list[tuple[fmpq, fmpq]]:
    """Return the wall-motion score and index of the 61 records."""
    return [(QQ(r["wall-motion-score"]), QQ(r["wall-motion-index"])) for r in complete_records()]


@mutant("index-of-mult")
def index_of_mult() -> Iterator[None]:
    """Use the column mult instead of the index."""
    wrong = [(QQ(r["wall-motion-score"]), QQ(r["mult"])) for r in complete_records()]
    with patched(sys.modules[__name__], "wall_motion", lambda: wrong):
        yield


@claim(
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
)
def wall_index() -> Iterator:
    none = [
        (score, index)
        for score, index in wall_motion()
        if all(abs(score / s - index) > fmpq(5, 1000) for s in range(1, 40))
    ]
    label = "score and index of the records for which no integer number of segments fits"
    yield Equal(none, [(QQ("14"), QQ("1.7"))], label)


@claim(
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
)
def rescaled() -> Iterator:
    X, y = datasets.echocardiogram().X, datasets.echocardiogram().y
    points = Problem(X, y, 1, 0, 0, 1, rescale=True).points
    for j, name in enumerate(datasets.FEATURES):
        yield Equal([min(points[:, j]), max(points[:, j])], [fmpq(-1), fmpq(1)], name)


def rescaled_records() -> set[tuple]:
    """Return the rescaled points of the records with their labels."""
    p = experiments.configuration("echocardiogram", 1)
    return {(*row, y) for row, y in zip(p.points, p.y, strict=True)}


@mutant("records-odd")
def records_odd() -> Iterator[None]:
    """Add the antipodes of the records to them."""
    right = rescaled_records()
    odd = right | {tuple(-v for v in record) for record in right}
    with patched(sys.modules[__name__], "rescaled_records", lambda: odd):
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
        sum(tuple(-v for v in r) in rescaled_records() for r in rescaled_records()),
        0,
        "records whose opposite point with the opposite label is a record",
    )
)


# Coupling between variables.


def powers(n: int) -> range:
    """Return the exponents of one coordinate in an additive polynomial of degree n."""
    return range(1, n + 1)


def additive_rank(n: int) -> int:
    """Return the rank modulo a prime of 1, x_l, ..., x_l^n on the records, at most the rank over Q."""
    points = experiments.configuration("echocardiogram", 1).points
    prime = 2**61 - 1
    rows = [
        [1] + [int((x**k).p) * pow(int((x**k).q), -1, prime) % prime for x in row for k in powers(n)]
        for row in points
    ]
    return nmod_mat(len(rows), len(rows[0]), [v for row in rows for v in row], prime).rank()


replacing("additive-without-powers", __name__, "powers", lambda n: range(1, 2))  # use linear functions only


def least_degree() -> int:
    """Return the smallest degree at which additive polynomials can take any 61 labels; 0 if none is."""
    return next((n for n in range(1, 26) if additive_rank(n) == 61), 0)


_ADDITIVE: dict[str, Any] = {
    "place": "section 6.2, line 1386",
    "scope": "the 61 records; the rank modulo a prime proves full rank over the rationals",
    "kills": ("additive-without-powers",),
    "needs": "echocardiogram",
}
not_checkable(
    "echo-coupling",
    "section 6.2, line 1386",
    "the SVM requires coupling among all five variables simultaneously",
    "the paper names no test of 'requires'; that the trained classifiers use the orders 4 and 5 "
    "(echo-coupling/used) is the same for 1,000 of 1,000 shufflings of the labels, and functions without "
    "interactions give the 61 labels too (echo-coupling/labels)",
    reading="'the SVM requires' is about the trained classifiers, not about every function of the labels",
)
claim(
    "echo-coupling/labels",
    statement="echo-coupling",
    title="no function without interactions between the variables gives the 61 labels",
    plain="The SVM is said to require all five variables simultaneously. But 1, x_l, ..., x_l^12 have rank "
    "61 on the records, so a sum of five functions of one variable, of degree 12, takes all 61 labels. That "
    "the trained classifiers use high orders (echo-coupling/used) is what equal c_k^2 on all modes would "
    "give too, 0.822 in order 5.",
    second_route="the number of modes as null model: n^5/((n+1)^5 - 1)",
    reading="'requires all five variables simultaneously' means that no function of lower order gives the "
    "labels",
    latex=r"\mathrm{rank}\,(1,x_l,\dots,x_l^{12})<61",
    expect=FAILS,
    severity="imprecise wording",
    correction="echo-coupling-corrected",
    **_ADDITIVE,
)(lambda: Less(additive_rank(12), 61, "rank of the additive functions of degree 12, and number of records"))
claim(
    "echo-coupling-corrected",
    title="a sum of functions of one variable each, of degree 12, can take any 61 labels; 11 is too low",
    plain="The matrix has full row rank, so the labels are interpolated without interactions of variables.",
    second_route="echo-concentrated-modes-corrected: the profile agrees with the number of modes",
    extent=FINITE,
    latex=r"\mathrm{rank}\,(1,x_l,\dots,x_l^{12})=61",
    **_ADDITIVE,
)(lambda: Equal(least_degree(), 12, "smallest degree of additive functions with rank 61 on the records"))
