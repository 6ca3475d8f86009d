"""Download of the echocardiogram data, which are not part of the package, for verbs that need them."""

from __future__ import annotations

import os

from orca_exact.cli.terminal import Output
from orca_exact.errors import DataMissing, OrcaError

from ..experiments import datasets

DEADLINE = 10  # seconds


def download_if_missing(out: Output, offline: bool) -> dict[str, str]:
    """Download the echocardiogram data if they are missing, unless that is forbidden.

    Returns {reason: better reason} if the download failed: the message of ``DataMissing``, and the message to
    show instead. Otherwise returns an empty dict.
    """
    try:
        datasets.echocardiogram()
        return {}
    except DataMissing as error:
        absence = str(error)
    except OrcaError:  # a damaged file is reported by the code that reads it
        return {}
    if offline or os.environ.get("ORCA_EXACT_DATA"):
        return {}
    out.inform(
        f"The echocardiogram data are missing: downloading {datasets.UCI_URL} (--offline prevents this)."
    )
    out.progress("downloading ...")
    try:
        datasets.download_echocardiogram(deadline=DEADLINE)
    except OrcaError as error:
        return {absence: f"the echocardiogram data could not be downloaded: {error}"}
    return {}
