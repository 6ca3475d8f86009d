"""Stored certified values, and the verdicts that rest on them."""

import json
import math

import pytest
from command import orca
from flint import arb
from marks import quick

from orca_exact.errors import DataMissing
from orca_exact.profile.profile import orca as profile_of
from orca_exact.svm.certify import certify
from proofs_checks.experiments import datasets, stored, tables
from proofs_checks.experiments.optima import configuration, printed_tables
from proofs_checks.ledger.claims import FAILS, HOLDS, SKIPPED, claims
from proofs_checks.ledger.mutants import clear_caches
from proofs_checks.ledger.running import exit_code
from proofs_checks.section6 import facts, values
from proofs_checks.section6.echocardiogram import REFUTED

ROWS = [
    (id, row["n"])
    for id, table in printed_tables().items()
    if table["dataset"] == "echocardiogram"
    for row in table["rows"]
]


def problem(id, n):
    table = printed_tables()[id]
    return configuration("echocardiogram", n, table["alpha"], table["beta"], table["C"])


def test_the_file_says_where_it_comes_from_and_contains_no_data():
    found = stored.read_shipped(stored.FILE, "proofs_checks")
    assert found["data"] == datasets.SHA256 and found["command"] == stored.COMMAND and found["version"]
    assert [(row["table"], row["n"]) for row in found["rows"]] == ROWS
    assert {key for row in found["rows"] for key in row} == {"table", "n", "okc"}
    assert {key for row in found["rows"] for key in row["okc"]} == {*stored.FAMILIES, "peak", "threshold"}


@pytest.mark.parametrize("row", quick(ROWS, [row for row in ROWS if row[1] <= 2]), ids=str)
def test_a_row_made_again_agrees(row, echocardiogram):
    """A newly certified row, without the cache, overlaps with the stored enclosures, which are narrow."""
    made = problem(*row)
    profile, kept = profile_of(made, certify(made, level="ball"), "ball", 50), stored.stored_row(*row)
    for name in stored.FAMILIES:
        for key, value in kept.family(name).items():
            assert value.overlaps(profile.family(name)[key]) and arb(value).rad() < 1e-15, (name, key)
    assert kept.indices.stated_summary.peak == profile.peak


def test_stored_values_are_used_only_where_they_are_allowed():
    error = DataMissing("nothing here")
    with pytest.raises(DataMissing, match="nothing here"):
        stored.stored_row_if_allowed(*ROWS[0], error)
    with stored.stored_values_allowed():
        assert stored.stored_row_if_allowed(*ROWS[0], error) is stored.stored_row(*ROWS[0])
    with pytest.raises(DataMissing):
        stored.stored_row_if_allowed(*ROWS[0], error)


def test_stored_and_certified_values_judge_every_cell_alike():
    """The 14 wrong cells follow from the stored values alone."""
    wrong = {
        (id, n, column)
        for id, n in ROWS
        for column in printed_tables()[id]["columns"]
        if tables.judge_cell(
            printed_tables()[id], n, column, values.printed_text(id, n, column), stored.stored_row(id, n)
        ).verdict
        != tables.CONFIRMED
    }
    assert wrong == REFUTED.keys()


def test_not_judged_is_3_if_strict():
    known = {c.id: c for c in claims()}
    skipped = known["echo-two-routes"].verdict(SKIPPED, "no data", 0.0)
    refuted = known["echo-m61"].verdict(FAILS, "", 0.0)
    assert exit_code([skipped]) == 0 and exit_code([skipped], strict=True) == 3
    assert exit_code([skipped, refuted], strict=True) == 1


def test_the_wrong_cells_change_no_conclusion():
    """Every sentence that was checked on both has the same outcome on printed and on certified values."""
    known = {c.id: c for c in claims()}
    pairs = [
        (c, known[c.id.removesuffix("/certified")]) for c in known.values() if c.id.endswith("/certified")
    ]
    assert len(pairs) > 15
    assert [c.id for c, printed in pairs if c.expect != printed.expect] == []
    assert {c.expect for c, _ in pairs} == {HOLDS, FAILS}


@pytest.mark.parametrize("row", sorted({key[:2] for key in REFUTED}), ids=str)
def test_libsvm_gives_the_certified_values_in_rows_with_wrong_cells(row, echocardiogram):
    """The solver is libsvm at its default tolerance; kernel and indices are computed here in float64."""
    np, svm = pytest.importorskip("numpy"), pytest.importorskip("sklearn.svm")
    id, n = row
    made, table = problem(id, n), printed_tables()[id]
    number = lambda q: int(q.p) / int(q.q)  # noqa: E731
    X = np.array([[number(x) for x in point] for point in made.points])
    p = np.ones((*X.shape, n + 1))
    for k in range(n):
        a, b = map(number, made.jacobi.recurrence(k))
        p[:, :, k + 1] = (X - a) * p[:, :, k] - (b * p[:, :, k - 1] if k else 0)
    p /= np.sqrt([number(h) for h in made.jacobi.h_ratios(n)])
    a, b = float(table["alpha"]), float(table["beta"])
    mass = 2 ** (a + b + 1) * math.gamma(a + 1) * math.gamma(b + 1) / math.gamma(a + b + 2)
    R = np.einsum("idk,jdk->ijd", p, p)
    fitted = svm.SVC(kernel="precomputed", C=1.0).fit(R.prod(axis=2) / mass**5, made.y)
    s = np.zeros(len(X))
    s[fitted.support_] = fitted.dual_coef_[0]
    order = [np.ones_like(R[:, :, 0])] + [np.zeros_like(R[:, :, 0]) for _ in range(5)]
    for column in range(5):
        for q in range(5, 0, -1):
            order[q] = order[q] + order[q - 1] * (R[:, :, column] - 1)
    shares = np.array([s @ M @ s for M in order])
    found = {f"OKC^({q})": share for q, share in enumerate(shares / shares.sum())}
    points = np.exp(2j * np.pi * np.arange(5 * n + 1) / (5 * n + 1))
    at = [
        s @ np.prod([(p[:, j] * z ** np.arange(n + 1)) @ p[:, j].T for j in range(5)], axis=0) @ s
        for z in points
    ]
    degree = np.real(np.fft.fft(at))
    degree /= degree.sum()
    found |= {"even": degree[::2].sum(), "odd": degree[1::2].sum(), "N*": degree.argmax()}
    reached = np.cumsum(degree)
    found |= {f"T_{eps}": np.argmax(reached >= 1 - float(eps)) for eps in ("0.10", "0.05", "0.01")}
    for column in table["columns"]:
        decimals = tables.count_decimals(values.printed_text(id, n, column))
        certified = tables.rounded(tables.column_value(stored.stored_row(id, n), column), decimals)
        assert f"{found[column]:.{decimals}f}" == certified, column


def test_the_verdict_of_a_file_has_a_source(tmp_path, monkeypatch):
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    clear_caches()
    words = ("verify", "tab-echo-legendre/n=1/even", "eq-data", "--offline", "--format", "json", "-j", "1")
    code, out, _ = orca(*words)
    clear_caches()
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [row["source"] for row in rows if row["kind"] == "verdict"] == ["computed", "stored"]
    assert rows[-1]["stored"] == 1 and rows[-1]["not_judged"] == []


def test_the_facts_say_where_they_come_from():
    found = stored.read_shipped(stored.FACTS_FILE, "proofs_checks")
    assert found["data"] == datasets.SHA256 and found["command"] == stored.FACTS_COMMAND and found["version"]
    assert found["facts"].keys() == stored._FACTS.keys()


FACTS = sorted(stored.stored_facts())


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_made_again_agrees(name, echocardiogram):
    """Newly computed facts overlap with the stored ones; counts and rationals are equal."""

    def agree(made, kept):
        if isinstance(made, dict):
            assert list(made) == list(kept)
            for key, value in made.items():
                agree(value, kept[key])
        elif isinstance(made, list | tuple):
            for one, other in zip(made, kept, strict=True):
                agree(one, other)
        elif isinstance(made, arb):
            assert made.overlaps(kept) and arb(kept).rad() < 1e-7
        else:
            assert made == kept and type(made) is type(kept)

    agree(getattr(facts, name)(), stored.stored_facts()[name])


def test_the_facts_contain_no_record():
    """No list of 61 numbers and no record's line is stored."""
    text = json.dumps(stored.read_shipped(stored.FACTS_FILE, "proofs_checks"))

    def lengths(value):
        if isinstance(value, dict | list):
            yield len(value)
            for member in value.values() if isinstance(value, dict) else value:
                yield from lengths(member)

    assert max(lengths(json.loads(text))) <= 31  # 31 choices of features


def test_every_sentence_is_judged_without_the_data(tmp_path, monkeypatch):
    """The outcomes with and without the data are the same, but for two claims about the data themselves."""
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    clear_caches()
    needing = [c for c in claims() if c.needs and not c.group.startswith("tab-echo")]
    verdicts = {c.id: (c.run(), c.expect) for c in needing}
    clear_caches()
    other = {id for id, (verdict, expected) in verdicts.items() if verdict.outcome != expected}
    assert other == {"echo-two-routes", "echo-stored-values"}
    assert all(verdict.source == "stored" for id, (verdict, _) in verdicts.items() if id not in other)
