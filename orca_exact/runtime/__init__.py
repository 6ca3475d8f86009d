"""Parallel execution, clusters, the cache of results and facts about the installation."""
