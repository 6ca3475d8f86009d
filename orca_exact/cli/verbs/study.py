"""``study``: is it signal? Statistics on certified indices. They are no verdicts: nothing HOLDS or FAILS."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ...errors import BadFile, BadParameter, printable
from ..parser import add_format, add_jobs
from ..terminal import Output, several

KINDS = {
    "null": "what the indices are for shuffled labels",
    "bootstrap": "how the indices move with the sample",
    "noise": "how the indices move when each x is known to so many digits",
    "sweep": "a table over degrees, measures, C and data sets",
    "overfit": "accuracy beside the structural indices, over n",
}
FILES = (".json", ".jsonl", ".csv", ".parquet")
LEVEL = 0.05  # of what a sentence calls different
DIGITS = 4
SMALL = 10**-DIGITS

EXAMPLES = (
    "orca-exact study null examples/problems/xor.json --repeats 200",
    "orca-exact study bootstrap examples/problems/xor.json --repeats 50 -o study.json",
    "cat examples/problems/xor.json | orca-exact study null - --repeats 50 --figure null.svg",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for kind, what in KINDS.items():
        sub = kinds.add_parser(kind, help=what, description=what)
        sub.add_argument("problem", metavar="PROBLEM", nargs="+", help="problem files")
        OPTIONS[kind](sub)
        if kind != "sweep":
            sub.add_argument("--seed", type=int, default=1, help="of the random numbers (default 1)")
        add_jobs(sub)
        sub.add_argument("--no-cache", action="store_true", help="compute everything again, store nothing")
        sub.add_argument("-o", "--output", metavar="FILE", help=f"write it: {', '.join(FILES)}")
        sub.add_argument("--figure", metavar="FILE", help="draw it: .svg, .png or .pdf")
        sub.add_argument("--picture", metavar="KIND", default="orders", help="what to draw (default orders)")
        add_format(sub)


def _repeats(sub: argparse.ArgumentParser, default: int, what: str) -> None:
    sub.add_argument("-B", "--repeats", type=int, default=default, help=f"{what} (default {default})")


def _null(sub: argparse.ArgumentParser) -> None:
    _repeats(sub, 1000, "permutations")
    sub.add_argument(
        "--strata", metavar="FILE", help="one line for each point: labels are permuted within equal lines"
    )


def _bootstrap(sub: argparse.ArgumentParser) -> None:
    _repeats(sub, 200, "resamples")
    sub.add_argument("--method", choices=["bootstrap", "subsample", "jackknife"], default="bootstrap")
    sub.add_argument("--size", type=int, help="points of a resample (default all; half for subsample)")
    sub.add_argument("--stratified", action="store_true", help="each class keeps its size")
    sub.add_argument("--rescale-again", action="store_true", help="each resample has its own scale")
    sub.add_argument("--level", type=float, default=0.95, help="of the intervals (default 0.95)")


def _noise(sub: argparse.ArgumentParser) -> None:
    _repeats(sub, 200, "draws")
    sub.add_argument(
        "--delta", metavar="D", nargs="+", help="x is known to within D: one, or one for each column"
    )


def _grid(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--n", metavar="N", type=int, nargs="+", help="degrees (default that of the problem)")


def _sweep(sub: argparse.ArgumentParser) -> None:
    _grid(sub)
    sub.add_argument("--C", metavar="C", nargs="+", help="values of C (default that of the problem)")
    sub.add_argument(
        "--measure", metavar="A,B", nargs="+", help="Jacobi weights (default those of the problem)"
    )


def _overfit(sub: argparse.ArgumentParser) -> None:
    _grid(sub)
    _repeats(sub, 5, "times that the folds are drawn")
    sub.add_argument("--folds", type=int, default=10, help="of the cross-validation (default 10)")
    sub.add_argument(
        "--whole-scale", action="store_true", help="scale by the whole sample, as the paper does"
    )


OPTIONS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "null": _null, "bootstrap": _bootstrap, "noise": _noise, "sweep": _sweep, "overfit": _overfit,
}  # fmt: skip


def run(args: argparse.Namespace, out: Output) -> int:
    from ...plots import kind_of, save
    from ...problem import Problem

    if args.output is not None:
        _suffix(args.output)
    if args.figure is not None:
        kind_of(args.figure)
    problems = [Problem.load(path) for path in args.problem]
    if args.figure is not None and len(problems) > 1 and args.kind != "sweep":
        raise BadParameter("--figure", printable(args.figure), "is one, for several problems", "give one")
    named = [
        p if p.id else p.with_(id=Path(path).stem) for p, path in zip(problems, args.problem, strict=True)
    ]
    studies = list(_studies(args, named, out))
    out.progress("")
    if args.output is not None:
        _write(args.output, studies)
    if args.figure is not None:
        save(studies[0].plot(args.picture, names=problems[0].names or None), args.figure)
    if args.format == "json":
        for study in studies:
            out.json(study.to_json(), 1 if len(studies) == 1 else None)
        return 0
    for study in studies:
        (_markdown if args.format == "markdown" else _text)(out, describe(study))
    for file in (args.output, args.figure):
        if file is not None:
            out.print(f"written: {printable(file)}")
    return 0


def _studies(args: argparse.Namespace, problems: list, out: Output) -> Iterable[Any]:
    from ... import studies

    work = {"jobs": args.jobs, "scheduler": args.scheduler, "keep": not args.no_cache}
    if args.kind == "sweep":
        measures = [_measure(text) for text in args.measure] if args.measure else None
        yield studies.sweep(problems, args.n, measures, args.C, progress=out.progress, **work)
        return
    for problem in problems:

        def say(message: str, name: str = problem.id) -> None:
            out.progress(f"{name}: {message}" if message else "")

        work |= {"seed": args.seed, "progress": say}
        if args.kind == "null":
            strata = None if args.strata is None else _lines(args.strata)
            yield studies.null(problem, args.repeats, strata=strata, **work)
        elif args.kind == "bootstrap":
            yield studies.bootstrap(
                problem, args.repeats, method=args.method, size=args.size, stratified=args.stratified,
                rescale_again=args.rescale_again, level=args.level, **work,
            )  # fmt: skip
        elif args.kind == "noise":
            delta = args.delta[0] if args.delta and len(args.delta) == 1 else args.delta
            yield studies.noise(problem, delta, args.repeats, **work)
        else:
            yield studies.overfit(
                problem, args.n, folds=args.folds, repeats=args.repeats, whole_scale=args.whole_scale, **work
            )


def _measure(text: str) -> Any:
    from ...jacobi import Jacobi
    from ...number import QQ

    alpha, comma, beta = text.partition(",")
    if not comma:
        raise BadParameter("--measure", text, "is not a pair", "write alpha,beta, such as 4.3,1.8")
    return Jacobi(QQ(alpha, "--measure"), QQ(beta, "--measure"))


def _lines(path: str) -> list[str]:
    from ...formats import read_bytes

    try:
        return read_bytes(path).decode().split("\n")[:-1]
    except UnicodeDecodeError:
        raise BadFile(path, "is not UTF-8 text", "write one line for each point") from None


def _suffix(path: str) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in FILES:
        raise BadParameter(
            "--output", printable(path), "has no kind that is written", "end it in " + FILES[0]
        )
    return suffix


def _write(path: str, studies: list) -> None:
    from ...formats import write, write_json

    suffix = _suffix(path)
    if suffix in (".json", ".jsonl"):
        write_json(path, *(study.to_json() for study in studies))
        return
    import pandas

    frames = [study.to_frame() for study in studies]
    if len(frames) > 1:
        frames = [f.assign(problem=s.problem["id"]) for f, s in zip(frames, studies, strict=True)]
    table = pandas.concat(frames, ignore_index=True)
    write(path, table.to_csv(index=False) if suffix == ".csv" else table.to_parquet(None))


# What is shown, format apart.


def describe(study: Any) -> dict:
    """A title, facts, headings, rows and closing sentences."""
    facts, headings, rows, tail = SHOWN[study.kind](study)
    return {"title": _title(study), "facts": facts, "headings": headings, "rows": rows, "tail": tail}


def _title(study: Any) -> str:
    problem = getattr(study, "problem", None)
    return f"{study.kind}: {printable(problem['id'])}" if problem else study.kind


def _about(study: Any) -> str:
    p = study.problem
    return f"{p['m']} points, d = {p['d']}, {p['kernel']}, C = {p['C']}"


def _proofs(study: Any) -> str:
    counts = study.counts["proofs"]
    names = {"float": "in float64 with bounds", "ball": "in balls", "undecided": "in part undecided",
             "zero": "with w = 0, where nothing is defined"}  # fmt: skip
    parts = [f"{number} {names[kind]}" for kind, number in counts.items()]
    decimals = study.to_json()["decimals"]
    return f"each certified ({', '.join(parts)}), every index correctly rounded to {decimals} decimals"


def _number(x: Any) -> str:
    if x is None or isinstance(x, int):
        return "–" if x is None else str(x)
    return f"{x:.{DIGITS}f}" if x == 0 or abs(x) >= SMALL else f"{x:.1e}"


def _listed(study: Any) -> list:
    """Every column but the degrees, which are many."""
    return [(column, row) for column, row in study if column.name != "degree"]


def _of_null(study: Any) -> tuple[list, list, list, list]:
    s = study.settings
    times = f"{s['repeats']} times {s['method']} of the labels, seed {s['seed']}"
    facts = [_about(study), f"{times}; {_proofs(study)}"]
    headings = [
        "index",
        "observed",
        "shuffled 2.5 %",
        "median",
        "97.5 %",
        "z",
        "p",
        "p family",
        "equal modes",
    ]
    rows = []
    for column, row in _listed(study):
        band = [_number(row["quantiles"].get(q)) for q in ("0.025", "0.5", "0.975")]
        z = "–" if row["z"] is None else f"{row['z']:+.1f}"
        p = [f"{row[name]:.3g}" for name in ("p", "p_family")]
        rows.append([column.label, _number(row["observed"]), *band, z, *p, _number(row["equal_modes"])])
    return facts, headings, rows, sentences(study)


def sentences(study: Any) -> list[str]:
    """What a null means, plainly."""
    found = [(column.label, row) for column, row in study]
    alone = [label for label, row in found if row["p"] <= LEVEL]
    together = [label for label, row in found if row["p_family"] <= LEVEL]
    ties = sum(row["ties"] for _, row in found if row["sd"])
    lines = [
        f"all {len(found)} numbers together (p family <= {LEVEL}): "
        + (
            f"{', '.join(together)} differ from shuffled labels"
            if together
            else "none differs from shuffled labels"
        ),
        f"each by itself (p <= {LEVEL}): {len(alone)} of {len(found)}"
        + (f", {', '.join(alone)}" if 0 < len(alone) <= 12 else "")
        + f"; {LEVEL * len(found):.0f} would be expected of labels that mean nothing",
    ]
    if ties:
        lines.append(
            f"{several(ties, 'comparison')} of equal or undecided numbers counted against a difference"
        )
    return [*lines, "p = (r + 1)/(B + 1), two-sided; statistics, no verdicts"]


def _of_bootstrap(study: Any) -> tuple[list, list, list, list]:
    s = study.settings
    drawn = f"{several(s['repeats'], 'resample')} ({s['method']} of {s['size']}"
    drawn += ", stratified" * s["stratified"] + ", each with its own scale" * s["rescale_again"] + ")"
    facts = [_about(study), f"{drawn}, seed {s['seed']}; " + _proofs(study)]
    tail = ["statistics, no verdicts"]
    if study.counts["redrawn"]:
        tail.insert(
            0, f"{several(study.counts['redrawn'], 'resample')} with fewer than two of a class redrawn"
        )
    if s["method"] == "jackknife":
        headings = ["index", "observed", "mean", "bias", "standard error"]
        fields = ["observed", "mean", "bias", "standard_error"]
        return facts, headings, [[c.label, *(_number(r[f]) for f in fields)] for c, r in _listed(study)], tail
    kinds = [kind for kind in ("percentile", "bca") if kind in study["peak"]]
    names = {"percentile": "percentile", "bca": "BCa"}
    headings = [
        "index",
        "observed",
        "mean",
        "sd",
        *(f"{names[kind]} {100 * s['level']:g} %" for kind in kinds),
    ]
    rows = []
    for column, row in _listed(study):
        ends = ["–" if row[kind] is None else " to ".join(map(_number, row[kind])) for kind in kinds]
        rows.append([column.label, *(_number(row[f]) for f in ("observed", "mean", "sd")), *ends])
    return facts, headings, rows, tail


SHOWN: dict[str, Callable[[Any], tuple[list, list, list, list]]] = {
    "null": _of_null,
    "bootstrap": _of_bootstrap,
}


def _text(out: Output, shown: dict) -> None:
    from rich.table import Table
    from rich.text import Text

    console = out.console
    console.print(Text(shown["title"], style="bold"))
    for fact in shown["facts"]:
        console.print(Text(fact))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, heading in enumerate(shown["headings"]):
        table.add_column(heading, justify="right" if number else "left", no_wrap=not number)
    for row in shown["rows"]:
        table.add_row(*row)
    console.print()
    console.print(table)
    console.print()
    for line in shown["tail"]:
        console.print(Text(line))


def _markdown(out: Output, shown: dict) -> None:
    out.print(f"## {shown['title']}\n")
    for fact in shown["facts"]:
        out.print(f"- {fact}")
    out.print(f"\n| {' | '.join(shown['headings'])} |\n|---|" + "--:|" * (len(shown["headings"]) - 1))
    for row in shown["rows"]:
        out.print(f"| {' | '.join(row)} |")
    out.print()
    for line in shown["tail"]:
        out.print(f"- {line}")
