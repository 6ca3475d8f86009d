"""Shell completion: argcomplete offers verbs, options and choices, this module adds names and files.

It is imported only if the shell asks for a completion.
"""

from __future__ import annotations

import os
import sys
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Callable
from typing import Any

from .parser import leaf_parsers, list_plugins, list_verbs, make_parser

_FILES = {"PROBLEM", "CERT", "RESULT", "REF", "FILE", "PATH", "DATA"}  # metavars of arguments that name files
FOLDERS = {"DIR"}


def complete() -> None:
    """Print the completions that the shell asks for and exit; exit with 1 if argcomplete is missing."""
    try:
        import argcomplete
        from argcomplete.completers import DirectoriesCompleter, FilesCompleter, SuppressCompleter
    except ImportError:
        sys.exit(1)
    words = os.environ.get("COMP_LINE", "").split()
    verb = words[1] if words[1:] and words[1] in list_verbs() else ""
    top = make_parser(verb)
    names = NAMES | {kind: offer for plugin in list_plugins() for kind, offer in plugin.completions().items()}
    completers: dict[Any, Any] = {kind: _completer(offer) for kind, offer in names.items()}
    completers |= dict.fromkeys(_FILES, FilesCompleter()) | dict.fromkeys(FOLDERS, DirectoriesCompleter())
    for action in _actions(top, verb):
        if action.metavar in completers:
            action.completer = completers[action.metavar]  # type: ignore[attr-defined]
    argcomplete.autocomplete(top, default_completer=SuppressCompleter())


def _actions(top: ArgumentParser, verb: str) -> list[Action]:
    (verbs,) = (action for action in top._actions if isinstance(action, _SubParsersAction))
    return [action for leaf in leaf_parsers(verbs.choices[verb]) for action in leaf._actions] if verb else []


def _completer(names: Callable[[], list[str]]) -> Callable[..., Any]:
    def completer(prefix: str, **context: Any) -> list[str]:
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
