"""``profile --check``: three routes to c_k and the indices, and faults in each that it must detect."""

from __future__ import annotations

import ast
import json
import sys
from fractions import Fraction
from functools import cached_property
from importlib.util import resolve_name
from pathlib import Path

import command
import mpmath
import numpy as np
import pytest
from flint import fmpq
from here import PROBLEMS, ROOT, XOR

import orca_exact.problem as problem_module
from orca_exact import Discrete, Hermite, Jacobi, Laguerre, OrthogonalPolynomials, Problem, certify, orca
from orca_exact.cli import three_routes as cli_routes
from orca_exact.cli.automatic import choose_arithmetic
from orca_exact.cli.verbs import profile as profile_verb
from orca_exact.conformance import three_routes
from orca_exact.conformance.float_route import FloatRoute, Rounded
from orca_exact.conformance.mpmath_route import MpmathRoute
from orca_exact.conformance.stated import RouteValues, StatedProblem, read_number
from orca_exact.conformance.three_routes import compare_routes, find_odd, list_modes
from orca_exact.errors import BadParameter
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
    _forget()
    yield
    _forget()


def _forget():
    for name, module in list(sys.modules.items()):
        if name.startswith("orca_exact"):
            for value in list(vars(module).values()):
                getattr(value, "cache_clear", lambda: None)()


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
    ("1/3", Fraction(1, 3)), ("-0.25", Fraction(-1, 4)), (" 7 ", Fraction(7)), (0.1, Fraction(0.1)),
    (3, Fraction(3)), ("1e-3", Fraction(1, 1000)), ("-0x1.8p-1", Fraction(-3, 4)), ("5.", Fraction(5)),
    ("0xA.8", Fraction(21, 2)), ("+.5", Fraction(1, 2)), ("0X.8P+2", Fraction(2)),
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


TWICE = [["-9/10"], ["-9/10"], ["1/10"], ["3/10"], ["3/10"], ["8/10"]]
DOUBLED = Problem(TWICE, [1, 1, -1, 1, 1, -1], n=3, alpha=0, beta=0, C="7/10")
WEIGHTED = Problem(
    Problem.load(XOR).X, Problem.load(XOR).y, n=3, alpha=0, beta=0, C=[1, 2, "1/9", 2, 1, 2, 1, 2]
)
SWAP_ORDERS = change_sums("orders", lambda x: [x[0], x[2], x[1]])
SHIFT_A1 = change_recurrence(1, 0, lambda a: a + fmpq(1, 10))
FAULTS = {
    "recurrence b_2": (XOR, change_recurrence(2, 1, lambda b: 2 * b), ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "recurrence a_1": (XOR, SHIFT_A1, ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "h_k": (XOR, change_h, ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "swapped parameters": (MIXED, swap_parameters, ["c_k: " + BY_LIBRARY, OPTIMALITY]),
    "order sums": (XOR, SWAP_ORDERS, ["OKC^(q): " + BY_LIBRARY + " in 2 of 3"]),
    "degree sums": (XOR, change_sums("degrees", lambda x: list(x)[::-1]), ["OKC_N: " + BY_LIBRARY, "N* ="]),
    "marginal": (XOR, change_subsets(1), ["OKC_i: " + BY_LIBRARY + " in 2 of 2 values"]),
    "pair": (XOR, change_subsets(2), ["OKC_ij: " + BY_LIBRARY + " in 1 of 1 value"]),
    "total": (XOR, change_total, ["total index: " + BY_LIBRARY + " in 2 of 2 values"]),
    "threshold": (MIXED, change_threshold, ["T_0.05 = 7 (float64), 7 (mpmath), 8 (the library)"]),
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


# Faults in the other routes, and what is compared if there is too much.


@pytest.mark.parametrize(("route", "by", "odd"), [
    (FloatRoute, 1e-9, ("float",)), (MpmathRoute, 1e-9, ("mp",)), (MpmathRoute, 1e-25, ("mp", "proof")),
    (FloatRoute, 1e-17, ()), (MpmathRoute, 1e-45, ()),
])  # fmt: skip
def test_a_fault_in_another_route_is_detected_and_named(route, by, odd, monkeypatch):
    original = route.compute

    def changed(self, *args):
        found = original(self, *args)
        value, error = found.coefficients[2, 1]
        found.coefficients[2, 1] = value + value * by, error
        return found

    monkeypatch.setattr(route, "compute", changed)
    problem = Problem.load(XOR)
    found = compare_routes(problem, certify(problem, level="ball"), 30)
    assert [(row.label, row.odd) for row in found.disagreeing] == [("c_(2,1)", odd)] * bool(odd)
    code, out = check(XOR)
    if len(odd) == 1:
        title = {"float": "float64", "mp": "mpmath"}[odd[0]]
        assert (
            code == 1 and f"c_k: {title} contradicts the other two routes in 1 of 16 values; the worst" in out
        )
    elif odd:
        assert code == 1 and "c_k: mpmath and the library contradict each other in 1 of 16 values" in out
    else:
        assert code == 0


@pytest.mark.parametrize("route", [FloatRoute, MpmathRoute])
def test_an_overflow_is_a_fault_of_mpmath_and_a_limit_of_float64(route, monkeypatch):
    original, wrong = route.compute, float("nan") if route is FloatRoute else mpmath.mpf(1)

    def changed(self, *args):
        found = original(self, *args)
        found.coefficients[2, 1] = wrong, float("inf")
        return found

    monkeypatch.setattr(route, "compute", changed)
    problem = Problem.load(XOR)
    found = compare_routes(problem, certify(problem, level="ball"))
    assert [row.odd for row in found.disagreeing] == [("mp",)] * (route is MpmathRoute)
    if route is FloatRoute:
        assert found.least_accurate("float").decimals["float"] == found.expected("float") == -float("inf")
        validate(json.loads(json.dumps(found.to_json(), allow_nan=False)), "orca-exact/check/1", "check")
        assert "float64 to at least 0 decimals, where its error bounds promise 0" in check(XOR)[1]


def test_find_odd():
    routes = {"float": 0, "proof": 0, "mp": 0}
    assert find_odd([], routes) == ()
    assert find_odd([{"float", "proof"}, {"float", "mp"}], routes) == ("float",)
    assert find_odd([{"float", "proof"}, {"proof", "mp"}], routes) == ("proof",)
    assert find_odd([{"proof", "mp"}], routes) == ("proof", "mp")
    assert set(find_odd([{"float", "proof"}, {"proof", "mp"}, {"float", "mp"}], routes)) == set(routes)


def test_alpha_of_another_problem_violates_the_kkt_conditions():
    problem = Problem.load(XOR)
    certificate = certify(problem, level="ball")
    assert compare_routes(problem, certificate).is_optimal
    for change in ({"C": "1/9"}, {"y": [-label for label in problem.y[:3]] + list(problem.y[3:])}, {"n": 2}):
        other = problem.replace(**change).to_json()
        assert not compare_routes(problem, certificate, stated=other).agrees
    mirrored = problem.replace(X=[[-x for x in row] for row in problem.X]).to_json()  # the same Gram matrix
    found = compare_routes(problem, certificate, stated=mirrored)
    assert found.is_optimal and found.families[0] == "c_k" and len(found.disagreeing) == 8


def test_a_sample_of_many_modes(tmp_path, monkeypatch):
    monkeypatch.setattr(three_routes, "MODES", 50)
    problem = Problem.load(MIXED)
    found = compare_routes(problem, certify(problem, level="ball"))
    assert found.agrees and not found.plan.every_mode and 20 < len(found.family("c_k")) <= 50
    assert {sum(map(bool, row.key)) for row in found.family("c_k")} == {0, 1, 2, 3, 4}
    assert set(found.families) == {"c_k", "order", "marginal", "pair", "total", "shapley"}
    assert not found.summaries
    code, out = check(MIXED)
    assert code == 0 and f"a fixed sample of {len(found.family('c_k'))} is compared" in out
    change_recurrence(2, 1, lambda b: 2 * b)(monkeypatch)
    _forget()
    assert check(MIXED)[0] == 1


def test_too_many_polynomials_are_refused(monkeypatch):
    monkeypatch.setattr(three_routes, "POLYNOMIALS", 20)
    code, out = check(XOR)
    size = (
        "--check: the number of values of polynomials at the 8 support vectors, 64, is more than the 20 that"
    )
    assert code == 4 and f"{size} mpmath computes in a minute; use fewer rows or lower degrees" in out


@pytest.mark.parametrize("level", [None, "float"])
def test_values_are_proved_in_float64_if_balls_take_long(level, monkeypatch):
    monkeypatch.setattr(profile_verb, "_CHECK_SECONDS", 0.0)
    code, out = check(XOR, *(["--level", level] if level else []))
    assert code == 0 and "proved in float64, because balls take long; --arithmetic ball proves more" in out
    assert "mpmath to at least 1" in out and "mpmath to at least 3" not in out
    for words in (["--arithmetic", "ball"], ["--level", "ball"]):
        code, out = check(XOR, *words)
        assert code == 0 and "because balls take long" not in out and "mpmath to at least 3" in out


def test_the_decimals_of_the_proof_are_named_if_they_are_fewer_than_those_of_float64(monkeypatch):
    monkeypatch.setattr(profile_verb, "_CHECK_SECONDS", 0.0)
    monkeypatch.setattr(three_routes.RouteCheck, "expected", lambda *_: 20.0)
    code, out = check(XOR)
    assert code == 0 and "bounds promise 20, and mpmath to at least 1" in out
    assert "; the values themselves are proved to at least 1" in out and "as far as" not in out


def test_a_fault_is_detected_by_values_that_are_proved_in_float64(monkeypatch):
    monkeypatch.setattr(profile_verb, "_CHECK_SECONDS", 0.0)
    SWAP_ORDERS(monkeypatch)
    code, out = check(XOR)
    assert code == 1 and "OKC^(q): " + BY_LIBRARY + " in 2 of 3" in out


def test_a_number_that_depends_on_the_errors_is_left_out():
    shares = {("degree", (N,)): (value, 1e-14) for N, value in enumerate((0.1, 0.35, 0.45, 0.1))}
    assert RouteValues(indices=shares).summaries() == {"N*": 2, "T_0.1": 2, "T_0.05": 3, "T_0.01": 3}
    rough = {key: (value, 0.01) for key, (value, _) in shares.items()}
    assert RouteValues(indices=rough).summaries() == {"N*": 2, "T_0.1": 2, "T_0.01": 3}
    rough = {key: (value, 0.5) for key, (value, _) in shares.items()}
    assert RouteValues(indices=rough).summaries() == {}


def test_a_weak_check_of_the_kkt_conditions_says_so(monkeypatch):
    monkeypatch.setattr(cli_routes, "_STRICT", 0.0)
    assert "which is so much that this check proves little; --arithmetic ball allows less." in check(XOR)[1]


def test_a_long_comparison_says_before_it_starts_where_its_values_are_proved(tmp_path, monkeypatch):
    draw = np.random.default_rng(3)
    X = draw.integers(-99, 99, (800, 8)).tolist()
    y = [1, -1] * 400
    problem = Problem(X, y, n=3, alpha=0, beta=0, C=1, rescale=True)
    cost = three_routes.routes_cost(problem)
    assert 10 < cost.seconds < 60
    chosen = choose_arithmetic(problem, 30, None, profile_verb._CHECK_SECONDS)
    assert (chosen.arithmetic, chosen.level) == ("verified", "float") and chosen.cost.seconds < 30

    def stop(*_):
        raise BadParameter("here", 0, "the announcement has been made", "stop")

    monkeypatch.setattr(profile_verb, "_certify", stop)
    code, out = check(write(tmp_path, problem))
    words = "the library proves its values in float64, to fewer digits than in balls, which --arithmetic ball"
    assert code == 4 and "float64, mpmath, the library: about" in out and words in out


def test_some_points_are_checked(monkeypatch):
    monkeypatch.setattr(three_routes, "PRODUCTS", 200)
    problem = Problem.load(XOR)
    found = compare_routes(problem, certify(problem, level="ball"))
    assert found.agrees and 1 < len(found.plan.points) < problem.m
    assert f"KKT conditions at {len(found.plan.points)} of the 8 points" in check(XOR)[1]


def test_coefficients_of_some_modes():
    problem = Problem.load(MIXED)
    for arithmetic in ("ball", "float", "verified", "mp"):
        profile = orca(problem, certify(problem, level="ball"), arithmetic)
        known = profile.coefficients()
        some = profile.coefficients([(1, 0, 2, 1), (0, 0, 0, 0)])
        assert list(some) == [(1, 0, 2, 1), (0, 0, 0, 0)]
        assert all(abs(float(x - known[k])) < 1e-13 for k, x in some.items())
    for k in [(1, 0, 0), (4, 0, 0, 0), (-1, 0, 0, 0)]:
        with pytest.raises(BadParameter, match="is not a mode of the kernel"):
            profile.coefficients([k])


def test_error_bounds_of_float64_hold():
    """Random expressions: the error against exact rationals is at most the bound that is carried along."""
    draw = np.random.default_rng(5)
    for _ in range(200):
        a, b, c = (draw.normal(size=7) for _ in range(3))
        x = [Rounded(v, 0.0) for v in (a, b, c)]
        found = ((x[0] - x[1]) * x[2] / (x[0] + x[1] * 3.0) - x[2]).sum()
        f = [[Fraction(v) for v in row] for row in (a, b, c)]
        exact = sum((p - q) * r / (p + 3 * q) - r for p, q, r in zip(*f, strict=True))
        assert abs(Fraction(float(found.value)) - exact) <= Fraction(found.estimate()[1]) * Fraction(101, 100)


def test_polynomials_of_mpmath_are_orthonormal():
    """Gauss quadrature in mpmath, of which the routes use nothing."""
    data = Problem(
        X, Y, n=4, measures=[Jacobi("1/2", "-1/3"), Laguerre("1/2"), Hermite()], rescale=True
    ).to_json()
    weights = [
        lambda t: (1 - t) ** 0.5 * (1 + t) ** (-mpmath.mpf(1) / 3),
        lambda t: t**0.5 * mpmath.exp(-t),
        lambda t: mpmath.exp(-t * t / 2),
    ]
    ends = [[-1, 1], [0, mpmath.inf], [-mpmath.inf, mpmath.inf]]
    stated = StatedProblem.from_json(data)
    route = MpmathRoute(stated, [Fraction(1)] * 5, [0.0] * 5, 20)
    for j, (weight, interval) in enumerate(zip(weights, ends, strict=True)):
        p = {"jacobi": route.jacobi, "laguerre": route.laguerre, "hermite": route.hermite}
        measure = stated.measures[j]
        value = p[measure["family"]]
        for k in range(3):
            h = value(measure, k, None)
            f = lambda t, k=k: float(value(measure, k, Fraction(float(t)))) ** 2 * weight(t)  # noqa: B023, E731
            assert abs(mpmath.quad(f, interval) / h - 1) < 1e-6


def test_the_text_and_the_json(tmp_path):
    code, out = check(XOR)
    assert code == 0
    assert (
        "The largest difference between float64 and mpmath among the 16 c_k is 5.2e-16, at c_(2,2)." in out
        or ("The largest difference between float64 and mpmath among the 16 c_k is" in out)
    )
    assert "c_(2,2) 0.1910183715407" in out and "N*, T_eps 4 equal equal" in out
    assert "and mpmath to at least 37, as far as the values are proved." in out
    code, out, _ = command.orca("profile", XOR, "--check", "--format", "markdown")
    assert code == 0 and "\n| c_k | 16 | " in out and "\n- The routes agree: float64" in out
    code, out, _ = command.orca("profile", XOR, "--check", "--format", "json")
    data = json.loads(out)
    validate(data, "orca-exact/check/1", "profile --check")
    assert code == 0 and data["agrees"] and len(data["coefficients"]) == 16
    assert data["coefficients"][-1]["key"] == [3, 3] and data["kkt"]["points"] == 8
    code, _, err = command.orca("profile", XOR, "--check", "--arithmetic", "float")
    assert code == 4 and err.startswith("orca-exact: --arithmetic: float is given with --check; leave it out")


def test_the_file_is_compared_and_not_the_problem_that_was_read(tmp_path):
    """Versions 1 to 3 of a problem, numbers as JSON numbers, hex floats, lists of C and of degrees."""
    data = json.loads(Path(XOR).read_text(encoding="utf-8"))
    data["X"] = [[float(x), y] for x, y in data["X"]]
    data["C"] = "0x1.8p-1"
    path = tmp_path / "numbers.json"
    path.write_text(json.dumps(data))
    assert check(str(path))[0] == 0
