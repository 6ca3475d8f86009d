"""Output of ``profile --check``: the number of correct decimals of float64, mpmath and balls."""

from __future__ import annotations

from math import inf

from ..conformance.witnesses import APPROXIMATE_ARITHMETICS, ArithmeticCheck
from ..errors import printable
from ..numbers.arithmetic import ARITHMETICS
from ..numbers.rationals import format_decimal, format_digits_down
from .page import Grid, Page
from .terminal import Output

VALUE = 15  # digits of a value in the table
_NAMED = 5  # at most so many indices are named in a sentence


def write_comparison(found: ArithmeticCheck, out: Output, form: str) -> int:
    """Write the comparison; return 1 if a computed value is outside the proved enclosure, else 0."""
    if form == "json":
        out.json(found.to_json())
        return 0 if found.agrees else 1
    headings = ["index", "proved value", *APPROXIMATE_ARITHMETICS.values(), "balls"]
    rows, red = [], []
    for i, row in enumerate(found.rows):
        wrong = any(said.misses for said in row.approximations.values())
        decimals = [
            *(row.approximations[witness].decimals for witness in APPROXIMATE_ARITHMETICS),
            row.decimals,
        ]
        rows.append([row.label + " <-" * wrong, format_decimal(row.proved, VALUE), *map(_shown, decimals)])
        red += [i] * wrong
    about = "float64, mpmath: number of correct decimals of each index; balls: number of proved decimals"
    table = Grid(headings, rows, left=(0, 1), wraps=1, red=red)
    sentences = [describe_agreement(found, witness) for witness in APPROXIMATE_ARITHMETICS]
    sentences += describe_second_route(found)
    Page(printable(found.problem.id) or "problem", [about], [table], sentences).show(out, form)
    return 0 if found.agrees else 1


def describe_agreement(found: ArithmeticCheck, witness: str) -> str:
    """Return a sentence on the agreement of an arithmetic with the proved values."""
    name = APPROXIMATE_ARITHMETICS[witness] + (
        f" at {found.digits} digits" if ARITHMETICS[witness].takes_digits else ""
    )
    worst, misses = found.least_accurate(witness), found.inaccurate(witness)
    said, expected = worst.approximations[witness].decimals, max(0, int(found.expected[witness]))
    if misses:
        named = ", ".join(row.label for row in misses[:_NAMED]) + ", ..." * (len(misses) > _NAMED)
        return (
            f"{name} is wrong in {len(misses)} of {len(found.rows)} indices ({named}): {_shown(said)} "
            f"correct decimals at {worst.label}, {expected} expected; either {name} or the proof is wrong."
        )
    if said == inf:
        return f"{name} agrees exactly with the proved value of every index."
    cause = " (all that are proved there)" if worst.decimals - said < 1 else ""
    return (
        f"{name} agrees with the proved value of every index to at least {int(said)} decimals{cause}; "
        f"the fewest are at {worst.label}, and at least {expected} were expected."
    )


def describe_second_route(found: ArithmeticCheck) -> list[str]:
    """Return a sentence on the agreement of the second route with the proved values, if it was possible."""
    if found.problem.kernel.own_measures is not None:
        return []
    if not found.sets:
        return ["The problem is too large for the second route, which sums over pairs of points in mpmath."]
    every = 2**found.problem.d - 1
    sets = f"{len(found.sets)} of the {every} sets of columns" if every > 1 else "the only column"
    if wrong := found.wrong_sets:
        named = "; ".join(each.label for each in wrong[:_NAMED]) + "; ..." * (len(wrong) > _NAMED)
        return [f"The second route is wrong in {len(wrong)} of {sets} ({named}): it or the proof is wrong."]
    worst = min(found.sets, key=lambda each: each.decimals)
    decimals = "exactly" if worst.decimals == inf else f"to at least {int(worst.decimals)} decimals"
    return [f"A second route (closed forms in mpmath) agrees with the shares of {sets} {decimals}."]


def _shown(decimals: float) -> str:
    return "all" if decimals == inf else format_digits_down(decimals)
