"""Studies in words: a title, facts, a table and closing sentences."""

from __future__ import annotations

from fractions import Fraction
from textwrap import fill
from typing import Any, NamedTuple

from ..errors import pluralize, printable
from ..numbers.rationals import format_lower_bound
from ..profile.indices import EPSILONS, INDICES
from .engine import DECIMALS

_LEVEL = 0.05  # p at which a sentence says that an index differs
PARAMETERS = ("id", "kernel", "measure", "n", "degree", "gamma", "coef0", "under", "order", "C")  # of a sweep
_DIGITS = 4
_WIDTH = 110  # characters of a printed sentence
_SMALL = 10**-_DIGITS
StudyTable = tuple[list[Any], list[Any], list[Any], list[Any]]  # facts, headings, rows, closing sentences
_BAND = ("0.025", "0.5", "0.975")  # quantiles in a table
_NO_VERDICT = "These are statistics, not verdicts."


class StudyText(NamedTuple):
    """The parts of a printed study."""

    title: str
    facts: list[str]
    headings: list[str]
    rows: list[list[str]]
    closing: list[str]

    def __str__(self) -> str:
        cells = [[printable(x) for x in row] for row in (self.headings, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        table = [
            "  ".join(
                x.rjust(width) if j else x.ljust(width)
                for j, (x, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        facts, closing = (
            [fill(printable(line), _WIDTH) for line in lines] for lines in (self.facts, self.closing)
        )
        return "\n".join([self.title, *facts, "", *table, "", *closing])


def describe_study(study: Any) -> StudyText:
    """Describe a study of any kind."""
    return StudyText(_title(study), *DESCRIPTIONS.get(study.kind, describe_resampled)(study))


def _title(study: Any) -> str:
    problem = getattr(study, "problem", None)
    return f"study {study.kind}" + (f": {printable(problem['id'])}" if problem and problem["id"] else "")


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
    return [f"certified classifiers: {', '.join(parts)}", _rounding(study)]


def _rounding(study: Any) -> str:
    """Return a line on how far the indices are rounded correctly."""
    undecided = {"undecided", "zero"} & set(study.counts["proofs"])
    which = "every decided index" if undecided else "every index"
    errors = getattr(study, "errors", None)
    if errors is None or not errors.any():
        return f"rounding: {which} is correctly rounded to {DECIMALS} decimals"
    sure, most = int((errors == 0).sum()), pluralize(int(errors.max()), "unit")
    return (
        f"rounding: {sure:,} of {errors.size:,} indices are proved to be correctly rounded to {DECIMALS} "
        f"decimals, and the others to differ from that by at most {most} of the last decimal"
    )


def _number(x: Any) -> str:
    if x is None or isinstance(x, int):
        return "–" if x is None else str(x)
    return f"{x:.{_DIGITS}f}" if x == 0 or abs(x) >= _SMALL else f"{x:.1e}"


_MANY = 12  # columns above which orders that are always 0 are not shown


def _is_shown(name: str, row: Any, d: int) -> bool:
    """Return whether the table has a number: not the degrees, nor most indices of many columns."""
    if name == "order" and d > _MANY:
        return bool(row["observed"] or row["mean"])
    return name not in INDICES or name == "total" or (name != "degree" and INDICES[name].is_listed(d))


def _listed(study: Any) -> list[Any]:
    """Return label and statistics of the numbers in the table."""
    d = study.problem["d"]
    return [(printable(c.label_with(study.names)), row) for c, row in study if _is_shown(c.name, row, d)]


def _describe_hidden(study: Any) -> str:
    """Return a clause on the numbers that the table does not have, or an empty string."""
    hidden = [c.name for c, row in study if not _is_shown(c.name, row, study.problem["d"])]
    plural = {
        "order": "orders that are 0",
        "degree": "degrees",
        "pair": "pairs",
        "marginal": "marginal indices",
        "shapley": "Shapley effects",
    }
    parts = [f"{hidden.count(name)} {plural[name]}" for name in dict.fromkeys(hidden)]
    return f" (the {', '.join(parts)} are not shown)" if parts else ""


def describe_resampled(study: Any) -> StudyTable:
    """Describe a study of repetitions that has no description of its own."""
    facts = [_about(study), pluralize(len(study.samples), "repetition"), *_proofs(study)]
    rows = [
        [label, _number(row["observed"]), *(_number(row["quantiles"].get(q)) for q in _BAND)]
        for label, row in _listed(study)
    ]
    return facts, ["index", "observed", "2.5 %", "median", "97.5 %"], rows, [_NO_VERDICT]


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
    for label, row in _listed(study):
        band = [_number(row["quantiles"].get(q)) for q in _BAND]
        z = "–" if row["z"] is None else f"{row['z']:+.1f}"
        p = [f"{row[name]:.3g}" for name in ("p", "p_family")]
        equal = [_number(row["equal_modes"])] * has_baseline
        rows.append([label, _number(row["observed"]), *band, z, *p, *equal])
    return facts, headings, rows, null_sentences(study)


def _has_baseline(study: Any) -> bool:
    """Return whether the kernel has finitely many modes, so that there is a baseline of equal modes."""
    return any(row["equal_modes"] is not None for _, row in study)


def null_sentences(study: Any) -> list[str]:
    """Return sentences that explain a comparison with shuffled labels."""
    found = [(printable(column.label_with(study.names)), row) for column, row in study]
    if all(row["observed"] is None for _, row in found):
        return [
            "No index is defined for the observed labels: w = 0, or w cannot be distinguished from 0.",
            "There is nothing to compare, and p = 1 has no meaning; orca-exact profile shows which it is.",
            _NO_VERDICT,
        ]

    def differing(labels: list[str]) -> str:
        names = f" ({', '.join(labels)})" if 0 < len(labels) <= 12 else ""
        return f"{len(labels)} of {len(found)} indices differ from shuffled labels{names}"

    least = Fraction(2, study.settings["repeats"] + 1)
    alone = [label for label, row in found if row["p"] <= _LEVEL]
    together = [label for label, row in found if row["p_family"] <= _LEVEL]
    expected = Fraction(str(_LEVEL)) * len(found)
    ties, open_ = (sum(row[name] for _, row in found if row["sd"]) for name in ("ties", "open"))
    lines = [
        compare_with_random(min(row["p_family"] for _, row in found), study.settings["repeats"]),
        f"{len(found)} indices{_describe_hidden(study)} are tested.",
        f"Tested together (p family <= {_LEVEL}): {differing(together)}.",
        f"Tested one by one (p <= {_LEVEL}): {differing(alone)}; "
        f"with random labels, at most {_LEVEL} x {len(found)} = {float(expected):g} are expected on average.",
    ]
    if least > _LEVEL:
        lines.append(
            f"With {pluralize(study.settings['repeats'], 'permutation')}, no p can be below "
            f"{format_lower_bound(least)} and no p family below {format_lower_bound(least / 2)}; "
            "raise repeats (--repeats)."
        )
    if ties:
        lines.append(
            f"In {pluralize(ties, 'comparison')}, equal or undecided values counted as no difference"
            + f", {open_} of them because the bounds of the values do not decide the comparison" * bool(open_)
            + "."
        )
    formula = "p = (r + 1)/(B + 1), two-sided: r of the B permutations are at least as extreme."
    equal = "equal modes: the value if all modes except the constant one had the same share."
    if not _has_baseline(study):
        equal = "There is no baseline of equal modes, because the kernel has infinitely many modes."
    if prediction := study.prediction:
        accuracy, best = prediction.p_accuracy, min(prediction.p_columns)
        lines.append(
            "Rows that were left out are predicted as well, by libsvm in float64 and without proof: "
            f"p = {accuracy:.3g} for the accuracy, p = {best:.3g} for the best column."
        )
    return [*lines, formula, equal, _NO_VERDICT]


def compare_with_random(least: float, repeats: int) -> str:
    """Return a sentence on whether the indices could be those of random labels.

    ``least`` is the smallest family-wise p-value.
    """
    if Fraction(1, repeats + 1) > Fraction(str(_LEVEL)):
        return f"{pluralize(repeats, 'permutation')} cannot show a difference from random labels."
    often = f"With random labels, some index is as far out in about {100 * least:.2g} % of the cases"
    if least <= _LEVEL:
        return f"{often}: this is evidence that the labels depend on the columns."
    return (
        f"{often}: taken together, the indices are not shown to differ from those of random labels. (They "
        "describe how the model divides its variance, not how well it predicts.)"
    )


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
        return (
            facts,
            headings,
            [[label, *(_number(r[f]) for f in fields)] for label, r in _listed(study)],
            tail,
        )
    _, first = next(iter(study))
    kinds = [kind for kind in ("percentile", "bca") if kind in first]
    names = {"percentile": "percentile", "bca": "BCa"}
    intervals = [f"{names[kind]} {100 * s['level']:g} %" for kind in kinds]
    headings = ["index", "observed", "mean", "sd", *intervals]
    rows = []
    for label, row in _listed(study):
        ends = ["–" if row[kind] is None else " to ".join(map(_number, row[kind])) for kind in kinds]
        rows.append([label, *(_number(row[f]) for f in ("observed", "mean", "sd")), *ends])
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
    for label, row in _listed(study):
        inside = "–" if not row["enclosure"] else " to ".join(map(_number, row["enclosure"]))
        band = [_number(row["quantiles"].get(q)) for q in _BAND]
        rows.append([label, _number(row["observed"]), inside, *band])
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
        ["to_csv (-o table.csv) writes a table with all indices."],
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


DESCRIPTIONS = {
    "null": describe_null,
    "bootstrap": describe_bootstrap,
    "noise": describe_noise,
    "sweep": describe_sweep,
    "overfit": describe_overfit,
}
