"""Every claim detects faults: under each mutant that it names, its outcome changes.

By default each mutant is tried on the first claim that names it; ``pytest -m slow`` tries all claims.
"""

import pytest
from marks import quick

from orca_exact.errors import DataMissing
from proofs_checks.ledger.claims import FAILS, HOLDS, UNDECIDED, claims
from proofs_checks.ledger.mutants import mutants

PAIRS: dict[tuple[str, str], list] = {}  # members of one group share what the faulty library computes
for c in claims():
    for name in c.kills:
        PAIRS.setdefault((c.group or c.id, name), []).append(c)
LONG = (
    "eq-OP-orthonormality",
    "jacobi-explicit-form",
    "spiral-even-mass-exact",
    "spiral-family",
    "spiral-n1-line",
)
QUICK = {name: (claim, name) for claim, name in reversed(PAIRS) if claim not in LONG}


def test_every_checkable_claim_names_a_mutant_and_a_second_route():
    bare = [c.id for c in claims() if c.checkable and c.expect != UNDECIDED and not c.kills]
    assert not bare
    assert not [c.id for c in claims() if not c.second_route or not c.scope]
    assert {name for _, name in PAIRS} == mutants().keys()  # no mutant without a claim that kills it


def test_every_refuted_claim_names_a_correction_that_holds():
    known = {c.id: c for c in claims()}
    for c in known.values():
        if c.expect == FAILS:
            assert known[c.correction].expect == HOLDS, c.id


@pytest.mark.parametrize("pair", quick(PAIRS, QUICK.values()), ids="-".join)
def test_claim_kills_mutant(pair):
    members = PAIRS[pair]
    try:
        with mutants()[pair[1]]():
            verdicts = [c.run() for c in members]
    except DataMissing as missing:  # a mutant of the data
        pytest.skip(str(missing))
    if verdicts[0].outcome == "SKIPPED":
        pytest.skip(verdicts[0].evidence)
    killed = {HOLDS: FAILS, FAILS: HOLDS}
    alive = {v.claim: v.evidence for v in verdicts if v.outcome != killed[v.expected]}
    assert not alive
