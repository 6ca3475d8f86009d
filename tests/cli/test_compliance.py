"""The compliance page and the badge of ``crosscheck``."""

from __future__ import annotations

import builtins
import json
import re
import shlex
import sys
import xml.etree.ElementTree as ET
from html import unescape

import chromium
import pytest
from command import orca
from outline import Outline

from orca_exact.cli.compliance import Implementation, Scope, badge
from orca_exact.conformance.crosscheck import Report, count_indices
from orca_exact.conformance.reference import plain_result
from orca_exact.conformance.vectors import vectors, vectors_sha256
from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED

CHOSEN = ("v001", "v002", "v140")  # two groups
REPLAY = """
import json, sys
answers = json.load(open({answers!r}))
for line in sys.stdin:
    print(json.dumps(answers[json.loads(line)["id"]]), flush=True)
"""


def right() -> dict[str, dict]:
    made = {vector.id: plain_result(vector.reference, 17) for vector in vectors() if vector.id in CHOSEN}
    return {
        name: answer | {"made_by": {"program": "replay", "version": "1.5"}} for name, answer in made.items()
    }


def wrong() -> dict[str, dict]:
    """Return answers with even and odd exchanged in one, and one problem skipped."""
    made = right()
    okc = made["v001"]["okc"]
    okc["even"], okc["odd"] = okc["odd"], okc["even"]
    made["v140"] = {"id": "v140", "skipped": "too <i>hard</i>"}
    return made


def command(tmp_path, name: str, answers: dict) -> str:
    (tmp_path / f"{name}.json").write_text(json.dumps(answers))
    (tmp_path / f"{name}.py").write_text(REPLAY.format(answers=str(tmp_path / f"{name}.json")))
    return shlex.join([sys.executable, str(tmp_path / f"{name}.py")])


def crosscheck(tmp_path, *more: str) -> tuple[int, str, str]:
    words = ["crosscheck", "--run", command(tmp_path, "right", right()), "--name", "good & true"]
    words += ["--run", command(tmp_path, "wrong", wrong()), "--name", "<b>bad</b>"]
    return orca(*words, "-j", "1", *more, "--vector", *CHOSEN)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compliance")
    code, out, _ = crosscheck(folder, "--html", str(folder / "page.html"))
    assert code == 1 and f"written: {folder / 'page.html'}" in out
    assert out.index("good & true") < out.index("3 problems: 3 HOLDS") < out.index("<b>bad</b>")
    return folder / "page.html"


def test_the_page_is_well_formed_self_contained_and_shows_the_matrix(page):
    text = page.read_text(encoding="utf-8")
    outline = Outline(text)
    assert not outline.stack and "script" not in {tag for tag, _ in outline.tags}
    for tag, attributes in outline.tags:
        assert "src" not in attributes and (attributes.get("href") or "data:,").startswith(("data:", "#")), (
            tag
        )
    addresses = set(re.findall(r"https?://[^\"' <]+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a namespace, not a link
    assert "good &amp; true" in text and "&lt;b&gt;bad&lt;/b&gt;" in text and "<b>bad</b>" not in text
    assert "too &lt;i&gt;hard&lt;/i&gt;" in text
    body = re.search(r'<table class="matrix">.*?<tbody>(.*?)</tbody>', text, re.DOTALL)[1]
    rows = [unescape(re.sub(r"<[^>]+>", " ", row)).split() for row in body.split("</tr>")[:-1]]
    assert [row[0] for row in rows] == [
        "all",
        *dict.fromkeys(v.group.split()[0] for v in vectors() if v.id in CHOSEN),
    ]
    assert rows[0][1:3] == ["3", "✓"] and "✗" in rows[0] and "1/3" in rows[0] and rows[0][-1] == "aggregation"
    assert "replay, version 1.5" in text and vectors_sha256() in text
    assert "3 of 536 vectors" in text and "not full conformance" in text
    short = re.findall(r'<th scope="row">(okc\.\w+)</th>(?=[^\n]*<td class="FAILS">)', text)
    assert set(short) == {"okc.even", "okc.odd"}


def test_digits_of_formulas_and_of_the_solver_are_told_apart(tmp_path):
    """An alpha that violates its constraints by 10^-6 costs digits of the solver only."""
    answers = right()
    answers["v002"] = {
        "id": "v002",
        "alpha": [float(x) * (1 + 1e-6 * i) for i, x in enumerate(answers["v002"]["alpha"])],
    }
    answers["v002"]["gram"] = right()["v002"]["gram"]
    file = tmp_path / "page.html"
    code, _, _ = orca(
        "crosscheck", "--run", command(tmp_path, "near", answers), "--vector", "v002", "--html", str(file)
    )
    text = file.read_text(encoding="utf-8")
    ((formula, solver),) = set(re.findall(r"<small>([\d.]+) · ([\d.]+)</small>", text))
    assert code == 0 and float(formula) > 15 and 5 < float(solver) < 7


def test_the_same_results_give_the_same_bytes(page, tmp_path):
    crosscheck(tmp_path, "--html", str(tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_json_of_several_programs(tmp_path):
    code, out, _ = crosscheck(tmp_path, "--format", "json")
    data = json.loads(out)
    assert code == 1 and data["outcome"] == FAILS
    assert [(x["name"], x["outcome"]) for x in data["programs"]] == [
        ("good & true", HOLDS),
        ("<b>bad</b>", FAILS),
    ]


@pytest.mark.parametrize(
    ("outcomes", "compared", "given", "restrictions", "colour", "label"),
    [
        ([HOLDS, HOLDS], 7, ["okc"], [], "#146c2e", ": 2/2, 14/14 indices"),
        ([HOLDS, UNDECIDED], 7, ["okc"], [], "#7a4f01", ": 1/2, 14/14 indices"),
        ([UNDECIDED, FAILS], 7, ["okc"], [], "#b3261e", ": 0/2, 14/14 indices"),
        ([HOLDS], 7, ["okc"], ["1 of 536"], "#146c2e", " (restricted): 1/1, 7/7 indices"),
        ([HOLDS], 3, ["okc"], [], "#146c2e", " (some indices only): 1/1, 3/7 indices"),
        ([HOLDS], 0, ["alpha", "b"], [], "#7a4f01", " (alpha and b only): 1/1, 0/7 indices"),
        ([HOLDS], 0, ["b"], ["1 of 536"], "#7a4f01", " (restricted; b only): 1/1, 0/7 indices"),
        ([UNDECIDED], 0, [], [], "#7a4f01", " (nothing compared): 0/1, 0/7 indices"),
        ([FAILS], 0, [], [], "#b3261e", " (nothing compared): 0/1, 0/7 indices"),
    ],
)
def test_badge(outcomes, compared, given, restrictions, colour, label):
    reports = [
        Report(str(i), outcome, given=tuple(given), indices=(compared, 7))
        for i, outcome in enumerate(outcomes)
    ]
    root = ET.fromstring(badge(Implementation("a < b", reports), Scope({}, "", "", restrictions)))
    fills = [x.get("fill") for x in root.iter() if x.tag.endswith("path")]
    assert (root.get("aria-label"), fills[1]) == (f"ORCA conformance{label} (a < b)", colour)
    width = sum(float(x.get("textLength")) + 12 for x in root.iter() if x.tag.endswith("text"))
    assert width == float(root.get("width"))


def test_one_program_and_its_badge(tmp_path):
    words = ("crosscheck", "--run", command(tmp_path, "right", right()), "--vector", *CHOSEN, "-j", "1")
    code, _, _ = orca(*words, "--badge", str(tmp_path / "badge.svg"))
    total = sum(count_indices(vector.reference)[1] for vector in vectors() if vector.id in CHOSEN)
    badge = (tmp_path / "badge.svg").read_text()
    assert code == 0 and total > 20 and f"(restricted): 3/3, {total}/{total} indices (" in badge


@pytest.mark.parametrize(
    ("keep", "code", "said"),
    [
        ((), 3, "nothing compared"),  # only "id"
        (("an empty okc",), 3, "nothing compared"),
        (("alpha", "b"), 0, "alpha and b only"),
        (("norm2",), 0, "norm2 only"),
        (("gram",), 0, "gram only"),
    ],
)
def test_a_program_that_computes_no_index_is_named_so_and_is_not_green(tmp_path, keep, code, said):
    answers = {id: {k: x for k, x in answer.items() if k in ("id", *keep)} for id, answer in right().items()}
    if "an empty okc" in keep:
        answers = {id: answer | {"okc": {}} for id, answer in answers.items()}
    words = ("crosscheck", "--run", command(tmp_path, "some", answers), "--vector", *CHOSEN, "-j", "1")
    own = "--badge", str(tmp_path / "badge.svg"), "--html", str(tmp_path / "page.html")
    found, out, _ = orca(*words, *own)
    total = sum(count_indices(vector.reference)[1] for vector in vectors() if vector.id in CHOSEN)
    assert found == code and f"0 of {total} indices compared ({said})" in out.replace("\n", " ")
    badge, page = ((tmp_path / name).read_text() for name in ("badge.svg", "page.html"))
    assert f"(restricted; {said})" in badge and "#146c2e" not in badge
    assert f"0 of {total} indices compared ({said})" in page
    data = json.loads(orca(*words, "--format", "json")[1])
    assert data["indices"] == {"compared": 0, "expected": total}
    assert {tuple(report["given"]) for report in data["reports"]} <= {(), keep, keep[:1], keep[1:]}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--html", "page.pdf"), "does not end in .html"),
        (("--html", "no/such/folder/page.html"), "no/such/folder"),
        (("--badge", "badge.png"), "does not end in .svg"),
        (("--badge", "badge.svg", "--run", "cat"), "is for one program, not 2"),
        (("--name", "a", "--name", "b"), "is not one for each of 1 program"),
        (("--name", "a", "--run", "cat"), "is not one for each of 2 programs"),
        (("--name", "a", "--run", "cat", "--name", "a"), "names two programs"),
        (("--run", "program-that-must-not-start"), "names two programs"),
        (("--name", " "), "is empty"),
    ],
)
def test_wrong_options_are_rejected_before_a_program_runs(more, message):
    code, out, error = orca("crosscheck", "--run", "program-that-must-not-start", *more)
    assert (code, out) == (4, "") and error.count("\n") == 1
    assert message in error


def test_without_jinja(monkeypatch, tmp_path):
    real = builtins.__import__

    def without(name, *rest):
        if name.split(".")[0] == "jinja2":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    code, _, error = orca("crosscheck", "--run", "cat", "--html", str(tmp_path / "page.html"))
    monkeypatch.undo()
    assert code == 4 and "pip install 'orca-exact[report]'" in error


@pytest.mark.slow
def test_the_page_fits_a_phone_and_has_two_themes(page, tmp_path):
    if not chromium.CHROMIUM:
        pytest.skip("no chromium here; apt install chromium")
    browser = chromium.Browser(tmp_path / "profile")
    try:
        backgrounds = set()
        for width, theme in ((1280, "light"), (390, "light"), (390, "dark"), (320, "dark")):
            browser.show(page.as_uri(), width=width, theme=theme)
            browser.js("document.querySelectorAll('details').forEach((x) => { x.open = true; })")
            assert browser.js("document.documentElement.scrollWidth") <= width and not browser.said
            backgrounds.add((theme, browser.js("getComputedStyle(document.body).backgroundColor")))
        assert len(backgrounds) == 2
    finally:
        browser.close()
