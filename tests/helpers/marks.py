"""Marks for parameters of slow tests, which run with ``pytest -m slow``, and for tests of POSIX systems."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from typing import Any

import pytest

not_windows = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows has no such signals, limits, file modes, scripts or terminals"
)


def quick(values: Iterable, chosen: Collection) -> list[Any]:
    """Mark all values except the chosen ones as slow."""
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.slow) for value in values]
