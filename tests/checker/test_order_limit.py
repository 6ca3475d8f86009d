"""Tests of the checker with kernels of limited order: certificates, paths and forgeries of the new fields."""

from __future__ import annotations

import copy
import json
from fractions import Fraction as Q
from random import Random

import pytest
from by_hand import (
    CASES,
    KKT,
    LABELS,
    LAMBDA,
    LIMITED,
    SPACE,
    changed,
    make,
    rational_gram,
    rejected_condition,
    signed,
)
from command import orca
from oracle import Oracle

from orca_exact import (
    Discrete,
    Hermite,
    Jacobi,
    Laguerre,
    OrthogonalPolynomials,
    Problem,
    certify,
    checker,
    path,
)
from orca_exact.checker import conditions, kernels, reading
from orca_exact.svm.gram import gram_ratio

MEASURES = [
    Jacobi(0, 0),
    Jacobi("1/2", "1/3"),
    Hermite(),
    Laguerre("1/2"),
    Discrete([0, "1/3", 1], [1, 2, "1/2"]),
]
ORDERS = [(d, q) for d in (2, 3, 4) for q in range(1, d + 1)] + [(6, 2), (6, 5)]


@pytest.fixture(autouse=True)
def one_lambda_for_all_mutants(monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)


def random_problem(d, q, seed, m=5):
    """Return a problem with a random degree, possibly 0, and a random measure for each column."""
    random = Random(f"{d} {q} {seed}")
    X = [[f"{random.randint(0, 9)}/{random.randint(9, 12)}" for _ in range(d)] for _ in range(m)]
    n = [random.choice([0, 1, 1, 2, 2]) for _ in range(d)]
    measures = [random.choice(MEASURES) for _ in range(d)]
    y = [1, -1] + [random.choice([1, -1]) for _ in range(m - 2)]
    C = random.choice([1, "1/30", 100, [str(random.randint(1, 9)) for _ in range(m)]])
    return Problem(X, y, kernel=OrthogonalPolynomials(n, measures, order=q), C=C)


def written(problem):
    """Return the problem as the checker reads it."""
    return reading.read_problem(reading.parse(problem.to_json(), reading.CERTIFICATE["problem"], "problem"))


@pytest.mark.parametrize("d, q", ORDERS)
def test_four_routes_to_the_gram_matrix_meet(d, q):
    """Compare the checker, the library, the sum over all modes and the sum over all sets of columns."""
    for seed in range(5):
        problem = random_problem(d, q, seed, m=4)
        data = written(problem)
        gram = kernels.gram(data["X"], data["measures"], data["order"])
        m = range(4)
        R = [[Q(gram.entry(i, j), gram.c * gram.D[i] * gram.D[j]) for j in m] for i in m]
        assert R == Oracle(problem).R == rational_gram(problem.to_json())
        assert [[Q(int(x.p), int(x.q)) for x in row] for row in gram_ratio(problem)] == R
        assert max(gram.entry(i, j).bit_length() for i in m for j in m) <= gram.bits
        x = [2, 0, -3, 0]
        assert gram.times(x) == [gram.unit * sum(map(Q.__mul__, row, map(Q, x))) for row in R]
        assert set(gram.rows) == {0, 2}


def test_the_limit_of_all_columns_is_none():
    X = [[Q(1, 3), Q(-1)], [Q(1), Q(0)], [Q(-3, 7), Q(1, 2)]]
    measures = (kernels.Measure("jacobi", 2, (Q(0), Q(0))), kernels.Measure("hermite", 3, ()))
    assert kernels.gram(X, measures, 2).times([1, 2, 3]) == kernels.gram(X, measures).times([1, 2, 3])
    assert kernels.gram(X, measures, 1).times([1, 2, 3]) != kernels.gram(X, measures).times([1, 2, 3])


@pytest.mark.parametrize(
    "d, q", [*ORDERS[:2], *(pytest.param(*order, marks=pytest.mark.slow) for order in ORDERS[2:])]
)
def test_certificates_and_paths_of_limited_order_are_accepted(d, q):
    for seed in range(3):
        problem = random_problem(d, q, seed)
        version = 1 if q == d else 2
        for level in ("gap", "ball", "exact"):
            data = certify(problem, level=level).to_json()
            assert data["schema"] == f"orca-exact/certificate/{version}"
            found = checker.check(json.loads(json.dumps(data)))
            assert found["level"] in (level, "exact") and found["problem"]["sha256"] == problem.sha256
            assert found["problem"].get("order") == (None if q == d else q)
        data = path(problem, level="exact").to_json()
        assert data["problem"]["schema"] == problem.to_json()["schema"]
        assert checker.check(data)["problem"]["sha256"] == problem.sha256


def test_a_certificate_in_float64_of_limited_order_is_accepted():
    random = Random(2)
    X = [[f"{random.randint(-99, 99)}/100" for _ in range(8)] for _ in range(60)]
    y = [1 if Q(x[0]) * Q(x[1]) + Q(x[2]) > 0 else -1 for x in X]
    problem = Problem(X, y, kernel=OrthogonalPolynomials(3, order=2), C=1000)
    data = certify(problem, level="float").to_json()
    assert checker.check(data)["level"] == "gap" and data["schema"] == checker.SCHEMA_2
    assert rejected_condition(changed(data, ("problem", "kernel", "order"), 3)) in KKT


@pytest.mark.parametrize("name", LIMITED)
def test_certificates_by_hand_are_accepted(name):
    certificate = LIMITED[name]()
    assert checker.check(certificate)["level"] == "exact"
    problem = Problem.from_json(certificate["problem"])
    again = certify(problem).to_json()
    full = problem.kernel.order is None  # an order of all columns is written in an earlier version
    assert again["schema"] == (checker.SCHEMA if full else checker.SCHEMA_2)
    assert again["active"] == certificate["active"] and checker.check(again)["level"] == "exact"


def test_the_program_names_the_order(tmp_path):
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(LIMITED["order 2, mixed"]()))
    code, out, _ = orca("check-certificate", str(file))
    assert code == 0
    line = next(line for line in out.splitlines() if "parameters" in line)
    assert "n = [1, 2, 0, 1]" in line and "hermite" in line and "order = 2" in line
    assert checker.main([str(file)]) == 0
    file.write_text(json.dumps(LIMITED["order 2"]() | {"schema": "orca-exact/certificate/3"}))
    code, _, err = orca("check-certificate", str(file))
    assert code == 4 and "orca-exact/certificate/2" in err
    assert checker.main([str(file)]) == 4


# Forgeries, each with a correct digest.

ANY = {*KKT, "format", "lambda", "claims"}
ORDER = ("problem", "kernel", "order")
WRONG_ORDERS = ["2", "1", 2.0, 1.0, True, False, 0, -1, 10**6, [1], {}, "", "null", 1.5]


@pytest.mark.parametrize("name", [name for name in LIMITED if name != "order 2 of 2"])
def test_another_order_is_another_problem(name):
    certificate = LIMITED[name]()
    order, d = certificate["problem"]["kernel"]["order"], len(certificate["problem"]["X"][0])
    for wrong in [*WRONG_ORDERS, d + 1]:
        assert rejected_condition(changed(certificate, ORDER, wrong)) == "format", wrong
    for other in {*range(1, d + 1), None} - {order}:
        forged = changed(certificate, ORDER, other)
        same = rational_gram(forged["problem"]) == rational_gram(certificate["problem"])
        if same:  # no more than ``order`` columns have a degree above 0
            checker.check(forged)
        else:
            assert rejected_condition(forged) in KKT
    missing = copy.deepcopy(certificate)
    del missing["problem"]["kernel"]["order"]
    assert rejected_condition(signed(missing)) in KKT


@pytest.mark.parametrize("name", ["order 2 of 2"])
def test_every_way_to_write_no_limit(name):
    certificate = LIMITED[name]()
    checker.check(changed(certificate, ORDER, None))
    del certificate["problem"]["kernel"]["order"]
    checker.check(signed(certificate))


def test_the_versions_of_certificate_and_problem_belong_together():
    limited, full = LIMITED["order 2 of 2"](), CASES["mixed"]()
    assert rejected_condition(changed(limited, ("schema",), checker.SCHEMA)) == "format"
    assert rejected_condition(changed(full, ("schema",), checker.SCHEMA_2)) == "format"
    assert rejected_condition(changed(CASES["legendre plane"](), ("schema",), checker.SCHEMA_2)) == "format"
    for schema in ("orca-exact/certificate/3", "certificate/2", 2, None, checker.PATH):
        assert rejected_condition(changed(limited, ("schema",), schema)) == "format"
    for version in (1, 2, 4):
        assert (
            rejected_condition(changed(limited, ("problem", "schema"), f"orca-exact/problem/{version}"))
            == "format"
        )
    problem = limited["problem"]
    kernel = problem["kernel"]
    plain = {key: value for key, value in problem.items() if key != "kernel"}
    second = plain | {"schema": "orca-exact/problem/2", "n": kernel["n"], "measures": kernel["measures"]}
    assert rejected_condition(changed(limited, ("problem",), second)) == "format"
    checker.check(changed(changed(limited, ("problem",), second), ("schema",), checker.SCHEMA))
    assert rejected_condition(changed(limited, ("problem",), second | {"order": 2})) == "format"


FORGERIES = [
    (("family",), "linear", "format"),
    (("family",), None, "format"),
    (("more",), 1, "format"),
    (("n",), [2, 1], "format"),
    (("n",), [2, 1, 3, 1], "format"),
    (("n",), "2", "format"),
    (("n",), [2, 1, 3.0], "format"),
    (("n",), [1, 2, 3], KKT),
    (("n",), [2, 1, 2], KKT),
    (("n",), [2, 0, 3], KKT),
    (("n",), 2, KKT),
    (("measures",), [], "format"),
    (("measures",), {"family": "jacobi", "alpha": "1/3", "beta": "1/2"}, KKT),
    (("measures",), {"family": "jacobi", "alpha": "1/2", "beta": "1/2"}, "lambda"),
    (("measures",), {"family": "hermite"}, "lambda"),
    (("measures",), [{"family": "jacobi", "alpha": "1/2", "beta": "1/3"}] * 2, "format"),
    (("measures", "alpha"), "0.51", "lambda"),
    (("measures", "order"), 2, "format"),
]


@pytest.mark.parametrize("way, value, expected", FORGERIES)
def test_another_kernel_is_another_problem(way, value, expected):
    certificate = LIMITED["order 2, irrational"]()
    found = rejected_condition(changed(certificate, ("problem", "kernel", *way), value))
    assert found == expected or found in expected


def test_fields_in_another_place_are_rejected():
    certificate = LIMITED["order 2, irrational"]()
    for key in ("family", "n", "measures"):
        moved = copy.deepcopy(certificate)
        moved["problem"][key] = moved["problem"]["kernel"].pop(key)
        assert rejected_condition(signed(moved)) == "format"
        moved["problem"]["kernel"][key] = moved["problem"][key]
        assert rejected_condition(signed(moved)) == "format"
    moved = copy.deepcopy(certificate)
    moved["problem"]["order"] = moved["problem"]["kernel"]["order"]
    assert rejected_condition(signed(moved)) == "format"


def test_measures_and_degrees_belong_to_their_columns():
    certificate = LIMITED["order 2, mixed"]()
    for i, j in ((0, 1), (0, 2), (1, 2), (1, 3), (2, 3)):  # 0 and 3 have the same degree
        kernel = copy.deepcopy(certificate["problem"]["kernel"])
        for values in (kernel["n"], kernel["measures"]):
            values[i], values[j] = values[j], values[i]
            assert rejected_condition(changed(certificate, ("problem", "kernel"), kernel)) in ANY
        X = [row.copy() for row in certificate["problem"]["X"]]
        for row in X:
            row[i], row[j] = row[j], row[i]
        moved = changed(changed(certificate, ("problem", "kernel"), kernel), ("problem", "X"), X)
        checker.check(moved)


def test_the_optimum_of_one_order_is_not_that_of_another():
    made = [make(SPACE, LABELS, 2, "1/2", "1/3", C="1/2", order=q) for q in (1, 2, 3)]
    for own in made:
        checker.check(own)
        for other in made:
            forged = signed(own | {key: value for key, value in other.items() if key != "problem"})
            if other is not own:
                assert rejected_condition(forged) in KKT


def test_a_path_of_one_order_is_not_that_of_another():
    problem = Problem(SPACE, LABELS, kernel=OrthogonalPolynomials(2, Jacobi("1/2", "1/3"), order=2))
    data = path(problem, level="exact").to_json()
    assert checker.check(data)["problem"]["order"] == 2
    for order in (1, 3, None):
        assert rejected_condition(changed(data, ORDER, order)) in KKT
    for order in [*WRONG_ORDERS, 4]:
        assert rejected_condition(changed(data, ORDER, order)) == "format"
    assert rejected_condition(changed(data, ("schema",), checker.SCHEMA_2)) == "format"
    full = path(
        problem.replace(kernel=OrthogonalPolynomials(2, Jacobi("1/2", "1/3"))), level="exact"
    ).to_json()
    assert rejected_condition(changed(full, ("problem",), data["problem"])) in KKT


WRONG = {  # the factor of e_0 does not count: a constant in R changes nothing, because sum_i y_i a_i = 0
    "without signs": lambda self: [abs(x) for x in RIGHT(self)],
    "another coefficient": lambda self: [x + (k == 1) for k, x in enumerate(RIGHT(self))],
    "sums of products of R_l": lambda self: [1] * (self.order + 1),
}
RIGHT = kernels.Gram.binomials.func


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_formula_is_seen(name, monkeypatch):
    for case in ("order 2", "order 2, irrational", "order 2, mixed", "order 3, mixed"):
        certificate = LIMITED[case]()
        checker.check(certificate)
        with monkeypatch.context() as patch:
            patch.setattr(kernels.Gram, "binomials", property(WRONG[name]))
            assert rejected_condition(certificate) in KKT


def test_many_columns_of_high_order_are_refused_at_once(monkeypatch):
    monkeypatch.setattr(kernels.Gram, "entry", None)
    d, lam = 3000, f"1/{2**3000}"
    kernel = {"family": "orthogonal", "n": 1, "measures": {"family": "jacobi", "alpha": "0", "beta": "0"}}
    problem = {"schema": "orca-exact/problem/3", "X": [["0"] * d, ["1"] * d], "y": [1, -1], "C": "1"}
    problem |= {"rescale": False, "kernel": kernel | {"order": d // 2}}
    body = LIMITED["order 1"]() | {"problem": problem, "u": ["0", "0"], "v": ["1", "1"]}
    body |= {"lambda": {"bits": 128, "lower": lam, "upper": lam}, "active": {"free": [], "bound": [1, 2]}}
    with pytest.raises(checker.Rejected, match=r"^format: the Gram matrix is too large: products of \d"):
        checker.check(signed(body))
