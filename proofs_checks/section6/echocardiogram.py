"""Claims of section 6.2: every cell of Tables 4 to 6 compared with its certified value."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from orca_exact.numbers.rationals import QQ, precision_digits
from orca_exact.profile.indices import UndecidedSummary

from ..experiments import optima as experiments
from ..experiments import stored, tables
from ..ledger.claims import FAILS, FINITE, HOLDS, Equal, Holds, Less, Note, Unknown, claim, not_checkable
from ..ledger.mutants import mutant, patched
from . import values
from .values import E1, E2, E3, ECHO, place, printed_text, register_cell_edits, row_degrees, table, table_name

# Printed cells that certified values refute, with the correct text.
REFUTED = {
    (E1, 2, "OKC^(3)"): "0.366",
    (E1, 6, "even"): "0.506",
    (E1, 6, "odd"): "0.494",
    (E1, 7, "OKC^(2)"): "0.042",
    (E1, 7, "OKC^(5)"): "0.380",
    (E1, 15, "OKC^(4)"): "0.305",
    (E2, 5, "T_0.05"): "16",
    (E2, 7, "even"): "0.496",
    (E2, 7, "odd"): "0.504",
    (E2, 7, "OKC^(4)"): "0.399",
    (E2, 7, "OKC^(5)"): "0.241",
    (E2, 7, "T_0.10"): "21",
    (E3, 7, "even"): "0.502",
    (E3, 7, "odd"): "0.498",
}

SWAPPED = ((E1, 6), (E2, 7), (E3, 7))  # rows in which even and odd are exchanged
PARITY = ("even", "odd")


# The tables.


def cell(key: tuple[str, int, str], should: str | None = None) -> Iterator:
    """Yield the rounding rule: |certified - printed| <= half a unit of the last digit, or equal integers."""
    id, n, column = key
    result = values.result(id, n)
    print_ = should or printed_text(id, n, column)
    judged = tables.judge_cell(table(id), n, column, print_, result)
    if isinstance(judged.value, UndecidedSummary):
        yield Unknown(
            f"{column} is {tables.rounded(judged.value, 0)}, not decided with {tables.MAX_DIGITS} digits"
        )
        return
    said = "corrected to" if should else "printed"
    if isinstance(judged.value, int):
        said = f"Certified {column} = {judged.value}, {said} {print_}"
        yield Equal(judged.value, values.parse_cell(print_), said)
        return
    with precision_digits(60):
        away = abs(judged.value - QQ(print_))
    said = f"Certified {tables.rounded(judged.value, 6)}, {said} {print_}; their distance, and half a unit"
    yield Less(away, tables.half_unit(print_), said, strict=False)
    if should is None and (id, n) in SWAPPED and column in PARITY:
        row, ours = (
            (printed_text(id, n, c) for c in PARITY),
            (values.certified_value(id, n, c) for c in PARITY),
        )
        found = "/".join(tables.rounded(v, 6) for v in ours)
        yield Note(f"even and odd are exchanged in this row: printed {'/'.join(row)}, certified {found}")


def _shifted_text(key: tuple[str, int, str]) -> str:
    """Return a text two units away, outside the rounding interval of every value that rounds to the cell."""
    print_ = printed_text(*key)
    if print_.isdigit():
        return str(int(print_) + 1)
    moved = QQ(print_) + 4 * tables.half_unit(print_)
    return f"{int(moved.p) / int(moved.q):.{tables.count_decimals(print_)}f}"


CELLS = [(id, n, c) for id in ECHO for n in row_degrees(id) for c in table(id)["columns"]]
register_cell_edits("every-cell-off", {key: _shifted_text(key) for key in CELLS})
register_cell_edits("every-cell-corrected", REFUTED)


@mutant("indices-exchanged")
def indices_exchanged() -> Iterator[None]:
    """Reverse the orders, exchange even and odd, and permute the thresholds."""
    right = values.result

    def wrong(id: str, n: int) -> Any:
        r = right(id, n)
        table, T = r.indices.table, r.indices.stated_summary.threshold
        reversed_orders = dict(zip(table["order"], r.order[::-1], strict=True))
        exchanged = {"order": reversed_orders, "even": table["odd"], "odd": table["even"]}
        other = {"0.1": T["0.05"], "0.05": T["0.01"], "0.01": T["0.1"]}
        stated = replace(r.indices.stated_summary, threshold=other)
        return replace(r, indices=replace(r.indices, table={**table, **exchanged}, stated_summary=stated))

    with patched(values, "result", wrong):
        yield


def latex_of(column: str) -> str:
    """Return the heading of a column in LaTeX."""
    if column.isalpha():
        return rf"\mathrm{{{column}}}"
    name, mark, index = column.partition("^" if "^" in column else "_")
    head = "T" if name == "T" else r"\mathrm{OKC}"
    return "N^*" if column == "N*" else f"{head}{mark}{{{index}}}"


def _outcome_fields(key: tuple[str, int, str]) -> dict[str, str]:
    """Return the extent of a cell's claim or the severity of its error; two exchanged cells are one error."""
    if key not in REFUTED:
        return {"extent": FINITE}
    found = {"severity": "wrong number"}
    if key[2] in PARITY:
        found["plain"] = "The columns even and odd are exchanged in this row (echo-parity-swapped)."
        found["statement"] = f"{key[0]}/n={key[1]}/even" if key[2] == "odd" else ""
    return found


for _key in CELLS:
    _id, _n, _column = _key
    _number, _refuted = table(_id)["number"], _key in REFUTED
    _shared: dict[str, Any] = {
        "place": place(_id, _n),
        "group": f"{_id}/n={_n}",
        "needs": "echocardiogram",
        "scope": "the 61 records; certified solution, enclosed with at least 50 digits",
        "plain": "A printed decimal is correct if the certified value lies within half a unit of its last "
        "digit. N* and T must be equal.",
        "second_route": "the generating function and, for n <= 2, enumeration of all modes (echo-two-routes)",
    }
    claim(
        f"{_id}/n={_n}/{_column}", title=f"Table {_number}, n = {_n}: {_column} = {printed_text(*_key)}",
        kills=("every-cell-corrected",) if _refuted else ("every-cell-off", "every-index-off"),
        expect=FAILS if _refuted else HOLDS, latex=f"{latex_of(_column)}={printed_text(*_key)}",
        correction=f"{_id}/n={_n}/{_column}/corrected" if _refuted else "", covers=(_id,) if _n == 25 else (),
        **_shared | _outcome_fields(_key),
    )(partial(cell, _key))  # fmt: skip
    if _refuted:
        claim(
            f"{_id}/n={_n}/{_column}/corrected",
            title=f"Table {_number}, n = {_n}: {_column} = {REFUTED[_key]}",
            latex=f"{latex_of(_column)}={REFUTED[_key]}",
            kills=("indices-exchanged", "every-index-off"),
            extent=FINITE,
            **_shared,
        )(partial(cell, _key, REFUTED[_key]))


@claim(
    "echo-two-routes",
    place="section 6.2, Tables 4-6",
    title="the generating function and the enumeration of modes agree for n = 1 and 2",
    plain="C_N^(q) from the generating function is compared with the sum of c_k^2 over all 32 and 243 "
    "modes, for newly computed solutions.",
    scope="six configurations, balls of 50 digits",
    second_route="each of the two computations checks the other",
    kills=("dropped-tensor-term",),
    extent=FINITE,
    latex=r"C_N^{(q)}=\sum_{q(k)=q,\,N(k)=N}c_k^2",
    group="echo-two-routes",
    needs="echocardiogram",
)
def two_routes() -> Iterator:
    from orca_exact.profile.profile import orca
    from orca_exact.svm.certify import certify

    for id in ECHO:
        for n in (1, 2):
            problem = experiments.configuration("echocardiogram", n, table(id)["alpha"], table(id)["beta"])
            profile = orca(problem, certify(problem, level="ball"), "ball", 50)
            with profile.arithmetic.scope():
                away = abs(profile.generating.blocks - profile.enumeration.blocks())
                for (q, N), ball in np.ndenumerate(away):
                    label = (
                        f"{table_name(id)}, n = {n}: difference of C_{N}^({q}) between the two computations"
                    )
                    yield Less(ball, profile.generating.norm / 10**30, label)


@claim(
    "echo-cells",
    place="section 6.2, Tables 4-6",
    title="of the 297 cells 283 are confirmed and 14 refuted, and none is undecided",
    plain="The verdicts on the cells are counted.",
    scope="all 27 configurations",
    second_route="the command 'orca-exact tables'",
    kills=("every-cell-off",),
    extent=FINITE,
    group="echocardiogram-sentences",
    needs="echocardiogram",
)
def all_cells() -> Iterator:
    verdicts = [
        tables.judge_cell(table(id), n, c, printed_text(id, n, c), values.result(id, n)).verdict
        for id, n, c in CELLS
    ]
    found = [verdicts.count(v) for v in (tables.CONFIRMED, tables.REFUTED, tables.UNSETTLED)]
    yield Equal(found, [len(CELLS) - len(REFUTED), len(REFUTED), 0], "cells confirmed, refuted and undecided")


@claim(
    "echo-parity-swapped",
    place="section 6.2, Tables 4-6",
    title="in the three rows with wrong even and odd mass the two columns are exchanged",
    latex=r"\mathrm{even}\leftrightarrow\mathrm{odd}",
    plain="The rows are Legendre n = 6, (4.3, 1.8) n = 7 and (0.8, 2.7) n = 7. The printed even mass is the "
    "certified odd mass, and the printed odd mass the certified even mass, to the last digit.",
    scope="three configurations, certified",
    second_route="the six cells, each on its own",
    kills=("every-cell-off",),
    group="echocardiogram-sentences",
    needs="echocardiogram",
    extent=FINITE,
)
def parity_swapped() -> Iterator:
    for id, n in SWAPPED:
        for one, other in (("even", "odd"), ("odd", "even")):
            yield values.cell_rounds_to(values.certified_value, id, n, one, printed_text(id, n, other))


def stored_indices(id: str, n: int) -> Any:
    """Return the stored enclosures of a row."""
    return stored.stored_row(id, n).indices


@mutant("stored-row-of-another-n")
def stored_row_of_another_n() -> Iterator[None]:
    """Use the stored row for n = 1 at every n."""
    right = stored_indices
    with patched(sys.modules[__name__], "stored_indices", lambda id, n: right(id, 1)):
        yield


@claim(
    "echo-stored-values",
    place="section 6.2, Tables 4-6",
    title="the stored enclosures of the 27 rows agree with those computed from the data",
    plain="They are used where the data are missing. Both contain the true value, so they overlap.",
    scope="every order, marginal, pair, even and odd mass of the 27 rows; N* and T_eps",
    second_route="tests/paper/test_stored.py computes some rows again",
    kills=("stored-row-of-another-n",),
    extent=FINITE,
    group="echocardiogram-sentences",
    needs="echocardiogram",
)
def stored_values() -> Iterator:
    for id in ECHO:
        for n in row_degrees(id):
            kept, found = stored_indices(id, n), experiments.certified_row(id, n).indices
            same = all(
                value.overlaps(found.family(name)[key])
                for name in ("order", "marginal", "pair", "even", "odd")
                for key, value in kept.family(name).items()
            )
            stated = kept.stated_summary == found.stated_summary
            yield Holds(same and stated, f"{table_name(id)}, n = {n}: stored and computed enclosures overlap")


not_checkable(
    "echo-no-scale",
    "section 6.2, line 1423",
    "cardiac data do not impose a characteristic polynomial scale",
    "this is an interpretation; the text states no test that could fail",
)
