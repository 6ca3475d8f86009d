"""The extracted checker: ``check`` of ``Verdict.v`` as a program in OCaml, built once into the cache.

Coq compiles the theory, proves what an accepted file means (``Extracted.v``) and extracts the function; OCaml
compiles it with the driver in the folder ``ocaml``, which is not verified.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..errors import BadFile, Rejected, SolverFailed, Undecided, printable
from ..files.formats import digest, read_bytes, write
from ..runtime import cache
from ..runtime.limits import exceeded_cpu_time, limited_command
from .compiler import CLOSED, GET, compile_folder, compile_theory, compiler, one_line, run_coqc
from .theory import required_files, theory_folder, theory_text

GET_OCAML = "install OCaml with Zarith (Debian: ocaml-nox ocaml-findlib libzarith-ocaml-dev)"
_SECONDS, _MEMORY = 600, 4 * 2**30  # of CPU time, and bytes of address space, for one certificate
_MODULES = ("json.ml", "numbers.ml", "lambda.ml", "check.ml")  # in the order of their dependencies
_PACKAGES = "zarith,str"
_NOT_COVERED, _NOT_A_CERTIFICATE = 3, 4  # exit codes of the program, besides 0 and 1


@lru_cache(maxsize=1)
def ocaml_compiler() -> str | None:
    """Return the version of ``ocamlopt`` with Zarith, or None if one of them is not installed."""
    if not shutil.which("ocamlfind"):
        return None
    for command in (["ocamlfind", "query", "zarith"], version := ["ocamlfind", "ocamlopt", "-version"]):
        result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
        if result.returncode:
            return None
    assert command is version
    return one_line(result.stdout)


def ocaml_folder() -> Path:
    """Return the folder of the driver and of the extraction commands."""
    return theory_folder() / "ocaml"


def sources() -> dict[str, str]:
    """Return the text of every file that the program is made of."""
    texts = {name: theory_text(name) for name in required_files(["Extracted"])}
    return texts | {name: read_bytes(ocaml_folder() / name).decode() for name in ("Extract.v", *_MODULES)}


def program_path() -> Path:
    """Return the path of the program in the cache, which is named by everything it is made of."""
    key = {"sources": sources(), "coqc": compiler(), "ocaml": ocaml_compiler()}
    return cache.cache_folder() / f"extracted-{digest(key)[:16]}" / "program"


def build_checker(report: Callable[[str], object] = str, jobs: int = 2) -> Path:
    """Return the program, which is built if the cache does not have it.

    Parameters
    ----------
    report : callable
        Called with a line of text when a new step begins.
    jobs : int
        The number of files that are compiled at the same time.

    Raises
    ------
    SolverFailed
        If Coq or OCaml is missing or does not accept the files.
    """
    if not compiler():
        raise SolverFailed(f"the extracted checker is built by coqc, which was not found; {GET}")
    if not ocaml_compiler():
        raise SolverFailed(f"the extracted checker is built by ocamlfind, which was not found; {GET_OCAML}")
    path = program_path()
    if path.exists():
        cache.require_own(path)
        return path
    with compile_folder() as folder:
        for name, error in compile_theory(folder, report, jobs, required_files(["Extracted"])).items():
            raise SolverFailed(f"coqc does not compile {name}: {error}")
        report("extracting the checker")
        for name, text in sources().items():
            write(folder / name, text)
        printed, error = run_coqc(folder / "Extract.v", folder)
        if error:
            raise SolverFailed(f"coqc does not extract the checker: {error}")
        if printed.split("\n")[:-1] != [CLOSED] * 2:
            raise SolverFailed(f"the theorems rest on axioms: {one_line(printed)[:400]}")
        report("compiling the checker")
        made = folder / "made"
        made.mkdir(mode=0o700)
        for name in ("verified.mli", "verified.ml", *_MODULES):
            write(made / name, read_bytes(folder / name).decode())
        compile_program(made)
        cache.make_cache_folder()
        with suppress(OSError):  # another process was faster
            made.rename(path.parent)
    return path


def compile_program(folder: Path, files: Sequence[str] = ("verified.mli", "verified.ml", *_MODULES)) -> Path:
    """Compile modules of OCaml in ``folder`` and return the program."""
    command = [
        "ocamlfind",
        "ocamlopt",
        "-package",
        _PACKAGES,
        "-linkpkg",
        "-w",
        "-a",
        *files,
        "-o",
        "program",
    ]
    result = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", cwd=folder)
    if result.returncode:
        raise SolverFailed(f"ocamlopt does not compile the checker: {one_line(result.stderr)[:400]}")
    return folder / "program"


@dataclass(frozen=True)
class Accepted:
    """A certificate that the extracted checker accepted: its level, and the theorem that applies."""

    level: str
    theorem: str


def check_extracted(
    raw: bytes, place: str, program: Path, seconds: int = _SECONDS, memory: int = _MEMORY
) -> Accepted:
    """Run the extracted checker on the text of a certificate.

    Raises
    ------
    Rejected
        If a condition is not proved.
    Undecided
        If the theorems do not cover the kernel, or a limit stopped the program.
    BadFile
        If the text is not a certificate.
    """
    command = limited_command([str(program), "-"], seconds, memory)
    result = subprocess.run(command, input=raw, capture_output=True)
    printed, error = (one_line(text.decode("utf-8", "replace")) for text in (result.stdout, result.stderr))
    if result.returncode == 0:
        level, theorem = printed.split()[3:5]
        return Accepted(level.rstrip(":"), theorem)
    if result.returncode == 1:
        condition, _, why = error.removeprefix("rejected: ").partition(": ")
        raise Rejected(condition, why)
    if result.returncode == _NOT_A_CERTIFICATE:
        why = error.partition("not a certificate: ")[2]
        raise BadFile(printable(place), f"not a certificate: {why}", "orca-exact certify writes one")
    if result.returncode == _NOT_COVERED:
        raise Undecided(f"{printable(place)}: {error}; check it without --extracted.")
    if exceeded_cpu_time(result.returncode):
        raise Undecided(f"{printable(place)}: the extracted checker took more than {seconds} s of CPU time.")
    if result.returncode < 0:
        why = error[:400] or f"signal {-result.returncode}"
        raise Undecided(f"{printable(place)}: the extracted checker was stopped: {why}")
    raise SolverFailed(f"the extracted checker ended with code {result.returncode}: {error[:400]}")
