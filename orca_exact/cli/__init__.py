"""``orca-exact VERB``: parse, run, exit. Each verb is a module of ``orca_exact.cli.verbs``.

A verb offers ``HELP``, ``arguments(parser)`` and ``run(args, out) -> int``; it speaks through ``out``.
Exit codes: 0 as expected, 1 a mismatch or an unexpected verdict, 2 usage, 3 undecided only,
4 bad input, 5 a foreign program or solver failed.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, TextIO

from .. import __version__
from ..errors import OrcaError

VERBS = (
    "verify", "explain", "profile", "certify", "check-certificate", "reference", "crosscheck", "tables",
    "figures", "report", "data", "schema", "doctor",
)  # fmt: skip


class Output:
    """Data on stdout in the chosen format; progress and errors on stderr, progress only on a terminal."""

    def __init__(self, stdout: TextIO, stderr: TextIO, format: str = "text"):
        self.stdout, self.stderr, self.format = stdout, stderr, format
        self.progress = Progress(stderr)

    @property
    def console(self) -> Any:
        """rich, plain where there is no terminal or NO_COLOR is set."""
        from rich.console import Console

        asked = os.environ.get("COLUMNS", "")
        width = None if self.stdout.isatty() else int(asked) if asked.isdecimal() and int(asked) else 100
        file: Any = self.stdout if self.stdout.isatty() else _Trimmed(self.stdout)
        return Console(file=file, highlight=False, width=width, soft_wrap=False)

    def print(self, text: str = "") -> None:
        self.stdout.write(text + "\n")

    def json(self, data: Any) -> None:
        self.print(json.dumps(data, indent=1, ensure_ascii=False))


class _Trimmed:
    """A stream without the blanks that rich pads its lines with."""

    def __init__(self, stream: TextIO):
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(re.sub(r" +(?=\n)", "", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class Progress:
    """One line of a terminal, written over; a message that counts ("7 of 40") gets the time left."""

    def __init__(self, stream: TextIO):
        self.stream = stream
        self.live = stream.isatty() and os.environ.get("TERM") != "dumb"
        self.start = self.last = self.stepped = time.monotonic()
        self.done = 0
        self.total: int | None = None

    def __call__(self, message: str) -> None:
        if not self.live:
            return
        if message:
            message = (message + self._left(message))[: self._width() - 1]
        self.stream.write(f"\r\x1b[K{message}")
        self.stream.flush()

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self.stream.fileno()).columns or 80
        except OSError:
            return 80

    def _left(self, message: str) -> str:
        found, now = re.search(r"(\d+) of (\d+)", message), time.monotonic()
        done, total = (int(found[1]), int(found[2])) if found else (0, None)
        if total != self.total:  # other work has begun, when the last message was written
            self.start, self.total = self.last, total
        if done != self.done:
            self.done, self.stepped = done, now
        self.last = now
        if total is None or not 0 < done < total or now - self.start < 2:
            return ""
        seconds = (now - self.start) / done * (total - done)
        if seconds < now - self.stepped:  # one piece of work outlasts what was expected of all
            return ""
        return f" · about {f'{seconds / 60:.0f} min' if seconds > 90 else f'{seconds:.0f} s'} left"


def _module(verb: str) -> Any:
    return import_module(f".verbs.{verb.replace('-', '_')}", __package__)


def parser(verb: str | None = None) -> argparse.ArgumentParser:
    """Only the verb asked for builds its arguments, so that starting stays quick."""
    top = argparse.ArgumentParser(
        prog="orca-exact",
        description="Exact verification of SVMs on orthogonal-polynomial kernels and their ORCA profiles.",
    )
    top.add_argument("--version", action="version", version=f"orca-exact {__version__}")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name in VERBS:
        module = _module(name)
        sub = verbs.add_parser(name, help=module.HELP, description=module.HELP)
        if verb in (None, name):
            module.arguments(sub)
    return top


def add_format(sub: argparse.ArgumentParser, *more: str) -> None:
    sub.add_argument("--format", choices=["text", "json", "markdown", *more], default="text")


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    out = Output(stdout, stderr, getattr(args, "format", "text"))
    try:
        return _module(args.verb).run(args, out)
    except OrcaError as error:
        out.progress("")
        stderr.write(f"orca-exact: {error}\n")
        return error.exit_code
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        stderr.write("orca-exact: interrupted\n")
        return 130


def main(argv: Sequence[str] | None = None) -> None:
    words = list(sys.argv[1:] if argv is None else argv)
    args = parser(words[0] if words and words[0] in VERBS else None).parse_args(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # α and █ on an ASCII terminal
    code = run(args, sys.stdout, sys.stderr)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
