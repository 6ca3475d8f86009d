"""Names from outside are shown as they are in every output: nothing is eaten, merged, or read as markup."""

from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from io import StringIO
from xml.etree import ElementTree

import pytest
from command import orca

from orca_exact import Problem, certify
from orca_exact import orca as orca_profile
from orca_exact.errors import BadParameter, printable
from orca_exact.files.escaping import for_latex, for_markdown, short_names
from orca_exact.studies import overfit, sweep

NAMES = [
    "length [mm]", "a [/b]", ":smile:", "a|b", "<img src=x onerror=alert(1)>", "*a* _b_ `c`", "[x](y)",
    "[x[y]](z)",
    "$x_{1}$", "$\\frac", "100 % & #1 {a}", "~~a~~", "# a", "- a", "1. a", "=1+1", "@sum", "&lt;", "a\\*b",
    "a\tb\x1b[2K",
    "\u202eevil\u2066", "x" * 200, "x" * 199 + "y", "_a", "<!-- -->", "[a]: b",
]  # fmt: skip


def problem(names, id="p") -> Problem:
    X = [[(7 * i + 3 * j * j + i * j) % 11 for j in range(len(names))] for i in range(8)]
    y = [1, -1, 1, -1, 1, 1, -1, -1]
    return Problem(X, y, n=1, alpha=0, beta=0, rescale=True, names=names, id=id, C=1)


class Text(HTMLParser):
    """The text and the tags of a page."""

    def __init__(self, page: str):
        super().__init__()
        self.text, self.tags = "", set()
        self.feed(page)

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return a file of a problem with two columns for each name, beside another one."""
    folder = tmp_path_factory.mktemp("names")
    made = {}
    for k, name in enumerate(NAMES):
        path = folder / f"{k}.json"
        path.write_text(json.dumps(problem([name, "other"], name).to_json()), encoding="utf-8")
        made[name] = str(path)
    return made


def cut(name: str, most: int = 24) -> str:
    shown = printable(name)
    return shown if len(shown) <= most else shown[: most - 3]


@pytest.mark.parametrize("name", NAMES)
def test_text_on_a_terminal(files, name):
    code, out, err = orca("profile", files[name], "--arithmetic", "float")
    assert code == 0, err
    assert out.count(cut(name)) >= 2  # the id and the column
    assert out.startswith(printable(name)[:40])
    code, out, err = orca("profile", files[name], "--row", "1", "--arithmetic", "float")
    assert code == 0 and cut(name) in out
    assert "\x1b" not in out and "\u202e" not in out


@pytest.mark.parametrize("name", NAMES)
def test_markdown(files, name):
    markdown = pytest.importorskip("markdown_it").MarkdownIt("gfm-like", {"linkify": False, "html": True})
    code, out, err = orca(
        "profile", files[name], "--row", "1", "--format", "markdown", "--arithmetic", "float"
    )
    assert code == 0, err
    page = Text(markdown.render(out))
    assert page.tags <= {"h2", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    assert cut(name) in page.text and printable(name) in page.text
    assert page.text.count("other") == 1
    rendered = Text(markdown.render(for_markdown(name)))
    assert rendered.tags == {"p"} and rendered.text.strip() == printable(name)


@pytest.mark.parametrize("name", NAMES)
def test_json_keeps_the_name(files, name):
    data = json.loads(orca("profile", files[name], "--format", "json", "--arithmetic", "float")[1])
    assert data["id"] == name


@pytest.mark.parametrize("name", NAMES)
def test_html_of_notebooks(name):
    given = problem([name, "other"], name)
    profile = orca_profile(given, certify(given, level="float"), "float")
    attributions = profile.attributions(given.points[0])
    for page in (
        profile._repr_html_(),
        attributions._repr_html_(),
        sweep(given, C=[1, 2], keep=False)._repr_html_(),
    ):
        found = Text(page)
        assert found.tags <= {"div", "table", "thead", "tbody", "tr", "th", "td", "b"}
    assert printable(name)[:40] in Text(attributions._repr_html_()).text
    shown = Text(attributions._repr_html_()).text
    for value in attributions.values[0]:
        assert f"{value:.4f}" in shown  # with its sign


@pytest.mark.parametrize("name", NAMES)
def test_pictures(name):
    pytest.importorskip("matplotlib")
    given = problem([name, "other"], name)
    profile = orca_profile(given, certify(given, level="float"), "float")
    for kind in ("columns", "shapes"):
        figure = profile.plot(kind)
        ElementTree.fromstring(figure._repr_svg_())
    figure = profile.attributions(given.points[0]).plot()
    ElementTree.fromstring(figure._repr_svg_())
    labels = [label.get_text().replace(r"\$", "$") for label in figure.axes[0].get_yticklabels()]
    assert any(label.startswith(short_names([name], 24)[0]) for label in labels)
    study = sweep([problem(["a", "b"], name), problem(["a", "b"], "other")], n=[1, 2], keep=False)
    shown = study.plot("order_1").axes[0].get_legend()
    assert len(shown.get_texts()) == 2


def test_tables_of_comma_separated_values():
    study = sweep([problem(["a", "b"], name) for name in NAMES], keep=False)
    rows = list(csv.DictReader(StringIO(study.to_csv())))
    assert [row["id"].removeprefix("'") for row in rows] == [printable(name) for name in NAMES]
    assert not any(row["id"].startswith(("=", "@", "+")) or row["id"].startswith("- ") for row in rows)
    assert all(printable(name)[:30] in str(study) for name in NAMES)


def test_studies_show_their_problem():
    given = problem(["a", "b"], "[/b] | <b>")
    assert "[/b] | <b>" in str(overfit(given, n=[1, 2], folds=2, repeats=1, keep=False))


@pytest.mark.parametrize("name", NAMES)
def test_latex_has_no_command_from_a_name(name):
    text = for_latex(name)
    for sign in "&%$#_{}":
        bare = text.replace(r"\textbackslash{}", "").replace(r"\textbar{}", "").replace(r"\textless{}", "")
        bare = bare.replace(r"\textgreater{}", "").replace(r"\^{}", "").replace(r"\~{}", "")
        assert sign not in bare.replace(f"\\{sign}", "")


def test_long_names_that_begin_alike_stay_different():
    names = ["x" * 199 + c for c in "abc"]
    assert len({*short_names(names, 24)}) == 3
    given = problem(names)
    profile = orca_profile(given, certify(given, level="float"), "float")
    rows = [row["index"] for row in profile.summary_rows()]
    assert len({*rows}) == len(rows)


def test_names_that_differ_by_blanks_are_refused():
    with pytest.raises(BadParameter, match="but for blanks at its ends"):
        problem(["a", "a "])
