"""Relations, the registry of claims, verify() and the verbs verify and claim."""

import json
import re
from fractions import Fraction
from multiprocessing import active_children
from xml.etree import ElementTree

import mpmath
import numpy as np
import pytest
import sympy
from command import orca
from flint import arb, fmpq

from orca_exact.errors import BadParameter, DataMissing, Undecided
from proofs_checks.ledger import claims as ledger
from proofs_checks.ledger import mutants as faults
from proofs_checks.ledger import running
from proofs_checks.ledger import theorems as formal
from proofs_checks.ledger.claims import (
    FAILS,
    HOLDS,
    SKIPPED,
    UNDECIDED,
    Claim,
    Differs,
    Equal,
    Holds,
    Less,
    Note,
    Unknown,
)


def made(check, **fields):
    return Claim("made", "section 9.1, line 1", "a made claim", check, **fields)


@pytest.mark.parametrize(
    ("relation", "outcome"),
    [
        (Equal(fmpq(1, 3), fmpq(2, 6)), HOLDS),
        (Equal(1, 2), FAILS),
        (Equal(Fraction(1, 2), fmpq(1, 2)), HOLDS),
        (Equal([1, [fmpq(2)]], (1, (2,))), HOLDS),
        (Equal([1], [1, 1]), FAILS),
        (Equal({"a": 1}, {"a": 1}), HOLDS),
        (Equal({"a": 1}, {"b": 1}), FAILS),
        (Equal(arb(1) / 3, arb(1) / 3), UNDECIDED),
        (Equal(arb(1), arb(1)), HOLDS),
        (Equal(arb(1) / 3, arb(1) / 2), FAILS),
        (Equal(sympy.sqrt(8), 2 * sympy.sqrt(2)), HOLDS),
        (Equal(sympy.sqrt(2), fmpq(7, 5)), FAILS),
        (Equal((sympy.Symbol("x") + 1) ** 2, sympy.Symbol("x") ** 2 + 2 * sympy.Symbol("x") + 1), HOLDS),
        (Equal(sympy.Symbol("x"), sympy.Symbol("y")), FAILS),
        (Differs(1, 2), HOLDS),
        (Differs(arb(1) / 3, arb(1) / 3), UNDECIDED),
        (Less(1, 2), HOLDS),
        (Less(2, 2), FAILS),
        (Less(2, 2, strict=False), HOLDS),
        (Less(arb(1) / 3, arb(1) / 2), HOLDS),
        (Less(arb(1) / 2, arb(1) / 3), FAILS),
        (Less(arb(1) / 3, arb(1) / 3), UNDECIDED),
        (Less(sympy.sqrt(2), fmpq(3, 2)), HOLDS),
        (Holds(True), HOLDS),
        (Holds(False), FAILS),
        (Unknown("why"), UNDECIDED),
    ],
)
def test_relations(relation, outcome):
    assert relation.decide() == outcome


@pytest.mark.parametrize("witness", [0.5, mpmath.mpf(1), sympy.Float("0.5"), complex(1)])
def test_floats_are_rejected(witness):
    for relation in (Equal(witness, 1), Less(1, witness), Equal([1, witness], [1, 1])):
        with pytest.raises(TypeError, match="decides nothing"):
            relation.decide()


@pytest.mark.parametrize(
    "relation",
    [
        Less((0.1,), (0.2,)),
        Equal({0.1}, {0.1}),
        Equal({"a": 0.1}, {"b": 1}),
        Equal({0.1: 1}, {0.1: 1}),
        Equal([0.5], [1, 2]),
        Equal(np.array([0.5]), np.array([1, 2], dtype=object)),
        Equal((1, {0.5}), (1, {0.5})),
        Differs([[0.5]], [[1]]),
    ],
)
def test_floats_are_rejected_inside_containers(relation):
    with pytest.raises(TypeError, match="decides nothing"):
        relation.decide()


def test_less_compares_numbers():
    with pytest.raises(TypeError, match="two numbers"):
        Less((1,), (2,)).decide()


A, GAMMA, ROOT = sympy.Symbol("a"), sympy.gamma, sympy.sqrt
THIRD = sympy.Rational(1, 3)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (GAMMA(THIRD) * GAMMA(2 * THIRD), 2 * sympy.pi / ROOT(3)),
        (sympy.beta(sympy.Rational(3, 2), 2), sympy.Rational(4, 15)),
        (ROOT(3 + 2 * ROOT(2)) * A, (1 + ROOT(2)) * A),
        (sympy.cos(sympy.pi / 5) * A, (1 + ROOT(5)) / 4 * A),
        (sympy.Poly(ROOT(3 + 2 * ROOT(2)) * A, A), sympy.Poly((1 + ROOT(2)) * A, A)),
    ],
)
def test_true_identities_are_not_refuted(left, right):
    assert (Equal(left, right).decide(), Differs(left, right).decide()) == (HOLDS, FAILS)
    off = right + sympy.Rational(1, 10**70) * (A if A in right.free_symbols else 1)  # needs the second ball
    assert (Equal(left, off).decide(), Differs(left, off).decide()) == (FAILS, HOLDS)


def test_a_constant_no_ball_knows_is_undecided():
    assert Equal(sympy.zeta(3), sympy.besselj(1, 2)).decide() == UNDECIDED
    assert Less(sympy.pi, sympy.Rational(22, 7)).decide() == HOLDS


@pytest.mark.parametrize("empty", [[], (), {}, set(), np.array([]), [[], []]])
def test_nothing_compared_is_not_green(empty):
    verdict = made(lambda: Equal(empty, empty, "there")).run()
    assert verdict.outcome == Differs(empty, empty).decide() == UNDECIDED
    assert Equal([1, empty], [1, empty]).decide() == HOLDS


SQUARE, ROOT_2 = [[1, 0], [0, 1]], arb(2).sqrt()


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        (Equal(fmpq(1, 3), 2, "c_0"), "c_0: 1/3 ≠ 2"),
        (Equal(fmpq(199, 200), 1), "0.995 ≠ 1"),
        (Equal(fmpq(10**30 + 1, 3**50), 1), "1392955.569… ≠ 1"),
        (Equal([7, 9, 9], [7, 7, 7], "N*"), "N*: entry 2: 9 ≠ 7 (2 of 3 entries differ)"),
        (Equal(SQUARE, [[1, 0], [5, 1]]), "entry (2, 1): 0 ≠ 5 (1 of 4 entries differ)"),
        (Equal(np.array(SQUARE), np.array([[1, 0], [5, 1]])), "entry (2, 1): 0 ≠ 5 (1 of 4 entries differ)"),
        (Equal([1, [2]], [1, [2, 3]]), "size of entry 2: 1 ≠ 2 (1 of 2 entries differ)"),
        (Equal({"n": 1}, {"n": 2}), "entry n: 1 ≠ 2"),
        (Equal({"n": 1}, {"m": 1}), "keys: 1 and 1 members; only in the first: n; only in the second: m"),
        (Equal({"b", "a"}, set("c")), "2 and 1 members; only in the first: a and b; only in the second: c"),
        (Equal((None, "x"), (1, "x")), "entry 1: none ≠ 1 (1 of 2 entries differ)"),
        (Differs(0, 0, "denominator"), "denominator: 0 = 0, but ≠ is claimed"),
        (Differs(SQUARE, SQUARE), "the two are equal in all 4 entries, but a difference is claimed"),
        (Less(7, 3), "7 > 3, but < is claimed"),
        (Less(2, 2), "2 = 2, but < is claimed"),
        (Less(21, 19, "T", strict=False), "T: 21 > 19, but ≤ is claimed"),
        (Less(arb(1) / 2, fmpq(1, 4)), "0.500000 > 1/4, but < is claimed"),
        (Equal(ROOT_2, ROOT_2 - fmpq(1, 10**8)), "1.41421356237 ≠ 1.41421355237"),
        (Holds(False, "no cell prints F(T)"), "no cell prints F(T)"),
    ],
)  # fmt: skip
def test_a_failed_relation_says_what_is_the_case(relation, said):
    assert relation.decide() == FAILS and relation.evidence() == said
    text, latex = relation.formula()
    assert not latex or text in said


def test_the_mathematics_of_the_evidence_is_kept_apart():
    verdict = made(lambda: [Equal(1, 1), Equal(sympy.sqrt(2) / 2, fmpq(1, 2), "c_0")]).run()
    assert verdict.formula == ("sqrt(2)/2 ≠ 1/2", r"\frac{\sqrt{2}}{2} \ne \frac{1}{2}")
    assert verdict.formula[0] in verdict.evidence
    assert made(lambda: Equal({1}, {2})).run().formula[1] == ""


def test_undecided_is_not_called_false():
    assert "it is not decided whether" in made(lambda: Equal(arb(1) / 3, arb(1) / 3)).run().evidence
    assert "nothing was compared" in made(lambda: Equal([], [])).run().evidence


def test_ratios_of_different_problems_are_not_the_same_number():
    from flint import fmpq_poly

    from orca_exact import Problem
    from orca_exact.svm.tau import Ratio, Tau

    p = Problem([["-1"], ["1"]], [1, -1], 1, "1/2", "1/3")
    tau = lambda problem: Ratio(fmpq_poly([0, 1]), fmpq_poly([1]), Tau(problem))  # noqa: E731
    half = lambda problem: Ratio(fmpq_poly([1]), fmpq_poly([2]), Tau(problem))  # noqa: E731
    assert Equal(tau(p), tau(p.replace(n=2))).decide() == HOLDS
    assert Equal(tau(p), tau(p.replace(alpha="1/3", beta="1/2"))).decide() == HOLDS  # h_0 is symmetric
    for other in (p.replace(C=7), p.replace(alpha="1/4"), p.replace(X=[["-1", "0"], ["1", "0"]])):
        assert Equal(tau(p), tau(other)).decide() == FAILS
        assert Equal(half(p), half(other)).decide() == HOLDS


@pytest.mark.parametrize("error", [DataMissing("no data"), Undecided("too wide")])
def test_what_is_refuted_stays_refuted(error):
    def check():
        yield Equal(1, 2, "there")
        raise error

    verdict = made(check).run()
    assert verdict.outcome == FAILS and "there" in verdict.evidence and str(error) in verdict.evidence


def test_outcome_is_computed_from_the_relations():
    assert made(lambda: [Equal(1, 1), Note("seen")]).run().evidence == "1 relation holds: 1 = 1; seen"
    assert made(lambda: [Equal(1, 1), Equal(1, 2, "there"), Unknown("x")]).run().outcome == FAILS
    assert made(lambda: [Equal(1, 1), Unknown("no data")]).run().outcome == UNDECIDED
    assert made(lambda: []).run().outcome == UNDECIDED  # nothing checked is not green
    assert made(lambda: Equal(1, 2, "there")).run().evidence == "there: 1 ≠ 2"
    with pytest.raises(TypeError):
        made(lambda: [True]).run()


def _raise(error):
    raise error


def test_missing_data_are_skipped_and_undecided_is_said():
    assert made(lambda: _raise(DataMissing("run this"))).run().outcome == SKIPPED
    assert made(lambda: _raise(Undecided("too wide"))).run().outcome == UNDECIDED


def test_exit_codes():
    found = [made(lambda r=r: r).run() for r in (Equal(1, 1), Equal(1, 2), Unknown("?"))]
    verdict = {v.outcome: v for v in found}
    recorded = made(lambda: Equal(1, 2), expect=FAILS).run()
    known = made(lambda: Unknown("?"), expect=UNDECIDED).run()
    assert running.exit_code([verdict[HOLDS], recorded, known]) == 0
    assert running.exit_code([recorded], strict=True) == 1
    assert running.exit_code([verdict[UNDECIDED]]) == 3
    assert running.exit_code([verdict[UNDECIDED], verdict[FAILS]]) == 1
    assert running.exit_code([made(lambda: Equal(1, 1), expect=FAILS).run()]) == 1  # an error that went away


def test_a_broken_check_is_a_finding():
    crashed = running._run(made(lambda: 1 // 0))
    assert crashed.outcome == UNDECIDED and "ZeroDivisionError" in crashed.evidence
    assert running.exit_code([crashed]) == 1


def test_patched_puts_everything_back():
    from orca_exact.measures.jacobi import Jacobi
    from orca_exact.measures.measure import Measure

    before = Measure.__dict__["h_ratios"]
    with pytest.raises(RuntimeError), faults.mutants()["missing-h"]():
        assert Jacobi(0, 0).h_ratio(3) == 1
        raise RuntimeError
    assert Measure.__dict__["h_ratios"] is before
    assert Jacobi(0, 0).h_ratio(1) == fmpq(1, 3)


def test_a_spoilt_statement_leaves_the_library_s_caches():
    from orca_exact.runtime import cache
    from proofs_checks.experiments import optima as experiments
    from proofs_checks.section6 import values as section6_values

    cache.code_digest()
    with faults.patched(section6_values, "EDITS", {}):
        assert cache.code_digest.cache_info().currsize == 1 and cache._ENABLED == [True]
    with faults.patched(experiments, "FIGURE_2", ()):
        assert cache.code_digest.cache_info().currsize == 0 and cache._ENABLED == [False]
    assert cache._ENABLED == [True]


def test_the_marker_s_counterexample_is_computed():
    """OKC^(2) = 0 comes from the profile of the trained classifier, not from a multi-index."""
    from orca_exact.profile.indices import IndexTable

    claim = ledger.claims(["disc-nonlinear-marker-converse"])[0]
    with faults.patched(IndexTable, "order", property(lambda self: [fmpq(0), fmpq(0), fmpq(1)])):
        assert claim.run().outcome == HOLDS


@pytest.mark.parametrize("id", ["eq-sec4-2-constant-bias-corrected", "offset-variants-corrected"])
@pytest.mark.parametrize("mutant", ["bias-in-c0", "moment-off-by-one"])
def test_constants_come_from_the_library(id, mutant):
    with faults.mutants()[mutant]():
        assert ledger.claims([id])[0].run().outcome == FAILS


def test_filters():
    assert [c.id for c in ledger.claims(["eq-CD-identity"])] == ["eq-CD-identity"]
    assert len(ledger.claims(["eq-CD-*"])) >= 3
    assert {c.section for c in ledger.claims(section="3")} == {"3.1", "3.2"}
    with pytest.raises(BadParameter, match="eq-CD-identity"):
        ledger.claims(["eq-CD-identiti"])
    for blank in ("", " "):
        with pytest.raises(BadParameter, match="verify --list"):
            ledger.claims([blank])
    with pytest.raises(BadParameter, match="has no claims"):
        ledger.claims(section="8")


OWN = re.compile(r"proofs_checks\.section([1-5]\..*|6\.(formulas|geometry|weight|parity|profile|boundary))")
MINE = [c for c in ledger.claims() if OWN.fullmatch(getattr(c.check, "__module__", "")) or not c.checkable]


def test_a_verdict_says_how_far_it_reaches_or_how_bad_it_is():
    """A claim about the theory holds for all cases, by itself or by a theorem, or is a finite statement."""
    known = {c.id: c for c in ledger.claims()}
    for claim in MINE:
        if claim.expect == FAILS:
            assert claim.severity and not claim.extent, claim.id
        elif claim.checkable:
            reach = claim.recorded().extent
            whole = (ledger.FOR_ALL, ledger.FINITE, ledger.TRANSCRIBED)
            in_part = claim.id in formal.parts() and reach == ledger.SAMPLED
            assert in_part or reach in whole, claim.id
            assert not claim.severity, claim.id
        if claim.checkable and claim.statement:
            judged = known[claim.statement]
            assert claim.reading and (judged.reading or judged.expect != HOLDS), claim.id
            assert not judged.statement, claim.id


REPR = re.compile(r"\[\[|\{'|\('|'\)|\bNone\b|\bTrue\b|\bFalse\b|fmpq|array\(")
LONG = ("eq-OP-orthonormality", "eq-sec4-2-matrix-form")


@pytest.mark.parametrize(
    "claim", [pytest.param(c, id=c.id, marks=[pytest.mark.slow] * (c.id in LONG)) for c in MINE]
)
def test_verdict_is_the_recorded_one(claim):
    """The evidence contains no Python repr."""
    verdict = claim.run()
    assert verdict.as_expected, verdict.evidence
    assert verdict.outcome != FAILS or not REPR.search(verdict.evidence)


def test_every_claim_says_how_far_it_reaches_or_how_bad_it_is():
    known = ledger.claims()
    assert not [c.id for c in known if c.expect == HOLDS and not c.extent]
    assert not [c.id for c in known if c.expect == FAILS and not c.severity]
    assert not [c.id for c in known if c.expect == UNDECIDED and (c.extent or c.severity)]


def test_verify_json_lines_have_header_and_footer():
    code, out, _ = orca("verify", "example-46656", "n1-dim4-literal", "--format", "json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert lines[0]["kind"] == "header" and lines[-1]["kind"] == "footer"
    assert lines[-1]["counts"] == {HOLDS: 1, FAILS: 1, UNDECIDED: 0, SKIPPED: 0, "unexpected": 0}
    assert {"claim", "place", "outcome", "expected", "evidence", "scope", "seconds"} <= lines[1].keys()


def test_verify_formats_and_strict():
    assert orca("verify", "quadratic-modes-literal", "--strict")[0] == 1
    assert "✓ holds  finite statement, decided in every case       1" in orca("verify", "example-46656")[1]
    assert orca("verify", "example-46656", "--format", "markdown")[1].count("|") > 10
    suite = ElementTree.fromstring(orca("verify", "example-46656", "--format", "junit")[1])
    assert suite.attrib["failures"] == "0" and suite[0].attrib["name"] == "example-46656"
    code, _, err = orca("verify", "no-such-claim")
    assert code == 4 and "matches no claim" in err
    code, out, err = orca("verify", "")
    assert (code, out) == (4, "") and "orca-exact verify --list" in err


def test_verify_in_parallel_gives_the_same_verdicts():
    names = ["eq-tensor-inner", "example-46656", "quadratic-modes", "eq-data"]
    one = [(v.claim, v.outcome) for v in running.verify(names)]
    assert one == [(v.claim, v.outcome) for v in running.verify(names, jobs=2)]


def test_a_reader_who_leaves_stops_the_rest():
    before = set(active_children())
    verdicts = running.verify(["eq-data", "example-46656", "quadratic-modes"], jobs=2)
    assert next(verdicts).claim == "eq-data"
    assert len(set(active_children()) - before) == 2
    verdicts.close()
    assert set(active_children()) <= before


def test_explain():
    code, out, _ = orca("claim", "eq-sec4-2-constant-bias/any")
    assert code == 0
    assert "FAILS" in out and "sqrt(2)/2 ≠ 1/2" in out and "eq-sec4-2-constant-bias-corrected" in out
    assert orca("claim", "eq-CD-")[0] == 4
    assert json.loads(orca("claim", "eq-CD-identity", "--format", "json")[1])["verdict"].startswith(HOLDS)
