"""Words that the shell offers at TAB: verbs, options and choices by argcomplete, names and files from here.

Nothing of this is loaded unless the shell asks.
"""

from __future__ import annotations

import os
import sys
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Callable
from typing import Any

from .parser import leaves, list_plugins, list_verbs, make_parser

_FILES = {"PROBLEM", "CERT", "RESULT", "REF", "FILE", "PATH", "DATA"}  # by what the help calls them
FOLDERS = {"DIR"}


def complete() -> None:
    """Answer the shell and end; without argcomplete there is nothing to answer."""
    try:
        import argcomplete
        from argcomplete.completers import DirectoriesCompleter, FilesCompleter, SuppressCompleter
    except ImportError:
        sys.exit(1)
    words = os.environ.get("COMP_LINE", "").split()
    verb = words[1] if words[1:] and words[1] in list_verbs() else ""
    top = make_parser(verb)
    names = NAMES | {kind: offer for plugin in list_plugins() for kind, offer in plugin.completions().items()}
    for action in _actions(top, verb):
        kind: Any = action.metavar
        if completer := _offered(names[kind]) if kind in names else None:
            action.completer = completer  # type: ignore[attr-defined]
        elif kind in _FILES | FOLDERS:
            action.completer = (FilesCompleter if kind in _FILES else DirectoriesCompleter)()  # type: ignore[attr-defined]
    argcomplete.autocomplete(top, default_completer=SuppressCompleter())


def _actions(top: ArgumentParser, verb: str) -> list[Action]:
    (verbs,) = (action for action in top._actions if isinstance(action, _SubParsersAction))
    return [action for leaf in leaves(verbs.choices[verb]) for action in leaf._actions] if verb else []


def _offered(names: Callable[[], list[str]]) -> Callable:
    def completer(prefix: str, **about: Any) -> list[str]:
        return [name for name in names() if name.startswith(prefix)]

    return completer


def _schemas() -> list[str]:
    from ..files.validation import schema_names

    return schema_names()


def _vectors() -> list[str]:
    from ..conformance.vectors import vectors

    return [vector.id for vector in vectors()]


def _flags() -> list[str]:
    from ..conformance.vectors import shipped_document

    return list(shipped_document()["notes"])


NAMES = {"NAME": _schemas, "VECTOR": _vectors, "FLAG": _flags}
