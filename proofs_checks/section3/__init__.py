"""Claims of Section 3."""
