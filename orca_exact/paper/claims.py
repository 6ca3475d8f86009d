"""The ledger: claims of the paper, relations that judge them, verdicts with evidence.

A claim is a function that yields relations; its outcome is computed from them, never stated::

    @claim(
        "eq-rescale-endpoints",
        place="section 6.1, line 769",
        title="min-max rescaling maps the extremes to -1 and 1",
        latex=r"x = 2(\\tilde x - \\min)/(\\max - \\min) - 1",
        plain="The smallest value of a column becomes -1, the largest 1.",
        scope="exact, for the sampled columns",
        second_route="the affine map through two points",
        kills=("rescale-to-unit",),
        covers=("display-rescale",),
    )
    def rescale():
        problem = Problem(...)
        yield Equal(min(problem.points[:, 0]), fmpq(-1), "smallest of column 1")
        yield Note("5 columns of 7 values")

Exact values (int, fmpq, SymPy, polynomials, and lists, tuples, dicts, arrays of them) decide HOLDS or
FAILS; balls decide when they are separated and leave UNDECIDED when they overlap; floats raise a
TypeError: witnesses do not judge. ``yield Unknown("why")`` leaves a claim UNDECIDED; a missing data set
(``errors.DataMissing``) makes it SKIPPED, ``needs="echocardiogram"`` announces it. A function with a
parameter ``full`` is told whether the run is deep. An error of the paper is a claim with ``expect="FAILS"``
and ``correction="id"`` of the corrected statement, which is a claim of its own and HOLDS.

A family registers one function many times; members of one ``group`` run together, in one process, so that
an ``lru_cache`` serves them all::

    for row in table["rows"]:
        for column in columns:
            claim(f"tab-1-n{row['n']}-{column}", group=f"tab-1-n{row['n']}", ...)(partial(cell, row, column))

A mutant is a named context manager that spoils the library or the statement; under each mutant a claim
``kills``, its outcome must change::

    @mutant("rescale-to-unit")
    def rescale_to_unit():
        with patched(Problem, "points", property(...)):
            yield
"""

from __future__ import annotations

import inspect
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import import_module
from itertools import chain
from typing import Any

from ..errors import BadParameter, DataMissing, Undecided
from ..formats import shipped
from ..outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED
from . import formal
from .cache import no_disk
from .relations import (
    Differs,
    Equal,
    Holds,
    Less,
    Note,
    Relation,
    Unknown,
    shown,
)  # fmt: skip

__all__ = [
    "FAILS", "FINITE", "FOR_ALL", "HOLDS", "SAMPLED", "SKIPPED", "UNDECIDED", "Claim", "Differs",
    "Equal", "Holds", "Less", "Note", "Unknown",
    "Verdict", "claim", "claims", "coverage", "exit_code", "mutant", "mutants", "not_checkable", "patched",
    "shown", "verify",
]  # fmt: skip
SCHEMA = "orca-exact/verdicts/1"
PAPER, CELL, OUR_SPIRAL = "paper", "cell", "our spiral"  # the paper's own spiral is not given
FOR_ALL, FINITE, SAMPLED = EXTENTS = ("for all", "finite", "sampled")  # of what HOLDS
SEVERITIES = ("wrong number", "wrong statement", "imprecise wording", "typographical")  # of what FAILS
_CLAIMS: dict[str, Claim] = {}
_MUTANTS: dict[str, Callable[[], AbstractContextManager]] = {}


@dataclass(frozen=True)
class Claim:
    """One statement of the paper (or a corrected one) and the function that judges it."""

    id: str
    place: str
    title: str
    check: Callable[..., Any]
    latex: str = ""
    plain: str = ""
    assumptions: str = ""
    scope: str = ""
    second_route: str = ""
    kills: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    expect: str = HOLDS
    correction: str = ""
    group: str = ""
    needs: str = ""  # a data set that is not shipped
    full_only: bool = False
    extent: str = (
        ""  # of EXTENTS: proved for all that it speaks of, a finite statement decided, or samples of it
    )
    severity: str = ""  # of SEVERITIES, where the paper errs
    statement: str = (
        ""  # the claim whose sentence this one judges too: by another reading, or on other figures
    )
    reading: str = ""  # how the sentence is understood here, where it can be understood in two ways

    def __post_init__(self) -> None:
        if self.extent not in ("", *EXTENTS) or self.severity not in ("", *SEVERITIES):
            raise ValueError(f"{self.id}: unknown extent {self.extent!r} or severity {self.severity!r}")

    @property
    def section(self) -> str:
        """'3.1' of 'section 3.1, eq. (13)'; the abstract is section 0."""
        match = re.match(r"section (\d+(?:\.\d+)?)", self.place)
        return match[1] if match else "0"

    @property
    def checkable(self) -> bool:
        """A computation judges it; what is not checkable is UNDECIDED, with the reason."""
        return self.check is not _not_checkable

    @property
    def subject(self) -> str:
        """A CELL of a printed table, OUR_SPIRAL where part of the scope begins so, else the PAPER."""
        if self.group and self.id.startswith(self.group + "/"):
            return CELL
        ours = any(part.startswith(OUR_SPIRAL) for part in self.scope.split("; "))
        return OUR_SPIRAL if ours else PAPER

    def run(self, full: bool = False) -> Verdict:
        """The verdict. Errors of the check itself propagate."""
        start = time.perf_counter()
        if self.full_only and not full:
            outcome, evidence = SKIPPED, f"a deep check; run: orca-exact verify {self.id} --full"
        else:
            try:
                outcome, evidence = _judge(self._relations(full))
            except DataMissing as error:
                outcome, evidence = SKIPPED, str(error)
            except Undecided as error:
                outcome, evidence = UNDECIDED, str(error)
        return self._verdict(outcome, evidence, time.perf_counter() - start)

    def _verdict(self, outcome: str, evidence: str, seconds: float, crashed: bool = False) -> Verdict:
        known = (self.id, self.title, self.place, outcome, self.expect, evidence, self.scope, seconds)
        return Verdict(*known, self.correction, crashed, formal.general(self.id))

    def _relations(self, full: bool) -> Iterable[Relation]:
        if not self.checkable:
            return [Unknown(self.scope)]
        wants_full = "full" in inspect.signature(self.check).parameters
        found = self.check(full=full) if wants_full else self.check()
        return chain([found] if isinstance(found, Relation) else found, formal.relations(self.id))


@dataclass(frozen=True)
class Verdict:
    """What came of one claim, and what the ledger expects."""

    claim: str
    title: str
    place: str
    outcome: str
    expected: str
    evidence: str
    scope: str
    seconds: float
    correction: str = ""
    crashed: bool = False
    general: str = ""  # whether a machine-checked theorem behind it was checked here

    @property
    def as_expected(self) -> bool:
        """The outcome the ledger records, or none for want of data."""
        return self.outcome in (self.expected, SKIPPED) and not self.crashed

    def to_json(self) -> dict:
        """One line of an orca-exact/verdicts/1."""
        keys = ("claim", "title", "place", "outcome", "expected", "evidence")
        data = {key: getattr(self, key) for key in keys}
        data |= {"scope": self.scope, "seconds": round(self.seconds, 3), "as_expected": self.as_expected}
        more = {"correction": self.correction, "general": self.general}
        return data | {key: value for key, value in more.items() if value}


def _judge(relations: Iterable[Relation]) -> tuple[str, str]:
    """The outcome of all relations together, and text a referee can quote."""
    outcomes, notes, bad, places = Counter[str](), [], {FAILS: "", UNDECIDED: ""}, []
    try:
        for relation in relations:
            if not isinstance(relation, Relation):
                raise TypeError(f"a claim yields relations, not {type(relation).__name__}")
            if isinstance(relation, Note):
                notes.append(relation.text)
                continue
            outcome = relation.decide()
            outcomes[outcome] += 1
            places.append(getattr(relation, "where", ""))
            if outcome in bad and not bad[outcome]:
                bad[outcome] = relation.evidence(outcome)
    except (DataMissing, Undecided) as error:
        if not outcomes[FAILS]:
            raise
        notes.append(f"stopped after it: {error}")  # what is refuted stays refuted
    count = sum(outcomes.values())
    if outcomes[FAILS]:
        tail = f" ({outcomes[FAILS]} of {count} relations fail)" if count > 1 else ""
        return FAILS, "; ".join([bad[FAILS] + tail, *notes])
    if outcomes[UNDECIDED] or not count:
        return UNDECIDED, "; ".join([bad[UNDECIDED] or "nothing was checked", *notes])
    named = [place for place in dict.fromkeys(places) if place]
    named = named if len(named) < 4 else [*named[:2], "...", named[-1]]
    counted = f"{count} relation{'s' * (count > 1)} proved"
    return HOLDS, "; ".join([f"{counted}: {' | '.join(named)}" if named else counted, *notes])


# The registry.


def claim(id: str, **fields: Any) -> Callable[[Callable], Callable]:
    """Register the decorated function as the check of a claim; see the module's text."""

    def register(check: Callable) -> Callable:
        if id in _CLAIMS:
            raise ValueError(f"the claim {id!r} is registered twice")
        _CLAIMS[id] = Claim(id=id, check=check, **fields)
        return check

    return register


def _not_checkable() -> Any:
    raise AssertionError("judged by its reason alone")


def not_checkable(id: str, place: str, title: str, why: str, **fields: Any) -> None:
    """A sentence no computation can decide: UNDECIDED, with the reason, and said aloud."""
    defaults = {"scope": why, "second_route": "none: " + why, "expect": UNDECIDED}
    claim(id, place=place, title=title, **(defaults | fields))(_not_checkable)


def mutant(name: str) -> Callable[[Callable], Callable]:
    """Register a generator function as a named context manager."""

    def register(function: Callable) -> Callable:
        if name in _MUTANTS:
            raise ValueError(f"the mutant {name!r} is registered twice")
        _MUTANTS[name] = contextmanager(function)
        return function

    return register


@contextmanager
def patched(owner: Any, name: str, value: Any) -> Iterator[None]:
    """owner.name = value for a while; caches, which hold what is spoilt, are emptied before and after.

    A spoilt library neither reads nor writes results on disk. It does not know the checks: a spoilt
    statement leaves its caches as they are.
    """
    old = owner.__dict__[name] if isinstance(owner, type) else getattr(owner, name)
    home = (owner.__module__ if isinstance(owner, type) else owner.__name__).split(".")[0]
    spoilt = ("proofs_checks",) if home == "proofs_checks" else ("orca_exact", "proofs_checks")
    forget_caches(spoilt)
    setattr(owner, name, value)
    try:
        with nullcontext() if home == "proofs_checks" else no_disk():
            yield
    finally:
        setattr(owner, name, old)
        forget_caches(spoilt)


def forget_caches(packages: tuple[str, ...] = ("orca_exact", "proofs_checks")) -> None:
    """Empty every lru_cache of these packages."""
    import sys

    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in packages:
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


@lru_cache(maxsize=1)
def _load() -> None:
    from pkgutil import iter_modules

    package = import_module("proofs_checks")
    for name in sorted(entry.name for entry in iter_modules(package.__path__)):
        import_module(f"proofs_checks.{name}")


def claims(ids: Sequence[str] = (), section: str | None = None) -> list[Claim]:
    """Claims in the paper's order. ``ids``: names, prefixes, globs; ``section``: '3' holds '3.1', '3.2'."""
    _load()
    order = {id: (tuple(map(int, c.section.split("."))), k) for k, (id, c) in enumerate(_CLAIMS.items())}
    chosen = [_CLAIMS[id] for id in sorted(_CLAIMS, key=order.__getitem__)]
    if section is not None:
        wanted = section.removeprefix("section ")
        chosen = [c for c in chosen if c.section == wanted or c.section.startswith(wanted + ".")]
        if not chosen:
            have = ", ".join(sorted({c.section for c in _CLAIMS.values()}))
            raise BadParameter("section", section, "has no claims", f"take one of {have} (0: the abstract)")
    if ids:
        for pattern in ids:
            if not pattern.strip() or not any(_matches(c.id, pattern) for c in chosen):
                raise BadParameter("claim", repr(pattern), "names no claim", _closest(pattern))
        chosen = [c for c in chosen if any(_matches(c.id, pattern) for pattern in ids)]
    return chosen


def _matches(id: str, pattern: str) -> bool:
    if pattern in _CLAIMS:
        return id == pattern
    return fnmatchcase(id, pattern) or id.startswith(pattern)


def _closest(name: str) -> str:
    from difflib import get_close_matches

    close = ", ".join(get_close_matches(name, _CLAIMS, 3, 0.3))
    return f"closest: {close}" if close else "list them with 'orca-exact verify --list'"


def mutants() -> dict[str, Callable[[], AbstractContextManager]]:
    """Every registered mutant by name."""
    claims()
    return _MUTANTS


# Running.


def verify(
    ids: Sequence[str] = (),
    section: str | None = None,
    full: bool = False,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Iterator[Verdict]:
    """Verdicts in the paper's order, each as soon as it and those before it are known."""
    chosen = claims(ids, section)
    tasks: dict[str, list[str]] = {}
    for c in chosen:
        tasks.setdefault(c.group or c.id, []).append(c.id)
    if jobs <= 1 or len(tasks) == 1:
        for done, c in enumerate(chosen):
            if progress:
                progress(f"{done} of {len(chosen)}: {c.place}: {c.title}")
            yield _run(c, full)
        return
    from .workers import unordered

    found: dict[str, dict[str, Verdict]] = {}
    waiting_for = ""

    def tick() -> None:
        if progress:
            progress(f"{len(found)} of {len(tasks)}; waiting for {waiting_for}")

    given = {key: (members, full) for key, members in tasks.items()}
    with closing(unordered(_run_all, given, jobs, tick)) as results:
        for c in chosen:
            waiting_for = c.id
            while (key := c.group or c.id) not in found:
                tick()
                found.update([next(results)])
            yield found[key][c.id]


def _run(c: Claim, full: bool) -> Verdict:
    try:
        return c.run(full)
    except Exception as error:  # a check that breaks is a finding about the check
        evidence = f"the check itself failed: {type(error).__name__}: {error}"
        return c._verdict(UNDECIDED, evidence, 0.0, crashed=True)


def _run_all(ids: list[str], full: bool) -> dict[str, Verdict]:
    claims()
    return {id: _run(_CLAIMS[id], full) for id in ids}


def exit_code(verdicts: Iterable[Verdict], strict: bool = False) -> int:
    """0 as expected, 1 an unexpected verdict (strict: any refuted claim), 3 unexpectedly undecided only."""
    code = 0
    for v in verdicts:
        if (not v.as_expected and (v.outcome != UNDECIDED or v.crashed)) or (strict and v.outcome == FAILS):
            return 1
        if not v.as_expected:
            code = 3
    return code


def counts(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many of each outcome, and how many were not expected."""
    verdicts = list(verdicts)
    found = Counter(v.outcome for v in verdicts)
    return {outcome: found[outcome] for outcome in (HOLDS, FAILS, UNDECIDED, SKIPPED)} | {
        "unexpected": sum(not v.as_expected for v in verdicts)
    }


def not_judged(verdicts: Iterable[Verdict], absent: Mapping[str, str]) -> dict[str, int]:
    """Why claims were skipped, and how many for each reason; ``absent`` puts some reasons better."""
    return dict(Counter(absent.get(v.evidence, v.evidence) for v in verdicts if v.outcome == SKIPPED))


# Coverage of the paper.


@lru_cache(maxsize=1)
def paper_items() -> tuple[dict, ...]:
    """Every label, numbered equation, definition, proposition, table, figure and assertion of the paper."""
    return tuple(shipped("paper/data/paper_items.json")["items"])


def coverage() -> list[tuple[dict, list[str]]]:
    """Each item of the paper with the claims that judge it."""
    by_item: dict[str, list[str]] = {}
    for c in claims():
        for item in dict.fromkeys((c.id, *c.covers)):
            by_item.setdefault(item, []).append(c.id)
    return [(item, by_item.get(item["id"], [])) for item in paper_items()]
