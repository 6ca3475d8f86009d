"""Exact rationals, balls and float64 with proved error bounds; parsing and formatting of numbers."""
