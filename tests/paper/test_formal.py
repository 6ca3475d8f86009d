"""The machine-checked theorems compile, have the listed statements, use no axiom, and are not vacuous.

``theorems.toml`` lists each statement, and Rocq compares it with the type of the theorem by conversion. That
catches every change of a statement: a sign, a factor, an index, a hypothesis more or less. It does not catch
a definition that changed under the same name: if nothing is ``feasible``, then every theorem about a feasible
alpha is true, and reads as before.

A twin (``proofs_checks/formal/twins``) catches that. It states a theorem twice, ``right`` as it is and
``wrong`` by a sign, a factor or an index, and proves ``~ wrong`` on an example, which needs definitions that
mean something there. So a twin is kept only if it refutes ``wrong`` and its theorem names a definition of the
development. That the theorem does not prove ``wrong`` follows, and needs no test.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from here import ROOT

from orca_exact.errors import SolverFailed
from orca_exact.files.outcomes import HOLDS, UNDECIDED
from orca_exact.rocq import compiler as rocq
from orca_exact.rocq import theory
from orca_exact.runtime import cache
from proofs_checks.ledger import theorems as formal
from proofs_checks.ledger.claims import FOR_ALL, SAMPLED, TRANSCRIBED, claims
from proofs_checks.ledger.headline import formal_line
from proofs_checks.ledger.relations import Note
from proofs_checks.ledger.theorems import Formal, Proof, theorems

TWINS = [theorem for theorem in theorems() if theorem.twin]
UNPROVED = r"\b(Admitted|Axiom|Parameter|Conjecture|admit)\b"
DEFINES = r"^(?:Definition|Fixpoint|Record) (\w+)"


def compiles(test):
    """Mark a test that runs coqc."""
    return pytest.mark.slow(pytest.mark.skipif(not rocq.compiler(), reason="coqc was not found")(test))


@pytest.fixture(scope="session")
def proofs(tmp_path_factory):
    """Compile the development once for all workers; the cache keeps it for the next run."""
    fcntl = pytest.importorskip("fcntl", reason="the workers cannot wait for each other")
    with open(tmp_path_factory.getbasetemp().parent / "formal.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return formal.compile_all(jobs=2)


@pytest.fixture
def development(tmp_path, monkeypatch):
    """Return a function that checks a small development of our own instead."""

    def check(sources: dict[str, str], listed: list[tuple[str, str, str]]) -> dict[str, Proof]:
        folder = tmp_path / "formal"
        folder.mkdir(exist_ok=True)
        (folder / "_CoqProject").write_text("\n".join(["-Q . Orca", *sources]) + "\n")
        for name, text in sources.items():
            (folder / name).write_text(text)
        entry = (
            "[[theorem]]\ntheorem = '{}'\nfile = '{}'\nstatement = '{}'\n"
            "says = ''\nlatex = ''\ncovers = ['c']\n"
        )
        (folder / "theorems.toml").write_text("".join(entry.format(*row) for row in listed))
        formal.theorems.cache_clear()
        return formal.compile_all(jobs=2)

    monkeypatch.setattr(formal, "theorem_folder", lambda: tmp_path / "formal")
    monkeypatch.setattr(theory, "theory_folder", lambda: tmp_path / "formal")
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "cache")
    yield check
    formal.theorems.cache_clear()


@compiles
def test_every_theorem_is_proved_without_axioms(proofs):
    objections = {t.name: Formal(t, proofs[t.name]).evidence() for t in theorems()
                  if Formal(t, proofs[t.name]).decide() != HOLDS}  # fmt: skip
    assert objections == {}
    assert len(proofs) == len(theorems())


@compiles
def test_a_theorem_has_the_listed_statement_up_to_conversion(development):
    """Neither a stronger nor a weaker theorem counts, and one that differs does not hide the next."""
    same = [
        "forall n : nat, (n <= n)%N",
        "forall k, is_true (leq k k)",  # the same term, written otherwise
        "forall n : nat, (n < n.+1)%N",  # n < m is defined as n.+1 <= m
    ]
    other = [
        "forall n : nat, (n <= n.+1)%N",  # weaker
        "forall n : nat, (n > 0)%N -> (n <= n)%N",  # weaker: one more hypothesis
        "(0 <= 0)%N",  # weaker: an instance
        "forall n m : nat, (n <= m)%N",  # stronger
        "forall n : nat, true = (n <= n)%N",
        "forall n : nat, (n <= n)%N \\/ False",
        "forall n : nat, unknown n",  # cannot be read
    ]
    listed = [same[0], other[0], *same[1:], *other[1:]]
    line = "Theorem refl_{} : forall n : nat, n <= n. Proof. exact: leqnn. Qed.\n"
    text = "From mathcomp Require Import all_ssreflect.\n"
    text += "".join(line.format(k) for k in range(len(listed)))
    entries = [(f"refl_{k}", "Order.v", statement) for k, statement in enumerate(listed)]
    found = development({"Order.v": text}, [*entries, ("absent", "Order.v", "True")])
    assert "absent" in found["Order.absent"].error
    for theorem in theorems()[:-1]:
        relation = Formal(theorem, found[theorem.name])
        assert relation.decide() == (HOLDS if theorem.statement in same else UNDECIDED), theorem.statement
        if theorem.statement in other:
            assert "is not the one in theorems.toml: forall n : nat, (n <= n)%N" in relation.evidence()


def twin(theorem: formal.Theorem) -> str:
    return (formal.theorem_folder() / theorem.twin).read_text()


def test_a_twin_refutes_a_theorem_about_our_definitions():
    """Any other twin would catch nothing that the listed statement does not."""
    sources = "".join(theory.theory_text(file) for file in theory.file_order())
    ours = set(re.findall(DEFINES, sources, re.MULTILINE))
    assert {path.name for path in (formal.theorem_folder() / "twins").iterdir()} == {
        Path(t.twin).name for t in TWINS
    }
    for theorem in TWINS:
        text = twin(theorem)
        term = rf"@(?:{theorem.file.removesuffix('.v')}\.)?{theorem.theorem}\."
        assert re.search(rf"^Definition proved : right := {term}$", text, re.MULTILINE), theorem.twin
        assert re.search(r"^Theorem refuted (\(R : rcfType\) )?: ~ wrong\.$", text, re.MULTILINE), (
            theorem.twin
        )
        assert not re.search(UNPROVED, text), theorem.twin
        assert ours & set(re.findall(r"\w+", theorem.statement)), theorem.twin


@compiles
@pytest.mark.parametrize("file", [file for file in theory.file_order() if any(t.file == file for t in TWINS)])
def test_the_twins_are_refuted(proofs, tmp_path, file):
    """All twins of one file at a time: loading MathComp takes longer than most of them."""
    heads, bodies = [], []
    for text in (twin(t) for t in TWINS if t.file == file):
        head, body = text.split("\nModule ", 1)
        heads += [line for line in head.splitlines() if not line.startswith("(*") and line not in heads]
        bodies.append("Module " + body)
    together = tmp_path / f"Twins{file}"
    together.write_text("\n".join(heads + bodies))
    assert rocq.run_coqc(together, formal.compiled_folder())[1] == ""


@compiles
@pytest.mark.parametrize("definition, caught", [("a = b", False), ("False", True)])
def test_a_twin_catches_an_empty_definition(development, tmp_path, definition, caught):
    """Even if ``same`` is empty, Rocq proves the listed statement without axioms: only the twin objects."""
    statement = "forall a b : bool, same a b -> same b a"
    text = f"Definition same (a b : bool) : Prop := {definition}.\n"
    text += f"Theorem swap : {statement}. Proof. intros a b H; now destruct H. Qed.\n"
    found = development({"Same.v": text}, [("swap", "Same.v", statement)])
    assert Formal(theorems()[0], found["Same.swap"]).decide() == HOLDS
    (tmp_path / "Twin.v").write_text(
        "From Orca Require Import Same.\n"
        "Theorem refuted : ~ forall a b : bool, same a b -> same b true.\n"
        "Proof. intros wrong; discriminate (wrong false false eq_refl). Qed.\n"
    )
    assert bool(rocq.run_coqc(tmp_path / "Twin.v", formal.compiled_folder())[1]) == caught


def test_every_file_and_every_theorem_is_listed():
    """Every file is listed, and none contains an axiom or an admitted proof."""
    listed = {t.file for t in theorems()}
    for path in theory.theory_folder().glob("*.v"):
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(), flags=re.DOTALL)
        assert path.name in theory.file_order()
        assert not re.search(UNPROVED, text), path.name
        named = {t.theorem for t in theorems() if t.file == path.name}
        assert named <= set(re.findall(r"^(?:Theorem|Corollary|Lemma) (\w+)", text, re.MULTILINE)), path.name
        stated = set(re.findall(r"^(?:Theorem|Corollary) (\w+)", text, re.MULTILINE))
        assert stated <= named, path.name
        assert path.name in listed or not stated
    assert len({t.name for t in theorems()}) == len(theorems())


def test_a_theorem_covers_claims_that_exist():
    assert {c for t in theorems() for c in t.covers} <= {c.id for c in claims()}


def test_what_is_not_proved_does_not_count():
    theorem = theorems()[0]
    for proof in (Proof(error="no"), Proof(axioms="Axioms: cheat"), Proof(other="True")):
        relation = Formal(theorem, proof)
        assert relation.decide() == UNDECIDED
        assert relation.evidence().startswith(theorem.name)
    assert Formal(theorem, Proof()).decide() == HOLDS


def test_without_coqc_nothing_holds_for_all(monkeypatch):
    """The claim keeps its own evidence; a note says that the general proof was not compiled."""
    monkeypatch.setattr(formal, "compiler", lambda: None)
    claim = next(t.covers[0] for t in theorems() if t.covers)
    found = list(formal.relations(claim))
    assert found and all(isinstance(r, Note) and "was not compiled on this machine" in r.text for r in found)
    with pytest.raises(SolverFailed, match="coqc was not found"):
        formal.compile_all()
    known = {c.id: c for c in claims()}
    covered = {known[id] for t in theorems() for id in t.covers}
    by_itself = {  # in symbols, or by induction
        "intro-convex", "eq-CD-identity", "eq-CD-diagonal", "bias-unregularized", "C-regularizes",
    }  # fmt: skip
    assert {c.id for c in covered if c.verdict(HOLDS, "", 0.0).extent == FOR_ALL} == by_itself


def test_what_a_claim_owes_to_a_theorem_it_does_not_claim_for_itself():
    """A claim whose scope refers to Rocq is SAMPLED by itself, unless its computation is general too."""
    rests = [
        c for c in claims() if "machine-checked" in c.scope and "here, and machine-checked" not in c.scope
    ]
    assert len(rests) > 40 and {c.extent for c in rests} == {SAMPLED}
    whole, parts = ([c for c in rests if (c.id in formal.parts()) is part] for part in (False, True))
    assert {c.recorded().extent for c in whole} == {FOR_ALL}
    assert {c.recorded().extent for c in parts} == {SAMPLED}  # the theorems prove a part of the claim


@compiles
def test_a_broken_proof_is_an_error_not_a_verdict(development):
    """A development whose proof does not compile proves nothing."""
    found = development(
        {"Good.v": "Theorem fine : True. Proof. exact I. Qed.\nAxiom cheat : False.\n"
                   "Theorem cheated : 0 = 1. Proof. destruct cheat. Qed.\n",
         "Bad.v": "Theorem wrong : 0 = 1. Proof. reflexivity. Qed.\n",
         "Lost.v": "From Orca Require Import Bad.\nTheorem lost : 0 = 1. Proof. exact wrong. Qed.\n"},
        [("fine", "Good.v", "True"), ("cheated", "Good.v", "0%N = 1"), ("wrong", "Bad.v", "0%N = 1"),
         ("lost", "Lost.v", "0%N = 1")],
    )  # fmt: skip
    assert found["Good.fine"] == Proof()
    assert "cheat" in found["Good.cheated"].axioms
    assert "Unable to unify" in found["Bad.wrong"].error
    assert found["Lost.lost"].error
    verdicts = [r.decide() for r in formal.relations("c") if isinstance(r, Formal)]
    assert verdicts == [HOLDS, UNDECIDED, UNDECIDED, UNDECIDED]


def test_ci_installs_what_it_needs():
    assert "libcoq-mathcomp-algebra-tactics" in (ROOT / ".ci" / "packages").read_text()
    assert shutil.which("coqc") is None or rocq.compiler()


def test_the_checker_names_theorems_that_exist():
    """Comments in the checker name the theorem that justifies each condition."""
    text = "".join(file.read_text() for file in (ROOT / "orca_exact" / "checker").glob("*.py"))
    comments = re.findall(r"# Rocq: ((?:[\w.]+,?(?:\n +#)? ?)+)", text)
    named = {name for comment in comments for name in re.findall(r"\w+\.\w+", comment)}
    assert len(comments) >= 15
    assert named <= {theorem.name for theorem in theorems()}
    about = {theorem.name for theorem in theorems() if theorem.file == "Checker.v"}
    assert about <= named


def test_sections_2_to_5_are_machine_checked_or_listed_with_the_reason():
    covered = {claim for theorem in theorems() for claim in theorem.covers}
    held = [c for c in claims() if c.section[0] in "2345" and c.expect == HOLDS]
    general = {c.id for c in held if c.extent != TRANSCRIBED}
    assert general <= covered | set(formal.unproved_claims())
    assert not covered & set(formal.unproved_claims())
    assert set(formal.parts()) <= covered


def test_a_claim_of_which_a_part_is_proved_does_not_count_as_proved_for_all_cases(monkeypatch):
    """What a theorem leaves out of a claim is listed in one place only, which every count reads."""
    assert set(formal._listed()) == {"theorem", "left", "part"}
    narrower = {"intro-convex", "disc-rotation", "eq-tensor-inner", "eq-CD-def", "eq-projection-kernel"}
    assert narrower <= set(formal.parts())
    recorded = {c.id: c.recorded().extent for c in claims()}
    assert {id for id in formal.parts() if recorded[id] == FOR_ALL} == {"intro-convex"}  # in symbols
    proved = {theorem.name: Proof() for theorem in theorems()}
    for id in narrower:
        assert formal.general(id, lambda: proved).startswith(f"{formal.IN_PART}: {formal.parts()[id]}")
    counted = int(re.search(r"(\d+) are proved for all cases", formal_line())[1])
    monkeypatch.setattr(formal, "parts", dict)
    assert int(re.search(r"(\d+) are proved for all cases", formal_line())[1]) > counted


def test_the_scope_of_the_projection_does_not_promise_functions_without_values():
    scope = next(c.scope for c in claims() if c.id == "eq-projection-kernel")
    assert "not for classes of functions in L2(mu)" in scope and "for instance L2" not in scope
