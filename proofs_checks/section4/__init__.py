"""Claims of Section 4."""
