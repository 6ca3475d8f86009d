"""``verify``: run the ledger of the paper's claims and print verdicts with evidence."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from ... import __version__
from ...errors import BadParameter
from .. import Output, add_format

HELP = "check every claim of the paper and print verdicts with evidence"
STYLES = {"HOLDS": "green", "FAILS": "red", "UNDECIDED": "yellow", "SKIPPED": "dim"}
MARKS = {"HOLDS": "✓", "FAILS": "✗", "UNDECIDED": "?", "SKIPPED": "–"}
WORDS = {
    "HOLDS": "proved in their scope",
    "FAILS": "refuted",
    "UNDECIDED": "undecided",
    "SKIPPED": "skipped",
}
WIDEST, ROOM = 140, 60  # columns of text, and what a title needs beside its name
FOLD = 4  # so many claims of a family that hold make one line
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
    parser.add_argument("-v", "--verbose", action="store_true", help="every claim, with all its evidence")
    parser.add_argument("--list", action="store_true", help="list the claims, run nothing")
    parser.add_argument("--coverage", action="store_true", help="which claims judge which item of the paper")
    add_format(parser, "junit")


def run(args: argparse.Namespace, out: Output) -> int:
    from ...paper import claims as ledger

    if args.jobs < 1:
        raise BadParameter("--jobs", args.jobs, "is not positive", "try -j 2")
    if args.coverage:
        return _coverage(out, args.format)
    chosen = ledger.claims(args.claims, args.section)
    if args.list:
        return _list(out, chosen, args.format)
    if args.format == "text":
        write: _Writer = _Text(out, chosen, args.full, args.verbose)
    else:
        write = {"json": _Json, "markdown": _Markdown, "junit": _Junit}[args.format](out, chosen, args.full)
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
    from ...paper.claims import coverage

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
    """Verdict, name, statement in columns; what does not hold has its evidence below."""

    def __init__(self, out: Output, chosen: list, full: bool, verbose: bool = False):
        super().__init__(out, chosen, full)
        self.console, self.verbose, self.section = out.console, verbose, ""
        self.width = min(self.console.width, WIDEST)
        self.name = min(max(len(c.id) for c in chosen), max(20, self.width // 4))
        self.family = {c.id: c.group for c in chosen if c.group and c.id.startswith(c.group + "/")}
        self.held: list = []  # claims of one family that hold, until it ends

    def verdict(self, v: Any) -> None:
        family = self.family.get(v.claim, "")
        if self.held and family != self.family[self.held[-1].claim]:
            self._release()
        if family and v.outcome == "HOLDS" and v.as_expected and not self.verbose:
            self.held.append(v)
        else:
            self._show(v)

    def _release(self) -> None:
        held, self.held = self.held, []
        if len(held) < FOLD:
            for v in held:
                self._show(v)
            return
        first = held[0]
        place = first.place.partition(", ")[2]
        self._heading(first)
        self._line(first, f"{self.family[first.claim]}/*", f"{place}: {len(held)} claims", "")

    def _show(self, v: Any) -> None:
        self._heading(v)
        notes = []
        if not v.as_expected:
            notes.append(f"UNEXPECTED, the ledger records {v.expected}")
        if v.outcome != "HOLDS" or not v.as_expected or self.verbose:
            notes.append(v.evidence)
        if v.correction:
            notes.append(f"corrected: {v.correction}")
        self._line(v, v.claim, v.title, "" if notes else v.evidence, *notes)

    def _heading(self, v: Any) -> None:
        from rich.text import Text

        section = v.place.split(",")[0]
        if section != self.section:
            self.section = section
            self.console.print(Text(f"\n{section[0].upper()}{section[1:]}", style="bold"))

    def _line(self, v: Any, name: str, title: str, aside: str, *notes: str) -> None:
        """In columns where they leave room; else the title and notes below, as wide as the terminal."""
        from rich.text import Text

        style = STYLES[v.outcome] if v.as_expected else UNEXPECTED
        head = Text().append(f"{MARKS[v.outcome]} {v.outcome}".ljust(12), style)
        head.append(f" {name}".ljust(self.name + 3), "cyan")
        column, body = self.name + 15, Text(title)
        left = column if self.width - column >= ROOM else 13
        if len(name) > self.name or (left < column and column + len(title) > self.width):
            self.console.print(head, soft_wrap=True)
            head = Text(" " * left)
        if aside and len(head) + len(title) + len(aside) + 4 <= self.width:
            body.append(f"  [{aside}]", "dim")
        lines = list(body.wrap(self.console, self.width - len(head)))
        for note in notes:
            lines += Text(note, "dim").wrap(self.console, self.width - left)
        for line in lines:
            line.rstrip()
            self.console.print(head + line, soft_wrap=True)
            head = Text(" " * left)

    def end(self, verdicts: list, counts: dict, seconds: float, code: int) -> None:
        from rich.text import Text

        if self.held:
            self._release()
        line = Text(f"\n{len(verdicts)} claims in {seconds:.1f} s: ")
        for outcome, word in WORDS.items():
            if counts[outcome]:
                line.append(f"{MARKS[outcome]} {counts[outcome]} {word}", STYLES[outcome]).append(", ")
        unexpected = counts["unexpected"]
        line.append(f"{unexpected or 'none'} unexpected", UNEXPECTED if unexpected else "bold green")
        self.console.print(line)
        for sentence in _next(verdicts, counts, self.full):
            self.console.print(Text(sentence))


def words(counts: dict) -> str:
    """The counts of a run as a sentence."""
    parts = [f"{counts[outcome]} {word}" for outcome, word in WORDS.items() if counts[outcome]]
    total = sum(counts[outcome] for outcome in WORDS)
    return f"{total} claims: {', '.join(parts)}, {counts['unexpected'] or 'none'} unexpected"


def _next(verdicts: list, counts: dict, full: bool) -> list[str]:
    """What it means, and what to run next."""
    if counts["unexpected"]:
        wrong = [v for v in verdicts if not v.as_expected]
        names = ", ".join(f"{v.claim} ({v.outcome}, recorded {v.expected})" for v in wrong[:10])
        more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        return [f"not as recorded: {names}{more}", f"next: orca-exact explain '{wrong[0].claim}'"]
    lines = []
    if counts["FAILS"]:
        first = next(v for v in verdicts if v.outcome == "FAILS")
        lines.append(
            "refuted as the ledger records, each with a counterexample; "
            f"for instance: orca-exact explain '{first.claim}'"
        )
    if counts["SKIPPED"]:
        reasons = dict.fromkeys(v.evidence for v in verdicts if v.outcome == "SKIPPED")
        lines.append(f"skipped: {next(iter(reasons))}")
    deeper = "" if full else "deeper: orca-exact verify --full; "
    lines.append(f"next: {deeper}one page of everything: orca-exact report -o report.html")
    return lines


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
