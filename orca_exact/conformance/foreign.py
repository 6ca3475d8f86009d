"""Run a foreign program: problems as JSON lines on its stdin, results as JSON lines from its stdout.

It may stream or answer at the end; answers are matched by id. Whatever it does (crash, hang, garbage, half a
line, a flood) is a ``Failure`` of one problem, the one it was at; the program is then started again with the
problems after that one. Three starts in a row without a single answer end the run.

Only an answer to a problem that waits resets the clock: blank lines, garbage, one id again and again do not.
The program and its group end with the run, even if this process is killed: the group belongs to a guard that
kills it at the end of a pipe which only this process holds. A child that left the group may keep the pipes,
and nobody waits for it. So a run takes at most ``timeout`` seconds for each answer and each start.
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
from dataclasses import dataclass
from time import monotonic
from typing import IO, Any

from ..errors import BadInput, BadParameter, OrcaError, SolverFailed
from ..files.formats import parse
from .result import Result

MAX_LINE = 64 << 20  # bytes in one line
MAX_GARBAGE = 1_000  # lines in a row that answer nothing
FRUITLESS = 3
_GRACE = 2.0  # seconds to leave after the last answer
MAX_TIMEOUT = 1e6  # seconds
HEAD, TAIL = 700, 300  # bytes of what it writes to stderr that are shown: its message may be at either end
GUARD = [sys.executable, "-ISc", "import os; os.read(0, 1); os.killpg(0, 9)"]


@dataclass(frozen=True)
class Failure:
    """No result: ``kind`` is timeout, crash, garbage, flood, silent, twice or not run."""

    kind: str
    why: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.why}"


ProgramAnswers = dict[str, Result | Failure]
Errors = tuple[bytearray, bytearray]  # the beginning of what was written to stderr, and the end of the rest


def ask_program(
    command: str | list[str],
    tasks: Iterable[dict],
    timeout: float = 60.0,
    say: Callable[[str], None] = lambda text: None,
) -> ProgramAnswers:
    """Each task's Result or Failure, by id. ``timeout``: seconds without a new answer."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise BadParameter("--run", repr(command), f"is no command ({error})", "close its quotes") from None
    if not words:
        raise BadParameter("--run", repr(command), "is no command", "give a program that reads JSON lines")
    if not 0 < timeout <= MAX_TIMEOUT:
        raise BadParameter(
            "--timeout", timeout, f"is not between 0 and {MAX_TIMEOUT:g}", "give seconds, such as 60"
        )
    tasks = list(tasks)
    waiting = {task["id"]: task for task in tasks}
    if len(waiting) < len(tasks):
        raise BadInput("id: two problems have the same id; answers are matched by it: give each its own")
    found: ProgramAnswers = {}
    fruitless = 0
    while waiting:
        before = len(found)
        failure = _session(
            words, waiting, found, timeout, lambda: say(f"{len(found)} of {len(tasks)} answered")
        )
        fruitless = 0 if any(isinstance(found[i], Result) for i in list(found)[before:]) else fruitless + 1
        if failure is not None and waiting:
            blamed = next(iter(waiting))
            del waiting[blamed]
            found[blamed] = failure
        if fruitless == FRUITLESS:
            for name in waiting:
                found[name] = Failure("not run", f"{FRUITLESS} starts in a row gave no answer")
            waiting.clear()
    return {task["id"]: found[task["id"]] for task in tasks}


def _session(
    words: list[str],
    waiting: dict[str, dict],
    found: ProgramAnswers,
    timeout: float,
    tick: Callable[[], None],
) -> Failure | None:
    """One run of the program over what is waiting; answers move to ``found``. What ended it early."""
    guard = _guard()
    try:
        process = subprocess.Popen(
            words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            process_group=guard.pid if guard else None,
        )  # fmt: skip
    except (OSError, ValueError) as error:
        _end(guard)
        raise SolverFailed(
            f"{words[0]!r} cannot be started: {error}; check the command and its path"
        ) from None
    lines: queue.Queue[bytes | None] = queue.Queue(maxsize=256)
    errors = bytearray(), bytearray()
    over = threading.Event()
    text = "".join(json.dumps(task) + "\n" for task in waiting.values()).encode()
    for target, *args in (
        (_feed, process.stdin, text),
        (_read, process.stdout, lines, over),
        (_listen, process.stderr, errors, over),
    ):
        threading.Thread(target=target, args=args, daemon=True).start()
    try:
        return _collect(process, lines, errors, waiting, found, timeout, tick)
    finally:
        over.set()
        _end(guard, process)


def _collect(
    process: subprocess.Popen, lines: queue.Queue, errors: Errors, waiting: dict[str, dict],
    found: ProgramAnswers, timeout: float, tick: Callable[[], None],
) -> Failure | None:  # fmt: skip
    noted: dict[str, Failure] = {}  # what was said instead of an answer, by the problem it was at
    order = {name: i for i, name in enumerate(waiting)}
    useless, furthest, deadline = 0, -1, monotonic() + timeout
    while True:
        try:
            line = lines.get(timeout=max(0.0, deadline - monotonic()))
        except queue.Empty:
            return _late(waiting, noted, timeout)
        if line is None:
            break
        if len(line) >= MAX_LINE:
            return Failure("flood", f"a line of more than {MAX_LINE >> 20} MB; ended")
        before = len(waiting)
        taken = _take(line, waiting, found)
        if len(waiting) < before:
            useless, furthest = 0, max(furthest, order.get(str(taken), -1))
            deadline = monotonic() + (timeout if waiting else _GRACE)
            tick()
            continue
        if isinstance(taken, Failure):
            noted.setdefault(next(iter(waiting), ""), taken)
        useless += 1
        if useless >= MAX_GARBAGE:
            return Failure(
                "flood", f"{useless} lines in a row that answer nothing; ended. Last: {_clip(line)}"
            )
        if monotonic() > deadline:
            return _late(waiting, noted, timeout)
    passed_over = [name for name in waiting if order[name] < furthest]
    for name in passed_over:
        del waiting[name]
        found[name] = noted.get(name) or Failure("silent", "it answered later problems, but not this one")
    if not waiting:
        return None
    code = _code(process)
    said = _said(*errors)
    if (garbage := noted.get(next(iter(waiting)))) is not None:
        return garbage
    if code:
        return Failure("crash", f"it ended with {code}" + (f": {said}" if said else ""))
    return Failure("silent", "it ended without an answer" + (f": {said}" if said else ""))


def _late(waiting: dict[str, dict], noted: dict[str, Failure], timeout: float) -> Failure | None:
    """Nothing came in time; nothing is wrong if nothing was waited for."""
    if not waiting:
        return None
    said = noted.get(next(iter(waiting)))
    return Failure(
        "timeout", f"no answer for {timeout:g} s; ended" + (f". It said: {said.why}" if said else "")
    )


def _take(line: bytes, waiting: dict[str, dict], found: ProgramAnswers) -> Failure | str:
    """File one line: the id that it answered, or what is wrong with it."""
    try:
        data: Any = parse(line, "its output")
    except (OrcaError, ValueError, RecursionError) as error:
        return Failure("garbage", f"{_clip(line)} ({_clip(str(error))})")
    name = data.get("id") if isinstance(data, dict) else None
    if not isinstance(name, str) or (name not in waiting and name not in found):
        return Failure("garbage", f"{_clip(line)} answers no problem: its id is not one that was asked")
    if name in found:
        found[name] = Failure("twice", "it was answered more than once")
        return name
    try:
        answer: Result | Failure = Result.from_json(data, "its output")
    except (OrcaError, ValueError, RecursionError) as error:
        answer = Failure("garbage", _clip(str(error), 300))
    del waiting[name]
    found[name] = answer
    return name


def _clip(text: Any, limit: int = 80) -> str:
    shown = text.decode(errors="replace").rstrip() if isinstance(text, bytes) else text
    shown = shown if len(shown) <= limit else shown[: limit - 3] + "..."
    return ascii(shown) if isinstance(text, bytes) else shown


# Each thread owns its pipe, unbuffered, and closes it: closing a buffered one would wait for its reader.


def _feed(pipe: IO[bytes], text: bytes) -> None:
    rest = memoryview(text)
    with suppress(OSError), pipe:  # it may end first
        while rest:
            rest = rest[pipe.write(rest) :]


def _read(pipe: IO[bytes], lines: queue.Queue, over: threading.Event) -> None:
    def put(line: bytes | None) -> None:
        while not over.is_set():
            with suppress(queue.Full):
                return lines.put(line, timeout=0.1)

    line = bytearray()
    with suppress(OSError), pipe:
        while not over.is_set() and len(line) < MAX_LINE and (chunk := pipe.read(1 << 16)):
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                if (line + end).strip():
                    put(bytes(line + end))
                line.clear()
            line += rest
    if line.strip():
        put(bytes(line))
    put(None)


def _listen(pipe: IO[bytes], errors: Errors, over: threading.Event) -> None:
    head, tail = errors
    with suppress(OSError), pipe:
        while not over.is_set() and (chunk := pipe.read(4096)):
            room = HEAD - len(head)
            head += chunk[:room]
            tail += chunk[room:]
            del tail[: -TAIL - 1]  # one more than is shown: then something is left out


def _said(head: bytearray, tail: bytearray) -> str:
    """Return the beginning and the end of what was written to stderr, in one line."""
    text = head + (b"\n...\n" + tail[-TAIL:] if len(tail) > TAIL else tail)
    lines = (line.strip() for line in text.decode(errors="replace").splitlines())
    return " | ".join(filter(None, lines))


def _code(process: subprocess.Popen) -> str:
    """How it ended, in words; empty for success."""
    try:
        code = process.wait(timeout=_GRACE)
    except subprocess.TimeoutExpired:
        return ""
    if code < 0:
        return f"signal {-code}"
    return f"exit code {code}" if code else ""


def _guard() -> subprocess.Popen | None:
    """Start the leader of the program's group of processes, where the system has groups."""
    if os.name != "posix":
        return None
    return subprocess.Popen(GUARD, stdin=subprocess.PIPE, process_group=0)


def _end(guard: subprocess.Popen | None, process: subprocess.Popen | None = None) -> None:
    """Kill the program and its children, where the system has groups of processes, and the guard."""
    with suppress(OSError):
        if guard is not None:
            os.killpg(guard.pid, signal.SIGKILL)
        elif process is not None:
            process.kill()
    for ended in (guard, process):
        if ended is not None:
            ended.wait()
    if guard is not None and guard.stdin is not None:
        guard.stdin.close()
