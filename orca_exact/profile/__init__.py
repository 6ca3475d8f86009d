"""The OKC indices of a classifier, its components and the attributions of single rows."""
