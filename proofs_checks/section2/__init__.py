"""Claims of Section 2."""
