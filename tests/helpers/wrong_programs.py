"""Programs with one mistake each, derived from the program of ``from_the_page``.

A mistake changes the problem (``asked``: the JSON; ``read``: the problem with defaults filled in and every
value a list), the polynomials of one family, the solver, or the result.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
from from_the_page import FAMILIES, each, indices, modes_of, number, program, svm

Program = Callable[[dict], dict]


@lru_cache(maxsize=4096)
def _solved(features: bytes, K: bytes, y: bytes, C: bytes) -> tuple[np.ndarray, float]:
    labels = np.frombuffer(y)
    m = len(labels)
    return svm(
        np.frombuffer(features).reshape(-1, m), np.frombuffer(K).reshape(m, m), labels, np.frombuffer(C)
    )


def solve(features: np.ndarray, K: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[np.ndarray, float]:
    """Solve the dual and cache the solution, since most mistakes do not change most problems."""
    return _solved(*(np.ascontiguousarray(part, dtype=float).tobytes() for part in (features, K, y, C)))


def right(problem: dict, families: dict = FAMILIES) -> dict:
    """Return the result of the program without a mistake."""
    return program(problem, families, solve)


def filled(problem: dict) -> dict:
    """Return the problem with defaults filled in, a list for each field that allows one, and floats.

    The fields of the kernel of version 3 are fields of the problem, which ``program`` accepts.
    """
    floats = lambda part: [number(x) for x in part]  # noqa: E731
    m, d = len(problem["X"]), len(problem["X"][0])
    one = {"family": "jacobi", "alpha": problem.get("alpha"), "beta": problem.get("beta")}
    kernel = problem.get("kernel", problem)
    measures = [
        {
            key: x if key == "family" else floats(x) if isinstance(x, list) else number(x)
            for key, x in J.items()
        }
        for J in each(kernel.get("measures", one), d)
    ]
    for J in measures:
        if J["family"] == "discrete":
            J.setdefault("weights", [1 / len(J["nodes"])] * len(J["nodes"]))
    out = {
        "id": problem["id"], "X": [floats(row) for row in problem["X"]],
        "y": problem["y"], "n": each(kernel["n"], d), "measures": measures, "order": kernel.get("order") or d,
        "C": floats(each(problem.get("C", 1), m)), "rescale": problem.get("rescale", False),
    }  # fmt: skip
    return out | ({"dual": floats(problem["dual"])} if "dual" in problem else {})


def asked(change: Callable[[dict], Any]) -> Program:
    """Return a program that changes the JSON of the problem."""

    def wrong(problem: dict) -> dict:
        own = json.loads(json.dumps(problem))
        change(own)
        return right(own)

    return wrong


def read(change: Callable[[dict], Any]) -> Program:
    """Return a program that changes the problem after defaults are filled in."""

    def wrong(problem: dict) -> dict:
        own = filled(problem)
        change(own)
        return right(json.loads(json.dumps(own, default=lambda x: x.tolist())))

    return wrong


def column(family: str, change: Callable[[np.ndarray], np.ndarray]) -> Program:
    """Return a program that changes the coordinates of one family before evaluating its polynomials."""
    true = FAMILIES[family]
    return lambda problem: right(
        problem, FAMILIES | {family: lambda x, n, **more: true(change(x), n, **more)}
    )


def measure(family: str, change: Callable[[dict], Any]) -> Program:
    """Return a program that changes the parameters of the measures of one family."""

    def every(own: dict) -> None:
        for J in own["measures"]:
            if J["family"] == family:
                J |= change(J)

    return read(every)


def basis(family: str, change: Callable[[Callable, np.ndarray, int, dict], Any]) -> Program:
    """Return a program that computes P_k and h_k by ``change(true, x, n, parameters)``."""
    true = FAMILIES[family]
    return lambda problem: right(problem, FAMILIES | {family: lambda x, n, **more: change(true, x, n, more)})


def capped(family: str, top: int) -> Program:
    """Return a program with p_k = 0 for k > top."""

    def change(true: Callable, x: np.ndarray, n: int, more: dict) -> Any:
        P, h = true(x, n, **more)
        return [p * (k <= top) for k, p in enumerate(P)], h

    return basis(family, change)


def solved(own: Callable) -> Program:
    """Return a program that computes alpha and b by ``own(features, K, y, C)``."""
    return lambda problem: program(problem, FAMILIES, own)


def wrote(change: Callable[[dict, dict], Any]) -> Program:
    """Return a program that changes its result by ``change(problem, result)``."""

    def wrong(problem: dict) -> dict:
        out = json.loads(json.dumps(right(problem), default=lambda x: x.tolist()))
        change(problem, out)
        return out

    return wrong


def index(change: Callable[[dict], Any]) -> Program:
    """Return a program that changes its indices, if it has any."""
    return wrote(lambda problem, out: out["okc"] and change(out["okc"]))


# Numbers


def leaves(change: Callable[[Any], Any]) -> Program:
    """Return a program that changes every number in the JSON of the problem."""

    def walk(x: Any) -> Any:
        if isinstance(x, list):
            return [walk(item) for item in x]
        if isinstance(x, dict):
            return {key: x[key] if key in ("schema", "id", "family", "y", "n") else walk(x[key]) for key in x}
        return x if isinstance(x, bool) else change(x)

    return asked(lambda problem: problem.update(walk(dict(problem))))


def single(x: Any) -> Any:
    """Round to single precision."""
    return np.float32(x).astype(float).tolist()


# Points


def rescaling(change: Callable[[np.ndarray], np.ndarray]) -> Program:
    """Return a program that rescales columns by ``change``."""

    def own(problem: dict) -> None:
        X = np.array(problem["X"])
        for x, J in zip(X.T, problem["measures"], strict=True):
            if J["family"] == "jacobi" and problem["rescale"]:
                x[:] = np.clip(change(x), -1, 1)
        problem |= {"X": X.tolist(), "rescale": False}

    return read(own)


def scaled(x: np.ndarray) -> np.ndarray:
    """Rescale a column correctly."""
    return 2 * (x - x.min()) / (x.max() - x.min()) - 1


def by_support(problem: dict) -> None:
    if problem["rescale"] and "dual" in problem:
        X, used = np.array(problem["X"]), np.array(problem["dual"]) > 0
        for x, J in zip(X.T, problem["measures"], strict=True):
            if J["family"] == "jacobi":
                x[:] = np.clip(2 * (x - x[used].min()) / (x[used].max() - x[used].min()) - 1, -1, 1)
        problem |= {"X": X.tolist(), "rescale": False}


def rescaled_too(family: str) -> Program:
    """Return a program that also rescales the columns of a family whose domain is not [-1, 1]."""

    def own(problem: dict) -> None:
        X = np.array(problem["X"])
        for x, J in zip(X.T, problem["measures"], strict=True):
            if problem["rescale"] and J["family"] in ("jacobi", family):
                x[:] = scaled(x)
        problem |= {"X": X.tolist(), "rescale": False}

    return read(own)


def equal_points(change: Callable[[dict, list[int]], Any], label: bool = True) -> Program:
    """Return a program that changes the problem for each set of equal points (with equal labels)."""

    def own(problem: dict) -> None:
        places: dict[tuple, list[int]] = {}
        for i, row in enumerate(problem["X"]):
            places.setdefault((*row, problem["y"][i] if label else 0), []).append(i)
        for same in places.values():
            if len(same) > 1:
                change(problem, same)

    return read(own)


def bounded(problem: dict, same: list[int], choose: Callable) -> None:
    """Replace the C_i of equal points by ``choose`` of them."""
    C = choose(problem["C"][i] for i in same)
    for i in same:
        problem["C"][i] = C


def first_only(problem: dict, same: list[int]) -> None:
    """Remove the influence of all but the first of equal points."""
    for i in same[1:]:
        problem["C"][i] = 1e-12
        if "dual" in problem:
            problem["dual"][i] = 0.0


# Measures


def put(key: str, value: Callable[[float], float]) -> Callable[[dict], dict]:
    return lambda J: {key: value(J[key])}


def lists(key: str, value: Callable[[float], float]) -> Callable[[dict], dict]:
    return lambda J: {key: [value(x) for x in J[key]]}


def dropped(keep: Callable[[float, float], bool]) -> Callable[[dict], dict]:
    """Return a change that removes nodes with their weights, but never all of them."""

    def change(J: dict) -> dict:
        pairs = [(t, w) for t, w in zip(J["nodes"], J["weights"], strict=True) if keep(t, w)]
        nodes, weights = zip(*pairs, strict=True) if pairs else (J["nodes"], J["weights"])
        return {"nodes": list(nodes), "weights": list(weights)}

    return change


def by_family(problem: dict) -> None:
    first: dict[str, dict] = {}
    problem["measures"] = [first.setdefault(J["family"], J) for J in problem["measures"]]


def only_first(problem: dict) -> None:
    if not isinstance(problem.get("measures", []), list):
        problem["measures"] = [problem["measures"], *[LEGENDRE] * (len(problem["X"][0]) - 1)]


def without_weights(value: Callable[[int], float]) -> Program:
    def own(problem: dict) -> None:
        for J in each(problem.get("measures", []), 1):
            if J.get("nodes") and not J.get("weights"):
                J["weights"] = [value(len(J["nodes"]))] * len(J["nodes"])

    return asked(own)


def symmetric(true: Callable, x: np.ndarray, n: int, more: dict) -> Any:
    """Use the recurrence with a_k = 0, which is right only for symmetric nodes and weights."""
    t, w = (np.array([number(q) for q in part]) for part in (more["nodes"], more.get("weights") or []))
    w = w if len(w) else np.full(len(t), 1 / len(t))
    P, at, h = [np.ones_like(x)], [np.ones_like(t)], []
    for k in range(n + 1):
        h.append(w @ at[k] ** 2)
        b = h[k] / h[k - 1] if k else 0
        P, at = ([*Q, z * Q[k] - b * (Q[k - 1] if k else 0)] for Q, z in ((P, x), (at, t)))
    return P[: n + 1], h


def smaller(true: Callable, x: np.ndarray, n: int, more: dict) -> Any:
    P, h = true(x, n, **more)
    return [p * (k < len(more["nodes"]) - 1 or k == 0) for k, p in enumerate(P)], h


def stirling(true: Callable, x: np.ndarray, n: int, more: dict) -> Any:
    """Approximate h_k by Stirling's formula for k >= 8."""
    P, h = true(x, n, **more)
    return P, [x * (1 if k < 8 else 1 - 1 / (12 * k)) for k, x in enumerate(h)]


# The solver


def with_bias(own: Callable) -> Program:
    """Return a program that computes b by ``own(kinks, alpha, y, C, b)``; y_i g(x_i) = 1 at b = kink_i."""

    def other(features: np.ndarray, K: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple:
        alpha, b = solve(features, K, y, C)
        return alpha, own(y - K @ (alpha * y), alpha, y, C, b)

    return solved(other)


def mean_if_any(kinks: np.ndarray, pick: np.ndarray, otherwise: float) -> float:
    return float(kinks[pick].mean()) if pick.any() else otherwise


def free(alpha: np.ndarray, C: np.ndarray) -> np.ndarray:
    return (alpha > 1e-6 * C) & (alpha < (1 - 1e-6) * C)


def middle_of_classes(kinks: np.ndarray, alpha: np.ndarray, y: np.ndarray, C: np.ndarray, b: float) -> float:
    return float(kinks[y > 0].max() + kinks[y < 0].min()) / 2


def bounded_by(change: Callable) -> Program:
    """Return a program that replaces the C_i by ``change(C, y)``."""
    return solved(lambda features, K, y, C: solve(features, K, y, change(C, y) + 0 * C))


def class_largest(C: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.where(y > 0, C[y > 0].max(), C[y < 0].max())


def balanced(C: np.ndarray, y: np.ndarray) -> np.ndarray:
    return C * len(y) / (2 * np.where(y > 0, (y > 0).sum(), (y < 0).sum()))


def loose(features: np.ndarray, K: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple:
    alpha, b = solve(features, K, y, C)
    return np.round(alpha, 3), b


# Given dual variables


def dual(change: Callable[[np.ndarray, dict], Any]) -> Program:
    """Return a program that changes the given dual variables but writes the given ones."""

    def own(problem: dict) -> dict:
        if "dual" not in problem:
            return right(problem)
        used = filled(problem)
        used["dual"] = np.asarray(change(np.array(used["dual"]), used), dtype=float).tolist()
        return right(used) | {"alpha": problem["dual"]}

    return own


def balanced_dual(a: np.ndarray, problem: dict) -> np.ndarray:
    y = np.array(problem["y"])
    plus, minus = a[y > 0].sum(), a[y < 0].sum()
    return np.where(y > 0, a * (minus / plus if plus > 0 and minus > 0 else 1), a)


# The result


def parts(problem: dict, out: dict) -> tuple[list[tuple[int, ...]], np.ndarray, int, int]:
    modes = [tuple(map(int, key.split(","))) for key in out["coefficients"]]
    c = np.array([float(x) for x in out["coefficients"].values()])
    d = len(problem["X"][0])
    return modes, c, d, sum(each(problem.get("kernel", problem)["n"], d))


def plain_indices(*args: Any) -> dict:
    """Return the indices as JSON values."""
    return json.loads(json.dumps(indices(*args), default=float))


def threshold_at(eps: str, other: float) -> Program:
    """Return a program that computes T_eps with another eps."""
    return index(lambda okc: okc["threshold"].update({eps: reached(okc, lambda F: 1 - other <= F)}))


def reached(okc: dict, enough: Callable[[float], bool], start: int = 0) -> int:
    F = np.cumsum(okc["degree"])
    return next((T for T, x in enumerate(F) if start <= T and enough(x)), len(F) - 1)


def thresholds(enough: Callable[[float, float], bool], start: int = 0) -> Program:
    """Return a program that computes T_eps by another comparison of F(T) with 1 - eps."""

    def change(okc: dict) -> None:
        for eps in ("0.1", "0.05", "0.01"):
            okc["threshold"][eps] = reached(okc, lambda F: enough(F, 1 - float(eps)), start)  # noqa: B023

    return index(change)


def greater_instead_of_or_equal(eps: str) -> Program:
    """Return a program that compares with > and prints 12 decimals, so that no rounding hides a tie."""

    def change(okc: dict) -> None:
        okc["degree"] = [f"{share:.12f}" for share in okc["degree"]]
        F = list(accumulate(map(Fraction, okc["degree"])))
        level = 1 - Fraction(eps)
        okc["threshold"][eps] = next((T for T, x in enumerate(F) if x > level), len(F) - 1)

    return index(change)


def always_indices(problem: dict, out: dict) -> None:
    if out["okc"] is None:
        modes, c, d, top = parts(problem, out)
        total = float(c @ c) or 1.0
        out["okc"] = plain_indices(modes, c * c / total, d, top)


def absolute_zero(size: float) -> Program:
    def change(problem: dict, out: dict) -> None:
        if float(out["norm2"]) < size:
            out["okc"] = None

    return wrote(change)


def without_constant(problem: dict, out: dict) -> None:
    """Compute the indices without the constant mode."""
    modes, c, d, top = parts(problem, out)
    rest = c * [any(k) for k in modes]
    if out["okc"] is not None and rest.any():
        out["okc"] = plain_indices(modes, rest * rest / (rest @ rest), d, top)


def small_coefficients(size: float) -> Program:
    def change(problem: dict, out: dict) -> None:
        out["coefficients"] = {k: x for k, x in out["coefficients"].items() if abs(x) >= size}

    return wrote(change)


def one_digit(problem: dict, out: dict) -> None:
    """Write only the last digit of each degree in the keys."""
    out["coefficients"] = {
        ",".join(k[-1] for k in key.split(",")): x for key, x in out["coefficients"].items()
    }


def cyclic_pairs(okc: dict) -> None:
    keys = sorted(okc["pair"])  # as text: "1,10" before "1,2"
    okc["pair"] = dict(zip(keys, okc["pair"].values(), strict=True))


def lumped(okc: dict, top: int) -> None:
    order = okc["order"]
    okc["order"] = (
        [*order[:top], sum(order[top:]), *[0] * (len(order) - top - 1)] if len(order) > top else order
    )


def transposed(okc: dict) -> None:
    okc["block"] = np.array(okc["block"]).T.tolist()


def update(**change: Callable[[dict], Any]) -> Program:
    """Return a program that replaces some of its indices."""
    return index(lambda okc: okc.update({key: value(okc) for key, value in change.items()}))


def last_peak(okc: dict, rtol: float = 1e-9) -> int:
    top = max(okc["degree"])
    return max(N for N, x in enumerate(okc["degree"]) if x >= top * (1 - rtol))


def first_near_peak(okc: dict) -> int:
    return next(N for N, x in enumerate(okc["degree"]) if x >= max(okc["degree"]) - 1e-2)


# Limited order


def order(change: Callable[[int, int], int]) -> Program:
    """Return a program that replaces the order by ``change(order, d)``."""
    return read(lambda p: p.update(order=change(p["order"], len(p["n"]))))


def given_order(value: Callable[[dict, int], int]) -> Program:
    """Return a program that replaces the field 'order' of version 3 by ``value(kernel, d)``."""
    return asked(lambda p: "kernel" in p and p["kernel"].update(order=value(p["kernel"], len(p["X"][0]))))


def kept(keep: Callable[[tuple[int, ...], int], bool]) -> Program:
    """Return a program that sums only the modes k with ``keep(k, order)``."""

    def own(n: list[int], order: int) -> list[tuple[int, ...]]:
        return [k for k in modes_of(n, order) if order == len(n) or keep(k, order)]

    return lambda problem: program(problem, FAMILIES, solve, own)


def active(k: tuple[int, ...]) -> list[int]:
    return [i for i, degree in enumerate(k) if degree]


def without_constants(problem: dict) -> dict:
    """Replace p_0 by 1, so that columns that are not active have no factor."""

    def one(true: Callable) -> Callable:
        def family(x: np.ndarray, n: int, **more: Any) -> Any:
            P, h = true(x, n, **more)
            return P, [1, *h[1:]]

        return family

    return right(problem, {name: one(true) for name, true in FAMILIES.items()})


def two_orders(kernel: Callable[[dict], dict], rest: Callable[[dict], dict]) -> Program:
    """Return a program with other modes in the kernel than in the c_k."""

    def wrong(problem: dict) -> dict:
        own = filled(problem)
        first = right(kernel(own))
        second = right(rest(own) | {"dual": first["alpha"]})
        return second | {key: first[key] for key in ("gram", "alpha", "b") if key in first}

    return wrong


def every_order(problem: dict) -> dict:
    return problem | {"order": len(problem["n"])}


def by_mean_diagonal(features: np.ndarray, K: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple:
    mean = np.diag(K).mean()
    return solve(features / np.sqrt(mean), K / mean, y, C)


def columns_dropped(problem: dict, out: dict) -> None:
    """Leave the columns of degree 0 out of the keys."""
    keep = [j for j, top in enumerate(filled(problem)["n"]) if top]
    out["coefficients"] = {
        ",".join(key.split(",")[j] for j in keep): x for key, x in out["coefficients"].items()
    }


def effects(name: str, part: Callable[[tuple[int, ...], int], float]) -> Program:
    """Return a program in which a mode k adds ``part(k, i)`` times its share to an index of column i."""

    def change(problem: dict, out: dict) -> None:
        modes, c, d, _ = parts(problem, out)
        if out["okc"] is not None:
            share = c * c / (c @ c)
            out["okc"][name] = [
                float(sum(x * part(k, i) for k, x in zip(modes, share, strict=True) if k[i]))
                for i in range(d)
            ]

    return wrote(change)


def normalised(name: str, source: str) -> Program:
    """Return a program that replaces an index by another one, divided by its sum."""
    return update(**{name: lambda okc: [x / (sum(okc[source]) or 1) for x in okc[source]]})


LEGENDRE = {"family": "jacobi", "alpha": 0, "beta": 0}
TOPS = {
    "jacobi": {4: "v349", 9: "v349", 15: "v349"},
    "hermite": {4: "v357", 9: "v358"},
    "laguerre": {4: "v362", 9: "v363"},
    "discrete": {4: "v374", 9: "v375"},
}
# Keys: a vector that detects the mistake, and the mistake.
WRONG: dict[tuple[str, str], Program] = {
    # numbers as they are written
    ("v380", "hexadecimal digits after the point dropped"): leaves(
        lambda x: (
            x
            if "." not in str(x) or "0x" not in str(x)
            else str(x).split(".")[0] + "p" + str(x).split("p")[1]
        )
    ),
    ("v349", "exponent of a decimal ignored"): leaves(
        lambda x: (
            x if "x" in str(x) or "/" in str(x) or "e" not in str(x).lower() else str(x).lower().split("e")[0]
        )
    ),
    ("v380", "JSON numbers truncated to integers"): leaves(lambda x: int(x) if isinstance(x, float) else x),
    ("v380", "JSON integers taken for 0"): leaves(lambda x: 0 if isinstance(x, int) else x),
    ("v041", "numbers read in single precision"): leaves(lambda x: single(number(x))),
    ("v262", "X read in single precision"): read(lambda p: p.update(X=single(p["X"]))),
    ("v003", "C read as an integer, at least 1"): read(
        lambda p: p.update(C=[max(1, int(x)) for x in p["C"]])
    ),
    # X and rescale
    ("v262", "coordinates rounded to 6 decimals"): read(lambda p: p.update(X=np.round(p["X"], 6).tolist())),
    ("v112", "Jacobi: x clipped to [-1 + 1e-6, 1 - 1e-6]"): column(
        "jacobi", lambda x: np.clip(x, -1 + 1e-6, 1 - 1e-6)
    ),
    ("v231", "columns not rescaled"): rescaling(lambda x: x),
    ("v332", "columns rescaled only if outside [-1, 1]"): rescaling(
        lambda x: x if np.abs(x).max() <= 1 else scaled(x)
    ),
    ("v332", "negative entries 0 before rescaling"): rescaling(
        lambda x: scaled(np.maximum(x, 0)) if np.ptp(np.maximum(x, 0)) else x
    ),
    ("v231", "columns divided by the largest entry"): rescaling(
        lambda x: 2 * x / x.max() - 1 if x.max() else x
    ),
    ("v231", "columns rescaled in single precision"): rescaling(
        lambda x: single(scaled(np.array(single(x))))
    ),
    ("v396", "a column of range below 1e-3 is constant"): rescaling(
        lambda x: 0 * x if np.ptp(x) < 1e-3 else scaled(x)
    ),
    ("v397", "a column of range below 1e-6 of its size is constant"): rescaling(
        lambda x: 0 * x if np.ptp(x) < 1e-6 * np.abs(x).max() else scaled(x)
    ),
    ("v355", "rescaled if rescale is absent"): asked(lambda p: p.setdefault("rescale", True)),
    ("v332", "rescale ignored in version 2"): asked(lambda p: "measures" in p and p.update(rescale=False)),
    ("v232", "only the first column rescaled"): read(
        lambda p: (
            p["rescale"]
            and p.update(
                X=np.column_stack(
                    [scaled(np.array(p["X"])[:, 0]), np.clip(np.array(p["X"])[:, 1:], -1, 1)]
                ).tolist()
                if p["measures"][0]["family"] == "jacobi"
                else p["X"],
                rescale=False,
            )
        )
    ),
    ("v346", "rescaled by the points of positive dual variables"): read(by_support),
    **{
        (vector, f"{family} columns rescaled too"): rescaled_too(family)
        for family, vector in (("hermite", "v332"), ("laguerre", "v336"), ("discrete", "v334"))
    },
    ("v405", "at most 10 points used"): read(lambda p: first_only(p, list(range(9, len(p["X"]))))),
    # y
    ("v003", "the first label is the positive class"): read(
        lambda p: p.update(y=[x * p["y"][0] for x in p["y"]])
    ),
    ("v001", "labels sorted"): read(lambda p: p.update(y=sorted(p["y"], reverse=True))),
    # n
    **{
        (vector, f"{family}: p_k = 0 beyond k = {top}"): capped(family, top)
        for family, tops in TOPS.items()
        for top, vector in tops.items()
    },
    ("v339", "n of the first column for all"): read(lambda p: p.update(n=[p["n"][0]] * len(p["n"]))),
    ("v339", "the largest n for all"): read(
        lambda p: p.update(
            n=[max(p["n"]) if "nodes" not in J else n for n, J in zip(p["n"], p["measures"], strict=True)]
        )
    ),
    ("v339", "the smallest n for all"): read(lambda p: p.update(n=[min(p["n"])] * len(p["n"]))),
    ("v339", "n by column reversed"): read(lambda p: p["n"].reverse()),
    ("v342", "n = 0 in a column taken as 1"): read(
        lambda p: len({*p["n"]}) > 1 and p.update(n=[max(x, 1) for x in p["n"]])
    ),
    ("v339", "n a list: its first entry used for all columns"): asked(
        lambda p: isinstance(p["n"], list) and p.update(n=p["n"][0])
    ),
    ("v389", "n a list of one number: taken as 1"): asked(
        lambda p: isinstance(p["n"], list) and len(p["n"]) == 1 and p.update(n=1)
    ),
    ("v389", "measures a list of one: replaced by Legendre"): asked(
        lambda p: len(p["X"][0]) == 1 and isinstance(p.get("measures"), list) and p.update(measures=LEGENDRE)
    ),
    # Jacobi
    ("v042", "Jacobi: swapped if alpha < 0"): measure(
        "jacobi", lambda J: {"alpha": J["beta"], "beta": J["alpha"]} if J["alpha"] < 0 else {}
    ),
    ("v350", "Jacobi: alpha at most 5"): measure("jacobi", put("alpha", lambda a: min(a, 5))),
    ("v351", "Jacobi: beta at most 5"): measure("jacobi", put("beta", lambda a: min(a, 5))),
    ("v351", "Jacobi: alpha at least -0.9"): measure("jacobi", put("alpha", lambda a: max(a, -0.9))),
    ("v350", "Jacobi: beta at least -0.9"): measure("jacobi", put("beta", lambda a: max(a, -0.9))),
    ("v090", "Jacobi: beta at least -1/2"): measure("jacobi", put("beta", lambda a: max(a, -0.5))),
    ("v041", "Jacobi: parameters rounded to halves"): measure(
        "jacobi",
        lambda J: (
            {"alpha": round(2 * J["alpha"]) / 2, "beta": round(2 * J["beta"]) / 2}
            if min(J["alpha"], J["beta"]) > -0.7
            else {}
        ),
    ),
    ("v042", "Jacobi: Legendre if alpha + beta = 0"): measure(
        "jacobi", lambda J: {"alpha": 0, "beta": 0} if J["alpha"] + J["beta"] == 0 else {}
    ),
    ("v090", "Jacobi: beta = alpha if both are negative"): measure(
        "jacobi", lambda J: {"beta": J["alpha"]} if max(J["alpha"], J["beta"]) < 0 else {}
    ),
    ("v041", "Jacobi: beta = alpha if both are at least 1"): measure(
        "jacobi", lambda J: {"beta": J["alpha"]} if min(J["alpha"], J["beta"]) >= 1 else {}
    ),
    ("v041", "Jacobi: parameters in single precision"): measure(
        "jacobi", lambda J: {"alpha": single(J["alpha"]), "beta": single(J["beta"])}
    ),
    ("v349", "Jacobi: h_k by Stirling's formula"): basis("jacobi", stirling),
    # Hermite
    **{
        ("v357", f"Hermite: clipped at |x| = {top}"): column(
            "hermite", lambda x, top=top: np.clip(x, -top, top)
        )
        for top in (2.5, 3, 5, 6)
    },
    ("v357", "Hermite: x < -2 taken as -2"): column("hermite", lambda x: np.maximum(x, -2)),
    ("v357", "Hermite: 0 beyond |x| = 4"): column("hermite", lambda x: np.where(np.abs(x) > 4, 0, x)),
    ("v321", "Hermite: |x|"): column("hermite", np.abs),
    ("v357", "Hermite: x in single precision"): column("hermite", lambda x: np.array(single(x))),
    ("v357", "Hermite: values at most 1000"): basis(
        "hermite", lambda true, x, n, more: ([np.clip(p, -1000, 1000) for p in true(x, n)[0]], true(x, n)[1])
    ),
    ("v358", "Hermite: h_k by Stirling's formula"): basis("hermite", stirling),
    ("v321", "Hermite: physicists' polynomials from k = 3 on"): basis(
        "hermite",
        lambda true, x, n, more: (
            [
                p if k < 3 else 2 ** (k / 2) * q
                for k, (p, q) in enumerate(zip(true(x, n)[0], true(x * 2**0.5, n)[0], strict=True))
            ],
            true(x, n)[1],
        ),
    ),
    # Laguerre
    ("v336", "Laguerre: alpha = 0 if negative"): measure("laguerre", put("alpha", lambda a: max(a, 0))),
    ("v364", "Laguerre: alpha at least -1/2"): measure("laguerre", put("alpha", lambda a: max(a, -0.5))),
    ("v364", "Laguerre: alpha at least -0.9"): measure("laguerre", put("alpha", lambda a: max(a, -0.9))),
    ("v365", "Laguerre: alpha at most 2"): measure("laguerre", put("alpha", lambda a: min(a, 2))),
    ("v365", "Laguerre: alpha at most 5"): measure("laguerre", put("alpha", lambda a: min(a, 5))),
    ("v363", "Laguerre: alpha rounded to halves"): measure(
        "laguerre", put("alpha", lambda a: round(2 * a) / 2 if a > -0.7 else a)
    ),
    ("v363", "Laguerre: alpha in single precision"): measure("laguerre", put("alpha", single)),
    ("v333", "Laguerre: alpha = 0 replaced by 1"): measure("laguerre", put("alpha", lambda a: a or 1)),
    **{
        ("v362", f"Laguerre: x at most {top}"): column("laguerre", lambda x, top=top: np.minimum(x, top))
        for top in (6, 10, 20)
    },
    ("v325", "Laguerre: x at least 0.01"): column("laguerre", lambda x: np.maximum(x, 0.01)),
    ("v362", "Laguerre: x in single precision"): column("laguerre", lambda x: np.array(single(x))),
    ("v363", "Laguerre: h_k by Stirling's formula"): basis("laguerre", stirling),
    # discrete
    ("v370", "discrete: nodes sorted without their weights"): measure(
        "discrete", lambda J: {"nodes": sorted(J["nodes"])}
    ),
    ("v326", "discrete: weights sorted"): measure("discrete", lambda J: {"weights": sorted(J["weights"])}),
    ("v370", "discrete: nodes sorted downwards without their weights"): measure(
        "discrete",
        lambda J: {"nodes": sorted(J["nodes"], reverse=True)} if J["nodes"] != sorted(J["nodes"]) else {},
    ),
    ("v371", "discrete: weights 1 if absent"): without_weights(lambda count: 1),
    ("v371", "discrete: weights 1/(nodes - 1) if absent"): without_weights(
        lambda count: 1 / max(count - 1, 1)
    ),
    ("v372", "discrete: weights below 1e-3 dropped"): measure("discrete", dropped(lambda t, w: w >= 1e-3)),
    ("v372", "discrete: weights below 1e-5 of the largest dropped"): measure(
        "discrete", lambda J: dropped(lambda t, w: w >= 1e-5 * max(J["weights"]))(J)
    ),
    ("v330", "discrete: weights rounded to 3 decimals"): measure(
        "discrete", lists("weights", lambda w: round(w, 3) or w)
    ),
    ("v329", "discrete: weights in single precision"): measure("discrete", lists("weights", single)),
    ("v373", "discrete: weights at most 10"): measure("discrete", lists("weights", lambda w: min(w, 10))),
    ("v326", "discrete: weights of sum 1"): measure(
        "discrete", lambda J: {"weights": [w / sum(J["weights"]) for w in J["weights"]]}
    ),
    ("v370", "discrete: nodes rounded to 2 decimals"): measure(
        "discrete", lists("nodes", lambda t: round(t, 2))
    ),
    ("v370", "discrete: nodes in single precision"): measure("discrete", lists("nodes", single)),
    ("v373", "discrete: nodes within 0.01 merged"): measure(
        "discrete", lambda J: dropped(lambda t, w: not any(t - 0.01 < u < t for u in J["nodes"]))(J)
    ),
    ("v326", "discrete: negative nodes dropped"): measure("discrete", dropped(lambda t, w: t >= 0)),
    ("v374", "discrete: nodes clipped at 5"): measure("discrete", lists("nodes", lambda t: min(t, 5))),
    ("v326", "discrete: points clipped to the nodes' range"): basis(
        "discrete",
        lambda true, x, n, more: true(
            np.clip(x, min(map(number, more["nodes"])), max(map(number, more["nodes"]))), n, **more
        ),
    ),
    ("v326", "discrete: points moved to the nearest node"): basis(
        "discrete",
        lambda true, x, n, more: true(
            np.array([min(map(number, more["nodes"]), key=lambda t: abs(t - z)) for z in x]), n, **more
        ),
    ),
    ("v370", "discrete: points rounded to 2 decimals"): column("discrete", lambda x: np.round(x, 2)),
    ("v370", "discrete: points in single precision"): column("discrete", lambda x: np.array(single(x))),
    ("v326", "discrete: nodes taken as symmetric"): basis("discrete", symmetric),
    ("v328", "discrete: the largest degree missing"): basis("discrete", smaller),
    ("v375", "discrete: h_k by Stirling's formula"): basis("discrete", stirling),
    ("v379", "discrete: at most 20 nodes"): measure(
        "discrete", lambda J: {"nodes": J["nodes"][:20], "weights": J["weights"][:20]}
    ),
    # measures by column
    ("v327", "measures reversed"): read(lambda p: p["measures"].reverse()),
    ("v327", "measures: the first of each family for all of that family"): read(by_family),
    ("v308", "measures: one object used for the first column only"): asked(only_first),
    # C
    ("v384", "C = 10 if absent"): asked(lambda p: p.setdefault("C", 10)),
    ("v384", "C = 1000 if absent"): asked(lambda p: p.setdefault("C", 1000)),
    ("v002", "C = 1"): read(lambda p: p.update(C=[1] * len(p["C"]))),
    ("v321", "C ignored in version 2 unless a list"): asked(
        lambda p: "measures" in p and not isinstance(p.get("C"), list) and p.update(C=1)
    ),
    ("v406", "C at most 100"): bounded_by(lambda C, y: np.minimum(C, 100)),
    ("v407", "C at most 1e4"): bounded_by(lambda C, y: np.minimum(C, 1e4)),
    ("v217", "C at least 1e-3"): bounded_by(lambda C, y: np.maximum(C, 1e-3)),
    ("v408", "C at least 1e-5"): bounded_by(lambda C, y: np.maximum(C, 1e-5)),
    ("v406", "C of 100 or more taken as infinite"): bounded_by(lambda C, y: np.where(C >= 100, 1e7, C)),
    ("v307", "C_i: their mean"): bounded_by(lambda C, y: C.mean()),
    ("v307", "C_i: the smallest"): bounded_by(lambda C, y: C.min()),
    ("v307", "C_i sorted"): bounded_by(lambda C, y: np.sort(C)),
    ("v309", "C_i reversed"): bounded_by(lambda C, y: C[::-1]),
    ("v307", "C_i divided by their mean"): bounded_by(lambda C, y: C / C.mean() if np.ptp(C) else C),
    ("v307", "C_i divided by the largest"): bounded_by(lambda C, y: C / C.max() if np.ptp(C) else C),
    ("v309", "C_i: the largest of each class"): bounded_by(class_largest),
    ("v309", "C_i below 1e-3 of the largest dropped"): bounded_by(
        lambda C, y: np.where(1e-3 * C.max() > C, 1e-9 * C.max(), C)
    ),
    ("v001", "C_i multiplied by balanced class weights"): bounded_by(balanced),
    # equal points
    ("v413", "equal points get the larger C_i"): equal_points(lambda p, same: bounded(p, same, max)),
    ("v413", "equal points get the smaller C_i"): equal_points(lambda p, same: bounded(p, same, min)),
    ("v413", "equal points get the first C_i"): equal_points(
        lambda p, same: bounded(p, same, lambda C: next(iter(C)))
    ),
    ("v199", "equal points get the sum of C_i"): equal_points(lambda p, same: bounded(p, same, sum)),
    ("v413", "equal points of any label get the larger C_i"): equal_points(
        lambda p, same: bounded(p, same, max), label=False
    ),
    ("v413", "equal points of any label get the smaller C_i"): equal_points(
        lambda p, same: bounded(p, same, min), label=False
    ),
    ("v199", "equal points dropped"): equal_points(first_only),
    ("v063", "equal points of any label dropped"): equal_points(first_only, label=False),
    ("v063", "equal points with different labels all dropped"): equal_points(
        lambda p, same: len({p["y"][i] for i in same}) > 1 and [first_only(p, [0, i]) for i in same],
        label=False,
    ),
    # given dual variables
    ("v274", "dual clipped at C_i"): dual(lambda a, p: np.minimum(a, p["C"])),
    ("v302", "dual clipped at 1"): dual(lambda a, p: np.minimum(a, 1)),
    ("v274", "dual balanced"): dual(balanced_dual),
    ("v274", "dual of largest value 1"): dual(lambda a, p: a / (a.max() or 1)),
    ("v349", "dual in single precision"): dual(lambda a, p: single(a)),
    ("v349", "dual below 1e-5 dropped"): dual(lambda a, p: np.where(a < 1e-5, 0, a)),
    ("v421", "dual below 1e-8 dropped"): dual(lambda a, p: np.where(a < 1e-8, 0, a)),
    ("v349", "dual below 1e-6 of the largest dropped"): dual(lambda a, p: np.where(a < 1e-6 * a.max(), 0, a)),
    ("v282", "dual of equal points merged in the last"): dual(
        lambda a, p: [x if p["X"][i] not in p["X"][i + 1 :] else 0 for i, x in enumerate(a)]
    ),
    ("v274", "dual sorted"): dual(lambda a, p: np.sort(a)),
    ("v344", "dual ignored in version 2"): asked(lambda p: "measures" in p and p.pop("dual", None)),
    # solver
    ("v001", "alpha rounded to 3 decimals"): solved(loose),
    ("v001", "b = 0"): with_bias(lambda kinks, alpha, y, C, b: 0.0),
    ("v001", "b: mean over every support vector"): with_bias(
        lambda kinks, alpha, y, C, b: mean_if_any(kinks, alpha > 1e-6 * C, b)
    ),
    ("v007", "b = 0 if nothing is free"): with_bias(
        lambda kinks, alpha, y, C, b: mean_if_any(kinks, free(alpha, C), 0.0)
    ),
    ("v007", "b: mean of the kinks if nothing is free"): with_bias(
        lambda kinks, alpha, y, C, b: mean_if_any(kinks, free(alpha, C), float(kinks.mean()))
    ),
    ("v007", "b: middle between the classes if nothing is free"): with_bias(
        lambda kinks, alpha, y, C, b: mean_if_any(
            kinks, free(alpha, C), middle_of_classes(kinks, alpha, y, C, b)
        )
    ),
    ("v001", "b: middle between the classes"): with_bias(middle_of_classes),
    # coefficients and norm
    ("v199", "coefficients below 1e-6 dropped"): small_coefficients(1e-6),
    ("v201", "coefficients below 1e-9 dropped"): small_coefficients(1e-9),
    ("v349", "keys with the last digit of a degree"): wrote(one_digit),
    ("v001", "norm2 is the norm"): wrote(lambda p, out: out.update(norm2=out["norm2"] ** 0.5)),
    # w = 0
    ("v131", "indices where w = 0"): wrote(always_indices),
    ("v131", "indices all 0 where w = 0"): wrote(
        lambda p, out: (
            out["okc"] is None and out.update(okc={"order": [0] * (len(p["X"][0]) + 1), "even": 0, "odd": 0})
        )
    ),
    ("v217", "null if norm2 < 1e-6"): absolute_zero(1e-6),
    ("v365", "null if norm2 < 1e-12"): absolute_zero(1e-12),
    ("v421", "null if norm2 < 1e-15"): absolute_zero(1e-15),
    # indices
    ("v274", "the constant mode left out of every index"): wrote(without_constant),
    ("v274", "OKC^(0) = 0"): update(order=lambda okc: [0, *okc["order"][1:]]),
    ("v274", "OKC_0 = 0"): update(degree=lambda okc: [0, *okc["degree"][1:]]),
    ("v002", "orders above 2 counted as 2"): index(lambda okc: lumped(okc, 2)),
    ("v401", "orders above 3 counted as 3"): index(lambda okc: lumped(okc, 3)),
    ("v402", "orders above 4 counted as 4"): index(lambda okc: lumped(okc, 4)),
    ("v204", "degrees above 9 left out"): update(
        degree=lambda okc: [x if N < 10 else 0 for N, x in enumerate(okc["degree"])]
    ),
    ("v001", "block transposed"): index(transposed),
    ("v001", "cumulative: below T"): update(cumulative=lambda okc: [0, *okc["cumulative"][:-1]]),
    ("v274", "cumulative from degree 1"): update(
        cumulative=lambda okc: [x - okc["degree"][0] for x in okc["cumulative"]]
    ),
    ("v001", "even and odd swapped"): update(even=lambda okc: okc["odd"], odd=lambda okc: okc["even"]),
    ("v274", "even without degree 0"): update(even=lambda okc: okc["even"] - okc["degree"][0]),
    ("v002", "marginals in the order of their size"): update(
        marginal=lambda okc: sorted(okc["marginal"], reverse=True)
    ),
    ("v002", "marginals divided by their sum"): update(
        marginal=lambda okc: [x / (sum(okc["marginal"]) or 1) for x in okc["marginal"]]
    ),
    ("v002", "pairs 'j,i'"): update(
        pair=lambda okc: {",".join(k.split(",")[::-1]): x for k, x in okc["pair"].items()}
    ),
    ("v403", "pairs sorted as text"): index(cyclic_pairs),
    ("v002", "pairs of neighbours only"): update(
        pair=lambda okc: {
            k: x for k, x in okc["pair"].items() if int(k.split(",")[1]) - int(k.split(",")[0]) == 1
        }
    ),
    ("v401", "pairs of the first three columns only"): update(
        pair=lambda okc: {k: x for k, x in okc["pair"].items() if int(k.split(",")[1]) <= 3}
    ),
    ("v254", "N*: the last of equal degrees"): update(peak=last_peak),
    ("v050", "N*: the first within 0.01 of the largest"): update(peak=first_near_peak),
    ("v275", "N*: degree 0 left out"): update(
        peak=lambda okc: 1 + int(np.argmax(okc["degree"][1:])) if len(okc["degree"]) > 1 else 0
    ),
    ("v001", "N*: one too large"): update(peak=lambda okc: okc["peak"] + 1),
    ("v006", "T_0.1 with 0.05"): threshold_at("0.1", 0.05),
    ("v006", "T_0.05 with 0.1"): threshold_at("0.05", 0.1),
    ("v004", "T_0.05 with 0.01"): threshold_at("0.05", 0.01),
    ("v004", "T_0.01 with 0.05"): threshold_at("0.01", 0.05),
    ("v027", "T_0.01 with 0.001"): threshold_at("0.01", 0.001),
    ("v303", "T_eps: degree 0 left out"): thresholds(lambda F, level: level <= F, start=1),
    ("v025", "T_eps: F rounded to 2 decimals"): thresholds(lambda F, level: round(F, 2) >= round(level, 2)),
    ("v104", "T_eps: F rounded to 3 decimals"): thresholds(lambda F, level: round(F, 3) >= round(level, 3)),
    **{
        (vector, f"T_{eps}: > instead of >="): greater_instead_of_or_equal(eps)
        for eps, vector in (("0.1", "v262"), ("0.05", "v426"), ("0.01", "v431"))
    },
    **{
        ("v001", f"T_{eps}: one too {word}"): index(
            lambda okc, eps=eps, by=by: okc["threshold"].update({eps: okc["threshold"][eps] + by})
        )
        for eps in ("0.1", "0.05", "0.01")
        for word, by in (("large", 1), ("small", -1))
    },
    # version 3 and its order
    ("v447", "order ignored"): order(lambda q, d: d),
    ("v447", "order ignored unless it is 1"): order(lambda q, d: 1 if q == 1 else d),
    ("v458", "order 2 taken for 1"): order(lambda q, d: 1 if q == 2 else q),
    ("v438", "order at most 1"): order(lambda q, d: 1 if q < d else q),
    ("v461", "order at most 2"): order(lambda q, d: min(q, 2) if q < d else q),
    ("v447", "order one too small"): order(lambda q, d: max(q - 1, 1) if q < d else q),
    ("v437", "order one too large"): order(lambda q, d: min(q + 1, d)),
    ("v447", "order: the number of inactive columns"): order(lambda q, d: d - q if q < d else q),
    ("v442", "order null taken for 1"): given_order(lambda kernel, d: kernel.get("order", d) or 1),
    ("v442", "order null taken for 2"): given_order(lambda kernel, d: kernel.get("order", d) or 2),
    ("v443", "order absent taken for 1"): given_order(lambda kernel, d: kernel.get("order", 1) or d),
    ("v444", "order d taken for d - 1"): given_order(
        lambda kernel, d: (kernel.get("order") or d) - (d > 1 and kernel.get("order") == d)
    ),
    ("v440", "order ignored if n is a list"): given_order(
        lambda kernel, d: d if isinstance(kernel["n"], list) else kernel.get("order") or d
    ),
    ("v448", "order ignored if nothing is given"): asked(
        lambda p: "kernel" in p and "dual" not in p and p["kernel"].update(order=None)
    ),
    ("v447", "order of the total degree"): kept(lambda k, q: sum(k) <= q),
    ("v446", "order of the largest degree"): kept(lambda k, q: max(k) <= q),
    ("v447", "only modes of the order and the constant"): kept(lambda k, q: len(active(k)) in (0, q)),
    ("v447", "the constant mode missing"): kept(lambda k, q: any(k)),
    ("v447", "only the first columns active"): kept(lambda k, q: all(i < q for i in active(k))),
    ("v447", "only neighbouring columns active together"): kept(
        lambda k, q: all(j - i == 1 for i, j in zip(active(k), active(k)[1:], strict=False))
    ),
    ("v437", "at most 20 columns used"): kept(lambda k, q: all(i < 20 for i in active(k))),
    ("v447", "interactions of degree 1 only"): kept(lambda k, q: len(active(k)) < 2 or max(k) == 1),
    ("v458", "order ignored in the kernel"): two_orders(every_order, dict),
    ("v458", "order ignored in the coefficients"): two_orders(dict, every_order),
    ("v448", "order ignored in the kernel of an additive model"): two_orders(every_order, dict),
    ("v453", "order ignored, so that w is not 0"): order(lambda q, d: d),
    ("v453", "indices of an additive model where w = 0"): wrote(always_indices),
    ("v447", "p_0 of inactive columns left out"): without_constants,
    ("v456", "kernel divided by the mean of its diagonal"): solved(by_mean_diagonal),
    ("v452", "C relative to the mean of the diagonal"): solved(
        lambda features, K, y, C: solve(features, K, y, C / np.diag(K).mean())
    ),
    ("v447", "Gram matrix divided by the mean of its diagonal"): wrote(
        lambda p, out: out.update(gram=(np.array(out["gram"]) / np.diag(out["gram"]).mean()).tolist())
    ),
    ("v447", "measures ignored in version 3"): asked(
        lambda p: "kernel" in p and p["kernel"].update(measures={"family": "hermite"})
    ),
    ("v449", "rescale ignored in version 3"): read(
        lambda p: p.update(
            X=[
                [
                    np.clip(x, -1, 1) if J["family"] == "jacobi" else x
                    for x, J in zip(row, p["measures"], strict=True)
                ]
                for row in p["X"]
            ],
            rescale=False,
        )
    ),
    ("v448", "C a list: the first used in version 3"): asked(
        lambda p: "kernel" in p and isinstance(p.get("C"), list) and p.update(C=p["C"][0])
    ),
    ("v447", "weights of a 0/1 column ignored"): measure(
        "discrete", lambda J: {"weights": [0.5] * len(J["nodes"])}
    ),
    ("v447", "0/1 columns mapped to -1 and 1"): column("discrete", lambda x: 2 * x - 1),
    ("v440", "columns of degree 0 left out of the keys"): wrote(columns_dropped),
    ("v437", "degrees up to the order only"): update(degree=lambda okc: okc["degree"][:2]),
    ("v437", "orders up to the order only"): update(order=lambda okc: okc["order"][:2]),
    # total indices and Shapley effects
    ("v002", "total: the marginal"): effects("total", lambda k, i: len(active(k)) == 1),
    ("v002", "total: interactions only"): effects("total", lambda k, i: len(active(k)) > 1),
    ("v442", "total: orders 1 and 2"): effects("total", lambda k, i: len(active(k)) < 3),
    ("v401", "total: orders 1, 2 and 3"): effects("total", lambda k, i: len(active(k)) < 4),
    ("v002", "total: one minus the marginals of the others"): update(
        total=lambda okc: [1 - sum(okc["marginal"]) + x for x in okc["marginal"]]
    ),
    ("v001", "total: not divided by norm2"): wrote(
        lambda p, out: (
            out["okc"] and out["okc"].update(total=[x * float(out["norm2"]) for x in out["okc"]["total"]])
        )
    ),
    ("v002", "total: divided by the sum of the totals"): normalised("total", "total"),
    ("v447", "total: weighted by the degree"): effects("total", lambda k, i: k[i]),
    ("v438", "total: half of each pair"): effects("total", lambda k, i: 1 if len(active(k)) == 1 else 0.5),
    ("v002", "total: in the order of their size"): update(
        total=lambda okc: sorted(okc["total"], reverse=True)
    ),
    ("v002", "total: columns reversed"): update(total=lambda okc: okc["total"][::-1]),
    ("v002", "Shapley: divided by d"): effects("shapley", lambda k, i: 1 / len(k)),
    ("v002", "Shapley: the total index"): effects("shapley", lambda k, i: 1),
    ("v002", "Shapley: the marginal"): effects("shapley", lambda k, i: len(active(k)) == 1),
    ("v442", "Shapley: half of every interaction"): effects(
        "shapley", lambda k, i: 1 / min(len(active(k)), 2)
    ),
    ("v442", "Shapley: orders 1 and 2"): effects(
        "shapley", lambda k, i: 1 / len(active(k)) if len(active(k)) < 3 else 0
    ),
    ("v002", "Shapley: divided by the order plus 1"): effects(
        "shapley", lambda k, i: 1 / (len(active(k)) + 1)
    ),
    ("v447", "Shapley: divided by the total degree"): effects("shapley", lambda k, i: 1 / sum(k)),
    ("v447", "Shapley: divided in proportion to the degrees"): effects("shapley", lambda k, i: k[i] / sum(k)),
    ("v438", "Shapley: divided by the limit of the order"): effects("shapley", lambda k, i: 1 / 2),
    ("v002", "Shapley: total indices divided by their sum"): normalised("shapley", "total"),
    ("v002", "Shapley: marginals divided by their sum"): normalised("shapley", "marginal"),
    ("v274", "Shapley: the constant mode divided among all columns"): update(
        shapley=lambda okc: [x + okc["order"][0] / len(okc["shapley"]) for x in okc["shapley"]]
    ),
    ("v274", "Shapley: divided by their sum"): normalised("shapley", "shapley"),
}
