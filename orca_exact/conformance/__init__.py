"""Reference values, test vectors, and the comparison of other programs with them."""
