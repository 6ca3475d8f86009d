"""An audit: the fitted model against the certified optimum of the very problems it was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np
from flint import arb

from ..cost import LONG_SECONDS, exact_proof
from ..errors import TooLarge, Undecided
from ..numbers.arithmetic import arithmetic
from ..numbers.quantity import quantity, structurally_equal
from ..numbers.rationals import bits, digits_down, digits_of, float_above, precision, rounded_up
from ..plots.tables import html_table
from ..problem import Problem
from ..profile.indices import INDICES, IndexTable
from ..profile.profile import Profile, orca
from ..svm.certificate import Certificate, Solution
from ..svm.certify import certify
from ..svm.dual import BallDual
from ..svm.float_gap import float_distance, float_gap
from ..svm.judge import distance
from ..svm.verified import VerifiedDual, certify_in_float64
from .class_pairs import ByClassPair, for_each_pair, pair_title, shares_by_column
from .cost import VerboseProgress, beyond_balls, count_support, warn_of_cost
from .reading import Binary, Unread, binaries
from .wrappers import Data, PairKey, machines


@dataclass(frozen=True, repr=False, eq=False)
class Audit(IndexTable[arb]):
    """Two classes of a fitted model against the certified optimum of the very problem it was given.

    ``solution`` is what libsvm returned; ``optimum`` a certificate of the true optimum; ``profile`` the
    optimum's indices as balls. ``rows`` says which rows of X the points of ``problem`` are; the second class
    of ``key`` is its y = 1. What is not printed is computed when it is asked for.
    """

    problem: Problem
    solution: Solution
    optimum: Certificate
    profile: Profile[arb]
    names: tuple[str, ...]
    rows: np.ndarray
    key: PairKey = ()
    notes: tuple[str, ...] = ()
    dual: VerifiedDual | None = field(default=None, compare=False)  # in float64, where that holds it

    @cached_property
    def gap(self) -> Certificate:
        """The certificate of libsvm's own alpha: rigorous, no optimum needed."""
        with suppress(Undecided):
            if self.dual:
                return float_gap(self.dual, self.solution.alpha)
        return certify(self.problem, self.solution, level="gap")

    @cached_property
    def fitted_profile(self) -> Profile[arb]:
        """The indices of the classifier as fitted, exactly its own alpha, in balls."""
        return orca(self.problem, self.solution, self.profile.arithmetic.name, 30).named(*self.names)

    @cached_property
    def distance(self) -> arb:
        """||w - w*||: how far the fitted w is from the optimum, at most."""
        with suppress(Undecided):
            if self.dual and (self.optimum.in_float64 or self.optimum.only_gap):
                return quantity(float_distance(self.dual, self.solution, self.optimum))
        A = arithmetic("ball", 60)
        with A.scope():
            problem, true = self.problem, self.optimum.alpha(60)
            both = enumerate(zip(self.solution.alpha, true, strict=True))
            some = [i for i, (a, x) in both if a != 0 or not x.is_zero()]  # the rest add nothing
            X, y, C = ([column[i] for i in some] for column in (problem.X, problem.y, problem.bounds))
            dual = BallDual(problem.replace(X=X, y=y, C=C), A)
            own = distance(dual, [self.solution.alpha[i] for i in some], [true[i] for i in some])
            return quantity(arb((own + self.optimum.w_error).upper()))

    @property
    def digits(self) -> float:
        """Digits of w that libsvm got right, at least: rounded down to one decimal."""
        with precision(60):
            return max(0.0, float(digits_down(digits_of(self.distance / self.optimum.least_norm))))

    @property
    def proved_digits(self) -> int:
        """Digits of w that the duality gap of libsvm's own alpha proves."""
        return min(self.gap.digits, 99)

    @property
    def index_bound(self) -> float:
        """No index of the fitted classifier is off by more: an index is cos^2 of an angle, and this is how
        far w can have turned."""
        with precision(60):
            sine = self.distance / self.optimum.least_norm
            return float_above(sine.asin()) if sine < 1 else 1.0

    @cached_property
    def index_error(self) -> float:
        """A bound on the error of each index of the fitted classifier: OKC_N, and all that a page lists."""
        own, true, d = self.fitted_profile, self.profile, self.problem.d
        with precision(60):
            return max(
                float_above(abs(x - true.family(index.name)[key]))
                for index in INDICES.values()
                if index.listed(d) or index.name == "degree"
                for key, x in own.family(index.name).items()
            )

    __eq__ = structurally_equal

    def __hash__(self) -> int:
        return hash((self.problem.sha256, self.key))

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        facts = {"digits": self.digits, "proved_digits": self.proved_digits, "index_bound": self.index_bound}
        about = {"classes": pair_title(self.key), "points": self.problem.m}
        return about | facts | self.profile.to_dict(number)

    def family(self, name: str) -> Mapping[tuple[int, ...], arb]:
        return self.profile.family(name)

    def row(self) -> dict[str, Any]:
        """Its line of the summary table, before the indices."""
        return {
            "points": self.problem.m,
            "digits": str(self.digits),
            "proved": self.proved_digits,
            "indices within": rounded_up(self.index_bound),
        }

    def __str__(self) -> str:
        problem, proved = self.problem, self.proved_digits
        weighted = ", weighted" if problem.is_weighted else ""
        gap = f"by its duality gap, {self.gap.accuracy}"
        if proved:
            gap = f"its duality gap alone proves {proved} of them"
        lines = [
            f"{problem.m} points, {problem.d} columns, n = {problem.n}: {problem.modes} modes{weighted}",
            f"libsvm: {self.digits} digits of w are right, compared with the optimum; {gap}",
            f"no index of it is off by more than {rounded_up(self.index_bound)}",
            f"optimum: level {self.optimum.level}, {self.optimum.accuracy}",
        ]
        return "\n".join([*lines, *shares_by_column(self.profile, self.names), *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        facts = str(self).split("\nOKC_")[0]
        return html_table(f"{pair_title(self.key)}\n{facts}", self.listed(), self.notes)


class Audits(ByClassPair[Audit]):
    """An audit for each pair of classes, and their summary."""

    title = "{} problems; the indices are those of the certified optimum"

    @property
    def digits(self) -> float:
        """Digits of w that libsvm got right, in the worst of them."""
        return min(part.digits for part in self.values())

    @property
    def index_error(self) -> float:
        """The largest error of an index in any of them."""
        return max(part.index_error for part in self.values())


def audit(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    kernel: Any = None,
    digits: int = 8,
    verbose: bool | int = 0,
) -> Audit | Audits:
    """Certify the problems that a fitted model was fitted to: one for each pair of classes.

    ``model`` is an ``SVC``, ``NuSVC`` or ``OrcaSVC``, or holds one: a Pipeline, a search, a calibrated or
    threshold classifier, one-vs-rest, one-vs-one. ``X``, ``y`` and ``sample_weight`` are what ``fit`` got;
    others are noticed, except as said below. For ``kernel="precomputed"`` give the points as ``X`` and the
    kernel that made the Gram matrix as ``kernel``. Two classes give an ``Audit``, more give ``Audits``, a
    mapping by pair.

    Verified are the points (if scikit-learn kept them), the labels of support vectors, that each alpha_i is
    in its box, and that libsvm's optimality holds for all rows within its tol. *Not* verified are weights of
    rows whose alpha is not at its bound, and labels of rows for which alpha_i = 0 is optimal with either: the
    certified optimum is that of the data given, and for such weights it is the same.

    A pair of classes with w = 0 is in ``undefined``, one of which too little is proved in ``undecided``.

    ``digits`` are proved of w: few by float64 with error bounds, more, ties and dependent points by balls.
    """
    parts = machines(model, Data.of(X, y, sample_weight))
    found = [binary for machine in parts for binary in binaries(machine, kernel)]
    warn_of_cost([part for part in found if isinstance(part, Binary)], digits)
    progress = VerboseProgress(verbose)
    count = iter(range(1, len(found) + 1))

    def certified(binary: Binary | Unread) -> Audit:
        if isinstance(binary, Unread):
            raise binary.error
        progress(f"{next(count)} of {len(found)}, {pair_title(binary.key)}: {binary.problem.m} points")
        return _audit(binary, digits, progress)

    return cast(Audit | Audits, for_each_pair(found, certified, Audits))


def _audit(binary: Binary, digits: int, progress: VerboseProgress) -> Audit:
    problem, solution, notes = binary.problem, binary.solution, binary.notes
    dual = _in_float64(problem)
    found = _quick(dual, solution) if dual else None
    if found is None or not _shows(*found, digits):
        if dual and (cost := beyond_balls(binary)):
            found = found or _by_gap(dual, solution)
            notes += (f"{digits} digits were asked for; balls, which prove them, would take {cost}",)
        else:
            progress("  float64 does not decide: balls")
            found = _in_balls(binary, digits)
    progress(f"  optimum: {found[0].accuracy}")
    optimum, profile = found
    profile, names = profile.named(*binary.names), binary.names
    done = Audit(problem, solution, optimum, profile, names, binary.rows, binary.key, notes, dual)
    if progress.verbose:  # else the distance is computed when it is asked for
        progress(f"  libsvm: {done.digits} digits of w, indices within {rounded_up(done.index_bound)}")
    return done


def _in_float64(problem: Problem) -> VerifiedDual | None:
    """Its data with error bounds, where float64 can hold them."""
    with suppress(TooLarge), np.errstate(all="ignore"):
        dual = VerifiedDual(problem)
        return dual if dual.holds else None
    return None


CertifiedProfile = tuple[Certificate, Profile[arb]]


def _quick(dual: VerifiedDual, solution: Solution) -> CertifiedProfile | None:
    """The optimum and its indices in float64 with error bounds, where its active set is strict."""
    with suppress(Undecided):
        optimum = certify_in_float64(dual, solution.alpha)
        return optimum, orca(dual.problem, optimum, "verified")
    return None


def _by_gap(dual: VerifiedDual, solution: Solution) -> CertifiedProfile:
    """The same of libsvm's own alpha, by its duality gap."""
    optimum = float_gap(dual, solution.alpha)
    return optimum, orca(dual.problem, optimum, "verified")


def _in_balls(binary: Binary, digits: int) -> CertifiedProfile:
    """The same in balls; by rationals where balls do not tell w from 0 and rationals are cheap."""
    problem, optimum = binary.problem, certify(binary.problem, binary.solution, level="ball", digits=digits)
    try:
        return optimum, orca(problem, optimum, "ball", digits)
    except Undecided:
        if exact_proof(problem, *count_support(binary)[1:]).seconds > LONG_SECONDS:
            raise
        optimum = certify(problem, binary.solution)
        return optimum, orca(problem, optimum, "ball", digits)


def _shows(optimum: Certificate, profile: Profile[arb], digits: int) -> bool:
    """Whether so many digits are proved, of w and of its norm."""
    return optimum.digits >= digits and profile.norm2.rel_accuracy_bits() >= bits(digits) - 32
