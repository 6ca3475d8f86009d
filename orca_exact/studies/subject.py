"""The subject of a study: a Problem, an audit, or a fitted model followed by its data."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeVar, overload

from ..errors import BadParameter, wrong_count
from ..problem import Problem
from .study import Studies, Study

_SKLEARN = f"{__name__.partition('.')[0]}.sklearn"  # a higher layer, imported only if needed
_OF_THE_FIT = ("X", "y", "sample_weight", "kernel", "under")  # arguments that belong to a fitted model

S = TypeVar("S", bound=Study)
S_co = TypeVar("S_co", bound=Study, covariant=True)


class ClassPair(NamedTuple):
    """The problem of two classes of a model; ``rows`` are the row numbers of its points in the data."""

    key: tuple[Any, ...]
    problem: Problem
    rows: list[int]


class ClassPairs(NamedTuple):
    """The problems of a model, and by pair of classes why there is none."""

    pairs: list[ClassPair]
    left_out: dict[tuple[Any, ...], str]


class StudyFunction(Protocol[S_co]):
    """A study of a Problem, or of every pair of classes of a model."""

    __name__: str

    @overload
    def __call__(self, problem: Problem, /, *args: Any, **options: Any) -> S_co: ...
    @overload
    def __call__(self, problem: Any, /, *args: Any, **options: Any) -> Any: ...


def read_model(
    subject: Any, args: tuple[Any, ...], options: dict[str, Any]
) -> tuple[ClassPairs, tuple[Any, ...]] | None:
    """Return the problems of an audit or a fitted model, and the arguments that are left.

    Arguments of the fit are taken out of ``options``. Return None if the subject is neither.
    """
    fitted = hasattr(subject, "fit") and not isinstance(subject, type)
    if not fitted and not f"{type(subject).__module__}.".startswith(f"{_SKLEARN}."):
        return None
    data = {name: options.pop(name) for name in _OF_THE_FIT if name in options}
    if fitted:
        names = [name for name in ("X", "y") if name not in data]
        data |= dict(zip(names, args, strict=False))
        args = args[len(names) :]
        if any(data.get(name) is None for name in ("X", "y")):
            given, rule = f"a fitted {type(subject).__name__}", "was given without its data"
            raise BadParameter("model", given, rule, "pass (model, X, y), or audit(model, X, y)")
    elif data:
        rule = "was given with an audit, which has its data"
        raise BadParameter(next(iter(data)), "a value", rule, "leave it out")
    return import_module(f"{_SKLEARN}.problems").find_problems(subject, **data), args


def takes_models(study: Callable[..., S]) -> StudyFunction[S]:
    """Let a study of a Problem also take an audit, or a fitted model and its data."""

    @wraps(study)
    def run(problem: Any, *args: Any, **options: Any) -> Any:
        found = read_model(problem, args, options)
        if found is None:
            return study(problem, *args, **options)
        (pairs, left_out), args = found
        studies = {}
        for pair in pairs:
            own = _options_of(pair, options, len(pairs) + len(left_out))
            studies[pair.key] = study(pair.problem, *args, **own)
        only = len(studies) == 1 and not left_out
        return next(iter(studies.values())) if only else Studies(studies, left_out)

    return run


def takes_models_jointly(study: Callable[..., S]) -> StudyFunction[S]:
    """Let a study of several problems also take those of an audit, or of a fitted model and its data."""

    @wraps(study)
    def run(problems: Any, *args: Any, **options: Any) -> S:
        found = read_model(problems, args, options)
        if found is None:
            return study(problems, *args, **options)
        (pairs, _), args = found
        return study({pair.problem.id: pair.problem for pair in pairs}, *args, **options)

    return run


def _options_of(pair: ClassPair, options: dict[str, Any], count: int) -> dict[str, Any]:
    """Return the options for one pair: the strata of its rows, and progress with its name."""
    own = dict(options)
    if (strata := own.get("strata")) is not None:
        if len(strata) <= max(pair.rows):
            wanted = f"for at least {max(pair.rows) + 1} rows"
            raise wrong_count("strata", len(strata), "value", wanted, "pass one for each row of X")
        own["strata"] = [strata[i] for i in pair.rows]
    if count > 1 and (progress := own.get("progress")):
        own["progress"] = lambda text: progress(f"{pair.problem.id}: {text}" if text else "")
    return own
