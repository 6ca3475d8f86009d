"""The report: ``content`` gathers what the other modules know, ``html`` sets it as one offline page."""
