"""The verb ``solve``: primal and dual by every solver of CVXPY, refined, and compared with the optimum."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from command import orca
from flint import arb, fmpq
from here import PROBLEMS, ROOT, XOR
from problems import blobs

from orca_exact import Hermite, Problem, certify, solve
from orca_exact.errors import BadParameter, SolverFailed, Undecided
from orca_exact.files.validation import validate
from orca_exact.numbers.rationals import QQ, precision_digits
from orca_exact.svm import certify as certifying
from orca_exact.svm import forms, solvers, verified
from orca_exact.svm.forms import SVM_FORMS, enclose_values, solve_forms
from orca_exact.svm.solvers import ORDER, quadratic_solvers

KERNELS = {
    "free": blobs(),
    "bound": blobs(m=20, C="1/4"),
    "weights": Problem(
        [["-1/2"], ["1/2"], ["1/4"]], [1, -1, 1], n=2, alpha="1/2", beta="-1/2", C=["1", "2", "1/3"]
    ),
    "hermite": Problem([["-1/2"], ["3"], ["1/4"], ["2"]], [1, -1, 1, -1], n=3, measures=Hermite()),
}


@pytest.mark.parametrize("solver", quadratic_solvers())
@pytest.mark.parametrize("name", KERNELS)
def test_both_forms_by_every_solver_agree_with_the_optimum_to_fifty_digits(name, solver):
    found = solve_forms(KERNELS[name], solver=solver, digits=50)
    assert found.agrees and [each.solution.form for each in found.values] == list(SVM_FORMS)
    for values, agreement in zip(found.values, found.with_optimum, strict=True):
        assert values.solution.solver.startswith(solver) and agreement.w >= 50
        assert 0 <= values.gap.upper() < 1e-90 * float(values.primal)
        assert "optimal" in values.solution.refinement.status
    assert found.between_forms.w >= 50
    with precision_digits(120):
        truth = arb(found.optimum.norm2).sqrt()
        assert all(abs(values.norm - truth) < truth * arb(10) ** -50 for values in found.values)


def test_the_matrix_has_every_solver_that_is_installed():
    import cvxpy

    x = cvxpy.Variable(2)
    for name in cvxpy.installed_solvers():
        problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x - 1)), [x <= 2])
        try:
            problem.solve(solver=name)
            takes = True
        except Exception:
            takes = False
        assert takes == (name in quadratic_solvers()), name
    assert {solver for _, solver in ORDER} - {"libsvm"} <= set(quadratic_solvers())


def test_the_values_agree_with_their_definitions():
    p = KERNELS["bound"]
    values = enclose_values(solve(p, "dual", digits=20), 20)
    K = p.kernel(*2 * [[[float(x) for x in row] for row in p.X]])
    s = [float(a) * y for a, y in zip(values.solution.alpha, p.y, strict=True)]
    f = [sum(s[i] * K[i, j] for i in range(p.m)) for j in range(p.m)]
    norm2 = sum(s[j] * f[j] for j in range(p.m))
    slack = sum(max(0, 1 - y * (x + float(values.solution.b))) for x, y in zip(f, p.y, strict=True))
    assert float(values.norm) == pytest.approx(norm2**0.5, rel=1e-12)
    assert float(values.primal) == pytest.approx(norm2 / 2 + float(p.C) * slack, rel=1e-12)
    assert float(values.dual) == pytest.approx(sum(map(float, values.solution.alpha)) - norm2 / 2, rel=1e-12)


def _spoiled(problem, *given, **options):
    right = solve(problem, *given, **options)
    return replace(right, alpha=tuple(x * (1 + fmpq(3, 10**31)) for x in right.alpha))


def test_a_wrong_solution_is_a_mismatch(monkeypatch):
    monkeypatch.setattr(forms, "solve", _spoiled)
    code, out, _ = orca("solve", str(XOR))
    assert code == 1 and out.count("this solution and the optimum agree in 30 of 50 digits of w") == 2
    assert json.loads(orca("solve", str(XOR), "--format", "json")[1])["agrees"] is False


def test_precision_that_cannot_be_reached_is_refused_with_the_reason(monkeypatch):
    import orca_exact.svm.refine as refine

    monkeypatch.setattr(refine, "_ROUNDS", 1)
    monkeypatch.setattr(refine, "find_active_set", lambda *_: None)
    code, out, err = orca("solve", str(XOR), "--digits", "60")
    assert (code, out) == (3, "") and "of 60 digits of w; ask for fewer" in err
    monkeypatch.setattr(solvers, "require_finite", _failed)
    code, out, err = orca("solve", str(XOR))
    assert (code, out, err.count("\n")) == (5, "", 1) and "no solver returned a solution" in err


def _failed(*_):
    raise SolverFailed("it returned nothing")


def test_xor_in_both_forms_to_fifty_digits():
    code, out, err = orca("solve", str(XOR), "--form", "both", "--digits", "50")
    assert code == 0 and err == ""
    exact = certify(Problem.load(XOR)).alpha(80)[0]
    shown = {line.split("= ")[1] for line in out.splitlines() if line.startswith("  alpha_1 ")}
    (text,) = shown  # the same 50 digits twice
    with precision_digits(120):
        assert len(text.removeprefix("0.0")) == 50 and abs(arb(QQ(text)) - exact) < arb(10) ** -50
    assert "status optimal" in out and "proved: 50 digits of w" in out
    assert "the primal and the dual solution agree in all 50 digits of w" in out
    assert "the optimum is exact (level exact), proposed by: interior point + active set" in out


@pytest.mark.parametrize(
    "words", ["", "--form primal", "--form dual --solver libsvm", "--solver scs --digits 20"]
)
@pytest.mark.parametrize("problem", ["xor.json", "mixed.json"])
def test_json_follows_its_schema(words, problem, tmp_path):
    file = tmp_path / "solutions.json"
    code, out, _ = orca("solve", str(PROBLEMS / problem), *words.split(), "--format", "json", "-o", str(file))
    data = json.loads(out)
    assert code == 0 and data["agrees"] and json.loads(file.read_text(encoding="utf-8")) == data
    validate(data, "orca-exact/solve/1", "solve")
    assert len(data["solutions"]) == (1 if "--form" in words else 2)
    assert (data["between_forms"] is None) == ("--form" in words)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("--solver gurobi9000", 5, "solver 'GUROBI9000' is not installed; choose one of CLARABEL"),
        ("--solver scipy", 5, "solver 'SCIPY' does not take a quadratic objective; choose one of CLARABEL"),
        ("--solver libsvm", 4, "--solver: libsvm solves the dual problem only; pass --form dual"),
        ("--digits 0", 4, "--digits: 0 is not positive; pass a number of digits such as 50"),
    ],
)
def test_bad_input_is_one_sentence(words, code, says):
    got, out, err = orca("solve", str(XOR), *words.split())
    assert (got, out, err.count("\n")) == (code, "", 1) and says in err


def test_libsvm_does_not_solve_the_primal():
    with pytest.raises(BadParameter, match="form: 'primal' is not what libsvm solves"):
        solve(blobs(), form="primal", solver="libsvm")


def test_a_classifier_that_is_zero_has_no_digits_to_compare(tmp_path):
    tied = Problem([["1/2"], ["1/2"], ["-1/2"], ["-1/2"]], [1, -1, 1, -1], 1, 0, 0)
    found = solve_forms(tied, digits=20)
    assert found.agrees and [each.w for each in found.with_optimum] == [None, None]
    file = tmp_path / "zero.json"
    file.write_text(json.dumps(tied.to_json()), encoding="utf-8")
    code, out, _ = orca("solve", str(file), "--digits", "20")
    assert code == 0 and out.count("proved: w = 0") == 2
    assert "the primal and the dual solution: w is 0, so that no digits are compared" in out


def test_numbers_that_are_equal_agree_in_every_digit_of_the_working_precision():
    found = solve_forms(KERNELS["free"], ("dual",), digits=20)
    same = found.values[0].solution
    (agreement,) = {
        forms.FormComparison([values, values], found.optimum, 20).between_forms for values in found.values
    }
    assert agreement.w == agreement.alpha == agreement.b == 100 and same.digits == 20


def test_certify_says_which_solver_proposed(monkeypatch):
    assert (
        certify(blobs()).proposer == certify(blobs(), level="float").proposer == "interior point + active set"
    )
    assert certify(blobs(), level="gap").proposer == "interior point + active set"
    given = solve(blobs(), "primal", digits=20)
    assert certify(blobs(), given, level="ball").proposer == "given + active set"
    assert "proposed by: interior point + active set\n" in orca("certify", str(XOR))[1]
    assert json.loads(orca("certify", str(XOR), "--format", "json", "-o", "/dev/null")[1])["proposer"]
    monkeypatch.setattr(certifying, "find_start", _undecided)
    assert certify(blobs(), level="ball").proposer == "CLARABEL on the dual problem"


def _undecided(*_):
    raise Undecided("no")


def test_the_page_on_the_architecture_says_who_proposes(monkeypatch):
    """Bind the row of step 2 to the order in which ``_starts`` tries solvers."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (row,) = (line for line in text.splitlines() if line.startswith("| 2. propose |"))
    said = row.split("|")[2]
    assert said.index("interior point") < said.index("libsvm") < said.index("CVXPY")
    assert said.index("svm.verified.find_start") < said.index("svm.solvers")
    few = certifying._starts(blobs(), None, str)
    assert next(few).solver.startswith("interior point")
    assert next(few).solver == "CLARABEL on the dual problem"  # CVXPY comes last
    monkeypatch.setattr(verified, "_FEW", 20)  # points from which libsvm solves, if there are many modes too
    assert next(certifying._starts(blobs(40, 2, 9), None, str)).solver.startswith("libsvm")
