"""An audit: the fitted model against the certified optimum of the very problems it was given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from flint import arb

from ..arithmetic import arithmetic
from ..number import precision
from ..problem import Problem
from ..profile.indices import INDICES
from ..profile.profile import Profile, orca
from ..svm.certificate import Certificate, Solution
from ..svm.certify import certify
from ..svm.dual import BallDual
from ..svm.judge import distance
from .cost import Progress, foretell
from .reading import Binary, binaries
from .several import Several, each, name, shares
from .wrappers import Data, Key, machines


@dataclass(frozen=True, repr=False)
class Audit:
    """Two classes of a fitted model against the certified optimum of the very problem it was given.

    ``solution`` is what libsvm returned; ``gap`` its own certificate (rigorous, no optimum needed);
    ``optimum`` a certificate of the true optimum; ``profile`` the optimum's indices as balls. ``rows`` says
    which rows of X the points of ``problem`` are; the second class of ``key`` is its y = 1.
    """

    problem: Problem
    solution: Solution
    gap: Certificate
    optimum: Certificate
    profile: Profile[arb]
    names: tuple[str, ...]
    rows: np.ndarray
    key: Key = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def fitted_profile(self) -> Profile[arb]:
        """The indices of the classifier as fitted, exactly its own alpha, in balls."""
        return orca(self.problem, self.solution, "ball", 30)

    @cached_property
    def distance(self) -> arb:
        """||w - w*||: how far the fitted w is from the optimum, at most."""
        A = arithmetic("ball", 60)
        with A.scope():
            problem, true = self.problem, self.optimum.alpha(60)
            both = enumerate(zip(self.solution.alpha, true, strict=True))
            some = [i for i, (a, x) in both if a != 0 or not x.is_zero()]  # the rest add nothing
            X, y, C = ([column[i] for i in some] for column in (problem.X, problem.y, problem.bounds))
            dual = BallDual(problem.with_(X=X, y=y, C=C), A)
            own = distance(dual, [self.solution.alpha[i] for i in some], [true[i] for i in some])
            return arb((own + self.optimum.w_error).upper())

    @property
    def digits(self) -> float:
        """Digits of w that libsvm got right."""
        with precision(60):
            relative = self.distance / self.profile.norm2.sqrt()
            return 99.0 if not relative > 0 else round(float(-(relative.log() / arb(10).log())), 1)

    @property
    def proved_digits(self) -> int:
        """Digits of w that the duality gap of libsvm's own alpha proves."""
        return min(self.gap.digits, 99)

    @cached_property
    def index_error(self) -> float:
        """The largest error of an index of the fitted classifier: of OKC_N, and of all that a page lists."""
        own, true, d = self.fitted_profile, self.profile, self.problem.d
        with precision(60):
            return max(
                float(arb(abs(x - true.family(index.name)[key]).upper()))
                for index in INDICES.values()
                if index.listed(d) or index.name == "degree"
                for key, x in own.family(index.name).items()
            )

    @property
    def marginal(self) -> dict[str, arb]:
        """OKC_i by column name."""
        return dict(zip(self.names, self.profile.marginal.values(), strict=True))

    def row(self) -> dict[str, Any]:
        """Its line of the summary table, before the indices."""
        return {
            "points": self.problem.m,
            "digits": str(self.digits),
            "proved": self.proved_digits,
            "index error": f"{self.index_error:.1e}",
        }

    def __str__(self) -> str:
        problem, proved = self.problem, self.proved_digits
        weighted = ", weighted" if problem.is_weighted else ""
        lines = [
            f"{problem.m} points, {problem.d} columns, n = {problem.n}: {problem.modes} modes{weighted}",
            f"libsvm: {self.digits} digits of w are right; "
            + (f"its duality gap proves {proved}" if proved else f"by its duality gap {self.gap.accuracy}"),
            f"largest error of an index: {self.index_error:.1e}",
            f"optimum: level {self.optimum.level}, {self.optimum.accuracy}"
            + " proved" * bool(self.optimum.digits),
        ]
        return "\n".join([*lines, *shares(self.profile, self.names), *self.notes])

    __repr__ = __str__


class Audits(Several[Audit]):
    """An audit for each pair of classes, and their summary."""

    title = "{} problems, each certified; the indices are the optimum's"

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
    digits: int = 30,
    verbose: bool | int = 0,
) -> Audit | Audits:
    """Certify the problems that a fitted model was fitted to: one for each pair of classes.

    ``model`` is an ``SVC``, ``NuSVC`` or ``OrcaSVC``, or holds one: a Pipeline, a search, a calibrated or
    threshold classifier, one-vs-rest, one-vs-one. ``X``, ``y`` and ``sample_weight`` are what ``fit`` got;
    others are noticed. For ``kernel="precomputed"`` give the points as ``X`` and the kernel that made the
    Gram matrix as ``kernel``. Two classes give an ``Audit``, more give ``Audits``, a mapping by pair.
    """
    parts = machines(model, Data.of(X, y, sample_weight))
    found = [binary for machine in parts for binary in binaries(machine, kernel)]
    foretell(found)
    progress = Progress(verbose)
    count = iter(range(1, len(found) + 1))

    def certified(binary: Binary) -> Audit:
        progress(f"{next(count)} of {len(found)}, {name(binary.key)}: {binary.problem.m} points")
        return _audit(binary, digits, progress)

    return cast(Audit | Audits, each(found, certified, Audits))


def _audit(binary: Binary, digits: int, progress: Progress) -> Audit:
    problem, solution = binary.problem, binary.solution
    optimum = certify(problem, solution, level="ball", digits=digits)
    progress(f"  optimum: {optimum.accuracy}")
    profile = orca(problem, optimum, "ball", digits)
    gap = certify(problem, solution, level="gap")
    done = Audit(
        problem, solution, gap, optimum, profile, binary.names, binary.rows, binary.key, binary.notes
    )
    progress(f"  libsvm: {done.digits} digits of w, indices within {done.index_error:.1e}")
    return done
