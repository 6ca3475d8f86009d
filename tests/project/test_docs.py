"""Tests that every code block of the documentation runs and prints what the page shows.

The blocks of a page run in order in one folder: ``python`` in one namespace, ``sh`` line by line
(``orca-exact`` only). A ``text`` block is the complete output of the block before it, in which a line
``[... N more lines]`` replaces exactly N lines. Any other block has ``<!-- not run: why -->`` or
``<!-- run by tests/x/test_y.py -->`` above it.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import sys
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from here import ROOT
from marks import quick

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
SLOW = ("cluster", "implementation", "order2", "sklearn", "studies")  # long, or many processes
READ = (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
FENCE = re.compile(r"^(?:<!-- (.*?) -->\n)?^(`{3,}|~{3,})([^\n]*)\n(.*?)^\2$", re.M | re.S)
OMITTED = re.compile(r"\[\.\.\. (?:1 more line|(\d+) more lines)\]")
REASON = re.compile(r"not run: \S.*|run by (tests/[\w/]+\.py|\.ci/run)")
COMMANDS = {"main": "run by .ci/run", "test": "run by .ci/run"}  # marks that .ci/run looks for in the README
DIRECTIVES = ("{eval-rst}", "{toctree}")  # only in text generated for Sphinx


class Block(NamedTuple):
    """A fenced block, and the text of the comment above it."""

    mark: str
    language: str
    text: str

    @property
    def runs(self) -> bool:
        return not self.mark and self.language in ("python", "sh")


def blocks(text: str) -> list[Block]:
    return [Block(mark, language, body) for mark, _, language, body in FENCE.findall(text)]


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def parsed(line: str):
    """Return the parsed command; raise SystemExit if the command line does not accept it."""
    from orca_exact.cli.parser import make_parser

    program, *words = shlex.split(line, comments=True)
    assert program == "orca-exact", f"{line!r}: only orca-exact runs in a sh block; mark other blocks"
    return make_parser(words[0]).parse_args(words)


def shell(line: str, out: StringIO) -> None:
    from orca_exact.cli.parser import run_verb

    errors = StringIO()
    assert run_verb(parsed(line), out, errors) == 0, f"{line}\n{errors.getvalue()}{out.getvalue()}"


def compare(shown: str, printed: str) -> None:
    """Raise AssertionError unless a page shows all printed lines, except those that it counts as omitted."""
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    expected: list[str] = []
    for line in shown.strip("\n").splitlines():
        if omitted := OMITTED.fullmatch(line):
            start, count = len(expected), int(omitted[1] or 1)
            assert start + count <= len(lines), f"{line}: only {len(lines)} lines are printed"
            expected += lines[start : start + count]
        else:
            assert "..." not in line, f"{line!r}: show the whole line, or omit it with '[... N more lines]'"
            expected.append(line)
    assert expected == lines, f"the page shows\n{shown}\nand the block before prints\n{printed}"


def test_only_whole_lines_are_omitted_and_they_are_counted():
    compare("a\n[... 2 more lines]\nd\n", "a\nb\nc\nd\n")
    compare("a\n[... 1 more line]\n", "a\nb\n")
    for shown in ("a\n[... 1 more line]\nd", "a\n[... 3 more lines]\nd", "a\n...\nd", "a\nb\nc", "a\nb..."):
        with pytest.raises(AssertionError):
            compare(shown, "a\nb\nc\nd\n")
    with pytest.raises(AssertionError):
        compare("a ... c", "a ... c")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Change to an empty folder that has only the examples, with this Python first on the path."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ORCA_EXACT_PAPER", raising=False)  # the pages quote no source
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


@pytest.fixture
def ledger(monkeypatch):
    """Remove the claims and mutants that a page registers."""
    from proofs_checks.ledger import claims, mutants

    claims.claims()
    monkeypatch.setattr(claims, "_CLAIMS", dict(claims._CLAIMS))
    monkeypatch.setattr(mutants, "_MUTANTS", dict(mutants._MUTANTS))


@pytest.mark.parametrize(
    "page",
    quick(PAGES, {page for page in PAGES if page.stem not in SLOW}),
    ids=lambda page: page.stem,
)
def test_page(page, folder, ledger):
    pytest.importorskip("sklearn")
    namespace: dict = {"__name__": page.stem}
    printed = StringIO()
    for count, block in enumerate(blocks(read(page)), 1):
        if block.language == "text" and not block.mark:
            compare(block.text, printed.getvalue())
        elif block.runs:
            printed = StringIO()
            if block.language == "python":
                with redirect_stdout(printed):
                    exec(compile(block.text, f"{page.name}, block {count}", "exec"), namespace)
            else:
                for line in block.text.splitlines():
                    shell(line, printed)


def strays(text: str) -> list[Block]:
    """Return the blocks that are neither run, nor output of such a block, nor marked with a valid reason."""
    found, before = [], None
    for block in blocks(text):
        shows = block.language == "text" and before is not None and before.runs
        reason = REASON.fullmatch(COMMANDS.get(block.mark, block.mark))
        valid = reason and (not reason[1] or (ROOT / reason[1]).exists())
        if not (block.runs or shows or valid or block.language in DIRECTIVES):
            found.append(block)
        before = before if shows else block
    return found


@pytest.mark.parametrize("page", [*READ, *PAGES], ids=lambda page: page.stem)
def test_every_block_is_run_or_says_why_not(page, monkeypatch):
    """Generated parts of the pages are included; the sh blocks of the README are only parsed, see below."""
    monkeypatch.syspath_prepend(DOCS)
    generate = importlib.import_module("generate")
    assert strays(generate.expand(read(page))) == []


def test_a_stray_block_is_noticed():
    run, shown = "```python\nprint(1)\n```\n", "```text\n1\n```\n"
    other = "```console\n$ make\n```\n"
    assert strays(run + shown + "<!-- not run: why -->\n" + other) == []
    assert strays("<!-- run by tests/project/test_docs.py -->\n" + run) == []
    assert [block.language for block in strays(shown + other + run)] == ["text", "console"]
    for mark in ("not run:", "run by tests/project/test_nothing.py", "todo"):
        assert len(strays(f"<!-- {mark} -->\n{other}")) == 1


def commands(text: str) -> list[str]:
    """Return every orca-exact command of a block, also after a prompt or after another command."""
    lines = [line.removeprefix("$ ") for line in text.splitlines()]
    parts = [part.split(" #")[0].strip() for line in lines for part in line.split(" && ")]
    return [part for part in parts if part.startswith("orca-exact ")]


def test_every_command_that_is_shown_is_understood():
    """Blocks that are not run are included."""
    shown = [
        command
        for page in (*READ, *PAGES)
        for block in blocks(read(page))
        if block.language in ("sh", "console")
        for command in commands(block.text)
    ]
    assert len(shown) > 15
    for command in shown:
        parsed(command)


def test_readme_blocks_run_and_print_what_their_comments_say(folder, ledger):
    for block in blocks(read(ROOT / "README.md")):
        if block.language == "python":
            printed = StringIO()
            with redirect_stdout(printed):
                exec(compile(block.text, "README.md", "exec"), {"__name__": "readme"})
            said = [line.split("  # ")[1] for line in block.text.splitlines() if line.startswith("print(")]
            shown = printed.getvalue().splitlines()
            assert said and [comment.split(": ")[0] for comment in said] == shown


LINK = re.compile(r"!?\[[^]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", [*READ, *PAGES], ids=lambda page: page.stem)
def test_links_work_in_a_checkout(page):
    """A relative link names a file; its anchor must be a heading if no part of the page is generated."""
    for link in LINK.findall(FENCE.sub("", read(page))):
        file, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor and "<!-- made: " not in read(target):
            heads = re.findall(r"^#+ (.+)$", FENCE.sub("", read(target)), re.M)
            slugs = [re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads]
            assert anchor in slugs, f"{page.name}: {link} is none of {slugs}"


def test_pictures_show_what_is_computed(monkeypatch):
    """Each picture has the digest of its numbers; ``python docs/pictures.py`` draws them again."""
    monkeypatch.syspath_prepend(DOCS)
    pictures = importlib.import_module("pictures")
    for name in pictures.PICTURES:
        assert pictures.digest() in read(DOCS / "images" / f"orca-{name}.svg"), name
        assert f"images/orca-{name}.svg" in read(DOCS / "orca.md"), name


def test_the_certificate_of_the_page_is_what_certify_makes():
    """Only the versions may differ, and the digest, which depends on them."""
    from orca_exact import Problem, certify

    shown = json.loads(read(ROOT / "examples" / "certificates" / "two_points.json"))
    made = certify(Problem.from_json(shown["problem"])).to_json()
    assert {key for key in shown if shown[key] != made.get(key)} <= {"versions", "sha256"}


# Numbers in prose: each pattern with the true number. NUMBER also finds numbers that no pattern lists.

NUMBER = re.compile(
    r"(\d[\d,]*)\s+(?:[\w-]+\s+){0,2}?(?:claims?|statements?|cells?|vectors?|sentences?|refut\w+|undecided|hold|wrong)\b"
)


@cache
def counted() -> dict[str, int]:
    from wrong_programs import WRONG

    from orca_exact.conformance.vectors import vectors

    return {
        r"all (\d+) conformance vectors": len(vectors()),
        r"(\d+) wrong ones, with one mistake each": len(WRONG),
    }


@cache
def findings() -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(DOCS)
        return importlib.import_module("from_paper").findings()


def test_the_readme_shows_what_was_found():
    assert findings() in read(ROOT / "README.md")


@pytest.mark.slow
def test_the_report_counts_like_the_readme():
    pytest.importorskip("jinja2")
    pytest.importorskip("latex2mathml")
    from proofs_checks.ledger.claims import claims
    from proofs_checks.ledger.summary import recorded
    from proofs_checks.report.content import Content
    from proofs_checks.report.html import render

    found = recorded()
    page = render(Content([(c, c.recorded()) for c in claims()]))
    assert f"The errata have {len(found.errors)} errors" in page
    assert f"{len(found.slips)} slips of print and grammar" in page


def test_the_version_is_the_same_everywhere():
    from orca_exact import __version__

    def read(name: str) -> str:
        return (ROOT / name).read_text(encoding="utf-8")

    assert re.findall(r"^version: (.*)$", read("CITATION.cff"), re.M) == [__version__]
    assert re.findall(r"^## (\S+)", read("CHANGELOG.md"), re.M)[0] == __version__
    assert re.findall(r"^version = (.*)$", read("pyproject.toml"), re.M) == [
        '{attr = "orca_exact.__version__"}'
    ]


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_every_number_about_the_ledger_is_one_that_is_counted(page):
    shown = read(page).replace(findings(), "")
    text = " ".join(FENCE.sub("", shown).split())
    text = re.sub(r"Exit codes: [^.]*\.", "", text)
    known = {}
    for pattern, count in counted().items():
        known |= {found.start(1): count for found in re.finditer(pattern, text)}
    for found in NUMBER.finditer(text):
        assert known.get(found.start(1)) == int(found[1].replace(",", "")), found[0]


def fields(rule, place: str):
    """Yield every field of a schema with its place and its rule, also inside alternatives and items."""
    if isinstance(rule, list):
        for item in rule:
            yield from fields(item, place)
    elif isinstance(rule, dict):
        for name, own in rule.items():
            if name == "properties":
                for field, inner in own.items():
                    yield f"{place}.{field}", inner
                    yield from fields(inner, f"{place}.{field}")
            elif name == "$defs":
                for kind, inner in own.items():
                    yield from fields(inner, f"{place}#{kind}")
            else:
                yield from fields(own, place)


def test_every_field_of_every_schema_has_its_meaning():
    import orca_exact.profile.indices  # noqa: F401  registers a part of two schemas
    from orca_exact.files.validation import schema, schema_names

    described: dict[str, bool] = {}
    for name in schema_names():
        assert schema(name).get("title") and schema(name).get("description"), name
        for place, rule in fields(schema(name), name):
            described[place] = described.get(place, False) or bool(rule.get("description"))
    assert len(described) > 100
    assert [place for place, found in described.items() if not found] == []


def test_the_three_routes_come_first_and_name_what_they_use():
    """The page is the first link of the README's documentation and of the start page."""
    readme, index = read(ROOT / "README.md"), read(DOCS / "index.md")
    assert LINK.search(readme.split("## Documentation")[1])[1] == "docs/routes.md"
    assert next(target for target in LINK.findall(index) if target.endswith(".md")) == "routes.md"
    headings = re.findall(r"^## (\w+)", read(DOCS / "routes.md"), re.MULTILINE)
    assert headings == ["SymPy", "CVXPY", "mpmath"]
    section = readme.split("## Three ways to check a result")[1].split("## ")[0]
    rows = [line for line in section.splitlines() if "`orca-exact" in line]
    assert [row.split("`")[1].split()[1] for row in rows] == ["polynomials", "solve", "profile"]
    for row in rows:
        parsed(row.split("`")[1])
