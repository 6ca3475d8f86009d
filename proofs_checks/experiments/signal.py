"""A permutation study: how often the paper's conclusions also hold for shuffled labels.

Permutation b of the labels depends only on the seed and b, so that it is the same for every row of a data
set. Therefore a sentence about several rows can be tested on each permutation. The results are counts, not
verdicts. The stored results were computed by ``python -m benchmarks signal``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from orca_exact.errors import Undecided
from orca_exact.files.formats import read_shipped
from orca_exact.problem import Problem
from orca_exact.studies.bootstrap import bootstrap
from orca_exact.studies.engine import MISSING
from orca_exact.studies.null import Null, null

from .optima import configuration, printed_tables

FILE = "data/signal.json"
LEVEL = 0.05
PAPER_INDICES = (
    "order",
    "marginal",
    "pair",
    "even",
    "odd",
    "degree",
    "peak",
    "threshold",
)  # those of the paper
BARS = "#5e3c99"
ECHO = ("tab-echo-legendre", "tab-echo-jacobi-a", "tab-echo-jacobi-b")
SPIRAL = ("tab-spiral-legendre", "tab-spiral-jacobi")
Value = Callable[[str, int, str], float]  # (table, n, column) -> number


@dataclass(frozen=True)
class Sentence:
    """A sentence of the paper about its tables, as a condition on their numbers."""

    claim: str  # the id of the claim in the ledger
    dataset: str
    words: str  # the sentence in our words
    true: Callable[[Value], bool]


def signal_degrees(table: str) -> list[int]:
    """Return the values of n in a printed table."""
    return [row["n"] for row in printed_tables()[table]["rows"]]


def _rises(values: Sequence[float]) -> bool:
    """Return whether the values never decrease and the last is larger than the first."""
    return all(a <= b for a, b in pairwise(values)) and values[0] < values[-1]


def _mean_order(v: Value, table: str, n: int) -> float:
    return sum(q * v(table, n, f"OKC^({q})") for q in range(1, 6))


SENTENCES = (
    Sentence(
        "echo-n25-760", "echocardiogram",
        "Legendre, n = 25: order 5 is the largest block, with 0.760 to within 0.01, then order 4",
        lambda v: abs(v(ECHO[0], 25, "OKC^(5)") - 0.76) <= 0.01
        and v(ECHO[0], 25, "OKC^(5)") > v(ECHO[0], 25, "OKC^(4)") > v(ECHO[0], 25, "OKC^(3)"),
    ),
    Sentence(
        "echo-coupling/used", "echocardiogram",
        "n = 25: more than 0.9 of the norm lies on four and five variables at once, in all three tables",
        lambda v: all(v(t, 25, "OKC^(4)") + v(t, 25, "OKC^(5)") > 0.9 for t in ECHO),
    ),
    Sentence(
        "echo-disperses/upward", "echocardiogram",
        "the mean interaction order grows with n, in all three tables",
        lambda v: all(_rises([_mean_order(v, t, n) for n in signal_degrees(t)]) for t in ECHO),
    ),
    Sentence(
        "echo-okc2-negligible", "echocardiogram",
        "Legendre: OKC^(1) is below 0.001, and OKC^(2) below 0.01, from n = 15 on",
        lambda v: all(
            v(ECHO[0], n, "OKC^(1)") < 0.001 and v(ECHO[0], n, "OKC^(2)") < 0.01 for n in (15, 25)
        ),
    ),
    Sentence(
        "echo-legendre-strongest", "echocardiogram",
        "n = 25: OKC^(5) is largest for Legendre, least for (4.3, 1.8), between for (0.8, 2.7)",
        lambda v: v(ECHO[0], 25, "OKC^(5)") > v(ECHO[2], 25, "OKC^(5)") > v(ECHO[1], 25, "OKC^(5)"),
    ),
    Sentence(
        "echo-even-odd", "echocardiogram",
        "the even mass is within 0.015 of one half for every n >= 2, in all three tables",
        lambda v: all(abs(v(t, n, "even") - 0.5) <= 0.015 for t in ECHO for n in signal_degrees(t)[1:]),
    ),
    Sentence(
        "echo-even-odd", "echocardiogram",
        "the same for every n >= 5: the even mass is within 0.015 of one half",
        lambda v: all(abs(v(t, n, "even") - 0.5) <= 0.015 for t in ECHO for n in signal_degrees(t)[2:]),
    ),
    Sentence(
        "echo-peak-grows", "echocardiogram",
        "N* never falls as n grows, and rises, in all three tables",
        lambda v: all(_rises([v(t, n, "N*") for n in signal_degrees(t)]) for t in ECHO),
    ),
    Sentence(
        "echo-well-before/large-n", "echocardiogram",
        "n >= 5: T_0.01 is below 0.85 of 5n, in all three tables",
        lambda v: all(v(t, n, "T_0.01") < 0.85 * 5 * n for t in ECHO for n in signal_degrees(t)[2:]),
    ),
    Sentence(
        "disc-okc2-grows", "spiral",
        "OKC^(2) is above one half from n = 5 on, in both tables",
        lambda v: all(v(t, n, "OKC^(2)") > 0.5 for t in SPIRAL for n in signal_degrees(t) if n >= 5),
    ),
    Sentence(
        "disc-odd-near-1", "spiral",
        "Legendre: the even mass is below 0.02 for every n",
        lambda v: all(v(SPIRAL[0], n, "even") < 0.02 for n in signal_degrees(SPIRAL[0])),
    ),
    Sentence(
        "spiral-parity-broken", "spiral",
        "(2.5, 1.2): the even mass is above 0.14 for every n >= 2",
        lambda v: all(v(SPIRAL[1], n, "even") > 0.14 for n in signal_degrees(SPIRAL[1]) if n >= 2),
    ),
    Sentence(
        "energy-shifts", "spiral",
        "T_0.10 never falls as n grows, and rises, in both tables",
        lambda v: all(_rises([v(t, n, "T_0.1") for n in signal_degrees(t)]) for t in SPIRAL),
    ),
    Sentence(
        "disc-lower-degrees", "spiral",
        "T_0.10 is no larger under (2.5, 1.2) than for Legendre, for every n >= 8",
        lambda v: all(v(SPIRAL[1], n, "T_0.1") <= v(SPIRAL[0], n, "T_0.1") for n in (8, 12, 14, 16)),
    ),
)  # fmt: skip


def problems(dataset: str) -> dict[tuple[str, int], Problem]:
    """Return the problems of all table rows of a data set, by table and n."""
    return {
        (id, n): configuration(dataset, n, table["alpha"], table["beta"], table["C"])
        for id, table in printed_tables().items()
        if table["dataset"] == dataset
        for n in signal_degrees(id)
    }


def run_permutation_test(studies: Mapping[tuple[str, int], Null], sentence: Sentence) -> dict[str, Any]:
    """Test a sentence on the given labels and on each permutation; return the counts.

    Undecided permutations are counted separately; ``interpret_counts`` counts them as true.
    """
    places = {id: {c.label: (j, c.unit) for j, c in enumerate(s.columns)} for id, s in studies.items()}

    def value(row: int | None) -> Value:
        def of(table: str, n: int, label: str) -> float:
            study, (j, unit) = studies[table, n], places[table, n][label]
            x = study.observed[j] if row is None else int(study.samples[row, j])
            if x == MISSING:
                raise Undecided(label)
            return x / unit

        return of

    count = undecided = 0
    repeats = len(next(iter(studies.values())).samples)
    for row in range(repeats):
        try:
            count += sentence.true(value(row))
        except Undecided:
            undecided += 1
    return {
        "claim": sentence.claim,
        "dataset": sentence.dataset,
        "words": sentence.words,
        "observed": sentence.true(value(None)),
        "shuffled": count,
        "undecided": undecided,
        "repeats": repeats,
    }


def compute_signal(
    datasets: Sequence[str],
    repeats: int,
    resamples: int,
    seed: int = 1,
    **work: Any,
) -> dict[str, Any]:
    """Run the permutations and resamples of every row and test the sentences; return what FILE stores."""
    rows, sentences = [], []
    for dataset in datasets:
        nulls = {}
        for (table, n), problem in problems(dataset).items():
            nulls[table, n] = study = null(problem, repeats, seed, **work).select(*PAPER_INDICES)
            resampled = bootstrap(problem, resamples, seed, **work).select(*PAPER_INDICES)
            rows.append({"table": table, "n": n, **_row(study, resampled)})
        sentences += [run_permutation_test(nulls, s) for s in SENTENCES if s.dataset == dataset]
    return {"repeats": repeats, "resamples": resamples, "seed": seed, "sentences": sentences, "rows": rows}


def _row(study: Null, resampled: Any) -> dict[str, Any]:
    """Return the stored numbers of a row: all but single degrees, of which only the bands are stored."""
    numbers = {}
    for column, row in study:
        if column.name != "degree":
            intervals, quantiles = resampled[column.name, *column.key], row["quantiles"]
            numbers[column.label] = {
                name: _digits(row[name]) for name in ("observed", "z", "p", "p_family", "equal_modes")
            } | {
                "band": [quantiles[level] for level in ("0.025", "0.5", "0.975")],
                "percentile": intervals["percentile"],
                "bca": intervals["bca"],
            }
    band = study.band("degree")
    spectrum = {
        "observed": list(study.values.family("degree").values()),
        **{name: [ends[k] for ends in band.values()] for k, name in enumerate(("low", "median", "high"))},
    }
    differ = sum(row["p_family"] <= 0.05 for _, row in study)
    return {
        "problem": study.problem,
        "undecided": study.to_json()["undecided"],
        "proofs": study.counts["proofs"],
        "redrawn": resampled.counts["redrawn"],
        "differ": differ,
        "of": len(study.columns),
        "numbers": numbers,
        "spectrum": spectrum,
    }


def _digits(x: Any) -> Any:
    return float(f"{x:.6g}") if isinstance(x, float) else x


def load_study() -> dict[str, Any]:
    """Return the stored study."""
    return read_shipped(FILE, "proofs_checks")


# Conclusions.


def interpret_counts(row: Mapping[str, Any]) -> str:
    """Return the conclusion for a tested sentence; undecided permutations count as true."""
    share = (row["shuffled"] + row["undecided"]) / row["repeats"]
    if not row["observed"]:
        return "false for the given labels"
    if share >= 1 - LEVEL:
        return "true for nearly all shuffled labels: no evidence about the data"
    if share <= LEVEL:
        return "rarely true for shuffled labels: evidence about the data"
    return "often true for shuffled labels: weak evidence"


def conclusions(found: Mapping[str, Any]) -> list[str]:
    """Return the conclusions of the study for the paper's sentences about interactions, as sentences."""
    lines = []
    for dataset, name in (("echocardiogram", "Echocardiogram"), ("spiral", "Our spiral")):
        rows = [row for row in found["rows"] if printed_tables()[row["table"]]["dataset"] == dataset]
        orders = [
            (row, label, number)
            for row in rows
            for label, number in row["numbers"].items()
            if label.startswith("OKC^") and label != "OKC^(0)"
        ]
        jointly, singly = (sum(number[p] <= LEVEL for _, _, number in orders) for p in ("p_family", "p"))
        lines.append(
            f"{name}: {len(orders)} orders in {len(rows)} rows were tested. {jointly or 'None'} of them "
            f"{'differs' if jointly < 2 else 'differ'} from shuffled labels if all numbers of a row are "
            f"tested jointly (family-wise p <= {LEVEL}), {singly or 'none'} if each is tested singly "
            f"(p <= {LEVEL})."
        )
        top = f"OKC^({rows[0]['problem']['d']})"
        for words, outside in (
            ("below", lambda x: x["observed"] < x["band"][0]),
            ("above", lambda x: x["observed"] > x["band"][2]),
        ):
            at = [f"{row['table']} n = {row['n']}" for row, label, x in orders if label == top and outside(x)]
            if at:
                band = "the 95 % band of shuffled labels"
                lines.append(f"{name}: the highest order, {top}, lies {words} {band} in {', '.join(at)}.")
    for row in found["overfit"]:
        best = max(row["rows"], key=lambda x: x["cv"])
        if best["cv"] - best["cv_error"] <= row["majority"]:
            cv = f"{best['cv']:.3f} ± {best['cv_error']:.3f} at n = {best['n']}"
            lines.append(
                f"{row['name'].capitalize()}: the best cross-validated accuracy, {cv}, is at most one "
                f"standard error above that of a constant classifier, {row['majority']:.3f}."
            )
    return lines


def draw_study(plt: Any, found: Mapping[str, Any], dataset: str) -> Any:
    """Draw the orders of every row over the 95 % band of shuffled labels, one line for each table."""
    ids = [id for id, table in printed_tables().items() if table["dataset"] == dataset]
    rows = {(row["table"], row["n"]): row["numbers"] for row in found["rows"]}
    columns = max(len(signal_degrees(id)) for id in ids)
    figure, axes = plt.subplots(
        len(ids), columns, figsize=(0.95 * columns + 0.6, 1.55 * len(ids) + 0.5), sharey=True, squeeze=False,
        layout="constrained",
    )  # fmt: skip
    for id, line in zip(ids, axes, strict=True):
        table = printed_tables()[id]
        for n, axis in zip(signal_degrees(id), line, strict=True):
            numbers = {q: rows[id, n][f"OKC^({q})"] for q in range(1, table["d"] + 1)}
            low, _, high = zip(*(x["band"] for x in numbers.values()), strict=True)
            spans = [b - a for a, b in zip(low, high, strict=True)]
            axis.bar(list(numbers), spans, 0.94, low, color="0.8", linewidth=0)
            axis.bar(list(numbers), [x["observed"] for x in numbers.values()], 0.5, color=BARS, linewidth=0)
            axis.set_title(f"$n={n}$")
            axis.set(xticks=list(numbers), ylim=(0, 1))
            axis.spines[["top", "right"]].set_visible(False)
        line[0].set_ylabel(rf"$({table['alpha']},\,{table['beta']})$")
    figure.supxlabel("order $q$")
    return figure
