"""Exact rationals, balls and float64 with proved bounds; parsing and formatting."""
