"""Comparison of results: tolerance, stages, ties, optima that are not unique, and invalid input."""

import copy
import dataclasses
import json
import re
import sys
from itertools import islice
from math import inf, log10
from random import Random

import command
import pytest
from flint import arb, fmpq

from orca_exact import Problem
from orca_exact.conformance.comparison import Comparison, find_agreement, sum_of_squares, to_ball, to_rational
from orca_exact.conformance.crosscheck import Report, crosscheck
from orca_exact.conformance.foreign import Failure, run_program
from orca_exact.conformance.pipeline import Pipeline
from orca_exact.conformance.reference import Reference, plain_result, save_references
from orca_exact.conformance.reference_maker import make_dual_reference, make_reference
from orca_exact.conformance.result import Result
from orca_exact.conformance.stages import StageComparison, gap_digits
from orca_exact.conformance.tolerance import Tolerance
from orca_exact.conformance.vectors import vectors
from orca_exact.errors import BadInput, BadParameter, OrcaError
from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED
from orca_exact.numbers.arithmetic import arithmetic
from orca_exact.numbers.rationals import QQ, correct_digits

PROBLEM = Problem(
    [["-1/2", "1/3"], ["1/4", "-1"], ["1", "1/2"], ["0", "0.3"]], [1, -1, 1, -1], 2, "1/2", 0, C=2, id="four"
)
REFERENCE = make_reference(PROBLEM)
RIGHT = plain_result(REFERENCE, 17)


def at(data, path):
    """Return the part of a document at this path, such as ["gram", "0"]."""
    for key in path:
        data = data[int(key) if isinstance(data, list) else key]
    return data


def changed(**changes) -> dict:
    """Return the right result with some values replaced, such as gram__0__1=0."""
    data = copy.deepcopy(RIGHT)
    for place, value in changes.items():
        *path, last = place.split("__")
        target = at(data, path)
        target[int(last) if isinstance(target, list) else last] = value
    return data


def test_the_truth_passes_with_all_its_digits():
    report = crosscheck(REFERENCE, RIGHT)
    assert report.outcome == HOLDS and not report.bugs and report.stage is None
    digits = {(line.quantity, line.source): line.digits for line in report.lines}
    assert digits["gram", "the points"] > 16 and digits["w", "the optimum"] > 15
    assert int(report.certificate["digits_of_w"]) >= 6


@pytest.mark.parametrize("error", [1e-3, 1e-6, 1e-9, 1e-12])
def test_digits_of_agreement_are_what_they_say(error):
    digits, *_ = find_agreement([Result.from_json({"id": "", "norm2": str(1 + error)}).norm2], [1.0])
    assert abs(digits + log10(error)) < 1e-3


@pytest.mark.parametrize(
    ("change", "stage"),
    [
        ({"gram__0__1": "0.25"}, "Gram"),
        ({"alpha__0": "1.9"}, "solver"),
        ({"b": "0.3"}, "solver"),
        ({"coefficients__1,1": "0.5"}, "coefficients"),
        ({"norm2": "2.6"}, "aggregation"),
        ({"okc__order__1": "0.77"}, "aggregation"),
        ({"okc__degree__2": "0.37"}, "aggregation"),
        ({"okc__marginal__0": "0.6"}, "aggregation"),
        ({"okc__pair__1,2": "0.3"}, "aggregation"),
        ({"okc__pair": {"1": "0.3"}}, "aggregation"),
        ({"okc__block__1__1": "0.3"}, "aggregation"),
        ({"okc__total__0": "0.6"}, "aggregation"),
        ({"okc__shapley__1": "0.3"}, "aggregation"),
        ({"okc__shapley": ["1"]}, "aggregation"),
        ({"okc__even": "0.4"}, "aggregation"),
        ({"okc__peak": 2}, "aggregation"),
        ({"okc__threshold__0.1": 2}, "aggregation"),
        ({"alpha": ["1"]}, "solver"),
        ({"okc__order": ["1"]}, "aggregation"),
        ({"coefficients__0": "1"}, "coefficients"),
        ({"gram": [["1"]]}, "Gram"),
        ({"gram": [["1"] * 4] * 5}, "Gram"),
        ({"okc": None}, "aggregation"),
    ],
)
def test_one_wrong_number_fails_at_its_stage(change, stage):
    report = crosscheck(REFERENCE, changed(**change))
    assert (report.outcome, report.stage) == (FAILS, stage)


@pytest.mark.parametrize(
    ("place", "label"),
    [
        ("order__1", "OKC^(1)"),
        ("marginal__0", "OKC_1"),
        ("pair__1,2", "OKC_12"),
        ("total__0", "total_1"),
        ("shapley__1", "Shapley_2"),
        ("even", "even"),
        ("block__1__2", "OKC_2^(1)"),
    ],
)
def test_a_wrong_index_is_called_by_its_name(place, label):
    report = crosscheck(REFERENCE, changed(**{f"okc__{place}": "0.3"}))
    found = {line.where for line in report.failed if line.quantity == f"okc.{place.split('__')[0]}"}
    assert found == {label} and f"(worst at {label})" in str(report)


def test_each_quantity_alone_is_enough_to_fail_and_to_pass():
    for key in ("alpha", "b", "coefficients", "norm2", "okc"):
        assert crosscheck(REFERENCE, {"id": "four", key: RIGHT[key]}).outcome == HOLDS
    for nothing in ({"id": "four"}, {"id": "four", "okc": {}}):
        assert crosscheck(REFERENCE, nothing).outcome == UNDECIDED


def test_the_rule_follows_the_condition_of_the_problem():
    rule = Tolerance(REFERENCE)
    needed, attainable = rule.formula_digits("gram")
    assert needed == 10 and 14 < attainable < 15
    data = copy.deepcopy(REFERENCE.data)
    data["condition"]["w"] = "1e11"
    needed, attainable = Tolerance(Reference(data)).solver_digits("w")
    assert needed == pytest.approx(attainable - 2) and needed < 4
    data["condition"]["w"] = "1e14"
    assert crosscheck(Reference(data), RIGHT).outcome == UNDECIDED  # less than one digit is attainable


def test_a_solver_may_stop_early_but_a_formula_may_not():
    scale = lambda x, factor: repr(float(x) * factor)  # noqa: E731
    early = {"id": "four", "norm2": scale(RIGHT["norm2"], 1 + 1e-5)}
    assert crosscheck(REFERENCE, early).outcome == HOLDS
    assert crosscheck(REFERENCE, early, solver=6).outcome == FAILS
    rough = changed(gram__0__0=scale(RIGHT["gram"][0][0], 1 + 1e-8))
    assert crosscheck(REFERENCE, rough).outcome == FAILS


def test_four_digits_in_print_are_named():
    short = lambda x: f"{float(x):.4g}"  # noqa: E731
    data = {"id": "four", "gram": [[short(x) for x in row] for row in RIGHT["gram"]]}
    data["alpha"] = [short(x) for x in RIGHT["alpha"]]
    report = crosscheck(REFERENCE, data)
    assert report.outcome == FAILS and report.bugs[0].name == "too few digits written"
    assert report.stage == "format"


def test_alpha_and_b_are_compared_only_if_they_are_unique():
    twice = Problem([["-0.5"], ["0.5"], ["0.5"]], [1, -1, -1], 2, 0, 0, C=10, id="t")
    reference = make_reference(twice)
    assert not reference.alpha_unique
    optimum = [float(x.p) / float(x.q) for x in reference.alpha]
    other = [optimum[0], optimum[0] * 0.25, optimum[0] * 0.75]
    assert crosscheck(reference, {"id": "t", "alpha": other}).outcome == HOLDS
    assert crosscheck(reference, {"id": "t", "alpha": [optimum[0], 0.0, 0.0]}).outcome == FAILS
    interval = make_reference(Problem([["-0.5"], ["0.5"]], [1, -1], 2, 0, 0, C="1/100", id="t"))
    low, high = (float(x) for x in interval.b)
    for b, outcome in ((low, HOLDS), ((low + high) / 2, HOLDS), (high + 0.01, FAILS)):
        assert crosscheck(interval, {"id": "t", "alpha": [0.01, 0.01], "b": b}).outcome == outcome


TIE = next(v for v in vectors() if "PeakTie" in v.flags and v.type == "pipeline").reference  # N = 1 and 2


@pytest.mark.parametrize(
    ("degree", "outcomes"),
    [
        (["0", "0.5", "0.5"], (FAILS, HOLDS, FAILS)),  # the last of equal peaks is not N*
        (["0", "0.4999999999999999", "0.5000000000000001"], (FAILS, HOLDS, HOLDS)),  # 2 by its own OKC_N
        (
            ["0", "0.4999990000000001", "0.5000009999999999"],
            (FAILS, FAILS, HOLDS),
        ),  # no rounding error: its own OKC_N say 2
        (["0", "0.5000000000000001", "0.4999999999999999"], (FAILS, HOLDS, FAILS)),
        (None, (FAILS, HOLDS, UNDECIDED)),  # rounding or a bug: undecided
    ],
)
def test_the_peak_is_the_certified_one_or_at_a_tie_that_of_the_programs_own_degrees(degree, outcomes):
    for N, outcome in enumerate(outcomes):
        okc = {"peak": N, "order": ["0", "1"]} | ({} if degree is None else {"degree": degree})
        report = crosscheck(TIE, {"id": TIE.id, "okc": okc}, diagnose=False)
        assert report.outcome == outcome, (N, str(report))


def test_the_threshold_is_the_certified_one_unless_its_own_degrees_round_to_another():
    F = {N: float(x) for N, x in enumerate(REFERENCE.okc.cumulative)}
    T = next(N for N, x in F.items() if 0.3 < x < 0.99)
    eps = f"{1 - F[T] + 1e-7:.9f}"  # F(T) is 1e-7 above 1 - eps: T_eps = T, and a tie to four digits
    for state, outcome in ((T, HOLDS), (T + 1, FAILS)):
        answer = changed(okc__threshold={eps: state})
        assert crosscheck(REFERENCE, answer, diagnose=False).outcome == outcome
    alone = {"id": "four", "okc": {"threshold": {eps: T + 1}, "order": RIGHT["okc"]["order"]}}
    assert crosscheck(REFERENCE, alone, diagnose=False).outcome == UNDECIDED
    alone["okc"]["threshold"] = {eps: T}
    assert crosscheck(REFERENCE, alone, diagnose=False).outcome == HOLDS


def test_a_radius_counts():
    for name, change in (("norm2", "norm2"), ("gram", "gram__0__0"), ("alpha", "alpha__0"), ("b", "b"),
                         ("coefficients", "coefficients__0,1"), ("okc.even", "okc__even")):  # fmt: skip
        value = at(RIGHT, change.split("__"))
        for radius, outcome in (("1e-15", HOLDS), ("0", HOLDS), ("0.01", FAILS)):
            report = crosscheck(REFERENCE, changed(**{change: {"ball": [value, radius]}}), diagnose=False)
            assert report.outcome == outcome, (change, radius, str(report))
        assert name in {line.quantity for line in report.failed}
    wide = crosscheck(REFERENCE, {"id": "four", "norm2": {"decimal": f"{RIGHT['norm2']} ± 0.1"}})
    assert wide.outcome == FAILS


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"exact": "1/3", "decimal": "0.5"}, "its decimal contradicts its exact"),
        ({"exact": "1/3", "ball": ["0.5", "0.1"]}, "its ball contradicts its exact"),
        ({"ball": ["0.504", "1e-9"], "decimal": "0.50"}, None),
        ({"ball": ["0.5", "1e-9"], "decimal": "0.51"}, "its decimal contradicts its ball"),
        ({"ball": ["0.5", "-1"]}, "the radius is negative"),
        ({"exact": "1/3", "decimal": "0.3333"}, None),
        ({"exact": "1/3", "decimal": "3.333e-1"}, None),
        ({"ball": ["1e-40", "1e-30"], "decimal": "0"}, None),
    ],
)
def test_forms_of_one_value_that_contradict_each_other_are_refused(value, words):
    if words is None:
        assert Result.from_json({"id": "", "norm2": value}).norm2 is not None
        return
    with pytest.raises(OrcaError, match=words):
        Result.from_json({"id": "", "norm2": value})


@pytest.mark.parametrize(
    "where", [{"coefficients": {"01,1": "1", "1,1": "2"}}, {"okc": {"pair": {"1,02": "1"}}}]
)
def test_a_key_has_one_way_to_be_written(where):
    with pytest.raises(OrcaError):
        Result.from_json({"id": ""} | where)


def test_at_a_threshold_tie_the_programs_own_spectrum_decides():
    tie = next(v for v in vectors() if "ThresholdTie" in v.flags and v.type == "pipeline")
    answer = {"id": tie.reference.id, "okc": {"degree": ["0", "0.9", "0.1"], "threshold": {"0.1": 1}}}
    assert crosscheck(tie.reference, answer).outcome == HOLDS
    answer["okc"]["threshold"]["0.1"] = 2  # > instead of >=
    answer["okc"]["degree"] = [0.0, 0.9, 0.10000000000000003]
    report = crosscheck(tie.reference, answer)
    assert report.outcome == FAILS and "> instead of >= in T_eps" in [bug.name for bug in report.bugs]
    answer["okc"]["degree"] = [0.0, 0.8999999999999999, 0.1000000000000001]  # its rounding fell short
    assert crosscheck(tie.reference, answer).outcome == HOLDS


TIES = [v for v in vectors() if {"PeakTie", "ThresholdTie"} & set(v.flags)]


@pytest.mark.parametrize("vector", TIES, ids=lambda v: v.id)
def test_the_certified_answers_hold_whichever_way_the_written_shares_round(vector):
    """A program may find N* and T_eps from more digits than it writes, so that at a tie its OKC_N differ."""
    right = plain_result(vector.reference, 20)["okc"]
    for sign in (1, -1):
        degree = [float(x) * (1 + sign * (-1) ** N * 2**-51) for N, x in enumerate(right["degree"])]
        okc = {"degree": degree} | {key: right[key] for key in ("peak", "threshold")}
        report = crosscheck(vector.reference, {"id": vector.id, "okc": okc}, diagnose=False)
        assert report.outcome == HOLDS, str(report)


def test_where_the_certified_answer_is_undecided_all_that_the_enclosures_allow_are_right():
    data = copy.deepcopy(TIE.to_json())
    data["values"]["okc"]["degree"] = [{"exact": "0"}, {"ball": ["0.5", "1e-9"]}, {"ball": ["0.5", "1e-9"]}]
    data["values"]["okc"]["peak"] = {"undecided": [1, 2]}
    data["values"]["okc"]["threshold"] = {"0.5": {"undecided": [1, 2]}}
    reference = Reference(data)
    for N, outcome in ((0, FAILS), (1, HOLDS), (2, HOLDS)):
        for stated in ({"peak": N}, {"threshold": {"0.5": N}}):
            report = crosscheck(reference, {"id": TIE.id, "okc": stated}, diagnose=False)
            assert report.outcome == outcome, str(report)


def test_the_indices_compared_are_those_of_the_reference_that_the_result_has():
    right = plain_result(REFERENCE, 17)
    families = [x for key, x in right["okc"].items() if key not in ("cumulative", "peak")]
    sizes = [
        1 if isinstance(x, str) else sum(len(row) if isinstance(row, list) else 1 for row in x)
        for x in families
    ]
    total = crosscheck(REFERENCE, right, diagnose=False).indices[1]
    assert total == sum(sizes) + 1  # and N*
    for okc, count in (
        ({}, 0), ({"even": right["okc"]["even"]}, 1), ({"peak": right["okc"]["peak"]}, 1),
        ({"threshold": right["okc"]["threshold"] | {"0.5": 2}}, 3), (right["okc"], total),
    ):  # fmt: skip
        assert crosscheck(REFERENCE, {"id": "four", "okc": okc}, diagnose=False).indices == (count, total)
    assert crosscheck(REFERENCE, {"id": "four"}).indices == (0, total)
    assert crosscheck(REFERENCE, {"id": 4}).indices == (0, total)  # no valid result
    zero = next(v.reference for v in vectors() if v.reference.okc is None)
    for answer, count in (({}, 0), ({"norm2": "0"}, 0), ({"okc": None}, 1)):
        assert crosscheck(zero, {"id": zero.id} | answer, diagnose=False).indices == (count, 1)


@pytest.mark.parametrize("field", ["b", "gram"])
def test_a_field_that_is_alone_is_compared_too(field):
    """Both used to count as nothing to compare, so that a wrong one was not seen."""
    right = plain_result(REFERENCE, 17)[field]
    wrong = "7" if field == "b" else [["7"] * len(right)] * len(right)
    for value, outcome in ((right, HOLDS), (wrong, FAILS)):
        assert crosscheck(REFERENCE, {"id": "four", field: value}, diagnose=False).outcome == outcome


def test_integers_are_compared_as_integers_and_their_bugs_are_named():
    """The report shows both integers and the bug that explains the difference."""
    vector = next(v for v in vectors() if v.group == "N* and T_eps, close")  # F(1) = 19/20
    right = plain_result(vector.reference, 17)
    assert right["okc"]["threshold"] == {"0.1": 1, "0.05": 1, "0.01": 2}
    expected = {
        ("0.05", 2): "T_0.05 was computed with eps = 0.01.",
        ("0.01", 1): "T_0.01 was computed with eps = 0.05.",
    }
    for (eps, T), means in expected.items():
        answer = copy.deepcopy(right)
        answer["okc"]["threshold"][eps] = T
        report = crosscheck(vector.reference, answer)
        assert report.outcome == FAILS and means in [bug.means for bug in report.bugs]
        assert f"T_{eps} is {T} and must be {right['okc']['threshold'][eps]}" in str(report)
        assert "digits" not in str(report) and f"likely bug: T_eps with another eps: {means}" in str(report)
        line = next(x for x in report.to_json()["lines"] if x["where"] == f"T_{eps}" and not x["passes"])
        assert (line["digits"], line["needed"], line["program"]) == (None, None, str(T))
    tie = next(v for v in vectors() if "PeakTie" in v.flags and v.type == "aggregation").reference
    answer = plain_result(tie, 17)
    answer["okc"]["peak"] = max(tie.peaks)
    report = crosscheck(tie, answer)
    assert f"N* is {max(tie.peaks)} and must be {min(tie.peaks)}" in str(report)
    assert [bug.name for bug in report.bugs] == ["last instead of first maximum for N*"]


def test_indices_of_w_zero_are_named():
    """The bug is named even if the program computed its indices from rounding noise."""
    for zero in (v.reference for v in vectors() if "ZeroClassifier" in v.flags):
        noise = dict.fromkeys(islice(modes_of(zero), 2), "1e-17")
        okc = {"even": "0.5", "odd": "0.5"}
        answer = {"id": zero.id, "coefficients": noise, "norm2": "2e-34", "okc": okc}
        report = crosscheck(zero, answer)
        assert report.outcome == FAILS and "indices given although w = 0" in [bug.name for bug in report.bugs]
        assert report.stage == "aggregation" and "w = 0" in str(report)


def modes_of(reference: Reference):
    return (",".join(map(str, k)) for k in reference.problem.kernel.modes)


def test_a_dual_of_zeros_passes():
    """The scale of given dual variables is their largest value, or 1 if all are 0."""
    zero = next(v for v in vectors() if v.reference.dual and not any(v.reference.dual)).reference
    assert crosscheck(zero, {"id": zero.id, "alpha": ["0"] * zero.problem.m, "okc": None}).outcome == HOLDS


@pytest.mark.parametrize(
    "degree",
    [
        [0.2647047188429585, 0.261619637358914, 0.4236756437981274],  # long doubles, rounded at the end
        ["0.86043084470032449", "0.089569155299675463"],  # float64, printed with 17 digits
    ],
)
def test_a_sum_that_rounding_lifts_to_the_threshold_reaches_it(degree):
    """The exact sum is below 0.95 but the float64 sum is not: both values of T are right."""
    found = Pipeline(PROBLEM).thresholds([QQ(x) for x in [*degree, "0.05"]], "0.05")
    assert found == {len(degree) - 1, len(degree)}


def test_w_zero_has_no_indices():
    zero = next(v for v in vectors() if "ZeroClassifier" in v.flags and v.type == "pipeline").reference
    alpha = {"id": zero.id, "norm2": "0", "okc": None}
    assert crosscheck(zero, alpha).outcome == HOLDS
    assert crosscheck(zero, alpha | {"okc": {"order": ["1", "0"]}}).outcome == FAILS


def test_files_and_exit_codes(tmp_path):
    ref, res = tmp_path / "ref.json", tmp_path / "res.json"
    save_references([REFERENCE], ref)

    def code(data: object, *more: str) -> tuple[int, str]:
        res.write_text(data if isinstance(data, str) else json.dumps(data))
        status, text, error = command.orca("crosscheck", str(ref), str(res), *more)
        assert len(error.splitlines()) == (1 if status == 4 else 0)
        return status, text

    for format in ("text", "markdown", "json"):
        assert code(RIGHT, "--format", format)[0] == 0
    status, text = code(changed(okc__order__1="0.77"))
    assert status == 1 and "stage at fault: aggregation" in text
    status, text = code({"id": "four"})
    assert status == 3 and "the result has no values; add alpha" in text
    assert "more digits" not in text  # which would not help
    assert code(RIGHT | {"id": "five"})[0] == 1
    for bad in ("", "{", "[1]", "null", "3", '{"id": ["four"]}', '{"id": "four", "id": "four"}', "\xff"):
        assert code(bad)[0] == 4
    for option in ("bits=-5", "bits=0", "solver-digits=-50", "formula-digits=0", "solver-digits=nan"):
        assert code(changed(okc__peak=2), f"--{option}")[0] == 4
    assert code(changed(okc__peak=2), "--bits=3")[0] != 0
    ref.write_text("{}")
    assert code(RIGHT)[0] == 4


def test_a_failure_shows_both_numbers():
    wrong = {"okc__order__1": "0.77", "gram__0__1": "0.3", "b": "5", "alpha__2": "-1"}
    for place, program in wrong.items():
        certified = at(RIGHT, place.split("__"))
        text = str(crosscheck(REFERENCE, changed(**{place: program}), diagnose=False))
        assert re.search(rf"program {program}\.?0*, certified {re.escape(certified[:12])}", text), text
    report = crosscheck(REFERENCE, changed(okc__peak=2), diagnose=False)
    lines = {x["quantity"]: x for x in report.to_json()["lines"] if x["from"] == "the optimum"}
    assert (lines["okc.peak"]["program"], lines["okc.peak"]["certified"]) == ("2", str(RIGHT["okc"]["peak"]))


def test_a_vector_is_shown_with_its_certified_values():
    vector = vectors()[1]
    code, text, _ = command.orca("crosscheck", "--vector", "v002", "--show")
    assert code == 0 and json.dumps(vector.task) in text.splitlines()
    certified = plain_result(vector.reference)
    assert f"norm2: {certified['norm2']}" in text and f"okc.even: {certified['okc']['even']}" in text
    assert f"gram.0: {', '.join(certified['gram'][0])}" in text
    code, text, _ = command.orca("crosscheck", "--vector", "v002", "--show", "--format", "json")
    assert code == 0 and json.loads(text)["certified"]["okc"] == certified["okc"]
    zero, interval, free = (next(v.reference.id for v in vectors() if flag in v.flags)
                            for flag in ("ZeroClassifier", "BiasInterval", "AlphaNotUnique"))  # fmt: skip
    assert "okc: undefined (w = 0)" in command.orca("crosscheck", "--vector", zero, "--show")[1]
    assert "b: in [" in command.orca("crosscheck", "--vector", interval, "--show")[1]
    assert "alpha: not unique" in command.orca("crosscheck", "--vector", free, "--show")[1]
    code, _, error = command.orca("crosscheck", "--vector", "v999", "--show")
    assert code == 4 and "v001" in error and len(error.splitlines()) == 1
    assert command.orca("crosscheck", "--vector", "v002")[0] == 2


# Balls around 0: arb(0, r)**2 is nan, and a comparison with nan must not pass.

BALANCED = Problem(
    [["-1"], ["1"], ["1"], ["1/4"], ["1/4"], ["-1/2"]], [-1, 1, 1, -1, -1, 1], 2, 0, 0, C=8, id="balanced"
)


def digits_by_line(report) -> dict:
    return {(line.quantity, line.source): line.digits for line in report.lines}


def test_a_balanced_wrong_alpha_fails():
    report = crosscheck(make_reference(BALANCED), {"id": "balanced", "alpha": ["1", "1", "0", "0", "0", "0"]})
    assert report.outcome == FAILS and digits_by_line(report)["w", "the optimum"] < 1


def junk(problem: Problem, random: Random):
    """Return feasible dual variables that are not optimal."""
    signs = [[i for i, label in enumerate(problem.y) if label == sign] for sign in (1, -1)]
    two, many = ["0"] * problem.m, ["0"] * problem.m
    two[signs[0][-1]] = two[signs[1][-1]] = str(problem.C / 4)
    count = min(map(len, signs))
    for pair in zip(*(random.sample(places, count) for places in signs), strict=True):
        share = problem.C * random.randint(1, 99) / 100
        for i in pair:
            many[i] = str(share)
    return two, many


def test_junk_alpha_fails_on_every_vector():
    random = Random(11)
    optima = [v.reference for v in vectors() if v.reference.dual is None][::4]
    assert len(optima) > 60
    for reference in optima:
        for alpha in junk(reference.problem, random):
            report = crosscheck(reference, {"id": reference.id, "alpha": alpha}, diagnose=False)
            assert report.outcome == FAILS, (reference.id, alpha)


def test_indices_of_a_balanced_alpha_need_no_coefficients():
    dual = ["1/4"] * 4
    reference = make_dual_reference(PROBLEM, dual)
    answer = {"id": "four", "alpha": dual, "okc": plain_result(reference, 17)["okc"]}
    report = crosscheck(reference, answer)
    assert report.outcome == HOLDS, str(report)
    assert digits_by_line(report)["okc.even", "its own alpha"] > 15


def test_the_scale_of_the_coefficients_is_the_norm_of_w():
    pipe, rule = Pipeline(BALANCED, arithmetic("ball", 60)), Tolerance(make_reference(BALANCED))
    alpha = [fmpq(x) for x in (1, 1, 0, 0, 0, 0)]
    c = pipe.coefficients(alpha, None)
    norm2 = float(sum(pipe.gram[i][j] * (1 if i == j else -1) for i in (0, 1) for j in (0, 1)))
    size = StageComparison(Result("balanced"), pipe, rule.formula_digits).size(c, alpha)
    assert float(size) == pytest.approx(norm2**0.5, rel=1e-14)


def test_what_has_no_finite_bound_has_no_digits():
    nan, infinite = arb("nan"), arb(float("inf"))
    assert [correct_digits(x) for x in (nan, infinite, arb(0), arb(-1))] == [-inf, -inf, 99, 99]
    assert find_agreement([fmpq(1)], [nan])[0] == find_agreement([fmpq(1)], [infinite])[0] == -inf
    with pytest.raises(ArithmeticError):
        sum_of_squares([nan])
    huge = [fmpq(10) ** 200] * 2
    assert gap_digits([[1e200, 0], [0, 1e200]], (1, -1), [fmpq(10) ** 250] * 2, huge) == 0
    data = copy.deepcopy(REFERENCE.data)
    data["values"]["b"] = {"lower": {"ball": ["0", "1"]}, "upper": {"ball": ["0", "1"]}}
    vague = Reference(data)
    vague.__dict__["b"] = (nan, nan)
    assert "b" in [line.quantity for line in crosscheck(vague, RIGHT).failed]
    vague.__dict__["norm2"] = arb(0, 1)
    assert crosscheck(vague, RIGHT).outcome == UNDECIDED


def test_peak_and_threshold_without_a_digit_are_undecided():
    data = copy.deepcopy(REFERENCE.data)
    data["condition"]["w"] = "1e14"
    for okc in ({"peak": 2}, {"peak": RIGHT["okc"]["peak"]}, {"threshold": {"0.1": 0}}):
        report = crosscheck(Reference(data), {"id": "four", "okc": okc})
        assert report.outcome == UNDECIDED and not any(x["passes"] for x in report.to_json()["lines"])
    assert crosscheck(Reference(data), {"id": "four", "okc": {"peak": 77}}).outcome == FAILS
    with pytest.raises(BadParameter):
        crosscheck(REFERENCE, {"id": "four", "okc": {"peak": 2}}, bits=-5)


def test_a_condition_beyond_float64_is_undecided():
    near = make_reference(Problem([["0"], ["1e-9"], ["1"]], [1, -1, 1], 3, 0, 0, C="1e30", id="near"))
    answer = {"id": "near", "norm2": repr(float(to_ball(near.norm2)) * 1.5)}
    assert crosscheck(near, answer).outcome == UNDECIDED


# Invalid input.

TINY = make_reference(Problem([["-0.5"], ["0.25"]], [1, -1], 1, 0, 0, id="tiny"))
GOOD = plain_result(TINY, 17)
JUNK = ["NaN", "nan", "inf", "", " ", "1e999999", "1/0", "0x", "--1", "7e7", "-3", "1e30", None, True, [], {},
        [[]], {"exact": "1/0"}, {"ball": ["1"]}, {"decimal": "9"}, {"exact": {"numerator": []}}, 10**400,
        1e308, -1e9, "é", {"ball": ["5", "1e9"]}, "99999999999999999999"]  # fmt: skip


def leaves(data, path=()):
    if isinstance(data, dict | list):
        for key, x in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(x, (*path, key))
    elif path and path[0] not in ("id", "schema"):
        yield path


def nonsense(random: Random, depth: int = 0):
    pick = random.random()
    if depth > 4 or pick < 0.5:
        return random.choice(JUNK)
    if pick < 0.75:
        return [nonsense(random, depth + 1) for _ in range(random.randrange(4))]
    keys = [
        "alpha",
        "b",
        "gram",
        "okc",
        "norm2",
        "coefficients",
        "order",
        "1,2",
        "0",
        "x",
        "peak",
        "threshold",
    ]
    return {random.choice(keys): nonsense(random, depth + 1) for _ in range(random.randrange(4))}


def garbage(random: Random, name: str) -> bytes:
    """Return a line that is not a right answer: noise, or a right answer truncated or with one error."""
    pick = random.random()
    good = copy.deepcopy(GOOD) | {"id": name}
    if pick < 0.1:
        return bytes(random.randrange(256) for _ in range(random.randrange(60))).replace(b"\n", b"")
    text = json.dumps(good)
    if pick < 0.2:
        return text[: random.randrange(1, len(text))].encode()
    if pick < 0.35:
        return json.dumps(nonsense(random)).encode()
    if pick < 0.5:
        data = nonsense(random)
        return json.dumps({"id": name} | (data if isinstance(data, dict) else {"okc": data})).encode()
    if pick < 0.55:
        return b"[" * random.randrange(1, 5000)
    *path, last = random.choice(list(leaves(good)))
    at(good, path)[last] = random.choice(JUNK)
    return json.dumps(good).replace('"NaN"', random.choice(['"NaN"', "NaN", "Infinity"])).encode()


@pytest.mark.slow
def test_ten_thousand_pieces_of_garbage_through_a_program(tmp_path):
    """Every answer that can be read is compared, and none of them passes."""
    count, random = 10_000, Random(20240601)
    names = [f"g{i}" for i in range(count)]
    lines = tmp_path / "lines"
    lines.write_bytes(b"\n".join(garbage(random, name).replace(b"\r", b"") for name in names))
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, json\n"
        f"lines = open({str(lines)!r}, 'rb').read().split(b'\\n')\n"
        "for line in sys.stdin:\n"
        "    sys.stdout.buffer.write(lines[int(json.loads(line)['id'][1:])] + b'\\n')\n"
    )
    found = run_program([sys.executable, str(program)], [{"id": name} for name in names], timeout=60)
    assert found.keys() == set(names)
    read = [x for x in found.values() if isinstance(x, Result)]
    assert len(read) > 500 and sum(isinstance(x, Failure) for x in found.values()) > 5_000
    for answer in read:
        report = crosscheck(TINY, dataclasses.replace(answer, id="tiny"), diagnose=False)
        assert report.outcome != HOLDS, answer
        str(report), json.dumps(report.to_json())


def test_garbage_references_are_refused_in_one_line():
    random = Random(5)
    for _ in range(400):
        data = copy.deepcopy(TINY.data)
        *path, last = random.choice(list(leaves(data)))
        target, junk = at(data, path), random.choice(JUNK)
        if target[last] == junk:
            continue
        target[last] = junk
        with pytest.raises(OrcaError) as error:
            Reference.from_json(data)
        assert "\n" not in str(error.value)


def test_a_line_passes_only_with_its_digits():
    line = Comparison("x", "y", "Gram", 3.9, 4.0)
    assert not line.passes and dataclasses.replace(line, digits=4.0).passes
    assert not dataclasses.replace(line, digits=float("nan")).passes


@pytest.mark.parametrize("huge", ["1e309", "-1e19999"])
def test_numbers_beyond_float64_fail_and_end_nothing(huge):
    m = PROBLEM.m
    result = changed(gram=[[huge] * m] * m, alpha=[huge] * m, b=huge, norm2=huge)
    assert crosscheck(REFERENCE, result).outcome == FAILS


def test_too_many_bits_are_refused():
    with pytest.raises(BadParameter, match="--bits"):
        crosscheck(REFERENCE, RIGHT, bits=10**400)


def test_an_id_cannot_write_a_line_of_its_own():
    assert str(Report("v\noptimality proved", HOLDS)).splitlines() == ["v\\noptimality proved: HOLDS"]


@pytest.mark.parametrize("beside", [{"exact": "3602879701896397/36028797018963968"}, {"ball": ["0.1", "0"]}])
def test_a_short_decimal_contradicts_too(beside):
    with pytest.raises(BadInput, match="decimal contradicts"):
        Result.from_json({"id": "four", "norm2": beside | {"decimal": "0.2"}})
    assert Result.from_json({"id": "four", "norm2": beside | {"decimal": "0.1"}}).norm2 is not None


def test_the_gap_is_that_of_each_C_i():
    """With the C_i of other points the optimum is infeasible or has a gap."""
    reference = next(v.reference for v in vectors() if v.group == "weighted, all at bound")
    problem, alpha = reference.problem, [to_rational(x) for x in reference.alpha]
    K = Pipeline(problem, arithmetic("ball", 30)).gram
    assert gap_digits(K, problem.y, problem.bounds, alpha) > 6
    for other in (problem.bounds[::-1], [max(problem.bounds)] * problem.m, [min(problem.bounds)] * problem.m):
        assert gap_digits(K, problem.y, other, alpha) < 1.5
