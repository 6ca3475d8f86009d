"""Mutation testing with cosmic-ray: ``python -m benchmarks.mutation [MODULE ...]``.

A mutant of a module must be detected by the tests in the folder of its package, or by those that
``[tool.orca-exact.mutation.also]`` of pyproject.toml lists. Each place of a module has one mutant, by an
operator drawn with ``--seed``; ``--places`` limits the number of places. Mutants are tested in a copy of
the tree, each in a process that is forked after the libraries are loaded and has limits on CPU time and
memory. Surviving mutants are printed as diffs, followed by the score of each module.
"""

from __future__ import annotations

import argparse
import compileall
import difflib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

DESCRIPTION = "Test modules by mutation with cosmic-ray; print surviving mutants and the score of a module."
ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = (
    "cvxpy",
    "flint",
    "hypothesis",
    "jsonschema",
    "mpmath",
    "numpy",
    "pytest",
    "sklearn.svm",
    "sympy",
)
NO_MUTANTS = ("core/ReplaceBinaryOperator_BitOr_",)  # X | Y is nearly always a type
QUIET = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "--hypothesis-profile=mutants")
MEMORY = 4 << 30


def settings() -> dict[str, Any]:
    """Return the settings in pyproject.toml."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["tool"]["orca-exact"]["mutation"]


def tests_by_module() -> dict[str, list[str]]:
    """Return the arguments of pytest for each module; its doctests come last, so that it is imported once."""
    known = settings()
    less = [f"--deselect={test}" for test in known["left_out"]]
    found = {}
    for package in known["packages"]:
        home = ROOT / "orca_exact" / package
        for file in sorted(home.glob("[a-z]*.py")) or [home.with_suffix(".py")]:
            module = file.relative_to(ROOT).as_posix()
            found[module] = [f"tests/{package}", *known["also"].get(module, []), module, *less]
    return found


def copy_of_tree(to: Path) -> None:
    """Copy the files that git tracks and those that it does not ignore."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, encoding="utf-8").stdout
    for name in names.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)


def mutations(module: Path, seed: int) -> list[Any]:
    """Return one mutation for each place of the module, in random order."""
    from cosmic_ray.commands import init
    from cosmic_ray.work_db import WorkDB, use_db

    with use_db(":memory:", WorkDB.Mode.create) as db:
        init([module], db, {})
        every = [item.mutations[0] for item in db.work_items]
    places: dict[Any, list] = {}
    for mutation in sorted(every, key=lambda m: (m.start_pos, m.operator_name, m.occurrence)):
        if not mutation.operator_name.startswith(NO_MUTANTS):
            places.setdefault((mutation.start_pos, mutation.end_pos), []).append(mutation)
    draw = random.Random(seed)
    chosen = [draw.choice(found) for found in places.values()]
    draw.shuffle(chosen)
    return chosen


def run(tests: Sequence[str], seconds: int) -> tuple[bool, bool, float]:
    """Return whether the tests pass, whether they exceeded the CPU time, and the seconds they took."""
    import resource  # not on Windows

    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.dont_write_bytecode = True
        os._exit(import_module("pytest").main([*QUIET, *tests]))
    _, status, usage = os.wait4(child, 0)
    return status == 0, os.WIFSIGNALED(status), usage.ru_utime + usage.ru_stime


def score(module: str, tests: list[str], seed: int, count: int | None) -> None:
    """Print the surviving mutants of a module and its score."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    path = Path(module)
    right, every = path.read_text(encoding="utf-8"), mutations(path, seed)
    passed, _, seconds = run(tests, 3600)
    if not passed:
        raise SystemExit(f"{module}: the tests fail without a mutant; fix them first: {' '.join(tests)}")
    tried = survived = late = 0
    for tried, mutation in enumerate(every[:count], 1):
        wrong = mutate_code(right, get_operator(mutation.operator_name)(), mutation.occurrence)
        path.write_text(wrong, encoding="utf-8")
        passes, stopped, _ = run(tests, int(4 * seconds) + 20)
        path.write_text(right, encoding="utf-8")
        survived, late = survived + passes, late + stopped
        if passes:
            print(
                *difflib.unified_diff(right.splitlines(), wrong.splitlines(), module, "", "", "", 1, ""),
                sep="\n",
            )
        print(f"\r{module}: {tried} of {len(every)}", end=" ", file=sys.stderr, flush=True)
    print(
        f"{module}: {tried} of {len(every)} places tried, {survived} mutants survive, "
        f"{late} exceeded the CPU time",
        flush=True,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Score the given modules, or all."""
    known = tests_by_module()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutation", description=DESCRIPTION)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="such as orca_exact/numbers/midrad.py")
    parser.add_argument("--places", type=int, metavar="N", help="try at most N places of each module")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        copy_of_tree(Path(folder))
        os.chdir(folder)
        os.environ["PYTHONPATH"] = sys.path[0] = folder
        compileall.compile_dir("orca_exact", quiet=1)
        for name in LIBRARIES:
            import_module(name)
        for module in given.modules or known:
            score(module, known[module], given.seed, given.places)
    return 0


if __name__ == "__main__":
    sys.exit(main())
