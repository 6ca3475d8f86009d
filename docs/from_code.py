"""Pages generated from docstrings (the API), parsers (the command line) and schemas (the formats)."""

from __future__ import annotations

import argparse
import ast
import json
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from writing import cell, code, table

MODULES = {  # in addition to the names of orca_exact itself
    "orca_exact.sklearn": "For scikit-learn",
    "orca_exact.studies": "Statistics",
    "orca_exact.svm.judge": "Testing a given solution",
    "orca_exact.kernels.orthogonal": "Kernels",
    "orca_exact.conformance.testing": "Conformance tests",
    "proofs_checks.experiments.tables": "Printed tables",
    "proofs_checks.ledger.claims": "Claims",
    "proofs_checks.ledger.relations": "Relations",
    "orca_exact.checker": "The checker",
    "orca_exact.errors": "Errors",
}
FIRST = ("Problem", "solve", "Solution", "certify", "Certificate", "orca", "Profile", "path", "Path")
FOREIGN = {  # objects of other projects, as roles that intersphinx converts to links
    "py:class": {
        "numpy.ndarray": "points and values in float64; `X` of a model",
        "sympy.polys.polytools.Poly": "`polynomial(k)` of a measure: π_k",
        "sympy.core.expr.Expr": "`orthonormal(k)`, `h(k)`, and the c_k of a profile in exact arithmetic",
        "cvxpy.problems.problem.Problem": "the problem that `solve` passes to a solver",
        "sklearn.svm.SVC": "the model for `audit` and `explain`, also inside a pipeline or a search",
    },
    "py:func": {
        "mpmath.jacobi": "values to 50 digits, for comparison in the benchmarks",
    },
}
ROOT = Path(__file__).resolve().parents[1]
OF_CHECKER = ("check", "Rejected", "main")  # the other names are not meant to be called


def api() -> str:
    """Return the page of all names of ``orca_exact``, and of the modules that other pages refer to."""
    import orca_exact

    names = sorted(orca_exact.__all__, key=lambda name: (*FIRST, name).index(name))
    parts = ["## orca_exact\n", *(_documented("orca_exact", name, inherited=True) for name in names)]
    for module, title in MODULES.items():
        parts += [f"## {title}\n", _rst(f"automodule:: {module}")]
        parts += [_documented(module, name) for name in _public(module)]
    rows = [(f"{{{role}}}`{name}`", what) for role, own in FOREIGN.items() for name, what in own.items()]
    parts += ["## Objects of other projects\n", table(("object", "where it occurs"), rows)]
    return "\n".join(parts)


def _public(module: str) -> list[str]:
    """Return the names that a module exports, or, if it has no ``__all__``, those that it defines."""
    found = import_module(module)
    if module == "orca_exact.checker":
        return list(OF_CHECKER)
    defined = [
        name
        for name, value in vars(found).items()
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", "") == module
    ]
    return list(getattr(found, "__all__", defined))


def _documented(module: str, name: str, inherited: bool = False) -> str:
    value = getattr(import_module(module), name)
    if isinstance(value, type):
        options = [":members:", ":inherited-members:" if inherited else ":show-inheritance:"]
        return _rst(f"autoclass:: {module}.{name}", *options)
    if not hasattr(value, "__code__"):  # an instance: show its type and its value
        return _rst(f"py:data:: {module}.{name}", f":type: {type(value).__name__}", f":value: {value!r}")
    return _rst(f"autofunction:: {module}.{name}")


def _rst(directive: str, *options: str) -> str:
    lines = ["```{eval-rst}", f".. {directive}", *(f"   {option}" for option in options), "```"]
    return "\n".join(lines) + "\n"


def cli() -> str:
    from orca_exact.cli.parser import make_parser as make

    parser = make()
    (verbs,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    rows = [(f"[`{v}`](#{v})", cell(sub.description or "")) for v, sub in verbs.choices.items()]
    parts = [table(("verb", "purpose"), rows)]
    for verb, sub in verbs.choices.items():
        sub.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=88)
        usage = sub.format_usage().removeprefix("usage: ").strip()
        does = cell(sub.description or "")
        parts += [
            f"## {verb}\n",
            f"{does[:1].upper()}{does[1:]}.\n",
            f"<!-- not run: the usage message of the parser -->\n```text\n{usage}\n```\n",
        ]
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
    from orca_exact.files.validation import schema as load
    from orca_exact.files.validation import schema_names

    parts = []
    for name in schema_names():
        schema = load(name)
        parts += [f"## {name}\n", f"{schema['title']}. {cell(schema.get('description', ''))}\n"]
        parts += [f"Identifier: `{schema.get('$id', '')}`.\n"]
        head = ("field", "required", "type", "meaning")
        for alternative in schema.get("oneOf", [schema]):
            parts += [f"If a line is a {alternative['title']}:\n"] if alternative is not schema else []
            parts += [table(head, list(_fields(alternative)))]
        for kind, rule in schema.get("$defs", {}).items():
            parts += [f"{code(kind)} in the table above: {cell(rule.get('description', 'an object'))}.\n"]
            rows = list(_fields(rule, f"{kind}."))
            parts += [table(head, rows)] if rows else []
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        parts += [
            "<details><summary>The whole schema</summary>\n",
            f"<!-- not run: a schema -->\n```json\n{text}\n```\n",
            "</details>\n",
        ]
    return "\n".join(parts)


def _fields(rule: dict, place: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Yield name, whether it is required, type and meaning for every field and the fields inside it."""
    required = rule.get("required", ())
    for name, own in rule.get("properties", {}).items():
        needed = "yes" if name in required else ""
        yield code(place + name), needed, code(_type(own)), cell(own.get("description", ""))
        yield from _fields(own, f"{place}{name}.")
        yield from _fields(own.get("items", {}), f"{place}{name}[].")
        if isinstance(own.get("additionalProperties"), dict):
            yield from _fields(own["additionalProperties"], f"{place}{name}.*.")
    for other in rule.get("anyOf", ()):
        if other.get("type") == "object":
            yield from _fields(other, place)


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


# The steps of the main verbs, numbered as in docs/architecture.md, and the layers that take them.
WAYS = {
    "profile": {"files": "1", "svm": "2 3", "profile": "4", "cli": "5"},
    "path": {"files": "1", "svm": "2", "paths": "3 4", "cli": "5"},
    "study": {"files": "1", "svm": "2 3", "profile": "4", "studies": "4", "cli": "5"},
    "certify": {"files": "1 5", "svm": "2 3", "checker": "✓"},
    "crosscheck": {"conformance": "1 2 4", "svm": "3", "cli": "5"},
}


def layers() -> str:
    """Return a picture and a table of the layers of the library, from the import contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (found,) = (c["layers"] for c in contracts["contracts"] if c.get("containers") == ["orca_exact"])
    rows = [layer.split(" | ") for layer in found if layer != "__main__"]
    names = [name for row in rows for name in row]
    shown = [["proofs_checks"], *rows, ["checker"]]
    place = {name: i for i, row in enumerate(shown) for name in row}
    left, apart, height, gap = 300, 84, 30, 8
    width, top = left + apart * len(WAYS), height

    def text(x: float, y: float, words: str, color: str = "currentColor") -> str:
        return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="{color}" font-size="14">{words}</text>'

    def middle(name: str) -> float:
        return top + place[name] * (height + gap) + height / 2

    parts = []
    for row in shown:
        part = left / len(row)
        for j, name in enumerate(row):
            x, y, dashed = (
                j * part,
                middle(name) - height / 2,
                ' stroke-dasharray="4 3"' * (name not in names),
            )
            parts += [
                f'<rect x="{x:g}" y="{y:g}" width="{part - gap:g}" height="{height}" rx="5" fill="none" '
                f'stroke="currentColor"{dashed}/>',
                text(x + (part - gap) / 2, y + 20, name),
            ]
    for j, (verb, steps) in enumerate(WAYS.items()):
        x, ys = left + (j + 0.5) * apart, [middle(name) for name in steps]
        parts += [
            text(x, 18, verb),
            f'<path d="M{x:g} {min(ys):g}V{max(ys):g}" stroke="#2b5c8a" stroke-width="2"/>',
        ]
        for name, numbers in steps.items():
            half = 10 + 4 * (len(numbers) - 1)
            parts += [
                f'<rect x="{x - half:g}" y="{middle(name) - 11:g}" width="{2 * half}" height="22" rx="11" '
                'fill="#2b5c8a"/>',
                text(x, middle(name) + 5, numbers, "white"),
            ]
    label = (
        "The layers of orca_exact, each of which imports only what is below it, and the steps of five verbs"
    )
    picture = (
        f'<svg viewBox="-1 0 {width + 2} {middle("checker") + height:g}" role="img" aria-label="{label}" '
        f'style="max-width:{width}px">{"".join(parts)}</svg>\n'
    )
    return picture + "\n" + table(("part", "contents"), [(code(name), cell(_first(name))) for name in names])


def _first(name: str) -> str:
    """Return the first sentence of the docstring of a part of the library."""
    folder, file = ROOT / "orca_exact" / name / "__init__.py", ROOT / "orca_exact" / f"{name}.py"
    text = (folder if folder.exists() else file).read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("``", "`")


def dependencies() -> str:
    """Return every library with its extra and with the reason that pyproject.toml states beside it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    rows, extra = [], ""
    for line in text[text.index("\ndependencies = [") : text.index("\n[project.scripts]")].splitlines():
        if begun := re.match(r"(\w+) = \[", line):
            extra = "" if begun[1] == "dependencies" else begun[1]
        if names := re.findall(r'"([\w-]+)>=', line):
            rows.append((", ".join(map(code, names)), code(extra), cell(line.partition("  # ")[2])))
    return table(("library", "extra", "why"), rows)
