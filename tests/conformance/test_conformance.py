"""Conformance vectors: a correct program passes, and each wrong one fails with its stage and bug named."""

import json
import re
from collections import Counter
from functools import partial
from itertools import islice
from random import Random

import pytest
from marks import quick
from miniatures import EXPECTED_DIAGNOSIS, implementation, wrong
from standard_kernels import STANDARD_DIAGNOSIS
from wrong_programs import WRONG as WRONG_PROGRAMS
from wrong_programs import right

from orca_exact import Problem
from orca_exact.conformance.bugs import BUGS, rank_bugs
from orca_exact.conformance.reference import Reference
from orca_exact.conformance.testing import check_vector
from orca_exact.conformance.vectors import VECTOR_FILE, cases, generate, shipped_document, vectors
from orca_exact.conformance.vectors.extremes import EXTREMES
from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED
from orca_exact.measures.families import FAMILIES

pytest_plugins = ["pytester"]
SAMPLE = vectors()[::6]
BY_ID = {vector.reference.id: vector for vector in vectors()}
FLAGGED = {
    "strict": "ThresholdTie", "last peak": "PeakTie", "dual ignored": "GivenDual", "largest C": "Weighted",
    "first C": "Weighted", "no C": "Weighted", "b without C": "Weighted",
    "one measure": "MixedMeasures", "equal nodes": "Discrete",
    "physics": "Hermite", "laguerre sign": "Laguerre", "rescaled everywhere": "MixedMeasures",
    "indices of zero": "ZeroClassifier", "constants left out": "OrderLimit", "mean diagonal": "OrderLimit",
    **dict.fromkeys(("order ignored", "order ignored in K", "order ignored in c_k"), "OrderLimitIgnored"),
    **dict.fromkeys(("order - 1", "order + 1"), "OrderOffByOne"), "order of degrees": "OrderTakenForDegree",
    "total of pairs": "HigherOrdersMissingInTotal",
    **{bug: flag for bug, (_, _, flag) in STANDARD_DIAGNOSIS.items()},
}  # fmt: skip


def test_there_are_a_few_hundred_vectors_in_a_file_of_reasonable_size():
    from importlib.resources import files

    assert 340 <= len(vectors()) == shipped_document()["numberOfTests"]
    assert len((files("orca_exact.conformance.vectors") / VECTOR_FILE).read_bytes()) < 2_000_000
    numbers = [vector.number for vector in vectors()]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("flag", generate.CORNER_CASES)
def test_every_corner_is_visited(flag):
    assert any(flag in vector.flags for vector in vectors())


def test_a_reference_of_a_vector_is_a_reference():
    """The digest is that of the problem, not of its JSON, in whatever form its numbers are written."""
    for vector in vectors()[::20] + tuple(v for v in vectors() if v.group in EXTREMES):
        assert Reference.from_json(vector.reference.to_json()).problem == vector.reference.problem


def test_every_flag_is_explained():
    used = {flag for vector in vectors() for flag in vector.flags}
    assert used == set(shipped_document()["notes"])


MADE = ("legendre", "all at bound", "tie in N*", "given dual variables, ties", "weighted", "mixed measures",
        "given dual variables, measures", "forms of a number", "defaults", "order limits",
        "order limits, measures", "order limits, extremes", "order 1 of one column", "linear kernel",
        "polynomial kernel", "rbf kernel", "rbf kernel, extremes, given dual variables")  # fmt: skip


@pytest.mark.parametrize("group", quick(MADE, ("legendre", "tie in N*", "mixed measures", "order limits")))
def test_the_script_makes_the_shipped_vectors(group):
    shipped = next(g for g in shipped_document()["groups"] if g["name"] == group)
    made = json.loads(json.dumps(generate.build_group(group, shipped["tests"][0]["tcId"], limit=2)))
    assert made["tests"] == shipped["tests"][:2]


@pytest.mark.parametrize("vector", vectors()[::3], ids=lambda v: v.reference.id)
def test_the_right_implementation_passes(vector):
    report = check_vector(implementation, vector)
    assert report.outcome == HOLDS, str(report)


def failures(bug):
    """Yield the reports of failed vectors, out of those with the flag of the bug or of the sample."""
    about = [vector for vector in vectors() if FLAGGED.get(bug) in vector.flags]
    for vector in about or SAMPLE:
        if check_vector(wrong(bug), vector, diagnose=False).outcome == FAILS:
            yield check_vector(wrong(bug), vector)


def test_there_are_many_wrong_implementations():
    assert len(EXPECTED_DIAGNOSIS) >= 15


@pytest.mark.parametrize("bug", quick(EXPECTED_DIAGNOSIS, list(EXPECTED_DIAGNOSIS)[::16]))
def test_every_wrong_implementation_is_caught_and_its_bug_and_stage_are_named(bug):
    found = list(islice(failures(bug), 6))
    assert found
    named = [likely.name for likely, _ in rank_bugs(report.bugs for report in found)][:1]
    at = Counter(report.stage for report in found).most_common(1)[0][0]
    assert (named, at) == ([EXPECTED_DIAGNOSIS[bug][0]], EXPECTED_DIAGNOSIS[bug][1])


@pytest.mark.parametrize(("bug", "stage"), [("p_2", "basis"), ("kernel", "Gram")])
def test_an_unknown_fault_is_located(bug, stage):
    """If both the Gram matrix and c_k are wrong, the fault is in the basis, else in the kernel."""
    found = list(islice(failures(bug), 6))
    assert {report.stage for report in found} == {stage} and not any(report.bugs for report in found)


def test_every_known_bug_has_a_wrong_program():
    planted = {name for name, _ in EXPECTED_DIAGNOSIS.values()}
    assert planted == {bug.name for bug in BUGS} - {"too few digits written", "degrees counted from 1"}


def test_the_right_program_is_among_the_wrong_ones_with_nothing_changed():
    """Without a mistake, the program that the wrong ones are derived from passes."""
    for vector in vectors()[::40]:
        assert check_vector(right, vector, diagnose=False).outcome == HOLDS


@pytest.mark.parametrize(("vector", "mistake"), WRONG_PROGRAMS)
def test_no_wrong_program_passes(vector, mistake):
    """Each fails on its vector because of its numbers, not because of a crash."""
    report = check_vector(WRONG_PROGRAMS[vector, mistake], BY_ID[vector], diagnose=False)
    assert report.outcome == FAILS and report.failure is None, str(report)


def test_the_extremes_are_needed():
    """Each group of extremes detects a mistake that no vector before it detects."""
    groups = {BY_ID[vector].group for vector, _ in WRONG_PROGRAMS}
    assert set(EXTREMES) <= groups


@pytest.mark.parametrize("bug", quick(["swapped", "total degree", "C/m", "unnormalised"], ["swapped"]))
def test_bugs_are_named_from_alpha_and_indices_alone(bug):
    function = partial(implementation, bug=bug, give=("alpha", "okc"))
    reports = [check_vector(function, vector) for vector in SAMPLE[1:30:3]]
    assert (
        next(rank_bugs(r.bugs for r in reports if r.outcome == FAILS))[0].name == EXPECTED_DIAGNOSIS[bug][0]
    )


@pytest.mark.parametrize("bug", quick(["swapped", "n - 1", "without y"], ["swapped"]))
def test_bugs_are_named_from_the_indices_alone(bug):
    function = partial(implementation, bug=bug, give=("okc",))
    reports = [check_vector(function, vector) for vector in SAMPLE[1:12:4]]
    assert (
        next(rank_bugs(r.bugs for r in reports if r.outcome == FAILS))[0].name == EXPECTED_DIAGNOSIS[bug][0]
    )


@pytest.mark.slow
def test_three_lines_are_enough(pytester):
    pytester.makepyfile(
        """
        from orca_exact.conformance.testing import orca_conformance
        from miniatures import wrong
        test_orca = orca_conformance(wrong("swapped"), flags={"NZero", "Rescale"})
        """
    )
    pytester.makeconftest("pytest_plugins = ['orca_exact.conformance.testing']")
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider")
    text = result.stdout.str()
    assert result.ret == 1
    assert "stage at fault: basis" in text
    assert re.search(r"\d+ of them would be explained by: alpha and beta swapped", text)


def test_an_implementation_that_gives_nothing_is_not_green(pytester):
    pytester.makepyfile(
        """
        from orca_exact.conformance.testing import orca_conformance
        test_nothing = orca_conformance(lambda problem: {}, flags={"NZero"})
        test_no_index = orca_conformance(lambda problem: {"okc": {}}, flags={"NOne"})
        """
    )
    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider")
    assert result.ret == 1
    counts = result.parseoutcomes()
    assert counts.keys() == {"failed"} and counts["failed"] > 20
    result.stdout.fnmatch_lines(["*nothing to compare*"])


def test_what_is_skipped_with_a_reason_is_skipped():
    vector = vectors()[0]
    assert check_vector(lambda problem: {"skipped": "d > 1"}, vector).outcome == UNDECIDED


@pytest.mark.parametrize("answer", [None, {"okc": 3}, []])
def test_a_function_that_returns_nonsense_fails(answer):
    assert check_vector(lambda problem: answer, vectors()[0]).outcome == FAILS


def test_a_function_that_raises_fails():
    report = check_vector(lambda problem: 1 / 0, vectors()[0])
    assert report.outcome == FAILS and report.failure.startswith("the function raised ZeroDivisionError")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_of_measures_has_vectors(family):
    """A new family needs no entry in ``cases``: its columns and its group have defaults."""
    assert family in cases.GROUPS
    column, measure = cases.default_column(FAMILIES[family])(Random(1), 5)
    assert isinstance(Problem([[x] for x in column], [1, -1] * 2 + [1], 2, measures=measure), Problem)
    assert all(isinstance(problem, Problem) for _, problem, _ in cases.of_family(family))
