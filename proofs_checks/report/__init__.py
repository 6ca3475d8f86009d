"""The report: ``content`` computes what it shows, ``html`` writes it as one page."""
