"""The kinds of claims that ``verify --only`` selects, and the outcome that the ledger records for each."""

from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED

KINDS = {"refuted": FAILS, "undecided": UNDECIDED, "sampled": HOLDS, "holds": HOLDS}
