"""Orthonormality, the Christoffel-Darboux identity and the reproducing property, checked in SymPy.

Each check compares the polynomials that a user sees with SymPy's integrals and returns an ``Identity``: what
was compared, up to which degree, and every difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from random import Random

from sympy import Expr, Integer, expand, simplify

from ..files.outcomes import FAILS, HOLDS, UNDECIDED
from .christoffel_darboux import ChristoffelDarboux, Coefficients
from .orthonormal_basis import OrthonormalBasis
from .sympy_weights import Integral

MAX_TERMS = 500  # of all integrands of ``sympy.integrate`` by default: two to five seconds
_LARGEST = 9  # coefficient of the random polynomial


class Kind(Enum):
    """Kinds of identities that are checked."""

    GRAM_BY_MOMENTS = "Gram matrix by moments"
    GRAM_BY_INTEGRATION = "Gram matrix by integration"
    CHRISTOFFEL_DARBOUX = "Christoffel-Darboux identity"
    CONFLUENT = "confluent form"
    REPRODUCING = "reproducing property"


@dataclass(frozen=True)
class Difference:
    """A nonzero difference: the degrees of a Gram matrix entry, or the exponents of a monomial."""

    place: tuple[int, ...]
    value: Expr
    is_nonzero: bool = True  # False if SymPy does not know whether it is 0


@dataclass(frozen=True)
class Identity:
    """The result of one check."""

    kind: Kind
    degree: int
    compared: int  # numbers that were compared
    differences: tuple[Difference, ...] = ()
    polynomial: tuple[int, ...] = ()  # the coefficients of the polynomial that is reproduced

    @property
    def outcome(self) -> str:
        """HOLDS, FAILS or UNDECIDED."""
        if not self.differences:
            return HOLDS
        return FAILS if any(found.is_nonzero for found in self.differences) else UNDECIDED


def integrable_degree(basis: OrthonormalBasis) -> int:
    """Return the largest degree that ``sympy.integrate`` does in about five seconds, by counting terms.

    Return -1 if it does not find the integrals. A clock would make the result depend on the machine.
    """
    integral, total = basis.weight.integral, 0
    if integral is None:
        return -1
    for k in range(basis.n + 1):
        total += sum(integral.terms(j + k) for j in range(k + 1))
        if total > MAX_TERMS:
            return k - 1
    return basis.n


def check_identities(
    basis: OrthonormalBasis, integrate_to: int | None = None, progress: Callable[[str], object] = str
) -> list[Identity]:
    """Return every check of a basis.

    Parameters
    ----------
    basis : OrthonormalBasis
        The polynomials.
    integrate_to : int, optional
        The largest degree for which the integrals are computed by ``sympy.integrate`` too; by default
        ``integrable_degree``, and -1 is none.
    progress : callable
        Called with a line of text when a new step begins.

    Returns
    -------
    list of Identity
    """
    progress(f"computing p_0 ... p_{basis.n} ...")
    kernel = ChristoffelDarboux(basis)
    found = [_gram_by_moments(basis)]
    if integral := basis.weight.integral:
        top = integrable_degree(basis) if integrate_to is None else min(integrate_to, basis.n)
        found += [_gram_by_integration(basis, integral, top, progress)] if top >= 0 else []
    progress(f"multiplying out the Christoffel-Darboux identity for n = {basis.n} ...")
    identity, confluent = kernel.identity_difference(), kernel.confluent_difference()
    pairs = (basis.n + 2) ** 2
    found.append(Identity(Kind.CHRISTOFFEL_DARBOUX, basis.n, pairs, _differences(basis, identity)))
    found.append(Identity(Kind.CONFLUENT, basis.n, 2 * basis.n + 1, _differences(basis, confluent)))
    found.append(_reproducing(kernel))
    return found


def _differences(basis: OrthonormalBasis, coefficients: Coefficients) -> tuple[Difference, ...]:
    field = basis.measure.field
    return tuple(Difference(place, field.to_sympy(c)) for place, c in coefficients.items())


def _compare(place: tuple[int, ...], value: Expr, wanted: int) -> Difference | None:
    """Return the difference of a number and an integer; None if it is 0."""
    difference = expand(value - wanted)
    if difference.is_zero is None:
        difference = simplify(difference)
    return None if difference.is_zero else Difference(place, difference, difference.is_zero is False)


def _gram_by_moments(basis: OrthonormalBasis) -> Identity:
    n, field, ratios = basis.n, basis.measure.field, basis.gram_ratios.to_list()
    found = []
    for j in range(n + 1):
        for k in range(j, n + 1):
            if j == k and basis.unit == 1 and ratios[k][k] * basis.relative_weights[k] == field.one:
                continue
            if j == k or ratios[j][k]:
                found.append(_compare((j, k), basis.gram_entry(j, k), int(j == k)))
    kept = tuple(difference for difference in found if difference is not None)
    return Identity(Kind.GRAM_BY_MOMENTS, n, (n + 1) * (n + 2) // 2, kept)


def _gram_by_integration(
    basis: OrthonormalBasis, integral: Integral, n: int, progress: Callable[[str], object]
) -> Identity:
    pairs = [(j, k) for k in range(n + 1) for j in range(k + 1)]
    found = []
    for count, (j, k) in enumerate(pairs):
        progress(f"integrating with SymPy: {count} of {len(pairs)} integrals")
        found.append(_compare((j, k), integral.integrate(basis.p[j] * basis.p[k]), int(j == k)))
    kept = tuple(difference for difference in found if difference is not None)
    return Identity(Kind.GRAM_BY_INTEGRATION, n, len(pairs), kept)


def _reproducing(kernel: ChristoffelDarboux) -> Identity:
    """Check <K_n(x, .), f> = f(x) for a polynomial f with random coefficients, the same in every run."""
    basis = kernel.basis
    random = Random(basis.n)
    f = [random.choice((-1, 1)) * random.randint(1, _LARGEST) for _ in range(basis.n + 1)]
    differences = _differences(basis, kernel.reproducing_difference(f))
    if basis.unit != 1 and not differences:
        differences = tuple(
            Difference((i,), simplify((basis.unit - 1) * Integer(c)), True) for i, c in enumerate(f)
        )
    return Identity(Kind.REPRODUCING, basis.n, basis.n + 1, differences, tuple(f))


def outcome_of(found: list[Identity]) -> str:
    """Return the outcome of all checks together."""
    outcomes = {identity.outcome for identity in found}
    return next((each for each in (FAILS, UNDECIDED) if each in outcomes), HOLDS)
