"""The verb ``study``: statistics of certified indices. They are not verdicts."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from glob import glob
from inspect import signature
from io import StringIO
from pathlib import Path
from typing import Any

from ...errors import BadFile, BadParameter, PackageMissing, printable
from ...files.escaping import csv_row, for_csv
from ...files.formats import JsonObject, append_text
from ..page import Grid, Page
from ..parser import (
    add_figure,
    add_format,
    add_jobs,
    add_no_cache,
    add_output,
    check_figure,
    degree,
    list_item,
)
from ..terminal import Output

BAND_PICTURES = ("orders", "spectrum", "cumulative", "pairs", "columns")
_PROBLEMS = (".json", ".json.gz", ".jsonl", ".jsonl.gz")
_FILES = (".json", ".jsonl", ".csv", ".parquet")

EXAMPLES = (
    "orca-exact study null examples/problems/xor.json --repeats 200",
    "orca-exact study bootstrap examples/problems/xor.json --repeats 50 -o study.json",
    "orca-exact study noise examples/problems/xor.json --delta 0.001 --repeats 20",
    "orca-exact study sweep examples/problems/xor.json --n 1 2 3 --C 1 10 -o table.json",
    "orca-exact study overfit examples/problems/xor.json --n 1 2 --folds 2",
)


@dataclass(frozen=True)
class StudyKind:
    """A kind of study on the command line."""

    about: str  # help text
    options: Callable[[Callable[..., Any]], None]  # adds options by ``add_argument``
    pictures: tuple[str, ...] = BAND_PICTURES  # if (), --picture takes a column of the table
    joint: bool = False  # one study of all problems together, without random numbers


def arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for name, kind in STUDY_KINDS.items():
        sub = kinds.add_parser(name, help=kind.about, description=kind.about)
        text = "problem file (.json, .jsonl, or with .gz), folder, or pattern such as 'p/*.json'; - is stdin"
        sub.add_argument("problem", metavar="PROBLEM", nargs="+", help=text)
        kind.options(sub.add_argument)
        if not kind.joint:
            sub.add_argument("--seed", type=int, default=1, help="seed of the random numbers (default 1)")
        add_jobs(sub)
        add_no_cache(sub)
        add_output(sub, "FILE", f"file to write: {', '.join(_FILES)}")
        add_figure(sub, kind.pictures)
        if not kind.pictures:
            sub.add_argument(
                "--picture", metavar="COLUMN", help="column of the table to draw (default: the orders)"
            )
        add_format(sub)


def _repeats(add: Callable[..., Any], default: int, noun: str) -> None:
    add("-B", "--repeats", type=int, default=default, help=f"number of {noun} (default {default})")


def _null(add: Callable[..., Any]) -> None:
    _repeats(add, 1000, "permutations")
    add("--strata", metavar="FILE", help="file with one line per point: permute only among equal lines")


def _bootstrap(add: Callable[..., Any]) -> None:
    _repeats(add, 200, "resamples")
    methods = ["bootstrap", "subsample", "jackknife"]
    add("--method", choices=methods, default="bootstrap", help="how to resample (default bootstrap)")
    add("--size", type=int, help="points per resample (default all; half of them for subsample)")
    add("--stratified", action="store_true", help="keep the size of each class")
    add("--rescale-again", action="store_true", help="rescale each resample by itself")
    add("--level", type=float, default=0.95, help="confidence level of the intervals (default 0.95)")


def _noise(add: Callable[..., Any]) -> None:
    _repeats(add, 200, "draws")
    text = "uncertainty of x: one number, or one for each column (default: from the digits of x)"
    add("--delta", metavar="D", nargs="+", type=list_item, help=text)


def _degrees(add: Callable[..., Any], default: str) -> None:
    add("--n", metavar="N", type=degree, nargs="+", help=f"degrees (default {default})")


def _sweep(add: Callable[..., Any]) -> None:
    _degrees(add, "that of the problem")
    text = "limits of the order of the kernel (default that of the problem)"
    add("--order", metavar="Q", nargs="+", type=degree, help=text)
    add("--C", metavar="C", nargs="+", type=list_item, help="values of C (default that of the problem)")
    for name, text in (("gamma", "gamma"), ("degree", "the degree"), ("coef0", "coef0")):
        add(f"--{name}", metavar="X", nargs="+", type=degree if name == "degree" else list_item,
            help=f"values of {text} of polynomial or RBF kernels")  # fmt: skip
    text = "pairs alpha,beta of Jacobi weights (default those of the problem)"
    add("--measure", dest="measures", metavar="A,B", nargs="+", help=text)


def _overfit(add: Callable[..., Any]) -> None:
    _degrees(add, "1 to 8")
    add(
        "--degree",
        metavar="N",
        type=degree,
        nargs="+",
        help="degrees of a polynomial kernel (default 1 to 5)",
    )
    add("--gamma", metavar="X", type=list_item, nargs="+", help="values of gamma of an RBF kernel")
    _repeats(add, 3, "times the folds are drawn")
    add("--folds", type=int, default=10, help="number of folds of the cross-validation (default 10)")
    add("--whole-scale", action="store_true", help="rescale by the whole sample, as the paper does")


STUDY_KINDS = {  # the kinds of orca_exact.studies.STUDIES
    "null": StudyKind("compare the indices with those of shuffled labels", _null),
    "bootstrap": StudyKind("show how the indices vary between resamples", _bootstrap),
    "noise": StudyKind("show how the indices vary if x is not known exactly", _noise),
    "sweep": StudyKind(
        "tabulate the indices over parameters of the kernel, C and problems", _sweep, (), True
    ),
    "overfit": StudyKind(
        "tabulate cross-validated accuracy and indices over n, degree or gamma",
        _overfit,
        ("orders", "accuracy"),
    ),
}


def run(args: argparse.Namespace, out: Output) -> int:
    from ...plots import save_figure
    from ...studies.text import describe_study

    if args.output is not None:
        needed = {".csv": ("pandas",), ".parquet": ("pandas", "pyarrow")}
        for package in needed.get(_suffix(args.output), ()):
            try:
                __import__(package)
            except ImportError:
                raise PackageMissing(package) from None
    check_figure(args.figure)
    if args.picture and args.figure is None:
        raise BadParameter(
            "--picture", printable(args.picture), "is given without --figure", "add --figure FILE"
        )
    problems = [problem for path in args.problem for problem in _read_problems(path)]
    kind = STUDY_KINDS[args.kind]
    if args.figure is not None and len(problems) > 1 and not kind.joint:
        raise BadParameter(
            "--figure", printable(args.figure), "is given with several problems", "pass one problem"
        )
    studies = list(_run_studies(args, problems, out, _row_appender(args.output)))
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
        text = describe_study(study)
        grid = Grid(text.headings, text.rows)
        Page(text.title, text.facts, [grid], text.closing).show(out, args.format)
    for file in (args.output, args.figure):
        if file is not None:
            out.report_file(file)
    return 0


def _read_problems(path: str) -> list[Any]:
    """Return the problems in a file, in a folder or in the files of a pattern."""
    from ...files.formats import read_documents
    from ...problem import Problem

    if Path(path).is_dir():
        files = [str(file) for ending in _PROBLEMS for file in Path(path).glob(f"*{ending}")]
    elif not Path(path).exists() and any(mark in path for mark in "*?["):
        files = glob(path, recursive=True)
    else:
        name = Path(path.removesuffix(".gz"))
        if name.suffix.lower() == ".jsonl":
            found = [(place, Problem.from_json(data, place)) for place, data in read_documents(path)]
        else:
            found = [(path, Problem.load(path))]
        return [p if p.id else p.replace(id=name.stem + place.removeprefix(path)) for place, p in found]
    if not files:
        hint = f"pass files that end in {', '.join(_PROBLEMS)}"
        raise BadFile(printable(path), "there is no problem file", hint)
    return [problem for file in sorted(files) for problem in _read_problems(file)]


def _run_studies(
    args: argparse.Namespace, problems: list[Any], out: Output, append: Callable[[JsonObject], None]
) -> Iterable[Any]:
    """Yield the studies, and append their rows to the output file as soon as they are computed."""
    from ...studies import STUDIES

    study: Callable[..., Any] = STUDIES[args.kind]
    options = _options(args, study) | {
        "jobs": args.jobs,
        "scheduler": args.scheduler,
        "keep": not args.no_cache,
    }
    if STUDY_KINDS[args.kind].joint:
        yield study(problems, progress=out.progress, on_row=append, **options)
        return
    for problem in problems:

        def progress(message: str, name: str = problem.id) -> None:
            out.progress(f"{name}: {message}" if message else "")

        found = study(problem, progress=progress, **options)
        whole = Path(args.output or "").suffix.lower() == ".jsonl"
        for row in [found.to_json()] if whole else found.rows():
            append(row | ({} if whole or len(problems) == 1 else {"problem": problem.id}))
        yield found


def _options(args: argparse.Namespace, study: Callable[..., Any]) -> dict[str, Any]:
    """Return the command-line options that are parameters of the study."""
    names = set(signature(study).parameters) & set(vars(args)) - {"problem"}
    options = {name: getattr(args, name) for name in names}
    if options.get("strata") is not None:
        options["strata"] = _lines(options["strata"])
    if len(options.get("delta") or ()) == 1:
        (options["delta"],) = options["delta"]
    if options.get("measures"):
        options["measures"] = [_measure(text) for text in options["measures"]]
    return options


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


def _row_appender(path: str | None) -> Callable[[JsonObject], None]:
    """Return a function that appends a row to a .jsonl or .csv file, and does nothing for other files.

    The first row replaces an older file. So an interrupted run leaves the rows that are finished; at the end
    ``_write`` replaces the file by one in which all rows have the same columns.
    """
    suffix = "" if path is None else _suffix(path)
    columns: list[str] = []

    def append(row: JsonObject) -> None:
        if (
            path is None
            or suffix not in (".jsonl", ".csv")
            or (Path(path).exists() and not Path(path).is_file())
        ):
            return
        first, columns[:] = not columns, columns or list(row)
        text = StringIO()
        if suffix == ".jsonl":
            text.write(json.dumps(row) + "\n")
        else:
            writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
            if first:
                writer.writeheader()
            writer.writerow(csv_row(row))
        append_text(path, text.getvalue(), first)

    return append


def _write(path: str, studies: list[Any]) -> None:
    from ...files.formats import write, write_json

    suffix = _suffix(path)
    if suffix == ".jsonl":
        joint = STUDY_KINDS[studies[0].kind].joint
        lines = studies[0].rows() if joint else [study.to_json() for study in studies]
        write(path, "".join(json.dumps(line) + "\n" for line in lines))
        return
    if suffix == ".json":
        write_json(path, *(study.to_json() for study in studies))
        return
    import pandas

    frames = [study.to_frame() for study in studies]
    if len(frames) > 1:
        frames = [f.assign(problem=s.problem["id"]) for f, s in zip(frames, studies, strict=True)]
    table = pandas.concat(frames, ignore_index=True)
    if suffix == ".csv":
        texts = table.select_dtypes(include=["object", "string"])
        escaped = {name: texts[name].map(lambda x: for_csv(x) if isinstance(x, str) else x) for name in texts}
        write(path, table.assign(**escaped).to_csv(index=False, lineterminator="\n"))
    else:
        write(path, table.to_parquet(None))
