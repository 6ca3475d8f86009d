"""Standard output and standard error: encodings, progress, tables and common phrases."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EINVAL
from functools import lru_cache
from textwrap import fill
from threading import Event, RLock, Thread
from typing import Any, TextIO

from ..errors import BadFile, pluralize, printable
from ..files.escaping import for_markdown
from ..files.formats import LARGE_BYTES, JsonObject
from ..files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED
from .signals import erase_line

STYLES = {HOLDS: "green", FAILS: "red", UNDECIDED: "yellow", SKIPPED: "dim"}

# Replacements for encodings without a check mark. Python's own replacement, "?", is the mark of UNDECIDED.
_PLAIN = str.maketrans({
    "✓": "+", "✗": "x", "–": "-", "±": "+-", "×": "x", "·": "-", "…": "...", "²": "^2", "≠": "!=", "≤": "<=",
    "≥": ">=", "α": "alpha", "β": "beta", "“": '"', "”": '"',
    **dict.fromkeys("█▉▊▋▌", "#"), **dict.fromkeys("▍▎▏", " "),
})  # fmt: skip


def make_encodable(text: str, stream: TextIO) -> str:
    """Return the text with replacements for the characters that the stream cannot encode."""
    return text if _has_marks(getattr(stream, "encoding", None) or "utf-8") else text.translate(_PLAIN)


@lru_cache(maxsize=8)
def _has_marks(encoding: str) -> bool:
    try:
        return bool("✓✗█".encode(encoding))
    except UnicodeEncodeError:
        return False


class Output:
    """Data on standard output; progress, announcements and errors on standard error.

    If it is quiet, only data and errors are written.
    """

    def __init__(self, stdout: TextIO, stderr: TextIO, quiet: bool = False):
        self.stdout, self.stderr, self.quiet = _Stdout(stdout), stderr, quiet
        self.progress = ProgressLine(stderr, quiet)

    @property
    def console(self) -> Any:
        """A rich console; without colours if NO_COLOR is set or standard output is not a terminal."""
        from rich.console import Console

        self.progress.clear()
        stream = self.stdout.stream

        class EncodableConsole(Console):
            """A console that shows a text as it is, without markup, but for characters it cannot show.

            They are replaced before they are measured: "beta" is wider than "β".
            """

            def render_str(self, text: str, **options: Any) -> Any:
                plain = {"markup": False, "emoji": False}
                return super().render_str(make_encodable(printable(text, "\n"), stream), **options | plain)

        columns, terminal = os.environ.get("COLUMNS", ""), self.stdout.isatty()
        width = None if terminal else int(columns) if columns.isdecimal() and int(columns) else 100
        file: Any = self.stdout if terminal else _Trimmed(self.stdout.stream)
        return EncodableConsole(
            file=file, highlight=False, markup=False, emoji=False, width=width, soft_wrap=False
        )

    def print(self, text: str = "") -> None:
        """Write lines of data."""
        self.progress.clear()
        self.stdout.write(printable(text, "\n") + "\n")

    def json(self, data: Any, indent: int | None = 1) -> None:
        """Write data as JSON."""
        ascii = make_encodable("✓", self.stdout.stream) != "✓"
        text = json.dumps(data, indent=indent, ensure_ascii=ascii)
        for c in {c for c in text if not c.isprintable() and c != "\n"}:
            text = text.replace(c, json.dumps(c)[1:-1])
        self.print(text)

    def report_file(self, path: str, next_command: str = "", bullet: str = "") -> None:
        """Write which file was written and which command to run next, unless quiet."""
        if not self.quiet:
            escape: Callable[[str], str] = for_markdown if bullet else printable
            self.print(f"{bullet}{escape(f'written: {path}')}")
            if next_command:
                self.print(f"{bullet}{escape(f'next: {next_command}')}")

    def unless_quiet(self, text: str) -> str:
        """Return the text, or "" if quiet."""
        return "" if self.quiet else text

    def inform(self, text: str) -> None:
        """Write one line to standard error, unless quiet."""
        if not self.quiet:
            self.error(text)

    def error(self, text: str) -> None:
        """Write one line to standard error in place of the progress line."""
        with suppress(OSError):
            self.progress("")
            self.stderr.write(make_encodable(printable(text), self.stderr) + "\n")

    def announce(self, task: str, cost: Any, alternative: str = "") -> None:
        """Write the expected cost (``cost.Cost``) of a task if it is long or makes a large file."""
        if cost.notable:
            self.inform(f"{task}: {cost}" + f"; {alternative}" * bool(alternative))

    def report_size(self, path: str, size: int) -> None:
        """Write the size of a file if it is large."""
        if size > LARGE_BYTES:
            hint = "" if path.endswith(".gz") else "; a name that ends in .json.gz compresses it"
            self.inform(f"{path}: {size / 1e6:.0f} MB{hint}")


class OutputClosed(Exception):
    """Standard output is a closed pipe."""


class _Stdout:
    """Standard output that raises BadFile for a full device and OutputClosed for a closed pipe."""

    def __init__(self, stream: TextIO):
        self.stream = stream

    def write(self, text: str) -> int:
        return int(self._try(self.stream.write, make_encodable(text, self.stream)))

    def flush(self) -> None:
        self._try(self.stream.flush)

    def _try(self, method: Any, *arguments: str) -> Any:
        try:
            return method(*arguments)
        except BrokenPipeError:  # rich would exit with 1 on a BrokenPipeError
            raise OutputClosed from None
        except OSError as error:
            if sys.platform == "win32" and error.errno == EINVAL:  # which means a closed pipe there
                raise OutputClosed from None
            reason = error.strerror or "it cannot be written"
            raise BadFile("standard output", reason, "redirect it to another device") from None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _Trimmed(_Stdout):
    """Standard output without the trailing blanks that rich pads its lines with."""

    def write(self, text: str) -> int:
        return super().write(re.sub(r" +(?=\n)", "", text))


_FIRST, _EVERY = 5, 30  # seconds before the first line and between lines of progress, if not on a terminal
_TICK = 1  # seconds between looks at the clock
_BAR = 20  # characters of the bar
_SHARE = 10  # no time left is estimated before a tenth is done


class ProgressLine:
    """Progress: on a terminal one line that is overwritten, elsewhere a line now and then.

    A message that counts ("7 of 40") is followed by a bar (on a terminal) and the estimated time left.
    ``repeating`` repeats a message after which nothing has happened for some seconds, with the time since.
    rich.progress would hide the cursor, and a process that is killed would not show it again.
    """

    def __init__(self, stream: TextIO, quiet: bool = False):
        self.stream, self.quiet = stream, quiet
        self.live = not quiet and stream.isatty() and os.environ.get("TERM") != "dumb"
        self.start = self.last = self.stepped = time.monotonic()
        self.next_line: float | None = None  # when a line is due; set by the first message
        self.done = 0
        self.total: int | None = None
        self.message = self.written = ""  # the last one, and that of the last line of a log
        self.changed = self.start  # when the last message came first
        self.pause = _EVERY  # seconds until the next line of a log
        self.lock = RLock()

    def __call__(self, message: str) -> None:
        """Show a message; an empty one clears the line."""
        if not self.quiet:
            with self.lock:
                if message != self.message:
                    self.changed = time.monotonic()
                self.message = message
                self._show(message)

    def clear(self) -> None:
        """Clear the line before data are written, if it is in use."""
        if self.message:
            self("")

    @contextmanager
    def repeating(self, message: str) -> Iterator[None]:
        """Repeat the last message while nothing new happens; the given one until there is another."""
        if self.quiet:
            yield
            return
        self.message, end = message, Event()

        def repeat() -> None:
            while not end.wait(_TICK):
                with suppress(OSError, ValueError):  # the stream is closed
                    self.repeat()

        thread = Thread(target=repeat, daemon=True)
        thread.start()
        try:
            yield
        finally:
            end.set()
            thread.join()

    def repeat(self) -> None:
        """Show the last message again with the seconds since it came, if these are many and a line is due."""
        with self.lock:
            now = time.monotonic()
            waited = now - self.changed
            due = self.last + _FIRST if self.next_line is None else self.next_line
            if not self.message or waited < _FIRST or not (self.live or now >= due):
                return
            text = make_encodable(printable(self.message), self.stream)
            rest = f" ({waited:.0f} s)"
            text = text[: max(0, self._width() - 1 - len(rest))] + rest
            if self.live:
                self._write(erase_line(self._width()) + text)
            else:
                self._log(text)

    def _show(self, message: str) -> None:
        if message:
            rest = make_encodable(self._count(message), self.stream)
            if message == self.written:
                rest += f" ({self.last - self.changed:.0f} s)"
            width = max(0, self._width() - 1 - len(rest))
            message = make_encodable(printable(message), self.stream)[:width] + rest
        if self.live:
            self._write(erase_line(self._width()) + message)
        elif message:
            if self.next_line is None:
                self.next_line = self.last + _FIRST
            if self.last >= self.next_line:
                with suppress(OSError):
                    self._log(message)

    def _log(self, line: str) -> None:
        """Write a line to a log. The pause after it is doubled while the message stays the same."""
        self.pause = 2 * self.pause if self.message == self.written else _EVERY
        self.next_line, self.written = time.monotonic() + self.pause, self.message
        self._write(line + "\n")

    def _write(self, text: str) -> None:
        self.stream.write(text)
        self.stream.flush()

    def _width(self) -> int:
        try:
            return os.get_terminal_size(self.stream.fileno()).columns or 80
        except OSError:
            return 80

    def _count(self, message: str) -> str:
        """Return the bar and the time left for a message that counts."""
        found, now = re.search(r"(\d+) of (\d+)", message), time.monotonic()
        done, total = (int(found[1]), int(found[2])) if found else (0, None)
        if total != self.total or done < self.done:  # another task has begun, at the last message
            self.start, self.total = self.last, total
        if done != self.done:
            self.done, self.stepped = done, now
        self.last = now
        if not total:
            return ""
        shown = f" {bar(done / total, _BAR):{_BAR}}" if self.live else ""
        if not total <= _SHARE * done < _SHARE * total or now - self.start < 2:
            return shown
        seconds = (now - self.start) / done * (total - done)
        if seconds < now - self.stepped:  # the step at hand takes longer than was estimated for all of them
            return shown
        return f"{shown} · about {f'{seconds / 60:.0f} min' if seconds > 90 else f'{seconds:.0f} s'} left"


def bar(share: Any, width: int) -> str:
    """Return a share of 1 as a bar, to an eighth of a character."""
    eighths = round(max(0.0, min(1.0, float(share))) * width * 8)
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")


def split_table(
    headings: Sequence[str], rows: Sequence[Sequence[Any]], width: int, gap: int = 2, first: Any = "left"
) -> list[Any]:
    """Return a table, or several with the same first column, so that no cell is cut.

    Headings are broken into lines if the table is too wide otherwise.
    """
    from rich.table import Table

    cells = [max((len(str(row[j])) for row in rows), default=0) for j in range(len(headings))]
    if sum(max(c, _text_width(h)) + gap for c, h in zip(cells, headings, strict=True)) > width:
        headings = [fill(h, max(c, 1), break_long_words=False) if " " in h else h
                    for c, h in zip(cells, headings, strict=True)]  # fmt: skip
    widths = [max(c, _text_width(h)) + gap for c, h in zip(cells, headings, strict=True)]
    parts: list[list[int]] = [[0]]
    for j in range(1, len(headings)):
        if len(parts[-1]) > 1 and sum(widths[k] for k in parts[-1]) + widths[j] > width:
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


def _text_width(text: str) -> int:
    return max(map(len, text.split("\n")))


def certificate_summary(certificate: Any) -> JsonObject:
    """Return the facts that a certificate proves, for JSON."""
    from ..numbers.rationals import format_decimal  # which imports NumPy

    return {
        "level": certificate.level,
        "digits": "exact" if certificate.exact else certificate.digits,
        **({} if certificate.digits else {"w": certificate.accuracy}),
        "free": len(certificate.free),
        "bound": len(certificate.bound),
        "alpha_unique": certificate.alpha_unique,
        "b": " to ".join(format_decimal(end, 20) for end in certificate.bias_ends()),
        "b_unique": certificate.b_unique,
        "hard_margin": certificate.hard_margin,
    }


def result_json(
    profile: Any, certificate: Any, arithmetic: str, digits: int, long: bool = False
) -> JsonObject:
    """Return a profile and its certificate as ``orca-exact/result/1``; ``long`` writes any fraction."""
    from ..numbers.values import to_json_value
    from ..profile.under import under_to_json

    return {
        "schema": "orca-exact/result/1",
        "id": profile.problem.id,
        "problem": profile.problem.sha256,
        "certificate": certificate_summary(certificate),
        "arithmetic": arithmetic,
        **({} if profile.problem.kernel.own_measures else {"under": under_to_json(profile.problem)}),
        "norm2": to_json_value(profile.norm2, digits, long),
        "okc": profile.indices.to_json(lambda x: to_json_value(x, digits, long)),
    }


def describe_optimality(certificate: Any) -> str:
    """Return a line on what a certificate proves about optimality."""
    level = f"(level {certificate.level})"
    if certificate.exact:
        return f"optimality: proved in exact arithmetic {level}"
    proof = "only the duality gap is bounded" if certificate.only_gap else "proved"
    digits = f"w is known to {pluralize(certificate.digits, 'digit')}"
    known = certificate.digits and not certificate.w_error.is_zero()
    return f"optimality: {proof} {level}; {digits if known else certificate.accuracy}"


def describe_support(free: int, bound: int) -> str:
    """Return the numbers of support vectors in words."""
    return f"{free} free and {bound} at the bound"
