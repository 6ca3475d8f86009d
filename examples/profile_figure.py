"""A figure from certified numbers: decision boundary and ORCA profile of a double spiral.

python examples/profile_figure.py [spiral.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from orca_exact import Problem, certify, orca
from orca_exact.numbers.arithmetic import arithmetic
from proofs_checks.experiments.datasets import double_spiral

file = sys.argv[1] if len(sys.argv) > 1 else "spiral.png"
X, labels = double_spiral(80)
problem = Problem(X, labels, n=9, alpha="1/2", beta="1/2", C=10, rescale=True)
certificate = certify(problem, level="ball", digits=30)  # 30 digits of w, proved
profile = orca(problem, certificate, "ball", digits=30)

points, y = arithmetic("float").array(problem.points), np.array(problem.y)
grid = np.linspace(-1, 1, 200)
mesh = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
s = y * np.array([float(a) for a in certificate.alpha()])
scores = problem.kernel(mesh, points) @ s + float(certificate.bias())

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
left.contourf(grid, grid, scores.reshape(200, 200) > 0, cmap="coolwarm", alpha=0.35)
left.contour(grid, grid, scores.reshape(200, 200), levels=[0], colors="black", linewidths=1)
left.scatter(*points.T, c=y, cmap="coolwarm", s=12, edgecolors="black", linewidths=0.4)
left.set(title=f"decision boundary, n = {problem.n}", aspect="equal")

degrees, bottom = np.arange(problem.d * problem.n + 1), np.zeros(problem.d * problem.n + 1)
for q in range(1, problem.d + 1):
    share = np.array([float(profile.block[q, N]) for N in degrees])
    right.bar(degrees, share, bottom=bottom, label=f"order q = {q}")
    bottom += share
right.set(title=f"OKC by total degree, peak N* = {profile.peak}", xlabel="N", xticks=degrees[::3])
right.legend()
figure.savefig(file, dpi=120)

order = ", ".join(f"OKC^({q}) = {float(value):.4f}" for q, value in enumerate(profile.order) if q)
print(f"{file}: N* = {profile.peak} (decided by balls), {order}, {certificate.digits} digits of w proved")
