"""Pages that describe studies: a title, facts, a table and closing sentences."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..errors import pluralize, printable
from ..numbers.rationals import format_lower_bound
from ..profile.indices import EPSILONS
from .page import Grid, Page

_LEVEL = 0.05  # p at which a sentence says that an index differs
_DIGITS = 4
_SMALL = 10**-_DIGITS
StudyTable = tuple[list, list, list, list]  # facts, headings, rows, closing sentences
_NO_VERDICT = "These are statistics, not verdicts."


def describe_study(study: Any, shown: StudyTable) -> Page:
    """Return the page of a study from its parts."""
    facts, headings, rows, tail = shown
    return Page(_title(study), facts, [Grid(headings, rows)], tail)


def _title(study: Any) -> str:
    problem = getattr(study, "problem", None)
    return f"study {study.kind}" + (f": {printable(problem['id'])}" if problem else "")


def _about(study: Any) -> str:
    p = study.problem
    under = f"; indices under {p['under']}" if "under" in p else ""
    return f"{p['m']} points, d = {p['d']}, {p['kernel']}, C = {p['C']}{under}"


def _proofs(study: Any) -> list[str]:
    """Return lines on how the classifiers of the repetitions were proved."""
    counts = study.counts["proofs"]
    names = {"float": "in verified float64", "ball": "in ball arithmetic", "undecided": "partly undecided",
             "zero": "with w = 0, whose indices are undefined"}  # fmt: skip
    parts = [f"{number} {names[kind]}" for kind, number in counts.items()]
    which = "every decided index" if {"undecided", "zero"} & set(counts) else "every index"
    return [
        f"certified classifiers: {', '.join(parts)}",
        f"rounding: {which} is correctly rounded to {study.to_json()['decimals']} decimals",
    ]


def _number(x: Any) -> str:
    if x is None or isinstance(x, int):
        return "–" if x is None else str(x)
    return f"{x:.{_DIGITS}f}" if x == 0 or abs(x) >= _SMALL else f"{x:.1e}"


def _listed(study: Any) -> list:
    """Return every column of the study except the degrees, which are many."""
    return [(column, row) for column, row in study if column.name != "degree"]


def describe_null(study: Any) -> StudyTable:
    """Describe a comparison with shuffled labels."""
    s = study.settings
    times = f"{pluralize(s['repeats'], 'random permutation')} of the labels"
    times += s["method"].removeprefix("permutation")  # " within strata"
    facts = [_about(study), f"{times}, seed {s['seed']}", *_proofs(study)]
    headings = [
        "index",
        "observed",
        "shuffled 2.5 %",
        "median",
        "97.5 %",
        "z",
        "p",
        "p family",
        *["equal modes"] * (has_baseline := _has_baseline(study)),
    ]
    rows = []
    for column, row in _listed(study):
        band = [_number(row["quantiles"].get(q)) for q in ("0.025", "0.5", "0.975")]
        z = "–" if row["z"] is None else f"{row['z']:+.1f}"
        p = [f"{row[name]:.3g}" for name in ("p", "p_family")]
        equal = [_number(row["equal_modes"])] * has_baseline
        rows.append([column.label, _number(row["observed"]), *band, z, *p, *equal])
    return facts, headings, rows, null_sentences(study)


def _has_baseline(study: Any) -> bool:
    """Return whether the kernel has finitely many modes, so that there is a baseline of equal modes."""
    return any(row["equal_modes"] is not None for _, row in study)


def null_sentences(study: Any) -> list[str]:
    """Return sentences that explain a comparison with shuffled labels."""
    found = [(column.label, row) for column, row in study]
    if all(row["observed"] is None for _, row in found):
        return [
            "No index is defined for the observed labels: w = 0, or w cannot be distinguished from 0.",
            "There is nothing to compare, and p = 1 has no meaning; orca-exact profile shows which it is.",
            _NO_VERDICT,
        ]

    hidden = len(found) - len(_listed(study))

    def differing(labels: list[str]) -> str:
        names = f" ({', '.join(labels)})" if 0 < len(labels) <= 12 else ""
        return f"{len(labels)} of {len(found)} indices differ from shuffled labels{names}"

    least = Fraction(2, study.settings["repeats"] + 1)
    alone = [label for label, row in found if row["p"] <= _LEVEL]
    together = [label for label, row in found if row["p_family"] <= _LEVEL]
    expected = Fraction(str(_LEVEL)) * len(found)
    ties = sum(row["ties"] for _, row in found if row["sd"])
    lines = [
        f"{len(found)} indices" + f" (the {hidden} degrees are not shown)" * bool(hidden) + " are tested.",
        f"Tested together (p family <= {_LEVEL}): {differing(together)}.",
        f"Tested one by one (p <= {_LEVEL}): {differing(alone)}; "
        f"with random labels, at most {_LEVEL} x {len(found)} = {float(expected):g} are expected on average.",
    ]
    if least > _LEVEL:
        lines.append(
            f"With {pluralize(study.settings['repeats'], 'permutation')}, no p can be below "
            f"{format_lower_bound(least)} and no p family below {format_lower_bound(least / 2)}; "
            "raise --repeats."
        )
    if ties:
        lines.append(
            f"In {pluralize(ties, 'comparison')}, equal or undecided values counted as no difference."
        )
    formula = "p = (r + 1)/(B + 1), two-sided: r of the B permutations are at least as extreme."
    equal = "equal modes: the value if all modes except the constant one had the same share."
    if not _has_baseline(study):
        equal = "There is no baseline of equal modes, because the kernel has infinitely many modes."
    return [*lines, formula, equal, _NO_VERDICT]


def describe_bootstrap(study: Any) -> StudyTable:
    """Describe a study of resamples."""
    s = study.settings
    drawn = f"{pluralize(s['repeats'], 'resample')} of {pluralize(s['size'], 'point')} (method {s['method']}"
    drawn += ", stratified" * s["stratified"] + ", each rescaled by itself" * s["rescale_again"] + ")"
    facts = [_about(study), f"{drawn}, seed {s['seed']}", *_proofs(study)]
    tail = [_NO_VERDICT]
    if redrawn := study.counts["redrawn"]:
        why = "fewer than two different points of a class"
        tail.insert(0, f"redrawn: {pluralize(redrawn, 'resample')} with {why}")
    if s["method"] == "jackknife":
        headings = ["index", "observed", "mean", "bias", "standard error"]
        fields = ["observed", "mean", "bias", "standard_error"]
        return facts, headings, [[c.label, *(_number(r[f]) for f in fields)] for c, r in _listed(study)], tail
    _, first = next(iter(study))
    kinds = [kind for kind in ("percentile", "bca") if kind in first]
    names = {"percentile": "percentile", "bca": "BCa"}
    intervals = [f"{names[kind]} {100 * s['level']:g} %" for kind in kinds]
    headings = ["index", "observed", "mean", "sd", *intervals]
    rows = []
    for column, row in _listed(study):
        ends = ["–" if row[kind] is None else " to ".join(map(_number, row[kind])) for kind in kinds]
        rows.append([column.label, *(_number(row[f]) for f in ("observed", "mean", "sd")), *ends])
    return facts, headings, rows, tail


def describe_noise(study: Any) -> StudyTable:
    """Describe a study of inaccurate points."""
    s, counts = study.settings, study.counts
    deltas = ", ".join(dict.fromkeys(s["delta"]))
    facts = [
        _about(study),
        f"box: each x is known to within ±{deltas}",
        f"{pluralize(s['repeats'], 'random draw')} from the box, seed {s['seed']}",
        *_proofs(study),
    ]
    headings = ["index", "observed", "enclosed", "draws 2.5 %", "median", "97.5 %"]
    rows = []
    for column, row in _listed(study):
        inside = "–" if not row["enclosure"] else " to ".join(map(_number, row["enclosure"]))
        band = [_number(row["quantiles"].get(q)) for q in ("0.025", "0.5", "0.975")]
        rows.append([column.label, _number(row["observed"]), inside, *band])
    tail = []
    if (changed := counts["changed"]) is not None:
        tail.append(f"The active set differs in {changed} of {pluralize(s['repeats'], 'draw')}.")
    if counts["halvings"] is None:
        tail.append(f"Nothing is enclosed: {counts['why']}")
    else:
        part = f"a box of 1/{2 ** counts['halvings']} of this size" if counts["halvings"] else "the box"
        tail.append(
            f"The column 'enclosed' is proved for every x in {part}, without a change of the active set."
        )
    return facts, headings, rows, [*tail, "The draws are statistics, not verdicts."]


def describe_sweep(study: Any) -> StudyTable:
    """Describe a table of models."""
    from ..studies.sweep import PARAMETERS

    table = study.rows()
    limited = any(row["order"] < row["d"] for row in table)
    parameters = [
        key
        for key in PARAMETERS
        if any(row.get(key) is not None for row in table) and (key != "order" or limited)
    ]
    varied = [key for key in parameters if len({row[key] for row in table}) > 1]
    orders = [key for key in table[0] if key.startswith("order_") and key != "order_0"]
    thresholds = [f"threshold_{eps}" for eps in EPSILONS]
    by_degree = [key for key in ("even", "peak", *thresholds) if key in table[0]]
    main = next(key for key in ("n", "degree", "gamma", "kernel") if key in parameters)
    fields = [*(varied or [main]), *orders, *by_degree]
    names = {"peak": "N*", "id": "problem", "order": "order at most"}
    names |= {key: _order(key) for key in orders}
    names |= {key: f"T_{key.removeprefix('threshold_')}" for key in thresholds}
    same = [f"{names.get(key, key)} {table[0][key]}" for key in parameters if key not in varied]
    facts = [f"{pluralize(len(table), 'model')}, all certified"]
    facts += [f"the same in all models: {', '.join(same)}"] * bool(same)
    rows = [[_cell(row[key]) for key in fields] for row in table]
    return (
        facts,
        [names.get(key, key) for key in fields],
        rows,
        ["-o table.csv writes a table with all indices."],
    )


def _cell(x: Any) -> str:
    return printable(x) if isinstance(x, str) else _number(x)


def describe_overfit(study: Any) -> StudyTable:
    """Describe a study of overfitting."""
    s, table = study.settings, study.rows()
    scale = "the whole sample" if s["whole_scale"] else "each training set"
    facts = [
        _about(study),
        f"{s['folds']} folds, drawn {pluralize(s['repeats'], 'time')}, seed {s['seed']}",
        f"every classifier is certified; if columns are rescaled, it is by the range of {scale}",
    ]
    orders = [key for key in table[0] if key.startswith("order_") and key != "order_0"]
    has_degrees = "peak" in table[0]
    headings = [
        study.parameter,
        "training accuracy",
        "cross-validated",
        "± s.e.",
        "mean order",
        *map(_order, orders),
        *["N*"] * has_degrees,
    ]
    fields = ["train", "cv", "cv_error", "mean_order", *orders, *["peak"] * has_degrees]
    rows = [[str(row[study.parameter]), *(_number(row[key]) for key in fields)] for row in table]
    return facts, headings, rows, [study.conclusion, _NO_VERDICT]


def _order(key: str) -> str:
    return f"OKC^({key.removeprefix('order_')})"
