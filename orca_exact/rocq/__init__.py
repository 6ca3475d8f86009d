"""Theorems in Rocq (Coq) about the library's certificates and indices, and the compiler that checks them."""
