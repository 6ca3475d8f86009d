"""Tests that public names are visible and have an example in their docstring."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import orca_exact

NAMES = orca_exact.__all__


def test_dir_and_star_show_every_public_name():
    assert set(orca_exact.__all__) <= set(dir(orca_exact))
    namespace: dict[str, Any] = {}
    exec("from orca_exact import *", namespace)
    assert set(orca_exact.__all__) <= set(namespace)


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_shown_by_an_example(name):
    assert ">>> " in (inspect.getdoc(getattr(orca_exact, name)) or "")
