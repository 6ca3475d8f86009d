"""``orca-exact VERB``: ``parser`` reads the call, a module of ``verbs`` acts, ``terminal`` shows."""
