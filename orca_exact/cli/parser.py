"""Parser and main program of ``orca-exact VERB``.

Each verb is a module of ``orca_exact.cli.verbs`` or of a plugin. It defines ``EXAMPLES``,
``arguments(parser)`` and ``run(args, out) -> int``, prints through ``out`` and does not import other verbs;
shared code is here, in ``terminal`` or in the library. A plugin is a package that is registered under the
entry point ``orca_exact.verbs`` and has the members of ``Plugin``.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol, TextIO

from .. import __version__
from ..errors import BadParameter, OrcaError, PackageMissing
from ..files.formats import open_null, require_folder
from ..runtime import cluster
from ..runtime.run import count_processors
from .signals import install_handlers
from .terminal import Output, OutputClosed

VERBS = {
    "tutorial": "go from a small table to a checked proof in a minute, without a network",
    "problem": "make a problem file from a CSV file",
    "polynomials": "print orthonormal polynomials and check their identities with SymPy",
    "solve": "solve the primal and the dual with CVXPY to many digits and compare with the optimum",
    "profile": "solve and certify a problem, and print its ORCA profile",
    "study": "compute statistics of the indices: shuffled labels, resamples, noise, sweeps, overfitting",
    "path": "compute the classifier and its indices for every C of an interval, with a proof",
    "certify": "prove that the solution of a problem is optimal, or test a given solution",
    "check-certificate": "check a certificate or a path with an independent program",
    "reference": "certify problems and write reference values for testing implementations",
    "crosscheck": "compare results with reference values, or test a program on the conformance vectors",
    "schema": "print a JSON schema (problem, result, reference, certificate, ...)",
    "doctor": "show the versions, solvers and data sets that were found",
}
EXIT_CODES = {
    0: "everything is as expected",
    1: "there is a mismatch, an unexpected verdict or a rejected certificate",
    2: "the command line is wrong",
    3: "nothing is wrong, but something is undecided",
    4: "bad input, a missing package or data set, or output that cannot be written",
    5: "the program under test or a solver failed",
    130: "stopped by Ctrl-C (143: by SIGTERM)",
}
FIRST_EXAMPLES = ("orca-exact tutorial", "orca-exact profile --help")
START = "start with 'orca-exact tutorial', or see 'orca-exact --help'"
COMPLETION = """shell completion of verbs, options, files and claims (needs argcomplete):
  eval "$(register-python-argcomplete orca-exact)"                    bash, zsh
  register-python-argcomplete --shell fish orca-exact | source        fish"""
PIP_NAMES = {"sklearn": "scikit-learn"}  # packages that have another name than their module
_COMMAND_WIDTH = 78  # of a terminal with 80 columns
MAX_DEFAULT_JOBS = 8  # by default: each process needs some hundred MB


class Plugin(Protocol):
    """A package whose modules are additional verbs."""

    __name__: str
    VERBS: dict[str, str]  # the help text by verb
    RENAMED: dict[str, str]  # the name of a verb by its former name, which works for one more version
    FIRST_EXAMPLES: tuple[str, ...]  # commands to begin with
    CACHING: tuple[str, ...]  # verbs that keep finished tasks in the cache

    def facts(self) -> dict[str, str]:
        """Return the facts that ``doctor`` prints after those of the library."""
        ...

    def completions(self) -> dict[str, Callable[[], list[str]]]:
        """Return a function that lists the names for shell completion, by metavar of the argument."""
        ...


@cache
def list_plugins() -> tuple[Plugin, ...]:
    """Return the installed plugins."""
    modules: list[Any] = [import_module(point.value) for point in entry_points(group="orca_exact.verbs")]
    return tuple(modules)


def list_verbs() -> dict[str, str]:
    """Return the help text by verb, plugins last."""
    return VERBS | {verb: text for plugin in list_plugins() for verb, text in plugin.VERBS.items()}


def list_first_examples() -> tuple[str, ...]:
    """Return commands to begin with, those of plugins last."""
    return FIRST_EXAMPLES + tuple(example for plugin in list_plugins() for example in plugin.FIRST_EXAMPLES)


def _module(verb: str) -> Any:
    packages = (plugin.__name__ for plugin in list_plugins() if verb in plugin.VERBS)
    package = next(packages, f"{__package__}.verbs")
    return import_module(f"{package}.{verb.replace('-', '_')}")


def make_parser(verb: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of all verbs.

    For a quick start, only ``verb`` (None: every verb) is imported and has its arguments.
    """
    lines = [f"{code}  {meaning}" for code, meaning in EXIT_CODES.items()]
    examples = list_first_examples()
    top = argparse.ArgumentParser(
        prog="orca-exact",
        description="Exact verification of SVMs on orthogonal-polynomial kernels and their ORCA profiles.",
        epilog="\n\n".join([_epilog(examples), "\n  ".join(["exit codes:", *lines]), COMPLETION]),
        formatter_class=_Help,
    )
    top.add_argument("--version", action="version", version=f"orca-exact {__version__}")
    choices = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, text in list_verbs().items():
        sub = choices.add_parser(name, help=text, description=text)
        if verb in (None, name):
            module = _module(name)
            module.arguments(sub)
            _finish(sub, module.EXAMPLES)
    return top


def leaf_parsers(sub: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Return the parsers of the kinds of a verb, or its own parser if it has none."""
    kinds = [action for action in sub._actions if isinstance(action, argparse._SubParsersAction)]
    return list(kinds[0].choices.values()) if kinds else [sub]


def _finish(sub: argparse.ArgumentParser, examples: Sequence[str]) -> None:
    """Add what every verb has: --quiet and examples."""
    for leaf in leaf_parsers(sub):
        leaf.add_argument(
            "-q", "--quiet", action="store_true", help="print data and errors only, no progress and no hints"
        )
    for each in {sub, *leaf_parsers(sub)}:
        own = [example for example in examples if f"{each.prog} " in f"{example} "]  # those of a kind
        each.formatter_class, each.epilog = _Help, _epilog(own)


class _Help(argparse.HelpFormatter):
    """A formatter that keeps the line breaks of texts with several lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


def _epilog(examples: Sequence[str]) -> str:
    text = "\n  ".join(["examples:", *map(_broken, examples)])
    if any("examples/" in line for line in examples):
        text += "\n\nexamples/ is in the source tree;\norca-exact tutorial writes a problem file of its own."
    return text


def _broken(command: str) -> str:
    """Break a command that is too long for a terminal of 80 columns; the shell joins the lines."""
    if len(command) <= _COMMAND_WIDTH:
        return command
    parts = re.split(r" (?=-|\| )", command)  # before options and pipes
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + 1 + len(part) + len(" \\") <= _COMMAND_WIDTH:
            lines[-1] += f" {part}"
        else:
            lines.append(f"  {part}")
    return " \\\n  ".join(lines)


# Options that verbs share.


def add_problem(sub: argparse.ArgumentParser, nargs: str | None = None) -> None:
    """Add the positional argument of one problem file or, with ``nargs``, of several."""
    text = f"problem file{'s' * bool(nargs)}, plain or .gz; - is standard input"
    sub.add_argument("problem", metavar="PROBLEM", nargs=nargs, help=text)


def add_output(sub: argparse.ArgumentParser, metavar: str, text: str) -> None:
    """Add the option -o; ``text`` is its help."""
    sub.add_argument("-o", "--output", type=output_path, metavar=metavar, help=text)


def add_no_cache(sub: argparse.ArgumentParser) -> None:
    """Add the option --no-cache."""
    sub.add_argument("--no-cache", action="store_true", help="compute everything again and store nothing")


def add_format(sub: argparse.ArgumentParser, *more: str) -> None:
    """Add the option --format."""
    sub.add_argument(
        "--format",
        choices=["text", "json", "markdown", *more],
        default="text",
        help="output format (default text)",
    )


def add_figure(sub: argparse.ArgumentParser, pictures: Sequence[str] = (), *also: str) -> None:
    """Add the option --figure and, if there are several pictures, --picture."""
    sub.add_argument("--figure", metavar="FILE", help="draw a figure to a file, .svg, .png or .pdf")
    if pictures:
        listed = f"the picture to draw: {', '.join(pictures)} (default orders)"
        sub.add_argument("--picture", choices=pictures, metavar="PICTURE", help=listed)
    for name in also:  # earlier names of --picture
        sub.add_argument(name, dest="picture", choices=pictures, help=argparse.SUPPRESS)


def check_figure(file: str | None) -> None:
    """Raise an error if the figure cannot be drawn."""
    if file is not None:
        from ..plots import figure_format, import_matplotlib

        figure_format(file)
        import_matplotlib()


def add_jobs(sub: argparse.ArgumentParser) -> None:
    """Add the options -j and --scheduler."""
    cores = min(MAX_DEFAULT_JOBS, count_processors())
    sub.add_argument(
        "-j", "--jobs", type=int, default=cores, metavar="N",
        help=f"number of processes (default {cores}: the cores of this machine, at most {MAX_DEFAULT_JOBS})",
    )  # fmt: skip
    sub.add_argument(
        "--scheduler", metavar="ADDRESS", help="compute on a Dask cluster, such as tcp://HOST:8786"
    )


def output_path(text: str) -> str:
    """Return the name of a file or folder to write; an empty name is a usage error."""
    if not text:
        raise argparse.ArgumentTypeError(
            "the name is empty; give the name of a file or folder, or leave the option out"
        )
    return text


def list_item(text: str) -> str:
    """Return one value of an option that takes several; a comma is a usage error."""
    if "," in text:
        values = text.replace(",", " ")
        raise argparse.ArgumentTypeError(f"{text!r} has a comma; separate values by spaces, as in {values}")
    return text


def degree(text: str) -> int:
    """Return one value of an option that takes several integers."""
    try:
        return int(list_item(text))
    except ValueError:
        hint = "put files before the options" if os.path.exists(text) else "pass a whole number such as 2"
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer; {hint}") from None


# Running.


def run_verb(args: argparse.Namespace, stdout: TextIO, stderr: TextIO, repeat: bool = False) -> int:
    """Run a verb and return its exit code; an error is written as one line.

    If ``repeat`` is true, progress is written again while nothing new happens.
    """
    out = Output(stdout, stderr, args.quiet)
    with out.progress.repeating(f"{args.verb}: working ...") if repeat else nullcontext():
        return _exit_code(lambda out: _verb(args, out), out)


def _verb(args: argparse.Namespace, out: Output) -> int:
    if getattr(args, "jobs", 1) < 1:
        raise BadParameter("--jobs", args.jobs, "is not positive", "pass a positive number, such as -j 2")
    if args.verb in VERBS:  # in plugins, an output may be a folder that is created
        for file in filter(None, (getattr(args, name, None) for name in ("output", "figure"))):
            require_folder(file)
    if getattr(args, "scheduler", None) is not None:
        cluster.require_cluster(args.scheduler)
    if _caches(args):
        from ..runtime.cache import why_unusable

        if reason := why_unusable():
            out.inform(f"orca-exact: the cache is off, everything is computed again: {reason}")
    return int(_module(args.verb).run(args, out))


def _caches(args: argparse.Namespace) -> bool:
    caching = {verb for plugin in list_plugins() for verb in plugin.CACHING}
    return args.verb in caching and not getattr(args, "no_cache", False)


def _exit_code(act: Callable[[Output], int], out: Output) -> int:
    """Return the exit code of an action; write an error as one line to standard error."""
    code = 0
    try:
        code = act(out)
        out.stdout.flush()
    except OrcaError as error:
        out.error(f"orca-exact: {error}")
        return error.exit_code
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", __name__.partition(".")[0]):
            raise
        out.error(f"orca-exact: {PackageMissing(package, PIP_NAMES.get(package, package))}")
        return PackageMissing.exit_code
    except MemoryError:
        out.error("orca-exact: there is not enough memory; use fewer points or --level float")
        return 4
    except OutputClosed:
        pass
    return code


def _kept(args: argparse.Namespace) -> str:
    if not _caches(args):
        return ""
    from ..runtime.cache import cache_folder  # slow to import, but these verbs have imported it by now

    kept = f"; finished work is kept in {cache_folder()}, and the same command continues from there"
    return kept * os.access(cache_folder(), os.W_OK)


def _former_names() -> dict[str, str]:
    """Return the name of each verb that was renamed, by its former name."""
    return {old: new for plugin in list_plugins() for old, new in plugin.RENAMED.items()}


def _check_verb(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Exit with a usage error if there is no verb or an unknown one."""
    verbs = list_verbs()
    if not words:
        parser.error(f"no verb was given; {START}")
    if words[0] in verbs or words[0].startswith("-"):
        return
    near = get_close_matches(words[0], verbs, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(verbs)}; {START}"
    parser.error(f"there is no verb {words[0]!r}; {hint}")


def run_command_line(argv: Sequence[str] | None = None) -> None:
    """Parse the arguments, run the verb and exit."""
    words = list(sys.argv[1:] if argv is None else argv)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller; the next file opened would get its descriptor
            setattr(sys, name, open_null(mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # α and █ on an ASCII terminal
    former = words[0] if words else ""
    words[:1] = [_former_names().get(former, former)] if words else []
    try:
        parser = make_parser(words[0] if words else "")
        _check_verb(parser, words)
        args = parser.parse_args(words)
    except SystemExit as end:  # after help, version or a usage error
        status = int(end.code or 0)
        code = _exit_code(lambda out: status, Output(sys.stdout, sys.stderr))
    else:
        install_handlers(lambda: _kept(args))
        if former != args.verb and former in _former_names():
            note = f"note: {former!r} is now called {args.verb!r}; the old name works for one more version"
            Output(sys.stdout, sys.stderr, args.quiet).inform(note)
        code = run_verb(args, sys.stdout, sys.stderr, repeat=True)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # already reported; Python would try again at exit and print a traceback
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
