"""Every item of the paper is covered by a claim, and the list of items agrees with the source."""

import re

import pytest
from paper_places import places

from proofs_checks.ledger.claims import claims
from proofs_checks.ledger.coverage import coverage, paper_items
from proofs_checks.section1.introduction import introduction_facts


@pytest.fixture(scope="module")
def tex(paper):
    return re.sub(r"(?<!\\)%.*", "", paper.read_text(encoding="utf-8"))


def test_every_item_has_a_claim():
    missing = [item["id"] for item, by in coverage() if not by]
    assert not missing, f"{len(missing)} items without a claim"


def mentions(claim, item):
    """Return whether the place of a claim names the item, by its line or by its number."""
    lines, names = places(claim.place)
    label = item["kind"] == "label" and "all labels" in claim.place
    return item["line"] in lines or item.get("number") in names or label


def test_places_are_read():
    assert places("section 4, Proposition 4.1, eq. (26) to (28), lines 3 to 5 and 9; section 7, line 12") == (
        {3, 4, 5, 9, 12},
        {"Proposition 4.1", "(26)", "(27)", "(28)"},
    )
    assert places("section 6.1, Table 1, n = 8") == (set(), {"Table 1"})


def test_places_name_the_covered_items():
    """The place of a claim names every item that the claim covers."""
    known = {item["id"]: item for item in paper_items()}
    strangers = [
        (c.id, c.place, item, known[item]["line"])
        for c in claims()
        for item in dict.fromkeys((c.id, *c.covers))
        if item in known and not mentions(c, known[item])
    ]
    assert not strangers, f"{len(strangers)} covers that the claim's place does not name: {strangers}"


def test_items_are_in_reading_order():
    lines = [item["line"] for item in paper_items()]
    assert lines == sorted(lines)


def test_slips_are_in_the_source(tex):
    slips = introduction_facts()["slips"]
    assert slips["N_d(n)"]["used"] == tex.count("N_d(n)") and "N_d(n):=" not in tex and "N_d(n)=" not in tex
    assert r"\frac{C_{N}^{(q)}}{\sum_{q=0}^{d}\sum_{N=0}^{dn} C_{N}^{(q)}}" in tex
    assert slips["(33)"] == {"free": ["q", "N"], "bound": ["q", "N"]}
    letter = slips["multi-index"]
    introduced = rf"\\boldsymbol{{{letter['introduced']}}}=\(k_1,\\dots,k_d\)\\in\\mathbb\{{N\}}_0\^d"
    assert re.search(rf"{introduced}.*let \$p_\{{\\boldsymbol\{{{letter['printed']}\}}\}}", tex)
    assert r"$\mathcal{I}^2 = [-1,1]^2$" in tex and slips["interval"]["section 6.1"] == r"\mathcal{I}"
    assert r"\mathcal{I}_n^{(d)}:=\{0,1" in tex and slips["interval"]["multi-indices"] == r"\mathcal{I}"
    assert r"$I^d$" in tex and slips["interval"]["section 3"] == "I"


def test_claims_cover_known_items():
    known = {item["id"] for item in paper_items()}
    strangers = {item for c in claims() for item in c.covers} - known
    assert not strangers


def test_labels_references_citations(tex):
    known = introduction_facts()
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
