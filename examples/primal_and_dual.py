"""Primal and dual SVM by CVXPY, refined to 50 digits and compared with the exact optimum."""

from pathlib import Path

from flint import fmpq

from orca_exact import Problem, certify, solve
from orca_exact.numbers.rationals import QQ, format_decimal

problem = Problem.load(Path(__file__).parent / "problems" / "xor.json")
optimum = certify(problem)  # the exact solution over the rational numbers, with its proof
alpha = [u / problem.lambda_exact for u in optimum.u]

for form in ("primal", "dual"):
    solution = solve(problem, form, digits=50)  # CVXPY proposes; scaled refinement adds 5 to 9 digits a round
    error = max(abs(QQ(found) - exact) for found, exact in zip(solution.alpha, alpha, strict=True))
    print(f"{form}: {solution}")
    print(f"  alpha_1 = {format_decimal(QQ(solution.alpha[0]), 50)}")
    assert error < fmpq(1, 10**48)
print(f"exact:\n  alpha_1 = {alpha[0]}")
