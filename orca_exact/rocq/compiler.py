"""The compiler of Rocq, ``coqc``: run it on the theory and on single files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from graphlib import TopologicalSorter
from pathlib import Path
from tempfile import TemporaryDirectory

from ..errors import BadFile
from ..files.formats import make_folder, write
from ..runtime import cache
from ..runtime.limits import exceeded_cpu_time, limited_command, own_group
from .theory import file_order, imported_files, project_lines, theory_text

GET = (
    "install Coq 8.16 with MathComp 1.15 or Coq 8.20 with MathComp 2.3 (Debian 12 or 13: coq "
    "libcoq-mathcomp-algebra libcoq-mathcomp-algebra-tactics)"
)
PATIENCE = 1200  # seconds allowed for one file
COQC_MEMORY = 12 * 2**30  # bytes of address space allowed for a single file
# Coq's own settings of the garbage collector, for one domain: for 128 of them OCaml 5 would reserve 32 GiB
# of address space, which the limit does not allow.
_COLLECTOR = {"OCAMLRUNPARAM": "d=1,s=32M,o=120"}
_TICK = 0.5  # seconds between two calls of ``tick``
CLOSED = "Closed under the global context"  # what Print Assumptions prints if a proof uses no axiom


def one_line(text: str) -> str:
    """Replace line breaks and runs of spaces by single spaces."""
    return " ".join(text.split())


def _options(folder: Path) -> list[str]:
    """Return the options of ``_CoqProject`` for a theory in ``folder``."""
    words = " ".join(line for line in project_lines() if not line.endswith(".v")).split()
    found = [word for word in words if word != "-arg"]
    return [str(folder) if word == "." else word for word in found]


@lru_cache(maxsize=1)
def compiler() -> str | None:
    """Return the version of ``coqc``, or None if it is not installed."""
    if not shutil.which("coqc"):
        return None
    result = subprocess.run(["coqc", "--print-version"], capture_output=True, encoding="utf-8")
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


def compile_theory(
    folder: Path, report: Callable[[str], object], jobs: int, names: Sequence[str] | None = None
) -> dict[str, str]:
    """Compile the files in ``folder``, each after those it imports; return the errors by file.

    ``names`` are the files to compile, with all that they import; all files of the theory by default.
    """
    texts = {name: theory_text(name) for name in names or file_order()}
    for name, text in texts.items():
        write(folder / name, text)
    sorter = TopologicalSorter({name: imported_files(text) for name, text in texts.items()})
    sorter.prepare()
    errors: dict[str, str] = {}
    ready: list[str] = []
    running: dict[Future[tuple[str, str]], str] = {}
    done = 0
    processes: list[subprocess.Popen[str]] = []
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while sorter.is_active():
                ready += sorter.get_ready()
                while ready and len(running) < jobs:
                    name = ready.pop(0)
                    processes.append(_start_coqc(folder / name, folder))
                    running[pool.submit(_finish_coqc, processes[-1])] = name
                report(f"compiled {done} of {len(texts)} files: {', '.join(running.values())}")
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    name = running.pop(future)
                    sorter.done(name)
                    done += 1
                    if error := future.result()[1]:
                        errors[name] = error
        except BaseException:  # interrupted: the threads end when their processes do
            for process in processes:
                process.kill()
            raise
    return errors


@dataclass(frozen=True)
class Compiled:
    """The result of the compilation of one text: what coqc printed, its error, and its CPU time."""

    printed: str
    error: str
    seconds: float
    limit: bool = False  # whether coqc was stopped, so that the text is neither right nor wrong
    line: int = 0  # the line of the error, or 0 if coqc named none


def compile_text(
    text: str,
    tick: Callable[[float], object] = lambda seconds: None,
    seconds: int = PATIENCE,
    memory: int = COQC_MEMORY,
) -> Compiled:
    """Compile a text that needs no file of ours, within limits on CPU time and memory.

    ``tick`` is called with the CPU time so far, twice a second. If this process is interrupted, coqc is
    stopped.
    """
    import psutil

    used = 0.0
    with TemporaryDirectory(prefix="orca-exact-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        write(folder / "Certificate.v", text)
        command = limited_command(["coqc", "-q", "-noglob", "Certificate.v"], seconds, memory)
        process = psutil.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
            encoding="utf-8", errors="replace", env=_COLLECTOR | os.environ, **own_group(),
        )  # fmt: skip
        ended = False
        try:
            while not ended:
                with suppress(psutil.Error):
                    used = sum(process.cpu_times()[:2])
                tick(used)
                with suppress(subprocess.TimeoutExpired):
                    printed, error = process.communicate(timeout=_TICK)
                    ended = True
        finally:
            if not ended:
                process.kill()
                process.wait()
    if process.returncode == 0:
        return Compiled(printed, "", used)
    if exceeded_cpu_time(process.returncode):
        return Compiled(printed, f"coqc took more than {seconds} s of CPU time", used, limit=True)
    if "Out of memory" in error or "Stack overflow" in error:
        return Compiled(
            printed, f"coqc needed more than {memory / 2**30:.3g} GiB of memory", used, limit=True
        )
    if process.returncode < 0:
        return Compiled(printed, f"coqc was stopped by signal {-process.returncode}", used, limit=True)
    lines = re.findall(r'^File ".*", line (\d+), ', error.partition("Error:")[0], re.MULTILINE)
    line = int(lines[-1]) if lines else 0  # those before belong to warnings
    return Compiled(printed, _error(error, process.returncode), used, line=line)


def run_coqc(file: Path, folder: Path) -> tuple[str, str]:
    """Run coqc on a file, with the theory in ``folder``; return its output and its error in one line."""
    return _finish_coqc(_start_coqc(file, folder))


def _start_coqc(file: Path, folder: Path) -> subprocess.Popen[str]:
    command = ["coqc", "-noglob", *_options(folder), str(file)]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        encoding="utf-8",
        errors="replace",
    )


def _finish_coqc(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for coqc, which is killed if it takes too long or if this process is interrupted."""
    with process:
        try:
            printed, error = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return "", f"coqc did not finish within {PATIENCE} s"
        finally:
            process.kill()
    return printed, _error(error, process.returncode) if process.returncode else ""


def _error(text: str, code: int) -> str:
    """Return the error of coqc in one line."""
    return one_line(text.partition("Error:")[2] or text or f"coqc exited with {code}")[:400]
