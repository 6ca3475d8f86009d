"""Verdicts as they come, in each format of ``verify``."""

from __future__ import annotations

from typing import Any

from orca_exact import __version__
from orca_exact.cli.terminal import STYLES, Output, pluralize
from orca_exact.errors import printable
from orca_exact.files.outcomes import HOLDS, MARKS, SKIPPED, UNDECIDED

from ..ledger.summary import Summary, also
from ..ledger.verdict import UNCOMPILED
from .counts import WORDS, apart, count_not_judged, count_words

UNEXPECTED = "bold white on red"

WIDEST, ROOM = 140, 60  # columns of text, and what a title needs beside its name
FOLD = 4  # so many claims of a family that hold, or are skipped, make one line


def writer(format: str, out: Output, chosen: list, verbose: bool) -> Writer:
    """The writer of a format."""
    if format == "text":
        return TextWriter(out, chosen, verbose)
    return {"json": JsonWriter, "markdown": MarkdownWriter, "junit": JunitWriter}[format](out, chosen)


class Writer:
    """``verdict`` for each in turn, then ``end``; ``left`` is why claims were not judged, and how many."""

    def __init__(self, out: Output, chosen: list):
        self.out, self.claims = out, {c.id: c for c in chosen}

    def verdict(self, v: Any) -> None:
        """One verdict, as soon as it is known."""
        pass

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        """The counts, and what they mean."""
        pass


class TextWriter(Writer):
    """Verdict, name, statement in columns; what does not hold has its evidence below."""

    def __init__(self, out: Output, chosen: list, verbose: bool = False):
        super().__init__(out, chosen)
        self.console, self.verbose, self.section = out.console, verbose, ""
        self.width = min(self.console.width, WIDEST)
        self.outcome = 3 + max([len(UNDECIDED), *(len(c.verdict(c.expect, "", 0.0).word) for c in chosen)])
        self.name = min(max((len(c.id) for c in chosen), default=0), max(20, self.width // 4))
        self.family = {c.id: c.group for c in chosen if c.group and c.id.startswith(c.group + "/")}
        self.held: list = []  # claims of one family that hold (or are skipped), until it ends

    def verdict(self, v: Any) -> None:
        family = self.family.get(v.claim, "")
        folds = family and v.outcome in (HOLDS, SKIPPED) and v.as_expected and not self.verbose
        last = self.held[-1] if self.held else v
        if family != self.family.get(last.claim, "") or (folds and v.word != last.word):
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
        c, notes = self.claims[v.claim], []
        if not v.as_expected:
            notes.append(f"UNEXPECTED, the ledger records {v.expected}")
        if v.outcome != HOLDS or not v.as_expected or self.verbose:
            notes += words_first(v)
        notes += readings(c)
        if v.correction:
            notes.append(f"corrected: {v.correction}")
        title = f"{v.title} ({v.general})" if v.general else v.title
        title += f" [{v.severity}]" if v.severity else ""
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
        head = Text().append(f"{MARKS[v.outcome]} {v.word}".ljust(self.outcome), style)
        head.append(f" {name}".ljust(self.name + 3), "cyan")
        column, body = self.outcome + self.name + 3, Text(title)
        left = column if self.width - column >= ROOM else self.outcome + 1
        if len(name) > self.name or (left < column and column + len(title) > self.width):
            self.console.print(head, soft_wrap=True)
            head = Text(" " * left)
        if aside and len(head) + len(title) + len(aside) + 4 <= self.width:
            body.append(f"  [{aside}]", "dim")
        lines = list(body.wrap(self.console, self.width - len(head)))
        for note in notes:
            lines += Text(note, "" if note == v.plain else "dim").wrap(self.console, self.width - left)
        for line in lines:
            line.rstrip()
            self.console.print(head + line, soft_wrap=True)
            head = Text(" " * left)

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        from rich.text import Text

        if self.held:
            self._release()
        line = Text(f"\n{pluralize(len(verdicts), 'claim')} in {seconds:.1f} s: ")
        for outcome, word in WORDS.items():
            if number := found.counts[outcome]:
                line.append(f"{MARKS[outcome]} {number} {word}", STYLES[outcome]).append(", ")
        unexpected = found.counts["unexpected"]
        line.append(f"{unexpected or 'none'} unexpected", UNEXPECTED if unexpected else "bold green")
        self.console.print(line)
        told = _next(verdicts, found, left)
        for sentence in (*apart(found), *(s for s in told if not (self.out.quiet and "orca-exact " in s))):
            self.console.print(Text(sentence))


def words_first(v: Any) -> list[str]:
    """The evidence as a sentence, and below it as a relation."""
    return [v.plain, v.evidence] if v.plain else [v.evidence]


def readings(c: Any) -> list[str]:
    """How the sentence is read here, and what the ledger records of it where it is read otherwise."""
    lines = [f"read here as: {c.reading}"] if c.reading else []
    for other in also(c):
        how = f"read as: {other.reading}" if other.reading else f"judged on: {other.scope}"
        lines.append(f"same sentence, {other.recorded().word} ({other.id}), {how}")
    return lines


def _next(verdicts: list, found: Summary, left: dict) -> list[str]:
    """What it means, and what to run next."""
    if found.counts["unexpected"]:
        wrong = [v for v in verdicts if not v.as_expected]
        names = ", ".join(f"{v.claim} ({v.outcome}, recorded {v.expected})" for v in wrong[:10])
        more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        return [
            f"not as recorded: {names}{more}",
            *count_not_judged(left),
            f"next: orca-exact explain '{wrong[0].claim}'",
        ]
    lines = []
    if found.errors:
        lines.append(
            "each error is recorded with a counterexample and a correction; the worst first: "
            f"orca-exact explain '{found.errors[0].first.id}'"
        )
    lines += count_not_judged(left)
    if found.extents[UNCOMPILED]:
        lines.append("machine-checked proofs are compiled by: orca-exact verify --formal (needs coqc)")
    return [*lines, "next: one page of everything: orca-exact report -o report.html"]


class JsonWriter(Writer):
    """JSON lines: header, verdicts, footer."""

    def __init__(self, out: Output, chosen: list):
        super().__init__(out, chosen)
        header = {"schema": "orca-exact/verdicts/1", "kind": "header", "version": __version__}
        out.json(header | {"claims": len(chosen)}, None)

    def verdict(self, v: Any) -> None:
        self.out.json({"kind": "verdict"} | v.to_json(), None)

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        reasons = [{"claims": number, "why": why} for why, number in left.items()]
        footer = {"kind": "footer", **found.to_json(), "not_judged": reasons, "seconds": round(seconds, 3)}
        self.out.json(footer | {"exit_code": code}, None)


class MarkdownWriter(Writer):
    """One table."""

    def __init__(self, out: Output, chosen: list):
        super().__init__(out, chosen)
        out.print("| verdict | claim | place | statement | evidence |\n|---|---|---|---|---|")

    def verdict(self, v: Any) -> None:
        c = self.claims[v.claim]
        outcome = v.word if v.as_expected else f"**{v.word}** (expected {v.expected})"
        outcome += f" ({v.severity})" if v.severity else ""
        corrected = [f"corrected: `{v.correction}`"] if v.correction else []
        evidence = "; ".join((*words_first(v), *readings(c), *corrected))
        cells = (outcome, f"`{v.claim}`", v.place, v.title, evidence)
        self.out.print("| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |")

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        self.out.print(f"\n{count_words(found)}; {seconds:.1f} s")
        for sentence in (*apart(found), *count_not_judged(left)):
            self.out.print(f"\n{sentence}")


class JunitWriter(Writer):
    """JUnit XML, at the end."""

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        from xml.etree.ElementTree import Element, SubElement, indent, tostring

        suite = Element("testsuite", name="orca-exact verify", tests=str(len(verdicts)),
                        failures=str(found.counts["unexpected"]), time=f"{seconds:.3f}")  # fmt: skip
        for v in verdicts:
            case = SubElement(suite, "testcase", classname=v.place, name=v.claim, time=f"{v.seconds:.3f}")
            if not v.as_expected:
                message = f"{v.outcome}, expected {v.expected}"
                SubElement(case, "failure", message=message).text = printable(v.evidence)
            elif v.outcome in (UNDECIDED, SKIPPED):  # never green
                SubElement(case, "skipped", message=printable(v.evidence))
            else:
                SubElement(case, "system-out").text = printable(f"{v.word}: {v.evidence}")
        indent(suite)
        self.out.print(tostring(suite, encoding="unicode"))
