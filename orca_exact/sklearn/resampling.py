"""The comparison with shuffled labels and the bootstrap of each pair of classes, computed or given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import BadParameter
from ..problem import Problem
from ..runtime.progress import SlowProgress
from ..studies.bootstrap import Bootstrap, bootstrap
from ..studies.null import Null
from .reading import BinaryProblem
from .shuffled import compare_with_shuffled
from .wrappers import PairKey

_STUDIES: Mapping[str, tuple[Callable[..., Any], type]] = {
    "null": (compare_with_shuffled, Null),
    "bootstrap": (bootstrap, Bootstrap),
}


def studies_of(binary: BinaryProblem, **given: Any) -> dict[str, Any]:
    """Return the studies ``null`` and ``bootstrap`` of a pair of classes that were given or asked for."""
    return {
        name: _study(name, value, binary.key, binary.problem)
        for name, value in given.items()
        if value is not None
    }


def _study(name: str, given: Any, key: PairKey, problem: Problem) -> Any:
    make, kind = _STUDIES[name]
    if isinstance(given, Mapping):
        if key not in given:
            rule = f"has no study of {key}"
            raise BadParameter(name, "the mapping", rule, "pass one study for each pair of classes")
        given = given[key]
    if isinstance(given, kind):
        if given.problem["sha256"] != problem.sha256:  # type: ignore[attr-defined]
            rule, hint = "belongs to other data", f"pass {name}(audit(model, X, y).problem)"
            raise BadParameter(name, "the study", rule, hint)
        return given
    if isinstance(given, bool) or not isinstance(given, int):
        rule = f"is neither a number of repetitions nor a study of the kind {name}"
        raise BadParameter(name, repr(given)[:60], rule, f"pass {name}=99")
    with SlowProgress() as progress:
        return make(problem, repeats=given, progress=lambda line: progress(line and f"{name}: {line}"))
