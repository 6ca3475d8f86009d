from __future__ import annotations

import socket
from pathlib import Path

import pytest
from flint import ctx
from here import PAPER
from hypothesis import HealthCheck, settings

settings.register_profile(
    "orca", deadline=None, max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("mutants", settings.get_profile("orca"), max_examples=8)  # benchmarks.mutation
settings.load_profile("orca")


@pytest.fixture(autouse=True)
def flint_precision_is_put_back():
    before = ctx.prec
    yield
    assert ctx.prec == before, "a test or the library left python-flint's precision changed"


@pytest.fixture(autouse=True)
def no_progress_in_pipes(monkeypatch):
    """Switch off progress lines, so that stderr does not depend on the speed of the machine."""
    monkeypatch.setattr("orca_exact.cli.terminal._FIRST", float("inf"))


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Fail a test that connects to another machine, in any thread; child processes get an unusable proxy."""
    discard, attempts = 9, []

    def local(host: object, port: object) -> None:
        if host not in (None, "", "localhost", "127.0.0.1", "::1") or port == discard:
            attempts.append(f"{host}:{port}")
            raise ConnectionRefusedError("tests must not use the network")

    def connect(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6):
            local(*address[:2])
        return socket.SocketType.connect(self, address)

    def getaddrinfo(host, port, *rest, resolve=socket.getaddrinfo, **more):
        local(host, port)
        return resolve(host, port, *rest, **more)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{discard}")
    yield attempts
    assert not attempts, f"a test tried to use the network: {attempts}"


@pytest.fixture(autouse=True)
def nothing_is_quoted(monkeypatch):
    """Let verbs print the same output whether or not the tests have a copy of the paper."""
    monkeypatch.delenv("ORCA_EXACT_PAPER", raising=False)


@pytest.fixture(scope="session")
def paper():
    """Return the path of the paper's source, which is not part of this project."""
    if not PAPER:
        pytest.skip("the paper's source is missing; set ORCA_EXACT_PAPER to a copy of paper.tex")
    return Path(PAPER)


@pytest.fixture(scope="session")
def echocardiogram():
    """Return the echocardiogram data, or skip the test if there is no copy."""
    from orca_exact.errors import DataMissing
    from proofs_checks.experiments.datasets import echocardiogram

    try:
        return echocardiogram()
    except DataMissing as error:
        pytest.skip(str(error))
