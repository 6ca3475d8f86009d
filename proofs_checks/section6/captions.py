"""Claims of section 6 about captions, announcements and cross-references."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from orca_exact.measures.jacobi import Jacobi
from orca_exact.numbers.rationals import QQ

from ..experiments import optima as experiments
from ..ledger.claims import FAILS, FINITE, TRANSCRIBED, Equal, Holds, Less, claim
from ..ledger.coverage import paper_items
from ..ledger.mutants import mutant, patched, replacing
from ..section1.introduction import introduction_facts
from .values import E1, ECHO, EPS, S1, SPIRAL, printed_text, row_degrees, table, table_name

EVERYTHING = (*SPIRAL, *ECHO)

# Settings of the printed tables.


def table_columns(id: str) -> list[str]:
    """Return the columns of a printed table."""
    return table(id)["columns"]


def settings() -> dict[str, tuple]:
    """Return d, alpha, beta, C and the list of n for every printed table."""
    keys = ("d", "alpha", "beta", "C")
    return {id: (*(table(id)[key] for key in keys), row_degrees(id)) for id in EVERYTHING}


@mutant("print-other-settings")
def other_settings() -> Iterator[None]:
    """Exchange the dimensions, exchange alpha and beta, set C = 2 and drop the first row."""
    right = settings()
    wrong = {id: (7 - d, b, a, "2", n[1:]) for id, (d, a, b, _, n) in right.items()}
    with patched(sys.modules[__name__], "settings", lambda: wrong):
        yield


def _settings(id: str, place: str, title: str, plain: str, check: Any, **more: Any) -> None:
    claim(
        id, place=place, title=title, plain=plain, scope="captions, text and rows of the five tables",
        second_route="tests/paper/test_printed_tables.py reads captions and rows from the source",
        kills=("print-other-settings",), **{"extent": TRANSCRIBED} | more,
    )(check)  # fmt: skip


def complexity() -> Iterator:
    """Compare the second experiment with the first: inputs, and modes at every common n."""
    (small, *_, first), (large, *_, second) = settings()[S1], settings()[E1]
    yield Less(small, large, "number of inputs in the first and in the second experiment")
    for n in sorted({*first} & {*second}):
        label = f"n = {n}: dimension of the feature space in the first and in the second experiment"
        yield Less((n + 1) ** small, (n + 1) ** large, label)


_settings(
    "exp-increasing", "section 6, line 729", "the second experiment is larger than the first",
    "The first experiment has two inputs, the second five. At every n that occurs in both, there are "
    "(n+1)^2 modes in the first and (n+1)^5 in the second.",
    complexity, latex=r"(n+1)^2<(n+1)^5", extent=FINITE,
)  # fmt: skip
_settings(
    "abs-experiments", "abstract, line 65",
    "there are two experiments: a spiral with d = 2 and echocardiograms with d = 5",
    "Tables 1 and 2 have d = 2, and Tables 4 to 6 have d = 5.",
    lambda: (
        Equal(settings()[id][0], 2 if id in SPIRAL else 5, f"d in {table_name(id)}") for id in EVERYTHING
    ),
    latex="d=2,\\ d=5",
)  # fmt: skip
_settings(
    "exp-C-reported", "section 6, line 738", "C is stated for each configuration",
    "The caption of every table states C, and it is 1.",
    lambda: (Equal(found[3], "1", f"C in {table_name(id)}") for id, found in settings().items()),
)  # fmt: skip
_settings(
    "spiral-C1", "section 6.1, line 829", "C = 1 in both tables of the spiral",
    "This agrees with the announcement at the start of the subsection.",
    lambda: (Equal(settings()[id][3], "1", f"C in {table_name(id)}") for id in SPIRAL), latex="C=1",
)  # fmt: skip
_settings(
    "fig1-list", "section 6.1, line 834", "Figure 1 and Tables 1 and 2 use the same eight values of n",
    "The values are 1, 2, 3, 5, 8, 12, 14, 16.",
    lambda: (
        Equal(
            settings()[id][4], list(experiments.FIGURE_1),
            f"values of n in {table_name(id)} and in Figure 1",
        )
        for id in SPIRAL
    ),
)  # fmt: skip
_settings(
    "echo-tables-list", "section 6.2, line 1265",
    "Tables 4 to 6 use the announced n and (alpha, beta), with C = 1",
    "There are nine values of n, and the pairs are (0, 0), (4.3, 1.8), (0.8, 2.7).",
    lambda: (
        Equal(settings()[id][1:], (*pair, "1", [1, 2, 5, 6, 7, 8, 10, 15, 25]),
              f"alpha, beta, C and the values of n in {table_name(id)}")
        for id, pair in zip(ECHO, (("0", "0"), ("4.3", "1.8"), ("0.8", "2.7")), strict=True)
    ),
)  # fmt: skip


# Cross-references.


def later_subsections() -> list[str]:
    """Return the labels of the subsections of section 6 after the first."""
    labels = introduction_facts()["labels"]
    inside = labels[labels.index("sec:experiments") : labels.index("sec:conclusions")]
    return [label for label in inside if label.startswith("subsec:")][1:]


def numbered() -> dict[str, str]:
    """Return the label that belongs to each number which section 6 prints by hand."""
    numbers = {item["number"]: item.get("label", "") for item in paper_items() if "number" in item}
    sections = [label for label in introduction_facts()["labels"] if label.startswith("sec:")]
    return numbers | {f"Section {k}": label for k, label in enumerate(sections, 1)}


@mutant("one-more-subsection")
def one_more_subsection() -> Iterator[None]:
    """Add a third data set and shift every number by one."""
    here, right = sys.modules[__name__], numbered()
    shifted = dict(zip(right, [*list(right.values())[1:], ""], strict=True))
    with (
        patched(here, "later_subsections", lambda: ["subsec:echo", "subsec:more"]),
        patched(here, "numbered", lambda: shifted),
    ):
        yield


_SOURCE = {
    "scope": "the labels, in a stored inventory of the source",
    "second_route": "tests/paper/test_coverage_of_paper.py reads the labels from the source",
    "kills": ("one-more-subsection",),
}
claim(
    "exp-subsections", place="section 6, line 732, sentence 3",
    title="more than one subsection follows the first",
    plain="The introduction announces subsections on further data sets; only one follows, on one data set.",
    reading="'subsequent subsections' and 'datasets' are more than one", expect=FAILS,
    severity="imprecise wording", correction="exp-subsections-corrected", **_SOURCE,
)(lambda: Holds(len(later_subsections()) > 1, f"subsections: {', '.join(later_subsections())}"))  # fmt: skip
claim(
    "exp-subsections-corrected", place="section 6, line 732",
    title="one subsection follows, on the echocardiogram data", plain="It is section 6.2, with d = 5.",
    extent=TRANSCRIBED, **_SOURCE,
)(lambda: Equal(later_subsections(), ["subsec:echo"], "subsections after the one on the spiral"))  # fmt: skip
for _claim, _place, _what, _aims in (
    ("disc-references", "section 6.1, line 1111", "(8) is the dual, and (28) defines the coefficients c_k",
     {"(8)": "eq:svm-dual", "(28)": "eq:sec4-2-coeffs"}),
    ("exp-references", "section 6, line 737", "Section 3 defines the kernels, and Section 5 the indices",
     {"Section 3": "sec:OP-CD", "Section 5": "sec:orca"}),
    ("echo-reference", "section 6.2, line 1223", "Table 3 lists the features",
     {"Table 3": "tab:echo_features"}),
):  # fmt: skip
    claim(
        _claim, place=_place, title=f"a reference printed as a number is correct: {_what}",
        plain="The items are counted in the order of the source.", extent=TRANSCRIBED, **_SOURCE,
    )(partial(lambda aims: (Equal(numbered()[k], label, k) for k, label in aims.items()), _aims))  # fmt: skip


# Figure 2.


@mutant("figure-2-with-swaps")
def figure_2_with_swaps() -> Iterator[None]:
    """Use thirteen pairs that contain (2, 0) and the swap of (0, 2)."""
    wrong = (*experiments.FIGURE_2[:8], ("2", "0"), ("3", "0.5"), ("3", "1"), ("0", "2"), ("1", "3"))
    with patched(experiments, "FIGURE_2", wrong):
        yield


@claim(
    "fig2-twelve",
    place="section 6.1, line 894",
    title="Figure 2 shows twelve kernels, four of which are symmetric under x -> -x",
    plain="A kernel is symmetric if every a_k of its recurrence is 0, which a_0 determines. Two pairs are "
    "counted as different if they are neither equal nor reflections of each other.",
    latex=r"a_0=\frac{\beta-\alpha}{\alpha+\beta+2}",
    scope="the pairs in the caption; a_0 ... a_12 for each pair",
    second_route="the rows of the caption: 4 + 4 + 4 pairs",
    kills=("figure-2-with-swaps",),
    extent=FINITE,
)
def twelve_pairs() -> Iterator:
    pairs = experiments.FIGURE_2
    yield Equal(len({tuple(sorted(pair)) for pair in pairs}), 12, "number of kernels up to reflection")
    yield Equal(len(pairs), 12, "number of pairs")
    centred = [all(Jacobi(*pair).recurrence(k)[0] == 0 for k in range(13)) for pair in pairs]
    yield Equal(centred.count(True), 4, "number of pairs with a_0 = ... = a_12 = 0")
    yield Equal([a == b for a, b in pairs], centred, "whether alpha = beta, for each pair")


@claim(
    "swap-pairs-shown",
    place="section 6.1, line 948, sentence 3",
    title="the examples with alpha > beta, (2, 0) and (3, 0.5), are in Figure 2",
    plain="printed: «(2,0), (3,0.5)». (2, 0) is not among the twelve pairs; (2, 0.5), (2, 1) and (1, 0) are.",
    scope="the pairs in the caption",
    second_route="the list of pairs, read by hand",
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
    place="section 6.1, line 948, sentence 3",
    title="of the pairs with alpha > beta Figure 2 shows (0.5, 0), (1, 0), (2, 1), (2, 0.5), (1.5, 0.3) and "
    "(3, 0.5)",
    plain="So (2, 0.5) and (3, 0.5) could be the examples. No picture is shown together with its mirror "
    "image.",
    scope="the pairs in the caption",
    second_route="fig2-twelve: twelve kernels up to reflection",
    kills=("figure-2-with-swaps",),
    extent=FINITE,
)
def pairs_shown() -> Iterator:
    above = {pair for pair in experiments.FIGURE_2 if QQ(pair[0]) > QQ(pair[1])}
    listed = {("0.5", "0"), ("1", "0"), ("2", "1"), ("2", "0.5"), ("1.5", "0.3"), ("3", "0.5")}
    yield Equal(above, listed, "pairs with alpha > beta")


NAMED = (("2", "0"), ("3", "0.5"))  # the examples with alpha > beta


def said_to_be_swapped() -> tuple:
    """Return the pairs that the text calls swapped."""
    return ("0", "2"), ("1", "3")


# Use the swaps of the two examples.
replacing("swapped-as-named", __name__, "said_to_be_swapped", lambda: tuple(pair[::-1] for pair in NAMED))


_SWAPPED: dict[str, Any] = {
    "place": "section 6.1, line 952",
    "scope": "the pairs in the text and in the caption",
    "second_route": "the list of pairs, read by hand",
    "kills": ("swapped-as-named",),
}
claim(
    "swapped-pairs", title="(0, 2) and (1, 3) are the pairs of Figure 2 with alpha < beta",
    plain="Both are in Figure 2, and no other pair there has alpha < beta.",
    reading="'swapped' means alpha < beta instead of alpha > beta", extent=TRANSCRIBED, latex=r"\alpha<\beta",
    **_SWAPPED,
)(
    lambda: Equal(
        set(said_to_be_swapped()), {p for p in experiments.FIGURE_2 if QQ(p[0]) < QQ(p[1])},
        "the pairs called swapped, and the pairs with alpha < beta",
    )
)  # fmt: skip
claim(
    "swapped-pairs/named", title="(0, 2) and (1, 3) are the swaps of the examples (2, 0) and (3, 0.5)",
    plain="(1, 3) is the swap of (3, 1), which is neither mentioned nor in Figure 2. The swap of (3, 0.5) "
    "is (0.5, 3).",
    reading="'swapped' means the swaps of the two pairs mentioned before", expect=FAILS,
    severity="imprecise wording", statement="swapped-pairs", correction="swapped-pairs", **_SWAPPED,
)(
    lambda: (
        Holds(pair[::-1] in NAMED, f"({', '.join(pair)}) is the swap of ({', '.join(pair[::-1])}), which is "
        f"{'' if pair[::-1] in NAMED else 'not '}mentioned")
        for pair in said_to_be_swapped()
    )
)  # fmt: skip


# Statistics of OKC_N.


def summaries() -> list[str]:
    """Return the statistics that the text derives from OKC_N by name, if Table 1 prints them."""
    kinds = {"N*": "N*", "T_eps": "T_0.05"}
    return [name for name, column in kinds.items() if column in table_columns(S1)]


# Drop the thresholds.
replacing("thresholds-not-printed", __name__, "summaries", lambda: ["N*"])
claim(
    "two-statistics", place="section 6.1, line 1005",
    title="two summary statistics are derived from OKC_N: N* and T_eps",
    plain="The even and odd masses, which the text then adds by 'finally', are sums of OKC_N and no "
    "third summary statistic in the text's words.",
    scope="the definitions of the paragraph and the columns of Table 1",
    second_route="display-peak and def-threshold, which define the two",
    kills=("thresholds-not-printed",), extent=TRANSCRIBED,
)(lambda: Equal(summaries(), ["N*", "T_eps"], "statistics that the text derives from OKC_N"))  # fmt: skip


def reported(id: str) -> set[str]:
    """Return the kinds of columns in a table, with 'F' if a threshold is printed with its F."""
    return {c.partition("_")[0].partition("^")[0] for c in table_columns(id)} | {
        "F" for n in row_degrees(id) for c in EPS if "(" in printed_text(id, n, c)
    }


@mutant("print-F")
def print_F() -> Iterator[None]:
    """Print every threshold with its F, add a column OKC_N and remove the column OKC^(1)."""
    here, right = sys.modules[__name__], reported
    columns = {id: [*(c for c in table_columns(id) if c != "OKC^(1)"), "OKC_N"] for id in EVERYTHING}
    with (
        patched(here, "reported", lambda id: right(id) | {"F"}),
        patched(here, "table_columns", columns.__getitem__),
    ):
        yield


def prints_F(ids: tuple[str, ...]) -> Iterator:
    """Yield that the given tables print F(T_eps)."""
    for id in ids:
        there = "F" in reported(id)
        yield Holds(there, f"{table_name(id)} {'prints' if there else 'does not print'} F(T_eps)")


def prints_degrees() -> Iterator:
    """Yield that every table has a column OKC_N."""
    for id in EVERYTHING:
        there = "OKC_N" in table_columns(id)
        yield Holds(there, f"{table_name(id)} has {'a' if there else 'no'} column OKC_N")


_COLUMNS = {
    "scope": "the columns and cells of the five tables",
    "second_route": "the captions",
    "kills": ("print-F",),
}
claim(
    "tables-report-all", place="section 6.1, line 1026",
    title="Tables 1 and 2 report F(T_eps) together with T_eps",
    plain="The pair of T_eps and F(T_eps) is among the quantities just defined, but the tables print T_eps "
    "only.",
    reading="'all these quantities' includes the pair of T_eps and F(T_eps)", expect=FAILS,
    severity="imprecise wording", correction="tables-report-all-corrected", **_COLUMNS,
)(partial(prints_F, SPIRAL))  # fmt: skip
claim(
    "caption-F-parentheses", place="section 6.2, caption of Table 4, line 1276",
    title="Table 4 prints F(T_eps) in parentheses",
    plain="printed: «F(T_eps) in parentheses». The caption of Table 4 announces F(T_eps) in parentheses, "
    "but no cell of Tables 4 to 6 contains "
    "it.",
    expect=FAILS, severity="typographical", correction="tables-report-all-corrected", **_COLUMNS,
)(partial(prints_F, ECHO))  # fmt: skip
claim(
    "tables-report-all-corrected",
    place="section 5, line 719; section 6.1, line 1026; section 6.2, caption of Table 4, line 1276",
    title="the tables report even, odd, OKC^(q), N* and T_eps without F(T_eps), and for d = 2 also OKC_i",
    plain="No table prints F(T_eps), OKC_N or OKC_ij; 'orca-exact figures' plots all three.",
    extent=TRANSCRIBED,
    **_COLUMNS,
)(
    lambda: (
        Equal(reported(id), {"even", "odd", "OKC", "N*", "T"}, f"kinds of columns in {table_name(id)}")
        for id in EVERYTHING
    )
)


def announced() -> Iterator:
    """Yield the columns that the text announces for each table."""
    for id in EVERYTHING:
        d, columns = table(id)["d"], table_columns(id)
        wanted = [
            *(f"OKC^({q})" for q in range(1, d + 1)),
            "N*",
            *EPS,
            *(("OKC_1", "OKC_2") if d == 2 else ()),
        ]
        for column in wanted:
            yield Holds(column in columns, f"{table_name(id)} has the column {column}")


claim(
    "what-is-reported", place="section 5, line 719; section 6.1, lines 889 and 968",
    title="section 6 reports OKC^(q), a summary of OKC_N by N* and T_eps, and OKC_i for d = 2",
    plain="For d = 2 the only pair index is OKC^(2). For d = 5 no pair index is reported ('when relevant').",
    reading="a family of indices is reported or analysed if its values or summaries of them are printed",
    extent=TRANSCRIBED, covers=("okcN-analysed", "quantifies-both"), **_COLUMNS,
)(announced)  # fmt: skip
claim(
    "what-is-reported/values", place="section 5, line 719",
    title="the values of OKC_N are printed in section 6",
    plain="No table and no figure contains the values OKC_N, and Tables 4 to 6 do not contain OKC_i. The "
    "tables give the peak of OKC_N, three thresholds, and the even and odd sums.",
    reading="indices are reported if their values are printed somewhere", expect=FAILS,
    severity="imprecise wording", statement="what-is-reported", correction="tables-report-all-corrected",
    **_COLUMNS,
)(prints_degrees)  # fmt: skip
