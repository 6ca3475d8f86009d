"""Fuzzing of the readers, the checker, paths, fitted models and tables: ``python -m benchmarks.fuzz``.

Inputs are drawn from numbered seeds, so that each finding can be repeated. One small input for each different
outcome is stored in ``tests/project/corpus`` and replayed by the tests.
"""
