"""The compliance page of ``crosscheck --html``, and the badge: groups of vectors against implementations.

Both are self-contained and have no date, so that the same results give the same bytes.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import pluralize, printable, shorten
from ..files.escaping import for_html
from ..files.outcomes import FAILS, HOLDS, SYMBOLS, UNDECIDED
from ..files.web import jinja_environment
from ..numbers.rationals import format_digits_down

if TYPE_CHECKING:
    from ..conformance.comparison import Comparison
    from ..conformance.crosscheck import Report

LABEL = "ORCA conformance"
MAX_FAILURES = 3  # failed problems of a group that are described
_BADGE_COLOURS = {HOLDS: "#146c2e", FAILS: "#b3261e", UNDECIDED: "#7a4f01"}
_SOLVER = ("the optim", "its constraints")  # sources of comparisons that depend on the solver
_CHARACTER = 6.6  # width of a character in a badge, in pixels; textLength makes the text fit


@dataclass(frozen=True)
class Implementation:
    """A program with its reports, one for each problem; ``made_by`` is what it states about itself."""

    name: str
    reports: Sequence[Report]
    made_by: str = ""

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of problems by outcome."""
        return Counter(report.outcome for report in self.reports)

    @property
    def outcome(self) -> str:
        """Worst outcome of its problems."""
        return worst_outcome(self.reports)

    @cached_property
    def indices(self) -> tuple[int, int]:
        """How many indices were compared, and how many the problems have."""
        compared, expected = zip(*(report.indices for report in self.reports), strict=True)
        return sum(compared), sum(expected)

    @cached_property
    def restriction(self) -> str:
        """A phrase that names what was compared if it is less than all indices; else empty."""
        compared, expected = self.indices
        if compared:
            return "" if compared == expected else "some indices only"
        given = list(dict.fromkeys(name for report in self.reports for name in report.given))
        return f"{join_and(given)} only" if given else "nothing compared"

    @property
    def described_indices(self) -> str:
        """How many indices were compared, as a phrase."""
        compared, expected = self.indices
        found = f"{compared:,} of {expected:,} indices compared"
        return f"{found} ({self.restriction})" if self.restriction else found

    @cached_property
    def failed(self) -> list[Report]:
        """Reports that do not hold."""
        return [report for report in self.reports if report.outcome != HOLDS]

    @cached_property
    def wrong(self) -> set[tuple[str, str]]:
        """Quantities with too few digits, and what they are compared with."""
        return {(line.quantity, line.source) for report in self.reports for line in report.failed}

    @cached_property
    def stages(self) -> list[tuple[str, int]]:
        """Stages at fault, with the number of problems."""
        return Counter(report.stage for report in self.failed if report.stage).most_common()

    @cached_property
    def bugs(self) -> list[tuple[Any, int]]:
        """Known bugs that explain failures, with the number of problems."""
        from ..conformance.bugs import rank_bugs

        return list(rank_bugs(report.bugs for report in self.failed))[:3]


@dataclass(frozen=True)
class Scope:
    """A comparison: the groups with the positions of their problems, the rule and the restrictions."""

    groups: Mapping[str, Sequence[int]]
    rule: str
    source: str  # the problems: the conformance vectors with their digest, or a file
    restrictions: Sequence[str] = ()  # why this is less than full conformance


def join_and(words: Sequence[str]) -> str:
    """Join words: 'alpha', 'alpha and b', 'alpha, b and gram'."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def worst_outcome(reports: Sequence[Report]) -> str:
    """Return FAILS, UNDECIDED or HOLDS; no report at all is UNDECIDED."""
    outcomes = {report.outcome for report in reports}
    return FAILS if FAILS in outcomes else UNDECIDED if UNDECIDED in outcomes or not reports else HOLDS


def digits_table(
    reports: Sequence[Report], name: Callable[[Comparison], str] = lambda line: line.quantity
) -> dict[tuple[str, str], tuple[int, float, float, float]]:
    """Return comparisons, fewest digits, median and median of attainable digits by quantity and source.

    ``name`` returns the quantity under which a comparison is counted.
    """
    rows: dict[tuple[str, str], list[Comparison]] = {}
    for line in (line for report in reports for line in report.lines):
        if line.has_digits and line.attainable != float("inf"):
            rows.setdefault((name(line), line.source), []).append(line)
    return {
        key: (len(lines), min(x.digits for x in lines), median(x.digits for x in lines),
              median(x.attainable for x in lines))
        for key, lines in rows.items()
    }  # fmt: skip


def format_digits(x: float) -> str:
    """Return a number of correct digits, rounded down; 20 or more are all."""
    return "all" if x >= 20 else "none" if x < 0.1 else format_digits_down(x)


def describe_maker(made_by: Any) -> str:
    """Return the field ``made_by`` of a result as one line.

    >>> describe_maker({"program": "orca.jl", "version": "1.2", "solver": {"name": "x"}})
    'orca.jl, version 1.2'
    """
    if not isinstance(made_by, dict):
        return ""
    facts = {key: x for key, x in made_by.items() if isinstance(x, str | int | float)}
    return shorten(printable(", ".join(str(x) if k == "program" else f"{k} {x}" for k, x in facts.items())))


def badge(implementation: Implementation, scope: Scope) -> str:
    """Return a badge as SVG: how many of the problems hold.

    The label says so if it is less than full conformance: not every vector, another rule, or a program that
    does not compute every index. If no index was compared, it is not green.
    """
    restricted = ["restricted"] * bool(scope.restrictions) + [implementation.restriction]
    left = f"{LABEL} ({'; '.join(filter(None, restricted))})".removesuffix(" ()")
    compared, expected = implementation.indices
    right = f"{implementation.counts[HOLDS]}/{len(implementation.reports)}"
    right += f", {compared:,}/{expected:,} indices"
    outcome = implementation.outcome if compared or implementation.outcome == FAILS else UNDECIDED
    title = for_html(f"{left}: {right} ({implementation.name})")
    a, b = (round(len(text) * _CHARACTER) + 12 for text in (left, right))
    texts = "".join(
        f'<text x="{x + width / 2:g}" y="14" textLength="{width - 12}">{for_html(text)}</text>'
        for text, x, width in ((left, 0, a), (right, a, b))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{a + b}" height="20" viewBox="0 0 {a + b} 20" '
        f'role="img" aria-label="{title}"><title>{title}</title>'
        f'<path fill="#454c54" d="M3 0h{a - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>'
        f'<path fill="{_BADGE_COLOURS[outcome]}" '
        f'd="M{a} 0h{b - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H{a}z"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" '
        f'font-size="11">{texts}</g></svg>\n'
    )


def require_page() -> None:
    """Raise PackageMissing if the page cannot be rendered."""
    jinja_environment()


def compliance_page(implementations: Sequence[Implementation], scope: Scope) -> str:
    """Return the page as HTML."""
    from markupsafe import Markup

    tables = [digits_table(x.reports) for x in implementations]
    wrong = [x.wrong for x in implementations]
    keys = list(dict.fromkeys(key for table in tables for key in table))
    page = jinja_environment().from_string(_TEMPLATE).render(
        version=__version__,
        scope=scope,
        style=Markup(_STYLE),
        programs=implementations,
        badges=[Markup(badge(x, scope).strip()) for x in implementations],
        rows=[
            (name, len(at), [_cell([x.reports[i] for i in at]) for x in implementations])
            for name, at in scope.groups.items()
        ],
        total=sum(map(len, scope.groups.values())),
        whole=[_cell(x.reports) for x in implementations],
        digits=[
            (*key, next(format_digits(table[key][3]) for table in tables if key in table),
             [(" / ".join(map(format_digits, table[key][1:3])) if key in table else "–", key in short)
              for table, short in zip(tables, wrong, strict=True)])
            for key in keys
        ],
        failures={x.name: _failed_groups(x, scope) for x in implementations},
        pluralize=pluralize,
        quote=shlex.quote,
        HOLDS=HOLDS,
        FAILS=FAILS,
        UNDECIDED=UNDECIDED,
        SYMBOLS=SYMBOLS,
        MAX_FAILURES=MAX_FAILURES,
        LABEL=LABEL,
    )  # fmt: skip
    return printable(page, "\n")


def _failed_groups(x: Implementation, scope: Scope) -> list[tuple[str, int, _Cell, list[Report]]]:
    """Return the groups that do not hold: name, number of problems, summary, reports that do not hold."""
    found = []
    for name, at in scope.groups.items():
        reports = [x.reports[i] for i in at]
        if failed := [report for report in reports if report.outcome != HOLDS]:
            found.append((name, len(at), _cell(reports), failed))
    return found


@dataclass(frozen=True)
class _Cell:
    """The reports of one implementation on one group."""

    outcome: str
    right: int
    formula: str  # fewest digits of formulas, on the program's own numbers
    optimum: str  # fewest digits against the optimum
    stages: str


def _cell(reports: Sequence[Report]) -> _Cell:
    digits: dict[bool, list[float]] = {True: [], False: []}
    for line in (line for report in reports for line in report.lines):
        if line.has_digits and line.attainable != float("inf"):
            digits[line.source.startswith(_SOLVER)].append(line.digits)
    stages = Counter(report.stage or "no answer" for report in reports if report.outcome == FAILS)
    formula, optimum = (format_digits(min(digits[key])) if digits[key] else "" for key in (False, True))
    right = sum(report.outcome == HOLDS for report in reports)
    faults = ", ".join(stage for stage, _ in stages.most_common())
    return _Cell(worst_outcome(reports), right, formula, optimum, faults)


_STYLE = """\
.tiles { grid-template-columns: repeat(auto-fit, minmax(min(100%, 14.5rem), 1fr)); }
.tiles li { overflow-wrap: anywhere; }
.tiles svg { display: block; max-width: 100%; margin: .35rem 0; }
.tiles p { margin: .2rem 0; font-size: .92rem; }
main > p { overflow-wrap: anywhere; }
table.matrix { width: 100%; }
.matrix th:first-child, .digits :is(th, td):nth-child(-n+2) { text-align: left; }
.matrix th[scope="row"] { font-weight: 400; min-width: 9rem; }
.matrix tr.all :is(th, td) { font-weight: 600; border-bottom: 2px solid var(--soft); }
.matrix td { background: var(--back); white-space: nowrap; border-left: 3px solid var(--page); }
.matrix td .mark { color: var(--tone); font-weight: 600; }
.matrix small { color: var(--soft); font-weight: 400; }
.matrix small.stage { display: block; color: var(--tone); white-space: normal; }
thead th { max-width: 12rem; white-space: normal; overflow-wrap: anywhere; }
.digits td { white-space: nowrap; }
.digits td.FAILS { background: var(--back); color: var(--tone); font-weight: 600; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; }
details > pre { margin: 0; border-width: 1px 0 0; border-radius: 0 0 6px 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: .85rem; }
.key { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; list-style: none; font-size: .92rem; }
@media (max-width: 40rem) {
  body { font-size: 15px; }
  .matrix th[scope="row"] { min-width: 7rem; max-width: 9rem; }
  th, td { padding: .25rem .4rem; }
}
@media print {
  :root { color-scheme: only light; }
  .scroll { overflow: visible; }
  details { break-inside: avoid; }
}
"""

_TEMPLATE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="generator" content="orca-exact {{ version }}">
<title>{{ LABEL }}: {% for x in programs %}{{ x.name }} {{ x.counts[HOLDS] }}/{{ x.reports | length }}{{ ", " if not loop.last }}{% endfor %}</title>
<link rel="icon" href="data:,">
<style>
{{ style_sheet }}{{ style }}</style>
</head>
<body>
<header><div>
<h1>{{ LABEL }}</h1>
<p class="soft">{{ pluralize(programs | length, "implementation") }} of ORCA, compared with certified values on
{{ pluralize(total, "problem") }} by orca-exact {{ version }}.</p>
{% if scope.restrictions %}
<p class="notice"><strong>Restricted:</strong> {{ scope.restrictions | join("; ") }}. This is not full conformance.</p>
{% endif %}
</div></header>
<main>
<ul class="tiles">
{% for x in programs %}
<li class="{{ x.outcome }}"><b>{{ x.name }}</b>
{{ badges[loop.index0] }}
<p>{{ x.described_indices }}</p>
<p>{{ x.counts[HOLDS] }} right{% if x.counts[FAILS] %}, {{ x.counts[FAILS] }} wrong{% endif %}{% if x.counts[UNDECIDED] %}, {{ x.counts[UNDECIDED] }} undecided or skipped{% endif %}</p>
{% if x.stages %}<p>Stage at fault: {% for stage, n in x.stages %}{{ stage }} ({{ n }}){{ ", " if not loop.last }}{% endfor %}</p>{% endif %}
{% if x.made_by %}<p class="soft">{{ x.made_by }}</p>{% endif %}
</li>
{% endfor %}
</ul>

<h2 id="groups">Groups of problems</h2>
<ul class="key">
<li class="HOLDS"><span class="verdict small">{{ SYMBOLS[HOLDS] }}</span> all right</li>
<li class="FAILS"><span class="verdict small">{{ SYMBOLS[FAILS] }}</span> some wrong, with the stage at fault</li>
<li class="UNDECIDED"><span class="verdict small">{{ SYMBOLS[UNDECIDED] }}</span> undecided or skipped</li>
</ul>
<p class="soft">After the name of a group: its number of problems. After a mark: how many are right, unless all are; the
fewest correct digits of the formulas, applied to the program’s own numbers; and the fewest of the values that depend on its
solver, against the constraints and the certified optimum.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Groups of problems by implementation">
<table class="matrix">
<thead><tr><th scope="col">group</th>{% for x in programs %}<th scope="col">{{ x.name }}</th>{% endfor %}</tr></thead>
<tbody>
{% macro cell(c, size) %}
<td class="{{ c.outcome }}"><span class="mark">{{ SYMBOLS[c.outcome] }}</span>
{% if c.right != size %}{{ c.right }}/{{ size }}&#32;{% endif %}
{% if c.formula or c.optimum %}<small>{{ c.formula or "–" }} · {{ c.optimum or "–" }}</small>{% endif %}
{% if c.stages %}<small class="stage">{{ c.stages }}</small>{% endif %}</td>
{% endmacro %}
<tr class="all"><th scope="row">all <small>{{ total }}</small></th>{% for c in whole %}{{ cell(c, total) }}{% endfor %}</tr>
{% for name, size, cells in rows %}
<tr><th scope="row">{{ name }} <small>{{ size }}</small></th>{% for c in cells %}{{ cell(c, size) }}{% endfor %}</tr>
{% endfor %}
</tbody>
</table>
</div>

{% for x in programs if x.failed %}
{% if loop.first %}<h2 id="failures">What is wrong or undecided</h2>{% endif %}
<h3>{{ x.name }} <span class="count">{{ x.failed | length }} of {{ pluralize(x.reports | length, "problem") }}</span></h3>
{% for bug, n in x.bugs %}
<p>Likely bug: <strong>{{ bug.name }}</strong> (stage {{ bug.stage }}, explains {{ n }} of {{ pluralize(x.failed | length, "failure") }}): {{ bug.means }}</p>
{% endfor %}
{% for name, size, c, failed in failures[x.name] %}
<details><summary><span class="verdict small {{ c.outcome }}">{{ SYMBOLS[c.outcome] }}</span> {{ name }} <span class="soft">{{ failed | length }} of {{ size }}</span>{% if c.stages %} <strong>{{ c.stages }}</strong>{% endif %}</summary>
<pre>{% for report in failed[:MAX_FAILURES] %}{{ report }}

{% endfor %}
{% if failed | length > MAX_FAILURES %}not shown: {{ (failed | length) - MAX_FAILURES }} more; see crosscheck --verbose{% endif %}</pre></details>
{% endfor %}
{% endfor %}

<h2 id="digits">Correct digits by quantity</h2>
<p class="soft">Minimum / median over the problems, rounded down. Attainable is the median of what double precision
can deliver for the condition of these problems.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Correct digits by quantity">
<table class="digits">
<thead><tr><th scope="col">quantity</th><th scope="col">against</th><th scope="col">attainable</th>{% for x in programs %}<th scope="col">{{ x.name }}</th>{% endfor %}</tr></thead>
<tbody>
{% for quantity, source, attainable, found in digits %}
<tr><th scope="row">{{ quantity }}</th><td>{{ source }}</td><td>{{ attainable }}</td>{% for text, short in found %}<td{% if short %} class="{{ FAILS }}"{% endif %}>{{ text }}</td>{% endfor %}</tr>
{% endfor %}
</tbody>
</table>
</div>

<h2 id="about">About this page</h2>
<p>{{ scope.source }}. {{ scope.rule }}. Every certified value follows from a proof of optimality; N* and T<sub>ε</sub> must be
the certified ones. The stages of a program are its basis, the Gram matrix, the solver, the coefficients and the aggregation
into indices; the stage at fault is the first whose values are wrong.</p>
<pre>orca-exact crosscheck \\
{% for x in programs %}
  --run COMMAND --name {{ quote(x.name) }} \\
{% endfor %}
  --html page.html</pre>
</main>
<footer>Made by orca-exact {{ version }}. The same results give the same page.</footer>
</body>
</html>
"""  # noqa: E501
