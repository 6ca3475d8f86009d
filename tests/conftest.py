from __future__ import annotations

import os
from pathlib import Path

import pytest
from flint import ctx
from hypothesis import HealthCheck, settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

settings.register_profile(
    "orca", deadline=None, max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("orca")


@pytest.fixture(autouse=True)
def flint_precision_is_put_back():
    before = ctx.prec
    yield
    assert ctx.prec == before, "a test or the library left python-flint's precision changed"


@pytest.fixture(scope="session")
def echocardiogram():
    """The paper's data, where a copy is found."""
    from orca_exact.errors import DataMissing
    from orca_exact.paper.datasets import echocardiogram

    if "ORCA_EXACT_DATA" not in os.environ and (SHARED / "data").is_dir():
        os.environ["ORCA_EXACT_DATA"] = str(SHARED / "data")
    try:
        return echocardiogram()
    except DataMissing as error:
        pytest.skip(str(error))
