"""Mutants that replace one attribute of a module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from .claims import mutant, patched


def replacing(name: str, module: str, attribute: str, value: Any) -> None:
    """Register a mutant under which a module's attribute has another value.

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
    def replaced() -> Iterator[None]:
        with patched(sys.modules[module], attribute, value):
            yield
