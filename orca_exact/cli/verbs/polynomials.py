"""The verb ``polynomials``: print orthonormal polynomials and check their identities with SymPy."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from ...errors import BadUsage, pluralize, shorten
from ...files.formats import JsonObject, write, write_json
from ...files.outcomes import FAILS, HOLDS, UNDECIDED
from ...measures.families import FAMILIES
from ..parser import add_format, add_output, degree
from ..terminal import Output

if TYPE_CHECKING:  # SymPy is slow to import
    from ...measures.identities import Identity
    from ...measures.orthonormal_basis import OrthonormalBasis

EXAMPLES = (
    "orca-exact polynomials --alpha 1/2 --beta 0 --n 3",
    "orca-exact polynomials --alpha=-1/2 --beta=-1/2 --n 4 --format latex -o chebyshev.tex",
    "orca-exact polynomials --family laguerre --alpha 1/3 --n 2",
    "orca-exact polynomials --family discrete --nodes 0 1 3 --weights 1 2 1 --n 2",
    "orca-exact polynomials --symbolic --n 2",
    "orca-exact polynomials --n 20 --no-polynomials --integrate 0",
)
_PARAMETERS = ("alpha", "beta", "nodes", "weights")  # options
_FAMILIES = {name: tuple(kind.fields) for name, kind in FAMILIES.items() if {*kind.fields} <= {*_PARAMETERS}}
_NUMBER = re.compile(r"-\.?\d")  # so that the value -1/2 is not taken for an option
_SHOWN = 2  # differences that are printed for each identity
_LONGEST = 8  # degree up to which the polynomial that is reproduced is printed
EXIT = {HOLDS: 0, FAILS: 1, UNDECIDED: 3}

# What Rocq proves for all n, by family; the files are in orca_exact/rocq.
KERNEL_PROVED = (
    "the Christoffel-Darboux identity and its confluent form for every three-term recurrence "
    "[Recurrence.christoffel_darboux, Recurrence.christoffel_darboux_confluent], and the reproducing "
    "property of every orthonormal sequence [Family.rkhs_1d]"
)
ORTHOGONALITY_PROVED = {
    "jacobi": "orthogonality for every functional with Pearson's equation of the weight, "
    "alpha, beta > -1 [Jacobi.jacobi_orthogonal]; that the integral has it, "
    "for integers alpha, beta >= 0 [Jacobi.weight_pearson]",
}
ANY_RECURRENCE = "orthogonality for the functional of the recurrence [Recurrence.favard_functional]"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser._negative_number_matcher = _NUMBER
    add = parser.add_argument
    add("--n", type=degree, required=True, metavar="N", help="largest degree")
    add("--family", choices=_FAMILIES, default="jacobi", help="family of the measure (default jacobi)")
    text = "exponent of 1-x for jacobi, of x for laguerre, greater than -1: 1/2, -0.5 (default 0)"
    add("--alpha", metavar="X", help=text)
    add("--beta", metavar="X", help="exponent of 1+x for jacobi, greater than -1 (default 0)")
    add("--nodes", metavar="X", nargs="+", help="distinct nodes for discrete, more than N")
    add("--weights", metavar="W", nargs="+", help="positive weights of the nodes (default: equal)")
    add("--symbolic", action="store_true", help="leave alpha and beta of jacobi as symbols, for small N")
    text = "integrate with sympy.integrate for degrees up to M (default: what takes about five seconds)"
    add("--integrate", type=degree, metavar="M", help=text)
    add("--no-polynomials", action="store_true", help="print the checks only")
    add_output(parser, "FILE", "write the polynomials and the checks to a file, and print the checks")
    add_format(parser, "latex")


def run(args: argparse.Namespace, out: Output) -> int:
    if args.integrate is not None and args.integrate < 0:
        raise BadUsage(f"--integrate: {args.integrate} is negative; pass a degree, 0 for p_0 only")
    from ...measures.identities import check_identities, outcome_of
    from ...measures.orthonormal_basis import OrthonormalBasis

    basis = OrthonormalBasis(_measure(args), args.n)
    found = check_identities(basis, args.integrate, out.progress)
    out.progress("")
    if args.format == "json":
        data = _json(basis, found)
        if args.output:
            write_json(args.output, data)
        if args.output or args.no_polynomials:
            del data["polynomials"]
        out.json(data)
    else:
        checks = _checks(args, basis, found)
        lines = [*([] if args.no_polynomials else _FORMATS[args.format](basis)), *checks]
        if args.output:
            write(args.output, "\n".join(lines) + "\n")
        for line in checks if args.output else lines:
            out.print(line)
        if args.output:
            out.report_file(args.output)
    return EXIT[outcome_of(found)]


def _measure(args: argparse.Namespace) -> Any:
    """Return the measure that the options describe; raise BadUsage if one does not belong to the family."""
    given = {name: getattr(args, name) for name in _PARAMETERS if getattr(args, name) is not None}
    if args.symbolic:
        if args.family != "jacobi" or given:
            name = f"--{next(iter(given))}" if given else f"--family {args.family}"
            raise BadUsage(f"--symbolic: it leaves alpha and beta of jacobi as symbols; leave out {name}")
        from sympy import symbols

        return FAMILIES["jacobi"](*symbols("alpha beta", real=True))
    own = _FAMILIES[args.family]
    for name in given:
        if name not in own:
            listed = ", ".join(f"--{option}" for option in own) or "no parameters"
            raise BadUsage(f"--{name}: the family {args.family} does not have it; it has {listed}")
    if args.family == "discrete" and "nodes" not in given:
        raise BadUsage("--nodes: a discrete measure needs its nodes, as in --nodes 0 1 3")
    defaults = {name: "0" for name in own if name in ("alpha", "beta")}
    return FAMILIES[args.family](**(defaults | given))


# The polynomials.


def _text(basis: OrthonormalBasis) -> list[str]:
    rows = [f"p_{k} = {p}" for k, p in enumerate(basis.p)]
    norms = [
        f"h_{k} = {basis.measure.h(k)}, leading coefficient of p_{k}: {kappa}"
        for k, kappa in enumerate(basis.kappa)
    ]
    return [_title(basis), "", *rows, "", "squared norms of the monic polynomials:", *norms, ""]


def _markdown(basis: OrthonormalBasis) -> list[str]:
    from sympy import latex

    head = ["k", "p_k", "h_k", "leading coefficient"]
    rows = [
        [str(k), *(f"${latex(x)}$" for x in (p, basis.measure.h(k), kappa))]
        for k, (p, kappa) in enumerate(zip(basis.p, basis.kappa, strict=True))
    ]
    table = [f"| {' | '.join(row)} |" for row in (head, ["---"] * 4, *rows)]
    return [_title(basis), "", *table, ""]


def _latex(basis: OrthonormalBasis) -> list[str]:
    from sympy import latex

    h = [latex(basis.measure.h(k)) for k in range(basis.n + 1)]
    lines = [
        rf"p_{{{k}}}(x) &= {latex(p)}, & h_{{{k}}} &= {h[k]}, & \kappa_{{{k}}} &= {latex(kappa)}"
        for k, (p, kappa) in enumerate(zip(basis.p, basis.kappa, strict=True))
    ]
    broken = [line + r" \\" for line in lines[:-1]] + lines[-1:]
    return [f"% {_title(basis)}", r"\begin{align*}", *broken, r"\end{align*}"]


_FORMATS = {"text": _text, "markdown": _markdown, "latex": _latex}


def _title(basis: OrthonormalBasis) -> str:
    return f"{basis.measure}, {basis.measure.weight_description}: p_0 to p_{basis.n}"


# The checks.


def _checks(args: argparse.Namespace, basis: OrthonormalBasis, found: list[Identity]) -> list[str]:
    """Return a line for each check, then what is proved for all n."""
    bullet = {"markdown": "- ", "latex": "% "}.get(args.format, "")
    lines = [f"{each.outcome}  {_statement(basis, each)}{_differences(each)}" for each in found]
    lines += filter(None, [_integration_note(args, basis, found)])
    here = "computed here by SymPy, exactly:"
    lines.append(f"proved for all n in Rocq, not here: {_proved(basis)}")
    start = {"markdown": [here, ""], "latex": [f"% {here}"]}.get(args.format, [here])
    return [*start, *(bullet + line for line in lines)]


def _proved(basis: OrthonormalBasis) -> str:
    orthogonality = ORTHOGONALITY_PROVED.get(basis.measure.family, ANY_RECURRENCE)
    return f"{KERNEL_PROVED}; {orthogonality}"


def _statement(basis: OrthonormalBasis, identity: Identity) -> str:
    from ...measures.identities import Kind

    n = identity.degree
    identity_matrix = f"orthonormality: the Gram matrix of p_0 to p_{n} is the identity matrix"
    if identity.kind is Kind.GRAM_BY_MOMENTS:
        source = basis.weight.moments_from
        return f"{identity_matrix}: {pluralize(identity.compared, 'inner product')} from moments by {source}"
    if identity.kind is Kind.GRAM_BY_INTEGRATION:
        return f"{identity_matrix}: {pluralize(identity.compared, 'integral')} {basis.weight.integral}"
    if identity.kind is Kind.CHRISTOFFEL_DARBOUX:
        quotient = f"kappa_{n} (pi_{n + 1}(x) p_{n}(z) - p_{n}(x) pi_{n + 1}(z))"
        return (
            f"Christoffel-Darboux identity: (x - z) K_{n}(x, z) - {quotient} = 0 as a polynomial in x and z"
        )
    if identity.kind is Kind.CONFLUENT:
        derivatives = f"kappa_{n} (pi_{n + 1}' p_{n} - p_{n}' pi_{n + 1})"
        return f"confluent form: K_{n}(x, x) - {derivatives} = 0 as a polynomial in x"
    return (
        f"reproducing property: the integral of K_{n}(x, z) f(z) dmu(z) is f(x) for {_polynomial(identity)}"
    )


def _polynomial(identity: Identity) -> str:
    from sympy import Poly, Symbol

    if identity.degree > _LONGEST:
        return f"a polynomial f of degree {identity.degree} with random integer coefficients"
    return f"f = {Poly(identity.polynomial[::-1], Symbol('x')).as_expr()}, drawn at random"


def _differences(identity: Identity) -> str:
    """Return what differs, for a line that does not hold."""
    if not identity.differences:
        return ""
    shown = [_difference(identity, each) for each in identity.differences[:_SHOWN]]
    left = len(identity.differences) - len(shown)
    rest = f"; {left} more of {identity.compared} differ" if left else ""
    return "; but " + "; ".join(shown) + rest


def _difference(identity: Identity, difference: Any) -> str:
    from ...measures.identities import Kind

    value = shorten(difference.value)
    if identity.kind in (Kind.GRAM_BY_MOMENTS, Kind.GRAM_BY_INTEGRATION):
        j, k = difference.place
        what = f"<p_{j}, p_{k}> - {int(j == k)}"
    else:
        names = ("x", "z")[: len(difference.place)]
        powers = " ".join(f"{name}^{e}" for name, e in zip(names, difference.place, strict=True))
        what = f"the coefficient of {powers} in the difference"
    return f"{what} = {value}" + ("" if difference.is_nonzero else ", which SymPy cannot compare with 0")


def _integration_note(args: argparse.Namespace, basis: OrthonormalBasis, found: list[Identity]) -> str:
    """Return why ``sympy.integrate`` was not used for all degrees; empty if it was."""
    from ...measures.identities import Kind

    done = max((each.degree for each in found if each.kind is Kind.GRAM_BY_INTEGRATION), default=-1)
    if done == basis.n:
        return ""
    if basis.weight.integral is None:
        return "note: sympy.integrate is not used, since it does not find the integrals of this weight"
    beyond = f"beyond degree {done}" if done >= 0 else "at all"
    why = (
        "as --integrate says"
        if args.integrate is not None
        else (f"where it takes more than about five seconds; --integrate {basis.n} integrates all")
    )
    return f"note: sympy.integrate is not used {beyond}, {why}"


def _json(basis: OrthonormalBasis, found: list[Identity]) -> JsonObject:
    import sympy

    from ...measures.identities import outcome_of

    measure = basis.measure
    parameters = {name: getattr(measure, name) for name in measure.fields}
    rows = [
        {
            "k": k,
            "p": str(p),
            "latex": sympy.latex(p),
            "monic": str(measure.pi(k)),
            "h": str(measure.h(k)),
            "leading": str(kappa),
        }
        for k, (p, kappa) in enumerate(zip(basis.p, basis.kappa, strict=True))
    ]
    return {
        "schema": "orca-exact/polynomials/1",
        "measure": {"family": measure.family}
        | {key: list(map(str, x)) if isinstance(x, tuple) else str(x) for key, x in parameters.items()},
        "n": basis.n,
        "sympy": sympy.__version__,
        "outcome": outcome_of(found),
        "polynomials": rows,
        "identities": [_identity_json(basis, identity) for identity in found],
        "proved": _proved(basis),
    }


def _identity_json(basis: OrthonormalBasis, identity: Identity) -> JsonObject:
    return {
        "identity": identity.kind.value,
        "outcome": identity.outcome,
        "degree": identity.degree,
        "compared": identity.compared,
        "statement": _statement(basis, identity),
        **({"polynomial": list(identity.polynomial)} if identity.polynomial else {}),
        "differences": [
            {"place": list(each.place), "value": str(each.value), "nonzero": each.is_nonzero}
            for each in identity.differences
        ],
    }
