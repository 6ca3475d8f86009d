"""The dual SVM as a linear complementarity problem, solved by Lemke's algorithm in integers.

The textbook method (Cottle, Pang and Stone, "The Linear Complementarity Problem", section 4.4) with the
lexicographic rule, which cannot cycle. The matrix is positive semidefinite, so that it ends with a solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

Vector = list[Fraction]
Matrix = list[Vector]


def lemke(M: Matrix, q: Vector) -> Vector:
    """Return z >= 0 with w = M z + q >= 0 and z.w = 0, for a positive semidefinite matrix M."""
    size = len(q)
    scale = lcm(*(x.denominator for row in [*M, q] for x in row))
    # Columns: w (size), z (size), the artificial variable, the right-hand side.
    artificial, right = 2 * size, 2 * size + 1
    table = [
        [int(i == j) for j in range(size)] + [-int(x * scale) for x in M[i]] + [-1, int(q[i] * scale)]
        for i in range(size)
    ]
    basis = list(range(size))
    if all(row[right] >= 0 for row in table):
        return [Fraction(0)] * size
    previous = 1

    def pivot(r: int, c: int) -> None:
        nonlocal previous
        p, pivot_row = table[r][c], table[r]
        for i, row in enumerate(table):
            if i != r:
                f = row[c]
                table[i] = [(p * x - f * t) // previous for x, t in zip(row, pivot_row, strict=True)]
        previous = p
        if p < 0:  # keep the common denominator positive
            for i in range(size):
                table[i] = [-x for x in table[i]]
            previous = -p

    def smaller(r: int, s: int, c: int) -> bool:
        """Return whether row r is lexicographically smaller than row s, each divided by its entry c."""
        for column in (right, *range(size)):
            left, other = table[r][column] * table[s][c], table[s][column] * table[r][c]
            if left != other:
                return left < other
        raise ArithmeticError("two rows of a basis are equal")

    # The first pivot: the lexicographically smallest row enters, with the artificial variable.
    r = 0
    for i in range(1, size):
        if [table[i][right], *table[i][:size]] < [table[r][right], *table[r][:size]]:
            r = i
    entering = artificial
    while True:
        leaving = basis[r]
        pivot(r, entering)
        basis[r] = entering
        if leaving == artificial:
            break
        entering = leaving + size if leaving < size else leaving - size
        rows = [i for i in range(size) if table[i][entering] > 0]
        if not rows:
            raise ArithmeticError("a secondary ray: the matrix is not positive semidefinite")
        r = rows[0]
        for i in rows[1:]:
            if smaller(i, r, entering):
                r = i
    z = [Fraction(0)] * size
    for i, variable in enumerate(basis):
        if size <= variable < artificial:
            z[variable - size] = Fraction(table[i][right], table[i][variable])
    return z


@dataclass(frozen=True)
class Optimum:
    """An optimal a of the dual, with what is the same for every optimum.

    ``values`` are those of h without b, at the points; ``b`` is the interval of all optimal b, with None for
    an end at infinity.
    """

    a: Vector
    values: Vector
    b: tuple[Fraction | None, Fraction | None]
    alpha_unique: bool
    hard_margin: bool

    @property
    def verdicts(self) -> dict[str, bool]:
        """What certificates state about the optimum."""
        b_unique = self.b[0] is not None and self.b[0] == self.b[1]
        return {"alpha_unique": self.alpha_unique, "hard_margin": self.hard_margin, "b_unique": b_unique}

    @property
    def is_zero(self) -> bool:
        """Whether sum a_i y_i R_ij = 0 for all j; the caller knows whether that means w = 0."""
        return not any(self.values)


def best_bias(values: Vector, y: list[int], upper: Vector) -> tuple[Fraction | None, Fraction | None]:
    """Return the interval of all b that minimise the sum of upper_i max(0, 1 - y_i (values_i + b))."""
    kinks = sorted({t - h for t, h in zip(y, values, strict=True)})

    def slope(b: Fraction, side: int) -> Fraction:
        total = Fraction(0)
        for t, h, c in zip(y, values, upper, strict=True):
            kink = t - h
            if t > 0 and (b < kink or (b == kink and side < 0)):
                total -= c
            if t < 0 and (b > kink or (b == kink and side > 0)):
                total += c
        return total

    lower = next(b for b in kinks if slope(b, 1) >= 0)
    higher = next(b for b in reversed(kinks) if slope(b, -1) <= 0)
    no_left, no_right = slope(kinks[0], -1) == 0, slope(kinks[-1], 1) == 0
    return None if no_left else lower, None if no_right else higher


def null_space(rows: Matrix, size: int) -> Matrix:
    """Return a basis of the vectors that every row maps to 0."""
    table, pivots = [list(row) for row in rows], []
    for column in range(size):
        r = len(pivots)
        found = next((i for i in range(r, len(table)) if table[i][column]), None)
        if found is None:
            continue
        table[r], table[found] = table[found], table[r]
        table[r] = [x / table[r][column] for x in table[r]]
        for i in range(len(table)):
            if i != r and (f := table[i][column]):
                table[i] = [x - f * t for x, t in zip(table[i], table[r], strict=True)]
        pivots.append(column)
    basis = []
    for free in range(size):
        if free not in pivots:
            vector = [Fraction(0)] * size
            vector[free] = Fraction(1)
            for r, column in enumerate(pivots):
                vector[column] = -table[r][free]
            basis.append(vector)
    return basis


def has_direction(directions: Matrix, signs: list[int]) -> bool:
    """Return whether the span has a vector, not 0, with sign_i x_i >= 0 wherever sign_i is not 0.

    ``max sum sign_i x_i`` over that cone, cut off by a box, is a linear program; it is 0 if only vectors that
    vanish at all those places are left.
    """
    if not directions:
        return False
    bound = [i for i, s in enumerate(signs) if s]
    rows = [[d[i] for d in directions] for i in bound]
    k = len(directions)
    if null_space(rows, k):
        return True
    # maximise c.t over rows G t >= 0 (signs included) and c.t <= 1, with t = t1 - t2, t1, t2 >= 0
    G = [[signs[i] * d[i] for d in directions] for i in bound]
    c = [sum((row[j] for row in G), Fraction(0)) for j in range(k)]
    A = [[*row, *(-x for x in row)] for row in G] + [[*(-x for x in c), *c]]
    limits = [Fraction(0)] * len(G) + [Fraction(-1)]
    n, rows_count = 2 * k, len(A)
    zero = Fraction(0)
    M = [[zero] * n + [-A[i][j] for i in range(rows_count)] for j in range(n)]
    M += [[*A[i], *([zero] * rows_count)] for i in range(rows_count)]
    cost = [-x for x in [*c, *(-x for x in c)]]
    z = lemke(M, [*cost, *(-x for x in limits)])
    return sum((x * (z[j] - z[k + j]) for j, x in enumerate(c)), zero) > 0


def solve_dual(R: Matrix, y: list[int], upper: Vector) -> Optimum:
    """Maximise sum a_i - 1/2 sum a_i a_j y_i y_j R_ij over 0 <= a_i <= upper_i, sum a_i y_i = 0."""
    m = len(y)
    zero, one = Fraction(0), Fraction(1)
    M = []
    for i in range(m):
        unit = [one if i == j else zero for j in range(m)]
        M.append([R[i][j] * (y[i] * y[j]) for j in range(m)] + unit + [Fraction(y[i]), Fraction(-y[i])])
    for i in range(m):
        M.append([-one if i == j else zero for j in range(m)] + [zero] * (m + 2))
    M.append([Fraction(-t) for t in y] + [zero] * (m + 2))
    M.append([Fraction(t) for t in y] + [zero] * (m + 2))
    a = lemke(M, [-one] * m + upper + [zero, zero])[:m]
    values = [sum((a[j] * y[j] * R[i][j] for j in range(m)), zero) for i in range(m)]
    low, high = best_bias(values, y, upper)
    b = (
        (low + high) / 2
        if low is not None and high is not None
        else next(x for x in (low, high) if x is not None)
    )
    if (low is None) != (high is None):  # the inside of the interval
        b = b + 1 if high is None else b - 1
    margin = [t * (h + b) for t, h in zip(y, values, strict=True)]
    # The proof of optimality: feasible, and complementary to this b.
    assert sum((x * t for x, t in zip(a, y, strict=True)), zero) == 0
    for x, c, g in zip(a, upper, margin, strict=True):
        assert 0 <= x <= c and (g >= 1 or x == c) and (g <= 1 or x == 0)
    on = [i for i in range(m) if margin[i] == 1]
    system = [[R[i][j] * y[j] for j in on] for i in range(m)] + [[Fraction(y[j]) for j in on]]
    signs = [1 if a[i] == 0 else -1 if a[i] == upper[i] else 0 for i in on]
    unique = not has_direction(null_space(system, len(on)), signs)
    return Optimum(a, values, (low, high), unique, all(g >= 1 for g in margin))
