"""The command line ``orca-exact VERB``: ``parser`` parses, ``verbs`` run, ``terminal`` prints."""
