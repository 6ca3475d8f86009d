"""Verification of the paper: its claims by section, the ledger that runs them, experiments, report."""
