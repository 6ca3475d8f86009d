"""Comparison of a fitted model with the certified optimum of the problems that it was fitted to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, cast

import numpy as np
from flint import arb

from ..cost import LONG_SECONDS, exact_proof_cost
from ..errors import BadParameter, TooLarge, Undecided
from ..numbers.arithmetic import arithmetic
from ..numbers.quantity import to_quantity
from ..numbers.rationals import (
    correct_digits,
    float_upper_bound,
    format_digits_down,
    format_upper_bound,
    precision_digits,
    working_bits,
)
from ..problem import Problem
from ..profile.profile import Profile, orca
from ..runtime.progress import SlowProgress
from ..svm.certificate import Certificate, Solution
from ..svm.certify import certify
from ..svm.dual import BallDual
from ..svm.float_gap import float_distance, float_gap
from ..svm.judge import w_distance
from ..svm.verified import VerifiedDual, certify_in_float64
from .class_pairs import SHARE_DECIMALS, ByClassPair, PairResult, describe_kernel, for_each_pair, pair_title
from .cost import (
    DIGITS_OF_FLOAT64,
    VerboseProgress,
    count_support,
    describe_balls,
    describe_excessive_balls,
    warn_about_cost,
)
from .reading import BinaryProblem, UnreadablePair, reconstruct_problems
from .resampling import studies_of
from .worth import gather_evidence
from .wrappers import PairKey, TrainingData, unwrap_machines

_NO_VARIANCE = (
    "the variance of h under the measure of the indices cannot be distinguished from 0: either w = 0, or the "
    "measure is far from the data; use another measure, or more digits"
)
_PRINTED = ("order", "marginal", "total", "shapley")  # indices of which every decimal that is shown is proved
_COMPARED = ("marginal", "total", "shapley", "degree")  # indices that are compared for any number of columns


@dataclass(frozen=True, repr=False, eq=False)
class Audit(PairResult[arb]):
    """Comparison of a fitted model with the certified optimum, for two classes.

    ``solution`` is the solution of libsvm, ``optimum`` a certificate of the true optimum, and ``profile`` the
    indices of the optimum as balls. ``rows`` are the row numbers of the points of ``problem`` in X; the
    second class of ``key`` is y = 1. ``dual`` has the data in verified float64, or None if float64 cannot
    hold them.
    """

    solution: Solution
    optimum: Certificate
    dual: VerifiedDual | None = field(default=None, compare=False)

    @cached_property
    def gap(self) -> Certificate:
        """Certificate of libsvm's alpha from its duality gap; it does not use the optimum."""
        with suppress(Undecided):
            if self.dual:
                return float_gap(self.dual, self.solution.alpha)
        return certify(self.problem, self.solution, level="gap")

    @cached_property
    def fitted_profile(self) -> Profile[arb]:
        """Indices of the classifier as fitted, for exactly its alpha, as balls."""
        return orca(self.problem, self.solution, self.profile.arithmetic.name, 30).named(*self.names)

    @cached_property
    def distance(self) -> arb:
        """Upper bound of ||w - w*||, the distance of the fitted w from the optimum."""
        with suppress(Undecided):
            if self.dual and (self.optimum.in_float64 or self.optimum.only_gap):
                return cast(arb, to_quantity(float_distance(self.dual, self.solution, self.optimum)))
        A = arithmetic("ball", 60)
        with A.scope():
            problem, true = self.problem, self.optimum.alpha(60)
            both = enumerate(zip(self.solution.alpha, true, strict=True))
            some = [i for i, (a, x) in both if a != 0 or not x.is_zero()]  # the others contribute 0
            X, y, C = ([column[i] for i in some] for column in (problem.X, problem.y, problem.bounds))
            dual = BallDual(problem.replace(X=X, y=y, C=C), A)
            own = w_distance(dual, [self.solution.alpha[i] for i in some], [true[i] for i in some])
            return cast(arb, to_quantity(arb((own + self.optimum.w_error).upper())))

    @property
    def digits(self) -> float:
        """Lower bound of the correct digits of the fitted w, rounded down to one decimal."""
        with precision_digits(60):
            return max(
                0.0, float(format_digits_down(correct_digits(self.distance / self.optimum.norm_lower_bound)))
            )

    @property
    def proved_digits(self) -> int:
        """Digits of the fitted w that follow from its duality gap."""
        return min(self.gap.digits, 99)

    @property
    def index_bound(self) -> float:
        """Upper bound of the error of every index of the fitted classifier.

        An index is cos^2 of an angle, and this is the largest angle between the fitted h and the optimum,
        both without their means, in L^2 of the measure of the indices.
        """
        parts = self.profile.generating.support.parts
        with precision_digits(60):
            if parts.has_constant:  # the norm in L^2 is proportional to that of w
                sine = self.distance / self.optimum.norm_lower_bound
            else:
                variance = arb(self.profile.variance).lower()
                sine = self.distance * (arb(parts.embedding) / variance).sqrt() if variance > 0 else arb(1)
            return float_upper_bound(sine.asin()) if sine < 1 else 1.0

    @cached_property
    def index_error(self) -> float:
        """Bound of the error of the indices by order, column and degree, from the indices themselves.

        Pairs are included if they are listed.
        """
        own, true, d = self.fitted_profile, self.profile, self.problem.d
        with precision_digits(60):
            return max(
                float_upper_bound(abs(x - true.family(index.name)[key]))
                for index in self.available
                if index.is_listed(d) or index.name in _COMPARED
                for key, x in own.family(index.name).items()
            )

    def to_dict(self, number: Callable[[Any], Any] = float) -> dict[str, Any]:
        facts = {"digits": self.digits, "proved_digits": self.proved_digits, "index_bound": self.index_bound}
        about = {
            "classes": pair_title(self.key), "points": self.problem.m, "worth": self.worth.to_dict(),
        }  # fmt: skip
        return about | facts | self.profile.to_dict(number)

    @property
    def remarks(self) -> tuple[str, ...]:
        return (*self.notes, *self.profile.warnings)

    def summary_row(self) -> dict[str, Any]:
        return {
            "points": self.problem.m,
            "digits": str(self.digits),
            "proved": self.proved_digits,
            "indices within": format_upper_bound(self.index_bound),
        }

    def facts(self) -> list[str]:
        weighted = ", weighted" if self.problem.is_weighted else ""
        return [f"{self.problem.m} points{weighted}, {describe_kernel(self.problem)}"]

    def certainty(self) -> list[str]:
        proved = self.proved_digits
        gap = f"by its duality gap, {self.gap.accuracy}"
        if proved:
            gap = f"its duality gap alone proves {proved} of them"
        return [
            f"libsvm: {self.digits} digits of w are correct, compared with the optimum; {gap}",
            f"libsvm: every index is correct to within {format_upper_bound(self.index_bound)}",
            f"optimum: level {self.optimum.level}, {self.optimum.accuracy}",
        ]


class Audits(ByClassPair[Audit]):
    """Audits for each pair of classes."""

    title = "{} problems; the indices are those of the certified optimum"
    headings: ClassVar[Mapping[str, str]] = {"digits": "libsvm digits", "proved": "by gap alone"}

    @property
    def digits(self) -> float:
        """Correct digits of the worst fitted w."""
        return min(part.digits for part in self.values())

    @property
    def index_error(self) -> float:
        """Largest error of an index in any pair."""
        return max(part.index_error for part in self.values())


def audit(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    kernel: Any = None,
    under: Any = None,
    digits: int = 8,
    cv: Any = 5,
    null: Any = None,
    bootstrap: Any = None,
    verbose: bool | int = 0,
) -> Audit | Audits:
    """Certify the optimum of the problems that a model was fitted to, one for each pair of classes.

    It is verified that the data are those of the fit: the points (as far as scikit-learn stores them), the
    labels of the support vectors, that each alpha_i is within its bounds, that sum alpha_i y_i is 0, and that
    the optimality conditions hold for all rows within the tolerance of libsvm. *Not* verified are the weights
    of rows whose alpha is not at its bound, and the labels of rows for which alpha_i = 0 is optimal with
    either label. The certified optimum is that of the given data.

    The result begins with the answer to the question whether the model is worth reading: see
    ``Audit.worth``, for which the model is cross-validated.

    Parameters
    ----------
    model : estimator
        A fitted ``SVC`` or ``NuSVC`` with the kernel "rbf", "poly", "linear" or a kernel of this package, an
        ``OrcaSVC``, or a meta-estimator that contains one: a Pipeline, a search, a calibrated or threshold
        classifier, one-vs-rest or one-vs-one.
    X, y : array
        The data that were passed to ``fit``; the points if the model has ``kernel="precomputed"``.
    sample_weight : array, optional
        The weights that were passed to ``fit``.
    kernel : OrthogonalPolynomialKernel or Kernel, optional
        Kernel of the Gram matrix, required for ``kernel="precomputed"``.
    under : Measure, Empirical, or a sequence of them, optional
        The measure of the indices of a linear, polynomial or RBF kernel, for all columns that the SVC saw or
        one for each. By default it is the empirical one: for each pair of classes, the values that a column
        has in their rows.
    digits : int
        Digits of w to prove. Verified float64 proves a few; balls are used for more, and for ties and
        dependent points.
    cv : int, splitter or None
        How the accuracy of the whole model on new rows is estimated when ``worth`` is first used or the
        result is printed: by so many stratified folds in a fixed order, or by a splitter of scikit-learn.
        None skips it. A search is fitted anew for each fold, so that its choices are not seen by the rows
        that are left out.
    null : int, Null or mapping, optional
        Number of shufflings of the labels with which the model is compared: the accuracy and each column are
        tested on rows that were left out, with libsvm in float64 and without proof, and the indices get a
        band, from ``studies.null``, which certifies each shuffling. Or such a study, ``studies.null(model, X,
        y)``, whose indices are then tested themselves (for several pairs of classes, a mapping of pairs to
        studies).
    bootstrap : int, Bootstrap or mapping, optional
        Number of resamples of bootstrap intervals, or a study ``studies.bootstrap(model, X, y)``.
    verbose : bool or int
        Whether to print progress to stderr.

    Returns
    -------
    Audit or Audits
        One audit for two classes, or a mapping of pairs of classes to audits for more. Its ``undefined``
        lists pairs with w = 0, its ``undecided`` pairs for which nothing could be proved.

    Raises
    ------
    BadParameter
        If the model cannot be audited, or the data are not those of the fit.

    Examples
    --------
    >>> from orca_exact.sklearn import OrcaSVC
    >>> X, y = [[1.0], [2], [3], [4], [5], [6]], [0, 0, 1, 1, 0, 0]
    >>> result = audit(OrcaSVC(n=2, C=100).fit(X, y), X, y)
    >>> result.optimum.digits >= 8, result.digits > 4
    (True, True)
    """
    working_bits(digits)
    if X is None or y is None:
        rule = "was passed, but a proof is about all rows of the fit"
        hint = "pass the X and y of the fit, or use explain(model), which proves nothing"
        raise BadParameter("X" if X is None else "y", None, rule, hint)
    steps: dict[PairKey, tuple[Any, ...]] = {}
    found = []
    for machine in unwrap_machines(model, TrainingData.from_caller(X, y, sample_weight)):
        for binary in reconstruct_problems(machine, kernel, under):
            found.append(binary)
            steps[binary.key] = machine.data.steps
    warn_about_cost([part for part in found if isinstance(part, BinaryProblem)], digits)
    progress = VerboseProgress(verbose)
    evidence = gather_evidence(model, TrainingData.from_caller(X, y, sample_weight), cv, kernel)
    count = iter(range(1, len(found) + 1))

    def certified(binary: BinaryProblem | UnreadablePair) -> Audit:
        if isinstance(binary, UnreadablePair):
            raise binary.error
        progress(f"{next(count)} of {len(found)}, {pair_title(binary.key)}: {binary.problem.m} points")
        with SlowProgress() as slow:
            slow(f"{pair_title(binary.key)}: certifying {binary.problem.m} points")
            result = _audit(binary, digits, progress)
        studies = studies_of(binary, null=null, bootstrap=bootstrap)
        return replace(result, evidence=evidence, steps=steps[binary.key], **studies)

    return cast(Audit | Audits, for_each_pair(found, certified, Audits))


def _audit(binary: BinaryProblem, digits: int, progress: VerboseProgress) -> Audit:
    problem, solution, notes = binary.problem, binary.solution, binary.notes
    dual = _in_float64(problem)
    found = _certify_in_float64(dual, solution) if dual else None
    missing = _missing_in_float64(found, digits)
    if found is None or missing:
        if dual and (cost := describe_excessive_balls(binary)):
            found = found or _certify_by_gap(dual, solution)
            notes += (f"{missing}; {digits} digits were requested; proving them in balls would take {cost}",)
        else:
            progress(f"  {missing}; continuing in balls")
            try:
                found = _certify_in_balls(binary, digits)
                if digits <= DIGITS_OF_FLOAT64:
                    time = describe_balls(binary)
                    notes += (f"{missing}, so that the optimum was computed in balls, which takes {time}",)
            except Undecided as error:
                if problem.kernel.rational or not dual:
                    raise
                try:
                    found = found or _certify_by_gap(dual, solution)
                except Undecided:
                    raise error from None
                notes += (f"{digits} digits were requested, but balls do not prove them: {error}",)
    progress(f"  optimum: {found[0].accuracy}")
    optimum, profile = found
    if not _has_variance(profile):
        raise Undecided(_NO_VARIANCE)
    result = Audit(
        problem, profile.named(*binary.names), binary.names, binary.rows, binary.key, notes,
        problem.under, solution, optimum, dual,
    )  # fmt: skip
    if progress.verbose:  # otherwise the distance is computed on first access
        progress(
            f"  libsvm: {result.digits} digits of w, indices within {format_upper_bound(result.index_bound)}"
        )
    return result


def _in_float64(problem: Problem) -> VerifiedDual | None:
    """Return the problem in verified float64, or None if float64 cannot represent it."""
    with suppress(TooLarge), np.errstate(all="ignore"):
        dual = VerifiedDual(problem)
        return dual if dual.in_range else None
    return None


CertifiedProfile = tuple[Certificate, Profile[arb]]


def _certify_in_float64(dual: VerifiedDual, solution: Solution) -> CertifiedProfile | None:
    """Certify optimum and indices in verified float64; return None unless the active set is strict."""
    with suppress(Undecided):
        optimum = certify_in_float64(dual, solution.alpha)
        return optimum, orca(dual.problem, optimum, "verified")
    return None


def _certify_by_gap(dual: VerifiedDual, solution: Solution) -> CertifiedProfile:
    """Certify optimum and indices from the duality gap of libsvm's alpha."""
    optimum = float_gap(dual, solution.alpha)
    return optimum, orca(dual.problem, optimum, "verified")


def _certify_in_balls(binary: BinaryProblem, digits: int) -> CertifiedProfile:
    """Certify optimum and indices in balls, or over the rationals if w may be 0 and that is cheap.

    More digits are used if the variance of h is not separated from 0 under a measure that is not the
    kernel's own.
    """
    problem = binary.problem
    for working in (digits, 2 * digits, 4 * digits):
        optimum = certify(problem, binary.solution, level="ball", digits=working)
        try:
            profile = orca(problem, optimum, "ball", working)
            if _has_variance(profile):
                return optimum, profile
            error = Undecided(_NO_VARIANCE)
        except Undecided as found:
            error = found if problem.kernel.own_measures else Undecided(_NO_VARIANCE)
        if problem.kernel.own_measures:
            break
    too_long = exact_proof_cost(problem, *count_support(binary)[1:]).seconds > LONG_SECONDS
    if too_long or not problem.kernel.rational:
        raise error
    optimum = certify(problem, binary.solution)
    return optimum, orca(problem, optimum, "ball", digits)


def _missing_in_float64(found: CertifiedProfile | None, digits: int) -> str:
    """Return a clause on what float64 does not prove, or an empty string if it proves enough.

    Enough are so many digits of w, and either a variance of h that is about as accurate or the decimals of
    every index that is printed.
    """
    if found is None:
        return "float64 does not prove the optimum"
    optimum, profile = found
    if optimum.digits < digits:
        return f"float64 proves {optimum.digits} of {digits} digits of w"
    if profile.variance.rel_accuracy_bits() >= working_bits(digits) - 32 or _proves_decimals(profile):
        return ""
    return f"float64 does not prove {SHARE_DECIMALS} decimals of every index"


def _proves_decimals(profile: Profile[arb]) -> bool:
    """Return whether the bounds of all indices that are printed are below half of the last decimal."""
    if not _has_variance(profile):
        return False
    half = arb(10) ** -SHARE_DECIMALS / 2
    return all(arb(arb(x).rad()) < half for name in _PRINTED for x in profile.family(name).values())


def _has_variance(profile: Profile[arb]) -> bool:
    """Return whether the variance of h is proved positive, so that its shares are defined."""
    return arb(profile.variance) > 0
