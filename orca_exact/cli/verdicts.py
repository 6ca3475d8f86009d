"""Verdicts as they come, in each format of ``verify``."""

from __future__ import annotations

from typing import Any

from .. import __version__
from ..errors import printable
from ..outcomes import FAILS, HOLDS, MARKS, SKIPPED, UNDECIDED
from ..paper.formal import NOT_CHECKED
from .terminal import STYLES, UNEXPECTED, WORDS, Output, not_judged

WIDEST, ROOM = 140, 60  # columns of text, and what a title needs beside its name
FOLD = 4  # so many claims of a family that hold, or are skipped, make one line


def writer(format: str, out: Output, chosen: list, full: bool, verbose: bool) -> Writer:
    """The writer of a format."""
    if format == "text":
        return TextWriter(out, chosen, full, verbose)
    return {"json": JsonWriter, "markdown": MarkdownWriter, "junit": JunitWriter}[format](out, chosen, full)


class Writer:
    """``verdict`` for each in turn, then ``end``; ``left`` is why claims were not judged, and how many."""

    def __init__(self, out: Output, chosen: list, full: bool):
        self.out, self.chosen, self.full = out, chosen, full

    def verdict(self, v: Any) -> None:
        """One verdict, as soon as it is known."""
        pass

    def end(self, verdicts: list, counts: dict, left: dict, seconds: float, code: int) -> None:
        """The counts, and what they mean."""
        pass


class TextWriter(Writer):
    """Verdict, name, statement in columns; what does not hold has its evidence below."""

    def __init__(self, out: Output, chosen: list, full: bool, verbose: bool = False):
        super().__init__(out, chosen, full)
        self.console, self.verbose, self.section = out.console, verbose, ""
        self.width = min(self.console.width, WIDEST)
        self.name = min(max(len(c.id) for c in chosen), max(20, self.width // 4))
        self.family = {c.id: c.group for c in chosen if c.group and c.id.startswith(c.group + "/")}
        self.held: list = []  # claims of one family that hold (or are skipped), until it ends

    def verdict(self, v: Any) -> None:
        family = self.family.get(v.claim, "")
        folds = family and v.outcome in (HOLDS, SKIPPED) and v.as_expected and not self.verbose
        last = self.held[-1] if self.held else v
        if family != self.family.get(last.claim, "") or (folds and v.outcome != last.outcome):
            self._release()
        if folds:
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
        if v.outcome != HOLDS or not v.as_expected or self.verbose:
            notes.append(v.evidence)
        if v.correction:
            notes.append(f"corrected: {v.correction}")
        title = f"{v.title} ({v.general})" if v.general else v.title
        self._line(v, v.claim, title, "" if notes else v.evidence, *notes)

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

    def end(self, verdicts: list, counts: dict, left: dict, seconds: float, code: int) -> None:
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
        for sentence in _next(verdicts, counts, left, self.full):
            self.console.print(Text(sentence))


def _next(verdicts: list, counts: dict, left: dict, full: bool) -> list[str]:
    """What it means, and what to run next."""
    if counts["unexpected"]:
        wrong = [v for v in verdicts if not v.as_expected]
        names = ", ".join(f"{v.claim} ({v.outcome}, recorded {v.expected})" for v in wrong[:10])
        more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        return [
            f"not as recorded: {names}{more}",
            *not_judged(left),
            f"next: orca-exact explain '{wrong[0].claim}'",
        ]
    lines = []
    if counts[FAILS]:
        first = next(v for v in verdicts if v.outcome == FAILS)
        lines.append(
            "refuted as the ledger records, each with a counterexample; "
            f"for instance: orca-exact explain '{first.claim}'"
        )
    lines += not_judged(left)
    if unchecked := sum(v.general == NOT_CHECKED for v in verdicts):
        lines.append(
            f"for all: {unchecked} general statements have machine-checked proofs, not compiled here; "
            "orca-exact verify --formal does it (needs coqc)"
        )
    deeper = "" if full else "deeper: orca-exact verify --full; "
    lines.append(f"next: {deeper}one page of everything: orca-exact report -o report.html")
    return lines


class JsonWriter(Writer):
    """JSON lines: header, verdicts, footer."""

    def __init__(self, out: Output, chosen: list, full: bool):
        super().__init__(out, chosen, full)
        mode = "full" if full else "quick"
        header = {"schema": "orca-exact/verdicts/1", "kind": "header", "version": __version__, "mode": mode}
        out.json(header | {"claims": len(chosen)}, None)

    def verdict(self, v: Any) -> None:
        self.out.json({"kind": "verdict"} | v.to_json(), None)

    def end(self, verdicts: list, counts: dict, left: dict, seconds: float, code: int) -> None:
        reasons = [{"claims": number, "why": why} for why, number in left.items()]
        footer = {"kind": "footer", "counts": counts, "not_judged": reasons, "seconds": round(seconds, 3)}
        self.out.json(footer | {"exit_code": code}, None)


class MarkdownWriter(Writer):
    """One table."""

    def __init__(self, out: Output, chosen: list, full: bool):
        super().__init__(out, chosen, full)
        out.print("| verdict | claim | place | statement | evidence |\n|---|---|---|---|---|")

    def verdict(self, v: Any) -> None:
        outcome = v.outcome if v.as_expected else f"**{v.outcome}** (expected {v.expected})"
        evidence = v.evidence + (f"; corrected: `{v.correction}`" if v.correction else "")
        cells = (outcome, f"`{v.claim}`", v.place, v.title, evidence)
        self.out.print("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")

    def end(self, verdicts: list, counts: dict, left: dict, seconds: float, code: int) -> None:
        self.out.print("\n" + ", ".join(f"{n} {name}" for name, n in counts.items()) + f"; {seconds:.1f} s")
        for sentence in not_judged(left):
            self.out.print(f"\n{sentence}")


class JunitWriter(Writer):
    """JUnit XML, at the end."""

    def end(self, verdicts: list, counts: dict, left: dict, seconds: float, code: int) -> None:
        from xml.etree.ElementTree import Element, SubElement, indent, tostring

        suite = Element("testsuite", name="orca-exact verify", tests=str(len(verdicts)),
                        failures=str(counts["unexpected"]), time=f"{seconds:.3f}")  # fmt: skip
        for v in verdicts:
            case = SubElement(suite, "testcase", classname=v.place, name=v.claim, time=f"{v.seconds:.3f}")
            if not v.as_expected:
                message = f"{v.outcome}, expected {v.expected}"
                SubElement(case, "failure", message=message).text = printable(v.evidence)
            elif v.outcome in (UNDECIDED, SKIPPED):  # never green
                SubElement(case, "skipped", message=printable(v.evidence))
            else:
                SubElement(case, "system-out").text = printable(f"{v.outcome}: {v.evidence}")
        indent(suite)
        self.out.print(tostring(suite, encoding="unicode"))
