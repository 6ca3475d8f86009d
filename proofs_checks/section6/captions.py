"""Section 6: what captions and text announce, what the tables have, what the text points to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from orca_exact.measures.jacobi import Jacobi
from orca_exact.numbers.rationals import QQ

from ..experiments import optima as experiments
from ..ledger.claims import FAILS, FINITE, Equal, Holds, Less, claim, mutant, patched
from ..ledger.coverage import paper_items
from ..section1.introduction import introduction_facts
from .values import E1, ECHO, EPS, S1, SPIRAL, called, ns, table, text

EVERYTHING = (*SPIRAL, *ECHO)

# What is printed at all.


def table_columns(id: str) -> list[str]:
    """The columns of a printed table."""
    return table(id)["columns"]


def settings() -> dict[str, tuple]:
    """d, alpha, beta, C and the n of every printed table."""
    keys = ("d", "alpha", "beta", "C")
    return {id: (*(table(id)[key] for key in keys), ns(id)) for id in EVERYTHING}


@mutant("print-other-settings")
def other_settings() -> Iterator[None]:
    """The larger data set first, alpha and beta exchanged, C = 2, the first row gone."""
    import sys

    right = settings()
    wrong = {id: (7 - d, b, a, "2", n[1:]) for id, (d, a, b, _, n) in right.items()}
    with patched(sys.modules[__name__], "settings", lambda: wrong):
        yield


def _settings(id: str, place: str, title: str, plain: str, check: Any, **more: Any) -> None:
    claim(
        id, place=place, title=title, plain=plain, scope="captions, text and rows of the five tables",
        second_route="tests/paper/test_printed_tables.py reads captions and rows in the source",
        kills=("print-other-settings",), extent=FINITE, **more,
    )(check)  # fmt: skip


def complexity() -> Iterator:
    """The second experiment against the first: inputs, and modes at every common n."""
    (small, *_, first), (large, *_, second) = settings()[S1], settings()[E1]
    yield Less(small, large, "number of inputs")
    for n in sorted({*first} & {*second}):
        yield Less((n + 1) ** small, (n + 1) ** large, f"n = {n}: dimension of the feature space")


_settings(
    "exp-increasing", "section 6, line 729", "the second experiment is larger than the first",
    "Two inputs, then five; at every n that both run, (n+1)^2 modes, then (n+1)^5.", complexity,
    latex=r"(n+1)^2<(n+1)^5",
)  # fmt: skip
_settings(
    "abs-experiments",
    "abstract, line 65",
    "two experiments: a spiral with d = 2, echocardiograms with d = 5",
    "Tables 1 and 2, Tables 4 to 6.",
    lambda: (Equal(settings()[id][0], 2 if id in SPIRAL else 5, f"d of {called(id)}") for id in EVERYTHING),
    latex="d=2,\\ d=5",
)
_settings(
    "exp-C-reported", "section 6, line 738", "C is stated with each configuration",
    "Every table's caption has it, and it is 1.",
    lambda: (Equal(found[3], "1", f"C of {called(id)}") for id, found in settings().items()),
)  # fmt: skip
_settings(
    "spiral-C1",
    "section 6.1, line 829",
    "C = 1 in both tables of the spiral",
    "As announced for the subsection.",
    lambda: (Equal(settings()[id][3], "1", f"C of {called(id)}") for id in SPIRAL),
    latex="C=1",
)
_settings(
    "fig1-list",
    "section 6.1, line 834",
    "Figure 1 and Tables 1 and 2 run the same eight n",
    "1, 2, 3, 5, 8, 12, 14, 16.",
    lambda: (
        Equal(settings()[id][4], list(experiments.FIGURE_1), f"n of {called(id)} and of Figure 1")
        for id in SPIRAL
    ),
)
_settings(
    "echo-tables-list", "section 6.2, line 1265", "Tables 4-6 run the announced n and (alpha, beta), C = 1",
    "Nine n; (0, 0), (4.3, 1.8), (0.8, 2.7).",
    lambda: (
        Equal(settings()[id][1:], (*pair, "1", [1, 2, 5, 6, 7, 8, 10, 15, 25]),
              f"alpha, beta, C, n of {called(id)}")
        for id, pair in zip(ECHO, (("0", "0"), ("4.3", "1.8"), ("0.8", "2.7")), strict=True)
    ),
)  # fmt: skip


# What the text points to.


def later_subsections() -> list[str]:
    """The labelled subsections of section 6 after the first."""
    labels = introduction_facts()["labels"]
    inside = labels[labels.index("sec:experiments") : labels.index("sec:conclusions")]
    return [label for label in inside if label.startswith("subsec:")][1:]


def numbered() -> dict[str, str]:
    """The label behind a number that section 6 prints by hand."""
    numbers = {item["number"]: item.get("label", "") for item in paper_items() if "number" in item}
    sections = [label for label in introduction_facts()["labels"] if label.startswith("sec:")]
    return numbers | {f"Section {k}": label for k, label in enumerate(sections, 1)}


@mutant("one-more-subsection")
def one_more_subsection() -> Iterator[None]:
    """A third data set, and every number one further on."""
    import sys

    here, right = sys.modules[__name__], numbered()
    shifted = dict(zip(right, [*list(right.values())[1:], ""], strict=True))
    with (
        patched(here, "later_subsections", lambda: ["subsec:echo", "subsec:more"]),
        patched(here, "numbered", lambda: shifted),
    ):
        yield


_SOURCE = {
    "scope": "the labels of the source",
    "second_route": "tests/paper/test_coverage_of_paper.py reads the labels in the source",
    "kills": ("one-more-subsection",),
}
claim(
    "exp-subsections", place="section 6, line 732", title="more than one subsection follows the first",
    plain="The introduction announces subsections on further data sets; there is one, on one data set.",
    expect=FAILS, severity="imprecise wording", correction="exp-subsections-corrected", **_SOURCE,
)(lambda: Holds(
        len(later_subsections()) > 1, f"subsections after the spiral's: {', '.join(later_subsections())}"
    ))  # fmt: skip
claim(
    "exp-subsections-corrected", place="section 6, line 732",
    title="one subsection follows, on the echocardiogram data", plain="Section 6.2, with d = 5.",
    extent=FINITE, **_SOURCE,
)(lambda: Equal(later_subsections(), ["subsec:echo"], "subsections after the spiral's"))  # fmt: skip
for _claim, _place, _what, _aims in (
    ("disc-references", "section 6.1, line 1111", "(8) is the dual, (28) the coefficients c_k",
     {"(8)": "eq:svm-dual", "(28)": "eq:sec4-2-coeffs"}),
    ("exp-references", "section 6, line 737", "Section 3 defines the kernels, Section 5 the indices",
     {"Section 3": "sec:OP-CD", "Section 5": "sec:orca"}),
    ("echo-reference", "section 6.2, line 1223", "Table 3 lists the features",
     {"Table 3": "tab:echo_features"}),
):  # fmt: skip
    claim(
        _claim, place=_place, title=f"numbers printed by hand are right: {_what}",
        plain="Counted in the order of the source.", extent=FINITE, **_SOURCE,
    )(partial(lambda aims: (Equal(numbered()[k], label, k) for k, label in aims.items()), _aims))  # fmt: skip


# Figure 2.


@mutant("figure-2-with-swaps")
def figure_2_with_swaps() -> Iterator[None]:
    """Thirteen pairs that hold (2, 0) and the swap of (0, 2)."""
    wrong = (*experiments.FIGURE_2[:8], ("2", "0"), ("3", "0.5"), ("3", "1"), ("0", "2"), ("1", "3"))
    with patched(experiments, "FIGURE_2", wrong):
        yield


@claim(
    "fig2-twelve",
    place="section 6.1, line 894",
    title="Figure 2: twelve kernels, four of them symmetric under x -> -x, eight not",
    plain="The kernel is symmetric where every a_k of the recurrence is 0, which a_0 decides. "
    "Pairs are counted as different when neither reflection nor equality joins them.",
    latex=r"a_0=\frac{\beta-\alpha}{\alpha+\beta+2}",
    scope="the pairs of the caption; a_0 ... a_12 of each",
    second_route="the rows of the caption: 4 + 4 + 4",
    kills=("figure-2-with-swaps",),
    extent=FINITE,
)
def twelve_pairs() -> Iterator:
    pairs = experiments.FIGURE_2
    yield Equal(len({tuple(sorted(pair)) for pair in pairs}), 12, "kernels up to reflection")
    yield Equal(len(pairs), 12, "pairs")
    centred = [all(Jacobi(*pair).recurrence(k)[0] == 0 for k in range(13)) for pair in pairs]
    yield Equal(centred.count(True), 4, "pairs with a_0 = ... = a_12 = 0")
    yield Equal([a == b for a, b in pairs], centred, "alpha = beta, pair by pair")


@claim(
    "swap-pairs-shown",
    place="section 6.1, line 948",
    title="the examples with alpha > beta, (2, 0) and (3, 0.5), are in Figure 2",
    plain="(2, 0) is not among the twelve; (2, 0.5), (2, 1) and (1, 0) are.",
    scope="the pairs of the caption",
    second_route="the list of pairs read by hand",
    kills=("figure-2-with-swaps",),
    expect=FAILS,
    severity="typographical",
    correction="swap-pairs-shown-corrected",
)
def examples_shown() -> Iterator:
    for pair in (("2", "0"), ("3", "0.5")):
        there = pair in experiments.FIGURE_2
        yield Holds(there, f"({', '.join(pair)}) is {'' if there else 'not '}among the twelve pairs")


@claim(
    "swap-pairs-shown-corrected",
    place="section 6.1, line 948",
    title="Figure 2 has six pairs with alpha > beta, two with alpha < beta, and no pair beside its swap",
    plain="So that no picture has its mirror image beside it; swap-mirrored says what it would be.",
    scope="the pairs of the caption",
    second_route="fig2-twelve: twelve kernels up to reflection",
    kills=("figure-2-with-swaps",),
    extent=FINITE,
)
def pairs_shown() -> Iterator:
    pairs = experiments.FIGURE_2
    above = [pair for pair in pairs if QQ(pair[0]) > QQ(pair[1])]
    below = [pair for pair in pairs if QQ(pair[0]) < QQ(pair[1])]
    yield Equal([len(above), len(below)], [6, 2], "alpha > beta, alpha < beta")
    for pair in below:
        yield Holds(pair[::-1] not in pairs, f"the swap of ({', '.join(pair)}) is not shown")


NAMED = (("2", "0"), ("3", "0.5"))  # the examples with alpha > beta


def said_to_be_swapped() -> tuple:
    """The pairs that the text calls swapped."""
    return ("0", "2"), ("1", "3")


@mutant("swapped-as-named")
def swapped_as_named() -> Iterator[None]:
    """The swaps of the two examples."""
    import sys

    with patched(sys.modules[__name__], "said_to_be_swapped", lambda: tuple(pair[::-1] for pair in NAMED)):
        yield


_SWAPPED: dict[str, Any] = {
    "place": "section 6.1, line 952",
    "scope": "the pairs of the text and of the caption",
    "second_route": "the list of pairs read by hand",
    "kills": ("swapped-as-named",),
}
claim(
    "swapped-pairs", title="(0, 2) and (1, 3) are the pairs of Figure 2 with alpha < beta",
    plain="Both, and no others.", reading="swapped: alpha < beta in the place of alpha > beta", extent=FINITE,
    latex=r"\alpha<\beta", **_SWAPPED,
)(
    lambda: Equal(
        set(said_to_be_swapped()), {p for p in experiments.FIGURE_2 if QQ(p[0]) < QQ(p[1])},
        "the pairs called swapped, and those with alpha < beta",
    )
)  # fmt: skip
claim(
    "swapped-pairs/named", title="(0, 2) and (1, 3) are the swaps of the examples (2, 0) and (3, 0.5)",
    plain="(1, 3) is the swap of (3, 1), which is neither named nor in Figure 2; of (3, 0.5) it is (0.5, 3).",
    reading="swapped: of the two pairs named before", expect=FAILS, severity="imprecise wording",
    statement="swapped-pairs", correction="swapped-pairs", **_SWAPPED,
)(
    lambda: (
        Holds(pair[::-1] in NAMED, f"({', '.join(pair)}), and ({', '.join(pair[::-1])}) "
              f"{'is' if pair[::-1] in NAMED else 'is not'} named")
        for pair in said_to_be_swapped()
    )
)  # fmt: skip


# How many statistics.


def summaries() -> list[str]:
    """What Table 1 prints of OKC_N."""
    kinds = {"N*": "N*", "T_eps": "T_0.05", "even and odd": "even"}
    return [name for name, column in kinds.items() if column in table_columns(S1)]


@mutant("parities-not-printed")
def parities_not_printed() -> Iterator[None]:
    """No even and no odd mass."""
    import sys

    with patched(sys.modules[__name__], "summaries", lambda: ["N*", "T_eps"]):
        yield


_STATISTICS: dict[str, Any] = {
    "place": "section 6.1, line 1005",
    "scope": "the columns of Table 1",
    "second_route": "display-peak, def-threshold and display-even-odd, which define them",
    "kills": ("parities-not-printed",),
}
claim(
    "two-statistics", title="two statistics summarise OKC_N",
    plain="N* and T_eps are announced as two; the even and odd masses follow as a third.",
    expect=FAILS, severity="imprecise wording", correction="two-statistics-corrected", **_STATISTICS,
)(lambda: Equal(len(summaries()), 2, f"statistics of OKC_N: {', '.join(summaries())}"))  # fmt: skip
claim(
    "two-statistics-corrected", title="three statistics summarise OKC_N: N*, T_eps, even and odd mass",
    plain="Each has its columns in Tables 1 and 2.", extent=FINITE, **_STATISTICS,
)(lambda: Equal(len(summaries()), 3, f"statistics of OKC_N: {', '.join(summaries())}"))  # fmt: skip


def reported(id: str) -> set[str]:
    """The kinds of columns in a table; F where a threshold prints its cumulative value."""
    return {c.partition("_")[0].partition("^")[0] for c in table_columns(id)} | {
        "F" for n in ns(id) for c in EPS if "(" in text(id, n, c)
    }


@mutant("print-F")
def print_F() -> Iterator[None]:
    """Every threshold with its F, a column OKC_N, and no column OKC^(1)."""
    import sys

    here, right = sys.modules[__name__], reported
    columns = {id: [*(c for c in table_columns(id) if c != "OKC^(1)"), "OKC_N"] for id in EVERYTHING}
    with (
        patched(here, "reported", lambda id: right(id) | {"F"}),
        patched(here, "table_columns", columns.__getitem__),
    ):
        yield


def prints_F(ids: tuple[str, ...]) -> Iterator:
    """F(T_eps) stands in these tables."""
    for id in ids:
        there = "F" in reported(id)
        yield Holds(there, f"Table {table(id)['number']} prints {'' if there else 'no '}F(T_eps)")


def prints_degrees() -> Iterator:
    """Every table has a column OKC_N."""
    for id in EVERYTHING:
        there = "OKC_N" in table_columns(id)
        yield Holds(there, f"Table {table(id)['number']} has {'a' if there else 'no'} column OKC_N")


_COLUMNS = {
    "scope": "the columns and cells of the five tables",
    "second_route": "the captions",
    "kills": ("print-F",),
}
claim(
    "tables-report-all", place="section 6.1, line 1026", title="Tables 1 and 2 report F(T_eps) beside T_eps",
    plain="The pair of T_eps and F(T_eps) is among the quantities just defined; the tables print T_eps only.",
    reading="all these quantities: the pair of T_eps and F(T_eps) as well", expect=FAILS,
    severity="imprecise wording", correction="tables-report-all-corrected", **_COLUMNS,
)(partial(prints_F, SPIRAL))  # fmt: skip
claim(
    "caption-F-parentheses", place="section 6.2, caption of Table 4, line 1276",
    title="Table 4 prints F(T_eps) in parentheses",
    plain="The caption of Table 4 promises F(T_eps) in parentheses; no cell of Tables 4-6 has any.",
    expect=FAILS, severity="typographical", correction="tables-report-all-corrected", **_COLUMNS,
)(partial(prints_F, ECHO))  # fmt: skip
claim(
    "tables-report-all-corrected",
    place="section 6, Tables 1-6",
    title="the tables report even, odd, OKC^(q), N*, T_eps, and for d = 2 OKC_i",
    plain="No table prints F(T_eps), OKC_N or OKC_ij; 'orca-exact figures' draws all three.",
    extent=FINITE,
    **_COLUMNS,
)(
    lambda: (
        Equal(reported(id), {"even", "odd", "OKC", "N*", "T"}, f"columns of {called(id)}")
        for id in EVERYTHING
    )
)


def announced() -> Iterator:
    """OKC^(q) in every table, OKC_N by its summaries, OKC_i for d = 2, where OKC^(2) is the one pair."""
    for id in EVERYTHING:
        d, columns = table(id)["d"], table_columns(id)
        wanted = [
            *(f"OKC^({q})" for q in range(1, d + 1)),
            "N*",
            *EPS,
            *(("OKC_1", "OKC_2") if d == 2 else ()),
        ]
        for column in wanted:
            yield Holds(column in columns, f"{called(id)}: column {column}")


claim(
    "what-is-reported", place="section 5, line 719",
    title="section 6 reports OKC^(q), OKC_N by N* and T_eps, OKC_i for d = 2",
    plain="Of OKC_N the tables give the peak, three thresholds and the even and odd sums; for d = 2 the one "
    "pair is OKC^(2); nothing is said of pairs for d = 5 ('when relevant').",
    reading="a family is reported if its values or its summaries are", extent=FINITE, **_COLUMNS,
)(announced)  # fmt: skip
claim(
    "what-is-reported/values", place="section 5, line 719", title="section 6 reports the values OKC_N",
    plain="No table and no figure of the paper has them.", statement="what-is-reported",
    reading="a family is reported if its values are", expect=FAILS, severity="imprecise wording",
    correction="what-is-reported", **_COLUMNS,
)(prints_degrees)  # fmt: skip
