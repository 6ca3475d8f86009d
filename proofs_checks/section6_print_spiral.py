"""Section 6.1, sentences about the tables: against print, and against certified values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from flint import fmpq

from orca_exact.paper.claims import FAILS, HOLDS, Equal, Holds, Less, Note

from .section6_values import EPS, S1, S2, SPIRAL, edit, increasing, ns, sentence, series, table, text

LARGE = (8, 12, 14, 16)

# 6.1, discussion.

sentence(
    "disc-okc0-exact",
    1108,
    "OKC^(0) = 0 in every row",
    "Printed 0.0000 sixteen times; exact by eq. (8) and (28).",
    lambda get: (
        Less(abs(get(id, n, "OKC^(0)")), fmpq(1, 10**30), f"{id}, n = {n}") for id in SPIRAL for n in ns(id)
    ),
    {(S1, 2, "OKC^(0)"): "0.0001"},
    family=(HOLDS, ""),
)


def okc2_grows(get: Any) -> Iterator:
    """OKC^(2) grows with n and is above one half for n >= 5, in both tables."""
    for id in SPIRAL:
        yield from increasing(series(get, id, "OKC^(2)"), f"{id}: OKC^(2) grows")
        yield from dominance(get, id)


def dominance(get: Any, id: str) -> Iterator:
    """OKC^(2) is above one half for n >= 5."""
    for n in ns(id):
        if n >= 5:
            yield Less(fmpq(1, 2), get(id, n, "OKC^(2)"), f"{id}, n = {n}: OKC^(2) dominates")


def okc2_corrected(get: Any) -> Iterator:
    """OKC^(2) grows for Legendre, and for (2.5, 1.2) up to n = 12; it dominates in both."""
    yield from increasing(series(get, S1, "OKC^(2)"), "Legendre: OKC^(2) grows")
    yield from increasing(
        series(get, S2, "OKC^(2)", (1, 2, 3, 5, 8, 12)), "(2.5, 1.2): OKC^(2) grows to n = 12"
    )
    last = get(S2, 16, "OKC^(2)")
    yield Less(last, get(S2, 14, "OKC^(2)"), "(2.5, 1.2): OKC^(2) falls from n = 14 to 16")
    for id in SPIRAL:
        yield from dominance(get, id)


GROWN = {(S2, 12, "OKC^(2)"): "0.8047", (S2, 14, "OKC^(2)"): "0.8100", (S2, 16, "OKC^(2)"): "0.8200"}
sentence(
    "disc-okc2-grows", 1121, "OKC^(2) grows with n and dominates for n >= 5, for both choices",
    "Under (2.5, 1.2) the printed OKC^(2) falls: 0.8047, 0.7722, 0.7580 for n = 12, 14, 16. Dominance holds.",
    okc2_grows, GROWN, FAILS, "disc-okc2-grows-corrected", family=(FAILS, "disc-okc2-grows-corrected/family"),
)  # fmt: skip
sentence(
    "disc-okc2-grows-corrected",
    1121,
    "OKC^(2) grows for Legendre, falls at the end for (2.5, 1.2), dominates",
    "More than half of the norm for n >= 5 in both tables.",
    okc2_corrected,
    "print-disc-okc2-grows",
    family=(HOLDS, ""),
)


def okc2_values(get: Any) -> Iterator:
    """OKC^(2) above 0.85 (Legendre, n >= 12) and 0.75 ((2.5, 1.2), n >= 8)."""
    for n in (12, 14, 16):
        yield Less(fmpq(85, 100), get(S1, n, "OKC^(2)"), f"Legendre, n = {n}")
    for n in LARGE:
        yield Less(fmpq(75, 100), get(S2, n, "OKC^(2)"), f"(2.5, 1.2), n = {n}")


sentence(
    "disc-okc2-values", 1123, "OKC^(2) above 0.85 (Legendre, n >= 12) and 0.75 ((2.5, 1.2), n >= 8)",
    "Large n read as n >= 12 and n >= 8. Table 2 never reaches 0.85.", okc2_values,
    {(S1, 12, "OKC^(2)"): "0.8400"}, covers=("echo-d2-dominates",),
    family=(FAILS, "spiral-okc2-values", {(id, n, "OKC^(2)"): "0.9000" for id in SPIRAL for n in LARGE}),
)  # fmt: skip
sentence(
    "disc-same-order", 1137, "OKC_1 and OKC_2 within a factor of two of each other for n >= 8",
    "Same order of magnitude, in both tables.",
    lambda get: (
        Less(get(id, n, a), 2 * get(id, n, b), f"{id}, n = {n}: {a} < 2 {b}")
        for id in SPIRAL for n in LARGE for a, b in (("OKC_1", "OKC_2"), ("OKC_2", "OKC_1"))
    ),
    {(S1, 16, "OKC_1"): "0.9000"},
    family=(FAILS, "spiral-same-order", {
        (id, n, c): "0.1000" for id in SPIRAL for n in LARGE for c in ("OKC_1", "OKC_2")
    }),
)  # fmt: skip
sentence(
    "disc-n2-marginals", 1140, "n = 2: OKC_1 = 0.686 and OKC_2 = 0.183",
    "The printed 0.6856 and 0.1827, rounded. A tighter example is n = 3 (0.5290 and 0.0728).",
    lambda get: (
        Less(abs(get(S1, 2, c) - v), fmpq(1, 2000), c, strict=False)
        for c, v in (("OKC_1", fmpq(686, 1000)), ("OKC_2", fmpq(183, 1000)))
    ),
    {(S1, 2, "OKC_1"): "0.6870"},
)  # fmt: skip


def decrease_together(get: Any) -> Iterator:
    """Legendre: OKC_1 falls from each n to the next, and so does OKC_2."""
    for c in ("OKC_1", "OKC_2"):
        values = series(get, S1, c)
        for (n, a), (k, b) in pairwise(values.items()):
            yield Less(b, a, f"{c} falls from n = {n} to {k}")


HALVES = {
    (S1, n, c): f"{0.4 - 0.02 * i:.4f}" for i, n in enumerate(ns(S1)) for c in ("OKC_1", "OKC_2")
} | {(S1, n, "OKC^(1)"): f"{0.1 + 0.01 * i:.4f}" for i, n in enumerate(ns(S1))}  # fmt: skip
sentence(
    "disc-decrease-together", 1142, "Legendre: OKC_1 and OKC_2 both fall from each n to the next",
    "Both fall only from n = 2 to 3 and from 5 to 8; elsewhere one of them rises.", decrease_together, HALVES,
    FAILS, "disc-decrease-together-corrected", family=(FAILS, "disc-decrease-together-corrected/family"),
)  # fmt: skip
sentence(
    "disc-decrease-together-corrected", 1142, "Legendre: their sum OKC^(1) falls from each n to the next",
    "OKC^(1) = 1 - OKC^(2) falls strictly.",
    lambda get: (
        Less(b, a, f"OKC^(1) from n = {n} to {k}")
        for (n, a), (k, b) in pairwise(series(get, S1, "OKC^(1)").items())
    ),
    "print-disc-decrease-together", family=(HOLDS, ""),
)  # fmt: skip


def imbalance(get: Any, id: str, n: int) -> Any:
    """|OKC_1 - OKC_2| relative to their sum."""
    a, b = get(id, n, "OKC_1"), get(id, n, "OKC_2")
    return abs(a - b) / (a + b)


edit("print-tables-exchanged", {
    (i, n, c): text(j, n, c)
    for i, j in ((S1, S2), (S2, S1)) for n in ns(S1) for c in table(S1)["columns"] if text(j, n, c) != "--"
})  # fmt: skip
sentence(
    "disc-imbalance-persistent",
    1146,
    "for n >= 8 OKC_1 and OKC_2 are less balanced under (2.5, 1.2)",
    "|OKC_1 - OKC_2|/OKC^(1) is smaller under (2.5, 1.2) at every n >= 8: the reverse. The same weight acts "
    "on both coordinates, so the kernel cannot favour one of them.",
    lambda get: (Less(imbalance(get, S1, n), imbalance(get, S2, n), f"n = {n}") for n in LARGE),
    "print-tables-exchanged",
    FAILS,
    "disc-imbalance-persistent-corrected",
)
sentence(
    "disc-imbalance-persistent-corrected",
    1146,
    "for n >= 8 OKC_1 and OKC_2 are better balanced under (2.5, 1.2)",
    "Printed imbalances: Legendre 0.19 to 0.29, (2.5, 1.2) 0.03 to 0.17.",
    lambda get: (Less(imbalance(get, S2, n), imbalance(get, S1, n), f"n = {n}") for n in LARGE),
    "print-tables-exchanged",
)
sentence(
    "disc-odd-near-1", 1154, "Legendre: even mass below 0.02 in every row",
    "The largest printed even mass is 0.0188, at n = 2. On odd data it is exactly 0 (spiral-even-mass-zero).",
    lambda get: (Less(get(S1, n, "even"), fmpq(2, 100), f"n = {n}") for n in ns(S1)),
    {(S1, 2, "even"): "0.0300"}, family=(HOLDS, ""),
)  # fmt: skip
sentence(
    "disc-even-055", 1165, "(2.5, 1.2): even mass above 0.55 for n >= 8",
    "At n = 14 and 16 Table 2 prints 0.5188 and 0.5178.",
    lambda get: (Less(fmpq(55, 100), get(S2, n, "even"), f"n = {n}") for n in LARGE),
    {(S2, n, "even"): "0.5600" for n in LARGE}, FAILS, "disc-even-055-corrected",
    family=(FAILS, "disc-even-055-corrected/family"),
)  # fmt: skip
sentence(
    "disc-even-055-corrected",
    1165,
    "(2.5, 1.2): even mass between 0.5 and 0.58 for n >= 8, below 0.55 at the end",
    "The split is no longer extreme: parity is broken. Above 0.55 only for n = 8 and 12 in print.",
    lambda get: [
        *(Less(fmpq(1, 2), get(S2, n, "even"), f"n = {n}, above 1/2") for n in LARGE),
        *(Less(get(S2, n, "even"), fmpq(58, 100), f"n = {n}, below 0.58") for n in LARGE),
        *(Less(get(S2, n, "even"), fmpq(55, 100), f"n = {n}, below 0.55") for n in (14, 16)),
    ],
    "print-disc-even-055",
    family=(HOLDS, ""),
)


def peak_grows(get: Any) -> Iterator:
    """N* grows up to n = 5 and stays in the upper quarter of the degrees."""
    for id in SPIRAL:
        yield from increasing(series(get, id, "N*", (1, 2, 3, 5)), f"{id}: N* grows")
        for n in (2, 3, 5):
            yield Less(
                3 * n, 2 * get(id, n, "N*"), f"{id}, n = {n}: N* in the upper quarter of 0 ... {2 * n}"
            )


def peak_grows_corrected(get: Any) -> Iterator:
    """N* never falls up to n = 8 and stays below three quarters of 2n."""
    for id in SPIRAL:
        yield from increasing(series(get, id, "N*", (1, 2, 3, 5, 8)), f"{id}: N*", strict=False)
        for n in (2, 3, 5, 8):
            yield Less(get(id, n, "N*"), fmpq(3 * n, 2), f"{id}, n = {n}: N* below three quarters of {2 * n}")


sentence(
    "disc-peak-grows", 1175, "for small n, N* grows with n and is pushed to the highest degree",
    "N* = 1 at n = 1 and at n = 2 in both tables: no growth; and it is never near 2n.", peak_grows,
    {(id, n, "N*"): str(2 * n) for id in SPIRAL for n in (1, 2, 3, 5)}, FAILS, "disc-peak-grows-corrected",
    family=(FAILS, "disc-peak-grows-corrected/family"),
)  # fmt: skip
sentence(
    "disc-peak-grows-corrected", 1175, "N* never falls up to n = 8, and stays below three quarters of 2n",
    "Read off the tables.", peak_grows_corrected, "print-disc-peak-grows", family=(HOLDS, ""),
)  # fmt: skip
sentence(
    "disc-peak-stable", 1178, "N* = 11 (Legendre) and 10 (2.5, 1.2) for n = 8, 12, 14, 16",
    "As printed. On our spiral N* does not settle for Legendre: 7, 9, 9, 13.",
    lambda get: (
        Equal([get(id, n, "N*") for n in LARGE], [get(id, 8, "N*")] * 4, f"{id}: N* for n = 8, 12, 14, 16")
        for id in SPIRAL
    ),
    {(S1, 14, "N*"): "12"},
    family=(FAILS, "spiral-peak-moves", {(id, n, "N*"): "11" for id in SPIRAL for n in LARGE}),
)  # fmt: skip
sentence(
    "disc-peak-intrinsic", 1184, "the stabilised N* belongs to the data, not to (alpha, beta)",
    "Tables 1 and 2 have the same data and N* = 11 and 10: it changes with the coordinates.",
    lambda get: [Equal(get(S1, 16, "N*"), get(S2, 16, "N*"), "N* at n = 16, Legendre and (2.5, 1.2)")],
    {(S2, 16, "N*"): "11"}, FAILS, "disc-peak-intrinsic-corrected",
)  # fmt: skip
sentence(
    "disc-peak-intrinsic-corrected",
    1184,
    "N* differs between Legendre and (2.5, 1.2) on the same data",
    "11 and 10 in print.",
    lambda get: [Holds(get(S1, 16, "N*") != get(S2, 16, "N*"), "N* at n = 16 differs")],
    "print-disc-peak-intrinsic",
)


def monotone(get: Any) -> Iterator:
    """No T_eps falls as n grows."""
    for id in SPIRAL:
        for c in EPS:
            values = {n: v for n, v in series(get, id, c).items() if v is not None}
            yield from increasing(values, f"{id}: {c}", strict=False)


sentence(
    "disc-monotone",
    1199,
    "T_eps never falls as n grows, in both tables, for all three eps",
    "Table 1 prints T_0.05 = 21, 19, 19 for n = 12, 14, 16: it falls; T_0.01 is missing at n = 12.",
    monotone,
    {(S1, 12, "T_0.05"): "19"},
    FAILS,
    "disc-monotone-corrected",
    family=(HOLDS, "", {(S1, 12, "T_0.05"): "2"}),
)
sentence(
    "disc-monotone-corrected", 1199, "T_0.01 at n = 16 exceeds that at n = 8, which exceeds that at n = 3",
    "Broadening over the whole range, in both tables, for T_0.01; not from each n to the next for every eps.",
    lambda get: (
        Less(get(id, a, "T_0.01"), get(id, b, "T_0.01"), f"{id}: n = {a} and {b}")
        for id in SPIRAL for a, b in ((3, 8), (8, 16))
    ),
    {(S1, 16, "T_0.01"): "9"}, family=(HOLDS, ""),
)  # fmt: skip
sentence(
    "energy-shifts", 885, "T_0.10 grows from each n to the next: energy shifts to higher degree",
    "T_0.10 = 17, 17, 17 and 15, 15, 15 for n = 12, 14, 16, and N* is fixed: no shift there.",
    lambda get: [r for id in SPIRAL for r in increasing(series(get, id, "T_0.10", (8, 12, 14, 16)), id)],
    {(id, n, "T_0.10"): str(n) for id in SPIRAL for n in LARGE}, FAILS, "energy-shifts-corrected",
    family=(FAILS, "energy-shifts-corrected/family"),
)  # fmt: skip
sentence(
    "energy-shifts-corrected", 885, "T_0.10 relative to the largest degree 2n falls from n = 8 to n = 16",
    "Mass moves away from the highest available degrees.",
    lambda get: (
        Less(fmpq(get(id, 16, "T_0.10"), 32), fmpq(get(id, 8, "T_0.10"), 16), id) for id in SPIRAL
    ),
    "print-energy-level", family=(HOLDS, ""),
)  # fmt: skip
edit("print-energy-level", {(id, n, "T_0.10"): str(2 * n) for id in SPIRAL for n in LARGE})
sentence(
    "disc-T005-jump", 1203, "Legendre: T_0.05 is 1 at n = 1 with F(1) = 1.000, and 19 at n = 16",
    "F(1) = 1 - OKC^(2) at n = 1. Print has 0.9999: not all mass. F(19) at n = 16 is not printed.",
    lambda get: [
        Equal([get(S1, 1, "T_0.05"), get(S1, 16, "T_0.05")], [1, 19], "T_0.05 at n = 1 and 16"),
        Less(get(S1, 1, "OKC^(2)"), fmpq(1, 2000), "1 - F(1) at n = 1"),
        Note("the largest printed T_0.05 is 21, at n = 12"),
    ],
    {(S1, 16, "T_0.05"): "18"},
)  # fmt: skip
sentence(
    "disc-n8-compact", 1208, "Legendre: T_0.05 relative to 2n is smaller at n = 8 than at n = 16",
    "n = 8 is called compact, well below 2n = 16, and n = 16 spread out. 15/16 against 19/32: the reverse.",
    lambda get: [Less(fmpq(get(S1, 8, "T_0.05"), 16), fmpq(get(S1, 16, "T_0.05"), 32), "T_0.05/(2n)")],
    {(S1, 8, "T_0.05"): "9"}, FAILS, "disc-n8-compact-corrected",
    family=(FAILS, "disc-n8-compact-corrected/family"),
)  # fmt: skip
sentence(
    "disc-n8-compact-corrected", 1208, "Legendre: T_0.05 relative to 2n is larger at n = 8 than at n = 16",
    "Print: T_0.10 = 15 at n = 8 too, so degree 15 alone carries more than 9.9 % of the mass.",
    lambda get: [Less(fmpq(get(S1, 16, "T_0.05"), 32), fmpq(get(S1, 8, "T_0.05"), 16), "T_0.05/(2n)")],
    "print-disc-n8-compact", family=(HOLDS, ""),
)  # fmt: skip
sentence(
    "disc-lower-thresholds", 1211, "T_eps under (2.5, 1.2) never exceeds that of Legendre at the same n",
    "In 23 comparable cells, with < in some.",
    lambda get: [
        *(
            Less(get(S2, n, c), get(S1, n, c), f"n = {n}, {c}", strict=False)
            for n in ns(S1) for c in EPS if get(S1, n, c) is not None
        ),
        Less(get(S2, 8, "T_0.10"), get(S1, 8, "T_0.10"), "n = 8, T_0.10"),
    ],
    "print-tables-exchanged", 
    family=(FAILS, "spiral-lower-thresholds", {(S2, 3, "T_0.01"): "3", (S2, 14, "T_0.01"): "21"}),
)  # fmt: skip
