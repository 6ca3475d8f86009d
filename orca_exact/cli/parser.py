"""``orca-exact VERB``: parse, run, exit. Each verb is a module of ``orca_exact.cli.verbs`` or of a plugin.

A verb offers ``EXAMPLES``, ``arguments(parser)`` and ``run(args, out) -> int``; it prints through ``out`` and
imports no other verb: what several share is here, in ``terminal`` or in the library. A plugin is a package
that is registered under the entry point ``orca_exact.verbs``; ``Plugin`` says what it has.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol, TextIO

from .. import __version__
from ..errors import BadParameter, OrcaError, PackageMissing
from ..files.formats import open_null
from ..runtime import cluster
from ..runtime.run import processors
from .signals import listen
from .terminal import Output, OutputClosed

VERBS = {
    "tutorial": "a first run: from a small table to a checked proof, in a minute, without a network",
    "problem": "make a problem from a CSV file",
    "profile": "solve and certify a problem, and print its ORCA profile",
    "study": "is it signal? shuffled labels, resamples, noise, sweeps, overfitting",
    "path": "follow the classifier and its indices through every C, proved between breakpoints",
    "certify": "prove that a solution is optimal and write the certificate, or judge a given one",
    "check-certificate": "check a certificate or a path with an independent program",
    "reference": "certify problems and write reference values to compare implementations with",
    "crosscheck": "compare results to reference values, or run a foreign program on the conformance vectors",
    "schema": "print a JSON schema (problem, result, reference, certificate, ...)",
    "doctor": "versions, solvers and data sets found",
}
EXIT_CODES = {
    0: "all as expected",
    1: "a mismatch, an unexpected verdict, a certificate that proves nothing",
    2: "usage",
    3: "undecided only",
    4: "bad input, a package or data set that is missing, or output that cannot be written",
    5: "a foreign program or a solver failed",
    130: "stopped by Ctrl-C (143: by SIGTERM)",
}
FIRST_EXAMPLES = ("orca-exact tutorial", "orca-exact verify --section 3", "orca-exact profile --help")
COMPLETION = """completion of verbs, options, files and claims (pip install argcomplete):
  eval "$(register-python-argcomplete orca-exact)"                    bash, zsh
  register-python-argcomplete --shell fish orca-exact | source        fish"""
PIP = {"sklearn": "scikit-learn"}  # where a module is called otherwise
MOST_JOBS = 8  # unasked: each process takes some hundred MB


class Plugin(Protocol):
    """A package whose modules are further verbs."""

    __name__: str
    VERBS: dict[str, str]  # each verb with its help
    CACHING: tuple[str, ...]  # those whose finished pieces are kept in the cache

    def facts(self) -> dict[str, str]:
        """Return what ``doctor`` prints beside the library's own facts."""

    def completions(self) -> dict[str, Callable[[], list[str]]]:
        """Return, by metavar of an argument, the names that the shell may complete."""


@cache
def list_plugins() -> tuple[Plugin, ...]:
    """Return the installed plugins."""
    return tuple(import_module(point.value) for point in entry_points(group="orca_exact.verbs"))


def list_verbs() -> dict[str, str]:
    """Return the help of every verb, those of plugins last."""
    return VERBS | {verb: text for plugin in list_plugins() for verb, text in plugin.VERBS.items()}


def _module(verb: str) -> Any:
    home = next(
        (plugin.__name__ for plugin in list_plugins() if verb in plugin.VERBS), f"{__package__}.verbs"
    )
    return import_module(f"{home}.{verb.replace('-', '_')}")


def make_parser(verb: str | None = None) -> argparse.ArgumentParser:
    """Only the verb asked for (None: every one) is imported, and builds its arguments: starting is quick."""
    whole: Any = {"formatter_class": _Help}
    top = argparse.ArgumentParser(
        prog="orca-exact",
        description="Exact verification of SVMs on orthogonal-polynomial kernels and their ORCA profiles.",
        epilog=f"{_epilog(FIRST_EXAMPLES)}\n\n{COMPLETION}",
        **whole,
    )
    top.add_argument("--version", action="version", version=f"orca-exact {__version__}")
    choices = top.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, what in list_verbs().items():
        sub = choices.add_parser(name, help=what, description=what, **whole)
        if verb in (None, name):
            module = _module(name)
            module.arguments(sub)
            _finish(sub, module.EXAMPLES)
    return top


def leaves(sub: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of a verb's kinds, or its own."""
    kinds = [action for action in sub._actions if isinstance(action, argparse._SubParsersAction)]
    return list(kinds[0].choices.values()) if kinds else [sub]


def _finish(sub: argparse.ArgumentParser, examples: Sequence[str]) -> None:
    """What every verb has."""
    for leaf in leaves(sub):
        leaf.add_argument(
            "-q", "--quiet", action="store_true", help="data and errors only: no progress, no hints"
        )
    for each in {sub, *leaves(sub)}:
        each.formatter_class, each.epilog = _Help, _epilog(examples)


class _Help(argparse.HelpFormatter):
    """What has lines of its own keeps them."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


def _epilog(examples: Sequence[str]) -> str:
    """Commands to copy, and what the shell is told."""
    codes = [f"{code}  {what}" for code, what in EXIT_CODES.items()]
    parts = {"examples": examples}
    if any("examples/" in line for line in examples):
        parts["where"] = (
            "examples/ is in a checkout; without one, orca-exact tutorial makes tea.csv and tea.json",
        )
    parts["exit codes"] = codes
    return "\n\n".join("\n  ".join([f"{title}:", *lines]) for title, lines in parts.items())


# Options that verbs share.


def add_format(sub: argparse.ArgumentParser, *more: str) -> None:
    """The option --format."""
    sub.add_argument(
        "--format", choices=["text", "json", "markdown", *more], default="text", help="(default text)"
    )


def add_figure(sub: argparse.ArgumentParser, pictures: Sequence[str] = (), *also: str) -> None:
    """The option --figure and, of several pictures, --picture."""
    sub.add_argument("--figure", metavar="FILE", help="draw it: .svg, .png or .pdf")
    if pictures:
        sub.add_argument("--picture", choices=pictures, help="which (default orders)")
    for name in also:  # as it was called before
        sub.add_argument(name, dest="picture", choices=pictures, help=argparse.SUPPRESS)


def check_figure(file: str | None) -> None:
    """That it can be drawn, before the work."""
    if file is not None:
        from ..plots import figure_kind, matplotlib

        figure_kind(file)
        matplotlib()


def add_jobs(sub: argparse.ArgumentParser) -> None:
    """The options -j and --scheduler: who works."""
    cores = min(MOST_JOBS, processors())
    sub.add_argument(
        "-j", "--jobs", type=int, default=cores, metavar="N",
        help=f"processes (default {cores}: the cores here, at most {MOST_JOBS})",
    )  # fmt: skip
    sub.add_argument(
        "--scheduler", metavar="ADDRESS", help="a Dask cluster that works instead, such as tcp://HOST:8786"
    )


def output_path(text: str) -> str:
    """Return the name of a file or folder to write; an empty one is a usage error."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty; name a file or folder to write, or leave it out")
    return text


def add_offline(sub: argparse.ArgumentParser) -> None:
    """The option --offline."""
    sub.add_argument("--offline", action="store_true", help="do not fetch the echocardiogram data")


def add_paper(sub: argparse.ArgumentParser) -> None:
    """The option --paper."""
    sub.add_argument(
        "--paper", metavar="FILE", help="your copy of the paper's TeX source, to quote (or ORCA_EXACT_PAPER)"
    )


def add_experiments(sub: argparse.ArgumentParser) -> None:
    """Of verbs that recompute section 6."""
    sub.add_argument("--data", metavar="FILE", help="the echocardiogram data, or their folder")
    add_offline(sub)
    add_jobs(sub)
    sub.add_argument("--no-cache", action="store_true", help="compute everything again, store nothing")


# Running.


def run_verb(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """Run a verb; every error is one line and an exit code."""
    return _ended(lambda out: _verb(args, out), Output(stdout, stderr, args.quiet))


def _verb(args: argparse.Namespace, out: Output) -> int:
    if getattr(args, "jobs", 1) < 1:
        raise BadParameter("--jobs", args.jobs, "is not positive", "try -j 2")
    if getattr(args, "scheduler", None) is not None:
        cluster.require_cluster(args.scheduler)
    if _caches(args):
        from ..runtime.cache import obstacle

        if why := obstacle():
            out.say(f"orca-exact: the cache is off, everything is computed again: {why}")
    return _module(args.verb).run(args, out)


def _caches(args: argparse.Namespace) -> bool:
    caching = {verb for plugin in list_plugins() for verb in plugin.CACHING}
    return args.verb in caching and not getattr(args, "no_cache", False)


def _ended(act: Callable[[Output], int], out: Output) -> int:
    """The exit code; whatever went wrong is one line on stderr."""
    code = 0
    try:
        code = act(out)
        out.stdout.flush()
    except OrcaError as error:
        out.error(f"orca-exact: {error}")
        return error.exit_code
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", __package__.partition(".")[0]):
            raise
        out.error(f"orca-exact: {PackageMissing(package, PIP.get(package, package))}")
        return PackageMissing.exit_code
    except MemoryError:
        out.error("orca-exact: memory is used up; take fewer points, or the level 'float'")
        return 4
    except OutputClosed:
        pass
    return code


def _kept(args: argparse.Namespace) -> str:
    if not _caches(args):
        return ""
    from ..runtime.cache import folder  # takes time to load; these verbs have it by now

    kept = f"; what was certified is kept in {folder()}, the same command goes on from there"
    return kept * os.access(folder(), os.W_OK)


def run_command_line(argv: Sequence[str] | None = None) -> None:
    """Parse, run, exit."""
    words = list(sys.argv[1:] if argv is None else argv)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller; the next file opened would take its place
            setattr(sys, name, open_null(mode))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # α and █ on an ASCII terminal
    try:
        args = make_parser(words[0] if words else "").parse_args(words)
    except SystemExit as end:  # help, version or usage
        told = int(end.code or 0)
        code = _ended(lambda out: told, Output(sys.stdout, sys.stderr))
    else:
        listen(lambda: _kept(args))
        code = run_verb(args, sys.stdout, sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # it has been said; Python would try again at exit, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
