"""Claims about the printed rows of Tables 1 and 2: whether any spectrum has all the numbers of a row.

The paper does not give its spiral, so no row can be recomputed. But the masses of the modes are nonnegative
numbers with sum 1, and every printed number is a linear condition on them. A linear program proposes masses,
or multipliers that show that there are none; both are checked in rational arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from flint import fmpq

from orca_exact.numbers.rationals import QQ

from ..experiments import tables
from ..ledger.claims import FAILS, FINITE, Equal, Holds, Note, Unknown, claim
from ..ledger.mutants import replacing
from ..ledger.wording import format_value
from ..linear_program import minimise
from .values import (
    EPS,
    S1,
    SPIRAL,
    certified_value,
    interval,
    place,
    printed_text,
    register_cell_edits,
    row_degrees,
    table,
    table_name,
)

DENOMINATOR = 10**9  # of the proposed masses
Mode = tuple[int, int]  # (set of active coordinates: 1, 2 or 3 for both; total degree)


@dataclass(frozen=True)
class Condition:
    """sum of coefficient * mass <= bound over the modes, or < if ``strict``."""

    coefficients: dict[Mode, int]
    bound: fmpq
    strict: bool
    says: str


def modes(n: int) -> list[Mode]:
    """Return the classes of modes that the printed columns distinguish."""
    single = [(active, N) for active in (1, 2) for N in range(1, n + 1)]
    return single + [(3, N) for N in range(2, 2 * n + 1)]


def _above(chosen: Callable[[Mode], bool], n: int, bound: fmpq, says: str, strict: bool = False) -> Condition:
    """Return that the mass of the chosen modes is at least the bound."""
    return Condition({mode: -1 for mode in modes(n) if chosen(mode)}, -bound, strict, says)


def _below(chosen: Callable[[Mode], bool], n: int, bound: fmpq, says: str, strict: bool = False) -> Condition:
    """Return that the mass of the chosen modes is at most the bound."""
    return Condition({mode: 1 for mode in modes(n) if chosen(mode)}, bound, strict, says)


SHARES: dict[str, Callable[[Mode], bool]] = {
    "even": lambda mode: mode[1] % 2 == 0,
    "odd": lambda mode: mode[1] % 2 == 1,
    "OKC^(1)": lambda mode: mode[0] < 3,
    "OKC_1": lambda mode: mode[0] == 1,
    "OKC_2": lambda mode: mode[0] == 2,
    "OKC^(2)": lambda mode: mode[0] == 3,
}


def conditions(id: str, n: int) -> Iterator[Condition]:
    """Yield the conditions of a printed row: sum 1, each share within its rounding interval, N*, T_eps.

    A number that lies exactly between two decimals is rounded to one of them, so one end of each interval
    does not belong to it; it is the upper one here.
    """
    yield _above(lambda mode: True, n, fmpq(1), "sum at least 1")
    yield _below(lambda mode: True, n, fmpq(1), "sum at most 1")
    for mode in modes(n):
        yield Condition({mode: -1}, fmpq(0), False, f"mass of {mode} at least 0")
    for column, chosen in SHARES.items():
        low, high = interval(printed_text(id, n, column))
        yield _above(chosen, n, low, f"{column} at least {format_value(low)}")
        yield _below(chosen, n, high, f"{column} below {format_value(high)}", strict=True)
    peak = int(printed_text(id, n, "N*"))
    for other in range(1, 2 * n + 1):
        if other != peak:
            larger = {mode: 1 if mode[1] == other else -1 for mode in modes(n) if mode[1] in (peak, other)}
            yield Condition(larger, fmpq(0), False, f"degree {other} has at most the mass of degree {peak}")
    for column in EPS:
        if (text := printed_text(id, n, column)) != "--":
            rest, T = 1 - QQ(column.removeprefix("T_")), int(text)
            yield _above(partial(_up_to, T), n, rest, f"{column} at most {text}")
            yield _below(partial(_up_to, T - 1), n, rest, f"{column} at least {text}", strict=True)


def _up_to(T: int, mode: Mode) -> bool:
    return mode[1] <= T


def matrix(found: list[Condition], n: int) -> np.ndarray:
    """Return the coefficients of the conditions as floats, for the linear program."""
    index = {mode: j for j, mode in enumerate(modes(n))}
    A = np.zeros((len(found), len(index)))
    for i, condition in enumerate(found):
        for mode, value in condition.coefficients.items():
            A[i, index[mode]] = value
    return A


def masses(found: list[Condition], n: int) -> dict[Mode, fmpq] | None:
    """Return masses that satisfy every condition, checked exactly, or None."""
    A, b = matrix(found, n), [float(int(c.bound.p) / int(c.bound.q)) for c in found]
    slack = np.array([[1.0 if i > 1 else 0.0] for i in range(len(found))])  # none in 'sum = 1'
    best = minimise([0.0] * A.shape[1] + [-1], np.hstack([A, slack]), b)
    if best is None:
        return None
    rounded = [fmpq(round(x * DENOMINATOR), DENOMINATOR) for x in best[:-1]]
    total = sum(rounded, fmpq(0))
    values = dict(zip(modes(n), (x / total for x in rounded), strict=True)) if total > 0 else {}
    return values if values and all(satisfied(c, values) for c in found) else None


def satisfied(condition: Condition, values: dict[Mode, fmpq]) -> bool:
    """Return whether masses satisfy a condition, exactly."""
    left = sum((a * values[mode] for mode, a in condition.coefficients.items()), fmpq(0))
    return left < condition.bound or (not condition.strict and left == condition.bound)


def contradiction(found: list[Condition], n: int) -> list[Condition] | None:
    """Return conditions whose sum with multipliers is impossible, checked exactly, or None.

    The multipliers are nonnegative; the left sides add up to 0 and the bounds to a negative number, or to 0
    if one of the inequalities is strict (Motzkin's transposition theorem).
    """
    A, b = matrix(found, n), [float(int(c.bound.p) / int(c.bound.q)) for c in found]
    sums = [0.0] * A.shape[1] + [1.0]
    best = minimise(b, np.vstack([A.T, np.ones(len(found))]), sums, sums, lower=0)
    if best is None:
        return None
    least = min(x for x in best if x > 1e-7)
    multipliers = [fmpq(round(x / least)) for x in best]
    used = [(m, c) for m, c in zip(multipliers, found, strict=True) if m != 0]
    left: dict[Mode, fmpq] = {}
    for m, c in used:
        for mode, a in c.coefficients.items():
            left[mode] = left.get(mode, fmpq(0)) + m * a
    bound = sum((m * c.bound for m, c in used), fmpq(0))
    impossible = bound < 0 or (bound == 0 and any(c.strict for _, c in used))
    return [c for _, c in used] if impossible and not any(left.values()) else None


def possible(found: list[Condition], n: int, what: str) -> Iterator:
    """Yield whether some masses satisfy the conditions."""
    if (values := masses(found, n)) is not None:
        used = sum(value != 0 for value in values.values())
        yield Holds(True, f"{used} masses with sum 1 have {what}: {len(found)} conditions, checked exactly")
    elif (wrong := contradiction(found, n)) is not None:
        together = ", ".join(c.says for c in wrong if len(c.coefficients) > 1)  # not that masses are >= 0
        yield Holds(False, f"no masses have these numbers; impossible together: {together}")
    else:
        yield Unknown("exact arithmetic confirms neither proposal of the linear programs")


def row(id: str, n: int) -> Iterator:
    """Yield whether some spectrum has all the printed numbers of a row, and our spiral's values as a note."""
    missing = [c for c in EPS if printed_text(id, n, c) == "--"]
    for column in missing:
        yield Holds(False, f"{column} is printed as a dash, although F({2 * n}) = 1 and so it exists")
    found = list(conditions(id, n))
    yield from possible(found, n, "the other numbers of the row" if missing else "all numbers of the row")
    shown = [f"{c} {tables.rounded(certified_value(id, n, c), 4)}" for c in table(id)["columns"]]
    yield Note("printed: " + ", ".join(printed_text(id, n, c) for c in table(id)["columns"]))
    yield Note("on our own spiral: " + ", ".join(shown))


CONTRADICTORY = {(S1, 5): f"{S1}/parity", (S1, 12): f"{S1}/degrees"}
register_cell_edits(
    "print-rows-off", {(id, n, "OKC^(2)"): "0.4444" for id in SPIRAL for n in row_degrees(id)}
)


def _register(id: str, n: int) -> None:
    wrong = CONTRADICTORY.get((id, n), "")
    outcome: dict[str, Any] = {"extent": FINITE, "kills": ("print-rows-off",)}
    if wrong:
        outcome = {
            "expect": FAILS, "severity": "wrong number" if n == 5 else "typographical", "statement": wrong,
            "correction": f"{wrong}/corrected", "kills": ("print-repaired",),
        }  # fmt: skip
    claim(
        f"{id}/n={n}",
        place=place(id, n),
        title=f"row n = {n} of {table_name(id)} is consistent: some spectrum has all its numbers",
        plain="The paper gives neither the points nor their generator, so the row cannot be recomputed. "
        "It is decided whether nonnegative masses with sum 1 can give all its numbers.",
        covers=(id,),
        scope="the printed row, each decimal taken as an interval; rational certificates",
        second_route="the identities of the table, which are necessary conditions",
        group="spiral-family",
        **outcome,
    )(partial(row, id, n))


for _id in SPIRAL:
    for _n in row_degrees(_id):
        _register(_id, _n)


def stated() -> dict[int, tuple[str, int, str]]:
    """Return the F(T) that the text states for Legendre, by n: column, T and decimal."""
    return {8: ("T_0.05", 15, "0.9998"), 16: ("T_0.05", 19, "0.950")}


# State values that contradict the table.
replacing(
    "stated-F-off", __name__, "stated", lambda: {8: ("T_0.05", 15, "0.9900"), 16: ("T_0.05", 19, "0.930")}
)


def agrees(n: int) -> Iterator:
    """Yield that some spectrum has all numbers of row n of Table 1 and the F(T) that the text states."""
    column, T, text = stated()[n]
    yield Equal(printed_text(S1, n, column), str(T), f"{column} at n = {n}")
    low, high = interval(text)
    ends = [
        _above(partial(_up_to, T), n, low, f"F({T}) at least {format_value(low)}"),
        _below(partial(_up_to, T), n, high, f"F({T}) below {format_value(high)}", strict=True),
    ]
    yield from possible([*conditions(S1, n), *ends], n, f"F({T}) = {text} and all numbers of the row")


_STATED: dict[str, Any] = {
    "scope": "the printed row, each decimal taken as an interval; a rational certificate",
    "kills": ("stated-F-off",),
    "extent": FINITE,
}
claim(
    "disc-n8-F15",
    place="section 6.1, line 1208",
    title="for Legendre at n = 8 T_0.05 = 15, and F(15) = 0.9998 agrees with Table 1",
    plain="F is not printed. The mass that F(15) leaves out has degree 16 = 2n, which is even: 0.0002 of an "
    "even mass of 0.0030. Some spectrum has this F(15) and all numbers of the row.",
    second_route="1 - F(15) is at most the even mass",
    latex=r"1-F(15)=\mathrm{OKC}_{16}\le\mathrm{even}",
    **_STATED,
)(partial(agrees, 8))
claim(
    "disc-borderline",
    place="section 6.1, line 1206",
    title="for Legendre at n = 16 T_0.05 = 19, and F(19) = 0.950 agrees with Table 1",
    plain="F is not printed. T_0.05 = 19 requires F(19) >= 0.95, so at most 0.0005 is left in reserve if "
    "F(19) rounds to 0.950. Some spectrum has this F(19) and all numbers of the row.",
    second_route="the rounding interval of 0.950 contains numbers of at least 0.95",
    latex=r"0.95\le F(19)<0.9505,\ n=16,\ \alpha=\beta=0",
    **_STATED,
)(partial(agrees, 16))
