"""The verb ``solve``: solve the primal and the dual with CVXPY to many digits."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...errors import BadParameter, pluralize
from ...files.formats import JsonObject, write_json
from ...numbers.rationals import format_decimal, format_upper_bound
from ...problem import Problem
from ...svm.certify import LEVELS, default_level, require_level
from ..parser import add_format, add_output, add_problem, degree
from ..terminal import Output

if TYPE_CHECKING:
    from ...svm.certificate import Refinement
    from ...svm.forms import FormAgreement, FormComparison, FormValues

EXAMPLES = (
    "orca-exact solve examples/problems/xor.json",
    "orca-exact solve examples/problems/xor.json --form dual --solver scs --digits 30",
    "orca-exact solve examples/problems/xor.json --format json -o solutions.json",
)
_SHOWN = 10  # the alpha_i of at most so many points are printed
_LEVELS = [name for name, level in LEVELS.items() if level.exact or level.compares_with_optimum]


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_problem(parser)
    text = "problem to pass to CVXPY (default both)"
    add("--form", choices=["primal", "dual", "both"], default="both", help=text)
    text = "clarabel, scs, osqp, highs, another solver that CVXPY has, or, for the dual, libsvm"
    add("--solver", metavar="NAME", help=f"{text} (default: the first that succeeds)")
    add("--digits", type=degree, default=50, metavar="D", help="digits of w to prove (default 50)")
    text = "kind of proof of the optimum to compare with (default exact; ball for the RBF kernel)"
    add("--level", choices=_LEVELS, help=text)
    add_output(parser, "FILE", "write every alpha_i and all values as JSON")
    add_format(parser)


def run(args: argparse.Namespace, out: Output) -> int:
    from ...svm.forms import SVM_FORMS, solve_forms
    from ...svm.solvers import LIBSVM

    if args.digits < 1:
        raise BadParameter("--digits", args.digits, "is not positive", "pass a number of digits such as 50")
    forms = SVM_FORMS if args.form == "both" else (args.form,)
    if args.solver and args.solver.lower() in LIBSVM and forms != ("dual",):
        hint = "pass --form dual, or a solver of CVXPY such as clarabel"
        raise BadParameter("--solver", args.solver, "solves the dual problem only", hint)
    problem = Problem.load(args.problem)
    level = LEVELS[args.level or default_level(problem)]
    require_level(level, problem)
    out.announce(level.name, level.cost(problem), level.faster_hint(problem))
    found = solve_forms(problem, forms, args.solver, args.digits, level.name, out.progress)
    out.progress("")
    data = _json(found)
    if args.output:
        write_json(args.output, data)
    if args.format == "json":
        out.json(data)
    else:
        bullet = "- " if args.format == "markdown" else ""
        for line in _lines(found):
            indent = "  " * line.startswith("  ")
            out.print(f"{indent}{bullet * bool(line)}{line.lstrip()}")
        if args.output:
            out.report_file(args.output, "", bullet)
    return 0 if found.agrees else 1


def _lines(found: FormComparison) -> list[str]:
    """Return the results as lines; what depends on rounding in float64 has lines of its own."""
    problem, digits = found.optimum.problem, found.digits
    lines = []
    for values, agreement in zip(found.values, found.with_optimum, strict=True):
        solution = values.solution
        refinement = _refinement(values)
        gap = format_upper_bound(abs(refinement.gap), 3)
        last = ", then solved for the active set" * refinement.used_active_set
        shown = enumerate(solution.alpha[:_SHOWN], 1)
        lines += [
            f"{solution.form} problem by {_solver(values)}",
            f"  in float64: status {refinement.status}, relative duality gap {gap} (not proved)",
            f"  refined by CLARABEL: {pluralize(refinement.rounds, 'round')}{last}",
            f"  proved: {_accuracy(values, found)}",
            *(f"  alpha_{i} = {format_decimal(x, digits)}" for i, x in shown),
        ]
        if problem.m > _SHOWN:
            lines.append(f"  alpha_{_SHOWN + 1} to alpha_{problem.m}: -o FILE writes them")
        lines += [f"  {name} = {text}" for name, text in _values(values, digits).items()]
        lines.append(f"  P - D is at most {format_upper_bound(values.gap, 3)}")
        lines += [*_agreement("  this solution and the optimum", agreement, digits), ""]
    if found.between_forms:
        lines += _agreement("the primal and the dual solution", found.between_forms, digits)
    optimum = found.optimum
    kind = "exact" if optimum.exact else f"proved to {optimum.digits} digits of w"
    lines.append(f"the optimum is {kind} (level {optimum.level}), proposed by: {optimum.proposer}")
    return lines


def _accuracy(values: FormValues, found: FormComparison) -> str:
    if values.norm.is_zero() and found.optimum.is_zero:
        return "w = 0"
    if values.solution.digits == 0:
        return f"w differs from the optimum by less than 10^-{found.digits} of its unit, and may be 0"
    return pluralize(values.solution.digits, "digit") + " of w"


def _refinement(values: FormValues) -> Refinement:
    found = values.solution.refinement
    assert found is not None  # these solutions are refined
    return found


def _solver(values: FormValues) -> str:
    return values.solution.solver.partition(" + ")[0]


def _agreement(who: str, agreement: FormAgreement, digits: int) -> list[str]:
    """Return two lines: whether as many digits of w agree as were asked for, and how many do."""
    count = "all" if agreement.w is not None and agreement.w >= digits else f"{agreement.w} of"
    named = {"w": agreement.w, "alpha": agreement.alpha, "b": agreement.b}
    full = ", ".join(
        f"{name} in {pluralize(number, 'digit')}" if number is not None else f"{name} is 0 or not unique"
        for name, number in named.items()
    )
    indent = " " * (len(who) - len(who.lstrip()))
    agree = f"{who} agree in {count} {digits} digits of w"
    first = agree if agreement.w is not None else f"{who}: w is 0, so that no digits are compared"
    return [first, f"{indent}in full: {full}"]


def _values(values: FormValues, digits: int) -> dict[str, str]:
    named = {
        "b": values.solution.b,
        "||w||": values.norm,
        "primal value P": values.primal,
        "dual value D": values.dual,
    }
    return {name: format_decimal(value, digits) for name, value in named.items()}


def _json(found: FormComparison) -> JsonObject:
    optimum, digits = found.optimum, found.digits
    return {
        "schema": "orca-exact/solve/1",
        "id": optimum.problem.id,
        "problem": optimum.problem.sha256,
        "digits": digits,
        "agrees": found.agrees,
        "optimum": {
            "level": optimum.level,
            "proposer": optimum.proposer,
            "digits": "exact" if optimum.exact else optimum.digits,
        },
        "solutions": [
            _solution_json(values, agreement, digits)
            for values, agreement in zip(found.values, found.with_optimum, strict=True)
        ],
        "between_forms": _agreement_json(found.between_forms) if found.between_forms else None,
    }


def _solution_json(values: FormValues, agreement: FormAgreement, digits: int) -> JsonObject:
    solution, refinement = values.solution, _refinement(values)
    named = _values(values, digits)
    return {
        "form": solution.form,
        "solver": _solver(values),
        "status": refinement.status,
        "float64_gap": repr(refinement.gap),
        "rounds": refinement.rounds,
        "active_set": refinement.used_active_set,
        "digits": solution.digits,
        "alpha": [format_decimal(x, digits) for x in solution.alpha],
        "b": named["b"],
        "norm": named["||w||"],
        "primal": named["primal value P"],
        "dual": named["dual value D"],
        "gap": format_upper_bound(values.gap, 3),
        "with_optimum": _agreement_json(agreement),
    }


def _agreement_json(agreement: FormAgreement) -> JsonObject:
    return {"w": agreement.w, "alpha": agreement.alpha, "b": agreement.b}
