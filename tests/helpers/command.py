"""Commands of ``orca-exact``, run in this process."""

from __future__ import annotations

import io

from orca_exact.cli.parser import make_parser, run_verb


def orca(*words: str) -> tuple[int, str, str]:
    """Run a command and return its exit code, standard output and standard error."""
    stdout, stderr = io.StringIO(), io.StringIO()
    try:
        args = make_parser(words[0]).parse_args(list(words))
    except SystemExit as error:
        return int(error.code or 0), "", ""
    return run_verb(args, stdout, stderr), stdout.getvalue(), stderr.getvalue()
