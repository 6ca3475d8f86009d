"""What a person sees of a study, format apart: a title, facts, a table, closing sentences."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

from ..errors import printable
from ..numbers.rationals import rounded_down
from .page import Grid, Page
from .terminal import pluralize

_LEVEL = 0.05  # of what a sentence calls different
_DIGITS = 4
_SMALL = 10**-_DIGITS
StudyTable = tuple[list, list, list, list]


def describe_study(study: Any, shown: StudyTable) -> Page:
    """Return what is shown of a study."""
    facts, headings, rows, tail = shown
    return Page(_title(study), facts, [Grid(headings, rows)], tail)


def _title(study: Any) -> str:
    problem = getattr(study, "problem", None)
    return f"{study.kind}: {printable(problem['id'])}" if problem else study.kind


def _about(study: Any) -> str:
    p = study.problem
    return f"{p['m']} points, d = {p['d']}, {p['kernel']}, C = {p['C']}"


def _proofs(study: Any) -> str:
    counts = study.counts["proofs"]
    names = {"float": "in float64 with bounds", "ball": "in balls", "undecided": "in part undecided",
             "zero": "with w = 0, where nothing is defined"}  # fmt: skip
    parts = [f"{number} {names[kind]}" for kind, number in counts.items()]
    decimals = study.to_json()["decimals"]
    told = "every index that is decided" if {"undecided", "zero"} & set(counts) else "every index"
    return f"each certified ({', '.join(parts)}), {told} correctly rounded to {decimals} decimals"


def _number(x: Any) -> str:
    if x is None or isinstance(x, int):
        return "–" if x is None else str(x)
    return f"{x:.{_DIGITS}f}" if x == 0 or abs(x) >= _SMALL else f"{x:.1e}"


def _listed(study: Any) -> list:
    """Every column but the degrees, which are many."""
    return [(column, row) for column, row in study if column.name != "degree"]


def describe_null(study: Any) -> StudyTable:
    """Show a null."""
    s = study.settings
    times = f"{s['repeats']} times {s['method']} of the labels, seed {s['seed']}"
    facts = [_about(study), f"{times}; {_proofs(study)}"]
    headings = [
        "index",
        "observed",
        "shuffled 2.5 %",
        "median",
        "97.5 %",
        "z",
        "p",
        "p family",
        "equal modes",
    ]
    rows = []
    for column, row in _listed(study):
        band = [_number(row["quantiles"].get(q)) for q in ("0.025", "0.5", "0.975")]
        z = "–" if row["z"] is None else f"{row['z']:+.1f}"
        p = [f"{row[name]:.3g}" for name in ("p", "p_family")]
        rows.append([column.label, _number(row["observed"]), *band, z, *p, _number(row["equal_modes"])])
    return facts, headings, rows, null_sentences(study)


def null_sentences(study: Any) -> list[str]:
    """What a null means, plainly."""
    found = [(column.label, row) for column, row in study]
    if all(row["observed"] is None for _, row in found):
        return [
            "no index is defined for the labels as they are: w = 0, or not told apart from 0",
            "so there is nothing to compare, and p = 1 says nothing; orca-exact profile tells which it is",
            "statistics, no verdicts",
        ]
    least = Fraction(2, study.settings["repeats"] + 1)
    alone = [label for label, row in found if row["p"] <= _LEVEL]
    together = [label for label, row in found if row["p_family"] <= _LEVEL]
    expected = Fraction(str(_LEVEL)) * sum(1 for _, row in found if row["sd"]) if least <= _LEVEL else 0
    ties = sum(row["ties"] for _, row in found if row["sd"])
    lines = [
        f"all {len(found)} numbers together (p family <= {_LEVEL}): "
        + (
            f"{', '.join(together)} differ{'s' * (len(together) == 1)} from shuffled labels"
            if together
            else "none differs from shuffled labels"
        ),
        f"each by itself (p <= {_LEVEL}): {len(alone)} of {len(found)}"
        + (f", {', '.join(alone)}" if 0 < len(alone) <= 12 else "")
        + f"; of labels that mean nothing at most {ceil(expected)} would be expected",
    ]
    if least > _LEVEL:
        lines.append(
            f"with {pluralize(study.settings['repeats'], 'permutation')} no p by itself can be "
            f"below {rounded_down(least)}, "
            f"no p family below {rounded_down(least / 2)}: raise --repeats"
        )
    if ties:
        lines.append(
            f"{pluralize(ties, 'comparison')} of equal or undecided numbers counted against a difference"
        )
    return [*lines, "p = (r + 1)/(B + 1), two-sided; statistics, no verdicts"]


def describe_bootstrap(study: Any) -> StudyTable:
    """Show a bootstrap."""
    s = study.settings
    drawn = f"{pluralize(s['repeats'], 'resample')} ({s['method']} of {s['size']}"
    drawn += ", stratified" * s["stratified"] + ", each with its own scale" * s["rescale_again"] + ")"
    facts = [_about(study), f"{drawn}, seed {s['seed']}; " + _proofs(study)]
    tail = ["statistics, no verdicts"]
    if study.counts["redrawn"]:
        again = pluralize(study.counts["redrawn"], "resample")
        tail.insert(0, f"{again} with fewer than two different points of a class redrawn")
    if s["method"] == "jackknife":
        headings = ["index", "observed", "mean", "bias", "standard error"]
        fields = ["observed", "mean", "bias", "standard_error"]
        return facts, headings, [[c.label, *(_number(r[f]) for f in fields)] for c, r in _listed(study)], tail
    kinds = [kind for kind in ("percentile", "bca") if kind in study["peak"]]
    names = {"percentile": "percentile", "bca": "BCa"}
    headings = [
        "index",
        "observed",
        "mean",
        "sd",
        *(f"{names[kind]} {100 * s['level']:g} %" for kind in kinds),
    ]
    rows = []
    for column, row in _listed(study):
        ends = ["–" if row[kind] is None else " to ".join(map(_number, row[kind])) for kind in kinds]
        rows.append([column.label, *(_number(row[f]) for f in ("observed", "mean", "sd")), *ends])
    return facts, headings, rows, tail


def describe_noise(study: Any) -> StudyTable:
    """Show a study of noise."""
    s, counts = study.settings, study.counts
    deltas = ", ".join(dict.fromkeys(s["delta"]))
    facts = [
        _about(study),
        f"each x within ±{deltas}; {pluralize(s['repeats'], 'draw')} from that box, seed {s['seed']}; "
        + _proofs(study),
    ]
    headings = ["index", "observed", "enclosed", "draws 2.5 %", "median", "97.5 %"]
    rows = []
    for column, row in _listed(study):
        inside = "–" if not row["enclosure"] else " to ".join(map(_number, row["enclosure"]))
        band = [_number(row["quantiles"].get(q)) for q in ("0.025", "0.5", "0.975")]
        rows.append([column.label, _number(row["observed"]), inside, *band])
    changed = counts["changed"]
    tail = (
        [] if changed is None else [f"another active set in {changed} of {pluralize(s['repeats'], 'draw')}"]
    )
    if counts["halvings"] is None:
        tail.append(f"no box is proved: {counts['why']}")
    else:
        part = "all of it" if not counts["halvings"] else f"a box of 1/{2 ** counts['halvings']} of its size"
        tail.append(f"enclosed: proved for every x in {part}, where the active set stays")
    return facts, headings, rows, [*tail, "draws are statistics, no verdicts"]


def describe_sweep(study: Any) -> StudyTable:
    """Show a sweep."""
    table = study.rows()
    varied = [key for key in ("id", "measure", "n", "C") if len({row[key] for row in table}) > 1]
    orders = [key for key in table[0] if key.startswith("order_") and key != "order_0"]
    fields = [
        *(varied or ["n"]),
        *orders,
        "even",
        "peak",
        "threshold_0.1",
        "threshold_0.05",
        "threshold_0.01",
    ]
    names = {"peak": "N*", "id": "problem"}
    names |= {key: _order(key) for key in orders}
    names |= {key: f"T_{key.removeprefix('threshold_')}" for key in fields if key.startswith("threshold_")}
    same = [f"{key} = {table[0][key]}" for key in ("id", "measure", "n", "C") if key not in varied]
    facts = [f"{pluralize(len(table), 'model')}, each certified" + f"; {', '.join(same)}" * bool(same)]
    rows = [[_cell(row[key]) for key in fields] for row in table]
    return facts, [names.get(key, key) for key in fields], rows, ["all columns: -o table.csv"]


def _cell(x: Any) -> str:
    return printable(x) if isinstance(x, str) else _number(x)


def describe_overfit(study: Any) -> StudyTable:
    """Show a study of overfitting."""
    s, table = study.settings, study.rows()
    scale = "the whole sample's scale" if s["whole_scale"] else "each training part's own scale"
    facts = [
        _about(study),
        f"{s['folds']} folds, drawn {pluralize(s['repeats'], 'time')}, {scale}, seed {s['seed']}; "
        "every fold certified",
    ]
    orders = [key for key in table[0] if key.startswith("order_") and key != "order_0"]
    headings = [
        "n",
        "training",
        "cross-validated",
        "± s.e.",
        "mean order",
        *(_order(key) for key in orders),
        "N*",
    ]
    rows = [
        [
            str(row["n"]),
            *(_number(row[key]) for key in ("train", "cv", "cv_error", "mean_order", *orders, "peak")),
        ]
        for row in table
    ]
    return facts, headings, rows, [f"{study.says}; a statistic of this sample, no verdict"]


def _order(key: str) -> str:
    return f"OKC^({key.removeprefix('order_')})"
