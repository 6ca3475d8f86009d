"""The conditions of optimality, one function each, with the theorems that prove them sufficient.

Each function returns what it has proved, or raises Rejected with the name of its condition.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul, sub
from typing import Any, NamedTuple

from . import limits
from .kernels import Matrix, lambda_bounds, nonsingular
from .limits import common_multiple, require, require_at_most
from .other_kernels import gram_of_problem
from .reading import BOUNDS, describe_problem, digest, read_certificate

PRIMES = (2**61 - 1, 2**61 - 31, 2**61 - 45)
Affine = tuple[int, int]  # (p, q) is p + q tau


class Tau(NamedTuple):
    """tau = lambda C > 0: rational if its bounds are equal, else strictly between them."""

    lower: Fraction
    upper: Fraction

    def sign(self, p: int, q: int, condition: str) -> int:
        """Return the sign of p + q tau."""
        # Rocq: Checker.tau_sign_pos, Checker.tau_sign_neg, Checker.tau_sign_zero
        values = [p * end.denominator + q * end.numerator for end in self]
        signs = {(value > 0) - (value < 0) for value in values}
        if len(signs) == 2:
            signs.discard(0)
        require(
            len(signs) == 1, condition, "a sign is undecided for these bounds of lambda; raise lambda.bits"
        )
        return signs.pop()

    def bound_quotient(self, k: list[int]) -> list[Fraction]:
        """Return a lower and an upper bound of (k_0 + k_1 tau + k_2 tau^2) / tau."""
        # Rocq: Checker.tau_over
        ends = [(k[0] / end, k[2] * end) for end in self]
        return [sum(map(choose, *ends), Fraction(k[1])) for choose in (min, max)]


@dataclass(frozen=True)
class Classifier:
    """The dual variables a = u + tau v and b in integers, and the values of g.

    delta is the common denominator of u, v and b in the certificate and of the weights omega:
    a_i = (u_i + tau v_i) / delta, omega_i = weights_i / delta, and b = (p + q tau) / delta for (p, q) in the
    list b, which has one item, or two for the ends of an interval.
    R has the denominator R.unit, and therefore g(x_i) = sum_j R_ij y_j a_j + b has unit delta.
    """

    y: list[int]
    R: Matrix
    delta: int
    u: list[int]
    v: list[int]
    weights: list[int]
    b: list[Affine]

    @cached_property
    def scores(self) -> list[list[int]]:
        """The lists p and q with unit delta sum_j R_ij y_j a_j = p_i + q_i tau."""
        # Rocq: Checker.stationarity
        return [self.R.times(list(map(mul, self.y, part))) for part in (self.u, self.v)]

    @cached_property
    def margins(self) -> list[list[Affine]]:
        """The values unit delta (y_i g(x_i) - 1) at every point, for each b."""
        unit, points = self.R.unit, list(zip(self.y, *self.scores, strict=True))
        one, ends = unit * self.delta, [(unit * b_u, unit * b_v) for b_u, b_v in self.b]
        return [[(y * (p + b_u) - one, y * (q + b_v)) for y, p, q in points] for b_u, b_v in ends]

    def limit_signs(self, ends: list[int]) -> None:
        """Refuse margins or ends of tau that are too long for computing signs."""
        far = max(x.bit_length() for x in ends)
        for margins in self.margins:
            long = max(x.bit_length() for margin in margins for x in margin)
            self.R.products.add(4 * len(margins), long, far, "u, v, b with this problem are")


def in_integers(parts: list[list[tuple[int, int]]], what: str) -> tuple[int, list[list[int]]]:
    """Return the common denominator of the quotients p/q, and their numerators over it."""
    delta = common_multiple((q for part in parts for _, q in part), what)
    return delta, [[p * (delta // q) for p, q in part] for part in parts]


@dataclass(frozen=True)
class Solution(Classifier):
    """A classifier at one tau; lambda |w|^2 = sum_ij y_i a_i R_ij y_j a_j, and 1 / lambda = C / tau."""

    C: Fraction
    tau: Tau

    @cached_property
    def signs(self) -> list[list[int]]:
        """The signs of a_i and of omega_i tau - a_i."""
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
    def tight(self) -> list[set[int]]:
        """The points with y_i g(x_i) = 1, for each b."""
        sign, name = self.tau.sign, "complementarity"
        return [{i for i, margin in enumerate(end) if not sign(*margin, name)} for end in self.margins]

    @cached_property
    def norm2(self) -> list[int]:
        """The coefficients k with unit delta^2 lambda |w|^2 = k_0 + k_1 tau + k_2 tau^2."""
        # Rocq: Checker.norm2_ratio, Checker.norm2_affine
        long = 2 * self.delta.bit_length() + self.R.unit.bit_length() + self.R.bits
        self.R.products.add(8, long, long, "u, v, b with this problem are")
        (p, q), (u, v) = self.scores, (list(map(mul, self.y, part)) for part in (self.u, self.v))
        return [sum(map(mul, u, p)), 2 * sum(map(mul, u, q)), sum(map(mul, v, q))]

    @cached_property
    def errors(self) -> tuple[Fraction, Fraction]:
        """Bounds of the errors of |w|^2 and of sum_i C_i xi_i that come from the errors of R.

        Let s_p be the sum of y_i alpha_i over the points at the place p. R between different places has an
        error of at most e, and else none. So the error of g(x_i), and that of xi_i, is at most e times the
        sum of |s_q| over the places q other than that of x_i. The error of |w|^2 is at most e times the sum
        of |s_p| |s_q| over p != q. Only kernels with lambda = 1 have errors, so that alpha = a, and tau = C.
        """
        error, (n, d) = self.R.error, self.tau.lower.as_integer_ratio()
        if not error:
            return Fraction(0), Fraction(0)
        sums = Counter[int]()  # delta d s_p
        for place, y, u, v in zip(self.R.places, self.y, self.u, self.v, strict=True):
            sums[place] += y * (d * u + n * v)
        total = sum(map(abs, sums.values()))
        others = {place: total - abs(s) for place, s in sums.items()}
        norm2 = sum(abs(s) * others[place] for place, s in sums.items())
        slack = sum(omega * others[place] for omega, place in zip(self.weights, self.R.places, strict=True))
        unit = error / (self.delta * d) ** 2
        return unit * norm2, unit * d * self.C * slack


def read_solution(cert: dict[str, Any], progress: Callable[[str], object]) -> Solution:
    """Return the certificate's u, v and b over one denominator, with the Gram matrix of its problem."""
    problem = cert["problem"]
    C, tau = problem["C"], Tau(*(problem["C"] * cert["lambda"][end] for end in BOUNDS))
    weights = [omega.as_integer_ratio() for omega in problem["weights"]]
    parts = [cert["u"], cert["v"], weights, *([b["u"], b["v"]] for b in cert["b"])]
    delta, (u, v, omega, *b) = in_integers(parts, "the denominators of u, v, b, C are")
    R = gram_of_problem(problem, cert["lambda"]["bits"], progress)
    return Solution(problem["y"], R, delta, u, v, omega, [(p, q) for p, q in b], C, tau)


# The conditions.


def enclosed_lambda(problem: dict[str, Any], bits: int, lower: Fraction, upper: Fraction) -> str:
    """Check lower <= prod 1/h_0 <= upper, with equality only if the product is rational."""
    bounds = lambda_bounds(problem["measures"], bits)
    require(bounds == (lower, upper), "lambda", f"these are not the bounds of prod 1/h_0 at {bits} bits")
    exact = "rational" + f", R enclosed to {bits} bits" * (problem["kernel"]["family"] == "rbf")
    return exact if lower == upper else f"enclosed to {bits} bits"


def dual_feasibility(s: Solution) -> str:
    """Check 0 <= a_i <= omega_i tau, and sum_i y_i a_i = 0 for every tau."""
    # Rocq: Checker.dual_feasible, Checker.balanced_affine
    require(min(map(min, s.signs)) >= 0, "dual feasibility", "an alpha_i is not in [0, C_i]")
    balanced = sum(map(mul, s.y, s.u)) == sum(map(mul, s.y, s.v)) == 0
    require(balanced, "dual feasibility", "sum y_i a_i is not 0 for every tau")
    return "0 <= alpha_i <= C_i, sum y_i alpha_i = 0"


def stationarity(s: Solution, active: dict[str, list[int]]) -> str:
    """Check that free lists the points with 0 < alpha_i < C_i, and bound those with alpha_i = C_i.

    Stationarity itself needs no check, because w is defined by a.
    """
    sets = {"free": [i + 1 for i in sorted(s.free)], "bound": [i + 1 for i in sorted(s.bound)]}
    require(active == sets, "stationarity", "the active sets do not agree with u and v")
    return "w = sum alpha_i y_i Phi(x_i) by definition; the active sets are correct"


def primal_feasibility(s: Solution) -> str:
    """Check y_i g(x_i) >= 1 if alpha_i < C_i, at the ends of b, which implies it in between."""
    # Rocq: Checker.exact_kkt, Checker.ends_suffice
    condition = "primal feasibility"
    for end in s.margins:
        for i, margin in enumerate(end):
            above = i in s.bound or s.tau.sign(*margin, condition) >= 0
            require(above, condition, f"y_i g_i < 1 but alpha_i < C_i at point {i + 1}")
    return "y_i g_i >= 1 if alpha_i < C_i"


def complementarity(s: Solution) -> str:
    """Check y_i g(x_i) = 1 if 0 < alpha_i < C_i, for every tau, and y_i g(x_i) <= 1 if alpha_i = C_i.

    Both are checked at the ends of b, which implies them in between.
    """
    # Rocq: Checker.exact_kkt, Checker.level_exact, Checker.ends_suffice
    condition = "complementarity"
    for end in s.margins:
        for i, margin in enumerate(end):
            on = i not in s.free or margin == (0, 0)
            require(on, condition, f"y_i g_i is not 1 at the free point {i + 1}")
            below = i not in s.bound or s.tau.sign(*margin, condition) <= 0
            require(below, condition, f"y_i g_i > 1 at the bound point {i + 1}")
    return "y_i g_i = 1 if 0 < alpha_i < C_i, y_i g_i <= 1 if alpha_i = C_i"


def whole_b(y: list[int], free: set[int], bound: set[int], tight: list[set[int]]) -> None:
    """Check that no other b is optimal.

    If a point is free, b is one number; otherwise some point bounds b at either end.
    """
    # Rocq: Checker.whole_b_free, Checker.whole_b, Svm.b_interval_ends
    if free:
        require(len(tight) == 1, "complementarity", "b must be one number if a support vector is free")
        return
    # A smaller b violates y_i g_i >= 1 if y_i = 1 and y_i g_i <= 1 if y_i = -1; a larger b the converse.
    floor = any((y[i] > 0) != (i in bound) for i in tight[0])
    ceiling = any((y[i] > 0) == (i in bound) for i in tight[-1])
    whole = len(tight) == 2 and floor and ceiling
    require(whole, "complementarity", "b is not the whole interval of optimal values")


def duality_gap(s: Solution, claimed: Fraction) -> Fraction:
    """Check P - D = |w|^2 - sum_i alpha_i + sum_i C_i xi_i <= claimed; return an upper bound of P - D.

    unit delta^2 (P - D) = C (k_0 + k_1 tau + k_2 tau^2) / tau + C rest. Terms cancel, so the coefficients are
    summed before they are bounded. Only the xi_i whose sign is undecided are bounded one by one, in rest.
    """
    # Rocq: Checker.duality_gap, Svm.gap_formula
    k, rest = s.norm2.copy(), Fraction(0)
    k[0] -= s.R.unit * s.delta * sum(s.u)
    k[1] -= s.R.unit * s.delta * sum(s.v)
    for omega, (p, q) in zip(s.weights, s.margins[0], strict=True):
        xi = [-p - q * end for end in s.tau]  # unit delta (1 - y_i g(x_i)) lies between them
        if min(xi) >= 0:
            k[1] -= omega * p
            k[2] -= omega * q
        else:
            rest += omega * max(Fraction(0), *xi)
    gap = s.C * (s.tau.bound_quotient(k)[1] + rest) / (s.R.unit * s.delta**2) + sum(s.errors)
    require(gap <= claimed, "complementarity", "P - D is not proved to be at most claims.gap")
    return gap


# The claims.


def w_error(gap: Fraction, claims: dict[str, Any], exact: bool) -> None:
    """Check |w - w*| <= w_error, which follows from |w - w*|^2 <= P - D; at level exact both are 0."""
    # Rocq: Checker.w_error, Checker.w_error_sqrt, Svm.gap_bound
    zero = not exact or claims["gap"] == claims["w_error"] == 0
    require(zero, "claims", "gap and w_error must be 0 at level exact")
    large = claims["w_error"] >= 0 and gap <= claims["w_error"] ** 2
    require(large, "claims", "w_error is less than sqrt(P - D)")


def roots_differ_by(small: Fraction, large: Fraction, by: Fraction) -> bool:
    """Return whether sqrt(small) + by <= sqrt(large), decided by squaring twice."""
    # Rocq: Checker.apart_sqrt
    rest = large - small - by**2
    return rest >= 0 and 4 * by**2 * small <= rest**2


def norm2(s: Solution, claims: dict[str, Any]) -> None:
    """Check norm2.lower <= |w*|^2 <= norm2.upper; |w*| lies between |w| - w_error and |w| + w_error.

    unit delta^2 |w|^2 = C (k_0 + k_1 tau + k_2 tau^2) / tau.
    """
    # Rocq: Checker.norm2_lower, Checker.norm2_upper, Checker.level_gap
    scale, error = s.C / (s.R.unit * s.delta**2), claims["w_error"]
    least, most = (end * scale for end in s.tau.bound_quotient(s.norm2))
    least, most = (max(Fraction(0), end) for end in (least - s.errors[0], most + s.errors[0]))
    low, high = (claims["norm2"][end] for end in BOUNDS)
    inside = (low <= 0 or roots_differ_by(low, least, error)) and roots_differ_by(most, high, error)
    require(inside, "claims", "norm2 is not proved to lie in its bounds; widen them or raise lambda.bits")


def hard_margin(s: Solution, claims: dict[str, Any], exact: bool) -> None:
    """Check whether no point has slack, that is y_i g(x_i) = 1 also if alpha_i = C_i; null below level exact.

    Exactly then a larger C has the same least P. The sum of the C_i xi_i is min P - |w*|^2 / 2, and does not
    depend on which of the optimal a and b the certificate contains.
    """
    # Rocq: Checker.hard_margin, Checker.hard_margin_stays, Checker.hard_margin_raises,
    # Svm.hard_margin_invariant
    hard = s.bound <= s.tight[0] if exact else None
    require(
        claims["hard_margin"] is hard, "claims", "hard_margin must be whether no point has slack, or null"
    )


def b_unique(s: Solution, claims: dict[str, Any], exact: bool) -> None:
    """Whether the ends of b are one number; null is no claim."""
    # Rocq: Checker.b_unique
    if claims["b_unique"] is not None:
        b_u, b_v = map(sub, s.b[-1], s.b[0])
        unique = not s.tau.sign(b_u, b_v, "claims")
        require(exact and claims["b_unique"] is unique, "claims", "b_unique is not proved")


def alpha_unique(s: Solution, claims: dict[str, Any], exact: bool) -> None:
    """Check that no other alpha is optimal; null claims nothing, and false is never proved.

    Two solutions differ only on E, the points with y_i g(x_i) = 1 for every optimal b, and by y times a null
    vector of the Gram matrix of E that sums to 0. Only 0 is such a vector if the matrix, bordered by ones, is
    nonsingular; here R_ij is multiplied by c D_i D_j, the border by D_i.
    """
    # Rocq: Checker.alpha_unique_empty, Checker.alpha_unique_scaled, Checker.alpha_unique_mod
    if claims["alpha_unique"] is not None:
        D, E = s.R.D, s.tight[0] & s.tight[-1] if exact else set()
        require_at_most(len(E), limits.TIGHT, "to prove alpha_unique, the set with y_i g_i = 1 is", "points")
        s.R.limit_entries(len(E) ** 2)
        bordered = [[*(s.R.entry(i, j) for j in E), D[i]] for i in E] + [[*(D[j] for j in E), 0]]
        unique = exact and (not E or any(nonsingular(bordered, prime) for prime in PRIMES))
        require(claims["alpha_unique"] and unique, "claims", "alpha_unique is not proved; write null instead")


def sha256(certificate: dict[str, Any]) -> str:
    """Check that the field sha256 is the digest of all other fields."""
    matches = certificate["sha256"] == digest(certificate, "sha256")
    require(matches, "sha256", "the digest does not match the other fields")
    return "matches the other fields"


def check_certificate(certificate: dict[str, Any], progress: Callable[[str], object] = str) -> dict[str, Any]:
    """Return the evidence for each condition; raise Rejected at the first that fails."""
    progress("reading every number")
    cert = read_certificate(certificate)
    claims, exact = cert["claims"], cert["level"] == "exact"
    proved = {"lambda": enclosed_lambda(cert["problem"], **cert["lambda"])}
    s = read_solution(cert, progress)
    progress("dual feasibility, stationarity")
    proved["dual feasibility"] = dual_feasibility(s)
    proved["stationarity"] = stationarity(s, cert["active"])
    progress("primal feasibility, complementarity")
    s.limit_signs([x for end in s.tau for x in end.as_integer_ratio()])
    if exact:
        proved["primal feasibility"] = primal_feasibility(s)
        proved["complementarity"] = complementarity(s)
        whole_b(s.y, s.free, s.bound, s.tight)
        gap = Fraction(0)
    else:
        gap = duality_gap(s, claims["gap"])
        proved["primal feasibility"] = "xi_i = max(0, 1 - y_i g_i) by definition"
        proved["complementarity"] = f"P - D <= {certificate['claims']['gap']}"
    progress("claims")
    w_error(gap, claims, exact)
    norm2(s, claims)
    hard_margin(s, claims, exact)
    b_unique(s, claims, exact)
    alpha_unique(s, claims, exact)
    proved["claims"] = "proved"
    proved["sha256"] = sha256(certificate)
    problem = describe_problem(certificate["problem"])
    found: dict[str, Any] = {"problem": problem, "level": cert["level"], "conditions": proved} | certificate[
        "claims"
    ]
    return found
