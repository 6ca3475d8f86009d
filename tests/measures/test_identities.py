"""Orthonormality, Christoffel-Darboux and the reproducing property in SymPy, and the verb ``polynomials``."""

from __future__ import annotations

import json
import re

import pytest
import sympy
from command import orca
from flint import fmpq
from here import ROOT
from sympy import (
    Matrix,
    Rational,
    S,
    cancel,
    expand,
    jacobi_normalized,
    nan,
    simplify,
    sqrt,
    symbols,
    sympify,
)

from orca_exact import Discrete, Hermite, Jacobi, Laguerre, christoffel_darboux, legendre
from orca_exact.cli.verbs import polynomials as verb
from orca_exact.errors import BadParameter, TooLarge
from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED
from orca_exact.files.validation import validate
from orca_exact.measures import identities as module
from orca_exact.measures.families import FAMILIES
from orca_exact.measures.identities import Kind, check_identities, integrable_degree, outcome_of
from orca_exact.measures.orthonormal_basis import MAX_EXPRESSION_DEGREE, OrthonormalBasis
from orca_exact.measures.sympy_weights import SYMPY_WEIGHTS, sympy_weight

x, z = symbols("x z")
ALPHA, BETA = symbols("alpha beta", real=True)
MEASURES = [
    Jacobi("1/2", 0), Jacobi(0, "-1/3"), Jacobi(2, 3), Jacobi("-1/2", "-1/2"), Jacobi("1/2", "3/2"),
    Jacobi("-1/3", "-2/3"), Jacobi("43/10", "9/5"), Jacobi(sqrt(2), 0), Jacobi(ALPHA, BETA), Hermite(),
    Laguerre(0), Laguerre("-1/3"), Discrete([0, 1, 3, 7], [1, 2, 3, 4]), Discrete([1, "1/2", -2]),
]  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_every_identity_holds(measure):
    found = check_identities(OrthonormalBasis(measure, 2))
    assert outcome_of(found) == HOLDS and all(not each.differences for each in found)
    integrated = sympy_weight(measure).integral is not None
    assert [each.kind for each in found] == [
        kind for kind in Kind if integrated or "integration" not in kind.value
    ]
    assert measure.gram(2) == Matrix.eye(3)


def test_every_family_has_a_weight_in_sympy():
    assert {"jacobi", "hermite", "laguerre", "discrete"} <= set(SYMPY_WEIGHTS) <= set(FAMILIES)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_moments_of_sympy_agree_with_those_of_the_class(measure):
    found = sympy_weight(measure)
    theirs = [measure.field.to_sympy(measure.field.convert(m)) for m in measure.moment_ratios(5)]
    assert all(cancel(a - b) == 0 for a, b in zip(found.moments(5), theirs, strict=True))
    assert simplify(found.mass / measure.h0) == 1


def test_sympy_itself_has_no_value_where_the_sum_of_the_parameters_is_minus_one():
    assert jacobi_normalized(0, Rational(-1, 2), Rational(-1, 2), x) is nan
    assert Jacobi("-1/2", "-1/2").gram(4) == Matrix.eye(5)


def test_polynomials_are_those_of_sympy():
    for alpha, beta in (("1/2", "0"), ("3/2", "-1/3")):
        ours, theirs = Jacobi(alpha, beta).sympy(3), jacobi_normalized(3, S(alpha), S(beta), x)
        ratio = simplify(sympy.gammasimp((expand(theirs.doit()) / ours).subs(x, Rational(1, 3))))
        assert simplify(ratio - 1).equals(0)


@pytest.mark.parametrize("measure", [Jacobi("1/2", 0), Hermite(), Discrete([0, 1, 3])], ids=str)
def test_christoffel_darboux_as_expressions(measure):
    kernel = christoffel_darboux(measure, 2)
    products = sum(measure.sympy(k) * measure.sympy(k).subs(x, z) for k in range(3))
    assert expand(kernel.sum - products) == 0
    assert cancel(kernel.sum - kernel.closed) == 0
    assert expand(kernel.sum.subs(z, x) - kernel.confluent) == 0
    assert "degree 2" in repr(kernel)


def test_integration_stops_by_counting_terms_and_not_by_a_clock():
    assert integrable_degree(OrthonormalBasis(Jacobi("1/2", 0), 8)) == 8  # 45 integrals with 405 terms
    assert integrable_degree(OrthonormalBasis(Jacobi("1/2", 0), 30)) == 8
    assert integrable_degree(OrthonormalBasis(Jacobi("1/2", 600), 3)) == -1
    assert integrable_degree(OrthonormalBasis(Jacobi("1/3", "1/7"), 3)) == -1
    weight = sympy_weight(Jacobi("1/2", 2))
    terms = [
        len(sympy.Add.make_args(expand((x**3 + 1).subs(x, weight.integral.place) * weight.integral.density))),
        weight.integral.terms(3),
    ]
    assert terms[0] <= terms[1]


# Planted faults: a line says the difference, and the exit code is 1.


def _doubled_b2(self, k):
    a, b = RIGHT(self, k)
    return a, 2 * b if k == 2 else b


def _shifted_a1(self, k):
    a, b = RIGHT(self, k)
    return a + fmpq(1, 10) if k == 1 else a, b


def _swapped(self, k):
    return RIGHT(Jacobi(self.beta, self.alpha), k)


RIGHT = Jacobi.recurrence
BY_ALL = {Kind.GRAM_BY_MOMENTS, Kind.GRAM_BY_INTEGRATION, Kind.REPRODUCING}
FAULTS = {
    "doubled b_2": (lambda m: m.setattr(Jacobi, "recurrence", _doubled_b2), BY_ALL),
    "shifted a_1": (lambda m: m.setattr(Jacobi, "recurrence", _shifted_a1), BY_ALL),
    "swapped parameters": (lambda m: m.setattr(Jacobi, "recurrence", _swapped), BY_ALL),
    "mass without its power of two": (
        lambda m: m.setattr(Jacobi, "h0", sympy.gamma(Rational(3, 2)) / sympy.gamma(Rational(5, 2))),
        BY_ALL,
    ),
    "h_k of the wrong degree": (
        lambda m: m.setattr(Jacobi, "h_ratio", lambda self, k: self.h_ratios(k + 1)[k + 1]),
        {*Kind},
    ),
    "pi_{n+1} with a wrong coefficient": (
        lambda m: m.setattr(Jacobi, "polynomial", lambda self, k: PI(self, k) + int(k == 4)),
        {Kind.CHRISTOFFEL_DARBOUX, Kind.CONFLUENT},
    ),
}
PI = Jacobi.polynomial


@pytest.fixture
def fresh():
    """Forget cached recurrences before and after a fault."""
    from orca_exact.measures import measure

    caches = (measure._steps, measure._h_ratios, measure._polynomials)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_makes_a_line_say_the_difference(name, fresh, monkeypatch):
    plant, caught = FAULTS[name]
    plant(monkeypatch)
    words = ("polynomials", "--alpha", "1/2", "--n", "3")
    code, out, err = orca(*words)
    failing = [line for line in out.splitlines() if line.startswith(FAILS)]
    assert code == 1 and err == "" and len(failing) == len(caught)
    assert all(re.search(r"; but .* = -?\S", line) for line in failing)
    data = json.loads(orca(*words, "--format", "json")[1])
    assert data["outcome"] == FAILS
    wrong = {each["identity"] for each in data["identities"] if each["outcome"] == FAILS}
    assert wrong == {kind.value for kind in caught}
    assert all(bool(each["differences"]) == (each["identity"] in wrong) for each in data["identities"])


def test_a_wrong_integral_of_sympy_is_found_and_an_unknown_one_is_undecided(monkeypatch):
    unknown = sympy.Integral(sympy.Function("g")(x), (x, 0, 1))
    for value, outcome, code in ((Rational(1, 2), FAILS, 1), (unknown, UNDECIDED, 3)):
        monkeypatch.setattr("orca_exact.measures.sympy_weights.integrate", lambda *given, value=value: value)
        got, out, _ = orca("polynomials", "--n", "0")
        (line,) = (line for line in out.splitlines() if "sympy.integrate" in line)
        assert got == code and line.startswith(outcome)
        assert ("which SymPy cannot compare with 0" in line) == (outcome == UNDECIDED)


# The verb.


def test_p_3_and_how_its_orthonormality_was_verified():
    code, out, err = orca("polynomials", "--alpha", "1/2", "--beta", "0", "--n", "3")
    assert code == 0 and err == ""
    printed = sympify(out.split("p_3 = ")[1].splitlines()[0])
    assert printed == Jacobi("1/2", 0).sympy(3)
    u = symbols("u", positive=True)
    assert sympy.integrate(expand((printed**2).subs(x, 1 - u**2) * 2 * u**2), (u, 0, sqrt(2))) == 1
    lines = [line for line in out.splitlines() if "orthonormality" in line]
    assert all(line.startswith(HOLDS) for line in lines[:2]) and "sympy.integrate" in lines[1]
    assert (
        "SymPy's beta function" in lines[0] and "proved for all n in Rocq, not here" in out.splitlines()[-1]
    )


def test_theorems_that_are_named_exist():
    texts = [verb.KERNEL_PROVED, verb.ANY_RECURRENCE, *verb.ORTHOGONALITY_PROVED.values()]
    named = re.findall(r"(\w+)\.(\w+)[\],]", " ".join(texts))
    assert len(named) == 6
    for file, theorem in named:
        text = (ROOT / "orca_exact" / "rocq" / f"{file}.v").read_text(encoding="utf-8")
        assert re.search(rf"^Theorem {theorem}\b", text, re.MULTILINE), theorem


@pytest.mark.parametrize(
    "words",
    [
        "--alpha 1/2",
        "--family laguerre --alpha=-1/3",
        "--family hermite",
        "--symbolic",
        "--family discrete --nodes 0 1/2 3",
        "--alpha -0.5 --beta -1/2",
    ],
)
@pytest.mark.parametrize("format", ["text", "json", "markdown", "latex"])
def test_every_format_of_every_family_and_the_file(words, format, tmp_path):
    file = tmp_path / "out"
    words = ("polynomials", "--n", "2", *words.split(), "--format", format)
    code, out, err = orca(*words)
    assert code == 0 and err == ""
    again, told, _ = orca(*words, "-o", str(file))
    assert again == 0 and file.read_text(encoding="utf-8").split() == out.split()
    if format == "json":
        data = json.loads(out)
        validate(data, "orca-exact/polynomials/1", "polynomials")
        assert len(data["polynomials"]) == 3 and "polynomials" not in json.loads(told)
        validate(json.loads(told), "orca-exact/polynomials/1", "polynomials")
    else:
        assert out.count(HOLDS) == told.count(HOLDS) >= 4 and "written:" in told
    if format == "latex":
        assert r"\begin{align*}" in out and all(
            line[:1] == "%" for line in out.split(r"\end{align*}")[1].splitlines() if line
        )


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("--n 2 --alpha -1", 4, "alpha: -1 is not greater than -1; pass a larger number"),
        ("--n 2 --beta=-3/2", 4, "beta: -3/2 is not greater than -1; pass a larger number"),
        (f"--n {MAX_EXPRESSION_DEGREE + 1}", 4, ", the largest degree of exact"),
        ("--n -1", 4, "n: -1 is negative; pass a degree of at least 0"),
        ("--n 6 --symbolic", 4, "n: 6 is more than 5, the largest degree with symbols"),
        ("--n 2 --alpha nan", 4, "alpha: 'nan' is not a finite number"),
        ("--n 2 --alpha=-0.999", 4, "simpler fraction, at most 1000 above and 100 below, or the method"),
        ("--n 2 --family discrete --nodes 0 1 1e-99 5", 4, "fraction, at most 66 digits above and below, or"),
        ("--n 2 --alpha 1e400", 4, "has too many digits for exact expressions of degree 2; use a simpler"),
        ("--n 2 --alpha 1e-300", 4, "has too many digits for exact expressions of degree 2; use a simpler"),
        ("--n 2 --family discrete --nodes 1e300 1 2", 4, "nodes: 1000"),
        ("--n 2 --family discrete --nodes 1 2", 4, "n: 2 is more than 1, the largest degree for 2 nodes"),
        ("--n 2 --family discrete", 2, "--nodes: a discrete measure needs its nodes"),
        ("--n 2 --family hermite --alpha 1", 2, "--alpha: the family hermite does not have it"),
        ("--n 2 --symbolic --alpha 1", 2, "leave out --alpha"),
        ("--n 2 --symbolic --family hermite", 2, "leave out --family hermite"),
        ("--n 2 --integrate -1", 2, "--integrate: -1 is negative"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(words, code, says):
    got, out, err = orca("polynomials", *words.split())
    assert (got, out, err.count("\n")) == (code, "", 1) and says in err


def test_a_float_is_refused_or_explained():
    with pytest.raises(BadParameter, match=r"n: 2.5 is not an integer"):
        legendre.gram(2.5)
    with pytest.warns(UserWarning, match=r"alpha = 0.1 is a float .* write alpha='0.1'"):
        Jacobi(0.1, 0)
    with (
        pytest.raises(BadParameter, match=r"alpha: .* has too many digits"),
        pytest.warns(UserWarning, match="float"),
    ):
        Jacobi(0.1, 0).gram(2)
    with pytest.raises(TooLarge):
        christoffel_darboux(legendre, 1000)


def test_a_family_without_a_weight_in_sympy_is_refused():
    class Unknown(Hermite):
        family = "unknown"

    with pytest.raises(BadParameter, match="family: unknown has no weight in SymPy"):
        Unknown().gram(1)


def test_notes_say_up_to_which_degree_sympy_integrates():
    assert "beyond degree 1, as --integrate says" in orca("polynomials", "--n", "3", "--integrate", "1")[1]
    code, out, _ = orca("polynomials", "--alpha", "1/3", "--beta", "1/7", "--n", "3", "--no-polynomials")
    assert code == 0 and "does not find the integrals" in out and "p_3 =" not in out
    limited = orca("polynomials", "--family", "hermite", "--n", "12", "--integrate", "0")[1]
    assert "1 integral by sympy.integrate" in limited and "91 inner products" in limited


def test_the_random_polynomial_is_the_same_in_every_run():
    first, second = (check_identities(OrthonormalBasis(legendre, 3), 0)[-1].polynomial for _ in range(2))
    assert first == second and len(first) == 4 and all(first) and max(map(abs, first)) <= module._LARGEST
