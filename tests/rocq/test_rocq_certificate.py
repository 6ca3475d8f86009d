"""Certificates in Rocq: they compile, agree with the library, and no other text passes for one."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import replace
from functools import lru_cache

import pytest
from command import orca as orca_command
from here import PROBLEMS
from marks import not_windows

from orca_exact import (
    RBF,
    Jacobi,
    Linear,
    OrthogonalPolynomials,
    Polynomial,
    Problem,
    certify,
    orca,
)
from orca_exact.errors import BadFile, BadParameter, Rejected, ZeroClassifier
from orca_exact.numbers.rationals import QQ, bounds
from orca_exact.rocq import certificate as rocq
from orca_exact.rocq import compiler, proof, reader
from orca_exact.rocq.claims import CONSTRUCTORS, IndexClaim

XOR = PROBLEMS / "xor.json"


def compiles(test):
    """Mark a test that runs coqc on a whole certificate."""
    return pytest.mark.slow(pytest.mark.skipif(not compiler.compiler(), reason="coqc was not found")(test))


@lru_cache(maxsize=8)
def made(level: str, name: str = "xor.json") -> rocq.RocqCertificate:
    """Return a certificate of an example."""
    problem = Problem.load(PROBLEMS / name)
    return rocq.ROCQ_LEVELS[level].make(problem, rocq.DIGITS_IN_ROCQ, str, tuple(CONSTRUCTORS))


@lru_cache(maxsize=8)
def text(level: str, name: str = "xor.json") -> str:
    return made(level, name).to_rocq()


def run(*words: object) -> tuple[int, str, str]:
    return orca_command(*map(str, words))


def read(changed: str) -> rocq.RocqCertificate:
    return reader.read_certificate(changed.encode(), "file.v")


@pytest.mark.parametrize("level, name", [("exact", "xor.json"), ("gap", "xor.json"), ("gap", "mixed.json")])
def test_what_is_written_is_read_again(level, name):
    assert read(text(level, name)).to_rocq() == text(level, name)
    assert "\nModule Certified.\n" in text(level, name) and text(level, name).isascii()
    assert "Require Import" not in text(level, name) and "From Orca" not in text(level, name)


@pytest.mark.parametrize("name", ["xor.json", "mixed.json"])
def test_the_claims_contain_the_indices_of_the_library(name):
    """The enclosures come from rounded alpha; the library's own certificate is the second route."""
    problem = Problem.load(PROBLEMS / name)
    profile = orca(problem, certify(problem, level="ball"), "ball")
    claims = [claim for claim in made("gap", name).claims if isinstance(claim, IndexClaim)]
    assert len(claims) > 2 * problem.d
    for claim in claims:
        low, high = bounds(profile.family(claim.family)[claim.key], 30)
        assert claim.lower <= low and high <= claim.upper, claim
        assert claim.upper - claim.lower <= QQ("3e-8"), claim


def test_rounded_alpha_is_exactly_feasible():
    found = made("gap")
    problem = found.problem
    assert sum(z * y for z, y in zip(found.values, problem.y, strict=True)) == 0
    assert all(0 <= z <= C * 2**found.fixed.scale for z, C in zip(found.values, problem.bounds, strict=True))


ANOTHER_OPTIMUM = """\
Definition optimal (R : rcfType) (pb : problem) (h0 : 'I_(dimension pb) -> R)
  (w : vectors R pb) (b : R) : Prop := (1 < 0 :> R)%R.
Arguments optimal {R} pb h0 w b.
"""


def with_another_optimum(t: str) -> str:
    """Return a file that compiles without axioms and claims OKC^(1) = 0.98; nothing is ``optimal`` in it."""
    start, end = t.index("Lemma checked :"), t.index("Lemma weights_checked")
    t = t[:start] + t[end:]
    t = re.sub(r"(Proof\.\n)have \[h0_gt0.*?Qed\.",
               "\\1have [_ _ on] := weights_certified R weights_checked.\n"
               "by split=> // w b; rewrite /optimal ltr10.\nQed.", t, flags=re.DOTALL)  # fmt: skip
    return t.replace(rocq.DATA, ANOTHER_OPTIMUM + rocq.DATA).replace("0.2802", "0.9802")


FORGERIES = {
    "another definition after the theory": with_another_optimum,
    "an axiom": lambda t: t.replace("Lemma checked", "Axiom cheat : False.\nLemma checked"),
    "a proof left out": lambda t: t.replace("vm_cast_no_check (erefl true). Qed", "admit. Admitted"),
    "a weaker theorem": lambda t: re.sub(
        r"optimal the_problem h0 w b ->\n.*?\.\n", "True.\n", t, flags=re.DOTALL
    ),
    "a theorem that the claims do not give": lambda t: t.replace("is_peak w 2", "is_peak w 3"),
    "a command": lambda t: t + 'Redirect "stolen" Print nat.\n',
    "a command in the data": lambda t: t.replace("Peak 2;", "Peak 2]. Extraction nat. Check [:: Peak 2;"),
    "a definition in the theory": lambda t: t.replace("Definition okc_even", "Definition okc_even0", 1),
    "a comment in the theory": lambda t: t.replace("Module Certified.", "Module Certified. (* *)", 1),
    "another lambda": lambda t: t.replace("lambda_lower : Q := 0.25", "lambda_lower : Q := 0.2"),
    "another weight": lambda t: t.replace("seq (nat * nat) := [:: (0, 0)", "seq (nat * nat) := [:: (1, 0)"),
    "another point": lambda t: t.replace("Sample [:: (Qmake 1 9)", "Sample [:: (Qmake 2 9)"),
    "another recurrence": lambda t: t.replace("(Qmake 1 3));", "(Qmake 1 4));", 1),
    "another problem": lambda t: t.replace('"C":"1"', '"C":"2"'),
    "a problem that ends the comment": lambda t: t.replace('"C":"1"', '"C":"1*) Axiom a : False. (*"'),
    "a claim about another index": lambda t: t.replace("Between (Order 0)", "Between (Order 9)"),
    "a longer number": lambda t: t.replace("Peak 2;", "Peak 00000000002;"),
    "other characters": lambda t: t.replace("The theorem.", "The theor\u0435m."),
    "digits of another script": lambda t: t.replace("Peak 2;", "Peak \u0662;"),
    "digits of another script in a bound": lambda t: t.replace("Between Even 0.5", "Between Even 0.\u0665"),
    "digits of another script in a precision": lambda t: re.sub(r"(GapCertificate )\d+", "\\1\u0667", t),
    "other line ends": lambda t: t.replace("\n", "\r\n"),
    "nothing after the data": lambda t: t[: t.index("(* The theorem. *)")],
    "a theorem without claims": lambda t: replace(made("gap"), claims=()).to_rocq(),
    "other axioms printed": lambda t: t.replace("Print Assumptions certified", "Print Assumptions checked"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_any_other_text_is_rejected_before_coqc_sees_it(what, monkeypatch, tmp_path):
    def never(*arguments):
        raise AssertionError("coqc was called")

    monkeypatch.setattr(proof, "compile_text", never)
    forged = FORGERIES[what](text("gap"))
    assert forged != text("gap")
    with pytest.raises(Rejected):
        read(forged)
    (tmp_path / "Forged.v").write_bytes(forged.encode())
    code, out, err = run("check-certificate", tmp_path / "Forged.v")
    assert (code, out) == (1, "") and "rejected" in err and "Traceback" not in err


def test_the_theory_in_a_file_has_the_digest_that_the_file_states(tmp_path):
    """Anybody can compare the theory without this package: by sed and sha256sum."""
    stated = re.search(r"theory: sha256 (\w{64})\n   sed -n '(\d+),(\d+)p' FILE.v", text("gap"))
    digest, first, last = stated[1], int(stated[2]), int(stated[3])
    lines = text("gap").encode().splitlines(keepends=True)
    assert hashlib.sha256(b"".join(lines[first - 1 : last])).hexdigest() == digest == rocq.theory_digest()
    before, after = ("".join(map(bytes.decode, part)) for part in (lines[: first - 1], lines[last:]))
    assert re.fullmatch(r'(\(\*(?s:.*?)\*\)\n)+Set Warnings "[\w,-]+"\.\n', before)
    assert "Definition optimal" in text("gap") and "Definition optimal" not in after
    names = re.findall(r"^(?:Definition|Notation|Lemma|Theorem|Axiom) (\w+)", after, re.MULTILINE)
    assert set(names) <= {
        "the_problem", "lambda_lower", "lambda_upper", "weights", "certificate", "claims",
        "weights_checked", "checked", "certified",
    }  # fmt: skip


@compiles
def test_coqc_alone_accepts_a_file_that_defines_optimal_anew():
    """So no text of ours says that coqc is enough for a file of somebody else."""
    forged = with_another_optimum(text("gap"))
    assert compiler.compile_text(forged).printed.strip() == compiler.CLOSED
    with pytest.raises(Rejected, match=f"line {forged.split(chr(10)).index(rocq.DATA) - 2} "):
        read(forged)
    assert "It does not show that\n   they are the right ones" in text("gap")


def test_the_line_that_differs_is_named():
    line = text("gap").split("\n").index("Print Assumptions certified.") + 1
    with pytest.raises(Rejected, match=f"line {line} "):
        read(text("gap").replace("Print Assumptions certified", "Print Assumptions checked"))
    with pytest.raises(Rejected, match="another theory"):
        read(re.sub("theory: sha256 .{64}", f"theory: sha256 {'0' * 64}", text("gap")))


def test_a_file_of_another_kind_is_bad_input(tmp_path):
    (tmp_path / "Other.v").write_text("Definition x := 1.\n")
    code, _, err = run("check-certificate", tmp_path / "Other.v")
    assert code == 4 and "not a certificate in Rocq" in err
    with pytest.raises(BadFile):
        read("")


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2, 1, 1), RBF(1)])
def test_other_kernels_are_refused(kernel):
    problem = Problem([[0, 1], [1, 0], [1, 1]], [1, -1, 1], kernel=kernel)
    with pytest.raises(BadParameter, match="orthogonal polynomials"):
        rocq.rocq_certificate(problem)


def test_w_0_has_a_certificate_of_level_exact_only():
    problem = Problem([["1/2"], ["1/2"]], [1, -1], n=1, alpha=0, beta=0)
    with pytest.raises(ZeroClassifier, match="--level exact"):
        rocq.ROCQ_LEVELS["gap"].make(problem, 8, str, ("order",))
    assert rocq.rocq_certificate(problem, "exact").claims == ()


def test_w_0_with_an_irrational_lambda_is_not_sent_from_one_level_to_the_other(tmp_path):
    """Both points are at their bound, so that lambda alpha is irrational."""
    problem = Problem([["1/2"], ["1/2"]], [1, -1], n=1, alpha="1/2", beta="1/3")
    (tmp_path / "zero.json").write_text(json.dumps(problem.to_json()))
    for level in rocq.ROCQ_LEVELS:
        with pytest.raises(ZeroClassifier, match="without --rocq") as found:
            rocq.rocq_certificate(problem, level)
        assert "--level gap" not in str(found.value)
    code, out, err = run("certify", tmp_path / "zero.json", "--level", "exact")
    assert code == 0 and "proved in exact arithmetic" in out, err


def test_without_coqc_the_file_is_written_and_not_compiled(monkeypatch, tmp_path):
    monkeypatch.setattr(compiler, "compiler", lambda: None)
    monkeypatch.setattr(proof, "compiler", lambda: None)
    file = tmp_path / "Xor.v"
    code, out, err = run("certify", XOR, "--rocq", file, "--level", "exact")
    assert code == 0 and "to be proved by Rocq" in out and "coqc was not found; install" in err
    assert file.read_text() == text("exact")
    code, out, err = run("certify", XOR, "--rocq", file, "--format", "json", "-o", tmp_path / "cert.json")
    found = json.loads(out)
    assert code == 0 and not found["rocq"]["compiled"] and found["rocq"]["claims"]
    assert found["certificate"] == json.loads((tmp_path / "cert.json").read_text())["sha256"]
    code, _, err = run("check-certificate", file)
    assert code == 5 and "coqc was not found" in err


ERROR_NEAR_DATA = """\
line=$(grep -nxF '(* The data. *)' Certificate.v | cut -d: -f1)
echo "File \\"./Certificate.v\\", line $((line + {})), characters 0-9:" >&2
echo "Error: wrong" >&2; exit 1"""
WARNING = """echo 'File "./Certificate.v", line 6, characters 0-9:' >&2; echo 'Warning: old.' >&2
"""


@not_windows
@pytest.mark.parametrize(
    "script, code, message",
    [
        ("kill -9 $$", 4, "neither accepted nor rejected"),
        (ERROR_NEAR_DATA.format(-1), 5, "neither proved nor refuted; install Coq"),
        ("echo 'Error: System error: \"No space left on device\"' >&2; exit 1", 5, "make room on the disk"),
        (ERROR_NEAR_DATA.format(1), 1, "rejected: proof"),
        (WARNING + ERROR_NEAR_DATA.format(1), 1, "rejected: proof"),
        ("echo Axioms:; echo cheat : False", 1, "rejected: proof"),
        ("exit 0", 1, "rejected: proof"),
    ],
)
def test_only_an_error_in_the_data_or_an_axiom_refutes_a_certificate(
    script, code, message, monkeypatch, tmp_path
):
    """The theory is ours: if coqc cannot compile it or is stopped, the file is neither right nor wrong."""
    program = tmp_path / "coqc"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(proof, "compiler", lambda: "8.16.1")
    (tmp_path / "Xor.v").write_text(text("gap"))
    found, out, err = run("check-certificate", tmp_path / "Xor.v")
    assert (found, out) == (code, "") and message in err and "Traceback" not in err
    assert ("the file does not prove its claims" in err) == (code == 1)


def test_coqc_is_not_started_if_its_limit_is_too_small(monkeypatch, tmp_path):
    """An estimate above the limit would cost that much time and prove nothing."""
    monkeypatch.setattr(compiler, "compiler", lambda: "8.16.1")
    monkeypatch.setattr(compiler, "PATIENCE", 10)
    monkeypatch.setattr(proof, "compile_text", lambda *arguments: pytest.fail("coqc was called"))
    code, out, err = run("certify", XOR, "--rocq", tmp_path / "Xor.v", "--level", "gap")
    assert code == 0 and "to be proved by Rocq" in out and "not compiled: coqc would be stopped after" in err
    assert (tmp_path / "Xor.v").read_text() == text("gap")


def test_what_is_printed_contains_what_is_stated():
    """The bounds of lambda agree in more digits than the 28 of Python's decimals."""
    certificate = made("gap", "mixed.json")
    line = next(line for line in proof.describe_claims(certificate) if line.startswith("assumed: lambda = "))
    centre, radius = map(QQ, line.removeprefix("assumed: lambda = ").split(" (")[0].split(" ± "))
    low, high = certificate.lambda_ends
    assert centre - radius <= low < high <= centre + radius and radius < QQ("1e-30")
    ends = proof.statement_json(certificate)["assumed"]["lambda"]
    assert (QQ(ends["lower"]), QQ(ends["upper"])) == (low, high)
    assert proof.statement_json(made("gap"))["assumed"] == {}


@pytest.mark.parametrize(
    "words, message",
    [
        (("--rocq", "my-file.v"), "not a name that coqc accepts"),
        (("--rocq", "xor.txt"), "not a name that coqc accepts"),
        (("--rocq", "x.v", "--solution", "result.json"), "cannot be combined with --rocq"),
        (("--rocq", "x.v", "--digits", "1000"), "pass 1 to 60"),
        (("--rocq", "missing/x.v"), "folder does not exist"),
    ],
)
def test_options_that_do_not_fit(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("certify", XOR, *words)
    assert code in (2, 4) and out == "" and message in err and not list(tmp_path.iterdir())


@compiles
@pytest.mark.parametrize("level", rocq.ROCQ_LEVELS)
def test_a_certificate_compiles_by_itself(level, tmp_path):
    """The verbs write it, compile it and accept it; coqc gets this file and nothing else."""
    file = tmp_path / "Xor.v"
    code, out, err = run("certify", XOR, "--rocq", file, "--level", level)
    assert code == 0 and f"proved by Rocq ({compiler.CLOSED}), level {level}:" in out, err
    code, out, err = run("check-certificate", file, "--format", "json")
    found = json.loads(out)
    assert code == 0 and found["accepted"] and found["assumptions"] == compiler.CLOSED
    assert found["problem"] == Problem.load(XOR).sha256


def limited_problem() -> Problem:
    """Return a problem with an order limit, a degree for each column and a bound C_i for each point."""
    kernel = OrthogonalPolynomials([1, 3, 2], [Jacobi(0, 0), Jacobi(1, 0), Jacobi(2, 3)], order=2)
    X = [["1/3", "1/2", "-1/4"], ["-2/3", "1/5", "1/2"], ["3/4", "-1/2", "1/3"], ["-1/2", "-3/4", "-2/5"],
         ["1/6", "2/3", "4/5"], ["-1/7", "-1/3", "1/8"]]  # fmt: skip
    bounds = ["1/2", 3, 1, "3/4", 2, 1]
    return Problem(X, [1, -1, -1, 1, 1, -1], kernel=kernel, C=bounds)


@compiles
@pytest.mark.parametrize("level", rocq.ROCQ_LEVELS)
def test_order_limit_degrees_by_column_and_weights_are_proved(level):
    problem = limited_problem()
    assert problem.highest_order < problem.d and len(set(problem.degrees)) == 3 and problem.is_weighted
    certificate = rocq.rocq_certificate(problem, level, 6)
    orders = {claim.key[0]: claim for claim in certificate.claims if getattr(claim, "family", "") == "order"}
    assert orders[3].lower == 0 and orders[2].lower > 0
    assert certificate.weights == ((0, 0), (1, 0), (2, 3))
    assert proof.prove_in_rocq(certificate).assumptions == compiler.CLOSED


@compiles
def test_other_weights_are_proved_with_a_hypothesis_about_lambda():
    certificate = made("gap", "mixed.json")
    assert certificate.weights == () and "<= lambda h0 <=" in certificate.to_rocq()
    assert proof.prove_in_rocq(certificate).assumptions == compiler.CLOSED


def test_the_theorem_assumes_nothing_about_lambda_if_every_weight_is_a_polynomial():
    theorem = text("gap")[text("gap").index("Theorem certified (R") :]
    assert "masses R the_problem weights" in theorem and "lambda" not in theorem
    for alpha in ("1/2", 101):  # a power that is not a polynomial; one that is too long
        problem = Problem([["1/2"], ["1/3"]], [1, -1], n=1, alpha=alpha, beta=0)
        assert rocq.RocqCertificate(problem, (), QQ(0), ()).weights == ()


@compiles
@pytest.mark.parametrize(
    "level, old, new",
    [
        ("gap", r"\[:: (\d+)(\d)(\d{20});", lambda m: f"[:: {m[1]}{(int(m[2]) + 1) % 10}{m[3]};"),  # alpha
        ("gap", r"Between Even (0\.\d{4})\d*", lambda m: f"Between Even {m[1]}9"),  # a bound beyond the truth
        ("gap", "Peak 2", lambda m: "Peak 3"),
        ("exact", r"Equal Even \(Qmake (\d+)", lambda m: f"Equal Even (Qmake {int(m[1]) + 1}"),
    ],
)
def test_a_false_claim_is_not_proved(level, old, new, tmp_path):
    """The numbers are read and the file is written from them: only coqc can object, and does."""
    forged = re.sub(old, new, text(level), count=1)
    assert forged != text(level)
    file = tmp_path / "False.v"
    file.write_text(reader._read_numbers(forged, "file.v").to_rocq())
    code, out, err = run("check-certificate", file)
    assert (code, out) == (1, "") and "rejected: proof" in err
