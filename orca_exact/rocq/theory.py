"""The theory in Rocq, the ``.v`` files of this folder: their order, their imports, their text in one file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..files.formats import read_bytes

_REQUIRE = r"^From ([\w.]+) Require (Import|Export) ([\w ]+)\."


def theory_folder() -> Path:
    """Return the folder of the theory."""
    return Path(__file__).parent


def title(file: str) -> str:
    """Return the title of a file: the first line of its opening comment."""
    first = theory_text(file).splitlines()[0]
    return re.sub(r"^\(\*+ (\* |\w+\.v -- )?", "", first).rstrip(".,")


def theory_text(file: str) -> str:
    """Return the text of a file of the theory."""
    return read_bytes(theory_folder() / file).decode()


def file_order() -> list[str]:
    """Return the names of the files, each after those that it imports."""
    return [line for line in project_lines() if line.endswith(".v")]


def theory_texts() -> dict[str, str]:
    """Return the text of every file of the theory, and of ``_CoqProject``."""
    return {name: theory_text(name) for name in ["_CoqProject", *file_order()]}


def imported_files(text: str) -> list[str]:
    """Return the files of the theory that a file imports."""
    found = re.findall(_REQUIRE, text, re.MULTILINE)
    return [f"{module}.v" for library, _, names in found if library == "Orca" for module in names.split()]


def project_lines() -> list[str]:
    """Return the lines of ``_CoqProject``: the options of the compiler and the files."""
    return theory_text("_CoqProject").split("\n")


def required_files(modules: Iterable[str]) -> list[str]:
    """Return the files of these modules and all that they import, in the order of compilation."""
    found: set[str] = set()
    left = [f"{module}.v" for module in modules]
    while left:
        if (file := left.pop()) not in found:
            found.add(file)
            left += imported_files(theory_text(file))
    return [file for file in file_order() if file in found]


def inlined(modules: Iterable[str]) -> str:
    """Return the theory that these modules need as one text, with each file as a module.

    A file is compiled like a module of the same name, so that ``Import`` does what ``Require Import`` does
    between files. The libraries of others are required once, at the top.
    """
    libraries: dict[str, None] = {}

    def as_import(found: re.Match[str]) -> str:
        if found[1] != "Orca":
            libraries[f"From {found[1]} Require {found[3]}."] = None
        return f"{found[2]} {found[3]}."

    parts = []
    for file in required_files(modules):
        module, text = (
            file.removesuffix(".v"),
            re.sub(_REQUIRE, as_import, theory_text(file), flags=re.MULTILINE),
        )
        parts.append(f"Module {module}.\n{text.rstrip()}\nEnd {module}.\n")
    return "\n".join([*libraries, "", *parts])
