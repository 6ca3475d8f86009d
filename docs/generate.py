"""Text that is generated from the code, so that the pages always agree with it.

A page has a mark ``<!-- made: NAME -->`` for each generated part; conf.py replaces it when Sphinx reads the
page. Measurements are read from docs/measured; ``python -m benchmarks --full -o docs/measured`` writes
them, and the same command with ``growth`` and ``targets``.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from from_code import api, cli, dependencies, formats, layers
from from_paper import general, ledger, machine_checked, order_study, paper_errors, theory_digest
from writing import cell, table

ROOT = Path(__file__).resolve().parents[1]
KEPT = re.compile(r'keep\(.*, "([\w-]+)"\)')
MARK = re.compile(r"^<!-- made: (\w+)(?: (\w+))? -->$", re.M)


def expand(text: str) -> str:
    """Return a page in which every mark is replaced by its text."""
    return MARK.sub(lambda found: MADE[found[1]](*filter(None, found.groups()[1:])), text)


def contents() -> str:
    """Return the table of contents, for the sidebar."""
    trees = []
    for caption, names in CONTENTS.items():
        lines = ["```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```"]
        trees.append("\n".join(lines) + "\n")
    return "\n".join(trees)


def examples() -> str:
    """Return the example scripts, each with the first sentence of its docstring as heading."""
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
    """Return every picture of examples/gallery.py with its comment and its code."""
    script = ROOT / "examples" / "gallery.py"
    parts = []
    pieces = re.split(r"^((?:# .*\n)+)", script.read_text(encoding="utf-8"), flags=re.M)[1:]
    for comment, lines in zip(pieces[::2], pieces[1::2], strict=True):
        title, _, what = " ".join(line[2:] for line in comment.splitlines()).partition(": ")
        parts += [f"## {title}\n", f"{cell(what[:1].upper() + what[1:])}\n"]
        parts += [f"![{name}](images/gallery/{name}.svg)\n" for name in KEPT.findall(lines)]
        parts += [f"<!-- run by tests/project/test_examples.py -->\n```python\n{lines.strip()}\n```\n"]
    return "\n".join(parts)


def notebook() -> str:
    """Return the cells of examples/iris.ipynb without its title, with their stored outputs."""
    file, mark = ROOT / "examples" / "iris.ipynb", "<!-- run by tests/project/test_notebooks.py -->"
    parts = []
    for part in json.loads(file.read_text(encoding="utf-8"))["cells"]:
        text = "".join(part["source"])
        if part["cell_type"] == "code":
            text = f"{mark}\n```python\n{text}\n```"
            for output in part["outputs"]:
                if printed := "".join(output.get("text", "")).strip("\n"):
                    text += f"\n\n{mark}\n```text\n{printed}\n```"
                if picture := output.get("data", {}).get("image/png"):
                    text += (
                        f'\n\n<img alt="The shares as bars" src="data:image/png;base64,{picture.strip()}">'
                    )
        parts.append(re.sub(r"\A# .*\n+", "", text) + "\n")
    return "\n".join(parts)


def measured(name: str) -> str:
    """Return the tables of a recorded run and, for growth, where orca-exact is slower."""
    sys.path.insert(0, str(ROOT))  # benchmarks is not installed
    from benchmarks.growth import verdict
    from benchmarks.show import rows

    data = json.loads((ROOT / "docs" / "measured" / f"{name}.json").read_text(encoding="utf-8"))
    parts = [f"{cell(verdict(data))}\n"] if "sweeps" in data else []
    tables = rows(data)
    for title, (head, *body) in tables.items():
        parts += [f"### {title}\n"] * (len(tables) > 1) + [
            table(head, [tuple(map(cell, row)) for row in body])
        ]
    machine = ", ".join(f"{name} {value}" for name, value in data["machine"].items() if value is not None)
    parts.append(f"Measured in one run ({data['mode']} mode, {data['seconds']:.0f} s): {machine}.\n")
    return "\n".join(parts)


CONTENTS = {  # the build fails if a page is not listed here
    "Start here": ("routes", "tutorial", "practice", "reading", "orca", "glossary"),
    "How to": (
        "sklearn",
        "choosing",
        "order2",
        "kernels",
        "shapes",
        "table",
        "implementation",
        "cluster",
        "extending",
        "claim",
        "path",
        "measures",
        "polynomials",
        "studies",
    ),
    "Examples": ("gallery", "examples", "notebook"),
    "What is proved": ("certificate", "proofs", "general", "machine-checked"),
    "The paper": ("paper-errors", "ledger"),
    "Compared with others": ("comparison", "benchmarks"),
    "Reference": ("api", "cli", "formats", "architecture"),
}
EXAMPLES = (  # in this order, then the others; gallery.py has its own page
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
    "dependencies": dependencies,
    "examples": examples,
    "formats": formats,
    "gallery": gallery,
    "general": general,
    "layers": layers,
    "ledger": ledger,
    "machine_checked": machine_checked,
    "theory_digest": theory_digest,
    "measured": measured,
    "notebook": notebook,
    "paper_errors": paper_errors,
    "order_study": order_study,
}
