"""Reading, writing and validating files."""
