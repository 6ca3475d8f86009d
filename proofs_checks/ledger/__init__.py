"""Claims, relations, mutants and verdicts."""
