"""The independent certificate checker: ``python checker.py CERT.json``, or CERT.json.gz.

It shares no code with what writes certificates, and trusts integers, fractions and mpmath's intervals only.
The Gram matrix is rebuilt from the problem by explicit sums, or the moments of a discrete measure, without a
recurrence; where modes are fewer than points, only what it makes of a vector. ``check`` lists what is
proved: each function proves one condition and says so, or rejects the certificate by its name. "Rocq" names
the theorems that make a condition enough (``proofs_checks/formal``).

P(w, b) = |w|^2 / 2 + sum_i C_i xi_i, xi_i = max(0, 1 - y_i g(x_i)), g(x) = <w, Phi(x)> + b, is to be least,
and D(alpha) = sum_i alpha_i - |w|^2 / 2, w = sum_i alpha_i y_i Phi(x_i), greatest over 0 <= alpha_i <= C_i
with sum_i y_i alpha_i = 0. K = lambda R with R rational and lambda = prod 1/h_0 over the coordinates, h_0 the
mass of a measure. With C = max C_i, C_i = C omega_i, a = lambda alpha and tau = lambda C, the dual variables
are a_i = u_i + tau v_i in [0, omega_i tau], and g(x) = sum_j a_j y_j R(x_j, x) + b with b = b_u + tau b_v;
the certificate gives u, v, b_u and b_v. A path gives them for intervals of tau that follow one another: every
condition is affine in tau, so it holds on an interval because it holds at both ends.
"""

import gzip
import hashlib
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from io import BytesIO
from itertools import pairwise
from math import ceil, comb, factorial, gcd, isfinite, lcm, prod
from operator import mul, sub
from typing import Any, NamedTuple

from mpmath import MPIntervalContext

SCHEMA, PATH = "orca-exact/certificate/1", "orca-exact/path/1"
LIMIT = 1000  # of n, alpha and beta: beyond, a slip or an attempt to keep the checker busy
BITS = 2**14  # of lambda
EXTRA = (64, 2**11, 2**12)  # bits that are carried beside those, one after the other
SIZE = 2**26  # bytes of a file, unpacked
WORK = 5 * 10**11  # products of two digits of 30 bits: minutes
LAMBDA_WORK = 5 * 10**10  # of these, to enclose lambda once: seconds
COMMON = 2**20  # bits of a common denominator
MEMORY = 2**34  # bits of the Gram matrix
PRIMES = (2**61 - 1, 2**61 - 31, 2**61 - 45)
QUOTIENT = re.compile(r"([+-]?\d+)(?:/(0*[1-9]\d*))?", re.ASCII)
DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,5})?", re.ASCII)
HEX = re.compile(r"([+-]?)0[xX]([\da-fA-F]+)(?:\.([\da-fA-F]*))?(?:[pP]([+-]?\d{1,5}))?", re.ASCII)
EXPONENT = re.compile(r".*[eEpP][+-]?(\d{1,5})", re.ASCII)


class Rejected(Exception):
    """The certificate does not prove what it claims; ``condition`` names the one that failed."""

    def __init__(self, condition: str, message: str):
        super().__init__(f"{condition}: {message}")
        self.condition = condition


def need(holds: bool, condition: str, message: str) -> None:
    """Reject the certificate by the condition's name, unless it holds."""
    if not holds:
        raise Rejected(condition, message)


# Work: what a file asks for is estimated from the sizes of its numbers, and refused before it is begun.


def product(a: float, b: float) -> float:
    """Of integers of a and b bits, as Python multiplies: by Karatsuba's rule beyond 70 digits."""
    short, long = sorted((a / 30 + 1, b / 30 + 1))
    return long * min(short, 5.83 * short**0.585) + 150


def remainder(a: float, b: float) -> float:
    """Of an integer of a bits by one of b, or their gcd if a is the longer."""
    return 2 * (a / 30 + 1) * (b / 30 + 1) + 4 * (b / 30 + 1) ** 2


class Work:
    """What is left of WORK, and who hears how far it is."""

    def __init__(self, progress: Callable[[str], object] = str) -> None:
        self.left, self.progress = float(WORK), progress

    def spend(self, cost: float, what: str, most: float = WORK) -> None:
        """Reject the certificate if the cost of this is above ``most`` or beyond what is left."""
        self.left -= cost
        total, limit = (cost, most) if cost > most else (WORK - self.left, WORK)
        asks = f"{what} too large: the work, {total:.1e} products of digits, is above {limit:.1e}"
        need(total <= limit, "format", asks)

    def lcm(self, numbers: Iterable[int], what: str) -> int:
        """Their least common multiple, given up where it grows too long."""
        common = 1
        for q in set(numbers):
            self.spend(remainder(max(common.bit_length(), q.bit_length()), q.bit_length()), what)
            common = lcm(common, q)
            long = common.bit_length()
            need(long <= COMMON, "format", f"{what} too large: {long} bits in common, above {COMMON}")
        return common


# Format: every number enters here, exactly.


def size(value: Any) -> int:
    """Bits of a number, at most, before it is expanded."""
    if not isinstance(value, str):
        return value.bit_length() if isinstance(value, int) else 2**11
    exponent = EXPONENT.fullmatch(value[-8:])
    return 4 * (len(value) + int(exponent[1] if exponent else 0))


@contextmanager
def any_digits() -> Iterator[None]:
    """Python reads integers of any length here."""
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(limit)


def quotient(value: Any) -> tuple[int, int]:
    """p and q as written: a gcd of 10^5 bits for each number would cost more than the proof."""
    if match := QUOTIENT.fullmatch(value):
        return int(match[1]), int(match[2] or 1)
    raise ValueError


def number(value: Any) -> Fraction:
    """An exact rational from a JSON number, a decimal, a hex float or a quotient."""
    if type(value) is int or (type(value) is float and isfinite(value)):
        return Fraction(value)
    if DECIMAL.fullmatch(value):
        return Fraction(value)
    if match := HEX.fullmatch(value):
        sign, whole, part, exponent = match.groups()
        part = part or ""
        return int(sign + whole + part, 16) * Fraction(2) ** (int(exponent or 0) - 4 * len(part))
    return Fraction(*quotient(value))


def integer(value: Any) -> int:
    """Return a JSON integer as it is; 1.0, "1" and true are not integers."""
    if type(value) is int:
        return value
    raise ValueError


def wide(value: Any) -> Any:
    """A number that may be longer than those of a problem, as text: a bound of lambda, a claim."""
    if not isinstance(value, str):
        raise ValueError
    return number(value)


def anything(value: Any) -> Any:
    """What the proof does not use."""
    return value


@dataclass(frozen=True)
class Each:
    """One for all, or a list."""

    shape: Any


@dataclass(frozen=True)
class Maybe:
    """Or null."""

    shape: Any


@dataclass(frozen=True)
class By:
    """The shape that a field of the value names; the first, which has it wrong, if there is none."""

    field: str
    shapes: dict[str, Any]

    def of(self, value: Any) -> Any:
        """For this value."""
        name = value.get(self.field) if isinstance(value, dict) else None
        return self.shapes.get(name if isinstance(name, str) else "", next(iter(self.shapes.values())))


LONGEST = {integer: 2**13, number: 2**13, wide: 2**18, quotient: 2**21}  # bits
# A dict names its keys, a list describes each of its items, a tuple its choices, a function reads the value.
BOUNDS = {"lower": wide, "upper": wide}
POINT = {"u": quotient, "v": quotient}
INTERVAL = {"lower": POINT, "upper": POINT}
FLAG = (True, False)
JACOBI = {"alpha": number, "beta": number}
MEASURES = {
    "jacobi": {"family": ("jacobi",), **JACOBI},
    "hermite": {"family": ("hermite",)},
    "laguerre": {"family": ("laguerre",), "alpha": number},
    "discrete": {"family": ("discrete",), "nodes": [number], "weights": [number]},
}
PROBLEM = {"id": anything, "X": [[number]], "y": [number], "rescale": FLAG}
PROBLEMS = {
    "orca-exact/problem/1": {"schema": ("orca-exact/problem/1",), "n": integer, "C": number}
    | {**JACOBI, **PROBLEM},
    "orca-exact/problem/2": {"schema": ("orca-exact/problem/2",), "n": Each(integer), "C": Each(number)}
    | {"measures": Each(By("family", MEASURES)), "names": anything, **PROBLEM},
}
SHAPE = {
    "schema": (SCHEMA,),
    "problem": By("schema", PROBLEMS),
    "level": ("exact", "ball", "gap"),
    "lambda": {"bits": integer, **BOUNDS},
    "u": [quotient],
    "v": [quotient],
    "b": POINT,
    "active": {"free": [integer], "bound": [integer]},
    "claims": {"gap": wide, "w_error": wide, "norm2": BOUNDS, "hard_margin": (*FLAG, None)}
    | {"alpha_unique": (*FLAG, None), "b_unique": (*FLAG, None)},
    "versions": anything,
    "sha256": anything,
}


KINDS = ("enters", "leaves", "reaches its bound", "leaves its bound", "holds b", "meets b")
SEGMENT = {
    "lower": quotient,
    "upper": Maybe(quotient),
    **{key: [integer] for key in ("free", "bound")},
    **{key: [quotient] for key in ("u", "v")},
    "b": [POINT],
    "events": [{"kind": KINDS, "point": integer}],
}
PATH_SHAPE = {
    "schema": (PATH,),
    "C": {"lower": wide, "upper": Maybe(wide)},
    "segments": [SEGMENT],
    "claims": {"hard_margin": (*FLAG, None)},
    **{key: SHAPE[key] for key in ("problem", "lambda", "versions", "sha256")},
}


def parse(value: Any, shape: Any, place: str, work: Work) -> Any:
    """The value as its shape says; Rejected, with the place, where it is not of that shape."""
    if isinstance(shape, Maybe):
        return None if value is None else parse(value, shape.shape, place, work)
    if isinstance(shape, Each):
        shape = [shape.shape] if isinstance(value, list) else shape.shape
    if isinstance(shape, By):
        shape = shape.of(value)
    if isinstance(shape, dict):
        need(isinstance(value, dict), "format", f"{place} must be an object")
        odd = (set(value) | {"id", "names"} & set(shape)) ^ set(shape)
        need(not odd, "format", f"{place}: missing or unknown {ascii(sorted(map(str, odd)))[:60]}")
        return {key: parse(value[key], shape[key], f"{place}.{key}", work) for key in value}
    if isinstance(shape, list):
        need(isinstance(value, list), "format", f"{place} must be a list")
        return [parse(item, shape[0], f"{place}[{i}]", work) for i, item in enumerate(value, 1)]
    if isinstance(shape, tuple) and any(type(value) is type(choice) and value == choice for choice in shape):
        return value
    if most := not isinstance(shape, tuple) and LONGEST.get(shape):
        bits = size(value)
        need(bits <= most, "format", f"{place} is too long: {bits} bits, and at most {most} are read")
        work.spend(1000 + 100 * bits + (bits / 30) ** 2, f"{place} and the numbers before it are")
    try:
        return shape(value)
    except (TypeError, ValueError):
        short = isinstance(value, str | float) or (isinstance(value, int) and size(value) < 2**10)
        shown = value if short else type(value).__name__
        raise Rejected("format", f"{place} cannot be {shown!a:.60}") from None


class Measure(NamedTuple):
    """Of one coordinate: (alpha, beta), (), (alpha,), or nodes p_i/q of weights w_i/v as (p, q, w, v)."""

    family: str
    n: int
    numbers: tuple


def integers(values: list[Fraction], what: str, work: Work) -> tuple[tuple[int, ...], int]:
    """Their numerators over a common denominator, and that, if it is not too long."""
    common = work.lcm((x.denominator for x in values), what)
    bits = max(x.numerator.bit_length() for x in values)
    work.spend(len(values) * (product(bits, common.bit_length()) + 100), what)
    return tuple(x.numerator * (common // x.denominator) for x in values), common


def measure(given: dict[str, Any], n: int, work: Work) -> Measure:
    """A measure that exists, with a degree that it has polynomials for."""
    need(0 <= n <= LIMIT, "format", f"n must be an integer from 0 to {LIMIT}")
    for key in ("alpha", "beta"):
        need(key not in given or -1 < given[key] <= LIMIT, "format", f"{key} must lie in (-1, {LIMIT}]")
    if given["family"] != "discrete":
        return Measure(given["family"], n, tuple(given[key] for key in JACOBI if key in given))
    nodes, weights = given["nodes"], given["weights"]
    need(len(nodes) == len(weights) > n, "format", "nodes and weights: not as many, or not more than n")
    need(len(set(nodes)) == len(nodes) and min(weights) > 0, "format", "a node repeats or weighs nothing")
    what = "nodes or weights are"
    return Measure("discrete", n, integers(nodes, what, work) + integers(weights, what, work))


def measures(problem: dict[str, Any], d: int, work: Work) -> tuple[Measure, ...]:
    """One for each coordinate."""
    one = {"family": "jacobi"} | {key: problem[key] for key in JACOBI if key in problem}
    both = problem.get("measures", one), problem["n"]
    given, n = (x if isinstance(x, list) else [x] * d for x in both)
    need(len(given) == len(n) == d, "format", "measures and n: one for all coordinates, or one for each")
    known: dict[tuple[int, int], Measure] = {}  # a measure for all is read once
    for this, top in zip(given, n, strict=True):
        if (id(this), top) not in known:
            known[id(this), top] = measure(this, top, work)
    return tuple(known[id(this), top] for this, top in zip(given, n, strict=True))


def points(X: list[list[Fraction]], rescale: bool, families: list[str]) -> list[list[Fraction]]:
    """Where the measures live, as they stand or with the range of each of Jacobi's mapped onto [-1, 1]."""
    columns = [list(column) for column in zip(*X, strict=True)]
    for j, (column, family) in enumerate(zip(columns, families, strict=True)):
        if family == "jacobi":
            if rescale:
                low, high = min(column), max(column)
                need(low < high, "format", f"rescale: coordinate {j + 1} is constant")
                columns[j] = [2 * (t - low) / (high - low) - 1 for t in column]
            inside = all(abs(t) <= 1 for t in columns[j])
            need(inside, "format", f"a point lies outside [-1, 1] in coordinate {j + 1}")
        need(family != "laguerre" or min(column) >= 0, "format", f"a point is negative in coordinate {j + 1}")
    return [list(x) for x in zip(*columns, strict=True)]


@any_digits()
def read(certificate: Any, work: Work) -> dict[str, Any]:
    """Every number in its domain; a measure for each coordinate, y in integers, b as one or two ends."""
    interval = isinstance(certificate, dict) and isinstance(b := certificate.get("b"), dict) and "lower" in b
    # Both ends exist: where no support vector is free, bound ones of both classes hold b.
    cert = parse(certificate, SHAPE | {"b": INTERVAL if interval else POINT}, "certificate", work)
    problem, level, b = settled(cert["problem"], work), cert["level"], cert["b"]
    alike = len(problem["y"]) == len(cert["u"]) == len(cert["v"])
    need(alike, "format", "X, y, u, v differ in length")
    need(1 <= cert["lambda"]["bits"] <= BITS, "format", f"lambda.bits must be from 1 to {BITS}")
    need(level == "exact" or not interval, "format", f"at level {level} b must be a point")
    return cert | {"problem": problem, "b": [b[end] for end in INTERVAL] if interval else [b]}


def settled(problem: dict[str, Any], work: Work) -> dict[str, Any]:
    """A problem that is one: its points where the measures live, y in integers, C and the weights."""
    X, y = problem["X"], problem["y"]
    need(len(X) == len(y), "format", "X, y differ in length")
    need(set(y) == {1, -1}, "format", "the labels must be 1 and -1, both present")
    need(len({len(x) for x in X}) == 1 and len(X[0]) > 0, "format", "the points differ in dimension")
    each = measures(problem, len(X[0]), work)
    X = points(X, problem["rescale"], [measure.family for measure in each])
    bounds = problem["C"] if isinstance(problem["C"], list) else [problem["C"]] * len(X)
    need(len(bounds) == len(X) and min(bounds) > 0, "format", "C must be positive, one or one per point")
    C = max(bounds)
    weights = [bound / C for bound in bounds]
    return problem | {"X": X, "y": [int(label) for label in y], "measures": each, "C": C, "weights": weights}


# The kernel.


def pochhammer(x: Fraction, k: int) -> Fraction:
    """x (x+1) ... (x+k-1)."""
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


def gamma(iv: Any, f: Fraction) -> Any:
    """Gamma(f), 0 < f < 1: the integral of t^(f-1) e^(-t) up to T is T^f e^(-T) sum_k T^k / (f)_(k+1).

    Beyond k = 2 T each term is at most half the one before; the rest of the integral is below T^(f-1) e^(-T).
    """
    (p, q), T = f.as_integer_ratio(), iv.prec
    total, term = iv.mpf(0), iv.mpf(q) / p
    for k in range(4 * T):
        total += term
        term = term * (T * q) / (p + (k + 1) * q)
    scale = iv.mpf(T) ** (iv.mpf(p) / q) * iv.exp(-iv.mpf(T))
    return scale * (total + iv.mpf([0, 2]) * term + iv.mpf([0, 1]) / T)


def mass(measure: Measure) -> tuple[Fraction, Fraction, Counter[Fraction]]:
    """h_0 = rational 2^two prod Gamma(f)^e, 0 < f < 1, as rational, two and e by f."""
    family, _, numbers = measure
    if family == "discrete":
        return Fraction(sum(numbers[2]), numbers[3]), Fraction(0), Counter()
    if family == "hermite":
        return Fraction(1), Fraction(1, 2), Counter({Fraction(1, 2): 1})
    rational, two, powers = Fraction(1), Fraction(0), Counter[Fraction]()
    parts = [(parameter + 1, 1) for parameter in numbers]
    if family == "jacobi":
        two = sum(numbers) + 1
        parts.append((two + 1, -1))
    for x, e in parts:
        whole = ceil(x) - 1
        rational *= pochhammer(x - whole, whole) ** e
        powers[x - whole] += e
    del powers[Fraction(1)]
    return rational, two, powers


def enclosed(iv: Any, measure: Measure) -> Any:
    """h_0, by an integral or, for Laguerre, Gamma where it is one."""
    family, _, numbers = measure
    if family == "jacobi":
        return half_integral(iv, *numbers) + half_integral(iv, *numbers[::-1])
    if family == "hermite":
        return iv.sqrt(2 * iv.pi)
    rational, _, powers = mass(measure)
    return prod((gamma(iv, f) for f in powers), start=iv.mpf(rational.numerator) / rational.denominator)


def mass_cost(measures: tuple[Measure, ...], bits: int) -> float:
    """Of the rational parts of the h_0 in lambda, to the power of how often each occurs."""
    power = bits
    for (_, _, numbers), d in kinds(measures).items():
        if len(numbers) == 4:  # nodes and weights
            power += d * (sum(w.bit_length() for w in numbers[2]) + length(numbers))
        else:
            power += d * ceil(sum(numbers) + 3) * length(numbers)
    return 8 * len(kinds(measures)) * remainder(power, power)


def series_cost(measures: tuple[Measure, ...], prec: int) -> float:
    """Of ``enclosed`` for each: prec + beta terms of two series, or 4 prec of one."""
    terms, each = 12 * prec + 4 * LIMIT, 2 * 10**4
    return sum(terms * (each + 8 * product(prec, length(kind.numbers))) for kind in kinds(measures))


def length(numbers: tuple) -> int:
    """Bits of the denominators, and some to spare."""
    return sum(x.denominator.bit_length() for x in numbers if not isinstance(x, tuple)) + 20


def kinds(measures: tuple[Measure, ...]) -> Counter[Measure]:
    """How often each occurs, whatever its degree."""
    return Counter(measure._replace(n=0) for measure in measures)


def lambda_bounds(measures: tuple[Measure, ...], bits: int, work: Work) -> tuple[Fraction, Fraction]:
    """lambda = prod 1/h_0: twice if it is seen to be rational, else cut to its bits, and strictly between.

    It is rational if no Gamma value remains and the power of 2 is one. For Jacobi's alone the converse is
    known (Schneider 1941, or a multiple of pi); in general nothing is inferred from it.
    """
    what = "lambda.bits, d or the measures are"
    work.spend(mass_cost(measures, bits), what)
    exact, two, powers = Fraction(1), Fraction(0), Counter[Fraction]()
    for kind, d in kinds(measures).items():
        rational, exponent, gammas = mass(kind)
        exact, two = exact / rational**d, two + d * exponent
        powers.update({f: d * e for f, e in gammas.items()})
    if two.denominator == 1 and not any(powers.values()):
        return (exact / Fraction(2) ** int(two),) * 2
    iv = MPIntervalContext()
    for extra in EXTRA:
        iv.prec = bits + extra
        work.spend(series_cost(measures, iv.prec), what, LAMBDA_WORK)
        # mpmath's powers are approximations rounded outwards and may miss by an ulp: widen by 2^32 of them
        ulps = iv.ldexp(1, 32 - iv.prec)
        wide = iv.mpf([1 - ulps, 1 + ulps])
        masses = [(enclosed(iv, kind) * wide, d) for kind, d in kinds(measures).items()]
        if all(h_0 > 0 for h_0, _ in masses):
            lam = 1 / prod(h_0**d for h_0, d in masses)
            e = iv.mag(lam.a)
            low, high = (int(iv.ldexp(end, bits - e)) for end in (lam.a, lam.b))
            if low == high and iv.mag(lam.b) == e:
                return low * Fraction(2) ** (e - bits), (low + 1) * Fraction(2) ** (e - bits)
    raise Rejected("lambda", f"not decided to {bits} bits; take others")


@dataclass(frozen=True)
class Gram:
    """The matrix R in integers: R_ij = N_ij / (c D_i D_j), and unit R_ij is an integer.

    N_ij = prod_l sum_k left_ilk right_jlk over the coordinates l; multiplied out, a sum over the modes.
    """

    left: list[list[list[int]]]
    right: list[list[list[int]]]
    D: list[int]
    c: int
    top: int  # a multiple of every D_i
    by_modes: bool
    progress: Callable[[str], object] = str

    @property
    def unit(self) -> int:
        """c top^2."""
        return self.c * self.top**2

    @cached_property
    def N(self) -> list[list[int]]:
        """By pairs of points."""
        N: list[list[int]] = [[0] * len(self.left) for _ in self.left]
        for i in range(len(N)):
            self.progress(f"the Gram matrix: {comb(i + 1, 2)} of {comb(len(N) + 1, 2)} entries")
            for j in range(i + 1):
                N[i][j] = N[j][i] = self.entry(i, j)
        self.progress("the Gram matrix times the dual variables")
        return N

    def entry(self, i: int, j: int) -> int:
        """N_ij."""
        return prod(sum(map(mul, s, t)) for s, t in zip(self.left[i], self.right[j], strict=True))

    def times(self, x: list[int]) -> list[int]:
        """unit R x, as (top / D_i) sum_j N_ij (top / D_j) x_j."""
        lift = [self.top // Di for Di in self.D]
        x = list(map(mul, lift, x))
        N_x = self.through_modes(x) if self.by_modes else [sum(map(mul, row, x)) for row in self.N]
        return list(map(mul, lift, N_x))

    def through_modes(self, x: list[int]) -> list[int]:
        """sum_j N_ij x_j, as the sum over the modes of left at i times sum_j right at j x_j."""
        sums = [0] * prod(map(len, self.right[0]))
        for count, (z, factor) in enumerate(zip(self.right, x, strict=True)):
            if factor:
                self.progress(f"the modes: {count} of {len(x)} points")
                sums = [t + factor * value for t, value in zip(sums, spread(z), strict=True)]
        return [met(sums, z) for z in self.left]


def spread(vectors: list[list[int]]) -> list[int]:
    """The products of one entry of each, by mode: the last index runs first."""
    out = [1]
    for v in vectors:
        out = [a * b for a in out for b in v]
    return out


def met(sums: list[int], vectors: list[list[int]]) -> int:
    """The sum over the modes of the sums times ``spread`` of the vectors, one coordinate after the other."""
    for v in reversed(vectors):
        sums = [sum(map(mul, sums[k : k + len(v)], v)) for k in range(0, len(sums), len(v))]
    return sums[0]


def steps(measures: tuple[Measure, ...], most: int) -> int:
    """Products that ``spread`` and ``met`` take for a point; at least ``most`` where they are as many."""
    total, modes = 0, 1
    for measure in measures:
        modes *= measure.n + 1
        total += modes
        if total >= most:
            break
    return total


def over_one(fractions: list[Fraction]) -> tuple[list[int], int]:
    """Their numerators over a common denominator, and that."""
    common = lcm(*(x.denominator for x in fractions))
    return [int(x * common) for x in fractions], common


# One coordinate: polynomials Q_k = sum_s T_ks (x - e)^s, e = 1 for Jacobi and else 0, with T in integers.


def jacobi(n: int, alpha: Fraction, beta: Fraction) -> Iterator[tuple[list[int], Fraction]]:
    """T_k and h_0 / h_k of 2^k q^k (alpha+1)_k P_k / P_k(1), q a denominator of alpha and beta.

    P_k / P_k(1) = sum_s binom(k, s) (k+alpha+beta+1)_s / (alpha+1)_s ((x-1) / 2)^s, of squared norm
    h_0 k! (beta+1)_k / ((alpha+1)_k (2k+alpha+beta+1) (alpha+beta+2)_(k-1)), at k = 0 h_0: maybe 0/0 there.
    """
    q = lcm(alpha.denominator, beta.denominator)
    a, b, s = (int(q * x) for x in (alpha + 1, beta + 1, alpha + beta + 1))
    A, B, S = 1, 1, 1
    yield [1], Fraction(1)
    for k in range(1, n + 1):
        A, B = A * (a + (k - 1) * q), B * (b + (k - 1) * q)
        row = [2**k * A]
        for i in range(k):
            row.append(row[-1] * (k - i) * (s + (k + i) * q) // (2 * (i + 1) * (a + i * q)))
        yield row, Fraction((s + 2 * k * q) * S, A * B * factorial(k) * (4 * q) ** k)
        S *= s + k * q


def hermite(n: int) -> Iterator[tuple[list[int], Fraction]]:
    """T_k and h_0 / h_k = 1 / k! of He_k = sum_j (-1)^j k! / (j! (k-2j)! 2^j) x^(k-2j)."""
    for k in range(n + 1):
        row = [0] * (k + 1)
        for j in range(k // 2 + 1):
            row[k - 2 * j] = (-1) ** j * comb(k, 2 * j) * factorial(2 * j) // (factorial(j) * 2**j)
        yield row, Fraction(1, factorial(k))


def laguerre(n: int, alpha: Fraction) -> Iterator[tuple[list[int], Fraction]]:
    """T_k and h_0 / h_k of q^k (alpha+1)_k L_k / L_k(0), q the denominator of alpha.

    L_k / L_k(0) = sum_s binom(k, s) (-x)^s / (alpha+1)_s, of squared norm h_0 k! / (alpha+1)_k.
    """
    a, q, A = (alpha + 1).numerator, alpha.denominator, 1
    for k in range(n + 1):
        row = [A]
        for i in range(k):
            row.append(-row[-1] * (k - i) * q // ((i + 1) * (a + i * q)))
        yield row, Fraction(1, factorial(k) * q**k * A)
        A *= a + k * q


def inverse(M: list[list[int]]) -> tuple[list[list[int]], int]:
    """Of a positive definite matrix: its adjoint and its determinant, by elimination without fractions."""
    size, last = len(M), 1
    rows = [[*row, *(int(i == j) for j in range(size))] for i, row in enumerate(M)]
    for k in range(size):
        pivot = rows[k][k]
        for i in range(size):
            if i != k:
                x = rows[i][k]
                rows[i] = [(pivot * s - x * t) // last for s, t in zip(rows[i], rows[k], strict=True)]
        last = pivot
    return [row[size:] for row in rows], last


SERIES: dict[str, Callable] = {"jacobi": jacobi, "hermite": hermite, "laguerre": laguerre}
Vectors = dict[Fraction, tuple[list[int], list[int]]]


def vectors(measure: Measure, X: Iterable[Fraction]) -> tuple[Vectors, int]:
    """Two for each point x = p/q, and c, with sum_k left_k(x) right_k(z) = c (q_x q_z)^n R_1d(x, z)."""
    family, n, numbers = measure
    parts = [(x, *x.as_integer_ratio()) for x in X]
    if family == "discrete":  # R_1d = phi^T M^(-1) phi, phi_s = x^s, M of moments over h_0; here of Q x
        P, Q, w, _ = numbers
        moments = [sum(v * p**j for p, v in zip(P, w, strict=True)) for j in range(2 * n + 1)]
        adjoint, c = inverse([moments[i : i + n + 1] for i in range(n + 1)])
        common = gcd(c, *(moments[0] * x for row in adjoint for x in row))
        form = [[moments[0] * x // common for x in row] for row in adjoint]
        phi = {x: [(Q * p) ** s * q ** (n - s) for s in range(n + 1)] for x, p, q in parts}
        return {x: ([sum(map(mul, row, v)) for row in form], v) for x, v in phi.items()}, c // common
    e = family == "jacobi"
    powers = {x: [(p - e * q) ** s * q ** (n - s) for s in range(n + 1)] for x, p, q in parts}
    values: dict[Fraction, list[int]] = {x: [] for x in powers}
    weights = []
    for row, weight in SERIES[family](n, *numbers):
        weights.append(weight)
        for x, power in powers.items():
            values[x].append(sum(map(mul, row, power)))
    W, c = over_one(weights)
    return {x: (list(map(mul, W, v)), v) for x, v in values.items()}, c


def vector_sizes(measure: Measure, t: int, count: int) -> tuple[int, int, int, float]:
    """Bits, at most, of left, right and c of ``vectors`` at ``count`` points of t bits, and the cost."""
    family, n, numbers = measure
    long = lambda x: (n + 1) * int(x).bit_length()  # noqa: E731
    if family == "discrete":
        P, Q, w, _ = numbers
        node, total = max(abs(p) for p in P).bit_length(), sum(w).bit_length()
        c = (n + 1) * (2 * n * node + total + n.bit_length())
        right = n * (t + Q.bit_length())
        cost = 2 * len(P) * n * 2 * product(2 * n * node + total, 2 * n * node + total)
        cost += (n + 1) ** 3 / 6 * (2 * product(c, c) + remainder(2 * c, c))  # half are 0, few are as long
        cost += (n + 1) ** 2 * (remainder(c + total, c) + count * (product(c + total, right) + 50))
        return c + total + right + n.bit_length(), right, c, cost
    q = lcm(*(x.denominator for x in numbers))
    A, *B = (long(q * (x + n + 1)) for x in numbers or (Fraction(0),))  # of q^n (alpha+1)_n and more
    S = long(q * (abs(sum(numbers)) + 2 * n + 2)) if B else long(q)  # the other factors of T_ks
    c = A + sum(B) + long(n) + long(4 * q)
    row, W = A + S + 2 * n, c + 2 * S
    right = row + n * t + n.bit_length()
    short, degrees = 3 * q.bit_length() + 64, (n + 1) ** 2 / 2
    cost = degrees * (4 * product(row, short) + remainder(row, short)) + 8 * n * remainder(W, W)
    cost += count * (degrees * product(row, n * t) + 3 * n * (product(n * t, n * t) + product(W, right)))
    return W + right, right, c, cost


def exponents(X: list[list[Fraction]], measures: tuple[Measure, ...]) -> dict[int, list[int]]:
    """By degree n, for each point the product of the denominators of its coordinates of that degree."""
    coordinates: dict[int, list[int]] = {}
    for j, measure in enumerate(measures):
        coordinates.setdefault(measure.n, []).append(j)
    return {n: [prod(x[j].denominator for j in js) for x in X] for n, js in coordinates.items()}


class Sizes(NamedTuple):
    """Bits, at most, of the N_ij and of the unit; the work of one N_ij."""

    N: float
    unit: float
    entry: float


def gram_sizes(problem: dict[str, Any], work: Work) -> Sizes:
    """Of what ``gram`` makes; the work for its vectors, and for N where it is by pairs, is spent."""
    X, measures = problem["X"], problem["measures"]
    m, d = len(X), len(X[0])
    pairs = 0 if steps(measures, m) < m else m**2 / 2
    what = f"m = {m}, d = {d}, n or the numbers of the problem are"
    N, unit, entry = 0, 0, 0.0
    for measure, column in zip(measures, zip(*X, strict=True), strict=True):
        t = max(x.numerator.bit_length() + x.denominator.bit_length() for x in column) + 1
        left, right, c, cost = vector_sizes(measure, t, m)
        N, unit = N + left + right + measure.n.bit_length(), unit + c
        one = (measure.n + 1) * product(left, right) + product(N, left + right) + 1000
        work.spend(cost + pairs * one, what)
        entry += one
    need(
        pairs * N <= MEMORY,
        "format",
        f"the Gram matrix is too large: {pairs * N:.1e} bits, above {MEMORY:.1e}",
    )
    for n, products in exponents(X, measures).items():
        unit += 2 * n * work.lcm(products, "the denominators of X are").bit_length()
    return Sizes(N, unit, entry)


def times_work(problem: dict[str, Any], N: float, lifted: float) -> float:
    """Of ``Gram.times`` for numbers of so many bits, once they are over one denominator."""
    m = len(problem["y"])
    modes = steps(problem["measures"], m)
    return m * (3 * modes * product(N, N + lifted) if modes < m else m * product(N, lifted))


def gram(
    X: list[list[Fraction]], measures: tuple[Measure, ...], progress: Callable[[str], object] = str
) -> Gram:
    """R = prod_l R_1d over the coordinates, R_1d(x, z) = sum_k P_k(x) P_k(z) h_0 / h_k over k = 0, ..., n."""
    values: dict[Measure, set[Fraction]] = {}
    for measure, column in zip(measures, zip(*X, strict=True), strict=True):
        values.setdefault(measure, set()).update(column)
    tables = {measure: vectors(measure, found) for measure, found in values.items()}
    left, right = (
        [[tables[measure][0][t][side] for measure, t in zip(measures, x, strict=True)] for x in X]
        for side in (0, 1)
    )
    denominators = exponents(X, measures)
    D = [prod(E[i] ** n for n, E in denominators.items()) for i in range(len(X))]
    c = prod(tables[measure][1] for measure in measures)
    top = prod(lcm(*E) ** n for n, E in denominators.items())
    return Gram(left, right, D, c, top, steps(measures, len(X)) < len(X), progress)


def nonsingular(matrix: list[list[int]], prime: int) -> bool:
    """Modulo the prime, hence over the integers; not conversely, for an unlucky prime."""
    # Rocq: Checker.nonsingular_step, Checker.nonsingular_rows, Checker.nonsingular_mod
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


# The certificate in integers.

Affine = tuple[int, int]  # (p, q) is p + q tau


class Tau(NamedTuple):
    """lambda C > 0: rational if its bounds are equal, else strictly between them."""

    lower: Fraction
    upper: Fraction

    def sign(self, p: int, q: int, condition: str) -> int:
        """The sign of p + q tau."""
        # Rocq: Checker.tau_sign_pos, Checker.tau_sign_neg, Checker.tau_sign_zero
        values = [p * end.denominator + q * end.numerator for end in self]
        signs = {(value > 0) - (value < 0) for value in values}
        if len(signs) == 2:
            signs.discard(0)
        need(len(signs) == 1, condition, "the bounds of lambda leave a sign undecided; raise lambda.bits")
        return signs.pop()

    def over(self, k: list[int]) -> list[Fraction]:
        """A lower and an upper bound of (k_0 + k_1 tau + k_2 tau^2) / tau."""
        # Rocq: Checker.tau_over
        ends = [(k[0] / end, k[2] * end) for end in self]
        return [k[1] + sum(map(choose, *ends)) for choose in (min, max)]


@dataclass(frozen=True)
class Solution:
    """a and b in integers, and what follows from them.

    delta is the common denominator of u, v and b in the certificate and of the weights omega:
    a_i = (u_i + tau v_i) / delta, omega_i = weights_i / delta, and b = (p + q tau) / delta for (p, q) in the
    list b, which has one item or two, the ends of an interval.
    As R is in integers over R.unit, so is g(x_i) = sum_j R_ij y_j a_j + b over unit delta, and
    lambda |w|^2 = sum_ij y_i a_i R_ij y_j a_j over unit delta^2. 1 / lambda is C / tau.
    """

    problem: dict[str, Any]
    y: list[int]
    tau: Tau
    delta: int
    u: list[int]
    v: list[int]
    weights: list[int]
    b: list[Affine]
    work: Work
    entry: float  # the work of one N_ij

    @cached_property
    def signs(self) -> list[list[int]]:
        """Of a_i and of omega_i tau - a_i."""
        points = zip(self.u, self.v, self.weights, strict=True)
        pairs = [[(p, q), (-p, omega - q)] for p, q, omega in points]
        return [[self.tau.sign(*pair, "dual feasibility") for pair in two] for two in pairs]

    @cached_property
    def free(self) -> set[int]:
        """The i with 0 < a_i < omega_i tau."""
        return {i for i, (above, below) in enumerate(self.signs) if above and below}

    @cached_property
    def bound(self) -> set[int]:
        """The i with a_i = omega_i tau."""
        return {i for i, (_, below) in enumerate(self.signs) if not below}

    @cached_property
    def R(self) -> Gram:
        """The Gram matrix over lambda."""
        return gram(self.problem["X"], self.problem["measures"], self.work.progress)

    @cached_property
    def scores(self) -> list[list[int]]:
        """p and q with unit delta sum_j R_ij y_j a_j = p_i + q_i tau."""
        # Rocq: Checker.stationarity
        return [self.R.times(list(map(mul, self.y, part))) for part in (self.u, self.v)]

    @cached_property
    def margins(self) -> list[list[Affine]]:
        """unit delta (y_i g(x_i) - 1) at every point, for each b."""
        unit, points = self.R.unit, list(zip(self.y, *self.scores, strict=True))
        return [
            [(y * (p + unit * b_u) - unit * self.delta, y * (q + unit * b_v)) for y, p, q in points]
            for b_u, b_v in self.b
        ]

    @cached_property
    def tight(self) -> list[set[int]]:
        """The points with y_i g(x_i) = 1, for each b."""
        sign, name = self.tau.sign, "complementarity"
        return [{i for i, margin in enumerate(end) if not sign(*margin, name)} for end in self.margins]

    @cached_property
    def norm2(self) -> list[int]:
        """k with unit delta^2 lambda |w|^2 = k_0 + k_1 tau + k_2 tau^2."""
        # Rocq: Checker.norm2_ratio, Checker.norm2_affine
        (p, q), (u, v) = self.scores, (list(map(mul, self.y, part)) for part in (self.u, self.v))
        return [sum(map(mul, u, p)), 2 * sum(map(mul, u, q)), sum(map(mul, v, q))]


def cleared(cert: dict[str, Any], work: Work) -> Solution:
    """The certificate's u, v and b over one denominator, if the proof about them is not too long."""
    problem = cert["problem"]
    tau = Tau(*(problem["C"] * cert["lambda"][end] for end in BOUNDS))
    weights = [omega.as_integer_ratio() for omega in problem["weights"]]
    parts = [cert["u"], cert["v"], weights, *([b["u"], b["v"]] for b in cert["b"])]
    delta = work.lcm((q for part in parts for _, q in part), "the denominators of u, v, b, C are")
    long, what = delta.bit_length(), "u, v, b with this problem are"
    for part in parts:
        work.spend(
            sum(remainder(long, q.bit_length()) + product(long, p.bit_length()) for p, q in part), what
        )
    N, unit, entry = gram_sizes(problem, work)
    m, t = len(problem["y"]), sum(x.bit_length() for end in tau for x in end.as_integer_ratio())
    longest = [max(p and p.bit_length() + long - q.bit_length() + 1 for p, q in part) for part in parts[:2]]
    for x in longest:
        work.spend(times_work(problem, N, unit / 2 + x if x else 0) + m * product(unit, x), what)
    sums = unit + max(long, *longest) + N  # bits of scores and margins
    work.spend(
        m * (12 * product(unit, long) + 4 * product(sums, max(longest)) + 32 * remainder(sums, t)), what
    )
    work.spend(8 * remainder(sums + long, sums + long), what)
    u, v, weights, *b = ([p * (delta // q) for p, q in part] for part in parts)
    return Solution(problem, problem["y"], tau, delta, u, v, weights, [(p, q) for p, q in b], work, entry)


# The proof: one condition each. What is returned is what has been proved.


def enclosed_lambda(problem: dict[str, Any], work: Work, bits: int, lower: Fraction, upper: Fraction) -> str:
    """lower <= prod 1/h_0 <= upper, with equality only if it is rational, and not near its ends else."""
    bounds = lambda_bounds(problem["measures"], bits, work)
    need(bounds == (lower, upper), "lambda", f"not the bounds of prod 1/h_0 at {bits} bits")
    return "rational" if lower == upper else f"enclosed to {bits} bits"


def dual_feasibility(s: Solution) -> str:
    """0 <= a_i <= omega_i tau, and sum_i y_i a_i = 0 whatever tau is."""
    # Rocq: Checker.dual_feasible, Checker.balanced_affine
    need(min(map(min, s.signs)) >= 0, "dual feasibility", "not all alpha_i lie in [0, C_i]")
    balanced = sum(map(mul, s.y, s.u)) == sum(map(mul, s.y, s.v)) == 0
    need(balanced, "dual feasibility", "sum y_i a_i is not 0 for every tau")
    return "0 <= alpha_i <= C_i, sum y_i alpha_i = 0"


def stationarity(s: Solution, active: dict[str, list[int]]) -> str:
    """w is defined by a; listed as free are the i with 0 < alpha_i < C_i, as bound where alpha_i = C_i."""
    sets = {"free": [i + 1 for i in sorted(s.free)], "bound": [i + 1 for i in sorted(s.bound)]}
    need(active == sets, "stationarity", "the active sets are not those of u and v")
    return "w = sum alpha_i y_i Phi(x_i) by construction, active sets as listed"


def primal_feasibility(s: Solution) -> str:
    """y_i g(x_i) >= 1 where alpha_i < C_i, at the ends of b, hence in between."""
    # Rocq: Checker.exact_kkt, Checker.ends_suffice
    condition = "primal feasibility"
    for end in s.margins:
        for i, margin in enumerate(end):
            above = i in s.bound or s.tau.sign(*margin, condition) >= 0
            need(above, condition, f"y_i g_i < 1 but alpha_i < C_i at point {i + 1}")
    return "y_i g_i >= 1 where alpha_i < C_i"


def complementarity(s: Solution) -> str:
    """y_i g(x_i) = 1 where 0 < alpha_i < C_i, whatever tau is, <= 1 where alpha_i = C_i, at the ends of b."""
    # Rocq: Checker.exact_kkt, Checker.level_exact, Checker.ends_suffice
    condition = "complementarity"
    for end in s.margins:
        for i, margin in enumerate(end):
            on = i not in s.free or margin == (0, 0)
            need(on, condition, f"y_i g_i is not 1 at the free point {i + 1}")
            below = i not in s.bound or s.tau.sign(*margin, condition) <= 0
            need(below, condition, f"y_i g_i > 1 at the bound point {i + 1}")
    return "y_i g_i = 1 where 0 < alpha_i < C_i, y_i g_i <= 1 where alpha_i = C_i"


def whole_b(s: Solution) -> None:
    """No other b is optimal: a free point leaves one only; without, some point stops b at either end."""
    # Rocq: Checker.whole_b_free, Checker.whole_b, Svm.b_interval_ends
    if s.free:
        need(len(s.b) == 1, "complementarity", "b is one number, for there is a free support vector")
        return
    # Lowering b breaks y_i g_i >= 1 at y_i = 1 and y_i g_i <= 1 at y_i = -1; raising it, the converse.
    floor = any((s.y[i] > 0) != (i in s.bound) for i in s.tight[0])
    ceiling = any((s.y[i] > 0) == (i in s.bound) for i in s.tight[-1])
    whole = len(s.b) == 2 and floor and ceiling
    need(whole, "complementarity", "b is not the whole interval it may be in")


def duality_gap(s: Solution, claimed: Fraction) -> Fraction:
    """P - D = |w|^2 - sum_i alpha_i + sum_i C_i xi_i <= claimed, at the one b; returns what P - D is at most.

    unit delta^2 (P - D) = C (k_0 + k_1 tau + k_2 tau^2) / tau + C rest: terms cancel, so coefficients are
    summed before anything is bounded. Only the xi_i that may or may not be 0 are bounded one by one, in rest.
    """
    # Rocq: Checker.duality_gap, Svm.gap_formula
    k, rest = s.norm2.copy(), Fraction(0)
    k[0] -= s.R.unit * s.delta * sum(s.u)
    k[1] -= s.R.unit * s.delta * sum(s.v)
    for omega, (p, q) in zip(s.weights, s.margins[0], strict=True):
        xi = [-p - q * end for end in s.tau]  # unit delta (1 - y_i g(x_i)) is between them
        if min(xi) >= 0:
            k[1] -= omega * p
            k[2] -= omega * q
        else:
            rest += omega * max(Fraction(0), *xi)
    gap = s.problem["C"] * (s.tau.over(k)[1] + rest) / (s.R.unit * s.delta**2)
    need(gap <= claimed, "complementarity", "P - D is not proved to be at most claims.gap")
    return gap


def w_error(gap: Fraction, claims: dict[str, Any], exact: bool) -> None:
    """|w - w*| <= w_error, for |w - w*|^2 <= P - D; at level exact both are 0."""
    # Rocq: Checker.w_error, Checker.w_error_sqrt, Svm.gap_bound
    zero = not exact or claims["gap"] == claims["w_error"] == 0
    need(zero, "claims", "level exact: gap, w_error not 0")
    need(claims["w_error"] >= 0 and gap <= claims["w_error"] ** 2, "claims", "w_error < sqrt(P - D)")


def apart(small: Fraction, large: Fraction, by: Fraction) -> bool:
    """sqrt(small) + by <= sqrt(large), squared twice."""
    # Rocq: Checker.apart_sqrt
    rest = large - small - by**2
    return rest >= 0 and 4 * by**2 * small <= rest**2


def norm2(s: Solution, claims: dict[str, Any]) -> None:
    """norm2.lower <= |w*|^2 <= norm2.upper, for |w*| is between |w| - w_error and |w| + w_error.

    unit delta^2 |w|^2 = C (k_0 + k_1 tau + k_2 tau^2) / tau.
    """
    # Rocq: Checker.norm2_lower, Checker.norm2_upper, Checker.level_gap
    scale = s.problem["C"] / (s.R.unit * s.delta**2)
    least, most = (max(Fraction(0), end * scale) for end in s.tau.over(s.norm2))
    low, high = (claims["norm2"][end] for end in BOUNDS)
    inside = (low <= 0 or apart(low, least, claims["w_error"])) and apart(most, high, claims["w_error"])
    need(inside, "claims", "norm2 is not proved to be in its bounds; widen them or raise lambda.bits")


def hard_margin(s: Solution, claims: dict[str, Any], exact: bool) -> None:
    """Whether no point has slack: y_i g(x_i) = 1 also where alpha_i = C_i; null below level exact.

    Then a larger C has the same least P, and only then. The sum of the C_i xi_i is min P - |w*|^2 / 2, so
    that it does not depend on which of the optimal a and b are written down.
    """
    # Rocq: Checker.hard_margin, Checker.hard_margin_stays, Checker.hard_margin_raises,
    # Svm.hard_margin_invariant
    hard = s.bound <= s.tight[0] if exact else None
    need(claims["hard_margin"] is hard, "claims", "hard_margin is not whether no point has slack, or null")


def b_unique(s: Solution, claims: dict[str, Any], exact: bool) -> None:
    """Whether the ends of b are one number; null is no claim."""
    # Rocq: Checker.b_unique
    if claims["b_unique"] is not None:
        b_u, b_v = map(sub, s.b[-1], s.b[0])
        unique = not s.tau.sign(b_u, b_v, "claims")
        need(exact and claims["b_unique"] is unique, "claims", "b_unique is not proved")


def alpha_unique(s: Solution, claims: dict[str, Any], exact: bool) -> None:
    """No other alpha is optimal; null is no claim, and false is never proved.

    Solutions differ on E only, the points with y_i g(x_i) = 1 for every optimal b, and by y times a null
    vector of the Gram matrix of E that sums to 0. There is none but 0 if that matrix, bordered by ones, is
    nonsingular; here R_ij is multiplied by c D_i D_j, the border by D_i.
    """
    # Rocq: Checker.alpha_unique_empty, Checker.alpha_unique_scaled, Checker.alpha_unique_mod
    if claims["alpha_unique"] is not None:
        D, E = s.R.D, s.tight[0] & s.tight[-1] if exact else set()
        cost = len(PRIMES) * len(E) ** 3 * 50 + len(E) ** 2 * s.entry
        s.work.spend(cost, f"the {len(E)} points with y_i g_i = 1 are")
        bordered = [[*(s.R.entry(i, j) for j in E), D[i]] for i in E] + [[*(D[j] for j in E), 0]]
        unique = exact and (not E or any(nonsingular(bordered, prime) for prime in PRIMES))
        need(claims["alpha_unique"] and unique, "claims", "alpha_unique is not proved; claim null")


# A path: the same conditions on an interval of tau, at both of its ends.


@dataclass(frozen=True)
class Piece:
    """One segment in integers, as ``Solution``: its ends as (p, q), p/q, the last one maybe None."""

    ends: tuple[tuple[int, int], tuple[int, int] | None]
    free: set[int]
    bound: set[int]
    u: list[int]
    v: list[int]
    weights: list[int]
    margins: list[list[Affine]]  # unit delta (y_i g(x_i) - 1), for each b

    def holds(self, p: int, q: int) -> bool:
        """p + q tau >= 0 for every tau of the segment."""
        low, high = self.ends
        above = q >= 0 if high is None else p * high[1] + q * high[0] >= 0
        return above and p * low[1] + q * low[0] >= 0

    def ends_at(self, p: int, q: int) -> bool:
        """p + q tau is 0 at the upper end, and only there."""
        high = self.ends[1]
        return high is not None and q != 0 and p * high[1] + q * high[0] == 0

    def room(self, i: int) -> Affine:
        """delta (omega_i tau - a_i)."""
        return -self.u[i], self.weights[i] - self.v[i]


def piece(segment: dict[str, Any], problem: dict[str, Any], R: Gram, N: float, work: Work) -> Piece:
    """a = u + tau v at the free points, omega tau at the bound ones, 0 elsewhere; what follows from it."""
    y, what = problem["y"], "u, v, b of a segment are"
    m, free, bound = len(y), *([i - 1 for i in segment[key]] for key in ("free", "bound"))
    listed = all(segment[key] == sorted(set(segment[key])) for key in ("free", "bound"))
    inside = not set(free) & set(bound) and all(0 <= i < m for i in free + bound)
    need(listed and inside, "format", "free, bound: not points from 1, in order, in one list only")
    need(len(free) == len(segment["u"]) == len(segment["v"]), "format", "u, v: not one for each free point")
    need(len(segment["b"]) in (1, 2), "format", "b: not one end, or two")
    weights = [omega.as_integer_ratio() for omega in problem["weights"]]
    parts = [segment["u"], segment["v"], weights, *([b["u"], b["v"]] for b in segment["b"])]
    delta = work.lcm((q for part in parts for _, q in part), what)
    long, unit = delta.bit_length(), R.unit.bit_length()
    for part in parts:
        work.spend(
            sum(remainder(long, q.bit_length()) + product(long, p.bit_length()) for p, q in part), what
        )
    size = max([p.bit_length() + long for part in parts for p, _ in part])
    far = sum(x.bit_length() for end in (segment["lower"], segment["upper"]) if end for x in end)
    work.spend(2 * times_work(problem, N, unit / 2 + size), what)
    work.spend(20 * m * product(unit + size + N, far + unit), what)
    short_u, short_v, weights, *b = ([p * (delta // q) for p, q in part] for part in parts)
    u, v = [0] * m, [0] * m
    for i in bound:
        v[i] = weights[i]
    for i, p, q in zip(free, short_u, short_v, strict=True):
        u[i], v[i] = p, q
    scores = [R.times(list(map(mul, y, part))) for part in (u, v)]
    margins = [
        [
            (label * (p + R.unit * b_u) - R.unit * delta, label * (q + R.unit * b_v))
            for label, p, q in zip(y, *scores, strict=True)
        ]
        for b_u, b_v in b
    ]
    return Piece((segment["lower"], segment["upper"]), set(free), set(bound), u, v, weights, margins)


def segment_is_optimal(s: Piece, y: list[int]) -> None:
    """Every condition of optimality, on the whole segment."""
    # Rocq: Checker.dual_feasible, Checker.balanced_affine, Checker.exact_kkt, Checker.ends_suffice
    low, high = s.ends
    need(high is None or low[0] * high[1] < high[0] * low[1], "segments", "lower is not below upper")
    balanced = sum(map(mul, y, s.u)) == sum(map(mul, y, s.v)) == 0
    need(balanced, "dual feasibility", "sum y_i a_i is not 0 for every tau")
    for i in s.free:
        inside = s.holds(s.u[i], s.v[i]) and s.holds(*s.room(i))
        need(inside, "dual feasibility", f"alpha_i leaves [0, C_i] at point {i + 1}")
        moving = (0, 0) not in ((s.u[i], s.v[i]), s.room(i))
        need(moving, "stationarity", f"point {i + 1} is not free")
    for end in s.margins:
        for i, (p, q) in enumerate(end):
            if i in s.free:
                need(p == q == 0, "complementarity", f"y_i g_i is not 1 at the free point {i + 1}")
            elif i in s.bound:
                need(s.holds(-p, -q), "complementarity", f"y_i g_i > 1 at the bound point {i + 1}")
            else:
                above = s.holds(p, q)
                need(above, "primal feasibility", f"y_i g_i < 1 but alpha_i < C_i at point {i + 1}")
    if s.free:
        need(len(s.margins) == 1, "complementarity", "b is one number, for there is a free support vector")
        return
    tight = [{i for i, margin in enumerate(end) if margin == (0, 0)} for end in s.margins]
    floor = any((y[i] > 0) != (i in s.bound) for i in tight[0])
    ceiling = any((y[i] > 0) == (i in s.bound) for i in tight[-1])
    whole = len(s.margins) == 2 and floor and ceiling
    need(whole, "complementarity", "b is not the whole interval it may be in")


CHANGES = {  # of the status of a point: 0, free (1), at its bound (2)
    (0, 1): ("enters",), (1, 0): ("leaves",), (1, 2): ("reaches its bound",), (2, 1): ("leaves its bound",),
    (0, 2): ("enters", "reaches its bound"), (2, 0): ("leaves its bound", "leaves"),
}  # fmt: skip


def segment_ends(s: Piece, events: list[dict[str, Any]], following: dict[str, Any]) -> None:
    """The events are what becomes 0 at the upper end; where nothing is free, points whose y g is 1 there.

    A point whose status is another one on the following segment may be named, too.
    """
    free, bound = ({i - 1 for i in following[key]} for key in ("free", "bound"))
    changes = set()
    for i in range(len(s.u)):
        before, after = (i in s.free) + 2 * (i in s.bound), (i in free) + 2 * (i in bound)
        changes |= {(kind, i) for kind in CHANGES.get((before, after), ())}
    found = {(event["kind"], event["point"] - 1) for event in events}
    need(len(found) == len(events) > 0, "events", "an event is missing, or given twice")
    if s.free:
        seen = set()
        for i, margin in enumerate(s.margins[0]):
            if i in s.free:
                seen |= {("leaves", i)} if s.ends_at(s.u[i], s.v[i]) else set()
                seen |= {("reaches its bound", i)} if s.ends_at(*s.room(i)) else set()
            elif s.ends_at(*margin):
                seen.add(("leaves its bound" if i in s.bound else "enters", i))
        need(seen <= found <= seen | changes, "events", "not what happens at the upper end")
        return
    for kind, i in found - changes:
        held = kind in ("holds b", "meets b") and 0 <= i < len(s.u)
        touches = held and any(end[i] == (0, 0) or s.ends_at(*end[i]) for end in s.margins)
        need(touches, "events", "a point does not touch an end of b at the upper end")


def whole_path(data: dict[str, Any]) -> str:
    """From C.lower to C.upper, each segment beginning where the one before it ends."""
    segments, lam = data["segments"], data["lambda"]
    need(len(segments) > 0, "segments", "there are none")
    for k, (one, other) in enumerate(pairwise(segments), 1):
        meet = one["upper"] is not None and Fraction(*one["upper"]) == Fraction(*other["lower"])
        need(meet, "segments", f"segment {k + 1} does not begin where segment {k} ends")
    first, last = segments[0]["lower"], segments[-1]["upper"]
    low, high = data["C"]["lower"], data["C"]["upper"]
    need(low >= 0 and (high is None or high > low), "segments", "C.lower, C.upper: not an interval")
    begins = 0 <= Fraction(*first) <= lam["lower"] * low
    need(begins, "segments", "the first segment does not begin at lambda C.lower, or before")
    runs = last is None if high is None else last is None or Fraction(*last) >= lam["upper"] * high
    need(runs, "segments", "the last segment does not reach lambda C.upper")
    return f"{len(segments)}, without a gap"


def check_path(
    path: dict[str, Any],
    announce: Callable[[float], object] = float,
    progress: Callable[[str], object] = str,
) -> dict[str, Any]:
    """That each segment is optimal for every C in it, and that nothing lies between them."""
    work = Work()
    data = read_path(path, work)
    problem, segments = data["problem"], data["segments"]
    proved = {"lambda": enclosed_lambda(problem, work, **data["lambda"]), "segments": whole_path(data)}
    N = gram_sizes(problem, work).N
    R, before = gram(problem["X"], problem["measures"]), work.left
    for k, segment in enumerate(segments, 1):
        progress(f"segment {k} of {len(segments)}")
        try:
            s = piece(segment, problem, R, N, work)
            if k == 1:  # the others are much the same
                announce(WORK - before + len(segments) * (before - work.left))
            segment_is_optimal(s, problem["y"])
            if k < len(segments):
                segment_ends(s, segment["events"], segments[k])
        except Rejected as error:
            error.args = (str(error).replace(": ", f": segment {k}: ", 1),)
            raise
    need(not segments[-1]["events"], "events", "there is one after the last segment")
    proved["dual feasibility"] = "0 <= alpha_i <= C_i, sum y_i alpha_i = 0"
    proved["stationarity"] = "active sets as listed"
    proved["primal feasibility"] = "y_i g_i >= 1 where alpha_i < C_i"
    proved["complementarity"] = "y_i g_i = 1 where 0 < alpha_i < C_i, y_i g_i <= 1 where alpha_i = C_i"
    proved["events"] = "as listed; where nothing is free, at points with y_i g_i = 1 there"
    hard = all(s.margins[0][i] == (0, 0) for i in s.bound) if segments[-1]["upper"] is None else None
    need(data["claims"]["hard_margin"] is hard, "claims", "hard_margin is not whether it is reached, or null")
    proved["claims"], proved["sha256"] = "proved", sha256(path)
    found = {"problem": identity(path["problem"]), "level": "exact", "conditions": proved, "w_error": "0"}
    return found | {"segments": len(segments), "C": path["C"]} | path["claims"]


@any_digits()
def read_path(path: Any, work: Work) -> dict[str, Any]:
    """Every number in its domain."""
    data = parse(path, PATH_SHAPE, "path", work)
    need(1 <= data["lambda"]["bits"] <= BITS, "format", f"lambda.bits must be from 1 to {BITS}")
    return data | {"problem": settled(data["problem"], work)}


def digest(data: dict[str, Any], *without: str) -> str:
    """SHA-256 of all but some fields as canonical JSON."""
    body = {key: value for key, value in data.items() if key not in without}
    try:
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise Rejected("format", "not JSON") from None
    return hashlib.sha256(canonical.encode()).hexdigest()


def sha256(certificate: dict[str, Any]) -> str:
    """The digest is that of all the rest."""
    need(certificate["sha256"] == digest(certificate, "sha256"), "sha256", "not the digest of this text")
    return "as stated"


def identity(problem: dict[str, Any]) -> dict[str, Any]:
    """Which problem it is: its digest does not depend on its id, nor on names."""
    sizes = {"m": len(problem["y"]), "d": len(problem["X"][0])}
    names = ["n", "alpha", "beta", "measures", "C"]
    shown = {key: problem[key] for key in names if key in problem}
    if isinstance(given := shown.get("measures"), list | dict):
        shown["measures"] = "; ".join(map(named, given if isinstance(given, list) else [given]))
    if isinstance(shown["C"], list):
        shown["C"] = f"{len(shown['C'])} values"
    return {"sha256": digest(problem, "id", "names"), **sizes, **shown}


def named(measure: dict[str, Any]) -> str:
    """In a few words."""
    nodes = [f"{len(measure['nodes'])} nodes"] if "nodes" in measure else []
    return " ".join([measure["family"], *(str(measure[key]) for key in JACOBI if key in measure), *nodes])


def check(
    certificate: dict[str, Any],
    announce: Callable[[float], object] = float,
    progress: Callable[[str], object] = str,
) -> dict[str, Any]:
    """What is proved, condition by condition; ``Rejected`` if anything is not. A path may be one, too.

    ``announce`` hears the work, in products of digits, before most of it is begun; ``progress``, what is.
    """
    if isinstance(certificate, dict) and certificate.get("schema") == PATH:
        return check_path(certificate, announce, progress)
    work = Work(progress)
    progress("reading every number")
    cert = read(certificate, work)
    claims, exact = cert["claims"], cert["level"] == "exact"
    proved = {"lambda": enclosed_lambda(cert["problem"], work, **cert["lambda"])}
    s = cleared(cert, work)
    announce(WORK - work.left)
    progress("dual feasibility, stationarity")
    proved["dual feasibility"] = dual_feasibility(s)
    proved["stationarity"] = stationarity(s, cert["active"])
    progress("primal feasibility, complementarity")
    if exact:
        proved["primal feasibility"] = primal_feasibility(s)
        proved["complementarity"] = complementarity(s)
        whole_b(s)
        gap = Fraction(0)
    else:
        gap = duality_gap(s, claims["gap"])
        proved["primal feasibility"] = "xi_i = max(0, 1 - y_i g_i) by construction"
        proved["complementarity"] = f"P - D <= {certificate['claims']['gap']}"
    progress("claims")
    w_error(gap, claims, exact)
    norm2(s, claims)
    hard_margin(s, claims, exact)
    b_unique(s, claims, exact)
    alpha_unique(s, claims, exact)
    proved["claims"] = "proved"
    proved["sha256"] = sha256(certificate)
    found = {"problem": identity(certificate["problem"]), "level": cert["level"], "conditions": proved}
    return found | certificate["claims"]


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError if a field is given twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the field {key!a:.60} occurs twice")
        found[key] = value
    return found


def main(argv: list[str] | None = None) -> int:
    """The command line: 0 accepted, 1 rejected, 2 usage, 4 no certificate."""
    arguments = sys.argv[1:] if argv is None else argv
    if len(arguments) != 1:
        print("usage: python checker.py CERT.json[.gz]", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            text = file.read(SIZE + 1)
        if text.startswith(b"\x1f\x8b"):
            text = gzip.GzipFile(fileobj=BytesIO(text)).read(SIZE + 1)
        if len(text) > SIZE:
            raise ValueError(f"longer than {SIZE} bytes")
        certificate = json.loads(text.decode("utf-8-sig"), object_pairs_hook=once)
        if not isinstance(certificate, dict) or certificate.get("schema") not in (SCHEMA, PATH):
            raise ValueError(f"the schema is not {SCHEMA} or {PATH}")
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        print(f"{ascii(arguments[0])[1:-1]}: not a certificate: {ascii(str(error))[1:-1]}", file=sys.stderr)
        return 4
    try:
        summary = check(certificate)
    except Rejected as rejection:
        print(f"rejected: {rejection}", file=sys.stderr)
        return 1
    print("problem: " + ", ".join(f"{key} {value}" for key, value in summary["problem"].items()))
    for condition, evidence in summary["conditions"].items():
        print(f"{condition}: {evidence}")
    print(f"accepted at level {summary['level']}: |w - w*| <= {summary['w_error']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
