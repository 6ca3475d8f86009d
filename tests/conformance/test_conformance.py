"""Vectors that bite: the right miniature passes, every wrong one is caught, its stage and bug are named."""

import json
import re
from collections import Counter
from functools import partial
from itertools import islice

import pytest
from marks import quick
from miniatures import WRONG, implementation, wrong
from wrong_programs import CAUGHT_BY, right
from wrong_programs import WRONG as WRONG_PROGRAMS

from orca_exact.conformance.bugs import BUGS, vote
from orca_exact.conformance.reference import Reference
from orca_exact.conformance.testing import check_vector, orca_conformance
from orca_exact.conformance.vectors import VECTOR_FILE, generate, shipped_document, vectors
from orca_exact.conformance.vectors.extremes import EXTREMES
from orca_exact.files.outcomes import FAILS, HOLDS, UNDECIDED

pytest_plugins = ["pytester"]
SAMPLE = vectors()[::6]
BY_ID = {vector.reference.id: vector for vector in vectors()}
FLAGGED = {
    "strict": "ThresholdTie", "last peak": "PeakTie", "dual ignored": "GivenDual", "largest C": "Weighted",
    "first C": "Weighted", "no C": "Weighted", "b without C": "Weighted",
    "one measure": "MixedMeasures", "equal nodes": "Discrete",
    "physics": "Hermite", "laguerre sign": "Laguerre", "rescaled everywhere": "MixedMeasures",
    "indices of zero": "ZeroClassifier",
}  # fmt: skip


def test_there_are_a_few_hundred_vectors_in_a_file_of_reasonable_size():
    from importlib.resources import files

    assert 340 <= len(vectors()) == shipped_document()["numberOfTests"]
    assert len((files("orca_exact.conformance.vectors") / VECTOR_FILE).read_bytes()) < 2_000_000
    numbers = [vector.number for vector in vectors()]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("flag", generate.CORNERS)
def test_every_corner_is_visited(flag):
    assert any(flag in vector.flags for vector in vectors())


def test_a_reference_of_a_vector_is_a_reference():
    """However the problem is written: its digest is that of the problem, not of the text."""
    for vector in vectors()[::20] + tuple(v for v in vectors() if v.group in EXTREMES):
        assert Reference.from_json(vector.reference.to_json()).problem == vector.reference.problem


def test_every_flag_is_explained():
    used = {flag for vector in vectors() for flag in vector.flags}
    assert used == set(shipped_document()["notes"])


MADE = ("legendre", "all at bound", "tie in N*", "given dual variables, ties", "weighted", "mixed measures",
        "given dual variables, measures", "forms of a number", "defaults")  # fmt: skip


@pytest.mark.parametrize("group", quick(MADE, ("legendre", "tie in N*", "mixed measures")))
def test_the_script_makes_these_very_vectors(group):
    shipped = next(g for g in shipped_document()["groups"] if g["name"] == group)
    made = json.loads(json.dumps(generate.build_group(group, shipped["tests"][0]["tcId"], limit=2)))
    assert made["tests"] == shipped["tests"][:2]


@pytest.mark.parametrize("vector", vectors()[::3], ids=lambda v: v.reference.id)
def test_the_right_implementation_passes(vector):
    report = check_vector(implementation, vector)
    assert report.outcome == HOLDS, str(report)


def failures(bug):
    """Reports of the vectors (the sample, or those about it) that catch a wrong implementation."""
    about = [vector for vector in vectors() if FLAGGED.get(bug) in vector.flags]
    for vector in about or SAMPLE:
        if check_vector(wrong(bug), vector, diagnose=False).outcome == FAILS:
            yield check_vector(wrong(bug), vector)


def test_there_are_bugs_enough():
    assert len(WRONG) >= 15


@pytest.mark.parametrize("bug", quick(WRONG, list(WRONG)[::8]))
def test_every_wrong_implementation_is_caught_and_its_bug_and_stage_are_named(bug):
    found = list(islice(failures(bug), 6))
    assert found
    named = [likely.name for likely, _ in vote(report.bugs for report in found)][:1]
    at = Counter(report.stage for report in found).most_common(1)[0][0]
    assert (named, at) == ([WRONG[bug][0]], WRONG[bug][1])


@pytest.mark.parametrize(("bug", "stage"), [("p_2", "basis"), ("kernel", "Gram")])
def test_a_fault_that_nobody_knows_is_located(bug, stage):
    """Gram matrix and c_k wrong, each by itself: the basis, which they have in common; else the kernel."""
    found = list(islice(failures(bug), 6))
    assert {report.stage for report in found} == {stage} and not any(report.bugs for report in found)


def test_every_known_bug_has_a_wrong_program():
    planted = {name for name, _ in WRONG.values()}
    assert planted == {bug.name for bug in BUGS} - {"too few digits written", "degrees counted from 1"}


def test_the_right_program_is_among_the_wrong_ones_with_nothing_changed():
    """What the table changes is the mistake and nothing else."""
    for vector in vectors()[::40]:
        assert check_vector(right, vector, diagnose=False).outcome == HOLDS


@pytest.mark.parametrize("mistake", WRONG_PROGRAMS)
def test_no_wrong_program_passes(mistake):
    """Each is caught by the vector named beside it, by its numbers and not by a crash."""
    report = check_vector(WRONG_PROGRAMS[mistake], BY_ID[CAUGHT_BY[mistake]], diagnose=False)
    assert report.outcome == FAILS and report.failure is None, str(report)


def test_the_extremes_are_needed():
    """Each group of extremes catches a wrong program that no vector before it catches."""
    groups = {BY_ID[name].group for name in CAUGHT_BY.values()}
    assert set(EXTREMES) <= groups


@pytest.mark.parametrize("bug", quick(["swapped", "total degree", "C/m", "unnormalised"], ["swapped"]))
def test_bugs_are_named_from_alpha_and_indices_alone(bug):
    function = partial(implementation, bug=bug, give=("alpha", "okc"))
    reports = [check_vector(function, vector) for vector in SAMPLE[1:30:3]]
    assert next(vote(r.bugs for r in reports if r.outcome == FAILS))[0].name == WRONG[bug][0]


@pytest.mark.parametrize("bug", quick(["swapped", "n - 1", "without y"], ["swapped"]))
def test_bugs_are_named_from_the_indices_alone(bug):
    function = partial(implementation, bug=bug, give=("okc",))
    reports = [check_vector(function, vector) for vector in SAMPLE[1:12:4]]
    assert next(vote(r.bugs for r in reports if r.outcome == FAILS))[0].name == WRONG[bug][0]


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
        test_b_alone = orca_conformance(lambda problem: {"b": 0, "okc": {}}, flags={"NOne"})
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


def test_a_function_that_raises_or_returns_nonsense_fails():
    for function in (
        lambda problem: 1 / 0,
        lambda problem: None,
        lambda problem: {"okc": 3},
        lambda problem: [],
    ):
        assert check_vector(function, vectors()[0]).outcome == FAILS
    assert callable(orca_conformance(implementation))
