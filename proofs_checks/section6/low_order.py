"""Claims of section 6.2 that the labels need interactions of many variables, decided by exact certificates.

A linear program proposes a function of few variables that separates the 61 records, or Farkas weights that
exclude one; both are checked over the rationals (``facts.least_margins``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq

from ..ledger.claims import FAILS, FINITE, HOLDS, OUR_THRESHOLD, Holds, Less, claim
from ..ledger.mutants import replacing
from . import facts
from .echocardiogram import latex_of
from .print_echocardiogram import two_highest
from .values import E1, ECHO, register_sentence, table_name

_SHARED: dict[str, Any] = {
    "scope": "the 61 records, rescaled; functions with rational coefficients, all values computed exactly",
    "second_route": "Farkas weights for the next lower degree, which exclude every such function",
    "needs": "echocardiogram",
    "kills": ("low-order-degrees-lowered",),
}


WORDS = {1: "one variable", 2: "at most two variables"}


def enough() -> dict[int, int]:
    """Return the degree at which functions of one variable, and of at most two, separate the records."""
    return {1: 5, 2: 2}


# Use the next lower degrees, which do not suffice.
replacing("low-order-degrees-lowered", __name__, "enough", lambda: {1: 4, 2: 1})


def margin(order: int, n: int) -> fmpq:
    """Return the least y f(x) of a function of degree n with this order, 0 if none separates the records."""
    return facts.least_margins()[f"{order}, {n}"]


def none_separates(order: int) -> Less:
    """Return that no function of this order, of the degree in ``enough``, separates the records."""
    n = enough()[order]
    label = f"least y f(x) over the 61 records, f a sum of functions of {WORDS[order]}, of degree {n}"
    return Less(margin(order, n), 0, label, strict=False)


claim(
    "echo-coupling",
    place="section 6.2, line 1386",
    title="no sum of functions of one variable each classifies the 61 records correctly",
    latex=r"\nexists f_1,\dots,f_5,\ \deg f_j\le5:\ y_i\textstyle\sum_jf_j(x_{ij})>0\ \ \forall i",
    plain="A sum of five polynomials of degree 5, each in one variable, classifies all 61 records correctly. "
    "So no interaction is required, at the n = 5 of the tables, and least of all one of all five variables. "
    "The trained classifiers do use interactions (echo-coupling/used), for shuffled labels as well.",
    reading="'requires' means that no function with interactions of fewer variables does the same",
    expect=FAILS,
    severity="wrong conclusion",
    correction="echo-coupling-corrected",
    **_SHARED,
)(lambda: none_separates(1))
claim(
    "echo-low-order",
    place="section 6.2, line 1384",
    title="no sum of functions of at most two variables each classifies the 61 records correctly",
    latex=r"\nexists f_{jl},\ \deg f_{jl}\le2:\ y_i\textstyle\sum_{j<l}f_{jl}(x_{ij},x_{il})>0\ \ \forall i",
    plain="Polynomials in pairs of variables, of degree 2 in each, classify all 61 records correctly, and "
    "so do sums "
    "of functions of one variable of degree 5 (echo-coupling). The progression of the orders with n does not "
    "indicate the opposite: it is the same for shuffled labels (echo-okc2-negligible).",
    statement="echo-coupling",
    reading="'not well described by low-order interactions' means at least that low orders do not give the "
    "labels",
    expect=FAILS,
    severity="wrong conclusion",
    correction="echo-coupling-corrected",
    **_SHARED,
)(lambda: none_separates(2))


def separates(order: int, below: int) -> Iterator:
    """Yield that a function of this order separates the records, and none of degree ``below``."""
    n = enough()[order]
    yield Less(0, margin(order, n), f"order {order}, degree {n}: least y f(x) over the 61 records")
    yield Holds(
        margin(order, below) == 0, f"order {order}, degree {below}: Farkas weights exclude separation"
    )


@claim(
    "echo-coupling-corrected",
    place="section 6.2, lines 1384 and 1386",
    title="no interaction is required to separate the 61 records: sums of polynomials of degree 5 in one "
    "variable "
    "each do, and sums of polynomials in two variables of degree 2 in each; degree 4, and degree 1 in each "
    "of two or "
    "three variables, are too low",
    latex=r"\exists f_1,\dots,f_5,\ \deg f_j\le5:\ y_i\textstyle\sum_jf_j(x_{ij})>0\ \ \forall i",
    plain="The classifiers trained with the tensor-product kernel use higher orders, but the labels do not "
    "require them.",
    extent=FINITE,
    **_SHARED,
)
def low_orders() -> Iterator:
    yield from separates(1, 4)
    yield from separates(facts.PAIRS, 1)
    yield Holds(margin(facts.TRIPLES, 1) == 0, "order 3, degree 1: Farkas weights exclude separation")


register_sentence(
    "echo-low-order/share", 1384,
    "at n = 25 less than 0.01 of the squared norm belongs to one or two variables",
    "The printed values are 0.001, 0.007 and 0.002. This is about the trained classifiers, not about what "
    "the labels need.",
    lambda get: (
        Less(get(id, 25, "OKC^(1)") + get(id, 25, "OKC^(2)"), fmpq(1, 100), f"{table_name(id)}: their sum")
        for id in ECHO
    ),
    {(E1, 25, "OKC^(2)"): "0.100"}, data=(HOLDS, ""), statement="echo-coupling",
    reading="'the boundary' is that of the trained classifiers at n = 25; 'low order' means one or two "
    f"variables, and 'not well described' a share below one per cent {OUR_THRESHOLD}",
    latex=rf"{latex_of('OKC^(1)')}+{latex_of('OKC^(2)')}<0.01,\ n=25",
)  # fmt: skip
register_sentence(
    "echo-coupling/used", 1386,
    "at n = 25 more than 0.9 of the squared norm belongs to four or five variables jointly",
    "The printed values are 0.974, 0.929, 0.968: the trained classifiers use high-order modes. Neither "
    "'requires' nor 'all five' is kept in this reading.",
    lambda get: (
        Less(fmpq(9, 10), two_highest(get, id, 25), f"{table_name(id)}: OKC^(4) + OKC^(5)") for id in ECHO
    ),
    "print-echo-n25-760", data=(HOLDS, ""), statement="echo-coupling",
    reading=f"the trained classifiers use orders 4 and 5 for nine tenths of their norm {OUR_THRESHOLD}",
    latex=r"\mathrm{OKC}^{(4)}+\mathrm{OKC}^{(5)}>0.9,\ n=25",
)  # fmt: skip
