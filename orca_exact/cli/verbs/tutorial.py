"""The verb ``tutorial``: run four commands on a small table and show each command with its output."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from ...errors import BadFile
from ...files.formats import make_folder, write
from ..parser import list_plugins, make_parser, run_verb
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
        "A problem consists of points, labels +1 and -1, a degree n and a soft-margin parameter C. Each "
        "column is rescaled to [-1, 1] in exact arithmetic: 0.1 is read as 1/10.",
        "problem {csv} --label taste --n 2 -o {json}",
    ),
    (
        "The next command solves the SVM, proves that the solution is optimal, and splits its squared norm "
        "into shares: OKC^(q) is the share of interactions among q columns, OKC_i that of column i alone, "
        "OKC_ij that of columns i and j together. Every printed digit is proved.",
        "profile {json} --digits 10",
    ),
    (
        "In this classifier, temperature and minutes matter together and hardly alone. The next command "
        "proves in exact arithmetic that it is the optimal SVM for these cups, and writes the proof to a "
        "file. Nothing is proved about tea in general.",
        "certify {json} -o {cert}",
    ),
    (
        "Anybody can check the proof with a separate program that shares no code with the one that wrote it.",
        "check-certificate {cert}",
    ),
)
NEXT = (
    "orca-exact problem YOUR.csv --label COLUMN --n 3 -o mine.json",
    "orca-exact path {json}",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder", metavar="DIR", default=".", help="folder for the three files (default: the current one)"
    )


def run(args: argparse.Namespace, out: Output) -> int:
    folder = Path(args.folder)
    files = {kind: str(folder / f"tea.{kind}") for kind in ("csv", "json", "cert.json")}
    names = {kind.partition(".")[0]: shlex.quote(file) for kind, file in files.items()}
    for file in files.values():
        if Path(file).exists():
            raise BadFile(
                file, "the file exists already", "remove it, or choose another folder with --folder DIR"
            )
    make_folder(folder)
    write(files["csv"], TEA)
    lines = TEA.splitlines()
    _paragraph(
        out, f"1. {len(lines) - 1} cups of tea and how they tasted. The first lines of {files['csv']}:"
    )
    out.print("\n".join(f"  {line}" for line in lines[:4]))
    for count, (text, command) in enumerate(_STEPS, 2):
        _paragraph(out, f"{count}. {text}")
        words = command.format(**names)
        out.console.print(f"$ orca-exact {words}", style="bold", soft_wrap=True, markup=False)
        call = [*shlex.split(words), *["--quiet"] * out.quiet]
        if code := run_verb(make_parser(call[0]).parse_args(call), out.stdout.stream, out.stderr):
            return code
    _paragraph(out, f"Files written: {', '.join(names.values())}.")
    if not out.quiet:
        examples = (words for plugin in list_plugins() for words in plugin.FIRST_EXAMPLES)
        following = [*(words.format(**names) for words in NEXT), *examples, "orca-exact --help"]
        out.print("\n".join(["", "next:", *(f"  {words}" for words in following)]))
    return 0


def _paragraph(out: Output, text: str) -> None:
    from rich.text import Text

    out.print()
    out.console.print(Text(text, style="green"))
