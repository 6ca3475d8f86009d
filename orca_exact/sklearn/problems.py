"""The problems of a fitted model or of an audit, for studies."""

from __future__ import annotations

from typing import Any

from ..errors import BadParameter
from ..problem import Problem
from ..studies.subject import ClassPair, ClassPairs
from .audit import Audit, Audits
from .reading import BinaryProblem, reconstruct_problems
from .wrappers import PairKey, TrainingData, unwrap_machines


def find_problems(
    subject: Any,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    kernel: Any = None,
    under: Any = None,
) -> ClassPairs:
    """Return the problem of each pair of classes of an audit or of a fitted model, with the names of columns.

    The data of a model are checked as ``audit`` does; nothing is certified.
    """
    left_out: dict[PairKey, str] = {}
    parts: list[Any] = []
    errors: list[Exception] = []
    if isinstance(subject, Audit | Audits):
        parts = list(subject.values()) if isinstance(subject, Audits) else [subject]
        left_out = subject.undefined | subject.undecided if isinstance(subject, Audits) else {}
    elif not hasattr(subject, "fit"):
        rule = "does not have the data of the fit"
        raise BadParameter(
            "model", f"a value of type {type(subject).__name__}", rule, "pass audit(model, X, y)"
        )
    else:
        for machine in unwrap_machines(subject, TrainingData.from_caller(X, y, sample_weight)):
            for part in reconstruct_problems(machine, kernel, under):
                if isinstance(part, BinaryProblem):
                    parts.append(part)
                else:
                    left_out[part.key] = str(part.error)
                    errors.append(part.error)
        if not parts:
            raise errors[-1]
    return ClassPairs([ClassPair(p.key, _named(p), p.rows.tolist()) for p in parts], left_out)


def _named(part: Any) -> Problem:
    """Return the problem with the names of its columns and the measure of the indices that was given."""
    stated = part.stated_problem if isinstance(part, Audit) else part.problem
    distinct = part.names and len(set(part.names)) == len(part.names) and all(map(str.strip, part.names))
    return stated.replace(names=part.names) if distinct else stated
