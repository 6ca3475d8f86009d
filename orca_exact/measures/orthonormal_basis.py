"""The orthonormal polynomials p_0 ... p_n as SymPy expressions, and their Gram matrix from SymPy's moments.

Everything is read off the expressions ``Measure.sympy(k)`` that a user sees: their leading coefficients
kappa_k, and the coefficients of p_k/kappa_k, which lie in the field of the parameters. The rest is linear
algebra in SymPy's ``DomainMatrix``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flint import fmpq
from sympy import Add, Expr, Matrix, S, gammasimp, powsimp, simplify
from sympy.polys.matrices import DomainMatrix
from sympy.polys.polyerrors import CoercionFailed

from ..errors import BadParameter, TooLarge, shorten
from .sympy_weights import SympyWeight, X, sympy_weight

if TYPE_CHECKING:  # it imports this module
    from .measure import Measure

MAX_EXPRESSION_DEGREE, MAX_SYMBOLIC_DEGREE = 300, 5  # which take about a minute and ten seconds
_MAX_NUMERATOR, _MAX_DENOMINATOR, _MAX_DIGITS = 1000, 100, 200  # of parameters; the digits times n + 1


@dataclass(frozen=True)
class OrthonormalBasis:
    """The orthonormal polynomials of degrees 0 ... n of a measure.

    >>> from orca_exact import Jacobi
    >>> basis = OrthonormalBasis(Jacobi("1/2", 0), 2)
    >>> basis.gram() == Matrix.eye(3)
    True
    """

    measure: Measure
    n: int

    def __post_init__(self) -> None:
        n = self.measure.check_degree(self.n, "n")
        parameters = (getattr(self.measure, name) for name in self.measure.fields)
        symbolic = any(getattr(value, "free_symbols", ()) for value in parameters)
        most = MAX_SYMBOLIC_DEGREE if symbolic else MAX_EXPRESSION_DEGREE
        if n > most:
            limit = f"{most}, the largest degree {'with symbols' if symbolic else 'of exact expressions'}"
            raise TooLarge("n", n, limit, "use a smaller degree, or values(n, x) for numbers")
        for name in self.measure.fields:
            self._require_short(name, n)
        object.__setattr__(self, "n", n)

    def _require_short(self, name: str, n: int) -> None:
        """Raise BadParameter if a parameter is so long that SymPy would take minutes for its roots."""
        value = getattr(self.measure, name)
        for x in value if isinstance(value, tuple) else (value,):
            if not isinstance(x, fmpq):
                continue
            if isinstance(value, tuple):
                long = (n + 1) * max(len(str(abs(part))) for part in (x.p, x.q)) > _MAX_DIGITS
                limit = f"at most {_MAX_DIGITS // (n + 1)} digits above and below"
            else:
                long = abs(x.p) > _MAX_NUMERATOR or x.q > _MAX_DENOMINATOR
                limit = f"at most {_MAX_NUMERATOR} above and {_MAX_DENOMINATOR} below"
            if long:
                rule = f"has too many digits for exact expressions of degree {n}"
                hint = f"use a simpler fraction, {limit}, or the method values(n, x) of the measure in Python"
                raise BadParameter(name, shorten(x, 40), rule, hint)

    @cached_property
    def weight(self) -> SympyWeight:
        """The measure in SymPy."""
        return sympy_weight(self.measure)

    @cached_property
    def p(self) -> list[Expr]:
        """The polynomials p_0 ... p_n."""
        return [self.measure.sympy(k) for k in range(self.n + 1)]

    @cached_property
    def _read(self) -> list[tuple[Expr, list[Any]]]:
        """kappa_k and the coefficients of p_k/kappa_k, the lowest first, for each k."""
        found = []
        for k, p in enumerate(self.p):
            coefficients: list[list[Expr]] = [[] for _ in range(k + 1)]
            for term in Add.make_args(p):
                c, power = term.as_independent(X, as_Add=False)
                coefficients[int(power.as_base_exp()[1]) if power.has(X) else 0].append(c)
            kappa = Add(*coefficients[k])
            found.append((kappa, [self._enter(Add(*(c / kappa for c in part))) for part in coefficients]))
        return found

    def _enter(self, value: Expr) -> Any:
        """Return a number as an element of the field; with symbols, roots cancel only if simplified."""
        try:
            return self.measure.field.from_sympy(value)
        except (CoercionFailed, ValueError):
            return self.measure.field.from_sympy(gammasimp(powsimp(value)))

    @cached_property
    def kappa(self) -> list[Expr]:
        """The leading coefficients of p_0 ... p_n."""
        return [kappa for kappa, _ in self._read]

    @cached_property
    def monic(self) -> DomainMatrix:
        """The coefficients of p_k/kappa_k in row k, the lowest first."""
        return self.matrix([[*row, *[0] * (self.n - k)] for k, (_, row) in enumerate(self._read)])

    @cached_property
    def relative_weights(self) -> list[Any]:
        """kappa_k^2/kappa_0^2, which lie in the field of the parameters."""
        return [self._enter((kappa / self.kappa[0]) ** 2) for kappa in self.kappa]

    @cached_property
    def unit(self) -> Expr:
        """kappa_0^2 times the mass of the measure, which is 1 if p_0 is normalized."""
        return simplify(self.kappa[0] ** 2 * self.weight.mass)

    def matrix(self, rows: list[list[Any]]) -> DomainMatrix:
        """Return a matrix over the field of the parameters."""
        K = self.measure.field
        return DomainMatrix([[K.convert(x) for x in row] for row in rows], (len(rows), len(rows[0])), K)

    @cached_property
    def moment_matrix(self) -> DomainMatrix:
        """The integrals of x^(i+j) dmu, i, j = 0 ... n, divided by the mass."""
        moments = [self._enter(m) for m in self.weight.moments(2 * self.n)]
        return self.matrix([moments[i : i + self.n + 1] for i in range(self.n + 1)])

    @cached_property
    def gram_ratios(self) -> DomainMatrix:
        """The inner products of the p_k/kappa_k from the moments, divided by the mass."""
        return self.monic * self.moment_matrix * self.monic.transpose()

    def gram_entry(self, j: int, k: int) -> Expr:
        """Return the inner product <p_j, p_k>, from SymPy's moments."""
        field, ratio = self.measure.field, self.gram_ratios[j, k].element
        if j == k:
            return field.to_sympy(ratio * self.relative_weights[k]) * self.unit
        if not ratio:
            return S.Zero
        roots = self.kappa[j] / self.kappa[0] * (self.kappa[k] / self.kappa[0])
        return simplify(roots * field.to_sympy(ratio) * self.unit)

    def gram(self) -> Matrix:
        """Return the matrix of the inner products <p_j, p_k>, from SymPy's moments."""
        return Matrix(self.n + 1, self.n + 1, self.gram_entry)
