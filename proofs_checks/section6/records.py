"""Section 6.2 on the data: the 61 records, their columns and labels, and what additive functions can do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from flint import fmpq, nmod_mat

from orca_exact.numbers.rationals import QQ
from orca_exact.problem import Problem

from ..experiments import datasets, tables
from ..experiments import optima as experiments
from ..ledger.claims import (
    FAILS,
    FINITE,
    Equal,
    Holds,
    Less,
    claim,
    mutant,
    not_checkable,
    patched,
)  # fmt: skip
from .values import E1, interval, text

PLACE = "section 6.2, line 1223"


def records() -> list[dict[str, str]]:
    """Every well-formed record of the file, '?' where a value is missing."""
    lines = datasets.content().decode("utf-8", "replace").splitlines()
    rows = [[field.strip() for field in line.split(",")] for line in lines if line.strip()]
    return [
        dict(zip(datasets.COLUMNS, row, strict=True)) for row in rows if len(row) == len(datasets.COLUMNS)
    ]


def of_interest() -> tuple[str, ...]:
    """The variables of the paper: label and five features."""
    return (datasets.LABEL, *datasets.FEATURES)


def every_column() -> tuple[str, ...]:
    """All columns but the name."""
    return tuple(c for c in datasets.COLUMNS if c != "name")


def complete(columns: tuple[str, ...]) -> int:
    """How many records have a value in each of these columns."""
    return sum(all(record[c] != "?" for c in columns) for record in records())


@mutant("columns-of-interest")
def columns_of_interest() -> Iterator[None]:
    """Completeness asked of the wrong columns: all for the paper's six, the label alone for all."""
    import sys

    here, all_columns = sys.modules[__name__], every_column()
    with (
        patched(here, "of_interest", lambda: all_columns),
        patched(here, "every_column", lambda: ("survival",)),
    ):
        yield


claim(
    "echo-m61",
    place=PLACE,
    title="61 records are complete in the variables of interest",
    plain="Label and the five features are there in 108 of 132 records, not 61: the 47 others lack columns "
    "that the paper does not use, chiefly alive-at-1. To call every column a variable of interest "
    "(echo-m61-corrected) is not what the text can mean, which discards the other columns two sentences on.",
    scope="the UCI file, verified by checksum",
    second_route="the reader of the toolkit counts 61 complete in all",
    kills=("columns-of-interest",),
    reading="the variables of interest: label and features, the other columns being discarded",
    expect=FAILS,
    severity="wrong statement",
    correction="echo-m61-corrected",
    needs="echocardiogram",
)(lambda: Equal(complete(of_interest()), 61, "records with label and five features"))
claim(
    "echo-m61-corrected",
    place=PLACE,
    title="61 records are complete in every column, name aside",
    plain="So m = 61 is right and its reason is not.",
    scope="the UCI file, verified by checksum",
    second_route="datasets.echocardiogram, which compares a checksum",
    kills=("columns-of-interest",),
    statement="echo-m61",
    reading="the variables of interest: every column, name aside",
    extent=FINITE,
    needs="echocardiogram",
)(
    lambda: [
        Equal(complete(every_column()), 61, "records complete in every column"),
        Equal(len(datasets.echocardiogram().y), 61, "records the toolkit reads"),
    ]
)


@mutant("labels-reversed")
def labels_reversed() -> Iterator[None]:
    """The two classes change places."""
    import sys

    right = labels()
    with patched(sys.modules[__name__], "labels", lambda: tuple(-y for y in right)):
        yield


def labels() -> tuple[int, ...]:
    """The labels of the complete records."""
    return datasets.echocardiogram().y


@claim(
    "echo-label",
    place=PLACE,
    title="y = +1 is still-alive = 1: 21 of 61 records",
    plain="Counted. The source's coding is doubtful: alive-at-1 = 1 exactly where still-alive = 1 and "
    "survival is under 12 months (echo-derived), so still-alive = 1 may well mean dead. No index changes "
    "under y -> -y.",
    scope="the UCI file, verified by checksum",
    second_route="the raw column",
    kills=("labels-reversed",),
    extent=FINITE,
    needs="echocardiogram",
)
def label_count() -> Iterator:
    yield Equal(labels().count(1), 21, "records with y = +1")
    yield Equal(sum(r[datasets.LABEL] == "1" for r in whole()), 21, "raw still-alive = 1")


def whole() -> list[dict[str, str]]:
    """The records complete in every column, name aside."""
    return [r for r in records() if all(r[c] != "?" for c in every_column())]


claim(
    "echo-derived",
    place=PLACE,
    title="one-year survival is derived: alive-at-1 follows from still-alive and survival",
    plain="In each of the 61 records alive-at-1 = 1 where still-alive = 1 and survival is under 12 months, "
    "else 0.",
    scope="the UCI file, verified by checksum",
    second_route="the raw columns, counted by hand",
    kills=("labels-reversed",),
    needs="echocardiogram",
    extent=FINITE,
)(
    lambda: Equal(
        [int(r["alive-at-1"]) for r in whole()],
        [int(y == 1 and QQ(r["survival"]) < 12) for r, y in zip(whole(), labels(), strict=True)],
        "alive-at-1 of the 61 records",
    )
)
not_checkable(
    "echo-discarded-why",
    PLACE,
    "columns were discarded as redundant, unreliable or non-predictive",
    "no column is given its reason; redundant are alive-at-1 (echo-derived) and, beside the index, the "
    "wall-motion score (echo-wall-index)",
)


# The features.


@mutant("another-feature")
def another_feature() -> Iterator[None]:
    """Pericardial effusion, which is 0 or 1, for the wall-motion index."""
    with patched(datasets, "FEATURES", (*datasets.FEATURES[:4], "pericardial-effusion")):
        yield


def first_order(columns: tuple[str, ...]) -> Any:
    """OKC^(1) of the classifier on these columns, Legendre, n = 1."""
    from orca_exact.profile.profile import orca
    from orca_exact.svm.certify import certify

    X = [[r[c] for c in columns] for r in whole()]
    problem = Problem(X, labels(), 1, 0, 0, 1, rescale=True)
    return orca(problem, certify(problem, level="ball", digits=15), "ball", 15).order[1]


@claim(
    "tab-echo-features",
    place="section 6.2, Table 3",
    title="Table 3 names the columns used: with one of them exchanged Table 4 comes out otherwise",
    latex=r"\left|\mathrm{OKC}^{(1)}-0.616\right|\le 0.0005",
    plain="age, fractional shortening, epss, lvdd, wall-motion index give OKC^(1) = 0.616 at n = 1, as "
    "printed; none of the 30 choices with one of them replaced by another column does. Their order cannot "
    "be confirmed: no printed index changes when features are permuted.",
    scope="Legendre, n = 1; the 30 choices that exchange one of the five for one of six other columns",
    second_route="the cells of Tables 4-6 that certified values confirm",
    kills=("another-feature",),
    needs="echocardiogram",
    extent=FINITE,
)
def features() -> Iterator:
    words = ("age", "fractional shortening", "epss", "lvdd", "wall-motion index")
    for i, word in enumerate(words, 1):
        yield Holds(word in experiments.printed_features()[f"x{i}"].lower(), f"x{i}: {word}")
    chosen = tuple(datasets.FEATURES)
    print_ = text(E1, 1, "OKC^(1)")
    low, high = interval(print_)
    used = first_order(chosen)
    yield Less(low, used, "the five: OKC^(1) at n = 1", strict=False)
    yield Less(used, high, "the five: OKC^(1) at n = 1", strict=False)
    every = [c for c in every_column() if c != datasets.LABEL]
    others = [c for c in combinations(every, 5) if len({*c} & {*chosen}) == 4]
    for columns in others:
        away = abs(first_order(columns) - QQ(print_))
        yield Less(tables.half_unit(print_), away, f"{', '.join(columns)}: |OKC^(1) - {print_}|")


not_checkable(
    "tab-echo-meaning",
    "section 6.2, Table 3, lines 1234 to 1240",
    "what the features measure: contractility, abnormality, size of the heart",
    "statements about medicine; the file has no column of abnormality to hold them against",
)


@claim(
    "echo-continuous",
    place="section 6.2, line 1247",
    title="each feature takes more than 20 different values, not all whole, in the 61 records",
    plain="28, 49, 52, 59 and 38; the columns left out that are codes take two.",
    scope="the UCI file, verified by checksum",
    second_route="the raw columns, counted by hand",
    kills=("another-feature",),
    needs="echocardiogram",
    extent=FINITE,
    reading="continuous: a measurement, not a code",
)
def continuous() -> Iterator:
    for name in datasets.FEATURES:
        found = {QQ(r[name]) for r in whole()}
        yield Less(20, len(found), f"{name}: different values")
        yield Holds(any(v.q != 1 for v in found), f"{name}: not all whole")


def wall_motion() -> list[tuple[fmpq, fmpq]]:
    """Score and index of the 61 records."""
    return [(QQ(r["wall-motion-score"]), QQ(r["wall-motion-index"])) for r in whole()]


@mutant("index-of-mult")
def index_of_mult() -> Iterator[None]:
    """mult in the place of the index."""
    import sys

    wrong = [(QQ(r["wall-motion-score"]), QQ(r["mult"])) for r in whole()]
    with patched(sys.modules[__name__], "wall_motion", lambda: wrong):
        yield


@claim(
    "echo-wall-index",
    place="section 6.2, Table 3, line 1241",
    title="wall-motion index = score/segments: a whole number of segments fits 60 of the 61 records",
    latex=r"\left|\mathrm{score}/s-\mathrm{index}\right|\le 0.005,\ s\in\mathbb N",
    plain="To the two decimals that most records have. In one record (score 14, index 1.7) no whole number "
    "fits.",
    scope="the UCI file, verified by checksum",
    second_route="mult, which is segments/14 in those records",
    kills=("index-of-mult",),
    needs="echocardiogram",
    extent=FINITE,
)
def wall_index() -> Iterator:
    none = [
        (score, index)
        for score, index in wall_motion()
        if all(abs(score / s - index) > fmpq(5, 1000) for s in range(1, 40))
    ]
    yield Equal(none, [(QQ("14"), QQ("1.7"))], "score and index of the records that no whole number fits")


@claim(
    "echo-rescaled",
    place="section 6.2, line 1247",
    title="rescaled features have minimum -1 and maximum 1",
    plain="Exactly, for each of the five.",
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
    """The points of the records, rescaled, with their labels."""
    p = experiments.configuration("echocardiogram", 1)
    return {(*row, y) for row, y in zip(p.points, p.y, strict=True)}


@mutant("records-odd")
def records_odd() -> Iterator[None]:
    """The records and their antipodes."""
    import sys

    right = rescaled_records()
    odd = right | {tuple(-v for v in record) for record in right}
    with patched(sys.modules[__name__], "rescaled_records", lambda: odd):
        yield


claim(
    "echo-no-symmetry",
    place="section 6.2, line 1410",
    title="no record's antipode, label reversed, is a record",
    latex=r"(x,y)\in D\Rightarrow(-x,-y)\notin D",
    plain="The spiral's symmetry is not there, not even for one record.",
    scope="the 61 records, exact rationals",
    second_route="the medians of the rescaled features, which are not near 0",
    kills=("records-odd",),
    needs="echocardiogram",
    extent=FINITE,
)(lambda: Equal(sum(tuple(-v for v in r) in rescaled_records() for r in rescaled_records()), 0, "antipodes"))


# Is coupling required?


def powers(n: int) -> range:
    """The exponents of one coordinate in an additive polynomial of degree n."""
    return range(1, n + 1)


def additive_rank(n: int) -> int:
    """Rank modulo a prime of 1, x_l, ..., x_l^n over the 61 records: a lower bound of the rank over Q."""
    points = experiments.configuration("echocardiogram", 1).points
    prime = 2**61 - 1
    rows = [
        [1] + [int((x**k).p) * pow(int((x**k).q), -1, prime) % prime for x in row for k in powers(n)]
        for row in points
    ]
    return nmod_mat(len(rows), len(rows[0]), [v for row in rows for v in row], prime).rank()


@mutant("additive-without-powers")
def additive_without_powers() -> Iterator[None]:
    """Linear functions only."""
    import sys

    with patched(sys.modules[__name__], "powers", lambda n: range(1, 2)):
        yield


claim(
    "echo-coupling/interpolation",
    place="section 6.2, line 1384",
    title="no additive classifier (q <= 1) fits the 61 labels at n = 25",
    plain="The minimum-norm solution uses high orders (echo-coupling); the labels do not require them: "
    "1, x_l, ..., x_l^25 have rank 61 on the records, so an additive function, with OKC^(q) = 0 for q >= 2, "
    "takes any labels. Equal c_k^2 on all modes gives OKC^(5) = 0.822.",
    scope="the 61 records, rank modulo a prime (a proof of full rank over Q)",
    second_route="the count of modes as null model: n^5/((n+1)^5 - 1)",
    kills=("additive-without-powers",),
    reading="requires: no classifier without interactions fits the labels",
    latex=r"\mathrm{rank}\,(1,x_l,\dots,x_l^{25})<61",
    expect=FAILS,
    severity="imprecise wording",
    statement="echo-coupling",
    correction="echo-coupling-corrected",
    needs="echocardiogram",
)(lambda: Less(additive_rank(25), 61, "rank of the additive functions on the records"))
claim(
    "echo-coupling-corrected",
    place="section 6.2, line 1384",
    title="an additive function of degree 25 takes any labels",
    plain="Full row rank: interpolation without any interaction between variables is possible.",
    scope="the 61 records, rank modulo a prime (a proof of full rank over Q)",
    second_route="echo-concentrated-modes-corrected: the profile is that of the count of modes",
    kills=("additive-without-powers",),
    extent=FINITE,
    latex=r"\mathrm{rank}\,(1,x_l,\dots,x_l^{25})=61",
    needs="echocardiogram",
)(lambda: Equal(additive_rank(25), 61, "rank of the additive functions on the records"))
