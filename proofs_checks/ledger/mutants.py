r"""Mutants: faults that show that a claim can fail.

A mutant is a named context manager that introduces a fault into the library or into a statement. The outcome
of a claim must change under each mutant in its ``kills``::

    @mutant("rescale-to-unit")
    def rescale_to_unit():
        with patched(Problem, "points", property(...)):
            yield
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from orca_exact.runtime.cache import cache_disabled

from .claims import STATEMENTS, claims

OURS = ("orca_exact", "proofs_checks")  # modules with caches
_MUTANTS: dict[str, Callable[[], AbstractContextManager]] = {}


def mutant(name: str) -> Callable[[Callable], Callable]:
    """Register the decorated generator function as a mutant, a named context manager."""

    def register(function: Callable) -> Callable:
        if name in _MUTANTS:
            raise ValueError(f"the mutant {name!r} is registered twice")
        _MUTANTS[name] = contextmanager(function)
        return function

    return register


def replacement(name: str, owner: Any, attribute: str) -> Callable[[Callable], Callable]:
    """Register a mutant that replaces a function or method by the decorated one, which may call the original.

    The decorated function takes the original one as its first argument, then the arguments of the call.
    To set an attribute to another value without the original, use ``replacing``.
    """

    def register(wrong: Callable) -> Callable:
        @mutant(name)
        def fault() -> Iterator[None]:
            right = getattr(owner, attribute)
            with patched(owner, attribute, lambda *args, **options: wrong(right, *args, **options)):
                yield

        return wrong

    return register


def replacing(name: str, module: str, attribute: str, value: Any) -> None:
    """Register a mutant under which an attribute of a module has another value.

    To wrap the original function or method instead, use the decorator ``replacement``.

    Parameters
    ----------
    name : str
        Name of the mutant.
    module : str
        Name of a loaded module, usually ``__name__`` of the caller.
    attribute : str
        Name of the attribute.
    value
        The value, often a function that returns the wrong result.
    """

    @mutant(name)
    def fault() -> Iterator[None]:
        with patched(sys.modules[module], attribute, value):
            yield


@contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Set ``owner.name`` to ``value`` within the context, and clear the caches before and after.

    If the owner belongs to the library, all our caches are cleared and nothing is read from or written to
    the disk cache. If it belongs to a statement, only the caches of the statements are cleared, because the
    library does not depend on them.
    """
    old = owner.__dict__[name] if isinstance(owner, type) else getattr(owner, name)
    home = owner.__module__ if isinstance(owner, type) else owner.__name__
    statement = home.startswith(STATEMENTS)
    affected = STATEMENTS if statement else OURS
    clear_caches(affected)
    setattr(owner, name, value)
    try:
        with nullcontext() if statement else cache_disabled():
            yield
    finally:
        setattr(owner, name, old)
        clear_caches(affected)


def clear_caches(modules: tuple[str, ...] = OURS) -> None:
    """Clear every lru_cache that is defined in a module whose name starts with one of ``modules``."""
    for name, module in list(sys.modules.items()):
        if name.startswith(modules):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear") and value.__module__.startswith(modules):
                    value.cache_clear()


def mutants() -> dict[str, Callable[[], AbstractContextManager]]:
    """Return every registered mutant by name."""
    claims()
    return _MUTANTS
