"""The Christoffel-Darboux kernel of one coordinate in SymPy: as a sum, in closed form, on the diagonal."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # SymPy is slow to import, and ``import orca_exact`` is light
    from sympy import Expr
    from sympy.polys.matrices import DomainMatrix

    from .measure import Measure
    from .orthonormal_basis import OrthonormalBasis

Coefficients = dict[tuple[int, ...], Any]  # of a polynomial, by the exponents of its variables


class ChristoffelDarboux:
    """The kernel K_n(x, z) = p_0(x) p_0(z) + ... + p_n(x) p_n(z) of a basis.

    Attributes
    ----------
    sum : sympy.Expr
        K_n(x, z) as the sum, a polynomial in x and z.
    closed : sympy.Expr
        K_n(x, z) by the Christoffel-Darboux identity, a quotient.
    confluent : sympy.Expr
        K_n(x, x) by the limit of the identity for z to x, from derivatives.
    """

    def __init__(self, basis: OrthonormalBasis):
        self.basis = basis

    def __repr__(self) -> str:
        return f"<Christoffel-Darboux kernel of degree {self.basis.n} for {self.basis.measure}>"

    @cached_property
    def _next(self) -> Expr:
        """kappa_n/kappa_{n+1} p_{n+1}, which exists for n + 1 nodes too."""
        n = self.basis.n
        return self.basis.kappa[n] * self.basis.measure.pi(n + 1)

    @cached_property
    def sum(self) -> Expr:
        """K_n(x, z) as the sum, a polynomial in x and z."""
        from sympy import Poly, symbols

        rows, field = self.sum_coefficients.to_list(), self.basis.measure.field
        terms = {(i, j): c for i, row in enumerate(rows) for j, c in enumerate(row)}
        return (
            self.basis.kappa[0] ** 2 * Poly.from_dict(terms, *symbols("x z"), domain=field).as_expr()
        ).expand()

    @cached_property
    def closed(self) -> Expr:
        """K_n(x, z) by the Christoffel-Darboux identity, a quotient."""
        from sympy import symbols

        (x, z), p, q = symbols("x z"), self.basis.p[-1], self._next
        return (q * p.subs(x, z) - p * q.subs(x, z)) / (x - z)

    @cached_property
    def confluent(self) -> Expr:
        """K_n(x, x) by the limit of the identity for z to x, from derivatives."""
        p, q = self.basis.p[-1], self._next
        return q.diff("x") * p - p.diff("x") * q

    # Coefficients, divided by kappa_0^2; they lie in the field of the parameters.

    @cached_property
    def sum_coefficients(self) -> DomainMatrix:
        """The coefficients of x^i z^j in the sum."""
        L, r = self.basis.monic, self.basis.relative_weights
        scaled = [[c * weight for c in row] for row, weight in zip(L.to_list(), r, strict=True)]
        return L.transpose() * self.basis.matrix(scaled)

    @cached_property
    def _last_two(self) -> tuple[list[Any], list[Any]]:
        """The coefficients of pi_n, times kappa_n^2/kappa_0^2, and of pi_{n+1}."""
        basis, field = self.basis, self.basis.measure.field
        above = basis.measure.polynomial(basis.n + 1).all_coeffs()[::-1]
        below = [c * basis.relative_weights[-1] for c in basis.monic.to_list()[-1]]
        return [*below, field.zero], [field.from_sympy(c) for c in above]

    def identity_difference(self) -> Coefficients:
        """Return the nonzero coefficients of (x - z) K_n(x, z) minus the numerator of the closed form."""
        n, (p, q) = self.basis.n, self._last_two
        s = self.sum_coefficients.to_list()

        def entry(i: int, j: int) -> Any:
            left = (s[i - 1][j] if i and j <= n else 0) - (s[i][j - 1] if j and i <= n else 0)
            return left - (q[i] * p[j] - p[i] * q[j])

        entries = {(i, j): entry(i, j) for i in range(n + 2) for j in range(n + 2)}
        return {place: c for place, c in entries.items() if c}

    def confluent_difference(self) -> Coefficients:
        """Return the nonzero coefficients of K_n(x, x) minus its confluent form."""
        n, (p, q) = self.basis.n, self._last_two
        found = dict.fromkeys(range(2 * n + 2), self.basis.measure.field.zero)
        for i, row in enumerate(self.sum_coefficients.to_list()):
            for j, c in enumerate(row):
                found[i + j] += c
        for i, a in enumerate(p):
            for j, b in enumerate(q):
                if a and b and i != j:
                    found[i + j - 1] -= (j - i) * a * b  # q' p - p' q
        return {(i,): c for i, c in found.items() if c}

    def reproducing_difference(self, f: list[int]) -> Coefficients:
        """Return the nonzero coefficients of <K_n(x, .), f>/(kappa_0^2 mass) - f(x), from SymPy's moments.

        The factor is ``OrthonormalBasis.unit``, which is 1 if p_0 is normalized.
        """
        column = self.basis.matrix([[c] for c in f])
        found = self.sum_coefficients * (self.basis.moment_matrix * column) - column
        return {(i,): c for i, (c,) in enumerate(found.to_list()) if c}


def christoffel_darboux(measure: Measure, n: int) -> ChristoffelDarboux:
    """Return the Christoffel-Darboux kernel of degree n in SymPy.

    Parameters
    ----------
    measure : Measure
        What the polynomials are orthonormal to.
    n : int
        The highest degree.

    Returns
    -------
    ChristoffelDarboux
        The kernel with its attributes ``sum``, ``closed`` and ``confluent``.

    Examples
    --------
    >>> from orca_exact import christoffel_darboux, legendre
    >>> kernel = christoffel_darboux(legendre, 1)
    >>> kernel.sum, kernel.closed.cancel(), kernel.confluent.expand()
    (3*x*z/2 + 1/2, 3*x*z/2 + 1/2, 3*x**2/2 + 1/2)
    """
    from .orthonormal_basis import OrthonormalBasis

    return ChristoffelDarboux(OrthonormalBasis(measure, n))
