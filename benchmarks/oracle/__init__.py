"""An oracle that shares no code and no formulas with the library, and a comparison of every proved number.

Orthogonal polynomials come from moments instead of recurrences, the optimum from Lemke's complementary
pivoting over the integers instead of active sets, and the indices from conditional expectations, which is the
definition of Sobol' indices. ``python -m benchmarks.oracle`` compares the library with it on 10,000 problems.
"""
