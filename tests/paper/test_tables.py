"""The rounding rule, the comparison of the tables, and the output of the verb."""

from __future__ import annotations

import json

import pytest
from command import orca
from flint import arb, fmpq

from orca_exact.files.validation import validate
from orca_exact.numbers.rationals import precision_digits
from orca_exact.profile.indices import UndecidedSummary, summary_to_json
from proofs_checks.experiments import tables
from proofs_checks.experiments.optima import printed_tables
from proofs_checks.experiments.tables import (
    CONFIRMED,
    REFUTED,
    UNSETTLED,
    compare_printed,
    judge_cell,
    rounded,
)
from proofs_checks.section6.echocardiogram import REFUTED as RECORDED


def ball(mid, rad=0):
    return arb(fmpq(*mid), fmpq(*rad) if rad else 0)


@pytest.mark.parametrize(
    ("printed", "value", "verdict"),
    [
        ("0.360", ball((3604, 10000)), CONFIRMED),
        ("0.360", ball((3606, 10000)), REFUTED),
        ("0.5", ball((9, 20), (1, 10**30)), UNSETTLED),  # a ball across the edge decides nothing
        ("0.5", arb("0.4375"), REFUTED),
        ("0.0000", arb(0, 1e-40), CONFIRMED),
        ("11", 11, CONFIRMED),
        ("11", 12, REFUTED),
        ("--", 23, REFUTED),
        ("11", UndecidedSummary((11, 12), "balls overlap"), UNSETTLED),
    ],
)
def test_rounding_rule(printed, value, verdict):
    assert compare_printed(printed, value) == verdict


def test_the_edge_belongs_to_the_printed_number():
    assert compare_printed("0.500", arb("0.5004882812500")) == CONFIRMED
    with precision_digits(60):
        assert compare_printed("0.50", ball((1, 2))) == CONFIRMED
        inside, outside = ball((505, 1000)) - ball((1, 10**40)), ball((505, 1000)) + ball((1, 10**40))
    assert (compare_printed("0.50", inside), compare_printed("0.50", outside)) == (CONFIRMED, REFUTED)


def test_rounded():
    with precision_digits(50):
        assert rounded(ball((2, 3)), 4) == "0.6667"
        assert rounded(ball((-1, 300)), 3) == "-0.003"
        assert rounded(arb(0, 1e-30), 4) == "0.0000"
    assert rounded(arb(0.5, 0.2), 3) != "0.500"
    assert rounded(7, 3) == "7"


def test_more_digits_when_a_ball_meets_the_edge(monkeypatch):
    """A wide ball does not decide; a higher precision does."""
    wide, sharp = ball((3605, 10000), (1, 1000)), ball((3606, 10000))
    asked = []

    def sharper(problem, digits, cache):
        asked.append(digits)
        return "sharp" if digits >= 200 else "wide"

    monkeypatch.setattr(tables, "certified_optimum", sharper)
    monkeypatch.setattr(tables, "column_value", lambda r, c: sharp if r == "sharp" else wide)
    table = printed_tables()["tab-echo-legendre"]

    class Result:
        problem = None

    cell = judge_cell(table, 2, "OKC^(3)", "0.360", Result())
    assert (cell.verdict, asked) == (REFUTED, [100, 200])


@pytest.fixture(scope="module")
def judged(echocardiogram):
    return tables.compare_table("echocardiogram", jobs=2)


def test_every_cell_is_decided(judged):
    assert tables.count_verdicts(judged) == {CONFIRMED: 283, REFUTED: 14, UNSETTLED: 0}
    found = {
        (c.table, c.n, c.column): c.shown()
        for _, rows in judged
        for row in rows
        for c in row
        if c.verdict == REFUTED
    }
    assert found == RECORDED


def test_libsvm_is_a_witness(echocardiogram, judged):
    """A row computed by libsvm and by enumeration of all modes in float64 agrees with the table."""
    import numpy as np
    from sklearn.svm import SVC

    from orca_exact import OrthogonalPolynomials
    from orca_exact.kernels.modes import Modes
    from proofs_checks.experiments.optima import configuration

    p = configuration("echocardiogram", 2)
    X = np.array([[int(x.p) / int(x.q) for x in row] for row in p.points])
    kernel = OrthogonalPolynomials(2)
    svc = SVC(kernel="precomputed", C=1, tol=1e-10, max_iter=2_000_000).fit(kernel(X, X), p.y)
    c = svc.dual_coef_[0] @ kernel.features(X[svc.support_])
    share = np.zeros(6)
    for k, value in zip(Modes((2,) * 5, 5), c, strict=True):
        share[sum(i > 0 for i in k)] += value**2
    share /= share.sum()
    row = judged[0][1][1]
    certified = {cell.column: cell.value for cell in row}
    assert [float(certified[f"OKC^({q})"]) for q in range(1, 6)] == pytest.approx(share[1:], abs=1e-5)


def test_verb_text(judged):
    code, out, err = orca("tables", "echocardiogram")
    assert (code, err) == (0, "")
    assert "297 cells: 283 confirmed, 14 refuted, 0 undecided" in out
    assert (
        "0.360✗" in out and "tab-echo-legendre/n=2/OKC^(3): refuted, printed 0.360, certified 0.366022" in out
    )
    assert "\x1b[" not in out and max(map(len, out.splitlines())) <= 100
    assert orca("tables", "echocardiogram", "--strict")[0] == 1


def test_verb_json_is_of_its_schema(judged):
    import jsonschema

    code, out, _ = orca("tables", "echocardiogram", "--format", "json")
    data = json.loads(out)
    schema = json.loads(orca("schema", "tables")[1])
    jsonschema.validate(data, schema)
    assert code == 0 and data["schema"] == "orca-exact/tables/1" and len(data["tables"]) == 3
    cells = [c for t in data["tables"] for row in t["rows"] for c in row["cells"]]
    assert len(cells) == 297 and sum(c["verdict"] == "refuted" for c in cells) == 14


def test_verb_says_for_which_C_each_row_is_the_same(judged, monkeypatch):
    far = {
        (table["id"], row[0].n): ("0.5", None if row[0].n > 2 else "1.5")
        for table, rows in judged
        for row in rows
    }
    monkeypatch.setattr("proofs_checks.verbs.tables.same_print_intervals", lambda *_: far)
    out = orca("tables", "echocardiogram", "--every-C")[1]
    assert "- tab-echo-legendre/n=2: [0.5, 1.5]\n- tab-echo-legendre/n=5: [0.5, oo)\n" in out
    data = json.loads(orca("tables", "echocardiogram", "--every-C", "--format", "json")[1])
    validate(data, "orca-exact/tables/1", "tables")
    assert data["tables"][0]["rows"][0]["same_print"] == {"lower": "0.5", "upper": "1.5"}


def test_verb_markdown(judged):
    code, out, _ = orca("tables", "echocardiogram", "--format", "markdown")
    assert code == 0 and "| ~~0.360~~ **0.366** |" in out


def test_spiral_cells_are_undecided_and_show_our_values():
    code, out, _ = orca("tables", "spiral")
    assert code == 0
    assert "176 cells: 0 confirmed, 0 refuted, 176 undecided (generator not given" in out
    assert "0.0188?" in out and "0.8822" in out
    code, out, err = orca("tables", "spiral", "--data", "x")
    assert (code, out) == (4, "") and "does not apply" in err


def test_missing_data_is_said(monkeypatch, tmp_path):
    from proofs_checks.experiments import optima as experiments

    experiments._data.cache_clear()
    experiments.configuration.cache_clear()
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    code, out, err = orca("tables", "echocardiogram")
    assert (code, out) == (4, "") and "orca-exact data echocardiogram" in err and err.count("\n") == 1
    experiments._data.cache_clear()
    experiments.configuration.cache_clear()


def test_undecided_degrees_are_said_not_crashed_on(monkeypatch):
    from proofs_checks.ledger.claims import Unknown
    from proofs_checks.section6 import echocardiogram as echo

    left = UndecidedSummary((7, 8), "balls overlap")
    cell = tables.Cell("tab-echo-legendre", 2, "N*", "7", left, tables.compare_printed("7", left))
    assert (cell.verdict, cell.shown(), cell.to_json()["value"]) == (
        "undecided",
        "7 or 8",
        summary_to_json(left),
    )
    monkeypatch.setattr(echo.values, "result", lambda id, n: None)
    monkeypatch.setattr(tables, "column_value", lambda result, column: left)
    monkeypatch.setattr(tables, "judge_cell", lambda *args: cell)
    (relation,) = echo.cell(("tab-echo-legendre", 2, "N*"))
    assert isinstance(relation, Unknown) and "7 or 8" in relation.where


def test_rounded_to_whole_numbers():
    assert tables.rounded(arb("11.2"), 0) == "11" and tables.rounded(arb("-0.25"), 1) == "-0.2"
    assert tables.rounded(arb("0.0456"), 3) == "0.046"
