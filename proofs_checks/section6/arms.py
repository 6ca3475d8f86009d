"""Claims of section 6.1 that a double spiral needs coupling between its coordinates, decided for whole arms.

The arms are r (cos t, sin t) with r = t/t_max, from t = start to t_max = start + 2 pi turns, and its
negative. Two certificates answer whether some f_1(x_1) + f_2(x_2) is positive on one arm and negative on the
other: an odd additive polynomial that is positive on the whole arm, evaluated in balls; or a closed path of
points, alternately on the two arms, in which neighbours share x_2 and x_1 by turns. On such a path the
values with alternating signs have the sum 0. That a path exists is proved by Newton's method on intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import arb, arb_mat, fmpq

from orca_exact.numbers.rationals import QQ, precision_digits

from ..ledger.claims import FAILS, FINITE, HOLDS, Holds, Note, Unknown, claim, not_checkable
from ..ledger.mutants import replacing
from ..linear_program import positive_combination

DIGITS = 40
HALF_TURN, QUARTER_TURN = fmpq(1), fmpq(1, 2)  # angles in units of pi
DEGREES = (1, 3, 5, 7)
SAMPLES, NARROWEST = 400, fmpq(1, 10**6)
Arm = tuple[fmpq, fmpq]  # start in units of pi, and number of turns


def one_and_a_half(start: fmpq) -> Arm:
    """Return an arm of one and a half turns that begins at an angle, in units of pi."""
    return start, fmpq(3, 2)


def angle(arm: Arm, share: fmpq) -> arb:
    """Return the angle at a share of the way along an arm."""
    start, turns = arm
    return arb.pi() * arb(start + 2 * turns * share)


def point(arm: Arm, t: arb) -> tuple[arb, arb]:
    """Return the point of the first arm at an angle."""
    r = t / angle(arm, fmpq(1))
    return r * t.cos(), r * t.sin()


# A polynomial that separates.


def additive_polynomial(arm: Arm) -> list[fmpq] | None:
    """Return coefficients of x_1, x_1^3, ... and x_2, x_2^3, ... that a linear program proposes."""
    rows = []
    for k in range(SAMPLES + 1):
        x, z = (QQ(f"{float(v):.9f}") for v in point(arm, angle(arm, fmpq(k, SAMPLES))))
        rows.append([v**degree for v in (x, z) for degree in DEGREES])
    return positive_combination(rows)


def positive_on_arm(coefficients: list[fmpq], arm: Arm) -> bool:
    """Return whether the polynomial is proved to be positive at every point of the arm."""
    size = len(DEGREES)
    first, second = ([arb(c) for c in part] for part in (coefficients[:size], coefficients[size:]))
    pieces = [(fmpq(0), fmpq(1))]
    while pieces:
        low, high = pieces.pop()
        x, z = point(arm, angle(arm, low).union(angle(arm, high)))
        if _odd(first, x) + _odd(second, z) > 0:
            continue
        if high - low < NARROWEST:
            return False
        middle = (low + high) / 2
        pieces += [(low, middle), (middle, high)]
    return True


def _odd(coefficients: list[arb], x: arb) -> arb:
    """Return c_0 x + c_1 x^3 + ... by Horner's rule in x^2."""
    total = arb(0)
    for c in reversed(coefficients):
        total = total * x * x + c
    return total * x


# A closed path that excludes every additive function.


def closed_path(near: tuple[float, ...], arm: Arm, what: str) -> Holds | Unknown:
    """Return that a closed path exists near these angles, and whether it lies on the arm.

    The points are on the first arm and the second by turns. Those on the second are the negatives of points
    of the first, so neighbours have opposite coordinates there.
    """
    width = fmpq(1, 10**9)
    with precision_digits(DIGITS):
        middle = [arb(QQ(repr(t))) for t in near]
        step = None
        for _ in range(6):  # Newton's method on the midpoints
            if (step := _solve(middle, middle)) is None:
                break
            middle = [(t - s).mid() for t, s in zip(middle, step, strict=True)]
        box = [t + arb(0, width) for t in middle]
        step = step and _solve(box, middle)
        distinct = all(bool(abs(s - t) > 4 * width) for i, s in enumerate(middle) for t in middle[:i])
        if step is None or not distinct or not all(bool(abs(s) < width) for s in step):
            return Unknown(f"{what}: Newton's method on intervals proves no closed path")
        first, last = angle(arm, fmpq(0)), angle(arm, fmpq(1))
        if any(bool(t < first) or bool(t > last) for t in box):
            return Holds(False, f"{what}: the closed path of {len(near)} points leaves the arms")
        if not all(bool(first < t) and bool(t < last) for t in box):
            return Unknown(f"{what}: a point of the closed path is too near an end of its arm")
        return Holds(True, f"{what}: a closed path of {len(near)} points lies on the arms")


def _solve(box: list[arb], middle: list[arb]) -> list[arb] | None:
    """Return the Newton step J(box)^-1 F(middle), or None if J is not proved to be invertible.

    F contains x_2 at the points 1 and 2, x_1 at 2 and 3, and so on, added; the last sum closes the path.
    """
    size = len(box)
    F = arb_mat(size, 1)
    J = arb_mat(size, size)
    for i in range(size):
        for k in (i, (i + 1) % size):
            t, at = box[k], middle[k]
            J[i, k] = t.sin() + t * t.cos() if i % 2 == 0 else t.cos() - t * t.sin()
            F[i, 0] = F[i, 0] + (at * at.sin() if i % 2 == 0 else at * at.cos())
    try:
        found = J.solve(F)
    except ZeroDivisionError:
        return None
    return [found[i, 0] for i in range(size)]


# Angles near those of a closed path, for an arm that contains them.
FOUR_POINTS = (9.567255031977584, 2.589266677864926, 7.558036031359644, 11.914360057054237)
SIX_POINTS = (
    11.903272424349613, 7.5900417453978255, 8.100917091143875,
    11.841034977176438, 9.165869689527613, 9.669905700867636,
)  # fmt: skip


def paths() -> dict[str, tuple[Arm, tuple[float, ...]]]:
    """Return arms on which a closed path exists, with the angles near which it is."""
    return {
        "two turns from the angle pi/2": ((QUARTER_TURN, fmpq(2)), FOUR_POINTS),
        "one and a half turns from the angle pi": (one_and_a_half(HALF_TURN), SIX_POINTS),
    }


# Use an arm that does not contain the points of the path.
replacing(
    "arms-without-path", __name__, "paths",
    lambda: {"one and a half turns from 0": (one_and_a_half(fmpq(0)), SIX_POINTS)},
)  # fmt: skip


def separable_arm() -> Arm:
    """Return an arm that an additive polynomial of degree 7 separates from its negative."""
    return one_and_a_half(QUARTER_TURN)


# Use the arm that has a closed path.
replacing("arm-with-path", __name__, "separable_arm", lambda: one_and_a_half(HALF_TURN))


def separation(expected: bool) -> Holds | Unknown:
    """Return that some f_1 + f_2 separates the arms, or that none does, by one of the two certificates."""
    arm = separable_arm()
    with precision_digits(DIGITS):
        found = additive_polynomial(arm)
        if found is not None and positive_on_arm(found, arm):
            what = "an additive polynomial of degree 7 is positive on one whole arm and negative on the other"
            return Holds(expected, what)
    path = closed_path(SIX_POINTS, arm, "arms")
    if path.decide() == HOLDS:
        return Holds(not expected, "a closed path of six points lies on the arms")
    return Unknown("neither certificate was found")


_ARMS: dict[str, Any] = {"place": "section 6.1, line 1124"}
not_checkable(
    "disc-coupling",
    "section 6.1, line 1124",
    "a double spiral cannot be separated without coupling the two coordinates",
    "the paper does not say where its spiral begins. Two turns require coupling, and so do one and a half "
    "from the angle pi (disc-coupling/required); one and a half turns from the angle pi/2 do not "
    "(disc-coupling/every). Table 1 does not confirm it: its OKC^(2) for n >= 5 is near n/(n+2), the share "
    "by number of modes (disc-concentrates/modes)",
    reading="'a double spiral' is that of the paper, of about one and a half turns, as two curves",
)


@claim(
    "disc-coupling/required",
    statement="disc-coupling",
    title="no f_1(x_1) + f_2(x_2) separates the arms of two turns from pi/2, or of one and a half from pi",
    latex=r"\nexists f_1,f_2:\ f_1+f_2>0\text{ on one arm},\ f_1+f_2<0\text{ on the other}",
    plain="There is a closed path of four points (two turns) or six (one and a half), alternately on the two "
    "arms, in which neighbours share x_2 and x_1 by turns. The values f_1 + f_2 on it, with alternating "
    "signs, have the sum 0.",
    reading="for some double spirals: all functions of one coordinate, whole arms",
    scope="Archimedean arms r = t/t_max; the paths are enclosed in balls by Newton's method on intervals",
    second_route="a search for sign changes along the arm, in float64, finds the same paths",
    kills=("arms-without-path",),
    extent=FINITE,
    **_ARMS,
)
def coupling_required() -> Iterator:
    for what, (arm, near) in paths().items():
        yield closed_path(near, arm, f"arms of {what}")


claim(
    "disc-coupling/every",
    statement="disc-coupling",
    title="no f_1(x_1) + f_2(x_2) separates the arms of any double spiral of one and a half turns",
    latex=r"\nexists f_1,f_2:\ f_1+f_2>0\text{ on one arm},\ f_1+f_2<0\text{ on the other}\ \ \forall\text{ "
    r"starts}",
    plain="For arms that begin at the angle pi/2 an additive polynomial of degree 7 is positive on one arm "
    "and, being odd, negative on the other.",
    reading="'inherently requires' is about every double spiral of about one and a half turns",
    scope="counterexample: Archimedean arms r = t/t_max from pi/2, evaluated in balls along the whole arm",
    second_route="the polynomial at 401 points of the arm, for which the linear program chose it",
    kills=("arm-with-path",),
    expect=FAILS,
    severity="imprecise wording",
    correction="disc-coupling-corrected",
    **_ARMS,
)(lambda: separation(False))


@claim(
    "disc-coupling-corrected",
    title="whether a double spiral of one and a half turns requires coupling depends on where it begins: "
    "from pi it does, from pi/2 it does not",
    latex=r"\exists f_1,f_2\ (t_0=\pi/2),\quad\nexists f_1,f_2\ (t_0=\pi)",
    plain="From pi/2 an additive polynomial of degree 7 separates the arms; from pi a closed path of six "
    "points excludes every f_1 + f_2.",
    scope="Archimedean arms r = t/t_max of one and a half turns, evaluated in balls",
    second_route="the two certificates exclude each other",
    kills=("arm-with-path",),
    extent=FINITE,
    **_ARMS,
)
def depends_on_start() -> Iterator:
    yield separation(True)
    yield closed_path(SIX_POINTS, one_and_a_half(HALF_TURN), "arms from the angle pi")
    yield Note("the points that the paper uses are not given")
