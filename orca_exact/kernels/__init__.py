"""Kernels: Gram matrices, features and bases in every arithmetic."""
