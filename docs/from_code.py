"""Pages made from the code: the command line from its parsers, the formats from the shipped schemas."""

from __future__ import annotations

import argparse
import json

from writing import cell, code, table


def cli() -> str:
    from orca_exact.cli.parser import parser as make

    parser = make()
    (verbs,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    rows = [(f"[`{v}`](#{v})", cell(sub.description or "")) for v, sub in verbs.choices.items()]
    parts = [table(("verb", "does"), rows)]
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

    parts = []
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
            "<details><summary>the whole schema</summary>\n",
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
