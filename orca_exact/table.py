"""A table of comma-separated values, and the problem of telling two of its classes apart.

A number stays the decimal that was written: nothing passes through a float.

>>> table = Table.parse("width,length,kind\\n0.1,2,tea\\n0.3,?,tea\\n1/3,5,milk\\n")
>>> chosen = table.problem("kind", n=2, columns=["width"])
>>> chosen.problem.X, chosen.problem.names, chosen.positive, chosen.dropped
(((1/10,), (3/10,), (1/3,)), ('width',), 'tea', ())
>>> table.problem("kind", n=2).dropped  # line and column
((3, 'length'),)
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from flint import fmpq

from .errors import BadFile, NotANumber, shorten
from .files.formats import STDIN, PathLike, place_of, read_bytes
from .numbers.rationals import QQ, text
from .problem import Problem

_MISSING = ("", "?", "na", "n/a", "nan")  # in any case
DELIMITERS = ",;\t|"
_SHOWN = 8  # names in a message
LOOKED = 100  # lines that the delimiter is guessed from
QUOTE = 'put a text with it into "quotes", or name the delimiter'


class TableProblem(NamedTuple):
    """A problem; the class that is +1 and those that are -1, with how many points; the rows left out."""

    problem: Problem
    positive: str
    counts: dict[str, int]
    dropped: tuple[tuple[int, str], ...]  # line, and the first column where a value is missing


@dataclass(frozen=True)
class Table:
    """Names of columns, and rows of texts by their line."""

    header: tuple[str, ...]
    rows: dict[int, list[str]]
    place: str = "table"

    @classmethod
    def read(
        cls, path: PathLike, delimiter: str | None = None, header: bool = True, decimal: str = "."
    ) -> Table:
        """From a file, or standard input ("-"); the delimiter is told or guessed."""
        raw, place = read_bytes(path), place_of(path)
        try:
            content = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadFile(place, f"not UTF-8 (byte {error.start})", "save it as CSV in UTF-8") from None
        return cls.parse(content, delimiter, place, header, decimal)

    @classmethod
    def parse(
        cls,
        content: str,
        delimiter: str | None = None,
        place: str = "table",
        header: bool = True,
        decimal: str = ".",
    ) -> Table:
        """From a text whose first line has the names (``header``), and numbers this ``decimal`` mark.

        >>> Table.parse("0,5;tea\\n1,5;milk\\n", header=False, decimal=",").rows
        {1: ['0.5', 'tea'], 2: ['1.5', 'milk']}
        """
        delimiter = delimiter or _delimiter(content, DELIMITERS.replace(decimal, ""))
        lines = csv.reader(
            StringIO(content, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True
        )
        rows: dict[int, list[str]] = {}
        try:
            for fields in lines:
                if any(field.strip() for field in fields):
                    rows[lines.line_num] = [field.strip() for field in fields]
        except csv.Error as error:
            raise BadFile(f"{place}: line {lines.line_num}", str(error), "repair the quotes") from None
        if len(rows) < 1 + header:
            raise BadFile(place, "no rows below a line of names", "give a table with a header")
        first = next(iter(rows))
        given = rows.pop(first) if header else [""] * len(rows[first])
        names = tuple(name or f"column {j}" for j, name in enumerate(given, 1))
        if len(names) < 2:
            raise BadFile(place, f"only one column, {names[0]!r}", "name the delimiter between columns")
        if header and _is_data(names, rows, decimal):
            why = f"{shorten(', '.join(names), 40)} are numbers, not the names of columns"
            hint = "put a line of names above (each with a letter), or say --no-header"
            raise BadFile(f"{place}: line {first}", why, hint)
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise BadFile(place, f"the column {twice[0]!r} occurs twice", "rename one of them")
        for line, fields in rows.items():
            if len(fields) != len(names):
                why = f"{len(fields)} fields, where the header has {len(names)} (delimiter {delimiter!r})"
                comma = ", write 1.5 for 1,5" if delimiter == "," else ""
                raise BadFile(f"{place}: line {line}", why, QUOTE + comma)
            if decimal != ".":
                rows[line] = [_pointed(cell, decimal, f"{place}: line {line}") for cell in fields]
        if len(rows) == 1:
            raise BadFile(place, "only one row of data", "a classifier needs points of two classes")
        return cls(names, rows, place)

    def problem(
        self,
        label: str,
        n: int | Sequence[int],
        columns: Sequence[str] | None = None,
        positive: str | None = None,
        strict: bool = False,
        rescale: bool = True,
        **options: Any,
    ) -> TableProblem:
        """The rows without a missing value (``strict``: or BadFile), in these columns (None: all others).

        Of two classes the last, in the order of numbers or letters, is +1, or ``positive``; of more,
        ``positive`` is told from the rest. What else is given goes to ``Problem``.
        """
        at = self._column(label)
        others = [j for j in range(len(self.header)) if j != at]
        used = others if columns is None else [self._column(name) for name in columns]
        if at in used or len(set(used)) < len(used) or not used:
            raise BadFile(
                self.place, "a column is used twice, or none is left", f"take {self._names(others)}"
            )
        dropped = self._dropped([*used, at])
        if dropped and strict:
            line, name = dropped[0]
            why = f"no value in column {name!r}; nor in {len(dropped) - 1} other rows"
            raise BadFile(f"{self.place}: line {line}", why, "fill them in, or do not be strict")
        gone = {line for line, _ in dropped}
        left = [line for line in self.rows if line not in gone]
        if not left:
            raise BadFile(self.place, "every row has a missing value", f"take fewer of {self._names(used)}")
        X = [self._numbers(j, left, used) for j in used]
        if rescale and "measures" not in options:
            self._moving(dict(zip(used, X, strict=True)))
        classes = _classes([self.rows[line][at] for line in left])
        counts = dict(sorted(Counter(classes).items(), key=lambda item: _order(item[0])))
        positive = self._positive(self.header[at], counts, positive)
        problem = Problem(
            zip(*X, strict=True), [1 if name == positive else -1 for name in classes], n, rescale=rescale,
            names=[self.header[j] for j in used],
            **({} if "measures" in options else {"alpha": 0, "beta": 0}) | options,
        )  # fmt: skip
        return TableProblem(problem, positive, counts, dropped)

    def _column(self, name: str) -> int:
        """By its name, or its number from 1."""
        if name in self.header:
            return self.header.index(name)
        if name.isdecimal() and 1 <= int(name) <= len(self.header):
            return int(name) - 1
        near = get_close_matches(name, self.header, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"take {self._names(range(len(self.header)))}"
        raise BadFile(self.place, f"no column {name!r}", hint)

    def _names(self, columns: Iterable[int]) -> str:
        names = [self.header[j] for j in columns]
        return ",".join(names[:_SHOWN]) + ",..." * (len(names) > _SHOWN)

    def _dropped(self, columns: list[int]) -> tuple[tuple[int, str], ...]:
        found = []
        for line, fields in self.rows.items():
            if missing := [j for j in columns if fields[j].lower() in _MISSING]:
                found.append((line, self.header[missing[0]]))
        return tuple(found)

    def _numbers(self, column: int, lines: list[int], used: list[int]) -> list[fmpq]:
        """Of a column; an error says whether a value or the column is wrong."""
        found = [_number(self.rows[line][column]) for line in lines]
        if None not in found:
            return found  # type: ignore[return-value]
        line = lines[found.index(None)]
        cell, name = self.rows[line][column], self.header[column]
        comma = cell.replace(",", ".", 1)
        if not any(x is not None for x in found) and _number(comma) is None:
            numbers = [j for j in used if _number(self.rows[line][j]) is not None]
            why = f"has no number in it, such as {shorten(repr(cell), 30)}"
            raise BadFile(f"{self.place}: column {name!r}", why, f"choose columns: {self._names(numbers)}")
        hint = "write an integer, 'p/q' or a decimal"
        if _number(comma) is not None:
            hint = f"a decimal comma? write {comma}, or say --decimal ,"
        elif _number(cell.replace(",", "").replace(" ", "")) is not None:
            hint = "write it without separators of thousands"
        raise BadFile(
            f"{self.place}: line {line}, column {name!r}", f"{shorten(repr(cell), 40)} is no number", hint
        )

    def _moving(self, columns: dict[int, list[fmpq]]) -> None:
        """No column is constant: it has no range to rescale."""
        fixed = [j for j, column in columns.items() if len(set(column)) == 1]
        if fixed:
            what = f"constant, {self._names(fixed)} cannot be rescaled"
            rest = [j for j in columns if j not in fixed]
            raise BadFile(self.place, what, f"choose columns: {self._names(rest)}" if rest else "take others")

    def _positive(self, label: str, counts: dict[str, int], positive: str | None) -> str:
        found = ", ".join(f"{shorten(name, 30)} ({count})" for name, count in list(counts.items())[:_SHOWN])
        found += f" and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else ""
        place = f"{self.place}: column {label!r}"
        if len(counts) < 2:
            raise BadFile(place, f"only one class: {found}", "a classifier needs two")
        if positive is None:
            if len(counts) == 2:
                return list(counts)[1]
            hint = f"take one against the rest: positive (--positive {next(iter(counts))})"
            raise BadFile(place, f"{len(counts)} classes: {found}", hint)
        (positive,) = _classes([positive]) if _number(next(iter(counts))) is not None else [positive]
        if positive not in counts:
            raise BadFile(place, f"no class {positive!r}", f"there are {found}")
        return positive


def identifier_of(path: PathLike) -> str:
    """What a problem from this file is called."""
    return "" if path == STDIN else Path(path).name.partition(".")[0]


def _is_data(names: Sequence[str], rows: dict[int, list[str]], decimal: str) -> bool:
    """Whether a first line has no names: numbers only, or all but one, of the classes.

    Numbers that count the columns are names, as pandas writes them, if the one left is no class below.
    """
    others = [j for j, name in enumerate(names) if _number(name.replace(decimal, ".")) is None]
    if len(others) != 1:
        return not others
    counted = [name for j, name in enumerate(names) if j not in others]
    (j,) = others
    below = {fields[j] for fields in rows.values() if j < len(fields)}
    return names[j] in below or not any(
        counted == [str(first + i) for i in range(len(counted))] for first in (0, 1)
    )


def _pointed(cell: str, decimal: str, place: str) -> str:
    """A number with the decimal point; 1.234 is refused, which would mean 1234."""
    if _number(cell) is not None and "." in cell:
        why = f"{shorten(repr(cell), 40)} has a point, where {decimal!r} is the decimal mark"
        raise BadFile(place, why, "write numbers without separators of thousands")
    pointed = cell.replace(decimal, ".", 1)
    return cell if _number(pointed) is None else pointed


def _delimiter(content: str, known_ones: str = DELIMITERS) -> str:
    """The one that splits the first lines into the most columns, as many in each as in the header."""
    lines = [line for line in content.splitlines()[:LOOKED] if line.strip()]

    def worth(delimiter: str) -> tuple[bool, int]:
        widths = [len(fields) for fields in csv.reader(lines, delimiter=delimiter)]
        return len(set(widths)) == 1, widths[0] if widths else 0

    def known(delimiter: str) -> bool:
        try:
            return worth(delimiter)[1] > 1
        except csv.Error:
            return False

    return max(filter(known, known_ones), key=worth, default=",")


def _number(cell: str) -> fmpq | None:
    try:
        return QQ(cell)
    except NotANumber:
        return None


def _classes(labels: list[str]) -> list[str]:
    """Numbers in one spelling: 1 and 1.0 are one class."""
    numbers = {label: _number(label) for label in set(labels)}
    if None in numbers.values():
        return labels
    return [text(numbers[label]) for label in labels]


def _order(name: str) -> tuple[int, Any]:
    number = _number(name)
    return (1, name) if number is None else (0, number)
