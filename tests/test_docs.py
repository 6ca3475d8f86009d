"""Every code block of the documentation runs and prints what the page shows; the site builds in strict mode.

A page's blocks run in order in one folder: ``python`` in one namespace, ``sh`` line by line (``orca-exact``
only). A ``text`` block is the output of the block before it, ``...`` standing for anything. ``console``
blocks are not run.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shlex
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
ELLIPSIS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def shell(line: str, out: StringIO) -> None:
    from orca_exact.cli.parser import parser, run

    program, *words = shlex.split(line)
    assert program == "orca-exact", f"{line!r}: only orca-exact runs in a sh block; write console for others"
    args = parser(words[0]).parse_args(words)
    errors = StringIO()
    assert run(args, out, errors) == 0, f"{line}\n{errors.getvalue()}{out.getvalue()}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with the examples in it, and this Python first on the path."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


@pytest.fixture
def ledger(monkeypatch):
    """Claims and mutants that a page registers do not stay."""
    from orca_exact.paper import claims

    claims.claims()
    monkeypatch.setattr(claims, "_CLAIMS", dict(claims._CLAIMS))
    monkeypatch.setattr(claims, "_MUTANTS", dict(claims._MUTANTS))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_page(page, folder, ledger):
    pytest.importorskip("sklearn")
    namespace: dict = {"__name__": page.stem}
    printed = StringIO()
    for count, (language, text) in enumerate(blocks(page), 1):
        if language == "text":
            got = printed.getvalue()
            same = doctest.OutputChecker().check_output(text, got, ELLIPSIS)
            assert same, f"the page shows\n{text}\nand the block before prints\n{got}"
            continue
        printed = StringIO()
        if language == "python":
            with redirect_stdout(printed):
                exec(compile(text, f"{page.name}, block {count}", "exec"), namespace)
        elif language == "sh":
            for line in text.splitlines():
                shell(line, printed)
        else:
            assert language in ("console", "json"), f"{language} blocks are not known here"


def test_readme_blocks_run(folder, ledger):
    for language, text in blocks(ROOT / "README.md"):
        if language == "python":
            with redirect_stdout(StringIO()):
                exec(compile(text, "README.md", "exec"), {"__name__": "readme"})


# Numbers in prose: each pattern with what it counts. NUMBER finds those that no pattern knows.

NUMBER = re.compile(
    r"(\d[\d,]*)\s+(?:[\w-]+\s+){0,2}?(?:claims?|statements?|cells?|vectors?|sentences?|refut\w+|undecided|hold|wrong)\b"
)


def counted() -> dict[str, int]:
    from orca_exact.compare.vectors import vectors
    from orca_exact.paper.claims import FAILS, HOLDS, UNDECIDED, claims
    from orca_exact.paper.experiments import printed_tables
    from orca_exact.paper.formal import theorems
    from orca_exact.paper.summary import recorded

    found = recorded()
    echocardiogram = [table for table in printed_tables().values() if table["dataset"] == "echocardiogram"]
    return {
        r"the ledger has (\d+) claims": len(claims()),
        r"(\d+) hold\b": found.counts[HOLDS],
        r"(\d+) for all that they speak of": found.extents["for all"],
        r"(\d+) of these by machine-checked proofs": found.compiled,
        r"(\d+) finite statements": found.extents["finite"],
        r"(\d+) only in samples": found.extents["sampled"],
        r"(\d+) are refuted": found.counts[FAILS],
        r"(\d+) errors of the paper, each": len(found.errors),
        r"(\d+) sentences that only another reading refutes": len(found.arguable),
        r"(\d+) claims that fail on our own spiral": found.ours,
        r"(\d+) undecided": found.counts[UNDECIDED],
        r"tables, (\d+) cells": sum(len(row["cells"]) for table in echocardiogram for row in table["rows"]),
        r"all (\d+) conformance vectors": len(vectors()),
        r"in general: (\d+) claims": len({c for theorem in theorems() for c in theorem.covers}),
        r"(\d+) theorems in Rocq": len(theorems()),
    } | {rf"(\d+) {severity}": number for severity, number in found.severities.items()}


def test_numbers_of_the_readme_are_those_of_the_ledger():
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for pattern, count in counted().items():
        assert [int(found) for found in re.findall(pattern, text)] == [count], pattern


def test_the_sentence_of_the_readme_is_the_computed_one(monkeypatch):
    from orca_exact.paper.summary import recorded

    monkeypatch.syspath_prepend(DOCS)
    made = importlib.import_module("from_paper")
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert made.counted(recorded()) in text


def test_the_report_counts_like_the_readme():
    pytest.importorskip("jinja2")
    pytest.importorskip("latex2mathml")
    from orca_exact.paper.claims import claims
    from orca_exact.paper.summary import recorded
    from orca_exact.report.content import Content
    from orca_exact.report.html import render

    found = recorded()
    page = render(Content([(c, c.recorded()) for c in claims()]))
    assert f"<p>{len(found.errors)} sentences of the paper are refuted, each counted once" in page
    assert f"{found.ours} claims fail on our own spiral" in page


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
    text = " ".join(BLOCK.sub("", page.read_text(encoding="utf-8")).split())
    text = re.sub(r"Exit codes: [^.]*\.", "", text)
    known = {}
    for pattern, count in counted().items():
        known |= {found.start(1): count for found in re.finditer(pattern, text)}
    for found in NUMBER.finditer(text):
        assert known.get(found.start(1)) == int(found[1].replace(",", "")), found[0]


def fields(rule, place: str):
    """Every field that a schema names, with its place and its rule; those of alternatives and items too."""
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
    from orca_exact.formats import names, schema

    told: dict[str, bool] = {}
    for name in names():
        assert schema(name).get("title") and schema(name).get("description"), name
        for place, rule in fields(schema(name), name):
            told[place] = told.get(place, False) or bool(rule.get("description"))
    assert len(told) > 100
    assert [place for place, meant in told.items() if not meant] == []
