"""The machine-checked theorems: they compile here, state what is pinned, rest on nothing, and bite.

A twin (``proofs_checks/formal/twins``) states the theorem twice: ``right`` as it is, which the theorem
proves, and ``wrong`` by a sign, a factor or an index, which it must not: ``Fail`` accepts a command that Rocq
refuses.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from orca_exact.errors import SolverFailed
from orca_exact.files.outcomes import HOLDS, UNDECIDED
from orca_exact.runtime import cache
from proofs_checks.ledger import theorems as formal
from proofs_checks.ledger.claims import FOR_ALL, SAMPLED, claims
from proofs_checks.ledger.relations import Note
from proofs_checks.ledger.theorems import Formal, Proof, theorems

ROOT = Path(__file__).parents[1]
TWINS = formal.source() / "twins"
coqc = pytest.mark.skipif(not formal.compiler(), reason="no coqc")
FILES = [name for name in formal.order() if any(t.file == name and t.twin for t in theorems())]


@pytest.fixture(scope="session")
def proofs(tmp_path_factory):
    """Compiled once for all workers."""
    import fcntl

    with open(tmp_path_factory.getbasetemp().parent / "formal.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return formal.check()


@coqc
def test_every_theorem_is_proved_without_axioms(proofs):
    objections = {t.name: Formal(t, proofs[t.name]).evidence() for t in theorems()
                  if Formal(t, proofs[t.name]).decide() != HOLDS}  # fmt: skip
    assert objections == {}
    assert len(proofs) == len(theorems())


def twin(theorem: formal.Theorem) -> str:
    return (formal.source() / theorem.twin).read_text()


@pytest.mark.parametrize("theorem", [t for t in theorems() if t.twin], ids=lambda t: t.name)
def test_a_twin_is_about_its_theorem(theorem):
    """The text proves ``right`` and is refused for ``wrong`` by this very theorem, and the two differ."""
    text, term = twin(theorem), rf"@(?:{theorem.file.removesuffix('.v')}\.)?{theorem.theorem}\."
    assert re.search(rf"^Definition proved : right := {term}$", text, re.MULTILINE)
    assert re.search(rf"^Fail Definition falsified : wrong := {term}$", text, re.MULTILINE)
    right, wrong = (formal.one_line(re.search(rf"Definition {word} : Prop :=(.*?)\.\n\n", text, re.DOTALL)[1])
                    for word in ("right", "wrong"))  # fmt: skip
    assert right != wrong


@coqc
@pytest.mark.parametrize("file", FILES)
def test_the_twins_bite(proofs, tmp_path, file):
    """All of one file at a time: loading MathComp takes longer than a twin."""
    texts = [twin(t) for t in theorems() if t.file == file and t.twin]
    heads, bodies = [], []
    for text in texts:
        head, body = text.split("\nModule ", 1)
        heads += [line for line in head.splitlines() if not line.startswith("(*") and line not in heads]
        bodies.append("Module " + body)
    together = tmp_path / f"Twins{file}"
    together.write_text("\n".join(heads + bodies))
    assert formal.run(together, formal.compiled())[1] == ""


@coqc
def test_a_twin_that_does_not_bite_is_seen(proofs, tmp_path):
    """``Fail`` refuses what Rocq accepts: with wrong = right the same text does not compile."""
    theorem = next(t for t in theorems() if t.twin)
    stated, same = r"Definition wrong : Prop :=.*?\.\n\n", "Definition wrong : Prop := right.\n\n"
    text = re.sub(stated, same, twin(theorem), count=1, flags=re.DOTALL)
    spoilt = tmp_path / "Spoilt.v"
    spoilt.write_text(text.split("Theorem refuted")[0] + "\n")
    assert "has not failed" in formal.run(spoilt, formal.compiled())[1]


def test_every_file_and_every_theorem_is_listed():
    """No file outside the list, no axiom, nothing admitted."""
    listed = {t.file for t in theorems()}
    for path in formal.source().glob("*.v"):
        text = re.sub(r"\(\*.*?\*\)", "", path.read_text(), flags=re.DOTALL)
        assert path.name in formal.order()
        assert not re.search(r"\b(Admitted|Axiom|Parameter|Conjecture|admit)\b", text), path.name
        stated = set(re.findall(r"^(?:Theorem|Corollary) (\w+)", text, re.MULTILINE))
        assert stated <= {t.theorem for t in theorems() if t.file == path.name}, path.name
        assert path.name in listed or not stated
    assert len({t.name for t in theorems()}) == len(theorems())


def test_a_theorem_covers_claims_that_exist():
    assert {c for t in theorems() for c in t.covers} <= {c.id for c in claims()}


def test_what_is_not_proved_does_not_count():
    theorem = theorems()[0]
    for proof in (Proof(error="no"), Proof(theorem.statement, axioms="Axioms: cheat"), Proof("True")):
        relation = Formal(theorem, proof)
        assert relation.decide() == UNDECIDED
        assert relation.evidence().startswith(theorem.name)
    assert Formal(theorem, Proof(theorem.statement)).decide() == HOLDS


def test_without_coqc_nothing_holds_for_all(monkeypatch):
    """The claim keeps its own evidence; the line says what was not re-checked."""
    monkeypatch.setattr(formal, "compiler", lambda: None)
    claim = next(t.covers[0] for t in theorems() if t.covers)
    found = list(formal.relations(claim))
    assert found and all(isinstance(r, Note) and "not re-checked on this machine" in r.text for r in found)
    with pytest.raises(SolverFailed, match="no coqc"):
        formal.check()
    known = {c.id: c for c in claims()}
    covered = {known[id] for t in theorems() for id in t.covers}
    by_itself = {"intro-convex", "eq-CD-identity", "eq-CD-diagonal"}  # in symbols, or by induction
    assert {c.id for c in covered if c.verdict(HOLDS, "", 0.0).extent == FOR_ALL} == by_itself


def test_what_a_claim_owes_to_a_theorem_it_does_not_claim_for_itself():
    """A scope that rests on Rocq is a sampled one, unless the computation is general too."""
    rests = [
        c for c in claims() if "machine-checked" in c.scope and "here, and machine-checked" not in c.scope
    ]
    assert len(rests) > 40 and {c.extent for c in rests} == {SAMPLED}
    assert {c.recorded().extent for c in rests} == {FOR_ALL}


@coqc
def test_a_broken_proof_is_an_error_not_a_verdict(tmp_path, monkeypatch):
    """From the text to the verdict: a development whose proof does not compile proves nothing."""
    small = tmp_path / "formal"
    small.mkdir()
    (small / "_CoqProject").write_text("-Q . Orca\nGood.v\nBad.v\n")
    (small / "Good.v").write_text("Theorem fine : True. Proof. exact I. Qed.\nAxiom cheat : False.\n"
                                  "Theorem cheated : 0 = 1. Proof. destruct cheat. Qed.\n")  # fmt: skip
    (small / "Bad.v").write_text("Theorem wrong : 0 = 1. Proof. reflexivity. Qed.\n")
    entry = (
        "[[theorem]]\ntheorem = '{}'\nfile = '{}'\nsays = ''\nlatex = ''\nstatement = '{}'\ncovers = ['c']\n"
    )
    (small / "theorems.toml").write_text(entry.format("fine", "Good.v", "True") +
        entry.format("cheated", "Good.v", "0 = 1") + entry.format("wrong", "Bad.v", "0 = 1"))  # fmt: skip
    monkeypatch.setattr(formal, "source", lambda: small)
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "cache")
    formal.theorems.cache_clear()
    try:
        found = formal.check()
        assert found["Good.fine"] == Proof("True")
        assert "cheat" in found["Good.cheated"].axioms
        assert "Unable to unify" in found["Bad.wrong"].error
        verdicts = [r.decide() for r in formal.relations("c") if isinstance(r, Formal)]
        assert verdicts == [HOLDS, UNDECIDED, UNDECIDED]
    finally:
        formal.theorems.cache_clear()


def test_ci_installs_what_it_needs():
    assert "libcoq-mathcomp-algebra-tactics" in (ROOT / ".ci" / "run").read_text()
    assert shutil.which("coqc") is None or formal.compiler()


def test_the_checker_names_theorems_that_exist():
    """Each beside the condition it justifies."""
    text = (ROOT / "orca_exact" / "checker.py").read_text()
    comments = re.findall(r"# Rocq: ((?:[\w.]+,?(?:\n +#)? ?)+)", text)
    named = {name for comment in comments for name in re.findall(r"\w+\.\w+", comment)}
    assert len(comments) >= 15
    assert named <= {theorem.name for theorem in theorems()}
    about = {theorem.name for theorem in theorems() if theorem.file == "Checker.v"}
    assert about <= named


def test_sections_2_to_5_are_machine_checked_or_listed_with_the_reason():
    covered = {claim for theorem in theorems() for claim in theorem.covers}
    general = {c.id for c in claims() if c.section[0] in "2345" and c.expect == HOLDS}
    assert general <= covered | set(formal.left())
    assert not covered & set(formal.left())
    assert set(formal.given()) <= covered
