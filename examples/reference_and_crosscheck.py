"""Write certified reference values, then check a correct and a wrong implementation against them."""

import json
import tempfile
from pathlib import Path

from orca_exact import Problem, solve
from orca_exact.conformance.crosscheck import crosscheck
from orca_exact.conformance.reference import load_references, save_references
from orca_exact.conformance.reference_maker import make_reference
from orca_exact.numbers.rationals import format_decimal
from orca_exact.profile.profile import orca

problem = Problem.load(Path(__file__).parent / "problems" / "xor.json")

# 1. A reference file: every value in it follows from a proof of optimality.
file = Path(tempfile.mkdtemp()) / "reference.json"
save_references([make_reference(problem)], file)
(reference,) = load_references(file)
print(f"{file.name}: {file.stat().st_size // 1024} KiB, ||h||^2 = {format_decimal(reference.norm2, 30)}")

# 2. An implementation in double precision; any program that writes this JSON can be checked.
solution = solve(problem, digits=0)
profile = orca(problem, solution, "float")
result = {
    "schema": "orca-exact/result/1",
    "id": problem.id,
    "alpha": [format_decimal(a, 17) for a in solution.alpha],
    "norm2": profile.norm2,
    "okc": {"order": profile.order, "marginal": list(profile.marginal.values()), "peak": profile.peak},
}
print(f"\n{crosscheck(reference, json.loads(json.dumps(result)))}")

# 3. The same with a bug: the orders start at q = 1.
result["okc"]["order"] = [*profile.order[1:], 0.0]
report = crosscheck(reference, result)
print(f"\n{report}")
assert report.outcome == "FAILS"
