"""Orthogonality measures and their orthogonal polynomials."""
