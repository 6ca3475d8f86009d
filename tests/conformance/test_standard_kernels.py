"""Linear, polynomial and RBF kernels against SymPy, mpmath and CVXPY; their references and wrong results."""

from __future__ import annotations

import json
from itertools import combinations

import command
import mpmath
import pytest
import sympy as sp
from flint import fmpq
from marks import quick

from orca_exact import (
    RBF,
    Discrete,
    Hermite,
    Jacobi,
    Laguerre,
    Linear,
    Normal,
    Polynomial,
    Problem,
    Uniform,
    certify,
    orca,
    solve,
)
from orca_exact.conformance.crosscheck import crosscheck
from orca_exact.conformance.mpmath_route import MpmathRoute
from orca_exact.conformance.reference import Reference, plain_result
from orca_exact.conformance.reference_maker import make_dual_reference, make_reference
from orca_exact.conformance.stated import StatedProblem
from orca_exact.conformance.three_routes import Plan, compare_routes
from orca_exact.conformance.vectors import vectors
from orca_exact.errors import BadParameter, TooLarge
from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED
from orca_exact.files.validation import validate
from orca_exact.numbers.rationals import to_sympy
from orca_exact.profile.profile import Profile

X = [["0", "1/2", "-1"], ["1", "-1/3", "2"], ["1", "0.7", "1/2"], ["0", "-0.9", "1"], ["1", "1/4", "-3/2"]]
Y = [1, -1, 1, -1, 1]
UNDER = [Normal("1/2", 2), Uniform(), Discrete([-1, 0, 2], [1, 2, 1])]
KERNELS = (Linear(), Polynomial(1, "1/2", 3), Polynomial(3, "1/3", "1/2"), Polynomial(2, 1, 0), RBF("1/3"))


def small(kernel, under=UNDER, **more) -> Problem:
    return Problem(X, Y, kernel=kernel, under=under, **{"C": 2, "id": "small"} | more)


# Independent computations.


def sympy_shares(problem: Problem, s: list) -> dict[tuple[int, ...], sp.Expr]:
    """Return the share of each set of columns by conditional expectations of h."""
    t = sp.symbols("t1:4")
    kernel = problem.kernel
    points = [[to_sympy(x) for x in row] for row in problem.points]
    gamma, coef0 = to_sympy(kernel.gamma), to_sympy(kernel.coef0)
    h = sum(
        a * (gamma * sum(x * z for x, z in zip(row, t, strict=True)) + coef0) ** kernel.degree
        for a, row in zip(s, points, strict=True)
    )
    low, high = (f(row[1] for row in points) for f in (min, max))
    sd, mean = 2, sp.Rational(1, 2)
    integrals = (  # of t^k under each measure
        lambda k: (
            sp.integrate((mean + sd * t[0]) ** k * sp.exp(-(t[0] ** 2) / 2), (t[0], -sp.oo, sp.oo))
            / sp.sqrt(2 * sp.pi)
        ),
        lambda k: sp.integrate(t[1] ** k, (t[1], low, high)) / (high - low),
        lambda k: (sp.Integer(-1) ** k + 2 * sp.Integer(0) ** k + sp.Integer(2) ** k) / 4,
    )
    moments = [[sp.simplify(f(k)) for k in range(2 * kernel.degree + 1)] for f in integrals]

    def expectation(f: sp.Expr, columns: tuple[int, ...]) -> sp.Expr:
        for i in columns:
            f = sum(c * moments[i][k] for (k,), c in sp.Poly(f, t[i]).terms())
        return sp.expand(f)

    every = (0, 1, 2)
    mean_of_h = expectation(h, every)
    closed = {}
    for S in (S for q in range(4) for S in combinations(every, q)):
        given = expectation(h, tuple(i for i in every if i not in S))
        closed[S] = expectation(sp.expand(given**2), every) - mean_of_h**2
    parts = {
        S: sum((-1) ** (len(S) - q) * closed[T] for q in range(len(S) + 1) for T in combinations(S, q))
        for S in closed
    }
    return {tuple(i + 1 for i in S): v / closed[every] for S, v in parts.items() if S}


@pytest.mark.parametrize("kernel", quick(KERNELS[:4], KERNELS[3:4]), ids=repr)
def test_exact_shares_are_those_of_sympy(kernel):
    problem = small(kernel, C="1e9")
    certificate = certify(problem)
    profile = orca(problem, certificate, "exact")
    assert certificate.hard_margin
    s = [to_sympy(a) * label for a, label in zip(certificate.a.p, Y, strict=True)]
    for S, share in sympy_shares(problem, s).items():
        assert sp.simplify(to_sympy(profile.subset(S)) - share) == 0


def test_rbf_shares_are_those_of_quadrature():
    """The conditional expectations are integrated numerically, without a closed form."""
    problem = small(RBF("1/3"))
    profile = orca(problem, certify(problem, level="ball", digits=20), "ball", 20)
    s = [float(a) * label for a, label in zip(certify(problem, level="ball").alpha(20), Y, strict=True)]
    points = [[mpmath.mpf(int(x.p)) / int(x.q) for x in row] for row in problem.points]
    low, high = (f(row[1] for row in points) for f in (min, max))
    density = lambda t: mpmath.npdf(t, 0.5, 2)  # noqa: E731
    integrate = (
        lambda f: mpmath.quad(lambda t: f(t) * density(t), [-16, -4, 0, 4, 17]),
        lambda f: mpmath.quad(f, [low, 0, high]) / (high - low),
        lambda f: (f(-1) + 2 * f(0) + f(2)) / 4,
    )
    k = lambda x, t: mpmath.exp(-((x - t) ** 2) / 3)  # noqa: E731
    mean = [[integral(lambda t, x=row[i]: k(x, t)) for row in points] for i, integral in enumerate(integrate)]
    both = [
        [[integral(lambda t, x=x[i], z=z[i]: k(x, t) * k(z, t)) for z in points] for x in points]
        for i, integral in enumerate(integrate)
    ]

    def closed(S):
        total = 0
        for i, a in enumerate(s):
            for j, b in enumerate(s):
                total += (
                    a
                    * b
                    * mpmath.fprod(both[c][i][j] if c + 1 in S else mean[c][i] * mean[c][j] for c in range(3))
                )
        return total

    variance = closed((1, 2, 3)) - closed(())
    pair = closed((1, 3)) - closed((1,)) - closed((3,)) + closed(())
    assert abs(float(profile.marginal[2]) - (closed((2,)) - closed(())) / variance) < 1e-12
    assert abs(float(profile.pair[1, 3]) - pair / variance) < 1e-12
    assert abs(float(profile.total[1]) - (closed((1, 2, 3)) - closed((2, 3))) / variance) < 1e-12


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_primal_and_dual_agree_to_50_digits(kernel):
    problem = small(kernel)
    dual, primal = (solve(problem, form=form, digits=50) for form in ("dual", "primal"))
    assert min(dual.digits, primal.digits) >= 50 and (dual.form, primal.form) == ("dual", "primal")
    size = max(fmpq(1), *dual.alpha)
    for a, b in zip((*dual.alpha, dual.b), (*primal.alpha, primal.b), strict=True):
        assert abs(a - b) <= fmpq(1, 10**49) * size


def test_a_point_at_which_the_kernel_is_0():
    origin = Problem([[0], [2], [3], [-1]], [1, -1, -1, 1], kernel=Linear(), C=1)  # g(x) = 1 - x
    for level in ("gap", "float", "ball", "exact"):
        certificate = certify(origin, level=level)
        assert abs(float(certificate.norm2) - 1) < 1e-6 and abs(float(certificate.alpha(20)[0]) - 0.5) < 1e-6
    assert solve(origin, digits=50).digits >= 50


# profile --check


@pytest.mark.parametrize("under", [UNDER, None, Uniform(-2, 3)], ids=["mixed", "empirical", "uniform"])
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_the_three_routes_agree(kernel, under):
    problem = small(kernel, under)
    found = compare_routes(problem, certify(problem, level="ball", digits=20), 20)
    assert found.agrees and found.least_accurate("mp").decimals["mp"] > 20
    assert ("degree" in found.families) == ("c_k" in found.families) == (kernel.family != "rbf")
    assert {"order", "marginal", "pair", "total", "shapley"} <= set(found.families)
    validate(json.loads(json.dumps(found.to_json())), "orca-exact/check/1", "check")


@pytest.mark.parametrize("measure", [Jacobi("1/2", "-1/3"), Laguerre("1/2"), Hermite()], ids=str)
def test_a_polynomial_kernel_under_a_measure_of_a_kernel(measure):
    problem = small(KERNELS[2], measure, C=[1, 2, 3, 4, 5])
    found = compare_routes(problem, certify(problem, level="ball", digits=20), 20)
    assert found.agrees and found.least_accurate("mp").decimals["mp"] > 20


@pytest.mark.parametrize("kernel", [Polynomial(2, 1, 1), RBF("1/3"), RBF("1/30000")], ids=repr)
@pytest.mark.parametrize("route", ["mp", "proof"])
def test_an_error_in_mpmath_or_the_library_is_detected(kernel, route, monkeypatch):
    problem = small(kernel)
    owner, name = (MpmathRoute, "indices") if route == "mp" else (Profile, "family")
    original = getattr(owner, name)

    def wrong(self, *args):
        found = dict(original(self, *args))
        if route == "mp":
            value, error = found["pair", (1, 3)]
            found["pair", (1, 3)] = value + value / 10**6, error
        elif args == ("pair",):
            found[1, 3] = found[1, 3] + found[1, 3] / 10**6
        return found

    monkeypatch.setattr(owner, name, wrong)
    found = compare_routes(problem, certify(problem, level="ball", digits=20), 20)
    assert not found.agrees and [row.label for row in found.disagreeing] == ["OKC_13"]
    tiny = problem.kernel.gamma < fmpq(1, 1000)  # float64 cannot tell which of the two is wrong
    assert found.disagreeing[0].odd == (("mp", "proof") if tiny else (route,))


def test_many_columns_are_limited():
    wide = Problem([[i * j % 7 for j in range(1, 21)] for i in range(6)], [1, -1] * 3, kernel=RBF("1/50"))
    stated = StatedProblem.from_json(wide.to_json())
    plan = Plan.for_problem(stated, range(6))
    assert plan.in_mpmath and plan.sizes == {0, 1, 2, 3, 4}
    assert len(plan.sets) == 1 + 20 + 190 + 1140 + 4845
    found = compare_routes(wide, certify(wide, level="ball", digits=20), 20)
    assert found.agrees and set(found.families) == {"order", "marginal", "pair"}
    assert not Plan.for_problem(stated, range(1_000)).in_mpmath
    with pytest.raises(
        TooLarge, match="pairs of 2000 support vectors in 20 columns is more than what float64"
    ):
        Plan.for_problem(stated, range(2_000))


def polynomial_file(tmp_path, degree: int, d: int) -> str:
    """Write a problem with a polynomial kernel and return its path."""
    X = [[(i * j) % 7 for j in range(1, d + 1)] for i in range(6)]
    path = tmp_path / "polynomial.json"
    path.write_text(json.dumps(Problem(X, [1, -1] * 3, kernel=Polynomial(degree, 1, 1)).to_json()))
    return str(path)


@pytest.mark.parametrize("words", [[], ["--check"], ["--row", "1"], ["--arithmetic", "float"]], ids=str)
def test_a_polynomial_kernel_with_too_many_modes_is_refused_in_one_sentence(words, tmp_path, monkeypatch):
    def never(*_):
        raise AssertionError("the problem was certified before it was refused")

    monkeypatch.setattr("orca_exact.cli.verbs.profile._certify", never)
    code, out, err = command.orca("profile", polynomial_file(tmp_path, 20, 12), *words)
    assert (code, out) == (4, "")
    assert err == (
        "orca-exact: kernel: the number of modes up to degree 20 in 12 columns, 225792840, is more than the "
        "20000000 that can be enumerated; the indices need every mode, so use a smaller degree or fewer "
        "columns\n"
    )
    err = command.orca("profile", polynomial_file(tmp_path, 50, 100), *words)[2]
    assert "in 100 columns, about 2e+40, is more than" in err


def test_check_refuses_a_polynomial_kernel_with_many_modes_before_it_certifies(tmp_path):
    path = polynomial_file(tmp_path, 8, 10)
    code, out, err = command.orca("profile", path, "--check")
    assert (code, out) == (4, "")
    assert err == (
        "orca-exact: --check: the number of modes up to degree 8 in 10 columns is more than the 10000 that "
        "float64 and mpmath can sum; a polynomial kernel needs every mode, so use a smaller degree or fewer "
        "rows or columns, or leave --check out\n"
    )
    assert command.orca("profile", path, "--arithmetic", "float")[0] == 0


def test_the_verb_check(tmp_path):
    path = tmp_path / "rbf.json"
    path.write_text(json.dumps(small(RBF("1/3")).to_json()))
    code, out, err = command.orca("profile", str(path), "--check")
    words = " ".join(out.split())
    assert (code, err) == (0, "")
    assert "so that there are no c_k to compare. alpha satisfies the KKT conditions at all points" in words


# References and results.


def test_a_reference_of_the_rbf_kernel_has_no_degrees(tmp_path):
    path, written = tmp_path / "rbf.json", tmp_path / "ref.json"
    path.write_text(json.dumps(small(RBF("1/3")).to_json()))
    code, out, _ = command.orca("reference", str(path), "-o", str(written))
    assert code == 0 and "certified at level ball, RBF kernel, gamma = 1/3" in out and "N*" not in out
    reference = Reference.from_json(json.loads(written.read_text()))
    values = reference.data["values"]
    assert "coefficients" not in values
    assert set(values["okc"]) == {"order", "marginal", "pair", "total", "shapley"}
    code, _, err = command.orca("reference", str(path), "--level", "exact")
    assert code == 4 and "not rational" in err
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(plain_result(reference)))
    assert command.orca("crosscheck", str(written), str(answer))[0] == 0


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_a_reference_passes_its_own_check_and_one_wrong_number_fails(kernel):
    for reference in (
        make_reference(small(kernel)),
        make_dual_reference(small(kernel), ["1/3", 1, 0, 2, "0.7"]),
    ):
        right = plain_result(reference)
        assert crosscheck(reference, right).outcome == HOLDS
        for name, spoil in {
            "gram": lambda rows: [[str(float(rows[0][0]) + 1e-7), *rows[0][1:]], *rows[1:]],
            "norm2": lambda x: str(float(x) * (1 + 1e-3)),
            "okc": lambda okc: okc | {"shapley": okc["shapley"][::-1]},
        }.items():
            report = crosscheck(reference, right | {name: spoil(right[name])}, diagnose=False)
            assert report.outcome == FAILS and any(line.quantity.startswith(name) for line in report.failed)


def test_degrees_and_coefficients_of_the_rbf_kernel_are_rejected():
    reference = make_reference(small(RBF("1/3")))
    right = plain_result(reference)
    for extra in ({"coefficients": {"1,0,0": 1}}, {"okc": right["okc"] | {"degree": [1], "peak": 0}}):
        report = crosscheck(reference, right | extra)
        assert report.outcome == FAILS and report.stage == "format" and "has no degrees" in str(report)


def test_bugs_are_named_for_many_columns():
    """There the sets of columns are too many to list."""
    rows = [[(i * j * j + i) % 11 / 5 for j in range(1, 9)] for i in range(8)]
    problem = Problem(rows, [1, -1] * 4, kernel=RBF("1/40"), id="wide")
    answer = plain_result(make_reference(problem.replace(kernel=RBF("1/80"))))
    report = crosscheck(make_reference(problem), answer)
    assert report.outcome == FAILS and [bug.name for bug in report.bugs] == ["gamma halved"]


def test_vectors_cover_every_kernel_under_every_measure():
    found = {
        (v.task["kernel"]["family"], flag)
        for v in vectors()
        if v.version == 3
        for flag in v.flags
        if flag.startswith("Under")
    }
    families, measures = ("linear", "polynomial", "rbf"), ("UnderEmpirical", "UnderUniform", "UnderNormal")
    assert {(family, measure) for family in families for measure in measures} <= found
    gaussian = [v for v in vectors() if "RBFKernel" in v.flags]
    for flag in (
        "SmallGamma",
        "LargeGamma",
        "ConstantColumn",
        "BinaryColumn",
        "DuplicatedPoints",
        "Weighted",
    ):
        assert any(flag in v.flags for v in gaussian), flag
    for vector in gaussian:
        assert "coefficients" not in vector.test["expected"] and "peaks" not in vector.test


def test_a_program_may_skip_other_kernels():
    vector = next(v for v in vectors() if "RBFKernel" in v.flags)
    assert crosscheck(vector.reference, {"id": vector.id, "skipped": "RBF"}).outcome == UNDECIDED


def test_level_exact_is_refused_with_the_reason():
    with pytest.raises(BadParameter, match="not rational"):
        make_reference(small(RBF("1/3")), level="exact")


def test_a_result_under_another_measure_is_refused():
    problem = Problem([[0, 1], [1, 0], [2, 1]], [1, -1, 1], kernel=RBF(1), id="three")
    reference = make_reference(problem)
    result = plain_result(reference)
    for stated, outcome in (({"family": "empirical"}, "HOLDS"), ({"family": "uniform"}, "FAILS")):
        report = crosscheck(reference, {**result, "under": stated})
        assert report.outcome == outcome
    assert "under the empirical distribution" in report.failure


def test_references_of_vectors_state_the_level_that_exists():
    for vector in vectors():
        rbf = vector.task.get("kernel", {}).get("family") == "rbf"
        assert vector.reference.data["certificate"]["level"] == ("ball" if rbf else "exact"), vector.id
