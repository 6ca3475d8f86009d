"""The extracted checker and the checker in Python give the same verdicts.

By design they differ in three ways, which are tested here: the program says "not covered" (exit code 3) for
paths and for kernels without orthogonal polynomials; it does not read the digest; and its limits on sizes
are those of the numbers, not of the products.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import re
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from random import Random

import pytest
from by_hand import LAMBDA, signed
from here import ROOT
from marks import not_windows

from orca_exact import checker
from orca_exact.checker import conditions, kernels
from orca_exact.cli.parser import make_parser, run_verb
from orca_exact.errors import BadFile, Rejected, SolverFailed, Undecided
from orca_exact.rocq import extracted
from orca_exact.rocq.compiler import compiler

SPEC = importlib.util.spec_from_file_location("fuzz", ROOT / "tests" / "checker" / "test_checker_fuzz.py")
fuzz = importlib.util.module_from_spec(SPEC)  # its forgers
SPEC.loader.exec_module(fuzz)
TWO_POINTS = ROOT / "examples" / "certificates" / "two_points.json"
NOT_COVERED = 3
with_ocaml = pytest.mark.skipif(not extracted.ocaml_compiler(), reason="OCaml with Zarith was not found")


def builds(test):
    """Mark a test that runs the whole program."""
    both = pytest.mark.skipif(
        not (compiler() and extracted.ocaml_compiler()), reason="coqc, or OCaml with Zarith, was not found"
    )
    return pytest.mark.slow(both(test))


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """Build the program once for all workers; the cache keeps it for the next run."""
    fcntl = pytest.importorskip("fcntl", reason="the workers cannot wait for each other")
    with open(tmp_path_factory.getbasetemp().parent / "extracted.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return extracted.build_checker()


# The parts of the driver that need no theory.


def run_ocaml(folder, modules, main):
    for name in modules:
        (folder / name).write_text((extracted.ocaml_folder() / name).read_text())
    (folder / "main.ml").write_text(main)
    made = extracted.compile_program(folder, [*modules, "main.ml"])
    return subprocess.run([made], capture_output=True, text=True, check=True).stdout.splitlines()


TEXTS = [
    "0",
    "-0.5",
    "+1",
    ".5",
    "5.",
    "1e3",
    "1E-3",
    "-12.50e+2",
    "0x1p-3",
    "0X.8",
    "0x1.8P1",
    "-0xff",
    "3/7",
    "-6/4",
    "007/09",
    "",
    " ",
    "x",
    "1/0",
    "1/-2",
    "--1",
    "1e",
    ".",
    "1e999999",
    "0x",
    "0x1p",
    "1_0",
    "1 ",
    "1\n",
    "inf",
    "nan",
    "1/2/3",
    "0x1g",
]


@with_ocaml
def test_numbers_are_read_as_in_python(tmp_path):
    listed = "; ".join(json.dumps(text) for text in TEXTS)
    found = run_ocaml(
        tmp_path,
        ["numbers.ml"],
        f"""let () = List.iter (fun text -> print_endline
      (try Q.to_string (Numbers.rational text) with Numbers.Error _ -> "refused")) [{listed}]""",
    )

    def read(text):
        try:
            return str(checker.reading.number(text))
        except ValueError:
            return "refused"

    assert found == [read(text) for text in TEXTS]
    assert "refused" in found and "1/8" in found


MEASURES = [
    ("Jacobi (Q.zero, Q.zero)", ("jacobi", 1, (0, 0))),
    ("Jacobi (Q.of_ints 1 2, Q.of_ints (-1) 2)", ("jacobi", 1, ("1/2", "-1/2"))),
    ("Jacobi (Q.of_ints 1 3, Q.of_ints 7 2)", ("jacobi", 1, ("1/3", "7/2"))),
    ("Hermite", ("hermite", 1, ())),
    ("Laguerre (Q.of_ints 5 3)", ("laguerre", 1, ("5/3",))),
    ("Discrete [Q.zero, Q.of_int 3; Q.one, Q.of_ints 1 2]", ("discrete", 1, ((0, 1), 1, (6, 1), 2))),
]


@with_ocaml
@pytest.mark.parametrize("bits", [1, 64, 300])
def test_bounds_of_lambda_are_those_of_python(tmp_path, bits):
    lists = [[measure] for measure in MEASURES] + [MEASURES[:4], [MEASURES[3]] * 2]
    calls = "; ".join("[" + "; ".join("Lambda." + name for name, _ in each) + "]" for each in lists)
    found = run_ocaml(
        tmp_path,
        ["lambda.ml"],
        f"""let () = List.iter (fun measures ->
      match Lambda.bounds measures {bits} with
      | Some (a, b) -> print_endline (Q.to_string a ^ " " ^ Q.to_string b)
      | None -> print_endline "undecided") [{calls}]""",
    )
    expected = []
    for each in lists:
        measures = tuple(
            kernels.Measure(f, n, tuple(map(fuzz.Q, x)) if f != "discrete" else x) for _, (f, n, x) in each
        )
        expected.append(" ".join(map(str, kernels.lambda_bounds(measures, bits))))
    assert found == expected


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(extracted, "compiler", lambda: None)
    with pytest.raises(SolverFailed, match=r"install Coq 8\.16 with MathComp 1\.15 or Coq 8\.20"):
        extracted.build_checker()
    monkeypatch.setattr(extracted, "compiler", lambda: "8.16.1")
    monkeypatch.setattr(extracted, "ocaml_compiler", lambda: None)
    with pytest.raises(SolverFailed, match="install OCaml with Zarith"):
        extracted.build_checker()


@not_windows
@pytest.mark.parametrize(
    "commands, error, message",
    [
        ("echo rejected: claims: wrong >&2; exit 1", Rejected, "claims: wrong"),
        ("exit 2", SolverFailed, "ended with code 2"),
        ("echo not covered: a path >&2; exit 3", Undecided, "c.json: not covered: a path; check it without"),
        ("echo -: not a certificate: empty >&2; exit 4", BadFile, "c.json: not a certificate: empty"),
        ("while :; do :; done", Undecided, "took more than 1 s of CPU time"),
        (
            "echo Fatal error: out of memory >&2; kill -ABRT $$",
            Undecided,
            "stopped: Fatal error: out of memory",
        ),
    ],
)
def test_every_end_of_the_program_has_its_error(tmp_path, commands, error, message):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{commands}\n")
    program.chmod(0o700)
    with pytest.raises(error, match=re.escape(message)):
        extracted.check_extracted(b"", "c.json", program, seconds=1)


def test_a_proof_in_rocq_is_not_for_the_extracted_checker(tmp_path):
    (tmp_path / "proof.v").write_text("(* a certificate in Rocq *)")
    args = make_parser("check-certificate").parse_args(
        ["check-certificate", "--extracted", str(tmp_path / "proof.v")]
    )
    assert run_verb(args, StringIO(), complaint := StringIO()) == 4
    assert "leave out --extracted" in complaint.getvalue()


# The whole program.


def verdicts(raw, program, path):
    """Return the exit codes of the checker in Python and of the program, and the message of the former."""
    path.write_bytes(raw)
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()) as err:
        code = checker.main([str(path)])
    return code, subprocess.run([program, path], capture_output=True).returncode, err.getvalue()


def assert_agree(raw, program, path):
    """Compare the verdicts; return the pair of exit codes."""
    code, found, why = verdicts(raw, program, path)
    digest_alone = why.startswith("rejected: sha256") and found == 0
    assert found in (code, NOT_COVERED) or digest_alone, (code, found, why)
    if found == NOT_COVERED:
        data = json.loads(raw)
        family = data["problem"].get("kernel", {}).get("family") if data["schema"] != checker.PATH else "path"
        assert family in ("linear", "polynomial", "rbf", "path")
    return code, found


@builds
def test_genuine_certificates_are_accepted(program, tmp_path):
    found = [assert_agree(json.dumps(c).encode(), program, tmp_path / "c.json") for c in fuzz.honest()]
    assert found.count((0, 0)) >= 20 and all(code == 0 for code, _ in found)


def accepted_by_the_theorems():
    """Return files that only the driver can refuse, because the conditions of the theorems hold."""
    found = []
    for data in map(copy.deepcopy, fuzz.honest()):
        bounds = data["lambda"]  # wider than those of prod 1/h_0
        bounds["lower"] = str(fuzz.rational(bounds["lower"]) - fuzz.Q(1, 2**200))
        bounds["upper"] = str(fuzz.rational(bounds["upper"]) + fuzz.Q(1, 2**200))
        found.append(data)
    for key in (None, "problem", "lambda", "b", "active", "claims"):
        data = json.loads(TWO_POINTS.read_text())
        (data[key] if key else data)["unknown"] = "0"
        found.append(data)
    outside = json.loads(TWO_POINTS.read_text())
    outside["problem"]["X"] = [["-2"], ["2"]]
    outside |= {"u": ["1/24", "1/24"], "b": {"u": "0", "v": "0"}}
    outside["claims"]["norm2"] = {"lower": "1/6", "upper": "1/6"}
    one_label = json.loads(TWO_POINTS.read_text())
    one_label["problem"]["y"] = [1, 1]
    one_label |= {
        "level": "gap",
        "u": ["0", "0"],
        "b": {"u": "1", "v": "0"},
        "active": {"free": [], "bound": []},
    }
    one_label["claims"] |= {"norm2": {"lower": "0", "upper": "0"}}
    one_label["claims"] |= dict.fromkeys(("alpha_unique", "b_unique", "hard_margin"))
    return [json.dumps(signed(data)).encode() for data in (*found, outside, one_label)]


@builds
def test_the_driver_refuses_what_the_theorems_do_not_mention(program, tmp_path):
    found = [assert_agree(raw, program, tmp_path / "c.json") for raw in accepted_by_the_theorems()]
    assert found.count((1, 1)) >= 20 and all(code == 1 for code, _ in found)


@builds
@pytest.mark.parametrize("first", range(0, 2000, 250))
def test_hostile_files(first, program, tmp_path, monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)
    seeds = range(first, first + 250)
    found = [assert_agree(fuzz.hostile(Random(s))[0], program, tmp_path / "c.json") for s in seeds]
    assert {(0, 0), (1, 1), (4, 4)} <= set(found)


@builds
@pytest.mark.parametrize("first", range(0, 2000, 250))
def test_another_kernel(first, program, tmp_path, monkeypatch):
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)
    found = []
    for seed in range(first, first + 250):
        random = Random(seed)
        data = copy.deepcopy(random.choice(fuzz.limited_certificates()))
        try:
            for _ in range(random.choice([1, 1, 2, 3])):
                data = fuzz.another_kernel(data, random)
        except (KeyError, TypeError, IndexError):
            pass
        found.append(assert_agree(json.dumps(signed(data)).encode(), program, tmp_path / "c.json"))
    assert {(0, 0), (1, 1)} <= set(found)


@builds
def test_the_digest_is_read_by_the_verb_only(program, tmp_path):
    data = json.loads(TWO_POINTS.read_text()) | {"sha256": "0" * 64}
    path = tmp_path / "c.json"
    assert verdicts(json.dumps(data).encode(), program, path)[:2] == (1, 0)
    complaint = StringIO()
    args = make_parser("check-certificate").parse_args(["check-certificate", "--extracted", str(path)])
    assert run_verb(args, StringIO(), complaint) == 1
    assert "sha256: the digest does not match" in complaint.getvalue()


@builds
def test_the_verb_accepts_and_names_the_theorem(program):
    out = StringIO()
    args = make_parser("check-certificate").parse_args(["check-certificate", "--extracted", str(TWO_POINTS)])
    assert run_verb(args, out, StringIO()) == 0
    assert "accepted at level exact by the extracted checker" in out.getvalue()
    assert "exact_file_certified" in out.getvalue()


MUTANTS = {  # a wrong line of the driver
    "u and v exchanged": ('u_of = list "u" quotient (get "u")', 'u_of = list "u" quotient (get "v")'),
    "labels turned": ("labels = p.labels;", "labels = List.map Z.neg p.labels;"),
    "rescale forgotten": ("rescale = p.scale;", "rescale = false;"),
    "C forgotten": (
        "boxes = List.map fraction p.boxes;",
        "boxes = List.map (fun _ -> fraction Q.one) p.boxes;",
    ),
    "order forgotten": ("order_of = Z.of_int p.order;", "order_of = Z.of_int (List.length p.degrees);"),
    "always exact": ('V.exact = level = "exact";', "V.exact = true;"),
    "lambda not compared": ("when Q.equal low lower && Q.equal high upper", ""),
    "claims of norm2": ('(norm2 "upper")', '(norm2 "lower")'),
    "domain not checked": ("check_points p file;", ""),
    "free and bound exchanged": ('free_points = indices "free"', 'free_points = indices "bound"'),
    "inverse never found": (
        "Array.to_list (Array.map (fun row -> Array.to_list",
        "if true then [] else Array.to_list (Array.map (fun row -> Array.to_list",
    ),
    "weights forgotten": ("fraction x, fraction w) nodes", "fraction x, fraction Q.one) nodes"),
    "unknown fields allowed": ("List.for_all known given &&", ""),
    "both labels not required": ("&& is Q.one && is Q.minus_one", ""),
}


@builds
@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_driver_is_detected(name, program, tmp_path, monkeypatch):
    """The comparison above fails for each of these drivers."""
    monkeypatch.setattr(conditions, "lambda_bounds", LAMBDA)
    folder = tmp_path / "mutant"
    shutil.copytree(program.parent, folder)
    old, new = MUTANTS[name]
    driver = (folder / "check.ml").read_text()
    assert driver.count(old) == 1
    (folder / "check.ml").write_text(driver.replace(old, new))
    made = extracted.compile_program(folder)
    files = [json.dumps(c).encode() for c in fuzz.honest()]
    files += accepted_by_the_theorems()
    files += [fuzz.hostile(Random(seed))[0] for seed in range(100)]
    assert any(_differs(raw, made, tmp_path / "c.json") for raw in files)


def _differs(raw, program, path):
    code, found, why = verdicts(raw, program, path)
    return found not in (code, NOT_COVERED) and not why.startswith("rejected: sha256")
