"""Every claim bites: under each mutant it names, its outcome is no longer the recorded one."""

import pytest

from orca_exact.errors import DataMissing
from orca_exact.paper.claims import FAILS, HOLDS, UNDECIDED, claims, mutants

PAIRS = [(c, name) for c in claims() for name in c.kills]


def test_every_checkable_claim_names_a_mutant_and_a_second_route():
    bare = [c.id for c in claims() if c.checkable and c.expect != UNDECIDED and not c.kills]
    assert not bare
    assert not [c.id for c in claims() if not c.second_route or not c.scope]
    assert not {name for _, name in PAIRS} - mutants().keys()
    assert not mutants().keys() - {name for _, name in PAIRS}  # no mutant without a claim that kills it


def test_every_refuted_claim_names_a_correction_that_holds():
    known = {c.id: c for c in claims()}
    for c in known.values():
        if c.expect == FAILS:
            assert known[c.correction].expect == HOLDS, c.id


@pytest.mark.parametrize(("claim", "name"), PAIRS, ids=[f"{c.id}-{name}" for c, name in PAIRS])
def test_claim_kills_mutant(claim, name):
    try:
        with mutants()[name]():
            verdict = claim.run()
    except DataMissing as missing:  # a mutant of the data
        pytest.skip(str(missing))
    if verdict.outcome == "SKIPPED":
        pytest.skip(verdict.evidence)
    killed = HOLDS if claim.expect == FAILS else FAILS
    assert verdict.outcome == killed, verdict.evidence
