"""Tests of the documentation site: it builds without warnings, its links work, it agrees with the code."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from here import ROOT

pytestmark = pytest.mark.slow
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site as a user would, without the network; this takes some ten seconds."""
    for needed in ("sphinx", "myst_parser", "furo", "latex2mathml", "sklearn"):
        pytest.importorskip(needed)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-t", "offline", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", folder / "trees", DOCS, folder / "html"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


class Page(HTMLParser):
    """The anchors, the links and the text of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.words = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids |= {given["id"]} if given.get("id") else set()
        self.links += [given[name] for name in ("href", "src") if given.get(name)]

    def handle_data(self, data):
        self.words += data


@pytest.fixture(scope="module")
def pages(site):
    return {path.name: Page(path) for path in site.glob("*.html")}


def test_every_internal_link_works(site, pages):
    assert len(pages) > len(PAGES)
    for name, page in pages.items():
        for link in page.links:
            target = urlsplit(link)
            if target.scheme or target.netloc:
                continue
            file = target.path or name
            assert (site / unquote(file)).exists(), f"{name}: {link}"
            if target.fragment and file in pages:
                assert unquote(target.fragment) in pages[file].ids, f"{name}: {link}"


def test_every_page_is_reached_from_the_front_page(pages):
    """The links of the table of contents count too."""
    seen, todo = set(), ["index.html"]
    while todo:
        name = todo.pop()
        if name in pages and name not in seen:
            seen.add(name)
            todo += [urlsplit(link).path for link in pages[name].links]
    assert {f"{page.stem}.html" for page in PAGES} <= seen


def test_the_site_loads_nothing_from_a_network(site):
    for page in site.glob("*.html"):
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page.read_text(encoding="utf-8")):
            assert not re.search(r"""(src|href)=["']?(https?:)?//""", tag), f"{page.name}: {tag}"
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), (
            sheet.name
        )


def test_mathematics_is_typeset_without_a_script(site):
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "math notranslate" not in text
        for maths in re.findall(r"<math.*?</math>", text, re.S):
            assert "\\" not in re.sub(r"<[^>]+>", "", maths), f"{page.name}: {maths}"
    assert (site / "proofs.html").read_text(encoding="utf-8").count("<math") > 50


def test_generated_pages_agree_with_the_code(site, pages):
    from orca_exact.cli.parser import list_verbs
    from orca_exact.files.validation import schema_names
    from proofs_checks.ledger.claims import claims
    from proofs_checks.ledger.summary import recorded
    from proofs_checks.letter import REMARKS, chapters

    def text(name: str) -> str:
        return (site / name).read_text(encoding="utf-8")

    def words(name: str) -> str:
        return " ".join(pages[name].words.split())

    for verb in list_verbs():
        assert f'<section id="{verb}">' in text("cli.html")
    for name in schema_names():
        assert f'<section id="{name}">' in text("formats.html")
    found = recorded()
    errors = words("paper-errors.html")
    wrong = [claim for error in (*found.errors, *found.slips) for claim in error.claims]
    assert wrong and all(claim.id in errors for claim in wrong)
    assert f"The errata have {len(found.errors)} errors" in errors
    heads = re.findall(r'<section id="([a-z-]+)">.{,99}?<h2>', text("paper-errors.html"), re.S)
    letter = [*chapters((c, c.recorded()) for c in claims()), *REMARKS]
    assert heads == [part.id for part in letter]
    assert "SymPy, jacobi_normalized" in words("benchmarks.html")
    for file in (ROOT / "examples").glob("*.py"):
        assert f"examples/{file.name}" in words("examples.html") + words("gallery.html")


def test_the_api_has_every_public_name_and_knows_other_projects(pages):
    """Without a network, links to other projects come from the inventories in docs."""
    import orca_exact
    import orca_exact.sklearn

    api = pages["api.html"]
    for name in orca_exact.__all__:
        assert f"orca_exact.{name}" in api.ids, name
    for name in orca_exact.sklearn.__all__:
        assert f"orca_exact.sklearn.{name}" in api.ids, name
    hosts = {urlsplit(link).netloc for link in api.links}
    assert {"numpy.org", "docs.sympy.org", "mpmath.org", "www.cvxpy.org", "scikit-learn.org"} <= hosts
