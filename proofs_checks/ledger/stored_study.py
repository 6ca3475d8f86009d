"""Results of the stored study of shuffled labels, resamples and cross-validation on the tables.

The study is a statistical result in ``data/signal.json``, made by ``python -m benchmarks signal``. It decides
no claim; claims cite it as a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from orca_exact.files.formats import read_shipped

from .relations import Note

LEVEL = 0.05
ECHO = "tab-echo"


@lru_cache(maxsize=1)
def _study() -> dict[str, Any]:
    return read_shipped("data/signal.json", "proofs_checks")


def shuffled_notes(claim: str) -> Iterator[Note]:
    """Yield how often what a claim reads off the tables is also true for shuffled labels."""
    for row in _study()["sentences"]:
        if row["claim"] == claim:
            how = f"{row['shuffled']:,} of {row['repeats']:,} shufflings of the labels"
            same = (1 - LEVEL) * row["repeats"] <= row["shuffled"]
            yield Note(
                f"stored study, '{row['words']}': also true for {how}"
                + (", so it says nothing about the data" if same else "")
            )


def order_tests() -> tuple[int, int]:
    """Return how many orders of the echocardiogram rows were tested, and how many differ from the null.

    All numbers of a row are tested jointly.
    """
    orders = [
        number["p_family"]
        for row in _study()["rows"]
        if row["table"].startswith(ECHO)
        for label, number in row["numbers"].items()
        if label.startswith("OKC^") and label != "OKC^(0)"
    ]
    return len(orders), sum(p <= LEVEL for p in orders)


def best_accuracy() -> tuple[float, float, float]:
    """Return the best cross-validated accuracy on the echocardiogram data, its error, and a constant's."""
    found = next(row for row in _study()["overfit"] if row["name"] == "echocardiogram")
    best = max(found["rows"], key=lambda row: row["cv"])
    return best["cv"], best["cv_error"], found["majority"]


def overfitting_study() -> str:
    """Return the course of the mean order and of the accuracy with n, in words."""
    rows = next(row for row in _study()["overfit"] if row["name"] == "echocardiogram")["rows"]
    accuracies = [row["cv"] for row in rows]
    return (
        f"the mean interaction order grows from {rows[0]['mean_order']:.2f} to "
        f"{rows[-1]['mean_order']:.2f}; the cross-validated accuracy goes from {accuracies[0]:.2f} to "
        f"{accuracies[-1]:.2f} and is smallest, {min(accuracies):.2f}, at n = "
        f"{rows[accuracies.index(min(accuracies))]['n']}"
    )


def stability_study() -> str:
    """Return how wide the bootstrap intervals of the orders are, in words."""
    widths = {
        (label, row["table"], row["n"]): number["percentile"][1] - number["percentile"][0]
        for row in _study()["rows"]
        if row["table"].startswith(ECHO)
        for label, number in row["numbers"].items()
        if label.startswith("OKC^") and label != "OKC^(0)"
    }
    widest = max(widths, key=lambda key: widths[key])
    return (
        f"over {_study()['resamples']} bootstrap resamples of the echocardiogram data the 95 % interval "
        f"of an order is up to {widths[widest]:.2f} wide ({widest[0]} at n = {widest[2]})"
    )
