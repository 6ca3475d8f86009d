"""The independent certificate checker: ``python checker.py CERT.json``.

It shares no code with what writes certificates, and trusts integers, fractions and mpmath's intervals only.
The Gram matrix is rebuilt from the problem by the explicit Jacobi sum, without a recurrence. Each condition
is proved, or the certificate is rejected by its name.

K = lambda R with R rational and lambda = h_0^(-d). With a = lambda alpha and tau = lambda C, the dual
variables are a_i = u_i + tau v_i, and g(x) = sum_j a_j y_j R(x_j, x) + b with b = b_u + tau b_v.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import ceil, factorial, isfinite, lcm, prod
from operator import mul, sub
from typing import Any, NamedTuple

from mpmath import MPIntervalContext

SCHEMA = "orca-exact/certificate/1"
LIMIT = 1000  # of n, alpha and beta: beyond, a slip or an attempt to keep the checker busy
BITS = 2**16  # of lambda: beyond, its series takes minutes
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


# Format: every number enters here, exactly.


def quotient(value: Any) -> tuple[int, int]:
    """p and q as written: a gcd of 10^5 bits for each number would cost more than the proof."""
    if match := QUOTIENT.fullmatch(value):
        return int(match[1]), int(match[2] or 1)
    raise ValueError


def number(value: Any) -> Fraction:
    if type(value) is int or (type(value) is float and isfinite(value)):
        return Fraction(value)
    if DECIMAL.fullmatch(value):
        return Fraction(value)
    if match := HEX.fullmatch(value):
        sign, whole, part, exponent = match.groups()
        return int(sign + whole + part, 16) * Fraction(2) ** (int(exponent or 0) - 4 * len(part))
    return Fraction(*quotient(value))


def anything(value: Any) -> Any:
    return value


# A dict names its keys, a list describes each of its items, a tuple its choices, a function reads the value.
BOUNDS = {"lower": number, "upper": number}
POINT = {"u": quotient, "v": quotient}
FLAG = (True, False)
SHAPE = {
    "schema": (SCHEMA,),
    "problem": {"schema": ("orca-exact/problem/1",), "id": anything, "X": [[number]], "y": [number]}
    | {"n": number, "alpha": number, "beta": number, "C": number, "rescale": FLAG},
    "level": ("exact", "ball", "gap"),
    "lambda": {"bits": number, **BOUNDS},
    "u": [quotient],
    "v": [quotient],
    "b": POINT,
    "active": {"free": [number], "bound": [number]},
    "claims": {"gap": number, "w_error": number, "norm2": BOUNDS, "hard_margin": (*FLAG, None)}
    | {"alpha_unique": (*FLAG, None), "b_unique": (*FLAG, None)},
    "versions": anything,
    "sha256": anything,
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
    if isinstance(shape, tuple) and any(type(value) is type(choice) and value == choice for choice in shape):
        return value
    try:
        return shape(value)
    except (TypeError, ValueError):
        shown = value if isinstance(value, str | int | float) else type(value).__name__
        raise Rejected("format", f"{place} cannot be {shown!a:.60}") from None


def read(certificate: Any) -> dict[str, Any]:
    interval = isinstance(certificate, dict) and isinstance(b := certificate.get("b"), dict) and "lower" in b
    # Both ends exist: where no support vector is free, bound ones of both classes hold b.
    shape = SHAPE | ({"b": {"lower": POINT, "upper": POINT}} if interval else {})
    cert = parse(certificate, shape, "certificate")
    problem, level = cert["problem"], cert["level"]
    X, y = problem["X"], problem["y"]
    need(len(X) == len(y) == len(cert["u"]) == len(cert["v"]), "format", "X, y, u, v differ in length")
    need(set(y) == {1, -1}, "format", "the labels must be 1 and -1, both present")
    need(len({len(x) for x in X}) == 1 and len(X[0]) > 0, "format", "the points differ in dimension")
    if problem["rescale"]:
        low, high = ([choose(column) for column in zip(*X, strict=True)] for choose in (min, max))
        need(all(map(Fraction.__lt__, low, high)), "format", "rescale: a coordinate is constant")
        X = [[2 * (t - a) / (b - a) - 1 for t, a, b in zip(x, low, high, strict=True)] for x in X]
    need(all(abs(t) <= 1 for x in X for t in x), "format", "a point lies outside [-1, 1]")
    need(problem["n"] in range(LIMIT + 1), "format", f"n must be an integer from 0 to {LIMIT}")
    for key in ("alpha", "beta"):
        need(-1 < problem[key] <= LIMIT, "format", f"{key} must lie in (-1, {LIMIT}]")
    need(problem["C"] > 0, "format", "C must be positive")
    need(cert["lambda"]["bits"] in range(1, BITS + 1), "format", f"lambda.bits must be from 1 to {BITS}")
    need(level == "exact" or not interval, "format", f"at level {level} b must be a point")
    cert["b"] = [cert["b"][end] for end in BOUNDS] if interval else [cert["b"]]
    problem |= {"X": X, "y": [int(label) for label in y], "n": int(problem["n"])}
    return cert


# The kernel.


def pochhammer(x: Fraction, k: int) -> Fraction:
    return prod((x + j for j in range(k)), start=Fraction(1))


def half_integral(iv: Any, alpha: Fraction, beta: Fraction) -> Any:
    """Of (1-x)^alpha (1+x)^beta over [0, 1], by the binomial series of (2-s)^beta, s = 1-x."""
    (a, b), (p, q) = alpha.as_integer_ratio(), beta.as_integer_ratio()
    total, term = iv.mpf(0), iv.mpf(2) ** (iv.mpf(p) / q)
    count = iv.prec + max(0, ceil(beta))
    for k in range(count):
        total += term / (a + (k + 1) * b)
        term = term * (k * q - p) / (2 * (k + 1) * q)
    # Beyond k = beta each term is at most half the one before: the rest is below twice its first.
    return b * (total + iv.mpf([-2, 2]) * term / (a + (count + 1) * b))


def lambda_bounds(alpha: Fraction, beta: Fraction, d: int, bits: int) -> tuple[Fraction, Fraction]:
    """lambda = h_0^(-d), h_0 = 2^(alpha+beta+1) B(alpha+1, beta+1): twice if rational, else cut to its bits.

    With an integer among alpha, beta the Beta value is rational and the power of 2 decides; without one h_0
    is transcendental (Schneider 1941, or a multiple of pi).
    """
    power = d * (alpha + beta + 1)
    k, other = sorted((alpha, beta), key=lambda parameter: parameter.denominator)
    if k.denominator == power.denominator == 1:
        exact = (pochhammer(other + 1, int(k) + 1) / factorial(int(k))) ** d / 2 ** int(power)
        return exact, exact
    iv = MPIntervalContext()
    iv.prec = bits + 64
    while iv.prec <= 2 * BITS:
        # mpmath's powers are approximations rounded outwards and may miss by an ulp: widen by 2^32 of them
        ulps = iv.ldexp(1, 32 - iv.prec)
        h_0 = half_integral(iv, alpha, beta) + half_integral(iv, beta, alpha)
        h_0 *= iv.mpf([1 - ulps, 1 + ulps])
        if h_0 > 0:
            lam = 1 / h_0**d
            e = iv.mag(lam.a)
            low, high = (int(iv.ldexp(end, bits - e)) for end in (lam.a, lam.b))
            if low == high and iv.mag(lam.b) == e:
                return low * Fraction(2) ** (e - bits), (low + 1) * Fraction(2) ** (e - bits)
        iv.prec *= 2
    raise Rejected("lambda", f"not decided to {bits} bits; take fewer")


def cleared(fractions: list[Fraction]) -> tuple[list[int], int]:
    common = lcm(*(x.denominator for x in fractions))
    return [int(x * common) for x in fractions], common


Gram = tuple[list[list[int]], list[int], int]


def gram(X: list[list[Fraction]], n: int, alpha: Fraction, beta: Fraction) -> Gram:
    """Integers N, D, c with R_ij = N_ij / (c D_i D_j), R = prod_l R_1d, R_1d = sum_k P_k P_k h_0 / h_k.

    With A_k = (alpha+1)_k and B_k = (beta+1)_k the explicit sum binom(k+alpha, k-s) binom(k+beta, s) ... is
    P_k(x) = A_k B_k sum_s ((x-1)/2)^s / (A_s s!) ((x+1)/2)^(k-s) / (B_(k-s) (k-s)!).
    """
    A, B = ([pochhammer(parameter + 1, k) for k in range(n + 1)] for parameter in (alpha, beta))
    (F, f), (G, g) = (cleared([1 / (z * factorial(s)) for s, z in enumerate(table)]) for table in (A, B))
    # h_k / h_0 = A_k B_k / ((2k+alpha+beta+1) k! (alpha+beta+2)_(k-1)), and 1 at k = 0, maybe 0/0 there
    ratio = [
        A[k] * B[k] * factorial(k) * (2 * k + alpha + beta + 1) * pochhammer(alpha + beta + 2, k - 1) / 4**k
        for k in range(1, n + 1)
    ]
    weight, c = cleared([Fraction(1), *ratio])

    def values(x: Fraction) -> list[int]:
        """f g q^n 2^k P_k / (A_k B_k) at x = p/q"""
        p, q = x.as_integer_ratio()
        minus = [F[s] * (p - q) ** s for s in range(n + 1)]
        plus = [G[s] * (p + q) ** s for s in range(n + 1)]
        return [q ** (n - k) * sum(map(mul, minus, plus[k::-1])) for k in range(n + 1)]

    P = {t: values(t) for x in X for t in x}
    wP = {t: list(map(mul, weight, P[t])) for t in P}
    N: list[list[int]] = [[0] * len(X) for _ in X]
    for i, x in enumerate(X):
        for j, z in enumerate(X[: i + 1]):
            N[i][j] = N[j][i] = prod(sum(map(mul, wP[s], P[t])) for s, t in zip(x, z, strict=True))
    return N, [prod(t.denominator for t in x) ** n for x in X], (c * (f * g) ** 2) ** len(X[0])


def nonsingular(matrix: list[list[int]], prime: int) -> bool:
    """Modulo the prime, hence over the integers; not conversely, for an unlucky prime."""
    rows = [[entry % prime for entry in row] for row in matrix]
    while rows:
        pivot = next((i for i, row in enumerate(rows) if row[-1]), None)
        if pivot is None:
            return False
        *top, last = rows.pop(pivot)
        inverse = pow(last, -1, prime)
        top = [entry * inverse % prime for entry in top]
        rows = [[(x - last * t) % prime for x, t in zip(row, top, strict=True)] for *row, last in rows]
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


Affine = tuple[int, int]  # p + q tau


def kkt(y: list[int], free: set[int], bound: set[int], margins: list[list[Affine]], tau: Tau) -> set[int]:
    """The conditions where b ends, hence in between; returns the points with y_i g_i = 1 throughout."""
    condition = "primal feasibility"
    for i, margin in ((i, margin) for end in margins for i, margin in enumerate(end) if i not in bound):
        need(tau.sign(*margin, condition) >= 0, condition, f"y_i g_i < 1 but a_i < tau at point {i + 1}")
    condition = "complementarity"
    for i, margin in ((i, margin) for end in margins for i, margin in enumerate(end)):
        need(i not in free or margin == (0, 0), condition, f"y_i g_i is not 1 at the free point {i + 1}")
        below = i not in bound or tau.sign(*margin, condition) <= 0
        need(below, condition, f"y_i g_i > 1 at the bound point {i + 1}")
    tight = [{i for i, margin in enumerate(end) if not tau.sign(*margin, condition)} for end in margins]
    if free:
        need(len(margins) == 1, condition, "b is one number, for there is a free support vector")
    else:
        # Lowering b breaks y_i g_i >= 1 at y_i = 1 and y_i g_i <= 1 at y_i = -1; raising it, the converse.
        floor = any((y[i] > 0) != (i in bound) for i in tight[0])
        ceiling = any((y[i] > 0) == (i in bound) for i in tight[-1])
        need(len(margins) == 2 and floor and ceiling, condition, "b is not the whole interval it may be in")
    return tight[0] & tight[-1]


@contextmanager
def any_digits() -> Iterator[None]:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


@any_digits()
def check(certificate: dict[str, Any]) -> dict[str, Any]:
    """What is proved, condition by condition; ``Rejected`` if anything is not."""
    cert = read(certificate)
    X, y, n, alpha, beta, C = (cert["problem"][key] for key in ("X", "y", "n", "alpha", "beta", "C"))
    exact, claims = cert["level"] == "exact", cert["claims"]
    proved = {}

    bits, lower, upper = (cert["lambda"][key] for key in ("bits", "lower", "upper"))
    bounds = lambda_bounds(alpha, beta, len(X[0]), int(bits))
    need(bounds == (lower, upper), "lambda", f"not the bounds of h_0^(-d) at {bits} bits")
    proved["lambda"] = "rational" if lower == upper else f"enclosed to {bits} bits"
    tau = Tau(C * lower, C * upper)

    # From here on integers: u, v and b over delta.
    delta = lcm(*(q for _, q in cert["u"] + cert["v"]), *(q for b in cert["b"] for _, q in b.values()))
    u, v = ([p * (delta // q) for p, q in cert[part]] for part in "uv")
    bs = [[p * (delta // q) for p, q in (b["u"], b["v"])] for b in cert["b"]]

    condition = "dual feasibility"
    above = [tau.sign(p, q, condition) for p, q in zip(u, v, strict=True)]
    below = [tau.sign(-p, delta - q, condition) for p, q in zip(u, v, strict=True)]
    need(min(above) >= 0 and min(below) >= 0, condition, "not all a_i lie in [0, tau]")
    balanced = sum(map(mul, y, u)) == sum(map(mul, y, v)) == 0
    need(balanced, condition, "sum y_i a_i is not 0 for every tau")
    proved[condition] = "0 <= a_i <= tau, sum y_i a_i = 0"

    condition = "stationarity"
    bound = [i for i, sign in enumerate(below) if not sign]
    free = [i for i, sign in enumerate(above) if sign and below[i]]
    active = {"free": [i + 1 for i in free], "bound": [i + 1 for i in bound]}
    need(cert["active"] == active, condition, "the active sets are not those of u and v")
    proved[condition] = "w = sum alpha_i y_i Phi(x_i) by construction, active sets as listed"

    # y_i a_i = D_i (su_i + tau sv_i) / (top delta), so sum_j R_ij y_j a_j = (hu_i + tau hv_i) / (unit D_i)
    N, D, c = gram(X, n, alpha, beta)
    top = lcm(*D)
    unit, scale = c * top * delta, c * (top * delta) ** 2
    su, sv = ([yi * w * (top // Di) for yi, w, Di in zip(y, part, D, strict=True)] for part in (u, v))
    hu, hv = ([sum(map(mul, row, s)) for row in N] for s in (su, sv))
    margins = [  # unit D_i (y_i g_i - 1)
        [
            (yi * (p + c * top * b_u * Di) - unit * Di, yi * (q + c * top * b_v * Di))
            for yi, p, q, Di in points
        ]
        for b_u, b_v in bs
        for points in [zip(y, hu, hv, D, strict=True)]
    ]

    def enclose(k: list[int]) -> list[Fraction]:
        """k_0 / lambda + k_1 C + k_2 C^2 lambda"""
        ends = [(k[0] / lam, k[2] * C * C * lam) for lam in (lower, upper)]
        return [k[1] * C + sum(map(choose, *ends)) for choose in (min, max)]

    norm2 = [sum(map(mul, su, hu)), 2 * sum(map(mul, su, hv)), sum(map(mul, sv, hv))]  # scale |w|^2
    gap, tight = Fraction(0), set()
    if exact:
        tight = kkt(y, set(free), set(bound), margins, tau)
        proved["primal feasibility"] = "y_i g_i >= 1 where a_i < tau"
        proved["complementarity"] = "y_i g_i = 1 where 0 < a_i < tau, y_i g_i <= 1 where a_i = tau"
    else:
        # P - D = |w|^2 - sum alpha_i + C sum xi_i
        k = [norm2[0] - sum(u) * unit * top, norm2[1] - sum(v) * unit * top, norm2[2]]
        for (p, q), Di in zip(margins[0], D, strict=True):
            xi, weight = tau.at(-p, -q), top // Di * delta
            if min(xi) >= 0:
                k[1], k[2] = k[1] - p * weight, k[2] - q * weight
            else:
                gap += max(Fraction(0), *xi) * weight * C
        gap = (gap + enclose(k)[1]) / scale
        need(gap <= claims["gap"], "complementarity", "P - D is not proved to be at most claims.gap")
        proved["primal feasibility"] = "xi_i = max(0, 1 - y_i g_i) by construction"
        proved["complementarity"] = f"P - D <= {certificate['claims']['gap']}"

    condition = "claims"
    need(not exact or claims["gap"] == claims["w_error"] == 0, condition, "level exact: gap, w_error not 0")
    need(claims["w_error"] >= 0 and gap <= claims["w_error"] ** 2, condition, "w_error < sqrt(P - D)")
    least, most = enclose(norm2)
    inside = claims["norm2"]["lower"] * scale <= max(0, least) and most <= claims["norm2"]["upper"] * scale
    need(inside, condition, "norm2 is not proved to be in its bounds; widen them or raise lambda.bits")
    hard = not bound if exact else None  # the optimum's bound set is known at level exact only
    need(claims["hard_margin"] is hard, condition, "hard_margin is not whether no a_i is tau, or null")
    if claims["b_unique"] is not None:
        b_u, b_v = map(sub, bs[-1], bs[0])
        unique = not tau.sign(b_u, b_v, condition)
        need(exact and claims["b_unique"] is unique, condition, "b_unique is not proved")
    if claims["alpha_unique"] is not None:
        # Solutions differ on E = tight only, by a null vector of the Gram matrix of E that sums to 0.
        bordered = [[*(N[i][j] for j in tight), D[i]] for i in tight] + [[*(D[j] for j in tight), 0]]
        unique = exact and (not tight or any(nonsingular(bordered, prime) for prime in PRIMES))
        need(claims["alpha_unique"] and unique, condition, "alpha_unique is not proved; claim null")
    proved[condition] = "proved"

    body = {key: value for key, value in certificate.items() if key != "sha256"}
    try:
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise Rejected("format", "not JSON") from None
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    need(certificate["sha256"] == digest, "sha256", "not the digest of this text")
    proved["sha256"] = "as stated"
    return {"level": cert["level"], "conditions": proved, **certificate["claims"]}


@any_digits()
def main(argv: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if argv is None else argv
    if len(arguments) != 1:
        print("usage: python checker.py CERT.json", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8-sig") as file:
            certificate = json.load(file)
        if not isinstance(certificate, dict) or certificate.get("schema") != SCHEMA:
            raise ValueError(f"the schema is not {SCHEMA}")
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
    print(f"accepted at level {summary['level']}: |w - w*| <= {summary['w_error']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
