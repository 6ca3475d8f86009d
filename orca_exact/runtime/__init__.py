"""Parallel work, clusters, the cache and the installation."""
