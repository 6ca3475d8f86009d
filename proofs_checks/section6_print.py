"""Section 6: what the tables print, and the identities that every row must satisfy. No data needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from flint import fmpq

from orca_exact.paper import experiments
from orca_exact.paper.claims import FAILS, HOLDS, Equal, Holds, Less, claim, mutant, patched

from .section6_values import (
    E1,
    ECHO,
    EPS,
    S1,
    S2,
    SPIRAL,
    edit,
    ns,
    printed,
    table,
    text,
    unit,
)  # fmt: skip

EVERYTHING = (*SPIRAL, *ECHO)


# Identities inside each table. Rounding rule: k rounded terms excuse k half units of the last digit.


def orders_sum(get: Any, id: str) -> Iterator:
    """OKC^(1) + ... + OKC^(d) = 1 within the rounding of print."""
    orders = [c for c in table(id)["columns"] if c.startswith("OKC^") and c != "OKC^(0)"]
    for n in ns(id):
        total = sum((get(id, n, c) for c in orders), fmpq(0))
        yield Less(
            abs(total - 1), unit(id) * len(orders) / 2, f"n = {n}: orders sum to {total}", strict=False
        )


def parity_sum(get: Any, id: str) -> Iterator:
    """Two complementary numbers round to complementary decimals: no slack."""
    for n in ns(id):
        yield Equal(get(id, n, "even") + get(id, n, "odd"), fmpq(1), f"n = {n}: even + odd")


def marginals_sum(get: Any, id: str) -> Iterator:
    """OKC_1 + OKC_2 = OKC^(1) within the rounding of print."""
    for n in ns(id):
        defect = get(id, n, "OKC_1") + get(id, n, "OKC_2") - get(id, n, "OKC^(1)")
        yield Less(abs(defect), unit(id) * 3 / 2, f"n = {n}: OKC_1 + OKC_2 - OKC^(1)", strict=False)


def degrees(get: Any, id: str, rows: Any = None) -> Iterator:
    """Every T exists (F(dn) = 1), grows as eps falls, and none exceeds dn; nor does N*."""
    top = table(id)["d"]
    for n in rows or ns(id):
        T = [get(id, n, c) for c in EPS]
        yield Holds(
            None not in T, f"n = {n}: T_0.10, T_0.05, T_0.01 = {T}: F({top * n}) = 1, so each T exists"
        )
        if None not in T:
            yield Holds(sorted(T) == T and T[-1] <= top * n, f"n = {n}: {T} ascends to at most {top * n}")
        yield Holds(0 < get(id, n, "N*") <= top * n, f"n = {n}: 0 < N* <= {top * n}")


def _shift(id: str, n: int, column: str, units: int = 20) -> str:
    places = len(text(id, n, column).partition(".")[2])
    return f"{float(text(id, n, column)) + units / 10**places:.{places}f}"


edit(
    "print-first-row-off",
    {(id, 1, c): _shift(id, 1, c) for id in EVERYTHING for c in ("even", "OKC^(1)")}
    | {(id, 1, "T_0.10"): "9" for id in EVERYTHING},
)
edit("print-repaired", {(E1, 2, "OKC^(3)"): "0.366", (S1, 5, "odd"): "0.9953", (S1, 12, "T_0.01"): "23"})

IDENTITIES = {
    "orders": (orders_sum, "the orders sum to 1", r"\sum_q \mathrm{OKC}^{(q)}=1"),
    "parity": (parity_sum, "even + odd = 1", r"\mathrm{even}+\mathrm{odd}=1"),
    "marginals": (
        marginals_sum,
        "OKC_1 + OKC_2 = OKC^(1)",
        r"\mathrm{OKC}_1+\mathrm{OKC}_2=\mathrm{OKC}^{(1)}",
    ),
    "degrees": (
        degrees,
        "T exists, grows as eps falls, at most dn",
        r"T_{0.10}\le T_{0.05}\le T_{0.01}\le dn",
    ),
}
WRONG = {("orders", E1), ("parity", S1), ("degrees", S1)}


def _identity(kind: str, id: str, wrong: bool) -> None:
    check, title, latex = IDENTITIES[kind]
    number = table(id)["number"]
    claim(
        f"{id}/{kind}", place=f"section {'6.1' if id in SPIRAL else '6.2'}, Table {number}",
        title=f"Table {number}: {title}", latex=latex,
        plain="An identity of the indices, row by row; k rounded terms excuse k half units of the last digit "
        "(even + odd: none, complementary numbers round to complementary decimals).",
        scope="the printed figures, exact decimals", second_route="tests/test_printed_tables.py, on its own",
        kills=("print-repaired" if wrong else "print-first-row-off",),
        covers=("disc-partition",) if kind == "orders" and id in SPIRAL else (),
        expect=FAILS if wrong else HOLDS, correction=f"{id}/{kind}/corrected" if wrong else "",
    )(partial(check, printed, id))  # fmt: skip


for _id in EVERYTHING:
    for _kind in IDENTITIES:
        if _kind != "marginals" or _id in SPIRAL:
            _identity(_kind, _id, (_kind, _id) in WRONG)


@claim(
    f"{E1}/orders/corrected", place="section 6.2, Table 4", title="Table 4 with OKC^(3) = 0.366 at n = 2",
    plain="Every row sums to 1 within rounding once OKC^(3) at n = 2 reads 0.366, its certified value "
    f"(see {E1}/n=2/OKC^(3)/corrected); as printed that row sums to 0.995.",
    scope="the printed figures with one cell changed", second_route="the certified cell",
    kills=("print-first-row-off",),
)  # fmt: skip
def orders_corrected() -> Iterator:
    def get(id: str, n: int, column: str) -> Any:
        return fmpq(366, 1000) if (n, column) == (2, "OKC^(3)") else printed(id, n, column)

    return orders_sum(get, E1)


edit("print-even-off", {(S1, 8, "even"): "0.0050", (S1, 8, "T_0.01"): "--"})


@claim(
    f"{S1}/parity/corrected",
    place="section 6.1, Table 1",
    title="even + odd = 1 in every other row of Table 1",
    plain="At n = 5 the row 0.0047, 0.9952 sums to 0.9999: one digit is wrong, print cannot say which.",
    scope="the printed figures of seven rows",
    second_route="Table 2, where all eight rows agree",
    kills=("print-even-off",),
)
def parity_corrected() -> Iterator:
    for n in ns(S1):
        if n != 5:
            yield Equal(printed(S1, n, "even") + printed(S1, n, "odd"), fmpq(1), f"n = {n}: even + odd")


claim(
    f"{S1}/degrees/corrected", place="section 6.1, Table 1",
    title="T exists for every n, T_0.01 <= 24 at n = 12",
    plain="The dash at n = 12 cannot stand: F(24) = 1, so T_0.01 exists. In every other row of Table 1 the "
    "three thresholds are there and ascend.",
    scope="the printed figures of seven rows; existence for any data", second_route="def-threshold",
    kills=("print-even-off",),
)(partial(degrees, printed, S1, [n for n in ns(S1) if n != 12]))  # fmt: skip


# What is printed at all.


def table_columns(id: str) -> list[str]:
    """The columns of a printed table."""
    return table(id)["columns"]


def settings() -> dict[str, tuple]:
    """alpha, beta, C and the n of every printed table."""
    return {id: (table(id)["alpha"], table(id)["beta"], table(id)["C"], ns(id)) for id in EVERYTHING}


@mutant("print-other-settings")
def other_settings() -> Iterator[None]:
    """alpha and beta change places, C is 2, the first row is gone."""
    import sys

    right = settings()
    wrong = {id: (b, a, "2", n[1:]) for id, (a, b, _, n) in right.items()}
    with patched(sys.modules[__name__], "settings", lambda: wrong):
        yield


@claim(
    "exp-increasing",
    place="section 6, line 729",
    title="C = 1 and the lists of n and (alpha, beta) agree",
    plain="Captions and text: C = 1 everywhere; Figure 1 and Tables 1-2 have the same eight n; Tables 4-6 "
    "the nine n and three pairs of the text.",
    scope="captions and text of section 6",
    second_route="tests/test_printed_tables.py reads the captions",
    kills=("print-other-settings",),
    covers=("spiral-C1", "fig1-list", "echo-tables-list"),
)
def lists_agree() -> Iterator:
    found = settings()
    yield Equal({C for _, _, C, _ in found.values()}, {"1"}, "values of C")
    for id in SPIRAL:
        yield Equal(found[id][3], list(experiments.FIGURE_1), f"n of {id} and of Figure 1")
    for id in ECHO:
        yield Equal(found[id][3], [1, 2, 5, 6, 7, 8, 10, 15, 25], f"n of {id}")
    pairs = [found[id][:2] for id in EVERYTHING]
    yield Equal(
        pairs, [("0", "0"), ("2.5", "1.2"), ("0", "0"), ("4.3", "1.8"), ("0.8", "2.7")], "(alpha, beta)"
    )


@mutant("figure-2-with-swaps")
def figure_2_with_swaps() -> Iterator[None]:
    """Twelve pairs that hold (2, 0) and the swaps of (0, 2) and (1, 3)."""
    wrong = (*experiments.FIGURE_2[:8], ("2", "0"), ("3", "0.5"), ("3", "1"), ("0", "2"), ("1", "3"))
    with patched(experiments, "FIGURE_2", wrong):
        yield


@claim(
    "fig2-twelve",
    place="section 6.1, line 894",
    title="Figure 2: twelve pairs, four symmetric, eight not",
    plain="Counted in the caption.",
    scope="the caption of Figure 2",
    second_route="the rows of the caption: 4 + 4 + 4",
    kills=("figure-2-with-swaps",),
)
def twelve_pairs() -> Iterator:
    pairs = experiments.FIGURE_2
    yield Equal(
        [len(pairs), len(set(pairs)), sum(a == b for a, b in pairs)], [12, 12, 4], "all, distinct, symmetric"
    )


@claim(
    "swap-mirrored",
    place="section 6.1, line 948",
    title="Figure 2 holds (2,0) and the swaps of (0,2) and (1,3)",
    plain="The text compares (2,0), and calls (0,2) and (1,3) swapped pairs. (2,0) and (3,1) are not among "
    "the twelve: no swapped pair is in the figure, so that no mirrored pattern can be seen in it.",
    scope="the caption of Figure 2",
    second_route="the list of pairs read by hand",
    kills=("figure-2-with-swaps",),
    expect=FAILS,
    correction="swap-mirrored-corrected",
)
def swaps_shown() -> Iterator:
    for pair in (("2", "0"), ("3", "0.5"), ("0", "2"), ("1", "3"), ("3", "1")):
        yield Holds(pair in experiments.FIGURE_2, f"{pair} is among the twelve pairs")


def reported(id: str) -> set[str]:
    """The kinds of columns in a table; F where a threshold prints its cumulative value."""
    return {c.partition("_")[0].partition("^")[0] for c in table_columns(id)} | {
        "F" for n in ns(id) for c in EPS if "(" in text(id, n, c)
    }


edit("print-F", {(id, n, c): f"{text(id, n, c)} (0.95)" for id in EVERYTHING for n in ns(id) for c in EPS})


@claim(
    "tables-report-all",
    place="section 6.1, line 1026",
    title="the tables report F(T_eps) beside T_eps",
    plain="'Tables 1 and 2 report all these quantities': F(T_eps) and the profile OKC_N are among them, "
    "and printed nowhere; nor are the pairs OKC_ij, nor OKC_i for d = 5, that section 5 announces.",
    scope="the columns and cells of the five tables",
    second_route="the captions",
    kills=("print-F",),
    expect=FAILS,
    correction="tables-report-all-corrected",
    covers=("what-is-reported",),
)
def reports_all() -> Iterator:
    for id in SPIRAL:
        yield Holds("F" in reported(id), f"{id} prints F(T_eps)")


claim(
    "caption-F-parentheses", place="section 6.2, line 1276", title="Table 4 prints F(T_eps) in parentheses",
    plain="The caption of Table 4 promises F(T_eps) in parentheses; no cell of Tables 4-6 has any.",
    scope="the cells of Tables 4-6", second_route="the source of the tables has no parenthesis in a row",
    kills=("print-F",), expect=FAILS, correction="tables-report-all-corrected",
)(lambda: (Holds("F" in reported(id), f"{id} prints F(T_eps)") for id in ECHO))  # fmt: skip
claim(
    "tables-report-all-corrected",
    place="section 6, Tables 1-6",
    title="the tables report even, odd, OKC^(q), N*, T_eps, and for d = 2 OKC_i",
    plain="No table prints F(T_eps), OKC_N or OKC_ij; 'orca-exact figures' draws all three.",
    scope="the columns and cells of the five tables",
    second_route="the captions",
    kills=("print-F",),
)(lambda: (Equal(reported(id), {"even", "odd", "OKC", "N*", "T"}, f"columns of {id}") for id in EVERYTHING))

edit("print-same-rows", {(S2, n, c): text(S1, n, c) for n in ns(S1) for c in table(S1)["columns"]})


@claim(
    "same-n-different",
    place="section 6.1, line 956",
    title="at each n the two tables differ in OKC^(q) or OKC_i",
    plain="Same n, other (alpha, beta): another profile, in every row.",
    scope="Tables 1 and 2",
    second_route="OKC_i alone differs in every row",
    kills=("print-same-rows",),
)
def rows_differ() -> Iterator:
    for n in ns(S1):
        differ = [c for c in ("OKC^(1)", "OKC^(2)", "OKC_1", "OKC_2") if text(S1, n, c) != text(S2, n, c)]
        yield Holds(bool(differ), f"n = {n}: {', '.join(differ) or 'nothing'} differs")
