"""Exact orthonormal polynomials: orthonormality and the Christoffel-Darboux identity without rounding."""

from orca_exact import QQ, Jacobi, chebyshev1, legendre
from orca_exact.kernels.orthogonal import cd_closed, cd_confluent, cd_sum
from orca_exact.numbers.rationals import format_decimal

# 1. Orthonormal polynomials as SymPy expressions with square roots.
for k in range(4):
    print(f"Legendre  p_{k} = {legendre.orthonormal(k)}")
print(f"Chebyshev p_3 = {chebyshev1.orthonormal(3)}")

# 2. Internally only rational numbers occur: monic polynomials and their squared norms.
J = Jacobi("43/10", "9/5")
print(f"\nJacobi(43/10, 9/5): pi_3 = {J.polynomial(3).as_expr()}")
print(f"h_3/h_0 = {J.h_ratio(3)}, h_0 = {J.h0}")

# 3. The matrix of the integrals of p_j p_k, from moments by SymPy's beta function.
print(f"Gram matrix of p_0 ... p_3: {J.gram(3)}")

# 4. The kernel at rational points: the sum equals its closed form, and on the diagonal the confluent form.
n, x, z = 20, QQ("1/3"), QQ("-0.7")
print(f"\nh_0 K_20(1/3, -0.7): sum == closed form is {cd_sum(J, n, x, z) == cd_closed(J, n, x, z)}")
print(f"h_0 K_20(1/3, 1/3): sum == confluent form is {cd_sum(J, n, x, x) == cd_confluent(J, n, x)}")
value = cd_sum(J, n, x, z)
print(f"The first value is a fraction of {len(str(value))} characters, {format_decimal(value, 30)}...")
