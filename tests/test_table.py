"""Problems from CSV files: exact numbers, reported decisions, clear errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import orca
from here import ROOT

from orca_exact import QQ, Discrete, Hermite, Laguerre, Linear, Problem, certify
from orca_exact import orca as orca_profile
from orca_exact.cli.verbs.tutorial import TEA
from orca_exact.errors import BadFile, BadParameter
from orca_exact.numbers.rationals import to_float
from orca_exact.svm.certify import default_level
from orca_exact.table import Table, scale_gamma

SMALL = "width,length,kind\n0.1,2,tea\n0.3,?,tea\n1/3,5,milk\n-2e-3,1,milk\n"


def test_numbers_are_exact():
    long = "0.1234567890123456789012345678901234567890"
    table = Table.parse(f"a,b,kind\n{long},1\u2009,x\n0x1.8p-1,3,y\n".replace("\u2009", " "))
    X = table.problem("kind", 2).problem.X
    assert ((QQ(long), QQ(1)), (QQ("3/4"), QQ(3))) == X
    assert X[0][0] != QQ(0.1234567890123456789)  # no conversion to float


@pytest.mark.parametrize(
    "content",
    [
        SMALL,
        "\ufeff" + SMALL,
        SMALL.replace("\n", "\r\n"),
        SMALL.replace(",", ";"),
        SMALL.replace(",", "\t"),
        SMALL.replace(",", "|"),
        SMALL.replace(",", ", "),
        SMALL.replace("tea", '"tea"').replace("width", '"width"'),
        SMALL.replace("\n", "\n\n"),
        SMALL.replace("?", "NaN"),
        SMALL.replace("?", ""),
        SMALL.replace("?", " NA "),
    ],
)
def test_one_table_in_many_formats(tmp_path, content):
    file = tmp_path / "t.csv"
    file.write_bytes(content.encode())
    chosen = Table.read(file).problem("kind", 2)
    assert ((QQ("0.1"), 2), (QQ("1/3"), 5), (QQ("-0.002"), 1)) == chosen.problem.X
    assert (chosen.problem.y, chosen.positive, chosen.counts) == ((1, -1, -1), "tea", {"milk": 2, "tea": 1})
    assert chosen.problem.names == ("width", "length") and chosen.problem.rescale
    assert [column for _, column in chosen.dropped] == ["length"]


def test_quoted_and_given_delimiters():
    table = Table.parse('"a;b";"c, d";kind\n1;2;x\n3;5;y\n')
    assert table.header == ("a;b", "c, d", "kind")
    assert Table.parse("a b kind\n1 2 x\n3 4 y\n", " ").header == ("a", "b", "kind")


def test_labels():
    def y(labels: str, **options):
        rows = "".join(f"{k},{label}\n" for k, label in enumerate(labels.split()))
        chosen = Table.parse("x,kind\n" + rows).problem("kind", 1, **options)
        return chosen.positive, "".join("+" if label > 0 else "-" for label in chosen.problem.y)

    assert y("0 1 0") == ("1", "-+-")
    assert y("-1 +1 +1") == ("+1", "-++")
    assert y("1/2 2/4 1/2") == ("2/4", "-+-")  # texts: a label need not be a number
    assert y("10 9 10") == ("10", "+-+")  # sorted by value
    assert y("no yes no") == ("yes", "-+-")
    assert y("no yes no", positive="no") == ("no", "+-+")
    assert y("a b c a", positive="a") == ("a", "+--+")
    assert y("1 2 3", positive="2") == ("2", "-+-")
    with pytest.raises(BadFile, match=r"there is no class '2\.0'; did you mean '2'"):
        y("1 2 3", positive="2.0")


@pytest.mark.parametrize("labels", ["1 1.0 2", "+1 -1 1", "0 -0 1", "1/2 0.5 1", "1e1 2 10", "x 1 01 2"])
def test_labels_that_look_like_one_number_are_a_question(labels):
    rows = "".join(f"{k},{label}\n" for k, label in enumerate(labels.split()))
    with pytest.raises(BadFile, match="one class or two"):
        Table.parse("x,kind\n" + rows).problem("kind", 1, positive=labels.split()[0])


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        ("", {}, "the table has no rows of data; write a header"),
        ("a,kind\n", {}, "no rows"),
        ("kind\nx\ny\n", {}, "only one column, 'kind'; specify the delimiter"),
        ("1,2\n3,4\n", {}, "line 1: 1, 2 are numbers, not names of columns; add a header line"),
        ("a,a,kind\n1,2,x\n", {}, "the column 'a' occurs twice"),
        ("a,kind\n1,x\n2,y,3\n", {}, "line 3: the row has 3 fields, the header 2"),
        ("a,kind\n1,5,x\n2,5,y\n", {}, "or pass --delimiter ';'; if , is the decimal mark, also --decimal ,"),
        ('a,kind\n"1"2,x\n', {}, "line 2: ',' expected after '\"'; repair the quotes"),
        ('a,kind\n1,"x\n2,y\n', {}, "unexpected end of data"),
        ("a;kind\n2;y\n1,5;x\n", {}, "line 3, column 'a': '1,5' is not a number; for a decimal comma"),
        ("a;kind\n2;y\n1,234.5;x\n", {}, "without thousands separators"),
        ("a,kind\n2,y\n5%,x\n", {}, "'5%' is not a number; write an integer"),
        ("a,kind\n2,y\ninf,x\n", {}, "'inf' is not a number"),
        ("a,name,kind\n1,Jo,x\n2,Al,y\n", {}, "has no numbers, but 2 values such as 'Jo' (at most 20"),
        ("a,kind\n1,x\n2,x\n", {}, "there is only one class: x (2)"),
        ("a,kind\n1,x\n2,y\n3,z\n", {}, "3 classes: x (1), y (1), z (1); choose the positive one with"),
        ("a,kind\n1,x\n2,y\n", {"positive": "z"}, "there is no class 'z'; choose from x (1), y (1)"),
        ("a,b,kind\n1,7,x\n1,8,y\n", {}, "a constant column cannot be rescaled: a; choose columns: b"),
        ("a,kind\n?,x\n,y\n", {}, "every row has a missing value"),
        (SMALL, {"strict": True}, "line 3: column 'length' has no value (1 row has missing values)"),
        (SMALL, {"columns": ["widht"]}, "there is no column 'widht'; did you mean 'width'?"),
        (SMALL, {"columns": ["width", "1"]}, "used twice"),
        (SMALL, {"columns": ["kind"]}, "'kind' is the label column; leave it out, and choose from width"),
        (SMALL, {"columns": ["9"]}, "there is no column '9'; choose from width,length,kind"),
    ],
)  # fmt: skip
def test_bad_tables(content, options, says):
    with pytest.raises(BadFile) as error:
        Table.parse(content).problem("kind", 1, **options)
    assert says in str(error.value)


def test_not_utf_8(tmp_path):
    for raw in ("größe,kind\n1,x\n".encode("latin-1"), SMALL.encode("utf-16")):
        file = tmp_path / "t.csv"
        file.write_bytes(raw)
        with pytest.raises(BadFile, match="not UTF-8"):
            Table.read(file)


def test_a_constant_column_is_allowed_without_rescaling():
    table = Table.parse("a,b,kind\n1,0,x\n1,1,y\n")
    assert table.problem("kind", 1, rescale=False).problem.points[0, 0] == 1
    assert table.problem("kind", 1, measures=Hermite()).problem.measures == (Hermite(), Hermite())


# The command.


@pytest.fixture
def tea(tmp_path):
    file = tmp_path / "my tea.v2.csv"
    file.write_text(TEA)
    return file


def test_the_example_is_the_table_of_the_tutorial():
    assert (ROOT / "examples" / "tea.csv").read_text() == TEA


def test_the_verb_reports_its_decisions(tea, tmp_path):
    target = tmp_path / "mine.json"
    words = ("problem", str(tea), "--label", "taste", "--n", "2", "-o", str(target))
    code, out, err = orca(*words)
    assert (code, err) == (0, "")
    assert "27 points with 3 columns: temperature, minutes, spoons\nkernel: n = 2" in out
    assert "label +1: good (17 points)\nlabel -1: bad (10 points)\n" in out
    assert "left out: 1 of 28 rows, because a value is missing (line 11, column minutes)\n" in out
    assert f"next: orca-exact profile {target}" in out
    problem = Problem.load(target)
    assert (problem.id, problem.m, problem.names[1], problem.X[0][0]) == ("my tea", 27, "minutes", QQ("69.2"))
    code, out, _ = orca(*words, "--format", "json")
    facts = json.loads(out)
    assert facts["dropped"] == [{"line": 11, "column": "minutes"}] and facts["sha256"] == problem.sha256
    code, _, err = orca(*words, "--strict")
    assert code == 4 and "line 11" in err


def test_the_verb_writes_to_standard_output(tea):
    code, out, err = orca("problem", str(tea), "--label", "4", "--n", "2", "--columns", "spoons", "minutes")
    assert (
        code == 0 and "left out" in err and Problem.from_json(json.loads(out)).names == ("spoons", "minutes")
    )
    code, out, err = orca("problem", str(tea), "--label", "4", "--n", "2", "--columns", "2", "3", "--quiet")
    assert (code, err) == (0, "") and json.loads(out)


def test_the_verb_takes_measures_degrees_and_C(tea):
    words = ("problem", str(tea), "--label", "taste", "--quiet")
    _, out, _ = orca(*words, "--n", "3", "2", "1", "--C", "1/3", "--alpha=-1/2", "--beta", "-0.5")
    problem = Problem.from_json(json.loads(out))
    assert (problem.degrees, problem.C, problem.alpha, problem.beta) == (
        (3, 2, 1),
        QQ("1/3"),
        QQ("-1/2"),
        QQ("-1/2"),
    )
    _, out, _ = orca(*words, "--n", "1", "--measure", "hermite", "laguerre:1/2", "--measure", "jacobi:1,2")
    problem = Problem.from_json(json.loads(out))
    assert problem.measures[:2] == (Hermite(), Laguerre("1/2")) and problem.measures[2].beta == 2
    for wrong, says in (
        (("--n", "1", "2"), "2 values were given for 3 coordinates"),
        (("--n", "1", "--C", "0"), "C: 0 is not positive"),
        (("--n", "1", "--columns", "spoons,minutes"), "as in --columns spoons minutes"),
        (("--n", "1", "--measure", "gauss"), "FAMILY is one of jacobi, hermite, laguerre"),
        (("--n", "1", "--measure", "hermite:1"), "'hermite:1' does not have the form FAMILY"),
        (("--n", "1", "--measure", "hermite", "--alpha", "1"), "is given with --alpha"),
        (("--n", "1", "--measure", "laguerre:-2"), "--measure.alpha"),
        (("--n", "1", "--delimiter", "::"), "is not one character"),
        (("--n", "1", "--no-rescale"), "lies outside [-1, 1]; leave out --no-rescale or correct the value"),
    ):  # fmt: skip
        code, out, err = orca(*words, *wrong)
        assert (code, out, err.count("\n")) == (4, "", 1) and says in err, err


# Names.


def test_no_value_depends_on_names():
    plain = Problem([["0", "1"], ["1/2", "-1"]], [1, -1], n=2, alpha=0, beta=0, id="p")
    named = plain.replace(names=["width", "length"])
    assert (named.names, named.sha256) == (("width", "length"), plain.sha256)
    assert plain.to_json()["schema"] == "orca-exact/problem/1" and "names" not in plain.to_json()
    assert named.to_json()["schema"] == "orca-exact/problem/2"
    assert named.to_json(names=False) == plain.to_json()
    assert Problem.from_json(named.to_json()) == named != plain
    assert named.replace(n=3).names == named.names


@pytest.mark.parametrize(
    ("names", "says"),
    [(["a"], "1 name was given for 2"), (["a", "a"], "names[1]"), (["a", " "], "names[1]"),
     (["a", 1], "names[1]"), ("ab", "1 name was"), (7, "names: 7 is not a list of names")],
)  # fmt: skip
def test_bad_names(names, says):
    with pytest.raises(BadParameter) as error:
        Problem([["0", "1"], ["1/2", "-1"]], [1, -1], n=2, alpha=0, beta=0, names=names)
    assert says in str(error.value)


def test_names_in_version_1_are_refused():
    data = Problem([["0"], ["1/2"]], [1, -1], n=2, alpha=0, beta=0).to_json()
    with pytest.raises(BadFile, match="the field 'names' is new in version 2"):
        Problem.from_json(data | {"names": ["a"]})


def test_certificates_and_references_do_not_depend_on_names(tmp_path):
    from orca_exact import certify
    from orca_exact.checker import check
    from orca_exact.conformance.reference_maker import make_reference

    plain = Table.parse(TEA).problem("taste", 1).problem.replace(names=())
    named = plain.replace(names=["a", "b", "c"])
    assert certify(named).to_json() == (data := certify(plain).to_json())
    assert make_reference(named).to_json() == make_reference(plain).to_json()
    by_hand = named.replace(C=[1] * 26 + [2])
    data = certify(by_hand).to_json()
    before = check(data)["problem"]["sha256"]
    from orca_exact.files.formats import add_digest

    data["problem"]["names"] = ["a", "b", "c"]
    body = {key: value for key, value in data.items() if key != "sha256"}
    assert check(add_digest(body))["problem"]["sha256"] == before == by_hand.sha256


def test_profile_shows_names(tea, tmp_path):
    target = str(tmp_path / "mine.json")
    orca("problem", str(tea), "--label", "taste", "--n", "1", "-o", target)
    for form in ("text", "markdown"):
        _, out, _ = orca("profile", target, "--format", form)
        assert "OKC_1  temperature" in out and "OKC_12  temperature × minutes" in out
    data = json.loads(Path(target).read_text(encoding="utf-8"))
    data["names"] = ["x\x1b[2K\n", "y" * 300, "ordinary"]
    Path(target).write_text(json.dumps(data), encoding="utf-8")
    _, out, _ = orca("profile", target)
    assert "\x1b" not in out and max(map(len, out.splitlines())) <= 110 and "OKC_3  ordinary" in out


def test_pictures_show_names(tea, tmp_path):
    pytest.importorskip("matplotlib")
    target, figure = str(tmp_path / "mine.json"), tmp_path / "f.svg"
    orca("problem", str(tea), "--label", "taste", "--n", "1", "-o", target)
    for words in (("profile", target, "--kind"), ("study", "null", target, "--repeats", "3", "--picture")):
        code, _, err = orca(*words, "pairs", "--figure", str(figure))
        assert code == 0 and "temperature" in figure.read_text(), err
        figure.unlink()


SHIP = "age,sex,port,alive\n" + "".join(
    f"{age},{sex},{port},{alive}\n"
    for age, sex, port, alive in (
        (1, "f", "S", 1), (2, "m", "Q", 0), (3, "m", "S", 0), (5, "f", "C", 1), (8, "f", "S", 0),
        (13, "m", "C", 1), (21, "f", "Q", 1), ("", "f", "S", 1),
    )
)  # fmt: skip


def test_categories_have_codes_and_their_frequencies():
    chosen = Table.parse(SHIP).problem("alive", 2)
    problem = chosen.problem
    assert chosen.categories == {"sex": ("f", "m"), "port": ("C", "Q", "S")} and chosen.missing == {"age": 1}
    assert problem.X[0] == (1, 0, 2) and problem.X[1] == (2, 1, 1) and problem.degrees == (2, 1, 2)
    assert problem.measures[1:] == (
        Discrete([0, 1], ["4/7", "3/7"]),
        Discrete([0, 1, 2], ["2/7", "2/7", "3/7"]),
    )


def test_the_order_of_the_codes_does_not_matter():
    """Rename the categories, which changes their codes, and compare the indices of columns and orders."""
    found = []
    for content in (SHIP, SHIP.replace(",C,", ",X,").replace(",f,", ",z,")):
        problem = Table.parse(content).problem("alive", 2).problem
        profile = orca_profile(problem, certify(problem), "exact")
        found.append([*profile.order, *profile.marginal, *profile.total])
    assert found[0] == found[1]


def test_categories_of_other_kernels_are_columns_of_0_and_1():
    problem = Table.parse(SHIP).problem("alive", kernel=Linear()).problem
    assert problem.names == ("age", "sex=m", "port=C", "port=Q", "port=S")
    assert problem.X[1] == (2, 1, 0, 1, 0)


@pytest.mark.parametrize("text", ["one", "x"])
def test_text_that_is_not_a_category(text):
    values = {"one": ["same"] * 4, "x": ["1", "2", "b", "b"]}[text]
    rows = "".join(f"{i},{value},{i % 2}\n" for i, value in enumerate(values))
    with pytest.raises(BadFile, match="a constant column" if text == "one" else "'b' is not a number"):
        Table.parse("a,b,kind\n" + rows).problem("kind", 1)


def test_n_order_and_C_are_chosen(tmp_path):
    file = tmp_path / "ship.csv"
    file.write_text(SHIP)
    code, out, err = orca("problem", str(file), "--label", "alive", "--columns", "age", "port", "--quiet")
    problem = Problem.from_json(json.loads(out))
    A = problem.kernel(problem.points.astype(float), problem.points.astype(float))
    assert (code, err, problem.degrees, problem.kernel.order) == (0, "", (2, 2), 1)
    assert float(problem.C) == pytest.approx(1 / A.diagonal().mean(), rel=0.05)
    code, out, _ = orca("problem", str(file), "--label", "alive", "-o", str(tmp_path / "ship.json"))
    assert "categories of port: C = 0, Q = 1, S = 2\n" in out and "missing values" not in out
    assert "left out: 1 of 8 rows, because a value is missing (line 9, column age)\n" in out
    code, out, _ = orca("problem", str(file), "--label", "alive", "--n", "1", "--C", "relative", "--quiet")
    assert code == 0 and Problem.from_json(json.loads(out)).C != 1


def test_the_next_command_takes_seconds(tmp_path, monkeypatch):
    (tmp_path / "ship.csv").write_text(SHIP)
    words = ("problem", str(tmp_path / "ship.csv"), "--label", "alive", "-o", str(tmp_path / "s.json"))
    assert orca(*words)[1].endswith("s.json\n")
    monkeypatch.setattr("orca_exact.cli.verbs.problem.LONG_SECONDS", 0)
    assert orca(*words)[1].endswith("s.json --arithmetic float\n")


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 0], [2, 2]],
        [["0.1", "1/3"], ["1e-20", "7"], ["0.30000000000000004", "-2.5"]],
        [["1e40", "1"], ["-1e40", "1/97"]],
        [[0], [QQ(2) / (1 + QQ(2) ** -53)]],  # 1/variance lies beside a boundary between two float64
    ],
)
def test_gamma_is_rounded_as_the_exact_value(rows):
    problem = Problem(rows, [1, -1, 1][: len(rows)], 1, measures=Hermite())
    values = list(problem.points.flat)
    mean = sum(values) / len(values)
    exact = len(values) / (problem.d * sum((x - mean) ** 2 for x in values))
    assert scale_gamma(problem.points) == QQ(to_float(exact))


def test_gamma_halfway_between_two_numbers_is_decided_over_the_rationals():
    a = 94906266
    M = QQ(a) ** 2 + 1  # an odd number of 54 bits lies halfway between two float64
    values = [2 * a / M, -2 * a / M, 2 / M, -2 / M, *[QQ(0)] * 4]  # their variance is 1/M
    points = Problem([[x] for x in values], [1, -1] * 4, 1, measures=Hermite()).points
    assert QQ(to_float(M)) != M and scale_gamma(points) == QQ(to_float(M))


def test_many_columns_are_not_named_on_one_line(tmp_path):
    d = 60
    lines = [",".join([f"gene_{j}" for j in range(d)] + ["kind"])]
    lines += [",".join([str((i * j) % 7 + i) for j in range(d)] + ["ab"[i % 2]]) for i in range(4)]
    file = tmp_path / "wide.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    code, out, _ = orca(
        "problem", str(file), "--label", "kind", "--n", "2", "-o", str(tmp_path / "wide.json")
    )
    assert code == 0 and "gene_19 and 40 more" in out and "gene_20" not in out
    assert "about 4.24e+28 modes" in out and max(map(len, out.splitlines())) < 300


def test_the_default_level_is_exact_only_if_that_is_quick():
    few = [[f"{i}/9", f"{i * i}/97"] for i in range(5)]
    many = [[f"{(i * k * 7919) % 9973}/9973" for k in range(1, 6)] for i in range(150)]
    assert default_level(Problem(few, [1, -1, 1, -1, 1], 2, 0, 0)) == "exact"
    assert default_level(Problem(many, [1, -1] * 75, 25, 0, 0)) == "ball"


LONG = "x" * 3000


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (f"{LONG},kind\n1,a\nz,b\n2,a\n", {"label": "kind"}),
        (f"{LONG},b,kind\n1,3,a\n1,4,b\n", {"label": "kind"}),
        (f"a,{LONG}\n1,a\n2,b\n", {"label": "nothing"}),
        (f"a,{LONG}\n1,1\n2,1.0\n", {"label": LONG}),
        (f"a,kind\n1,{LONG}\n2,b\n3,c\n", {"label": "kind"}),
        (f"a,kind\n1,{LONG}\n2,b\n", {"label": "kind", "positive": LONG + "y"}),
        (f"{LONG},{LONG},kind\n1,2,a\n2,3,b\n", {"label": "kind"}),
    ],
)
def test_long_names_are_cut_in_messages(content, options):
    with pytest.raises(BadFile) as error:
        Table.parse(content).problem(n=1, **options)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("C", "shown"), [("1e400", "1.000000000e+400"), ("1e-400", "1.000000000e-400"), ("7/9876543210", "7.08")]
)
def test_a_C_beyond_float64_is_shown(tmp_path, C, shown):
    table = tmp_path / "t.csv"
    table.write_text("a,kind\n1,x\n2,y\n3,x\n")
    code, out, _ = orca(
        "problem", str(table), "--label=kind", "--n=1", f"--C={C}", "-o", str(tmp_path / "p.json")
    )
    assert code == 0 and f"C = {shown}" in out, out
