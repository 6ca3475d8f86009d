"""Section 6.1, sentences about the tables: against print, and against certified values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from flint import fmpq

from orca_exact.errors import Undecided
from orca_exact.paper.claims import FAILS, HOLDS, Equal, Less, Note

from .section6_values import (
    EPS,
    S1,
    S2,
    SPIRAL,
    edit,
    increasing,
    ns,
    printed,
    sentence,
    series,
    states,
    table,
    text,
)  # fmt: skip

LARGE = (8, 12, 14, 16)
OKC = r"\mathrm{OKC}"
TREND = "over the whole range of n, not from each n to the next"
STEPS = "from each n of the table to the next"

# 6.1, discussion.


def okc0(get: Any) -> Iterator:
    """OKC^(0) prints as 0.0000; certified, it is below 10^-30."""
    for id in SPIRAL:
        for n in ns(id):
            if get is printed:
                yield states(get, id, n, "OKC^(0)", "0.0000")
            else:
                yield Less(abs(get(id, n, "OKC^(0)")), fmpq(1, 10**30), f"{id}, n = {n}")


sentence(
    "disc-okc0-exact",
    1108,
    "OKC^(0) = 0 in every row",
    "Printed 0.0000 sixteen times; exact by display-c0-zero.",
    okc0,
    {(S1, 2, "OKC^(0)"): "0.0001"},
    family=(HOLDS, ""),
    latex=OKC + r"^{(0)}=0",
)


def dominance(get: Any, id: str) -> Iterator:
    """OKC^(2) is above one half for n >= 5."""
    for n in ns(id):
        if n >= 5:
            yield Less(fmpq(1, 2), get(id, n, "OKC^(2)"), f"{id}, n = {n}: OKC^(2) dominates")


def okc2_rises(get: Any) -> Iterator:
    """OKC^(2) grows up to n = 5 and is above one half from there on, in both tables."""
    for id in SPIRAL:
        yield from increasing(series(get, id, "OKC^(2)", (1, 2, 3, 5)), f"{id}: OKC^(2) grows")
        yield from dominance(get, id)


def okc2_monotone(get: Any) -> Iterator:
    """OKC^(2) grows from each n to the next, in both tables."""
    for id in SPIRAL:
        yield from increasing(series(get, id, "OKC^(2)"), f"{id}: OKC^(2) grows")


def okc2_corrected(get: Any) -> Iterator:
    """OKC^(2) grows for Legendre, and for (2.5, 1.2) up to n = 12; then it falls."""
    yield from increasing(series(get, S1, "OKC^(2)"), "Legendre: OKC^(2) grows")
    yield from increasing(
        series(get, S2, "OKC^(2)", (1, 2, 3, 5, 8, 12)), "(2.5, 1.2): OKC^(2) grows to n = 12"
    )
    last = get(S2, 16, "OKC^(2)")
    yield Less(last, get(S2, 14, "OKC^(2)"), "(2.5, 1.2): OKC^(2) falls from n = 14 to 16")


GROWN = {(S2, 12, "OKC^(2)"): "0.8047", (S2, 14, "OKC^(2)"): "0.8100", (S2, 16, "OKC^(2)"): "0.8200"}
sentence(
    "disc-okc2-grows",
    1121,
    "OKC^(2) grows up to n = 5 and is above one half from there on, for both choices",
    "From 0.0001 at n = 1 to 0.71 and 0.74 at n = 5.",
    okc2_rises,
    {(S2, 5, "OKC^(2)"): "0.2000"},
    family=(HOLDS, ""),
    reading=TREND,
    latex=OKC + r"^{(2)}>\tfrac12,\ n\ge5",
)
sentence(
    "disc-okc2-grows/steps", 1121, "OKC^(2) grows from each n to the next, for both choices",
    "Under (2.5, 1.2) the printed OKC^(2) falls: 0.8047, 0.7722, 0.7580 for n = 12, 14, 16.",
    okc2_monotone, GROWN, FAILS, "disc-okc2-grows-corrected", severity="imprecise wording",
    family=(FAILS, "disc-okc2-grows-corrected/family"), statement="disc-okc2-grows", reading=STEPS,
    latex=OKC + r"^{(2)}\uparrow",
)  # fmt: skip
sentence(
    "disc-okc2-grows-corrected", 1121, "OKC^(2) grows for Legendre, and falls at the end for (2.5, 1.2)",
    "0.7722 at n = 14, 0.7580 at n = 16.", okc2_corrected, "print-disc-okc2-grows/steps", family=(HOLDS, ""),
)  # fmt: skip


def okc2_values(get: Any) -> Iterator:
    """OKC^(2) above 0.85 (Legendre, n >= 12) and 0.75 ((2.5, 1.2), n >= 8)."""
    for n in (12, 14, 16):
        yield Less(fmpq(85, 100), get(S1, n, "OKC^(2)"), f"Legendre, n = {n}")
    for n in LARGE:
        yield Less(fmpq(75, 100), get(S2, n, "OKC^(2)"), f"(2.5, 1.2), n = {n}")


sentence(
    "disc-okc2-values", 1123, "OKC^(2) above 0.85 (Legendre, n >= 12) and 0.75 ((2.5, 1.2), n >= 8)",
    "Table 2 never reaches 0.85 (echo-d2-dominates).", okc2_values, {(S1, 12, "OKC^(2)"): "0.8400"},
    family=(FAILS, "spiral-okc2-values", {(id, n, "OKC^(2)"): "0.9000" for id in SPIRAL for n in LARGE}),
    reading="large n: 12, 14, 16 for the one, 8 and above for the other", latex=OKC + r"^{(2)}>0.85,\ 0.75",
)  # fmt: skip

# The two coordinates.

sentence(
    "disc-same-order", 1137, "OKC_1 and OKC_2 within a factor of two of each other for n >= 8",
    "In both tables.",
    lambda get: (
        Less(get(id, n, a), 2 * get(id, n, b), f"{id}, n = {n}: {a} < 2 {b}")
        for id in SPIRAL for n in LARGE for a, b in (("OKC_1", "OKC_2"), ("OKC_2", "OKC_1"))
    ),
    {(S1, 16, "OKC_1"): "0.9000"}, reading="the same order of magnitude: within a factor of two",
    family=(FAILS, "spiral-same-order", {
        (id, n, c): "0.1000" for id in SPIRAL for n in LARGE for c in ("OKC_1", "OKC_2")
    }), latex=rf"\tfrac12<{OKC}_1/{OKC}_2<2",
)  # fmt: skip
sentence(
    "disc-n2-marginals", 1140, "n = 2: OKC_1 = 0.686 and OKC_2 = 0.183",
    "The printed 0.6856 and 0.1827, rounded. A tighter example is n = 3 (0.5290 and 0.0728).",
    lambda get: [states(get, S1, 2, "OKC_1", "0.686"), states(get, S1, 2, "OKC_2", "0.183")],
    {(S1, 2, "OKC_1"): "0.6870"}, latex=rf"{OKC}_1=0.686,\ {OKC}_2=0.183",
)  # fmt: skip


def fall(get: Any) -> Iterator:
    """Legendre: OKC_1 and OKC_2 are smaller at every n >= 8 than at n = 1 and 2."""
    for c in ("OKC_1", "OKC_2"):
        for small in (1, 2):
            for n in LARGE:
                yield Less(get(S1, n, c), get(S1, small, c), f"{c}, n = {small} and {n}")


def fall_together(get: Any) -> Iterator:
    """Legendre: OKC_1 falls from each n to the next, and so does OKC_2."""
    for c in ("OKC_1", "OKC_2"):
        for (n, a), (k, b) in pairwise(series(get, S1, c).items()):
            yield Less(b, a, f"{c} falls from n = {n} to {k}")


HALVES = {
    (S1, n, c): f"{0.4 - 0.02 * i:.4f}" for i, n in enumerate(ns(S1)) for c in ("OKC_1", "OKC_2")
} | {(S1, n, "OKC^(1)"): f"{0.1 + 0.01 * i:.4f}" for i, n in enumerate(ns(S1))}  # fmt: skip
sentence(
    "disc-decrease-together", 1142, "Legendre: OKC_1 and OKC_2 are smaller at n >= 8 than at n = 1 and 2",
    "From 0.31 and 0.69 to at most 0.11 and 0.09.", fall, {(S1, 16, "OKC_1"): "0.9000"}, reading=TREND,
    family=(FAILS, "disc-decrease-together-corrected/family",
            {(S1, n, "OKC_2"): "0.9000" for n in (1, 2)}),
    latex=rf"{OKC}_1\downarrow,\ {OKC}_2\downarrow",
)  # fmt: skip
sentence(
    "disc-decrease-together/steps", 1142, "Legendre: OKC_1 and OKC_2 both fall from each n to the next",
    "Both fall only from n = 2 to 3 and from 5 to 8; elsewhere one of them rises.", fall_together, HALVES,
    FAILS, "disc-decrease-together-corrected", family=(FAILS, "disc-decrease-together-corrected/family"),
    severity="imprecise wording", statement="disc-decrease-together", reading=STEPS,
    latex=rf"{OKC}_1\downarrow,\ {OKC}_2\downarrow",
)  # fmt: skip
sentence(
    "disc-decrease-together-corrected", 1142, "Legendre: their sum OKC^(1) falls from each n to the next",
    "OKC^(1) = 1 - OKC^(2) falls strictly.",
    lambda get: (
        Less(b, a, f"OKC^(1) from n = {n} to {k}")
        for (n, a), (k, b) in pairwise(series(get, S1, "OKC^(1)").items())
    ),
    "print-disc-decrease-together/steps", family=(HOLDS, ""), latex=rf"{OKC}^{{(1)}}\downarrow",
)  # fmt: skip


def imbalance(get: Any, id: str, n: int) -> Any:
    """|OKC_1 - OKC_2| relative to their sum."""
    a, b = get(id, n, "OKC_1"), get(id, n, "OKC_2")
    return abs(a - b) / (a + b)


def difference(get: Any, id: str, n: int) -> Any:
    """|OKC_1 - OKC_2|."""
    return abs(get(id, n, "OKC_1") - get(id, n, "OKC_2"))


def changes(get: Any, id: str) -> int:
    """How often the larger of OKC_1 and OKC_2 is another one than at the n before."""
    larger = []
    for n in ns(id):
        first, second = get(id, n, "OKC_1"), get(id, n, "OKC_2")
        if not (first > second or second > first):
            raise Undecided(f"{id}, n = {n}: OKC_1 and OKC_2 are not told apart by rounded figures")
        larger.append(bool(first > second))
    return sum(a != b for a, b in pairwise(larger))


edit("print-tables-exchanged", {
    (i, n, c): text(j, n, c)
    for i, j in ((S1, S2), (S2, S1)) for n in ns(S1) for c in table(S1)["columns"] if text(j, n, c) != "--"
})  # fmt: skip
RELATIVE = rf"|{OKC}_1-{OKC}_2|/{OKC}^{{(1)}}"
sentence(
    "disc-imbalance-persistent", 1146, "for n >= 8 OKC_1 and OKC_2 are less balanced under (2.5, 1.2)",
    "|OKC_1 - OKC_2|/OKC^(1) is smaller under (2.5, 1.2) at every n >= 8: the reverse. The same weight acts "
    "on both coordinates, so the kernel cannot favour one of them.",
    lambda get: (Less(imbalance(get, S1, n), imbalance(get, S2, n), f"n = {n}") for n in LARGE),
    "print-tables-exchanged", FAILS, "disc-imbalance-persistent-corrected", severity="wrong statement",
    reading="more persistent: relative to OKC^(1), larger at large n", latex=RELATIVE,
)  # fmt: skip
sentence(
    "disc-imbalance-persistent/absolute", 1146, "for n >= 12 |OKC_1 - OKC_2| is larger under (2.5, 1.2)",
    "0.0314, 0.0401, 0.0277 for Legendre, 0.0065, 0.0064, 0.0124 under (2.5, 1.2): the reverse.",
    lambda get: (Less(difference(get, S1, n), difference(get, S2, n), f"n = {n}") for n in LARGE[1:]),
    "print-tables-exchanged", FAILS, "disc-imbalance-persistent-corrected", severity="wrong statement",
    statement="disc-imbalance-persistent", reading="more persistent: in absolute terms, larger at large n",
    latex=rf"|{OKC}_1-{OKC}_2|",
)  # fmt: skip
sentence(
    "disc-imbalance-persistent/sign",
    1146,
    "the larger of OKC_1 and OKC_2 changes less often under (2.5, 1.2)",
    "At n = 2, 12, 14 for Legendre, at n = 2, 8, 12, 14 under (2.5, 1.2): more often.",
    lambda get: [Less(changes(get, S2), changes(get, S1), "changes of the larger one")],
    {(S2, n, "OKC_1"): "0.9000" for n in ns(S2)},
    FAILS,
    "disc-imbalance-persistent-corrected",
    severity="wrong statement",
    statement="disc-imbalance-persistent",
    reading="more persistent: in the same direction for more n",
    latex=rf"\mathrm{{sign}}({OKC}_1-{OKC}_2)",
)
sentence(
    "disc-imbalance-persistent-corrected", 1146,
    "for n >= 8 OKC_1 and OKC_2 are better balanced under (2.5, 1.2)",
    "Printed imbalances: Legendre 0.19 to 0.29, (2.5, 1.2) 0.03 to 0.17.",
    lambda get: (Less(imbalance(get, S2, n), imbalance(get, S1, n), f"n = {n}") for n in LARGE),
    "print-tables-exchanged", latex=RELATIVE,
)  # fmt: skip

# Parity.

sentence(
    "disc-odd-near-1", 1154, "Legendre: even mass below 0.02 in every row",
    "The largest printed even mass is 0.0188, at n = 2. On odd data it is exactly 0 (spiral-even-mass-zero).",
    lambda get: (Less(get(S1, n, "even"), fmpq(2, 100), f"n = {n}") for n in ns(S1)),
    {(S1, 2, "even"): "0.0300"}, family=(HOLDS, ""), latex=r"\mathrm{even}<0.02",
)  # fmt: skip
sentence(
    "disc-even-055", 1165, "(2.5, 1.2): the even mass is above 0.55 at some n >= 8",
    "0.5552 at n = 8 and 0.5727 at n = 12.",
    lambda get: [Less(fmpq(55, 100), get(S2, 12, "even"), "n = 12")], {(S2, 12, "even"): "0.5400"},
    reading="reaches such values: at some n >= 8",
    latex=r"\max_{n\ge8}\mathrm{even}>0.55",
)  # fmt: skip
sentence(
    "disc-even-055/every", 1165, "(2.5, 1.2): even mass above 0.55 for every n >= 8",
    "At n = 14 and 16 Table 2 prints 0.5188 and 0.5178.",
    lambda get: (Less(fmpq(55, 100), get(S2, n, "even"), f"n = {n}") for n in LARGE),
    {(S2, n, "even"): "0.5600" for n in LARGE}, FAILS, "disc-even-055-corrected",
    family=(FAILS, "disc-even-055-corrected/family"), severity="imprecise wording",
    statement="disc-even-055", reading="at every n >= 8", latex=r"\mathrm{even}>0.55,\ n\ge8",
)  # fmt: skip
sentence(
    "disc-even-055-corrected", 1165,
    "(2.5, 1.2): even mass between 0.5 and 0.58 for n >= 8, below 0.55 at the end",
    "The split is no longer extreme: parity is broken. Above 0.55 only for n = 8 and 12 in print.",
    lambda get: [
        *(Less(fmpq(1, 2), get(S2, n, "even"), f"n = {n}, above 1/2") for n in LARGE),
        *(Less(get(S2, n, "even"), fmpq(58, 100), f"n = {n}, below 0.58") for n in LARGE),
        *(Less(get(S2, n, "even"), fmpq(55, 100), f"n = {n}, below 0.55") for n in (14, 16)),
    ],
    "print-disc-even-055/every", family=(HOLDS, ""), latex=r"0.5<\mathrm{even}<0.58,\ n\ge8",
)  # fmt: skip
sentence(
    "disc-split-not-extreme", 1166, "(2.5, 1.2), n >= 3: even and odd mass are both above 0.3",
    "At n = 1 and 2 the split is 0.0001 to 0.9999 and 0.1983 to 0.8017.",
    lambda get: (
        Less(fmpq(3, 10), get(S2, n, c), f"n = {n}: {c}") for n in ns(S2) if n >= 3 for c in ("even", "odd")
    ),
    {(S2, 16, "even"): "0.0027"}, family=(HOLDS, ""), reading="no longer extreme: neither below 0.3, n >= 3",
    latex=r"\min(\mathrm{even},\mathrm{odd})>0.3",
)  # fmt: skip

# The peak.


def peak_rises(get: Any) -> Iterator:
    """N* never falls up to n = 8, and is larger at n = 8 than at n = 1."""
    for id in SPIRAL:
        yield from increasing(series(get, id, "N*", (1, 2, 3, 5, 8)), f"{id}: N*", strict=False)
        yield Less(get(id, 1, "N*"), get(id, 8, "N*"), f"{id}: N*, n = 1 and 8")


PUSHED = {(id, n, "N*"): str(2 * n) for id in SPIRAL for n in (1, 2, 3, 5)}
sentence(
    "disc-peak-grows", 1175, "up to n = 8, N* never falls, and rises over the range, in both tables",
    "1, 1, 3, 7, 11 and 1, 1, 2, 4, 10.", peak_rises, {(S2, 3, "N*"): "0"}, family=(HOLDS, ""), reading=TREND,
    latex=r"N^*\uparrow,\ n\le8",
)  # fmt: skip
sentence(
    "disc-peak-grows/steps", 1175, "up to n = 5, N* grows from each n to the next",
    "N* = 1 at n = 1 and at n = 2 in both tables.",
    lambda get: (
        r for id in SPIRAL for r in increasing(series(get, id, "N*", (1, 2, 3, 5)), f"{id}: N* grows")
    ),
    PUSHED, FAILS, "disc-peak-grows", family=(FAILS, "disc-peak-grows/family"), severity="imprecise wording",
    statement="disc-peak-grows", reading=STEPS, latex=r"N^*\uparrow,\ n\le5",
)  # fmt: skip
sentence(
    "disc-peak-saturation",
    1177,
    "n = 2, 3, 5: T_0.01 is at least 2n - 2, of 2n at most",
    "One per cent of the mass at most lies above T_0.01: 3 of 4, 5 and 4 of 6, 9 of 10.",
    lambda get: (
        Less(2 * n - 2, get(id, n, "T_0.01"), f"{id}, n = {n}", strict=False)
        for id in SPIRAL
        for n in (2, 3, 5)
    ),
    {(S2, 5, "T_0.01"): "7"},
    reading="toward the highest degree: T_0.01 is within two of it",
    latex=r"T_{0.01}\ge 2n-2",
)
sentence(
    "disc-peak-saturation/peak",
    1177,
    "n = 2, 3, 5: N* is in the upper quarter of the degrees 0 ... 2n",
    "N* is 1 of 4, 3 and 2 of 6, 7 and 4 of 10: never.",
    lambda get: (
        Less(3 * n, 2 * get(id, n, "N*"), f"{id}, n = {n}: N* in the upper quarter of 0 ... {2 * n}")
        for id in SPIRAL
        for n in (2, 3, 5)
    ),
    PUSHED | {(id, 3, "N*"): "6" for id in SPIRAL},
    FAILS,
    "disc-peak-saturation",
    severity="imprecise wording",
    statement="disc-peak-saturation",
    reading="toward the highest degree: the peak itself is near it",
    latex=r"N^*>\tfrac34\,2n",
)
sentence(
    "disc-peak-stable", 1178, "N* = 11 (Legendre) and 10 (2.5, 1.2) for n = 8, 12, 14, 16",
    "As printed. On our spiral N* does not settle for Legendre: 7, 9, 9, 13.",
    lambda get: (
        Equal([get(id, n, "N*") for n in LARGE], [N] * 4, f"{id}: N* for n = 8, 12, 14, 16")
        for id, N in ((S1, 11), (S2, 10))
    ),
    {(S1, 14, "N*"): "12"},
    family=(FAILS, "spiral-peak-moves", {
        (id, n, "N*"): N for id, N in ((S1, "11"), (S2, "10")) for n in LARGE
    }), latex=r"N^*=11,\ 10",
)  # fmt: skip
sentence(
    "disc-peak-intrinsic",
    1184,
    "n >= 8: N* depends on (alpha, beta) by one degree, and not on n",
    "11 and 10: what stays is a number of the data in the given coordinates, as the text says.",
    lambda get: [
        Equal(get(S1, n, "N*") - get(S2, n, "N*"), 1, f"N* at n = {n}, Legendre less (2.5, 1.2)")
        for n in LARGE
    ],
    {(S2, 16, "N*"): "11"},
    reading="intrinsic in the given coordinate system",
    latex=r"N^*_{(0,0)}-N^*_{(2.5,1.2)}=1,\ n\ge8",
)
sentence(
    "disc-peak-intrinsic/coordinates", 1184, "n = 16: N* is the same for Legendre and (2.5, 1.2)",
    "The data are the same and N* = 11 and 10.",
    lambda get: [Equal(get(S1, 16, "N*"), get(S2, 16, "N*"), "N* at n = 16, Legendre and (2.5, 1.2)")],
    {(S2, 16, "N*"): "11"}, FAILS, "disc-peak-intrinsic", severity="imprecise wording",
    statement="disc-peak-intrinsic", reading="intrinsic: whatever the coordinates",
    latex=r"N^*_{(0,0)}=N^*_{(2.5,1.2)}",
)  # fmt: skip

# The thresholds.


def monotone(get: Any) -> Iterator:
    """No T_eps falls as n grows."""
    for id in SPIRAL:
        for c in EPS:
            values = {n: v for n, v in series(get, id, c).items() if v is not None}
            yield from increasing(values, f"{id}: {c}", strict=False)


sentence(
    "disc-monotone", 1199, "T_eps never falls as n grows, in both tables, for all three eps",
    "Table 1 prints T_0.05 = 21, 19, 19 for n = 12, 14, 16: it falls; T_0.01 is missing at n = 12.",
    monotone, {(S1, 12, "T_0.05"): "19"}, FAILS, "disc-monotone-corrected",
    family=(HOLDS, "", {(S1, 12, "T_0.05"): "2"}), severity="wrong statement",
    reading="monotonically: it never falls", latex=r"T_\varepsilon(n)\le T_\varepsilon(n')",
)  # fmt: skip
sentence(
    "disc-monotone-corrected", 1199, "T_0.01 at n = 16 exceeds that at n = 8, which exceeds that at n = 3",
    "Broadening over the whole range, in both tables, for T_0.01; not from each n to the next for every eps.",
    lambda get: (
        Less(get(id, a, "T_0.01"), get(id, b, "T_0.01"), f"{id}: n = {a} and {b}")
        for id in SPIRAL for a, b in ((3, 8), (8, 16))
    ),
    {(S1, 16, "T_0.01"): "9"}, family=(HOLDS, ""), latex="T_{0.01}(3)<T_{0.01}(8)<T_{0.01}(16)",
)  # fmt: skip


def energy(get: Any) -> Iterator:
    """T_0.10 never falls, and T_0.10 and T_0.01 are larger at n = 16 than at n = 3 and at n = 8."""
    for id in SPIRAL:
        yield from increasing(series(get, id, "T_0.10"), f"{id}: T_0.10", strict=False)
        yield Less(get(id, 8, "T_0.10"), get(id, 16, "T_0.10"), f"{id}: T_0.10, n = 8 and 16")
        yield Less(get(id, 8, "T_0.01"), get(id, 16, "T_0.01"), f"{id}: T_0.01, n = 8 and 16")


sentence(
    "energy-shifts", 885, "T_0.10 never falls as n grows, and T_0.10 and T_0.01 rise from n = 8 to 16",
    "T_0.10 goes from 1 to 17 and 15, T_0.01 from 15 at n = 8 to 25 at n = 16.", energy,
    {(S1, 16, "T_0.10"): "13"}, family=(HOLDS, ""), reading=TREND,
    latex=r"T_{0.10}(n)\le T_{0.10}(n'),\ T_{0.01}(8)<T_{0.01}(16)",
)  # fmt: skip
sentence(
    "energy-shifts/steps", 885, "T_0.10 grows from each n >= 8 to the next",
    "T_0.10 = 17, 17, 17 and 15, 15, 15 for n = 12, 14, 16, and N* is fixed: no shift of these there.",
    lambda get: [r for id in SPIRAL for r in increasing(series(get, id, "T_0.10", LARGE), id)],
    {(id, n, "T_0.10"): str(n) for id in SPIRAL for n in LARGE}, FAILS, "energy-shifts",
    family=(FAILS, "energy-shifts/family"), severity="imprecise wording", statement="energy-shifts",
    reading=STEPS, latex=r"T_{0.10}\uparrow,\ n\ge8",
)  # fmt: skip
sentence(
    "energy-shifts/relative",
    885,
    "T_0.10 relative to the largest degree 2n grows from n = 8 to n = 16",
    "15/16 to 17/32 and 13/16 to 15/32: mass moves away from the highest available degrees.",
    lambda get: (Less(fmpq(get(id, 8, "T_0.10"), 16), fmpq(get(id, 16, "T_0.10"), 32), id) for id in SPIRAL),
    {(id, 16, "T_0.10"): "32" for id in SPIRAL},
    FAILS,
    "energy-shifts",
    family=(FAILS, "energy-shifts/family"),
    severity="imprecise wording",
    statement="energy-shifts",
    reading="relative to the degrees available",
    latex=r"T_{0.10}/(2n)",
)
sentence(
    "disc-T005-jump", 1203, "Legendre: T_0.05 is 1 at n = 1 with F(1) = 1.000, and 19 at n = 16",
    "F(1) = 1 - OKC^(2) at n = 1, which rounds to 1.000. F(19) at n = 16 is not printed.",
    lambda get: [
        Equal([get(S1, 1, "T_0.05"), get(S1, 16, "T_0.05")], [1, 19], "T_0.05 at n = 1 and 16"),
        Less(get(S1, 1, "OKC^(2)"), fmpq(1, 2000), "1 - F(1) at n = 1"),
        Note("the largest printed T_0.05 is 21, at n = 12"),
    ],
    {(S1, 16, "T_0.05"): "18"}, latex=r"T_{0.05}=1\ (n=1),\ 19\ (n=16)",
)  # fmt: skip
sentence(
    "disc-n8-F15", 1208, "Legendre, n = 8: T_0.05 = 15, and F(15) = 0.9998 agrees with Table 1",
    "F is not printed. What F(15) leaves out is of degree 16 = 2n, even: 0.0002 of an even mass 0.0030; and "
    "T_0.01 = 15 asks for F(15) >= 0.99.",
    lambda get: [
        Equal([get(S1, 8, "T_0.05"), get(S1, 8, "T_0.01")], [15, 15], "T_0.05 and T_0.01 at n = 8"),
        Less(fmpq(25, 100000), get(S1, 8, "even"), "1 - F(15) at most, and the even mass"),
    ],
    {(S1, 8, "even"): "0.0001"}, latex=r"1-F(15)=\mathrm{OKC}_{16}\le\mathrm{even}",
)  # fmt: skip
sentence(
    "disc-n8-compact",
    1208,
    "Legendre, n = 8: T_0.10 is below 15 = 2n - 1",
    "Energy is said to be concentrated well below 2n = 16. T_0.10 = 15: more than a tenth of the mass is of "
    "degree 15 and 16, the last two.",
    lambda get: [Less(get(S1, 8, "T_0.10"), 15, "T_0.10 at n = 8, and 2n - 1")],
    {(S1, 8, "T_0.10"): "9"},
    FAILS,
    "disc-n8-compact-corrected",
    severity="wrong statement",
    latex="T_{0.10}<2n-1",
    reading="well below: nine tenths at least below the last two degrees",
    family=(HOLDS, "", {(S1, 8, "T_0.10"): "15"}),
)
sentence(
    "disc-n8-compact/relative", 1208, "Legendre: T_0.05 relative to 2n is smaller at n = 8 than at n = 16",
    "n = 8 is called compact by contrast with n = 16. 15/16 against 19/32: the reverse.",
    lambda get: [Less(fmpq(get(S1, 8, "T_0.05"), 16), fmpq(get(S1, 16, "T_0.05"), 32), "T_0.05/(2n)")],
    {(S1, 8, "T_0.05"): "9"}, FAILS, "disc-n8-compact-corrected", severity="wrong statement",
    family=(FAILS, "disc-n8-compact-corrected/family"), statement="disc-n8-compact",
    reading="compact: relative to the largest degree, beside n = 16", latex=r"T_{0.05}/(2n)",
)  # fmt: skip
sentence(
    "disc-n8-compact-corrected", 1208, "Legendre: T_0.05 relative to 2n is larger at n = 8 than at n = 16",
    "Print: T_0.10 = 15 at n = 8 too, so degree 15 alone carries more than 9.9 % of the mass.",
    lambda get: [Less(fmpq(get(S1, 16, "T_0.05"), 32), fmpq(get(S1, 8, "T_0.05"), 16), "T_0.05/(2n)")],
    "print-disc-n8-compact/relative", family=(HOLDS, ""), latex=r"T_{0.05}/(2n)",
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
    "print-tables-exchanged", latex=r"T_\varepsilon^{(2.5,1.2)}\le T_\varepsilon^{(0,0)}",
    family=(FAILS, "spiral-lower-thresholds", {(S2, 3, "T_0.01"): "3", (S2, 14, "T_0.01"): "21"}),
)  # fmt: skip
