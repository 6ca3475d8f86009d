"""Claims of section 6 about dimensions and shapes of the boundary as n grows. No data are needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq, fmpq_poly

from orca_exact.measures.jacobi import Jacobi
from orca_exact.problem import Problem
from orca_exact.svm.certify import certify

from .. import tensor_kernel as kernel
from ..ledger.claims import FINITE, FOR_ALL, Differs, Equal, Holds, Less, claim, not_checkable
from ..ledger.mutants import replacing
from ..samples import (
    FREE_RECURRENCE,
    Recurrence,
    coefficients,
    h_polynomial,
    orca_exactly,
    orca_of,
    symbolic,
    symbols,
    tensor,
    weights,
)


@claim(
    "n1-dim4",
    place="section 6.1, line 861",
    title="for n = 1 the space has dimension 4 and is spanned by the monomials of degree <= 1 in each "
    "coordinate",
    latex=r"\mathcal{H}_1^{(2)}=\mathrm{span}\{1,x_1,x_2,x_1x_2\}",
    plain="One of the four monomials is x_1 x_2, which is linear in each coordinate.",
    reading="'linear in each coordinate' means of degree at most 1 in x_1 and in x_2, so that four "
    "monomials span four dimensions",
    scope=f"n = 1, d = 2, with {FREE_RECURRENCE}",
    second_route="monomials of the expanded basis functions",
    kills=("total-degree-truncation", "dropped-tensor-term"),
    extent=FINITE,
)
def n1_dimension() -> Iterator:
    p = coefficients(Recurrence(), 1)
    used = {e for k in kernel.modes(1, 2) for e, c in tensor([p[i] for i in k]).items() if c != 0}
    yield Equal(used, {(0, 0), (0, 1), (1, 0), (1, 1)}, "exponents of the monomials of the basis")
    yield Equal(len(kernel.modes(1, 2)), 4, "dimension")


@claim(
    "n1-dim4-literal",
    place="section 6.1, line 861",
    title="at n = 1 the space of dimension 4 contains only the constant and linear monomials",
    latex=r"\mathcal{H}_1^{(2)}=\mathrm{span}\{1,x_1,x_2\}",
    plain="There are only three such monomials; the fourth basis function is x_1 x_2.",
    statement="n1-dim4",
    reading="the linear monomials are x_1 and x_2",
    scope="enumeration",
    second_route="expanded basis functions",
    kills=("total-degree-truncation",),
    expect="FAILS",
    severity="imprecise wording",
    correction="n1-dim4",
)
def n1_literal() -> Iterator:
    label = "number of modes at n = 1, and number of the monomials 1, x_1, x_2"
    yield Equal(len(kernel.modes(1, 2)), len([(0, 0), (1, 0), (0, 1)]), label)


@claim(
    "n2-dim9",
    place="section 6.1, line 864",
    title="for n = 2 the space has dimension 9 and contains squares of a coordinate",
    latex=r"\dim\mathcal{H}_n^{(2)}=(n+1)^2=4,\,9,\,16,\,81\qquad(n=1,2,3,8)",
    plain="'Quadratic interactions' are terms such as x_1^2 x_2. The interaction x_1 x_2 is in the space at "
    "n = 1 already.",
    scope="modes counted for n = 1, 2, 3, 8",
    second_route="(n+1)^2",
    kills=("total-degree-truncation", "dropped-tensor-term"),
    extent=FINITE,
)
def n2_dimension() -> Iterator:
    for n, dimension in ((1, 4), (2, 9), (3, 16), (8, 81)):
        yield Equal(len(kernel.modes(n, 2)), dimension, f"number of modes for n = {n}")
    new = set(kernel.modes(2, 2)) - set(kernel.modes(1, 2))
    yield Equal(new, {(2, 0), (0, 2), (2, 1), (1, 2), (2, 2)}, "modes that n = 2 adds")


@claim(
    "n12-dim169",
    place="section 6.1, lines 918 to 922; line 963",
    title="(alpha, beta) changes the inner product but not the space, and n bounds the degree; for n = 12 "
    "the dimension is 169",
    latex=r"\dim\mathcal{H}_{12}^{(2)}=13^2=169,\qquad\frac{\langle x,x\rangle}{\langle1,1\rangle}="
    r"\frac{(\alpha-\beta)^2+\alpha+\beta+2}{(\alpha+\beta+2)(\alpha+\beta+3)}",
    plain="For every weight the space consists of the polynomials of degree <= n in each coordinate "
    "(contains-exactly). Different (alpha, beta) have different inner products: a_0 = <x, 1>/<1, 1> and "
    "b_1 give alpha + beta + 3 = (1 - a_0^2)/b_1 and beta - alpha = a_0 (alpha + beta + 2).",
    scope="all alpha, beta; modes counted for n = 12",
    second_route="the second moment a_0^2 + b_1, from the library's moments and from its recurrence",
    kills=("total-degree-truncation", "wrong-b-1"),
    extent=FOR_ALL,
    covers=("two-sources",),
)
def n12_dimension() -> Iterator:
    yield Equal(len(kernel.modes(12, 2)), 169, "number of modes for n = 12")
    yield Equal(max(map(max, kernel.modes(12, 2))), 12, "largest degree in one coordinate")
    a, b = symbols()
    J = symbolic()
    right = ((a - b) ** 2 + a + b + 2) / ((a + b + 2) * (a + b + 3))
    yield Equal(J.field.to_sympy(J.moment_ratios(2)[2]), right, "<x, x>/<1, 1>")
    a0, b1 = J.recurrence(0)[0], J.h_ratio(1)
    yield Equal(J.field.to_sympy(a0 * a0 + b1), right, "a_0^2 + b_1")
    label = "(1 - a_0^2)/b_1, which determines alpha + beta"
    yield Equal(J.field.to_sympy((1 - a0 * a0) / b1), a + b + 3, label)
    yield Equal(J.field.to_sympy(a0) * (a + b + 2), b - a, "a_0 (alpha + beta + 2), which gives beta - alpha")


@claim(
    "n1-straight-line",
    place="section 6.1, line 862",
    title="at n = 1 the decision boundary is a straight line",
    latex=r"n=1\Rightarrow\{g=0\}\text{ is a line}",
    plain="Unless c_(1,1) = 0, g has a term in x_1 x_2, and the boundary is a hyperbola or two lines. "
    "Tables 1 and 2 print OKC^(2) = 0.0001 at n = 1, so c_(1,1) != 0 on the paper's data too.",
    reading="a straight line, not a curve near one, because of the space at n = 1",
    scope="counterexample: the exact SVM on the four points (+-1, +-1) with y = x_1 x_2, Legendre weight, n "
    "= 1",
    second_route="monomials of h compared with OKC^(2)",
    kills=("separable-data",),
    expect="FAILS",
    correction="n1-straight-line-corrected",
    severity="wrong statement",
)
def straight_line() -> Iterator:
    h = h_polynomial(bilinear_classifier())
    yield Equal(h.get((1, 1), fmpq(0)), fmpq(0), "coefficient of x_1 x_2 in g")
    yield Equal(orca_of(bilinear_classifier()).order[2], fmpq(0), "OKC^(2)")


def bilinear_classifier() -> str:
    """Return the name of a classifier whose g has a term in x_1 x_2."""
    return "xor"


@claim(
    "n1-straight-line-corrected",
    place="section 6.1, line 862",
    title="at n = 1 with h != 0 the boundary is a line if c_(1,1) = 0, otherwise a hyperbola or two lines",
    latex=r"g=A+Bx_1+Cx_2+Dx_1x_2,\qquad Dg=(Dx_1+C)(Dx_2+B)+(AD-BC)",
    plain="D g = (D x_1 + C)(D x_2 + B) + (A D - B C): for D != 0 this is a hyperbola, which degenerates to "
    "two lines if A D = B C. For D = 0 and h != 0, B and C are not both 0, because c_0 = 0 "
    "(display-c0-zero); the boundary is a line.",
    assumptions="h != 0; the statement is about the plane: the line may lie outside the square",
    scope="an identity in A, B, C, D; one exact classifier with D = 0 and one with D != 0",
    second_route="trained classifiers",
    kills=("separable-data",),
    extent=FOR_ALL,
)
def hyperbola() -> Iterator:
    from sympy import symbols as make

    A, B, C, D, x, y = make("A B C D x y")
    label = "D g, and the completed product"
    yield Equal(D * (A + B * x + C * y + D * x * y), (D * x + C) * (D * y + B) + A * D - B * C, label)
    label = "the coefficient D is not 0 for y = x_1 x_2 on the points (+-1, +-1)"
    yield Differs(h_polynomial(bilinear_classifier()).get((1, 1), fmpq(0)), fmpq(0), label)
    odd = odd_problem(1, 0, 0)
    label = "six points with rotational symmetry: D = 0, so the boundary is a line"
    yield Equal(orca_exactly(odd).order[2], fmpq(0), label)


def odd_problem(n: int, alpha: Any, beta: Any) -> Problem:
    """Return data whose classes are exchanged by a rotation by 180 degrees."""
    half = [["1", "1/2"], ["1/3", "-1"], ["-2/5", "3/4"]]
    other = [[f"-{v}".replace("--", "") for v in row] for row in half]
    return Problem(half + other, [1, -1, 1, -1, 1, -1], n, alpha, beta, C=10**6)


not_checkable(
    "n3-closed-loop",
    "section 6.1, line 868",
    "at n = 3 a closed loop first appears, so that the kernel can now have a region that is not simply "
    "connected",
    "whether a loop first appears in the figure at n = 3 cannot be seen, because the image is not given; the "
    "space at n = 3 is large enough (n3-closed-loop/capacity), and so is that at n = 2 "
    "(n3-closed-loop-literal)",
    reading="'first appears' is about Figure 1",
)


@claim(
    "n3-closed-loop/capacity",
    place="section 6.1, line 868",
    title="at n = 3 the space contains functions with a closed loop as boundary and a region with a hole",
    latex=r"x_1^2+x_2^2-\tfrac14\in\mathcal{H}_3^{(2)}",
    plain="The polynomial of a circle is its own projection on H_3^(2), by its degrees for every weight. "
    "The region of the square in which it is positive has a hole.",
    statement="n3-closed-loop",
    reading="the capacity only: the space at n = 3 is large enough, whatever the figure shows",
    scope="n = 3; the circle's polynomial and its projection on H_3^(2), computed exactly for three weights",
    second_route="projection from the moments, and the degrees (contains-exactly)",
    kills=("moment-off-by-one", "wrong-moment"),
    extent=FINITE,
)
def loop_at_three() -> Iterator:
    yield Less(max(map(max, CIRCLE)), 3, "largest degree of the circle's polynomial", strict=False)
    for J in weights()[:3]:
        yield Holds(circle_inside(J, 3), f"{J}: the circle's polynomial is its own projection on H_3^(2)")


@claim(
    "n3-closed-loop-literal",
    place="section 6.1, line 868",
    title="closed loops and regions with a hole first become possible at n = 3",
    latex=r"x_1^2+x_2^2-\tfrac14\notin\mathcal{H}_2^{(2)}",
    plain="A circle is the zero set of x_1^2 + x_2^2 - 1/4, which is its own projection on H_2^(2). The SVM "
    "trained with n = 2 on a point surrounded by eight points of the other class has such a boundary "
    "(n3-closed-loop-corrected).",
    statement="n3-closed-loop",
    reading="'first' refers to the space: no smaller n is sufficient, whatever the figure shows",
    scope="the circle's polynomial and its projection on H_2^(2), computed exactly for three weights",
    second_route="a trained classifier",
    kills=("total-degree-one",),
    expect="FAILS",
    severity="imprecise wording",
    correction="n3-closed-loop-corrected",
)
def closed_loop() -> Iterator:
    for J in weights()[:3]:
        inside = circle_inside(J, level_of_loops())
        yield Holds(not inside, f"{J}: the circle's polynomial lies in H_n^(2) already at n = 2")


CIRCLE = {(2, 0): fmpq(1), (0, 2): fmpq(1), (0, 0): fmpq(-1, 4)}


def level_of_loops() -> int:
    """Return the n at which, according to the paper, a loop is not yet possible."""
    return 2


def circle_inside(J: Jacobi, n: int) -> bool:
    """Return whether the circle's polynomial is its own projection on H_n^(2), by moments."""
    t = fmpq_poly([0, 1])
    same = []
    for j in range(3):
        monomial = [fmpq(0)] * j + [fmpq(1)]
        sections = [kernel.cd_sum(J, n, fmpq_poly([x]), t).coeffs() for x in (-1, 0, 1)]
        image = [J.inner_ratio(section, monomial) for section in sections]
        same.append(image == [fmpq(-1) ** j, fmpq(int(j == 0)), fmpq(1)])
    return all(same[i] for e in CIRCLE for i in e)


def ring_problem() -> Problem:
    """Return a problem with one point surrounded by eight points of the other class."""
    around = [[a, b] for a, b in product(("-1", "0", "1"), repeat=2) if (a, b) != ("0", "0")]
    return Problem([["0", "0"], *around], [1] + [-1] * 8, ring_level(), 0, 0, C=10**6)


def ring_level() -> int:
    """Return the n of the trained classifier with a loop."""
    return 2


@claim(
    "n3-closed-loop-corrected",
    place="section 6.1, line 868",
    title="closed loops are possible for n >= 2 and impossible for n = 1",
    latex=r"x_1^2+x_2^2-\tfrac14\in\mathcal{H}_2^{(2)},\qquad\Delta(A+Bx_1+Cx_2+Dx_1x_2)=0",
    plain="The circle's polynomial has degree 2 in each coordinate. A trained SVM with n = 2 equals -1 on "
    "the whole boundary of the square and 1 at its centre, so its zero set contains a closed loop. For n = "
    "1, g is harmonic; by the maximum principle it vanishes inside any loop of zeros, hence everywhere.",
    assumptions="the maximum principle; continuity",
    scope="every weight (by degrees) and every g for n = 1; one exact classifier on nine points, n = 2, "
    "Legendre weight",
    second_route="projection from the moments, three weights",
    kills=("truncated-early", "ring-of-degree-four"),
    extent=FOR_ALL,
)
def closed_loop_corrected() -> Iterator:
    from sympy import diff
    from sympy import symbols as make

    A, B, C, D, x, y = make("A B C D x y")
    g = A + B * x + C * y + D * x * y
    yield Equal(diff(g, x, 2) + diff(g, y, 2), 0, "Laplacian of g at n = 1")
    for J in weights()[:3]:
        for n, inside in ((2, True), (1, False)):
            yield Equal(circle_inside(J, n), inside, f"{J}: whether the circle's polynomial is in H_{n}^(2)")
    problem = ring_problem()
    found = certify(problem, [problem.C / 2] * problem.m, level="exact")
    values = kernel.gram_ratio(problem) @ (np.array(found.u, dtype=object) * problem.signs) + found.b.lower.p
    label = "g at the centre and at eight points of the boundary of the square"
    yield Equal(list(values), [fmpq(1)] + [fmpq(-1)] * 8, label)
    yield Equal(problem.n, 2, "degree of g on each edge, on which three values -1 then make it constant")


# Use n = 4, for which three values on an edge do not determine g there.
replacing("ring-of-degree-four", __name__, "ring_level", lambda: 4)
