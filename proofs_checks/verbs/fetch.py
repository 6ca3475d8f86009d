"""The echocardiogram data are not shipped: a verb that needs them fetches them, once, after saying so."""

from __future__ import annotations

import os

from orca_exact.cli.terminal import Output
from orca_exact.errors import DataMissing, OrcaError

from ..experiments import datasets

DEADLINE = 10  # seconds; the archive is small


def fetch(out: Output, offline: bool) -> dict[str, str]:
    """Nothing where the data are here now, or nobody may look for them. Where they cannot be had: what is
    said of their absence, and what to say instead.
    """
    try:
        datasets.echocardiogram()
        return {}
    except DataMissing as error:
        absence = str(error)
    except OrcaError:  # damaged: whoever reads them says so
        return {}
    if offline or os.environ.get("ORCA_EXACT_DATA"):
        return {}
    out.say(f"echocardiogram data: not here; fetching {datasets.UCI_URL} (--offline forbids it)")
    out.progress("fetching ...")
    try:
        datasets.download_echocardiogram(deadline=DEADLINE)
    except OrcaError as error:
        return {absence: f"the echocardiogram data could not be fetched: {error}"}
    return {}
