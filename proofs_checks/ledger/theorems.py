"""Machine-checked theorems: proofs in Rocq (Coq) under ``orca_exact/rocq``, linked to the ledger.

``proofs_checks/formal/theorems.toml`` lists which theorem proves which claims, and its statement. A theorem
counts only if its proof, in its present text, was compiled on this machine, if Rocq finds that its type is
the listed statement, and if ``Print Assumptions`` finds no axiom. Otherwise a claim that rests on it is
"uncompiled" and is not counted as holding for all cases.

The types are compared by conversion: ``@eq_refl Prop _`` must have the type "listed statement = type of the
theorem". Neither a stronger nor a weaker theorem passes, and the result does not depend on how Rocq prints.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from orca_exact.errors import SolverFailed
from orca_exact.files.formats import digest, read_bytes, write
from orca_exact.files.outcomes import HOLDS, UNDECIDED
from orca_exact.rocq.compiler import (
    CLOSED,
    GET,
    compile_folder,
    compile_theory,
    compiler,
    one_line,
    run_coqc,
)
from orca_exact.rocq.theory import file_order, theory_texts
from orca_exact.runtime import cache

from .relations import Note, Relation

CHECKED, NOT_CHECKED = "for all, machine-checked", "for all: machine-checked proof, not compiled here"
IN_PART = "a part of it for all, machine-checked"
MARK = "@@ "  # precedes what coqc prints about a theorem
_KNOWN: dict[str, dict[str, Proof]] = {}


@dataclass(frozen=True)
class Theorem:
    """One theorem of the development: in words, in LaTeX and as Rocq reads it."""

    theorem: str
    file: str
    says: str
    latex: str
    statement: str
    covers: tuple[str, ...] = ()
    twin: str = ""  # the file that refutes a falsified version, if there is one

    @property
    def name(self) -> str:
        """The qualified name in Rocq, such as 'Family.reproducing'."""
        return f"{self.file.removesuffix('.v')}.{self.theorem}"


@dataclass(frozen=True)
class Proof:
    """The result of a compilation: the axioms used, a statement other than the listed one, or the error."""

    axioms: str = ""
    other: str = ""
    error: str = ""


@dataclass(frozen=True)
class Formal(Relation):
    """A theorem with the result of its compilation on this machine."""

    theorem: Theorem
    proof: Proof

    def decide(self) -> str:
        return UNDECIDED if self._objection() else HOLDS

    def _objection(self) -> str:
        if self.proof.error:
            return f"does not compile: {self.proof.error}"
        if self.proof.axioms:
            return f"uses axioms: {self.proof.axioms}"
        if self.proof.other:
            return f"its statement is not the one in theorems.toml: {self.proof.other}"
        return ""

    def evidence(self, outcome: str = UNDECIDED) -> str:
        """Return why the theorem does not count, or the statement that was checked."""
        return f"{self.theorem.name}: {self._objection() or one_line(self.theorem.statement)}"


def theorem_folder() -> Path:
    """Return the folder of ``theorems.toml`` and of the twins."""
    return Path(str(files("proofs_checks"))) / "formal"


@lru_cache(maxsize=1)
def theorems() -> tuple[Theorem, ...]:
    """Return the theorems in the order of ``theorems.toml``."""
    return tuple(
        Theorem(**entry | {"statement": entry["statement"].strip(), "covers": tuple(entry["covers"])})
        for entry in _listed()["theorem"]
    )


@lru_cache(maxsize=1)
def unproved_claims() -> dict[str, str]:
    """Return the claims of sections 2 to 5 that no theorem proves in general, with the reasons."""
    return {entry["claim"]: entry["why"] for entry in _listed().get("left", [])}


@lru_cache(maxsize=1)
def parts() -> dict[str, str]:
    """Return, by claim, what is proved of it if its theorems prove a part only."""
    return {entry["claim"]: entry["what"] for entry in _listed().get("part", [])}


def _listed() -> dict[str, Any]:
    return tomllib.loads(read_bytes(theorem_folder() / "theorems.toml").decode())


def cache_key() -> dict:
    """Return what a result depends on: the sources, the listed theorems and the compiler."""
    return {
        "formal": digest([theory_texts(), [[theorem.name, theorem.statement] for theorem in theorems()]]),
        "coqc": compiler(),
    }


def stored_proofs() -> dict[str, Proof] | None:
    """Return the stored results for the present sources by theorem, or None if there are none."""
    if not compiler():
        return None
    key = cache_key()
    name = digest(key)
    if name not in _KNOWN and (found := cache.load_entry(key, _proofs)):
        _KNOWN[name] = found
    return _KNOWN.get(name)


Stored = Callable[[], dict[str, Proof] | None]


def _proofs(entry: dict) -> dict[str, Proof]:
    return {name: Proof(**proof) for name, proof in entry["proofs"].items()}


def compile_all(progress: Callable[[str], None] | None = None, jobs: int = 1) -> dict[str, Proof]:
    """Compile every file, compare the statements and return the result for every theorem.

    Results and compiled files are kept in the cache. At most ``jobs`` files are compiled at the same time.
    """
    report = progress or (lambda message: None)
    if found := stored_proofs():
        return found
    if not compiler():
        raise SolverFailed(f"coqc was not found; {GET}")
    with compile_folder() as folder:
        errors = compile_theory(folder, report, jobs)
        report("comparing statements, looking for axioms ...")
        found = _KNOWN[digest(cache_key())] = _read_proofs(folder, errors)
        with suppress(OSError):  # another process was faster, or the cache cannot be written
            folder.rename(compiled_folder())
    cache.store_entry({"key": cache_key(), "proofs": {name: vars(proof) for name, proof in found.items()}})
    return found


def compiled_folder() -> Path:
    """Return the cache folder of the compiled files, which is named by their content."""
    return cache.cache_folder() / f"formal-{digest(cache_key())[:16]}"


def _read_proofs(folder: Path, errors: dict[str, str]) -> dict[str, Proof]:
    """Return the result for every theorem, given the errors of the files.

    Axioms are looked for in all proofs at once. Only if there is one, each proof is searched, which takes a
    minute.
    """
    compiled = [theorem for theorem in theorems() if theorem.file not in errors]
    names = [theorem.name for theorem in compiled]
    missing, others = _compare_statements(folder, errors, compiled)
    proved = [name for name in names if name not in missing]
    together = f"Definition everything := ({', '.join(f'@{name}' for name in proved)})."
    printed, error = _query(folder, errors, [together, _axioms("everything")])
    if not printed.get("everything", "").startswith(CLOSED):
        printed, error = _query(folder, errors, [_axioms(name) for name in proved])
    found = {}
    for theorem in theorems():
        why = errors.get(theorem.file) or missing.get(theorem.name) or error
        axioms = printed.get(theorem.name, CLOSED)
        used = "" if axioms.startswith(CLOSED) else one_line(axioms)
        found[theorem.name] = Proof(error=why) if why else Proof(used, others.get(theorem.name, ""))
    return found


def _compare_statements(
    folder: Path, errors: dict[str, str], compiled: list[Theorem]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return which theorems do not exist, and the statements of those that are not the listed ones, by name.

    Coqc stops at the first theorem that fails; the next run continues after it.
    """
    missing, others = {}, {}
    while compiled:
        printed, error = _query(folder, errors, [_comparison(theorem) for theorem in compiled])
        if not error:
            break
        failed = compiled[max(len(printed) - 1, 0)]
        if stated := re.match(r"\S+\s+: (.*)", printed.get(failed.name, ""), re.DOTALL):
            others[failed.name] = f"{one_line(stated[1])} ({error})"
        else:
            missing[failed.name] = error
        compiled = compiled[compiled.index(failed) + 1 :]
    return missing, others


def _comparison(theorem: Theorem) -> str:
    """Return commands that fail unless the type of a theorem is its listed statement, up to conversion."""
    return f"""{_mark(theorem.name)} Check @{theorem.name}.
Module {theorem.name.replace(".", "_")}.
Definition listed : Prop := ({theorem.statement}).
Definition proved : Prop := ltac:(let stated := type of (@{theorem.name}) in exact stated).
Definition same : listed = proved := @Logic.eq_refl Prop _.
End {theorem.name.replace(".", "_")}."""


def _mark(name: str) -> str:
    return f'Goal True. idtac "{MARK}{name}". Abort.'


def _axioms(name: str) -> str:
    return f"{_mark(name)} Print Assumptions {name}."


def _query(folder: Path, errors: dict[str, str], commands: list[str]) -> tuple[dict[str, str], str]:
    """Run commands in Rocq; return what coqc prints after each mark, and its error."""
    modules = [name.removesuffix(".v") for name in file_order() if name not in errors]
    lines = [
        "From mathcomp Require Import all_ssreflect all_fingroup all_algebra.",
        *(f"From Orca Require Import {module}." for module in modules),
        "Local Open Scope ring_scope.",
    ]
    write(folder / "Query.v", "\n".join(lines + commands) + "\n")
    printed, error = run_coqc(folder / "Query.v", folder)
    marked = re.findall(rf"^{MARK}([^\n]+)\n(.*?)(?=^{MARK}|\Z)", printed, re.DOTALL | re.MULTILINE)
    return dict(marked), error


# The ledger.


def covering(claim: str) -> list[Theorem]:
    """Return the theorems that prove a claim in general."""
    return [theorem for theorem in theorems() if claim in theorem.covers]


def general(claim: str, proofs: Stored = stored_proofs) -> str:
    """Return whether the theorems behind a claim were compiled here; empty if there are none."""
    if not (proving := covering(claim)):
        return ""
    found = proofs()
    if found is None:
        return NOT_CHECKED
    decided = {Formal(theorem, found[theorem.name]).decide() for theorem in proving if theorem.name in found}
    if decided != {HOLDS}:
        return "for all: the proof does not compile here"
    return f"{IN_PART}: {parts()[claim]}" if claim in parts() else CHECKED


def relations(claim: str, proofs: Stored = stored_proofs) -> Iterator[Relation]:
    """Yield the theorems behind a claim as relations, or as notes if they were not compiled here."""
    found = proofs() if (proving := covering(claim)) else None
    for theorem in proving:
        statement = f"{theorem.says.removesuffix('.')} [{theorem.name}]"
        if found is None:
            how = "run 'orca-exact verify --formal'" if compiler() else "coqc was not found"
            yield Note(f"the general proof was not compiled on this machine ({how}): {statement}")
        else:
            relation = Formal(theorem, found.get(theorem.name, Proof(error="its statement was not read")))
            yield relation
            if relation.decide() == HOLDS:
                yield Note(f"machine-checked: {statement}")
