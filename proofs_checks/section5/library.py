"""Claims of sections 3 and 5 for larger parameters: all indices at d = n = 5, polynomials up to degree 25.

The second computations share no code with the library: moments from their own recurrence, polynomials from
Gram-Schmidt on the moments, and all modes one by one. No printed number is used, so these claims detect
errors of the library that the table cells would detect, but without the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, combinations, pairwise, product
from math import lcm, prod
from types import SimpleNamespace
from typing import Any

from flint import fmpq, fmpq_mat

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem
from orca_exact.profile.profile import orca
from orca_exact.svm.certify import certify

from ..ledger.claims import FINITE, Equal, Less, Note, claim
from ..samples import WEIGHTS, coefficients, evaluate, gram_schmidt

D = N = 5
ALPHA, BETA = fmpq(1, 2), fmpq(-1, 3)
TOP = 25  # the largest degree in the paper's tables


def moments(alpha: fmpq, beta: fmpq, n: int) -> list[fmpq]:
    """Return the moments of x^j over h_0, j = 0 ... n, from a recurrence by integration by parts.

    The recurrence is (alpha+beta+2+j) m_{j+1} = (beta-alpha) m_j + j m_{j-1}.
    """
    m = [fmpq(1), (beta - alpha) / (alpha + beta + 2)]
    for j in range(1, n):
        m.append(((beta - alpha) * m[j] + j * m[j - 1]) / (alpha + beta + 2 + j))
    return m[: n + 1]


def nine_point_problem() -> Problem:
    """Return a problem with nine separable points in five dimensions and no bound support vector."""
    X = [[fmpq((7 * i + 3 * c * c + i * i * c) % 13 - 6, 6) for c in range(1, D + 1)] for i in range(9)]
    return Problem(X, [1, -1, 1, 1, -1, -1, 1, -1, -1], N, ALPHA, BETA, C=10**6)


@lru_cache(maxsize=1)
def values() -> tuple[list, list]:
    """Return pi_k(x_il) as [i][l][k], computed from moments, and the h_k/h_0."""
    from_moments: Any = SimpleNamespace(moment_ratios=lambda n: moments(ALPHA, BETA, n))
    p, h = gram_schmidt.__wrapped__(from_moments, N)  # no cache: a namespace has no hash
    return [[[evaluate(f, x) for f in p] for x in row] for row in nine_point_problem().points], h


def kernel(i: int, j: int) -> fmpq:
    """Return h_0^d K(x_i, x_j)."""
    rows, h = values()
    pairs = zip(rows[i], rows[j], strict=True)
    sums = (sum((p * q / g for p, q, g in zip(x, z, h, strict=True)), fmpq(0)) for x, z in pairs)
    return prod(sums, start=fmpq(1))


def library_squares(s: list[fmpq]) -> dict[tuple[int, ...], fmpq]:
    """Return c_k^2 = (sum_i s_i pi_k(x_i))^2 prod h_0/h_k for each of the 7,776 modes."""
    rows, h = values()

    def some(coordinates: range, at: list[fmpq]) -> tuple[list[tuple[int, ...]], fmpq_mat, list[fmpq]]:
        """Return the modes k of some coordinates, a_i pi_k(x_i) for each k and i, and prod h_k/h_0."""
        sums: dict[tuple[int, ...], list[fmpq]] = {(): at}
        for c in coordinates:
            sums = {
                (*k, j): [t * row[c][j] for t, row in zip(known, rows, strict=True)]
                for k, known in sums.items()
                for j in range(N + 1)
            }
        return list(sums), fmpq_mat(list(sums.values())), [prod(h[j] for j in k) for k in sums]

    first, left, g = some(range(3), s)
    second, right, f = some(range(3, D), [fmpq(1)] * len(s))
    totals = (left * right.transpose()).tolist()  # the sums over i
    return {
        (*k, *m): totals[i][j] ** 2 / (g[i] * f[j]) for i, k in enumerate(first) for j, m in enumerate(second)
    }


@claim(
    "indices-of-7776-modes",
    place="section 5, eq. (31) to (40)",
    title="for n = 5, d = 5 every index is the sum over its modes",
    latex=r"\mathrm{OKC}_S=\frac1{\|h\|^2}\sum_{\operatorname{act}(\mathbf k)=S}c_{\mathbf k}^2,\quad "
    r"\mathrm{OKC}_N^{(q)}=\frac1{\|h\|^2}\sum_{q(\mathbf k)=q,\,N(\mathbf k)=N}c_{\mathbf k}^2",
    plain="Orders, marginals, pairs and all other sets of coordinates, degrees, blocks, even and odd mass, "
    "F(T), N* and T_eps of one classifier are compared with the sums of c_k^2 over the modes in their "
    "definitions.",
    scope="computed exactly for nine points, the weight (1/2, -1/3) and all 7,776 modes; the KKT conditions "
    "are checked",
    second_route="plain sums over modes, with polynomials and Gram matrix from moments instead of the "
    "recurrence",
    kills=(
        "pairs-exchanged-from-d-4", "orders-exchanged-from-d-4", "degrees-shifted-from-n-4", "T-of-2-percent",
        "every-index-off", "coordinates-reversed", "even-odd-exchanged", "nyquist-twice", "alpha-without-y",
    ),
    extent=FINITE,
)  # fmt: skip
def all_modes() -> Iterator:
    problem = nine_point_problem()
    found = certify(problem, [problem.C / 2] * problem.m, level="exact")
    s, b = [u * y for u, y in zip(found.u, problem.y, strict=True)], found.b.lower.p
    yield Less(0, min(found.u), "the smallest alpha_i is positive")
    yield Equal(sum(s, fmpq(0)), fmpq(0), "sum of alpha_i y_i")
    for i, y in enumerate(problem.y):
        h = sum((t * kernel(i, j) for j, t in enumerate(s)), fmpq(0))
        yield Equal(y * (h + b), fmpq(1), f"y g(x) at point {i + 1}")
    sets = dict.fromkeys((S for q in range(D + 1) for S in combinations(range(1, D + 1), q)), fmpq(0))
    blocks = dict.fromkeys(product(range(D + 1), range(D * N + 1)), fmpq(0))
    denominator = lcm(*(int(t.q) for t in s))  # a factor does not change shares; integers are faster
    for k, square in library_squares([t * denominator for t in s]).items():
        S = tuple(i for i, degree in enumerate(k, 1) if degree)
        sets[S] += square
        blocks[len(S), sum(k)] += square
    norm = sum(sets.values(), fmpq(0))
    sets = {S: x / norm for S, x in sets.items()}
    blocks = {key: x / norm for key, x in blocks.items()}
    orders = [sum((x for S, x in sets.items() if len(S) == q), fmpq(0)) for q in range(D + 1)]
    degrees = [sum((blocks[q, T] for q in range(D + 1)), fmpq(0)) for T in range(D * N + 1)]
    F = list(accumulate(degrees))
    profile = orca(problem, found, "exact")
    yield Equal(profile.order, orders, "OKC^(q), all orders")
    yield Equal(profile.marginal, {i: sets[i,] for i in range(1, D + 1)}, "OKC_i, all coordinates")
    yield Equal(profile.pair, {S: x for S, x in sets.items() if len(S) == 2}, "OKC_ij, all pairs")
    yield Equal({S: profile.subset(S) for S in sets}, sets, "OKC_S, all subsets")
    yield Equal(profile.block, blocks, "OKC_N^(q), all blocks")
    yield Equal(profile.degree, degrees, "OKC_N, all degrees")
    yield Equal(profile.even, sum(degrees[::2], fmpq(0)), "even mass")
    yield Equal(profile.odd, sum(degrees[1::2], fmpq(0)), "odd mass")
    yield Equal(profile.cumulative, F, "F(T), all T")
    yield Equal(profile.peak, degrees.index(max(degrees)), "N*")
    for eps, level in (("0.1", fmpq(9, 10)), ("0.05", fmpq(19, 20)), ("0.01", fmpq(99, 100))):
        T = next(T for T, f in enumerate(F) if f >= level)
        yield Equal(profile.threshold(eps), (T, F[T]), f"T_{eps}")
    yield Note(f"N* = {degrees.index(max(degrees))}, T_0.01 = {T}")


@claim(
    "polynomials-to-degree-25",
    place="section 3.1, eq. (10)",
    title="p_0 ... p_25, their norms and their recurrence agree with the moments of the weight",
    latex=r"\int_I\pi_k(t)\,t^j\,d\mu(t)=h_k\,\delta_{jk},\quad j\le k\le25",
    plain="pi_k is monic and orthogonal to 1, t, ..., t^{k-1}, and its inner product with t^k is h_k. This "
    "determines pi_k and h_k, and with them a_k and b_k. 25 is the largest degree in the tables of the "
    "paper.",
    assumptions="alpha and beta are rational",
    scope="computed exactly for five Jacobi weights, k <= 25",
    second_route="moments from a recurrence of their own, derived by integration by parts",
    kills=("h-doubled-from-9", "b-doubled-from-9", "wrong-b", "wrong-b-1", "wrong-a", "wrong-moment"),
    extent=FINITE,
)
def to_degree_25() -> Iterator:
    for pair in WEIGHTS:
        J = Jacobi(*pair)
        m = moments(J.alpha, J.beta, 2 * TOP + 1)
        p, h = coefficients(J, TOP), J.h_ratios(TOP)
        with_power = [
            [sum((c * m[i + j] for i, c in enumerate(f)), fmpq(0)) for j in range(k + 2)]
            for k, f in enumerate(p)
        ]
        yield Equal(J.moment_ratios(2 * TOP), m[:-1], f"{J}: moments")
        yield Equal([f[-1] for f in p], [fmpq(1)] * (TOP + 1), f"{J}: leading coefficients")
        for k, found in enumerate(with_power):
            yield Equal(found[: k + 1], [fmpq(0)] * k + [h[k]], f"{J}: <pi_{k}, x^j>, j = 0 ... {k}")
            # x pi_k = pi_{k+1} + a_k pi_k + ...: with x^k, <pi_k, x^{k+1}> = (a_0 + ... + a_k) h_k
        sums = list(accumulate(J.recurrence(k)[0] for k in range(TOP + 1)))
        label = f"{J}: a_0 + ... + a_k for all k"
        yield Equal([f[-1] / g for f, g in zip(with_power, h, strict=True)], sums, label)
        label = f"{J}: b_k for all k"
        yield Equal([J.recurrence(k)[1] for k in range(1, TOP + 1)], [b / a for a, b in pairwise(h)], label)
