"""Tests of ``orca-exact study``: output, files, pictures and bad input."""

import json
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from command import orca
from here import XOR

from orca_exact import Problem
from orca_exact.cli.verbs.study import STUDY_KINDS
from orca_exact.files.validation import schema, validate
from orca_exact.studies import STUDIES, bootstrap, null
from orca_exact.studies.sweep import compute_model


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_CACHE", str(tmp_path_factory.mktemp("cache")))


def test_null_says_what_differs_and_that_it_is_no_verdict():
    code, out, err = orca("study", "null", XOR, "-B", "49")
    assert (code, err) == (0, "")
    expected = null(Problem.load(XOR), 49, keep=False)
    row = next(line.split() for line in out.splitlines() if line.startswith("OKC^(2)"))
    assert float(row[1]) == round(expected["order", 2]["observed"], 4)
    assert float(row[6]) == pytest.approx(expected["order", 2]["p"], abs=5e-3)
    assert "\n23 indices (the 7 degrees are not shown) are tested.\n" in out
    assert "at most 0.05 x 23 = 1.15 are expected on average." in " ".join(out.split())
    assert "These are statistics, not verdicts." in out
    assert not any(word in out for word in ("HOLDS", "FAILS", "UNDECIDED"))
    code, out, _ = orca("study", "null", XOR, "-B", "9", "--format", "markdown")
    assert code == 0 and "| OKC^(2) |" in out


@pytest.mark.slow
def test_workers_do_not_matter(monkeypatch):
    monkeypatch.setattr("orca_exact.studies.work.PARALLEL_THRESHOLD", 0.0)
    texts = []
    for jobs in ("1", "2", "3"):
        code, out, _ = orca("study", "null", XOR, "-B", "60", "-j", jobs, "--format", "json", "--no-cache")
        assert code == 0
        texts.append(out)
    assert texts[0] == texts[1] == texts[2]
    validate(json.loads(texts[0]), "study", "study")


def test_bootstrap_and_its_kinds():
    code, out, _ = orca("study", "bootstrap", XOR, "-B", "20")
    assert code == 0 and "BCa 95 %" in out and "redrawn" in out
    code, out, _ = orca("study", "bootstrap", XOR, "--method", "jackknife")
    assert code == 0 and "standard error" in out and "8 resamples" in out
    code, out, _ = orca(
        "study", "bootstrap", XOR, "-B", "20", "--stratified", "--rescale-again", "--format", "json"
    )
    data = json.loads(out)
    validate(data, "study", "study")
    assert data["rescale_again"] and data["stratified"]
    again = bootstrap(Problem.load(XOR), 20, stratified=True, rescale_again=True, keep=False).to_json()
    again["problem"]["id"] = data["problem"]["id"]
    assert again == data


def test_files_and_pictures(tmp_path):
    pandas = pytest.importorskip("pandas")
    expected = null(Problem.load(XOR), 19, keep=False)
    for suffix in ("json", "csv", "parquet"):
        if suffix == "parquet":
            pytest.importorskip("pyarrow")
        file = tmp_path / f"study.{suffix}"
        assert orca("study", "null", XOR, "-B", "19", "-o", str(file))[0] == 0
        if suffix == "json":
            assert json.loads(file.read_text())["indices"]["order"][2] == expected["order", 2]
        else:
            table = pandas.read_csv(file) if suffix == "csv" else pandas.read_parquet(file)
            assert table.set_index("label").loc["OKC^(2)", "p"] == expected["order", 2]["p"]
    pytest.importorskip("matplotlib")
    for kind in ("orders", "spectrum", "cumulative", "pairs"):
        file = tmp_path / f"{kind}.svg"
        assert orca("study", "null", XOR, "-B", "19", "--figure", str(file), "--picture", kind)[0] == 0
        assert b"<svg" in file.read_bytes()


def test_strata_from_a_file(tmp_path):
    file = tmp_path / "strata"
    file.write_text("a\na\na\na\nb\nb\nb\nb\n")
    code, out, _ = orca("study", "null", XOR, "-B", "9", "--strata", str(file))
    assert code == 0 and "permutations of the labels within strata" in out
    for same in (
        "\ufeffa\na\na\na\nb\nb\nb\nb",
        "a\r\na\r\na\na\nb\nb\nb\nb\n",
    ):  # a BOM and no final newline; line ends of Windows
        file.write_text(same, newline="")
        assert orca("study", "null", XOR, "-B", "9", "--strata", str(file))[1] == out
    file.write_text("a\na\na\na\nb\nb\nb\nb\nb")
    assert "strata: 9 values were given for 8 points" in orca("study", "null", XOR, "--strata", str(file))[2]
    file.write_text("a\na\n")
    code, _, err = orca("study", "null", XOR, "--strata", str(file))
    assert code == 4 and "strata: 2 values were given for 8 points" in err


@pytest.mark.parametrize(
    "words, said",
    [
        (["-B", "0"], "repeats: 0"),
        (["--seed", "-1"], "seed: -1"),
        (["-j", "0"], "--jobs: 0"),
        (["-o", "x.txt"], "x.txt has an unknown ending"),
        (["-o", "nowhere/x.json"], "its folder does not exist"),
        (["--figure", "x.doc"], "x.doc"),
        (["--scheduler", "nowhere"], "--scheduler"),
        (["--picture", "pairs"], "without --figure"),
    ],
)
def test_bad_input_is_one_line(words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = orca("study", "null", XOR, *words)
    assert code in (4, 5) and out == ""
    assert said in err and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_every_study_has_its_place_on_the_command_line():
    assert list(STUDY_KINDS) == list(STUDIES) == schema("study")["properties"]["kind"]["enum"]


def test_folders_patterns_and_json_lines(tmp_path):
    problem = json.loads(Path(XOR).read_text(encoding="utf-8"))
    first, second = ({**problem, "id": "", "C": C} for C in ("1", "5"))
    (tmp_path / "a.json").write_text(json.dumps(problem))
    (tmp_path / "b.jsonl").write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n")
    (tmp_path / "notes.txt").write_text("not a problem")
    out = tmp_path / "out" / "t.jsonl"
    out.parent.mkdir()
    rows = []
    for given in (str(tmp_path), str(tmp_path / "b*")):
        assert orca("study", "sweep", given, "--n", "1", "-o", str(out))[0] == 0
        rows.append([json.loads(line) for line in out.read_text().splitlines()])
    every, some = rows
    assert [row["id"] for row in every] == [problem["id"], "b:1", "b:2"] and every[1:] == some
    assert some[0]["total_1"] != some[1]["total_1"]
    (tmp_path / "empty").mkdir()
    for nothing in ("empty", "x*.json"):
        code, _, err = orca("study", "null", str(tmp_path / nothing))
        assert code == 4 and "there is no problem file" in err and err.count("\n") == 1


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_an_interrupted_run_leaves_the_finished_rows(suffix, tmp_path, monkeypatch):
    def compute(problem, original=compute_model):
        if json.loads(problem)["n"] == 3:
            raise KeyboardInterrupt
        return original(problem)

    file = tmp_path / f"t.{suffix}"
    words = ("study", "sweep", XOR, "--n", "1", "2", "3", "-o", str(file))
    with monkeypatch.context() as patch:
        patch.setattr(import_module("orca_exact.studies.sweep"), "compute_model", compute)
        with suppress(KeyboardInterrupt):
            orca(*words)
    left = file.read_text().splitlines()
    assert orca(*words)[0] == 0
    whole = file.read_text().splitlines()
    assert len(left) == len(whole) - 1 > 1
    if suffix == "jsonl":
        assert [json.loads(x)["order_1"] for x in left] == [json.loads(x)["order_1"] for x in whole[:-1]]
    else:
        assert left[1].split(",")[:9] == whole[1].split(",")[:9]
