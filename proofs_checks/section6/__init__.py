"""Claims of Section 6."""
