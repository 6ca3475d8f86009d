"""``tutorial``: a first run on a small table, each command shown before what it prints."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ...errors import BadFile
from ...files.formats import make_folder, write
from .. import parser as line
from ..terminal import Output

EXAMPLES = ("orca-exact tutorial", "orca-exact tutorial --folder first")
TEA = """\
temperature,minutes,spoons,taste
69.2,1.4,2.5,bad
78.7,1.3,1,bad
75.7,8.3,1,good
68.7,5.1,2,good
90.4,7.5,2,bad
68.4,8.4,2,good
91.2,2.1,2,good
71.3,7.9,2,good
63.4,5.6,2.5,good
79.7,,2.5,good
96.8,7.5,3,bad
92.8,0.6,2,good
82.3,8.0,3,bad
67.6,4.1,2,bad
76.8,1.9,2,bad
70.1,7.3,1,good
61.8,5.8,2,good
80.2,6.0,2,good
86.3,1.1,1.5,good
84.8,4.2,1.5,good
89.1,3.2,3,good
67.7,3.3,1,bad
87.6,2.9,3,good
84.0,2.5,2,good
96.4,3.0,1,good
61.7,6.4,2,good
88.7,8.7,1,bad
72.6,3.2,1.5,bad
"""
_STEPS = (
    (
        "A problem is points, labels +1 and -1, a degree n and C. The columns are rescaled to [-1, 1], "
        "exactly: 0.1 is 1/10.",
        "problem {csv} --label taste --n 2 -o {json}",
    ),
    (
        "Its SVM is solved, its optimality proved, and its norm split: OKC^(q) is the share of interactions "
        "of q columns, OKC_i of column i alone, OKC_ij of two together. Every digit printed is proved.",
        "profile {json} --digits 10",
    ),
    (
        "In this classifier temperature and minutes count together, hardly alone. That it is the optimal SVM "
        "of these cups (about tea at large nothing is proved), over the rational numbers, in a file:",
        "certify {json} -o {cert}",
    ),
    (
        "Anybody can check it, with a program of one file that shares no code with the one that made it.",
        "check-certificate {cert}",
    ),
)
NEXT = (
    "orca-exact problem YOUR.csv --label COLUMN --n 3 -o mine.json",
    "orca-exact path {json}",
    "orca-exact verify --section 3",
    "orca-exact --help",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", metavar="DIR", default=".", help="where to write three files (default: here)"
    )


def run(args: argparse.Namespace, out: Output) -> int:
    folder = Path(args.folder)
    files = {kind: str(folder / f"tea.{kind}") for kind in ("csv", "json", "cert.json")}
    names = {kind.partition(".")[0]: shlex.quote(file) for kind, file in files.items()}
    for file in files.values():
        if Path(file).exists():
            raise BadFile(file, "is there already", "remove it, or take another folder: --folder DIR")
    make_folder(folder)
    write(files["csv"], TEA)
    first = TEA.splitlines()[:4]
    _paragraph(
        out, f"1. {len(TEA.splitlines()) - 1} cups of tea, and how they tasted. {files['csv']} begins:"
    )
    out.print("\n".join(f"  {row}" for row in first))
    for count, (text, command) in enumerate(_STEPS, 2):
        _paragraph(out, f"{count}. {text}")
        words = command.format(**names)
        out.console.print(f"$ orca-exact {words}", style="bold", soft_wrap=True, markup=False)
        asked = line.make_parser(words.split()[0]).parse_args([*shlex.split(words), *["--quiet"] * out.quiet])
        if code := line.run_verb(asked, out.stdout.stream, out.stderr):
            return code
    _paragraph(out, f"Left here: {', '.join(names.values())}. Nothing else was written.")
    if not out.quiet:
        out.print("\n".join(["", "next:", *(f"  {words.format(**names)}" for words in NEXT)]))
    return 0


def _paragraph(out: Output, text: str) -> None:
    from rich.text import Text

    out.print()
    out.console.print(Text(text, style="green"))
