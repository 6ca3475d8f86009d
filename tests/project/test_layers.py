"""Tests of the import contracts in pyproject.toml, and that private names are used only in their module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.util import resolve_name

import pytest
from here import ROOT

from orca_exact.numbers.arithmetic import ARITHMETICS
from orca_exact.svm.certify import LEVELS

OURS = ("orca_exact", "proofs_checks")
MODULES = sorted(path for package in OURS for path in (ROOT / package).rglob("*.py"))


def test_import_contracts(capsys):
    linter = pytest.importorskip("importlinter.cli")
    kept = linter.lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0
    assert kept, capsys.readouterr().out.partition("Broken contracts")[2]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def private_uses(source: str, package: str) -> Iterator[str]:
    """Yield every ``from x import _y``, and every ``x._y`` or ``x.z._y``, for an x of this project."""
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
def test_private_uses_are_found(source, found):
    assert list(private_uses(source, "orca_exact")) == found


def test_no_module_uses_private_names_of_another():
    found = {}
    for path in MODULES:
        home = path.relative_to(ROOT)
        if uses := sorted(set(private_uses(path.read_text(encoding="utf-8"), ".".join(home.parent.parts)))):
            found[str(home)] = uses
    assert found == {}


def name_comparisons(source: str, names: set[str]) -> Iterator[str]:
    """Yield comparisons with one of these names, and dictionaries whose keys are all such names."""

    def is_name(node: ast.AST | None) -> bool:
        return isinstance(node, ast.Constant) and node.value in names

    def listed(node: ast.AST) -> list:
        return node.elts if isinstance(node, ast.List | ast.Set | ast.Tuple) else []

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            searches_file = isinstance(node.ops[0], ast.In | ast.NotIn) and is_name(
                node.left
            )  # "ball" in data
            found = not searches_file and any(map(is_name, sides))
            found |= any(is_name(item) for side in sides for item in listed(side))
        else:
            found = isinstance(node, ast.Dict) and len(node.keys) > 1 and all(map(is_name, node.keys))
        if found:
            yield f"{node.lineno}: {ast.unparse(node)}"


def test_comparisons_with_a_name_are_found():
    source = "A.name == 'mp'\nlevel in ('gap', x)\n{'mp': 1, 'gap': 2}['mp']\n'mp' in data\n{'mp': 1, 'b': 2}"
    assert [line[0] for line in name_comparisons(source, {"mp", "gap"})] == ["1", "2", "3"]


def test_no_module_compares_the_name_of_an_arithmetic_or_a_level():
    """Differences between them must be attributes or methods of their classes, or of ``Certificate``."""
    names = {*ARITHMETICS, *LEVELS}
    modules = [m for m in MODULES if m.is_relative_to(ROOT / "orca_exact") and "checker" not in str(m)]
    assert [f"{m.name}:{line}" for m in modules for line in name_comparisons(m.read_text(), names)] == []


def definitions(source: str) -> set[str]:
    """Return the public names that a module defines, except type variables."""
    found = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            if "TypeVar(" in ast.unparse(node):
                continue
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found |= {x.id for x in ast.walk(target) if isinstance(x, ast.Name)}
    return {name for name in found if not name.startswith("_")}


def test_definitions_are_seen():
    source = "T = TypeVar('T')\nA, b = 1, 2\nc: int = 3\ndef f(): x = 1\nclass C: y = 1\n_p = 1"
    assert definitions(source) == {"A", "b", "c", "f", "C"}


def test_no_two_modules_define_one_name():
    """Exceptions are ``run``, ``arguments`` and EXAMPLES of each verb, and the independent checker."""
    homes: dict[str, list[str]] = {}
    for path in MODULES:
        if path.is_relative_to(ROOT / "orca_exact") and "checker" not in str(path.relative_to(ROOT)):
            of_a_verb = {"run", "arguments", "EXAMPLES"} if path.parent.name == "verbs" else set()
            for name in definitions(path.read_text()) - of_a_verb:
                homes.setdefault(name, []).append(path.relative_to(ROOT).as_posix())
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_the_library_names_no_data_and_no_verb_of_the_paper():
    import proofs_checks.verbs as paper

    words = ["echocardiogram", "spiral", *(f"orca-exact {verb}" for verb in paper.VERBS)]
    names = {
        f"{path.relative_to(ROOT)}: {word}"
        for path in sorted((ROOT / "orca_exact").rglob("*.py"))
        for word in words
        if word in path.read_text(encoding="utf-8")
    }
    assert names == set()
