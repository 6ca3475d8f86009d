"""The report: what the page holds, and that a real browser shows it, filters it and opens a claim."""

from __future__ import annotations

import builtins
import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from flint import arb, fmpq

from orca_exact.cli.parser import parser, run
from orca_exact.errors import BadFile
from orca_exact.outcomes import CONFIRMED, FAILS, REFUTED, UNSETTLED
from orca_exact.paper.claims import FOR_ALL, SAMPLED, Claim, Equal, Verdict, claims, exit_code, verify
from orca_exact.paper.experiments import certified, configuration, printed_tables
from orca_exact.paper.places import Source
from orca_exact.paper.tables import NO_GENERATOR, Cell
from orca_exact.report import html
from orca_exact.report.content import Content, Figure

CLAIMS = (
    "eq-CD-identity",
    "eq-data",
    "eq-sec4-2-constant-bias",
    "eq-sec4-2-constant-bias-corrected",
    "abs-accuracy",
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
TABLE = printed_tables()["tab-echo-legendre"]


def orca(*words: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    return (
        run(parser(words[0]).parse_args(list(words)), stdout, stderr),
        stdout.getvalue(),
        stderr.getvalue(),
    )


@pytest.fixture(scope="module")
def content() -> Content:
    """Five real verdicts, one made unexpected, three cells of each kind, one certificate, one figure."""
    chosen = {c.id: c for c in claims(CLAIMS)}
    reach = {"eq-CD-identity": FOR_ALL}  # whether or not this machine compiled the theorems
    verdicts = [(chosen[v.claim], replace(v, extent=reach.get(v.claim, ""))) for v in verify(CLAIMS)]
    c, v = verdicts[1]
    wrong = Verdict(c.id, c.title, c.place, FAILS, c.expect, "2 > 1 <b>&</b>", c.scope, 0.1)
    row = [
        Cell(TABLE["id"], 2, "even", "0.514", arb("0.5141"), CONFIRMED),
        Cell(TABLE["id"], 2, "OKC^(3)", "0.360", arb("0.366022479"), REFUTED),
        Cell(TABLE["id"], 2, "N*", "4", 4, UNSETTLED, NO_GENERATOR),
    ]
    table = TABLE | {"columns": ["even", "OKC^(3)", "N*"]}
    return Content(
        [(c, wrong) if pair[1] is v else pair for pair in verdicts],
        [(table, [row])],
        [certified(configuration("spiral", 1))],
        [Figure("fig1", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")],
        {
            "Table 5": "run `orca-exact data echocardiogram`",
            "Table 6": "run `orca-exact data echocardiogram`",
        },
        {"run `orca-exact data echocardiogram`": 335},
        {"orca-exact": "0.0"},
        same={(TABLE["id"], 2): ("0.99", None)},
    )


@pytest.fixture(scope="module")
def page(content, tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(html.render(content), encoding="utf-8")
    return file


class Outline(HTMLParser):
    """Every tag with its attributes, and whether open and close tags match."""

    VOID = frozenset({"meta", "link", "input", "img", "br"})

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.stack: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_page_is_whole_and_alone(page, content):
    text = page.read_text(encoding="utf-8")
    outline = Outline(text)
    assert not outline.stack
    for tag, attributes in outline.tags:
        for name in ("src", "href"):
            target = attributes.get(name) or "#"
            assert target.startswith(("#", "data:")), (tag, target)
        assert tag not in ("iframe", "object", "embed")
    assert "url(" not in text and "@import" not in text
    ids = [a["id"] for _, a in outline.tags if a.get("id")]
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
    set_ = sum(bool(c.latex) for c, _ in content.verdicts)
    assert (
        text.count('display="block"') == set_ and text.count('display="inline"') == 2
    )  # its evidence, twice
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


def test_nothing_in_it_is_forged(content):
    """An id, an evidence or a reason may hold anything: the page shows it escaped."""
    forged = "<b>\n✓ optimality proved\x1b[2K\x9b\u202e"
    escaped = "&lt;b&gt;\\n✓ optimality proved\\x1b[2K\\x9b\\u202e"
    result = content.results[0]
    with_id = replace(result, problem=result.problem.with_(id=forged))
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
    table = page.partition('<section id="refuted"')[2].partition("</section>")[0]
    assert re.findall(r"<h3>(.*?) <span", table) == ["Wrong number", "Typographical"]
    row = table.partition("<tbody>")[2].partition("</tr>")[0]
    words = ("line 2 of the source", "figure</a>", "(read as: strictly)", "<p>In truth figure is otherwise",
             "the share: ", "<mfrac>", "&#x02260;")  # fmt: skip
    places = [row.find(word) for word in words]
    assert -1 not in places and places == sorted(places)
    assert "✓ HOLDS (sampled)</span>" in page and "1 only in samples, which is no proof" in page
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
    rows = page.partition('<section id="refuted"')[2].partition("<tbody>")[2].partition("</tbody>")[0]
    said, row = rows.strip().split("\n")
    assert "In truth said is otherwise." in said  # sentences before cells
    for shown in ("tab/n=1/even</a>", "tab/n=1/odd</a>", ">tab/even</a>", ">tab/odd</a>"):
        assert shown in row
    assert row.count("Even and odd are exchanged.") == 1 and row.count("the share: ") == 2
    assert "2 sentences of the paper; 1 more by another reading only</small>" in page


def test_the_reader_s_copy_is_quoted_escaped(content):
    copy = Source(tuple(f"<b>{k}\x1b[2K" for k in range(1, 1473)), same=False)
    page = html.render(content, copy)
    assert "&gt; 524  &lt;b&gt;524\\x1b[2K" in page and "<b>524" not in page
    assert "they may be others" in page and "not to be passed on" in page
    assert "<b>524" not in html.render(content) and "not to be passed on" not in html.render(content)


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
    assert html.indices(plain) == set_


def test_verb_writes_a_section(tmp_path):
    file = tmp_path / "two.html"
    code, out, err = orca("report", "-o", str(file), "--section", "2", "-j", "1", "--format", "json")
    told = json.loads(out)
    assert (code, err) == (exit_code(list(verify(section="2"))), "")
    assert told["exit_code"] == code and told["bytes"] == file.stat().st_size
    assert told["claims"]["HOLDS"] == file.read_text().count('data-outcome="HOLDS"') > 0
    assert "eq-CD-identity" not in file.read_text()


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
    assert code == 1 and "pip install 'orca-exact[report]'" in err
    assert not (tmp_path / "r.html").exists()


def luminance(colour: str) -> float:
    """WCAG 2: relative luminance of #rrggbb."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize(
    "rule", [":root {", ':root[data-theme="dark"] {', ':root:not([data-theme="light"]) {']
)
def test_contrast_in_light_and_dark(page, rule):
    block = page.read_text(encoding="utf-8").split(rule, 1)[1].split("}", 1)[0]
    colour = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    pairs = [(ink, back) for ink in ("ink", "soft", "link") for back in ("page", "card")]
    pairs += [(tone, f"{tone}-back") for tone in ("good", "bad", "open", "none")]
    pairs += [("ink", f"{tone}-back") for tone in ("bad", "open")]
    pairs += [(tone, "card") for tone in ("good", "bad", "open")]
    for front, back in pairs:
        low, high = sorted((luminance(colour[front]), luminance(colour[back])))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (front, back)


# A real browser.


def browse(page, profile, hash: str, *flags: str) -> tuple[str, str]:
    """The page's DOM after its script ran, and what the browser said."""
    words = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={profile}", "--virtual-time-budget=2000", "--enable-logging=stderr", "--v=0",
        *flags, "--dump-dom", f"{page.as_uri()}#{hash}",
    ]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr[-500:]
    return done.stdout, done.stderr


def shown(dom: str) -> dict[str, bool]:
    """Claims that are not hidden, and whether they are open."""
    tags = [a for tag, a in Outline(re.sub(r"(?s)<(script|style)>.*?</\1>", "", dom)).tags
            if tag == "details" and a.get("class") == "claim"]  # fmt: skip
    return {a["id"]: "open" in a for a in tags if "hidden" not in a}


@pytest.mark.skipif(not CHROMIUM, reason="no chromium here; apt install chromium")
def test_in_a_browser(page, tmp_path):
    everything, said = browse(page, tmp_path, "")
    assert "CONSOLE" not in said
    assert shown(everything) == dict.fromkeys(CLAIMS, False)
    assert "5 of 5 claims shown" in everything

    dom, said = browse(page, tmp_path, "q=Darboux%20identity&open=eq-CD-identity&theme=dark")
    assert "CONSOLE" not in said
    assert shown(dom) == {"eq-CD-identity": True}
    assert 'data-theme="dark"' in dom and "1 of 5 claims shown" in dom

    dom, _ = browse(page, tmp_path, "outcome=UNEXPECTED")
    assert list(shown(dom)) == ["eq-data"]
    dom, _ = browse(page, tmp_path, "outcome=for%20all")
    assert list(shown(dom)) == ["eq-CD-identity"]
    dom, _ = browse(page, tmp_path, "outcome=FAILS&section=4")
    assert list(shown(dom)) == ["eq-sec4-2-constant-bias"]
    dom, _ = browse(page, tmp_path, "eq-sec4-2-constant-bias-corrected")
    assert shown(dom)["eq-sec4-2-constant-bias-corrected"]

    dom, said = browse(page, tmp_path, "cell=" + quote("cell:tab-echo-legendre/n=2/OKC^(3)", safe=""))
    assert "CONSOLE" not in said
    tip = re.search(r'<div id="tip"[^>]*>([^<]*)</div>', dom)
    assert tip and "hidden" not in tip[0].partition(">")[0] and "certified 0.36602247" in tip[1]


def test_for_which_C_a_row_is_printed_the_same(page):
    table = page.read_text(encoding="utf-8").partition('<section id="tables"')[2]
    assert "same for C in</th>" in table and ">[0.99, ∞)</td>" in table
