"""The shipped schemas are valid and have titles, and the files that the package writes match them."""

import json
import re

import pytest
from command import orca
from here import PROBLEMS
from jsonschema import Draft202012Validator

from orca_exact import OrthogonalPolynomials, Problem, certify, path
from orca_exact.conformance.reference import plain_result
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.errors import BadFile
from orca_exact.files.validation import schema as load
from orca_exact.files.validation import schema_names, validate

PROBLEM = Problem([["-1/2"], ["1/4"], ["1"]], [1, -1, 1], 2, "1/2", "1/3", C=2, id="p")
LIMITED = Problem([[0, 1], [1, 0], [1, 1]], [1, -1, 1], kernel=OrthogonalPolynomials(2, order=1))
WANTED = {"problem", "check", "result", "reference", "certificate", "path", "verdicts", "tables", "vectors"}
WANTED |= {"problem-2", "problem-3", "certificate-2"}


def test_all_are_shipped():
    assert set(schema_names()) >= WANTED


@pytest.mark.parametrize("name", sorted(WANTED))
def test_each_is_a_schema_with_a_title_and_a_description(name):
    schema = load(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    short, _, version = name.partition("-")
    assert schema["title"] and schema["description"] and schema["$id"] == f"orca-exact/{short}/{version or 1}"


def test_written_files_match_their_schema():
    validate(PROBLEM.to_json(), "orca-exact/problem/1", "problem")
    for level in ("gap", "ball", "exact"):
        validate(certify(PROBLEM, level=level).to_json(), "orca-exact/certificate/1", "certificate")
    interval = Problem([["-0.5"], ["0.5"]], [1, -1], 2, 0, 0, C="1/100")
    validate(certify(interval).to_json(), "orca-exact/certificate/1", "certificate")
    validate(path(PROBLEM, level="exact").to_json(), "orca-exact/path/1", "path")
    validate(LIMITED.to_json(), "orca-exact/problem/3", "problem")
    validate(certify(LIMITED).to_json(), "orca-exact/certificate/2", "certificate")
    validate(path(LIMITED, level="exact").to_json(), "orca-exact/path/1", "path")
    validate(make_reference(PROBLEM).to_json(), "orca-exact/reference/1", "reference")
    validate(plain_result(make_reference(PROBLEM)), "orca-exact/result/1", "result")


def test_profile_writes_a_result(tmp_path):
    path = tmp_path / "p.json"
    path.write_text(json.dumps(PROBLEM.to_json()))
    code, out, _ = orca("profile", str(path), "--format", "json")
    assert code == 0
    validate(json.loads(out), "orca-exact/result/1", "profile")


def test_examples_are_problems():
    for file in PROBLEMS.glob("*.json"):
        data = json.loads(file.read_text())
        validate(data, data["schema"], file.name)


@pytest.mark.parametrize(
    ("schema", "data", "where"),
    [
        ("result", {"id": "x", "alpha": "1"}, "alpha"),
        ("result", {"id": "x", "alpha": ["one"]}, r"alpha\[0\]"),
        ("result", {"id": "x", "okc": {"order": [None]}}, r"okc.order\[0\]"),
        ("result", {"id": "x", "aplha": []}, "aplha"),
        ("result", {"alpha": []}, "the field 'id' is missing"),
        ("problem", {"X": [["0"]], "y": [1], "n": 1.5, "alpha": "0", "beta": "0"}, "problem"),
        ("problem", {"X": [["0"], ["1"]], "y": [1, 2], "n": 1, "alpha": "0", "beta": "0"}, "y"),
        ("verdicts", {"claim": "x", "place": "y", "outcome": "PERHAPS"}, "verdicts"),
        ("verdicts", {"claim": "x", "place": "y", "outcome": "HOLDS", "extent": "proved"}, "verdicts"),
        ("tables", {"schema": "orca-exact/tables/1"}, "tables"),
    ],
)
def test_violations_are_rejected_with_their_place(schema, data, where):
    with pytest.raises(BadFile, match=where) as error:
        validate(data, f"orca-exact/{schema}/1", "file")
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


def test_an_unknown_family_is_named():
    data = {"schema": "orca-exact/problem/3", "X": [["0"], ["1"]], "y": [1, -1], "C": "1"}
    with pytest.raises(
        BadFile, match=r'kernel: the family "sigmoid" is unknown; use one of orthogonal, linear'
    ):
        Problem.from_json(data | {"kernel": {"family": "sigmoid", "gamma": "1"}})


@pytest.mark.parametrize(
    ("kernel", "says"),
    [
        ({"family": "rbf"}, "kernel: the field 'gamma' is missing"),
        ({"gamma": "1"}, "kernel: the field 'family' is missing; use one of orthogonal, linear"),
        ({"family": "rbf", "gamme": "1"}, "kernel: the field 'gamme' is unknown; did you mean 'gamma'?"),
        ({"family": "rbf", "gamma": "wide"}, 'kernel.gamma: "wide" is not a number; write an integer'),
        ({"family": ["rbf"]}, "kernel: the family a list of 1 item is unknown"),
        ({"family": "orthogonal", "n": 2, "measures": {"family": "jacobi", "alpha": "0"}},
         "kernel.measures: the field 'beta' is missing"),
        ({"family": "orthogonal", "n": 2, "measures": [{"family": "cauchy"}]},
         'kernel.measures[0]: the family "cauchy" is unknown; use one of jacobi'),
    ],
)  # fmt: skip
def test_the_family_decides_which_fields_are_explained(kernel, says):
    data = {"schema": "orca-exact/problem/3", "X": [["0"], ["1"]], "y": [1, -1], "kernel": kernel}
    with pytest.raises(BadFile, match=re.escape(says)):
        Problem.from_json(data)
