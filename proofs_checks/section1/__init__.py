"""Claims of the abstract and of Section 1."""
