"""The report: the content of the page, and its behaviour in a browser."""

from __future__ import annotations

import builtins
import json
import re
from dataclasses import replace
from urllib.parse import quote

import pytest
import sample_report
from command import orca
from flint import fmpq
from outline import Outline

from orca_exact.errors import BadFile
from orca_exact.files.outcomes import FAILS
from proofs_checks.experiments.figures import PLANS
from proofs_checks.experiments.tables import CONFIRMED, REFUTED, UNSETTLED
from proofs_checks.ledger.claims import SAMPLED, Claim, Equal, claims
from proofs_checks.ledger.places import Source
from proofs_checks.ledger.running import exit_code, verify
from proofs_checks.mathtext import to_html
from proofs_checks.report import drawing, html
from proofs_checks.report.content import Content
from proofs_checks.report.drawing import TONES


@pytest.fixture(scope="module")
def content() -> Content:
    return sample_report.content()


@pytest.fixture(scope="module")
def page(content, tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(html.render(content), encoding="utf-8")
    return file


def test_page_is_well_formed_and_self_contained(page, content):
    text = page.read_text(encoding="utf-8")
    outline = Outline(text)
    assert not outline.stack
    for tag, attributes in outline.tags:
        for name in ("src", "href"):
            target = attributes.get(name) or "#"
            assert target.startswith(("#", "data:")), (tag, target)
        assert tag not in ("iframe", "object", "embed")
    assert not re.search(r"url\((?!#)", text) and "@import" not in text
    ids = [a["id"] for _, a in outline.tags if a.get("id")]
    assert {part.id for part in html.PARTS} <= set(ids)
    assert len(ids) == len(set(ids))
    anchors = {a["href"][1:] for tag, a in outline.tags if tag == "a" and "=" not in a["href"]}
    assert anchors <= {quote(id) for id in ids}, "a link leads nowhere"
    labelled = {a["aria-labelledby"] for _, a in outline.tags if "aria-labelledby" in a}
    assert labelled <= set(ids)


def test_page_holds_what_was_found(page, content):
    text = page.read_text(encoding="utf-8")
    tags = Outline(text).tags
    found = {a["id"]: a["data-outcome"] for tag, a in tags if tag == "details" and a.get("class") == "claim"}
    assert found == {v.claim: v.outcome for _, v in content.verdicts}
    ledger = text.partition('<section id="ledger"')[2].partition('<section id="made"')[0]
    assert ledger.count('display="block"') == sum(bool(c.latex) for c, _ in content.verdicts)
    assert ledger.count('display="inline"') == sum(bool(v.formula[1]) for _, v in content.verdicts) == 2
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in text and "<b>&</b>" not in text
    assert "Not as recorded:" in text
    assert "Table 5, Table 6: run `orca-exact data echocardiogram`" in text
    classes = [a.get("class", "").split() for tag, a in tags if tag == "td"]
    cells = [names[1] for names in classes if "cell" in names and "hash" not in names]
    assert cells == [CONFIRMED, REFUTED, UNSETTLED]
    assert "printed 0.360, refuted; certified 0.36602247" in text
    assert content.results[0].problem.sha256 in text
    assert content.results[0].facts["certificate"] in text
    assert sum(tag == "caption" for tag, _ in tags) == sum(tag == "table" for tag, _ in tags)


def test_control_characters_and_markup_are_escaped(content):
    """Ids, evidence and reasons come from files and can contain anything."""
    forged = "<b>\n✓ optimality proved\x1b[2K\x9b\u202e"
    escaped = "&lt;b&gt;\\n✓ optimality proved\\x1b[2K\\x9b\\u202e"
    result = content.results[0]
    with_id = replace(result, problem=result.problem.replace(id=forged))
    page = html.render(
        replace(content, results=[with_id], skipped={"Table 5": str(BadFile("x", forged, ""))})
    )
    assert page.count(escaped) >= 2 and "\n✓ opt" not in page
    assert all(c.isprintable() for c in set(page) - {"\n", *html.BLANKS})


def wrong(id: str, severity: str, **fields) -> Claim:
    relation = Equal(fmpq(1, 3), fmpq(2, 3), "the share")
    fields |= {"expect": FAILS, "severity": severity, "plain": f"In truth {id} is otherwise."}
    return Claim(id, "section 1, line 2", f"as printed: {id}", lambda: relation, **fields)


def test_the_worst_error_leads_in_words_first():
    sampled = Claim("tried", "section 1, line 2", "tried", lambda: Equal(1, 1), extent=SAMPLED)
    made = [wrong("misprint", "typographical"), wrong("figure", "wrong number", reading="strictly"), sampled]
    page = html.render(Content([(c, c.run()) for c in made]))
    parts = re.findall(r'<section id="(\w+)"', page)
    assert parts[0] == "errors" and parts == [part.id for part in html.PARTS if part.id in parts]
    table = page.partition('<section id="errors"')[2].partition("</section>")[0]
    assert re.findall(r"<h3[^>]*>([^<]*?) <span", table) == ["Wrong numbers", "Slips of print and grammar"]
    row = table.partition('<li class="entry"')[2].partition("</li>")[0]
    words = ('value="1"', "line 2 of the source", "<dt>We read this as</dt><dd>figure (strictly).",
             "In truth figure is otherwise", "The share: ", "<mfrac>", "&#x02260;",
             '<a href="#figure">')  # fmt: skip
    places = [row.find(word) for word in words]
    assert -1 not in places and places == sorted(places)
    assert "✓ HOLDS (sampled)</span>" in page
    assert "<td>checked on samples only, which is not a proof</td><td>1</td><td></td>" in page
    assert '<span class="words">In truth misprint is otherwise.</span>' in page
    assert "tried" not in table


def test_a_row_whose_columns_are_exchanged_is_one_error_and_shows_both():
    cells = [
        wrong(
            f"tab/n=1/{column}", "wrong number", group="tab/n=1", statement="tab/n=1/even", correction=fixed
        )
        for column, fixed in (("even", "tab/even"), ("odd", "tab/odd"))
    ]
    cells = [replace(c, plain="Even and odd are exchanged.") for c in cells]
    other = wrong("word/other", "imprecise wording", statement="n1-dim4")  # which holds
    page = html.render(Content([(c, c.run()) for c in (*cells, wrong("said", "wrong number"), other)]))
    _, said, row = page.partition("</section>")[0].split('<li class="entry"')
    assert "In truth said is otherwise." in said  # sentences before cells
    for shown in ("<code>tab/n=1/even</code></a>", "<code>tab/n=1/odd</code></a>"):
        assert shown in row
    assert row.count("Even and odd are exchanged.") == 1 and row.count("The share: ") == 1
    assert "In truth word/other" not in row  # another reading is no part of the letter
    assert "<td>error of the paper: wrong number</td><td>3</td><td>2</td>" in page
    assert "<td>not an error: only another reading fails</td><td>1</td><td>1</td>" in page


def test_the_reader_s_copy_is_quoted_escaped(content):
    copy = Source(tuple(f"<b>{k}\x1b[2K" for k in range(1, 1473)), same=False)
    page = html.render(content, copy)
    assert "&gt; 535  &lt;b&gt;535\\x1b[2K" in page and "<b>535" not in page
    assert '<q class="source">' not in page  # the sentences of another file may be others
    assert "its line numbers may differ" in page and "do not distribute" in page
    assert "<b>524" not in html.render(content) and "do not distribute" not in html.render(content)


def test_every_formula_of_the_ledger_is_set():
    """A new formula that latex2mathml cannot set is shown as LaTeX; it should be rare and known."""
    left = {c.id for c in claims() if c.latex and not html.mathml(c.latex)}
    assert not left
    assert html.mathml(r"\notacommand{x}") == ""
    assert html.mathml(r"\frac{1}") == "" or "<mfrac>" in html.mathml(r"\frac{1}")


@pytest.mark.parametrize(
    ("plain", "set_"),
    [
        ("OKC_N^(q)", "OKC<sub>N</sub><sup>(q)</sup>"),
        ("T_eps <= T_0.05", "T<sub>ε</sub> ≤ T<sub>0.05</sub>"),
        ("c_k^2 < 1", "c<sub>k</sub><sup>2</sup> &lt; 1"),
        ("pi_{n+1} and alpha", "π<sub>n+1</sub> and α"),
        ("double_spiral(300) in alpha-beta <i>", "double_spiral(300) in alpha-beta &lt;i&gt;"),
    ],
)
def test_indices(plain, set_):
    assert to_html(plain) == set_


def test_verb_writes_a_section(tmp_path):
    file = tmp_path / "two.html"
    code, out, err = orca("report", "-o", str(file), "--section", "2", "-j", "1", "--format", "json")
    told = json.loads(out)
    assert (code, err) == (exit_code(list(verify(section="2"))), "")
    assert told["exit_code"] == code and told["bytes"] == file.stat().st_size
    assert told["claims"]["HOLDS"] == file.read_text().count('data-outcome="HOLDS"') > 0
    assert "eq-CD-identity" not in file.read_text()


def test_the_proofs_are_compiled_only_on_request(tmp_path, monkeypatch):
    from proofs_checks.ledger import theorems

    compiled = []
    monkeypatch.setattr(theorems, "compile_all", lambda progress, jobs: compiled.append(jobs))
    arguments = ("report", "-o", str(tmp_path / "two.html"), "--section", "7", "-j", "1", "--no-figures")
    assert orca(*arguments)[0] == orca(*arguments, "--formal")[0] == 0
    assert compiled == [1]


def test_verb_refuses_in_one_line(tmp_path, monkeypatch):
    for bad in (tmp_path, tmp_path / "no" / "where.html"):
        code, out, err = orca("report", "-o", str(bad), "--section", "2")
        assert (code, out) == (4, "") and err.count("\n") == 1
    real = builtins.__import__

    def without(name, *rest):
        if name.split(".")[0] == "jinja2":
            raise ImportError(name)
        return real(name, *rest)

    html._environment.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    code, _, err = orca("report", "-o", str(tmp_path / "r.html"), "--section", "2")
    monkeypatch.undo()
    assert code == 4 and "pip install 'orca-exact[report]'" in err
    assert not (tmp_path / "r.html").exists()


def luminance(colour: str) -> float:
    """WCAG 2: relative luminance of #rrggbb."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_contrast_in_light_and_dark(page, theme):
    block = "".join(
        re.findall(r"^:root \{(.*?)\}", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    )
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", block)
    assert len(pairs) == block.count("--")
    colour = {name: both[theme] for name, *both in pairs}

    def contrast(front: str, back: str) -> float:
        low, high = sorted((luminance(colour[front]), luminance(colour[back])))
        return (high + 0.05) / (low + 0.05)

    text = [(ink, back) for ink in ("ink", "soft", "link") for back in ("page", "card")]
    text += [(tone, f"{tone}-back") for tone in ("good", "bad", "open", "none")]
    text += [("ink", f"{tone}-back") for tone in ("bad", "open")]
    text += [(tone, "card") for tone in ("good", "bad", "open")]
    for front, back in text:
        assert contrast(front, back) >= 4.5, (front, back)
    for tone in TONES.values():  # of drawings: with a marker or a bar's place beside the colour
        assert contrast(tone, "page") >= 1.9, tone
        assert tone in colour


def test_a_drawing_is_in_the_page_s_ink_and_has_its_own_names():
    """Drawings on one page share no id, use no black or white, and contain no style of the page."""
    drawn = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="30pt"
    height="15pt" viewBox="0 0 30 15"><metadata>x</metadata><defs><style>*{color: red}</style>
    <path id="m1" d="M 0.123456 1.5 \nL 2 -0.25 "/></defs><g id="figure_1"><g id="patch_1">
    <path d="M 0 0" style="fill: #ffffff"/></g>
    <use xlink:href="#m1" x="3.14159" y="0.5" style="stroke: #000000"/>
    <path d="M 0 0" style="fill: #808080; opacity: 0.5"/><path d="M 0 0" style="fill: #5e3c99"/>
    <path d="M 0 0" clip-path="url(#m1)" style="fill: #111110"/></g></svg>"""
    one, two = (drawing.inline_svg(name, drawn.encode()) for name in ("fig1", "pairs-x"))
    assert Outline(one).stack == []
    assert 'width="50" height="25" viewBox="0 0 30 15" role="img"' in one and "metadata" not in one
    assert "style>" not in one and "red" not in one and "#ffffff" not in one and "#000000" not in one
    for part in ('<path d="M.12 1.5L2 -.25" id="f10"', 'href="#f10" x="3.14" y=".5"',
                 "stroke:currentColor", "fill:none", "fill:currentColor;fill-opacity:0.50;opacity:0.5",
                 "fill:var(--purple)",
                 'clip-path="url(#f10)"', "fill:#111110"):  # fmt: skip
        assert part in one, part
    assert 'id="psxx0"' in two and "f10" not in two


def test_captions_are_set():
    assert set(drawing.CAPTIONS) == set(PLANS)
    for title, text in drawing.CAPTIONS.values():
        said = html.prose(text)
        assert text.count("$") == 2 * said.count("<math") and "$" not in said
        assert not re.search(r"OKC[_^]|\\\\|_\{", re.sub(r"<math.*?</math>", "", said)), title


def test_for_which_C_a_row_is_printed_the_same(page):
    table = page.read_text(encoding="utf-8").partition('<section id="tables"')[2]
    assert "same for C in</th>" in table and ">[0.99, ∞)</td>" in table
