"""What can go wrong, one class per cause.

Each message is one line: the value, its place, and the next thing to try. ``exit_code`` is what
the command line returns. Where Python has a class for the cause, ours is one of it too.

>>> from orca_exact import QQ
>>> try:
...     QQ("one half", "C")
... except ValueError as error:
...     print(error)
C: 'one half' is not a finite number; write an integer, 'p/q', a decimal or a hex float
"""

from __future__ import annotations

from typing import Any


def printable(text: str, but: str = "") -> str:
    """Escaped where it would move the cursor, end the line or turn the writing round: names and values from
    files may hold anything.

    >>> printable("id\\n\\x1b[2K✓ proved\\u202e")
    'id\\\\n\\\\x1b[2K✓ proved\\\\u202e'
    """
    for c in set(text) - set(but):
        if not c.isprintable():
            text = text.replace(c, c.encode("unicode_escape").decode())
    return text


def shorten(value: object, most: int = 80) -> str:
    """A value as a message quotes it: a number may have thousands of digits."""
    text = str(value)
    return text if len(text) <= most else text[: most - 3] + "..."


def rebuild_error(kind: type[OrcaError], *args: Any) -> OrcaError:
    """An error of this kind with these arguments. (MemoryError's own ``__new__`` refuses our subclass.)"""
    return Exception.__new__(kind, *args)


class OrcaError(Exception):
    """Every error this package raises on purpose."""

    exit_code = 1

    def __init__(self, message: str = ""):
        super().__init__(printable(message))

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it comes back whole from another process: the message, not the arguments that made it."""
        return rebuild_error, (type(self), *self.args), self.__dict__


class BadInput(OrcaError, ValueError):
    """The input cannot be what it claims to be."""

    exit_code = 4


class NotANumber(BadInput):
    """A value that is not an integer, a fraction, a decimal or a finite float of a moderate exponent."""

    def __init__(self, value: object, place: str = "value", most: int | None = None):
        rule = "is not a finite number; write an integer, 'p/q', a decimal or a hex float"
        if most is not None:
            rule = f"has an exponent that is too large; take one from {-most} to {most}"
        super().__init__(f"{place}: {shorten(repr(value), 60)} {rule}")


class BadParameter(BadInput):
    """A parameter outside its range: alpha, beta, n, C, digits, a label, a shape."""

    def __init__(self, place: str, value: object, rule: str, hint: str):
        super().__init__(f"{place}: {shorten(value)} {rule}; {hint}")


class UnknownKey(BadParameter, KeyError, IndexError):
    """A key, or a place in a list, that a result does not have."""

    __str__ = Exception.__str__  # KeyError would quote the message


class OutsideDomain(BadInput):
    """A point outside its coordinate's domain, where the measure is not defined."""

    def __init__(self, value: object, place: str, domain: tuple = (-1, 1)):
        low, high = domain
        ends = f"{'(-oo' if low is None else f'[{low}'}, {'oo)' if high is None else f'{high}]'}"
        scale = 'rescale the data ("rescale": true)' if domain == (-1, 1) else "take another measure there"
        super().__init__(f"{place}: {shorten(value)} lies outside {ends}; {scale} or correct the point")


class BadFile(BadInput):
    """A file that is missing, truncated, not UTF-8, not JSON, or not of its schema."""

    def __init__(self, path: object, why: str, hint: str):
        super().__init__(f"{path}: {why}; {hint}")


class TooLarge(BadInput):
    """A size beyond what is computed here."""

    def __init__(self, what: str, size: object, limit: object, hint: str):
        super().__init__(f"{what}: {shorten(size)} is more than {limit}; {hint}")


class NotEnoughMemory(OrcaError, MemoryError):
    """Work that this machine would not survive, refused before it starts."""

    exit_code = 4

    def __init__(self, what: str, needed: float, free: float, hint: str):
        sizes = f"about {needed / 1e9:.1f} GB of memory, and {max(0.0, free) / 1e9:.1f} GB are free"
        super().__init__(f"{what} takes {sizes}; {hint}")


class DataMissing(OrcaError):
    """A data set that is not shipped and was not found."""

    exit_code = 4


class PackageMissing(OrcaError, ImportError):
    """An optional package that is not installed."""

    exit_code = 4

    def __init__(self, package: str, install: str):
        super().__init__(f"{package} is not installed; pip install {install}")


class ZeroClassifier(OrcaError, ZeroDivisionError):
    """w = 0: every OKC index is 0/0."""

    exit_code = 4

    def __init__(self, where: str = "", hint: str = "check the labels, or take a larger n or C") -> None:
        super().__init__(
            f"{where}w = 0: the classifier is constant and its OKC indices are 0/0, undefined; {hint}"
        )


class Undecided(OrcaError):
    """Neither proved nor refuted at this precision; ``candidates`` are what remains possible."""

    exit_code = 3

    def __init__(self, message: str, candidates: tuple = ()):
        super().__init__(message)
        self.candidates = candidates


class Rejected(OrcaError):
    """A certificate that does not prove what it claims; ``condition`` names the one that failed."""

    exit_code = 1

    def __init__(self, condition: str, message: str):
        super().__init__(f"{condition}: {message}")
        self.condition = condition


class SolverFailed(OrcaError):
    """Every solver that was tried refused, failed or lied."""

    exit_code = 5
