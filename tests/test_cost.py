"""Estimates of time, file size and memory, and refusals of computations that need too much memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import psutil
import pytest
from flint import arb, fmpq
from marks import not_windows, quick

from orca_exact import Problem, Profile, certify, cost, errors
from orca_exact.cli.parser import make_parser, run_verb
from orca_exact.files import formats
from orca_exact.numbers.arithmetic import ARITHMETICS, arithmetic
from orca_exact.numbers.rationals import contains
from orca_exact.svm.certify import LEVELS
from orca_exact.svm.gram import design_matrix, gram_ratio

SMALL = Problem([["-1/2"], ["1/4"], ["1"]], [1, -1, 1], 2, "1/2", "1/3", C=2, id="p")


def random(m, d, n):
    X = np.random.default_rng(0).integers(-1000, 1001, (m, d))
    return Problem([[f"{x}/1000" for x in row] for row in X.tolist()], [1, -1] * (m // 2), n, 0, 0)


def run_on(tmp_path, problem, verb, *words):
    path, out, err = tmp_path / "p.json", StringIO(), StringIO()
    formats.write_json(path, problem.to_json())
    code = run_verb(make_parser(verb).parse_args([verb, str(path), *words]), out, err)
    return code, out.getvalue(), err.getvalue()


# Time and size of files.


def test_exact_level():
    """Compare with measurements (180 s, 53 MB) for 200 points of float64 in 8 dimensions, n = 3."""
    X = np.random.default_rng(0).uniform(-1, 1, (200, 8))
    found = cost.exact_proof_cost(Problem(X, [1, -1] * 100, 3, 0, 0), 200, 200)
    assert 90 < found.seconds < 360 and 40e6 < found.file < 70e6
    assert str(found) == f"about {found.seconds / 60:.0f} minutes and a file of {found.file / 1e6:.0f} MB"


@pytest.mark.parametrize(
    ("m", "d", "n", "places", "measured"),
    [(120, 5, 5, 3, 2.61), (100, 8, 3, 17, 22.97), (60, 8, 3, 17, 3.86), (61, 5, 25, 3, 2.55)],
)
def test_the_estimate_of_an_exact_proof_is_right_within_a_factor_of_two(m, d, n, places, measured):
    """Compare with CPU seconds of problems all of whose points are free."""
    X = np.random.default_rng(m + d + n).uniform(-1, 1, (m, d))
    points = X if places == 17 else [[f"{x:.{places}f}" for x in row] for row in X]
    found = cost.exact_proof_cost(Problem(points, [1, -1] * (m // 2) + [1] * (m % 2), n, 0, 0), m, m)
    assert found.reliable and measured / 2 < found.seconds < 2 * measured


def test_no_figure_is_announced_outside_the_runs_that_were_compared():
    tea = Problem([[f"{i}/10", f"{i * i % 10}/10", "1/3"] for i in range(10)], [1, -1] * 5, 400, 0, 0)
    few, many = random(40, 3, 3), random(300, 3, 9)
    for unreliable in (
        cost.exact_proof_cost(tea, 10, 10),  # too long entries
        cost.exact_proof_cost(many, 300, 300),  # too many free points
        cost.exact_proof_cost(many),  # unknown free points
        cost.exact_proof_cost(many, 300, 1),  # most of the time is not that of the pivots
        cost.profile_cost(few, arithmetic("exact")),
        cost.profile_cost(few, arithmetic("ball", 30)),
        cost.ball_proof_cost(few),
        cost.float_proof_cost(few) + cost.profile_cost(few, arithmetic("exact")),
    ):
        assert str(unreliable._replace(file=0)) == "this can take long" and unreliable.seconds > 0
    assert str(cost.Cost(60, file=2e8, reliable=False)) == "this can take long, with a file of 200 MB"
    assert str(cost.float_profile_cost(few, 40, 40)) == "about seconds"


def test_a_long_exact_proof_is_estimated_from_the_free_points_that_float64_finds(monkeypatch):
    problem = random(40, 3, 3).replace(C="1/100")
    monkeypatch.setattr(cost, "LONG_SECONDS", 0.0)
    free = len(certify(problem, level="float").free)
    found = LEVELS["exact"].cost_of_solved(problem)
    assert free < 40 and found.seconds < LEVELS["exact"].cost(problem).seconds
    monkeypatch.setattr(cost, "LONG_SECONDS", 1e9)
    assert LEVELS["exact"].cost_of_solved(problem) == LEVELS["exact"].cost(problem)


def test_file_size():
    problem = random(30, 4, 3)
    size = len(json.dumps(certify(problem).to_json(), indent=1))
    assert size / 2 < cost.exact_proof_cost(problem).file < 3 * size


@pytest.mark.parametrize("level", ["gap", "ball", "exact"])
def test_larger_problems_cost_more(level):
    base = random(40, 3, 3)
    cheap = LEVELS[level].cost(base)
    for larger in (random(60, 3, 3), random(40, 5, 3)):
        found = LEVELS[level].cost(larger)
        assert found.seconds > cheap.seconds and found.memory >= cheap.memory and found.file >= cheap.file
    for A in map(arithmetic, ARITHMETICS):
        assert cost.profile_cost(base.replace(n=9), A) > cost.profile_cost(base, A) > (0, 0)


@pytest.mark.parametrize("proof", [cost.float_proof_cost, cost.ball_proof_cost, cost.exact_proof_cost])
def test_known_support_vectors_cost_less(proof):
    problem = random(40, 3, 3)
    assert 0 < proof(problem, 20, 10).seconds < proof(problem, 20, 20).seconds < proof(problem).seconds


def test_a_float_profile_costs_its_proof_and_its_indices():
    """Check the sum, and an audit of 1500 points, measured: 1.1 s and 130 MB on one core."""
    problem = random(1500, 8, 2)
    found = cost.float_profile_cost(problem, 1181, 1108)
    indices = cost.profile_cost(problem, arithmetic("verified"), 1181)
    assert found == cost.float_proof_cost(problem, 1181, 1108) + indices
    assert 1.1 < found.seconds < 5 and 1.3e8 < found.memory < 5e8


def test_durations():
    found = [cost.duration(t) for t in (3, 30, 100, 600, 7200)]
    assert found == ["seconds", "30 seconds", "2 minutes", "10 minutes", "2 hours"]


def test_long_work_is_announced_before_it_starts(tmp_path, monkeypatch):
    """Check the line that announces a long computation, and that a short one has none."""
    assert run_on(tmp_path, SMALL, "certify", "-o", str(tmp_path / "c.json"))[2] == ""
    monkeypatch.setattr(cost, "LONG_SECONDS", 0.0)
    monkeypatch.setattr("orca_exact.svm.certify.certify", None)  # it must be announced before this is called
    for verb, words, instead in [
        ("certify", [], "exact: this can take long; --level ball is faster\n"),
        ("certify", ["--level", "ball"], "ball: this can take long; --level float takes 0 seconds\n"),
        ("certify", ["--level", "float"], "float: about 0 seconds; fewer points take less\n"),
        ("profile", [], "verified: about 0 seconds\n"),
        (
            "profile",
            ["--arithmetic", "ball"],
            "ball: this can take long; --arithmetic verified takes 0 seconds\n",
        ),
        ("profile", ["--check"], "float64, mpmath, the library: this can take long\n"),
    ]:
        out, err = StringIO(), StringIO()
        with pytest.raises(TypeError):
            run_verb(make_parser(verb).parse_args([verb, str(tmp_path / "p.json"), *words]), out, err)
        assert err.getvalue() == instead


def test_references_are_announced(tmp_path, monkeypatch):
    monkeypatch.setattr(cost, "LONG_SECONDS", 1e-9)
    code, _, err = run_on(tmp_path, SMALL, "reference")
    assert code == 0 and err == "exact: this can take long; --level ball is faster\n"


@pytest.mark.parametrize("verb", ["certify", "reference"])
def test_a_large_file_is_announced(verb, tmp_path, monkeypatch):
    monkeypatch.setattr("orca_exact.cli.terminal.LARGE_BYTES", 100)
    for name, hint in (("o.json", "; a name that ends in .json.gz compresses it"), ("o.json.gz", "")):
        file = tmp_path / name
        code, _, err = run_on(tmp_path, SMALL, verb, "-o", str(file))
        assert code == 0 and err == f"{file}: 0 MB{hint}\n"


# Memory.


@pytest.mark.parametrize("what", [
    "exact Gram", "float Gram", "design", "profile", "modes", "ball", "gap",
])  # fmt: skip
def test_too_little_memory_is_noticed_before_the_start(what, monkeypatch):
    problem, A = random(400, 3, 3), arithmetic("ball", 30)
    work = {
        "exact Gram": lambda: gram_ratio(problem),
        "float Gram": lambda: gram_ratio(problem, arithmetic("float")),
        "design": lambda: design_matrix(problem, arithmetic("float")),
        "profile": lambda: Profile(problem, A.array(problem.y), A, A(1)).generating.orders,
        "modes": lambda: Profile(random(4, 4, 8), A.array([1, -1, 1, -1]), A, A(1)).coefficients(),
        "ball": lambda: certify(problem, level="ball"),
        "gap": lambda: certify(problem, ["1/2"] * 400, level="gap"),
    }[what]
    monkeypatch.setattr(cost, "ASSUMED_FREE_BYTES", 10**5)
    monkeypatch.setattr(cost, "available_memory", lambda: 2e5)
    with pytest.raises(
        errors.NotEnoughMemory, match=r"needs about \d+\.\d GB of memory, but 0\.0 GB are free"
    ):
        work()


def test_a_profile_of_few_points_in_many_dimensions(monkeypatch):
    """Check 3 points, d = 50, n = 20: products of all rows of two halves would take 7 GB."""
    problem = Problem([["0"] * 50, ["1/2"] * 50, ["1"] * 50], [1, -1, 1], 20, 0, 0)
    assert 1e7 < cost.profile_cost(problem, arithmetic("ball", 30)).memory < 2e8
    A, few = arithmetic("ball", 30), random(4, 8, 3)
    asked = []
    monkeypatch.setattr(cost, "require_memory", lambda needed, what, hint: asked.append((needed, what)))
    Profile(few, A.array([1, 2, -1, -2]), A, A(1)).generating.blocks  # noqa: B018
    assert (
        cost.blocks_bytes(few, A, 4),
        "the indices by degree of 4 support vectors (arithmetic 'ball')",
    ) in asked


@pytest.mark.parametrize("name", ["float", "verified", "ball", "mp"])
def test_the_sums_are_the_same_however_they_are_split(name, monkeypatch):
    problem, A = random(6, 5, 3).replace(n=[3, 0, 1, 2, 3]), arithmetic(name, 30)
    s = [fmpq(x) for x in (3, -1, -2, 4, -3, -1)]

    def blocks(B):
        with B.scope():
            return Profile(problem, B.array(s), B, B(1)).generating.blocks

    exact, halves = blocks(arithmetic("exact")), blocks(A)
    monkeypatch.setattr(cost, "_MAX_PRODUCTS", 0)
    monkeypatch.setattr(cost, "MAX_KEPT_NUMBERS", 100)
    whole = blocks(A)
    assert cost.left_half_size([3, 1, 2, 3], 4, A) == 4 and cost.pairs_per_step([3, 1, 2, 3], 4, A) == 4
    for x, one, other in zip(exact.flat, halves.flat, whole.flat, strict=True):
        if A.encloses:
            assert contains(arb(one), x) and contains(arb(other), x)
        else:
            assert float(one) == pytest.approx(float(x)) == float(other)


def test_the_verb_refuses_in_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(cost, "ASSUMED_FREE_BYTES", 10**5)
    monkeypatch.setattr(cost, "available_memory", lambda: 2e5)
    code, _, err = run_on(tmp_path, random(400, 3, 3), "certify", "--level", "ball", "--quiet")
    assert code == 4 and err.count("\n") == 1
    assert err.startswith("orca-exact: a certificate of level ball for 400 points needs about 0.1 GB of")


def test_a_memory_error_is_one_line(monkeypatch, tmp_path):
    def end(*given, **more):
        raise MemoryError

    monkeypatch.setattr("orca_exact.svm.certify.certify", end)
    code, _, err = run_on(tmp_path, SMALL, "certify")
    assert code == 4 and err == "orca-exact: there is not enough memory; use fewer points or --level float\n"


FILES = {
    "/proc/self/cgroup": "9:pids:/\n0::/user/job\n",
    "/sys/fs/cgroup/user/job/memory.max": "max\n",
    "/sys/fs/cgroup/user/job/memory.stat": "anon 100\n",
    "/sys/fs/cgroup/user/memory.max": "7000000\n",
    "/sys/fs/cgroup/user/memory.stat": "anon 1500000\nfile 400000\n",
    "/sys/fs/cgroup/memory.max": "6000000\n",
}


@not_windows
def test_available_memory(monkeypatch):
    """Check the limits of the machine, of control groups and of the process."""
    import resource

    def read(path):
        try:
            return files[path].encode()
        except KeyError:
            raise errors.BadFile(path, "absent", "") from None

    files = dict(FILES)
    machine, process = Mock(available=8192000), Mock(return_value=Mock(memory_info=lambda: Mock(vms=900)))
    monkeypatch.setattr(psutil, "virtual_memory", lambda: machine)
    monkeypatch.setattr(psutil, "Process", process)
    monkeypatch.setattr(cost, "read_bytes", read)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY,) * 2)
    assert cost.available_memory() == 7000000 - 1500000
    del files["/proc/self/cgroup"]
    assert cost.available_memory() == 8192000
    files["/sys/fs/cgroup/memory.stat"] = "anon 5999000\n"  # as in a container
    assert cost.available_memory() == 1000
    files["/sys/fs/cgroup/memory.max"] = "no number"
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1000, 0))
    assert cost.available_memory() == 100
    files.clear()
    monkeypatch.undo()
    assert cost.available_memory() > 0


PEAK = """
import sys
from test_cost import arithmetic, cost, formats, gram_ratio, np, random, Profile

def peak():
    status = formats.read_bytes("/proc/self/status").decode()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])

what, name, m, d, n = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
A, problem = arithmetic(name, 30), random(m, d, n)
gram_ratio(random(4, d, n), A)
s = A.array(np.random.default_rng(1).integers(1, 99, m).tolist())
announced = cost.gram_bytes(problem, A) if what == "gram" else cost.profile_cost(problem, A).memory
before = peak()
if what == "gram":
    gram_ratio(problem, A)
else:
    Profile(problem, s, A, A(1)).indices
print(peak() - before, announced)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read where Linux tells it")
@pytest.mark.parametrize("words", quick([
    "gram float 1200 3 3", "gram ball 300 4 3", "gram exact 250 6 3", "gram mp 120 4 3",
    "pairs float 600 6 2", "pairs ball 80 7 3", "pairs mp 50 7 3", "pairs exact 40 7 3",
    "pairs ball 4 30 12", "pairs ball 40 12 5",
], ("gram exact 250 6 3", "pairs ball 80 7 3")))  # fmt: skip
def test_peak_memory(words):
    """Check that the peak is at most the estimate, apart from libraries, and at least a tenth of it."""
    folder = Path(__file__).parent
    command = [sys.executable, "-c", PEAK, *words.split()]
    helped = os.environ | {"PYTHONPATH": str(folder / "helpers")}
    done = subprocess.run(command, cwd=folder, env=helped, capture_output=True, encoding="utf-8", check=True)
    peak, announced = map(float, done.stdout.split())
    assert announced / 10 < peak < announced + 1.6e7
