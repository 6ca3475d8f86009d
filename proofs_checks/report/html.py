"""The report as one HTML file: everything inline, mathematics as MathML."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import Any
from urllib.parse import quote

from orca_exact import __version__
from orca_exact.errors import OrcaError, PackageMissing, printable
from orca_exact.files.outcomes import SYMBOLS
from orca_exact.files.web import REPORT_EXTRA, jinja_environment
from orca_exact.numbers.rationals import format_decimal
from orca_exact.profile.indices import UndecidedSummary

from ..experiments import tables
from ..experiments.machine_checked import machine_checked_cell
from ..experiments.order_study import published
from ..experiments.tables import CELL_MARKS, Cell
from ..ledger import stored_study
from ..ledger.claims import CELL, Claim, Verdict
from ..ledger.places import Source, printed_place
from ..ledger.summary import other_claims, summary
from ..ledger.verdict import WORDS
from ..letter import REMARKS, chapters, opening
from ..mathtext import to_html
from ..samples import definitions
from .content import Content, has_tables
from .drawing import CAPTIONS, inline_svg

SECTIONS = {
    "0": "Abstract",
    "1": "Introduction",
    "2": "Notation and the SVM/RKHS framework",
    "3": "Truncated orthogonal polynomial kernels",
    "3.1": "One-dimensional orthogonality",
    "3.2": "Tensor-product extension to vector inputs",
    "4": "Exact orthogonal expansion of the trained SVM",
    "5": "Orthogonal Representation Contribution Analysis (ORCA)",
    "6": "Experiments",
    "6.1": "Artificial two-dimensional data: double spiral",
    "6.2": "Real data: echocardiogram dataset",
    "7": "Conclusions and future work",
}
STOPS = (",", ";", ")", ".", ":")
BLANKS = "\u00a0\u202f"  # no-break spaces within numbers and names
DATASETS = {"spiral": "double spiral", "echocardiogram": "echocardiogram"}


@dataclass(frozen=True)
class Part:
    """A part of the page; its template has the name of its id."""

    id: str
    title: str
    shown: Callable[[Content], object] = bool  # whether the part has anything to show


PARTS = (  # in their order on the page and in its navigation
    Part("errors", "What was found"),
    Part("judged", "What was checked"),
    Part("tables", "Tables", lambda content: content.tables),
    Part("figures", "Figures", lambda content: content.figures),
    Part("study", "Shuffled labels", lambda content: has_tables(content.section)),
    Part("certificates", "Certificates", lambda content: content.results),
    Part("ledger", "All claims"),
    Part("made", "About this page"),
)


def require_packages() -> None:
    """Raise PackageMissing if a package of the extra ``report`` is not installed."""
    _environment()
    _converter()


def render(content: Content, copy: Source | None = None) -> str:
    """Return the page as text; with the reader's copy of the paper, its lines are quoted."""
    found, verdicts = summary(content.verdicts), {v.claim: v for _, v in content.verdicts}
    page = _environment().get_template("page.html").render(
        version=__version__,
        content=content,
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        parts=[part for part in PARTS if part.shown(content)],
        opening=opening(content.verdicts),
        chapters=chapters(content.verdicts, copy),
        remarks=REMARKS,
        found=found,
        counts=found.counts,
        total=len(verdicts),
        claims={c.id: c for c, _ in content.verdicts},
        verdicts=verdicts,
        copy=copy,
        cells=tables.count_verdicts(content.tables),
        sections=_sections(content.verdicts),
        also=other_claims,
        printed=printed_place,
        definitions=definitions,
        certificates=[_certificate(r) for r in content.results],
        drawings=[(figure.name, inline_svg(figure.name, figure.svg)) for figure in content.figures],
        spiral=any(cell.note for _, rows in content.tables for row in rows for cell in row),
        WORDS=WORDS,
        study=published(),
        asked=stored_study.asked(),
        meaning=stored_study.conclusion,
        remark=stored_study.remark(),
        planted=stored_study.PLANTED,
        MARKS=SYMBOLS | CELL_MARKS,
        DATASETS=DATASETS,
        CAPTIONS=CAPTIONS,
        RULE=tables.RULE,
    )  # fmt: skip
    return printable(page, "\n" + BLANKS)


# The ledger.


def _sections(verdicts: list[tuple[Claim, Verdict]]) -> list[dict]:
    """Return the sections with their entries; a family of claims is one entry."""
    found = []
    for number, members in groupby(verdicts, key=lambda pair: pair[0].section):
        entries: list[dict] = []
        for family, run in groupby(members, key=lambda pair: pair[0].group * (pair[0].subject == CELL)):
            inside = list(run)
            if family and len(inside) > 1:
                outcomes = Counter(v.outcome for _, v in inside)
                place = inside[0][0].place.split(", ", 1)[-1]
                entries.append({"family": family, "title": place, "claims": inside, "counts": outcomes})
            else:
                entries += [{"family": "", "claims": [pair]} for pair in inside]
        title = SECTIONS.get(number, "")
        size = sum(len(entry["claims"]) for entry in entries)
        found.append({"number": number, "title": title, "entries": entries, "size": size})
    return found


# Mathematics.


@lru_cache(maxsize=1)
def _converter() -> Any:
    try:
        from latex2mathml.converter import convert
    except ImportError:
        raise PackageMissing("latex2mathml", REPORT_EXTRA) from None
    return convert


@lru_cache(maxsize=1024)
def mathml(latex: str, display: str = "block") -> str:
    """Convert LaTeX to MathML; empty if the conversion fails or leaves a command unconverted."""
    try:
        found = _converter()(latex.replace(r"\arg\max", r"\operatorname{arg\,max}"), display=display)
    except OrcaError:
        raise
    except Exception:  # the converter has no exception class of its own; the page shows the LaTeX instead
        return ""
    return "" if "\\" in found else found


def prose(text: str) -> str:
    """Escape a text and set the formulas between dollars as MathML."""
    first, *rest = text.split("$")
    html = escape(first)
    for formula, words in zip(rest[::2], rest[1::2], strict=True):
        html += _keep_together(mathml(formula, "inline"), words, escape)
    return html


def link_claims(said: str, known: Container[str]) -> str:
    """Link the claims that a text names in parentheses."""
    return re.sub(
        r"\(([\w-]+[-/][\w/=-]+)\)",
        lambda m: f'(<a href="#{quote(m[1])}"><code>{m[1]}</code></a>)' if m[1] in known else m[0],
        said,
    )


def text_to_html(said: str, formula: tuple[str, str]) -> str:
    """Return plain text as HTML, with the formula in it as MathML."""
    text, latex = formula
    converted = mathml(latex, "inline") if latex and text in said else ""
    if not converted:
        return to_html(said)
    before, _, after = said.partition(text)
    return to_html(before) + _keep_together(converted, after, to_html)


def _keep_together(formula: str, after: str, show: Callable[[str], str]) -> str:
    """Return a formula and the words after it, with no line break before a punctuation mark."""
    stop = after[:1] if after[:1] in STOPS else ""
    return f'<span class="whole">{formula}{stop}</span>{show(after[len(stop) :])}'


# Tables and certificates.


def certified_text(cell: Cell) -> str:
    """Return the certified value: an integer, a decimal of 20 digits, or why it is not decided."""
    if isinstance(cell.value, int):
        return str(cell.value)
    return cell.value.why if isinstance(cell.value, UndecidedSummary) else format_decimal(cell.value, 20)


def machine_checked_text(cell: Cell) -> str:
    """Return what Rocq proved of the cell, or ""."""
    found = machine_checked_cell(cell.table, cell.n, cell.column)
    return f"; machine-checked: {found.theorem}" if found else ""


def _certificate(result: Any) -> dict:
    p, facts = result.problem, result.facts
    return {
        "data": DATASETS.get(p.id.partition("-")[0], printable(p.id)),
        "n": p.n,
        "pair": result.name.partition("= ")[2].partition("= ")[2],
        "C": str(p.C),
        "size": f"{p.m} × {p.d}",
        "modes": f"{p.modes:,}".replace(",", "\u202f"),
        "problem": p.sha256,
        "indices": [(label, format_decimal(x, 12)) for label, x in result.listed_values(p.d)],
    } | facts


# Jinja2.


@lru_cache(maxsize=1)
def _environment() -> Any:
    found = jinja_environment("proofs_checks", "report")
    from markupsafe import Markup

    filters: dict[str, Any] = {
        "mathml": lambda latex: Markup(mathml(latex)),
        "evidence": lambda v: Markup(text_to_html(v.evidence, v.formula)),
        "line": lambda line: Markup(text_to_html(line.text, line.formula)),
        "indices": lambda text: Markup(to_html(text)),
        "cited": lambda said, known: Markup(link_claims(said, known)),
        "prose": lambda text: Markup(prose(text)),
        "certified": certified_text,
        "machine_checked": machine_checked_text,
    }
    found.filters |= filters
    return found
