"""Claims of Section 5."""
