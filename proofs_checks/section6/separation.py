"""Claims about classifying every point correctly: our double spiral, and the echocardiogram records."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from flint import fmpq

from ..experiments.optima import Certified
from ..ledger.claims import FINITE, Equal, Holds, Less, Unknown, claim
from ..ledger.mutants import mutant, patched, replacing
from ..linear_program import Matrix, excludes, farkas_weights, positive_combination, smallest_value
from . import facts, spiral, values
from .values import ECHO, FAMILY, SPIRAL, certified_value, increasing, row_degrees, table_name

LARGE = (8, 12, 14, 16)
Features = list[tuple[int, int]]
Arm = list[tuple[fmpq, fmpq]]


def first_arm() -> Arm:
    """Return the points with label 1; the others are their antipodes."""
    return [(x, z) for x, z, y in spiral.points() if y == 1]


def odd_features(n: int) -> Features:
    """Return the exponents a, b <= n of odd degree, since the odd part of a separator also separates."""
    return [(a, b) for a, b in product(range(n + 1), repeat=2) if (a + b) % 2]


def values_on(arm: Arm, features: Features) -> Matrix:
    """Return the monomials x_1^a x_2^b at the points of an arm."""
    return [[x**a * z**b for a, b in features] for x, z in arm]


def farkas(features: Features, arm: Arm) -> list[fmpq] | None:
    """Return weights v with sum_i v_i g(x_i) = 0 for every g in the span of the features, or None.

    If they are nonnegative and not all 0, g cannot be positive on the whole arm.
    """
    return farkas_weights(values_on(arm, features))


def refutes(features: Features, arm: Arm, what: str) -> Iterator:
    """Yield that no combination of the features separates, by exact weights or a counterexample."""
    weights = farkas(features, arm)
    if weights is not None and excludes(weights, values_on(arm, features)):
        yield Holds(
            True,
            f"{what}: there are weights v >= 0, not all 0, with sum v g = 0 for all "
            f"{len(features)} monomials g",
        )
        return
    w = separator(features, arm)
    if w is not None and (least := smallest_value(w, values_on(arm, features))) > 0:
        yield Less(least, fmpq(0), f"{what}: smallest value of a separator on the arm", strict=False)
    else:
        yield Unknown(f"{what}: exact arithmetic confirms none of the proposals of the linear programs")


def separator(features: Features, arm: Arm) -> list[fmpq] | None:
    """Return rational coefficients, from a linear program that maximises the smallest value on the arm."""
    return positive_combination(values_on(arm, features))


@mutant("arm-cut-off")
def arm_cut_off() -> Iterator[None]:
    """Keep only the outer quarter of the arm, which a line separates from its antipode."""
    right = first_arm()
    with patched(sys.modules[__name__], "first_arm", lambda: right[-40:]):
        yield


@claim(
    "spiral-low-degree",
    place="section 6.1, line 759",
    title="no polynomial of degree <= 4 in each variable separates the spiral",
    latex=r"\exists v\ge0,\ v\ne0:\ \sum_iv_i\,g(\mathbf{x}_i)=0\ \ \forall g\in\mathcal{H}_4^{(2)}\text{ "
    r"odd}",
    plain="There are nonnegative weights v on one arm with sum v_i g(x_i) = 0 for every odd g of the space, "
    "so g > 0 on that arm is impossible. Odd functions suffice: if g separates odd data, so does (g(x) - "
    "g(-x))/2.",
    scope=f"computed exactly for n = 1, 2, 3, 4 (n = 8 separates: n8-clean); {FAMILY}",
    second_route="bound support vectors at n <= 3",
    kills=("arm-cut-off",),
    extent=FINITE,
)
def low_degree() -> Iterator:
    for n in (1, 2, 3, 4):
        yield from refutes(odd_features(n), first_arm(), f"n = {n}")


@mutant("one-bound-vector")
def one_bound_vector() -> Iterator[None]:
    """Add a support vector at C, which a certificate of these classifiers must not have."""
    right = values.result

    def wrong(id: str, n: int) -> Certified:
        found = right(id, n)
        return replace(found, facts=found.facts | {"bound": found.facts["bound"] + 1})

    with patched(values, "result", wrong):
        yield


@claim(
    "n8-clean",
    place="section 6.1, line 876",
    title="for n = 8, 12, 14, 16 every training point is classified correctly",
    latex=r"y_i\,g(\mathbf{x}_i)\ge1\ \ \forall i",
    plain="No support vector is at C, so all margins are at least 1; this is certified. For n <= 5 some "
    "points lie inside the margin.",
    scope=FAMILY,
    second_route="Figure 1",
    kills=("one-bound-vector",),
    group="spiral-family",
    extent=FINITE,
)
def n8_clean() -> Iterator:
    for id, n in product(SPIRAL, LARGE):
        facts = values.result(id, n).facts
        label = f"{values.table_name(id)}, n = {n}: bound support vectors, and strictness"
        yield Equal([facts["bound"], facts["strict"]], [0, True], label)


def least_n() -> int:
    """Return the n from which on every record is classified correctly, for the three weights."""
    return 5


replacing("rows-with-errors", __name__, "least_n", lambda: 1)


@claim(
    "abs-accuracy",
    place="abstract, line 65",
    title="classifiers with the same accuracy have different indices: for n >= 5 all 61 records are "
    "classified correctly, and OKC^(5) grows with n in each of Tables 4 to 6",
    latex=r"y_i\,g(\mathbf{x}_i)\ge1\ \forall i,\ n\ge5,\qquad\mathrm{OKC}^{(5)}\uparrow",
    plain="So the indices are not a function of the accuracy. The paper prints no accuracy; on the records "
    "used for training it is 1 in these 21 rows, because no support vector is at C.",
    reading="'not captured by accuracy' means that the same accuracy allows different indices; the accuracy "
    "is that on the training data, since the paper has no others",
    scope="the 61 echocardiogram records, certified classifiers",
    second_route="OKC^(5) as printed in Tables 4 to 6",
    kills=("rows-with-errors",),
    extent=FINITE,
    needs="echocardiogram",
)
def same_accuracy() -> Iterator:
    for id in ECHO:
        rows = [n for n in row_degrees(id) if n >= least_n()]
        bound = dict(zip(row_degrees(id), facts.bound_counts()[id], strict=True))
        for n in rows:
            yield Equal(bound[n], 0, f"{table_name(id)}, n = {n}: support vectors at C")
        shares = {n: certified_value(id, n, "OKC^(5)") for n in rows}
        yield from increasing(shares, f"{table_name(id)}: OKC^(5)")
