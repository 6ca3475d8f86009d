"""Claims of Section 7."""
