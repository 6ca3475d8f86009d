"""The import contracts of pyproject.toml hold, and what a module calls private stays in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import resolve_name

import pytest
from here import ROOT

OURS = ("orca_exact", "proofs_checks")
MODULES = sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))


def test_import_contracts(capsys):
    linter = pytest.importorskip("importlinter.cli")
    kept = linter.lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0
    assert kept, capsys.readouterr().out.partition("Broken contracts")[2]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_uses(source: str, package: str) -> Iterator[str]:
    """``from x import _y``, and ``x._y`` or ``x.z._y`` of an x that was imported from this project."""
    tree = ast.parse(source)
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            home = resolve_name("." * node.level + (node.module or ""), package)
            if home.split(".")[0] in OURS:
                imported |= {alias.asname or alias.name for alias in node.names}
                yield from (f"{home}.{alias.name}" for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Import):
            ours = [alias for alias in node.names if alias.name.split(".")[0] in OURS]
            imported |= {alias.asname or alias.name.split(".")[0] for alias in ours}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            owner = node.value
            while isinstance(owner, ast.Attribute):
                owner = owner.value
            if isinstance(owner, ast.Name) and owner.id in imported:
                yield ast.unparse(node)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from .jacobi import _sympy", ["orca_exact.jacobi._sympy"]),
        ("from orca_exact import kernel\nkernel._enter()", ["kernel._enter"]),
        ("from .problem import Problem as P\nP.x._y", ["P.x._y"]),
        ("import orca_exact.problem\norca_exact.problem._enter", ["orca_exact.problem._enter"]),
        ("from numpy import _core\nself._mine, _core._x, Problem._x", []),
        ("from . import __version__", []),
    ],
    ids=["name", "attribute", "deeper", "dotted", "foreign", "dunder"],
)
def test_private_uses_are_seen(source, found):
    assert list(private_uses(source, "orca_exact")) == found


def test_no_module_uses_what_another_calls_private():
    found = {}
    for path in MODULES:
        home = path.relative_to(ROOT)
        if uses := sorted(set(private_uses(path.read_text(encoding="utf-8"), ".".join(home.parent.parts)))):
            found[str(home)] = uses
    assert found == {}
