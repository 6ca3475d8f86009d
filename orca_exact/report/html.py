"""The page: one file, everything inline, mathematics as MathML."""

from __future__ import annotations

import base64
import re
from collections import Counter
from datetime import UTC, datetime
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import Any

from .. import __version__
from ..errors import OrcaError, printable
from ..number import decimal
from ..outcomes import MARKS
from ..paper import tables
from ..paper.claims import CELL, Claim, Verdict
from ..paper.places import Source, printed
from ..paper.summary import also, summary
from ..paper.tables import Cell
from ..profile.indices import Open
from .content import Content, Figure

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
CAPTIONS = {
    "fig1": "Figure 1 of the paper, on our spiral: the Legendre classifier as n grows. Colour is g(x), the "
    "thick line g = 0, the thin lines g = ±1; circles are y = +1, triangles y = −1.",
    "fig2": "Figure 2 of the paper, on our spiral: n = 12 and twelve pairs (α, β), drawn as Figure 1.",
    "spectra-spiral": "The spectrum OKC_N over the total degree N, one row for each n; orange is N*, grey "
    "the spectrum if every mode but the constant carried the same c_k².",
    "spectra-echocardiogram": "The same spectra for the echocardiogram data.",
    "blocks-spiral": "The blocks OKC_N^(q): interaction order q against total degree N.",
    "blocks-echocardiogram": "The same blocks for the echocardiogram data, n = 10.",
    "pairs-echocardiogram": "Which variables carry the norm: OKC_i on the diagonal, OKC_ij below, in %.",
    "cumulative-spiral": "F(T) over T/(dn) with T_0.10, T_0.05 and T_0.01 marked; the dashed line is the "
    "count of modes.",
    "cumulative-echocardiogram": "The same for the echocardiogram data.",
}
GREEK = {"alpha": "α", "beta": "β", "delta": "δ", "eps": "ε", "kappa": "κ", "lambda": "λ", "mu": "μ",
         "pi": "π", "sigma": "σ", "theta": "θ", "Gamma": "Γ"}  # fmt: skip
BLANKS = "\u00a0\u202f"  # within numbers and names
DATASETS = {"spiral": "double spiral", "echocardiogram": "echocardiogram"}


def require() -> None:
    """One line that names the extra, before anything long is begun."""
    _environment()
    _converter()


def render(content: Content, copy: Source | None = None) -> str:
    """The whole page as text; with the reader's own copy of the paper, its lines beside the verdicts."""
    found, verdicts = summary(content.verdicts), {v.claim: v for _, v in content.verdicts}
    page = _environment().get_template("report.html").render(
        version=__version__,
        content=content,
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        found=found,
        counts=found.counts,
        total=len(verdicts),
        verdicts=verdicts,
        copy=copy,
        cells=tables.counts(content.tables),
        sections=_sections(content.verdicts),
        refuted=[(severity, list(own)) for severity, own in groupby(found.errors, lambda e: e.severity)]
        + [("wrong by another reading only", found.arguable)] * bool(found.arguable),
        also=also,
        printed=printed,
        CELL=CELL,
        titles={c.id: c.title for c, _ in content.verdicts},
        certificates=[_certificate(r) for r in content.results],
        spiral=any(cell.note for _, rows in content.tables for row in rows for cell in row),
        MARKS=MARKS,
        DATASETS=DATASETS,
        CAPTIONS=CAPTIONS,
        RULE=tables.__doc__.split("\n\n")[1].replace("\n", " ") if tables.__doc__ else "",
    )  # fmt: skip
    return printable(page, "\n" + BLANKS)


# The ledger.


def _sections(verdicts: list[tuple[Claim, Verdict]]) -> list[dict]:
    """Section by section: single claims, and families of claims folded into one entry."""
    found = []
    for number, members in groupby(verdicts, key=lambda pair: pair[0].section):
        entries: list[dict] = []
        for family, run in groupby(members, key=lambda pair: pair[0].group * (pair[0].subject == CELL)):
            inside = list(run)
            if family and len(inside) > 1:
                number_of = Counter(v.outcome for _, v in inside)
                place = inside[0][0].place.split(", ", 1)[-1]
                entries.append({"family": family, "title": place, "claims": inside, "counts": number_of})
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
        raise _missing("latex2mathml") from None
    return convert


@lru_cache(maxsize=1024)
def mathml(latex: str, display: str = "block") -> str:
    """MathML, or nothing where the conversion fails or leaves a command behind."""
    try:
        found = _converter()(latex.replace(r"\arg\max", r"\operatorname{arg\,max}"), display=display)
    except OrcaError:
        raise
    except Exception:  # whatever a converter makes of a formula, the words remain
        return ""
    return "" if "\\" in found else found


def indices(text: str) -> str:
    """Plain text set as mathematics: 'OKC^(2)', 'T_eps <= 5', 'pi_{n+1}', 'c_k^2', 'N*'."""
    text = re.sub(rf"(?<![A-Za-z-])(?:{'|'.join(GREEK)})(?![A-Za-z-])", lambda m: GREEK[m[0]], text)
    text = escape(text.replace("<=", "≤").replace(">=", "≥").replace("!=", "≠"))
    text = re.sub(
        r"\b(OKC|[^\W\d_])_(?:\{([^{}]*)\}|(\([^()]*\)|\d+\.\d+|\w+))",
        lambda m: f"{m[1]}<sub>{m[2] or m[3]}</sub>",
        text,
    )
    text = re.sub(r"(?<=[\w>|)])\^(\([^()]*\)|-?\w+)", r"<sup>\1</sup>", text)
    return re.sub(r"\bN\*", "N<sup>*</sup>", text)


def evidence(v: Verdict) -> str:
    """The evidence, its relation set."""
    text, latex = v.formula
    formula = mathml(latex, "inline") if latex and text in v.evidence else ""
    if not formula:
        return indices(v.evidence)
    before, _, after = v.evidence.partition(text)
    stop = after[:1] if after[:1] in (",", ";", ")") else ""  # on the same line
    return f'{indices(before)}<span class="whole">{formula}{stop}</span>{indices(after[len(stop) :])}'


# Tables, certificates, figures.


def certified_text(cell: Cell) -> str:
    """The certified value in words: an integer, a decimal of 20 digits, or what is left open."""
    if isinstance(cell.value, int):
        return str(cell.value)
    return cell.value.why if isinstance(cell.value, Open) else decimal(cell.value, 20)


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
        "indices": [(label, decimal(x, 12)) for label, x in result.labelled(p.d)],
    } | facts


def data_uri(figure: Figure) -> str:
    """A drawing as part of the page."""
    return f"data:{figure.mime};base64,{base64.b64encode(figure.data).decode()}"


# Jinja2.


def _missing(package: str) -> OrcaError:
    return OrcaError(f"{package} is not installed; pip install 'orca-exact[report]'")


@lru_cache(maxsize=1)
def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise _missing("Jinja2") from None
    from markupsafe import Markup

    found = Environment(
        loader=PackageLoader("orca_exact", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = {
        "mathml": lambda latex: Markup(mathml(latex)),
        "evidence": lambda v: Markup(evidence(v)),
        "indices": lambda text: Markup(indices(text)),
        "bare": lambda title: title.removeprefix("as printed: ").removeprefix("corrected: "),
        "data_uri": data_uri,
        "certified": certified_text,
    }
    found.filters |= filters
    return found
