"""The ledger of the paper's claims: relations, verdicts, mutants and summaries."""
