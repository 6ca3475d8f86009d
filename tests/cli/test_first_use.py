"""Tests of first use: narrow and plain terminals, missing packages, tables of many kinds."""

import builtins
import io
import json
import re
from pathlib import Path
from random import Random

import pytest
from command import orca
from flint import arb
from here import ROOT, XOR

from orca_exact import Problem
from orca_exact.cli.parser import make_parser, run_verb
from orca_exact.cli.verbs.tutorial import _STEPS
from orca_exact.errors import install_command
from orca_exact.files.formats import write_json
from orca_exact.numbers.rationals import QQ, format_decimal
from proofs_checks.experiments.tables import UNSETTLED, Cell
from proofs_checks.verbs import facts


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def zero(tmp_path):
    """Write a problem with w = 0: two equal points with different labels."""
    table, file = tmp_path / "zero.csv", tmp_path / "zero.json"
    table.write_text("a,b,label\n1,2,x\n1,2,y\n3,1,x\n")
    assert orca("problem", str(table), "--label", "label", "--n", "2", "-o", str(file))[0] == 0
    return str(file)


def many(tmp_path, d):
    """Write a problem whose labels are the XOR of the first two of d columns."""
    X = [[(-1) ** (i // 2**j % 2) * QQ(j + 2) / (j + 3) for j in range(d)] for i in range(4)]
    file = tmp_path / "many.json"
    write_json(file, Problem(X, [1, -1, -1, 1], 1, alpha=0, beta=0).to_json())
    return str(file)


# The output states what is proved.


def test_the_hard_margin_is_said_as_it_is_proved():
    _, out, _ = orca("profile", XOR, "--digits", "5")
    assert "hard margin: a larger C gives the same classifier" in out
    assert "largest for C from 0 to 0.0583713\n" in orca("path", XOR)[1]


def test_the_tutorial_claims_nothing_about_tea():
    assert not any("tea is good" in text for text, _ in _STEPS)


@pytest.mark.parametrize("arguments", [(), ("--digits", "60"), ("--check",)])
def test_w_0_is_settled(zero, arguments):
    code, out, err = orca("profile", zero, *arguments)
    assert (code, out) == (4, "") and "w = 0: the classifier is constant" in err


def test_a_null_of_w_0_says_so(zero):
    code, out, _ = orca("study", "null", zero, "-B", "9")
    assert code == 0 and "No index is defined for the observed labels: w = 0" in out
    assert "indices differ" not in out


def test_few_permutations_are_told():
    _, out, _ = orca("study", "null", XOR, "-B", "20")
    said = " ".join(out.split())
    assert "With 20 permutations, no p can be below 0.095 and no p family below 0.047" in said
    assert "raise --repeats" not in orca("study", "null", XOR, "-B", "40")[1]


# Everything that was requested is shown and nothing is cut.


@pytest.mark.parametrize("columns", ["40", "100"])
def test_as_many_digits_as_asked_for(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    out = orca("profile", XOR, "--digits", "50")[1]
    exact = json.loads(orca("profile", XOR, "--arithmetic", "exact", "--format", "json")[1])
    assert format_decimal(QQ(exact["okc"]["even"]["exact"]), 50) in re.sub(r"[\s█▉▊▋▌▍▎▏]", "", out)
    assert "…" not in out


def test_a_problem_of_limited_order(tmp_path):
    file, tea = tmp_path / "p.json", str(ROOT / "examples" / "tea.csv")
    made = ("problem", tea, "--label", "taste", "--n", "3", "-o", str(file))
    code, out, _ = orca(*made, "--order", "2")
    assert code == 0 and "order at most 2, 37 modes" in out
    problem = Problem.load(file)
    assert json.loads(file.read_text())["schema"] == "orca-exact/problem/3" and problem.kernel.order == 2
    _, out, _ = orca("profile", str(file), "--digits", "5")
    assert "order at most 2" in out and "total_2  minutes" in out and "Shapley_3  spoons" in out
    _, out, _ = orca("study", "sweep", str(file), "--order", "2", "3", "--no-cache")
    assert "order at most" in out.splitlines()[-5]
    assert orca(*made, "--order", "3")[0] == 0 and Problem.load(file).kernel.order is None  # all columns
    for wrong, said in (
        ("4", "order: 4 is more than the 3 columns"),
        ("0", "order: 0 is not an integer of at least 1"),
    ):
        code, _, err = orca(*made, "--order", wrong)
        assert code == 4 and said in err


LEFT_OUT = "13 OKC_i, 78 OKC_ij, 13 total_i, 13 Shapley_i"


@pytest.mark.parametrize(("d", "said"), [(6, None), (7, "21 OKC_ij"), (13, LEFT_OUT)])
def test_what_is_left_out_is_told(d, said, tmp_path):
    out = " ".join(orca("profile", many(tmp_path, d), "--digits", "5")[1].split())
    assert (f"not shown: {said}; --format json prints them" in out) if said else "not shown" not in out


@pytest.mark.parametrize("columns", ["40", "60", "80"])
@pytest.mark.parametrize("words", [("study", "null", XOR, "-B", "9"), ("tables", "spiral")])
def test_no_number_is_cut(words, columns, monkeypatch):
    names = ("even", "odd", "OKC^(0)", "OKC^(1)", "OKC_1", "OKC_2", "OKC^(2)", "N*", "T_0.10")
    cells = [
        [Cell("tab", n, name, "0.1234", arb(1) / n, UNSETTLED, "ours") for name in names] for n in (3, 25)
    ]
    table = {"number": 1, "dataset": "spiral", "alpha": "0", "beta": "0", "C": "1", "d": 2, "columns": names}
    monkeypatch.setattr("proofs_checks.verbs.tables.compare_table", lambda *how: [(table, cells)])
    monkeypatch.setenv("COLUMNS", columns)
    narrow = orca(*words)[1]
    monkeypatch.setenv("COLUMNS", "200")
    wide = orca(*words)[1]
    assert "…" not in narrow and max(map(len, narrow.splitlines())) <= int(columns)
    numbers = r"\d\.\d{4}"
    assert sorted(re.findall(numbers, narrow)) == sorted(re.findall(numbers, wide)) != []


def test_plain_ascii_stays_aligned():
    stdout = io.TextIOWrapper(io.BytesIO(), "ascii", errors="replace")
    args = make_parser("study").parse_args(
        ["study", "overfit", XOR, "--n", "1", "2", "--folds", "2", "-B", "2"]
    )
    assert run_verb(args, stdout, io.StringIO()) == 0
    stdout.seek(0)
    lines = stdout.read().splitlines()
    at = next(i for i, line in enumerate(lines) if "+- s.e." in line)
    assert lines[at].index("+- s.e.") + len("+- s.e.") in {
        m.end() for m in re.finditer(r"\S+", lines[at + 1])
    }


# Quiet, pictures, packages.


def test_quiet_is_data_and_errors_only(tmp_path):
    table, made = tmp_path / "tea.csv", str(tmp_path / "made.json")
    table.write_text("a,label\n1,x\n2,y\n")
    assert orca("problem", str(table), "--label", "label", "--n", "1", "-o", made, "-q") == (0, "", "")
    for words in (("path", XOR, "-o", made), ("certify", XOR, "-o", made), ("reference", XOR, "-o", made)):
        assert "written:" in orca(*words)[1] and "written:" not in orca(*words, "-q")[1]


def test_one_name_for_a_picture(tmp_path, capsys):
    file = tmp_path / "x.svg"
    for name in ("--picture", "--kind"):
        assert orca("profile", XOR, "--figure", str(file), name, "blocks")[0] == 0
    assert orca("study", "null", XOR, "-B", "9", "--figure", str(file), "--picture", "pairs")[0] == 0
    assert orca("study", "null", XOR, "--figure", str(file), "--picture", "blocks")[0] == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "pairs" in said and "choose from" in said and "'blocks'" not in said.partition("choose from")[2]
    assert orca("study", "null", XOR, "--picture", "pairs")[0] == 4


def without(monkeypatch, package):
    real = builtins.__import__

    def absent(name, *rest, **more):
        if name.partition(".")[0] == package:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)


@pytest.mark.parametrize(
    ("package", "wanted", "words"),
    [
        ("matplotlib", "orca-exact[plots]", ("profile", "--figure", "x.svg")),
        ("matplotlib", "orca-exact[plots]", ("path", "--figure", "x.svg")),
        ("matplotlib", "orca-exact[plots]", ("study", "null", "--figure", "x.svg")),
        ("pandas", "pandas", ("study", "null", "-o", "x.csv")),
        ("pyarrow", "pyarrow", ("study", "null", "-o", "x.parquet")),
    ],
)
def test_a_missing_package_is_told_before_the_work(package, wanted, words, monkeypatch):
    monkeypatch.setattr(Problem, "load", lambda path: pytest.fail("the work has begun"))
    without(monkeypatch, package)
    code, out, err = orca(*words, XOR)
    assert (code, out) == (4, "") and f"{package} is not installed; run {install_command(wanted)}\n" in err
    assert err.count("\n") == 1


# Tables of other kinds.


def made(tmp_path, content, *words):
    table, file = tmp_path / "table.csv", tmp_path / "table.json"
    table.write_text(content)
    code, _, err = orca("problem", str(table), "--n", "1", "-o", str(file), *words)
    return code, Problem.load(file) if code == 0 else err


@pytest.mark.parametrize("first", ["0.5,2,x", "0.5,2,z", "1,2,x", "3,4,x"])
def test_a_table_without_names(first, tmp_path):
    content = f"{first}\n3,1,y\n2,2.5,x\n"
    code, err = made(tmp_path, content, "--label", "3", "--positive", "y")
    assert code == 4 and "line 1" in err and "--no-header" in err
    code, problem = made(tmp_path, content, "--label", "3", "--positive", "y", "--no-header")
    assert code == 0 and problem.m == 3 and problem.names == ("column 1", "column 2")


def test_names_that_count_are_names(tmp_path):
    code, problem = made(tmp_path, "0,1,kind\n0.5,2,x\n3,1,y\n", "--label", "kind")
    assert code == 0 and problem.m == 2 and problem.names == ("0", "1")


def test_a_decimal_comma(tmp_path):
    content = "a;b;kind\n0,5;1;x\n1,25;2;y\n"
    code, err = made(tmp_path, content, "--label", "kind")
    assert code == 4 and "--decimal ," in err
    code, problem = made(tmp_path, content, "--label", "kind", "--decimal", ",")
    assert code == 0 and problem == made(tmp_path, content.replace(",", "."), "--label", "kind")[1]
    code, err = made(tmp_path, content.replace("1,25", "1.250"), "--label", "kind", "--decimal", ",")
    assert code == 4 and "thousands" in err and "line 3" in err
    code, err = made(tmp_path, content, "--label", "kind", "--decimal", ",", "--delimiter", ",")
    assert code == 4 and "is also the delimiter" in err


def test_one_row_has_its_own_message(tmp_path):
    code, err = made(tmp_path, "a,kind\n1,x\n", "--label", "kind")
    assert code == 4 and "only one row of data; a classifier needs points of two classes" in err


# Singular and plural.


def test_one_segment(tmp_path):
    out = orca("path", XOR, "--from", "1", "--to", "1.01")[1]
    assert "in 1 segment C from" in " ".join(out.split())


def test_the_doctor_says_a_name_once(monkeypatch, tmp_path):
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    assert not facts()["echocardiogram"].startswith("echocardiogram")


def test_help_says_where_the_examples_are(capsys):
    orca("profile", "--help")
    assert "examples/ is in the source tree" in capsys.readouterr().out


def test_files_that_are_not_problems_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("a,kind\n1,x\n2,y\n", encoding="utf-8")
    Path("empty.json").touch()
    code, _, err = orca("profile", "data.csv")
    assert code == 4 and "orca-exact problem data.csv --label COLUMN --n 2 -o NAME.json" in err
    code, _, err = orca("profile", "empty.json")
    assert code == 4 and "empty.json: is empty; " in err


@pytest.mark.parametrize("verb", ["certify", "path", "reference", "profile", "study null"])
def test_a_missing_folder_is_noticed_before_the_computation(verb, tmp_path):
    option = "--figure" if verb == "profile" else "-o"
    code, _, err = orca(*verb.split(), "missing.json", option, str(tmp_path / "nope" / "x.svg"))
    assert code == 4 and "its folder does not exist; create the folder" in err  # not: missing.json


def test_profile_says_first_whether_the_model_predicts(tmp_path):
    file = tmp_path / "line.json"
    X = [[k / 20, (7 * k % 11) / 11] for k in range(-20, 20)]
    good = Problem(X, [1 if x > 0 else -1 for x, _ in X], n=1, alpha=0, beta=0, C=10)
    file.write_text(json.dumps(good.to_json()))
    code, out, _ = orca("profile", str(file))
    said = " ".join(out.split())
    assert code == 0 and "of new rows are classified correctly" in said.partition("40 points")[0]
    assert "Worth reading: " in said and "always answering -1 gives 52.5 %" in said
    assert "new rows" not in orca("profile", str(file), "--cv", "0")[1]
    assert "3-fold cross-validation" in " ".join(orca("profile", str(file), "--cv", "3")[1].split())
    labels = [1, -1] * 20
    Random(1).shuffle(labels)
    noise = Problem(X, labels, n=3, alpha=0, beta=0, C=100)
    file.write_text(json.dumps(noise.to_json()))
    assert "Not worth reading: " in orca("profile", str(file))[1]
    assert "new rows" not in orca("profile", XOR)[1]  # 8 points
    code, _, err = orca("profile", XOR, "--cv", "9")
    assert code == 4 and "--cv: 9 is not from 2 to 4, the points of the smaller class" in err
    code, _, err = orca("profile", str(file), "--cv", "5", "--format", "json")
    assert code == 4 and "--cv: 5 is for the table of indices only" in err


def test_profile_does_not_cross_validate_for_long_unasked(monkeypatch, tmp_path):
    file = tmp_path / "line.json"
    X = [[k / 20] for k in range(-20, 20)]
    problem = Problem(X, [1 if x > 0 else -1 for (x,) in X], n=1, alpha=0, beta=0)
    file.write_text(json.dumps(problem.to_json()))
    monkeypatch.setattr("orca_exact.cli.verbs.profile._QUICK", 0.0)
    assert "whether the model predicts new rows was not checked" in " ".join(
        orca("profile", str(file))[1].split()
    )
