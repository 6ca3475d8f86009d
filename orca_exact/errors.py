"""Exceptions of the package, one class for each cause.

A message is one line: where the error is, the value that was given, what is wrong with it, and what to do.
``exit_code`` is the exit code of the command line. If Python has a class for the cause, ours is a subclass
of it.

>>> from orca_exact import QQ
>>> try:
...     QQ("one half", "C")
... except ValueError as error:
...     print(error)
C: 'one half' is not a finite number; write an integer, 'p/q', a decimal or a hex float
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def printable(text: str, keep: str = "") -> str:
    r"""Escape control characters, line breaks and bidirectional marks.

    Names and values that are read from files may contain any of them. Characters in ``keep`` are kept.

    >>> printable("id\n\x1b[2K✓ proved\u202e")
    'id\\n\\x1b[2K✓ proved\\u202e'
    """
    for c in set(text) - set(keep):
        if not c.isprintable():
            text = text.replace(c, c.encode("unicode_escape").decode())
    return text


def shorten(value: object, max_length: int = 80) -> str:
    """Return the text of a value, cut to at most ``max_length`` characters."""
    text = str(value)
    return text if len(text) <= max_length else text[: max_length - 3] + "..."


def list_first(names: Sequence[str], most: int = 8) -> str:
    """Join names, and count those after the first few.

    >>> list_first(["tea", "milk"]), list_first(["tea", "milk", "sugar"], 2)
    ('tea, milk', 'tea, milk and 1 more')
    """
    return ", ".join(names[:most]) + f" and {len(names) - most} more" * (len(names) > most)


def pluralize(number: int, noun: str) -> str:
    """Return "1 claim", "2 claims", "0 claims"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def install_command(*requirements: str) -> str:
    """Return a command that installs packages for the Python that runs, not for another one on the PATH.

    An extra such as ``orca-exact[plots]`` refers to the installed package, which need not be on an index.
    """
    from shlex import quote
    from shutil import which

    python, *wanted = (
        quote(text) if os.name == "posix" else f'"{text}"' for text in (sys.executable, *requirements)
    )
    found = which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        tool = "pip install"
    elif find_spec("pip") or not which("uv"):
        tool = f"{python} -m pip install"
    else:
        tool = f"uv pip install --python {python}"
    return " ".join((tool, *wanted))


def rebuild_error(kind: type[OrcaError], *args: Any) -> OrcaError:
    """Create an error of this class with these arguments.

    ``Exception.__new__`` is called because ``MemoryError.__new__`` refuses our subclass.
    """
    return Exception.__new__(kind, *args)


class OrcaError(Exception):
    """Base class of all errors that this package raises on purpose."""

    exit_code = 1

    def __init__(self, message: str = ""):
        super().__init__(printable(message))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message, not the arguments of the constructor."""
        return rebuild_error, (type(self), *self.args), self.__dict__


class BadInput(OrcaError, ValueError):
    """Invalid input."""

    exit_code = 4


class BadUsage(BadInput):
    """Arguments of a command that are missing or do not fit together."""

    exit_code = 2


class NotANumber(BadInput):
    """A value that is not an integer, a fraction, a decimal or a finite float with a moderate exponent."""

    def __init__(self, value: object, place: str = "value", most: int | None = None):
        rule = "is not a finite number; write an integer, 'p/q', a decimal or a hex float"
        if most is not None:
            rule = f"has an exponent that is too large; write one from {-most} to {most}"
        super().__init__(f"{place}: {shorten(repr(value), 60)} {rule}")


class BadParameter(BadInput):
    """A parameter with a value that is not allowed: alpha, beta, n, C, digits, a label, a shape."""

    def __init__(self, place: str, value: object, rule: str, hint: str):
        super().__init__(f"{place}: {shorten(value)} {rule}; {hint}")


def wrong_count(place: str, count: int, noun: str, wanted: str, hint: str) -> BadParameter:
    """Return the error that too many or too few values were given.

    >>> print(wrong_count("y", 1, "label", "for 2 points", "pass one label for each point"))
    y: 1 label was given for 2 points; pass one label for each point
    """
    verb = "was" if count == 1 else "were"
    return BadParameter(place, pluralize(count, noun), f"{verb} given {wanted}", hint)


class UnknownKey(BadParameter, KeyError, IndexError):
    """A key or position that a result does not have."""

    __str__ = Exception.__str__  # KeyError would quote the message


class OutsideDomain(BadInput):
    """A coordinate of a point outside the domain of its measure; ``rounded`` if only by rounding errors."""

    def __init__(
        self, value: object, place: str, domain: tuple[object, object] = (-1, 1), rounded: bool = False
    ):
        low, high = domain
        ends = f"{'(-oo' if low is None else f'[{low}'}, {'oo)' if high is None else f'{high}]'}"
        hint = 'rescale the data ("rescale": true)' if domain == (-1, 1) else "choose another measure"
        self.place, self.domain, self.why = place, domain, f"{shorten(value)} lies outside {ends}"
        if rounded:
            self.why += " by a rounding error, such as MinMaxScaler of scikit-learn makes"
            hint = f"pass rescale=True, which is exact, clip the data with np.clip(X, {low}, {high}),"
        super().__init__(f"{place}: {self.why}; {hint} or correct the point")


class BadFile(BadInput):
    """A file that is missing, truncated, not UTF-8, not JSON, or does not match its schema."""

    def __init__(self, path: object, why: str, hint: str):
        super().__init__(f"{path}: {why}; {hint}")


class TooLarge(BadInput):
    """A size above a limit of this package."""

    def __init__(self, what: str, size: object, limit: object, hint: str):
        super().__init__(f"{what}: {shorten(size)} is more than {limit}; {hint}")


class NotEnoughMemory(OrcaError, MemoryError):
    """A computation that needs more memory than is free; it is refused before it starts."""

    exit_code = 4

    def __init__(self, what: str, needed: float, free: float, hint: str):
        sizes = f"about {needed / 1e9:.1f} GB of memory, but {max(0.0, free) / 1e9:.1f} GB are free"
        super().__init__(f"{what} needs {sizes}; {hint}")


class DataMissing(OrcaError):
    """A data set that is not part of the package and was not found."""

    exit_code = 4


class PackageMissing(OrcaError, ImportError):
    """An optional package that is not installed; ``requirements`` install it, by default its name."""

    exit_code = 4

    def __init__(self, package: str, *requirements: str):
        super().__init__(f"{package} is not installed; run {install_command(*requirements or [package])}")


# If w = 0 for one C, it is 0 for every C: multiply alpha by the ratio.
ZERO_HINT = "check the labels, or use more columns or another kernel; another C changes nothing"


class ZeroClassifier(OrcaError, ZeroDivisionError):
    """A classifier with w = 0, whose OKC indices are undefined (0/0)."""

    exit_code = 4

    def __init__(self, where: str = "", hint: str = ZERO_HINT) -> None:
        rule = "the classifier is constant and its OKC indices are 0/0, undefined"
        super().__init__(f"{where}w = 0: {rule}; {hint}")


class Undecided(OrcaError):
    """A question that is undecided at this precision; ``candidates`` are the possible answers."""

    exit_code = 3

    def __init__(self, message: str, candidates: tuple[Any, ...] = ()):
        super().__init__(message)
        self.candidates = candidates


class Rejected(OrcaError):
    """A certificate that does not prove its claim; ``condition`` is the name of the failed condition."""

    exit_code = 1

    def __init__(self, condition: str, message: str):
        super().__init__(f"{condition}: {message}")
        self.condition = condition


class SolverFailed(OrcaError):
    """A failure of every solver that was tried."""

    exit_code = 5
