"""Tests of the output and the exit codes of the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import orca
from here import ROOT, XOR
from marks import not_windows, quick

from orca_exact.cli.parser import make_parser
from orca_exact.numbers.rationals import QQ


@pytest.mark.parametrize("arithmetic", ["float", "mp", "ball", "exact"])
def test_profile_in_every_arithmetic(arithmetic):
    code, out, err = orca("profile", XOR, "--arithmetic", arithmetic, "--format", "json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["schema"] == "orca-exact/result/1"
    okc = data["okc"]
    assert abs(sum(float(v["decimal"]) for v in okc["order"]) - 1) < 1e-12
    assert okc["peak"] == 2
    assert okc["threshold"] == {"0.1": 5, "0.05": 5, "0.01": 6}
    assert len(okc["block"]) == 3
    if arithmetic == "exact":
        assert okc["order"][0]["exact"] == "0"


def test_profile_for_people():
    code, out, _ = orca("profile", XOR, "--digits", "12")
    assert code == 0
    assert "OKC^(2)" in out
    assert "0.719773711785" in out
    assert "█" in out
    assert "\x1b" not in out
    code, out, _ = orca("profile", XOR, "--format", "markdown")
    assert out.startswith("## xor")
    assert "| OKC^(2) |" in out


def test_certify_check_and_tamper(tmp_path):
    cert = tmp_path / "cert.json"
    code, out, _ = orca("certify", XOR, "-o", str(cert))
    assert code == 0
    assert "proved in exact arithmetic (level exact)" in out
    code, out, _ = orca("check-certificate", str(cert))
    assert (code, "accepted" in out) == (0, True)
    data = json.loads(cert.read_text())
    data["u"][0] = str(QQ(data["u"][0]) + QQ("1e-60"))
    cert.write_text(json.dumps(data))
    code, out, err = orca("check-certificate", str(cert))
    assert code == 1
    assert out == ""
    assert err.startswith(f"orca-exact: {cert}: rejected: ") and "feasibility: " in err
    assert err.endswith("; the file does not prove its claims\n")
    for other in ("{", "{}", "[]", "null", Path(XOR).read_text(encoding="utf-8")):
        cert.write_text(other)
        assert orca("check-certificate", str(cert))[0] == 4


def test_certify_judges_a_result_file(tmp_path):
    result = tmp_path / "result.json"
    result.write_text(json.dumps({"schema": "orca-exact/result/1", "id": "x", "alpha": ["0.1"] * 8}))
    code, out, _ = orca("certify", XOR, "--level", "gap", "--solution", str(result), "--format", "json")
    assert code == 1
    found = json.loads(out)
    assert (found["level"], found["optimal"], found["wrong"][0]["condition"]) == ("gap", False, "accuracy")
    whole = {"id": "x", "alpha": ["0.1"] * 8, "certificate": {}, "arithmetic": "float", "okc": None}
    result.write_text(json.dumps(whole))  # every field that the schema of a result allows
    assert orca("certify", XOR, "--level", "gap", "--solution", str(result))[0] == 1
    for wrong, says in (({"id": "x"}, "no field 'alpha'; give"), ({"alpha": [1]}, "field 'id' is missing"),
                        ({"id": "x", "alpha": 3}, "alpha: 3 is not a list")):  # fmt: skip
        result.write_text(json.dumps(wrong))
        code, _, err = orca("certify", XOR, "--level", "gap", "--solution", str(result))
        assert (code, err.count("\n")) == (4, 1) and says in err
    result.write_text(json.dumps({"id": "x", "alpha": ["0.1"] * 3}))
    code, _, err = orca("certify", XOR, "--level", "gap", "--solution", str(result))
    assert code == 4
    assert "3 values" in err


def test_certify_tells_if_fewer_digits_than_requested_are_proved():
    code, _, err = orca("certify", XOR, "--level", "float", "--digits", "60")
    assert code == 0 and err == "note: level float proved 13 of 60 digits; use --level ball\n"
    assert orca("certify", XOR, "--level", "float")[2] == ""
    assert orca("certify", XOR, "--level", "ball", "--digits", "60")[2] == ""


@pytest.mark.parametrize("level", ["gap", "ball", "exact"])
def test_a_wrong_solution_is_repaired_only_on_request(tmp_path, level):
    result, cert = tmp_path / "result.json", tmp_path / "cert.json"
    result.write_text(json.dumps({"id": "x", "alpha": ["-50", *["0.1"] * 7]}))
    words = ("certify", XOR, "--level", level, "--solution", str(result), "-o", str(cert))
    code, out, err = orca(*words)
    assert (code, err, cert.exists()) == (1, "", False)
    assert "given solution: not optimal" in out and "box: alpha_1 = -50.0000 is below 0, off by 50.0" in out
    assert "balance: sum y_i alpha_i = " in out and f"not written: {cert}\nnext: repeat with --repair" in out
    code, out, err = orca(*words, "--repair")
    assert (code, err) == (0, "") and "given solution: not optimal" in out and f"written: {cert}" in out
    assert orca("check-certificate", str(cert))[0] == 0
    code, _, err = orca("certify", XOR, "--repair")
    assert (code, err) == (
        4,
        "orca-exact: --repair: no solution is given; name its file with --solution RESULT\n",
    )


@pytest.mark.parametrize("level", ["gap", "ball", "exact"])
def test_a_right_solution_is_certified_as_it_is(tmp_path, level):
    """Check that the certificate contains the given alpha, not another optimal one."""
    problem, result, cert = (tmp_path / name for name in ("problem.json", "result.json", "cert.json"))
    points = {
        "X": [["-1/2"], ["1/2"], ["1/2"]],
        "y": [1, -1, -1],
        "n": 1,
        "alpha": "0",
        "beta": "0",
        "C": "9",
    }
    problem.write_text(json.dumps(points))
    result.write_text(json.dumps({"id": "x", "alpha": ["4/3", "1", "1/3"], "b": "0"}))
    words = ("certify", str(problem), "--level", level, "--solution", str(result))
    code, out, _ = orca(*words, "-o", str(cert))
    assert code == 0 and "given solution: optimal" in out
    assert orca("check-certificate", str(cert))[0] == 0
    u = json.loads(cert.read_text())["u"]
    assert [abs(QQ(x) - QQ(y)) < QQ("1e-30") for x, y in zip(u, ("2/3", "1/2", "1/6"), strict=True)] == [
        True
    ] * 3
    result.write_text(json.dumps({"id": "x", "alpha": ["4/3", "1", "1/3"], "b": "1/10"}))
    code, out, _ = orca(*words)
    assert code == 1 and "given solution: not optimal" in out


@pytest.mark.parametrize(
    "words",
    [
        "certify p.json",
        "reference p.json",
        "path p.json",
        "problem t.csv",
        "figures",
        "report",
        "study null p.json",
    ],
)
def test_an_empty_name_of_an_output_is_a_usage_error(words, capsys):
    with pytest.raises(SystemExit) as end:
        make_parser(words.split()[0]).parse_args([*words.split(), "-o", ""])
    assert end.value.code == 2 and "the name is empty" in capsys.readouterr().err


def test_schemas_and_doctor():
    code, out, _ = orca("schema", "problem")
    assert code == 0
    assert json.loads(out)["title"]
    assert orca("schema", "nonsense")[0] == 4
    code, out, _ = orca("doctor", "--format", "json")
    assert code == 0
    assert "CLARABEL" in json.loads(out)["solvers"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b"[]", b'{"X": [["nan"]], "y": [1], "n": 1, "alpha": "0", "beta": "0"}',
     b'{"X": [["2"], ["0"]], "y": [1, -1], "n": 1, "alpha": "0", "beta": "0"}',
     b'{"X": [["1"], ["0"]], "y": [1, -1], "n": 1, "alpha": "-1", "beta": "0"}',
     b'{"X": [["1"], ["0"]], "y": [1, 1], "n": 1, "alpha": "0", "beta": "0"}',
     b'{"X": [["1"], ["0"]], "y": [1, -1], "n": 1.5, "alpha": "0", "beta": "0"}'],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["profile", "certify"])
def test_bad_input_is_one_line_and_exit_4(tmp_path, verb, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    code, out, err = orca(verb, str(path))
    assert (code, out) == (4, "")
    assert err.startswith("orca-exact: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


@pytest.mark.parametrize("alpha", quick(["1e-400", "1e-19000"], ["1e-400"]))
@pytest.mark.parametrize("verb", ["profile", "certify", "reference"])
def test_lambda_next_to_a_dyadic_number(tmp_path, verb, alpha):
    path = tmp_path / "near.json"
    path.write_text(json.dumps({"X": [["1"], ["0"]], "y": [1, -1], "n": 1, "alpha": alpha, "beta": "0"}))
    code, _, err = orca(verb, str(path))
    assert code in (0, 3) and err.count("\n") == (code == 3)
    assert code == 0 or alpha == "1e-19000"


def test_w_zero_is_said(tmp_path):
    path = tmp_path / "zero.json"
    path.write_text(json.dumps({"X": [["0"], ["0"]], "y": [1, -1], "n": 2, "alpha": "0", "beta": "0"}))
    code, _, err = orca("profile", str(path), "--arithmetic", "exact")
    assert code == 4
    assert "w = 0" in err


def test_usage_is_exit_2():
    assert orca("profile")[0] == 2
    assert orca("profile", XOR, "--arithmetic", "roman")[0] == 2
    for words in (["reference"], ["reference", XOR, "--vectors", "new"], ["crosscheck"], ["crosscheck", XOR]):
        code, out, err = orca(*words)
        assert (code, out) == (2, "") and "; " in err, words


def test_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "orca_exact", "profile", XOR, "--digits", "5", "--quiet"],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
    )
    assert done.returncode == 0
    assert "OKC" in done.stdout
    assert done.stderr == ""


@not_windows
@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2), (0, 1, 2)])
@pytest.mark.parametrize(("words", "code"), [(["schema", "problem"], 0), (["profile", "absent"], 4)])
def test_streams_that_are_closed(closed, words, code):
    done = subprocess.run(
        [sys.executable, "-m", "orca_exact", *words],
        preexec_fn=lambda: [os.close(stream) for stream in closed],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
    )
    told = code == 4 and 2 not in closed
    assert (done.returncode, done.stderr.count("\n")) == (code, told)


def test_import_is_light():
    """Check that packages for computing, drawing and reading are imported only when they are used."""
    code = "import sys; from orca_exact import *; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", cwd=ROOT
    ).stdout.split()
    heavy = {
        "cvxpy",
        "sympy",
        "matplotlib",
        "sklearn",
        "scipy",
        "rich",
        "pandas",
        "joblib",
        "mpmath",
        "jsonschema",
    }
    assert "orca_exact.problem" in loaded and not heavy & set(loaded)


LOADED = """
import sys
from orca_exact.__main__ import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def imported(*words: str) -> set[str]:
    """Return the names of the modules that a new interpreter has imported after a command."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], capture_output=True, encoding="utf-8", cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in done.stderr.split()}


def test_help_loads_nothing_that_computes():
    assert not imported("--help") & {"numpy", "flint", "sympy", "cvxpy", "sklearn", "scipy", "mpmath", "rich"}


def test_a_small_profile_needs_no_solver():
    assert not imported("profile", XOR) & {"cvxpy", "sklearn", "scipy", "sympy"}
