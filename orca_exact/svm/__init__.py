"""Solvers propose a solution; a certificate proves the optimum at one of four levels."""
