"""The page in a browser: several widths, light and dark themes, keyboard control and print."""

from __future__ import annotations

import re
from urllib.parse import quote

import chromium
import pytest
from sample_report import CLAIMS, content

from proofs_checks.report import html

SIZES = [(width, theme) for width in (1280, 390) for theme in ("light", "dark")] + [(320, "light")]
OUTSIDE = """[...document.body.querySelectorAll("*")].filter((node) => {
  const box = node.getBoundingClientRect(), wide = document.documentElement.clientWidth;
  const scrolls = node.parentElement.closest(".scroll, .formula, pre");
  const meant = scrolls || node.closest(".skip") || !box.width || !box.height;
  return !meant && (box.left < -1 || box.right > wide + 1);
}).map((node) => node.outerHTML.slice(0, 90))"""
CUT = """[...document.querySelectorAll("nav a, h1, h2, h3, h4, td, th, dd, button, select, summary")]
  .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1
    && getComputedStyle(node).display !== "inline" && !node.querySelector(".hidden"))
  .map((node) => node.outerHTML.slice(0, 90))"""
SHOWN = """Object.fromEntries([...document.querySelectorAll("details.claim:not([hidden])")]
  .map((claim) => [claim.id, claim.open]))"""
COLOURS = """[document.body, ...["[style*='--purple']", ".drawing text, .drawing svg"].map((s) =>
  document.querySelector(s))].map((node) => { const s = getComputedStyle(node);
  return [s.backgroundColor, s.color, s.fill]; })"""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(html.render(content()), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if not chromium.CHROMIUM:
        pytest.skip("no chromium here; apt install chromium")
    found = chromium.Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


def test_in_a_browser(browser, page):
    def at(hash: str) -> dict[str, bool]:
        browser.show(f"{page.as_uri()}#{hash}")
        assert not browser.said
        return browser.js(SHOWN)

    assert at("") == dict.fromkeys(CLAIMS, False)
    assert browser.js("document.getElementById('shown').textContent") == "6 of 6 claims shown"
    assert at("q=Darboux%20identity&open=eq-CD-identity&theme=dark") == {"eq-CD-identity": True}
    assert browser.js("document.documentElement.dataset.theme") == "dark"
    assert list(at("outcome=UNEXPECTED")) == ["eq-data"]
    assert list(at("outcome=for%20all")) == ["eq-CD-identity"]
    assert list(at("outcome=FAILS&section=4")) == ["offset-variants"]
    assert at("offset-variants-corrected")["offset-variants-corrected"]
    at("cell=" + quote("cell:tab-echo-legendre/n=2/OKC^(3)", safe=""))
    tip = browser.js("(({hidden, textContent}) => [hidden, textContent])(document.getElementById('tip'))")
    assert tip[0] is False and "certified 0.36602247" in tip[1]


@pytest.mark.parametrize(("width", "theme"), SIZES)
def test_nothing_leaves_the_page(browser, page, width, theme):
    browser.show(page.as_uri(), width, theme=theme)
    for opened in ("", "for (const d of document.querySelectorAll('details')) d.open = true"):
        browser.js(opened)
        assert browser.js("document.documentElement.scrollWidth") <= width
        assert browser.js(OUTSIDE) == []
        assert browser.js(CUT) == []
    assert browser.js("getComputedStyle(document.querySelector('nav summary')).display") == (
        "none" if width > 390 else "list-item"
    )


def test_anchors_resolve_and_evidence_opens(browser, page):
    browser.show(page.as_uri())
    lost = """[...document.querySelectorAll("a[href^='#']")].map((a) => a.getAttribute("href").slice(1))
      .filter((id) => !id.includes("=") && !document.getElementById(decodeURIComponent(id)))"""
    assert browser.js(lost) == []
    browser.js("document.querySelector('#errors .entry dd:last-child a').click()")
    browser.js(chromium.SETTLED)
    assert browser.js("document.querySelectorAll('.claim[open]').length") == 1


def test_a_figure_follows_the_theme(browser, page):
    found = {}
    for theme, media in (("light", ""), ("dark", ""), ("dark", "print")):
        browser.show(page.as_uri(), theme=theme, media=media)
        found[theme + media] = browser.js(COLOURS)
    (paper, ink, _), (_, _, purple), (_, _, drawn) = found["light"]
    assert (paper, purple) == ("rgb(255, 255, 255)", "rgb(94, 60, 153)") and drawn == ink
    (paper, ink, _), (_, _, purple), (_, _, drawn) = found["dark"]
    assert (paper, purple) == ("rgb(20, 23, 27)", "rgb(178, 171, 210)") and drawn == ink
    (paper, ink, _), (_, _, purple), (_, _, drawn) = found["darkprint"]  # black on white all the same
    assert (paper, ink, drawn) == (
        "rgb(255, 255, 255)",
        *["rgb(0, 0, 0)"] * 2,
    ) and purple == "rgb(94, 60, 153)"
    assert browser.js("document.querySelector('nav').checkVisibility()") is False


@pytest.mark.parametrize("width", [1280, 390])
def test_a_figure_is_enlarged_by_keyboard(browser, page, width):
    browser.show(page.as_uri(), width)
    browser.js("document.querySelector('figure svg').id = 'first'")
    where = "document.getElementById('first').closest('dialog, figure').tagName"
    size = "document.getElementById('first').getBoundingClientRect().width"
    browser.js("document.querySelector('.enlarge').focus()")
    before = browser.js(size)
    browser.press("Enter", 13, "\r")
    assert browser.js(where) == "DIALOG" and browser.js("document.getElementById('large').open")
    assert browser.js(size) > before
    assert browser.js("document.querySelector('#large').scrollWidth") <= width
    fitted = browser.js(size)
    browser.press("+", 187, "+")
    assert browser.js(size) > fitted
    browser.press("Escape", 27)
    assert browser.js(where) == "FIGURE" and browser.js(size) == before
    assert browser.js("document.activeElement.className").startswith("enlarge")


def test_it_prints_on_A4(browser, page):
    browser.show(page.as_uri(), theme="dark")
    pdf = browser.pdf()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert len(boxes) >= 3
    assert all((round(float(w)), round(float(h))) == (595, 842) for w, h in boxes)
    claims = "[...document.querySelectorAll('details.claim')].some((node) => node.open)"
    assert browser.js(f"dispatchEvent(new Event('beforeprint')); {claims}")  # a page of few claims shows them
    assert not browser.js(f"dispatchEvent(new Event('afterprint')); {claims}")
