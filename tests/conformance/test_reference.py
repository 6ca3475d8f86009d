"""References: their values, and that files keep them without loss."""

import json
from random import Random

import command
import numpy as np
import pytest
from flint import arb, fmpq

from orca_exact import Discrete, Hermite, Laguerre, Problem, certify, orca
from orca_exact.conformance.comparison import to_ball
from orca_exact.conformance.condition import (
    condition_numbers,
    estimate_conditions,
    estimate_coordinate_condition,
)
from orca_exact.conformance.reference import Reference, load_references, plain_result, save_references
from orca_exact.conformance.reference_maker import make_dual_reference, make_reference
from orca_exact.errors import BadFile, OrcaError
from orca_exact.files.validation import validate
from orca_exact.kernels.orthogonal import cd_sum
from orca_exact.numbers.rationals import QQ, precision_digits, to_float
from orca_exact.svm.tau import Ratio

X = [["-1/2", "1/3"], ["1/4", "-1"], ["1", "1/2"], ["0", "0.3"]]
CASES = {
    "legendre": Problem(X, [1, -1, 1, -1], 2, 0, 0, C=1, id="legendre"),
    "ratio in lambda*C": Problem(X, [1, -1, 1, -1], 2, "1/3", "1/4", C=2, id="ratio"),
    "interval": Problem(X, [1, -1, 1, -1], 2, "1/2", 0, C="1/100", id="interval"),
    "zero": Problem(X, [1, -1, 1, -1], 0, 0, 0, id="zero"),
}


@pytest.mark.parametrize("level", ["exact", "ball"])
@pytest.mark.parametrize("name", CASES)
def test_reading_back_loses_nothing(tmp_path, name, level):
    reference = make_reference(CASES[name], level, digits=40, fractions=True)
    path = tmp_path / "ref.json"
    save_references([reference], path)
    (again,) = load_references(path)
    assert again == reference and again.to_json() == json.loads(json.dumps(reference.to_json()))
    if reference.okc is None:
        return
    profile = orca(
        CASES[name], certify(CASES[name], level=level, digits=40), "exact" if level == "exact" else "ball", 40
    )
    for read, made in zip(again.okc.order, profile.order, strict=True):
        if isinstance(made, arb):  # the same midpoint to the last bit; FLINT rounds a radius up to 30 bits
            with precision_digits(60):
                assert read.mid() == made.mid() and made.rad() <= read.rad() <= made.rad() * (
                    1 + arb(2) ** -28
                )
        elif isinstance(made, Ratio):
            assert (read.numerator, read.denominator) == (made.numerator, made.denominator)
        else:
            assert read == made


def test_kinds_of_exactness():
    assert all(isinstance(x, fmpq) for x in make_reference(CASES["legendre"]).okc.degree)
    assert any(isinstance(x, Ratio) for x in make_reference(CASES["ratio in lambda*C"]).okc.degree)
    low, high = make_reference(CASES["interval"]).b
    assert float(low) < float(high)
    assert make_reference(CASES["zero"]).okc is None


def test_two_levels_and_two_routes_meet():
    for name in ("legendre", "ratio in lambda*C"):
        exact, balls = make_reference(CASES[name]), make_reference(CASES[name], "ball", 40)
        for index, key, b in balls.okc:
            assert to_ball(exact.okc.family(index)[key]).overlaps(b) and float(b.rad()) < 1e-35
        squares = sum((to_ball(c) * to_ball(c) for c in exact.coefficients.values()), arb(0))
        assert squares.overlaps(to_ball(exact.norm2))


def test_several_problems_are_json_lines(tmp_path):
    references = [make_reference(CASES["legendre"]), make_reference(CASES["interval"])]
    save_references(references, tmp_path / "refs")
    assert load_references(tmp_path / "refs") == references
    assert len((tmp_path / "refs").read_text().splitlines()) == 2


def test_an_altered_file_is_refused():
    data = make_reference(CASES["legendre"]).to_json()
    altered = json.loads(json.dumps(data).replace('"0.1": 4', '"0.1": 3', 1))
    altered["values"]["okc"]["peak"] = 1
    with pytest.raises(BadFile, match="sha256"):
        Reference.from_json(altered)
    for broken in ({}, [], None, 3, data | {"schema": "orca-exact/reference/2"}, data | {"more": 1}):
        with pytest.raises(OrcaError):
            Reference.from_json(broken)


def test_plain_decimals_are_right_to_a_unit_of_the_last_digit():
    reference = make_reference(CASES["ratio in lambda*C"])
    with precision_digits(60):
        for text, value in zip(
            plain_result(reference, 20)["okc"]["degree"], reference.okc.degree, strict=True
        ):
            places = len(text.partition(".")[2])
            assert abs(to_ball(value) - QQ(text)) <= arb(10) ** -places


def test_given_dual_variables():
    reference = make_dual_reference(CASES["legendre"], ["1", "1/2", "0", "1/4"])
    assert reference.dual == (1, fmpq(1, 2), 0, fmpq(1, 4))
    assert sum(reference.okc.order, fmpq(0)) == 1
    Reference.from_json(reference.to_json())


def test_a_worse_problem_has_a_larger_condition():
    near = lambda gap: Problem([["0"], [gap], ["1"]], [1, -1, 1], 3, 0, 0, C="1e9")  # noqa: E731
    kappas = [float(condition_numbers(p, certify(p))["w"]) for p in map(near, ("0.5", "0.1", "0.01"))]
    assert kappas == sorted(kappas) and kappas[-1] > 10 * kappas[0]


@pytest.mark.parametrize("gap", ["1e-6", "1e-7", "1e-9", "1e-12"])
def test_a_direction_too_bad_for_float64_is_not_left_out(gap):
    problem = Problem([["0"], [gap], ["1"]], [1, -1, 1], 3, 0, 0, C="1e40")
    assert float(condition_numbers(problem, certify(problem))["w"]) > 1e10


def test_a_null_direction_is_left_out():
    double = Problem([["-0.5"], ["0.5"], ["0.5"]], [1, -1, -1], 2, 0, 0, C=10)
    K = estimate_conditions(double, np.array([1, -0.5, -0.5]), [0, 1, 2], False)
    assert float(K["w"]) < 100


def test_a_norm_lost_in_rounding_has_no_condition():
    problem = Problem([["0.5"], ["0.5000000001"]], [1, -1], 3, 0, 0, C=1)
    assert make_dual_reference(problem, [1, 1]).condition["coefficients"] > 1e15


def test_a_condition_that_is_no_number_is_refused():
    data = make_reference(CASES["legendre"]).to_json()
    for wrong in ({}, data["condition"] | {"w": "x"}, data["condition"] | {"gram": "0"}):
        with pytest.raises(OrcaError):
            _ = Reference(data | {"condition": wrong}).condition


def test_one_id_for_two_problems_is_refused(tmp_path):
    problem, target = tmp_path / "p.json", tmp_path / "ref.json"
    problem.write_text(json.dumps(CASES["legendre"].to_json()))
    code, _, error = command.orca("reference", str(problem), str(problem), "-o", str(target))
    assert code == 4 and len(error.splitlines()) == 1 and "'legendre'" in error and not target.exists()


def test_the_verb(tmp_path):
    problem, target = tmp_path / "p.json", tmp_path / "ref.json"
    problem.write_text(json.dumps(CASES["legendre"].to_json()))
    for format in ("text", "markdown", "json"):
        words = ["reference", str(problem), "-o", str(target), "--format", format]
        code, out, error = command.orca(*words)
        assert code == 0 and not error
    validate(json.loads(out), "orca-exact/reference/1", "stdout")
    assert load_references(target)[0].id == "legendre"
    code, _, error = command.orca("reference", str(tmp_path / "none"))
    assert code == 4 and len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("measure", "n"),
    [
        (Hermite(), 5),
        (Laguerre("1/2"), 4),
        (Laguerre("-3/4"), 2),
        (Discrete([-1, 0, "1/3", 2, 5], [3, 1, 2, 1, 1]), 4),
    ],
)
def test_rounding_what_a_kernel_is_computed_from_costs_no_more_than_the_slope(measure, n):
    """Points, nodes and weights are changed by a relative error e, in the worst of many directions."""
    random, e, X = Random(5), fmpq(1, 10**12), [QQ(x) for x in ("1/8", "1", "9/4", "6", "11")]

    def rounded(x):
        return x * (1 + random.choice((-1, 1)) * e)

    def kernel(J, X):
        mass = J.mass.rational if isinstance(J, Discrete) else 1
        return {(i, j): cd_sum(J, n, x, z) / mass for i, x in enumerate(X) for j, z in enumerate(X)}

    true, worst = kernel(measure, X), 0.0
    for _ in range(20):
        other = measure
        if isinstance(measure, Discrete):
            other = Discrete(map(rounded, measure.nodes), map(rounded, measure.weights))
        for (i, j), x in kernel(other, [rounded(x) for x in X]).items():
            worst = max(worst, abs(to_float(x - true[i, j])) / to_float(true[i, i] * true[j, j]) ** 0.5)
    bound = estimate_coordinate_condition(measure, n, np.array(X, dtype=object)) - (n + 1) ** 2
    assert worst <= bound * float(e) <= 1000 * worst
