"""Choice of the simplest model among those with equivalent scores (Section 7 of the paper)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from flint import arb
from sklearn.base import clone

from ..errors import BadInput, BadParameter, SolverFailed, Undecided, ZeroClassifier
from ..numbers.rationals import is_less, precision_digits
from ..numbers.values import to_json_value
from ..profile.profile import Profile
from .audit import Audit, Audits, audit

_DIGITS = 12  # digits of w to prove
_SHOWN = 15  # digits of a criterion in ``comparison_``


def mean_order(profile: Profile[arb]) -> arb:
    """Return sum_q q OKC^(q)."""
    return sum((q * x for q, x in enumerate(profile.order)), arb(0))


def mean_degree(profile: Profile[arb]) -> arb:
    """Return sum_N N OKC_N; nan, which is not comparable, for a kernel without degrees."""
    if not profile.has_degrees:
        return arb("nan")
    return sum((N * x for N, x in enumerate(profile.degree)), arb(0))


def effective_pairs(profile: Profile[arb]) -> arb:
    """Return the effective number of pairs, (sum OKC_ij)^2 / sum OKC_ij^2, or 0 if all shares are 0.

    It is k if k pairs have equal shares and the others have none.
    """
    pairs = list(profile.pair.values())
    total, squares = sum(pairs, arb(0)), sum((x * x for x in pairs), arb(0))
    return total * total / squares if not squares.is_zero() else arb(0)


CRITERIA: dict[str, Callable[[Profile[arb]], arb]] = {
    "mean_order": mean_order, "mean_degree": mean_degree, "effective_pairs": effective_pairs,
}  # fmt: skip


@dataclass(frozen=True)
class Candidate:
    """A model within one standard error of the best, fitted to all data and certified.

    ``values`` has the criteria, or is None if nothing was certified; ``models`` has the digests of the
    certified problems.
    """

    index: int
    params: Mapping[str, Any]
    score: float
    values: tuple[arb, ...] | None
    degrees: float  # the sum of the degrees of all columns; infinite for a kernel without degrees
    models: tuple[str, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the candidate as JSON, with balls as text."""
        balls = self.values or [None] * len(CRITERIA)
        shown = [to_json_value(x, _SHOWN) if x is not None and x.is_finite() else None for x in balls]
        degrees = None if self.degrees == inf else self.degrees
        return {
            "candidate": self.index, "params": dict(self.params), "score": self.score,
            **dict(zip(CRITERIA, shown, strict=True)), "degrees": degrees, "notes": list(self.notes),
        }  # fmt: skip


class Simplest:
    """Callable for ``refit`` of a search that returns the index of the simplest model; see ``simplest``.

    After the call ``comparison_`` explains the choice.
    """

    def __init__(
        self, estimator: Any, X: Any, y: Any, metric: str = "score", digits: int = _DIGITS, under: Any = None
    ):
        self.estimator, self.X, self.y = estimator, X, y
        self.metric, self.digits, self.under = metric, digits, under

    def __repr__(self) -> str:
        return f"simplest({type(self.estimator).__name__}, {len(self.y)} rows)"

    def __sklearn_clone__(self) -> Simplest:
        return Simplest(self.estimator, self.X, self.y, self.metric, self.digits, self.under)

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        scores, error = self._scores(cv_results)
        best = int(np.nanargmax(scores))
        within = [k for k, x in enumerate(scores.tolist()) if x >= scores[best] - error]
        found = [self._certified(k, cv_results["params"][k], float(scores[k])) for k in within]
        steps: list[dict[str, Any]] = []
        left = found
        for at, criterion in enumerate(CRITERIA):
            if len(left) == 1:
                break
            left, step = _eliminate(left, at)
            steps.append({"criterion": criterion, **step})
        by = next((step["criterion"] for step in reversed(steps) if step["dropped"]), "score")
        if len(left) > 1:
            by = "degrees" if len({x.degrees for x in left}) > 1 else "place in the grid"
        chosen = min(left, key=lambda x: (x.values is None, x.degrees, x.index)).index
        self.comparison_ = {
            "best": best, "score": float(scores[best]), "standard_error": float(error), "chosen": chosen,
            "by": by, "candidates": [candidate.to_json() for candidate in found], "steps": steps,
        }  # fmt: skip
        return chosen

    def _scores(self, cv_results: Mapping[str, Any]) -> tuple[np.ndarray, float]:
        """Return the mean scores and the standard error of the best one over its splits."""
        name, metric = f"mean_test_{self.metric}", self.metric
        if name not in cv_results:
            known = [key.removeprefix("mean_test_") for key in cv_results if key.startswith("mean_test_")]
            raise BadParameter("metric", repr(metric), "was not scored", "pass one of " + ", ".join(known))
        scores = np.asarray(cv_results[name], dtype=float)
        if np.isnan(scores).all():
            raise BadParameter("cv_results", "every score", "is nan", "check the errors of the fits")
        splits = sum(key.startswith("split") and key.endswith(f"_test_{metric}") for key in cv_results)
        spread = float(cv_results[f"std_test_{metric}"][int(np.nanargmax(scores))])
        return scores, spread / max(1, splits - 1) ** 0.5  # scikit-learn's std divides by k, not k - 1

    def _certified(self, index: int, params: Mapping[str, Any], score: float) -> Candidate:
        """Fit a candidate to all data, certify it, and sum the criteria over the pairs of classes."""
        model = clone(self.estimator).set_params(**clone(dict(params), safe=False)).fit(self.X, self.y)
        try:
            done = audit(model, self.X, self.y, digits=self.digits, under=self.under, cv=None)
        except ZeroClassifier:
            zero = (arb(0),) * len(CRITERIA)
            return Candidate(index, params, score, zero, 0, (), ("w = 0: all indices are undefined",))
        except (Undecided, SolverFailed) as error:
            return Candidate(index, params, score, None, 0, (), (f"not certified: {error}",))
        except BadInput as error:
            error.args = (f"candidate {index}, {dict(params)}: {error}",)
            raise
        if isinstance(done, Audits) and done.undecided:
            notes = tuple(f"{key}: not certified: {why}" for key, why in done.undecided.items())
            return Candidate(index, params, score, None, 0, (), notes)
        parts = [done] if isinstance(done, Audit) else list(done.values())
        undefined = {} if isinstance(done, Audit) else done.undefined
        with precision_digits(2 * _SHOWN):
            values = tuple(sum((f(part.profile) for part in parts), arb(0)) for f in CRITERIA.values())
        notes = tuple(f"{part.optimum.level}: {part.optimum.accuracy}" for part in parts)
        notes += tuple(f"{key}: {why}" for key, why in undefined.items())
        degrees = max(sum(p.problem.kernel.degrees_in(p.problem.d) or (inf,)) for p in parts)
        return Candidate(index, params, score, values, degrees, tuple(p.problem.sha256 for p in parts), notes)


def _eliminate(found: Sequence[Candidate], at: int) -> tuple[list[Candidate], dict[str, Any]]:
    """Drop candidates that are proved to be worse than another one; keep those equal or undecided."""
    dropped: dict[int, int] = {}
    open_ones: dict[str, list[list[int]]] = {"equal": [], "undecided": []}
    for k, one in enumerate(found):
        for other in found[k + 1 :]:
            pair = [one.index, other.index]
            if one.values is None or other.values is None:
                open_ones["undecided"].append(pair)
                continue
            a, b = one.values[at], other.values[at]
            if is_less(a, b):
                dropped.setdefault(other.index, one.index)
            elif is_less(b, a):
                dropped.setdefault(one.index, other.index)
            else:
                same = (one.models and one.models == other.models) or a == b
                open_ones["equal" if same else "undecided"].append(pair)
    left = [candidate for candidate in found if candidate.index not in dropped]
    return left, {"dropped": dropped, **open_ones}


def simplest(
    estimator: Any, X: Any, y: Any, *, metric: str = "score", digits: int = _DIGITS, under: Any = None
) -> Simplest:
    """Return a ``refit`` for a search that chooses the simplest model with an equivalent score.

    Candidates are all models whose mean score is within one standard error of the best. Each is fitted to all
    of X and y and certified. The model with the lowest complexity is chosen: first by mean order sum q
    OKC^(q), then by mean degree sum N OKC_N, then by effective number of pairs, each summed over the pairs of
    classes. A criterion drops a candidate only if ball arithmetic proves it worse than another one; the mean
    degree of an RBF kernel is undefined and drops nothing. If several candidates remain, the smallest degrees
    decide, and then the first place in the grid.

    Parameters
    ----------
    estimator : estimator
        The estimator that is searched.
    X, y : array
        The data that the search is fitted to.
    metric : str
        Name of the score, if the search has several.
    digits : int
        Digits of w to prove.
    under : Measure, Empirical, or a sequence of them, optional
        The measure of the indices, as for ``audit``.

    Returns
    -------
    Simplest
        The callable for ``refit``. After the search its ``comparison_`` has the candidates with their
        criteria, and which criterion eliminated which candidate.

    Examples
    --------
    >>> from sklearn.model_selection import GridSearchCV
    >>> from orca_exact.sklearn import OrcaSVC
    >>> X = [[7 * k % 31 / 15 - 1, 11 * k % 29 / 14 - 1] for k in range(30)]
    >>> y = [a + b / 3 > 0.1 for a, b in X]
    >>> choose = simplest(OrcaSVC(), X, y)
    >>> search = GridSearchCV(OrcaSVC(), {"n": [3, 2, 1]}, cv=4, refit=choose).fit(X, y)
    >>> search.best_params_, choose.comparison_["by"]
    ({'n': 1}, 'mean_order')
    """
    for method in ("fit", "set_params"):
        if not hasattr(estimator, method):
            hint = "pass the estimator that is searched"
            raise BadParameter("estimator", repr(estimator)[:60], f"has no {method} method", hint)
    if not hasattr(X, "__len__") or not hasattr(y, "__len__") or len(X) != len(y):
        rule = "do not have the same number of rows"
        raise BadParameter("X, y", "they", rule, "pass the data that the search is fitted to")
    if not isinstance(metric, str):
        raise BadParameter("metric", repr(metric), "is not the name of a score", "pass 'score'")
    return Simplest(estimator, X, y, metric, digits, under)
