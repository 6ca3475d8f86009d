"""Writers of verdicts, one for each format of ``verify``."""

from __future__ import annotations

from typing import Any

from orca_exact import __version__
from orca_exact.cli.page import Page
from orca_exact.cli.terminal import STYLES, Output
from orca_exact.errors import pluralize, printable
from orca_exact.files.escaping import for_markdown, markdown_code
from orca_exact.files.outcomes import HOLDS, SKIPPED, SYMBOLS, UNDECIDED

from ..ledger.errata import errata
from ..ledger.headline import formal_line, headline
from ..ledger.stored_study import short_remark
from ..ledger.summary import Summary, other_claims
from ..ledger.verdict import UNCOMPILED
from .counts import count_not_judged, summary_table

UNEXPECTED = "bold white on red"
WIDEST, ROOM = 140, 60  # most columns of text, and the columns that a title needs beside its name
FOLD = 4  # this many claims of a family that hold, or are skipped, are shown as one line


def writer(format: str, out: Output, chosen: list, verbose: bool, short: bool = False) -> Writer:
    """Return the writer of a format; ``short`` is for text that fits on a screen."""
    if format == "text":
        return ScreenWriter(out, chosen) if short else TextWriter(out, chosen, verbose)
    return {"json": JsonWriter, "markdown": MarkdownWriter, "junit": JunitWriter}[format](out, chosen)


class Writer:
    """Base class: ``verdict`` is called for each verdict in turn, then ``end`` once."""

    def __init__(self, out: Output, chosen: list):
        self.out, self.claims = out, {c.id: c for c in chosen}

    def verdict(self, v: Any) -> None:
        """Write one verdict as soon as it is known."""

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        """Write the summary; ``left`` is the number of claims that were not judged, by reason."""


class TextWriter(Writer):
    """Text for a terminal: outcome, name and statement in columns, with evidence unless a claim holds."""

    def __init__(self, out: Output, chosen: list, verbose: bool = False):
        super().__init__(out, chosen)
        self.console, self.verbose, self.section = out.console, verbose, ""
        self.width = min(self.console.width, WIDEST)
        self.outcome = 3 + max([len(UNDECIDED), *(len(c.verdict(c.expect, "", 0.0).word) for c in chosen)])
        self.name = min(max((len(c.id) for c in chosen), default=0), max(20, self.width // 4))
        self.family = {c.id: c.group for c in chosen if c.group and c.id.startswith(c.group + "/")}
        self.held: list = []  # verdicts of the present family that may be shown as one line

    def verdict(self, v: Any) -> None:
        family = self.family.get(v.claim, "")
        folds = family and v.outcome in (HOLDS, SKIPPED) and v.as_expected and not self.verbose
        last = self.held[-1] if self.held else v
        if family != self.family.get(last.claim, "") or (folds and v.word != last.word):
            self._show_held()
        if folds:
            self.held.append(v)
        else:
            self._show(v)

    def _show_held(self) -> None:
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
            notes.append(f"UNEXPECTED: the recorded outcome is {v.expected}")
        if v.outcome != HOLDS or not v.as_expected or self.verbose:
            notes += evidence_lines(v)
        notes += readings(c)
        if v.correction:
            notes.append(f"correction: {v.correction}")
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
        """Print a verdict in columns if they fit, else with the title and notes below the name."""
        from rich.text import Text

        style = STYLES[v.outcome] if v.as_expected else UNEXPECTED
        head = Text().append(f"{SYMBOLS[v.outcome]} {v.word}".ljust(self.outcome), style)
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
        if self.held:
            self._show_held()
        self.console.print()
        closing_page(verdicts, found, left, seconds).show(self.out, "text")


class ScreenWriter(Writer):
    """Text for one screen: the headline, then one line for each error and for each section."""

    def __init__(self, out: Output, chosen: list):
        super().__init__(out, chosen)
        self.pairs: list = []

    def verdict(self, v: Any) -> None:
        self.pairs.append((self.claims[v.claim], v))

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        from rich.padding import Padding
        from rich.text import Text

        console = self.out.console
        whole = headline(self.pairs)
        for part in (*whole.paragraphs(), short_remark()):
            console.print(part.title, style="bold", highlight=False)
            console.print(part.text, highlight=False, markup=False)
            for number, member in enumerate(part.members, 1):
                console.print(Padding(Text(f"{number}. {member}"), (0, 0, 0, 2)), highlight=False)
            console.print()
        console.print(f"{formal_line()}\n", highlight=False, markup=False)
        console.print("Errors of the paper, by consequence:", style="bold", highlight=False)
        width = min(console.width, WIDEST)
        for e in errata(found):
            if not e.slip:
                text = f"✗ {e.severity:<17}  {e.claim.id}: {e.short}"
                short = text if len(text) <= width else f"{text[: width - 1]}…"
                console.print(short, highlight=False, markup=False)
        console.print(
            f"{pluralize(len(found.slips), 'slip')} of print and grammar: orca-exact errors", highlight=False
        )
        console.print("\nStatements and displays by section:", style="bold")
        for section, said in whole.by_section():
            console.print(f"{'abstract' if section == '0' else section:<8}  {said}", highlight=False)
        console.print()
        page = closing_page(verdicts, found, left, seconds)
        shown = Page(page.title, [], [], page.tail[1:], "All verdicts: orca-exact verify --all\n" + page.hint)
        shown.show(self.out, "text")


def evidence_lines(v: Any) -> list[str]:
    """Return the claim in words, if it has any, then its evidence."""
    return [v.plain, v.evidence] if v.plain else [v.evidence]


def readings(c: Any) -> list[str]:
    """Return the reading of the claim, and the recorded outcomes of other claims about its sentence."""
    lines = [f"reading: {c.reading}"] if c.reading else []
    for other in other_claims(c):
        lines.append(f"same sentence, {other.recorded().word} ({other.id}), {difference(other)}")
    return lines


def difference(other: Any) -> str:
    """Return how another claim about the same sentence differs: by its reading, or by its data."""
    return f"reading: {other.reading}" if other.reading else f"checked on: {other.scope}"


def closing_page(verdicts: list, found: Summary, left: dict, seconds: float) -> Page:
    """Return the page that ends a run: the summary table, what is unexpected, and what to run next."""
    tail, hints = [], []
    if any(row.sentences is not None for row in found.rows):
        tail.append("Several claims can be about one sentence of the paper; errors are counted by sentence.")
    wrong = [v for v in verdicts if not v.as_expected]
    if wrong:
        names = ", ".join(f"{v.claim} ({v.outcome}, recorded {v.expected})" for v in wrong[:10])
        more = f" and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        tail.append(f"{pluralize(len(wrong), 'verdict')} not as recorded: {names}{more}")
    else:
        tail.append("Every verdict is as recorded.")
    if found.stored:
        claims = pluralize(found.stored, "claim")
        tail.append(f"{claims} judged from stored certified values, because the data are missing.")
    tail += count_not_judged(left)
    if wrong:
        hints.append(f"Next: orca-exact claim '{wrong[0].claim}'")
    else:
        if found.errors:
            hints.append(f"The error with most consequence: orca-exact claim '{found.errors[0].first.id}'")
        if found.extents[UNCOMPILED]:
            hints.append("To compile the machine-checked proofs (needs coqc): orca-exact verify --formal")
        hints.append("All results on one page: orca-exact report -o report.html")
    title = f"Summary: {pluralize(len(verdicts), 'claim')} in {seconds:.1f} s"
    return Page(title, [], [summary_table(found)] if verdicts else [], tail, "\n".join(hints))


class JsonWriter(Writer):
    """JSON lines: a header, the verdicts, a footer."""

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
    """A Markdown table of verdicts, then the summary."""

    def __init__(self, out: Output, chosen: list):
        super().__init__(out, chosen)
        out.print("| verdict | claim | place | statement | evidence |\n|---|---|---|---|---|")

    def verdict(self, v: Any) -> None:
        c = self.claims[v.claim]
        outcome = v.word if v.as_expected else f"**{v.word}** (recorded {v.expected})"
        outcome += f" ({v.severity})" if v.severity else ""
        correction = [f"correction: {markdown_code(v.correction)}"] if v.correction else []
        evidence = "; ".join((*map(for_markdown, (*evidence_lines(v), *readings(c))), *correction))
        cells = (outcome, markdown_code(v.claim), for_markdown(v.place), for_markdown(v.title), evidence)
        self.out.print(f"| {' | '.join(cells)} |")

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        self.out.print()
        closing_page(verdicts, found, left, seconds).show(self.out, "markdown")


class JunitWriter(Writer):
    """JUnit XML, written at the end."""

    def end(self, verdicts: list, found: Summary, left: dict, seconds: float, code: int) -> None:
        from xml.etree.ElementTree import Element, SubElement, indent, tostring

        suite = Element("testsuite", name="orca-exact verify", tests=str(len(verdicts)),
                        failures=str(found.counts["unexpected"]), time=f"{seconds:.3f}")  # fmt: skip
        for v in verdicts:
            case = SubElement(suite, "testcase", classname=v.place, name=v.claim, time=f"{v.seconds:.3f}")
            if not v.as_expected:
                message = f"{v.outcome}, recorded {v.expected}"
                SubElement(case, "failure", message=message).text = printable(v.evidence)
            elif v.outcome in (UNDECIDED, SKIPPED):  # not counted as passed
                SubElement(case, "skipped", message=printable(v.evidence))
            else:
                SubElement(case, "system-out").text = printable(f"{v.word}: {v.evidence}")
        indent(suite)
        self.out.print(tostring(suite, encoding="unicode"))
