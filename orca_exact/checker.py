"""The independent certificate checker: ``python checker.py CERT.json``.

It shares no code with what writes certificates and trusts integers, fractions and mpmath's intervals only: the
Gram matrix is rebuilt from the problem by the explicit Jacobi sum, without a recurrence, and each condition is
proved or the certificate is rejected by its name.

K = lambda R with R rational, lambda = h_0^(-d). With a = lambda alpha and tau = lambda C, the dual variables are
a_i = u_i + tau v_i, and g(x) = sum_j a_j y_j R(x_j, x) + b with b = b_u + tau b_v.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from math import factorial, isfinite, lcm, prod
from operator import mul
from typing import Any, NamedTuple

from mpmath import MPIntervalContext  # type: ignore[import-untyped]

SCHEMA = "orca-exact/certificate/1"
LIMIT = 1000  # of n, alpha and beta: beyond, a slip or an attempt to keep the checker busy
BITS = 8192  # of lambda: beyond, mpmath's gamma takes minutes
PRIMES = (2**61 - 1, 2**61 - 31, 2**61 - 45)
QUOTIENT = re.compile(r"([+-]?\d+)(?:/(0*[1-9]\d*))?", re.ASCII)
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,5})?", re.ASCII)
HEX = re.compile(r"([+-]?)0[xX]([\da-fA-F]+)\.?([\da-fA-F]*)(?:[pP]([+-]?\d{1,5}))?", re.ASCII)


class Rejected(Exception):
    """The certificate does not prove what it claims; ``condition`` names the one that failed."""

    def __init__(self, condition: str, message: str):
        super().__init__(f"{condition}: {message}")
        self.condition = condition


def need(holds: bool, condition: str, message: str) -> None:
    if not holds:
        raise Rejected(condition, message)


@contextmanager
def any_digits() -> Iterator[None]:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


# Format: every number enters here, exactly.


def quotient(value: Any) -> tuple[int, int]:
    """p and q as written: a gcd of 10^5 bits for each number would cost more than the proof."""
    match = QUOTIENT.fullmatch(value)
    if match is None:
        raise ValueError
    return int(match[1]), int(match[2] or 1)


def number(value: Any) -> Fraction:
    if type(value) is int or type(value) is float and isfinite(value):
        return Fraction(value)
    if DECIMAL.fullmatch(value):
        return Fraction(value)
    if match := HEX.fullmatch(value):
        sign, whole, part, exponent = match.groups()
        return int(sign + whole + part, 16) * Fraction(2) ** (int(exponent or 0) - 4 * len(part))
    return Fraction(*quotient(value))


def one_of(*choices: Any) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise ValueError
        return value

    return parse


FLAG = one_of(True, False, None)
POINT = {"u": quotient, "v": quotient}
SHAPE = {
    "schema": one_of(SCHEMA),
    "problem": {
        "schema": one_of("orca-exact/problem/1"),
        "id": lambda value: value,
        "X": [[number]],
        "y": [number],
    }
    | {"n": number, "alpha": number, "beta": number, "C": number, "rescale": one_of(True, False)},
    "level": one_of("exact", "ball", "gap"),
    "lambda": {"bits": number, "lower": number, "upper": number},
    "u": [quotient],
    "v": [quotient],
    "b": POINT,
    "active": {"free": [number], "bound": [number]},
    "claims": {"gap": number, "w_error": number, "norm2": {"lower": number, "upper": number}}
    | {"alpha_unique": FLAG, "b_unique": FLAG, "hard_margin": one_of(True, False)},
    "versions": lambda value: value,
    "sha256": lambda value: value,
}


def parse(value: Any, shape: Any, place: str) -> Any:
    if isinstance(shape, dict):
        need(isinstance(value, dict), "format", f"{place} must be an object")
        odd = (set(value) | {"id"} & set(shape)) ^ set(shape)
        need(not odd, "format", f"{place}: missing or unknown {ascii(sorted(map(str, odd)))[:60]}")
        return {key: parse(value[key], shape[key], f"{place}.{key}") for key in value}
    if isinstance(shape, list):
        need(isinstance(value, list), "format", f"{place} must be a list")
        return [parse(item, shape[0], f"{place}[{i}]") for i, item in enumerate(value, 1)]
    try:
        return shape(value)
    except (TypeError, ValueError):
        raise Rejected("format", f"{place} cannot be {ascii(value)[:60]}") from None


def read(certificate: Any) -> dict[str, Any]:
    interval = isinstance(certificate, dict) and isinstance(b := certificate.get("b"), dict) and "lower" in b
    # Both ends exist: bound support vectors of both classes hold b where none is free.
    shape = SHAPE | ({"b": {"lower": POINT, "upper": POINT}} if interval else {})
    cert = parse(certificate, shape, "certificate")
    problem = cert["problem"]
    X, m = problem["X"], len(problem["y"])
    need(len(X) == m == len(cert["u"]) == len(cert["v"]), "format", "X, y, u and v must have one length")
    need(set(problem["y"]) == {1, -1}, "format", "the labels y must be 1 and -1, both present")
    need(len({len(x) for x in X}) == 1 and len(X[0]) > 0, "format", "the points of X must have one dimension")
    if problem["rescale"]:
        spans = [(min(column), max(column)) for column in zip(*X)]
        need(all(low < high for low, high in spans), "format", "rescale: a coordinate is constant")
        problem["X"] = X = [[2 * (t - low) / (high - low) - 1 for t, (low, high) in zip(x, spans)] for x in X]
    need(all(abs(t) <= 1 for x in X for t in x), "format", "a point lies outside [-1, 1]")
    need(problem["n"] in range(LIMIT + 1), "format", f"n must be an integer from 0 to {LIMIT}")
    in_range = all(-1 < problem[key] <= LIMIT for key in ("alpha", "beta"))
    need(in_range, "format", f"alpha and beta must lie in (-1, {LIMIT}]")
    need(problem["C"] > 0, "format", "C must be positive")
    need(cert["lambda"]["bits"] in range(1, BITS + 1), "format", f"lambda.bits must be from 1 to {BITS}")
    need(not interval or cert["level"] == "exact", "format", "b is an interval at level exact only")
    cert["b"] = [cert["b"][end] for end in ("lower", "upper")] if interval else [cert["b"]]
    return cert


# The kernel.


def pochhammer(x: Fraction, k: int) -> Fraction:
    return prod((x + j for j in range(k)), start=Fraction(1))


def lambda_bounds(alpha: Fraction, beta: Fraction, d: int, bits: int) -> tuple[Fraction, Fraction]:
    """lambda = h_0^(-d), h_0 = 2^(alpha+beta+1) B(alpha+1, beta+1): twice if rational, else cut to ``bits`` bits.

    With an number among alpha, beta the Beta value is rational and the power of 2 decides; without one h_0 is
    transcendental (Schneider 1941, or a multiple of pi), so the loop ends.
    """
    power = d * (alpha + beta + 1)
    k, other = sorted((alpha, beta), key=lambda parameter: parameter.denominator)
    if k.denominator == power.denominator == 1:
        exact = (pochhammer(other + 1, int(k) + 1) / factorial(int(k))) ** d / 2 ** int(power)
        return exact, exact
    iv = MPIntervalContext()
    iv.prec = bits + 64
    while True:
        p, q, r = (iv.mpf(x.numerator) / x.denominator for x in (alpha + 1, beta + 1, alpha + beta + 1))
        h_0 = iv.mpf(2) ** r * iv.gamma(p) * iv.gamma(q) / iv.gamma(r + 1)
        # mpmath rounds an approximation of gamma outwards, which may miss by an ulp: widen by 2^32 of them
        ulps = iv.ldexp(1, 32 - iv.prec)
        lam = 1 / (h_0 * iv.mpf([1 - ulps, 1 + ulps])) ** d
        e = iv.mag(lam.a)
        low, high = (int(iv.ldexp(end, bits - e)) for end in (lam.a, lam.b))
        if low == high and iv.mag(lam.b) == e:
            return low * Fraction(2) ** (e - bits), (low + 1) * Fraction(2) ** (e - bits)
        iv.prec *= 2


def gram(
    X: list[list[Fraction]], n: int, alpha: Fraction, beta: Fraction
) -> tuple[list[list[int]], list[int], int]:
    """Integers N, D, c with R_ij = N_ij / (c D_i D_j), R = prod over coordinates of sum_k P_k P_k h_0 / h_k."""

    def binomial(top: Fraction, k: int) -> Fraction:
        return pochhammer(top - k + 1, k) / factorial(k)

    coefficients, weights = [], []
    for k in range(n + 1):
        # 2^k P_k(x) = sum_s binom(k+alpha, k-s) binom(k+beta, s) (x-1)^s (x+1)^(k-s)
        row = [binomial(k + alpha, k - s) * binomial(k + beta, s) for s in range(k + 1)]
        scale = lcm(*(c.denominator for c in row))
        coefficients.append([int(c * scale) for c in row])
        h = pochhammer(alpha + 1, k) * pochhammer(beta + 1, k) / factorial(k)
        if k:  # the general formula is 0/0 at k = 0, alpha + beta = -1
            h /= (2 * k + alpha + beta + 1) * pochhammer(alpha + beta + 2, k - 1)
        weights.append(1 / (h * (scale * 2**k) ** 2))
    common = lcm(*(weight.denominator for weight in weights))

    def values(x: Fraction) -> list[int]:
        p, q = x.numerator, x.denominator
        minus, plus = ([z**s for s in range(n + 1)] for z in (p - q, p + q))
        sums = (sum(map(mul, map(mul, row, minus), plus[k::-1])) for k, row in enumerate(coefficients))
        return [q ** (n - k) * total for k, total in enumerate(sums)]

    P = {t: values(t) for t in {t for x in X for t in x}}
    wP = {t: [int(weight * common) * p for weight, p in zip(weights, P[t])] for t in P}
    half = [
        [prod(sum(map(mul, wP[s], P[t])) for s, t in zip(x, z)) for z in X[: i + 1]] for i, x in enumerate(X)
    ]
    N = [[half[max(i, j)][min(i, j)] for j in range(len(X))] for i in range(len(X))]
    return N, [prod(t.denominator for t in x) ** n for x in X], common ** len(X[0])


def nonsingular(matrix: list[list[int]], prime: int) -> bool:
    """Modulo the prime, which proves it over the numbers; the converse fails for unlucky primes."""
    rows = [[entry % prime for entry in row] for row in matrix]
    while rows:
        pivot = next((i for i, row in enumerate(rows) if row[-1]), None)
        if pivot is None:
            return False
        *top, last = rows.pop(pivot)
        inverse = pow(last, -1, prime)
        top = [entry * inverse % prime for entry in top]
        rows = [[(entry - row[-1] * t) % prime for entry, t in zip(row, top)] for row in rows]
    return True


# The proof.


class Tau(NamedTuple):
    """lambda C: rational if its bounds are equal, else irrational and strictly between them."""

    lower: Fraction
    upper: Fraction

    def at(self, p: int, q: int) -> list[Fraction]:
        return [p + q * end for end in self]

    def sign(self, p: int, q: int, condition: str) -> int:
        """The sign of p + q tau."""
        signs = {(value > 0) - (value < 0) for value in self.at(p, q)}
        if len(signs) == 2:
            signs.discard(0)
        need(len(signs) == 1, condition, "the bounds of lambda leave a sign undecided; raise lambda.bits")
        return signs.pop()


Margins = list[tuple[int, int]]  # y_i g_i - 1 = p + q tau, times a positive number


def kkt(y: list[int], free: set[int], bound: set[int], margins: list[Margins], tau: Tau) -> set[int]:
    """The conditions at every end of b, hence between them; returns the points with y_i g_i = 1 all along."""
    for i, (p, q) in ((i, line) for margin in margins for i, line in enumerate(margin) if i not in bound):
        condition = "primal feasibility"
        need(tau.sign(p, q, condition) >= 0, condition, f"y_i g_i < 1 and a_i < tau at point {i + 1}")
    condition = "complementarity"
    need(
        (len(margins) == 1) == bool(free),
        condition,
        "b is an interval if and only if no support vector is free",
    )
    for i, (p, q) in ((i, line) for margin in margins for i, line in enumerate(margin)):
        need(i not in free or p == q == 0, condition, f"y_i g_i is not 1 for every tau at free point {i + 1}")
        need(
            i not in bound or tau.sign(p, q, condition) <= 0, condition, f"y_i g_i > 1 at bound point {i + 1}"
        )
    tight = [{i for i, line in enumerate(margin) if not tau.sign(*line, condition)} for margin in margins]
    # b cannot fall below where y_i = 1, a_i = 0 (or y_i = -1, a_i = tau) is tight, nor rise above the converse.
    extreme = any((y[i] > 0) != (i in bound) for i in tight[0]) and any(
        (y[i] > 0) == (i in bound) for i in tight[-1]
    )
    need(bool(free) or extreme, condition, "b ends before the conditions stop it")
    return tight[0] & tight[-1]


@any_digits()
def check(certificate: dict[str, Any]) -> dict[str, Any]:
    """What is proved, condition by condition; ``Rejected`` if anything is not."""
    return prove(read(certificate), certificate)


def prove(cert: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
    X, y, n, alpha, beta, C = (cert["problem"][key] for key in ("X", "y", "n", "alpha", "beta", "C"))
    y, m, exact, claims, proved = [*map(int, y)], len(y), cert["level"] == "exact", cert["claims"], {}

    bits, lower, upper = (cert["lambda"][key] for key in ("bits", "lower", "upper"))
    bounds = lambda_bounds(alpha, beta, len(X[0]), int(bits))
    need(bounds == (lower, upper), "lambda", f"not the bounds of h_0^(-d) at {bits} bits")
    proved["lambda"] = "rational" if lower == upper else f"enclosed to {bits} bits"
    tau = Tau(C * lower, C * upper)

    # From here on numbers: u, v and b over delta.
    delta = lcm(*(q for _, q in cert["u"] + cert["v"]), *(q for b in cert["b"] for _, q in b.values()))
    u, v = ([p * (delta // q) for p, q in cert[part]] for part in "uv")
    bs = [[p * (delta // q) for p, q in (b["u"], b["v"])] for b in cert["b"]]

    condition = "dual feasibility"
    above = [tau.sign(p, q, condition) for p, q in zip(u, v)]
    below = [tau.sign(-p, delta - q, condition) for p, q in zip(u, v)]
    for i in range(m):
        need(above[i] >= 0 and below[i] >= 0, condition, f"a_i is not in [0, tau] at point {i + 1}")
    need(not sum(map(mul, y, u)) and not sum(map(mul, y, v)), condition, "sum y_i a_i is not 0 for every tau")
    proved[condition] = "0 <= a_i <= tau, sum y_i a_i = 0"

    condition = "stationarity"
    free, bound = [i for i in range(m) if above[i] and below[i]], [i for i in range(m) if not below[i]]
    for key, indices in ("free", free), ("bound", bound):
        need(
            cert["active"][key] == [i + 1 for i in indices], condition, f"active.{key} is not that of u and v"
        )
    proved[condition] = "w = sum alpha_i y_i Phi(x_i) by construction, free and bound sets as listed"

    # y_i a_i = D_i (su_i + tau sv_i) / (top delta), so sum_j R_ij y_j a_j = (hu_i + tau hv_i) / (unit D_i)
    N, D, c = gram(X, int(n), alpha, beta)
    top = lcm(*D)
    unit = c * top * delta
    su, sv = ([yi * w * (top // Di) for yi, w, Di in zip(y, part, D)] for part in (u, v))
    hu, hv = ([sum(map(mul, row, s)) for row in N] for s in (su, sv))
    margins: list[Margins] = []
    for bu, bv in ((c * top * bu, c * top * bv) for bu, bv in bs):
        rows = zip(y, hu, hv, D)
        margins.append([(yi * (p + bu * Di) - unit * Di, yi * (q + bv * Di)) for yi, p, q, Di in rows])

    def enclose(k: list[int]) -> list[Fraction]:
        """k_0 / lambda + k_1 C + k_2 C^2 lambda"""
        ends = [(k[0] / lam, k[2] * C * C * lam) for lam in (lower, upper)]
        return [k[1] * C + sum(map(choose, *ends)) for choose in (min, max)]

    scale = unit * top * delta
    norm2 = [sum(map(mul, su, hu)), 2 * sum(map(mul, su, hv)), sum(map(mul, sv, hv))]  # scale |w|^2
    gap, tight = Fraction(0), set()
    if exact:
        tight = kkt(y, {*free}, {*bound}, margins, tau)
        proved["primal feasibility"] = "y_i g_i >= 1 where a_i < tau"
        proved["complementarity"] = "y_i g_i = 1 where 0 < a_i < tau, y_i g_i <= 1 where a_i = tau"
    else:
        # P - D = |w|^2 - sum alpha_i + C sum xi_i
        k = [norm2[0] - sum(u) * unit * top, norm2[1] - sum(v) * unit * top, norm2[2]]
        for (p, q), weight in zip(margins[0], (top // Di * delta for Di in D)):
            xi = tau.at(-p, -q)
            if min(xi) >= 0:
                k[1], k[2] = k[1] - p * weight, k[2] - q * weight
            else:
                gap += max(0, *xi) * weight * C
        gap = (gap + enclose(k)[1]) / scale
        size = Decimal(gap.numerator) / gap.denominator
        need(gap <= claims["gap"], "complementarity", f"the proved gap is {size:.3g}, not the claimed one")
        proved["primal feasibility"] = "xi_i = max(0, 1 - y_i g_i) by construction"
        proved["complementarity"] = f"P - D <= {written['claims']['gap']}"

    condition = "claims"
    need(
        not exact or claims["gap"] == 0 == claims["w_error"],
        condition,
        "at level exact gap and w_error are 0",
    )
    need(
        claims["w_error"] >= 0 and claims["w_error"] ** 2 >= gap,
        condition,
        "w_error is less than sqrt(P - D)",
    )
    least, most = enclose(norm2)
    inside = claims["norm2"]["lower"] * scale <= least and most <= claims["norm2"]["upper"] * scale
    need(inside, condition, "norm2 is not proved to lie in its bounds; widen them or raise lambda.bits")
    need(claims["hard_margin"] is (not bound), condition, "hard_margin is not whether the bound set is empty")
    b_unique = exact and (bool(free) or not tau.sign(bs[1][0] - bs[0][0], bs[1][1] - bs[0][1], condition))
    need(claims["b_unique"] in ((None, b_unique) if exact else (None,)), condition, "b_unique is not proved")
    if claims["alpha_unique"] is not None:
        # Two solutions differ on E = tight only, by a null vector of the Gram matrix of E that sums to 0.
        bordered = [[*(N[i][j] for j in tight), D[i]] for i in tight] + [[*(D[j] for j in tight), 0]]
        unique = exact and (not tight or any(nonsingular(bordered, prime) for prime in PRIMES))
        need(claims["alpha_unique"] and unique, condition, "alpha_unique is not proved; claim null")
    proved[condition] = "proved"

    rest = {key: value for key, value in written.items() if key != "sha256"}
    try:
        canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise Rejected("format", "versions or problem.id is not JSON") from None
    need(
        hashlib.sha256(canonical.encode()).hexdigest() == written["sha256"],
        "sha256",
        "the content has changed",
    )
    proved["sha256"] = "matches"
    return {"level": cert["level"], "conditions": proved, **written["claims"]}


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is repeated")
    return dict(pairs)


@any_digits()
def main(argv: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if argv is None else argv
    if len(arguments) != 1:
        print("usage: python checker.py CERT.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            certificate = json.load(file, object_pairs_hook=distinct)
        if not isinstance(certificate, dict) or certificate.get("schema") != SCHEMA:
            raise ValueError(f"its schema is not {SCHEMA}")
    except (OSError, ValueError, RecursionError) as error:
        print(f"{arguments[0]}: not a certificate: {error}", file=sys.stderr)
        return 4
    try:
        summary = check(certificate)
    except Rejected as rejection:
        print(f"rejected: {rejection}", file=sys.stderr)
        return 1
    for condition, evidence in summary["conditions"].items():
        print(f"{condition}: {evidence}")
    print(f"accepted: level {summary['level']}, |w - w*| <= {summary['w_error']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
