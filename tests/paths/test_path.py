"""Tests of the path against ``certify`` at single C: anywhere, at breakpoints and close to them."""

from __future__ import annotations

from copy import deepcopy
from itertools import chain, pairwise
from random import Random

import pytest
from by_hand import rejecting_calls, rejection
from flint import arb, ctx, fmpq, fmpq_poly

from orca_exact import RBF, Problem, certify, orca, path
from orca_exact.checker import Rejected, check
from orca_exact.errors import BadInput, NotANumber, TooLarge, Undecided, ZeroClassifier
from orca_exact.files.formats import add_digest
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, contains, midpoint, precision_digits, to_float
from orca_exact.paths import pivot, quadratics
from orca_exact.paths.pivot import Balls, Basis, Rationals
from orca_exact.paths.places import Surd, compare, enclose, is_narrow, place_in_tau
from orca_exact.paths.quadratics import (
    IndexStep,
    Quadratic,
    chain_cells,
    join_steps,
    quadratic_roots,
    split_interval,
)
from orca_exact.profile.indices import INDICES
from orca_exact.profile.support import Support
from orca_exact.svm.gram import gram_ratio
from orca_exact.svm.tau import Ratio
from proofs_checks.experiments.tables import count_decimals, rounded, same_print, same_print_interval

SMALL = fmpq(1, 10**9)
GRIDS = (1, 2, 4, 50)
LEVELS = ("ball", "exact")
X = [["-0.9"], ["-0.5"], ["-0.1"], ["0.2"], ["0.4"], ["0.8"]]
EXAMPLE = Problem(X, [1, -1, 1, -1, -1, 1], n=2, alpha=0, beta=0)
UNEVEN = Problem(X, [1, -1, -1, -1, -1, 1], n=2, alpha="1/2", beta=0, C=[1, 2, 1, 1, 1, 1])


def random_problem(seed: int) -> Problem:
    """Return few points on a grid: duplicates, both labels at a point, unequal classes, weights."""
    draw = Random(seed)
    d, n, m, grid = draw.choice((1, 1, 2)), draw.randint(0, 3), draw.randint(2, 6), draw.choice(GRIDS)
    X = [[fmpq(draw.randint(-grid, grid), grid) for _ in range(d)] for _ in range(m)]
    y = [1, -1] + [draw.choice((1, -1)) for _ in range(m - 2)]
    C = [draw.choice((1, 2, fmpq(1, 2))) for _ in y] if draw.random() < 0.3 else 1
    alpha = draw.choice(("0", "0", "0", "1/2"))
    return Problem(X, y, n=n, alpha=alpha, beta="0", C=C, id=f"random {seed}")


def same_w(R, one, other) -> bool:
    """Return whether two certificates have the same w, which is determined by its values at the points."""
    signs = one.problem.signs
    return all((R @ ((one.a - other.a) * signs)).zeros())


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_the_path_has_at_every_C_what_certify_proves_there(first):
    for seed in range(first, first + 20):
        problem, draw = random_problem(seed), Random(-seed)
        R, found = gram_ratio(problem), path(problem, level="exact")
        assert found.segments[0].lower == 0 and found.segments[-1].upper is None
        assert all(one.upper == other.lower > one.lower for one, other in pairwise(found))
        ends = [C if isinstance(C, fmpq) else midpoint(C) for C in breakpoints(found)]
        near = [C * factor for C in ends for factor in (1, 1 - SMALL, 1 + SMALL)]
        for C in [fmpq(draw.randint(1, 10**4), 10**3), *draw.sample(near, min(1, len(near)))]:
            ours, theirs = found.certificate(C), certify(problem.replace(C=C))
            assert same_w(R, ours, theirs), (problem.id, C)
            assert ours.hard_margin == theirs.hard_margin
            assert all(ours.b.bounds()[end] == theirs.b.bounds()[end] for end in (0, -1))
            if theirs.alpha_unique:
                assert (ours.free, ours.bound) == (theirs.free, theirs.bound)


def breakpoints(found):
    return [found.C(segment.upper) for segment in found.segments[:-1]]


# Indices as functions of C.


def value_inside(steps, C):
    """Return the value of the step that contains C in its interior."""
    (found,) = (step for step in steps if step.lower < C and (step.upper is None or step.upper > C))
    return found.value


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_indices_along_the_path_are_those_at_each_C(first):
    for seed in range(first, first + 10):
        problem, draw = random_problem(seed), Random(seed)
        exact, balls = path(problem, level="exact"), path(problem)
        assert len(exact) == len(balls)
        C = fmpq(draw.randint(1, 10**4), 10**3)
        steps = [(found.peak(), found.threshold("0.1")) for found in (exact, balls)]
        try:
            profile = exact.at(C)
        except ZeroClassifier:
            for peaks, thresholds in steps:
                assert value_inside(peaks, C) is None and value_inside(thresholds, C) is None
            continue
        for name, index in INDICES.items():
            for key in draw.sample(list(profile.family(name)), min(3, len(profile.family(name)))):
                value = profile.family(name)[key]
                assert exact.index(name, key)(C) == value, (seed, name, key)
                ball = balls.index(name, key)(C)
                assert ball.overlaps(arb_of(value)), (seed, name, key)
                assert abs(exact.index(name, key)(float(C.p) / float(C.q)) - float(ball)) < 1e-12
                assert index.label_of(key) in repr(exact.index(name, key))
        for peaks, thresholds in steps:
            assert (value_inside(peaks, C), value_inside(thresholds, C)) == (
                profile.peak,
                profile.threshold("0.1")[0],
            ), seed


def test_a_ball_of_C_encloses_the_index_at_each_of_its_members():
    order = path(UNEVEN).order(0), path(UNEVEN).index("degree", 1)
    for f in order:
        wide = f(arb("0.5", "0.1"))
        assert all(wide.contains(f(C)) for C in ("0.41", "1/2", "0.59"))
    with pytest.raises(BadInput, match="not proved to be on the path"):
        order[0](arb(0, 1))
    part = path(UNEVEN, "0.1", 2)
    assert len(part) > 1 and part.order(0)(arb("1.9", "0.05")).overlaps(order[0]("1.9"))
    for C in (arb("0.1", "0.05"), arb("1.99", "0.05")):
        with pytest.raises(BadInput, match="not proved to be on the path"):
            part.order(0)(C)


def test_extrema_bound_every_value_and_are_attained():
    for problem, level in [(EXAMPLE, "exact"), (EXAMPLE, "ball"), (UNEVEN, "exact"), (UNEVEN, "ball")]:
        found = path(problem, level=level)
        for N in range(3):
            f = found.index("degree", N)
            least, most = f.extrema()
            values = [arb_of(f(fmpq(k * k + 1, 300))) for k in range(80)]
            with precision_digits(40):
                assert not any(x < arb_of(least.value) or x > arb_of(most.value) for x in values)
                for end in (least, most):
                    ends = chain(*(C if isinstance(C, tuple) else (C,) for C in end.where))
                    inner = [C for C in ends if C is not None and C > 0]
                    assert all(abs(arb_of(f(C)) - arb_of(end.value)) < 1e-30 for C in inner)


def arb_of(x):
    return x.ball() if isinstance(x, Ratio) else arb(x)


@pytest.mark.parametrize("level", ["exact", "ball"])
def test_F_equals_the_threshold_at_its_breakpoints(level):
    found = path(EXAMPLE.replace(n=4), level=level)
    assert [step.value for step in found.threshold("0.3")] == [2, 3, 4]
    assert [step.value for step in found.peak()] == [2, 4]
    for eps in ("0.5", "0.3"):
        steps = found.threshold(eps)
        assert steps[0].lower == 0 and steps[-1].upper is None
        for one, other in pairwise(steps):
            F = found.index("cumulative", min(one.value, other.value))
            with precision_digits(40):
                assert abs(arb_of(F(one.upper)) - (1 - QQ(eps))) < 1e-30
                assert abs(one.upper - other.lower) < 1e-30


# Steps against exact indices at single C: inside every step and at both ends.

TINY = fmpq(1, 10**43)


def near_pairs(seed: int) -> Problem:
    """Return points that nearly coincide, in pairs with opposite or equal labels."""
    draw = Random(seed)
    d, near = draw.choice((1, 2)), draw.choice((TINY, fmpq(1, 10**6)))
    X, y = [], []
    for _ in range(draw.choice((2, 3))):
        x = [fmpq(draw.randint(-9, 9), 10) for _ in range(d)]
        X += [x, [z + draw.randint(-3, 3) * near for z in x]]
        y += draw.choice(((1, -1), (1, -1), (1, 1), (-1, -1)))
    y[:2] = 1, -1
    C = [draw.choice((1, 2, fmpq(1, 3))) for _ in y] if draw.random() < 0.4 else 1
    alpha = draw.choice(("0", "0", "1/2", "1/3"))
    return Problem(X, y, n=draw.choice((2, 3)), alpha=alpha, beta="0", C=C, id=f"pairs {seed}")


def end_of(C):
    """Return rational bounds of an end."""
    if isinstance(C, fmpq):
        return C, C
    middle, radius = midpoint(C), midpoint(C.rad())
    return middle - radius, middle + radius


def value_stated(steps, C):
    """Return the value that steps give a rational C, or None if w = 0 there."""
    within = []
    for step in steps:
        (_, low), high = end_of(step.lower), (C + 1,) if step.upper is None else end_of(step.upper)
        if step.lower is step.upper and low == C == high[0]:
            return step.value
        if low < C < high[0]:
            return step.value
        if step.lower is not step.upper and C in (low, high[0]):
            within.append(step.value)
    return None if None in within else min(within)


def places_of(steps, draw):
    """Yield rational C inside every step, and those ends that are rational."""
    for step in steps:
        ends = [end for end in (step.lower, step.upper) if isinstance(end, fmpq) and end > 0]
        yield from ends
        if step.lower is not step.upper:
            low = end_of(step.lower)[1]
            high = 3 * low + 1 if step.upper is None else end_of(step.upper)[0]
            assert low < high, "an interval has no rational C inside"
            part = fmpq(draw.randint(1, 99), 100)
            yield low + (high - low) * part
            yield low + (high - low) * part / 10**30


def contiguous(steps, C_from=0, C_to=None):
    assert steps[0].lower == C_from and steps[-1].upper == C_to
    assert all(one.upper is other.lower for one, other in pairwise(steps))
    assert not any(one.lower is one.upper and other.lower is other.upper for one, other in pairwise(steps))


def exactly(problem, C):
    """Return the exact indices at C, or None if w = 0."""
    beside = problem.replace(C=C)
    try:
        return orca(beside, certify(beside), "exact")
    except ZeroClassifier:
        return None


def check_steps(problem, draw, level, C_from=0, C_to=None):
    found = path(problem, C_from, C_to, level=level)
    known = exactly(problem, fmpq(draw.randint(1, 99), 50))
    levels = ["0.1", fmpq(draw.randint(1, 99), 100)]
    if known is not None:  # also levels at, and close to, a value of F(T)
        F = draw.choice(known.cumulative)
        ball = arb_of(F) if isinstance(F, Ratio) else None
        with precision_digits(120):
            F = F if ball is None else midpoint(F.ball(100))
        levels += [x for x in (1 - F, 1 - F + fmpq(1, 10**90), 1 - F - fmpq(1, 10**90)) if 0 <= x <= 1]
    for eps in [None, *levels]:
        steps = found.peak() if eps is None else found.threshold(eps)
        contiguous(steps, C_from, C_to)
        for C in places_of(steps, draw):
            profile = exactly(problem, C)
            value = None
            if profile is not None:
                value = profile.peak if eps is None else profile.threshold(eps)[0]
            assert value_stated(steps, C) == value, (problem.id, level, eps, C)


SEEDS = {random_problem: (3, 16, 45, 51), near_pairs: (2, 21, 34, 40)}


@pytest.mark.parametrize("level", ["exact", "ball"])
@pytest.mark.parametrize("drawing", [random_problem, near_pairs])
def test_every_step_has_the_value_of_the_exact_index(drawing, level):
    for seed in SEEDS[drawing]:
        check_steps(drawing(seed), Random(seed), level)


@pytest.mark.parametrize("alpha", ["0", "1/2", "1/3"])  # lambda rational, sqrt(2) times a rational, neither
def test_steps_of_a_part_of_a_path_begin_and_end_with_it(alpha):
    for level in ("exact", "ball"):
        check_steps(EXAMPLE.replace(alpha=alpha, n=4), Random(1), level, fmpq(1, 7), fmpq(9, 4))


def test_the_exact_place_where_segments_meet_is_kept():
    two, ball, root = fmpq(2), arb(2, 1e-30), Surd(fmpq(0), fmpq(2), 1)
    for left, right in ((two, ball), (ball, two)):
        one = [(fmpq(0), root, 0), (root, root, 0), (root, left, 1), (left, left, 1)]
        parts = [[IndexStep(*cell) for cell in part] for part in (one, [(right, None, 2)])]
        *_, before, at, after = chain_cells(parts)
        assert before.upper is at.lower is at.upper is after.lower is two


@pytest.mark.parametrize("level", LEVELS)
def test_a_value_that_holds_only_where_the_path_begins_has_a_step_of_its_own(level):
    """1 - eps is F(T) at the lower end, and F(T) falls beyond it."""
    F = path(EXAMPLE, level="exact").index("cumulative", 1)
    C = next(C for C in (fmpq(k, 10) for k in range(1, 100)) if F(C) > F(C + SMALL))
    first, second = path(EXAMPLE, C, C + 1, level=level).threshold(1 - F(C))[:2]
    assert (first.lower, first.is_single, first.value) == (C, True, 1)
    assert not second.is_single and second.value > 1


def test_a_value_that_holds_at_a_single_place_has_a_step_of_its_own():
    two, three = fmpq(2), fmpq(3)
    touches = Quadratic(two * two, -2 * two, fmpq(1))  # (tau - 2)^2
    crosses, other = Quadratic(three, fmpq(-1), fmpq(0)), Quadratic(-three, fmpq(1), fmpq(0))
    root = Quadratic(fmpq(-2), fmpq(0), fmpq(1))  # tau^2 - 2
    count = lambda signs: sum(s > 0 for s in signs)  # noqa: E731
    assert join_steps(split_interval(fmpq(0), None, False, [touches], count)) == [
        (0, 2, 1),
        (2, 2, 0),
        (2, None, 1),
    ]
    assert join_steps(split_interval(fmpq(0), None, False, [crosses], count)) == [(0, 3, 1), (3, None, 0)]
    both = join_steps(split_interval(fmpq(0), two, True, [crosses, other, touches, root], count))
    assert [(step.value, step.is_single) for step in both] == [(2, False), (3, False), (2, True)]
    twice = split_interval(fmpq(1), two, False, [root, root.times(-3), root.times(fmpq(5, 7))], count)
    assert [step.value for step in twice] == [1, 0, 2, 2]
    for f in ((arb(4, 1e-20), arb(-4), arb(1)), (arb(-6, 1e-3), arb(1, 1e-3), arb(1))):  # a touch, an end
        with pytest.raises(Undecided):
            split_interval(fmpq(1), two, False, [Quadratic(*f)], count)


@pytest.mark.parametrize("level", ["exact", "ball"])
def test_an_interval_around_C_may_begin_or_end_at_C(level):
    for problem in (EXAMPLE, UNEVEN.replace(alpha=0), random_problem(45)):
        found, exact = path(problem, level=level), path(problem, level="exact")
        share = exact.index("degree", 1)
        for C in (fmpq(2, 3), *breakpoints(exact)[:3]):
            value = share(C)  # so that the condition holds with equality at C

            def at_least(sums, value=value):
                return [sums.family("degree")[1].minus(sums.norm, value)]

            same = found.interval_around(C, at_least)
            low, high = end_of(same.lower)[0], C + 1 if same.upper is None else end_of(same.upper)[1]
            assert same.value == 1 and low <= C <= high, (problem.id, C)
            for beside in (C - SMALL, C + SMALL):
                assert (share(beside) >= value) == (low < beside < high)
            assert found.interval_around(C, lambda sums: [sums.norm.times(-1)]).value == 0


def test_extrema_are_attained_at_all_places_that_are_given_and_nowhere_else():
    for problem in (
        EXAMPLE,
        random_problem(3),
        random_problem(16),
        near_pairs(21),
        Problem(X, EXAMPLE.y, 3, alpha=0, beta=0),
    ):
        found, balls = path(problem, level="exact"), path(problem)
        draw = Random(1)
        if found.sums(0, True) is None:
            continue
        ends = [C for C in breakpoints(found) if isinstance(C, fmpq)]
        sample = [*ends, *(fmpq(draw.randint(1, 4000), draw.randint(1, 2000)) for _ in range(30))]
        for N in range(sum(problem.degrees) + 1):
            f = found.index("degree", N)
            both = f.extrema(), balls.index("degree", N).extrema()
            for side, exact, ball in zip((-1, 1), *both, strict=True):
                assert arb(ball.value).overlaps(arb(exact.value)) and arb(ball.value).rad() < 1e-15
                for C in sample:
                    with precision_digits(60):
                        assert not (arb_of(f(C)) - exact.value) * side > 0
                    attained = f(C) == exact.value if isinstance(exact.value, fmpq) else False
                    assert attained == any(within(C, place) for place in exact.where), (problem, N, C)


def within(C, place):
    if not isinstance(place, tuple):
        return isinstance(place, fmpq) and place == C
    low, high = place
    return low <= C and (high is None or high >= C)


def test_control_points_that_may_be_0_prove_nothing():
    around = arb(0, 1e-30)
    for f in ((around, arb(1), arb(0)), (arb(1), arb(-2), arb(1, 1e-30)), (around, around, arb(1))):
        with pytest.raises(Undecided):  # a root may be at 0, or at 1, or nowhere
            quadratic_roots(Quadratic(*f), fmpq(0), fmpq(2))


def test_an_event_names_every_point_whose_status_changes():
    jumps = 0
    for problem in [*map(random_problem, range(60)), *map(near_pairs, range(30))]:
        for one, other in pairwise(path(problem, level="exact")):
            changed = {*one.free} ^ {*other.free} | {*one.bound} ^ {*other.bound}
            assert changed <= {event.point for event in one.events}, problem.id
            jumps += len(changed) > 1
    assert jumps > 10


# The file: the checker rejects every change.


@pytest.mark.parametrize("first", range(0, 240, 40))
def test_the_checker_accepts_every_path(first):
    for seed in range(first, first + 40):
        found = path(random_problem(seed), level="exact")
        proved = check(found.to_json())
        assert proved["segments"] == len(found) and proved["C"] == {"lower": "0", "upper": None}


def test_a_distant_start_takes_no_more_pivots_than_the_path_to_it(monkeypatch):
    pick = Random(0)
    X = [[str(fmpq(pick.randint(-100, 100), 100)) for _ in range(3)] for _ in range(19)]
    problem = Problem(X, [(-1) ** i for i in range(19)], n=3, alpha=0, beta=0)
    pivots: list[Basis] = []
    turn = pivot._pivot
    monkeypatch.setattr(pivot, "_pivot", lambda *given: pivots.append(given[1]) or turn(*given))

    def count(C_from: int) -> int:
        pivots.clear()
        path(problem, C_from)
        return len(pivots)

    assert count(10**5) <= count(0)


def written(problem: Problem, C_from=0, C_to=None) -> dict:
    return path(problem, C_from, C_to, level="exact").to_json()


def resealed(data: dict) -> dict:
    return add_digest({key: value for key, value in data.items() if key != "sha256"})


def rejected(data: dict) -> str:
    """Return the condition by which the checker rejects the file once it is sealed again."""
    with pytest.raises(Rejected) as error:
        check(resealed(data))
    return error.value.condition


def between(data: dict, k: int) -> str:
    """Return a tau inside segment k."""
    low, high = (QQ(data["segments"][k][end]) for end in ("lower", "upper"))
    return str((low + high) / 2)


def missed_event(data, k):
    """Leave out the next segment and extend the one before it."""
    data["segments"][k] |= {key: data["segments"][k + 1][key] for key in ("upper", "events")}
    del data["segments"][k + 1]


def late_event(data, k):
    tau = between(data, k + 1)
    data["segments"][k]["upper"] = data["segments"][k + 1]["lower"] = tau


def early_event(data, k):
    tau = between(data, k)
    data["segments"][k]["upper"] = data["segments"][k + 1]["lower"] = tau


def gap(data, k):
    data["segments"][k]["upper"] = between(data, k)


def overlap(data, k):
    data["segments"][k + 1]["lower"] = between(data, k)


def exchanged_segments(data, k):
    one, other = data["segments"][k : k + 2]
    for key in ("free", "bound", "u", "v", "b"):
        one[key], other[key] = other[key], one[key]


def exchanged_events(data, k):
    one, other = data["segments"][k : k + 2]
    one["events"], other["events"] = other["events"], one["events"]


def no_event(data, k):
    data["segments"][k]["events"] = []


def a_little_more_a(data, k):
    segment = data["segments"][k]
    if segment["free"]:
        segment["v"][0] = str(QQ(segment["v"][0]) + SMALL)
    else:
        segment["bound"] = segment["bound"][1:]


def a_little_more_b(data, k):
    b = data["segments"][k]["b"][0]
    b["v"] = str(QQ(b["v"]) + SMALL)


CONDITIONS = {"segments", "dual feasibility", "primal feasibility", "complementarity", "events"}
MUTANTS = [
    missed_event, late_event, early_event, gap, overlap, exchanged_segments, exchanged_events, no_event,
    a_little_more_a, a_little_more_b,
]  # fmt: skip


@pytest.mark.parametrize("problem", [EXAMPLE, UNEVEN], ids=["even", "uneven"])
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda f: f.__name__)
def test_a_tampered_path_is_rejected(mutant, problem):
    whole = written(problem)
    assert len(whole["segments"]) >= 4
    for k in range(len(whole["segments"]) - 2):
        data = deepcopy(whole)
        mutant(data, k)
        assert data != whole
        assert rejected(data) in CONDITIONS


@pytest.mark.parametrize("key", ["free", "bound", "events"])
def test_the_numbers_of_points_are_integers(key):
    """No other type is converted to an integer: [1, 1.25, 3] is not the points 1 and 3."""
    whole = written(EXAMPLE)
    k = next(k for k, segment in enumerate(whole["segments"]) if segment[key])
    for wrong in (1.0, 1.25, "1", "1.0", True, None, [1]):
        data = deepcopy(whole)
        if key == "events":
            data["segments"][k][key][0]["point"] = wrong
        else:
            data["segments"][k][key].insert(1, wrong)
        assert rejected(data) == "format"
        if key == "events" and type(wrong) is float:
            data["segments"][k][key][0]["point"] = whole["segments"][k][key][0]["point"] + wrong / 8
            assert rejected(data) == "format"


def refused():
    """Yield one file for each reason to be rejected."""
    even, uneven = written(EXAMPLE), written(UNEVEN, "1/10", 2)
    for mutant in MUTANTS:
        for k in range(3):
            data = deepcopy(even)
            mutant(data, k)
            yield data
    changes: list[tuple[int, dict]] = [
        (1, {"free": [1, 1]}), (1, {"u": []}), (1, {"b": even["segments"][1]["b"] * 3}),
        (1, {"b": even["segments"][1]["b"] * 2}), (0, {"b": even["segments"][0]["b"][:1]}),
        (1, {"upper": even["segments"][1]["lower"]}), (1, {"events": even["segments"][1]["events"] * 2}),
        (0, {"events": [{"kind": "enters", "point": 1}]}), (-1, {"events": [{"kind": "enters", "point": 1}]}),
    ]  # fmt: skip
    for k, change in changes:
        data = deepcopy(even)
        data["segments"][k] |= change
        yield data
    point, first = deepcopy(even), even["segments"][0]
    point["segments"].insert(1, first | {"lower": first["upper"]})
    still = first | {"free": first["bound"][:1], "bound": first["bound"][1:], "u": ["0"], "v": ["1"]}
    yield from (point, even | {"segments": [still, *even["segments"][1:]]})
    yield from (even | change for change in ({"segments": []}, {"claims": {"hard_margin": None}}))
    yield even | {"lambda": even["lambda"] | {"bits": 0}}
    yield from (uneven | {"C": C} for C in ({"lower": "1/11", "upper": "2"}, {"lower": "1", "upper": "1"}))
    yield uneven | {"C": {"lower": "1/10", "upper": None}}
    yield from wrong_limits_of_b()


def wrong_limits_of_b():
    """Yield files whose events without free points are incomplete or of a wrong kind."""
    X = [["1/4"], ["1"], ["-1"], ["3/4"], ["-1/4"], ["-1"]]
    whole = written(Problem(X, [1, -1, 1, -1, 1, -1], n=2, alpha=0, beta=0))
    kinds = [{event["kind"] for event in segment["events"]} for segment in whole["segments"]]
    assert kinds[2] == {"holds b"} and kinds[4] == {"meets b"}
    for k, event in [(2, ("meets b", 1)), (4, ("holds b", 1)), (4, ("leaves its bound", 1))]:
        data = deepcopy(whole)
        data["segments"][k]["events"] = [dict(zip(("kind", "point"), event, strict=True))]
        yield data


def test_events_without_free_points_are_checked():
    for data in wrong_limits_of_b():
        assert rejected(data) == "events"


def test_every_refusal_refuses_a_path():
    places, _ = zip(*(rejection(resealed(data)) for data in refused()), strict=True)
    assert set(rejecting_calls(of_paths=True)) <= set(places)


def test_a_path_proves_no_more_than_it_covers():
    whole = written(UNEVEN, "1/10", 2)
    assert check(whole)["C"] == {"lower": "1/10", "upper": "2"}
    for end, C in [("lower", "1/11"), ("upper", "21/10"), ("upper", None)]:
        assert rejected(whole | {"C": whole["C"] | {end: C}}) == "segments"
    assert rejected(whole | {"claims": {"hard_margin": True}}) == "claims"
    assert rejected(whole | {"problem": UNEVEN.replace(n=3).to_json()}) != "sha256"
    with pytest.raises(Rejected, match="sha256"):
        check(whole | {"versions": {}})


def test_the_hard_margin_is_proved_or_proved_never_to_come():
    assert check(written(EXAMPLE.replace(n=6)))["hard_margin"] is True
    both = Problem([["0"], ["0"], ["1"]], [1, -1, 1], n=2, alpha=0, beta=0)
    assert check(written(both))["hard_margin"] is False


def test_a_path_in_balls_cannot_be_written():
    with pytest.raises(BadInput, match="level='exact'"):
        path(EXAMPLE).to_json()


# Bad input: one line each.


@pytest.mark.parametrize(
    ("ends", "line"),
    [
        ((2, 1), "C: 2.00000 to 1.00000 is not an interval; take a lower end below the upper end"),
        ((1, 1), "C: 1.00000 to 1.00000 is not an interval; take a lower end below the upper end"),
        ((-1, None), "lower end of C: -1.00000 is negative; take 0 or a positive number"),
        ((0, float("nan")), "upper end of C: nan is not a finite number; write an integer, "),
        (("oo", None), "lower end of C: 'oo' is not a finite number; write an integer, "),
    ],
)
def test_bad_intervals_are_refused(ends, line):
    with pytest.raises(BadInput) as error:
        path(EXAMPLE, *ends)
    assert str(error.value).startswith(line)


def test_a_C_off_the_path_and_an_unknown_index_are_refused():
    found = path(EXAMPLE, 1, 2)
    for C in ("1/2", 3, 0, -1):
        with pytest.raises(BadInput, match=r"is not on the path from 1\.00000 to 2\.00000"):
            found.at(C)
    for name, key in [("orders", 1), ("order", 7), ("degree", -1), ("even", 3)]:
        with pytest.raises(BadInput):
            found.index(name, key)
    with pytest.raises(BadInput, match="level: 'float' is unknown"):
        path(EXAMPLE, level="float")
    with pytest.raises(BadInput, match="between 0 and 1"):
        found.threshold(2)
    with pytest.raises(BadInput, match="X: 2001 points is more than 2000; take a sample"):
        path(Problem([["0"]] * 2001, [1, *[-1] * 2000], n=2000, alpha=0, beta=0))
    with pytest.raises(BadInput, match="X: 2001 points is more than 2000; take a sample"):
        path(Problem([["0"]] * 2001, [1, *[-1] * 2000], kernel=RBF(1)))


def test_if_w_is_0_no_index_is_defined():
    both = Problem([["-1"], ["-1"], ["1"], ["1"]], [1, -1, 1, -1], n=2, alpha=0, beta=0)
    for level in ("ball", "exact"):
        found = path(both, level=level)
        assert [step.value for step in found.peak()] == [None]
        with pytest.raises(ZeroClassifier):
            found.order(1)(1)
        with pytest.raises(ZeroClassifier):
            found.order(1).extrema()


# Larger problems, balls, and parts of a path.


def cloud(m: int = 26, n: int = 2) -> Problem:
    draw = Random(m)
    X = [[fmpq(draw.randint(-99, 99), 100) for _ in range(2)] for _ in range(m)]
    y = [1 if to_float(x + z) + draw.gauss(0, 0.6) > 0 else -1 for x, z in X]
    return Problem(X, y, n=n, alpha=0, beta=0)


def test_balls_contain_the_exact_path():
    problem = cloud()
    exact, balls = path(problem, level="exact"), path(problem)
    assert len(exact) == len(balls) > 30
    for one, other in zip(exact, balls, strict=True):
        assert (one.free, one.bound, one.events) == (other.free, other.bound, other.events)
        values = zip([*one.u, *one.v, *sum(one.b, ())], [*other.u, *other.v, *sum(other.b, ())], strict=True)
        assert all(x == y if isinstance(y, fmpq) else contains(y, x) for x, y in values)
        assert one.upper is None or contains(other.upper, one.upper)


def test_rationals_decide_what_balls_do_not():
    rational = []
    for seed in range(60):
        exact, balls = path(random_problem(seed), level="exact"), path(random_problem(seed))
        for one, other in zip(exact, balls, strict=True):
            assert (one.free, one.bound, one.events) == (other.free, other.bound, other.events)
            rational.append(isinstance(other.lower, fmpq) and other.lower != 0)
    assert 10 < sum(rational) < len(rational) - 60 - 10  # both fields were used


def test_a_bad_proposal_does_not_change_the_path(monkeypatch):
    problem = cloud(12)
    twice = Problem([*problem.X, *problem.X], [*problem.y, *problem.y], n=2, alpha=0, beta=0)
    usual = path(twice, level="exact").to_json()
    dependent, other = Basis((0, 12), frozenset()), Basis((5,), frozenset(range(5)))
    for basis in (dependent, other, None):
        monkeypatch.setattr("orca_exact.paths.segments._proposed", lambda *_, basis=basis: basis)
        found = path(twice, level="exact").to_json()
        check(found)
        assert [s["upper"] for s in found["segments"]] == [s["upper"] for s in usual["segments"]]


def test_a_part_of_a_path_is_that_part_of_the_whole():
    for problem in (cloud(), UNEVEN):
        whole = path(problem, level="exact")
        part = path(problem, "1/3", 2, level="exact")
        assert (part.C_from, part.C_to) == (QQ("1/3"), 2) and len(part) > 2
        inner = [segment for segment in whole if part.segments[0].upper <= segment.lower and segment.upper]
        for one, other in zip(part.segments[1:-1], inner, strict=False):
            assert one.to_json() == other.to_json()
        for C in ("1/3", "1/2", 2):
            assert part.certificate(C).norm2.overlaps(whole.certificate(C).norm2)


def test_repr_fits_on_one_screen():
    found = path(cloud())
    lines = repr(found).splitlines()
    assert len(lines) == 21 and lines[-1] == f"  and {len(found) - 19} more segments"
    first, *_, last = path(EXAMPLE)
    why = "point 1 reaches its margin, point 4 reaches its margin"
    assert repr(first) == f"<Segment tau 0 to 0.205357: 0 free, 6 bound; {why}>"
    assert repr(last) == "<Segment tau 1.10844 to oo: 3 free, 2 bound>"


def test_a_row_is_printed_the_same_exactly_in_the_stated_interval():
    problem = EXAMPLE.replace(n=4)
    printed = {"even": "0.00", "OKC^(1)": "0.0", "OKC_1": "0.000", "N*": "2", "T_0.10": "4", "T_0.30": "2"}

    def row(C):
        profile = orca(problem.replace(C=C), found.certificate(C), "ball")
        cells = dict(profile.listed_values(1)) | {"N*": profile.peak}
        cells |= {f"T_{eps}": profile.threshold(eps)[0] for eps in ("0.10", "0.30")}
        return [rounded(cells[column], count_decimals(number)) for column, number in printed.items()]

    for level in ("ball", "exact"):
        found = path(problem, level=level)
        same = same_print(found, printed, "3/2")
        low, high = (midpoint(arb(end)) for end in same[:2])
        assert same.value == 1 and low < QQ("3/2") < high
        assert row(low * (1 + SMALL)) == row("3/2") == row(high * (1 - SMALL))
        assert row(low * (1 - SMALL)) != row("3/2") != row(high * (1 + SMALL))
    assert same_print(found, {"N*": "2"}, 10).upper is None  # the hard margin
    table = {"columns": list(printed), "rows": [{"n": 4, "cells": list(printed.values())}], "C": "3/2"}
    for _ in range(2):  # the second time from the cache
        below, above = map(QQ, same_print_interval(table, 4, problem))
        assert low < below < low * fmpq(10001, 10000) and high * fmpq(9999, 10000) < above < high


BALLS_DO_NOT_DECIDE = {
    "w = 0 with free points": ([["0"], ["-1"], ["1"]], [-1, 1, 1], 1, 1),
    "points that nearly meet": (
        [["0"], ["1/1" + "0" * 30], ["-3/1" + "0" * 30], ["0"]], [-1, 1, 1, 1], 2, ["1", "2/7", "0.5", "5/7"],
    ),
    "a quotient of balls around 0": (
        [["0", "-0.8"], ["0.2", "-0.8"], ["1", "0.6"], ["0.4", "0"], ["1", "0.3"], ["0.7", "0.7"]],
        [-1, 1, 1, 1, 1, 1], 1, ["1.5", "1", "2", "0.5", "5", "3/7"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BALLS_DO_NOT_DECIDE)
def test_indices_that_balls_do_not_decide(name):
    X, y, n, C = BALLS_DO_NOT_DECIDE[name]
    problem = Problem(X, y, n, 0, 0, C)
    found, exact = path(problem), path(problem, level="exact")
    if exact.sums(0, True) is None:
        with pytest.raises(ZeroClassifier):
            found.order(1).extrema()
        return
    for q in range(1, problem.d + 1):
        for ball, truth in zip(found.order(q).extrema(), exact.order(q).extrema(), strict=True):
            assert arb(ball.value).overlaps(arb(truth.value))
    assert [step.value for step in found.peak()] == [step.value for step in exact.peak()]


def test_a_root_that_balls_do_not_decide_is_not_left_out():
    zero, around, one = arb(0), arb(0, 1e-10), fmpq(1)
    for f in ((around, around, zero), (around, zero, zero), (zero, zero, around)):
        with pytest.raises(Undecided):
            quadratic_roots(Quadratic(*f), one, None)
    assert quadratic_roots(Quadratic(zero, zero, zero), one, None) == []
    assert quadratic_roots(Quadratic(fmpq(-4), fmpq(0), fmpq(1)), one, None) == [2]
    assert quadratic_roots(Quadratic(fmpq(0), fmpq(-2), fmpq(1)), one, None) == [2]


@pytest.mark.parametrize("side", [-1, 1])
def test_roots_in_balls_do_not_cancel(side):
    """The coefficients have 40 digits, of which a difference of the two roots would leave none."""
    with precision_digits(40):
        roots = quadratic_roots(Quadratic(arb(1), arb(side * 10**50), arb(1)), fmpq(-(10**60)), None)
        assert len(roots) == 2 and all(map(is_narrow, roots))


# Near ties: more digits if these help, else rationals.

FIVE = [["-0.9", "0.1"], ["-0.2", "-0.5"], ["0.3", "0.8"], ["0.8", "-0.7"], ["0.1", "0.2"]]
GAMMA = Problem(FIVE, [1, -1, 1, -1, -1], n=1, alpha="1/2", beta="1/3")
DISTANCE = fmpq(1, 10**90)


def close_to_the_first_breakpoint(problem, side):
    """Return a C at a relative distance of about 1e-90 from the first breakpoint."""
    found = path(problem, level="exact")
    with precision_digits(150):
        C = found.C(found.segments[0].upper)
    return (C if isinstance(C, fmpq) else midpoint(C)) * (1 + side * DISTANCE)


@pytest.fixture
def digits_used(monkeypatch):
    """Return a set that receives the precisions, in digits, with which lambda is enclosed."""
    used, enclose = set(), Problem.lambda_in

    def noted(self, A):
        used.add(ctx.dps)
        return enclose(self, A)

    monkeypatch.setattr(Problem, "lambda_in", noted)
    return used


def test_extrema_of_a_part_whose_ends_are_irrational():
    for alpha, beta in (("1/2", "1/2"), ("1/3", "0"), ("1/2", "0"), ("1/2", "1/3")):
        problem = Problem(FIVE[:4], [1, -1, 1, -1], n=1, alpha=alpha, beta=beta)
        for ends in ((1, 10), (0, 1), (1, None)):
            balls, exact = (path(problem, *ends, level=level).order(1).extrema() for level in LEVELS)
            for ball, truth in zip(balls, exact, strict=True):
                assert arb(ball.value).overlaps(arb(truth.value)) and arb(ball.value).rad() < 1e-20
                assert len(ball.where) == len(truth.where)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_C_close_to_a_breakpoint_takes_more_digits(side, digits_used):
    for problem in (GAMMA, GAMMA.replace(alpha="1/3"), GAMMA.replace(alpha="1/2", beta=0)):
        C = close_to_the_first_breakpoint(problem, side)
        balls, exact = (path(problem, level=level) for level in LEVELS)
        assert balls.locate(C)[1] == exact.locate(C)[1] == (side > 0)
        assert balls.at(C).order[1].overlaps(arb_of(exact.at(C).order[1]))
        assert balls.order(1)(C).overlaps(arb_of(exact.order(1)(C)))
    assert 80 < max(digits_used) < 2000


@pytest.mark.parametrize("beta", ["0", "1/2", "1/3"])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_path_that_begins_close_to_a_breakpoint(side, beta):
    problem = GAMMA.replace(alpha="0" if beta == "0" else "1/2", beta=beta)
    C = close_to_the_first_breakpoint(problem, side)
    for C_to in (2, None):
        balls, exact = (path(problem, C, C_to, level) for level in LEVELS)
        assert balls.order(1)(C).overlaps(arb_of(exact.order(1)(C)))
        for q in (1, 2):
            for ball, truth in zip(balls.order(q).extrema(), exact.order(q).extrema(), strict=True):
                assert arb(ball.value).overlaps(arb(truth.value)) and arb(ball.value).rad() < 1e-20
        assert [step.value for step in balls.peak()] == [step.value for step in exact.peak()]


def test_numbers_that_may_be_equal_are_undecided_quickly(digits_used):
    tau = place_in_tau(GAMMA, fmpq(1, 3))
    value = Ratio(fmpq_poly([0, 1]), fmpq_poly([1]), tau)
    with pytest.raises(Undecided):
        compare(tau, value)
    assert 5000 < max(digits_used) < 25_000
    digits_used.clear()
    for x in (tau, value):  # a fixed ball has no more digits
        with pytest.raises(Undecided):
            compare(x, arb(enclose(tau), 1e-15))
    assert max(digits_used) < 250


def test_rationals_replace_wide_balls():
    near = "-0.9700000000000000000000000000000000000000001"
    X = [["-0.58", "0.28"], ["-0.02", "0.19"], ["-0.6", near], ["-0.6", "-0.97"]]
    problem = Problem(X, [-1, -1, 1, -1], n=4, alpha=0, beta=0)
    found = path(problem)
    assert all(end.value == QQ("15625/70209") for end in found.order(1).extrema())
    assert found.order(1)(1).rad() < 1e-20 and abs(found.order(1)(1) - QQ("15625/70209")) < 1e-20
    assert found.order(1).float_values(0, [1.0])[0] == pytest.approx(15625 / 70209, rel=1e-15)
    for seed in range(40):
        balls, exact = (path(near_pairs(seed), level=level) for level in LEVELS)
        ends = [segment.upper for segment in balls] + [step.upper for step in balls.peak()]
        assert all(end.rad() <= 1e-15 * end.abs_lower() for end in ends if isinstance(end, arb))
        for N in range(3):
            try:
                truth = exact.index("degree", N)(1)
            except ZeroClassifier:
                continue
            assert (ball := balls.index("degree", N)(1)).overlaps(arb_of(truth)) and ball.rad() < 1e-15


def test_a_C_outside_the_range_of_float64():
    problem = GAMMA.replace(alpha=0, beta=0, n=2)
    balls, exact = (path(problem, level=level) for level in LEVELS)
    for C in ("1e-330", "1e330"):
        for ours, truth in zip(balls.at(C).order, exact.at(C).order, strict=True):
            assert arb(ours).overlaps(arb_of(truth))
    with pytest.raises(TooLarge, match="take a larger C"):
        balls.certificate("1e-330")
    with pytest.raises(NotANumber, match="C: '1e999999999' has an exponent that is too large"):
        balls.at("1e999999999")


def test_a_place_too_close_to_the_end_of_the_path_is_a_ball():
    """The least value is attained at a breakpoint that balls do not separate from C_from."""
    columns = (
        ["-0.27", "0.66", "0.39", "0.51", "0.33", "0.68"],
        ["-0.21", "0.32", "0.14", "0.2", "-0.31", "0.55"],
    )
    X = list(zip(*columns, strict=True))
    start = (
        "452452027535472787855491417772321218132093482733003581693896508776471427314212933393552463"
        "71459663/341757925747345613183203472987128338336432723577064443191526657251555156124902488"
        "00367393390985216"
    )
    problem = Problem(X, [-1, 1, 1, 1, -1, -1], n=3, alpha="1/3", beta="0")
    balls, exact = (
        path(problem, start, 10, level).index("block", (2, 4)).extrema()[0] for level in ("ball", "exact")
    )
    ((place,), (true,)) = balls.where, exact.where
    assert place.overlaps(true) and place.rad() > 0


def mirrored(exchange: bool, n: int = 2, measures: tuple = (0, 0)) -> Problem:
    """Return twelve points in pairs x and -x, of different classes if ``exchange``."""
    draw = Random(5)
    half = [[fmpq(draw.randint(-50, 50), 51) for _ in range(2)] for _ in range(6)]
    labels = [1, -1, -1, 1, 1, -1]
    X = half + [[-x for x in point] for point in half]
    y = labels + [-label if exchange else label for label in labels]
    return Problem(X, y, n=n, alpha=measures[0], beta=measures[1])


@pytest.mark.parametrize("exchange", [True, False])
def test_balls_decide_the_ties_of_a_symmetric_problem(exchange, monkeypatch):
    """Mirror images of points reach their bounds together, which balls alone cannot prove."""
    problem = mirrored(exchange)
    truth, solve, solved = path(problem, level="exact"), Rationals._solve, []
    monkeypatch.setattr(Rationals, "_solve", lambda *args: solved.append(args) or solve(*args))
    found, few = path(problem), len(solved)
    with monkeypatch.context() as patch:
        patch.setattr(Balls, "_mirror", None)
        path(problem)
    assert few < len(solved) - few  # systems solved over the rationals, with and without symmetry
    assert [(s.free, s.bound) for s in found] == [(s.free, s.bound) for s in truth]
    assert [set(s.events) for s in found] == [set(s.events) for s in truth]
    assert any(len(s.events) == 2 for s in found if s.free)
    for one, other in zip(found, truth, strict=True):
        assert one.upper is other.upper is None or contains(arb(one.upper), other.upper)


def test_a_mirror_needs_an_even_kernel_equal_weights_and_one_kind_of_pair():
    assert (
        Balls(mirrored(True), 30)._mirror == Balls(mirrored(False), 30)._mirror == [*range(6, 12), *range(6)]
    )
    even = mirrored(True)
    skew = mirrored(True, measures=("1/2", 0))
    mixed = Problem(even.points, [-even.y[0], *even.y[1:]], n=2, alpha=0, beta=0)
    heavy = Problem(even.points, even.y, n=2, alpha=0, beta=0, C=[2] + [1] * 11)
    alone = Problem(even.points[:-1], even.y[:-1], n=2, alpha=0, beta=0)
    twice = Problem([*even.points, even.points[0]], [*even.y, even.y[0]], n=2, alpha=0, beta=0)
    for problem in (skew, mixed, heavy, alone, twice):
        assert Balls(problem, 30)._mirror is None
    assert mirrored(True, n=0, measures=("1/2", 0)).kernel.is_even  # no pi_k but the constant


def test_forms_by_modes_are_those_by_pairs():
    problem = mirrored(False, n=1)
    found = path(problem, level="exact")
    assert isinstance(found._forms(True), quadratics.ModeForms)
    A = arithmetic("exact")
    by_pairs = quadratics.PairForms(problem, Support.from_coefficients(problem, A, A.array([fmpq(1)] * 12)))
    for segment in found:
        one, other = (quadratics.QuadraticSums(f, segment) for f in (found._forms(True), by_pairs))
        assert all(one.family(name) == other.family(name) for name in (*INDICES, "norm"))


@pytest.mark.parametrize("exchange", [True, False])
def test_degrees_that_vanish_by_symmetry_are_decided_in_balls(exchange, monkeypatch):
    problem = mirrored(exchange)
    exact = path(problem, level="exact")
    found = path(problem)
    monkeypatch.setattr(found, "_finest_segment", None)  # nothing is left to the rationals
    for eps in ("0.05", "0.5"):
        steps, truth = found.threshold(eps), exact.threshold(eps)
        assert [step.value for step in steps] == [step.value for step in truth]
    vanishing = 2 if exchange else 1
    assert found.index("degree", vanishing)(1) == 0 == exact.index("degree", vanishing)(1)
    assert found.index("cumulative", 2)(1).overlaps(arb(exact.index("cumulative", 2)(1)))


def test_a_C_beyond_float64_with_dependent_points():
    """Check that free points that are kept at a value may have one above 1.8e308."""
    X = [["0"], ["0"], ["1/2"], ["1/2"], ["-1/2"], ["-1/2"], ["1"], ["1"]]
    found = path(Problem(X, [1, 1, -1, 1, -1, -1, 1, -1], n=1, alpha=0, beta=0))
    assert found.certificate("1e320").level == "ball"
    assert found.at("1e320").order[1].overlaps(arb(1))
