"""The verb ``study``: statistics of certified indices. They are not verdicts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import BadFile, BadParameter, PackageMissing, printable
from ..parser import add_figure, add_format, add_jobs, check_figure, degree, list_item, output_path
from ..studies import (
    StudyTable,
    describe_bootstrap,
    describe_noise,
    describe_null,
    describe_overfit,
    describe_study,
    describe_sweep,
)
from ..terminal import Output

BANDS = ("orders", "spectrum", "cumulative", "pairs")
_FILES = (".json", ".jsonl", ".csv", ".parquet")

EXAMPLES = (
    "orca-exact study null examples/problems/xor.json --repeats 200",
    "orca-exact study bootstrap examples/problems/xor.json --repeats 50 -o study.json",
    "cat examples/problems/xor.json | orca-exact study null - --repeats 50 --figure null.svg",
)


@dataclass(frozen=True)
class StudyKind:
    """A kind of study on the command line."""

    about: str  # help text
    options: Callable[[argparse.ArgumentParser], None]
    call: Callable[..., Any]  # takes the study function, the arguments, the problem(s) and the work options
    shown: Callable[[Any], StudyTable]
    pictures: tuple[str, ...] = BANDS  # if (), --picture takes a column of the table
    joint: bool = False  # one study of all problems together, without random numbers


def arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for name, kind in STUDY_KINDS.items():
        sub = kinds.add_parser(name, help=kind.about, description=kind.about)
        sub.add_argument(
            "problem", metavar="PROBLEM", nargs="+", help="problem files, plain or .gz; - is standard input"
        )
        kind.options(sub)
        if not kind.joint:
            sub.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default 1)")
        add_jobs(sub)
        sub.add_argument("--no-cache", action="store_true", help="compute everything again and store nothing")
        sub.add_argument(
            "-o", "--output", type=output_path, metavar="FILE", help=f"file to write: {', '.join(_FILES)}"
        )
        add_figure(sub, kind.pictures)
        if not kind.pictures:
            sub.add_argument(
                "--picture", metavar="COLUMN", help="column of the table to draw (default: the orders)"
            )
        add_format(sub)


def _repeats(sub: argparse.ArgumentParser, default: int, noun: str) -> None:
    help = f"number of {noun} (default {default})"
    sub.add_argument("-B", "--repeats", type=int, default=default, help=help)


def _null(sub: argparse.ArgumentParser) -> None:
    _repeats(sub, 1000, "permutations")
    sub.add_argument(
        "--strata", metavar="FILE", help="file with one line per point: permute only among equal lines"
    )


def _call_null(study: Callable, args: argparse.Namespace, problem: Any, work: dict) -> Any:
    strata = None if args.strata is None else _lines(args.strata)
    return study(problem, args.repeats, strata=strata, **work)


def _bootstrap(sub: argparse.ArgumentParser) -> None:
    _repeats(sub, 200, "resamples")
    sub.add_argument(
        "--method",
        choices=["bootstrap", "subsample", "jackknife"],
        default="bootstrap",
        help="how to resample (default bootstrap)",
    )
    sub.add_argument("--size", type=int, help="points per resample (default all; half of them for subsample)")
    sub.add_argument("--stratified", action="store_true", help="keep the size of each class")
    sub.add_argument("--rescale-again", action="store_true", help="rescale each resample by itself")
    sub.add_argument(
        "--level", type=float, default=0.95, help="confidence level of the intervals (default 0.95)"
    )


def _call_bootstrap(study: Callable, args: argparse.Namespace, problem: Any, work: dict) -> Any:
    return study(
        problem, args.repeats, method=args.method, size=args.size, stratified=args.stratified,
        rescale_again=args.rescale_again, level=args.level, **work,
    )  # fmt: skip


def _noise(sub: argparse.ArgumentParser) -> None:
    _repeats(sub, 200, "draws")
    sub.add_argument(
        "--delta",
        metavar="D",
        nargs="+",
        type=list_item,
        help="uncertainty of x: one number, or one for each column (default: from the digits of x)",
    )


def _call_noise(study: Callable, args: argparse.Namespace, problem: Any, work: dict) -> Any:
    delta = args.delta[0] if args.delta and len(args.delta) == 1 else args.delta
    return study(problem, delta, args.repeats, **work)


def _degrees(sub: argparse.ArgumentParser, default: str) -> None:
    sub.add_argument("--n", metavar="N", type=degree, nargs="+", help=f"degrees (default {default})")


def _sweep(sub: argparse.ArgumentParser) -> None:
    _degrees(sub, "that of the problem")
    sub.add_argument(
        "--C", metavar="C", nargs="+", type=list_item, help="values of C (default that of the problem)"
    )
    sub.add_argument(
        "--measure",
        metavar="A,B",
        nargs="+",
        help="pairs alpha,beta of Jacobi weights (default those of the problem)",
    )


def _call_sweep(study: Callable, args: argparse.Namespace, problems: Any, work: dict) -> Any:
    measures = [_measure(text) for text in args.measure] if args.measure else None
    return study(problems, args.n, measures, args.C, **work)


def _overfit(sub: argparse.ArgumentParser) -> None:
    _degrees(sub, "1 to 8")
    _repeats(sub, 3, "times the folds are drawn")
    sub.add_argument(
        "--folds", type=int, default=10, help="number of folds of the cross-validation (default 10)"
    )
    sub.add_argument(
        "--whole-scale", action="store_true", help="rescale by the whole sample, as the paper does"
    )


def _call_overfit(study: Callable, args: argparse.Namespace, problem: Any, work: dict) -> Any:
    return study(
        problem, args.n, folds=args.folds, repeats=args.repeats, whole_scale=args.whole_scale, **work
    )


STUDY_KINDS = {  # the kinds of orca_exact.studies.STUDIES
    "null": StudyKind("compare the indices with those of shuffled labels", _null, _call_null, describe_null),
    "bootstrap": StudyKind(
        "show how the indices vary between resamples", _bootstrap, _call_bootstrap, describe_bootstrap
    ),
    "noise": StudyKind(
        "show how the indices vary if x is known with limited accuracy", _noise, _call_noise, describe_noise
    ),
    "sweep": StudyKind(
        "tabulate the indices over degrees, measures, C and data sets",
        _sweep,
        _call_sweep,
        describe_sweep,
        (),
        joint=True,
    ),
    "overfit": StudyKind(
        "tabulate cross-validated accuracy and indices over n",
        _overfit,
        _call_overfit,
        describe_overfit,
        ("orders", "accuracy"),
    ),
}


def run(args: argparse.Namespace, out: Output) -> int:
    from ...plots import save_figure
    from ...problem import Problem

    for file in filter(None, (args.output, args.figure)):  # checked before the computation
        if not Path(file).parent.is_dir():
            raise BadFile(file, "its folder does not exist", "create the folder or choose another path")
    if args.output is not None:
        needed = {".csv": ("pandas",), ".parquet": ("pandas", "pyarrow")}
        for package in needed.get(_suffix(args.output), ()):
            try:
                __import__(package)
            except ImportError:
                raise PackageMissing(package, package) from None
    check_figure(args.figure)
    if args.picture and args.figure is None:
        raise BadParameter(
            "--picture", printable(args.picture), "is given without --figure", "add --figure FILE"
        )
    problems = [Problem.load(path) for path in args.problem]
    kind = STUDY_KINDS[args.kind]
    if args.figure is not None and len(problems) > 1 and not kind.joint:
        raise BadParameter(
            "--figure", printable(args.figure), "is given with several problems", "pass one problem"
        )
    named = [
        p if p.id else p.replace(id=Path(path).stem) for p, path in zip(problems, args.problem, strict=True)
    ]
    studies = list(_run_studies(args, named, out))
    out.progress("")
    if args.output is not None:
        _write(args.output, studies)
    if args.figure is not None:
        save_figure(studies[0].plot(args.picture or "orders", names=problems[0].names or None), args.figure)
    if args.format == "json":
        for study in studies:
            out.json(study.to_json(), 1 if len(studies) == 1 else None)
        return 0
    for study in studies:
        describe_study(study, kind.shown(study)).show(out, args.format)
    for file in (args.output, args.figure):
        if file is not None:
            out.file(file)
    return 0


def _run_studies(args: argparse.Namespace, problems: list, out: Output) -> Iterable[Any]:
    from ...studies import STUDIES

    study, kind = STUDIES[args.kind], STUDY_KINDS[args.kind]
    work = {"jobs": args.jobs, "scheduler": args.scheduler, "keep": not args.no_cache}
    if kind.joint:
        yield kind.call(study, args, problems, work | {"progress": out.progress})
        return
    for problem in problems:

        def progress(message: str, name: str = problem.id) -> None:
            out.progress(f"{name}: {message}" if message else "")

        yield kind.call(study, args, problem, work | {"seed": args.seed, "progress": progress})


def _measure(text: str) -> Any:
    from ...measures.jacobi import Jacobi
    from ...numbers.rationals import QQ

    alpha, comma, beta = text.partition(",")
    if not comma:
        raise BadParameter("--measure", text, "is not a pair", "write alpha,beta, such as 4.3,1.8")
    return Jacobi(QQ(alpha, "--measure"), QQ(beta, "--measure"))


def _lines(path: str) -> list[str]:
    from ...files.formats import read_bytes

    try:
        return read_bytes(path).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise BadFile(path, "the file is not UTF-8 text", "write one line of text for each point") from None


def _suffix(path: str) -> str:
    suffix = Path(path).suffix.lower()
    if suffix not in _FILES:
        hint = f"use a name that ends in {', '.join(_FILES)}"
        raise BadParameter("--output", printable(path), "has an unknown ending", hint)
    return suffix


def _write(path: str, studies: list) -> None:
    from ...files.formats import write, write_json

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
