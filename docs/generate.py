"""An MkDocs hook: pages made from the code itself, so that they cannot disagree with it.

cli.md from the parsers, formats.md from the shipped schemas, examples.md from the scripts, ledger.md and
paper-errors.md from the claims, general.md from the list of theorems, the tables of benchmarks.md from
recorded runs (``python -m benchmarks --full -o docs/measured``, and the same with growth and targets).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from textwrap import fill
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MATHS = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.S)
MARK = re.compile(r"<!-- measured: (\w+) -->")


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for name, page in PAGES.items():
        files.append(File.generated(config, name, content=page()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    return MARK.sub(lambda found: measured(found[1]), markdown)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Mathematics becomes MathML here: nothing is left to a script."""
    from latex2mathml.converter import convert

    kinds = {"div": "block", "span": "inline"}
    return MATHS.sub(
        lambda found: convert(unescape(found[2]).strip()[2:-2].strip(), display=kinds[found[1]]), html
    )


def formula(latex: str) -> str:
    """A displayed formula; as code where it holds a command that is not mathematics, such as a citation."""
    from latex2mathml.converter import convert

    left = "\\" in re.sub("<[^>]+>", "", convert(latex))
    return f"```latex\n{latex}\n```\n" if left else f"\\[ {latex} \\]\n"


def cell(text: str) -> str:
    """Text that survives inside a Markdown table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def code(text: str) -> str:
    return f"`{text}`" if text else ""


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def cli() -> str:
    from orca_exact.cli.parser import parser as make

    parser = make()
    (verbs,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    parts = [
        "# Command line\n",
        "`orca-exact VERB`: data on stdout, progress on stderr and only on a terminal; `NO_COLOR` is "
        "honoured. Exit codes: 0 as expected, 1 a mismatch or an unexpected verdict, 2 usage, 3 undecided "
        "only, 4 bad input or output that cannot be written, 5 a foreign program or solver failed.\n",
        table(
            ("verb", "does"),
            [(f"[`{v}`](#{v})", cell(sub.description or "")) for v, sub in verbs.choices.items()],
        ),
    ]
    for verb, sub in verbs.choices.items():
        sub.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=88)
        usage = sub.format_usage().removeprefix("usage: ").strip()
        does = cell(sub.description or "")
        parts += [f"## {verb}\n", f"{does[:1].upper()}{does[1:]}.\n", f"```text\n{usage}\n```\n"]
        rows = [
            (code(_name(a)), cell(_help(a))) for a in sub._actions if not isinstance(a, argparse._HelpAction)
        ]
        parts += [table(("argument", "meaning"), rows)] if rows else []
    return "\n".join(parts)


def _name(action: argparse.Action) -> str:
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    if not action.option_strings:
        return str(value)
    takes = action.nargs != 0 and not action.choices
    return ", ".join(action.option_strings) + (f" {value}" if takes else "")


def _help(action: argparse.Action) -> str:
    choices = f"one of {', '.join(map(str, action.choices))}" if action.choices else ""
    default = f"default {action.default}" if action.choices and action.default else ""
    return "; ".join(filter(None, (action.help, choices, default)))


def formats() -> str:
    from orca_exact.formats import names
    from orca_exact.formats import schema as load

    parts = [
        "# File formats\n",
        'Numbers are strings, because JSON numbers become doubles: `"3/7"`, `"0.1"`, `"0x1.9p-4"`. A decimal '
        "is that decimal; a float, where one is given, is its exact dyadic value. The JSON schemas below are "
        "shipped with the package; `orca-exact schema NAME` prints one.\n",
    ]
    for name in names():
        schema = load(name)
        parts += [f"## {name}\n", f"{schema['title']}. {cell(schema.get('description', ''))}\n"]
        parts += [f"Identifier: `{schema.get('$id', '')}`.\n"]
        required = set(schema.get("required", ()))
        rows = [
            (
                code(field),
                "yes" if field in required else "",
                code(_type(rule)),
                cell(rule.get("description", "")),
            )
            for field, rule in schema.get("properties", {}).items()
        ]
        parts += [table(("field", "required", "type", "meaning"), rows)] if rows else []
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        parts += [
            "<details markdown><summary>the whole schema</summary>\n",
            f"```json\n{text}\n```\n",
            "</details>\n",
        ]
    return "\n".join(parts)


def _type(rule: dict) -> str:
    if "const" in rule:
        return json.dumps(rule["const"])
    if "enum" in rule:
        return " or ".join(map(json.dumps, rule["enum"]))
    if "$ref" in rule:
        return rule["$ref"].rsplit("/", 1)[-1]
    kind = rule.get("type", "")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    return f"{kind} of {_type(rule['items'])}" if "items" in rule and _type(rule["items"]) else kind


def counted(found: Any) -> str:
    """The numbers of the ledger as a sentence; the README has it too, and a test compares them."""
    number, extents = found.counts, found.extents
    kinds = ", ".join(f"{n} {severity}" for severity, n in found.severities.items())
    return (
        f"{number['HOLDS']} hold ({extents['for all']} for all that they speak of, {found.compiled} of these "
        f"by machine-checked proofs, {extents['finite']} finite statements decided in every case, "
        f"{extents['sampled']} only in samples, which is no proof), "
        f"{number['FAILS']} are refuted, {number['UNDECIDED']} undecided with the reason. The refuted ones "
        f"are {len(found.errors)} errors of the paper, each sentence counted once ({kinds}), "
        f"{len(found.arguable)} sentences that only another reading refutes, and {found.ours} "
        "claims that fail on our own spiral, which are no errors of the paper"
    )


def recorded_as(claim: Any) -> str:
    """'holds (for all, machine-checked)', 'refuted (wrong number)', 'undecided'."""
    verdict = claim.recorded()
    word = {"HOLDS": "holds", "FAILS": "refuted", "UNDECIDED": "undecided"}[verdict.outcome]
    how = verdict.extent or verdict.severity
    how = verdict.general if how != claim.extent and verdict.general else how
    return f"{word} ({how})" if how else word


def ledger() -> str:
    from orca_exact.paper.claims import CELL, claims
    from orca_exact.paper.summary import recorded

    known = claims()
    cells = [claim for claim in known if claim.subject == CELL]
    parts = [
        "# The ledger\n",
        f"{len(known)} claims, in the paper's order: {counted(recorded())}. These are the outcomes the "
        "ledger records; `orca-exact verify` computes them again and fails where one differs. "
        f"`orca-exact explain CLAIM` shows one in full. {len(cells)} of them are single cells of the printed "
        "tables and the corrections of these; they are summed up at the end.\n",
    ]
    section = None
    for claim in known:
        if claim.subject == CELL:
            continue
        if claim.section != section:
            section = claim.section
            title = "Abstract" if section == "0" else f"Section {section}"
            parts += [f"\n## {title}\n", "| claim | says | recorded as | scope |\n|---|---|---|---|"]
        row = (code(claim.id), cell(claim.title), recorded_as(claim), cell(claim.scope))
        parts.append("| " + " | ".join(row) + " |")
    tables: dict[str, Counter] = {}
    for claim in cells:
        tables.setdefault(claim.id.split("/")[0], Counter())[recorded_as(claim)] += 1
    rows = [
        (code(name), str(own.total()), ", ".join(f"{n} {word}" for word, n in own.items()))
        for name, own in tables.items()
    ]
    return "\n".join([*parts, "\n## Cells of the tables\n", table(("table", "claims", "recorded as"), rows)])


def paper_errors() -> str:
    """The referee's letter, as the report has it; counterexamples that need no data are computed here."""
    from orca_exact.paper.claims import OUR_SPIRAL, claims
    from orca_exact.paper.referee import chapters, opening

    pairs = [
        (c, c.recorded() if c.needs or c.expect != "FAILS" or c.subject == OUR_SPIRAL else c.run())
        for c in claims()
    ]
    parts = [
        "# What the paper gets wrong\n",
        *(f"{cell(text)}\n" for text in opening(pairs)),
        "`orca-exact explain CLAIM` computes an entry again; with your own copy of the paper's source, "
        "`--paper FILE` shows the sentence beside it.\n",
    ]
    for chapter in chapters(pairs):
        parts += [
            f"## {chapter.title} ({len(chapter.entries)}) {{: #{chapter.id} }}\n",
            f"{cell(chapter.text)}\n",
        ]
        for entry in chapter.entries:
            anchor = re.sub(r"[^a-z0-9]+", "-", entry.claim.lower()).strip("-")
            parts += [f"### {cell(entry.states)} {{: #{anchor} }}\n"]
            parts += [formula(entry.display)] if entry.display else []
            for line in entry.lines:
                cited = ", ".join(map(code, line.claims))
                parts += [" ".join(filter(None, (f"**{line.label}.**", cell(line.text), cited))) + "\n"]
                parts += [formula(line.display)] if line.display else []
    return "\n".join(parts)


def general() -> str:
    """Every theorem in words, in mathematics and as Rocq states it, beside the claims that rest on it."""
    from orca_exact.paper import formal
    from orca_exact.paper.claims import claims

    listed, left = formal.theorems(), formal.left()
    covered = {claim for theorem in listed for claim in theorem.covers}
    twins = [(formal.source() / theorem.twin).read_text() for theorem in listed if theorem.twin]
    refuted = sum("Theorem refuted" in twin for twin in twins)
    parts = [
        "# Machine-checked, for all\n",
        f"{len(listed)} theorems in Rocq (Coq) with MathComp, without axioms, prove {len(covered)} claims of "
        "the ledger in general: for every positive definite functional (such as the integral of a measure of "
        "infinite support), every n and d, every trained SVM. `orca-exact verify "
        "--formal` compiles them on your machine. Until then a claim whose own computation is of samples is "
        "`HOLDS (uncompiled)`, and is not counted as holding for all. The sources are in "
        "`proofs_checks/formal`; a test pins each statement and shows a falsified twin that its proof does "
        f"not prove; {refuted} of the {len(twins)} twins are also refuted there.\n",
    ]
    rows = [
        (
            cell(claim.place),
            code(claim.id),
            cell(claim.title),
            ", ".join(map(_theorem, formal.covering(claim.id))),
        )
        for claim in claims()
        if claim.id in covered
    ]
    parts += [table(("place in the paper", "claim", "says", "proved by"), rows)]
    for file in formal.order():
        own = [theorem for theorem in listed if theorem.file == file]
        parts += (
            [f"## {formal.title(file)} {{: #{file.removesuffix('.v').lower()} }}\n", f"`{file}`\n"]
            if own
            else []
        )
        for theorem in own:
            parts += [f"### {theorem.theorem} {{: #{_place(theorem)} }}\n"]
            parts += [f"{cell(theorem.says)}\n", formula(theorem.latex)]
            parts += [f"```coq\n{fill(theorem.statement, 100)}\n```\n"]
            parts += [f"Claims: {', '.join(map(code, theorem.covers))}.\n"] if theorem.covers else []
    rows = [(code(claim), cell(why)) for claim, why in left.items()]
    parts += ["## Not machine-checked\n", "Claims of sections 2 to 5 that hold and are not above.\n"]
    return "\n".join([*parts, table(("claim", "why"), rows)])


def _place(theorem: Any) -> str:
    return theorem.name.lower().replace(".", "-")


def _theorem(theorem: Any) -> str:
    return f"[`{theorem.name}`](#{_place(theorem)})"


def examples() -> str:
    """The scripts as they stand, each under the first sentence of its own text."""
    parts = ["# Examples to copy\n", "Each is complete; the tests run them as they stand.\n"]
    for name in EXAMPLES:
        text = (ROOT / "examples" / name).read_text(encoding="utf-8")
        title = text.removeprefix('"""').split('"""')[0].splitlines()[0].rstrip(".")
        parts += [f"## {title}\n", f"`examples/{name}`\n", f"```python\n{text}```\n"]
    picture = (
        "![Decision boundary of a double spiral, and its OKC profile by total degree](images/spiral.png)\n"
    )
    return "\n".join([*parts, picture])


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


EXAMPLES = (
    "exact_polynomials.py",
    "certify_my_svc.py",
    "three_classes.py",
    "by_hand.py",
    "reference_and_crosscheck.py",
    "profile_figure.py",
    "gallery.py",
)
PAGES = {
    "cli.md": cli,
    "examples.md": examples,
    "formats.md": formats,
    "general.md": general,
    "ledger.md": ledger,
    "paper-errors.md": paper_errors,
}
