"""What a person sees: streams, progress, and the styles and words of outcomes."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from textwrap import fill
from typing import Any, TextIO

from ..errors import BadFile, printable
from ..files.formats import LARGE
from ..files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

STYLES = {HOLDS: "green", FAILS: "red", UNDECIDED: "yellow", SKIPPED: "dim"}

# Said instead where the encoding has no check mark: "?", Python's own way out, is the mark of UNDECIDED.
_PLAIN = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "–": "-",
        "±": "+-",
        "×": "x",
        "·": "-",
        "…": "...",
        "²": "^2",
        "α": "alpha",
        "β": "beta",
        "≠": "!=",
        "≤": "<=",
        "≥": ">=",
        "“": '"',
        "”": '"',
    }
    | dict.fromkeys("█▉▊▋▌", "#")
    | dict.fromkeys("▍▎▏", " ")
)


def encodable(text: str, stream: TextIO) -> str:
    """As the encoding of the stream can say it."""
    return text if _has_marks(getattr(stream, "encoding", None) or "utf-8") else text.translate(_PLAIN)


@lru_cache(maxsize=8)
def _has_marks(encoding: str) -> bool:
    try:
        return bool("✓✗█".encode(encoding))
    except UnicodeEncodeError:
        return False


class Output:
    """Data on stdout in the chosen format; progress and errors on stderr.

    A quiet one shows data and errors: no progress, no announcements, no hints what to do next.
    """

    def __init__(self, stdout: TextIO, stderr: TextIO, quiet: bool = False):
        self.stdout, self.stderr, self.quiet = _Stdout(stdout), stderr, quiet
        self.progress = ProgressLine(stderr, quiet)

    @property
    def console(self) -> Any:
        """rich, plain where there is no terminal or NO_COLOR is set."""
        from rich.console import Console

        stream = self.stdout.stream

        class Plain(Console):
            """Measures what the stream will say: β is four letters where there is no β."""

            def render_str(self, text: str, **how: Any) -> Any:
                return super().render_str(encodable(text, stream), **how)

        asked, terminal = os.environ.get("COLUMNS", ""), self.stdout.isatty()
        width = None if terminal else int(asked) if asked.isdecimal() and int(asked) else 100
        file: Any = self.stdout if terminal else _Trimmed(self.stdout.stream)
        return Plain(file=file, highlight=False, width=width, soft_wrap=False)

    def print(self, text: str = "") -> None:
        """Lines of data."""
        self.stdout.write(printable(text, "\n") + "\n")

    def json(self, data: Any, indent: int | None = 1) -> None:
        """Data as JSON."""
        ascii = encodable("✓", self.stdout.stream) != "✓"
        text = json.dumps(data, indent=indent, ensure_ascii=ascii)
        for c in {c for c in text if not c.isprintable() and c != "\n"}:
            text = text.replace(c, json.dumps(c)[1:-1])
        self.print(text)

    def file(self, path: str, hint: str = "", bullet: str = "") -> None:
        """Where something was written, for those who want to hear it."""
        if not self.quiet:
            self.print(f"{bullet}written: {printable(path)}{hint}")

    def hint(self, text: str) -> str:
        """What to do next, for those who want to hear it."""
        return "" if self.quiet else text

    def say(self, text: str) -> None:
        """One line on stderr, instead of the progress, for those who want to hear it."""
        if not self.quiet:
            self.error(text)

    def error(self, text: str) -> None:
        """One line on stderr, instead of the progress."""
        with suppress(OSError):
            self.progress("")
            self.stderr.write(encodable(printable(text), self.stderr) + "\n")

    def announce(self, what: str, cost: Any, instead: str = "") -> None:
        """A line before work that takes long or makes a large file (``cost.Cost``)."""
        if cost.notable:
            self.say(f"{what}: {cost}" + f"; {instead}" * bool(instead))

    def written(self, path: str, size: int) -> None:
        """A line where a file has become large."""
        if size > LARGE:
            packed = "" if path.endswith(".gz") else "; a name that ends in .json.gz packs it"
            self.say(f"{path}: {size / 1e6:.0f} MB{packed}")


class OutputClosed(Exception):
    """Nobody reads standard output any more."""


class _Stdout:
    """Standard output; a device that is full is one line, a pipe that is closed none."""

    def __init__(self, stream: TextIO):
        self.stream = stream

    def write(self, text: str) -> int:
        return self._try(self.stream.write, encodable(text, self.stream))

    def flush(self) -> None:
        self._try(self.stream.flush)

    def _try(self, method: Any, *given: str) -> Any:
        try:
            return method(*given)
        except BrokenPipeError:  # under another name: rich exits with 1 on this one
            raise OutputClosed from None
        except OSError as error:
            why = error.strerror or "cannot be written"
            raise BadFile("standard output", why, "send it elsewhere") from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Trimmed(_Stdout):
    """Without the blanks that rich pads its lines with."""

    def write(self, text: str) -> int:
        return super().write(re.sub(r" +(?=\n)", "", text))


_EVERY = 30  # seconds between two lines of progress where there is no terminal


class ProgressLine:
    """One line of a terminal, written over; elsewhere a line now and then.

    A message that counts ("7 of 40") gets the time left.
    """

    def __init__(self, stream: TextIO, quiet: bool = False):
        self.stream, self.quiet = stream, quiet
        self.live = not quiet and stream.isatty() and os.environ.get("TERM") != "dumb"
        self.start = self.last = self.stepped = self.written = time.monotonic()
        self.done = 0
        self.total: int | None = None

    def __call__(self, message: str) -> None:
        if self.quiet:
            return
        if message:
            left = encodable(self._left(message), self.stream)
            message = (
                encodable(printable(message), self.stream)[: max(0, self._width() - 1 - len(left))] + left
            )
        if self.live:
            self._write(f"\r\x1b[K{message}")
        elif message and self.last - self.written >= _EVERY:
            self.written = self.last
            with suppress(OSError):
                self._write(message + "\n")

    def _write(self, text: str) -> None:
        self.stream.write(text)
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


def split_table(
    headings: Sequence[str], rows: Sequence[Sequence[Any]], width: int, gap: int = 2, first: Any = "left"
) -> list[Any]:
    """A table, or several with the same first column: no cell is cut. Headings break where that saves one."""
    from rich.table import Table

    cells = [max((len(str(row[j])) for row in rows), default=0) for j in range(len(headings))]
    if sum(max(c, _broad(h)) + gap for c, h in zip(cells, headings, strict=True)) > width:
        headings = [fill(h, max(c, 1), break_long_words=False) if " " in h else h
                    for c, h in zip(cells, headings, strict=True)]  # fmt: skip
    need = [max(c, _broad(h)) + gap for c, h in zip(cells, headings, strict=True)]
    parts: list[list[int]] = [[0]]
    for j in range(1, len(headings)):
        if len(parts[-1]) > 1 and sum(need[k] for k in parts[-1]) + need[j] > width:
            parts.append([0])
        parts[-1].append(j)
    tables = []
    for part in parts:
        table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
        for j in part:
            table.add_column(headings[j], justify="right" if j else first, no_wrap=True)
        for row in rows:
            table.add_row(*(row[j] for j in part))
        tables.append(table)
    return tables


def _broad(text: str) -> int:
    return max(map(len, text.split("\n")))


def pluralize(number: int, what: str) -> str:
    """'1 claim', '2 claims', '0 claims'."""
    return f"{number} {what}{'s' * (number != 1)}"


def certificate_summary(certificate: Any) -> dict:
    """What a certificate proves, in words and small numbers."""
    from ..numbers.rationals import decimal  # and NumPy with it

    return {
        "level": certificate.level,
        "digits": "exact" if certificate.exact else certificate.digits,
        **({} if certificate.digits else {"w": certificate.accuracy}),
        "free": len(certificate.free),
        "bound": len(certificate.bound),
        "alpha_unique": certificate.alpha_unique,
        "b": " to ".join(decimal(end, 20) for end in certificate.bias_ends()),
        "b_unique": certificate.b_unique,
        "hard_margin": certificate.hard_margin,
    }
