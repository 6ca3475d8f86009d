"""What is public is visible, documented and shown by an example."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pkgutil import walk_packages
from types import FunctionType, ModuleType
from typing import Any

import pytest

import orca_exact
import proofs_checks
from proofs_checks.ledger.claims import claims

NAMES = orca_exact.__all__
METHODS = (FunctionType, property, cached_property, classmethod, staticmethod)


def test_dir_and_star_show_every_public_name():
    assert set(orca_exact.__all__) <= set(dir(orca_exact))
    namespace: dict[str, Any] = {}
    exec("from orca_exact import *", namespace)
    assert set(orca_exact.__all__) <= set(namespace)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_shown_by_an_example(name):
    assert ">>> " in (inspect.getdoc(getattr(orca_exact, name)) or "")


def modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for found in walk_packages(package.__path__, package.__name__ + "."):
        if "._" not in found.name:
            yield import_module(found.name)


def public(owner: Any) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in vars(owner).items() if not name.startswith("_"))


def silent(module: ModuleType) -> Iterator[str]:
    """Public functions, classes and methods without a text: their own or, for a method, an overridden one's.

    The text of a check is its claim's, that of a bug what it ``means``, and a verb's ``arguments`` and
    ``run`` are told by their module; that of a dataclass must be more than the fields, which Python lists.
    """
    checks = {id(claim.check) for claim in claims()}
    told = ("arguments", "run") if ".verbs." in module.__name__ else ()
    for name, value in public(module):
        if getattr(value, "__module__", "") != module.__name__ or id(value) in checks or name in told:
            continue
        if isinstance(value, type):
            text = value.__doc__ or ""
            if not (hasattr(value, "means") or (text and not text.startswith(name + "("))):
                yield name
            for method, member in public(value):
                if isinstance(member, METHODS):
                    texts = (getattr(vars(base).get(method), "__doc__", None) for base in value.__mro__)
                    if not any(texts):
                        yield f"{name}.{method}"
        elif callable(value) and not value.__doc__:
            yield name


def test_silence_is_counted():
    """Each definition is found, and seen to be silent or not."""
    module = ModuleType("example")
    exec(
        "from functools import cached_property\n"
        "def told(): 'text'\n"
        "def quiet(): pass\n"
        "def _hidden(): pass\n"
        "class Told:\n"
        "    'text'\n"
        "    def method(self): 'text'\n"
        "    @property\n"
        "    def quiet(self): pass\n"
        "class Quiet(Told):\n"
        "    def method(self): pass\n"
        "    @cached_property\n"
        "    def other(self): pass\n",
        vars(module),
    )
    assert list(silent(module)) == ["quiet", "Told.quiet", "Quiet", "Quiet.other"]


@pytest.mark.parametrize("package", [orca_exact, proofs_checks], ids=lambda package: package.__name__)
def test_definitions_say_what_they_are(package):
    found = {module.__name__: list(silent(module)) for module in modules(package)}
    assert {name: quiet for name, quiet in found.items() if quiet} == {}
