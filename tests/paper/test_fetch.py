"""A verb that needs the echocardiogram data downloads them once if they are missing, and says so."""

from __future__ import annotations

import json
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from command import orca
from jsonschema import validate
from marks import quick

from orca_exact.errors import DataMissing
from orca_exact.files.outcomes import SKIPPED
from proofs_checks.experiments import datasets
from proofs_checks.ledger import claims as ledger
from proofs_checks.ledger import running
from proofs_checks.ledger.mutants import clear_caches
from proofs_checks.ledger.verdict import STORED
from proofs_checks.report import content
from proofs_checks.verbs import fetch

HERE = datasets.Table(
    (("1", "2", "3", "4", "5"), ("5", "4", "7", "2", "1")), (1, -1), datasets.FEATURES, (1, 2), "0" * 64, ()
)


@pytest.fixture(autouse=True)
def no_data(monkeypatch, tmp_path):
    monkeypatch.delenv("ORCA_EXACT_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    clear_caches()
    yield
    clear_caches()


@pytest.fixture
def refused(monkeypatch):
    """Make every download fail; return the list of attempts."""
    calls: list[dict] = []

    def download(**options):
        calls.append(options)
        raise DataMissing("refused; take them by hand")

    monkeypatch.setattr(datasets, "download_echocardiogram", download)
    return calls


@pytest.fixture
def served(monkeypatch):
    """Make the first download succeed; return the list of attempts."""
    calls: list[dict] = []

    def echocardiogram(path=None):
        if not calls:
            raise DataMissing("not here")
        return HERE

    monkeypatch.setattr(datasets, "download_echocardiogram", lambda **options: calls.append(options))
    monkeypatch.setattr(datasets, "echocardiogram", echocardiogram)
    return calls


def test_the_network_is_out_of_bounds(no_network):
    with pytest.raises(URLError, match="must not use the network"):
        urlopen(datasets.UCI_URL)
    assert no_network
    no_network.clear()


def test_claims_announce_the_data_they_need():
    """Without data exactly the claims with ``needs`` are skipped or judged from stored values."""
    verdicts = {v.claim: v for v in running.verify(section="6.2")}
    announced = {c.id for c in ledger.claims(section="6.2") if c.needs}
    skipped = {id for id, v in verdicts.items() if v.outcome == SKIPPED}
    stored = {id for id, v in verdicts.items() if v.source == STORED}
    assert announced == skipped | stored and not skipped & stored
    assert len(skipped) < 20 and len(stored) > 300 and len(announced) < len(verdicts)


def test_verify_fetches_first(served):
    code, out, err = orca("verify", "echo-rescaled", "eq-data", "-j", "1", "--format", "json")
    assert served == [{"deadline": fetch.DEADLINE}]
    assert err == (
        f"The echocardiogram data are missing: downloading {datasets.UCI_URL} (--offline prevents this).\n"
    )
    footer = json.loads(out.splitlines()[-1])
    assert (code, footer["counts"]["HOLDS"], footer["not_judged"]) == (0, 2, [])


def test_what_is_here_is_not_fetched(served):
    served.append({})
    assert orca("verify", "echo-rescaled")[2] == ""
    assert served == [{}]


@pytest.mark.parametrize("jobs", quick(["1", "2"], ["1"]))
def test_verify_goes_on_without_and_says_so_at_the_end(refused, jobs):
    words = ("verify", "echo-two-routes", "echo-stored-values", "eq-data", "-j", jobs)
    why = "the echocardiogram data could not be downloaded: refused; take them by hand"
    code, out, err = orca(*words)
    assert (code, len(refused), err.count("\n")) == (0, 1, 1)
    assert f"2 claims were not judged: {why}" in " ".join(out.split("Summary: 3 claims")[1].split())
    code, out, _ = orca(*words, "--format", "json")
    assert (code, len(refused)) == (0, 2)
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines[-1]["not_judged"] == [{"claims": 2, "why": why}]
    schema = json.loads(orca("schema", "verdicts")[1])
    for line in lines:
        validate(line, schema)
    assert f"2 claims were not judged: {why}" in orca(*words, "--format", "markdown")[1]


def test_a_claim_that_needs_no_data_fetches_none(refused):
    assert orca("verify", "eq-data", "example-46656")[2] == ""
    assert orca("verify", "--list")[2] == ""
    assert orca("claim", "eq-data")[2] == ""
    assert orca("tables", "echocardiogram", "--data", "nowhere")[0] == 4
    assert refused == []


VERBS = {
    "verify": ("verify", "echo-stored-values"),
    "claim": ("claim", "echo-stored-values"),
    "tables": ("tables", "echocardiogram"),
    "figures": ("figures", "-o", "drawn", "--only", "pairs-echocardiogram"),
    "report": ("report", "-o", "report.html", "--section", "6.2", "-j", "1"),
}


@pytest.fixture
def quick_report(monkeypatch, tmp_path):
    """Omit tables and figures, which take long."""
    monkeypatch.chdir(tmp_path)
    absent = {"Table 4": "", "Table 5": ""}

    def tables(*given):
        try:
            datasets.echocardiogram()
        except DataMissing as error:
            return [], [], dict.fromkeys(absent, str(error))

    monkeypatch.setattr(content, "_tables", tables)
    monkeypatch.setattr(content, "_figures", lambda *given: ([], {}))


BUT_REPORT = quick(VERBS, VERBS.keys() - {"report"})


@pytest.mark.parametrize("verb", BUT_REPORT)
def test_every_verb_tries_once_and_tells_why_it_failed(refused, quick_report, verb):
    code, out, err = orca(*VERBS[verb])
    assert len(refused) == 1
    told = out if code == 0 else err.partition("\n")[2]
    assert "could not be downloaded: refused; take them by hand" in " ".join(told.split())
    assert code == (4 if verb == "tables" else 0)


@pytest.mark.parametrize("verb", BUT_REPORT)
def test_offline_and_a_named_folder_forbid_it(refused, quick_report, verb, monkeypatch, tmp_path):
    here = orca(*VERBS[verb], "--offline")
    monkeypatch.setenv("ORCA_EXACT_DATA", str(tmp_path))
    there = orca(*VERBS[verb])
    assert refused == []
    for (_, out, err), why in ((here, "echocardiogram.data was not found"), (there, "ORCA_EXACT_DATA: ")):
        assert why in " ".join((out + err).split()) and "downloading" not in out + err


@pytest.mark.slow
def test_the_report_says_what_was_left_out(refused, quick_report, tmp_path):
    why = "the echocardiogram data could not be downloaded: refused; take them by hand"
    _, out, _ = orca(*VERBS["report"], "--format", "json")
    told = json.loads(out)
    number = told["claims"][SKIPPED]
    assert told["not_judged"] == [{"claims": number, "why": why}] and number > 1
    assert told["skipped"] == {"Table 4": why, "Table 5": why}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"{number} claims were not judged" in page and f"Table 4, Table 5: {why}" in page
    text = " ".join(orca(*VERBS["report"])[1].split())
    assert f"Omitted: Table 4, Table 5, {number} claims: {why}" in text
