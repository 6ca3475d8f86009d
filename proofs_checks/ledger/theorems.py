"""The general theorems: proofs in Rocq (Coq) under ``proofs_checks/formal``, tied to the ledger.

``theorems.toml`` says which theorem proves which claims, and pins its statement. A theorem counts only if
this machine compiled its proof from this very text, its statement is the pinned one, and
``Print Assumptions`` finds no axiom. Elsewhere a claim that rests on it is uncompiled, and not counted as
holding for all.
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
PATIENCE = 1200  # seconds for one file: a proof that takes longer does not end
CHECKED, NOT_CHECKED = "for all, machine-checked", "for all: machine-checked proof, not compiled here"
MARK = "@@ "  # before what coqc prints about a theorem
CLOSED = "Closed under the global context"
_KNOWN: dict[str, dict[str, Proof]] = {}


@dataclass(frozen=True)
class Theorem:
    """One theorem of the development, in words, in mathematics and as Rocq states it."""

    theorem: str
    file: str
    says: str
    latex: str
    statement: str
    covers: tuple[str, ...] = ()
    twin: str = ""  # the file that refutes a falsified version, if there is one

    @property
    def name(self) -> str:
        """As Rocq has it: 'Family.reproducing'."""
        return f"{self.file.removesuffix('.v')}.{self.theorem}"


@dataclass(frozen=True)
class Proof:
    """What Rocq said here: the statement it proved and the axioms used, or why it did not compile."""

    statement: str = ""
    axioms: str = ""
    error: str = ""


@dataclass(frozen=True)
class Formal(Relation):
    """A theorem, as this machine checked it."""

    theorem: Theorem
    proof: Proof

    def decide(self) -> str:
        return UNDECIDED if self._objection() else HOLDS

    def _objection(self) -> str:
        if self.proof.error:
            return f"does not compile: {self.proof.error}"
        if self.proof.axioms:
            return f"rests on axioms: {self.proof.axioms}"
        if self.proof.statement != self.theorem.statement:
            return f"states something else than is pinned: {self.proof.statement}"
        return ""

    def evidence(self, outcome: str = UNDECIDED) -> str:
        """What Rocq objects, or the statement that it checked."""
        return f"{self.theorem.name}: {self._objection() or self.proof.statement}"


def rocq_source() -> Path:
    """The folder of the development."""
    return Path(str(files("proofs_checks"))) / "formal"


@lru_cache(maxsize=1)
def theorems() -> tuple[Theorem, ...]:
    """As ``theorems.toml`` lists them."""
    listed = _listed()["theorem"]
    return tuple(
        Theorem(**entry | {"statement": one_line(entry["statement"]), "covers": tuple(entry["covers"])})
        for entry in listed
    )


@lru_cache(maxsize=1)
def left() -> dict[str, str]:
    """Claims of sections 2 to 5 that no theorem proves in general, and why."""
    return {entry["claim"]: entry["why"] for entry in _listed().get("left", [])}


@lru_cache(maxsize=1)
def given() -> dict[str, str]:
    """What a general statement says in full, where its claim says more in short."""
    return {entry["claim"]: entry["what"] for entry in _listed().get("given", [])}


def _listed() -> dict[str, Any]:
    return tomllib.loads(read_bytes(rocq_source() / "theorems.toml").decode())


def title(file: str) -> str:
    """The first line of its opening comment."""
    first = read_bytes(rocq_source() / file).decode().splitlines()[0]
    return re.sub(r"^\(\*+ (\* |\w+\.v -- )?", "", first).rstrip(".,")


def one_line(text: str) -> str:
    """Without the line breaks of a printer that fills its page."""
    return " ".join(text.split())


# The compiler.


@lru_cache(maxsize=1)
def compiler() -> str | None:
    """The version of ``coqc``, or None."""
    if not shutil.which("coqc"):
        return None
    told = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True)
    return one_line(told.stdout) if told.returncode == 0 else None


def order() -> list[str]:
    """The files, each after those it needs."""
    return [line for line in _project() if line.endswith(".v")]


def _project() -> list[str]:
    return read_bytes(rocq_source() / "_CoqProject").decode().split("\n")


def _options(folder: Path) -> list[str]:
    """Those of ``_CoqProject``, with the development itself in ``folder``."""
    words = " ".join(line for line in _project() if not line.endswith(".v")).split()
    found = [word for word in words if word != "-arg"]
    return [str(folder) if word == "." else word for word in found]


def key() -> dict:
    """What a check depends on: every file of the development, what is asked, and the compiler."""
    texts = {name: read_bytes(rocq_source() / name).decode() for name in ["_CoqProject", *order()]}
    return {"formal": digest([texts, [theorem.name for theorem in theorems()]]), "coqc": compiler()}


def checked() -> dict[str, Proof] | None:
    """By theorem, what this machine found out before about this very text; None if it has not."""
    if not compiler():
        return None
    name = digest(key())
    if name not in _KNOWN and (found := cache.load_entry(key(), _proofs)):
        _KNOWN[name] = found
    return _KNOWN.get(name)


def _proofs(entry: dict) -> dict[str, Proof]:
    return {name: Proof(**proof) for name, proof in entry["proofs"].items()}


def check(progress: Callable[[str], None] | None = None, jobs: int = 1) -> dict[str, Proof]:
    """Compile every file, ask for every statement and its axioms; answers and compiled files are kept.

    At most ``jobs`` files are compiled at the same time.
    """
    say = progress or (lambda message: None)
    if found := checked():
        return found
    if not compiler():
        raise SolverFailed(f"no coqc on this machine; {GET}")
    with workshop() as folder:
        errors = _compile(folder, say, jobs)
        say("statements and axioms ...")
        found = _KNOWN[digest(key())] = _ask(folder, errors)
        with suppress(OSError):  # another process was faster, or the cache is not to be written
            folder.rename(compiled())
    cache.store_entry({"key": key(), "proofs": {name: vars(proof) for name, proof in found.items()}})
    return found


def _compile(folder: Path, say: Callable[[str], None], jobs: int) -> dict[str, str]:
    """Compile the files in ``folder``, each after those it imports; return the errors by file."""
    texts = {name: read_bytes(rocq_source() / name).decode() for name in order()}
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
                running[pool.submit(run, folder / name, folder)] = name
            say(f"{done} of {len(texts)}: {', '.join(running.values())}")
            for ended in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(ended)
                sorter.done(name)
                done += 1
                if error := ended.result()[1]:
                    errors[name] = error
    return errors


def _imported(text: str) -> list[str]:
    """Return the files of the development that a file imports."""
    found = re.findall(r"^From Orca Require Import ([\w ]+)\.", text, re.MULTILINE)
    return [f"{module}.v" for line in found for module in line.split()]


def compiled() -> Path:
    """Where the compiled files are kept, by content."""
    return cache.folder() / f"formal-{digest(key())[:16]}"


@contextmanager
def workshop() -> Iterator[Path]:
    """A folder to compile in: in the cache, or where temporary files go if that cannot be written."""
    try:
        cache.make_cache_folder()
        made = TemporaryDirectory(prefix="formal-", dir=cache.folder(), ignore_cleanup_errors=True)
    except (BadFile, OSError):
        made = TemporaryDirectory(prefix="orca-exact-")
    with made as folder:
        inside = Path(folder) / "development"
        make_folder(inside)
        yield inside


def run(file: Path, folder: Path) -> tuple[str, str]:
    """coqc on a file, with the development in ``folder``: what it printed, and its error, on one line."""
    command = ["coqc", *_options(folder), str(file)]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
    except subprocess.TimeoutExpired:
        return "", f"not within {PATIENCE} s"
    if told.returncode == 0:
        return told.stdout, ""
    said = told.stderr.partition("Error:")[2] or told.stderr or f"coqc ended with {told.returncode}"
    return told.stdout, one_line(said)[:400]


def _ask(folder: Path, errors: dict[str, str]) -> dict[str, Proof]:
    """The statement and the axioms of every theorem of the files that compiled.

    Axioms are looked for in all proofs at once: one by one takes a minute, and is done only to find whose.
    """
    names = [theorem.name for theorem in theorems() if theorem.file not in errors]
    together = [
        f"Definition everything := ({', '.join(f'@{name}' for name in names)}).",
        _axioms("everything"),
    ]
    printed, error = _asked(folder, errors, [*(f"{_mark(name)} Check @{name}." for name in names), *together])
    if not printed.get("everything", "").startswith(CLOSED):
        printed |= _asked(folder, errors, [_axioms(name, "axioms of ") for name in names])[0]
    found = {}
    for theorem in theorems():
        stated = re.match(r"\S+\s+: (.*)", printed.get(theorem.name, ""), re.DOTALL)
        axioms = printed.get(f"axioms of {theorem.name}", CLOSED)
        if stated:
            found[theorem.name] = Proof(
                one_line(stated[1]), "" if axioms.startswith(CLOSED) else one_line(axioms)
            )
        else:
            why = errors.get(theorem.file) or error or "coqc printed no statement"
            found[theorem.name] = Proof(error=why)
    return found


def _mark(name: str) -> str:
    return f'Goal True. idtac "{MARK}{name}". Abort.'


def _axioms(name: str, prefix: str = "") -> str:
    return f"{_mark(prefix + name)} Print Assumptions {name}."


def _asked(folder: Path, errors: dict[str, str], questions: list[str]) -> tuple[dict[str, str], str]:
    """What coqc prints after each mark, and its error."""
    modules = [name.removesuffix(".v") for name in order() if name not in errors]
    lines = [
        "From mathcomp Require Import all_ssreflect all_algebra.",
        *(f"From Orca Require Import {module}." for module in modules),
        "Local Open Scope ring_scope. Set Printing Width 10000.",
    ]
    write(folder / "Ask.v", "\n".join(lines + questions) + "\n")
    printed, error = run(folder / "Ask.v", folder)
    return dict(
        re.findall(rf"^{MARK}([^\n]+)\n(.*?)(?=^{MARK}|\Z)", printed, re.DOTALL | re.MULTILINE)
    ), error


# The ledger.


def covering(claim: str) -> list[Theorem]:
    """The theorems that prove a claim in general."""
    return [theorem for theorem in theorems() if claim in theorem.covers]


def general(claim: str) -> str:
    """Whether the general statement behind a claim was checked here; empty where no theorem proves one."""
    if not (proving := covering(claim)):
        return ""
    found = checked()
    if found is None:
        return NOT_CHECKED
    decided = {Formal(theorem, found[theorem.name]).decide() for theorem in proving if theorem.name in found}
    if decided != {HOLDS}:
        return "for all: the proof does not compile here"
    return ": ".join(filter(None, (CHECKED, given().get(claim))))


def relations(claim: str) -> Iterator[Relation]:
    """What a claim rests on besides its own computation; a note where this machine has not checked it."""
    found = checked() if (proving := covering(claim)) else None
    for theorem in proving:
        general = f"{theorem.says} [{theorem.name}]"
        if found is None:
            how = "run: orca-exact verify --formal" if compiler() else "there is no coqc"
            yield Note(f"the general statement was not re-checked on this machine ({how}): {general}")
        else:
            relation = Formal(theorem, found.get(theorem.name, Proof(error="it was not asked for")))
            yield relation
            if relation.decide() == HOLDS:
                yield Note(f"machine-checked: {general}")
