"""Deliberately wrong libraries and statements, which the claims detect."""
