"""Certificates in Rocq: one file with the theory, the data and a theorem that follows from both.

Level exact has the optimum in fractions and proves it optimal, with the exact indices. Level gap has dual
variables in fixed point, which are feasible but not optimal; Rocq bounds their duality gap and thereby
encloses the indices of every optimum. Files of others are never compiled; see ``reader``.

``coqc`` alone shows that the theorem follows from the definitions in the file, not that these are ours: a
file can define ``optimal`` anew. So the comments at its top say which lines must be the theory, with its
SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, NamedTuple

from flint import arb, fmpq, fmpz

from ..cost import Cost, entry_bits
from ..errors import BadParameter, Undecided, ZeroClassifier
from ..kernels.orthogonal import OrthogonalPolynomials
from ..measures.jacobi import Jacobi
from ..numbers.arithmetic import arithmetic
from ..numbers.rationals import QQ, bounds, midpoint, precision_bits
from ..problem import Problem
from ..profile.indices import Indices
from ..profile.profile import orca
from ..svm.certificate import Certificate, Solution, lambda_bounds
from ..svm.certify import certify
from ..svm.dual import BallDual
from ..svm.gap import norm_and_gap
from .claims import (
    CONSTRUCTORS,
    IndexClaim,
    RocqClaim,
    index_keys,
    summary_claims,
    write_fraction,
    write_integer,
    write_quotient,
)
from .theory import inlined

FORMAT = "orca-exact/rocq/1"
DIGITS_IN_ROCQ = 8  # decimals of the enclosures at level gap
MAX_DIGITS_IN_ROCQ = 60
_PRECISION_TRIES = 4  # precisions of alpha that are tried
_WIDENING = 16  # Rocq's enclosures are at most so many times ||w - w*||/||w|| wider than those of alpha
_SPARE_BITS = 12  # for rounding errors in Rocq, beyond those that are estimated
_SAFE = re.compile(r'[\w{}\[\]":,./+-]*')  # the characters of a problem, none of which ends a comment
_INTERFACE = (
    "Recurrence",
    "Svm",
    "Expansion",
    "Rationals",
    "Claims",
    "Weights",
    "Certified",
)  # used by the data
DATA = "(* The data. *)"  # the line after the theory
_THEORY_SECONDS = 46.0  # seconds of coqc for the theory
_EXACT_SECONDS, _GAP_SECONDS = 2.2e-9, 4.5e-9  # of a product, times bits^1.5 and times bits^2
_SHORT = 60  # seconds of coqc up to which level exact is the default
_WARNINGS = (
    "-notation-overridden,-ambiguous-paths,-projection-no-head-constant,-redundant-canonical-projection"
)
_COMMENTS = """\
(* {format}, level {level}.
   coqc proves that the theorem at the end follows from the definitions in this file. It does not show that
   they are the right ones: a file can define the SVM or an index anew and still be "Closed under the global
   context". orca-exact check-certificate compares the whole file with what orca-exact writes, and compiles
   it. By hand: lines {first} to {last} must have the SHA-256 below; before them there must be no command but
   Set Warnings; after them there must be no definition or notation but the_problem, lambda_lower,
   lambda_upper, weights, certificate and claims; and the theorem must say what you expect. *)
(* problem: {problem} *)
(* theory: sha256 {sha256}
   sed -n '{first},{last}p' FILE.v | sha256sum *)
"""
_BEFORE_THEORY = f'Set Warnings "{_WARNINGS}".\n'
_GIVEN_MASSES = """\
Theorem certified (R : rcfType) (h0 : 'I_(dimension the_problem) -> R) :
  (forall l, 0 < h0 l) -> Q2F R lambda_lower <= lambda h0 <= Q2F R lambda_upper ->
"""
_OWN_MASSES = """\
Lemma weights_checked : check_weights the_problem weights lambda_lower lambda_upper = true.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem certified (R : rcfType) (h0 := masses R the_problem weights) :
  orthonormal_columns R the_problem weights /\\
"""
_OPTIMUM = """\
  let w := exact_w the_problem h0 certificate in
  [/\\ optimal the_problem h0 w (Q2F R (exact_b certificate)),
      forall w' b', optimal the_problem h0 w' b' -> w' = w
    & {statements}].
Proof.
{masses}
have [optimum _ _ unique hold] := exact_certified checked h0_gt0 bounds.
move=> w; split; [exact optimum | exact unique | exact hold].
Qed.
"""
_ENCLOSURES = """\
  forall w b, optimal the_problem h0 w b ->
      {statements}.
Proof.
{masses}
move=> w b opt; exact (gap_certified checked h0_gt0 bounds opt).
Qed.
"""
_GIVEN_MASSES_PROOF = "move=> h0_gt0 bounds."
_OWN_MASSES_PROOF = """\
have [h0_gt0 bounds orthonormal] := weights_certified R weights_checked.
split; first exact orthonormal."""
_PROOF_OF_ZERO = "use --level exact, which proves the optimum"
_NO_PROOF_OF_ZERO = (
    "use certify without --rocq, which proves the optimum; in Rocq that needs a rational lambda, as that "
    "of Jacobi weights with integers alpha and beta"
)
_MAX_EXPONENT = 100  # of weights whose masses Rocq computes


class FixedPoint(NamedTuple):
    """The precisions of level gap, in bits: of the gap, of the indices, and of alpha and b."""

    bits: int
    index_bits: int
    scale: int


@dataclass(frozen=True)
class RocqCertificate:
    """The numbers of a certificate in Rocq.

    At level exact ``values`` are the lambda alpha_i and ``b`` is the bias. At level gap they are integers,
    alpha_i and b in units of 2^-scale, and there is a ``FixedPoint``.
    """

    problem: Problem
    values: tuple[Any, ...]
    b: Any
    claims: tuple[RocqClaim, ...]
    fixed: FixedPoint | None = None

    @property
    def level(self) -> str:
        """The level, "exact" or "gap"."""
        return (_GAP if self.fixed else _EXACT).name

    @property
    def lambda_ends(self) -> tuple[fmpq, fmpq]:
        """Bounds of lambda, equal ones if it is rational. They are computed, never read from a file."""
        found = lambda_bounds(self.problem, self.fixed.bits + 32 if self.fixed else 64)
        return QQ(found["lower"]), QQ(found["upper"])

    @property
    def weights(self) -> tuple[tuple[int, int], ...]:
        """The exponents (alpha, beta) of each column if its weight is a polynomial, else ()."""
        return weight_exponents(self.problem.measures)

    def to_rocq(self) -> str:
        """Return the file: comments that say how to check it, then ``body``."""
        return self._comments() + self.body()

    def _comments(self) -> str:
        """Return what coqc shows of a file from others and what it does not, the problem and the theory."""
        first = _COMMENTS.count("\n") + 1 + _BEFORE_THEORY.count("\n")
        last = first + inlined(_INTERFACE).count("\n") - 1
        return _COMMENTS.format(
            format=FORMAT, level=self.level, first=first, last=last,
            problem=_problem_text(self.problem), sha256=theory_digest(),
        )  # fmt: skip

    def body(self) -> str:
        """Return the file without the comments at its top: theory, data and theorem."""
        lower, upper = map(write_fraction, self.lambda_ends)
        kind = f"{self.level}_certificate"
        write = write_integer if self.fixed else write_quotient
        fixed = "".join(f" {number}" for number in self.fixed or ())
        name = f"{self.level.capitalize()}Certificate"
        parts = [
            _BEFORE_THEORY + inlined(_INTERFACE),
            "Import ZArith QArith all_ssreflect all_algebra Order.TTheory GRing.Theory Num.Theory.",
            f"Import {' '.join(_INTERFACE)}.",
            "",
            DATA,
            "Local Open Scope Z_scope.",
            f"Definition the_problem : problem := Problem\n{_columns(self.problem)}",
            f"  {self.problem.highest_order}%N\n{_samples(self.problem)}.",
            f"Definition lambda_lower : Q := {lower}.",
            f"Definition lambda_upper : Q := {upper}.",
            *self._write_weights(),
            f"Definition certificate : {kind} := {name}{fixed}",
            f"{_list(map(write, self.values))}",
            f"  {write(self.b)}.",
            f"Definition claims : seq claim :=\n{_list(claim.to_rocq() for claim in self.claims)}.",
            "Local Close Scope Z_scope.",
            "",
            "(* The theorem. *)",
            "Local Open Scope ring_scope.",
            "Lemma checked :",
            f"  check_{self.level} the_problem lambda_lower lambda_upper certificate claims = true.",
            "Proof. vm_cast_no_check (erefl true). Qed.",
            "",
            self._theorem(),
            "Print Assumptions certified.",
        ]
        return "\n".join(parts) + "\n"

    def _write_weights(self) -> list[str]:
        """Return the definition of the weights (1-t)^alpha (1+t)^beta, if they are polynomials."""
        pairs = "; ".join(f"({alpha}, {beta})" for alpha, beta in self.weights)
        return [f"Definition weights : seq (nat * nat) := [:: {pairs}]%N."] if self.weights else []

    def _theorem(self) -> str:
        """Return the theorem; it has a hypothesis about lambda unless Rocq knows the weights."""
        premise, masses = (
            (_OWN_MASSES, _OWN_MASSES_PROOF) if self.weights else (_GIVEN_MASSES, _GIVEN_MASSES_PROOF)
        )
        conclusion = ROCQ_LEVELS[self.level].conclusion
        return premise + conclusion.format(statements=self.statements(), masses=masses)

    def statements(self) -> str:
        """Return the conjunction of the claims, or True if there are none."""
        found = [claim.statement(self.problem.d) for claim in self.claims]
        return " /\\\n      ".join(found) or "True"


def weight_exponents(measures: Sequence[Any]) -> tuple[tuple[int, int], ...]:
    """Return (alpha, beta) of each measure if all are Jacobi weights that are polynomials, else ()."""
    found = [
        (int(measure.alpha.p), int(measure.beta.p))
        for measure in measures
        if isinstance(measure, Jacobi) and _is_exponent(measure.alpha) and _is_exponent(measure.beta)
    ]
    return tuple(found) if len(found) == len(measures) else ()


def _is_exponent(value: Any) -> bool:
    """Return whether a parameter of a Jacobi weight is an integer from 0 to ``_MAX_EXPONENT``."""
    return isinstance(value, fmpq) and value.q == 1 and 0 <= value <= _MAX_EXPONENT


def theory_digest() -> str:
    """Return the SHA-256 of the bytes of the theory in a certificate, as sha256sum computes it."""
    return hashlib.sha256(inlined(_INTERFACE).encode()).hexdigest()


def _problem_text(problem: Problem) -> str:
    """Return the problem as JSON in one line, without its id and names, which are not numbers."""
    data = {key: value for key, value in problem.to_json(names=False).items() if key != "id"}
    text = json.dumps(data, separators=(",", ":"))
    if not _SAFE.fullmatch(text):
        raise BadParameter("problem", "a value", "cannot be written in a comment", "write plain numbers")
    return text


def _list(items: Iterable[str], indent: str = "  ") -> str:
    return f"{indent}[:: " + f";\n{indent}    ".join(items) + "]"


def _columns(problem: Problem) -> str:
    """Return (a_k, b_(k+1)), k = 0 ... n_l - 1, for each column."""
    return _list(
        "[:: "
        + "; ".join(f"({write_quotient(a)}, {write_quotient(b)})" for a, b in _recurrence(measure, n))
        + "]"
        for measure, n in zip(problem.measures, problem.degrees, strict=True)
    )


def _recurrence(measure: Any, n: int) -> Iterator[tuple[fmpq, fmpq]]:
    for k in range(n):
        yield measure.recurrence(k)[0], measure.recurrence(k + 1)[1]


def _samples(problem: Problem) -> str:
    rows = zip(problem.points, problem.y, problem.bounds, strict=True)
    return _list(
        f"Sample [:: {'; '.join(map(write_quotient, x))}] {write_integer(y)} {write_quotient(C)}"
        for x, y, C in rows
    )


# Making a certificate.


def rocq_certificate(
    problem: Problem,
    level: str | None = None,
    digits: int = DIGITS_IN_ROCQ,
    progress: Callable[[str], object] = str,
    families: Sequence[str] = tuple(CONSTRUCTORS),
) -> RocqCertificate:
    """Return the certificate in Rocq of a problem.

    Parameters
    ----------
    problem : Problem
        A problem with a kernel of orthogonal polynomials.
    level : {"exact", "gap"}, optional
        By default it is exact if coqc needs less than a minute for that, else gap. Other levels of
        ``certify`` are proved as level gap.
    digits : int
        The number of decimals of the indices at level gap.
    progress : callable
        Called with a line of text when a new step begins.
    families : sequence of str
        The families of indices to claim, of those that ``Claims.v`` defines; all of them by default.

    Raises
    ------
    BadParameter
        If the kernel is not one of orthogonal polynomials, or the optimum is not rational at level exact.
    ZeroClassifier
        If w = 0 at level gap, or at level exact with an irrational lambda.
    """
    require_polynomials(problem)
    if not 1 <= digits <= MAX_DIGITS_IN_ROCQ:
        hint = f"pass 1 to {MAX_DIGITS_IN_ROCQ}"
        raise BadParameter("digits", digits, "is not a number of decimals that Rocq can prove here", hint)
    chosen = ROCQ_LEVELS.get(level or default_rocq_level(problem), _GAP)
    return chosen.make(problem, digits, progress, families)


def require_polynomials(problem: Problem) -> None:
    """Raise BadParameter unless the kernel is one of orthogonal polynomials."""
    if not isinstance(problem.kernel, OrthogonalPolynomials):
        rule = "has no certificate in Rocq: the theory is about kernels of orthogonal polynomials"
        hint = "use such a kernel, or certify without --rocq"
        raise BadParameter("kernel", f"the {problem.kernel_description}", rule, hint)


def default_rocq_level(problem: Problem) -> str:
    """Return the level that is proved by default: exact if its fractions are short, else gap."""
    short = problem.lambda_is_rational and _exact_cost(problem, 0)[0] < _SHORT
    return (_EXACT if short else _GAP).name


def rocq_cost(problem: Problem, level: str | None = None, digits: int = DIGITS_IN_ROCQ) -> Cost:
    """Estimate the CPU time of coqc, if every point is a support vector, and the bytes of the file."""
    seconds, size = ROCQ_LEVELS.get(level or default_rocq_level(problem), _GAP).cost(problem, digits)
    return Cost(_THEORY_SECONDS + seconds, file=len(inlined(_INTERFACE)) + size)


def _products(problem: Problem) -> float:
    """Count the products of numbers for a pair of points: the kernel, the orders and the degrees."""
    degrees, total, products = problem.degrees, 0, 0
    for n in degrees:
        products += (n + 1) * (total + 1)
        total += n
    d = problem.d
    return products + 2 * sum(degrees) + d * (d + 1) * (1 + d / 2)


def _exact_cost(problem: Problem, digits: int) -> tuple[float, float]:
    long = min(problem.m, problem.modes + 1) * entry_bits(problem)  # bits of alpha, about
    numbers = problem.m + sum(problem.degrees) + problem.d**2
    return _EXACT_SECONDS * problem.m**2 * _products(problem) * long**1.5, numbers * long / 1.6


def _gap_cost(problem: Problem, digits: int) -> tuple[float, float]:
    bits = 2 * digits * log2(10) + 2 * log2(problem.m) + 40
    size = problem.m * (40 * problem.d + bits / 3) + 100 * (sum(problem.degrees) + problem.d**2)
    return _GAP_SECONDS * problem.m**2 * _products(problem) * bits**2, size


def _exact(
    problem: Problem, digits: int, progress: Callable[[str], object], families: Sequence[str]
) -> RocqCertificate:
    """Return the certificate of level exact, if lambda alpha and b are rational."""
    found = certify(problem, level="exact", progress=progress)
    rational = found.a.tau.exact is not None or not any(found.a.q)
    b = found.b.lower.exact
    if found.is_zero and not rational:
        raise ZeroClassifier(hint=_NO_PROOF_OF_ZERO)
    if not rational or b is None:
        rule = "has no certificate of level exact: lambda is irrational, and a point is at its bound"
        raise BadParameter("problem", repr(problem.id) if problem.id else "it", rule, "use --level gap")
    values = tuple(found.a.to_exact()[1])
    claims: list[RocqClaim] = []
    if not found.is_zero:
        profile = orca(problem, found, "exact")
        for family, key in index_keys(sum(problem.degrees), problem.d, families):
            value = QQ(profile.family(family)[key])
            claims.append(IndexClaim(family, key, value, value))
        claims += summary_claims(profile)
    return RocqCertificate(problem, values, b, tuple(claims))


def _gap(
    problem: Problem, digits: int, progress: Callable[[str], object], families: Sequence[str]
) -> RocqCertificate:
    """Return the certificate of level gap, with alpha as precise as the digits need."""
    tolerance = fmpq(1, 10**digits)
    need = ceil(digits * log2(10)) + 4
    scale = 2 * need + 32
    for _ in range(_PRECISION_TRIES):
        found, precise = _near_optimum(problem, scale, progress)
        if found.is_zero:
            provable = problem.lambda_is_rational
            raise ZeroClassifier(hint=_PROOF_OF_ZERO if provable else _NO_PROOF_OF_ZERO)
        with precision_bits(2 * scale + 64):
            multipliers, bias = _round_feasible(found, scale)
            alpha = tuple(fmpq(z, fmpz(2) ** scale) for z in multipliers)
            dual = BallDual(problem, arithmetic("ball", ceil(scale * 0.7) + 20))
            a = {i: x * dual.lam for i, x in enumerate(alpha) if x != 0}
            f = dual.scores({i: x * problem.y[i] for i, x in a.items()})
            norm2, gap = norm_and_gap(dual, a, f, arb(fmpq(bias, fmpz(2) ** scale)))
            error = (arb(gap.upper()).max(arb(0)) / norm2.lower()).sqrt() * _WIDENING
            missing = float((error / tolerance * 4).log() / arb(2).log())
        if missing <= 0 or not precise:
            break
        scale += 2 * ceil(missing) + 8
    bits, index_bits = _bits_in_rocq(dual, alpha, norm2, need, digits)
    progress("enclosing the indices ...")
    with precision_bits(2 * scale + 64):
        radius = arb(error.upper()) + arb(tolerance) / 4
        claims = _enclosures(problem, alpha, radius, digits, families)
    fixed = FixedPoint(bits, index_bits, scale)
    return RocqCertificate(problem, multipliers, bias, claims, fixed)


def _near_optimum(
    problem: Problem, scale: int, progress: Callable[[str], object]
) -> tuple[Certificate, bool]:
    """Return a certificate with alpha and b to ``scale`` bits, and whether more are possible."""
    try:
        return certify(problem, level="ball", digits=ceil(scale * 0.302) + 10, progress=progress), True
    except Undecided:
        return certify(problem, level="gap", progress=progress), False


def _round_feasible(found: Certificate, scale: int) -> tuple[tuple[fmpz, ...], fmpz]:
    """Return alpha and b in units of 2^-scale, with 0 <= alpha_i <= C_i and sum y_i alpha_i = 0 exactly.

    What is missing to a sum of 0 is taken from the largest alpha_i of the heavier class.
    """
    problem, unit = found.problem, fmpz(2) ** scale
    balls, at_bound = found.alpha(ceil(scale * 0.302) + 20), set(found.bound)
    tops = [(C * unit).floor() for C in problem.bounds]
    values = [
        top if i in at_bound else min(max((midpoint(ball) * unit).floor(), fmpz(0)), top)
        for i, (ball, top) in enumerate(zip(balls, tops, strict=True), 1)
    ]
    excess = sum((z * y for z, y in zip(values, problem.y, strict=True)), fmpz(0))
    heavy = 1 if excess > 0 else -1
    j = max((i for i in range(problem.m) if problem.y[i] == heavy), key=lambda i: values[i])
    if values[j] < abs(excess):
        raise Undecided("alpha could not be rounded to a feasible one; ask for more digits.")
    values[j] -= abs(excess)
    return tuple(values), (midpoint(found.bias(ceil(scale * 0.302) + 20)) * unit).floor()


def _bits_in_rocq(
    dual: BallDual, alpha: Sequence[fmpq], norm2: arb, need: int, digits: int
) -> tuple[int, int]:
    """Return the precisions with which Rocq computes the gap and the indices.

    Its rounding errors are relative to the largest alpha_i sqrt(R_ii) and sqrt(R_ii); m^2 terms add up.
    """
    problem, roots = dual.problem, dual.scale
    largest = max(float(x) * root for x, root in zip(map(_float, alpha), roots, strict=True))
    lam, size = float(dual.lam), float(norm2.mid())
    terms = 2 * log2(problem.m) + log2(problem.d * (sum(problem.degrees) + 1)) + _SPARE_BITS
    score = 1 + lam * largest * max(roots)
    gap = 2 * need + 8 + max(0.0, log2(max(_float(problem.C), 1.0) * score / size)) + max(0.0, log2(score))
    cancelled = max(0.0, log2(lam * largest**2 / size))
    return ceil(gap + terms), ceil(need + terms + cancelled)


def _float(q: fmpq) -> float:
    return float(arb(q))


def _enclosures(
    problem: Problem, alpha: Sequence[fmpq], radius: arb, digits: int, families: Sequence[str]
) -> tuple[RocqClaim, ...]:
    """Return the claims: the indices of alpha, widened by ``radius`` and rounded outwards to decimals."""
    profile = orca(problem, Solution(problem, tuple(alpha)), "ball", digits + 30)
    ten = fmpz(10) ** digits
    claims: list[RocqClaim] = []
    wider = arb(0, radius.upper())
    needed = {*families, "degree", "cumulative"}
    table = {name: {key: x + wider for key, x in profile.family(name).items()} for name in needed}
    for family, key in index_keys(sum(problem.degrees), problem.d, families):
        low, high = bounds(table[family][key], digits + 30)
        lower, upper = max((low * ten).floor(), fmpz(0)), (high * ten).ceil()
        claims.append(IndexClaim(family, key, fmpq(lower, ten), fmpq(upper, ten)))
    return (*claims, *summary_claims(Indices(table)))


@dataclass(frozen=True)
class RocqLevel:
    """A level: its name, what its theorem concludes, how a certificate is made, and what that costs."""

    name: str
    conclusion: str
    make: Callable[..., RocqCertificate]
    cost: Callable[[Problem, int], tuple[float, float]]


_EXACT, _GAP = (
    RocqLevel("exact", _OPTIMUM, _exact, _exact_cost),
    RocqLevel("gap", _ENCLOSURES, _gap, _gap_cost),
)
ROCQ_LEVELS = {level.name: level for level in (_EXACT, _GAP)}
