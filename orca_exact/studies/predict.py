"""Verified predictions of a certified classifier: the sign of g(x) from an enclosure.

If no free support vector determines b, every number of an interval is optimal, and its midpoint is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from flint import fmpq

from ..errors import SolverFailed, Undecided
from ..numbers.arithmetic import Arithmetic, arithmetic
from ..numbers.rationals import certain_sign
from ..problem import Problem
from ..svm.certificate import Certificate
from ..svm.certify import certify

_DIGITS = 60


def predict_signs(
    problem: Problem, points: Sequence[Sequence[fmpq]], certificate: Certificate | None = None
) -> list[int]:
    """Return the predicted class of each point, 1 or -1, or 0 if neither is proved.

    The result is 0 if g(x) is 0 to 60 digits, or if no certificate was found. Points must be rescaled, like
    ``problem.points``, and lie in the domain.

    >>> problem = Problem([["-0.5"], ["0.75"]], [1, -1], n=2, alpha=0, beta=0)
    >>> predict_signs(problem, [[fmpq(-1)], [fmpq(1, 2)]])
    [1, -1]
    """
    found = np.zeros(len(points), dtype=int)
    for proof, A in _proofs(problem, certificate):
        left = np.flatnonzero(found == 0)
        with A.scope():
            found[left] = [
                certain_sign(g) for g in enclose_scores(problem, proof, [points[i] for i in left.tolist()], A)
            ]
        if found.all():
            break
    return found.tolist()


def _proofs(problem: Problem, certificate: Certificate | None) -> Iterator[tuple[Certificate, Arithmetic]]:
    """Yield the given certificate, then closer ones."""
    if certificate and certificate.enclosure:
        yield certificate, arithmetic("verified")
    for level in ("ball", "exact") if problem.kernel.rational else ("ball",):
        with suppress(Undecided, SolverFailed, np.linalg.LinAlgError):
            proof = certify(problem, level=level, digits=_DIGITS)
            if proof.enclosure or proof.exact:
                yield proof, arithmetic("ball", _DIGITS)


def enclose_scores(
    problem: Problem, proof: Certificate, points: Sequence[Sequence[fmpq]], A: Arithmetic
) -> Any:
    """Enclose g(x) = sum_i s_i R(x_i, x) + b of the optimum at each point."""
    m, ends = problem.m, proof.bias_ends(_DIGITS)
    b = (ends[0] + ends[-1]) / 2
    if proof.enclosure:
        s = dict(proof.enclosure.s)
    else:
        lam, alpha = problem.lambda_ball(), proof.alpha(_DIGITS)
        s = {i: a * lam * y for i, (a, y) in enumerate(zip(alpha, problem.y, strict=True)) if not a.is_zero()}
    if not s:
        return [b] * len(points)
    X, support = [*problem.points.tolist(), *points], list(s)
    y = [*problem.y, *(1 for _ in points)]
    joint = problem.replace(X=X, y=y, C=[1] * len(X), rescale=False)
    R = joint.kernel.at(joint.points, A).block(slice(m, None), support)
    return A.to_scalars(R @ A.elements(s.values()) + b)
