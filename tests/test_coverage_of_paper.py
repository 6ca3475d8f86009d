"""Nothing in the paper is without a claim; the list of its items agrees with the source."""

import re
from pathlib import Path

import pytest

from orca_exact.paper.claims import claims, coverage, paper_items
from proofs_checks.section1_introduction import facts

SOURCE = Path(__file__).resolve().parents[2] / "shared" / "paper" / "paper.tex"


@pytest.fixture(scope="module")
def tex():
    if not SOURCE.is_file():
        pytest.skip(f"the paper's source is not at {SOURCE}")
    return re.sub(r"(?<!\\)%.*", "", SOURCE.read_text(encoding="utf-8"))


def test_every_item_has_a_claim():
    missing = [item["id"] for item, by in coverage() if not by]
    assert not missing, f"{len(missing)} items without a claim"


def test_claims_cover_known_items():
    known = {item["id"] for item in paper_items()}
    strangers = {item for c in claims() for item in c.covers} - known
    assert not strangers


def test_labels_references_citations(tex):
    known = facts()
    assert known["labels"] == re.findall(r"\\label\{([^}]*)\}", tex)
    assert set(known["references"]) == set(re.findall(r"\\(?:eq)?ref\{([^}]*)\}", tex))
    cited = {key.strip() for group in re.findall(r"\\cite\{([^}]*)\}", tex) for key in group.split(",")}
    assert set(known["cited"]) == cited
    entries = re.findall(r"\\bibitem|\\bibliography\{|\\printbibliography", tex)
    assert known["bibliography_entries"] == len(entries)


def test_every_label_belongs_to_an_item(tex):
    listed = {name for item in paper_items() for name in item.get("label", "").split(", ")}
    assert set(re.findall(r"\\label\{([^}]*)\}", tex)) <= listed


def test_numbered_equations_definitions_propositions_tables_figures(tex):
    numbers = [item.get("number", "") for item in paper_items()]
    equations = len(re.findall(r"\\begin\{(?:equation|align)\}", tex))  # one number each
    assert {f"({k})" for k in range(1, equations + 1)} <= set(numbers)
    assert f"({equations + 1})" not in numbers
    for environment, word in (("definition", "Definition"), ("proposition", "Proposition")):
        assert sum(word in n for n in numbers) == len(re.findall(rf"\\begin\{{{environment}\}}", tex))
    for environment, word in (("table", "Table"), ("figure", "Figure")):
        assert sum(word in n for n in numbers) == len(re.findall(rf"\\begin\{{{environment}\}}", tex))


def test_prose_claims_are_counted():
    prose = [item for item in paper_items() if item["kind"] == "prose"]
    assert len(prose) == 200
