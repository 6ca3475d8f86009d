"""``profile --check``: three routes to c_k and the indices, and faults in each that it must detect."""

from __future__ import annotations

import ast
import json
import sys
from fractions import Fraction
from functools import cached_property
from importlib.util import resolve_name

import command
import mpmath
import numpy as np
import pytest
from flint import fmpq
from here import PROBLEMS, ROOT, XOR

import orca_exact.problem as problem_module
from orca_exact import RBF, Discrete, Hermite, Jacobi, Laguerre, OrthogonalPolynomials, Problem, certify, orca
from orca_exact.conformance import three_routes
from orca_exact.conformance.float_route import FloatRoute, Rounded
from orca_exact.conformance.mpmath_route import MpmathRoute
from orca_exact.conformance.stated import RouteValues, StatedProblem, read_number
from orca_exact.conformance.three_routes import compare_routes, find_odd, list_modes
from orca_exact.errors import BadParameter, TooLarge
from orca_exact.files.formats import read
from orca_exact.files.validation import validate
from orca_exact.measures.measure import Measure
from orca_exact.profile.indices import INDICES, IndexTable
from orca_exact.profile.sums import ModeSums
from orca_exact.svm import verified

MIXED = str(PROBLEMS / "mixed.json")
INDEPENDENT = ("stated", "float_route", "mpmath_route")
OPTIMALITY = "alpha violates the KKT conditions"
BY_LIBRARY = "the library contradicts the other two routes"


@pytest.fixture(autouse=True)
def _empty_caches():
    """Forget recurrences and the like before and after a fault."""

    def clear():
        for name, module in list(sys.modules.items()):
            if name.startswith("orca_exact"):
                for value in list(vars(module).values()):
                    getattr(value, "cache_clear", lambda: None)()

    clear()
    yield
    clear()


def write(tmp_path, problem) -> str:
    path = tmp_path / "problem.json"
    path.write_text(json.dumps(problem.to_json()))
    return str(path)


def check(path, *words) -> tuple[int, str]:
    code, out, err = command.orca("profile", path, "--check", *words)
    return code, " ".join((out + err).split())


# The routes are independent.


def test_the_independent_routes_import_nothing_of_ours():
    folder = ROOT / "orca_exact" / "conformance"
    for name in INDEPENDENT:
        tree = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        homes = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                homes |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                homes.add(resolve_name("." * node.level + (node.module or ""), "orca_exact.conformance"))
        ours = {home for home in homes if home.split(".")[0] in ("orca_exact", "proofs_checks")}
        assert ours <= {"orca_exact.conformance.stated"}  # which is examined too
        assert not any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "__import__"
                       for node in ast.walk(tree))  # fmt: skip
        assert not homes & {"flint", "importlib", "sympy"}
    assert (folder / "__init__.py").read_text(encoding="utf-8").count("import") == 0


@pytest.mark.parametrize(("text", "value"), [
    ("1/3", Fraction(1, 3)), ("-0.25", Fraction(-1, 4)), (" 7 ", Fraction(7)), (0.1, Fraction(0.1)), (3, Fraction(3)),
    ("1e-3", Fraction(1, 1000)), ("-0x1.8p-1", Fraction(-3, 4)), ("0xA.8", Fraction(21, 2)), ("+.5", Fraction(1, 2)),
    ("5.", Fraction(5)), ("0X.8P+2", Fraction(2)),
])  # fmt: skip
def test_numbers_are_read_exactly(text, value):
    assert read_number(text) == value


def test_list_modes_lists_those_of_the_kernel():
    for kernel in (
        OrthogonalPolynomials([2, 0, 3]),
        OrthogonalPolynomials([2, 1, 3], order=2),
        OrthogonalPolynomials(4, order=1),
    ):
        known = kernel.for_columns(3).modes
        assert sorted(list_modes(known.degrees, known.order, known.top_degree)) == sorted(known)
    assert len(list(list_modes([3] * 4, 3, 3))) == 35


# They agree.


@pytest.mark.parametrize("level", ["gap", "float", "ball", "exact"])
@pytest.mark.parametrize("path", [XOR, MIXED])
def test_all_routes_agree(path, level):
    problem = Problem.load(path)
    certificate = certify(problem, level=level)
    found = compare_routes(problem, certificate, 20, read(path))
    assert found.agrees and found.plan.every_mode and len(found.plan.points) == problem.m
    compared = {(row.family, row.key) for row in found.rows}
    listed = {(name, key) for name, index in INDICES.items() if name not in ("cumulative", "block")
              for key in index.keys(sum(problem.degrees), problem.d)}  # fmt: skip
    assert compared == listed | {("c_k", k) for k in problem.kernel.modes}
    assert all(row.decimals[route] <= row.decimals["proof"] for row in found.rows for route in row.values)
    assert {each.label for each in found.summaries} == {"N*", "T_0.1", "T_0.05", "T_0.01"}
    if level in ("ball", "exact"):
        assert found.least_accurate("float").decimals["float"] > 14 > found.expected("float") > 10
        assert found.least_accurate("mp").decimals["mp"] > 20


X = [["0", "1/2", "1"], ["1", "1/3", "2"], ["1", "0.7", "1/2"], ["0", "0.9", "1"], ["1", "1/4", "3/2"]]
Y = [1, -1, 1, -1, 1]


@pytest.mark.parametrize("kernel", [
    OrthogonalPolynomials(4, [Jacobi("-1/2", "-1/2"), Jacobi("-9/10", 3), Jacobi(0, "7/2")]),
    OrthogonalPolynomials([1, 3, 2], [Discrete([0, 1], ["3/10", "7/10"]), Hermite(), Laguerre("1/3")], 2),
    OrthogonalPolynomials([0, 5, 0], [Jacobi(0, 0), Laguerre("-1/2"), Hermite()], 1),
    OrthogonalPolynomials(12, [Jacobi("1/2", "-1/2"), Discrete(list(range(14))), Hermite()]),
], ids=lambda kernel: str(kernel.n))  # fmt: skip
def test_every_measure_and_order(kernel):
    data = Problem(X, Y, kernel=kernel, C=[1, 2, 3, 4, 5], rescale=True)
    found = compare_routes(data, certify(data, level="ball"), 20)
    assert found.agrees and found.least_accurate("mp").decimals["mp"] > 20


def test_duplicated_points_agree(tmp_path):
    twice = Problem([*X, *X[:3]], [*Y, *Y[:3]], n=2, alpha=0, beta="1/2", C="1/3", rescale=True)
    for level in ("float", "ball"):
        assert compare_routes(twice, certify(twice, level=level)).agrees


# Faults in the library: each is detected and named.


def change_recurrence(step, part, change):
    original = Jacobi.recurrence

    def changed(self, k):
        found = list(original(self, k))
        if k == step:
            found[part] = change(found[part])
        return tuple(found)

    return lambda patch: patch.setattr(Jacobi, "recurrence", changed)


def change_h(patch):
    original = Measure.h_ratios
    patch.setattr(
        Measure, "h_ratios", lambda self, n: [h * (1 + (k == 2)) for k, h in enumerate(original(self, n))]
    )


def swap_parameters(patch):
    patch.setattr(Jacobi, "parameters", property(lambda self: (self.beta, self.alpha)))


def change_sums(name, change):
    original = vars(ModeSums)[name].func
    return lambda patch: patch.setattr(ModeSums, name, property(lambda self: change(original(self))))


def change_subsets(size):
    original = ModeSums.subsets

    def changed(self, sets):
        return [x * (1 + self.generating.arithmetic(fmpq(len(S) == size, 10**6)))
                for S, x in zip(sets, original(self, sets), strict=True)]  # fmt: skip

    return lambda patch: patch.setattr(ModeSums, "subsets", changed)


def change_total(patch):
    original = vars(ModeSums)["by_coordinate"].func
    patch.setattr(
        ModeSums, "by_coordinate", property(lambda self: (original(self)[0][::-1], original(self)[1]))
    )


def change_threshold(patch):
    original = IndexTable.threshold

    def changed(self, eps):
        T, F = original(self, eps)
        return T + (str(eps) == "0.05"), F

    patch.setattr(IndexTable, "threshold", changed)


def change_peak(patch):
    original = IndexTable.peaks.fget
    patch.setattr(IndexTable, "peaks", property(lambda self: [N + 1 for N in original(self)]))


def change_labels(patch):
    original = problem_module._read_labels
    patch.setattr(problem_module, "_read_labels", lambda y, m: (*original(y, m)[:-1], -original(y, m)[-1]))


def change_rescaling(patch):
    original = Problem.points.func
    points = cached_property(lambda self: original(self) * fmpq(99, 100))
    points.__set_name__(Problem, "points")
    patch.setattr(Problem, "points", points)


def change_weights(patch):
    original = problem_module._read_each

    def changed(value, count, name, unit, read_one):
        found = original(value, count, name, unit, read_one)
        return (max(found),) * count if name == "C" else found

    patch.setattr(problem_module, "_read_each", changed)


def change_duplicates(patch):
    """Let a merged point have the bound of one of its points, instead of the sum of all bounds."""
    original = verified._merge_points

    def changed(dual, groups):
        merged = original(dual, [group[:1] for group in groups])
        return merged

    patch.setattr(verified, "_merge_points", changed)


DOUBLED = Problem([["-9/10"], ["-9/10"], ["1/10"], ["3/10"], ["3/10"], ["8/10"]], [1, 1, -1, 1, 1, -1], n=3, alpha=0,
                  beta=0, C="7/10")  # fmt: skip
WEIGHTED = Problem(
    Problem.load(XOR).X, Problem.load(XOR).y, n=3, alpha=0, beta=0, C=[1, 2, "1/9", 2, 1, 2, 1, 2]
)
FAULTS = {
    "recurrence b_2": (XOR, change_recurrence(2, 1, lambda b: 2 * b), ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "recurrence a_1": (XOR, change_recurrence(1, 0, lambda a: a + fmpq(1, 10)), ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "h_k": (XOR, change_h, ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "swapped parameters": (MIXED, swap_parameters, ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "order sums": (XOR, change_sums("orders", lambda x: list(x)[::-1]), ["OKC^(q): " + BY_LIBRARY + " in 2 of 3"]),
    "degree sums": (XOR, change_sums("degrees", lambda x: list(x)[::-1]), ["OKC_N: " + BY_LIBRARY, "N* ="]),
    "marginal": (XOR, change_subsets(1), ["OKC_i: " + BY_LIBRARY + " in 2 of 2 values"]),
    "pair": (XOR, change_subsets(2), ["OKC_ij: " + BY_LIBRARY + " in 1 of 1 value"]),
    "total": (XOR, change_total, ["total index: " + BY_LIBRARY + " in 2 of 2 values"]),
    "threshold": (MIXED, change_threshold, ["T_0.05 = 7 (float64), 7 (mpmath), 8 (the library): " + BY_LIBRARY]),
    "peak": (XOR, change_peak, ["N* = 2 (float64), 2 (mpmath), 3 (the library): " + BY_LIBRARY]),
    "labels": (XOR, change_labels, ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "rescaling": (XOR, change_rescaling, ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "weights": (WEIGHTED, change_weights, [OPTIMALITY]),
    "duplicates": (DOUBLED, change_duplicates, [OPTIMALITY]),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_library_is_detected_and_named(name, tmp_path, monkeypatch):
    stated, plant, named = FAULTS[name]
    path = stated if isinstance(stated, str) else write(tmp_path, stated)
    words = ["--level", "float"] * (name == "duplicates")
    assert check(path, *words)[0] == 0
    _forget()
    plant(monkeypatch)
    code, out = check(path, *words)
    assert code == 1 and not [each for each in named if each not in out], out
    if "c_k" not in "".join(named):
        assert "c_k: " not in out
    if OPTIMALITY not in named:
        assert "alpha satisfies the KKT conditions" in out


def _forget():
    for name, module in list(sys.modules.items()):
        if name.startswith("orca_exact"):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()
