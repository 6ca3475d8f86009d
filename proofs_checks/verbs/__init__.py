"""The verbs of the command line that know the paper."""
