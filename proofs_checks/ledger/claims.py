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
(``errors.DataMissing``) makes it SKIPPED, ``needs="echocardiogram"`` announces it. What HOLDS says how far
(``extent``): FOR_ALL that the sentence speaks of, FINITE where it speaks of finitely many things and each was
decided, SAMPLED where only some were; a machine-checked theorem that covers the claim (``formal``) makes
SAMPLED FOR_ALL where it was compiled, and "uncompiled" elsewhere.

An error of the paper is a claim with ``expect="FAILS"``, a ``severity`` and ``correction="id"`` of the
corrected statement, which is a claim of its own and HOLDS. Claims that judge one sentence, by two readings or
on other figures, name the first of them as their ``statement``; the first, which bears the bare id, takes the
strongest reading that its authors could mean. The sentence is an error exactly if that one FAILS. Where
another reading is recorded as HOLDS, ``plain`` of the first says why it is not the strongest.

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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib import import_module
from itertools import chain
from typing import Any

from orca_exact.errors import BadParameter, DataMissing, Undecided
from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED
from orca_exact.runtime.cache import no_disk

from . import theorems as formal
from .outcomes import KINDS
from .relations import (
    Differs,
    Equal,
    Holds,
    Less,
    Note,
    Relation,
    Unknown,
)  # fmt: skip
from .verdict import EXTENTS, FINITE, FOR_ALL, SAMPLED, SEVERITIES, UNCOMPILED, Verdict, judge

__all__ = [
    "FAILS", "FINITE", "FOR_ALL", "HOLDS", "SAMPLED", "SKIPPED", "UNDECIDED", "Claim", "Differs",
    "Equal", "Holds", "Less", "Note", "Unknown",
    "Verdict", "claim", "claims", "mutant", "mutants", "not_checkable", "patched",
]  # fmt: skip
SCHEMA = "orca-exact/verdicts/1"
PAPER, CELL, OUR_SPIRAL = "paper", "cell", "our spiral"  # the paper's own spiral is not given
OURS = ("orca_exact", "proofs_checks")
STATEMENTS = ("proofs_checks.section", "proofs_checks.mutants", "proofs_checks.samples")
Proved = tuple[str, list[Relation]]
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
    extent: str = ""  # FOR_ALL, FINITE or SAMPLED: how far its own computation reaches
    severity: str = ""  # of SEVERITIES, where the paper errs
    statement: str = ""  # the claim whose sentence this one judges too: otherwise read, or on other data
    reading: str = ""  # how the sentence is understood here, where it can be understood in two ways

    def __post_init__(self) -> None:
        if self.extent not in {"", *EXTENTS} - {UNCOMPILED} or self.severity not in ("", *SEVERITIES):
            raise ValueError(f"{self.id}: unknown extent {self.extent!r} or severity {self.severity!r}")
        if self.subject == CELL:  # one printed number
            kind, says = ("severity", SEVERITIES[0]) if self.expect == FAILS else ("extent", FINITE)
            object.__setattr__(self, kind, getattr(self, kind) or says)

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

    @property
    def sentence(self) -> str:
        """The name under which everything that judges one sentence of the paper is counted once."""
        above = _CLAIMS.get(self.statement)
        return above.sentence if above else self.statement or self.id

    def run(self, proved: Proved | None = None) -> Verdict:
        """The verdict. Errors of the check itself propagate."""
        start, formula = time.perf_counter(), ("", "")
        general, theorems = proved or self.proved()
        try:
            outcome, evidence, formula = judge(self._relations(theorems))
        except DataMissing as error:
            outcome, evidence = SKIPPED, str(error)
        except Undecided as error:
            outcome, evidence = UNDECIDED, str(error)
        seconds = time.perf_counter() - start
        return self.verdict(outcome, evidence, seconds, formula=formula, general=general)

    def proved(self) -> Proved:
        """What this machine checked in general: in words, and the relations that say so."""
        return formal.general(self.id), list(formal.relations(self.id))

    def recorded(self) -> Verdict:
        """What the ledger records, with every machine-checked theorem behind it; nothing is computed."""
        general = formal.CHECKED if formal.covering(self.id) else ""
        return self.verdict(self.expect, "", 0.0, general=general)

    def verdict(
        self,
        outcome: str,
        evidence: str,
        seconds: float,
        crashed: bool = False,
        formula: tuple[str, str] = ("", ""),
        general: str | None = None,
    ) -> Verdict:
        """A verdict about this claim; without ``general``, what this machine checked in general counts."""
        general = formal.general(self.id) if general is None else general
        return Verdict(
            claim=self.id,
            title=self.title,
            place=self.place,
            outcome=outcome,
            expected=self.expect,
            evidence=evidence,
            scope=self.scope,
            seconds=seconds,
            correction=self.correction,
            crashed=crashed,
            general=general,
            extent=self._reach(general) * (outcome == HOLDS),
            severity=self.severity * (outcome == FAILS),
            statement=self.sentence,
            reading=self.reading,
            plain=self.plain,
            formula=formula,
        )

    def _reach(self, general: str) -> str:
        """What its own computation proves; what that only samples, a theorem proves where it is compiled."""
        if self.extent != SAMPLED or not general:
            return self.extent
        return FOR_ALL if general.startswith(formal.CHECKED) else UNCOMPILED

    def _relations(self, theorems: Iterable[Relation]) -> Iterable[Relation]:
        if not self.checkable:
            return [Unknown(self.scope)]
        deep = {"full": True} if "full" in inspect.signature(self.check).parameters else {}
        found = self.check(**deep)
        return chain([found] if isinstance(found, Relation) else found, theorems)


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
    home = owner.__module__ if isinstance(owner, type) else owner.__name__
    statement = home.startswith(STATEMENTS)
    spoilt = STATEMENTS if statement else OURS
    forget_caches(spoilt)
    setattr(owner, name, value)
    try:
        with nullcontext() if statement else no_disk():
            yield
    finally:
        setattr(owner, name, old)
        forget_caches(spoilt)


def forget_caches(modules: tuple[str, ...] = OURS) -> None:
    """Empty every lru_cache that is defined in modules whose names begin so."""
    import sys

    for name, module in list(sys.modules.items()):
        if name.startswith(modules):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear") and value.__module__.startswith(modules):
                    value.cache_clear()


@lru_cache(maxsize=1)
def _load() -> None:
    from pkgutil import walk_packages

    package = import_module("proofs_checks")
    names = sorted(entry.name for entry in walk_packages(package.__path__, "proofs_checks."))
    for name in names:
        if name.startswith(STATEMENTS):
            import_module(name)


def claims(ids: Sequence[str] = (), section: str | None = None, only: str = "") -> list[Claim]:
    """Claims in the paper's order, those of one sentence together.

    ``ids``: names, prefixes, globs; ``section``: '3' holds '3.1', '3.2'; ``only``: of KINDS, as recorded.
    """
    _load()
    rank = {id: k for k, id in enumerate(_CLAIMS)}

    def order(c: Claim) -> tuple:
        lead = _CLAIMS.get(c.sentence, c)
        together = rank[lead.id] if lead.section == c.section else rank[c.id]
        return tuple(map(int, c.section.split("."))), together, rank[c.id]

    chosen = sorted(_CLAIMS.values(), key=order)
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
    if only:
        chosen = [c for c in chosen if c.expect == KINDS[only]]
    if only == SAMPLED:
        chosen = [c for c in chosen if c.recorded().extent == SAMPLED]
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
