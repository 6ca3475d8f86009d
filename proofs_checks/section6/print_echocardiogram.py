"""Section 6.2, sentences about the tables: against print, and against certified values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from flint import fmpq

from ..experiments.datasets import COLUMNS
from ..ledger.claims import (
    FAILS,
    FINITE,
    HOLDS,
    UNDECIDED,
    Equal,
    Holds,
    Less,
    Note,
    Unknown,
    claim,
    mutant,
    not_checkable,
    patched,
)  # fmt: skip
from .values import (
    E1,
    E2,
    E3,
    ECHO,
    GROUPS,
    S1,
    SPIRAL,
    called,
    certified_value,
    edit,
    ns,
    printed_value,
    sentence,
    states,
    text,
)  # fmt: skip

# 6.2, the features.


def remaining_columns() -> set[str]:
    """Columns of the file that are neither feature nor label."""
    features = {"age-at-heart-attack", "fractional-shortening", "epss", "lvdd", "wall-motion-index"}
    return set(COLUMNS) - features - {"still-alive"}


LISTED = {"survival", "wall-motion-score", "group", "alive-at-1"}


@mutant("columns-as-listed")
def columns_as_listed() -> Iterator[None]:
    """The remaining columns as the paper lists them."""
    import sys

    with patched(sys.modules[__name__], "remaining_columns", lambda: LISTED):
        yield


@mutant("columns-used")
def columns_used() -> Iterator[None]:
    """The group is a feature."""
    import sys

    right = remaining_columns()
    with patched(sys.modules[__name__], "remaining_columns", lambda: right - {"group"}):
        yield


_COLUMNS = {"place": "section 6.2, line 1223", "scope": "the column list of the UCI file"}
claim(
    "echo-discarded", title="the four columns listed are among those that remain",
    plain="Survival, wall-motion score, group and one-year survival are neither features nor label.",
    second_route="counting: 13 - 5 - 1 = 7 remain", kills=("columns-used",), extent=FINITE,
    reading="the columns in parentheses are named, not counted", **_COLUMNS,
)(lambda: (Holds(c in remaining_columns(), f"{c} remains") for c in sorted(LISTED)))  # fmt: skip
claim(
    "echo-discarded/all", title="the remaining columns are the four that are listed",
    plain="Thirteen columns less five features and the label leave seven; the list forgets "
    "pericardial-effusion, mult and name.",
    second_route="counting: 13 - 5 - 1 = 7", kills=("columns-as-listed",), statement="echo-discarded",
    reading="the list in parentheses is complete", expect=FAILS, severity="imprecise wording",
    correction="echo-discarded-corrected", **_COLUMNS,
)(
    lambda: (
        Holds(c in LISTED, f"{c} remains and is {'' if c in LISTED else 'not '}listed")
        for c in sorted(remaining_columns())
    )
)  # fmt: skip
claim(
    "echo-discarded-corrected",
    title="seven columns remain, three of them unlisted",
    plain="pericardial-effusion, mult and name are discarded as well.",
    second_route="counting: 13 - 5 - 1 = 7",
    kills=("columns-as-listed",),
    extent=FINITE,
    **_COLUMNS,
)(
    lambda: Equal(
        sorted(remaining_columns() - LISTED), ["mult", "name", "pericardial-effusion"], "columns not listed"
    )
)


# 6.2, discussion. Each sentence is judged on print and on certified values.


def ranked(get: Any, id: str, n: int) -> list:
    """OKC^(1) ... OKC^(5)."""
    return [get(id, n, f"OKC^({q})") for q in range(1, 6)]


def mean_order(get: Any, id: str, n: int) -> Any:
    """The mean of q under OKC^(q)."""
    return sum((q * share for q, share in enumerate(ranked(get, id, n), 1)), fmpq(0))


def two_highest(get: Any, id: str, n: int) -> Any:
    """OKC^(4) + OKC^(5)."""
    return get(id, n, "OKC^(4)") + get(id, n, "OKC^(5)")


sentence(
    "echo-d2-dominates",
    1376,
    "d = 2, n >= 12: OKC^(2) is above 0.85 in both tables",
    "Table 2 never reaches it: its largest OKC^(2) is 0.8047, at n = 12, and 0.7580 at n = 16. Section 6.1 "
    "itself says 0.85 for Legendre and 0.75 for (2.5, 1.2), which is right (disc-okc2-values).",
    lambda get: (
        Less(fmpq(85, 100), get(id, n, "OKC^(2)"), f"{called(id)}, n = {n}")
        for id in SPIRAL
        for n in (12, 14, 16)
    ),
    {(id, n, "OKC^(2)"): "0.9000" for id in SPIRAL for n in (12, 14, 16)},
    FAILS,
    "echo-d2-dominates/legendre",
    severity="imprecise wording",
    reading="of d = 2, as the sentence has it: both choices of (alpha, beta)",
    latex=r"\mathrm{OKC}^{(2)}_{(0,0)}>0.85,\ \mathrm{OKC}^{(2)}_{(2.5,1.2)}>0.85,\ n\ge12",
)
sentence(
    "echo-d2-dominates/legendre", 1376, "d = 2, n >= 12: OKC^(2) is above 0.85 for Legendre",
    "0.8568, 0.8621, 0.8633.",
    lambda get: (Less(fmpq(85, 100), get(S1, n, "OKC^(2)"), f"n = {n}") for n in (12, 14, 16)),
    {(S1, 12, "OKC^(2)"): "0.8400"}, statement="echo-d2-dominates",
    reading="of the Legendre case only, as section 6.1 has it",
    latex=r"\mathrm{OKC}^{(2)}_{(0,0)}>0.85,\ n\ge12",
)  # fmt: skip


def evenness(get: Any) -> Iterator:
    """The sum of the squared shares of the orders falls from each n to the next."""
    for id in ECHO:
        for n, k in pairwise(ns(id)):
            before, after = (sum((v * v for v in ranked(get, id, m)), fmpq(0)) for m in (n, k))
            yield Less(after, before, f"{called(id)}: sum of the squared shares, n = {n} to {k}")


SPREAD = {
    (id, n, f"OKC^({q})"): f"{0.2 + (0.03 if q > 3 else -0.02) * (8 - i):.3f}"
    for id in ECHO
    for i, n in enumerate(ns(id))
    for q in range(1, 6)
}
sentence(
    "echo-disperses/upward", 1378, "the mean interaction order grows with n in all three tables",
    "Legendre: 1.71 at n = 1 to 4.73 at n = 25.",
    lambda get: (
        Less(mean_order(get, id, n), mean_order(get, id, k), f"{called(id)}: mean order, n = {n} to {k}")
        for id in ECHO for n, k in pairwise(ns(id))
    ),
    "print-echo-disperses", data=(HOLDS, ""), statement="echo-disperses",
    reading="to disperse: away from the low orders", latex=r"\sum_q q\,\mathrm{OKC}^{(q)}\uparrow",
)  # fmt: skip
sentence(
    "echo-disperses", 1378, "the shares of the five orders become more even as n grows",
    "Only up to n = 2. Then the norm gathers in the highest order: Legendre has five orders above 5 % "
    "at n = 2, three above 1 % at n = 25. That the mean order grows (echo-disperses/upward) is not what the "
    "sentence says: it speaks of all five orders, and the mean grows as well where one order takes all.",
    evenness, SPREAD, FAILS, "echo-disperses-corrected", data=(FAILS, "echo-disperses-corrected/certified"),
    severity="wrong statement", reading="to disperse over the orders: the sum of their squared shares falls",
    latex=r"\sum_q\big(\mathrm{OKC}^{(q)}\big)^2\downarrow",
)  # fmt: skip
sentence(
    "echo-disperses-corrected", 1378, "OKC^(4) + OKC^(5) grows with n in all three tables",
    "Legendre: 0.070 at n = 1 to 0.974 at n = 25.",
    lambda get: (
        Less(two_highest(get, id, n), two_highest(get, id, k),
             f"{called(id)}: OKC^(4) + OKC^(5), n = {n} to {k}")
        for id in ECHO for n, k in pairwise(ns(id))
    ),
    "print-echo-disperses", data=(HOLDS, ""), latex=r"\mathrm{OKC}^{(4)}+\mathrm{OKC}^{(5)}\uparrow",
)  # fmt: skip

N25 = {(E1, 25, "OKC^(5)"): "0.200"}
sentence(
    "echo-n25-760", 1380, "Legendre, n = 25: OKC^(5) = 0.760 is the largest, then OKC^(4) = 0.214",
    "And the other three orders follow.",
    lambda get: [
        states(get, E1, 25, "OKC^(5)", "0.760"),
        states(get, E1, 25, "OKC^(4)", "0.214"),
        *(Less(a, b, f"q = {q}, {q + 1}") for q, (a, b) in enumerate(pairwise(ranked(get, E1, 25)[1:]), 2)),
    ],
    N25, data=(HOLDS, ""), latex=r"\mathrm{OKC}^{(5)}=0.760>\mathrm{OKC}^{(4)}=0.214",
)  # fmt: skip


def below_thousandth(get: Callable, rows: tuple[int, ...]) -> Iterator:
    """Legendre: OKC^(1) < 0.001 at these n."""
    for n in rows:
        yield Less(get(E1, n, "OKC^(1)"), fmpq(1, 1000), f"OKC^(1) at n = {n}")
        if get is printed_value:
            yield Note(f"n = {n}: {text(E1, n, 'OKC^(1)')} is printed, within half a unit of its last digit")


edit("okc1-smaller", {(E1, 10, "OKC^(1)"): "0.000", (E1, 15, "OKC^(1)"): "0.005"})
_OKC1 = {"place": "section 6.2, line 1382", "latex": r"\mathrm{OKC}^{(1)}<0.001,\ n=10"}
claim(
    "echo-okc1-n10",
    title="Legendre: OKC^(1) is below 0.001 at n = 10",
    plain="The certified value is 0.00115. Printed is 0.001, which stands for 0.0005 to 0.0015.",
    reading="of the classifier itself, not of its rounded figure",
    scope="the 61 echocardiogram records, certified classifiers",
    second_route="the cell of Table 4, certified",
    kills=("okc1-smaller",),
    expect=FAILS,
    severity="wrong number",
    correction="echo-okc1-n10-corrected/certified",
    needs="echocardiogram",
    group=GROUPS["certified"],
    **_OKC1,
)(partial(below_thousandth, certified_value, (10,)))
claim(
    "echo-okc1-n10/print",
    title="Legendre: OKC^(1) is below 0.001 at n = 10, by print alone",
    plain="Print has 0.001: the value lies between 0.0005 and 0.0015.",
    statement="echo-okc1-n10",
    reading="read off Table 4",
    scope="the printed tables, each decimal an interval",
    second_route="the certified value (echo-okc1-n10)",
    expect=UNDECIDED,
    **_OKC1,
)(partial(below_thousandth, printed_value, (10,)))
sentence(
    "echo-okc1-n10-corrected",
    1382,
    "Legendre: OKC^(1) is below 0.001 from n = 15 on",
    "The certified value at n = 15 is 0.00025.",
    lambda get: below_thousandth(get, (15, 25)),
    "okc1-smaller",
    data=(HOLDS, ""),
    latex=r"\mathrm{OKC}^{(1)}<0.001,\ n\ge15",
)
sentence(
    "echo-okc2-negligible",
    1383,
    "Legendre: OKC^(2) is below 0.01 from n = 15 on",
    "0.005 and 0.001 in print.",
    lambda get: (Less(get(E1, n, "OKC^(2)"), fmpq(1, 100), f"OKC^(2) at n = {n}") for n in (15, 25)),
    {(E1, 15, "OKC^(2)"): "0.050"},
    data=(HOLDS, ""),
    reading="negligible: below one per cent",
    latex=r"\mathrm{OKC}^{(2)}<0.01,\ n\ge15",
)
sentence(
    "echo-low-order", 1384, "n = 25: less than 0.01 of the norm lies on one or two variables",
    "0.001, 0.007 and 0.002 in print. That is of the trained classifiers; functions of one variable each "
    "can take the 61 labels too (echo-coupling-corrected).",
    lambda get: (
        Less(
            get(id, 25, "OKC^(1)") + get(id, 25, "OKC^(2)"), fmpq(1, 100), f"{called(id)}: OKC^(1) + OKC^(2)"
        )
        for id in ECHO
    ),
    {(E1, 25, "OKC^(2)"): "0.100"}, data=(HOLDS, ""),
    reading="the boundary: of the trained classifiers at n = 25; low order: one or two variables",
    latex=r"\mathrm{OKC}^{(1)}+\mathrm{OKC}^{(2)}<0.01,\ n=25",
)  # fmt: skip
sentence(
    "echo-coupling", 1384, "n = 25: more than 0.9 of the norm lies on four and five variables at once",
    "0.974, 0.929, 0.968: the trained classifiers use high-order modes. That the labels could not be fitted "
    "without them is another statement, and false (echo-coupling/interpolation).",
    lambda get: (
        Less(fmpq(9, 10), two_highest(get, id, 25), f"{called(id)}: OKC^(4) + OKC^(5)") for id in ECHO
    ),
    "print-echo-n25-760", data=(HOLDS, ""), reading="requires: the trained classifier uses it",
    latex=r"\mathrm{OKC}^{(4)}+\mathrm{OKC}^{(5)}>0.9,\ n=25",
)  # fmt: skip
not_checkable(
    "echo-medical", "section 6.2, line 1387", "consistent with the multifactorial nature of cardiac disease",
    "a statement about medicine",
)  # fmt: skip

# 6.2, the weights.

sentence(
    "echo-legendre-strongest",
    1393,
    "n = 25: OKC^(5) = 0.760 for Legendre, the largest of the three",
    "True at n = 25, of which the sentence speaks. At n = 2 Legendre is the weakest, at n = 6 (0.8, 2.7) is "
    "stronger.",
    lambda get: [
        states(get, E1, 25, "OKC^(5)", "0.760"),
        *(Less(get(id, 25, "OKC^(5)"), get(E1, 25, "OKC^(5)"), f"{called(id)}, n = 25") for id in (E2, E3)),
    ],
    "print-echo-n25-760",
    data=(HOLDS, ""),
    latex=r"\mathrm{OKC}^{(5)}_{(0,0)}>\mathrm{OKC}^{(5)}_{(0.8,2.7)}",
)


def ratio(get: Any, id: str) -> Any:
    """OKC^(5)/OKC^(4) at n = 25."""
    return get(id, 25, "OKC^(5)") / get(id, 25, "OKC^(4)")


sentence(
    "echo-a-dampens", 1395,
    "(4.3, 1.8), n = 25: OKC^(5) = 0.615, OKC^(4) = 0.314, the most balanced of the three",
    "Ratios OKC^(5)/OKC^(4) at n = 25: 1.96, against 3.55 and 3.08.",
    lambda get: [
        states(get, E2, 25, "OKC^(5)", "0.615"),
        states(get, E2, 25, "OKC^(4)", "0.314"),
        *(
            Less(ratio(get, E2), ratio(get, id), f"Table 5 and {called(id)}: OKC^(5)/OKC^(4)")
            for id in (E1, E3)
        ),
    ],
    "print-echo-n25-760", data=(HOLDS, ""), latex=r"\mathrm{OKC}^{(5)}=0.615,\ \mathrm{OKC}^{(4)}=0.314",
)  # fmt: skip
sentence(
    "echo-b-intermediate", 1399, "(0.8, 2.7), n = 25: OKC^(5) = 0.731, between the other two",
    "At n = 2 and n = 6 it is the largest of the three.",
    lambda get: [
        states(get, E3, 25, "OKC^(5)", "0.731"),
        Less(get(E2, 25, "OKC^(5)"), get(E3, 25, "OKC^(5)"), "above (4.3, 1.8)"),
        Less(get(E3, 25, "OKC^(5)"), get(E1, 25, "OKC^(5)"), "below Legendre"),
    ],
    "print-echo-n25-760", data=(HOLDS, ""), latex="0.615<0.731<0.760",
)  # fmt: skip
MEAN = r"\bar q=\sum_q q\,\mathrm{OKC}^{(q)}"
sentence(
    "echo-redistributes",
    1403,
    "n = 25: the mean interaction order is lower for (0.8, 2.7), lowest for (4.3, 1.8)",
    "4.73 for Legendre, 4.70 and 4.53.",
    lambda get: [
        Less(mean_order(get, E3, 25), mean_order(get, E1, 25), "(0.8, 2.7) below Legendre"),
        Less(mean_order(get, E2, 25), mean_order(get, E3, 25), "(4.3, 1.8) below (0.8, 2.7)"),
    ],
    "print-echo-n25-760",
    data=(HOLDS, ""),
    latex=r"\bar q_{(4.3,1.8)}<\bar q_{(0.8,2.7)}<\bar q_{(0,0)},\ n=25,\ " + MEAN,
    reading="at n = 25, whose figures the paragraph quotes",
)
sentence(
    "echo-redistributes/every-n",
    1403,
    "at every n the mean interaction order is lower than for Legendre",
    "At n = 1 it is 1.71 for Legendre, 2.52 and 2.65 for the others: mass has moved to higher orders.",
    lambda get: (
        Less(mean_order(get, id, n), mean_order(get, E1, n), f"{called(id)}, n = {n}")
        for id in (E2, E3)
        for n in ns(E1)
    ),
    {
        (id, n, f"OKC^({q})"): "1.000" if q == (5 if id == E1 else 1) else "0.000"
        for id in ECHO
        for n in ns(id)
        for q in range(1, 6)
    },
    FAILS,
    "echo-redistributes",
    data=(FAILS, "echo-redistributes/certified"),
    severity="imprecise wording",
    statement="echo-redistributes",
    reading="at every n of the tables",
    latex=r"\bar q_{(4.3,1.8)}<\bar q_{(0,0)},\ \bar q_{(0.8,2.7)}<\bar q_{(0,0)},\ n\ge1,\ " + MEAN,
)

# 6.2, parity.

sentence(
    "echo-even-odd",
    1407,
    "even mass within 0.015 of one half for all n >= 2",
    "Near one half; equal c_k^2 on all modes gives 0.500 as well, so that this says nothing about the data.",
    lambda get: (
        Less(abs(get(id, n, "even") - fmpq(1, 2)), fmpq(15, 1000), f"{called(id)}, n = {n}")
        for id in ECHO
        for n in ns(id)
        if n >= 2
    ),
    {(E2, 10, "even"): "0.600"},
    data=(HOLDS, ""),
    reading="near 0.5: within 0.015",
    latex=r"\left|\mathrm{even}-\tfrac12\right|<0.015,\ n\ge2",
)


def no_preference(get: Any) -> Iterator:
    """In each table the even mass is above one half at some n >= 2 and below it at another."""
    half = fmpq(1, 2)
    for id in ECHO:
        above = [n for n in ns(id) if n >= 2 and get(id, n, "even") > half]
        below = [n for n in ns(id) if n >= 2 and get(id, n, "even") < half]
        if len(above) + len(below) < len(ns(id)) - 1 and not (above and below):
            yield Unknown(f"{called(id)}: rounded figures do not tell the even mass from one half at every n")
            continue
        yield Holds(
            bool(above and below), f"{called(id)}: even above one half at n = {above}, below at n = {below}"
        )


sentence(
    "echo-no-preference", 1407, "n >= 2: in each table the even mass lies now above, now below one half",
    "For (0.8, 2.7) print has one row below, n = 7, whose columns are exchanged; certified it is n = 10 "
    "(0.49962) alone, against seven rows above.",
    no_preference, {(E2, n, "even"): "0.510" for n in ns(E2)}, data=(HOLDS, ""),
    reading="no systematic preference: neither parity prevails at every n >= 2",
    latex=r"\min_n\mathrm{even}<\tfrac12<\max_n\mathrm{even}",
)  # fmt: skip
