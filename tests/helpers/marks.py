"""Marks for parameters of slow tests, which run with ``pytest -m slow``."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def quick(values: Iterable, chosen: Collection) -> list[Any]:
    """Mark all values except the chosen ones as slow."""
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.slow) for value in values]
