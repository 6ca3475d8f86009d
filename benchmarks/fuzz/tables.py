"""Tables of comma-separated values for ``orca-exact problem``: strange names, labels, numbers and options.

What is accepted is read again here, with the fractions of Python, and compared with the problem that is
written.
"""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from orca_exact.checker.reading import unlimited_digits
from orca_exact.cli.parser import make_parser, run_verb

from ..oracle.reading import number
from .changes import Finding

LABELS = (
    *(("tea", "milk"), ("1", "1.0"), ("1/2", "2/4"), ("0", "1"), ("-1", "+1"), ("1", "01"), ("1e0", "1")),
    *(
        ("yes", "Yes"),
        ("a|b", "<script>"),
        ("\u202ea", "a"),
        ("1", "2", "3"),
        ("=1+1", "x"),
        ("x", "y" * 3000),
    ),
    *(("nan", "1"), ("?", "a"), ("0x1p0", "1"), ("٣", "3"), ("true", "1"), ("a", "a\u200b"), ("0.5", "1/2")),
)
NAMES = (
    *(
        "age",
        "a|b",
        "**b**",
        "<script>alert(1)</script>",
        "<b>x</b>",
        "$x_1$",
        "\\input{x}",
        "\x1b[2Jx",
        "\u202ex",
    ),
    *(
        "[x](http://y)",
        "`code`",
        "# head",
        "=1+1",
        "1",
        "2",
        "-",
        "x" * 3000,
        "a\nb",
        "a\r",
        "é",
        "e\u0301",
        "\x00",
    ),
    *("", " ", "label", "&amp;", "%s", "{0}", "x\u2028y", "\ufeff", "a,b", 'a"b', "kind "),
)
NUMBERS = (
    "1",
    "-2",
    "0.5",
    "1/3",
    "2e-3",
    "0x1.8p-1",
    "1e5",
    "3",
    "4",
    "7/9",
    "-0.25",
    "10",
    "+1",
    ".5",
    "6.",
)
JUNK = (
    *(
        "",
        "?",
        "NA",
        "nan",
        "inf",
        "1e99999",
        "1e-99999",
        "x",
        "1,5",
        "1 000",
        "1/0",
        "--1",
        "0x",
        "٣",
        "9" * 5000,
    ),
    *("1e20000", "-1e-20000", "true", "1_0", "\x00", "1e400", "1\u00a0", "''", "=1"),
)
KERNELS = ("rbf", "linear", "polynomial")


def draw_table(random: Random) -> dict:
    """Return a table and the options of the command."""
    d, m = random.randint(1, 4), random.randint(3, 12)
    names = [random.choice(NAMES) if random.random() < 0.6 else f"x{j}" for j in range(d + 1)]
    labels = random.choice(LABELS)
    rows = [[random.choice(NUMBERS) for _ in range(d)] + [random.choice(labels)] for _ in range(m)]
    for _ in range(random.choice((0, 0, 0, 1, 1, 3))):
        rows[random.randrange(m)][random.randrange(d + 1)] = random.choice((*JUNK, *NUMBERS, *NAMES))
    if random.random() < 0.1:
        column = random.randrange(d)
        for row in rows:
            row[column] = random.choice(("red", "blue", "1"[: random.randrange(2)] or "red"))
    if random.random() < 0.1:
        del rows[random.randrange(m)][0]
    options = ["--label", random.choice((names[-1], str(d + 1), names[0], "nothing"))]
    if random.random() < 0.7:
        options[1] = names[-1]
    for name, values, share in (
        ("--positive", (*labels, "1", "x"), 0.2),
        ("--n", ("1", "2", "3", "0"), 0.5),
        ("--order", ("1", "2", "9"), 0.1),
        ("--C", ("1", "relative", "1e-400", "0", "x", "1e400"), 0.2),
        ("--kernel", KERNELS, 0.3),
        ("--decimal", (",",), 0.05),
        ("--columns", (*names[:d], "1", "2"), 0.1),
    ):
        if random.random() < share:
            options.append(f"{name}={random.choice(values)}")
    options += [flag for flag in ("--no-header", "--no-rescale", "--strict") if random.random() < 0.1]
    return {
        "names": names,
        "rows": rows,
        "delimiter": random.choice((",", ",", ";", "\t", "|")),
        "options": options,
        "format": random.choice(("text", "json", "markdown")),
        "profile": random.random() < 0.1,
    }


def written(data: dict) -> str:
    """Return the table as text."""
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=data["delimiter"], lineterminator="\n").writerows(
        [data["names"], *data["rows"]]
    )
    return file.getvalue()


def run(*words: str) -> tuple[int, str, str]:
    """Run a command; an exception that it raises is a finding."""
    out, err = io.StringIO(), io.StringIO()
    try:
        arguments = make_parser(words[0]).parse_args(list(words))
    except SystemExit:
        return 2, "", ""
    try:
        code = run_verb(arguments, out, err)
    except Exception as error:
        raise Finding(f"{type(error).__name__}: {error}"[:300]) from error
    return code, out.getvalue(), err.getvalue()


def make_problem(data: dict) -> str:
    """Return how the command answers; the problem that it writes must be that of the table."""
    with TemporaryDirectory() as folder:
        table, file = Path(folder) / "t.csv", Path(folder) / "p.json"
        table.write_bytes(written(data).encode("utf-8", "surrogatepass"))
        options = [*data["options"], "-o", str(file), f"--format={data['format']}"]
        code, out, err = run("problem", str(table), *options)
        require_plain(out + err)
        if code:
            if len(err.splitlines()) > 1 or len(err) > 1000 or (code == 1 and not err):
                raise Finding(f"exit code {code} with a message of {len(err)} characters: {err[:200]!r}")
            return f"exit code {code}"
        if not (out and file.exists()):
            raise Finding("nothing was written")
        problem = json.loads(file.read_text(encoding="utf-8"))
        compare_table(data, problem)
        if data["profile"]:
            show_profile(file, data["format"])
    return "accepted"


def show_profile(file: Path, form: str) -> None:
    """Raise Finding if a profile of the problem fails, or shows a name as markup."""
    code, out, err = run("profile", str(file), f"--format={form}")
    require_plain(out + err)
    if code not in (0, 3, 4):
        raise Finding(f"profile: exit code {code}: {err[:200]!r}")
    if form == "json" and code == 0:
        json.loads(out)
    if form == "markdown":
        from markdown_it import MarkdownIt

        page = MarkdownIt("commonmark", {"html": True}).enable("table").render(out)
        for markup in ("<script", "<b>", "<a ", "<strong>b</strong>"):
            if markup in page:
                raise Finding(f"a name becomes {markup} in Markdown")


def require_plain(text: str) -> None:
    """Raise Finding if a text has control or bidirectional characters."""
    if bad := [c for c in text if not c.isprintable() and c != "\n"]:
        raise Finding(f"the character {bad[0]!r} is printed")


def exact(cell: str) -> Fraction | None:
    """Read a number, or return None."""
    try:
        with unlimited_digits():
            return number(cell.strip()) if cell.isascii() and "_" not in cell else None
    except (ValueError, ZeroDivisionError):
        return None


def compare_table(data: dict, problem: dict) -> None:
    """Raise Finding unless the problem has the rows and the labels of the table."""
    options = data["options"]
    if any(x.startswith(("--decimal", "--columns", "--no-header")) for x in options):
        return
    names = [name.strip() for name in data["names"]]
    label = options[1].strip()
    at = names.index(label) if label in names else int(label) - 1
    missing = ("", "?", "na", "n/a", "nan")
    kept = [row for row in data["rows"] if not any(cell.strip().lower() in missing for cell in row)]
    kept = [row for row in kept if any(cell.strip() for cell in row)]
    columns = [j for j in range(len(names)) if j != at]
    X: list[list[Any]] = [[exact(row[j]) for j in columns] for row in kept]
    if len(X) != len(problem["X"]):
        raise Finding(f"{len(problem['X'])} rows of {len(X)} are used")
    if any(x is None for row in X for x in row):
        return  # categories
    if [[exact(x) for x in row] for row in problem["X"]] != X:
        raise Finding("the numbers of the problem are not those of the table")
    classes = [row[at].strip() for row in kept]
    signs: dict[str, set[int]] = {}
    for name, sign in zip(classes, problem["y"], strict=True):
        signs.setdefault(name, set()).add(int(sign))
    if any(len(found) > 1 for found in signs.values()):
        raise Finding(f"a class has both signs: {signs}")
    positive = next((x.partition("=")[2] for x in options if x.startswith("--positive")), None)
    if positive is not None and signs.get(positive.strip()) != {1}:
        raise Finding(f"--positive {positive} has the sign {signs.get(positive.strip())}")
    values = {name: exact(name) for name in signs}
    # two fractions, such as 1/2 and 2/4, are two classes: see the rule of ``Table.problem``
    numbers = [x for name, x in values.items() if x is not None and "/" not in name]
    if len(set(numbers)) < len(numbers):
        raise Finding(f"the labels {[*signs]} are the same number")
