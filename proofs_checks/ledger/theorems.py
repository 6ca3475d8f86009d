"""Machine-checked theorems: proofs in Rocq (Coq) under ``proofs_checks/formal``, linked to the ledger.

``theorems.toml`` lists which theorem proves which claims, and pins its statement. A theorem counts only if
its proof, in its present text, was compiled on this machine, if its statement is the pinned one, and if
``Print Assumptions`` finds no axiom. Otherwise a claim that rests on it is "uncompiled" and is not counted as
holding for all cases.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from graphlib import TopologicalSorter
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from orca_exact.errors import BadFile, SolverFailed
from orca_exact.files.formats import digest, make_folder, read_bytes, write
from orca_exact.files.outcomes import HOLDS, UNDECIDED
from orca_exact.runtime import cache

from .relations import Note, Relation

GET = "install Coq with MathComp (Debian: coq libcoq-mathcomp-algebra libcoq-mathcomp-algebra-tactics)"
PATIENCE = 1200  # seconds allowed for one file
CHECKED, NOT_CHECKED = "for all, machine-checked", "for all: machine-checked proof, not compiled here"
IN_PART = "a part of it for all, machine-checked"
MARK = "@@ "  # precedes what coqc prints about a theorem
CLOSED = "Closed under the global context"
_KNOWN: dict[str, dict[str, Proof]] = {}


@dataclass(frozen=True)
class Theorem:
    """One theorem of the development: in words, in LaTeX and as Rocq states it."""

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
    """The result of a compilation: the statement proved and the axioms used, or the error."""

    statement: str = ""
    axioms: str = ""
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
        if self.proof.statement != self.theorem.statement:
            return f"its statement differs from the pinned one: {self.proof.statement}"
        return ""

    def evidence(self, outcome: str = UNDECIDED) -> str:
        """Return why the theorem does not count, or the statement that was checked."""
        return f"{self.theorem.name}: {self._objection() or self.proof.statement}"


def rocq_source() -> Path:
    """Return the folder of the development."""
    return Path(str(files("proofs_checks"))) / "formal"


@lru_cache(maxsize=1)
def theorems() -> tuple[Theorem, ...]:
    """Return the theorems in the order of ``theorems.toml``."""
    return tuple(
        Theorem(**entry | {"statement": one_line(entry["statement"]), "covers": tuple(entry["covers"])})
        for entry in _listed()["theorem"]
    )


@lru_cache(maxsize=1)
def unproved_claims() -> dict[str, str]:
    """Return the claims of sections 2 to 5 that no theorem proves in general, with the reasons."""
    return {entry["claim"]: entry["why"] for entry in _listed().get("left", [])}


@lru_cache(maxsize=1)
def exact_statements() -> dict[str, str]:
    """Return, by claim, what exactly is proved in general if that is less than the claim's title says."""
    return {entry["claim"]: entry["what"] for entry in _listed().get("given", [])}


@lru_cache(maxsize=1)
def parts() -> dict[str, str]:
    """Return, by claim, what is proved of it if its theorems prove a part only."""
    return {entry["claim"]: entry["what"] for entry in _listed().get("part", [])}


def _listed() -> dict[str, Any]:
    return tomllib.loads(read_bytes(rocq_source() / "theorems.toml").decode())


def title(file: str) -> str:
    """Return the title of a file: the first line of its opening comment."""
    first = read_bytes(rocq_source() / file).decode().splitlines()[0]
    return re.sub(r"^\(\*+ (\* |\w+\.v -- )?", "", first).rstrip(".,")


def one_line(text: str) -> str:
    """Replace line breaks and runs of spaces by single spaces."""
    return " ".join(text.split())


# The compiler.


@lru_cache(maxsize=1)
def compiler() -> str | None:
    """Return the version of ``coqc``, or None if it is not installed."""
    if not shutil.which("coqc"):
        return None
    result = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True)
    return one_line(result.stdout) if result.returncode == 0 else None


def file_order() -> list[str]:
    """Return the names of the files, each after those that it imports."""
    return [line for line in _project() if line.endswith(".v")]


def _project() -> list[str]:
    return read_bytes(rocq_source() / "_CoqProject").decode().split("\n")


def _options(folder: Path) -> list[str]:
    """Return the options of ``_CoqProject`` for a development in ``folder``."""
    words = " ".join(line for line in _project() if not line.endswith(".v")).split()
    found = [word for word in words if word != "-arg"]
    return [str(folder) if word == "." else word for word in found]


def cache_key() -> dict:
    """Return what a result depends on: the sources, the names of the theorems and the compiler."""
    texts = {name: read_bytes(rocq_source() / name).decode() for name in ["_CoqProject", *file_order()]}
    return {"formal": digest([texts, [theorem.name for theorem in theorems()]]), "coqc": compiler()}


def stored_proofs() -> dict[str, Proof] | None:
    """Return the stored results for the present sources by theorem, or None if there are none."""
    if not compiler():
        return None
    name = digest(cache_key())
    if name not in _KNOWN and (found := cache.load_entry(cache_key(), _proofs)):
        _KNOWN[name] = found
    return _KNOWN.get(name)


def _proofs(entry: dict) -> dict[str, Proof]:
    return {name: Proof(**proof) for name, proof in entry["proofs"].items()}


def compile_all(progress: Callable[[str], None] | None = None, jobs: int = 1) -> dict[str, Proof]:
    """Compile every file and return the statement and axioms of every theorem.

    Results and compiled files are kept in the cache. At most ``jobs`` files are compiled at the same time.
    """
    report = progress or (lambda message: None)
    if found := stored_proofs():
        return found
    if not compiler():
        raise SolverFailed(f"coqc was not found; {GET}")
    with compile_folder() as folder:
        errors = _compile(folder, report, jobs)
        report("reading statements and axioms ...")
        found = _KNOWN[digest(cache_key())] = _read_proofs(folder, errors)
        with suppress(OSError):  # another process was faster, or the cache cannot be written
            folder.rename(compiled_folder())
    cache.store_entry({"key": cache_key(), "proofs": {name: vars(proof) for name, proof in found.items()}})
    return found


def _compile(folder: Path, report: Callable[[str], None], jobs: int) -> dict[str, str]:
    """Compile the files in ``folder``, each after those it imports; return the errors by file."""
    texts = {name: read_bytes(rocq_source() / name).decode() for name in file_order()}
    for name, text in texts.items():
        write(folder / name, text)
    sorter = TopologicalSorter({name: _imported(text) for name, text in texts.items()})
    sorter.prepare()
    errors: dict[str, str] = {}
    ready: list[str] = []
    running: dict[Future, str] = {}
    done = 0
    with ThreadPoolExecutor(jobs) as pool:
        while sorter.is_active():
            ready += sorter.get_ready()
            while ready and len(running) < jobs:
                name = ready.pop(0)
                running[pool.submit(run_coqc, folder / name, folder)] = name
            report(f"compiled {done} of {len(texts)} files: {', '.join(running.values())}")
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(future)
                sorter.done(name)
                done += 1
                if error := future.result()[1]:
                    errors[name] = error
    return errors


def _imported(text: str) -> list[str]:
    """Return the files of the development that a file imports."""
    found = re.findall(r"^From Orca Require Import ([\w ]+)\.", text, re.MULTILINE)
    return [f"{module}.v" for line in found for module in line.split()]


def compiled_folder() -> Path:
    """Return the cache folder of the compiled files, which is named by their content."""
    return cache.cache_folder() / f"formal-{digest(cache_key())[:16]}"


@contextmanager
def compile_folder() -> Iterator[Path]:
    """Create a temporary folder to compile in, in the cache if that can be written."""
    try:
        cache.make_cache_folder()
        made = TemporaryDirectory(prefix="formal-", dir=cache.cache_folder(), ignore_cleanup_errors=True)
    except (BadFile, OSError):
        made = TemporaryDirectory(prefix="orca-exact-")
    with made as folder:
        inside = Path(folder) / "development"
        make_folder(inside)
        yield inside


def run_coqc(file: Path, folder: Path) -> tuple[str, str]:
    """Run coqc on a file, with the development in ``folder``; return its output and its error in one line."""
    command = ["coqc", *_options(folder), str(file)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
    except subprocess.TimeoutExpired:
        return "", f"coqc did not finish within {PATIENCE} s"
    if result.returncode == 0:
        return result.stdout, ""
    error = result.stderr.partition("Error:")[2] or result.stderr or f"coqc exited with {result.returncode}"
    return result.stdout, one_line(error)[:400]


def _read_proofs(folder: Path, errors: dict[str, str]) -> dict[str, Proof]:
    """Return the statement and the axioms of every theorem in the files that compiled.

    Axioms are looked for in all proofs at once. Only if there is one, each proof is searched, which takes a
    minute.
    """
    names = [theorem.name for theorem in theorems() if theorem.file not in errors]
    together = f"Definition everything := ({', '.join(f'@{name}' for name in names)})."
    checks = [f"{_mark(name)} Check @{name}." for name in names]
    printed, error = _query(folder, errors, [*checks, together, _axioms("everything")])
    if not printed.get("everything", "").startswith(CLOSED):
        printed |= _query(folder, errors, [_axioms(name, "axioms of ") for name in names])[0]
    found = {}
    for theorem in theorems():
        stated = re.match(r"\S+\s+: (.*)", printed.get(theorem.name, ""), re.DOTALL)
        axioms = printed.get(f"axioms of {theorem.name}", CLOSED)
        if stated:
            used = "" if axioms.startswith(CLOSED) else one_line(axioms)
            found[theorem.name] = Proof(one_line(stated[1]), used)
        else:
            why = errors.get(theorem.file) or error or "coqc printed no statement"
            found[theorem.name] = Proof(error=why)
    return found


def _mark(name: str) -> str:
    return f'Goal True. idtac "{MARK}{name}". Abort.'


def _axioms(name: str, prefix: str = "") -> str:
    return f"{_mark(prefix + name)} Print Assumptions {name}."


def _query(folder: Path, errors: dict[str, str], commands: list[str]) -> tuple[dict[str, str], str]:
    """Run commands in Rocq; return what coqc prints after each mark, and its error."""
    modules = [name.removesuffix(".v") for name in file_order() if name not in errors]
    lines = [
        "From mathcomp Require Import all_ssreflect all_algebra.",
        *(f"From Orca Require Import {module}." for module in modules),
        "Local Open Scope ring_scope. Set Printing Width 10000.",
    ]
    write(folder / "Query.v", "\n".join(lines + commands) + "\n")
    printed, error = run_coqc(folder / "Query.v", folder)
    marked = re.findall(rf"^{MARK}([^\n]+)\n(.*?)(?=^{MARK}|\Z)", printed, re.DOTALL | re.MULTILINE)
    return dict(marked), error


# The ledger.


def covering(claim: str) -> list[Theorem]:
    """Return the theorems that prove a claim in general."""
    return [theorem for theorem in theorems() if claim in theorem.covers]


def general(claim: str) -> str:
    """Return whether the theorems behind a claim were compiled here; empty if there are none."""
    if not (proving := covering(claim)):
        return ""
    found = stored_proofs()
    if found is None:
        return NOT_CHECKED
    decided = {Formal(theorem, found[theorem.name]).decide() for theorem in proving if theorem.name in found}
    if decided != {HOLDS}:
        return "for all: the proof does not compile here"
    if claim in parts():
        return f"{IN_PART}: {parts()[claim]}"
    return ": ".join(filter(None, (CHECKED, exact_statements().get(claim))))


def relations(claim: str) -> Iterator[Relation]:
    """Yield the theorems behind a claim as relations, or as notes if they were not compiled here."""
    found = stored_proofs() if (proving := covering(claim)) else None
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
