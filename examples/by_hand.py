"""Exact OKC indices of a tiny problem, computed by hand with fractions and by orca-exact: they are equal."""

from fractions import Fraction
from itertools import product

from orca_exact import Problem, certify, orca

A, B = (Fraction(1, 2), Fraction(1, 2)), (Fraction(-1, 2), Fraction(0))  # one point of each class, d = 2

# By hand. Legendre, n = 2: pi_0 = 1, pi_1 = x, pi_2 = x^2 - 1/3 with h_k/h_0 = 1, 1/3, 4/45. With two points
# alpha_1 = alpha_2, so w is a multiple of Phi(A) - Phi(B), and the multiple cancels in every index.
monic = (lambda x: Fraction(1), lambda x: x, lambda x: x * x - Fraction(1, 3))
h = (Fraction(1), Fraction(1, 3), Fraction(4, 45))
square = {
    (i, j): (monic[i](A[0]) * monic[j](A[1]) - monic[i](B[0]) * monic[j](B[1])) ** 2 / (h[i] * h[j])
    for i, j in product(range(3), repeat=2)
}
total = sum(square.values())
by_hand = [sum(c for k, c in square.items() if sum(map(bool, k)) == q) / total for q in range(3)]

# By orca-exact: solve with CVXPY, prove optimality over the rationals, compute the profile.
problem = Problem([A, B], [1, -1], n=2, alpha=0, beta=0, C=10)
certificate = certify(problem)
profile = orca(problem, certificate, "exact")

print(f"{certificate}; alpha = {[str(a / problem.lambda_exact) for a in certificate.u]}")
for q in range(3):
    same = str(profile.order[q]) == str(by_hand[q])
    print(f"OKC^({q}) by hand {by_hand[q]!s:>10}, by orca-exact {profile.order[q]!s:>10}, equal: {same}")
    assert same
