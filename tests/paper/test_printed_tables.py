"""The printed tables are copied faithfully, and their internal contradictions are known."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from importlib.resources import files

import pytest

PRINTED = json.loads((files("proofs_checks") / "data" / "printed_tables.json").read_text(encoding="utf-8"))
TABLES = {table["id"]: table for table in PRINTED["tables"]}
LEVELS = {"spiral": [1, 2, 3, 5, 8, 12, 14, 16], "echocardiogram": [1, 2, 5, 6, 7, 8, 10, 15, 25]}
DECIMALS = {"spiral": 4, "echocardiogram": 3}


def cells(table, row):
    return dict(zip(table["columns"], row["cells"], strict=True))


@pytest.fixture(scope="module")
def sources(paper):
    """Return the LaTeX of every table of the paper by label."""
    tables = re.findall(r"\\begin\{table\}.*?\\end\{table\}", paper.read_text(encoding="utf-8"), re.S)
    return {re.search(r"\\label\{(.*?)\}", table)[1]: table for table in tables}


def tabular(source):
    inside = re.search(r"\\toprule(.*)\\bottomrule", source, re.S)[1].replace(r"\midrule", "")
    lines = (line.split("&") for line in inside.split(r"\\") if line.strip())
    return [[" ".join(cell.split()) for cell in line] for line in lines]


def plain(header):
    return re.sub(r"\$|\\mathrm|\\|[{}]", "", header).replace("N^*", "N*").strip()


def test_every_table_is_copied(sources):
    copied = [*TABLES.values(), PRINTED["features"]]
    assert {t["label"]: t["number"] for t in copied} == {label: i for i, label in enumerate(sources, 1)}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_as_printed(table, sources, paper):
    source = sources[table["label"]]
    head, *body = tabular(source)
    assert [plain(cell) for cell in head] == ["n", *table["columns"]]
    assert body == [[str(row["n"]), *row["cells"]] for row in table["rows"]]
    lines = paper.read_text(encoding="utf-8").splitlines()
    for row in table["rows"]:
        found = lines[row["line"] - 1].removesuffix(r"\\").split("&")
        assert [cell.strip(" \\") for cell in found] == [str(row["n"]), *row["cells"]]
    caption = re.sub(r"[\s$]|\\,", "", source)
    assert rf"(\alpha,\beta)=({table['alpha']},{table['beta']})" in caption
    assert f"C={table['C']}" in caption


def test_features_as_printed(sources):
    _, *body = tabular(sources[PRINTED["features"]["label"]])
    copied = [[row["index"], row["description"]] for row in PRINTED["features"]["rows"]]
    assert [[plain(index).replace("_", ""), text] for index, text in body] == copied


def test_lists_of_the_text(paper):
    """The values of n in text and captions are the rows; Figure 2's caption has the pairs that we draw."""
    from proofs_checks.experiments.optima import FIGURE_1, FIGURE_2

    text = re.sub(r"\s|\\,|\$", "", paper.read_text(encoding="utf-8"))
    lists = [[int(n) for n in found.split(",")] for found in re.findall(r"n\\in\\\{([\d,]+)\\\}", text)]
    long = [found for found in lists if len(found) > 4]
    assert long == [list(FIGURE_1), LEVELS["spiral"], LEVELS["echocardiogram"]]
    caption = text[text.index("Toprow}:symmetric") : text.index(r"\label{fig:boundary_varying_ab}")]
    assert re.findall(r"\(([\d.]+),([\d.]+)\)", caption) == list(FIGURE_2)


def test_shape():
    assert list(TABLES) == [
        "tab-spiral-legendre",
        "tab-spiral-jacobi",
        "tab-echo-legendre",
        "tab-echo-jacobi-a",
        "tab-echo-jacobi-b",
    ]
    for table in TABLES.values():
        assert [row["n"] for row in table["rows"]] == LEVELS[table["dataset"]]
        places = DECIMALS[table["dataset"]]
        for row in table["rows"]:
            for column, text in cells(table, row).items():
                form = r"\d+|--" if column[0] in "NT" else rf"[01]\.\d{{{places}}}"
                assert re.fullmatch(form, text), (table["id"], row["n"], column, text)


def test_features_shape():
    assert [row["index"] for row in PRINTED["features"]["rows"]] == ["x1", "x2", "x3", "x4", "x5"]


def contradictions(table, row):
    """Yield the identities that a printed row violates by more than rounding allows."""
    cell = cells(table, row)
    half = Decimal(5).scaleb(-DECIMALS[table["dataset"]] - 1)
    value = {name: Decimal(text) for name, text in cell.items() if text != "--"}
    orders = [name for name in value if name.startswith("OKC^")]
    sums = {
        # Two complementary numbers round to complementary decimals, so no slack here.
        "even + odd = 1": (value["even"] + value["odd"] - 1, 0),
        # OKC^(0) = 0 exactly, printed or not: it brings no rounding error.
        "orders sum to 1": (sum(value[q] for q in orders) - 1, half * len(set(orders) - {"OKC^(0)"})),
    }
    if "OKC_1" in value:
        sums["marginals"] = (value["OKC_1"] + value["OKC_2"] - value["OKC^(1)"], half * 3)
    yield from (name for name, (defect, slack) in sums.items() if abs(defect) > slack)
    thresholds = [int(cell[name]) for name in ("T_0.10", "T_0.05", "T_0.01") if cell[name] != "--"]
    if len(thresholds) < 3:
        yield "T exists"  # F(dn) = 1
    if not 0 <= value["N*"] <= table["d"] * row["n"] or thresholds != sorted(thresholds):
        yield "order of degrees"
    if thresholds[-1] > table["d"] * row["n"]:
        yield "T <= dn"
    if row["n"] == 1:  # every mode has N = q
        mass = [value.get(f"OKC^({q})", 0) for q in range(table["d"] + 1)]
        if abs(sum(mass[::2]) - value["even"]) > half * 4 or value["N*"] != mass.index(max(mass)):
            yield "N = q at n = 1"


def test_print_contradicts_itself_only_here():
    found = {
        (table["id"], row["n"], name)
        for table in TABLES.values()
        for row in table["rows"]
        for name in contradictions(table, row)
    }
    assert found == {
        ("tab-spiral-legendre", 5, "even + odd = 1"),
        ("tab-spiral-legendre", 12, "T exists"),
        ("tab-echo-legendre", 2, "orders sum to 1"),
    }


@pytest.mark.parametrize("column", ["even", "odd", "OKC^(1)", "OKC^(2)", "OKC^(5)", "N*", "T_0.01"])
def test_a_wrong_digit_is_noticed(column):
    table = TABLES["tab-echo-jacobi-b"]
    row = table["rows"][0]
    at = table["columns"].index(column)
    wrong = {"N*": "3", "T_0.01": "6"}.get(column, str(Decimal(row["cells"][at]) + Decimal("0.007")))
    spoiled = {**row, "cells": [*row["cells"][:at], wrong, *row["cells"][at + 1 :]]}
    assert not list(contradictions(table, row))
    assert list(contradictions(table, spoiled))
