r"""Tables of comma-separated values, and classification problems from their columns.

Numbers are read as exact rationals; no number passes through a float.

>>> table = Table.parse("width,length,kind\n0.1,2,tea\n0.3,?,tea\n1/3,5,milk\n")
>>> chosen = table.problem("kind", n=2, columns=["width"])
>>> chosen.problem.X, chosen.problem.names, chosen.positive, chosen.dropped
(((1/10,), (3/10,), (1/3,)), ('width',), 'tea', ())
>>> table.problem("kind", n=2).dropped  # line and column
((3, 'length'),)
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from flint import arb, fmpq

from .errors import BadFile, NotANumber, OutsideDomain, shorten
from .files.formats import STDIN, PathLike, place_of, read_bytes
from .kernels.orthogonal import OrthogonalPolynomials
from .measures.families import Discrete
from .measures.jacobi import Jacobi
from .numbers.arithmetic import arithmetic
from .numbers.rationals import QQ, midpoint, precision_bits, to_float
from .problem import Problem

_MISSING = ("", "?", "na", "n/a", "nan")  # in lower case
DELIMITERS = ",;\t|"
MAX_CATEGORIES = 20  # values of a column of text that is encoded
_SHOWN = 8  # maximal number of names in a message
_LONGEST_NAME = 40  # characters of a name in a message
_GAMMA_BITS = (128, 256, 1024, 4096)  # of the balls in which gamma is tried before it is computed over Q
GUESS_LINES = 100  # lines from which the delimiter is guessed
QUOTE_HINT = 'put text that contains the delimiter into "quotes", or pass '


class TableProblem(NamedTuple):
    """A problem from a table, the name of its class +1, the rows that were left out, and the categories."""

    problem: Problem
    positive: str
    counts: dict[str, int]  # number of points in each class
    dropped: tuple[tuple[int, str], ...]  # line, and first column with a missing value
    missing: dict[str, int] = {}  # number of missing values in each column that has some  # noqa: RUF012
    categories: dict[str, tuple[str, ...]] = {}  # values of the columns of text, by code  # noqa: RUF012


@dataclass(frozen=True)
class Table:
    """A table of strings with named columns."""

    header: tuple[str, ...]
    rows: dict[int, list[str]]  # by line number
    place: str = "table"

    @classmethod
    def read(
        cls, path: PathLike, delimiter: str | None = None, header: bool = True, decimal: str = "."
    ) -> Table:
        """Read a table from a file, or from standard input if the path is "-".

        The other parameters are those of ``parse``.
        """
        raw, place = read_bytes(path), place_of(path)
        try:
            content = raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            why = f"the content is not UTF-8 (byte {error.start})"
            raise BadFile(place, why, "save it as CSV in UTF-8") from None
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
        r"""Read a table from a string.

        Parameters
        ----------
        content : str
            Text of the table.
        delimiter : str, optional
            Character between columns; it is guessed if it is not given.
        place : str
            Name of the table in error messages.
        header : bool
            Whether the first line has the names of the columns.
        decimal : str
            Decimal mark of the numbers.

        Raises
        ------
        BadFile
            If the content is not a table with at least two columns and two rows of data.

        Examples
        --------
        >>> Table.parse("0,5;tea\n1,5;milk\n", header=False, decimal=",").rows
        {1: ['0.5', 'tea'], 2: ['1.5', 'milk']}
        """
        delimiter = delimiter or _guess_delimiter(content, DELIMITERS.replace(decimal, ""))
        file = StringIO(content, newline="")
        lines = csv.reader(file, delimiter=delimiter, strict=True, skipinitialspace=True)
        rows: dict[int, list[str]] = {}
        try:
            for fields in lines:
                if any(field.strip() for field in fields):
                    rows[lines.line_num] = [field.strip() for field in fields]
        except csv.Error as error:
            raise BadFile(f"{place}: line {lines.line_num}", str(error), "repair the quotes") from None
        if len(rows) < 1 + header:
            raise BadFile(place, "the table has no rows of data", "write a header and rows below it")
        first = next(iter(rows))
        given = rows.pop(first) if header else [""] * len(rows[first])
        names = tuple(name or f"column {j}" for j, name in enumerate(given, 1))
        if len(names) < 2:
            why = f"the table has only one column, {_quote(''.join(names))}"
            raise BadFile(place, why, "specify the delimiter between columns")
        if header and _is_data(names, rows, decimal):
            why = f"{shorten(', '.join(names), 40)} are numbers, not names of columns"
            hint = "add a header line (with a letter in each name), or pass --no-header"
            raise BadFile(f"{place}: line {first}", why, hint)
        if twice := [name for name, count in Counter(names).items() if count > 1]:
            raise BadFile(place, f"the column {_quote(twice[0])} occurs twice", "rename one of them")
        for line, fields in rows.items():
            if len(fields) != len(names):
                why = f"the row has {len(fields)} fields, the header {len(names)} (delimiter {delimiter!r})"
                other = "another --delimiter"
                if delimiter == ",":
                    other = "--delimiter ';'; if , is the decimal mark, also --decimal ,"
                raise BadFile(f"{place}: line {line}", why, QUOTE_HINT + other)
            if decimal != ".":
                rows[line] = [_with_decimal_point(cell, decimal, f"{place}: line {line}") for cell in fields]
        if len(rows) == 1:
            why = "the table has only one row of data"
            raise BadFile(place, why, "a classifier needs points of two classes")
        return cls(names, rows, place)

    def problem(
        self,
        label: str,
        n: int | Sequence[int] | None = None,
        columns: Sequence[str] | None = None,
        positive: str | None = None,
        strict: bool = False,
        rescale: bool = True,
        **options: Any,
    ) -> TableProblem:
        """Return the problem of separating two classes of rows.

        Rows with a missing value are left out. A column of text with a few values is encoded. For a kernel
        of orthogonal polynomials its values have the codes 0, 1, ..., with their frequencies as the measure,
        and the largest degree that this allows, so that the order of the codes does not matter. For other
        kernels there is a column of 0 and 1 for each value, and only one if there are two values.

        Parameters
        ----------
        label : str
            Name, or number from 1, of the column with the classes.
        n : int or sequence of int, optional
            Degree of the columns of numbers, see ``Problem``, or one for each column. By default 2, with
            interactions of at most two columns (see ``suggest_kernel``), unless ``kernel`` is given.
        columns : sequence of str, optional
            Names or numbers of the columns to use; by default all but the label.
        positive : str, optional
            Class with the label +1, as it is written in the table; all other rows have -1. By default it is
            the last one of two classes, in the order of numbers or letters.
        strict : bool
            Whether to raise an error if a value is missing.
        rescale : bool
            Whether to rescale the columns, see ``Problem``.
        **options
            Other parameters of ``Problem``.

        Raises
        ------
        BadFile
            If a column does not exist, a value is not a number, or the classes are not clear.
        """
        label_column = self._find_column(label)
        others = [j for j in range(len(self.header)) if j != label_column]
        used = others if columns is None else [self._find_column(name) for name in columns]
        if label_column in used:
            hint = f"leave it out, and choose from {self._list_names(others)}"
            raise BadFile(self.place, f"{_quote(self.header[label_column])} is the label column", hint)
        if twice := [j for j, count in Counter(used).items() if count > 1]:
            raise BadFile(
                self.place, f"the column {_quote(self.header[twice[0]])} is used twice", "pass it once"
            )
        if not used:
            hint = f"choose from {self._list_names(others)}"
            raise BadFile(self.place, "no column is chosen", hint)
        dropped = self._find_missing([*used, label_column])
        if dropped and strict:
            line, name = dropped[0]
            rows = "1 row has" if len(dropped) == 1 else f"{len(dropped)} rows have"
            why = f"column {_quote(name)} has no value ({rows} missing values)"
            raise BadFile(f"{self.place}: line {line}", why, "fill them in, or leave out --strict")
        dropped_lines = {line for line, _ in dropped}
        lines = [line for line in self.rows if line not in dropped_lines]
        if not lines:
            hint = f"use fewer of the columns {self._list_names(used)}"
            raise BadFile(self.place, "every row has a missing value", hint)
        categories = {j: found for j in used if (found := self._find_categories(j, lines))}
        X = {j: self._read_numbers(j, lines, used) for j in used if j not in categories}
        constant = {j: X[j] for j in X if rescale and "measures" not in options}
        self._reject_constants(constant | {j: [fmpq(0)] for j in categories if len(categories[j]) == 1})
        names = [self.header[j] for j in used]
        if not categories:
            columns_read = [X[j] for j in used]
        elif "kernel" in options:
            names, columns_read = self._indicators(used, lines, X, categories)
        else:
            codes = {j: {name: fmpq(k) for k, name in enumerate(values)} for j, values in categories.items()}
            X |= {j: [code[self.rows[line][j]] for line in lines] for j, code in codes.items()}
            columns_read = [X[j] for j in used]
        classes = [self.rows[line][label_column] for line in lines]
        self._reject_ambiguous_classes(classes, lines, label_column)
        counts = dict(sorted(Counter(classes).items(), key=lambda item: _sorting_key(item[0])))
        positive = self._choose_positive(self.header[label_column], counts, positive)
        if "kernel" not in options and (n is None or categories):
            degrees = [len(categories[j]) - 1 if j in categories else None for j in used]
            options["kernel"] = _polynomials(n, columns_read, degrees, options)
        else:
            default = {} if {"measures", "kernel"} & {*options} else {"alpha": 0, "beta": 0}
            options = {"n": n} | default | options
        try:
            problem = Problem(
                zip(*columns_read, strict=True), [1 if name == positive else -1 for name in classes],
                rescale=rescale, names=names, **options,
            )  # fmt: skip
        except OutsideDomain as error:
            i, j = map(int, re.findall(r"\d+", error.place))
            place = f"{self.place}: line {lines[i]}, column {_quote(self.header[used[j]])}"
            hint = "leave out --no-rescale" if error.domain == (-1, 1) else "choose another measure"
            raise BadFile(place, error.why, f"{hint} or correct the value") from None
        counted = Counter(
            self.header[j] for fields in self.rows.values() for j in used if fields[j].lower() in _MISSING
        )
        by_name = {self.header[j]: values for j, values in categories.items()}
        return TableProblem(problem, positive, counts, dropped, dict(counted.most_common()), by_name)

    def _find_column(self, name: str) -> int:
        """Return the index of a column by its name, or by its number from 1."""
        if name in self.header:
            return self.header.index(name)
        if name.isdecimal() and 1 <= int(name) <= len(self.header):
            return int(name) - 1
        near = get_close_matches(name, self.header, 1)
        all_names = self._list_names(range(len(self.header)))
        hint = f"did you mean {_quote(near[0])}?" if near else f"choose from {all_names}"
        raise BadFile(self.place, f"there is no column {_quote(name)}", hint)

    def _list_names(self, columns: Iterable[int]) -> str:
        names = [shorten(self.header[j], _LONGEST_NAME) for j in columns]
        return ",".join(names[:_SHOWN]) + ",..." * (len(names) > _SHOWN)

    def _find_missing(self, columns: list[int]) -> tuple[tuple[int, str], ...]:
        """Return the lines with missing values, each with the name of the first such column."""
        found = []
        for line, fields in self.rows.items():
            if missing := [self.header[j] for j in columns if fields[j].lower() in _MISSING]:
                found.append((line, missing[0]))
        return tuple(found)

    def _find_categories(self, column: int, lines: list[int]) -> tuple[str, ...]:
        """Return the values of a column of text that can be encoded; () for any other column."""
        values = sorted({self.rows[line][column] for line in lines})
        few = len(values) <= min(MAX_CATEGORIES, max(1, len(lines) // 2))
        points = (_read_number(value.replace(",", ".", 1)) for value in values)
        return tuple(values) if few and all(x is None for x in points) else ()

    def _indicators(
        self,
        used: list[int],
        lines: list[int],
        X: dict[int, list[fmpq]],
        categories: dict[int, tuple[str, ...]],
    ) -> tuple[list[str], list[list[fmpq]]]:
        """Return names and numbers of the columns, with columns of 0 and 1 for the categories."""
        names, columns = [], []
        for j in used:
            if j in X:
                names.append(self.header[j])
                columns.append(X[j])
                continue
            values = categories[j]
            for value in values[1:] if len(values) == 2 else values:
                names.append(f"{self.header[j]}={value}")
                columns.append([fmpq(self.rows[line][j] == value) for line in lines])
        return names, columns

    def _read_numbers(self, column: int, lines: list[int], used: list[int]) -> list[fmpq]:
        """Return the numbers of a column; an error is about one value, or about the whole column."""
        numbers = [_read_number(self.rows[line][column]) for line in lines]
        if None not in numbers:
            return numbers  # type: ignore[return-value]
        line = lines[numbers.index(None)]
        cell, name = self.rows[line][column], self.header[column]
        with_point = cell.replace(",", ".", 1)
        if not any(x is not None for x in numbers) and _read_number(with_point) is None:
            usable = [
                j for j in used
                if self._find_categories(j, lines) or _read_number(self.rows[line][j]) is not None
            ]  # fmt: skip
            count = len({self.rows[line][column] for line in lines})
            why = f"the column has no numbers, but {count} values such as {shorten(repr(cell), 30)}"
            why += f" (at most {MAX_CATEGORIES}, each in two rows on average, are encoded as categories)"
            hint = f"choose columns: {self._list_names(usable)}"
            raise BadFile(f"{self.place}: column {_quote(name)}", why, hint)
        hint = "write an integer, 'p/q' or a decimal"
        if _read_number(with_point) is not None:
            hint = f"for a decimal comma write {with_point}, or pass --decimal ,"
        elif _read_number(cell.replace(",", "").replace(" ", "")) is not None:
            hint = "write it without thousands separators"
        why = f"{shorten(repr(cell), 40)} is not a number"
        raise BadFile(f"{self.place}: line {line}, column {_quote(name)}", why, hint)

    def _reject_constants(self, columns: dict[int, list[fmpq]]) -> None:
        """Raise BadFile if a column is constant: it cannot be rescaled."""
        constant = [j for j, column in columns.items() if len(set(column)) == 1]
        if constant:
            rest = self._list_names(j for j in columns if j not in constant)
            why = f"a constant column cannot be rescaled: {self._list_names(constant)}"
            raise BadFile(self.place, why, f"choose columns: {rest}" if rest else "choose other columns")

    def _choose_positive(self, label: str, counts: dict[str, int], positive: str | None) -> str:
        found = ", ".join(f"{shorten(name, 30)} ({count})" for name, count in list(counts.items())[:_SHOWN])
        found += f" and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else ""
        place = f"{self.place}: column {_quote(label)}"
        if len(counts) < 2:
            raise BadFile(place, f"there is only one class: {found}", "a classifier needs two")
        if positive is None:
            if len(counts) == 2:
                return list(counts)[1]
            example = shorten(next(iter(counts)), _LONGEST_NAME)
            hint = f"choose the positive one with --positive, such as --positive {example}"
            raise BadFile(place, f"there are {len(counts)} classes: {found}", hint)
        if positive not in counts:
            number = _read_number(positive)
            same = [name for name in counts if number is not None and _read_number(name) == number]
            hint = f"did you mean {_quote(same[0])}?" if same else f"choose from {found}"
            raise BadFile(place, f"there is no class {_quote(positive)}", hint)
        return positive

    def _reject_ambiguous_classes(self, classes: list[str], lines: list[int], column: int) -> None:
        """Raise BadFile if two labels look like one number: they may be one class or two.

        Two fractions such as 1/2 and 2/4 are two classes, since a label need not be a number.
        """
        seen: dict[fmpq, tuple[str, int]] = {}
        for label, line in zip(classes, lines, strict=True):
            if (number := _read_number(label)) is None:
                continue
            other, first = seen.setdefault(number, (label, line))
            if other != label and not ("/" in other and "/" in label):
                both = f"{_quote(other)} (line {first}) and {_quote(label)}"
                why = f"are {both} one class or two? They are one number"
                hint = "write one class in one way in all rows, or two classes as words"
                raise BadFile(f"{self.place}: line {line}, column {_quote(self.header[column])}", why, hint)


def _polynomials(
    n: int | Sequence[int] | None,
    columns: Sequence[Sequence[fmpq]],
    degrees: Sequence[int | None],
    options: dict[str, Any],
) -> OrthogonalPolynomials:
    """Return the kernel for columns of numbers and of codes; ``degrees`` has the degrees of the codes.

    The options ``alpha``, ``beta`` and ``measures`` are removed.
    """
    alpha, beta = options.pop("alpha", 0), options.pop("beta", 0)
    measures = options.pop("measures", None)
    order = None
    if n is None:
        n, order = suggest_kernel(len(columns[0]), len(columns))
    if measures is None:
        measures = Jacobi(QQ(alpha, "alpha"), QQ(beta, "beta"))
    if any(degree is not None for degree in degrees):
        if isinstance(n, int):
            n = [n if degree is None else degree for degree in degrees]
        if not isinstance(measures, list | tuple):
            pairs = zip(columns, degrees, strict=True)
            measures = [measures if degree is None else Discrete.empirical(x) for x, degree in pairs]
    return OrthogonalPolynomials(n, measures, order)


def suggest_kernel(rows: int, columns: int) -> tuple[int, int]:
    """Return a degree n and an order for so many rows and columns.

    Degree 2 and pairs of columns come near to a tuned RBF kernel on many data sets. With fewer than five
    rows for each column the order is 1; a single column has the degree 3.

    Examples
    --------
    >>> suggest_kernel(569, 30), suggest_kernel(60, 30), suggest_kernel(100, 1)
    ((2, 2), (2, 1), (3, 1))
    """
    return (2 if columns > 1 else 3), (2 if columns > 1 and rows >= 5 * columns else 1)


def relative_C(problem: Problem) -> fmpq:
    """Return 1 over the mean of K(x, x) over the points, rounded to two digits, or 1 if that mean is 0.

    The kernel of the paper has the factor lambda, which is 2^-30 for 30 columns with the weight 1; a C of 1
    learns nothing there.
    """
    A = arithmetic("float")
    mean = float(np.mean(problem.kernel.at(problem.points, A).diagonal) * problem.lambda_in(A))
    return QQ(f"{1 / mean:.1e}") if mean > 0 else fmpq(1)


def scale_gamma(points: np.ndarray) -> fmpq:
    """Return gamma="scale" of scikit-learn: 1/(d v), v the variance of all entries, or 1 if v = 0.

    It is rounded correctly to the nearest float64, so that it does not depend on the machine. Balls decide
    the rounding, and rationals if gamma lies halfway between two numbers. scikit-learn computes it in
    float64, and may differ in the last digits.

    Examples
    --------
    >>> scale_gamma(Problem([[0, 0], [2, 2]], [1, -1], 1, 0, 0, rescale=True).points)
    1/2
    """
    values, d = list(points.flat), points.shape[1]
    if all(x == values[0] for x in values):
        return fmpq(1)
    for bits in _GAMMA_BITS:
        with precision_bits(bits):
            gamma = _inverse_variance([arb(x) for x in values], d)
            if not gamma.is_finite():
                continue
            nearest = {to_float(midpoint(end)) for end in (gamma.lower(), gamma.upper())}
        if len(nearest) == 1:  # rounding is monotone, so that gamma itself rounds to the same number
            return QQ(nearest.pop())
    return QQ(to_float(_inverse_variance(values, d)))


def _inverse_variance(values: Sequence[Any], d: int) -> Any:
    """Return 1/(d v), v the variance of the values."""
    mean = sum(values) / len(values)
    return len(values) / (d * sum((x - mean) * (x - mean) for x in values))


def identifier_of(path: PathLike) -> str:
    """Return the id of a problem from a file: the name of the file up to its first full stop."""
    return "" if path == STDIN else Path(path).name.partition(".")[0]


def _is_data(names: Sequence[str], rows: dict[int, list[str]], decimal: str) -> bool:
    """Return whether the first line holds data: only numbers, or numbers and one class.

    Numbers that count the columns, as pandas writes them, are names if the other entry is not a class in
    the rows below.
    """
    texts = [j for j, name in enumerate(names) if _read_number(name.replace(decimal, ".")) is None]
    if len(texts) != 1:
        return not texts
    (j,) = texts
    numbers = [*names[:j], *names[j + 1 :]]
    below = {fields[j] for fields in rows.values() if j < len(fields)}
    counts = ([str(first + i) for i in range(len(numbers))] for first in (0, 1))
    return names[j] in below or numbers not in counts


def _with_decimal_point(cell: str, decimal: str, place: str) -> str:
    """Replace the decimal mark of a number by a point; refuse 1.234, which would mean 1234."""
    if _read_number(cell) is not None and "." in cell:
        why = f"{shorten(repr(cell), 40)} has a point, but the decimal mark is {decimal!r}"
        raise BadFile(place, why, "write numbers without thousands separators")
    with_point = cell.replace(decimal, ".", 1)
    return cell if _read_number(with_point) is None else with_point


def _guess_delimiter(content: str, candidates: str) -> str:
    """Return the delimiter that splits the first lines into the most columns, preferably all alike."""
    lines = [line for line in content.splitlines()[:GUESS_LINES] if line.strip()]

    def rank(delimiter: str) -> tuple[bool, int]:
        widths = [len(fields) for fields in csv.reader(lines, delimiter=delimiter)]
        return len(set(widths)) == 1, widths[0] if widths else 0

    def is_possible(delimiter: str) -> bool:
        try:
            return rank(delimiter)[1] > 1
        except csv.Error:
            return False

    return max(filter(is_possible, candidates), key=rank, default=",")


def _quote(name: str) -> str:
    """Return a name in quotes for a message, without the end of a long one."""
    return shorten(repr(name), _LONGEST_NAME + 2)


def _read_number(cell: str) -> fmpq | None:
    try:
        return QQ(cell)
    except NotANumber:
        return None


def _sorting_key(name: str) -> tuple[int, Any]:
    number = _read_number(name)
    return (1, name) if number is None else (0, (number, name))
