"""Fuzzing of the readers, of the checker and of paths: ``python -m benchmarks.fuzz``.

Inputs are drawn from numbered seeds, so that each finding can be repeated. One small input for each different
outcome is stored in ``tests/project/corpus`` and replayed by the tests.
"""
