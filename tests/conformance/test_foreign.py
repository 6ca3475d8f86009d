"""Execution of other programs: each failure is reported for one problem and does not end the run."""

import json
import os
import select
import shlex
import shutil
import subprocess
import sys
import threading

import pytest
from command import orca
from here import EXAMPLES
from marks import not_windows

from orca_exact.conformance.foreign import INVALID, Failure, run_program
from orca_exact.conformance.reference import save_references
from orca_exact.conformance.result import Result
from orca_exact.conformance.vectors import vectors
from orca_exact.errors import BadInput, BadParameter, SolverFailed

PROGRAMS = EXAMPLES / "implementations"
TASKS = [{"id": name} for name in "abcde"]
STREAM = "import sys, json\nfor line in sys.stdin:\n    name = json.loads(line)['id']\n"


def program(tmp_path, body: str, prefix: str = STREAM) -> list[str]:
    path = tmp_path / "program.py"
    path.write_text(prefix + body)
    return [sys.executable, str(path)]


def kinds(found: dict) -> dict[str, str]:
    return {name: x.kind if isinstance(x, Failure) else "ok" for name, x in found.items()}


GOOD = "    print(json.dumps({'id': name, 'norm2': 1}), flush=True)\n"


def test_streaming_and_batch_programs(tmp_path):
    assert set(kinds(run_program(program(tmp_path, GOOD), TASKS)).values()) == {"ok"}
    batch = "import sys, json\nnames = [json.loads(x)['id'] for x in sys.stdin]\n"
    batch += "for name in reversed(names):\n    print(json.dumps({'id': name, 'norm2': 1}))\n"
    assert set(kinds(run_program(program(tmp_path, batch, ""), TASKS)).values()) == {"ok"}


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("sys.exit(3)", "crash"),
        ("import os; os.abort()", "crash"),
        ("sys.exit(0)", "silent"),
        ("import time; time.sleep(60)", "timeout"),
        ('print(\'{"id": "c", "norm2"\', end=\'\', flush=True); sys.exit(0)', INVALID),
        ("print('[1, 2'); continue", INVALID),
        ("print(json.dumps({'id': name, 'norm2': 'x'})); continue", INVALID),
        ("print(json.dumps({'id': 7})); continue", INVALID),
        ("print(json.dumps({'id': name})); print(json.dumps({'id': name})); continue", "twice"),
        ("[print('noise') for _ in range(5000)]", "flood"),
    ],
)
def test_an_error_costs_one_problem(tmp_path, error, kind):
    found = run_program(program(tmp_path, f"    if name == 'c':\n        {error}\n{GOOD}"), TASKS, timeout=2)
    assert kinds(found) == {"a": "ok", "b": "ok", "c": kind, "d": "ok", "e": "ok"}


@not_windows
def test_the_children_of_a_hanging_program_end_with_it(tmp_path):
    body = (
        "    import subprocess, time\n    child = subprocess.Popen(['sleep', '77.125'])\n    time.sleep(60)\n"
    )
    assert kinds(run_program(program(tmp_path, body), TASKS[:1], timeout=1)) == {"a": "timeout"}
    if shutil.which("pgrep"):
        assert subprocess.run(["pgrep", "-f", "sleep 77.125"], capture_output=True).stdout == b""


KILLED = """
import sys
from orca_exact.conformance.foreign import run_program
run_program(sys.argv[1:], [{"id": "a"}], timeout=600)
"""


@not_windows
def test_the_program_and_its_children_end_with_a_parent_that_is_killed(tmp_path):
    """Both hold a pipe open, so that its end shows that both have ended."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    body = f"    import os, time\n    held = os.open({str(pipe)!r}, os.O_WRONLY)\n    os.fork()\n"
    body += "    os.write(held, b'x')\n    time.sleep(300)\n"
    command = [sys.executable, "-c", KILLED, *program(tmp_path, body)]
    with subprocess.Popen(command) as parent, open(pipe, "rb", buffering=0) as held:
        assert held.read(1) + held.read(1) == b"xx"
        parent.kill()
        ready, _, _ = select.select([held], [], [], 60)
        assert ready and held.read(1) == b""


def test_the_beginning_and_the_end_of_stderr_are_shown(tmp_path):
    """Node writes its message before the stack, Python after it."""
    body = "    print('TypeError: first', *range(2000), 'Error: last', sep='\\n', file=sys.stderr)\n"
    body += "    sys.exit(1)\n"
    why = run_program(program(tmp_path, body), TASKS[:1])["a"].why
    assert why.startswith("it ended with exit code 1: TypeError: first | 0 | 1") and " | ... | " in why
    assert why.endswith("1999 | Error: last") and len(why) < 2000
    short = run_program(program(tmp_path, "    sys.exit('one\\n\\ntwo')"), TASKS[:1])["a"].why
    assert short == "it ended with exit code 1: one | two"


ESCAPED = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    {deed}
    os._exit(0)
"""


@not_windows
@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("while True: print(flush=True)\n", "timeout"),
        ("import json\nwhile True: print(json.dumps({'id': 'a'}), flush=True)\n", "twice"),
        (
            "import json, time\nwhile True: print(json.dumps({'id': 'a'}), flush=True); time.sleep(0.1)\n",
            "twice",
        ),
        ("import time\nwhile True: print('noise', flush=True); time.sleep(0.1)\n", "timeout"),
        (
            "import sys, time\nwhile True: sys.stdout.write('x'); sys.stdout.flush(); time.sleep(0.1)\n",
            "timeout",
        ),
        (ESCAPED.format(deed="time.sleep(20)"), "timeout"),
        (ESCAPED.format(deed="[print(flush=True) or time.sleep(0.05) for _ in range(400)]"), "timeout"),
    ],
)
def test_whatever_it_does_ends_in_time(tmp_path, body, kind):
    """The run is in a thread, so that a hang fails the test instead of blocking it."""
    found: dict = {}
    run = lambda: found.update(run_program(program(tmp_path, body, ""), TASKS[:2], timeout=0.5))  # noqa: E731
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout=120)  # far more than the second that it takes
    assert kinds(found)["a"] == kind


def test_noise_before_the_answer_does_not_hurt(tmp_path):
    found = run_program(program(tmp_path, "    print('Loading required package: stats')\n" + GOOD), TASKS)
    assert all(isinstance(x, Result) for x in found.values())


def test_a_program_that_never_answers_is_not_started_for_every_problem(tmp_path):
    marks = tmp_path / "starts"
    body = f"open({str(marks)!r}, 'a').write('x')\nraise SystemExit(1)\n"
    found = run_program(program(tmp_path, body, ""), [{"id": str(i)} for i in range(50)])
    assert len(marks.read_text()) == 3
    assert list(kinds(found).values())[:4] == ["crash", "crash", "crash", "not run"]


def test_bad_calls():
    with pytest.raises(SolverFailed, match="cannot be started"):
        run_program("no-such-program-anywhere", TASKS)
    for command in ("", "   ", "'unbalanced"):
        with pytest.raises(BadParameter):
            run_program(command, TASKS)
    with pytest.raises(BadInput, match="same id"):
        run_program("cat", [{"id": "a"}, {"id": "a"}])
    for timeout in (0, -1, float("inf"), float("nan"), 1e300):
        with pytest.raises(BadParameter, match="timeout"):
            run_program("cat", TASKS, timeout=timeout)


def crosscheck_run(command: str, *more: str) -> tuple[int, dict]:
    code, out, error = orca("crosscheck", "--run", command, "--format", "json", *more)
    return code, json.loads(out) if out else {"error": error}


@pytest.mark.slow
def test_exit_codes(tmp_path):
    dead = " ".join(program(tmp_path, "raise SystemExit(1)\n", ""))
    assert crosscheck_run(dead, "--flag", "NZero")[0] == 5
    assert crosscheck_run("no-such-program-anywhere")[0] == 5
    empty = " ".join(program(tmp_path, "    print(json.dumps({'id': name, 'skipped': 'cannot'}))\n"))
    code, data = crosscheck_run(empty, "--flag", "NZero")
    assert code == 3 and data["outcome"] == "UNDECIDED"
    wrong = " ".join(program(tmp_path, "    print(json.dumps({'id': name, 'norm2': '-7'}))\n"))
    assert crosscheck_run(wrong, "--flag", "NZero")[0] == 1
    assert crosscheck_run("cat", "--flag", "NoSuchFlag")[0] == 4


def test_given_dual_variables_of_a_reference_are_sent(tmp_path):
    vector = next(vector for vector in vectors() if "GivenDual" in vector.flags)
    save_references([vector.reference], tmp_path / "ref.json")
    body = "    dual = json.loads(line)['dual']\n"
    body += "    print(json.dumps({'id': name, 'alpha': dual}), flush=True)\n"
    code, _, _ = orca("crosscheck", str(tmp_path / "ref.json"), "--run", shlex.join(program(tmp_path, body)))
    assert code == 0


SHIPPED = {  # the command that runs it, and one that fails if something it needs is missing
    "python": ([sys.executable, str(PROGRAMS / "orca_sklearn.py")], [sys.executable, "-c", "import sklearn"]),
    "R": (["Rscript", str(PROGRAMS / "orca.R")], ["Rscript", "-e", "library(jsonlite)"]),
    "Octave": (
        ["octave-cli", "--quiet", str(PROGRAMS / "orca.m")],
        ["octave-cli", "--eval", "jsondecode('1');"],
    ),
    "Node": (["node", str(PROGRAMS / "orca.js")], ["node", "--version"]),
    "C++": (
        ["{folder}/orca"],
        shlex.split("g++ -fsyntax-only -x c++ -include nlohmann/json.hpp -include eigen3/Eigen/Dense -"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", SHIPPED)
def test_shipped_implementations_pass_every_vector(language, tmp_path):
    command, trial = ([word.format(folder=tmp_path) for word in words] for words in SHIPPED[language])
    if shutil.which(trial[0]) is None:
        pytest.skip(f"{trial[0]} is not installed")
    tried = subprocess.run(trial, capture_output=True, timeout=120, encoding="utf-8")
    if tried.returncode:
        pytest.skip(f"{' '.join(trial)} fails: install the packages that the program names")
    if language == "C++":
        options = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"]
        subprocess.run(["g++", *options, str(PROGRAMS / "orca.cpp"), "-o", *command], check=True, timeout=300)
    code, data = crosscheck_run(" ".join(command))
    failed = [report for report in data["reports"] if report["outcome"] != "HOLDS"]
    assert code == 0 and not failed, failed[:3]
    assert len(data["reports"]) == len(vectors())


OLDER = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("orca_sklearn", {path!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
for line in sys.stdin:
    problem = json.loads(line)
    known = problem["schema"] in {known!r}
    skipped = {{"id": problem["id"], "skipped": "version"}}
    print(json.dumps(module.profile(problem) if known else skipped), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("newest", "flag"), [(1, "VersionTwo"), (2, "OrderLimit")])
def test_a_program_that_knows_only_earlier_versions(tmp_path, newest, flag):
    """The problems that it skips are undecided; with --problem-version it passes."""
    path, known = str(PROGRAMS / "orca_sklearn.py"), [f"orca-exact/problem/{v + 1}" for v in range(newest)]
    command = " ".join(program(tmp_path, OLDER.format(path=path, known=known), ""))
    flags = ("--flag", "NZero", "MixedMeasures")
    code, data = crosscheck_run(command, *flags)
    found = {report["outcome"] for report in data["reports"]}
    assert code == 3 and found == {"HOLDS", "UNDECIDED"}
    code, older = crosscheck_run(command, *flags, "--problem-version", str(newest))
    assert code == 0 and 0 < len(older["reports"]) < len(data["reports"])
    code, data = crosscheck_run(command, "--flag", flag, "--problem-version", str(newest))
    assert code == 4 and "--problem-version" in data["error"] and f"use {newest + 1}" in data["error"]
