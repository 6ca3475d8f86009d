"""Execution of another program: problems as JSON lines on its stdin, results as JSON lines from its stdout.

The program may answer at once or at the end; answers are matched by id. A crash, a timeout, invalid output,
an incomplete line or excessive output is a ``Failure`` of the first problem without an answer; the program
is then started again with the problems after it. After three starts in a row without an answer the run
ends.

Only the first answer to a problem restarts the timeout; blank lines, invalid lines and repeated answers do
not. The program and its process group end with the run, even if this process is killed: the leader of the
group is a guard process, which kills the group when a pipe closes that only this process holds open. A
child that has left the group may keep the output pipes open, but the run does not wait for it. A run
therefore takes at most ``timeout`` seconds for each answer and each start.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic
from typing import IO, Any

from ..errors import BadInput, BadParameter, OrcaError, SolverFailed
from ..files.formats import JsonObject, parse
from .result import Failure, Result

MAX_LINE = 64 << 20  # bytes in one line
MAX_GARBAGE = 1_000  # lines in a row that answer nothing
MAX_FAILED_STARTS = 3  # starts in a row without an answer that end the run
_GRACE = 2.0  # seconds for the program to end after the last answer
MAX_TIMEOUT = 1e6  # seconds
HEAD, TAIL = 700, 300  # bytes of stderr that are shown: the message may be at either end
GUARD = [sys.executable, "-ISc", "import os; os.read(0, 1); os.killpg(0, 9)"]
INVALID = "the output is not a result"  # a kind of Failure
ProgramAnswers = dict[str, Result | Failure]
Errors = tuple[bytearray, bytearray]  # the beginning of stderr, and the end of the rest


def run_program(
    command: str | list[str],
    tasks: Iterable[JsonObject],
    timeout: float = 60.0,
    progress: Callable[[str], None] = lambda text: None,
) -> ProgramAnswers:
    """Run a program on problems and return a Result or a Failure for each id.

    Parameters
    ----------
    command : str or list of str
        The program and its arguments; a string is split as a shell does.
    tasks : iterable of dict
        The problems as JSON values, each with its own id.
    timeout : float, default 60
        Seconds without a new answer after which the program is stopped.
    progress : callable, optional
        Called with a line of text after each answer.

    Returns
    -------
    dict

    Raises
    ------
    BadParameter
        If the command or the timeout is not valid.
    BadInput
        If two problems have the same id.
    SolverFailed
        If the program cannot be started.
    """
    try:
        words = split_command(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise BadParameter(
            "--run", repr(command), f"is not a command ({error})", "close its quotes"
        ) from None
    if not words:
        raise BadParameter("--run", repr(command), "is not a command", "pass a program that reads JSON lines")
    if not 0 < timeout <= MAX_TIMEOUT:
        rule = f"is not between 0 and {MAX_TIMEOUT:g}"
        raise BadParameter("--timeout", timeout, rule, "pass a number of seconds, such as 60")
    tasks = list(tasks)
    waiting = {task["id"]: task for task in tasks}
    if len(waiting) < len(tasks):
        raise BadInput(
            "id: two problems have the same id, by which answers are matched; give each its own id"
        )
    found: ProgramAnswers = {}
    fruitless = 0

    def report() -> None:
        progress(f"{len(found)} of {len(tasks)} problems answered")

    while waiting:
        before = len(found)
        report()
        failure = _run_once(words, waiting, found, timeout, report)
        fruitless = 0 if any(isinstance(found[i], Result) for i in list(found)[before:]) else fruitless + 1
        if failure is not None and waiting:
            blamed = next(iter(waiting))
            del waiting[blamed]
            found[blamed] = failure
        if fruitless == MAX_FAILED_STARTS:
            for name in waiting:
                found[name] = Failure(
                    "not run", f"the program gave no answer in {MAX_FAILED_STARTS} starts in a row"
                )
            waiting.clear()
    return {task["id"]: found[task["id"]] for task in tasks}


def _run_once(
    words: list[str],
    waiting: dict[str, JsonObject],
    found: ProgramAnswers,
    timeout: float,
    tick: Callable[[], None],
) -> Failure | None:
    """Run the program once on the waiting problems, and move its answers to ``found``.

    Return what ended the run before all were answered, if anything did.
    """
    guard = _guard()
    try:
        process = subprocess.Popen(
            words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            process_group=guard.pid if guard else None,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        _kill(guard)
        why = f"{words[0]!r} cannot be started: {error}; check the command and its path"
        raise SolverFailed(why) from None
    lines: queue.Queue[bytes | None] = queue.Queue(maxsize=256)
    errors = bytearray(), bytearray()
    stopped = threading.Event()
    text = "".join(json.dumps(task) + "\n" for task in waiting.values()).encode()
    for target, *args in (
        (_write_tasks, process.stdin, text),
        (_read, process.stdout, lines, stopped),
        (_read_errors, process.stderr, errors, stopped),
    ):
        threading.Thread(target=target, args=args, daemon=True).start()
    try:
        return _collect(process, lines, errors, waiting, found, timeout, tick)
    finally:
        stopped.set()
        _kill(guard, process)


def _collect(
    process: subprocess.Popen[bytes], lines: queue.Queue[Any], errors: Errors, waiting: dict[str, JsonObject],
    found: ProgramAnswers, timeout: float, tick: Callable[[], None],
) -> Failure | None:  # fmt: skip
    invalid: dict[str, Failure] = {}  # invalid lines, by the first problem without an answer at that time
    order = {name: i for i, name in enumerate(waiting)}
    useless, furthest, deadline = 0, -1, monotonic() + timeout
    while True:
        try:
            line = lines.get(timeout=max(0.0, deadline - monotonic()))
        except queue.Empty:
            return _timeout(waiting, invalid, timeout)
        if line is None:
            break
        if len(line) >= MAX_LINE:
            return Failure("flood", f"it wrote a line of more than {MAX_LINE >> 20} MB and was stopped")
        before = len(waiting)
        taken = _file_answer(line, waiting, found)
        if len(waiting) < before:
            useless, furthest = 0, max(furthest, order.get(str(taken), -1))
            deadline = monotonic() + (timeout if waiting else _GRACE)
            tick()
            continue
        if isinstance(taken, Failure):
            invalid.setdefault(next(iter(waiting), ""), taken)
        useless += 1
        if useless >= MAX_GARBAGE:
            why = f"it wrote {useless} lines in a row that are not answers and was stopped"
            return Failure("flood", f"{why}. The last was {_clip(line)}")
        if monotonic() > deadline:
            return _timeout(waiting, invalid, timeout)
    for name in [name for name in waiting if order[name] < furthest]:
        del waiting[name]
        found[name] = invalid.get(name) or Failure("silent", "it answered later problems but not this one")
    if not waiting:
        return None
    if (garbage := invalid.get(next(iter(waiting)))) is not None:
        return garbage
    code, text = _describe_exit(process), _stderr_text(*errors)
    kind, why = ("crash", f"it ended with {code}") if code else ("silent", "it ended without an answer")
    return Failure(kind, f"{why}: {text}" if text else why)


def _timeout(waiting: dict[str, JsonObject], invalid: dict[str, Failure], timeout: float) -> Failure | None:
    """Return a timeout if answers are missing."""
    if not waiting:
        return None
    garbage = invalid.get(next(iter(waiting)))
    output = f". Its output was not an answer: {garbage.why}" if garbage else ""
    return Failure("timeout", f"it gave no answer for {timeout:g} s and was stopped{output}")


def _file_answer(line: bytes, waiting: dict[str, JsonObject], found: ProgramAnswers) -> Failure | str:
    """Add the answer in one line of output to ``found``; return its id, or what is wrong with the line."""
    try:
        data: Any = parse(line, "its output")
    except (OrcaError, ValueError, RecursionError) as error:
        return Failure(INVALID, f"{_clip(line)} ({_clip(str(error))})")
    name = data.get("id") if isinstance(data, dict) else None
    if not isinstance(name, str) or (name not in waiting and name not in found):
        return Failure(INVALID, f"{_clip(line)} is not an answer: its id is not that of a problem")
    if name in found:
        found[name] = Failure("twice", "it answered this problem more than once")
        return name
    try:
        answer: Result | Failure = Result.from_json(data, "its output")
    except (OrcaError, ValueError, RecursionError) as error:
        answer = Failure(INVALID, _clip(str(error), 300))
    del waiting[name]
    found[name] = answer
    return name


def _clip(text: Any, limit: int = 80) -> str:
    shown = text.decode(errors="replace").rstrip() if isinstance(text, bytes) else text
    shown = shown if len(shown) <= limit else shown[: limit - 3] + "..."
    return ascii(shown) if isinstance(text, bytes) else shown


# Each thread closes its own pipe. The pipes are unbuffered: closing a buffered one would wait for its reader.


def _write_tasks(pipe: IO[bytes], text: bytes) -> None:
    rest = memoryview(text)
    with suppress(OSError), pipe:  # the program may end before it has read everything
        while rest:
            rest = rest[pipe.write(rest) :]


def _read(pipe: IO[bytes], lines: queue.Queue[Any], stopped: threading.Event) -> None:
    def put(line: bytes | None) -> None:
        while not stopped.is_set():
            with suppress(queue.Full):
                return lines.put(line, timeout=0.1)

    line = bytearray()
    with suppress(OSError), pipe:
        while not stopped.is_set() and len(line) < MAX_LINE and (chunk := pipe.read(1 << 16)):
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                if (line + end).strip():
                    put(bytes(line + end))
                line.clear()
            line += rest
    if line.strip():
        put(bytes(line))
    put(None)


def _read_errors(pipe: IO[bytes], errors: Errors, stopped: threading.Event) -> None:
    head, tail = errors
    with suppress(OSError), pipe:
        while not stopped.is_set() and (chunk := pipe.read(4096)):
            missing = HEAD - len(head)
            head += chunk[:missing]
            tail += chunk[missing:]
            del tail[: -TAIL - 1]  # one byte more than is shown marks an omission


def _stderr_text(head: bytearray, tail: bytearray) -> str:
    """Return the beginning and the end of stderr in one line."""
    text = head + (b"\n...\n" + tail[-TAIL:] if len(tail) > TAIL else tail)
    lines = (line.strip() for line in text.decode(errors="replace").splitlines())
    return " | ".join(filter(None, lines))


def _describe_exit(process: subprocess.Popen[bytes]) -> str:
    """Describe the exit code of the program; return an empty string for success."""
    try:
        code = process.wait(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        return ""
    if code < 0:
        return f"signal {-code}"
    return f"exit code {code}" if code else ""


def split_command(command: str, posix: bool = os.name == "posix") -> list[str]:
    """Split a command into words; on Windows a backslash is a part of a path, and only " quotes."""
    if posix:
        return shlex.split(command)
    return [word.replace('"', "") for word in shlex.split(command, posix=False)]


def _guard() -> subprocess.Popen[bytes] | None:
    """Start the leader of the program's process group, if the system has process groups."""
    if sys.platform == "win32":
        return None
    return subprocess.Popen(GUARD, stdin=subprocess.PIPE, process_group=0)


def _kill(guard: subprocess.Popen[bytes] | None, process: subprocess.Popen[bytes] | None = None) -> None:
    """Kill the program and its process group, or on Windows its children, and the guard."""
    with suppress(OSError):
        if guard is not None and sys.platform != "win32":
            os.killpg(guard.pid, signal.SIGKILL)
        elif process is not None:
            import psutil

            with suppress(psutil.Error):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
            process.kill()
    for ended in (guard, process):
        if ended is not None:
            ended.wait()
    if guard is not None and guard.stdin is not None:
        guard.stdin.close()
