"""Kernels: Gram matrices, feature values and bases in every arithmetic."""
