"""Options that several verbs about the paper share."""

from __future__ import annotations

import argparse

from orca_exact.cli.parser import add_jobs, add_no_cache


def add_offline(sub: argparse.ArgumentParser) -> None:
    """Add the option --offline."""
    sub.add_argument("--offline", action="store_true", help="do not fetch the echocardiogram data")


def add_paper(sub: argparse.ArgumentParser) -> None:
    """Add the option --paper."""
    sub.add_argument(
        "--paper", metavar="FILE", help="the TeX source of the paper, to quote from (or ORCA_EXACT_PAPER)"
    )


def add_experiments(sub: argparse.ArgumentParser) -> None:
    """Add the options of verbs that recompute section 6."""
    sub.add_argument("--data", metavar="FILE", help="the file of the echocardiogram data, or its folder")
    add_offline(sub)
    add_jobs(sub)
    add_no_cache(sub)
