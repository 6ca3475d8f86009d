r"""The ledger: claims of the paper, relations that decide them, and verdicts with evidence.

A claim is a function that yields relations. Its outcome is computed from them::

    @claim(
        "eq-rescale-endpoints",
        place="section 6.1, line 769",
        title="min-max rescaling maps the extremes to -1 and 1",
        latex=r"x = 2(\tilde x - \min)/(\max - \min) - 1",
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

Outcomes:

- Exact values (int, fmpq, SymPy expressions, polynomials, and containers of them) give HOLDS or FAILS. Balls
  give HOLDS or FAILS if they are disjoint and UNDECIDED if they overlap. Floats raise a TypeError.
- ``yield Unknown("why")`` makes a claim UNDECIDED.
- If a data set is missing (``errors.DataMissing``), the claim is judged from stored certified values and its
  verdict has the source ``stored``; if it needs the records themselves, it is SKIPPED. A claim declares the
  data set that it uses by ``needs="echocardiogram"``.

A claim that HOLDS has an ``extent``: FOR_ALL if it is shown for all cases of the sentence, FINITE if the
sentence is about finitely many cases and each was decided, SAMPLED if only some cases were checked,
TRANSCRIBED if it is read off the paper's text, so that the check compares our transcription with itself and
decides nothing. Machine-checked theorems that prove the whole claim (``theorems.toml``) raise SAMPLED to
FOR_ALL if they were compiled on this machine, else to "uncompiled".

An error of the paper is a claim with ``expect="FAILS"``, a ``severity``, and ``correction="id"`` that names
the corrected statement, which is a claim of its own and HOLDS. Several claims about one sentence (other
readings, other data) name the first of them in ``statement``. The first claim takes the most favourable
reading that keeps every quantifier and every number of the sentence; the sentence is an error exactly if the
first claim FAILS. Other readings are recorded and do not change the verdict. A restriction, threshold or
statistic that the sentence does not contain never makes it wrong; a bound that supports a vague word is
marked by OUR_THRESHOLD in ``reading``. 'Grows with n' and 'as n increases' are about every n of the table,
and hold if the quantity never falls from one row to the next. ``docs/claim.md`` has the whole rule.

A family registers one function many times. Members of one ``group`` run in the same process, so that they
share an ``lru_cache``::

    for row in table["rows"]:
        for column in columns:
            claim(f"tab-1-n{row['n']}-{column}", group=f"tab-1-n{row['n']}", ...)(partial(cell, row, column))
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import chain
from typing import Any

from orca_exact.errors import BadParameter, DataMissing, Undecided
from orca_exact.files.outcomes import FAILS, HOLDS, SKIPPED, UNDECIDED

from ..experiments.machine_checked import find_machine_checked
from ..experiments.stored import stored_values_allowed
from . import theorems as formal
from .outcomes import KINDS
from .relations import Differs, Equal, Holds, Less, Note, Relation, Unknown
from .stored_study import shuffled_notes
from .verdict import (
    COMPUTED,
    EXTENTS,
    FINITE,
    FOR_ALL,
    SAMPLED,
    SEVERITIES,
    STORED,
    TRANSCRIBED,
    UNCOMPILED,
    Judgement,
    Verdict,
    judge,
)

__all__ = [
    "FAILS", "FINITE", "FOR_ALL", "HOLDS", "OUR_THRESHOLD", "SAMPLED", "SKIPPED", "TRANSCRIBED",
    "UNDECIDED", "Claim", "Differs",
    "Equal", "Holds", "Less", "Note", "Unknown",
    "Verdict", "claim", "claims", "not_checkable",
]  # fmt: skip
PAPER, CELL, OUR_SPIRAL = "paper", "cell", "our spiral"  # the paper does not define its own spiral
OUR_THRESHOLD = "(our threshold, chosen after the data)"
STATEMENTS = ("proofs_checks.section", "proofs_checks.mutants", "proofs_checks.samples")
Proved = tuple[str, list[Relation]]
_CLAIMS: dict[str, Claim] = {}


@dataclass(frozen=True, eq=False)
class Claim:
    """One statement of the paper, or a corrected one, and the function that checks it."""

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
    extent: str = ""  # FOR_ALL, FINITE or SAMPLED: what its own computation shows
    severity: str = ""  # one of SEVERITIES if the paper errs
    statement: str = ""  # id of the first claim about the same sentence
    reading: str = ""  # how an ambiguous sentence is understood here

    def __post_init__(self) -> None:
        if self.extent not in {"", *EXTENTS} - {UNCOMPILED} or self.severity not in ("", *SEVERITIES):
            raise ValueError(f"{self.id}: unknown extent {self.extent!r} or severity {self.severity!r}")
        if self.subject == CELL:
            name, default = ("severity", "wrong number") if self.expect == FAILS else ("extent", FINITE)
            object.__setattr__(self, name, getattr(self, name) or default)

    @cached_property
    def section(self) -> str:
        """The section of the place: '3.1' for 'section 3.1, eq. (13)', '0' for the abstract."""
        match = re.match(r"section (\d+(?:\.\d+)?)", self.place)
        return match[1] if match else "0"

    @property
    def checkable(self) -> bool:
        """Whether a computation decides the claim; otherwise it is UNDECIDED, with the reason."""
        return self.check is not _not_checkable

    @property
    def subject(self) -> str:
        """CELL for a printed table cell, OUR_SPIRAL if a part of the scope starts so, else PAPER."""
        if self.group and self.id.startswith(self.group + "/"):
            return CELL
        ours = any(part.startswith(OUR_SPIRAL) for part in self.scope.split("; "))
        return OUR_SPIRAL if ours else PAPER

    @property
    def sentence(self) -> str:
        """The id of the first claim about the same sentence of the paper; sentences are counted by it."""
        first = _CLAIMS.get(self.statement)
        return first.sentence if first else self.statement or self.id

    def run(self, proved: Proved | None = None) -> Verdict:
        """Run the check and return the verdict.

        ``proved`` is what ``proved()`` returned, perhaps on another machine. Exceptions other than
        ``DataMissing`` and ``Undecided`` propagate.
        """
        start = time.perf_counter()
        general, theorems = proved or self.proved()
        source = COMPUTED
        try:
            try:
                judged = judge(self._relations(theorems))
            except DataMissing:
                with stored_values_allowed():
                    judged = judge(self._relations(theorems))
                source = STORED
        except DataMissing as error:
            judged = Judgement(SKIPPED, str(error))
        except Undecided as error:
            judged = Judgement(UNDECIDED, str(error))
        found = self.verdict(judged.outcome, judged.evidence, time.perf_counter() - start, general=general,
                             source=source)  # fmt: skip
        return replace(found, formula=judged.formula, counterexample=judged.counterexample)

    def proved(self, proofs: formal.Stored = formal.stored_proofs) -> Proved:
        """Return the state of the theorems behind the claim: in words, and as relations."""
        return formal.general(self.id, proofs), list(formal.relations(self.id, proofs))

    def recorded(self) -> Verdict:
        """Return the recorded verdict, with every theorem taken as compiled; nothing is computed."""
        general = formal.CHECKED if formal.covering(self.id) else ""
        return self.verdict(self.expect, "", 0.0, general=general)

    def verdict(
        self,
        outcome: str,
        evidence: str,
        seconds: float,
        crashed: bool = False,
        general: str | None = None,
        source: str = COMPUTED,
    ) -> Verdict:
        """Return a verdict about this claim; ``general`` defaults to the state of its theorems here."""
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
            extent=self._extent(general) * (outcome == HOLDS and source == COMPUTED),
            severity=self.severity * (outcome == FAILS),
            statement=self.sentence,
            reading=self.reading,
            plain=self.plain,
            source=source,
            ours=self.subject == OUR_SPIRAL,
        )

    def _extent(self, general: str) -> str:
        """Return its own extent, raised from SAMPLED if theorems prove the whole claim."""
        if self.extent != SAMPLED or not general or self.id in formal.parts():
            return self.extent
        return FOR_ALL if general.startswith(formal.CHECKED) else UNCOMPILED

    def _relations(self, theorems: Iterable[Relation]) -> Iterable[Relation]:
        if not self.checkable:
            return [Unknown(self.scope)]
        found = self.check()
        return chain([found] if isinstance(found, Relation) else found, _notes(self.id), theorems)


def _notes(id: str) -> Iterator[Note]:
    """Yield what stored results say about a claim; they decide nothing."""
    if cell := find_machine_checked(id):
        yield Note(f"machine-checked: {cell.theorem}; so the printed {cell.printed} is {cell.verdict}")
    yield from shuffled_notes(id)


# The registry.


def claim(id: str, **fields: Any) -> Callable[[Callable], Callable]:
    """Register the decorated function as the check of a claim.

    Parameters
    ----------
    id : str
        Name of the claim, unique in the ledger.
    **fields
        The other fields of :class:`Claim`, except ``check``.
    """

    def register(check: Callable) -> Callable:
        if id in _CLAIMS:
            raise ValueError(f"the claim {id!r} is registered twice")
        _CLAIMS[id] = Claim(id=id, check=check, **fields)
        return check

    return register


def _not_checkable() -> Any:
    raise AssertionError("a claim that is not checkable has no check")


def not_checkable(id: str, place: str, title: str, why: str, **fields: Any) -> None:
    """Register a sentence that no computation can decide: UNDECIDED, with the reason."""
    defaults = {"scope": why, "second_route": "none: " + why, "expect": UNDECIDED}
    claim(id, place=place, title=title, **(defaults | fields))(_not_checkable)


@lru_cache(maxsize=1)
def _load() -> None:
    from pkgutil import walk_packages

    package = import_module("proofs_checks")
    names = sorted(entry.name for entry in walk_packages(package.__path__, "proofs_checks."))
    for name in names:
        if name.startswith(STATEMENTS):
            import_module(name)


@lru_cache(maxsize=1)
def _in_order(known: tuple[Claim, ...]) -> tuple[Claim, ...]:
    rank = {c.id: k for k, c in enumerate(known)}

    def order(c: Claim) -> tuple:
        first = _CLAIMS.get(c.sentence, c)
        together = first if first.section == c.section else c
        return tuple(map(int, c.section.split("."))), rank[together.id], rank[c.id]

    return tuple(sorted(known, key=order))


def claims(ids: Sequence[str] = (), section: str | None = None, only: str = "") -> list[Claim]:
    """Return claims in the paper's order, those about one sentence together.

    Parameters
    ----------
    ids : sequence of str
        Names, prefixes or glob patterns; all claims if empty.
    section : str, optional
        A section with its subsections: '3' includes '3.1' and '3.2'.
    only : str
        One of the keys of ``KINDS``: select by the recorded outcome.
    """
    _load()
    chosen = list(_in_order(tuple(_CLAIMS.values())))
    if section is not None:
        wanted = section.removeprefix("section ")
        chosen = [c for c in chosen if c.section == wanted or c.section.startswith(wanted + ".")]
        if not chosen:
            known = ", ".join(sorted({c.section for c in _CLAIMS.values()}))
            raise BadParameter("section", section, "has no claims", f"choose one of {known} (0: abstract)")
    if ids:
        for pattern in ids:
            if not pattern.strip() or not any(_matches(c.id, pattern) for c in chosen):
                raise BadParameter("claim", repr(pattern), "matches no claim", _suggestion(pattern))
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


def _suggestion(name: str) -> str:
    from difflib import get_close_matches

    close = ", ".join(get_close_matches(name, _CLAIMS, 3, 0.3))
    return f"similar names: {close}" if close else "run 'orca-exact verify --list' to list all claims"
