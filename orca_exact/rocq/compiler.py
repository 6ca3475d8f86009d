"""The theory in Rocq (Coq), in this folder, and the compiler ``coqc`` that checks it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import lru_cache
from graphlib import TopologicalSorter
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from ..errors import BadFile
from ..files.formats import make_folder, read_bytes, write
from ..runtime import cache

GET = "install Coq with MathComp (Debian: coq libcoq-mathcomp-algebra libcoq-mathcomp-algebra-tactics)"
PATIENCE = 1200  # seconds allowed for one file
CLOSED = "Closed under the global context"  # what Print Assumptions prints if a proof uses no axiom


def theory_folder() -> Path:
    """Return the folder of the theory."""
    return Path(str(files("orca_exact"))) / "rocq"


def one_line(text: str) -> str:
    """Replace line breaks and runs of spaces by single spaces."""
    return " ".join(text.split())


def title(file: str) -> str:
    """Return the title of a file: the first line of its opening comment."""
    first = theory_text(file).splitlines()[0]
    return re.sub(r"^\(\*+ (\* |\w+\.v -- )?", "", first).rstrip(".,")


def theory_text(file: str) -> str:
    """Return the text of a file of the theory."""
    return read_bytes(theory_folder() / file).decode()


def file_order() -> list[str]:
    """Return the names of the files, each after those that it imports."""
    return [line for line in _project() if line.endswith(".v")]


def theory_texts() -> dict[str, str]:
    """Return the text of every file of the theory, and of ``_CoqProject``."""
    return {name: theory_text(name) for name in ["_CoqProject", *file_order()]}


def imported_files(text: str) -> list[str]:
    """Return the files of the theory that a file imports."""
    found = re.findall(r"^From Orca Require Import ([\w ]+)\.", text, re.MULTILINE)
    return [f"{module}.v" for line in found for module in line.split()]


def _project() -> list[str]:
    return theory_text("_CoqProject").split("\n")


def _options(folder: Path) -> list[str]:
    """Return the options of ``_CoqProject`` for a theory in ``folder``."""
    words = " ".join(line for line in _project() if not line.endswith(".v")).split()
    found = [word for word in words if word != "-arg"]
    return [str(folder) if word == "." else word for word in found]


@lru_cache(maxsize=1)
def compiler() -> str | None:
    """Return the version of ``coqc``, or None if it is not installed."""
    if not shutil.which("coqc"):
        return None
    result = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True)
    return one_line(result.stdout) if result.returncode == 0 else None


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


def compile_theory(folder: Path, report: Callable[[str], None], jobs: int) -> dict[str, str]:
    """Compile the files in ``folder``, each after those it imports; return the errors by file."""
    texts = {name: theory_text(name) for name in file_order()}
    for name, text in texts.items():
        write(folder / name, text)
    sorter = TopologicalSorter({name: imported_files(text) for name, text in texts.items()})
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


def run_coqc(file: Path, folder: Path) -> tuple[str, str]:
    """Run coqc on a file, with the theory in ``folder``; return its output and its error in one line."""
    command = ["coqc", *_options(folder), str(file)]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
    except subprocess.TimeoutExpired:
        return "", f"coqc did not finish within {PATIENCE} s"
    if result.returncode == 0:
        return result.stdout, ""
    error = result.stderr.partition("Error:")[2] or result.stderr or f"coqc exited with {result.returncode}"
    return result.stdout, one_line(error)[:400]
