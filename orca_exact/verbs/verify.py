"""``verify``: run the ledger of the paper's claims and print verdicts with evidence."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from .. import __version__
from ..cli import Output, add_format
from ..errors import BadParameter

HELP = "check every claim of the paper and print verdicts with evidence"
STYLES = {"HOLDS": "green", "FAILS": "red", "UNDECIDED": "yellow", "SKIPPED": "dim"}
UNEXPECTED = "bold white on red"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claims", metavar="CLAIM", nargs="*", help="claims by name, prefix or glob (default: all)"
    )
    depth = parser.add_mutually_exclusive_group()
    depth.add_argument("--quick", action="store_true", help="the default: under two minutes")
    depth.add_argument("--full", action="store_true", help="higher degrees, deep checks")
    parser.add_argument("--section", metavar="N", help="only one section, such as 3 or 3.1 (0: the abstract)")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument("--strict", action="store_true", help="claims recorded as refuted fail the run too")
    parser.add_argument("--list", action="store_true", help="list the claims, run nothing")
    parser.add_argument("--coverage", action="store_true", help="which claims judge which item of the paper")
    add_format(parser, "junit")


def run(args: argparse.Namespace, out: Output) -> int:
    from .. import claims as ledger

    if args.jobs < 1:
        raise BadParameter("--jobs", args.jobs, "is not positive", "try -j 2")
    if args.coverage:
        return _coverage(out, args.format)
    chosen = ledger.claims(args.claims, args.section)
    if args.list:
        return _list(out, chosen, args.format)
    write = {"text": _Text, "json": _Json, "markdown": _Markdown, "junit": _Junit}[args.format](
        out, chosen, args.full
    )
    start, verdicts = time.perf_counter(), []
    run_them = ledger.verify(args.claims, args.section, args.full, args.jobs, out.progress)
    for verdict in run_them:
        out.progress("")
        verdicts.append(verdict)
        write.verdict(verdict)
    out.progress("")
    code = ledger.exit_code(verdicts, args.strict)
    write.end(verdicts, ledger.counts(verdicts), time.perf_counter() - start, code)
    return code


def _list(out: Output, chosen: list, format: str) -> int:
    if format == "json":
        out.json([{"claim": c.id, "place": c.place, "title": c.title, "expected": c.expect} for c in chosen])
        return 0
    width = max(len(c.id) for c in chosen)
    for c in chosen:
        row = (c.id, c.place, c.title) if format == "markdown" else (c.id.ljust(width), c.title)
        out.print("| " + " | ".join(row) + " |" if format == "markdown" else "  ".join(row))
    return 0


def _coverage(out: Output, format: str) -> int:
    from ..claims import coverage

    rows = coverage()
    missing = [item for item, by in rows if not by]
    if format == "json":
        out.json([item | {"claims": by} for item, by in rows])
    elif format == "markdown":
        out.print("| item of the paper | kind | line | claims |\n|---|---|---|---|")
        for item, by in rows:
            out.print(f"| {_name(item)} | {item['kind']} | {item['line']} | {', '.join(by) or 'none'} |")
    else:
        width = max(len(_name(item)) for item, _ in rows)
        for item, by in rows:
            out.print(
                f"{item['line']:>5}  {item['kind']:<11} {_name(item).ljust(width)}  {', '.join(by) or 'NONE'}"
            )
        out.print(f"\n{len(rows)} items of the paper, {len(missing)} without a claim")
    return 1 if missing else 0


def _name(item: dict) -> str:
    return " ".join(filter(None, (item.get("number"), item.get("label") or item["id"])))


class _Writer:
    def __init__(self, out: Output, chosen: list, full: bool):
        self.out, self.chosen, self.full = out, chosen, full

    def verdict(self, v: Any) -> None:
        pass

    def end(self, verdicts: list, counts: dict, seconds: float, code: int) -> None:
        pass


class _Text(_Writer):
    def __init__(self, out: Output, chosen: list, full: bool):
        super().__init__(out, chosen, full)
        self.console, self.width = out.console, max(len(c.id) for c in chosen)
        self.section = ""

    def verdict(self, v: Any) -> None:
        from rich.text import Text

        section = v.place.split(",")[0]
        if section != self.section:
            self.section = section
            self.console.print(Text(f"\n{section[0].upper()}{section[1:]}", style="bold"))
        line = Text(v.outcome.ljust(10), style=STYLES[v.outcome] if v.as_expected else UNEXPECTED)
        line.append(v.claim.ljust(self.width + 2), style="cyan" if v.as_expected else "")
        line.append(f"{v.title} ", style="default")
        if v.outcome == "HOLDS":
            line.append(f"[{v.evidence}]", style="dim")
        self.console.print(line, no_wrap=True, overflow="ellipsis", crop=True)
        if v.outcome != "HOLDS" or not v.as_expected:
            note = v.evidence + (f"; corrected: {v.correction}" if v.correction else "")
            if not v.as_expected:
                note = f"UNEXPECTED (the ledger records {v.expected}): {note}"
            self.console.print(Text(f"{'':10}{note}", style="dim"), soft_wrap=True)

    def end(self, verdicts: list, counts: dict, seconds: float, code: int) -> None:
        from rich.text import Text

        line = Text("\n")
        words = {"HOLDS": "proved", "FAILS": "refuted", "UNDECIDED": "undecided", "SKIPPED": "skipped"}
        for outcome, word in words.items():
            if counts[outcome]:
                line.append(f"{counts[outcome]} {word}", style=STYLES[outcome]).append(", ")
        line.append(
            f"{counts['unexpected']} unexpected", style=UNEXPECTED if counts["unexpected"] else "bold green"
        )
        line.append(f"; {len(verdicts)} claims in {seconds:.1f} s")
        self.console.print(line)
        self.console.print(Text(_next(verdicts, counts, self.full)), soft_wrap=True)


def _next(verdicts: list, counts: dict, full: bool) -> str:
    if counts["unexpected"]:
        first = next(v for v in verdicts if not v.as_expected)
        return f"next: orca-exact explain {first.claim}"
    if counts["SKIPPED"]:
        first = next(v for v in verdicts if v.outcome == "SKIPPED")
        return f"skipped, first reason: {first.evidence}"
    if counts["FAILS"]:
        first = next(v for v in verdicts if v.outcome == "FAILS")
        return (
            "refuted claims are errors of the paper that the ledger records, each with a counterexample; "
            f"see for instance: orca-exact explain {first.claim}"
        )
    return "all as recorded" if full else "deeper: orca-exact verify --full"


class _Json(_Writer):
    def __init__(self, out: Output, chosen: list, full: bool):
        super().__init__(out, chosen, full)
        mode = "full" if full else "quick"
        self._line({"schema": "orca-exact/verdicts/1", "kind": "header", "version": __version__, "mode": mode,
                    "claims": len(chosen)})  # fmt: skip

    def _line(self, data: dict) -> None:
        self.out.print(json.dumps(data, ensure_ascii=False))

    def verdict(self, v: Any) -> None:
        self._line({"kind": "verdict"} | v.to_json())

    def end(self, verdicts: list, counts: dict, seconds: float, code: int) -> None:
        self._line({"kind": "footer", "counts": counts, "seconds": round(seconds, 3), "exit_code": code})


class _Markdown(_Writer):
    def __init__(self, out: Output, chosen: list, full: bool):
        super().__init__(out, chosen, full)
        out.print("| verdict | claim | place | statement | evidence |\n|---|---|---|---|---|")

    def verdict(self, v: Any) -> None:
        outcome = v.outcome if v.as_expected else f"**{v.outcome}** (expected {v.expected})"
        evidence = v.evidence + (f"; corrected: `{v.correction}`" if v.correction else "")
        cells = (outcome, f"`{v.claim}`", v.place, v.title, evidence)
        self.out.print("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")

    def end(self, verdicts: list, counts: dict, seconds: float, code: int) -> None:
        self.out.print("\n" + ", ".join(f"{n} {name}" for name, n in counts.items()) + f"; {seconds:.1f} s")


class _Junit(_Writer):
    def end(self, verdicts: list, counts: dict, seconds: float, code: int) -> None:
        from xml.etree.ElementTree import Element, SubElement, indent, tostring

        suite = Element("testsuite", name="orca-exact verify", tests=str(len(verdicts)),
                        failures=str(counts["unexpected"]), time=f"{seconds:.3f}")  # fmt: skip
        for v in verdicts:
            case = SubElement(suite, "testcase", classname=v.place, name=v.claim, time=f"{v.seconds:.3f}")
            if not v.as_expected:
                message = f"{v.outcome}, expected {v.expected}"
                SubElement(case, "failure", message=message).text = _printable(v.evidence)
            elif v.outcome in ("UNDECIDED", "SKIPPED"):  # never green
                SubElement(case, "skipped", message=_printable(v.evidence))
            else:
                SubElement(case, "system-out").text = _printable(f"{v.outcome}: {v.evidence}")
        indent(suite)
        self.out.print(tostring(suite, encoding="unicode"))


def _printable(text: str) -> str:
    return "".join(c for c in text if c.isprintable())
