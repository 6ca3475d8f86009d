"""Paths: the solutions for every C of an interval, by adjacent segments of tau = lambda C.

On a segment the sets of free and bound points do not change, and every condition is affine in tau; it holds
on the segment because it holds at both ends.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from operator import mul, sub
from typing import Any

from .conditions import Affine, Classifier, enclosed_lambda, in_integers, sha256, whole_b
from .kernels import Matrix
from .limits import Rejected, require
from .other_kernels import gram_of_problem
from .reading import (
    CERTIFICATE,
    FLAG,
    PATH,
    POINT,
    OrNull,
    describe_problem,
    integer,
    limit_bits,
    long_number,
    parse,
    quotient,
    read_problem,
    refuse_exact_rbf,
    unlimited_digits,
)

KINDS = ("enters", "leaves", "reaches its bound", "leaves its bound", "holds b", "meets b")
SEGMENT = {
    "lower": quotient,
    "upper": OrNull(quotient),
    **{key: [integer] for key in ("free", "bound")},
    **{key: [quotient] for key in ("u", "v")},
    "b": [POINT],
    "events": [{"kind": KINDS, "point": integer}],
}
SHAPE = {
    "schema": (PATH,),
    "C": {"lower": long_number, "upper": OrNull(long_number)},
    "segments": [SEGMENT],
    "claims": {"hard_margin": (*FLAG, None)},
    **{key: CERTIFICATE[key] for key in ("problem", "lambda", "versions", "sha256")},
}
CHANGES = {  # events by change of the status of a point: alpha = 0 (0), free (1), at its bound (2)
    (0, 1): ("enters",), (1, 0): ("leaves",), (1, 2): ("reaches its bound",), (2, 1): ("leaves its bound",),
    (0, 2): ("enters", "reaches its bound"), (2, 0): ("leaves its bound", "leaves"),
}  # fmt: skip


@dataclass(frozen=True)
class Segment(Classifier):
    """A classifier for every tau between two ends p/q, given as (p, q); the last end may be None."""

    ends: tuple[tuple[int, int], tuple[int, int] | None]
    free: set[int]
    bound: set[int]

    def nonnegative(self, p: int, q: int) -> bool:
        """Return whether p + q tau >= 0 for every tau of the segment."""
        low, high = self.ends
        above = q >= 0 if high is None else p * high[1] + q * high[0] >= 0
        return above and p * low[1] + q * low[0] >= 0

    def vanishes_at_end(self, p: int, q: int) -> bool:
        """Return whether p + q tau is 0 at the upper end, and only there."""
        high = self.ends[1]
        return high is not None and q != 0 and p * high[1] + q * high[0] == 0

    def below_bound(self, i: int) -> Affine:
        """Return delta (omega_i tau - a_i)."""
        return -self.u[i], self.weights[i] - self.v[i]


def read_segment(segment: dict[str, Any], problem: dict[str, Any], R: Matrix) -> Segment:
    """Return the segment in integers: a is u + tau v at free points, omega tau at bound ones, else 0."""
    y, m = problem["y"], len(problem["y"])
    free, bound = ([i - 1 for i in segment[key]] for key in ("free", "bound"))
    listed = all(segment[key] == sorted(set(segment[key])) for key in ("free", "bound"))
    inside = not set(free) & set(bound) and all(0 <= i < m for i in free + bound)
    require(listed and inside, "format", "free and bound must list different points, in increasing order")
    require(
        len(free) == len(segment["u"]) == len(segment["v"]),
        "format",
        "u and v must have one item per free point",
    )
    require(len(segment["b"]) in (1, 2), "format", "b must have one or two ends")
    weights = [omega.as_integer_ratio() for omega in problem["weights"]]
    parts = [segment["u"], segment["v"], weights, *([b["u"], b["v"]] for b in segment["b"])]
    delta, (short_u, short_v, omega, *b) = in_integers(parts, "the denominators of u, v, b of a segment are")
    u, v = [0] * m, [0] * m
    for i in bound:
        v[i] = omega[i]
    for i, p, q in zip(free, short_u, short_v, strict=True):
        u[i], v[i] = p, q
    ends = segment["lower"], segment["upper"]
    return Segment(y, R, delta, u, v, omega, [(p, q) for p, q in b], ends, set(free), set(bound))


def segment_is_optimal(s: Segment) -> None:
    """Check every condition of optimality on the whole segment."""
    # Rocq: Checker.dual_feasible, Checker.balanced_affine, Checker.exact_kkt, Checker.ends_suffice
    low, high = s.ends
    require(high is None or low[0] * high[1] < high[0] * low[1], "segments", "lower is not below upper")
    balanced = sum(map(mul, s.y, s.u)) == sum(map(mul, s.y, s.v)) == 0
    require(balanced, "dual feasibility", "sum y_i a_i is not 0 for every tau")
    for i in s.free:
        inside = s.nonnegative(s.u[i], s.v[i]) and s.nonnegative(*s.below_bound(i))
        require(inside, "dual feasibility", f"alpha_i leaves [0, C_i] at point {i + 1}")
        moving = (0, 0) not in ((s.u[i], s.v[i]), s.below_bound(i))
        require(moving, "stationarity", f"point {i + 1} is not free")
    s.limit_signs([x for end in s.ends if end for x in end])
    for margins in s.margins:
        for i, (p, q) in enumerate(margins):
            if i in s.free:
                require(p == q == 0, "complementarity", f"y_i g_i is not 1 at the free point {i + 1}")
            elif i in s.bound:
                require(s.nonnegative(-p, -q), "complementarity", f"y_i g_i > 1 at the bound point {i + 1}")
            else:
                above = s.nonnegative(p, q)
                require(above, "primal feasibility", f"y_i g_i < 1 but alpha_i < C_i at point {i + 1}")
    tight = [{i for i, margin in enumerate(margins) if margin == (0, 0)} for margins in s.margins]
    whole_b(s.y, s.free, s.bound, tight)


def segment_ends(s: Segment, events: list[dict[str, Any]], following: dict[str, Any]) -> None:
    """Check that the events are the conditions that become equalities at the upper end.

    If no point is free, they are points with y_i g_i = 1 there: some of them if the ends of b meet, else all
    that were not on that margin before. A point whose status changes from this segment to the following one
    may be listed, too.
    """
    free, bound = ({i - 1 for i in following[key]} for key in ("free", "bound"))
    changes = set()
    for i in range(len(s.u)):
        before, after = (i in s.free) + 2 * (i in s.bound), (i in free) + 2 * (i in bound)
        changes |= {(kind, i) for kind in CHANGES.get((before, after), ())}
    found = {(event["kind"], event["point"] - 1) for event in events}
    require(len(found) == len(events) > 0, "events", "there is no event, or an event is listed twice")
    if s.free:
        seen = set()
        for i, margin in enumerate(s.margins[0]):
            if i in s.free:
                seen |= {("leaves", i)} if s.vanishes_at_end(s.u[i], s.v[i]) else set()
                seen |= {("reaches its bound", i)} if s.vanishes_at_end(*s.below_bound(i)) else set()
            elif s.vanishes_at_end(*margin):
                seen.add(("leaves its bound" if i in s.bound else "enters", i))
        require(seen <= found <= seen | changes, "events", "the events are not those at the upper end")
        return
    kind = "meets b" if s.vanishes_at_end(*map(sub, s.b[-1], s.b[0])) else "holds b"
    touching = {(kind, i) for i in range(len(s.u)) if any(s.vanishes_at_end(*end[i]) for end in s.margins)}
    always = {(kind, i) for i in range(len(s.u)) if any(end[i] == (0, 0) for end in s.margins)}
    require(found <= touching | always | changes, "events", "a point does not limit b at the upper end")
    complete = touching <= found if kind == "holds b" else bool(found & (touching | always))
    require(complete, "events", "a point that limits b at the upper end is not listed")


def whole_path(data: dict[str, Any]) -> str:
    """Check that the segments lead from C.lower to C.upper, each beginning where the one before ends."""
    segments, lam = data["segments"], data["lambda"]
    require(len(segments) > 0, "segments", "there are no segments")
    for k, (one, other) in enumerate(pairwise(segments), 1):
        (p, q), (r, s) = one["upper"] or (1, 0), other["lower"]
        require(p * s == r * q, "segments", f"segment {k + 1} does not begin where segment {k} ends")
    (p, q), last = segments[0]["lower"], segments[-1]["upper"]
    low, high = data["C"]["lower"], data["C"]["upper"]
    require(low >= 0 and (high is None or high > low), "segments", "C.lower and C.upper are not an interval")
    start = lam["lower"] * low
    begins = 0 <= p * start.denominator <= q * start.numerator
    require(begins, "segments", "the first segment begins after lambda C.lower")
    stop = None if high is None else lam["upper"] * high
    runs = last is None or (stop is not None and last[0] * stop.denominator >= last[1] * stop.numerator)
    require(runs, "segments", "the last segment does not reach lambda C.upper")
    return f"{len(segments)}, each beginning where the one before ends"


@unlimited_digits()
def read_path(path: Any) -> dict[str, Any]:
    """Return the path with every number read and in its range."""
    data = parse(path, SHAPE, "path")
    limit_bits(data)
    problem = read_problem(data["problem"])
    refuse_exact_rbf(problem, exact=True)
    found: dict[str, Any] = data | {"problem": problem}
    return found


def check_path(path: dict[str, Any], progress: Callable[[str], object] = str) -> dict[str, Any]:
    """Check that each segment is optimal for every C in it, and that there are no gaps."""
    data = read_path(path)
    problem, segments = data["problem"], data["segments"]
    proved = {"lambda": enclosed_lambda(problem, **data["lambda"]), "segments": whole_path(data)}
    R = gram_of_problem(problem, data["lambda"]["bits"])
    for k, segment in enumerate(segments, 1):
        progress(f"segment {k} of {len(segments)}")
        try:
            s = read_segment(segment, problem, R)
            segment_is_optimal(s)
            if k < len(segments):
                segment_ends(s, segment["events"], segments[k])
        except Rejected as error:
            error.args = (str(error).replace(": ", f": segment {k}: ", 1),)
            raise
    require(not segments[-1]["events"], "events", "the last segment has an event")
    proved["dual feasibility"] = "0 <= alpha_i <= C_i, sum y_i alpha_i = 0"
    proved["stationarity"] = "w = sum alpha_i y_i Phi(x_i) by definition; the active sets are correct"
    proved["primal feasibility"] = "y_i g_i >= 1 if alpha_i < C_i"
    proved["complementarity"] = "y_i g_i = 1 if 0 < alpha_i < C_i, y_i g_i <= 1 if alpha_i = C_i"
    proved["events"] = "correct at the end of each segment"
    hard = all(s.margins[0][i] == (0, 0) for i in s.bound) if segments[-1]["upper"] is None else None
    require(
        data["claims"]["hard_margin"] is hard,
        "claims",
        "hard_margin must be null, or whether no point has slack",
    )
    proved["claims"], proved["sha256"] = "proved", sha256(path)
    found = {"problem": describe_problem(path["problem"]), "level": "exact", "conditions": proved}
    result: dict[str, Any] = (
        found | {"w_error": "0", "segments": len(segments), "C": path["C"]} | path["claims"]
    )
    return result
