"""Pages made from the code itself, so that they cannot disagree with it.

A page says ``<!-- made: NAME -->`` where the text goes that a function here makes; conf.py puts it there when
Sphinx reads the page. In a checkout the page is what stands around the mark. Recorded runs are those of
``python -m benchmarks --full -o docs/measured``, and the same with growth and targets.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from from_code import api, cli, formats
from from_paper import general, ledger, paper_errors, signal
from writing import cell, table

ROOT = Path(__file__).resolve().parents[1]
KEPT = re.compile(r'keep\(.*, "([\w-]+)"\)')
MARK = re.compile(r"^<!-- made: (\w+)(?: (\w+))? -->$", re.M)


def expand(text: str) -> str:
    """A page with the text of every mark in its place."""
    return MARK.sub(lambda found: MADE[found[1]](*filter(None, found.groups()[1:])), text)


def contents() -> str:
    """The order of the pages, for the column beside them."""
    trees = []
    for caption, names in CONTENTS.items():
        lines = ["```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```"]
        trees.append("\n".join(lines) + "\n")
    return "\n".join(trees)


def examples() -> str:
    """The scripts as they stand, each under the first sentence of its own text."""
    parts = []
    scripts = {file.name for file in (ROOT / "examples").glob("*.py")} - {"gallery.py", *EXAMPLES}
    for name in (*EXAMPLES, *sorted(scripts)):
        text = (ROOT / "examples" / name).read_text(encoding="utf-8")
        title = text.removeprefix('"""').split('"""')[0].splitlines()[0].rstrip(".")
        parts += [
            f"## {title}\n",
            f"`examples/{name}`\n",
            f"<!-- run by tests/project/test_examples.py -->\n```python\n{text}```\n",
        ]
        parts += ["![Decision boundary, and OKC by degree](images/spiral.png)\n"] * ("spiral.png" in text)
    return "\n".join(parts)


def gallery() -> str:
    """Every picture of examples/gallery.py under the comment and above the code that made it."""
    script = ROOT / "examples" / "gallery.py"
    parts = []
    for piece in re.split(r"^# ", script.read_text(encoding="utf-8"), flags=re.M)[1:]:
        said, _, lines = piece.partition("\n")
        title, _, what = said.partition(": ")
        parts += [f"## {title}\n", f"{cell(what[:1].upper() + what[1:])}\n"]
        parts += [f"![{name}](images/gallery/{name}.svg)\n" for name in KEPT.findall(lines)]
        parts += [f"<!-- run by tests/project/test_examples.py -->\n```python\n{lines.strip()}\n```\n"]
    return "\n".join(parts)


def notebook() -> str:
    """The cells of examples/iris.ipynb, which is kept without outputs; its title is the page's."""
    file = ROOT / "examples" / "iris.ipynb"
    parts = []
    for part in json.loads(file.read_text(encoding="utf-8"))["cells"]:
        text = "".join(part["source"])
        if part["cell_type"] == "code":
            text = f"<!-- run by tests/project/test_notebooks.py -->\n```python\n{text}\n```"
        parts.append(re.sub(r"\A# .*\n+", "", text) + "\n")
    return "\n".join(parts)


def measured(name: str) -> str:
    """The tables of a recorded run; of growth also where ours is slower."""
    sys.path.insert(0, str(ROOT))  # benchmarks is not installed
    from benchmarks.growth import verdict
    from benchmarks.show import rows

    data = json.loads((ROOT / "docs" / "measured" / f"{name}.json").read_text(encoding="utf-8"))
    parts = [f"{cell(verdict(data))}\n"] if "sweeps" in data else []
    for title, (head, *body) in rows(data).items():
        parts += [f"### {title}\n", table(head, [tuple(map(cell, row)) for row in body])]
    machine = ", ".join(f"{name} {value}" for name, value in data["machine"].items() if value is not None)
    parts.append(f"Measured in one run ({data['mode']} mode, {data['seconds']:.0f} s): {machine}.\n")
    return "\n".join(parts)


CONTENTS = {  # a page that is there and not here fails the build
    "Begin": ("tutorial", "orca", "glossary"),
    "How to": ("sklearn", "kernels", "table", "implementation", "cluster", "claim", "path", "measures", "studies"),
    "Look and copy": ("gallery", "examples", "notebook"),
    "What is proved": ("certificate", "proofs", "general"),
    "The paper": ("paper-errors", "ledger"),
    "Reference": ("api", "cli", "formats", "benchmarks"),
}
EXAMPLES = (  # these first; gallery.py has a page of its own
    "exact_polynomials.py",
    "certify_my_svc.py",
    "three_classes.py",
    "by_hand.py",
    "primal_and_dual.py",
    "reference_and_crosscheck.py",
    "profile_figure.py",
)
MADE = {
    "api": api,
    "cli": cli,
    "contents": contents,
    "examples": examples,
    "formats": formats,
    "gallery": gallery,
    "general": general,
    "ledger": ledger,
    "measured": measured,
    "notebook": notebook,
    "paper_errors": paper_errors,
    "signal": signal,
}
