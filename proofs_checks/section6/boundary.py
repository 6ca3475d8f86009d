"""Claims of section 6.1 about the boundary of our own double spiral at n = 2, a cubic curve."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from flint import arb, fmpq, fmpq_poly

from orca_exact.errors import Undecided
from orca_exact.numbers.rationals import precision_digits
from orca_exact.problem import Problem
from orca_exact.svm.certificate import Enclosure
from orca_exact.svm.certify import certify

from .. import tensor_kernel as kernel
from ..experiments.optima import configuration
from ..ledger.claims import FINITE, Equal, Less, claim
from ..ledger.mutants import mutant, patched
from .values import FAMILY

DIGITS = 30


@lru_cache(maxsize=1)
def boundary_trained() -> tuple[Problem, Enclosure]:
    """Return the problem at n = 2 and the enclosure of its optimum in balls."""
    problem = configuration("spiral", 2)
    found = certify(problem, level="float").enclosure
    if found is None:
        raise Undecided("the optimum at n = 2 could not be enclosed")
    return problem, found


def cubic() -> list[arb]:
    """Return A, B, C, D of g = A x_1 + B x_2 + C x_1^2 x_2 + D x_1 x_2^2."""
    problem, found = boundary_trained()
    out, t = [arb(0)] * 4, fmpq_poly([0, 1])
    for i, s in found.s.items():
        first, second = (kernel.cd_sum(problem.jacobi, 2, fmpq_poly([x]), t) for x in problem.points[i])
        terms = ((1, 0), (0, 1), (2, 1), (1, 2))
        out = [value + s * arb(first[j] * second[k]) for value, (j, k) in zip(out, terms, strict=True)]
    return out


def g(x: fmpq, z: fmpq) -> arb:
    """Return the decision function at (x, z), computed with the kernel."""
    problem, found = boundary_trained()
    columns = problem.points[list(found.s)].T
    first, second = (
        kernel.cd_sum(problem.jacobi, 2, column, at) for column, at in zip(columns, (x, z), strict=True)
    )
    values = (s * arb(value) for s, value in zip(found.s.values(), first * second, strict=True))
    return sum(values, found.b)


@claim(
    "n2-single-arc",
    place="section 6.1, lines 865 to 867",
    title="at n = 2 the boundary is curved and is a single smooth arc",
    latex=r"g=Ax_1+Bx_2+Cx_1^2x_2+Dx_1x_2^2,\qquad\#\big(\{g=0\}\cap\partial[-1,1]^2\big)=2",
    plain="g is odd (disc-rotation), so it has no other coefficients. On a ray from the origin g/r is "
    "linear in r^2 and has at most one zero. So every branch of the curve runs from the origin or from "
    "infinity to infinity. With only two zeros on the boundary of the square there is one arc, which "
    "passes through the origin.",
    scope=f"n = 2, Legendre weight, C = 1, coefficients enclosed in balls; {FAMILY}",
    second_route="signs of g, computed with the kernel, at 16 points around the square: they change twice",
    kills=("cubic-turned",),
    extent=FINITE,
)
def single_arc() -> Iterator:
    with precision_digits(DIGITS):
        A, B, C, D = cubic()
        label = "on the side x_1 = 1 the discriminant of D x_2^2 + (B+C) x_2 + A is negative"
        yield Less((B + C) ** 2, 4 * A * D, label)
        label = "on the side x_2 = 1 the signs at the corners differ, so there is one zero"
        yield Less((A + B + C + D) * (B + C - A - D), 0, label)
        for number, what in ((A * A, "A"), (B * B, "B"), ((A * D - B * C) ** 2, "AD - BC")):
            yield Less(0, number, f"{what} is not 0")
        side = [fmpq(k, 2) for k in range(-2, 3)]
        half = [(fmpq(1), z) for z in side] + [(-x, fmpq(1)) for x in side[1:]]
        around = half + [(-x, -z) for x, z in half[1:]]
        values = [g(x, z) for x, z in around if (x, z) not in {(0, 1), (0, -1)}]
        for value in values:
            yield Less(0, value * value, "g is not 0 at a point of the boundary of the square")
        changes = sum(bool(a * b < 0) for a, b in pairwise(values))
        yield Equal(changes, 2, "number of sign changes of g around the square")


@mutant("cubic-turned")
def cubic_turned() -> Iterator[None]:
    """Reverse the sign of D, which gives more arcs."""
    right = cubic

    def wrong() -> list[arb]:
        A, B, C, D = right()
        return [A, B, C, -D]

    with patched(sys.modules[__name__], "cubic", wrong):
        yield
